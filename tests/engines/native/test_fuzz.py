"""Random programs on the native and on the NumPy engine."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engines.agreement import assert_agrees
from tests.engines.fuzz.rounded import uncertainty
from tests.engines.fuzz.smallest import smallest
from tests.engines.fuzz.ways import against_numpy, compiled, differences, made
from tests.modes import compiling

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax

SIZES = st.sampled_from([0, 1, 2, 3, 7, 16, 17, 33])
DTYPES = st.sampled_from(["float32", "float64", "int32", "uint8", "int8", "int64", "bool", "bfloat16", "float16"])
EXACT = [  # on any dtype, and exactly the same on both engines
    lambda x, y: jnp.maximum(x, y),
    lambda x, y: jnp.where(x > y, y, x),
    lambda x, y: x.T if x.ndim > 1 and x.shape == x.shape[::-1] else x[::-1],
    lambda x, y: jnp.broadcast_to(x[..., :1], x.shape) if x.size else x,
    lambda x, y: jnp.concatenate([x, y], 0)[x.shape[0] :],
    lambda x, y: (x == y).astype(x.dtype),
    lambda x, y: x.reshape(-1)[::-1].reshape(x.shape),
    lambda x, y: jnp.broadcast_to(x.max(0, keepdims=True, initial=0), x.shape),
    lambda x, y: jnp.broadcast_to(y.min(-1, keepdims=True, initial=1), x.shape),
    lambda x, y: jnp.minimum(x, jnp.arange(x.shape[-1]).astype(x.dtype)),
    lambda x, y: jnp.take_along_axis(x, jnp.argsort(y, axis=0), 0) if x.size else x,
    lambda x, y: x.at[jnp.arange(5) - 2].set(y[:1]) if x.size else x,
    lambda x, y: jnp.broadcast_to(jnp.argmax(y, axis=-1, keepdims=True), x.shape).astype(x.dtype) if x.size else x,
    lambda x, y: lax.top_k(x, (x.shape[-1] + 1) // 2)[0].sum(-1, keepdims=True).astype(x.dtype) + y * 0
    if x.size and x.dtype == jnp.int32 else lax.sort(x, dimension=0),
]
NUMBERS = [
    lambda x, y: x + y, lambda x, y: x * y, lambda x, y: x - y, lambda x, y: abs(x) + 1,
    lambda x, y: lax.rem(x, jnp.full_like(y, 3)), lambda x, y: jnp.sign(x) * y,
]
FLOATS = [
    lambda x, y: jnp.tanh(x) / (1 + y * y), lambda x, y: jnp.exp(-abs(x)), lambda x, y: jnp.log1p(abs(y)),
    lambda x, y: x - x.mean(-1, keepdims=True) if x.size else x, lambda x, y: jnp.sin(x) + y.sum(0) / 7,
]


@st.composite
def programs(draw):
    """(dtype, shape, choices of operations and operands)"""
    dtype = draw(DTYPES)
    shape = tuple(draw(st.lists(SIZES, min_size=1, max_size=3)))
    operations = EXACT + (NUMBERS if dtype != "bool" else []) + (FLOATS if "float" in dtype else [])
    index = st.integers(0, 100)
    chosen = draw(st.lists(st.tuples(st.sampled_from(operations), index, index), min_size=1, max_size=6))
    return dtype, shape, chosen


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(programs())
def test_random_programs_agree(case):
    dtype, shape, chosen = case
    rng = np.random.default_rng(len(chosen))
    small = dtype in ("bfloat16", "float16")
    with ax.enable_x64(True):
        x, y = (np.asarray(jnp.asarray(rng.normal(size=shape) * 3).astype(dtype)) for _ in range(2))

        def program(x, y):
            known = [x, y]
            for operation, i, j in chosen:
                known.append(operation(known[i % len(known)], known[j % len(known)]).astype(x.dtype))
            if not small:  # partial sums of narrow floats are rounded otherwise
                known.append(known[-1].sum(0))
            return known[2:]

        assert_agrees(program, x, y, scale=30)


@compiling
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_random_programs_of_all_that_is_compiled_agree(number):
    """`make fuzz` runs more."""
    assert differences(number) == []


def test_a_result_that_is_wrong_is_found_and_one_that_is_rounded_otherwise_is_not():
    with ax.enable_x64(True):
        function, closed, inputs, exact = made(3)
        wrong = lambda *program: [x + 1 for x in compiled(*program)]
        assert against_numpy(compiled, function, closed, inputs, exact) == []
        assert len(against_numpy(wrong, function, closed, inputs, exact)) == len(closed.out_avals)

    x = np.float32(1 / 3)
    closed = ax.make_jaxpr(lambda x: (x * 3 > 1, x * 3 > 0.9))(x)  # the first is decided by rounding
    first, second = uncertainty(closed, [x])
    assert first > 0 and second == 0


def test_the_smallest_part_that_fails():
    def program(x):
        turn = lambda c, row: (c + jnp.tanh(jnp.where(row > 0, jnp.sin(row) * c, c)), c * 2)
        return [jnp.cos(x).sum(), ax.jit(lambda v: ax.lax.scan(turn, v[0], v)[1])(x * 2).sum(0), x]

    def fails(closed, operands):
        return "sin" in [eqn.primitive.name for eqn in closed.jaxpr.eqns] or any(
            fails(inner, operands) for eqn in closed.jaxpr.eqns if (inner := eqn.params.get("jaxpr")) is not None)

    x = np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3)
    closed, operands = smallest(ax.make_jaxpr(program)(x), [x], fails)
    assert [eqn.primitive.name for eqn in closed.jaxpr.eqns] == ["sin"]
    assert [v.aval.shape for v in closed.jaxpr.invars] == [(3,)] == [x.shape for x in operands]
