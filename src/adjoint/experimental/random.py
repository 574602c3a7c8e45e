"""A random generator with a state, as `jax.experimental.random`: a key, and a reference that counts what was drawn.

Each draw is made with the key folded with the count, as `random.fold_in` does, so the state is one number, and results
are those of the functions of `random` with that key.

Tests: `tests/experimental/test_random.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from .. import random
from ..core.messages.boundaries import public
from ..core.messages.errors import message
from ..core.values.refs import Ref
from ..numpy import broadcast_shapes, shape, zeros
from ..ref import new_ref
from ..tree_util import register_dataclass

__all__ = ["StatefulPRNG", "stateful_rng"]


@dataclass(frozen=True)
class StatefulPRNG:
    """A random generator with a state; `stateful_rng` makes one.

    It is a tree of a key and a reference to a number, so functions that are transformed take it as an argument, or
    close over it.

    >>> from adjoint.experimental import random
    >>> rng = random.stateful_rng(0)
    >>> rng.integers(0, 10, size=3)
    Array([1, 1, 7], dtype=int32)
    >>> jit(lambda: rng.integers(0, 10, size=3))()
    Array([2, 2, 6], dtype=int32)
    """

    _base_key: random.Array
    _counter: Ref

    def key(self, shape: int | Sequence[int] = ()):
        """Return a new key, or an array of keys, and count it.

        Raises: ValueError: the generator was made by `split`, and is to be mapped over.
        """
        if self._base_key.shape:
            raise ValueError(message(
                "cannot operate on split stateful generator",
                why=f"It stands for {prod(self._base_key.shape)} generators.",
                fix="jax.vmap(lambda rng: rng.random())(generators), or rng.spawn(n) for a list of generators",
            ))
        key = random.fold_in(self._base_key, self._counter[...])
        self._counter[...] = self._counter[...] + 1
        return random.split(key, shape) if np.ndim(shape) and len(shape) or not np.ndim(shape) else key

    def random(self, size: int | Sequence[int] | None = None, dtype=float):
        """Return numbers from 0 to 1, without 1.

        >>> from adjoint.experimental import random
        >>> random.stateful_rng(0).random(2)
        Array([0.8423141 , 0.18237865], dtype=float32)
        """
        return random.uniform(self.key(), _sizes(size), dtype)

    def uniform(self, low=0, high=1, size: int | Sequence[int] | None = None, *, dtype=float):
        """Return numbers from `low` to `high`, without `high`; as many as these broadcast to, if there is no `size`."""
        return random.uniform(self.key(), _sizes(size, low, high), dtype, minval=low, maxval=high)

    def normal(self, loc=0, scale=1, size: int | Sequence[int] | None = None, *, dtype=float):
        """Return numbers of normal distributions; as many as `loc` and `scale` broadcast to, if there is no `size`."""
        return loc + scale * random.normal(self.key(), _sizes(size, loc, scale), dtype)

    def integers(self, low, high=None, size: int | Sequence[int] | None = None, *, dtype=int):
        """Return integers from `low` to `high`, without `high`; from 0 to `low` if only that is given."""
        low, high = (0, low) if high is None else (low, high)
        return random.randint(self.key(), _sizes(size, low, high), low, high, dtype)

    def split(self, num: int | Sequence[int]) -> StatefulPRNG:
        """Return generators as one tree whose leaves have leading axes, for `vmap` over them."""
        keys = self.key(num)
        return StatefulPRNG(keys, new_ref(zeros(keys.shape, np.int32)))

    def spawn(self, n_children: int) -> list[StatefulPRNG]:
        """Return a list of generators of their own."""
        return [StatefulPRNG(key, new_ref(0)) for key in self.key(n_children)]


register_dataclass(StatefulPRNG, ["_base_key", "_counter"], [])


def _sizes(size, *operands) -> tuple[int, ...]:
    if size is None:
        return broadcast_shapes(*map(shape, operands))
    return tuple(size) if np.ndim(size) else (size,)


def stateful_rng(seed=None, *, impl=None) -> StatefulPRNG:
    """Return a random generator with a state.

    Args:
      seed: an integer; the system's source of randomness gives one if it is left out.
      impl: the algorithm of its keys, as of `random.key`.
    Returns:
      A `StatefulPRNG`, with methods named as those of NumPy's generators.
    Raises:
      TypeError: the seed is no integer.
      ValueError: there is no such algorithm.

    >>> from adjoint.experimental import random
    >>> rng = random.stateful_rng(42)
    >>> rng.normal(size=2)
    Array([ 0.07592554, -0.48634264], dtype=float32)
    """
    if seed is None:
        seed = np.random.SeedSequence().entropy % 2**32
        seed = int(seed) if seed < 2**31 else int(seed) - 2**32
    return StatefulPRNG(random.key(seed, impl=impl), new_ref(0))


public(globals())
