"""A Gaussian process, its hyperparameters, and a prediction."""

import jax
import jax.numpy as jnp
from jax import random
from jax.scipy.linalg import cho_solve

x = jnp.sort(random.uniform(random.key(0), (120,), minval=-3, maxval=3))
y = jnp.sin(2 * x) + 0.1 * random.normal(random.key(1), (120,))


def kernel(p, a, b):
    return jnp.exp(p["size"]) * jnp.exp(-0.5 * (a[:, None] - b) ** 2 / jnp.exp(p["length"]) ** 2)


def covariance(p):
    return kernel(p, x, x) + jnp.exp(p["noise"]) * jnp.eye(120)


def loss(p):
    factor = jnp.linalg.cholesky(covariance(p))
    return 0.5 * y @ cho_solve((factor, True), y) + jnp.log(jnp.diag(factor)).sum()


@jax.jit
def step(p):
    return jax.tree.map(lambda v, g: v - 0.003 * g, p, jax.grad(loss)(p))


p = {"size": 0.0, "length": 0.0, "noise": -2.0}
for _ in range(300):
    p = step(p)
at = jnp.array([-1.0, 0.0, 1.0])
print(kernel(p, at, x) @ jnp.linalg.solve(covariance(p), y), loss(p))
