"""A linear model, trained by gradient descent; six mistakes, each in a line that says so."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import adjoint as jax
import adjoint.numpy as jnp
from adjoint import Array, random


class Model(NamedTuple):
    """Weights and a bias."""

    weights: Array
    bias: Array


def loss(model: Model, inputs: Array, targets: Array) -> Array:
    """Return the mean square of the errors."""
    return jnp.mean((inputs @ model.weights + model.bias - targets) ** 2)


@jax.jit
def step(model: Model, inputs: Array, targets: Array) -> tuple[Model, Array]:
    """Return the model after one step, and its loss before."""
    value, slope = jax.value_and_grad(loss)(model, inputs, targets)
    return Model(model.weights - 0.1 * slope.weights, model.bias - 0.1 * slope.bias), value


@partial(jax.jit, static_argnames="turns")
def train(model: Model, inputs: Array, targets: Array, turns: int) -> Model:
    """Return the model after some steps."""
    for _ in range(turns):
        model, _ = step(model, inputs, targets)
    return model


def main() -> float:
    """Return the loss after training."""
    key, subkey = random.split(random.key(0))
    inputs = random.normal(key, (100, 3))
    targets = inputs.sum(axis=1) + 0.1 * random.normal(subkey, (100,), dtype=jnp.float32)
    model = Model(jnp.zeros(3), jnp.array(0.0))
    model = train(model, inputs, targets, turns=20)
    step(model, inputs)  # error: the targets are missing
    step(model, inputs, targets)[0].weight  # error: it is called weights
    jax.grad(loss)(inputs, inputs, targets)  # error: the first argument is a model
    slope = jax.grad(loss, argnums=0)(model, inputs, targets)
    print(slope.bias.shape[0].bit_length(), slope.wieghts)  # error: a letter is wrong
    print(jnp.tahn(inputs))  # error: there is no such function
    print(jnp.sum(inputs, axes=1))  # error: the argument is called axis
    return float(loss(model, inputs, targets))
