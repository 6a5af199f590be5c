"""What the parser promises to those who render pages from its tokens."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openbook.course.markdown import Dialect, inline_text, parse, role_text
from openbook.course.markdown.text import html_text
from openbook.course.readers.sections import read_sections
from openbook.errors import FrontMatterError, UnreadableSourceError


def of_type(text: str, kind: str):
    return [token for token in parse(text).tokens if token.type == kind]


def anchors(text: str) -> list[str]:
    return [str(token.attrs["id"]) for token in of_type(text, "heading_open")]


def kinds(text: str) -> list[str]:
    return [warning.kind for warning in parse(text).warnings]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("matter", ["", "---\ntitle: A\nweek: 1\n---\n"])
def test_lines_are_those_of_the_file(end, mark, matter):
    text = mark + (matter + "text\n\n# Heading\n\n```\ncode\n```\n").replace("\n", end)
    parsed = parse(text.encode())
    heading = next(token for token in parsed.tokens if token.type == "heading_open")
    fence = next(token for token in parsed.tokens if token.type == "fence")
    assert parsed.lines[heading.map[0]] == "# Heading"
    assert parsed.lines[fence.map[0]] == "```"
    assert parsed.lines[fence.meta["code_line"]] == "code"


def test_errors_name_the_file():
    with pytest.raises(FrontMatterError, match=r"a\.md:3"):
        parse("---\nrelease: 2026-01-01\na: b: c\n---\n", "a.md")
    with pytest.raises(UnreadableSourceError, match=r"a\.md: "):
        parse(bytes(100), "a.md")


def test_what_could_be_read_only_in_part_is_told_with_file_and_line():
    assert [str(warning) for warning in parse(b"one\n\xe9\n", "a.md").warnings] == [
        "a.md:2: is not UTF-8; it is read as Windows-1252 (Latin-1). Save it as UTF-8. [encoding]"
    ]
    found = parse("---\na: b: c\n---\n# A\n", "a.md")
    assert [(warning.kind, warning.line) for warning in found.warnings] == [("front-matter", 2)]
    assert found.title == "A"


def test_a_heading_in_a_box_does_not_change_the_anchor_of_a_section():
    text = "# A\n\n:::{note}\n## Links\n:::\n\n## Links\n"
    tokens = of_type(text, "heading_open")
    assert [(token.attrs["id"], token.meta["section"]) for token in tokens] == [
        ("a", True),
        ("links-1", False),
        ("links", True),
    ]


def test_labels_come_before_slugs_and_leave_the_slug_as_an_alias():
    parsed = parse("# Links\n\n(links)=\n## Other\n\n(here)=\nA paragraph.\n")
    first, second = [token for token in parsed.tokens if token.type == "heading_open"]
    assert (first.attrs["id"], second.attrs["id"], second.meta["aliases"]) == ("links-1", "links", ("other",))
    assert parsed.targets["other"] == parsed.targets["links"] == "links"
    here = [token for token in parsed.tokens if token.type == "myst_target"]
    assert [(token.hidden, token.attrs.get("id")) for token in here] == [(True, None), (False, "here")]


def test_a_label_that_is_given_twice_is_warned_of():
    assert kinds("(a)=\n# One\n\n(a)=\n# Two\n") == ["duplicate-label"]
    assert anchors("(a)=\n# One\n\n(a)=\n# Two\n") == ["a", "two"]


@pytest.mark.parametrize(
    "text",
    ["> # A", "- # A", "<details>\n\n# A\n\n</details>", '<div class="note">\n\n# A\n\n</div>', "::: box\n# A\n:::"],
)
def test_headings_that_are_no_sections(text):
    assert [token.meta["section"] for token in of_type(text + "\n\n# B\n", "heading_open")] == [False, True]


@pytest.mark.parametrize("text", ['<div class="columns">\n\n# A\n\n</div>', "<details>\n\n# A", "</details>\n\n# A"])
def test_layout_and_tags_that_are_not_closed_hide_no_section(text):
    assert [token.meta["section"] for token in of_type(text, "heading_open")] == [True]


def test_a_directive_holds_its_body_as_tokens():
    parsed = parse(
        "```{admonition} The *title*\n:class: tip\n:name: x\n\nBody with [ref].\n```\n\n[ref]: https://a.b\n"
    )
    opening = parsed.tokens[0]
    assert (opening.type, opening.info, opening.meta["role"]) == ("directive_open", "admonition", "titled")
    assert opening.meta["options"] == {"class": "tip", "name": "x"}
    assert [token.type for token in parsed.tokens[1:4]] == ["directive_title_open", "inline", "directive_title_close"]
    assert inline_text(parsed.tokens[2].children) == "The title"
    assert any(child.type == "link_open" for child in parsed.tokens[5].children or ())
    assert parsed.tokens[-1].type == "directive_close"
    assert parsed.tokens[5].map == [4, 5]


def test_options_as_a_block_and_over_lines():
    opening = of_type("```{figure} a.png\n---\nalt: Two words\nwidth: 3\n---\nCaption.\n```\n", "directive_open")[0]
    assert opening.meta["options"] == {"alt": "Two words", "width": "3"}
    opening = of_type(":::{figure} a.png\n:alt: one\n  two\n:flag:\n\nCaption.\n:::\n", "directive_open")[0]
    assert opening.meta["options"] == {"alt": "one two", "flag": ""}
    assert kinds("```{note}\n---\na: b: c\n---\ntext\n```\n") == ["directive-options"]


def test_instructions_to_a_renderer_are_hidden():
    tokens = parse("```{index} a\n```\n\n% comment\n\n+++\n\n{: .x}\n\n{% include a %}\n").tokens
    assert tokens
    assert all(token.hidden for token in tokens)


@pytest.mark.parametrize(
    ("info", "language"),
    [
        ("python", "python"),
        ("python title='a.py'", "python"),
        ("{.python .input}", "python"),
        ("{r, fig.width=3}", "r"),
        ("{python}", "python"),
        ("{code-cell} ipython3", "python"),
        ("{code-block} C++", "C++"),
        ("", ""),
    ],
)
def test_the_language_of_code(info, language):
    fence = of_type(f"```{info}\nx\n```\n", "fence")[0]
    assert (fence.meta["language"], fence.content) == (language, "x\n")


def test_formulas_have_one_form():
    text = "$a$ $$b$$ {math}`c` \\\\(d\\\\)\n\n$$\ne\n$$\n\n```{math}\n:label: f\ng\n```\n"
    parsed = parse(text)
    children = parsed.tokens[1].children or []
    assert [(token.type, token.content) for token in children if token.type != "text"] == [
        ("math_inline", "a"),
        ("math_inline_double", "b"),
        ("math_inline", "c"),
        ("math_inline", "d"),
    ]
    assert [(token.type, token.info, token.content.strip()) for token in parsed.tokens[3:]] == [
        ("math_block", "", "e"),
        ("math_block_label", "f", "g"),
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("$x$ is 5", 1),
        ("5 is $x$", 1),
        ("$5 and $6", 0),
        ("US$5 or 5$", 0),
        (r"\$x$", 0),
        ("$ x$", 0),
        ("$5$ is a number", 1),
    ],
)
def test_what_is_a_formula(text, count):
    assert sum(token.type == "math_inline" for token in parse(text).tokens[1].children or ()) == count


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("ref", "Text <target>", "Text"),
        ("ref", "known", "Its title"),
        ("ref", "unknown", "unknown"),
        ("numref", "fig-1", ""),
        ("numref", "Figure %s <fig-1>", "Figure %s"),
        ("py:func", "~numpy.linalg.lstsq", "lstsq"),
        ("py:class", "numpy.ndarray", "numpy.ndarray"),
        ("abbr", "GPU (graphics processing unit)", "GPU (graphics processing unit)"),
        ("kbd", "Ctrl", "Ctrl"),
        ("label", "sec", ""),
        ("cite", "vaswani2017", "vaswani2017"),
    ],
)
def test_what_a_reader_sees_of_a_role(name, content, text):
    assert role_text(name, content, {"known": "Its title"}) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a <b>b</b>c</p><p>d</p>", "a bc\nd"),
        ("a<br>b", "a\nb"),
        ("<script>x</script><style>y</style>z", "z"),
        ("<!-- c -->d &lt; &amp;", "d < &"),
        ('<img src="x" alt="A pump">', "A pump"),
        ("<table><tr><td>a</td><td>b</td></tr></table>", "a\nb"),
        ("<![bad>x", "x"),
    ],
)
def test_text_of_html(html, text):
    assert html_text(html) == text


def test_links_without_text_show_what_they_point_at():
    children = parse("# A b\n\n[](#a-b) [](#nowhere) [](other.md#part)\n").tokens[4].children
    assert inline_text(children) == "A b nowhere part"


def test_lines_of_chinese_are_joined_without_a_space():
    assert inline_text(parse("归并\n排序，\n快\nand\n慢\n").tokens[1].children) == "归并排序，快 and 慢"


def test_title():
    assert parse("---\ntitle: 2026\n---\n# A\n").title == "2026"
    assert parse("text\n\n## B\n\n# A\n").title == "A"
    assert parse("<!-- c -->\n\n## B\n\ntext\n\n## C\n").title == "B"
    assert parse("text\n\n## B\n").title is None


def test_text_nested_too_deep_is_warned_of():
    assert kinds("> " * 150 + "text") == ["nested-too-deep"]
    assert kinds("> " * 50 + "text") == []


def test_the_id_before_the_first_heading_is_no_headings():
    parsed = parse("text\n\n# Top\n")
    assert parsed.top not in parsed.titles


def test_parsing_twice_gives_the_same(tmp_path: Path):
    text = "# A\n\n[^1]\n\n[^1]: note\n\n(x)=\n## B\n"
    assert [token.as_dict() for token in parse(text).tokens] == [token.as_dict() for token in parse(text).tokens]


@given(
    st.lists(
        st.sampled_from(
            [
                "# A",
                "## A",
                "::: x",
                ":::",
                ":::{note}",
                "```",
                "text",
                "",
                "- a",
                "> # q",
                "(l)=",
                "<details>",
                "</details>",
            ]
        )
    )
)
def test_anchors_are_unique_and_tokens_balanced(lines):
    parsed = parse("\n".join(lines))
    found = [token.attrs["id"] for token in parsed.tokens if "id" in token.attrs]
    assert len(set(found)) == len(found)
    assert parsed.top not in found
    assert sum(token.nesting for token in parsed.tokens) == 0


@pytest.mark.parametrize(
    "unit", ["[", "![", "[a][", "[@", "^[a", "[![a](b)](", "[^a", "\\begin{align}\na\n", "$$a", "<", "`a", "*_"]
)
@pytest.mark.parametrize("dialect", ["myst", "pandoc"])
def test_text_that_never_closes_takes_work_in_step_with_its_length(unit: str, dialect: Dialect):
    def work(size: int) -> int:
        calls = 0

        def count(frame: object, event: str, argument: object) -> None:
            nonlocal calls
            calls += event in ("call", "c_call")

        sys.setprofile(count)
        try:
            parse((unit * size)[:size], dialect=dialect)
        finally:
            sys.setprofile(None)
        return calls

    # without a bound on the steps it is over 800 calls a character
    assert work(4_000) < min(6 * work(1_000), 450 * 4_000)


def test_brackets_that_never_close_are_text_and_that_is_said():
    parsed = parse("One.\n\n" + "![" * 20_000 + "\n")
    assert [(warning.kind, warning.line) for warning in parsed.warnings] == [("too-many-brackets", 3)]
    assert sum(token.content.count("![") for token in parsed.tokens if token.type == "inline") == 20_000
    assert parse("[a](b) [0, 1) " * 100).warnings == []


def sections_of(text: str, dialect: Dialect = "myst") -> list[tuple[int, str, list[str]]]:
    return [
        (section.level, section.title, [block.text for block in section.blocks])
        for section in read_sections(parse(text, dialect=dialect), "T")
    ]


def test_headings_of_html_are_headings():
    text = (
        '<h1 align="center">\n  <img src="logo.png">\n  A <b>fine</b> course\n</h1>\n\nHello.\n\n'
        '<div align="center">\n<h2 id="second">Two</h2>\nText.\n</div>\n\n'
        "<details>\n<h2>Not a section</h2>\n</details>\n\n<table><tr><td>\n<h3>Nor this</h3>\n</td></tr></table>\n\n"
        "<!-- <h2>Not seen</h2> -->\n"
    )
    assert sections_of(text) == [
        (1, "A fine course", ["Hello."]),
        (2, "Two", ["Text.", "Not a section", "Nor this"]),
    ]
    assert parse(text).targets["second"] == "second"


def test_badges_say_nothing():
    text = (
        "# Trees [![npm](https://img.shields.io/npm/v/trees)](https://npmjs.com)\n\n"
        "[![Build](https://github.com/a/b/workflows/ci/badge.svg)](x) <img alt='cov' src='https://codecov.io/b.svg'>\n\n"
        "![A badge of honour](honour.png)\n"
    )
    assert sections_of(text) == [(1, "Trees", ["A badge of honour"])]


@pytest.mark.parametrize(
    ("dialect", "opening"),
    [
        ("pandoc", "<details>"),
        ("pandoc", '<div class="note">'),
        ("jekyll", '<div markdown="1">'),
        ("myst", "<div markdown>"),
    ],
)
def test_markdown_right_below_a_tag(dialect: Dialect, opening: str):
    name = opening[1:].partition(" ")[0].rstrip(">")
    text = f"{opening}\nSome **bold**\n```py\nx = 1\n```\n</{name}>\n\nAfter.\n"
    assert sections_of(text, dialect)[0][2] == ["Some bold", "x = 1", "After."]
    # without the mark it is HTML, as CommonMark says
    assert "**bold**" in sections_of("<div>\nSome **bold**\n</div>\n")[0][2][0]
