"""Notebooks as pages: each is run from its first cell to its last, and becomes Markdown with its pictures.

Tests: `tests/docs/test_tutorials.py`.
"""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["executed"]


def executed(source: Path) -> dict[str, str | bytes]:
    """The page of a notebook and its pictures, by file name; CellExecutionError if a cell fails."""
    import nbformat
    from nbclient import NotebookClient
    from nbconvert import MarkdownExporter
    from traitlets.config import Config

    src = str(Path(__file__).resolve().parents[1] / "src")
    os.environ["PYTHONPATH"] = os.pathsep.join([src, *filter(None, [os.environ.get("PYTHONPATH")])])
    notebook = nbformat.read(source, as_version=4)
    local = Config({"KernelManager": {"transport": "ipc"}})     # no ports
    NotebookClient(notebook, config=local, timeout=120, kernel_name="python3").execute()
    text, resources = MarkdownExporter().from_notebook_node(
        notebook, {"unique_key": source.stem, "output_files_dir": f"{source.stem}_files"})
    return {f"{source.stem}.md": text, **resources["outputs"]}
