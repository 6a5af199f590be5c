"""Text of other files: in place, never from outside the course nor from a lecture that is not released."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from openbook.chunks_report import read_file
from openbook.config import load_config
from openbook.course.catalogue import load_catalogue
from openbook.course.readers import read


def course(folder: Path, files: dict[str, str]) -> dict[str, list[tuple[str, str]]]:
    """Write a course and return (section, text) of each block, by source; warnings as ("!", kind)."""
    for name, text in {"openbook.toml": "", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    config = load_config(folder)
    found = {}
    for lecture in load_catalogue(config, date(2026, 12, 1)).lectures:
        for source in lecture.sources:
            document = read(source, config, lecture)
            found[document.source] = [
                *(("!", warning.kind) for warning in document.warnings),
                *((section.title, block.text) for section in document.sections for block in section.blocks),
            ]
    return found


WAYS = [("a.md", "```{include} %s\n```"), ("a.qmd", "{{< include %s >}}"), ("a.Rmd", '```{r, child="%s"}\n```')]


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_its_headings_and_blocks_stand_where_the_include_does(tmp_path, name, way):
    part = "---\ntitle: not used\n---\n## Inside\n\n- one\n  - two\n\n$$\na\n=\nb\n$$\n"
    found = course(tmp_path, {name: f"# A\n\nBefore.\n\n{way % '_part.txt'}\n\n## After\n\nEnd.\n", "_part.txt": part})
    assert found == {name: [("A", "Before."), ("Inside", "- one\n  - two"), ("Inside", "a\n=\nb"), ("After", "End.")]}


def test_lines_of_what_is_included_are_those_of_the_include(tmp_path):
    course(tmp_path, {"a.md": "# A\n\n```{include} _b.txt\n```\n", "_b.txt": "x\n\n" * 20})
    sections = read_file(tmp_path / "a.md", load_config(tmp_path)).sections
    assert {(block.start_line, block.end_line) for block in sections[0].blocks} == {(3, 4)}


@pytest.mark.parametrize(("name", "way"), WAYS)
@pytest.mark.parametrize("target", ["../secret.txt", "link.txt", "../../../../../../etc/hostname"])
def test_a_file_outside_of_the_course_is_refused_with_file_and_line(tmp_path, name, way, target):
    (tmp_path / "secret.txt").write_text("# Secret\n")
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "link.txt").symlink_to(tmp_path / "secret.txt")
    course(tmp_path / "course", {name: f"---\ntitle: T\n---\n# A\n\n{way % target}\n\nText.\n"})
    document = read_file(tmp_path / "course" / name, load_config(tmp_path / "course"))
    assert [(warning.kind, warning.source, warning.line) for warning in document.warnings] == [
        ("outside-root", name, 6)
    ]
    assert "Secret" not in str(document.sections)
    assert "Text." in str(document.sections)


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_nothing_of_an_unreleased_lecture_is_included(tmp_path, name, way):
    files = {
        name: f"{way % 'later/notes.md'}\n\n{way % 'later/_part.txt'}\n\nText.\n",
        "later/notes.md": "---\nrelease: 2027-01-01\n---\n# Secret\n\nsecret words\n",
        "later/_part.txt": "secret words\n",
    }
    found = course(tmp_path, files)[name]
    assert [text for _, text in found if "ecret" in text] == []
    assert ("!", "unreleased-include") in found


def test_a_file_that_includes_itself_ends(tmp_path):
    found = course(
        tmp_path, {"a.md": "# A\n\nx\n\n```{include} _b.txt\n```\n", "_b.txt": "y\n\n```{include} a.md\n```\n"}
    )
    assert found == {"a.md": [("!", "include-loop"), ("A", "x"), ("A", "y")]}


def test_parts_of_files_as_text_and_as_code(tmp_path):
    files = {
        "a.md": "# A\n\n```{include} _b.txt\n:start-after: begin\n:end-before: end\n```\n\n"
        "```{literalinclude} c.py\n:pyobject: f\n```\n\n```{literalinclude} c.py\n:lines: 1, 4-\n:caption: Two\n```\n",
        "_b.txt": "no\n\nbegin\n\nyes\n\nend\n\nno\n",
        "c.py": "import os\ndef f():\n    return 1\nx = f()\n",
    }
    assert course(tmp_path, files) == {
        "a.md": [("A", "yes"), ("A", "def f():\n    return 1"), ("A", "Two\n\nimport os\nx = f()")]
    }
