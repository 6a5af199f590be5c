"""Sites that something else built: their text, their own anchors, nothing of what stands round the text."""

# ruff: noqa: E501 — HTML as generators write it
from __future__ import annotations

import json
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from decks_support import outline, words, words_of

from openbook.config import load_config
from openbook.course.catalogue import load_catalogue
from openbook.course.document import Document
from openbook.course.readers import read
from openbook.course.readers.site import read_page

GUIDE = """# Splitting data

Never at random when rows share a *group*.

## By group

Use `GroupKFold`:

```python
# a comment, no heading
folds = GroupKFold(5)
```

| Method | Leaks |
|--------|-------|
| random | yes   |
| group  | no    |

## By group

Twice the same heading.

1. First
2. Second
    - inner
"""
SHOWN = words(
    "Splitting data Never at random when rows share a group Use GroupKFold a comment no heading folds 5 Method Leaks "
    "yes no By group Twice the same heading 1 First 2 Second inner"
)


def site(folder: Path, settings: str = "") -> list[Document]:
    course = folder.parent / "course"
    course.mkdir(exist_ok=True)
    (course / "openbook.toml").write_text(f'[sources]\nsite = "../{folder.name}"\n{settings}')
    config = load_config(course)
    catalogue = load_catalogue(config, date(2026, 11, 1))
    return [read(source, config, lecture) for lecture in catalogue.lectures for source in lecture.sources]


