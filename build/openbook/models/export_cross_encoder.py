"""Any cross-encoder made from BERT → the folder that openbook reads; needs the extra ``openbook[export]``."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any, Final

import msgspec

from openbook.errors import ModelExportError
from openbook.models.cross_encoder import (
    CrossEncoder,
    CrossEncoderDescriptor,
    CrossEncoderFiles,
    resolve_cross_encoder,
)
from openbook.models.download import sha256_of
from openbook.models.export import SAMPLE, Step, make_files, public_name, ready_to_export, silent
from openbook.models.registry import DESCRIPTOR, FILES, Precision
from openbook.settings import CrossEncoderSettings

MOST_APART: Final[dict[Precision, float]] = {"fp32": 1e-3, "int8-weight-only": 0.1}
"""By how much a score may differ from transformers', as a share of the spread of the scores of ``SAMPLE``."""
_LEAST_SPREAD: Final = 0.01


class CrossEncoderExport(msgspec.Struct, frozen=True, kw_only=True):
    """What was written.

    Attributes:
        folder: to be named in ``[models.cross_encoder] path``.
        files: the model, as ``resolve_cross_encoder`` finds it there.
        apart: greatest difference from transformers' scores, as a share of their spread.
    """

    folder: Path
    files: CrossEncoderFiles
    apart: float


def export_cross_encoder(
    source: str,
    out: Path,
    *,
    name: str | None = None,
    precision: Precision = "int8-weight-only",
    max_tokens: int | None = None,
    revision: str | None = None,
    licence: str = "",
    step: Step | None = None,
) -> CrossEncoderExport:
    """Turn a cross-encoder into a folder for ``[models.cross_encoder] path``.

    Args:
        source: name of the model on the hub, or a folder that holds one.
        out: the folder to write; it must not exist or be empty.
        name: by which the site calls it; default: ``source``, or the folder's own name.
        precision: of the weights.
        max_tokens: word pieces to read of question and passage; default: as many as the model was made for.
        revision: of the model on the hub.
        licence: SPDX identifier, to be written into the folder.
        step: told of each step.

    Raises:
        MissingExtraError: the extra is not installed.
        ModelExportError: the model gives more than one score, ``out`` is not empty, or the export does not give what
            the model gives.
        ModelNotFoundError: the model's tokenizer joins two texts in another way than BERT's.
    """
    out = ready_to_export(out)
    say = step if step is not None else silent
    say("loading the model")
    model, tokenizer = _load(source, revision)
    if model.config.num_labels != 1:
        raise ModelExportError(f"{source} gives {model.config.num_labels} scores; a cross-encoder for ranking gives 1.")
    limit = int(min(model.config.max_position_embeddings, tokenizer.model_max_length))
    if max_tokens is not None and not 32 <= max_tokens <= limit:
        raise ModelExportError(f"{source} reads 32 to {limit} word pieces, not {max_tokens}.")
    with tempfile.TemporaryDirectory(prefix="openbook-export-") as temporary:
        raw, made = Path(temporary) / "raw", Path(temporary) / "made"
        make_files(source, revision, "text-classification", precision, raw, made, say)
        descriptor = CrossEncoderDescriptor(
            task="rerank",
            name=name or public_name(source),
            revision=revision or "",
            max_tokens=max_tokens or limit,
            precision=precision,
            licence=licence,
            files={file: sha256_of(made / file) for file in FILES},
        )
        (made / DESCRIPTOR).write_bytes(msgspec.json.format(msgspec.json.encode(descriptor), indent=2) + b"\n")
        say("comparing with transformers")
        apart = _apart(model, tokenizer, made)
        if apart > MOST_APART[precision]:
            raise ModelExportError(
                f"the export of {source} in {precision} is not the model: its scores are up to {apart:.1%} of their "
                f"spread apart, at most {MOST_APART[precision]:.1%} is allowed.",
                hint="Try --precision fp32, or another model.",
            )
        out.mkdir(parents=True, exist_ok=True)
        shutil.copytree(made, out, dirs_exist_ok=True)
    files = resolve_cross_encoder(CrossEncoderSettings(path=str(out)))
    return CrossEncoderExport(folder=out, files=files, apart=apart)


def _load(name: str, revision: str | None) -> tuple[Any, Any]:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(name, revision=revision)  # type: ignore[no-untyped-call]
        return AutoModelForSequenceClassification.from_pretrained(name, revision=revision).eval(), tokenizer
    except (OSError, ValueError) as error:
        raise ModelExportError(
            f"{name} cannot be loaded: {error}", hint="Give the name of a model on the hub, or a folder that holds one."
        ) from error


def _apart(model: Any, tokenizer: Any, folder: Path) -> float:
    import torch

    pairs = [(question, passage) for question in SAMPLE[:2] for passage in SAMPLE]
    with torch.inference_mode():
        expected = [float(model(**tokenizer(*one, return_tensors="pt")).logits[0, 0]) for one in pairs]
    exported = CrossEncoder(resolve_cross_encoder(CrossEncoderSettings(path=str(folder))))
    found = [exported.score(question, [passage])[0] for question, passage in pairs]
    spread = max(_LEAST_SPREAD, max(expected) - min(expected))
    return max(abs(a - b) for a, b in zip(expected, found, strict=True)) / spread
