"""Functions with rules of their own that close over mapped, traced and differentiated values, on adjoint and on JAX."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.lax.parity import assert_same
from tests.recorded import jax

import adjoint as ax

W = np.array([1.0, 2.0], np.float32)


def of_jvp(m, w):
    @m.custom_jvp
    def f(y):
        return w * y

    f.defjvp(lambda primals, tangents: (f(*primals), w * tangents[0] * 7.0))
    return f


def of_jvp_with_zeros(m, w):
    @m.custom_jvp
    def f(y):
        return w * y

    f.defjvp(lambda primals, tangents: (w * primals[0], w * tangents[0] * 7.0), symbolic_zeros=True)
    return f


def of_vjp(m, w):
    @m.custom_vjp
    def f(y):
        return w * y

    f.defvjp(lambda y: (f(y), w), lambda w, ct: (ct * w * 7.0,))
    return f


def of_vjp_whose_bwd_reads_it(m, w):
    @m.custom_vjp
    def f(y):
        return 2.0 * y

    f.defvjp(lambda y: (f(y), None), lambda _, ct: (ct * w * 7.0,))
    return f


def of_gradient(m, w):
    return m.custom_gradient(lambda y: (w * y, lambda ct: ct * w * 7.0))


def of_a_key(m, w):
    key = m.random.key(w.astype(int))

    @m.custom_jvp
    def f(y):
        return y * m.random.uniform(key)

    f.defjvp(lambda primals, tangents: (f(*primals), tangents[0] * m.random.uniform(key) * 3.0))
    return f


def with_a_fixed_argument(m, w):
    @partial(m.custom_jvp, nondiff_argnums=(0,))
    def f(w, y):
        return w * y

    f.defjvp(lambda w, primals, tangents: (f(w, *primals), w * tangents[0] * 7.0))
    return partial(f, w)


def with_a_fixed_key(m, w):
    @partial(m.custom_jvp, nondiff_argnums=(0,))
    def f(key, y):
        return y * m.random.uniform(key)

    f.defjvp(lambda key, primals, tangents: (f(key, *primals), tangents[0] * 3.0))
    return partial(f, m.random.key(w.astype(int)))


MADE = [of_jvp, of_jvp_with_zeros, of_vjp, of_vjp_whose_bwd_reads_it, of_gradient, of_a_key, with_a_fixed_argument,
        with_a_fixed_key]
USES = {
    "call": lambda m, f: f(3.0),
    "array": lambda m, f: f(m.numpy.arange(2.0)).sum(),
    "grad": lambda m, f: m.grad(f)(3.0),
    "vmap of grad": lambda m, f: m.vmap(m.grad(f))(m.numpy.arange(2.0)).sum(),
    "grad of vmap": lambda m, f: m.grad(lambda y: m.vmap(f)(y).sum())(m.numpy.arange(2.0)).sum(),
    "jit": lambda m, f: m.jit(f)(3.0),
    "grad of scan": lambda m, f: m.grad(
        lambda y: m.lax.scan(lambda c, x: (f(c) + x, None), y, m.numpy.arange(2.0))[0])(np.float32(1)),
    "checkpoint": lambda m, f: m.grad(m.checkpoint(f))(np.float32(3)),
}
FEW = ["call", "grad", "grad of scan"]


def agree(program, *args):
    """The same values and types as JAX's."""
    theirs, ours = (m.tree.map(m.numpy.asarray, program(m, *map(m.numpy.asarray, args))) for m in (jax, ax))
    assert_same(theirs, ours, 1e-6)


@pytest.mark.parametrize("make", MADE, ids=lambda f: f.__name__)
def test_a_rule_may_close_over_a_mapped_value(make):
    names = list(USES)
    if make in (of_vjp_whose_bwd_reads_it, with_a_fixed_argument, with_a_fixed_key):  # JAX refuses these in programs
        names = ["call", "array", "grad", "vmap of grad"]
    agree(lambda m, w: m.vmap(lambda w: {name: USES[name](m, make(m, w)) * np.float32(1) for name in names})(w), W)


