"""`adjoint.scipy.linalg` beside JAX: values and derivatives."""

from __future__ import annotations

import numpy as np
import pytest
from tests.linalg import oracle
from tests.linalg.test_linalg import RNG, TC, A, B, C, H, M, S, T, V, W

L = lambda m: m.scipy.linalg
c, r = RNG.normal(size=3), RNG.normal(size=4)

SMOOTH = [
    ("cholesky", lambda m, x: L(m).cholesky(x), H), ("cholesky lower", lambda m, x: L(m).cholesky(x, lower=True), S),
    ("cho_solve", lambda m, x: L(m).cho_solve(L(m).cho_factor(x), V), S),
    ("cho_solve lower", lambda m, x: L(m).cho_solve(L(m).cho_factor(x, lower=True), M), S),
    ("svd", lambda m, x: L(m).svd(x, full_matrices=False), T), ("det", lambda m, x: L(m).det(x), A),
    ("inv", lambda m, x: L(m).inv(x), A), ("eigh", lambda m, x: L(m).eigh(x), H),
    ("eigh values", lambda m, x: L(m).eigh(x, eigvals_only=True), S),
    *[(f"lu_solve {t}", lambda m, x, t=t: L(m).lu_solve(L(m).lu_factor(x), M, trans=t), A) for t in (0, 1, 2)],
    ("lu_solve adjoint", lambda m, x: L(m).lu_solve(L(m).lu_factor(x), x[0], trans=2), C),
    *[(f"lu {x.shape}", lambda m, x: L(m).lu(x), x) for x in (A, T, W)],
    ("lu permuted", lambda m, x: L(m).lu(x, permute_l=True), TC),
    ("qr", lambda m, x: L(m).qr(x), A), ("qr economic", lambda m, x: L(m).qr(x, mode="economic"), TC),
    ("qr r", lambda m, x: L(m).qr(x, mode="r"), A),
    *[
        (f"solve_triangular {t}", lambda m, x, t=t: L(m).solve_triangular(x, V, trans=t, lower=True), A)
        for t in (0, 1, "C")
    ],
    ("solve", lambda m, x: L(m).solve(x, V), A), ("solve pos", lambda m, x: L(m).solve(x, M, assume_a="pos"), S),
    ("expm", lambda m, x: L(m).expm(x), A), ("expm large", lambda m, x: L(m).expm(5 * x), A),
    ("expm stack", lambda m, x: L(m).expm(x), B), ("expm complex", lambda m, x: L(m).expm(x), C),
    ("expm triangular", lambda m, x: L(m).expm(m.numpy.triu(x), upper_triangular=True), A),
    ("expm_frechet", lambda m, x: L(m).expm_frechet(x, x @ x), A / 3),
    ("block_diag", lambda m, x: L(m).block_diag(x, 3.0, x[0]), A),
    ("toeplitz", lambda m, x: L(m).toeplitz(x, r), c), ("toeplitz of one", lambda m, x: L(m).toeplitz(x), c),
    ("hankel", lambda m, x: L(m).hankel(x, r), c), ("hankel of one", lambda m, x: L(m).hankel(x), c),
    ("circulant", lambda m, x: L(m).circulant(x), c), ("companion", lambda m, x: L(m).companion(x), c),
    *[(f"convolution_matrix {mode}", lambda m, x, k=mode: L(m).convolution_matrix(x, 4, k), c)
      for mode in ("full", "same", "valid")],
    ("fiedler", lambda m, x: L(m).fiedler(x), c), ("leslie", lambda m, x: L(m).leslie(x, x[1:]), c),
    *[(f"fiedler_companion {n}", lambda m, x: L(m).fiedler_companion(x), RNG.normal(size=(2, n))) for n in range(1, 7)],
    ("polar svd", lambda m, x: L(m).polar(x, method="svd"), T),
]
PLAIN = [
    ("qr_multiply right", lambda m, x: L(m).qr_multiply(x, M.T, "right", conjugate=True), TC[:4]),
    ("qr_multiply left", lambda m, x: L(m).qr_multiply(x, V[:3], "left"), T),
    ("qr_multiply pivoting", lambda m, x: L(m).qr_multiply(x, M.T, pivoting=True), A),
    ("eigh_tridiagonal", lambda m, x: L(m).eigh_tridiagonal(x, c, eigvals_only=True), r),
    ("eigh_tridiagonal some", lambda m, x: L(m).eigh_tridiagonal(
        x, c, eigvals_only=True, select="i", select_range=(1, 2)), r),
    ("schur", lambda m, x: L(m).schur(x), A), ("schur complex", lambda m, x: L(m).schur(x, output="complex"), A),
    ("hessenberg", lambda m, x: L(m).hessenberg(x, calc_q=True), A), ("sqrtm", lambda m, x: L(m).sqrtm(x), A),
    ("funm", lambda m, x: L(m).funm(x, m.numpy.exp), A),
    ("sqrtm of a singular one", lambda m, x: L(m).sqrtm(x), np.diag([0.0, 16, 0])),
    ("sqrtm of one without a root", lambda m, x: L(m).sqrtm(x), np.diag([1.0], 1)),
    ("polar of rank 2", lambda m, x: m.numpy.matmul(*L(m).polar(x @ x.T @ x - x)), np.outer(T[:, 0], T[0])),
    ("polar of rank 1", lambda m, x: m.numpy.matmul(*L(m).polar(x)), np.outer(np.arange(4) + 1j, np.arange(3) + 1)),
    ("qdwh of rank 1", lambda m, x: (m.numpy.matmul(*m.lax.linalg.qdwh(x)[:2]), m.lax.linalg.qdwh(x)[3]),
     np.outer(np.arange(4.0) + 1, np.arange(3.0))),
    ("tridiagonal of one element", lambda m, x: m.lax.linalg.tridiagonal(x), np.array([[-5 - 0.6j]])),
    ("polar", lambda m, x: L(m).polar(x), T), ("qr pivoting", lambda m, x: L(m).qr(x, pivoting=True), T),
    ("sylvester", lambda m, x: L(m).solve_sylvester(x, S[:3, :3], M @ np.ones((2, 3))), A),
    *[(name, lambda m, x, name=name: getattr(L(m), name)(4), c)
      for name in ("hilbert", "invhilbert", "invpascal", "hadamard", "helmert", "dft")],
]


def test_values_and_cotangents():
    oracle.compare(oracle.both, SMOOTH, 1e-8)


def test_values():
    oracle.compare(oracle.value, PLAIN, 1e-9)


@pytest.mark.parametrize("call", [
    lambda s: s.qr_multiply(A, A, "foo"), lambda s: s.qr_multiply(T, T), lambda s: s.qr_multiply(T, A[0], "left"),
    lambda s: s.fiedler_companion(c[:0]), lambda s: s.eigh_tridiagonal(c, r[:2] * 1j),
    lambda s: s.eigh_tridiagonal(np.arange(3), np.arange(2)), lambda s: s.eigh_tridiagonal(c, r[:2], select="x"),
    lambda s: s.eigh_tridiagonal(c, r[:2], select="v"), lambda s: s.eigh_tridiagonal(c, r[:2], select="i"),
    lambda s: s.eigh_tridiagonal(c, r[:2], select="i", select_range=(2, 1)),
])
def test_errors(call):
    oracle.same_errors(lambda m: call(L(m)))
