"""One program on real JAX and on adjoint: the same results, types and jaxprs, or the same error.

A program is a function of the module, `jax` or `adjoint`, and of arrays, as in
`lambda m, x: m.lax.sin(x)`. It is called with NumPy arrays and Python scalars; each module gets
arrays of its own.
"""

from __future__ import annotations

import functools
import inspect
import re
from functools import partial

import numpy as np
from tests.recorded import jax

import adjoint
from adjoint.array.array import as_array

jaxpr_as_fun = jax.extend.core.jaxpr_as_fun


def arguments(m, args):
    """The arguments as arrays of the module; scalars as they are."""
    make = jax.numpy.asarray if m is jax else as_array
    return [make(x) if isinstance(x, np.ndarray) else x for x in args]


def parameters(m, name):
    """Name, kind and default of each parameter of a function of `lax`."""
    found = inspect.signature(getattr(m.lax, name)).parameters.values()
    return [(p.name, p.kind, p.default) for p in found]


def types(m, program, args):
    """Shape, dtype and weakness of each result, or the class (ValueError for AxisError) and first line of the error."""
    try:
        out = m.eval_shape(partial(program, m), *arguments(m, args))
    except np.exceptions.AxisError as error:
        return "ValueError", str(error).split("\n")[0]
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
    assert_types(theirs, ours)
    assert_values(theirs, ours, rtol)


def assert_types(theirs, ours):
    for a, b in zip(theirs, ours, strict=True):
        expected, actual = [(v.shape, v.dtype.name, v.weak_type) for v in (a, b)]
        assert expected == actual, f"JAX: {expected}, adjoint: {actual}"


def assert_values(theirs, ours, rtol):
    for x, y in zip(map(numbers, theirs), map(numbers, ours), strict=True):
        if rtol and x.dtype.kind in "fc":
            size = np.abs(x[np.isfinite(x)]).max(initial=0.0)
            np.testing.assert_allclose(x, y, rtol=rtol, atol=rtol * size)
        else:
            np.testing.assert_array_equal(x, y)


def answers(rows):
    """What real JAX gives for each (program, *arguments), compiled as one: compiling is what takes the time."""
    programs = [program for program, *_ in rows]
    operands = [arguments(jax, args) for _, *args in rows]
    return jax.jit(lambda operands: [f(*xs) for f, xs in zip(programs, operands)])(operands)


_waiting = None  # what a test that is `together` has still to ask


def together(test):
    """A test that asks often: all that it asks of real JAX is compiled as one, when it has ended."""

    @functools.wraps(test)
    def wrapped(*args, **kwargs):
        global _waiting
        _waiting, rows = [], []
        try:
            test(*args, **kwargs)
            rows = _waiting
        finally:
            _waiting = None
        _answer(rows)

    return wrapped


def ask(check, program, *operands):
    """Give real JAX's results of a program, as a list, to `check`: now, or when all of the test are known.

    Returns the types of the results.
    """
    closed = jax.make_jaxpr(program)(*operands)
    row = check, closed, jax.tree.leaves(operands), jax.config.jax_enable_x64
    if _waiting is None:
        _answer([row])
    else:
        _waiting.append(row)
    return closed.out_avals


def _answer(rows):
    for x64 in {row[-1] for row in rows}:
        chosen = [row for row in rows if row[-1] == x64]
        with jax.enable_x64(x64):
            theirs = answers([(jaxpr_as_fun(closed), *operands) for _, closed, operands, _ in chosen])
        for values, (check, closed, *_) in zip(theirs, chosen, strict=True):
            try:
                check(values)
            except AssertionError as error:
                error.add_note(f"in the program {closed}")
                raise


def same(program, *args, rtol=2e-6):
    """The program has the same results, evaluated now and compiled; `rtol=0` compares exactly."""
    xs = arguments(adjoint, args)
    ours = [adjoint.tree.leaves(f(*xs)) for f in (partial(program, adjoint), adjoint.jit(partial(program, adjoint)))]

    def check(theirs):
        for outs in ours:
            assert_values(theirs, outs, rtol)

    avals = ask(check, partial(program, jax), *arguments(jax, args))
    for outs in ours:
        assert_types(avals, outs)


def same_jaxpr(program, *args, axis_env=None):
    """The program is traced to the same text, except for spaces."""
    texts = [
        str(m.make_jaxpr(partial(program, m), axis_env=axis_env)(*arguments(m, args)))
        for m in (jax, adjoint)
    ]
    theirs, ours = [re.sub(r"\s+", "", re.sub(r"np\.int64\((\d+)\)", r"\1", t)) for t in texts]
    assert theirs == ours, f"JAX: {theirs}\nadjoint: {ours}"
