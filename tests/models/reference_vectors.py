"""What sentence-transformers gives for fifty texts with the original weights."""

from __future__ import annotations

import base64
import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FILE = Path(__file__).parent / "sentence_transformers.json"


class Entry(NamedTuple):
    """A text, the word pieces read of it (at most 256), and its unit vector (kept as float16)."""

    text: str
    tokens: int
    vector: NDArray[np.float64]


@cache
def golden() -> tuple[Entry, ...]:
    entries = json.loads(FILE.read_text(encoding="utf-8"))["entries"]
    return tuple(
        Entry(
            entry["text"],
            entry["tokens"],
            np.frombuffer(base64.b64decode(entry["vector"]), dtype="<f2").astype(np.float64),
        )
        for entry in entries
    )
