"""`conv_general_dilated`: the order of the axes of the matrix of windows, for implicit.py; groups of few features
for depthwise.py.

The result is written in the order that suits, and is read through a view if its axes are to stand otherwise. A
dilated image is mostly zeros: results that meet the same elements of the kernel are a *phase*, and each phase is
a convolution of the image as it is.
"""

from __future__ import annotations

from itertools import product
from math import gcd, prod

import numpy as np

from .....core.process.records import NamedTuple
from .....prims import convolution as convolution  # the primitive must be there before its rule
from .....prims.sliding import Sliding
from ...graph.view_rules import RULES, register
from ...graph.views import Type, View, contiguous
from ...runtime.machine import VECTOR_BYTES
from ...text.builder import F32, NARROW
from ..base import Code, Routine, writes
from . import depthwise, edges, implicit
from . import indirect as indirect  # generated code calls its functions
from .gemm import LETTERS, gemm_dtype, terms_together
from .products import integers_in, lower_bits
from .sequence_convolution import filter_routine

__all__ = ["operations"]

_SPATIAL = 3  # axes that the functions know; convolutions of fewer have axes of length 1
_MAX_PHASES = 64  # more than these, and zeros are cheaper
_TRANSFORM_MULTIPLICATIONS = 100  # multiplications for one element in one level of three Fourier transforms


class _Axis(NamedTuple):
    """A spatial axis of one phase: lengths of the image, the result and the kernel's part, the place of the first
    window, and what a step in the result and one in the kernel move along the image; where the phase's elements of
    the result and of the kernel are: the first and the step.
    """

    size: int
    count: int
    taps: int
    start: int
    stride: int
    spread: int
    out: tuple[int, int]
    kernel: tuple[int, int]


class _Problem(NamedTuple):
    """Strides of (batch, features, 3 spatial axes, group): `x` of the image, `w` of (outputs, features, ...)."""

    x_offset: int
    x: tuple[int, ...]
    w_offset: int
    w: tuple[int, ...]
    batch: int
    features: int
    outputs: int
    groups: int
    window: tuple[int, ...]


def _phases(n: int, m: int, k: int, stride: int, low: int, dilation: int, spread: int) -> list[_Axis]:
    """Output o and kernel element j meet the image at (o * stride - low + j * spread) / dilation, if that is whole:
    both go in steps, and one step of each moves on by a whole number.
    """
    o_step, k_step = dilation // gcd(dilation, stride), dilation // gcd(dilation, spread)
    found = []
    for o in range(min(o_step, m)):
        first = next((j for j in range(min(k_step, k)) if (o * stride - low + j * spread) % dilation == 0), k)
        start = (o * stride - low + first * spread) // dilation
        outs, taps = len(range(o, m, o_step)), len(range(first, k, k_step))
        moves = o_step * stride // dilation, k_step * spread // dilation
        found.append(_Axis(n, outs, taps, start, *moves, (o, o_step), (first, k_step)))
    return found


def _readable(graph, view: View) -> View:
    """Return a view of an array in memory."""
    return graph.copied(view) if view.base.kind == "iota" or view.base.size == 1 else view


