"""Loops over lanes: they work on vectors, on all threads, and end when a signal handler raises."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from tests.modes import compiling

import adjoint
from adjoint import lax
from adjoint import numpy as jnp
from adjoint.engines.native.program.table import Executable
from adjoint.engines.native.runtime.machine import VECTOR_BYTES

pytestmark = [compiling, pytest.mark.usefixtures("native")]
N = np.arange(640) % 50


@adjoint.jit
@adjoint.vmap
def counted(n):
    """`n` turns, or for more than 100 no end."""
    turn = lambda s: (jnp.where(n > 100, 0, s[0] + 1), s[1] + 1)
    return lax.while_loop(lambda s: s[0] < n, turn, (0, 0))[1]


def code(f, *args) -> str:
    """Return the code of the one loop of a program."""
    native = Executable(adjoint.make_jaxpr(f)(*args)).native.values()
    (loop,) = [made for _, made in native if hasattr(made, "workspace")]
    return loop.kernel


def test_lanes_are_vectors_and_threads_share_them():
    text = code(adjoint.vmap(lambda n: lax.while_loop(lambda s: s < n, lambda s: s * 1.5, 1.0)), jnp.zeros(100))
    assert f"<{2 * VECTOR_BYTES // 4} x float>" in text and "adjoint_parallel_until" in text


def test_few_lanes_are_for_one_thread():
    text = code(adjoint.vmap(lambda n: lax.while_loop(lambda s: s < n, lambda s: s * 1.5, 1.0)), jnp.zeros(4))
    assert "<4 x float>" in text and "adjoint_parallel_until" not in text


def test_a_slow_branch_is_in_the_code_of_lanes():
    slow = lambda v: lax.fori_loop(0, 200, lambda i, v: jnp.cos(v), v)
    text = code(adjoint.vmap(lambda x: lax.cond(x > 2, slow, lambda v: v * 2, x)), jnp.zeros(100))
    assert f"<{2 * VECTOR_BYTES // 4} x float>" in text and "branch" in text


def branch(x):
    turn = lambda i, v: jnp.cos(v) + 0.01 * v
    return lax.cond(x > 0.5, lambda v: lax.fori_loop(0, 9, turn, v), lambda v: v * 2, x)


def test_a_branch_without_an_end_is_for_those_who_take_it():
    endless = lambda x: lax.while_loop(lambda s: s != 0.5, lambda s: s, x)
    f = adjoint.vmap(lambda x: lax.cond(x == 0.5, endless, lambda v: v * 2, x))
    x = np.array([0.5, 2, 3, 0.5, 1], np.float32)
    for g in (adjoint.jit(f), f):
        assert g(x).tolist() == [0.5, 4, 6, 0.5, 2]


@pytest.mark.parametrize("n", [1, 7, 40])
def test_branches_and_their_derivatives_are_what_they_are_alone(n):
    x = np.random.default_rng(n).normal(size=n).astype("f")
    for g in (branch, adjoint.grad(branch), adjoint.hessian(branch)):
        alone = adjoint.jit(g)
        assert adjoint.jit(adjoint.vmap(g))(x).tolist() == [alone(v).item() for v in x]


def test_turns_are_undone_by_lanes_around_and_within_vmap():
    def solve(a, w):
        turn = lambda s: (s[0] + jnp.sin(s[0]) ** 2 * w + 0.05 * a, s[1] + 1)
        return lax.while_loop(lambda s: (s[0] < a) & (s[1] < 30), turn, (a * 0.1, 0), checkpoints=5)[0]

    a, w = jnp.linspace(1.0, 3.0, 21), 0.2
    around = adjoint.grad(lambda a: adjoint.vmap(solve, (0, None))(a, w).sum())
    within = adjoint.vmap(adjoint.grad(solve), (0, None))
    assert adjoint.jit(around)(a).tolist() == adjoint.jit(within)(a, w).tolist()
    assert "while" not in adjoint.jit(around).lower(a).as_text("native")
    shared = adjoint.grad(lambda w: adjoint.vmap(solve, (0, None))(a, w).sum())
    each = adjoint.vmap(adjoint.grad(solve, 1), (0, None))
    np.testing.assert_allclose(adjoint.jit(shared)(w), each(a, w).sum(), rtol=1e-4)


def test_loops_of_lanes_that_need_python_say_so(caplog):
    """They take masked turns of native code, and compute what JAX computes."""
    seen = []

    def f(n, v):
        def seen_by_python(x):
            seen.append(1)
            return x

        turn = lambda s: (s[0] + 1, adjoint.pure_callback(seen_by_python, s[1], s[1], vmap_method="expand_dims") * 1.5)
        return lax.while_loop(lambda s: s[0] < n, turn, (0, v))[1]

    mapped, n, v = adjoint.jit(adjoint.vmap(f)), jnp.arange(4), jnp.ones((4, 200))
    with adjoint.log_compiles(), caplog.at_level("WARNING"):
        found = mapped(n, v)
    np.testing.assert_array_equal(found[:, 7], np.float32(1.5) ** np.arange(4))
    assert len(seen) == 3
    assert "while (Python: pure_callback)" in mapped.lower(n, v).as_text("native")
    (line,) = [r.getMessage() for r in caplog.records if "iterations" in r.getMessage()]
    assert line.startswith("Python runs the iterations of a while at test_lanes.py:")
    assert line.endswith("in which there is no code for pure_callback.")


class Stop(Exception):
    pass


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="a signal is needed")
@pytest.mark.parametrize("endless", [[0], [639], [300], [3, 100, 200, 300, 400, 500]], ids=str)
def test_lanes_without_an_end_are_interrupted(endless):
    """Whoever runs them, and what is computed after it is whole."""
    def stop(*_):
        raise Stop

    before = signal.signal(signal.SIGALRM, stop)
    try:
        counted(N)
        n = N.copy()
        n[endless] = 1000
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(Stop):
            counted(n).block_until_ready()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    for _ in range(20):
        assert np.array_equal(counted(N), N)


def test_threads_share_the_pool():
    counted(N)
    found = []
    work = lambda: found.extend([np.array_equal(counted(N), N) for _ in range(100)])
    threads = [threading.Thread(target=work) for _ in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == [True] * 600


FORKS = """
import os, threading, numpy as np, adjoint as ax
from adjoint import lax
counted = ax.jit(ax.vmap(lambda n: lax.while_loop(lambda s: s < n, lambda s: s + 1, 0)))
n, ends = np.arange(640) % 50, threading.Event()
long = n * 20_000

def work():
    while not ends.is_set():
        counted(long).block_until_ready()

counted(long)
thread = threading.Thread(target=work)
thread.start()
try:
    for _ in range(10):
        child = os.fork()
        if not child:
            os._exit(0 if np.array_equal(counted(n), n) else 1)
        assert os.waitpid(child, 0)[1] == 0
finally:
    ends.set()
    thread.join()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_child_that_is_forked_meanwhile_has_lanes():
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKS]
    subprocess.run(command, check=True, env={**os.environ, "ADJOINT_CPU_ENGINE": "native"}, timeout=300)
