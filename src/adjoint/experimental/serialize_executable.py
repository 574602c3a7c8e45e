"""Compiled programs as bytes: compile in one process, run in another on the same kind of machine.

    payload, in_tree, out_tree = serialize(jit(f).lower(x).compile())
    compiled = deserialize_and_load(payload, in_tree, out_tree)

Programs are compiled by XLA for this, so it needs jaxlib. The bytes are a checksum, a head of JSON, the program and its
constants: to read them runs nothing, and bytes that were changed are refused. To call the program runs it, so call only
what you trust.

Tests: `tests/engines/xla/test_programs.py`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import numpy as np

from ..array.array import as_array
from ..core.messages.boundaries import public
from ..core.messages.errors import message
from ..core.types import ShapedArray
from ..engines.xla.engine import Bound, Executable, executable
from ..engines.xla.runtime import loaded
from ..engines.xla.spmd import SpmdExecutable
from ..sharding.device import devices_of, first_sharding
from ..sharding.explicit import explicit_sharding_of
from ..sharding.mesh import AxisType, Mesh, PartitionSpec
from ..sharding.named_sharding import NamedSharding
from ..stages import Compiled

__all__ = ["deserialize_and_load", "serialize"]

_MAGIC = b"adjoint executable 4\n"
_LENGTH = 8  # bytes of the length of the head


def serialize(compiled: Compiled) -> tuple[bytes, Any, Any]:
    """Return the program as bytes, and the structures of its arguments and results, which stay with you.

    Args:
      compiled: what `jit(f).lower(...).compile()` gives.
    Returns:
      (bytes, structure of the arguments, structure of the results)
    Raises:
      ImportError: jaxlib is not installed.
      ValueError: the program calls back to Python, or says on one device where its values are.

    >>> from adjoint.experimental.serialize_executable import deserialize_and_load, serialize
    >>> data, in_tree, out_tree = serialize(jit(lambda x: x + 1).lower(1.).compile())
    >>> deserialize_and_load(data, in_tree, out_tree)(2.)
    Array(3., dtype=float32, weak_type=True)
    """
    entry = compiled._entry
    if compiled._ahead is not None:
        return _of_several_devices(compiled), compiled.in_tree, compiled.out_tree
    if entry.states_shardings:
        raise ValueError(
            message(
                "A program that says where its values are cannot be serialized.",
                why="It has shardings, or constraints of them, for the devices of this process.",
                fix="jax.export.export(f) for a program that can be compiled elsewhere",
            )
        )
    run = compiled._executable
    if not isinstance(run, Executable | Bound):
        n = len(entry.captured)
        run = executable(entry.params["jaxpr"], entry.params["name"], tuple([i + n for i in entry.donated]))
    if not isinstance(run, Executable | Bound):
        raise ValueError("The program is too long for XLA.\n  Try: scan or fori_loop in place of a Python loop")
    consts = [*getattr(run, "consts", ()), *entry.captured]
    head = dict(
        name=entry.params["name"], ins=_rows(compiled._avals), operands=_rows(run.in_avals), outs=_rows(run.avals),
        donated=list(entry.donated), offered=list(entry.donated),
    )
    return _written(head, run.image(), [np.asarray(c) for c in consts]), compiled.in_tree, compiled.out_tree


def _rows(avals) -> list:
    """Types as JSON."""
    return [(a.shape, a.dtype.name, a.weak_type) for a in avals]


def _of_several_devices(compiled: Compiled) -> bytes:
    """A program over a mesh as bytes."""
    run, entry = compiled._ahead, compiled._entry
    inner = getattr(run, "inner", run)
    consts = [*getattr(run, "consts", ()), *entry.captured]
    mesh, read = inner.spread.mesh, [s is not None for s in compiled._required_places()]
    head = dict(
        name=entry.params["name"], ins=_rows(compiled._avals), operands=[], outs=_rows(run.avals),
        donated=list(entry.donated), shape=mesh.axis_sizes, names=mesh.axis_names,
        types=[t.name for t in mesh.axis_types], devices=[d.id for d in mesh.devices.flat],
        places=[_entries(s.spec) for s in inner.ins], out_places=[_entries(s.spec) for s in inner.outs],
        read=read, offered=[i for i in entry.offered if read[i]],
    )
    return _written(head, inner.image(), [np.asarray(c) for c in consts])


def _entries(spec) -> list:
    """A spec as JSON: names of mesh axes for each axis, and over which the value is to be added up, or has been."""
    return [*[[list(e) if isinstance(e, tuple) else e for e in spec]], sorted(spec.unreduced), sorted(spec.reduced)]


def _place(mesh: Mesh, entries: list) -> NamedSharding:
    axes, unreduced, reduced = entries
    axes = [tuple(e) if isinstance(e, list) else e for e in axes]
    return NamedSharding(mesh, PartitionSpec(*axes, unreduced=set(unreduced), reduced=set(reduced)))


def _written(head: dict, image: bytes, consts: list[np.ndarray]) -> bytes:
    """Return a program as bytes: a head, the image, the constants one after the other."""
    head = {**head, "image": len(image), "consts": [(c.shape, c.dtype.name) for c in consts]}
    text = json.dumps(head).encode()
    parts = [np.ascontiguousarray(c).tobytes() for c in consts]
    content = b"".join([len(text).to_bytes(_LENGTH, "little"), text, image, *parts])
    return _MAGIC + sha256(content).digest() + content


def _read(data: bytes) -> dict:
    """Return what `_written` was given, as one dict. ValueError if the bytes are something else, or end too early."""
    if not isinstance(data, bytes | bytearray | memoryview) or bytes(data[: len(_MAGIC)]) != _MAGIC:
        raise ValueError("they do not begin as one of this version")
    data = memoryview(data).cast("B")
    start = len(_MAGIC) + sha256().digest_size
    if sha256(data[start:]).digest() != data[len(_MAGIC) : start]:
        raise ValueError("they were changed since they were written, or end too early")
    at = start + _LENGTH
    end = at + int.from_bytes(data[start:at], "little")
    head = json.loads(bytes(data[at:end]))
    payload = {**head, "image": bytes(data[end : end + head["image"]]), "consts": []}
    at = end + head["image"]
    for shape, dtype in head["consts"]:
        size = math.prod(shape) * np.dtype(dtype).itemsize
        payload["consts"].append(np.frombuffer(data[at : at + size], np.dtype(dtype)).reshape(shape))
        at += size
    if at != len(data):
        raise ValueError(f"they are {len(data)} bytes, and should be {at}")
    return payload


class _Loaded(Compiled):
    """A compiled program without the function that it was made of."""

    read: Sequence[bool] = ()  # which arguments a program over several devices reads

    def _closed(self):
        return None

    def _required_places(self) -> list:
        ins = self._shardings(None)[0]
        return [s if is_read else None for s, is_read in zip(ins, self.read, strict=True)] if self.read else ins

    def _shardings(self, closed):
        if self._ahead is None:
            return [first_sharding] * len(self._avals), [first_sharding] * len(self._entry.out_avals)
        return self._ahead.ins[len(self._entry.captured) :], self._ahead.outs


class _Entry:
    """The attributes of a traced program that a stage reads."""

    states_shardings = False

    def __init__(self, payload, in_tree, out_tree, out_avals):
        self.params = dict(name=payload["name"], jaxpr=None)
        self.captured = [as_array(c) for c in payload["consts"]]
        self.in_tree, self.out_tree, self.out_avals = in_tree, out_tree, out_avals
        self.donated, self.offered = payload["donated"], payload["offered"]
        self.offered_and_read, self.in_avals = self.offered, _types(payload["ins"])


def deserialize_and_load(
    serialized: bytes, in_tree: Any, out_tree: Any, backend: Any = None, execution_devices: Sequence | None = None
) -> Compiled:
    """Return the compiled program of bytes that `serialize` made.

    Args:
      serialized: the bytes.
      in_tree, out_tree: what `serialize` gave beside the bytes.
      backend: accepted for compatibility.
      execution_devices: of a program over several devices, on which it runs; those it was compiled for by default.
        Others run on the first CPU device.
    Returns:
      A `Compiled`, a function of arguments of the types that it was compiled for.
    Raises:
      ImportError: jaxlib is not installed.
      ValueError: the bytes are something else, or of another version of jaxlib or kind of machine.

    >>> from adjoint.experimental.serialize_executable import deserialize_and_load, serialize
    >>> compiled = jit(lambda x: 2 * x).lower(1.).compile()
    >>> deserialize_and_load(*serialize(compiled))(3.)
    Array(6., dtype=float32, weak_type=True)
    """
    try:
        payload = _read(serialized)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise ValueError(
            message(
                "These bytes are no compiled program.", why=f"{type(error).__name__}: {error}"[:200],
                fix="the first of what serialize(compiled) returned",
            )
        ) from None
    if "devices" in payload:
        return _over_several_devices(payload, in_tree, out_tree, execution_devices)
    n = len(payload["consts"])
    donated = tuple([i + n for i in payload["donated"]])
    run = Executable(loaded(payload["image"]), _types(payload["operands"]), _types(payload["outs"]), donated)
    run.compiled_image = lambda: payload["image"]
    entry = _Entry(payload, in_tree, out_tree, run.avals)
    return _Loaded(entry, _types(payload["ins"]), None, run)


def _types(rows, places=()) -> list[ShapedArray]:
    """The types of rows of JSON, with what these say of where values are."""
    avals = [ShapedArray(tuple(shape), np.dtype(dtype), weak) for shape, dtype, weak in rows]
    if not places:
        return avals
    return [a.update(explicit_sharding=explicit_sharding_of(s, a.ndim)) for a, s in zip(avals, places, strict=True)]


def _over_several_devices(payload: dict, in_tree, out_tree, devices) -> Compiled:
    """The program of `_of_several_devices`."""
    by_id = {d.id: d for d in devices_of(None)}
    if devices is None:
        missing = [i for i in payload["devices"] if i not in by_id]
        devices = [by_id.get(i) for i in payload["devices"]]
    else:
        missing = [] if len(devices) == len(payload["devices"]) else payload["devices"]
    if missing:
        raise ValueError(
            message(
                f"The program was compiled for {len(payload['devices'])} devices, {payload['devices']}.",
                why=f"There are no devices {missing} here." if devices[:1] == [None] or None in devices else
                f"execution_devices has {len(devices)}.",
                fix="as many devices: XLA_FLAGS=--xla_force_host_platform_device_count on CPUs",
            )
        )
    types = tuple([AxisType[t] for t in payload["types"]])
    grid = np.array(devices, dtype=object).reshape(payload["shape"])
    mesh = Mesh(grid, tuple(payload["names"]), axis_types=types)
    ins, outs = [tuple([_place(mesh, e) for e in payload[which]]) for which in ("places", "out_places")]
    n = len(payload["consts"])
    avals = _types(payload["outs"], outs)
    run = SpmdExecutable.of_image(payload["image"], mesh, avals, ins, outs)
    entry = _Entry(payload, in_tree, out_tree, avals)
    compiled = _Loaded(entry, _types(payload["ins"], ins[n:]), None, None, ahead=run)
    compiled.read = payload["read"]
    return compiled

public(globals())
