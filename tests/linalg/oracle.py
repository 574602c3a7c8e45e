"""Many programs at once on real JAX and one by one on adjoint, with their derivatives.

A program is a function of the module, `jax` or `adjoint`, and of one array. JAX compiles all programs of a
table together, because compiling takes the time; float64, so that differences mean something. Of programs that
SciPy runs too, with the same values, JAX tells the types only.
"""

from __future__ import annotations

import importlib
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from tests.modes import refused
from tests.recorded import jax

import adjoint
import scipy
from adjoint.core.types import Array

_SCIPY = (
    "linalg", "special", "stats", "signal", "fft", "ndimage", "interpolate", "cluster.vq", "spatial.transform",
    "integrate",
)
_QUICKLY = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}


def value(m, program, x):
    return program(m, x)


def tangent(m, program, x):
    return m.jvp(lambda x: inexact(m, program(m, x)), (x,), (m.numpy.asarray(direction(x)),))[1]


def cotangent(m, program, x):
    outs, pull = m.vjp(lambda x: inexact(m, program(m, x)), x)
    return pull([m.numpy.asarray(direction(y, 1)) for y in outs])[0]


def both(m, program, x):
    """The values and the cotangent, from one evaluation."""
    def pair(x):
        outs = program(m, x)
        return inexact(m, outs), outs

    outs, pull, values = m.vjp(pair, x, has_aux=True)
    return values, pull([m.numpy.asarray(direction(y, 1)) for y in outs])[0]


def batched(m, program, x):
    return m.vmap(lambda x: program(m, x))(m.numpy.stack([x, 2 * x]))


def batched_of(home, name):
    """The program that maps a function of a module over the rows."""
    return lambda m, x: m.vmap(getattr(home(m), name))(x)


def inexact(m, outs):
    """The results that have derivatives."""
    return [y for y in m.tree.leaves(outs) if m.numpy.issubdtype(y.dtype, m.numpy.inexact)]


def direction(x, k: int = 2):
    """A fixed array like `x`, not symmetric."""
    phase = np.arange(int(np.prod(x.shape))).reshape(x.shape)
    out = np.cos(1.7 * phase + k)
    return (out + 1j * np.sin(2.3 * phase) if x.dtype.kind == "c" else out).astype(x.dtype)


def compare(mode, table, rtol=1e-9):
    """Every program of a table of (label, program, operand) gives what it gives on JAX."""
    with jax.enable_x64(True), adjoint.enable_x64(True):
        table = [row for row in table if not refused(lambda m, x, row=row: mode(m, row[1], x), row[2])]
        ours = [
            mode(adjoint, program, adjoint.numpy.asarray(x) if isinstance(x, np.ndarray) else x)
            for _, program, x in table
        ]
        asked = [i for i, row in enumerate(table) if mode is not value or not agrees_with_scipy(row, ours[i], rtol)]
        rows = [table[i] for i in asked]

        def run(rows):
            return lambda xs: [mode(jax, program, x) for (_, program, _), x in zip(rows, xs)]

        theirs = jax.eval_shape(run(table), [x for _, _, x in table]) if len(rows) < len(table) else [None] * len(rows)
        operands = [x for _, _, x in rows]
        with jax.debug_nans(False), jax.disable_jit(False):  # a NaN among the values of all is no answer about one
            values = jax.jit(run(rows)).lower(operands).compile(_QUICKLY)(operands) if rows else []
        for i, expected in zip(asked, values):
            theirs[i] = expected
        for (label, *_), expected, actual in zip(table, theirs, ours, strict=True):
            same(expected, actual, rtol, label)


def agrees_with_scipy(row, ours, rtol) -> bool:
    """Whether SciPy runs the program and gives these values."""
    label, program, x = row
    for module in _SCIPY:
        importlib.import_module(f"scipy.{module}")
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            theirs = program(SimpleNamespace(scipy=scipy, numpy=np, tree=jax.tree), x)
        ours = adjoint.tree.leaves(ours)
        for a, b in zip(map(np.asarray, jax.tree.leaves(theirs)), ours, strict=True):
            assert a.shape == b.shape and a.dtype.kind in "fciub"
            close(a, b, rtol, label)
    except Exception:  # whatever SciPy says of a program that was not written for it
        return False
    return True


def same(expected, actual, rtol, label):
    """Types and values; of what has no values the types."""
    expected, actual = jax.tree.leaves(expected), adjoint.tree.leaves(actual)
    assert len(expected) == len(actual), label
    for a, b in zip(expected, actual):
        assert isinstance(b, Array), label
        assert (a.shape, a.dtype, a.weak_type) == (b.shape, b.dtype, b.weak_type), f"{label}: {b.aval}"
        if not isinstance(a, jax.ShapeDtypeStruct):
            close(a, b, rtol, label)


def close(a, b, rtol, label):
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype.kind in "fc":
        scale = np.abs(a[np.isfinite(a)]).max(initial=1e-3)
        np.testing.assert_allclose(b, a, rtol=rtol, atol=rtol * scale, err_msg=label)
    else:
        np.testing.assert_array_equal(b, a, err_msg=label)


def check_cotangents(table, rtol=1e-5):
    """The cotangents of adjoint are those of its values, by central differences: where compiling JAX's takes long."""
    jnp = adjoint.numpy
    with adjoint.enable_x64(True):
        for label, program, x in table:
            outs, pull = adjoint.vjp(lambda x: inexact(adjoint, program(adjoint, x)), jnp.asarray(x))
            finite = [np.isfinite(np.asarray(y)) for y in outs]
            weights = [np.where(ok, direction(y, 1), 0).astype(y.dtype) for ok, y in zip(finite, outs)]
            (ct,) = pull([jnp.asarray(w) for w in weights])
            d, step = direction(x), 1e-6

            def total(x):
                ys = [np.asarray(y) for y in inexact(adjoint, program(adjoint, jnp.asarray(x)))]
                return sum(np.sum(w[ok] * y[ok]).real for w, ok, y in zip(weights, finite, ys))

            expected = (total(x + step * d) - total(x - step * d)) / (2 * step)
            actual = np.sum(np.asarray(ct) * d).real
            np.testing.assert_allclose(actual, expected, rtol=rtol, atol=rtol, err_msg=label)


def same_errors(call):
    """`call(m)` raises the same class on both, and the same first line."""
    texts = []
    for m in (jax, adjoint):
        with pytest.raises(Exception) as found:
            call(m)
        texts.append((found.type, str(found.value).split("\n")[0]))
    assert texts[0] == texts[1]
