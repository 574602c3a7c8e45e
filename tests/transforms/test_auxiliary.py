"""What functions return on the side of derivatives: values, however they were computed, beside JAX."""

from __future__ import annotations

import jax
import jax.numpy
import numpy as np
import pytest

import adjoint
import adjoint.numpy

X = np.arange(1.0, 4.0, dtype="f")


def loss(x):
    """A scalar, and on the side an argument, an intermediate value, a number and nothing."""
    y = x * x
    return y.sum(), {"x": x, "y": (y, 3), "none": None}


TRANSFORMED = {
    "grad": lambda j: j.grad(loss, has_aux=True),
    "value_and_grad": lambda j: j.value_and_grad(loss, has_aux=True),
    "vjp": lambda j: lambda x: j.vjp(loss, x, has_aux=True)[::2],
    "jvp": lambda j: lambda x: j.jvp(loss, (x,), (x,), has_aux=True),
    "linearize": lambda j: lambda x: j.linearize(loss, x, has_aux=True)[::2],
    "jit": lambda j: j.jit(j.grad(loss, has_aux=True)),
    "vmap": lambda j: lambda x: j.vmap(j.grad(lambda r: loss(r), has_aux=True))(j.numpy.stack([x, 2 * x])),
    "second": lambda j: lambda x: j.jvp(j.grad(loss, has_aux=True), (x,), (x,)),
    "inside grad": lambda j: j.grad(lambda x: sum(j.grad(loss, has_aux=True)(x)[1]["y"][0])),
    "jacrev": lambda j: j.jacrev(lambda x: (x * 2, {"x": x}), has_aux=True),
    "jacfwd": lambda j: j.jacfwd(lambda x: (x * 2, {"x": x}), has_aux=True),
}


@pytest.mark.parametrize("name", TRANSFORMED)
def test_auxiliary_results_are_values(name):
    """No tracer of a transformation that is over is left in them."""
    ours, theirs = (jax.tree.map(np.asarray, TRANSFORMED[name](j)(j.numpy.asarray(X))) for j in (adjoint, jax))
    plain = lambda x: np.zeros(x.shape) if x.dtype == jax.dtypes.float0 else x
    jax.tree.map(lambda a, b: np.testing.assert_allclose(plain(a), plain(b), rtol=1e-6), ours, theirs)
