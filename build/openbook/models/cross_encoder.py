"""The cross-encoder: reads a question and a passage together and says how well the one answers the other.

Which weights: a folder of ``openbook models export --task rerank``, else those of the hub, by hash. The site carries
the same files, for the tab to run once a reader has switched it on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from openbook.errors import ConfigError, ModelNotFoundError
from openbook.models.cache import cache_dir
from openbook.models.download import Progress, download, hub_url
from openbook.models.embeddings import EmbeddingCache
from openbook.models.encoder import available_processors, session_options
from openbook.models.registry import (
    CONFIG,
    DESCRIPTOR,
    FILES,
    ONNX,
    TOKENIZER,
    TOKENIZER_CONFIG,
    Origin,
    Precision,
    check_file,
    check_folder,
    slug,
)
from openbook.retrieval.cross_encoder import Pair, pair
from openbook.settings import CrossEncoderSettings, Settings

DEFAULT_CROSS_ENCODER: Final = "cross-encoder/ms-marco-MiniLM-L6-v2"
_REVISION: Final = "233902d25c440f23af6f7d6e94d2946bac0bee0a"
# As projects that use this model publish them; the hub itself was not asked.
_SHA256: Final = {
    CONFIG: "380e02c93f431831be65d99a4e7e5f67c133985bf2e77d9d4eba46847190bacc",
    TOKENIZER: "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
    TOKENIZER_CONFIG: "a5c2e5a7b1a29a0702cd28c08a399b5ecc110c263009d17f7e3b415f25905fd8",
    ONNX: "5d3e70fd0c9ff14b9b5169a51e957b7a9c74897afd0a35ce4bd318150c1d4d4a",
}
_MAX_TOKENS: Final = 512
_INPUTS: Final = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_AGAIN: Final = "Make the folder with `openbook models export NAME --task rerank --out FOLDER`."


class CrossEncoderDescriptor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``openbook-model.json`` of a folder that holds a cross-encoder.

    Attributes:
        name: of the model.
        revision: on the hub, or "" when it came from a folder.
        max_tokens: word pieces of question and passage together, special tokens included.
        precision: of the weights in the file; the arithmetic is float32 in either case.
        licence: SPDX identifier, or "" when not known.
        files: SHA-256 of each file, by its name in the folder.
    """

    schema: Literal[1] = 1
    task: Literal["rerank"]
    name: str
    revision: str
    max_tokens: int
    precision: Precision
    licence: str
    files: dict[str, str]


class CrossEncoderFiles(msgspec.Struct, frozen=True, kw_only=True):
    """A cross-encoder whose files are here and have the hashes that they must have.

    Attributes:
        name, revision, max_tokens, precision, licence: as in ``CrossEncoderDescriptor``.
        paths: of the files, by the names in ``registry.FILES``.
        sha256: by the same names.
        origin: where it was found.
    """

    name: str
    revision: str
    max_tokens: int
    precision: Precision
    licence: str
    paths: dict[str, Path]
    sha256: dict[str, str]
    origin: Origin

    @property
    def folder(self) -> str:
        """Name of the folder below ``models/`` in the site; changes with the weights."""
        return f"{slug(self.name)}-{self.sha256[ONNX][:12]}"


def offered(settings: Settings) -> bool:
    """Whether the site has a cross-encoder."""
    return settings.models.cross_encoder.offer or settings.retrieval.rerank.mode == "cross-encoder"


