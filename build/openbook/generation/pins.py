"""Pin models for WebLLM: fetch every file of them once, and write down what it is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urljoin, urlsplit

import msgspec

from openbook.errors import ModelHashError, ModelNotFoundError
from openbook.generation.files import ModelFile
from openbook.generation.webllm import CONFIG, TOKENIZERS, WEIGHTS, WebLlmModel, WebLlmVariant, hub_models
from openbook.models.download import Progress, blocks


def pin(
    name: str, weights: str = "", progress: Progress | None = None, known: Sequence[WebLlmModel] | None = None
) -> WebLlmModel:
    """Fetch all files of a model, in each of its precisions, and list them with size and SHA-256.

    What is downloaded is hashed and thrown away; the tab fetches the same files from the same place.

    Args:
        name: as ``[generation.webllm] models`` has it.
        weights: address with one folder a variant, called by its id, with the library in it; empty for the hub, whose
            files are pinned at the revision that it has today.
        progress: called with the bytes of the file so far and in all.
        known: models to look for the name in; those that ship by default.

    Raises:
        ModelNotFoundError: no such model, or a file cannot be reached.
        ModelHashError: a shard is not what the model's own list says, or a page in HTML came.
    """
    by_name = {model.name: model for model in known or hub_models()}
    if name not in by_name:
        raise ModelNotFoundError(f"there is no model {name!r}.", hint=f"There are: {', '.join(by_name)}.")
    model = by_name[name]
    return msgspec.structs.replace(
        model, variants=tuple(_pin_variant(variant, weights, progress) for variant in model.variants)
    )


def _pin_variant(variant: WebLlmVariant, weights: str, progress: Progress | None) -> WebLlmVariant:
    assert variant.hub is not None
    name = variant.hub.library.rpartition("/")[2]
    if weights:
        folder = urljoin(weights if weights.endswith("/") else f"{weights}/", f"{variant.id}/")
        library_folder = folder
    else:
        folder = _at_revision(variant.hub.folder)
        library_folder = urljoin(variant.hub.library, ".")
    files: list[ModelFile] = []

    def fetch(file: str, base: str = folder) -> bytes:
        data = b"".join(blocks(urljoin(base, file), progress))
        files.append(ModelFile(path=file, bytes=len(data), sha256=hashlib.sha256(data).hexdigest(), origin=base))
        return data

    config, listed = _json(fetch(CONFIG), CONFIG), _json(fetch(WEIGHTS), WEIGHTS)
    tokenizer = next((file for file in TOKENIZERS if file in config.get("tokenizer_files", ())), None)
    if tokenizer is None:
        raise ModelNotFoundError(f"{folder}{CONFIG} names no tokenizer that WebLLM reads.")
    fetch(tokenizer)
    for record in listed["records"]:
        data = fetch(record["dataPath"])
        found = hashlib.md5(data, usedforsecurity=False).hexdigest()
        if len(data) != record["nbytes"] or found != record["md5sum"]:
            raise ModelHashError(
                f"{folder}{record['dataPath']} is not the file that {WEIGHTS} lists: {len(data):,} bytes, MD5 {found}.",
                hint="Try again; if it stays so, the copy at that address is damaged.",
            )
    fetch(name, library_folder)
    return msgspec.structs.replace(variant, files=tuple(files), hub=None, bytes=sum(file.bytes for file in files))


def _at_revision(folder: str) -> str:
    """``…/resolve/main/`` at the commit that main is at, so that the pins stay good when the hub's copy moves on."""
    parts = urlsplit(folder)
    repository, _, _ = parts.path.strip("/").partition("/resolve/")
    about = _json(b"".join(blocks(f"{parts.scheme}://{parts.netloc}/api/models/{repository}", None)), repository)
    return folder.replace("/resolve/main/", f"/resolve/{about['sha']}/")


def _json(data: bytes, name: str) -> Any:
    try:
        return json.loads(data)
    except ValueError as error:
        raise ModelHashError(f"{name} is not JSON: {error}.") from error
