"""Programs over several devices: one executable of XLA that every device of a mesh runs on its part.

Operands are divided as the call says, or as they are divided already; results too, or as the compiler
found best, which is read back from the executable. The buffers stay with the devices: an array has them as
`Shards`, and the whole is put together only when it is looked at.

Tests: `tests/parallel/test_sharding.py`.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from functools import cache
from math import prod
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...array.array import ArrayImpl, as_array, deleted
from ...array.sharded_array import ShardedArray, of_type, place
from ...core.dtypes import float0
from ...core.jaxpr import ClosedJaxpr, Jaxpr, JaxprEqn, Var
from ...core.passes import operands_read
from ...core.process.locks import once
from ...core.process.memo import Memo, memoized
from ...core.types import ShapedArray
from ...prims.sharding import sharding_constraint
from ...sharding.device import here
from ...sharding.explicit import in_space, with_placement_of
from ...sharding.mesh import Mesh, PartitionSpec
from ...sharding.named_sharding import NamedSharding
from ..numpy.program import as_buffer
from ..placed.program_layout import Layout
from ..placed.propagate import dividing
from .engine import Compiled, _as_keys, _guarded, _key_dtype, _words, stored_type, wait_for_effects
from .module import module_and_steps
from .processes import lost
from .runtime import image, load, loaded, raise_cause, runtime, spmd_options
from .stablehlo import is_ordered

__all__ = ["Shards", "SpmdExecutable", "divided", "executable"]


# ---- devices -------------------------------------------------------------------------------------


@once
def _place_class() -> type:
    rt = runtime()

    class Place(rt.jax.Sharding):
        """A sharding as the runtime reads it."""

        memory_kind = None

        def __init__(self, sharding: NamedSharding):
            super().__init__()
            self.sharding = sharding
            self.devices = _spread(sharding.mesh).devices

        _internal_device_list = property(lambda self: self.devices)

        def _to_xla_hlo_sharding(self, ndim):
            return self.sharding._to_xla_hlo_sharding(ndim)

    return Place


@cache
def _devices_by_id() -> dict:
    return {d.id: d for d in runtime().client.devices()}


@memoized(1024)
def _place(sharding: NamedSharding) -> Any:
    return _place_class()(sharding)


@memoized(256)
def _spread(mesh: Mesh) -> Any:
    """The devices of a mesh, as the runtime has them, and which of them are of this process."""
    found = tuple([_devices_by_id()[d.id] for d in mesh.devices.flat])
    local = [i for i, d in enumerate(mesh.devices.flat) if d.process_index == here.index]
    return SimpleNamespace(
        mesh=mesh, devices=runtime().jax.DeviceList(found), local=[found[i] for i in local], positions=local,
        ids=[d.id for d in found],
    )


@memoized(4096)
def _local_parts(sharding: NamedSharding, shape: tuple[int, ...]) -> list:
    """Return what each device of this process has of an array: (index, which copy of it)."""
    parts = sharding.parts(shape)
    return [parts[i][1:] for i in _spread(sharding.mesh).positions]


# ---- buffers -------------------------------------------------------------------------------------


class Shards:
    """The buffers of an array on the devices of this process, in the order of its mesh."""

    __slots__ = ("array",)

    def __init__(self, array):
        self.array = array

    def parts(self, x: ShardedArray) -> list[np.ndarray]:
        """A view of each."""
        key = _key_dtype(x.aval)
        views = [a._single_device_array_to_np_array_did_copy()[0] for a in self.array._arrays]
        if x.aval.dtype == float0:
            return [np.zeros(v.shape, float0) for v in views]
        return views if key is None else [_as_keys(v, key) for v in views]

    def whole(self, x: ShardedArray) -> np.ndarray:
        """The parts put together; RuntimeError if some are with other processes."""
        sharding = x.place
        if sharding.is_fully_replicated:
            return self.parts(x)[0]
        if not sharding.is_fully_addressable:
            raise RuntimeError(
                "Fetching value for `jax.Array` that spans non-addressable (non process local) devices is not "
                "possible. You can use `jax.experimental.multihost_utils.process_allgather` to print the global array "
                "or use `.addressable_shards` method of jax.Array to inspect the addressable (process local) shards."
            )
        views, out = self.parts(x), None
        for (index, copy), view in zip(_local_parts(sharding, x.aval.shape), views):
            if out is None:
                out = np.empty(x.aval.shape, view.dtype)
            if not copy:
                out[index] = view
        return out  # type: ignore[return-value]

    def moved(self, x: ShardedArray, target) -> ShardedArray:
        """The array divided otherwise: a program that computes nothing."""
        if not isinstance(target, NamedSharding) or target.device_set != x.place.device_set:
            raise ValueError(
                f"device_put cannot move an array from devices of several processes, {x.place}, to other devices, "
                f"{target}.\n  Try: jax.experimental.multihost_utils.process_allgather(x, tiled=True)"
            )
        invar, outvar = Var(x.aval), Var(x.aval)
        params = dict(sharding=target, context_mesh=None, layout=None, unconstrained_dims=frozenset())
        jaxpr = Jaxpr([], [invar], [outvar], [JaxprEqn([invar], [outvar], sharding_constraint, params)])
        return executable(ClosedJaxpr(jaxpr, ()), Layout(x.place.mesh, (x.place,), (target,)), "reshard")([x])[0]

    def ready(self) -> None:
        """Wait until they are computed; raises what went wrong."""
        self.array.block_until_ready()


def divided(buffer: np.ndarray, aval: ShapedArray, sharding: NamedSharding) -> Shards:
    """The parts of a whole that belong to devices of this process, each with its device."""
    parts = [buffer[index] for index, _ in _local_parts(sharding, aval.shape)]
    return put_parts(parts, aval, sharding)


def put_parts(parts: list, aval: ShapedArray, sharding: NamedSharding) -> Shards:
    """The parts of an array, one for each device of this process in the order of the mesh, with their devices."""
    rt, spread, key = runtime(), _spread(sharding.mesh), _key_dtype(aval)
    stored = stored_type(aval)
    if key is not None:
        words = stored.shape[aval.ndim :]
        parts = [_words(p, (*np.shape(p), *words)) for p in parts]
    elif aval.dtype == float0:  # which the runtime has not
        parts = [np.zeros(np.shape(p), stored.dtype) for p in parts]
    # Buffers are lent: they are never written to, and the runtime keeps them alive. Those that are not aligned it
    # copies, in its own time. (Of the other semantics jaxlib 0.10 cannot take one buffer for two devices.)
    return Shards(rt.xc.batched_device_put(
        stored, _place(sharding), [np.asarray(p) for p in parts], spread.local, True, False, rt.zero_copy, True
    ))


def _operand(x: ArrayImpl, sharding: NamedSharding):
    """The runtime's array of an operand, divided as the program wants it."""
    if type(x) is ShardedArray:
        if x.place is sharding or x.place == sharding:
            if x.shards is None:
                if x.is_gone:
                    raise deleted(x)
                x.shards = divided(x._buffer, x.aval, sharding)
            return x.shards.array
        if x.shards is not None and not x.place.is_fully_addressable and not x.place.is_fully_replicated:
            return x.shards.moved(x, sharding).shards.array
    buffer = x._buffer
    if buffer is None:
        raise deleted(x)
    if x.aval.shape:
        return divided(np.asarray(buffer), x.aval, sharding).array
    number = np.asarray(buffer)
    if (found := _numbers.get(key := (number.tobytes(), x.aval, sharding))) is None:
        found = _numbers.keep(key, divided(number, x.aval, sharding).array)
    return found


