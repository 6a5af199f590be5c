"""Pages of a site that show other pages in whole, one below the other: a blog's first page, the list of a section.

Generators do not say which pages these are. Such a page has most of its text from pages that have none from each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import msgspec

from openbook.course.document import Block, Document, Section
from openbook.errors import BuildWarning, first_of

_LONG = 8
_MOST = 0.7
_LOOKED_AT = 40


def without_lists(documents: Mapping[str, Document], where: str) -> tuple[dict[str, Document], list[BuildWarning]]:
    """Take from pages that list others what those hold themselves; a page that holds nothing else goes.

    Args:
        documents: pages of a site, by their source.
        where: the site, for the warning.

    Returns:
        The pages, in the same order, and one warning that names those that were changed.
    """
    texts = {source: _texts(document) for source, document in documents.items()}
    found: dict[str, set[str]] = {}
    for source, own in texts.items():
        for text in own:
            found.setdefault(text, set()).add(source)
    kept: dict[str, Document] = {}
    lists: list[str] = []
    for source, document in documents.items():
        shared = {text for text in texts[source] if len(found[text]) > 1}
        if len(shared) < _MOST * len(texts[source]) or not _from_strangers(source, shared, found, texts):
            kept[source] = document
            continue
        lists.append(source)
        left = _without(document, shared)
        if left.sections:
            kept[source] = left
    if not lists:
        return kept, []
    message = f"what pages show of other pages is read there alone: {first_of(lists)}."
    return kept, [BuildWarning("left-out", message, where)]


def _texts(document: Document) -> frozenset[str]:
    return frozenset(block.text for section in document.sections for block in section.blocks if _is_long(block))


def _is_long(block: Block) -> bool:
    return len(block.text.split()) >= _LONG


def _from_strangers(
    source: str, shared: Set[str], found: Mapping[str, set[str]], texts: Mapping[str, frozenset[str]]
) -> bool:
    """Tell whether two pages that have no text in common stand there, each of them whole or nearly."""
    others = sorted(set().union(*(found[text] for text in shared)) - {source}) if shared else []
    whole = [other for other in others if len(texts[other] & shared) >= _MOST * len(texts[other])][:_LOOKED_AT]
    return any(not texts[one] & texts[other] for at, one in enumerate(whole) for other in whole[at + 1 :])


def _without(document: Document, shared: Set[str]) -> Document:
    sections: list[Section] = []
    for section in document.sections:
        blocks = _left(section.blocks, shared)
        if any(_is_long(block) for block in blocks):
            sections.append(msgspec.structs.replace(section, blocks=tuple(blocks)))
    return msgspec.structs.replace(document, sections=tuple(sections))


def _left(blocks: Sequence[Block], shared: Set[str]) -> list[Block]:
    """Return the blocks of a section that are its own; short ones stay where no block was taken."""
    taken = any(block.text in shared for block in blocks)
    return [block for block in blocks if block.text not in shared and (not taken or _is_long(block))]
