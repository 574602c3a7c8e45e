"""Functions that NumPy computes when they are called on arrays: the values of their programs, of NumPy and of lists."""

from __future__ import annotations

import itertools
import re
import weakref

import numpy as np
import pytest
from tests.modes import compiling, promoting, unchecked
from tests.recorded import jax
from tests.streams import stream

import adjoint
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.numpy import shortcuts
from adjoint.numpy.searching import ranks
from adjoint.prims.dot import dot_general
from adjoint.prims.shape import transpose
from adjoint.transforms.jit import replay

RNG = stream()
X = RNG.standard_normal(40_000).astype("float32")
ZEROS = np.where(np.arange(40_000) % 3, X, np.copysign(np.float32(0), X))
NANS = np.where(np.arange(40_000) % 1000, X, np.copysign(np.float32(np.nan), X))
I = RNG.integers(-3, 30, 40_000).astype("int32")
EDGES = np.sort(RNG.standard_normal(20)).astype("float32")
MATRIX = X.reshape(200, 200)
bits = lambda x: np.asarray(x).view(f"i{x.dtype.itemsize}")

EXACT = """
jnp.sort(x) ; jnp.sort(z) ; jnp.sort(z, descending=True) ; jnp.sort(z.reshape(200, 200), axis=0) ; jnp.sort(i)
jnp.argsort(x) ; jnp.argsort(z) ; jnp.argsort(z, descending=True) ; jnp.argsort(z.reshape(200, 200), 0) ; jnp.argsort(m)
jnp.bincount(i, length=9) ; jnp.bincount(abs(i), length=40) ; jnp.bincount(i.astype('uint8'), length=300)
jnp.histogram(x, e) ; jnp.histogram(n, e * 3) ; jnp.histogram(i, 6)[0]
jnp.histogram(n, 4) ; jnp.histogram(z[:1] + jnp.zeros(9, z.dtype), 4) ; jnp.histogramdd(m[:, :2], 3)[0]
jnp.digitize(x, e) ; jnp.digitize(n, e[::-1]) ; jnp.digitize(z, e, right=True) ; jnp.digitize(e, e[::-1])
jnp.searchsorted(e, n) ; jnp.searchsorted(e, e, 'right') ; jnp.searchsorted(jnp.sort(x), n, 'right')
jnp.einsum('ii->i', m) ; jnp.einsum('ij->ji', m) ; jnp.einsum('iij->ij', m[:8].reshape(10, 10, 16))
jnp.take_along_axis(m, jnp.argsort(m, 1), 1) ; jnp.take_along_axis(x, i, 0)
jnp.repeat(m, 3, axis=0) ; jnp.repeat(x, 2)
"""
CLOSE = """
jnp.histogram(x, 50)[1] ; jnp.histogram(x, 7, (-1., 1.))[1] ; jnp.histogram(n, 5, (-1, 1))[1] ; jnp.histogram(i, 6)[1]
jnp.linalg.norm(m) ; jnp.var(m) ; jnp.var(m, axis=0, ddof=1) ; jnp.var(m, 1, keepdims=True)
jnp.bincount(abs(i), x, length=40) ; jnp.histogram(x, 5, weights=x)[0] ; jnp.histogram(x, 5, density=True)
jnp.interp(x, e, e * e) ; jnp.interp(n, e, e * e, left=-1, right=7) ; jnp.interp(x, e, e, period=1.5)
jnp.einsum('ii', m) ; jnp.einsum('iji->j', m[:8].reshape(10, 16, 10)) ; jnp.einsum('ii,ij->j', m, m)
jnp.convolve(x, e) ; jnp.convolve(e, x, 'same') ; jnp.convolve(x, e[:3], 'valid') ; jnp.correlate(e, x, 'full')
"""


def rows(table):
    return [row for line in table.strip().splitlines() for row in line.split(" ; ")]


def marks(row):
    """Return the marks of the modes in which JAX refuses a row: of mixed dtypes, or that gives NaN."""
    found = (promoting, r"\dj"), (unchecked, r"\bn\b|divmod|remainder")
    return [mark for mark, pattern in found if re.search(pattern, row)]


