"""The operators of `BCOO` and `BCSR` arrays: those of dense arrays, by `sparsify`.

Tests: `tests/experimental/sparse/test_operators.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from .... import numpy as jnp
from ..bcoo.array import BCOO, member
from ..bcsr import row_member
from . import flow as flow
from . import rules as rules
from .interpreter import sparsify

__all__: list[str] = []


def _binary(name: str, ufunc: Callable) -> None:
    forward = sparsify(ufunc)
    backward = sparsify(lambda x, y: ufunc(y, x))

    def operator(self, other):
        return forward(self, other)

    def reflected(self, other):
        return backward(self, other)

    for form, fun in (("__{}__", operator), ("__r{}__", reflected)):
        fun.__name__ = form.format(name)
        fun.__doc__ = f"Return jnp.{ufunc.__name__} of the array and another, or the other way round."
        member(fun)


for _name, _ufunc in (
    ("add", jnp.add), ("sub", jnp.subtract), ("mul", jnp.multiply), ("truediv", jnp.true_divide),
    ("matmul", jnp.matmul),
):
    _binary(_name, _ufunc)

_negative, _positive, _abs = [sparsify(f) for f in (jnp.negative, jnp.positive, jnp.abs)]


@member
def __neg__(self):
    return _negative(self)


@member
def __pos__(self):
    return _positive(self)


@member
def __abs__(self):
    return _abs(self)


@member
def __pow__(self, other):
    return sparsify(lambda x: x**other)(self) if not isinstance(other, BCOO) else jnp.power(self, other)


@member
def __rpow__(self, other):
    return sparsify(lambda x: jnp.power(other, x))(self)


def _comparison(name: str, ufunc: Callable) -> None:
    """Add a comparison, which `sparsify` refuses, since its result would be dense."""
    compared = sparsify(ufunc)

    def operator(self, other):
        return compared(self, other)

    operator.__name__ = f"__{name}__"
    operator.__doc__ = f"Raise NotImplementedError: jnp.{ufunc.__name__} of sparse arrays is dense."
    member(operator)


for _name, _ufunc in (
    ("eq", jnp.equal), ("ne", jnp.not_equal), ("lt", jnp.less), ("le", jnp.less_equal), ("gt", jnp.greater),
    ("ge", jnp.greater_equal),
):
    _comparison(_name, _ufunc)


@member
def __getitem__(self, item):
    return _taken(self, item)


@member
def __iter__(self):
    if not self.ndim:
        raise TypeError("iteration over a 0-d sparse array")
    for i in range(self.shape[0]):
        yield self[i]


@member
def astype(self, *args, **kwargs) -> BCOO:
    """Return the array with elements of another dtype; elements that are specified several times are summed before.

    Args:
      args: the dtype, as of `jax.Array.astype`.
      kwargs: its other arguments.
    """
    return sparsify(lambda x: x.astype(*args, **kwargs))(self)


@member
def reshape(self, *args, **kwargs) -> BCOO:
    """Return the array in another shape, as `jax.Array.reshape`.

    Args:
      args: the shape, as of `jax.Array.reshape`.
      kwargs: its other arguments.
    """
    return sparsify(lambda x: x.reshape(*args, **kwargs))(self)


@member
def sum(self, *args, **kwargs):
    """Return the sums over some axes, as a sparse array, or the sum of all elements, as a dense one.

    Args:
      args: the axes, as of `jnp.sum`.
      kwargs: its other arguments.
    """
    return _sum_of(self, args, kwargs)


def _row_operators() -> None:
    def __matmul__(self, other):
        return sparsify(jnp.matmul)(self, other)

    def __rmatmul__(self, other):
        return sparsify(jnp.matmul)(other, self)

    def __getitem__(self, item):
        return _taken(self, item)

    for fun in (__matmul__, __rmatmul__, __getitem__):
        row_member(fun)


_row_operators()


def _sum_of(x, args, kwargs):
    return sparsify(lambda x: x.sum(*args, **kwargs))(x)


def _taken(x, item):
    """Return the part of an array at an index; one outside is moved inside."""
    return sparsify(lambda x: x.at[item].get(mode="promise_in_bounds"))(x)
