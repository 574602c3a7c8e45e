"""The name stacks of equations: scopes, and the transformations around them, as JAX has them."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.lax.parity import arguments
from tests.modes import compiling
from tests.recorded import jax

import adjoint

X = np.arange(3, dtype=np.float32)


def inner(m):
    def f(x):
        with m.named_scope("foo"):
            y = m.numpy.sin(x)
            with m.named_scope("bar"):
                return y * 2.0

    return f


def outer(m, call):
    def g(x):
        with m.named_scope("outer"):
            return call(x)

    return g


def total(m, f):
    return lambda x: m.numpy.sum(f(x))


def with_rule(m):
    f = inner(m)
    ruled = m.custom_vjp(f)

    def bwd(x, g):
        with m.named_scope("bwd"):
            return (g * f(x),)

    ruled.defvjp(lambda x: (f(x), x), bwd)
    return ruled


def pulled_elsewhere(m):
    def g(x):
        y, pull = outer(m, lambda x: m.vjp(inner(m), x))(x)
        with m.named_scope("other"):
            return pull(y)

    return g


def loop(m):
    f = inner(m)
    return outer(m, lambda x: m.lax.scan(lambda c, y: (f(c) + y, f(y)), m.numpy.float32(1), x))


PROGRAMS = {
    "call": lambda m: inner(m),
    "jit": lambda m: outer(m, m.jit(inner(m))),
    "grad": lambda m: m.grad(total(m, inner(m))),
    "grad-of-grad": lambda m: m.grad(total(m, m.grad(total(m, inner(m))))),
    "jvp": lambda m: lambda x: m.jvp(inner(m), (x,), (x,)),
    "linearize": lambda m: lambda x: m.linearize(inner(m), x)[1](x),
    "vjp": lambda m: pulled_elsewhere(m),
    "vmap": lambda m: outer(m, m.vmap(inner(m))),
    "vmap-of-grad": lambda m: m.vmap(m.grad(inner(m))),
    "grad-of-vmap": lambda m: m.grad(total(m, m.vmap(inner(m)))),
    "jacrev": lambda m: m.jacrev(inner(m)),
    "grad-of-jit": lambda m: m.grad(total(m, outer(m, m.jit(inner(m))))),
    "jit-of-grad": lambda m: m.jit(m.grad(total(m, inner(m)))),
    "scan": lambda m: loop(m),
    "grad-of-scan": lambda m: m.grad(lambda x: loop(m)(x)[0]),
    "vmap-of-scan": lambda m: lambda x: m.vmap(loop(m))(m.numpy.stack([x, x])),
    "cond": lambda m: outer(m, lambda x: m.lax.cond(x[0] > 0, inner(m), lambda x: x, x)),
    "checkpoint": lambda m: outer(m, m.checkpoint(inner(m))),
    "custom_vjp": lambda m: m.grad(total(m, outer(m, with_rule(m)))),
    "linear_transpose": lambda m: lambda x: m.linear_transpose(outer(m, lambda y: y * 2.0), x)(x),
}


def stacks(jaxpr, found):
    for eqn in jaxpr.eqns:
        found.append(f"{eqn.primitive.name}: {eqn.source_info.name_stack}")
        for value in eqn.params.values():
            for inside in value if isinstance(value, (tuple, list)) else [value]:
                inside = getattr(inside, "jaxpr", inside)
                if hasattr(inside, "eqns"):
                    stacks(inside, found)
    return found


@compiling
@pytest.mark.parametrize("name", PROGRAMS)
def test_equations_have_jaxs_name_stacks(name):
    """Scopes around a program are those of its equation; transformations are written around the scope that follows."""
    theirs, ours = [
        stacks(m.make_jaxpr(PROGRAMS[name](m))(*arguments(m, [X])).jaxpr, []) for m in (jax, adjoint)
    ]
    assert theirs == ours


@compiling
def test_what_is_computed_again_is_named():
    program = adjoint.make_jaxpr(adjoint.grad(total(adjoint, adjoint.checkpoint(inner(adjoint)))))(X)
    assert "cos: rematted_computation/foo" in stacks(program.jaxpr, [])


@compiling
def test_lowered_programs_name_function_scope_and_part():
    """`jit(f)/outer/while/body/foo/sin`, as JAX writes it."""

    def f(m):
        step = inner(m)
        def f(x):
            x = m.lax.while_loop(lambda x: m.numpy.sum(x) < 3, step, x)
            return m.lax.cond(x[0] > 0, step, lambda x: x, x)
        return outer(m, f)

    theirs, ours = [
        re.findall(r'"(jit\(g\)/[^"]*(?:mul|sin|lt|gt|while|cond))"',
                   m.jit(f(m)).lower(*arguments(m, [X])).as_text(debug_info=True))
        for m in (jax, adjoint)
    ]
    assert set(theirs) == set(ours)
    assert "jit(g)/outer/while/body/foo/bar/mul" in ours
