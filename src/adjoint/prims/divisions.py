"""How results are divided over explicit mesh axes: a rule for each primitive, from how its operands are.

A rule gets the operand types, the result types and the parameters, and gives an entry for each axis of each result:
None, the name of a mesh axis, or a tuple of names. Where that would be ambiguous, or needs devices to exchange what
the user has not asked for, it raises `ShardingTypeError`, which says what to write. A primitive without a rule works
on operands that are not divided; `auto_axes` leaves the rest of a program to the compiler. `array/explicit.py` has
the idea.

Tests: `tests/parallel/test_explicit.py`.
"""

from __future__ import annotations

from collections import Counter
from math import prod
from typing import Any

from ..array.explicit import Division, divided_as, division_of, stated_division, whole
from ..array.mesh import AxisType, PartitionSpec, context_mesh, names_of
from ..array.sharding import NamedSharding
from ..core.messages.errors import ShardingTypeError, message
from ..core.placement import PlacementRules, placements
from ..core.types import ShapedArray
from .collective import align_varying
from .family import Elementwise

__all__ = ["canonical_division", "rule"]

_RULES: dict[str, Any] = {}


def rule(*names: str):
    """Register the rule of primitives."""

    def register(function):
        _RULES.update(dict.fromkeys(names, function))
        return function

    return register


def _refused(what: str, fix: str) -> ShardingTypeError:
    return ShardingTypeError(
        message(what, why="Mesh axes of type Explicit: the sharding of every value is part of its type.", fix=fix)
    )


_RESHARD = "jax.sharding.reshard(x, P(...)) first, or jax.sharding.auto_axes around the function"


def spec_of(aval) -> list:
    """An entry for each axis of a type."""
    return [None] * aval.ndim if aval.explicit_sharding is None else list(aval.explicit_sharding.spec)


def canonical_division(sharding: Any, shape: tuple[int, ...], mesh: Any = None) -> Division | None:
    """The division that a user asks for a result of this shape.

    Raises:
      ValueError: the spec names an axis that the mesh has not, or does not divide the shape.
    """
    if isinstance(sharding, PartitionSpec):
        mesh = context_mesh() if mesh is None else mesh
        if mesh is None:
            raise ValueError(
                message(
                    f"A spec, {sharding}, was given as out_sharding, and there is no mesh.",
                    fix="with jax.set_mesh(mesh): ..., or NamedSharding(mesh, spec)",
                )
            )
        sharding = NamedSharding(mesh.abstract_mesh, sharding)
    if not isinstance(sharding, NamedSharding) or AxisType.Explicit not in sharding.mesh.axis_types:
        return None
    _check_fits(sharding, shape)
    return division_of(sharding, len(shape))


def _check_fits(sharding: NamedSharding, shape: tuple[int, ...]) -> None:
    for d, (n, k) in enumerate(zip(shape, sharding.tiling(len(shape)))):
        if n % k:
            spec, sharding = tuple(sharding.spec), Division(sharding.mesh.abstract_mesh, sharding.spec)
            raise ValueError(
                message(
                    f"Sharding spec {spec} implies that array axis {d} is partitioned {k} times, but does not evenly "
                    f"divide the dimension size {n}. Got shape: {shape} and sharding {sharding}",
                    fix=f"pad axis {d} to {-(-n // k) * k}, or a spec that has None for it",
                )
            )


def _asked(p, params: dict) -> Any:
    """The division that a call asks for its result, if it does."""
    if p.name == "sharding_constraint":
        return None
    found = params.get("sharding")
    found = params.get("out_sharding") if found is None else found
    return found if isinstance(found, (PartitionSpec, NamedSharding)) else None


