"""What each stage gives for fixed inputs, as the Python reference works it out.

The files beside this one hold those inputs and outputs; ``test_parity.py`` and ``web/test/parity.test.ts`` check both
sides against them. After a change that is meant, write them anew and read the difference::

    PYTHONPATH=build:tests python -m parity.vectors
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from tokenizers import Tokenizer

from openbook.errors import PromptBudgetError
from openbook.index.plane import plane_of, project, unpack
from openbook.index.vectors import QuantizedVectors, dequantize
from openbook.models.registry import TOKENIZER
from openbook.retrieval.answer import answer
from openbook.retrieval.check import check, finished_sentences
from openbook.retrieval.cross_encoder import pair
from openbook.retrieval.dense import dense
from openbook.retrieval.filter import Filter
from openbook.retrieval.follow_up import Before, leans, merge, rewrite
from openbook.retrieval.fusion import fuse
from openbook.retrieval.keyword import keyword, query_terms
from openbook.retrieval.late_interaction import PieceWeights, QuestionPieces, unit_rows
from openbook.retrieval.objections import object_to
from openbook.retrieval.passages import PassageTexts, count_words, select_passages
from openbook.retrieval.pipeline import ask
from openbook.retrieval.prompt import make_mark, prompt
from openbook.retrieval.rerank import rerank_by_cross_encoder
from openbook.retrieval.sentences import Span, split_sentences, utf16_length
from openbook.retrieval.spans import piece_ranges, span_scorer
from openbook.retrieval.trace import DenseHit, FusedHit, GateThreshold, KeywordHit, RerankHit
from openbook.settings import CheckSettings, DenseSettings, FusionSettings, KeywordSettings, PromptSettings
from parity.mini_course import MiniCourse
from retrieval.follow_ups import ALONE, BEFORE, LEANING

HERE = Path(__file__).resolve().parent
MINI = MiniCourse()
VOCABULARY = HERE.parents[1] / "build" / "openbook" / "models" / "data" / "all-MiniLM-L6-v2" / TOKENIZER

QUESTIONS = (
    "Why does a shuffled split leak?",
    "why a SHUFFLED split leaks",
    "What does zero_grad do, and what does zero_grad clear?",
    "How long is the gap in TimeSeriesSplit?",
    "what is it",
    "???",
    "词元是什么",
    "leakage of the gap year",
)
"""Nearly a heading; a heading; an identifier twice; stop words only; no word at all; another script."""

Case = dict[str, Any]


def count_tokens(text: str) -> int:
    """Stands for a tokenizer that both languages have: a token for each four code units begun."""
    return -(-utf16_length(text) // 4)


def count_more_of_the_whole(text: str) -> int:
    """Stands for one that reads over the line ends between the parts, and counts those too."""
    return count_tokens(text) + 3 * text.count("\n\n")


def keyword_cases() -> Iterator[Case]:
    """Keyword search with openbook's settings, MiniSearch's own, without headings, and a short list."""
    for settings in (
        KeywordSettings(),
        KeywordSettings(k1=1.2, b=0.7, d=0.5, boost_title=1.0, divide_by_matched_terms=False),
        KeywordSettings(boost_title=0.0),
        KeywordSettings(depth=2, boost_title=3.0),
    ):
        for question in QUESTIONS:
            terms, hits = keyword(MINI.keyword, question, settings, MINI.chunk)
            yield {
                "question": question,
                "settings": settings,
                "query_terms": query_terms(question),
                "terms": terms,
                "hits": hits,
            }


def dense_cases() -> Iterator[Case]:
    """Dense search; two of the chunks have the same vector, and the list is cut between other ones and between them."""
    for seed in range(6):
        vector = MINI.question_vector(seed)
        for depth in (50, 2, 1):
            hits = dense(MINI.vectors, vector, DenseSettings(depth=depth), lambda ordinal: MINI.chunk(ordinal).id)
            yield {"question": [float(value) for value in vector], "settings": {"depth": depth}, "hits": hits}


def fusion_cases() -> Iterator[Case]:
    """Fusion of lists that overlap, that do not, of which one is empty; with ties, weights and another k."""
    lists = (([3, 1, 2], [1, 4, 3]), ([1, 2], [2, 1]), ([5, 6], [7, 8]), ([], [2, 9]), ([], []))
    for settings in (
        FusionSettings(),
        FusionSettings(k=1, keyword_weight=0.7, dense_weight=1.3),
        FusionSettings(dense_weight=0.0),
    ):
        for keyword_list, dense_list in lists:
            hits = fuse(
                [
                    KeywordHit(
                        ordinal=ordinal,
                        id=f"c{ordinal}",
                        rank=rank,
                        score=1 / rank,
                        exact_title=False,
                        matched_terms=1,
                        terms=(),
                    )
                    for rank, ordinal in enumerate(keyword_list, 1)
                ],
                [
                    DenseHit(ordinal=ordinal, id=f"c{ordinal}", rank=rank, score=1 / rank)
                    for rank, ordinal in enumerate(dense_list, 1)
                ],
                settings,
            )
            yield {"keyword": keyword_list, "dense": dense_list, "settings": settings, "hits": hits}


TEXTS = (
    "",
    "One. Two! Three? Four",
    "See Fig. 3 and e.g. Smith et al. (2020). J. Smith agrees. No. 7 is odd, but no. That ends here.",
    "Version 1.0.21 fixes it. `zero_grad` clears it. np.argmax finds it. it goes on. He said “Stop!” and left.",
    "Definition: leakage\nLeakage is use. It is bad.\n\nA title\n\nText (with brackets.) And more… and on. End",
    "- first item. Second sentence\n- [x] done\n  continued here.\n2) numbered\n• bullet",
    "词元是单位。一个汉字！为什么？因为“它。”好…… 完",
    "📉 falls. 𝐀 rises.\tTab. \u00a0Space.  \n  indented line",
    "short title\n1. not a title's text\nA rather long line of more than twelve words with no stop at its end\nBelow.",
)
VERBATIM_TEXTS = (
    ("Before.\n\ncode = 1. x\n\nmore()\n\nAfter. End.", [[2, 4, "code"]]),
    ("a | b\n1 | 2\nNot a table. Text.", [[0, 1, "table"]]),
    ("Title\nx = y", [[1, 1, "math"]]),
    ("only = code", [[0, 0, "code"]]),
)


def sentence_cases() -> Iterator[Case]:
    """Sentences, by their places in code units and their text."""
    for text, verbatim in (*((text, []) for text in TEXTS), *VERBATIM_TEXTS):
        spans = split_sentences(text, [(first, last, kind) for first, last, kind in verbatim])
        yield {
            "text": text,
            "verbatim": verbatim,
            "spans": [
                {
                    "start": utf16_length(text[: span.start]),
                    "end": utf16_length(text[: span.end]),
                    "kind": span.kind,
                    "text": text[span.start : span.end],
                }
                for span in spans
            ],
        }


def ranking(*chunk_ids: str, max_sims: tuple[float, ...] = ()) -> list[RerankHit]:
    """Hits in this order, with these scores of late interaction."""
    return [
        RerankHit(
            ordinal=MINI.ordinal(chunk_id),
            id=chunk_id,
            rank=rank,
            score=1 / rank,
            rank_before=rank,
            late_interaction=max_sims[rank - 1] if max_sims else None,
        )
        for rank, chunk_id in enumerate(chunk_ids, 1)
    ]


RANKINGS = (
    (
        "l08/notes#gap~2",
        "l08/slides#one-row-apart",
        "l08/notes#gap",
        "l08/slides#one-row-apart-again",
        "l08/notes#leakage",
    ),
    ("l11/notes#what-zero_grad-does", "l11/notes#resources", "l08/notes#why-a-shuffled-split-leaks"),
    ("l17/notes#ciyuan", "l08/notes#gap~3"),
    (),
)


def passage_cases() -> Iterator[Case]:
    """Passages: parts of a section are one, a text that was shown already is none."""
    for chunk_ids in RANKINGS:
        for count in (1, 2, 5):
            chosen = select_passages(MINI, ranking(*chunk_ids), count)
            yield {"hits": ranking(*chunk_ids), "count": count, "passages": [item.passage for item in chosen]}


def told_again(item: PassageTexts, number: int) -> PassageTexts:
    """A passage that says the same and a little more, as a slide does beside the notes."""
    text = f"To say it once more: {item.passage.text}"
    part = msgspec.structs.replace(item.parts[0], text=text, verbatim=(), ordinal=item.passage.ordinal)
    passage = msgspec.structs.replace(
        item.passage, number=number, text=text, ordinals=(item.passage.ordinal,), label="Again"
    )
    return PassageTexts(passage, (part,), item.relevance)


def prompt_cases() -> Iterator[Case]:
    """Prompts with room, cut at a sentence, with passages left out, cut within a sentence, and with no room at all;
    with passages below the floor, and nearly the same; with a tokenizer for which the whole is more than its parts."""
    for settings, tokenizer in (
        (PromptSettings(), "adds up"),
        (PromptSettings(min_words=10, max_words=40, max_tokens=370), "adds up"),
        (PromptSettings(min_words=20, max_words=40, max_tokens=250), "adds up"),
        (PromptSettings(min_words=120, max_words=220, max_tokens=200), "adds up"),
        (PromptSettings(max_tokens=40), "adds up"),
        (PromptSettings(floor=0.8), "adds up"),
        (PromptSettings(language="zh"), "adds up"),
        (PromptSettings(min_words=10, max_words=40, max_tokens=370), "does not"),
    ):
        count = count_tokens if tokenizer == "adds up" else count_more_of_the_whole
        for number, chunk_ids in enumerate(RANKINGS):
            max_sims = (0.5, 0.6, 0.55, 0.45, 0.2)[: len(chunk_ids)]
            hits = ranking(*chunk_ids, max_sims=max_sims)
            passages = select_passages(MINI, hits, settings.passages)
            if passages and settings.floor == 0.8:
                passages.append(told_again(passages[0], len(passages) + 1))
            case: Case = {"question": QUESTIONS[number], "hits": hits, "settings": settings, "tokenizer": tokenizer}
            for history in ("", "So far:\nReader: Why?\nAnswer: " + "So that it rests. " * 8):
                given = {**case, "history": history}
                try:
                    yield {**given, "prompt": prompt(QUESTIONS[number], passages, settings, count, history=history)}
                except PromptBudgetError:
                    yield {**given, "prompt": None}


def mark_cases() -> Iterator[Case]:
    """Marks, also where the texts hold the mark that they would get."""
    for texts in (["a"], ["词元", "📉"], ["a", make_mark(["a"])], ["81c0a0b2", ""], ["81C0A0B2", "ABCDEF"]):
        yield {"texts": texts, "mark": make_mark(texts)}
    tricky = "x"
    for _ in range(3):
        tricky += make_mark([tricky])
        yield {"texts": [tricky], "mark": make_mark([tricky])}


def answer_cases() -> Iterator[Case]:
    """Extractive answers: prose before code, none for words that are nowhere, Chinese, offsets behind an emoji."""
    questions = (*QUESTIONS, "What is leakage, and what score shows it twice?", "quantum chromodynamics")
    for chunk_ids in RANKINGS:
        passages = select_passages(MINI, ranking(*chunk_ids), 5)
        for question in questions:
            for near, coverage in ((None, 1.0), (fake_near, 1.0), (fake_near, 0.25)):
                found = answer(question, passages, lambda term: MINI.keyword.idf(term, "text"), near, coverage)
                yield {"question": question, "hits": ranking(*chunk_ids), "near": near is not None,
                       "coverage": coverage, "answer": found}  # fmt: skip


def plane_cases() -> Iterator[Case]:
    """The plane of the chunks, and where questions fall on it."""
    vectors = dequantize(QuantizedVectors(MINI.vectors.scales, MINI.vectors.values))
    plane = plane_of(vectors)
    mean, components = unpack(plane.mean, plane.dims)[0], unpack(plane.components, plane.dims)
    for seed in range(4):
        vector = MINI.question_vector(seed)
        yield {
            "plane": plane,
            "points": [[float(value) for value in point] for point in unpack(plane.points, 2)],
            "question": [float(value) for value in vector],
            "point": [float(value) for value in project(vector[None], mean, components)[0]],
        }


ANSWERS = (
    "A shuffled split leaks, since the model interpolates between neighbours [1]. It is not bad [2, 3]. [3] See x[0].",
    "The gap is six rows for a week. [1] Twelve rows are needed [1]! Nothing clears the gradients, and zero_grad never "
    "clears them [2]. Leakage is use [9]. Yes. ok[1].",
    "Not in the notes.",
    "Leakage is the use of information that will not be there when the model predicts [passage 1].\n\n"
    "- 1,000 rows, 50 % or 0.5 [1-3]\n- lower than 0.99 [2][3]\n\nA longer horizon needs a shorter gap [1;2].",
    "词元是模型读取的单位 [1]。一个汉字 📉 是一个词元 [1]！",
    "Take `rows[1]` or `f([2])` and [1] no more. A gap helps, says rows[2] [2].",
    "optimizer.zero_grad() clears .grad , so the next step starts from nothing[1]. Each step follows the sum [1",
    "",
)


def fake_near(ordinal: int, text: str, spans: Sequence[Span]) -> list[float]:
    """Stands for late interaction: any numbers, the same in both languages."""
    return [((7 * ordinal + 13 * place + len(spans)) % 41) / 50 for place in range(len(spans))]


def check_cases() -> Iterator[Case]:
    """Answers as they are split, whole and unfinished, and checked with and without token vectors."""
    for number, answer_text in enumerate(ANSWERS):
        hits = ranking(*RANKINGS[min(number % 3, 2)])
        passages = select_passages(MINI, hits, 5)
        given = [item.passage.number for item in passages]
        for near_of in (None, lambda text: fake_near):
            yield {
                "answer": answer_text,
                "hits": hits,
                "near": near_of is not None,
                "finished": [
                    {"text": one.text, "citations": one.citations} for one in finished_sentences(answer_text, given)
                ],
                "sentences": check(answer_text, passages, MINI.keyword.rarity, near_of, CheckSettings()),
            }


OBJECTIONS = (
    ("It has a denominator.", "It has no denominator."),
    ("It does not reach copies you see.", "the only act that reaches copies you cannot see"),
    ("A rate is lower by 20 %.", "the rate is higher, by a fifth or 0.2"),
    ("Twenty-one of 1,234 pumps don't leak at 98 %.", "Of 1234 pumps 98.2 % leak; thirty-one do not."),
    ("Version 1.0.21 isn’t better.", "Version 1.0.20 is better"),
    ("İt is 5,5 and ⅕.", "no."),
    ("It is a quarter of a million, or 2.5 million.", "250,000, half of it twenty-five hundred, a third two dozen."),
    ("Inner joins keep machines; it is the largest rate.", "Inner joins dropped machines at the smallest rate."),
    ("The right-hand neighbour is there.", "The right-hand neighbour does not exist yet; it stays."),
)


def objection_cases() -> Iterator[Case]:
    """Pairs of sentences, and what speaks against the first."""
    for said, quoted in OBJECTIONS:
        for one, other in ((said, quoted), (quoted, said)):
            yield {"said": one, "quoted": other, "objections": object_to(one, other, other)}


def span_cases() -> Iterator[Case]:
    """MaxSim of sentences: with a heading, without, of rows that are not of the text, of a chunk without signs."""
    bits, dims, pieces = 64, 16, 3
    numbers = [((37 * i) % 101) / 101 - 0.5 for i in range(pieces * dims)]
    vectors = unit_rows(np.array(numbers, dtype=np.float32).reshape(pieces, dims))
    read = QuestionPieces((1, 2, 3), ("a", "b", "c"), vectors)
    weights = PieceWeights(10, {1: 9, 2: 1})
    for text in (TEXTS[1], TEXTS[4], TEXTS[5], TEXTS[6], "One. Two."):
        spans = split_sentences(text)
        rows = sum(
            count_words(text[a:b]) for a, b in pairwise([0, *(p for s in spans for p in (s.start, s.end)), len(text)])
        )
        for heading in (0, 4, -1):
            signs = [
                [(31 * row + 17 * byte + row * byte) % 256 for byte in range(bits // 8)]
                for row in range(rows + heading)
            ]
            held = {5: np.array(signs, dtype=np.uint8).reshape(-1, bits // 8)}
            scores = span_scorer(read, weights, bits, held, count_words)
            yield {
                "vectors": [float(value) for value in vectors.ravel()], "dims": dims, "bits": bits, "text": text,
                "signs": signs, "ranges": piece_ranges(text, spans, rows + heading, count_words),
                "scores": scores(5, text, spans), "without": scores(6, text, spans),
            }  # fmt: skip


def trace_cases() -> Iterator[Case]:
    """Whole traces, with a clock that stands still: answered, refused, without an encoder, wordless, filtered,
    and searched for as something else.
    """
    for question, cosine, encoder, wanted, queries in (
        (QUESTIONS[0], 0.0, True, None, ()),
        (QUESTIONS[3], 0.0, True, None, ()),
        (QUESTIONS[6], 2.0, True, None, ()),
        (QUESTIONS[1], 0.0, False, None, ()),
        (QUESTIONS[5], 0.0, True, None, ()),
        (QUESTIONS[0], 0.0, True, Filter(), ()),
        (QUESTIONS[0], 0.0, True, Filter(lecture="l11"), ()),
        (QUESTIONS[3], 0.0, True, Filter(kind="slides"), ()),
        (QUESTIONS[3], 0.0, True, Filter(week=4, kind="notes"), ()),
        (QUESTIONS[7], 0.0, True, Filter(tags=("evaluation", "training")), ()),
        (QUESTIONS[1], 0.0, False, Filter(lecture="l08", week=4, kind="notes", tags=("data",)), ()),
        (QUESTIONS[0], 0.0, True, Filter(lecture="l17", week=4), ()),
        ("and that?", 0.0, True, None, QUESTIONS[2:4]),
        ("and that?", 0.0, False, Filter(lecture="l08"), QUESTIONS[2:5]),
    ):
        gate = GateThreshold(cosine=cosine, source="configured", corpus="", model="", tokenizer="")
        vector = MINI.question_vector(5)
        given = ((lambda text, vector=vector: vector), count_tokens) if encoder else (None, None)
        yield {
            "question": question,
            "gate": gate,
            "queries": queries,
            "vector": [float(value) for value in vector] if encoder else None,
            "filter": wanted,
            "trace": ask(MiniCourse(gate=gate), question, *given, lambda: 0.0, filter=wanted, queries=queries,
                         history="Before." if queries else ""),
        }  # fmt: skip


FOLLOW_UPS = (
    ("What about the gap?", Before(question="Why does a shuffled split leak?", heading="The gap year")),
    (
        "and then?",
        Before(question="What does zero_grad() do (in PyTorch), and 'GroupKFold'?", heading="Clear the sums"),
    ),
    ("why?", Before(question="And what is it?")),
    ("Is that the same with C++ and one row a pump?", Before(question="How long is the gap in TimeSeriesSplit?")),
    ("Is it safe to travel?", Before(question="leakage of the gap year")),
    ("the second one", Before(question="mean vs median vs mode vs range vs quartile vs variance vs kurtosis?")),
    ("Do I have to scale for that?", Before(question="ridge  or\tlasso…", heading="  Ridge and  lasso ")),
    ("It says it is certain. Can that be mended?", Before(question="leakage")),
    ("So, andré?", Before(question="词元是什么 tokens", heading="词元")),
    ("其次呢？", Before(question="leakage of the gap year", heading="Gaps")),
    ("???", Before(question="leakage of the gap year")),
    ("Why does a shuffled split leak?", Before(question="leakage", heading="Leaks")),
)
"""Each reason, each way of standing alone, and words that are hard to take apart."""


def follow_up_cases() -> Iterator[Case]:
    """Questions that lean on the one before or do not, what they are searched for as; and rankings merged."""
    foreign = ((question, BEFORE[tag], tag) for tag, questions in LEANING.items() for question in questions)
    alone = ((question, BEFORE[tag], tag) for tag, questions in ALONE.items() for question in questions)
    for question, before, language in (*((*one, "en") for one in FOLLOW_UPS), *foreign, *alone):
        yield {
            "question": question,
            "before": before,
            "language": language,
            "reason": leans(question, language),
            "queries": rewrite(question, before, MINI.keyword.rarity, language),
        }
    ids = [ref.id for ref in MINI.refs]
    rankings = [
        ranking(*(ids[ordinal] for ordinal in (3, 1, 2)), max_sims=(0.7, 0.6, 0.5)),
        ranking(*(ids[ordinal] for ordinal in (1, 4, 3))),
        ranking(*(ids[ordinal] for ordinal in (0, 1)), max_sims=(0.2, 0.9)),
    ]
    for some in (rankings[:1], rankings[:2], rankings, [[], rankings[1]]):
        yield {"rankings": some, "k": 60, "merged": merge(some, 60)}


def word_piece_cases() -> Iterator[Case]:
    """Word pieces as the encoder's tokenizer counts them: of texts, and of prompts as wholes and in parts."""
    tokenizer = Tokenizer.from_file(str(VOCABULARY))
    tokenizer.no_truncation()
    tokenizer.no_padding()

    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    passages = select_passages(MINI, ranking(*RANKINGS[0]), 5)
    built = prompt(QUESTIONS[0], passages, PromptSettings(), count)
    texts = (*QUESTIONS, *TEXTS, *(text.text for text in MINI.texts), *(part.text for part in built.parts), built.text)
    for text in texts:
        yield {"text": text, "tokens": count(text)}


