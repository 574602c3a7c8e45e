"""Mistakes with loops and branches: JAX's exception class, the user's path, and what to write instead."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
import adjoint.numpy

X = np.array([0.0, 1.0, 2.0], np.float32)
F = np.float32(1)
I = np.int32(1)

REVERSE = (
    "Reverse-mode differentiation does not work for lax.while_loop or lax.fori_loop with dynamic "
    "start/stop values. Try using lax.scan, or using fori_loop with static start/stop."
)
# (program, fragments of our message)
MISTAKES = {
    "carry changes its dtype": (
        lambda m: m.lax.scan(
            lambda carry, x: ({"a": [carry["a"][0] + 1.5, carry["a"][1]]}, x), {"a": [I, 2.0]}, X
        ),
        ("scan body function carry input and carry output must have equal types",
         "carry['a'][0] has type int32[]", "float32[], so the dtypes do not match",
         "jnp.asarray(..., dtype='float32')", ".astype('int32')"),
    ),
    "carry changes its shape": (
        lambda m: m.lax.scan(lambda carry, x: ((carry[0], carry[1] + m.numpy.ones(3)), x), (F, F), X),
        ("carry[1] has type float32[]", "float32[3], so the shapes do not match", "shape (3,)"),
    ),
    "two parts of the carry change": (
        lambda m: m.lax.scan(lambda c, x: ((m.numpy.ones(3), 1), x), (F, F), X),
        ("c[0] has type float32[]", "c[1] has type float32[]", "so the dtypes do not match"),
    ),
    "carry changes its structure": (
        lambda m: m.lax.scan(lambda carry, x: ((*carry, 1.0), x), (F, F), X),
        ("must have the same pytree structure", "carry is a tuple of length 2", "a tuple of length 3"),
    ),
    "carry is lost": (
        lambda m: m.lax.scan(lambda c, x: (None, x), (F, F), X), ("same pytree structure", "None"),
    ),
    "no pair": (
        lambda m: m.lax.scan(lambda carry, x: carry, F, X),
        ("scan body output must be a pair, got float32[]", "return carry, y"),
    ),
    "nothing returned": (
        lambda m: m.lax.scan(lambda carry, x: None, F, X), ("must be a pair, got None",),
    ),
    "lengths differ": (
        lambda m: m.lax.scan(lambda c, x: (c, x), F, {"a": X, "b": X[:2]}),
        ("different leading axis sizes: 3, 2", "xs['a'] is f32[3]", "xs['b'] is f32[2]"),
    ),
    "length disagrees": (
        lambda m: m.lax.scan(lambda c, x: (c, x), F, X, length=5),
        ("`length` argument of 5", "leading axis sizes [3]"),
    ),
    "no length": (
        lambda m: m.lax.scan(lambda c, x: (c, x), F), ("`length` not provided", "length=n"),
    ),
    "traced length": (
        lambda m: m.jit(lambda n: m.lax.scan(lambda c, x: (c, x), F, None, length=n))(3),
        ("`length` argument to `scan` expects a concrete `int`", "the argument n"),
    ),
    "no axis to scan over": (
        lambda m: m.lax.scan(lambda c, x: (c, x), F, (X, {"b": 1.0})),
        ("no leading axis to scan over", "xs[1]['b'] is float 1.0"),
    ),
    "negative unroll": (
        lambda m: m.lax.scan(lambda c, x: (c, x), F, X, unroll=-1), ("`unroll` must be",),
    ),
    "xs are not arrays": (
        lambda m: m.lax.scan(lambda c, x: (c, x), F, {"a": "text"}),
        ("'text' of type <class 'str'> is not a valid JAX type", "['a']"),
    ),
    "body returns text": (
        lambda m: m.lax.scan(lambda c, x: (c, "text"), F, X), ("scan", "<class 'str'>", "[1]"),
    ),
    "scan of no function": (lambda m: m.lax.scan(3, F, X), ("f argument should be a callable",)),
    "map of no function": (lambda m: m.lax.map(3, X), ("callable",)),
    "map of a scalar": (lambda m: m.lax.map(lambda x: x, 1.0), ("no leading axis",)),
    "while changes its carry": (
        lambda m: m.lax.while_loop(lambda c: c["n"] < 3, lambda c: {"n": c["n"] + 1.5}, {"n": I}),
        ("while_loop body function carry input", "c['n'] has type int32[]"),
    ),
    "while changes its structure": (
        lambda m: m.lax.while_loop(lambda c: c[0] < 3, lambda c: c[0], (I, 1)),
        ("while_loop body function", "same pytree structure"),
    ),
    "condition is a number": (
        lambda m: m.lax.while_loop(lambda c: 3 - c, lambda c: c + 1, 1),
        ("cond_fun must return a boolean scalar, but got output type(s)", "int32[]"),
    ),
    "condition is a vector": (
        lambda m: m.lax.while_loop(lambda c: c < 3, lambda c: c + 1, X),
        ("cond_fun must return a boolean scalar", "bool[3]", "jnp.any"),
    ),
    "condition is a tree": (
        lambda m: m.lax.while_loop(lambda c: (True,), lambda c: c, 1), ("but got pytree",),
    ),
    "while of no function": (
        lambda m: m.lax.while_loop(lambda c: True, 1, 1), ("should be callable", "int 1"),
    ),
    "gradient of while": (
        lambda m: m.grad(lambda x: m.lax.while_loop(lambda c: c < 10, lambda c: c * 2, x))(1.0),
        (REVERSE, "jacfwd"),
    ),
    "gradient of fori with a traced bound": (
        lambda m: m.jit(m.grad(lambda x, n: m.lax.fori_loop(0, n, lambda i, c: c * 2, x)))(1.0, 3),
        ("Reverse-mode differentiation does not work",),
    ),
    "fori changes its carry": (
        lambda m: m.lax.fori_loop(0, 3, lambda i, total: total + 1.5, I),
        ("total has type int32[]", "float32[]"),
    ),
    "fori with a traced bound changes its carry": (
        lambda m: m.jit(lambda n: m.lax.fori_loop(0, n, lambda i, total: total + 1.5, I))(3),
        ("total has type int32[]", "float32[]"),
    ),
    "fori of no function": (lambda m: m.lax.fori_loop(0, 3, 1, 1), ("body_fun argument",)),
    "bounds of two dtypes": (
        lambda m: m.jit(lambda n: m.lax.fori_loop(0, n, lambda i, c: c, 1))(np.uint8(3)),
        ("must have equal types, got int32 and uint8",),
    ),
    "unroll without bounds": (
        lambda m: m.jit(lambda n: m.lax.fori_loop(0, n, lambda i, c: c, 1, unroll=2))(3),
        ("Can only use `unroll` in `fori_loop` if the loop bounds are statically known.",),
    ),
    "branches of two structures": (
        lambda m: m.lax.cond(True, lambda x: {"a": x}, lambda x: {"b": x}, F),
        ("cond branch outputs must have the same pytree structure", "true_fun is", "['a']", "['b']"),
    ),
    "branches of two shapes": (
        lambda m: m.lax.cond(True, lambda x: {"a": (x, x)}, lambda x: {"a": (x, x[None])}, F),
        ("cond branches must have equal output types",
         "The output of true_fun at path ['a'][1] has type float32[] but", "false_fun has type float32[1]"),
    ),
    "branches of two dtypes": (
        lambda m: m.lax.cond(True, lambda: 1, lambda: 2.0),
        ("true_fun has type int32[]", "false_fun has type float32[]", ".astype('int32')"),
    ),
    "third branch differs": (
        lambda m: m.lax.switch(1, [lambda x: x, lambda x: x, lambda x: x[None]], F),
        ("switch branches must have equal output types", "branch 0 has type", "branch 2 has type"),
    ),
    "predicate is a vector": (
        lambda m: m.lax.cond(X > 0, lambda: 1, lambda: 2),
        ("Pred must be a scalar", "of shape (3,)", "jnp.where(pred, x, y)"),
    ),
    "predicate is a list": (lambda m: m.lax.cond([True], lambda: 1, lambda: 2), ("Pred must be a scalar",)),
    "predicate is None": (lambda m: m.lax.cond(None, lambda: 1, lambda: 2), ("predicate is None",)),
    "predicate is complex": (lambda m: m.lax.cond(1j, lambda: 1, lambda: 2), ("complex64",)),
    "predicate is a function": (
        lambda m: m.lax.cond(lambda: True, lambda: 1, lambda: 2), ("Pred type must be",),
    ),
    "branch is no function": (
        lambda m: m.lax.cond(True, 3, lambda: 2), ("true_fun and false_fun arguments should be callable",),
    ),
    "operand is text": (lambda m: m.lax.cond(True, lambda x: x, lambda x: x, "a"), ("'a'",)),
    "operand twice": (
        lambda m: m.lax.cond(True, lambda x: x, lambda x: x, 1, operand=2), ("'operand' keyword",),
    ),
    "no branches": (lambda m: m.lax.switch(1, []), ("Empty branch sequence",)),
    "branches are no functions": (lambda m: m.lax.switch(1, [1, 2]), ("sequence of callables",)),
    "index is a float": (
        lambda m: m.lax.switch(F, [lambda: 1, lambda: 2]), ("Index type must be an integer", "float32"),
    ),
    "index is a bool": (lambda m: m.lax.switch(True, [lambda: 1, lambda: 2]), ("must be an integer",)),
    "index is a vector": (
        lambda m: m.lax.switch(np.arange(3), [lambda: 1, lambda: 2]), ("Branch index must be scalar",),
    ),
    "associative scan of no function": (lambda m: m.lax.associative_scan(1, X), ("callable",)),
    "associative scan of two lengths": (
        lambda m: m.lax.associative_scan(lambda a, b: a, (m.numpy.ones(3), m.numpy.ones(4))),
        ("must have the same first dimension",),
    ),
    "associative scan of an absent axis": (
        lambda m: m.lax.associative_scan(m.numpy.add, m.numpy.ones(3), axis=2), ("axis 2 is out of bounds",),
    ),
    "root of another structure": (
        lambda m: m.lax.custom_root(lambda x: (x,), 1.0, lambda f, x: x, lambda g, y: y),
        ("f() output pytree structure must match initial_guess",),
    ),
    "linear solve without a transpose": (
        lambda m: m.grad(lambda b: m.lax.custom_linear_solve(lambda v: 2 * v, b, lambda _, b: b / 2))(F),
        ("transpose_solve required for backwards mode",),
    ),
    "linear solve of another shape": (
        lambda m: m.jit(lambda b: m.lax.custom_linear_solve(lambda v: v, b, lambda _, b: b[None]))(F),
        ("solve() output shapes must match b",),
    ),
}


def error(m, program) -> Exception:
    """What is raised while the program is traced; loops in Python check less: test_python_loops.py."""
    try:
        with m.disable_jit(False):
            program(m)
    except Exception as e:
        return e
    raise AssertionError(f"{m.__name__} did not raise")


BEGINNINGS = {
    "a number to scan over": lambda m: m.lax.scan(lambda c, x: (c, x), 0, 3.0),
    "no pair": lambda m: m.lax.scan(lambda c, x: c, 0, X),
    "a triple": lambda m: m.lax.scan(lambda c, x: (c, x, 1), 0, X),
    "a tree": lambda m: m.lax.scan(lambda c, x: {"a": c}, 0, X),
    "nothing": lambda m: m.lax.scan(lambda c, x: None, 0, X),
    "a text as index": lambda m: m.lax.switch("1", [lambda x: x, lambda x: 2 * x], 2.0),
}


@pytest.mark.parametrize("name", BEGINNINGS)
def test_first_lines_are_jax_s(name):
    lines = [str(error(m, BEGINNINGS[name])).split("\n")[0].rstrip(".") for m in (jax, adjoint)]
    assert lines[1].startswith(lines[0])


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake(name):
    """The class is one that catches JAX's too, and the message says what is wrong, where and why."""
    program, fragments = MISTAKES[name]
    theirs, ours = error(jax, program), error(adjoint, program)
    builtin = next(c for c in type(theirs).__mro__ if c.__module__ == "builtins")
    assert isinstance(ours, builtin), f"JAX: {theirs!r}, adjoint: {ours!r}"
    for text in fragments:
        assert text in str(ours), f"{text!r} is not in:\n{ours}"


def test_message_points_at_the_users_line():
    """The line of the call is quoted, and nothing of this package."""
    with pytest.raises(TypeError) as caught:
        adjoint.lax.scan(lambda c, x: (c.astype("int32"), x), F, X)
    text = str(caught.value)
    assert "test_errors.py" in text
    assert 'adjoint.lax.scan(lambda c, x: (c.astype("int32"), x), F, X)' in text
    assert "src/adjoint" not in text


@pytest.mark.parametrize("unroll", [1.5, "a", None])
def test_unroll_is_a_whole_number(unroll):
    with pytest.raises(TypeError):
        adjoint.lax.scan(lambda c, x: (c, x), 0.0, adjoint.numpy.ones(3), unroll=unroll)
