"""The command line, as it is used: exit codes, JSON, messages, and what is written."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from openbook.cli import main


def openbook(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `openbook new` writes, with a second lecture that is not released yet."""
    folder = tmp_path_factory.mktemp("course") / "rivers"
    assert openbook("new", folder, "--title", "Rivers").exit_code == 0
    later = folder / "lectures" / "02-later"
    later.mkdir()
    (later / "notes.md").write_text(
        "---\ntitle: Estuaries\nrelease: 2999-01-01\n---\n\n# Estuaries\n\n"
        "Where the tide meets the river, salt water creeps in along the bed beneath the fresh.\n",
        "utf-8",
    )
    return folder


@pytest.fixture(scope="module")
def dist(course: Path) -> Path:
    """The site of that course."""
    out = course / "dist"
    result = openbook("build", course, "--out", out, "--as-of", "2026-12-01")
    assert result.exit_code == 0, result.output
    return out


def test_new_refuses_a_folder_that_is_not_empty(course: Path) -> None:
    result = openbook("new", course)
    assert result.exit_code == 2
    assert "FolderNotEmptyError" in result.stderr


def test_build_says_what_each_file_became(course: Path, tmp_path: Path) -> None:
    result = openbook("build", course, "--out", tmp_path / "dist", "--as-of", "2026-12-01")
    assert "lectures/01-first-lecture/notes.md" in result.stdout
    assert "1 not released on 2026-12-01" in result.stdout
    assert "0 of " in result.stdout
    assert "word pieces truncated" in result.stdout


def test_build_as_json_is_one_value_with_the_counts(course: Path, tmp_path: Path) -> None:
    report = json.loads(openbook("build", course, "--out", tmp_path / "dist", "--as-of", "2026-12-01", "--json").stdout)
    assert (report["lectures"], report["unreleased"], report["truncated"]) == (1, 1, 0)
    assert report["chunks"] == sum(document["chunks"] for document in report["documents"])


def test_the_same_input_gives_the_same_bytes(course: Path, dist: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    assert openbook("build", course, "--out", again, "--as-of", "2026-12-01").exit_code == 0
    files = {path.relative_to(dist) for path in dist.rglob("*") if path.is_file()}
    assert files == {path.relative_to(again) for path in again.rglob("*") if path.is_file()}
    timings = Path("index/build.json")
    assert [str(f) for f in files - {timings} if (dist / f).read_bytes() != (again / f).read_bytes()] == []


def test_nothing_of_an_unreleased_lecture_is_built_until_its_day(course: Path, dist: Path, tmp_path: Path) -> None:
    def mentions(folder: Path) -> list[str]:
        return [
            str(p)
            for p in folder.rglob("*")
            if p.suffix in {".html", ".json"} and "models" not in p.parts and b"stuar" in p.read_bytes()
        ]

    assert mentions(dist) == []
    result = openbook("check", dist, "--course", course)
    assert result.exit_code == 0
    assert "nothing found" in result.stdout
    after = tmp_path / "after"
    assert openbook("build", course, "--out", after, "--as-of", "2999-01-01").exit_code == 0
    assert any(name.endswith("notes.html") for name in mentions(after))


def test_check_fails_when_text_of_an_unreleased_lecture_is_in_the_site(
    course: Path, dist: Path, tmp_path: Path
) -> None:
    leaky = tmp_path / "leaky"
    subprocess.run(["cp", "-r", dist, leaky], check=True)
    page = leaky / "lectures/01-first-lecture/notes.html"
    page.write_text(page.read_text("utf-8") + "<p>Salt water creeps in along the bed beneath the fresh.</p>", "utf-8")
    result = openbook("check", leaky, "--course", course)
    assert result.exit_code == 1
    assert "lectures/02-later/notes.md:8" in result.stderr


def test_a_mistake_in_the_settings_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "openbook.toml").write_text('[course]\ntitel = "Rivers"\n', "utf-8")
    result = openbook("build", tmp_path)
    assert result.exit_code == 2
    assert "openbook.toml:2: course.titel: there is no such key" in result.stderr


def test_an_error_is_json_too_when_json_was_asked_for(tmp_path: Path) -> None:
    result = openbook("build", tmp_path / "nowhere", "--json")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["error"] == "ConfigError"