def _placed(p, avals, params, out):
    """The types of results with how they are divided and in which memory they are."""
    asked = _asked(p, params)
    divided = [a for a in avals if a.explicit_sharding is not None]
    spaces = {a.memory_space for a in avals if a.ndim}
    if len(spaces) > 1:
        raise _mixed_memories(p, avals)
    space = spaces.pop() if spaces else None
    outs = out if p.multiple_results else [out]
    if space is not None:
        outs = [a.update(memory_space=space) for a in outs]
    if divided or asked is not None:
        mesh = divided[0].explicit_sharding.mesh if divided else None
        for a in divided:
            if a.explicit_sharding.mesh != mesh:
                raise _refused(
                    f"{p.name} got operands over different meshes: {mesh} and {a.explicit_sharding.mesh}.",
                    "the same mesh for all operands, jax.sharding.reshard",
                )
        if asked is not None:
            outs = [a.update(explicit_sharding=canonical_division(asked, a.shape, mesh)) for a in outs]
        else:
            entries = _entries(p, avals, outs, params)
            outs = [_as_type(p, avals, a, e, mesh) for a, e in zip(outs, entries)]
    return outs if p.multiple_results else outs[0]


class _Rules(PlacementRules):
    """Placements, as shardings over explicit axes and as axes along which values vary."""

    def results(self, p, avals, params, out):
        if p.joins and (
            any([type(a) is ShapedArray and a.placement is not None for a in avals]) or _asked(p, params) is not None
        ):
            out = _placed(p, avals, params, out)
        if p.varies_rule is not None:
            return out.update(vma=p.varies_rule(*avals, **params))
        if not p.joins:
            return out
        vma = frozenset().union(*[a.vma for a in avals if type(a) is ShapedArray])
        if not vma:
            return out
        return [a.update(vma=vma) for a in out] if p.multiple_results else out.update(vma=vma)

    def aligned(self, p, args, params):
        return align_varying(p, args, params)

    def explicit(self, sharding, shape):
        return stated_division(sharding, shape)

    def whole(self, ndim):
        return whole(ndim)


placements.register(_Rules())


def _entries(p, avals, outs, params) -> list[list]:
    found = _RULES.get(p.name)
    if found is None:
        alike = len({a.shape for a in (*avals, *outs)} - {()}) == 1 and not params.keys() & _ALONG
        found = _joined if alike or isinstance(p, Elementwise) else None
    if found is None:
        raise _refused(
            f"sharding rule for {p.name} is not implemented for operands "
            f"{', '.join([a.str_short(True) for a in avals])}.",
            _RESHARD,
        )
    entries = found(p, avals, outs, params)
    return entries if entries and isinstance(entries[0], list) or not outs else [entries] * len(outs)


_ALONG = {"axis", "axes", "dimension", "dimensions", "dimension_numbers"}


def _as_type(p, avals, aval, entries, mesh):
    names = Counter([n for e in entries for n in names_of(e)])
    twice = [n for n, count in names.items() if count > 1]
    division = divided_as(mesh, entries) if not twice else None
    if twice:
        shown = ",".join([f"{n}@{e}" if e else f"{n}" for n, e in zip(aval.shape, entries)])
        result = aval.update(explicit_sharding=None).str_short(True).split("[")[0]
        raise _refused(
            f"{p.name} operation with inputs: {', '.join([a.str_short(True) for a in avals])} produces an illegally "
            f"sharded result: {result}[{shown}]",
            _RESHARD,
        )
    return aval.update(explicit_sharding=division)


def _mixed_memories(p, avals) -> ValueError:
    first, second = [next(a for a in avals if a.ndim and (a.memory_space is None) == ordinary)
                     for ordinary in (False, True)]
    return ValueError(
        message(
            f"memory_space of all inputs passed to `{p.name}` must be the same. Got one operand with type: "
            f"{first.str_short()} and another operand with type: {second.str_short()}",
            fix="jax.device_put(x, jax.memory.Space.Device) for the one in the memory of the host",
        )
    )


# ---- element by element ---------------------------------------------------------------------------


