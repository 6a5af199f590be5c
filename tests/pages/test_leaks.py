"""The check of a built site finds whatever an unreleased lecture left in it, however it is dressed."""

from __future__ import annotations

import html
import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openbook.course.catalogue import load_catalogue
from openbook.errors import LeakError
from openbook.pages.leak_texts import WINDOW_LETTERS, WINDOW_WORDS, windows, words_of
from openbook.pages.leaks import find_leaks

RELEASED = """---
title: Pumps
---
# Pumps

A pump moves water from a low place to a high place.

```{index} pump
```

Bearings wear out long before the housing does.
"""
SENTENCE = "Cavitation pits the impeller when the suction pressure is too low."
HIDDEN = f"""---
title: The secret of cavitation
lecture: 2
release: 2026-12-01
---
# The secret of cavitation

## Bubbles that bite metal

{SENTENCE}
The **net positive** [suction head](https://example.org/npsh) of `pump_curve` matters & nothing else does.

![Bubbles](figures/bubbles.svg)

当吸入压力过低时，叶轮表面会产生气泡并且受到侵蚀。

- short line
"""
FILES = {
    "lectures/l01/notes.md": RELEASED,
    "lectures/l01/figures/pump.svg": '<svg xmlns="http://www.w3.org/2000/svg"><g id="pump"/></svg>',
    "lectures/l02-cavitation/notes.md": HIDDEN,
    "lectures/l02-cavitation/figures/bubbles.svg": '<svg xmlns="http://www.w3.org/2000/svg"><g id="b"/></svg>',
}


@pytest.fixture
def site(course):
    return course(FILES)


def search(site, as_of=None, **options):
    catalogue = load_catalogue(site.config, as_of) if as_of else site.catalogue
    return find_leaks(site.out, site.config, catalogue, **options)


def put(site, name, content):
    path = site.out / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def found(site, name, content):
    put(site, name, content)
    return {(leak.kind, leak.line) for leak in search(site).leaks if leak.file == name}


def test_a_site_built_by_the_rules_passes(site):
    report = search(site)
    assert report.leaks == ()
    assert (report.sources, report.windows > 10) == (1, True)
    report.raise_for_leaks()


def test_a_released_lecture_is_no_leak(course):
    later = date(2026, 12, 1)
    site = course(FILES, as_of=later)
    assert "Cavitation pits" in site.page("lectures/l02-cavitation/notes.html")
    assert search(site).leaks == ()
    assert search(site, as_of=later).sources == 0


def test_a_site_built_too_early_is_caught_in_every_file(course):
    built = course(FILES, as_of=date(2026, 12, 1))
    report = search(built, as_of=date(2026, 10, 1))
    kinds = {(leak.file, leak.kind) for leak in report.leaks}
    page = "lectures/l02-cavitation/notes.html"
    assert {(page, "text"), (page, "title"), (page, "heading"), (page, "name")} <= kinds
    assert ("lectures/index.html", "title") in kinds
    assert ("lectures/l02-cavitation/figures/bubbles.svg", "file") in kinds
    with pytest.raises(LeakError) as caught:
        report.raise_for_leaks()
    assert "lectures/l02-cavitation/notes.md:10" in str(caught.value)


ESCAPES = {
    "plain.txt": SENTENCE,
    "upper.txt": SENTENCE.upper(),
    "wrapped.md": SENTENCE.replace(" ", "\n  "),
    "page.html": f"<p>{SENTENCE}</p>",
    "escaped.html": "<p>" + "".join(f"&#{ord(c)};" for c in SENTENCE) + "</p>",
    "marked.html": "<p>" + " ".join(f"<em>{word[0]}</em>{word[1:]}" for word in SENTENCE.split()) + "</p>",
    "attribute.html": f'<img alt="{SENTENCE}">',
    "comment.html": f"<!-- {SENTENCE} -->",
    "address.html": f'<a href="?q={SENTENCE.replace(" ", "%20")}">x</a>',
    "svg.svg": f"<svg><title>{SENTENCE}</title></svg>",
    "data.json": json.dumps({"a": [{"text": SENTENCE}]}),
    "escaped.json": '{"a": "' + "".join(f"\\u{ord(c):04x}" for c in SENTENCE) + '"}',
    "html-in.json": json.dumps(html.escape(SENTENCE)),
    "split.json": json.dumps({"passages": [{"text": SENTENCE[:35], "n": 1}, {"text": SENTENCE[35:], "n": 2}]}),
    "words.json": json.dumps(SENTENCE.split()),
    "key.json": json.dumps({SENTENCE: 1}),
    "broken.json": '{"a": "' + SENTENCE,
    "script.js": f"const a = '{SENTENCE}'",
    "escaped.js": 'const a = "' + "".join(f"\\x{ord(c):02x}" for c in SENTENCE) + '"',
    "unicode.mjs": "const a = `" + "".join(f"\\u{{{ord(c):x}}}" for c in SENTENCE) + "`",
    "lines.js": 'const a = "' + SENTENCE.replace(" ", "\\n") + '"',
    "sheet.css": f'a::before {{ content: "{SENTENCE}" }}',
    "no-suffix": SENTENCE,
}


@pytest.mark.parametrize("name", ESCAPES)
def test_a_sentence_is_found_however_it_is_written(site, name):
    assert ("text", 10) in found(site, f"other/{name}", ESCAPES[name])


