"""Where the label of a link ends, found with bounded work.

The parser looks for the end of a label anew from every bracket, so a text of brackets that never close takes the square
of its length. Here the steps are counted for each text, and when they are used up no more labels are looked for: the
brackets that are left are text, which they nearly always were.
"""

from __future__ import annotations

from types import ModuleType
from typing import cast

from markdown_it import MarkdownIt, helpers
from markdown_it.rules_inline import StateInline

from openbook.course.markdown.context import context_of
from openbook.course.markdown.report import warn

STEPS_A_CHARACTER = 4
STEPS_A_TEXT = 50_000


class _Helpers:
    parseLinkDestination = staticmethod(helpers.parseLinkDestination)  # noqa: N815
    parseLinkTitle = staticmethod(helpers.parseLinkTitle)  # noqa: N815

    @staticmethod
    def parseLinkLabel(state: StateInline, start: int, disableNested: bool = False) -> int:  # noqa: N802, N803
        """As the parser's own, but with what is left of the steps."""
        steps = context_of(state.env).label_steps
        left = steps.get(state.src)
        if left is None:
            left = STEPS_A_TEXT + STEPS_A_CHARACTER * len(state.src)
        found, left = _label_end(state, start, disableNested, left)
        if left <= 0 and steps.get(state.src, 1) > 0:
            message = (
                "there are so many brackets here that do not close that no more links are looked for in this text."
            )
            warn(state.env, "too-many-brackets", message, None)
        steps[state.src] = left
        return found


def labels_plugin(md: MarkdownIt) -> None:
    """Let the parser's rules find labels as this module does."""
    md.helpers = cast(ModuleType, _Helpers)


def _label_end(state: StateInline, start: int, flat: bool, left: int) -> tuple[int, int]:
    """Return the place of the bracket that closes a label, or -1, and how many steps are left."""
    before, level = state.pos, 1
    state.pos = start + 1
    try:
        while state.pos < state.posMax and left > 0:
            left -= 1
            marker, position = state.src[state.pos], state.pos
            if marker == "]":
                level -= 1
                if level == 0:
                    return position, left
            state.md.inline.skipToken(state)
            if marker == "[":
                if state.pos == position + 1:
                    level += 1
                elif flat:
                    return -1, left
        return -1, left
    finally:
        state.pos = before
