"""How keyword search ranks: tokenizers and settings on the dev halves of three labelled sets, by the library's stages.

``python -m bench.keyword_ranking``. One thing is changed at a time; everything else is as it ships. The interval is
the 95 % one of the paired bootstrap, of the difference to the line above which stands no interval.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from unittest.mock import patch

import msgspec
import numpy as np
from numpy.typing import NDArray

from bench.labelled import LabelledSet, _chunk, markdown, mrr_ndcg
from openbook.index import tokens
from openbook.index.keyword import serialise
from openbook.retrieval import keyword as stage
from openbook.retrieval.fusion import fuse
from openbook.settings import FusionSettings, KeywordSettings

SETS = ("squad2-half-dev", "xquad-en", "cranfield")
SAMPLES = 2000

_LIBRARY_SPLIT = re.compile(
    "[\\n\\r !-/:-@\\[-_{}\u00a0\u00a1\u00a7\u00ab\u00b6\u00b7\u00bb\u00bf\u2010-\u2027\u2030-\u205e]+"
)

Tokenizer = Callable[[str], list[str]]


def librarys_own(text: str) -> list[str]:
    """MiniSearch's default: split at spaces and punctuation (here of the Latin blocks), lower-case."""
    return [token for token in _LIBRARY_SPLIT.split(text.lower()) if token]


def without_stemming(text: str) -> list[str]:
    """The tokenizer that ships, but plurals and "-ing" stay."""
    with _unstemmed():
        return tokens.tokenize(text)


@contextmanager
def _unstemmed() -> Iterator[None]:
    tokens._token.cache_clear()
    tokens._compound.cache_clear()
    with patch.object(tokens, "_stem", lambda word: word):
        yield
    tokens._token.cache_clear()
    tokens._compound.cache_clear()


def rankings(
    labelled: LabelledSet, tokenizer: Tokenizer, settings: KeywordSettings, one_field: bool = False
) -> tuple[list[list[int]], list[list[int]]]:
    """For each question the ranking of keyword search, and of its fusion with dense search."""
    rows = [(row.get("title", ""), row["text"]) for row in labelled.corpus]
    documents = [("", f"{title}\n\n{text}") for title, text in rows] if one_field else rows
    index = stage.KeywordIndex.from_serialised(
        msgspec.json.decode(msgspec.json.encode(serialise(documents, tokenizer=tokenizer)))
    )
    by_keyword, fused = [], []
    with patch.object(stage, "tokenize", tokenizer):
        for text, dense in zip(labelled.answerable.texts, labelled.answerable.dense, strict=True):
            hits = stage.keyword(index, text, settings, _chunk)[1]
            by_keyword.append([hit.ordinal for hit in hits])
            fused.append([hit.ordinal for hit in fuse(hits, dense, FusionSettings())])
    return by_keyword, fused


def run() -> list[tuple[str, str]]:
    """Two tables: (heading, Markdown)."""
    shipped = KeywordSettings()
    change = msgspec.structs.replace
    tokenizers: list[tuple[str, Tokenizer, KeywordSettings, bool]] = [
        ("no stemming", without_stemming, shipped, False),
        ("**as it ships**", tokens.tokenize, shipped, False),
        ("MiniSearch's own", librarys_own, shipped, False),
    ]
    settings: list[tuple[str, Tokenizer, KeywordSettings, bool]] = [
        ("**as it ships**", tokens.tokenize, shipped, False),
        ("MiniSearch's defaults", tokens.tokenize, change(shipped, b=0.7, d=0.5, divide_by_matched_terms=False), False),
        ("not divided", tokens.tokenize, change(shipped, divide_by_matched_terms=False), False),
        ("d = 0.5", tokens.tokenize, change(shipped, d=0.5), False),
        *(
            (f"boost_title = {boost}", tokens.tokenize, change(shipped, boost_title=boost), False)
            for boost in (0.0, 0.25, 0.5, 0.75, 1.5, 2.0)
        ),
        ("title and text as one field", tokens.tokenize, shipped, True),
    ]
    return [
        ("Tokenizers: MRR@10 of keyword search, and fused with dense search", table(tokenizers, fused=True)),
        ("Settings: MRR@10 of keyword search", table(settings, fused=False)),
    ]


def table(variants: Sequence[tuple[str, Tokenizer, KeywordSettings, bool]], fused: bool) -> str:
    """A row a variant, a column a set; differences are to the first row."""
    rows: dict[str, list[str]] = {name: [] for name, *_ in variants}
    header = [""]
    for name in SETS:
        labelled = _set(name)
        relevant = labelled.answerable.relevant[::2]
        header += [f"{name} ({len(relevant)})", *(["fused"] if fused else [])]
        first: list[NDArray[np.float64]] = []
        for variant, tokenizer, settings, one_field in variants:
            found = rankings(labelled, tokenizer, settings, one_field)[: 2 if fused else 1]
            for place, ranked in enumerate(found):
                scores = np.array([mrr_ndcg([r], [g])[0] for r, g in zip(ranked[::2], relevant, strict=True)])
                if len(first) <= place:
                    first.append(scores)
                    rows[variant].append(f"{scores.mean():.4f}")
                else:
                    rows[variant].append(f"{scores.mean():.4f} ({interval(scores - first[place])})")
    return markdown(header, [(name, *cells) for name, cells in rows.items()])


def interval(differences: NDArray[np.float64]) -> str:
    """The 95 % interval of the mean, by bootstrap."""
    rng = np.random.default_rng(0)
    picks = rng.integers(0, len(differences), (SAMPLES, len(differences)))
    low, high = np.quantile(differences[picks].mean(axis=1), (0.025, 0.975))
    return f"{low:+.4f} to {high:+.4f}"


_SETS: dict[str, LabelledSet] = {}


def _set(name: str) -> LabelledSet:
    if name not in _SETS:
        _SETS[name] = LabelledSet(name)
    return _SETS[name]


if __name__ == "__main__":
    for heading, text in run():
        print(f"\n### {heading}\n\n{text}", flush=True)
