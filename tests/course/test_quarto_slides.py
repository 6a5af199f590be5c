"""Decks in Quarto's Markdown."""

from __future__ import annotations

from decks_support import documents, kinds, outline

DECK = """---
title: Fields
subtitle: A start
author:
  - name: Ada Lovelace
  - B. Bool
format:
  revealjs:
    incremental: true
---

# Part one

## First {.smaller}

::: {.incremental}
- a
- b
:::

. . .

:::: {.columns}
::: {.column width="40%"}
Left
:::
::: {.column}
### Inner
Right
:::
::::

::: {.notes}
Say *this*
aloud.
:::

---

Untitled

```python
## not a slide
```

## Hidden {visibility="hidden"}

secret

{{< include _more.qmd >}}

# Part two
"""


def test_slides_levels_and_notes(tmp_path):
    (deck,) = documents(tmp_path, {"l1/slides.qmd": DECK, "l1/_more.qmd": "## More\n\nIncluded.\n"},
                        'exclude = ["**/_more.qmd"]\n')  # fmt: skip
    assert outline(deck) == [
        "1 Fields | paragraph: 'A start'; paragraph: 'Ada Lovelace, B. Bool'",
        "2 Fields > Part one |",
        "3 Fields > Part one > First | list: '- a\\n- b'; paragraph: 'Left'; paragraph: 'Inner'; "
        "paragraph: 'Right'; speaker-notes: 'Say this aloud.'",
        "4 Fields > Part one > First (cont.) | paragraph: 'Untitled'; code: '## not a slide'",
        "5 Fields > Part one > More | paragraph: 'Included.'",
        "6 Fields > Part two |",
    ]
    assert kinds(deck) == ["hidden-slide"]


def test_the_slide_level_can_be_said(tmp_path):
    text = "---\ntitle: T\nformat:\n  beamer:\n    slide-level: 1\n---\n# A\n\n## B\n\ntext\n\n# C\n"
    (deck,) = documents(tmp_path, {"l1/slides.qmd": text})
    assert [section.title for section in deck.sections] == ["T", "A", "C"]


def test_a_document_is_no_deck(tmp_path):
    (notes,) = documents(tmp_path, {"l1/a.qmd": "---\ntitle: T\nformat: html\n---\n# A\n\ntext\n"})
    assert notes.kind == "notes"
