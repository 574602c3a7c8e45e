"""`sparse.linalg`: systems of equations beside dense ones, and the largest eigenvalues."""

from __future__ import annotations

import numpy as np
import pytest
from tests.modes import unchecked
from tests.recorded import jax
from tests.streams import stream

import adjoint as ad
import adjoint.numpy as jnp
from adjoint.experimental import sparse
from adjoint.experimental.sparse import linalg

from .parity import refused

theirs = jax.experimental.sparse.linalg

random = stream(3)


def system(n=6):
    """A matrix by rows, the same as a dense one, and a right side."""
    dense = np.where(random.random((n, n)) < 0.4, random.normal(size=(n, n)), 0) + 4 * np.eye(n)
    x = sparse.CSR.fromdense(jnp.asarray(dense.astype(np.float32)))
    return x, dense, random.normal(size=n).astype(np.float32)


def test_systems_are_solved():
    x, dense, b = system()
    solve = lambda data, b: linalg.spsolve(data, x.indices, x.indptr, b)
    expected = np.linalg.solve(dense, b)
    np.testing.assert_allclose(solve(x.data, jnp.asarray(b)), expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(ad.jit(solve)(x.data, b), expected, rtol=1e-4, atol=1e-5)
    both = ad.vmap(solve, (None, 0))(x.data, jnp.stack([b, 2 * b]))
    np.testing.assert_allclose(both, [expected, 2 * expected], rtol=1e-4, atol=1e-5)


def test_derivatives_of_solutions():
    x, dense, b = system()
    at = sparse.BCSR((x.data, x.indices, x.indptr), shape=x.shape).to_bcoo().indices
    loss = lambda data, b: jnp.sin(linalg.spsolve(data, x.indices, x.indptr, b)).sum()

    def dense_loss(data, b):
        return jnp.sin(jnp.linalg.solve(sparse.BCOO((data, at), shape=x.shape).todense(), b)).sum()

    for ours, expected in zip(ad.grad(loss, (0, 1))(x.data, jnp.asarray(b)),
                              ad.grad(dense_loss, (0, 1))(x.data, jnp.asarray(b))):
        np.testing.assert_allclose(ours, expected, rtol=1e-3, atol=1e-5)
    tangents = [ad.jvp(f, (x.data, b), (x.data, b))[1] for f in (loss, dense_loss)]
    np.testing.assert_allclose(*tangents, rtol=1e-3, atol=1e-5)


@unchecked
def test_a_singular_system_has_no_number_for_a_solution():
    out = linalg.spsolve(jnp.zeros(2), jnp.arange(2), jnp.arange(3), jnp.ones(2))
    assert np.isnan(out).all()


def test_systems_that_do_not_fit_are_refused():
    def of(data, indices, indptr, b, **options):
        return lambda m: (theirs if m.sparse is not sparse else linalg).spsolve(
            m.np.asarray(data), m.np.asarray(indices), m.np.asarray(indptr), m.np.asarray(b), **options)

    ones, at, starts = np.ones(2, np.float32), np.arange(2), np.arange(3)
    refused(of(ones, at, starts, np.ones(3, np.float32)), of(ones, at, starts, ones.astype(np.float16)),
            of(ones, ones, starts, ones), of(ones, at, starts, np.ones((2, 2), np.float32)),
            of(ones, at, starts, ones, reorder=7))


@pytest.mark.parametrize("kind", ["dense", "function", "sparse"])
def test_the_largest_eigenvalues(kind):
    root = random.normal(size=(40, 40)).astype(np.float32)
    dense = root @ root.T
    a = jnp.asarray(dense)
    mat = {"dense": a, "function": lambda v: a @ v, "sparse": sparse.BCOO.fromdense(a)}[kind]
    values, vectors, turns = linalg.lobpcg_standard(mat, jnp.asarray(random.normal(size=(40, 3)).astype(np.float32)))
    np.testing.assert_allclose(values, np.linalg.eigvalsh(dense)[::-1][:3], rtol=1e-4)
    np.testing.assert_allclose(a @ vectors, vectors * values, atol=1e-2 * values[0])
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(3), atol=1e-4)
    assert 0 < turns < 100
    fewer = linalg.lobpcg_standard(mat, jnp.eye(40, 3), m=2)[2]
    assert fewer == 2


def test_eigenvalues_of_what_does_not_fit_are_refused():
    def of(a, x):
        return lambda m: (theirs if m.sparse is not sparse else linalg).lobpcg_standard(
            m.np.asarray(a), m.np.asarray(x))

    eye = np.eye(20, dtype=np.float32)
    refused(of(eye, eye[:, :5]), of(eye, eye[:, 0]), of(eye[:10, :10], eye[:, :3]),
            of(eye, np.ones((20, 3), np.int32)))