def _joined(p, avals, outs, params):
    """Divide each axis as the operands do that divide it; scalars go with anything."""
    specs = [spec_of(a) for a in avals if a.ndim]
    shapes = [a.shape for a in avals if a.ndim]
    entries: list = [None] * outs[0].ndim
    for spec, shape in zip(specs, shapes):
        for d, entry in enumerate(spec):
            if entry is None or entry == entries[d] or shape[d] != outs[0].shape[d]:
                continue
            if entries[d] is not None:
                different = ", ".join(dict.fromkeys([str(tuple(s)) for s in specs]))
                raise _refused(f"{p.name} got incompatible shardings for broadcasting: {different}.", _RESHARD)
            entries[d] = entry
    return entries


@rule("select_n")
def _(p, avals, outs, params):
    which, *cases = avals
    if len({a.explicit_sharding for a in cases} - {None}) > 1:
        raise _refused(
            f"select cases must have the same shardings, got [{', '.join([str(a.sharding) for a in cases])}].",
            _RESHARD,
        )
    first, own = cases[0].explicit_sharding, which.explicit_sharding
    if which.ndim and None not in (own, first) and first != own:
        raise _refused(
            "select `which` must be scalar or have the same sharding as cases, got `which` sharding "
            f"{which.sharding} but case sharding {cases[0].sharding}.",
            _RESHARD,
        )
    return _joined(p, avals, outs, params)


@rule("clamp")
def _(p, avals, outs, params):
    return spec_of(avals[1])


@rule("rev", "copy", "copy_p", "reduce_precision", "rng_uniform")
def _(p, avals, outs, params):
    return spec_of(avals[0])


# ---- shapes ---------------------------------------------------------------------------------------


@rule("transpose")
def _(p, avals, outs, params):
    spec = spec_of(avals[0])
    return [spec[d] for d in params["permutation"]]


@rule("squeeze")
def _(p, avals, outs, params):
    return [e for d, e in enumerate(spec_of(avals[0])) if d not in params["dimensions"]]


@rule("broadcast_in_dim")
def _(p, avals, outs, params):
    entries: list = [None] * outs[0].ndim
    for d, (n, entry) in enumerate(zip(avals[0].shape, spec_of(avals[0]))):
        target = params["broadcast_dimensions"][d]
        if n == outs[0].shape[target]:
            entries[target] = entry
    return entries


@rule("reshape")
def _(p, avals, outs, params):
    (x,), (out,) = avals, outs
    spec, sizes = spec_of(x), x.explicit_sharding.mesh.shape
    entries: list = [None] * out.ndim
    for before, after in _groups(x.shape, out.shape):
        divided = [d for d in before if spec[d] is not None]
        if not divided:
            continue
        found = None
        if len(before) == 1:
            found = _split_entries(spec[before[0]], [out.shape[d] for d in after], sizes)
        elif len([d for d in after if out.shape[d] != 1]) == 1:
            found = _merged_entries(before, after, spec, x, out)
        if found is None or params.get("dimensions") is not None:
            raise _refused(
                "This reshape is not supported. Please specify the sharding of the output via the `out_sharding` "
                f"argument of jax.lax.reshape. Got operand type: {x.str_short()}, new sizes: {out.shape}",
                "jnp.reshape(x, shape, out_sharding=P(...))",
            )
        for d, entry in zip(after, found):
            entries[d] = entry
    return entries


def _groups(before, after):
    """The axes that correspond, in groups of equal size: ([before], [after])."""
    i = j = 0
    while i < len(before) or j < len(after):
        left, right = [], []
        a = b = 1
        while True:
            if a <= b and i < len(before) and not (left and a == b):
                a *= before[i]
                left.append(i)
                i += 1
            elif j < len(after) and not (left and right and a == b):
                b *= after[j]
                right.append(j)
                j += 1
            else:
                break
            if left and right and a == b:
                break
        while i < len(before) and before[i] == 1 and left:
            left.append(i)
            i += 1
        while j < len(after) and after[j] == 1 and right:
            right.append(j)
            j += 1
        yield left, right


