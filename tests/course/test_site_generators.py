"""Pages as real generators build them: Docusaurus, VitePress, Starlight, mdBook, Jekyll, Hugo. Markup is theirs.

Those of Quarto, mystmd, just-the-docs, the Carpentries Workbench, bookdown and pkgdown were written after their templates,
and not built.
"""

# ruff: noqa: E501 — HTML as generators write it
from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from decks_support import outline, words, words_of

from openbook.config import load_config
from openbook.course.catalogue import Catalogue, load_catalogue
from openbook.course.readers import read
from openbook.course.readers.site import read_page
from openbook.errors import SourceNotFoundError
from openbook.prepare import read_lectures


def lines(html: str) -> list[str]:
    page = read_page(html, "x.html")
    return [f"{s.anchor}: {s.title}: " + "; ".join(f"{b.kind} {b.text!r}" for b in s.blocks) for s in page.sections]


def catalogue(root: Path, pages: dict[str, str], settings: str = "") -> Catalogue:
    for name, html in pages.items():
        path = root / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html)
    (root / "openbook.toml").write_text(f'[sources]\nsite = "site"\n{settings}')
    return load_catalogue(load_config(root), date(2026, 11, 1))


def read_paths(catalogue: Catalogue) -> list[str]:
    return sorted(source.relpath for lecture in catalogue.lectures for source in lecture.sources)