def cross_encoder_cases() -> Iterator[Case]:
    """Pairs that fit, that are cut in the passage, in the question, in both; and a ranking by scores."""
    for question, passage, limit in (
        (3, 4, 20),
        (3, 40, 20),
        (40, 3, 20),
        (40, 40, 20),
        (40, 40, 21),
        (0, 5, 5),
        (0, 0, 5),
    ):
        ids = list(range(1000, 1000 + question)), list(range(2000, 2000 + passage))
        yield {"question": ids[0], "passage": ids[1], "limit": limit, "pair": pair(*ids, 101, 102, limit)._asdict()}
    fused = [
        FusedHit(ordinal=o, id=str(o), rank=rank, score=1 / rank, keyword_rank=None, dense_rank=None,
                 keyword_score=0.0, dense_score=0.0)
        for rank, o in enumerate((2, 4, 9, 7, 1, 3), 1)
    ]  # fmt: skip
    scores = {2: -3.25, 4: 0.5, 9: -11.0, 7: 0.5}
    yield {"fused": fused, "scores": sorted(scores.items()), "hits": rerank_by_cross_encoder(fused, scores)}


FILES: dict[str, Callable[[], Any]] = {
    "mini_course": MINI.to_json,
    "keyword": lambda: list(keyword_cases()),
    "dense": lambda: list(dense_cases()),
    "fusion": lambda: list(fusion_cases()),
    "follow_up": lambda: list(follow_up_cases()),
    "sentences": lambda: list(sentence_cases()),
    "passages": lambda: list(passage_cases()),
    "prompt": lambda: list(prompt_cases()),
    "mark": lambda: list(mark_cases()),
    "plane": lambda: list(plane_cases()),
    "answer": lambda: list(answer_cases()),
    "check": lambda: list(check_cases()),
    "objections": lambda: list(objection_cases()),
    "spans": lambda: list(span_cases()),
    "trace": lambda: list(trace_cases()),
    "cross_encoder": lambda: list(cross_encoder_cases()),
    "word_pieces": lambda: list(word_piece_cases()),
}


def render(name: str) -> str:
    """The file ``{name}.json`` as it must be: one case a line, so that a difference can be read."""
    data = msgspec.to_builtins(FILES[name]())
    if isinstance(data, dict):
        lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in data.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"
    return "[\n" + ",\n".join(json.dumps(case, ensure_ascii=False) for case in data) + "\n]\n"


if __name__ == "__main__":
    for name in FILES:
        (HERE / f"{name}.json").write_text(render(name), encoding="utf-8")
