"""The extractive answer: which sentences, in which order, from where."""

from __future__ import annotations

import msgspec

from openbook.retrieval.answer import MOST, Answer, answer
from openbook.retrieval.passages import PassageTexts, select_passages
from parity.mini_course import MiniCourse
from parity.vectors import ranking

MINI = MiniCourse()


def ask(question: str, *chunk_ids: str) -> Answer:
    return answer(question, select_passages(MINI, ranking(*chunk_ids), 5), lambda term: MINI.keyword.idf(term, "text"))


def test_the_sentence_that_covers_the_question_is_quoted_with_its_number() -> None:
    found = ask("How long must the gap be for a forecast?", "l08/notes#leakage", "l08/notes#gap")
    best = max(found.sentences, key=lambda sentence: sentence.score)
    assert best.number == 2
    assert best.text == "For a forecast of h days it is h - 1 rows, e.g. 6 rows for a week."
    assert f"{best.text} [2]" in found.text
    assert {"gap", "forecast"} & set(best.terms)


def test_a_definition_is_quoted_with_its_title() -> None:
    found = ask("What is leakage?", "l08/notes#leakage")
    assert found.sentences[0].text.startswith("Definition: leakage\nLeakage is the use")


def test_sentences_stand_in_the_order_of_the_passages() -> None:
    found = ask(
        "What happens to the gap rows, and what does zero_grad clear?", "l08/notes#gap", "l11/notes#what-zero_grad-does"
    )
    places = [(sentence.number, sentence.ordinal, sentence.start) for sentence in found.sentences]
    assert places == sorted(places)
    assert 2 <= len(places) <= MOST


def test_code_is_offered_only_when_no_sentence_is_as_good() -> None:
    found = ask("How long is the gap?", "l08/notes#gap")
    assert all(sentence.kind == "sentence" for sentence in found.sentences)
    found = ask("TimeSeriesSplit split train test", "l08/notes#gap")
    assert any(sentence.kind == "code" and "TimeSeriesSplit(gap=6)" in sentence.text for sentence in found.sentences)


def test_what_was_quoted_is_not_quoted_again_in_nearly_the_same_words() -> None:
    first, second = select_passages(MINI, ranking("l08/notes#leakage", "l08/notes#gap-year"), 5)
    said = "A gap of six rows keeps training and test apart."
    again = "So a gap of six rows keeps training and test apart."
    passages = [
        PassageTexts(item.passage, (msgspec.structs.replace(item.parts[0], text=text, verbatim=()),))
        for item, text in ((first, f"{said} Unrelated."), (second, f"{again} The rows of the gap are thrown away."))
    ]
    found = answer("How many rows has the gap?", passages, lambda term: 1.0)
    assert [sentence.text for sentence in found.sentences] == [said, "The rows of the gap are thrown away."]


def test_the_section_that_the_question_names_is_quoted_though_its_sentences_use_other_words() -> None:
    found = ask("Why does a shuffled split leak?", "l08/notes#why-a-shuffled-split-leaks")
    assert found.sentences


def test_no_words_no_answer() -> None:
    for question in ("???", "quantum chromodynamics"):
        found = ask(question, "l08/notes#gap", "l08/notes#leakage")
        assert found.sentences == ()
        assert found.text == ""


def test_a_list_of_sources_loses_to_prose() -> None:
    found = ask("What does zero_grad clear?", "l11/notes#resources", "l11/notes#what-zero_grad-does")
    best = max(found.sentences, key=lambda sentence: sentence.score)
    assert best.number == 2


def test_the_nearest_sentence_wins_and_one_below_the_floor_is_not_quoted() -> None:
    passages = select_passages(MINI, ranking("l08/notes#why-a-shuffled-split-leaks"), 5)

    def near(best: int, value: float):
        return lambda ordinal, text, spans: [value if place == best else 0.1 for place in range(len(spans))]

    def quoted(best: int, value: float):
        return answer("Why is the future known?", passages, lambda term: 1.0, near(best, value))

    assert [one.text for one in quoted(2, 0.7).sentences] == ["In use, Wednesday has not happened yet."]
    silent = quoted(2, 0.4)
    assert (silent.sentences, silent.text) == ((), "")
    assert silent.below_floor > 0


def test_a_chunk_without_token_vectors_is_not_quoted_beside_others() -> None:
    passages = select_passages(MINI, ranking("l08/notes#leakage"), 5)
    found = answer("What is leakage?", passages, lambda term: 1.0, lambda ordinal, text, spans: None)
    assert found.sentences == ()
    assert answer("What is leakage?", passages, lambda term: 1.0).sentences
