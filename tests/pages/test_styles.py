"""The design's values keep their promises: contrast, and no value that is used but not there."""

from __future__ import annotations

import re

import pytest
from pygments.token import STANDARD_TYPES

from openbook.pages.assets import BUNDLES, site_folder
from openbook.pages.highlight import highlight
from openbook.pages.mathml import _CLASSES

STYLES = site_folder() / "styles"
TOKENS = (STYLES / "tokens.css").read_text()
COLOURS = {
    name: (light, dark)
    for name, light, dark in re.findall(r"(--ob-[\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", TOKENS)
}
PAPERS = ("--ob-paper", "--ob-raised", "--ob-sunk")
TEXTS = sorted(
    name
    for name in COLOURS
    if re.fullmatch(r"--ob-(?:ink|ink-soft|ink-faint|accent|accent-strong|good|warn|bad|code-\w+|series-\d)", name)
)


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", TEXTS)
def test_text_can_be_read_on_every_paper(name, scheme):
    for paper in PAPERS:
        assert contrast(COLOURS[name][scheme], COLOURS[paper][scheme]) >= 4.5, paper


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("--ob-on-accent", "--ob-accent"),
        ("--ob-accent", "--ob-accent-wash"),
        ("--ob-ink", "--ob-mark"),
        ("--ob-ink-soft", "--ob-mark"),
        ("--ob-accent", "--ob-mark"),
        ("--ob-ink", "--ob-selection"),
        ("--ob-good", "--ob-good-wash"),
        ("--ob-warn", "--ob-warn-wash"),
        ("--ob-bad", "--ob-bad-wash"),
        ("--ob-ink", "--ob-good-wash"),
        ("--ob-ink", "--ob-warn-wash"),
        ("--ob-ink", "--ob-bad-wash"),
    ],
)
def test_text_can_be_read_on_coloured_ground(text, ground, scheme):
    assert contrast(COLOURS[text][scheme], COLOURS[ground][scheme]) >= 4.5


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["--ob-rule-strong", "--ob-focus", "--ob-mark-edge"])
def test_edges_of_controls_and_marks_can_be_seen(name, scheme):
    for paper in ("--ob-paper", "--ob-raised"):
        assert contrast(COLOURS[name][scheme], COLOURS[paper][scheme]) >= (2.5 if "mark" in name else 3)


def test_every_value_that_is_used_is_there():
    defined = set(re.findall(r"(--ob-[\w-]+):", TOKENS))
    for path in STYLES.glob("*.css"):
        assert set(re.findall(r"var\((--ob-[\w-]+)", path.read_text())) <= defined, path.name


def test_every_sheet_is_served():
    assert {path.name for path in STYLES.glob("*.css")} == {part for parts in BUNDLES.values() for part in parts}


def test_colours_stand_in_the_tokens_only():
    for path in STYLES.glob("*.css"):
        if path.name != "tokens.css":
            rest = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
            assert not re.search(r"#[0-9a-fA-F]{3,8}\b(?!\s*[{,])|rgb\(|hsl\(", rest), path.name


def test_styles_load_nothing_from_elsewhere():
    for path in STYLES.glob("*.css"):
        assert not re.search(r"url\(|@import|@font-face", path.read_text()), path.name


def test_classes_of_highlighted_code_are_ones_of_pygments():
    sheet = re.sub(r"/\*.*?\*/", "", (STYLES / "code.css").read_text(), flags=re.DOTALL)
    used = set(re.findall(r"\.([a-z]+\d?)\b", sheet)) - {"code"}
    assert used <= set(STANDARD_TYPES.values())
    made = set(
        re.findall(
            r'class="(\w+)"',
            highlight('@a\ndef f(x: int) -> str:\n    """d"""\n    return f"{x}" + 1.5  # c\n', "python"),
        )
    )
    assert {"nd", "k", "nf", "nb", "sd", "mf", "c1"} <= made & used


def test_classes_of_mathematics_are_in_the_sheet():
    sheet = (STYLES / "prose.css").read_text()
    for name in _CLASSES.values():
        assert f"math .{name} {{" in sheet


def test_sides_follow_the_direction_of_writing():
    """Logical properties everywhere but in mathematics, which is set from left to right in every language."""
    for path in STYLES.glob("*.css"):
        for rule in re.findall(r"([^{}]+)\{([^{}]*)\}", re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)):
            if rule[0].strip().startswith("math"):
                continue
            found = re.search(
                r"(?:margin|padding|border)-(?:left|right)|(?<![\w-])(?:left|right)\s*:|text-align:\s*(?:left|right)",
                rule[1],
            )
            assert not found, (path.name, rule[0].strip())
