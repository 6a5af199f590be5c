"""What the pages of a course hold beside their text."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import date

import pytest

from openbook.errors import ClientMissingError
from openbook.pages.assets import load_client, own_digests, write_assets
from openbook.pages.links import page_facts
from openbook.pages.policies import READING_POLICY, asking_policy

DECK = """---
marp: true
title: A deck
---

<!-- _class: lead -->

# A deck

Text

<!--
Say *hello*.

- and wave
-->

---

## Wear

### Detail

- a[^1]

[^1]: A footnote.

---

Only text
"""
NOTES = "---\ntitle: Wear\nweek: 2\ntags: [pumps, wear]\n---\n# Wear\n\n## One\n\n### Deep\n\n#### Deeper\n\n## Two\n"
FILES = {
    "lectures/l01/notes.md": "---\nlecture: 1\n---\n# First & foremost\n",
    "lectures/l02/notes.md": NOTES.replace("week: 2", "week: 2\nlecture: 2"),
    "lectures/l02/slides.md": DECK.replace("marp: true", "marp: true\nlecture: 2"),
    "lectures/l03/notes.md": "---\nlecture: 3\ntitle: Third\n---\nNo heading\n",
}


@pytest.fixture
def site(course):
    return course(FILES)


def test_notes_link_to_their_neighbours_their_deck_and_the_question_box(site):
    page = site.page("lectures/l02/notes.html")
    assert (
        '<a rel="prev" href="../l01/notes.html"><span>Previous</span><bdi lang="en">First &amp; foremost</bdi></a>'
        in page
    )
    assert '<a rel="next" href="../l03/notes.html">' in page
    assert '<a class="button" href="slides.html">Slides</a>' in page
    assert '<a class="button" href="../../index.html?lecture=l02">Ask about this lecture</a>' in page


def test_the_contents_have_two_levels_below_the_title(site):
    contents = site.page("lectures/l02/notes.html").split('<nav class="contents"')[1].split("</nav>")[0]
    assert re.findall(r'href="(#[^"]+)"', contents) == ["#one", "#deep", "#two"]


def test_a_page_has_exactly_one_first_heading(site):
    for url in site.report.pages:
        assert site.page(url).count("<h1") == 1, url


def test_a_document_without_a_first_heading_shows_its_title(site):
    assert "<h1>Third</h1>" in site.page("lectures/l03/notes.html")


def test_each_slide_has_its_anchor_number_and_notes(site):
    page = site.page("lectures/l02/slides.html")
    slides = re.findall(r'<li class="(slide[^"]*)" id="([^"]+)" tabindex="-1">', page)
    assert slides == [("slide lead", "a-deck"), ("slide", "wear"), ("slide", "slide-3")]
    assert page.count('<details class="speaker-notes">') == 1
    assert "<p>Say <em>hello</em>.</p>\n<ul>\n<li>and wave</li>\n</ul>" in page
    link = '<span class="visually-hidden">Link to slide 3</span><span aria-hidden="true">3 / 3</span>'
    assert f'<a href="#slide-3">{link}</a>' in page
    assert page.count('id="wear"') == 1


def test_headings_of_slides_stand_below_the_page_s_own(site):
    page = site.page("lectures/l02/slides.html")
    assert "<h2>A deck</h2>" in page
    assert "<h2>Wear</h2>" in page
    assert '<h3 id="detail">Detail</h3>' in page


def test_a_footnote_stands_on_its_slide(site):
    second = site.page("lectures/l02/slides.html").split('id="wear"')[1].split('id="slide-3"')[0]
    assert '<a href="#fn1">1</a>' in second
    assert "A footnote." in second


def test_the_overview_lists_released_lectures_by_week(site):
    page = site.page("lectures/index.html")
    assert "3 lectures released as of 2026-10-01" in page
    assert page.index("First &amp; foremost") < page.index("Week 2") < page.index('href="l02/notes.html"')
    assert 'href="l02/slides.html"' in page


def test_nothing_of_an_unreleased_lecture_is_written(course):
    files = {**FILES, "lectures/l04/notes.md": "---\ntitle: Fourth\nrelease: 2026-12-01\n---\n# Fourth\n"}
    site = course(files)
    assert not any("Fourth" in site.page(url) or "l04" in site.page(url) for url in site.report.pages)
    assert "Fourth" in course(files, as_of=date(2026, 12, 1)).page("lectures/index.html")


def test_no_page_holds_inline_scripts_or_styles_and_each_states_its_policy(site):
    for url in site.report.pages:
        page = site.page(url)
        assert f'<meta http-equiv="Content-Security-Policy" content="{READING_POLICY}">'.replace("'", "&#39;") in page
        assert "style=" not in page
        assert "<style" not in page
        assert not re.search(r"<script(?![^>]*\ssrc=)", page)
        assert not re.search(r"<[^>]+\son\w+=", page)


def test_the_same_course_gives_the_same_bytes(course):
    def digests(site):
        return {file: hashlib.sha256((site.out / file).read_bytes()).hexdigest() for file in site.report.files}

    first = digests(course(FILES))
    assert digests(course(FILES)) == first


def test_every_file_in_the_site_is_reported(site):
    there = {path.relative_to(site.out).as_posix() for path in site.out.rglob("*") if path.is_file()}
    assert there == set(site.report.files)


def test_lectures_in_folders_of_folders_find_the_root(course):
    site = course({"lectures/part one/a/b/notes.md": "# Ü\n"})
    page = site.page("lectures/part one/a/b/notes.html")
    assert 'href="../../../../index.html"' in page
    assert 'href="part%20one/a/b/notes.html"' in site.page("lectures/index.html")
    assert all(not a.startswith("assets/") for a in page_facts(page).addresses)


def test_another_language_is_declared_and_the_frame_is_marked_english(course):
    settings = '[course]\ntitle = "دورة"\nlanguage = "ar"\n[sources]\nroot = "lectures"\n'
    page = course({"lectures/a/notes.md": "# مضخات\n"}, settings=settings).page("lectures/a/notes.html")
    assert '<html lang="ar" dir="rtl">' in page
    assert '<nav aria-label="Site" lang="en" dir="ltr">' in page


def test_the_title_of_a_course_is_escaped(course):
    settings = '[course]\ntitle = \'<b>"&\'\n[sources]\nroot = "lectures"\n'
    page = course({"lectures/a/notes.md": "# A\n"}, settings=settings).page("lectures/a/notes.html")
    assert "<title>A · &lt;b&gt;&#34;&amp;</title>" in page


def test_the_client_s_entry_imports_and_styles_come_from_its_manifest(client, tmp_path):
    assets = write_assets(tmp_path / "dist", client=client)
    assert assets.client.entry == "assets/page-1.js"
    assert assets.client.preloads == ("assets/b.js", "assets/a.js")
    assert assets.client.styles == ("assets/b.css", "assets/p.css")
    assert (tmp_path / "dist/assets/model.wasm").is_file()
    assert not (tmp_path / "dist/.vite").exists()


def test_index_html_loads_the_client_and_says_what_it_needs_without(client, course, tmp_path):
    from openbook.pages.render import render_site

    site = course(FILES)
    report = render_site(site.config, site.catalogue, (), tmp_path / "dist", client=client)
    assert "index.html" in report.pages
    page = (tmp_path / "dist/index.html").read_text()
    assert '<script type="module" src="assets/page-1.js"></script>' in page
    assert '<link rel="modulepreload" href="assets/b.js">' in page
    assert '<open-book-app manifest="index/manifest.json" offline></open-book-app>' in page
    assert asking_policy(site.config.settings.generation).replace("'", "&#39;") in page
    noscript = page.split("<noscript>")[1].split("</noscript>")[0]
    assert 'href="lectures/index.html"' in noscript
    assert "JavaScript" in noscript


def entries(chunk: dict[str, str]) -> str:
    """A manifest in which each entry is the same chunk."""
    names = ("src/main.ts", "src/frame.ts", "src/openbook.ts")
    return json.dumps({name: {"isEntry": True, **chunk} for name in names})


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        (None, "has not been built"),
        ("{", "is not a manifest"),
        ("[]", "is not a manifest"),
        ("{}", "names no entry src/main.ts"),
        (entries({}), "is not a manifest"),
        (entries({"file": "assets/none.js"}), "has assets/none.js in the place of openbook.js"),
        (entries({"file": "openbook.js"}), "names openbook.js, which is not there"),
    ],
)
def test_a_missing_client_says_what_to_run(tmp_path, manifest, message):
    if manifest is not None:
        (tmp_path / ".vite").mkdir()
        (tmp_path / ".vite/manifest.json").write_text(manifest)
    with pytest.raises(ClientMissingError, match=message) as caught:
        load_client(tmp_path)
    assert "make client" in str(caught.value)


def test_the_package_s_own_files_are_known_by_their_digests(client, site):
    digests = own_digests(client)
    assert hashlib.sha256(b"frame-1.js").digest() in digests
    own = [file for file in site.report.files if file.startswith("assets/")]
    assert own
    assert all(hashlib.sha256((site.out / file).read_bytes()).digest() in digests for file in own)
