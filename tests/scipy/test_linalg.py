"""`adjoint.scipy.linalg` beside JAX: values and derivatives."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.linalg
from tests.linalg import oracle
from tests.linalg.test_linalg import RNG, TC, A, B, C, H, M, S, T, V, W

import adjoint
import adjoint.numpy as jnp
from adjoint.scipy import linalg

L = lambda m: m.scipy.linalg
UNKNOWN = np.array([[1.0, 2, 3], [0, 2, 1], [0, np.nan, 1]])
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
    ("rsf2csf", lambda m, x: L(m).rsf2csf(x, x), A), ("rsf2csf with NaN", lambda m, x: L(m).rsf2csf(x, x), UNKNOWN),
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


# Functions, stacks of their operands, and of how many axes the operands and results are that make one call. JAX gives
# what the calls of one matrix each give, with the batches broadcast.
STACK, ROWS = B.astype("f"), np.stack([V, V + 1]).astype("f")
BATCHES = {
    "solve_triangular": (lambda a, b: linalg.solve_triangular(a, b, trans=1), (STACK, M), (2, 2), 2),
    "solve_triangular of vectors": (linalg.solve_triangular, (STACK, ROWS), (2, 1), 1),
    "cho_solve": (lambda a, b: linalg.cho_solve((a, True), b), (STACK, M), (2, 2), 2),
    "cho_solve of vectors": (lambda a, b: linalg.cho_solve((a, False), b), (STACK[0], ROWS[:, :, None]), (2, 2), 2),
    "lu_solve": (lambda a, b: linalg.lu_solve(linalg.lu_factor(a), b), (STACK, M), (2, 2), 2),
    "lu_solve of a vector": (lambda a, b: linalg.lu_solve(linalg.lu_factor(a), b, 1), (STACK, V), (2, 1), 1),
    "lu_solve of one": (lambda a, b: linalg.lu_solve(linalg.lu_factor(a), b, 2), (STACK[1], STACK), (2, 2), 2),
    "sylvester": (linalg.solve_sylvester, (STACK[:, None], S, B), (2, 2, 2), 2),
    "sylvester by eigenvectors": (
        lambda a, b, c: linalg.solve_sylvester(a, b, c, method="eigen"), (STACK, S[:2, :2], M), (2, 2, 2), 2),
    "polar": (lambda a: linalg.polar(a)[0], (STACK[:, :, :2],), (2,), 2),
    "polar from the left": (lambda a: linalg.polar(a, "left")[1], (STACK[:, :2],), (2,), 2),
    "polar by svd": (lambda a: linalg.polar(a, "left", method="svd")[1], (STACK,), (2,), 2),
    "expm_frechet": (lambda a, e: linalg.expm_frechet(a, e, compute_expm=False), (STACK / 4, STACK), (2, 2), 2),
    "expm_frechet enlarged": (
        lambda a, e: linalg.expm_frechet(a, e, method="blockEnlarge")[1], (STACK / 4, STACK), (2, 2), 2),
    "rsf2csf": (lambda t, z: linalg.rsf2csf(t, z)[0], (np.triu(STACK, -1), STACK[0]), (2, 2), 2),
    "toeplitz": (linalg.toeplitz, (ROWS[:, None], np.stack([r, r, -r])), (1, 1), 2),
    "hankel": (linalg.hankel, (ROWS, r), (1, 1), 2),
    "leslie": (linalg.leslie, (ROWS, c), (1, 1), 2),
    "solve": (jnp.linalg.solve, (STACK[:, :2, :2], M[:2]), (2, 2), 2),
}


@pytest.mark.filterwarnings("ignore:.*batched 1D solves:FutureWarning")
@pytest.mark.parametrize("name", BATCHES)
def test_batches_broadcast(name):
    function, operands, ranks, of_result = BATCHES[name]
    operands = [np.asarray(x, np.float32) for x in operands]
    splits = [x.ndim - n for x, n in zip(operands, ranks)]
    batch = np.broadcast_shapes(*(x.shape[:k] for x, k in zip(operands, splits)))
    full = [np.broadcast_to(x, batch + x.shape[k:]) for x, k in zip(operands, splits)]
    places = list(itertools.product(*map(range, batch)))
    each = np.stack([np.asarray(function(*(jnp.asarray(x[i]) for x in full))) for i in places])
    out = function(*map(jnp.asarray, operands))
    assert out.shape[: len(batch)] == batch and out.ndim == len(batch) + of_result
    np.testing.assert_allclose(out, each.reshape(out.shape), rtol=2e-3, atol=2e-4)


@pytest.mark.filterwarnings("ignore:.*batched 1D solves:FutureWarning")
@pytest.mark.parametrize("call, error", [
    (lambda: linalg.solve_triangular(V, V), ValueError), (lambda: linalg.solve_triangular(B, 1.0), ValueError),
    (lambda: linalg.lu_solve(linalg.lu_factor(A), V[:3]), ValueError),
    (lambda: linalg.lu_solve(linalg.lu_factor(B), np.ones((3, 4))), ValueError),
    (lambda: linalg.solve_sylvester(A, A, V), ValueError), (lambda: linalg.polar(B[:, :2]), NotImplementedError),
    (lambda: linalg.expm_frechet(B, B[:1]), ValueError), (lambda: linalg.rsf2csf(B[:, :2], B), ValueError),
    (lambda: linalg.toeplitz(np.ones((2, 3)), np.ones((3, 5))), ValueError), (lambda: linalg.hankel(1.0), ValueError),
    (lambda: linalg.solve(B, M, assume_a="pos"), ValueError), (lambda: linalg.funm(B, jnp.sin), ValueError),
    (lambda: linalg.funm(np.eye(2, dtype=int), jnp.sin), TypeError),
    (lambda: linalg.sqrtm(B), ValueError), (lambda: linalg.schur(np.eye(2, dtype=int)), TypeError),
    (lambda: linalg.expm(jnp.eye(2, dtype="float16")), TypeError),
    (lambda: linalg.expm(jnp.eye(2, dtype="bfloat16")), TypeError),
    (lambda: jnp.linalg.solve(np.ones((5, 3, 3)), np.ones((5, 3))), ValueError),
    (lambda: linalg.eigh_tridiagonal(np.ones((2, 3), "f"), np.ones((2, 2), "f")), TypeError),
])
def test_what_does_not_fit_is_refused(call, error):
    with pytest.raises(error):
        call()


def test_hermitian_tridiagonal_matrices():
    """The eigenvalues that JAX gives, and vectors of the matrix with e above its diagonal."""
    e = np.array([1 + 0.5j, 1 + 0.5j], np.complex64)
    w, v = linalg.eigh_tridiagonal(np.array([1, 2, 3 + 9j], np.complex64), e)
    np.testing.assert_allclose(w, [0.12917142, 1.9999999, 3.8708286], rtol=1e-5)
    assert w.dtype == np.float32 and v.dtype == np.complex64
    a = np.diag([1, 2, 3]) + np.diag(e, 1) + np.diag(e.conj(), -1)
    np.testing.assert_allclose(a @ np.asarray(v), np.asarray(v) * np.asarray(w), atol=1e-5)


@pytest.mark.parametrize("shape", [(60_000, 2), (2, 60_000)])
def test_derivatives_of_a_long_pinv_take_memory_of_its_size(shape):
    """A square matrix of the longer side would have 14 GB."""
    x = jnp.asarray(np.cos(np.arange(120_000, dtype=np.float32)).reshape(shape))
    f = lambda x: (jnp.linalg.pinv(x) ** 2).sum()
    slope = adjoint.jvp(f, (x,), (x,))[1]
    # The inverse of t x is that of x by t.
    np.testing.assert_allclose(slope, -2 * f(x), rtol=1e-3)
    np.testing.assert_allclose(jnp.vdot(adjoint.grad(f)(x), x), slope, rtol=1e-3)


def test_precision_of_the_derivative_of_a_triangular_system():
    f = lambda a: linalg.solve_triangular(a, jnp.ones(3))
    text = str(adjoint.make_jaxpr(lambda a: adjoint.jvp(f, (a,), (a,)))(jnp.eye(3)))
    assert "HIGHEST" in text


@pytest.mark.parametrize("solve", [
    lambda a, b: linalg.solve(a, b, assume_a="pos"), lambda a, b: linalg.cho_solve((a, True), b),
    lambda a, b: linalg.lu_solve((a, jnp.arange(2, dtype="int32")), b), linalg.solve_triangular,
])
def test_integers_on_the_right_have_the_dtype_of_the_matrix(solve):
    b = jnp.array([1, 2])
    assert solve(jnp.eye(2, dtype="float16"), b).dtype == "float16"
    with adjoint.enable_x64(True):
        assert solve(jnp.eye(2, dtype="float32"), b.astype("int64")).dtype == "float32"
    with adjoint.numpy_dtype_promotion("strict"), pytest.raises(adjoint.dtypes.TypePromotionError):
        solve(jnp.eye(2), b)


def test_what_booleans_and_half_floats_are_made_into():
    x = jnp.array([True, False, True])
    for companion in linalg.companion, linalg.fiedler_companion:
        np.testing.assert_array_equal(companion(x), [[0, -1], [1, 0]])
    assert type(linalg.schur(jnp.eye(2))) is list
    half = jnp.eye(2, dtype="bfloat16")
    for method in "schur", "eigen":
        assert linalg.solve_sylvester(half, half, half, method=method).dtype == "float32"
    assert linalg.invpascal(-1).shape == (0, 0)
    with pytest.raises(TypeError):
        linalg.hilbert(-1)


def test_scalars_have_no_convolution_matrix_and_fractions_no_hadamard_matrix():
    with pytest.raises(ValueError, match="a must be at least 1-dimensional, got a scalar"):
        linalg.convolution_matrix(2.0, 2)
    with pytest.raises(ValueError, match=r"n must be a positive power of 2; got 1\.5"):
        linalg.hadamard(1.5)
    np.testing.assert_array_equal(linalg.hadamard(2), [[1, 1], [1, -1]])


def test_sizes_that_are_fractions_are_rounded_up_or_refused():
    np.testing.assert_array_equal(linalg.pascal(1.5), [[1, 1], [1, 2]])
    np.testing.assert_array_equal(linalg.invpascal(1.5), [[2, -1], [-1, 1]])
    assert linalg.helmert(2.5).shape == (2, 3)
    np.testing.assert_allclose(linalg.dft(2.0), [[1, 1], [1, -1]], atol=1e-6)
    np.testing.assert_array_equal(linalg.invhilbert(2.0), [[4, -6], [-6, 12]])
    for call in lambda: linalg.dft(1.5), lambda: linalg.invhilbert(1.5), lambda: linalg.hilbert(2.0):
        with pytest.raises(TypeError):
            call()


def test_a_population_model_has_the_dtype_that_its_parts_promote_to():
    young = jnp.ones(2, "uint8")
    np.testing.assert_array_equal(linalg.leslie(young, -1), np.array([[1, 1], [255, 0]], "uint8"))
    found = linalg.leslie(young, -1.0)
    assert found.dtype == "float32" and found.weak_type
    assert not np.signbit(found[1, 1])
    with adjoint.numpy_dtype_promotion("strict"):
        assert linalg.leslie(young, 2).dtype == "uint8"
    with pytest.raises(TypeError, match="at position 1"):
        linalg.leslie(True, (0,))


LISTED = [
    linalg.cholesky, linalg.cho_factor, linalg.eigh, linalg.lu, linalg.lu_factor, linalg.polar, linalg.qr, linalg.svd,
    lambda a: linalg.cho_solve((a, True), a), lambda a: linalg.lu_solve((a, jnp.arange(2)), a),
    lambda a: linalg.solve_triangular(a, a), lambda a: linalg.rsf2csf(a, a), lambda a: linalg.expm_frechet(a, a),
    lambda a: linalg.solve_sylvester(a, a, a), lambda a: linalg.qr_multiply(a, a),
    lambda a: linalg.funm(a, jnp.sin),
]


@pytest.mark.parametrize("call", LISTED)
def test_nested_lists_are_matrices(call):
    listed = [[4.0, 0.5], [0.5, 3.0]]
    for found, wanted in zip(*(adjoint.tree.leaves(call(a)) for a in (listed, jnp.array(listed))), strict=True):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("call", [linalg.det, linalg.inv, linalg.expm, linalg.sqrtm, linalg.hessenberg])
def test_nested_lists_are_no_matrices_where_jax_takes_none(call):
    with pytest.raises(TypeError, match="requires ndarray or scalar arguments, got <class 'list'>"):
        call([[1.0]])


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_polar_factors_of_half_floats(dtype):
    a = np.array([[2.0, 1], [1, 2], [1, 1]])
    u, p = linalg.polar(jnp.array(a, dtype))
    assert u.dtype == p.dtype == dtype
    for found, wanted in zip((u, p), scipy.linalg.polar(a), strict=True):
        np.testing.assert_allclose(found.astype("float32"), wanted, atol=2e-2 if dtype == "bfloat16" else 2e-3)


def test_stacks_of_vectors_are_solved_with_a_warning():
    a, b = jnp.stack([2 * jnp.eye(3)] * 2), jnp.ones((2, 3))
    for name, solve in (
        ("cho_solve", lambda b: linalg.cho_solve((a, True), b)),
        ("solve_triangular", lambda b: linalg.solve_triangular(a, b)),
        ("lu_solve", lambda b: linalg.lu_solve((a, jnp.zeros((2, 3), "int32")), b)),
        ("cho_solve", lambda b: linalg.solve(a, b, assume_a="pos")),
    ):
        adjoint.clear_caches()
        with pytest.warns(FutureWarning, match=rf"jax.scipy.linalg.{name}: batched 1D solves .* are deprecated"):
            assert solve(b).shape == (2, 3)
        assert solve(b[..., None]).shape == (2, 3, 1)


def test_operands_of_other_ranks_are_refused_in_the_words_of_jax():
    lax, o = adjoint.lax.linalg, jnp.ones
    for call, error, text in (
        (lambda: linalg.hankel(o(3), 2.0), ValueError, "hankel: r must be at least 1-dimensional"),
        (lambda: lax.cholesky_update(o((2, 3, 3)), o((2, 3))), TypeError, "Input 0 to cholesky_update must have a "),
        (lambda: lax.cholesky_update(o((3, 3)), o((3, 3))), TypeError, "Input 1 to cholesky_update must have a rank"),
        (lambda: lax.symmetric_product(o((2, 3, 3)), o((3, 3))), TypeError, r"but got \[1, 0\] batch dimensions"),
        (lambda: lax.ormqr(o((2, 3, 3)), o((2, 3)), o((3, 3))), TypeError, r"but got \[1, 1, 0\] batch dimensions"),
        (lambda: linalg.eigh_tridiagonal(o((2, 3)), o(4)), ValueError, "Incompatible shapes for broadcasting"),
        (lambda: linalg.rsf2csf(o((3, 3)), o((3, 2))), ValueError, "Input 'Z' must be square"),
        (lambda: linalg.solve_sylvester(o((2, 2)), o((3, 3)), o((3, 3))), ValueError, "shapes for Sylvester equation"),
        (lambda: linalg.leslie(o(3), o(3)), ValueError, "Incorrect lengths for f and s"),
        (lambda: linalg.companion(o(1)), ValueError, "length of `a` along the last axis must be at least 2"),
    ):
        with pytest.raises(error, match=text):
            call()
    assert adjoint.vmap(lax.cholesky_update)(o((2, 3, 3)), o((2, 3))).shape == (2, 3, 3)


@pytest.mark.parametrize("dtype", ["int32", "uint8", "bool"])
def test_complex_schur_forms_of_integers(dtype):
    t, z = linalg.schur(jnp.array([[1, 1], [0, 1]]).astype(dtype), output="complex")
    assert t.dtype == z.dtype == "complex64"
    np.testing.assert_allclose(z @ t @ z.conj().T, [[1, 1], [0, 1]], atol=1e-6)


@pytest.mark.parametrize("a", [3.0, np.ones(3, np.float32)], ids=["number", "vector"])
def test_what_is_no_matrix_has_no_upper_factor(a):
    for f in (adjoint.scipy.linalg.cholesky, adjoint.scipy.linalg.cho_factor):
        with pytest.raises(ValueError, match="at least two-dimensional"):
            f(a)
        with pytest.raises(TypeError, match="rank at least 2"):
            f(a, lower=True)


def test_schur_takes_no_list():
    with pytest.raises(TypeError, match="schur"):
        adjoint.scipy.linalg.schur([[1.0, 2.0], [3.0, 4.0]])


def test_an_empty_companion_has_the_dtype_of_others():
    with adjoint.enable_x64(True):
        for a in (np.int32(3), np.float16(2), np.int64(3)):
            one, two = (adjoint.scipy.linalg.fiedler_companion(x) for x in (a, np.array([a, a])))
            assert one.dtype == two.dtype
