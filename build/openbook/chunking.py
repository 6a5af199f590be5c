"""Documents → chunks: what is embedded, matched and shown as a passage."""

from __future__ import annotations

import msgspec

from openbook.course.document import DocumentKind


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of one section (or slide) that is matched as a whole.

    Attributes:
        id: ``{lecture}/{kind}#{anchor}``, with ``~2``, ``~3`` … behind it for further parts of a section. Stable
            over rebuilds: it changes only when the section's own heading or the chunk's own section does.
        lecture: id of the lecture.
        kind: notes or slides.
        title: of the section that it stands in.
        path: heading path, from the document's title to the section's own heading.
        anchor: id of the section's heading in the rendered page.
        part: 1-based number of this part of its section.
        parts: how many parts the section has.
        text: plain text as a reader sees it; does not include the heading path.
        url: of the section in the rendered page, relative to the site's root, not percent-encoded.
        source: path of the source, relative to the course's root, with forward slashes.
        start_line, end_line: lines of the source that it came from, 1-based and inclusive.
        tokens: word pieces of the embedded text, special tokens included.
        words: of ``text``, as ``str.split`` counts them.
        hash: first 16 hexadecimal digits of the SHA-256 of the embedded text.
    """

    id: str
    lecture: str
    kind: DocumentKind
    title: str
    path: tuple[str, ...]
    anchor: str
    part: int
    parts: int
    text: str
    url: str
    source: str
    start_line: int
    end_line: int
    tokens: int
    words: int
    hash: str

    def embedded_text(self, context: bool = True) -> str:
        """Return what the encoder reads: the heading path, so that it knows what the text is about, and the text."""
        return embedded_text(self.path, self.text, context)


def embedded_text(path: tuple[str, ...], text: str, context: bool = True) -> str:
    """Join a heading path and a text as the encoder reads them; without ``context``, the text alone."""
    return " / ".join(path) + "\n\n" + text if context else text
