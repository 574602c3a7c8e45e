# Written by stubs/generate.py; do not edit.
from collections.abc import Sequence
from typing import Any
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
    def __init__(self, _base_key: Any, _counter: Any) -> None: ...
    def key(self, shape: int | Sequence[int] = ()) -> Any:
        """Return a new key, or an array of keys, and count it.

        Raises: ValueError: the generator was made by `split`, and is to be mapped over.
        """
    def random(self, size: int | Sequence[int] | None = None, dtype: Any = ...) -> Any:
        """Return numbers from 0 to 1, without 1.

        >>> from adjoint.experimental import random
        >>> random.stateful_rng(0).random(2)
        Array([0.8423141 , 0.18237865], dtype=float32)
        """
    def uniform(self, low: Any = 0, high: Any = 1, size: int | Sequence[int] | None = None, *, dtype: Any = ...) -> Any:
        """Return numbers from `low` to `high`, without `high`; as many as these broadcast to, if there is no `size`."""
    def normal(self, loc: Any = 0, scale: Any = 1, size: int | Sequence[int] | None = None, *, dtype: Any = ...) -> Any:
        """Return numbers of normal distributions; as many as `loc` and `scale` broadcast to, if there is no `size`."""
    def integers(self, low: Any, high: Any = None, size: int | Sequence[int] | None = None, *, dtype: Any = ...) -> Any:
        """Return integers from `low` to `high`, without `high`; from 0 to `low` if only that is given."""
    def split(self, num: int | Sequence[int]) -> StatefulPRNG:
        """Return generators as one tree whose leaves have leading axes, for `vmap` over them."""
    def spawn(self, n_children: int) -> list[StatefulPRNG]:
        """Return a list of generators of their own."""
def stateful_rng(seed: Any = None, *, impl: Any = None) -> StatefulPRNG:
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
