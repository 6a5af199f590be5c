"""The bi-encoder: texts in, unit vectors out, from the ONNX file that the tab runs too.

Each text goes through the model alone. A batch would need padding, which costs more than it saves on a processor,
and the last bits of a result could depend on its neighbours: a rebuild that takes some vectors from the cache would
then not give the same bytes. What runs in parallel is texts, one thread each.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt
import onnxruntime
from tokenizers import Encoding, Tokenizer

from openbook.errors import ModelNotFoundError
from openbook.models.registry import ModelFiles

Progress = Callable[[int, int], None]
"""Called with (texts done, texts in all)."""

Vectors = npt.NDArray[np.float32]
Kept = TypeVar("Kept")


class TokenVectors(msgspec.Struct, frozen=True):
    """The model's last hidden state for one text, special tokens included.

    Attributes:
        ids: word-piece ids, as many as rows of ``vectors``.
        pieces: the same as strings.
        offsets: for each, start and end in the text, in code points; (0, 0) for special tokens.
        vectors: float32 [tokens, dims], as the model gives them: not normalised.
        special: for each, whether it is a special token.
    """

    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    offsets: tuple[tuple[int, int], ...]
    vectors: Vectors
    special: tuple[bool, ...]


class Encoder:
    """Runs one model; threads may share it.

    Args:
        files: from ``registry.resolve``, so their hashes are right.
        threads: texts encoded at the same time; default: the processors this process may use.

    Attributes:
        files: the model.
        truncated: how many texts so far were longer than ``files.max_tokens`` and lost their end. The chunker
            cuts by ``count_tokens``, so after a build this is 0 or something is wrong.

    Raises:
        ModelNotFoundError: the ONNX file does not take or give what a sentence encoder must.
    """

    def __init__(self, files: ModelFiles, *, threads: int | None = None) -> None:
        self.files = files
        self.truncated = 0
        self._threads = max(1, threads if threads is not None else available_processors())
        self._tokenizer: Tokenizer = Tokenizer.from_file(str(files.tokenizer))
        # tokenizer.json may carry its own truncation and padding (this model's: 128 and a fixed 128).
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._session: Any = onnxruntime.InferenceSession(
            str(files.onnx), session_options(), providers=["CPUExecutionProvider"]
        )
        self._inputs = {node.name for node in self._session.get_inputs()}
        outputs = [node.name for node in self._session.get_outputs()]
        unknown = self._inputs - {"input_ids", "attention_mask", "token_type_ids"}
        if "input_ids" not in self._inputs or unknown or "last_hidden_state" not in outputs:
            raise ModelNotFoundError(
                f"takes {sorted(self._inputs)} and gives {outputs}; an encoder takes input_ids, attention_mask and "
                "perhaps token_type_ids, and gives last_hidden_state.",
                source=files.onnx,
                hint="Make the file with `openbook models export`.",
            )

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Embed each text.

        Args:
            texts: any number; one that is too long loses its end and is counted in ``truncated``.
            progress: called after each text.

        Returns:
            float32 [len(texts), dims], rows of length 1, in the order of ``texts``.
        """
        vectors = np.empty((len(texts), self.files.dims), dtype=np.float32)
        encodings = self._tokenizer.encode_batch(list(texts)) if texts else []
        inputs = [self._fit(encoding) for encoding in encodings]
        # The longest first: memory is claimed once, and no thread is left alone with a long text at the end.
        order = sorted(range(len(texts)), key=lambda i: -len(inputs[i]))
        if self._threads == 1:
            for done, i in enumerate(order, 1):
                vectors[i] = self._pool(self._run(inputs[i]))
                if progress is not None:
                    progress(done, len(texts))
            return vectors
        with ThreadPoolExecutor(self._threads) as pool:
            futures = {pool.submit(lambda ids: self._pool(self._run(ids)), inputs[i]): i for i in order}
            try:
                for done, future in enumerate(as_completed(futures), 1):
                    vectors[futures[future]] = future.result()
                    if progress is not None:
                        progress(done, len(texts))
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise
        return vectors

    def count_tokens(self, text: str) -> int:
        """How many word pieces the whole text is, special tokens included; nothing is cut."""
        return len(self._tokenizer.encode(text).ids)

    def token_vectors(self, text: str, states: Vectors | None = None) -> TokenVectors:
        """One vector for each token of a text: what late interaction compares and a token map shows.

        Args:
            text: one that is too long loses its end and is counted in ``truncated``.
            states: the vectors, where they are known already: then the model does not run.
        """
        encoding = self._tokenizer.encode(text)
        kept = self._kept(encoding)
        ids = self._fit(encoding)
        return TokenVectors(
            ids=tuple(ids),
            pieces=tuple(encoding.tokens[i] for i in kept),
            offsets=tuple(encoding.offsets[i] for i in kept),
            vectors=self._run(ids) if states is None else states,
            special=tuple(bool(encoding.special_tokens_mask[i]) for i in kept),
        )

    def read(
        self, texts: Sequence[str], keep: Callable[[TokenVectors], Kept], progress: Progress | None = None
    ) -> list[tuple[Vectors, Kept]]:
        """Embed each text and keep something of its token vectors, which are too large to hold of many texts.

        Args:
            texts: any number; one that is too long loses its end and is counted in ``truncated``.
            keep: called with each text's token vectors, on several threads.
            progress: called after each text.

        Returns:
            For each text its embedding, as ``encode`` gives it, and what ``keep`` returned.
        """

        def one(text: str) -> tuple[Vectors, Kept]:
            found = self.token_vectors(text)
            return self._pool(found.vectors), keep(found)

        results: list[tuple[Vectors, Kept]] = []
        with ThreadPoolExecutor(self._threads) as pool:
            for done, result in enumerate(pool.map(one, texts), 1):
                results.append(result)
                if progress is not None:
                    progress(done, len(texts))
        return results

    def _kept(self, encoding: Encoding) -> list[int]:
        """Positions that are read: all, or the first ones and then the closing special tokens.

        A text cut without its closing ``[SEP]`` would be embedded as something else (cosine down to 0.987).
        """
        length, limit = len(encoding.ids), self.files.max_tokens
        if length <= limit:
            return list(range(length))
        closing = 0
        while encoding.special_tokens_mask[length - 1 - closing]:
            closing += 1
        return [*range(limit - closing), *range(length - closing, length)]

    def _fit(self, encoding: Encoding) -> list[int]:
        kept = self._kept(encoding)
        if len(kept) < len(encoding.ids):
            self.truncated += 1
        return [encoding.ids[i] for i in kept]

    def _run(self, ids: list[int]) -> Vectors:
        """The last hidden state, float32 [len(ids), dims]."""
        shape = (1, len(ids))
        feed = {"input_ids": np.asarray([ids], dtype=np.int64)}
        if "attention_mask" in self._inputs:
            feed["attention_mask"] = np.ones(shape, dtype=np.int64)
        if "token_type_ids" in self._inputs:
            feed["token_type_ids"] = np.zeros(shape, dtype=np.int64)
        (states,) = self._session.run(["last_hidden_state"], feed)
        hidden: Vectors = states[0]
        return hidden

    def _pool(self, states: Vectors) -> Vectors:
        """One unit vector of the token vectors; nothing is padded, so the mask is all ones."""
        pooled = states[0] if self.files.pooling == "cls" else states.mean(axis=0, dtype=np.float32)
        length = np.sqrt(np.dot(pooled, pooled))
        # sentence-transformers' guard against a vector of zeros.
        unit: Vectors = pooled / np.maximum(length, np.float32(1e-12))
        return unit


def session_options() -> Any:
    """How a model runs here: one thread a text, of which several run at the same time."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # A waiting thread that spins takes the core from the one that works.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


def available_processors() -> int:
    """Processors that this process may use, which in a container are fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