STARLIGHT = """<html><body><header class="header">Course</header><div class="main-frame"><main>
<div class="content-panel"><div class="sl-container"><h1 id="_top">Trees</h1></div></div><div class="content-panel">
<div class="sl-container"><div class="sl-markdown-content"><p>Grow them<sup><a href="#user-content-fn-1"
id="user-content-fnref-1" data-footnote-ref aria-describedby="footnote-label">1</a></sup>.</p>
<div class="sl-heading-wrapper level-h2"><h2 id="split">Split</h2><a class="sl-anchor-link" href="#split"><span
aria-hidden="true" class="sl-anchor-icon"></span><span class="sr-only">Section titled “Split”</span></a></div>
<div class="expressive-code"><figure class="frame"><figcaption class="header"><span class="title">fit.py</span></figcaption>
<pre data-language="python"><code><div class="ec-line"><div class="code"><span>def f(x):</span></div></div><div
class="ec-line"><div class="code"><span class="indent">    </span><span>return x</span></div></div></code></pre>
<div class="copy"><div aria-live="polite"></div><button title="Copy to clipboard"><div></div></button></div></figure></div>
<div class="expressive-code"><figure class="frame is-terminal"><figcaption class="header"><span class="title"></span><span
class="sr-only">Terminal window</span></figcaption><pre data-language="bash"><code><div class="ec-line"><div class="code"><span>ls</span></div></div></code></pre></figure></div>
<starlight-tabs><div class="tablist-wrapper"><ul role="tablist"><li role="presentation" class="tab"><a role="tab"
href="#tab-panel-0" id="tab-0">Gini</a></li><li role="presentation" class="tab"><a role="tab" href="#tab-panel-1"
id="tab-1">Entropy</a></li></ul></div><div id="tab-panel-0" aria-labelledby="tab-0" role="tabpanel"><p>Squares.</p></div>
<div id="tab-panel-1" aria-labelledby="tab-1" role="tabpanel" hidden><p>Logs.</p></div></starlight-tabs>
<aside aria-label="Mind" class="starlight-aside starlight-aside--tip"><p class="starlight-aside__title" aria-hidden="true">
<svg></svg>Mind</p><div class="starlight-aside__content"><p>Prune.</p></div></aside>
<starlight-file-tree class="not-content" data-pagefind-ignore="true"><ul><li class="file"><span class="tree-entry">a.py</span></li></ul></starlight-file-tree>
<section data-footnotes class="footnotes"><h2 class="sr-only" id="footnote-label">Footnotes</h2><ol><li id="user-content-fn-1">
<p>Slowly. <a href="#user-content-fnref-1" data-footnote-backref aria-label="Back to reference 1">↩</a></p></li></ol></section>
</div><footer><div class="meta">Last updated: Nov 1</div><div class="pagination-links"><a rel="next">Next</a></div></footer></div></div></main></div></body></html>"""
STARLIGHT_HOME = """<html><body><main data-pagefind-body><div class="content-panel"><div class="hero"><h1 id="_top">Course</h1><div
class="tagline">Learn trees well.</div></div><div class="sl-markdown-content"><div class="sl-heading-wrapper"><h2 id="next">Next steps</h2>
</div><p>Read on, week by week, and do what each of them asks.</p><div class="card-grid"><article class="card"><p class="title"><span>Ask</span></p><div class="body"><p>Here.</p></div></article></div>
</div></div></main></body></html>"""
VITEPRESS = """<html><body><div class="Layout"><header class="VPNav">Nav</header><div class="VPContent has-sidebar" id="VPContent">
<div class="VPDoc has-sidebar has-aside"><div class="content-container"><main class="main"><div class="vp-doc _trees"><div><h1 id="trees"
tabindex="-1">Trees <a class="header-anchor" href="#trees" aria-label="Permalink to “Trees”">\u200b</a></h1>
<nav class="table-of-contents"><ul><li>Split</li></ul></nav>
<div class="language-python vp-adaptive-theme line-numbers-mode"><button title="Copy Code" class="copy"></button><span
class="lang">python</span><pre class="shiki"><code><span class="line"><span>a = 1</span></span>
<span class="line"><span>b = 2</span></span></code></pre><div class="line-numbers-wrapper" aria-hidden="true"><span
class="line-number">1</span><br><span class="line-number">2</span><br></div></div>
<div class="vp-code-group vp-adaptive-theme"><div class="tabs"><input type="radio" name="g" id="t1" checked><label for="t1">npm</label><input
type="radio" name="g" id="t2"><label for="t2">pnpm</label></div><div class="blocks"><div class="language-sh active"><button class="copy"></button><span
class="lang">sh</span><pre><code><span class="line">npm i</span></code></pre></div><!-- --><div class="language-sh"><span class="lang">sh</span><pre><code><span class="line">pnpm i</span></code></pre></div></div></div>
<div class="tip custom-block"><p class="custom-block-title">TIP</p><p>Prune.</p></div></div></div></main>
<footer class="VPDocFooter">Next page</footer></div></div></div></div></body></html>"""
VITEPRESS_HOME = """<html><body><div class="VPContent is-home" id="VPContent"><div class="VPHome"><div class="VPHero VPHomeHero"><div
class="main"><h1 class="heading"><span class="name clip">Course</span></h1><p class="tagline">Learn.</p></div></div><div class="VPFeatures"><div class="item">
<a class="VPLink"><article class="box"><h2 class="title">Trees</h2><p class="details">Grow.</p></article></a></div></div><div
class="vp-doc container"><div><h2 id="how">How</h2><p>By reading.</p></div></div></div></div></body></html>"""
DOCUSAURUS_POST = """<html class="blog-wrapper blog-post-page plugin-blog"><body><div class="main-wrapper"><main class="col"><article><header><h1
class="title_x">Welcome</h1><div class="container_y margin-vert--md"><time datetime="2021">August 26, 2021</time> · <!-- -->One min read</div>
<div class="margin-top--md row"><div class="col authorCol_z"><div class="avatar"><div class="avatar__intro"><div class="avatar__name">Ann</div>
<small class="authorTitle_n">Teacher</small></div></div></div></div></header><div id="__blog-post-container" class="markdown"><p>Hello.</p><div
class="tabs-container"><ul role="tablist" class="tabs"><li role="tab" class="tabs__item">macOS</li><li role="tab" class="tabs__item">Windows</li></ul><div
class="margin-top--md"><div role="tabpanel" class="tabItem_q"><p>Brew.</p></div><div role="tabpanel" class="tabItem_q" hidden><p>Choco.</p></div></div></div>
</div><footer class="row docusaurus-mt-lg"><a href="https://github.com/x/y/edit/main/a.md" class="theme-edit-this-page">Edit this page</a></footer></article><nav class="pagination-nav">Newer post</nav></main></div></body></html>"""
MDBOOK = """<html><head><title>A - Keywords - The Course of Trees</title></head><body><div id="mdbook-help-container">Press</div><div
class="page-wrapper"><div class="page"><div id="mdbook-menu-bar" class="menu-bar"><h1 class="menu-title">The Course of Trees</h1></div><div
class="content"><main><h2 id="appendix-a-keywords"><a class="header" href="#appendix-a-keywords">Appendix A: Keywords</a></h2><p>Words<sup
class="footnote-reference" id="fr-w-1"><a href="#footnote-w">1</a></sup>.</p><pre><pre class="playground"><code class="language-rust edition2024"><span
class="boring">fn main() {
</span>let x = 1;
<span class="boring">}</span></code></pre></pre><hr><ol class="footnote-definition"><li id="footnote-w"><p>Reserved. <a href="#fr-w-1">↩</a></p></li></ol></main><nav
class="nav-wrapper"><a rel="next" href="b.html" class="mobile-nav-chapters next">Next</a></nav></div></div></div></body></html>"""
JEKYLL = """<html><head><title>Trees | Course</title></head><body><header class="site-header">Course</header><main class="page-content"><div
class="wrapper"><article class="post h-entry"><header class="post-header"><h1 class="post-title">Trees</h1><p class="post-meta"><time>2026</time>
<span class="p-author">Ann</span></p></header><div class="post-content e-content"><h2 class="no_toc text-delta" id="table-of-contents">Table of contents</h2><ul id="markdown-toc"><li><a href="#split">Split</a></li></ul>
<p>Grow<sup id="fnref:1"><a href="#fn:1" class="footnote" rel="footnote" role="doc-noteref">1</a></sup> \\(x^2\\) of them.</p>
\\[y = 3\\]
<h2 class="no_toc" id="split">Split</h2><p>Last split.</p><div class="footnotes" role="doc-endnotes"><ol><li id="fn:1"><p>Slowly. <a href="#fnref:1"
class="reversefootnote" role="doc-backlink">&#8617;</a></p></li></ol></div></div></article></div></main></body></html>"""
HUGO = """<html><body class="docs single"><div class="wrap" role="document"><nav class="docs-toc">On this page</nav><main
class="docs-content"><h1>Trees</h1><p><small>Posted&nbsp;in Week 1 on November 4 by <a href="/ann/">Ann</a>&nbsp;‐&nbsp;<strong>1&nbsp;min read</strong></small></p><p>Grow.</p><p><a class="edit"
href="https://github.com/x/y/edit/main/a.md">Edit this page on GitHub</a></p><p>Last updated on November 4, 2020</p><div
class="docs-navigation d-flex"><a href="/b/"><div class="card">Leaves &rarr;</div></a></div></main></div></body></html>"""


