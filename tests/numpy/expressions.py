"""Expressions of `n`, the module `numpy` of JAX or adjoint, and of arrays `x`, `y`, evaluated on both.

A table is a text with one expression a line. All its results are compared at once, so that JAX compiles one
program for a table: evaluated now, a second and a third time (which may be replayed), and compiled.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from tests.modes import refused
from tests.recorded import jax

import adjoint

from ..lax.parity import arguments, assert_same, same_jaxpr


def rows(table: str) -> list[str]:
    """The expressions of a table; what follows a # is a remark."""
    lines = [line.split(" #")[0].strip() for line in table.strip().splitlines()]
    return [line for line in lines if line]


def program(expression: str):
    """The function of a module and arrays that an expression stands for."""
    code = compile(expression, f"<{expression}>", "eval")
    return lambda m, *args: eval(code, dict(np=np, n=m.numpy, m=m, **dict(zip("xyz", args))))


def allowed(table: str, args) -> list[str]:
    """The expressions that the mode of this run does not forbid."""
    return [row for row in rows(table) if not refused(program(row), *args)]


def together(rows: list[str]):
    """All results of expressions, as a list."""
    programs = [program(row) for row in rows]
    return lambda m, *args: [p(m, *args) for p in programs]


def same_values(table: str, *args, rtol=2e-6):
    """Every expression has the same values, shapes, dtypes and weak types."""
    chosen = allowed(table, args)
    theirs = jax.jit(partial(together(chosen), jax))(*arguments(jax, args))
    xs = arguments(adjoint, args)
    compiled = adjoint.jit(partial(together(chosen), adjoint))(*xs)
    for row, expected, actual in zip(chosen, theirs, compiled, strict=True):
        run = partial(program(row), adjoint)
        for call in (run, run, run, lambda *_, actual=actual: actual):
            try:
                assert_same(expected, call(*xs), rtol)
            except Exception as error:
                raise AssertionError(f"{row}\n{error}") from error


def same_concrete(table: str, *args, rtol=2e-6):
    """`same_values` of functions whose results have shapes that depend on values."""
    xs, ys = arguments(jax, args), arguments(adjoint, args)
    for row in rows(table):
        try:
            assert_same(program(row)(jax, *xs), program(row)(adjoint, *ys), rtol)
        except Exception as error:
            raise AssertionError(f"{row}\n{error}") from error


def same_derivatives(table: str, *args, rtol=1e-4):
    """The gradients of sums of sines, and batched results, are the same for every expression."""
    chosen = allowed(table, args)
    programs = [program(row) for row in chosen]

    def gradients(m, *xs):
        def total(p, *xs):
            leaves = m.tree_util.tree_leaves(p(m, *xs))
            return sum(m.numpy.sum(m.numpy.sin(m.numpy.real(v))) for v in leaves)

        floats = tuple(i for i, x in enumerate(xs) if x.dtype.kind == "f")
        return [m.grad(partial(total, p), floats)(*xs) for p in programs]

    def batches(m, *xs):
        pair = [m.numpy.stack([x, x[::-1]]) for x in xs]
        return [m.vmap(partial(p, m))(*pair) for p in programs]

    for f in (gradients, batches):
        theirs = jax.jit(partial(f, jax))(*arguments(jax, args))
        ours = f(adjoint, *arguments(adjoint, args))
        for row, expected, actual in zip(chosen, theirs, ours, strict=True):
            try:
                assert_same(expected, actual, rtol)
            except Exception as error:
                raise AssertionError(f"{f.__name__} of {row}\n{error}") from error


def same_jaxprs(table: str, *args):
    """Every expression is traced to the same text."""
    for row in allowed(table, args):
        same_jaxpr(program(row), *args)


def same_errors(table: str, *args):
    """Every expression raises; adjoint's error is of JAX's class or of one below it."""
    for row in rows(table):
        errors = []
        for m in (jax, adjoint):
            try:
                program(row)(m, *arguments(m, args))
                raise AssertionError(f"{m.__name__}: {row} raises nothing")
            except AssertionError:
                raise
            except Exception as error:
                errors.append(error)
        theirs, ours = errors
        names = [c.__name__ for c in type(ours).__mro__]
        assert type(theirs).__name__ in names, f"{row}\nJAX: {theirs!r}\nadjoint: {ours!r}"


def numbers(dtype=np.float32, shape=(2, 3, 4), seed=0):
    """Distinct numbers of both signs in disorder; of booleans, half of them true."""
    size = int(np.prod(shape))
    n = np.random.default_rng(seed).permutation(size).reshape(shape) - size // 3
    if np.dtype(dtype).kind == "c":
        return (n / 8 + 1j * ((n * 7) % 5) / 4).astype(dtype)
    if dtype is bool:
        return n % 5 > 1
    return n.astype(dtype) if np.dtype(dtype).kind in "iu" else (n / 8).astype(dtype)
