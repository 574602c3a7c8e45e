"""`adjoint.numpy.linalg` and `adjoint.lax.linalg` beside JAX: values, both derivatives and batches."""

from __future__ import annotations

import os

import numpy as np
import pytest
from tests.modes import unchecked
from tests.recorded import jax
from tests.streams import coarse, stream

import adjoint
import adjoint.numpy as jnp
from adjoint.lax import linalg as lax_linalg

from . import oracle

RNG = stream(7)
A = RNG.normal(size=(4, 4)) + np.diag([3.0, -2, 1, 4])
C = A + 1j * RNG.normal(size=(4, 4))
S = coarse(A) @ coarse(A).T + np.eye(4)
H = coarse(C) @ coarse(C).conj().T + np.eye(4)
T, W = RNG.normal(size=(5, 3)), RNG.normal(size=(3, 5))
TC, WC = T + 1j * RNG.normal(size=(5, 3)), W + 1j * RNG.normal(size=(3, 5))
B = np.stack([A, A.T + 1])
V, M = RNG.normal(size=4), RNG.normal(size=(4, 2))
L = lambda m: m.numpy.linalg
P = lambda m: m.lax.linalg
FLAGS = ("left_side", "lower", "transpose_a", "conjugate_a", "unit_diagonal")
ORDERS = (None, 1, -1, 2, -2, "fro", "nuc", np.inf, -np.inf)

