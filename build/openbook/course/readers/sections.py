"""Notes that come down to Markdown: tokens → sections, each with the footnotes that it refers to."""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it.token import Token

from openbook.course.document import Block, Section
from openbook.course.markdown import Parsed
from openbook.course.markdown.blocks import BlockReader
from openbook.course.markdown.tables import matching


def read_sections(parsed: Parsed, title: str) -> tuple[Section, ...]:
    """Return the sections of a document: one for each heading of its own, and one for text before the first.

    A footnote stands in the section that first refers to it.

    Args:
        parsed: the source.
        title: of the document, for the section before the first heading.
    """
    reader = BlockReader(parsed.lines, label_titles(parsed))
    body, notes = split_footnotes(parsed.tokens)
    groups: list[tuple[Token | None, list[Token], list[int]]] = [(None, [], [])]
    index = 0
    while index < len(body):
        token = body[index]
        if token.type == "heading_open" and token.meta["section"]:
            groups.append((token, [], footnote_refs(body[index + 1].children)))
            index += 3
        else:
            groups[-1][1].append(token)
            index += 1
    sections: list[Section] = []
    seen: set[int] = set()
    for heading, tokens, refs in groups:
        blocks = reader.read(tokens)
        blocks += footnotes(reader, notes, [*refs, *footnote_refs(tokens)], seen)
        if heading is None:
            if blocks:
                sections.append(_section(0, title, parsed.top, blocks, blocks[0].start_line))
        else:
            line = (heading.map or [0])[0] + 1
            level = int(heading.tag[1])
            sections.append(_section(level, heading.meta["title"], str(heading.attrs["id"]), blocks, line))
    return tuple(sections)


def label_titles(parsed: Parsed) -> dict[str, str]:
    """Return label → title of the heading that it stands for."""
    return {label: parsed.titles[anchor] for label, anchor in parsed.targets.items() if anchor in parsed.titles}


def _section(level: int, title: str, anchor: str, blocks: list[Block], line: int) -> Section:
    ends = [block.end_line for block in blocks if block.kind != "footnote"]
    return Section(
        level=level,
        title=title,
        anchor=anchor,
        blocks=tuple(blocks),
        start_line=line,
        end_line=max([line, *ends]),
    )


def split_footnotes(tokens: list[Token]) -> tuple[list[Token], dict[int, list[Token]]]:
    """Split off the footnotes, which the parser puts at the end: number → what stands in it."""
    start = next((index for index, token in enumerate(tokens) if token.type == "footnote_block_open"), None)
    if start is None:
        return tokens, {}
    notes: dict[int, list[Token]] = {}
    for index in range(start, len(tokens)):
        if tokens[index].type == "footnote_open":
            notes[tokens[index].meta["id"]] = tokens[index + 1 : matching(tokens, index)]
    return tokens[:start], notes


def footnote_refs(tokens: Sequence[Token] | None) -> list[int]:
    """Return the numbers of the footnotes that tokens refer to, in order."""
    found: list[int] = []
    for token in tokens or ():
        if token.type == "footnote_ref":
            found.append(token.meta["id"])
        found.extend(footnote_refs(token.children))
    return found


def footnotes(reader: BlockReader, notes: dict[int, list[Token]], refs: list[int], seen: set[int]) -> list[Block]:
    """Return the blocks of footnotes not ``seen`` yet, those that they refer to in turn included."""
    found: list[Block] = []
    for number in refs:
        if number in seen or number not in notes:
            continue
        seen.add(number)
        inner = reader.read(notes[number])
        if inner:
            found.append(
                Block(
                    kind="footnote",
                    text="\n\n".join(block.text for block in inner),
                    start_line=inner[0].start_line,
                    end_line=inner[-1].end_line,
                    children=tuple(inner),
                )
            )
        found.extend(footnotes(reader, notes, footnote_refs(notes[number]), seen))
    return found
