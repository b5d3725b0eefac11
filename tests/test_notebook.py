"""The notebook in examples/ runs from beginning to end."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parent.parent / "examples" / "first_steps.ipynb"


def test_the_first_steps_run_and_show_results(tmp_path):
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    shown = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in shown if output.output_type == "error"]
    pages = [output for output in shown if "text/html" in output.get("data", {})]
    assert len(pages) >= 7  # every result has a face
    assert any("image/png" in output.get("data", {}) for output in shown)
