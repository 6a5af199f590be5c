"""The gold set: labelled questions, in one TOML file that a person keeps.

::

    [[question]]
    id = "groupkfold"
    text = "What does GroupKFold guarantee?"
    kind = "identifier"
    relevant = ["l08-evaluating-on-groups-and-time/notes#groupkfold-keeps-a-pump-on-one-side"]
    split = "dev"

A section is named as the chunks are, without the number of a part: ``{lecture}/{kind}#{anchor}``.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar

import msgspec

from openbook.errors import GoldError

QuestionKind = Literal["identifier", "paraphrase", "near-duplicate", "off-topic", "near-miss"]
Split = Literal["dev", "test"]
SPLITS: Final[tuple[Split, Split]] = ("dev", "test")

UNANSWERABLE: Final = frozenset(["off-topic", "near-miss"])
"""Kinds whose answer is "not in the notes"."""

_HEADER = re.compile(r"^\s*\[\[\s*question\s*\]\]")
_PART = re.compile(r"~\d+$")

NonEmpty = Annotated[str, msgspec.Meta(min_length=1)]


class Question(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A labelled question.

    Attributes:
        id: unique, of lower-case letters, digits and hyphens.
        text: as a student would type it.
        kind: identifier (names a function, a term), paraphrase (in other words than the notes), near-duplicate
            (another section looks like the right one), off-topic (nothing to do with the course), near-miss (sounds as
            if it were in the notes, and is not).
        relevant: the sections that answer it; empty if and only if it is off-topic or a near-miss.
        note: for the next person.
        split: settings are tuned on dev, and reported on test.
        follows: id of the question before it in a conversation.
        shown: as a first visit offers it, where ``text`` is shorthand. Only what is offered is asked like this;
            nothing is measured by it.
    """

    id: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    text: NonEmpty
    kind: QuestionKind
    relevant: tuple[NonEmpty, ...] = ()
    note: str = ""
    split: Split = "dev"
    follows: str | None = None
    shown: NonEmpty | None = None

    @property
    def answerable(self) -> bool:
        """Whether the notes answer it."""
        return self.kind not in UNANSWERABLE


LabelsT = TypeVar("LabelsT", bound=msgspec.Struct)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    question: tuple[Question, ...] = ()


def load_gold(
    path: Path, sections: Collection[str] | None = None, hidden: tuple[str, ...] = ()
) -> tuple[Question, ...]:
    """Read and check a gold set.

    Args:
        path: of the TOML file.
        sections: those that exist, as :func:`sections_of` gives them; None to check all but that.
        hidden: what the names of sections begin with that need not exist.

    Returns:
        The questions, in the file's order.

    Raises:
        GoldError: the file cannot be read or is not valid; the message has the line.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise GoldError(f"cannot be read: {error.strerror}.", source=path) from error
    except UnicodeDecodeError as error:
        raise GoldError("is not UTF-8.", source=path, hint="Save it as UTF-8.") from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = re.search(r"at line (\d+)", str(error))
        raise GoldError(f"is not valid TOML: {error}.", source=path, line=int(match[1]) if match else None) from error
    places = _Places(text)
    try:
        questions = msgspec.convert(data, _File).question
    except msgspec.ValidationError as error:
        raise _schema_error(error, path, places) from error
    _check(questions, path, places)
    if sections is not None:
        _check_sections(questions, sections, hidden, path, places)
    return questions


def read_labels(path: Path, form: type[LabelsT], key: str) -> tuple[LabelsT, dict[str, int]]:
    """Read a file of labels beside the gold set.

    Args:
        path: of the TOML file.
        form: of the whole file.
        key: whose value names one entry.

    Returns:
        The file, and the line of each entry by the value of its key.

    Raises:
        GoldError: the file cannot be read or does not have the form.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
        found = msgspec.convert(tomllib.loads(text), form)
    except OSError as error:
        raise GoldError(f"cannot be read: {error.strerror}.", source=path) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise GoldError(f"is not valid: {error}.", source=path) from error
    places = re.finditer(rf'{key} = "([^"]*)"', text)
    return found, {match[1]: text.count("\n", 0, match.start()) + 1 for match in places}


def sections_of(chunk_ids: Iterable[str]) -> set[str]:
    """The sections that chunks stand for: their ids without the number of the part."""
    return {section_of(chunk_id) for chunk_id in chunk_ids}