# (label, program, operand): smooth, so that derivatives are compared as well.
SMOOTH = [
    *[(f"inv {x.dtype}{x.shape}", lambda m, x: L(m).inv(x), x) for x in (A, C, B)],
    *[(f"det {n}", lambda m, x: L(m).det(x), A[:n, :n]) for n in (1, 2, 3, 4)],
    ("det of a stack", lambda m, x: L(m).det(x), B),
    ("det complex", lambda m, x: L(m).det(x), C),
    ("slogdet", lambda m, x: L(m).slogdet(x), A), ("slogdet complex", lambda m, x: L(m).slogdet(x), C),
    ("slogdet qr", lambda m, x: L(m).slogdet(x, method="qr"), A),
    ("solve vector", lambda m, x: L(m).solve(x, V), A), ("solve matrix", lambda m, x: L(m).solve(x, M), A),
    ("solve stack", lambda m, x: L(m).solve(x, M), B), ("solve by b", lambda m, x: L(m).solve(A, x), M),
    ("solve complex", lambda m, x: L(m).solve(x, M), C), ("solve x x", lambda m, x: L(m).solve(x, x @ x), A),
    ("cholesky", lambda m, x: L(m).cholesky(x), S), ("cholesky complex", lambda m, x: L(m).cholesky(x), H),
    ("cholesky upper", lambda m, x: L(m).cholesky(x, upper=True), H),
    ("cholesky lower half", lambda m, x: P(m).cholesky(x, symmetrize_input=False), S),
    ("eigh", lambda m, x: L(m).eigh(x), S), ("eigh complex", lambda m, x: L(m).eigh(x), H),
    ("eigh upper", lambda m, x: L(m).eigh(x, UPLO="U", symmetrize_input=False), S),
    ("eigvalsh", lambda m, x: L(m).eigvalsh(x), S),
    ("eigvals", lambda m, x: L(m).eigvals(x), A), ("eigvals complex", lambda m, x: L(m).eigvals(x), C),
    ("eig derivs", lambda m, x: P(m).eig(x, enable_eigvec_derivs=True), A),
    ("eig derivs complex", lambda m, x: P(m).eig(x, enable_eigvec_derivs=True), C),
    *[(f"svd {x.dtype}{x.shape}", lambda m, x: L(m).svd(x, full_matrices=False), x) for x in (T, W, TC, WC, A)],
    ("svd full", lambda m, x: L(m).svd(x), A), ("svdvals", lambda m, x: L(m).svdvals(x), W),
    ("svd hermitian", lambda m, x: L(m).svd(x, hermitian=True), S - 5 * np.eye(4)),
    ("svd by QR", lambda m, x: P(m).svd(x, full_matrices=False, algorithm=P(m).SvdAlgorithm.QR), T),
    *[(f"qr {x.dtype}{x.shape}", lambda m, x: L(m).qr(x), x) for x in (T, W, TC, WC, A)],
    *[(f"qr complete {x.shape}", lambda m, x: L(m).qr(x, mode="complete"), x) for x in (T, W, TC)],
    ("qr r", lambda m, x: L(m).qr(x, mode="r"), T),
    *[(f"lu {x.dtype}{x.shape}", lambda m, x: P(m).lu(x), x) for x in (A, T, W, TC, WC)],
    ("pinv", lambda m, x: L(m).pinv(x), T), ("pinv wide", lambda m, x: L(m).pinv(x), WC),
    ("pinv hermitian", lambda m, x: L(m).pinv(x, hermitian=True), S),
    ("lstsq", lambda m, x: L(m).lstsq(x, np.arange(5.0)), T),
    ("lstsq matrix", lambda m, x: L(m).lstsq(x, np.ones((3, 2))), W),
    *[(f"cond {p}", lambda m, x, p=p: L(m).cond(x, p), A) for p in ORDERS],
    *[(f"norm {p}", lambda m, x, p=p: L(m).norm(x, p), A) for p in ORDERS],
    ("norm keepdims", lambda m, x: L(m).norm(x, 2, axis=(0, 2), keepdims=True), B),
    ("norm complex", lambda m, x: L(m).norm(x, "nuc"), TC),
    *[(f"matrix_power {n}", lambda m, x, n=n: L(m).matrix_power(x, n), A) for n in (-3, -1, 0, 1, 2, 5)],
    ("multi_dot", lambda m, x: L(m).multi_dot([x, x.T, x]), T),
    ("tensorinv", lambda m, x: L(m).tensorinv(x.reshape(2, 2, 4)), A),
    ("tensorsolve", lambda m, x: L(m).tensorsolve(x.reshape(2, 2, 4), np.ones((2, 2))), A),
    *[
        (f"triangular_solve {flags}",
         lambda m, x, flags=flags, b=b: P(m).triangular_solve(x, b + 0 * x[0, 0], **flags), x)
        for x in (A, C)
        for flags, b in (
            (dict(left_side=True, lower=True), M), (dict(left_side=False, transpose_a=True), M.T),
            (dict(left_side=True, conjugate_a=True, unit_diagonal=True), M), (dict(left_side=True), V),
            (dict(left_side=False, conjugate_a=True, transpose_a=True, lower=True), M.T),
        )
    ],
    ("triangular_solve by b", lambda m, x: P(m).triangular_solve(S, x, left_side=True, lower=True), M),
    ("tridiagonal_solve", lambda m, x: P(m).tridiagonal_solve(x[0], 5 + x[1], x[2], M), A),
]
# Without derivatives.
PLAIN = [
    ("qr pivoting", lambda m, x: P(m).qr(x, pivoting=True, full_matrices=False), T),
    ("eig", lambda m, x: L(m).eig(x), A), ("eig of both", lambda m, x: P(m).eig(x), C),
    ("matrix_rank", lambda m, x: L(m).matrix_rank(x), T),
    ("matrix_rank tol", lambda m, x: L(m).matrix_rank(x, tol=1.5), T),
    ("matrix_rank rtol", lambda m, x: L(m).matrix_rank(x, rtol=0.5), T),
    ("qr raw", lambda m, x: L(m).qr(x, mode="raw"), T), ("svd complete", lambda m, x: L(m).svd(x), T),
    ("schur", lambda m, x: P(m).schur(x), A), ("schur complex", lambda m, x: P(m).schur(x), C),
    ("hessenberg", lambda m, x: P(m).hessenberg(x), A), ("tridiagonal", lambda m, x: P(m).tridiagonal(x), S),
    ("tridiagonal upper", lambda m, x: P(m).tridiagonal(x, lower=False), H),
    ("householder_product", lambda m, x: P(m).householder_product(x, 1 + x[0, :3]), T),
    ("ormqr", lambda m, x: P(m).ormqr(x, 1 + x[0, :3], x, transpose=True), T),
    ("symmetric_product", lambda m, x: P(m).symmetric_product(x, S, alpha=2.0, beta=0.5), A),
    ("symmetric_product both halves",
     lambda m, x: P(m).symmetric_product(x, S, alpha=2.0, beta=0.5, symmetrize_output=True), A),
    ("perturbed", lambda m, x: P(m).tridiagonal_solve(x[0], 5 + x[1], x[2], M, perturb_singular=True), A),
    *[(f"perturbed, {n} rows with pivots of zero", lambda m, x, n=n: P(m).tridiagonal_solve(
        x[1, :n], x[0, :n] * np.array([0.0, 0, 1, 1])[:n], x[2, :n], M[:n], perturb_singular=True), A)
      for n in (2, 3, 4)],
    ("perturbed singular", lambda m, x: P(m).tridiagonal_solve(
        0 * x[1], x[0] * np.array([1.0, 0, 1, 1]), 0 * x[2], M, perturb_singular=True), A),
]


