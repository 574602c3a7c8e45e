"""The `lower` rules of what slides windows or folds by a program: convolutions, `reduce_window`, `reduce`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ....core.primitive import Primitive
from ....prims.arithmetic import add
from ....prims.logic import ge
from ....prims.windows import loser
from ..rules import lower
from ..stablehlo import Value, Writer
from .lowerings import combined, integers, neutral, scalar, with_regions

# ---- parts of operations ------------------------------------------------------------------------


def _pairs(padding) -> str:
    text = str([list(p) for p in padding]) if padding else ""
    return f"dense<{text}> : tensor<{len(padding)}x2xi64>"


def _geometry(params, fields: str) -> str:
    """Attributes of windows: the padding and these parameters."""
    parts = [f"padding = {_pairs(params['padding'])}"]
    for f in fields.split():
        name = f"{f}s" if f.endswith("dilation") else f
        parts.append(f"{name} = {integers(params[f])}")
    return ", ".join(parts)


_ALL = "base_dilation window_dilation window_dimensions window_strides"


def binary(w: Writer, p: Primitive) -> Callable:
    return lambda xs: [combined(w, p, *xs)]


def _padded(w: Writer, x: Value, value: Value, padding) -> Value:
    low, high = ([p[i] for p in padding] for i in (0, 1))
    shape = tuple([n + lo + hi for n, lo, hi in zip(x.aval.shape, low, high)])
    attributes = f", low = {low}, high = {high}, interior = {[0] * len(low)}"
    return w.op("stablehlo.pad", [x, value], x.aval.update(shape=shape), attributes)


def _selection(params, x) -> tuple[str, np.ndarray]:
    """Return how the winner of a window compares, and the value that loses against every other one."""
    select = params["select_prim"]
    return "GE" if select is ge else "LE", np.asarray(loser(select, x.aval.dtype), x.aval.dtype)


# ---- convolution --------------------------------------------------------------------------------


@lower("conv_general_dilated")
def _(w, eqn, operands):
    p = eqn.params
    numbers = p["dimension_numbers"]
    out, kernel_shape = eqn.outvars[0].aval, operands[1].aval.shape
    if 0 in [kernel_shape[i] for i in numbers.rhs_spec[2:]]:  # StableHLO has no empty windows
        return w.broadcast(w.constant(np.zeros((), out.dtype), scalar(out)), out.shape)
    layouts = [
        _letters(spec, ends) for spec, ends in zip(numbers, (("b", "f"), ("o", "i"), ("b", "f")))
    ]
    windows = (
        f"{{stride = {list(p['window_strides'])}, pad = {[list(x) for x in p['padding']]}, "
        f"lhs_dilate = {list(p['lhs_dilation'])}, rhs_dilate = {list(p['rhs_dilation'])}, "
        f"reverse = [{', '.join(['false'] * len(p['window_strides']))}]}}"
    )
    precision = p["precision"] if isinstance(p["precision"], tuple) else (p["precision"],) * 2
    names = ", ".join(f"#stablehlo<precision {getattr(x, 'name', 'DEFAULT')}>" for x in precision)
    attributes = (
        f" dim_numbers = {layouts[0]}x{layouts[1]}->{layouts[2]}, window = {windows} "
        f"{{batch_group_count = {p['batch_group_count']} : i64, feature_group_count = "
        f"{p['feature_group_count']} : i64, precision_config = [{names}]}}"
    )
    value = w.fresh(out)
    x, kernel = operands
    w.line(f"{value.name} = stablehlo.convolution({x.name}, {kernel.name}){attributes} : "
           f"({x.type}, {kernel.type}) -> {value.type}")
    return value


def _letters(spec, ends) -> str:
    """`[b, 0, 1, f]`: what each axis is."""
    names = dict(zip(spec, (*ends, *range(len(spec) - 2))))
    return f"[{', '.join(str(names[i]) for i in range(len(spec)))}]"


# ---- windows ------------------------------------------------------------------------------------


@lower("reduce_window_sum", "reduce_window_max", "reduce_window_min")
def _(w, eqn, operands):
    (x,), out, operation = operands, eqn.outvars[0].aval, eqn.primitive.combines_rule
    start = w.constant(neutral(operation, out.dtype), scalar(out))
    region = (binary(w, operation), [scalar(out)] * 2)
    return with_regions(w, "reduce_window", [x, start], _geometry(eqn.params, _ALL), [region], [out])


def _by_program(w, closed, operands) -> tuple:
    return (lambda xs: w.program(closed, xs)), [scalar(x.aval) for x in operands]


@lower("reduce_window")
def _(w, eqn, operands):
    region = _by_program(w, eqn.params["jaxpr"], operands)
    outs = [v.aval for v in eqn.outvars]
    return with_regions(w, "reduce_window", operands, _geometry(eqn.params, _ALL), [region], outs)


@lower("reduce")
def _(w, eqn, operands):
    region = _by_program(w, eqn.params["jaxpr"], operands)
    attributes = f"dimensions = {integers(eqn.params['dimensions'])}"
    return with_regions(w, "reduce", operands, attributes, [region], [v.aval for v in eqn.outvars])


@lower("select_and_gather_add")
def _(w, eqn, operands):
    t, x = operands
    direction, worst = _selection(eqn.params, x)
    starts = [w.constant(worst, scalar(x.aval)),
              w.constant(np.zeros((), t.aval.dtype), scalar(t.aval))]

    def choose(values):
        a, a_t, b, b_t = values
        keeps = w.compare(direction, a, b)
        return [w.select(keeps, a, b), w.select(keeps, a_t, b_t)]

    out = eqn.outvars[0].aval
    region = (choose, [scalar(v.aval) for v in (x, t)] * 2)
    results = with_regions(
        w, "reduce_window", [x, t, *starts], _geometry(eqn.params, _ALL), [region],
        [out.update(dtype=x.aval.dtype), out],
    )
    return results[1]


@lower("select_and_scatter_add")
def _(w, eqn, operands):
    (source, x), padding = operands, eqn.params["padding"]
    direction, worst = _selection(eqn.params, x)
    x = _padded(w, x, w.constant(worst, scalar(x.aval)), padding)
    zero = w.constant(np.zeros((), source.aval.dtype), scalar(source.aval))
    regions = [
        (lambda xs: [w.compare(direction, *xs)], [scalar(x.aval)] * 2),
        (binary(w, add), [scalar(source.aval)] * 2),
    ]
    fields = dict(eqn.params, padding=((0, 0),) * len(padding))
    (out,) = with_regions(
        w, "select_and_scatter", [x, source, zero], _geometry(fields, "window_dimensions window_strides"),
        regions, [x.aval.update(dtype=source.aval.dtype)],
    )
    return _padded(w, out, zero, [(-lo, -hi) for lo, hi in padding])


@lower("select_and_scatter")
def _(w, eqn, operands):
    x, _, _ = operands
    pair = [x, x]
    regions = [_by_program(w, eqn.params[f"{k}_jaxpr"], pair) for k in ("select", "scatter")]
    return with_regions(
        w, "select_and_scatter", operands, _geometry(eqn.params, "window_dimensions window_strides"),
        regions, [eqn.outvars[0].aval],
    )
