"""A `while` with a batched condition, and the same loop with a scalar one, compute the same."""

from __future__ import annotations

import numpy as np
import pytest

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.core.passes import check_jaxpr
from adjoint.core.trace import eval_jaxpr
from adjoint.engines.batched_while import scalar_condition


def powers(n, factor, matrix):
    """How often, and a product, a matrix that changes and one that does not."""
    step = lambda c: (c[0] + 1, c[1] * factor, c[2] + matrix, c[3])
    return lax.while_loop(lambda c: c[0] < n, step, (0, 1.0, matrix, matrix))


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_same_values(depth):
    """Under no, one and two batch axes."""
    counts, factors = jnp.arange(4), jnp.array([2.0, 3.0])
    f, args = powers, (3, 2.0, jnp.ones((2, 3)))
    if depth:
        f, args = ax.vmap(f, in_axes=(0, None, None)), (counts, 2.0, jnp.ones((2, 3)))
    if depth == 2:
        f, args = ax.vmap(f, in_axes=(None, 0, None)), (counts, factors, jnp.ones((2, 3)))
    closed = ax.make_jaxpr(f)(*args)
    at = next(i for i, e in enumerate(closed.eqns) if e.primitive.name == "while")
    eqn = closed.eqns[at]
    params, operands = scalar_condition(eqn.params, eqn.invars)
    assert params["cond_jaxpr"].out_avals[0].shape == ()
    assert (params is eqn.params) == (depth == 0)
    assert scalar_condition(eqn.params, eqn.invars)[0]["cond_jaxpr"] is params["cond_jaxpr"]
    eqns = [*closed.eqns]
    eqns[at] = eqn.replace(params=params, invars=operands)
    other = closed.jaxpr.replace(eqns=eqns)
    check_jaxpr(other)
    got = eval_jaxpr(other, closed.consts, *args)
    for value, expected in zip(got, f(*args), strict=True):
        np.testing.assert_array_equal(value, expected)
