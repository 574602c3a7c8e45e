"""`pure_callback`, `io_callback` and `debug.callback` beside real JAX."""

from __future__ import annotations

import re
from functools import partial

import numpy as np
import pytest
from tests.debug.programs import V, called
from tests.lax.parity import arguments, assert_same
from tests.recorded import jax

import adjoint

ONE = np.ones((), np.float32)
SCALAR = jax.ShapeDtypeStruct((), np.float32)
METHODS = ("sequential", "sequential_unrolled", "expand_dims", "broadcast_all", "legacy_vectorized")


def added(x, *y):
    print("called with", *[np.shape(v) for v in (x, *y)])
    return np.asarray(x) + sum(map(np.asarray, y))


def pure(m, *args, result=SCALAR, callback=added, **options):
    return m.pure_callback(callback, result, *args, **options)


def io(m, *args, result=SCALAR, callback=added, **options):
    return m.experimental.io_callback(callback, result, *args, **options)


def vmapped(method):
    return lambda m, x: m.vmap(lambda x: pure(m, x, np.float32(10), vmap_method=method))(x), V


def twice_vmapped(method):
    inner = lambda m: m.vmap(lambda x, y: pure(m, x, y, vmap_method=method), (0, None))
    return lambda m, x, y: m.vmap(inner(m), (None, 0))(x, y), V, V[:2]


def on_rows(method):
    """Batch axis 1 of one operand, another that is not mapped, and two results."""
    results = (SCALAR, jax.ShapeDtypeStruct((2,), np.float32))

    def callback(x, y):
        batch = np.shape(x)[:-1]
        return np.zeros(batch, np.float32), np.ones((*batch, 2), np.float32)

    def program(m, x, y):
        call = lambda x, y: pure(m, x, y, result=results, callback=callback, vmap_method=method)
        return m.vmap(call, (1, None))(x, y)

    return program, np.ones((4, 3), np.float32), np.ones((2, 2), np.float32)


def recorded(m, x):
    m.debug.callback(lambda x, y, name: print(name, np.asarray(x), np.asarray(y)), x + 1, y=x, name="n")
    return x


