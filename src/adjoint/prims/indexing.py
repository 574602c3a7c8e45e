"""`gather`, windows of an array at a list of places, in the general form of XLA, and `scatter` and its kin.

`start_indices[..., k]` is where a window begins along operand axis `start_index_map[k]`. The batch
axes of the result are those of the indices but the last; the axes of the window that are not
collapsed stand at `offset_dims`. An operand axis in `operand_batching_dims` goes together with an
axis of the indices instead of being indexed.

The scatters combine windows of an array with updates: `scatter` (set), `scatter-add`, `-sub`, `-mul`, `-min` and
`-max` differ in the function that combines an element with an update. Their dimension numbers are those of a gather
seen from the other side. With several updates of one element, `scatter` keeps the last and the others combine all.
The transpose of a gather is a scatter-add and the reverse. How buffers are read and written is in
`indexed_windows.py`.
"""

from __future__ import annotations

from math import prod

import numpy as np

from ..array.array import as_array
from ..core.jaxpr import Jaxpr, JaxprEqn, Literal, Var
from ..core.messages.errors import message
from ..core.primitive import Primitive, is_undefined_primal
from ..core.process.memo import memoized
from ..core.process.records import NamedTuple
from ..core.types import ShapedArray, aval_of
from ..core.values.zeros import Zero
from ..sharding import rules, sums
from .arithmetic import add, div, max_, min_, mul, neg, sub
from .family import add_any, jointly_linear, like
from .indexed_windows import (
    GatherDimensionNumbers,
    GatherScatterMode,
    ScatterDimensionNumbers,
    read_windows,
    window_sizes,
    write_windows,
)
from .logic import eq, select_n
from .shape import batch_to_front, full, instantiated, iota, materialise_batch, reshape

__all__ = [
    "combiner", "gather", "scatter", "scatter_add", "scatter_max", "scatter_min", "scatter_mul", "scatter_sub",
]

_f32, _i32 = np.dtype("float32"), np.dtype("int32")
_CLIP, _FILL = GatherScatterMode.CLIP, GatherScatterMode.FILL_OR_DROP


# ---- checks and axes -----------------------------------------------------------------------------


def _check_increasing(op, name, axes) -> None:
    if any(a >= b for a, b in zip(axes, axes[1:])):
        what = f"not repeat; got: {axes}." if list(axes) == sorted(axes) else f"be sorted; got {axes}"
        raise TypeError(f"{name} in {op.lower()} op must {what}")


def _check_index_map(op, name, index_map, x, indices, end) -> None:
    """Check that each entry of an index goes to an operand axis of its own."""
    if len(index_map) != indices.shape[-1]:
        raise TypeError(
            f"{op} op has {len(index_map)} elements in {name} and the bound of dimension "
            f"index_vector_dim={indices.ndim - 1} of indices is {indices.shape[-1]}. These two "
            f"numbers must be equal{end}"
        )
    for i, d in enumerate(index_map):
        if not 0 <= d < x.ndim:
            kind = "" if op == "Gather" else " mapping"
            raise TypeError(f"Invalid {name}{kind}; domain is [0, {x.ndim}), got: {i}->{d}.")
    if len(set(index_map)) != len(index_map):
        raise TypeError(f"{name} in {op.lower()} op must not repeat; got: {index_map}.")


def _check_batching(op, x, indices, batching, indices_batching, collapsed, index_map) -> None:
    """Batching axes are in pairs of equal length and are not used otherwise."""
    indices_name = "start_indices_batching_dims" if op == "Gather" else "scatter_indices_batching_dims"
    if len(batching) != len(indices_batching):
        raise TypeError(
            f"{op} op requires equal numbers of operand_batching_dims and {indices_name}, got {batching} and "
            f"{indices_batching}."
        )
    used = (("collapsed_slice_dims", "start_index_map") if op == "Gather" else
            ("inserted_window_dims", "scatter_dims_to_operand_dims"))
    for name, dims in zip(used, (collapsed, index_map)):
        if set(batching) & set(dims):
            raise TypeError(
                f"{name} and operand_batching_dims in {op.lower()} op must be disjoint; got: {dims} and {batching}."
            )
    if any(
        not 0 <= j < indices.ndim - 1 or x.shape[d] != indices.shape[j]
        for d, j in zip(batching, indices_batching)
    ):
        raise TypeError(
            f"{op} op requires the operand's and the indices' batching dims to go in pairs of "
            f"equal length; got {batching} of shape {x.shape} and {indices_batching} of shape "
            f"{indices.shape}."
        )


