"""Models for WebLLM: offered from the hub, from a folder of the course, or by a list of pins."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from openbook.config import Config, load_config
from openbook.errors import ConfigError, ModelHashError, ModelNotFoundError
from openbook.generation.offer import connect_sources
from openbook.generation.pins import pin
from openbook.generation.webllm import (
    HubPlace,
    WebLlmModel,
    WebLlmOffer,
    WebLlmVariant,
    copy_models,
    hub_models,
    webllm_offer,
)
from openbook.pages.serve import serving

FILES = {
    "mlc-chat-config.json": json.dumps(
        {
            "quantization": "q4f16_1",
            "context_window_size": 1024,
            "tokenizer_files": ["tokenizer.json"],
            "model_config": {"num_hidden_layers": 2, "num_key_value_heads": 4, "head_dim": 8},
        }
    ).encode(),
    "tokenizer.json": b"{}",
    "params_shard_0.bin": b"weights" * 100,
    "library.wasm": b"\0asm",
}
FILES["tensor-cache.json"] = json.dumps(
    {
        "records": [
            {
                "dataPath": "params_shard_0.bin",
                "nbytes": 700,
                "md5sum": hashlib.md5(FILES["params_shard_0.bin"]).hexdigest(),
            }
        ]
    }
).encode()


def write(folder: Path, files: dict[str, bytes] = FILES) -> Path:
    folder.mkdir(parents=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture
def course(tmp_path: Path) -> Callable[[str], Config]:
    def make(settings: str) -> Config:
        (tmp_path / "openbook.toml").write_text(f"[generation.webllm]\n{settings}\n")
        return load_config(tmp_path)

    return make


def test_the_hub_s_models_are_offered_with_size_and_memory(course: Callable[[str], Config]) -> None:
    models = webllm_offer(course("")).models
    assert [model.name for model in models][:2] == ["Qwen2.5-1.5B-Instruct", "Llama-3.2-1B-Instruct"]
    first = models[0].variants[0]
    assert first.features == ("shader-f16",)
    assert first.bytes == round(1_543_714_304 * 4.5 / 8)
    assert first.bytes < first.memory < 2 * first.bytes
    assert first.hub is not None
    assert first.files is None
    assert all(model.variants[-1].features == () for model in models), "each runs without shader-f16 too"


def test_models_are_chosen_and_ordered_by_name(course: Callable[[str], Config]) -> None:
    config = course('models = ["SmolLM2-135M-Instruct", "Llama-3.2-1B-Instruct"]')
    assert [model.name for model in webllm_offer(config).models] == ["SmolLM2-135M-Instruct", "Llama-3.2-1B-Instruct"]
    with pytest.raises(ConfigError, match="no model 'GPT'"):
        webllm_offer(course('models = ["GPT"]'))


def test_a_folder_of_the_course_is_copied_and_listed_by_hash(course: Callable[[str], Config], tmp_path: Path) -> None:
    config = course('weights = "weights"')
    write(tmp_path / "weights" / "own-q4f16_1")
    (model,) = webllm_offer(config).models
    (variant,) = model.variants
    assert variant.files is not None
    assert variant.bytes == sum(len(data) for data in FILES.values())
    assert variant.memory == variant.bytes + 2 * 2 * 1024 * 2 * 4 * 8
    assert variant.features == ("shader-f16",)
    copied = copy_models(config, tmp_path / "dist")
    assert copied == [file.path for file in variant.files]
    for file in variant.files:
        data = (tmp_path / "dist" / file.path).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (file.bytes, file.sha256)
    assert connect_sources(config.settings.generation) == connect_sources(
        msgspec.structs.replace(config.settings.generation, engines=("wllama", "built-in", "address"))
    ), "no host is opened for what the site has"


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("library.wasm", "0 libraries"),
        ("params_shard_0.bin", r"params_shard_0\.bin is missing"),
        ("tensor-cache.json", r"tensor-cache\.json cannot be read"),
        ("mlc-chat-config.json", "no folder with a mlc-chat-config"),
    ],
)
def test_a_folder_that_lacks_a_file_is_refused(
    course: Callable[[str], Config], tmp_path: Path, missing: str, message: str
) -> None:
    write(tmp_path / "weights" / "own", {name: data for name, data in FILES.items() if name != missing})
    with pytest.raises(ConfigError, match=message):
        webllm_offer(course('weights = "weights"'))


def test_another_host_needs_pins_that_are_of_that_host(course: Callable[[str], Config], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="only with a list of their hashes"):
        webllm_offer(course('weights = "https://models.example.org/llm"'))
    with serving(hosted(tmp_path), "/") as url:
        pinned = WebLlmOffer(models=(pin("own", url, known=[OWN]),))
    (tmp_path / "pins.json").write_bytes(msgspec.json.encode(pinned))
    assert webllm_offer(course('pins = "pins.json"')) == pinned
    config = course(f'weights = "{url}"\npins = "pins.json"')
    assert webllm_offer(config) == pinned
    assert url.rstrip("/") in connect_sources(config.settings.generation)
    assert "https://huggingface.co" not in connect_sources(
        msgspec.structs.replace(config.settings.generation, engines=("webllm",))
    )
    with pytest.raises(ConfigError, match="is not pinned below"):
        webllm_offer(course('weights = "https://models.example.org"\npins = "pins.json"'))


OWN = WebLlmModel(
    name="own",
    label="Own",
    variants=(
        WebLlmVariant(
            id="own-q4f16_1",
            features=(),
            bytes=1,
            memory=1,
            context=1024,
            hub=HubPlace(
                folder="https://hub.example.org/a/own/resolve/main/", library="https://x.example.org/library.wasm"
            ),
        ),
    ),
)


def hosted(tmp_path: Path) -> Path:
    write(tmp_path / "host" / "own-q4f16_1")
    return tmp_path / "host"


def test_pinning_lists_every_file_by_what_was_fetched(tmp_path: Path) -> None:
    with serving(hosted(tmp_path), "/") as url:
        (variant,) = pin("own", url, known=[OWN]).variants
    assert variant.files is not None
    assert variant.hub is None
    found = {file.path: (file.origin, file.bytes, file.sha256) for file in variant.files}
    assert found == {
        name: (f"{url}own-q4f16_1/", len(data), hashlib.sha256(data).hexdigest()) for name, data in FILES.items()
    }


def test_pinning_at_the_hub_pins_its_revision(tmp_path: Path) -> None:
    hub = tmp_path / "hub"
    write(hub / "a" / "own" / "resolve" / "0123abc")
    (hub / "api" / "models" / "a").mkdir(parents=True)
    (hub / "api" / "models" / "a" / "own").write_text('{"sha": "0123abc"}')
    with serving(hub, "/") as url:
        place = HubPlace(folder=f"{url}a/own/resolve/main/", library=f"{url}a/own/resolve/0123abc/library.wasm")
        variant = msgspec.structs.replace(OWN.variants[0], hub=place)
        (pinned,) = pin("own", known=[msgspec.structs.replace(OWN, variants=(variant,))]).variants
    assert {file.origin for file in pinned.files or ()} == {f"{url}a/own/resolve/0123abc/"}


def test_a_damaged_shard_is_not_pinned(tmp_path: Path) -> None:
    folder = hosted(tmp_path)
    (folder / "own-q4f16_1" / "params_shard_0.bin").write_bytes(b"weightz" * 100)
    with serving(folder, "/") as url, pytest.raises(ModelHashError, match="is not the file that tensor-cache"):
        pin("own", url, known=[OWN])


def test_an_unknown_model_cannot_be_pinned() -> None:
    with pytest.raises(ModelNotFoundError, match=hub_models()[0].name):
        pin("GPT")
