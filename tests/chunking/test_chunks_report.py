"""``openbook chunks PATH``: what a file or a course becomes."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from chunking_support import count_words

from openbook.chunks_report import describe
from openbook.config import load_config
from openbook.errors import SourceNotFoundError

TEXT = """# Networks

## Layers

### Transport

#### Window

Grows each round trip.

##### Recovery

Halves it.
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    for name, text in {
        "l01/notes.md": TEXT,
        "l01/slides.md": "# Deck\n",
        "l02/notes.md": "---\nrelease: 2027-01-01\n---\n# Later\n\nText.\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_a_file(course):
    found, warnings = describe(course / "l01" / "notes.md", load_config(course), count_words, 256)
    assert warnings == []
    assert found == [
        {
            "id": "l01/notes#transport",
            "title": "Transport",
            "headings": ["Networks", "Layers", "Transport", "Window", "Recovery"],
            "anchor": "transport",
            "kind": "notes",
            "text": "Window\n\nGrows each round trip.\n\nRecovery\n\nHalves it.",
            "start_line": 5,
            "end_line": 13,
            "tokens": 15,
            "path": ["Networks", "Layers", "Transport"],
            "source": "l01/notes.md",
            "part": 1,
            "parts": 1,
            "words": 8,
        }
    ]


def test_an_author_may_look_at_an_unreleased_file_but_a_folder_obeys_the_gate(course):
    config = load_config(course)
    found, _ = describe(course / "l02" / "notes.md", config, count_words, 256)
    assert [chunk["text"] for chunk in found] == ["Text."]
    found, _ = describe(course, config, count_words, 256, as_of=date(2026, 12, 1))
    assert [chunk["id"] for chunk in found] == ["l01/notes#transport", "l01/slides#deck"]
    found, _ = describe(course, config, count_words, 256, as_of=date(2027, 1, 1))
    assert len(found) == 3


def test_a_file_outside_the_course(course, tmp_path):
    path = tmp_path / "elsewhere" / "page.md"
    path.parent.mkdir()
    path.write_text("Text.\n\n```\nopen\n")
    found, warnings = describe(path, load_config(course / "l01"), count_words, 256)
    assert [(chunk["id"], chunk["source"]) for chunk in found] == [("page/notes#top", "../elsewhere/page.md")]
    assert [(warning.kind, warning.source, warning.line) for warning in warnings] == [
        ("unclosed-fence", "../elsewhere/page.md", 3)
    ]


def test_a_path_that_is_not_there(course):
    with pytest.raises(SourceNotFoundError):
        describe(course / "nothing.md", load_config(course), count_words, 256)
