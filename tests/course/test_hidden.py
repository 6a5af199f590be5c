"""What nobody sees is left out of what a model reads; what a script needs to be written stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openbook.course.document import Block, Document, Section
from openbook.course.hidden import strip_hidden, strip_hidden_entities, without_hidden
from openbook.course.markdown import parse

TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "ignore all")

HIDDEN = {
    "zero-width space": ("igno\u200bre", "ignore"),
    "zero-width joiners between Latin letters": ("ig\u200cno\u200dre", "ignore"),
    "a run of joiners in Persian": ("می\u200c\u200d\u200cخواهم", "میخواهم"),
    "word joiner and a second byte order mark": ("ig\u2060no\ufeffre", "ignore"),
    "soft hyphen": ("ig\u00adnore", "ignore"),
    "override": ("safe \u202edetrever\u202c text", "safe detrever text"),
    "isolates": ("\u2066safe\u2069", "safe"),
    "direction mark in a line of Latin": ("safe\u200f!", "safe!"),
    "a sentence of tags": (f"plain{TAGS}", "plain"),
    "tags behind a flag that there is not": (f"\U0001f3f4{TAGS}\U000e007f", "\U0001f3f4"),
    "variation selectors that spell bytes": ("A\ufe01\ufe02\U000e0101\U000e0155", "A"),
    "a second variation selector": ("❤\ufe0f\ufe0e\ufe01", "❤\ufe0f"),
    "Hangul fillers": ("a\u3164b\uffa0\u115f", "ab"),
    "invisible operators": ("f\u2061(x)\u2062y", "f(x)y"),
    "escape sequences": ("a\x1b[8mb\x08", "a[8mb"),
}

NEEDED = {
    "Persian": "می\u200cخواهم",
    "Hindi": "क्\u200dष and क्\u200cष",
    "a family": "👨\u200d👩\u200d👧\u200d👦",
    "a heart and a rainbow flag": "❤\ufe0f\u200d🔥 🏳\ufe0f\u200d🌈",
    "a skin tone and a profession": "👩🏽\u200d🚀",
    "the flag of Scotland": "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "a keycap": "1\ufe0f\u20e3",
    "a mark in Hebrew": "שלום (C++\u200e)",
    "an ideograph's form": "葛\U000e0100",
    "Mongolian": "ᠮᠣᠩ\u180bᠭᠣᠯ",
    "tabs, and an ordinary hyphen": "a\tb-c",
}


@pytest.mark.parametrize("name", HIDDEN)
def test_what_nobody_sees_is_taken_out(name: str) -> None:
    text, expected = HIDDEN[name]
    clean, found = strip_hidden(text)
    assert clean == expected
    assert len(found) == 1


@pytest.mark.parametrize("name", NEEDED)
def test_what_is_needed_to_write_stays(name: str) -> None:
    assert strip_hidden(NEEDED[name]) == (NEEDED[name], [])


@given(st.text(st.sampled_from("aब👩❤م\u200b\u200c\u200d\u200e\u202e\ufe0f\U000e0041\U0001f3f4\n #")))
def test_nothing_is_left_to_take_out_and_no_line_is_lost(text: str) -> None:
    clean, found = strip_hidden(text)
    assert strip_hidden(clean) == (clean, [])
    assert clean.count("\n") == text.count("\n")
    assert len(clean) + sum(len(one.characters) for one in found) == len(text)


def test_the_warning_names_file_line_and_characters() -> None:
    source = (
        "---\ntitle: T\u200bitle\n---\n\n# One\n\nA li\u202ene.\n\nAn &#8203;entity and <b>&shy;one</b>.\n\n`&shy;`\n"
    )
    parsed = parse(source, "notes.md")
    hidden = [warning for warning in parsed.warnings if warning.kind == "hidden-characters"]
    assert [(warning.source, warning.line) for warning in hidden] == [("notes.md", line) for line in (2, 7, 9, 9)]
    assert "U+202E RIGHT-TO-LEFT OVERRIDE" in hidden[1].message
    assert parsed.title == "Title"
    inline = [token.content for token in parsed.tokens if token.type == "inline"]
    assert inline[1] == "A line."
    children = [child.content for token in parsed.tokens for child in token.children or ()]
    assert "An entity and " in children
    assert "&shy;" in children, "code that shows an entity keeps it"


def test_entities_that_can_be_seen_stay() -> None:
    assert strip_hidden_entities("a &amp; b&#x200B;&ZeroWidthSpace; &lt;") == ("a & b &lt;".replace("&", "&amp;", 1), [
        *strip_hidden_entities("&#x200B;")[1], *strip_hidden_entities("&ZeroWidthSpace;")[1]
    ])  # fmt: skip


def test_every_reader_s_document_is_cleaned_with_all_its_parts() -> None:
    block = Block(
        kind="list", text="- a\u200b\n- b", start_line=5, end_line=6, parts=("- a\u200b", "- b"),
        children=(Block(kind="paragraph", text="a\u200b", start_line=5, end_line=5),),
    )  # fmt: skip
    section = Section(level=2, title="T\u202e", anchor="t", blocks=(block,), start_line=4, end_line=6)
    document = Document(lecture="l", kind="notes", title="D", source="s.ipynb", url="u", sections=(section,))
    clean = without_hidden(document)
    (found,) = clean.sections
    assert (found.title, found.blocks[0].text, found.blocks[0].parts) == ("T", "- a\n- b", ("- a", "- b"))
    assert found.blocks[0].children[0].text == "a"
    assert [(warning.source, warning.line) for warning in clean.warnings] == [("s.ipynb", 4), ("s.ipynb", 5)]
    assert without_hidden(clean) == clean
