"""Abstract values: what a trace knows about a value before it is computed.

`ShapedArray(shape, dtype, weak_type)` is interned: two equal abstract values are the same object, so
comparing and hashing them costs a pointer, and every cache in the system can use them as keys.
`Array` is the type users see: concrete arrays and tracers are both instances of it, so that
`isinstance(x, Array)` holds inside and outside a transformation. Its members are bound elsewhere.

Tests: `tests/transforms/test_jaxprs.py`.
"""

from __future__ import annotations

import weakref
from collections import deque
from math import prod
from typing import Any

import numpy as np

from . import dtypes
from .messages.dtype_text import short_name
from .messages.operands import not_an_operand
from .placement import PlacedType, Placement, placed_as, placements, shape_text
from .process.locks import tables
from .values.changing import ChangingValueError, is_changing
from .values.dimension import Dimension, as_dimension
from .values.operators import Operators

__all__ = [
    "AbstractValue", "Array", "ShapedArray", "aval_of", "is_arraylike", "register_aval", "register_type", "type_of",
    "typed_value",
]


class AbstractValue:
    """The type of a value, known while tracing.

    >>> isinstance(typeof(jnp.ones(3)), core.AbstractValue)
    True
    """

    __slots__ = ("__weakref__",)

    placement: Placement | None = None
    is_high = has_qdd = False  # as types of `experimental.hijax` are, which values of arrays have

    def lo_ty(self) -> list[AbstractValue]:
        """Return the types of the arrays that a value is made of: its own type."""
        return [self]

    def lower_val(self, hi_val) -> list:
        """Return the arrays that a value is made of.

        Args:
          hi_val: the value.
        """
        return [hi_val]

    def raise_val(self, lo_val):
        """Return the value that is made of an array.

        Args:
          lo_val: the array.
        """
        return lo_val

    def normalize(self) -> AbstractValue:
        """Return the type of values that are written in one way."""
        return self


_interned: dict[tuple, weakref.ref] = {}
_recent: deque = deque(maxlen=256)  # the last ones made, kept so that arrays that come and go do not make them again