MYSTMD = """<html><body><div class="myst-top-nav">Course</div><nav class="myst-primary-sidebar">Week 1</nav><main><article class="article content article-grid grid-gap"><div
id="skip-to-frontmatter" aria-label="article frontmatter" class="myst-fm-block mb-8 pt-9"><h1 class="myst-fm-block-title mb-0">Trees</h1><p
class="myst-fm-block-subtitle lead">How they grow</p><header class="myst-fm-block-authors not-prose"><div>Ann</div></header></div><div id="skip-to-article"></div><div id="b1" class="relative group/block">
<h2 id="split" class="relative group"><span class="heading-text">Split</span><a class="no-underline select-none" href="#split" title="Link to this Section">¶</a></h2>
<aside class="my-5 admonition rounded"><div class="admonition-header font-semibold"><div class="flex"><svg></svg></div><div class="admonition-header-text">Note</div></div><div class="admonition-content"><p>Prune.</p></div></aside>
<div class="relative group myst-code"><pre class="block p-3 hljs"><code class="language-python" style="white-space:pre"><span>a = 1</span></code></pre><button title="Copy to clipboard"></button></div></div>
<div class="flex pt-10 mb-10 space-x-4 myst-footer-links"><a class="group" href="/b"><div>Course</div>Leaves</a></div></article></main></body></html>"""
JUST_THE_DOCS = """<html><body><div class="side-bar"><nav id="site-nav"><ul class="nav-list"><li>Trees</li></ul></nav></div><div class="main" id="top"><div id="main-header"
class="main-header"><div class="search"><label for="search-input"><span class="sr-only">Search</span></label></div></div><div class="main-content-wrap"><nav aria-label="Breadcrumb"
class="breadcrumb-nav"><ol><li>Week 1</li></ol></nav><div id="main-content" class="main-content"><main><h1 id="trees"><a href="#trees" class="anchor-heading" aria-labelledby="trees"><svg
viewBox="0 0 16 16"><use xlink:href="#svg-link"></use></svg></a> Trees </h1><p>Grow.</p><hr><h2 class="text-delta">Table of contents</h2><ul><li><a href="/b/">Leaves</a></li><li><a
href="/c/">Roots</a></li></ul></main><hr><footer><p><a href="#top" id="back-to-top">Back to top</a></p></footer></div></div></div></body></html>"""
WORKBENCH = """<html><head><title>Shell: Loops</title></head><body><header id="top" class="navbar top-nav">Nav</header><div class="container"><div class="row"><div id="sidebar-col" class="col-lg-4"><div id="sidebar" class="sidebar"><nav>Chapters</nav></div></div><div class="col-xl-8 col-lg-12 primary-content"><nav class="lesson-content mx-md-4" aria-label="Previous and Next Chapter"><a class="chapter-link" href="a.html"><i></i>Previous</a></nav><hr><main id="main-content" class="main-content"><div class="container lesson-content"><h1>Loops</h1><p>Last updated on 2023-05-08 | <a href="https://github.com/x/y/edit/main/episodes/loop.Rmd" class="external-link">Edit this page <i aria-hidden="true" data-feather="edit"></i></a></p><div class="text-end"><button role="button" id="expand-code"> Expand All Solutions <i></i></button></div><div class="overview card"><h2 class="card-header">Overview</h2><div class="row g-0"><div class="col-md-4"><div class="card-body"><div class="inner"><h3 class="card-title">Questions</h3><ul><li>How to repeat?</li></ul></div></div></div><div class="col-md-8"><div class="card-body"><div class="inner bordered"><h3 class="card-title">Objectives</h3><ul><li>Write a loop.</li></ul></div></div></div></div></div>
<section id="loops-at-work"><h2 class="section-heading">Loops at work<a class="anchor" aria-label="anchor" href="#loops-at-work"></a></h2><hr class="half-width"><p>They repeat.</p><div class="codewrapper sourceCode" id="cb1"><h3 class="code-label">BASH<i aria-hidden="true" data-feather="chevron-left"></i></h3><pre class="sourceCode bash"><code class="sourceCode bash"><span id="cb1-1"><a href="#cb1-1" tabindex="-1"></a><span class="cf">for</span> x</span></code></pre></div>
<div id="challenge1" class="callout challenge"><div class="callout-square"><i class="callout-icon" data-feather="zap"></i></div><div id="challenge1" class="callout-inner"><h3 class="callout-title">Write one<a class="anchor" href="#challenge1"></a></h3><div class="callout-content"><p>Do it.</p></div></div></div><div id="accordionSolution1" class="accordion challenge-accordion accordion-flush"><div class="accordion-item"><button class="accordion-button solution-button collapsed" type="button"><h4 class="accordion-header" id="headingSolution1"> Show me the solution </h4></button><div id="collapseSolution1" class="accordion-collapse collapse"><div class="accordion-body"><p>Done.</p></div></div></div></div></section>
<div id="keypoints1" class="callout keypoints"><div class="callout-square"><i class="callout-icon"></i></div><span class="callout-header">Key Points</span><div class="callout-inner"><div class="callout-content"><ul><li>Loops repeat.</li></ul></div></div></div></div></main><nav class="bottom-pagination mx-md-4" aria-label="Previous and Next Chapter">Next</nav></div></div><footer>Foot</footer></div></body></html>"""
BOOKDOWN = """<html><head><title>Chapter 1 Trees | Course</title></head><body><div class="book with-summary"><div class="book-summary"><nav role="navigation"><ul class="summary"><li>Trees</li></ul></nav></div><div class="book-body"><div
class="body-inner"><div class="book-header" role="navigation"><h1><a href="./">Course</a></h1></div><div class="page-wrapper" tabindex="-1" role="main"><div class="page-inner"><section class="normal" id="section-"><div id="trees" class="section level1 hasAnchor"><h1><span
class="header-section-number">Chapter 1</span> Trees<a href="trees.html#trees" class="anchor-section" aria-label="Anchor link to header"></a></h1><p>Grow.</p><div id="split" class="section level2 hasAnchor"><h2><span class="header-section-number">1.1</span> Split<a href="trees.html#split"
class="anchor-section"></a></h2><p>Cut.</p></div></div></section></div></div></div></div><a href="b.html" class="navigation navigation-next"><i class="fa"></i></a></div></body></html>"""
PKGDOWN = """<html><body><nav class="navbar">pkg</nav><div class="container template-article"><div class="row"><main id="main" class="col-md-9"><div class="page-header"><img src="logo.png" class="logo" alt=""><h1>Trees</h1><small class="dont-index">Source: <a href="https://github.com/x/y/blob/main/a.Rmd"><code>a.Rmd</code></a></small><div
class="d-none name"><code>a.Rmd</code></div></div><p>Grow.</p><div class="section level2"><h2 id="split">Split<a class="anchor" aria-label="anchor" href="#split"></a></h2><p>Cut.</p></div></main><aside class="col-md-3"><nav id="toc"><h2>On this page</h2></nav></aside></div></div></body></html>"""
QUARTO = """<html lang="en"><head><title>Course – Trees</title></head><body class="nav-sidebar docked nav-fixed quarto-light"><div id="quarto-search-results"></div><header id="quarto-header" class="headroom fixed-top"><nav class="navbar"><span class="navbar-title">Course</span></nav><nav class="quarto-secondary-nav"><h1 class="quarto-secondary-nav-title">Trees</h1></nav></header>
<div id="quarto-content" class="quarto-container page-columns page-rows-contents page-layout-article page-navbar"><nav id="quarto-sidebar" class="sidebar collapse"><div class="sidebar-menu-container">Week 1</div></nav>
<div id="quarto-margin-sidebar" class="sidebar margin-sidebar"><nav id="TOC" role="doc-toc" class="toc-active"><h2 id="toc-title">On this page</h2><ul><li><a href="#split">Split</a></li></ul><div class="toc-actions"><ul><li><a href="https://github.com/x/edit/main/a.qmd">Edit this page</a></li></ul></div></nav></div>
<main class="content" id="quarto-document-content"><header id="title-block-header" class="quarto-title-block default"><nav class="quarto-page-breadcrumbs quarto-title-breadcrumbs d-none d-lg-block"><ol class="breadcrumb"><li>Week 1</li></ol></nav><div class="quarto-title"><div class="quarto-title-block"><div><h1 class="title">Trees</h1><button type="button" class="btn code-tools-button dropdown-toggle" id="quarto-code-tools-menu">Code</button><ul class="dropdown-menu dropdown-menu-end"><li><a id="quarto-show-all-code" class="dropdown-item" href="javascript:void(0)" role="button">Show All Code</a></li><li><hr class="dropdown-divider"></li><li><a id="quarto-view-source" class="dropdown-item" role="button">View Source</a></li></ul></div></div><p class="subtitle lead">How they grow</p><div class="quarto-categories"><div class="quarto-category">week1</div></div></div><div><div class="description">A page about trees.</div></div><div class="quarto-title-meta"><div><div class="quarto-title-meta-heading">Author</div><div class="quarto-title-meta-contents"><p>Ann</p></div></div></div><div><div class="abstract"><div class="block-title">Abstract</div><p>They split.</p></div></div></header>
<section id="split" class="level2"><h2 class="anchored" data-anchor-id="split">Split<a class="anchorjs-link " aria-label="Anchor" data-anchorjs-icon="" href="#split"></a></h2><p>See <a href="#fig-a" class="quarto-xref">Figure&nbsp;1</a><a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a>.</p>
<div class="cell" data-execution_count="1"><details open class="code-fold"><summary>Show the code</summary><div class="sourceCode cell-code" id="cb1"><pre class="sourceCode python code-with-copy"><code class="sourceCode python"><span id="cb1-1"><a href="#cb1-1" aria-hidden="true" tabindex="-1"></a>a <span class="op">=</span> <span class="dv">1</span></span></code><button title="Copy to Clipboard" class="code-copy-button"><i class="bi"></i></button></pre></div></details><div class="cell-output cell-output-stdout"><pre><code>1</code></pre></div><div class="cell-output cell-output-display"><div id="fig-a" class="quarto-float quarto-figure quarto-figure-center anchored"><figure class="quarto-float quarto-float-fig figure"><div aria-describedby="fig-a-caption"><img src="a.png" class="img-fluid figure-img" alt="A tree"></div><figcaption class="quarto-float-caption-bottom quarto-float-caption quarto-float-fig" id="fig-a-caption">Figure&nbsp;1: A tree</figcaption></figure></div></div></div>
<div class="tabset-margin-container"></div><div class="panel-tabset"><ul class="nav nav-tabs" role="tablist"><li class="nav-item" role="presentation"><a class="nav-link active" id="tabset-1-1-tab" data-bs-toggle="tab" data-bs-target="#tabset-1-1" role="tab" aria-controls="tabset-1-1" aria-selected="true">R</a></li><li class="nav-item" role="presentation"><a class="nav-link" id="tabset-1-2-tab" data-bs-toggle="tab" data-bs-target="#tabset-1-2" role="tab" aria-controls="tabset-1-2">Python</a></li></ul><div class="tab-content"><div id="tabset-1-1" class="tab-pane active" role="tabpanel" aria-labelledby="tabset-1-1-tab"><p>rpart</p></div><div id="tabset-1-2" class="tab-pane" role="tabpanel" aria-labelledby="tabset-1-2-tab"><p>sklearn</p></div></div></div>
<div class="callout callout-style-default callout-note callout-titled" title="Mind"><div class="callout-header d-flex align-content-center" data-bs-toggle="collapse" data-bs-target=".callout-1-contents" aria-controls="callout-1" aria-expanded="false" aria-label="Toggle callout"><div class="callout-icon-container"><i class="callout-icon"></i></div><div class="callout-title-container flex-fill"><span class="screen-reader-only">Note</span>Mind</div><div class="callout-btn-toggle d-inline-block border-0"><i class="callout-toggle"></i></div></div><div id="callout-1" class="callout-1-contents callout-collapse collapse"><div class="callout-body-container callout-body"><p>Prune. <span class="math inline">\\(x^2\\)</span></p></div></div></div>
<div id="thm-a" class="theorem"><p><span class="theorem-title"><strong>Theorem 1 (Growth)</strong></span> They grow.</p></div><span class="math display">\\[
y = 3
\\]</span>
<div class="quarto-listing quarto-listing-container-default" id="listing-a"><div class="list quarto-listing-default"><div class="quarto-post image-right" data-index="0"><div class="thumbnail"></div><div class="body"><h3 class="no-anchor listing-title"><a href="b.html" class="no-external">Leaves</a></h3><div class="listing-subtitle"></div><div class="delink listing-description"><a href="b.html">They fall.</a></div></div><div class="metadata"><a href="b.html"><div class="listing-date">Jan 1</div><div class="listing-author">Ann</div></a></div></div></div><div class="listing-no-matching d-none">No matching items</div></div>
</section>
<div id="quarto-appendix" class="default"><section id="footnotes" class="footnotes footnotes-end-of-document" role="doc-endnotes"><h2 class="anchored quarto-appendix-heading">Footnotes</h2><ol><li id="fn1"><p>Slowly.<a href="#fnref1" class="footnote-back" role="doc-backlink">↩︎</a></p></li></ol></section><section class="quarto-appendix-contents" id="quarto-reuse"><h2 class="anchored quarto-appendix-heading">Reuse</h2><div class="quarto-appendix-contents"><div><a rel="license" href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a></div></div></section><section class="quarto-appendix-contents" id="quarto-citation"><h2 class="anchored quarto-appendix-heading">Citation</h2><div><div class="quarto-appendix-secondary-label">BibTeX citation:</div><pre class="sourceCode code-with-copy quarto-appendix-bibtex"><code class="sourceCode bibtex">@online{a}</code></pre><div class="quarto-appendix-secondary-label">For attribution, please cite this work as:</div><div id="ref-a" class="csl-entry quarto-appendix-citeas" role="listitem">Ann. n.d.</div></div></section></div></main>
<nav class="page-navigation"><div class="nav-page nav-page-previous"><a href="a.html" class="pagination-link"><span class="nav-page-text">Home</span></a></div></nav></div><footer class="footer"><div class="nav-footer">Foot</div></footer></body></html>"""


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (STARLIGHT, ["_top: Trees: paragraph 'Grow them[1].'",
                     "split: Split: paragraph 'fit.py'; code 'def f(x):\\n    return x'; code 'ls'; "
                     "admonition 'Gini\\nSquares.'; admonition 'Entropy\\nLogs.'; admonition 'Mind\\nPrune.'; list '- a.py'",
                     "footnote-label: Footnotes: list '1. Slowly.'"]),
        (STARLIGHT_HOME, ["_top: Course: paragraph 'Learn trees well.'",
                          "next: Next steps: paragraph 'Read on, week by week, and do what each of them asks.'; "
                          "paragraph 'Ask'; paragraph 'Here.'"]),
        (VITEPRESS, ["trees: Trees: code 'a = 1\\nb = 2'; admonition 'npm\\nnpm i'; admonition 'pnpm\\npnpm i'; "
                     "admonition 'TIP\\nPrune.'"]),
        (VITEPRESS_HOME, ["VPContent: Course: paragraph 'Learn.'; paragraph 'Trees'; paragraph 'Grow.'",
                          "how: How: paragraph 'By reading.'"]),
        (DOCUSAURUS_POST, ["top: Welcome: paragraph 'Hello.'; admonition 'macOS\\nBrew.'; admonition 'Windows\\nChoco.'"]),
        (MDBOOK, ["appendix-a-keywords: Appendix A: Keywords: paragraph 'Words[1].'; code 'let x = 1;'; list '1. Reserved.'"]),
        (JEKYLL, ["top: Trees: paragraph 'Grow[1] x^2 of them.'; math 'y = 3'",
                  "split: Split: paragraph 'Last split.'; list '1. Slowly.'"]),
        (MYSTMD, ["skip-to-frontmatter: Trees: paragraph 'How they grow'", "split: Split: admonition 'Note\\nPrune.'; code 'a = 1'"]),
        (JUST_THE_DOCS, ["trees: Trees: paragraph 'Grow.'"]),
        (WORKBENCH, ["main-content: Loops: paragraph 'Overview'; paragraph 'Questions'; list '- How to repeat?'; paragraph 'Objectives'; "
                     "list '- Write a loop.'",
                     "loops-at-work: Loops at work: paragraph 'They repeat.'; code 'for x'; admonition 'Write one\\nDo it.'; "
                     "paragraph 'Done.'; admonition 'Key Points\\n- Loops repeat.'"]),
        (BOOKDOWN, ["trees: Chapter 1 Trees: paragraph 'Grow.'", "split: 1.1 Split: paragraph 'Cut.'"]),
        (PKGDOWN, ["main: Trees: paragraph 'Grow.'", "split: Split: paragraph 'Cut.'"]),
        (QUARTO, ["quarto-document-content: Trees: paragraph 'How they grow'; paragraph 'A page about trees.'; "
                  "paragraph 'Abstract'; paragraph 'They split.'",
                  "split: Split: paragraph 'See Figure 1[1].'; code 'a = 1'; code '1'; figure 'A tree\\nFigure 1: A tree'; "
                  "admonition 'R\\nrpart'; admonition 'Python\\nsklearn'; admonition 'Mind\\nPrune. x^2'; "
                  "paragraph 'Theorem 1 (Growth) They grow.'; math 'y = 3'; paragraph 'Leaves'; paragraph 'They fall.'",
                  "footnotes: Footnotes: list '1. Slowly.'"]),
        (HUGO, ["top: Trees: paragraph 'Grow.'"]),
    ],
    ids=["starlight", "starlight-home", "vitepress", "vitepress-home", "docusaurus-post", "mdbook", "jekyll", "mystmd", "just-the-docs", "workbench", "bookdown", "pkgdown", "quarto", "hugo"],
)  # fmt: skip
def test_pages_of_real_generators(html, expected):
    assert lines(html) == expected


