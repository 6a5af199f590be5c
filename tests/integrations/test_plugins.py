"""The Sphinx extension and the MkDocs plugin on real builds, asked in a real browser."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from openbook.pages.serve import serving

HERE = Path(__file__).parent
ANSWERED = "At which temperature does yeast work fastest?"
ENCODER_MS = 90_000


def run(*command: str) -> str:
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def sphinx_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sphinx") / "html"
    run("sphinx", "-q", "-W", "-b", "html", str(HERE / "sphinx"), str(out))
    return out


@pytest.fixture(scope="module")
def mkdocs_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("mkdocs") / "site"
    run("mkdocs", "build", "-q", "--strict", "-f", str(HERE / "mkdocs/mkdocs.yml"), "-d", str(out))
    return out


@pytest.fixture
def asked(page: Page) -> Iterator[Page]:
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    assert complaints == []


def ask(page: Page, place: str) -> None:
    """Ask in the component at a place of the page, and follow the citation."""
    book = page.locator(place)
    book.get_by_label("Your question").fill(ANSWERED)
    book.get_by_label("Your question").press("Enter")
    expect(book.locator("ob-answer")).to_contain_text("27 °C", timeout=ENCODER_MS)
    book.locator("ob-answer .cite").first.click()
    expect(page.get_by_role("heading", name="Yeast and temperature").first).to_be_in_viewport()


@pytest.mark.browser
def test_a_page_of_sphinx_s_asks_and_the_citation_leads_to_the_heading(sphinx_site: Path, asked: Page) -> None:
    with serving(sphinx_site, "/docs/") as url:
        asked.goto(f"{url}week1/ask.html")
        ask(asked, ".body open-book")
        expect(asked).to_have_url(re.compile(r"/docs/week1/bread\.html#yeast-and-temperature"))


def test_sphinx_s_search_box_is_replaced_in_the_sidebar(sphinx_site: Path) -> None:
    for name, up in (("index.html", ""), ("week1/bread.html", "../")):
        html = (sphinx_site / name).read_text()
        sidebar = html.split('class="sphinxsidebar"')[1]
        assert f'<open-book compact src="{up}openbook/">' in sidebar
        assert 'class="searchbox"' not in html


def test_sphinx_s_other_formats_are_left_alone(tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(HERE / "sphinx", source)
    run("sphinx", "-q", "-W", "-b", "text", str(source), str(tmp_path / "out"))
    assert "open-book" not in (tmp_path / "out/week1/ask.txt").read_text()
    assert not (tmp_path / "out/openbook").exists()


def test_a_second_build_of_sphinx_s_reads_the_same_pages(tmp_path: Path) -> None:
    out = str(tmp_path / "html")
    run("sphinx", "-q", "-W", "-b", "dirhtml", str(HERE / "sphinx"), out)
    first = (tmp_path / "html/openbook/index/manifest.json").read_bytes()
    run("sphinx", "-q", "-W", "-b", "dirhtml", str(HERE / "sphinx"), out)
    assert (tmp_path / "html/openbook/index/manifest.json").read_bytes() == first
    assert 'src="../../openbook/"' in (tmp_path / "html/week1/ask/index.html").read_text()


@pytest.mark.browser
def test_a_page_of_mkdocs_asks_and_the_citation_leads_to_the_heading(mkdocs_site: Path, asked: Page) -> None:
    with serving(mkdocs_site, "/docs/") as url:
        asked.goto(url)
        ask(asked, "article open-book")
        expect(asked).to_have_url(re.compile(r"/docs/week1/bread/(index\.html)?#yeast-and-temperature"))


def test_mkdocs_knows_the_plugin_by_its_name() -> None:
    (entry,) = importlib.metadata.entry_points(group="mkdocs.plugins", name="openbook")
    assert entry.value == "openbook.integrations.mkdocs:OpenbookPlugin"


def test_bad_settings_end_the_build_with_a_message(tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(HERE / "sphinx", source)
    (source / "openbook.toml").write_text("[course]\nnonsense = 1\n")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-b", "html", str(source), str(tmp_path / "out")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "openbook.toml" in done.stderr
    assert "nonsense" in done.stderr
