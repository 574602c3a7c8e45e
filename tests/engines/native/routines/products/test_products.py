"""Products of matrices: every transposition, odd sizes, batches and vectors, beside NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from tests.engines.agreement import assert_agrees, host_steps, steps
from tests.streams import stream

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.engines.native.program.table import Executable

SIZES = [
    (1, 300, 65), (2, 17, 31), (3, 530, 64), (5, 16, 10), (7, 513, 130), (65, 64, 63), (30, 100, 16), (260, 64, 5),
    (257, 129, 1), (1, 129, 257), (64, 1, 64),
]
EINSUMS = """ij,jk->ik ij,kj->ik ji,jk->ik ji,kj->ki bij,bjk->bik bij,bkj->bki ibj,jbk->bik i,ij->j ij,i->j i,i->
i,j->ij bi,bi->b abij,abjk->abik ijk,jkl->il ijk,ljk->il ji,j->i j,ij->i bhqd,bkhd->bhqk ij,kl->ijkl i,ijk->jk ijk,k->ij
ijk,j->ik kij,j->ik""".split()
LENGTHS = [
    dict(a=2, b=3, h=2, q=5, d=7, i=17, j=23, k=31, l=5), dict(a=1, b=1, h=1, q=1, d=40, i=1, j=64, k=1, l=1),
    dict(a=2, b=2, h=1, q=33, d=16, i=40, j=1, k=40, l=40), dict(a=2, b=2, h=1, q=33, d=16, i=64, j=32, k=1, l=40),
]
random = stream()


def compiled(function, *args):
    executable = Executable(ax.make_jaxpr(function)(*args))
    assert executable.is_native
    return executable(*args)[0]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_every_order_of_rows_and_columns(dtype):
    tolerance = dict(rtol=2e-4, atol=2e-4) if dtype == "float32" else dict(rtol=1e-11, atol=1e-11)
    with ax.enable_x64(True):
        for m, k, n in SIZES:
            x, y = random.standard_normal((m, k)).astype(dtype), random.standard_normal((k, n)).astype(dtype)
            expected = x @ y
            for turn_x in (False, True):
                for turn_y in (False, True):
                    a, b = x.T.copy() if turn_x else x, y.T.copy() if turn_y else y
                    out = compiled(lambda a, b: (a.T if turn_x else a) @ (b.T if turn_y else b), a, b)
                    np.testing.assert_allclose(out, expected, **tolerance, err_msg=f"{m, k, n, turn_x, turn_y}")


@pytest.mark.parametrize("spec", EINSUMS)
def test_batches_and_vectors(spec):
    inputs, _ = spec.split("->")
    for lengths in LENGTHS:
        shapes = [[lengths[c] for c in letters] for letters in inputs.split(",")]
        args = [random.standard_normal(s).astype(np.float32) for s in shapes]
        out = compiled(lambda x, y: jnp.einsum(spec, x, y), *args)
        np.testing.assert_allclose(out, np.einsum(spec, *args), rtol=1e-4, atol=1e-4, err_msg=str(lengths))


VIEWS = {
    "slices": lambda x: x[1:33, 3:50] @ x[1:48],
    "a turned slice": lambda x: x[::2].T @ x[::2] + x[:, ::-1] @ x,
    "one row repeated": lambda x: jnp.broadcast_to(x[0], (64, 64)) @ x.T,
    "constants": lambda x: jnp.ones((64, 64)) @ x,
    "numbers in order": lambda x: jnp.arange(64.0) @ x,
    "in a loop": lambda x: lax.scan(lambda c, _: (jnp.tanh(c @ x), c.sum()), x, None, length=3)[0],
    "a vector in a loop": lambda x: lax.scan(lambda c, _: (jnp.tanh(x.T @ c), c.sum()), x[:, 0], None, length=3)[0],
    "halves": lambda x: x.astype(jnp.bfloat16) @ x.T.astype(jnp.bfloat16),
    "integers": lambda x: (10 * x).astype(int) @ (10 * x).astype(int),
}


@pytest.mark.parametrize("name", VIEWS)
def test_operands_that_are_views(name):
    x = (random.standard_normal((64, 64)) / 8).astype(np.float32)
    with ax.disable_jit():
        expected = np.asarray(VIEWS[name](jnp.asarray(x)), np.float32)
    out = np.asarray(compiled(VIEWS[name], x), np.float32)
    tolerance = 2e-2 if name == "halves" else 1e-4
    np.testing.assert_allclose(out, expected, rtol=tolerance, atol=tolerance / 10)


def test_transposed_results_are_computed_as_that():
    x, y = random.standard_normal((32, 40)).astype(np.float32), random.standard_normal((32, 24)).astype(np.float32)
    cases = {
        "a product": (lambda x, y: (x.T @ y).T, ["routine"]),
        "a gradient": (lambda x, y: ax.vjp(lambda w: x @ w, jnp.zeros((40, 24)))[1](y), ["routine"]),
        "a gradient that is read": (
            lambda x, y: 1 - ax.vjp(lambda w: x @ w, jnp.zeros((40, 24)))[1](y)[0], ["routine", "kernel"]),
        "read both ways": (lambda x, y: (lambda p: (p.T + 1, p * 2))(x.T @ y), ["routine", "kernel", "kernel"]),
        "by rows that lie ready": (lambda x, y: jnp.tanh(y[:8] @ (x.T @ y).T), ["routine", "routine", "kernel"]),
        "an outer product": (lambda x, y: jnp.outer(x[0], y[0]).T, ["kernel"]),
        "one row": (lambda x, y: (x[:1].T @ y[:1]).T + (x[:1].T @ y[:1]).T, ["kernel"]),
    }
    for name, (function, expected) in cases.items():
        assert steps(assert_agrees(function, x, y)) == expected, name
    assert_agrees(lambda x, y: ((x.T @ y).T, x.T @ y, x.T @ y + 1), x, y)
    assert_agrees(lambda x, y: jnp.einsum("bi,bj->ji", x, y).reshape(2, 12, 40).transpose(2, 0, 1), x, y)


def test_sums_go_over_what_is_contiguous():
    for shape in ((256, 64), (64, 256), (70, 33), (33, 2)):
        w = random.standard_normal(shape).astype(np.float32)
        x, y = [random.standard_normal((1, n)).astype(np.float32) for n in shape]
        function = lambda w, x, y: (x @ w, y @ w.T, w @ y[0], w.T @ x[0], x[0] @ w, (w @ y.T).T)
        assert_agrees(function, w, x, y, scale=30.0)


@pytest.mark.parametrize("shape", [(40, 3), (300, 10), (500, 33), (64, 200), (3, 130)])
def test_a_row_by_rows_is_a_sum_that_copies_none(shape):
    w, x = [random.standard_normal(s).astype(np.float32) for s in (shape, shape[:1])]
    for function in (lambda w, x: x @ w, lambda w, x: w.T @ x, lambda w, x: jnp.exp(x[None] @ w)):
        assert set(steps(Executable(ax.make_jaxpr(function)(w, x)))) == {"kernel"}
        assert_agrees(function, w, x, scale=30.0)


@pytest.mark.parametrize("sizes", [(2, 2, 2), (3, 3, 3), (4, 4, 1), (3, 4, 4), (2, 16, 4), (8, 8, 8)], ids=str)
def test_small_products_of_a_batch_are_sums(sizes):
    m, k, n = sizes
    x, y = [random.standard_normal((1000, *s)).astype(np.float32) for s in ((m, k), (k, n))]
    for function in (lambda x, y: x @ y, lambda x, y: (x @ y).transpose(0, 2, 1) + 1, lambda x, y: x @ y[0]):
        assert_agrees(function, x, y, scale=30.0)
    assert set(steps(Executable(ax.make_jaxpr(lambda x, y: jnp.tanh(x @ y))(x, y)))) == {"kernel"}
    assert_agrees(ax.grad(lambda x, y: jnp.sin(x @ y).sum()), x, y, scale=30.0)


def test_a_computed_row_is_written_before_few_columns_are_summed():
    x, w = [random.standard_normal(s).astype(np.float32) for s in ((200, 10), (10,))]
    function = lambda x, w: x.T @ jnp.exp(x @ w)
    assert "routine" in steps(Executable(ax.make_jaxpr(function)(x, w)))
    assert_agrees(function, x, w, scale=1e4)
    gradient = ax.grad(lambda w, x: ax.nn.softplus(x @ w).sum())
    assert_agrees(lambda w, x: lax.fori_loop(0, 5, lambda i, w: w - 1e-3 * gradient(w, x), w), w, x, scale=30.0)


def test_more_products_than_the_pool_can_count():
    closed = ax.make_jaxpr(lambda x, y: x @ y)(*[np.zeros((2**20, 9, 9), np.float32)] * 2)
    x = np.arange(2**20, dtype=np.float32)[:, None, None] % 7 + np.ones((9, 9), np.float32)
    (out,) = Executable(closed)(x, x)
    np.testing.assert_array_equal(9 * x[:, 0, 0] ** 2, out[:, 4, 4])


@pytest.mark.parametrize("sizes", [(3, 0, 10, 7), (3, 0, 10, 2), (0, 0, 0, 0), (9, 9, 9, 9)], ids=str)
def test_products_of_groups_of_rows(sizes):
    x, w = random.standard_normal((20, 6)).astype(np.float32), random.standard_normal((4, 6, 5)).astype(np.float32)

    def function(x, w, sizes):
        small = lambda v, t: (v * 9).astype(t)
        grads = ax.grad(lambda x, w: jnp.sin(lax.ragged_dot(x, w, sizes)).sum(), (0, 1))(x, w)
        square = lambda v: jnp.tanh(lax.ragged_dot(v, w[:, :, :1] * jnp.ones(6), sizes))
        return (
            lax.ragged_dot(x, w, sizes), lax.ragged_dot(small(x, "bfloat16"), small(w, "bfloat16"), sizes), *grads,
            lax.ragged_dot(small(x, "int8"), small(w, "int8"), sizes, preferred_element_type=np.int32),
            lax.ragged_dot(x + 1j, w * 1j, sizes), lax.fori_loop(0, 2, lambda _, v: square(v), x),
            ax.vmap(lax.ragged_dot)(x[None], w[None], sizes[None]),
        )

    for dtype in ("int32", "uint8"):
        assert host_steps(assert_agrees(function, x, w, np.array(sizes, dtype), scale=30.0)) == []


def test_primitives_that_stand_for_programs_are_those_programs():
    x = random.standard_normal((5, 37)).astype(np.float32)
    best = lambda x: (*lax.approx_max_k(x, 3), *lax.approx_min_k(x, 2, reduction_dimension=0))
    assert host_steps(assert_agrees(best, x)) == []


def whole_range(shape, dtype):
    """Integers of a whole dtype, the least and the largest first."""
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    x = random.integers(least, most, shape, endpoint=True).astype(dtype)
    x.flat[:4] = least, least, most, most
    return x


@pytest.mark.parametrize("left, right, out", [
    ("int8", "int8", "int32"), ("int16", "int16", "int32"), ("uint8", "uint8", "uint32"), ("int8", "int8", "int8"),
    ("uint8", "uint8", "int64"), ("int16", "int8", "int32"), ("int16", "int16", "int64"),
    ("uint16", "uint16", "uint32"),
])
def test_small_integers_are_multiplied_in_pairs(left, right, out):
    with ax.enable_x64(True):
        for m, k, n in [(2, 2048, 3), (33, 64, 65), (128, 300, 57), (5, 1001, 7), (40, 514, 300)]:
            x, y = whole_range((m, k), left), whole_range((k, n), right)
            expected = (x.astype("int64") @ y.astype("int64")).astype(out)
            for turn_x in (False, True):
                for turn_y in (False, True):
                    a, b = x.T.copy() if turn_x else x, y.T.copy() if turn_y else y
                    sums = ((int(not turn_x),), (int(turn_y),)), ((), ())
                    found = compiled(lambda a, b: lax.dot_general(a, b, sums, preferred_element_type=out), a, b)
                    assert found.dtype == out
                    np.testing.assert_array_equal(found, expected, err_msg=f"{m, k, n, turn_x, turn_y}")


@pytest.mark.parametrize("spec", ["abij,ajbk->abik", "abij,ajbk->kiab", "ijk,jkl->il", "ijk,ljk->li", "kij,kjl->kil"])
def test_pairs_in_batches_and_over_several_axes(spec):
    lengths, (left, right) = dict(a=3, b=4, i=20, j=12, k=18, l=33), spec.partition("->")[0].split(",")
    x, y = [whole_range([lengths[axis] for axis in axes], "int8") for axes in (left, right)]
    found = compiled(lambda x, y: jnp.einsum(spec, x, y, preferred_element_type="int32"), x, y)
    np.testing.assert_array_equal(found, np.einsum(spec, x.astype("int32"), y.astype("int32")))


def test_pairs_in_loops():
    x, w = whole_range((96, 128), "int8"), whole_range((128, 128), "int8")
    turn = lambda _, x: (jnp.dot(x, w, preferred_element_type="int32") >> 7).astype("int8")
    expected = x
    for _ in range(3):
        expected = (expected.astype("int32") @ w.astype("int32") >> 7).astype("int8")
    np.testing.assert_array_equal(compiled(lambda x: lax.fori_loop(0, 3, turn, x), x), expected)


@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True)], ids=str)
@pytest.mark.parametrize("dtype, m, k, n", [
    ("float32", 500, 700, 100), ("float32", 490, 200, 8300), ("float32", 490, 4200, 100), ("float64", 250, 520, 131),
    ("int32", 500, 300, 65), ("int16", 500, 300, 80),
], ids=str)
def test_parts_that_are_copied_for_all_rows_give_the_same_bits(dtype, m, k, n, turned):
    """Of few rows nothing is copied for all, and each element is summed in the same order.

    Long sums of few and of many elements differ: more terms of many are added before what is lost is looked at.
    """
    with ax.enable_x64(True):
        if np.dtype(dtype).kind == "f":
            x, y = [random.standard_normal(s).astype(dtype) for s in ((m, k), (k, n))]
        else:
            x, y = [random.integers(-2000, 2000, s).astype(dtype) for s in ((m, k), (k, n))]

        def product(x, y):
            a, b = x.T.copy() if turned[0] else x, y.T.copy() if turned[1] else y
            return compiled(lambda a, b: (a.T if turned[0] else a) @ (b.T if turned[1] else b), a, b)

        out = product(x, y)
        wide = "int64" if np.dtype(dtype).kind == "i" else "float64"
        expected = x.astype(wide) @ y.astype(wide)
        if wide == "int64":
            np.testing.assert_array_equal(out, expected.astype(dtype))
        else:
            np.testing.assert_allclose(out, expected, rtol=0, atol=np.finfo(dtype).eps * k)
        if k > 1024:
            return
        parts = [product(x[i : i + 70], y) for i in range(0, m, 70)]
        assert np.concatenate(parts).tobytes() == np.asarray(out).tobytes()
