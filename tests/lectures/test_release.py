"""The last lecture of the shipped course is released after the others: before its day nothing of it is in the site."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import msgspec
import pytest

from openbook.build import build_site
from openbook.build_report import BuildReport
from openbook.config import load_config
from openbook.course.catalogue import load_catalogue
from openbook.index.read import load_index
from openbook.pages.assets import own_digests
from openbook.pages.leaks import find_leaks

LAST = "l18-context-and-retrieval"
RELEASE = date(2026, 12, 3)


def built(root: Path, out: Path, day: date) -> BuildReport:
    # Without questions: this is about what is in the site, and measuring takes longer than building it.
    gold = out.with_suffix(".toml")
    gold.touch()
    config = load_config(root)
    settings = msgspec.structs.replace(config.settings, gold=str(gold))
    return build_site(msgspec.structs.replace(config, settings=settings), out=out, as_of=day)


@pytest.mark.slow
def test_nothing_of_the_last_lecture_is_in_the_site_until_its_day(root: Path, tmp_path: Path) -> None:
    config = load_config(root)
    eve = RELEASE - timedelta(days=1)
    report = built(root, tmp_path / "before", eve)
    assert (report.lectures, report.unreleased) == (17, 1)
    assert not (tmp_path / "before" / "lectures" / LAST).exists()
    leaks = find_leaks(tmp_path / "before", config, load_catalogue(config, eve), skip=own_digests())
    assert leaks.windows > 1000
    assert [str(leak) for leak in leaks.leaks] == []

    report = built(root, tmp_path / "after", RELEASE)
    assert (report.lectures, report.unreleased) == (18, 0)
    index = load_index(tmp_path / "after" / "index")
    own = [index.chunk(ordinal) for ordinal in range(index.size) if index.chunk(ordinal).lecture == LAST]
    assert {chunk.kind for chunk in own} == {"notes", "slides"}
    assert "BM25" in " ".join(text.text for text in index.passages(range(index.size)))
    # The same search that found nothing before finds it now: it can tell the two apart.
    assert find_leaks(tmp_path / "after", config, load_catalogue(config, eve), skip=own_digests()).leaks
