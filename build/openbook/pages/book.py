"""``<open-book>`` in notes and decks: the page that answers, in a frame of the course's own site.

A frame, and not the component itself: what is in it has a policy of its own, so that the page round it goes on with
the strict one of pages that are only read.
"""

from __future__ import annotations

from html import escape
from typing import Protocol
from urllib.parse import urlencode

EMBED = "embed.html"
"""The page for a frame, on somebody else's page or on one of the course's own."""


class Own(Protocol):
    """Knows where a file of the site is, seen from the page."""

    def own(self, target: str) -> str:
        """Return its address."""
        ...


def book_frame(attributes: dict[str, str], addresses: Own) -> str:
    """HTML of the frame, and of the link that stands there on paper.

    Args:
        attributes: as the author wrote them; ``src`` and whatever else the component does not know is left out.
        addresses: of the page.
    """
    question, lecture = (" ".join(attributes.get(name, "").split()) for name in ("question", "lecture"))
    given = {"question": question, "lecture": lecture}
    query = {name: value for name, value in given.items() if value}
    query |= {name: "" for name in ("compact", "working") if name in attributes}
    frame = f"{addresses.own(EMBED)}?{urlencode(query | {'target': '_parent'})}"
    asked = {name: value for name, value in {"q": question, "lecture": lecture}.items() if value}
    link = addresses.own("index.html") + (f"#{urlencode(asked)}" if asked else "")
    return (
        f'<iframe class="book" src="{escape(frame)}" title="Ask the notes" lang="en" loading="lazy"></iframe>'
        f'<a class="book-link" href="{escape(link)}">Ask the notes</a>'
    )
