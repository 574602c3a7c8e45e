"""Collectives: primitives that combine values along named axes, or exchange them.

Under `vmap(axis_name="i")` the batch rule of a collective turns it into ordinary operations: the
named axis is there, as the batch axis. `psum`, `pmax` and `pmin` take positions beside names, so a
batched reduction is the same primitive with the name replaced by a position.

Tests: `tests/lax/test_parallel.py`.
"""

from __future__ import annotations

from contextlib import contextmanager
from math import prod

import numpy as np

from ..core import dtypes
from ..core.messages.errors import message
from ..core.options.config import local
from ..core.placement import BranchingAxis, ManualAxis, checked_axes_of
from ..core.primitive import Primitive
from ..core.trace import Tracer, state
from ..core.types import ShapedArray, aval_of
from ..sharding import rules
from ..sharding.explicit import sums_of, with_sums
from .arithmetic import add, max_, min_, mul
from .conversion import convert_element_type
from .domains import ANY, NUMBERS, check_dtype, highest, lowest
from .family import like
from .indexed_windows import GatherDimensionNumbers, GatherScatterMode
from .indexing import gather
from .logic import eq, select_n
from .reduction import extremum, extremum_jvp
from .shape import (
    broadcast_in_dim,
    check_axes,
    full,
    iota,
    materialise_batch,
    move_axis,
    reduce_sum,
    reshape,
    squeeze,
)
from .slicing import dynamic_slice
from .summation import accumulated, total

__all__ = [
    "align_varying", "all_gather", "all_gather_invariant", "all_to_all", "axis_index", "axis_size", "branching",
    "branching_axes", "checked_axes",
    "group_axes", "index_along", "pmax", "pmin", "ppermute", "psum", "psum_invariant", "pvary", "pvary_to",
    "reduce_scatter", "summed", "varying_like",
]


# ---- names --------------------------------------------------------------------------------------


def axis_size(name, caller: str | None = None) -> int:
    """Return the length of the named axis in scope; NameError if there is none."""
    for found, size in reversed(state.axis_env):
        if found == name:
            return size
    raise unbound(name, caller)


def unbound(name, caller: str | None) -> NameError:
    """Return the error for a name that no mapped axis has."""
    known = ", ".join(repr(n) for n, _ in state.axis_env)
    return NameError(
        message(
            f"Found an unbound axis name: {name}. To fix this, please call {caller} under `jax.shard_map`."
            if caller else f"unbound axis name: {name}",  # JAX parity: which of the two
            why=f"A collective needs a mapped axis of that name. The named axes in scope are: {known or 'none'}.",
            fix=f"vmap(f, axis_name={name!r}), or shard_map over a mesh with that axis",
        )
    )


def _names(axes) -> frozenset:
    return frozenset([a for a in axes if not isinstance(a, int)])


def collective(name: str, parameter: str) -> Primitive:
    """Return a primitive whose parameter `parameter` holds the names of the axes it works along."""
    p = Primitive(name)

    @p.axes
    def _(params):
        axes = params[parameter]
        return _names(axes if isinstance(axes, tuple) else (axes,))

    return p


def _reordered(x, sources):
    """Return `x` with the parts along its first axis taken from `sources`; zeros for a source out of range."""
    return gather(
        x,
        np.array(sources, np.int32)[:, None] if isinstance(sources, list) else sources,
        dimension_numbers=GatherDimensionNumbers(
            offset_dims=tuple(range(1, x.ndim)), collapsed_slice_dims=(0,), start_index_map=(0,)
        ),
        slice_sizes=(1, *x.shape[1:]),
        indices_are_sorted=False,
        unique_indices=True,
        mode=GatherScatterMode.FILL_OR_DROP,
        fill_value=0,
    )


