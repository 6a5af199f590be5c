"""A GGUF file of the course goes into the site in parts; one on another host is pinned by its SHA-256."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import pytest

from openbook.config import Config, load_config
from openbook.errors import ConfigError
from openbook.generation import wllama
from openbook.generation.offer import HUB, LOOPBACK, connect_sources, offer
from openbook.generation.wllama import HUB_MODELS, copy_model
from openbook.settings import AddressSettings, GenerationSettings, WllamaSettings


def course(folder: Path, **keys: object) -> Config:
    lines = [f"{key} = {str(value).lower() if isinstance(value, bool) else repr(value)}" for key, value in keys.items()]
    (folder / "openbook.toml").write_text("[generation.wllama]\n" + "\n".join(lines), encoding="utf-8")
    return load_config(folder)


def test_without_a_model_of_its_own_a_course_offers_those_of_the_hub_each_with_its_hash(tmp_path: Path) -> None:
    models = offer(course(tmp_path, context=2048)).wllama.models
    assert [model.id for model in models] == [model.id for model in HUB_MODELS]
    for model in models:
        assert model.context == 2048
        (file,) = model.files
        assert len(file.sha256) == 64
        assert file.origin is not None
        assert file.origin.startswith("https://huggingface.co/")
        assert file.origin.endswith("/")


def test_a_file_is_copied_in_parts_that_make_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wllama, "PART_BYTES", 1000)
    content = b"GGUF" + bytes(range(256)) * 9
    (tmp_path / "My model.gguf").write_bytes(content)
    config = course(tmp_path, model="My model.gguf", label="Tiny", gpu=True)
    found = offer(config).wllama
    (model,) = found.models
    assert found.gpu
    assert (model.label, model.bytes, model.rounded) == ("Tiny", len(content), False)
    assert [file.bytes for file in model.files] == [1000, 1000, 308]
    out = tmp_path / "dist"
    paths = copy_model(config, out)
    assert paths == [file.path for file in model.files]
    assert b"".join((out / path).read_bytes() for path in paths) == content
    for file in model.files:
        assert hashlib.sha256((out / file.path).read_bytes()).hexdigest() == file.sha256
    assert hashlib.sha256(content).hexdigest()[:12] in paths[0]


def test_a_file_of_the_site_has_no_host_in_the_offer(tmp_path: Path) -> None:
    (tmp_path / "a.gguf").write_bytes(b"GGUF....")
    written = msgspec.json.decode(msgspec.json.encode(offer(course(tmp_path, model="a.gguf"))))
    assert "from" not in written["wllama"]["models"][0]["files"][0]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"model": "missing.gguf"}, "cannot be read"),
        ({"model": "openbook.toml"}, "is not a GGUF file"),
        ({"model": "http://example.org/a.gguf", "sha256": "0" * 64}, "is not an https address"),
        ({"model": "https://example.org/a.gguf"}, "sha256 is missing"),
        ({"model": "a.gguf", "sha256": "0" * 64}, "sha256"),
    ],
)
def test_a_model_that_cannot_be_offered_is_an_error(tmp_path: Path, keys: dict[str, str], message: str) -> None:
    (tmp_path / "a.gguf").write_bytes(b"GGUF....")
    with pytest.raises(ConfigError, match=message):
        offer(course(tmp_path, **keys))


def test_the_policy_opens_no_hub_for_a_model_of_the_site_and_the_named_host_for_another() -> None:
    def sources(**keys: str) -> tuple[str, ...]:
        return connect_sources(GenerationSettings(engines=("wllama",), wllama=WllamaSettings(**keys)))

    assert sources() == HUB
    assert sources(model="models/a.gguf") == ()
    assert sources(model="https://models.example.org/a.gguf") == ("https://models.example.org",)
    assert sources(model="https://huggingface.co/a/b/resolve/main/a.gguf") == HUB


def test_an_address_may_be_on_this_computer_and_where_the_settings_allow(tmp_path: Path) -> None:
    plain = GenerationSettings(engines=("address",))
    assert connect_sources(plain) == LOOPBACK
    more = msgspec.structs.replace(plain, address=AddressSettings(allow=("https://llm.example.org",)))
    assert connect_sources(more) == (*LOOPBACK, "https://llm.example.org")
    (tmp_path / "openbook.toml").write_text('[generation.address]\nallow = ["https://a.org/v1; script-src *"]\n')
    with pytest.raises(ConfigError, match=r"generation\.address\.allow"):
        load_config(tmp_path)
