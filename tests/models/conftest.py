"""The shipped encoder, loaded once."""

from __future__ import annotations

import pytest

from openbook.models.encoder import Encoder
from openbook.models.registry import ModelFiles, resolve
from openbook.settings import EncoderSettings


@pytest.fixture(scope="session")
def model() -> ModelFiles:
    return resolve(EncoderSettings(), allow_download=False)


@pytest.fixture(scope="session")
def encoder(model: ModelFiles) -> Encoder:
    return Encoder(model, threads=2)
