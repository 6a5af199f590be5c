"""What each piece of Markdown looks like on a page: golden cases that can be read, one file a topic.

A case is a title, the Markdown, and the HTML, with a line of one dot behind each.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parent / "fixtures"
CASE = re.compile(r"(?P<title>[^\n]+)\n\.\n(?P<markdown>.*?)\n\.\n(?P<html>.*?)\n\.\n", re.DOTALL)


def cases():
    for path in sorted(FIXTURES.glob("*.txt")):
        for match in CASE.finditer(path.read_text(encoding="utf-8")):
            yield pytest.param(match["markdown"], match["html"], id=f"{path.stem}: {match['title'].strip()}")


@pytest.mark.parametrize(("markdown", "html"), list(cases()))
def test_golden(fragment, markdown, html):
    assert fragment(markdown + "\n").strip() == html.strip()
