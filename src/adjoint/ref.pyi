# Written by stubs/generate.py; do not edit.
from adjoint import Ref as _Ref
from adjoint.core import AbstractValue
from adjoint.core import ShapedArray
from typing import Any
class AbstractRef(AbstractValue):
    """The type of a reference: that of the array that it holds.

    Args:
      inner_aval: the type of the array.
      memory_space: the memory in which it is, None for the usual one.
      kind: what the reference is for, None for any use.

    >>> AbstractRef(jax.typeof(jnp.ones(2))).inner_aval
    ShapedArray(float32[2])
    """
    def __init__(self, inner_aval: Any, memory_space: Any = None, kind: Any = None) -> None: ...
    @property
    def shape(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...
    @property
    def weak_type(self) -> Any: ...
    @property
    def ndim(self) -> Any: ...
    @property
    def size(self) -> Any: ...
    @property
    def sharding(self) -> Any: ...
    @property
    def explicit_sharding(self) -> Any: ...
    placement: Any
    def update(self, inner_aval: Any = None, memory_space: Any = None, kind: Any = None) -> AbstractRef:
        """Return a copy with some fields replaced."""
    def strip_weak_type(self) -> AbstractRef: ...
    def to_tangent_aval(self) -> ShapedArray:
        """References are not differentiated, what they hold is."""
    def to_cotangent_aval(self) -> ShapedArray:
        """References are not differentiated, what they hold is."""
    def str_short(self, short_dtypes: Any = False, **_: Any) -> str: ...
    inner_aval: Any
    kind: Any
    memory_space: Any
from adjoint import Ref as Ref
def addupdate(ref: _Ref, idx: Any, x: Any) -> None:
    """Add a value to what is at an index, or everywhere for None.

    Args:
      ref: a reference, such as `jax.new_ref(x)`.
      idx: an index, as in `ref[idx]`; None is everything.
      x: what is added.
    Returns:
      None.
    Raises:
      ValueError: `ref` is no reference, the index is out of bounds, or the value has another shape or dtype.

    >>> ref = new_ref(jnp.arange(3))
    >>> addupdate(ref, 0, 5)
    >>> ref[0]
    Array(5, dtype=int32)
    """
from adjoint import empty_ref as empty_ref
from adjoint import free_ref as free_ref
from adjoint import freeze as freeze
def get(ref: _Ref, idx: Any = None) -> Any:
    """Return what a reference holds at an index, or all of it.

    Args:
      ref: a reference, such as `jax.new_ref(x)`.
      idx: an index, as in `ref[idx]`; None is everything.
    Returns:
      An array.
    Raises:
      ValueError: `ref` is no reference, or the index is out of bounds.

    >>> get(new_ref(jnp.arange(3)), 1)
    Array(1, dtype=int32)
    """
from adjoint import new_ref as new_ref
def set(ref: _Ref, idx: Any, value: Any) -> None:
    """Write a value at an index, or everywhere for None; `ref[idx] = value`.

    Args:
      ref: a reference, such as `jax.new_ref(x)`.
      idx: an index, as in `ref[idx]`; None is everything.
      value: what is written, of the shape that is read there.
    Returns:
      None.
    Raises:
      ValueError: `ref` is no reference, the index is out of bounds, or the value has another shape or dtype.

    >>> ref = ad.new_ref(jnp.zeros(3))
    >>> ad.ref.set(ref, 1, 5.0)
    >>> ref
    Ref([0., 5., 0.], dtype=float32)
    """
def swap(ref: _Ref, idx: Any, value: Any, _function_name: str = 'ref_swap') -> Any:
    """Write a value at an index, or everywhere for None, and return what was there.

    Args:
      ref: a reference, such as `jax.new_ref(x)`.
      idx: an index, as in `ref[idx]`; None is everything.
      value: what is written, of the shape that is read there.
    Returns:
      The value that was there.
    Raises:
      ValueError: the value's shape or dtype is not that of the place.

    >>> swap(new_ref(jnp.arange(3)), 1, 7)
    Array(1, dtype=int32)
    """
