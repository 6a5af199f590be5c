"""The gate's threshold belongs to what it was found on."""

from __future__ import annotations

import pytest

from openbook.errors import GateError
from openbook.retrieval.gate import check_threshold
from openbook.retrieval.trace import GateThreshold

THRESHOLD = GateThreshold(cosine=0.3, source="calibrated", corpus="c", model="m", tokenizer="t")


def test_a_threshold_of_this_index_is_accepted() -> None:
    check_threshold(THRESHOLD, corpus="c", model="m", tokenizer="t")


@pytest.mark.parametrize("changed", ["corpus", "model", "tokenizer"])
def test_a_threshold_that_was_found_on_something_else_is_refused(changed: str) -> None:
    now = {"corpus": "c", "model": "m", "tokenizer": "t", changed: "another"}
    with pytest.raises(GateError, match=f"another {changed}"):
        check_threshold(THRESHOLD, **now)
