"""DrawingML → text: paragraphs, lists, formulas, diagrams, and the order in which a slide is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from lxml import etree

from openbook.course.document import Block
from openbook.course.readers.plain_blocks import code_block, item_text, list_block, paragraph, squeeze

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_MONOSPACE = ("consol", "courier", "menlo", "monaco", "mono", "cascadia", "inconsolata", "source code", "fira code")
_UNSEEN_FIELDS = ("slidenum", "datetime")
_INDENT = "  "

Element = Any
"""An lxml element: python-pptx's classes for them are not typed."""


def local(element: Element) -> str:
    """Return an element's name without its namespace; "" for a comment."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def paragraph_text(element: Element) -> str:
    r"""Return the text of ``a:p``, formulas as one line; a break that the author forced is ``\n``."""
    pieces: list[str] = []
    for child in element:
        name = local(child)
        if name == "r":
            pieces.append("".join(part.text or "" for part in child.iter(f"{_A}t")))
        elif name == "br":
            pieces.append("\n")
        elif name == "fld" and not (child.get("type") or "").startswith(_UNSEEN_FIELDS):
            pieces.append("".join(part.text or "" for part in child.iter(f"{_A}t")))
        elif name == "AlternateContent":
            choice = next((part for part in child if local(part) == "Choice"), None)
            pieces.append(_alternative(choice) if choice is not None else "")
        elif name == "m":
            pieces.append(formula(child))
    return "".join(pieces).replace("\v", "\n")


def _alternative(choice: Element) -> str:
    return "".join(formula(part) if local(part) == "m" else paragraph_text_of_run(part) for part in choice)


def paragraph_text_of_run(element: Element) -> str:
    """Return the text of a run, wherever it stands."""
    return "".join(part.text or "" for part in element.iter(f"{_A}t"))


def formula(element: Element) -> str:
    """Return an Office formula as one line: ``(a+b)/2``, ``x^2``, ``√(y)``."""
    name = local(element)
    if name == "t":
        return element.text or ""

    def part(wanted: str) -> str:
        found = next((child for child in element if local(child) == wanted), None)
        return "".join(map(formula, found)) if found is not None else ""

    def held(text: str) -> str:
        return text if len(text) == 1 or text.isalnum() else f"({text})"

    if name == "f":
        return f"{held(part('num'))}/{held(part('den'))}"
    if name in ("sSup", "sSub", "sSubSup", "nary"):
        below, above = part("sub"), part("sup")
        scripts = (f"_{held(below)}" if below else "") + (f"^{held(above)}" if above else "")
        if name != "nary":
            return part("e") + scripts
        sign = next((child.get(key) for child in element.iter() if local(child) == "chr" for key in child.attrib), "∫")
        return f"{sign}{scripts} {part('e')}"
    if name == "rad":
        return f"{part('deg')}√{held(part('e'))}"
    if name == "d":
        inner = ", ".join("".join(map(formula, child)) for child in element if local(child) == "e")
        return f"({inner})"
    if name == "mr":
        return ", ".join("".join(map(formula, child)) for child in element if local(child) == "e") + "; "
    return "".join(map(formula, element))


class Line(NamedTuple):
    """A paragraph of a text frame: its level from 0, its marker ("" for running text), its text."""

    level: int
    marker: str
    text: str


def frame_blocks(frame: Element, number: int, *, bullets: bool) -> list[Block]:
    """Return the blocks of a text body.

    Args:
        frame: ``p:txBody`` or ``a:txBody``.
        number: of the slide.
        bullets: whether its paragraphs are list items unless they say otherwise.
    """
    paragraphs = [child for child in frame if local(child) == "p"]
    if _is_code(frame):
        text = "\n".join(paragraph_text(element) for element in paragraphs)
        return [block for block in [code_block(text, "", number)] if block is not None]
    blocks: list[Block | None] = []
    waiting: list[Line] = []
    counters: dict[int, int] = {}
    for element in paragraphs:
        text = squeeze(paragraph_text(element))
        if not text:
            continue
        properties = next((child for child in element if local(child) == "pPr"), None)
        level = int(properties.get("lvl") or 0) if properties is not None else 0
        marker = _marker(properties, bullets=bullets, level=level, counters=counters)
        if marker:
            waiting.append(Line(level, marker, text))
        else:
            blocks += [_list(waiting, number), paragraph(text, number)]
            waiting = []
            counters.clear()
    blocks.append(_list(waiting, number))
    return [block for block in blocks if block is not None]


def _marker(properties: Element | None, *, bullets: bool, level: int, counters: dict[int, int]) -> str:
    names = {local(child) for child in properties} if properties is not None else set()
    if "buAutoNum" in names:
        for deeper in [key for key in counters if key > level]:
            del counters[deeper]
        counters[level] = counters.get(level, 0) + 1
        return f"{counters[level]}."
    if "buNone" in names:
        return ""
    return "-" if bullets or names & {"buChar", "buBlip"} else ""


def _list(lines: Sequence[Line], number: int) -> Block | None:
    """Return lines as a list; an item of the least level begins a part."""
    base = min((line.level for line in lines), default=0)
    items: list[str] = []
    for line in lines:
        text = item_text(line.marker, line.text)
        if line.level > base and items:
            indent = _INDENT * (line.level - base)
            items[-1] += "\n" + "\n".join(f"{indent}{part}" for part in text.split("\n"))
        else:
            items.append(text)
    return list_block(items, number)


def _is_code(frame: Element) -> bool:
    """Tell whether all text of a frame is set in a typewriter's face."""
    fonts = []
    for run in frame.iter(f"{_A}r"):
        if not paragraph_text_of_run(run).strip():
            continue
        latin = next(run.iter(f"{_A}latin"), None)
        fonts.append((latin.get("typeface") or "").lower() if latin is not None else "")
    return bool(fonts) and all(any(name in font for name in _MONOSPACE) for font in fonts)


