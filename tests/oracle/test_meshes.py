"""A sample of random programs over meshes beside the answers that JAX gave, which are on disk: on 8 virtual devices."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.modes import compiling, standard

from . import meshes


@standard  # so are JAX's answers
@compiling
def test_programs_over_meshes_answer_as_in_jax():
    command = [sys.executable, "-m", "tests.oracle.meshes", "compare", "--answers", str(meshes.SAMPLE)]
    env = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith(" 0 differ"), done.stdout
