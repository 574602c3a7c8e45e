"""`scatter` and its kin: combine windows of an array with updates at a list of places.

One family: `scatter` (set), `scatter-add`, `-sub`, `-mul`, `-min` and `-max` differ in the function
that combines an element with an update. The dimension numbers are those of a gather seen from the
other side. With several updates of one element, `scatter` keeps the last and the others combine
all.

Every evaluation comes down to `_update(table, positions, rows)`: the operand as a table whose rows
are what the positions index. The transpose of a gather is a scatter-add and the reverse.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import NamedTuple

import numpy as np

from ..array.array import as_array
from ..core.jaxpr import Literal
from ..core.primitive import Primitive, is_undefined_primal
from ..core.trace import stage
from ..core.types import ShapedArray, Zero, aval_of
from .arithmetic import add, div, max_, min_, mul, neg, sub
from .family import add_any, like
from .gather import (
    GatherDimensionNumbers,
    GatherScatterMode,
    Windows,
    check_batching,
    check_increasing,
    check_index_map,
    gather,
    up,
)
from .logic import eq, select_n
from .shape import batch_to_front, full, instantiated, inverse, iota, materialise_batch, reshape
from .summation import added_at

__all__ = [
    "ScatterDimensionNumbers", "combiner", "scatter", "scatter_add", "scatter_max", "scatter_min",
    "scatter_mul", "scatter_sub",
]

_f32, _i32 = np.dtype("float32"), np.dtype("int32")
_CLIP, _FILL = GatherScatterMode.CLIP, GatherScatterMode.FILL_OR_DROP


class ScatterDimensionNumbers(NamedTuple):
    """The axes of operand, indices and updates that belong together in a `scatter`.

    Args:
      update_window_dims: axes of the updates that are the window, ascending.
      inserted_window_dims: operand axes of window length 1 that the updates do not have.
      scatter_dims_to_operand_dims: for each entry of an index, the operand axis that it indexes.
      operand_batching_dims: operand axes that go together with axes of the indices.
      scatter_indices_batching_dims: those axes of the indices, in the same order.
    """

    update_window_dims: tuple[int, ...]
    inserted_window_dims: tuple[int, ...]
    scatter_dims_to_operand_dims: tuple[int, ...]
    operand_batching_dims: tuple[int, ...] = ()
    scatter_indices_batching_dims: tuple[int, ...] = ()


# ---- types --------------------------------------------------------------------------------------


def _type(name, x, indices, updates, *, dimension_numbers, **_):
    window, inserted, index_map, batching, indices_batching = dimension_numbers
    if indices.dtype.kind not in "iu":
        raise ValueError("indices must have an integer type")
    if not indices.ndim:
        raise TypeError(
            "Scatter index leaf dimension must be within [0, rank(indices) + 1). rank(indices) is "
            "0 and scatter index leaf dimension is -1."
        )
    rank = indices.ndim - 1 + len(window)
    if updates.ndim != rank:
        raise TypeError(f"Updates tensor must be of rank {rank}; got {updates.ndim}.")
    if x.dtype != updates.dtype:
        raise TypeError(
            f"lax.{name} requires arguments to have the same dtypes, got {x.dtype.name}, "
            f"{updates.dtype.name}."
        )
    check_increasing("Scatter", "update_window_dims", window)
    check_increasing("Scatter", "inserted_window_dims", inserted)
    for what, axes, n in ("update", window, rank), ("inserted", inserted, x.ndim):
        for d in axes:
            if not 0 <= d < n:
                raise TypeError(
                    f"Invalid {what}_window_dims set in scatter op; valid range is [0, {n}); got: "
                    f"{d}."
                )
    check_batching("Scatter", x, indices, batching, indices_batching, inserted, index_map)
    size = len(window) + len(inserted) + len(batching)
    if size != x.ndim:
        raise TypeError(
            f"Scatter op has window of size {size}; doesn't match operand of rank {x.ndim}."
        )
    check_index_map("Scatter", "scatter_dims_to_operand_dims", index_map, x, indices, "")
    kept = [d for d in range(x.ndim) if d not in inserted and d not in batching]
    for d, a in zip(window, kept):
        if updates.shape[d] > x.shape[a]:
            raise TypeError(
                "Bounds of the window dimensions of updates must not exceed the bounds of the "
                f"corresponding dimensions of operand. For dimension {d}, updates bound is "
                f"{updates.shape[d]}, operand bound is {x.shape[a]}."
            )
    scatter_dims = [d for d in range(rank) if d not in window]
    for d, n in zip(scatter_dims, indices.shape):
        if updates.shape[d] != n:
            raise TypeError(
                "Bounds of the scatter dimensions of updates must be the same as the bounds of the "
                f"corresponding dimensions of scatter indices. For scatter dimension {d}, updates "
                f"bound is {updates.shape[d]}, indices bound is {n}."
            )
    return x


def _window_sizes(x_shape, updates_shape, numbers) -> tuple[int, ...]:
    """The length of a window along each operand axis."""
    window = iter(numbers.update_window_dims)
    without = numbers.inserted_window_dims + numbers.operand_batching_dims
    return tuple([1 if a in without else updates_shape[next(window)] for a in range(len(x_shape))])


# ---- evaluation ---------------------------------------------------------------------------------


@lru_cache(4096)
def _scatter_windows(shape, index_shape, updates_shape, numbers) -> Windows:
    _, inserted, index_map, batching, indices_batching = numbers
    sizes = _window_sizes(shape, updates_shape, numbers)
    return Windows(shape, index_shape[:-1], sizes, inserted, index_map, batching, indices_batching)


def _evaluate(combine, x, indices, updates, *, dimension_numbers, mode, unique_indices, **_):
    """`combine` is a binary ufunc, or None to replace, or a function of an element to apply."""
    if not x.size:
        return np.array(x)  # there is nowhere to clip an index to
    numbers = dimension_numbers
    w = _scatter_windows(x.shape, indices.shape, updates.shape, numbers)
    valid = None if mode is _CLIP else w.valid(indices)
    if w.is_single and not numbers.operand_batching_dims:
        out = np.array(x)
        if valid is None:
            window = w.window(indices)
            old = out[(*window, ...)]
            new = updates.reshape(w.sizes)
            if combine is None:
                out[window] = new
            elif isinstance(combine, np.ufunc):
                combine(old, new, out=old, casting="unsafe")
            else:
                out[window] = combine(old)
        return out

    # The indexed axes first, as the rows of a table.
    indexed = [a for a, *_ in w.indexed]
    others = [a for a in range(x.ndim) if a not in indexed]
    moved = np.array(x.transpose(indexed + others), order="C")
    lengths = moved.shape[: len(indexed)]
    at, rows = _rows(indices, updates, w, numbers, lengths, valid)
    if w.cut is None:
        width = prod(moved.shape[len(indexed) :])
        table = moved.reshape(prod(lengths), width)
        _update(combine, table, at, rows.reshape(len(at), width), unique_indices)
    else:
        table = moved.reshape(prod(lengths), *moved.shape[len(indexed) :])
        table = table[(slice(None), *[w.cut[a] for a in others])]
        _combine_at(combine, table, at, rows)
    if indexed + others == list(range(x.ndim)):
        return moved
    return np.ascontiguousarray(moved.transpose(inverse(indexed + others)))


def _rows(indices, updates, w: Windows, numbers, lengths, valid):
    """Positions (n,) in the table, and the updates (n, *window) that go there."""
    axis_of = dict(zip(w.window_axes, numbers.update_window_dims))
    batch = [d for d in range(updates.ndim) if d not in numbers.update_window_dims]
    rest = [axis_of[a] for a in w.window_axes if a not in w.partial]
    updates = updates.transpose(batch + [axis_of[a] for a in w.partial] + rest)
    places = w.batch_shape + tuple([w.sizes[a] for a in w.partial])
    indexed = [a for a, *_ in w.indexed]  # of these, axes of length 1 in the window vanish here
    window = tuple([n for a, n in enumerate(w.sizes) if a not in indexed])
    updates = updates.reshape(places + window)
    at = w.linear(indices, lengths)
    at = np.zeros(places, np.intp) if at is None else np.broadcast_to(at, places)
    if valid is not None:
        at, updates = at[valid], updates[valid]
    return at.reshape(-1), updates.reshape(at.size, *window)


_COLUMNS = 16  # rows this short are combined a column at a time,
_ROWS = 384  # rows this long a row at a time, and those between an element at a time


def _update(combine, table, at, rows, unique):
    """Combine `rows` into `table`, both of two axes, at the row numbers `at`."""
    if combine is None:
        table[at] = rows
    elif not isinstance(combine, np.ufunc):
        _apply_at(combine, table, at)
    elif unique:
        table[at] = combine(table[at], rows)
    elif added_at(combine, table, at, rows):
        pass
    elif (width := table.shape[1]) <= _COLUMNS:
        for j in range(width):
            combine.at(table[:, j], at, rows[:, j])
    elif width >= _ROWS:
        for i, row in zip(at.tolist(), rows):
            target = table[i]
            combine(target, row, out=target, casting="unsafe")
    else:
        elements = (at[:, None] * width + np.arange(width)).reshape(-1)
        combine.at(table.reshape(-1), elements, rows.reshape(-1))


def _combine_at(combine, table, at, rows):
    """Update a table of any form as `_update` does."""
    if combine is None:
        table[at] = rows
    elif isinstance(combine, np.ufunc):
        if not added_at(combine, table, at, rows):
            combine.at(table, at, rows)
    else:
        _apply_at(combine, table, at)


def _apply_at(apply, table, at):
    """Apply a function to each row as often as it is named."""
    at, counts = np.unique(at, return_counts=True)
    while len(at):
        table[at] = apply(table[at])
        counts = counts - 1
        at, counts = at[counts > 0], counts[counts > 0]


# ---- the family ---------------------------------------------------------------------------------

_operations: dict[str, Primitive] = {}  # how a scatter combines an element with an update


def _family(name: str, ufunc, operation=None) -> Primitive:
    """A scatter that combines with `ufunc`, which is what the primitive `operation` means."""
    p = Primitive(name)
    title = name.replace("-", "_")
    if operation is not None:
        _operations[name] = operation
    p.type(lambda *avals, **params: _type(title, *avals, **params))
    p.evaluate(lambda *args, **params: _evaluate(ufunc, *args, **params))
    p.batch(lambda args, dims, **params: _batch(p, args, dims, **params))
    return p


@lru_cache(1024)
def combiner(p: Primitive, dtype):
    """The program of an element and an update that is the parameter `update_jaxpr` of `p`."""
    operation = _operations[p.name]
    scalar = ShapedArray((), dtype)
    jaxpr, _ = stage(lambda x, y: [operation(x, y)], [scalar, scalar])
    return jaxpr


def _batch(p, args, dims, *, dimension_numbers, **params):
    (x, indices, updates), (d, indices_d, updates_d) = args, dims
    n = dimension_numbers
    size = next(a.shape[i] for a, i in zip(args, dims) if i is not None)
    x, updates = materialise_batch(x, d, size), materialise_batch(updates, updates_d, size)
    if indices_d is None:
        numbers = ScatterDimensionNumbers(
            (0, *up(n.update_window_dims)),
            up(n.inserted_window_dims),
            up(n.scatter_dims_to_operand_dims),
            up(n.operand_batching_dims),
            n.scatter_indices_batching_dims,
        )
    else:
        indices = batch_to_front(indices, indices_d)
        numbers = ScatterDimensionNumbers(
            up(n.update_window_dims),
            up(n.inserted_window_dims),
            up(n.scatter_dims_to_operand_dims),
            (0, *up(n.operand_batching_dims)),
            (0, *up(n.scatter_indices_batching_dims)),
        )
    return p(x, indices, updates, dimension_numbers=numbers, **params), 0


def _gathered(x, indices, updates_shape, params, fill_value=None):
    """The windows of `x` that a scatter with these parameters writes to."""
    mode = GatherScatterMode.PROMISE_IN_BOUNDS if fill_value is None else params["mode"]
    numbers = params["dimension_numbers"]
    return gather(
        x,
        indices,
        dimension_numbers=GatherDimensionNumbers(*numbers),
        slice_sizes=_window_sizes(aval_of(x).shape, updates_shape, numbers),
        unique_indices=False,
        indices_are_sorted=False,
        mode=mode,
        fill_value=fill_value if mode is _FILL else None,
    )


def _shape(x):
    return (x.aval if is_undefined_primal(x) else aval_of(x)).shape


def _added(x, indices, updates, params):
    """scatter-add with the numbers, mode and promises of another scatter."""
    dtype = aval_of(updates).dtype
    params = {**params, "update_jaxpr": combiner(scatter_add, dtype), "update_consts": ()}
    return scatter_add(x, indices, updates, **params)


# ---- add and sub --------------------------------------------------------------------------------

scatter_add = _family("scatter-add", np.add, add)
scatter_sub = _family("scatter-sub", np.subtract, sub)


def _linear(p):
    """The derivatives of a scatter that is linear in operand and updates."""

    @p.jvp
    def _(primals, tangents, **params):
        x, indices, updates = primals
        t, _, t_updates = tangents
        out = p(x, indices, updates, **params)
        if type(t) is Zero and type(t_updates) is Zero:
            return out, Zero.from_primal_value(out)
        return out, p(instantiated(t), indices, instantiated(t_updates), **params)

    @p.transpose
    def _(ct, x, indices, updates, **params):
        ct_updates = None
        if is_undefined_primal(updates):
            ct_updates = _gathered(ct, indices, updates.aval.shape, params, 0)
            ct_updates = neg(ct_updates) if p is scatter_sub else ct_updates
        return [ct if is_undefined_primal(x) else None, None, ct_updates]


_linear(scatter_add)
_linear(scatter_sub)


# ---- mul ----------------------------------------------------------------------------------------

scatter_mul = _family("scatter-mul", np.multiply, mul)


@scatter_mul.jvp
def _(primals, tangents, **params):
    x, indices, updates = primals
    t, _, t_updates = tangents
    out = scatter_mul(x, indices, updates, **params)
    total = None
    if type(t) is not Zero:
        total = scatter_mul(t, indices, updates, **params)
    if type(t_updates) is not Zero:
        if not params["unique_indices"]:
            raise NotImplementedError(
                "scatter_mul gradients are only implemented if `unique_indices=True`"
            )
        aval = aval_of(x)
        term = mul(x, _added(full(aval.shape, 0, aval.dtype), indices, t_updates, params))
        total = term if total is None else add_any(total, term)
    return out, Zero.from_primal_value(out) if total is None else total


@scatter_mul.transpose
def _(ct, x, indices, updates, **params):
    if is_undefined_primal(x):
        return [scatter_mul(ct, indices, updates, **params), None, None]
    if not params["unique_indices"]:
        raise NotImplementedError(
            "scatter_mul gradients are only implemented if `unique_indices=True`"
        )
    return [None, None, _gathered(mul(ct, x), indices, updates.aval.shape, params, 0)]


# ---- min and max --------------------------------------------------------------------------------

scatter_min = _family("scatter-min", np.minimum, min_)
scatter_max = _family("scatter-max", np.maximum, max_)


def _extremum(p):
    """The derivative of an extremum: those who share it get equal parts of the tangent."""

    @p.jvp
    def _(primals, tangents, **params):
        x, indices, updates = primals
        t, _, t_updates = tangents
        out = p(x, indices, updates, **params)
        if type(t) is Zero and type(t_updates) is Zero:
            return out, Zero.from_primal_value(out)
        t, t_updates = instantiated(t), instantiated(t_updates)
        aval, updates_shape = aval_of(x), aval_of(updates).shape
        zeros_x = full(aval.shape, 0, aval.dtype)
        zeros, ones = full(updates_shape, 0, aval.dtype), full(updates_shape, 1, aval.dtype)
        one = like(x, 1)

        def here(values):  # at the place of each update
            return _gathered(values, indices, updates_shape, params)

        def total(values):  # over the updates of the same element
            return here(_added(zeros_x, indices, values, params))

        winner = here(out)
        is_update, is_operand = eq(updates, winner), eq(here(x), winner)
        sharing = total(select_n(is_update, zeros, ones))
        named = total(ones)
        from_update = select_n(is_operand, div(one, sharing), div(one, add(sharing, one)))
        from_update = select_n(is_update, zeros, from_update)
        # The operand's part less the 1 that it has in the sum below, shared by the element's
        # updates.
        from_operand = select_n(is_operand, zeros, div(one, add(sharing, one)))
        from_operand = div(add(like(x, -1), from_operand), named)
        change = add(mul(here(t), from_operand), mul(t_updates, from_update))
        return out, _added(t, indices, change, params)


_extremum(scatter_min)
_extremum(scatter_max)


# ---- set and apply ------------------------------------------------------------------------------

scatter = _family("scatter", None)


@scatter.evaluate
def _(*args, update_jaxpr, update_consts, **params):
    apply = None if update_jaxpr is None else _mapped(update_jaxpr, update_consts)
    return _evaluate(apply, *args, **params)


class _Axis(NamedTuple):
    name: None
    size: int


def _mapped(jaxpr, consts):
    """A program of scalars as a function of an array, by the batch rules of its primitives."""

    def apply(x):
        axis = _Axis(None, x.size)
        env = dict.fromkeys(jaxpr.invars, (as_array(x.reshape(-1)), 0))
        env.update(zip(jaxpr.constvars, [(c, None) for c in consts]))
        read = lambda v: (v.operand, None) if type(v) is Literal else env[v]
        for eqn in jaxpr.eqns:
            p, params = eqn.primitive, eqn.params
            vals, dims = map(list, zip(*map(read, eqn.invars))) if eqn.invars else ([], [])
            if all(d is None for d in dims):
                outs, dims = p.bind(*vals, **params), None
            elif p.batch_axis_rule is not None:
                outs, dims = p.batch_axis_rule(axis, vals, dims, params)
            else:
                outs, dims = p.batch_rule(vals, dims, **params)
            if not p.multiple_results:
                outs, dims = [outs], [dims]
            elif type(dims) is not list:
                dims = [dims] * len(outs)
            env.update(zip(eqn.outvars, zip(outs, dims)))
        out, d = read(jaxpr.outvars[0])
        out = materialise_batch(out, d, x.size)
        return out._value.reshape(x.shape)

    return apply


@scatter.jvp
def _(primals, tangents, *, update_jaxpr, **params):
    if update_jaxpr is not None:
        raise NotImplementedError("scatter_apply JVP not implemented")
    x, indices, updates = primals
    t, _, t_updates = tangents
    params["update_jaxpr"] = None
    out = scatter(x, indices, updates, **params)
    if type(t) is Zero and type(t_updates) is Zero:
        return out, Zero.from_primal_value(out)
    t, t_updates = instantiated(t), instantiated(t_updates)
    if params["unique_indices"]:
        return out, scatter(t, indices, t_updates, **params)

    # Which of several updates of an element remains is up to the engine: number them, scatter the
    # numbers, and let through the tangents of those that are found again. The others, and what they
    # overwrote, are 0.
    u32 = np.dtype("uint32")
    shape, updates_shape = aval_of(x).shape, aval_of(updates).shape
    window = params["dimension_numbers"].update_window_dims
    scatter_shape = tuple([1 if d in window else n for d, n in enumerate(updates_shape)])
    ids = iota(dtype=u32, shape=(prod(scatter_shape),), dimension=0, sharding=None)
    ids = reshape(ids, new_sizes=scatter_shape, dimensions=None, sharding=None)
    ids = add(ids, full(updates_shape, 1, u32))
    scattered = scatter(full(shape, 0, u32), indices, ids, **params)
    gathered = _gathered(scattered, indices, updates_shape, params)
    t = select_n(eq(scattered, full(shape, 0, u32)), full(shape, 0, t.dtype), t)
    t_updates = select_n(eq(ids, gathered), full(updates_shape, 0, t.dtype), t_updates)
    return out, _added(t, indices, t_updates, params)


@scatter.transpose
def _(ct, x, indices, updates, *, update_jaxpr, **params):
    if update_jaxpr is not None or not params["unique_indices"]:
        raise NotImplementedError("scatter transpose is only implemented where unique_indices=True")
    ct_x = ct_updates = None
    if is_undefined_primal(x):
        zeros = full(_shape(updates), 0, ct.dtype)
        ct_x = scatter(ct, indices, zeros, update_jaxpr=None, **params)
    if is_undefined_primal(updates):
        ct_updates = _gathered(ct, indices, updates.aval.shape, params, 0)
    return [ct_x, None, ct_updates]


def _examples(p, unique):
    """Rows, columns, elements, one window, windows, a batch, nothing: all in and out of bounds."""
    cases = [
        ((3, 4), [[0], [2]], (2, 4), ((1,), (0,), (0,))),
        ((3, 4), [[1], [7]], (2, 4), ((1,), (0,), (0,))),
        ((3, 4), [[0], [2]], (3, 2), ((0,), (1,), (1,))),
        ((3, 4), [[0, 1], [2, 3]], (2,), ((), (0, 1), (0, 1))),
        ((3, 4), [1], (4,), ((0,), (0,), (0,))),
        ((5, 4), [[0, 1], [3, 0]], (2, 2, 3), ((1, 2), (), (0, 1))),
        ((2, 3, 4), [[[0]], [[2]]], (2, 1, 4), ((2,), (1,), (1,), (0,), (0,))),
        ((3, 4), np.zeros((0, 1)), (0, 4), ((1,), (0,), (0,))),
    ]
    if not unique:
        cases.append(((3, 4), [[1], [1], [0]], (3, 4), ((1,), (0,), (0,))))
    for shape, indices, updates, numbers in cases:
        for mode in _CLIP, _FILL:
            params = dict(
                dimension_numbers=ScatterDimensionNumbers(*numbers),
                indices_are_sorted=False,
                unique_indices=unique,
                mode=mode,
                update_jaxpr=combiner(p, _f32) if p.name in _operations else None,
                update_consts=(),
            )
            indices = np.array(indices, np.int32)
            yield ShapedArray(shape, _f32), indices, ShapedArray(updates, _f32), params


for _p in scatter, scatter_mul:
    _p.examples(*_examples(_p, unique=True))
for _p in scatter_add, scatter_sub, scatter_min, scatter_max:
    _p.examples(*_examples(_p, unique=False))
