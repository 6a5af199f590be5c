"""Fixtures that every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is no failure: no property has a time to keep.
settings.register_profile("openbook", deadline=None)
settings.load_profile("openbook")

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real courses and labelled sets; users do not have it, so a test that needs it skips without."""
    folder = Path(os.environ.get("OPENBOOK_SHARED_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("the shared corpora are not here (set OPENBOOK_SHARED_DATA to their folder)")
    return folder


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, object]) -> dict[str, object]:
    """The Chromium that ``openbook verify`` would open, with the same flags."""
    from openbook.browser import FLAGS, find_chromium

    return {**browser_type_launch_args, "executable_path": str(find_chromium()), "args": list(FLAGS)}
