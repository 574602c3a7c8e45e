"""Measure adjoint beside JAX, and functions of NumPy beside NumPy too: in one run, each in its own process, in turns.

A case is written once against a module with JAX's interface. The parent starts one worker for each
of the two modules, and they set a case up and then time it in alternation, so that whatever else
the machine does disturbs both alike; the smallest of all turns counts. Cases of whole processes
(import, first result, memory) start fresh interpreters in alternation instead. See README.md.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from itertools import count
from types import SimpleNamespace

MODULES = ("adjoint", "jax")
BLOCK = 0.002       # seconds that one timing block should last
PEAK = "; print(*[s.split()[1] for s in open('/proc/self/status') if 'VmHWM' in s])"   # KiB
XLA = "XLA engine"  # what rows on that engine begin with
EAGER = "eager"     # what rows of NumPy's functions, called as they are, begin with; NumPy runs them too
USUAL = {}          # module: the engine of the other rows
CASES = {}          # name: Case, in the order of the table


@dataclass(frozen=True)
class Case:
    """What one row of the table measures; `kind` says how `body` is to be read."""

    name: str
    kind: str       # call: a function to call; once: a function that does one cold piece of work;
    body: object    # process: a program to start; memory: a program whose peak memory counts


def case(name, kind="call"):
    """Register the decorated `body(n)`, which returns the zero-argument function to time."""

    def register(body):
        CASES[name] = Case(name, kind, body)
        return body

    return register


def program(name, kind, text):
    """Register a program; `MODULE` in its text stands for the module's name."""
    CASES[name] = Case(name, kind, text)


# ---- starting

program("import", "process", "import MODULE, MODULE.numpy")
program(
    "first result: arange(5.).sum()",
    "process",
    "import MODULE.numpy as jnp; float(jnp.arange(5.).sum())",
)
program(
    "first gradient",
    "process",
    "import MODULE, MODULE.numpy as jnp; float(MODULE.grad(lambda x: jnp.sin(x) * x)(3.))",
)
program("memory after import", "memory", "import MODULE, MODULE.numpy")


# ---- one operation at a time

@case("x + y, 4 floats")
def _(n):
    x, y = n.jnp.ones(4), n.jnp.ones(4)
    return lambda: x + y


@case("sin(x), 4 floats")
def _(n):
    x = n.jnp.ones(4)
    return lambda: n.jnp.sin(x)


@case("x[2]")
def _(n):
    x = n.jnp.arange(10.0)
    return lambda: x[2]


@case("float(x[i])")
def _(n):
    x = n.jnp.arange(10.0)
    return lambda: float(x[3])


@case("array(list of 100,000 floats)")
def _(n):
    values = [float(i) for i in range(100_000)]
    return lambda: n.jnp.array(values)


@case("grad of sum(sin(x) * x), not jitted")
def _(n):
    x = n.jnp.arange(4.0)
    f = n.jax.grad(lambda x: n.jnp.sum(n.jnp.sin(x) * x))
    return lambda: f(x)


@case("vmap of dot, not jitted")
def _(n):
    x = n.jnp.ones((8, 4))
    f = n.jax.vmap(n.jnp.dot)
    return lambda: f(x, x)


@case("random.gamma, 1000 numbers, not jitted")
def _(n):
    key = n.jax.random.key(0)
    return lambda: n.jax.random.gamma(key, 2.0, (1000,))


@case("jitted call, 1 argument")
def _(n):
    f, x = n.jax.jit(lambda x: x + 1), n.jnp.ones(4)
    return lambda: f(x)


def _checked(n, f):
    checkify = importlib.import_module(f"{n.jax.__name__}.experimental.checkify")
    return n.jax.jit(checkify.checkify(f, errors=checkify.all_checks))


@case("checked: sin(x) * x + exp(-x) / x, a million floats")
def _(n):
    f, x = _checked(n, lambda x: n.jnp.sin(x) * x + n.jnp.exp(-x) / x), n.jnp.ones(1_000_000)
    return lambda: f(x)


@case("checked: x[i], a million positions")
def _(n):
    f, x, i = _checked(n, lambda x, i: x[i]), n.jnp.ones(1_000_000), n.jnp.arange(1_000_000)
    return lambda: f(x, i)


