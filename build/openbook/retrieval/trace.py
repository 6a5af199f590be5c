"""The record of one question: what every stage got, did and gave, with its time.

``web/src/retrieval/trace.ts`` describes the same record with the same keys; ``openbook verify`` compares the two.
Times are milliseconds of the clock that was passed in; ``started_ms`` counts from the question. Ranks are 1-based.
An ordinal is a chunk's position in the index. Character offsets count UTF-16 code units, as JavaScript does.
"""

from __future__ import annotations

from typing import Literal, TypeVar

import msgspec

from openbook.course.document import DocumentKind
from openbook.retrieval.filter import Filter
from openbook.settings import (
    CheckSettings,
    DenseSettings,
    FusionSettings,
    KeywordSettings,
    PromptSettings,
    RerankSettings,
    RetrievalSettings,
)

TRACE_SCHEMA = 1

StageState = Literal["done", "off", "skipped"]
ThresholdSource = Literal["calibrated", "configured", "default", "language"]
"""The last: the encoder does not know the course's language, so that its scores close no gate."""
GateScore = Literal["cosine", "answerability", "cross_encoder"]
Field = Literal["title", "text"]
VerbatimKind = Literal["code", "table", "math"]
SpanKind = Literal["sentence", "code", "table", "math"]
VerbatimLines = tuple[int, int, VerbatimKind]
"""First and last line of a chunk's text, counted from 0, and what they are instead of prose."""


class GateThreshold(msgspec.Struct, frozen=True, kw_only=True):
    """The gate's threshold and what it was found on; from the manifest.

    Attributes:
        cosine: a best cosine below it closes the gate, where there is no late interaction.
        source: calibrated on the course's gold set, configured in openbook.toml, or the measured default.
        corpus, model, tokenizer: hashes of what it was found on.
        answerability: one below it closes the gate; None for an index without token vectors.
        answerability_source: as ``source``.
        cross_encoder: a best score of the cross-encoder below it closes the gate; None where there is none, or none
            is known.
        cross_encoder_source: as ``source``.
    """

    cosine: float
    source: ThresholdSource
    corpus: str
    model: str
    tokenizer: str
    answerability: float | None = None
    answerability_source: ThresholdSource = "default"
    cross_encoder: float | None = None
    cross_encoder_source: ThresholdSource = "default"


class _Hit(msgspec.Struct, frozen=True, kw_only=True):
    ordinal: int
    id: str
    rank: int
    score: float


class QueryTerm(msgspec.Struct, frozen=True, kw_only=True):
    """A term of the question: in how many chunks it stands, by field, and the weight that follows from it."""

    term: str
    title_chunks: int
    text_chunks: int
    title_idf: float
    text_idf: float


class TermContribution(msgspec.Struct, frozen=True, kw_only=True):
    """What one term in one field adds to a hit's score.

    Attributes:
        frequency: of the term in that field of that chunk.
        length: unique tokens in that field of that chunk.
        score: in the unit of the hit's score, so that a hit's contributions add up to it.
    """

    term: str
    field: Field
    frequency: int
    length: int
    score: float


class KeywordHit(_Hit, frozen=True, kw_only=True):
    """A hit of keyword search.

    Attributes:
        exact_title: the question is this section's heading, so it goes before every other.
        matched_terms: distinct terms of the question that were found.
        terms: what each added.
    """

    exact_title: bool
    matched_terms: int
    terms: tuple[TermContribution, ...]


class DenseHit(_Hit, frozen=True, kw_only=True):
    """A hit of dense search; ``score`` is the cosine."""


class FusedHit(_Hit, frozen=True, kw_only=True):
    """A hit of fusion: its rank in each list, or None, and what that rank adds to the score."""

    keyword_rank: int | None
    dense_rank: int | None
    keyword_score: float
    dense_score: float