@pytest.mark.usefixtures("numpy_engine")
@pytest.mark.parametrize("row, rtol", [
    pytest.param(row, rtol, marks=marks(row)) for table, rtol in ((EXACT, 0), (CLOSE, 2e-5)) for row in rows(table)
])
def test_values(row, rtol):
    """The first call, which is planned at once, and the second: what the program gives on the NumPy engine."""
    run = eval(f"lambda jnp, x, z, n, i, e, m: {row}")
    args = [jnp.asarray(a) for a in (X, ZEROS, NANS, I, EDGES, MATRIX)]
    expected = adjoint.jit(lambda *args: run(jnp, *args))(*args)
    for _ in range(2):
        for a, b in zip(adjoint.tree.leaves(expected), adjoint.tree.leaves(run(jnp, *args)), strict=True):
            assert a.aval == b.aval
            scale = np.nanmax(np.abs(np.asarray(a)), initial=1)
            np.testing.assert_allclose(np.asarray(b), np.asarray(a), rtol=rtol, atol=rtol * scale)
            if "sort(z" in row:
                np.testing.assert_array_equal(bits(a), bits(b))


@pytest.mark.parametrize("mask", [MATRIX > 0.3, MATRIX.T[:200] > 0, X[:200] > 0], ids=["elements", "turned", "rows"])
def test_masks(mask):
    given = jnp.asarray(mask)
    for x in (MATRIX, MATRIX.T, np.stack([MATRIX, MATRIX], -1)):
        np.testing.assert_array_equal(jnp.asarray(x)[given], x[mask])
        np.testing.assert_array_equal(jnp.asarray(x)[mask], x[mask])
    with pytest.raises(IndexError):
        jnp.asarray(X)[jnp.asarray(X[:-1] > 0)]


@pytest.mark.parametrize("kth", [0, 300, 39_999])
def test_partitions(kth):
    for x in (X, I, NANS):
        out, index = np.asarray(jnp.partition(jnp.asarray(x), kth)), np.asarray(jnp.argpartition(jnp.asarray(x), kth))
        if x is not NANS:
            assert out[kth] == x[index[kth]] == np.sort(x)[kth]
            assert out[:kth].max(initial=out[kth]) == out[kth] == out[kth:].min()
        for chosen in (out, x[index]):
            np.testing.assert_array_equal(np.sort(chosen), np.sort(x))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint32", "int64"])
def test_ranks_are_those_of_numpy(dtype):
    for size in (1, 2, 7, 8, 1000, 2**15 + 1):
        a, v = ((RNG.standard_normal(n) * 50 + 99).astype(dtype) for n in (size, 5000))
        a.sort()
        v[:2] = a[0], a[-1]
        if dtype.startswith("f"):
            v[2:6] = np.nan, np.inf, -np.inf, -0.0
            a[-2:] = np.nan
        else:
            v[2], v[3], a[-1] = np.iinfo(dtype).max, np.iinfo(dtype).min, np.iinfo(dtype).max
        for side in ("left", "right"):
            np.testing.assert_array_equal(ranks(a, v.reshape(50, 100), side).ravel(), np.searchsorted(a, v, side))


@pytest.mark.parametrize("values", [
    [1.5] * 600, list(range(-300, 300)), [[1.0, 2.0]] * 300, [(1, 2, 3)] * 200, [[1, 2], (3, 4)] * 200,
    [1.0, 2] * 300, [True] * 600, [1.0, np.float32(2)] * 300, [float("nan"), -0.0, 1e300] * 200, [[[1]] * 30] * 20,
])
def test_long_lists(values):
    """Read at once, they are what they are in short ones."""
    out, few = jnp.array(values), jnp.array(values[:3])
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(np.asarray(out), np.array(values).astype(out.dtype))
    assert out.dtype == few.dtype and out.weak_type == few.weak_type
    assert jnp.array(values, "float32").dtype == np.float32


@pytest.mark.parametrize("values", [[[1.0, 2.0], [1.0]] * 300, [1.0, None] * 300, [1.0, "a"] * 300, [2**40] * 600])
def test_long_lists_that_are_no_arrays(values):
    for few in (values, values[:2]):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            jnp.array(few)


def test_numbers_of_no_points():
    assert jnp.bincount(jnp.zeros(0, "uint8")).shape == (0,)
    np.testing.assert_array_equal(jnp.zeros((0, 3))[jnp.arange(0)], np.zeros((0, 3)))
    assert jnp.diagonal(jnp.zeros((0, 3))).shape == (0,)
    assert jnp.intersect1d(jnp.zeros(0), jnp.ones(3), size=4).shape == (4,)


