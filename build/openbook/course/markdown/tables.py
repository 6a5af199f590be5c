"""Core rule: ``list-table`` and ``csv-table`` become ordinary table tokens."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from openbook.course.markdown.report import warn

_DELIMITERS = {"tab": "\t", "space": " "}


def build_tables(state: StateCore) -> None:
    """Replace the bodies of list tables and CSV tables; a list that is not a table of rows is left as it is."""
    tokens = state.tokens
    found: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        found.append(token)
        index += 1
        if token.type != "directive_open" or token.info not in ("list-table", "csv-table"):
            continue
        close = matching(tokens, index - 1)
        if tokens[index].type == "directive_title_open":
            found.extend(tokens[index : index + 3])
            index += 3
        options = token.meta["options"]
        rows = _csv_rows(token, options) if token.info == "csv-table" else _list_rows(tokens, index, close)
        if rows is None:
            warn(state.env, "list-table", "the list is not one of rows of cells.", token.map[0] if token.map else None)
            found.extend(tokens[index:close])
        elif rows:
            found.extend(table_tokens(rows, _header_rows(options, token.info), token))
        index = close
    state.tokens = found


def matching(tokens: list[Token], start: int) -> int:
    """Return the index of the token that closes the one at ``start``."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += tokens[index].nesting
        if depth == 0:
            return index
    raise ValueError("the token is never closed")


def _header_rows(options: Mapping[str, str], name: str) -> int:
    written = options.get("header-rows", "")
    rows = int(written) if written.isdigit() else 0
    return rows + (1 if name == "csv-table" and options.get("header") else 0)


def _csv_rows(token: Token, options: Mapping[str, str]) -> list[list[list[Token]]]:
    delimiter = options.get("delim", ",")
    delimiter = _DELIMITERS.get(delimiter, delimiter)[:1] or ","
    text = f"{options.get('header', '')}\n{token.meta['body']}".strip("\n")
    rows = csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True)
    try:
        return [[[_inline(cell.strip(), token)] for cell in row] for row in rows if row]
    except csv.Error:
        return [[[_inline(line, token)]] for line in text.split("\n") if line.strip()]


def _inline(content: str, near: Token) -> Token:
    return Token("inline", "", 0, content=content, map=near.map, children=[], block=True)


def _items(tokens: list[Token], start: int, close: int) -> Iterator[tuple[int, int]]:
    """Yield (first, last) of what each item of the list at ``start`` holds."""
    index = start + 1
    while index < close:
        end = matching(tokens, index)
        yield index + 1, end
        index = end + 1


def _list_rows(tokens: list[Token], start: int, close: int) -> list[list[list[Token]]] | None:
    if start >= close or tokens[start].type != "bullet_list_open" or matching(tokens, start) != close - 1:
        return None
    rows = []
    for first, last in _items(tokens, start, close - 1):
        if first >= last or tokens[first].type != "bullet_list_open" or matching(tokens, first) != last - 1:
            return None
        rows.append([_cell(tokens[begin:end]) for begin, end in _items(tokens, first, last - 1)])
    return rows


def _cell(tokens: list[Token]) -> list[Token]:
    if [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]:
        return [tokens[1]]
    return tokens


def table_tokens(rows: list[list[list[Token]]], header_rows: int, near: Token) -> Iterator[Token]:
    """Yield the tokens of a table.

    Args:
        rows: of cells of tokens.
        header_rows: how many of them are its head.
        near: gives the lines of the table.
    """

    def tag(kind: str, name: str, nesting: int, lines: list[int] | None = None) -> Token:
        return Token(kind, name, nesting, block=True, map=lines)  # type: ignore[arg-type]

    yield tag("table_open", "table", 1, near.map)
    for part, name, chosen in (("thead", "th", rows[:header_rows]), ("tbody", "td", rows[header_rows:])):
        if not chosen:
            continue
        yield tag(f"{part}_open", part, 1)
        for row in chosen:
            lines = next((token.map for cell in row for token in cell if token.map), near.map)
            yield tag("tr_open", "tr", 1, lines)
            for cell in row:
                yield tag(f"{name}_open", name, 1)
                yield from cell
                yield tag(f"{name}_close", name, -1)
            yield tag("tr_close", "tr", -1)
        yield tag(f"{part}_close", part, -1)
    yield tag("table_close", "table", -1)
