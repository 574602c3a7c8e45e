"""Long sums, eager and compiled: the error does not grow with the number of terms, whatever adds them up."""

from __future__ import annotations

import numpy as np
import pytest

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax, ops

N = 40_000
DIMENSIONS = ("NWC", "WIO", "NWC")


def kernel_gradient(x, ct, groups):
    def f(w):
        y = lax.conv_general_dilated(
            x, w, (1,), "VALID", dimension_numbers=DIMENSIONS, feature_group_count=groups
        )
        return (y * ct).sum()

    return ax.grad(f)(jnp.ones((3, x.shape[2] // groups, ct.shape[2]), x.dtype))


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
        [(4, N // 4 + 2, 1), (4, N // 4, 1)], lambda x, y: kernel_gradient(x, y, 1)[:, 0],
        lambda x, y: np.stack([(x[:, k : k + N // 4] * y).sum((0, 1)) for k in range(3)]),
    ),
    "mapped axis": (
        [(N // 4, 4)], lambda x: ax.vmap(lambda v: lax.psum(v, "i"), axis_name="i", out_axes=None)(x),
        lambda x: x.sum(0),
    ),
}


NATIVE = (  # compiled as routines
    "running", "running columns", "dot", "vector and matrix", "one place", "subtracted", "rows", "segments",
    "sequences", "depthwise kernel",
)
CASES = [("numpy", name, dtype) for name in SUMS for dtype in ("float32", "float64", "float16")]
CASES += [("native", name, dtype) for name in NATIVE for dtype in ("float32", "float64")]


@pytest.fixture
def engine(request):
    before = ax.config.cpu_engine
    ax.config.update("cpu_engine", request.param)
    yield request.param
    ax.config.update("cpu_engine", before)


@pytest.mark.parametrize("engine, name, dtype", CASES, indirect=["engine"])
def test_long_sums_are_true_but_for_a_few_units_in_the_last_place(name, dtype, engine):
    shapes, function, exact = SUMS[name]
    with ax.enable_x64(dtype == "float64"):
        compiled = ax.jit(function)
        rng = np.random.default_rng(5)
        for values in (lambda s: np.full(s, 0.1), rng.random, lambda s: rng.normal(size=s)):
            xs = [values(s).astype(dtype) for s in shapes]
            wide = [x.astype(np.longdouble) for x in xs]
            for f in (function, compiled):
                got = np.asarray(f(*map(jnp.asarray, xs)), np.longdouble)
                units = abs(got - exact(*wide)) / (np.finfo(dtype).eps * abs(exact(*map(abs, wide))))
                assert units.max() <= 2 * np.log2(N), units.max()
