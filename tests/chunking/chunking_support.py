"""What the chunker's tests share: a document from a text, and counters of tokens."""

from __future__ import annotations

from pathlib import Path

from openbook.chunking import Chunk, chunk_document
from openbook.config import Config
from openbook.course.document import Document, DocumentKind
from openbook.course.readers import Reading, read_bytes
from openbook.course.source import Lecture, Source
from openbook.settings import ChunkSettings, Settings


def reading(text: str | bytes, kind: DocumentKind = "notes", name: str = "course.md", reader: str = "") -> Reading:
    """Read a text as if it were the file ``name`` at the root of a course."""
    root = Path("/course")
    reader = reader or ("marp" if kind == "slides" else "myst")
    source = Source(path=root / name, relpath=name, kind=kind, lecture=name.rpartition(".")[0], reader=reader)
    lecture = Lecture(id=source.lecture, number=1, title="", sources=(source,))
    raw = text.encode() if isinstance(text, str) else text
    return read_bytes(raw, source, Config(root=root, path=None, settings=Settings()), lecture)


def document(text: str | bytes, kind: DocumentKind = "notes", name: str = "course.md", reader: str = "") -> Document:
    """Read a text as ``reading`` does and return its document."""
    return reading(text, kind, name, reader).document


def count_words(text: str) -> int:
    """Count word pieces as a tokenizer of whole words would, with two special tokens."""
    return len(text.split()) + 2


def chunks(
    text: str | bytes,
    kind: DocumentKind = "notes",
    *,
    max_tokens: int = 10_000,
    name: str = "course.md",
    **settings: object,
) -> list[Chunk]:
    """Read and chunk a text, counting whole words."""
    return chunk_document(document(text, kind, name), ChunkSettings(**settings), max_tokens, count_words)  # type: ignore[arg-type]
