"""The stages of a jitted function: `Traced`, `Lowered`, `Compiled`.

    jit(f).trace(*args).lower().compile()(*args)
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from ...array.array import ArrayImpl, as_array
from ...array.sharded_array import ShardedArray, place_of
from ...core import dtypes
from ...core.effects import check_finished
from ...core.jaxpr import ClosedJaxpr, Jaxpr, Literal, effects_of
from ...core.messages.boundaries import guarded
from ...core.messages.errors import message
from ...core.options.config import local
from ...core.trace import Tracer, state
from ...core.tree.differences import tree_difference
from ...core.tree.paths import keystr, result_paths
from ...core.tree.tree import tree_flatten, tree_unflatten
from ...core.types import ShapedArray, aval_of
from ...core.values.changing import is_changing
from ...core.values.refs import AbstractRef
from ...engines.choice import hlo_computation, native_text, stablehlo_module, stablehlo_text
from ...engines.numpy.checks import CheckedTrace, admit, found, without_operation
from ...engines.placed.agreement import check_places_given
from ...engines.placed.dispatch import compiled_ahead
from ...engines.placed.program_layout import this_thread
from ...engines.placed.stated_layouts import known_shardings, stated_layout
from ...sharding.device import Device, SingleDeviceSharding, check_platforms, default_device
from ...sharding.explicit import concrete_mesh, explicit_sharding_of
from ...sharding.layout import Format, Layout
from ...sharding.mesh import Mesh, PartitionSpec
from ...sharding.named_sharding import NamedSharding
from ..calls import run_executable, run_program
from ..flat import argument_names
from ..programs import dce_jaxpr
from .changing import call_holding
from .donations import donors, taken, warn_of_unusable
from .primitive import jit_p
from .staging import ShapeDtypeStruct, typed_results

__all__ = ["ArgInfo", "Compiled", "Lowered", "Traced"]


class ArgInfo:
    """The type of one argument, and whether it is donated.

    Args:
      aval: the type.
      donated: whether the caller gives its memory away.

    >>> (info,), _ = jit(lambda x: x * 2, donate_argnums=0).lower(jnp.ones(3)).args_info
    >>> info.shape, info.dtype, info.donated
    ((3,), dtype('float32'), True)
    """

    __slots__ = ("_aval", "donated")

    def __init__(self, aval: ShapedArray, donated: bool):
        self._aval = aval
        self.donated = donated

    shape = property(lambda self: self._aval.shape, doc="Return the shape of the argument.")
    dtype = property(lambda self: self._aval.dtype, doc="Return the dtype of the argument.")

    def __repr__(self):
        return f"ArgInfo(_aval={self._aval!r}, donated={self.donated})"


class _Stage:
    """The base of the stages: the types and structure of arguments and results."""

    def __init__(self, entry, avals, jitted, places: tuple = (), mesh=None):
        self._entry = entry
        self._avals = avals
        self._jitted = jitted
        self._places = places  # of the arguments that were given
        self._mesh = mesh  # that was set

    @property
    def in_tree(self):
        """Return the structure of the arguments."""
        return self._entry.in_tree

    @property
    def out_tree(self):
        """Return the structure of the result."""
        return self._entry.out_tree

    @property
    def in_avals(self):
        """Return the types of the arguments, as a tree like (args, kwargs)."""
        return tree_unflatten(self.in_tree, self._avals)

    @property
    def args_info(self):
        """Return a tree of `ArgInfo` like (args, kwargs)."""
        infos = [ArgInfo(a, i in self.donate_argnums) for i, a in enumerate(self._avals)]
        return tree_unflatten(self.in_tree, infos)

    @property
    def out_info(self):
        """Return a tree of `ShapeDtypeStruct` like the result."""
        mesh, typed = self._typed_results()
        if mesh is None or not mesh.are_all_axes_explicit:
            typed = [None] * len(typed)
        return self._out_info(typed)

    def _typed_results(self):
        """The mesh that the types of results speak of, and what they say."""
        captured = [place_of(c) if isinstance(c, ArrayImpl) else None for c in self._entry.captured]
        places = [*captured, *self._places]
        return typed_results(self._entry.params["jaxpr"].jaxpr, places, self._mesh)

    def _out_info(self, typed, with_weak_types: bool = True):
        """The results with the shardings that were asked for, or those of `typed`."""
        avals = self._entry.out_avals
        asked = self._entry.params.get("out_shardings") or (None,) * len(avals)
        structs = [
            ShapeDtypeStruct(
                a.shape, a.dtype, sharding=own if s is None else s, weak_type=with_weak_types and a.weak_type)
            for a, s, own in zip(avals, asked, typed, strict=True)
        ]
        return tree_unflatten(self.out_tree, structs)

    @property
    def donate_argnums(self) -> tuple[int, ...]:
        """Return the positions of the flat arguments that are donated."""
        return self._entry.offered

    def _names(self) -> list[str]:
        """The names of the arguments, as they were when the program was traced."""
        if self._jitted is None:
            return argument_names(None, self.in_tree)()
        return argument_names(self._jitted.fun, self.in_tree, self._jitted._position)()

    def _closed(self) -> ClosedJaxpr:
        """Return the program, with what the function closes over as constants."""
        closed: ClosedJaxpr = self._entry.params["jaxpr"]
        captured = self._entry.captured
        if not captured:
            return closed
        jaxpr, n = closed.jaxpr, len(captured)
        jaxpr = jaxpr.replace(
            constvars=jaxpr.invars[:n] + jaxpr.constvars, invars=jaxpr.invars[n:]
        )
        return ClosedJaxpr(jaxpr, [*captured, *closed.consts])

    def _live(self, closed) -> tuple[Jaxpr, list[bool]]:
        """Return what a program needs for its results, and which arguments that reads; all if the caller says so."""
        if self._entry.params.get("keep_unused"):
            return closed.jaxpr, [True] * len(self._avals)
        return dce_jaxpr(closed.jaxpr, [True] * len(closed.out_avals), inside=True)


class _Lowered(_Stage):
    """The base of the stages that know where the call wants the arguments."""

    @property
    def in_avals(self):
        """Return the types of the arguments where the call wants them, as a tree like (args, kwargs)."""
        asked = (self._entry.params.get("in_shardings") or ())[len(self._entry.captured) :] or [None] * len(self._avals)
        avals = [a if s is None else a.update(explicit_sharding=explicit_sharding_of(s, a.ndim))
                 for a, s in zip(self._avals, asked, strict=True)]
        return tree_unflatten(self.in_tree, avals)


@guarded
class Traced(_Stage):
    """A function traced for one type of arguments: its program and what it closes over.

    Made by `jit(f).trace`.

    >>> traced = jit(lambda x: x * 2).trace(1.0)
    >>> traced.jaxpr
    { lambda ; a:f32[]. let b:f32[] = mul a 2.0:f32[] in (b,) }
    """

    @property
    def jaxpr(self) -> ClosedJaxpr:
        """Return the program, with what the function closes over as constants."""
        return self._closed()

    @property
    def fun_name(self) -> str:
        """Return the name of the function."""
        return self._jitted.name

    @property
    def out_avals(self):
        """Return the types of the results, as a tree like the result."""
        return tree_unflatten(self.out_tree, self._entry.out_avals)

    def lower(self, *, lowering_platforms=None, _private_parameters=None) -> Lowered:
        """Translate the program for the engine; return a `stages.Lowered`.

        Args:
          lowering_platforms: the text in StableHLO is for the first of these.
          _private_parameters: for compatibility with JAX; not read.
        """
        entry = self._entry
        check_finished(effects_of(entry.params["jaxpr"].jaxpr))
        kept = self._live(self._closed())[1]
        places = tuple([s if k else None for s, k in zip(self._places, kept)])
        if lowering_platforms is None:
            self._check_devices()
        for sharding, aval in zip(places, self._avals, strict=True):
            if isinstance(sharding, NamedSharding):
                sharding.check_compatible_aval(aval.shape)
        check_places_given(
            entry.params["jaxpr"], entry.params, len(entry.captured), places, self._names, self._mesh)
        is_over_mesh = self._mesh is not None or any([isinstance(s, NamedSharding) for s in places])
        warn_of_unusable(entry, self._places, is_over_mesh or entry.states_shardings)
        return Lowered(entry, self._avals, self._jitted, places, self._mesh, *(lowering_platforms or ())[:1])

    def _check_devices(self) -> None:
        """Raise ValueError if no sharding says which devices the program is for, but only which mesh."""
        check_platforms()
        params = self._entry.params
        meshes = [getattr(s, "mesh", None) for s in (
            *self._places, *params.get("in_shardings", ()), *params.get("out_shardings", ()))]
        meshes = [m for m in meshes if m is not None]
        if self._mesh is None and meshes and not any([isinstance(m, Mesh) for m in meshes]):
            raise ValueError(
                message(
                    "Passing lowering_platforms via jax.export or jit(f).trace(*args).lower(lowering_platforms=...) is "
                    "required when only AbstractMesh exists in a jitted computation. Got context mesh: Mesh()",
                    why=f"Shardings are over {meshes[0]}, which has no devices.",
                    fix='lower(lowering_platforms=("cpu",)), or shardings over a Mesh',
                )
            )


@guarded
class Lowered(_Lowered):
    """A program ready to compile.

    Made by `Traced.lower`.

    >>> lowered = jit(lambda x: x * 2).lower(jnp.ones(3))
    >>> lowered.out_info
    ShapeDtypeStruct(shape=(3,), dtype=float32)
    >>> lowered.compile()(jnp.ones(3))
    Array([2., 2., 2.], dtype=float32)
    """

    def __init__(self, entry, avals, jitted, places: tuple = (), mesh=None, platform: str = ""):
        super().__init__(entry, avals, jitted, places, mesh)
        self._platform = platform

    @property
    def out_info(self):
        """Return a tree of `ShapeDtypeStruct` like the result, over the mesh's devices, without weak types."""
        mesh, typed = self._typed_results()
        if mesh is not None:
            device_mesh = concrete_mesh(SimpleNamespace(mesh=mesh.abstract_mesh), self._places) or mesh
            typed = [None if s is None else NamedSharding(device_mesh, _left_open(s.spec, mesh)) for s in typed]
        promised = None if self._jitted is None else self._jitted._promised(self._entry)
        typed = typed if promised is None else [s if p is None else p for s, p in zip(typed, promised)]
        return self._out_info(typed, with_weak_types=False)

    def as_text(self, dialect: str | None = None, *, debug_info: bool = False) -> str:
        """Return the program as text.

        With `debug_info` operations say from which line of the user's code they come.

        Args:
          dialect: "stablehlo" (the default), "hlo" (needs jaxlib), "jaxpr" or "native".
          debug_info: say from which line of the user's code operations come.
        """
        closed = self._closed()
        if dialect == "jaxpr":
            return str(closed)
        if dialect == "native":
            return native_text(closed)
        if dialect == "hlo":
            return self.compiler_ir("hlo").as_hlo_text()
        if dialect not in (None, "stablehlo"):
            raise ValueError(f"unknown dialect: {dialect}. Valid: 'stablehlo', 'hlo', 'jaxpr', 'native'.")
        entry, (jaxpr, kept) = self._entry, self._live(closed)
        layout = self._stated_layout()
        if layout is not None:
            layout = layout._replace(ins=tuple([s for s, k in zip(layout.ins, kept) if k]))
        return stablehlo_text(
            ClosedJaxpr(jaxpr, closed.consts), self._jitted.name, layout, locations=debug_info,
            platform=self._platform,
            donated=tuple([sum(kept[:i]) for i in donors(entry, self._places, layout is not None) if kept[i]]),
            paths=result_paths(self.out_tree), stated=self._stated(layout, kept),
        )

    def _stated(self, layout, kept) -> tuple[tuple, tuple]:
        """Return where the operands that are `kept`, and the results, are said to be; None for what may be anywhere."""
        p, captured = self._entry.params, len(self._entry.captured)
        if layout is not None:
            return layout.ins, layout.outs
        asked = (p.get("in_shardings") or ())[captured:] or (None,) * len(self._places)
        ins = tuple([s or own for s, own, k in zip(asked, self._places, kept) if k])
        return ins, p.get("out_shardings") or (None,) * len(p["jaxpr"].out_avals)

    def compiler_ir(self, dialect: str | None = None) -> Any:
        """Return the program as jaxlib's object, of MLIR or for "hlo" of XLA; "jaxpr" and "native" are text.

        Args:
          dialect: as for `as_text`.
        """
        if dialect == "hlo":
            return hlo_computation(self.as_text())
        text = self.as_text(dialect)
        return stablehlo_module(text) if dialect in (None, "stablehlo") else text

    def _stated_layout(self):
        """The mesh of the program, if it has one, and the shardings of arguments and results."""
        captured = len(self._entry.captured)
        return stated_layout(self._closed(), self._entry.params, captured, self._places, self._mesh)

    def _check_assigned(self, layout, devices) -> None:
        """Raise if devices to compile for are not those of the program, or are not known."""
        if devices is None:
            raise RuntimeError(
                message(
                    "device_assignment cannot be `None` during compilation. Please pass a tuple of devices to "
                    "`.compile(device_assignment=)`",
                    why=f"The program is over {layout.mesh}, which has no devices.",
                    fix=f"compile(device_assignment=jax.devices()[:{layout.mesh.size}]), or shardings over a Mesh",
                )
            )
        if layout is None:
            one = next((s for s in self._places if isinstance(s, SingleDeviceSharding)), None)
            own = [default_device() if one is None else one._device]
        else:
            own = list(layout.mesh.devices.flat) if isinstance(layout.mesh, Mesh) else list(devices)
        if [d.id for d in own] != [d.id for d in devices]:
            raise ValueError(
                message(
                    "device_assignment passed to `.compile` must match the device_assignment calculated from array "
                    f"shardings and out_shardings. Got device ids passed to compile {[d.id for d in devices]} on "
                    f"platform {devices[0].platform.upper()} and devices ids calculated from array shardings and "
                    f"out_shardings {[d.id for d in own]} on platform {own[0].platform.upper()}",
                    fix=f"compile(device_assignment={tuple(own)})",
                )
            )

    def cost_analysis(self) -> dict[str, float]:
        """Estimated operations and bytes of one call."""
        return cost(self._entry.params["jaxpr"].jaxpr)

    def compile(self, compiler_options=None, *, device_assignment=None) -> Compiled:
        """Compile for the engine of the default device; return a `stages.Compiled`.

        Args:
          compiler_options: options of XLA by name, where that is the engine.
          device_assignment: the devices; needed where the shardings are over a mesh without devices.
        """
        options = dict(self._jitted.compiler_options) | dict((compiler_options or {}).items())
        overrides = tuple(sorted(options.items()))
        entry = self._entry
        layout = self._stated_layout()
        if device_assignment is not None or layout is not None and not isinstance(layout.mesh, Mesh):
            self._check_assigned(layout, device_assignment)
        ahead = compiled_ahead(
            entry.params["jaxpr"], entry.params, len(entry.captured), self._places, self._mesh, overrides)
        on_one = ahead is None and not entry.states_shardings
        executable = entry.compiled(overrides, final=True) if on_one else None
        return Compiled(entry, self._avals, self._jitted, executable, self._places, self._mesh, ahead)


