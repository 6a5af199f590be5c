"""Documents: what `read` returns for notes and decks."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from openbook.config import load_config
from openbook.course.catalogue import load_catalogue
from openbook.course.document import Document
from openbook.course.markdown import parse
from openbook.course.readers import read
from openbook.course.readers.marp import split_slides


def documents(root: Path, files: dict[str, str]) -> list[Document]:
    for name, text in files.items():
        path = root / "lectures" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (root / "openbook.toml").write_text('[sources]\nroot = "lectures"\n')
    config = load_config(root)
    catalogue = load_catalogue(config, date(2026, 11, 1))
    return [read(source, config, lecture) for lecture in catalogue.lectures for source in lecture.sources]


def only(root: Path, text: str, name: str = "a/notes.md") -> Document:
    return documents(root, {name: text})[0]


def test_what_a_document_says_of_itself(tmp_path):
    notes, deck = documents(
        tmp_path,
        {
            "l01/notes.md": "---\ntitle: Trees\nrelease: 2026-10-05\ntags: [a, b]\n---\nText.\n",
            "l01/slides.md": "---\nmarp: true\n---\n# Deck\n",
        },
    )
    assert (notes.lecture, notes.kind, notes.title, notes.source) == ("l01", "notes", "Trees", "lectures/l01/notes.md")
    assert (notes.url, notes.release, notes.tags) == ("lectures/l01/notes.html", date(2026, 10, 5), ("a", "b"))
    assert (deck.kind, deck.title, deck.url) == ("slides", "Deck", "lectures/l01/slides.html")


def test_blocks_say_what_they_are_and_where_they_may_be_cut(tmp_path):
    text = (
        "One. Two\nthree.\n\n- a\n  - b\n- c\n\n```python\nx\n\ny\n```\n\n| h |\n|---|\n| 1 |\n| 2 |\n\n"
        ":::{note}\nIn.\n:::\n\n> Q\n\n$$\na\n$$\n\nT\n: d\n"
    )
    blocks = only(tmp_path, text).sections[0].blocks
    assert [block.kind for block in blocks] == [
        "paragraph",
        "list",
        "code",
        "table",
        "admonition",
        "quote",
        "math",
        "definition-list",
    ]
    paragraph, items, code, table, box = blocks[:5]
    assert (paragraph.parts, paragraph.part_lines) == (("One. ", "Two three."), ((1, 1), (1, 2)))
    assert (items.parts, items.part_lines) == (("- a\n  - b", "- c"), ((4, 5), (6, 6)))
    assert (code.parts, code.part_lines, code.language) == (("x", "y"), ((9, 9), (11, 11)), "python")
    assert (table.header, table.parts, table.part_lines) == ("h", ("1", "2"), ((16, 16), (17, 17)))
    assert [child.text for child in box.children] == ["In."]
    for block in blocks:
        if block.parts:
            parts = block.joiner.join(block.parts)
            assert block.text == (f"{block.header}\n{parts}" if block.header else parts)


def test_heading_paths(tmp_path):
    text = "---\ntitle: T\n---\n# A\n\n### B\n\n## C\n\n# D\n"
    assert [path for _, path in only(tmp_path, text).paths()] == [
        ("T", "A"),
        ("T", "A", "B"),
        ("T", "A", "C"),
        ("T", "D"),
    ]


DECK = """---
marp: true
---
# One

Text. <!-- inline note -->

<!--
block note

- [ ] and a list
- of two
-->

---

<!-- _class: lead
paginate: false -->
<!-- Remember: this has a colon -->
![bg right](a.png) ![w:200 A curve](b.png)

---
<!-- fit -->
# <!-- fit --> Three
"""


def test_slides_and_their_notes(tmp_path):
    deck = only(tmp_path, DECK, "a/slides.md")
    assert [(section.slide, section.title, section.anchor, section.level) for section in deck.sections] == [
        (1, "One", "one", 1),
        (2, "One (cont.)", "slide-2", 1),
        (3, "Three", "three", 1),
    ]
    first, second, third = ([(block.kind, block.text) for block in section.blocks] for section in deck.sections)
    assert first == [
        ("paragraph", "Text."),
        ("speaker-notes", "inline note"),
        ("speaker-notes", "block note\n\n- [ ] and a list\n- of two"),
    ]
    assert second == [("figure", "A curve"), ("speaker-notes", "Remember: this has a colon")]
    assert third == []
    assert [block.start_line for block in deck.sections[0].blocks] == [6, 6, 8]


def test_slides_can_be_split_twice():
    """The page and the chunks both do, from the same tokens."""
    parsed = parse(DECK)
    first, second = split_slides(parsed), split_slides(parsed)
    assert [(slide.anchor, slide.notes) for slide in first] == [(slide.anchor, slide.notes) for slide in second]
    assert first[1].directives == {"_class": "lead", "paginate": False}
    assert not any("<!--" in token.content for slide in first for token in slide.tokens if token.type == "html_block")


def test_the_anchor_of_a_slide_without_heading_is_no_heading_s(tmp_path):
    deck = only(tmp_path, "Text.\n\n---\n\n# Slide 1\n", "a/slides.md")
    anchors = [section.anchor for section in deck.sections]
    assert len(set(anchors)) == 2
    assert anchors[1] == "slide-1"


@pytest.mark.parametrize(
    ("divider", "titles"), [("1", ["A", "D"]), ("2", ["A", "B", "D"]), ("[3]", ["A", "C"]), ("false", ["A"])]
)
def test_heading_divider(tmp_path, divider, titles):
    text = f"---\nheadingDivider: {divider}\n---\n# A\n\n## B\n\n### C\n\n# D\n"
    deck = only(tmp_path, text, "a/slides.md")
    assert [section.title for section in deck.sections] == titles


def test_an_empty_slide_is_counted(tmp_path):
    deck = only(tmp_path, "# A\n\n---\n\n---\n\n# C\n", "a/slides.md")
    assert [(section.slide, section.title) for section in deck.sections] == [(1, "A"), (2, "Slide 2"), (3, "C")]


def test_a_fenced_rule_and_an_underlined_heading_do_not_cut(tmp_path):
    deck = only(tmp_path, "# A\n\n```yaml\n---\n```\n\nB\n---\n\n> ---\n", "a/slides.md")
    assert len(deck.sections) == 1


def test_a_file_of_no_text_is_said(tmp_path):
    found = documents(tmp_path, {"a.md": "---\ntitle: Later\n---\n", "b/_index.md": "---\ntitle: B\n---\n"})
    assert [[warning.kind for warning in document.warnings] for document in found] == [["no-text"], []]


@pytest.mark.parametrize(
    ("text", "kind", "shown"),
    [
        ('{{< code file="a.html" >}}\n<b>{{ .Title }}</b>\n{{< /code >}}\n', "code", "<b>{{ .Title }}</b>"),
        ("{{< terminal >}}\n\n$ ls *\n\n{{< /terminal >}}\n", "code", "$ ls *"),
        (
            '{{% resource_link "0a1b2c3d-0000-4000-8000-00000000000f" "the syllabus" %}}\n',
            "paragraph",
            "the syllabus",
        ),
    ],
)
def test_shortcodes_of_hugo_that_show_code_or_name_a_key(tmp_path, text, kind, shown):
    block = only(tmp_path, text).sections[0].blocks[0]
    assert (block.kind, block.text) == (kind, shown)
