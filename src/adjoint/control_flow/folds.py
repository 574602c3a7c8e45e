"""Reductions by a program of the user: `reduce`, `reduce_window` and `select_and_scatter`.

The program combines two elements, or two tuples of them. It is never run element by element: `vmap`'s
trace applies it to whole arrays. Whatever the primitives cannot be transformed into themselves for, they
are unrolled for, by `fold_axes` and `fold_windows` (the taps of the windows combined one after the other).

Elements are combined in one order on every engine: rows of up to `BLOCK_ROWS` one after the other, from the
initial values on, then what these gave in the same way (`fold_blocks`). It is XLA's on CPUs.

Tests: `tests/lax/test_windows.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from math import prod

import numpy as np

from ..array.array import as_array
from ..core.jaxpr import ClosedJaxpr
from ..core.primitive import Primitive
from ..core.trace import Tracer, current, eval_jaxpr, stage, stage_closed, state
from ..core.tree.tree import tree_flatten, tree_unflatten
from ..core.types import ShapedArray, aval_of
from ..core.values.zeros import Zero
from ..engines.numpy import eval_trace
from ..prims.arithmetic import add, mul
from ..prims.logic import ge
from ..prims.shape import (
    broadcast_in_dim,
    check_axes,
    concatenate,
    full,
    materialise_batch,
    reshape,
    squeeze,
    stack,
    unstack,
)
from ..prims.slicing import pad, slice_
from ..prims.sliding import BLOCK_ROWS, Sliding, blocks_of, padded
from ..prims.windows import check_windows, tap_slice, with_padding, without_pads
from ..sharding import rules
from ..transforms.jvp import instantiate, jvp_flat
from ..transforms.linearize import LinearizeTrace
from ..transforms.programs import jvp_program
from ..transforms.vmap import Axis, batch_flat

__all__ = ["combination", "fold_axes", "fold_windows", "reduce_p", "reduce_window_p", "select_and_scatter_p"]


# ---- the user's computation ---------------------------------------------------------------------


def combination(computation: Callable, tree, inits, api: str, strict: bool = False):
    """(the program of two tuples of elements, whether it closes over tracers).

    The elements have the types of the initial values. With `strict` the result must have the structure
    of the operands; otherwise only as many leaves.
    """
    n = len(inits)

    def run(*elements):
        left, right = tree_unflatten(tree, elements[:n]), tree_unflatten(tree, elements[n:])
        out, out_tree = tree_flatten(computation(left, right))
        if strict and out_tree != tree:
            raise ValueError(
                f"{api} output must have the same tree structure as the operands {tree} vs. {out_tree}"
            )
        if len(out) != n:
            raise TypeError(
                f"{api}: the computation must return a tree like its arguments, {tree}, got {out_tree}."
            )
        return out

    avals = [aval_of(i) for i in inits]
    jaxpr, consts = stage(run, [*avals, *avals])
    for aval, out in zip(avals, jaxpr.out_avals):
        if (aval.shape, aval.dtype) != (out.shape, out.dtype):
            raise TypeError(
                f"{api}: the computation must return elements of the types that it is given, "
                f"{aval.str_short(True)}, got {out.str_short(True)}."
            )
    return ClosedJaxpr(jaxpr, consts), any(isinstance(c, Tracer) for c in consts)


def elementwise(program: ClosedJaxpr, arrays) -> list:
    """Return a program of scalars applied to each element of arrays of equal shape."""
    run = lambda *xs: eval_jaxpr(program.jaxpr, program.consts, *xs)
    for n in reversed(aval_of(arrays[0]).shape):
        run = _mapped(run, n)
    return run(*arrays)


def _mapped(fun, n: int):
    def mapped(*xs):
        pairs = batch_flat(fun, Axis(None, n), xs, [0] * len(xs))
        return [materialise_batch(x, d, n) for x, d in pairs]

    return mapped


def elementwise_now(program: ClosedJaxpr, buffers) -> list[np.ndarray]:
    """Return a program of scalars applied to NumPy buffers of one shape, at once."""
    shape = buffers[0].shape
    flat = [as_array(np.ascontiguousarray(b).reshape(-1)) for b in buffers]
    with current(eval_trace):
        outs = elementwise(program, flat)
    return [np.asarray(x._buffer).reshape(shape) for x in outs]


# ---- folding, unrolled --------------------------------------------------------------------------


def fold_axes(xs, inits, program: ClosedJaxpr, axes, with_init: bool = False) -> list:
    """Return arrays reduced over `axes`: in blocks, from the initial values on.

    JAX parity: where a reduction is differentiated it is by halves, and the initial values only pad odd lengths, as
    neutral elements may. `with_init` is for any others.
    """
    shape = aval_of(xs[0]).shape
    kept = [i for i in range(len(shape)) if i not in axes]
    rest, order = tuple([shape[i] for i in kept]), (*axes, *kept)
    plain = order == tuple(range(len(shape)))
    sizes = (prod([shape[i] for i in axes]), *rest)
    if not plain or sizes != shape:
        order = None if plain else order
        xs = [reshape(x, new_sizes=sizes, dimensions=order, sharding=None) for x in xs]
    if not sizes[0]:
        return [_spread(i, rest) for i in inits]
    if with_init and sizes[0] > 1:
        return fold_blocks(xs, inits, partial(elementwise, program), _Traced)
    while (n := aval_of(xs[0]).shape[0]) > 1:
        half = (n + 1) // 2
        low, high = ([_part(x, *ends) for x in xs] for ends in ((0, half), (half, n)))
        if n % 2:
            config = [(0, int(i == 0), 0) for i in range(len(sizes))]
            high = [pad(x, i, padding_config=tuple(config)) for x, i in zip(high, inits)]
        xs = elementwise(program, [*low, *high])
    return [squeeze(x, dimensions=(0,)) for x in xs]


def fold_blocks(xs, inits, combine: Callable, rows, is_long: bool = True) -> list:
    """Rows, the first axis of `xs`, combined: without `is_long` one after the other, and else block by block.

    Args:
      xs: arrays of one shape, not empty.
      inits: an initial value for each.
      combine: arrays, the left ones and the right ones -> arrays.
      rows: the functions of rows, `_Traced` or `_Buffers`.
      is_long: whether there are blocks.
    """
    while is_long and (n := rows.count(xs[0])) > BLOCK_ROWS:
        blocks, missing = blocks_of(n)
        starts = [rows.spread(i, x, blocks) for i, x in zip(inits, xs)]
        so_far = starts
        for k in range(BLOCK_ROWS):
            first, last = int(k < missing), blocks - int((blocks - 1) * BLOCK_ROWS + k - missing >= n)
            begin = first * BLOCK_ROWS + k - missing
            taken = [rows.every(x, begin, begin + (last - first - 1) * BLOCK_ROWS + 1) for x in xs]
            made = combine([*[rows.part(s, first, last) for s in so_far], *taken])
            so_far = [
                rows.joined([rows.part(s, 0, first), m, rows.part(s, last, blocks)]) for s, m in zip(so_far, made)
            ]
        xs = so_far
    so_far = [rows.spread(i, x, 1) for i, x in zip(inits, xs)]
    for k in range(rows.count(xs[0])):
        so_far = combine([*so_far, *[rows.part(x, k, k + 1) for x in xs]])
    return [rows.only(s) for s in so_far]


class _Traced:
    """Rows of arrays or tracers."""

    count = staticmethod(lambda x: aval_of(x).shape[0])
    spread = staticmethod(lambda i, x, n: _spread(i, (n, *aval_of(x).shape[1:])))
    part = staticmethod(lambda x, start, stop: _part(x, start, stop))
    every = staticmethod(lambda x, start, stop: _part(x, start, stop, BLOCK_ROWS))
    only = staticmethod(lambda x: squeeze(x, dimensions=(0,)))

    @staticmethod
    def joined(parts):
        parts = [x for x in parts if aval_of(x).shape[0]]
        return concatenate(*parts, dimension=0) if len(parts) > 1 else parts[0]


class _Buffers:
    """Rows of NumPy buffers."""

    count = staticmethod(len)
    spread = staticmethod(lambda i, x, n: np.full((n, *x.shape[1:]), i, x.dtype))
    part = staticmethod(lambda x, start, stop: x[start:stop])
    every = staticmethod(lambda x, start, stop: x[start:stop:BLOCK_ROWS])
    joined = staticmethod(np.concatenate)
    only = staticmethod(lambda x: x[0])


def _spread(x, shape):
    return broadcast_in_dim(x, shape=shape, broadcast_dimensions=(), sharding=None)


def _part(x, start, stop, step=1):
    """Rows of `x`."""
    _, *rest = aval_of(x).shape
    return slice_(
        x, start_indices=(start, *[0] * len(rest)), limit_indices=(stop, *rest),
        strides=(step, *[1] * len(rest)),
    )


def fold_windows(xs, inits, program: ClosedJaxpr, windows: Sliding) -> list:
    """Return the elements of each window combined, from the initial values on; JAX parity: a scalar is its own window.
    """
    if not windows.window_dimensions:
        return xs
    counts = windows.counts(aval_of(xs[0]).shape)
    out = [_spread(i, counts) for i in inits]
    if 0 in counts:
        return out
    if windows.has_pads:
        program, is_inside = without_pads(program), full(aval_of(xs[0]).shape, True, np.dtype(np.bool_))
        xs, inits, out = [*xs, is_inside], [*inits, np.False_], [*out, full(counts, False, np.dtype(np.bool_))]
    parts = [with_padding(x, i, windows) for x, i in zip(xs, inits)]
    for at in product(*map(range, windows.window_dimensions)):
        out = elementwise(program, [*out, *[tap_slice(x, at, counts, windows) for x in parts]])
    return out[:-1] if windows.has_pads else out


# ---- reduce -------------------------------------------------------------------------------------

reduce_p = Primitive("reduce", multiple_results=True, program=True)
reduce_p.sharding(rules.reduced("dimensions"))
reduce_p.joins = True


def _halves(args):
    """Return operands and initial values."""
    n = len(args) // 2
    return list(args[:n]), list(args[n:])


@reduce_p.type
def _(*avals, computation, dimensions, jaxpr):
    xs, inits = _halves(avals)
    kept = check_axes("reduce", xs[0], dimensions)
    return [ShapedArray(kept, x.dtype, i.weak_type and x.weak_type) for x, i in zip(xs, inits)]


@reduce_p.evaluate
def _(*buffers, computation, dimensions, jaxpr):
    xs, inits = _halves(buffers)
    full_shape = xs[0].shape
    kept = [i for i in range(xs[0].ndim) if i not in dimensions]
    shape = tuple([xs[0].shape[i] for i in kept])
    count = prod([xs[0].shape[i] for i in dimensions])
    xs = [x.transpose(*dimensions, *kept).reshape(count, *shape) for x in xs]
    if not count:
        return [np.broadcast_to(i, shape) for i in inits]
    if count == 1:  # JAX parity: a single element is the result, whatever the initial value is
        return [x[0] for x in xs]
    is_long = any([full_shape[i] > BLOCK_ROWS for i in dimensions])
    return fold_blocks(xs, inits, partial(elementwise_now, jaxpr), _Buffers, is_long)


@reduce_p.jvp
def _(primals, tangents, *, computation, dimensions, jaxpr):
    n = len(primals) // 2
    with_init = any(type(t) is not Zero for t in tangents[n:])
    run = lambda *args: fold_axes(*_halves(args), jaxpr, dimensions, with_init)
    return jvp_flat(run, primals, tangents)


@reduce_p.batch_axis
def _(axis, args, dims, params):
    (xs, inits), (x_dims, init_dims) = _halves(args), _halves(dims)
    if any(d is not None for d in init_dims):  # each element starts from a value of its own
        run = lambda *a: fold_axes(*_halves(a), params["jaxpr"], params["dimensions"], True)
        return tuple(zip(*batch_flat(run, axis, args, dims)))
    xs = [materialise_batch(x, d, axis.size) for x, d in zip(xs, x_dims)]
    inner = tuple([a + 1 for a in params["dimensions"]])
    return reduce_p.bind(*xs, *inits, **params | {"dimensions": inner}), [0] * len(xs)


# ---- reduce_window ------------------------------------------------------------------------------

reduce_window_p = Primitive("reduce_window", multiple_results=True, program=True)
reduce_window_p.sharding(rules.windowed)
reduce_window_p.joins = True


@reduce_window_p.type
def _(*avals, jaxpr, consts, **params):
    xs, _ = _halves(avals)
    counts = check_windows("reduce_window", xs[0].shape, Sliding(**params))
    return [ShapedArray(counts, x.dtype) for x in xs]


@reduce_window_p.evaluate
def _(*buffers, jaxpr, consts, **params):
    xs, inits = _halves(buffers)
    windows = Sliding(**params)
    if not xs[0].ndim:
        return xs
    counts = windows.counts(xs[0].shape)
    out = [np.full(counts, i, x.dtype) for i, x in zip(inits, xs)]
    if 0 in counts:
        return out
    if windows.has_pads:
        jaxpr, is_inside = without_pads(jaxpr), np.ones(xs[0].shape, np.bool_)
        xs, inits, out = [*xs, is_inside], [*inits, np.False_], [*out, np.zeros(counts, np.bool_)]
    xs = [windows.pad(x, i) for x, i in zip(xs, inits)]
    for taps in zip(*[windows.taps(x, counts) for x in xs]):
        out = elementwise_now(jaxpr, [*out, *taps])
    return out[:-1] if windows.has_pads else out


@reduce_window_p.jvp
def _(primals, tangents, *, jaxpr, consts, **params):
    (xs, inits), (ts, init_ts) = _halves(primals), _halves(tangents)
    n = len(xs)
    if any(type(t) is not Zero for t in init_ts):
        run = lambda *args: fold_windows(*_halves(args), jaxpr, Sliding(**params))
        return jvp_flat(run, primals, tangents)
    smooth = [a.to_tangent_aval() is a for a in map(aval_of, xs)]
    derived, _ = jvp_program(jaxpr, tuple(smooth * 2), tuple(smooth))
    # Elements of the derived program: those of one side with their tangents, then those of the other.
    at = [i for i, s in enumerate(smooth) if s]
    program = _sides(derived, n, len(at))
    zeros = [full((), 0, aval_of(i).dtype) for i, s in zip(inits, smooth) if s]
    out = reduce_window_p.bind(
        *xs, *[instantiate(ts[i]) for i in at], *inits, *map(_literal, zeros),
        jaxpr=program, consts=(), **params,
    )
    found = dict(zip(at, out[n:]))
    avals = [aval_of(x).to_tangent_aval() for x in out[:n]]
    return out[:n], [found.get(i, Zero(a)) for i, a in enumerate(avals)]


def _literal(x):
    """Return a constant of rank 0 as a scalar, which jaxprs show in place."""
    return x._buffer[()] if hasattr(x, "_buffer") else x


def _sides(derived: ClosedJaxpr, n: int, m: int) -> ClosedJaxpr:
    """Return the program of (left, right, left tangents, right tangents) with each side's tangents beside it."""
    left, right, left_t, right_t = (
        derived.jaxpr.invars[i:j]
        for i, j in ((0, n), (n, 2 * n), (2 * n, 2 * n + m), (2 * n + m, None))
    )
    return ClosedJaxpr(
        derived.jaxpr.replace(invars=[*left, *left_t, *right, *right_t]), derived.consts
    )


