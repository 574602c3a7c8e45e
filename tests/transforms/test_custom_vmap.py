"""custom_vmap and sequential_vmap beside JAX."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
import adjoint.custom_batching
import adjoint.numpy

ROOTS = (adjoint, jax)
ROW, ROWS = np.arange(1.0, 4.0, dtype="f"), np.arange(6.0, dtype="f").reshape(2, 3)


def scaled_sum(root):
    """`x + y`, except that its rule multiplies by ten, so that one sees who ran."""
    f = root.custom_batching.custom_vmap(lambda x, y: x + y)

    @f.def_vmap
    def rule(axis_size, in_batched, x, y):
        assert len(in_batched) == 2
        return (x + y) * 10.0, True

    return f


def trees(root):
    f = root.custom_batching.custom_vmap(lambda d, k=2.0: {"a": d["x"] * k, "b": d["n"] + 1})

    @f.def_vmap
    def rule(axis_size, in_batched, d, k):
        (flags, k_flag) = in_batched
        assert set(flags) == {"x", "n"} and not k_flag
        return {"a": d["x"] * k + axis_size, "b": d["n"] + 1}, {"a": flags["x"], "b": flags["n"]}

    return f


def sequential(root):
    return root.custom_batching.sequential_vmap(lambda x, y: root.numpy.sin(x) * y)



CASES = {
    "call": lambda r: scaled_sum(r)(1.0, y=2.0),
    "vmap": lambda r: r.vmap(scaled_sum(r))(ROW, ROW),
    "one batched": lambda r: r.vmap(scaled_sum(r), (0, None))(ROW, 2.0),
    "none batched": lambda r: r.vmap(lambda x: x * scaled_sum(r)(1.0, 2.0))(ROW),
    "nested vmap": lambda r: r.vmap(r.vmap(scaled_sum(r)))(ROWS, ROWS),
    "other axes": lambda r: r.vmap(scaled_sum(r), (1, 0), 1)(ROWS, ROWS.T),
    "jit of vmap": lambda r: r.jit(r.vmap(scaled_sum(r)))(ROW, ROW),
    "vmap of jit": lambda r: r.vmap(r.jit(scaled_sum(r)))(ROW, ROW),
    "jvp": lambda r: r.jvp(scaled_sum(r), (1.0, 2.0), (3.0, 4.0)),
    "vmap of jvp": lambda r: r.vmap(lambda x, y: r.jvp(scaled_sum(r), (x, y), (y, x)))(ROW, ROW),
    "vmap of jvp of one": lambda r: r.vmap(lambda x: r.jvp(lambda v: scaled_sum(r)(v, ROW[0]), (x,), (x,)))(ROW),
    "jvp of vmap": lambda r: r.jvp(r.vmap(scaled_sum(r)), (ROW, ROW), (ROW, ROW)),
    "grad of vmap": lambda r: r.grad(lambda x: r.vmap(scaled_sum(r))(x, ROW).sum())(ROW),
    "jit of grad of vmap": lambda r: r.jit(r.grad(lambda x: r.vmap(scaled_sum(r))(x, ROW).sum()))(ROW),
    "vmap of second jvp": lambda r: r.vmap(
        lambda x: r.jvp(lambda v: r.jvp(lambda w: scaled_sum(r)(w * w, w), (v,), (v,))[1], (x,), (x,)))(ROW),
    "in a scan": lambda r: r.vmap(
        lambda x: r.lax.scan(lambda c, _: (scaled_sum(r)(c, x), None), x, None, length=2)[0])(ROW),
    "trees": lambda r: r.vmap(trees(r), ({"x": 0, "n": None},))({"x": ROW, "n": 5}),
    "sequential": lambda r: r.vmap(sequential(r))(ROW, ROW),
    "sequential with one": lambda r: r.vmap(sequential(r), (0, None))(ROW, 2.0),
    "nested sequential": lambda r: r.vmap(r.vmap(sequential(r)), (0, None))(ROWS, ROW),
    "jit of sequential": lambda r: r.jit(r.vmap(sequential(r)))(ROW, ROW),
    "jvp of sequential": lambda r: r.jvp(r.vmap(sequential(r)), (ROW, ROW), (ROW, ROW)),
}


def arrays(root, out):
    """The leaves as arrays: what is a Python scalar in one of them may be a scalar array in the other."""
    return jax.tree.map(lambda x: np.asarray(root.numpy.asarray(x)), out)


@pytest.mark.parametrize("name", CASES)
def test_values_are_jaxs(name):
    """The rule runs where JAX runs it."""
    ours, theirs = [arrays(root, CASES[name](root)) for root in ROOTS]
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=2e-6), ours, theirs)
    jax.tree.map(lambda a, b: np.testing.assert_equal(a.dtype, b.dtype), ours, theirs)


def test_reverse_mode_goes_through_the_call():
    """JAX's linearization fails here; the derivative is that of the function itself."""
    f, g = scaled_sum(adjoint), sequential(adjoint)
    assert 1.0 == float(adjoint.grad(f)(1.0, 2.0))
    np.testing.assert_allclose(ROW * np.cos(ROW), adjoint.vmap(adjoint.grad(g))(ROW, ROW), rtol=1e-6)
    total = adjoint.grad(lambda x: adjoint.vmap(g)(x, ROW).sum())
    np.testing.assert_allclose(ROW * np.cos(ROW), adjoint.jit(total)(ROW), rtol=1e-6)


def test_a_batched_closure_is_batched_as_usual():
    """The rule cannot see what the function closes over (JAX fails an assertion)."""
    def f(y):
        return adjoint.vmap(adjoint.custom_batching.sequential_vmap(lambda x: x + y))(ROW)

    np.testing.assert_array_equal(ROW[:, None] + ROW, adjoint.vmap(f)(ROW))


def test_the_printed_program_is_jaxs():
    """The call and its parameters."""
    texts = []
    for root in ROOTS:
        f = scaled_sum(root)
        text = str(root.make_jaxpr(lambda x, y: f(x, y) * 2)(1.0, 2.0))
        texts.append(re.sub(r"<function .*>", "rule", text))
    assert texts[1] == texts[0]


ERRORS = {
    "no rule": (None, AttributeError, "No batching rule defined for custom_vmap function"),
    "other output": (lambda n, b, x: ((x, x), (True, True)), ValueError, "does not match that of original"),
    "other flags": (lambda n, b, x: (x, [True]), ValueError, "structure of output value and output batching"),
    "no pair": (lambda n, b, x: 3, TypeError, "."),
}


@pytest.mark.parametrize("name", ERRORS)
def test_wrong_rules_raise_jaxs_errors(name):
    """Class and the first words."""
    rule, cls, text = ERRORS[name]
    for root in ROOTS:
        f = root.custom_batching.custom_vmap(lambda x: x)
        if rule is not None:
            f.def_vmap(rule)
        with pytest.raises(cls, match=text):
            root.vmap(f)(ROW)
