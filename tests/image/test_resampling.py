"""`adjoint.image`: values, derivatives, errors and jaxprs as in JAX."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
import adjoint.image
from adjoint.test_util import check_grads

jnp = jax.numpy

METHODS = ("nearest", "linear", "cubic", "cubic-pytorch", "lanczos3", "lanczos5", "area")
X = np.random.default_rng(0).standard_normal((2, 5, 6)).astype(np.float32)


def both(program, *args):
    """The results of one program on JAX and on ours; errors by class and first words."""
    out = []
    for m in (jax, adjoint):
        try:
            y = program(m, *[m.numpy.asarray(a) for a in args])
            out.append((np.asarray(y), str(y.dtype), y.weak_type))
        except Exception as e:
            out.append((type(e).__name__, re.split(r"\n|;", str(e))[0][:60], None))
    return out


@pytest.mark.parametrize("antialias", [True, False])
@pytest.mark.parametrize("method", METHODS)
def test_resized(method, antialias):
    for shape in ((2, 9, 3), (2, 5, 11)):
        theirs, ours = both(lambda m, x: m.image.resize(x, shape, method, antialias), X)
        np.testing.assert_allclose(theirs[0], ours[0], rtol=1e-5, atol=2e-6)
        assert theirs[1:] == ours[1:]


@pytest.mark.parametrize("method", METHODS)
def test_scaled_and_translated(method):
    def program(m, x, scale, translation):
        return m.image.scale_and_translate(x, (2, 4, 7), (1, -1), scale, translation, method)

    theirs, ours = both(program, X, np.float32([0.7, 1.3]), np.float32([-0.4, 1.1]))
    if method == "nearest":
        assert theirs == ours
    else:
        np.testing.assert_allclose(theirs[0], ours[0], rtol=1e-5, atol=2e-6)


def test_dtypes():
    for dtype in ("int32", "uint8", "bool", "bfloat16", "float16", "complex64"):
        for method in ("nearest", "linear"):
            theirs, ours = both(lambda m, x: m.image.resize(x.astype(dtype), (2, 7, 3), method), X)
            assert theirs[1:] == ours[1:]
            np.testing.assert_allclose(theirs[0].astype(complex), ours[0].astype(complex), rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize("method", ["linear", "nearest", "cubic-pytorch", "area", "lanczos3"])
@pytest.mark.parametrize("antialias", [True, False])
def test_jaxprs(method, antialias):
    theirs, ours = [
        re.sub(r"\s+", "", str(m.make_jaxpr(lambda x: m.image.resize(x, (2, 8, 3), method, antialias))(X)))
        for m in (jax, adjoint)
    ]
    assert theirs == ours


def test_jaxpr_of_scale_and_translate():
    def program(m, x, s, t):
        return m.image.scale_and_translate(x, (2, 8, 3), (1, 2), s, t, "linear")

    s = np.ones(2, np.float32)
    theirs, ours = [
        re.sub(r"\s+", "", str(m.make_jaxpr(lambda *a: program(m, *a))(X, s, s))) for m in (jax, adjoint)
    ]
    assert theirs == ours


@pytest.mark.parametrize("program", [
    lambda m, x: m.image.resize(x, (8,), "linear"),
    lambda m, x: m.image.resize(x, (2, 8, 3), "foo"),
    lambda m, x: m.image.resize(x, (2, 8, 3), 3),
    lambda m, x: m.image.resize(x, (0, 8, 3), "linear"),
    lambda m, x: m.image.resize(x[:0], (2, 8, 3), "linear"),
    lambda m, x: m.image.resize(x, (2, 8, 3.0), "linear"),
    lambda m, x: m.image.resize([[1.0, 2.0]], (2, 2), "linear"),
    lambda m, x: m.image.scale_and_translate(x, (8,), (0,), x[0, 0, :1], x[0, 0, :1], "linear"),
    lambda m, x: m.image.scale_and_translate(x, (2, 5, 6), (0, 1), x[0, 0, :1], x[0, 0, :1], "linear"),
    lambda m, x: m.image.scale_and_translate(x, (2, 5, 6), (7,), x[0, 0, :1], x[0, 0, :1], "linear"),
    lambda m, x: m.image.scale_and_translate(x, (2, 5, 6), (), x[0, 0, :0], x[0, 0, :0], "linear"),
    lambda m, x: m.image.ResizeMethod.from_string("x"),
])
def test_errors_and_edges(program):
    theirs, ours = both(program, X)
    if isinstance(theirs[0], str):
        assert theirs[0] == ours[0]
        assert theirs[0] not in ("ValueError", "TypeError") or theirs[1] == ours[1]
    else:
        np.testing.assert_allclose(theirs[0], ours[0], rtol=1e-5, atol=1e-6)
        assert theirs[1:] == ours[1:]


def test_derivatives():
    image = adjoint.image
    x, s, t = X[0], np.float32([0.7, 1.3]), np.float32([-0.4, 1.1])
    check_grads(lambda x: image.resize(x, (3, 8), "cubic"), (x,), order=2, eps=1e-2)
    check_grads(
        lambda x, s, t: image.scale_and_translate(x, (4, 7), (0, 1), s, t, "lanczos3"), (x, s, t),
        order=1, rtol=5e-2, atol=5e-2,
    )


def test_under_jit_and_vmap():
    f = lambda m: lambda x: m.image.resize(x, (3, 8), "linear")
    expected = jax.vmap(f(jax))(jnp.asarray(X))
    for run in (adjoint.vmap(f(adjoint)), adjoint.jit(adjoint.vmap(f(adjoint)))):
        np.testing.assert_allclose(expected, run(adjoint.numpy.asarray(X)), rtol=1e-5, atol=1e-6)


def test_methods():
    assert [(m.name, m.value) for m in jax.image.ResizeMethod] == [
        (m.name, m.value) for m in adjoint.image.ResizeMethod
    ]