@reduce_window_p.linearize
def _(tape, primals, tangents, params):
    params = dict(params)
    program, _ = params.pop("jaxpr"), params.pop("consts")
    trace = LinearizeTrace(state.trace, tape)
    with current(trace):
        args = [trace.tracer(x, t) for x, t in zip(primals, tangents)]
        outs = fold_windows(*_halves(args), program, Sliding(**params))
    pairs = [trace.split(x) for x in outs]
    trace.active = False
    return [x for x, _ in pairs], [t for _, t in pairs]


@reduce_window_p.batch_axis
def _(axis, args, dims, params):
    (xs, inits), (x_dims, init_dims) = _halves(args), _halves(dims)
    params = dict(params)
    program, consts = params.pop("jaxpr"), params.pop("consts")
    windows = Sliding(**params)
    if any(d is not None for d in init_dims):
        run = lambda *a: fold_windows(*_halves(a), program, windows)
        return tuple(zip(*batch_flat(run, axis, args, dims)))
    xs = [materialise_batch(x, d, axis.size) for x, d in zip(xs, x_dims)]
    out = reduce_window_p.bind(
        *xs, *inits, jaxpr=program, consts=consts, **windows.inserted(0)._asdict()
    )
    return out, [0] * len(xs)


# ---- select_and_scatter -------------------------------------------------------------------------

