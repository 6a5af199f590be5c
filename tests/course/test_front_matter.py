from __future__ import annotations

from datetime import date

import pytest

from openbook.course.front_matter import Keys, decode, read_front_matter, split
from openbook.errors import FrontMatterError, UnreadableSourceError


def keys(text: str) -> Keys:
    return Keys(split(text, "a.md"), "a.md")


def test_what_is_found():
    found = split("---\ntitle: A\n'week': 3\n---\ntext\n", "a.md")
    assert found.data == {"title": "A", "week": 3}
    assert found.lines == 4
    assert found.key_lines == {"title": 2, "week": 3}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("no front matter", 0),
        ("---\n---\ntext", 2),
        ("---\n# only a comment\n---\ntext", 3),
        ("---\ntitle: A\n...\ntext", 3),
        ("---\ntitle: A\ntext that goes on and is never closed", 0),
        ("---\n\n# A slide\n\n---\n\nAnother", 0),
        ("---\n\ntitle: A\n\n---\n", 5),
        ("----\ntitle: A\n----\n", 0),
        ("\n---\ntitle: A\n---\n", 0),
    ],
)
def test_how_many_lines_it_takes(text, lines):
    assert split(text, "a.md").lines == lines


@pytest.mark.parametrize(
    ("block", "line"),
    [
        ("title: [a", 3),
        ("a: b: c", 2),
        ("week: 1\n\tx: 2", 3),
        ("day: 2026-13-45", 1),
        ("just a text", 2),
        ("- a\n- b", 2),
    ],
)
def test_what_is_not_valid_is_refused_with_its_line(block, line):
    with pytest.raises(FrontMatterError) as caught:
        split(f"---\n{block}\n---\n", "a.md")
    assert caught.value.source == "a.md"
    assert caught.value.line == line


def test_dates():
    assert keys("---\nrelease: 2026-10-05\n---").day("release") == date(2026, 10, 5)
    assert keys("---\nrelease: '2026-10-05'\n---").day("release") == date(2026, 10, 5)
    assert keys("---\ntitle: A\n---").day("release") is None


@pytest.mark.parametrize("value", ["soon", "2026-10-05 14:00:00", "", "true", "20", "[2026-10-05]", "2026-02-30x"])
def test_a_release_that_is_no_date_is_refused(value):
    """Else a lecture would be released by a typing error."""
    with pytest.raises(FrontMatterError) as caught:
        keys(f"---\ntitle: A\nrelease: {value}\n---").day("release")
    assert caught.value.line == 3


def test_numbers_texts_and_lists():
    found = keys("---\nlecture: '8'\ntitle: 2026\ntags: a, b\nwords: [x, 1]\nweek: two\nflag: true\nmap: {a: 1}\n---")
    assert found.integer("lecture", "number") == 8
    assert found.integer("number", "nothing") is None
    assert found.text("title") == "2026"
    assert found.texts("tags") == ("a", "b")
    assert found.texts("words") == ("x", "1")
    for read in (
        lambda: found.integer("week"),
        lambda: found.integer("flag"),
        lambda: found.text("map"),
        lambda: found.texts("map"),
    ):
        with pytest.raises(FrontMatterError):
            read()


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_file_is_read_no_further_than_its_front_matter(tmp_path, end, mark):
    path = tmp_path / "a.md"
    # what stands behind is not even UTF-8
    path.write_bytes(mark + end.join([b"---", b"title: A", b"---", b"\xff\xfe"]) + b"x" * 10_000)
    assert read_front_matter(path, "a.md").data == {"title": "A"}
    assert read_front_matter(path, "a.md").lines == 3


def test_a_file_that_is_not_utf8_is_refused_with_its_line():
    with pytest.raises(UnreadableSourceError) as caught:
        decode(b"one\ntwo\nthr\xe9e\n", "a.md")
    assert caught.value.line == 3


def test_line_ends_and_byte_order_mark():
    assert decode(b"\xef\xbb\xbfa\r\nb\rc\n", "a.md") == "a\nb\nc\n"