def largest_size(frame: Element) -> int:
    """Return the greatest size that a frame's runs give themselves, in hundredths of a point; 0 when none does."""
    sizes = [int(child.get("sz")) for child in frame.iter(f"{_A}rPr") if (child.get("sz") or "").isdecimal()]
    return max(sizes, default=0)


def diagram_lines(data: bytes) -> list[Line]:
    """Return the text of a SmartArt diagram as a nested list.

    Raises:
        etree.XMLSyntaxError: it is not XML.
    """
    root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
    texts: dict[str, str] = {}
    start: list[str] = []
    for point in root.iter(f"{_DGM}pt"):
        kind = point.get("type") or "node"
        if kind in ("node", "asst"):
            lines = [paragraph_text(element) for element in point.iter(f"{_A}p")]
            texts[point.get("modelId")] = squeeze("\n".join(lines))
        elif kind == "doc":
            start.append(point.get("modelId"))
    children: dict[str, list[tuple[int, str]]] = {}
    for link in root.iter(f"{_DGM}cxn"):
        if (link.get("type") or "parOf") == "parOf" and link.get("destId") in texts:
            children.setdefault(link.get("srcId"), []).append((int(link.get("srcOrd") or 0), link.get("destId")))
    seen: set[str] = set()

    def walk(parent: str, level: int) -> Iterator[Line]:
        for _, point in sorted(children.get(parent, [])):
            if point in seen:
                continue
            seen.add(point)
            if texts[point]:
                yield Line(level, "-", texts[point])
            yield from walk(point, level + 1)

    found = [line for point in start for line in walk(point, 0)]
    return found + [Line(0, "-", text) for point, text in texts.items() if point not in seen and text]


def diagram_block(data: bytes, number: int) -> Block | None:
    """Return the text of a SmartArt diagram as a list."""
    return _list(diagram_lines(data), number)


class Placed(NamedTuple):
    """Something with a place on the slide, in any unit."""

    left: int
    top: int
    right: int
    bottom: int
    item: Any


def reading_order(placed: Sequence[Placed], slack: int) -> list[Any]:
    """Return items as they are read: rows from the top, columns from the left, each in turn (a recursive X-Y cut).

    Nagy and Seth (1984), "Hierarchical representation of optically scanned documents". Where rows and columns could
    both be cut, up to three columns of at least two items each are read one after the other: a heading stands over its
    own column.

    Args:
        placed: in the order in which they were drawn.
        slack: by how much two things may overlap and still stand one after the other.
    """
    if len(placed) < 2:
        return [one.item for one in placed]
    rows = _cut(placed, "top", "bottom", slack)
    columns = _cut(placed, "left", "right", slack)
    wide = 1 < len(columns) <= 3 and all(len(column) > 1 for column in columns)
    groups = columns if wide or (len(rows) == 1 and len(columns) > 1) else _joined(rows, slack)
    if len(groups) == 1:
        return [one.item for one in sorted(placed, key=lambda one: (one.top, one.left))]
    return [item for group in groups for item in reading_order(group, slack)]


def _joined(rows: Sequence[list[Placed]], slack: int) -> list[list[Placed]]:
    """Join rows that stand in the same two or three columns, so that the columns are read and not the rows."""
    joined: list[list[Placed]] = []
    for row in rows:
        count = len(_cut(row, "left", "right", slack))
        if joined and 1 < count <= 3:
            both = [*joined[-1], *row]
            if len(_cut(joined[-1], "left", "right", slack)) == count == len(_cut(both, "left", "right", slack)):
                joined[-1] = both
                continue
        joined.append(row)
    return joined


def _cut(placed: Sequence[Placed], low: str, high: str, slack: int) -> list[list[Placed]]:
    groups: list[list[Placed]] = []
    end = 0
    for one in sorted(placed, key=lambda one: getattr(one, low)):
        if groups and getattr(one, low) < end - slack:
            groups[-1].append(one)
            end = max(end, getattr(one, high))
        else:
            groups.append([one])
            end = getattr(one, high)
    return groups
