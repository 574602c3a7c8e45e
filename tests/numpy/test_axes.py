"""Axes as ranges, arrays, keys of dicts and whatever else gives ints, as in JAX."""

from __future__ import annotations

import numpy as np
import pytest

import adjoint
import adjoint.numpy as jnp
from adjoint import lax, nn

from .expressions import same_concrete

X = np.arange(6, dtype=np.float32).reshape(1, 2, 3)[:, :, :1] * 1.5
FUNCTIONS = (
    "sum", "prod", "max", "min", "all", "any", "ptp", "mean", "var", "std", "average", "median", "nansum", "nanprod",
    "nanmax", "nanmin", "nanmean", "nanvar", "nanstd", "nanmedian", "count_nonzero", "flip", "expand_dims",
)
"""Functions of an array and axes."""
AXES = ("range(1)", "range(-1, 0)", "np.array([0])", "{0: 1, 1: 2}.keys()", "iter([0, 1])", "(i for i in (1, 0))",
        "np.array([], int)", "{1}", "[np.int8(-1), 0]", "np.array(1)")
NOT_IN_JAX = {"count_nonzero": ("np.array", "keys", "{1}")}  # where it needs what can be hashed