def _in_groups(x, d, groups, along):
    """Return a collective within groups of indices, which becomes one along the members of all groups at once.

    `along` is (x, batch axis, size) -> out, its batch axis, where axis 0 of both is that of the groups.
    """
    n, size = sum(map(len, groups)), len(groups[0])
    order = [i for group in groups for i in group]
    x = _reordered(materialise_batch(x, d, n), order)
    x = reshape(x, new_sizes=(len(groups), size, *x.shape[1:]), dimensions=None, sharding=None)
    out, e = along(x, 1, size)
    if e is None:
        shape = (out.shape[0], size, *out.shape[1:])
        kept = (0, *range(2, len(shape)))
        out = broadcast_in_dim(out, shape=shape, broadcast_dimensions=kept, sharding=None)
    else:
        out = move_axis(out, e, 1)
    return _reordered(_join(out, 0), np.argsort(order).tolist()), 0


# ---- psum, pmax, pmin ---------------------------------------------------------------------------


def _reducer(name, domain, reduce, operation, alone):
    """Return a reduction over named and positional axes.

    `alone(x, size)` reduces a value that is the same everywhere along an axis of that size.
    """
    p = collective(name, "axes")
    p.combines(operation)
    p.sharding(lambda call: [e for d, e in enumerate(call.specs[0]) if d not in call.params["axes"]])

    @p.type
    def _(x, *, axes, axis_index_groups):
        check_dtype(name, domain, x.dtype)
        positions = [a for a in axes if isinstance(a, int)]
        weak = x.weak_type and not x.vma.isdisjoint(axes)  # JAX parity: where it is checked how values vary
        return ShapedArray(check_axes(name, x, positions), x.dtype, weak)

    def reduced(x, axes):
        out = p(x, axes=axes, axis_index_groups=None)
        if state.trace.stages or not aval_of(x).weak_type:
            return out
        return convert_element_type(out, new_dtype=aval_of(out).dtype, weak_type=True, sharding=None)  # JAX parity

    @p.evaluate
    def _(x, *, axes, axis_index_groups):
        for a in axes:
            if not isinstance(a, int):
                raise unbound(a, name)
        return reduce(x, axes=axes)

    @p.batch_axis
    def _(axis, args, dims, params):
        (x,), (d,) = args, dims
        axes, groups = params["axes"], params["axis_index_groups"]
        if axis.name is None or axis.name not in axes:
            inner = tuple([a + (a >= d) if isinstance(a, int) else a for a in axes])
            positions = [a for a in inner if isinstance(a, int)]
            out = p(x, axes=inner, axis_index_groups=groups)
            return out, d - sum(a < d for a in positions)
        if groups is not None:
            if len(_names(axes)) > 1:
                raise NotImplementedError(f"axis_index_groups over several axes at once, {axes}: name one of them.")

            def members(x, d, size):
                positions = [a + 2 for a in axes if isinstance(a, int)]
                return reduced(x, (d, *positions)), None

            return _in_groups(x, d, groups, members)
        if d is None:
            x = alone(x, axis.size)
            rest = tuple([a for a in axes if a != axis.name])
            return (p(x, axes=rest, axis_index_groups=None) if rest else x), None
        inner = tuple(
            [d if a == axis.name else a + (a >= d) if isinstance(a, int) else a for a in axes]
        )
        return reduced(x, inner), None

    p.examples(
        (ShapedArray((2, 3), dtypes.float32), dict(axes=(0,), axis_index_groups=None)),
        (ShapedArray((2, 3), dtypes.int32), dict(axes=(0, 1), axis_index_groups=None)),
    )
    return p


psum = _reducer(
    "psum", NUMBERS, lambda x, *, axes: accumulated(total, x, axes), add, lambda x, size: mul(x, like(x, size))
)
pmax = _reducer("pmax", ANY, extremum(np.maximum, lowest), max_, lambda x, size: x)
pmin = _reducer("pmin", ANY, extremum(np.minimum, highest), min_, lambda x, size: x)