def test_build_leaves_a_folder_alone_that_it_did_not_build(course: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("mine", "utf-8")
    result = openbook("build", course, "--out", tmp_path, "--as-of", "2026-12-01")
    assert result.exit_code == 2
    assert precious.read_text("utf-8") == "mine"


def test_a_build_that_fails_leaves_the_last_site_as_it_was(course: Path, tmp_path: Path) -> None:
    copy, out = tmp_path / "course", tmp_path / "dist"
    subprocess.run(["cp", "-r", course, copy], check=True)
    assert openbook("build", copy, "--out", out, "--as-of", "2026-12-01").exit_code == 0
    before = (out / "index/manifest.json").read_bytes()
    notes = copy / "lectures/01-first-lecture/notes.md"
    notes.write_text(notes.read_text("utf-8") + "\n[nowhere](../02-none/notes.md#gone)\n", "utf-8")
    result = openbook("build", copy, "--out", out, "--as-of", "2026-12-01")
    assert result.exit_code == 1
    assert "notes.md:" in result.stderr
    assert (out / "index/manifest.json").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_folder_without_settings_is_built_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / "week1.md").write_text("# Rivers\n\nA river carries sand to the sea.\n", "utf-8")
    result = openbook("build", tmp_path, "--out", tmp_path / "dist")
    assert result.exit_code == 0
    assert "no-settings" in result.stderr


def test_a_warning_can_be_silenced_and_can_be_an_error(tmp_path: Path) -> None:
    (tmp_path / "week1.md").write_text("# Rivers\n\n```text\nnever closed\n", "utf-8")
    settings = tmp_path / "openbook.toml"
    settings.write_text('[course]\ntitle = "Rivers"\n', "utf-8")
    assert "week1.md:3" in openbook("build", tmp_path, "--out", tmp_path / "dist").stderr
    settings.write_text('[warnings]\nignore = ["unclosed-fence"]\n', "utf-8")
    assert "unclosed-fence" not in openbook("build", tmp_path, "--out", tmp_path / "dist").stderr
    settings.write_text('[warnings]\nas_errors = ["unclosed-fence"]\n', "utf-8")
    result = openbook("build", tmp_path, "--out", tmp_path / "dist")
    assert result.exit_code == 1
    assert "WarningsAsErrors" in result.stderr


def test_chunks_shows_what_a_file_becomes(course: Path) -> None:
    notes = course / "lectures/01-first-lecture/notes.md"
    described = json.loads(openbook("chunks", notes, "--json").stdout)
    keys = {"id", "title", "headings", "anchor", "kind", "text", "start_line", "end_line", "tokens"}
    assert all(keys <= chunk.keys() for chunk in described)
    assert f"{len(described)} chunks" in openbook("chunks", notes).stdout


def test_eval_validates_and_measures_the_gold_set(course: Path) -> None:
    assert "all valid" in openbook("eval", course, "--validate", "--as-of", "2026-12-01").stdout
    report = json.loads(openbook("eval", course, "--as-of", "2026-12-01", "--json").stdout)
    ladder = {rung["name"]: rung for rung in report["ladder"]}
    assert 0 < ladder["hybrid"]["metrics"]["mrr_10"] <= 1


def test_a_label_that_leads_nowhere_is_named_with_its_line(course: Path, tmp_path: Path) -> None:
    copy = tmp_path / "course"
    subprocess.run(["cp", "-r", course, copy], check=True)
    gold = copy / "gold/questions.toml"
    gold.write_text(
        '[[question]]\nid = "q1"\ntext = "?"\nkind = "paraphrase"\nrelevant = ["01-first-lecture/notes#gone"]\n',
        "utf-8",
    )
    result = openbook("eval", copy, "--validate", "--as-of", "2026-12-01")
    assert result.exit_code == 1
    assert "questions.toml:5" in result.stderr


def test_models_are_listed_and_verified(course: Path) -> None:
    assert any(model["found"] for model in json.loads(openbook("models", "list", "--json").stdout))
    assert "sha256" in openbook("models", "verify", course).stdout


