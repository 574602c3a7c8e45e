"""Random numbers of tests: a module's generator begins anew in each test, from the test's name.

So a test has the same numbers alone, after others and in any order. What a module draws while it is imported, for its
tables, comes from the seed.
"""

from __future__ import annotations

import numpy as np

__all__ = ["begin_anew", "coarse", "stream"]

_streams: list[np.random.Generator] = []


def stream(seed: int = 0) -> np.random.Generator:
    """Return a generator for a whole module."""
    made = np.random.default_rng(seed)
    _streams.append(made)
    return made


def begin_anew(name: str) -> None:
    """Let all generators give the numbers of the test of this name."""
    state = np.random.default_rng(list(name.encode())).bit_generator.state
    for made in _streams:
        made.bit_generator.state = state


def coarse(x: np.ndarray) -> np.ndarray:
    """Return numbers in steps of 1/64: sums of their products are not rounded, so that every BLAS gives the same."""
    return np.round(x * 64) / 64
