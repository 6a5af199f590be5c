"""Any sentence-transformers model → the folder that openbook reads; needs the extra ``openbook[export]``.

The model is exported to ONNX in float32. Then each large weight matrix is stored in one byte a value, with one scale
for each row of an embedding table and for each output of a matrix product, and two nodes restore it inside the graph:
Cast, then Mul. The arithmetic stays float32, so every processor and browser computes the same, and the file has a
quarter of the size. Last, the export is compared with sentence-transformers itself.
"""

from __future__ import annotations

import importlib.util
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from openbook.errors import MissingExtraError, ModelExportError
from openbook.models.download import sha256_of
from openbook.models.encoder import Encoder
from openbook.models.registry import (
    CONFIG,
    DESCRIPTOR,
    FILES,
    ONNX,
    TOKENIZER,
    TOKENIZER_CONFIG,
    Descriptor,
    ModelFiles,
    Pooling,
    Precision,
    resolve,
)
from openbook.settings import EncoderSettings

OPSET: Final = 18
LEAST_COSINE: Final[dict[Precision, float]] = {"fp32": 0.9999, "int8-weight-only": 0.99}
"""What an export must reach against sentence-transformers, on the worst of ``SAMPLE``; else it is not written."""

_NEEDED: Final = ("torch", "sentence_transformers", "optimum", "onnx")
_SMALL: Final = 4096
_LIMIT: Final = 2**31 - 1

SAMPLE: Final = (
    "Why must a time series not be split at random?",
    "zero_grad() clears the gradients that backward() has added up.",
    "Le modèle apprend; das Modell lernt; モデルは学習する.",
    "precision = tp / (tp + fp), recall = tp / (tp + fn)",
    "Gradient descent walks downhill on the loss. " * 12,
)

Step = Callable[[str], None]
"""Called with what begins now, in a few words."""


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """What was written.

    Attributes:
        folder: to be named in ``[models.encoder] path``.
        files: the model, as ``registry.resolve`` finds it there.
        least_cosine: with sentence-transformers, over ``SAMPLE``.
    """

    folder: Path
    files: ModelFiles
    least_cosine: float


def export_model(
    source: str,
    out: Path,
    *,
    name: str | None = None,
    precision: Literal["fp32", "int8-weight-only"] = "int8-weight-only",
    max_tokens: int | None = None,
    revision: str | None = None,
    licence: str = "",
    languages: Sequence[str] = (),
    step: Step | None = None,
) -> Export:
    """Turn a sentence-transformers model into a folder for ``[models.encoder] path``.

    Args:
        source: name of the model on the hub, or a folder that holds one.
        out: the folder to write; it must not exist or be empty.
        name: by which the site calls it; default: ``source``, or the folder's own name.
        precision: of the weights.
        max_tokens: word pieces to read of a text; default: as many as the model was made for.
        revision: of the model on the hub.
        licence: SPDX identifier, to be written into the folder.
        languages: primary subtags of the languages that the model knows; none to leave that unsaid.
        step: told of each step.

    Raises:
        MissingExtraError: the extra is not installed.
        ModelExportError: the model does something that openbook cannot (another pooling, a layer behind it, no fast
            tokenizer), ``out`` is not empty, or the export does not give what the model gives.
    """
    out = ready_to_export(out)
    say = step if step is not None else silent

    say("loading the model")
    model = _load(source, revision)
    pooling, own_limit = _described(model, source)
    if max_tokens is not None and not 2 < max_tokens <= own_limit:
        raise ModelExportError(f"{source} reads 3 to {own_limit} word pieces, not {max_tokens}.")
    with tempfile.TemporaryDirectory(prefix="openbook-export-") as temporary:
        raw, made = Path(temporary) / "raw", Path(temporary) / "made"
        # As a plain transformer: the graph then ends with the token vectors, which late interaction needs too.
        make_files(source, revision, "feature-extraction", precision, raw, made, say)
        descriptor = Descriptor(
            name=name or public_name(source),
            revision=revision or "",
            dims=int(model.get_embedding_dimension()),
            pooling=pooling,
            normalize=True,
            max_tokens=max_tokens or own_limit,
            precision=precision,
            licence=licence,
            languages=tuple(languages),
            files={file: sha256_of(made / file) for file in FILES},
        )
        (made / DESCRIPTOR).write_bytes(msgspec.json.format(msgspec.json.encode(descriptor), indent=2) + b"\n")
        say("comparing with sentence-transformers")
        least = least_cosine(model, made)
        if least < LEAST_COSINE[precision]:
            raise ModelExportError(
                f"the export of {source} in {precision} is not the model: cosine {least:.5f}, "
                f"at least {LEAST_COSINE[precision]} is needed.",
                hint="Try --precision fp32, or another model.",
            )
        out.mkdir(parents=True, exist_ok=True)
        shutil.copytree(made, out, dirs_exist_ok=True)
    return Export(folder=out, files=resolve(EncoderSettings(path=str(out))), least_cosine=least)


