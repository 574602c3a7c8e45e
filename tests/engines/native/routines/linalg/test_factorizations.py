"""LAPACK's routines called from generated code: the bits of the evaluation rules, and no step of Python."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
from tests.engines.agreement import both, host_steps
from tests.streams import stream

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.prims.factorizations import geqrf, ormqr

RNG = stream()
SQUARE = RNG.standard_normal((5, 5))
STACK = RNG.standard_normal((2, 3, 4, 6))
DEFINITE = SQUARE @ SQUARE.T + 5 * np.eye(5)
ALSO = np.stack([SQUARE, DEFINITE, np.eye(5)[::-1], np.full((5, 5), np.nan)][:3])
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
    **{f"schur {v}": (lambda x, v=v: linalg.schur(x, compute_schur_vectors=v), ALSO) for v in (True, False)},
    "hessenberg": (linalg.hessenberg, ALSO), "tridiagonal": (linalg.tridiagonal, ALSO + ALSO.mT),
    "tridiagonal, upper": (lambda x: linalg.tridiagonal(x, lower=False), ALSO + ALSO.mT),
    "of one element": (lambda x: [*linalg.hessenberg(x), *linalg.tridiagonal(x), *linalg.schur(x)], SQUARE[:1, :1]),
    **{f"reflections {left}{t}": (
        lambda a, taus, c, left=left, t=t: ormqr.bind(a, taus, c if left else c.mT, left=left, transpose=t),
        STACK.mT, STACK[..., 0], STACK.mT) for left, t in itertools.product((False, True), repeat=2)},
    "pivots": (lambda x: linalg.lu_pivots_to_permutation(linalg.lu(x)[1], 9), STACK),
    "qr with pivots": (lambda x: linalg.qr(x, pivoting=True, full_matrices=False), STACK),
    "whole qr with pivots": (lambda x: linalg.qr(x, pivoting=True, full_matrices=True), STACK.mT),
    "three diagonals": (linalg.tridiagonal_solve, STACK[..., 0], 3 + STACK[..., 1], STACK[..., 2], STACK),
    "three diagonals that are singular": (linalg.tridiagonal_solve, *[np.zeros(3)] * 3, np.ones((3, 2))),
    "three diagonals that become regular": (
        lambda *xs: linalg.tridiagonal_solve(*xs, perturb_singular=True), STACK[..., 0],
        3 * STACK[..., 1] * (np.arange(4) != 2), STACK[..., 2], STACK),
    "one diagonal": (linalg.tridiagonal_solve, *np.array([[1.0], [2], [3]]), np.ones((1, 3))),
}


REAL = ("pivots", "lu of", "of one", "one diagonal", "three diagonals that become")


@pytest.mark.parametrize("name", CASES)
def test_bits_of_evaluation(name):
    function, *args = CASES[name]
    with ax.enable_x64(True):
        for dtype in ("float32", "float64", *(() if name.startswith(REAL) else ("complex64", "complex128"))):
            given = [np.asarray(x, dtype) * (1 if dtype[0] == "f" else np.exp(0.3j * x).astype(dtype)) for x in args]
            if name.startswith(("cholesky", "eigh")) and dtype[0] == "c":
                given = [(x + x.swapaxes(-1, -2).conj()) / 2 for x in given]
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


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
def test_eigenvalues_of_any_matrix_and_small_products(dtype):
    """Conjugate pairs too, NaN where there are none; and what does not round as BLAS does."""
    stack = np.stack([SQUARE, np.eye(5)[::-1] - SQUARE, np.roll(np.eye(5), 1, 0), np.full((5, 5), np.nan)])
    updated = lambda x, v: linalg.cholesky_update(jnp.linalg.cholesky(x, upper=True), v)
    function = lambda x, d, v: [
        *linalg.eig(x), *linalg.eig(x, compute_right_eigenvectors=False)[:1], updated(d, v),
        linalg.symmetric_product(x[:2], x[:2], alpha=2.0, beta=-1.0),
        linalg.symmetric_product(d, d, alpha=0.5, beta=0.0), *linalg.eigh(d), *linalg.qr(d), linalg.cholesky(d),
    ]
    with ax.enable_x64(True), np.errstate(all="ignore"):
        given = [jnp.asarray(x, dtype) for x in (stack, DEFINITE, SQUARE[0])]
        if given[0].dtype.itemsize == 2:
            function = lambda x, d, v: [linalg.symmetric_product(x[:2], x[:2], alpha=2.0), linalg.cholesky(d)]
        found, expected, executable = both(ax.make_jaxpr(function)(*given), given)
    assert not host_steps(executable)
    tolerance = {2: 2e-2, 4: 2e-5, 8: 1e-13}[given[0].dtype.itemsize]
    for x, y in zip(expected, found, strict=True):
        assert x.dtype == y.dtype
        wide = np.complex128 if x.dtype.kind == "c" else np.float64
        np.testing.assert_allclose(y.astype(wide), x.astype(wide), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_matrices(dtype):
    """Eigenvalues, conjugates in triangular systems, and all of it in loops and batches."""
    z = (STACK[..., :4] * np.exp(0.5j * STACK[..., 2:])).astype(dtype)
    z = np.concatenate([z[0], np.full((1, 4, 4), np.nan, dtype)])
    definite = z[:3] @ z[:3].conj().swapaxes(-1, -2) + 3 * np.eye(4)
    flags = itertools.product((False, True), repeat=3)
    solves = [dict(left_side=s, transpose_a=t, conjugate_a=c, lower=True) for s, t, c in flags]

    def function(z, d):
        step = lambda c, x: (linalg.cholesky(x) @ c / 9, linalg.eigh(x)[1] + abs(linalg.lu(c)[0]).sum())
        return [
            *linalg.eig(z), *linalg.eig(z[:3], compute_left_eigenvectors=False, compute_right_eigenvectors=False),
            *[linalg.triangular_solve(d, z[:3], **how) for how in solves], *lax.scan(step, d[0], d),
            jnp.linalg.solve(d, z[:3]), ax.vmap(lambda x: linalg.qr(x)[1], 2)(z[:3].transpose(1, 2, 0)),
        ]

    with ax.enable_x64(True), np.errstate(all="ignore"):
        given = z, definite.astype(dtype)
        found, expected, executable = both(ax.make_jaxpr(lambda *xs: ax.tree.leaves(function(*xs)))(*given), given)
    assert not host_steps(executable)
    for x, y in zip(expected, found, strict=True):
        assert x.dtype == y.dtype
        tolerance = 2e-3 if dtype == "complex64" else 1e-10
        np.testing.assert_allclose(y, x, rtol=tolerance, atol=tolerance)


def test_blas_has_its_threads_back_after_calls_for_small_matrices():
    import ctypes

    from scipy.linalg import cython_lapack

    library = ctypes.CDLL(cython_lapack.__file__)
    if not hasattr(library, "scipy_openblas_set_num_threads"):
        pytest.skip("SciPy is built with another library")
    before = library.scipy_openblas_get_num_threads()
    library.scipy_openblas_set_num_threads(2)
    try:
        x = RNG.standard_normal((2, 40, 40)).astype(np.float32)
        u, s, v = ax.jit(jnp.linalg.svd)(x)
        np.testing.assert_allclose((u * s[:, None]) @ v, x, atol=2e-5)
        assert library.scipy_openblas_get_num_threads() == 2
    finally:
        library.scipy_openblas_set_num_threads(before)


def test_singular_values_of_a_primitive_without_an_algorithm_are_compiled():
    def values(x):
        return lax.linalg.svd_p.bind(x, full_matrices=False, compute_uv=False, subset_by_index=None)[0]

    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_allclose(ax.jit(values)(x), np.linalg.svd(x, compute_uv=False), rtol=1e-5)