@guarded
class Compiled(_Lowered):
    """A compiled program; call it with arguments of exactly the types it was traced for.

    Made by `Lowered.compile`.

    >>> compiled = jit(lambda x: x * 2).lower(1.0).compile()
    >>> compiled(3.0)
    Array(6., dtype=float32, weak_type=True)
    """

    def __init__(self, entry, avals, jitted, executable=None, places: tuple = (), mesh=None, ahead=None):
        super().__init__(entry, avals, jitted, places, mesh)
        self._executable = executable  # None if calls ask each time where they run
        self._ahead = ahead  # the executable over several devices: arrays -> arrays
        self._required: list | None = None  # places of arguments, None for those that are not read

    def __call__(self, *args, **kwargs):
        """Run the program.

        Args:
          args: arguments by position, of the structure and the types for which it was compiled.
          kwargs: arguments by name.
        Raises:
          TypeError: structure or types are others.
        """
        if local.disable_jit:
            raise ValueError(
                message(
                    "Disable jit is not supported in the AOT path since the function is not available for "
                    f"(jit({self._entry.params['name']}))",
                    fix="the jitted function itself, which runs operation by operation",
                )
            )
        leaves, in_tree = tree_flatten((args, kwargs))
        if in_tree != self.in_tree:
            if any(map(is_changing, leaves)):
                return call_holding(self, args, kwargs)
            raise self._other_tree(in_tree)
        outs = self._run_again(leaves)
        if outs is not None:
            return tree_unflatten(self.out_tree, outs)
        self._check_types(leaves)
        admit(leaves)
        args, outs = [*self._entry.captured, *leaves], None
        closed = self._entry.params["jaxpr"]    # None if it was read from bytes
        params = self._entry.params
        if closed is not None or self._ahead is not None:
            device = self._check_places(leaves)
            params = params if device is None else {**params, "device": device}
        is_checked = isinstance(state.bottom, CheckedTrace)
        if is_checked and closed is not None:
            outs = state.bottom.process(jit_p, args, self._entry.params)
        elif any(type(a) is AbstractRef for a in self._avals):
            outs = jit_p.bind(*args, **self._entry.params)
        elif self._ahead is not None:
            outs = self._ahead([x if isinstance(x, ArrayImpl) else as_array(x) for x in args])
        elif self._executable is not None and params is self._entry.params:
            outs = run_executable(self._executable, args, self._entry.out_avals)
        if outs is None:
            outs = run_program(closed, args, params)
        if is_checked and closed is None and (kind := found(outs)) is not None:
            raise without_operation(self._entry.params["name"], kind, zip(self._names(), leaves), outs)
        if self._entry.offered:
            places = () if self._ahead is None else self._ahead.ins[len(self._entry.captured) :]
            for i in taken(leaves, outs, self._entry, places):
                if isinstance(leaves[i], ArrayImpl):
                    leaves[i].delete()
        return tree_unflatten(self.out_tree, outs)

    call = __call__

    def _run_again(self, leaves) -> list | None:
        """Return the results for arrays that are of its types, and with its devices as it reads them; None for others.
        """
        if self._ahead is None or self._entry.offered or not state.trace.runs_again or this_thread.is_called:
            return None
        for x, aval in zip(leaves, self._avals):
            if type(x) is not ShardedArray or x.aval is not aval:
                return None
        return self._ahead.again([*self._entry.captured, *leaves])

    def _check_places(self, leaves) -> Device | None:
        """Return the one device to which arguments were committed when the program was compiled, if they were.

        Raises:
          ValueError: arguments that have to stay where they are are not where the program reads them.
        """
        if self._required is None:
            self._required = self._required_places()
        wrong = []
        for i, (x, sharding) in enumerate(zip(leaves, self._required)):
            where = place_of(x) if isinstance(x, ArrayImpl) else None
            if sharding is where or sharding is None or where is None:
                continue
            if not sharding.is_equivalent_to(where, x.ndim):
                wrong.append((i, where, sharding))
        if wrong:
            names = self._names()
            lines = [
                f"Argument {names[i]} with shape {leaves[i].aval.str_short()}:\n  Passed sharding: {where}\n"
                f"  Required sharding: {sharding}" for i, where, sharding in wrong
            ]
            raise ValueError(
                message(
                    "Computation was compiled for input shardings that disagree with the shardings of arguments passed "
                    f"to it. Here are the {len(wrong)} mismatches:\n" + "\n".join(lines),
                    fix="jax.device_put(x, compiled.input_shardings[0][i]) before the call, or the jitted function",
                )
            )
        asked = (self._entry.params.get("in_shardings") or ())[len(self._entry.captured) :]
        one = next((s for s in (*asked, *self._places) if s is not None), None)
        return one._device if isinstance(one, SingleDeviceSharding) and self._ahead is None else None

    def _required_places(self) -> list:
        """Return where the program reads each argument; None for those that it does not read."""
        closed = self._closed()
        kept = self._live(closed)[1]
        return [s if k else None for s, k in zip(self._shardings(closed)[0], kept, strict=True)]

    def _other_tree(self, in_tree) -> TypeError:
        """Return the error of a call with arguments of another structure."""
        differences = tree_difference(self.in_tree, in_tree)
        lines = []
        for d in differences:
            place = ("args", "kwargs")[d.path[0].idx] + keystr(d.path[1:])
            lines.append(f"\n    * at {place}, seen {d.left} but now given {d.right}: {d.why}")
        return TypeError(
            message(
                "Function compiled with input pytree does not match the input pytree it was called with. "
                f"There are {len(differences)} mismatches, including:{''.join(lines)}",
                fix="call the jitted function, which compiles for other structures",
            )
        )

    def _check_types(self, leaves) -> None:
        mismatches = []
        for i, (expected, x) in enumerate(zip(self._avals, leaves)):
            if isinstance(x, Tracer):
                raise TypeError(
                    message(
                        "Cannot apply JAX transformations to a function lowered and compiled for a particular "
                        f"signature. Detected argument of Tracer type {type(x)}.",
                        fix="the jitted function itself, which can be transformed",
                    )
                )
            got = aval_of(x)
            if (got.shape, got.dtype) != (expected.shape, expected.dtype):
                mismatches.append((i, expected.str_short(), got.str_short()))
        if mismatches:
            names = self._names()
            lines = [f"Argument '{names[i]}' compiled with {a} and called with {b}" for i, a, b in mismatches]
            raise TypeError(
                "Argument types differ from the types for which this computation was compiled. Perhaps you are calling "
                "the compiled executable with a different enable_x64 mode than when it was AOT compiled? The "
                "mismatches are:\n" + "\n".join(lines) +
                "\n  Try: call the jitted function, which compiles for new types."
            )

    def as_text(self) -> str:
        """Return what the engine runs: XLA's optimised program, the native engine's table, or the jaxpr."""
        made = self._made
        return made and made.as_text() or str(self._entry.params["jaxpr"])

    @property
    def _made(self) -> Any:
        """The engine's object of the program; None if calls ask each time where they run."""
        return self._executable if self._ahead is None else self._ahead

    def cost_analysis(self) -> dict[str, float]:
        """Estimated operations and bytes of one call, on one device."""
        made = self._made
        return made and made.cost_analysis() or cost(self._entry.params["jaxpr"].jaxpr)

    def memory_analysis(self) -> Any:
        """Sizes of arguments, results and intermediate values in bytes, on one device."""
        made = self._made
        if made is not None and (sizes := made.memory_analysis()) is not None:
            return sizes
        closed = self._closed()
        live, kept = self._live(closed)
        donated = sum([self._avals[i].nbytes for i in self.donate_argnums])
        return memory(ClosedJaxpr(live, closed.consts), donated, made and made.arena_size)

    def runtime_executable(self) -> Any:
        """The engine's object."""
        return self._made if self._ahead is None else self._ahead.loaded

    @property
    def input_shardings(self):
        """Return a tree of shardings like (args, kwargs); None for what the program does not read."""
        return self._input_places(lambda sharding, aval: sharding)

    @property
    def output_shardings(self):
        """Return a tree of shardings like the result."""
        return self._output_places(lambda sharding, aval: sharding)

    @property
    def input_formats(self):
        """Return a tree of `Format`s like (args, kwargs): a layout and a sharding."""
        return self._input_places(_format_of)

    @property
    def output_formats(self):
        """Return a tree of `Format`s like the result."""
        return self._output_places(_format_of)

    @property
    def out_info(self):
        """Return a tree of `ShapeDtypeStruct` like the result, with layouts and shardings."""
        return self._output_places(lambda s, a: ShapeDtypeStruct(a.shape, a.dtype, sharding=_format_of(s, a)))

    def _input_places(self, told):
        places = self._required_places()
        return tree_unflatten(self.in_tree, [told(s, a) for s, a in zip(places, self._avals, strict=True)])

    def _output_places(self, told):
        places = self._shardings(self._closed())[1]
        return tree_unflatten(self.out_tree, [told(s, a) for s, a in zip(places, self._entry.out_avals, strict=True)])

    def _shardings(self, closed):
        captured = len(self._entry.captured)
        if self._ahead is not None:
            return self._ahead.ins[captured:], self._ahead.outs
        return known_shardings(closed, self._entry.params, captured, self._places, self._mesh)


