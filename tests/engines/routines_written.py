"""A plugin of pytest: the tests that are run must write the code of every routine."""

from __future__ import annotations

from functools import partial

import pytest

from adjoint.engines.native import program, routines  # noqa: F401  (which imports all that write routines)

_written: set[str] = set()


def _noted(name, write, *args):
    _written.add(name)
    return write(*args)


def pytest_configure(config):
    for name, write in routines.writers.items():
        routines.writers[name] = partial(_noted, name, write)


def pytest_sessionfinish(session, exitstatus):
    missing = sorted(routines.writers.keys() - _written)
    if missing and not exitstatus:
        raise pytest.UsageError(f"no test that was run writes the routines {', '.join(missing)}")
