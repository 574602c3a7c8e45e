"""A function of flat lists with transformations around it, as libraries pass functions to traces.

The transformations themselves are in `extend/linear_util.py`.

Tests: `tests/extend/test_interpreters.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["Store", "StoreException", "WrappedFun"]


class StoreException(Exception):
    """A store was read while it was empty, or written twice.

    Causes:
      a wrapped function that is called twice   `linear_util.wrap_init` for each call
      its second result is read too early       call the function before

    >>> from adjoint.extend import linear_util as lu
    >>> lu.Store().val
    Traceback (most recent call last):
        ...
    adjoint.transforms.wrapped.StoreException: Store empty
    """


_EMPTY = object()


class Store:
    """Holds one value that a call leaves behind.

    >>> store = Store()
    >>> store.store(3)
    >>> store.val
    3
    """

    __slots__ = ("_value",)

    def __init__(self):
        self._value: Any = _EMPTY

    def store(self, value) -> None:
        """Fill the store, once."""
        if self._value is not _EMPTY:
            raise StoreException("Store occupied")
        self._value = value

    def reset(self) -> None:
        """Empty the store."""
        self._value = _EMPTY

    @property
    def val(self):
        """Return what was stored."""
        if self._value is _EMPTY:
            raise StoreException("Store empty")
        return self._value

    def __bool__(self):
        return self._value is not _EMPTY


class WrappedFun:
    """A function and the transformations around it.

    Args:
      f: the function.
      f_transformed: the function with its transformations.
      transforms: (transformation, its arguments) pairs, the outermost first.
      stores: for each where it leaves what it finds out, or None.
      params: (name, value) pairs that name the function.
      debug_info: the names of the function, its arguments and its results.

    >>> from adjoint.api_util import debug_info
    >>> from adjoint.extend.linear_util import wrap_init
    >>> wrap_init(abs, debug_info=debug_info('example', abs, (1,), {})).call_wrapped(-3)
    3
    """

    __slots__ = ("__weakref__", "debug_info", "f", "f_transformed", "params", "stores", "transforms")

    def __init__(self, f, f_transformed, transforms=(), stores=(), params=(), debug_info=None):
        self.f = f
        self.f_transformed = f_transformed
        self.transforms = transforms
        self.stores = stores
        self.params = params
        self.debug_info = debug_info

    @property
    def __name__(self) -> str:
        return getattr(self.f, "__name__", "<unnamed function>")

    def wrap(self, transform: Callable, args: tuple, outer: Callable, store: Store | None) -> WrappedFun:
        """Return the function with another transformation outermost.

        Args:
          transform: the transformation, a generator function or a function of functions.
          args: what it is given.
          outer: the function, transformed.
          store: where the transformation leaves what it finds out.
        """
        return WrappedFun(
            self.f, outer, ((transform, args), *self.transforms), (store, *self.stores), self.params,
            self.debug_info,
        )

    def call_wrapped(self, *args, **kwargs):
        """Call the transformed function.

        Args:
          args: arguments by position.
          kwargs: arguments by name.
        """
        return self.f_transformed(*args, **kwargs)

    def __call__(self, *args, **kwargs):
        return self.call_wrapped(*args, **kwargs)

    def _key(self):
        return self.f, self.transforms, self.params

    def __hash__(self):
        return hash(self._key())

    def __eq__(self, other):
        return isinstance(other, WrappedFun) and self._key() == other._key()

    def __repr__(self):
        layers = "\n".join([f"{i} : {t} {args}" for i, (t, args) in enumerate(self.transforms)])
        return f"Wrapped function:\n{layers}\nCore: {self.__name__}\n"
