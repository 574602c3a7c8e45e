"""Notebooks as pages: each is run from its first cell to its last, and becomes Markdown with its pictures.

Tests: `tests/docs/test_tutorials.py`.
"""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["executed", "written"]

# What cells print is shown as what examples of other pages print.
_TEMPLATE = """{%- extends "markdown/index.md.j2" -%}
{%- macro shown(text) %}
```{ .text .output .no-copy }
{{ (text | strip_ansi).rstrip() }}
```
{% endmacro -%}
{% block stream %}{{ shown(output.text) }}{% endblock stream %}
{% block data_text scoped %}{{ shown(output.data["text/plain"]) }}{% endblock data_text %}
"""


def executed(source: Path) -> dict[str, str | bytes]:
    """The page of a notebook and its pictures, by file name; CellExecutionError if a cell fails."""
    import nbformat
    from nbclient import NotebookClient
    from traitlets.config import Config

    src = str(Path(__file__).resolve().parents[1] / "src")
    os.environ["PYTHONPATH"] = os.pathsep.join([src, *filter(None, [os.environ.get("PYTHONPATH")])])
    notebook = nbformat.read(source, as_version=4)
    local = Config({"KernelManager": {"transport": "ipc"}})     # no ports
    NotebookClient(notebook, config=local, timeout=120, kernel_name="python3").execute()
    return written(notebook, source.stem)


def written(notebook, name: str) -> dict[str, str | bytes]:
    """The page of a notebook that was run, and its pictures, by file name."""
    from jinja2 import DictLoader
    from nbconvert import MarkdownExporter

    exporter = MarkdownExporter(extra_loaders=[DictLoader({"page": _TEMPLATE})], template_file="page")
    text, resources = exporter.from_notebook_node(
        notebook, {"unique_key": name, "output_files_dir": f"{name}_files"})
    return {f"{name}.md": text, **resources["outputs"]}
