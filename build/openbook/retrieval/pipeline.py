"""A question's way through the stages. Pure: index, encoder, tokenizer and clock are passed in."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from openbook.errors import PromptBudgetError
from openbook.retrieval.answer import answer
from openbook.retrieval.collection import SearchIndex
from openbook.retrieval.cross_encoder import passage_text
from openbook.retrieval.dense import dense
from openbook.retrieval.filter import Filter, allowed_by, effective
from openbook.retrieval.follow_up import in_full, merge
from openbook.retrieval.fusion import fuse
from openbook.retrieval.gate import Coverage, cover, gate
from openbook.retrieval.keyword import keyword
from openbook.retrieval.late_interaction import PieceWeights, QuestionPieces, make_tables, max_sim
from openbook.retrieval.passages import PassageTexts, select_passages
from openbook.retrieval.prompt import CountTokens, Prompt, prompt
from openbook.retrieval.rerank import greatest_keyword_score, rerank, rerank_by_cross_encoder, unchanged
from openbook.retrieval.spans import SpanScores, span_scorer
from openbook.retrieval.trace import (
    AnswerStage,
    DenseHit,
    DenseStage,
    EmbedStage,
    FieldLengths,
    FusedHit,
    FuseStage,
    GateParameters,
    GateStage,
    KeywordHit,
    KeywordStage,
    PromptStage,
    QueryTerm,
    QuestionPiece,
    RerankHit,
    RerankStage,
    Rewrite,
    Stage,
    Trace,
)
from openbook.settings import RerankMode

Clock = Callable[[], float]
"""Milliseconds, monotonic."""

Embed = Callable[[str], NDArray[np.float32]]
"""Text → unit vector, float32, shape (dims,)."""

ReadPieces = Callable[[str], QuestionPieces]
"""Text → its word pieces with their vectors."""

CrossScore = Callable[[str, Sequence[str]], list[float]]
"""A question and passages' texts → a score of each: a cross-encoder."""

_Result = TypeVar("_Result")

NO_ENCODER = "there is no encoder"
GATE_SKIPPED = "without a cosine the gate cannot decide"
GATE_CLOSED = "the gate is closed"
NO_PASSAGES = "no passage was found"
NOTHING_ALLOWED = "the filter lets no passage through"
NO_ROOM = "the question leaves no room for a passage"
WITHOUT_PIECES = "the index has no token vectors"


