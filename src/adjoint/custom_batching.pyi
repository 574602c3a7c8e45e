# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any
class custom_vmap:
    """Give a function its own rule for `vmap`.

    Args:
      fun: a function of arrays or trees of arrays.

    >>> @custom_vmap
    ... def f(x, y):
    ...     return x + y
    >>> @f.def_vmap
    ... def rule(axis_size, in_batched, xs, ys):
    ...     return xs + ys + 100., True
    >>> vmap(f)(jnp.arange(2.), jnp.arange(2.))
    Array([100., 102.], dtype=float32)
    """
    def __init__(self, fun: Any) -> None: ...
    def def_vmap(self, vmap_rule: Callable[..., Any]) -> Callable[..., Any]:
        """Set the rule; usable as decorator.

        Args:
          vmap_rule: (axis_size, in_batched, *args) -> (out, out_batched). `in_batched` and `out_batched` are
            trees of bools like `args` and `out`: which have a batch axis, in front.
        """
    def __getattr__(self, name: str) -> Any: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
def sequential_vmap(f: Callable[..., Any]) -> custom_vmap:
    """Return a function that `vmap` runs once for each element, one after the other, by `lax.map`.

    Args:
      f: a function of arrays or trees of them.
    Returns:
      A function of the same arguments and results.
    Raises:
      TypeError: the result is called with arguments that `f` does not take.

    >>> vmap(sequential_vmap(lambda x: x ** 2))(jnp.arange(3.))
    Array([0., 1., 4.], dtype=float32)
    """
