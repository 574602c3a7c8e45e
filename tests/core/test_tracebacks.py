"""What a script prints when it ends with an error."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import adjoint as jax, adjoint.numpy as jnp
def layer(w, x):
    return {}
def loss(w):
    return layer(w, jnp.ones(5)).sum()
jax.jit(jax.grad(loss))(jnp.ones((3, 4)))
"""


def printed(tmp_path, expression, **environment):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.format(expression))
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, env={**environment})
    assert done.returncode == 1
    return done.stderr


@pytest.mark.parametrize(
    "expression", ["jnp.dot(w, x)", "w + x", "jax.lax.scan(lambda c, _: (c @ x, 0), w, None, 3)[0]"]
)
def test_only_the_frames_of_the_user_are_shown(tmp_path, expression):
    text = printed(tmp_path, expression)
    files = {line.split('"')[1] for line in text.splitlines() if line.startswith("  File ")}
    assert files == {str(tmp_path / "program.py")}
    assert "Traceback (most recent call last)" in text and "frames inside the library are not shown" in text
    assert "During handling" not in text


def test_all_frames_can_be_shown(tmp_path):
    text = printed(tmp_path, "jnp.dot(w, x)", JAX_TRACEBACK_FILTERING="off")
    assert "transforms/jit.py" in text and "not shown" not in text


def test_an_error_of_the_program_stays_as_it_is(tmp_path):
    text = printed(tmp_path, "[][1]")
    assert "IndexError: list index out of range" in text and "in layer" in text
