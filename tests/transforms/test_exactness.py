"""Steps whose bits are the same in compiled programs, of which eager functions that are called often are made."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.modes import compiling, unchecked
from tests.streams import stream

import adjoint
import adjoint.nn
import adjoint.numpy as jnp
from adjoint.core.primitive import primitives
from adjoint.core.types import ShapedArray
from adjoint.prims.family import Elementwise
from adjoint.transforms.jit import exactness, replay

RNG = stream()
EDGES = np.array([0.0, -0.0, 0.5, -1.5, 2.5, 1e-7, 1e-40, 3e38, 1e30, np.nan, np.inf, -np.inf])
FLOATS, INTEGERS = ["float16", "bfloat16", "float32"], ["int8", "uint8", "int32", "uint32", "bool"]


def pairs(dtype, count):
    """Return arrays of all tuples of numbers at the edges of a dtype."""
    numbers = EDGES if "float" in dtype or dtype == "complex64" else np.array([0, 1, 2, -1, 7, 31, 32, 127, -128])
    with np.errstate(all="ignore"):
        column = np.asarray(jnp.asarray(numbers.astype("f4" if numbers is EDGES else "i4")).astype(dtype))
    return [x.ravel() for x in np.meshgrid(*[column] * count)]


def filled(shape, dtype):
    kind = "f" if dtype == "bfloat16" else np.dtype(dtype).kind
    if kind in "biu":
        return RNG.integers(0 if kind == "u" else -100, 100, shape).astype(dtype)
    numbers = RNG.choice(np.concatenate([EDGES, RNG.standard_normal(40) * 50]), (*shape, 2)).astype("f4")
    return jnp.asarray(numbers.view("complex64")[..., 0] if kind == "c" else numbers[..., 0]).astype(dtype)


def calls(p, kinds):
    """Return operands and parameters of calls, of the dtypes of which the bits are to be the same."""
    for operands, params in p.example_calls:
        if {"f" if x.dtype == jnp.bfloat16 else x.dtype.kind for x in operands} <= {*kinds}:
            yield [filled(x.shape, x.dtype) if type(x) is ShapedArray else x for x in operands], params
    if isinstance(p, Elementwise):
        some, params = p.example_calls[0]
        for dtype in [*INTEGERS, *FLOATS * ("f" in kinds), *["complex64"] * ("c" in kinds)]:
            for operands in ([filled((1,), dtype) for _ in some], pairs(dtype, len(some))):
                yield operands, params


@compiling
@pytest.mark.parametrize("kinds", ["biufc", "biuf", "biu"], ids=["all", "reals", "integers"])
def test_steps_have_the_same_bits_compiled(kinds, native):
    tried, exact = 0, [p for p in primitives.values() if p.exact_rule == kinds]
    for p in exact:
        for operands, params in calls(p, kinds):
            arrays = [jnp.asarray(x) for x in operands]
            try:
                expected = adjoint.tree.leaves(p.bind(*arrays, **params))
            except TypeError:  # not of this dtype
                continue
            run = adjoint.jit(lambda *xs, p=p, params=params: p.bind(*xs, **params))
            for _ in range(2):
                for a, b in zip(expected, adjoint.tree.leaves(run(*arrays)), strict=True):
                    assert a.aval == b.aval and np.asarray(a).tobytes() == np.asarray(b).tobytes(), (p.name, operands)
            tried += 1
    assert tried > len(exact)


@pytest.mark.parametrize("function, dtype, expected", [
    (lambda x: jnp.where(x > 0, x * 2 + 1, x / 3), "float32", True), (jnp.cumsum, "int32", True),
    (lambda x: jnp.sort(x)[::-1], "bfloat16", True), (lambda x: x + 1j, "float32", False),
    (adjoint.nn.relu6, "float32", True), (jnp.frexp, "float32", True), (jnp.sinc, "float32", False),
    (lambda x: jnp.conj(x).real, "complex64", True), (lambda x: x * x, "complex64", False),
    (jnp.cumsum, "float32", False), (jnp.sum, "float32", False), (jnp.exp, "float32", False),
    (lambda x: adjoint.lax.fori_loop(0, 3, lambda i, x: x + i, x), "int32", True),
    (lambda x: adjoint.lax.scan(lambda c, y: (c, jnp.sin(y)), 0, x)[1], "float32", False),
    (lambda x: adjoint.lax.cond(x[0] > 0, jnp.abs, jnp.negative, x), "float32", True),
])
def test_programs(function, dtype, expected):
    """A program is exact if all of its steps are, those of programs inside too."""
    assert exactness.has_same_bits(adjoint.make_jaxpr(function)(jnp.zeros(3, dtype)).jaxpr) == expected


@compiling
@unchecked
def test_eager_functions_of_such_steps_are_compiled_when_they_are_called_often(monkeypatch, native):
    monkeypatch.setattr(replay, "perf_counter", itertools.count().__next__)  # each call takes a second
    x, z = jnp.asarray(RNG.standard_normal(9).astype("float32")), jnp.asarray(RNG.standard_normal(9) + 1j)
    for _ in range(4):
        jnp.gradient(x), jnp.gradient(z), jnp.nanargmax(x), jnp.mean(x)
    kinds = lambda function: {type(r) is replay.CompiledReplay for r in function.replays.values()}
    assert kinds(jnp.gradient) == {True, False} and True in kinds(jnp.nanargmax) and True not in kinds(jnp.mean)
    big = jnp.zeros(2 * replay.FEW.stop)
    for _ in range(4):
        jnp.moveaxis(big[None], 0, 1)  # a view, which is made in no time
    assert True not in kinds(jnp.moveaxis)
