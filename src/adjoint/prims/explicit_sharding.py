"""Shardings of results over explicit mesh axes: `sharding` rules, read strictly.

Where the answer would be ambiguous, or devices would have to exchange what the user has not asked for, a rule raises
`ShardingTypeError`, which says what to write. A primitive without a rule works on operands that are not sharded;
`auto_axes` leaves the rest of a program to the compiler. `sharding/explicit.py` has the idea.


Tests: `tests/parallel/test_explicit.py`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..core.messages.errors import message
from ..core.placement import PlacementRules, placements
from ..core.types import ShapedArray
from ..sharding.explicit import (
    ExplicitSharding,
    explicit_over,
    explicit_sharding_of,
    stated_explicit_sharding,
    sums_of,
    whole,
)
from ..sharding.mesh import AxisType, ManualAxisType, PartitionSpec, context_mesh, names_of
from ..sharding.named_sharding import NamedSharding
from ..sharding.rules import RESHARD, ShardedCall, entries_of, joined, refused
from .collective import align_varying

__all__ = ["asked_of", "canonical_explicit_sharding"]

def spec_of(aval) -> list:
    """Return an entry for each axis of a type."""
    return [None] * aval.ndim if aval.explicit_sharding is None else list(aval.explicit_sharding.spec)


def canonical_explicit_sharding(sharding: Any, shape: tuple[int, ...], mesh: Any = None) -> ExplicitSharding | None:
    """Return the explicit sharding that a user asks for a result of this shape.

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
    if not any(sharding.spec[len(shape) :]):
        sharding = type(sharding)(sharding.mesh, sharding.spec.update(partitions=sharding.spec[: len(shape)]))
    _check_fits(sharding, shape)
    return explicit_sharding_of(sharding, len(shape))


def _check_fits(sharding: NamedSharding, shape: tuple[int, ...]) -> None:
    for d, (n, k) in enumerate(zip(shape, sharding.tiling(len(shape)))):
        if n % k:
            names, spec = names_of(sharding.spec[d]), sharding.spec.update(
                partitions=(*sharding.spec, *[None] * (len(shape) - len(sharding.spec))))
            raise ValueError(
                message(
                    f"Sharding spec {names} implies that array axis {d} is partitioned {k} times, but does not evenly "
                    f"divide the dimension size {n}. Got shape: {shape} and sharding "
                    f"{ExplicitSharding(sharding.mesh.abstract_mesh, spec)}",
                    fix=f"pad axis {d} to {-(-n // k) * k}, or a spec that has None for it",
                )
            )


def asked_of(p, params: dict) -> Any:
    """Return the explicit sharding that a call asks for its result, if it does."""
    if p.name == "sharding_constraint":
        return None
    found = params.get("sharding")
    found = params.get("out_sharding") if found is None else found
    return found if isinstance(found, (PartitionSpec, NamedSharding)) else None


def _check_context(p, aval) -> None:
    """Raise ValueError if another mesh is set than that of the type of an operand."""
    set_mesh = context_mesh()
    mesh = aval.explicit_sharding.mesh
    if set_mesh is not None and set_mesh.axis_names and set_mesh.abstract_mesh != mesh:
        kinds = dict(zip(set_mesh.axis_names, set_mesh.axis_types))
        if set_mesh.shape == mesh.shape and all([kinds[n] is AxisType.Manual for n in mesh.explicit_axes]):
            raise NotImplementedError(
                message(
                    "Closing over inputs to shard_map where the input is sharded on `Explicit` axes is not "
                    "implemented. As a workaround, please pass those inputs as an argument to shard_map. Got input "
                    f"with shape {aval.str_short(True)}({{Explicit: {mesh.explicit_axes}}})",
                    fix="the array as one more argument, with its spec in in_specs",
                )
            )
        raise ValueError(
            message(
                f"For primitive {p.name}, context mesh {set_mesh.abstract_mesh} should match the aval mesh {mesh} for "
                f"shape {aval.str_short(True)}.",
                why="An operation on arrays over Explicit axes is on the mesh that is set.",
                fix="jax.device_put(x, ...) over the mesh that is set, or jax.set_mesh(x.sharding.mesh)",
            )
        )