COMPILED = """
random.normal(k, (7,)) ; random.normal(k, (2, 3), 'bfloat16') ; random.normal(k, (4,), 'complex64')
random.uniform(k, (5,), minval=-3., maxval=7.3) ; random.randint(k, (9,), -3, 40, 'int8') ; random.gamma(k, 0.3, (5,))
random.triangular(k, 0., 0.3, 1., (9,)) ; random.t(k, 3., (4,)) ; random.rademacher(k, (9,))
jnp.sort(n[:999]) ; jnp.sort(z[:50]) ; jnp.argsort(z[:999]) ; jnp.searchsorted(e, n[:99]) ; jnp.digitize(x[:99], e)
jnp.where(x > 0, x, -1.5) ; jnp.clip(n, -0.5, 0.7) ; jnp.repeat(x[:99], 3) ; jnp.diff(x[:99], 2) ; jnp.kron(e, x[:9])
jnp.interp(x[:99], e, e * e) ; jnp.linspace(x[0], x[1], 99) ; jnp.quantile(x[:99], e * 0 + 0.3) ; jnp.median(x[:999])
jnp.partition(x[:30], 7) ; jnp.partition(n[:99], 7) ; jnp.argpartition(n[:99], 7) ; jnp.argpartition(i[:2000], 99)
lax.top_k(n[:99], 7) ; lax.sort((i[:99], x[:99]), num_keys=1) ; lax.cummax(i[:99]) ; jnp.isin(i[:99], i[:9])
jnp.cumsum(i) ; jnp.cumprod(i[:9]) ; jnp.sum(i) ; jnp.max(i[:9]) ; jnp.any(i) ; jnp.argmax(n) ; jnp.count_nonzero(n)
jnp.trace(i[:900].reshape(30, 30)) ; jnp.trace(m) ; jnp.einsum('ij,j', i[:900].reshape(30, 30), i[:30]) ; jnp.dot(i, i)
jnp.bincount(abs(i[:99]), length=9) ; jnp.nonzero(n[:99], size=50) ; jnp.histogram(x[:999]) ; jnp.histogram(n[:99], 3)
jnp.concatenate([x[:9], n[:9]]) ; jnp.stack((x[:9], x[:9])) ; jnp.tile(x[:9], 3) ; jnp.roll(x[:9], 2) ; jnp.flip(m)
x.repeat(7)[abs(i).repeat(7)] ; jnp.take(n.repeat(7), i.repeat(7))
jnp.var(m.repeat(9)) ; jnp.linalg.solve(m[:9, :9], m[:9]) ; jnp.linalg.inv(m[:5, :5])
jnp.heaviside(z[:9], 0.5) ; jnp.nan_to_num(n[:99] * 1e38 * 10) ; jnp.take_along_axis(m[:9], abs(i[:9, None]) % 9, 1)
jnp.divmod(n[:99], x[:99]) ; jnp.divmod(i[:99], 7) ; jnp.isclose(n[:99], n[:99] + 1e-6) ; jnp.allclose(x, x + 1e-7)
jnp.gradient(m[:9] + 1j * m[9:18], 0.3) ; jnp.gradient(x[:99], 0.3) ; jnp.ediff1d(n[:99])
jnp.cross(m[:9, :3], m[1:10, 2:5])
jnp.cross(i[:3], i[3:6]) ; jnp.tril(m[:9]) ; jnp.triu(i[:81].reshape(9, 9), 1) ; jnp.divmod(z[:99], z[1:100])
jnp.divmod(x[:99].astype('bfloat16'), 0.3) ; jnp.gradient(x[:99].astype('float16')) ; jnp.cross(e[:2], e[1:3])
jnp.nan_to_num(n[:99] + 1j) ; jnp.isclose(n[:99] + 1j, n[:99])
jnp.cross(m[:9, :3] + 1j, m[1:10, 2:5] + 2j)
jnp.nanstd(n[:99]) ; jnp.nanmean(m[:9], 1) ; jnp.nanvar(i[:99]) ; jnp.cov(m[:5, :9]) ; jnp.corrcoef(m[:5, :9] * 1j + 1)
jnp.unwrap(x[:99] * 9) ; jnp.i0(x[:99]) ; jnp.sinc(z[:99]) ; jnp.logaddexp(x[:99], n[:99]) ; jnp.logaddexp2(i[:9], 2)
jnp.trapezoid(m[:9], m[9:18]) ; jnp.frexp(n[:99] * 9) ; jnp.hypot(i[:99], 3) ; jnp.power(i[:99], abs(i[:99]))
jnp.std(m[:9], 1, ddof=1) ; jnp.std(i[:99]) ; jnp.ldexp(x[:99], i[:99])
jnp.vander(x[:9]) ; jnp.var(i[:99].astype('uint8')) ; jnp.spacing(n[:99])
jnp.modf(n[:99]) ; jnp.nanargmin(n[:99]) ; jnp.remainder(x[:99], z[:99]) ; jnp.lcm(i[:99], 6)
jnp.poly(x[:9]) ; jnp.poly(x[:40]) ; i[:2000] ** 3 ; i ** 5 ; jnp.array(3) ** i ; i[:9] ** 0 ; (i < 9) ** 2
jnp.linalg.det(m[:9, :9]) ; jnp.linalg.qr(m[:9, :5]).Q ; jnp.linalg.svd(m[:9, :5]).U ; jnp.linalg.cholesky(m @ m.T)
"""


