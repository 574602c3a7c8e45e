"""What tests of the engines share."""

from __future__ import annotations

import pytest

import adjoint as ax


@pytest.fixture
def native():
    """Programs run on the native engine, whatever the suite runs on."""
    before = ax.config.cpu_engine
    ax.config.update("cpu_engine", "native")
    yield
    ax.config.update("cpu_engine", before)
