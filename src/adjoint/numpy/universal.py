"""`ufunc`: functions of two scalars, or more or fewer, that are mapped over arrays and have methods such as `reduce`.

An object is a `functools.partial` of the function that it calls, because Python calls those without a frame of
their own: `jnp.add` is called in every line of a program. What the methods do is in `ufunc_methods.py`.

Tests: `tests/numpy/test_ufunc_methods.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from importlib import import_module
from inspect import Parameter, Signature
from operator import index
from typing import Any

from ..core.messages.boundaries import guarded
from ..core.types import Array

__all__ = ["frompyfunc", "ufunc"]

_SIGNATURE = Signature([
    Parameter("args", Parameter.VAR_POSITIONAL),
    Parameter("out", Parameter.KEYWORD_ONLY, default=None),
    Parameter("where", Parameter.KEYWORD_ONLY, default=None),
])


@guarded
class ufunc(partial):
    """A function of scalars that is mapped over arrays, whose shapes broadcast.

    Args:
      func: takes `nin` scalars, returns `nout`.
      nin, nout: how many.
      name: default the name of `func`.
      nargs: how many arguments in all; default `nin`.
      identity: the value that changes nothing, if there is one.
      call, reduce, accumulate, at, reduceat: functions that do the same as `func` on arrays, where there are
        such; they take the same arguments as the methods, and `call` those of the object.

    >>> jnp.add(jnp.arange(3), 1), jnp.add.nin, jnp.add.identity
    (Array([1, 2, 3], dtype=int32), 2, 0)
    """

    # Bound by `methods.py` when they are first used; they are in `ufunc_methods.py`.
    _reduce: Callable
    _accumulate: Callable
    _at: Callable
    _reduceat: Callable
    _outer: Callable
    _mapped: Callable

    universal = True
    nin = property(lambda self: self._nin, doc="Return how many arguments it takes.")
    nout = property(lambda self: self._nout, doc="Return how many results it has.")
    nargs = property(lambda self: self._nargs, doc="Return how many arguments and results there are.")
    identity = property(lambda self: self._identity, doc="Return the value that changes nothing, or None.")

    def __new__(
        cls, func: Callable, /, nin: int, nout: int, *, name: str | None = None, nargs: int | None = None,
        identity: Any = None, call: Callable | None = None, reduce: Callable | None = None,
        accumulate: Callable | None = None, at: Callable | None = None, reduceat: Callable | None = None,
    ):
        name = func.__name__ if name is None else name
        self = super().__new__(cls, cls._mapped(func, name) if call is None else call)
        vars(self).update(
            _nin=index(nin), _nout=index(nout), _nargs=index(nin if nargs is None else nargs), _identity=identity,
            __name__=name, __qualname__=name, __module__="adjoint.numpy", __signature__=_SIGNATURE,
            __doc__=func.__doc__, scalar=func,
            special=dict(reduce=reduce, accumulate=accumulate, at=at, reduceat=reduceat),
        )
        return self

    def __repr__(self) -> str:
        return f"<jnp.ufunc '{self.__name__}'>"

    __str__ = __repr__

    def _key(self) -> tuple:
        return self.scalar, self.nin, self.nout, self.__name__, self.identity

    def __eq__(self, other) -> bool:
        return self is other or isinstance(other, ufunc) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.scalar, self.nin, self.nout, self.__name__))

    def __reduce__(self):
        if getattr(import_module("adjoint.numpy"), self.__name__, None) is self:
            return self.__name__
        return _again, (self.scalar, self.nin, self.nout, self.__name__, self.identity)

    def reduce(
        self, a, axis: int | None = 0, dtype=None, out=None, keepdims: bool = False, initial=None, where=None
    ) -> Array:
        """Return the elements along an axis combined, from the first to the last.

        Args:
          a: array.
          axis: which axis; None for all. Functions with a reduction of their own take tuples.
          dtype: of the result.
          out: not supported.
          keepdims: keep the axis with length 1.
          initial: a value to begin with; default the identity, or else the first element.
          where: which elements to include.
        Raises:
          ValueError: the function does not take two scalars, or the identity is missing where it is needed.

        >>> jnp.subtract.reduce(jnp.array([10, 3, 2]))
        Array(5, dtype=int32)
        """
        return self._reduce(a, axis, dtype, out, keepdims, initial, where)

    def accumulate(self, a, axis: int = 0, dtype=None, out=None) -> Array:
        """Return the results of `reduce` of the first element, the first two, and so on.

        Args:
          a: array.
          axis: along which.
          dtype: of the result.
          out: not supported.

        >>> jnp.subtract.accumulate(jnp.array([10, 3, 2]))
        Array([10,  7,  5], dtype=int32)
        """
        return self._accumulate(a, axis, dtype, out)

    def at(self, a, indices: Any, b=None, /, *, inplace: bool = True) -> Array:
        """Return the array with the function applied at some positions, as often as each occurs.

        Args:
          a: array.
          indices: an index as in `a[indices]`.
          b: the second operand, for functions of two; it broadcasts to `a[indices]`.
          inplace: must be False: arrays do not change.

        >>> jnp.add.at(jnp.zeros(3), jnp.array([0, 0, 2]), 1., inplace=False)
        Array([2., 0., 1.], dtype=float32)
        """
        return self._at(a, indices, b, inplace)

    def reduceat(self, a, indices: Any, axis: int = 0, dtype=None, out=None) -> Array:
        """Return `reduce` of parts of an axis: from each index to the next, or of one element where that is not above.

        Args:
          a: array.
          indices: integers `[n]`, where the parts begin.
          axis: along which.
          dtype: of the result.
          out: not supported.

        >>> jnp.add.reduceat(jnp.arange(5), jnp.array([0, 2]))
        Array([1, 9], dtype=int32)
        """
        return self._reduceat(a, indices, axis, dtype, out)

    def outer(self, A, B, /) -> Array:
        """Return the function of all pairs of elements: `[*A.shape, *B.shape]`.

        Args:
          A: array or scalar.
          B: array or scalar.

        >>> jnp.multiply.outer(jnp.array([1, 2]), jnp.array([3, 4]))
        Array([[3, 4],
               [6, 8]], dtype=int32)
        """
        return self._outer(A, B)


def _again(func, nin, nout, name, identity) -> ufunc:
    return ufunc(func, nin, nout, name=name, identity=identity)


def universal(function: Callable, nin: int = 2, identity: Any = None) -> ufunc:
    """A function of arrays with one result as a ufunc."""
    function.universal = True  # type: ignore[attr-defined]  # `refusal` in shortcuts.py asks
    also = r"\1  out, where: must be None: arrays do not change.\n\1Returns:"
    function.__doc__ = re.sub("^( *)Returns:", also, function.__doc__ or "", count=1, flags=re.MULTILINE)
    wrong = r"\1\2\1  NotImplementedError: `out` or `where` is given.\n\n"
    function.__doc__ = re.sub(r"^( *)(Raises:\n(?: +.+\n)+)\n", wrong, function.__doc__, count=1, flags=re.MULTILINE)
    out = ufunc(function, nin, 1, identity=identity, call=function)
    if rule := getattr(function, "rule", None):
        out.rule = rule  # type: ignore[attr-defined]
    return out


def frompyfunc(func: Callable[..., Any], /, nin: int, nout: int, *, identity: Any = None) -> ufunc:
    """Return a ufunc of a function of scalars.

    Args:
      func: takes `nin` scalars and returns `nout`; it is traced, and mapped over arrays.
      nin, nout: how many.
      identity: the value that changes nothing, if there is one.
    Returns:
      A `ufunc`: a function of arrays, whose shapes broadcast, with the methods `reduce`, `accumulate`, `at`, `reduceat`
      and `outer`.
    Raises:
      AttributeError: `func` has no name.
      TypeError: `nin` or `nout` is no integer.

    >>> triple = jnp.frompyfunc(lambda x, y: 3 * x + y, 2, 1)
    >>> triple.outer(jnp.array([1, 2]), jnp.array([0, 1]))
    Array([[3, 4],
           [6, 7]], dtype=int32)
    """
    return ufunc(func, nin, nout, identity=identity)