select_and_scatter_p = Primitive("select_and_scatter", program=True)
select_and_scatter_p.joins = True


def _windows(window_dimensions, window_strides, padding) -> Sliding:
    ones = (1,) * len(window_dimensions)
    return Sliding(window_dimensions, window_strides, padding, ones, ones)


@select_and_scatter_p.type
def _(x, source, init, *, select_jaxpr, select_consts, scatter_jaxpr, scatter_consts, **params):
    counts = check_windows("select_and_scatter", x.shape, _windows(**params))
    if source.shape != counts:
        raise TypeError(
            "select_and_scatter source must have one element for each window, "
            f"{counts}, got {source.shape}."
        )
    return ShapedArray(x.shape, x.dtype)


@select_and_scatter_p.evaluate
def _(x, source, init, *, select_jaxpr, select_consts, scatter_jaxpr, scatter_consts, **params):
    windows = _windows(**params)
    counts = source.shape
    out = windows.pad(np.full_like(x, init), init)
    out = out.copy() if out is x else out
    if source.size:
        best, winner = None, np.zeros(counts, np.int32)
        inside = windows.pad(np.ones(x.shape, np.bool_), False)  # padding never wins
        values = windows.pad(x, init)
        held = None
        for k, (candidate, here) in enumerate(
            zip(windows.taps(values, counts), windows.taps(inside, counts))
        ):
            if best is None:
                best, held = candidate.copy(), here.copy()
                continue
            (keeps,) = elementwise_now(select_jaxpr, [best, candidate])
            wins = here & ~(keeps & held)
            np.copyto(best, candidate, where=wins)
            winner[wins] = k
            held |= here
        for k, target in enumerate(windows.taps(out, counts)):
            (combined,) = elementwise_now(scatter_jaxpr, [source, target])
            np.copyto(target, combined, where=winner == k)
    back = tuple([(-lo, -hi) for lo, hi in windows.padding])
    return padded(out, back, windows.base_dilation, init)


