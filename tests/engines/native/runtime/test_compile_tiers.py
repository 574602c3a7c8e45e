"""Code for a first call and for later ones."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from tests.engines import lives
from tests.modes import compiling, unchecked

import adjoint as ax
import adjoint.numpy as jnp
from adjoint.engines.native.program.table import Executable

X = np.linspace(-2, 2, 900, dtype=np.float32).reshape(30, 30)

pytestmark = pytest.mark.usefixtures("native")


def program(k: float):
    """A program that no other test has."""
    def f(x):
        for _ in range(3):
            x = ax.nn.gelu(x @ x * k) - ax.nn.softmax(x)
        return x, ax.lax.scan(lambda c, r: (jnp.sin(c * k) + r.sum(), c), jnp.float32(1), x)

    return f


def executable(k: float, tier: str) -> Executable:
    return Executable(ax.make_jaxpr(program(k))(X), tier)


def is_final(made: Executable) -> bool:
    return all([k.is_final for k in made._kernels])


def test_later_calls_run_better_code_with_the_same_bits():
    made = executable(0.37, "auto")
    first = made(X)
    assert not is_final(made)
    made(X)
    lives.compiled()
    assert is_final(made)
    for a, b in zip(first, made(X), strict=True):
        np.testing.assert_array_equal(a, b)


@compiling
@unchecked
def test_a_tier_can_be_chosen():
    quick, final = executable(0.41, "quick"), executable(0.43, "final")
    for _ in range(3):
        quick(X)
    lives.compiled()
    assert not is_final(quick) and is_final(final)
    assert is_final(ax.jit(program(0.47)).lower(X).compile()._executable)
    pinned = ax.jit(program(0.53), compiler_options={"native_tier": "final"})
    pinned(X)
    entry, *_ = pinned._cache.values()
    assert is_final(entry.executable)
    with pytest.raises(ValueError, match="native_tier is 'best'"):
        ax.jit(lambda x: x + 1, compiler_options={"native_tier": "best"})(X)


def test_long_calls_wait_for_better_code():
    def turns(n):
        return ax.make_jaxpr(lambda x: ax.lax.fori_loop(0, n, lambda i, c: jnp.cos(c) * 0.7, x))(X)

    assert is_final(Executable(turns(1_000_000))) and not is_final(Executable(turns(3)))
    until = ax.make_jaxpr(lambda x: ax.lax.while_loop(lambda c: c.sum() < 1e9, lambda c: c * 1.5 + 3, x))(X)
    assert is_final(Executable(until))


def test_calls_in_threads_while_code_is_replaced():
    made = executable(0.59, "auto")
    expected, wrong = made(X), []

    def call():
        for _ in range(60):
            wrong.extend([1 for a, b in zip(expected, made(X)) if not np.array_equal(a, b)])

    threads = [threading.Thread(target=call) for _ in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert wrong == []


SCRIPT = """
import os, sys, numpy as np, adjoint as ax, adjoint.numpy as jnp
f = ax.jit(lambda x: jnp.tanh(x @ x) * {k} + ax.nn.softmax(x @ x.T))
x = np.ones((40, 40), np.float32)
first = f(x)
f(x)                      # better code is begun
{then}
"""
FORK = """
child = os.fork()         # while it is made
g = ax.jit(lambda x: jnp.sin(x @ x) - 3)
g(x), g(x)
assert np.array_equal(first, f(x))
if child:
    sys.exit(os.waitpid(child, 0)[1])
"""


@pytest.mark.parametrize("then", ["", pytest.param(FORK, marks=pytest.mark.skipif(
    not hasattr(os, "fork"), reason="no fork"))], ids=["end", "fork"])
@pytest.mark.parametrize("cache", [True, False])
def test_a_process_may_end_or_fork_meanwhile(tmp_path, then, cache):
    env = {**os.environ, "ADJOINT_CPU_ENGINE": "native", "ADJOINT_CACHE_DIR": str(tmp_path) if cache else "off"}
    text = SCRIPT.format(k=0.61, then=then)
    python = [sys.executable, "-W", "ignore::DeprecationWarning"]  # Python 3.12 says that there are threads
    done = subprocess.run([*python, "-c", text], env=env, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


BESIDE = """
import threading, numpy as np, adjoint as ax
from adjoint.engines.native.runtime import compiler
begun, made, compile_object = threading.Event(), [], compiler.object_of
def noted(text, *rest):
    name = threading.current_thread().name
    begun.set() if name == "adjoint-compiler" else "@adjoint_sgemm.cell" in text and begun.wait({seconds})
    made.append((name, hash((text, *rest[:2]))))
    return compile_object(text, *rest)
compiler.object_of = noted
x = np.ones((200, 200), np.float32)
assert float(ax.jit(lambda x: x @ x)(x)[0, 0]) == 200
assert len(made) == len({{text for _, text in made}})
print(*sorted({{name for name, _ in made}}))
"""


@pytest.mark.parametrize("threads, names", [(1, "MainThread"), (2, "MainThread adjoint-compiler")])
def test_what_a_first_call_needs_of_the_runtime_is_made_beside_its_own_code(threads, names):
    env = {**os.environ, "ADJOINT_CPU_ENGINE": "native", "ADJOINT_CACHE_DIR": "off"}
    env["ADJOINT_NUM_THREADS"] = str(threads)
    text = BESIDE.format(seconds=60 * (threads - 1))
    done = subprocess.run([sys.executable, "-c", text], env=env, capture_output=True, text=True, timeout=120)
    assert (done.stderr, done.stdout.strip()) == ("", names)