def test_values():
    oracle.compare(oracle.value, [*SMOOTH, *PLAIN], 1e-10)


def test_tangents():
    oracle.compare(oracle.tangent, SMOOTH)


def test_cotangents():
    oracle.compare(oracle.cotangent, SMOOTH)


def test_batches():
    table = [row for row in (*SMOOTH, *PLAIN) if row[2].shape != B.shape]
    oracle.compare(oracle.batched, table, 1e-10)


# ---- what fails ----------------------------------------------------------------------------------

PRODUCTS = {  # of the factors of a symmetric matrix
    "eigh": lambda w, v: v * w @ v.T, "svd": lambda u, s, v: u * s @ v, "qr": lambda q, r: q @ r,
    "schur": lambda t, z: z @ t @ z.T,
}


@pytest.mark.parametrize(
    "name", ["cholesky", "eigh", "svd", "inv", "det", "slogdet", "eigvals", "pinv", "qr", "lu", "schur"]
)
@pytest.mark.parametrize("kind", ["nan", "singular", "indefinite", "empty"])
def test_matrices_that_cannot_be_factored(name, kind):
    """NaN, infinity or zero, where JAX has them; no error."""
    x = dict(nan=np.full((4, 4), np.nan), singular=np.ones((4, 4)), indefinite=-np.eye(4), empty=np.zeros((0, 0)))
    x = x[kind].astype(np.float32)
    at = (lambda m: P(m)) if name in ("lu", "schur") else L
    theirs, ours = getattr(at(jax), name)(x), getattr(at(adjoint), name)(x)
    for a, b in zip(jax.tree.leaves(theirs), adjoint.tree.leaves(ours), strict=True):
        a, b = np.asarray(a), np.asarray(b)
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        # Rounding decides which basis it is, and differs with processors.
        basis = name in ("inv", "eigvals", "schur", "qr") or name in ("eigh", "svd") and b.ndim == 2
        if kind == "singular" and basis:
            continue
        np.testing.assert_allclose(b, a, rtol=1e-5, atol=1e-5)
    if kind == "singular" and name in PRODUCTS:
        np.testing.assert_allclose(PRODUCTS[name](*map(np.asarray, adjoint.tree.leaves(ours))), x, rtol=1e-5, atol=1e-5)


def error(m, program):
    try:
        return type(program(m))
    except Exception as e:
        return type(e), str(e).split("\n")[0]


@pytest.mark.parametrize("program", [
    lambda m: L(m).inv(T), lambda m: L(m).det(T), lambda m: L(m).slogdet(V), lambda m: L(m).inv([[1.0]]),
    lambda m: L(m).eig(T), lambda m: L(m).eig(V), lambda m: L(m).qr(V), lambda m: L(m).svd(V), lambda m: L(m).cond(V),
    lambda m: L(m).cond(np.zeros((0, 0))), lambda m: L(m).cond(T, 1), lambda m: L(m).cond(A, 3),
    lambda m: L(m).qr(T, mode="foo"), lambda m: L(m).eigh(A, UPLO="X"), lambda m: L(m).solve(A, np.ones(3)),
    lambda m: L(m).solve(T, np.ones(4)), lambda m: L(m).solve(B, np.ones((2, 4))), lambda m: L(m).solve(A, 3.0),
    lambda m: L(m).slogdet(A, method="x"), lambda m: L(m).norm(A, 5), lambda m: L(m).norm(A, "nuc", axis=0),
    lambda m: L(m).lstsq(T, np.ones(3)), lambda m: L(m).lstsq(V, np.ones(3)), lambda m: L(m).pinv(T, 0.1, rcond=0.1),
    lambda m: L(m).matrix_rank(T, 0.1, tol=0.1), lambda m: L(m).matrix_power(A, 2.0),
    lambda m: L(m).matrix_power(T, 2), lambda m: L(m).tensorinv(np.ones((4, 3))),
    lambda m: L(m).tensorinv(A, 0), lambda m: L(m).tensorsolve(np.ones((6, 2, 3)), np.ones(6), axes=(0,)),
    lambda m: P(m).cholesky_update(A, np.ones(3)), lambda m: P(m).symmetric_product(A, np.eye(3)),
    lambda m: P(m).householder_product(A[:2], V[:2]), lambda m: P(m).householder_product(A, np.ones(5)),
    lambda m: P(m).householder_product(A, np.ones((1, 3))), lambda m: P(m).ormqr(A, V, np.ones((3, 2))),
    lambda m: P(m).triangular_solve(A, np.ones((3, 2))), lambda m: P(m).triangular_solve(V, V),
    lambda m: P(m).triangular_solve(T, T), lambda m: P(m).lu(V), lambda m: P(m).lu(np.eye(2, dtype=int)),
    lambda m: P(m).lu_pivots_to_permutation(np.array([1, 2, 3], np.int32), 2), lambda m: P(m).qr([[1.0]]),
    lambda m: P(m).tridiagonal(np.zeros((0, 0))), lambda m: P(m).hessenberg(T), lambda m: P(m).eigh(V[:, None]),
    lambda m: P(m).svd(T, algorithm=P(m).SvdAlgorithm.JACOBI), lambda m: P(m).eigh(A, subset_by_index=(0, 2)),
    lambda m: P(m).svd(T, subset_by_index=(0, 2)), lambda m: P(m).schur(A, sort_eig_vals=True),
    lambda m: P(m).eig(A, implementation=P(m).EigImplementation.MAGMA),
    lambda m: m.jvp(lambda x: P(m).eig(x), (A,), (A,)), lambda m: m.jvp(lambda x: P(m).schur(x), (A,), (A,)),
    lambda m: m.jvp(lambda x: L(m).svd(x), (T,), (T,)), lambda m: L(m).outer(A, A), lambda m: L(m).cross(A, A),
])
def test_errors(program):
    """The same class and first line."""
    with jax.enable_x64(True), adjoint.enable_x64(True):
        assert error(jax, program) == error(adjoint, program)


