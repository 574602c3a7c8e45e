"""`conv_general_dilated`: windows that slide over an array, each multiplied with a kernel and summed.

Seen as (batch, feature, *spatial) by `ConvDimensionNumbers`, the operands are canonical views. A
cotangent's convolution is a convolution again: with the operands' roles exchanged, strides become
dilations and groups of features become groups of the batch. So there is one primitive with rules that
call it. How it is computed is in `convolution_kernels.py`.
"""

from __future__ import annotations

from math import prod

import numpy as np

from ..core import dtypes
from ..core.messages.errors import message
from ..core.primitive import Primitive, is_undefined_primal
from ..core.process.records import NamedTuple
from ..core.types import ShapedArray, aval_of
from ..sharding import rules
from ..sharding.mesh import PartitionSpec
from ..sharding.named_sharding import NamedSharding
from .conversion import convert_element_type
from .convolution_kernels import by_transforms, convolve, is_long
from .dot import rounded
from .family import check_same_dtypes, multilinear
from .shape import full, reshape, rev
from .sharding import resharded
from .sliding import Pairs, Sizes, Sliding, dilated

__all__ = ["ConvDimensionNumbers", "conv_general_dilated", "convolved_shape"]


class ConvDimensionNumbers(NamedTuple):
    """The meaning of the axes of the operands and the result of a convolution.

    Args:
      lhs_spec: the axes of the input: (batch, feature, *spatial).
      rhs_spec: the axes of the kernel: (output feature, input feature, *spatial).
      out_spec: the axes of the result: (batch, feature, *spatial).

    >>> lax.conv_dimension_numbers((1, 3, 8, 8), (4, 3, 3, 3), ('NCHW', 'OIHW', 'NCHW'))
    ConvDimensionNumbers(lhs_spec=(0, 1, 2, 3), rhs_spec=(0, 1, 2, 3), out_spec=(0, 1, 2, 3))
    """

    lhs_spec: Sizes
    rhs_spec: Sizes
    out_spec: Sizes


conv_general_dilated = Primitive("conv_general_dilated")
conv_general_dilated.sharding(rules.convolved)


def _swapped(spec: Sizes) -> Sizes:
    """Return the axes of an operand whose batch and feature change places."""
    return (spec[1], spec[0], *spec[2:])


# ---- type ---------------------------------------------------------------------------------------


