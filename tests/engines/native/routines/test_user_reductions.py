"""Reductions, windows and updates by programs of the user, and of complex numbers: as on the NumPy engine."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from tests.engines.agreement import assert_agrees, host_steps
from tests.modes import unchecked
from tests.recorded import jax
from tests.streams import stream

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.control_flow.folds import select_and_scatter_p
from adjoint.core.trace import stage_closed
from adjoint.core.types import ShapedArray

RNG = stream()
Z = (RNG.normal(size=(5, 37)) + 1j * RNG.normal(size=(5, 37))).astype(np.complex64)
W = Z[:, ::-1] * np.complex64(1j)
X = Z.real.copy()
UNIT = np.exp(1j * RNG.normal(size=(3, 1001))).astype(np.complex64)
NANS = Z.copy()
NANS[1, 5], NANS[3, 7] = complex(np.nan, 1), complex(2, np.nan)
I = np.array([0, 3, 3, 9, -1])
times = lambda a, b: a * b
scalar = ShapedArray((), np.dtype("f4"))

REDUCTIONS = dict(
    products=(lambda z, u: (jnp.prod(z), jnp.prod(z, 0), jnp.prod(z.T, 0), jnp.prod(u), jnp.prod(u, 1)), Z, UNIT),
    extremes=(lambda z, n: (jnp.max(z), jnp.min(z, 0), jnp.max(n, 1), jnp.min(n.T, 1), jnp.max(n)), np.round(Z), NANS),
    running=(lambda z, n: [
        f(v, axis, reverse) for f in (lax.cumprod, lax.cummax, lax.cummin, lax.cumsum) for v in (z, n)
        for axis in (0, 1) for reverse in (False, True)
    ], UNIT[:, :40], NANS),
    logsumexp=(lambda z: (lax.cumlogsumexp(z, 0), lax.cumlogsumexp(z * 5, 1, reverse=True)), Z),
    programs=(lambda z, x: (
        lax.reduce(z, np.complex64(1), times, (0,)), lax.reduce(x > 0, np.bool_(False), lambda a, b: a ^ b, (1,)),
        lax.reduce((x, z), (np.float32(0), np.complex64(2)), lambda a, b: (a[0] + b[0], a[1] + b[1]), (0, 1)),
        lax.reduce(x[:0], np.float32(3), times, (0,)), lax.reduce(x[:, :0], np.float32(3), times, (0,)),
    ), Z, X),
    elements=(lambda z, w, n: (
        lax.max(z, w), lax.min(n, w), lax.clamp(z[0, 0], w, z[0, 1]), z == w, jnp.sort(jnp.round(z), 0), jnp.sort(n, 1),
        lax.sort((jnp.round(z), z.real), dimension=1, num_keys=1),
    ), Z, W, NANS),
    dots=(lambda z, w, x: (z @ w.T, z @ x.T, x @ w.T, jnp.einsum("ij,ij->i", z, w), z[:, :3].T @ w), Z, W, X),
)
SCATTERS = dict(
    complex=(lambda z, w: [
        (getattr(z.at[I], m)(w), getattr(z.at[:, I], m)(w[:, :5]), getattr(z.ravel().at[I], m)(w.ravel()[:5]))
        for m in ("set", "add", "subtract", "multiply", "min", "max")
    ], Z, W),
    applied=(lambda z, x, i: (
        z.at[I].apply(jnp.exp), x.at[I].apply(jnp.sin), i.at[I].apply(lambda v: v * v), i.at[3].apply(lambda v: -v)
    ), Z, X, np.arange(11, dtype=np.int32)),
    loops=(lambda *zx: lax.fori_loop(0, 4, lambda i, c: (c[0].at[i, i].multiply(2j), c[1].at[i].apply(jnp.cos)), zx),
           Z, X),
)


@pytest.mark.parametrize("function,args", [(f, a) for t in (REDUCTIONS, SCATTERS) for f, *a in t.values()],
                         ids=[*REDUCTIONS, *SCATTERS])
def test_complex_numbers_and_programs_are_generated_code(function, args):
    flat = lambda *a: ax.tree.leaves(function(*a))
    assert host_steps(assert_agrees(flat, *args, scale=30)) == []


@pytest.mark.parametrize("window", [(2, 3), (5, 7)])  # in registers, and in a loop
@pytest.mark.parametrize("strides", [(1, 1), (2, 3)])
def test_windows_by_programs(window, strides):
    def function(z, x, i):
        windows = lambda v, start, f, padding="SAME", **o: lax.reduce_window(v, start, f, window, strides, padding, **o)
        greater = lambda a, b: jnp.where(a > b, a, b)
        return (
            windows(z, np.complex64(1), times), windows(x, np.float32(1), times), windows(z, -np.inf + 0j, lax.max),
            windows(i, np.int8(-128), greater, "VALID"), windows(x, np.float32(0), greater, [(3, 0), (1, 9)]),
            *windows((x, z), (np.float32(0), np.complex64(0)), lambda a, b: (a[0] + b[0], a[1] + b[1])),
            windows(x[:, :0], np.float32(1), times, [(0, 0), (9, 9)]), windows(x[:0], np.float32(1), times, "VALID"),
        )

    assert host_steps(assert_agrees(function, Z, X, (X * 9).astype(np.int8), scale=30)) == []


@pytest.mark.parametrize("select", [lax.ge, lax.lt], ids=["ge", "lt"])
@pytest.mark.parametrize("combine", [lax.add, lax.mul, lax.max], ids=["add", "mul", "max"])
@pytest.mark.parametrize("window", [(2, 3), (9, 8)])
def test_select_and_scatter_by_programs(select, combine, window):
    program = lambda f: stage_closed(lambda a, b: [f(a, b)], [scalar, scalar])
    params = dict(
        select_jaxpr=program(select), select_consts=(), scatter_jaxpr=program(combine), scatter_consts=(),
        window_dimensions=window, window_strides=(1, 2), padding=((window[0] - 1, 0), (window[1] - 2, 1)),
    )
    run = lambda x, y, z: select_and_scatter_p.bind(x, y, z, **params)
    assert host_steps(assert_agrees(run, X, X[:, :19], np.float32(2))) == []


@pytest.mark.parametrize("dtype", "int8 uint8 int16 int32 uint32 int64 uint64 bool".split())
def test_products_of_integers(dtype):
    whole = lambda *shape: RNG.integers(-(2**62), 2**62, shape).astype(dtype)

    def function(a, b):
        out = [a @ b, a.T @ a, a @ b[:, 0], a[0] @ b, a.reshape(4, 10, 50) @ jnp.stack([b] * 4)]
        if dtype not in ("bool", "int64", "uint64"):
            wide = "int64" if dtype[0] == "i" else "uint64"
            out += [lax.dot(a, b, preferred_element_type=t) for t in (wide, "float32")]
        return out

    with ax.enable_x64(True):
        assert host_steps(assert_agrees(function, whole(40, 50), whole(50, 33), scale=30)) == []


def test_products_of_several_types():
    a, b = RNG.integers(-99, 99, (30, 40)).astype(np.int8), RNG.normal(size=(40, 30))
    product = lambda x, y, t: lax.dot(x, y, preferred_element_type=t)

    def function(a, b):
        half = a.astype("float16") / 64
        return (
            product(a, a.T, "int32"), product(a.astype("uint8"), a.T, "int32"), product(half, half.T, "float32"),
            product(half, b.astype("float32"), None), product(a / 3, b, "bfloat16"), product(a / 3, b, "float16"),
        )

    with ax.enable_x64(True):
        assert host_steps(assert_agrees(function, a, b)) == []


@unchecked
def test_float64_is_rounded_to_halves_once():
    x = RNG.normal(size=4000) * 10.0 ** RNG.integers(-9, 6, 4000)
    near = 1 + 2.0**-11 + 2.0**-40 * np.arange(-2, 3)
    x = np.concatenate([x, near, [np.inf, -np.inf, np.nan, 1e300, 65520, 65519.999999, 5e-324]])
    with ax.enable_x64(True), np.errstate(over="ignore"):
        compiled = assert_agrees(lambda x: x.astype("float16"), x)
        np.testing.assert_array_equal(x.astype(np.float16), compiled(x)[0])
        np.testing.assert_array_equal(
            x.astype(ml_dtypes.bfloat16).astype("f4"), ax.jit(lambda x: x.astype("bfloat16"))(x).astype("float32")
        )


@pytest.mark.parametrize("shape", [(17, 8), (300, 5), (5, 300), (100,)])
def test_a_maximum_written_with_where_passes_over_nans(shape):
    """As in JAX, where the initial value comes first; a NaN that came first would hide what comes before it."""
    random = stream()
    x = np.where(random.random(shape) < 0.3, np.nan, random.integers(1, 99, shape)).astype("f4")
    greatest = lambda x, axes: lax.reduce(x, np.float32(0), lambda a, b: jnp.where(a < b, b, a), axes)
    for axes in [(0,), (len(shape) - 1,), tuple(range(len(shape)))]:
        want = np.nan_to_num(x).max(axes)
        np.testing.assert_array_equal(greatest(x, axes), want)
        np.testing.assert_array_equal(ax.jit(greatest, static_argnums=1)(x, axes), want)


@pytest.mark.parametrize("dtype", ["int32", "float32"])
@pytest.mark.parametrize("n", [20, 33, 64, 1000, 1100])
def test_elements_are_combined_in_one_order_from_the_initial_value_on(n, dtype):
    """In blocks of 32, as in JAX: eager, compiled, mapped, from an initial value for each, and with a traced factor."""
    x, start = stream().integers(-9, 9, (n, 3)).astype(dtype), np.dtype(dtype).type(3)
    halved = (lambda a, b: a * 3 + b) if dtype == "int32" else (lambda a, b: a * np.float32(0.5) + b)
    reduced = lambda x, start, combine=halved, of=lax: of.reduce(x, start, combine, (0,))
    for m, axis in ((x, 0), (x.T, 1)):
        want = np.asarray(jax.lax.reduce(m, start, halved, (axis,)))
        same = lambda found, want=want: np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-6)
        along = lambda m, axis=axis: lax.reduce(m, start, halved, (axis,))
        same(along(m))
        same(ax.jit(along)(m))
        same(ax.vmap(along)(m[None])[0])
        same(ax.vmap(reduced, (1, 0))(x, np.full(3, start)))
        same(ax.jit(ax.vmap(reduced, (1, 0)))(x, np.full(3, start)))
        one = np.ones(1, dtype)
        same(ax.vmap(lambda one: reduced(x, start, lambda a, b: halved(a, b) * one))(one)[0])


def test_long_sums_by_a_program_keep_their_digits(native):
    x = np.full(10**6, 0.1, "f4")
    total = lambda x: lax.reduce((x, x), (np.float32(0),) * 2, lambda a, b: (a[0] + b[0], a[1] + b[1]), (0,))
    for found in (*total(x), *ax.jit(total)(x)):
        np.testing.assert_allclose(found, 1e5, rtol=2e-6)