@case("checked: softmax of 256 rows of 1024")
def _(n):
    f, x = _checked(n, n.jax.nn.softmax), n.jnp.ones((256, 1024))
    return lambda: f(x)


@case("checked: a million elements of rows and columns")
def _(n):
    f, x, i = _checked(n, lambda x, i: x[i[:, None], i[None]]), n.jnp.ones((1000, 1000)), n.jnp.arange(1000)
    return lambda: f(x, i)


@case("jitted call, dict of 20 leaves")
def _(n):
    f = n.jax.jit(lambda d: {k: v + 1 for k, v in d.items()})
    d = {str(i): n.jnp.ones(4) for i in range(20)}
    return lambda: f(d)


# ---- tracing: value_and_grad of a residual network with normalisation, one more layer a row

def residual_network(n, layers, batch=32, width=64, hidden=256):
    """The function to differentiate and its arguments: a list of dicts of weights, a batch."""
    import numpy as np

    jnp, rng = n.jnp, np.random.default_rng(0)

    def draw(*shape):
        return jnp.asarray(0.05 * rng.standard_normal(shape), dtype="float32")

    def block(p, x):
        y = x + n.jax.nn.gelu(x @ p["up"] + p["a"]) @ p["down"] + p["b"]
        mean, variance = y.mean(-1, keepdims=True), y.var(-1, keepdims=True)
        return (y - mean) / jnp.sqrt(variance + 1e-5) * p["scale"]

    def loss(params, x):
        for p in params:
            x = block(p, x)
        return ((x - 1) ** 2).mean()

    params = [
        dict(
            up=draw(width, hidden), a=jnp.zeros(hidden),
            down=draw(hidden, width), b=jnp.zeros(width), scale=jnp.ones(width),
        )
        for _ in range(layers)
    ]
    return loss, (params, draw(batch, width))


def trace_layers(layers):
    """Tracing from nothing: a new function, and no cache of an inner one."""

    def body(n):
        loss, args = residual_network(n, layers)

        def once():
            n.jax.clear_caches()
            f = n.jax.jit(n.jax.value_and_grad(lambda *args: loss(*args)))
            start = time.perf_counter()
            f.trace(*args)
            return time.perf_counter() - start

        return once

    case(f"trace value_and_grad, {layers} layers", "once")(body)


for layers in (6, 12, 24, 48):
    trace_layers(layers)


# ---- compiling and running whole programs, and loops

@case("compile value_and_grad, 6 layers, most kernels known", "once")
def _(n):
    loss, args = residual_network(n, 6)
    numbers = count(1)

    def once():
        n.jax.clear_caches()
        scale = 1 + next(numbers) / 1024  # no program is one that was compiled before
        lowered = n.jax.jit(n.jax.value_and_grad(lambda *args: loss(*args) * scale)).lower(*args)
        start = time.perf_counter()
        lowered.compile()
        return time.perf_counter() - start

    return once


def run_case(name, make):
    """A row for a jitted function: `make(n)` returns it and its arguments."""

    def body(n):
        f, *args = make(n)
        f = n.jax.jit(f)
        return lambda: f(*args)

    case(name)(body)


def _network(n):
    loss, args = residual_network(n, 6)
    return n.jax.value_and_grad(loss), *args


def _recurrence(n):
    cell = lambda w: lambda h, x: ((h := n.jnp.tanh(h @ w + x)), h.sum())
    loss = lambda w, xs: n.jax.lax.scan(cell(w), n.jnp.zeros(16), xs)[1].sum()
    return n.jax.grad(loss), n.jnp.eye(16) * 0.5, n.jnp.ones((1000, 16))


def _newton(n):
    def turn(c):
        i, x = c
        return i + 1, x - 0.1 * (x * x - 2) / (2 * x)

    return lambda x: n.jax.lax.while_loop(lambda c: c[0] < 10_000, turn, (0, x))[1], n.jnp.float32(1.0)


def _ones(n, *shape):
    return n.jnp.ones(shape)


