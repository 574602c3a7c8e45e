"""A plugin of pytest that runs tests written for JAX on this package: `pytest -p adjoint.pytest`.

The last line of the run says how many programs were compiled, and how long that took, in the workers of pytest-xdist
too.

Tests: `tests/compat/test_as_jax.py`.
"""

from __future__ import annotations

from typing import Any

import pytest

from .compat import install_for_children
from .monitoring import register_event_duration_secs_listener

__all__ = ["pytest_sessionfinish", "pytest_terminal_summary", "pytest_testnodedown"]

_COMPILED = "/jax/core/compile/backend_compile_duration"
_NAME = "adjoint compiled"  # of what a worker sends


class _Total:
    """Programs that were compiled, and the seconds that it took."""

    programs, seconds = 0, 0.0

    def add(self, programs: int, seconds: float) -> None:
        """Count more programs."""
        self.programs, self.seconds = self.programs + programs, self.seconds + seconds


_total = _Total()


def _count(event: str, duration: float, **kwargs: Any) -> None:
    if event == _COMPILED:
        _total.add(1, duration)


def pytest_sessionfinish(session: Any) -> None:
    """Send what a worker has counted."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[_NAME] = (_total.programs, _total.seconds)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Count what a worker has sent."""
    _total.add(*getattr(node, "workeroutput", {}).get(_NAME, (0, 0.0)))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say what was compiled."""
    programs = "1 program" if _total.programs == 1 else f"{_total.programs} programs"
    terminalreporter.write_line(f"adjoint: {programs} compiled in {_total.seconds:.2f} s")


install_for_children()
register_event_duration_secs_listener(_count)
