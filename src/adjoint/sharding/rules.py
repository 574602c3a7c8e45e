"""Shardings of results, from those of the operands: the `sharding` rules of primitives, by families.

A rule gets a `ShardedCall` and gives an entry for each axis of the result: None, the name of a mesh axis, or a tuple of
names; for several results it gives a list of such lists. It is read in two ways. Over explicit axes it is *strict*:
where the answer would be ambiguous, or devices had to exchange what the user has not asked for, it raises
`ShardingTypeError`, which says what to write (`prims/explicit_sharding.py`). Over the others it is lenient, and gives
the sharding that a compiler would choose (`engines/placed/propagate.py`).

Tests: `tests/engines/placed/test_propagate.py` and `tests/parallel/test_explicit.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from ..core.messages.errors import ShardingTypeError, message
from ..core.process.records import NamedTuple
from .mesh import names_of

__all__ = [
    "RESHARD", "ShardedCall", "alike", "batched", "bitcast", "broadcast", "concatenated", "convolved", "entries_of",
    "gathered",
    "joined", "kept", "kept_by_fft", "of_operand", "of_operands", "product", "reduced", "refused", "reshaped",
    "scanned_over", "scattered", "selected", "sorted_over", "squeezed", "stacked", "tiled", "top_of", "transposed",
    "unstacked", "updated", "windowed", "with_words",
]


class ShardedCall(NamedTuple):
    """An operation, and how its operands are sharded."""

    p: Any
    avals: Any  # of the operands
    outs: Any  # types of the results
    params: dict
    specs: list[list]  # for each operand, an entry for each axis
    sizes: Any  # of mesh axes, by name
    is_strict: bool


RESHARD = "jax.sharding.reshard(x, P(...)) first, or jax.sharding.auto_axes around the function"


def refused(what: str, fix: str = RESHARD) -> ShardingTypeError:
    """Return the error for operands whose shardings do not say how the result is sharded."""
    return ShardingTypeError(
        message(what, why="Mesh axes of type Explicit: the sharding of every value is part of its type.", fix=fix)
    )


def entries_of(call: ShardedCall, rule: Callable) -> list[list]:
    """Return the entries of each result."""
    found = rule(call)
    return found if found and isinstance(found[0], list) or not call.outs else [found] * len(call.outs)


# ---- element by element ---------------------------------------------------------------------------


def joined(call: ShardedCall) -> list:
    """Divide each axis as the operands do that divide it; scalars go with anything."""
    return _merged(call, call.outs[0].shape)


def _merged(call: ShardedCall, shape: tuple[int, ...] | None = None) -> list:
    """Return the entries of all operands; only of axes with the lengths of `shape`, if that is given."""
    given = [(spec, a.shape) for spec, a in zip(call.specs, call.avals) if a.ndim]
    entries: list = [None] * call.outs[0].ndim
    refuted = set()
    for spec, own in given:
        for d, entry in enumerate(spec):
            if entry is None or entry == entries[d] or shape and own[d] != shape[d]:
                continue
            if entries[d] is not None:
                if call.is_strict:
                    different = ", ".join(dict.fromkeys([str(tuple(s)) for s, _ in given]))
                    raise refused(f"{call.p.name} got incompatible shardings for broadcasting: {different}.")
                refuted.add(d)
            entries[d] = entry
    return [None if d in refuted else e for d, e in enumerate(entries)]


def alike(call: ShardedCall) -> list[list]:
    """Divide each result as the operands of its shape are: of a primitive without a rule, if it is not read strictly.
    """
    found = []
    for out in call.outs:
        shape = getattr(out, "shape", ())
        same = [i for i, a in enumerate(call.avals) if getattr(a, "shape", ()) == shape]
        own = call._replace(avals=[call.avals[i] for i in same], specs=[call.specs[i] for i in same], outs=[out])
        found.append(_merged(own, shape) if shape else [])
    return found


def selected(call: ShardedCall) -> list:
    """Sharding of `select_n`."""
    which, *cases = call.avals
    if call.is_strict and len({a.explicit_sharding for a in cases} - {None}) > 1:
        raise refused(
            f"select cases must have the same shardings, got [{', '.join([str(a.sharding) for a in cases])}]."
        )
    first, own = cases[0].explicit_sharding, which.explicit_sharding
    if call.is_strict and which.ndim and None not in (own, first) and tuple(first.spec) != tuple(own.spec):
        raise refused(
            "select `which` must be scalar or have the same sharding as cases, got `which` sharding "
            f"{which.sharding} but case sharding {cases[0].sharding}."
        )
    return joined(call)


def of_operand(i: int) -> Callable:
    """Return the rule of an operation whose result is sharded as an operand is."""
    return lambda call: call.specs[i]


def of_operands(call: ShardedCall) -> list:
    """Shard each result as the operand in its place."""
    return call.specs


# ---- shapes ---------------------------------------------------------------------------------------


def transposed(call: ShardedCall) -> list:
    """Sharding of `transpose`."""
    return [call.specs[0][d] for d in call.params["permutation"]]


def squeezed(call: ShardedCall) -> list:
    """Sharding of `squeeze`."""
    return [e for d, e in enumerate(call.specs[0]) if d not in call.params["dimensions"]]


def broadcast(call: ShardedCall) -> list:
    """Sharding of `broadcast_in_dim`."""
    (out,) = call.outs
    entries: list = [None] * out.ndim
    for d, (n, entry) in enumerate(zip(call.avals[0].shape, call.specs[0])):
        target = call.params["broadcast_dimensions"][d]
        if n == out.shape[target]:
            entries[target] = entry
    return entries


def reshaped(call: ShardedCall) -> list:
    """Sharding of `reshape`: axes are matched in groups of equal size."""
    (x,), (out,) = call.avals, call.outs
    spec, sizes = call.specs[0], call.sizes
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
        if found is None or call.params.get("dimensions") is not None:
            if call.is_strict:
                raise refused(
                    "This reshape is not supported. Please specify the sharding of the output via the `out_sharding` "
                    f"argument of jax.lax.reshape. Got operand type: {x.str_short()}, new sizes: {out.shape}",
                    "jnp.reshape(x, shape, out_sharding=P(...))",
                )
            first = spec[before[0]]
            found = [first if after and out.shape[after[0]] % _parts(first, sizes) == 0 else None]
        for d, entry in zip(after, found):
            entries[d] = entry
    return entries


def _parts(entry, sizes) -> int:
    return prod([sizes[n] for n in names_of(entry)])


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
    """Return the entries of the axes that one axis becomes: each takes the mesh axes that divide it, in order."""
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
    """Return the entries of the axis that several become: the divided ones have to be the first of them."""
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


def concatenated(call: ShardedCall) -> list:
    """Sharding of `concatenate`: all operands that are sharded are sharded alike."""
    return _alike(call) if call.is_strict else _merged(call)


def _alike(call: ShardedCall) -> list:
    """Return the entries of the operands that are divided, which are the same; others may be arrays that were not
    placed.
    """
    divided = {a.explicit_sharding: i for i, a in enumerate(call.avals) if a.explicit_sharding is not None}
    if len(divided) > 1:
        shown = ", ".join([str(a.sharding) for a in call.avals])
        raise refused(f"All operands should have the same sharding. Got shardings {shown}")
    return list(call.specs[next(iter(divided.values()), 0)])


def stacked(call: ShardedCall) -> list:
    """Sharding of `stack`: the new axis is not divided, and all operands that are sharded are sharded alike."""
    entries = _alike(call) if call.is_strict else _merged(call)[: call.outs[0].ndim - 1]
    entries.insert(call.params["axis"], None)
    return entries


def unstacked(call: ShardedCall) -> list:
    """Sharding of `unstack`."""
    axis = call.params["axis"]
    if call.is_strict and call.specs[0][axis] is not None:
        raise refused(
            f"unstack operand cannot be sharded on the unstacking axis {axis}. Got operand "
            f"type={call.avals[0].str_short(True)}"
        )
    return [[e for d, e in enumerate(call.specs[0]) if d != axis] for _ in call.outs]


def tiled(call: ShardedCall) -> list:
    """Sharding of `tile`."""
    reps = call.params["reps"]
    for d, (entry, n) in enumerate(zip(call.specs[0], reps[len(reps) - len(call.specs[0]) :])):
        if call.is_strict and entry is not None and n != 1:
            raise refused(
                f"Operand cannot be sharded on dimension {d} when the tiling is non-trivial. Got input type: "
                f"{call.avals[0].str_short()} with reps: {reps}"
            )
    return [None] * (call.outs[0].ndim - call.avals[0].ndim) + call.specs[0]


def kept(call: ShardedCall) -> list:
    """Shard axes as those of the operand, whose lengths may be others; these have to be divisible too."""
    return [_kept(call, out) for out in call.outs]


def _kept(call: ShardedCall, out) -> list:
    x, entries = call.avals[0], list(call.specs[0])
    what = {"pad": "padding", "slice": "slicing"}.get(call.p.name, call.p.name)
    for d, entry in enumerate(entries):
        k = _parts(entry, call.sizes)
        if entry is not None and out.shape[d] != x.shape[d] and out.shape[d] % k:
            if call.is_strict:
                raise refused(
                    f"{what} on sharded dims where out dim ({out.shape[d]}) is not divisible by mesh axes ({k}) with "
                    f"spec ({entry}) is not implemented. Got input type={x.str_short(True)} and output "
                    f"shape={out.shape}"
                )
            entries[d] = None
    return entries


def updated(call: ShardedCall) -> list:
    """Sharding of `dynamic_update_slice`."""
    x, update = call.avals[:2]
    own, given = call.specs[:2]
    differs = any(e is not None and n != m for e, n, m in zip(given, update.shape, x.shape))
    if not any(own) and not differs:  # zeros, which a derivative updates
        return given
    if not call.is_strict:
        return _merged(call, x.shape)
    if own != given:
        raise refused(
            "dynamic_update_slice operand sharding must be equal to update sharding, got operand sharding "
            f"{x.str_short()} and update sharding {update.str_short()}."
        )
    return own


# ---- reductions -----------------------------------------------------------------------------------


def reduced(name: str) -> Callable:
    """Return the rule of a reduction along the axes that its parameter `name` says."""
    return lambda call: [
        [e for d, e in enumerate(call.specs[0]) if d not in call.params[name]] for _ in call.outs
    ]


def scanned_over(call: ShardedCall) -> list:
    """Sharding of cumulative operations along `axis`."""
    spec, axis = call.specs[0], call.params["axis"]
    if call.is_strict and spec[axis] is not None:
        raise refused(
            f"Input should be unsharded over the axis being reduced. Got input type={call.avals[0].str_short()} and "
            f"axis={axis}"
        )
    return spec


def sorted_over(call: ShardedCall) -> list:
    """Sharding of `sort`."""
    d = call.params["dimension"]
    for a, spec in zip(call.avals, call.specs):
        if call.is_strict and spec[d] is not None:
            raise refused(
                "Arguments to sort must be unsharded over the sorting dimension. Got arg "
                f"sharding={a.sharding} and sorting dimension={d}"
            )
    return [joined(call) for _ in call.outs]


def top_of(call: ShardedCall) -> list:
    """Sharding of `top_k`."""
    spec = list(call.specs[0])
    axis = call.params.get("axis", len(spec) - 1) % len(spec)
    if call.is_strict and spec[axis] is not None:
        raise refused(
            "The input should be unsharded over the axis along which to compute the top_k values. Got input "
            f"type={call.avals[0].str_short()} and axis={axis}"
        )
    spec[axis] = None
    return [list(spec) for _ in call.outs]


# ---- products -------------------------------------------------------------------------------------


def product(call: ShardedCall) -> list:
    """Sharding of `dot_general`."""
    (left, right), (batch_l, batch_r) = call.params["dimension_numbers"]
    x, y = call.specs
    if call.is_strict:
        _check_product(call)
    entries = [x[d] if call.is_strict else x[d] or y[e] for d, e in zip(batch_l, batch_r)]  # JAX parity: the first's
    entries += [e for d, e in enumerate(x) if d not in left and d not in batch_l]
    return entries + [e for d, e in enumerate(y) if d not in right and d not in batch_r]


def _check_product(call: ShardedCall) -> None:
    contracting, batch = call.params["dimension_numbers"]
    x, y = call.specs
    for what, (one, other) in (("batch", batch), ("contracting", contracting)):
        said, consistent = ("lhs batch dimensions and rhs batch dimensions", "the consistent") if what == "batch" else (
            "contracting dimensions", "consistent")
        a, b = tuple([x[d] for d in one]), tuple([y[d] for d in other])
        if any(i and j and i != j for i, j in zip(a, b)):
            raise refused(f"dot_general requires {said} to have {consistent} sharding, got {a} and {b}.")
        if what == "contracting" and any(i and j for i, j in zip(a, b)):
            raise refused(
                "Contracting dimensions are sharded and it is ambiguous how the output should be sharded. Please "
                "specify the output sharding via the `out_sharding` parameter. Got "
                f"lhs_contracting_spec={a} and rhs_contracting_spec={b}",
                "jnp.dot(x, y, out_sharding=P(...)), which is the sum over the devices",
            )


def convolved(call: ShardedCall) -> list:
    """Sharding of `conv_general_dilated`."""
    spec, dims = call.specs[0], call.params["dimension_numbers"]
    batch, feature, *spatial = dims.lhs_spec
    entries: list = [None] * call.outs[0].ndim
    entries[dims.out_spec[0]] = spec[batch]
    if not call.is_strict:
        return entries
    if spec[feature] is not None or any(call.specs[1]):
        x, kernel = call.avals
        raise refused(
            "Please specify the output sharding via `out_sharding` parameter of `conv_general_dilated`\n"
            f"  {x.str_short()} or {kernel.str_short()} is sharded along an axis of features, or of the kernel."
        )
    for d, where in zip(spatial, dims.out_spec[2:]):
        entries[where] = spec[d]
    return entries


# ---- batches --------------------------------------------------------------------------------------


def batched(call: ShardedCall) -> list:
    """Shard axes before the matrices as the operands' are; the matrices themselves must not be divided."""
    return _batched(call, 2)