@select_and_scatter_p.batch
def _(args, dims, **params):
    size = next(a.shape[i] for a, i in zip(args, dims) if i is not None)
    if dims[2] is not None:  # each element starts from a value of its own
        rows = zip(*[unstack(materialise_batch(a, i, size), axis=0) for a, i in zip(args, dims)])
        return stack(*[select_and_scatter_p.bind(*row, **params) for row in rows], axis=0), 0
    x, source = (materialise_batch(a, i, size) for a, i in zip(args[:2], dims))
    windows = _windows(*[params[f] for f in Sliding._fields[:3]]).inserted(0)
    fields = dict(zip(Sliding._fields[:3], windows))
    return select_and_scatter_p.bind(x, source, args[2], **params | fields), 0


# ---- examples -----------------------------------------------------------------------------------


def _examples():
    f32 = np.dtype("float32")
    scalar = ShapedArray((), f32)
    total, times, wins = (
        stage_closed(lambda x, y, p=p: [p(x, y)], [scalar, scalar]) for p in (add, mul, ge)
    )
    for shape, axes in ((3, 2), (0,)), ((2, 3), (1, 0)), ((2, 3), ()), ((0, 2), (0,)):
        params = dict(computation=add, dimensions=axes, jaxpr=total)
        reduce_p.examples((ShapedArray(shape, f32), np.zeros((), f32), params))
    windows = Sliding((2, 2), (1, 2), ((1, 0), (0, 1)), (1, 1), (2, 1))
    for shape, one, program in ((3, 4), 1, times), ((3, 4), 0, total), ((0, 4), 1, times):
        params = dict(jaxpr=program, consts=(), **windows._asdict())
        reduce_window_p.examples((ShapedArray(shape, f32), np.full((), one, f32), params))
    fields = dict(window_dimensions=(2,), window_strides=(1,), padding=((1, 0),))
    params = dict(select_jaxpr=wins, select_consts=(), scatter_jaxpr=total, scatter_consts=(), **fields)
    x = ShapedArray((4,), f32)
    select_and_scatter_p.examples((x, x, np.zeros((), f32), params))


_examples()
