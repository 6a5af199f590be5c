"""A link that leads nowhere fails the build and says where it stands."""

from __future__ import annotations

from datetime import date

import msgspec
import pytest

from openbook.chunking import Chunk
from openbook.errors import DanglingLinkError
from openbook.pages.links import LinkCheck, page_facts, raise_for_dangling

LEADING = """# A

[1](../b/notes.md) [2](../b/notes.md#wear) [3](../b/slides.md#second-slide) [4](#a) [5](../b/data.csv)
[6](../c/notes.md#größe) [7](../b/) [8](../b/notes.html#wear) [9](/b/notes.md) <span id="here"></span>
[10](#here) [11](https://example.org/#x) [12](../b/notes) [13](largest) [^n]

[^n]: x

(largest)=
## Largest
"""
B = {"lectures/b/notes.md": "# B\n\n## Wear\n"}


def test_a_missing_file_fails_with_file_and_line(course):
    with pytest.raises(DanglingLinkError) as caught:
        course({"lectures/a/notes.md": "# A\n\nSee\n[this](../c/notes.md).\n"})
    assert (caught.value.source, caught.value.line) == ("lectures/a/notes.md", 4)
    assert "'../c/notes.md' leads to no file" in str(caught.value)


def test_a_missing_heading_fails_with_file_and_line(course):
    with pytest.raises(DanglingLinkError) as caught:
        course({**B, "lectures/a/notes.md": "# A\n\n[this](../b/notes.md#tear)\n"})
    assert (caught.value.source, caught.value.line) == ("lectures/a/notes.md", 3)
    assert "#tear" in str(caught.value)


def test_a_missing_heading_of_the_same_page_fails(course):
    with pytest.raises(DanglingLinkError, match="#nowhere"):
        course({"lectures/a/notes.md": "# A\n\n[this](#nowhere)\n"})


def test_a_dangling_link_in_raw_html_fails_with_its_line(course):
    with pytest.raises(DanglingLinkError) as caught:
        course({"lectures/a/notes.md": '# A\n\n<div>\n<a href="#nowhere">x</a>\n</div>\n'})
    assert caught.value.line == 4


def test_a_dangling_link_on_a_slide_and_in_its_notes_fails(course):
    with pytest.raises(DanglingLinkError) as caught:
        course({"lectures/a/slides.md": "---\nmarp: true\n---\n# A\n\n[x](#no)\n\n<!--\nSee [y](no.md).\n-->\n"})
    assert "lectures/a/slides.md:6" in str(caught.value)
    assert "lectures/a/slides.md:8" in str(caught.value)


def test_all_are_reported_at_once(course):
    with pytest.raises(DanglingLinkError) as caught:
        course({"lectures/a/notes.md": "# A\n\n[x](no.md) [y](#no)\n\n[z](never.md)\n"})
    assert [text in str(caught.value) for text in ("3 links", "no.md", "#no", "notes.md:5")] == [True] * 4


def test_a_course_without_settings_only_warns(course):
    site = course({"a/notes.md": "# A\n\n[x](no.md)\n"}, settings=None)
    assert [(w.kind, w.source, w.line) for w in site.report.warnings] == [("dangling-link", "a/notes.md", 3)]
    assert "<a>x</a>" in site.page("lectures/a/notes.html")


def test_links_that_lead_somewhere_pass(course):
    site = course(
        {
            **B,
            "lectures/b/slides.md": "---\nmarp: true\n---\n# Deck\n\n---\n\n## Second slide\n",
            "lectures/b/data.csv": "a,b\n",
            "lectures/c/notes.md": "# Größe\n\n(größe)=\n## Über\n",
            "lectures/a/notes.md": LEADING,
        }
    )
    page = site.page("lectures/a/notes.html")
    assert '<a href="../b/slides.html#second-slide">3</a>' in page
    assert '<a href="../b/data.csv">5</a>' in page
    assert '<a href="#largest">13</a>' in page
    assert (site.out / "lectures/b/data.csv").read_text() == "a,b\n"
    assert site.kinds() == []


def test_every_address_is_relative(course):
    site = course(
        {**B, "lectures/a/notes.md": "# A\n\n[x](/b/notes.md)\n", "lectures/a/slides.md": "---\nmarp: true\n---\n# A\n"}
    )
    for url in site.report.pages:
        for address in page_facts(site.page(url)).addresses:
            assert not address.startswith("/"), (url, address)


