"""The notebook of lecture 18 in full: what its cells print."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOK = ROOT / "notebooks" / "retrieval.ipynb"


def run() -> list[tuple[str, str]]:
    """One part: (heading, Markdown)."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=3600, kernel_name="python3", resources={"metadata": {"path": ROOT}}).execute()
    printed = (
        output["text"].rstrip()
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if output.output_type == "stream" and output.name == "stdout"
    )
    return [
        ("Printed by the cells of notebooks/retrieval.ipynb", "\n".join(f"````text\n{text}\n````" for text in printed))
    ]
