"""Functions that kernels for GPUs call: reads and writes with masks, products, atomic updates.

The CPU runs the points of a grid one after the other, so every update is atomic.

Tests: `tests/experimental/test_pallas.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...core.messages.boundaries import public
from ...core.types import Array
from ...lax.linear.products import dot as product
from ...numpy.elementary import tanh
from ...numpy.selection import where
from . import specs

__all__ = [
    "CompilerParams", "approx_tanh", "atomic_add", "atomic_and", "atomic_cas", "atomic_max", "atomic_min", "atomic_or",
    "atomic_xchg", "atomic_xor", "debug_barrier", "dot", "load", "max_contiguous", "store",
]


@dataclass(frozen=True)
class CompilerParams(specs.CompilerParams):
    """Parameters of the compiler for GPUs; they change nothing here.

    Args:
      num_warps: how many groups of threads work on a point of the grid.
      num_stages: how many steps of a loop overlap.
    """

    num_warps: int | None = None
    num_stages: int | None = None


def load(
    ref: Any, *, mask: Any = None, other: Any = None, cache_modifier: str | None = None,
    eviction_policy: str | None = None, volatile: bool = False,
) -> Array:
    """Read a reference, or a part of it, `ref.at[index]`; where the mask is False this is `other`, or anything.

    Args:
      ref: a reference, or a part of it, `ref.at[index]`.
      mask: booleans of the shape that is read; where they are False nothing is read.
      other: what stands where the mask is False.
      cache_modifier, eviction_policy, volatile: for GPUs; they change nothing here.
    Returns:
      An array of the shape and dtype of what is read.

    >>> from adjoint.experimental import pallas as pl
    >>> from adjoint.experimental.pallas import triton
    >>> def kernel(x, out):
    ...     out[...] = triton.load(x, mask=x[...] > 1., other=0.)
    >>> pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((3,), jnp.float32))(jnp.arange(3.))
    Array([0., 0., 2.], dtype=float32)
    """
    value = ref[...]
    return value if mask is None or other is None else where(mask, value, other)


def store(ref: Any, val: Any, *, mask: Any = None, eviction_policy: str | None = None) -> None:
    """Write into a reference, or a part of it, where the mask is True.

    Args:
      ref: a reference, or a part of it, `ref.at[index]`.
      val: what is written, of the shape of `ref`.
      mask: booleans of that shape; where they are False nothing is written.
      eviction_policy: for GPUs; it changes nothing here.

    >>> from adjoint.experimental import pallas as pl
    >>> from adjoint.experimental.pallas import triton
    >>> def kernel(x, out):
    ...     triton.store(out, 2. * x[...])
    >>> pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((3,), jnp.float32))(jnp.arange(3.))
    Array([0., 2., 4.], dtype=float32)
    """
    ref[...] = val if mask is None else where(mask, val, ref[...])


def _atomic(name: str, combine: Any) -> Any:
    def update(x_ref_or_view, idx, val, *, mask=None) -> Array:
        before = x_ref_or_view[idx]
        after = combine(before, val)
        x_ref_or_view[idx] = after if mask is None else where(mask, after, before)
        return before

    update.__name__ = update.__qualname__ = f"atomic_{name}"
    update.__doc__ = f"Update what is at an index ({name}), where the mask is True; returns what was there."
    return update


atomic_add = _atomic("add", lambda x, y: x + y)
atomic_max = _atomic("max", lambda x, y: where(x > y, x, y))
atomic_min = _atomic("min", lambda x, y: where(x < y, x, y))
atomic_and = _atomic("and", lambda x, y: x & y)
atomic_or = _atomic("or", lambda x, y: x | y)
atomic_xor = _atomic("xor", lambda x, y: x ^ y)
atomic_xchg = _atomic("xchg", lambda x, y: where(True, y, x))


def atomic_cas(ref: Any, cmp: Any, val: Any) -> Array:
    """Write a value into a reference if it holds another one.

    Args:
      ref: a reference to a scalar, or an element, `ref.at[index]`.
      cmp: what it must hold.
      val: what is written.
    Returns:
      What it held before, a scalar.

    >>> from adjoint.experimental import pallas as pl
    >>> from adjoint.experimental.pallas import triton
    >>> def kernel(out):
    ...     out[...] = jnp.zeros(2, jnp.int32)
    ...     out[1] = triton.atomic_cas(out.at[0], 0, 7)
    >>> pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((2,), jnp.int32))()
    Array([7, 0], dtype=int32)
    """
    before = ref[...]
    ref[...] = where(before == cmp, val, before).astype(before.dtype)
    return before


def dot(
    a: Any, b: Any, trans_a: bool = False, trans_b: bool = False, allow_tf32: bool | None = None, precision: Any = None
) -> Array:
    """Return the product of two matrices, each transposed if asked for.

    Args:
      a, b: matrices whose inner lengths are equal.
      trans_a, trans_b: take the transpose of the one or the other.
      allow_tf32: for GPUs; it changes nothing here.
      precision: as in `lax.dot_general`.
    Returns:
      A matrix.
    Raises:
      ValueError: the inner lengths differ.

    >>> from adjoint.experimental.pallas import triton
    >>> triton.dot(jnp.array([[1., 2.]]), jnp.array([[3., 4.]]), trans_b=True)
    Array([[11.]], dtype=float32)
    """
    return product(a.T if trans_a else a, b.T if trans_b else b, precision=precision)


def approx_tanh(x: Any) -> Array:
    """Return the hyperbolic tangent.

    Args:
      x: an array of floats.
    Returns:
      An array of the shape and dtype of `x`.

    >>> from adjoint.experimental.pallas import triton
    >>> triton.approx_tanh(jnp.zeros(2))
    Array([0., 0.], dtype=float32)
    """
    return tanh(x)


def debug_barrier() -> None:
    """Wait for the other threads of a point, of which there are none.

    >>> from adjoint.experimental.pallas import triton
    >>> triton.debug_barrier()
    """


def max_contiguous(x: Any, values: Any) -> Any:
    """Return the operand; what it says of it is for other compilers.

    Args:
      x: an array.
      values: the number of contiguous elements along each axis; they are not read.
    Returns:
      `x`.

    >>> from adjoint.experimental.pallas import triton
    >>> triton.max_contiguous(jnp.arange(2), 2)
    Array([0, 1], dtype=int32)
    """
    return x


public(globals())
