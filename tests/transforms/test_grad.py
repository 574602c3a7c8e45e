"""`grad` and its kin: arguments they differentiate by, and what functions return on the side; beside JAX."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
import adjoint.numpy

X = np.ones(2, "float32")
PRODUCT = lambda x, y: (x * y).sum()
DIFFERENTIATING = {
    f.__name__: lambda argnums, f=f: f(PRODUCT, argnums)(X, X)
    for f in (adjoint.grad, adjoint.value_and_grad, adjoint.jacfwd, adjoint.jacrev, adjoint.hessian)
}
DIFFERENTIATING["fwd_and_bwd"] = lambda argnums: adjoint.fwd_and_bwd(PRODUCT, argnums)[0](X, X)


@pytest.mark.parametrize("argnums", [2, -3, (0, 2), (0, -3), np.int32(2)])
@pytest.mark.parametrize("name", DIFFERENTIATING)
def test_arguments_that_are_not_there_are_not_differentiated(name, argnums):
    too_many = np.max(argnums) == 2 and name in ("grad", "value_and_grad")
    error, said = (TypeError, "requires at least 3") if too_many else (ValueError, "got value (2|-3) for len")
    with pytest.raises(error, match=said):
        DIFFERENTIATING[name](argnums)


@pytest.mark.parametrize("argnums", [(0, 0), (0, -2), (1, 0, 1)])
@pytest.mark.parametrize("name", DIFFERENTIATING)
def test_no_argument_is_differentiated_twice(name, argnums):
    """JAX raises, too: its function is then called with None."""
    with pytest.raises(TypeError, match="names an argument twice"):
        DIFFERENTIATING[name](argnums)


@pytest.mark.parametrize("none", [(), []])
def test_the_backward_pass_by_no_argument_has_no_cotangent(none):
    fwd, bwd = adjoint.fwd_and_bwd(lambda x, y: x * y, none)
    value, residuals = fwd(2.0, 3.0)
    assert value == 6 and bwd(residuals, 1.0) == ()


# ---- results on the side ----

ROW = np.arange(1.0, 4.0, dtype="f")


def loss(x):
    """A scalar, and on the side an argument, an intermediate value, a number and nothing."""
    y = x * x
    return y.sum(), {"x": x, "y": (y, 3), "none": None}


TRANSFORMED = {
    "grad": lambda j: j.grad(loss, has_aux=True),
    "value_and_grad": lambda j: j.value_and_grad(loss, has_aux=True),
    "vjp": lambda j: lambda x: j.vjp(loss, x, has_aux=True)[::2],
    "jvp": lambda j: lambda x: j.jvp(loss, (x,), (x,), has_aux=True),
    "linearize": lambda j: lambda x: j.linearize(loss, x, has_aux=True)[::2],
    "jit": lambda j: j.jit(j.grad(loss, has_aux=True)),
    "vmap": lambda j: lambda x: j.vmap(j.grad(lambda r: loss(r), has_aux=True))(j.numpy.stack([x, 2 * x])),
    "second": lambda j: lambda x: j.jvp(j.grad(loss, has_aux=True), (x,), (x,)),
    "inside grad": lambda j: j.grad(lambda x: sum(j.grad(loss, has_aux=True)(x)[1]["y"][0])),
    "jacrev": lambda j: j.jacrev(lambda x: (x * 2, {"x": x}), has_aux=True),
    "jacfwd": lambda j: j.jacfwd(lambda x: (x * 2, {"x": x}), has_aux=True),
}


@pytest.mark.parametrize("name", TRANSFORMED)
def test_auxiliary_results_are_values(name):
    """No tracer of a transformation that is over is left in them."""
    ours, theirs = (jax.tree.map(np.asarray, TRANSFORMED[name](j)(j.numpy.asarray(ROW))) for j in (adjoint, jax))
    plain = lambda x: np.zeros(x.shape) if x.dtype == jax.dtypes.float0 else x
    jax.tree.map(lambda a, b: np.testing.assert_allclose(plain(a), plain(b), rtol=1e-6), ours, theirs)


@pytest.mark.parametrize("name", ["max", "min"])
def test_extrema_of_numpys_float64_are_differentiated_in_the_dtype_that_programs_have(name):
    x = np.array([1.0, 2.0, 2.0])
    f = lambda m, x: getattr(m.numpy, name)(x) * 3.0
    theirs, ours = (m.grad(lambda x, m=m: f(m, x))(x) for m in (jax, adjoint))
    assert theirs.dtype == ours.dtype and theirs.tolist() == ours.tolist()


@pytest.mark.parametrize("cotangent", [1.0, 3, True])
def test_the_cotangent_of_a_result_without_derivative_has_any_dtype(cotangent):
    for root in (adjoint, jax):
        for f in (lambda x: x > 0, lambda x: (2 * x).astype(int)):
            (ct,) = root.vjp(f, root.numpy.float32(1.0))[1](cotangent)
            assert (str(ct.dtype), float(ct)) == ("float32", 0.0)
        (ct,) = root.vjp(lambda x: (x > 0, x), root.numpy.float32(1.0))[1]((cotangent, root.numpy.float32(4.0)))
        assert float(ct) == 4.0


def test_names_of_no_positional_argument_are_not_among_those_that_are_held():
    held = {"zz": (), ("y", "zz"): (1,), "key": (), "y": (1,)}
    for root in (adjoint, jax):
        for rule in (root.custom_jvp, root.custom_vjp):
            for names, positions in held.items():
                assert tuple(rule(lambda x, y, *, key=1: x * y, nondiff_argnames=names).nondiff_argnums) == positions


CONSTANT = {
    "grad": lambda m: lambda x: m.grad(lambda x: m.numpy.float32(1.0))(x),
    "grad of a number": lambda m: lambda x: m.grad(lambda x: 1.0)(x),
    "value_and_grad": lambda m: lambda x: m.value_and_grad(lambda x: 1.0)(x)[1],
    "vjp": lambda m: lambda x: m.vjp(lambda x: x > 0, x)[1](1.0)[0],
    "jvp": lambda m: lambda x: m.jvp(lambda x: m.numpy.float32(1.0), (x,), (x,))[1],
    "linearize": lambda m: lambda x: m.linearize(lambda x: m.numpy.float32(1.0), x)[1](x),
    "grad of grad": lambda m: lambda x: m.grad(m.grad(lambda x: 3 * x))(x),
}


@pytest.mark.parametrize("name", CONSTANT)
@pytest.mark.parametrize("x", [2.0, np.float32(2.0)])
def test_derivatives_that_are_zero_are_arrays_inside_of_programs_too(name, x):
    def is_array(x):
        out = CONSTANT[name](adjoint)(x)
        assert isinstance(out, adjoint.Array) and out.dtype == np.float32
        return out

    ours = [g(x) for g in (is_array, adjoint.jit(is_array))]
    f = CONSTANT[name](jax)
    theirs = [g(x) for g in (f, jax.jit(f))]
    assert [(float(v), v.weak_type) for v in ours] == [(float(v), v.weak_type) for v in theirs]
    assert str(adjoint.make_jaxpr(is_array)(x)) == str(jax.make_jaxpr(f)(x))