_numbers = Memo(256)  # scalars over devices, such as the 2 of x * 2


# ---- programs ------------------------------------------------------------------------------------

_loaded = Memo(1024)  # by text and devices: a program traced again need not be compiled again
_turn = threading.Lock()
_COLLECTIVE = re.compile(r"\ball-(gather|reduce|to-all)|\bcollective-|\breduce-scatter|\bcustom-call")
_CHARACTERS_TO_LOOK_AT = 100_000  # of a program, for what its devices exchange: longer ones are awaited


class SpmdExecutable(Compiled):
    """Callable on arrays: arguments -> results, all over one mesh.

    `ins` are the shardings of operands, `alike` others that were found to be equal to them.
    """

    def __init__(self, closed: ClosedJaxpr, layout: Layout, name: str, overrides: tuple = ()):
        self.overrides = overrides
        self.failures: list[Exception] = []  # of functions of the user
        self.has_effects, self.is_ordered = bool(closed.jaxpr.effects), is_ordered(closed.jaxpr)
        self.spread = _spread(layout.mesh)
        self.avals = closed.out_avals
        ins, outs = self._compile(closed, layout, name)
        if None in ins or None in outs:  # an odd division, for which there is no spec
            whole = NamedSharding(layout.mesh, PartitionSpec())
            ins, outs = [tuple([whole if s is None else s for s in found]) for found in (ins, outs)]
            self._compile(closed, layout._replace(ins=ins, outs=outs), name)
        self.ins, self.outs, self.alike = ins, outs, [*ins]
        self.free = [s is None for s in layout.ins]  # operands that were anywhere when it was compiled
        self.handlers = _handlers(self.avals, self.outs)
        self.types = [with_placement_of(a, s) for a, s in zip(self.avals, self.outs)]

    @classmethod
    def of_image(cls, image: bytes, mesh: Mesh, avals, ins: tuple, outs: tuple) -> SpmdExecutable:
        """The executable of the bytes of one."""
        self = cls.__new__(cls)
        self.has_effects = self.is_ordered = False
        self.is_awaited = True
        self.failures = []
        self.spread, self.avals, self.ins, self.outs = _spread(mesh), avals, ins, outs
        self.free, self.alike = [False] * len(ins), [*ins]
        self.loaded = loaded(image, self.spread.devices)
        self.handlers = _handlers(avals, outs)
        self.types = [with_placement_of(a, s) for a, s in zip(avals, outs)]
        self.compiled_image = lambda: image
        return self

    def _compile(self, closed: ClosedJaxpr, layout: Layout, name: str) -> tuple[tuple, tuple]:
        """Compile; the shardings of operands and of results, None for one that no spec describes."""
        mesh = layout.mesh
        stated = [s if is_read else None for s, is_read in zip(layout.ins, operands_read(closed.jaxpr))]
        if mesh.explicit_axes:  # the types say that they are not divided
            whole = NamedSharding(mesh, PartitionSpec())
            layout = layout._replace(ins=tuple([s or whole for s in layout.ins]))
        text, steps = module_and_steps(closed, name, layout)
        self.text = text
        key = text, tuple(self.spread.ids), self.overrides
        self.loaded = _loaded.get(key)
        options = spmd_options(1, mesh.size, np.array([self.spread.ids], np.int32), self.overrides)
        free = [s is None for s in layout.ins]
        options.executable_build_options.allow_spmd_sharding_propagation_to_parameters = free or [False]
        self.compiled_image = None if steps else lambda: image(text, (), self.spread.devices, options)
        if self.loaded is None:
            self.loaded = load(text, [_guarded(s, self.failures) for s in steps], self.spread.devices, options)
            if not steps:
                _loaded.keep(key, self.loaded)
        self.is_awaited = bool(steps) or self.has_effects or len(text) > _CHARACTERS_TO_LOOK_AT or (
            _COLLECTIVE.search(self.loaded.hlo_modules()[0].to_string()) is not None)
        choices = [
            self._chosen(given, found, layout, stated, closed.in_avals, avals) for given, found, avals in (
                (layout.ins, self.loaded.get_parameter_shardings, closed.in_avals),
                (layout.outs, self.loaded.get_output_shardings, closed.out_avals))
        ]
        return choices[0], choices[1]

    def _chosen(self, given, found: Callable, layout: Layout, stated, in_avals, avals) -> tuple:
        """The shardings of operands or results: those that were given, and where there is none the compiler's."""
        is_given = [s is not None and PartitionSpec.UNCONSTRAINED not in s.spec for s in given]
        if all(is_given):
            return given
        typed = layout.typed if given is layout.outs and layout.typed else [True] * len(given)
        rows = zip(given, is_given, found() or [None] * len(given), avals, typed, strict=True)
        return tuple([
            s if known else self._found(hlo, layout.mesh, stated, in_avals, aval, is_typed)
            for s, known, hlo, aval, is_typed in rows
        ])

    def _found(self, proto, mesh: Mesh, stated, in_avals, aval: ShapedArray, is_typed: bool) -> NamedSharding | None:
        """The sharding that the compiler chose for a value: that of its type or of the first operand, if it is alike.

        `stated` are the shardings of operands that are read, None for others.
        """
        spec = PartitionSpec() if proto is None else spec_of(runtime().xc.HloSharding.from_proto(proto), mesh, aval)
        if spec is None:
            return None
        if aval.explicit_sharding is not None and _same(mesh, spec, aval.explicit_sharding.spec):
            return in_space(NamedSharding(mesh, aval.explicit_sharding.spec), aval)
        if mesh.explicit_axes and not spec and is_typed:
            return in_space(NamedSharding(mesh, PartitionSpec(*[None] * aval.ndim)), aval)
        first, its_aval = next(((s, a) for s, a in zip(stated, in_avals) if s is not None), (None, None))
        is_alike = its_aval is not None and (its_aval.ndim, its_aval.memory_space) == (aval.ndim, aval.memory_space)
        if first is not None and first.mesh is mesh and not mesh.explicit_axes and is_alike:
            if _same(mesh, spec, first.spec):
                return in_space(first, aval)
        sharding = in_space(NamedSharding(mesh, spec), aval)
        return None if any(n % k for n, k in zip(aval.shape, sharding.tiling(aval.ndim))) else sharding

    def __call__(self, args) -> list[ShardedArray]:
        return self.run([
            x.shards.array if type(x) is ShardedArray and x.place is s and x.shards is not None else _operand(x, s)
            for x, s in zip(args, self.ins, strict=True)
        ])

    def again(self, args) -> list[ShardedArray] | None:
        """Results for arrays that are with the devices as the program reads them; None if one is not.

        An operand that no call has to leave where it is, as a number, is put there.
        """
        operands = []
        for i, (x, s, is_free) in enumerate(zip(args, self.ins, self.free, strict=True)):
            if type(x) is ShardedArray and x.is_committed:
                place = x.place
                if x.shards is None or place is not s and place is not self.alike[i] and not self._is_alike(i, place):
                    return None
                operands.append(x.shards.array)
            elif is_free:
                operands.append(_operand(x if isinstance(x, ArrayImpl) else as_array(x), s))
            else:
                return None
        return self.run(operands)

    def _is_alike(self, i: int, place) -> bool:
        """Return whether an operand lies as the program reads it; the next call knows the sharding that does."""
        is_alike = place == self.ins[i]
        if is_alike:
            self.alike[i] = place
        return is_alike

    def run(self, operands: list) -> list[ShardedArray]:
        """Results for the runtime's arrays."""
        # One program at a time, if devices wait for each other: those of two in flight could do so for ever.
        if self.is_ordered:
            wait_for_effects()
        with _turn:
            try:
                found = self.loaded.execute_sharded(operands, with_tokens=self.has_effects)
                if self.has_effects:
                    found.consume_token().block_until_ready()
                results = found.consume_with_handlers(self.handlers)
                if results and self.is_awaited:
                    results[0].block_until_ready()
            except RuntimeError as error:
                if (gone := lost(error)) is not None:
                    raise gone from None
                raise_cause(error)
            if self.failures:
                failure = self.failures[0]
                self.failures.clear()
                raise failure
        return [of_type(Shards(r), a, s) for r, a, s in zip(results, self.types, self.outs)]