def _up(axes) -> tuple[int, ...]:
    """Axes after a new one was put in front."""
    return tuple([a + 1 for a in axes])


# ---- gather -------------------------------------------------------------------------------------

gather = Primitive("gather")
gather.exact("biufc")
gather.sharding(rules.gathered)
gather.sums(sums.in_first)


@gather.type
def _(x, indices, *, dimension_numbers, slice_sizes, mode, **_):
    offset, collapsed, start_map, batching, indices_batching = dimension_numbers
    if indices.dtype.kind not in "iu":
        raise ValueError(message("indices must have an integer type", fix="indices.astype(int)"))
    if not indices.ndim:
        raise TypeError(
            "Gather index leaf dimension must be within [0, rank(indices) + 1). rank(indices) is 0 "
            "and gather index leaf dimension is -1."
        )
    _check_increasing("Gather", "offset_dims", offset)
    _check_increasing("Gather", "collapsed_slice_dims", collapsed)
    rank = len(offset) + indices.ndim - 1
    for i, d in enumerate(offset):
        if not 0 <= d < rank:
            raise TypeError(
                f"Offset dimension {i} in gather op is out of bounds; got {d}, but should have "
                f"been in [0, {rank})"
            )
    _check_index_map("Gather", "start_index_map", start_map, x, indices, ".")
    for name, axes in ("collapsed_slice_dims", collapsed), ("operand_batching_dims", batching):
        for d in axes:
            if not 0 <= d < x.ndim:
                raise TypeError(
                    f"Invalid {name} set in gather op; valid range is [0, {x.ndim}); got: {d}."
                )
    _check_batching("Gather", x, indices, batching, indices_batching, collapsed, start_map)
    if len(slice_sizes) != x.ndim:
        raise TypeError(
            "Gather op must have one slice size for every input dimension; got: "
            f"len(slice_sizes)={len(slice_sizes)}, input_shape.rank={x.ndim}"
        )
    if len(slice_sizes) != len(offset) + len(collapsed) + len(batching):
        raise TypeError(
            "All components of the offset index in a gather op must either be a offset dimension "
            f"or explicitly collapsed/batching; got len(slice_sizes)={len(slice_sizes)}, "
            f"output_slice_sizes={offset}, collapsed_slice_dims={collapsed}, "
            f"operand_batching_dims={batching}."
        )
    for i, (size, n) in enumerate(zip(slice_sizes, x.shape)):
        if not 0 <= size <= n:
            raise TypeError(
                f"Slice size at index {i} in gather op is out of range, must be within [0, {n} + "
                f"1), got {size}."
            )
    for what, axes in ("collapse slice", collapsed), ("have operand batching", batching):
        for i, d in enumerate(axes):
            if slice_sizes[d] != (1 if axes is collapsed else min(1, x.shape[d])):
                raise TypeError(
                    f"Gather op can only {what} dims with bound 1, but bound is {slice_sizes[d]} "
                    f"for index {d} at position {i}."
                )
    without = collapsed + batching
    window = iter([n for d, n in enumerate(slice_sizes) if d not in without])
    batch = iter(indices.shape)
    shape = tuple([next(window) if d in offset else next(batch) for d in range(rank)])
    return ShapedArray(shape, x.dtype, x.weak_type)


gather.evaluate(read_windows)


