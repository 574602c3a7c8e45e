"""What a process may live through: forks, interrupts, many programs, company of others that compile the same.

`python -m tests.engines.stress forks 200` (or `interrupts 1000`, `growth 10000`, `pool 32`) runs these at full length;
`tests/engines/native/runtime/test_stress.py` runs a little of each. Each is a function that a process of its own calls.
"""

from __future__ import annotations

import gc
import itertools
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import numpy as np

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.engines.native.runtime import compile_tiers

ROOT = Path(__file__).parents[2]
SECONDS_WITHOUT_WORK = 20  # seconds in which a child that uses no processor is said to hang


def alone(call: str, **environment: str) -> None:
    """Call a function of this module in a process of its own."""
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", f"from tests.engines.lives import *; {call}"]
    settings = {
        **os.environ, "ADJOINT_CPU_ENGINE": "native", "OPENBLAS_NUM_THREADS": "2", "ADJOINT_NUM_THREADS": "3",
        "ADJOINT_CACHE_DIR": "off", "PYTHONFAULTHANDLER": "1", **environment,
    }
    subprocess.run(command, check=True, cwd=ROOT, env=settings, timeout=7200)


# ---- forks ---------------------------------------------------------------------------------------

# What threads call, rows of the operand (0: ever others), children of each thread that forks, threads that fork.
WHILE = {
    "computing": ("factorizations", 60, 25, 1), "compiling": ("products", 0, 4, 1), "forking": ("products", 60, 4, 4),
    "running kernels": ("kernels", 60, 10, 1), "writing the cache": ("products", 0, 4, 1),
    "multiplying eagerly": ("eager products", 600, 10, 1),
}
PROGRAMS = {
    "products": [lambda x: (x @ x.T).sum(0), lambda x: jnp.linalg.svd(x)[1], lambda x: ax.nn.softmax(x)],
    "factorizations": [lambda x: jnp.linalg.svd(x)[1]],
    "eager products": [lambda x: jnp.asarray(x) @ x.T],
    "kernels": [
        lambda x: jnp.tanh(jnp.tile(x, (30, 30))).sum(0), lambda x: jnp.tile(x, (5, 5)) @ jnp.tile(x.T, (5, 5)),
    ],
}


def numbers(n: int) -> np.ndarray:
    return np.sin(np.arange(60 * n, dtype="f")).reshape(n, 60)


def hangs(child: int):
    """The status of a child when it has ended; one that needs no processor for some time waits for somebody."""
    used, since = None, time.monotonic()
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        with open(f"/proc/{child}/stat") as file:
            now = file.read().rpartition(")")[2].split()[11:13]
        if now != used:
            used, since = now, time.monotonic()
        elif time.monotonic() - since > SECONDS_WITHOUT_WORK:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "hangs"
        time.sleep(0.01)


def forks(what: str, rows: int, children: int, forking: int) -> None:
    """Fork while two threads call programs; the children compute, compile and start threads of their own at once."""
    functions = [f if what.startswith("eager") else ax.jit(f) for f in PROGRAMS[what]]
    for f in functions * bool(rows):
        f(numbers(rows))
    ends, failures = threading.Event(), []

    def work():
        n = rows or 3
        while not ends.is_set():
            for f in functions:
                f(numbers(n)), f(numbers(n))
            n += not rows

    def fork():
        for i in range(children):
            child = os.fork()
            if not child:
                for f in functions:
                    f(numbers(rows or 3)), f(numbers(60 + i))
                os._exit(0)
            if status := hangs(child):
                failures.append(status)

    workers, forkers = [[threading.Thread(target=t) for _ in range(n)] for t, n in ((work, 2), (fork, forking))]
    for t in (*workers, *forkers):
        t.start()
    for t in forkers:
        t.join()
    ends.set()
    for t in workers:
        t.join()
    assert not failures, failures


def forked(name: str, children: int | None = None) -> None:
    """Run one of `WHILE`, in a process of its own."""
    what, rows, usual, forking = WHILE[name]
    with tempfile.TemporaryDirectory() as folder:
        where = folder if name == "writing the cache" else "off"
        alone(f"forks({what!r}, {rows}, {children or usual}, {forking})", ADJOINT_CACHE_DIR=where)


# ---- interrupts ----------------------------------------------------------------------------------


def _new_program(i: int):
    """A function that no other number gives."""
    def f(x):
        for k in range(3):
            x = [jnp.sin, jnp.tanh, jnp.cos][(i >> k) % 3](x) * (1 + i) + k
        return x.sum(), x

    return f


