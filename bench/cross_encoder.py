"""A cross-encoder measured: ``OPENBOOK_CROSS_ENCODER=FOLDER python -m bench cross_encoder``.

FOLDER is one of ``openbook models export --task rerank``; without it the weights of the hub are taken, and fetched.
Measured on every so manieth question of two test halves, for each pair is a pass through the model (about 80 ms on one
idle core); scores are kept in the cache.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from bench.course_ranking import Asked, Course, Scored, blended
from bench.labelled import markdown, mrr_ndcg
from bench.late_interaction import Measured
from openbook.models.cross_encoder import CrossEncoder, CrossEncoderFiles, remembering, resolve_cross_encoder
from openbook.models.embeddings import EmbeddingCache
from openbook.models.registry import ONNX
from openbook.retrieval.late_interaction import PieceWeights, make_tables, max_sim
from openbook.retrieval.pipeline import CrossScore
from openbook.settings import CrossEncoderSettings, RerankSettings

SET, EVERY = "squad2-half-dev", 3
ASKED = int(os.environ.get("OPENBOOK_BENCH_ASKED", "60"))
"""Questions of each test half."""
DEPTH = RerankSettings().cross_depth


def cross_encoder_files() -> CrossEncoderFiles:
    """The model that is measured."""
    return resolve_cross_encoder(CrossEncoderSettings(path=os.environ.get("OPENBOOK_CROSS_ENCODER", "")))


def run() -> Iterator[tuple[str, str]]:
    """All tables: (heading, Markdown); each as soon as it is known."""
    files = cross_encoder_files()
    score = remembering(CrossEncoder(files, threads=1), EmbeddingCache())
    name = f"{files.name} ({files.precision}, SHA-256 {files.sha256[ONNX][:12]})"
    for measure in (course_table, labelled_table):
        heading, table = measure(score)
        yield f"{name}: {heading}", table


def labelled_table(score: CrossScore) -> tuple[str, str]:
    """On a labelled set."""
    measured = Measured(SET, EVERY)
    questions = measured.questions
    texts = [f"{p.get('title', '')}\n\n{p['text']}".strip() for p in measured.set.corpus]
    which = spread(range(1, len(questions), 2))
    late = measured.blended(measured.scores(measured.shipped))
    crossed = [ordered(score, questions.texts[i], measured.candidates[i], texts) for i in which]
    relevant = [questions.relevant[i] for i in which]
    rows = []
    for name, rankings in (
        ("hybrid", [measured.candidates[i] for i in which]),
        ("late interaction", [late[i] for i in which]),
        (f"cross-encoder over the first {DEPTH}", crossed),
    ):
        mrr, ndcg = mrr_ndcg(rankings, relevant)
        rows.append((name, f"{mrr:.3f}", f"{ndcg:.3f}"))
    return f"{SET}, {len(which)} questions of the test half", markdown(("ranking", "MRR@10", "nDCG@10"), rows)


def course_table(score: CrossScore) -> tuple[str, str]:
    """On the course that ships."""
    course = Course()
    asked = [one for one in course.search() if one.question.split == "test"]
    which = [asked[i] for i in spread(range(len(asked)))]
    rows = []
    for name, rankings in (
        ("hybrid", [one.fused for one in which]),
        ("late interaction", blended(late_interaction(course, which))),
        (f"cross-encoder over the first {DEPTH}", [
            ordered(score, one.question.text, one.fused, course.texts) for one in which
        ]),
    ):  # fmt: skip
        ranks = [course.rank(ranking, one.question) for ranking, one in zip(rankings, which, strict=True)]
        mrr = sum(1 / rank for rank in ranks if rank is not None and rank <= 10) / len(ranks)
        hit = sum(rank is not None and rank <= 5 for rank in ranks) / len(ranks)
        rows.append((name, f"{mrr:.3f}", f"{hit:.3f}"))
    return (
        f"the shipped course, {len(which)} answerable questions of the test half",
        markdown(("ranking", "MRR@10", "hit@5"), rows),
    )


def late_interaction(course: Course, asked: Sequence[Asked]) -> Scored:
    """MaxSim of the first candidates, by the index as it is written."""
    held = course.index.token_vectors
    assert held is not None
    weights = PieceWeights(held.chunks, held.counts)
    scores = []
    for one in asked:
        tables = make_tables(one.vectors, held.bits)
        idf = [weights.idf(int(piece)) for piece in one.ids]
        first = one.fused[: RerankSettings().depth]
        scores.append({chunk: max_sim(tables, idf, held.of(chunk)).in_order for chunk in first})
    return Scored(asked, scores)


def spread(places: Sequence[int]) -> list[int]:
    """``ASKED`` of them, evenly."""
    return list(places)[:: max(1, len(places) // ASKED)][:ASKED]


def ordered(score: CrossScore, question: str, candidates: Sequence[int], texts: Sequence[str]) -> list[int]:
    """The candidates, the first of them in the cross-encoder's order."""
    first = candidates[:DEPTH]
    scores = score(question, [texts[i] for i in first])
    order = sorted(range(len(first)), key=lambda place: (-scores[place], candidates[place]))
    return [*(first[place] for place in order), *candidates[DEPTH:]]


if __name__ == "__main__":
    for heading, table in run():
        print(heading, table, sep="\n", flush=True)
