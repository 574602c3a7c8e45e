# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
from typing import Any
def segment_max(data: ArrayLike, segment_ids: ArrayLike, num_segments: int | None = None, indices_are_sorted: bool = False, unique_indices: bool = False, bucket_size: int | None = None, mode: str | None = None, out_sharding: Any = None) -> Array:
    """Return the greatest element within segments of an array.

    Args:
      data: ``[n, ...]``.
      segment_ids: ``[n]`` integers, the segment of each row; in any order, repeated.
      num_segments: the number of segments, default the greatest one and one. Under `jit` it must be given.
      indices_are_sorted, unique_indices: promises about `segment_ids`.
      bucket_size: reduce so many rows at a time, and combine the results.
      mode: what becomes of segments out of range, see `lax.GatherScatterMode`; by default they are left out.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      ``[num_segments, ...]``; an empty segment has the neutral element. The dtype is that of `data`.
    Raises:
      ValueError: `num_segments` is negative.

    >>> ops.segment_max(jnp.arange(1, 6), jnp.array([0, 0, 1, 1, 2]))
    Array([2, 4, 5], dtype=int32)
    """
def segment_min(data: ArrayLike, segment_ids: ArrayLike, num_segments: int | None = None, indices_are_sorted: bool = False, unique_indices: bool = False, bucket_size: int | None = None, mode: str | None = None, out_sharding: Any = None) -> Array:
    """Return the least element within segments of an array.

    Args:
      data: ``[n, ...]``.
      segment_ids: ``[n]`` integers, the segment of each row; in any order, repeated.
      num_segments: the number of segments, default the greatest one and one. Under `jit` it must be given.
      indices_are_sorted, unique_indices: promises about `segment_ids`.
      bucket_size: reduce so many rows at a time, and combine the results.
      mode: what becomes of segments out of range, see `lax.GatherScatterMode`; by default they are left out.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      ``[num_segments, ...]``; an empty segment has the neutral element. The dtype is that of `data`.
    Raises:
      ValueError: `num_segments` is negative.

    >>> ops.segment_min(jnp.arange(1, 6), jnp.array([0, 0, 1, 1, 2]))
    Array([1, 3, 5], dtype=int32)
    """
def segment_prod(data: ArrayLike, segment_ids: ArrayLike, num_segments: int | None = None, indices_are_sorted: bool = False, unique_indices: bool = False, bucket_size: int | None = None, mode: str | None = None, out_sharding: Any = None) -> Array:
    """Return the product within segments of an array.

    Args:
      data: ``[n, ...]``.
      segment_ids: ``[n]`` integers, the segment of each row; in any order, repeated.
      num_segments: the number of segments, default the greatest one and one. Under `jit` it must be given.
      indices_are_sorted, unique_indices: promises about `segment_ids`.
      bucket_size: reduce so many rows at a time, and combine the results.
      mode: what becomes of segments out of range, see `lax.GatherScatterMode`; by default they are left out.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      ``[num_segments, ...]``; an empty segment has the neutral element. The dtype is that of `data`.
    Raises:
      ValueError: `num_segments` is negative.

    >>> ops.segment_prod(jnp.arange(1, 6), jnp.array([0, 0, 1, 1, 2]))
    Array([ 2, 12,  5], dtype=int32)
    """
def segment_sum(data: ArrayLike, segment_ids: ArrayLike, num_segments: int | None = None, indices_are_sorted: bool = False, unique_indices: bool = False, bucket_size: int | None = None, mode: str | None = None, out_sharding: Any = None) -> Array:
    """Return the sum within segments of an array.

    Args:
      data: ``[n, ...]``.
      segment_ids: ``[n]`` integers, the segment of each row; in any order, repeated.
      num_segments: the number of segments, default the greatest one and one. Under `jit` it must be given.
      indices_are_sorted, unique_indices: promises about `segment_ids`.
      bucket_size: reduce so many rows at a time, and combine the results.
      mode: what becomes of segments out of range, see `lax.GatherScatterMode`; by default they are left out.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      ``[num_segments, ...]``; an empty segment has the neutral element. The dtype is that of `data`.
    Raises:
      ValueError: `num_segments` is negative.

    >>> ops.segment_sum(jnp.arange(1, 6), jnp.array([0, 0, 1, 1, 2]))
    Array([3, 7, 5], dtype=int32)
    """
