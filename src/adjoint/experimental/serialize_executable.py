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
from ..stages import Compiled

__all__ = ["deserialize_and_load", "serialize"]

_MAGIC = b"adjoint executable 3\n"
_LENGTH = 8  # bytes of the length of the head


def serialize(compiled: Compiled) -> tuple[bytes, Any, Any]:
    """The program as bytes, and the structures of its arguments and results, which stay with you.

    Raises:
      ImportError: jaxlib is not installed.
      ValueError: the program calls back to Python, or runs on several devices.
    """
    from ..engines.xla.engine import Bound, Executable, executable

    entry = compiled._entry
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
    typed = lambda avals: [(a.shape, a.dtype.name, a.weak_type) for a in avals]
    head = dict(
        name=entry.params["name"], ins=typed(compiled._avals), operands=typed(run.in_avals), outs=typed(run.avals),
        donated=list(entry.donated),
    )
    return _written(head, run.image(), [np.asarray(c) for c in consts]), compiled.in_tree, compiled.out_tree


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


class _Entry:
    """The attributes of a traced program that a stage reads."""

    states_shardings = False

    def __init__(self, payload, in_tree, out_tree, out_avals):
        self.params = dict(name=payload["name"], jaxpr=None)
        self.captured = [as_array(c) for c in payload["consts"]]
        self.in_tree, self.out_tree, self.out_avals = in_tree, out_tree, out_avals
        self.donated = payload["donated"]


def deserialize_and_load(
    serialized: bytes, in_tree: Any, out_tree: Any, backend: Any = None, execution_devices: Sequence | None = None
) -> Compiled:
    """The compiled program of bytes that `serialize` made.

    Args:
      in_tree, out_tree: what `serialize` gave beside the bytes.
      backend, execution_devices: accepted for compatibility; the program runs on the first CPU device.
    Raises:
      ImportError: jaxlib is not installed.
      ValueError: the bytes are something else, or of another version of jaxlib or kind of machine.
    """
    from ..engines.xla.engine import Executable
    from ..engines.xla.runtime import loaded

    try:
        payload = _read(serialized)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise ValueError(
            message(
                "These bytes are no compiled program.", why=f"{type(error).__name__}: {error}"[:200],
                fix="the first of what serialize(compiled) returned",
            )
        ) from None
    typed = lambda rows: [ShapedArray(tuple(shape), np.dtype(dtype), weak) for shape, dtype, weak in rows]
    n = len(payload["consts"])
    donated = tuple([i + n for i in payload["donated"]])
    run = Executable(loaded(payload["image"]), typed(payload["operands"]), typed(payload["outs"]), donated)
    run.compiled_image = lambda: payload["image"]
    entry = _Entry(payload, in_tree, out_tree, run.avals)
    return _Loaded(entry, typed(payload["ins"]), None, run)

public(globals())
