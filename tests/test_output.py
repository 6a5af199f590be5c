"""The folder of a site: whoever is stopped, or comes second, leaves a whole site."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from openbook.errors import OutputFolderError
from openbook.output import replacing

COMMAND = (sys.executable, "-m", "openbook")


def site(out: Path, text: str) -> None:
    with replacing(out) as folder:
        (folder / "index").mkdir()
        (folder / "index" / "manifest.json").write_text(text)


def text_of(out: Path) -> str:
    return (out / "index" / "manifest.json").read_text()


def beside(out: Path) -> list[str]:
    return [path.name for path in out.parent.iterdir() if path != out]


def test_a_site_takes_the_place_of_the_last_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    out = tmp_path / "dist"
    site(out, "first")
    site(out, "second")
    assert (text_of(out), beside(out)) == ("second", [])


def test_a_link_to_a_folder_stays_one(tmp_path: Path) -> None:
    real, out = tmp_path / "real", tmp_path / "links" / "dist"
    real.mkdir()
    out.parent.mkdir()
    out.symlink_to(real)
    site(out, "first")
    assert out.is_symlink()
    assert text_of(real) == "first"


@pytest.mark.parametrize("call", [1, 2])
@pytest.mark.parametrize("when", ["before", "after"])
def test_whoever_is_stopped_while_the_two_are_exchanged_leaves_one_of_them_whole(
    call: int, when: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "dist"
    site(out, "first")
    calls = 0
    rename = Path.rename

    def stopped(self: Path, target: Path) -> Path:
        nonlocal calls
        calls += 1
        if calls == call and when == "before":
            raise KeyboardInterrupt
        moved = rename(self, target)
        if calls == call and when == "after":
            raise KeyboardInterrupt
        return moved

    monkeypatch.setattr(Path, "rename", stopped)
    with pytest.raises(KeyboardInterrupt):
        site(out, "second")
    assert text_of(out) == ("second" if (call, when) == (2, "after") else "first")
    assert beside(out) == []


def test_of_two_builds_at_the_same_time_the_later_stays_and_both_end_well(tmp_path: Path) -> None:
    out = tmp_path / "dist"
    site(out, "before")
    with replacing(out) as slow:
        site(out, "quick")
        (slow / "index").mkdir()
        (slow / "index" / "manifest.json").write_text("slow")
    assert (text_of(out), beside(out)) == ("slow", [])


def test_a_site_that_another_build_puts_there_in_between_is_replaced_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "dist"
    site(out, "before")
    rename = Path.rename
    between = [True]

    def raced(self: Path, target: Path) -> Path:
        moved = rename(self, target)
        if self == out and between.pop():
            between.append(False)
            site(out, "quick")
        return moved

    monkeypatch.setattr(Path, "rename", raced)
    site(out, "slow")
    assert (text_of(out), beside(out)) == ("slow", [])


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    with pytest.raises(OutputFolderError, match="cannot be written"):
        site(tmp_path / "dist", "first")


@pytest.mark.skipif(os.name == "nt", reason="there are no such signals")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_build_that_is_stopped_leaves_the_last_site_and_nothing_else(
    sent: signal.Signals, code: int, tmp_path: Path
) -> None:
    course, out = tmp_path / "course", tmp_path / "built" / "dist"
    subprocess.run([*COMMAND, "new", course], check=True, capture_output=True)
    site(out, "last")
    build = subprocess.Popen(
        [*COMMAND, "build", course, "--out", out],
        stderr=subprocess.PIPE,
        text=True,
        # Whoever runs the tests in the background of a shell ignores the interrupt, and a child inherits that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not beside(out) and build.poll() is None:
        time.sleep(0.002)
    build.send_signal(sent)
    said = build.communicate(timeout=120)[1]
    assert build.returncode == code
    assert "Traceback" not in said
    assert (text_of(out), beside(out)) == ("last", [])