def interrupts(times: int, seed: int = 0) -> None:
    """Interrupt at random moments; after each everything is as it was, and works."""
    draw, number = random.Random(seed), itertools.count()
    x = np.linspace(0, 1, 40, dtype="f").reshape(4, 10)
    big = np.ones((300, 1000), "f")
    known, large = ax.jit(lambda x: jnp.tanh(x @ x.T).sum(0)), ax.jit(lambda x: jnp.tanh(x).sum(0))
    long = ax.jit(lambda: lax.fori_loop(0, 10**6, lambda i, s: s + jnp.sin(i * 1.0) * s, 1.0))
    wanted, wanted_large = np.asarray(known(x)), np.asarray(large(big))
    threshold = gc.get_threshold()

    def compiles():
        ax.jit(_new_program(next(number)))(x)

    activities = {
        "tracing": lambda: ax.make_jaxpr(ax.grad(lambda v: _new_program(next(number))(v)[0]))(x),
        "compiling": compiles, "eager": lambda: jnp.sort(jnp.sin(x) @ x.T)[1:].sum() + x[0, 0],
        "gradient": lambda: ax.grad(lambda v: (jnp.sin(v) * v).sum())(x), "running": long,
        "the pool": lambda: [large(big) for _ in range(20)], "calls": lambda: [known(x) for _ in range(2000)],
        "lowering": lambda: ax.jit(_new_program(next(number))).lower(x).compile(),
        "clearing": lambda: (ax.clear_caches(), known(x)),
    }
    hits: Counter = Counter()
    for _ in range(times):
        name = draw.choice(list(activities))
        try:  # again and again: Python drops what is raised in a finalizer
            signal.setitimer(signal.ITIMER_REAL, draw.uniform(1e-5, 0.03), 1.0)
            while True:
                activities[name]()
        except KeyboardInterrupt:
            signal.setitimer(signal.ITIMER_REAL, 0)
            hits[name] += 1
        assert np.array_equal(known(x), wanted), name
        assert np.array_equal(large(big), wanted_large), name
        total, rest = ax.jit(_new_program(next(number)))(x)
        assert np.allclose(total, np.asarray(rest).sum(), 1e-4), name
        assert gc.get_threshold() == threshold, name
    print(dict(hits), file=sys.stderr)
    assert sum(hits.values()) == times


def interrupted(times: int, seed: int = 0) -> None:
    with tempfile.TemporaryDirectory() as folder:
        call = "signal.signal(signal.SIGALRM, signal.default_int_handler)"
        alone(f"{call}; interrupts({times}, {seed})", ADJOINT_CACHE_DIR=folder)


# ---- many programs -------------------------------------------------------------------------------


def resident() -> float:
    """MiB of memory that the process has."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def growth(programs: int, first: int, most: float) -> None:
    """Compile different programs, call each three times, and drop them; `first` of them before memory is measured."""
    x = np.linspace(0, 1, 40, dtype="f")
    for i in range(first + programs):
        if i == first:
            gc.collect()
            before = resident()
        f = ax.jit(_new_program(i))
        f(x), f(x), f(x)
    gc.collect()
    grown = resident() - before
    print(f"{programs} programs: {grown:.1f} MiB", file=sys.stderr)
    assert grown < most, grown


def compiled() -> None:
    """Wait until the thread that compiles in the background is done."""
    while (thread := compile_tiers._thread) is not None:
        thread.join()


def calls(count: int, most: float) -> None:
    """Call a compiled program, operations outside of programs and gradients, in three rounds.

    What each call keeps is there in every round; what the allocator takes for itself is not, and what the compiler in
    the background takes is over before the first.
    """
    x = jnp.linspace(0, 1, 40)
    f = ax.jit(lambda x, y: jnp.sin(x) * y)
    work = {
        "calls": (count, lambda i: f(x, 0.5 * i)), "operations": (count // 20, lambda i: (jnp.sin(x) + i)[2:].sum()),
        "gradients": (count // 100, lambda i: ax.grad(lambda v: (jnp.sin(v) * v * i).sum())(x)),
        "shapes": (count // 100, lambda i: jnp.ones(i % 500 + 1).sum()),
    }
    for name, (n, call) in work.items():
        sizes = []
        for length in (2 * n, n, n, n):
            for i in range(length):
                call(n + i)
            compiled()
            gc.collect()
            sizes.append(resident())
        grown = [after - before for before, after in itertools.pairwise(sizes)]
        assert min(grown) < most, (name, grown)


# ---- company -------------------------------------------------------------------------------------


def pool(processes: int, folder: str) -> None:
    """Fork processes that call the same programs at the same time, on an empty cache, and count who compiles what."""
    from adjoint.engines.native.call import prepare as prepare  # what the children need is imported once
    from adjoint.engines.native.program import table as table
    from adjoint.engines.native.runtime import compiler

    go, made, compile_object = Path(folder, "go"), Path(folder, "made"), compiler.object_of
    made.mkdir()

    def noted(text, *options):
        name = f"{hash(text)} {options[0]} {os.getpid()}"
        (made / name).touch()
        return compile_object(text, *options)

    compiler.object_of = noted
    x = np.linspace(0, 1, 40, dtype="f").reshape(4, 10)
    children = []
    for _ in range(processes):
        child = os.fork()
        if not child:
            while not go.exists():
                time.sleep(0.001)
            for i in range(3):
                total, rest = ax.jit(_new_program(i))(x)
                assert np.allclose(total, np.asarray(rest).sum(), 1e-4)
            os._exit(0)
        children.append(child)
    go.touch()
    assert not any([os.waitpid(child, 0)[1] for child in children])
    times = Counter([name.rpartition(" ")[0] for name in os.listdir(made)])
    print(f"{len(times)} texts, compiled at most {max(times.values())} times", file=sys.stderr)
    assert len(times) >= 3 and max(times.values()) <= 3, times


def pooled(processes: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        alone(f"pool({processes}, {folder!r})", ADJOINT_CACHE_DIR=os.path.join(folder, "cache"), PYTHONHASHSEED="0")
