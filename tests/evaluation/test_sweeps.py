"""Sweeps: one thing varies, the rest stays, and what the course has is marked."""

from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from openbook.cli import main
from openbook.config import load_config
from openbook.errors import GoldError
from openbook.evaluation import sweeps
from openbook.evaluation.figures import sweep_figure
from openbook.evaluation.sweep_report import record, recorded_sweeps
from openbook.evaluation.sweeps import TOKENIZERS, sweep
from openbook.models.registry import DESCRIPTOR, FILES, Descriptor, resolve
from openbook.settings import EncoderSettings

COURSE = Path(__file__).parents[1] / "verify" / "course"
DAY = date(2026, 12, 1)


@pytest.fixture
def long_section(tmp_path: Path) -> Path:
    words = " ".join(f"Pump {number} leaks at seal {number}." for number in range(40))
    (tmp_path / "notes.md").write_text(f"# Pumps\n\n## Seals\n\n{words}\n\n## Motors\n\nA motor turns the pump.\n")
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold/questions.toml").write_text(
        '[[question]]\nid = "a"\ntext = "which pump leaks?"\nkind = "paraphrase"\nrelevant = ["lecture/notes#seals"]\n'
    )
    return tmp_path


def test_smaller_chunks_are_more_and_the_course_as_it_is_is_marked(long_section, monkeypatch):
    few = [
        one for one in sweeps._SETTINGS["chunks"] if one[0] in ("≤ 64 words", "≤ 350 words", "≤ 64 words, 25% overlap")
    ]
    monkeypatch.setitem(sweeps._SETTINGS, "chunks", few)
    found = sweep(load_config(long_section), "chunks", as_of=DAY, split="all")
    small, course, overlapping = found.rows
    assert small.chunks > course.chunks
    assert overlapping.chunks > small.chunks
    assert [row.ships for row in found.rows] == [False, True, False]
    assert found.questions == 1


def test_rounding_ranks_the_same_chunks_and_says_what_each_takes():
    found = sweep(load_config(COURSE), "rounding", as_of=DAY, split="all")
    rows = {row.label: row for row in found.rows}
    assert rows["float32"].bytes_per_chunk == 1536
    assert rows["int8 with a scale"].bytes_per_chunk == 388
    assert rows["int8 with a scale"].metrics == rows["float32"].metrics


def test_a_tokenizer_that_does_not_split_punctuation_finds_less():
    rows = {row.label: row for row in sweep(load_config(COURSE), "tokenizer", as_of=DAY, split="all").rows}
    assert set(rows) == set(TOKENIZERS)
    assert rows["white space"].metrics["bm25"]["mrr_10"] <= rows["openbook's"].metrics["bm25"]["mrr_10"]


def test_minisearchs_own_tokenizer_leaves_a_backtick_and_splits_an_underscore():
    assert TOKENIZERS["MiniSearch's own"]("Call `zero_grad()` first") == ["call", "`zero", "grad", "`", "first"]


def test_the_command_prints_a_row_a_variant():
    result = CliRunner().invoke(main, ["sweep", "rounding", str(COURSE), "--split", "all", "--as-of", "2026-12-01"])
    assert result.exit_code == 0, result.output
    assert "int8 with a scale *" in result.output
    as_json = CliRunner().invoke(main, ["sweep", "rounding", str(COURSE), "--split", "all", "--json"])
    assert json.loads(as_json.stdout)["name"] == "rounding"


def test_a_model_is_for_the_sweep_over_models():
    result = CliRunner().invoke(main, ["sweep", "chunks", str(COURSE), "--model", "x"])
    assert result.exit_code == 2
    assert "--model" in result.output


def test_a_course_without_questions_is_refused(tmp_path):
    (tmp_path / "notes.md").write_text("# One\n\nSome words.\n")
    with pytest.raises(GoldError):
        sweep(load_config(tmp_path), "rounding", as_of=DAY)


def test_a_recorded_sweep_is_read_again_and_drawn_on_the_page(tmp_path):
    found = sweep(load_config(COURSE), "rounding", as_of=DAY, split="all")
    record(found, tmp_path / "gold" / "questions.toml")
    (again,) = recorded_sweeps(tmp_path / "gold" / "questions.toml")
    assert again == found
    figure = sweep_figure(again)
    assert "int8 with a scale" in figure
    assert figure.count("<circle") == len(found.rows)
    assert "<title>" in figure
    assert "<desc>" in figure


def test_a_file_that_is_no_recorded_sweep_is_named(tmp_path):
    folder = tmp_path / "gold" / "sweeps"
    folder.mkdir(parents=True)
    (folder / "chunks.json").write_text("{}")
    with pytest.raises(GoldError, match=r"chunks\.json: is not a recorded sweep") as caught:
        recorded_sweeps(tmp_path / "gold" / "questions.toml")
    assert "openbook sweep chunks --record" in str(caught.value)


def as_export(folder: Path, name: str) -> None:
    """The model that ships, laid out as an export of a model of that name."""
    files = resolve(EncoderSettings())
    for file, source in files.site_files().items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / file)
    said = Descriptor(
        name=name,
        revision="",
        dims=files.dims,
        pooling=files.pooling,
        normalize=files.normalize,
        max_tokens=files.max_tokens,
        precision=files.precision,
        licence="",
        files={file: files.sha256[file] for file in FILES},
    )
    (folder / DESCRIPTOR).write_bytes(msgspec.json.encode(said))


def test_a_model_may_be_named_and_is_exported_once(tmp_path, monkeypatch):
    """The export itself has its own tests; here it copies the model that ships, under another name."""
    monkeypatch.setenv("OPENBOOK_CACHE", str(tmp_path / "cache"))
    exported = []

    def export_model(source: str, out: Path) -> None:
        exported.append(source)
        as_export(out, source)

    monkeypatch.setattr("openbook.models.export.export_model", export_model)
    for _ in range(2):
        found = sweep(load_config(COURSE), "models", models=["someone/small-model"], as_of=DAY, split="all")
        assert [row.label for row in found.rows] == ["sentence-transformers/all-MiniLM-L6-v2", "someone/small-model"]
        assert found.rows[0].metrics == found.rows[1].metrics
        assert [row.ships for row in found.rows] == [True, False]
    assert exported == ["someone/small-model"]
