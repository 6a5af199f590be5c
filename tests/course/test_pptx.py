"""Decks in PowerPoint's format, made here and read again."""

# ruff: noqa: E501 — XML as PowerPoint writes it
from __future__ import annotations

import io
from typing import Any

import pytest
from decks_support import documents, outline, words
from lxml import etree
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn
from pptx.util import Inches, Pt

from openbook.course.readers.pptx import read_pptx
from openbook.course.readers.pptx_text import Placed, diagram_lines, reading_order
from openbook.errors import UnreadableSourceError

TITLE, BODY, TITLE_ONLY, BLANK = 0, 1, 5, 6
PNG = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xff\xff?\0\x05"
    b"\xfe\x02\xfe\xa75\x81\x84\0\0\0\0IEND\xaeB`\x82"
)


def saved(deck: Any) -> bytes:
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue()


def add(deck: Any, layout: int, title: str = "") -> Any:
    slide = deck.slides.add_slide(deck.slide_layouts[layout])
    if title:
        slide.shapes.title.text = title
    return slide


def box(parent: Any, text: str, left: float, top: float, size: int | None = None, width: float = 3) -> Any:
    shape = parent.add_textbox(Inches(left), Inches(top), Inches(width), Inches(0.6))
    shape.text_frame.text = text
    if size:
        shape.text_frame.paragraphs[0].runs[0].font.size = Pt(size)
    return shape


def lecture() -> bytes:
    deck = Presentation()
    add(deck, TITLE, "Waves").placeholders[1].text = "Physics 1"
    slide = add(deck, BODY, "Sound")
    frame = slide.placeholders[1].text_frame
    frame.text = "It travels"
    for level, text in ((1, "in air"), (1, "in water"), (0, "It is heard")):
        line = frame.add_paragraph()
        line.level, line.text = level, text
    slide.notes_slide.notes_text_frame.text = "Clap hands.\nWait."
    slide = add(deck, TITLE_ONLY, "Columns")
    for text, left, top in (("R1", 5, 2), ("L2", 1, 3), ("R2", 5, 3), ("L1", 1, 2), ("Foot", 1, 6)):
        box(slide.shapes, text, left, top, width=8 if text == "Foot" else 3)
    slide = add(deck, BLANK)
    group = slide.shapes.add_group_shape()
    inner = group.shapes.add_group_shape()
    box(inner.shapes, "Deep below", 1, 4)
    box(group.shapes, "Above", 1, 2)
    slide = add(deck, TITLE_ONLY, "Numbers")
    table = slide.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for index, text in enumerate(("Medium", "m/s", "air", "343")):
        table.cell(index // 2, index % 2).text = text
    data = CategoryChartData()
    data.categories = ["air", "water"]
    data.add_series("Speed", (343, 1481.5))
    chart = slide.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(4), Inches(4), Inches(2), data
    ).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "How fast"
    slide = add(deck, BLANK)
    slide.shapes.add_picture(io.BytesIO(PNG), Inches(1), Inches(1))
    slide = add(deck, TITLE_ONLY, "Old")
    slide.element.set("show", "0")
    slide = add(deck, BLANK)
    box(slide.shapes, "A drawn title", 1, 0.5, 40)
    box(slide.shapes, "small text", 1, 3, 14)
    picture = slide.shapes.add_picture(io.BytesIO(PNG), Inches(1), Inches(5))
    picture._element.nvPicPr.cNvPr.set("descr", "A tuning fork\n\nDescription automatically generated")
    slide = add(deck, BLANK)
    slide.notes_slide.notes_text_frame.text = "Only notes."
    return saved(deck)


@pytest.fixture
def deck(tmp_path):
    (found,) = documents(tmp_path, {"l1/slides.pptx": lecture()})
    return found


def test_everything_that_a_slide_can_say(deck):
    assert outline(deck) == [
        "1 Waves | paragraph: 'Physics 1'",
        "2 Waves > Sound | list: '- It travels\\n  - in air\\n  - in water\\n- It is heard'; "
        "speaker-notes: 'Clap hands.\\n\\nWait.'",
        "3 Waves > Columns | paragraph: 'L1'; paragraph: 'L2'; paragraph: 'R1'; paragraph: 'R2'; paragraph: 'Foot'",
        "4 Waves > Columns (cont.) | paragraph: 'Above'; paragraph: 'Deep below'",
        "5 Waves > Numbers | table: 'Medium | m/s\\nair | 343'; table: 'How fast\\n | Speed\\nair | 343\\nwater | 1481.5'",
        "8 Waves > A drawn title | paragraph: 'small text'; figure: 'A tuning fork'",
        "9 Waves > A drawn title (cont.) | speaker-notes: 'Only notes.'",
    ]


def test_what_is_not_read_is_said(deck):
    assert [(warning.kind, warning.message.partition(":")[2].split(".")[0]) for warning in deck.warnings] == [
        ("hidden-slide", " 7"),
        ("picture-slide", " 6"),
    ]


