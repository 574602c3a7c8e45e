"""Hamiltonian Monte Carlo, 64 chains at a time."""

import jax
import jax.numpy as jnp
from jax import lax, random


def density(q):
    return -0.5 * (q[0] ** 2 + (q[1] - q[0] ** 2) ** 2 / 0.2)


def proposal(q, key, size=0.1, leaps=10):
    k1, k2 = random.split(key)
    p = random.normal(k1, q.shape)

    def leap(_, qp):
        q, p = qp
        p = p + size / 2 * jax.grad(density)(q)
        q = q + size * p
        return q, p + size / 2 * jax.grad(density)(q)

    new_q, new_p = lax.fori_loop(0, leaps, leap, (q, p))
    gain = density(new_q) - 0.5 * new_p @ new_p - density(q) + 0.5 * p @ p
    return jnp.where(jnp.log(random.uniform(k2)) < gain, new_q, q)


def chain(key):
    def step(q, key):
        q = proposal(q, key)
        return q, q

    return lax.scan(step, jnp.zeros(2), random.split(key, 1000))[1]


samples = jax.jit(jax.vmap(chain))(random.split(random.key(0), 64))
print(samples[:, 200:].mean((0, 1)), samples[:, 200:].std((0, 1)))
