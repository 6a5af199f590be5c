"""Anchors are what links into a course are made of: the cases of ``fixtures/slugs.json`` may grow, not change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openbook.course.anchors import Slugger, explicit_id, slugify

CASES = json.loads((Path(__file__).parent / "fixtures" / "slugs.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("text", "slug"), CASES["slugs"])
def test_slug_of_a_heading(text, slug):
    assert slugify(text) == slug


@pytest.mark.parametrize(("headings", "anchors"), CASES["documents"])
def test_anchors_of_a_document(headings, anchors):
    slugger = Slugger()
    assert [slugger.heading(heading) for heading in headings] == anchors


@pytest.mark.parametrize(("label", "anchor"), CASES["explicit"])
def test_labels_stay_as_they_are_written(label, anchor):
    assert explicit_id(label) == anchor


@given(st.lists(st.text(max_size=8)))
def test_anchors_are_unique_never_empty_and_without_white_space(headings):
    slugger = Slugger(reserved=["links"])
    anchors = [slugger.heading(heading) for heading in headings]
    assert len(set(anchors)) == len(anchors)
    assert "links" not in anchors
    assert all(anchor and not any(char.isspace() for char in anchor) for anchor in anchors)
