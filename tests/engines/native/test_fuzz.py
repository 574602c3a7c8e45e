"""Random programs on the native and on the NumPy engine."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engines.agreement import assert_agrees
from tests.engines.grammar import differences

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


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_random_programs_of_all_that_is_compiled_agree(number):
    """`python -m tests.engines.grammar FIRST COUNT` runs more."""
    assert differences(number) == []
