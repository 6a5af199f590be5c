"""An index is written, read back and refused when a byte of it is wrong."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from openbook.chunking import Chunk
from openbook.course.source import Lecture, Source
from openbook.errors import IndexFormatError
from openbook.index.keyword import serialise
from openbook.index.manifest import CourseInfo, Manifest, corpus_hash
from openbook.index.passages import shard_passages
from openbook.index.read import load_index, read_manifest
from openbook.index.tokens import TOKENIZER_FINGERPRINT
from openbook.index.write import PROBE_TEXTS, in_index_order, write_index
from openbook.models.encoder import Encoder
from openbook.models.registry import ONNX, ModelFiles, resolve
from openbook.retrieval.collection import SearchIndex
from openbook.retrieval.trace import GateThreshold
from openbook.settings import EncoderSettings, RetrievalSettings

TEXTS = {
    "l01-shell": ["Pipes connect the output of one command to the input of the next.", "A shell is a program."],
    "l02/größe": ["zero_grad clears gradients 学习.", "np.argmax gives a position. " * 30],
}


def make_chunks() -> list[Chunk]:
    chunks = []
    for lecture, texts in TEXTS.items():
        for number, text in enumerate(texts):
            kind = "slides" if number else "notes"
            path = (f"Lecture {lecture}", f"Section {number}")
            chunks.append(
                Chunk(
                    id=f"{lecture}/{kind}#s{number}",
                    lecture=lecture,
                    kind=kind,
                    title=path[-1],
                    path=path,
                    anchor=f"s{number}",
                    part=1,
                    parts=1,
                    text=text,
                    url=f"lectures/{lecture}/{kind}.html#s{number}",
                    source=f"lectures/{lecture}/{kind}.md",
                    start_line=number + 1,
                    end_line=number + 9,
                    tokens=9,
                    words=len(text.split()),
                    hash=hashlib.sha256(text.encode()).hexdigest()[:16],
                )
            )
    return in_index_order(chunks)


def with_two_parts() -> list[Chunk]:
    """The first section in two parts."""
    first, *rest = make_chunks()
    parts = [
        msgspec.structs.replace(first, parts=2),
        msgspec.structs.replace(first, id=f"{first.id}~2", part=2, parts=2, text="The rest."),
    ]
    return in_index_order([*parts, *rest[1:]])


def make_lectures() -> list[Lecture]:
    return [
        Lecture(
            id=lecture,
            number=number,
            title=f"Lecture {lecture}",
            week=number,
            release=date(2026, 1, number),
            tags=("x",),
            sources=tuple(
                Source(path=Path("/nowhere"), relpath=f"{lecture}/{kind}.md", kind=kind, lecture=lecture)
                for kind in ("notes", "slides")
            ),
        )
        for number, lecture in enumerate(TEXTS, 1)
    ]


@pytest.fixture(scope="module")
def model() -> ModelFiles:
    return resolve(EncoderSettings(), allow_download=False)


@pytest.fixture(scope="module")
def vectors(model: ModelFiles) -> tuple[np.ndarray, np.ndarray]:
    encoder = Encoder(model, threads=2)
    return encoder.encode([chunk.embedded_text() for chunk in make_chunks()]), encoder.encode(PROBE_TEXTS)


Write = Callable[..., Manifest]


@pytest.fixture
def write(model: ModelFiles, vectors: tuple[np.ndarray, np.ndarray]) -> Write:
    def write(out: Path, **changes: Any) -> Manifest:
        chunks = make_chunks()
        (out / "assets").mkdir(parents=True, exist_ok=True)
        (out / "assets" / "ort.wasm").write_bytes(b"\0asm")
        given: dict[str, Any] = {
            "chunks": chunks, "vectors": vectors[0], "lectures": make_lectures(), "documents": 4,
            "course": CourseInfo(title="Kurs", language="de"), "model": model, "retrieval": RetrievalSettings(),
            "gate": GateThreshold(cosine=0.25, source="calibrated", corpus=corpus_hash(chunks),
                                  model=model.sha256[ONNX], tokenizer=TOKENIZER_FINGERPRINT),
            "probes": vectors[1], "as_of": "2026-11-30", "built_at": "2026-11-30T00:00:00Z",
            "extra_files": {"wasm": "assets/ort.wasm"},
        }  # fmt: skip
        return write_index(out, **{**given, **changes})

    return write


def files_below(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def test_what_is_written_is_read(tmp_path: Path, write: Write, vectors: tuple[np.ndarray, np.ndarray]) -> None:
    manifest = write(tmp_path)
    index = load_index(tmp_path / "index")
    search_index: SearchIndex = index
    assert index.manifest == manifest
    chunks = make_chunks()
    assert search_index.size == len(chunks)
    assert search_index.as_of == "2026-11-30"
    assert search_index.settings == RetrievalSettings()
    for ordinal, chunk in enumerate(chunks):
        ref = search_index.chunk(ordinal)
        for name in ("id", "lecture", "kind", "path", "anchor", "part", "parts", "url"):
            assert getattr(ref, name) == getattr(chunk, name)
        passage = index.passage(ordinal)
        assert (passage.source, passage.start_line, passage.end_line) == (
            chunk.source, chunk.start_line, chunk.end_line,
        )  # fmt: skip
        assert index.lecture(ordinal).id == chunk.lecture
    assert [passage.text for passage in search_index.passages([2, 0])] == [chunks[2].text, chunks[0].text]
    found = index.vectors.scales[:, None] * index.vectors.values.astype(np.float32)
    assert np.abs(found - vectors[0]).max() <= index.vectors.scales.max() * 0.5001
    expected = serialise([(" / ".join(chunk.path), chunk.text) for chunk in chunks])
    assert msgspec.json.encode(index.serialised) == msgspec.json.encode(expected)
    assert index.keyword.documents == len(chunks)


def test_further_parts_of_a_section_have_ids_of_their_own(tmp_path: Path, write: Write) -> None:
    chunks = with_two_parts()
    write(tmp_path, chunks=chunks, gate=None)
    index = load_index(tmp_path / "index")
    assert [index.chunk(ordinal).id for ordinal in range(4)] == [chunk.id for chunk in chunks]
    assert chunks[1].id.endswith("~2")


def test_the_encoder_of_the_site_gives_the_probes_vectors(tmp_path: Path, write: Write) -> None:
    write(tmp_path)
    index = load_index(tmp_path / "index")
    files = index.model_files()
    assert files.onnx.is_relative_to(tmp_path)
    vectors = Encoder(files, threads=1).encode([probe.text for probe in index.manifest.probes])
    for probe, vector in zip(index.manifest.probes, vectors, strict=True):
        assert np.array_equal(np.frombuffer(base64.b64decode(probe.vector), dtype="<f4"), vector)


def test_the_same_input_gives_the_same_bytes(tmp_path: Path, write: Write) -> None:
    wasm = {"a": "assets/ort.wasm", "b": "assets/ort.wasm"}
    write(tmp_path / "one", extra_files=wasm)
    write(tmp_path / "two", extra_files=dict(reversed(wasm.items())))
    assert files_below(tmp_path / "one") == files_below(tmp_path / "two")


def test_names_carry_the_hash_of_the_content(tmp_path: Path, write: Write) -> None:
    manifest = write(tmp_path)
    for name, entry in manifest.files.items():
        data = (tmp_path / entry.path).read_bytes()
        assert (entry.bytes, entry.sha256) == (len(data), hashlib.sha256(data).hexdigest())
        if entry.path.startswith("index/"):
            assert f"{name}-{entry.sha256[:12]}." in entry.path
    model = manifest.model
    assert manifest.files["model/onnx/model.onnx"].path == f"models/{model.folder}/onnx/model.onnx"
    assert model.folder.endswith(model.sha256[:12])
    listed = {entry.path for entry in manifest.files.values()} | {"index/manifest.json"}
    assert listed == set(files_below(tmp_path))


def test_what_an_earlier_build_left_is_removed(tmp_path: Path, write: Write) -> None:
    write(tmp_path)
    old = set(files_below(tmp_path / "index"))
    (tmp_path / "index" / "passages-0-0123456789ab.json").write_text("text of a lecture that was withdrawn")
    (tmp_path / "index" / "build.json").write_text("{}")
    (tmp_path / "models" / "older-0123456789ab" / "onnx").mkdir(parents=True)
    (tmp_path / "models" / "hats").mkdir()
    write(tmp_path)
    assert set(files_below(tmp_path / "index")) == old | {"build.json"}
    assert {folder.name for folder in (tmp_path / "models").iterdir()} == {"all-minilm-l6-v2-8199be6f699a", "hats"}


def test_a_course_without_chunks_is_an_index_too(tmp_path: Path, write: Write) -> None:
    write(tmp_path, chunks=[], vectors=np.empty((0, 384), dtype=np.float32), gate=None)
    index = load_index(tmp_path / "index")
    assert (index.size, index.gate, len(index.vectors.scales)) == (0, None, 0)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"vectors": np.zeros((1, 384), dtype=np.float32)}, "do not fit together"),
        ({"probes": np.zeros((1, 384), dtype=np.float32)}, "probes"),
        ({"chunks": make_chunks()[::-1]}, "order of the index"),
        ({"chunks": [make_chunks()[0]] * 4}, "order of the index"),
        ({"chunks": [msgspec.structs.replace(make_chunks()[0], part=2, parts=2), *make_chunks()[1:]]}, "another place"),
        ({"lectures": make_lectures()[:1]}, "not among the released ones"),
        ({"extra_files": {"wasm": "assets/gone.wasm"}}, "missing"),
    ],
)
def test_parts_that_do_not_fit_are_refused(tmp_path: Path, write: Write, changes: dict[str, Any], says: str) -> None:
    with pytest.raises(IndexFormatError, match=says):
        write(tmp_path, **changes)
    assert not (tmp_path / "index" / "manifest.json").exists()


def edit(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    file = folder / "index" / "manifest.json"
    value = json.loads(file.read_text(encoding="utf-8"))
    change(value)
    file.write_text(json.dumps(value), encoding="utf-8")


def test_a_stale_threshold_is_only_told_of_where_the_settings_say_so(tmp_path: Path, write: Write) -> None:
    write(tmp_path)

    def change(manifest: dict[str, Any]) -> None:
        manifest["gate"].update(corpus="0" * 64)
        manifest["retrieval"]["gate"]["stale"] = "warn"

    edit(tmp_path, change)
    (warning,) = load_index(tmp_path / "index").warnings
    assert (warning.kind, "another corpus" in warning.message) == ("gate-stale", True)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda m: m.update(schema=2), "has schema 2"),
        (lambda m: m.pop("schema"), "has schema None"),
        (lambda m: m.pop("vectors"), "is not a manifest"),
        (lambda m: m["tokenizer"].update(fingerprint="0" * 64), "another tokenizer"),
        (lambda m: m["gate"].update(corpus="0" * 64), "found on another corpus"),
        (lambda m: m["gate"].update(model="0" * 64, tokenizer=""), "another model and tokenizer"),
        (lambda m: m["files"]["catalogue"].update(path="../secret"), "outside the site"),
        (lambda m: m["files"]["catalogue"].update(bytes=1), "not the file"),
        (lambda m: m["files"].pop("vectors"), "names no file"),
        (lambda m: m["files"].pop("model/config.json"), r"no config\.json"),
        (lambda m: m["counts"].update(chunks=5), "counts 5 chunks"),
        (lambda m: m["passages"][0].update(count=3), "does not hold the passages"),
    ],
)
def test_a_manifest_that_does_not_fit_is_refused(
    tmp_path: Path, write: Write, change: Callable[[dict[str, Any]], object], says: str
) -> None:
    write(tmp_path)
    edit(tmp_path, change)
    with pytest.raises(IndexFormatError, match=says):
        load_index(tmp_path / "index").vectors  # noqa: B018


def test_every_file_is_checked(tmp_path: Path, write: Write) -> None:
    manifest = write(tmp_path)
    for entry in manifest.files.values():
        file = tmp_path / entry.path
        data = file.read_bytes()
        file.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
        with pytest.raises(IndexFormatError, match="not the file that the manifest lists"):
            load_index(tmp_path / "index")
        file.write_bytes(data)
    load_index(tmp_path / "index")


def test_no_index_at_all(tmp_path: Path) -> None:
    with pytest.raises(IndexFormatError, match="openbook build"):
        read_manifest(tmp_path)


def test_passages_are_cut_into_shards_that_load_quickly(shared_data: Path) -> None:
    lines = (shared_data / "ir" / "squad2-half-dev" / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    one = make_chunks()[0]
    chunks = [msgspec.structs.replace(one, text=json.loads(line)["text"]) for line in lines]
    shards = shard_passages(chunks)
    assert [passage.text for shard in shards for passage in shard.passages] == [chunk.text for chunk in chunks]
    assert [shard.first for shard in shards] == list(np.cumsum([0] + [len(s.passages) for s in shards[:-1]]))
    sizes = [len(gzip.compress(msgspec.json.encode(shard))) for shard in shards]
    assert 2_500 < np.mean(sizes) < 6_000
