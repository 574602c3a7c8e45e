"""`jax_debug_nans` and `jax_debug_infs`: real JAX's error where it raises one, and where it happened."""

from __future__ import annotations

import threading
import traceback
from functools import partial

import numpy as np
import pytest
from tests.lax.parity import arguments
from tests.modes import compiling, standard
from tests.numpy.expressions import program, rows
from tests.recorded import jax

import adjoint

ZERO, MINUS = np.zeros((), np.float32), -np.ones((), np.float32)


def logged(m, x):
    y = m.numpy.log(x)
    return y * 2


def quotient(m, x):
    return m.numpy.where(x > 0, x / x, 0.0)


def rooted(m, x):
    return m.lax.scan(lambda c, _: (m.numpy.sqrt(c) * c, None), x, None, length=2)[0]


def custom(m):
    f = m.custom_vjp(lambda x: x)
    f.defvjp(lambda x: (x, x), lambda r, g: (g * m.numpy.log(r),))
    return f


def hidden(m, x):
    return m.numpy.where(m.numpy.isnan(m.numpy.log(x)), 0.0, 1.0)


# (program, argument); the primitive is named in both messages, or neither raises.
PROGRAMS = {
    "eager": (logged, MINUS),
    "jit": (lambda m, x: m.jit(partial(logged, m))(x), MINUS),
    "jit in jit": (lambda m, x: m.jit(lambda x: m.jit(partial(logged, m))(x) + 1)(x), MINUS),
    "vmap": (lambda m, x: m.vmap(partial(logged, m))(x), np.array([1, -1], np.float32)),
    "grad": (lambda m, x: m.grad(partial(quotient, m))(x), ZERO),
    "jit of grad": (lambda m, x: m.jit(m.grad(partial(quotient, m)))(x), ZERO),
    "backward pass": (lambda m, x: m.grad(custom(m))(x), MINUS),
    "jit of backward pass": (lambda m, x: m.jit(m.grad(custom(m)))(x), MINUS),
    "checkpoint": (lambda m, x: m.jit(m.checkpoint(partial(logged, m)))(x), MINUS),
    "product": (lambda m, x: x * np.inf, ZERO),
    "callback": (
        lambda m, x: m.pure_callback(lambda x: np.float32(np.nan), jax.ShapeDtypeStruct((), np.float32), x), ZERO
    ),
    "complex": (lambda m, x: m.numpy.log(m.lax.complex(x, x)) * 0, ZERO),
    "bfloat16": (lambda m, x: m.numpy.log(x.astype("bfloat16")), MINUS),
    "nan that goes away": (lambda m, x: m.jit(partial(hidden, m))(x), MINUS),
    "infinity": (lambda m, x: m.numpy.log(x), ZERO),
    "median": (lambda m, x: m.numpy.median(x), np.array([3, 1, 2, 4], np.float32)),
    "tail": (lambda m, x: m.grad(lambda x: m.scipy.stats.truncnorm.cdf(x, -0.5, 2.0))(x), ZERO),
    "integers": (lambda m, x: m.numpy.arange(3) // 1, ZERO),
}


def outcome(m, name, **options):
    program, x = PROGRAMS[name]
    f = lambda: jax.block_until_ready(program(m, *arguments(m, [x])))
    for option, value in options.items():
        f = getattr(m, option)(value)(f)
    try:
        f()
    except FloatingPointError as error:
        return str(error).split("\n")[0]
    return "fine"


@pytest.mark.parametrize("name", PROGRAMS)
def test_nans_raise_as_in_jax(name):
    assert outcome(jax, name, debug_nans=True) == outcome(adjoint, name, debug_nans=True)
    assert "fine" == outcome(adjoint, name, debug_nans=False)


@pytest.mark.parametrize("name", ["eager", "infinity", "jit", "integers"])
def test_infinities_raise_as_in_jax(name):
    assert outcome(jax, name, debug_infs=True) == outcome(adjoint, name, debug_infs=True)
    assert "fine" == outcome(adjoint, name, debug_nans=False, debug_infs=False)


@pytest.mark.parametrize("name", ["jit", "jit of grad", "checkpoint", "nan that goes away", "median"])
def test_without_jit_every_operation_is_looked_at(name):
    options = dict(debug_nans=True, disable_jit=True)
    assert outcome(jax, name, **options) == outcome(adjoint, name, **options)


WITHIN = """
n.nanstd(np.array([1., np.nan, 3.]))
n.nanmedian(np.array([1., np.nan, 3.]))
n.isinf(np.array([1., np.nan, 3.]))
n.isclose(np.array([np.inf, 1.]), np.array([np.inf, 1.]))
n.allclose(np.array([np.nan, 1.]), np.array([np.nan, 1.]), equal_nan=True)
n.where(n.ones(3) > 0, n.ones(3), np.nan)
n.median(n.array([3., 1., 2.]))
n.nanpercentile(np.array([1., np.nan]), 50)
n.logaddexp(-n.inf, -n.inf)
n.logaddexp2(n.array(-n.inf), n.array(n.inf))
n.floor_divide(n.array(1.), n.array(0.))
n.choose(n.array([1, 0]), [n.array([1, 2]), n.array([10, 20])])
m.scipy.linalg.expm(n.eye(2))
m.scipy.stats.gaussian_kde(n.arange(4.)).evaluate(n.arange(2.))
m.scipy.stats.mode(np.array([1., np.nan]))
m.scipy.stats.poisson.entropy(n.array([0., 2., 200.]))
"""


@pytest.mark.parametrize("row", rows(WITHIN))
def test_nan_on_the_way_of_a_library_function_is_no_error(row):
    theirs, ours = [], []
    for m, values in ((jax, theirs), (adjoint, ours)):
        with m.debug_nans(True):
            values.append(np.asarray(program(row)(m)))
    np.testing.assert_allclose(ours[0], theirs[0], rtol=2e-6)


@pytest.mark.parametrize("row", [row for row in rows(WITHIN) if ".expm(" in row or "gaussian_kde" in row])
def test_nan_that_a_library_function_does_not_choose_is_no_error_without_jit(row):
    with adjoint.disable_jit():
        test_nan_on_the_way_of_a_library_function_is_no_error(row)


def test_references_of_a_jitted_function_are_written_while_nan_is_looked_for():
    with adjoint.debug_nans(True):
        total = adjoint.new_ref(adjoint.numpy.zeros(2))

        @adjoint.jit
        def count(total, x):
            total[...] += x

        count(total, adjoint.numpy.ones(2))
        np.testing.assert_array_equal(total[...], [1, 1])
        with pytest.raises(FloatingPointError):
            count(total, np.array([np.nan, 0], np.float32))


def failure(f, *args):
    with adjoint.debug_nans(True), pytest.raises(FloatingPointError) as info:
        f(*args)
    return info.value


def test_the_message_names_the_line_the_operand_and_the_direction():
    text = str(failure(adjoint.jit(partial(logged, adjoint)), -1.0))
    assert "encountered in log\n" in text
    assert "test_checks.py" in text
    assert "in logged:   y = m.numpy.log(x)" in text
    assert "Operand 0: f32[] -1.0" in text
    assert "backward" not in text
    assert "Try: " in text


@compiling
@pytest.mark.parametrize("wrap", [lambda f: f, adjoint.jit], ids=["eager", "jit"])
def test_the_backward_pass_of_a_loop_is_named_with_its_turn(wrap):
    """sqrt has an infinite derivative at 0, which the next turn multiplies by 0."""
    error = failure(wrap(adjoint.grad(partial(rooted, adjoint))), 0.0)
    assert "encountered in mul\n" in str(error)
    assert "m.numpy.sqrt(c) * c" in str(error)
    assert "This is the backward pass of that line." in str(error)
    assert "This was in iteration 1 of the loop, counting from 0." == error.__notes__[0]


def test_a_jitted_function_is_run_again_so_that_the_traceback_ends_at_the_users_line():
    counts = []
    for m in (jax, adjoint):
        runs = []

        def quotient_of(x):
            runs.append(1)
            return m.numpy.log(x)

        with m.debug_nans(True), pytest.raises(FloatingPointError) as info:
            m.jit(quotient_of)(m.numpy.float32(-1.0))
        assert "quotient_of" in [f.name for f in traceback.extract_tb(info.value.__traceback__)]
        counts.append(len(runs))
    assert counts == [2, 2]


def test_what_the_users_code_raises_when_it_is_run_again_is_raised():
    for m in (jax, adjoint):
        with m.debug_nans(True), pytest.raises(ZeroDivisionError):
            m.jit(lambda x: 0.0 / x)(0.0)


NOT_COMPUTED = {
    "an input": lambda m, nan, one: m.jit(lambda x: x)(nan),
    "an input among others": lambda m, nan, one: m.jit(lambda x, y: (x, y * 2))(nan, one),
    "a literal": lambda m, nan, one: m.jit(lambda: np.nan)(),
    "a literal beside a result": lambda m, nan, one: m.jit(lambda x: (x * 2, np.nan))(one),
}


@pytest.mark.parametrize("name", NOT_COMPUTED)
def test_a_nan_that_no_operation_made_is_told_as_in_jax(name):
    lines = []
    for m in (jax, adjoint):
        nan, one = m.numpy.array(np.nan), m.numpy.array(1.0)
        with m.debug_nans(True), pytest.raises(FloatingPointError) as info:
            NOT_COMPUTED[name](m, nan, one)
        lines.append(str(info.value).split("\n")[0].strip())
    assert lines[0] == lines[1]
    assert ("Argument x has nan already." in str(info.value)) == ("input" in name)


def test_compiled_programs_are_looked_at_too():
    for m in (jax, adjoint):
        f = m.jit(lambda x: m.numpy.log(x)).lower(-1.0).compile()
        with m.debug_nans(True), pytest.raises(Exception, match="nan"):
            f(-1.0)


def test_the_operation_inside_a_branch_is_named():
    f = adjoint.jit(lambda x: adjoint.lax.cond(x < 0, partial(logged, adjoint), lambda x: x, x))
    assert "encountered in log\n" in str(failure(f, -1.0))


@compiling
@pytest.mark.parametrize("loop", ["scan", "while"])
def test_the_turn_of_a_loop_is_named(loop):
    m = adjoint
    programs = {
        "scan": lambda x: m.lax.scan(lambda c, _: (m.numpy.log(c), None), x, None, length=20)[0],
        "while": lambda x: m.lax.fori_loop(0, m.numpy.int32(20), lambda i, c: m.numpy.log(c), x),
    }
    error = failure(m.jit(programs[loop]), 1.0)
    assert "encountered in log" in str(error)
    assert "iteration 2 of the loop" in error.__notes__[0]


@standard
def test_the_option_concerns_the_thread_and_ends_with_the_block():
    """Also when it is switched on below transformations that are running."""

    def inside(x):
        with adjoint.debug_nans(True):
            return adjoint.numpy.log(x)

    for f in (adjoint.vmap(inside), lambda x: adjoint.vmap(adjoint.grad(inside))(x)):
        with pytest.raises(FloatingPointError):
            f(np.array([1, -1], np.float32))
    assert np.isnan(adjoint.numpy.log(-1.0))
    assert np.isnan(adjoint.vmap(adjoint.numpy.log)(-np.ones(1))[0])
    found = []
    with adjoint.debug_nans(True):
        thread = threading.Thread(target=lambda: found.append(float(adjoint.numpy.log(-1.0))))
        thread.start()
        thread.join()
    assert np.isnan(found[0])


def test_the_option_of_the_process_concerns_new_threads():
    found = []
    adjoint.config.update("jax_debug_nans", True)
    try:
        thread = threading.Thread(target=lambda: found.append(outcome(adjoint, "eager")))
        thread.start()
        thread.join()
        found.append(outcome(adjoint, "eager"))
    finally:
        adjoint.config.update("jax_debug_nans", False)
    assert ["invalid value (nan) encountered in log"] * 2 == found
    assert "fine" == outcome(adjoint, "eager")


def test_the_option_of_the_process_concerns_threads_that_run_already():
    found, ready, go = [], threading.Event(), threading.Event()

    def work():
        adjoint.numpy.sin(1.0)
        ready.set()
        go.wait()
        found.append(outcome(adjoint, "eager"))

    thread = threading.Thread(target=work)
    thread.start()
    ready.wait()
    adjoint.config.update("jax_debug_nans", True)
    try:
        go.set()
        thread.join()
    finally:
        adjoint.config.update("jax_debug_nans", False)
    assert ["invalid value (nan) encountered in log"] == found


@pytest.mark.parametrize("program", [
    lambda m, x: m.lax.stop_gradient(x), lambda m, x: m.vmap(m.lax.stop_gradient)(x),
    lambda m, x: m.jvp(m.lax.stop_gradient, (x,), (x,)), lambda m, x: m.checkpoint(lambda x: x)(x),
], ids=["called", "vmap", "jvp", "checkpoint"])
def test_what_stop_gradient_and_checkpoint_are_given_goes_through(program):
    found = []
    for m in (jax, adjoint):
        x = m.numpy.array([1.0, np.nan])
        with m.debug_nans(True):
            try:
                found.append(str(program(m, x)))
            except FloatingPointError as error:
                found.append(str(error).split("\n")[0])
    assert found[0] == found[1]


@pytest.mark.parametrize("lower", [False, True])
def test_arguments_are_kept_by_what_is_compiled_while_nan_are_looked_for(lower):
    for m in (jax, adjoint):
        x, f = m.numpy.ones(3), m.jit(lambda x: x * 2, donate_argnums=0)
        with m.debug_nans(True):
            f = f.lower(x).compile() if lower else f
            f(x)
        assert not x.is_deleted()


def test_options_of_compilation_are_read_while_nan_are_looked_for():
    for m in (jax, adjoint):
        with m.debug_nans(True), pytest.raises(m.errors.JaxRuntimeError, match="No such compile option: 'no_such'"):
            m.jit(lambda x: x, compiler_options={"no_such": 1.0})(1.0)
