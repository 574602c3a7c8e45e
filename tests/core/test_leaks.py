"""`jax_check_tracer_leaks`: an error where real JAX raises one, that says who keeps the value and what made it."""

from __future__ import annotations

import importlib
from functools import partial

import numpy as np
import pytest
from tests.recorded import jax

import adjoint


class Model:
    pass


def keeping(store):
    """A function that keeps a value of its own."""

    def kept(x):
        store.append(x * 2)
        return x

    return kept


# Each makes a program of a module and a function of numbers.
PROGRAMS = {
    "jit": lambda m, f: m.jit(f)(1.0),
    "vmap": lambda m, f: m.vmap(f)(m.numpy.ones(2)),
    "grad": lambda m, f: m.grad(f)(1.0),
    "jvp": lambda m, f: m.jvp(f, (1.0,), (1.0,)),
    "linearize": lambda m, f: m.linearize(f, 1.0),
    "scan": lambda m, f: m.lax.scan(lambda c, _: (f(c), None), 1.0, None, length=2),
    "while_loop": lambda m, f: m.lax.while_loop(lambda x: x < 3, lambda x: f(x) + 1, 1.0),
    "cond": lambda m, f: m.lax.cond(True, f, lambda x: x, 1.0),
    "make_jaxpr": lambda m, f: m.make_jaxpr(f)(1.0),
    "eval_shape": lambda m, f: m.eval_shape(f, 1.0),
    "grad of checkpoint": lambda m, f: m.grad(m.checkpoint(f))(1.0),
    "grad in jit": lambda m, f: m.jit(m.grad(f))(1.0),
    "nothing": lambda m, f: m.jit(m.vmap(m.grad(lambda x: x * x)))(m.numpy.ones(2)),
    "a list that holds itself": lambda m, f: m.jit(lambda x: (lambda xs: xs.append(xs))([x * 2]))(1.0),
}


def error(m, program, f):
    with m.checking_leaks():
        try:
            program(m, f)
        except Exception as e:
            return e
    return None


@pytest.mark.parametrize("name", PROGRAMS)
def test_leaks_are_found_where_jax_finds_them(name):
    found = []
    for m in (jax, adjoint):
        store = []
        e = error(m, PROGRAMS[name], keeping(store))
        found.append(e and (type(e), str(e).split()[:2], "Leaked tracer(s):" in str(e)))
    assert found[0] == found[1]


def test_a_leak_is_told_with_its_holder_and_the_line_that_made_it():
    store, model = [], Model()

    def in_attribute(x):
        model.cache = {"h": x * 3}
        return x

    text = str(error(adjoint, PROGRAMS["jit"], keeping(store)))
    assert "It is kept in the list 'store', at index 0." in text and "store.append(x * 2)" in text
    text = str(error(adjoint, PROGRAMS["jit"], in_attribute))
    assert "It is kept in the attribute 'cache' of 'model', at key 'h'." in text
    assert 'model.cache = {"h": x * 3}' in text


def test_a_leak_in_a_closure_is_told():
    kept = []

    def closing(x):
        kept.append(lambda: x)
        return x

    text = str(error(adjoint, PROGRAMS["jit"], closing))
    assert "the variable 'x' that" in text and "closes over" in text and "It is the argument x." in text


def test_the_cells_of_a_closure_are_told_apart_without_comparing_what_they_hold():
    kept = []

    def closing(x):
        first, second = x + 1, x + 2
        kept.append(lambda: first + second)
        return x

    adjoint.jit(closing)(1.0)
    with pytest.raises(adjoint.errors.UnexpectedTracerError, match=r"the variable 'first' that .* closes over"):
        kept[0]()


def test_an_error_of_the_function_itself_is_its_own():
    def wrong(x):
        raise KeyError("mine")

    for m in (jax, adjoint):
        assert type(error(m, PROGRAMS["jit"], wrong)) is KeyError


