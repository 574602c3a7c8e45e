"""Where operations on placed arrays run, and where their results are.

Committed operands must agree on the devices. Results stay there: on the one device, or divided over the mesh as
`propagation.py` finds. Computations on the values are the same as anywhere.
"""

from __future__ import annotations

from typing import Any

from ..array.array import ArrayImpl, as_array
from ..array.device import Sharding, SingleDeviceSharding, cpu_device, cpu_devices, cpu_sharding
from ..array.mesh import PartitionSpec
from ..array.placed import PlacedArray, place, place_of, plain
from ..array.sharding import NamedSharding
from ..core.config import local
from ..core.jaxpr import JaxprEqn, Var
from ..core.types import aval_of
from ..prims.family import Elementwise
from .numpy.eager import EvalTrace, eval_trace
from .propagation import is_placing, layouts, mesh_of, of_equation, trimmed

__all__ = ["PlacingTrace", "default_sharding", "on_default", "placed_operation", "placed_program"]


def default_sharding() -> Sharding:
    """The place of results that no operand commits."""
    device = local.default_device
    if device is None or isinstance(device, str) or device is cpu_device:
        return cpu_sharding
    return SingleDeviceSharding(device)


# ---- agreement ------------------------------------------------------------------------------------


def _devices_of(sharding: Sharding) -> tuple:
    if isinstance(sharding, NamedSharding):
        return tuple(sharding.mesh.devices.flat)
    return tuple(sharding.device_set)  # type: ignore[attr-defined]


def agreed(args, names, function: str) -> Sharding | None:
    """The place of the operands that have to stay where they are: one of several devices first."""
    found, first = None, None
    for i, x in enumerate(args):
        sharding = place_of(x) if isinstance(x, ArrayImpl) else None
        if sharding is None:
            continue
        if found is None:
            found, first = sharding, i
        elif set(_devices_of(sharding)) != set(_devices_of(found)):
            raise _incompatible(args, (first, i), names, function)
        elif not isinstance(found, NamedSharding):
            found = sharding
    return found


def _incompatible(args, pair, names, function) -> ValueError:
    def described(i):
        x = args[i]
        ids = sorted(d.id for d in _devices_of(x.place))
        shape = ",".join(map(str, x.shape))
        return (f"argument {names[i]} of {function} with shape {x.dtype.name}[{shape}] and with device ids {ids} "
                "on platform CPU")

    return ValueError(
        "Received incompatible devices for jitted computation. Got " + " and ".join(described(i) for i in pair)
    )


def operand_names(p, count: int) -> list[str]:
    """What messages call the operands of an operation."""
    return ["x", "y"][:count] if isinstance(p, Elementwise) else [f"args[{i}]" for i in range(count)]


# ---- results --------------------------------------------------------------------------------------


def _results(outs, where, entries, args, committed) -> list:
    """The results with their places; `entries` are layouts over the mesh of `where`."""
    if not isinstance(where, NamedSharding):
        return [place(x._buffer, x.aval, where, committed) for x in outs]
    return [place(x._buffer, x.aval, _named(where.mesh, e, x.aval, args)) for x, e in zip(outs, entries)]


def _named(mesh, entries, aval, args) -> NamedSharding:
    """The sharding of a layout: an operand's own, if it means the same and the program does not give one."""
    if isinstance(entries, PartitionSpec):
        return NamedSharding(mesh, entries)
    entries = trimmed(entries)
    for x in args:
        sharding = place_of(x) if isinstance(x, ArrayImpl) else None
        same = isinstance(sharding, NamedSharding) and sharding.mesh is mesh and x.aval.ndim == aval.ndim
        if same and trimmed(sharding.spec) == entries:
            return sharding
    sharding = NamedSharding(mesh, PartitionSpec(*entries))
    if any(n % k for n, k in zip(aval.shape, sharding.tiling(aval.ndim))):
        return NamedSharding(mesh, PartitionSpec())
    return sharding


