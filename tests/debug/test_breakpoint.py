"""`debug.breakpoint`: the prompt shows what real JAX's prompt shows, for the same commands."""

from __future__ import annotations

import contextlib
import io
import sys

import pytest

import adjoint

jax = pytest.importorskip("jax")   # its prompt shows the frames that called


def stopped(m, x):
    y = m.numpy.sin(x)
    name = "abc"
    m.debug.breakpoint(num_frames=1)
    return y, name


def other(m, x):
    stopped(m, x)
    return x


COMMANDS = "p x\ny\npp name\np zz\np 1 +\np y + 1\nbt\nl\nu\nd\nlist\nhelp\nhelp p\nhelp bt\n\nc\n"
PROGRAMS = {
    "direct": lambda m: stopped(m, m.numpy.float32(2.0)),
    "jit": lambda m: m.jit(lambda x: stopped(m, x)[0])(2.0),
    "grad": lambda m: m.grad(lambda x: stopped(m, x)[0])(2.0),
    "called": lambda m: m.jit(lambda x: other(m, x))(2.0),
}


def session(monkeypatch, f, commands):
    text = io.StringIO()
    monkeypatch.setattr(sys, "stdin", io.StringIO(commands))
    with contextlib.redirect_stdout(text):
        f()
    return text.getvalue()


@pytest.mark.parametrize("name", PROGRAMS)
def test_commands_answer_as_in_jax(monkeypatch, name):
    def run(m):
        def f():
            jax.block_until_ready(PROGRAMS[name](m))
            jax.effects_barrier()

        return session(monkeypatch, f, COMMANDS)

    # Python 3.13 takes the indentation out of docstrings, which `help` prints.
    theirs, ours = [[line.strip() for line in run(m).split("\n")] for m in (jax, adjoint)]
    assert [line for line in theirs if line] == [line for line in ours if line]


def test_each_element_of_a_batch_stops_with_its_own_values(monkeypatch):
    def f():
        adjoint.vmap(lambda x: stopped(adjoint, x)[0])(adjoint.numpy.arange(2.0))

    stop = "Entering jdb:\n(jdb) Array({}., dtype=float32)\n(jdb) "
    assert stop.format(0) + stop.format(1) == session(monkeypatch, f, "p x\nc\np x\nc\n")


def test_frames_outside_can_be_looked_at(monkeypatch):
    """From the innermost outwards; quitting ends the program."""

    def outer(x):
        own = "outer"
        adjoint.debug.breakpoint()
        return own, x

    def f():
        mine = "caller"
        with pytest.raises(SystemExit):
            outer(mine)

    text = session(monkeypatch, f, "p own\nu\np mine\np own\nq\n")
    assert "(jdb) 'outer'\n" in text
    assert "(jdb) 'caller'\n(jdb) *** NameError: name 'own' is not defined\n" in text


@pytest.mark.parametrize("m", [jax, adjoint], ids=["jax", "adjoint"])
def test_a_token_is_returned_and_orders_the_stop(monkeypatch, m):
    token = {"a": m.numpy.ones(2)}
    seen = []
    text = session(monkeypatch, lambda: seen.append(m.jit(lambda t: m.debug.breakpoint(token=t))(token)), "c\n")
    assert "Entering jdb" in text
    assert [1.0, 1.0] == seen[0]["a"].tolist()


@pytest.mark.parametrize("name", ["direct", "jit"])
def test_files_take_the_place_of_the_terminal(name):
    def session(m):
        text = io.StringIO()

        def f(x):
            y = x + 1
            m.debug.breakpoint(backend="cli", stdin=io.StringIO("p x\nl\npp y\nc\n"), stdout=text, completekey="tab")
            return y

        (m.jit(f) if name == "jit" else f)(m.numpy.float32(2.0))
        m.effects_barrier()
        return text.getvalue()

    assert session(adjoint) == session(jax) != ""


def test_a_debugger_is_registered_and_gets_the_frames():
    from adjoint.debug.prompt import register_debugger

    seen = []
    register_debugger("recorder", lambda frames, thread_id, **options: seen.append((frames, options)), -2)

    @adjoint.jit
    def f(x):
        doubled = x + x
        adjoint.debug.breakpoint(backend="recorder", num_frames=1, label="here")
        return doubled

    f(3.0)
    adjoint.effects_barrier()
    (((frame,), options),) = seen
    assert options == {"label": "here"}
    assert float(frame.locals["doubled"]) == 6 and frame.globals["adjoint"] is adjoint
    assert frame.filename == __file__
    assert frame.code_context == [frame.source[frame.offset] + "\n"]
    assert "recorder" in frame.code_context[0]
    with pytest.raises(ValueError, match="already registered"):
        register_debugger("recorder", print, 0)


def test_unknown_backends_and_options_are_refused():
    with pytest.raises(ValueError, match="unknown backend, 'web'.*\n.*\n?.*cli"):
        adjoint.debug.breakpoint(backend="web")
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        adjoint.debug.breakpoint(colour=True)
