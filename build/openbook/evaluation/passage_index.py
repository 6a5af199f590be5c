"""An index in memory, of passages that are no course: what the stages need of one, made as the build makes it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray

from openbook.evaluation.labelled import Document
from openbook.index.keyword import Serialised, serialise
from openbook.index.pieces import read_chunks
from openbook.index.token_vectors import TokenVectors, collect
from openbook.index.tokens import TOKENIZER_FINGERPRINT
from openbook.index.vectors import quantize, to_bytes
from openbook.models.embeddings import EmbeddingCache
from openbook.models.encoder import Encoder
from openbook.models.registry import ONNX
from openbook.retrieval.collection import ChunkRef, PassageText
from openbook.retrieval.dense import Vectors
from openbook.retrieval.keyword import KeywordIndex
from openbook.retrieval.trace import GateThreshold
from openbook.settings import RetrievalSettings

_NEVER = 2.0


@dataclass(frozen=True)
class PassageIndex:
    """A ``SearchIndex``; its chunks are the documents, in their order, and its gate lets no question pass.

    Attributes:
        documents: the passages.
        embeddings: float32 [passages, dims].
        token_vectors: signs of their pieces.
        truncated: passages that are longer than the encoder reads; their ends are found by keyword alone.
        model: SHA-256 of the encoder's weights.
        settings: how it is searched.
    """

    documents: tuple[Document, ...]
    embeddings: NDArray[np.float32]
    token_vectors: TokenVectors
    truncated: int
    model: str
    settings: RetrievalSettings
    as_of: str = ""

    @classmethod
    def of(
        cls,
        documents: Sequence[Document],
        encoder: Encoder,
        cache: EmbeddingCache | None,
        settings: RetrievalSettings,
        progress: Callable[[int, int], None] | None = None,
    ) -> PassageIndex:
        """Embed the passages."""
        texts = [document.embedded for document in documents]
        embedded, pieces = read_chunks(encoder, texts, cache, progress)
        limit = encoder.files.max_tokens
        # What the cache knows did not go through the encoder, which would have counted.
        full = [text for text, held in zip(texts, pieces, strict=True) if len(held.ids) >= limit - _SPECIAL]
        truncated = sum(encoder.count_tokens(text) > limit for text in full)
        return cls(tuple(documents), embedded.vectors, collect(pieces), truncated, encoder.files.sha256[ONNX], settings)

    @property
    def size(self) -> int:
        """Number of passages."""
        return len(self.documents)

    @cached_property
    def gate(self) -> GateThreshold:
        """A gate that no question passes, so that no prompt is built in vain."""
        return GateThreshold(
            cosine=_NEVER,
            source="default",
            corpus=self.corpus,
            model=self.model,
            tokenizer=TOKENIZER_FINGERPRINT,
            answerability=_NEVER,
        )

    @cached_property
    def corpus(self) -> str:
        """SHA-256 over the passages."""
        digest = hashlib.sha256()
        for document in self.documents:
            digest.update(msgspec.json.encode([document.id, document.title, document.text]))
        return digest.hexdigest()

    @cached_property
    def serialised(self) -> Serialised:
        """The keyword index, as MiniSearch has it."""
        return serialise((document.title, document.text) for document in self.documents)

    @cached_property
    def keyword(self) -> KeywordIndex:
        """Postings and lengths."""
        return KeywordIndex.from_serialised(self.serialised)

    @cached_property
    def vectors(self) -> Vectors:
        """One row a passage."""
        return Vectors(*quantize(self.embeddings))

    def chunk(self, ordinal: int) -> ChunkRef:
        """The passage at ``ordinal``; its heading path is its title."""
        document = self.documents[ordinal]
        return ChunkRef(
            id=document.id, lecture="", lecture_number=0, kind="notes", path=(document.title,), anchor=document.id,
            part=1, parts=1, url="",
        )  # fmt: skip

    def passages(self, ordinals: Sequence[int]) -> list[PassageText]:
        """Texts, in the order asked for."""
        return [PassageText(self.documents[ordinal].text) for ordinal in ordinals]

    def bytes(self) -> dict[str, int]:
        """Of the index by what it holds, as it would be written."""
        return {
            "keyword": len(msgspec.json.encode(self.serialised)),
            "vectors": len(to_bytes(quantize(self.embeddings))),
            "token vectors": self.token_vectors.signs.nbytes,
        }


_SPECIAL = 2
"""[CLS] and [SEP]."""
