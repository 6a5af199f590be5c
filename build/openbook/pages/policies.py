"""What each page may load and run: content security policies, which stand in the pages themselves."""

from __future__ import annotations

from openbook.generation.offer import connect_sources
from openbook.settings import GenerationSettings

_COMMON_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; manifest-src 'self'; base-uri 'none';"
    " form-action 'none'"
)
READING_POLICY = (
    f"{_COMMON_POLICY}; script-src 'self'; frame-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""Of pages to read: two scripts of their own, nothing fetched; the page that answers may stand in a frame on them."""


def asking_policy(generation: GenerationSettings) -> str:
    """The policy of ``index.html``: also fetches the index and runs WebAssembly in a worker, which only the client's
    own policy for Trusted Types may start; reaches the hosts that the engines on offer need, and no other.
    """
    connect = " ".join(["'self'", *connect_sources(generation)])
    return (
        f"{_COMMON_POLICY}; script-src 'self' 'wasm-unsafe-eval'; connect-src {connect}; worker-src 'self';"
        " font-src 'self'; require-trusted-types-for 'script'; trusted-types openbook lit-html"
    )


EMBED_POLICY = (
    f"{_COMMON_POLICY}; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; font-src 'self';"
    " require-trusted-types-for 'script'; trusted-types openbook lit-html"
)
"""Of that page: as ``index.html``, without the engines."""
