"""Decks for reveal.js, in HTML and in Markdown."""

from __future__ import annotations

from decks_support import documents, kinds, outline, words

from openbook.course.readers.html_blocks import HtmlBlocks
from openbook.course.readers.reveal import read_reveal_html

HTML = """<!doctype html><html><head><title>Waves</title></head><body>
<div class="reveal"><div class="slides">
<section data-visibility="hidden"><h2>Hidden</h2></section>
<section>
  <section><h2>Sound</h2><p>It is a <em>wave</em>.</p><aside class="notes">Clap <b>hands</b>.</aside></section>
  <section><p class="fragment">Untitled below</p><pre><code class="language-python" data-trim data-line-numbers="1|2">
     f = 1 / T
     print(f &lt; 2)
  </code></pre></section>
</section>
<section data-markdown data-separator-vertical="^--$"><textarea data-template>
  ## Light
  - fast <!-- .element: class="fragment" -->
  Note: shine
  --
  ### Colour
  ---
  ## Heat
</textarea></section>
<section data-markdown="part.md"></section>
<section data-markdown="../../secret.md"></section>
<section><img src="a.png"></section>
<section><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table></section>
</div></div><script src="dist/reveal.js"></script></body></html>
"""


def test_sections_stacks_markdown_and_notes(tmp_path):
    (tmp_path / "secret.md").write_text("# Secret\n")
    (deck,) = documents(tmp_path, {"l1/slides.html": HTML, "l1/part.md": "# Part\n\nFrom a file.\n"},
                        'exclude = ["**/part.md"]\n')  # fmt: skip
    assert outline(deck) == [
        "2 Waves > Sound | paragraph: 'It is a wave.'; speaker-notes: 'Clap hands.'",
        "3 Waves > Sound > Sound (cont.) | paragraph: 'Untitled below'; code: 'f = 1 / T\\nprint(f < 2)'",
        "4 Waves > Light | list: '- fast'; speaker-notes: 'shine'",
        "5 Waves > Light > Colour |",
        "6 Waves > Heat |",
        "7 Waves > Part | paragraph: 'From a file.'",
        "10 Waves > Part (cont.) | table: 'A | B\\n1 | 2'",
    ]
    assert sorted(kinds(deck)) == ["hidden-slide", "missing-import", "picture-slide"]
    assert HTML.split("\n")[deck.sections[0].start_line - 1].strip().startswith("<section><h2>Sound")


def test_citations_into_a_deck_of_a_site_use_its_own_addresses():
    html = '<div class="reveal"><div class="slides"><section id="a"><h2>A</h2></section>' + (
        "<section><section><h2>B</h2></section><section><h2>C</h2></section></section></div></div>"
    )
    deck = read_reveal_html(html, "x.html", lambda address: None, in_place=True)
    assert [section.anchor for section in deck.sections] == ["/a", "/1", "/1/1"]


def test_markdown_files(tmp_path):
    text = """---
title: Waves
revealOptions: {transition: fade}
---

# Start

Note: say
hello

----

## Below

```md
---
```

---

## Next

text
---
no rule is a heading here
"""
    (deck,) = documents(tmp_path, {"l1/slides.md": text})
    assert outline(deck) == [
        "1 Waves > Start | speaker-notes: 'say hello'",
        "2 Waves > Start > Below | code: '---'",
        "3 Waves > Next | paragraph: 'text'",
        "4 Waves > Next (cont.) | paragraph: 'no rule is a heading here'",
    ]


def test_a_deck_of_nothing_says_so():
    deck = read_reveal_html('<div class="reveal"></div>', "x.html", lambda address: None)
    assert [warning.kind for warning in deck.warnings] == ["no-slides"]


def test_no_word_of_a_real_deck_is_lost(shared_data):
    from selectolax.lexbor import LexborHTMLParser

    html = (shared_data / "corpora/slide-samples/reveal/demo.html").read_text()
    deck = read_reveal_html(html, "demo.html", lambda address: None)
    assert deck.slides == 42
    tree = LexborHTMLParser(html)
    for node in tree.css("script:not([type]), style, [data-visibility=hidden]"):
        node.decompose()
    shown = words(tree.css_first(".slides").text(separator=" "))
    found = words(" ".join(f"{s.title} {' '.join(b.text for b in s.blocks)}" for s in deck.sections))
    assert shown - found == set()


def test_formulas_and_layout_tables():
    from selectolax.lexbor import LexborHTMLParser

    html = (
        '<p>As <span class="math">\\(x^2\\)</span> and <span class="katex"><span class="katex-mathml"><math><semantics>'
        '<annotation encoding="application/x-tex">y</annotation></semantics></math></span>'
        '<span class="katex-html">WRONG</span></span>.</p><table><tr><td class="linenos"><pre>1\n2</pre></td>'
        '<td class="code"><pre><span>a = 1</span>\nb</pre></td></tr></table>'
    )
    body = LexborHTMLParser(html).body
    assert body is not None
    assert [(b.kind, b.text) for b in HtmlBlocks().read(body)] == [  # type: ignore[union-attr]
        ("paragraph", "As x^2 and y."),
        ("code", "a = 1\nb"),
    ]
