"""The length of a pendulum from its swings: an ODE, fitted."""

import jax
import jax.numpy as jnp
from jax import lax


def swings(length, steps=400, dt=0.01):
    def slope(s):
        return jnp.array([s[1], -9.81 / length * jnp.sin(s[0])])

    def step(s, _):
        k1 = slope(s)
        k2 = slope(s + dt / 2 * k1)
        k3 = slope(s + dt / 2 * k2)
        k4 = slope(s + dt * k3)
        s = s + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return s, s[0]

    return lax.scan(step, jnp.array([1.0, 0.0]), None, length=steps)[1]


seen = swings(1.3)
step = jax.jit(lambda length: length - 0.1 * jax.grad(lambda v: jnp.mean((swings(v) - seen) ** 2))(length))
length = jnp.array(1.0)
for _ in range(150):
    length = step(length)
print(length)
