from __future__ import annotations

import pytest

from openbook.course.globs import matches


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("**/*.md", "a.md", True),
        ("**/*.md", "a/b/c.md", True),
        ("*.md", "a/b.md", False),
        ("./*.md", "a.md", True),
        ("**/README.md", "README.md", True),
        ("**/README.md", "xREADME.md", False),
        ("**/.*/**", ".git/a.md", True),
        ("**/.*/**", "a/.git/b/c.md", True),
        ("**/.*/**", "a/b.md", False),
        ("drafts/**", "drafts/a/b.md", True),
        ("drafts/**", "drafts2/a.md", False),
        ("week?/[ab].md", "week1/a.md", True),
        ("week?/[!ab].md", "week1/a.md", False),
        ("a+b.md", "a+b.md", True),
        ("a+b.md", "aab.md", False),
    ],
)
def test_patterns(pattern, path, expected):
    assert matches(path, [pattern]) is expected


def test_no_pattern_matches_nothing():
    assert not matches("a.md", [])
