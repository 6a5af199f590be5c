"""Whatever Markdown is read as a deck: no word is lost that notes would show, and every slide has a place."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from decks_support import words
from hypothesis import example, given, settings
from hypothesis import strategies as st

from openbook.course.document import Section
from openbook.course.front_matter import split
from openbook.course.markdown import parse
from openbook.course.readers.markdown_decks import MarkdownDeck, read_slides
from openbook.course.readers.quarto_slides import read_quarto_slides
from openbook.course.readers.reveal import _markdown_slides
from openbook.course.readers.sections import read_sections
from openbook.course.readers.slidev import read_slidev


def slidev(text: str) -> MarkdownDeck:
    return read_slidev(text, "x.md", lambda address, folder: None, [])


def reveal(text: str) -> MarkdownDeck:
    matter = split(text, "x.md")
    return read_slides(list(_markdown_slides(text, matter)), matter, "x.md")


def quarto(text: str) -> MarkdownDeck:
    return read_quarto_slides(text, "x.md")


READERS = [slidev, reveal, quarto]


def words_in(sections: Iterable[Section]) -> set[str]:
    return words(" ".join(f"{s.title} {' '.join(block.text for block in s.blocks)}" for s in sections))


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    "where", ["cases/markdown/*.md", "corpora/cs231n/*.md", "corpora/carpentries-shell/episodes/*.md"]
)
def test_no_word_of_real_notes_is_lost_in_a_deck(read: Callable[[str], MarkdownDeck], where: str, shared_data):
    paths = sorted(shared_data.glob(where))[:30]
    assert paths
    for path in paths:
        text = path.read_text(encoding="utf-8-sig")
        shown = words_in(read_sections(parse(text, "x.md", dialect="pandoc" if read is quarto else "myst"), ""))
        assert shown - words_in(read(text).sections) == set(), path.name


LINES = [
    "---",
    "----",
    "--",
    "# A",
    "## B",
    "text",
    "- x",
    "```js",
    "```",
    "~~~",
    "::: {.notes}",
    ":::",
    "<!--",
    "-->",
    "<div>",
    "</div>",
    "$$",
    "Note: n",
    "<v-click>",
    "::right::",
    "layout: center",
    "src: ./x.md",
    "hide: true",
    "<<< @/a.py",
    "\\",
    " a \\",
    " b \\",
    "",
    "",
    "---",
    "",
    "  ",
    "\t- y",
    ". . .",
    "<script>",
    "[^1]",
    "[^1]: f",
    "> q",
    "````",
    "***",
    "مرحبا",
    "日本",
]


@pytest.mark.parametrize("read", READERS)
@given(lines=st.lists(st.sampled_from(LINES), max_size=30))
@example(lines=["---", "---"])
@settings(max_examples=60, deadline=None)
def test_any_lines_make_a_deck_whose_slides_have_ids_of_their_own(
    read: Callable[[str], MarkdownDeck], lines: list[str]
):
    text = "\n".join(["", *lines])
    deck = read(text)
    anchors = [section.anchor for section in deck.sections]
    assert len(set(anchors)) == len(anchors)
    for section in deck.sections:
        assert 1 <= section.start_line <= section.end_line <= text.count("\n") + 1