def layout_of(x) -> tuple:
    """How an operand is divided."""
    sharding = place_of(x) if isinstance(x, ArrayImpl) else None
    return tuple(sharding.spec) if isinstance(sharding, NamedSharding) else ()


def placed_operation(p, args, params):
    """Run a primitive on operands some of which are placed."""
    where = agreed(args, operand_names(p, len(args)), p.name)
    out = eval_trace.process(p, [plain(x) if isinstance(x, PlacedArray) else x for x in args], params)
    outs = out if p.multiple_results else [out]
    entries: list = [()] * len(outs)
    if isinstance(where, NamedSharding):
        invars = [Var(aval_of(x)) for x in args]
        eqn = JaxprEqn(invars, [Var(x.aval) for x in outs], p, params)
        entries = of_equation(eqn, [layout_of(x) for x in args], dict(where.mesh.shape))
    placed = _results(outs, where or default_sharding(), entries, args, where is not None)
    return placed if p.multiple_results else placed[0]


def placed_program(run, closed, args, params) -> list:
    """Run a program that is compiled as `run` on operands, or with constraints, that have places."""
    jaxpr = closed.jaxpr
    args = [x if isinstance(x, ArrayImpl) else as_array(x) for x in args]
    debug = jaxpr.debug_info
    names = [debug.arg_name(i) or f"args[{i}]" if debug else f"args[{i}]" for i in range(len(args))]
    where = agreed(args, names, params.get("name", "f"))
    given: Any = params.get("in_shardings") or ()
    _check_given(given, args)
    mesh = next((s.mesh for s in (*given, *(params.get("out_shardings") or ())) if isinstance(s, NamedSharding)), None)
    if isinstance(where, NamedSharding):
        mesh = where.mesh
    elif mesh is None and is_placing(jaxpr):
        mesh = mesh_of(jaxpr)
    outs = run(*[plain(x) for x in args])
    device = params.get("device")
    if mesh is None:
        target = where or (SingleDeviceSharding(device) if device is not None else default_sharding())
        results = _results(outs, target, (), args, where is not None or device is not None)
    else:
        ins = [tuple(g.spec) if isinstance(g, NamedSharding) else layout_of(x)
               for g, x in zip(given or [None] * len(args), args)]
        entries = layouts(jaxpr, ins, dict(mesh.shape))
        results = _results(outs, NamedSharding(mesh, PartitionSpec()), entries, args, True)
    wanted = params.get("out_shardings") or [None] * len(results)
    return [x if s is None else _laid_out(x, s) for x, s in zip(results, wanted)]


def _laid_out(x, sharding):
    sharding.check_compatible_aval(x.aval.shape)
    return place(x._buffer, x.aval, sharding)


def _check_given(given, args) -> None:
    for x, sharding in zip(args, given):
        if sharding is None:
            continue
        sharding.check_compatible_aval(x.aval.shape)
        actual = place_of(x)
        if actual is not None and not sharding.is_equivalent_to(actual, x.aval.ndim):
            raise ValueError(
                "Sharding passed to jit does not match the sharding on the respective arg. Got jit sharding: "
                f"{sharding},\narg sharding: {actual} for arg type: {x.aval.str_short()}"
            )


# ---- another default device -----------------------------------------------------------------------


class PlacingTrace(EvalTrace):
    """Evaluates while the default device is not the first: results know where they are."""

    __slots__ = ()

    def process(self, p, args, params):
        out = super().process(p, args, params)
        if p.multiple_results:
            return [on_default(x) for x in out]
        return on_default(out)


def on_default(x):
    """A result just made, on the default device."""
    if type(x) is not ArrayImpl or default_sharding() is cpu_sharding:
        return x
    return place(x._buffer, x.aval, default_sharding(), committed=False)


placing_trace = PlacingTrace(None)


def has_other_default(device) -> bool:
    """Whether results go to another device than the first by default."""
    return device is not None and not isinstance(device, str) and device in cpu_devices()[1:]
