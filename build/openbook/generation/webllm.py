"""Models for WebLLM (WebGPU in the tab): from the hub, from the course's own folder, or from another host by a list."""

from __future__ import annotations

import json
import re
import shutil
from functools import cache
from importlib.resources import files as resources
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from openbook.config import Config
from openbook.errors import ConfigError
from openbook.generation.files import FOLDER, ModelFile
from openbook.models.download import sha256_of
from openbook.settings import WebLlmSettings

CONFIG: Final = "mlc-chat-config.json"
WEIGHTS: Final = "tensor-cache.json"
TOKENIZERS: Final = ("tokenizer.json", "tokenizer.model")
MIB: Final = 1024**2

_BITS: Final = {"q4f16_1": 4.5, "q4f32_1": 5.0, "q0f16": 16.0, "q0f32": 32.0}
"""Bits a parameter: 4, and for each 32 parameters one scale of 16 or 32 bits; or none quantised."""


class HubPlace(msgspec.Struct, frozen=True, kw_only=True):
    """Addresses at the hub: the folder of a model, with a slash at its end, and its library."""

    folder: str
    library: str


class WebLlmVariant(msgspec.Struct, frozen=True, kw_only=True):
    """A model in one precision; the mirror of ``WebLlmVariant`` in ``web/src/generation/offer.ts``.

    Attributes:
        features: that the reader's graphics adapter must have.
        bytes: to download; of a model from the hub the parameters times their bits, exact otherwise.
        memory: bytes of the GPU.
        context: tokens of prompt and answer together.
        files: all of them, the library among them; None when only the hub knows them.
    """

    id: str
    features: tuple[str, ...]
    bytes: int
    memory: int
    context: int
    files: tuple[ModelFile, ...] | None = None
    hub: HubPlace | None = None


class WebLlmModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model; its variants, the preferred one first."""

    name: str
    label: str
    variants: tuple[WebLlmVariant, ...]


class WebLlmOffer(msgspec.Struct, frozen=True, kw_only=True):
    """What WebLLM may load, in the order in which it is offered; ``openbook models pin`` writes a file of it."""

    models: tuple[WebLlmModel, ...] = ()


@cache
def hub_models() -> tuple[WebLlmModel, ...]:
    """Of WebLLM's own list those that are offered: ``webllm_models.json``, which a test compares with that list."""
    known = json.loads((resources("openbook.generation") / "webllm_models.json").read_bytes())
    return tuple(
        WebLlmModel(
            name=model["name"],
            label=model["label"],
            variants=tuple(_hub_variant(model["parameters"], variant) for variant in model["variants"]),
        )
        for model in known["models"]
    )


def _hub_variant(parameters: int, variant: dict[str, Any]) -> WebLlmVariant:
    return WebLlmVariant(
        id=variant["id"],
        features=_features(variant["quantization"]),
        bytes=round(parameters * _BITS[variant["quantization"]] / 8),
        memory=round(variant["vram_required_MB"] * MIB),
        context=variant["context"],
        hub=HubPlace(folder=f"{variant['model']}/resolve/main/", library=variant["model_lib"]),
    )


def _features(quantization: str) -> tuple[str, ...]:
    return ("shader-f16",) if "f16" in quantization else ()


def webllm_offer(config: Config) -> WebLlmOffer:
    """The models that WebLLM may load, by ``[generation.webllm]``.

    Raises:
        ConfigError: a model that is not known, a folder that is not one of WebLLM's, or an address without pins.
    """
    settings = config.settings.generation.webllm
    if settings.pins:
        known = _pinned(config, settings)
    elif origin_of(settings) is not None:
        raise ConfigError(
            "generation.webllm.weights: files of another host are used only with a list of their hashes.",
            source=config.path,
            hint="Make one with `openbook models pin`, and name it in `pins`.",
        )
    elif settings.weights:
        known = tuple(own_model(config, folder) for folder in _folders(config, settings))
    else:
        known = hub_models()
    by_name = {model.name: model for model in known}
    for name in settings.models:
        if name not in by_name:
            raise ConfigError(
                f"generation.webllm.models: there is no model {name!r}.",
                source=config.path,
                hint=f"There are: {', '.join(by_name)}.",
            )
    return WebLlmOffer(models=tuple(by_name[name] for name in settings.models or by_name))