def ready_to_export(out: Path) -> Path:
    """The folder to write, made absolute.

    Raises:
        MissingExtraError: the extra is not installed.
        ModelExportError: there is something in the folder.
    """
    missing = [package for package in _NEEDED if importlib.util.find_spec(package) is None]
    if missing:
        raise MissingExtraError(
            f"exporting a model needs {', '.join(missing)}.", hint='Run `pip install "openbook[export]"`.'
        )
    out = out.resolve()
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ModelExportError("is there already and not empty.", source=out, hint="Name another folder with --out.")
    return out


def make_files(
    source: str, revision: str | None, task: str, precision: Precision, raw: Path, made: Path, say: Step
) -> None:
    """Write ``registry.FILES`` into ``made``.

    Args:
        source: as for :func:`export_model`.
        revision: as there.
        precision: as there.
        task: of optimum: what the graph ends with.
        raw: a folder for what lies between.
        made: the folder.
        say: told of each step.
    """
    say("exporting to ONNX")
    _to_onnx(source, revision, task, raw)
    (made / ONNX).parent.mkdir(parents=True)
    if precision == "fp32":
        shutil.copyfile(raw / "model.onnx", made / ONNX)
    else:
        say("rounding the weights to int8")
        quantize_weights(raw / "model.onnx", made / ONNX)
    for file in (TOKENIZER, TOKENIZER_CONFIG, CONFIG):
        if not (raw / file).is_file():
            raise ModelExportError(f"{source} has no {file}: its tokenizer is not one of the fast ones.")
        shutil.copyfile(raw / file, made / file)


def quantize_weights(source: Path, target: Path) -> None:
    """Rewrite an ONNX file: large weight matrices in int8 with scales, restored by Cast and Mul.

    A matrix qualifies when it is a float32 initializer of two dimensions that only Gather (as its table) or MatMul (as
    its right-hand side) reads. Rounding is to the nearest, half to even.

    Raises:
        ModelExportError: the file has no such matrix.
    """
    import onnx
    from onnx import numpy_helper

    model = onnx.load(str(source))
    graph = model.graph
    readers: dict[str, list[tuple[str, int]]] = {}
    for node in graph.node:
        for position, input_name in enumerate(node.input):
            readers.setdefault(input_name, []).append((node.op_type, position))
    restored: list[Any] = []
    kept: list[Any] = []
    for tensor in graph.initializer:
        axis = _scale_axis(readers.get(tensor.name, []))
        large = tensor.data_type == onnx.TensorProto.FLOAT and len(tensor.dims) == 2 and np.prod(tensor.dims) >= _SMALL
        if axis is None or not large:
            kept.append(tensor)
            continue
        values, scales = _rounded(numpy_helper.to_array(tensor), axis)
        name = tensor.name
        kept.append(numpy_helper.from_array(values, f"{name}_int8"))
        kept.append(numpy_helper.from_array(scales, f"{name}_scale"))
        restored.append(onnx.helper.make_node("Cast", [f"{name}_int8"], [f"{name}_cast"], to=onnx.TensorProto.FLOAT))
        restored.append(onnx.helper.make_node("Mul", [f"{name}_cast", f"{name}_scale"], [name]))
    if not restored:
        raise ModelExportError("has no weight matrix to round.", source=source, hint="Try --precision fp32.")
    nodes = [*restored, *graph.node]
    del graph.initializer[:]
    graph.initializer.extend(kept)
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save_model(model, str(target))


