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

``python -m bench conversation`` measures how often it is right, and what rewriting gains. English alone: of another
language no word is known here, so that nothing leans and every question is asked as it was typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal

import msgspec

from openbook.index.tokens import tokenize
from openbook.retrieval.passages import collapse
from openbook.retrieval.trace import RerankHit

Reason = Literal["conjunction", "pronoun", "demonstrative", "ellipsis"]

QUERIES: Final = 3
"""That a follow-up is searched for at most."""
CARRIED: Final = 6
"""Words that are carried over at most from the question before, the rarest in the notes first."""

LONG: Final = 14
"""Words; a longer question brings its own context, even where it begins with a pronoun."""
FEW: Final = 3
"""Words of content; a question with more of them has said itself what "that" is."""

# ASCII, so that a word's end is in JavaScript where it is here.
_ASCII: Final = re.ASCII | re.IGNORECASE
_OPENINGS: Final = re.compile(
    r"\A(?:(?:and|but|so|then|also|or|ok(?:ay)?|well|hmm?|what about|how about|what of)\b[ ,]*)+", _ASCII
)
_CONJUNCTION: Final = re.compile(
    r"\A(?:(?:ok(?:ay)?|well|hmm?)[ ,]+)*(?:and|but|so|then|also|or|what about|how about|what of)\b", _ASCII
)
_ONE_OF_SEVERAL: Final = re.compile(
    r"\bthe (?:first|second|third|fourth|last|other|former|latter|next|previous|same)(?: (?:one|ones|two))?[ ?.!]*$"
    r"|\bthe (?:first|second|third|fourth|last|other) (?:one|ones|two)\b",
    _ASCII,
)
_SENTENCE_END: Final = re.compile(r"[.?!;:] ")
_EXPLETIVE: Final = re.compile(r"\b(?:is|was) it (?:[a-z]+ ){1,2}(?:to|that|when|if)\b", _ASCII)
_LAST_DEMONSTRATIVE: Final = re.compile(r"\b(?:that|this|these|those)[ ?.!]*$", _ASCII)


def _words(text: str) -> frozenset[str]:
    return frozenset(token for word in text.split() for token in tokenize(word))


PRONOUNS: Final = _words("it its that this these those they them their")
"""What stands for something that was named before."""

FUNCTION_WORDS: Final = PRONOUNS | _words(
    "a about after again all already also always am an and another any anything are as at away back be because been "
    "before being between both but by can cannot could did do does done doing don't doesn't didn't isn't aren't wasn't "
    "down each either else even ever every everything exactly example explain few first for from further get gets give "
    "given gives go goes going good got had happen happens has have having help here how i i'd i'll i'm i've if in "
    "instead into is just know last later least less let like long make makes many may maybe me mean means might mine "
    "more most much must my need never next no nor not nothing now of off often on once one ones only or other others "
    "otherwise our out over own perhaps please possible put really right same say second see shall should show so some "
    "something still such sure take tell than thank thanks the then there thing things think third though through to "
    "together too two under until up us use used using very vs want was way ways we well were what what's when where "
    "whether which while who whom whose why will with within without won't work works worse would yes yet you your"
)
"""Words that say nothing of what a question is about."""

_LEADING: Final = re.compile(r"^[\"'“”‘’«(\[{<]+")
_TRAILING: Final = re.compile(r"[.,;:!?…\"'“”‘’»\]}>]+$")


class Before(msgspec.Struct, frozen=True, kw_only=True):
    """The turn before.

    Attributes:
        question: as it was searched for: of a follow-up, its first query, so that a topic lives on over several turns.
        heading: of the section that its answer cites first, or that was found first where it cites none; "" where the
            question was refused.
    """

    question: str
    heading: str = ""


def leans(question: str) -> Reason | None:
    """Why a question cannot be understood without the one before it; None for one that stands alone."""
    text = collapse(question)
    if _CONJUNCTION.search(text):
        return "conjunction"
    words = list(_surface(text))
    content = [place for place, word in enumerate(words) if _has_content(word)]
    if not content:
        return "ellipsis" if words else None
    if _SENTENCE_END.search(text) or len(words) > LONG:
        return None
    if any(_is_pronoun(word) for word in words[: content[0]]) and not _EXPLETIVE.search(text):
        return "pronoun"
    if len(content) <= FEW and (_LAST_DEMONSTRATIVE.search(text) or _ONE_OF_SEVERAL.search(text)):
        return "demonstrative"
    return None


def rewrite(question: str, before: Before | None, rarity: Callable[[str], float]) -> tuple[str, ...]:
    """Write a question out.

    Args:
        question: as it was typed.
        before: the turn before it; None for the first of a conversation.
        rarity: a term's weight in the notes, greater for a rarer one (``KeywordIndex.rarity``).

    Returns:
        The queries to search for: the rarest words of the question before and then this one; and, where its answer
        cited a section, that section's heading and then this one. None for a question that stands alone, which is
        searched for as it is.
    """
    if before is None or leans(question) is None:
        return ()
    text = collapse(question)
    rest = _OPENINGS.sub("", text, count=1)
    rest = rest if tokenize(rest) else ""
    carried = _carried(before.question, frozenset(tokenize(text)), rarity)
    heading = collapse(before.heading)
    queries = (" ".join(filter(None, (*carried, rest))), f"{heading}: {rest}" if heading and rest else heading)
    return tuple(dict.fromkeys(query for query in queries if query not in ("", text, rest)))[:QUERIES]


def in_full(question: str, queries: Sequence[str]) -> str:
    """The question as a prompt asks it: as it was typed, and of a follow-up what it was searched for."""
    return f"{question} (in full: {queries[0]})" if queries else question


def _carried(before: str, own: frozenset[str], rarity: Callable[[str], float]) -> list[str]:
    """The words of the question before that say what it was about, in its order."""
    said = set(own)
    found: list[tuple[float, int, str]] = []
    for place, word in enumerate(_surface(collapse(before))):
        tokens = tokenize(word)
        if not _has_content(word) or said.issuperset(tokens):
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


def _surface(text: str) -> Iterator[str]:
    """The words of a text as they stand there, without the punctuation around them."""
    for raw in text.split(" "):
        word = _TRAILING.sub("", _LEADING.sub("", raw))
        if word.endswith(")") and "(" not in word:
            word = _TRAILING.sub("", word[:-1])
        if tokenize(word):
            yield word


def _has_content(word: str) -> bool:
    return not FUNCTION_WORDS.issuperset(tokenize(word))


def _is_pronoun(word: str) -> bool:
    return PRONOUNS.issuperset(tokenize(word))
