"""The error for memory that is not there: what wanted it, and which arrays hold the rest."""

from __future__ import annotations

import gc
from math import prod

import numpy as np

from ...array.array import ArrayImpl
from ...core.errors import JaxRuntimeError, message

__all__ = ["exhausted"]

_SHOWN = 5


def exhausted(error: MemoryError, what: str) -> JaxRuntimeError:
    """For an operation or a program, `what`, that could not get its memory."""
    found = {id(a._buffer): a for a in gc.get_objects() if type(a) is ArrayImpl and not a.is_gone}
    live = sorted([(_held(a._buffer), a.aval.str_short(True)) for a in found.values()], reverse=True)
    held = ", ".join([f"{text} ({size(count)})" for count, text in live[:_SHOWN]])
    rest = f", and {len(live) - _SHOWN} smaller ones" if len(live) > _SHOWN else ""
    return JaxRuntimeError(
        message(
            f"RESOURCE_EXHAUSTED: Out of memory in {what}. {str(error).rstrip('.')}.",
            why=f"{len(live)} arrays are live with {size(sum([count for count, _ in live]))}: {held}{rest}.",
            fix="del arrays that are not needed any more, donate_argnums for those that a step replaces, "
            "jax.checkpoint around layers, or smaller batches",
        )
    )


def _held(buffer) -> int:
    """The bytes that a buffer's elements take; along an axis of stride 0 they are the same ones."""
    buffer = np.asarray(buffer)
    return prod([n for n, stride in zip(buffer.shape, buffer.strides) if stride]) * buffer.itemsize


def size(count: int) -> str:
    """Bytes as a person reads them."""
    amount, units = float(count), iter(("B", "KiB", "MiB", "GiB", "TiB", "PiB"))
    unit = next(units)
    while amount >= 1024:
        amount, unit = amount / 1024, next(units)
    return f"{amount:.4g} {unit}"