@pytest.mark.parametrize("row", [pytest.param(row, marks=marks(row)) for row in rows(COMPILED)])
def test_compiled_calls_have_the_bits_of_the_first_ones(row, monkeypatch):
    """A program that is called often is compiled; nobody sees when."""
    monkeypatch.setattr(replay, "perf_counter", itertools.count().__next__)  # each call takes a second
    run = eval(f"lambda random, jnp, lax, k, x, z, n, i, e, m: {row}")
    key, *arrays = adjoint.random.key(7), *[jnp.asarray(a) for a in (X, ZEROS, NANS, I, EDGES, MATRIX)]
    calls = [adjoint.tree.leaves(run(adjoint.random, jnp, lax, key, *arrays)) for _ in range(6)]
    first, *others = [[(x.aval, np.asarray(x).tobytes()) for x in leaves] for leaves in calls]
    assert others == [first] * 5
    if "(k" in row:
        key.delete()
        with pytest.raises(RuntimeError, match="deleted"):
            run(adjoint.random, jnp, lax, key, *arrays)


def test_what_is_compiled_at_once_keeps_signs_of_zeros_and_what_roots_leave():
    """As JAX: products of complex numbers are not compiled in eager functions, nor convolutions with NaN."""
    x = np.array([1.5, -2.5], "complex64")
    expected = np.signbit(jax.numpy.sinc(x).imag)
    np.testing.assert_array_equal(np.signbit(np.asarray(jnp.sinc(jnp.asarray(x))).imag), expected)
    for roots in ([1, np.nan], [np.inf, np.inf], [1, 2, -np.inf]):
        for _ in range(3):
            np.testing.assert_array_equal(jnp.poly(jnp.array(roots, "float32")), jax.numpy.poly(np.float32(roots)))


@pytest.mark.parametrize("first", [1.5, 2, np.float32(0.5), np.int32(1)])
@pytest.mark.parametrize(
    "call",
    [
        lambda x, e: jnp.interp(x, e, e * e), lambda x, e: jnp.digitize(x, e), lambda x, e: jnp.quantile(e, x),
        lambda x, e: jnp.searchsorted(e, x), lambda x, e: jnp.isin(x, e), lambda x, e: jnp.polyval(e, x),
    ],
)
def test_a_number_in_place_of_an_array_is_the_same_in_every_call(call, first):
    e = jnp.arange(1.0, 5.0)

    def outcome():
        try:
            return np.asarray(call(first, e)).tolist()
        except Exception as error:
            return type(error)

    found = [outcome() for _ in range(4)]
    assert found[1:] == found[:-1]


@compiling
def test_plans_keep_no_operand():
    x = jnp.asarray(MATRIX[:3, :3])
    for _ in range(4):
        jnp.linalg.det(x), jnp.linalg.solve(x, x)
    gone = weakref.ref(x)
    del x
    assert gone() is None


@pytest.mark.parametrize("p", [dot_general, transpose], ids=str)
def test_planned_steps_do_what_evaluation_does(p):
    planned = 0
    for operands, params in p.example_calls:
        buffers = [RNG.standard_normal(x.shape).astype(x.dtype) for x in operands]
        step = p.specialize_rule(*[adjoint.typeof(jnp.asarray(b)) for b in buffers], **params)
        if step is not None:
            planned += 1
            np.testing.assert_array_equal(step(*buffers), p.evaluate_rule(*buffers, **params))
    assert planned


VALUED = """
np.unique(x) ; np.unique(x, return_counts=True) ; np.unique(x, True, True, True) ; np.unique(x, equal_nan=False)
np.nonzero(x) ; np.flatnonzero(x.reshape(-1, 1)) ; np.nonzero(x[None, :]) ; np.nonzero(x, size=4) ; np.bincount(i)
np.bincount(i, minlength=9) ; np.bincount(i, length=3) ; np.bincount(i, i * 0.5)
np.isin(x, x[:3]) ; np.trace(x[:9].reshape(3, 3), 1)
"""