for _name, _make in {
    "run value_and_grad, 6 layers": _network,
    "gradient of a scan of 1000 steps": _recurrence,
    "while_loop of 10,000 scalar turns": _newton,
    "softmax, 1000 x 1000": lambda n: (n.jax.nn.softmax, _ones(n, 1000, 1000)),
    "sum of a million": lambda n: (n.jnp.sum, _ones(n, 1_000_000)),
    "x @ x, 1000 x 1000": lambda n: (lambda x: x @ x, _ones(n, 1000, 1000)),
    "cumsum of a million": lambda n: (n.jnp.cumsum, _ones(n, 1_000_000)),
    "sort of a million": lambda n: (n.jnp.sort, n.jnp.sin(n.jnp.arange(1e6))),
    "sort of a thousand": lambda n: (n.jnp.sort, n.jnp.sin(n.jnp.arange(1e3))),
    "partition of a thousand": lambda n: (lambda x: n.jnp.partition(x, 500), n.jnp.sin(n.jnp.arange(1e3))),
    "partition of a million": lambda n: (lambda x: n.jnp.partition(x, 500_000), n.jnp.sin(n.jnp.arange(1e6))),
    "convolve 50,000 with 64": lambda n: (n.jnp.convolve, _ones(n, 50_000), _ones(n, 64)),
    "top 5 of a million": lambda n: (lambda x: n.jax.lax.top_k(x, 5), n.jnp.sin(n.jnp.arange(1e6))),
    "solve, 10 x 10": lambda n: (n.jnp.linalg.solve, n.jnp.eye(10) + 0.1, _ones(n, 10)),
    "svd, 10 x 10": lambda n: (n.jnp.linalg.svd, n.jnp.eye(10) + 0.1),
    "a million normal numbers": lambda n: (lambda k: n.jax.random.normal(k, (1_000_000,)), n.jax.random.key(0)),
}.items():
    run_case(_name, _make)


# ---- functions of NumPy, called as they are

def eager_case(name, make):
    """A row for a function of the module `numpy` and of NumPy arrays, which `make(rng)` returns before the lists."""

    def body(n):
        import numpy as np

        f, *args = make(np.random.default_rng(0))
        args = [n.jnp.asarray(x) if isinstance(x, np.ndarray) else x for x in args]
        return lambda: f(n.jnp, *args)

    case(f"{EAGER}: {name}")(body)


def _normal(rng, *shape):
    return rng.standard_normal(shape).astype("float32")


def _small(rng, n=1_000_000):
    return rng.integers(0, 1000, n).astype("int32")


def _sorted(rng, n):
    x = _normal(rng, n)
    x.sort()
    return x


