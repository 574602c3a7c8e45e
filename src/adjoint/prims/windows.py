"""Reductions of windows that slide over an array, by sum, maximum or minimum, and what derives them.

All take the five fields of `Sliding` as parameters. The tangent of a maximum is gathered from the element
that won its window (`select_and_gather_add`), its cotangent scattered there (`select_and_scatter_add`);
the two are each other's transposes. Reductions by a program of the user are in control_flow/folds.py.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from ..core import dtypes
from ..core.jaxpr import ClosedJaxpr
from ..core.messages.errors import message
from ..core.primitive import Primitive, is_undefined_primal
from ..core.process.memo import of_closed
from ..core.trace import eval_jaxpr, stage_closed
from ..core.types import ShapedArray, aval_of
from ..core.values.zeros import Zero
from ..sharding import rules
from .arithmetic import add, max_, min_
from .domains import ANY, ORDERED, check_dtype
from .family import add_any, like, multilinear
from .logic import eq, ge, le, select_n
from .shape import full, materialise_batch
from .slicing import pad, slice_
from .sliding import Sizes, Sliding, by_doubling, dilated, padded
from .summation import TERMS_PER_BLOCK, total

__all__ = [
    "check_windows", "loser", "reduce_window_max", "reduce_window_min", "reduce_window_sum",
    "select_and_gather_add", "select_and_scatter_add", "tap_slice", "with_padding", "without_pads",
]

_f32 = dtypes.float32

# The dtype in which windows of small floats are combined.
_WIDE = dict.fromkeys((dtypes.float16, dtypes.bfloat16, *dtypes.small_floats), _f32)


def check_windows(name: str, shape: Sizes, windows: Sliding) -> Sizes:
    """Return the number of windows along each axis; TypeError for a geometry that does not fit."""
    size, *others = windows
    if len(size) != len(shape):
        raise TypeError(
            message(
                f"{name} got the wrong number of window_dimensions for operand: got operand shape "
                f"{shape} with window_dimensions {size}.",
                why=f"The operand has {len(shape)} axes, and each has a length of the window.",
                fix=f"{(*[1] * (len(shape) - len(size)), *size)[-len(shape):]}, with 1 where nothing is reduced",
            )
        )
    for field, values in zip(windows._fields[1:], others):
        if len(values) != len(size):
            raise TypeError(
                f"{name} got inconsistent {field} and window_dimensions: got {field} {values} and "
                f"window_dimensions {size}."
            )
    for field in "base_dilation", "window_dilation":
        if any(d <= 0 for d in getattr(windows, field)):
            raise TypeError(f"All dilations must be positive, got {getattr(windows, field)}.")
    return windows.counts(shape)


# ---- padding and taps as operations -------------------------------------------------------------


def with_padding(x, value, windows: Sliding):
    """Return the dilated and padded array."""
    config = [(lo, hi, d - 1) for (lo, hi), d in zip(windows.padding, windows.base_dilation)]
    return pad(x, value, padding_config=tuple(config)) if config else x


@of_closed
def without_pads(program: ClosedJaxpr) -> ClosedJaxpr:
    """Return a program that combines elements of windows and leaves pads out, as XLA does where it runs programs.

    It takes a boolean more on each side, and gives one more: on the right that of an array of True padded with False.
    """
    n = len(program.out_avals)

    def run(*elements):
        (left, counts), (right, is_inside) = [(side[:n], side[n]) for side in (elements[: n + 1], elements[n + 1 :])]
        combined = eval_jaxpr(program.jaxpr, program.consts, *left, *right)
        return [*[select_n(is_inside, x, y) for x, y in zip(left, combined)], counts]

    avals = [*program.in_avals[:n], ShapedArray((), dtypes.bool_), *program.in_avals[n:], ShapedArray((), dtypes.bool_)]
    return stage_closed(run, avals)


def tap_slice(x, at: Sizes, counts: Sizes, windows: Sliding):
    """Return the elements at position `at` of all windows on a padded array."""
    parts = windows.tap(at, counts)
    return slice_(
        x, start_indices=tuple([s.start for s in parts]),
        limit_indices=tuple([s.stop for s in parts]), strides=tuple([s.step for s in parts]),
    )


# ---- sum, maximum, minimum ----------------------------------------------------------------------


def _windowed(name: str, ufunc, operation: Primitive, linear: bool = False) -> Primitive:
    """Return a primitive that combines windows by `ufunc`, which is what `operation` means; its neutral element pads.
    """
    p = Primitive(name, linear=linear)
    p.sharding(rules.windowed)
    p.combines(operation)

    @p.type
    def _(x, **params):
        if linear and not dtypes.issubdtype(x.dtype, np.number):
            raise TypeError(f"operand to {name} must have a number dtype, got {x.dtype.name}")
        check_dtype(name, ANY, x.dtype)
        return ShapedArray(check_windows(name, x.shape, Sliding(**params)), x.dtype, x.weak_type)

    @p.evaluate
    def _(x, **params):
        windows = Sliding(**params)
        counts = windows.counts(x.shape)
        if 0 in counts:
            return np.zeros(counts, x.dtype)
        wide = x.astype(_WIDE.get(x.dtype, x.dtype), copy=False)
        wide = windows.pad(wide, operation.neutral_rule(x.dtype))
        for axis, geometry in enumerate(
            zip(windows.window_dimensions, windows.window_strides, windows.window_dilation, counts)
        ):
            wide = _along(ufunc, wide, axis, *geometry)
        return wide.astype(x.dtype, copy=False)

    @p.batch
    def _(args, dims, **params):
        (x,), (d,) = args, dims
        return p(x, **Sliding(**params).inserted(d)._asdict()), d

    p.examples(*_examples(_f32, dtypes.int32, dtypes.bfloat16))
    return p


def _along(ufunc, x, axis: int, window: int, stride: int, spread: int, count: int):
    """Return the windows along one axis combined; long ones from windows of 1, 2, 4, ... elements."""

    def part(y, start, n, step):
        return y[(slice(None),) * axis + (slice(start, start + (n - 1) * step + 1, step),)]

    length = (count - 1) * stride + 1
    if ufunc is np.add and window > TERMS_PER_BLOCK and window * count <= 2 * window.bit_length() * length:
        windows = np.lib.stride_tricks.sliding_window_view(x, (window - 1) * spread + 1, axis)
        each = (slice(None),) * axis + (slice(0, length, stride), ..., slice(None, None, spread))
        return total(windows[each], x.ndim)
    if window * count <= 2 * window.bit_length() * length or window <= 8:
        out = part(x, 0, count, stride)
        for k in range(1, window):
            element = part(x, k * spread, count, stride)
            out = ufunc(out, element, out=out) if k > 1 else ufunc(out, element)
        return out
    return by_doubling(x, x.shape[axis], part, ufunc, window, stride, spread, count)


def _examples(*types):
    ones = (1, 1)
    cases = [
        ((3, 4), Sliding((2, 2), ones, ((0, 0), (0, 0)), ones, ones)),
        ((4, 5), Sliding((3, 2), (2, 1), ((1, 1), (0, 1)), ones, ones)),
        ((3, 4), Sliding((2, 3), (1, 2), ((1, 0), (2, -1)), (2, 1), (1, 2))),
        ((0, 2), Sliding((1, 2), ones, ((0, 0), (0, 0)), ones, ones)),
        ((12,), Sliding((11,), (1,), ((9, 3),), (1,), (1,))),
        ((), Sliding((), (), (), (), ())),
    ]
    for dtype in types:
        for shape, windows in cases[: None if dtype == _f32 else 2]:
            yield ShapedArray(shape, dtype), windows._asdict()


reduce_window_sum = _windowed("reduce_window_sum", np.add, add, linear=True)
reduce_window_max = _windowed("reduce_window_max", np.maximum, max_)
reduce_window_min = _windowed("reduce_window_min", np.minimum, min_)


@reduce_window_sum.transpose
def _(ct, x, **params):
    # The windows of a window's elements: the strides become gaps, the gaps become strides.
    windows = Sliding(**params)
    config = []
    for n, m, span, s, (lo, _), d in zip(
        x.aval.shape, ct.shape, windows.extent(), windows.window_strides, windows.padding,
        windows.base_dilation,
    ):
        before = span - lo - 1
        after = dilated(n, d) + span - 1 - dilated(m, s) - before
        config.append((before, after, s - 1))
    ct = pad(ct, like(ct, 0), padding_config=tuple(config))
    turned = windows._replace(
        window_strides=windows.base_dilation, padding=((0, 0),) * len(config),
        base_dilation=(1,) * len(config),
    )
    return [reduce_window_sum(ct, **turned._asdict())]


def _extremum_jvp(p, select_prim):
    @p.jvp
    def _(primals, tangents, **params):
        (x,), (t,) = primals, tangents
        out = p(x, **params)
        if type(t) is Zero or not dtypes.issubdtype(aval_of(x).dtype, np.inexact):
            return out, Zero(aval_of(out).to_tangent_aval())
        return out, select_and_gather_add(t, x, select_prim=select_prim, **params)


_extremum_jvp(reduce_window_max, ge)
_extremum_jvp(reduce_window_min, le)


# ---- the element that wins its window -----------------------------------------------------------


def loser(select_prim, dtype):
    """Return the value that every other one wins against; it pads. Of booleans it is True, as infinity converted is."""
    if dtype == np.bool_:
        return True
    return (max_ if select_prim is ge else min_).neutral_rule(dtype)


def _check_select(name, x, select_prim):
    check_dtype(name, ORDERED, x.dtype)
    if select_prim is not ge and select_prim is not le:
        raise NotImplementedError(f"{name} selects by ge or le, got {select_prim}.")


def _front(args, dims):
    """Return both operands with their batch axis in front."""
    size = next(a.shape[d] for a, d in zip(args, dims) if d is not None)
    return [materialise_batch(a, d, size) for a, d in zip(args, dims)]


select_and_gather_add = Primitive("select_and_gather_add")
select_and_gather_add.sharding(rules.windowed)


@select_and_gather_add.type
def _(t, x, *, select_prim, **params):
    name = "select_and_gather_add"
    _check_select(name, x, select_prim)
    if t.shape != x.shape:
        raise TypeError(f"{name} tangents and operand must have equal shapes, got {t.shape} and {x.shape}.")
    counts = check_windows(name, x.shape, Sliding(**params))
    return ShapedArray(counts, t.dtype, t.weak_type and x.weak_type)


@select_and_gather_add.evaluate
def _(t, x, *, select_prim, **params):
    windows = Sliding(**params)
    counts = windows.counts(x.shape)
    keeps = np.greater_equal if select_prim is ge else np.less_equal
    worst = loser(select_prim, x.dtype)
    x = windows.pad(x.astype(_WIDE.get(x.dtype, x.dtype), copy=False), worst)
    t = windows.pad(t, 0)
    best, out = np.full(counts, worst, x.dtype), np.zeros(counts, t.dtype)
    if out.size:
        for candidate, tangent in zip(windows.taps(x, counts), windows.taps(t, counts)):
            wins = ~keeps(best, candidate)
            best, out = np.where(wins, candidate, best), np.where(wins, tangent, out)
    return out


multilinear(select_and_gather_add, 0)


@select_and_gather_add.transpose
def _(ct, t, x, *, select_prim, **params):
    windows = Sliding(**params)
    if any(d != 1 for d in windows.window_dilation):
        return [_scatter_taps(ct, x, select_prim, windows), None]
    if any(d != 1 for d in windows.base_dilation):
        none = windows._replace(padding=((0, 0),) * ct.ndim)
        x = with_padding(x, like(x, loser(select_prim, x.dtype)), none)
    out = select_and_scatter_add(
        ct, x, select_prim=select_prim, window_dimensions=windows.window_dimensions,
        window_strides=windows.window_strides, padding=windows.padding,
    )
    if out.shape != t.aval.shape:
        out = slice_(
            out, start_indices=(0,) * ct.ndim, limit_indices=out.shape,
            strides=windows.base_dilation,
        )
    return [out, None]


def _scatter_taps(ct, x, select_prim, windows: Sliding):
    """Return the cotangent of the tangents, tap by tap: for windows with gaps."""
    worst = loser(select_prim, x.dtype)
    shape, source = aval_of(x).shape, with_padding(x, like(x, worst), windows)
    counts, inner = ct.shape, source.shape
    places = list(product(*map(range, windows.window_dimensions)))
    best, winner = full(counts, worst, x.dtype), full(counts, len(places), dtypes.int32)
    for k, at in enumerate(places):
        candidate = tap_slice(source, at, counts, windows)
        keeps = select_prim(best, candidate)
        best = select_n(keeps, candidate, best)
        winner = select_n(keeps, full(counts, k, dtypes.int32), winner)
    zeros, total = full(counts, 0, ct.dtype), full(inner, 0, ct.dtype)
    for k, at in enumerate(places):
        part = select_n(eq(winner, full(counts, k, dtypes.int32)), zeros, ct)
        config = [
            (s.start, n - s.stop, s.step - 1) for s, n in zip(windows.tap(at, counts), inner)
        ]
        total = add_any(total, pad(part, like(ct, 0), padding_config=tuple(config)))
    config = tuple([(-lo, -hi, 0) for lo, hi in windows.padding])
    total = pad(total, like(ct, 0), padding_config=config)
    return slice_(
        total, start_indices=(0,) * len(shape), limit_indices=total.shape,
        strides=windows.base_dilation,
    )


@select_and_gather_add.batch
def _(args, dims, *, select_prim, **params):
    t, x = _front(args, dims)
    windows = Sliding(**params).inserted(0)
    return select_and_gather_add(t, x, select_prim=select_prim, **windows._asdict()), 0


select_and_scatter_add = Primitive("select_and_scatter_add")
select_and_scatter_add.sharding(rules.windowed)


def _dense(window_dimensions, window_strides, padding) -> Sliding:
    ones = (1,) * len(window_dimensions)
    return Sliding(window_dimensions, window_strides, padding, ones, ones)


@select_and_scatter_add.type
def _(source, x, *, select_prim, **params):
    name = "select_and_scatter_add"
    _check_select(name, x, select_prim)
    counts = check_windows(name, x.shape, _dense(**params))
    if source.shape != counts:
        raise TypeError(
            f"{name} source must have one element for each window, {counts}, got {source.shape}."
        )
    return ShapedArray(x.shape, source.dtype, source.weak_type and x.weak_type)


@select_and_scatter_add.evaluate
def _(source, x, *, select_prim, **params):
    windows = _dense(**params)
    keeps = np.greater_equal if select_prim is ge else np.less_equal
    counts, wide = source.shape, _WIDE.get(source.dtype, source.dtype)
    if not source.size:
        return np.zeros(x.shape, source.dtype)
    values = windows.pad(x.astype(_WIDE.get(x.dtype, x.dtype), copy=False), loser(select_prim, x.dtype))
    size = int(np.prod(windows.window_dimensions))
    best, winner = None, np.zeros(counts, np.int8 if size < 128 else np.int32)
    for k, candidate in enumerate(windows.taps(values, counts)):
        if best is None:
            best = candidate
            continue
        wins = ~keeps(best, candidate)
        best = np.where(wins, candidate, best)
        np.copyto(winner, winner.dtype.type(k), where=wins)
    total = np.zeros(values.shape, wide)
    for k, target in enumerate(windows.taps(total, counts)):
        target += np.where(winner == k, source, source.dtype.type(0))
    back = tuple([(-lo, -hi) for lo, hi in windows.padding])
    return padded(total, back, windows.base_dilation, 0).astype(source.dtype, copy=False)


multilinear(select_and_scatter_add, 0)


@select_and_scatter_add.transpose
def _(ct, source, x, *, select_prim, **params):
    if not is_undefined_primal(source):
        return [None, None]
    windows = _dense(**params)
    return [select_and_gather_add(ct, x, select_prim=select_prim, **windows._asdict()), None]


@select_and_scatter_add.batch
def _(args, dims, *, select_prim, **params):
    source, x = _front(args, dims)
    windows = _dense(**params).inserted(0)
    out = select_and_scatter_add(
        source, x, select_prim=select_prim, window_dimensions=windows.window_dimensions,
        window_strides=windows.window_strides, padding=windows.padding,
    )
    return out, 0


for _operand, _params in _examples(_f32, dtypes.bfloat16):
    for _select in ge, le:
        select_and_gather_add.examples((_operand, _operand, {"select_prim": _select, **_params}))
        if _operand.ndim and all(d == 1 for k in ("base_dilation", "window_dilation") for d in _params[k]):
            _counts = Sliding(**_params).counts(_operand.shape)
            _fields = {k: v for k, v in _params.items() if not k.endswith("dilation")}
            select_and_scatter_add.examples(
                (ShapedArray(_counts, _operand.dtype), _operand, {"select_prim": _select, **_fields})
            )
