"""PDFs by their text layer, made here and read again."""

# ruff: noqa: E501 — one line a page, one line a section
from __future__ import annotations

import io

import pytest
from decks_support import documents, kinds, make_pdf, outline
from pypdf import PdfReader, PdfWriter

from openbook.course.readers.pdf import read_pdf
from openbook.course.readers.pdf_text import join_lines, known_words, page_lines, running_lines
from openbook.errors import UnreadableSourceError

PAGES = [
    [(32, "Trees and forests"), (14, "Lecture 8"), (9, "DS 101 - 1 / 6")],
    [(28, "Splitting"), (14, "\u2022 by groups"), (14, "\u2022 by time"), (9, "DS 101 - 2 / 6")],
    [
        (28, "Splitting"),
        (14, "\u2022 by groups"),
        (14, "\u2022 by time"),
        (14, "\u2022 never at random"),
        (9, "DS 101 - 3 / 6"),
    ],
    [(9, "DS 101 - 4 / 6")],
    [
        (28, "A longer title that goes"),
        (28, "over two lines"),
        (14, "A sentence that is long enough to fill the whole line of the page and is over-"),
        (14, "fitting here. The end."),
        (9, "DS 101 - 5 / 6"),
    ],
    [(14, "x = 1"), (9, "DS 101 - 6 / 6")],
]


@pytest.fixture
def deck(tmp_path):
    pdf = make_pdf(PAGES, outline_of=[("Basics", 0), ("Practice", 4)])
    (found,) = documents(tmp_path, {"l1/slides.pdf": pdf})
    return found


def test_a_page_is_a_section(deck):
    assert outline(deck) == [
        "None Trees and forests > Basics |",
        "1 Trees and forests > Basics > Trees and forests | paragraph: 'Lecture 8'",
        "3 Trees and forests > Basics > Splitting | list: '- by groups\\n- by time\\n- never at random'",
        "None Trees and forests > Practice |",
        "5 Trees and forests > Practice > A longer title that goes over two lines | paragraph: 'A sentence that is long "
        "enough to fill the whole line of the page and is overfitting here. The end.'",
        "6 Trees and forests > Practice > x = 1 |",
    ]
    assert [section.anchor for section in deck.sections if section.slide] == ["page-1", "page-3", "page-5", "page-6"]


def test_what_is_left_out_is_said(deck):
    assert sorted(kinds(deck)) == ["page-without-text", "running-text", "slide-steps"]
    said = {warning.kind: warning.message for warning in deck.warnings}
    assert "DS 101" in said["running-text"]
    assert ": 2." in said["slide-steps"]
    assert ": 4." in said["page-without-text"]


def test_ligatures_and_broken_words():
    assert page_lines("e\ufb03cient\n\u2022\nitem") == ["efficient", "\u2022 item"]
    assert page_lines("over\u00ad\nfit") == ["over-", "fit"]
    assert page_lines("Coe\x1ecients \x10di\x1ber\x11\n\x88\nitem") == ["Coefficients “differ”", "• item"], (
        "TeX's bitmap fonts"
    )
    words = known_words([["a well-known case"]])
    assert join_lines("it is well-", "known that", words) == "it is well-known that"
    assert join_lines("it is over-", "fitting", words) == "it is overfitting"
    assert join_lines("the end", "of it", words) == "the end of it"
    assert join_lines("see X-", "Ray", words) == "see X- Ray"


def test_pages_on_the_left_and_on_the_right_have_heads_of_their_own():
    pages = [[f"Ann and Bob {n}" if n % 2 else f"{n} On Trees", f"Text {chr(97 + n)} of it."] for n in range(7, 17)]
    assert running_lines(pages) == {"ann and bob #": "Ann and Bob 7", "# on trees": "8 On Trees"}


def test_exercises_between_their_solutions_are_no_heads():
    pages = [
        [f"Exercise {n // 2}" if n % 2 else f"Solution {n // 2}", f"Text {chr(97 + n)} of it."] for n in range(7, 27)
    ]
    assert running_lines(pages) == {}


def test_a_scan_says_what_to_do():
    deck = read_pdf(make_pdf([[], [], []]), "scan.pdf")
    assert deck.sections == ()
    assert [warning.kind for warning in deck.warnings] == ["page-without-text"]
    assert "ocrmypdf" in deck.warnings[0].message


@pytest.mark.parametrize("data", [b"", b"not a PDF", b"%PDF-1.7\n" + bytes(100)])
def test_a_file_that_cannot_be_read_is_named(data):
    with pytest.raises(UnreadableSourceError, match=r"talk\.pdf: "):
        read_pdf(data, "talk.pdf")


def test_a_locked_file_is_named_and_an_empty_password_opens_one():
    for password, opens in (("secret", False), ("", True)):
        writer = PdfWriter(PdfReader(io.BytesIO(make_pdf([[(20, "Title"), (12, "text")]]))))
        writer.encrypt(password, owner_password="owner", algorithm="RC4-128")
        out = io.BytesIO()
        writer.write(out)
        if opens:
            assert read_pdf(out.getvalue(), "x.pdf").sections[0].title == "Title"
        else:
            with pytest.raises(UnreadableSourceError, match="password"):
                read_pdf(out.getvalue(), "x.pdf")


def test_a_damaged_file_never_crashes():
    data = make_pdf(PAGES)
    named = set()
    for start in range(0, len(data), len(data) // 30):
        try:
            read_pdf(data[:start] + b"\xff" * 25 + data[start + 25 :], "x.pdf")
        except UnreadableSourceError as error:
            named.add(error.source)
    assert named <= {"x.pdf"}


def test_notes_in_a_pdf_are_notes(tmp_path):
    pdf = make_pdf([[(20, "Intro"), (12, "Some text.")]], title="Course notes")
    (found,) = documents(tmp_path, {"l1/notes.pdf": pdf})
    assert (found.kind, found.title) == ("notes", "Course notes")


PROSE = [(12, "It was the best of times and it was the worst of times, said the lecturer, and went on to")] * 12


def book(title: str = "") -> bytes:
    return make_pdf(
        [PROSE, [(20, "Trees"), *PROSE], PROSE, [*PROSE, (20, "Late heading")]], paper=(540, 720), title=title
    )


def test_upright_pages_of_prose_are_notes_by_page(tmp_path):
    handout = make_pdf([[(12, "A few words")]] * 4, paper=(540, 720))
    wide = make_pdf([PROSE] * 4)
    found = documents(tmp_path, {"book.pdf": book("A book"), "handout.pdf": handout, "wide.pdf": wide})
    assert [(document.lecture, document.kind) for document in found] == [
        ("book", "notes"),
        ("handout", "slides"),
        ("wide", "slides"),
    ]
    assert [(section.title, section.slide) for section in found[0].sections] == [
        ("Page 1", 1),
        ("Trees", 2),
        ("Page 3", 3),
        ("Page 4", 4),
    ]
    assert "Late heading" in found[0].sections[3].blocks[-1].text


def test_settings_say_which_pdf_is_a_deck_and_which_is_notes(tmp_path):
    said = 'slides = ["book.pdf"]\nreaders = {"wide.pdf" = "pdf-notes"}\n'
    found = documents(tmp_path, {"book.pdf": book(), "wide.pdf": make_pdf([PROSE] * 4)}, said)
    assert [(document.lecture, document.kind) for document in found] == [("book", "slides"), ("wide", "notes")]