class _Bound:
    """An executable with the constants of one program, which are its first operands."""

    def __init__(self, inner: SpmdExecutable, consts: list):
        self.inner = inner
        self.consts = consts
        self.ins = inner.ins[len(consts) :]

    def __call__(self, args) -> list[ShardedArray]:
        return self.inner([*self.consts, *args])

    def again(self, args) -> list[ShardedArray] | None:
        return self.inner.again([*self.consts, *args])

    def __getattr__(self, name):
        return getattr(self.inner, name)


def _handlers(avals, outs) -> list:
    """Return what makes arrays of the buffers of results."""
    rt = runtime()
    versioned = () if rt.xc._version >= 480 else (True,)
    rows = zip(avals, outs, strict=True)
    return [rt.xc.array_result_handler(stored_type(a), _place(s), True, *versioned) for a, s in rows]


def _same(mesh: Mesh, spec, other) -> bool:
    """Return whether two specs divide alike: mesh axes of one device do nothing."""
    return dividing(mesh, spec) == dividing(mesh, other)


def spec_of(hlo, mesh: Mesh, aval: ShapedArray) -> PartitionSpec | None:
    """The spec that divides like XLA's sharding; None if there is none."""
    if hlo.is_replicated():
        return PartitionSpec()
    tiles = list(hlo.tile_assignment_dimensions())
    if prod(tiles) != mesh.size:
        return None
    where = np.empty((len(tiles), mesh.size), int)  # at which tile each device is
    devices = np.array(hlo.tile_assignment_devices())
    where[:, devices] = np.indices(tiles).reshape(len(tiles), -1)
    at = np.indices(mesh.axis_sizes).reshape(len(mesh.axis_sizes), -1)
    entries = []
    for d in range(aval.ndim):
        grid = where[d].reshape(mesh.axis_sizes)
        first = (0,) * grid.ndim
        step = [grid[(*first[:i], 1, *first[i + 1 :])] if n > 1 else 0 for i, n in enumerate(mesh.axis_sizes)]
        along = sorted([i for i, s in enumerate(step) if s], key=lambda i: -step[i])
        index = np.zeros(mesh.size, int)
        for i in along:
            index = index * mesh.axis_sizes[i] + at[i]
        if (index != where[d]).any():
            return None
        names = tuple([mesh.axis_names[i] for i in along])
        entries.append(names[0] if len(names) == 1 else names or None)
    while entries and entries[-1] is None:
        entries.pop()
    return PartitionSpec(*entries)


def executable(closed: ClosedJaxpr, layout: Layout, name: str, overrides: tuple = ()) -> Callable:
    """The compiled program: arrays -> arrays; made once. `overrides` are options of the compiler."""
    key = SpmdExecutable, layout, overrides
    found = closed.jaxpr.cache.get(key)
    if found is None:
        jaxpr = closed.jaxpr
        n = len(jaxpr.constvars)
        program = jaxpr.replace(constvars=[], invars=[*jaxpr.constvars, *jaxpr.invars])
        full = layout._replace(ins=(*[None] * n, *layout.ins), donated=(*[False] * n, *layout.donated))
        found = closed.jaxpr.cache.keep(key, SpmdExecutable(ClosedJaxpr(program, ()), full, name, overrides))
    if not closed.consts:
        return found
    replicated = NamedSharding(layout.mesh, PartitionSpec())
    consts = [
        place(as_buffer(c, v.aval), v.aval, replicated) for c, v in zip(closed.consts, closed.jaxpr.constvars)
    ]
    return _Bound(found, consts)