def test_the_language_of_code_that_its_attributes_say():
    page = read_page(STARLIGHT, "x.html")
    assert [b.language for s in page.sections for b in s.blocks if b.kind == "code"] == ["python", "bash"]


@pytest.mark.parametrize(
    ("head", "first", "title"),
    [
        ("A - Keywords - The Book", "Appendix A: Keywords", "Appendix A: Keywords"),
        ("Trees - Growing - The Book", "Overview", "Trees - Growing"),
        ("Trees | Course", "Trees", "Trees"),
    ],
)
def test_a_page_without_a_heading_of_level_1_is_called_what_its_head_or_its_first_heading_says(head, first, title):
    html = f"<title>{head}</title><main><h2 id=a>{first}</h2><p>x</p><h3 id=b>B</h3><p>y</p></main>"
    assert read_page(html, "x.html").title == title


HUGO_CODE = """<main><h1 id="a">A</h1><table><tr><td><pre><code><span style="user-select:none">{left}</span></code></pre></td><td><pre><code
class="language-go" data-lang="go">{right}</code></pre></td></tr></table></main>"""


def test_numbers_of_lines_in_a_cell_of_their_own_are_no_text_and_what_code_prints_is():
    assert lines(HUGO_CODE.format(left="1\n2\n", right="package main\nvar a")) == ["a: A: code 'package main\\nvar a'"]
    numbered = HUGO_CODE.replace('<span style="user-select:none">{left}</span>', "{left}")
    assert lines(numbered.format(left="7\n8\n", right="package main\nvar a")) == ["a: A: code 'package main\\nvar a'"]
    assert lines(numbered.format(left="print(1)", right="1")) == ["a: A: code 'print(1)'; code '1'"]
    assert lines(numbered.format(left="1\n2", right="one")) == ["a: A: code '1\\n2'; code 'one'"]


