"""A recurrent network by `scan` and `vmap`; six mistakes, each in a line that says so."""

from __future__ import annotations

import adjoint as jax
from adjoint import Array, lax
from adjoint import numpy as jnp

Weights = dict[str, Array]


def cell(weights: Weights, state: Array, inputs: Array) -> Array:
    """Return the next state."""
    return jax.nn.tanh(weights["state"] @ state + weights["inputs"] @ inputs)


def run(weights: Weights, sequence: Array) -> tuple[Array, Array]:
    """Return the last state, and all of them."""

    def turn(state: Array, inputs: Array) -> tuple[Array, Array]:
        state = cell(weights, state, inputs)
        return state, state

    return lax.scan(turn, jnp.zeros(4), sequence)


def bad_turn(state: Array, inputs: Array) -> Array:
    """Return a state alone, where `scan` wants a pair."""
    return state + inputs


def main(weights: Weights, batch: Array) -> Array:
    """Return the mean of the states."""
    last, states = jax.vmap(run, in_axes=(None, 0))(weights, batch)
    lax.scan(bad_turn, jnp.zeros(4), batch)  # error: no pair
    run(batch, weights)  # error: the wrong order
    jax.vmap(run)(weights, batch, batch)  # error: an argument too many
    total = lax.fori_loop(0, 10, lambda i, s: s + states.mean() * i, jnp.zeros(()))
    small = lax.while_loop(lambda v: v.sum() > 1, lambda v: v / 2, last)
    count = lax.while_loop(lambda n: n < 10, lambda n: n + 1, 0)
    sums, _ = lax.scan(lambda c, x: (c + x, c), jnp.zeros(4), batch)
    print(small.shapes, count)  # error: it is called shape
    print(sums + "a")  # error: no text
    lax.cond(True, cell)  # error: two functions
    return total + small.max() + last.at[0].set(1.0).sum()
