"""Which lectures there are, and the release gate."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from openbook.config import load_config
from openbook.course import catalogue as module
from openbook.course.catalogue import Catalogue, load_catalogue
from openbook.errors import (
    ConfigError,
    DuplicateLectureError,
    FrontMatterError,
    SourceNotFoundError,
)

TODAY = date(2026, 11, 1)


def course(root: Path, files: dict[str, str], toml: str = "") -> Catalogue:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if toml:
        (root / "openbook.toml").write_text(toml, encoding="utf-8")
    return load_catalogue(load_config(root), TODAY)


def matter(**keys: object) -> str:
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in keys.items()) + "---\n\n# Heading\n\nText.\n"


def test_a_lecture_is_a_folder_or_a_file(tmp_path):
    found = course(
        tmp_path,
        {
            "l01/notes.md": matter(lecture=1, title="One"),
            "l01/slides.md": matter(lecture=1),
            "l01/extra.md": "Text.",
            "part/l02/index.md": matter(lecture=2),
            "single.md": matter(number=3),
            "deck.md": matter(marp="true", number=4),
        },
    )
    assert [(lecture.id, lecture.number) for lecture in found.lectures] == [
        ("l01", 1),
        ("part/l02", 2),
        ("single", 3),
        ("deck", 4),
        ("l01/extra", 5),
    ]
    assert [(source.relpath, source.kind) for source in found.lectures[0].sources] == [
        ("l01/notes.md", "notes"),
        ("l01/slides.md", "slides"),
    ]
    assert found.lectures[3].sources[0].kind == "slides"


def test_files_without_numbers_are_numbered_in_natural_order(tmp_path):
    found = course(tmp_path, {f"week{number}.md": "# A\n" for number in (10, 2, 1)})
    assert [lecture.id for lecture in found.lectures] == ["week1", "week2", "week10"]
    assert [lecture.number for lecture in found.lectures] == [1, 2, 3]


@pytest.mark.parametrize(
    ("release", "released"),
    [("2026-10-31", True), ("2026-11-01", True), ("2026-11-02", False), (None, True)],
)
def test_a_lecture_is_released_from_its_day_on(tmp_path, release, released):
    text = matter(release=release) if release else "Text.\n"
    found = course(tmp_path, {"a/notes.md": text})
    assert [lecture.id for lecture in found.lectures] == (["a"] if released else [])
    assert [lecture.id for lecture in found.unreleased] == ([] if released else ["a"])


def test_of_an_unreleased_lecture_only_the_front_matter_is_read(tmp_path, monkeypatch):
    read: list[str] = []
    monkeypatch.setattr(module.Source, "read", lambda self: read.append(self.relpath) or b"")
    path = tmp_path / "b" / "notes.md"
    path.parent.mkdir()
    # the body is not even text
    path.write_bytes(b"---\nrelease: 2027-01-01\n---\n\xff\xff\n" + b"secret\n" * 5000)
    found = course(tmp_path, {"a/notes.md": "# Open\n"})
    assert [lecture.id for lecture in found.unreleased] == ["b"]
    assert found.unreleased[0].title == "b"
    assert read == ["a/notes.md"]


def test_one_date_holds_for_notes_and_deck_and_the_later_one_if_they_differ(tmp_path):
    found = course(
        tmp_path,
        {
            "a/notes.md": matter(release="2026-10-01"),
            "a/slides.md": matter(release="2026-12-01"),
            "b/notes.md": "Text.\n",
            "b/slides.md": matter(release="2026-12-01"),
        },
    )
    assert [lecture.id for lecture in found.unreleased] == ["a", "b"]
    assert [warning.kind for warning in found.warnings] == ["two-releases"]


def test_a_file_in_the_folder_of_an_unreleased_lecture_is_unreleased_too(tmp_path):
    found = course(
        tmp_path,
        {
            "l02/notes.md": matter(release="2026-12-01"),
            "l02/solution.md": "# Secret\n",
            "l02/more/deep.md": "# Secret\n",
            "l02/early.md": matter(release="2026-10-01"),
        },
    )
    assert [lecture.id for lecture in found.lectures] == ["l02/early"]
    assert {lecture.id for lecture in found.unreleased} == {"l02", "l02/solution", "l02/more/deep"}


def test_numbers_do_not_change_when_a_lecture_is_released(tmp_path):
    files = {"a.md": matter(release="2026-12-01"), "b.md": "Text.\n"}
    found = course(tmp_path, files)
    assert [(lecture.id, lecture.number) for lecture in (*found.unreleased, *found.lectures)] == [("a", 1), ("b", 2)]


def test_the_settings_win_over_front_matter(tmp_path):
    toml = '[lectures."a"]\nnumber = 7\ntitle = "Set"\nrelease = 2026-12-01\nweek = 3\ntags = ["x"]\n'
    lecture = course(
        tmp_path, {"a/notes.md": matter(lecture=1, title="T", release="2026-10-01", week=1)}, toml
    ).unreleased[0]
    assert (lecture.number, lecture.title, lecture.week, lecture.tags) == (7, "Set", 3, ("x",))


def test_settings_for_a_lecture_that_there_is_not_are_refused(tmp_path):
    """A release date under a mistyped id would release the lecture."""
    with pytest.raises(ConfigError, match="Did you mean 'l01-trees'"):
        course(tmp_path, {"l01-trees/notes.md": "Text.\n"}, '[lectures."l01-tree"]\nrelease = 2027-01-01\n')


@pytest.mark.parametrize(
    ("files", "title"),
    [
        ({"a/notes.md": matter(title="From notes"), "a/slides.md": matter(title="From deck")}, "From notes"),
        ({"a/notes.md": "# Heading\n", "a/slides.md": matter(title="From deck")}, "From deck"),
        ({"a/notes.md": "Text.\n\n# Heading\n"}, "Heading"),
        ({"a/notes.md": "Text.\n\n## Deep\n"}, "a"),
        ({"a.md": "Text.\n"}, "a"),
    ],
)
def test_where_a_title_comes_from(tmp_path, files, title):
    assert course(tmp_path, files).lectures[0].title == title


def test_what_is_left_out(tmp_path):
    files = {
        "a.md": "A",
        "README.md": "B",
        "sub/CONTRIBUTING.md": "B",
        ".hidden/b.md": "B",
        "node_modules/x/b.md": "B",
        "_build/b.md": "B",
        "dist/b.md": "B",
        "drafts/b.md": "B",
        "notes.txt": "B",
    }
    found = course(tmp_path, files, '[sources]\nexclude = ["drafts/**"]\n')
    assert [lecture.id for lecture in found.lectures] == ["a"]


def test_decks_by_pattern(tmp_path):
    found = course(tmp_path, {"decks/a.md": "A"}, '[sources]\nslides = ["decks/*.md"]\n')
    assert found.lectures[0].sources[0].kind == "slides"


def test_notes_and_deck_at_the_root_are_one_lecture(tmp_path):
    found = course(tmp_path, {"notes.md": "A", "slides.md": "B"})
    assert [(lecture.id, len(lecture.sources)) for lecture in found.lectures] == [("lecture", 2)]


@pytest.mark.parametrize(
    "files",
    [
        {"a/notes.md": "A", "a/index.md": "B"},
        {"a/notes.md": "A", "a.md": "B"},
        {"a/slides.md": "A", "a/index.md": "---\nmarp: true\n---\nB"},
        {"Week.md": "A", "week/notes.md": "B"},
    ],
)
def test_two_of_a_kind_are_refused(tmp_path, files):
    with pytest.raises(DuplicateLectureError):
        course(tmp_path, files)


def test_equal_numbers_are_warned_of(tmp_path):
    found = course(tmp_path, {"a.md": matter(lecture=1), "b.md": matter(lecture=1)})
    assert [warning.kind for warning in found.warnings] == ["same-number"]
    assert [lecture.id for lecture in found.lectures] == ["a", "b"]


def test_a_wrong_release_is_refused_with_file_and_line(tmp_path):
    with pytest.raises(FrontMatterError) as caught:
        course(tmp_path, {"a/notes.md": "---\ntitle: A\nrelease: eight\n---\n"})
    assert (caught.value.source, caught.value.line) == ("a/notes.md", 3)


def test_other_keys_that_are_not_what_they_should_be_are_warned_of(tmp_path):
    """Other systems give them other values."""
    found = course(tmp_path, {"a/notes.md": "---\ntitle: A\nlecture: eight\n---\n"})
    assert [lecture.title for lecture in found.lectures] == ["A"]
    assert [(warning.kind, warning.line) for warning in found.warnings] == [("front-matter", 3)]


def test_a_link_that_leaves_the_folder_is_refused(tmp_path):
    outside = tmp_path / "outside.md"
    outside.write_text("# Secret\n")
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "a.md").symlink_to(outside)
    found = course(tmp_path / "course", {"b.md": "B"})
    assert [lecture.id for lecture in found.lectures] == ["b"]
    assert [warning.kind for warning in found.warnings] == ["outside-root"]


def test_a_folder_linked_from_outside_is_refused(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "linked").symlink_to(tmp_path / "other")
    found = course(tmp_path / "course", {"b.md": "B"})
    assert [lecture.id for lecture in found.lectures] == ["b"]
    assert [warning.kind for warning in found.warnings] == ["outside-root"]


def test_an_excluded_link_is_no_matter(tmp_path):
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "drafts").symlink_to(tmp_path)
    found = course(tmp_path / "course", {"a.md": "A"}, '[sources]\nexclude = ["drafts/**"]\n')
    assert [lecture.id for lecture in found.lectures] == ["a"]


def test_a_link_inside_does_not_open_an_unreleased_lecture(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "notes.md").write_text(matter(release="2027-01-01"))
    (tmp_path / "free.md").symlink_to(tmp_path / "b" / "notes.md")
    found = course(tmp_path, {"a.md": "A"})
    assert [lecture.id for lecture in found.lectures] == ["a"]
    assert [warning.kind for warning in found.warnings] == ["linked-source"]


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(SourceNotFoundError):
        course(tmp_path, {}, '[sources]\nroot = "lectures"\n')


def test_a_readme_is_the_page_of_its_folder_unless_the_folder_has_one(tmp_path):
    files = {
        "README.md": "About the repository.",
        "1-Intro/README.md": "# Welcome\n\nText.",
        "1-Intro/assignment.md": "# Homework\n\nText.",
        "2-Trees/readme.md": "# How to run\n\nText.",
        "2-Trees/notes.md": "# Trees\n\nText.",
    }
    found = course(tmp_path, files)
    assert [(lecture.id, lecture.title) for lecture in found.lectures] == [
        ("1-Intro", "Welcome"),
        ("1-Intro/assignment", "Homework"),
        ("2-Trees", "Trees"),
    ]
    assert [(warning.kind, warning.source) for warning in found.warnings] == [("readme", "2-Trees/readme.md")]


def test_a_course_may_be_one_readme(tmp_path):
    assert [lecture.title for lecture in course(tmp_path, {"README.md": "# All of it\n\nText."}).lectures] == [
        "All of it"
    ]


def test_collections_of_jekyll_are_read_and_its_parts_are_not(tmp_path):
    files = {
        "_config.yml": "collections:\n  episodes:\n    output: true\n",
        "_episodes/01-intro.md": "A",
        "_posts/2026-01-01-hello.md": "A",
        "_includes/nav.md": "A",
        "_drafts/later.md": "A",
        "sub/_episodes/x.md": "A",
    }
    found = course(tmp_path, files)
    assert [lecture.id for lecture in found.lectures] == ["episodes/01-intro", "posts/2026-01-01-hello"]
    assert [(one.kind, one.message.split()[0]) for one in found.warnings] == [
        ("left-out", "_drafts/"),
        ("left-out", "sub/_episodes/"),
    ]


def test_parts_that_only_other_pages_include_are_no_lectures(tmp_path):
    found = course(
        tmp_path, {"a.qmd": "A", "_setup.qmd": "B", "_common.Rmd": "B", "x/_part.mdx": "B", "_index.md": "C"}
    )
    assert [lecture.id for lecture in found.lectures] == ["_index", "a"]


def test_formats_that_are_not_read_are_named(tmp_path):
    files = {
        "a.md": "A",
        "b.tex": "x",
        "c.tex": "x",
        "d.tex": "x",
        "e.tex": "x",
        "a.docx": "beside its Markdown",
        "talk.key": "x",
        "page.html": "<p>x</p>",
        "data.csv": "x",
        "old/x.adoc": "x",
        "sphinx.rst": "x",
    }
    found = course(tmp_path, files, '[sources]\nexclude = ["old/**"]\n')
    assert [(one.kind, one.message.partition(";")[0]) for one in found.warnings] == [
        ("unread-format", "HTML is not read: page.html"),
        ("unread-format", "Keynote is not read: talk.key"),
        ("unread-format", "LaTeX is not read: b.tex, c.tex, d.tex and 1 more"),
        ("unread-format", "reStructuredText is not read: sphinx.rst"),
    ]


def test_names_that_no_address_can_hold_get_ids_that_can(tmp_path):
    found = course(tmp_path, {"week 2/Übung & more #1?.md": "A", "100%.md": "A"})
    assert [lecture.id for lecture in found.lectures] == ["100-", "week 2/Übung & more -1-"]


def test_nothing_in_the_folder_of_an_unreleased_collection_may_be_included(tmp_path):
    files = {
        "_config.yml": "collections: [weeks]\n",
        "_weeks/w9/index.md": matter(release="2027-01-01"),
        "a.md": "A",
    }
    found = course(tmp_path, files)
    assert [lecture.id for lecture in found.unreleased] == ["weeks/w9"]
    assert tmp_path.resolve() / "_weeks" / "w9" in found.lectures[0].sources[0].refused
