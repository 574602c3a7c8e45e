"""Errors of Python's own say which argument is of a wrong kind, and the line that they give instead runs."""

from __future__ import annotations

import json
import linecache

import numpy as np
import pytest

import adjoint
from adjoint import lax, random
from adjoint import numpy as jnp
from adjoint.core.messages.hints import hint

NAMES = dict(json=json, jnp=jnp, lax=lax, random=random, np=np, adjoint=adjoint)
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
    "an array for one axis": (
        "jnp.fft.fft(x, axis=axes)", "axis is Array([0], dtype=int32) where something hashable is needed.",
        "jnp.fft.fft(x, axis=int(axes[0]))"),
    "one axis for several": (
        "jnp.fft.fftn(x, axes=1)", "axes is 1 where several values are needed.", "jnp.fft.fftn(x, axes=(1,))"),
}
# Those that have no other line.
TOLD = {
    "None for a function": (
        "jnp.apply_along_axis(None, 0, x)", "func1d is None where a function is needed.",
        "a function for func1d, such as lambda x: x"),
    "one value for several": (
        "jnp.choose(axis, 3)", "choices is 3 where several values are needed.",
        "several values for choices, in a tuple or a list"),
    "several axes for one": (
        "lax.associative_scan(jnp.add, x, axis=(0, 1))", "axis is (0, 1) where a number is needed.",
        "a number for axis"),
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
    """In place of the line that is refused, which it differs from by the argument alone."""
    line, _, mended = MENDED[name]
    assert line.partition("(")[0] == mended.partition("(")[0]
    run(mended)


def test_nothing_is_said_where_two_arguments_may_be_at_fault():
    for line in ("lax.dynamic_slice_in_dim(x, 0, [1], [1])", "lax.stack(-7, axis=1)", "lax.concatenate(99, 0)"):
        assert " needed." not in told(line)


def test_nothing_is_said_of_an_error_in_a_function_of_the_user():
    assert "where an int is needed" not in told("adjoint.jit(lambda s: range(s), static_argnums=0)('a')")


def test_what_is_no_array_is_told_in_a_note():
    with pytest.raises(AttributeError) as error:
        run("lax.linalg.eigh(99)")
    assert any("x is 99 where an array is needed.\n  Try: an array for x" in note for note in error.value.__notes__)


# What functions of this package say themselves, with the beginning of JAX's text and what to write.
REFUSED = {
    "jnp.convolve(x, x)": ("convolve() only support 1-dimensional inputs.", "jax.scipy.signal.convolve"),
    "jnp.tensordot(x, x, 'a')": ("tensordot axes argument must be an int", "axes=1"),
    "jnp.tril_indices_from(x[0])": ("Only 2-D inputs are accepted", "x[:, None]"),
    "jnp.floor_divide(1j, 2)": ("floor_divide does not support complex-valued inputs", "x / y"),
    "jnp.linalg.cond(x[0])": ("jnp.linalg.cond: input array must be at least 2D", "x[:, None]"),
    "jnp.linalg.matrix_power(x[0], 2)": ("1-dimensional array given. Array must be at least", "jnp.diag(x)"),
    "jnp.linalg.cross(x[:, :2], x[:, :2])": ("Both input arrays must be (arrays of)", "jnp.cross(x1, x2)"),
    "jnp.pad(x, 'a')": ("`pad_width` must be of integral type.", "jnp.pad(x, ((before, after),) * x.ndim)"),
    "jnp.average(x, weights=jnp.ones(3))": ("Axis must be specified when shapes of a and weights", "axis=0"),
    "jnp.histogram(x, weights=jnp.ones(3))": ("weights should have the same shape as a.", "weights=jnp.broadcast_to"),
    "jnp.gcd(1.5, 2)": ("Arguments to jax.numpy.gcd must be integers.", "x.astype(int)"),
    "jnp.polyfit(x, x, 1)": ("expected 1D vector for x", "x.ravel()"),
    "jnp.rot90(x[0])": ("rot90 requires its first argument to have ndim at least two", "x[None]"),
    "jnp.zeros(2, dtype=x)": ("Passing an array as a dtype argument is no longer supported", "dtype=x.dtype"),
    "jnp.append(x, random.key(0))": ("dtype=key<fry> is not a valid dtype for JAX type promotion", "jax.random.bits"),
    "jnp.compress(x > 0, x)": ("condition must be a 1D array", "condition.ravel()"),
    "lax.argmax(x, 7, 'int32')": ("Invalid axis 7 for operand shape (2, 3)", "an axis from 0 to 1"),
    "lax.batch_matmul(x[0], x[0])": ("Arguments to batch_matmul must be at least 2D, got 1, 1", "x[None] @ y"),
    "lax.dot_general(x, x, (((7,), (0,)), ((), ())))": ("dot_general requires lhs dimension", "((lhs_contracting"),
    "lax.conv(x[None], x[None], (1,), 3)": ("padding argument to conv_general_dilated should be", "padding=[(1, 1)]"),
    "lax.platform_dependent(x, cpu=3)": ("lax.platform_dependent: the 'cpu' branch must be a callable.", "a function"),
    "adjoint.scipy.signal.convolve2d(x[0], x[0])": ("convolve2d() only supports 2-dimensional inputs.", "x[None]"),
    "adjoint.scipy.linalg.expm(x)": ("Expected A to be a (batched) square matrix", "A.mT @ A"),
    "adjoint.nn.dot_product_attention(x, x, x)": ("key ndim should be 4", "x[None]"),
    "lax.mul(x, 'a')": ("Error interpreting argument to mul as a JAX value.", "an array or a number"),
    "lax.reduce(x, x, lax.add, (0,))": ("reduce found non-scalar initial value: [(2, 3)]", "lax.reduce(x, 0.0"),
    "lax.top_k(x, -1)": ("k argument to top_k must be nonnegative, got -1", "lax.top_k(-x, k)"),
    "adjoint.nn.one_hot(jnp.arange(3), -1)": ("iota shape must have every element be nonnegative", "max(n, 0)"),
    "lax.scan(lambda c, x: (c, x), 0., x, 'reverse')": ("invalid literal for int()", "lax.scan(f, init, xs, reverse"),
    "lax.associative_scan(jnp.add, [1., 2.])": ("axis 0 is out of bounds for array of dimension 0", "jnp.asarray(...)"),
    "adjoint.fwd_and_bwd(3, 0)": ("Expected a callable value, got 3", "fwd_and_bwd(f)(x)"),
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_is_refused_is_said_with_what_to_write(line):
    begin, fix = REFUSED[line]
    with pytest.raises((TypeError, ValueError)) as error:
        run(line)
    assert str(error.value).startswith(begin)
    assert f"\n  Try: {fix}" in str(error.value)


HINTED = {
    "adjoint.jit(jnp.sin, jnp.cos)(x)": "jit(lambda x: g(f(x))) for two functions",
    "adjoint.jit(lambda n: np.zeros(n))(3)": "jit(f, static_argnames='n')",
    "x.at[0](1)": "x.at[index].set(value)",
    "adjoint.jit(json.dumps)(1.0)": "return it from the traced function",
}


@pytest.mark.parametrize("line", HINTED)
def test_what_python_refuses_has_a_hint(line):
    with pytest.raises(TypeError) as error:
        run(line)
    assert hint(error.value).startswith(f"  Try: {HINTED[line]}")
