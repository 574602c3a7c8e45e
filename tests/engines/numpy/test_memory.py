"""Memory that is not there is one error, whatever asks for it."""

from __future__ import annotations

import pytest

import adjoint
import adjoint.numpy as jnp

LONG, TALL, FLAT = jnp.ones(10**6), jnp.ones((10**7, 1)), jnp.ones((1, 10**7))


@pytest.mark.parametrize("program", [
    lambda: TALL + FLAT, lambda: TALL * FLAT, lambda: TALL @ FLAT, lambda: jnp.where(TALL > 0, TALL, FLAT),
    lambda: jnp.outer(TALL, FLAT), lambda: jnp.tile(LONG, 10**8), lambda: jnp.repeat(LONG, 10**8),
    lambda: jnp.eye(10**7), lambda: jnp.ones((10**7, 10**7)), lambda: jnp.full((10**7, 10**7), 3.0),
    lambda: jnp.identity(10**7), lambda: jnp.arange(10**14), lambda: jnp.kron(TALL, FLAT),
    lambda: jnp.pad(LONG, (0, 10**14)), lambda: jnp.broadcast_to(LONG, (10**8, 10**6)) + 1,
    lambda: jnp.einsum("ij,kl->il", TALL, FLAT), lambda: jnp.linspace(0, 1, 10**14),
    lambda: jnp.diag(jnp.ones(10**7)), lambda: jnp.meshgrid(TALL[:, 0], FLAT[0])[0] + 1,
    lambda: adjoint.random.normal(adjoint.random.key(0), (10**7, 10**7)),
    lambda: adjoint.random.uniform(adjoint.random.key(0), (10**7, 10**7)),
    lambda: adjoint.random.bits(adjoint.random.key(0), (10**7, 10**7)),
    lambda: adjoint.random.split(adjoint.random.key(0), 10**14),
    lambda: adjoint.random.randint(adjoint.random.key(0), (10**7, 10**7), 0, 5),
    lambda: adjoint.random.poisson(adjoint.random.key(0), 1.0, (10**7, 10**7)),
    lambda: adjoint.random.choice(adjoint.random.key(0), 5, (10**14,)), lambda: jnp.tri(10**7),
    lambda: adjoint.jit(lambda k: adjoint.random.normal(k, (10**7, 10**7)))(adjoint.random.key(0)),
    lambda: adjoint.nn.one_hot(jnp.arange(10**7), 10**7),
    lambda: adjoint.jit(jnp.outer)(TALL, FLAT),
    lambda: adjoint.lax.iota("int32", 10**14), lambda: adjoint.vmap(lambda x: x * FLAT)(TALL),
    lambda: adjoint.grad(lambda x: (x * FLAT).sum())(TALL),
])
def test_memory_that_is_not_there_is_an_error_of_the_runtime(program):
    with pytest.raises(adjoint.errors.JaxRuntimeError, match="RESOURCE_EXHAUSTED: Out of memory"):
        adjoint.block_until_ready(program())


def test_variables_without_an_end_are_searched_for_arrays():
    inside = [jnp.ones(10**6)]
    inside.append({"again": inside})
    twice = [jnp.ones((10**7, 1))]
    for _ in range(60):  # as a tree it would have 2 ** 60 leaves
        twice = [twice, twice]
    with pytest.raises(adjoint.errors.JaxRuntimeError) as caught:
        jnp.ones((10**7, 10**7))
    assert "in inside of test_variables" in str(caught.value) and "in twice of test_variables" in str(caught.value)