for _name, _make in {
    "sort, 1,000,000": lambda r: (lambda n, x: n.sort(x), _normal(r, 1_000_000)),
    "sort, 1000 x 1000": lambda r: (lambda n, x: n.sort(x), _normal(r, 1000, 1000)),
    "argsort (stable), 1,000,000": lambda r: (lambda n, x: n.argsort(x, stable=True), _normal(r, 1_000_000)),
    "argsort (stable), 1000 x 1000": lambda r: (lambda n, x: n.argsort(x, stable=True), _normal(r, 1000, 1000)),
    "partition, 1,000,000": lambda r: (lambda n, x: n.partition(x, 500_000), _normal(r, 1_000_000)),
    "partition, 1000": lambda r: (lambda n, x: n.partition(x, 500), _normal(r, 1000)),
    "sort, 1000": lambda r: (lambda n, x: n.sort(x), _normal(r, 1000)),
    "x + y, 10": lambda r: (lambda n, x: n.add(x, x), _normal(r, 10)),
    "unique, 1000": lambda r: (lambda n, x: n.unique(x), _normal(r, 1000)),
    "isin, 1000 in 10": lambda r: (lambda n, x, y: n.isin(x, y), _small(r, 1000), _small(r, 10)),
    "unique, 1,000,000": lambda r: (lambda n, x: n.unique(x), _normal(r, 1_000_000)),
    "searchsorted, 100,000 in 1,000,000": lambda r: (
        lambda n, a, v: n.searchsorted(a, v), _sorted(r, 1_000_000), _normal(r, 100_000)),
    "searchsorted, 1000 in 1000": lambda r: (
        lambda n, a, v: n.searchsorted(a, v), _sorted(r, 1000), _normal(r, 1000)),
    "digitize, 100,000 in 1000": lambda r: (lambda n, x, b: n.digitize(x, b), _normal(r, 100_000), _sorted(r, 1000)),
    "histogram, 1,000,000 in 50": lambda r: (lambda n, x: n.histogram(x, 50), _normal(r, 1_000_000)),
    "bincount, 1,000,000": lambda r: (lambda n, x: n.bincount(x), _small(r)),
    "interp, 100,000 in 10,000": lambda r: (
        lambda n, x, a, b: n.interp(x, a, b), _normal(r, 100_000), _sorted(r, 10_000), _normal(r, 10_000)),
    "cumsum, 1,000,000": lambda r: (lambda n, x: n.cumsum(x), _normal(r, 1_000_000)),
    "cumprod, 1,000,000": lambda r: (lambda n, x: n.cumprod(x), _normal(r, 1_000_000)),
    "maximum.accumulate, 1,000,000": lambda r: (lambda n, x: n.maximum.accumulate(x), _normal(r, 1_000_000)),
    "quantile, 10,000": lambda r: (lambda n, x: n.quantile(x, 0.3), _normal(r, 10_000)),
    "x[x > 0], 1,000,000": lambda r: (lambda n, x: x[x > 0], _normal(r, 1_000_000)),
    "linalg.solve, 10 x 10": lambda r: (lambda n, a, b: n.linalg.solve(a, b), _normal(r, 10, 10), _normal(r, 10)),
    "linalg.svd, 10 x 10": lambda r: (lambda n, a: n.linalg.svd(a), _normal(r, 10, 10)),
    "convolve, 50,000 with 8": lambda r: (lambda n, x, v: n.convolve(x, v), _normal(r, 50_000), _normal(r, 8)),
    "convolve, 50,000 with 2000": lambda r: (lambda n, x, v: n.convolve(x, v), _normal(r, 50_000), _normal(r, 2000)),
    "median, 1,000,000": lambda r: (lambda n, x: n.median(x), _normal(r, 1_000_000)),
    "einsum ij,ij->i, 1000 x 1000": lambda r: (lambda n, x: n.einsum("ij,ij->i", x, x), _normal(r, 1000, 1000)),
    "einsum ii, 1000 x 1000": lambda r: (lambda n, x: n.einsum("ii", x), _normal(r, 1000, 1000)),
    "einsum i,i->, 8": lambda r: (lambda n, x: n.einsum("i,i->", x, x), _normal(r, 8)),
    "array(list of 100,000 ints)": lambda r: (lambda n, x: n.array(x, dtype="int32"), _small(r, 100_000).tolist()),
    "array(300 lists of 1000 floats)": lambda r: (
        lambda n, x: n.array(x, dtype="float32"), _normal(r, 300, 1000).tolist()),
    "array(list of 3 floats)": lambda r: (lambda n, x: n.array(x, dtype="float32"), [1.0, 2.0, 3.0]),
}.items():
    eager_case(_name, _make)


# ---- the XLA engine: the same compiler as JAX's, so what counts is all around it

def xla_case(name, kind="call"):
    """A case on adjoint's XLA engine; JAX has no other."""
    return case(f"{XLA}: {name}", kind)


@xla_case("jitted call, 1 argument")
def _(n):
    f, x = n.jax.jit(lambda x: x + 1), n.jnp.ones(4)
    return lambda: f(x)


@xla_case("jitted call, dict of 20 leaves")
def _(n):
    f = n.jax.jit(lambda d: {k: v + 1 for k, v in d.items()})
    d = {str(i): n.jnp.ones(4) for i in range(20)}
    return lambda: f(d)


@xla_case("lower value_and_grad, 24 layers", "once")
def _(n):
    loss, args = residual_network(n, 24)

    def once():
        n.jax.clear_caches()
        traced = n.jax.jit(n.jax.value_and_grad(lambda *args: loss(*args))).trace(*args)
        start = time.perf_counter()
        lowered = traced.lower()
        if n.jax.__name__ != "jax":     # JAX builds objects of the compiler here, and no text
            lowered.as_text()
        return time.perf_counter() - start

    return once


