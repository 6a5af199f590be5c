"""No visible word is lost, by another oracle: other libraries render the same text to HTML, and words are counted.

CommonMark and GitHub's Markdown are rendered by markdown-it without any rule of ours; notebooks by what their cells
say; Quarto, Jekyll and Hugo by texts whose words are known because they were made up here.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from chunking_support import count_words, document
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from openbook.chunking import chunk_document
from openbook.settings import ChunkSettings

WORD = re.compile(r"[^\W_]{2,}")
FEW = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
PLAIN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def seen(text: str | bytes, reader: str = "myst", name: str = "course.md") -> Counter[str]:
    """Count the words of all chunks, and of each heading in the paths once."""
    chunks = chunk_document(document(text, "notes", name, reader), ChunkSettings(max_words=60), 80, count_words)
    titles = {title for chunk in chunks for title in chunk.path}
    return Counter(word for part in (*(chunk.text for chunk in chunks), *titles) for word in WORD.findall(part))


def rendered(text: str) -> Counter[str]:
    tree = HTMLParser(PLAIN.render(text))
    body = tree.body.text(separator=" ") if tree.body is not None else ""
    alts = [image.attributes.get("alt") or "" for image in tree.css("img")]
    return Counter(WORD.findall(" ".join([body, *alts])))


WORDS = st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta", "zeta"]), min_size=1, max_size=6).map(" ".join)
BLOCKS = st.one_of(
    WORDS,
    WORDS.map(lambda text: f"**{text}** and `{text}` and [{text}](a.html)"),
    WORDS.map(lambda text: f"{text}\n==="),
    st.tuples(st.integers(2, 6), WORDS).map(lambda both: "#" * both[0] + " " + both[1]),
    st.lists(WORDS, min_size=1, max_size=4).map(lambda items: "\n".join(f"- {item}" for item in items)),
    st.lists(WORDS, min_size=1, max_size=3).map(
        lambda items: "\n".join(f"{n}. {item}" for n, item in enumerate(items, 1))
    ),
    WORDS.map(lambda text: f"```python\n# {text}\n{text}\n```"),
    WORDS.map(lambda text: f"    {text}\n    # {text}"),
    WORDS.map(lambda text: f"> {text}\n>\n> - {text}"),
    WORDS.map(lambda text: f"| {text} | {text} |\n|---|---|\n| {text} | one |"),
    WORDS.map(lambda text: f"<div>\n<p>{text}</p>\n</div>"),
    WORDS.map(lambda text: f"![{text}](a.png)"),
    WORDS.map(lambda text: f"<!-- hidden\n# hidden {text}\n-->"),
    st.just("---"),
)


@FEW
@given(blocks=st.lists(BLOCKS, min_size=1, max_size=12))
@pytest.mark.parametrize("reader", ["myst", "quarto", "jekyll", "hugo"])
def test_commonmark_says_what_another_renderer_shows(reader, blocks):
    text = "\n\n".join(blocks)
    wanted, found = rendered(text), seen(text, reader)
    # a heading that stands twice, or above others, is in paths more or less often than on the page
    assert not [word for word in wanted if not found[word]]
    body = "\n\n".join(block for block in blocks if not re.search(r"^#|\n===$", block))
    assert not rendered(body) - found
    assert "hidden" not in found


@FEW
@given(cells=st.lists(st.tuples(st.sampled_from(["markdown", "code"]), BLOCKS), min_size=1, max_size=8))
def test_notebooks_say_what_their_cells_say(cells):
    raw = json.dumps(
        {
            "cells": [{"cell_type": kind, "metadata": {}, "source": text, "outputs": []} for kind, text in cells],
            "metadata": {},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
    )
    found = seen(raw, "notebook", "course.ipynb")
    for kind, text in cells:
        words = rendered(text) if kind == "markdown" else Counter(WORD.findall(text))
        assert not [word for word in words if not found[word]], (kind, text)


WRAPS = {
    "quarto": [
        '::: {{.callout-note title="tt{n}"}}\n{text}\n:::\n',
        "::: {{.panel-tabset}}\n## tab{n}\n\n{text}\n:::\n",
        "```{{r}}\n#| label: lab{n}\n{text}\n```\n",
        "```{{python}}\n#| echo: false\n#| fig-cap: {text}\nplot()\n```\n",
        "{text} [@key{n}] and @fig-a \\index{{gone}}\n",
        "| col{n} |\n|---|\n| {text} |\n\n: cap{n} {{#tbl-x{n}}}\n",
    ],
    "jekyll": [
        '{{% include a.html caption="{text}" src="a.png" %}}\n',
        "{{% if x %}}\n{text}\n{{% endif %}}\n",
        "{{% raw %}}\n{text} {{{{ kept{n} }}}}\n{{% endraw %}}\n",
        "{{% highlight python %}}\n{text}\n{{% endhighlight %}}\n",
        "{text}\n{{: .note}}\n",
    ],
    "hugo": [
        "{{{{< callout note >}}}}\n{text}\n{{{{< /callout >}}}}\n",
        '{{{{% details "title{n}" %}}}}\n{text}\n{{{{% /details %}}}}\n',
        '{{{{< figure src="a.png" caption="{text}" >}}}}\n',
        '{{{{< button href="x" >}}}}{text}{{{{< /button >}}}}\n',
        '[{text}]({{{{< ref "a.md" >}}}})\n',
        "{{{{< highlight go >}}}}\n{text}\n{{{{< /highlight >}}}}\n",
    ],
}


@pytest.mark.parametrize("reader", WRAPS)
@FEW
@given(data=st.data())
def test_what_stands_inside_the_marks_of_a_dialect_stays(reader, data):
    chosen = data.draw(st.lists(st.sampled_from(WRAPS[reader]), min_size=1, max_size=8))
    texts = [" ".join(f"word{n}x{i}" for i in range(data.draw(st.integers(1, 5)))) for n in range(len(chosen))]
    source = "\n".join(wrap.format(text=text, n=n) for n, (wrap, text) in enumerate(zip(chosen, texts, strict=True)))
    found = seen(source, reader)
    wanted = Counter(word for text in texts for word in text.split())
    assert not wanted - found, source
    marks = {"caption", "include", "endif", "callout", "details", "figure", "label", "echo", "gone", "index", "raw"}
    assert not marks & found.keys()


FORMULA = "\ue000"
NO_TEXT = re.compile(
    r"^#@tab\s.*$|^:(?:begin|end)_tab:.*$|\{\{[^{}]*\}\}|\{[^{}\n]*\}|:[\w-]+:`[^`]*`|^:::.*$", re.MULTILINE
)
MATH = re.compile(r"\$\$.*?\$\$|\$[^$\n]*\$|\\\\\(.*?\\\\\)", re.DOTALL)
TERM = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+|[^\W_\u3040-\u30ff\u3400-\u9fff]{2,}")


def terms(text: str) -> Iterator[str]:
    """Yield words, and of scripts without spaces every two letters that stand together.

    What touches a formula is no word of its own in a text that shows the formula there, such as the "th" of "$i$th".
    """
    for match in TERM.finditer(text):
        word = match[0]
        if word[0] >= "\u3040":
            yield from (word[at : at + 2] for at in range(len(word) - 1))
        elif FORMULA not in (text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]):
            yield word


@pytest.mark.parametrize(
    ("corpus", "reader"),
    [("carpentries-shell", "carpentries"), ("shell-es", "jekyll"), ("cs231n", "jekyll"), ("d2l-zh", "d2l")],
)
def test_lessons_say_what_another_renderer_shows(corpus, reader, shared_data: Path):
    """Words of paragraphs, lists and tables as plain CommonMark sees them; formulas and marks of dialects apart."""
    for path in sorted((shared_data / "corpora" / corpus).rglob("*.md")):
        text = path.read_text(encoding="utf-8", errors="replace")
        body = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
        tree = HTMLParser(PLAIN.render(NO_TEXT.sub("", MATH.sub(FORMULA, body))))
        wanted = {term for node in tree.css("p, td, pre") for term in terms(node.text())}
        chunks = chunk_document(document(text.encode(), "notes", "course.md", reader), ChunkSettings(), 80, count_words)
        found = {term for chunk in chunks for part in (chunk.text, *chunk.path) for term in terms(part)}
        assert not wanted - found, path.name
