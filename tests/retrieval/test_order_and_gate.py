"""A question through the whole pipeline with the real encoder: what orders its passages, and what the gate sees."""

from __future__ import annotations

import pytest

from openbook.evaluation.labelled import Document
from openbook.evaluation.passage_index import PassageIndex
from openbook.index.pieces import question_pieces
from openbook.models.encoder import Encoder
from openbook.models.registry import resolve
from openbook.retrieval.gate import COVERAGE
from openbook.retrieval.late_interaction import PieceWeights, make_tables, max_sim
from openbook.retrieval.pipeline import ask
from openbook.retrieval.trace import GateStage, RerankStage
from openbook.settings import EncoderSettings, RetrievalSettings

TEXTS = (
    "The dog bit the man on the bridge.",
    "The man bit the dog on the bridge.",
    "Yeast works fastest at 35 °C.",
    "The bridge was built for the man who kept a dog.",
)
QUESTION = "a man bit the dog"


@pytest.fixture(scope="module")
def stages() -> tuple[RerankStage, GateStage, dict[int, tuple[float, float]]]:
    """Both stages, and the scores of each passage as they should be."""
    encoder = Encoder(resolve(EncoderSettings(), allow_download=False), threads=1)
    documents = [Document(id=str(i), title="", text=text) for i, text in enumerate(TEXTS)]
    index = PassageIndex.of(documents, encoder, None, RetrievalSettings())
    trace = ask(
        index, QUESTION, lambda text: encoder.encode([text])[0], encoder.count_tokens, lambda: 0.0,
        lambda text: question_pieces(encoder, text),
    )  # fmt: skip
    read, held = question_pieces(encoder, QUESTION), index.token_vectors
    weights = PieceWeights(held.chunks, held.counts)
    tables, idf = make_tables(read.vectors, held.bits), [weights.idf(piece) for piece in read.ids]
    found = {i: max_sim(tables, idf, held.of(i)) for i in range(len(TEXTS))}
    (rerank,) = (stage for stage in trace.stages if isinstance(stage, RerankStage))
    (gate,) = (stage for stage in trace.stages if isinstance(stage, GateStage))
    return rerank, gate, {i: (one.score, one.in_order) for i, one in found.items()}


def test_passages_are_ordered_by_words_in_the_order_of_the_question(stages):
    rerank, _, expected = stages
    assert rerank.hits[0].ordinal == 1
    for hit in rerank.hits:
        assert (hit.late_interaction, hit.in_order) == expected[hit.ordinal]
        assert hit.score == hit.in_order + hit.keyword_score + hit.cosine_score


def test_the_gate_goes_by_the_words_wherever_they_stand(stages):
    rerank, gate, expected = stages
    assert gate.decided_by == "answerability"
    assert (gate.coverage, gate.absent) == (1.0, ())
    assert gate.answerability == (gate.late_interaction + COVERAGE) / (1 + COVERAGE)
    assert gate.late_interaction == max(expected[hit.ordinal][0] for hit in rerank.hits)
    assert gate.late_interaction != max(expected[hit.ordinal][1] for hit in rerank.hits)
