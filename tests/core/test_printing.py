"""The options of `Jaxpr.pretty_print`, beside JAX."""

from __future__ import annotations

import re
from inspect import signature

import numpy as np
import pytest
from tests.modes import compiling
from tests.recorded import jax

import adjoint
import adjoint.core
import adjoint.numpy
from adjoint.core.printing import print_jaxpr


def text(library, options):
    def f(x):
        with library.named_scope("outer"):
            y = library.lax.sin(x)
            with library.named_scope("inner"):
                y = y * 2
        y = library.jit(lambda x: x + 1)(y)
        y = library.lax.scan(lambda c, _: (library.lax.sin(c), None), y, None, length=3)[0]
        library.debug.callback(lambda v: None, y)
        return y

    return library.make_jaxpr(f)(1.0).pretty_print(**options)


@pytest.mark.parametrize("option", [None, "print_shapes", "name_stack", "print_effects"])
def test_options_are_jaxs(option):
    """Types, scopes in a column of their own, and effects."""
    options = {option: option != "print_shapes"} if option else {}
    assert text(jax, options) == text(adjoint, options)


@compiling
def test_lines_stand_beside_equations():
    """The user's line, in one column, with scopes on the next line."""
    options = {"source_info": True, "name_stack": True}
    ours, theirs = text(adjoint, options).splitlines(), text(jax, options).splitlines()
    column = {line.index("#") for line in theirs if "#" in line}
    assert column == {line.index("#") for line in ours if "#" in line}
    for name in ("b:f32[] = sin a", "= mul b", "= scan[", "d:f32[] = jit["):
        assert next(x for x in theirs if name in x) == next(x for x in ours if name in x)


def test_all_parameters_can_be_printed():
    """Without the rules that leave out what follows from the rest."""
    jaxpr = adjoint.make_jaxpr(lambda x: adjoint.numpy.zeros((2,)) + x)(1.0)
    assert "shape=" not in str(jaxpr)
    assert "shape=(2,)" in jaxpr.pretty_print(custom_pp_eqn_rules=False)


def test_settings_and_names():
    """`JaxprPpSettings` are the options, with JAX's defaults; a `JaxprPpContext` has names."""
    defaults = signature(jax.make_jaxpr(lambda x: x)(1.0).jaxpr.pretty_print).parameters
    settings = adjoint.core.JaxprPpSettings()
    assert {n: p.default for n, p in defaults.items() if n != "kwargs"} == settings._asdict()
    jaxpr = adjoint.make_jaxpr(lambda x: x + 1)(np.float32(1)).jaxpr
    text = print_jaxpr(jaxpr, settings, adjoint.core.JaxprPpContext({jaxpr.invars[0]: "weight"}))
    assert text == "{ lambda ; weight:f32[]. let a:f32[] = add weight 1.0:f32[] in (a,) }"


def test_variables_and_literals_of_equations():
    """What a program that reads jaxprs prints of the operands of an equation."""
    def operands(library):
        def f(x, n):
            return x * 2.0, n.astype(library.numpy.float16) + x, library.numpy.where(n > 1, x, np.float32(3))

        jaxpr = library.make_jaxpr(f)(np.ones((2, 3), np.float32), np.uint8(2)).jaxpr
        return [re.sub(r"id=\d+", "id=", repr(v)) for eqn in jaxpr.eqns for v in (*eqn.invars, *eqn.outvars)]

    assert operands(adjoint) == operands(jax)
    assert "Literal(2.0)" in operands(adjoint) and "Var(id=):float32[2,3]" in operands(adjoint)
