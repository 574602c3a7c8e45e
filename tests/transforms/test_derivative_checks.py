"""`test_util`: tolerances by dtype, and what has no derivative."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
from adjoint import test_util as our_util

their_util = jax.test_util

SIDES = ((jax, their_util), (adjoint, our_util))
F16, F32 = np.dtype("float16"), np.dtype("float32")


def off_by_a_little(m):
    """A function whose derivative is wrong by 2 %."""
    f = m.custom_jvp(lambda x: m.numpy.multiply(x, 2.0))
    f.defjvp(lambda p, t: (m.numpy.multiply(p[0], 2.0), m.numpy.multiply(t[0], 2.04)))
    return f


def verdict(m, util, **tolerances):
    try:
        util.check_grads(off_by_a_little(m), (0.3,), order=1, **tolerances)
    except AssertionError:
        return "wrong"
    return "right"


TOLERANCES = {
    "default": {},
    "numbers": {"atol": 0.1, "rtol": 0.1},
    "by dtype": {"atol": {F32: 0.1}, "rtol": {F32: 0.1}},
    "one by dtype": {"atol": {F32: 1.0}},
    "by another dtype": {"atol": {F16: 0.5}, "rtol": {F16: 0.5}},
    "by dtype, too small": {"atol": {F32: 1e-3}, "rtol": {F32: 1e-3}},
}


@pytest.mark.parametrize("name", TOLERANCES)
def test_tolerances_are_numbers_or_dicts_by_dtype(name):
    theirs, ours = (verdict(*side, **TOLERANCES[name]) for side in SIDES)
    assert theirs == ours


def test_tolerances_by_dtype_are_taken_by_every_check():
    given = {"atol": {F32: 1e-2}, "rtol": {F32: 1e-2}}
    for m, util in SIDES:
        util.check_grads(m.numpy.tanh, (0.3,), order=2, **given)
        util.check_jvp(m.numpy.tanh, partial(m.jvp, m.numpy.tanh), (0.3,), **given)
        util.check_vjp(m.numpy.tanh, partial(m.vjp, m.numpy.tanh), (0.3,), **given)


@pytest.mark.parametrize("mode", ["fwd", "rev"])
@pytest.mark.parametrize("args", [(3,), (3.0, True), (3.0, np.arange(3))], ids=str)
def test_arguments_without_derivatives_are_refused(args, mode):
    for _, util in SIDES:
        with pytest.raises(TypeError):
            util.check_grads(lambda *xs: xs[0] * xs[-1] * 2.0, args, order=1, modes=(mode,))