class ShapedArray(PlacedType, AbstractValue):
    """An array of known shape and dtype and unknown values.

    Args:
      shape: the lengths of the axes.
      dtype: of the elements.
      weak_type: whether it gives way to the dtype of other operands, as Python numbers do.
      vma: the manual mesh axes over which values vary.
      explicit_sharding, sharding: how it is divided over explicit mesh axes; two names of one thing.
      memory_space: the memory in which it is, if not the device's.
      placement: these three as one object, which other types have.

    >>> core.ShapedArray((2, 3), jnp.float32)
    ShapedArray(float32[2,3])
    >>> core.ShapedArray((2, 3), jnp.float32) == typeof(jnp.ones((2, 3)))
    True
    """

    __slots__ = ("dtype", "ndim", "placement", "shape", "size", "weak_type")

    shape: tuple[int, ...]
    dtype: Any
    weak_type: bool
    placement: Placement | None

    def __new__(
        cls, shape, dtype, weak_type=False, vma=frozenset(), explicit_sharding=None, memory_space=None, sharding=None,
        placement=None, **_
    ):
        if sharding is not None:
            explicit_sharding = placements.rules.explicit(sharding, tuple(shape))
        if vma or explicit_sharding is not None or memory_space is not None:
            placement = placed_as(vma, explicit_sharding, memory_space)
        key: tuple = (shape, dtype, weak_type) if placement is None else (shape, dtype, weak_type, placement)
        try:
            found = _interned.get(key)
        except TypeError:  # a list as shape, an array as length, or what is no dtype
            return cls(_as_shape(shape), dtypes.as_dtype(dtype), weak_type, placement=placement)
        if found is not None and (aval := found()) is not None:
            return aval
        if type(shape) is not tuple or not all(type(d) is int or isinstance(d, Dimension) for d in shape):
            return cls(_as_shape(shape), dtype, weak_type, placement=placement)
        if type(weak_type) is not bool:
            return cls(shape, dtype, bool(weak_type), placement=placement)
        if not isinstance(dtype, np.dtype) and not isinstance(dtype, dtypes.ExtendedDType):
            return cls(shape, dtypes.as_dtype(dtype), weak_type, placement=placement)
        if dtype == dtypes.float0:
            dtype = dtypes.float0  # which is known by its identity
        aval = object.__new__(cls)
        set_ = object.__setattr__
        set_(aval, "shape", shape)
        set_(aval, "dtype", dtype)
        set_(aval, "weak_type", weak_type)
        set_(aval, "placement", placement)
        set_(aval, "ndim", len(shape))
        set_(aval, "size", prod(shape))

        def forget(gone, key=key):
            with tables:
                if _interned.get(key) is gone:
                    del _interned[key]

        made = weakref.ref(aval, forget)
        while (found := _interned.setdefault(key, made)) is not made:  # another thread was faster
            if (other := found()) is not None:
                return other
            forget(found)
        _recent.append(aval)
        return aval

    def __setattr__(self, name, value):
        raise AttributeError(f"ShapedArray is immutable; make a new one with .update({name}=...)")

    def __reduce__(self):
        return _remade, (self.shape, self.dtype, self.weak_type, self.placement)

    def update(self, shape=None, dtype=None, weak_type=None, **placement) -> ShapedArray:
        """Return a copy with some fields replaced. Of another shape, it is divided only if that is said."""
        where = self.placement
        if placement or (where is not None and where.sharding is not None and shape not in (None, self.shape)):
            where = self.placement_with(self.shape if shape is None else shape, **placement)
        return ShapedArray(
            self.shape if shape is None else shape,
            self.dtype if dtype is None else dtype,
            self.weak_type if weak_type is None else weak_type,
            placement=where,
        )

    def strip_weak_type(self) -> ShapedArray:
        return self.update(weak_type=False) if self.weak_type else self

    def without_axis(self, d: int) -> ShapedArray:
        """Return the type of what is at one index of axis `d`."""
        divided = self.mesh_sharding and self.mesh_sharding.without_axis(d)
        return self.update(shape=self.shape[:d] + self.shape[d + 1 :], explicit_sharding=divided)

    def with_axis(self, d: int, length: int) -> ShapedArray:
        """Return the type with one more axis, which is not divided, at `d`."""
        divided = self.mesh_sharding and self.mesh_sharding.with_axis(d)
        return self.update(shape=(*self.shape[:d], length, *self.shape[d:]), explicit_sharding=divided)

    def to_tangent_aval(self) -> ShapedArray:
        """Return the type of this value's tangents: itself for inexact dtypes, float0 otherwise."""
        if dtypes.issubdtype(self.dtype, np.inexact):
            return self
        return self.update(dtype=dtypes.float0, weak_type=False)

    to_cotangent_aval = to_tangent_aval

    def at_least_vspace(self) -> ShapedArray:
        return self.to_tangent_aval()

    def str_short(self, short_dtypes=False, **_) -> str:
        name = "float0" if self.dtype == dtypes.float0 else self.dtype.name
        name = short_name(self.dtype) if short_dtypes else name
        return name + shape_text(self.shape, self.placement)

    def __str__(self):
        return ("~" if self.weak_type else "") + self.str_short()

    def __repr__(self):
        return f"ShapedArray({self.str_short()}{', weak_type=True' if self.weak_type else ''})"

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize


def _remade(shape, dtype, weak_type, placement) -> ShapedArray:
    return ShapedArray(shape, dtype, weak_type, placement=placement)


