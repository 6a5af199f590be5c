"""Which reader reads which file."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from openbook.config import load_config
from openbook.course.catalogue import load_catalogue
from openbook.errors import ConfigError
from openbook.prepare import prepare
from openbook.progress import Reporter


def readers(folder: Path, files: dict[str, str | bytes]) -> dict[str, str]:
    for name, text in {"openbook.toml": "", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    found = load_catalogue(load_config(folder), date(2026, 12, 1))
    return {source.relpath: source.reader for lecture in found.lectures for source in lecture.sources}


@pytest.mark.parametrize(
    ("name", "text", "reader"),
    [
        ("a.md", "# A\n", "myst"),
        ("a.markdown", "# A\n", "myst"),
        ("a.qmd", "# A\n", "quarto"),
        ("a.Rmd", "# A\n", "rmarkdown"),
        ("a.rmd", "# A\n", "rmarkdown"),
        ("a.ipynb", '{"cells": []}', "notebook"),
        ("a.md", "---\nmarp: true\n---\n# A\n", "marp"),
        ("a.md", "# A\n\n{{< youtube x >}}\n", "hugo"),
        ("a.md", "+++\ntitle = 'A'\n+++\n", "hugo"),
        ("a.md", "---\nlayout: page\n---\n{% include a.html %}\n", "jekyll"),
        ("a.md", "---\nteaching: 5\nexercises: 2\n---\n# A\n", "carpentries"),
        ("a.md", "# A\n:label:`sec_a`\n", "d2l"),
    ],
)
def test_by_name_and_by_what_it_holds(tmp_path, name, text, reader):
    assert readers(tmp_path, {name: text}) == {name: reader}


@pytest.mark.parametrize(
    ("beside", "reader"), [("_quarto.yml", "quarto"), ("_bookdown.yml", "rmarkdown"), ("_config.yml", "jekyll")]
)
def test_by_the_settings_of_another_system(tmp_path, beside, reader):
    assert readers(tmp_path, {"part/a.md": "# A\n", beside: ""}) == {"part/a.md": reader}


def test_the_settings_win(tmp_path):
    settings = '[sources.readers]\n"talks/*" = "marp"\n"**" = "quarto"\n'
    found = readers(tmp_path, {"talks/a.md": "# A\n", "b.md": "# B\n", "openbook.toml": settings})
    assert found == {"talks/a.md": "marp", "b.md": "quarto"}


def test_a_reader_that_there_is_not_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="Did you mean 'quarto'"):
        readers(tmp_path, {"a.md": "# A\n", "openbook.toml": '[sources.readers]\n"*" = "quatro"\n'})


def test_a_lecture_in_two_formats_is_read_once_and_told(tmp_path):
    assert readers(tmp_path, {"a.md": "# A\n", "a.ipynb": '{"cells": []}'}) == {"a.md": "myst"}
    kinds = [warning.kind for warning in load_catalogue(load_config(tmp_path), date(2026, 12, 1)).warnings]
    assert kinds == ["other-format"]


def test_a_course_is_built_without_what_cannot_be_read_and_says_so(tmp_path):
    readers(tmp_path, {"a.md": "# A\n\ntext\n", "b.ipynb": "broken", "c.md": bytes(200), "d.md": b"# D\n\ncaf\xe9\n"})
    prepared = prepare(load_config(tmp_path), date(2026, 12, 1), Reporter(), None)
    assert [chunk.text for chunk in prepared.chunks] == ["text", "café"]
    found = [(warning.kind, warning.source, warning.line) for warning in prepared.warnings]
    assert found == [("unreadable", "b.ipynb", 1), ("unreadable", "c.md", None), ("encoding", "d.md", 3)]