class RerankHit(_Hit, frozen=True, kw_only=True):
    """A hit after reranking.

    Attributes:
        score: in_order + keyword_score + cosine_score, or cross_encoder, or, of a hit that was not reranked, fusion's.
        rank_before: after fusion.
        late_interaction: MaxSim, which the gate goes by for the most part; None for a hit that was not reranked by it.
        in_order: MaxSim in which a match counts its neighbours too, which the order goes by; None as well.
        keyword_score, cosine_score: what the hit's place in those lists adds to it.
        cross_encoder: score of the cross-encoder, a logit; None for a hit that was not reranked by it.
    """

    rank_before: int
    late_interaction: float | None = None
    in_order: float | None = None
    keyword_score: float = 0.0
    cosine_score: float = 0.0
    cross_encoder: float | None = None


class QuestionPiece(msgspec.Struct, frozen=True, kw_only=True):
    """A word piece of the question: in how many chunks it stands, and the weight that follows from it."""

    piece: str
    chunks: int
    weight: float


class _Stage(msgspec.Struct, frozen=True, kw_only=True, tag_field="name"):
    """What every stage records.

    Attributes:
        state: done; off (in the settings); skipped (an earlier stage made it pointless: ``reason`` says which).
        input, output: how many things went in, and came out.
    """

    state: StageState
    reason: str
    started_ms: float
    ms: float
    input: int
    output: int


class FieldLengths(msgspec.Struct, frozen=True, kw_only=True):
    """A length for each field, in unique tokens."""

    title: float
    text: float


class KeywordStage(_Stage, frozen=True, kw_only=True, tag="keyword"):
    """Keyword search: chunks in, hits out.

    Attributes:
        average_lengths: over all chunks; with the hits' frequencies and lengths all that BM25 needs.
    """

    parameters: KeywordSettings
    average_lengths: FieldLengths
    terms: tuple[QueryTerm, ...]
    hits: tuple[KeywordHit, ...]


class EmbedStage(_Stage, frozen=True, kw_only=True, tag="embed"):
    """The question's embedding: word pieces in, dimensions out.

    Attributes:
        waited_ms: how long the question waited for the encoder to load; not part of ``ms``.
    """

    dims: int
    tokens: int
    waited_ms: float


class DenseStage(_Stage, frozen=True, kw_only=True, tag="dense"):
    """Dense search: chunks in, hits out."""

    parameters: DenseSettings
    hits: tuple[DenseHit, ...]


class FuseStage(_Stage, frozen=True, kw_only=True, tag="fuse"):
    """Reciprocal rank fusion: hits of both lists in, distinct ones out."""

    parameters: FusionSettings
    hits: tuple[FusedHit, ...]


class RerankStage(_Stage, frozen=True, kw_only=True, tag="rerank"):
    """Reranking: hits in, hits out; the first ``parameters.depth`` (or ``cross_depth``) of them reordered.

    Attributes:
        parameters: whose ``mode`` is what was done.
        pieces: of the question, special tokens left out; none without late interaction.
    """

    parameters: RerankSettings
    hits: tuple[RerankHit, ...]
    pieces: tuple[QuestionPiece, ...] = ()


class GateParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The threshold that was applied."""

    threshold: float
    source: ThresholdSource


class GateStage(_Stage, frozen=True, kw_only=True, tag="gate"):
    """The abstention gate: hits of the dense list in, 1 (open) or 0 out.

    Attributes:
        open: None when the stage was skipped; without a cosine nothing can be said.
        cosine: best of the dense list.
        margin: of the score that decides over its threshold, negative when the gate is closed.
        late_interaction: best MaxSim among the reranked hits, None when there was no late interaction.
        coverage: share of the question's terms, by their IDF, that stand anywhere in the course; of several queries the
            greatest. None when the stage was skipped.
        absent: words of that query that stand nowhere in the course, nor any part of them, as they were typed.
        answerability: of both; None when there was no late interaction.
        decided_by: which of the scores was compared with ``parameters.threshold``.
        cross_encoder: best score of the cross-encoder, None when there was none.
    """

    parameters: GateParameters | None
    open: bool | None
    cosine: float | None
    margin: float | None
    late_interaction: float | None = None
    coverage: float | None = None
    absent: tuple[str, ...] = ()
    answerability: float | None = None
    decided_by: GateScore = "cosine"
    cross_encoder: float | None = None


class PromptPart(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the prompt; ``number`` is a passage's, else None."""

    kind: Literal["instruction", "history", "question", "begin", "passage", "end"]
    number: int | None
    text: str
    tokens: int


