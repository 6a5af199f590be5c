"""MDX, as Docusaurus has it: what is code is no text, what is text is none the worse for it."""

from __future__ import annotations

import sys

import pytest

from openbook.course.markdown import parse
from openbook.course.markdown.mdx import expand_mdx
from openbook.course.readers.sections import read_sections


def blocks(text: str) -> list[tuple[str, str]]:
    return [
        (block.kind, block.text)
        for section in read_sections(parse(text, dialect="mdx"), "T")
        for block in section.blocks
    ]


def kinds(text: str) -> list[tuple[str, int | None]]:
    return [(warning.kind, warning.line) for warning in parse(text, dialect="mdx").warnings]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('import X from "./x.js";\n\nText.\n', ["Text."]),
        ("import {\n  A,\n  B,\n} from 'ab'\nimport 'c'\n\nText.\n", ["Text."]),
        ("export const meta = {\n  a: [1, 2],\n\n  b: '}',\n};\n\nText.\n", ["Text."]),
        ("export const F = () => (\n  <b>not text</b>\n);\n\nText.\n", ["Text."]),
        ("To import coffee from\nimport tables is fine.\n", ["To import coffee from import tables is fine."]),
        ("A {/* not\nseen */} B\n", ["A B"]),
        ("A{' '}B {`c`} {\"d\"}\n", ["A B c d"]),
        ("A <Mark color='red' on={x > 1}>red</Mark> word\n", ["A red word"]),
        ("<div style={{color: 'red'}}>\n  A **b**\n</div>\n", ["A b"]),
        ("<>\nA\n</>\n", ["A"]),
        ("$\\frac{a}{b}$ and `{code}` and \\{x\\}\n", ["\\frac{a}{b} and {code} and {x}"]),
        ("    Indented, no code.\n", ["Indented, no code."]),
        ("a < b and {not closed\n", ["a < b and {not closed"]),
        ("<Video title='A film' src='a.mp4' />\n", ["A film"]),
    ],
)
def test_what_is_text(text: str, shown: list[str]):
    assert [text for _, text in blocks(text)] == shown


def test_code_is_left_as_it_is():
    text = '```jsx title="a.jsx"\nimport X from "x"\n\n<X y={1}>{z}</X>\n```\n'
    assert blocks(text) == [("code", 'import X from "x"\n\n<X y={1}>{z}</X>')]
    assert parse(text, dialect="mdx").warnings == []


def test_a_tab_is_a_box_with_its_label_and_a_wrapper_hides_no_heading():
    text = (
        "<Steps>\n\n## One\n\nText.\n\n</Steps>\n\n"
        '<Tabs>\n  <TabItem value="a" label="Apple pie">\n\n    Bake it.\n\n'
        "    ```sh\n    bake\n    ```\n\n  </TabItem>\n</Tabs>\n"
    )
    sections = read_sections(parse(text, dialect="mdx"), "T")
    assert [section.title for section in sections] == ["One"]
    box = sections[0].blocks[1]
    assert (box.kind, box.title, [child.kind for child in box.children]) == (
        "admonition",
        "Apple pie",
        ["paragraph", "code"],
    )


def test_what_is_not_known_is_said_with_its_line():
    text = "import Part from './_part.mdx'\n\nA {props.name} b.\n\n<Part />\n\n<Demo />\n"
    assert kinds(text) == [("unknown-value", 3), ("not-read", 5), ("not-read", 7)]
    assert "_part.mdx" in parse(text, dialect="mdx").warnings[1].message


def test_headings_keep_their_lines():
    text = "---\ntitle: T\n---\nimport X from 'x'\n\n<X\n  a={1}\n/>\n\n# One {#first}\n"
    section = read_sections(parse(text, dialect="mdx"), "T")[0]
    assert (section.title, section.anchor, section.start_line) == ("One", "first", 10)


@pytest.mark.parametrize("unit", ["{", "{a ", "{{", "<A b={", "<a ", "{/*", "export const a = {\n\n"])
def test_brackets_that_never_close_are_text_and_take_bounded_work(unit: str):
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    text = (unit * 20_000)[:20_000]
    sys.setprofile(count)
    try:
        expand_mdx(text.split("\n"), {}, 0)
    finally:
        sys.setprofile(None)
    assert calls < 100 * len(text)
