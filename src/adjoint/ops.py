"""Reductions within the segments of an array: `segment_sum`, `segment_prod`, `segment_max`, `segment_min`.

A segment is what carries the same number in `segment_ids`. Each is one update of an array of the
operation's neutral element, so numbers that are out of range, negative ones too, are left out.

Tests: `tests/numpy/test_segments.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from .core.messages.boundaries import public
from .core.messages.errors import message
from .core.primitive import Primitive
from .core.types import Array, aval_of
from .core.values.dimension import as_length
from .lax.shape import flag
from .numpy import arange, asarray, full
from .numpy import max as max_
from .numpy.promotion import check_arraylike, known
from .prims import reduction
from .prims.cumulative import reduce_prod
from .prims.shape import reduce_sum

__all__ = ["segment_max", "segment_min", "segment_prod", "segment_sum"]


def _segmented(name: str, update: str, combine: Primitive, what: str, example: str) -> Callable:
    """Return a reduction: the update of `.at` that adds an element, and how buckets combine."""

    def segment(
        data, segment_ids, num_segments: int | None = None, indices_are_sorted: bool = False,
        unique_indices: bool = False, bucket_size: int | None = None, mode=None, out_sharding=None,
    ) -> Array:
        check_arraylike(name, data, segment_ids)
        data, ids = asarray(data), asarray(segment_ids)
        if num_segments is None:
            num_segments = max_(ids) + 1
        n = as_length(known(num_segments, f"{name}() `num_segments` argument."))
        if n < 0:
            raise ValueError(message("num_segments must be non-negative.", why=f"It is {n}."))
        options = dict(
            indices_are_sorted=flag("indices_are_sorted", indices_are_sorted),
            unique_indices=flag("unique_indices", unique_indices), mode=mode, wrap_negative_indices=False,
        )
        fill, rest = combine.combines_rule.neutral_rule(data.dtype), data.shape[1:]
        if bucket_size is None:
            out = full((n, *rest), fill, data.dtype)
            return getattr(out.at[ids], update)(data, **options)
        # Each bucket of consecutive elements is reduced by itself, which rounds less.
        if data.shape[0] not in (1, *aval_of(ids).shape):
            raise ValueError(message(
                f"{name} with bucket_size needs an id for each row: there are {data.shape[0]} rows, and ids of shape "
                f"{aval_of(ids).shape}.", fix="jnp.broadcast_to(segment_ids, data.shape[:1])"))
        buckets = -(-aval_of(ids).size // bucket_size)
        out = full((buckets, n, *rest), fill, data.dtype)
        places = arange(data.shape[0]) // bucket_size
        options["indices_are_sorted"] = False
        return combine(getattr(out.at[places[None], ids[None]], update)(data[None], **options), axes=(0,))

    segment.__name__ = segment.__qualname__ = name
    segment.__doc__ = f"""Return the {what} within segments of an array.

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

    >>> ops.{name}(jnp.arange(1, 6), jnp.array([0, 0, 1, 1, 2]))
    {example}
    """
    return segment


segment_sum = _segmented(
    "segment_sum", "add", reduce_sum, "sum", "Array([3, 7, 5], dtype=int32)",
)
segment_prod = _segmented(
    "segment_prod", "multiply", reduce_prod, "product", "Array([ 2, 12,  5], dtype=int32)",
)
segment_max = _segmented(
    "segment_max", "max", reduction.reduce_max, "greatest element", "Array([2, 4, 5], dtype=int32)",
)
segment_min = _segmented(
    "segment_min", "min", reduction.reduce_min, "least element", "Array([1, 3, 5], dtype=int32)",
)

public(globals())
