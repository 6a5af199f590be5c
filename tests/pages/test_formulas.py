"""Which formulas of a course the page gets set, and as what."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from openbook.config import load_config
from openbook.course.catalogue import load_catalogue
from openbook.course.readers import read_source
from openbook.pages.formulas import formulas_of, tree_of

NOTES = r"""# Learning rates

## One step

A step is $w \leftarrow w - \eta
g$, with $\eta$ small and $n$ large, or {math}`x_i`. Broken: $\frac{$.

$$
L(w) = \sum_i
  \ell_i(w)
$$

> A quote with $e^{-t}$.
"""
DECK = "---\nmarp: true\n---\n\n# A slide\n\n$a^2$\n\n<!-- A note with $b^2$. -->\n"


def found(tmp_path: Path, texts: list[str] | None = None) -> dict[str, Any]:
    for name, text in {"notes.md": NOTES, "slides.md": DECK}.items():
        path = tmp_path / "lectures/l01-rates" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "openbook.toml").write_text('[course]\ntitle = "T"\n[sources]\nroot = "lectures"\n')
    config = load_config(tmp_path)
    lectures = load_catalogue(config, date(2026, 10, 1)).lectures
    readings = [read_source(source, config, lecture) for lecture in lectures for source in lecture.sources]
    passages = [block.text for one in readings for section in one.document.sections for block in section.blocks]
    return dict(formulas_of(readings, passages if texts is None else texts)["formulas"])


def test_formulas_are_keyed_by_what_the_passages_have_of_them(tmp_path: Path) -> None:
    assert set(found(tmp_path)) == {
        r"w \leftarrow w - \eta g",  # one line, as the sentence has it
        r"\eta",
        "x_i",
        "L(w) = \\sum_i\n  \\ell_i(w)",
        "e^{-t}",
        "a^2",
    }  # n is a letter like any other, and what cannot be read stays TeX


def test_what_no_passage_has_is_left_out(tmp_path: Path) -> None:
    assert set(found(tmp_path, [r"Only \eta is here."])) == {r"\eta"}


def test_a_formula_is_a_tree_of_names_attributes_and_text(tmp_path: Path) -> None:
    assert found(tmp_path)["a^2"] == ["math", {}, ["msup", {}, ["mi", {}, "a"], ["mn", {}, "2"]]]
    assert tree_of('<math><mo lspace="0">&lt;</mo><mspace/></math>') == [
        "math",
        {},
        ["mo", {"lspace": "0"}, "<"],
        ["mspace", {}],
    ]
