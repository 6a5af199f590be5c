"""Courses that were not written for openbook: their pages are made, and what is broken in them is only said."""

from __future__ import annotations

from datetime import date

import pytest

from openbook.config import load_config
from openbook.course.catalogue import load_catalogue
from openbook.course.readers import read
from openbook.pages.links import page_facts
from openbook.pages.render import render_site

KINDS = {
    "missing-image",
    "foreign-image",
    "dangling-link",
    "unsafe-link",
    "unknown-label",
    "html",
    "tex",
    "duplicate-id",
}


@pytest.mark.parametrize(("name", "formulas"), [("carpentries-shell", 0), ("cs231n", 4), ("d2l-zh", 0)])
def test_every_source_becomes_a_page(shared_data, tmp_path, name, formulas):
    config = load_config(shared_data / "corpora" / name)
    catalogue = load_catalogue(config, date(2026, 12, 1))
    documents = [read(source, config, lecture) for lecture in catalogue.lectures for source in lecture.sources]
    report = render_site(config, catalogue, documents, tmp_path, client=None)
    assert set(report.pages) == {document.url for document in documents} | {"lectures/index.html"}
    assert {warning.kind for warning in report.warnings} <= KINDS
    assert all(warning.line for warning in report.warnings if warning.kind != "duplicate-id")
    # of hundreds of formulas, these hold mistakes that the converter does not forgive
    assert len([warning for warning in report.warnings if warning.kind == "tex"]) == formulas
    for document in documents:
        page = (tmp_path / document.url).read_text(encoding="utf-8")
        assert " style=" not in page
        assert {section.anchor for section in document.sections} <= page_facts(page).ids
