"""Pictures: which files are ones, how large they are drawn, and whether an SVG does more than draw."""

from __future__ import annotations

import re
import struct
from pathlib import Path

IMAGE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg", ".apng", ".bmp", ".ico"})

_ACTIVE = re.compile(
    rb"<\s*(?:[\w-]+:)?(?:script|foreignObject|iframe|embed|object|handler)\b|\son\w+\s*=|javascript:|<!ENTITY"
    rb"|(?:href|src)\s*=\s*[\"']\s*(?:https?:)?//|url\(\s*[\"']?\s*(?:https?:)?//|@import",
    re.IGNORECASE,
)
_SVG_TAG = re.compile(rb"<svg\b[^>]*>", re.DOTALL)
_SVG_ATTRIBUTE = re.compile(rb"""\b(width|height|viewBox)\s*=\s*["']([^"']*)["']""")
_SVG_LENGTH = re.compile(rb"\s*([\d.]+)\s*(?:px)?\s*$")


def is_active_svg(path: Path) -> bool:
    """Whether an SVG could run a script or fetch something when it is opened by its own address."""
    return _ACTIVE.search(path.read_bytes()) is not None


def image_size(path: Path) -> tuple[int, int] | None:
    """Return (width, height) in CSS pixels, so that a page does not move when the picture arrives.

    None when the format is not one of PNG, GIF, JPEG and SVG, or the file does not say.
    """
    with path.open("rb") as file:
        return picture_size(file.read(1 << 16), path.name)


def picture_size(head: bytes, name: str) -> tuple[int, int] | None:
    """Return (width, height) as ``image_size`` does, of a picture whose first bytes and file name are given."""
    if name.lower().endswith(".svg"):
        return _svg_size(head)
    if head.startswith(b"\x89PNG") and len(head) >= 24:
        width, height = struct.unpack(">II", head[16:24])
        return width, height
    if head.startswith(b"GIF8") and len(head) >= 10:
        width, height = struct.unpack("<HH", head[6:10])
        return width, height
    return _jpeg_size(head) if head.startswith(b"\xff\xd8") else None


def _svg_size(head: bytes) -> tuple[int, int] | None:
    tag = _SVG_TAG.search(head)
    if tag is None:
        return None
    values = dict(_SVG_ATTRIBUTE.findall(tag[0]))
    lengths = [_SVG_LENGTH.match(values.get(name, b"")) for name in (b"width", b"height")]
    try:
        if lengths[0] and lengths[1]:
            return round(float(lengths[0][1])), round(float(lengths[1][1]))
        box = [float(number) for number in values.get(b"viewBox", b"").replace(b",", b" ").split()]
    except ValueError:
        return None
    return (round(box[2]), round(box[3])) if len(box) == 4 and box[2] > 0 and box[3] > 0 else None


def _jpeg_size(head: bytes) -> tuple[int, int] | None:
    position = 2
    while position + 9 < len(head) and head[position] == 0xFF:
        marker = head[position + 1]
        if 0xC0 <= marker <= 0xCF and marker not in {0xC4, 0xC8, 0xCC}:
            height, width = struct.unpack(">HH", head[position + 5 : position + 9])
            return width, height
        position += 2 + int.from_bytes(head[position + 2 : position + 4], "big")
    return None
