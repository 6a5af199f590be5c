"""Decks in Slidev's Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest
from decks_support import documents, kinds, outline, words, words_of

DECK = """---
theme: seriph
title: Trees
transition: slide-left
---

# Trees

A lecture <carbon:arrow-right />

<!-- not a note -->

Last words

<!--
[click] Say hello.

Then go on.
-->

---
layout: section
---

# Growing

---
layout: two-cols
class: px-2
---

# Splitting

Left <v-click at="1">hidden at first</v-click>

::right::

```ts {1|2-3}{lines:true}
// # not a slide
const a = 1
---
```

---

<div grid="~ cols-2" @click="$slidev.nav.next">

Alone on its slide

</div>

---
hide: true
---

# Secret

---
src: ./pages/more.md#2-3
---

---

```yaml
layout: center
```

# End

<<< @/snippets/x.py#one

$$ {1|2}
a = b
$$
"""
MORE = "# One\n\n---\n\n# Two\n\n![A leaf](./leaf.png)\n\n---\n\n# Three\n\n---\n\n# Four\n"
SNIPPET = "x = 0\n# region one\ny = 1\n# endregion one\n"
FILES = {"l1/slides.md": DECK, "l1/pages/more.md": MORE, "l1/snippets/x.py": SNIPPET, "l1/pages/leaf.png": b""}


@pytest.fixture
def deck(tmp_path):
    (found,) = documents(tmp_path, FILES, 'exclude = ["**/pages/**"]\n')
    return found


def test_slides_their_front_matter_and_their_notes(deck):
    assert outline(deck) == [
        "1 Trees | paragraph: 'A lecture'; paragraph: 'Last words'; speaker-notes: 'Say hello.\\n\\nThen go on.'",
        "2 Trees > Growing |",
        "3 Trees > Growing > Splitting | paragraph: 'Left hidden at first'; "
        "code: '// # not a slide\\nconst a = 1\\n---'",
        "4 Trees > Growing > Splitting (cont.) | paragraph: 'Alone on its slide'",
        "5 Trees > Growing > Two | figure: 'A leaf'",
        "6 Trees > Growing > Three |",
        "7 Trees > Growing > End | code: 'y = 1'; math: 'a = b'",
    ]
    assert (deck.kind, deck.title) == ("slides", "Trees")


def test_lines_are_those_of_the_deck_s_own_file(deck):
    lines = DECK.split("\n")
    for section in deck.sections:
        if section.slide in (1, 3, 7):
            assert section.title in lines[section.start_line - 1]
    imported = [section.start_line for section in deck.sections if section.slide in (5, 6)]
    assert {lines[line - 1] for line in imported} == {"src: ./pages/more.md#2-3"} or len(set(imported)) == 1


def test_what_is_left_out_is_said(deck):
    assert kinds(deck) == ["hidden-slide"]


@pytest.mark.parametrize("address", ["../../outside.md", "missing.md", "./slides.md", "../l2/notes.md"])
def test_an_import_takes_in_nothing_that_it_may_not(tmp_path, address):
    (tmp_path / "outside.md").write_text("# Outside\n")
    found = documents(
        tmp_path,
        {
            "l1/slides.md": f"---\ntheme: x\ntransition: y\n---\n# A\n\n---\nsrc: {address}\n---\n",
            "l2/notes.md": "---\nrelease: 2027-01-01\n---\n# Later\n\nUnreleased words.\n",
        },
    )
    assert "missing-import" in kinds(found[0])
    assert not {"outside", "unreleased"} & words_of(found[0])


@pytest.mark.parametrize("opened", ["```js\ncode", "<!-- never closed", "<script>", "::: box", "$$\na", "<pre>"])
def test_what_a_slide_leaves_open_ends_with_it(tmp_path, opened):
    text = f"---\ntheme: x\ntransition: y\n---\n# One\n\n{opened}\n\n---\n\n# Two\n\nText.\n"
    (found,) = documents(tmp_path, {"l1/slides.md": text})
    assert [section.title for section in found.sections] == ["One", "Two"]


def test_thousands_of_slides(tmp_path):
    text = "---\ntheme: x\ntransition: y\n---\n" + "\n---\n".join(f"\n# Same\n\n- item {n}\n" for n in range(2000))
    (found,) = documents(tmp_path, {"l1/slides.md": text})
    assert len(found.sections) == len({section.anchor for section in found.sections}) == 2000


def test_no_word_of_a_real_deck_is_lost(tmp_path, shared_data):
    folder = shared_data / "corpora/slide-samples/slidev"
    files = {f"l1/{path.relative_to(folder)}": path.read_bytes() for path in folder.rglob("*.md")}
    (found,) = documents(tmp_path, files, 'exclude = ["**/pages/**"]\n')
    assert len(found.sections) == 16
    assert {section.title for section in found.sections} >= {"Welcome to Slidev", "Imported Slides", "Learn More"}
    said = words(
        "Presentation slides for developers Press Space for next page keyboard shortcuts computed doubled Slidev "
        "v-click.fade.right.scale Composed rough notation partial varepsilon sequenceDiagram Draggable emptyArray"
    )
    assert said <= words_of(found)
    assert not words("theme seriph drawings persist comark layoutClass dragPos") <= words_of(found)
    assert Path(found.source).name == "slides.md"


def test_a_deck_of_any_name_is_known_by_a_theme_and_by_how_its_slides_are_laid_out(tmp_path):
    slides = "---\ntheme: ./\n---\n\n# One\n\n---\nlayout: quote\n---\n\n# Two\n"
    shown = "---\ntheme: dark\n---\n\n# Notes\n\n```md\n---\nlayout: quote\n---\n```\n"
    found = documents(tmp_path, {"talk.md": slides, "about.md": shown})
    assert [(document.kind, document.title) for document in found] == [("notes", "Notes"), ("slides", "One")]


def test_presenter_notes_are_markdown_too(tmp_path):
    text = "---\ntransition: fade\n---\n\n# One\n\n<!--\nSay **this** and see [that](a.html), not a snake_case.\n-->\n"
    assert documents(tmp_path, {"talk.md": text})[0].sections[0].blocks[-1].text == (
        "Say this and see that, not a snake_case."
    )
