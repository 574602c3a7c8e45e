"""Accelerators as default devices: what runs where. A CPU client of jaxlib's poses as one, in another process."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from tests.modes import PLAIN

from .accelerator import CHECKS

pytest.importorskip("jaxlib")


@cache
def outcomes() -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("accelerator.py")], capture_output=True, text=True, timeout=240,
        env={**PLAIN, "JAX_PLATFORMS": "", "ADJOINT_CPU_ENGINE": "native"},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", CHECKS)
def test_on_an_accelerator(name):
    assert not outcomes()[name], outcomes()[name]
