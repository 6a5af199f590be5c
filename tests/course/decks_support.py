"""What the tests of decks share: a course of one file, and a PDF made by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path

from openbook.config import load_config
from openbook.course.catalogue import load_catalogue
from openbook.course.document import Document
from openbook.course.readers import read


def documents(root: Path, files: dict[str, str | bytes], settings: str = "") -> list[Document]:
    """Write files into a course and read it."""
    for name, content in files.items():
        path = root / "lectures" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (root / "openbook.toml").write_text(f'[sources]\nroot = "lectures"\n{settings}')
    config = load_config(root)
    catalogue = load_catalogue(config, date(2026, 11, 1))
    return [read(source, config, lecture) for lecture in catalogue.lectures for source in lecture.sources]


def outline(document: Document) -> list[str]:
    """Return one line a section: its slide, its heading path, its blocks."""
    lines = []
    for section, path in document.paths():
        blocks = "; ".join(f"{block.kind}: {block.text!r}" for block in section.blocks)
        lines.append(f"{section.slide} {' > '.join(path)} | {blocks}".rstrip())
    return lines


def words(text: str) -> set[str]:
    """Return the words of a text, without case."""
    return {word.casefold() for word in re.findall(r"[^\W_]+", text)}


def words_of(document: Document) -> set[str]:
    """Return every word of a document: of its titles and of its blocks."""
    texts = [document.title]
    for section in document.sections:
        texts += [section.title, *(block.text for block in section.blocks)]
    return words(" ".join(texts))


def kinds(document: Document) -> list[str]:
    """Return the kinds of a document's warnings."""
    return [warning.kind for warning in document.warnings]


Line = tuple[int, str]
"""Size of the letters, and the text."""


def make_pdf(
    pages: Iterable[Sequence[Line]],
    outline_of: Sequence[tuple[str, int]] = (),
    title: str = "",
    paper: tuple[int, int] = (720, 540),
) -> bytes:
    """Write a PDF: each page is lines from the top, each in a size. A page without lines has no text layer."""
    from io import BytesIO

    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = PdfWriter()
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
            NameObject("/Encoding"): NameObject("/WinAnsiEncoding"),
        }
    )
    for lines in pages:
        page = writer.add_blank_page(*paper)
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
        )
        y, parts = paper[1] - 40, []
        for size, text in lines:
            escaped = text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
            parts.append(b"BT /F1 %d Tf 1 0 0 1 40 %d Tm (%s) Tj ET" % (size, y, escaped))
            y -= size + 8
        stream = DecodedStreamObject()
        stream.set_data(b"\n".join(parts))
        page[NameObject("/Contents")] = writer._add_object(stream)
    for name, number in outline_of:
        writer.add_outline_item(name, number)
    if title:
        writer.add_metadata({"/Title": title})
    out = BytesIO()
    writer.write(out)
    return out.getvalue()