def _group_fix(lhs, rhs, features: int) -> str:
    """Return what fits an input to a kernel whose features differ."""
    if rhs[1] and lhs[1] % rhs[1] == 0 and rhs[0] % (lhs[1] // rhs[1]) == 0 and lhs[1] != rhs[1]:
        return f"feature_group_count={lhs[1] // rhs[1]}"
    if lhs[-1] == rhs[1] * features:
        return f"dimension_numbers=('NHWC', 'HWIO', 'NHWC'), if the last axis of the input, {lhs[-1]}, is its features"
    return f"a kernel with {lhs[1] // features} input features"


@conv_general_dilated.type
def _(
    x, w, *, window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers,
    feature_group_count, batch_group_count, precision, preferred_element_type, out_sharding=None,
):
    lhs_spec, rhs_spec, out_spec = dimension_numbers
    lhs = tuple([x.shape[i] for i in lhs_spec])
    rhs = tuple([w.shape[i] for i in rhs_spec])
    _check_groups(lhs, rhs, feature_group_count, batch_group_count)
    if len(window_strides) != len(rhs) - 2:
        raise ValueError(
            message(
                "conv_general_dilated window and window_strides must have the same number of "
                f"dimensions, but got {len(rhs) - 2} and {len(window_strides)}",
                why=f"The kernel has {len(rhs) - 2} spatial axes, of lengths {rhs[2:]}.",
                fix=f"window_strides={(1,) * (len(rhs) - 2)}",
            )
        )
    sizes = convolved_shape(
        lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, batch_group_count
    )
    shape = [0] * len(sizes)
    for i, n in zip(out_spec, sizes):
        shape[i] = n
    check_same_dtypes("conv_general_dilated", (x, w))
    dtype = x.dtype
    if preferred_element_type is not None:
        _check_preferred(dtype, preferred_element_type)
        dtype = preferred_element_type
    return ShapedArray(tuple(shape), dtype, x.weak_type and w.weak_type)


def convolved_shape(
    lhs: Sizes, rhs: Sizes, strides: Sizes, padding: Pairs, lhs_dilation: Sizes | None = None,
    rhs_dilation: Sizes | None = None, batch_group_count: int = 1,
) -> Sizes:
    """Return the shape (batch, feature, *spatial) of a convolution of canonical shapes."""
    ones = (1,) * (len(rhs) - 2)
    lhs_dilation = ones if lhs_dilation is None else lhs_dilation
    rhs_dilation = ones if rhs_dilation is None else rhs_dilation
    if len(padding) != len(strides):
        raise TypeError(
            message(
                "Wrong number of explicit pads for convolution: "
                f"expected {len(strides)}, got {len(padding)}.",
                why="Each spatial axis has a pair: how much is added before and after.",
                fix=f"padding={[(1, 1)] * len(strides)}, or 'SAME' or 'VALID'",
            )
        )
    for what, values in ("dilations", lhs_dilation), ("dilations", rhs_dilation), ("strides", strides):
        if len(values) != len(ones):
            raise TypeError(
                message(
                    f"conv_general_dilated needs as many {what} as spatial axes.",
                    why=f"There are {len(ones)} spatial axes, got {tuple(values)}.",
                    fix=f"{(1,) * len(ones)}",
                )
            )
        if any(v <= 0 for v in values):
            raise TypeError(message(f"All {what} must be positive, got {tuple(values)}.", fix=f"{(1,) * len(ones)}"))
    windows = Sliding(rhs[2:], strides, padding, lhs_dilation, rhs_dilation)
    if any(n < 0 for n in windows.padded_shape(lhs[2:])):
        raise ValueError(
            message(
                "Negative padding is larger than the size of the corresponding dimension: got "
                f"padding={tuple(padding)} for lhs_shape[2:]={lhs[2:]}",
                why="Negative padding cuts the input, and there is less of it than is cut.",
                fix="padding='VALID', or smaller numbers",
            )
        )
    return (lhs[0] // batch_group_count, rhs[0], *windows.counts(lhs[2:]))


def _check_groups(lhs, rhs, features, batches):
    shapes = f"Input (batch, feature, ...) {lhs}, kernel (output feature, input feature, ...) {rhs}"
    for what, count in ("feature", features), ("batch", batches):
        if count <= 0:
            raise ValueError(
                message(
                    f"conv_general_dilated {what}_group_count must be a positive integer, got {count}.",
                    fix=f"{what}_group_count=1 for a convolution without groups",
                )
            )
    for what, axis, count in ("feature", 1, features), ("batch", 0, batches):
        if lhs[axis] % count:
            raise ValueError(
                message(
                    f"conv_general_dilated {what}_group_count must divide lhs {what} dimension size, "
                    f"but {count} does not divide {lhs[axis]}.",
                    why=f"{shapes}.",
                    fix=f"one of {[k for k in range(1, lhs[axis] + 1) if lhs[axis] % k == 0][:8]}, or look at "
                    "dimension_numbers: they say which axis is which",
                )
            )
    if lhs[1] // features != rhs[1]:
        raise ValueError(
            message(
                "conv_general_dilated lhs feature dimension size divided by feature_group_count must "
                "equal the rhs input feature dimension size, but "
                f"{lhs[1]} // {features} != {rhs[1]}.",
                why=f"{shapes}, read by dimension_numbers.",
                fix=_group_fix(lhs, rhs, features),
            )
        )
    for what, count in ("feature", features), ("batch", batches):
        if rhs[0] % count:
            raise ValueError(
                message(
                    "conv_general_dilated rhs output feature dimension size must be a multiple of "
                    f"{what}_group_count, but {rhs[0]} is not a multiple of {count}.",
                    why=f"{shapes}; each of the {count} groups makes an equal part of the output features.",
                    fix=f"a kernel with {-(-rhs[0] // count) * count} output features",
                )
            )
    if features > 1 and batches > 1:
        raise ValueError(
            message(
                "At most one of batch_group_count and feature_group_count may be > 1, got "
                f"batch_group_count={batches} and feature_group_count={features}",
                fix="jax.vmap of a convolution that has the one, for the other",
            )
        )


def _check_preferred(dtype, preferred):
    kind = lambda d: next((k for k in _KINDS if dtypes.issubdtype(d, k)), None)
    pair = kind(dtype), kind(preferred)
    if pair not in _COMPATIBLE:
        raise TypeError(
            "Input type is incompatible with `preferred_element_type`. The compatible combinations "
            "of (input_type, preferred_element_type) are (integral, integral), (integral, "
            "floating), (floating, floating), (complex, complex."
        )
    signed = [dtypes.issubdtype(d, np.signedinteger) for d in (dtype, preferred)]
    if pair == (np.integer, np.integer) and signed[0] != signed[1]:
        raise TypeError("`preferred_element_type` must have the same signedness as the original type.")
    if preferred.itemsize < dtype.itemsize:
        raise TypeError("`preferred_element_type` must not be narrower than the original type.")


_KINDS = (np.integer, np.floating, np.complexfloating)
_COMPATIBLE = {
    (np.integer, np.integer), (np.integer, np.floating), (np.floating, np.floating),
    (np.complexfloating, np.complexfloating),
}


# ---- evaluation ---------------------------------------------------------------------------------


@conv_general_dilated.evaluate
def _(
    x, w, *, window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers,
    feature_group_count, batch_group_count, precision, preferred_element_type, out_sharding=None,
):
    lhs_spec, rhs_spec, out_spec = dimension_numbers
    dtype = x.dtype if preferred_element_type is None else preferred_element_type
    work = _working_dtype(x, w, dtype)
    x = x.astype(work, copy=False).transpose(lhs_spec)
    w = w.astype(work, copy=False).transpose(rhs_spec)
    windows = Sliding(w.shape[2:], window_strides, padding, lhs_dilation, rhs_dilation)
    if dtypes.issubdtype(dtype, np.inexact) and not _is_precise(precision) and is_long(x, w, windows):
        out = by_transforms(x.ravel(), w.ravel(), windows.padding[0])
        return rounded(out.reshape(1, 1, -1).transpose(np.argsort(out_spec)), dtype)
    sizes = (x.shape[0] // batch_group_count, w.shape[0], *windows.counts(x.shape[2:]))
    shape = [0] * len(sizes)
    for i, n in zip(out_spec, sizes):
        shape[i] = n
    out = np.empty(shape, work)
    convolve(out.transpose(out_spec), x, w, windows, feature_group_count, batch_group_count)
    return out > 0 if dtype == np.bool_ else rounded(out, dtype)


def _is_precise(precision) -> bool:
    """Return whether the highest precision is asked for, which Fourier transforms do not reach."""
    chosen = precision if isinstance(precision, tuple) else (precision,)
    return any(getattr(p, "name", None) == "HIGHEST" for p in chosen)


def _working_dtype(x, w, dtype):
    """Return the dtype in which to multiply and add: one that BLAS knows, if it loses nothing."""
    if dtypes.issubdtype(dtype, np.inexact):
        return dtypes.float32 if dtype.itemsize < 4 else dtype
    if dtype == np.bool_:
        return dtypes.float32
    terms = prod(w.shape) // max(min(w.shape), 1)
    if x.size and w.size and terms * _magnitude(x) * _magnitude(w) < 2**53:
        return dtypes.float64  # exact for so few and small numbers
    return np.dtype(np.int64 if dtypes.issubdtype(dtype, np.signedinteger) else np.uint64)


def _magnitude(x) -> int:
    return max(abs(int(x.min())), abs(int(x.max()))) if x.dtype not in dtypes.small_ints else 16


# ---- derivatives --------------------------------------------------------------------------------


multilinear(conv_general_dilated, 0, 1)


@conv_general_dilated.transpose
def _(ct, x, w, **params):
    if is_undefined_primal(x):
        return [_in_dtype(_input_cotangent(ct, x.aval, w, **params), x.aval.dtype), None]
    return [None, _in_dtype(_kernel_cotangent(ct, x, w.aval, **params), w.aval.dtype)]


def _in_dtype(x, dtype):
    if x.dtype == dtype:
        return x
    return convert_element_type(x, new_dtype=dtype, weak_type=False, sharding=None)


def _lengths(aval, spec):
    """Return the spatial lengths of an operand."""
    return [aval.shape[i] for i in spec[2:]]


def _input_cotangent(
    ct, x, w, *, window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers,
    feature_group_count, batch_group_count, **params,
):
    """Slide the kernel, turned round, over the cotangent: `ct` has the strides as dilation."""
    lhs_spec, rhs_spec, out_spec = dimension_numbers
    groups = max(feature_group_count, batch_group_count)
    spec, kernel = rhs_spec, w
    lengths = _lengths(aval_of(w), rhs_spec)
    if groups > 1:
        kernel = _split(kernel, rhs_spec[0], groups)
        kernel = _merge(kernel, rhs_spec[0], rhs_spec[1])
    kernel = rev(kernel, dimensions=rhs_spec[2:])
    pads = []
    for n, m, k, s, d, e, (lo, _) in zip(
        _lengths(x, lhs_spec), _lengths(aval_of(ct), out_spec), lengths, window_strides,
        lhs_dilation, rhs_dilation, padding,
    ):
        before = dilated(k, e) - lo - 1
        pads.append((before, dilated(n, d) + dilated(k, e) - 1 - dilated(m, s) - before))
    out = conv_general_dilated(
        ct, _in_dtype(kernel, ct.dtype), window_strides=lhs_dilation, padding=tuple(pads),
        lhs_dilation=window_strides, rhs_dilation=rhs_dilation,
        dimension_numbers=ConvDimensionNumbers(out_spec, _swapped(spec), lhs_spec),
        feature_group_count=groups, batch_group_count=1, **params,
    )
    if batch_group_count > 1:
        out = _split(out, lhs_spec[1], batch_group_count)
        out = _merge(out, lhs_spec[1], lhs_spec[0])
    return out


def _whole(x):
    """Return the value, not divided over explicit mesh axes."""
    explicit = aval_of(x).explicit_sharding
    return x if explicit is None else resharded(x, NamedSharding(explicit.mesh, PartitionSpec()))


def _kernel_cotangent(
    ct, x, w, *, window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers,
    feature_group_count, batch_group_count, **params,
):
    """Slide the cotangent over the input: `ct` is a kernel with the strides as dilation."""
    lhs_spec, rhs_spec, out_spec = dimension_numbers
    pads = []
    for n, m, k, s, d, e, (lo, _) in zip(
        _lengths(aval_of(x), lhs_spec), _lengths(aval_of(ct), out_spec), _lengths(w, rhs_spec),
        window_strides, lhs_dilation, rhs_dilation, padding,
    ):
        pads.append((lo, dilated(m, s) + dilated(k, e) - dilated(n, d) - 1 - lo))
    x, ct = _whole(x), _whole(ct)  # devices add up what they have of the batch
    return conv_general_dilated(
        _in_dtype(x, ct.dtype), ct, window_strides=rhs_dilation, padding=tuple(pads),
        lhs_dilation=lhs_dilation, rhs_dilation=window_strides,
        dimension_numbers=ConvDimensionNumbers(
            _swapped(lhs_spec), _swapped(out_spec), _swapped(rhs_spec)
        ),
        feature_group_count=batch_group_count, batch_group_count=feature_group_count, **params,
    )


# ---- batching -----------------------------------------------------------------------------------


def _split(x, axis: int, count: int):
    """Return `axis` as two, the first of length `count`."""
    shape = aval_of(x).shape
    sizes = (*shape[:axis], count, shape[axis] // count, *shape[axis + 1 :])
    return reshape(x, new_sizes=sizes, dimensions=None, sharding=None)


def _merge(x, source: int, target: int):
    """Axis `source` joined to what is axis `target` once it is gone; it becomes the slower part."""
    shape = aval_of(x).shape
    order = [i for i in range(len(shape)) if i != source]
    sizes = [shape[i] for i in order]
    sizes[target] *= shape[source]
    order.insert(target, source)
    plain = order == list(range(len(shape)))
    return reshape(
        x, new_sizes=tuple(sizes), dimensions=None if plain else tuple(order), sharding=None
    )


@conv_general_dilated.batch
def _(args, dims, **params):
    (x, w), (d, e) = args, dims
    size = w.shape[e] if d is None else x.shape[d]
    if not size:  # what is mapped becomes features or groups, of which there must be one
        one = [aval_of(v) if i is None else aval_of(v).without_axis(i) for v, i in zip(args, dims)]
        aval = conv_general_dilated.infer(tuple(one), params)
        return full((0, *aval.shape), 0, aval.dtype), 0
    if d is None:
        return _batch_kernel(x, w, e, params)
    if e is None:
        return _batch_input(x, w, d, params)
    # Each element of the batch is a group of its own.
    lhs_spec, rhs_spec, out_spec = params["dimension_numbers"]
    in_batch = params["batch_group_count"] > 1
    count = "batch_group_count" if in_batch else "feature_group_count"
    x = _merge(x, d, lhs_spec[0] if in_batch else lhs_spec[1])
    w = _merge(w, e, rhs_spec[0])
    out = conv_general_dilated(x, w, **params | {count: params[count] * size})
    return _split(out, out_spec[1], size), out_spec[1]


def _batch_input(x, w, d, params):
    lhs_spec, _, out_spec = params["dimension_numbers"]
    size, groups, axis = x.shape[d], params["batch_group_count"], lhs_spec[0]
    if groups > 1:  # the groups stay outermost
        x = _split(x, axis + (d <= axis), groups)
        x = _merge(x, d + (axis < d), axis + 1)
        x = _merge(x, axis, axis)
    else:
        x = _merge(x, d, axis)
    out = conv_general_dilated(x, w, **params)
    return _split(out, out_spec[0], size), out_spec[0]


def _batch_kernel(x, w, e, params):
    _, rhs_spec, out_spec = params["dimension_numbers"]
    size, axis, out_axis = w.shape[e], rhs_spec[0], out_spec[1]
    groups = max(params["feature_group_count"], params["batch_group_count"])
    if groups == 1:
        out = conv_general_dilated(x, _merge(w, e, axis), **params)
        return _split(out, out_axis, size), out_axis
    w = _split(w, axis + (e <= axis), groups)
    w = _merge(w, e + (axis < e), axis + 1)
    w = _merge(w, axis, axis)
    out = _split(conv_general_dilated(x, w, **params), out_axis, groups)
    out = _split(out, out_axis + 1, size)
    return _merge(out, out_axis, out_axis + 1), out_axis


def _examples():
    f32 = dtypes.float32
    plain = ConvDimensionNumbers(*[(0, 1, 2, 3)] * 3)
    last = ConvDimensionNumbers((0, 3, 1, 2), (3, 2, 0, 1), (0, 3, 1, 2))
    line = ConvDimensionNumbers(*[(0, 1, 2)] * 3)
    point = ConvDimensionNumbers(*[(0, 1)] * 3)
    params = lambda numbers, strides, pads, lhs, rhs, features=1, batches=1, preferred=None: dict(
        window_strides=strides, padding=pads, lhs_dilation=lhs, rhs_dilation=rhs,
        dimension_numbers=numbers, feature_group_count=features, batch_group_count=batches,
        precision=None, preferred_element_type=preferred,
    )
    ones, none = (1, 1), ((0, 0), (0, 0))
    for x, w, *rest in (
        ((2, 3, 5, 4), (2, 3, 3, 2), plain, ones, ((1, 1), (0, 1)), ones, ones),
        ((2, 5, 4, 3), (3, 2, 3, 2), last, (2, 1), none, ones, ones),
        ((1, 2, 5, 4), (2, 2, 2, 3), plain, (2, 1), ((1, 2), (-1, 1)), (1, 2), (2, 1)),
        ((1, 3, 2), (2, 3, 2), line, (3,), ((2, 3),), (2,), (3,)),
        ((1, 4, 3, 6), (2, 2, 3, 4), last, (1, 2), ((1, 0), (0, 1)), ones, ones, 2),
        ((2, 4, 3, 3), (4, 1, 2, 2), plain, ones, none, (2, 1), ones, 4),
        ((4, 2, 3, 3), (4, 2, 2, 2), plain, (1, 2), ((0, 1), (1, 1)), ones, ones, 1, 2),
        ((2, 3), (4, 3), point, (), (), (), ()),
        ((0, 2, 4), (3, 2, 2), line, (1,), ((0, 0),), (1,), (1,)),
        ((1, 2, 2), (3, 2, 4), line, (1,), ((0, 0),), (1,), (1,)),
    ):
        yield ShapedArray(x, f32), ShapedArray(w, f32), params(*rest)
    for dtype, preferred in (
        (dtypes.int8, dtypes.int32), (dtypes.bfloat16, f32), (dtypes.int32, None),
        (dtypes.bool_, None), (dtypes.complex64, None), (dtypes.uint8, None),
    ):
        shapes = ShapedArray((2, 2, 4), dtype), ShapedArray((3, 2, 2), dtype)
        yield *shapes, params(line, (1,), ((1, 0),), (1,), (1,), preferred=preferred)


conv_general_dilated.examples(*_examples())
