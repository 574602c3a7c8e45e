"""Every family of operations under transformations nested to depth 3.

The numbers of the transformations that compute are compared with real JAX's, which are kept in a file (write it
anew with `UPDATE_GOLDEN=1`). The order of all of them is compared with what it means: `jit` and `checkpoint` are
nothing, `vmap` and `scan` are calls one after the other. `EVERY_ORDER=1` tries all orders, which takes minutes.
"""

from __future__ import annotations

import itertools
import os
import zlib
from pathlib import Path

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
import adjoint.experimental.ode
import adjoint.numpy as jnp

from .families import families

X = np.array([0.3, -0.7, 1.2], np.float32)
GOLDEN = Path(__file__).parent / "families.npz"
UPDATE = bool(os.environ.get("UPDATE_GOLDEN"))
EVERY = bool(os.environ.get("EVERY_ORDER"))
expected = dict(np.load(GOLDEN)) if GOLDEN.exists() and not UPDATE else {}


def transformations(ax, np_):
    """Transformations of functions R^3 -> R^3 into such functions; they do not let values explode."""
    small = np_.arcsinh
    return {
        "jit": ax.jit,
        "vmap": lambda f: lambda x: ax.vmap(f)(np_.stack([x, x * 0.5])).sum(0),
        "grad": lambda f: ax.grad(lambda x: np_.sin(f(x)).sum()),
        "jvp": lambda f: lambda x: ax.jvp(f, (x,), (np_.cos(x),))[1],
        "scan": lambda f: lambda x: ax.lax.scan(lambda c, v: (small(f(c)) * v, None), x, np_.stack([x, x]))[0],
        "remat": ax.checkpoint,
    }


FAMILIES = families(adjoint, jnp)
MAKE = transformations(adjoint, jnp)
MEANING = {
    **MAKE,
    "jit": lambda f: f,
    "remat": lambda f: f,
    "vmap": lambda f: lambda x: f(x) + f(x * 0.5),
    "scan": lambda f: lambda x: jnp.arcsinh(f(jnp.arcsinh(f(x)) * x)) * x,
}
CHAINS = [
    (), ("jvp",), ("grad",), ("vmap", "jit", "grad"), ("scan", "remat", "grad"), ("jvp", "vmap", "grad"),
    ("grad", "jvp", "vmap"),
]
ORDERS = [c for depth in (1, 2, 3) for c in itertools.product(MAKE, repeat=depth)]
UNDEFINED = (NotImplementedError, TypeError, ValueError)  # a transformation that the function does not have


def transformed(f, chain, make=MAKE):
    """The values of the function at X under transformations, the innermost first."""
    for name in chain:
        f = make[name](f)
    return np.asarray(f(jnp.asarray(X)))


def reference(name, chain):
    """Real JAX's result; None if JAX does not define it or it overflows."""
    f, make = families(jax, jax.numpy)[name], transformations(jax, jax.numpy)
    for t in chain:
        f = make[t](f)
    try:
        found = np.asarray(jax.jit(f)(jax.numpy.asarray(X)))
    except (*UNDEFINED, AssertionError):
        return None
    return found if np.isfinite(found).all() else None


@pytest.mark.parametrize("name", FAMILIES)
def test_numbers_are_those_of_jax(name):
    labels = {f"{name}: {' '.join(chain)}": chain for chain in CHAINS}
    if UPDATE:
        found = {label: reference(name, chain) for label, chain in labels.items()}
        expected.update({label: x for label, x in found.items() if x is not None})
    for label, chain in labels.items():
        if label not in expected:
            continue
        want = expected[label]
        got = transformed(FAMILIES[name], chain)
        np.testing.assert_allclose(got, want, rtol=5e-4, atol=5e-4 * abs(want).max(), err_msg=label)


@pytest.mark.parametrize("name", FAMILIES)
def test_orders_mean_what_they_say(name):
    seed = zlib.crc32(name.encode())
    orders = ORDERS if EVERY else [ORDERS[(seed + 83 * i) % len(ORDERS)] for i in range(3)]
    known = {}
    for chain in orders:
        short = tuple([t for t in chain if t not in ("jit", "remat")])
        try:
            want = known[short] = known[short] if short in known else transformed(FAMILIES[name], short, MEANING)
        except UNDEFINED as error:
            with pytest.raises(type(error)):
                transformed(FAMILIES[name], chain)
            continue
        got = transformed(FAMILIES[name], chain)
        scale = max(np.abs(want[np.isfinite(want)]).max(initial=0.0), 1e-3)
        np.testing.assert_allclose(got, want, rtol=2e-3, atol=2e-3 * scale, err_msg=f"{name}: {' '.join(chain)}")


def test_the_reference_is_kept():
    if UPDATE:
        np.savez_compressed(GOLDEN, **expected)
    assert len(expected) > 5 * len(FAMILIES)