def resolve_cross_encoder(
    settings: CrossEncoderSettings,
    *,
    root: Path | None = None,
    allow_download: bool = True,
    progress: Progress | None = None,
) -> CrossEncoderFiles:
    """Find the cross-encoder and check every file of it.

    Args:
        settings: ``[models.cross_encoder]``.
        root: the course's root, to which a relative ``path`` is relative; default the working folder.
        allow_download: whether the hub may be asked when the files are not here.
        progress: called with bytes so far and bytes in all while downloading.

    Raises:
        ModelNotFoundError: the files are not to be had.
        ModelHashError: a file is there and is not the one that it must be.
        ConfigError: the settings ask for more word pieces than the model was made to read.
    """
    if settings.path:
        found = _from_folder((root or Path()) / Path(settings.path).expanduser())
    elif settings.name != DEFAULT_CROSS_ENCODER:
        raise ModelNotFoundError(
            f"models.cross_encoder.name is {settings.name!r}, and only {DEFAULT_CROSS_ENCODER!r} comes without a path.",
            hint=f"Run `openbook models export {settings.name} --task rerank --out FOLDER` and set "
            "models.cross_encoder.path to the folder.",
        )
    else:
        found = _from_hub(allow_download, progress)
    asked = settings.max_tokens
    if asked is None:
        return found
    if asked > found.max_tokens:
        raise ConfigError(
            f"models.cross_encoder.max_tokens is {asked}, but {found.name} was made to read {found.max_tokens}.",
            hint="Leave it out, or write a lower number.",
        )
    return msgspec.structs.replace(found, max_tokens=asked)


def _from_folder(folder: Path) -> CrossEncoderFiles:
    folder = folder.resolve()
    file = folder / DESCRIPTOR
    try:
        said = msgspec.json.decode(file.read_bytes(), type=CrossEncoderDescriptor)
    except OSError as error:
        raise ModelNotFoundError(
            f"there is no {DESCRIPTOR} to read: {error.strerror}.", source=file, hint=_AGAIN
        ) from error
    except msgspec.DecodeError as error:
        raise ModelNotFoundError(f"does not describe a cross-encoder: {error}.", source=file, hint=_AGAIN) from error
    check_folder(folder, said.files, _AGAIN)
    return CrossEncoderFiles(
        name=said.name,
        revision=said.revision,
        max_tokens=said.max_tokens,
        precision=said.precision,
        licence=said.licence,
        paths={name: folder / name for name in FILES},
        sha256={name: said.files[name] for name in FILES},
        origin="settings",
    )


def _from_hub(allow_download: bool, progress: Progress | None) -> CrossEncoderFiles:
    folder = cache_dir() / "models" / f"{slug(DEFAULT_CROSS_ENCODER)}-{_REVISION[:12]}"
    for name in FILES:
        if not (folder / name).is_file():
            if not allow_download:
                raise ModelNotFoundError(
                    f"{name} of {DEFAULT_CROSS_ENCODER} is not here.",
                    hint="Run `openbook models fetch`, or set models.cross_encoder.path to an exported folder.",
                )
            download(hub_url(DEFAULT_CROSS_ENCODER, _REVISION, name), folder / name, _SHA256[name], progress)
        check_file(folder / name, _SHA256[name], "Delete the file and run `openbook models fetch`.")
    return CrossEncoderFiles(
        name=DEFAULT_CROSS_ENCODER,
        revision=_REVISION,
        max_tokens=_MAX_TOKENS,
        precision="fp32",
        licence="Apache-2.0",
        paths={name: folder / name for name in FILES},
        sha256=dict(_SHA256),
        origin="cache",
    )


