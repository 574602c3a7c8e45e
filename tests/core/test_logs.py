"""The loggers of the library have JAX's names where it is imported as `jax`."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.modes import PLAIN

PROGRAM = """
import logging
class Names(logging.Handler):
    def emit(self, record):
        print(record.name, record.getMessage().split()[0])
logging.getLogger(%r).addHandler(Names())
import %s as jax
jax.config.update("jax_explain_cache_misses", True)
jax.config.update("jax_log_compiles", True)
jax.jit(lambda x: x + x)(1.0)
jax.debug.log("{}", 1)
"""
OF_JAX = """jax._src.interpreters.partial_eval TRACING
jax._src.dispatch Finished
jax._src.interpreters.pxla Compiling
jax._src.dispatch Finished
jax._src.debugging 1
"""
OURS = """adjoint.transforms.jit.misses TRACING
adjoint.transforms.jit.jit Finished
adjoint.transforms.jit.jit Compiling
adjoint.transforms.jit.jit Finished
adjoint.debug 1
"""


@pytest.mark.parametrize(("name", "lines"), [("jax", OF_JAX), ("adjoint", OURS)])
def test_handlers_of_the_name_of_the_package_get_its_lines(name, lines):
    given = ["-m", "adjoint", "-c"] if name == "jax" else ["-c"]
    command = [sys.executable, *given, PROGRAM % (name, name)]
    environment = {**PLAIN, "JAX_PLATFORMS": "cpu"}
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert ran.stdout == lines
