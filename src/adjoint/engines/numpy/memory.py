"""The error for memory that is not there: what wanted it, which arrays hold the rest, and which lines hold them.

An array does not know where it was made. So the arrays are looked for in the variables of the functions that are
running, which is where they are held and where the program has to be changed.
"""

from __future__ import annotations

import gc
import sys
from collections import defaultdict
from math import prod
from typing import Any

import numpy as np

from ...array.array import ArrayImpl
from ...core.messages.errors import JaxRuntimeError, message
from ...core.messages.frames import is_internal
from ...core.tree.registry import flatten_one_level

__all__ = ["exhausted"]

_LARGEST_STEPS_SHOWN = 5
_MAX_CONTAINERS_SEARCHED = 100_000
_SAID = "RESOURCE_EXHAUSTED: Out of memory"  # as XLA's errors begin


def exhausted(error: MemoryError, what: str) -> JaxRuntimeError:
    """Return the error of an operation or a program, `what`, that could not get its memory."""
    found = {id(a._buffer): a for a in gc.get_objects() if type(a) is ArrayImpl and not a.is_gone}
    holders, groups = _holders(), defaultdict(list)
    for a in found.values():
        groups[a.aval.str_short(True), holders.get(id(a), "held elsewhere")].append(_held(a._buffer))
    live = sorted(groups.items(), key=lambda group: -sum(group[1]))
    lines = [
        f"{len(counts)} of {text} ({size(sum(counts))}): {holder}"
        for (text, holder), counts in live[:_LARGEST_STEPS_SHOWN]
    ]
    if len(live) > _LARGEST_STEPS_SHOWN:
        lines.append(f"and {sum([len(counts) for _, counts in live[_LARGEST_STEPS_SHOWN:]])} smaller ones")
    total = size(sum([sum(counts) for counts in groups.values()]))
    wanted = getattr(error, "_total_size", None)  # NumPy's errors know it
    said = str(error)
    if wanted:
        asked = f" allocating {wanted} bytes."
    else:
        asked = said.removeprefix(_SAID) if said.startswith(_SAID) else f" in {what}. {said.rstrip('.')}."
    where = [f"{what} wants {size(wanted)}."] if wanted else []
    return JaxRuntimeError(
        message(
            f"{_SAID}{asked}",
            why="\n".join([*where, f"{len(found)} arrays are live with {total}:", *lines]),
            fix="del arrays that are not needed any more, donate_argnums for those that a step replaces, "
            "jax.checkpoint around layers, or smaller batches",
        )
    )


def _holders() -> dict[int, str]:
    """Return which variable holds an array, of which running function, and where that is: by the array's id."""
    found: dict[int, str] = {}
    seen: dict[int, Any] = {}  # containers, which are kept alive: variables share them, and some hold themselves
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not is_internal(code.co_filename):
            for name, value in list(frame.f_locals.items()):
                at = f"in {name} of {code.co_name}, at {code.co_filename}:{frame.f_lineno}"
                found.update({id(a): found.get(id(a), at) for a in _arrays(value, seen)})
        frame = frame.f_back
    return found


def _arrays(value: Any, seen: dict[int, Any]) -> list[ArrayImpl]:
    """Return the arrays in a tree, without those of containers that were seen before."""
    found, stack = [], [value]
    while stack and len(seen) < _MAX_CONTAINERS_SEARCHED:
        value = stack.pop()
        if isinstance(value, ArrayImpl):
            found.append(value)
        elif id(value) not in seen:
            try:
                apart = value.values() if type(value) is dict else flatten_one_level(value)[0]
            except Exception:  # a leaf, or what a user's function raises
                continue
            seen[id(value)] = value
            stack += apart
    return found


def _held(buffer) -> int:
    """Return the bytes that a buffer's elements take; along an axis of stride 0 they are the same ones."""
    buffer = np.asarray(buffer)
    return prod([n for n, stride in zip(buffer.shape, buffer.strides) if stride]) * buffer.itemsize


def size(count: int) -> str:
    """Bytes as a person reads them."""
    amount, units = float(count), iter(("B", "KiB", "MiB", "GiB", "TiB", "PiB"))
    unit = next(units)
    while amount >= 1024:
        amount, unit = amount / 1024, next(units)
    return f"{amount:.4g} {unit}"
