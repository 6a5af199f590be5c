"""Tabs of a page: which element is the panel of which label.

Scripts show one panel at a time; read is each, under its label. Known are the roles that the standard for accessible
pages gives them (Docusaurus, Starlight, Quarto, Bootstrap), and labels of radio buttons (VitePress, Material, Hugo's
themes, sphinx-design).
"""

from __future__ import annotations

from selectolax.lexbor import LexborNode

_FAR = 4


def is_tab_list(node: LexborNode) -> bool:
    """Tell whether an element holds the labels of tabs whose panels are read under them."""
    if node.attributes.get("role") == "tablist":
        return any(True for _ in _panels_near(node))
    if not _labels(node) or node.parent is None:
        return False
    beside = _elements(node.parent)
    at = [child.mem_id for child in beside].index(node.mem_id) + 1
    return at < len(beside) and len(_elements(beside[at])) == len(_labels(node))


def tab_title(node: LexborNode) -> str:
    """Return the label of the tab whose panel an element is; "" when it is none."""
    if node.attributes.get("role") == "tabpanel":
        return _of_role(node)
    before = _element_before(node)
    if before is not None and before.tag == "label" and _is_switch(_element_before(before)):
        return _text(before)
    parent = node.parent
    group = _element_before(parent) if parent is not None else None
    labels = _labels(group) if group is not None else []
    if labels and parent is not None:
        panels = [child.mem_id for child in _elements(parent)]
        at = panels.index(node.mem_id)
        return _text(labels[at]) if len(panels) == len(labels) else ""
    return ""


def _of_role(panel: LexborNode) -> str:
    own = panel.attributes.get("id") or ""
    names = {panel.attributes.get("aria-labelledby"), panel.attributes.get("aria-labelled-by")} - {None, ""}
    tabs = _tabs_near(panel)
    for tab in tabs:
        at = tab.attributes
        leads = {at.get("aria-controls"), *((at.get(key) or "")[1:] for key in ("href", "data-bs-target"))}
        if at.get("id") in names or (own and own in leads):
            return _text(tab)
    parent = panel.parent
    if parent is None:
        return ""
    panels = [child.mem_id for child in _elements(parent) if child.attributes.get("role") == "tabpanel"]
    return _text(tabs[panels.index(panel.mem_id)]) if len(panels) == len(tabs) else ""


def _tabs_near(panel: LexborNode) -> list[LexborNode]:
    """Return the tabs of the nearest list of tabs round an element."""
    node = panel.parent
    for _ in range(_FAR):
        if node is None:
            break
        for group in node.css('[role="tablist"]'):
            if not _within(group, panel):
                return group.css('[role="tab"]')
        node = node.parent
    return []


def _panels_near(tabs: LexborNode) -> list[LexborNode]:
    node = tabs.parent
    for _ in range(_FAR - 1):
        if node is None:
            break
        found = node.css('[role="tabpanel"]')
        if found:
            return found
        node = node.parent
    return []


def _within(node: LexborNode, outer: LexborNode) -> bool:
    parent: LexborNode | None = node
    while parent is not None:
        if parent.mem_id == outer.mem_id:
            return True
        parent = parent.parent
    return False


def _labels(group: LexborNode) -> list[LexborNode]:
    """Return the labels of a group of nothing but labels and their radio buttons."""
    inside = _elements(group)
    labels = [child for child in inside if child.tag == "label"]
    return labels if len(labels) + sum(_is_switch(child) for child in inside) == len(inside) else []


def _elements(node: LexborNode) -> list[LexborNode]:
    return [child for child in node.iter() if not (child.tag or "-").startswith("-")]


def _is_switch(node: LexborNode | None) -> bool:
    return node is not None and node.tag == "input" and node.attributes.get("type") in ("radio", "checkbox")


def _element_before(node: LexborNode) -> LexborNode | None:
    before = node.prev
    while before is not None and before.tag in ("-text", "-comment"):
        if (before.text_content or "").strip() and before.tag == "-text":
            return None
        before = before.prev
    return before


def _text(node: LexborNode) -> str:
    return " ".join((node.text(separator=" ") or "").split())
