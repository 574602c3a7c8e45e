"""Errors and warnings of transformations begin with the line that JAX has, which tests and users search for."""

from __future__ import annotations

import re

import jax
import numpy as np
import pytest

import adjoint

x = np.ones(3, np.float32)


def first_line(m, program):
    """The builtin class of an error, and its first line without the name of the library and addresses."""
    with pytest.raises(Exception) as raised:
        program(m)
    error = raised.value
    kind = next(c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins")
    return kind, re.sub(r"adjoint\.|jax\._src\.|jax\.", "", re.sub("0x[0-9a-f]+", "0x", str(error).splitlines()[0]))


def check(program):
    (kind, line), (kind_of_jax, line_of_jax) = first_line(adjoint, program), first_line(jax, program)
    assert kind == kind_of_jax
    assert line.startswith(line_of_jax.rstrip(". "))


PREFIXES = {
    "too many shardings": lambda m: m.jit(lambda x: x, in_shardings=(None, None))(1.0),
    "too few shardings": lambda m: m.jit(lambda x, y: x, in_shardings=(None,))(1.0, 2.0),
    "shardings in a dict": lambda m: m.jit(lambda x: x, in_shardings={"a": None})(1.0),
    "shardings of an argument": lambda m: m.jit(lambda x: x, in_shardings=((None, None),))((1.0, 2.0, 3.0)),
    "a tuple where one has no axis": lambda m: m.vmap(lambda x: (x, x), out_axes=(None, None))(x),
    "the second has no axis": lambda m: m.vmap(lambda x: (1.0, x), out_axes=(0, None))(x),
    "a dict that has no axis": lambda m: m.vmap(lambda x: {"a": (x, [x])}, out_axes={"a": (0, None)})(x),
    "no axis for all": lambda m: m.vmap(lambda x: (1.0, x), out_axes=None)(x),
}


@pytest.mark.parametrize("name", PREFIXES)
def test_trees_of_axes_and_shardings_are_refused_as_in_jax(name):
    check(PREFIXES[name])


def test_shardings_of_arguments_are_a_list_too():
    assert adjoint.jit(lambda x: x + 1, in_shardings=[None])(1.0) == 2
