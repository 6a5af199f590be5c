"""A chunk knows which of its lines are code, tables or formulas, whole or cut."""

from __future__ import annotations

from openbook.chunking import Chunk, chunk_document
from openbook.course.document import Block, Document, Section
from openbook.settings import ChunkSettings


def chunks(*blocks: Block, max_tokens: int = 256, max_words: int = 350, overlap: float = 0.0) -> list[Chunk]:
    section = Section(level=2, title="Title", anchor="title", blocks=blocks, start_line=1, end_line=99)
    document = Document(
        lecture="l01", kind="notes", title="Lecture", source="l01/notes.md", url="l01.html", sections=(section,)
    )
    settings = ChunkSettings(max_words=max_words, overlap=overlap)
    return chunk_document(document, settings, max_tokens, lambda text: len(text.split()) + 2)


def block(kind: str, text: str, **more: object) -> Block:
    return Block(kind=kind, text=text, start_line=1, end_line=9, **more)  # type: ignore[arg-type]


def lines(chunk: Chunk) -> list[tuple[str, str]]:
    """Kind and text of each verbatim range."""
    split = chunk.text.split("\n")
    return [(kind, "\n".join(split[first : last + 1])) for first, last, kind in chunk.verbatim]


def test_code_between_paragraphs_is_found_by_its_lines() -> None:
    (chunk,) = chunks(
        block("paragraph", "First.\nSecond line."), block("code", "a = 1\n\nb = 2"), block("paragraph", "End.")
    )
    assert lines(chunk) == [("code", "a = 1\n\nb = 2")]


def test_two_code_blocks_in_a_row_stay_two() -> None:
    (chunk,) = chunks(block("code", "print(1)"), block("code", "1"), block("math", "x = y"))
    assert lines(chunk) == [("code", "print(1)"), ("code", "1"), ("math", "x = y")]


def test_a_formula_inside_a_box_is_found_inside_the_box() -> None:
    box = block(
        "admonition",
        "Definition\nText before.\n\nx = y\n\nText behind.",
        title="Definition",
        children=(block("paragraph", "Text before."), block("math", "x = y"), block("paragraph", "Text behind.")),
    )
    (chunk,) = chunks(block("paragraph", "Start."), box)
    assert lines(chunk) == [("math", "x = y")]


def test_code_that_is_cut_is_one_range_in_each_part() -> None:
    groups = tuple(f"line = {number}\nmore = {number} # words words words" for number in range(12))
    found = chunks(
        block("paragraph", "Before the code."),
        block("code", "\n\n".join(groups), parts=groups, joiner="\n\n"),
        max_words=40,
    )
    assert len(found) > 1
    assert [len(chunk.verbatim) for chunk in found] == [1] * len(found)
    assert "\n\n".join(text for chunk in found for _, text in lines(chunk)) == "\n\n".join(groups)


def test_a_table_that_is_cut_has_its_header_in_the_range_of_each_part() -> None:
    rows = tuple(f"pump {number} | {number} bar and some words" for number in range(20))
    table = block("table", "\n".join(("name | pressure", *rows)), header="name | pressure", parts=rows)
    found = chunks(table, max_words=40)
    assert len(found) > 1
    for chunk in found:
        ((kind, text),) = lines(chunk)
        assert kind == "table"
        assert text == chunk.text
        assert text.startswith("name | pressure\n")
