"""`experimental.checkify`: what it finds, and that it finds what JAX does, through every transformation."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.lax.parity import assert_same
from tests.modes import compiling, some, unchecked
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.experimental import checkify
from adjoint.experimental.checkify import check, check_error

INF, NAN = np.float32(np.inf), np.float32(np.nan)


def positive(m, x):
    """A function whose argument must be positive."""
    m.experimental.checkify.check(x > 0, "must be positive: {x} {}", x * 2, x=x)
    return x


def two_checks(m, x):
    m.experimental.checkify.check(x > -2, "a {}", x)
    m.experimental.checkify.check(x > 0, "b {}", x)
    return x


def several(m, x):
    y = m.numpy.sin(x)
    m.experimental.checkify.check(x < 0, "a {x}", x=x)
    return y + m.numpy.arange(3.0)[m.numpy.isinf(x) * 7]


def counted(m, n):
    step = lambda s: (m.experimental.checkify.check(s < 2, "too big: {s}", s=s), s + 1)[1]
    return m.lax.while_loop(lambda s: s < n, step, 0)


def counted_in_test(m, n):
    test = lambda s: (m.experimental.checkify.check(s < 2, "seen: {s}", s=s), s < n)[1]
    return m.lax.while_loop(test, lambda s: s + 1, 0)


def chosen(m, n):
    def branch(limit, name):
        return lambda s: (m.experimental.checkify.check(s < limit, name + " {}", s), s + 1)[1]

    return m.lax.cond(n > 2, branch(2, "first"), branch(0, "second"), n)


def with_jvp_rule(m):
    @m.custom_jvp
    def f(x):
        m.experimental.checkify.check(x > 0, "f {x}", x=x)
        return m.numpy.sin(x)

    @f.defjvp
    def _(primals, tangents):
        m.experimental.checkify.check(primals[0] > 1, "rule {x}", x=primals[0])
        return f(*primals), tangents[0] * m.numpy.cos(primals[0])

    return f


def with_vjp_rule(m, bwd_is_checked=True):
    @m.custom_vjp
    def f(x):
        m.experimental.checkify.check(x > 0, "f {x}", x=x)
        return m.numpy.sin(x)

    def fwd(x):
        m.experimental.checkify.check(x > 1, "fwd {x}", x=x)
        return f(x), x

    def bwd(x, ct):
        if bwd_is_checked:
            m.experimental.checkify.check(x > 2, "bwd {x}", x=x)
        return (ct * m.numpy.cos(x),)

    f.defvjp(fwd, bwd)
    return f


def check_error_inside(m, x):
    error, y = m.experimental.checkify.checkify(partial(positive, m))(x)
    m.experimental.checkify.check_error(error)
    return y


def through_reference(m, x):
    ref = m.new_ref(x)
    ref[0] = m.numpy.sin(x[0])
    m.experimental.checkify.check(ref[0] > 0, "ref {}", ref[0])
    return ref[...]


a = np.float32
PROGRAMS = {
    "nan": (lambda m, x: m.numpy.sin(x), INF),
    "no nan": (lambda m, x: m.numpy.sin(x), a(1)),
    "nan of an operand": (lambda m, x: x + 1, NAN),
    "nan among many": (lambda m, x: m.numpy.log(x), np.array([1, -1, 2], np.float32)),
    "nan in jit": (lambda m, x: m.jit(m.numpy.log)(x), a(-1)),
    "nan of a sum": (lambda m, x: m.numpy.sum(x), np.array([INF, -INF])),
    "nan of a fold": (lambda m, x: m.lax.reduce(x, a(0), lambda u, v: u * v + 1, (0,)), np.array([INF, 0])),
    "nan of a factorization": (lambda m, x: m.lax.linalg.cholesky(x, symmetrize_input=False), -np.eye(2, dtype=a)),
    "division": (lambda m, x, y: x / y, a(1), a(0)),
    "division of zero": (lambda m, x, y: x / y, a(0), a(0)),
    "division of integers": (lambda m, x, y: m.lax.div(x, y), np.array([1, 2]), np.array([1, 0])),
    "remainder": (lambda m, x, y: m.lax.rem(x, y), np.array([1, 2]), np.array([1, 0])),
    "element": (lambda m, x, i: x[i], np.ones((3, 4), a), np.array(5)),
    "element, literally": (lambda m, x: x[1, 7], np.ones((3, 4), a)),
    "element from the end": (lambda m, x: x[-5], np.ones((3, 4), a)),
    "elements": (lambda m, x, i: x[i], np.ones((3, 4), a), np.array([0, 5, 7])),
    "elements of two axes": (lambda m, x, i, j: x[i, j], np.ones((3, 4), a), np.array([0, 1]), np.array([1, 9])),
    "elements of rows and columns": (
        lambda m, x, i, j: x[i[:, None], j[None]], np.ones((3, 4), a), np.array([0, 1]), np.array([1, 2, 9])
    ),
    "elements of a column": (lambda m, x, i: x[i, 2], np.ones((3, 4), a), np.array([0, 7, 9])),
    "elements of no column": (lambda m, x, i: x[i, 6], np.ones((3, 4), a), np.array([0, 1])),
    "added in rows and columns": (
        lambda m, x, i: x.at[i[:, None], i[None]].add(1), np.ones((3, 4), a), np.array([0, 3])
    ),
    "position of 8 bits": (lambda m, x, i: x[i], np.ones((3, 4), a), np.array(200, np.uint8)),
    "take": (lambda m, x, i: m.numpy.take(x, i, mode="clip"), np.arange(3, dtype=a), np.array([1, 5])),
    "inside": (lambda m, x, i: x[i], np.ones((3, 4), a), np.array([0, -3, 2])),
    "set": (lambda m, x, i: x.at[i].set(0), np.ones((3, 4), a), np.array([0, 5])),
    "add": (lambda m, x, i: x.at[i].add(1), np.ones((3, 4), a), np.array([0, -9])),
    "slice": (lambda m, x, i: m.lax.dynamic_slice(x, (i, i), (2, 2)), np.ones((3, 4), a), np.array(2)),
    "slice of two starts": (
        lambda m, x, i, j: m.lax.dynamic_slice(x, (i, j), (2, 2)), np.ones((3, 4), a), np.array(1), np.array(-9)
    ),
    "update": (lambda m, x, i: m.lax.dynamic_update_slice(x, x[:2], (i, 0)), np.ones((3, 4), a), np.array(2)),
    "check": (positive, a(-1)),
    "check that holds": (positive, a(1)),
    "check in jit": (lambda m, x: m.jit(partial(positive, m))(x), a(-1)),
    "checks": (two_checks, a(-3)),
    "several kinds": (several, INF),
    "vmap": (lambda m, x: m.vmap(partial(positive, m))(x), np.array([1, -1, -2, 3], a)),
    "vmap of two checks": (lambda m, x: m.vmap(partial(two_checks, m))(x), np.array([1, -1, -3, 3], a)),
    "vmap of vmap": (lambda m, x: m.vmap(m.vmap(partial(positive, m)))(x), np.array([[1, -1], [-2, 3]], a)),
    "vmap, many": (
        lambda m, x: m.vmap(partial(two_checks, m))(x),
        np.where(np.arange(700) % 300 == 299, -np.arange(700), 5).astype(a),
    ),
    "vmap in a loop, many": (
        lambda m, x: m.lax.fori_loop(0, 3, lambda i, y: m.vmap(partial(positive, m))(y - i), x),
        np.arange(3, 703, dtype=a),
    ),
    "nan in calls": (
        lambda m, x: (x - m.numpy.mean(x)) / m.jit(lambda y: m.numpy.log(m.numpy.var(y)) * 0 / m.numpy.std(y * 0))(x),
        np.arange(4, dtype=a),
    ),
    "nan in calls of calls": (
        lambda m, x: m.jit(lambda y: m.nn.softmax(m.jit(m.numpy.log)(y)) + m.jit(m.numpy.sqrt)(y))(x), -np.ones(4, a)
    ),
    "a result of a call that is its operand": (
        lambda m, x: (y := m.jit(lambda z: (z, m.numpy.log(z), z))(x))[0] + y[1] + m.jit(m.numpy.sin)(y[2]),
        -np.ones(4, a),
    ),
    "vmap of an element": (lambda m, i: m.vmap(lambda j: m.numpy.arange(3.0)[j])(i), np.array([0, 5, 6])),
    "vmap of cond": (
        lambda m, x: m.vmap(lambda y: m.lax.cond(y > 0, m.numpy.log, m.numpy.sin, y))(x), np.array([INF, -INF])
    ),
    "scan": (lambda m, x: m.lax.scan(lambda s, y: (s + y, positive(m, y)), a(0), x), np.array([1, -1, -2], a)),
    "scan, nan": (lambda m, x: m.lax.scan(lambda s, y: (m.numpy.log(s), s), x, None, length=4), a(2)),
    "scan over a constant": (
        lambda m, x, y: m.lax.scan(lambda s, z: (s * y, s / z), a(1), x), np.array([1, 0, 2], a), a(2)
    ),
    "map": (lambda m, x: m.lax.map(partial(positive, m), x), np.array([1, -1, -3], a)),
    "while": (counted, 5),
    "while, condition": (counted_in_test, 5),
    "fori_loop": (lambda m, x: m.lax.fori_loop(0, 5, lambda i, s: m.numpy.arange(3.0)[i] + s, x), a(0)),
    "cond, one": (chosen, 5),
    "cond, other": (chosen, 1),
    "switch": (lambda m, i, x: m.lax.switch(i, [m.numpy.sin, m.numpy.log, lambda y: y], x), 1, a(-1)),
    "grad": (lambda m, x: m.grad(partial(positive, m))(x), a(-1)),
    "grad of a quotient": (lambda m, x: m.grad(lambda y: 1 / y)(x), a(0)),
    "second derivative": (lambda m, x: m.hessian(m.numpy.log)(x), a(-1)),
    "checkpoint": (lambda m, x: m.grad(m.checkpoint(lambda y: positive(m, m.numpy.sin(y))))(x), a(-1)),
    "custom_jvp": (lambda m, x: with_jvp_rule(m)(x), a(-1)),
    "custom_jvp, rule": (lambda m, x: m.jvp(with_jvp_rule(m), (x,), (x,)), a(0.5)),
    "custom_jvp, rule in jit": (lambda m, x: m.jit(m.grad(with_jvp_rule(m)))(x), a(0.5)),
    "custom_vjp": (lambda m, x: with_vjp_rule(m)(x), a(-1)),
    "custom_vjp, fwd": (lambda m, x: m.grad(with_vjp_rule(m))(x), a(0.5)),
    "custom_vjp, bwd": (lambda m, x: m.jit(m.grad(with_vjp_rule(m)))(x), a(1.5)),
    "check_error": (check_error_inside, a(-1)),
    "check_error in jit": (lambda m, x: m.jit(partial(check_error_inside, m))(x), a(-1)),
    "reference": (through_reference, np.array([-1, 1], a)),
    "callback": (lambda m, x: m.pure_callback(lambda y: y * NAN, x, x), a(1)),
}


def run(m, program, args):
    args = [m.numpy.asarray(x) if isinstance(x, (np.ndarray, np.generic)) else x for x in args]
    checked = m.experimental.checkify.checkify(partial(program, m), errors=m.experimental.checkify.all_checks)
    error, out = checked(*args)
    return error.get(), out, checked, args


@pytest.mark.parametrize("name", some(PROGRAMS, unchecked, "division of zero"))
def test_the_error_and_the_result_are_those_of_jax_called_and_compiled(name):
    program, *args = PROGRAMS[name]
    text, out, *_ = run(jax, program, args)
    ours, result, checked, given = run(adjoint, program, args)
    assert _rounded(ours) == _rounded(text)
    compiled, again = adjoint.jit(checked)(*given)
    assert _rounded(compiled.get()) == _rounded(text)
    for x, y, z in zip(jax.tree.leaves(out), adjoint.tree.leaves(result), adjoint.tree.leaves(again), strict=True):
        assert_same(x, y, 1e-5)
        assert_same(x, z, 1e-5)


def _rounded(text):
    return text and " ".join([f"{float(w):.5f}" if "." in w and w[-1].isdigit() else w for w in text.split(" ")])


@pytest.mark.parametrize("name", ["vmap", "scan", "while", "cond, one", "custom_jvp", "nan", "elements"])
def test_no_program_with_a_check_that_is_not_asked_for_gives_an_error(name):
    program, *args = PROGRAMS[name]
    args = [jnp.asarray(x) if isinstance(x, (np.ndarray, np.generic)) else x for x in args]
    assert checkify.checkify(partial(program, adjoint), errors=frozenset())(*args)[0].get() is None


def log_and_check(x):
    check(x > -1, "too small: {}", x)
    return jnp.log(x)


def test_each_element_of_a_batch_has_an_error_of_its_own():
    checked = adjoint.jit(adjoint.vmap(checkify.checkify(log_and_check, errors=checkify.all_checks)))
    error, _ = checked(jnp.array([1.0, -0.5, -3.0]))
    assert error.get() == (
        "at mapped index 1: nan generated by primitive: log.\nat mapped index 2: too small: -3.0 (`check` failed)"
    )
    assert checked(jnp.array([1.0, 2.0]))[0].get() is None
    nested, _ = adjoint.vmap(adjoint.vmap(checkify.checkify(log_and_check)))(jnp.array([[1.0, -3.0]]))
    assert nested.get() == "at mapped index 0, 1: too small: -3.0 (`check` failed)"


def test_a_batched_loop_stops_for_each_element_where_it_does_alone():
    def count(x):
        step = lambda s: (check(s < 2, "at {}", s), s + 1)[1]
        return lax.while_loop(lambda s: s < 3, step, x)

    error, out = adjoint.vmap(checkify.checkify(count))(jnp.array([0.0, 1.0, 5.0]))
    assert error.get() == "at mapped index 0: at 2.0 (`check` failed)\nat mapped index 1: at 2.0 (`check` failed)"
    assert out.tolist() == [3.0, 3.0, 5.0]
    with pytest.raises(ValueError, match="Checkify does not support batched while-loops"):
        checkify.checkify(adjoint.vmap(count))(jnp.array([0.0, 1.0, 5.0]))


@compiling
def test_errors_are_values_that_loops_may_stack():
    _, errors = lax.scan(lambda s, x: (s, checkify.checkify(log_and_check)(x)[0]), 0.0, jnp.array([1.0, -2.0]))
    assert errors.get() == "at mapped index 1: too small: -2.0 (`check` failed)"


def test_derivatives_of_a_checked_function_are_those_of_the_function():
    for f in (log_and_check, with_jvp_rule(adjoint), with_vjp_rule(adjoint, bwd_is_checked=False)):
        plain = adjoint.grad(jnp.log if f is log_and_check else jnp.sin)
        loss = lambda x, f=f: checkify.checkify(f)(x)[::-1]
        for g in (adjoint.value_and_grad(loss, has_aux=True), adjoint.jit(adjoint.value_and_grad(loss, has_aux=True))):
            (_, error), slope = g(jnp.array(2.5))
            assert error.get() is None
            assert np.allclose(slope, plain(2.5))


def test_a_rule_that_is_run_outside_of_checkify_adds_to_the_error_of_the_function():
    loss = lambda x: checkify.checkify(with_jvp_rule(adjoint))(x)[::-1]
    (_, error), _ = adjoint.value_and_grad(loss, has_aux=True)(jnp.array(0.5))
    assert error.get() == "rule 0.5 (`check` failed)"


def test_devices_have_errors_of_their_own():
    mesh = adjoint.sharding.Mesh(np.array(adjoint.devices()[:2]), ("i",))
    n = mesh.shape["i"]
    spec = adjoint.sharding.PartitionSpec("i")
    x = jnp.ones(n).at[n - 1].set(jnp.inf)
    for check_vma in (True, False):
        f = adjoint.shard_map(jnp.sin, mesh=mesh, in_specs=spec, out_specs=spec, check_vma=check_vma)
        error, _ = checkify.checkify(f, errors=checkify.nan_checks)(x)
        assert error.get() == f"at mapped index {n - 1}: nan generated by primitive: sin."
        error, _ = adjoint.jit(checkify.checkify(lambda x, f=f: jnp.cos(f(x)), errors=checkify.nan_checks))(x)
        assert f"at mapped index {n - 1}: nan generated by primitive: sin." in error.get()
    error, _ = checkify.checkify(adjoint.pmap(jnp.sin), errors=checkify.nan_checks)(x[:, None])
    assert error.get() == f"at mapped index {n - 1}: nan generated by primitive: sin."


@compiling
@unchecked
def test_a_raised_error_names_the_line_and_the_value():
    with pytest.raises(checkify.JaxRuntimeError, match=r"^too small: -2.0 \(`check` failed\)\n.*test_checkify.py:"):
        log_and_check(jnp.array(-2.0))
    error, _ = adjoint.jit(checkify.checkify(log_and_check, errors=checkify.nan_checks))(-2.0)
    with pytest.raises(checkify.JaxRuntimeError, match=r"(?s)^nan generated by primitive: log.*jnp.log\(x\)") as raised:
        error.throw()
    assert type(raised.value.__cause__).__name__ == "NaNError"
    with pytest.raises(checkify.JaxRuntimeError, match="nan generated"):
        check_error(error)
    checkify.init_error.throw()
    assert issubclass(checkify.JaxRuntimeError, ValueError)


def throws_inside(m, x):
    """What becomes of an error of arrays that is raised in programs, of a batch too."""
    c = m.experimental.checkify
    checked = c.checkify(lambda y: m.numpy.log(y), errors=c.nan_checks)

    def f(y):
        checked(x)[0].throw()
        checked(y)[0].throw()
        return y

    batch = m.vmap(checked)(m.numpy.array([1.0, -1.0]))[0]
    texts = [c.checkify(f)(m.numpy.array(v))[0].get() for v in (1.0, -1.0)]
    for error in (checked(x)[0], batch):
        try:
            texts.append(error.throw())
        except Exception as raised:
            texts.append(f"{type(raised).__name__}: {raised}".partition("\n")[0])
    return texts


@unchecked
@pytest.mark.parametrize("x", [2.0, -2.0])
def test_an_error_is_thrown_where_jax_throws_it(x):
    found = [throws_inside(m, x) for m in (jax, adjoint)]
    assert found[0] == found[1]


@pytest.mark.parametrize("run", [
    lambda x: adjoint.jit(log_and_check)(x), lambda x: adjoint.jit(log_and_check).lower(x),
    lambda x: lax.scan(lambda s, y: (s, log_and_check(y)), 0.0, x[None]),
    lambda x: lax.cond(True, log_and_check, lambda y: y, x),
])
def test_a_program_with_a_check_is_not_compiled(run, recwarn):
    with pytest.raises(ValueError, match=r"Cannot abstractly evaluate a checkify.check which was not functionalized"):
        run(jnp.array(2.0))
    assert not recwarn.list


def test_checks_for_debugging_are_left_out_of_programs_that_are_not_checked():
    def f(x):
        checkify.debug_check(x > 0, "not positive: {}", x)
        return x

    x = jnp.array(-1.0)
    assert f(x) == adjoint.jit(f)(x) == lax.scan(lambda s, _: (f(s), None), x, None, length=3)[0] == -1
    assert adjoint.grad(f)(x) == 1
    for g in (checkify.checkify(f), adjoint.jit(checkify.checkify(f)), checkify.checkify(adjoint.jit(f))):
        assert g(x)[0].get() == "not positive: -1.0 (`check` failed)"


@pytest.mark.parametrize(("args", "kind", "text"), [
    ((1, "a"), TypeError, "check takes a scalar pred as argument, got 1"),
    ((np.ones(2, bool), "a"), TypeError, "check takes a scalar pred as argument, got [ True  True]"),
    ((True, "a {}", "s"), TypeError, "need to be PyTrees of arrays, but got 's' of type <class 'str'>"),
    ((True, "a {}", 1), TypeError, "need to be PyTrees of arrays, but got 1 of type <class 'int'>"),
    ((False, "a {}"), IndexError, "Replacement index 0 out of range for positional args tuple"),
    ((False, "a {x}"), KeyError, "'x'"),
    ((True,), TypeError, "missing 1 required positional argument: 'msg'"),
])
def test_wrong_arguments_are_refused_with_the_error_of_jax(args, kind, text):
    for m in (jax, adjoint):
        with pytest.raises(kind) as error:
            m.experimental.checkify.check(*args)
        assert text in str(error.value)
    with pytest.raises(TypeError, match="check_error takes an Error as argument, got type <class 'int'> instead."):
        check_error(3)


def test_texts_format_arrays_as_numbers_and_trees():
    x = jnp.array(-1.0)
    for args, kwargs, text in (
        (("{:.3f} {x:.1e}", x), {"x": x}, "-1.000 -1.0e+00"), (("{}", np.ones(2)), {}, "[1. 1.]"),
        (("{}", {"a": x}), {}, "{'a': Array(-1., dtype=float32, weak_type=True)}"), (("{}", None), {}, "None"),
    ):
        f = lambda y, args=args, kwargs=kwargs: check(y > 0, *args, **kwargs)
        assert adjoint.jit(checkify.checkify(f))(-1.0)[0].get() == text + " (`check` failed)"


def test_the_sets_of_errors_are_unions():
    assert checkify.float_checks == checkify.nan_checks | checkify.div_checks
    assert checkify.automatic_checks == checkify.float_checks | checkify.index_checks
    assert checkify.all_checks == checkify.automatic_checks | checkify.user_checks
    assert {kind.__name__ for kind in checkify.all_checks} == {
        kind.__name__ for kind in jax.experimental.checkify.all_checks
    }


def test_arguments_are_what_the_caller_gave():
    assert checkify.checkify(lambda x, name: x * len(name))(jnp.ones(2), "four")[1].tolist() == [4.0, 4.0]
    error, out = checkify.checkify(lambda x, *, n: {"a": x * n, "b": None})(2, n=3)
    assert (error.get(), out) == (None, {"a": 6, "b": None})


def chain(x):
    y = jnp.sin(x)
    z = jnp.where(y > 2, 1.0, y * 3)
    return jnp.cumsum(jnp.exp(z) / x)


@pytest.mark.parametrize(("at", "value", "name"), [(3, np.inf, "sin"), (70, 0.0, "division"), (99, np.nan, "sin")])
def test_the_first_of_many_operations_is_named_in_compiled_programs_too(at, value, name):
    x = jnp.ones(100).at[at].set(value)
    checked = checkify.checkify(chain, errors=checkify.float_checks)
    for f in (checked, adjoint.jit(checked), lambda y: tree_first(adjoint.jit(adjoint.vmap(checked))(y[None]))):
        assert name in f(x)[0].get()
    (error, _) = adjoint.jit(checked)(jnp.ones(100))
    assert error.get() is None


def tree_first(tree):
    return adjoint.tree.map(lambda x: x[0], tree)


def test_a_nan_that_is_not_chosen_is_found_where_it_was_made():
    f = lambda x: jnp.where(x > 0, jnp.log(x) * 2, 0.0) + 1
    error, out = adjoint.jit(checkify.checkify(f, errors=checkify.nan_checks))(jnp.array([-1.0, 1.0]))
    assert error.get() == "nan generated by primitive: log."
    assert out.tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (("log", "at", "div"), "nan generated by primitive: log."),
        (("div", "log", "at"), "division by zero"),
        (("at", "div", "log"), "out-of-bounds indexing for array of shape (2,): index 5 is out of bounds"),
    ],
)
def test_of_errors_of_several_kinds_the_first_one_in_the_program_is_told(order, text):
    steps = {"log": lambda x, i: jnp.log(x), "at": lambda x, i: x[i], "div": lambda x, i: x / (i - 5)}
    f = lambda x, i: sum([steps[name](x, i).sum() for name in order])
    for run in (f, adjoint.jit(f)):
        error, _ = checkify.checkify(run, errors=checkify.all_checks)(jnp.array([1.0, -1.0]), 5)
        assert error.get().startswith(text)


def test_what_is_found_in_loops_is_the_first_turn_that_fails():
    positions = jnp.array([0, 2, 9, 1, 7])
    f = lambda x: lax.scan(lambda s, i: (s + x[i], s), 0.0, positions)
    text = "out-of-bounds indexing for array of shape (3,): index 9 is out of bounds for axis 0 with size 3. "
    for run in (f, adjoint.jit(f), adjoint.checkpoint(f)):
        for call in (checkify.checkify(run, errors=checkify.index_checks),):
            assert call(jnp.ones(3))[0].get() == adjoint.jit(call)(jnp.ones(3))[0].get() == text


def turns(m, x, start):
    """A loop whose turns fail in several ways, from a turn on that `start` says."""
    check_ = m.experimental.checkify.check

    def turn(i, s):
        check_(s < start + 10, "too large: {} in turn {}", s, i)
        check_(i < 9, "too many")
        found = x[(i + 7 - start.astype(int)) // 3]
        return m.lax.fori_loop(0, 2, lambda j, t: t + found / (5 - i) + m.numpy.log(7.5 - s), s) + 1

    return m.lax.fori_loop(0, 12, turn, start)


def errors_of_turns(m, start):
    module, x, found = m.experimental.checkify, m.numpy.arange(1.0, 4.0), []
    for kind in ("all", "user", "nan", "index", "div", "float"):
        errors = getattr(module, f"{kind}_checks") | module.user_checks
        error, out = m.jit(module.checkify(partial(turns, m), errors=errors))(x, m.numpy.float32(start))
        found.append((_rounded(error.get()), float(out)))
    return found


@pytest.mark.parametrize("start", [0.0, 3.0, -4.0, 6.5])
def test_of_turns_that_fail_in_several_ways_the_first_one_is_the_error_of_jax(start):
    for (text, out), (ours, result) in zip(errors_of_turns(jax, start), errors_of_turns(adjoint, start), strict=True):
        assert ours == text
        np.testing.assert_allclose(result, out, rtol=1e-5)


def test_a_check_of_a_turn_is_a_branch_and_has_no_part_in_derivatives():
    f = lambda x: lax.scan(lambda s, v: (check(s < 9, "{}", s), (s * v, s))[1], x, jnp.full(3, 2.0))[0]
    checked = checkify.checkify(f)
    (loop,) = [e for e in adjoint.make_jaxpr(checked)(1.0).eqns if e.primitive.name == "scan"]
    names = [e.primitive.name for e in loop.params["jaxpr"].eqns]
    assert "cond" in names and "select_n" not in names
    assert adjoint.grad(lambda x: checked(x)[::-1], has_aux=True)(1.0)[0] == 8
    batch, _ = adjoint.vmap(checked)(jnp.array([1.0, 4.0, 10.0]))
    assert list(batch.get_exception().error_mapping) == [(1,), (2,)]


def test_many_positions_are_looked_at_in_compiled_programs():
    x, i = jnp.ones((50, 3)), jnp.arange(100) % 50
    checked = adjoint.jit(checkify.checkify(lambda x, i, j: x[i, j], errors=checkify.index_checks))
    assert checked(x, i, i % 3)[0].get() is None
    assert "index 3 is out of bounds for axis 1 with size 3" in checked(x, i, i % 4)[0].get()
    assert "index -1 is out of bounds for axis 0 with size 50" in checked(x, i - 51, i % 3)[0].get()


@unchecked
def test_nothing_of_a_checked_program_outlives_it():
    def f(x):
        checkify.check(jnp.all(x > 0), "no {}", x[0])
        return jnp.log(x)

    with adjoint.checking_leaks():
        for g in (checkify.checkify(adjoint.jit(f)), adjoint.jit(checkify.checkify(f))):
            assert g(jnp.ones(2))[0].get() is None and g(-jnp.ones(2))[0].get().startswith("no -1.0")


def test_checks_promote_neither_ranks_nor_dtypes():
    f = lambda x, i: jnp.cumsum(jnp.sin(x) / x)[i] * 2
    with adjoint.numpy_rank_promotion("raise"), adjoint.numpy_dtype_promotion("strict"), adjoint.enable_x64(True):
        for dtype in ("float32", "float64", "bfloat16"):
            for index in ("int8", "uint8", "int64"):
                x, i = jnp.ones(100, dtype), jnp.asarray([1, 120], index)
                checked = checkify.checkify(f, errors=checkify.all_checks)
                for call in (checked, adjoint.jit(checked)):
                    error, out = call(x, i)
                    assert "index 120 is out of bounds for axis 0 with size 100" in error.get()
                    assert out.dtype == dtype


TABLE = np.arange(12, dtype=np.float32).reshape(3, 4)
LIBRARY = {
    "apply": lambda m, x: x.at[np.array([0, 5])].apply(m.numpy.sin),
    "index in dim": lambda m, x: m.lax.dynamic_index_in_dim(x, m.numpy.array(7)),
    "update in dim": lambda m, x: m.lax.dynamic_update_index_in_dim(x, x[0], m.numpy.array(7), 0),
    "slice of slices": lambda m, x: x[1:][m.numpy.array([0, 2])],
    "positions and a slice": lambda m, x: x[m.numpy.array([0, 5]), 1:3],
    "segment_sum": lambda m, x: m.ops.segment_sum(x, m.numpy.array([0, 1, 9]), 3),
    "take": lambda m, x: m.numpy.take(x, m.numpy.array([3, 50])),
    "bincount": lambda m, x: m.numpy.bincount(m.numpy.array([0, 5]), length=3),
    "argsort": lambda m, x: x[m.numpy.argsort(x[:, 0])],
    "interp": lambda m, x: m.numpy.interp(m.numpy.array([50.0]), x[0], x[1]),
    "gradient of positions": lambda m, x: m.grad(lambda y: y[m.numpy.array([0, 5])].sum())(x),
    "mapped positions": lambda m, x: m.vmap(lambda r, k: r[k])(x, m.numpy.array([0, 1, 9])),
    "quantile": lambda m, x: m.numpy.quantile(x, 0.3),
    "log": lambda m, x: m.numpy.log(x - 5),
    "root": lambda m, x: (x - 5) ** 0.5,
    "modulo": lambda m, x: x % 0.0,
    "mean of nothing": lambda m, x: m.numpy.mean(x[:0]),
    "softmax": lambda m, x: m.nn.softmax(x * np.float32(np.inf)),
    "einsum": lambda m, x: m.numpy.einsum("ij,ij->i", x * np.float32(np.inf), x - 5),
    "solve": lambda m, x: m.numpy.linalg.solve(m.numpy.zeros((2, 2)), m.numpy.ones(2)),
    "variance": lambda m, x: m.numpy.var(x[:1], axis=0, ddof=1),
    "gammaln": lambda m, x: m.scipy.special.gammaln(-x),
    "erfinv": lambda m, x: m.scipy.special.erfinv(x),
    "complex": lambda m, x: m.numpy.sqrt(x - 5 + 0j) / 0,
    "cumsum": lambda m, x: m.numpy.cumsum(x / 0.0),
}


@pytest.mark.parametrize("name", some(LIBRARY, unchecked, "mean of nothing"))
def test_what_is_found_in_functions_of_the_library_is_what_jax_finds(name):
    found = []
    for m in (jax, adjoint):
        c = m.experimental.checkify
        f = partial(LIBRARY[name], m)
        for errors in (c.index_checks, c.float_checks):
            found.append(c.checkify(f, errors=errors)(m.numpy.asarray(TABLE))[0].get())
    assert found[:2] == found[2:]


@pytest.mark.parametrize("name", ["several", "two_checks", "positive"])
def test_an_error_is_a_tree_of_the_arrays_that_jax_has_in_the_same_order(name):
    found = []
    for m in (jax, adjoint):
        f = partial({"several": several, "two_checks": two_checks, "positive": positive}[name], m)
        c = m.experimental.checkify
        error, _ = m.jit(c.checkify(f, errors=c.all_checks | c.user_checks))(m.numpy.float32(np.inf) * -1)
        leaves, structure = m.tree.flatten(error)
        again = m.tree.unflatten(structure, leaves)
        assert again.get() == error.get() and m.tree.structure(again) == structure
        assert m.tree.structure(m.tree.map(lambda x: x, again)) == structure
        found.append([(str(x.dtype), x.shape) for x in leaves])
        found.append(error.get())
    assert found[:2] == found[2:]


def test_an_error_goes_through_functions_as_any_tree_does():
    error, _ = adjoint.jit(checkify.checkify(adjoint.vmap(partial(two_checks, adjoint))))(jnp.float32([1, -1, -3]))
    assert adjoint.jit(lambda e: e)(error).get() == error.get()
    assert lax.cond(True, lambda e: e, lambda e: e, error).get() == error.get()
    assert adjoint.tree.map(np.asarray, error).get() == error.get()
