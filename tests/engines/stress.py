"""Many threads call many programs for the first time: what is made once and shared is made once, and whole.

`python -m tests.engines.stress RUNS` starts a process for each run, with an empty, a full or no cache and with each
tier in turn. In each of them eight threads call sixty programs, of every family of kernels, for several shapes, each
in an order of its own. A run fails if the process dies or hangs, if a number is not that of the NumPy engine, or if
a bit differs between two threads or two runs. `stress RUNS 0 64` is that with 64 threads.

`python -m tests.engines.stress forks 200` (or `interrupts 1000`, `growth 10000`, `calls 1000000`, `pool 32`) runs what
`lives.py` has at full length.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from hashlib import sha256
from itertools import cycle
from pathlib import Path

import numpy as np
from tests.engines import lives
from tests.modes import PLAIN

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.scipy import linalg, special

ROOT = Path(__file__).parents[2]
ROWS, COLUMNS = (4, 9, 33), 8  # shapes of the operand
HANGS = 600  # seconds after which a process of a run is said to hang
TOLERANCE = {2: 0.1, 4: 1e-3, 8: 1e-6}  # by the width of a float


def square(x):
    return x.T @ x + 3 * jnp.eye(x.shape[1], dtype=x.dtype)


def windows(x, **options):
    return lax.reduce_window(x, 0.0, lax.add, (2, 3), (1, 2), "SAME", **options)


def image(x):
    return jnp.stack([x, x * 2, x + 1], 0)[None]


def convolved(x, groups=1, features=4, size=3):
    kernel = jnp.cos(jnp.arange(features * 3 // groups * size * size, dtype=x.dtype)).reshape(features, -1, size, size)
    return lax.conv_general_dilated(image(x), kernel, (1, 1), "SAME", feature_group_count=groups)


def draws(x, sample):
    return sample(ax.random.key(x.shape[0])) + x.sum() * 0


def updated(x):
    return lax.fori_loop(0, 3, lambda i, y: lax.dynamic_update_slice(y, y[:1] + i, (i, 0)), x)


PROGRAMS = {
    # element-wise, reductions, phases, transposes
    "exp": lambda x: jnp.exp(x) * 2 + 1,
    "tanh of sums": lambda x: jnp.tanh(x.sum(0)) + x.sum(1).mean(),
    "softmax": lambda x: ax.nn.softmax(x),
    "variance": lambda x: (x - x.mean(0)) / jnp.sqrt(x.var(0) + 1e-5),
    "logsumexp": lambda x: ax.nn.logsumexp(x, 1),
    "transposed": lambda x: (x.T + 1, x[::2, ::-1]),
    "integers": lambda x: ((x * 9).astype("int32") // 3 % 5, (x * 9).astype("int8").max(0)),
    "halves": lambda x: ((x.astype("bfloat16") * 2).astype("float32"), x.astype("float16").sum(0)),
    "eight bits": lambda x: x.astype(jnp.float8_e4m3fn).astype("float32"),
    "complex": lambda x: jnp.abs((x + 1j * x[::-1]) * jnp.exp(1j * x)),
    "gradient": ax.grad(lambda x: (ax.nn.log_softmax(x) * jnp.sin(x)).sum()),
    "hessian": lambda x: ax.hessian(lambda v: (jnp.sin(v) * v).sum())(x[0]),
    "batched": ax.vmap(lambda row: jnp.cumsum(row) * row.max()),
    "large": lambda x: jnp.tile(x, (99, 99)).sum(0) + jnp.tile(x, (99, 99))[0],
    "concatenated": lambda x: jnp.concatenate([x, x[:1] * 2, jnp.pad(x, ((1, 0), (0, 0)))]),
    # products
    "product": lambda x: (x @ x.T).sum(0),
    "product of doubles": lambda x: (y := x.astype("float64")) @ y.T,
    "product of integers": lambda x: (y := (x * 9).astype("int32")) @ y.T,
    "product of bytes": lambda x: lax.dot((y := (x * 9).astype("int8")), y.T, preferred_element_type="int32"),
    "product of halves": lambda x: (x.astype("bfloat16") @ x.astype("bfloat16").T).astype("float32"),
    "complex product": lambda x: jnp.abs((x + 1j) @ (x - 1j).T),
    "larger product": lambda x: (y := jnp.tile(x, (5, 9))) @ y.T,
    "batched product": lambda x: jnp.einsum("ij,kj,lj->ikl", x, x, x),
    "ragged product": lambda x: lax.ragged_dot(x, jnp.ones((2, x.shape[1], 3)), jnp.array([1, x.shape[0] - 1])),
    # convolutions
    "convolution": convolved,
    "depthwise": lambda x: convolved(x, 3, 3),
    "gradient of a convolution": ax.grad(lambda x: (convolved(x) ** 2).sum()),
    "convolution of doubles": lambda x: convolved(x.astype("float64"), features=8),
    "sequence": lambda x: jnp.convolve(x[:, 0], x[0, :3]),
    # linear algebra
    "solve": lambda x: jnp.linalg.solve(square(x), x.T),
    "cholesky": lambda x: jnp.linalg.cholesky(square(x)),
    "lu": lambda x: linalg.lu_factor(square(x))[0],
    "qr": lambda x: jnp.abs(jnp.linalg.qr(x)[1]),
    "eigh": lambda x: jnp.linalg.eigvalsh(square(x)),
    "eig": lambda x: jnp.abs(jnp.linalg.eigvals(square(x))).max(),
    "svd": lambda x: jnp.linalg.svd(x, compute_uv=False),
    "complex solve": lambda x: jnp.abs(jnp.linalg.solve(square(x) + 1j, x.T + 0j)),
    "triangular": lambda x: linalg.solve_triangular(square(x), x.T, lower=True),
    "tridiagonal": lambda x: lax.linalg.tridiagonal_solve(x[:, 0] * 0.1, x[:, 1] + 9, x[:, 2] * 0.1, x),
    "determinant": lambda x: jnp.linalg.slogdet(square(x)),
    "schur": lambda x: jnp.abs(linalg.schur(square(x))[0]).max(),
    # orders, scans, places
    "sort": lambda x: (jnp.sort(x, 0), jnp.argsort(x, 1)),
    "top": lambda x: lax.top_k(x, 3),
    "median": lambda x: jnp.median(x, 0),
    "unique": lambda x: jnp.unique((x * 3).astype("int32"), size=5),
    "running": lambda x: (jnp.cumsum(x, 0), jnp.cumprod(x, 1), lax.cummax(x)),
    "gather": lambda x: x[jnp.argmax(x, 0)] + jnp.take(x, jnp.array([0, 2]), 0).sum(),
    "scatter": lambda x: x.at[jnp.array([0, 1, 1])].add(2).at[:, 0].max(0.5),
    "segments": lambda x: ax.ops.segment_sum(x, jnp.arange(x.shape[0]) % 3, 3),
    "windows": windows,
    "folds": lambda x: lax.reduce(x, np.float32(0), lambda a, b: a * b + a + b, (1,)),
    "transform": lambda x: (jnp.abs(jnp.fft.fft(x, axis=0)), jnp.abs(jnp.fft.rfft2(x))),
    # loops
    "loop": lambda x: lax.fori_loop(0, 3, lambda i, y: jnp.tanh(y + y.sum(0)), x),
    "scan": lambda x: lax.scan(lambda c, row: (c * 0.5 + row, c.sum()), x[0], x),
    "lanes": lambda x: ax.vmap(
        lambda v: lax.while_loop(lambda s: s[0] < 9 * v, lambda s: (s[0] + 1, jnp.sin(s[1]) + v), (0.0, v))[1]
    )(x[:, 0]),
    "lanes of branches": lambda x: lax.map(
        lambda v: lax.cond(v.sum() > 0, lambda v: lax.fori_loop(0, 5, lambda i, c: jnp.cos(c), v), lambda v: v, v), x),
    "while": lambda x: lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, jnp.tanh(c[1] @ square(x))), (0, x))[1],
    "branch": lambda x: lax.cond(x.sum() > 0, jnp.sin, lambda y: y @ square(y), x),
    "updates": updated,
    "factorizations in a loop": lambda x: lax.map(lambda v: jnp.linalg.solve(square(x), v), x),
    "callback": lambda x: ax.pure_callback(np.sin, ax.typeof(x), x) * 2,
    # random numbers, functions of analysis
    "normal": lambda x: draws(x, lambda key: ax.random.normal(key, x.shape)),
    "gamma": lambda x: draws(x, lambda key: ax.random.gamma(key, 2.0, x.shape)),
    "permutation": lambda x: draws(x, lambda key: ax.random.permutation(key, x.shape[0])),
    "gammas": lambda x: special.gammaln(x * x + 1) + special.digamma(x * x + 1),
    "incomplete": lambda x: special.gammainc(x * x + 1, x * x) + special.betainc(x * x + 1, 2.0, ax.nn.sigmoid(x)),
    "errors": lambda x: special.erf(x) + special.erfinv(ax.nn.sigmoid(x)) + special.ndtri(ax.nn.sigmoid(x)),
    "integrals": lambda x: special.expi(x * x + 1) + special.i0e(x) + special.zeta(x * x + 2, 1.0),
    "hypergeometric": lambda x: special.hyp1f1(1.0, 2.0, x),
}


def operand(rows: int) -> np.ndarray:
    return np.random.default_rng(rows).normal(size=(rows, COLUMNS)).astype(np.float32)


def leaves(tree) -> list[np.ndarray]:
    return [np.asarray(x) for x in ax.tree.leaves(tree)]


def expected(names) -> dict[str, list[np.ndarray]]:
    """What the NumPy engine computes."""
    with ax.enable_x64(True), ax.disable_jit():
        return {f"{name}/{n}": leaves(PROGRAMS[name](jnp.asarray(operand(n)))) for name in names for n in ROWS}


def is_near(x: np.ndarray, y: np.ndarray) -> bool:
    if x.shape != y.shape or x.dtype != y.dtype:
        return False
    if x.dtype.kind in "biu":
        return np.array_equal(x, y)
    tolerance = TOLERANCE[x.dtype.itemsize // (2 if x.dtype.kind == "c" else 1)]
    return np.allclose(x.astype(np.complex128), y.astype(np.complex128), tolerance, tolerance, equal_nan=True)


# ---- one process ---------------------------------------------------------------------------------


def work(threads: int, seed: int, names: list[str], known: dict) -> tuple[dict[str, str], list[str]]:
    """Hashes of all results by program and shape, and what went wrong."""
    functions = {name: ax.jit(PROGRAMS[name]) for name in names}
    found: dict[str, str] = {}
    wrong: list[str] = []
    start = threading.Barrier(threads)

    def calls(number: int):
        rng = random.Random(seed * threads + number)
        todo = [(name, n) for name in names for n in ROWS] * 2
        rng.shuffle(todo)
        start.wait()
        for name, n in todo:
            case = f"{name}/{n}"
            try:
                made = leaves(functions[name](operand(n)))
            except BaseException as error:
                wrong.append(f"{case}: {type(error).__name__}: {error}")
                continue
            if not all(map(is_near, made, known[case])):
                got, wanted = [[x.ravel()[:4] for x in xs] for xs in (made, known[case])]
                wrong.append(f"{case}: {got}, expected {wanted}")
            bits = sha256(b"".join([x.tobytes() for x in made])).hexdigest()[:16]
            if found.setdefault(case, bits) != bits:
                wrong.append(f"{case}: other bits in another thread")

    callers = [threading.Thread(target=calls, args=(i,)) for i in range(threads)]
    for t in callers:
        t.start()
    for t in callers:
        t.join()
    return found, wrong


def child() -> None:
    job = json.load(sys.stdin)
    known: dict[str, list] = {}
    with np.load(job["expected"]) as file:
        for case in file.files:
            known.setdefault(case.rpartition("#")[0], []).append(file[case])
    ax.config.update("jax_enable_x64", True)
    with warnings.catch_warnings(record=True) as said:  # of programs that could not be compiled
        warnings.simplefilter("always")
        found, wrong = work(job["threads"], job["seed"], job["names"], known)
    json.dump([found, wrong + [str(w.message) for w in said]], sys.stdout)


# ---- many processes ------------------------------------------------------------------------------


def runs(number: int, threads: int = 8, names=tuple(PROGRAMS), modes=None, first: int = 0) -> list[str]:
    """What went wrong in so many runs; `modes` are (cache, tier): an empty one, the one before, or none."""
    modes = modes or [(c, t) for t in ("auto", "quick", "final") for c in ("empty", "full", "off")]
    failures: list[str] = []
    before: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "expected.npz")
        known = {f"{case}#{i}": x for case, xs in expected(names).items() for i, x in enumerate(xs)}
        np.savez(path, **known)
        for run, (cache, tier) in zip(range(first, first + number), cycle(modes)):
            where = os.path.join(folder, f"cache{run - (cache == 'full')}") if cache != "off" else "off"
            environment = {
                **PLAIN, "ADJOINT_CACHE_DIR": where, "ADJOINT_NATIVE_TIER": tier, "ADJOINT_CPU_ENGINE": "native",
                "ADJOINT_NUM_THREADS": "3", "PYTHONFAULTHANDLER": "1",
            }
            job = dict(expected=path, threads=threads, seed=run, names=list(names))
            command = [sys.executable, "-c", "from tests.engines.stress import child; child()"]
            started = time.monotonic()
            try:
                done = subprocess.run(
                    command, input=json.dumps(job), env=environment, cwd=ROOT, capture_output=True, text=True,
                    timeout=HANGS,
                )
                found, wrong = json.loads(done.stdout) if not done.returncode else ({}, [done.stderr[-4000:]])
            except subprocess.TimeoutExpired:
                found, wrong = {}, [f"hangs: nothing in {HANGS} seconds"]
            others = [c for c, bits in found.items() if before.setdefault(c, bits) != bits]
            wrong += [f"{case}: other bits in another run" for case in others]
            failures += [f"run {run}, {cache} cache, tier {tier}: {w}" for w in wrong]
            seconds = time.monotonic() - started
            print(f"\r{run} {cache} {tier} {seconds:.0f} s, {len(failures)} failures", file=sys.stderr, flush=True)
    return failures


LIVES = {
    "forks": lambda n: [lives.forked(name, n) for name in lives.WHILE],
    "interrupts": lives.interrupted,
    "growth": lambda n: lives.alone(f"growth({n}, 200, 50)"),
    "calls": lambda n: lives.alone(f"calls({n}, 2)"),
    "pool": lives.pooled,
}


if __name__ == "__main__":
    if sys.argv[1] in LIVES:
        LIVES[sys.argv[1]](int(sys.argv[2]))
        sys.exit()
    number, first, threads = [int(x) for x in (sys.argv[1:] + ["0", "8"][len(sys.argv) - 2 :])]
    found = runs(number, threads, first=first)
    print("\n".join(found) or "nothing failed")
    sys.exit(bool(found))
