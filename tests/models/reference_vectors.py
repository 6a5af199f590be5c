"""What sentence-transformers gives for fifty texts with the original weights.

``python tests/models/reference_vectors.py FOLDER``, with the extra ``export`` and the folder of the original model,
works the vectors of the file's texts out again.
"""

from __future__ import annotations

import base64
import json
import sys
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


def write(folder: str) -> None:
    """Embed the texts of the file with the library and put the vectors in their place."""
    import sentence_transformers
    import torch

    model = sentence_transformers.SentenceTransformer(folder, device="cpu")
    rows = []
    for text, *_ in golden():
        vector = model.encode([text], normalize_embeddings=True)[0].astype("<f2").tobytes()
        tokens = len(model.tokenizer(text, truncation=True, max_length=model.max_seq_length)["input_ids"])
        kept = json.dumps(text, ensure_ascii=any(character in text for character in "\u200b\u00ad\u00a0"))
        encoded = base64.b64encode(vector).decode()
        rows.append(f'    {{"text": {kept}, "tokens": {tokens}, "vector": "{encoded}"}}')
    versions = f"sentence-transformers {sentence_transformers.__version__}, torch {torch.__version__}"
    head = (
        f'{{\n  "made_with": "{versions}, the original float32 weights",\n'
        '  "vectors": "float16, little-endian, base64; tokens: word pieces read, of at most 256",\n  "entries": [\n'
    )
    FILE.write_text(head + ",\n".join(rows) + "\n  ]\n}\n", encoding="utf-8")


if __name__ == "__main__":
    write(sys.argv[1])
