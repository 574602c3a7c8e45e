"""`flatten_util.ravel_pytree`: the vector of a tree, its dtype, and the way back, as in JAX."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
import adjoint.flatten_util

X = np.ones(2, "float32")
MODULES = (jax, adjoint)
ravel_pytree = adjoint.flatten_util.ravel_pytree


@pytest.mark.parametrize(("tree", "dtype"), [
    ((), "float32"), ([1, 2.5, True], "float64"), ([X, 2.5], "float64"), ([X, 2], "float32"),
    ([np.ones(1, "complex64"), 2.5j], "complex128"),
])
def test_a_vector_of_a_tree_has_the_dtype_of_its_arrays(tree, dtype):
    with adjoint.enable_x64(True):
        vector, unravel = ravel_pytree(tree)
        assert vector.dtype == dtype
        assert adjoint.tree.structure(unravel(vector)) == adjoint.tree.structure(tree)


def test_no_leaves_come_from_anything():
    assert [ravel_pytree(())[1](v) for v in (X, None, 2.0)] == [(), (), ()]


def test_the_way_back_from_a_vector_is_comparable():
    tree = {"a": np.ones(3, np.float32), "b": (1.0, np.arange(2))}
    for m in MODULES:
        ravel, traced = m.flatten_util.ravel_pytree, []
        (_, u), (_, v), (_, other) = ravel(tree), ravel(tree), ravel({"a": np.ones(3, np.float32)})
        assert u == v and hash(u) == hash(v) and u != other
        assert len(m.tree.leaves(u)) == 1
        f = m.jit(lambda x, back: traced.append(back) or x, static_argnums=1)
        assert f(1.0, u) == f(1.0, v)
        assert len(traced) == 1


def test_vectors_of_trees_keep_weak_types_and_take_any_dtype_where_nothing_is_converted():
    for m in MODULES:
        ravel = m.flatten_util.ravel_pytree
        vector, back = ravel({"a": m.numpy.ones(2)})
        assert ravel(3.0)[0].weak_type and not vector.weak_type
        assert back(vector.astype("float16"))["a"].dtype == np.float16
        _, back = ravel({"a": m.numpy.ones(2), "b": 3})
        with pytest.raises(TypeError, match="unravel function given array of dtype float16"):
            back(m.numpy.ones(3, "float16"))
