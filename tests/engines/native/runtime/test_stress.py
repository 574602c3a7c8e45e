"""Threads that call programs for the first time at once, and forks at that moment; `stress.py` has more of it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.engines import stress
from tests.modes import promoting

import adjoint.numpy as jnp
from adjoint.core.process import locks
from adjoint.core.types import ShapedArray

SAMPLE = [
    "product", "convolution", "solve", "product of integers", "depthwise", "svd", "complex solve", "sort", "transform",
    "gamma", "hypergeometric", "large", "callback",
]


@promoting
@pytest.mark.parametrize("modes", [[("empty", "auto"), ("full", "quick")], [("off", "final")]], ids=["kept", "off"])
def test_threads_that_call_programs_for_the_first_time_agree(modes):
    assert [] == stress.runs(len(modes), names=SAMPLE, modes=modes)


def at_once(n: int, function) -> list:
    """What `n` threads get that call a function at the same time."""
    start = threading.Barrier(n)

    def call(_):
        start.wait()
        return function()

    with ThreadPoolExecutor(n) as pool:
        return list(pool.map(call, range(n)))


def test_what_several_threads_ask_for_is_made_once():
    made, goes_on = [], threading.Event()

    @locks.once
    def thing(name: str) -> object:
        made.append(name)
        goes_on.wait(0.05)  # others ask meanwhile
        return object()

    found = at_once(8, lambda: thing("a"))
    assert ["a"] == made and 1 == len(set(map(id, found)))
    assert thing("b") is not found[0] and ["a", "b"] == made


def test_types_are_one_object_for_all_threads():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for n in range(200):
            shape = (n, 7919)
            assert 1 == len({id(a) for a in at_once(4, lambda shape=shape: ShapedArray(shape, jnp.dtype("float32")))})
    finally:
        sys.setswitchinterval(before)


ALONE = """
import pkgutil, sys, threading
from importlib import import_module
import adjoint
from adjoint.core.process.locks import making
names = [m.name for m in pkgutil.walk_packages(adjoint.__path__, "adjoint.") if "__main__" not in m.name]
def work():
    for name in names:
        try:
            import_module(name)
        except ImportError:  # of a package that is not here
            pass
thread = threading.Thread(target=work, daemon=True)
with making:
    thread.start()
    thread.join(60)
sys.exit(thread.is_alive())
"""


def test_no_module_waits_while_it_is_imported_for_what_is_made_once():
    subprocess.run([sys.executable, "-c", ALONE], check=True, timeout=120)


# Threads compile while one or several of them fork; children that need no processor for so long wait for somebody.
FORKS = """
import os, signal, sys, threading, time
import numpy as np
import adjoint as jax, adjoint.numpy as jnp
programs = {
    "products": [lambda x: (x @ x.T).sum(0), lambda x: jnp.linalg.svd(x)[1], lambda x: jax.nn.softmax(x)],
    "factorizations": [lambda x: jnp.linalg.svd(x)[1]],
}[sys.argv[1]]
functions = [jax.jit(f) for f in programs]
numbers = lambda n: np.sin(np.arange(60 * n, dtype="f")).reshape(n, 60)
first = int(sys.argv[2])
for f in functions * bool(first):
    f(numbers(first))
ends = threading.Event()
def work(step):
    n = first or 3
    while not ends.is_set():
        for f in functions:
            f(numbers(n)), f(numbers(n))
        n += step
threads = [threading.Thread(target=work, args=(not first,)) for _ in range(2)]
for t in threads:
    t.start()
def hangs(child):
    used, since = None, time.monotonic()
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        with open(f"/proc/{child}/stat") as file:
            now = file.read().rpartition(")")[2].split()[11:13]
        if now != used:
            used, since = now, time.monotonic()
        elif time.monotonic() - since > 20:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "hangs"
        time.sleep(0.01)
failures = []
def fork():
    for i in range(int(sys.argv[3])):
        child = os.fork()
        if not child:
            for f in functions:
                f(numbers(first or 3)), f(numbers(60 + i))
            os._exit(0)
        if status := hangs(child):
            failures.append(status)
forking = [threading.Thread(target=fork) for _ in range(int(sys.argv[4]))]
for t in forking:
    t.start()
for t in forking:
    t.join()
ends.set()
for t in threads:
    t.join()
assert not failures, failures
"""


# what threads call, rows of the operand (0: ever others), children of each thread that forks, threads that fork
WHILE = {
    "computing": ("factorizations", 60, 25, 1), "compiling": ("products", 0, 4, 1), "forking": ("products", 60, 4, 4),
}


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="no /proc")
@pytest.mark.parametrize("what", WHILE.values(), ids=WHILE)
def test_children_that_are_forked_at_any_moment_compute_and_compile(what):
    environment = {
        **os.environ, "ADJOINT_CPU_ENGINE": "native", "OPENBLAS_NUM_THREADS": "2", "ADJOINT_CACHE_DIR": "off",
    }
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKS, *map(str, what)]
    subprocess.run(command, check=True, env=environment, timeout=600)
