"""Pandoc's tables beside the pipe table: every cell in its column, and what is no table stays as it was."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openbook.course.document import Block
from openbook.course.markdown import parse
from openbook.course.readers.sections import read_sections

SIMPLE = "  Left   Right\n------ -------\nx            1\na word      12\n\nAfter.\n"
HEADLESS = "------ -------\nx            1\ny            2\n------ -------\n\nAfter.\n"
MULTILINE = (
    "----------------------\n A      The\n name   second\n------ ---------------\n"
    " one    a row of\n        two lines\n\n"
    " two    another\n----------------------\n\n: What it holds {#tbl-x}\n\nAfter.\n"
)
GRID = (
    "+-----+---------+\n| A   | B       |\n+:===:+========:+\n| one | - first |\n|     | - next  |\n"
    "+-----+---------+\n| two | **x**   |\n+-----+---------+\n\nAfter.\n"
)


def blocks(text: str) -> list[Block]:
    return [block for section in read_sections(parse(text, dialect="pandoc"), "T") for block in section.blocks]


@pytest.mark.parametrize(
    ("text", "header", "rows"),
    [
        (SIMPLE, "Left | Right", ["x | 1", "a word | 12"]),
        (HEADLESS, "", ["x | 1", "y | 2"]),
        (MULTILINE, "A name | The second", ["one | a row of two lines", "two | another"]),
        (GRID, "A | B", ["one | - first - next", "two | x"]),
    ],
)
def test_tables(text: str, header: str, rows: list[str]):
    table, *_, after = blocks(text)
    assert (table.kind, table.header, list(table.parts)) == ("table", header, rows)
    assert after.text == "After."
    assert blocks(text.replace("After.\n", "")) != []


def test_rows_know_their_lines():
    assert blocks("Text.\n\n" + GRID)[1].part_lines == ((6, 8), (9, 10))


@pytest.mark.parametrize(
    "text",
    [
        "Title\n-----\n\nText.\n",
        "Text.\n\n---\n\nMore.\n\n---\n\nEnd.\n",
        "--- ---\n\nText.\n",
        "---\nabc\n\n# Heading\n",
        "+---+\n\nText.\n",
        "+---+---+\n| a | b\n\nText.\n",
    ],
)
def test_what_is_no_table(text: str):
    assert all(block.kind != "table" for block in blocks(text))
    assert {"Text.", "More.", "End."} & set(text.split()) <= {block.text for block in blocks(text)}


def test_a_word_that_leaves_its_column_is_not_cut():
    text = "A   B\n--- ---\nlonger wide\n\n"
    assert set(blocks(text)[0].parts[0].replace("|", " ").split()) == {"longer", "wide"}


WORDS = st.lists(st.text("abcxyz0", min_size=1, max_size=8), min_size=1, max_size=4).map(" ".join)


@given(rows=st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=2, max_size=5))
@settings(max_examples=60, deadline=None)
def test_a_table_that_was_drawn_is_read_as_it_was(rows: list[tuple[str, str, str]]):
    widths = [max(len(row[at]) for row in rows) for at in range(3)]
    cells = [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    wanted = [" | ".join(row) for row in rows]

    rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
    drawn = [f"| {' | '.join(row)} |" for row in cells]
    grid = [rule, drawn[0], rule.replace("-", "="), *(line for row in drawn[1:] for line in (row, rule))]
    assert blocks("\n".join(grid))[0].text.split("\n") == wanted

    dashes = "  ".join("-" * width for width in widths)
    simple = [line for row in cells for line in ("  ".join(row),)]
    simple.insert(1, dashes)
    assert blocks("\n".join(simple))[0].text.split("\n") == wanted