def section_of(chunk_id: str) -> str:
    """The section that a chunk is of: ``l08/notes#gap~2`` → ``l08/notes#gap``."""
    return _PART.sub("", chunk_id)


class _Places:
    """Finds the line of a question, a key or a value, which TOML parsers do not tell."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()
        self._starts = [number for number, line in enumerate(self._lines, 1) if _HEADER.match(line)]

    def question(self, index: int) -> int | None:
        """Line of the ``[[question]]`` of that 0-based index."""
        return self._starts[index] if index < len(self._starts) else None

    def of(self, index: int, needle: str) -> int | None:
        """First line of the question that holds ``needle``; the question's own when none does."""
        start = self.question(index)
        if start is None:
            return None
        end = self._starts[index + 1] if index + 1 < len(self._starts) else len(self._lines) + 1
        for number in range(start, end):
            if needle in self._lines[number - 1]:
                return number
        return start


def _schema_error(error: msgspec.ValidationError, path: Path, places: _Places) -> GoldError:
    """Turn msgspec's ``… - at `$.question[3].kind` `` into a line and words."""
    match = re.search(r"^(?P<what>.*?)(?: - at `\$(?P<where>[^`]*)`)?$", str(error), re.DOTALL)
    what, where = (match["what"], match["where"] or "") if match else (str(error), "")
    what = what.replace("Object ", "The question ", 1)
    number = re.search(r"question\[(\d+)\]", where)
    key = re.search(r"\]\.(\w+)", where)
    unknown = re.search(r"unknown field `([^`]+)`", what)
    needle = unknown[1] if unknown else key[1] if key else ""
    line = places.of(int(number[1]), needle) if number else None
    return GoldError(f"{needle}: {what}." if needle else f"{what}.", source=path, line=line)


def _check(questions: tuple[Question, ...], path: Path, places: _Places) -> None:
    ids: set[str] = set()
    texts: dict[tuple[str, str | None], str] = {}
    for index, question in enumerate(questions):
        if question.id in ids:
            raise GoldError(f"the id {question.id!r} is taken.", source=path, line=places.of(index, question.id))
        if question.answerable and not question.relevant:
            raise GoldError(
                f"{question.id!r} is of kind {question.kind!r} but names no relevant section.",
                source=path,
                line=places.question(index),
                hint='Name one, or make it "off-topic" or "near-miss".',
            )
        if not question.answerable and question.relevant:
            raise GoldError(
                f"{question.id!r} is of kind {question.kind!r}, so it can have no relevant section.",
                source=path,
                line=places.of(index, "relevant"),
            )
        if question.follows is not None and question.follows not in ids:
            raise GoldError(
                f"{question.id!r} follows {question.follows!r}, which is not the id of an earlier question.",
                source=path,
                line=places.of(index, "follows"),
            )
        key = (" ".join(question.text.split()).casefold(), question.follows)
        if key in texts:
            raise GoldError(
                f"{question.id!r} asks the same as {texts[key]!r}.", source=path, line=places.of(index, "text")
            )
        ids.add(question.id)
        texts[key] = question.id


def _check_sections(
    questions: tuple[Question, ...],
    sections: Collection[str],
    hidden: tuple[str, ...],
    path: Path,
    places: _Places,
) -> None:
    """Report every unknown section at once: after a heading was renamed there are several."""
    unknown = [
        (places.of(index, reference), question.id, reference)
        for index, question in enumerate(questions)
        for reference in question.relevant
        if reference not in sections and not reference.startswith(hidden)
    ]
    if not unknown:
        return
    known = sorted(sections)
    details = [
        f"line {line}: {question!r} names {reference!r}{_suggestion(reference, known)}"
        for line, question, reference in unknown
    ]
    raise GoldError(
        "names sections that the course does not have. " + "; ".join(details) + ".", source=path, line=unknown[0][0]
    )


def _suggestion(reference: str, known: list[str]) -> str:
    page = reference.partition("#")[0]
    near = difflib.get_close_matches(
        reference, [section for section in known if section.startswith(f"{page}#")], 1, 0.5
    )
    near = near or difflib.get_close_matches(reference, known, 1, 0.6)
    return f" (is it {near[0]!r}?)" if near else ""
