"""Convolutions, their dimension numbers, and the shapes that they give.

All come down to `conv_general_dilated`. A convolution here is what signal processing calls a correlation:
the kernel is not turned round.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Union

import numpy as np

from ...array.array import as_array
from ...core import dtypes
from ...core.messages.errors import message
from ...core.types import Array, aval_of
from ...core.values.dimension import as_length
from ...prims import convolution as prims
from ...prims.convolution import ConvDimensionNumbers
from ...prims.precision import Precision, canonicalize_precision
from ...prims.shape import broadcast_in_dim, reshape, rev, transpose
from ...prims.sliding import dilated
from ...sharding.explicit import told_sharding
from ..conversion import convert_element_type
from ..shape import broadcasted_iota
from .products import dot_general
from .windows import padtype_to_pads

__all__ = [
    "ConvDimensionNumbers", "ConvGeneralDilatedDimensionNumbers", "conv", "conv_dimension_numbers",
    "conv_general_dilated", "conv_general_dilated_local", "conv_general_dilated_patches",
    "conv_general_permutations", "conv_general_shape_tuple", "conv_shape_tuple", "conv_transpose",
    "conv_transpose_shape_tuple", "conv_with_general_padding",
]

ConvGeneralDilatedDimensionNumbers = Union[tuple[str, str, str], ConvDimensionNumbers, None]  # noqa: UP007


# ---- dimension numbers --------------------------------------------------------------------------


def conv_dimension_numbers(lhs_shape, rhs_shape, dimension_numbers) -> ConvDimensionNumbers:
    """Return dimension numbers in the form that convolutions use.

    Args:
      lhs_shape, rhs_shape: the shapes of input and kernel.
      dimension_numbers: None for ("NCHW", "OIHW", "NCHW") and its like, three such strings (N batch, C
        feature, I and O input and output feature, any other letters for spatial axes), or the result
        itself.
    Returns:
      A `ConvDimensionNumbers`: for input, kernel and result the axes in the order (batch, feature, *spatial), those of
      the kernel in the order (output feature, input feature, *spatial).
    Raises:
      TypeError: ranks differ, or the strings do not fit them or each other.

    >>> lax.conv_dimension_numbers((1, 8, 8, 3), (3, 3, 3, 4), ("NHWC", "HWIO", "NHWC"))
    ConvDimensionNumbers(lhs_spec=(0, 3, 1, 2), rhs_spec=(3, 2, 0, 1), out_spec=(0, 3, 1, 2))
    """
    if isinstance(dimension_numbers, ConvDimensionNumbers):
        return dimension_numbers
    if len(lhs_shape) != len(rhs_shape):
        raise TypeError(
            message(
                "convolution requires lhs and rhs ndim to be equal, got "
                f"{len(lhs_shape)} and {len(rhs_shape)}.",
                why=f"The input has shape {lhs_shape}, the kernel {rhs_shape}; both have two axes beside the spatial "
                "ones: batch and feature, output feature and input feature.",
                fix="x[None, None] for one image of one channel, or jnp.convolve and jax.scipy.signal.convolve",
            )
        )
    if dimension_numbers is None:
        return ConvDimensionNumbers(*[tuple(range(len(lhs_shape)))] * 3)
    if not isinstance(dimension_numbers, (list, tuple)):
        raise TypeError(
            message(
                "convolution dimension_numbers must be tuple/list or None, got "
                f"{type(dimension_numbers)}.",
                fix="('NHWC', 'HWIO', 'NHWC'): the axes of input, kernel and result",
            )
        )
    if len(dimension_numbers) != 3:
        raise TypeError(
            message(
                "convolution dimension_numbers list/tuple must be length 3, got "
                f"{len(dimension_numbers)}.",
                why="One string each for the axes of the input, of the kernel and of the result.",
                fix="('NHWC', 'HWIO', 'NHWC')",
            )
        )
    if not all(isinstance(spec, str) for spec in dimension_numbers):
        raise TypeError(
            message(
                "convolution dimension_numbers elements must be strings, got "
                f"{tuple(map(type, dimension_numbers))}.",
                fix="('NHWC', 'HWIO', 'NHWC')",
            )
        )
    for i, spec in enumerate(dimension_numbers):
        if len(spec) != len(lhs_shape):
            raise TypeError(
                message(
                    f"convolution dimension_numbers[{i}] must have len equal to the ndim of lhs and "
                    f"rhs, got {len(spec)} for lhs and rhs shapes {lhs_shape} and {rhs_shape}.",
                    why=f"{spec!r} names {len(spec)} axes, one letter each.",
                    fix=repr(("NC" if i != 1 else "OI") + "DHW"[max(0, 5 - len(lhs_shape)):]),
                )
            )
    return ConvDimensionNumbers(*conv_general_permutations(dimension_numbers))


def conv_general_permutations(dimension_numbers):
    """Return the axes (batch, feature, *spatial) of input, kernel and result, given as three strings.

    Args:
      dimension_numbers: three strings such as ("NHWC", "HWIO", "NHWC").
    Returns:
      Three tuples of axes, in the order of `ConvDimensionNumbers`.
    Raises:
      TypeError: a letter is missing or occurs twice, or spatial letters differ.

    >>> lax.conv_general_permutations(("NHC", "HIO", "NHC"))
    ((0, 2, 1), (2, 1, 0), (0, 2, 1))
    """
    ends = ("N", "C"), ("O", "I"), ("N", "C")
    for i, (spec, (a, b)) in enumerate(zip(dimension_numbers, ends)):
        if spec.count(a) != 1 or spec.count(b) != 1:
            raise TypeError(
                f"convolution dimension_numbers[{i}] must contain the characters '{a}' and '{b}' "
                f"exactly once, got {spec}."
            )
        if len(set(spec)) != len(spec):
            raise TypeError(
                f"convolution dimension_numbers[{i}] cannot have duplicate characters, got {spec}."
            )
    spatial = [set(spec) - set(pair) for spec, pair in zip(dimension_numbers, ends)]
    if spatial[0] != spatial[1] or spatial[1] != spatial[2]:
        raise TypeError(
            "convolution dimension_numbers elements must each have the same set of spatial "
            f"characters, got {dimension_numbers}."
        )
    letters = [c for c in dimension_numbers[1] if c not in "OI"]  # the kernel gives the order
    return tuple(
        [
            tuple([spec.index(c) for c in (*pair, *letters)])
            for spec, pair in zip(dimension_numbers, ends)
        ]
    )


# ---- shapes -------------------------------------------------------------------------------------


def conv_shape_tuple(lhs_shape, rhs_shape, strides, pads, batch_group_count=1):
    """Return the shape (batch, feature, *spatial) of a convolution, given shapes in that order.

    Args:
      lhs_shape, rhs_shape: the shapes of input (batch, feature, *spatial) and kernel (output feature, input feature,
        *spatial).
      strides: the distance of windows along each spatial axis.
      pads: "VALID", "SAME", "SAME_LOWER", or a pair (before, after) for each spatial axis.
      batch_group_count: into how many groups the batch is split.
    Returns:
      A tuple: the batch (divided by the number of groups), output features, and the number of windows along each axis.
    Raises:
      TypeError: the shapes, strides and pairs of `pads` do not fit one another.
      RuntimeError: `pads` is a name that is not known.

    >>> lax.conv_shape_tuple((2, 3, 8, 9), (4, 3, 3, 2), (2, 1), "SAME")
    (2, 4, 4, 9)
    """
    if isinstance(pads, str):
        pads = padtype_to_pads(lhs_shape[2:], rhs_shape[2:], strides, pads)
    return prims.convolved_shape(
        tuple(lhs_shape), tuple(rhs_shape), tuple(strides), tuple(pads),
        batch_group_count=batch_group_count,
    )


def conv_general_shape_tuple(lhs_shape, rhs_shape, window_strides, padding, dimension_numbers):
    """Return the shape of a convolution with dimension numbers given as strings.

    Args:
      lhs_shape, rhs_shape: the shapes of input and kernel, in the order of the strings.
      window_strides: the distance of windows along each spatial axis.
      padding: "VALID", "SAME", "SAME_LOWER", or a pair (before, after) for each spatial axis.
      dimension_numbers: three strings, for input, kernel and result.
    Returns:
      The shape, a tuple in the order of the third string.
    Raises:
      TypeError: the shapes, strides, pairs of `padding` and strings do not fit one another.
      RuntimeError: `padding` is a name that is not known.

    >>> lax.conv_general_shape_tuple((2, 8, 9, 3), (3, 2, 3, 4), (2, 1), "SAME", ("NHWC", "HWIO", "NHWC"))
    (2, 4, 9, 4)
    """
    lhs, rhs, out = conv_general_permutations(dimension_numbers)
    sizes = conv_shape_tuple(
        [lhs_shape[i] for i in lhs], [rhs_shape[i] for i in rhs], window_strides, padding
    )
    return tuple([sizes[out.index(i)] for i in range(len(out))])


def conv_transpose_shape_tuple(lhs_shape, rhs_shape, window_strides, padding, dimension_numbers):
    """Return the shape of `conv_transpose` with dimension numbers given as strings.

    Args:
      lhs_shape, rhs_shape: the shapes of input and kernel, in the order of the strings.
      window_strides: the factors by which spatial axes become longer.
      padding: "VALID", "SAME", or a pair (before, after) for each spatial axis.
      dimension_numbers: three strings, for input, kernel and result.
    Returns:
      The shape, a tuple in the order of the third string.
    Raises:
      TypeError: there are not as many strides as spatial axes, or a string lacks one of its letters.

    >>> lax.conv_transpose_shape_tuple((2, 8, 9, 3), (3, 2, 3, 4), (2, 1), "SAME", ("NHWC", "HWIO", "NHWC"))
    (2, 16, 9, 4)
    """
    lhs, rhs, out = conv_general_permutations(dimension_numbers)
    lhs_sizes, rhs_sizes = [lhs_shape[i] for i in lhs], [rhs_shape[i] for i in rhs]
    if isinstance(padding, str):
        padding = [_transposed_pads(k, s, padding) for k, s in zip(rhs_sizes[2:], window_strides)]
    spread = [dilated(n, s) for n, s in zip(lhs_sizes[2:], window_strides)]
    ones = (1,) * len(window_strides)
    sizes = prims.convolved_shape(
        (*lhs_sizes[:2], *spread), tuple(rhs_sizes), ones, tuple(map(tuple, padding))
    )
    return tuple([sizes[out.index(i)] for i in range(len(out))])


# ---- convolutions -------------------------------------------------------------------------------


def conv_general_dilated(
    lhs: Array, rhs: Array, window_strides: Sequence[int],
    padding: str | Sequence[tuple[int, int]], lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: ConvGeneralDilatedDimensionNumbers = None, feature_group_count: int = 1,
    batch_group_count: int = 1, precision=None, preferred_element_type=None, out_sharding=None,
) -> Array:
    """Slide a kernel over an array with n spatial axes: sums of products, for each window and output.

    Args:
      lhs: the input, of rank n + 2.
      rhs: the kernel, of rank n + 2, in the same dtype.
      window_strides: the n distances between windows.
      padding: "VALID" (none), "SAME" or "SAME_LOWER" (a window for each stride of the input; an odd rest
        is padded at the end or at the start), or n pairs (before, after).
      lhs_dilation, rhs_dilation: n factors each: zeros come between elements of the input, or of the
        kernel.
      dimension_numbers: see `conv_dimension_numbers`; default ("NCHW", "OIHW", "NCHW") for n = 2. The n
        numbers above are in the order of the spatial axes of the kernel.
      feature_group_count: the input features are split into so many groups, each with output features
        of its own; a kernel has the input features of one group.
      batch_group_count: the same for the batch.
      precision: see `Precision`.
      preferred_element_type: the dtype of the result, at least as wide.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      The sums of products, an array whose axes are those of the third dimension numbers: the batch, the output
        features, and the windows along each spatial axis; in the dtype of the operands, or in `preferred_element_type`.
    Raises:
      TypeError: dtypes differ, or `dimension_numbers` do not fit.
      ValueError: shapes and groups do not fit each other.

    >>> x, kernel = jnp.ones((1, 8, 8, 3)), jnp.ones((3, 3, 3, 4))
    >>> lax.conv_general_dilated(x, kernel, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")).shape
    (1, 4, 4, 4)
    """
    lhs_shape, rhs_shape = aval_of(lhs).shape, aval_of(rhs).shape
    numbers = conv_dimension_numbers(lhs_shape, rhs_shape, dimension_numbers)
    if not isinstance(padding, str):
        try:
            padding = [(as_length(lo), as_length(hi)) for lo, hi in padding]
        except (ValueError, TypeError, AttributeError):
            raise ValueError(
                message(
                    "padding argument to conv_general_dilated should be a string or a sequence of "
                    f"(low, high) pairs, got {padding}",
                    fix=f"padding={[(1, 1)] * (len(lhs_shape) - 2)} for one zero at each end, or padding='SAME'",
                )
            ) from None
    window_strides = tuple(window_strides)
    ones = (1,) * (len(lhs_shape) - 2)
    lhs_dilation = ones if lhs_dilation is None else tuple(lhs_dilation)
    rhs_dilation = ones if rhs_dilation is None else tuple(rhs_dilation)
    if isinstance(padding, str):
        if any(d != 1 for d in lhs_dilation):
            raise ValueError(
                "String padding is not implemented for transposed convolution using this op. "
                "Please either exactly specify the required padding or use conv_transpose."
            )
        window = [dilated(rhs_shape[i], d) for i, d in zip(numbers.rhs_spec[2:], rhs_dilation)]
        spatial = [lhs_shape[i] for i in numbers.lhs_spec[2:]]
        padding = padtype_to_pads(spatial, window, window_strides, padding)
    if preferred_element_type is not None:
        preferred_element_type = dtypes.check_user_dtype_supported(
            preferred_element_type, "conv_general_dilated"
        )
    return prims.conv_general_dilated(
        lhs,
        rhs,
        window_strides=window_strides,
        padding=tuple(padding),
        lhs_dilation=lhs_dilation,
        rhs_dilation=rhs_dilation,
        dimension_numbers=ConvDimensionNumbers(*map(tuple, numbers)),
        feature_group_count=feature_group_count,
        batch_group_count=batch_group_count,
        precision=canonicalize_precision(precision),
        preferred_element_type=preferred_element_type,
        out_sharding=told_sharding("conv_general_dilated", out_sharding),
    )


def conv(
    lhs: Array, rhs: Array, window_strides: Sequence[int], padding: str, precision=None,
    preferred_element_type=None,
) -> Array:
    """Return a convolution with features before spatial axes: `conv_general_dilated` with its defaults.

    Args:
      lhs: the input, ``[batch, feature, *spatial]``.
      rhs: the kernel, ``[output feature, input feature, *spatial]``, in the same dtype.
      window_strides: the distance of windows along each spatial axis.
      padding: "VALID", "SAME" or "SAME_LOWER".
      precision: see `Precision`.
      preferred_element_type: the dtype of the result, at least as wide.
    Returns:
      The sums of products, ``[batch, output feature, *windows]``. The dtype is that of the operands.
    Raises:
      TypeError: dtypes differ.
      ValueError: shapes do not fit each other.

    >>> lax.conv(jnp.ones((1, 1, 4)), jnp.ones((1, 1, 2)), (1,), "VALID")
    Array([[[2., 2., 2.]]], dtype=float32)
    """
    return conv_general_dilated(
        lhs, rhs, window_strides, padding, precision=precision,
        preferred_element_type=preferred_element_type,
    )


def conv_with_general_padding(
    lhs: Array, rhs: Array, window_strides: Sequence[int],
    padding: str | Sequence[tuple[int, int]], lhs_dilation: Sequence[int] | None,
    rhs_dilation: Sequence[int] | None, precision=None, preferred_element_type=None,
) -> Array:
    """Return a convolution with features before spatial axes, with padding and dilations.

    Args:
      lhs: the input, ``[batch, feature, *spatial]``.
      rhs: the kernel, ``[output feature, input feature, *spatial]``, in the same dtype.
      window_strides: the distance of windows along each spatial axis.
      padding: "VALID", "SAME", "SAME_LOWER", or a pair (before, after) for each spatial axis.
      lhs_dilation, rhs_dilation: a factor for each spatial axis, by which input or kernel are spread; None for 1.
      precision: see `Precision`.
      preferred_element_type: the dtype of the result, at least as wide.
    Returns:
      The sums of products, ``[batch, output feature, *windows]``. The dtype is that of the operands.
    Raises:
      TypeError: dtypes differ.
      ValueError: shapes do not fit each other.

    >>> lax.conv_with_general_padding(jnp.ones((1, 1, 3)), jnp.ones((1, 1, 2)), (1,), [(1, 0)], None, (2,))
    Array([[[1., 2.]]], dtype=float32)
    """
    return conv_general_dilated(
        lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, precision=precision,
        preferred_element_type=preferred_element_type,
    )


def conv_transpose(
    lhs: Array, rhs: Array, strides: Sequence[int], padding: str | Sequence[tuple[int, int]],
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: ConvGeneralDilatedDimensionNumbers = None, transpose_kernel: bool = False,
    precision=None, preferred_element_type=None, use_consistent_padding: bool = False,
) -> Array:
    """Return a convolution that makes the spatial axes longer: the input is spread by `strides`.

    Args:
      lhs, rhs: input and kernel with n spatial axes, last features, as in ("NHWC", "HWIO", "NHWC"),
        unless `dimension_numbers` say otherwise.
      strides: the n factors.
      padding: "SAME" (length times stride), "VALID", or n pairs of padding of the spread input; with
        `use_consistent_padding`, pairs are the padding of the convolution that this one transposes.
      rhs_dilation: n factors by which the kernel is spread.
      dimension_numbers: see `conv_dimension_numbers`.
      transpose_kernel: turn the kernel round and exchange its features, which makes this the gradient of
        the convolution with that kernel.
      precision: see `Precision`.
      preferred_element_type: the dtype of the result, at least as wide.
      use_consistent_padding: how pairs of padding are meant, see above.
    Returns:
      An array whose axes are those of the third dimension numbers; with "SAME" spatial axes are `strides` times as long
      as those of the input. The dtype is that of the operands, unless `preferred_element_type` says another.
    Raises:
      ValueError: more than 3 spatial axes and no dimension numbers; an unknown padding.

    >>> lax.conv_transpose(jnp.ones((1, 2, 1)), jnp.ones((2, 1, 1)), (2,), "SAME")[0, :, 0]
    Array([1., 1., 1., 1.], dtype=float32)
    """
    ndim = aval_of(lhs).ndim
    if dimension_numbers is None:
        if ndim > 5:
            raise ValueError("No 4+ dimensional dimension_number defaults.")
        letters = "HWD"[: ndim - 2]
        dimension_numbers = f"N{letters}C", f"{letters}IO", f"N{letters}C"
    numbers = conv_dimension_numbers(aval_of(lhs).shape, aval_of(rhs).shape, dimension_numbers)
    spatial = numbers.rhs_spec[2:]
    rhs_dilation = (1,) * len(spatial) if rhs_dilation is None else rhs_dilation
    window = [dilated(aval_of(rhs).shape[i], d) for i, d in zip(spatial, rhs_dilation)]
    if isinstance(padding, str):
        if use_consistent_padding and padding not in ("SAME", "VALID"):
            raise ValueError(message(f"Invalid padding mode: {padding}", fix="padding='SAME', or padding='VALID'"))
        if padding in ("SAME", "VALID"):
            padding = [_transposed_pads(k, s, padding) for k, s in zip(window, strides)]
    elif use_consistent_padding:
        padding = [(k - 1 - lo, k - 1 - hi) for k, (lo, hi) in zip(window, padding)]
    if transpose_kernel:
        for i in spatial:
            rhs = rev(rhs, dimensions=(i,))
        out, into = numbers.rhs_spec[:2]
        order = list(range(ndim))
        order[out], order[into] = into, out
        rhs = transpose(rhs, permutation=tuple(order))
    return conv_general_dilated(
        lhs, rhs, (1,) * len(spatial), padding, strides, rhs_dilation, numbers,
        precision=precision, preferred_element_type=preferred_element_type,
    )


def _transposed_pads(window: int, stride: int, padding: str) -> tuple[int, int]:
    """Return the padding of a spread input, for the name of that of the convolution it transposes."""
    if padding == "SAME":
        total = window + stride - 2
        before = window - 1 if stride > window - 1 else -(-total // 2)
    else:
        total = window + stride - 2 + max(window - stride, 0)
        before = window - 1
    return before, total - before


# ---- patches ------------------------------------------------------------------------------------


def conv_general_dilated_patches(
    lhs, filter_shape: Sequence[int], window_strides: Sequence[int],
    padding: str | Sequence[tuple[int, int]], lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: ConvGeneralDilatedDimensionNumbers = None, precision=None,
    preferred_element_type=None,
) -> Array:
    """Return the windows that a convolution would see, flat in the feature axis: feature, then window.

    Args:
      lhs: the input, of rank n + 2.
      filter_shape: the n lengths of a window, in the order of the kernel's spatial axes.
      window_strides: the n distances between windows.
      padding: "VALID", "SAME", "SAME_LOWER", or n pairs (before, after).
      lhs_dilation, rhs_dilation: n factors each, by which input and windows are spread; None for 1.
      dimension_numbers: see `conv_dimension_numbers`; default ("NCHW", "OIHW", "NCHW") for n = 2.
      precision: see `Precision`.
      preferred_element_type: the dtype of the result, at least as wide.
    Returns:
      An array of rank n + 2, in which the feature axis has `feature * prod(filter_shape)` elements, those of a window
      together, and the spatial axes have a position for each window. The dtype is that of `lhs`.
    Raises:
      TypeError: `lhs` is no array, or the lengths of the arguments do not fit its rank.
      ValueError: there are not as many strides as spatial axes, or `padding` is neither a known name nor pairs.
      RuntimeError: `padding` is a name that is not known.

    >>> lax.conv_general_dilated_patches(jnp.arange(4.).reshape(1, 1, 4), (2,), (1,), "VALID")[0]
    Array([[0., 1., 2.],
           [1., 2., 3.]], dtype=float32)
    """
    lhs = _converted(lhs)
    filter_shape = tuple(filter_shape)
    numbers = conv_dimension_numbers(lhs.shape, (1, 1, *filter_shape), dimension_numbers)
    features, size = lhs.shape[numbers.lhs_spec[1]], prod(filter_shape)
    precision = None if precision is None else (precision, Precision.DEFAULT)
    kernel = convert_element_type(_identity(size), lhs.dtype)
    kernel = broadcast_in_dim(
        kernel, shape=(features, size, size), broadcast_dimensions=(1, 2), sharding=None
    )
    kernel = reshape(
        kernel, new_sizes=(features * size, 1, *filter_shape), dimensions=None, sharding=None
    )
    order = tuple([numbers.rhs_spec.index(i) for i in range(lhs.ndim)])
    if order != tuple(range(lhs.ndim)):
        kernel = transpose(kernel, permutation=order)
    return conv_general_dilated(
        lhs, kernel, window_strides, padding, lhs_dilation, rhs_dilation, numbers,
        feature_group_count=features, precision=precision,
        preferred_element_type=preferred_element_type,
    )


def _identity(n: int):
    """Return an n by n matrix of bools, true on the diagonal."""
    rows = broadcasted_iota(np.int32, (n, n), 0) + np.int32(0)
    return rows == broadcasted_iota(np.int32, (n, n), 1)


def _converted(x) -> Array:
    return x if isinstance(x, Array) else as_array(x)


def conv_general_dilated_local(
    lhs, rhs, window_strides: Sequence[int], padding: str | Sequence[tuple[int, int]],
    filter_shape: Sequence[int], lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: ConvGeneralDilatedDimensionNumbers = None, precision=None,
) -> Array:
    """Return a convolution with a kernel of its own for each position of the result.

    Args:
      lhs: the input, of rank n + 2.
      rhs: the kernels, of rank n + 2: spatial axes are those of the result, and the input feature axis has the elements
        of a window, as `conv_general_dilated_patches` gives them.
      window_strides: the n distances between windows.
      padding: "VALID", "SAME", "SAME_LOWER", or n pairs (before, after).
      filter_shape: the n lengths of a window.
      lhs_dilation, rhs_dilation: n factors each, by which input and windows are spread; None for 1.
      dimension_numbers: see `conv_dimension_numbers`; default ("NCHW", "OIHW", "NCHW") for n = 2.
      precision: see `Precision`.
    Returns:
      The sums of products, an array whose axes are those of the third dimension numbers.
      The dtype is that of the operands.
    Raises:
      TypeError: `lhs` is not an array or scalar; lists are not converted.

    >>> kernels = jnp.array([[[1., 2., 3.], [0., 0., 1.]]])
    >>> lax.conv_general_dilated_local(jnp.arange(4.).reshape(1, 1, 4), kernels, (1,), "VALID", (2,))
    Array([[[0., 2., 9.]]], dtype=float32)
    """
    lhs, rhs = _converted(lhs), _converted(rhs)
    precision = canonicalize_precision(precision)
    first = precision[0] if isinstance(precision, tuple) else precision
    patches = conv_general_dilated_patches(
        lhs, filter_shape, window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers,
        first,
    )
    numbers = conv_dimension_numbers(lhs.shape, (1, 1, *filter_shape), dimension_numbers)
    out, into, *spatial = numbers.rhs_spec
    batch, feature, *positions = numbers.out_spec
    summed = ([feature], [into]), (positions, spatial)
    product = dot_general(patches, rhs, summed, precision)
    # Now positions, batch, features.
    axes = [*positions, batch, feature]
    return transpose(product, permutation=tuple([axes.index(i) for i in range(len(axes))]))
