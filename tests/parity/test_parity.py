"""The parity vectors are what the reference gives today, and try what they are there to try.

``web/test/parity.test.ts`` holds the TypeScript side against the same files.
"""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from parity.mini_course import SAME_VECTOR
from parity.vectors import FILES, HERE, MINI, render


def load(name: str) -> Any:
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


def close(found: Any, expected: Any) -> bool:
    """Equal, but for the last bits of a logarithm, which C libraries do not agree on."""
    if isinstance(expected, float) and isinstance(found, (int, float)):
        return math.isclose(found, expected, rel_tol=1e-12, abs_tol=1e-12)
    if isinstance(expected, dict) and isinstance(found, dict):
        return found.keys() == expected.keys() and all(close(found[key], expected[key]) for key in expected)
    if isinstance(expected, list) and isinstance(found, list):
        return len(found) == len(expected) and all(map(close, found, expected))
    return bool(found == expected and type(found) is type(expected))


@pytest.mark.parametrize("name", FILES)
def test_the_file_is_what_the_reference_gives(name: str) -> None:
    found, expected = json.loads(render(name)), load(name)
    same = found == expected if name == "dense" else close(found, expected)
    assert same, f"{name}.json is stale: run python -m parity.vectors and read the difference"


def test_a_changed_number_is_seen() -> None:
    assert not close({"a": [1.0, 2.0]}, {"a": [1.0, 2.0000001]})
    assert not close([1], [1, 2])
    assert not close({"a": 1}, {"b": 1})


def test_two_equal_vectors_tie_and_the_lower_ordinal_is_first() -> None:
    full = [case for case in load("dense") if case["settings"]["depth"] == 50]
    for case in full:
        order = [hit["ordinal"] for hit in case["hits"]]
        scores = {hit["ordinal"]: hit["score"] for hit in case["hits"]}
        assert scores[SAME_VECTOR[0]] == scores[SAME_VECTOR[1]]
        assert order.index(SAME_VECTOR[0]) + 1 == order.index(SAME_VECTOR[1])


def test_a_question_that_is_a_heading_puts_its_section_first() -> None:
    cases = [case for case in load("keyword") if case["question"] == "why a SHUFFLED split leaks"]
    searched = [case for case in cases if case["settings"]["boost_title"] > 0]
    assert len(searched) > 2
    for case in searched:
        assert [hit["exact_title"] for hit in case["hits"]] == [True] + [False] * (len(case["hits"]) - 1)


def test_the_prompts_try_every_way_of_being_short() -> None:
    prompts = [(case["settings"], case["prompt"]) for case in load("prompt")]
    built = [(settings, one) for settings, one in prompts if one is not None]
    assert len(built) < len(prompts)
    assert all(one["tokens"] <= settings["max_tokens"] for settings, one in built)
    assert any(one["words"] < settings["min_words"] for settings, one in built)
    assert any(settings["min_words"] < one["words"] < settings["max_words"] for settings, one in built)
    assert any("…" in one["text"] for _, one in built)
    assert {dropped["reason"] for _, one in built for dropped in one["dropped"]} == {
        "below-floor", "duplicate", "no-room",
    }  # fmt: skip
    assert any(sum(part["tokens"] for part in one["parts"]) < one["tokens"] for _, one in built)


def test_answers_quote_what_stands_at_their_offsets() -> None:
    quoted = [sentence for case in load("answer") for sentence in case["answer"]["sentences"]]
    assert any(sentence["start"] > 0 for sentence in quoted)
    for sentence in quoted:
        units = MINI.texts[sentence["ordinal"]].text.encode("utf-16-le")
        assert units[2 * sentence["start"] : 2 * sentence["end"]].decode("utf-16-le") == sentence["text"]
    behind_the_emoji = [sentence for sentence in quoted if sentence["text"].startswith("So look twice")]
    assert behind_the_emoji


def test_the_parts_of_a_prompt_have_as_many_word_pieces_as_the_whole() -> None:
    cases = load("word_pieces")
    first = next(number for number, case in enumerate(cases) if case["text"].startswith("Answer the question from"))
    *parts, whole = cases[first:]
    assert "\n\n".join(part["text"] for part in parts) == whole["text"]
    assert sum(part["tokens"] for part in parts) == whole["tokens"] > 300
