"""The documents say what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from openbook.cli import main
from openbook.reference import with_reference

DOCUMENTS = ("README.md", "DESIGN.md", "CONTRIBUTING.md", "CHANGELOG.md")


def test_the_readme_lists_every_setting_and_command_as_they_are(root: Path) -> None:
    text = (root / "README.md").read_text("utf-8")
    assert text == with_reference(text), "run: python -m openbook.reference README.md"


def every_command(group: click.Group) -> list[click.Command]:
    return [
        found
        for command in group.commands.values()
        for found in (every_command(command) if isinstance(command, click.Group) else [command])
    ]


@pytest.mark.parametrize("command", every_command(main), ids=lambda command: command.name)
def test_every_command_and_option_says_what_it_does(command: click.Command) -> None:
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help or parameter.show_default or isinstance(parameter.type, click.Choice), parameter.name


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_relative_link_of_a_document_leads_somewhere(root: Path, document: str) -> None:
    text = (root / document).read_text("utf-8")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (root / target).exists(), f"{document} links to {target}"
