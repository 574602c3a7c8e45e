"""The executable of a program, with the NumPy engine behind it for what cannot be compiled."""

from __future__ import annotations

from ...core.errors import message, warn
from ...core.jaxpr import ClosedJaxpr
from ..numpy import program
from .program import Executable

__all__ = ["executable"]

_LONGEST = 30_000  # equations; compiling more takes longer than it saves
_warned = False


def executable(closed: ClosedJaxpr):
    """Compiled once and kept on the jaxpr; if that fails, the NumPy engine's program, with one warning."""
    if len(closed.eqns) > _LONGEST:
        return program(closed)
    found = closed.jaxpr.cache.get(Executable)
    if found is not None and _same(found[0], closed.consts):
        return found[1]
    try:
        made = Executable(closed)
    except (RuntimeError, NotImplementedError, KeyError, IndexError, TypeError, ValueError) as error:
        _warn(error)
        made = program(closed)
    closed.jaxpr.cache[Executable] = list(closed.consts), made
    return made


def _same(before: list, consts: list) -> bool:
    return len(before) == len(consts) and all([a is b for a, b in zip(before, consts)])


def _warn(error: Exception) -> None:
    global _warned
    if not _warned:
        _warned = True
        warn(message(
            "A program could not be compiled; the NumPy engine runs it.",
            why=f"{type(error).__name__}: {error}"[:400],
            fix="report the program with this text; it runs correctly, only slower",
        ))