def _split_entries(entry, lengths, sizes):
    """The entries of the axes that one axis becomes: each takes the mesh axes that divide it, in order."""
    if len([n for n in lengths if n != 1]) == 1:  # axes of length 1 beside it
        return [entry if n != 1 else None for n in lengths]
    names, out = list(names_of(entry)), []
    for n in lengths:
        taken: list = []
        while names and n > 1 and n % prod([sizes[m] for m in (*taken, names[0])]) == 0:
            taken.append(names.pop(0))
        out.append(taken[0] if len(taken) == 1 else tuple(taken) or None)
        if names and n != prod([sizes[m] for m in taken]):
            return None
    return None if names else out


def _merged_entries(before, after, spec, x, out):
    """The entries of the axis that several become: the divided ones have to be the first of them."""
    names: list = []
    is_divided = True
    for d in before:
        if x.shape[d] == 1:
            continue
        own = names_of(spec[d])
        if own and not is_divided:
            return None
        names += own
        is_divided = bool(own)
    merged = names[0] if len(names) == 1 else tuple(names) or None
    return [merged if out.shape[d] != 1 else None for d in after]


@rule("concatenate")
def _(p, avals, outs, params):
    if len({a.explicit_sharding for a in avals}) > 1:
        raise _refused(
            f"All operands should have the same sharding. Got shardings {', '.join([str(a.sharding) for a in avals])}",
            _RESHARD,
        )
    return spec_of(avals[0])


@rule("stack")
def _(p, avals, outs, params):
    entries = _joined(p, avals, [avals[0]], params)
    entries.insert(params["axis"], None)
    return entries


@rule("split", "slice", "dynamic_slice", "pad", "unstack", "expand_dims", "tile")
def _(p, avals, outs, params):
    x = avals[0]
    if p.name == "unstack":
        return [[e for d, e in enumerate(spec_of(x)) if d != params["axis"]] for _ in outs]
    if p.name == "tile":
        return spec_of(x) if outs[0].ndim == x.ndim else [None] * (outs[0].ndim - x.ndim) + spec_of(x)
    return [_kept(p, x, out) for out in outs]


def _kept(p, x, out) -> list:
    """The entries of an operand whose axes get other lengths; these have to be divisible too."""
    what = {"pad": "padding"}.get(p.name, p.name)
    for d, entry in enumerate(spec_of(x)):
        k = prod([x.explicit_sharding.mesh.shape[n] for n in names_of(entry)])
        if entry is not None and out.shape[d] != x.shape[d] and out.shape[d] % k:
            raise _refused(
                f"{what} on sharded dims where out dim ({out.shape[d]}) is not divisible by mesh axes ({k}) with spec "
                f"({entry}) is not implemented. Got input type={x.str_short(True)} and output shape={out.shape}",
                _RESHARD,
            )
    return spec_of(x)


@rule("dynamic_update_slice")
def _(p, avals, outs, params):
    x, update = avals[:2]
    lies = any(e is not None and n != m for e, n, m in zip(spec_of(update), update.shape, x.shape))
    if x.explicit_sharding is None and not lies:  # zeros, which a derivative updates
        return spec_of(update)
    if spec_of(x) != spec_of(update):
        raise _refused(
            "dynamic_update_slice operand sharding must be equal to update sharding, got operand sharding "
            f"{x.str_short()} and update sharding {update.str_short()}.",
            _RESHARD,
        )
    return spec_of(x)


# ---- reductions -----------------------------------------------------------------------------------


@rule(
    "reduce_sum", "reduce_max", "reduce_min", "reduce_prod", "reduce_and", "reduce_or", "reduce_xor", "argmax",
    "argmin",
)
def _(p, avals, outs, params):
    return [e for d, e in enumerate(spec_of(avals[0])) if d not in params["axes"]]


@rule("reduce")
def _(p, avals, outs, params):
    entries = [e for d, e in enumerate(spec_of(avals[0])) if d not in params["dimensions"]]
    return [entries] * len(outs)


