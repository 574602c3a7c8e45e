"""Adding an operation takes the rows of CONTRIBUTING.md: `new_operation.py` adds one so, and nothing is missing."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.modes import PLAIN

ROOT = Path(__file__).parents[2]


def test_an_operation_is_a_row_of_each_layer():
    """Every transformation and engine has it then, as it has every other; a special function is one function."""
    pytest.importorskip("jaxlib")
    command = [sys.executable, "-m", "tests.prims.new_operation"]
    environment = {**PLAIN, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1:] == ["as every other"], done.stderr


def test_contributing_shows_these_rows():
    """The example of the page is the one that is tested."""
    rows = (ROOT / "tests" / "prims" / "new_operation.py").read_text(encoding="utf8")
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf8")
    shown = re.search(r"```python\n(.*?)```", page, re.DOTALL)[1]
    lines = [line for line in shown.splitlines() if line and not line.startswith("#")]
    assert lines and all(line in rows.splitlines() for line in lines)