def summed(x, axes: tuple, groups=None):
    """Return the sum over named and positional axes; the same on all devices along mesh axes that are checked."""
    checked = tuple([a for a in axes if a in checked_axes()]) if state.axis_env else ()
    if not checked:
        return psum(x, axes=axes, axis_index_groups=groups)
    unreduced = sums_of(aval_of(x))[0]
    _check_no_sums(psum, x, checked)
    if unreduced.intersection(checked):
        x = cast_along(x, tuple([a for a in checked if a in unreduced]), "varying")
    if groups is not None:
        raise NotImplementedError("axis_index_groups in a shard_map that checks how values vary: check_vma=False.")
    rest = tuple([a for a in axes if a not in checked])
    if rest:
        x = psum(x, axes=rest, axis_index_groups=None)
    return psum_invariant(x, axes=checked)


for p in (pmax, pmin):
    p.jvp(extremum_jvp(p, summed))

psum.linear = True
for p in (pmax, pmin):
    p.varies(lambda x, *, axes, **_: x.vma.difference(axes))


@psum.transpose
def _(ct, x, *, axes, axis_index_groups):
    # Each participant's operand reaches every participant's result.
    positions = [a for a in axes if isinstance(a, int)]
    names = tuple([a for a in axes if not isinstance(a, int)])
    if positions:
        kept = tuple([i for i in range(x.aval.ndim) if i not in positions])
        ct = broadcast_in_dim(ct, shape=x.aval.shape, broadcast_dimensions=kept, sharding=None)
    return [psum(ct, axes=names, axis_index_groups=axis_index_groups) if names else ct]


# ---- along which axes values vary ----------------------------------------------------------------

# In a `shard_map` that checks it, the type of a value says along which mesh axes it may differ between devices.
# `pvary` makes a value one that may, which its cotangents then do too: they are summed. The sum of values that differ
# is the same everywhere, and so is what its cotangent is for each of them.

pvary = collective("pvary", "axes")
pvary.sharding(rules.of_operand(0))
pvary.linear = True
pvary.type(lambda x, *, axes: x)
pvary.varies(lambda x, *, axes: x.vma.union(axes))
pvary.evaluate(lambda x, *, axes: x)
pvary.transpose(lambda ct, x, *, axes: [_summed_over(ct, tuple([a for a in axes if a not in x.aval.vma]))])

def checked_axes() -> tuple:
    """Return names of the mesh axes in scope that are checked, in the order of the mesh."""
    return checked_axes_of(state.axis_env)


def pvary_to(x, axes):
    """Return `x`, as a value that may differ along these axes."""
    missing = frozenset(axes) - getattr(aval_of(x), "vma", frozenset())
    reduced = missing & sums_of(aval_of(x))[1]
    if reduced:
        x = cast_along(x, tuple([a for a in checked_axes() if a in reduced]), "varying")
        missing -= reduced
    return pvary(x, axes=tuple([a for a in checked_axes() if a in missing])) if missing else x


def varying_like(x, like):
    """Return `x`, as a value that may differ along the axes along which another, of any kind, does."""
    return pvary_to(x, like.aval.vma) if isinstance(like, Tracer) and getattr(like.aval, "vma", None) else x


def align_varying(p, args, params):
    """Return the operands of `p`, all varying over the axes that one of them does, and that `p` works along."""
    if not p.joins or p is pvary:
        return args
    axes: frozenset = frozenset()
    if p.axes_rule is not None:
        axes = p.axes_rule(params).intersection(checked_axes())
        for a in args if axes else ():
            _check_no_sums(p, a, axes)
    along = [vma for a in args if (vma := getattr(aval_of(a), "vma", None)) is not None]
    axes = axes.union(*along)
    if not local.auto_pcast and len({*along}) > 1:
        raise ValueError(
            message(
                f"Primitive {p.name} requires varying manual axes to match, but got {along}. Please open an issue at "
                "https://github.com/jax-ml/jax/issues and as a temporary workaround pass the check_vma=False argument "
                "to `jax.shard_map`",
                why="jax_auto_pcast is off, so what is equal on all devices does not become a value that may differ.",
                fix="jax.lax.pcast(x, 'name', to='varying') for the operands that do not vary",
            )
        )
    return [_varying(a, axes) for a in args] if axes else args


