from __future__ import annotations

from datetime import date

import pytest

from openbook.course.encoding import decode
from openbook.course.front_matter import Keys, read_front_matter, split
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
    ],
)
def test_what_is_not_valid_is_told_with_its_line(block, line):
    found = split(f"---\n{block}\n---\n", "a.md")
    assert (found.data, found.problem_line) == ({}, line)
    assert "not valid YAML" in found.problem


def test_what_is_not_valid_and_speaks_of_a_release_is_refused():
    """Else a lecture would be released by a typing error elsewhere."""
    with pytest.raises(FrontMatterError) as caught:
        split("---\nrelease: 2099-01-01\ntitle: a: b\n---\n", "a.md")
    assert (caught.value.source, caught.value.line) == ("a.md", 3)
    with pytest.raises(FrontMatterError):
        split('+++\nrelease = 2099-01-01\ntitle = "a\n+++\n', "a.md")


@pytest.mark.parametrize("block", ["just a text", "- a\n- b"])
def test_what_is_no_mapping_is_text_between_thematic_breaks(block):
    assert split(f"---\n{block}\n---\n", "a.md").lines == 0


def test_toml_and_json_as_in_hugo():
    found = split('+++\ntitle = "A"\ndate = 2026-10-05\n+++\ntext\n', "a.md")
    assert (found.data["title"], found.lines, found.key_lines) == ("A", 4, {"title": 2, "date": 3})
    found = split('{\n  "title": "A"\n}\ntext\n', "a.md")
    assert (found.data, found.lines, found.key_lines) == ({"title": "A"}, 3, {"title": 2})


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


def test_latin_1_is_read_and_told_with_its_line():
    found = decode(b"one\ntwo\nthr\xe9e \x96 four\n", "a.md")
    assert (found.text, found.line) == ("one\ntwo\nthrée – four\n", 3)
    assert "not UTF-8" in found.warning


@pytest.mark.parametrize("name", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_other_encodings_of_unicode_are_known_by_their_bytes(name):
    found = decode("# Héading\r\n\ntext\n".encode(name), "a.md")
    assert found.text == "# Héading\n\ntext\n"
    assert bool(found.warning) == (name != "utf-8-sig")


def test_nul_characters_are_left_out_and_told():
    found = decode(b"one\ntw\0o\n", "a.md")
    assert (found.text, found.line) == ("one\ntwo\n", 2)


@pytest.mark.parametrize("raw", [bytes(range(256)) * 40, b"%PDF-1.7\n" + bytes(5000), b"\x89PNG\r\n\x1a\n\0\1\2\3" * 9])
def test_what_is_no_text_is_refused(raw):
    with pytest.raises(UnreadableSourceError):
        decode(raw, "a.md")


def test_the_pointer_to_a_file_that_git_has_not_fetched_is_refused():
    with pytest.raises(UnreadableSourceError, match="git lfs pull"):
        decode(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "a.md")


def test_line_ends_and_byte_order_mark():
    assert decode(b"\xef\xbb\xbfa\r\nb\rc\n", "a.md").text == "a\nb\nc\n"
