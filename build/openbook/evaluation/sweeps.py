"""One thing varied, the rest left as it is: what chunk size, context, fusion, tokenizer, rounding or model is worth.

A sweep over settings builds the course anew at each and climbs the ladder; those over tokenizers and rounding rank the
same chunks in several ways. All are measured on the half that is asked for: choose on ``dev``, report on ``test``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from openbook.config import Config
from openbook.errors import GoldError
from openbook.evaluation.bm25 import Bm25
from openbook.evaluation.course_report import commit_of
from openbook.evaluation.evaluate import evaluate_course
from openbook.evaluation.gold import section_of
from openbook.evaluation.ladder import DEPTH, Which
from openbook.evaluation.metrics import MEASURES, judge
from openbook.evaluation.report import Interval
from openbook.evaluation.significance import bootstrap
from openbook.evaluation.sweep_report import Sweep, SweepName, SweepRow
from openbook.index.tokens import tokenize
from openbook.index.vectors import dequantize, quantize
from openbook.models.cache import cache_dir
from openbook.models.embeddings import EmbeddingCache
from openbook.models.registry import DESCRIPTOR
from openbook.prepare import Prepared, prepare
from openbook.progress import Reporter

RUNGS: Final = ("keyword", "dense", "hybrid", "late-interaction")

CHUNK_WORDS: Final = (64, 96, 128, 192, 256, 350, 512)
OVERLAPS: Final = (0.0, 0.25)
RRF_K: Final = (1, 5, 10, 20, 60, 120, 300)
KEYWORD_WEIGHTS: Final = (0.5, 2.0)
DEPTHS: Final = (5, 10, 16, 20, 30, 50)
RESCORED: Final = 100


def sweep(
    config: Config,
    name: SweepName,
    *,
    models: Sequence[str] = (),
    as_of: date | None = None,
    split: Which = "dev",
    reporter: Reporter | None = None,
) -> Sweep:
    """Vary one thing and measure.

    Args:
        config: of the course.
        name: what varies.
        models: names of sentence-transformers models, or folders made by ``openbook models export``, for the sweep over
            models.
        as_of: day of the release gate; default: today in the course's time zone.
        split: half of the questions.
        reporter: told how far it is.

    Raises:
        GoldError: there is no gold set, or none of it can be asked.
        ModelNotFoundError: a folder is not one that the export made.
        MissingExtraError: a name is given, and the extra ``export`` is not installed.
        ModelExportError: the model of a name cannot be exported.
    """
    day = as_of or config.today()
    reporter = reporter or Reporter()
    if name in ("tokenizer", "rounding"):
        prepared = prepare(config, day, reporter, EmbeddingCache())
        asked = _asked(config, prepared, split)
        make = _tokenizers if name == "tokenizer" else _roundings
        rows = tuple(make(prepared, asked))
        questions = len(asked)
    else:
        variants = list(_variants(config, name, models))
        found = []
        with reporter.stage("sweep") as advance:
            for done, (label, variant) in enumerate(variants, 1):
                found.append(_row(label, variant, config, day, split))
                advance(done, len(variants))
        rows = tuple(row for row, _ in found)
        questions = found[0][1]
    return Sweep(
        name=name,
        course=config.title,
        as_of=day.isoformat(),
        split=split,
        questions=questions,
        commit=commit_of(config.root),
        command=f"openbook sweep {name} --as-of {day}" + ("" if split == "dev" else f" --split {split}"),
        rows=rows,
    )


def _variants(config: Config, name: SweepName, models: Sequence[str]) -> Iterator[tuple[str, Config]]:
    if name == "models":
        yield config.settings.models.encoder.name, config
        for path in models:
            yield path, _with(config, "models.encoder", path=str(_exported(path, config.root)), max_tokens=None)
        return
    for label, table, values in _SETTINGS[name]:
        yield label, _with(config, table, **values)


def _exported(model: str, root: Path) -> Path:
    """The folder itself, or what an export of the model of that name gave; it is kept for the next sweep."""
    folder = root / model
    if folder.is_dir():
        return folder
    kept = cache_dir() / "exports" / re.sub(r"[^\w.-]+", "--", model)
    if not (kept / DESCRIPTOR).is_file():
        from openbook.models.export import export_model

        export_model(model, kept)
    return kept


_SETTINGS: Final[dict[str, Sequence[tuple[str, str, dict[str, Any]]]]] = {
    "chunks": [
        (
            f"≤ {words} words" + (f", {overlap:.0%} overlap" if overlap else ""),
            "chunks",
            {"max_words": words, "overlap": overlap},
        )
        for overlap in OVERLAPS
        for words in CHUNK_WORDS
    ],
    "context": [
        ("heading path embedded", "chunks", {"context": True}),
        ("heading path left out", "chunks", {"context": False}),
    ],
    "fusion": [
        *((f"k = {k}", "retrieval.fusion", {"k": k}) for k in RRF_K),
        *((f"keyword list × {w:g}", "retrieval.fusion", {"keyword_weight": w}) for w in KEYWORD_WEIGHTS),
    ],
    "rerank-depth": [(f"first {depth}", "retrieval.rerank", {"depth": depth}) for depth in DEPTHS],
}


def _with(config: Config, table: str, **values: Any) -> Config:
    """The course with other values in one table of its settings."""

    def changed(struct: Any, names: Sequence[str]) -> Any:
        if not names:
            return msgspec.structs.replace(struct, **values)
        inner = changed(getattr(struct, names[0]), names[1:])
        return msgspec.structs.replace(struct, **{names[0]: inner})

    return msgspec.structs.replace(config, settings=changed(config.settings, table.split(".")))


def _row(label: str, variant: Config, config: Config, day: date, split: Which) -> tuple[SweepRow, int]:
    found = evaluate_course(variant, as_of=day, split=split, timed=False).evaluation
    rungs = {rung.name: rung for rung in found.ladder if rung.name in RUNGS and not rung.missing}
    row = SweepRow(
        label=label,
        ships=variant.settings == config.settings,
        chunks=found.subject.passages,
        metrics={name: rung.metrics for name, rung in rungs.items()},
        intervals={name: rung.intervals["mrr_10"] for name, rung in rungs.items()},
    )
    return row, found.answerable


class _Asked(msgspec.Struct, frozen=True):
    """An answerable question: its text, its relevant sections, its vector (float32 [dims])."""

    text: str
    relevant: tuple[str, ...]
    vector: NDArray[np.float32]


def _asked(config: Config, prepared: Prepared, split: Which) -> list[_Asked]:
    asked = [
        _Asked(question.text, question.relevant, vector)
        for question, vector in zip(prepared.run.questions, prepared.run.vectors, strict=True)
        if question.answerable and split in ("all", question.split)
    ]
    if not asked:
        raise GoldError(
            "there is no question with an answer to measure on.",
            source=config.gold_path,
            hint="Write a gold set, or take the other half.",
        )
    return asked


def _minisearch(text: str) -> list[str]:
    r"""Its default: ``/[\n\r\p{Z}\p{P}]+/u``, in lower case."""
    spaced = (" " if char in "\n\r" or unicodedata.category(char)[0] in "ZP" else char for char in text.lower())
    return [word for word in "".join(spaced).split(" ") if word]


TOKENIZERS: Final[dict[str, Callable[[str], list[str]]]] = {
    "openbook's": tokenize,
    "words, lower case": lambda text: re.findall(r"\w+", text.lower()),
    "MiniSearch's own": _minisearch,
    "white space": lambda text: text.lower().split(),
    "three letters each": lambda text: [
        word[at : at + 3] for word in re.findall(r"\w+", text.lower()) for at in range(max(1, len(word) - 2))
    ],
}
"""Ways to cut a text into terms; each goes through the same BM25."""


def _tokenizers(prepared: Prepared, asked: Sequence[_Asked]) -> Iterator[SweepRow]:
    texts = [f"{' / '.join(chunk.path)}\n\n{chunk.text}" for chunk in prepared.chunks]
    for label, tokenizer in TOKENIZERS.items():
        index = Bm25(texts, tokenizer)
        rankings = [index.search(question.text, DEPTH) for question in asked]
        yield _ranked(label, "bm25", rankings, prepared, asked, ships=tokenizer is tokenize)


def _roundings(prepared: Prepared, asked: Sequence[_Asked]) -> Iterator[SweepRow]:
    vectors = prepared.embedded.vectors
    dims = vectors.shape[1]
    questions = np.stack([question.vector for question in asked])
    kept = quantize(vectors)
    signs = np.where(vectors > 0, np.float32(1), np.float32(-1))
    rounded = dequantize(kept)

    def best(scores: NDArray[np.float32]) -> list[list[int]]:
        return [row[:DEPTH] for row in np.argsort(-scores, axis=1, kind="stable").tolist()]

    hamming = best(np.where(questions > 0, np.float32(1), np.float32(-1)) @ signs.T)
    one_bit = questions @ signs.T
    rescored = []
    for question, scores in zip(questions, np.where(questions > 0, 1, -1) @ signs.T, strict=True):
        first = np.argsort(-scores, kind="stable")[:RESCORED]
        rescored.append(first[np.argsort(-(rounded[first] @ question), kind="stable")][:DEPTH].tolist())
    for label, rankings, size, ships in (
        ("float32", best(questions @ vectors.T), 4.0 * dims, False),
        ("int8 with a scale", best(questions @ rounded.T), dims + 4.0, True),
        ("1 bit, question in float32", best(one_bit), dims / 8, False),
        ("1 bit on both sides", hamming, dims / 8, False),
        (f"1 bit on both sides, {RESCORED} rescored by int8", rescored, dims / 8 + dims + 4, False),
    ):
        yield _ranked(label, "dense", rankings, prepared, asked, ships=ships, bytes_per_chunk=size)


def _ranked(
    label: str,
    name: str,
    rankings: Sequence[Sequence[int]],
    prepared: Prepared,
    asked: Sequence[_Asked],
    *,
    ships: bool,
    bytes_per_chunk: float | None = None,
) -> SweepRow:
    labels = [section_of(chunk.id) for chunk in prepared.chunks]
    table = np.array(
        [
            judge(list(dict.fromkeys(labels[at] for at in ranking)), dict.fromkeys(question.relevant, 1))
            for ranking, question in zip(rankings, asked, strict=True)
        ]
    )
    low, high = bootstrap(table[:, MEASURES.index("mrr_10")])
    return SweepRow(
        label=label,
        ships=ships,
        chunks=len(prepared.chunks),
        metrics={name: dict(zip(MEASURES, table.mean(axis=0).tolist(), strict=True))},
        intervals={name: Interval(float(low), float(high))},
        bytes_per_chunk=bytes_per_chunk,
    )
