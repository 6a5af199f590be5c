"""What a build has measured is not measured twice, and is never taken for something else."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import msgspec
import pytest

from openbook.build import build_site
from openbook.build_report import BuildReport
from openbook.config import load_config
from openbook.evaluation import course as course_gold
from openbook.evaluation import remembered
from openbook.evaluation.remembered import FOLDER, KEPT, Remembered, key_of
from openbook.evaluation.report import Evaluation
from openbook.index.read import load_index
from openbook.models.embeddings import EmbeddingCache

COURSE = Path(__file__).parents[1] / "verify" / "course"
AS_OF = date(2026, 12, 1)
PAGE, DATA = "evaluation/index.html", "evaluation/evaluation.json"


@dataclass
class Author:
    """Somebody who builds a course again and again."""

    course: Path
    out: Path
    cache: EmbeddingCache
    asked: list[str]

    def build(self, *, ladder: bool = True, as_of: date = AS_OF) -> BuildReport:
        self.asked.clear()
        return build_site(load_config(self.course), out=self.out, as_of=as_of, cache=self.cache, ladder=ladder)

    def files(self) -> dict[str, bytes]:
        return {
            path.relative_to(self.out).as_posix(): path.read_bytes()
            for path in self.out.rglob("*")
            if path.is_file() and path.name != "build.json"
        }

    def edit(self, file: str, change: Callable[[str], str]) -> None:
        path = self.course / file
        text = change(path.read_text("utf-8"))
        assert text != path.read_text("utf-8")
        path.write_text(text, "utf-8")


@pytest.fixture
def author(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Author:
    course = tmp_path / "course"
    shutil.copytree(COURSE, course)
    asked: list[str] = []
    ask = course_gold.ask
    monkeypatch.setattr(course_gold, "ask", lambda *given: asked.append(given[1]) or ask(*given))
    return Author(course, tmp_path / "dist", EmbeddingCache(tmp_path / "cache" / "embeddings"), asked)


def test_a_build_of_the_same_asks_nothing_and_gives_the_same_bytes(author: Author) -> None:
    first = author.build()
    assert (first.evaluation, bool(author.asked)) == ("measured", True)
    before = author.files()
    second = author.build()
    assert (second.evaluation, author.asked) == ("known", [])
    assert author.files() == before
    assert second.gold == first.gold


@pytest.mark.parametrize(
    ("file", "change"),
    [
        pytest.param("openbook.toml", lambda text: f"{text}\n[retrieval.fusion]\nkeyword_weight = 0.5\n", id="setting"),
        pytest.param("gold/questions.toml", lambda text: text.replace("?", "??", 1), id="question"),
        pytest.param("gold/questions.toml", lambda text: f'{text}split = "test"\n', id="half"),
        pytest.param("lectures/l01-gaps/notes.md", lambda text: f"{text}\nOne more sentence on gaps.\n", id="text"),
    ],
)
def test_what_a_figure_follows_from_has_it_measured_anew(
    author: Author, file: str, change: Callable[[str], str]
) -> None:
    author.build()
    author.edit(file, change)
    assert author.build().evaluation == "measured"
    assert author.asked


def test_another_version_of_our_own_code_measures_anew(author: Author, monkeypatch: pytest.MonkeyPatch) -> None:
    author.build()
    monkeypatch.setattr(remembered, "_code", lambda: b"another")
    assert author.build().evaluation == "measured"


def test_another_day_with_the_same_lectures_has_the_same_figures_under_its_own_date(author: Author) -> None:
    author.build()
    assert author.build(as_of=date(2026, 12, 2)).evaluation == "known"
    shown = msgspec.json.decode((author.out / DATA).read_bytes(), type=Evaluation)
    assert (shown.date, shown.subject.as_of) == ("2026-12-02", "2026-12-02")
    assert shown.command == "openbook eval --as-of 2026-12-02"


def test_a_damaged_result_is_measured_again(author: Author) -> None:
    author.build()
    before = author.files()
    for file in (author.cache.file.parent / FOLDER).iterdir():
        data = bytearray(file.read_bytes())
        data[-1] ^= 1
        file.write_bytes(data)
    assert author.build().evaluation == "measured"
    assert author.files() == before


def test_between_two_saves_the_page_keeps_its_figures_and_says_which_passages_they_are_of(author: Author) -> None:
    author.build()
    was = load_index(author.out / "index").manifest.corpus
    before = (author.out / DATA).read_bytes()
    assert was[:12] not in (author.out / PAGE).read_text("utf-8")
    for edit in ("One more sentence on gaps.", "And another."):
        author.edit("lectures/l01-gaps/notes.md", lambda text, edit=edit: f"{text}\n{edit}\n")
        report = author.build(ladder=False)
        assert report.evaluation == "earlier"
        assert any("of an earlier build" in line for line in report.summary())
        manifest = load_index(author.out / "index").manifest
        page = (author.out / PAGE).read_text("utf-8")
        now = manifest.corpus
        assert now != was
        assert (
            f"of an earlier build, with the passages {was[:12]}. This site has the passages {manifest.corpus[:12]}"
            in page
        )
        assert (author.out / DATA).read_bytes() == before
        # The gate is never an earlier one's: an index whose threshold is of other passages is refused.
        assert manifest.gate is not None
        assert manifest.gate.corpus == now
    assert author.build().evaluation == "measured"
    assert "of an earlier build" not in (author.out / PAGE).read_text("utf-8")


def test_what_is_known_needs_no_earlier_page_and_without_either_it_is_measured(author: Author) -> None:
    assert author.build(ladder=False).evaluation == "measured"
    assert author.build(ladder=False).evaluation == "known"


def test_figures_of_a_lecture_that_is_no_longer_released_are_not_kept(author: Author) -> None:
    author.build()
    assert b"l02-training" in (author.out / DATA).read_bytes()
    author.edit("lectures/l02-training/notes.md", lambda text: text.replace("---\n", "---\nrelease: 2027-01-01\n", 1))
    assert author.build(ladder=False).evaluation == "measured"
    assert b"l02-training" not in (author.out / DATA).read_bytes()
    assert "l02-training" not in (author.out / PAGE).read_text("utf-8")


def test_the_folder_keeps_what_was_used_last(tmp_path: Path) -> None:
    kept = Remembered(tmp_path / FOLDER)
    for number in range(KEPT + 3):
        kept.put(key_of(str(number).encode()), number)
        assert kept.get(key_of(b"0"), int) == 0
    assert len(list((tmp_path / FOLDER).iterdir())) == KEPT
    assert kept.get(key_of(b"1"), int) is None


def test_a_folder_that_cannot_be_written_is_no_more_than_slow(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    kept = Remembered(tmp_path / "file" / FOLDER)
    kept.put(key_of(b"a"), 1)
    assert kept.get(key_of(b"a"), int) is None


def test_parts_of_a_key_cannot_be_taken_for_one_another() -> None:
    assert key_of(b"ab", b"c") != key_of(b"a", b"bc")
