"""Build = tab: opens the built site in a real browser, asks questions, and compares with the Python reference.

Before that the index is held against its own passages: keyword index, vectors and token vectors are worked out again
from the texts that the site shows. So a site that was damaged, edited or built by something else is noticed, even where
the tab and the reference read the same wrong file.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal, get_args

import msgspec
import numpy as np

from openbook.asking import Asker, reference_asker
from openbook.browser import FLAGS, find_chromium
from openbook.chunking import embedded_text
from openbook.config import Config
from openbook.errors import MissingExtraError, VerificationError
from openbook.evaluation.agreement import Agreement, Difference, compare_traces
from openbook.evaluation.gold import load_gold
from openbook.index.keyword import serialise
from openbook.index.pieces import read_chunks
from openbook.index.read import Index, load_index
from openbook.index.token_vectors import TokenVectors, collect
from openbook.index.vectors import quantize
from openbook.index.write import INDEX
from openbook.models.embeddings import EmbeddingCache, embed
from openbook.models.encoder import Encoder
from openbook.pages.serve import serving
from openbook.progress import Reporter
from openbook.retrieval.collection import ChunkRef
from openbook.retrieval.filter import Filter
from openbook.retrieval.trace import Stage, Trace
from openbook.settings import RerankMode

HEADINGS: Final = 12
"""How many of its own headings a course without a gold set is asked."""

OPENING_S: Final = 60
QUESTION_S: Final = 180
"""The first question also loads the encoder; a busy machine takes its time."""

ROUNDING: Final = 1
"""An int8 may differ by so much: another processor's last bits can lie on the other side of a half."""

FLIPPED: Final = 3
"""As many signs of a chunk may differ for the same reason: a value that is nearly zero."""

CONTENTS: Final = ("keyword index", "vectors", "token vectors")
"""Parts of the index that are worked out again from its passages."""

STAGES: Final = (*(str(kind.__struct_config__.tag) for kind in get_args(Stage)), "passages")

CROSS_QUESTIONS: Final = 3
"""How many are asked once more with the cross-encoder, where the site offers one: each is twelve passes through it."""

FILTERED_QUESTIONS: Final = 2
"""How many are asked again of a part of the course, with each kind of filter that leaves something out."""

_ASK = """([question, seconds, rerank, filter]) => Promise.race([
  window.openbook.ask(question, rerank, filter),
  new Promise((_, reject) => setTimeout(() => reject(new Error(`no answer after ${seconds} s`)), seconds * 1000)),
])"""


class StageReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was compared of one stage, or of one part of the index.

    Attributes:
        stage: its name.
        largest: greatest difference between two scores of one chunk; None where there are no scores.
        ties, differences: how many places.
    """

    stage: str
    largest: float | None
    ties: int
    differences: int


class VerifyReport(msgspec.Struct, frozen=True, kw_only=True):
    """What ``openbook verify`` found.

    Attributes:
        ok: there is no difference.
        questions: how many were asked.
        source: where they are from: the gold set, or, where there is none, the course's own headings.
        browser: its name and version.
        chunks: whose keywords and vectors were worked out again.
        differences: that mean something is wrong.
        ties: near-ties that stand the other way round, and what follows from them.
        stages: parts of the index, then every stage of a question and its passages.
        seconds: wall-clock.
    """

    ok: bool
    questions: int
    source: Literal["gold", "headings"]
    browser: str
    chunks: int
    differences: tuple[Difference, ...]
    ties: tuple[Difference, ...]
    stages: tuple[StageReport, ...]
    seconds: float

    def summary(self) -> Iterator[str]:
        """Lines for a person."""
        yield (
            f"{self.questions} questions from the {self.source} set"
            if self.source == "gold"
            else (f"{self.questions} headings asked as questions (the course has no gold set)")
        )
        yield f"asked in {self.browser}; {self.chunks} chunks worked out again; {self.seconds:.1f} s"
        if self.ties:
            yield f"{len(self.ties)} places stand the other way round because of a near-tie (or follow from one):"
            yield from (f"  {tie}" for tie in self.ties)
        if self.ok:
            yield "the tab and the reference agree"
        else:
            yield f"{len(self.differences)} differences:"
            yield from (f"  {difference}" for difference in self.differences)


def verify_site(
    dist: Path, config: Config, *, chromium: Path | None = None, reporter: Reporter | None = None
) -> VerifyReport:
    """Compare a built site with the Python reference.

    Args:
        dist: the site's folder.
        config: of the course, for its gold set.
        chromium: which browser; default: look for one.
        reporter: told how far it is.

    Raises:
        MissingExtraError: Playwright is not installed.
        BrowserNotFoundError: there is no Chromium.
        IndexFormatError: a file of the index is missing or not what its manifest says.
        GoldError: the gold set is not valid.
        VerificationError: the page could not be asked.
    """
    # Playwright's synchronous interface refuses a thread in which an event loop runs, as in a notebook; this has none.
    with ThreadPoolExecutor(1, thread_name_prefix="verify") as thread:
        return thread.submit(_verify, dist, config, chromium, reporter or Reporter()).result()


def _verify(dist: Path, config: Config, chromium: Path | None, reporter: Reporter) -> VerifyReport:
    started = time.perf_counter()
    _import_playwright()
    executable = chromium or find_chromium()
    index = load_index(dist / INDEX)
    questions, source = _questions(config, index)
    encoder = Encoder(index.model_files())
    with reporter.stage("index"):
        damage = check_contents(index, encoder, context=config.settings.chunks.context, cache=EmbeddingCache())
    agreements: list[Agreement] = []
    reference = reference_asker(index, encoder)
    asked: list[tuple[str, RerankMode | None, Filter | None]] = [(question, None, None) for question in questions]
    asked += [(question, None, one) for one in filters_of(index) for question in questions[:FILTERED_QUESTIONS]]
    if index.manifest.cross_encoder is not None:
        # Last: what the page was told once it keeps.
        asked += [(question, "cross-encoder", None) for question in questions[:CROSS_QUESTIONS]]
    with reporter.stage("verify") as advance, opened(dist, executable) as (ask_tab, browser):
        for number, (question, mode, part) in enumerate(asked):
            advance(number, len(asked))
            agreements.append(compare_traces(ask_tab(question, mode, part), reference(question, mode, part)))
        advance(len(asked), len(asked))
    differences = (*damage, *(one for agreement in agreements for one in agreement.differences))
    ties = tuple(tie for agreement in agreements for tie in agreement.ties)
    return VerifyReport(
        ok=not differences,
        questions=len(questions),
        source=source,
        browser=browser,
        chunks=index.size,
        differences=differences,
        ties=ties,
        stages=tuple(_by_stage(agreements, differences, ties)),
        seconds=round(time.perf_counter() - started, 3),
    )


def _by_stage(
    agreements: Sequence[Agreement], differences: Sequence[Difference], ties: Sequence[Difference]
) -> Iterator[StageReport]:
    largest: dict[str, float] = {}
    for agreement in agreements:
        for stage, value in agreement.largest.items():
            largest[stage] = max(value, largest.get(stage, 0.0))
    tied, differing = (Counter(one.stage for one in found) for found in (ties, differences))
    for stage in dict.fromkeys((*CONTENTS, *STAGES, *largest, *tied, *differing)):
        yield StageReport(stage=stage, largest=largest.get(stage), ties=tied[stage], differences=differing[stage])


def _questions(config: Config, index: Index) -> tuple[list[str], Literal["gold", "headings"]]:
    if config.gold_path.is_file():
        return list(dict.fromkeys(question.text for question in load_gold(config.gold_path))), "gold"
    step = max(1, index.size // HEADINGS)
    headings = (index.chunk(ordinal).path[-1] for ordinal in range(0, index.size, step))
    return list(islice(dict.fromkeys(headings), HEADINGS)), "headings"


def filters_of(index: Index) -> list[Filter]:
    """Return a filter of each kind that the course has, and all of them together."""
    lectures = [lecture for lecture in index.catalogue.lectures if lecture.notes or lecture.slides]
    if not lectures:
        return []
    last = lectures[-1]
    week = next((one.week for one in lectures if one.week is not None), None)
    tag = next((tag for one in lectures for tag in one.tags), None)
    found = [Filter(lecture=last.id), Filter(kind="slides"), Filter(kind="notes", lecture=last.id, week=last.week)]
    if week is not None:
        found.append(Filter(week=week))
    if tag is not None:
        found.append(Filter(tags=(tag,)))
    return found


def check_contents(
    index: Index, encoder: Encoder, *, context: bool, cache: EmbeddingCache | None
) -> tuple[Difference, ...]:
    """Work out keyword index, vectors and token vectors again from the passages and compare.

    Args:
        index: whose files have the hashes that the manifest lists.
        encoder: the site's.
        context: whether the heading path is embedded with the text.
        cache: of embeddings; None to compute all.

    Returns:
        What differs: damage that the hashes do not show, since whoever did it wrote them anew.
    """
    found: list[Difference] = []
    refs = [index.chunk(ordinal) for ordinal in range(index.size)]
    texts = [passage.text for passage in index.passages(range(index.size))]
    paths = [" / ".join(ref.path) for ref in refs]
    expected = serialise([[path, text] for path, text in zip(paths, texts, strict=True)])
    for name in expected:
        ours, theirs = index.serialised.get(name), expected[name]
        if name == "index":
            ours, theirs = dict(index.serialised["index"]), dict(expected["index"])
        if ours != theirs:
            found.append(_damage("keyword index", name, ours, theirs))
    read = [embedded_text(ref.path, text, context) for ref, text in zip(refs, texts, strict=True)]
    if index.token_vectors is None:
        embedded = embed(encoder, read, cache)
    else:
        embedded, pieces = read_chunks(encoder, read, cache)
        found += _check_signs(refs, index.token_vectors, collect(pieces))
    vectors = quantize(embedded.vectors)
    apart = np.abs(index.vectors.values.astype(np.int16) - vectors.values.astype(np.int16)).max(axis=1, initial=0)
    scales = np.isclose(index.vectors.scales, vectors.scales, rtol=1e-3, atol=0)
    found += [
        Difference(
            question="",
            stage="vectors",
            what=refs[ordinal].id,
            tab=f"{index.vectors.scales[ordinal]:.6g} times int8 up to {apart[ordinal]} apart",
            reference=f"{vectors.scales[ordinal]:.6g} times what its text gives",
        )
        for ordinal in np.flatnonzero((apart > ROUNDING) | ~scales)
    ]
    return tuple(found)


def _check_signs(refs: Sequence[ChunkRef], held: TokenVectors, expected: TokenVectors) -> list[Difference]:
    if held.counts != expected.counts:
        return [_damage("token vectors", "piece counts", held.counts, expected.counts)]
    if held.bits != expected.bits or not np.array_equal(held.starts, expected.starts):
        return [_damage("token vectors", "rows", held.starts.tolist(), expected.starts.tolist())]
    found = []
    for ref, first, last in zip(refs, held.starts[:-1], held.starts[1:], strict=True):
        flipped = int(np.unpackbits(held.signs[first:last] ^ expected.signs[first:last]).sum())
        if flipped > FLIPPED:
            what = f"{flipped} of {held.bits * int(last - first)} signs are not those of its text"
            found.append(Difference(question="", stage="token vectors", what=ref.id, tab=what, reference="none"))
    return found


def _damage(stage: str, what: str, ours: Any, theirs: Any) -> Difference:
    if isinstance(ours, dict) and isinstance(theirs, dict):
        keys = [key for key in {**ours, **theirs} if ours.get(key) != theirs.get(key)]
        what = f"{what}, {len(keys)} entries such as {keys[0]!r}"
        ours, theirs = ours.get(keys[0]), theirs.get(keys[0])
    return Difference(question="", stage=stage, what=what, tab=repr(ours)[:100], reference=repr(theirs)[:100])


@contextmanager
def opened(dist: Path, chromium: Path) -> Iterator[tuple[Asker, str]]:
    """Serve a site and open its page.

    Yields:
        What asks the page a question, and the browser's name and version.

    Raises:
        VerificationError: the page did not open, or gave no trace.
    """
    playwright_api = _import_playwright()
    with serving(dist) as url, playwright_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium), args=list(FLAGS), headless=True)
        try:
            page = browser.new_page()
            complaints: list[str] = []
            page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
            page.on("pageerror", lambda error: complaints.append(str(error)))

            def failed(what: str, error: Exception) -> VerificationError:
                seen = f" The browser says: {'; '.join(complaints[:3])}." if complaints else ""
                return VerificationError(f"{what}: {str(error).splitlines()[0]}.{seen}", source=dist)

            def ask_tab(question: str, mode: RerankMode | None = None, filter: Filter | None = None) -> Trace:
                try:
                    trace = page.evaluate(_ASK, [question, QUESTION_S, mode, msgspec.to_builtins(filter)])
                except playwright_api.Error as error:
                    raise failed(f"the page gave no answer to {question!r}", error) from error
                try:
                    return msgspec.convert(trace, Trace, strict=False)
                except msgspec.ValidationError as error:
                    raise failed(f"the page's trace of {question!r} has another form", error) from error

            try:
                page.goto(url)
                page.wait_for_function("() => window.openbook !== undefined", timeout=OPENING_S * 1000)
            except playwright_api.Error as error:
                raise failed("the page did not open", error) from error
            yield ask_tab, f"Chromium {browser.version}"
        finally:
            browser.close()


def _import_playwright() -> Any:
    try:
        import playwright.sync_api
    except ImportError as error:
        raise MissingExtraError(
            "`openbook verify` drives a browser with Playwright, which is not installed.",
            hint="Install it: pip install 'openbook[verify]'.",
        ) from error
    return playwright.sync_api
