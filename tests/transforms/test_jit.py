"""`jit`: its options, what is told of functions that are traced again, what is given away to results; beside JAX."""

from __future__ import annotations

import inspect
import logging
import re
import warnings
from functools import partial
from types import FunctionType

import numpy as np
import pytest
from tests.modes import compiling, unchecked
from tests.recorded import jax

import adjoint

ONE, ROWS = np.ones(3, np.float32), np.ones((2, 3), np.float32)

# (the function, options of jit, calls); the last call is the one that is explained.
CALLS = {
    "the first": (lambda x: x, {}, [(ONE,)]),
    "the same": (lambda x: x, {}, [(ONE,), (ONE,)]),
    "another shape": (lambda x: x, {}, [(ONE,), (ROWS,)]),
    "the nearest is told": (lambda x, y: 1, {}, [(ONE, ONE), (ROWS, ROWS), (ROWS, ONE)]),
    "a strong type": (lambda x: x, {}, [(1.0,), (np.float32(1),)]),
    "another key": (lambda x: 1, {}, [({"a": ONE},), ({"b": ONE},)]),
    "a list": (lambda x: 1, {}, [({"a": ONE},), ([ONE, ONE],)]),
    "more arguments": (lambda *args: 1, {}, [(ONE,), (ONE, ONE)]),
    "another static value": (lambda x, n: 1, {"static_argnums": 1}, [(ONE, 2), (ONE, 3)]),
    "a function of a partial": (partial(lambda x: 1), {}, [(ONE,)]),
}
# Lines of JAX that are ours too, but for their ends.
COMMON = ("TRACING CACHE MISS at", "never seen function", "all previously seen", "different input types", "* at x, now",
          "different input pytree", "* at input path [0]")


def explained(m, caplog, fun, options, calls):
    if isinstance(fun, FunctionType):  # one that no test has traced
        fun = FunctionType(fun.__code__, fun.__globals__)
    f = m.jit(fun, **options)
    *before, last = calls
    for args in before:
        f(*args)
    caplog.clear()
    with m.explain_cache_misses(True), caplog.at_level(logging.WARNING):
        f(*last)
    return "\n".join([r.getMessage() for r in caplog.records if "CACHE MISS" in r.getMessage()])


@pytest.mark.parametrize("name", CALLS)
def test_a_miss_is_explained_as_in_jax(name, caplog):
    fun, options, calls = CALLS[name]
    theirs, ours = (explained(m, caplog, fun, options, calls) for m in (jax, adjoint))
    told = {name: [line for line in COMMON if line in text] for name, text in (("jax", theirs), ("ours", ours))}
    if name == "another static value":  # which JAX has among the leaves
        assert "1: now 3 and before 2" in ours
    else:
        assert told["jax"] == told["ours"]
    assert bool(theirs) == bool(ours)
    assert "test_jit.py" in ours or not ours


def test_types_are_told_by_the_names_of_arguments(caplog):
    fun, options, calls = CALLS["another shape"]
    assert "* at x, now f32[2,3] and before f32[3]" in explained(adjoint, caplog, fun, options, calls)
    fun, options, calls = CALLS["a strong type"]
    text = explained(adjoint, caplog, fun, options, calls)
    assert "* at x, now f32[]{weak_type=False} and before f32[]{weak_type=True}" in text


def test_options_are_told_by_name(caplog):
    texts = []
    for m in (jax, adjoint):
        f = m.jit(lambda x: x + 1)
        f(ONE)
        caplog.clear()
        with m.explain_cache_misses(True), m.enable_x64(True), caplog.at_level(logging.WARNING):
            f(ONE)
        texts.append(caplog.text)
    assert all("* jax_enable_x64 differs: now True and before False" in text for text in texts)


def test_functions_of_the_library_are_not_told(caplog):
    text = explained(adjoint, caplog, lambda x: adjoint.numpy.where(x > 0, x, 1.0), {}, [(ONE,)])
    assert text.count("CACHE MISS") == 1


TRACINGS = {
    "jit": lambda m, f: m.jit(f)(ONE),
    "make_jaxpr": lambda m, f: m.make_jaxpr(f)(ONE),
    "eval_shape": lambda m, f: m.eval_shape(f, ONE),
    "lower": lambda m, f: m.jit(f).lower(ONE),
    "scan": lambda m, f: m.lax.scan(lambda c, x: (f(c), None), ONE, None, length=2),
    "cond": lambda m, f: m.lax.cond(True, f, f, ONE),
}


@pytest.mark.parametrize("name", TRACINGS)
def test_nothing_is_traced_under_no_tracing(name):
    for m in (jax, adjoint):
        with m.no_tracing(), pytest.raises(RuntimeError, match="re-tracing function .* but 'no_tracing' is set"):
            TRACINGS[name](m, lambda x: x * 2)


def test_what_is_traced_already_runs_under_no_tracing():
    for m in (jax, adjoint):
        f, x = m.jit(lambda x: x * 2), m.numpy.ones(3)
        f(x)
        with m.no_tracing():
            assert f(x).tolist() == [2.0, 2.0, 2.0]


def test_compilations_are_logged_when_asked(caplog):
    def logged(f, x):
        caplog.clear()
        f(x)
        return [re.sub(r"[\d.]+ sec", "", r.getMessage()) for r in caplog.records]

    f = adjoint.jit(lambda x: x + 1)
    with caplog.at_level(logging.WARNING):
        assert [] == logged(f, 1.0)
        with adjoint.log_compiles():
            assert [] == logged(f, 1.0)
            lines = logged(f, 1)
    assert "Finished tracing <lambda> for jit in " == lines[0]
    assert lines[1].startswith("Compiling jit(<lambda>) with global shapes and types (ShapedArray(int32[]")
    assert 3 == len(lines)