@gather.jvp
def _(primals, tangents, *, fill_value, **params):
    x, indices = primals
    out = gather(x, indices, fill_value=fill_value, **params)
    if type(tangents[0]) is Zero:
        return out, Zero.from_primal_value(out)
    fill_value = 0 if params["mode"] is _FILL else None
    return out, gather(tangents[0], indices, fill_value=fill_value, **params)


@gather.transpose
def _(
    ct, x, indices, *, dimension_numbers, slice_sizes, unique_indices, indices_are_sorted, mode,
    fill_value,
):
    return [
        scatter_add(
            full(x.aval.shape, 0, x.aval.dtype),
            indices,
            ct,
            dimension_numbers=ScatterDimensionNumbers(*dimension_numbers),
            indices_are_sorted=indices_are_sorted,
            unique_indices=unique_indices,
            mode=mode,
            update_jaxpr=combiner(scatter_add, x.aval.dtype),
            update_consts=(),
        ),
        None,
    ]


@gather.batch
def _(args, dims, *, dimension_numbers, slice_sizes, unique_indices, indices_are_sorted, **params):
    (x, indices), (d, indices_d) = args, dims
    n = dimension_numbers
    if indices_d is None:
        x = batch_to_front(x, d)
        numbers = GatherDimensionNumbers(
            (0, *_up(n.offset_dims)),
            _up(n.collapsed_slice_dims),
            _up(n.start_index_map),
            _up(n.operand_batching_dims),
            n.start_indices_batching_dims,
        )
        slice_sizes = (x.shape[0], *slice_sizes)
    else:
        indices = batch_to_front(indices, indices_d)
        if d is None:
            numbers = n._replace(
                offset_dims=_up(n.offset_dims),
                start_indices_batching_dims=_up(n.start_indices_batching_dims),
            )
            unique_indices = indices_are_sorted = False
        else:
            x = materialise_batch(x, d, indices.shape[0])
            numbers = GatherDimensionNumbers(
                _up(n.offset_dims),
                _up(n.collapsed_slice_dims),
                _up(n.start_index_map),
                (0, *_up(n.operand_batching_dims)),
                (0, *_up(n.start_indices_batching_dims)),
            )
            slice_sizes = (min(1, x.shape[0]), *slice_sizes)  # of no calls there is not even one
    out = gather(
        x,
        indices,
        dimension_numbers=numbers,
        slice_sizes=slice_sizes,
        unique_indices=unique_indices,
        indices_are_sorted=indices_are_sorted,
        **params,
    )
    return out, 0


def _example(x, indices, numbers, sizes, mode=GatherScatterMode.CLIP, fill_value=None, dtype=_f32):
    params = dict(
        dimension_numbers=GatherDimensionNumbers(*numbers),
        slice_sizes=sizes,
        unique_indices=False,
        indices_are_sorted=False,
        mode=mode,
        fill_value=fill_value,
    )
    return ShapedArray(x, dtype), np.array(indices, np.int32), params


gather.examples(
    _example((3, 4), [[0], [2], [0]], ((1,), (0,), (0,)), (1, 4)),  # rows
    _example((3, 4), [[5], [-1]], ((1,), (0,), (0,)), (1, 4)),
    _example((3, 4), [[5], [1]], ((1,), (0,), (0,)), (1, 4), _FILL, 0),
    _example((3, 4), [[5], [1]], ((1,), (0,), (0,)), (1, 4), _FILL, dtype=_i32),
    _example((3, 4), [[0], [2]], ((0,), (1,), (1,)), (3, 1)),  # columns
    _example((3, 4), [[0, 1], [2, 3]], ((), (0, 1), (0, 1)), (1, 1)),  # elements
    _example((3, 4), [1], ((0,), (0,), (0,)), (1, 4)),  # one row
    _example((5, 4), [[0, 1], [9, 1]], ((1, 2), (), (0, 1)), (2, 3)),  # windows
    _example((5, 4), [[0, 1], [9, 1]], ((1, 2), (), (1, 0)), (2, 3), _FILL, 0),
    _example((2, 3, 4), [[0, 2], [1, 1]], ((1,), (0, 2), (0, 2)), (1, 3, 1)),  # axes apart
    _example((2, 3, 4), [[[0], [2]], [[1], [1]]], ((2,), (1,), (1,), (0,), (0,)), (1, 1, 4)),
    _example((3, 4), np.zeros((2, 0)), ((1, 2), (), ()), (2, 4)),  # no index at all
    _example((3, 4), np.zeros((0, 1)), ((1,), (0,), (0,)), (1, 4)),
)