def kept_by_fft(call: ShardedCall) -> list:
    """Sharding of `fft`."""
    if call.is_strict or call.outs[0].shape == call.avals[0].shape:
        return call.specs[0]
    return _batched(call, len(call.params["fft_lengths"]))


def _batched(call: ShardedCall, core: int) -> list:
    entries: list | None = None
    for a, spec in zip(call.avals, call.specs):
        if call.is_strict and any(spec[a.ndim - core :]):
            raise refused(f"{call.p.name} of {a.str_short()}: the last {core} axes must not be sharded.")
        if entries is None or not any(entries):
            entries = spec[: max(a.ndim - core, 0)]
    assert entries is not None
    return [entries + [None] * (out.ndim - len(entries)) for out in call.outs]


def windowed(call: ShardedCall) -> list:
    """Sharding of operations on windows."""
    return [_kept(call, out) for out in call.outs]


# ---- indices --------------------------------------------------------------------------------------


def gathered(call: ShardedCall) -> list:
    """Sharding of `gather`."""
    x, indices = call.avals
    (out,) = call.outs
    numbers, (spec, index_spec) = call.params["dimension_numbers"], call.specs
    gone = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
    remaining = [d for d in range(x.ndim) if d not in gone]
    whole = {d for d in remaining if call.params["slice_sizes"][d] == x.shape[d]}
    cut = any(spec[d] is not None and d not in whole and d not in numbers.operand_batching_dims for d in range(x.ndim))
    batching = set(numbers.start_indices_batching_dims)
    if call.is_strict and (cut or any(e for d, e in enumerate(index_spec[:-1]) if d not in batching)):
        raise refused(
            "Use `.at[...].get(out_sharding=)` to provide output PartitionSpec for the gather indexing as out sharding "
            "could not be resolved unambiguously (or would require collectives on inputs). Got "
            f"operand={x!r}, indices={indices!r}",
            "x.at[i].get(out_sharding=P(...))",
        )
    entries: list = [None] * out.ndim
    for d, target in zip(remaining, numbers.offset_dims):
        entries[target] = spec[d] if d in whole else None
    places = [d for d in range(out.ndim) if d not in numbers.offset_dims]
    for d, target in enumerate(places):
        entries[target] = index_spec[d]
        if d in batching and entries[target] is None:
            i = numbers.start_indices_batching_dims.index(d)
            entries[target] = spec[numbers.operand_batching_dims[i]]
    return entries