@pytest.mark.parametrize("transformed", ["jit", "vmap", "scan"])
def test_the_use_of_a_leaked_value_begins_as_in_jax(transformed):
    texts = []
    for m in (jax, adjoint):
        store = []
        PROGRAMS[transformed](m, keeping(store))
        with pytest.raises(m.errors.UnexpectedTracerError) as info:
            m.numpy.sin(store[0])
        texts.append(str(info.value).split(" wrapped in")[0])
    assert texts[0] == texts[1]
    if transformed != "vmap":
        assert "The leaked intermediate value was created on line" in str(info.value)


def test_a_value_that_only_a_cycle_holds_is_no_leak():
    def cyclic(x):
        model = Model()
        model.itself, model.value = model, x * 2
        return x

    assert [error(m, PROGRAMS["jit"], cyclic) for m in (jax, adjoint)] == [None, None]


def test_rubbish_is_collected_only_where_a_value_is_held(monkeypatch):
    collected, store = [], []
    monkeypatch.setattr("gc.collect", lambda *_: collected.append(None))
    error(adjoint, PROGRAMS["jit"], lambda x: x * 2)
    collected.clear()
    assert error(adjoint, PROGRAMS["jit"], lambda x: x * 2) is None and not collected
    assert error(adjoint, PROGRAMS["jit"], keeping(store)) is not None and collected


# ---- what the library itself keeps ---------------------------------------------------------------

X = np.array([1.0, 2.0, 3.0], np.float32)


def root(m, a):
    newton = lambda f, x: m.lax.fori_loop(0, 9, lambda _, x: x - f(x) / (2 * x), x)
    return m.lax.custom_root(lambda x: x * x - a, 1.0, newton, lambda g, y: y / g(a / a))


def rule_with_a_fixed_argument(m, a):
    @partial(m.custom_vjp, nondiff_argnums=(0,))
    def twice(f, x):
        return f(f(x))

    twice.defvjp(lambda f, x: (twice(f, x), None), lambda f, _, ct: (f(ct),))
    return twice(lambda x: 3 * x, a)


def converted_function(m, a):
    f, values = m.closure_convert(lambda x: x * a, 1.0)
    KEPT.append(f)
    return f(2.0, *values)


def loop_with_a_body_that_lives(m, a):
    return m.lax.while_loop(lambda x: x < a, BODY, 0.0)


def equation(m, a):
    ode = importlib.import_module(f"{m.__name__}.experimental.ode")
    return ode.odeint(lambda y, t: -y * a, m.numpy.float32(1), m.numpy.array([0.0, 1.0], np.float32))[-1]


def rule_of_its_own(m, a):
    f = m.custom_vjp(lambda y: a * y)
    f.defvjp(lambda y: (a * y, None), lambda _, ct: (ct * 7.0,))
    return m.grad(f)(3.0)


KEPT = []
BODY = lambda x: x + 1
TRANSFORMS = {
    "value": lambda m, f: m.make_jaxpr(f)(2.0),
    "grad": lambda m, f: m.make_jaxpr(m.grad(f))(2.0),
    "jvp": lambda m, f: m.make_jaxpr(lambda x: m.jvp(f, (x,), (x,)))(2.0),
    "vmap": lambda m, f: m.make_jaxpr(m.vmap(f))(X),
    "grad of vmap": lambda m, f: m.make_jaxpr(m.grad(lambda x: m.vmap(f)(x).sum()))(X),
    "vmap outside of programs": lambda m, f: m.vmap(f)(X),
}
HELD = {
    root: TRANSFORMS, converted_function: ["value", "grad", "jvp", "vmap", "grad of vmap"],
    rule_with_a_fixed_argument: ["value", "grad", "grad of vmap"],
    loop_with_a_body_that_lives: ["value", "jvp", "vmap"], equation: ["value", "vmap"],
    rule_of_its_own: ["vmap outside of programs"],
}
CASES = [(f, name) for f, names in HELD.items() for name in names]


@pytest.mark.parametrize(("program", "name"), [pytest.param(*c, id=f"{c[0].__name__}-{c[1]}") for c in CASES])
def test_no_rule_or_plan_or_converted_function_keeps_a_value_of_its_trace(program, name):
    for m in (jax, adjoint):
        assert error(m, TRANSFORMS[name], partial(program, m)) is None
