"""Notes and decks in a real browser."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe

from openbook.pages.serve import serving

pytestmark = pytest.mark.browser

LONG = "\n\n".join(f"## Part {n}\n\n" + "Water moves where pumps push it. " * 30 for n in range(8))
NOTES = f"""---
title: Pumps
week: 1
---
# Pumps

A pump, `code`, $\\frac{{a}}{{b}}$ and [the deck](slides.md).

:::{{admonition}} Definition: head
:class: tip
Energy per weight.
:::

| a very long column name indeed | another very long column name | and one more of these | still more |
|---|---|---:|---|
| `a_name_that_cannot_be_broken_at_all` | `another_name_that_cannot_be_broken` | 3 | `a_third_name_of_that_kind` |

```python
def a_function_with_a_long_name(parameter_one, parameter_two, parameter_three, parameter_four):  # and a comment
    return parameter_one
```

$$\\sum_{{i=1}}^n x_i + \\sum_{{i=1}}^n y_i + \\sum_{{i=1}}^n z_i + \\sum_{{i=1}}^n w_i = 0$$ (long)

- [x] done

Term
: Definition[^1]

[^1]: Note.

```{{figure}} pump.svg
:alt: A pump
Caption
```

{LONG}
"""
DECK = "---\nmarp: true\ntitle: Pumps\n---\n# Pumps\n\nText\n\n<!--\nSay hello.\n-->\n" + "".join(
    f"\n---\n\n## Slide {n}\n\n- point\n\n<!--\nSpoken {n}.\n-->\n" for n in range(2, 6)
)
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30"><rect width="40" height="30"/></svg>'
FILES = {
    "lectures/a/notes.md": NOTES,
    "lectures/a/slides.md": DECK,
    "lectures/a/pump.svg": SVG,
    "lectures/b/notes.md": "# B\n\nShort.\n",
}
PAGES = ["lectures/index.html", "lectures/a/notes.html", "lectures/a/slides.html", "lectures/b/notes.html"]


@pytest.fixture
def base(course):
    """Address of the built course, under a path as on a project page."""
    with serving(course(FILES).out, "/user/course/") as url:
        yield url


@pytest.fixture
def quiet(page):
    """A page on which nothing is reported and nothing foreign is asked for."""
    heard = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("requestfailed", lambda request: heard.append(request.url))
    page.on(
        "request", lambda request: heard.append(request.url) if urlsplit(request.url).hostname != "127.0.0.1" else None
    )
    yield page
    assert heard == []


@pytest.mark.parametrize("url", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_a_page_is_accessible_and_never_wider_than_the_window(quiet, base, url, scheme, width):
    quiet.set_viewport_size({"width": width, "height": 800})
    quiet.emulate_media(color_scheme=scheme)
    quiet.goto(base + url)
    assert quiet.evaluate("document.documentElement.scrollWidth") == width
    # In the page's own world axe's script would be refused by the page's policy; evaluate() runs it in the tools' one.
    results = Axe().run(quiet)
    serious = [v for v in results.response["violations"] if v["impact"] in {"serious", "critical"}]
    assert serious == [], [(v["id"], [node["html"][:200] for node in v["nodes"]]) for v in serious]


def test_every_link_on_every_page_can_be_followed_under_a_path(quiet, base):
    for url in PAGES:
        quiet.goto(base + url)
        for href in set(quiet.eval_on_selector_all("a[href]", "links => links.map(a => a.href)")):
            if href.partition("?")[0].endswith("/user/course/index.html"):
                continue  # the client is not part of this site
            assert href.startswith(base), href
            response = quiet.request.get(href)
            assert response.ok, href
            if "#" in href:
                from urllib.parse import unquote

                assert f'id="{unquote(href.split("#")[1])}"' in response.text()


def test_the_first_tab_stop_skips_to_the_content(quiet, base):
    quiet.goto(base + PAGES[1])
    quiet.keyboard.press("Tab")
    link = quiet.locator(".skip")
    assert link.evaluate("link => link === document.activeElement")
    assert link.bounding_box()["width"] > 20
    quiet.keyboard.press("Enter")
    assert quiet.evaluate("document.activeElement.tagName") == "MAIN"


def test_an_arriving_citation_is_marked(quiet, base):
    quiet.goto(base + PAGES[1] + "#part-5")
    mark = "getComputedStyle(document.querySelector('#part-5').parentElement, '::before').backgroundColor"
    other = mark.replace("#part-5", "#part-4")
    assert quiet.evaluate(mark) != quiet.evaluate(other)
    assert quiet.locator("#part-5").bounding_box()["y"] < 100


def test_the_contents_show_where_one_is(quiet, base):
    quiet.set_viewport_size({"width": 1440, "height": 800})
    quiet.goto(base + PAGES[1] + "#part-5")
    quiet.wait_for_selector('.contents a[aria-current][href="#part-5"]')


def test_on_a_phone_the_contents_are_folded(quiet, base):
    quiet.set_viewport_size({"width": 360, "height": 700})
    quiet.goto(base + PAGES[1])
    assert quiet.locator(".contents details[open]").count() == 0
    quiet.locator(".contents summary").click()
    quiet.get_by_role("link", name="Part 3", exact=True).first.click()
    assert quiet.url.endswith("#part-3")


def test_arrow_keys_turn_slides_and_n_opens_the_notes(quiet, base):
    quiet.set_viewport_size({"width": 1200, "height": 700})
    quiet.goto(base + PAGES[2])
    for expected in ("pumps", "slide-2", "slide-3"):
        quiet.keyboard.press("ArrowRight")
        assert quiet.evaluate("document.activeElement.id") == expected
        assert quiet.url.endswith(f"#{expected}")
    quiet.keyboard.press("ArrowLeft")
    assert quiet.evaluate("document.activeElement.id") == "slide-2"
    for _ in range(9):
        quiet.keyboard.press("ArrowRight")
    assert quiet.evaluate("document.activeElement.id") == "slide-5"
    quiet.keyboard.press("n")
    assert quiet.locator(".speaker-notes[open]").count() == 5
    quiet.keyboard.press("n")
    assert quiet.locator(".speaker-notes[open]").count() == 0


def test_a_link_to_a_slide_arrives_at_it_and_keys_go_on_from_there(quiet, base):
    quiet.set_viewport_size({"width": 1200, "height": 700})
    quiet.goto(base + PAGES[2] + "#slide-3")
    quiet.keyboard.press("ArrowRight")
    assert quiet.evaluate("document.activeElement.id") == "slide-4"


def test_the_scheme_can_be_switched_and_is_kept(quiet, base):
    quiet.emulate_media(color_scheme="light")
    quiet.goto(base + PAGES[1])
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light = quiet.evaluate(ground)
    button = quiet.get_by_role("button", name=re.compile("^Colours"))
    button.click()
    assert quiet.evaluate(ground) == light
    button.click()
    dark = quiet.evaluate(ground)
    assert dark != light
    quiet.goto(base + PAGES[2])
    assert quiet.evaluate(ground) == dark
    quiet.get_by_role("button", name=re.compile("^Colours")).click()
    assert quiet.evaluate(ground) == light


def test_print_is_dark_on_white_without_controls(quiet, base):
    quiet.emulate_media(color_scheme="dark", media="print")
    quiet.goto(base + PAGES[2])
    assert quiet.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert quiet.locator(".contents").is_hidden()
    assert quiet.locator(".speaker-notes").first.is_hidden()


def test_everything_can_be_read_without_scripts(browser, base):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(base + PAGES[1])
    assert page.get_by_role("heading", name="Part 7").is_visible()
    assert page.get_by_role("button", name=re.compile("^Colours")).count() == 0
    page.get_by_role("link", name="Slides").click()
    page.locator("summary", has_text="Presenter notes").first.click()
    assert page.get_by_text("Say hello.").is_visible()
    context.close()


def test_a_page_in_a_script_from_right_to_left(course, quiet):
    settings = '[course]\ntitle = "مضخات"\nlanguage = "ar"\n[sources]\nroot = "lectures"\n'
    site = course({"lectures/a/notes.md": "# مضخات\n\nالماء `code` $a+b$\n\n## جزء\n\n> اقتباس\n"}, settings=settings)
    with serving(site.out) as url:
        quiet.set_viewport_size({"width": 1440, "height": 800})
        quiet.goto(url + "lectures/a/notes.html")
        contents, leaf = (quiet.locator(name).bounding_box() for name in (".contents", ".leaf"))
        assert contents["x"] > leaf["x"]
        assert quiet.evaluate("document.documentElement.scrollWidth") == 1440
