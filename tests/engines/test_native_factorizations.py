"""LAPACK's routines called from generated code: the bits of the evaluation rules, and no step of Python."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.prims.factorizations import geqrf

from .agreement import both, host_steps

RNG = np.random.default_rng(0)
SQUARE = RNG.standard_normal((5, 5))
STACK = RNG.standard_normal((2, 3, 4, 6))
DEFINITE = SQUARE @ SQUARE.T + 5 * np.eye(5)
linalg = lax.linalg
solve = lambda left, **flags: lambda a, b: linalg.triangular_solve(a, b if left else b.mT, left_side=left, **flags)

CASES = {
    **{
        f"{name} {kind}": (function, x)
        for kind, x in dict(square=SQUARE, wide=STACK, tall=STACK.swapaxes(-1, -2).copy()).items()
        for name, function in {
            "lu": linalg.lu, "geqrf": geqrf,
            "qr": lambda x: linalg.qr(x, full_matrices=False), "whole qr": lambda x: linalg.qr(x, full_matrices=True),
            "svd": lambda x: linalg.svd(x, full_matrices=False), "values": lambda x: linalg.svd(x, compute_uv=False),
            "whole svd": lambda x: linalg.svd(x, full_matrices=True, algorithm=linalg.SvdAlgorithm.QR),
        }.items()
    },
    "cholesky": (linalg.cholesky, np.stack([DEFINITE, -DEFINITE])),  # NaN where there is none
    "eigh": (linalg.eigh, np.stack([DEFINITE, SQUARE + SQUARE.T])),
    "eigh of the upper half": (lambda x: linalg.eigh(x, lower=False), DEFINITE),
    "lu of zeros and NaN": (linalg.lu, np.stack([np.zeros((3, 3)), np.full((3, 3), np.nan)])),
    **{
        f"triangular {left}{lower}{transposed}{unit}": (
            solve(left, lower=lower, transpose_a=transposed, unit_diagonal=unit), SQUARE, RNG.standard_normal((5, 3)))
        for left, lower, transposed, unit in itertools.product((False, True), repeat=4)
    },
    "householder": (linalg.householder_product, SQUARE, RNG.standard_normal(4)),
}


@pytest.mark.parametrize("name", CASES)
def test_bits_of_evaluation(name):
    function, *args = CASES[name]
    with ax.enable_x64(True):
        for dtype in ("float32", "float64"):
            given = [np.asarray(x, dtype) for x in args]
            expected, found, executable = both(ax.make_jaxpr(function)(*given), given)
            assert not host_steps(executable)
            for x, y in zip(expected, found, strict=True):
                assert x.dtype == y.dtype
                np.testing.assert_array_equal(y, x)


def test_solutions_in_a_loop():
    """Each turn solves a system; nothing of it is run from Python."""
    turn = lambda a, x: (jnp.linalg.solve(a, x), jnp.linalg.cholesky(a))
    function = lambda a, x: lax.scan(lambda x, _: turn(a, x), x, None, length=3)
    given = [DEFINITE.astype("float32"), SQUARE[0].astype("float32")]
    expected, found, executable = both(ax.make_jaxpr(function)(*given), given)
    assert not host_steps(executable)
    for x, y in zip(expected, found, strict=True):
        np.testing.assert_allclose(y, x, rtol=1e-5)