@xla_case("run value_and_grad, 12 layers")
def _(n):
    loss, args = residual_network(n, 12)
    f = n.jax.jit(n.jax.value_and_grad(loss))
    return lambda: f(*args)


@xla_case("run tanh(x @ x), 700 x 700")
def _(n):
    f, x = n.jax.jit(lambda x: n.jnp.tanh(x @ x)), n.jnp.ones((700, 700))
    return lambda: f(x)


# The number of devices is fixed when a process starts: this one has eight, and prints the time of its fastest call.
PMAP = """
import time, numpy as np, MODULE as lib
f = lib.pmap(lambda a: a / lib.lax.psum(a, "i"), axis_name="i")
x = f(np.arange(1., 9., dtype=np.float32))
times = []
for _ in range(400):
    start = time.perf_counter()
    f(x).block_until_ready()
    times.append(time.perf_counter() - start)
print(min(times))
"""


@case("pmap over 8 devices, call", "once")
def _(n):
    text = PMAP.replace("MODULE", n.jax.__name__)
    devices = {**environment(), "XLA_FLAGS": "--xla_force_host_platform_device_count=8"}
    run = lambda: subprocess.run([sys.executable, "-c", text], env=devices, capture_output=True, text=True, check=True)
    return lambda: float(run().stdout.split()[-1])


# ---- the worker: one module, one process, one JSON object a line

def work(module):
    """Answer the parent's lines: `setup NAME`, then any number of `turn SECONDS`."""
    pipe = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)       # what a library prints must not end up in the protocol

    def turn(seconds):
        end, times = time.perf_counter() + float(seconds), []
        while not times or time.perf_counter() < end:
            times.append(sample())
        return min(times)

    for line in sys.stdin:
        verb, _, rest = line.strip().partition(" ")
        answer = {}
        try:
            if verb == "setup":
                sample = sampler(namespace(module, rest), CASES[rest])
            else:
                answer["seconds"] = turn(rest)
        except Exception as error:
            answer["error"] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        pipe.write(json.dumps(answer) + "\n")
        pipe.flush()


def namespace(module, name):
    """What the case of that name uses, under the names that it uses."""
    if module == "numpy":
        return SimpleNamespace(jax=SimpleNamespace(block_until_ready=lambda x: x), jnp=importlib.import_module(module))
    jax = importlib.import_module(module)
    if hasattr(jax.config, "cpu_engine"):
        usual = USUAL.setdefault(module, jax.config.cpu_engine)
        jax.config.update("cpu_engine", "xla" if name.startswith(XLA) else usual)
    return SimpleNamespace(jax=jax, jnp=importlib.import_module(f"{module}.numpy"))


def sampler(n, case):
    """A function that measures once and returns the seconds of one call."""
    body, wait = case.body(n), n.jax.block_until_ready
    if case.kind == "once":
        return body
    for _ in range(3):
        wait(body())

    def block(count):
        start = time.perf_counter()
        for _ in range(count):
            out = body()
        wait(out)
        return (time.perf_counter() - start) / count

    count = 1
    while (seconds := block(count)) * count < BLOCK / 2:
        count = max(count + 1, int(BLOCK / seconds))

    def sample():
        gc.disable()
        try:
            return block(count)
        finally:
            gc.enable()

    return sample


# ---- the parent

