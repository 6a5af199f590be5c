"""What a citation of a deck or of a site lands on: every chunk's url leads to something that is there."""

from __future__ import annotations

import io
from datetime import date
from pathlib import Path

from decks_support import make_pdf
from pptx import Presentation

from openbook.chunking import Chunk, chunk_document
from openbook.config import load_config
from openbook.course.catalogue import load_catalogue
from openbook.course.readers import read
from openbook.index.catalogue import build_catalogue
from openbook.pages.render import SiteReport, render_site


def built(root: Path, settings: str) -> tuple[Path, SiteReport, list[Chunk]]:
    """Read, chunk and render a course; rendering raises when a chunk's url leads nowhere."""
    (root / "openbook.toml").write_text(f"[sources]\n{settings}")
    config = load_config(root)
    catalogue = load_catalogue(config, date(2026, 11, 1))
    documents = [read(source, config, lecture) for lecture in catalogue.lectures for source in lecture.sources]
    chunks = [
        chunk
        for document in documents
        for chunk in chunk_document(document, config.settings.chunks, 256, lambda text: len(text.split()))
    ]
    out = root / "site" / "openbook" if "site" in settings else root / "dist"
    report = render_site(config, catalogue, documents, out, client=None, chunks=chunks)
    build_catalogue(catalogue.lectures, chunks)
    return out, report, chunks


def test_a_page_of_a_pdf_opens_the_file_at_that_page(tmp_path):
    folder = tmp_path / "lectures" / "l1"
    folder.mkdir(parents=True)
    pdf = make_pdf([[(30, "One"), (12, "text")], [], [(30, "Three"), (12, "text")]], [("Part", 2)])
    (folder / "slides.pdf").write_bytes(pdf)
    out, report, chunks = built(tmp_path, 'root = "lectures"\n')
    html = (out / "lectures/l1/slides.html").read_text()
    assert 'href="slides.pdf#page=3"' in html
    assert (out / "lectures/l1/slides.pdf").read_bytes() == pdf
    assert "lectures/l1/slides.pdf" in report.files
    assert [chunk.url for chunk in chunks] == ["lectures/l1/slides.html#page-1", "lectures/l1/slides.html#page-3"]
    assert html.count("<li class") == 2, "the name of a part is no slide"
    assert "3 / 3" in html


def test_slides_without_text_or_title_do_not_break_a_deck(tmp_path):
    folder = tmp_path / "lectures" / "l1"
    folder.mkdir(parents=True)
    deck = Presentation()
    for _ in range(3):
        deck.slides.add_slide(deck.slide_layouts[6])
    out = io.BytesIO()
    deck.save(out)
    (folder / "slides.pptx").write_bytes(out.getvalue())
    _, report, chunks = built(tmp_path, 'root = "lectures"\n')
    assert chunks == []
    assert "lectures/l1/slides.html" in report.pages


def test_pages_of_a_site_are_cited_where_they_stand(tmp_path):
    folder = tmp_path / "site" / "guide"
    folder.mkdir(parents=True)
    (folder / "a b.html").write_text('<main><h1 id="top-of-it">A</h1><p>x</p><h2 id="b">B</h2><p>y</p></main>')
    out, report, chunks = built(tmp_path, 'site = "site"\n')
    assert [chunk.url for chunk in chunks] == ["../guide/a b.html#top-of-it", "../guide/a b.html#b"]
    assert list(report.pages) == ["lectures/index.html"]
    assert 'href="../../guide/a%20b.html"' in (out / "lectures/index.html").read_text()
