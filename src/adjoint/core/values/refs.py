"""`Ref`: a place that holds an array and can be written to, inside and outside of transformations.

A `Ref` has one of two forms. Where a program is being staged it stands for a variable of the jaxpr whose type is
`AbstractRef`, and what is done to it are equations with an effect. Elsewhere it holds its value, an array or a
tracer, and is changed now; so the transformations, which run such programs equation by equation, see operations
on values alone. The operations, and the methods of `Ref`, are in `prims/references.py`.

Tests: `tests/transforms/test_references.py`.
"""

from __future__ import annotations

from typing import Any

from ..dtypes import float0
from ..effects import Effect
from ..messages.errors import message
from ..types import AbstractValue, ShapedArray, register_aval
from .views import Viewed

__all__ = ["AbstractRef", "Ref", "ref_effect", "wrapped"]


class RefEffect(Effect):
    """A reference is read or written."""

    __slots__ = ()


ref_effect = RefEffect()


class AbstractRef(AbstractValue):
    """The type of a reference: that of the array that it holds.

    Args:
      inner_aval: the type of the array.
      memory_space: the memory in which it is, None for the usual one.
      kind: what the reference is for, None for any use.

    >>> AbstractRef(jax.typeof(jnp.ones(2))).inner_aval
    ShapedArray(float32[2])
    """

    __slots__ = ("inner_aval", "kind", "memory_space")

    def __init__(self, inner_aval: ShapedArray, memory_space: Any = None, kind: Any = None):
        self.inner_aval = inner_aval
        self.memory_space = memory_space
        self.kind = kind

    shape = property(lambda self: self.inner_aval.shape)
    dtype = property(lambda self: self.inner_aval.dtype)
    weak_type = property(lambda self: self.inner_aval.weak_type)
    ndim = property(lambda self: self.inner_aval.ndim)
    size = property(lambda self: self.inner_aval.size)
    sharding = property(lambda self: self.inner_aval.sharding)
    explicit_sharding = property(lambda self: self.inner_aval.explicit_sharding)
    placement = property(lambda self: self.inner_aval.placement)  # type: ignore[assignment]

    def update(self, inner_aval=None, memory_space=None, kind=None) -> AbstractRef:
        """Return a copy with some fields replaced."""
        return AbstractRef(
            self.inner_aval if inner_aval is None else inner_aval,
            self.memory_space if memory_space is None else memory_space,
            self.kind if kind is None else kind,
        )

    def strip_weak_type(self) -> AbstractRef:
        return self

    def to_tangent_aval(self) -> ShapedArray:
        """References are not differentiated, what they hold is."""
        return ShapedArray(self.shape, float0)

    to_cotangent_aval = to_tangent_aval

    def str_short(self, short_dtypes=False, **_) -> str:
        return f"Ref{{{self.inner_aval.str_short(short_dtypes)}}}"

    def _key(self):
        return self.inner_aval, self.memory_space, self.kind

    def __eq__(self, other):
        return isinstance(other, AbstractRef) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        return self.str_short()

class Ref(Viewed):
    """A mutable array: `ref[...]` reads it, `ref[...] = x` writes it. Made by `new_ref`.

    >>> ref = new_ref(jnp.zeros(3))
    >>> ref[0] = 1.0
    >>> ref[...]
    Array([1., 0., 0.], dtype=float32)
    """

    __slots__ = ("__weakref__", "_refs", "aval", "trace")

    def __init__(self, aval: AbstractRef, refs: Any, trace: Any = None):
        self.aval = aval
        self._refs = refs  # the value, or the tracer of a variable of a jaxpr
        self.trace = trace  # what was active when a value was put into a new reference

    @property
    def is_traced(self) -> bool:
        """Return whether it stands for a variable of a jaxpr."""
        return type(getattr(self._refs, "aval", None)) is AbstractRef

    shape = property(lambda self: self.aval.shape, doc="Return the lengths of the axes.")
    dtype = property(lambda self: self.aval.dtype, doc="Return the dtype of the elements.")
    ndim = property(lambda self: self.aval.ndim, doc="Return the number of axes.")
    size = property(lambda self: self.aval.size, doc="Return the number of elements.")
    sharding = property(lambda self: self._refs.sharding, doc="Return how the array is divided over devices.")
    committed = property(lambda self: self._refs.committed, doc="Return whether the array must stay on its device.")

    format = property(lambda self: self._refs.format, doc="Return the layout in memory, and the sharding.")

    @classmethod
    def define(cls, **operations: Any) -> None:
        """Bind the methods that read and write.

        Args:
          operations: functions by the names of methods.
        """
        for name, operation in operations.items():
            setattr(cls, name, operation)

    def give_up(self) -> None:
        """Hold nothing more: programs that close over it are traced anew."""
        self._refs = None

    @property
    def is_given_up(self) -> bool:
        """Return whether it holds nothing more."""
        return self._refs is None

    def unsafe_buffer_pointer(self) -> int:
        """Return the address of the memory."""
        return self._refs.unsafe_buffer_pointer()

    def __array__(self, dtype=None, copy=None):
        what = f"Attempting to pass a Ref {self.aval} to a primitive -- did you forget to unpack ([...]) the ref?"
        raise ValueError(message(what, fix="ref[...], the array that it holds"))

    def __repr__(self):
        if self.is_traced:
            return f"{type(self._refs).__name__}({self.aval})"
        text = repr(self._refs)
        return "Ref" + text.removeprefix("Array") if text.startswith("Array(") else f"Ref({text})"

register_aval(Ref, lambda ref: ref.aval)

def wrapped(leaves) -> list:
    """Return operands of a user's function, with those that stand for references as `Ref`s."""
    return [
        Ref(x.aval, x) if type(getattr(x, "aval", None)) is AbstractRef and type(x) is not Ref else x
        for x in leaves
    ]