def _rule(graph, operands, params, types):
    (x, w), dtype = operands, types[0].dtype
    lhs, rhs, out = params["dimension_numbers"]
    is_float = dtype.kind == "f" or dtype in NARROW
    if not is_float and any([v.base.dtype.kind not in "iub" for v in (x, w)]):
        return None
    if is_float:
        work = F32 if dtype in NARROW else dtype
    else:
        terms = prod([w.shape[i] for i in rhs[1:]])
        work = gemm_dtype(integers_in(x.base.dtype, w.base.dtype, dtype, terms))
    rank, feature_groups, batch_groups = len(lhs) - 2, params["feature_group_count"], params["batch_group_count"]
    if rank > _SPATIAL:
        return _with_fewer_axes(graph, x.transpose(lhs), w.transpose(rhs), params, types[0])
    x, w = x.transpose(lhs), w.transpose(rhs)
    sizes = tuple([types[0].shape[i] for i in out])
    if not prod(sizes) or not prod(x.shape) or not prod(w.shape):
        return [graph.number(0, dtype, types[0].shape)]
    windows = Sliding(
        w.shape[2:], params["window_strides"], params["padding"], params["lhs_dilation"], params["rhs_dilation"]
    )
    if is_float and work == F32 and _is_for_transforms(x, w, windows):
        return None
    x, w = _readable(graph, graph.converted(x, work)), _readable(graph, graph.converted(w, work))
    if is_float and rank == 1 and x.shape[1] == w.shape[0] == w.shape[1] == 1 and _is_plain(windows):
        (low, _), (n,), (taps,), count = windows.padding[0], x.shape[2:], w.shape[2:], sizes[2]
        routine = filter_routine(work, x.shape[0], n, taps, low, count)
        (result,) = graph.routine("filter", routine, [x, w], [Type((x.shape[0], 1, count), work)])
        return [lower_bits(graph, result.transpose([out.index(i) for i in range(3)]), dtype)]
    if prod([d // gcd(d, s) for d, s in zip(windows.base_dilation, windows.window_strides)]) > _MAX_PHASES:
        x, windows = _dilated(graph, x, windows)
    # The image's axes in their order in memory, outermost first.
    order = sorted(range(rank), key=lambda i: -abs(x.strides[i + 2]) if x.shape[i + 2] > 1 else -np.inf)
    groups = max(feature_groups, batch_groups)
    each = x.shape[0] // batch_groups
    fill = (0,) * (_SPATIAL - rank)
    strides_of = lambda v: (*v.strides[:2], *fill, *[v.strides[i + 2] for i in order])
    problem = _Problem(
        x.offset, (*strides_of(x), each * x.strides[0] if batch_groups > 1 else w.shape[1] * x.strides[1]),
        w.offset, (*strides_of(w), w.shape[0] // groups * w.strides[0]),
        each, w.shape[1], w.shape[0] // groups, groups, (*[1] * len(fill), *[w.shape[i + 2] for i in order]),
    )
    axes = [[_Axis(1, 1, 1, 0, 1, 1, (0, 1), (0, 1))]] * len(fill)
    for i in order:
        low, _ = windows.padding[i]
        geometry = windows.window_strides[i], low, windows.base_dilation[i], windows.window_dilation[i]
        axes.append(_phases(x.shape[i + 2], sizes[i + 2], w.shape[i + 2], *geometry))
    phases = list(product(*axes))
    places = (out[0], out[1], *[out[i + 2] for i in order])  # of the batch, features and spatial axes in the result
    if depthwise.pays(problem.groups, problem.outputs, VECTOR_BYTES // work.itemsize):
        return _by_vectors(graph, x, w, problem, phases, places, types[0], work)
    return _by_products(graph, x, w, problem, phases, places, types[0], work)


def _with_fewer_axes(graph, x: View, w: View, params, aval):
    """Along the first axes, the elements of windows become features, and the windows of an image several images."""
    n = len(x.shape) - 2 - _SPATIAL
    names = "window_strides", "padding", "lhs_dilation", "rhs_dilation"
    out, shape = params["dimension_numbers"][2], aval.shape
    first = Sliding(w.shape[2 : n + 2], *[params[name][:n] for name in names])
    rest = {name: params[name][n:] for name in names}
    batch, features, *counts = [shape[i] for i in out]
    if not prod(shape) or not prod(x.shape) or not prod(w.shape):
        return [graph.number(0, aval.dtype, shape)]
    dtype, none = x.base.dtype, [(0, 0, 0)]
    config = [(lo, hi, d - 1) for (lo, hi), d in zip(first.padding, first.base_dilation)]
    padded = Type((*x.shape[:2], *first.padded_shape(x.shape[2 : n + 2]), *x.shape[n + 2 :]), dtype)
    config = [*none * 2, *config, *none * _SPATIAL]
    (x,) = RULES["pad"](graph, [_readable(graph, x), graph.number(0, dtype)], dict(padding_config=config), [padded])
    own, last = x.strides[2 : n + 2], x.shape[n + 2 :]
    steps = [tuple([s * k for s, k in zip(own, by)]) for by in (first.window_strides, first.window_dilation)]
    windows = View(
        x.base, (x.shape[0], *counts[:n], x.shape[1], *first.window_dimensions, *last), x.offset,
        (x.strides[0], *steps[0], x.strides[1], *steps[1], *x.strides[n + 2 :]),
    )
    many, taps = prod(counts[:n]), prod(first.window_dimensions)
    images = graph.reshape(windows, (x.shape[0] * many, x.shape[1] * taps, *last))
    kernel = graph.reshape(w, (w.shape[0], w.shape[1] * taps, *w.shape[n + 2 :]))
    axes = tuple(range(_SPATIAL + 2))
    made = Type((batch * many, features, *counts[n:]), aval.dtype)
    found = _rule(graph, (images, kernel), params | rest | dict(dimension_numbers=(axes,) * 3), [made])
    if found is None:
        return None
    result = graph.reshape(found[0], (batch, *counts[:n], features, *counts[n:]))
    result = result.transpose([0, n + 1, *range(1, n + 1), *range(n + 2, len(shape))])
    return [result.transpose([out.index(i) for i in range(len(shape))])]


def _is_for_transforms(x: View, w: View, windows: Sliding) -> bool:
    """Return whether these are two sequences so long that the `evaluate` rule's Fourier transforms are faster."""
    if len(windows.padding) != 1 or prod(x.shape) != x.shape[-1] or prod(w.shape) != w.shape[-1]:
        return False
    n, k = windows.padded_shape(x.shape[2:])[0], w.shape[-1]
    return n >= k and (n - k + 1) * k >= _TRANSFORM_MULTIPLICATIONS * n * n.bit_length()


def _is_plain(windows: Sliding) -> bool:
    """Return whether windows move by one element, and nothing is left out."""
    steps = (*windows.window_strides, *windows.base_dilation, *windows.window_dilation)
    return set(steps) == {1} and all([n >= 0 for ends in windows.padding for n in ends])


def _dilated(graph, x: View, windows: Sliding) -> tuple[View, Sliding]:
    """Return the image with zeros between its elements, and the windows on it."""
    config = [(0, 0, 0)] * 2 + [(0, 0, d - 1) for d in windows.base_dilation]
    shape = (*x.shape[:2], *[(n - 1) * d + 1 for n, d in zip(x.shape[2:], windows.base_dilation)])
    dtype = x.base.dtype
    (x,) = RULES["pad"](graph, [x, graph.number(0, dtype)], {"padding_config": config}, [Type(shape, dtype)])
    return x, windows._replace(base_dilation=(1,) * len(windows.padding))


def _step(graph, routine: Routine, x: View, w: View, shape, order, aval, work) -> list[View]:
    """Run a routine whose result has the axes `order` of the result that is wanted."""
    (result,) = graph.step("routine", None, [graph.whole(x.base), graph.whole(w.base)], [Type(shape, work)])
    graph.items[-1].routine = routine
    turned = result.transpose([order.index(i) for i in range(len(order))])
    return [lower_bits(graph, turned, aval.dtype)]


# ---- products ------------------------------------------------------------------------------------


def _merged(digits) -> list[tuple[int, int]]:
    """Return (length, stride) pairs, outermost first, with those as one that continue each other."""
    out: list[tuple[int, int]] = []
    for n, stride in digits:
        if n == 1:
            continue
        if out and out[-1][1] == n * stride:
            out[-1] = (out[-1][0] * n, stride)
        else:
            out.append((n, stride))
    return out or [(1, 1)]


class _Order(NamedTuple):
    """The order in which windows are read: along rows or not, the factor, the batch as last digit of rows or not."""

    along_rows: bool
    runs_shared: bool
    right: bool
    batch_last: bool


def _by_products(graph, x, w, problem: _Problem, phases, places, aval, work):
    lanes = VECTOR_BYTES // work.itemsize
    p, last = problem, phases[0][-1]
    batch_at, feature_at, *spatial_at = places
    # Segments follow the features or the batch, whichever is contiguous, and runs the image's rows.
    is_large = prod([a.taps for a in phases[0]]) > prod([a.count for a in phases[0]])
    along_features = p.x[1] == 1 and p.features > 1
    along_batch = not along_features and p.x[0] == 1 and p.batch > 1
    if not along_features and not along_batch:
        along_batch = is_large and p.batch > 1
        along_features = not along_batch and p.features > 1
        if along_batch or along_features:
            x, p = _turned(graph, x, p, [a.size for a in phases[0]], along_features)
    along_rows = not along_features and not along_batch
    runs_shared = along_features or along_rows and last.taps > last.count
    right = (
        along_rows and not runs_shared and len(phases) == 1 and prod([a.count for a in phases[0]]) >= lanes
        and (p.outputs < lanes or feature_at != len(aval.shape) - 1)
    )
    others = [i for i in range(len(aval.shape)) if i != feature_at]
    batch_last = along_batch or runs_shared and others == [*spatial_at, batch_at]
    order = [*spatial_at, batch_at, feature_at] if batch_last else [batch_at, *spatial_at, feature_at]
    if right:
        order = [batch_at, feature_at, *spatial_at]
    shape = tuple([aval.shape[i] for i in order])
    strides = dict(zip(order, contiguous(shape)))
    fill = (0,) * (_SPATIAL - len(spatial_at))
    c = (strides[batch_at], strides[feature_at], *fill, *[strides[i] for i in spatial_at])
    how = _Order(along_rows, runs_shared, right, batch_last)
    tables = [_table(p, axes, c, how) for axes in phases if all([a.taps for a in axes])]
    packed = max([t["groups"] * t["k"] * t["pack_n"] for t in tables if t["pack_count"]], default=0)
    together = terms_together(prod(shape))
    is_long = work.kind == "f" and any([t["k"] > together for t in tables])
    for t in tables:
        t.update(sums=packed, total=prod(shape), together=together)
    clear = prod(shape) * work.itemsize if len(tables) < len(phases) or is_long else 0
    space = packed + 2 * is_long * prod(shape)
    words = tuple([tuple([t[name] for name in implicit.FIELDS]) for t in tables])
    function = "convolution" if along_rows else "indirect"
    has_zeros = along_rows or along_features  # in place of the padding, which is left out otherwise
    at_edges = () if has_zeros else _edge_tables(p, phases, c, work, w.base.size, prod(shape))
    routine = Routine("convolution", (work, function, at_edges, words, clear), space * work.itemsize)
    return _step(graph, routine, x, w, shape, order, aval, work)


def _turned(graph, x: View, p: _Problem, sizes, features_last: bool) -> tuple[View, _Problem]:
    """Return the image with its features, or its batch, contiguous."""
    batch, features, *axes, group = p.x
    outer, inner = ((p.batch, batch), (p.features, features))[:: 1 if features_last else -1]
    shape, strides = zip(outer, *zip(sizes, axes), (p.groups, group), inner)
    turned = graph.copied(View(x.base, shape, p.x_offset, strides))
    first, *axes, group, last = turned.strides
    ends = (first, last) if features_last else (last, first)
    return turned, p._replace(x_offset=0, x=(*ends, *axes, group))


def _table(p: _Problem, axes, c, how: _Order) -> dict[str, int]:
    """Return the `FIELDS` of one phase."""
    x_batch, x_feature, *x_axes, x_group = p.x
    w_output, w_feature, *w_axes, w_group = p.w
    out: dict[str, int] = dict.fromkeys(implicit.FIELDS, 0)

    def put(stem: str, values, first=1) -> None:
        out.update([(f"{stem}_{i}", v) for i, v in enumerate(values, first)])

    # The two axes of the matrix of windows: the length of the batch or of the features and its stride, the lengths
    # of the others and what a step moves along the image.
    rows = 1 if how.right else p.batch, x_batch, [a.count for a in axes], [a.stride for a in axes]
    shared = p.features, x_feature, [a.taps for a in axes], [a.spread for a in axes]
    run, line = (shared, rows) if how.runs_shared else (rows, shared)
    n, step, lengths, moves = run
    steps = [m * s for m, s in zip(moves, x_axes)]
    if how.along_rows:
        put("run", (n, *lengths[:2], 1), 0)
        out.update(units=lengths[2], unit=1, unit_move=moves[2], element=steps[2])
    else:
        put("run", (1, *lengths), 0)
        joins = step == 1 and steps[2] == n  # neighbours along the last axis continue the segment
        out.update(units=joins, unit=n, unit_move=1, element=step)
    put("run_step", (step, *steps), 0)
    put("run_move", moves)
    # The kernel's strides along the shared axis, in the order that it has or that needs the fewest pieces.
    feature = [(p.features, w_feature)]
    taps = [(a.taps, a.kernel[1] * s) for a, s in zip(axes, w_axes)]
    ways = [feature + taps, taps + feature]
    if how.runs_shared:
        ways = [ways[not how.along_rows]]
    elif not how.along_rows:
        ways = ways[:1]  # positions are the last digit: segments go along them
    way = min(ways, key=lambda d: len(_merged(d)))
    kernel = _merged(way)
    n, step, lengths, moves = line
    first = not how.batch_last if how.runs_shared else way[0] is feature[0]
    out.update(line_a=n if first else 1, line_b=1 if first else n, line_step=step)
    put("line", lengths)
    put("line_step", [m * s for m, s in zip(moves, x_axes)])
    put("line_move", moves)
    put("start", [a.start for a in axes])
    put("size", [a.size for a in axes])
    m, k = prod([rows[0], *rows[2]]), prod([p.features, *shared[2]])
    begin = p.x_offset + sum([a.start * s for a, s in zip(axes, x_axes)])
    out.update(
        k=k, windows_right=how.right, runs_shared=how.runs_shared, groups=p.groups, x=begin, x_group=x_group,
        w=p.w_offset + sum([a.kernel[0] * s for a, s in zip(axes, w_axes)]), c_group=p.outputs * c[1],
        c=sum([a.out[0] * s for a, s in zip(axes, c[2:])]),
    )
    if len(kernel) > 1 or not how.right and w_output != 1 != p.outputs:
        *outer, (depth, row) = kernel
        pieces = [(1, 0)] * (4 - len(outer)) + outer
        put("pack", [d for d, _ in pieces[1:]])
        put("pack_step", [s for _, s in pieces], 0)
        out.update(
            pack_depth=depth, pack_row=row, pack_column=w_output, pack_n=p.outputs, pack_count=k // depth,
            pack_group=w_group, w_row=p.outputs, w_column=1, w_group=k * p.outputs,
        )
    else:
        out.update(w_row=kernel[0][1], w_column=w_output if how.right else 1, w_group=w_group)
    if how.right:
        out.update(
            m=p.outputs, n=m, batches=p.batch * p.groups, x_batch=x_batch, c_batch=c[0], segment=p.outputs, c_row=c[1],
            c_b=c[1], row_b=p.outputs,
        )
        put("row", (1, 1, 1))
        return out
    batch, counts = (p.batch, c[0]), [(a.count, a.out[1] * s) for a, s in zip(axes, c[2:])]
    digits = [*counts, batch] if how.batch_last else [batch, *counts]
    segments = _merged(digits)
    out.update(
        m=m, n=p.outputs, batches=p.groups, segment=segments[-1][0], c_row=segments[-1][1], c_a=c[0], c_b=c[0],
        row_b=p.batch if how.batch_last else 1,
    )
    put("row", rows[2])
    put("c", [s for _, s in counts])
    return out


@writes("convolution")
def _(code: Code, addresses, dtype, function: str, at_edges, tables, clear: int):
    _call_tables(code, addresses, dtype, function, at_edges, tables, clear)


def _call_tables(code: Code, addresses, dtype, function: str, at_edges, tables, clear: int) -> None:
    """Write one call for each phase, and for its edges; what no phase writes is 0."""
    x, w, out, *workspace = addresses
    if clear:
        code.clear(out, clear)

    def call(function: str, table, *given: str) -> None:
        name = "@" + code.module.fresh("table")[1:]
        numbers = ", ".join([f"i64 {int(n)}" for n in table])
        code.module.functions.append(f"{name} = private constant [{len(table)} x i64] [{numbers}]")
        code.call_shared(f"adjoint_{LETTERS[dtype]}{function}", ", ".join([f"ptr {a}" for a in (name, *given)]))

    for table in tables:
        call(function, table, x, w, out, (workspace or ["null"])[0])
    for table in at_edges:
        call(edges.NAME, table, w, out)


def _meets_all(a: _Axis) -> bool:
    """Return whether each element of the kernel is inside the image in some window."""
    first = a.start + np.arange(a.taps) * a.spread
    skipped = np.maximum(-(first // a.stride), 0)
    return bool(((skipped < a.count) & (first + skipped * a.stride < a.size)).all())


def _edge_tables(p: _Problem, phases, c, work, total: int, result: int, c_group: int = 0) -> tuple:
    """Return the tables of the phases with windows that reach out of the image; `c` has the strides of the result."""
    found = []
    w_output, w_feature, *w_axes, w_group = p.w
    for axes in phases if work.kind == "f" else ():
        ends = [a.start + (a.count - 1) * a.stride + (a.taps - 1) * a.spread for a in axes]
        if not all([a.taps for a in axes]) or all([a.start >= 0 and end < a.size for a, end in zip(axes, ends)]):
            continue
        # Where each factor is inside in some window, what is special in the kernel is so in the result too.
        is_seen = result < total and all([_meets_all(a) for a in axes])
        out = dict(
            total=total, result=result if is_seen else 0,
            batch=p.batch, features=p.features, outputs=p.outputs, groups=p.groups,
            w=p.w_offset + sum([a.kernel[0] * s for a, s in zip(axes, w_axes)]),
            c=sum([a.out[0] * s for a, s in zip(axes, c[2:])]),
            w_feature=w_feature, w_output=w_output, w_group=w_group, c_batch=c[0], c_output=c[1],
            c_group=c_group or p.outputs * c[1],
        )
        for i, (a, w, s) in enumerate(zip(axes, w_axes, c[2:]), 1):
            names = "size count taps start stride spread w c".split()
            values = a.size, a.count, a.taps, a.start, a.stride, a.spread, w * a.kernel[1], s * a.out[1]
            out.update([(f"{name}_{i}", value) for name, value in zip(names, values)])
        found.append(tuple([out[name] for name in edges.FIELDS]))
    return tuple(found)


def operations(routine: Routine) -> int:
    """Return the operations of one call; multiplications with what is outside of the image count."""
    tables = routine.params[-2]
    if routine.name == "convolution":
        names, factors = implicit.FIELDS, ("m", "n", "k", "batches")
    else:
        names, factors = depthwise.FIELDS, ("rows", "features", "outputs", "groups", "taps_1", "taps_2", "taps_3")
    return 2 * sum([prod([table[names.index(name)] for name in factors]) for table in tables])


# ---- groups of few features ----------------------------------------------------------------------


def _by_vectors(graph, x, w, problem: _Problem, phases, places, aval, work):
    """Convolve with the groups as the last axis of everything."""
    p, (batch_at, feature_at, *spatial_at) = problem, places
    lanes = VECTOR_BYTES // work.itemsize
    if p.x[-1] != 1:
        sizes = [a.size for a in phases[0]]
        turned = graph.copied(View(x.base, (p.batch, *sizes, p.features, p.groups), p.x_offset, _grouped(p.x)))
        x, (n, *steps, c, g) = turned, turned.strides
        p = p._replace(x_offset=0, x=(n, c, *steps, g))
    outputs, features, *taps, group = p.w
    kernel = View(w.base, (*p.window, p.features, p.outputs, p.groups), p.w_offset, (*taps, features, outputs, group))
    if not (kernel.is_whole and kernel.size == kernel.base.size):
        kernel = graph.copied(kernel)
    order = [batch_at, *spatial_at]
    shape = (*[aval.shape[i] for i in order], p.outputs, p.groups)
    n, *steps, output, _ = contiguous(shape)
    c = n, output, *[0] * (_SPATIAL - len(spatial_at)), *steps
    kernel_strides = contiguous(kernel.shape)
    tables = []
    for axes in phases:
        if all([a.taps for a in axes]):
            tables.append(_vector_table(p, axes, c, kernel_strides, lanes))
    clear = prod(shape) * work.itemsize if len(tables) < len(phases) else 0
    *taps, w_feature, w_output, w_group = kernel_strides
    at_edges = _edge_tables(
        p._replace(w=(w_output, w_feature, *taps, w_group), w_offset=0), phases, c, work, kernel.size, prod(shape), 1
    )
    routine = Routine("grouped_convolution", (work, at_edges, tuple(tables), clear))
    (result,) = graph.step("routine", None, [graph.whole(x.base), graph.whole(kernel.base)], [Type(shape, work)])
    graph.items[-1].routine = routine
    last = len(shape) - 1
    result = graph.reshape(result.transpose([*range(last - 1), last, last - 1]), (*shape[:-2], shape[-1] * shape[-2]))
    order.append(feature_at)
    return [lower_bits(graph, result.transpose([order.index(i) for i in range(len(order))]), aval.dtype)]


def _grouped(strides):
    batch, feature, *axes, group = strides
    return (batch, *axes, feature, group)


def _vector_table(p: _Problem, axes, c, kernel_strides, lanes: int) -> tuple[int, ...]:
    out: dict[str, int] = {}
    *w_axes, w_feature, w_output, _ = kernel_strides
    x_batch, x_feature, *x_axes, _ = p.x
    for i, (a, x, w, s) in enumerate(zip(axes, x_axes, w_axes, c[2:]), 1):
        values = dict(
            size=a.size, count=a.count, taps=a.taps, start=a.start, stride=a.stride, spread=a.spread, x=x,
            w=w * a.kernel[1], c=s * a.out[1],
        )
        out.update([(f"{name}_{i}", v) for name, v in values.items()])
    steps = prod([a.taps for a in axes]) * p.features * p.outputs * -(-p.groups // lanes)
    rows = p.batch * prod([a.count for a in axes])
    out.update(
        rows=rows, chunk=max(1, depthwise.CHUNK // steps), features=p.features, outputs=p.outputs, groups=p.groups,
        x=p.x_offset, w=sum([a.kernel[0] * s for a, s in zip(axes, w_axes)]),
        c=sum([a.out[0] * s for a, s in zip(axes, c[2:])]), x_batch=x_batch, x_feature=x_feature,
        w_feature=w_feature, w_output=w_output, c_batch=c[0], c_output=c[1],
    )
    return tuple([out[name] for name in depthwise.FIELDS])


@writes("grouped_convolution")
def _(code: Code, addresses, dtype, at_edges, tables, clear: int):
    _call_tables(code, addresses, dtype, "depthwise", at_edges, tables, clear)


register({"conv_general_dilated": _rule})
