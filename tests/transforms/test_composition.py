"""Transformations nested to depth 3 give real JAX's numbers.

JAX would compile a thousand programs here, so its numbers are kept in a file. Write it anew with
`UPDATE_GOLDEN=1 pytest tests/transforms/test_composition.py -p no:xdist`.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
import adjoint.numpy as adjoint_numpy

X = np.array([0.3, -0.7, 1.2], np.float32)


def functions(ax, np_):
    """Functions R^3 -> R^3 of different kinds, for one module."""
    lax = ax.lax

    @ax.custom_jvp
    def cubed(x):
        return x**3

    cubed.defjvp(lambda primals, ts: (cubed(primals[0]), 3.1 * primals[0] ** 2 * ts[0]))

    @ax.custom_vjp
    def clipped(x):
        return np_.sin(x) * x

    clipped.defvjp(
        lambda x: (np_.sin(x) * x, (np_.cos(x), x)),
        lambda res, ct: (ct * res[0] * 1.3 + ct * np_.tanh(res[1]),),
    )

    def loop(x):
        step = lambda c, v: (np_.tanh(c * v) + 0.1 * c, c * v)
        last, ys = lax.scan(step, x, np_.stack([x, 2 * x, np_.sin(x)]))
        return last + ys.sum(0)

    def branch(x):
        return lax.cond(x.sum() > 0.5, lambda v: v * np_.sin(v), lambda v: np_.cos(v) ** 2, x)

    def repeat(x):
        return lax.fori_loop(0, 4, lambda i, c: np_.sin(c) + 0.1 * x * i, x)

    def while_(x):
        body = lambda s: (s[0] + 1, np_.cos(s[1]) * x)
        return lax.while_loop(lambda s: s[0] < 3, body, (0, x))[1]

    return {
        "formula": lambda x: np_.sin(x) * x + x.sum() / (1 + x**2),
        "indexing": lambda x: x.at[1].mul(x[0])[::-1] * np_.where(x > 0, x, x**2),
        "product": lambda x: np_.outer(x, np_.exp(x)) @ x,
        "scan": loop,
        "cond": branch,
        "fori": repeat,
        "while": while_,
        "custom_jvp": lambda x: cubed(np_.sin(x)) * x,
        "custom_vjp": lambda x: clipped(x * x),
        "remat": ax.checkpoint(lambda x: np_.sin(np_.exp(np_.sin(x)))),
        "sort": lambda x: np_.sort(x) * np_.cumsum(x),
        "jit": ax.jit(lambda x: np_.tanh(x * ax.jit(np_.cos)(x))),
    }


def transformations(ax, np_):
    """Transformations of functions R^3 -> R^3 into such functions."""
    return {
        "jit": ax.jit,
        "vmap": lambda f: lambda x: ax.vmap(f)(np_.stack([x, x * 0.5])).sum(0),
        "grad": lambda f: ax.grad(lambda x: (f(x) ** 2).sum()),
        "jvp": lambda f: lambda x: ax.jvp(f, (x,), (np_.cos(x),))[1],
        "vjp": lambda f: lambda x: ax.vjp(f, x)[1](np_.sin(x))[0],
        "linearize": lambda f: lambda x: ax.linearize(f, x)[1](np_.sin(x)),
        "remat": ax.checkpoint,
        "scan": lambda f: lambda x: ax.lax.scan(lambda c, v: (f(c) * v, None), x, np_.stack([x, x]))[0],
        "closure": lambda f: lambda x: ax.grad(lambda y: (f(x) * y * x).sum())(x),
    }


OURS = functions(adjoint, adjoint_numpy)
MAKE = transformations(adjoint, adjoint_numpy)
GOLDEN = Path(__file__).parent / "composition.npz"
UPDATE = bool(os.environ.get("UPDATE_GOLDEN"))
expected = dict(np.load(GOLDEN)) if GOLDEN.exists() else {}
FORWARD = {"jvp", "linearize"}  # not defined for custom_vjp
REVERSE = {"grad", "vjp"}  # not defined for while

def is_defined(name, chain):
    """Whether JAX defines these transformations of this function."""
    if name == "custom_vjp" and (FORWARD & set(chain)):
        return False
    return not (name == "while" and REVERSE & set(chain))


def reference(name, chain):
    """Real JAX's result."""
    f, make = functions(jax, jax.numpy)[name], transformations(jax, jax.numpy)
    for t in chain:
        f = make[t](f)
    return np.asarray(f(jax.numpy.asarray(X)))


def compare(name, chain):
    f = OURS[name]
    for t in chain:
        f = MAKE[t](f)
    label = f"{name}: {' '.join(chain)}"
    if UPDATE:
        expected[label] = reference(name, chain)
    want = expected[label]
    got = np.asarray(f(adjoint_numpy.asarray(X)))
    np.testing.assert_allclose(got, want, rtol=3e-4, atol=3e-4 * abs(want).max(), err_msg=label)


@pytest.mark.parametrize("name", OURS)
def test_depth_one(name):
    for t in MAKE:
        if is_defined(name, (t,)):
            compare(name, (t,))


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("outer", MAKE)
def test_depth_two(name, outer):
    for inner in MAKE:
        if is_defined(name, (inner, outer)):
            compare(name, (inner, outer))


CHAINS = [
    ("grad", "vmap", "jit"), ("jit", "grad", "vmap"), ("vmap", "jit", "grad"), ("jvp", "vmap", "jit"),
    ("jvp", "grad", "vmap"), ("grad", "jvp", "vmap"), ("grad", "grad", "jit"), ("jit", "jit", "grad"),
    ("scan", "grad", "vmap"), ("vmap", "scan", "grad"), ("grad", "scan", "jit"), ("remat", "grad", "vmap"),
    ("vmap", "remat", "grad"), ("closure", "grad", "vmap"), ("vmap", "closure", "jit"),
    ("linearize", "vmap", "grad"), ("vjp", "jit", "jvp"), ("vjp", "vmap", "vmap"), ("grad", "closure", "jvp"),
    ("scan", "scan", "grad"), ("remat", "remat", "grad"), ("vmap", "vmap", "grad"), ("closure", "closure", "closure"),
]


@pytest.mark.parametrize("chain", CHAINS, ids="-".join)
def test_depth_three(chain):
    for name in OURS:
        if is_defined(name, chain):
            compare(name, chain)


def test_reference_is_kept():
    """With UPDATE_GOLDEN, the numbers of the tests above are written; otherwise they are all there."""
    if UPDATE:
        np.savez_compressed(GOLDEN, **expected)
    assert len(expected) > 900
