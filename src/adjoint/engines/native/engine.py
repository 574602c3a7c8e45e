"""The executable of a program, with the NumPy engine behind it for what cannot be compiled."""

from __future__ import annotations

from weakref import ref

from ...core.jaxpr import ClosedJaxpr
from ...core.messages.errors import message, warn
from ...core.options.config import local
from ...core.options.options import TIERS
from ...core.process.collection import gc_paused
from ...core.process.locks import once
from ...core.process.progress import progress
from ..interface import Executable
from ..numpy import program
from .program import saved_programs
from .program.executable import Program
from .program.program_keys import fingerprint
from .runtime import objects

__all__ = ["executable"]

_MIN_EQUATIONS_TO_LOOK_UP = 32  # equations of a program that is looked for in this process, if none is kept on disk
_FAILURES = ImportError, OSError, RuntimeError, NotImplementedError, KeyError, IndexError, TypeError, ValueError
_MAX_EQUATIONS = 30_000  # equations; compiling more takes longer than it saves


def executable(
    closed: ClosedJaxpr, donated: tuple = (), overrides: tuple = (), final: bool = False
) -> Executable:
    """Compiled once and kept on the jaxpr; if that fails, the NumPy engine's program, with a warning.

    Args:
      donated: positions of operands whose memory results may take.
      overrides: options of compilers; `native_tier` is ours.
      final: whether it must not be made better later.
    """
    if len(closed.eqns) > _MAX_EQUATIONS:
        return program(closed)
    tier = dict(overrides).get("native_tier", "final" if final else local.native_tier)
    if tier not in TIERS:
        raise ValueError(message(f"native_tier is {tier!r}.", why=f"It is one of {TIERS}.", fix="leave it out: 'auto'"))
    found = closed.jaxpr.cache.get((executable, tier, donated))
    if found is not None and _same(found[0], closed.consts):
        return found[1]
    try:
        with gc_paused, progress(f"Compiling {_name(closed)}"):
            made = _executable(closed, tier, donated)
    except _FAILURES as error:
        _warn(error)
        made = program(closed)
    return closed.jaxpr.cache.keep((executable, tier, donated), (list(closed.consts), made))[1]


def _executable(closed: ClosedJaxpr, tier: str, donated: tuple) -> Executable:
    """Return the executable, by its record if the program was compiled before, here or in another process."""
    is_kept = len(closed.eqns) >= _MIN_EQUATIONS_TO_LOOK_UP or objects.folder() is not None
    name = fingerprint(closed, donated) if is_kept else None
    found = saved_programs.load(name) if name is not None else None
    jaxpr, consts = ref(closed.jaxpr), closed.consts
    if found is not None:
        return Program(closed, found, tier, lambda: _compiled(ClosedJaxpr(jaxpr(), consts), "quick", donated))
    made = _compiled(closed, tier, donated)
    if name is not None:
        saved_programs.store(name, made.record())
    return made


@once
def _compiler() -> type:
    """Return the class of compiled programs, which is imported when the first program needs it."""
    from .program.table import Executable as Compiled

    return Compiled


def _compiled(closed: ClosedJaxpr, tier: str, donated: tuple):
    """Return the executable, compiled now."""
    return _compiler()(closed, tier, donated)


def _name(closed: ClosedJaxpr) -> str:
    """Return what a program is called where its progress is shown."""
    about = closed.jaxpr.debug_info
    return f"{about.func_name if about else 'a program'}, {len(closed.eqns)} equations"


def _same(before: list, consts: list) -> bool:
    return len(before) == len(consts) and all([a is b for a, b in zip(before, consts)])


def _warn(error: Exception) -> None:
    warn(message(
        "A program could not be compiled; the NumPy engine runs it.",
        why=f"{type(error).__name__}: {error}"[:400],
        fix="report the program with this text; it runs correctly, only slower",
    ))
