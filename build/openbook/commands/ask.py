"""``openbook ask``: a question to a built site, from the command line, answered as the tab answers it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from openbook.commands.console import as_json, out, print_json, print_warnings

if TYPE_CHECKING:
    from openbook.course.document import DocumentKind
    from openbook.index.read import Index
    from openbook.retrieval.trace import Trace

REFUSED = 1
"""Exit code when the notes do not answer, as grep has it when nothing matches."""


@click.command()
@click.argument("question")
@click.argument("dist", type=click.Path(path_type=Path), default="dist")
@click.option("--lecture", metavar="ID", help="Search this lecture alone.")
@click.option("--kind", type=click.Choice(["notes", "slides"]), help="Search the notes, or the slides, alone.")
@as_json
def ask(question: str, dist: Path, lecture: str | None, kind: DocumentKind | None, json: bool) -> None:
    """Ask a built site a QUESTION: the sentences that answer it, and the passages that they stand in.

    Every stage is run as the tab runs it, without a language model. Exits with 1 when the notes do not answer.
    """
    from openbook.asking import reference_asker
    from openbook.index.read import load_index
    from openbook.models.encoder import Encoder
    from openbook.retrieval.filter import Filter
    from openbook.retrieval.trace import GateStage, stage_of

    if not question.strip():
        raise click.BadParameter("is empty.", param_hint="QUESTION")
    index = load_index(dist / "index")
    print_warnings(index.warnings)
    lectures = [entry.id for entry in index.catalogue.lectures]
    if lecture is not None and lecture not in lectures:
        raise click.BadParameter(f"{lecture!r} is none of {', '.join(lectures)}.", param_hint="--lecture")
    wanted = Filter(lecture=lecture, kind=kind)
    trace = reference_asker(index, Encoder(index.model_files()))(question, filter=wanted)
    if json:
        print_json(trace)
    else:
        _print(trace, _meant(index, trace))
    if not stage_of(trace, GateStage).open:
        sys.exit(REFUSED)


def _meant(index: Index, trace: Trace) -> str | None:
    from openbook.retrieval.spelling import respell, vocabulary_of
    from openbook.retrieval.trace import KeywordStage, RerankStage, stage_of

    pieces = [piece.piece for piece in stage_of(trace, RerankStage).pieces]
    if not pieces:
        return None
    return respell(trace.question, stage_of(trace, KeywordStage).terms, pieces, vocabulary_of(index.keyword))


def _print(trace: Trace, meant: str | None) -> None:
    from openbook.retrieval.trace import AnswerStage, GateStage, stage_of

    gate = stage_of(trace, GateStage)
    if gate.open:
        for sentence in stage_of(trace, AnswerStage).sentences:
            # A sentence may hold the title above it; code, tables and formulas keep their lines.
            text = " ".join(sentence.text.split()) if sentence.kind == "sentence" else f"{sentence.text}\n"
            out.print(f"{text} [{sentence.number}]", markup=False)
    else:
        out.print("Not in the notes, as far as the gate can tell. The nearest passages:", markup=False)
    out.print()
    for passage in trace.passages:
        out.print(f"[{passage.number}] {passage.label}", markup=False)
        out.print(f"    {passage.url}", markup=False)
    if gate.margin is not None and gate.parameters is not None:
        score = gate.margin + gate.parameters.threshold
        out.print(
            f"\n{gate.decided_by.replace('_', ' ')} {score:.3f}, threshold {gate.parameters.threshold:.3f}",
            markup=False,
        )
    if gate.absent:
        out.print(f"nowhere in the notes: {', '.join(gate.absent)}", markup=False)
    if meant is not None:
        out.print(f"did you mean: {meant}", markup=False)
