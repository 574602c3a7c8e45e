"""Big kernels on several threads: values, Python's threads, forks, Ctrl-C, and how many threads there are."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import numpy as np
import pytest
from tests.engines.agreement import assert_agrees
from tests.modes import compiling
from tests.streams import stream

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.core.process import processors
from adjoint.engines.native.kernels import split
from adjoint.engines.native.program import table
from adjoint.engines.native.program.table import Executable
from adjoint.engines.native.runtime import buffer_pool, threads

RNG = stream()
X = RNG.normal(size=(37, 129)).astype(np.float32)
LONG = RNG.normal(size=5003).astype(np.float32)


@pytest.fixture
def small_is_big(monkeypatch):
    """Every kernel is divided, into small chunks."""
    monkeypatch.setattr(split, "_MIN_NANOSECONDS_TO_THREAD", 0)
    monkeypatch.setattr(split, "_CHUNK_NANOSECONDS", 20)
    monkeypatch.setattr(table, "_kernels", {})
    yield
    threads.resize(processors.count())


def normalized(x):
    return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)


PROGRAMS = {
    "element-wise": (lambda x: jnp.exp(x) + 1, (LONG,)),
    "a row, in phases": (lambda x: (ax.nn.softmax(x), x.var(), (x * 2).max() + 1), (LONG,)),
    "rows": (lambda x: (ax.nn.softmax(x), normalized(x)), (X,)),
    "sums along all axes": (lambda x: (x.sum(0), x.sum(1), x.sum(), jnp.exp(x).max(0)), (X,)),
    "sums that are read": (lambda x: (x / x.sum() + x.max(0), x.mean()), (X,)),
    "a middle axis": (lambda x: (x.reshape(37, 3, 43).sum(1), x.reshape(37, 3, 43).sum((0, 2))), (X,)),
    "few outer turns": (lambda x: x.reshape(3, 37, 43)[:, ::2, 1:] * 2, (X,)),
    "transposed": (lambda x: (x.T + 1, x.T @ x), (X,)),
    "flags": (lambda x: ((x > 0).any(), (x > 9).any(0), (x > 0).all(1)), (X,)),
    "integers": (lambda x: ((x * 9).astype(jnp.int32).sum(0), (x * 9).astype(jnp.int8).max()), (X,)),
    "narrow floats": (lambda x: (x.astype(jnp.bfloat16).sum(), x.astype(jnp.float16).max(1)), (X,)),
    "gradient": (ax.grad(lambda x: (ax.nn.log_softmax(x) * normalized(x)).sum()), (X,)),
    "transforms": (lambda x: (jnp.fft.fft(x), jnp.fft.fft2(x.reshape(-1, 64))), (jnp.cos(jnp.arange(2.0**15) ** 2),)),
    "many updates": (
        lambda i: (jnp.zeros(100).at[i].add(jnp.sin(i)), jnp.ones((9, 2)).at[i % 9, i % 2].add(i, mode="clip")),
        (jnp.arange(2**17) ** 2 % 107 - 3,)),
    "in a loop": (lambda x: lax.fori_loop(0, 3, lambda i, y: jnp.tanh(y + y.sum(0)), x), (X,)),
}


@pytest.mark.parametrize("columns", [False, True], ids=["rows", "columns"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_results_do_not_depend_on_the_number_of_threads(name, columns, small_is_big, monkeypatch):
    function, args = PROGRAMS[name]
    if columns:
        monkeypatch.setattr(split, "_MAX_PARTIAL_BYTES", 0)
        monkeypatch.setattr(split, "_MIN_CHUNK_COLUMNS", 16)
    compiled = assert_agrees(function, *args, scale=5)
    seen = []
    for n in (1, 2, 3):
        threads.resize(n)
        seen.append(compiled(*args))
    for others in zip(*seen):
        for x in others[1:]:
            np.testing.assert_array_equal(others[0], x)


def test_small_kernels_are_not_divided():
    from adjoint.engines.native.graph.kernel import kernel_of

    for n, divided in ((1000, False), (10_000_000, True)):
        shaped = ax.ShapeDtypeStruct((n,), np.float32)
        ((unit,),) = [Executable(ax.make_jaxpr(lambda x: x + 1)(shaped)).units]
        assert divided == (split.split_of(kernel_of(unit).kernel, 16, 0, 64) is not None)


def test_several_python_threads_at_once(small_is_big):
    threads.resize(3)
    compiled = assert_agrees(ax.nn.softmax, LONG)
    expected, wrong = compiled(LONG)[0], []

    def call():
        wrong.extend([i for i in range(100) if not np.array_equal(compiled(LONG)[0], expected)])

    callers = [threading.Thread(target=call) for _ in range(4)]
    for t in callers:
        t.start()
    for t in callers:
        t.join()
    assert [] == wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork")
def test_a_forked_child_has_its_own_threads(small_is_big):
    threads.resize(2)
    compiled = assert_agrees(lambda x: jnp.sin(x).sum(), LONG)
    expected = compiled(LONG)[0]
    child = os.fork()
    if child == 0:
        os._exit(0 if all([compiled(LONG)[0] == expected for _ in range(50)]) else 1)
    assert 0 == os.waitpid(child, 0)[1]
    assert expected == compiled(LONG)[0]


def forever(n):
    return lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] * 1.0000001 + 1), (0, 1.0))


LOOPS = {
    "while": (forever, (np.int32(2_000_000_000),)),
    "two loops": (lambda n: (forever(n), forever(n - 1)[1] + jnp.ones(3)), (np.int32(2_000_000_000),)),
    "scan": (
        lambda x: lax.scan(lambda c, _: (c * 1.01 + 1, None), x, None, length=2_000_000_000)[0], (np.float32(1),)
    ),
    "nested": (
        lambda n: lax.fori_loop(0, n, lambda i, x: lax.fori_loop(0, i % 3, lambda j, y: y * 1.1, x) + 1, 1.0),
        (np.int32(2_000_000_000),),
    ),
}


@contextmanager
def interrupted():
    """Ctrl-C when the process has computed for a fiftieth of a second, however long others keep it from that."""
    before = signal.signal(signal.SIGPROF, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_PROF, 0.02)
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@compiling
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")
@pytest.mark.parametrize("name", LOOPS)
def test_ctrl_c_ends_a_long_loop(name):
    function, args = LOOPS[name]
    compiled = Executable(ax.make_jaxpr(function)(*args))
    start = time.thread_time()
    with interrupted():
        compiled(*args)
    assert time.thread_time() - start < 5
    np.testing.assert_array_equal(5, Executable(ax.make_jaxpr(lambda n: forever(n)[0])(np.int32(5)))(np.int32(5))[0])


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")
def test_ctrl_c_ends_a_jitted_function(native):
    run = ax.jit(lambda n: forever(n)[0])
    assert 7 == run(7)
    with interrupted():
        run(2_000_000_000)
    assert 8 == run(8)


def test_the_environment_says_how_many_threads(monkeypatch, tmp_path):
    monkeypatch.delenv("ADJOINT_NUM_THREADS", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "3,2")
    assert 3 == processors.count()
    monkeypatch.setenv("ADJOINT_NUM_THREADS", "5")
    assert 5 == processors.count()
    monkeypatch.setenv("ADJOINT_NUM_THREADS", "many")
    with pytest.raises(ValueError, match="ADJOINT_NUM_THREADS is 'many', which is not a number of threads"):
        processors.count()
    monkeypatch.delenv("ADJOINT_NUM_THREADS")
    assert 3 == processors.count()
    own = tmp_path / "cgroup"
    own.write_text("0::/job\n")
    (tmp_path / "job").mkdir()
    (tmp_path / "job" / "cpu.max").write_text("150000 100000\n")
    assert 1.5 == processors.quota(str(tmp_path), str(own))
    (tmp_path / "job" / "cpu.max").write_text("max 100000\n")
    assert float("inf") == processors.quota(str(tmp_path), str(own))
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text("400000\n")
    (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000\n")
    assert 4 == processors.quota(str(tmp_path), str(own))


def test_workers_start_late_and_end_with_the_interpreter():
    text = """
