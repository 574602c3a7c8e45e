"""Errors of Python's own say which argument is of a wrong kind, and the line that they give instead runs."""

from __future__ import annotations

import linecache

import numpy as np
import pytest

import adjoint
from adjoint import lax, random
from adjoint import numpy as jnp

NAMES = dict(jnp=jnp, lax=lax, random=random, np=np, adjoint=adjoint)
SETUP = "x, n, axis, axes, name = jnp.arange(6.0).reshape(2, 3), 1.0, jnp.int32(0), jnp.array([0]), '1'"

# A line, what is said of the argument, and the line to write instead.
MENDED = {
    "a float by name": ("jnp.argpartition(x, n)", "kth is 1.0 where an int is needed.", "jnp.argpartition(x, int(n))"),
    "a float that is written": (
        "jnp.argpartition(x, 1.0)", "kth is 1.0 where an int is needed.", "jnp.argpartition(x, 1)"),
    "by keyword": (
        "jnp.argpartition(x, kth=1.0)", "kth is 1.0 where an int is needed.", "jnp.argpartition(x, kth=1)"),
    "the text of a number": ("jnp.diag(x, k=name)", "k is '1' where an int is needed.", "jnp.diag(x, k=int(name))"),
    "an array for an axis": (
        "jnp.fft.fft(x, axis=axis)", "axis is Array(0, dtype=int32) where something hashable is needed.",
        "jnp.fft.fft(x, axis=axis.item())"),
    "an array for several axes": (
        "jnp.fft.fftn(x, axes=axes)", "axes is Array([0], dtype=int32) where something hashable is needed.",
        "jnp.fft.fftn(x, axes=tuple(axes.tolist()))"),
    "one value for several": (
        "jnp.choose(axis, 3)", "choices is 3 where several values are needed.", "jnp.choose(axis, (3,))"),
}
# Those that have no other line.
TOLD = {
    "None for a function": (
        "jnp.apply_along_axis(None, 0, x)", "func1d is None where a function is needed.",
        "a function for func1d, such as lambda x: x"),
    "a list for an int": ("jnp.bartlett([1., 2.])", "M is [1.0, 2.0] where an int is needed.", "an int for M"),
    "how many is not known": (
        "jnp.rot90(x, axes=99)", "axes is 99 where several values are needed.",
        "several values for axes, in a tuple or a list"),
    "no dtype": (
        "jnp.issubdtype('foo', jnp.floating)", "arg1 is 'foo' where a dtype is needed.",
        "a dtype for arg1, such as jnp.float32"),
    "a text for an int": ("jnp.diag(x, k='a')", "k is 'a' where an int is needed.", "an int for k"),
    "an axis that is no number": (
        "lax.associative_scan(jnp.add, x, axis=None)", "axis is None where a number is needed.", "a number for axis"),
}


def run(line: str) -> dict:
    file = f"<arguments: {line}>"
    linecache.cache[file] = (len(line), None, [line + "\n"], file)
    names = dict(NAMES)
    exec(SETUP, names)
    exec(compile(line, file, "exec"), names)
    return names


def told(line: str) -> str:
    with pytest.raises(TypeError) as error:
        run(line)
    return str(error.value)


@pytest.mark.parametrize("name", [*MENDED, *TOLD])
def test_the_argument_at_fault_is_named(name):
    line, why, fix = {**MENDED, **TOLD}[name]
    assert told(line).endswith(f"\n  {why}\n  Try: {fix}")


@pytest.mark.parametrize("name", MENDED)
def test_the_line_that_is_told_runs(name):
    run(MENDED[name][2])


def test_nothing_is_said_where_two_arguments_may_be_at_fault():
    assert "Try:" not in told("lax.dynamic_slice_in_dim(x, 0, [1], [1])")


def test_nothing_is_said_of_an_error_in_a_function_of_the_user():
    assert "where an int is needed" not in told("adjoint.jit(lambda s: range(s), static_argnums=0)('a')")


def test_what_is_no_array_is_told_in_a_note():
    with pytest.raises(AttributeError) as error:
        run("lax.linalg.eigh(99)")
    assert any("x is 99 where an array is needed.\n  Try: an array for x" in note for note in error.value.__notes__)
