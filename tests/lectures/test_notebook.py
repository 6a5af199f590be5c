"""The notebook of lecture 18, executed from the first cell to the prompt, on small settings."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient


@pytest.mark.slow
def test_it_runs_from_the_chunks_to_the_prompt(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBOOK_NOTEBOOK", "small")
    path = root / "notebooks" / "retrieval.ipynb"
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": root}}).execute()
    printed = "".join(
        output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", []) if "text" in output
    )
    for retriever in ("BM25", "FTS5", "dense", "hybrid", "late interaction"):
        assert f"\n{retriever} " in printed
    assert "threshold" in printed
    assert "recall@10 1.000" in printed
    assert printed.rstrip().endswith("?") or "Question" in printed[-600:]
    assert "[1]" in printed
