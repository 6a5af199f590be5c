"""Jupyter notebooks: cells in order, each on its own; options, tags, attachments and outputs."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from openbook.config import load_config
from openbook.course.catalogue import load_catalogue
from openbook.course.readers import Reading, read_source
from openbook.errors import UnreadableSourceError

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def cell(kind: str, source: str | list[str], **more: Any) -> dict[str, Any]:
    found = {"cell_type": kind, "metadata": more.pop("metadata", {}), "source": source, **more}
    return {**found, "outputs": found.get("outputs", []), "execution_count": None} if kind == "code" else found


def notebook(*cells: dict[str, Any], **metadata: Any) -> str:
    data = {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(data, indent=1, ensure_ascii=False)


def read(folder: Path, text: str, settings: str = "") -> Reading:
    (folder / "openbook.toml").write_text(settings)
    (folder / "a.ipynb").write_text(text, encoding="utf-8")
    config = load_config(folder)
    lecture = load_catalogue(config, date(2026, 12, 1)).lectures[0]
    return read_source(lecture.sources[0], config, lecture)


def texts(reading: Reading) -> list[tuple[str, str]]:
    return [(section.title, block.text) for section in reading.document.sections for block in section.blocks]


def test_cells_are_read_in_order_and_none_runs_into_the_next(tmp_path):
    found = read(
        tmp_path,
        notebook(
            cell("markdown", ["# Loops\n", "\n", "```\n", "never closed"]),
            cell("code", ["# a comment, no heading\n", "for i in x: print(i)"]),
            cell("markdown", "## Next\n<!-- never closed"),
            cell("markdown", "Text."),
            kernelspec={"language": "python"},
        ),
    )
    assert found.document.title == "Loops"
    assert texts(found) == [
        ("Loops", "never closed"),
        ("Loops", "# a comment, no heading\nfor i in x: print(i)"),
        ("Next", "Text."),
    ]
    assert found.document.sections[0].blocks[1].language == "python"


def test_lines_are_those_of_the_file(tmp_path):
    text = notebook(cell("markdown", ["# A\n", "\n", "One.\n", "\n", "Two ü."]), cell("code", ["x = 1"]))
    lines = text.split("\n")
    blocks = read(tmp_path, text).document.sections[0].blocks
    assert [lines[block.start_line - 1].strip() for block in blocks] == ['"One.\\n",', '"Two ü."', '"x = 1"']


@pytest.mark.parametrize(
    ("metadata", "shown"),
    [
        ({}, True),
        ({"tags": ["hide-input"]}, True),
        ({"tags": ["remove-cell"]}, False),
        ({"tags": ["remove_input"]}, False),
        ({"nbsphinx": "hidden"}, False),
    ],
)
def test_cells_that_their_author_took_out_are_not_read(tmp_path, metadata, shown):
    found = read(tmp_path, notebook(cell("markdown", "# A\n\ntext"), cell("code", "x = 1", metadata=metadata)))
    assert (("A", "x = 1") in texts(found)) == shown


def test_options_in_comments_are_no_text_and_a_caption_is(tmp_path):
    source = "#| echo: false\n#| fig-cap: A line.\nplot(x)"
    assert texts(read(tmp_path, notebook(cell("markdown", "# A"), cell("code", source)))) == [("A", "A line.")]


def test_outputs_are_read_where_the_settings_want_it(tmp_path):
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": ["\x1b[31mforty-two\x1b[0m\n"]},
        {"output_type": "execute_result", "data": {"text/plain": "43", "image/png": PIXEL}, "metadata": {}},
    ]
    text = notebook(cell("markdown", "# A"), cell("code", "6 * 7", outputs=outputs))
    assert texts(read(tmp_path, text)) == [("A", "6 * 7")]
    found = texts(read(tmp_path, text, "[sources]\nnotebook_outputs = true\n"))
    assert found == [("A", "6 * 7"), ("A", "forty-two"), ("A", "43")]


def test_pictures_that_are_attached_are_shown_and_their_bytes_are_no_text(tmp_path):
    found = read(
        tmp_path,
        notebook(
            cell("markdown", "# A\n\n![A dot](attachment:a.png)", attachments={"a.png": {"image/png": PIXEL}}),
            cell("markdown", "![Another](attachment:a.png)"),
        ),
    )
    assert texts(found) == [("A", "A dot"), ("A", "Another")]
    images = [child for token in found.parsed.tokens for child in token.children or () if child.type == "image"]
    assert [str(image.attrs["src"])[:22] for image in images] == ["data:image/png;base64,", "attachment:a.png"]


def test_a_raw_cell_is_told_of_and_front_matter_in_the_first_cell_is_read(tmp_path):
    front = "---\ntitle: Trees\nrelease: 2026-01-01\n---"
    found = read(tmp_path, notebook(cell("raw", front), cell("raw", "\\newpage"), cell("markdown", "Text.")))
    assert found.document.title == "Trees"
    assert found.document.release == date(2026, 1, 1)
    assert [warning.kind for warning in found.document.warnings] == ["raw-cell"]


def test_a_notebook_is_released_on_its_day(tmp_path):
    (tmp_path / "a.ipynb").write_text(notebook(cell("markdown", "# A"), openbook={"release": "2027-01-01"}))
    found = load_catalogue(load_config(tmp_path), date(2026, 12, 1))
    assert ([lecture.id for lecture in found.unreleased], found.lectures) == (["a"], ())


def test_format_3_is_upgraded(tmp_path):
    cells = [
        {"cell_type": "heading", "level": 1, "metadata": {}, "source": "Old"},
        {
            "cell_type": "code",
            "input": "x = 1",
            "language": "python",
            "metadata": {},
            "outputs": [],
            "collapsed": False,
        },
    ]
    old = {
        "metadata": {"name": ""},
        "nbformat": 3,
        "nbformat_minor": 0,
        "worksheets": [{"cells": cells, "metadata": {}}],
    }
    assert texts(read(tmp_path, json.dumps(old))) == [("Old", "x = 1")]


@pytest.mark.parametrize("text", ["not json", "[]", '{"cells": 3}', "version https://git-lfs.github.com/spec/v1\n"])
def test_what_is_no_notebook_is_refused(tmp_path, text):
    with pytest.raises(UnreadableSourceError):
        read(tmp_path, text)