PROGRAMS = {
    "pure": (pure, ONE),
    "pure in jit": (lambda m, x: m.jit(partial(pure, m))(x), ONE),
    "pure of a tree": (
        lambda m, x: pure(
            m, {"a": x}, x, callback=lambda d, x: [np.asarray(d["a"]), x], result=[SCALAR, SCALAR]
        ), ONE
    ),
    "pure with keywords": (
        lambda m, x: m.pure_callback(lambda x, *, y: np.asarray(x) - y, SCALAR, x, y=3.0), ONE
    ),
    "pure in scan": (lambda m, x: m.lax.scan(lambda c, x: (pure(m, c, x), c), np.float32(0), x), V),
    "pure whose result nobody needs": (lambda m, x: m.jit(lambda x: (pure(m, x), x)[1])(x), ONE),
    "pure whose result nobody needs, in jit": (
        lambda m, x: m.jit(lambda x: m.jit(lambda x: (x, pure(m, x), io(m, x)))(x)[::2])(x), ONE
    ),
    "pure that returns a float64": (lambda m, x: pure(m, x, callback=lambda x: 2.5), ONE),
    "pure of an array type": (lambda m, x: pure(m, x, result=np.zeros(3, np.float32)), V),
    "partial": (lambda m, x: pure(m, x, callback=partial(max, 2.0)), ONE),
    **{f"vmap {k}": vmapped(k) for k in METHODS},
    **{f"vmap twice {k}": twice_vmapped(k) for k in METHODS[:4]},
    **{f"rows {k}": on_rows(k) for k in METHODS},
    "io": (io, ONE),
    "ordered io": (partial(io, ordered=True), ONE),
    "io without result": (lambda m, x: (io(m, x, result=None, callback=lambda x: None), x)[1], ONE),
    "io in scan, in order": (
        lambda m, x: m.lax.scan(lambda c, x: (io(m, c, x, ordered=True), c), np.float32(0), x), V
    ),
    "io in the condition of a loop": (
        lambda m, x: m.lax.while_loop(
            lambda c: io(m, c, result=jax.ShapeDtypeStruct((), bool), callback=lambda c: np.asarray(c) < 3),
            lambda c: c + 1, x
        ), ONE
    ),
    "vmap of io": (lambda m, x, y: m.vmap(partial(io, m), (0, None))(x, y), V, ONE),
    "vmap of jit of io": (lambda m, x: m.vmap(m.jit(partial(io, m)))(x), V),
    "checkpoint of io": (lambda m, x: m.checkpoint(partial(io, m))(x), ONE),
    "grad beside io": (lambda m, x: m.grad(lambda x: io(m, 2.0, callback=np.float32) * x)(x), ONE),
    "debug": (recorded, ONE),
    "debug in vmap": (lambda m, x: m.vmap(partial(recorded, m))(x), V),
    "debug of ordered": (
        lambda m, x: (m.debug.callback(lambda x: print(np.asarray(x)), x, ordered=True), x)[1], ONE
    ),
    "debug without function": (
        lambda m, x: (m.debug.callback(ordered=True)(lambda x: print(np.asarray(x)), x), x)[1], ONE
    ),
}
ERRORS = {
    "pure in grad": (lambda m, x: m.grad(partial(pure, m))(x), ONE),
    "pure in jvp": (lambda m, x: m.jvp(partial(pure, m), (x,), (x,)), ONE),
    "vmap without method": (lambda m, x: m.vmap(partial(pure, m))(x), V),
    "unknown method": (lambda m, x: pure(m, x, vmap_method="foo"), ONE),
    "wide result": (lambda m, x: pure(m, x, result=jax.ShapeDtypeStruct((), np.float64)), ONE),
    "wide result of io": (lambda m, x: io(m, x, result=jax.ShapeDtypeStruct((), np.int64)), ONE),
    "not an array": (lambda m, x: pure(m, x, "a"), ONE),
    "io in grad": (lambda m, x: m.grad(partial(io, m))(x), ONE),
    "vmap of ordered io": (lambda m, x: m.vmap(partial(io, m, ordered=True))(x), V),
    "vmap of cond": (lambda m, x: m.vmap(lambda x: m.lax.cond(x < 1, partial(io, m), lambda x: x, x))(x), V),
    "vmap of while": (
        lambda m, x: m.vmap(lambda x: m.lax.while_loop(lambda x: x < 1, partial(io, m), x))(x), V
    ),
    "vmap of while, ordered": (
        lambda m, x: m.vmap(lambda x: m.lax.while_loop(lambda x: x < 1, partial(io, m, ordered=True), x))(x), V
    ),
    "grad of checkpoint": (lambda m, x: m.grad(m.checkpoint(lambda x: io(m, 1.0) * x))(x), ONE),
    "format without its argument": (lambda m, x: m.debug.print("{}"), ONE),
    "format without its keyword": (lambda m, x: m.debug.print("{x}"), ONE),
    "unused argument": (lambda m, x: m.debug.print("{}", 1, 2), ONE),
    "unused keyword": (lambda m, x: m.debug.print("{x}", x=x, y=x), ONE),
    "unused by plain text": (lambda m, x: m.debug.print("hello", 1), ONE),
    "format is no text": (lambda m, x: m.debug.print(3), ONE),
}
# Raised while the program runs: the class, and the last line of what the oracle says.
FAILURES = {
    "pure raises": lambda m, x: pure(m, x, callback=refuse),
    "io raises": lambda m, x: io(m, x, callback=refuse),
    "debug raises in jit": lambda m, x: m.jit(lambda x: m.debug.callback(refuse, x))(x),
    "raises in scan": lambda m, x: m.lax.scan(lambda c, _: (io(m, c, callback=refuse), None), x, None, 2),
    "wrong shape": lambda m, x: pure(m, x, callback=lambda x: np.zeros(3, np.float32)),
    "wrong dtype": lambda m, x: pure(m, x, callback=lambda x: np.int32(1)),
    "wrong number": lambda m, x: pure(m, x, callback=lambda x: (x, x)),
    "nothing": lambda m, x: pure(m, x, callback=lambda x: None),
    "something": lambda m, x: io(m, x, result=None, callback=lambda x: x),
}


