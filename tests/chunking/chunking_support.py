"""What the chunker's tests share: a document from a text, and counters of tokens."""

from __future__ import annotations

from pathlib import Path

from openbook.chunking import Chunk, chunk_document
from openbook.config import Config
from openbook.course.catalogue import Lecture, Source
from openbook.course.document import Document, DocumentKind
from openbook.course.markdown import parse
from openbook.course.readers import read_parsed
from openbook.settings import ChunkSettings, Settings


def document(text: str | bytes, kind: DocumentKind = "notes", name: str = "course.md") -> Document:
    """Read a text as if it were the file ``name`` at the root of a course."""
    root = Path("/course")
    source = Source(path=root / name, relpath=name, kind=kind, lecture=name.rpartition(".")[0])
    lecture = Lecture(id=source.lecture, number=1, title="", sources=(source,))
    return read_parsed(parse(text, name), source, Config(root=root, path=None, settings=Settings()), lecture)


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
