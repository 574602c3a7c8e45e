"""Threads that call programs for the first time at once, and forks at that moment; `stress.py` has more of it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.engines import lives, stress
from tests.modes import compiling, promoting

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


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="no /proc")
@pytest.mark.parametrize("name", lives.WHILE)
def test_children_that_are_forked_at_any_moment_compute_and_compile(name):
    lives.forked(name)


def test_ctrl_c_at_any_moment_leaves_everything_usable():
    lives.interrupted(25)


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc")
def test_programs_that_are_dropped_leave_nothing_behind():
    """Some modules are kept, in case they are asked for again; seventy programs more took 7 MiB, and take none."""
    lives.alone("growth(70, 135, 3)", ADJOINT_NATIVE_TIER="quick")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc")
def test_calls_operations_and_gradients_leave_nothing_behind():
    lives.alone("calls(10_000, 0.5)", ADJOINT_NATIVE_TIER="final")


@compiling
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks")
def test_of_many_processes_one_compiles_what_all_miss():
    lives.pooled(6)
