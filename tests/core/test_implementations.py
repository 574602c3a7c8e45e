"""What runs a primitive can be taken out, replaced and put back, as in JAX."""

from __future__ import annotations

import traceback

import numpy as np
import pytest
from tests.modes import compiling, unchecked
from tests.recorded import jax

import adjoint
from adjoint.core.messages.boundaries import guarded

NAMES = ("tanh_p", "mul_p")


class Counted:
    """Counts the calls of the primitives of a module, while it is entered."""

    def __init__(self, m):
        self.primitives = [getattr(m.lax, name) for name in NAMES]
        self.calls = []

    def __enter__(self):
        self.before = [p.impl for p in self.primitives]
        for p, impl in zip(self.primitives, self.before):
            p.def_impl(lambda *args, p=p, impl=impl, **params: self.calls.append(str(p)) or impl(*args, **params))
        return self.calls

    def __exit__(self, *_):
        for p, impl in zip(self.primitives, self.before):
            p.def_impl(impl)


def called_twice(f, *args):
    """Results are remembered with what made them; what is asked for later is not."""
    f(*args)
    return f, args


PROGRAMS = {
    "a call": lambda m: called_twice(m.lax.tanh, 0.5),
    "an array's operator": lambda m: called_twice(lambda x: x * x, m.numpy.ones(2)),
    "a gradient": lambda m: called_twice(m.grad(m.lax.tanh), 0.5),
    "a pullback": lambda m: called_twice(m.vjp(lambda x: m.lax.tanh(x) * x, 0.5)[1], 1.0),
    "a linear map": lambda m: called_twice(m.linearize(lambda x: m.lax.tanh(x) * x, 0.5)[1], 1.0),
    "a batch": lambda m: called_twice(m.vmap(m.lax.tanh), m.numpy.ones(2)),
    "a compiled function": lambda m: called_twice(m.jit(lambda x: m.lax.tanh(x) * 2), 0.5),
    "a loop": lambda m: called_twice(lambda x: m.lax.fori_loop(0, 2, lambda i, c: m.lax.tanh(c), x), 0.5),
}


OF_JIT = ("an array's operator", "a compiled function")  # JAX has compiled both, without a call of an implementation


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[compiling, unchecked]) if n in OF_JIT else n for n in PROGRAMS]
)
def test_a_replaced_implementation_is_called_as_often_as_in_jax(name):
    counts = []
    for m in (jax, adjoint):
        f, args = PROGRAMS[name](m)
        with Counted(m) as calls:
            f(*args)
        counts.append(sorted(calls))
        f(*args)
        assert len(calls) == len(counts[-1])
    assert counts[0] == counts[1]


def test_an_implementation_that_is_put_back_runs_as_before():
    p = adjoint.lax.tanh_p
    before, rule = p.impl, p.eager_rule
    p.def_impl(before)
    assert p.eager_rule is rule and p.impl is before
    assert np.float32(before(0.5)) == np.float32(adjoint.lax.tanh(0.5)) == pytest.approx(np.tanh(0.5))


def test_frames_of_errors_have_line_numbers():
    """Of boundaries too that are left where the stack ends."""

    def deeper(n):
        return deeper(n + 1)

    with pytest.raises(RecursionError) as info:
        guarded(deeper)(0)
    assert all(t.lineno is not None for t in traceback.extract_tb(info.value.__traceback__))