def refuse(x):
    raise KeyError("my message")


@pytest.mark.parametrize("name", PROGRAMS)
def test_callbacks_are_traced_as_in_jax(name):
    program, *args = PROGRAMS[name]
    texts = [str(m.make_jaxpr(partial(program, m))(*arguments(m, args))) for m in (jax, adjoint)]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("name", PROGRAMS)
def test_callbacks_are_called_as_in_jax(name):
    """Results, and how often and with what the function is called, directly and compiled."""
    program, *args = PROGRAMS[name]
    outs = []
    run = lambda m, f: called(lambda: outs.append(f(*arguments(m, args))) or outs[-1:])
    theirs = run(jax, jax.jit(partial(program, jax)))
    for f in (partial(program, adjoint), adjoint.jit(partial(program, adjoint))):
        ours = run(adjoint, f)
        assert sorted(theirs.splitlines()) == sorted(ours.splitlines())
        assert_same(outs[0], outs.pop(), 1e-6)


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_those_of_jax(name):
    """Class and first line, found while tracing."""
    program, *args = ERRORS[name]
    found = []
    for m in (jax, adjoint):
        with pytest.raises(Exception) as info:
            m.make_jaxpr(partial(program, m))(*arguments(m, args))
        found.append((type(info.value), re.sub(r"\[.*", "", str(info.value).split("\n")[0]).strip()))
    assert found[0] == found[1]


@pytest.mark.parametrize("name", FAILURES)
def test_failures_surface_as_in_jax(name):
    """The class by name, and what the user or the check said; ours has the user's error as its cause."""
    theirs, ours = [], []
    for m, found in ((jax, theirs), (adjoint, ours)):
        with pytest.raises(m.errors.JaxRuntimeError) as info:
            jax.block_until_ready(FAILURES[name](m, *arguments(m, [ONE])))
            jax.effects_barrier()
        said = re.findall(r"(?:KeyError|RuntimeError): [^\n]*", str(info.value))
        found += [type(info.value).__name__, str(info.value)[:45], said[-1]]
    assert theirs == ours
    assert info.value.__cause__ is not None


def test_a_debug_callback_outside_of_programs_raises_the_users_error():
    for m in (jax, adjoint):
        with pytest.raises(KeyError, match="my message"):
            m.debug.callback(refuse, 1.0)
            m.effects_barrier()


def test_effects_are_listed():
    """Of the jaxpr, of the equation and of the calls around it."""

    def effects(m, f):
        closed = m.make_jaxpr(partial(f, m))(1.0)
        (eqn,) = [e for e in closed.eqns if e.effects] or [closed.eqns[0]]
        return [sorted(map(str, e)) for e in (closed.effects, closed.jaxpr.effects, eqn.effects)]

    printed = lambda ordered: lambda m, x: m.debug.print("{}", x, ordered=ordered)
    for f in (
        printed(False), printed(True), pure, io, partial(io, ordered=True),
        lambda m, x: m.jit(partial(io, m))(x),
        lambda m, x: m.lax.cond(x < 1, partial(printed(True), m), partial(printed(False), m), x),
        lambda m, x: m.lax.scan(lambda c, _: (io(m, c), None), x, None, 2)[0],
    ):
        assert [[w.removesuffix(" object") for w in e] for e in effects(adjoint, f)] == [
            [re.sub(r".*\.(\w+)Effect object.*", r"\1", w) for w in e] for e in effects(jax, f)
        ]


def test_the_function_gets_arrays_and_may_use_the_library():
    """Not tracers, not buffers; and NumPy warns there as it does elsewhere."""
    seen = []

    def callback(x):
        seen.append(type(x) is type(adjoint.numpy.ones(1)))
        assert np.geterr()["divide"] == "warn"
        return adjoint.jit(adjoint.grad(adjoint.numpy.sin))(x)

    f = adjoint.jit(lambda x: adjoint.pure_callback(callback, SCALAR, x))
    assert float(adjoint.numpy.cos(1.0)) == float(f(1.0))
    assert [True] == seen
