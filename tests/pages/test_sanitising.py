"""Whatever an author, or who sent them a patch, writes as HTML: nothing in a page may run or load."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openbook.pages.sanitise import ATTRIBUTES, TAGS, RawHtml, Trusted, clean

ATTACKS = [
    "<script>alert(1)</script>",
    "<script src=//evil.example/x.js></script>",
    "<img src=x onerror=alert(1)>",
    "<img src=x onerror\n=\nalert(1)>",
    "<body onload=alert(1)>",
    "<details open ontoggle=alert(1)><summary>x</summary></details>",
    '<a href="javascript:alert(1)">x</a>',
    '<a href=" jAvAsCrIpT:alert(1)">x</a>',
    '<a href="java&#10;script:alert(1)">x</a>',
    '<a href="&#x6a;avascript:alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<a href="vbscript:msgbox(1)">x</a>',
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<svg><foreignObject><iframe src=javascript:alert(1)></foreignObject></svg>",
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<math><maction actiontype="statusline" xlink:href="javascript:alert(1)">x</maction></math>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data=javascript:alert(1)></object>",
    "<embed src=javascript:alert(1)>",
    "<form action=javascript:alert(1)><button>x</button></form>",
    "<form id=x></form><button form=x formaction=javascript:alert(1)>x</button>",
    "<base href=//evil.example/>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<style>@import url(//evil.example/x.css)</style>",
    '<p style="background:url(javascript:alert(1))">x</p>',
    "<input autofocus onfocus=alert(1)>",
    "<video src=x onerror=alert(1)></video>",
    '<img src="data:text/html,<script>alert(1)</script>">',
    "<template><script>alert(1)</script></template>",
    "<textarea><img src=x onerror=alert(1)></textarea>",
    "<xmp><script>alert(1)</script></xmp>",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<!--><img src=x onerror=alert(1)>-->",
    "[x](javascript:alert(1))",
    "[x](<java\tscript:alert(1)>)",
    "![x](javascript:alert(1))",
    "<javascript:alert(1)>",
    "[x](https://example.org){onclick=alert(1)}",
    "$\\href{javascript:alert(1)}{x}$",
    "$\\text{<script>alert(1)</script>}$",
    "```{figure} javascript:alert(1)\n```",
    '```{image} x.png" onerror="alert(1)\n```',
    '```{admonition} <img src=x onerror=alert(1)>\n:class: "><script>alert(1)</script>\n:name: "><script>\nx\n```',
    "```{raw} html\n<script>alert(1)</script>\n```",
    '```py"><script>alert(1)</script>\nx\n```',
    ':::{div} x\n:class: a" onclick="alert(1)\nx\n:::',
    '# x {#a"onclick="alert(1)}',
    '("><script>alert(1)</script>)=\n# x',
    '[^"><script>]\n\n[^"><script>]: x',
    "{kbd}`<script>alert(1)</script>` {unknown}`<script>`",
    "| <script>alert(1)</script> |\n|---|\n| <img src=x onerror=alert(1)> |",
]
MATHML = re.compile(r"math|m(?:i|o|n|text|row|sup|sub|subsup|frac|space|over|under|underover|table|tr|td|sqrt|root)$")
RUNS = re.compile(r"^\s*(?:javascript|vbscript|data(?!:image/))\s*:", re.IGNORECASE)


class Elements(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def assert_harmless(html):
    for tag, attributes in Elements(html).found:
        assert tag in TAGS or MATHML.match(tag), tag
        for name, value in attributes.items():
            assert not name.startswith("on"), (tag, name)
            assert name != "style", (tag, value)
            if name in {"href", "src", "xlink:href", "action", "formaction", "srcdoc"}:
                # a browser drops these before it looks for the scheme
                assert not RUNS.match(re.sub(r"[\x00-\x20]", "", value or "")), (tag, value)
                if tag == "img":
                    assert not re.match(r"(?:https?:)?//", value or ""), value


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_that_runs_or_loads_reaches_a_page(fragment, attack):
    html = fragment(f"Before\n\n{attack}\n\nBehind\n")
    assert_harmless(html)
    assert "Before" in html


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_sanitiser_alone_lets_nothing_through(attack):
    assert_harmless(clean(attack))


def test_an_unclosed_element_of_raw_text_does_not_swallow_the_page(fragment):
    # An unclosed <script> or <style> does by the rules of Markdown.
    for tag in ("title", "textarea", "xmp", "svg", "math", "select", "noscript", "iframe", "plaintext", "video"):
        assert "Behind" in fragment(f"Before\n\n<{tag}>\n\nBehind\n"), tag


def test_an_unclosed_div_does_not_leave_the_page(course):
    page = course({"lectures/a/notes.md": "# A\n\n<div>\n\nText\n"}).page("lectures/a/notes.html")
    assert page.count("<div") == page.count("</div>")


def test_what_is_left_out_is_reported_with_its_line(course):
    site = course(
        {"lectures/a/notes.md": '# A\n\ntext\n\n<div>\n<script>alert(1)</script>\n</div>\n\n<p onclick="x()">y</p>\n'}
    )
    found = {(warning.line, warning.message.split(" is not")[0]) for warning in site.report.warnings}
    assert (6, "<script>") in found
    assert (9, "the attribute onclick of <p>") in found


def test_harmless_html_stays(fragment):
    html = fragment("<details><summary>More</summary>\n\n*Text* with <kbd>Ctrl</kbd>\n\n</details>\n")
    assert "<details><summary>More</summary>" in html
    assert "<em>Text</em> with <kbd>Ctrl</kbd>" in html
    assert "</details>" in html


def test_a_frame_of_another_site_becomes_a_link(fragment):
    html = fragment('<iframe src="https://video.example/1?a=1&amp;b=2"></iframe>\n')
    assert '<a href="https://video.example/1?a=1&amp;b=2" rel="noopener">' in html


def test_marks_of_trusted_pieces_cannot_be_guessed_and_are_all_put_back():
    trusted = Trusted()
    outer = trusted.hold(f"<b>{trusted.hold('<i>x</i>')}</b>")
    block = trusted.hold_block("<pre>y</pre>")
    assert trusted.restore(f"{outer} ob0i0x {block}") == "<b><i>x</i></b> ob0i0x <pre>y</pre>\n"


@given(st.text(alphabet=st.sampled_from("<>/\"'=! -abijnoprstxmgvcl&#;:\t\n"), max_size=80))
def test_any_soup_is_harmless(soup):
    html = clean(
        RawHtml(1, lambda tag, address, line: address, lambda what, line: None, lambda attributes, line: "").convert(
            soup
        )
    )
    for tag, attributes in Elements(html).found:
        assert tag in TAGS
        assert set(attributes) <= ATTRIBUTES["*"] | ATTRIBUTES.get(tag, set())
        for name in ("href", "src"):
            assert not RUNS.match(re.sub(r"[\x00-\x20]", "", attributes.get(name) or ""))
