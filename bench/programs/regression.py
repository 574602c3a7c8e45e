"""Logistic regression by Newton's method."""

import jax
import jax.numpy as jnp
from jax import random

x = random.normal(random.key(0), (2000, 10))
y = (x @ jnp.arange(10.0) / 10 + random.normal(random.key(1), (2000,)) > 0).astype(float)


def loss(w):
    z = x @ w
    return jnp.mean(jnp.logaddexp(0.0, z) - y * z) + 1e-3 * w @ w


@jax.jit
def newton(w):
    return w - jnp.linalg.solve(jax.hessian(loss)(w), jax.grad(loss)(w))


w = jnp.zeros(10)
for _ in range(8):
    w = newton(w)
print(jnp.round(w, 3), loss(w))