def _placed(p, avals, params, out):
    """Return the types of results with how they are divided and in which memory they are."""
    asked = asked_of(p, params)
    divided = [a for a in avals if a.explicit_sharding is not None]
    spaces = {a.memory_space for a in avals if a.ndim}
    if len(spaces) > 1:
        raise _mixed_memories(p, avals)
    space = spaces.pop() if spaces else None
    outs = out if p.multiple_results else [out]
    if space is not None:
        outs = [a.update(memory_space=space) for a in outs]
    if divided or asked is not None:
        sums = _sums_of(p, avals)
        mesh = divided[0].explicit_sharding.mesh if divided else None
        for a in divided:
            if a.explicit_sharding.mesh != mesh:
                raise ValueError(
                    message(
                        f"Mesh for all inputs should be equal. Got one mesh: {mesh} and another mesh: "
                        f"{a.explicit_sharding.mesh}",
                        why=f"They are the meshes of operands of {p.name}, whose axes are of type Explicit.",
                        fix="jax.device_put(x, ...) of one of them, over the mesh of the other",
                    )
                )
        if divided:
            _check_context(p, divided[0])
        if asked is not None:
            _check_sums_asked(p, avals, params, asked)
            outs = [a.update(explicit_sharding=canonical_explicit_sharding(asked, a.shape, mesh)) for a in outs]
        else:
            entries = [[None] * a.ndim for a in outs]
            if any([any(a.explicit_sharding.spec) for a in divided]):
                entries = _entries(p, avals, outs, params, mesh)
            outs = [_as_type(p, avals, a, e, mesh, sums) for a, e in zip(outs, entries)]
    return outs if p.multiple_results else outs[0]


