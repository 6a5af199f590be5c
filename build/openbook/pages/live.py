"""Pages that load themselves again after a build, while an author writes (``openbook build --serve``).

The served copy of a page carries one more script, which the built file does not have. The script imports a module whose
request is answered when the next build is done: a long poll that the pages' strict policy already allows
(``script-src 'self'``), so that nothing of it is loosened for this.
"""

from __future__ import annotations

import re
import threading
from typing import Final
from urllib.parse import parse_qs, urlsplit

FOLDER: Final = "openbook-live/"
"""Below the site's root; no build writes there."""

WAIT_S: Final = 25.0
"""A request is answered after so long in any case: browsers and proxies give up on silent ones."""

_HEAD = re.compile(rb"</head>", re.IGNORECASE)

# Not before the page has loaded: a request that hangs would keep it from ever being so.
_POLL: Final = """\
const loaded = new Promise((resolve) => {
  if (document.readyState === "complete") resolve();
  else addEventListener("load", resolve, { once: true });
});
await loaded;
for (let attempt = 0; ; attempt += 1) {
  try {
    const { changed } = await import(new URL(`wait.js?after=VERSION&attempt=${attempt}`, import.meta.url).href);
    if (changed) {
      location.reload();
      break;
    }
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
"""


class Live:
    """Counts the builds, and lets pages wait for the next."""

    def __init__(self) -> None:
        self._version = 0
        self._changed = threading.Condition()

    def built(self) -> None:
        """Tell all pages that wait that there is a new build."""
        with self._changed:
            self._version += 1
            self._changed.notify_all()

    def page(self, html: bytes, base_path: str) -> bytes:
        """Return a page with the script in its head."""
        with self._changed:
            version = self._version
        script = f'<script type="module" src="{base_path}{FOLDER}reload.js?version={version}"></script>'
        return _HEAD.sub(script.encode() + rb"</head>", html, count=1)

    def script(self, target: str, base_path: str) -> bytes | None:
        """Return what a request is answered with, waiting for it if need be; None for one that is for a file."""
        parts = urlsplit(target)
        query = parse_qs(parts.query)
        if parts.path == f"{base_path}{FOLDER}reload.js":
            version = _number(query.get("version", [""])[0])
            return _POLL.replace("VERSION", str(version)).encode()
        if parts.path == f"{base_path}{FOLDER}wait.js":
            after = _number(query.get("after", [""])[0])
            with self._changed:
                changed = self._changed.wait_for(lambda: self._version > after, timeout=WAIT_S)
            return f"export const changed = {'true' if changed else 'false'};\n".encode()
        return None


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0
