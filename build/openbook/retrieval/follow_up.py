"""Follow-up questions: what leans on the question before it, and what it means when it is written out.

"And what about time series?" finds nothing of use: half of what is asked stands in the question before. Such a question
is searched for as one to three queries that stand alone. Here they are made without a model, from words alone; with
one that is loaded, the tab lets it write them (``web/src/conversation/rewrite.ts``) and comes back to this when it does
not answer, or not in the form it was asked for.

A question that stands alone must stay as it is: a wrong rewrite drags yesterday's topic into today's answer. So a
question leans only for one of these reasons, each of which can be read off it:

* it begins with a conjunction: "and", "but", "so", "then", "also", "what about", "how about";
* a pronoun or demonstrative stands in it before any word of content, so that nothing in the question itself can be
  what it means: "is *that* still honest", "how is *it* different";
* it ends with a demonstrative, or names one thing of several that it does not name: "... for that?", "the second one";
* it has no word of content at all: "why?", "can you explain?".

``python -m bench conversation`` measures how often it is right, and what rewriting gains, in English. The words are
those of ``follow_up_words.py``; where it has none of the course's language, every question is asked as it was typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal

import msgspec

from openbook.index.tokens import tokenize
from openbook.retrieval.follow_up_words import WORDS, Words
from openbook.retrieval.passages import collapse
from openbook.retrieval.trace import RerankHit
from openbook.retrieval.words import as_typed

Reason = Literal["conjunction", "pronoun", "demonstrative", "ellipsis"]

QUERIES: Final = 3
"""That a follow-up is searched for at most."""
CARRIED: Final = 6
"""Words that are carried over at most from the question before, the rarest in the notes first."""

LONG: Final = 14
"""Words; a longer question brings its own context, even where it begins with a pronoun."""
FEW: Final = 3
"""Words of content; a question with more of them has said itself what "that" is."""

_SENTENCE_END: Final = re.compile(r"[.?!;:] |[。？！；].")


class Before(msgspec.Struct, frozen=True, kw_only=True):
    """The turn before.

    Attributes:
        question: as it was searched for: of a follow-up, its first query, so that a topic lives on over several turns.
        heading: of the section that its answer cites first, or that was found first where it cites none; "" where the
            question was refused.
    """

    question: str
    heading: str = ""


def leans(question: str, language: str = "en") -> Reason | None:
    """Why a question cannot be understood without the one before it; None for one that stands alone.

    Args:
        question: as it was typed.
        language: of the course, as a BCP 47 tag; "" for English.
    """
    known = _known(language)
    text = _bare(question)
    if known is None:
        return None
    if known.conjunction.search(text):
        return "conjunction"
    words = list(_surface(text, known))
    content = [place for place, word in enumerate(words) if _has_content(word, known)]
    if not content:
        return "ellipsis" if words else None
    if _SENTENCE_END.search(text) or len(words) > LONG:
        return None
    if any(_is_pronoun(word, known) for word in words[: content[0]]) and not known.expletive.search(text):
        return "pronoun"
    if len(content) <= FEW and (known.last.search(text) or known.several.search(text)):
        return "demonstrative"
    return None


def rewrite(
    question: str, before: Before | None, rarity: Callable[[str], float], language: str = "en"
) -> tuple[str, ...]:
    """Write a question out.

    Args:
        question: as it was typed.
        before: the turn before it; None for the first of a conversation.
        rarity: a term's weight in the notes, greater for a rarer one (``KeywordIndex.rarity``).
        language: as for ``leans``.

    Returns:
        The queries to search for: the rarest words of the question before and then this one; and, where its answer
        cited a section, that section's heading and then this one. None for a question that stands alone, which is
        searched for as it is.
    """
    known = _known(language)
    if before is None or known is None or leans(question, language) is None:
        return ()
    text = collapse(question)
    rest = known.openings.sub("", _bare(question), count=1)
    rest = rest if tokenize(rest) else ""
    carried = _carried(before.question, frozenset(tokenize(text)), rarity, known)
    heading = collapse(before.heading)
    queries = (" ".join(filter(None, (*carried, rest))), f"{heading}: {rest}" if heading and rest else heading)
    return tuple(dict.fromkeys(query for query in queries if query not in ("", text, rest)))[:QUERIES]


def _known(language: str) -> Words | None:
    return WORDS.get(language.split("-")[0].lower() or "en")


def _bare(question: str) -> str:
    """On one line, without what Spanish opens a question with."""
    return collapse(question).lstrip("¿¡ ")


def in_full(question: str, queries: Sequence[str]) -> str:
    """The question as a prompt asks it: as it was typed, and of a follow-up what it was searched for."""
    return f"{question} (in full: {queries[0]})" if queries else question


def _carried(before: str, own: frozenset[str], rarity: Callable[[str], float], known: Words) -> list[str]:
    """The words of the question before that say what it was about, in its order."""
    said = set(own)
    found: list[tuple[float, int, str]] = []
    for place, word in enumerate(_surface(collapse(before), known, whole=True)):
        tokens = tokenize(word)
        if not _has_content(word, known) or said.issuperset(tokens):
            continue
        said.update(tokens)
        found.append((max(rarity(token) for token in tokens), place, word))
    rarest = sorted(found, key=lambda one: (-one[0], one[1]))[:CARRIED]
    return [word for _, _, word in sorted(rarest, key=lambda one: one[1])]


def merge(rankings: Sequence[Sequence[RerankHit]], k: int) -> list[RerankHit]:
    """Merge what several queries found into one ranking, by reciprocal rank fusion as the lists of one are.

    Args:
        rankings: of each query, after reranking.
        k: of ``[retrieval.fusion]``.

    Returns:
        Best first, of two alike the one of lower ordinal. ``score`` is the fused one, ``rank_before`` and the other
        scores are those of the query that ranked the hit best; ``late_interaction`` and ``cross_encoder`` the greatest
        of any. A single ranking stays as it is.
    """
    if len(rankings) == 1:
        return list(rankings[0])
    scores: dict[int, float] = {}
    best: dict[int, RerankHit] = {}
    for ranking in rankings:
        for hit in ranking:
            scores[hit.ordinal] = scores.get(hit.ordinal, 0.0) + 1 / (k + hit.rank)
            known = best.get(hit.ordinal)
            first = hit if known is None or hit.rank < known.rank else known
            best[hit.ordinal] = first if known is None else msgspec.structs.replace(
                first,
                late_interaction=_greater(known.late_interaction, hit.late_interaction),
                cross_encoder=_greater(known.cross_encoder, hit.cross_encoder),
            )  # fmt: skip
    order = sorted(scores, key=lambda ordinal: (-scores[ordinal], ordinal))
    return [
        msgspec.structs.replace(best[ordinal], rank=rank, score=scores[ordinal])
        for rank, ordinal in enumerate(order, 1)
    ]


def _greater(first: float | None, second: float | None) -> float | None:
    return max((score for score in (first, second) if score is not None), default=None)


def _surface(text: str, known: Words, *, whole: bool = False) -> Iterator[str]:
    """The words of a text as they stand there, without the punctuation around them.

    Args:
        text: on one line.
        known: how its language takes it apart.
        whole: leave what has no spaces as it stands.
    """
    for word in as_typed(text):
        if known.pieces is None or whole:
            yield word
        else:
            yield from known.pieces.findall(word)


def _has_content(word: str, known: Words) -> bool:
    return word not in known.function and not known.function.issuperset(tokenize(word))


def _is_pronoun(word: str, known: Words) -> bool:
    return word in known.pronouns or known.pronouns.issuperset(tokenize(word))
