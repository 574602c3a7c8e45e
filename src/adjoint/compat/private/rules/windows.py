"""Reductions over windows with their primitives' arguments by position: names of `jax._src.lax.windowed_reductions`.

Tests: `tests/compat/test_lowered.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....core.types import Array
from ....prims.windows import (
    reduce_window_max,
    reduce_window_min,
    reduce_window_sum,
    select_and_gather_add,
    select_and_scatter_add,
)

__all__ = ["of_maximum", "of_minimum", "of_sum", "winners", "winners_transposed"]

_Pairs = Sequence[tuple[int, int]]


def _of(primitive: Any):
    def reduce_window(
        operand: Array, window_dimensions: Sequence[int], window_strides: Sequence[int], padding: _Pairs,
        base_dilation: Sequence[int] | None = None, window_dilation: Sequence[int] | None = None,
    ) -> Array:
        """Reduce over windows; dilations are 1 where they are not given."""
        ones = (1,) * len(window_dimensions)
        return primitive(
            operand, window_dimensions=tuple(window_dimensions), window_strides=tuple(window_strides),
            padding=tuple(padding), base_dilation=tuple(base_dilation or ones),
            window_dilation=tuple(window_dilation or ones),
        )

    return reduce_window


of_sum, of_maximum, of_minimum = map(_of, (reduce_window_sum, reduce_window_max, reduce_window_min))


def winners(
    tangents: Array, operand: Array, select_prim: Any, window_dimensions: Sequence[int],
    window_strides: Sequence[int], padding: _Pairs, base_dilation: Sequence[int], window_dilation: Sequence[int],
) -> Array:
    """Return the tangent of the element of each window that `select_prim` selects."""
    return select_and_gather_add(
        tangents, operand, select_prim=select_prim, window_dimensions=tuple(window_dimensions),
        window_strides=tuple(window_strides), padding=tuple(padding), base_dilation=tuple(base_dilation),
        window_dilation=tuple(window_dilation),
    )


def winners_transposed(
    source: Array, operand: Array, select_prim: Any, window_dimensions: Sequence[int],
    window_strides: Sequence[int], padding: _Pairs,
) -> Array:
    """Return the sums of `source` at the elements of the windows that `select_prim` selects."""
    return select_and_scatter_add(
        source, operand, select_prim=select_prim, window_dimensions=tuple(window_dimensions),
        window_strides=tuple(window_strides), padding=tuple(padding),
    )
