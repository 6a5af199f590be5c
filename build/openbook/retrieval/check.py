"""The check: each sentence of an answer against the passages that it cites.

A model may cite a passage that says something else. So the answer is split into sentences with their citations, and
each is compared with every sentence of the passages it names, in two ways: how near its word pieces come to those of
the passage (MaxSim), and how many of its words stand there, rare ones counting more (BM25's IDF); the words alone where
there are no token vectors. Neither sees a changed number or a "not" that was dropped: those are looked for by name
(``objections.py``), and a sentence with one is never more than weak.

The verdict is about words, not about truth: "supported" means that the passage says something very like it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from openbook.index.tokens import tokenize
from openbook.retrieval.citations import Citation, citations
from openbook.retrieval.keyword import STOP_WORDS
from openbook.retrieval.objections import object_to
from openbook.retrieval.passages import PassageTexts, collapse
from openbook.retrieval.prompt import NOT_IN_THE_NOTES
from openbook.retrieval.sentences import SPACE, Span, split_sentences, utf16_length
from openbook.retrieval.spans import SpanScores
from openbook.retrieval.trace import CheckedSentence, Evidence, Objection, Verdict
from openbook.settings import CheckSettings

LEAST_TERMS: Final = 2
"""A sentence with fewer words that say something claims nothing that could be checked."""

NEAR: Final = 2
"""How many sentences before and behind the quoted one may hold a number that the answer gives."""

_BEFORE_STOP = re.compile(r" ([.,;:!?。！？])(?= |$)")
_AROUND = re.compile(r"^[ .\"'*]+|[ .\"'*]+$")

Weight = Callable[[str], float]
"""IDF of a term; of one that no chunk holds, the greatest there is."""


@dataclass(frozen=True, slots=True)
class CitedText:
    """A sentence of an answer.

    Attributes:
        start, end: offsets in the answer, citations included, in code points.
        text: without its citations, on one line.
        citations: the numbers that it gives, each once.
    """

    start: int
    end: int
    text: str
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """A sentence of a passage and how well it supports one of the answer."""

    item: PassageTexts
    ordinal: int
    text: str
    span: Span
    around: Sequence[Span]
    score: float
    words: float
    late_interaction: float | None


def cited_sentences(answer: str, given: Sequence[int]) -> list[CitedText]:
    """Split an answer into sentences with the numbers that they cite.

    A citation at the beginning of a sentence belongs to the one before it, if that has none: models write it on either
    side of the full stop. A number in brackets right behind a letter is a citation only if there is such a passage;
    else it is an index, as in ``x[0]``.

    Args:
        answer: as far as it is written.
        given: numbers of the passages.
    """
    found: list[CitedText] = []
    for span in split_sentences(answer):
        written = answer[span.start : span.end]
        matches = citations(written, given)
        text = _without(written, matches)
        leading = 0
        place = 0
        while leading < len(matches) and not collapse(written[place : matches[leading].start]):
            place = matches[leading].end
            leading += 1
        claims = bool(tokenize(text))
        start = span.start
        if leading and found and (not claims or not found[-1].citations):
            last = found[-1]
            moved = (*last.citations, *_numbers(matches[:leading]))
            found[-1] = CitedText(last.start, span.start + place, last.text, tuple(dict.fromkeys(moved)))
            matches = matches[leading:]
            start += place
            while start < span.end and answer[start] in SPACE:
                start += 1
        if claims:
            found.append(CitedText(start, span.end, text, tuple(dict.fromkeys(_numbers(matches)))))
    return found


def finished_sentences(answer: str, given: Sequence[int]) -> list[CitedText]:
    """The sentences of an answer that is still being written: without the last one, which may go on, and without what
    a bracket that is still open may come to cite.
    """
    opened = answer.rfind("[")
    whole = opened < 0 or answer.find("]", opened) >= 0
    return cited_sentences(answer if whole else answer[:opened], given)[:-1]


def check(
    answer: str,
    passages: Sequence[PassageTexts],
    weight: Weight,
    near_of: Callable[[str], SpanScores] | None,
    settings: CheckSettings,
) -> tuple[CheckedSentence, ...]:
    """Check a whole answer.

    Args:
        answer: as it was written.
        passages: that were shown to whoever wrote it.
        weight: of a term.
        near_of: a sentence → what compares it; None without token vectors.
        settings: of ``[retrieval.check]``.
    """
    return tuple(
        check_sentence(answer, one, passages, weight, near_of(one.text) if near_of else None, settings)
        for one in cited_sentences(answer, [item.passage.number for item in passages])
    )


def check_sentence(
    answer: str,
    sentence: CitedText,
    passages: Sequence[PassageTexts],
    weight: Weight,
    near: SpanScores | None,
    settings: CheckSettings,
) -> CheckedSentence:
    """Compare one sentence with the passages that it cites; one that cites none, with all.

    Args:
        answer: that it stands in.
        sentence: as ``cited_sentences`` gives it.
        passages: as for ``check``.
        weight: as for ``check``.
        near: MaxSim of the sentence with the sentences of a passage; None without token vectors.
        settings: as for ``check``.
    """
    given = {item.passage.number: item for item in passages}
    unknown = [number for number in sentence.citations if number not in given]
    weights = {term: weight(term) for term in _terms(sentence.text)}
    chosen = [given[number] for number in sentence.citations if number in given] or list(passages)
    best = _best(weights, chosen, near, settings)
    objections: list[Objection] = []
    verdict: Verdict
    if _refuses(sentence.text) or (len(weights) < LEAST_TERMS and not sentence.citations):
        verdict, best = "no-claim", None
    elif unknown:
        verdict = "unknown-citation"
        objections = [Objection(kind="citation", what=str(number)) for number in unknown]
    elif not sentence.citations:
        verdict = "uncited"
    else:
        objections = _objections(sentence.text, best)
        verdict = _verdict(best, objections, settings)
    start = utf16_length(answer[: sentence.start])
    return CheckedSentence(
        start=start,
        end=start + utf16_length(answer[sentence.start : sentence.end]),
        text=sentence.text,
        citations=sentence.citations,
        verdict=verdict,
        score=best.score if best else 0.0,
        words=best.words if best else 0.0,
        late_interaction=best.late_interaction if best else None,
        evidence=_evidence(best) if best else None,
        objections=tuple(objections),
    )


def _numbers(found: Sequence[Citation]) -> list[int]:
    return [number for one in found for number in one.numbers]


def _without(written: str, found: Sequence[Citation]) -> str:
    for one in reversed(found):
        written = written[: one.start] + written[one.end :]
    return _BEFORE_STOP.sub(r"\1", collapse(written))


def _terms(text: str) -> list[str]:
    return [term for term in dict.fromkeys(tokenize(text)) if term not in STOP_WORDS]


def _refuses(text: str) -> bool:
    return _AROUND.sub("", text).lower() == _AROUND.sub("", NOT_IN_THE_NOTES).lower()


def _best(
    weights: dict[str, float], chosen: Sequence[PassageTexts], near: SpanScores | None, settings: CheckSettings
) -> _Found | None:
    """The sentence of the chosen passages with the best score; None when none has any."""
    found: _Found | None = None
    nothing: frozenset[str] = frozenset()
    for item in chosen:
        whole = nothing.union(_terms(item.passage.label), *(_terms(part.text) for part in item.parts))
        in_whole = _cover(weights, whole)
        for part in item.parts:
            spans = split_sentences(part.text, part.verbatim)
            sets = [frozenset(_terms(part.text[span.start : span.end])) for span in spans]
            scores = near(part.ordinal, part.text, spans) if near else None
            for place, span in enumerate(spans):
                window = _cover(weights, nothing.union(*sets[max(0, place - 1) : place + 2]))
                words = (_cover(weights, sets[place]) + window + in_whole) / 3
                late = scores[place] if scores else None
                score = words if late is None else settings.words * words + (1 - settings.words) * late
                if score > (found.score if found else 0.0):
                    around = spans[max(0, place - NEAR) : place + NEAR + 1]
                    found = _Found(item, part.ordinal, part.text, span, around, score, words, late)
    return found


def _cover(weights: dict[str, float], inside: frozenset[str]) -> float:
    """Share of the sentence's words, by weight, that are ``inside``."""
    covered = total = 0.0
    for term, weight in weights.items():
        total += weight
        if term in inside:
            covered += weight
    return covered / total if total > 0 else 0.0


def _objections(said: str, best: _Found | None) -> list[Objection]:
    if best is None:
        return []
    around = [best.text[span.start : span.end] for span in best.around]
    return object_to(said, best.text[best.span.start : best.span.end], "\n".join([*best.item.passage.path, *around]))


def _verdict(best: _Found | None, objections: Sequence[Objection], settings: CheckSettings) -> Verdict:
    by_words = best is None or best.late_interaction is None
    supported = settings.supported_by_words if by_words else settings.supported
    weak = settings.weak_by_words if by_words else settings.weak
    if best is None or best.score < weak:
        return "unsupported"
    return "supported" if best.score >= supported and not objections else "weak"


def _evidence(best: _Found) -> Evidence:
    start = utf16_length(best.text[: best.span.start])
    quoted = best.text[best.span.start : best.span.end]
    number = best.item.passage.number
    return Evidence(number=number, ordinal=best.ordinal, start=start, end=start + utf16_length(quoted), text=quoted)