def _check_no_sums(p, x, axes) -> None:
    """ValueError if a value is reduced, or unreduced and not to be added up, along axes of a collective."""
    unreduced, reduced = sums_of(aval_of(x))
    if reduced.intersection(axes):
        raise ValueError(
            message(
                f"pvary cannot accept args which are reduced. Got {aval_of(x).str_short(True)} and axes={set(axes)}",
                why="A reduced value is the same on all devices, and known to be.",
                fix="jax.lax.pcast(x, 'name', to='varying') before, or the value times the size of the axis for a sum",
            )
        )
    if unreduced.intersection(axes) and p not in (psum, reduce_scatter):
        raise ValueError(
            message(
                f"pvary cannot accept args which are unreduced. Got {aval_of(x).str_short(True)} and "
                f"axes={set(unreduced.intersection(axes))}",
                why="Each device has a part of a sum, which is no value yet.",
                fix="jax.lax.psum(x, 'name') before",
            )
        )


def _varying(x, axes):
    """Return an operand, as one that may differ along these axes."""
    unreduced, reduced = sums_of(aval_of(x))
    known = tuple([a for a in checked_axes() if a in axes and (a in reduced or a in unreduced)])
    return pvary_to(cast_along(x, known, "varying") if known else x, axes)


psum_invariant = collective("psum_invariant", "axes")
psum_invariant.linear = True
psum_invariant.combines(add)
psum_invariant.sharding(rules.of_operand(0))
psum_invariant.type(lambda x, *, axes: x)
psum_invariant.varies(lambda x, *, axes: x.vma.difference(axes))
psum_invariant.transpose(lambda ct, x, *, axes: [pvary(ct, axes=axes)])


@contextmanager
def branching(axes):
    """Devices may be in different branches along these axes: cotangents are not added up along them."""
    before = state.axis_env
    state.axis_env = tuple([BranchingAxis(*a) if type(a) is ManualAxis and a[0] in axes else a for a in before])
    try:
        yield
    finally:
        state.axis_env = before


def branching_axes() -> frozenset:
    """Return names of the mesh axes along which devices may be in different branches."""
    return frozenset([a[0] for a in state.axis_env if type(a) is BranchingAxis])


def _summed_over(ct, axes: tuple):
    """Return the sum of a cotangent over mesh axes, but for those whose sum is taken outside of a `cond`."""
    apart = branching_axes()
    axes = tuple([a for a in axes if a not in apart])
    return psum_invariant(ct, axes=axes) if axes else ct


@psum_invariant.evaluate
def _(x, *, axes):
    for a in axes:
        raise unbound(a, "psum")
    return x


@pvary.batch_axis
def _(axis, args, dims, params):
    rest = tuple([a for a in params["axes"] if a != axis.name])
    return (pvary(*args, axes=rest) if rest else args[0]), dims[0]


@psum_invariant.batch_axis
def _(axis, args, dims, params):
    if axis.name is None or axis.name not in params["axes"]:
        return psum_invariant(*args, **params), dims[0]
    return psum.batch_axis_rule(axis, args, dims, dict(axes=params["axes"], axis_index_groups=None))


for p in (pvary, psum_invariant):
    p.examples((ShapedArray((2, 3), dtypes.float32), dict(axes=())))

# ---- what is known to be equal, and what is to be added up -----------------------------------------

# Along a mesh axis a value is "varying", "invarying" (the same everywhere), "unreduced" (it stands for the sum of what
# the devices have) or "reduced" (the same everywhere, with cotangents that are unreduced).

pcast = collective("pcast", "axes")
pcast.linear = True
pcast.joins = False
pcast.evaluate(lambda x, **_: x)


def kind_along(aval: ShapedArray, axis) -> str:
    """Return what values of a type are along a mesh axis."""
    unreduced, reduced = sums_of(aval)
    return ("varying" if axis in aval.vma else "unreduced" if axis in unreduced
            else "reduced" if axis in reduced else "invarying")