def scattered(call: ShardedCall) -> list:
    """Sharding of scatters."""
    x, indices, updates = call.avals
    numbers, spec, given = call.params["dimension_numbers"], list(call.specs[0]), call.specs[2]
    window = [d for d in range(x.ndim)
              if d not in numbers.inserted_window_dims and d not in numbers.operand_batching_dims]
    fits, was_divided = not any(call.specs[1]) or bool(numbers.operand_batching_dims), any(spec)
    for d, target in zip(window, numbers.update_window_dims):
        whole = updates.shape[target] == x.shape[d]
        if not was_divided and whole:  # zeros, which a derivative updates
            spec[d] = given[target]
        fits = fits and (spec[d] is None or whole) and given[target] in (None, spec[d])
    fits = fits and not any(spec[d] for d in numbers.inserted_window_dims)
    if call.is_strict and not fits:
        raise refused(
            "Use `.at[...].set/add/mul/...(out_sharding=)` to provide output PartitionSpec for the scatter update as "
            "out sharding could not be resolved unambiguously (or would require collectives on inputs). Got "
            f"operand={x!r}, indices={indices!r}, updates={updates!r}",
            "x.at[i].set(y, out_sharding=P(...))",
        )
    return spec


# ---- random numbers and bits ----------------------------------------------------------------------


def with_words(call: ShardedCall) -> list:
    """Shard operations on random keys, whose words are further axes."""
    return [(call.specs[0] + [None] * out.ndim)[: out.ndim] for out in call.outs]


def bitcast(call: ShardedCall) -> list:
    """Sharding of `bitcast_convert_type`."""
    return (call.specs[0] + [None])[: call.outs[0].ndim]
