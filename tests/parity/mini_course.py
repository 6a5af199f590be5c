"""A course of three lectures, small enough to be read: what the stages are tried on in Python and in TypeScript.

It has what courses have and stages stumble over: a section in three parts with another section's id between them, a
slide that is shown twice, code and a table, a question that is a heading, identifiers, Chinese, an emoji (two code
units in JavaScript), and two chunks with the same vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec
import numpy as np

from openbook.index.keyword import serialise, utf16_key
from openbook.retrieval.collection import ChunkRef, PassageText
from openbook.retrieval.dense import Vectors
from openbook.retrieval.keyword import KeywordIndex
from openbook.retrieval.trace import GateThreshold
from openbook.settings import RerankSettings, RetrievalSettings

DIMS = 20
"""Not a multiple of eight, so that the end of the sum is tried too."""

SAME_VECTOR = (3, 9)

WEEKS = {"l08": 4, "l11": 6}
TAGS = {"l08": ("data", "evaluation"), "l11": ("training", "evaluation")}
"""Of the lectures; the third has neither."""


@dataclass(frozen=True)
class Section:
    lecture: str
    kind: str
    anchor: str
    path: tuple[str, ...]
    parts: tuple[tuple[str, tuple[tuple[int, int, str], ...]], ...]


SPLITS, TRAINING, WORDS = "Splitting data", "Training in PyTorch", "词元"

SECTIONS = (
    Section(
        "l08", "notes", "gap", (SPLITS, "The gap before the test set"),
        (
            ("A gap keeps the last training rows away from the first test row. How long must it be? For a forecast of "
             "h days it is h - 1 rows, e.g. 6 rows for a week. The rows in the gap are thrown away.", ()),
            ("The gap in code:\n\nfor train, test in TimeSeriesSplit(gap=6).split(X):\n    print(train[-1], test[0])"
             "\n\nThe last printed pair is seven rows apart.", ((2, 3, "code"),)),
            ("Horizon | Gap\n1 day | 0\n7 days | 6\n\nA longer horizon needs a longer gap.", ((0, 2, "table"),)),
        ),
    ),
    Section(
        "l08", "notes", "gap-year", (SPLITS, "A gap year in the record"),
        (("The sensors were off for a year. Dr. Okafor filled the hole with the mean of the weeks around it.", ()),),
    ),
    Section(
        "l08", "notes", "why-a-shuffled-split-leaks", (SPLITS, "Why a shuffled split leaks"),
        (("Shuffling puts Monday and Wednesday into the training set and asks for Tuesday. The model only has to "
          "interpolate between its neighbours. In use, Wednesday has not happened yet.", ()),),
    ),
    Section(
        "l08", "notes", "leakage", (SPLITS, "Leakage"),
        (("Definition: leakage\nLeakage is the use of information that will not be there when the model predicts. It "
          "is seen 📉 in a score that nobody reaches again! So look twice at a score of 0.99.", ()),),
    ),
    Section(
        "l08", "slides", "one-row-apart", (SPLITS, "One row apart"),
        (("- neighbours leak\n- leave a gap\n- never shuffle time", ()),),
    ),
    Section(
        "l08", "slides", "one-row-apart-again", (SPLITS, "One row apart (again)"),
        (("- neighbours leak\n- leave a gap\n- never shuffle time", ()),),
    ),
    Section(
        "l11", "notes", "what-zero_grad-does", (TRAINING, "The loop", "What zero_grad does"),
        (("backward() adds to .grad. optimizer.zero_grad() clears it, so the next step starts from nothing. Without "
          "it, each step follows the sum of all gradients so far.", ()),),
    ),
    Section(
        "l11", "notes", "resources", (TRAINING, "Resources"),
        (("1. PyTorch documentation, Optimizer.zero_grad.\n2. A. Author, Gradients and how to zero them, 2021.", ()),),
    ),
    Section(
        "l17", "notes", "ciyuan", (WORDS, "分词"),
        (("词元是模型读取的单位。一个汉字常常是一个词元！为什么？因为词表是从英文文本中学来的。", ()),),
    ),
)  # fmt: skip


class MiniCourse:
    """The course as an index, built with the real tokenizer and the real serialiser."""

    def __init__(self, settings: RetrievalSettings | None = None, gate: GateThreshold | None = None) -> None:
        self.settings = settings or RetrievalSettings(rerank=RerankSettings(mode="off"))
        self.gate = gate
        self.as_of = "2026-11-30"
        self.token_vectors = None
        chunks: list[tuple[ChunkRef, PassageText]] = []
        for section in SECTIONS:
            for number, (text, verbatim) in enumerate(section.parts, 1):
                name = f"{section.lecture}/{section.kind}#{section.anchor}"
                ref = ChunkRef(
                    id=name if number == 1 else f"{name}~{number}",
                    lecture=section.lecture,
                    lecture_number=int(section.lecture[1:]),
                    kind=section.kind,  # type: ignore[arg-type]
                    path=section.path,
                    anchor=section.anchor,
                    part=number,
                    parts=len(section.parts),
                    week=WEEKS.get(section.lecture),
                    tags=TAGS.get(section.lecture, ()),
                    url=f"lectures/{section.lecture}/{section.kind}.html#{section.anchor}",
                )
                chunks.append((ref, PassageText(text, verbatim)))  # type: ignore[arg-type]
        chunks.sort(key=lambda chunk: utf16_key(chunk[0].id))
        self.refs = [ref for ref, _ in chunks]
        self.texts = [text for _, text in chunks]

    @property
    def size(self) -> int:
        return len(self.refs)

    def chunk(self, ordinal: int) -> ChunkRef:
        return self.refs[ordinal]

    def passages(self, ordinals: Sequence[int]) -> list[PassageText]:
        return [self.texts[ordinal] for ordinal in ordinals]

    def ordinal(self, chunk_id: str) -> int:
        return next(ordinal for ordinal, ref in enumerate(self.refs) if ref.id == chunk_id)

    @cached_property
    def serialised(self) -> dict[str, Any]:
        documents = zip(self.refs, self.texts, strict=True)
        return dict(serialise([[" / ".join(ref.path), text.text] for ref, text in documents]))

    @cached_property
    def keyword(self) -> KeywordIndex:
        return KeywordIndex.from_serialised(self.serialised)

    @cached_property
    def vectors(self) -> Vectors:
        values = np.array([noise(row + 1) for row in range(self.size)], dtype=np.int8)
        values[SAME_VECTOR[1]] = values[SAME_VECTOR[0]]
        lengths = np.sqrt((values.astype(np.float64) ** 2).sum(axis=1))
        return Vectors(scales=(1 / lengths).astype(np.float32), values=values)

    def question_vector(self, seed: int) -> np.ndarray:
        """A unit vector, float32, near that of the chunk ``seed``."""
        near = self.vectors.values[seed % self.size].astype(np.float64) + 0.5 * np.array(noise(100 + seed))
        return (near / np.sqrt((near**2).sum())).astype(np.float32)

    def to_json(self) -> dict[str, Any]:
        """All that the other language needs of it."""
        return {
            "chunks": [msgspec.to_builtins(ref) for ref in self.refs],
            "passages": [msgspec.to_builtins(text) for text in self.texts],
            "keyword": self.serialised,
            "dims": DIMS,
            "scales": [float(scale) for scale in self.vectors.scales],
            "values": self.vectors.values.ravel().tolist(),
        }


def noise(seed: int) -> list[int]:
    """``DIMS`` whole numbers from -127 to 127: a linear congruential generator, the same wherever it runs."""
    state = seed
    numbers = []
    for _ in range(DIMS):
        state = (state * 1103515245 + 12345) % 2**31
        numbers.append((state >> 16) % 255 - 127)
    return numbers