import os, numpy as np, adjoint as ax
count = lambda: len(os.listdir("/proc/self/task"))
from adjoint.engines.native.program.table import Executable
from adjoint.engines.native.runtime import compile_tiers
compile_tiers.later = lambda task: None  # no thread that compiles
small, big = np.ones(10, np.float32), np.ones(3_000_000, np.float32)
before = count()
run = Executable(ax.make_jaxpr(lambda x: x * 2)(small))
run(small)
assert count() == before
run = Executable(ax.make_jaxpr(lambda x: x * 2)(big))
assert count() == before
run(big)
assert count() == before + 2, (count(), before)
"""
    if not os.path.exists("/proc/self/task"):
        pytest.skip("no /proc")
    environment = {**os.environ, "ADJOINT_NUM_THREADS": "3", "OPENBLAS_NUM_THREADS": "1", "ADJOINT_CACHE_DIR": "off"}
    subprocess.run([sys.executable, "-c", text], check=True, env=environment, timeout=60)


def test_memory_of_large_results_is_used_again(monkeypatch):
    monkeypatch.setattr(buffer_pool, "_free", {})
    n = buffer_pool.MIN_LENT_BYTES
    first = buffer_pool.empty((n,), np.dtype("i1"))
    address = first.ctypes.data
    second = buffer_pool.empty((n,), np.dtype("i1"))
    assert address % 64 == 0 and not np.shares_memory(first, second)
    view = first[5:]
    del first
    assert {} == buffer_pool._free
    del view
    assert 1 == len(buffer_pool._free)
    assert address == buffer_pool.empty((n // 4,), np.dtype("f4")).ctypes.data
    kept = [buffer_pool.empty((n * 4,), np.dtype("i1")) for _ in range(8)]
    del kept
    assert sum([b.nbytes for b in buffer_pool._free.values()]) <= buffer_pool._MAX_FREE_BYTES
