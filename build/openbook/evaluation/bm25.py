"""BM25 written out by hand: the first rung of the ladder, as a textbook has it.

A passage's score is the sum, over the words of the question, of::

    ln(1 + (N − n + 0.5) / (n + 0.5)) · tf · (k1 + 1) / (tf + k1 · (1 − b + b · length / average))

(Robertson and Zaragoza, *The Probabilistic Relevance Framework*, 2009, with Lucene's idf, which is never negative).
One field, length in tokens, no stop words, no favour for a heading: what MiniSearch, and what the tab adds to it, is
measured against. Only the tokenizer is the tab's.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from openbook.index.tokens import tokenize

K1: Final = 1.2
B: Final = 0.75


class Bm25:
    """An inverted index of passages.

    Args:
        passages: their texts; a passage's number is its position.
        tokenizer: of passages and questions; the tab's, unless two are compared.
    """

    def __init__(self, passages: Sequence[str], tokenizer: Callable[[str], list[str]] = tokenize) -> None:
        self._tokenizer = tokenizer
        self._postings: dict[str, dict[int, int]] = {}
        self._lengths: list[int] = []
        for ordinal, text in enumerate(passages):
            tokens = tokenizer(text)
            self._lengths.append(len(tokens))
            for term, frequency in Counter(tokens).items():
                self._postings.setdefault(term, {})[ordinal] = frequency
        self._average = sum(self._lengths) / max(1, len(self._lengths)) or 1.0

    def idf(self, term: str) -> float:
        """Weight of a term; of one that is in no passage, the greatest."""
        found = len(self._postings.get(term, ()))
        return math.log(1 + (len(self._lengths) - found + 0.5) / (found + 0.5))

    def scores(self, question: str) -> dict[int, float]:
        """Score of each passage that holds a word of the question."""
        scores: dict[int, float] = {}
        for term in self._tokenizer(question):
            weight = self.idf(term)
            for ordinal, frequency in self._postings.get(term, {}).items():
                norm = K1 * (1 - B + B * self._lengths[ordinal] / self._average)
                scores[ordinal] = scores.get(ordinal, 0.0) + weight * frequency * (K1 + 1) / (frequency + norm)
        return scores

    def search(self, question: str, depth: int) -> list[int]:
        """The best passages, best first; of two alike the one of lower number."""
        scores = self.scores(question)
        return sorted(scores, key=lambda ordinal: (-scores[ordinal], ordinal))[:depth]
