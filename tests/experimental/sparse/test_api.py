"""`todense`, `empty`, `eye` and `random_bcoo` for every format, beside real JAX; and the names of the package."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from tests.recorded import jax

import adjoint as ad
import adjoint.numpy as jnp
from adjoint.experimental import sparse

from .parity import M, matrix, refused, same

theirs = jax.experimental.sparse


def test_the_package_has_jaxs_names_and_signatures():
    names = [name for name in dir(theirs) if not name.startswith("_")]
    assert not set(names) - set(dir(sparse))
    for name in names:
        expected = getattr(theirs, name)
        if inspect.isfunction(expected):
            ours = inspect.signature(getattr(sparse, name))
            assert list(ours.parameters) == list(inspect.signature(expected).parameters), name
            kinds = [p.kind for p in inspect.signature(expected).parameters.values()]
            assert kinds == [p.kind for p in ours.parameters.values()], name
    for cls in ("BCOO", "BCSR", "COO", "CSR", "CSC"):
        members = [n for n in dir(getattr(theirs, cls)) if not n.startswith("_")]
        assert not set(members) - set(dir(getattr(sparse, cls))), cls


@pytest.mark.parametrize("shape", [(3, 4, 1), (3, 4, -1), (3, 2, 0), (3, 4, 7), (4, 3, -2)])
def test_identities(shape):
    n, m, k = shape
    layouts = {}, {"n_batch": 1}, {"n_dense": 1}, {"n_batch": 1, "n_dense": 1}, {"n_batch": 2}, {"n_dense": 2}
    same(*[lambda x, kw=kw: x.sparse.eye(n, m, k, **kw) for kw in layouts],
         *[lambda x, f=f: x.sparse.eye(n, m, k, sparse_format=f, index_dtype="int8") for f in ("coo", "csr", "csc")],
         compiles=False)


def test_empty_arrays():
    same(lambda m: m.sparse.empty((3, 4)), lambda m: m.sparse.empty((2, 3, 4), n_batch=1, n_dense=1, nse=2),
         *[lambda m, f=f: m.sparse.empty((3, 4), dtype="int32", sparse_format=f)
           for f in ("coo", "csr", "csc", "bcsr")],
         lambda m: m.sparse.empty((3, 4, 5), sparse_format="bcsr", nse=3, n_batch=1))
    refused(lambda m: m.sparse.eye(3, sparse_format="bcsr"), lambda m: m.sparse.eye(3, sparse_format="dia"),
            lambda m: m.sparse.empty((3, 4, 5), sparse_format="csr"), lambda m: m.sparse.empty((3,), n_batch=3),
            lambda m: m.sparse.empty((3, 4, 5), sparse_format="bcsr"), lambda m: m.sparse.empty((3,), rows=3),
            lambda m: m.sparse.eye(3, n_batch=3))


def test_todense_takes_any_array():
    same(lambda m: m.sparse.todense(matrix(m)), lambda m: m.sparse.todense(m.np.asarray(M)),
         lambda m: m.sparse.todense(m.sparse.CSR.fromdense(m.np.asarray(M), nse=4)),
         lambda m: m.jax.grad(lambda d: m.sparse.todense(m.sparse.BCOO((d, matrix(m).indices), shape=(3, 4))).sum())(
             matrix(m).data))
    assert ad.make_jaxpr(sparse.todense)(sparse.eye(2)).eqns[0].primitive is sparse.todense_p


def test_random_arrays_are_jaxs():
    of = lambda shape, **options: lambda m: m.sparse.random_bcoo(
        m.jax.random.key(0), shape, **{"dtype": "float32", **options})
    same(of((5, 6)), of((5, 6), nse=3), of((5, 6), nse=0.5), of((2, 5, 6), nse=3, n_batch=1),
         of((5, 6, 2), nse=3, n_dense=1),
         of((5, 6), nse=3, sorted_indices=True), of((5, 6), nse=9, unique_indices=False),
         of((5, 6), nse=3, indices_dtype="int8"), of((2, 2), n_batch=2), of((5, 6), nse=3, minval=2., maxval=3.))
    refused(of((2, 2), nse=6), of((2, 2), nse=-1), of((2, 2), nse=1.5), of((2, 2), n_batch=3))


def test_warnings_are_of_the_packages_classes():
    assert issubclass(sparse.CuSparseEfficiencyWarning, sparse.SparseEfficiencyWarning)
    assert issubclass(sparse.SparseEfficiencyError, ValueError) and np.issubdtype(jnp.float32, np.floating)
