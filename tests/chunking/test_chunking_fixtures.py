"""The chunker's specification: a file of ``fixtures/`` for each syntax.

A case is its title, the input and the chunks, each ended by a line with a full stop. In the title, brackets hold
settings (word counts stand for word pieces there). A chunk is shown as

    @ heading / path  #anchor  lines  [part/parts]

and its text; a warning as ``! kind line: message``. ``OPENBOOK_UPDATE_FIXTURES=1`` writes what comes out into the
files, to be read before it is committed.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from chunking_support import count_words, document

from openbook.chunking import chunk_document
from openbook.settings import ChunkSettings

FIXTURES = Path(__file__).parent / "fixtures"
UPDATE = os.environ.get("OPENBOOK_UPDATE_FIXTURES") == "1"


def cases(file: Path) -> list[tuple[str, str, str]]:
    """Return (title, input, expected) of each case in a file."""
    found = re.findall(
        r"^([^\n]+)\n\.\n(.*?)^\.\n(.*?)^\.\n", file.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    return [(title, text, expected) for title, text, expected in found]


def options(title: str) -> dict[str, Any]:
    """Read ``[max_tokens=20 kind=slides]`` from a title."""
    match = re.search(r"\[([\w= .,-]*)\]$", title)
    found: dict[str, Any] = {}
    for pair in match[1].split() if match else ():
        key, _, value = pair.partition("=")
        if key == "cut_levels":
            found[key] = tuple(int(level) for level in value.split(","))
        else:
            found[key] = float(value) if "." in value else int(value) if value.isdigit() else value
    return found


def render(text: str, settings: dict[str, Any]) -> str:
    """Show the chunks and the warnings of a text."""
    kind, reader = settings.pop("kind", "notes"), settings.pop("reader", "")
    max_tokens = settings.pop("max_tokens", 10_000)
    read = document(text, kind, reader=reader)
    lines = [f"! {warning.kind} {warning.line or '-'}: {warning.message}" for warning in read.warnings]
    for chunk in chunk_document(read, ChunkSettings(**settings), max_tokens, count_words):
        place = f"{chunk.start_line}-{chunk.end_line}"
        part = f"  [{chunk.part}/{chunk.parts}]" if chunk.parts > 1 else ""
        lines += [f"@ {' / '.join(chunk.path)}  #{chunk.anchor}  {place}{part}", chunk.text]
    return "".join(f"{line}\n" for line in lines)


FILES = sorted(FIXTURES.glob("*.md"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_syntax(file: Path):
    found = cases(file)
    assert found, "no case could be read from the file"
    if UPDATE:
        parts = [f"{title}\n.\n{text}.\n{render(text, options(title))}.\n" for title, text, _ in found]
        file.write_text("\n".join(parts), encoding="utf-8")
    for title, text, expected in found:
        assert render(text, options(title)) == expected, f"{file.name}: {title}"


def test_every_case_of_the_fixtures_is_read():
    """A case whose dots are miscounted must not vanish."""
    for file in FILES:
        dots = len(re.findall(r"^\.$", file.read_text(encoding="utf-8"), re.MULTILINE))
        assert dots == 3 * len(cases(file)), file.name
