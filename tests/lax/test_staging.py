"""Values and names put into programs, choices by platform, ragged products, generators of bits, as in JAX."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp

from .parity import parameters, same, same_jaxpr, same_types, together

jaxnp = jax.numpy

X = np.arange(6, dtype=np.float32).reshape(2, 3)
STATE = np.arange(4, dtype=np.uint32)

NAMES = (
    "broadcast_like after_all composite create_token dce_sink platform_dependent ragged_dot ragged_dot_general "
    "rng_uniform scaled_dot shape_as_value stage with_sharding_constraint"
).split()


@pytest.mark.parametrize("name", NAMES)
def test_signatures(name):
    if name != "create_token":
        assert parameters(jax, name) == parameters(adjoint, name)


# ---- programs -----------------------------------------------------------------------------------


def sink(m, x):
    m.lax.dce_sink(x)
    return x + 1


def tangent(m):
    return m.lax.composite(lambda x, y, *, k=1: m.numpy.sin(x) * k + y, "my.op")


def by_platform(m, x):
    return m.lax.platform_dependent(x, cpu=lambda x: x + 1, default=lambda x: x + 2)


PROGRAMS = {
    "stage": lambda m, x: m.lax.stage(1.0) + m.lax.stage(x),
    "stage_p": lambda m, x: m.lax.stage_p.bind(2.0) * m.lax.stage_p.bind(x),
    "broadcast_like": lambda m, x: m.lax.broadcast_like(x[0], x),
    "broadcast_like stretches": lambda m, x: m.lax.broadcast_like(x[:, :1], x),
    "dce_sink": sink,
    "composite": lambda m, x: tangent(m)(x, x, k=2),
    "composite closes over": lambda m, x: m.lax.composite(lambda t: {"a": t["b"] * X[:, :1]}, "my.z", 3)({"b": x}),
    "optimization_barrier": lambda m, x: m.lax.optimization_barrier((x, x)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name):
    same(PROGRAMS[name], X)
    same_jaxpr(PROGRAMS[name], X)


@together
def test_transformed_programs():
    total = lambda m, f: lambda x: m.numpy.sum(f(m, x) ** 2)
    for name in ("stage", "stage_p", "broadcast_like", "dce_sink", "optimization_barrier"):
        first = lambda m, x: m.tree.leaves(PROGRAMS[name](m, x))[-1]
        same(lambda m, x: m.grad(total(m, first))(x), X)
    same(lambda m, x: m.grad(total(m, by_platform))(x), X)
    same(lambda m, x: m.vmap(lambda v: (sink(m, v), by_platform(m, v)))(x), X)
    mapped = adjoint.vmap(lambda v: tangent(adjoint)(v, v))(jnp.asarray(X))
    np.testing.assert_allclose(np.sin(X) + X, np.asarray(mapped), rtol=1e-6)


@together
def test_platforms():
    same(by_platform, X)
    same(lambda m, x: m.lax.platform_dependent(x, cpu=lambda x: x + 1, tpu=lambda x: x * 3), X)
    text = str(adjoint.make_jaxpr(lambda x: by_platform(adjoint, x))(X))
    assert "platform_index[platforms=(('cpu',), None)]" in text and "cond" in text
    for f in (lambda x: x, adjoint.jit):
        with pytest.raises(NotImplementedError, match="no function for platform cpu"):
            f(lambda x: adjoint.lax.platform_dependent(x, tpu=lambda x: x + 1, cuda=lambda x: x))(jnp.asarray(X))


def test_composites_have_no_derivative_of_their_own():
    for m in (jax, adjoint):
        with pytest.raises(ValueError, match="JVP rule for composite not implemented"):
            m.grad(lambda x: m.numpy.sum(tangent(m)(x, x)))(X)


def test_tokens():
    program = lambda m: m.lax.after_all(m.lax.create_token(), m.lax.create_token())
    assert str(jax.make_jaxpr(lambda: program(jax))()) == str(adjoint.make_jaxpr(lambda: program(adjoint))())
    assert type(program(adjoint)) is type(adjoint.lax.create_token())
    with pytest.raises(TypeError, match="must be tokens"):
        adjoint.lax.after_all(jnp.ones(2))


def test_sharding_constraints_on_one_device():
    x = jnp.asarray(X)
    same_value = adjoint.lax.with_sharding_constraint({"a": x}, x.sharding)["a"]
    np.testing.assert_array_equal(X, np.asarray(same_value))
    same_types(lambda m, x: m.lax.with_sharding_constraint(x, None), X, lines=False)
    same_types(lambda m, x: m.lax.with_sharding_constraint(x, "q"), X)


def test_shapes_as_values():
    for shape in ((2, 3), ()):
        expected, actual = (np.asarray(m.lax.shape_as_value(shape)) for m in (jax, adjoint))
        assert expected.dtype == actual.dtype and expected.tolist() == actual.tolist()


@pytest.mark.parametrize(
    "program",
    [
        lambda m, x: m.lax.broadcast_like(x[:, :2], x),
        lambda m, x: m.lax.broadcast_like(x[None], x),
        lambda m, x: m.lax.stage((1, 2)),
    ],
)
def test_errors(program):
    same_types(program, X)


# ---- random bits --------------------------------------------------------------------------------


@together
def test_bits_of_every_algorithm():
    def bits(m, state):
        return [
            m.lax.rng_bit_generator(state, (5,), dtype, algorithm=m.lax.RandomAlgorithm(a))
            for a in (0, 1, 2)
            for dtype in ("uint8", "uint16", "uint32")
        ]

    same(bits, STATE, rtol=0)
    states = np.stack([STATE, STATE + 1])
    same(lambda m, s: m.vmap(lambda k: m.lax.rng_bit_generator(k, (2, 3)))(s), states, rtol=0)
    same_jaxpr(lambda m, s: m.lax.rng_bit_generator(s, (3,), algorithm=m.lax.RandomAlgorithm.RNG_PHILOX), STATE)
    for dtype in ("int32", "float32"):
        same_types(lambda m, s: m.lax.rng_bit_generator(s, (3,), dtype), STATE)


def test_uniform_numbers():
    x = np.asarray(adjoint.lax.rng_uniform(2.0, 5.0, (1000,)))
    assert x.shape == (1000,) and 2 <= x.min() < 2.5 < 4.5 < x.max() < 5
    n = np.asarray(adjoint.lax.rng_uniform(0, 5, (1000,)))
    assert n.dtype == np.int32 and set(n.tolist()) == set(range(5))
    same_jaxpr(lambda m: m.lax.rng_uniform(0.0, 1.0, (3,)))
    same_types(lambda m: m.lax.rng_uniform(0, 1.0, (3,)))
    same_types(lambda m, x: m.lax.rng_uniform(x, 1.0, (3,)), X)
    same_types(lambda m: m.lax.rng_uniform(0.0, 1.0, (3,)))


# ---- ragged and scaled products -----------------------------------------------------------------

ROWS = np.arange(10, dtype=np.float32).reshape(5, 2) / 8
MATRICES = np.arange(24, dtype=np.float32).reshape(3, 2, 4) / 8
SIZES = np.array([1, 2, 1], np.int32)
BATCHED = np.arange(24, dtype=np.float32).reshape(2, 4, 3) / 16
BATCHED_MATRICES = np.arange(60, dtype=np.float32).reshape(2, 2, 3, 5) / 16


def ragged(contract, batch, lhs_ragged, rhs_group):
    def call(m, lhs, rhs, sizes):
        numbers = m.lax.RaggedDotDimensionNumbers((contract, batch), lhs_ragged, rhs_group)
        return m.lax.ragged_dot_general(lhs, rhs, sizes, numbers)

    return call


FREE = ragged(((2,), (2,)), ((0,), (1,)), [1], [0])
SUMMED = ragged(((0,), (0,)), ((), ()), [0], [])
BATCH = ragged(((2,), (1,)), ((0,), (0,)), [0], [])


@together
def test_ragged_products():
    same(lambda m, *args: m.lax.ragged_dot(*args), ROWS, MATRICES, SIZES)
    same(FREE, BATCHED, BATCHED_MATRICES, SIZES[:2])
    same(FREE, BATCHED, BATCHED_MATRICES, np.array([[1, 2], [2, 2]], np.int32))
    same(SUMMED, ROWS, ROWS, SIZES)
    same(BATCH, BATCHED, BATCHED_MATRICES[0], SIZES[:2])
    for program in (lambda m, *args: m.lax.ragged_dot(*args), lambda m, a, b, c: SUMMED(m, a, a, c)):
        same_jaxpr(program, ROWS, MATRICES, SIZES)


@together
def test_derivatives_of_ragged_products():
    def gradients(call):
        return lambda m, a, b, s: m.grad(lambda a, b: m.numpy.sum(m.numpy.sin(call(m, a, b, s))), (0, 1))(a, b)

    rows = lambda m, *args: m.lax.ragged_dot(*args)
    same(gradients(rows), ROWS, MATRICES, SIZES, rtol=1e-5)
    same_jaxpr(gradients(rows), ROWS, MATRICES, SIZES)
    same(gradients(FREE), BATCHED, BATCHED_MATRICES, SIZES[:2], rtol=1e-5)
    pairs = [np.stack([v, v + 1]) for v in (ROWS, MATRICES, SIZES)]
    same(lambda m, *args: m.vmap(m.lax.ragged_dot)(*args), *pairs)


@pytest.mark.parametrize(
    "program",
    [
        lambda m, a, b, s: m.lax.ragged_dot(a, b, s[:2]),
        lambda m, a, b, s: m.lax.ragged_dot(a, b, s * 1.0),
        lambda m, a, b, s: m.lax.ragged_dot(a, b[:, :1], s),
        lambda m, a, b, s: m.lax.ragged_dot(a, b, s[None]),
        lambda m, a, b, s: ragged(((1,), (1,)), ((), ()), [0], [])(m, a, b, s),
        lambda m, a, b, s: ragged(((1,), (1,)), ((), ()), [0, 1], [0])(m, a, b, s),
        lambda m, a, b, s: ragged(((1,), (1,)), ((), ()), [1], [0])(m, a, b, s),
        lambda m, a, b, s: ragged(((1,), (1,)), ((), ()), [9], [0])(m, a, b, s),
    ],
)
def test_errors_of_ragged_products(program):
    same_types(program, ROWS, MATRICES, SIZES)


def test_scaled_products():
    def blocks(m, x, y):
        f8, e8 = m.numpy.float8_e4m3fn, m.numpy.float8_e8m0fnu
        scale = lambda shape: m.numpy.exp2(m.numpy.arange(float(np.prod(shape))) % 3).reshape(shape).astype(e8)
        return m.lax.scaled_dot(
            x.astype(f8), y.astype(f8), lhs_scale=scale((2, 4, 2)), rhs_scale=scale((2, 4, 3)),
            preferred_element_type=m.numpy.float32,
        )

    x = (np.arange(64).reshape(2, 4, 8) % 7).astype(np.float32)
    y = (np.arange(48).reshape(2, 8, 3) % 5).astype(np.float32)
    same(blocks, x, y)
    same_jaxpr(lambda m, x, y: m.lax.scaled_dot(x, y), x[0], y[0])
    same_types(lambda m, x, y: m.lax.scaled_dot(x, y), x, y[0])
    same_types(lambda m, x, y: m.lax.scaled_dot(x, y, lhs_scale=x[:, :, :3]), x, y)
    same_types(lambda m, x, y: m.lax.scaled_dot(x, y, lhs_scale=x[:, :3, :2]), x, y)
    assert jaxnp.bfloat16 == adjoint.lax.scaled_dot(x[0], y[0]).dtype


def test_tokens_go_in_and_out_of_jitted_functions():
    for m in (jax, adjoint):
        jit, lax = m.jit, m.lax
        x, token = jit(lambda x: (x + 1, lax.create_token(x)))(1.0)
        assert float(x) == 2 and type(token).__name__ == "Token"
        for f in (lambda t: t, lambda t: lax.after_all(t, t), jit(lambda t: {"a": lax.after_all(t)}["a"])):
            assert type(jit(f)(token)).__name__ == "Token"
        assert repr(m.eval_shape(lax.create_token, 1.0)) == "AbstractToken()"
        token.block_until_ready()
