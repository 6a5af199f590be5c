"""``<open-book>`` in notes and decks becomes a frame of the course's own site, and nothing else does."""

from __future__ import annotations

DECK = '---\nmarp: true\n---\n\n# Pumps\n\n---\n\n## Ask\n\n<open-book compact question="What & why?"></open-book>\n'


def test_a_deck_ends_with_the_page_that_answers_and_a_link_on_paper(course):
    site = course({"lectures/a/slides.md": DECK})
    page = site.page("lectures/a/slides.html")
    assert (
        '<iframe class="book" src="../../embed.html?question=What+%26+why%3F&amp;compact=&amp;target=_parent"'
        ' title="Ask the notes" lang="en" loading="lazy"></iframe>'
        '<a class="book-link" href="../../index.html#q=What+%26+why%3F">Ask the notes</a>'
    ) in page
    assert "frame-src &#39;self&#39;" in page
    assert site.kinds() == []


def test_what_stands_in_it_stays_for_whoever_cannot_ask(fragment):
    assert "<p>See Wear</p>" in fragment("<open-book>\n<p>See Wear</p>\n</open-book>\n").replace("\n", "")


def test_another_site_and_any_other_frame_are_not_shown(course):
    lines = (
        "# A\n\n<open-book src='https://elsewhere.example/'></open-book>\n\n<open-book src=' //elsewhere.example'>"
        "</open-book>\n\n<open-book src=javascript:alert(1)></open-book>\n\n<iframe src='../../embed.html'></iframe>\n"
    )
    site = course({"lectures/a/notes.md": lines})
    assert "<iframe" not in site.page("lectures/a/notes.html")
    assert site.kinds() == ["html"] * 4


def test_attributes_that_it_does_not_know_are_left_out(fragment):
    html = fragment('<open-book onload="alert(1)" style="x" class="y" lecture="l1&quot;><script>"></open-book>\n')
    assert "alert" not in html
    assert "<script>" not in html
    assert "?lecture=l1%22%3E%3Cscript%3E&amp;target=_parent" in html
