"""A program on the native engine against the same program on the NumPy engine."""

from __future__ import annotations

import os
import pickle

import numpy as np

import adjoint as ax
from adjoint.engines.native.program.executable import Program
from adjoint.engines.native.program.table import Executable
from adjoint.engines.numpy import program

os.environ.setdefault("ADJOINT_CACHE_DIR", "off")  # tests leave nothing in the user's folder
TOLERANCE = {1: 0, 2: 2e-2, 4: 3e-5, 8: 1e-12}


def both(closed, args):
    """Results of the native engine, of the NumPy engine, and the executable."""
    buffers = [a._buffer if isinstance(a, ax.Array) else np.asarray(a) for a in args]
    compiled = Executable(closed)
    results = in_both_tiers(compiled, buffers)
    record = pickle.loads(pickle.dumps(compiled.record()))
    if record is not None:
        for first, recorded in zip(results, Program(closed, record, "auto", lambda: compiled)(*buffers), strict=True):
            _assert_same(first, recorded)
    return results, [np.asarray(x) for x in program(closed)(*buffers)], compiled


def in_both_tiers(compiled, buffers):
    """The results of the code of the first call; those of the code for later calls are the same bits."""
    results = compiled(*buffers)
    compiled.finish()
    for first, later in zip(results, compiled(*buffers), strict=True):
        _assert_same(first, later)
    return results


def _assert_same(x, y):
    if x.dtype.itemsize <= 2:  # NumPy does not know what NaN is among small floats
        x, y = [v.view(f"u{v.dtype.itemsize}") for v in (x, y)]
    np.testing.assert_array_equal(x, y)


def assert_agrees(function, *args, scale=1.0):
    """Shapes, dtypes and values agree; floats to the precision of their width. Returns the executable."""
    closed = ax.make_jaxpr(function)(*args)
    native, expected, compiled = both(closed, args)
    for x, y, aval in zip(native, expected, closed.out_avals, strict=True):
        assert (aval.shape, getattr(aval.dtype, "buffer_dtype", aval.dtype)) == (x.shape, x.dtype)
        if x.dtype.kind in "biu" or x.dtype.names:
            np.testing.assert_array_equal(y, x)
        else:
            wide, parts = (np.complex128, 2) if x.dtype.kind == "c" else (np.float64, 1)
            tol = scale * TOLERANCE[x.dtype.itemsize // parts]
            np.testing.assert_allclose(x.astype(wide), y.astype(wide), rtol=tol, atol=tol)
    return compiled


def steps(compiled) -> list[str]:
    """What the table of an executable holds: `kernel`, `scan`, `while`, `cond` for code, primitives for host steps."""
    names = []
    for i, unit in enumerate(compiled.units):
        if i in compiled.native:
            names.append(getattr(unit, "kind", "kernel"))
        elif unit.kind != "gather":
            names.append(str(unit.eqn.primitive))
    return names


def host_steps(compiled) -> list[str]:
    """The primitives that run in Python."""
    return [
        str(unit.eqn.primitive) for i, unit in enumerate(compiled.units)
        if i not in compiled.native and getattr(unit, "kind", "gather") != "gather"
    ]
