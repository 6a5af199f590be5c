"""The extractive answer on questions whose sentences are labelled: how often it quotes one that answers.

``python -m bench answers``. Weights and floors were chosen on the dev half of ``gold/answers.toml``; the table is of
the test half, of the questions that the gate lets through. Intervals are Wilson's, 95 %.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from bench.labelled import markdown, wilson
from openbook.config import load_config
from openbook.evaluation.answers import flat, load_answers
from openbook.evaluation.gold import load_gold
from openbook.evaluation.measurement import Measurement
from openbook.index.pieces import question_pieces
from openbook.index.read import Index, load_index
from openbook.index.write import INDEX
from openbook.models.embeddings import EmbeddingCache
from openbook.models.encoder import Encoder
from openbook.prepare import prepare
from openbook.progress import Reporter
from openbook.retrieval.answer import Answer, answer
from openbook.retrieval.late_interaction import PieceWeights
from openbook.retrieval.passages import select_passages
from openbook.retrieval.pipeline import ask
from openbook.retrieval.spans import span_scorer
from openbook.retrieval.trace import GateStage, RerankStage

ROOT = Path(__file__).resolve().parents[1]


def run() -> list[tuple[str, str]]:
    """Tables, each with its heading."""
    config = load_config(ROOT)
    questions = {one.id: one for one in load_gold(config.gold_path)}
    labelled = load_answers(config.gold_path.with_name("answers.toml"), questions)
    prepared = prepare(config, config.today(), Reporter(), EmbeddingCache())
    found: dict[str, list[tuple[Answer, frozenset[str]]]] = {"words alone": [], "with MaxSim": []}
    times: list[float] = []
    with tempfile.TemporaryDirectory(prefix="openbook-") as name:
        Measurement(prepared, config, Path(name), prepared.write(config, Path(name), {})).calibrate()
        index = load_index(Path(name) / INDEX)
        for one in labelled:
            question = questions[one.question]
            if question.split != "test":
                continue
            both = _answers(index, prepared.encoder, question.text, times)
            for way, answered in both.items():
                found[way].append((answered, frozenset(map(flat, one.sentences))))
    rows = []
    for way, pairs in found.items():
        with_answer = [(got, labels) for got, labels in pairs if labels]
        quoted = [flat(one.text) in labels for got, labels in with_answer for one in got.sentences]
        rows.append(
            (
                way,
                wilson([any(flat(one.text) in labels for one in got.sentences) for got, labels in with_answer]),
                wilson(quoted),
                wilson([not got.sentences for got, labels in pairs if not labels]),
            )
        )
    header = ("", "quotes one that answers", "of those quoted then, answer", "silent where none answers")
    heading = f"Sentences quoted (test half; choosing them takes {1000 * float(np.median(times)):.0f} ms here)"
    return [(heading, markdown(header, rows))]


def _answers(index: Index, encoder: Encoder, question: str, times: list[float]) -> dict[str, Answer]:
    """Both ways on the same passages; none when the gate is closed."""
    special = encoder.count_tokens("")
    vectors = index.token_vectors
    read = question_pieces(encoder, question)

    def count(text: str) -> int:
        return encoder.count_tokens(text) - special

    trace = ask(index, question, lambda text: encoder.encode([text])[0], count, lambda: 0.0, lambda text: read)
    stages = {type(stage): stage for stage in trace.stages}
    gate, rerank = stages[GateStage], stages[RerankStage]
    if vectors is None or not isinstance(gate, GateStage) or not isinstance(rerank, RerankStage) or not gate.open:
        return {}
    passages = select_passages(index, rerank.hits, index.settings.prompt.passages)
    signs = {hit.ordinal: vectors.of(hit.ordinal) for hit in rerank.hits if hit.late_interaction is not None}
    near = span_scorer(read, PieceWeights(vectors.chunks, vectors.counts), vectors.bits, signs, count)
    begun = time.perf_counter()
    coverage = 1.0 if gate.coverage is None else gate.coverage
    with_max_sim = answer(question, passages, lambda term: index.keyword.idf(term, "text"), near, coverage)
    times.append(time.perf_counter() - begun)
    return {
        "words alone": answer(question, passages, lambda term: index.keyword.idf(term, "text")),
        "with MaxSim": with_max_sim,
    }
