"""Values of dtype float0 are arrays of NumPy wherever JAX's are: what derivatives, programs and functions give."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp

FLOAT0 = np.dtype([("float0", np.void, 0)])


def nothing(*shape):
    """Return zeros of float0."""
    return np.zeros(shape, FLOAT0)


def weighted(n, x):
    """Return a function of integers whose derivative by them is of float0."""
    return (n * x).sum()


def ints(r):
    """Return integers as an array of the library `r`."""
    return r.numpy.arange(3)


PROGRAMS = {
    "grad": lambda r: r.grad(weighted, allow_int=True)(ints(r), 2.0),
    "vjp": lambda r: r.vjp(weighted, ints(r), 2.0)[1](1.0)[0],
    "jvp": lambda r: r.jvp(lambda n: n + 1, (ints(r),), (nothing(3),))[1],
    "linearize": lambda r: r.linearize(lambda n: n + 1, ints(r))[1](nothing(3)),
    "jit of grad": lambda r: r.jit(r.grad(weighted, allow_int=True))(ints(r), 2.0),
    "jit of a linear function": lambda r: r.jit(r.linearize(lambda n: n + 1, ints(r))[1])(nothing(3)),
    "jit of a backward pass": lambda r: r.jit(r.vjp(weighted, ints(r), 2.0)[1])(1.0)[0],
    "vmap of grad": lambda r: r.vmap(r.grad(lambda n, x: n * x, allow_int=True), (0, None))(ints(r), 2.0),
    "vmap of jit of grad": lambda r: r.vmap(r.jit(r.grad(lambda n, x: n * x, allow_int=True)), (0, None))(ints(r), 2.0),
    "compiled before": lambda r: r.jit(r.grad(weighted, allow_int=True)).lower(ints(r), 2.0).compile()(ints(r), 2.0),
    "identity": lambda r: r.jit(lambda x: x)(nothing(2)),
    "constant": lambda r: r.jit(lambda: nothing(2))(),
    "constant of a batch": lambda r: r.vmap(lambda x: (x, nothing(2)))(r.numpy.ones(3))[1],
    "moved axis": lambda r: r.vmap(lambda x: x, 0, 1)(nothing(2, 3)),
    "scan": lambda r: r.lax.scan(lambda c, _: (c, nothing(3)), 0.0, None, length=2)[1],
    "carry": lambda r: r.lax.scan(lambda c, _: (c, None), nothing(3), None, length=2)[0],
    "while_loop": lambda r: r.lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1]), (0, nothing(3)))[1],
    "cond": lambda r: r.lax.cond(True, lambda x: x, lambda x: x, nothing(3)),
    "checkpoint": lambda r: r.checkpoint(lambda x: x)(nothing(3)),
    "pmap": lambda r: r.pmap(lambda x: x)(nothing(1, 3)),
    "device_put": lambda r: r.device_put(nothing(3)),
    "asarray": lambda r: r.numpy.asarray(nothing(3)),
    "zeros": lambda r: r.numpy.zeros(3, FLOAT0),
    "zeros_like": lambda r: r.numpy.zeros_like(nothing(3)),
    "astype": lambda r: r.numpy.ones(3).astype(FLOAT0),
    "where": lambda r: r.numpy.where(r.numpy.arange(3) > 0, nothing(3), nothing(3)),
    "stack": lambda r: r.numpy.stack([nothing(3), nothing(3)]),
    "concatenate": lambda r: r.numpy.concatenate([nothing(3), nothing(3)]),
    "column_stack": lambda r: r.numpy.column_stack([nothing(3), nothing(3)]),
    "diagonal": lambda r: r.numpy.diagonal(nothing(2, 3)),
    "resize": lambda r: r.numpy.resize(nothing(2), (2, 3)),
    "transpose": lambda r: r.numpy.transpose(nothing(2, 3)),
    "optimization_barrier": lambda r: r.lax.optimization_barrier(nothing(3)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_values_of_float0_are_arrays_of_numpy(name):
    expected, found = PROGRAMS[name](jax), PROGRAMS[name](adjoint)
    assert not isinstance(found, adjoint.Array) and isinstance(found, np.ndarray)
    assert found.dtype == expected.dtype == FLOAT0 and found.shape == expected.shape


@pytest.fixture(params=["numpy", "native", "xla"])
def engine(request):
    before = adjoint.config.cpu_engine
    adjoint.config.update("cpu_engine", request.param)
    yield request.param
    adjoint.config.update("cpu_engine", before)


def test_a_program_gives_them_on_every_engine(engine):
    step = adjoint.jit(adjoint.value_and_grad(weighted, (0, 1), allow_int=True))
    for _ in range(3):
        value, (by_ints, by_float) = step(jnp.arange(3), 2.0)
        assert isinstance(by_ints, np.ndarray) and by_ints.shape == (3,)
        assert (6.0, 3.0) == (value, by_float)


@pytest.mark.parametrize("name", ["isfinite", "isinf", "isposinf", "isneginf"])
def test_what_holds_no_number_is_finite(name):
    (expected,) = {bool(x) for x in getattr(jax.numpy, name)(nothing(3))}
    assert [expected] * 3 == getattr(jnp, name)(nothing(3)).tolist()