def origin_of(settings: WebLlmSettings) -> str | None:
    """The origin of weights on a host of the course's own choosing; None for the hub and for a folder."""
    if not re.match(r"[a-z]+://", settings.weights):
        return None
    parts = urlsplit(settings.weights)
    return f"{parts.scheme}://{parts.netloc}"


def _pinned(config: Config, settings: WebLlmSettings) -> tuple[WebLlmModel, ...]:
    path = config.root / settings.pins
    try:
        offer = msgspec.json.decode(path.read_bytes(), type=WebLlmOffer)
    except OSError as error:
        raise ConfigError(
            f"generation.webllm.pins: {path} cannot be read: {error.strerror}.", source=config.path
        ) from error
    except msgspec.DecodeError as error:
        raise ConfigError(
            f"is not a list of pins: {error}.", source=path, hint="Make it again with `openbook models pin`."
        ) from error
    base = settings.weights
    if base and not base.endswith("/"):
        base += "/"
    for model in offer.models:
        for variant in model.variants:
            for file in variant.files or ():
                if base and not (file.origin or "").startswith(base):
                    raise ConfigError(
                        f"{file.path} of {variant.id} is not pinned below {base}.",
                        source=path,
                        hint="Pin the models again with the `weights` of openbook.toml.",
                    )
    return offer.models


def _folders(config: Config, settings: WebLlmSettings) -> list[Path]:
    root = config.root / settings.weights
    found = sorted(path.parent for path in root.glob(f"*/{CONFIG}")) if root.is_dir() else []
    if not found:
        raise ConfigError(
            f"generation.webllm.weights: there is no folder with a {CONFIG} in {root}.",
            source=config.path,
            hint="Give a folder with one folder a model, as MLC compiles them; or nothing, for the hub.",
        )
    return found


def own_model(config: Config, folder: Path) -> WebLlmModel:
    """A model that is copied into the site, as its own files describe it.

    Raises:
        ConfigError: a file that WebLLM needs is missing or cannot be read.
    """
    described = _json(config, folder / CONFIG)
    shards = [record["dataPath"] for record in _json(config, folder / WEIGHTS)["records"]]
    libraries = sorted(folder.glob("*.wasm"))
    tokenizer = next((name for name in TOKENIZERS if name in described["tokenizer_files"]), None)
    if len(libraries) != 1 or tokenizer is None:
        raise ConfigError(
            f"generation.webllm.weights: {folder} holds {len(libraries)} libraries (.wasm) and "
            f"{tokenizer or 'no tokenizer'}; WebLLM needs one of each.",
            source=config.path,
        )
    listed = []
    for path in [folder / name for name in (CONFIG, WEIGHTS, tokenizer, *shards)] + libraries:
        if not path.is_file():
            raise ConfigError(f"generation.webllm.weights: {path} is missing.", source=config.path)
        listed.append(
            ModelFile(
                path=f"{FOLDER}/webllm/{folder.name}/{path.name}", bytes=path.stat().st_size, sha256=sha256_of(path)
            )
        )
    size = sum(file.bytes for file in listed)
    variant = WebLlmVariant(
        id=folder.name,
        features=_features(described["quantization"]),
        bytes=size,
        memory=size + _cache_bytes(described),
        context=described["context_window_size"],
        files=tuple(listed),
    )
    return WebLlmModel(name=folder.name, label=folder.name, variants=(variant,))


def _cache_bytes(described: dict[str, Any]) -> int:
    """What the keys and values of a full context take; 0 where the model's shape is called otherwise."""
    shape = described.get("model_config", {})
    sizes = [shape.get(key, 0) for key in ("num_hidden_layers", "num_key_value_heads", "head_dim")]
    each = 2 if "f16" in described["quantization"] else 4
    return int(2 * each * described["context_window_size"] * sizes[0] * sizes[1] * sizes[2])


def _json(config: Config, path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ConfigError(f"generation.webllm.weights: {path} cannot be read: {error}.", source=config.path) from error


def copy_models(config: Config, out: Path) -> list[str]:
    """Copy the course's own models into the site; returns their paths below ``out``."""
    generation = config.settings.generation
    if "webllm" not in generation.engines or not generation.webllm.weights or origin_of(generation.webllm) is not None:
        return []
    root = config.root / generation.webllm.weights
    copied = []
    for model in webllm_offer(config).models:
        for file in (file for variant in model.variants for file in variant.files or ()):
            target = out / file.path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / model.name / target.name, target)
            copied.append(file.path)
    return copied