def test_markup_of_the_source_does_not_hide_its_text(site):
    page = (
        "<p>The <b>net positive</b> <a href='x'>suction head</a> of <code>pump_curve</code> matters &amp; nothing</p>"
    )
    assert ("text", 11) in found(site, "a.html", page)


def test_a_script_without_spaces_is_searched_too(site):
    assert ("text", 15) in found(site, "a.html", "<p>叶轮表面会产生<b>气泡并且</b>受到侵蚀</p>")


def test_titles_headings_and_ids_are_found_alone(site):
    assert found(site, "a.json", '["The Secret of Cavitation"]') == {("title", 2)}
    assert found(site, "b.html", "<h2>Bubbles that <i>bite</i> metal</h2>") == {("heading", 8)}
    assert found(site, "c.html", '<a href="../l02-cavitation/notes.html">x</a>') == {("name", 1)}
    assert found(site, "lectures/l02-cavitation/x.bin", b"\0") == {("name", 1)}


def test_a_term_that_only_the_unreleased_lecture_has_is_found_in_the_index(site):
    terms = [["pump", {"0": {"0": 1}}], ["cavitation", {"1": {"0": 1}}], ["water", {"0": {"0": 1}}]]
    put(site, "index/terms-0-abc.json", json.dumps(terms))
    leaks = search(site).leaks
    assert [(leak.kind, leak.text, leak.source) for leak in leaks] == [
        ("term", "cavitation", "lectures/l02-cavitation/notes.md")
    ]
    put(site, "index/terms-0-abc.json", json.dumps(terms[::2]))
    put(site, "index/keyword-abc.json", json.dumps({"index": [["pump_curve", {}], ["bearings", {}]]}))
    assert [leak.text for leak in search(site).leaks] == ["pump_curve"]


def test_a_copied_picture_is_found_under_any_name(site):
    put(site, "assets/1.bin", FILES["lectures/l02-cavitation/figures/bubbles.svg"])
    put(site, "assets/2.bin", FILES["lectures/l01/figures/pump.svg"])
    assert [(leak.file, leak.kind, leak.text) for leak in search(site).leaks] == [
        ("assets/1.bin", "file", "bubbles.svg")
    ]


def test_a_picture_that_a_released_lecture_shows_too_is_public(course):
    shared = {**FILES, "lectures/l01/figures/bubbles.svg": FILES["lectures/l02-cavitation/figures/bubbles.svg"]}
    site = course({**shared, "lectures/l01/notes.md": RELEASED + "\n![b](figures/bubbles.svg)\n"})
    assert (site.out / "lectures/l01/figures/bubbles.svg").is_file()
    assert search(site).leaks == ()


def test_what_a_released_lecture_says_too_is_public(course):
    site = course({**FILES, "lectures/l01/notes.md": RELEASED + f"\n## The secret of cavitation\n\n{SENTENCE}\n"})
    assert search(site).leaks == ()


def test_text_that_only_meets_on_the_page_is_public(course):
    """In the source an index entry stands between two paragraphs that follow each other on the page."""
    hidden = HIDDEN + "\nFrom a low place to a high place. Bearings wear out long before.\n"
    assert search(course({**FILES, "lectures/l02-cavitation/notes.md": hidden})).leaks == ()


def test_files_that_come_with_openbook_are_not_searched(site):
    import hashlib

    put(site, "assets/client.js", f"// {SENTENCE}")
    assert search(site).leaks
    assert search(site, skip=[hashlib.sha256(f"// {SENTENCE}".encode()).digest()]).leaks == ()


def test_a_lecture_that_is_one_file_hides_only_its_own_pictures(course):
    site = course(
        {
            "lectures/a.md": "# A\n\n![x](x.svg)\n",
            "lectures/b.md": "---\nrelease: 2027-01-01\n---\n# B\n\n![y](y.svg)\n",
            "lectures/x.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
            "lectures/y.svg": "<svg xmlns='http://www.w3.org/2000/svg'><g/></svg>",
        }
    )
    assert search(site).leaks == ()
    put(site, "z", "<svg xmlns='http://www.w3.org/2000/svg'><g/></svg>")
    assert [(leak.file, leak.kind, leak.line) for leak in search(site).leaks] == [("z", "file", 6)]


WORDS = st.lists(st.sampled_from(["pump", "a", "impeller", "of", "气", "泡", "cavitation", "to"]), max_size=40)


@given(WORDS, WORDS, WORDS)
def test_windows_do_not_depend_on_what_stands_around(before, text, behind):
    inner = {window for _, window in windows(text)}
    assert inner <= {window for _, window in windows([*before, *text, *behind])}


@given(WORDS)
def test_windows_are_the_shortest_that_are_long_enough(words):
    weigh = lambda run: sum(len(word) * (3 if word in "气泡" else 1) for word in run)  # noqa: E731
    long_enough = lambda run: len(run) >= WINDOW_WORDS and weigh(run) >= WINDOW_LETTERS  # noqa: E731
    expected = []
    for start in range(len(words)):
        ends = [end for end in range(start, len(words) + 1) if long_enough(words[start:end])]
        if ends:
            expected.append((start, tuple(words[start : ends[0]])))
    assert list(windows(words)) == expected


def test_words_are_folded():
    text = "The ﬁrst ＰＵＭＰ, STRASSE/straße: Zer\u00adlegung 气泡"
    assert " ".join(words_of(text)) == "the first pump strasse strasse zerlegung 气 泡"
