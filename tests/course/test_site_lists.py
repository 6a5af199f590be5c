"""Pages of a site that show other pages in whole."""

from __future__ import annotations

from openbook.course.document import Block, Document, Section
from openbook.course.site_lists import without_lists

ROOTS = "Roots hold a tree in the ground and drink from it."
TRUNK = "The trunk carries water up and sugar down all year long."
LEAVES = "Leaves make sugar from light, water and air, in green cells."
OWN = "Welcome to the course, in which we go from the ground up."


def document(name: str, **sections: list[str]) -> Document:
    return Document(
        lecture=name,
        kind="notes",
        title=name,
        source=f"{name}.html",
        url=f"../{name}.html",
        sections=tuple(
            Section(
                level=1 if anchor == "top" else 2,
                title=anchor,
                anchor=anchor,
                blocks=tuple(Block(kind="paragraph", text=text, start_line=1, end_line=1) for text in texts),
                start_line=1,
                end_line=1,
            )
            for anchor, texts in sections.items()
        ),
    )


def site(*documents: Document) -> tuple[list[str], list[str]]:
    found, warnings = without_lists({one.source: one for one in documents}, "site")
    shown = [
        f"{page.title}: " + " | ".join(block.text for section in page.sections for block in section.blocks)
        for page in found.values()
    ]
    return shown, [f"{warning.kind}: {warning.message}" for warning in warnings]


POSTS = (
    document("roots", top=[ROOTS], more=["Exercise"]),
    document("trunk", top=[TRUNK]),
    document("leaves", top=[LEAVES]),
)


def test_a_page_that_shows_others_keeps_what_is_its_own():
    index = document("index", top=[OWN, "Roots", ROOTS], more=["Exercise", "Trunk", TRUNK, "Leaves", LEAVES])
    listed = document("posts", top=["Posts", ROOTS, TRUNK, LEAVES])
    shown, told = site(index, listed, *POSTS)
    assert shown == [f"index: {OWN}", f"roots: {ROOTS} | Exercise", f"trunk: {TRUNK}", f"leaves: {LEAVES}"]
    assert told == ["left-out: what pages show of other pages is read there alone: index.html, posts.html."]


def test_two_versions_of_a_page_are_both_read():
    old = document("old", top=[ROOTS, TRUNK])
    shown, told = site(old, document("new", top=[ROOTS, TRUNK]), document("newest", top=[ROOTS, TRUNK, LEAVES]))
    assert len(shown) == 3
    assert told == []


def test_a_page_that_repeats_a_little_of_others_is_read_whole():
    essay = document("essay", top=[ROOTS, TRUNK, OWN, f"{OWN} Again.", f"{OWN} And again."])
    shown, told = site(essay, *POSTS)
    assert shown[0].startswith(f"essay: {ROOTS}")
    assert told == []


def test_parts_that_several_pages_include_stay_where_they_are():
    more = [f"The page on roots says this of them, number {n} of many." for n in range(5)]
    roots = document("roots", top=[ROOTS, *more])
    trunk = document("trunk", top=[TRUNK, *(text.replace("roots", "trunks") for text in more)])
    shown, told = site(document("both", top=[ROOTS, TRUNK]), roots, trunk)
    assert shown[0] == f"both: {ROOTS} | {TRUNK}"
    assert told == []
