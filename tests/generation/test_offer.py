"""What the page offers to write answers with, and which hosts its policy opens for that."""

from __future__ import annotations

from pathlib import Path

import pytest

from openbook.config import load_config
from openbook.errors import ConfigError
from openbook.generation.offer import HUB, LIBRARIES, connect_sources, offer
from openbook.pages.policies import asking_policy
from openbook.settings import GenerationSettings


def test_every_engine_is_offered_unless_the_settings_say_otherwise(tmp_path: Path) -> None:
    assert offer(load_config(tmp_path)).engines == ("webllm", "wllama", "built-in", "address")
    (tmp_path / "openbook.toml").write_text('[generation]\nengines = ["built-in"]\n')
    assert offer(load_config(tmp_path)).engines == ("built-in",)


def test_an_engine_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    (tmp_path / "openbook.toml").write_text('[generation]\nengines = ["cloud"]\n')
    with pytest.raises(ConfigError, match=r"generation\.engines"):
        load_config(tmp_path)


def test_the_policy_opens_hosts_only_for_what_is_offered() -> None:
    assert connect_sources(GenerationSettings(engines=())) == ()
    assert connect_sources(GenerationSettings(engines=("built-in",))) == ()
    assert connect_sources(GenerationSettings(engines=("wllama",))) == HUB
    assert connect_sources(GenerationSettings(engines=("wllama", "webllm"))) == (*HUB, LIBRARIES)
    assert "connect-src 'self';" in asking_policy(GenerationSettings(engines=()))
    assert f"connect-src 'self' {' '.join(HUB)} {LIBRARIES};" in asking_policy(GenerationSettings(engines=("webllm",)))