class Worker:
    """The process of one module, and its line protocol."""

    def __init__(self, module):
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--worker", module],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment(),
        )

    def ask(self, line):
        """Send a line; return the answer, or raise with what the module said."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        text = self.process.stdout.readline()
        answer = json.loads(text) if text else {"error": "the process died"}
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer

    def close(self):
        self.process.kill()
        self.process.communicate()


def environment():
    """JAX on the CPU, byte code kept, and no compiled program from an earlier run."""
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return env | {"JAX_PLATFORMS": "cpu", "ADJOINT_CACHE_DIR": "off"}


def measure_turns(case, workers, repeats):
    """The best turn of each module, or the error it raised instead."""
    results = {}
    modules = (*MODULES, "numpy") if case.name.startswith(EAGER) else MODULES
    for module in modules:
        worker = workers[module]
        try:
            worker.ask(f"setup {case.name}")
            results[module] = float("inf")
        except (RuntimeError, BrokenPipeError) as error:
            results[module] = str(error)
    for turn in range(repeats):
        for module in modules if turn % 2 else modules[::-1]:
            if isinstance(results[module], float):
                try:
                    seconds = workers[module].ask("turn 0.05")["seconds"]
                    results[module] = min(results[module], seconds)
                except (RuntimeError, BrokenPipeError) as error:
                    results[module] = str(error)
    return results


def measure_processes(case, repeats):
    """The best of `repeats` fresh interpreters, started alternately; the first start is warm-up."""
    results = dict.fromkeys(MODULES, float("inf"))
    for turn in range(repeats + 1):
        for module in MODULES if turn % 2 else MODULES[::-1]:
            if isinstance(results[module], str):
                continue
            code = case.body.replace("MODULE", module)
            if case.kind == "memory":
                code += PEAK
            start = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-c", code], capture_output=True, text=True, env=environment()
            )
            seconds = time.perf_counter() - start
            if done.returncode:
                results[module] = done.stderr.strip().splitlines()[-1]
            elif turn:
                value = float(done.stdout) * 1024 if case.kind == "memory" else seconds
                results[module] = min(results[module], value)
    return results


def shown(value, kind):
    """A measurement with its unit, three digits."""
    if isinstance(value, str):
        return "failed"
    if kind == "memory":
        return f"{value / 2**20:.0f} MiB"
    for unit, scale in (("s", 1), ("ms", 1e3)):
        if value * scale >= 1:
            return f"{value * scale:.3g} {unit}"
    return f"{value * 1e6:.3g} us"


def processor():
    """The processor's name, where the system tells."""
    try:
        with open("/proc/cpuinfo") as lines:
            return next(line.split(":")[1].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def main():
    """Print the table; exit with an error when adjoint failed a row."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="rows whose name contains this text")
    parser.add_argument("--repeats", type=int, default=7, help="turns or processes for each row")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        return work(options.worker)

    from importlib.metadata import version

    rows = [c for c in CASES.values() if options.only in c.name]
    versions = f"adjoint {version('adjoint')}, jax {version('jax')}, numpy {version('numpy')}"
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    print(f"{versions}, Python {platform.python_version()}; {processor()}, {cores} cores\n")
    with_numpy = any(c.name.startswith(EAGER) for c in rows)
    print("| | adjoint | JAX | ratio |" + " NumPy | ratio |" * with_numpy)
    print("|---|--:|--:|--:|" + "--:|--:|" * with_numpy)
    ratios, errors = [], []
    workers = {m: Worker(m) for m in (*MODULES, *["numpy"] * with_numpy)}
    try:
        for c in rows:
            if c.kind in ("process", "memory"):
                results = measure_processes(c, options.repeats)
            else:
                results = measure_turns(c, workers, options.repeats)
            errors += [f"{c.name}: {m}: {r}" for m, r in results.items() if isinstance(r, str)]
            ours, theirs, *numpys = results.values()
            ratio = ""
            if isinstance(ours, float) and isinstance(theirs, float):
                ratios.append(ours / theirs)
                ratio = f"{ratios[-1]:.2g}"
            line = f"| {c.name} | {shown(ours, c.kind)} | {shown(theirs, c.kind)} | {ratio} |"
            for seconds in numpys:
                both = isinstance(ours, float) and isinstance(seconds, float)
                line += f" {shown(seconds, c.kind)} | {f'{ours / seconds:.2g}' if both else ''} |"
            print(line + " | |" * (with_numpy and not numpys))
    finally:
        for worker in workers.values():
            worker.close()
    if ratios:
        print(f"\n{len(ratios)} rows, geometric mean {statistics.geometric_mean(ratios):.2f}")
    return "\n".join(errors) or None


if __name__ == "__main__":
    sys.exit(main())
