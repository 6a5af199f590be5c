"""The pages speak the course's language where there are words in it, and say so where not."""

from __future__ import annotations

import re

import pytest

from openbook.pages.words import LANGUAGES, Words, entries, language_for

NOTES = "# Pumpen\n\n:::{warning}\nHeiß.\n:::\n\n- [x] gelesen\n"
DECK = "---\nmarp: true\n---\n\n# Pumpen\n\n---\n\n## Zwei\n\n<!-- Sprechen -->\n"


def settings(language: str) -> str:
    return f'[course]\ntitle = "Pumpen"\nlanguage = "{language}"\n[sources]\nroot = "lectures"\n'


def shape(entry: str | dict[str, str]) -> set[str]:
    forms = [entry] if isinstance(entry, str) else list(entry.values())
    places = {frozenset(re.findall(r"\{(\w+)\}", form)) for form in forms}
    assert len(places) == 1, entry
    return set(places.pop())


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_the_keys_and_places_of_english(language):
    english, theirs = entries("en"), entries(language)
    assert list(theirs) == list(english)
    assert {key: shape(entry) for key, entry in theirs.items()} == {key: shape(entry) for key, entry in english.items()}


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_no_language_is_english_by_another_name(language):
    same = {key for key, entry in entries(language).items() if entry == entries("en")[key]}
    assert same <= {"boxes.definition", "boxes.lemma", "boxes.details", "boxes.error"}


def test_a_course_in_german_has_pages_in_german(course):
    site = course({"lectures/a/notes.md": NOTES, "lectures/a/slides.md": DECK}, settings=settings("de"))
    notes, deck = site.page("lectures/a/notes.html"), site.page("lectures/a/slides.html")
    for word in ("Zum Inhalt springen", "Vorlesung", "Skript", "Fragen zu dieser Vorlesung", "Warnung", "Erledigt"):
        assert word in notes
    assert "2 Folien" in deck
    assert "<kbd>←</kbd> und <kbd>→</kbd> blättern zur Folie" in deck
    assert "Vortragsnotizen" in deck
    overview = site.page("lectures/index.html")
    assert "Pumpen: 1 Vorlesung freigegeben, Stand 2026-10-01." in overview
    assert 'aria-label="Folien zu Pumpen"' in overview
    for page in (notes, deck, overview):
        assert 'lang="en"' not in page
        assert not re.search(r"\b(Lectures?|Slides|Ask|Notes|Skip|sends)\b", re.sub(r"<[^>]*>", "", page))


def test_a_course_in_a_language_without_words_is_framed_in_english_and_says_so(course):
    page = course({"lectures/a/notes.md": "# Pompes\n"}, settings=settings("fr")).page("lectures/a/notes.html")
    assert '<html lang="fr" dir="ltr">' in page
    assert '<nav aria-label="Site" lang="en" dir="ltr">' in page


def test_one_is_said_of_one(course):
    say = Words("es-MX")
    assert say("deck.slides", n=1) == "1 diapositiva"
    assert say("deck.slides", n=0) == "0 diapositivas"
    assert Words("zh")("deck.slides", n=1) == "1 张幻灯片"


def test_readers_of_traditional_characters_get_english():
    assert [language_for(tag) for tag in ("zh", "zh-Hans-SG", "zh-CN", "zh-TW", "zh-Hant", "DE-at", "")] == [
        "zh", "zh", "zh", "en", "en", "de", "en",
    ]  # fmt: skip


def test_a_place_without_its_value_is_an_error_and_no_hole():
    with pytest.raises(KeyError):
        Words()("overview.lead", n=2)