@pytest.mark.parametrize("dtype", ["float32", "int32", "bool"])
def test_results_whose_shapes_depend_on_values(dtype):
    """The first call, the planned ones, and JAX agree, in types too."""
    for size in (0, 12):
        x = RNG.integers(-3, 4, size).astype(dtype)
        x[::3] = np.nan if dtype[0] == "f" else x[::3]
        i = RNG.integers(-3, 5, size).astype("int32")
        for row in rows(VALUED):
            if "trace" in row and size < 9:
                continue
            run = eval(f"lambda np, x, i: {row}")
            expected = jax.tree.leaves(run(jax.numpy, jax.numpy.asarray(x), jax.numpy.asarray(i)))
            for _ in range(3):
                for a, b in zip(expected, adjoint.tree.leaves(run(jnp, jnp.asarray(x), jnp.asarray(i))), strict=True):
                    assert (a.shape, a.dtype, a.weak_type) == (b.shape, b.dtype, b.weak_type), row
                    np.testing.assert_array_equal(np.asarray(b), np.asarray(a), row)


@pytest.fixture
def _at_once(monkeypatch):
    monkeypatch.setattr(replay, "perf_counter", itertools.count().__next__)  # each call takes a second


@pytest.mark.usefixtures("_at_once")
def test_calls_that_are_answered_by_generated_code():
    """Settings, types and kinds of operands are told apart, and options and transformations are seen."""
    x, m = jnp.asarray(X[:99]), jnp.asarray(MATRIX[:5, :9])
    for _ in range(6):
        for a in (x, m, m.T, jnp.asarray(I[:99]), X[:99], X[:99].astype("float64")):
            for axis in (-1, 0):
                np.testing.assert_array_equal(jnp.sort(a, axis), np.sort(np.asarray(a, np.asarray(a).dtype), axis))
                np.testing.assert_array_equal(jnp.sort(a, axis=axis, descending=True), -np.sort(-np.asarray(a), axis))
        assert jnp.sort(m, None).shape == (45,) and jnp.sort(X[:3].astype("float64")).dtype == np.float32
        assert [v.dtype for v in lax.top_k(x, 2)] == ["float32", "int32"] and lax.top_k(x, 3)[0].shape == (3,)
        with adjoint.enable_x64(True):
            assert jnp.argsort(x).dtype == np.int64 and jnp.sort(X[:3].astype("float64")).dtype == np.float64
        assert jnp.argsort(x).dtype == np.int32
    order = np.argsort(X[:99])
    np.testing.assert_array_equal(adjoint.grad(lambda x: jnp.sort(x)[0])(x), np.arange(99) == order[0])
    np.testing.assert_array_equal(adjoint.vmap(jnp.sort)(m), np.sort(m, 1))
    assert "sort" in str(adjoint.make_jaxpr(jnp.sort)(x))
    with pytest.raises(ValueError, match="out of bounds"):
        jnp.sort(x, 1)
    x.delete()
    with pytest.raises(RuntimeError, match="deleted"):
        jnp.sort(x)


def test_elementwise_calls_that_are_answered_by_generated_code(monkeypatch):
    """What is called often keeps its bits and types."""
    monkeypatch.setattr(shortcuts, "_CALLS_PER_COMPILATION", 3)
    edges = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, 3e38, 1.5], np.float32)
    x, y, i = jnp.asarray(edges), jnp.asarray(edges[::-1].copy()), jnp.asarray(I[:8])
    table = [(x, y), (x, 2), (x, 2.5), (1.5, x), (i, i), (i, 3), (x[0], y), (x, np.float32(2))]
    for f in (jnp.add, jnp.subtract, jnp.multiply, jnp.divide, jnp.less, lambda a, b: a + b, lambda a, b: a == b):
        for a, b in table:
            first, *others = [f(a, b) for _ in range(7)]
            assert {o.aval for o in others} == {first.aval}
            assert {np.asarray(o).tobytes() for o in others} == {np.asarray(first).tobytes()}
    np.testing.assert_array_equal(adjoint.grad(lambda x: jnp.multiply(x, 3.0)[7])(x), 3.0 * (np.arange(8) == 7))


def test_large_results_are_lent_memory():
    """It is used again only when nobody has it."""
    x = jnp.asarray(np.ones(2**19, np.float32))
    kept, views = [], []
    for k in range(6):
        out = x * k
        kept.append(out if k % 2 else np.asarray(out))
        views.append(jnp.exp(out)[5:7])
        del out
    for k, (a, v) in enumerate(zip(kept, views)):
        assert np.asarray(a).min() == np.asarray(a).max() == k
        np.testing.assert_allclose(v, np.exp(np.float32([k, k])), rtol=2e-7)
