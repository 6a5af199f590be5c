"""Follow-up questions: how often one is known for what it is, and what writing it out finds.

``python -m bench conversation``. The rules and the number of words that are carried over were chosen on the dev half.
There are sixteen pairs: the figures tell a large effect from none, and no more.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from bench.labelled import markdown
from openbook.config import load_config
from openbook.evaluation.conversation import ConversationReport, Found, measure_conversation, summarise
from openbook.evaluation.gold import load_gold
from openbook.evaluation.measurement import Measurement
from openbook.index.read import load_index
from openbook.index.write import INDEX
from openbook.models.embeddings import EmbeddingCache
from openbook.prepare import prepare
from openbook.progress import Reporter

ROOT = Path(__file__).resolve().parents[1]


def run() -> list[tuple[str, str]]:
    """Tables, each with its heading."""
    config = load_config(ROOT)
    prepared = prepare(config, config.today(), Reporter(), EmbeddingCache())
    with tempfile.TemporaryDirectory(prefix="openbook-") as name:
        Measurement(prepared, config, Path(name), prepared.write(config, Path(name), {})).calibrate()
        report = measure_conversation(load_index(Path(name) / INDEX), prepared.encoder, load_gold(config.gold_path))
    return [
        (
            "Second turns, as typed → written out",
            markdown(("half", "answerable pairs", "known", "recall@5", "MRR@10"), _means(report)),
        ),
        ("Questions that stand alone", markdown(("half", "questions", "rewritten by mistake"), _mistaken(report))),
        ("Each pair", markdown(("half", "question", "searched for", "rank", "gate"), _pairs(report))),
    ]  # fmt: skip


def _means(report: ConversationReport) -> list[tuple[str, ...]]:
    rows = []
    for half in ("dev", "test"):
        found = summarise([turn for turn in report.turns if turn.question.split == half])
        means = [f"{typed:.2f} → {written:.2f}" for typed, written in (found.recall, found.mrr)]
        rows.append((half, str(found.turns), str(found.known), *means))
    return rows


def _mistaken(report: ConversationReport) -> list[tuple[str, ...]]:
    rows = []
    for half, count in report.alone.items():
        texts = [question.text for question in report.mistaken if question.split == half]
        rows.append((half, str(count), "; ".join((str(len(texts)), *texts))))
    return rows


def _pairs(report: ConversationReport) -> list[tuple[str, ...]]:
    rows = []
    for turn in report.turns:
        ranks = " → ".join(str(one.rank or "–") for one in (turn.literal, turn.rewritten))
        gate = " → ".join(_gate(one) for one in (turn.literal, turn.rewritten))
        queries = "; ".join(turn.queries) or "as typed"
        rows.append((turn.question.split, turn.question.text, queries, ranks, gate))
    return rows


def _gate(found: Found) -> str:
    return "open" if found.open else "closed"