# ---- identities ----------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_factors_multiply_to_the_matrix(dtype):
    """In the precision of the dtype, for a stack of matrices."""
    with adjoint.enable_x64(True):
        rng = np.random.default_rng(3)
        x = rng.normal(size=(2, 5, 3)) + (1j * rng.normal(size=(2, 5, 3)) if dtype.startswith("c") else 0)
        x = jnp.asarray(x.astype(dtype))
        close = lambda a, b: np.testing.assert_allclose(a, b, atol=50 * jnp.finfo(dtype).eps * 10)
        mh = lambda a: jnp.conj(jnp.matrix_transpose(a))
        q, r = jnp.linalg.qr(x)
        close(q @ r, x)
        close(mh(q) @ q, jnp.broadcast_to(jnp.eye(3), (2, 3, 3)))
        u, s, vh = jnp.linalg.svd(x, full_matrices=False)
        close(u * s[:, None, :] @ vh, x)
        square = mh(x) @ x + jnp.eye(3, dtype=dtype)[None]
        low = jnp.linalg.cholesky(square)
        close(low @ mh(low), square)
        w, v = jnp.linalg.eigh(square)
        close(square @ v, v * w[:, None, :])
        lu, _, order = lax_linalg.lu(x)
        lower = jnp.tril(lu, -1) + jnp.eye(5, 3, dtype=dtype)[None]
        close(lower @ jnp.triu(lu[:, :3]), jnp.take_along_axis(x, order[..., None], 1))
        t, z = lax_linalg.schur(square)
        close(z @ t @ mh(z), square)
        update = jnp.real(square[0])
        factor = lax_linalg.cholesky_update(jnp.linalg.cholesky(update, upper=True), jnp.ones(3, update.dtype))
        close(factor.T @ factor, update + 1)


def test_derivative_of_det_at_singular_matrices():
    """The adjugate: not zero where one singular value is zero."""
    d = np.diag([1.0, 2.0, 3.0, 0.0]).astype(np.float32)
    np.testing.assert_allclose(adjoint.grad(jnp.linalg.det)(d), np.diag([0, 0, 0, 6.0]), atol=1e-5)
    assert not np.asarray(adjoint.grad(jnp.linalg.det)(np.ones((4, 4), np.float32))).any()


