"""Long sums, eager and compiled: the error does not grow with the number of terms, whatever adds them up."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.modes import compiling

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax, ops
from adjoint.core.process import processors
from adjoint.engines.native.program.table import Executable
from adjoint.engines.native.runtime import threads

N = 40_000
DIMENSIONS = {3: ("NWC", "WIO", "NWC"), 4: ("NHWC", "HWIO", "NHWC")}


def convolved(x, w, groups=1):
    steps = (1,) * (x.ndim - 2)
    numbers = DIMENSIONS[x.ndim]
    return lax.conv_general_dilated(x, w, steps, "VALID", dimension_numbers=numbers, feature_group_count=groups)


def kernel_gradient(x, ct, groups=1):
    shape = *(3,) * (x.ndim - 2), x.shape[-1] // groups, ct.shape[-1]
    return ax.grad(lambda w: (convolved(x, w, groups) * ct).sum())(jnp.ones(shape, x.dtype))


def image_kernel(x, y):
    (h, w), places = y.shape[1:3], [(i, j) for i in range(3) for j in range(3)]
    sums = [np.einsum("nhwc,nhwo->co", x[:, i : i + h, j : j + w], y) for i, j in places]
    return np.reshape(sums, (3, 3, x.shape[-1], y.shape[-1]))


def in_a_loop(x):
    places = jnp.arange(x.shape[1]) % 3
    return lax.scan(lambda sums, row: (sums.at[places].add(row), None), jnp.zeros(3, x.dtype), x)[0]


SUMS = {  # shapes of the arrays of a function, the function, and the same of NumPy's longdoubles
    "columns": ([(N, 8)], lambda x: x.sum(0), lambda x: x.sum(0)),
    "outer axes": ([(N // 50, 5, 10)], lambda x: x.sum((0, 2)), lambda x: x.sum((0, 2))),
    "turned": ([(N, 4)], lambda x: x.T.sum(1), lambda x: x.sum(0)),
    "mean": ([(N, 3)], lambda x: x.mean(0), lambda x: x.mean(0)),
    "running": ([(N,)], jnp.cumsum, np.cumsum),
    "running columns": ([(N, 3)], lambda x: lax.cumsum(x, 0, reverse=True), lambda x: x[::-1].cumsum(0)[::-1]),
    "dot": ([(N,), (N,)], jnp.dot, lambda x, y: (x * y).sum()),
    "dot, reversed": ([(N,), (N,)], lambda x, y: jnp.dot(x, y[::-1]), lambda x, y: (x * y[::-1]).sum()),
    "matrix and vector": ([(3, N), (N,)], jnp.matmul, lambda x, y: (x * y).sum(1)),
    "vector and matrix": ([(N,), (N, 3)], jnp.matmul, lambda x, y: (x[:, None] * y).sum(0)),
    "matrices": ([(3, N), (N, 2)], jnp.matmul, lambda x, y: (x[..., None] * y).sum(1)),
    "inner products": ([(N, 3), (N, 3)], lambda x, y: jnp.einsum("ij,ij->j", x, y), lambda x, y: (x * y).sum(0)),
    "gradient of a matrix": (
        [(N // 8, 4), (N // 8, 2)], lambda x, y: ax.grad(lambda w: ((x @ w) * y).sum())(jnp.ones((4, 2), x.dtype)),
        lambda x, y: (x[..., None] * y[:, None]).sum(0),
    ),
    "norm": ([(N, 2)], lambda x: jnp.linalg.norm(x, axis=0), lambda x: np.sqrt((x * x).sum(0))),
    "one place": ([(N,)], lambda x: jnp.zeros(2, x.dtype).at[jnp.zeros(N, int)].add(x)[:1], lambda x: x.sum()[None]),
    "subtracted": ([(N,)], lambda x: jnp.zeros(9, x.dtype).at[jnp.zeros(N, int)].subtract(x)[:1], lambda x: -x.sum()),
    "rows": (
        [(N, 3)], lambda x: jnp.zeros((2, 3), x.dtype).at[jnp.arange(N) % 2].add(x),
        lambda x: np.stack([x[::2].sum(0), x[1::2].sum(0)]),
    ),
    "segments": (
        [(N,)], lambda x: ops.segment_sum(x, jnp.arange(N) * 2 // N, 2), lambda x: x.reshape(2, -1).sum(1)
    ),
    "weights": ([(N,)], lambda x: jnp.bincount(jnp.zeros(N, int), x, length=1), lambda x: x.sum()),
    "windows": (
        [(N,)], lambda x: lax.reduce_window(x, x.dtype.type(0), lax.add, (N // 2,), (N // 2,), "VALID"),
        lambda x: x.reshape(2, -1).sum(1),
    ),
    "sequences": ([(N,), (N,)], lambda x, y: jnp.correlate(x, y), lambda x, y: (x * y).sum()),
    "depthwise kernel": (
        [(2, N // 8 + 2, 4), (2, N // 8, 4)], lambda x, y: kernel_gradient(x, y, 4)[:, 0],
        lambda x, y: np.stack([(x[:, k : k + N // 8] * y).sum((0, 1)) for k in range(3)]),
    ),
    "one feature": (
        [(4, N // 4 + 2, 1), (4, N // 4, 1)], lambda x, y: kernel_gradient(x, y)[:, 0],
        lambda x, y: np.stack([(x[:, k : k + N // 4] * y).sum((0, 1)) for k in range(3)]),
    ),
    "kernel of images": (
        [(2, N // 400 + 2, 102, 2), (2, N // 400, 100, 3)], kernel_gradient, image_kernel,
    ),
    "features": (
        [(1, 3, N), (1, N, 4)], convolved, lambda x, w: np.einsum("nik,kj->nij", x, w[0]),
    ),
    "in a loop": (
        [(2, N // 2)], in_a_loop, lambda x: np.stack([x[:, i::3].sum() for i in range(3)]),
    ),
    "mapped axis": (
        [(N // 4, 4)], lambda x: ax.vmap(lambda v: lax.psum(v, "i"), axis_name="i", out_axes=None)(x),
        lambda x: x.sum(0),
    ),
}


SCATTERS = "one place", "subtracted", "rows", "segments", "in a loop"
NATIVE = (  # compiled as routines
    *SCATTERS, "running", "running columns", "dot", "vector and matrix", "sequences", "depthwise kernel",
    "kernel of images", "features",
)
CASES = [("numpy", name, dtype) for name in SUMS for dtype in ("float32", "float64", "float16")]
CASES += [("native", name, dtype) for name in NATIVE for dtype in ("float32", "float64")]
CASES += [("native", name, "float16") for name in (*SCATTERS, "running", "running columns")]
CASES += [("native", name, "complex64") for name in SCATTERS]
CASES += [("numpy", name, "bfloat16") for name in SCATTERS]


@pytest.fixture
def engine(request):
    before = ax.config.cpu_engine
    ax.config.update("cpu_engine", request.param)
    yield request.param
    ax.config.update("cpu_engine", before)


@pytest.mark.parametrize("engine, name, dtype", CASES, indirect=["engine"])
def test_long_sums_are_true_but_for_a_few_units_in_the_last_place(name, dtype, engine):
    shapes, function, exact = SUMS[name]
    wide = {"float64": np.longdouble, "complex64": np.complex128}.get(dtype, np.float64)
    with ax.enable_x64(dtype == "float64"):
        compiled = ax.jit(function)
        rng = np.random.default_rng(5)
        for values in (lambda s: np.full(s, 0.1), rng.random, lambda s: rng.normal(size=s)):
            xs = [values(s).astype(jnp.dtype(dtype)) for s in shapes]
            true, size = exact(*[x.astype(wide) for x in xs]), exact(*[abs(x.astype(wide)) for x in xs])
            for f in (function, compiled):
                error = abs(np.asarray(f(*map(jnp.asarray, xs)), wide) - true)
                units = error / (float(jnp.finfo(dtype).eps) * abs(size))
                assert units.max() <= 1.5 * np.log2(N), units.max()


FEWER = {  # shapes for n terms, and the function: every result is the sum of n equal products
    "matrices": (lambda n: [(3, n), (n, 2)], jnp.matmul),
    "square matrices": (lambda n: [(70, n), (n, 70)], jnp.matmul),
    "columns": (lambda n: [(n, 4), (n, 2)], lambda x, y: x.T @ y),
    "matrix and vector": (lambda n: [(3, n), (n,)], jnp.matmul),
    "vector and matrix": (lambda n: [(n,), (n, 40)], jnp.matmul),
    "batches": (lambda n: [(4, 3, n), (4, n, 2)], jnp.matmul),
    "inner products": (lambda n: [(n, 3), (n, 3)], lambda x, y: jnp.einsum("ij,ij->j", x, y)),
    "sequences": (lambda n: [(n + 10,), (n,)], lambda x, y: jnp.correlate(x, y, mode="valid")),
    "depthwise": (lambda n: [(1, n + 2, 4), (n, 1, 4)], partial(convolved, groups=4)),
    "image": (lambda n: [(2, n // 50 + 2, 9, 10), (n // 50, 5, 10, 3)], convolved),
    "gradient of a kernel": (lambda n: [(2, n // 2 + 2, 3), (2, n // 2, 4)], kernel_gradient),
    "one feature": (lambda n: [(2, n // 2 + 2, 1), (2, n // 2, 1)], kernel_gradient),
}
ENGINES = [("native", name) for name in FEWER if name not in ("matrix and vector", "inner products")]
_MANY = "square matrices", "vector and matrix", "image", "gradient of a kernel"  # sums, left to BLAS
ENGINES += [("numpy", name) for name in FEWER if name not in _MANY]


@compiling
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("engine, name", ENGINES, indirect=["engine"])
def test_sums_of_hundreds_of_equal_terms_are_true_but_for_a_few_units_in_the_last_place(name, dtype, engine):
    shapes, function = FEWER[name]
    with ax.enable_x64(dtype == "float64"):
        compiled = ax.jit(function)
        for n in (250, 1000) if engine == "numpy" else (100, 250, 1000):
            for value in (0.1, 0.7, 0.0165):
                xs = [jnp.full(shape, value, dtype) for shape in shapes(n)]
                true = np.longdouble(np.asarray(xs[0]).flat[0]) ** 2 * n
                for f in (compiled, function) if engine == "numpy" else (compiled,):
                    error = abs(np.asarray(f(*xs), np.longdouble) - true) / (float(jnp.finfo(dtype).eps) * true)
                    assert error.max() <= 6.5, (n, value, error.max())


@pytest.mark.parametrize("name", ["running", "one place", "segments", "matrices", "kernel of images", "features"])
def test_long_sums_of_routines_do_not_depend_on_the_number_of_threads(name):
    shapes, function, _ = SUMS[name]
    xs = [np.random.default_rng(i).random(s, np.float32) for i, s in enumerate(shapes)]
    compiled = Executable(ax.make_jaxpr(function)(*xs))
    try:
        seen = []
        for n in (1, 2, 3):
            threads.resize(n)
            seen.append(np.asarray(compiled(*xs)[0]))
    finally:
        threads.resize(processors.count())
    for other in seen[1:]:
        np.testing.assert_array_equal(seen[0], other)


@pytest.mark.parametrize("dtype", ["f4", "f8", "f2"])
@pytest.mark.parametrize("many", [0, 70, 3000])
def test_rows_that_are_added_to_few_places_keep_their_digits(many, dtype):
    """Rows are added one after the other where no place has many of them, which is known when they are counted."""
    random = np.random.default_rng(0)
    places = np.concatenate([random.permutation(120), random.permutation(120), np.full(many, 7)])
    x, rows = random.random((120, 16)).astype(dtype), random.random((len(places), 16)).astype(dtype)
    true = x.astype(np.longdouble)
    np.add.at(true, places, rows)
    with ax.enable_x64(True):
        got = Executable(ax.make_jaxpr(lambda x, i, rows: x.at[i].add(rows))(x, places, rows))(x, places, rows)[0]
    few = 3 * np.finfo(dtype).eps * true
    assert (abs(np.asarray(got, np.longdouble) - true) <= few).all()
