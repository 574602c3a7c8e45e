"""Reductions of windows that slide over arrays, and padding by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...array.array import as_array
from ...control_flow.folds import combination, fold_windows, reduce_window_p
from ...core.messages.errors import message
from ...core.tree.tree import tree_flatten, tree_unflatten
from ...core.types import Array, aval_of
from ...core.values.dimension import as_length, greater
from ...prims import reduction
from ...prims import windows as prims
from ...prims.sliding import Sliding
from .. import operators
from ..reductions import is_known

__all__ = ["padtype_to_pads", "reduce_window", "reduce_window_shape_tuple"]


def padtype_to_pads(in_shape, window_shape, window_strides, padding) -> list[tuple[int, int]]:
    """Return the padding before and after each axis that a name stands for.

    Args:
      in_shape, window_shape, window_strides: as many integers each.
      padding: "VALID": none. "SAME": so that there is a window for each stride; if the sum is odd, the
        rest comes at the end. "SAME_LOWER": it comes at the start.
    Returns:
      A list with a pair (before, after) for each axis.
    Raises:
      RuntimeError: another name.
      TypeError: not a string.

    >>> lax.padtype_to_pads((8, 9), (3, 2), (2, 1), "SAME")
    [(0, 1), (0, 1)]
    """
    if not isinstance(padding, str):
        raise TypeError(message(f"Unknown padding type: {padding}.", fix="padding='SAME' or 'VALID'"))
    name = padding.upper()
    if name == "VALID":
        return [(0, 0)] * len(in_shape)
    if name not in ("SAME", "SAME_LOWER"):
        raise RuntimeError(
            message(
                "Unrecognized padding type: expected 'VALID', 'SAME', or 'SAME_LOWER', "
                f"got {padding}.",
                fix="padding='SAME', or pairs: padding=[(1, 1), (1, 1)]",
            )
        )
    pads = []
    for n, w, s in zip(in_shape, window_shape, window_strides):
        total = as_length(greater((-(-n // s) - 1) * s + w - n, 0))
        pads.append((total // 2, total - total // 2))
    return [(hi, lo) for lo, hi in pads] if name == "SAME_LOWER" else pads


def reduce_window_shape_tuple(
    operand_shape, window_dimensions, window_strides, padding, base_dilation=None,
    window_dilation=None,
):
    """Return the number of windows along each axis.

    Args:
      operand_shape: the lengths of the axes.
      window_dimensions, window_strides: for each axis the length of a window, and the distance of two.
      padding: a pair (before, after) for each axis.
      base_dilation, window_dilation: factors by which array and windows are spread; 1 by default.
    Returns:
      A tuple with a number for each axis.
    Raises:
      TypeError: the arguments have not as many entries as the operand has axes.

    >>> lax.reduce_window_shape_tuple((7, 8), (2, 3), (2, 1), [(0, 1), (1, 1)])
    (4, 8)
    """
    ones = (1,) * len(operand_shape)
    windows = Sliding(
        tuple(window_dimensions), tuple(window_strides), tuple(map(tuple, padding)),
        ones if base_dilation is None else tuple(base_dilation),
        ones if window_dilation is None else tuple(window_dilation),
    )
    return prims.check_windows("reduce_window", tuple(operand_shape), windows)


# Computations that have a primitive, and their neutral elements.
_KNOWN = {
    operators.add: (prims.reduce_window_sum, lambda dtype: 0),
    operators.max: (prims.reduce_window_max, reduction.lowest),
    operators.min: (prims.reduce_window_min, reduction.highest),
}


def reduce_window(
    operand: Any, init_value: Any, computation: Callable, window_dimensions,
    window_strides: Sequence[int] | None = None,
    padding: str | Sequence[tuple[int, int]] = "VALID",
    base_dilation: Sequence[int] | None = None, window_dilation: Sequence[int] | None = None,
) -> Any:
    """Combine the elements of each window that slides over an array.

    Args:
      operand: an array, or a tree of arrays of equal shape.
      init_value: a scalar, or a tree of scalars, to start from and to pad with: the neutral element.
      computation: (tree of elements, tree of elements) -> tree of elements; associative.
      window_dimensions: the length of a window along each axis.
      window_strides: the distance of windows along each axis; default 1.
      padding: "VALID", "SAME", "SAME_LOWER", or a pair (before, after) for each axis.
      base_dilation, window_dilation: factors by which array and windows are spread; default 1.
    Returns:
      An array, or a tree of arrays, with an element for each window. The dtype is that of `operand`.
    Raises:
      TypeError: lengths do not fit, are not positive, or dtypes differ.
      ValueError: trees differ.

    Derivatives: of sums, maxima and minima of any order and mode; of other computations likewise, with
    a backward pass that unrolls the window.

    >>> lax.reduce_window(jnp.array([1., 3., 2., 0.]), -jnp.inf, lax.max, (2,), (2,))
    Array([3., 2.], dtype=float32)
    """
    xs, tree = tree_flatten(operand)
    inits, init_tree = tree_flatten(init_value)
    if tree != init_tree:
        raise ValueError(
            f"Operands must have the same tree structure as init_values: {tree} vs. {init_tree}"
        )
    if not xs:
        raise ValueError("reduce_window must have at least one operand.")
    shape = aval_of(xs[0]).shape
    window = _positive("window_dimensions", window_dimensions)
    ones = (1,) * len(window)
    strides = ones if window_strides is None else _positive("window_strides", window_strides)
    base = ones if base_dilation is None else tuple(base_dilation)
    spread = ones if window_dilation is None else tuple(window_dilation)
    windows = Sliding(window, strides, ((0, 0),) * len(window), base, spread)
    prims.check_windows("reduce_window", shape, windows)
    if isinstance(padding, str):
        # JAX parity: the array counts as it is, without its dilation.
        padding = padtype_to_pads(shape, windows.extent(), strides, padding)
    pads = tuple([(as_length(lo), as_length(hi)) for lo, hi in padding])
    windows = windows._replace(padding=pads)
    if len(xs) == 1 and computation in _KNOWN:
        p, neutral = _KNOWN[computation]
        if is_known(inits[0], neutral(aval_of(xs[0]).dtype)):
            return tree_unflatten(tree, [p(xs[0], **windows._asdict())])
    _check_scalars(xs, inits)
    xs = [x if isinstance(x, Array) else as_array(x) for x in xs]
    program, captured = combination(computation, tree, inits, "reduce_window", strict=True)
    if captured:
        outs = fold_windows(xs, inits, program, windows)
    else:
        outs = reduce_window_p.bind(
            *xs, *inits, jaxpr=program, consts=(), **windows._asdict()
        )
    return tree_unflatten(tree, outs)


def _positive(field, values):
    values = tuple(values) if len(values) else ()
    if not all(isinstance(v, (int, np.integer)) for v in values):
        raise TypeError(
            f"reduce_window {field} must have every element be an integer type, got "
            f"{tuple(map(type, values))}."
        )
    if any(v <= 0 for v in values):
        raise TypeError(
            f"reduce_window {field} must have every element be strictly positive, got {values}."
        )
    return values


def _check_scalars(xs, inits):
    shapes = [aval_of(i).shape for i in inits]
    if any(shapes):
        raise TypeError(
            f"reduce_window expected init_values to be scalars but init_values have shapes {shapes}."
        )
    dtypes, init_dtypes = ([aval_of(v).dtype for v in values] for values in (xs, inits))
    if dtypes != init_dtypes:
        raise TypeError(
            "reduce_window got inconsistent dtypes for operands and init_values: got operand "
            f"dtypes {dtypes} and init_value dtypes {init_dtypes}."
        )
    shapes = [aval_of(x).shape for x in xs]
    if len(set(shapes)) > 1:
        raise TypeError(f"reduce_window operands must have equal shapes, got {shapes}.")