def test_a_link_to_an_unreleased_lecture_is_text_and_tells_nothing_of_it(course):
    hidden = "---\ntitle: Hidden\nrelease: 2026-12-01\n---\n# Hidden\n\n## Secret heading\n"
    files = {
        "lectures/h/notes.md": hidden,
        "lectures/h/figures/secret.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
        "lectures/a/notes.md": "# A\n\n[later](../h/notes.md#secret-heading) ![x](../h/figures/secret.svg)\n",
    }
    site = course(files)
    page = site.page("lectures/a/notes.html")
    assert "<a>later</a>" in page
    assert "secret" not in page
    assert not (site.out / "lectures/h").exists()
    assert site.kinds() == ["unreleased-link", "unreleased-file"]
    released = course(files, as_of=date(2026, 12, 1))
    assert '<a href="../h/notes.html#secret-heading">later</a>' in released.page("lectures/a/notes.html")
    assert (released.out / "lectures/h/figures/secret.svg").is_file()


def test_an_unreleased_lecture_that_is_one_file_hides_too(course):
    site = course({"lectures/a.md": "# A\n\n[later](b.md)\n", "lectures/b.md": "---\nrelease: 2027-01-01\n---\n# B\n"})
    assert "<a>later</a>" in site.page("lectures/a/notes.html")
    assert site.kinds() == ["unreleased-link"]


def test_files_outside_of_the_course_stay_there(course, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "x.svg"
    outside.write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    site = course({"lectures/a/notes.md": f"# A\n\n![x]({'../' * 20}{outside.relative_to('/')})\n"})
    assert site.kinds() == ["outside-root"]


@pytest.mark.parametrize("name", [".env", "run.html", "app.js", "data.unknown"])
def test_hidden_and_active_files_are_not_taken_along(course, name):
    with pytest.raises(DanglingLinkError, match="no page of the course"):
        course({"lectures/a/notes.md": f"# A\n\n[x]({name})\n", f"lectures/a/{name}": "x"})


def test_an_svg_with_a_script_is_left_out(course):
    site = course(
        {
            "lectures/a/notes.md": "# A\n\n![x](x.svg)\n",
            "lectures/a/x.svg": "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        }
    )
    assert site.kinds() == ["active-svg"]
    assert not (site.out / "lectures/a/x.svg").exists()


def test_ids_given_twice_are_noticed(course):
    site = course({"lectures/a/notes.md": '# A\n\n<span id="x"></span>\n\n<span id="x"></span>\n'})
    assert site.kinds() == ["duplicate-id"]


def chunk(url):
    defaults = {field.name: "" for field in msgspec.structs.fields(Chunk)}
    numbers = dict.fromkeys(("part", "parts", "start_line", "end_line", "tokens", "words"), 1)
    return Chunk(
        **{**defaults, **numbers, "id": "c", "path": (), "source": "lectures/a/notes.md", "start_line": 7, "url": url}
    )


def test_a_citation_that_leads_nowhere_fails_even_without_settings(course):
    site = course({"lectures/a/notes.md": "# A\n\n## Wear\n"})
    check = LinkCheck(site.out, site.report.pages)
    assert check.chunks([chunk("lectures/a/notes.html#wear")]) == []
    for url in ("lectures/a/notes.html#tear", "lectures/b/notes.html#wear", "lectures/a/notes.html"):
        broken = check.chunks([chunk(url)])
        with pytest.raises(DanglingLinkError) as caught:
            raise_for_dangling(broken)
        assert (caught.value.source, caught.value.line) == ("lectures/a/notes.md", 7)


def test_a_build_verifies_its_citations(course):
    with pytest.raises(DanglingLinkError, match="is cited by c"):
        course({"a/notes.md": "# A\n"}, settings=None, chunks=[chunk("lectures/a/notes.html#wear")])


def test_the_check_reads_what_was_built(course):
    site = course({"lectures/a/notes.md": "# A\n\n[x](#b)\n\n## B\n"})
    page = site.out / "lectures/a/notes.html"
    page.write_text(page.read_text().replace('id="b"', 'id="c"'))
    found = LinkCheck(site.out, site.report.pages).dangling([])
    assert found
    assert {item.written for item in found} == {"#b"}