def test_sections_of_the_deck_are_headings_above_its_slides(tmp_path):
    deck = Presentation()
    for title in ("Start", "One", "Two", "Part B", "Three"):
        add(deck, TITLE_ONLY, title)
    ids = [slide.slide_id for slide in deck.slides]
    space = "http://schemas.microsoft.com/office/powerpoint/2010/main"
    entries = "".join(
        f'<p14:section name="{name}" id="{{{n}}}"><p14:sldIdLst>'
        + "".join(f'<p14:sldId id="{id_}"/>' for id_ in members)
        + "</p14:sldIdLst></p14:section>"
        for n, (name, members) in enumerate((("Part A", ids[1:3]), ("Part B", ids[3:])))
    )
    xml = (
        '<p:extLst xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:ext uri="x">'
        f'<p14:sectionLst xmlns:p14="{space}">{entries}</p14:sectionLst></p:ext></p:extLst>'
    )
    deck.element.append(parse_xml(xml))
    (found,) = documents(tmp_path, {"l1/slides.pptx": saved(deck)})
    assert [line.split(" |")[0] for line in outline(found)] == [
        "1 Start", "None Start > Part A", "2 Start > Part A > One", "3 Start > Part A > Two", "4 Start > Part B",
        "5 Start > Part B > Three",
    ]  # fmt: skip


def test_formulas_are_read_even_inside_an_alternative():
    deck = Presentation()
    slide = add(deck, TITLE_ONLY, "Energy")
    shape = box(slide.shapes, "Mass and", 1, 2)
    m = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    math = (
        f'<a14:m xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main" xmlns:m="{m}"><m:oMath><m:r><m:t>E=</m:t>'
        "</m:r><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f><m:sSup><m:e><m:r>"
        "<m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></a14:m>"
    )
    shape.text_frame.paragraphs[0]._p.append(etree.fromstring(math))
    # PowerPoint wraps a shape with a formula, which python-pptx then does not list
    wrapped = etree.fromstring(
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        '<mc:Choice Requires="a14"/><mc:Fallback/></mc:AlternateContent>'
    )
    shape._element.addprevious(wrapped)
    wrapped[0].append(shape._element)
    found = read_pptx(saved(deck), "x.pptx")
    assert [block.text for block in found.sections[0].blocks] == ["Mass andE=(a+b)/2c^2"]


def test_smart_art_is_a_list():
    space = (
        'xmlns:d="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:a="' + qn("a:t")[1:].partition("}")[0]
    )
    points = "".join(
        f'<d:pt modelId="{n}"><d:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></d:t></d:pt>'
        for n, text in ((1, "Plan"), (2, "Do"), (3, "Check"))
    )
    links = (
        '<d:cxn srcId="0" destId="3" srcOrd="1"/><d:cxn srcId="0" destId="1" srcOrd="0"/><d:cxn srcId="1" destId="2"/>'
    )
    xml = f'<d:dataModel {space}"><d:ptLst><d:pt modelId="0" type="doc"/>{points}</d:ptLst><d:cxnLst>{links}</d:cxnLst>'
    lines = diagram_lines(f"{xml}</d:dataModel>".encode())
    assert [(line.level, line.text) for line in lines] == [(0, "Plan"), (1, "Do"), (0, "Check")]


def test_code_in_a_typewriter_s_letters_keeps_its_lines():
    deck = Presentation()
    shape = box(add(deck, TITLE_ONLY, "Code").shapes, "def f():", 1, 2)
    shape.text_frame.add_paragraph().text = "    return 1"
    for line in shape.text_frame.paragraphs:
        line.runs[0].font.name = "Consolas"
    (block,) = read_pptx(saved(deck), "x.pptx").sections[0].blocks
    assert (block.kind, block.text) == ("code", "def f():\n    return 1")


def test_a_grid_is_read_row_by_row_and_columns_under_headings_one_by_one():
    def at(name: str, column: int, row: int) -> Placed:
        return Placed(column * 100, row * 100, column * 100 + 90, row * 100 + 90, name)

    grid = [at(f"{row}{column}", column, row) for column in range(4) for row in range(2)]
    assert reading_order(grid, 5) == ["00", "01", "02", "03", "10", "11", "12", "13"]
    assert reading_order([at("b", 0, 1), at("d", 1, 1), at("c", 1, 0), at("a", 0, 0)], 5) == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest", "password"),
        (b"PK\x03\x04not a zip", "cannot be read"),
        (b"", "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(data, said):
    with pytest.raises(UnreadableSourceError, match=rf"talk\.pptx: .*{said}"):
        read_pptx(data, "talk.pptx")


def test_a_damaged_file_never_crashes():
    data = lecture()
    named = set()
    for start in range(0, len(data), len(data) // 25):
        broken = data[:start] + bytes(40) + data[start + 40 :]
        try:
            read_pptx(broken, "x.pptx")
        except UnreadableSourceError as error:
            named.add(error.source)
    assert named <= {"x.pptx"}


def test_no_word_of_real_decks_is_lost(shared_data):
    paths = sorted((shared_data / "corpora/slide-samples/pptx").glob("*.pptx"))
    assert paths
    for path in paths:
        raw = path.read_bytes()
        deck = read_pptx(raw, path.name)
        found = words(" ".join(f"{s.title} {' '.join(b.text for b in s.blocks)}" for s in deck.sections))
        shown: set[str] = set()
        for slide in Presentation(io.BytesIO(raw)).slides:
            for shape in slide.shapes:
                if shape.has_text_frame:
                    shown |= words(shape.text_frame.text)
        assert {word for word in shown if not word.isdecimal()} <= found, path.name  # numbers of slides are no text
