"""The interface of engines: what one makes of a program, and what everything above the engines may ask of it.

An engine is a function from a closed jaxpr to an `Executable`. What an engine does not say of its own programs has an
answer here: a new engine overrides `__call__`, and the rest as it knows better.

Tests: `tests/engines/xla/test_programs.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["EFFORTS", "Executable"]

# Options of compilation beside those whose names begin with the name of a compiler.
EFFORTS = ("exec_time_optimization_effort", "memory_fitting_effort", "optimization_level")


class Executable:
    """A program that is ready to run: called on the operands' buffers, it returns a list of the results' buffers."""

    __slots__ = ()

    # On arrays, where they need not become buffers; it returns None if one of them has a place of its own.
    arrays: Callable[[Sequence], list | None] | None = None
    is_native = False  # whether nothing of it is left to Python
    arena_size: int | None = None  # bytes for values between its steps, if it knows

    def __call__(self, *buffers) -> list:
        raise NotImplementedError(f"{type(self).__name__} does not define __call__(*buffers)")

    def direct(self) -> Any:
        """Return what a call needs that runs without Python; None if there is no such call."""
        return None

    def as_text(self) -> str | None:
        """Return the program as the engine has it; None if that is the jaxpr."""
        return None

    def cost_analysis(self) -> dict[str, float] | None:
        """Return operations and bytes of a call, as a compiler counts them."""
        return None

    def memory_analysis(self) -> Any:
        """Return sizes in bytes, as a compiler counts them."""
        return None