def cast_along(x, axes: tuple, to: str):
    """Return `x` as a value that is `to` along mesh axes; on each device it stays what it is."""
    same = [a for a in axes if to == "varying" and kind_along(aval_of(x), a) == "invarying"]
    rest = tuple([a for a in axes if a not in same])
    return pvary_to(pcast(x, axes=rest, to=to) if rest else x, same)


@pcast.type
def _(x, *, axes, to):
    unreduced, reduced = [sums.difference(axes) for sums in sums_of(x)]
    x = x.update(vma=x.vma.union(axes) if to == "varying" else x.vma.difference(axes))
    return with_sums(x, unreduced.union(axes) if to == "unreduced" else unreduced,
                     reduced.union(axes) if to == "reduced" else reduced)


pcast.infer = pcast._infer  # the mesh is that of the axes in scope: not to be remembered


@pcast.transpose
def _(ct, x, *, axes, to):
    along = {kind: tuple([a for a in axes if kind_along(x.aval, a) == kind])
             for kind in ("varying", "invarying", "unreduced", "reduced")}
    if to == "invarying":  # the cotangent is the same everywhere: it is counted once
        for a in axes:
            first = eq(axis_index(axis_name=a), np.int32(0))
            zeros = full(ct.shape, 0, ct.dtype)
            ct = select_n(first, pvary_to(zeros, (a,)), pvary_to(ct, (a,)))
    elif to != "varying":
        ct = cast_along(ct, axes, "varying")
    ct = _summed_over(ct, along["invarying"])
    for kind, dual in ("reduced", "unreduced"), ("unreduced", "reduced"):
        if along[kind]:
            ct = cast_along(ct, along[kind], dual)
    return [ct]


@pcast.batch_axis
def _(axis, args, dims, params):
    rest = tuple([a for a in params["axes"] if a != axis.name])
    return (pcast(*args, **{**params, "axes": rest}) if rest else args[0]), dims[0]


pcast.examples((ShapedArray((2, 3), dtypes.float32), dict(axes=(), to="varying")))

# ---- axis_index ---------------------------------------------------------------------------------

axis_index = collective("axis_index", "axis_name")
axis_index.varies(lambda *, axis_name: frozenset((axis_name,)).intersection(checked_axes()))
axis_index.infer = axis_index._infer  # what is checked depends on the axes in scope: not to be remembered


@axis_index.type
def _(*, axis_name):
    return ShapedArray((), dtypes.int32)


@axis_index.evaluate
def _(*, axis_name):
    raise unbound(axis_name, "axis_index")


@axis_index.batch_axis
def _(axis, args, dims, params):
    return iota(dtype=dtypes.int32, shape=(axis.size,), dimension=0, sharding=None), 0


axis_index.examples((dict(axis_name="i"),))

# ---- exchanges ----------------------------------------------------------------------------------


def _exchanged(call) -> list:
    """Sharding of collectives that move data: along explicit axes that are not mapped over, axes stay divided."""
    entries = list(call.specs[0])
    if call.outs[0].ndim > len(entries):
        entries.insert(call.params["all_gather_dimension"], None)
    if call.outs[0].ndim < len(entries):
        del entries[call.params["scatter_dimension"]]
    return entries


def _exchange(name, along, along_several, dims=(), moved=lambda d, params: d):
    """Return a linear collective that moves data along the axes named `axis_name`.

    Args:
      along: (x, its batch axis or None, size, params) -> out, its batch axis; for the one axis that is named.
      along_several: (axis, x, its batch axis, other names, params) -> the same where several are.
      dims: names of the parameters that are axes of the operand.
      moved: (batch axis of the operand, parameters that count it) -> batch axis of the result.
    """
    p = collective(name, "axis_name")
    p.linear = True
    p.sharding(_exchanged)

    @p.evaluate
    def _(x, *, axis_name, **_):
        raise unbound(axis_name[0] if isinstance(axis_name, tuple) else axis_name, name)

    @p.batch_axis
    def _(axis, args, batch_dims, params):
        (x,), (d,) = args, batch_dims
        names, groups = group_axes(params), params.get("axis_index_groups")
        if axis.name is None or axis.name not in names:
            inner = {**params, **{n: params[n] + (d <= params[n]) for n in dims}}
            return p(x, **inner), moved(d, inner)
        rest = tuple([n for n in names if n != axis.name])
        if groups is not None:
            if rest:
                raise NotImplementedError(f"axis_index_groups over several axes at once, {names}: name one of them.")
            inner = {**params, "axis_index_groups": None, **{n: params[n] + 1 for n in dims}}
            return _in_groups(x, d, groups, lambda x, d, size: along(x, d, size, inner))
        if rest:
            return along_several(axis, materialise_batch(x, d, axis.size), rest, params)
        return along(x, d, axis.size, params)

    return p