# ---- the scatters ---------------------------------------------------------------------------------

def _scatter_type(name, x, indices, updates, *, dimension_numbers, **_):
    window, inserted, index_map, batching, indices_batching = dimension_numbers
    if indices.dtype.kind not in "iu":
        raise ValueError(message("indices must have an integer type", fix="indices.astype(int)"))
    if not indices.ndim:
        raise TypeError(
            "Scatter index leaf dimension must be within [0, rank(indices) + 1). rank(indices) is "
            "0 and scatter index leaf dimension is -1."
        )
    rank = indices.ndim - 1 + len(window)
    if updates.ndim != rank:
        raise TypeError(
            message(
                f"Updates tensor must be of rank {rank}; got {updates.ndim}.",
                why=f"Indices of shape {indices.shape} say {indices.ndim - 1} axes, update_window_dims {len(window)}.",
                fix="x.at[indices].set(values), which finds the dimension numbers itself",
            )
        )
    if x.dtype != updates.dtype:
        raise TypeError(
            f"lax.{name} requires arguments to have the same dtypes, got {x.dtype.name}, "
            f"{updates.dtype.name}."
        )
    _check_increasing("Scatter", "update_window_dims", window)
    _check_increasing("Scatter", "inserted_window_dims", inserted)
    for what, axes, n in ("update", window, rank), ("inserted", inserted, x.ndim):
        for d in axes:
            if not 0 <= d < n:
                raise TypeError(
                    f"Invalid {what}_window_dims set in scatter op; valid range is [0, {n}); got: "
                    f"{d}."
                )
    _check_batching("Scatter", x, indices, batching, indices_batching, inserted, index_map)
    size = len(window) + len(inserted) + len(batching)
    if size != x.ndim:
        raise TypeError(
            f"Scatter op has window of size {size}; doesn't match operand of rank {x.ndim}."
        )
    _check_index_map("Scatter", "scatter_dims_to_operand_dims", index_map, x, indices, "")
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


def _family(name: str, ufunc, operation=None) -> Primitive:
    """Return a scatter that combines with `ufunc`, which is what the primitive `operation` means."""
    p = Primitive(name)
    p.sharding(rules.scattered)
    p.sums(sums.in_first)
    title = name.replace("-", "_")
    p.combines(operation)
    p.type(lambda *avals, **params: _scatter_type(title, *avals, **params))
    p.evaluate(lambda *args, **params: write_windows(ufunc, *args, **params))
    p.batch(lambda args, dims, **params: _batch_scatter(p, args, dims, **params))
    return p


@memoized(1024)
def combiner(p: Primitive, dtype):
    """Return the program of an element and an update that is the parameter `update_jaxpr` of `p`."""
    operation, scalar = p.combines_rule, ShapedArray((), dtype)
    out_aval = operation.type_rule(scalar, scalar)  # not `infer`: a remembered type means that an operation ran
    x, y, out = Var(scalar), Var(scalar), Var(out_aval)
    return Jaxpr([], [x, y], [out], [JaxprEqn([x, y], [out], operation, {})])


