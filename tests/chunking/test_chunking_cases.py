"""Inputs shaped like bugs reported of other chunkers, each with what is expected of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from chunking_support import document
from tokenizers import Tokenizer

from openbook.chunking import Chunk, chunk_document
from openbook.course.document import Document
from openbook.settings import ChunkSettings

TOKENIZER = Path(__file__).parents[2] / "build/openbook/models/data/all-MiniLM-L6-v2/tokenizer.json"
IDS = [1, 2, 3, 4, 6, 7, 9, 10, 11, 12, 14, 15, 16, 19, 20, 21, 22, 23, 25, 26, 27, 28, 29, 31, 32, 34]


@pytest.fixture(scope="session")
def cases(shared_data: Path) -> dict[int, tuple[str, bytes, dict[str, Any]]]:
    folder = shared_data / "cases" / "markdown"
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return {case["id"]: (case["file"], (folder / case["file"]).read_bytes(), case["expect"]) for case in manifest}


@pytest.fixture(scope="session")
def count_tokens():
    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text).ids)


def headings(read: Document) -> list[str]:
    return [section.title for section in read.sections if section.level]


def test_every_case_is_tested(cases):
    assert sorted(cases) == IDS


@pytest.mark.parametrize("number", IDS)
def test_case(number: int, cases, count_tokens):
    name, raw, expect = cases[number]
    read = document(raw, "slides" if "slides" in expect else "notes", name)
    chunks = chunk_document(read, ChunkSettings(), 256, count_tokens)
    checked = set(expect) - {"see_also", "note"}
    for key in checked:
        CHECKS[key](expect[key], read, chunks)
    # what holds for every case
    assert chunks
    assert all(chunk.text.strip() for chunk in chunks)
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    assert all(chunk.tokens <= 256 for chunk in chunks)


def _headings(expected: list[str], read: Document, chunks: list[Chunk]) -> None:
    assert headings(read) == expected
    findable = {title for chunk in chunks for title in (*chunk.path, *chunk.text.split("\n"))}
    assert set(expected) <= findable


def _same_chunk(expected: list[str], read: Document, chunks: list[Chunk]) -> None:
    assert [chunk for chunk in chunks if all(text in chunk.text for text in expected)]


def _same_section(expected: list[str], read: Document, chunks: list[Chunk]) -> None:
    anchors = [{chunk.anchor for chunk in chunks if text in chunk.text} for text in expected]
    assert set.intersection(*anchors)


def _must_contain(expected: list[str], read: Document, chunks: list[Chunk]) -> None:
    for text in expected:
        assert any(text in chunk.text for chunk in chunks), text


def _must_contain_exact(expected: list[str], read: Document, chunks: list[Chunk]) -> None:
    lines = {line for chunk in chunks for line in chunk.text.split("\n")}
    assert set(expected) <= lines


def _must_not_contain(expected: list[str], read: Document, chunks: list[Chunk]) -> None:
    for text in expected:
        assert not any(text in chunk.embedded_text() for chunk in chunks), text


def _warn(expected: bool, read: Document, chunks: list[Chunk]) -> None:
    assert [warning.kind for warning in read.warnings] == ["unclosed-fence"]
    assert read.warnings[0].line == 5


def _section_of(expected: dict[str, str], read: Document, chunks: list[Chunk]) -> None:
    for text, title in expected.items():
        assert {chunk.title for chunk in chunks if text in chunk.text} == {title}


def _queries(expected: dict[str, str], read: Document, chunks: list[Chunk]) -> None:
    from openbook.index.tokens import tokenize

    for query, title in expected.items():
        wanted = set(tokenize(query))
        assert wanted, query
        assert title in {chunk.title for chunk in chunks if wanted <= set(tokenize(chunk.text))}, query


def _title(expected: str, read: Document, chunks: list[Chunk]) -> None:
    assert read.title == expected


def _title_fallback(expected: str, read: Document, chunks: list[Chunk]) -> None:
    assert read.title == Path(read.source).stem


def _unique_anchors(expected: bool, read: Document, chunks: list[Chunk]) -> None:
    anchors = [section.anchor for section in read.sections]
    assert len(set(anchors)) == len(anchors)


def _breadcrumbs(expected: bool, read: Document, chunks: list[Chunk]) -> None:
    below = [chunk for chunk in chunks if chunk.title != read.title]
    assert below
    assert all(chunk.path == (read.title, chunk.title) for chunk in below)


def _no_empty_chunks(expected: bool, read: Document, chunks: list[Chunk]) -> None:
    assert all(chunk.text.strip() and chunk.words for chunk in chunks)


def _rows_keep_header(expected: bool, read: Document, chunks: list[Chunk]) -> None:
    table = next(block for section in read.sections for block in section.blocks if block.kind == "table")
    rows = set(table.parts)
    found = [chunk for chunk in chunks if rows & set(chunk.text.split("\n"))]
    assert len(found) > 1
    assert all(table.header in chunk.text for chunk in found)
    assert rows == {line for chunk in found for line in chunk.text.split("\n")} & rows


def _nonempty_anchors(expected: bool, read: Document, chunks: list[Chunk]) -> None:
    assert all(section.anchor.strip("-_") for section in read.sections)


def _slides(expected: int, read: Document, chunks: list[Chunk]) -> None:
    assert [section.slide for section in read.sections] == list(range(1, expected + 1))
    assert len(chunks) == expected


CHECKS = {
    "headings": _headings,
    "same_chunk": _same_chunk,
    "same_section": _same_section,
    "must_contain": _must_contain,
    "must_contain_exact": _must_contain_exact,
    "must_not_contain": _must_not_contain,
    "warn": _warn,
    "section_of": _section_of,
    "queries": _queries,
    "title": _title,
    "title_fallback": _title_fallback,
    "unique_anchors": _unique_anchors,
    "breadcrumbs": _breadcrumbs,
    "no_empty_chunks": _no_empty_chunks,
    "rows_keep_header": _rows_keep_header,
    "nonempty_anchors": _nonempty_anchors,
    "slides": _slides,
}
