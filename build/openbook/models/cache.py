"""Where openbook keeps what it may throw away: downloaded weights and computed embeddings."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path

CACHE_VARIABLE = "OPENBOOK_CACHE"


def cache_dir() -> Path:
    """The folder for caches: ``OPENBOOK_CACHE`` when set, else the platform's own for this user. May not exist yet."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named).expanduser().resolve()
    return user_cache_path("openbook", appauthor=False)
