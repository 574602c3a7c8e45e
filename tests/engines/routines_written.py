"""A plugin of pytest: the tests that are run must write the code of every routine."""

from __future__ import annotations

from functools import partial

import pytest

from adjoint.engines.native.graph.view_rules import import_rules
from adjoint.engines.native.program import table  # noqa: F401  (which says where rules are)
from adjoint.engines.native.routines import base

_written: set[str] = set()


def _noted(name, write, *args):
    _written.add(name)
    return write(*args)


def pytest_configure(config):
    import_rules()
    for name, write in base.writers.items():
        base.writers[name] = partial(_noted, name, write)


def pytest_sessionfinish(session, exitstatus):
    missing = sorted(base.writers.keys() - _written)
    if missing and not exitstatus:
        raise pytest.UsageError(f"no test that was run writes the routines {', '.join(missing)}")
