"""Each notebook of the tutorials runs from its first cell to its last, and its own assertions hold.

`make docs` runs all of them, the suite two. Here cells are run as one program, which takes no kernel; `make site` runs
them in one, to get their pictures.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.modes import standard

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "docs"))
NOTEBOOKS = sorted(path.stem for path in (ROOT / "docs/tutorials").glob("*.ipynb"))
IN_THE_SUITE = ("digits", "implicit")
ALL = os.environ.get("TUTORIALS") == "all"


def cells(name, kind="code"):
    """The sources of a notebook's cells."""
    notebook = json.loads((ROOT / f"docs/tutorials/{name}.ipynb").read_text(encoding="utf8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == kind]


@standard
@pytest.mark.parametrize("name", NOTEBOOKS if ALL else IN_THE_SUITE)
def test_the_notebook_runs(name, tmp_path):
    program = tmp_path / f"{name}.py"
    program.write_text("\n\n".join(cells(name)), encoding="utf8")
    env = {**os.environ, "MPLBACKEND": "agg", "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, str(program)], env=env, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_notebook_is_stored_without_results(name):
    """Results are made anew for the site: kept, they would be old, and no change could be read."""
    notebook = json.loads((ROOT / f"docs/tutorials/{name}.ipynb").read_text(encoding="utf8"))
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in notebook["cells"])
    assert cells(name, "markdown")[0].startswith("# ")


def test_what_cells_print_is_shown_as_output():
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("nbconvert")
    from notebooks import written

    v4 = nbformat.v4
    cell = v4.new_code_cell("print(x)\nx", outputs=[
        v4.new_output("stream", text="1\n  2\n"),
        v4.new_output("execute_result", data={"text/plain": "{'a': <b>}"}, execution_count=1),
    ])
    page = written(v4.new_notebook(cells=[v4.new_markdown_cell("# Title"), cell]), "some")["some.md"]
    assert [block.strip() for block in page.split("```{ .text .output .no-copy }\n")[1:]] == \
        ["1\n  2\n```", "{'a': <b>}\n```"]


def test_the_list_of_tutorials_names_every_notebook():
    page = (ROOT / "docs/tutorials/index.md").read_text(encoding="utf8")
    assert [name for name in NOTEBOOKS if f"({name}.ipynb)" not in page] == []