class _Rules(PlacementRules):
    """Placements, as shardings over explicit axes and as axes along which values vary."""

    def results(self, p, avals, params, out):
        if p.joins and (
            any([type(a) is ShapedArray and a.placement is not None for a in avals]) or asked_of(p, params) is not None
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
        return stated_explicit_sharding(sharding, shape)

    def manual(self, aval):
        explicit = aval.explicit_sharding
        manual = () if explicit is None else explicit.mesh.manual_axes
        return ManualAxisType(aval.vma, *[axes.intersection(manual) for axes in sums_of(aval)])

    def whole(self, ndim):
        return whole(ndim)


placements.register(_Rules())


def _entries(p, avals, outs, params, mesh) -> list[list]:
    found = p.sharding_rule
    if found is None and len({a.shape for a in (*avals, *outs)} - {()}) == 1 and not params.keys() & _ALONG:
        found = joined
    if found is None:
        raise refused(
            f"sharding rule for {p.name} is not implemented for operands "
            f"{', '.join([a.str_short(True) for a in avals])}.",
            RESHARD,
        )
    sizes = mesh.shape if mesh is not None else {}
    return entries_of(ShardedCall(p, avals, outs, params, [spec_of(a) for a in avals], sizes, True), found)


_ALONG = {"axis", "axes", "dimension", "dimensions", "dimension_numbers"}


# What is linear in all of its arrays together, of primitives that are not linear as such: positions are operands too.
_MOVE_ELEMENTS = {
    "convert_element_type", "dynamic_update_slice", "optimization_barrier", "select_n", "stop_gradient"}


def _sums_of(p, avals) -> tuple[frozenset, frozenset]:
    """Return over which mesh axes results are unreduced, and reduced."""
    sums = [sums_of(a) for a in avals]
    if any([u for u, _ in sums]):
        return _unreduced(p, avals, sums), frozenset()
    found = next((r for _, r in sums if r), None)
    if found is None or p.name == "dot_general":
        return _NO_SUMS
    positions = p.name.startswith(("gather", "scatter", "dynamic_"))  # which may be the same everywhere
    chosen = avals[1:] if p.name == "select_n" else avals[:1] if positions else avals
    other = next((a for a in chosen if a.ndim and (a.explicit_sharding is None
                                                   or a.explicit_sharding.spec.reduced != found)), None)
    if other is not None:
        raise refused(
            "Inputs cannot be replicated on the same axes that another input is reduced on. Got input type: "
            f"{other.str_short()} and reduced spec: {found}",
            f"jax.reshard(x, P(..., reduced={set(found)})) of the other operands",
        )
    return frozenset(), found


_NO_SUMS: tuple[frozenset, frozenset] = (frozenset(), frozenset())
_REDUCE = "jax.reshard(x, P(...)), which adds up"


def _unreduced(p, avals, sums) -> frozenset:
    """Return over which mesh axes the result of an operation on unreduced values is unreduced."""
    (first, reduced), (second, other) = sums[0], sums[-1]
    if p.name in ("add", "add_any"):
        if first != second:
            which = "lhs" if first else "rhs"
            raise refused(
                f"{which} is unreduced while {'rhs' if first else 'lhs'} is not. `add` operation does not allow this "
                f"because there will be implicit communication. Please reduce {which} via `reshard` before calling "
                "`add`.", _REDUCE)
        return first
    if p.name == "mul":
        if first and second:
            raise refused(
                f"lhs and rhs to `mul` cannot be unreduced since mul is bilinear. Got lhs={first}, rhs={second}",
                _REDUCE)
        known, its_aval = (other, avals[1]) if first else (reduced, avals[0])
        if known != (first or second) and its_aval.ndim:
            one, two = ("RHS", "LHS") if first else ("LHS", "RHS")
            raise refused(
                f"{one} should be reduced along the same axes {two} is unreduced on. Got "
                f"lhs={avals[0].str_short()} and rhs={avals[1].str_short()}", _REDUCE)
        return first or second
    if p.name == "dot_general":
        raise refused(
            f"lhs or rhs passed to dot_general cannot be unreduced. Got lhs={avals[0]!r} and rhs={avals[1]!r}", _REDUCE)
    if p.name == "select_n" and len({u for u, _ in sums[1:]}) > 1:
        raise refused(
            f"select cases must have the same shardings, got [{', '.join([str(a.sharding) for a in avals[1:]])}].",
            _REDUCE)
    if p.linear or p.name in _MOVE_ELEMENTS:
        return next(u for u, _ in sums if u)
    raise NotImplementedError(
        message(f"unreduced rule for {p.name} is not implemented.", why="It is not linear.", fix=_REDUCE))


def _check_sums_asked(p, avals, params, asked) -> None:
    """Raise where a product or a sum is to stay unreduced over other mesh axes than it is a sum over."""
    spec = asked if isinstance(asked, PartitionSpec) else asked.spec
    if not spec.unreduced:
        return
    if p.name == "dot_general":
        left, right = [tuple([spec_of(a)[d] for d in axes])
                       for a, axes in zip(avals, params["dimension_numbers"][0])]
        over = {n for e, f in zip(left, right) if e == f for n in names_of(e)}
        if over != spec.unreduced:
            raise refused(
                "out_sharding's unreduced axes should be equal to the contracting specs. Got unreduced "
                f"axes={spec.unreduced} and contracting spec={left}", "P(...) without unreduced")
    elif p.name == "reduce_sum":
        over = {n for d in params["axes"] for n in names_of(spec_of(avals[0])[d])}
        given = avals[0].explicit_sharding
        if not spec.unreduced <= over | (frozenset() if given is None else given.spec.unreduced):
            raise refused(
                "out_sharding's unreduced axes should be in operand's specs that were summed over. Got "
                f"operand={avals[0]!r}, axes={frozenset(params['axes'])}, unreduced_spec={spec.unreduced}",
                "P(...) without unreduced")


def _as_type(p, avals, aval, entries, mesh, sums):
    names = Counter([n for e in entries for n in names_of(e)])
    twice = [n for n, count in names.items() if count > 1]
    explicit = explicit_over(mesh, entries, *sums) if not twice else None
    if twice:
        shown = ",".join([f"{n}@{e}" if e else f"{n}" for n, e in zip(aval.shape, entries)])
        result = aval.update(explicit_sharding=None).str_short(True).split("[")[0]
        raise refused(
            f"{p.name} operation with inputs: {', '.join([a.str_short(True) for a in avals])} produces an illegally "
            f"sharded result: {result}[{shown}]",
            RESHARD,
        )
    if explicit is not None:
        _check_fits(explicit, aval.shape)
    return aval.update(explicit_sharding=explicit)


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