def test_a_date_and_tags_by_themselves_are_no_text():
    html = """<main><h1 id="a">A</h1><time datetime="2024">January 1, 2024</time><p>On <time>May 1</time> we meet.</p>
<p>See <a href="/tags/red/">red</a> and other things that were said of it there.</p>
<div><div>Tags:</div><ul><li><a href="/tags/red/">Red</a></li></ul></div></main>"""
    assert lines(html) == [
        "a: A: paragraph 'On May 1 we meet.'; paragraph 'See red and other things that were said of it there.'"
    ]


CHIRPY = """<html><head><title>Installing Go | Course</title></head><body><main><article><h1 data-toc-skip>Installing Go</h1><div class="post-meta">Posted</div><div
class="post-content"><p>First.</p><h1 id="download">Download</h1><div class="language-sh highlighter-rouge"><div class="code-header"><span data-label-text="Shell"></span></div><div class="highlight"><code><table
class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">1
</pre></td><td class="rouge-code"><pre>curl x
</pre></td></tr></tbody></table></code></div></div><h1 id="run">Run</h1><p>Go.</p></div></article></main></body></html>"""


def test_the_title_above_a_post_that_has_headings_of_level_1_itself():
    page = read_page(CHIRPY, "x.html")
    assert page.title == "Installing Go"
    assert lines(CHIRPY) == [
        "top: Installing Go: paragraph 'First.'",
        "download: Download: code 'curl x'",
        "run: Run: paragraph 'Go.'",
    ]
    assert [b.language for s in page.sections for b in s.blocks if b.kind == "code"] == ["sh"]