@rule("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp")
def _(p, avals, outs, params):
    spec, axis = spec_of(avals[0]), params["axis"]
    if spec[axis] is not None:
        raise _refused(
            f"Input should be unsharded over the axis being reduced. Got input type={avals[0].str_short()} and "
            f"axis={axis}",
            _RESHARD,
        )
    return spec


@rule("sort")
def _(p, avals, outs, params):
    d = params["dimension"]
    for a in avals:
        if spec_of(a)[d] is not None:
            raise _refused(
                "Arguments to sort must be unsharded over the sorting dimension. Got arg "
                f"sharding={a.sharding} and sorting dimension={d}",
                _RESHARD,
            )
    return [_joined(p, avals, outs, params) for _ in outs]


@rule("top_k")
def _(p, avals, outs, params):
    spec = spec_of(avals[0])
    axis = params.get("axis", len(spec) - 1) % len(spec)
    if spec[axis] is not None:
        raise _refused(
            "The input should be unsharded over the axis along which to compute the top_k values. Got input "
            f"type={avals[0].str_short()} and axis={axis}",
            _RESHARD,
        )
    return [list(spec) for _ in outs]


# ---- products -------------------------------------------------------------------------------------


@rule("dot_general")
def _(p, avals, outs, params):
    (left, right), (batch_l, batch_r) = params["dimension_numbers"]
    x, y = map(spec_of, avals)
    for what, (one, other) in (("batch", (batch_l, batch_r)), ("contracting", (left, right))):
        a, b = tuple([x[d] for d in one]), tuple([y[d] for d in other])
        different = a != b if what == "batch" else any(i and j and i != j for i, j in zip(a, b))
        if different:
            raise _refused(
                f"dot_general requires {what} dimensions to have consistent sharding, got {a} and {b}.", _RESHARD)
        if what == "contracting" and any(i and j for i, j in zip(a, b)):
            raise _refused(
                "Contracting dimensions are sharded and it is ambiguous how the output should be sharded. Please "
                "specify the output sharding via the `out_sharding` parameter. Got "
                f"lhs_contracting_spec={a} and rhs_contracting_spec={b}",
                "jnp.dot(x, y, out_sharding=P(...)), which is the sum over the devices",
            )
    entries = [x[d] for d in batch_l]
    entries += [e for d, e in enumerate(x) if d not in left and d not in batch_l]
    return entries + [e for d, e in enumerate(y) if d not in right and d not in batch_r]


@rule("conv_general_dilated")
def _(p, avals, outs, params):
    spec, dims = spec_of(avals[0]), params["dimension_numbers"]
    batch = dims.lhs_spec[0]
    if any(e is not None for d, e in enumerate(spec) if d != batch) or any(spec_of(avals[1])):
        raise _refused(
            f"conv_general_dilated of {avals[0].str_short()} and {avals[1].str_short()}: only the batch axis may be "
            "sharded.",
            _RESHARD,
        )
    entries: list = [None] * outs[0].ndim
    entries[dims.out_spec[0]] = spec[batch]
    return entries


# ---- batches --------------------------------------------------------------------------------------


@rule(
    "cholesky", "lu", "qr", "eigh", "eig", "svd", "triangular_solve", "householder_product", "fft", "schur",
    "hessenberg", "tridiagonal", "geqrf", "tridiagonal_solve", "linear_solve",
)
def _(p, avals, outs, params):
    """Axes before the matrices stay divided; the matrices themselves must not be."""
    core = len(params["fft_lengths"]) if p.name == "fft" else 2
    entries = None
    for a in avals:
        spec = spec_of(a)
        if any(spec[a.ndim - core :]):
            raise _refused(f"{p.name} of {a.str_short()}: the last {core} axes must not be sharded.", _RESHARD)
        if entries is None or not any(entries):
            entries = spec[: a.ndim - core]
    assert entries is not None
    return [entries + [None] * (out.ndim - len(entries)) for out in outs]


