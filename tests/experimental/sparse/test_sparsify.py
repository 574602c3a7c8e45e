"""`sparsify`: functions of dense arrays on sparse ones, by tracing and by tracers, beside real JAX."""

from __future__ import annotations

import numpy as np
import pytest
from tests.modes import compiling

import adjoint as ad
import adjoint.numpy as jnp
from adjoint.experimental import sparse

from .parity import M, batched, matrix, odd, refused, same

UNARY = "abs sin sinh arcsin arcsinh tan tanh arctan arctanh sqrt square sign log1p expm1 negative real conj".split()


def by(f, *makes, **options):
    """A program that applies `sparsify` to a function of the module and of arrays."""
    return lambda m: m.sparse.sparsify(lambda *xs: f(m, *xs), **options)(*[make(m) for make in makes])


def test_functions_that_keep_zeros():
    small = lambda m: m.sparse.BCOO((odd(m).data / 8, odd(m).indices), shape=(3, 4))
    same(*[by(lambda m, x, name=name: getattr(m.np, name)(x), small) for name in UNARY],
         by(lambda m, x: x**3, odd), by(lambda m, x: x.astype("int32"), odd))


def test_values_with_the_same_indices_are_known_to_have_them():
    same(by(lambda m, x: x + 2 * x, matrix), by(lambda m, x: x * x, matrix), by(lambda m, x: x - x, matrix),
         by(lambda m, x, y: x + y, matrix, matrix), by(lambda m, x: x * x, odd),
         by(lambda m, x: x + x.T, lambda m: matrix(m, np.eye(2, dtype=np.float32))))


def test_functions_of_the_library():
    same(by(lambda m, x: m.np.concatenate([x, x]), matrix), by(lambda m, x: m.np.stack([x, x]), matrix),
         by(lambda m, x: m.np.expand_dims(x, (0, 3)), matrix), by(lambda m, x: m.np.flip(x), matrix),
         by(lambda m, x: m.np.roll(x, 1), matrix), by(lambda m, x: m.np.mean(x), matrix),
         by(lambda m, x: m.np.ravel(x), matrix), by(lambda m, x, y: m.np.einsum("ij,kj->ik", x, y), matrix, matrix),
         by(lambda m, x: m.np.einsum("ij,j->i", x, m.np.ones(4)), matrix), by(lambda m, x: m.np.vdot(x, x), matrix),
         by(lambda m, x: m.sparse.todense(x) + 1, matrix), by(lambda m, x: x + m.np.ones((2, 3, 4)), matrix),
         by(lambda m, x: m.jax.lax.dynamic_slice(x, (1, 0), (1, 4)), matrix), by(lambda m, x: {"a": x, "b": 1}, matrix))


def test_what_has_no_rule_is_refused():
    refused(*[by(f, matrix) for f in (
        lambda m, x: m.np.exp(x), lambda m, x: m.np.cos(x), lambda m, x: x > 0, lambda m, x: x.max(),
        lambda m, x: m.np.sort(x), lambda m, x: 2 / x, lambda m, x: x / x, lambda m, x: x + 1, lambda m, x: x - 2,
        lambda m, x: x**-1, lambda m, x: x + x[:1], lambda m, x: m.np.where(True, x, x), lambda m, x: x.at[0].set(1.),
        lambda m, x: m.np.concatenate([x, m.np.asarray(M)]),
    )])
    with pytest.raises(NotImplementedError, match="would result in dense output"):
        sparse.sparsify(jnp.exp)(sparse.eye(2))


@compiling
@pytest.mark.parametrize("use_tracer", [False, True])
def test_programs_inside(use_tracer):
    of = lambda f, *makes: by(f, *makes, use_tracer=use_tracer)
    lax = lambda m: m.jax.lax
    same(of(lambda m, x: lax(m).fori_loop(0, 3, lambda i, x: x * 2, x), matrix),
         of(lambda m, x: lax(m).while_loop(lambda c: c[0].sum() < 100, lambda c: (c[0] * 2, c[1] + 1), (x, 0)), matrix),
         of(lambda m, x: lax(m).cond(x.sum() > 3, lambda x: x * 2, lambda x: -x, x), matrix),
         of(lambda m, x: lax(m).switch(1, [lambda x: x * 2, lambda x: -x, lambda x: x], x), matrix),
         of(lambda m, x: m.jax.jit(lambda x: x * 2)(x), matrix), of(lambda m, x: x[0], matrix),
         of(lambda m, x: x.T @ x, matrix), of(lambda m, x: m.jax.vmap(lambda x: x @ m.np.ones(4))(x), batched))
    refused(of(lambda m, x: lax(m).fori_loop(0, 3, lambda i, c: c + x, x), matrix),
            of(lambda m, x: lax(m).cond(True, lambda x: x * 2, lambda x: x.T, x), lambda m: m.sparse.eye(2)))


def test_scans_carry_sparse_arrays():
    step = lambda x, c, _: (x @ c, c.sum())
    out, sums = sparse.sparsify(lambda x, v: ad.lax.scan(lambda c, i: step(x, c, i), v, None, length=3))(
        2 * sparse.eye(2), jnp.ones(2))
    assert (out.tolist(), sums.tolist()) == ([8, 8], [2, 4, 8])
    doubled, xs = sparse.sparsify(lambda x: ad.lax.scan(lambda c, i: (2 * c, i), x, jnp.arange(3)))(sparse.eye(2))
    assert doubled.data.tolist() == [8, 8] and xs.tolist() == [0, 1, 2]
    with pytest.raises(TypeError, match="must have same type structure"):
        sparse.sparsify(lambda x: ad.lax.scan(lambda c, _: (c.T, None), x, None, length=2))(sparse.eye(2, 2, 1))


def test_tracers_are_printed():
    seen = []
    sparse.sparsify(lambda x: seen.append((repr(x), isinstance(x, sparse.SparseTracer))) or x, use_tracer=True)(
        sparse.eye(2, dtype="float32"))
    assert seen == [("SparseTracer<float32[2,2]>", True)]

