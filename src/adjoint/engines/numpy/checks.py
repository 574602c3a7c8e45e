"""Traces at the bottom that look at what goes through them: for NaN and infinity, and for transfers.

`jax_debug_nans` and `jax_debug_infs` mean an error where the first NaN or infinity arises.

While one of the options is on, the trace at the bottom is `CheckedTrace`. It looks at every result; a
program whose result is not finite is run again, equation by equation, to find the operation, and a jitted function
that was called is run again as if it were not jitted, so that the traceback ends at the user's line. While they are
off nothing is looked at and nothing costs anything: short cuts test for the ordinary trace at the bottom.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import numpy as np

from ...array.array import ArrayImpl
from ...core import dtypes
from ...core.messages.advice import guarded, place_of, written
from ...core.messages.errors import JaxRuntimeError, advise, message, shorten
from ...core.messages.frames import is_internal, locate, user_frame
from ...core.options.config import local
from ...core.options.logs import logger
from ...core.state import is_backwards
from ...core.trace import state
from ...core.types import Array, aval_of
from ...sharding.device import Device, SingleDeviceSharding, first_sharding
from .eager import EvalTrace
from .floating import quiet

__all__ = ["CheckedTrace", "admit", "found", "guarded_trace", "is_guarded", "transfer", "without_operation"]


_TRANSPARENT = ("remat2", "stop_gradient")  # JAX parity: what they are given goes through them unchecked


class CheckedTrace(EvalTrace):
    """Has another trace evaluate, and raises FloatingPointError for results that are not finite."""

    __slots__ = ("evaluating", "guards")
    runs_programs = runs_again = False

    def __init__(self, evaluating: EvalTrace):
        super().__init__()
        self.evaluating = evaluating
        self.guards = evaluating.guards

    def placed(self, x, is_typed: bool = False):
        return self.evaluating.placed(x, is_typed)

    def process(self, p, args, params):
        out = self.evaluating.process(p, args, params)
        kind = found(out if p.multiple_results else [out])
        if kind is not None:
            if p.stepwise_rule is not None:
                p.stepwise_rule(args, params)
            if p.name in _TRANSPARENT:
                return out
            raise _error(p, args, kind)
        return out

    def run_call(self, p, args, params) -> tuple[list, str | None]:
        """The results of a call of a program, and "nan" or "inf" if one of them has it."""
        outs = self.evaluating.process(p, args, params)
        kind = found(outs)
        if kind is not None:
            logger(__name__, "jax._src.dispatch").warning(
                f"Invalid {kind} value encountered in the output of a jax.jit function. Calling the de-optimized "
                "version."
            )
        return outs, kind


def found(outs) -> str | None:
    """Return "nan" or "inf" if that is looked for and one of the values has it."""
    for x in outs:
        if not isinstance(x, ArrayImpl) or not dtypes.issubdtype(x.aval.dtype, np.inexact):
            continue
        for kind in ("nan", "inf"):
            if getattr(local, f"debug_{kind}s") and _has(x._buffer, kind):
                return kind
    return None


def _has(buffer, kind: str) -> bool:
    # Along an axis that is broadcast all are the same.
    buffer = buffer[tuple([slice(1) if stride == 0 else slice(None) for stride in buffer.strides])]
    token = quiet.enter()
    try:
        return bool(np.any(np.isnan(buffer) if kind == "nan" else np.isinf(buffer)))
    finally:
        quiet.leave(token)


def _error(p, args, kind: str) -> FloatingPointError:
    code, place, *_ = state.source or (None, 0)
    backwards = is_backwards((*state.scopes, *_scopes()))
    why = ["This is the backward pass of that line."] if backwards else []
    for i, x in enumerate(args):
        aval, values = aval_of(x), np.asarray(x._buffer if isinstance(x, ArrayImpl) else x)
        had = aval.dtype.kind in "fcV" and dtypes.issubdtype(aval.dtype, np.inexact) and _has(values, kind)
        already = f" has {kind} already" if had else ""
        why.append(f"Operand {i}{already}: {aval.str_short(True)} {shorten(values.tolist(), 48)}")
    general = f"guard the operand of {p.name}, not only its result:\njnp.where(ok, f(jnp.where(ok, x, 1.)), 0.)"
    fix = advise(guarded, general) if code is None else written(guarded, place_of(code, place, {}), general)
    return FloatingPointError(
        message(
            f"invalid value ({kind}) encountered in {p.name}",
            where=locate(code, place) if code is not None else user_frame(),
            why="\n".join(why), fix=fix,
        )
    )


def without_operation(name: str, kind: str, arguments, outs) -> FloatingPointError:
    """The error for a jitted function that gives a NaN, or an infinity, and none of whose operations does.

    `arguments` are pairs of a name and a value, `outs` the results.
    """
    given = [f"Argument {path} has {kind} already." for path, x in arguments if found([x]) == kind]
    results = [i for i, x in enumerate(outs) if found([x]) == kind]
    why = [f"{kind} is in result{'s' if len(results) > 1 else ''} {', '.join(map(str, results))}.", *given]
    return FloatingPointError(
        message(
            f"('jit({name})', '{kind}'). Because jax_config.debug_nans.value and/or config.jax_debug_infs is set, the "
            "de-optimized function (i.e., the function as if the `jit` decorator were removed) was called in an "
            "attempt to get a more precise error message. However, the de-optimized function did not produce invalid "
            "values during its execution. This behavior can result from `jit` optimizations causing the invalid value "
            "to be produced. It may also arise from having nan/inf literals as inputs or outputs, like "
            "`jax.jit(lambda ...: jax.numpy.nan)(...)`.",
            why="\n".join(why), fix=f"with jax.debug_{kind}s(False): {name}(...), where {kind} is meant to be there",
        )
    )


def _scopes() -> tuple[str, ...]:
    return state.source[2] if state.source and len(state.source) > 2 else ()


# ---- transfers -----------------------------------------------------------------------------------

# On the CPU nothing is copied, but a program that is to run on an accelerator too is looked at here: what NumPy's
# arrays and Python's numbers it gives to jitted functions and to `jnp.array`, and what it puts elsewhere. Operations
# between arrays and numbers are let pass, since there the numbers are part of the program.

_HOST_TO_DEVICE, _DEVICE_TO_DEVICE = "host_to_device", "device_to_device"
_DIRECTIONS = (_HOST_TO_DEVICE, _DEVICE_TO_DEVICE)


def _level(values, direction: str) -> str:
    return getattr(values, f"transfer_guard_{direction}") or values.transfer_guard or "allow"


def is_guarded(values) -> bool:
    """Return whether some transfer is not allowed, by these values of the options."""
    return any(_level(values, direction) != "allow" for direction in _DIRECTIONS)


class GuardedTrace(EvalTrace):
    """Evaluates; functions that take arrays from the user call `admit` before."""

    __slots__ = ()
    guards = True


guarded_trace = GuardedTrace()


def admit(values: Iterable[Any], depth: int = 1) -> None:
    """Raise for values that are not on a device, if the caller `depth` frames above this one's is the user's code."""
    if state.trace.guards and not is_internal(sys._getframe(depth + 1).f_code.co_filename):
        for x in values:
            if not isinstance(x, Array):
                _tell(_HOST_TO_DEVICE, x, first_sharding, False)


def transfer(x, device) -> None:
    """Raise for a value that `device_put` moves, where explicit transfers are not allowed either."""
    target = SingleDeviceSharding(device) if isinstance(device, Device) else device
    if not isinstance(x, Array):
        _tell(_HOST_TO_DEVICE, x, target or first_sharding, True)
    elif target is not None and x.sharding != target:
        _tell(_DEVICE_TO_DEVICE, x, target, True)


def _tell(direction: str, x, target, explicit: bool) -> None:
    level = _level(local, direction)
    if level == "allow" or explicit and not level.endswith("_explicit"):
        return
    what = f"{direction.replace('_', '-')} transfer: aval={aval_of(x)!r}, dst_sharding={target}"
    if level.startswith("log"):
        return logger(__name__, "jax._src.dispatch").warning(what)
    raise JaxRuntimeError(
        message(
            f"INVALID_ARGUMENT: Disallowed {what}",
            why=f"The transfer guard for {direction.replace('_', ' ')} is {level!r}.",
            fix=f"with jax.transfer_guard_{direction}('allow'):" if explicit else
            f"jax.device_put(x) before the call, or with jax.transfer_guard_{direction}('allow'):",
        )
    )
