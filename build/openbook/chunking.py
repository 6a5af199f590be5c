"""Documents → chunks: what is embedded, matched and shown as a passage."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace

import msgspec

from openbook.course.document import Block, Document, DocumentKind, Section
from openbook.course.sentences import split_sentences
from openbook.cutting import (
    AFTER_COLON,
    AFTER_HEADING,
    BEFORE_HEADING,
    BETWEEN_CODES,
    UNLIMITED,
    Budget,
    Piece,
    Verbatim,
    cut_block,
    join,
    join_verbatim,
    partition,
    weigh_words,
)
from openbook.settings import ChunkSettings


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
        verbatim: lines of ``text`` that are no prose: first and last line, counted from 0, and what they are (code,
            table, math). A sentence is never quoted from them.
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
    verbatim: tuple[Verbatim, ...] = ()

    def embedded_text(self, context: bool = True) -> str:
        """Return what the encoder reads: the heading path, so that it knows what the text is about, and the text."""
        return embedded_text(self.path, self.text, context)


def embedded_text(path: tuple[str, ...], text: str, context: bool = True) -> str:
    """Join a heading path and a text as the encoder reads them; without ``context``, the text alone."""
    return " / ".join(path) + "\n\n" + text if context else text


def chunk_document(
    document: Document, settings: ChunkSettings, max_tokens: int, count_tokens: Callable[[str], int]
) -> list[Chunk]:
    """Cut a document into chunks, in reading order.

    A chunk begins at each heading of a level in ``cut_levels`` and at each slide. Headings below those levels stay in
    the chunk as lines of its text. A section that is longer than ``max_words`` words, or than ``max_tokens`` word
    pieces with its heading path, becomes several parts of even size; see ``openbook.cutting``.

    A heading with no text of its own is found through the heading path of the chunks below it. When there are none,
    and on a slide, it becomes a chunk whose text is the heading itself. A slide without any text gives no chunk.

    Args:
        document: to be cut.
        settings: how.
        max_tokens: word pieces that the encoder reads, special tokens included.
        count_tokens: word pieces of a text as the encoder's tokenizer counts them, special tokens included.

    Returns:
        Chunks with unique ids. None is longer than the limits, and every word of the document is in one of them: in
        its text or, for a heading, in its path.
    """
    chunker = _Chunker(document, settings, max_tokens, count_tokens)
    chunks: dict[int, list[Chunk]] = {}
    seen: set[tuple[str, ...]] = set()
    # from the end, so that for a heading without text it is known whether a chunk below it carries it in its path
    for number, group in reversed(list(enumerate(_group(document, settings.cut_levels)))):
        found = chunker.chunks(group, covered=group.path in seen and group.sections[0].slide is None)
        chunks[number] = found
        for chunk in found:
            seen.update(chunk.path[:length] for length in range(1, len(chunk.path) + 1))
    return [chunk for number in sorted(chunks) for chunk in chunks[number]]


@dataclass(frozen=True, slots=True)
class _Group:
    """A section that is cut from the others, with the sections inside it."""

    path: tuple[str, ...]
    sections: tuple[Section, ...]


def _group(document: Document, cut_levels: tuple[int, ...]) -> list[_Group]:
    groups: list[_Group] = []
    for section, path in document.paths():
        first = groups[-1].sections[0] if groups else None
        inside = (
            first is not None
            and section.slide is None
            and section.level not in cut_levels
            and section.level > first.level > 0
        )
        if inside:
            last = groups[-1]
            groups[-1] = _Group(last.path, (*last.sections, section))
        else:
            groups.append(_Group(path, (section,)))
    return groups


class _Chunker:
    def __init__(
        self, document: Document, settings: ChunkSettings, max_tokens: int, count_tokens: Callable[[str], int]
    ) -> None:
        self._document = document
        self._settings = settings
        self._max_tokens = max_tokens
        self._count_tokens = count_tokens
        self._special = count_tokens("")
        self._counts: dict[str, int] = {}

    def _count(self, text: str) -> int:
        """Count word pieces of a text without the special tokens."""
        if text not in self._counts:
            self._counts[text] = self._count_tokens(text) - self._special
        return self._counts[text]

    def chunks(self, group: _Group, *, covered: bool) -> list[Chunk]:
        """Return the chunks of one group; none when it is a heading that other chunks carry, or an empty slide."""
        section = group.sections[0]
        path = self._shorten(group.path) if self._settings.context else group.path
        has_text = any(part.blocks for part in group.sections) or len(group.sections) > 1
        title = path[-1] != group.path[-1] or not has_text
        if not has_text and (covered or section.level == 0):
            return []
        parts = self._parts(group, path, with_title=title)
        return [self._chunk(group, path, parts, number) for number in range(len(parts))]

    def _parts(self, group: _Group, path: tuple[str, ...], *, with_title: bool) -> list[list[Piece]]:
        reserved = self._special + (self._count(embedded_text(path, "")) if self._settings.context else 0)
        tokens, words = self._max_tokens - reserved, self._settings.max_words
        whole = self._pieces(group, Budget(UNLIMITED, UNLIMITED, self._count), with_title=with_title)
        if self._fits(path, join(whole)):
            return [whole]
        share = 1 - self._settings.overlap
        tokens, words = max(1, int(tokens * share)), max(1, int(words * share))
        while True:
            budget = Budget(tokens, words, self._count)
            parts = partition(self._pieces(group, budget, with_title=with_title), budget)
            excess = max(self._count_tokens(self._embedded(path, join(part))) for part in parts) - self._max_tokens
            if excess <= 0 or tokens == 1:
                break
            # word pieces of joined texts need not add up for every tokenizer
            tokens = max(1, tokens - excess)
        return self._overlap(path, parts) if self._settings.overlap else parts

    def _pieces(self, group: _Group, budget: Budget, *, with_title: bool) -> list[Piece]:
        pieces: list[Piece] = []
        for number, section in enumerate(group.sections):
            if number or with_title:
                title = Block(
                    kind="paragraph", text=section.title, start_line=section.start_line, end_line=section.start_line
                )
                pieces += [replace(piece, cut=BEFORE_HEADING) for piece in cut_block(title, budget)]
            for index, block in enumerate(section.blocks):
                found = cut_block(block, budget)
                if index == 0 and (number or with_title):
                    found[0] = replace(found[0], cut=AFTER_HEADING)
                elif pieces and pieces[-1].text.endswith((":", "：")):
                    found[0] = replace(found[0], cut=AFTER_COLON)
                elif index and block.kind == section.blocks[index - 1].kind == "code":
                    found[0] = replace(found[0], cut=BETWEEN_CODES)
                pieces += found
        return pieces

    def _embedded(self, path: tuple[str, ...], text: str) -> str:
        return embedded_text(path, text, self._settings.context)

    def _fits(self, path: tuple[str, ...], text: str) -> bool:
        return (
            weigh_words(text) <= self._settings.max_words
            and self._count_tokens(self._embedded(path, text)) <= self._max_tokens
        )

    def _overlap(self, path: tuple[str, ...], parts: list[list[Piece]]) -> list[list[Piece]]:
        """Repeat the end of each part at the start of the next, by whole pieces or whole sentences."""
        result = parts[:1]
        for before, part in itertools.pairwise(parts):
            allowed = int(weigh_words(join(before)) * self._settings.overlap)
            repeated: list[Piece] = []
            for sentence in reversed([sentence for piece in before for sentence in _sentences(piece)]):
                longer = [sentence, *repeated]
                if weigh_words(join(longer)) > allowed or not self._fits(path, join([*longer, *_inner(part)])):
                    break
                repeated = longer
            result.append([*repeated, *_inner(part)] if repeated else part)
        return result

    def _shorten(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """Shorten a heading path that would take more than a third of what the encoder reads.

        The headings in the middle go first, then the ends of the first and the last; "…" stands for them.
        """
        limit = self._max_tokens // 3

        def fits(candidate: tuple[str, ...]) -> bool:
            return self._count(embedded_text(candidate, "")) <= limit

        if fits(path):
            return path
        for kept in range(2, len(path)):
            candidate = (path[0], "…", *path[kept:])
            if fits(candidate):
                return candidate
        ends = path if len(path) < 3 else (path[0], "…", path[-1])
        length = max(len(title) for title in ends)
        while length > 1:
            length = length * 4 // 5
            candidate = tuple(_head(title, length) for title in ends)
            if fits(candidate):
                return candidate
        return ("…",)

    def _chunk(self, group: _Group, path: tuple[str, ...], parts: list[list[Piece]], index: int) -> Chunk:
        document, section, pieces = self._document, group.sections[0], parts[index]
        text = join(pieces)
        embedded = self._embedded(path, text)
        id_ = f"{document.lecture}/{document.kind}#{section.anchor}"
        own = [piece for piece in pieces if not piece.aside] or pieces
        start = min(piece.start_line for piece in own)
        return Chunk(
            id=id_ if index == 0 else f"{id_}~{index + 1}",
            lecture=document.lecture,
            kind=document.kind,
            title=section.title,
            path=path,
            anchor=section.anchor,
            part=index + 1,
            parts=len(parts),
            text=text,
            url=f"{document.url}#{section.anchor}",
            source=document.source,
            start_line=min(start, section.start_line) if index == 0 else start,
            end_line=max(piece.end_line for piece in own),
            tokens=self._count_tokens(embedded),
            words=len(text.split()),
            hash=hashlib.sha256(embedded.encode()).hexdigest()[:16],
            verbatim=join_verbatim(pieces),
        )


def _head(title: str, length: int) -> str:
    """Return the start of a title, cut at a word where that is possible, with a mark."""
    if len(title) <= length:
        return title
    head = title[:length]
    return f"{head.rpartition(' ')[0] or head}…"


def _inner(part: list[Piece]) -> list[Piece]:
    """Return a part as it stands behind others: a table's header that it repeats has become its text."""
    first = part[0]
    if not first.header:
        return part
    text = f"{first.header}\n{first.text}"
    return [replace(first, text=text, header="", verbatim=((0, text.count("\n"), "table"),)), *part[1:]]


def _sentences(piece: Piece) -> list[Piece]:
    """Cut a piece of flowing text into sentences; others stay whole."""
    sentences = [piece.text] if "\n" in piece.text else split_sentences(piece.text)
    found: list[Piece] = []
    separator = piece.separator
    for sentence in sentences:
        text = sentence.rstrip()
        found.append(replace(piece, text=text, separator=separator))
        separator = sentence[len(text) :]
    return found
