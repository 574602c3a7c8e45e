"""What loops and branches return when they are run: types, trees, keys, named axes, and edge cases."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from tests.lax.parity import same, together
from tests.modes import compiling

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.engines.numpy.loop import MIN_TURNS_TO_COMPILE

X = np.array([0.3, -0.7, 1.2], np.float32)
LONG = 2 * MIN_TURNS_TO_COMPILE + 5  # turns enough for the loop to be compiled


# ---- compiled bodies -----------------------------------------------------------------------------

DTYPES = [np.float32, np.float16, ml_dtypes.bfloat16, np.int8, np.uint8, np.int32, np.complex64]


def _mixed(c, x):
    """Arithmetic in which integers overflow and every kind of expression occurs."""
    a, n, flag = c
    b = a * x + a - x
    grown = n + 1000003
    return (b, grown * n, ((b == a) | (grown > n) & flag).all()), (b, n, flag != (n < 5))


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize("shape", [(), (3,)], ids=str)
def test_compiled_loops_give_the_bits_of_single_steps(dtype, shape):
    """A scan long enough to be compiled equals its turns one by one, for scalars and arrays."""
    rng = np.random.default_rng(0)
    xs = jnp.asarray(rng.integers(-2, 3, (LONG, *shape)).astype(dtype))
    start = jnp.asarray(np.ones(shape, dtype)), jnp.int32(7), jnp.bool_(True)
    (a, n, flag), ys = lax.scan(_mixed, start, xs)
    carry = start
    for i in range(LONG):
        carry, y = _mixed(carry, xs[i])
        for got, expected in zip(ys, y):
            np.testing.assert_array_equal(np.asarray(got[i]), np.asarray(expected))
            assert got.dtype == expected.dtype
    for got, expected in zip((a, n, flag), carry):
        np.testing.assert_array_equal(np.asarray(got), np.asarray(expected))
        assert got.dtype == expected.dtype


def test_compiled_while_loops_go_on_where_single_steps_ended():
    """Around the number of turns where a while loop is compiled, every number of turns is right."""
    run = lambda n: lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] + 2.0 * c[0]), (0, 0.0))
    for n in range(MIN_TURNS_TO_COMPILE - 2, MIN_TURNS_TO_COMPILE + 3):
        count, total = run(n)
        assert (int(count), float(total)) == (n, n * (n - 1))


def test_compiled_loops_with_calls_and_branches_inside():
    """Calls are put in line; nested loops and branches keep their own programs."""

    def program(m, x):
        np_ = m.numpy
        inner = m.jit(lambda c, v: np_.sin(c) * v)

        def step(c, v):
            c = m.lax.cond(v > 0, lambda: inner(c, v), lambda: c - v)
            return m.lax.fori_loop(0, 3, lambda i, d: inner(d, v) + i, c), (c, v)

        return m.lax.scan(step, x[0], np_.concatenate([x] * 10), reverse=True)

    same(program, X, rtol=1e-5)


# ---- trees, types ----------------------------------------------------------------------------------


def test_trees_go_round():
    """Carries, rows and results are trees of any kind; None is an empty one."""

    def step(carry, x):
        assert set(carry) == {"a", "b"} and carry["b"] is None
        return {"a": (carry["a"][0] + x["v"], []), "b": None}, [x["v"], None, (carry["a"][0],)]

    carry, ys = lax.scan(step, {"a": (0.0, []), "b": None}, {"v": X, "n": None})
    assert ax.tree.structure(carry) == ax.tree.structure({"a": (0, []), "b": None})
    assert ax.tree.structure(ys) == ax.tree.structure([0, None, (0,)])
    np.testing.assert_array_equal(ys[0], X)


@compiling
def test_results_that_pass_through_are_arrays():
    """Python scalars and NumPy arrays that a loop hands on come back as arrays."""
    own = np.ones(3, np.float32)
    carry, ys = lax.scan(lambda c, x: (c, x), (1.5, own), own)
    assert all(isinstance(x, ax.Array) for x in (*carry, ys))
    branch = lax.cond(True, lambda: own, lambda: 2 * own)
    own[:] = 5
    np.testing.assert_array_equal(carry[1], [1, 1, 1])
    np.testing.assert_array_equal(branch, [1, 1, 1])


@compiling
def test_weak_carries_settle():
    """A weakly typed carry takes the dtype that the body gives it, step by step if need be."""
    total, _ = lax.scan(lambda c, x: (c + x, None), 0, X)
    assert total.dtype == np.float32
    a, b = lax.scan(lambda c, x: ((c[1], c[0] + 1.5), None), (0, 0), X)[0]
    assert a.dtype == b.dtype == np.float32
    assert lax.while_loop(lambda c: c < 2, lambda c: c + jnp.int8(1), 0).dtype == np.int8
    assert lax.fori_loop(0, 2, lambda i, c: c + 0.5, 0).dtype == np.float32


@compiling
def test_no_turns():
    """Loops that do not run return where they started, and empty results of the right type."""
    carry, ys = lax.scan(lambda c, x: (c + 1, jnp.ones(2, "int8")), 3.0, X[:0])
    assert float(carry) == 3.0
    assert (ys.shape, ys.dtype) == ((0, 2), np.int8)
    assert lax.fori_loop(5, 2, lambda i, c: c + 1, 7) == 7
    assert lax.while_loop(lambda c: False, lambda c: c + 1, 7) == 7
    np.testing.assert_array_equal(lax.map(lambda x: x, X[:0]), X[:0])


def test_index_out_of_range_is_clamped():
    """`switch` takes the nearest branch, for every integer dtype."""
    branches = [lambda: 10, lambda: 20, lambda: 30]
    for i, expected in ((-5, 10), (0, 10), (1, 20), (2, 30), (99, 30)):
        assert lax.switch(i, branches) == expected
    assert ax.jit(lambda i: lax.switch(i, branches))(np.int8(-3)) == 10
    np.testing.assert_array_equal(
        ax.vmap(lambda i: lax.switch(i, branches))(np.array([-1, 1, 7])), [10, 20, 30]
    )


def test_only_the_branch_taken_is_run():
    """The other branch would not end."""
    endless = lambda: lax.while_loop(lambda c: True, lambda c: c, 1.0)
    assert lax.cond(True, lambda: 2.0, endless) == 2.0
    assert ax.jit(lambda p: lax.cond(p, lambda: 2.0, endless))(True) == 2.0


# ---- derivatives and batches -----------------------------------------------------------------------


def test_gradient_of_batched_cond_avoids_the_branch_not_taken():
    """An infinite derivative in the branch not taken gives no NaN."""
    f = lambda x: lax.cond(x > 0, lambda x: jnp.sqrt(x), lambda x: 2 * x, x)
    slopes = ax.vmap(ax.grad(f))(jnp.array([0.0, 4.0]))
    np.testing.assert_array_equal(slopes, [2.0, 0.25])


def test_elements_that_are_done_keep_their_carry():
    """Under `vmap` each element of a while loop takes its own number of turns."""
    count = lambda n: lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] * 2.0), (0, 1.0))
    turns, value = ax.vmap(count)(jnp.array([0, 3, 1]))
    np.testing.assert_array_equal(turns, [0, 3, 1])
    np.testing.assert_array_equal(value, [1.0, 8.0, 2.0])


@pytest.mark.parametrize("run", [lambda f: f, ax.jit])
def test_a_batch_that_the_condition_does_not_see_stays_with_what_has_it(run):
    """A second `vmap`, or the one of `jacfwd`, maps the tangents or one part of the carry of a loop that is mapped."""
    halved = lambda n, x: lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] * 0.5), (0, x))
    n, x = jnp.array([0, 2, 1]), jnp.array([4.0, 8.0])
    turns, value = run(ax.vmap(ax.vmap(halved, (0, None), (0, 0)), (None, 0), (None, 1)))(n, x)
    np.testing.assert_array_equal(turns, [0, 2, 1])
    np.testing.assert_array_equal(value, [[4.0, 8.0], [1.0, 2.0], [2.0, 4.0]])
    slopes = run(ax.jacfwd(lambda x: ax.vmap(halved)(n, x)[1]))(jnp.array([4.0, 8.0, 2.0]))
    np.testing.assert_array_equal(slopes, np.diag([1.0, 0.25, 0.5]))


@compiling
@together
def test_linear_loops_transpose():
    """`linear_transpose` of loops, with a counter that is known and used."""
    for program in (
        lambda m, x: m.linear_transpose(
            lambda a: m.lax.fori_loop(1, 4, lambda i, c: c * i.astype(np.float32), a), x
        )(x),
        lambda m, x: m.linear_transpose(
            lambda a: m.lax.scan(lambda c, v: (c + v, (2 * c).sum()), a, m.numpy.stack([a, -a])), x
        )((x, x[:2])),
        lambda m, x: m.linear_transpose(lambda a: m.lax.cond(True, lambda: 2 * a, lambda: a), x)(x),
    ):
        same(program, X)


@compiling
@together
def test_loops_in_loops_whose_linear_carry_is_scaled_by_a_known_one_transpose():
    def program(m, x):
        step = lambda c, _: ((c[0] * 1.1, c[1] * c[0]), c[1])
        inner = m.jit(lambda k, a: m.lax.scan(step, (k, a), None, length=3))

        def outer(c, _):
            (k, a), each = inner(*c)
            return (m.numpy.sin(k), a + each.sum(0)), k

        return m.linear_transpose(lambda a: m.lax.scan(outer, (x, a), None, length=2)[0][1], x)(x)

    same(program, X)


@compiling
@together
@pytest.mark.parametrize("call", ["jit", "checkpoint", "cond", "scan"])
def test_programs_that_compute_what_is_known_beside_what_is_linear_transpose(call):
    def both(m, a, v):
        one = lambda a, v: (a * m.numpy.exp(v), v > 0.5)
        if call == "cond":
            return m.lax.cond(v.sum() > 0, one, lambda a, v: (a - v * a, v < 1), a, v)
        if call == "scan":
            step = lambda c, v: ((c[0] * v, c[1] + v), c[1] > v)
            (a, v), flags = m.lax.scan(step, (a, m.numpy.zeros_like(a)), m.numpy.stack([v, 2 * v, v]))
            return a, m.numpy.where(flags[1], v, 2 * v) > 1
        return getattr(m, call)(one)(a, v)

    def program(m, x):
        def chosen(a, v=x):
            a, flag = m.jit(lambda a, v: both(m, a, v))(a, v)
            return m.numpy.where(flag, a, 2 * a)

        looped = lambda a: m.lax.scan(lambda c, v: (chosen(c, v), v), a, m.numpy.stack([x, x / 2]))[0]
        return m.linear_transpose(chosen, x)(x), m.linear_transpose(looped, x)(x)

    same(program, X)


def test_integer_carries_have_no_tangents():
    """Counters and flags beside a differentiated carry."""

    def program(m, x):
        def step(c, v):
            n, on, a = c
            return (n + 1, ~on, m.numpy.where(on, a * v, a + n)), (n, a)

        return m.grad(lambda a: m.lax.scan(step, (0, True, a), x)[1][1].sum())(x[1])

    same(program, X)


@compiling
def test_residuals_that_do_not_change_are_not_stacked():
    """What a body computes from constants alone is computed once, outside the loop."""
    w = jnp.ones((50, 50))
    step = lambda c, x: (jnp.tanh(c @ jnp.exp(w)) * x, None)
    program = ax.make_jaxpr(ax.grad(lambda c: lax.scan(step, c, X)[0].sum()))(jnp.ones(50))
    forward, backward = [eqn for eqn in program.eqns if eqn.primitive.name == "scan"]
    assert all(v.aval.size < 50 * 50 for v in forward.outvars)
    assert [e.primitive.name for e in forward.params["jaxpr"].eqns].count("exp") == 0
    assert [v.aval.shape for v in backward.invars].count((50, 50)) == 1


def test_named_axes_inside():
    """Collectives in bodies and branches reach the axis of an outer `vmap`."""

    def program(m, x):
        def f(v):
            step = lambda c, _: (c + m.lax.psum(v * c, "i"), m.lax.axis_index("i"))
            total, index = m.lax.scan(step, 1.0, None, length=3)
            picked = m.lax.cond(True, lambda: m.lax.psum(v, "i"), lambda: v)
            body = lambda c: (c[0] + 1, c[1] + m.lax.pmax(v, "i"))
            return total, index, picked, m.lax.while_loop(lambda c: c[0] < 2, body, (0, 0.0))

        return m.vmap(f, axis_name="i")(x)

    same(program, X)


# ---- random keys -----------------------------------------------------------------------------------


@compiling
def test_keys_in_loops_and_branches():
    """Keys are carried, scanned over, selected and closed over."""

    def program(m, seed):
        key = m.random.key(seed)
        data = m.random.key_data

        def step(k, _):
            k, use = m.random.split(k)
            return k, m.random.uniform(use)

        last, draws = m.lax.scan(step, key, None, length=3)
        keys = m.random.split(key, 3)
        _, rows = m.lax.scan(lambda c, k: (c, m.random.uniform(k)), 0, keys)
        pick = lambda p, k: m.lax.cond(p, lambda: m.random.split(k)[0], lambda: k)
        body = lambda c: (c[0] + 1, m.random.split(c[1])[0])
        many = m.vmap(lambda n, k: m.lax.while_loop(lambda c: c[0] < n, body, (0, k))[1])
        counts = m.numpy.arange(3)
        slope = m.grad(
            lambda x: m.lax.cond(x > 0, lambda: x * m.random.uniform(key), lambda: x * x)
        )(2.0)
        return (
            data(last), draws, rows, data(pick(True, key)), data(m.vmap(pick)(counts > 0, keys)),
            data(many(counts, keys)), slope,
        )

    same(program, 7, rtol=1e-6)


def test_a_weak_float_is_a_predicate_inside_of_jit():
    branch = ax.jit(lambda p: lax.cond(p, lambda: 1, lambda: 0))
    assert [int(branch(p)) for p in (2.5, 0.0, 3, 0, True)] == [1, 0, 1, 0, 1]


WRAPPED = {"now": lambda f: f, "jit": ax.jit, "vmap": lambda f: lambda b: ax.vmap(f)(b[None])[0]}


@pytest.mark.parametrize("how", WRAPPED)
def test_the_solution_of_a_system_of_integers_has_the_dtype_that_the_solver_gives(how):
    """JAX gives floats, too, but for `jit`, where it fails to compile the program."""
    halved = lambda b: lax.custom_linear_solve(lambda x: x + x, b, lambda f, b: b / 2)
    solution = WRAPPED[how](halved)(jnp.array([1, 0, 3]))
    assert np.float32 == solution.dtype == np.asarray(solution).dtype
    np.testing.assert_array_equal([0.5, 0, 1.5], solution)
