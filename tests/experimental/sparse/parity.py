"""Programs with sparse arrays on real JAX and on adjoint: the same formats, indices and elements, or the same error.

A program is a function of the two modules, `jax` and `jax.experimental.sparse`. All of a test are compiled as one by
real JAX, for compiling is what takes the time; here each runs eagerly, and all run compiled.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
from adjoint.experimental import sparse as our_sparse

their_sparse = jax.experimental.sparse

THEIRS = SimpleNamespace(jax=jax, np=jax.numpy, sparse=their_sparse)
OURS = SimpleNamespace(jax=adjoint, np=adjoint.numpy, sparse=our_sparse)

M = np.array([[0, 1, 0, 2], [3, 0, 0, 0], [0, 0, 4, 0]], np.float32)
STACK = np.stack([M, -2 * M])


def matrix(m, dense=M, **layout):
    """The sparse array of a dense one whose values are known."""
    layout.setdefault("nse", int((dense != 0).sum()))
    return m.sparse.BCOO.fromdense(m.np.asarray(dense), **layout)


def batched(m):
    """Two matrices with the same indices."""
    return matrix(m, STACK, n_batch=1, nse=4)


def with_dense(m):
    """Two matrices whose rows are dense."""
    return matrix(m, STACK, n_dense=1, nse=6)


def odd(m):
    """A matrix with an index that occurs twice, one from behind, and two beyond the shape."""
    data, indices = np.arange(1, 7, dtype=np.float32), [[0, 1], [2, 0], [0, 1], [3, 4], [0, 9], [-1, 2]]
    return m.sparse.BCOO((m.np.asarray(data), m.np.asarray(np.array(indices, np.int32))), shape=(3, 4))


def described(tree, m):
    """Formats, shapes, dtypes and values of a tree of dense and sparse arrays."""
    def one(x):
        if isinstance(x, m.sparse.JAXSparse):
            return type(x).__name__, tuple(x.shape), [one(v) for v in x.tree_flatten()[0]]
        x = np.asarray(x._buffer if isinstance(x, adjoint.Array) else x)
        return x.dtype.name, x

    return [one(x) for x in m.jax.tree.leaves(tree, is_leaf=lambda x: isinstance(x, m.sparse.JAXSparse))]


def assert_alike(theirs, ours, label):
    """Equal descriptions, with values up to rounding."""
    if isinstance(theirs, np.ndarray):
        assert theirs.shape == ours.shape, f"{label}: {theirs.shape}, {ours.shape}"
        np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=1e-6, err_msg=label)
    elif isinstance(theirs, (list, tuple)):
        assert len(theirs) == len(ours), f"{label}: {theirs}, {ours}"
        for a, b in zip(theirs, ours):
            assert_alike(a, b, label)
    else:
        assert theirs == ours, f"{label}: {theirs}, {ours}"


def same(*programs, compiles=True):
    """Every program gives on adjoint, eagerly and compiled, what it gives on real JAX, which may not compile them."""
    run = lambda: [f(THEIRS) for f in programs]
    expected = (jax.jit(run) if compiles else run)()
    compiled = adjoint.jit(lambda: [f(OURS) for f in programs])()
    for i, (f, a, b) in enumerate(zip(programs, expected, compiled, strict=True)):
        assert_alike(described(a, THEIRS), described(f(OURS), OURS), f"program {i}, eager")
        assert_alike(described(a, THEIRS), described(b, OURS), f"program {i}, compiled")


def refused(*programs):
    """Every program raises the same class of error on both."""
    for i, f in enumerate(programs):
        with pytest.raises(Exception) as theirs:
            f(THEIRS)
        with pytest.raises(Exception) as ours:
            f(OURS)
        assert type(ours.value).__name__ == type(theirs.value).__name__, (i, theirs.value, ours.value)
        assert str(ours.value), f"program {i} has no message"
