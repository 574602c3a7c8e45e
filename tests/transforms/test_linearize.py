"""`linearize`: what is saved for the backward pass, its lines and scopes, what is known while tracing; as in JAX."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.debug.programs import called
from tests.lax.parity import arguments
from tests.modes import compiling
from tests.recorded import jax

import adjoint
import adjoint.ad_checkpoint

X = np.array([0.5, 1.5], np.float32)
W = np.ones((2, 2), np.float32)


def layers(m, w, x):
    block = m.jit(lambda x: m.numpy.sin(m.numpy.dot(w, x)))
    return m.numpy.sum(block(block(x)))


def named(m, x):
    y = m.ad_checkpoint.checkpoint_name(m.numpy.sin(x), "y")
    return m.numpy.sum(m.numpy.sin(y))


def saving_y(m, x):
    policy = m.checkpoint_policies.save_only_these_names("y")
    return m.checkpoint(partial(named, m), policy=policy)(x)


# The function as the user wrote it, so that arguments have their names.
FUNCTIONS = {
    "tree": (lambda m: lambda x, y: m.numpy.sum(m.numpy.tanh(m.numpy.sin(x) * y["a"][0])), X, {"a": [X]}),
    "constant": (lambda m: lambda x: m.numpy.sum(m.numpy.asarray(W) @ m.numpy.sin(x)), X),
    "calls": (lambda m: lambda w, x: layers(m, w, x), W, X),
    "checkpoint": (lambda m: lambda w, x: m.checkpoint(partial(layers, m))(w, x), W, X),
    "names": (lambda m: lambda x: named(m, x), X),
    "policy": (lambda m: lambda x: saving_y(m, x), X),
    "scan": (lambda m: lambda x: m.lax.scan(lambda c, x: (m.numpy.sin(c) * x, c), 1.0, x)[0], X),
    "linear": (lambda m: lambda x: x * 2.0, 1.0),
    "keywords": (lambda m: lambda x, *a, k=1.0: x * a[0] * k * m.numpy.exp(x), 1.0, 3.0),
    "integer": (lambda m: lambda x: m.numpy.log(x), 1),
}


# Without compilation JAX lists the literal 2.0, which no derivative needs to keep.
@pytest.mark.parametrize("name", [pytest.param(n, marks=compiling) if n == "linear" else n for n in FUNCTIONS])
def test_saved_residuals_print_as_in_jax(name):
    make, *args = FUNCTIONS[name]
    keywords = {"k": 3.0} if name == "keywords" else {}
    theirs, ours = [
        called(lambda m=m: m.ad_checkpoint.print_saved_residuals(
            make(m), *jax.tree.map(lambda x: arguments(m, [x])[0], args), **keywords))
        for m in (jax, adjoint)
    ]
    assert theirs == ours


def test_equations_of_the_backward_pass_have_the_line_of_the_forward_pass():
    """And the name stack says so, inside a scope too."""

    def f(m, x):
        with m.named_scope("layer"):
            return m.numpy.sin(x) * 2.0

    def places(m):
        eqns = m.make_jaxpr(m.grad(partial(f, m)))(1.0).eqns
        return [(e.primitive.name, "transpose" in str(e.source_info.name_stack)) for e in eqns]

    assert places(jax) == places(adjoint)
    eqns = adjoint.make_jaxpr(adjoint.grad(partial(f, adjoint)))(1.0).eqns
    assert {"f.__code__"} == {"f.__code__" for e in eqns if e.source_info.code is f.__code__}
    assert "transpose(jvp(layer))" == eqns[-1].source_info.name_stack


def test_the_backward_pass_is_named_by_the_first_scope_of_the_function():
    def f(m, x):
        with m.named_scope("block"):
            x = m.numpy.sin(x)
            with m.named_scope("layer"):
                return m.numpy.cos(x)

    def names(m):
        stacks = [str(e.source_info.name_stack) for e in m.make_jaxpr(
            m.named_scope("step")(m.grad(lambda x: 2 * f(m, x))))(1.0).eqns]
        return [s for s in stacks if "transpose" in s]

    assert names(adjoint) == names(jax)
    assert "step/transpose(jvp(block))/layer" in names(adjoint)


def test_known_values_are_computed_while_tracing():
    """Under jit, vmap and grad; what is not known yet is staged as before."""

    def f(m, x):
        with m.ensure_compile_time_eval():
            n = int(m.numpy.arange(3).sum())
            table = m.vmap(lambda v: v * 2)(m.numpy.arange(3.0))
            slope = float(m.grad(m.jit(m.numpy.sin))(0.0))
            y = x + 1
        return y * n * slope + table[0]

    for transform in (lambda m, f: f, lambda m, f: m.jit(f), lambda m, f: m.grad(f), lambda m, f: m.jit(m.grad(f))):
        assert float(transform(jax, partial(f, jax))(2.0)) == float(transform(adjoint, partial(f, adjoint))(2.0))
    assert [6.0, 9.0] == adjoint.vmap(partial(f, adjoint))(adjoint.numpy.array([1.0, 2.0])).tolist()


def test_arrays_that_are_made_while_known_values_are_computed_are_known():
    def f(m, x):
        with m.ensure_compile_time_eval():
            made = (
                m.numpy.array([1, 2]), m.numpy.array(2), m.numpy.asarray(np.arange(3)), m.numpy.zeros(()),
                m.numpy.int32(4), m.vmap(lambda v: v * m.numpy.array(2.0))(m.numpy.arange(2.0)),
            )
            known = [not isinstance(v, m.core.Tracer) for v in made]
        return known, isinstance(m.numpy.array([1, 2]), m.core.Tracer), x * made[0]

    for transform in (lambda m, f: m.jit(f), lambda m, f: m.vmap(m.jit(f)), lambda m, f: m.jit(m.vmap(f))):
        ours, theirs = (transform(m, partial(f, m))(np.ones((3, 2), np.float32)) for m in (adjoint, jax))
        assert [np.all(x) for x in ours[0]] == [True] * 6
        assert np.all(ours[1]) and np.all(theirs[1])
        np.testing.assert_array_equal(ours[2], theirs[2])
