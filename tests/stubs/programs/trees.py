"""Trees of parameters, classes and methods that are jitted; six mistakes, each in a line that says so."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

import adjoint as jax
import adjoint.numpy as jnp
from adjoint.typing import ArrayLike


@jax.tree_util.register_dataclass
@dataclass
class Layer:
    """A layer of a network."""

    weights: jax.Array
    bias: jax.Array

    @jax.jit
    def __call__(self, inputs: jax.Array) -> jax.Array:
        """Return the outputs."""
        return jax.nn.relu(inputs @ self.weights + self.bias)

    @partial(jax.jit, static_argnames=("times",))
    def repeated(self, inputs: jax.Array, times: int = 2) -> jax.Array:
        """Return the outputs for one of the inputs, several times."""
        return jnp.tile(self(inputs), times)


def square(x: ArrayLike) -> jax.Array:
    """Return a square."""
    return jnp.square(x)


def value(x: float) -> float:
    """Return a number of a number."""
    return x * x


def penalised(layer: Layer, inputs: jax.Array) -> tuple[jax.Array, dict[str, jax.Array]]:
    """Return a loss, and parts of it."""
    size = jnp.sum(layer.weights ** 2)
    return jnp.mean(layer(inputs)) + size, {"size": size}


def main() -> None:
    """Use what is above."""
    layer = Layer(jnp.ones((3, 2)), jnp.zeros(2))
    inputs = jnp.asarray(np.ones((5, 3)))
    (loss, parts), slope = jax.value_and_grad(penalised, has_aux=True)(layer, inputs)
    print(loss.item(), parts["size"].dtype.name, slope.bias.ndim, slope.wieghts)  # error: a letter is wrong
    print(jax.grad(value)(2.0).shape, jax.grad(square)(3.0).T, jax.vmap(square)(inputs).size)
    leaves, treedef = jax.tree.flatten(layer)
    again = jax.tree.unflatten(treedef, [2 * leaf for leaf in leaves])
    print(treedef.num_leaves, again, jax.tree.map(jnp.shape, layer), layer.repeated(inputs, times=3).shape)
    layer(inputs, inputs)  # error: an argument too many
    layer.repeated(inputs, turns=3)  # error: the argument is called times
    jax.tree.flaten(layer)  # error: a letter is wrong
    jax.tree.unflatten(leaves, treedef)  # error: the wrong order
    jax.jit(square, static_argnum=0)  # error: the argument is called static_argnums
