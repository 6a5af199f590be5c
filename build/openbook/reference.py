"""The README's tables of settings and commands, written from the code.

``python -m openbook.reference README.md`` writes them between the markers in that file; a test fails when they
are stale.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from openbook.settings import LectureSettings, Settings


def settings_reference() -> str:
    """A Markdown table of every key of ``openbook.toml``: key, default, meaning."""
    rows = ["| Key | Default | Meaning |", "|---|---|---|"]
    for key, default, meaning in _keys(Settings, ""):
        rows.append(f"| `{key}` | {default} | {meaning} |")
    return "\n".join(rows)


def commands_reference() -> str:
    """A Markdown table of every command: its usage and the first sentence of its help."""
    from openbook.cli import main

    rows = ["| Command | What it does |", "|---|---|"]
    for name, command in _commands(main, "openbook"):
        with click.Context(command, info_name=name) as context:
            arguments = [p.make_metavar(context) for p in command.params if isinstance(p, click.Argument)]
        sentence = inspect.cleandoc(command.help or "").split("\n\n")[0].replace("\n", " ")
        rows.append(f"| `{' '.join([name, *arguments])}` | {sentence} |")
    return "\n".join(rows)


def _commands(group: click.Group, prefix: str) -> Iterator[tuple[str, click.Command]]:
    for name in sorted(group.commands):
        command = group.commands[name]
        if isinstance(command, click.Group):
            yield from _commands(command, f"{prefix} {name}")
        else:
            yield f"{prefix} {name}", command


def _keys(struct: type[msgspec.Struct], prefix: str) -> Iterator[tuple[str, str, str]]:
    meanings = _attributes(struct)
    for field in msgspec.structs.fields(struct):
        key = f"{prefix}{field.name}"
        if field.name == "lectures" and struct is Settings:
            yield from _keys(LectureSettings, 'lectures."ID".')
        elif isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            yield from _keys(field.type, f"{key}.")
        else:
            yield key, _toml(field.default), meanings.get(field.name, "")


def _attributes(struct: type[msgspec.Struct]) -> dict[str, str]:
    """Parse the ``Attributes:`` section of a Google docstring; ``a, b: text`` speaks of both."""
    text = inspect.cleandoc(struct.__doc__ or "")
    _, _, section = text.partition("Attributes:\n")
    found: dict[str, str] = {}
    names: list[str] = []
    for line in section.splitlines():
        match = re.match(r"    (\w+(?:, \w+)*): (.*)", line)
        if match:
            names = match[1].split(", ")
            found.update(dict.fromkeys(names, match[2]))
        elif line.strip():
            found.update({name: f"{found[name]} {line.strip()}" for name in names})
    return {name: meaning.replace("``", "`").replace("|", "\\|") for name, meaning in found.items()}


def _toml(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, str):
        return f'`"{value}"`'
    if isinstance(value, tuple):
        return "`[" + ", ".join(_toml(item).strip("`") for item in value) + "]`"
    return f"`{value}`"


def with_reference(text: str) -> str:
    """Put the tables between their markers in ``text``."""
    for name, table in {"settings": settings_reference(), "commands": commands_reference()}.items():
        pattern = re.compile(rf"(<!-- {name}:begin[^>]*-->\n).*?(<!-- {name}:end -->)", re.DOTALL)
        text = pattern.sub(lambda match, table=table: f"{match[1]}{table}\n{match[2]}", text)  # type: ignore[misc]
    return text


if __name__ == "__main__":
    readme = Path(sys.argv[1])
    readme.write_text(with_reference(readme.read_text("utf-8")), "utf-8")