def test_second_derivatives():
    """Hessians through a solution and through eigenvalues are those of JAX."""
    with jax.enable_x64(True), adjoint.enable_x64(True):
        for f in (
            lambda m, x: L(m).solve(S + m.numpy.diag(x), V)[0], lambda m, x: L(m).eigvalsh(S + m.numpy.outer(x, x))[1],
            lambda m, x: L(m).slogdet(A + m.numpy.outer(x, x))[1], lambda m, x: L(m).det(A + m.numpy.diag(x * x)),
            lambda m, x: L(m).svdvals(A + m.numpy.diag(x * x))[0],
        ):
            theirs = jax.jit(jax.hessian(lambda x: f(jax, x)))(V)
            np.testing.assert_allclose(adjoint.hessian(lambda x: f(adjoint, x))(V), theirs, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("program", [
    lambda m: L(m).cholesky, lambda m: L(m).eigh, lambda m: L(m).eigvalsh, lambda m: L(m).svd, lambda m: L(m).qr,
    lambda m: lambda x: L(m).qr(x, mode="raw"), lambda m: L(m).svdvals, lambda m: L(m).cond, lambda m: P(m).lu,
    lambda m: L(m).matrix_rank, lambda m: lambda x: L(m).norm(x, 2), lambda m: lambda x: L(m).norm(x, "nuc"),
    lambda m: lambda x: P(m).triangular_solve(x, x[0]), lambda m: P(m).hessenberg, lambda m: L(m).eig,
    lambda m: L(m).eigvals, lambda m: lambda x: L(m).det(x[:2, :2]), lambda m: L(m).det,
    lambda m: lambda x: P(m).symmetric_product(x, x, symmetrize_output=True),
])
def test_jaxprs_are_those_of_jax(program):
    x = np.eye(3, dtype=np.float32)
    ours, theirs = adjoint.make_jaxpr(program(adjoint))(x), jax.make_jaxpr(program(jax))(x)
    assert str(ours).split() == str(theirs).split()


def test_names_and_signatures():
    """All of JAX's names are there, with their parameters."""
    import inspect

    for theirs, ours in ((jax.numpy.linalg, jnp.linalg), (jax.lax.linalg, lax_linalg)):
        for name in filter(lambda n: not n.startswith("_"), dir(theirs)):
            f, g = getattr(theirs, name), getattr(ours, name)
            if inspect.isfunction(f):
                shape = lambda h: [(p.name, p.kind, p.default) for p in inspect.signature(h).parameters.values()]
                assert shape(f) == shape(g), name


@unchecked  # JAX, which is asked then, does not return for it
@pytest.mark.skipif(os.environ.get("ADJOINT_CPU_ENGINE") == "xla", reason="XLA does not return for it")
@pytest.mark.parametrize("shape", [(3, 3), (3, 2), (2, 3), (2, 3, 3)])
@pytest.mark.parametrize("full_matrices", [True, False])
def test_a_matrix_with_an_infinity_has_no_singular_values_and_comes_to_an_end(shape, full_matrices):
    """LAPACK's gesdd does not return for it."""
    x = np.random.RandomState(7).randn(*shape).astype("f")
    x[..., 0, 0] = np.inf
    for dtype in ("float32", "complex64"):
        decompose = lambda a: adjoint.numpy.linalg.svd(a, full_matrices=full_matrices)
        for f in (decompose, adjoint.jit(decompose)):
            assert all(np.isnan(np.asarray(part)).all() for part in f(x.astype(dtype)))
    y = np.stack([np.eye(2, dtype="f"), np.full((2, 2), np.inf, "f")])
    assert np.array_equal(np.asarray(adjoint.numpy.linalg.svdvals(y)), [[1, 1], [np.nan, np.nan]], equal_nan=True)


@pytest.mark.parametrize("method", ["lu", "qr"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_sign_of_a_determinant_that_is_nan(n, method):
    a = np.stack([np.full((n, n), np.nan, "f"), -np.eye(n, dtype="f")])
    ours, theirs = (np.asarray(L(m).slogdet(a, method=method)[0]) for m in (adjoint, jax))
    assert np.array_equal(ours, theirs, equal_nan=True)


@pytest.mark.parametrize("yes", [5, -1, "x", 1.5, (0,)])
def test_what_is_true_is_a_setting_that_is_on(yes):
    calls = [
        *[lambda v, k=k: lax_linalg.triangular_solve(A, M if k == "left_side" else M.T, **{k: v}) for k in FLAGS],
        lambda v: lax_linalg.eigh(S, lower=v, symmetrize_input=False), lambda v: lax_linalg.tridiagonal(S, lower=v),
        lambda v: lax_linalg.schur(A, compute_schur_vectors=v), lambda v: adjoint.scipy.linalg.eigh(S, lower=v),
        lambda v: adjoint.scipy.linalg.solve_triangular(A, V, unit_diagonal=v, lower=v),
    ]
    for call in calls:
        for found, expected in zip(*[adjoint.tree.leaves(call(v)) for v in (yes, True)], strict=True):
            np.testing.assert_array_equal(found, expected)


def test_polar_factors_are_found_to_the_end():
    for number in (0, 1, -1):
        for found, expected in zip(adjoint.scipy.linalg.polar(A, max_iterations=number), adjoint.scipy.linalg.polar(A)):
            np.testing.assert_array_equal(found, expected)
