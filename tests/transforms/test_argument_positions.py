"""Positions of arguments that are not there, or no positions: the errors are JAX's."""

from __future__ import annotations

import numpy as np
import pytest

import adjoint as ad
import adjoint.numpy as jnp
from adjoint.flatten_util import ravel_pytree

X = np.ones(2, "float32")
PRODUCT = lambda x, y: (x * y).sum()
DIFFERENTIATING = {
    f.__name__: lambda argnums, f=f: f(PRODUCT, argnums)(X, X)
    for f in (ad.grad, ad.value_and_grad, ad.jacfwd, ad.jacrev, ad.hessian)
}
DIFFERENTIATING["fwd_and_bwd"] = lambda argnums: ad.fwd_and_bwd(PRODUCT, argnums)[0](X, X)


@pytest.mark.parametrize("argnums", [2, -3, (0, 2), (0, -3), np.int32(2)])
@pytest.mark.parametrize("name", DIFFERENTIATING)
def test_arguments_that_are_not_there_are_not_differentiated(name, argnums):
    too_many = np.max(argnums) == 2 and name in ("grad", "value_and_grad")
    error, said = (TypeError, "requires at least 3") if too_many else (ValueError, "got value (2|-3) for len")
    with pytest.raises(error, match=said):
        DIFFERENTIATING[name](argnums)


@pytest.mark.parametrize(("positions", "error", "match"), [
    (2, ValueError, r"can only take integer values .* but got \(2,\), while `len\(args\)` = 2"),
    (-3, ValueError, "can only take"),
    ((1, 2), ValueError, "can only take"), ([1], TypeError, r"tuple of ints or, bool, but got value \[1\]"),
    ((1, 1.5), TypeError, "must be an int"), (True, TypeError, "must be an int"),
    (None, TypeError, None), ("a", TypeError, None),
])
def test_static_arguments_of_checkpoint_have_positions(positions, error, match):
    with pytest.raises(error, match=match):
        ad.checkpoint(lambda x, n: x * n, static_argnums=positions)(X, 3)


def test_a_static_argument_of_checkpoint_is_not_given_by_name():
    with pytest.raises(ValueError, match=r"got \(1,\), while `len\(args\)` = 1"):
        ad.checkpoint(lambda x, n: x * n, static_argnums=1)(X, n=3)
    assert ad.checkpoint(lambda x, n: x * n, static_argnames="n")(X, n=3)[0] == 3


@pytest.mark.parametrize("positions", [2, -3, (0, 2), np.int32(2)])
def test_static_arguments_of_make_jaxpr_have_positions(positions):
    with pytest.raises(ValueError, match="but only accepts 2 positional arguments"):
        ad.make_jaxpr(lambda x, n: x * n, static_argnums=positions)(X, 3)


@pytest.mark.parametrize(("positions", "count"), [(1, 1), (-1, 1), (np.int32(1), 1), (None, 2), ((), 2)])
def test_make_jaxpr_leaves_static_arguments_out(positions, count):
    assert len(ad.make_jaxpr(lambda x, n: x * n, static_argnums=positions)(X, 3).jaxpr.invars) == count


@pytest.mark.parametrize(("tree", "dtype"), [
    ((), "float32"), ([1, 2.5, True], "float64"), ([X, 2.5], "float64"), ([X, 2], "float32"),
    ([np.ones(1, "complex64"), 2.5j], "complex128"),
])
def test_a_vector_of_a_tree_has_the_dtype_of_its_arrays(tree, dtype):
    with ad.enable_x64(True):
        vector, unravel = ravel_pytree(tree)
        assert vector.dtype == dtype
        assert ad.tree.structure(unravel(vector)) == ad.tree.structure(tree)


def test_no_leaves_come_from_anything():
    assert [ravel_pytree(())[1](v) for v in (X, None, 2.0)] == [(), (), ()]


def test_sums_of_booleans_over_a_named_axis_are_int32():
    with ad.enable_x64(True):
        x = np.array([True, True, False])
        total, mean = ad.vmap(lambda v: (ad.lax.psum(v, "k"), ad.lax.pmean(v, "k")), axis_name="k", out_axes=None)(x)
    assert (total, total.dtype, mean.dtype) == (2, "int32", "float32")
    assert mean == jnp.float32(2 / 3)


def test_a_sum_over_no_axes_keeps_the_signs_of_zeros():
    assert np.signbit(ad.lax.reduce_sum(jnp.array([-0.0]), ()))[0]


@pytest.mark.parametrize("argnums", [(0, 0), (0, -2), (1, 0, 1)])
@pytest.mark.parametrize("name", DIFFERENTIATING)
def test_no_argument_is_differentiated_twice(name, argnums):
    """JAX raises, too: its function is then called with None."""
    with pytest.raises(TypeError, match="names an argument twice"):
        DIFFERENTIATING[name](argnums)


@pytest.mark.parametrize("none", [(), []])
def test_the_backward_pass_by_no_argument_has_no_cotangent(none):
    fwd, bwd = ad.fwd_and_bwd(lambda x, y: x * y, none)
    value, residuals = fwd(2.0, 3.0)
    assert value == 6 and bwd(residuals, 1.0) == ()
