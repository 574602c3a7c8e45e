"""What libraries on top of JAX do, beside JAX: callable objects, types as results, rules inside programs."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.modes import compiling
from tests.recorded import jax

import adjoint
import adjoint.custom_derivatives
import adjoint.extend.core
import adjoint.numpy

ROOTS = (adjoint, jax)


class Named:
    """A callable whose name is no text."""

    __name__ = property(lambda self: "a name")
    __annotations__ = property(lambda self: None)

    def __call__(self, x):
        return (x * 2).sum()


class Module(Named):
    """A callable that has no name."""

    __name__ = property(lambda self: self.missing)


def names(r):
    """Names of the functions that transformations return."""
    transformations = (r.vmap, r.grad, r.jit, r.value_and_grad, r.jacfwd)
    found = [getattr(t(f), "__name__", None) for f in (Module(), partial(Named(), 1.0)) for t in transformations]
    return [n if isinstance(n, str) else None for n in found], [float(t(Module())(2.0)) for t in transformations[1:3]]


def types_as_results(r):
    """Functions of which types are asked return types."""
    struct = r.ShapeDtypeStruct((2, 3), np.float32)
    weak = r.ShapeDtypeStruct((), np.float32, weak_type=True)
    return (
        r.eval_shape(lambda: struct), r.eval_shape(lambda x: {"x": x, "types": (struct, weak, struct)}, 1.0),
        r.make_jaxpr(lambda: (struct, weak))(),
    )


def rules_in_programs(r):
    """What the rules of functions with rules are given, where the call is an equation of a program."""
    log = []

    def given(*xs):
        log.append([(hasattr(x, "shape"), str(r.typeof(x))) for x in xs])
        return xs

    power = r.custom_vjp(lambda x, n, h: x * n)
    power.defvjp(lambda x, n, h: (x * n, given(x, n, h)), lambda kept, g: (g * kept[1], None, None))
    scaled = r.custom_jvp(lambda x, n: x * n)
    scaled.defjvp(lambda primals, tangents: (primals[0] * given(*primals)[1], tangents[0] * primals[1]))
    for f in (lambda x: power(x, 3, np.float32(2)), lambda x: scaled(x, 3)):
        log += [float(t(2.0)) for t in (r.grad(r.jit(f)), r.jit(r.grad(r.jit(f))))]
    return log


def zeros(r):
    """Tangents that are zero, of trees."""
    tree = {"a": (1.0, np.ones(2, np.float32)), "none": None}
    zero = r.custom_derivatives.zero_from_primal
    return [np.asarray(x).tolist() for x in r.tree.leaves(zero(tree))], zero([1.0, True], symbolic_zeros=True)


def traces(r):
    """A function is traced once for all that is asked of it."""
    log = []

    def f(x):
        log.append("traced")
        return x * 2

    g = r.jit(f)
    g.lower(1.0), g(1.0), g.trace(1.0), r.eval_shape(g, 1.0), g.lower(1.0).compile()(1.0)
    seen = []
    r.jvp(lambda x: seen.append(r.extend.core.find_top_trace([x]).main is x._trace.main) or x, (1.0,), (1.0,))
    return log, seen


@pytest.mark.parametrize(
    "case", [names, types_as_results, pytest.param(rules_in_programs, marks=compiling), zeros, traces]
)
def test_is_as_in_jax(case):
    found, expected = [str(case(r)) for r in ROOTS]
    assert expected == found
