"""`ArrayImpl`: the concrete array on the CPU, a NumPy buffer and its abstract value.

Buffers are never written to after the array is made, so results may be views of operands. A buffer may be
a NumPy scalar for shape `()`. Deleting an array (donation) drops its buffer. The user-visible members of
arrays are bound to `core.types.Array` elsewhere, once, for concrete arrays and tracers alike.

Tests: `tests/array/test_members.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.dtypes import canonicalize_dtype, float0
from ..core.messages.errors import message
from ..core.messages.frames import locate
from ..core.process.records import NamedTuple
from ..core.types import Array, ShapedArray, aval_of
from ..core.values.numbers import register_arrays

__all__ = [
    "ArrayImpl", "Donation", "Float0Array", "Pending", "as_array", "buffer_of", "deleted", "make_array", "nothing",
]


class ArrayImpl(Array):
    """A concrete array."""

    __slots__ = ("_buffer", "_device", "_result", "aval")

    _buffer: Any  # np.ndarray or np.generic; None once deleted
    _result: Any  # the same in the memory of an engine's runtime; most arrays do not have the attribute
    aval: ShapedArray

    def concrete(self):
        return self

    @property
    def is_gone(self) -> bool:
        """Return whether its memory was given back, by `delete` or by donation."""
        return self._buffer is None

    def __reduce__(self):
        return _rebuild, (self._value.copy(), self.aval)

    @property
    def _value(self) -> np.ndarray:
        """Return a read-only NumPy view of the values."""
        buffer = self._buffer
        if type(buffer) is not np.ndarray:
            if buffer is None:
                raise deleted(self)
            buffer = np.asarray(buffer)
        view = buffer.view()
        view.flags.writeable = False
        return view


_new = object.__new__


def make_array(buffer, aval: ShapedArray) -> ArrayImpl:
    """Wrap a buffer of the right shape and dtype; no copy, no check."""
    if aval.dtype is float0:
        return nothing(aval.shape)
    a = _new(ArrayImpl)
    a._buffer = buffer
    a._device = None
    a.aval = aval
    return a


class Float0Array(np.ndarray):
    """Values of dtype float0, which are NumPy's arrays everywhere, with what arrays are asked for."""

    weak_type = is_gone = False

    @property
    def aval(self) -> ShapedArray:
        return ShapedArray(self.shape, float0)

    @property
    def _buffer(self) -> np.ndarray:
        return np.asarray(self)


def nothing(shape) -> Any:
    """Return the value of dtype float0 of this shape."""
    return np.zeros(shape, float0).view(Float0Array)


def buffer_of(a: ArrayImpl):
    """Return the buffer of an array; an error if it is gone."""
    if a._buffer is None:
        raise deleted(a)
    return a._buffer


register_arrays(make_array)


class Pending(ArrayImpl):
    """An array whose values an engine may still be computing; a read waits for them, and it becomes an ordinary one.

    If the computation failed, the error is raised by each reading.
    """

    __slots__ = ()

    read: Any
    wait: Any
    is_gone = False

    @classmethod
    def computed_by(cls, read: Any, wait: Any) -> None:
        """Let an engine give the values.

        Args:
          read: what its runtime has, a type -> a buffer.
          wait: a list of what its runtime has, which stays there -> None.
        """
        cls.read, cls.wait = staticmethod(read), staticmethod(wait)

    @property
    def _buffer(self):  # type: ignore[override]
        self.settle()
        return self._buffer

    @_buffer.setter
    def _buffer(self, buffer):
        del self._result
        self.__class__ = ArrayImpl
        self._buffer = buffer

    def settle(self) -> None:
        buffer = Pending.read(self._result, self.aval)
        self.__class__ = ArrayImpl  # first: the slot is this property until then
        self._buffer = buffer

    def __reduce__(self):
        self.settle()
        return self.__reduce__()


def as_array(x) -> Array:
    """Return `x` itself if it is an Array; otherwise a copy of the NumPy array or scalar as one."""
    if isinstance(x, Array):
        if type(x) is Pending:
            x.settle()
        return x
    if type(x) is not np.ndarray and hasattr(x, "__jax_array__"):
        return as_array(x.__jax_array__())
    aval = aval_of(x)
    return make_array(np.array(x, aval.dtype), aval)


def _rebuild(value, aval):
    return make_array(value, aval.update(dtype=canonicalize_dtype(aval.dtype, True)))


class Donation(NamedTuple):
    """The argument to which an array was donated, and the line; it takes the place of the array's device."""

    function: str
    names: Any  # of the function's arguments: the debug information of its program
    index: int
    place: Any

    @property
    def argument(self) -> str:
        return (self.names.arg_name(self.index) if self.names else "") or str(self.index)


class DeletedError(RuntimeError, ValueError):
    """An array whose memory was given away: JAX's operations raise the one, its compiled functions the other."""

    def __reduce__(self):
        return RuntimeError, self.args


DeletedError.__name__ = DeletedError.__qualname__ = "RuntimeError"  # what tracebacks call it
DeletedError.__module__ = "builtins"


def deleted(a: ArrayImpl) -> RuntimeError:
    """Return the error for using an array whose buffer was given away."""
    if isinstance(a._device, Donation):
        given = a._device
        at = f" at {locate(*given.place)}" if given.place else ""
        why = f"It was donated to {given.function} (argument {given.argument}){at}."
        fix = "use the function's result instead, pass a copy, jnp.array(x), or leave out donate_argnums"
    else:
        why, fix = "It was deleted by .delete().", "make a copy before: jnp.array(x)"
    return DeletedError(message(f"Array has been deleted with shape={a.aval.str_short()}.", why=why, fix=fix))
