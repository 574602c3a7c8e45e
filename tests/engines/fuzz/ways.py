"""The ways to run a program, each compared with the NumPy engine."""

from __future__ import annotations

import contextlib
import re
import warnings

import numpy as np
from tests.engines.agreement import both
from tests.engines.fuzz.rounded import uncertainty, wide
from tests.engines.fuzz.transformed import Transformed

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import dtypes
from adjoint.core.trace import eval_jaxpr
from adjoint.engines.numpy import program as numpy_program

TOLERANCE = {1: 0, 2: 0.03, 4: 1e-4, 8: 1e-10}
# What has no derivative in JAX either.
WITHOUT_DERIVATIVES = (
    "scatter_mul gradients are only implemented", "scatter_apply JVP", "Betainc gradient with respect to a and b",
    "Differentiation rule for 'nextafter'", "Differentiation rule for 'zeta'", "gt does not accept dtype complex",
    "The second derivative of hyp2f1", "The second derivative of hyp1f1",
)
# XLA refuses to sort two-bit integers beside another operand, under JAX too.
REFUSED_BY_XLA = "Inputs must have the same shape"
TWO_BITS = re.compile(r":[iu]2\[")  # integers that XLA's programs for processors write beyond their memory


@contextlib.contextmanager
def on(engine: str):
    """Programs are compiled by an engine."""
    before = ax.config.cpu_engine
    ax.config.update("cpu_engine", engine)
    try:
        yield
    finally:
        ax.config.update("cpu_engine", before)


# ---- ways: of a function and its operands, and as a program -> results ---------------------------------------


def compiled(function, closed, inputs):
    """Native code, quickly made and well made, and from its record: the same bits."""
    return both(closed, inputs)[0]


def eager(function, closed, inputs):
    """Operation by operation, loops as native code."""
    return [np.asarray(x) for x in function(*[jnp.asarray(x) for x in inputs])]


def strides(function, closed, inputs):
    """Operands that lie otherwise: backwards, in steps, by columns, as parts of others."""
    ways = (
        lambda x: np.flip(np.flip(x).copy()), lambda x: np.array(x, order="F"),
        lambda x: np.repeat(x, 2, -1)[..., ::2] if x.ndim else x,
        lambda x: np.pad(x, [(1, 2)] * x.ndim)[tuple(slice(1, 1 + n) for n in x.shape)] if x.ndim else x,
    )
    laid = [ways[(i + x.size) % len(ways)](x) for i, x in enumerate(inputs)]
    run = ax.jit(lambda *xs: eval_jaxpr(closed.jaxpr, closed.consts, *xs))
    first, later = ([np.asarray(x) for x in run(*laid)] for _ in range(2))
    for x, y in zip(first, later):
        np.testing.assert_array_equal(x[None].view("u1"), y[None].view("u1"))
    return later


def rows(function, closed, inputs):
    """The first of three rows that are mapped."""
    run = ax.jit(ax.vmap(lambda *xs: eval_jaxpr(closed.jaxpr, closed.consts, *xs)))
    stacked = [jnp.stack([jnp.asarray(x), jnp.roll(x, 1), jnp.roll(x, 3)]) for x in inputs]
    return [np.asarray(x)[0] for x in run(*stacked)]


def xla(function, closed, inputs):
    """XLA's code."""
    with on("xla"):
        run = ax.jit(lambda *xs: eval_jaxpr(closed.jaxpr, closed.consts, *xs))
        return [np.asarray(x) for x in run(*inputs)]


WAYS = {w.__name__: w for w in (compiled, eager, strides, rows, xla)}


def ways_of(number: int) -> list[str]:
    """How a program is run: compiled, and in another way; XLA takes long to compile."""
    return ["compiled", "xla" if number % 16 == 0 else ("eager", "strides", "rows")[number % 3]]


# ---- comparing ---------------------------------------------------------------------------------------------


def made(number: int):
    """A program: its function, its jaxpr, its operands, and which results are exact."""
    function = Transformed(number)
    closed = ax.make_jaxpr(function)(*function.inputs)
    exact = function.exact or [False] * len(closed.out_avals)
    return function, closed, function.inputs, exact


def differences(number: int, ways=None) -> list[str]:
    """What is not as on the NumPy engine, in words."""
    with ax.enable_x64(True), warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            function, closed, inputs, exact = made(number)
        except (NotImplementedError, TypeError, ValueError) as error:
            if any(known in str(error) for known in WITHOUT_DERIVATIVES):
                return []
            raise
        found = []
        for way in ways or ways_of(number):
            if way == "xla" and TWO_BITS.search(str(closed)):
                continue
            try:
                found += [f"{way}: {text}" for text in against_numpy(WAYS[way], function, closed, inputs, exact)]
            except ax.errors.JaxRuntimeError as error:
                if way != "xla" or REFUSED_BY_XLA not in str(error):
                    raise
    return found


def against_numpy(way, function, closed, inputs, exact) -> list[str]:
    """What differs from the NumPy engine, beyond rounding."""
    expected = [np.asarray(x) for x in numpy_program(closed)(*inputs)]
    results = way(function, closed, inputs)
    found, bounds = [], None
    for i, (x, y) in enumerate(zip(results, expected, strict=True)):
        if (x.shape, x.dtype) != (y.shape, y.dtype):
            found.append(f"result {i}: {x.dtype}{x.shape}, expected {y.dtype}{y.shape}")
        elif not near(x, y, exact[i]):
            bounds = bounds or uncertainty(closed, inputs)
            if exact[i] or not within(x, y, bounds[i]):
                found.append(f"result {i}, {x.dtype}{x.shape}, exact {exact[i]}: {_shown(x, y)}")
    return found


def near(x, y, exact: bool) -> bool:
    """Whether results are equal, or nearly."""
    if exact or not dtypes.issubdtype(x.dtype, np.inexact):
        return bool(np.array_equal(wide(x), wide(y), equal_nan=True)) and (
            x.dtype.kind not in "iu" or np.array_equal(x, y))
    tolerance = _tolerance(x.dtype)
    with np.errstate(all="ignore"):
        return bool(np.allclose(wide(x), wide(y), tolerance, tolerance, equal_nan=True))


def within(x, y, bound) -> bool:
    """Whether results are as near as rounding errors of the program allow."""
    tolerance = _tolerance(x.dtype) if dtypes.issubdtype(x.dtype, np.inexact) else 0
    with np.errstate(all="ignore"):
        off = abs(wide(x) - wide(y))
        scale = np.nan_to_num(abs(wide(y)), posinf=0)
        return bool(np.all(np.isnan(bound) | np.isinf(bound) | (off <= tolerance * (1 + scale) + 16 * bound)
                           | (wide(x) == wide(y)) | np.isnan(wide(x)) & np.isnan(wide(y))))


def _tolerance(dtype) -> float:
    return TOLERANCE[dtype.itemsize // (2 if dtype.kind == "c" else 1)]


def _shown(x, y) -> str:
    x, y = x.ravel(), y.ravel()
    at = [i for i in range(x.size) if not np.array_equal(wide(x[i]), wide(y[i]), equal_nan=True)][:4]
    return f"{x[at]} for {y[at]} at {at} of {x.size}"
