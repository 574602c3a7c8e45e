"""The choice between the engines, for the default device and by the option `cpu_engine`.

An engine is imported by the first program that it compiles, since LLVM and jaxlib may be absent.

Tests: `tests/engines/native/test_engine.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from ..core.effects import check_finished
from ..core.jaxpr import ClosedJaxpr, Jaxpr, effects_of
from ..core.messages.errors import JaxRuntimeError, message, warn
from ..core.options.config import local
from ..core.process.locks import once
from ..core.process.memo import fact
from ..core.trace import current, stage_closed, state
from ..prims.discharge import without_refs
from ..prims.sharding import inspections
from ..sharding.device import engine_name, first_sharding, here
from .interface import EFFORTS, Executable
from .numpy import program

__all__ = [
    "before_compiling", "check_options", "compiled", "compiled_loop", "compiled_on_host", "hlo_computation",
    "native_text", "prepare", "stablehlo_module", "stablehlo_text", "wait_for_effects",
]

before_compiling: list[Callable[[], None]] = []  # called before a program is compiled, which they may refuse


@fact
def _show_shardings(jaxpr: Jaxpr) -> None:
    for callback in inspections(jaxpr):
        callback(first_sharding)


def compiled(
    closed: ClosedJaxpr, name: str = "f", donated: tuple = (), overrides: tuple = (), final: bool = False
) -> Executable:
    """Return the executable of a program on the engine of the default device; made once.

    Args:
      name: of the function, as printed programs show it.
      donated: positions of operands whose memory results may take.
      overrides: (name, value) pairs of options of the compiler, for engines that have them.
      final: whether the best code is wanted at once, by an engine that makes it when a program is called again.
    """
    check_finished(effects_of(closed.jaxpr))
    for tell in before_compiling:
        tell()
    _show_shardings(closed.jaxpr)
    closed = without_refs(closed)
    engine = engine_name()
    if engine == "xla":
        from .xla.engine import executable

        return executable(closed, name, donated, overrides)
    if overrides:
        check_options(overrides)
    if engine == "native":
        return _native()(closed, donated, overrides, final)
    return program(closed)


def check_options(overrides: tuple) -> None:
    """Raise for options that no compiler has; which ones XLA has, and of which values, XLA says if it is there.

    Raises:
      JaxRuntimeError: there is no option of a name, or it has no such value.
      TypeError: a name is not a text.
    """
    from .xla.runtime import check_flags, has_jaxlib

    if (flags := tuple([o for o in overrides if str(o[0]).startswith("xla_")])) and has_jaxlib():
        check_flags(flags)
    for name, _ in overrides:
        if not isinstance(name, str):
            raise TypeError(f"The names of compiler_options are texts, got {name!r}.\n  Try: the name of a flag of XLA")
        if not name.startswith(("xla_", "native_")) and name not in EFFORTS:
            raise JaxRuntimeError(message(
                f"INVALID_ARGUMENT: No such compile option: '{name}'",
                why="compiler_options are XLA's, whose names begin with xla_, and native_tier.",
                fix='jit(f, compiler_options={"native_tier": "final"}) for the best code at once',
            ))


def compiled_on_host(closed: ClosedJaxpr) -> Executable:
    """Return the executable of a program on the CPU, where that is not the default device."""
    return _native()(closed, (), (), False) if local.cpu_engine == "native" else program(closed)


def _evaluated(closed, *_):
    return program(closed)


@once
def _native():
    """Return what makes executables of the native engine; the NumPy engine's if LLVM cannot be loaded."""
    try:
        from .native.engine import executable
    except (ImportError, OSError) as error:
        warn(message(
            "Programs run on the NumPy engine: LLVM cannot be loaded.", why=f"{type(error).__name__}: {error}",
            fix="pip install --force-reinstall llvmlite; or ADJOINT_CPU_ENGINE=numpy, which asks for no LLVM",
        ))
        return _evaluated
    return executable


def wait_for_effects() -> None:
    """Wait until the effects of all programs that were started have happened."""
    engine = sys.modules.get(f"{__package__}.xla.engine")  # the only one whose calls return before that
    if engine is not None:
        engine.wait_for_effects()


def prepare(jitted, entry, form, fast_path=None) -> None:
    """Make calls of a jitted function or fast path like one of this entry short; `form()`: how arguments are given."""
    if here.plugin is None and local.cpu_engine != "numpy" and _native() is not _evaluated:
        from .native.call.prepare import attach

        attach(jitted, entry, form, fast_path)


def compiled_loop(p, body: ClosedJaxpr, avals, params) -> Executable | None:
    """Return the executable of a loop that is run outside of `jit`, or None unless its engine has code for all of it.
    """
    if engine_name() != "native":
        return None
    key = (p, tuple(avals), *params.values())
    known = body.jaxpr.cache
    if key not in known:
        known[key] = None  # also while it is compiled, since a part without code is evaluated
        with current(state.bottom):
            made = compiled(stage_closed(lambda *args: p.bind(*args, **params), avals))
        known[key] = made if made.is_native else None
    return known[key]


def native_text(closed: ClosedJaxpr) -> str:
    """Return the text of a program for the native engine: its table and its code."""
    from .native.program.table import Executable as NativeExecutable

    return NativeExecutable(without_refs(closed)).as_text()


def stablehlo_text(closed: ClosedJaxpr, name: str, layout: Any = None, **options: Any) -> str:
    """Return the text of a program in StableHLO; `options` are those of `xla/module.py`."""
    from .xla.module import module_text

    return module_text(without_refs(closed), name, layout, **options)


def stablehlo_module(text: str) -> Any:
    """Return jaxlib's object of MLIR of a program in StableHLO; the text itself without jaxlib."""
    from .xla.runtime import has_jaxlib, parsed

    return parsed(text) if has_jaxlib() else text


def hlo_computation(text: str) -> Any:
    """Return jaxlib's object of a program in StableHLO."""
    from .xla.runtime import computation

    return computation(text)