@rule(
    "reduce_window", "reduce_window_sum", "reduce_window_max", "reduce_window_min", "cumred_reduce_window",
    "select_and_scatter_add", "select_and_gather_add",
)
def _(p, avals, outs, params):
    x = avals[0]
    for d, (n, entry) in enumerate(zip(params["window_dimensions"], spec_of(x))):
        if entry is not None and n != 1:
            raise _refused(f"{p.name} over a sharded axis, {d}, of {x.str_short()}.", _RESHARD)
    return [spec_of(x) for _ in outs]


# ---- indices --------------------------------------------------------------------------------------


@rule("gather")
def _(p, avals, outs, params):
    x, indices = avals
    numbers, spec = params["dimension_numbers"], spec_of(x)
    gone = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
    kept = [d for d in range(x.ndim) if d not in gone]
    cut = any(
        spec[d] is not None and (d not in kept or params["slice_sizes"][d] != x.shape[d])
        and d not in numbers.operand_batching_dims for d in range(x.ndim)
    )
    index_spec = spec_of(indices)
    batched = set(numbers.start_indices_batching_dims)
    free = [e for d, e in enumerate(index_spec[:-1]) if d not in batched]
    if cut or any(free):
        raise _refused(
            "Use `.at[...].get(out_sharding=)` to provide output PartitionSpec for the gather indexing as out sharding "
            "could not be resolved unambiguously (or would require collectives on inputs). Got "
            f"operand={x!r}, indices={indices!r}",
            "x.at[i].get(out_sharding=P(...))",
        )
    entries: list = [None] * outs[0].ndim
    for d, target in zip(kept, numbers.offset_dims):
        entries[target] = spec[d]
    places = [d for d in range(outs[0].ndim) if d not in numbers.offset_dims]
    for d, target in enumerate(places):
        if d in batched:
            i = numbers.start_indices_batching_dims.index(d)
            entries[target] = index_spec[d] or spec[numbers.operand_batching_dims[i]]
    return entries


@rule("scatter", "scatter-add", "scatter_add", "scatter-mul", "scatter-min", "scatter-max", "scatter-sub")
def _(p, avals, outs, params):
    x, indices, updates = avals
    numbers, spec, given = params["dimension_numbers"], spec_of(x), spec_of(updates)
    window = [d for d in range(x.ndim)
              if d not in numbers.inserted_window_dims and d not in numbers.operand_batching_dims]
    fits = not any(spec_of(indices)) or bool(numbers.operand_batching_dims)
    for d, target in zip(window, numbers.update_window_dims):
        whole = updates.shape[target] == x.shape[d]
        if x.explicit_sharding is None and whole:  # zeros, which a derivative updates
            spec[d] = given[target]
        fits = fits and (spec[d] is None or whole) and given[target] in (None, spec[d])
    fits = fits and not any(spec[d] for d in numbers.inserted_window_dims)
    if not fits:
        raise _refused(
            "Use `.at[...].set/add/mul/...(out_sharding=)` to provide output PartitionSpec for the scatter update as "
            "out sharding could not be resolved unambiguously (or would require collectives on inputs). Got "
            f"operand={x!r}, indices={indices!r}, updates={updates!r}",
            "x.at[i].set(y, out_sharding=P(...))",
        )
    return spec


# ---- random numbers and bits ----------------------------------------------------------------------


@rule("random_bits", "random_seed", "random_wrap", "random_unwrap", "random_split", "random_fold_in")
def _(p, avals, outs, params):
    lead = spec_of(avals[0])[: avals[0].ndim]
    return [(lead + [None] * out.ndim)[: out.ndim] for out in outs]


@rule("bitcast_convert_type")
def _(p, avals, outs, params):
    return (spec_of(avals[0]) + [None])[: outs[0].ndim]


def _same(p, avals, outs, params):
    return [spec_of(a) for a in avals]


for _name in ("optimization_barrier", "sharding_constraint", "layout_constraint", "name", "custom_lin"):
    _RULES[_name] = _same