def _left_open(spec, mesh) -> PartitionSpec:
    """A spec that leaves axes to the compiler of which types do not speak, over a mesh whose axes are not all explicit.
    """
    if mesh.are_all_axes_explicit:
        return spec
    return PartitionSpec(*[PartitionSpec.UNCONSTRAINED if e is None else e for e in spec])


def _format_of(sharding, aval) -> Format:
    """Say where an array is, and that its axes are in their order; nothing if it is nowhere."""
    if sharding is None:
        return Format()
    ndim = aval.ndim
    if isinstance(aval.dtype, dtypes.ExtendedDType):  # keys have their words in further axes
        ndim += len(aval.dtype._impl.key_shape)
    return Format(Layout(tuple(range(ndim)), ()), sharding)


@dataclass
class CompiledMemoryStats:
    """Bytes that a compiled program needs on its device, and in the memory of the host beside it."""

    argument_size_in_bytes: int
    output_size_in_bytes: int
    temp_size_in_bytes: int
    alias_size_in_bytes: int
    peak_memory_in_bytes: int
    generated_code_size_in_bytes: int = 0
    host_argument_size_in_bytes: int = 0
    host_output_size_in_bytes: int = 0
    host_temp_size_in_bytes: int = 0
    host_alias_size_in_bytes: int = 0
    host_generated_code_size_in_bytes: int = 0
    serialized_buffer_assignment_proto: bytes = b""


