"""The tokenizer: its table of cases, its character table, and the same answers as the page's."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openbook.index.characters import UNICODE_VERSION, WORD_RANGES, common, without, word_ranges
from openbook.index.tokens import MAX_LENGTH, TOKENIZER_FINGERPRINT, TOKENIZER_NAME, tokenize

TABLE: dict[str, Any] = json.loads(
    (Path(__file__).resolve().parents[1] / "parity" / "tokens.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", TABLE["cases"], ids=lambda case: f"{case['group']}: {case['text'][:40]!r}")
def test_case(case: dict[str, Any]) -> None:
    assert tokenize(case["text"]) == case["tokens"]


def test_the_fingerprint_is_that_of_the_table() -> None:
    digest = hashlib.sha256(f"{TOKENIZER_NAME}\n".encode())
    for case in TABLE["cases"]:
        digest.update(f"{case['text']}\0{chr(0x1F).join(tokenize(case['text']))}\n".encode())
    assert TABLE["tokenizer"] == TOKENIZER_NAME
    assert digest.hexdigest() == TOKENIZER_FINGERPRINT


@pytest.mark.skipif(unicodedata.unidata_version != UNICODE_VERSION, reason="this Python has another Unicode version")
def test_the_character_table_is_unicode_14() -> None:
    wanted = {"Lu", "Ll", "Lt", "Lm", "Lo", "Nd", "Nl", "No", "Mn", "Mc"}
    inside = {point for first, last in word_ranges() for point in range(first, last + 1)}
    assert inside == {point for point in range(0x110000) if unicodedata.category(chr(point)) in wanted}


def test_the_page_has_the_same_character_table(root: Path) -> None:
    source = (root / "web" / "src" / "retrieval" / "characters.ts").read_text(encoding="utf-8")
    declaration = source[source.index("WORD_RANGES: string =") :].split(";", 1)[0]
    assert "".join(re.findall(r'"([^"]*)"', declaration)) == WORD_RANGES


RANGES = st.lists(st.integers(0, 60), unique=True, max_size=8).map(
    lambda points: [(a, b) for a, b in zip(sorted(points)[::2], sorted(points)[1::2], strict=False)]
)


@given(RANGES, RANGES)
def test_ranges_subtract_and_intersect_as_sets_do(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> None:
    def points(ranges: list[tuple[int, int]]) -> set[int]:
        return {point for first, last in ranges for point in range(first, last + 1)}

    assert points(without(one, other)) == points(one) - points(other)
    assert points(common(one, other)) == points(one) & points(other)


# Pieces of the kind that notes are made of, so that random texts meet the tokenizer's corners often.
FRAGMENTS = st.sampled_from(
    [
        *"aBcXz019_.-'#+,/ `$^\\²½①éß’ς\u0301\u00ad\u200b学の한ก😀",
        *("++", "C++", "C#", ".NET", "1e-5", "1.0", "'s", "zero_grad", "KFold", "GPUs", "np.argmax", "1,000", "don't"),
        *("\u2010", "ＡＢ", "İ", "Σ", "ﬁ", "क्ष", "\U00020bb7", "\U0001d465", "\U00031350"),
    ]
)
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(FRAGMENTS, max_size=30).map("".join),
    st.text(alphabet=st.characters(max_codepoint=0x24F), max_size=60),
)


@given(TEXTS)
def test_tokens_are_short_and_lower_case(text: str) -> None:
    for token in tokenize(text):
        assert 1 <= len(token) <= MAX_LENGTH
        assert token == token.lower()


@given(TEXTS, TEXTS)
def test_texts_apart_are_tokenized_apart(one: str, other: str) -> None:
    assert tokenize(f"{one}\n\n{other}") == tokenize(one) + tokenize(other)


def node_tokens(root: Path, texts: list[str], tmp_path: Path) -> list[list[str]]:
    """What the page's tokenizer gives, by the very module that is bundled."""
    node, esbuild = shutil.which("node"), root / "web" / "node_modules" / "vite"
    if node is None or not esbuild.is_dir():
        pytest.skip("node and web/node_modules are needed for this")
    given_file = tmp_path / "texts.json"
    given_file.write_text(json.dumps(texts), encoding="utf-8")
    script = root / "tests" / "parity" / "tokenize.mjs"
    done = subprocess.run(
        [node, str(script), str(given_file)],
        cwd=root / "web",
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    tokens: list[list[str]] = json.loads(done.stdout)
    return tokens


def differing(texts: list[str], theirs: list[list[str]]) -> list[tuple[str, list[str], list[str]]]:
    assert len(texts) == len(theirs)
    return [
        (text, tokenize(text), tokens) for text, tokens in zip(texts, theirs, strict=True) if tokenize(text) != tokens
    ]


def test_the_page_tokenizes_thousands_of_random_texts_the_same(root: Path, tmp_path: Path) -> None:
    texts: list[str] = []

    @settings(max_examples=3000, database=None, derandomize=True, deadline=None)
    @given(TEXTS)
    def collect(text: str) -> None:
        texts.append(text)

    collect()
    assert len(texts) >= 2000
    assert differing(texts, node_tokens(root, texts, tmp_path)) == []


def test_the_page_tokenizes_characters_of_every_script_the_same(root: Path, tmp_path: Path) -> None:
    """Between letters and alone; lone surrogates too. Of the blocks with thousands of like characters, a few."""
    all_of = [
        range(0x3400),
        range(0xA000, 0xAC00),
        range(0xD7A0, 0xD810),
        range(0xF900, 0x10400),
        range(0x1D400, 0x1D800),
    ]
    some_of = [
        range(0x3400, 0xF900, 41),
        range(0x10400, 0x1D400, 41),
        range(0x1D800, 0x33500, 97),
        range(0xE0000, 0xE0200, 7),
    ]
    points = sorted({point for block in all_of + some_of for point in block})
    texts = [f"Ab{chr(point)}c {chr(point)}" for point in points]
    assert differing(texts, node_tokens(root, texts, tmp_path)) == []


def test_the_page_tokenizes_real_courses_the_same(root: Path, shared_data: Path, tmp_path: Path) -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted((shared_data / "corpora").rglob("*.md"))]
    assert len(texts) > 20
    assert differing(texts, node_tokens(root, texts, tmp_path)) == []
