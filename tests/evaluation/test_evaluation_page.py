"""The report as a page, and its figures."""

from __future__ import annotations

import re
import shutil
import xml.etree.ElementTree as ET
from datetime import date
from pathlib import Path

import msgspec
import pytest
from jinja2 import Environment, FileSystemLoader

from openbook.build import build_site
from openbook.config import load_config
from openbook.evaluation.evaluate import evaluate_course
from openbook.evaluation.figures import curve_figure, ladder_figure, strip_figure
from openbook.evaluation.report import Evaluation
from openbook.pages.assets import site_folder
from openbook.pages.evaluation import page_context, render_report
from openbook.pages.words import Words, entries

COURSE = Path(__file__).parents[1] / "verify" / "course"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return evaluate_course(load_config(COURSE), as_of=date(2026, 12, 1), timed=False).evaluation


def figures(evaluation: Evaluation) -> dict[str, ET.Element]:
    assert evaluation.gate is not None
    drawn = {
        "ladder": ladder_figure(evaluation),
        "curve": curve_figure(evaluation.gate),
        "strip": strip_figure(evaluation.gate),
    }
    return {name: ET.fromstring(text) for name, text in drawn.items()}


def test_each_figure_says_in_words_what_it_shows_and_stays_inside_its_frame(evaluation: Evaluation) -> None:
    for name, svg in figures(evaluation).items():
        assert svg[0].tag == f"{SVG}title", name
        assert svg[1].tag == f"{SVG}desc", name
        assert len(svg[1].text or "") > 40
        _, _, width, height = map(float, svg.attrib["viewBox"].split())
        for element in svg.iter():
            for key, limit in (
                ("x", width),
                ("x1", width),
                ("cx", width),
                ("y", height),
                ("y2", height),
                ("cy", height),
            ):
                if key in element.attrib:
                    assert 0 <= float(element.attrib[key]) <= limit, (name, element.attrib)


def test_a_figure_brings_no_style_and_no_colour_of_its_own(evaluation: Evaluation) -> None:
    """The site's policy forbids the first, and the second would be wrong in dark."""
    for svg in figures(evaluation).values():
        for element in svg.iter():
            assert "style" not in element.attrib
            assert element.attrib.get("fill", "none") in {"none", "currentColor"}
            assert element.attrib.get("stroke", "currentColor") == "currentColor"


def test_the_ladder_has_a_mean_for_each_measured_rung_and_a_score_for_each_question(evaluation: Evaluation) -> None:
    assert evaluation.gate is not None
    drawn = figures(evaluation)
    circles = {name: len(svg.findall(f".//{SVG}circle")) for name, svg in drawn.items()}
    assert circles["ladder"] == len(evaluation.measured)
    assert circles["strip"] == len(evaluation.gate.questions)


def test_the_report_fetches_nothing_and_escapes_what_was_asked(evaluation: Evaluation) -> None:
    first = msgspec.structs.replace(evaluation.questions[0], text="<script>alert(1)</script> & co")
    html = render_report(msgspec.structs.replace(evaluation, questions=(first, *evaluation.questions[1:])))
    assert "<script" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; co" in html
    assert not re.search(r"(?:src|href)=", html)
    assert html.count("<svg") == 3
    assert "not measured: its weights are not here" in html


def test_without_times_there_is_no_column_for_them_and_the_same_input_gives_the_same_page(
    evaluation: Evaluation,
) -> None:
    again = evaluate_course(load_config(COURSE), as_of=date(2026, 12, 1), timed=False).evaluation
    html = render_report(evaluation)
    assert render_report(again) == html
    assert ">ms<" not in html


def test_the_document_survives_json(evaluation: Evaluation) -> None:
    assert msgspec.json.decode(msgspec.json.encode(evaluation), type=Evaluation) == evaluation


def test_a_built_site_has_the_page_its_data_and_a_link_to_it_from_every_page(tmp_path: Path) -> None:
    out = tmp_path / "dist"
    build_site(load_config(COURSE), out=out, as_of=date(2026, 12, 1))
    data = msgspec.json.decode((out / "evaluation" / "evaluation.json").read_bytes(), type=Evaluation)
    assert data.rung("late-interaction") is not None
    assert all(rung.ms is None for rung in data.ladder)
    page = (out / "evaluation" / "index.html").read_text("utf-8")
    assert f"{data.measured[0].metrics['mrr_10']:.3f}" in page
    assert 'href="../evaluation/index.html" aria-current="page"' in page
    assert "style=" not in page
    linked = [path for path in out.rglob("*.html") if "evaluation/index.html" in path.read_text("utf-8")]
    assert len(linked) == len([*out.glob("lectures/**/*.html")]) + 2


def test_a_course_without_a_gold_set_has_neither(tmp_path: Path) -> None:
    course = tmp_path / "course"
    shutil.copytree(COURSE, course)
    shutil.rmtree(course / "gold")
    build_site(load_config(course), out=tmp_path / "dist", as_of=date(2026, 12, 1))
    assert not (tmp_path / "dist" / "evaluation").exists()
    assert "evaluation/index.html" not in (tmp_path / "dist" / "index.html").read_text("utf-8")


@pytest.mark.parametrize("language", ["de", "es", "zh"])
def test_the_page_speaks_the_course_s_language_but_in_its_figures(evaluation: Evaluation, language: str) -> None:
    templates = Environment(loader=FileSystemLoader(site_folder() / "templates"), autoescape=True)
    page = templates.get_template("evaluation-body.html.j2").render(**page_context(evaluation, (), Words(language)))
    assert f"<h1>{entries(language)['evaluation.heading']}</h1>" in page
    assert page.count("<figure") == page.count('<figure tabindex="0" lang="en" dir="ltr">') == 3
    text = re.sub(r"<figure.*?</figure>|<code>.*?</code>|<td>.*?</td>", "", page, flags=re.S)
    english = [entry for key, entry in entries("en").items() if key.startswith("evaluation.")]
    pieces = [
        piece for entry in english if isinstance(entry, str) for piece in re.split(r"\{\w+\}", entry) if len(piece) > 8
    ]
    assert pieces
    assert [piece for piece in pieces if piece in text] == []