def _bytes(aval) -> int:
    return aval.size * aval.dtype.itemsize


# What moves elements and computes nothing.
_MOVES = frozenset("""broadcast_in_dim reshape transpose squeeze expand_dims slice dynamic_slice dynamic_update_slice
    gather rev concatenate pad copy copy_p iota stop_gradient device_put sharding_constraint layout_constraint reshard
    split optimization_barrier""".split())


def cost(jaxpr) -> dict[str, float]:
    """Operations and bytes: one per element of an element-wise result, two per product of a dot, none of a move."""
    flops = moved = 0.0
    for eqn in jaxpr.eqns:
        inner = [x for x in eqn.params.values() if isinstance(x, ClosedJaxpr)]
        turns = eqn.params.get("length", 1) if eqn.primitive.name == "scan" else 1
        for closed in inner:
            part = cost(closed.jaxpr)
            flops += turns * part["flops"]
            moved += turns * part["bytes accessed"]
        if inner:
            continue
        out = eqn.outvars[0].aval
        if eqn.primitive.name == "dot_general":
            (contracted, _), _ = eqn.params["dimension_numbers"]
            depth = 1
            for d in contracted:
                depth *= eqn.invars[0].aval.shape[d]
            flops += 2.0 * out.size * depth
        elif eqn.primitive.name.startswith(("reduce_", "arg", "cum")):
            flops += eqn.invars[0].aval.size
        elif eqn.primitive.name not in _MOVES:
            flops += out.size
        moved += sum(_bytes(v.aval) for v in (*eqn.invars, *eqn.outvars))
    return {"flops": flops, "bytes accessed": moved}


