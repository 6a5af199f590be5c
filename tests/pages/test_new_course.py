"""``openbook new`` writes a course that builds as it is."""

from __future__ import annotations

import tomllib
from datetime import date

import pytest
import yaml

from openbook.build import build_site
from openbook.config import load_config
from openbook.errors import FolderNotEmptyError
from openbook.evaluation.gold import load_gold
from openbook.pages.links import page_facts
from openbook.pages.new import new_course


def test_its_settings_lecture_gold_set_and_workflow_are_there(tmp_path):
    folder = tmp_path / "queueing-theory"
    files = {path.relative_to(folder).as_posix() for path in new_course(folder)}
    assert {
        "openbook.toml",
        ".gitignore",
        ".github/workflows/pages.yml",
        "gold/questions.toml",
        "lectures/01-first-lecture/notes.md",
        "lectures/01-first-lecture/slides.md",
    } <= files
    assert load_config(folder).title == "Queueing theory"
    assert len(load_gold(folder / "gold/questions.toml")) == 5
    workflow = yaml.safe_load((folder / ".github/workflows/pages.yml").read_text())
    assert "openbook check dist" in [step.get("run") for step in workflow["jobs"]["build"]["steps"]]


@pytest.mark.parametrize("title", ['Pumps "and" \\ more', "Größe\tund\nmehr", "[a] # b"])
def test_any_title_is_kept(tmp_path, title):
    new_course(tmp_path / "x", title=title)
    assert load_config(tmp_path / "x").title == title


def test_the_commented_settings_are_ones_that_exist(tmp_path):
    new_course(tmp_path / "x")
    path = tmp_path / "x" / "openbook.toml"
    lines = []
    for line in path.read_text().splitlines():
        bare = line.removeprefix("# ")
        # a commented line that would set something: a table's name, or a key with a value
        lines.append(bare if line.startswith("# ") and (bare.startswith("[") or " = " in bare.split("#")[0]) else line)
    text = "\n".join(lines)
    assert len(tomllib.loads(text)) > len(tomllib.loads(path.read_text()))
    path.write_text(text)
    load_config(tmp_path / "x")


def test_a_folder_with_something_in_it_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(FolderNotEmptyError, match="nothing was written"):
        new_course(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    with pytest.raises(FolderNotEmptyError):
        new_course(tmp_path / "mine.txt")


def test_an_empty_folder_will_do(tmp_path):
    (tmp_path / "x").mkdir()
    assert new_course(tmp_path / "x")


def test_it_builds_without_a_warning_and_its_gold_set_names_real_sections(tmp_path, client):
    new_course(tmp_path / "x")
    report = build_site(load_config(tmp_path / "x"), out=tmp_path / "dist", as_of=date(2026, 10, 1), client=client)
    assert report.warnings == ()
    assert report.lectures == 1
    assert report.gold is not None
    page = (tmp_path / "dist/lectures/01-first-lecture/notes.html").read_text()
    assert "littles-law" in page_facts(page).ids
    assert (tmp_path / "dist/index.html").is_file()
