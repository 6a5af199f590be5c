"""``openbook new``: a small course that builds as it is, to be written over."""

from __future__ import annotations

import shutil
from pathlib import Path

from openbook.errors import FolderNotEmptyError
from openbook.pages.assets import site_folder

TITLE = "A new course"


def new_course(folder: Path, *, title: str | None = None) -> list[Path]:
    """Write a small working course into ``folder``.

    Args:
        folder: does not exist yet, or is empty.
        title: of the course; by default made from the folder's name.

    Returns:
        The files written, sorted.

    Raises:
        FolderNotEmptyError: ``folder`` is a file, or something is in it.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FolderNotEmptyError(
            "is not an empty folder; nothing was written.", source=folder, hint="Give the name of a new one."
        )
    template = site_folder() / "course"
    written = []
    for source in sorted(path for path in template.rglob("*") if path.is_file()):
        target = folder.joinpath(*map(_real_name, source.relative_to(template).parts))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        written.append(target)
    settings = folder / "openbook.toml"
    name = title or folder.resolve().name.replace("-", " ").replace("_", " ").strip().capitalize() or TITLE
    text = settings.read_text(encoding="utf-8").replace(f'title = "{TITLE}"', f"title = {_toml_string(name)}", 1)
    settings.write_text(text, encoding="utf-8", newline="\n")
    return sorted(written)


def _real_name(name: str) -> str:
    """In the template a leading dot is written ``dot-``, so that no tool takes its files for this project's own."""
    return f".{name.removeprefix('dot-')}" if name.startswith("dot-") else name


def _toml_string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}" for c in escaped) + '"'