def memory(closed: ClosedJaxpr, donated: int = 0, temporary: int | None = None) -> CompiledMemoryStats:
    """Sizes from the liveness of the program's values.

    Args:
      donated: the bytes of arguments whose memory results take.
      temporary: those of intermediate values, if the engine knows.
    """
    jaxpr = closed.jaxpr
    ends: dict = {}
    for i, eqn in enumerate(jaxpr.eqns):
        for v in eqn.invars:
            ends[v] = i
    kept = set(jaxpr.outvars) | set(jaxpr.invars) | set(jaxpr.constvars)
    live = peak = 0
    for i, eqn in enumerate(jaxpr.eqns):
        made = [v for v in eqn.outvars if v not in kept]
        live += sum(_bytes(v.aval) for v in made)
        peak = max(peak, live)
        done = {v for v in eqn.invars if ends.get(v) == i and v not in kept and type(v) is not Literal}
        live -= sum(_bytes(v.aval) for v in done)
        live -= sum(_bytes(v.aval) for v in made if v not in ends)
    peak = peak if temporary is None else temporary
    ins, outs = sum(map(_bytes, closed.in_avals)), sum(map(_bytes, closed.out_avals))
    return CompiledMemoryStats(ins, outs, peak, donated, ins + outs + peak - donated)