def test_a_frame_of_menus_is_not_the_main_element_whatever_its_name():
    html = """<body><div id="main-content"><nav>Home</nav><button>Go</button><iframe></iframe></div>
<div class="page"><h1 id="a">A</h1><p>x</p></div></body>"""
    assert lines(html) == ["a: A: paragraph 'x'"]


def test_a_title_that_theme_and_text_both_have_stands_once():
    assert lines('<main><div><h1 id="top-of-it">A</h1></div><h1 id="a">A</h1><p>x</p></main>') == [
        "a: A: paragraph 'x'"
    ]


MARP = """<html><body><div class="bespoke-marp-osc"><button>Next slide</button></div><div id=":$p"><svg data-marpit-svg="" viewBox="0 0 1280 720"><foreignObject width="1280"><section
id="1" data-footer="Foot"><header>Head</header><h1 id="trees">Trees</h1><p>Grow.</p><footer>Foot</footer></section></foreignObject></svg><svg data-marpit-svg=""><foreignObject><section id="2"><h2 id="split">Split</h2><p>Cut
<mjx-container class="MathJax" jax="SVG"><svg><defs></defs><g><use data-c="1D465"></use><use data-c="32"></use></g></svg></mjx-container></p></section></foreignObject></svg></div><div class="bespoke-marp-note" data-index="0"><p>Say hello.</p></div>
<div class="bespoke-marp-note" data-index="9"><p>Lost?</p></div></body></html>"""


def test_slides_of_a_deck_that_marp_has_built_are_cited_as_slides_with_their_notes():
    assert lines(MARP) == [
        "1: Trees: paragraph 'Grow.'; paragraph 'Say hello.'",
        "2: Split: paragraph 'Cut x2'; paragraph 'Lost?'",
    ]