def _batch_scatter(p, args, dims, *, dimension_numbers, **params):
    (x, indices, updates), (d, indices_d, updates_d) = args, dims
    n = dimension_numbers
    size = next(a.shape[i] for a, i in zip(args, dims) if i is not None)
    x, updates = materialise_batch(x, d, size), materialise_batch(updates, updates_d, size)
    if indices_d is None:
        numbers = ScatterDimensionNumbers(
            (0, *_up(n.update_window_dims)),
            _up(n.inserted_window_dims),
            _up(n.scatter_dims_to_operand_dims),
            _up(n.operand_batching_dims),
            n.scatter_indices_batching_dims,
        )
    else:
        indices = batch_to_front(indices, indices_d)
        numbers = ScatterDimensionNumbers(
            _up(n.update_window_dims),
            _up(n.inserted_window_dims),
            _up(n.scatter_dims_to_operand_dims),
            (0, *_up(n.operand_batching_dims)),
            (0, *_up(n.scatter_indices_batching_dims)),
        )
    return p(x, indices, updates, dimension_numbers=numbers, **params), 0


def _gathered(x, indices, updates_shape, params, fill_value=None):
    """Return the windows of `x` that a scatter with these parameters writes to."""
    mode = GatherScatterMode.PROMISE_IN_BOUNDS if fill_value is None else params["mode"]
    numbers = params["dimension_numbers"]
    return gather(
        x,
        indices,
        dimension_numbers=GatherDimensionNumbers(*numbers),
        slice_sizes=window_sizes(aval_of(x).shape, updates_shape, numbers),
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
scatter_add.exact("biu")
scatter_sub = _family("scatter-sub", np.subtract, sub)


def _linear(p):
    """Give a scatter that is linear in operand and updates its derivatives."""
    jointly_linear(p, 0, 2)

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


def _check_unique(params: dict) -> None:
    if not params["unique_indices"]:
        raise NotImplementedError(message(
            "scatter_mul gradients are only implemented if `unique_indices=True`",
            why="The derivative by a factor is the product of the others that meet it at the same place.",
            fix="x.at[idx].multiply(y, unique_indices=True) if no place occurs twice in idx",
        ))


@scatter_mul.jvp
def _(primals, tangents, **params):
    x, indices, updates = primals
    t, _, t_updates = tangents
    out = scatter_mul(x, indices, updates, **params)
    total = None
    if type(t) is not Zero:
        total = scatter_mul(t, indices, updates, **params)
    if type(t_updates) is not Zero:
        _check_unique(params)
        aval = aval_of(x)
        term = mul(x, _added(full(aval.shape, 0, aval.dtype, aval.weak_type), indices, t_updates, params))
        total = term if total is None else add_any(total, term)
    return out, Zero.from_primal_value(out) if total is None else total


@scatter_mul.transpose
def _(ct, x, indices, updates, **params):
    if is_undefined_primal(x):
        return [scatter_mul(ct, indices, updates, **params), None, None]
    _check_unique(params)
    return [None, None, _gathered(mul(ct, x), indices, updates.aval.shape, params, 0)]


# ---- min and max --------------------------------------------------------------------------------

scatter_min = _family("scatter-min", np.minimum, min_)
scatter_max = _family("scatter-max", np.maximum, max_)


def _extremum(p):
    """The derivative of an extremum: the elements that share it get equal parts of the tangent."""

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
scatter.exact("biuf")


@scatter.evaluate
def _(*args, update_jaxpr, update_consts, **params):
    apply = None if update_jaxpr is None else _mapped(update_jaxpr, update_consts)
    return write_windows(apply, *args, **params)


class _Axis(NamedTuple):
    name: None
    size: int


def _mapped(jaxpr, consts):
    """Return a program of scalars as a function of an array, by the batch rules of its primitives."""

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
    if type(t) is Zero and type(t_updates) is Zero:
        out = scatter(x, indices, updates, **params)
        return out, Zero.from_primal_value(out)
    t, t_updates = instantiated(t), instantiated(t_updates)
    out = scatter(x, indices, updates, **params)
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
                update_jaxpr=combiner(p, _f32) if p.combines_rule is not None else None,
                update_consts=(),
            )
            indices = np.array(indices, np.int32)
            yield ShapedArray(shape, _f32), indices, ShapedArray(updates, _f32), params


for _p in scatter, scatter_mul:
    _p.examples(*_examples(_p, unique=True))
for _p in scatter_add, scatter_sub, scatter_min, scatter_max:
    _p.examples(*_examples(_p, unique=False))
