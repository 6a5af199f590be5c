"""The evaluation of a course whose questions have been asked: ladder, gate and what they were measured on."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from openbook.chunking import Chunk
from openbook.evaluation.course import Asked, gate_scores
from openbook.evaluation.gate_report import Scored, report_gate
from openbook.evaluation.gold import section_of
from openbook.evaluation.ladder import Labelled, Ladder, Material, Ranked, Which, run_ladder
from openbook.evaluation.report import Evaluation, GateReport, StageFigure, Subject
from openbook.index.manifest import Manifest
from openbook.index.vectors import quantize, top_agreement
from openbook.pages.assets import client_folder
from openbook.progress import Advance
from openbook.retrieval.collection import SearchIndex
from openbook.retrieval.late_interaction import QuestionPieces
from openbook.retrieval.trace import GateScore, GateThreshold, Trace

SHIPS: Final[Mapping[str, str]] = {"off": "hybrid", "late-interaction": "late-interaction"}
"""Rerank mode → the rung that it makes the tab use."""

_RUNTIME: Final = "ort-*.wasm"
"""Not llama.cpp's, which lies beside it and ranks nothing."""

Extra = Callable[[Material, Sequence[Labelled]], Iterable[Ranked]]
"""Runs further rungs on the answerable questions."""


def course_material(
    index: SearchIndex,
    manifest: Manifest,
    chunks: Sequence[Chunk],
    asked: Asked,
    pieces: Mapping[str, QuestionPieces],
    *,
    mode: str,
    embed_ms: float | None = None,
) -> Material:
    """What the ladder of a course is run on.

    Args:
        index: that the questions were asked of.
        manifest: of it, for its sizes.
        chunks: of the course, in the order of the index.
        asked: the gold questions with their traces.
        pieces: by the question's text.
        mode: how the course's settings rerank.
        embed_ms: milliseconds to embed a question, or None for no times at all.
    """
    return Material(
        index=index,
        texts=[f"{' / '.join(chunk.path)}\n\n{chunk.text}" for chunk in chunks],
        label_of=section_of,
        asked=[
            (
                Labelled(one.id, one.text, one.kind, one.split, dict.fromkeys(one.relevant, 1)),
                trace,
            )
            for one, trace in asked
        ],
        pieces=pieces,
        embed_ms=embed_ms,
        index_bytes=index_bytes(manifest),
        model_bytes=runtime_bytes()
        + sum(entry.bytes for name, entry in manifest.files.items() if name.startswith("model/")),
        ships=SHIPS.get(mode, mode),
    )


def course_evaluation(
    material: Material,
    gate: GateThreshold,
    *,
    title: str,
    as_of: str,
    commit: str,
    command: str,
    vectors: NDArray[np.float32],
    questions: NDArray[np.float32],
    split: Which = "all",
    extras: Sequence[Extra] = (),
    downstream: tuple[StageFigure, ...] = (),
    progress: Advance | None = None,
) -> Evaluation:
    """Put the document together.

    Args:
        material: of the course.
        gate: the threshold that the site has.
        title: of the course.
        as_of: day of the release gate.
        commit: of the course's repository.
        command: what to say printed it.
        vectors: float32 [chunks, dims] that the index's int8 vectors stand for.
        questions: float32 [questions, dims].
        split: half that the ladder is measured on.
        extras: run further rungs.
        downstream: figures of the stages behind the ranking.
        progress: for the rung that takes longest.
    """
    return assemble(
        material,
        split,
        gate_of(material.asked, gate),
        Subject(
            title=title,
            as_of=as_of,
            passages=material.index.size,
            truncated=0,
            corpus=gate.corpus,
            model=gate.model,
            tokenizer=gate.tokenizer,
        ),
        date=as_of,
        commit=commit,
        command=command,
        agreement=top_agreement(vectors, quantize(vectors), questions),
        extras=extras,
        downstream=downstream,
        progress=progress,
    )


def assemble(
    material: Material,
    split: Which,
    gate: GateReport | None,
    subject: Subject,
    *,
    date: str,
    commit: str,
    command: str,
    agreement: float | None,
    extras: Sequence[Extra] = (),
    downstream: tuple[StageFigure, ...] = (),
    progress: Advance | None = None,
) -> Evaluation:
    """Run the ladder and put the document together."""
    half = [question for question, _ in material.asked if split in ("all", question.split)]
    answerable = [question for question in half if question.answerable]
    others = [ranked for extra in extras for ranked in extra(material, answerable)]
    ladder: Ladder = run_ladder(material, split, others, progress)
    return Evaluation(
        subject=subject,
        date=date,
        commit=commit,
        command=command,
        split=split,
        answerable=len(answerable),
        unanswerable=len(half) - len(answerable),
        ladder=ladder.rungs,
        comparisons=ladder.comparisons,
        gate=gate,
        agreement=agreement,
        questions=ladder.questions,
        downstream=downstream,
    )


def gate_of(asked: Sequence[tuple[Labelled, Trace]], gate: GateThreshold) -> GateReport | None:
    """What the gate does to the questions; None when all have an answer, or none has."""
    if len({question.answerable for question, _ in asked}) < 2:
        return None
    decided_by: GateScore = "cosine" if gate.answerability is None else "answerability"
    scored = []
    for question, trace in asked:
        scores = gate_scores(trace)
        best = scores.answerability
        score = scores.cosine if gate.answerability is None or best is None else best
        scored.append(Scored(question.id, question.text, question.kind, question.split, question.answerable, score))
    if gate.answerability is None:
        return report_gate(scored, decided_by, gate.cosine, gate.source)
    return report_gate(scored, decided_by, gate.answerability, gate.answerability_source)


def index_bytes(manifest: Manifest) -> dict[str, int]:
    """Of the index by what it holds, uncompressed: what ranking reads, not the passages that are shown."""

    def size(*names: str) -> int:
        return sum(manifest.files[name].bytes for name in names)

    token_vectors = manifest.token_vectors
    return {
        "keyword": size(manifest.keyword.base, *(shard.file for shard in manifest.keyword.shards)),
        "vectors": size(manifest.vectors),
        "token vectors": 0 if token_vectors is None else token_vectors.bytes + size(token_vectors.file),
    }


def runtime_bytes(client: Path | None = None) -> int:
    """Of the WebAssembly that runs the encoder in the tab; 0 where the client has not been built."""
    return sum(file.stat().st_size for file in (client or client_folder()).rglob(_RUNTIME))


def commit_of(folder: Path) -> str:
    """The commit that a folder's repository is at, with ``+`` when tracked files differ; empty outside of one."""

    def git(*arguments: str) -> str | None:
        try:
            done = subprocess.run(
                ["git", "-C", str(folder), *arguments],  # noqa: S607
                capture_output=True, text=True, timeout=20, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.strip() if done.returncode == 0 else None

    commit = git("rev-parse", "--short=12", "HEAD")
    if not commit:
        return ""
    return f"{commit}+" if git("status", "--porcelain", "--untracked-files=no") else commit
