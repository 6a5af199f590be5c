"""Marks of MkDocs and mdBook, and what lessons and Quarto's pages hold beside plain Markdown."""

from __future__ import annotations

import pytest

from openbook.config import load_config
from openbook.course.catalogue import load_catalogue
from openbook.course.document import Block
from openbook.course.markdown import Dialect, parse
from openbook.course.readers.sections import read_sections


def blocks(text: str, dialect: Dialect) -> list[Block]:
    return [block for section in read_sections(parse(text, dialect=dialect), "T") for block in section.blocks]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (":material-clock-fast:{ .lg } Set up", "Set up"),
        ("Press ++ctrl+alt+del++ now", "Press ctrl+alt+del now"),
        ("An ==important== {++new++} {--old--} word{>>why?<<}", "An important new old word"),
        ("[Go](a.md){ .md-button }", "Go"),
        ("`++x++` and ==a `==b==` c", "++x++ and ==a ==b== c"),
        ("C++ and a == b == c", "C++ and a == b == c"),
        ("*[HTML]: a language\n\nText", "Text"),
    ],
)
def test_marks_of_mkdocs(text: str, shown: str):
    assert [block.text for block in blocks(text, "mkdocs")] == [shown]


def test_code_keeps_what_looks_like_a_mark():
    text = "```cpp\n++i++; // ==x==\n:material-a:\n```\n"
    assert blocks(text, "mkdocs")[0].text == "++i++; // ==x==\n:material-a:"


@pytest.mark.parametrize(
    ("text", "dialect", "line"),
    [
        ('A\n\n--8<-- "part.md"\n', "mkdocs", 3),
        ("A\n\n{{#include part.md}}\n", "mdbook", 3),
        ("A\n\n```rust\n{{#playground a.rs}}\n```\n", "mdbook", 4),
    ],
)
def test_what_other_files_would_put_in_is_said(text: str, dialect: Dialect, line: int):
    parsed = parse(text, dialect=dialect)
    assert [(warning.kind, warning.line) for warning in parsed.warnings] == [("not-read", line)]
    assert [block.text for block in blocks(text, dialect)] == ["A"]


def test_which_reader_reads_the_pages_of_a_generator(tmp_path):
    for name, mark in (("mk", "mkdocs.yml"), ("mdb", "book.toml"), ("docu", "docusaurus.config.ts")):
        (tmp_path / name).mkdir()
        (tmp_path / name / mark).write_text("")
        (tmp_path / name / "a.md").write_text("A")
    found = load_catalogue(load_config(tmp_path), load_config(tmp_path).today()).lectures
    assert {lecture.id: lecture.sources[0].reader for lecture in found} == {
        "docu/a": "mdx",
        "mdb/a": "mdbook",
        "mk/a": "mkdocs",
    }


def test_a_lesson_shows_what_its_front_matter_asks():
    text = '---\ntitle: T\nquestions:\n- "How *so*?"\nkeypoints:\n- Use `if`.\n---\n\nText.\n\n## One\n\nMore.\n'
    sections = read_sections(parse(text), "T")
    assert [(section.title, [block.text for block in section.blocks]) for section in sections] == [
        ("T", ["Questions\n- How so?", "Text."]),
        ("One", ["More.", "Key Points\n- Use if."]),
    ]
    assert (sections[0].blocks[0].start_line, sections[1].blocks[1].start_line) == (3, 5)


def test_line_breaks_of_hugo_part_words():
    assert blocks("Rocks{{< br >}}{{< br >}}Lab 1\n", "hugo")[0].text.split() == ["Rocks", "Lab", "1"]


def test_a_caption_right_below_a_table_is_no_row_of_it():
    table, caption = blocks("| a | b |\n|---|---|\n| 1 | 2 |\n: What it is {#tbl-x}\n", "pandoc")
    assert (table.text, caption.text) == ("a | b\n1 | 2", "What it is")


def test_attributes_of_a_picture_are_no_text():
    parsed = parse('![A pump](a.png){#fig-pump fig-alt="Red" width=50%}\n\nSee @fig-pump.\n', dialect="pandoc")
    assert next(block.text for section in read_sections(parsed, "T") for block in section.blocks) == "A pump"
    assert "fig-pump" in parsed.targets