def group_axes(params: dict) -> tuple:
    """Return the names that an exchange, or `axis_index`, is about."""
    names = params["axis_name"]
    return names if isinstance(names, tuple) else (names,)


def _sizes(names, axis=None) -> list:
    """Return lengths of named axes; `axis` is the one that is mapped."""
    return [axis.size if axis is not None and n == axis.name else axis_size(n) for n in names]


def _reshape(x, shape):
    return reshape(x, new_sizes=tuple(shape), dimensions=None, sharding=None)


def _join(x, axis):
    """Return `x` with `axis` and the one after it made one."""
    shape = aval_of(x).shape
    sizes = (*shape[:axis], shape[axis] * shape[axis + 1], *shape[axis + 2 :])
    return reshape(x, new_sizes=sizes, dimensions=None, sharding=None)


def _part(x, axis, n):
    """Return `x` with `axis` split in `n` parts: the parts' axis comes first."""
    shape = aval_of(x).shape
    if shape[axis] % n:
        raise ValueError(
            f"axis {axis} of an array of shape {shape} cannot be divided among the {n} indices of "
            "a mapped axis."
        )
    sizes = (*shape[:axis], n, shape[axis] // n, *shape[axis + 1 :])
    return reshape(x, new_sizes=sizes, dimensions=None, sharding=None)


def _gathered(x, d, size, params):
    place = params["all_gather_dimension"]
    if d is None:
        x, d = materialise_batch(x, None, size), 0
    out = move_axis(x, d, place)
    return (_join(out, place) if params["tiled"] else out), None


def _gathered_along_several(axis, x, rest, params):
    names, place, shape = group_axes(params), params["all_gather_dimension"], aval_of(x).shape[1:]
    sizes = _sizes(names, axis)
    at = names.index(axis.name)
    x = all_gather(x, all_gather_dimension=0, axis_name=rest, axis_index_groups=None, axis_size=prod(_sizes(rest)),
                   tiled=False)
    x = _reshape(x, (*sizes[:at], *sizes[at + 1 :], axis.size, *shape))
    x = _reshape(move_axis(x, len(rest), at), (prod(sizes), *shape))
    out = move_axis(x, 0, place)
    return (_join(out, place) if params["tiled"] else out), None


def _beside_gathered(d, params):
    """Return where the batch axis is in a result that may have one more axis."""
    return d + (not params["tiled"] and params["all_gather_dimension"] <= d)


def _gathered_shape(x, place: int, size: int, tiled: bool) -> tuple:
    shape = list(x.shape)
    if tiled:
        shape[place] *= size
    else:
        shape.insert(place, size)
    return tuple(shape)


all_gather = _exchange("all_gather", _gathered, _gathered_along_several, ("all_gather_dimension",), _beside_gathered)


@all_gather.type
def _(x, *, all_gather_dimension, axis_name, axis_index_groups, axis_size, tiled):
    return ShapedArray(_gathered_shape(x, all_gather_dimension, axis_size, tiled), x.dtype, x.weak_type)


@all_gather.transpose
def _(ct, x, *, all_gather_dimension, **params):
    return [reduce_scatter(ct, scatter_dimension=all_gather_dimension, **params)]


# The same, as a value that is known to be the same everywhere, and so are its cotangents: each takes its own part.
all_gather_invariant = _exchange(
    "all_gather_invariant", _gathered, _gathered_along_several, ("all_gather_dimension",), _beside_gathered)
all_gather_invariant.varies(lambda x, *, axis_name, **_: x.vma.difference(axis_name))


@all_gather_invariant.type
def _(x, *, all_gather_dimension, axis_name, axis_size, tiled):
    return ShapedArray(_gathered_shape(x, all_gather_dimension, axis_size, tiled), x.dtype, x.weak_type)


@all_gather_invariant.transpose
def _(ct, x, *, all_gather_dimension, axis_name, axis_size, tiled):
    place = all_gather_dimension
    sizes = list(ct.shape)
    sizes[place] = sizes[place] // axis_size
    start = mul(index_along(axis_name), np.int32(sizes[place]))
    starts = [start if i == place else np.int32(0) for i in range(len(sizes))]
    own = dynamic_slice(pvary_to(ct, set(axis_name).intersection(checked_axes())), *starts, slice_sizes=tuple(sizes))
    return [own if tiled else squeeze(own, dimensions=(place,))]


def index_along(names: tuple):
    """Return the index along several named axes as if they were one, the last the fastest."""
    index, stride = full((), 0, dtypes.int32), 1
    for name in reversed(names):
        index = add(index, mul(axis_index(axis_name=name), np.int32(stride)))
        stride *= axis_size(name)
    return index


def _scattered(x, d, size, params):
    place = params["scatter_dimension"]
    if d is None:
        total = mul(x, like(x, size))
    else:
        total = reduce_sum(x, axes=(d,), out_sharding=None)
    return (_part(total, place, size) if params["tiled"] else total), place


def _scattered_along_several(axis, x, rest, params):
    names, place = group_axes(params), params["scatter_dimension"]
    sizes = _sizes(names, axis)
    at = names.index(axis.name)
    x = reduce_sum(x, axes=(0,), out_sharding=None)
    before, length, after = x.shape[:place], x.shape[place], x.shape[place + 1 :]
    x = move_axis(_reshape(x, (*before, *sizes, length // prod(sizes), *after)), place + at, 0)
    x = _reshape(x, (axis.size, *before, length // axis.size, *after))
    inner = {**params, "scatter_dimension": place + 1, "axis_name": rest, "axis_size": prod(_sizes(rest))}
    return reduce_scatter(x, **inner), 0


reduce_scatter = _exchange(
    "reduce_scatter", _scattered, _scattered_along_several, ("scatter_dimension",),
    lambda d, params: d - (not params["tiled"] and params["scatter_dimension"] < d))


@reduce_scatter.type
def _(x, *, scatter_dimension, axis_name, axis_index_groups, axis_size, tiled):
    shape, place = list(x.shape), scatter_dimension
    if shape[place] % axis_size if tiled else shape[place] != axis_size:
        raise ValueError(
            f"reduce_scatter operand scatter dimension size {shape[place]} must "
            f"{'be divisible by' if tiled else 'match'} shard count {axis_size}"
        )
    if tiled:
        shape[place] //= axis_size
    else:
        del shape[place]
    return ShapedArray(tuple(shape), x.dtype, x.weak_type)


@reduce_scatter.transpose
def _(ct, x, *, scatter_dimension, **params):
    return [all_gather(ct, all_gather_dimension=scatter_dimension, **params)]


def _permuted(x, d, size, params):
    sources = [size] * size  # out of range: nothing arrives, which is zero
    for source, target in params["perm"]:
        sources[target] = source
    return _reordered(materialise_batch(x, d, size), sources), 0


def _permuted_along_several(axis, x, rest, params):
    # JAX parity: indices count in the order in which the axes are in scope, whatever the order of the names
    names = tuple([n for n, _ in state.axis_env if n in params["axis_name"]])
    at, sizes = names.index(axis.name), _sizes(names, axis)
    rest = tuple([n for n in names if n != axis.name])
    gathered, _ = _gathered_along_several(axis, x, rest, dict(axis_name=names, all_gather_dimension=0, tiled=False))
    sources = np.full(prod(sizes), prod(sizes), np.int32)
    for source, target in params["perm"]:
        sources[target] = source
    table = np.moveaxis(sources.reshape(sizes), at, -1).reshape(-1, axis.size)  # for each index along the rest
    own = _reordered(table, _reshape(index_along(rest), (1, 1)))
    return _reordered(gathered, _reshape(own, (axis.size, 1))), 0


ppermute = _exchange("ppermute", _permuted, _permuted_along_several)
ppermute.type(lambda x, *, axis_name, perm: x)


@ppermute.transpose
def _(ct, x, *, axis_name, perm):
    return [ppermute(ct, axis_name=axis_name, perm=tuple([(b, a) for a, b in perm]))]


def _all_to_all(x, d, size, params):
    split, concat = params["split_axis"], params["concat_axis"]
    x = _part(materialise_batch(x, d, size), split + 1, size)  # source, ..., target, part, ...
    x = move_axis(x, split + 1, 0)  # target, source, ..., part, ...
    return _join(move_axis(x, 1, concat + 1), concat + 1), 0


def _all_to_all_along_several(axis, x, rest, params):
    names, split, concat = group_axes(params), params["split_axis"], params["concat_axis"]
    sizes, others = _sizes(names, axis), _sizes(rest)
    at = names.index(axis.name)
    shape = aval_of(x).shape[1:]
    part = shape[split] // prod(sizes)
    x = _reshape(x, (axis.size, *shape[:split], *sizes, part, *shape[split + 1 :]))
    x = move_axis(x, 1 + split + at, 0)  # target, source, ..., other targets, part, ...
    kept = (*shape[:split], part, *shape[split + 1 :])
    x = move_axis(_reshape(x, (axis.size, axis.size, *shape[:split], prod(others), *kept[split:])), 2 + split, 2)
    x = all_to_all(x, split_axis=2, concat_axis=2, axis_name=rest, axis_index_groups=None, tiled=True)
    x = _reshape(x, (axis.size, axis.size, *others, *kept))  # target, source, other sources, ...
    x = _reshape(move_axis(x, 1, 1 + at), (axis.size, prod(sizes), *kept))
    return _join(move_axis(x, 1, concat + 1), concat + 1), 0


all_to_all = _exchange("all_to_all", _all_to_all, _all_to_all_along_several, ("split_axis", "concat_axis"))


@all_to_all.type
def _(x, *, split_axis, concat_axis, axis_name, axis_index_groups, tiled):
    n = prod([axis_size(a) for a in (axis_name if isinstance(axis_name, tuple) else (axis_name,))])
    if axis_index_groups is not None:
        n = len(axis_index_groups[0])
    shape = list(x.shape)
    shape[split_axis] //= n
    shape[concat_axis] *= n
    return ShapedArray(tuple(shape), x.dtype)  # JAX parity: strongly typed


all_to_all.infer = all_to_all._infer  # the type depends on the axes in scope: not to be remembered


@all_to_all.transpose
def _(ct, x, *, split_axis, concat_axis, **params):
    return [all_to_all(ct, split_axis=concat_axis, concat_axis=split_axis, **params)]


_x = ShapedArray((2, 3), dtypes.float32)
_along = dict(axis_name=("i",), axis_index_groups=None, axis_size=2, tiled=False)
all_gather.examples((_x, dict(all_gather_dimension=0, **_along)))
all_gather_invariant.examples((_x, dict(all_gather_dimension=0, axis_name=("i",), axis_size=2, tiled=False)))
reduce_scatter.examples((_x, dict(scatter_dimension=0, **_along)))
ppermute.examples((_x, dict(axis_name=("i",), perm=((0, 1), (1, 0)))))
all_to_all.examples(
    (_x, dict(split_axis=0, concat_axis=1, axis_name="i", axis_index_groups=None, tiled=True))
)
