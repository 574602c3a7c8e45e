"""One program on real JAX and on adjoint: the same results, types and jaxprs, or the same error.

A program is a function of the module, `jax` or `adjoint`, and of arrays, as in
`lambda m, x: m.lax.sin(x)`. It is called with NumPy arrays and Python scalars; each module gets
arrays of its own.
"""

from __future__ import annotations

import inspect
import re
from functools import partial

import jax
import numpy as np

import adjoint
from adjoint.array.array import as_array


def arguments(m, args):
    """The arguments as arrays of the module; scalars as they are."""
    make = jax.numpy.asarray if m is jax else as_array
    return [make(x) if isinstance(x, np.ndarray) else x for x in args]


def parameters(m, name):
    """Name, kind and default of each parameter of a function of `lax`."""
    found = inspect.signature(getattr(m.lax, name)).parameters.values()
    return [(p.name, p.kind, p.default) for p in found]


def types(m, program, args):
    """Shape, dtype and weakness of each result, or the class and first line of the error."""
    try:
        out = m.eval_shape(partial(program, m), *arguments(m, args))
    except Exception as error:
        return type(error).__name__, str(error).split("\n")[0]
    return [(x.shape, x.dtype.name, x.weak_type) for x in jax.tree.leaves(out)]


def same_types(program, *args, lines=True):
    """The program has the same types or the same error; with `lines`, the same first line of it."""
    theirs, ours = types(jax, program, args), types(adjoint, program, args)
    if not lines and isinstance(theirs, tuple):
        theirs, ours = theirs[0], ours[0]
    assert theirs == ours, f"JAX: {theirs}\nadjoint: {ours}"


def numbers(x):
    """The values of an array of either module, wide enough to compare."""
    x = np.asarray(x._buffer if type(x).__module__.startswith("adjoint") else x)
    if x.dtype.name in ("bfloat16", "float16"):
        return x.astype(np.float32)
    return x


def assert_same(theirs, ours, rtol):
    """Trees of equal types and values, up to rounding."""
    theirs, ours = jax.tree.leaves(theirs), jax.tree.leaves(ours)
    for a, b in zip(theirs, ours, strict=True):
        expected, actual = [(v.shape, v.dtype.name, v.weak_type) for v in (a, b)]
        assert expected == actual, f"JAX: {expected}, adjoint: {actual}"
        x, y = numbers(a), numbers(b)
        if rtol and x.dtype.kind in "fc":
            size = np.abs(x[np.isfinite(x)]).max(initial=0.0)
            np.testing.assert_allclose(x, y, rtol=rtol, atol=rtol * size)
        else:
            np.testing.assert_array_equal(x, y)


def same(program, *args, rtol=2e-6):
    """The program has the same results, evaluated now and compiled; `rtol=0` compares exactly."""
    theirs = jax.jit(partial(program, jax))(*arguments(jax, args))
    xs = arguments(adjoint, args)
    assert_same(theirs, program(adjoint, *xs), rtol)
    assert_same(theirs, adjoint.jit(partial(program, adjoint))(*xs), rtol)


def same_jaxpr(program, *args, axis_env=None):
    """The program is traced to the same text, except for spaces."""
    texts = [
        str(m.make_jaxpr(partial(program, m), axis_env=axis_env)(*arguments(m, args)))
        for m in (jax, adjoint)
    ]
    theirs, ours = [re.sub(r"\s+", "", re.sub(r"np\.int64\((\d+)\)", r"\1", t)) for t in texts]
    assert theirs == ours, f"JAX: {theirs}\nadjoint: {ours}"