class CrossEncoder:
    """Runs one model; threads may share it.

    Args:
        files: from ``resolve_cross_encoder``, so their hashes are right.
        threads: pairs read at the same time; default: the processors this process may use.

    Raises:
        ModelNotFoundError: the ONNX file does not take or give what a cross-encoder must, or the tokenizer joins two
            texts in another way than ``[CLS] question [SEP] passage [SEP]``.
    """

    def __init__(self, files: CrossEncoderFiles, *, threads: int | None = None) -> None:
        self.files = files
        self._threads = max(1, threads if threads is not None else available_processors())
        self._tokenizer: Tokenizer = Tokenizer.from_file(str(files.paths[TOKENIZER]))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        special = self._tokenizer.encode("").ids
        if len(special) != 2 or not self._joins(special[0], special[-1]):
            raise ModelNotFoundError(
                "does not join two texts as [CLS] question [SEP] passage [SEP].",
                source=files.paths[TOKENIZER],
                hint="Use a cross-encoder made from BERT, such as those called ms-marco-MiniLM.",
            )
        self._opening, self._closing = special
        self._session: Any = onnxruntime.InferenceSession(
            str(files.paths[ONNX]), session_options(), providers=["CPUExecutionProvider"]
        )
        self._inputs = {node.name for node in self._session.get_inputs()}
        outputs = [node.name for node in self._session.get_outputs()]
        if "input_ids" not in self._inputs or self._inputs - _INPUTS or "logits" not in outputs:
            raise ModelNotFoundError(
                f"takes {sorted(self._inputs)} and gives {outputs}; a cross-encoder takes {sorted(_INPUTS)} and gives "
                "logits.",
                source=files.paths[ONNX],
                hint=_AGAIN,
            )

    def score(
        self, question: str, passages: Sequence[str], progress: Callable[[int, int], None] | None = None
    ) -> list[float]:
        """Score each passage.

        Args:
            question: as it was typed.
            passages: any number; of one that is too long the end is not read.
            progress: called after each passage.

        Returns:
            Logits as the model gives them, in the order of ``passages``.
        """
        asked = self._ids(question)
        pairs = [
            pair(asked, self._ids(passage), self._opening, self._closing, self.files.max_tokens) for passage in passages
        ]
        scores: list[float] = []
        with ThreadPoolExecutor(self._threads) as pool:
            for done, score in enumerate(pool.map(self._run, pairs), 1):
                scores.append(score)
                if progress is not None:
                    progress(done, len(pairs))
        return scores

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def _joins(self, opening: int, closing: int) -> bool:
        first, second = "a question", "its passage"
        joined = self._tokenizer.encode(first, second)
        wanted = pair(self._ids(first), self._ids(second), opening, closing, 1 << 16)
        return bool(joined.ids == wanted.ids and joined.type_ids == wanted.types)

    def _run(self, one: Pair) -> float:
        feed = {"input_ids": np.asarray([one.ids], dtype=np.int64)}
        if "attention_mask" in self._inputs:
            feed["attention_mask"] = np.ones((1, len(one.ids)), dtype=np.int64)
        if "token_type_ids" in self._inputs:
            feed["token_type_ids"] = np.asarray([one.types], dtype=np.int64)
        (logits,) = self._session.run(["logits"], feed)
        return float(logits[0, 0])


def remembering(model: CrossEncoder, cache: EmbeddingCache | None) -> Callable[[str, Sequence[str]], list[float]]:
    """Return what scores passages, each pair at most once: a build asks the same ones again and again."""

    def score(question: str, passages: Sequence[str]) -> list[float]:
        if cache is None:
            return model.score(question, passages)
        keys = [_score_key(model.files, question, passage) for passage in passages]
        known = {key: float(np.frombuffer(data, "<f8")[0]) for key, data in cache.get_blobs(keys).items()}
        wanted = {key: passage for key, passage in zip(keys, passages, strict=True) if key not in known}
        if wanted:
            found = dict(zip(wanted, model.score(question, list(wanted.values())), strict=True))
            cache.put_blobs({key: np.array([value], "<f8").tobytes() for key, value in found.items()})
            known.update(found)
        return [known[key] for key in keys]

    return score


def _score_key(files: CrossEncoderFiles, question: str, passage: str) -> bytes:
    """SHA-256 over all that a score follows from."""
    settings = f"{files.sha256[ONNX]}\n{files.sha256[TOKENIZER]}\n{files.max_tokens}\n{onnxruntime.__version__}"
    return hashlib.sha256(f"{settings}\n\n{question}\0{passage}".encode("utf-8", "surrogatepass")).digest()