@pytest.mark.parametrize("make", [of_jvp, of_vjp], ids=lambda f: f.__name__)
@pytest.mark.parametrize("outer", ["vmap of vmap", "jit of vmap", "vmap in scan", "vmap of jit", "vmap of checkpoint"])
def test_a_rule_may_close_over_a_value_that_is_mapped_in_another_transformation(make, outer):
    def around(m, f, w):
        match outer:
            case "vmap of vmap":
                return m.vmap(m.vmap(f))(w[None])
            case "jit of vmap":
                return m.jit(m.vmap(f))(w)
            case "vmap in scan":
                return m.lax.scan(lambda c, x: (c, m.vmap(f)(w * x)), np.float32(0), w)[1]
            case "vmap of jit":
                return m.vmap(m.jit(f))(w)
            case "vmap of checkpoint":
                return m.vmap(m.checkpoint(f))(w)

    uses = ["call"] if outer.startswith("vmap of j") or "checkpoint" in outer else FEW
    for name in uses:
        agree(lambda m, w, name=name: around(m, lambda w: USES[name](m, make(m, w)) * np.float32(1), w), W)


def test_a_call_that_no_result_needs_may_close_over_a_differentiated_value():
    """The rule calls its own function; in the derivative of a jitted gradient nobody reads that."""
    for make in (of_jvp, of_jvp_with_zeros):
        agree(lambda m, w, make=make: m.grad(m.jit(lambda w: m.grad(make(m, w))(3.0)))(w[0]), W)
        agree(lambda m, w, make=make: m.jvp(m.jit(lambda w: m.grad(make(m, w))(3.0)), (w[0],), (w[1],)), W)


@pytest.mark.parametrize("make", [of_jvp, of_vjp], ids=lambda f: f.__name__)
def test_a_rule_that_closes_over_a_differentiated_value_is_refused(make):
    for m in (jax, ax):
        with pytest.raises(m.errors.UnexpectedTracerError):
            m.grad(lambda w: make(m, w)(3.0))(2.0)
        with pytest.raises(Exception, match="closed-over|No constant handler"):
            m.grad(m.jit(lambda w: make(m, w)(3.0)))(2.0)


def test_what_a_rule_makes_the_same_for_all_elements_is_not_mapped():
    def program(m, w):
        f = m.custom_jvp(lambda y: y * 2.0)
        f.defjvp(lambda primals, tangents: (primals[0] * 2.0, tangents[0] * 5.0))
        g = m.custom_vjp(lambda y: y * 2.0)
        g.defvjp(lambda y: (y * 2.0, None), lambda _, ct: (ct * 5.0,))
        return [
            m.vmap(lambda w: (f(np.float32(3)), w), out_axes=(None, 0))(w),
            m.vmap(lambda w: (g(np.float32(3)), w), out_axes=(None, 0))(w),
            m.vmap(lambda w: (m.grad(g)(np.float32(3)), w), out_axes=(None, 0))(w),
            m.vmap(lambda w: m.jvp(f, (np.float32(3),), (w,)), out_axes=(None, 0))(w),
        ]

    agree(program, W)


@pytest.mark.parametrize("outer", ["jit", "scan", "vmap of jit", "grad of jit"])
def test_what_solves_for_the_tangents_of_a_root_may_close_over_a_traced_value(outer):
    """It is called when the program is differentiated, when the function that it stands in has long ended."""

    def program(m, w):
        def root(a):
            newton = lambda f, x: m.lax.fori_loop(0, 9, lambda _, x: x - f(x) / (2 * x), x)
            return m.lax.custom_root(lambda x: x * x - a, np.float32(1), newton, lambda g, y: a * y / g(a))

        match outer:
            case "jit":
                return m.grad(m.jit(root))(w[1])
            case "scan":
                return m.grad(lambda a: m.lax.scan(lambda c, x: (c + root(a * x), x), np.float32(0), w)[0])(w[1])
            case "vmap of jit":
                return m.vmap(m.jit(m.grad(m.jit(root))))(w)
            case "grad of jit":
                return m.grad(m.jit(m.grad(m.jit(root))))(w[1])

    agree(program, W)
