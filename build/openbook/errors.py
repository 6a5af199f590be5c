"""One class for each failure a user can meet, and the warnings a build collects.

An error ends the command; its message says what happened, where, and what to do next. A warning does not:
it is a value that travels with the result, has a kind that can be silenced by name
(``[warnings] ignore = ["unclosed-fence"]`` in ``openbook.toml``), and is printed at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal


class OpenbookError(Exception):
    """Base of every error that the command line prints without a traceback.

    Args:
        message: what happened.
        source: the file it came from, if there is one.
        line: 1-based line in ``source``.
        hint: what to do next, as a sentence.
    """

    exit_code = 1

    def __init__(
        self,
        message: str,
        *,
        source: Path | str | None = None,
        line: int | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.source = str(source) if source is not None else None
        self.line = line
        self.hint = hint

    def __str__(self) -> str:
        place = ""
        if self.source is not None:
            place = f"{self.source}:{self.line}: " if self.line is not None else f"{self.source}: "
        return f"{place}{self.message}" + (f" {self.hint}" if self.hint else "")


class ConfigError(OpenbookError):
    """``openbook.toml`` cannot be read or says something that openbook does not know."""

    exit_code = 2


class SourceNotFoundError(OpenbookError):
    """The folder or file that was to be built does not exist or holds nothing to read."""

    exit_code = 2


class FrontMatterError(OpenbookError):
    """The YAML front matter of a source is not valid, or a key has the wrong type."""


class DuplicateLectureError(OpenbookError):
    """Two lectures have the same id, or one lecture has two notes or two decks."""


class UnreadableSourceError(OpenbookError):
    """A source cannot be decoded or parsed."""


class OutputFolderError(OpenbookError):
    """The folder that the site was to be written to cannot be written, or holds what openbook did not build."""

    exit_code = 2


class FileAccessError(OpenbookError):
    """The system lets a file or folder not be read or written."""

    exit_code = 2


class WarningsAsErrors(OpenbookError):  # noqa: N818  (named after the setting that raises it)
    """The build warned of something that the settings make an error."""


class ModelNotFoundError(OpenbookError):
    """The encoder's weights are neither at the path in the settings, nor in a package, nor cached."""

    exit_code = 2


class ModelHashError(OpenbookError):
    """A model file does not have the SHA-256 that it must have."""


class ModelExportError(OpenbookError):
    """A sentence-transformers model cannot be turned into one that openbook runs."""


class MissingExtraError(OpenbookError):
    """A command needs an optional dependency: the message names the extra to install."""

    exit_code = 2


class DanglingLinkError(OpenbookError):
    """A link or a citation points at a page or an anchor that does not exist."""


class IndexFormatError(OpenbookError):
    """A built index is missing a file, has a wrong hash, or a schema that this version does not read."""


class IndexNotFoundError(IndexFormatError):
    """There is no built site where one was to be opened."""

    exit_code = 2


class OtherCourseError(OpenbookError):
    """A built site is held against a course that it was not built from."""

    exit_code = 2


class LeakError(OpenbookError):
    """Text of an unreleased lecture was found in the built site."""


class ClientMissingError(OpenbookError):
    """The page's client has not been built: only in a checkout, a wheel holds it."""

    exit_code = 2


class PortInUseError(OpenbookError):
    """No free port was found to serve on."""

    exit_code = 2


class FolderNotEmptyError(OpenbookError):
    """`openbook new` was given a folder with something in it."""

    exit_code = 2


class GoldError(OpenbookError):
    """The gold set is not valid: a bad key, a duplicate id, or an anchor that does not exist."""


class GoldMissingError(GoldError):
    """There is no gold set where the settings, or the command, want one."""

    exit_code = 2


class ScaleError(OpenbookError):
    """There is too little to compare the ways of searching on: no question, or too few vectors."""

    exit_code = 2


class CorpusError(OpenbookError):
    """A labelled set of passages and questions lacks a file, or has a line that is not what it must be."""


class FloorsError(OpenbookError):
    """There are no floors to compare with, or they are of other questions than the gold set has."""

    exit_code = 2


class GateError(OpenbookError):
    """The index carries no threshold for the abstention gate, or one that was found on something else."""


class PromptBudgetError(OpenbookError):
    """The prompt's token budget has no room for the instruction and the question."""


class BrowserNotFoundError(OpenbookError):
    """No Chromium could be found to open the built site."""

    exit_code = 2


class VerificationError(OpenbookError):
    """The tab and the Python reference disagree."""


def as_warning(error: UnreadableSourceError, source: str) -> BuildWarning:
    """Return the warning that a course is built without a source that cannot be read."""
    hint = f" {error.hint}" if error.hint else ""
    return BuildWarning("unreadable", f"{error.message} It is left out.{hint}", error.source or source, error.line)


WarningKind = Literal[
    "active-svg",
    "damaged-page",
    "dangling-link",
    "directive-options",
    "duplicate-id",
    "duplicate-label",
    "embedding-cache-damaged",
    "embedding-cache-unusable",
    "encoding",
    "foreign-image",
    "front-matter",
    "gate-stale",
    "gate-thin",
    "gold-new",
    "gold-unreleased",
    "hidden-characters",
    "hidden-slide",
    "html",
    "include-loop",
    "left-out",
    "linked-source",
    "list-table",
    "missing-image",
    "missing-import",
    "missing-include",
    "nested-too-deep",
    "no-settings",
    "no-slides",
    "no-text",
    "not-read",
    "other-format",
    "outside-root",
    "page-without-text",
    "passage-truncated",
    "picture-slide",
    "raw-cell",
    "readme",
    "running-text",
    "same-number",
    "shallow-clone",
    "site-page",
    "slide-front-matter",
    "slide-steps",
    "stray-fence",
    "tex",
    "too-many-brackets",
    "two-numbers",
    "two-releases",
    "unclosed-comment",
    "unclosed-fence",
    "unclosed-slide",
    "unknown-directive",
    "unknown-format",
    "unjudged",
    "unknown-label",
    "unknown-label-id",
    "unknown-shortcode",
    "unknown-substitution",
    "unknown-value",
    "unread-format",
    "unread-shape",
    "unreadable",
    "unreleased-file",
    "unreleased-include",
    "unreleased-link",
    "unsafe-link",
    "unused-footnote",
]
"""What a build warns of, by the names that `[warnings]` takes."""


_SHOWN = 3


def first_of(names: Sequence[str]) -> str:
    """The first of many names, for a message, and how many more there are."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


@dataclass(frozen=True, slots=True)
class BuildWarning:
    """Something a build noticed and went on from.

    Attributes:
        kind: a short kebab-case name, one a cause, by which it can be silenced.
        message: what was found and what to do about it.
        source: path of the source, relative to the course's root.
        line: 1-based line, or None when the whole file is meant.
    """

    kind: WarningKind
    message: str
    source: str
    line: int | None = None

    def __str__(self) -> str:
        place = self.source if self.line is None else f"{self.source}:{self.line}"
        return f"{place}: {self.message} [{self.kind}]"