class _Watch:
    """Measures the stages against the start of the question."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._start = clock()

    def measure(self, work: Callable[[], _Result]) -> tuple[_Result, dict[str, Any]]:
        """Do ``work``; return its result with what every stage records of a run."""
        begun = self._clock()
        result = work()
        return result, {
            "state": "done",
            "reason": "",
            "started_ms": begun - self._start,
            "ms": self._clock() - begun,
        }

    def skip(self, reason: str) -> dict[str, Any]:
        """What every stage records when it is skipped."""
        return {
            "state": "skipped",
            "reason": reason,
            "started_ms": self._clock() - self._start,
            "ms": 0.0,
            "input": 0,
            "output": 0,
        }


def ask(
    index: SearchIndex,
    question: str,
    embed: Embed | None,
    count_tokens: CountTokens | None,
    clock: Clock,
    read_pieces: ReadPieces | None = None,
    cross_score: CrossScore | None = None,
    mode: RerankMode | None = None,
    filter: Filter | None = None,
    queries: Sequence[str] = (),
    history: str = "",
) -> Trace:
    """Ask a question.

    Args:
        index: what is searched, with its settings and the gate's threshold.
        question: as it was typed.
        embed: the encoder; None for keyword search alone, with no gate and so no answer.
        count_tokens: word pieces of a text, special tokens not counted; None only without an encoder.
        clock: milliseconds.
        read_pieces: the encoder's token vectors; None for no late interaction.
        cross_score: the cross-encoder; None where there is none or it has not been loaded: then late interaction
            takes its place.
        mode: how to rerank, as the reader chose; None for what the settings say.
        filter: what part of the course is searched; None for all of it.
        queries: what to search for instead of the question, each by itself, as ``follow_up.rewrite`` gives it: their
            rankings are merged.
        history: what was said before, for the prompt.

    Returns:
        The trace, whose passages are there whether or not the gate opened.

    Raises:
        GateError: the index has no threshold.
        IndexFormatError: the encoder's vectors are not of the index's size.
    """
    wanted = effective(filter)
    watch = _Watch(clock)
    asking, *others = [_Asking(index, query, watch, mode, wanted) for query in (queries or (question,))]
    found = [one.search(embed, count_tokens, read_pieces, cross_score) for one in (asking, *others)]
    ranking = merge([ranked for _, ranked in found], index.settings.fusion.k)
    nearest = max((near for near, _ in found), key=lambda near: near[0].score if near else -math.inf)
    passages = select_passages(index, ranking, index.settings.prompt.passages)
    covered = max((one.cover() for one in (asking, *others)), key=lambda covered: covered.share)
    refused = asking.gate(nearest, ranking, covered) or ("" if passages else NO_PASSAGES)
    asking.prompt(in_full(question, queries), history, passages, count_tokens, refused)
    asking.answer(passages, refused, asking.compare(ranking, read_pieces, count_tokens), covered)
    rewritten = Rewrite(
        queries=tuple(queries), others=tuple(tuple(one.stages) for one in others), hits=tuple(ranking)
    )  # fmt: skip
    return Trace(
        schema=1,
        question=question,
        as_of=index.as_of,
        settings=index.settings,
        stages=tuple(asking.stages),
        passages=tuple(item.passage for item in passages),
        filter=asking.filter,
        rewrite=rewritten if queries else None,
    )


class _Asking:
    """One query: runs a stage, measures it and records it. Each method is one or two of the blocks on the page."""

    def __init__(
        self, index: SearchIndex, question: str, watch: _Watch, mode: RerankMode | None, wanted: Filter | None
    ) -> None:
        self.index = index
        self.settings = index.settings
        self.mode: RerankMode = index.settings.rerank.mode if mode is None else mode
        self.question = question
        self.stages: list[Stage] = []
        self._terms: list[QueryTerm] = []
        self._watch = watch
        self.filter = wanted
        self.allowed = allowed_by(index, wanted)

    @property
    def _searched(self) -> int:
        return self.index.size if self.allowed is None else len(self.allowed)

    def search(
        self,
        embed: Embed | None,
        count_tokens: CountTokens | None,
        read_pieces: ReadPieces | None,
        cross_score: CrossScore | None,
    ) -> tuple[list[DenseHit], list[RerankHit]]:
        """Keyword search to reranking; returns the dense hits and the ranking."""
        keyword_hits = self.keyword()
        vector = self.embed(embed, count_tokens)
        dense_hits = self.dense(vector)
        fused = self.fuse(keyword_hits, dense_hits)
        if self.mode == "cross-encoder" and cross_score is not None:
            return dense_hits, self.cross_encode(fused, cross_score)
        pieces = read_pieces if vector is not None else None
        return dense_hits, self.rerank(fused, keyword_hits, dense_hits, pieces)

    def _id(self, ordinal: int) -> str:
        return self.index.chunk(ordinal).id

    def keyword(self) -> list[KeywordHit]:
        """Keyword search."""
        (self._terms, hits), run = self._watch.measure(
            lambda: keyword(self.index.keyword, self.question, self.settings.keyword, self.index.chunk, self.allowed)
        )
        self.stages.append(
            KeywordStage(
                **run,
                input=self._searched,
                output=len(hits),
                parameters=self.settings.keyword,
                average_lengths=FieldLengths(title=self.index.keyword.averages[0], text=self.index.keyword.averages[1]),
                terms=tuple(self._terms),
                hits=tuple(hits),
            )
        )
        return hits

    def embed(self, embed: Embed | None, count_tokens: CountTokens | None) -> NDArray[np.float32] | None:
        """The question's vector; None without an encoder."""
        if embed is None or count_tokens is None:
            self.stages.append(EmbedStage(**self._watch.skip(NO_ENCODER), dims=0, tokens=0, waited_ms=0.0))
            return None
        vector, run = self._watch.measure(lambda: embed(self.question))
        tokens = count_tokens(self.question)
        self.stages.append(
            EmbedStage(**run, input=tokens, output=len(vector), dims=len(vector), tokens=tokens, waited_ms=0.0)
        )
        return vector

    def dense(self, vector: NDArray[np.float32] | None) -> list[DenseHit]:
        """Dense search; no hits without a vector."""
        parameters = self.settings.dense
        if vector is None:
            self.stages.append(DenseStage(**self._watch.skip(NO_ENCODER), parameters=parameters, hits=()))
            return []
        hits, run = self._watch.measure(lambda: dense(self.index.vectors, vector, parameters, self._id, self.allowed))
        self.stages.append(
            DenseStage(**run, input=self._searched, output=len(hits), parameters=parameters, hits=tuple(hits))
        )
        return hits

    def fuse(self, keyword_hits: list[KeywordHit], dense_hits: list[DenseHit]) -> list[FusedHit]:
        """Fusion."""
        fused, run = self._watch.measure(lambda: fuse(keyword_hits, dense_hits, self.settings.fusion))
        self.stages.append(
            FuseStage(
                **run,
                input=len(keyword_hits) + len(dense_hits),
                output=len(fused),
                parameters=self.settings.fusion,
                hits=tuple(fused),
            )
        )
        return fused

    def rerank(
        self,
        fused: list[FusedHit],
        keyword_hits: list[KeywordHit],
        dense_hits: list[DenseHit],
        read_pieces: ReadPieces | None,
    ) -> list[RerankHit]:
        """Reranking without a cross-encoder; the fused order when it is off or cannot be done."""
        done = "off" if self.mode == "off" else "late-interaction"
        parameters = msgspec.structs.replace(self.settings.rerank, mode=done)
        vectors = self.index.token_vectors if parameters.mode != "off" and read_pieces else None
        if vectors is None or read_pieces is None:
            ranking, run = self._watch.measure(lambda: unchanged(fused))
            if parameters.mode == "off":
                state = {"state": "off"}
            else:
                state = {"state": "skipped", "reason": WITHOUT_PIECES if read_pieces else NO_ENCODER}
            pieces: tuple[QuestionPiece, ...] = ()
            run = {**run, **state}
        else:
            held, read = vectors, read_pieces(self.question)
            weights = PieceWeights(held.chunks, held.counts)
            idf = [weights.idf(piece) for piece in read.ids]

            def score() -> list[RerankHit]:
                tables = make_tables(read.vectors, held.bits)
                scores = {}
                for hit in fused[: parameters.depth]:
                    found = max_sim(tables, idf, held.of(hit.ordinal))
                    scores[hit.ordinal] = (found.score, found.in_order)
                greatest = greatest_keyword_score(self._terms, self.index.size, self.settings.keyword)
                return rerank(fused, keyword_hits, dense_hits, scores, greatest, parameters)

            ranking, run = self._watch.measure(score)
            pieces = tuple(
                QuestionPiece(piece=piece, chunks=weights.counts.get(number, 0), weight=weight)
                for piece, number, weight in zip(read.pieces, read.ids, idf, strict=True)
            )
        self.stages.append(
            RerankStage(
                **run,
                input=len(fused),
                output=len(ranking),
                parameters=parameters,
                hits=tuple(ranking),
                pieces=pieces,
            )
        )
        return ranking

    def cross_encode(self, fused: list[FusedHit], cross_score: CrossScore) -> list[RerankHit]:
        """Reranking by a cross-encoder."""
        parameters = msgspec.structs.replace(self.settings.rerank, mode="cross-encoder")
        candidates = [hit.ordinal for hit in fused[: parameters.cross_depth]]
        passages = self.index.passages(candidates)
        texts = [
            passage_text(self.index.chunk(ordinal), passage.text)
            for ordinal, passage in zip(candidates, passages, strict=True)
        ]

        def score() -> list[RerankHit]:
            scores = cross_score(self.question, texts)
            return rerank_by_cross_encoder(fused, dict(zip(candidates, scores, strict=True)))

        ranking, run = self._watch.measure(score)
        self.stages.append(
            RerankStage(**run, input=len(fused), output=len(ranking), parameters=parameters, hits=tuple(ranking))
        )
        return ranking

    def cover(self) -> Coverage:
        """How much of the query the course has."""
        return cover(self.question, self._terms, self.index.size)

    def gate(self, hits: list[DenseHit], ranking: list[RerankHit], covered: Coverage) -> str:
        """The gate; returns why nothing is to be answered, or "" when it is open."""
        if not hits:
            reason = NOTHING_ALLOWED if self._searched == 0 and self.filter else GATE_SKIPPED
            self.stages.append(
                GateStage(**self._watch.skip(reason), parameters=None, open=None, cosine=None, margin=None)
            )
            return reason
        by_pieces = max((hit.late_interaction for hit in ranking if hit.late_interaction is not None), default=None)
        by_pair = max((hit.cross_encoder for hit in ranking if hit.cross_encoder is not None), default=None)
        verdict, run = self._watch.measure(lambda: gate(hits[0].score, by_pieces, covered, self.index.gate, by_pair))
        self.stages.append(
            GateStage(
                **run,
                input=len(hits),
                output=int(verdict.open),
                parameters=GateParameters(threshold=verdict.threshold, source=verdict.source),
                open=verdict.open,
                cosine=verdict.cosine,
                margin=verdict.margin,
                late_interaction=verdict.late_interaction,
                coverage=verdict.coverage,
                absent=verdict.absent,
                answerability=verdict.answerability,
                decided_by=verdict.decided_by,
                cross_encoder=verdict.cross_encoder,
            )
        )
        return "" if verdict.open else GATE_CLOSED

    def prompt(
        self,
        question: str,
        history: str,
        passages: list[PassageTexts],
        count_tokens: CountTokens | None,
        refused: str,
    ) -> None:
        """The prompt, unless there is nothing to answer."""
        parameters = self.settings.prompt
        if refused or count_tokens is None:
            skipped = self._watch.skip(refused or NO_ENCODER)
            self.stages.append(PromptStage(**skipped, parameters=parameters, text="", tokens=0, words=0, parts=()))
            return

        def build() -> Prompt | None:
            try:
                return prompt(question, passages, parameters, count_tokens, history=history)
            except PromptBudgetError:
                return None

        built, run = self._watch.measure(build)
        if built is None:
            skipped = self._watch.skip(NO_ROOM)
            self.stages.append(PromptStage(**skipped, parameters=parameters, text="", tokens=0, words=0, parts=()))
            return
        self.stages.append(
            PromptStage(
                **run,
                input=len(passages),
                output=sum(part.kind == "passage" for part in built.parts),
                parameters=parameters,
                text=built.text,
                tokens=built.tokens,
                words=built.words,
                parts=built.parts,
                dropped=built.dropped,
            )
        )

    def compare(
        self, ranking: list[RerankHit], read_pieces: ReadPieces | None, count_tokens: CountTokens | None
    ) -> SpanScores | None:
        """What compares the question with the sentences of the chunks that late interaction reranked."""
        vectors = self.index.token_vectors
        compared = [hit.ordinal for hit in ranking if hit.late_interaction is not None]
        if vectors is None or read_pieces is None or count_tokens is None or not compared:
            return None
        signs = {ordinal: vectors.of(ordinal) for ordinal in compared}
        weights = PieceWeights(vectors.chunks, vectors.counts)
        return span_scorer(read_pieces(self.question), weights, vectors.bits, signs, count_tokens)

    def answer(self, passages: list[PassageTexts], refused: str, near: SpanScores | None, covered: Coverage) -> None:
        """The extractive answer, unless there is nothing to answer."""
        if refused:
            self.stages.append(AnswerStage(**self._watch.skip(refused), text="", sentences=()))
            return
        found, run = self._watch.measure(
            lambda: answer(
                self.question,
                passages,
                lambda term: self.index.keyword.idf(term, "text"),
                near,
                covered.share,
            )
        )
        self.stages.append(
            AnswerStage(
                **run,
                input=found.considered,
                output=len(found.sentences),
                text=found.text,
                sentences=found.sentences,
                below_floor=found.below_floor,
            )
        )