class Array(Operators):
    """An n-dimensional array whose elements do not change: `adjoint.Array`.

    It is made by functions such as `adjoint.numpy.zeros`, never by calling the class. Concrete arrays and
    the tracers that stand for them inside transformations are both instances, so `isinstance(x, adjoint.Array)`
    holds in both.

    Operators and methods are NumPy's and return new arrays. Operators broadcast shapes and promote dtypes; Python
    numbers take the dtype of the array. What NumPy does in place is written `x = x.at[i].set(v)`.

    Members:
      shape, ndim, size, dtype, nbytes: what is known of it while tracing too.
      at: updates: `x.at[i].set(v)`, `add`, `multiply`, `min`, `max`, `apply`, `get`.
      sum, mean, std, max, argmax, sort, reshape, transpose, astype, ...: the functions of `adjoint.numpy`, as methods.
      T, mT, real, imag: as in NumPy.
      item, tolist, __array__: values, for Python and NumPy. Traced values have none.
      devices, sharding, device, committed, addressable_shards: where it is.
      block_until_ready, copy_to_host_async, delete, is_deleted, is_ready: its computation and its memory.
    Raises:
      TypeError: an element is assigned.
      ConcretizationTypeError: (tracers) a number, a condition or a NumPy array is made of it.
    Differences: assignment is an error; positions outside are moved inside; floats have 32 bits unless
      64-bit types are on.
    See also: `numpy.array`, `numpy.asarray`, `device_put`, `typeof`.

    >>> x = jnp.arange(3.)
    >>> x + 1, x.at[0].set(7.), x.sum(), x.shape
    (Array([1., 2., 3.], dtype=float32), Array([7., 1., 2.], dtype=float32), Array(3., dtype=float32), (3,))
    """

    __slots__ = ("__weakref__",)
    __hash__ = None  # type: ignore[assignment]

    aval: ShapedArray

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the length of each axis."""
        return self.aval.shape

    @property
    def dtype(self):
        """Return the element type."""
        return self.aval.dtype

    @property
    def ndim(self) -> int:
        """Return the number of axes."""
        return self.aval.ndim

    @property
    def size(self) -> int:
        """Return the number of elements."""
        return self.aval.size

    @property
    def weak_type(self) -> bool:
        """Return whether the type came from a Python scalar, so that it yields to others in promotion."""
        return self.aval.weak_type


def _as_shape(shape) -> tuple:
    """Return lengths as a tuple; a number is the length of one axis."""
    return tuple(map(as_dimension, shape if hasattr(shape, "__iter__") else (shape,)))


# The abstract value of everything that is not an Array, by type.
_aval_rules: dict[type, Any] = {}


def register_aval(cls: type, rule) -> None:
    """Let values of `cls` be used as arrays: `rule(value)` gives their abstract value."""
    _aval_rules[cls] = rule


_type_rules: dict[type, Any] = {}


def register_type(cls: type, rule) -> None:
    """Let values of `cls`, which cannot be operands of operations on arrays, have a type: `rule(value)`."""
    _type_rules[cls] = rule


def typed_value(x):
    """Return the type of an operand, or of a value of a class that has types of its own."""
    rule = _type_rules.get(type(x))
    return aval_of(x) if rule is None else rule(x)


def aval_of(x) -> ShapedArray:
    """Return the abstract value of an array, tracer, NumPy array or scalar.

    Args:
      x: the value.
    Raises:
      TypeError: it is no operand of any operation.

    >>> typeof(1.5)
    ShapedArray(float32[], weak_type=True)
    """
    if isinstance(x, Array):
        return x.aval  # type: ignore[attr-defined]
    for cls in type(x).__mro__:
        if (rule := _aval_rules.get(cls)) is not None:
            return rule(x)
    raise ChangingValueError(x) if is_changing(x) else not_an_operand(x)


def type_of(x) -> ShapedArray:
    """Return the abstract value of what a function may convert: objects with `__jax_array__` too."""
    if isinstance(x, Array):
        return x.aval  # type: ignore[attr-defined]
    return aval_of(x.__jax_array__() if hasattr(x, "__jax_array__") else x)


def is_arraylike(x) -> bool:
    """Return whether `x` can be an operand: an array, a tracer, a NumPy array or a scalar."""
    return (
        isinstance(x, Array)
        or any(cls in _aval_rules for cls in type(x).__mro__)
        or hasattr(x, "__jax_array__")
    )
