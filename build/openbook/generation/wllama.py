"""Models for wllama (llama.cpp in the tab): GGUF files, copied into the site in parts or fetched from another host."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import urljoin, urlsplit

import msgspec

from openbook.config import Config
from openbook.errors import ConfigError
from openbook.generation.files import FOLDER, ModelFile
from openbook.settings import WllamaSettings

PART_BYTES: Final = 24_000_000
"""Of a part in the site. Hosts refuse large files, the strictest common one those over 25 MiB; and what a reader loses
when a download is cut is one part."""

MAGIC: Final = b"GGUF"


class WllamaModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model on offer.

    Attributes:
        label: for people.
        bytes: of the whole.
        rounded: whether ``bytes`` is, as what a hub shows is; the tab then asks for the exact size.
        context: tokens of prompt and answer together.
        files: put behind each other they are the GGUF file.
    """

    id: str
    label: str
    bytes: int
    rounded: bool
    context: int
    files: tuple[ModelFile, ...]


class WllamaOffer(msgspec.Struct, frozen=True, kw_only=True):
    """What wllama may load: models, the advised one first, and whether WebGPU may help."""

    models: tuple[WllamaModel, ...]
    gpu: bool


def _hub(label: str, repository: str, revision: str, file: str, bytes: int, sha256: str) -> WllamaModel:
    where = f"https://huggingface.co/{repository}/resolve/{revision}/"
    return WllamaModel(
        id=file.removesuffix(".gguf"),
        label=label,
        bytes=bytes,
        rounded=True,
        context=0,
        files=(ModelFile(path=file, bytes=bytes, sha256=sha256, origin=where),),
    )


HUB_MODELS: Final = (
    _hub(
        "SmolLM2 360M Instruct (Q4_K_S)",
        "bartowski/SmolLM2-360M-Instruct-GGUF",
        "617c6f7a3265cd6251e7b846bd3962594035a512",
        "SmolLM2-360M-Instruct-Q4_K_S.gguf",
        260_000_000,
        "bfdd17e9dc31731f266957f9a030d0dd2e0d39709e926b10c7c75f823a640a55",
    ),
    _hub(
        "Qwen2.5 0.5B Instruct (Q4_K_M)",
        "bartowski/Qwen2.5-0.5B-Instruct-GGUF",
        "b26a58accf53b1a19fbc555d52fdb224bec473f5",
        "Qwen2.5-0.5B-Instruct-Q4_K_M.gguf",
        398_000_000,
        "6eb923e7d26e9cea28811e1a8e852009b21242fb157b26149d3b188f3a8c8653",
    ),
)
"""Each at a fixed revision, with the SHA-256 and the size, in millions of bytes, that the hub shows for the file."""


def wllama_offer(config: Config) -> WllamaOffer:
    """The models that wllama may load, by ``[generation.wllama]``.

    Raises:
        ConfigError: the file is missing or not GGUF, or an address is not https or has no SHA-256.
    """
    settings = config.settings.generation.wllama
    if not settings.model:
        models = tuple(msgspec.structs.replace(model, context=settings.context) for model in HUB_MODELS)
    elif re.match(r"[a-z]+://", settings.model):
        models = (_elsewhere(config, settings),)
    else:
        models = (_own(_path(config), settings),)
    return WllamaOffer(models=models, gpu=settings.gpu)


def copy_model(config: Config, out: Path) -> list[str]:
    """Copy the course's own model into the site, in parts; returns their paths below ``out``, none without one."""
    generation = config.settings.generation
    if "wllama" not in generation.engines:
        return []
    (model, *_) = wllama_offer(config).models
    if not generation.wllama.model or model.files[0].origin is not None:
        return []
    for file, data in zip(model.files, _parts(_path(config)), strict=True):
        target = out / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return [file.path for file in model.files]


def _path(config: Config) -> Path:
    path = config.root / config.settings.generation.wllama.model
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise ConfigError(
            f"generation.wllama.model: {path} cannot be read: {error.strerror}.", source=config.path
        ) from error
    if magic != MAGIC:
        raise ConfigError(
            f"generation.wllama.model: {path} is not a GGUF file.",
            source=config.path,
            hint="Give a model in the format of llama.cpp, such as SmolLM2-360M-Instruct-Q4_K_S.gguf.",
        )
    return path


def _own(path: Path, settings: WllamaSettings) -> WllamaModel:
    whole = hashlib.sha256()
    parts: list[tuple[int, str]] = []
    for data in _parts(path):
        whole.update(data)
        parts.append((len(data), hashlib.sha256(data).hexdigest()))
    if settings.sha256 not in {"", whole.hexdigest()}:
        raise ConfigError(f"generation.wllama.sha256: {path} has {whole.hexdigest()}.")
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", path.stem)
    folder = f"{FOLDER}/{stem}-{whole.hexdigest()[:12]}"
    return WllamaModel(
        id=f"{stem}-{whole.hexdigest()[:12]}",
        label=settings.label or path.stem,
        bytes=sum(size for size, _ in parts),
        rounded=False,
        context=settings.context,
        files=tuple(
            ModelFile(path=f"{folder}/{number:03}.part", bytes=size, sha256=sha256)
            for number, (size, sha256) in enumerate(parts)
        ),
    )


def _elsewhere(config: Config, settings: WllamaSettings) -> WllamaModel:
    address = urlsplit(settings.model)
    name = address.path.rpartition("/")[2]
    if address.scheme != "https" or not name.endswith(".gguf"):
        raise ConfigError(
            f"generation.wllama.model: {settings.model!r} is not an https address of a GGUF file.", source=config.path
        )
    if not settings.sha256:
        raise ConfigError(
            "generation.wllama.sha256 is missing.",
            source=config.path,
            hint="A model on another host is checked against it; the hub shows it beside each file.",
        )
    return WllamaModel(
        id=name.removesuffix(".gguf"),
        label=settings.label or name.removesuffix(".gguf"),
        bytes=0,
        rounded=True,
        context=settings.context,
        files=(ModelFile(path=name, bytes=0, sha256=settings.sha256, origin=urljoin(settings.model, ".")),),
    )


def origin_of(settings: WllamaSettings) -> str | None:
    """The other host that the model is fetched from, as a source of ``connect-src``; None for the hub or the site."""
    address = urlsplit(settings.model)
    return f"{address.scheme}://{address.netloc}" if address.scheme == "https" else None


def _parts(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while data := file.read(PART_BYTES):
            yield data
