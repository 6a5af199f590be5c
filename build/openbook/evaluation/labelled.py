"""A labelled set from a folder: passages, questions, and which passages are relevant to which, as BEIR lays them out.

::

    corpus.jsonl     {"_id": "7", "title": "Groups", "text": "All rows of one pump …"}
    queries.jsonl    {"_id": "q1", "text": "Which rows must stay together?"}
    qrels.tsv        q1 <TAB> 7 <TAB> 1     or qrels/train.tsv, qrels/dev.tsv, qrels/test.tsv; a heading may stand first

A question that no file of labels names has no answer here: it tries the gate, as do those of ``queries.*.jsonl``, whose
kind is the middle of the file's name (``queries.offtopic.jsonl``). Without a folder of labels the halves are made by
position: the first question with an answer is dev, the second test, and so on. Questions without an answer are halved
likewise, unless only one half has any with one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from openbook.errors import BuildWarning, CorpusError
from openbook.evaluation.gold import SPLITS, Split
from openbook.evaluation.ladder import Labelled, Which

UNANSWERABLE: Final = "unanswerable"
_COLUMNS: Final = 3
_GRADE: Final = re.compile(r"-?\d+(?:\.0*)?")
_PARTS: Final = {"dev": ("dev", "train"), "test": ("test",), "all": ("train", "dev", "test")}


@dataclass(frozen=True, slots=True)
class Document:
    """A passage; ``title`` may be empty."""

    id: str
    title: str
    text: str

    @property
    def embedded(self) -> str:
        """What is embedded: the title, an empty line, the text."""
        return f"{self.title}\n\n{self.text}".strip()


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """A set that was read.

    Attributes:
        name: of the folder.
        split: of the questions; ``test`` where the folder has labels of its own for it and nothing else was asked.
        documents: in the file's order.
        questions: with labels, then those without an answer.
        warnings: of labels and questions that count for nothing.
    """

    name: str
    split: Which
    documents: tuple[Document, ...]
    questions: tuple[Labelled, ...]
    warnings: tuple[BuildWarning, ...] = ()


def load_labelled(folder: Path, split: Which | None = None) -> LabelledSet:
    """Read a labelled set.

    Args:
        folder: of the files.
        split: which labels; by default ``qrels/test.tsv``, or all of ``qrels.tsv``.

    Raises:
        CorpusError: a file is missing, or a line is not what it must be; the message has file and line.
    """
    documents = _documents(folder / "corpus.jsonl")
    texts = {id_: text for id_, _, text in _queries(folder / "queries.jsonl")}
    known = frozenset(document.id for document in documents)
    warnings: list[BuildWarning] = []
    parts = {file.stem: _labels(file, texts, known, warnings) for file in sorted((folder / "qrels").glob("*.tsv"))}
    if parts:
        chosen = split or ("test" if "test" in parts else "all")
        wanted = [name for name in _PARTS[chosen] if name in parts]
        if chosen == "dev":
            wanted = wanted[:1]
        if not wanted:
            raise CorpusError(f"there are no labels for {chosen!r}.", source=folder / "qrels")
        questions = [
            Labelled(id_, texts[id_], "", "dev" if name == "train" else name, grades)
            for name in wanted
            for id_, grades in parts[name].items()
            if any(grade > 0 for grade in grades.values())
        ]
        labelled = {id_ for grades in parts.values() for id_ in grades}
        grades_of = {id_: grades for name in wanted for id_, grades in parts[name].items()}
    else:
        chosen = split or "all"
        grades_of = _labels(folder / "qrels.tsv", texts, known, warnings)
        found = [id_ for id_ in texts if any(grade > 0 for grade in grades_of.get(id_, {}).values())]
        questions = [
            Labelled(id_, texts[id_], "", "test" if number % 2 else "dev", grades_of[id_])
            for number, id_ in enumerate(found)
        ]
        labelled = set(grades_of)
    if not questions:
        raise CorpusError("no question has a relevant passage.", source=folder)
    zero = [id_ for id_, grades in grades_of.items() if not any(grade > 0 for grade in grades.values())]
    if zero:
        message = f"{len(zero)} questions have no relevant passage among their labels, {zero[0]!r} the first; left out."
        warnings.append(BuildWarning("unjudged", message, f"{folder.name}/queries.jsonl"))
    unjudged = sum(id_ not in labelled for id_ in texts)
    if unjudged > len(questions):
        message = (
            f"{unjudged} questions have no label and are taken to have no answer; {len(questions)} have one. "
            "Where they only belong to other labels, put those into qrels/ too."
        )
        warnings.append(BuildWarning("unjudged", message, f"{folder.name}/queries.jsonl"))
    halves: list[Split] = [half for half in SPLITS if any(question.split == half for question in questions)]
    others = tuple(_without_answer(folder, texts, labelled, halves))
    return LabelledSet(folder.resolve().name, chosen, documents, (*questions, *others), tuple(warnings))


def _without_answer(
    folder: Path, texts: Mapping[str, str], labelled: set[str], halves: Sequence[Split]
) -> Iterator[Labelled]:
    rest = [(id_, text) for id_, text in texts.items() if id_ not in labelled]
    others = {UNANSWERABLE: rest}
    for file in sorted(folder.glob("queries.*.jsonl")):
        others.setdefault(file.name.split(".")[1], []).extend((id_, text) for id_, _, text in _queries(file))
    for kind, questions in others.items():
        for number, (id_, text) in enumerate(questions):
            yield Labelled(id_, text, kind, halves[number % len(halves)], {})


def _documents(file: Path) -> tuple[Document, ...]:
    found: dict[str, Document] = {}
    for line, value in _lines(file):
        id_ = _id(value, file, line, found)
        title = value.get("title") or ""
        if not isinstance(title, str):
            raise CorpusError('"title" is not a string.', source=file, line=line)
        found[id_] = Document(id_, title.strip(), _text(value, file, line))
    if not found:
        raise CorpusError("holds no passage.", source=file)
    return tuple(found.values())


def _queries(file: Path) -> Iterator[tuple[str, int, str]]:
    """Id, line and text of each question."""
    found: dict[str, None] = {}
    for line, value in _lines(file):
        id_ = _id(value, file, line, found)
        text = _text(value, file, line)
        if not text.strip():
            raise CorpusError(f"the question {id_!r} is empty.", source=file, line=line)
        found[id_] = None
        yield id_, line, text


def _labels(
    file: Path, questions: Mapping[str, str], documents: frozenset[str], warnings: list[BuildWarning]
) -> dict[str, dict[str, int]]:
    """Question → passage → grade. A relevant passage that is not in the corpus counts as one that nothing finds."""
    grades: dict[str, dict[str, int]] = {}
    unknown: dict[str, list[tuple[int, str]]] = {"question": [], "passage": []}
    first = True
    for number, question, document, grade in _cells(file):
        heading, first = first and question not in questions, False
        if not _GRADE.fullmatch(grade):
            if heading:
                continue
            raise CorpusError(f"the grade {grade!r} is not a whole number.", source=file, line=number)
        value = int(grade.partition(".")[0])
        if question not in questions:
            unknown["question"].append((number, question))
            continue
        if document not in documents:
            unknown["passage"].append((number, document))
        if grades.setdefault(question, {}).setdefault(document, value) != value:
            raise CorpusError(f"{question!r} and {document!r} were graded otherwise before.", source=file, line=number)
    for what, then in (("question", "the line counts for nothing"), ("passage", "nothing can find it")):
        if unknown[what]:
            place, id_ = unknown[what][0]
            message = f"{len(unknown[what])} labels name a {what} that is not there, {id_!r} the first; {then}."
            warnings.append(BuildWarning("unknown-label-id", message, f"{file.parent.name}/{file.name}", place))
    return grades


def _cells(file: Path) -> Iterator[tuple[int, str, str, str]]:
    """Line, question, passage and grade of each line of labels."""
    for number, line in enumerate(_read(file).splitlines(), 1):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != _COLUMNS:
            raise CorpusError(
                f"has {len(cells)} columns instead of {_COLUMNS}.", source=file, line=number,
                hint="A line is a question's id, a passage's id and a grade, with tabs between them.",
            )  # fmt: skip
        question, document, grade = cells
        yield number, question, document, grade


def _lines(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    decoder = msgspec.json.Decoder()
    # Not `splitlines`: a text may hold U+2028, which JSON leaves as it is.
    for number, line in enumerate(_read(file).split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = decoder.decode(line)
        except msgspec.DecodeError as error:
            raise CorpusError(f"is not JSON: {error}.", source=file, line=number) from error
        if not isinstance(value, dict):
            raise CorpusError("is not a JSON object.", source=file, line=number)
        yield number, value


def _read(file: Path) -> str:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise CorpusError(
            f"cannot be read: {error.strerror}.", source=file,
            hint="A labelled set has corpus.jsonl, queries.jsonl, and qrels.tsv or qrels/test.tsv.",
        ) from error  # fmt: skip
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CorpusError("is not UTF-8.", source=file, line=data[: error.start].count(b"\n") + 1) from error


def _id(value: Mapping[str, Any], file: Path, line: int, known: Mapping[str, object]) -> str:
    found = value.get("_id")
    if isinstance(found, bool) or not isinstance(found, (str, int)) or found == "":
        raise CorpusError('has no "_id".', source=file, line=line)
    if str(found) in known:
        raise CorpusError(f"the id {str(found)!r} is taken.", source=file, line=line)
    return str(found)


def _text(value: Mapping[str, Any], file: Path, line: int) -> str:
    found = value.get("text")
    if not isinstance(found, str):
        raise CorpusError('has no "text".', source=file, line=line)
    return found