class DroppedPassage(msgspec.Struct, frozen=True, kw_only=True):
    """A passage that is not in the prompt.

    Attributes:
        number: its.
        reason: below the relevance floor, nearly the same text as another, or no room for it.
        value: its share of the best one's MaxSim, or of its text that the other has; None for one without room.
        of: number of the other.
    """

    number: int
    reason: Literal["below-floor", "duplicate", "no-room"]
    value: float | None = None
    of: int | None = None


class PromptStage(_Stage, frozen=True, kw_only=True, tag="prompt"):
    """The prompt: passages in, passages shown out.

    Attributes:
        text: verbatim; the parts with an empty line between each two.
        tokens: of the whole; the parts' add up to it, but for what a model's tokenizer counts between them.
        words: the budget that each passage was cut to.
        dropped: the passages that are not in it, and why.
    """

    parameters: PromptSettings
    text: str
    tokens: int
    words: int
    parts: tuple[PromptPart, ...]
    dropped: tuple[DroppedPassage, ...] = ()


class AnswerSentence(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence quoted verbatim from a passage, or a block of code, a table or a formula.

    Attributes:
        number: of the passage, by which it is cited.
        ordinal: of the chunk it stands in.
        kind: what it is; anything but a sentence keeps its line ends.
        start, end: offsets in that chunk's text.
        terms: of the question that it holds.
        late_interaction: its MaxSim with the question; None without token vectors.
    """

    number: int
    ordinal: int
    kind: SpanKind
    start: int
    end: int
    text: str
    score: float
    terms: tuple[str, ...]
    late_interaction: float | None = None


class AnswerStage(_Stage, frozen=True, kw_only=True, tag="answer"):
    """The extractive answer: sentences in, sentences chosen out; ``text`` is each with its number in brackets.

    Attributes:
        below_floor: how many more would have been quoted, had they been good enough.
    """

    text: str
    sentences: tuple[AnswerSentence, ...]
    below_floor: int = 0


class GenerateStage(_Stage, frozen=True, kw_only=True, tag="generate"):
    """An answer by a language model; only in a trace of the tab, and only when the reader asked for one.

    ``started_ms`` counts from the press. ``input`` and ``output`` are tokens, 0 where the engine does not count them.

    Attributes:
        engine: who ran it.
        model: as the engine knows it.
        prompt: what the model was given, verbatim: the prompt stage's text, or that prompt cut to the model's context.
        prompt_tokens, answer_tokens: None where the engine does not say.
        first_token_ms: from the start of the stage.
        prompt_rate, answer_rate: tokens a second.
        finish: the model ended it, it ran to its limit, or the reader stopped it.
        text: verbatim; may be empty.
    """

    engine: str
    model: str
    prompt: str
    prompt_tokens: int | None
    answer_tokens: int | None
    first_token_ms: float | None
    prompt_rate: float | None
    answer_rate: float | None
    finish: Literal["stop", "length", "aborted"]
    text: str


Verdict = Literal["supported", "weak", "unsupported", "uncited", "unknown-citation", "no-claim"]


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """The sentence of a passage that supports one of an answer best; offsets in the text of the chunk ``ordinal``."""

    number: int
    ordinal: int
    start: int
    end: int
    text: str


class Objection(msgspec.Struct, frozen=True, kw_only=True):
    """Why a sentence is less than supported: a number that does not stand near, a negation or an opposite that only one
    of the two has, a citation of no passage.
    """

    kind: Literal["number", "negation", "opposite", "citation"]
    what: str


class CheckedSentence(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence of an answer and what was found for it.

    Attributes:
        start, end: offsets in the answer, citations included.
        text: without citations.
        citations: the numbers that it gives.
        verdict: supported, weak or unsupported by the passages that it cites; uncited; a citation of a passage that
            there is not; or nothing that claims anything.
        score: of the best sentence of those passages; of all, for one that cites none.
        words: share of its words that stand there, weighted by rarity.
        late_interaction: its MaxSim with it; None without token vectors.
        evidence: that sentence; None where nothing is like it.
    """

    start: int
    end: int
    text: str
    citations: tuple[int, ...]
    verdict: Verdict
    score: float
    words: float
    late_interaction: float | None
    evidence: Evidence | None
    objections: tuple[Objection, ...]


class CheckStage(_Stage, frozen=True, kw_only=True, tag="check"):
    """The check of an answer that a model wrote: sentences in, supported ones out.

    Attributes:
        text: the answer that was checked.
    """

    parameters: CheckSettings
    text: str
    sentences: tuple[CheckedSentence, ...]


Stage = (
    KeywordStage
    | EmbedStage
    | DenseStage
    | FuseStage
    | RerankStage
    | GateStage
    | PromptStage
    | AnswerStage
    | GenerateStage
    | CheckStage
)


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """One numbered passage: a section, or the parts of a long one around the part that was found.

    Attributes:
        ordinal: of the best-ranked chunk; ``id`` and ``url`` are its.
        ordinals: of its chunks, in reading order.
        label: lecture and section, as the prompt names it.
        text: the parts' text, whole.
    """

    number: int
    ordinal: int
    ordinals: tuple[int, ...]
    id: str
    label: str
    lecture: str
    kind: DocumentKind
    path: tuple[str, ...]
    url: str
    text: str


class Rewrite(msgspec.Struct, frozen=True, kw_only=True):
    """What a question was searched for as, where that is not how it was typed.

    Attributes:
        queries: each stands alone; the trace's stages are of the first, and from the gate on of all together.
        others: for each of the other queries its stages, keyword to rerank.
        hits: of all together; the passages are chosen from these.
    """

    queries: tuple[str, ...]
    others: tuple[tuple[Stage, ...], ...]
    hits: tuple[RerankHit, ...]


class Hop(msgspec.Struct, frozen=True, kw_only=True):
    """A search that a language model asked for before it answered; only in a trace of the tab.

    Attributes:
        query: as the model wrote it.
        ms: from the model's asking to the passages.
        stages: what the query did; none when it failed.
        added: numbers of the passages that it added.
    """

    query: str
    ms: float
    stages: tuple[Stage, ...]
    added: tuple[int, ...]


class Trace(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that one question did.

    Attributes:
        question: as it was typed.
        stages: in the order keyword, embed, dense, fuse, rerank, gate, prompt, answer; then generate and check, when a
            model was asked.
        passages: numbered, best first, whether or not the gate opened.
        filter: what part of the course was searched; None for all of it.
        rewrite: what it was searched for as; None when it was searched for as it was typed.
        hops: searches of a model that was let to dig deeper, in order; the passages hold what they added.
    """

    schema: Literal[1]
    question: str
    as_of: str
    settings: RetrievalSettings
    stages: tuple[Stage, ...]
    passages: tuple[Passage, ...]
    filter: Filter | None = None
    rewrite: Rewrite | None = None
    hops: tuple[Hop, ...] = ()


StageT = TypeVar("StageT", bound=Stage)


def stage_of(trace: Trace, kind: type[StageT]) -> StageT:
    """The stage of that kind, typed; every trace that was asked whole has one of each up to the answer."""
    return next(stage for stage in trace.stages if isinstance(stage, kind))


def trace_from_json(data: bytes | str) -> Trace:
    """Read an exported trace.

    Raises:
        msgspec.ValidationError: it is not one of this schema.
    """
    return msgspec.json.decode(data, type=Trace)