def test_labels_in_a_drawing_are_read():
    svg = '<svg><g><foreignObject><div><span class="nodeLabel">Start</span></div></foreignObject><text>end</text></g></svg>'
    assert lines(f'<main><h1 id="a">A</h1><div>{svg}</div></main>') == ["a: A: paragraph 'Start'; paragraph 'end'"]


def test_tabs_with_sections_of_their_own_stay_sections():
    panels = '<div role="tabpanel" aria-labelledby="r"><h2 id="one">One</h2><p>a</p></div>'
    html = f'<main><h1 id="t">T</h1><div><ul role="tablist"><li role="tab" id="r">R</li></ul><div>{panels}</div></div></main>'
    assert lines(html) == ["t: T: paragraph 'R'", "one: One: paragraph 'a'"]


def test_a_heading_that_no_menu_shows_is_a_heading():
    assert (
        lines('<main><h1 id="a">A</h1><p>x</p><h2 class="no_toc in-toc" id="b">B</h2><p>y</p></main>')[1]
        == "b: B: paragraph 'y'"
    )


def test_a_heading_called_contents_that_has_some_is_a_heading():
    assert lines('<main><h1 id="a">A</h1><h2 id="b">Contents</h2><p>of the box</p></main>') == [
        "a: A: ",
        "b: Contents: paragraph 'of the box'",
    ]


PAGE = "<html lang={lang}><body><main><h1>{title}</h1><p>{title}, in its own words.</p></main></body></html>"
REDIRECT = '<html><head><meta http-equiv="refresh" content="0; url=/a/"></head></html>'
LIST = '<html><body><main><h1>Python</h1><h2><a href="/a/">A</a></h2><p>It begins so.</p></main></body></html>'


def page(title: str, lang: str = "en") -> str:
    return PAGE.format(title=title, lang=lang)


def test_pages_that_are_lists_or_ways_to_others_are_left_out_and_named(tmp_path):
    pages = {
        "index.html": page("Home"),
        "a/index.html": page("A"),
        "old.html": REDIRECT,
        "tags/python/index.html": LIST,
        "html/tags/index.html": page("Tags of HTML"),
        "blog/index.html": '<html class="plugin-blog blog-list-page"><body><main><p>All</p></main></body></html>',
        "docs/next/a/index.html": '<html class="docs-wrapper plugin-docs"><div class="theme-doc-version-banner">Next</div></html>',
        "docs/category/b/index.html": '<html class="plugin-docs"><main><div class="generatedIndexPage_x">B</div></main></html>',
        "print.html": '<html><head><meta name="robots" content="noindex"></head><main><h1>A</h1></main></html>',
        "lessons/print.html": page("How to print"),
        "search.html": "<html><main><h1>Search</h1><form><input></form></main></html>",
        "ai/search.html": f"<html><main><h1>Search</h1><p>{'Breadth first. ' * 30}</p></main></html>",
        "404.html": page("Nothing"),
    }
    found = catalogue(tmp_path, pages)
    assert read_paths(found) == [
        "a/index.html",
        "ai/search.html",
        "html/tags/index.html",
        "index.html",
        "lessons/print.html",
    ]
    assert [warning.kind for warning in found.warnings] == ["left-out"] * 4
    told = "\n".join(warning.message for warning in found.warnings)
    for path in set(pages) - set(read_paths(found)) - {"404.html", "search.html"}:
        assert path in told


def test_a_list_is_read_when_the_settings_name_a_reader_for_it(tmp_path):
    found = catalogue(tmp_path, {"tags/python/index.html": LIST}, '[sources.readers]\n"tags/**" = "html"\n')
    assert read_paths(found) == ["tags/python/index.html"]
    assert found.warnings == ()


TWO = {"index.html": page("A"), "b.html": page("B"), "de/index.html": page("A", "de"), "de/b.html": page("B", "de")}


@pytest.mark.parametrize(
    ("settings", "read"),
    [
        ("", ["b.html", "index.html"]),
        ('[course]\nlanguage = "de"\n', ["de/b.html", "de/index.html"]),
        ('[course]\nlanguage = "fr"\n', ["b.html", "index.html"]),
    ],
)
def test_of_pages_in_two_languages_those_of_the_course_are_read(tmp_path, settings, read):
    found = catalogue(tmp_path, TWO, settings)
    assert read_paths(found) == read
    assert [warning.kind for warning in found.warnings] == ["left-out"]
    assert "2 pages translate" in found.warnings[0].message


def test_folders_named_for_languages_are_languages_where_one_is_the_course_s(tmp_path):
    pages = {f"{folder}/a.html": f"<main><h1>{folder}</h1></main>" for folder in ("ar-MA", "de-DE", "en-US")}
    found = catalogue(tmp_path / "with", pages)
    assert read_paths(found) == ["en-US/a.html"]
    (warning,) = found.warnings
    assert "2 pages translate" in warning.message
    assert "in ar-MA/, de-DE/;" in warning.message
    code = {f"{folder}/a.html": f"<main><h1>{folder}</h1></main>" for folder in ("js", "py", "go")}
    assert len(read_paths(catalogue(tmp_path / "without", code))) == 3


def test_a_page_that_no_other_translates_is_read(tmp_path):
    pages = {**TWO, "de/c.html": page("C", "de"), "de.html": page("German", "de"), "es/index.html": page("x", "")}
    found = catalogue(tmp_path, pages)
    assert read_paths(found) == ["b.html", "de.html", "de/c.html", "es/index.html", "index.html"]


