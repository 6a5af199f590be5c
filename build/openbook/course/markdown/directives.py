"""What each MyST directive is: whether its argument is a title, its body Markdown, code, or nothing to read.

Names that are not here are unknown: their body is read as Markdown and a warning says so.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

import yaml

Role = Literal[
    "admonition",  # Markdown body; the argument is its first line
    "titled",  # Markdown body; the argument is a title
    "container",  # Markdown body; the argument is not text
    "figure",  # Markdown body: the caption; the argument is a path
    "image",  # no body; the argument is a path, the option alt is text
    "table",  # a table written as a list or as CSV; the argument is its caption
    "code",  # the body is code; the argument is its language
    "math",  # the body is TeX
    "raw",  # the body is HTML or LaTeX, the argument says which
    "hidden",  # instructions to the renderer: nothing of it is text
    "unread",  # text that stands in another file, which is not read
    "unknown",
]

_BY_ROLE: dict[Role, str] = {
    "admonition": """
        attention caution danger error hint important note seealso tip warning
        """,
    "titled": """
        admonition algorithm aside assumption axiom callout card centered conjecture corollary criterion definition
        deprecated details dropdown example exercise exercise-start grid-item-card lemma margin notation observation
        property proposition proof remark rubric sidebar solution solution-start tab tab-item table theorem topic
        versionadded versionchanged versionremoved
        """,
    "container": """
        block blockquote button-link button-ref class column columns compound container div epigraph exercise-end
        figure-md glossary grid grid-item highlights hlist line-block only pull-quote solution-end span tab-set
        """,
    "figure": "figure",
    "image": "image",
    "table": "csv-table list-table",
    "code": """
        code code-block code-cell digraph doctest graph graphviz ipython jupyter-execute mermaid parsed-literal plantuml
        productionlist program-output prompt sourcecode testcode testoutput
        """,
    "math": "math",
    "raw": "raw",
    "hidden": """
        autosummary bibliography codeauthor contents currentmodule date default-domain default-role footer header
        highlight index meta moduleauthor role sectionauthor sectnum tableofcontents tabularcolumns target-notes title
        toctree
        """,
    "unread": "embed include iframe literalinclude notebook video youtube",
}
ROLES: dict[str, Role] = {name: role for role, names in _BY_ROLE.items() for name in names.split()}

# Notebook cells and attribute blocks: ```{python}, ```{r setup, echo=FALSE}, ```{.python .input}
_LANGUAGES = """
    bash c clojure console cpp csharp css dot fortran go haskell html java javascript js json julia lua matlab
    mojo ocaml octave ojs perl php powershell python py r ruby rust sas scala sh shell sql stata swift text toml ts
    typescript xml yaml zsh
"""
LANGUAGES = frozenset(_LANGUAGES.split())
_SAME_LANGUAGE = {"ipython": "python", "ipython3": "python", "python3": "python", "py": "python"}

_OPTION = re.compile(r":([A-Za-z][\w-]*):(?:[ \t]+(.*))?$")
_NAME = re.compile(r"\{\s*([A-Za-z][\w:+.-]*)((?:\s+[.#][\w-]+)*)\s*\}[ \t]*(.*)$")
_ATTRIBUTES = re.compile(r"\{(.*)\}[ \t]*$")


class Options(NamedTuple):
    """The options of a directive.

    Attributes:
        values: by name; the text behind the name as written, "" for a flag.
        lines: how many lines of the body they take.
        problem: why they could not be read, or "".
    """

    values: dict[str, str]
    lines: int
    problem: str = ""


def role_of(name: str) -> Role:
    """Return what the directive ``name`` is; domains such as ``prf:theorem`` count as their last part does."""
    role = ROLES.get(name)
    if role is None and name.startswith(("prf:", "proof:")):
        role = "titled"
    return role or "unknown"


def split_info(info: str) -> tuple[str, str] | None:
    """Split ``{name} argument`` into name and argument; None when the info string is not a directive's."""
    match = _NAME.match(info.strip())
    return (match[1], match[3].strip()) if match else None


def language_of(info: str) -> str:
    """Return the language that an info string names: ``python title="a.py"``, ``{.python .input}``, ``{r, echo=F}``."""
    attributes = _ATTRIBUTES.match(info.strip())
    words = re.split(r"[\s,]+", (attributes[1] if attributes else info).strip())
    word = next((word for word in words if word and not word.startswith("#") and "=" not in word), "")
    word = word.lstrip(".")
    return _SAME_LANGUAGE.get(word.lower(), word)


def is_cell(info: str) -> bool:
    """Tell whether a braced info string names a programming language and so is a notebook's cell."""
    return info.strip().startswith("{") and language_of(info).lower() in LANGUAGES


def read_options(body: list[str]) -> Options:
    """Read the options at the start of a directive's body.

    They are ``:key: value`` lines, on which a further indented line goes on, or a YAML block between two ``---``.
    """
    if body and body[0].strip() == "---":
        return _yaml_options(body)
    values: dict[str, str] = {}
    key = ""
    lines = 0
    for line in body:
        match = _OPTION.match(line.strip())
        if match:
            key = match[1]
            values[key] = (match[2] or "").strip()
        elif key and line[:1] in (" ", "\t") and line.strip():
            values[key] = f"{values[key]} {line.strip()}".strip()
        else:
            break
        lines += 1
    return Options(values, lines)


def _yaml_options(body: list[str]) -> Options:
    end = next((number for number, line in enumerate(body[1:], 1) if line.strip() == "---"), None)
    if end is None:
        return Options({}, 0, "the options' block has no closing ---")
    try:
        data = yaml.safe_load("\n".join(body[1:end]))
    except (yaml.YAMLError, ValueError, RecursionError):
        return Options({}, end + 1, "the options' block is not valid YAML")
    if data is None:
        return Options({}, end + 1)
    if not isinstance(data, dict):
        return Options({}, end + 1, "the options' block is not a list of keys and values")
    return Options({str(key): "" if value is None else str(value) for key, value in data.items()}, end + 1)
