"""Messages about devices are those of the golden files; `UPDATE_GOLDEN=1` writes these."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from tests.modes import PLAIN

from .devices import MISTAKES

FOLDER = Path(__file__).parent / "devices"


@cache
def messages() -> dict[str, str]:
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count=8"
    done = subprocess.run(
        [sys.executable, "-m", "golden.devices"], cwd=Path(__file__).parents[1], capture_output=True, text=True,
        env={**PLAIN, "XLA_FLAGS": flags}, check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", MISTAKES)
def test_message(name):
    path = FOLDER / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        FOLDER.mkdir(exist_ok=True)
        path.write_text(messages()[name], encoding="utf8")
    assert path.read_text(encoding="utf8") == messages()[name]


def test_every_golden_file_has_a_mistake():
    assert sorted(MISTAKES) == sorted(p.stem for p in FOLDER.glob("*.txt"))