@pytest.fixture(scope="module", params=["sphinx", "mkdocs", "mkdocs-material"])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site, built by the real thing."""
    root = tmp_path_factory.mktemp(request.param)
    docs, out = root / "docs", root / "site"
    (docs / "guide").mkdir(parents=True)
    (docs / "index.md").write_text("# Home\n\nWelcome to the course.\n")
    (docs / "guide" / "split.md").write_text(GUIDE)
    if request.param == "sphinx":
        pytest.importorskip("sphinx")
        pytest.importorskip("myst_parser")
        with (docs / "index.md").open("a") as index:
            index.write("\n```{toctree}\nguide/split\n```\n")
        (docs / "conf.py").write_text('extensions = ["myst_parser"]\nproject = "Course"\nhtml_copy_source = False\n')
        command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", str(docs), str(out)]
    else:
        pytest.importorskip("mkdocs")
        theme = "material" if request.param == "mkdocs-material" else "mkdocs"
        (root / "mkdocs.yml").write_text(
            f"site_name: Course\nrepo_url: https://example.org/x\nedit_uri: edit/\ntheme:\n  name: {theme}\n"
            "markdown_extensions:\n  - toc:\n      permalink: true\n  - pymdownx.highlight:\n      linenums: true\n"
            "  - pymdownx.superfences\n"
        )
        command = [sys.executable, "-m", "mkdocs", "build", "-q", "-f", str(root / "mkdocs.yml"), "-d", str(out)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return out


def test_pages_of_real_generators(built):
    documents = {document.title: document for document in site(built)}
    assert set(documents) == {"Home", "Splitting data"}
    page = documents["Splitting data"]
    assert [path for _, path in page.paths()] == [
        ("Splitting data",), ("Splitting data", "By group"), ("Splitting data", "By group")
    ]  # fmt: skip
    assert words_of(page) == SHOWN, "more or fewer words than the author wrote"
    assert page.url in ("../guide/split.html", "../guide/split/index.html")
    html = (built / page.url.removeprefix("../")).read_text()
    for section in page.sections:
        assert f'id="{section.anchor}"' in html
    kinds = [block.kind for section in page.sections for block in section.blocks]
    assert kinds == ["paragraph", "paragraph", "code", "table", "paragraph", "list"]
    code = next(block for section in page.sections for block in section.blocks if block.kind == "code")
    assert code.text == "# a comment, no heading\nfolds = GroupKFold(5)"
    assert page.warnings == ()


def test_the_release_gate_of_a_site_goes_by_path(built):
    split = next(path for path in built.rglob("*.html") if "split" in str(path)).relative_to(built).as_posix()
    documents = site(built, f'[lectures."{split.removesuffix(".html")}"]\nrelease = 2027-01-01\n')
    assert [document.title for document in documents] == ["Home"]
    assert [document.title for document in site(built, 'exclude = ["guide/**"]\n')] == ["Home"]


DOCUSAURUS = """<html><body><nav class="navbar">Docs Blog</nav><div id="__docusaurus_skipToContent_fallback"
class="main-wrapper"><aside class="theme-doc-sidebar-container">Sidebar</aside><main class="docMainContainer_x"><article>
<nav class="theme-doc-breadcrumbs breadcrumbs">Home</nav><div class="tocCollapsible_y theme-doc-toc-mobile">Toc</div>
<div class="theme-doc-markdown markdown"><header><h1>Intro</h1></header><p>Hello.</p>
<h2 class="anchor" id="set-up">Set up<a href="#set-up" class="hash-link" aria-label="Direct link">\u200b</a></h2>
<div class="language-js codeBlockContainer_z"><pre class="prism-code"><code><span class="token-line"><span>let a;</span><br>
</span><span class="token-line"><span>a = 1</span><br></span></code></pre><button class="clean-btn">Copy</button></div>
<div class="theme-admonition theme-admonition-tip alert"><div class="admonitionHeading_q">tip</div>
<div>Be quick.</div></div></div></article><nav class="pagination-nav">Next</nav></main></div>
<footer class="footer">Copyright</footer></body></html>"""
QUARTO = """<html><body class="nav-sidebar"><div id="quarto-search-results"></div><header id="quarto-header">Menu</header>
<div id="quarto-content"><nav id="quarto-sidebar">Side</nav><div id="quarto-margin-sidebar"><nav id="TOC">On this page</nav>
</div><main class="content" id="quarto-document-content"><header id="title-block-header" class="quarto-title-block"><div
class="quarto-title"><h1 class="title">Fields</h1></div><div class="quarto-title-meta">Published today</div></header>
<p>Text.</p><section id="one" class="level2"><h2 class="anchored" data-anchor-id="one">One<a class="anchorjs-link"
href="#one"></a></h2><div class="sourceCode" id="cb1"><pre class="sourceCode python code-with-copy"><code class="sourceCode
python"><span id="cb1-1"><a href="#cb1-1" aria-hidden="true" tabindex="-1"></a>x <span class="op">=</span> 1</span></code>
<button title="Copy" class="code-copy-button"><i class="bi"></i></button></pre></div>
<div class="callout callout-note"><div class="callout-header"><div class="callout-title-container">Note</div></div><div
class="callout-body">Mind.</div></div></section></main></div><footer class="footer">Foot</footer></body></html>"""
MYSTMD = """<html><body><div class="myst-top-nav">Top</div><nav class="myst-primary-sidebar">Side</nav><main><article
class="article content"><div class="myst-fm-block"><h1 class="mb-0">Waves</h1></div><div class="myst-outline toc">Contents</div>
<p>They travel <span class="math-inline"><span class="katex"><span class="katex-mathml"><math><semantics><mrow/>
<annotation encoding="application/x-tex">c=\\lambda f</annotation></semantics></math></span><span class="katex-html"
aria-hidden="true">c=f</span></span></span>.</p><h2 id="sound" class="relative group"><span class="heading-text">Sound</span>
<a class="select-none no-underline" href="#sound" title="Link to this Section">#</a></h2><p>In air.</p></article></main>
<div class="footer">Made with</div></body></html>"""
JEKYLL = """<html><body><header class="site-header">Nav</header><main class="page-content"><article class="post"><header
class="post-header"><h1 class="post-title">Notes</h1><p class="post-meta">Jan 1</p></header><div class="post-content"><p>A.</p>
<h2 id="b">B</h2><figure class="highlight"><pre><code class="language-ruby" data-lang="ruby"><table class="rouge-table"><tr>
<td class="gutter gl"><pre class="lineno">1
</pre></td><td class="code"><pre>puts 1
</pre></td></tr></table></code></pre></figure></div></article></main><footer class="site-footer">Foot</footer></body></html>"""
HUGO = """<html><body><aside class="book-menu">Menu</aside><div class="book-page"><article class="markdown book-article"><h1
id="deep">Deep<a class="anchor" href="#deep">#</a></h1><p>Text</p><div class="highlight"><div class="chroma"><table
class="lntable"><tr><td class="lntd"><pre><code><span class="lnt">1
</span></code></pre></td><td class="lntd"><pre><code class="language-go" data-lang="go">package main
</code></pre></td></tr></table></div></div></article></div><footer>Foot</footer></body></html>"""


def lines(html: str) -> list[str]:
    page = read_page(html, "x.html")
    return [f"{s.anchor}: {s.title}: " + "; ".join(f"{b.kind} {b.text!r}" for b in s.blocks) for s in page.sections]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (DOCUSAURUS, ["__docusaurus_skipToContent_fallback: Intro: paragraph 'Hello.'",
                      "set-up: Set up: code 'let a;\\n\\na = 1'; admonition 'tip\\nBe quick.'"]),
        (QUARTO, ["title-block-header: Fields: paragraph 'Text.'", "one: One: code 'x = 1'; admonition 'Note\\nMind.'"]),
        (MYSTMD, ["top: Waves: paragraph 'They travel c=\\\\lambda f.'", "sound: Sound: paragraph 'In air.'"]),
        (JEKYLL, ["top: Notes: paragraph 'A.'", "b: B: code 'puts 1'"]),
        (HUGO, ["deep: Deep: paragraph 'Text'; code 'package main'"]),
    ],
    ids=["docusaurus", "quarto", "mystmd", "jekyll", "hugo"],
)  # fmt: skip
def test_pages_of_other_generators(html, expected):
    assert lines(html) == expected


def test_a_heading_that_cannot_be_linked_to_stays_in_the_section_before_it():
    assert lines("<main><h1>A</h1><p>x</p><h2>B</h2><p>y</p></main>") == [
        "top: A: paragraph 'x'; paragraph 'B'; paragraph 'y'"
    ]


MYST_JSON = {
    "version": "1",
    "records": [
        {"hierarchy": {"lvl1": "Odd"}, "type": "lvl1", "url": "/odd", "position": 0},
        {"hierarchy": {"lvl1": "Odd", "lvl2": "Deep"}, "type": "lvl2", "url": "/odd#deep", "position": 1},
        {"hierarchy": {"lvl1": "Odd", "lvl2": "Deep"}, "type": "content", "url": "/odd#deep", "position": 2},
    ],
}
TEXT = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda omicron sigma tau upsilon phi chi psi omega rho nu"
)


@pytest.mark.parametrize("form", ["myst", "mkdocs", "quarto"])
def test_the_site_s_own_index_is_read_where_a_page_s_text_is_not_found(tmp_path, form):
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "odd.html").write_text(f"<html><body><main><nav>{TEXT}</nav></main></body></html>")
    if form == "myst":
        records = [*MYST_JSON["records"]]
        records[2] = {**records[2], "content": TEXT}  # type: ignore[dict-item]
        (folder / "myst.search.json").write_text(json.dumps({**MYST_JSON, "records": records}))
    elif form == "mkdocs":
        (folder / "search").mkdir()
        docs = [
            {"location": "odd.html", "title": "Odd", "text": ""},
            {"location": "odd.html#deep", "title": "Deep", "text": f"<p>{TEXT}</p>"},
        ]
        (folder / "search/search_index.json").write_text(json.dumps({"docs": docs}))
    else:
        entries = [{"href": "odd.html#deep", "title": "Odd", "section": "Deep", "text": TEXT}]
        (folder / "search.json").write_text(json.dumps(entries))
    (document,) = site(folder)
    assert [warning.kind for warning in document.warnings] == ["site-page"]
    assert outline(document)[-1] == f"None Odd > Deep | paragraph: {TEXT!r}"
    assert document.sections[-1].anchor == "deep"


def test_what_openbook_wrote_into_the_site_is_not_read_again(tmp_path):
    folder = tmp_path / "out"
    (folder / "openbook/index").mkdir(parents=True)
    for name in ("openbook/index/manifest.json", "openbook/index/build.json"):
        (folder / name).write_text("{}")
    (folder / "openbook/index.html").write_text("<main><h1>Ask</h1></main>")
    (folder / "a.html").write_text("<main><h1>A</h1><p>x</p></main>")
    (folder / "404.html").write_text("<main><h1>Nothing</h1></main>")
    assert [document.title for document in site(folder)] == ["A"]