def test_every_command_answers_help_without_loading_the_model() -> None:
    code = "import sys; from openbook.cli import main; main(['--help'], standalone_mode=False); "
    code += "assert 'onnxruntime' not in sys.modules and 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def test_a_check_against_another_course_does_not_pass(course: Path, dist: Path, tmp_path: Path) -> None:
    """It would find nothing of what that course holds back, which is nothing."""
    (tmp_path / "week1.md").write_text("# Rivers\n\nA river carries sand to the sea.\n", "utf-8")
    result = openbook("check", dist, "--course", tmp_path)
    assert result.exit_code == 2
    assert "OtherCourseError" in result.stderr
    assert "01-first-lecture" in result.stderr


@pytest.mark.parametrize("command", ["check", "verify"])
def test_a_folder_that_is_no_site_is_said_to_be_none(command: str, course: Path, tmp_path: Path) -> None:
    result = openbook(command, tmp_path, "--course", course)
    assert result.exit_code == 2
    assert f"{tmp_path}: there is no built site here." in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("build", "{course}", "--out", "{file}/dist"),
        ("new", "{file}/course"),
        ("eval", "{course}", "--html", "{file}/report.html", "--as-of", "2026-12-01"),
        ("check", "{file}/dist"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_what_cannot_be_written_or_read_is_named_without_a_traceback(
    arguments: tuple[str, ...], course: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    result = openbook(*(argument.format(course=course, file=tmp_path / "file") for argument in arguments))
    assert result.exit_code == 2
    assert str(tmp_path / "file") in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [("build", "--as-of", "soon"), ("serve", "--port", "99999"), ("build", "--serve", "65536"), ("sweep", "magic")],
)
def test_a_wrong_argument_is_json_too_where_the_command_has_it(arguments: tuple[str, ...], tmp_path: Path) -> None:
    result = openbook(*arguments, *(() if arguments[0] == "serve" else ("--json",)))
    assert result.exit_code == 2
    assert "Error: Invalid value for" in result.stderr
    if arguments[0] != "serve":
        assert json.loads(result.stdout)["error"] == "UsageError"


@pytest.mark.parametrize("gold", ["nowhere.toml", "lectures"])
def test_a_gold_set_that_is_named_and_not_there_is_no_course_without_one(
    gold: str, course: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "course"
    subprocess.run(["cp", "-r", course, copy], check=True)
    settings = copy / "openbook.toml"
    settings.write_text(f'gold = "{gold}"\n{settings.read_text("utf-8")}', "utf-8")
    result = openbook("build", copy, "--out", tmp_path / "dist")
    assert result.exit_code == 2
    assert f"openbook.toml:1: gold: there is no file '{gold}'" in result.stderr


def test_a_reader_that_there_is_not_is_refused_even_where_its_pattern_fits_no_file(tmp_path: Path) -> None:
    (tmp_path / "week1.md").write_text("# Rivers\n\nA river carries sand to the sea.\n", "utf-8")
    (tmp_path / "openbook.toml").write_text('[sources]\nreaders = { "talks/*.md" = "slidevv" }\n', "utf-8")
    result = openbook("build", tmp_path, "--out", tmp_path / "dist")
    assert result.exit_code == 2
    assert "there is no reader 'slidevv'. Did you mean 'slidev'?" in result.stderr


def test_a_question_is_answered_with_its_sentences_and_where_they_stand(dist: Path) -> None:
    result = openbook("ask", "What does Little's law say?", dist)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].endswith("[1]")
    assert "    lectures/01-first-lecture/notes.html#littles-law" in lines
    trace = json.loads(openbook("ask", "What does Little's law say?", dist, "--kind", "slides", "--json").stdout)
    assert [stage["name"] for stage in trace["stages"]][:4] == ["keyword", "embed", "dense", "fuse"]
    assert {passage["kind"] for passage in trace["passages"]} == {"slides"}


def test_what_the_notes_do_not_answer_is_said_and_told_by_the_exit_code(dist: Path) -> None:
    result = openbook("ask", "Who won the football world cup in 1954?", dist)
    assert result.exit_code == 1
    assert result.stdout.startswith("Not in the notes")


@pytest.mark.parametrize("arguments", [("  ",), ("why?", "--lecture", "nowhere")])
def test_a_question_that_cannot_be_asked_is_a_usage_error(arguments: tuple[str, ...], dist: Path) -> None:
    result = openbook("ask", *arguments[:1], dist, *arguments[1:])
    assert result.exit_code == 2
    assert "Error: Invalid value for" in result.stderr