def least_cosine(model: Any, folder: Path, texts: tuple[str, ...] = SAMPLE) -> float:
    """The worst cosine, over some texts, of a folder's encoder with the sentence-transformers model it came from."""
    expected = np.asarray(model.encode(list(texts), normalize_embeddings=True), dtype=np.float64)
    found = Encoder(resolve(EncoderSettings(path=str(folder)))).encode(texts).astype(np.float64)
    return float((expected * found).sum(axis=1).min())


def _load(name: str, revision: str | None) -> Any:
    from sentence_transformers import SentenceTransformer

    try:
        return SentenceTransformer(name, revision=revision, device="cpu")
    except (OSError, ValueError) as error:
        raise ModelExportError(
            f"{name} cannot be loaded: {error}", hint="Give the name of a model on the hub, or a folder that holds one."
        ) from error


def _described(model: Any, name: str) -> tuple[Pooling, int]:
    """Pooling and length limit, if the model is one that openbook can run."""
    layers = [type(layer).__name__ for layer in model]
    if layers[:2] != ["Transformer", "Pooling"] or set(layers[2:]) - {"Normalize"}:
        raise ModelExportError(f"{name} is {' → '.join(layers)}; openbook runs Transformer → Pooling (→ Normalize).")
    transformer, pooling = model[0], model[1]
    mode = pooling.pooling_mode
    if mode not in ("mean", "cls"):
        raise ModelExportError(f"{name} pools by {mode!r}; openbook knows mean and cls.")
    if model.default_prompt_name:
        raise ModelExportError(f"{name} puts a prompt before each text, which openbook does not do.")
    positions = getattr(transformer.auto_model.config, "max_position_embeddings", model.max_seq_length)
    return mode, int(min(model.max_seq_length or positions, positions))


def _to_onnx(name: str, revision: str | None, task: str, folder: Path) -> None:
    from optimum.exporters.onnx import main_export

    main_export(
        name,
        folder,
        task=task,
        library_name="transformers",
        revision=revision or "main",
        opset=OPSET,
        do_validation=False,
        device="cpu",
    )
    file = folder / "model.onnx"
    if not file.is_file() or (folder / "model.onnx_data").exists() or file.stat().st_size > _LIMIT:
        raise ModelExportError(f"{name} is larger than one ONNX file may be (2 GB).", hint="Use a smaller model.")


def _scale_axis(readers: list[tuple[str, int]]) -> int | None:
    """Along which axis the scales of a matrix run: its rows (0) in a table, its columns (1) in a product."""
    if readers and all(reader == ("Gather", 0) for reader in readers):
        return 0
    if readers and all(reader == ("MatMul", 1) for reader in readers):
        return 1
    return None


def _rounded(matrix: npt.NDArray[np.float32], axis: int) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """int8 of the same shape, and float32 scales that are of length 1 along the other axis."""
    scales = np.abs(matrix).max(axis=1 - axis, keepdims=True) / np.float32(127)
    scales = np.where(scales > 0, scales, 1).astype(np.float32)
    values = np.clip(np.rint(matrix.astype(np.float64) / scales), -127, 127).astype(np.int8)
    return values, scales


def public_name(name: str) -> str:
    """A hub's name as it is; of a folder only its last part, for the site tells it to everyone."""
    path = Path(name)
    return path.resolve().name if path.exists() else name


def silent(_: str) -> None:
    """Tell nobody of a step."""