def texinfo(name: str, number: int) -> str:
    return f"""<html><head><title>{name} (The Book of Trees (version 2))</title></head><body><p>Draft of the year</p>
<div class="section" id="{name}"><div class="header"><p>Next: <a href="b.html" accesskey="n" rel="next">B</a>, Up: <a href="a.html"
accesskey="u" rel="up">A</a> &nbsp; [<a href="toc.html" rel="contents">Contents</a>][<a href="ix.html" rel="index">Index</a>]</p></div><hr>
<h3 class="section">{number}.1 {name}</h3><p>{name} and its text.</p><p>Exercise</p></div><p>Printed by <a href="https://x.org">us</a></p></body></html>"""


def test_what_most_pages_begin_or_end_with_alike_is_left_out_and_named(tmp_path):
    names = ("Roots", "Trunk", "Bark", "Leaves", "Fruit", "Seeds")
    pages = {f"{name}.html": texinfo(name, number) for number, name in enumerate(names)}
    found = catalogue(tmp_path, {**pages, "alone.html": "<p>Draft of the year</p>"})
    config = load_config(tmp_path)
    documents = {lecture.id: read(lecture.sources[0], config, lecture) for lecture in found.lectures}
    assert [str(warning) for warning in found.warnings] == [
        "site: left out where pages begin or end with it, as most do: Draft of the year; Exercise; Printed by us. [running-text]"
    ]
    assert outline(documents["Roots"]) == ["None 0.1 Roots | paragraph: 'Roots and its text.'"]
    assert words("Draft of the year") <= words_of(documents["alone"]), "a page that holds nothing else is read"


def test_few_pages_that_begin_alike_are_read_whole(tmp_path):
    found = catalogue(tmp_path, {f"{name}.html": texinfo(name, 1) for name in ("Roots", "Trunk")})
    assert found.warnings == ()


ASCIIDOC = """<html><body class="article"><div id="header"><h1>git-add</h1><span id="author">Ann</span><span id="revdate">2009</span>
<h2>Name</h2><div class="sectionbody"><p>git-add - add files</p></div></div><div id="content"><div class="sect1"><h2 id="_use">Use</h2>
<div class="sectionbody"><p>Add<sup class="footnote">[<a href="#_footnotedef_1">1</a>]</sup>.</p></div></div></div><div id="footnotes"><hr><div
class="footnote" id="_footnotedef_1"><a href="#_footnoteref_1">1</a>. Often.</div></div><div id="footer"><div id="footer-text">Last updated 2024</div></div></body></html>"""


def test_a_page_of_asciidoc_begins_in_its_header():
    assert lines(ASCIIDOC) == [
        "header: git-add: paragraph 'Name'; paragraph 'git-add - add files'", "_use: Use: paragraph 'Add[1].'; paragraph '1. Often.'"
    ]  # fmt: skip


def test_headings_that_lead_back_to_the_contents_and_numbers_of_footnotes_stay():
    html = """<main><section id="faq"><h1>FAQ</h1><p>It is<a class="footnote-reference brackets" href="#f1" id="r1" role="doc-noteref"><span
class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a>.</p><section id="why"><h2><a class="toc-backref" href="#id1" role="doc-backlink">Why so?</a></h2>
<aside class="footnote brackets" id="f1" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink"
href="#r1">1</a><span class="fn-bracket">]</span></span><p>So.</p></aside></section></section></main>"""
    assert lines(html) == ["faq: FAQ: paragraph 'It is[1].'", "why: Why so?: paragraph '[1] So.'"]


DOCSIFY = '<html><body><div id="app"></div><script>window.$docsify = {}</script><script src="//cdn/docsify@4"></script></body></html>'


def test_a_site_that_a_script_writes_in_the_browser_is_refused_with_a_word_on_what_to_read(tmp_path):
    found = catalogue(tmp_path, {"index.html": DOCSIFY})
    config = load_config(tmp_path)
    with pytest.raises(SourceNotFoundError) as raised:
        read_lectures(config, found, lambda done, of: None, [])
    assert "Docsify writes it when the page is shown" in str(raised.value)
    assert "without --site" in str(raised.value)


def test_a_site_without_a_page_says_which_folder_is_meant(tmp_path):
    found = catalogue(tmp_path, {"a.txt": ""})
    with pytest.raises(SourceNotFoundError, match="_build/html"):
        read_lectures(load_config(tmp_path), found, lambda done, of: None, [])


def test_files_of_a_site_that_are_no_pages_are_named(tmp_path):
    found = catalogue(
        tmp_path, {"a.html": page("A"), "a.pdf": "", "week1/slides.pdf": "", "deck.pptx": "", "a.css": ""}
    )
    assert [f"{warning.kind}: {warning.message}" for warning in found.warnings] == [
        f"unread-format: {name} is not read: {path}; of a site its pages are; build from the files themselves, without --site, to have these too, or exclude it."
        for name, path in (("PDF", "week1/slides.pdf"), ("PowerPoint", "deck.pptx"))
    ]


def test_pages_that_are_excluded_or_dated_are_not_compared(tmp_path):
    names = ("Roots", "Trunk", "Bark", "Leaves", "Fruit", "Seeds")
    pages = {
        f"later/{name}.html": texinfo(name, number).replace("Draft", "SECRET") for number, name in enumerate(names)
    }
    dates = "".join(f'[lectures."later/{name}"]\nrelease = 2027-01-01\n' for name in names)
    found = catalogue(tmp_path, {**pages, "a.html": page("A")}, dates)
    assert read_paths(found) == ["a.html"]
    assert "SECRET" not in "".join(str(warning) for warning in found.warnings)
    found = catalogue(tmp_path, {}, 'exclude = ["later/**"]\n')
    assert "SECRET" not in "".join(str(warning) for warning in found.warnings)
    assert "SECRET" in "".join(str(warning) for warning in catalogue(tmp_path, {}).warnings)
