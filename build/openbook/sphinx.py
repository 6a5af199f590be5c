"""``extensions = ["openbook.sphinx"]``: see ``openbook.integrations.sphinx``."""

from openbook.integrations.sphinx import setup

__all__ = ["setup"]