# ---- options ----


@pytest.mark.parametrize("positions", [2, -3, (0, 2), np.int32(2)])
def test_static_arguments_of_make_jaxpr_have_positions(positions):
    with pytest.raises(ValueError, match="but only accepts 2 positional arguments"):
        adjoint.make_jaxpr(lambda x, n: x * n, static_argnums=positions)(ONE, 3)


@pytest.mark.parametrize(("positions", "count"), [(1, 1), (-1, 1), (np.int32(1), 1), (None, 2), ((), 2)])
def test_make_jaxpr_leaves_static_arguments_out(positions, count):
    assert len(adjoint.make_jaxpr(lambda x, n: x * n, static_argnums=positions)(ONE, 3).jaxpr.invars) == count


def test_shardings_of_arguments_are_a_list_too():
    assert adjoint.jit(lambda x: x + 1, in_shardings=[None])(1.0) == 2


def test_a_device_is_deprecated_before_it_is_refused():
    for m in (adjoint, jax):
        with (
            pytest.warns(DeprecationWarning, match="backend and device argument on jit is deprecated"),
            pytest.raises(ValueError, match="can't specify both a device and a backend"),
        ):
            m.jit(lambda x: x, backend="cpu", device=m.devices()[0])


@compiling
def test_programs_are_written_to_a_folder(tmp_path):
    before = adjoint.config.jax_dump_ir_to
    adjoint.config.update("jax_dump_ir_to", str(tmp_path))
    try:
        f = adjoint.jit(lambda x: adjoint.numpy.cos(x) + 3)
        f(1.0), f(2.0), f(np.ones(2, "f"))
    finally:
        adjoint.config.update("jax_dump_ir_to", before)
    texts = [p.read_text() for p in sorted(tmp_path.glob("jax_ir*_jit__lambda_compile.mlir"))]
    assert len(texts) == 2 and all("stablehlo.cosine" in text for text in texts)


def test_options_that_the_compiler_does_not_have():
    for root in (adjoint, jax):
        with pytest.raises(RuntimeError, match="No such compile option"):
            root.jit(lambda x: x + 1, compiler_options={"no_such": 1.0})(1.0)


@pytest.mark.parametrize("keep", [True, False])
def test_arguments_that_are_not_read_are_kept_on_request(keep):
    """The compiled program has them; a call gives the same, however."""
    read = {}
    for m in (jax, adjoint):
        f = m.jit(lambda x, y: y + 1, keep_unused=keep)
        read[m] = len(f.lower(ONE, ROWS).as_text().split("func.func public @main(")[1].split("->")[0].split("%arg")) - 1
        assert f(ONE, ROWS).tolist() == (ROWS + 1).tolist()
    assert read[adjoint] == read[jax] == (2 if keep else 1)


# ---- memory ----


def donated(m, f, make):
    x = make(m)
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        m.jit(f, donate_argnums=0)(x)
    return x.is_deleted()


DONATIONS = {
    "same": lambda x: x * 2,
    "reshaped": lambda x: x.reshape(2, 4) * 2,
    "another dtype": lambda x: (x * 2).astype("int32"),
    "half": lambda x: x[:4] * 2,
    "sum": lambda x: x.sum(),
    "nothing": lambda x: 1.0,
}


@unchecked
@pytest.mark.parametrize("name", DONATIONS)
def test_what_takes_as_many_bytes_is_given_away(name):
    theirs, ours = (donated(m, DONATIONS[name], lambda m: m.numpy.arange(8.0)) for m in (jax, adjoint))
    assert theirs == ours


@unchecked
def test_donated_arrays_give_to_results_of_their_type_first():
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        for m in (jax, adjoint):
            i, x = m.numpy.arange(4), m.numpy.arange(4.0)
            m.jit(lambda i, x: x * 2, donate_argnums=(0, 1))(i, x)
            assert (i.is_deleted(), x.is_deleted()) == (False, True)


# ---- pickles ----


def test_the_state_of_a_jitted_function_has_its_name():
    def named(x, n):
        return x

    for m in (jax, adjoint):
        state = m.jit(named, static_argnums=1).__getstate__()
        assert (state["function_name"], state["static_argnums"], state["version"]) == ("named", [1], 1)


def test_jitted_functions_of_the_library_are_shown_as_such():
    for m in (jax, adjoint):
        for function in (m.nn.silu, m.nn.softplus, m.jit(lambda x: x)):
            assert re.match(r"<PjitFunction of <function [^ ]+ at 0x", repr(function))


def test_jitted_functions_have_the_signature_and_the_type_that_programs_look_for():
    def f(x, y=2):
        return x * y

    for m in (jax, adjoint):
        for function in (m.jit(f), m.jit(m.vmap(f)), m.jit(m.jit(f))):
            assert str(inspect.signature(function)) == "(x, y=2)"
            assert "PjitFunction" in str(type(function)) and "PjitFunction" in str(type(m.nn.silu))
        assert str(inspect.signature(m.jit(f), follow_wrapped=False)) == "(x, y=2)"
        for wrap in (m.custom_jvp, m.custom_vjp, m.pmap):
            assert inspect.signature(wrap(f)) == inspect.signature(f)
            inspect.signature(wrap(f), follow_wrapped=False)
