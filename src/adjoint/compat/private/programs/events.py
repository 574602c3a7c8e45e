"""Events while programs are made and run: names of `jax._src.dispatch`, `monitoring` and `source_info_util`.

Tests: `tests/compat/test_private_programs.py`.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .... import monitoring
from ....control_flow.callbacks import effects_barrier
from ....core.jaxpr import ClosedJaxpr, Jaxpr
from ....core.options.config import config
from ....core.options.events import DURATIONS, EVENTS, SCALARS, SPANS
from ....core.primitive import Primitive
from ....core.types import Array
from ....extend.source_info_util import extend_name_stack
from ....interpreters.xla import apply_primitive
from ..python.argnums import InternalFloatingPointError

__all__ = [
    "BACKEND_COMPILE_EVENT", "JAXPR_TO_MLIR_MODULE_EVENT", "JAXPR_TRACE_EVENT", "ExtendNameStackContextManager",
    "JaxStackTraceBeforeTransformation", "LogElapsedTimeContextManager", "check_special", "check_special_array",
    "format_exception_only", "get_intermediate_shardings", "has_user_context", "log_elapsed_time",
    "needs_check_special", "runtime_tokens", "should_tuple_args", "simple_impl", "xla_primitive_callable",
]

JAXPR_TRACE_EVENT = "/jax/core/compile/jaxpr_trace_duration"
JAXPR_TO_MLIR_MODULE_EVENT = "/jax/core/compile/jaxpr_to_mlir_module_duration"
BACKEND_COMPILE_EVENT = "/jax/core/compile/backend_compile_duration"

_log = logging.getLogger("jax._src.dispatch")


class LogElapsedTimeContextManager:
    """A context that logs how long its block takes, and records an event of it.

    Args:
      fmt: a text with `{fun_name}` and `{elapsed_time}`.
      fun_name: what is in the text.
      event: the name of the event; None for none.
    """

    def __init__(self, fmt: str, fun_name: str, event: str | None = None):
        self.fmt, self.fun_name, self.event = fmt, fun_name, event

    def __enter__(self) -> None:
        self.start_time = time.time()

    def __exit__(self, *raised: Any) -> None:
        elapsed = time.time() - self.start_time
        level = logging.WARNING if config.jax_log_compiles else logging.DEBUG
        if _log.isEnabledFor(level):
            _log.log(level, self.fmt.format(fun_name=self.fun_name, elapsed_time=elapsed))
        if self.event is not None:
            monitoring.record_event_duration_secs(self.event, elapsed)


log_elapsed_time = LogElapsedTimeContextManager


def needs_check_special() -> bool:
    """Return whether results are looked at for NaN or infinity."""
    return bool(config.jax_debug_nans or config.jax_debug_infs)


def check_special_array(name: str, arr: Array) -> Array:
    """Return an array; InternalFloatingPointError if it has a NaN or an infinity that is looked for."""
    values = np.asarray(arr)
    if values.dtype.kind in "fc" or values.dtype.name == "bfloat16":
        if config.jax_debug_nans and np.any(np.isnan(values)):
            raise InternalFloatingPointError(name, "nan")
        if config.jax_debug_infs and np.any(np.isinf(values)):
            raise InternalFloatingPointError(name, "inf")
    return arr


def check_special(name: str, bufs: Iterable[Array]) -> None:
    """Raise InternalFloatingPointError if one of some arrays has a NaN or an infinity that is looked for."""
    if needs_check_special():
        for buf in bufs:
            check_special_array(name, buf)


def simple_impl(prim: Primitive) -> None:
    """Let a primitive be run by compiling it alone."""
    prim.def_impl(lambda *args, **params: apply_primitive(prim, *args, **params))


def xla_primitive_callable(prim: Primitive, **params: Any) -> Callable:
    """Return a function that runs a primitive with some parameters."""
    return lambda *args: apply_primitive(prim, *args, **params)


def should_tuple_args(num_args: int, platform: str) -> bool:
    """Return whether a program of so many operands gets them as one."""
    return platform == "tpu" and num_args > 2000


def get_intermediate_shardings(jaxpr: Jaxpr) -> list:
    """Return the shardings that equations of a program ask for, with where they are written."""
    found = []
    for eqn in jaxpr.eqns:
        if "sharding" in eqn.params and eqn.primitive.name == "sharding_constraint":
            found.append((eqn.params["sharding"], eqn.source_info))
        for value in eqn.params.values():
            inner = value.jaxpr if isinstance(value, ClosedJaxpr) else value
            if isinstance(inner, Jaxpr):
                found += get_intermediate_shardings(inner)
    return found


class _RuntimeTokens:
    """The order of effects between programs: they are waited for."""

    def block_until_ready(self) -> None:
        """Wait for all effects."""
        effects_barrier()

    clear = block_until_ready


runtime_tokens = _RuntimeTokens()

# ---- names of scopes, and errors -----------------------------------------------------------------

ExtendNameStackContextManager = extend_name_stack


class JaxStackTraceBeforeTransformation(Exception):
    """The cause of an error in code that was transformed: where that was written."""


def has_user_context(e: BaseException) -> bool:
    """Return whether an error says where transformed code was written."""
    while e is not None:
        if isinstance(e, JaxStackTraceBeforeTransformation):
            return True
        e = e.__cause__  # type: ignore[assignment]
    return False


def format_exception_only(e: BaseException) -> str:
    """Return the type and the text of an error."""
    return "".join(traceback.format_exception_only(type(e), e)).strip()


# ---- listeners -----------------------------------------------------------------------------------


def get_event_listeners() -> list[Callable]:
    """Return the functions that are told of events."""
    return list(EVENTS)


def get_event_duration_listeners() -> list[Callable]:
    """Return the functions that are told how long something took."""
    return list(DURATIONS)


def get_event_time_span_listeners() -> list[Callable]:
    """Return the functions that are told when something began and ended."""
    return list(SPANS)


def get_scalar_listeners() -> list[Callable]:
    """Return the functions that are told of numbers."""
    return list(SCALARS)
