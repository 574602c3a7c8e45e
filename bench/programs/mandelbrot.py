"""The Mandelbrot set: a while loop for each point."""

import jax
import jax.numpy as jnp
from jax import lax


def escape(x, y, most=200):
    def inside(state):
        n, a, b = state
        return (n < most) & (a * a + b * b < 4)

    def turn(state):
        n, a, b = state
        return n + 1, a * a - b * b + x, 2 * a * b + y

    return lax.while_loop(inside, turn, (0, 0.0, 0.0))[0]


xs, ys = jnp.linspace(-2, 0.6, 300), jnp.linspace(-1.2, 1.2, 300)
image = jax.jit(jax.vmap(jax.vmap(escape, (0, None)), (None, 0)))(xs, ys)
print(image.shape, image.mean(), (image == 200).sum())
