"""Functions of the array API standard 2024.12 on arrays of any shape and dtype, beside NumPy's.

NumPy 2 follows the standard in the expressions of `FUNCTIONS`, with 64-bit defaults, so results are compared in value,
dtype and shape, called and, for some, compiled. What NumPy has not, or has otherwise, is asserted by rules below.

In an expression x is an array of the dtypes that the row names and y one that broadcasts with it; k is an axis, a
several (None, an int or a tuple), m a number from 0 to 4, t whether to do something, i are indices into axis k.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.modes import refused, unchecked

import adjoint
import adjoint.numpy as xp

DTYPES = {
    "bool": ["bool"], "int": ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"],
    "float": ["float32", "float64"], "complex": ["complex64", "complex128"],
}
DTYPES["real"] = DTYPES["int"] + DTYPES["float"]
DTYPES["inexact"] = DTYPES["float"] + DTYPES["complex"]
DTYPES["numeric"] = DTYPES["real"] + DTYPES["complex"]
DTYPES["all"] = DTYPES["bool"] + DTYPES["numeric"]

FUNCTIONS = """
all: n.zeros_like(x) ; n.ones_like(x) ; n.full_like(x, 1) ; n.empty_like(x).shape ; n.asarray(x, copy=t)
all: n.expand_dims(x, axis=k) ; n.flip(x, axis=a) ; n.moveaxis(x, k, 0) ; n.reshape(x, (-1,)) ; n.unstack(x, axis=k)
all: n.permute_dims(x, axes=tuple(range(x.ndim))[::-1]) ; n.roll(x, m, axis=k) ; n.roll(x, (m, 1), axis=(k, 0))
all: n.repeat(x, m, axis=k) ; n.repeat(x, m) ; n.tile(x, (m, 2)) ; n.squeeze(n.expand_dims(x, axis=k), axis=k)
all: n.broadcast_to(x, (2, *x.shape)) ; n.concat([x, x[:1]]) ; n.concat((x, x), axis=None) ; n.stack([x, x], axis=k)
all: list(n.broadcast_arrays(x, y)) ; n.equal(x, y) ; n.not_equal(x, y) ; n.where(x == y, x, y)
all: n.all(x, axis=a, keepdims=t) ; n.any(x, axis=a, keepdims=t) ; n.count_nonzero(x, axis=a, keepdims=t)
all: n.nonzero(x)
all: n.take(x, i, axis=k) ; n.tril(x, k=m-2) if x.ndim > 1 else 0 ; n.triu(x, k=m-2) if x.ndim > 1 else 0
all: list(n.meshgrid(x.reshape(-1), y.reshape(-1), indexing='ij' if t else 'xy')) ; n.matrix_transpose(x[None])
all: n.take_along_axis(x, n.argsort(x.real, axis=k), axis=k) ; n.matmul(x, x.T) if x.ndim < 3 else 0 ; n.vecdot(x, x)
real: n.argmax(x, axis=k, keepdims=t) ; n.argmin(x) ; n.max(x, axis=a, keepdims=t) ; n.min(x, axis=a, keepdims=t)
real: n.sort(x, axis=k) ; n.argsort(x, axis=k, stable=True) ; n.maximum(x, y) ; n.minimum(x, y) ; n.clip(x, 1, 3)
real: n.less(x, y) ; n.greater_equal(x, y) ; n.clip(x, y, y) ; n.floor_divide(x, y + (y == 0))
real: n.remainder(x, y + (y == 0))
numeric: n.sum(x, axis=a, keepdims=t) ; n.prod(x, axis=a, keepdims=t) ; n.cumulative_sum(x, axis=k, include_initial=t)
numeric: n.cumulative_prod(x, axis=k, include_initial=t) ; n.diff(x, axis=k, n=m)
numeric: n.diff(x, axis=k, prepend=x, append=x)
numeric: n.add(x, y) ; n.subtract(x, y) ; n.multiply(x, y) ; n.negative(x) ; n.positive(x) ; n.square(x) ; n.abs(x)
numeric: n.tensordot(x, x, axes=(k, k)) ; n.linalg.diagonal(x[None], offset=m-2) ; n.conj(x)
numeric: n.sign(n.where(n.abs(x) < 9, x, n.zeros_like(x)))
numeric: n.isfinite(x) ; n.isnan(x) ; n.isinf(x) ; n.real(x) ; n.pow(x, abs(y).astype(x.dtype))
int: n.bitwise_and(x, y) ; n.bitwise_or(x, y) ; n.bitwise_xor(x, y) ; n.bitwise_invert(x) ; n.sum(x, dtype=n.float32)
int: n.bitwise_left_shift(x, y & 7) ; n.bitwise_right_shift(x, y & 7) ; n.prod(x, axis=k, dtype=n.int16)
inexact: n.mean(x, axis=a, keepdims=t) ; n.divide(x, y) ; n.round(x) ; n.reciprocal(x)
float: n.std(x, axis=a, correction=m / 8, keepdims=t) ; n.var(x, axis=a, correction=m / 8) ; n.hypot(x, y)
float: n.atan2(x, y)
float: n.floor(x) ; n.ceil(x) ; n.trunc(x) ; n.copysign(x, y) ; n.signbit(x) ; n.logaddexp(x, y) ; n.nextafter(x, y)
"""
ROWS = [(kind, row.strip()) for line in FUNCTIONS.strip().split("\n")
        for kind, _, rows in [line.partition(": ")] for row in rows.split(" ; ")]


@cache
def compiled(row: str):
    return compile(row, f"<{row}>", "eval")


def numbers(random, dtype: np.dtype, shape) -> np.ndarray:
    """Small numbers, whose sums and products are exact, and what is not a number among them."""
    if dtype.kind in "biu":
        return random.integers(0 if dtype.kind in "bu" else -3, 2 if dtype.kind == "b" else 4, shape).astype(dtype)
    special = random.choice([np.nan, np.inf, -np.inf, -0.0], shape)
    x = np.where(random.random(shape) < 0.1, special, random.integers(-6, 7, shape) / 2).astype(dtype)
    return x + dtype.type(1j) * random.integers(-3, 4, shape) if dtype.kind == "c" else x


@st.composite
def cases(draw, kind):
    dtype = np.dtype(draw(st.sampled_from(DTYPES[kind])))
    shape = tuple(draw(st.lists(st.integers(0, 3), min_size=1, max_size=3)))
    other = shape[draw(st.integers(0, len(shape))):]
    random = np.random.default_rng(draw(st.integers(0, 99)))
    x = numbers(random, dtype, shape)
    y = numbers(random, dtype, tuple([1 if random.random() < 0.2 else n for n in other]))
    axis = st.integers(-x.ndim, x.ndim - 1)
    k = draw(axis)
    i = random.integers(-x.shape[k], x.shape[k], 3 if x.shape[k] else 0, np.int32)
    a = draw(st.none() | axis | st.lists(axis, unique_by=lambda j: j % x.ndim, max_size=x.ndim).map(tuple))
    return dict(x=x, y=y, k=k, a=a, i=i, m=draw(st.integers(0, 4)), t=draw(st.booleans()))


def evaluate(n, row, case):
    case = {name: n.asarray(v) if isinstance(v, np.ndarray) else v for name, v in case.items()}
    return eval(compiled(row), {"n": n}, case)


def evaluated(n, row, case):
    """The results, or the error."""
    try:
        return evaluate(n, row, case)
    except Exception as error:
        return error


def same(theirs, ours) -> bool:
    if isinstance(theirs, Exception) or isinstance(ours, Exception):
        return isinstance(theirs, Exception) and isinstance(ours, Exception)
    if isinstance(theirs, (list, tuple)):
        return type(theirs) is type(ours) and len(theirs) == len(ours) and all(map(same, theirs, ours))
    theirs, ours = np.asarray(theirs), np.asarray(ours)
    if (theirs.shape, theirs.dtype) != (ours.shape, ours.dtype):
        return False
    if theirs.dtype.kind not in "fc":
        return np.array_equal(theirs, ours)
    return np.allclose(theirs, ours, rtol=1e-5, atol=1e-6, equal_nan=True)


@unchecked
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("kind", "row"), ROWS, ids=[row for _, row in ROWS])
@settings(max_examples=10)
@given(data=st.data())
def test_functions(kind, row, data):
    case = data.draw(cases(kind))
    if refused(lambda m: evaluate(m.numpy, row, case)):
        return
    with adjoint.enable_x64(True):
        theirs, ours = evaluated(np, row, case), evaluated(xp, row, case)
        assert same(theirs, ours), f"{theirs!r}, not {ours!r}"


# ---- rules that NumPy does not share -------------------------------------------------------------


@settings(max_examples=40)
@given(case=cases("real"), descending=st.booleans())
def test_sorting(case, descending):
    """Also downwards, with what is equal in the order in which it was."""
    x, k = np.nan_to_num(case["x"], posinf=np.inf, neginf=-np.inf), case["k"]
    with adjoint.enable_x64(True):
        indices = np.asarray(xp.argsort(xp.asarray(x), axis=k, descending=descending))
        values = np.asarray(xp.sort(xp.asarray(x), axis=k, descending=descending))
    assert x.dtype == values.dtype and np.int64 == indices.dtype and x.shape == values.shape
    keys = -x.astype(float) if descending else x
    np.testing.assert_array_equal(np.argsort(keys, axis=k, stable=True), indices)
    np.testing.assert_array_equal(np.take_along_axis(x, indices, k), values)


@settings(max_examples=40)
@given(case=cases("all"))
def test_sets(case):
    """The flat array's values, each once, and each NaN for itself; zeros are equal."""
    x = case["x"]
    with adjoint.enable_x64(True):
        values, indices, inverse, counts = xp.unique_all(xp.asarray(x))
        assert same((values, counts), tuple(xp.unique_counts(xp.asarray(x))))
        assert same((values, inverse), tuple(xp.unique_inverse(xp.asarray(x))))
        assert same(np.asarray(values), xp.unique_values(xp.asarray(x)))
    values, indices, inverse, counts = map(np.asarray, (values, indices, inverse, counts))
    flat = x.reshape(-1)
    assert x.dtype == values.dtype and {np.dtype("int64")} == {indices.dtype, inverse.dtype, counts.dtype}
    expected = len({v for v in flat.tolist() if v == v}) + int(np.isnan(flat.astype(complex)).sum())
    assert expected == len(values) == len(indices) == len(counts) and x.shape == inverse.shape
    np.testing.assert_array_equal(values[inverse], x)
    np.testing.assert_array_equal(flat[indices], values)
    for value, index, count in zip(values, indices, counts):
        at = np.flatnonzero(flat == value)
        assert (index, count) == ((at[0], len(at)) if len(at) else (index, 1))


@settings(max_examples=30)
@given(case=cases("real"), side=st.sampled_from(["left", "right"]), shuffled=st.booleans())
def test_positions_in_sorted_arrays(case, side, shuffled):
    x, y = case["x"].reshape(-1), case["y"]
    x, y = x[x == x], np.where(y == y, y, 0).astype(y.dtype)
    with adjoint.enable_x64(True):
        ordered = xp.sort(xp.asarray(x))
        if shuffled:
            out = xp.searchsorted(xp.asarray(x), xp.asarray(y), side=side, sorter=xp.argsort(xp.asarray(x)))
        else:
            out = xp.searchsorted(ordered, xp.asarray(y), side=side)
    assert y.shape == out.shape
    ends = np.concatenate([[-np.inf], np.asarray(ordered, float), [np.inf]])
    for v, i in zip(y.reshape(-1).astype(float), np.asarray(out).reshape(-1)):
        below, above = (i == 0 or ends[i] < v, i == len(x) or v <= ends[i + 1]) if side == "left" else (
            i == 0 or ends[i] <= v, i == len(x) or v < ends[i + 1])
        assert below and above


# The values of expressions, called and compiled; "!" stands for an error.
VALUES = """
n.sum(n.ones((0, 2))) -> 0 ; n.prod(n.ones((0, 2)), axis=0) -> [1, 1] ; n.all(n.ones((2, 0)), axis=1) -> [1, 1]
n.any(n.ones(0)) -> 0 ; n.mean(n.ones(0)) -> nan ; n.mean(n.ones((0, 2)), axis=0) -> [nan, nan]
n.linalg.trace(n.ones((0, 2))) -> 0
n.cumulative_sum(n.ones(0), include_initial=True) -> [0] ; n.cumulative_prod(n.ones(0), include_initial=True) -> [1]
n.std(n.ones(0)) -> nan ; n.std(n.ones(1), correction=1) -> nan ; n.var(n.ones(2), correction=3) -> nan
n.var(n.ones(2), correction=2.5) -> nan ; n.std(a([1, nan])) -> nan ; n.mean(a([1, nan])) -> nan
n.sum(a([inf, -inf])) -> nan
n.max(a([1, nan, 3])) -> nan ; n.min(a([[1, nan], [2, 3]]), axis=1) -> [nan, 2] ; n.prod(a([0, inf])) -> nan
n.cumulative_sum(a([inf, -inf, 1])) -> [inf, nan, nan] ; n.cumulative_prod(a([0, inf])) -> [0, nan]
n.cumulative_prod(n.asarray([100, 100, 2], dtype='int8')) -> [100, 10000, 20000]
n.all(a([nan, inf, -inf])) -> 1 ; n.any(a([0, -0.0])) -> 0 ; n.any(a([0, 2j])) -> 1 ; n.all(a([1, 2j])) -> 1
n.any(a([complex(0, nan)])) -> 1 ; n.count_nonzero(a([0j, 1j, -0.0, complex(0, nan)])) -> 2
n.nonzero(a([0j, 1j, -0.0, complex(0, nan)]), size=2)[0] -> [1, 3]
n.clip(a([1, nan, 1, 1]), a([0, 0, nan, 0]), a([2, 2, 2, nan])) -> [1, nan, nan, nan]
n.clip(a([1, 2]), nan) -> [nan, nan] ; n.clip(a([1, 2]), None, nan) -> [nan, nan] ; n.clip(a([1, nan])) -> [1, nan]
n.argmax(a([1, nan, 3])) -> 1 ; n.argmin(a([2, 1, 1])) -> 1 ; n.argmax(a([0, -0.0])) -> 0
n.sort(a([nan, 1, inf])) -> [1, inf, nan] ; n.argsort(a([0, -0.0, 0, -1]), descending=True) -> [0, 1, 2, 3]
n.searchsorted(a([1, 2, nan]), a([nan, 3])) -> [2, 2] ; n.searchsorted(a([1, 2, nan]), a([nan]), side='right') -> [3]
n.diff(n.ones(2), n=3) -> [] ; n.arange(3, 0) -> [] ; n.arange(0, 3, -1) -> [] ; n.arange(1, stop=4, step=2) -> [1, 3]
n.linspace(0, 1, 4, endpoint=False) -> [0, .25, .5, .75] ; n.linspace(2, 5, 1) -> [2] ; n.linspace(2, 5, 0) -> []
n.linspace(0, 2j, num=3) -> [0, 1j, 2j] ; n.eye(2, 3, k=1) -> [[0, 1, 0], [0, 0, 1]]
n.eye(2, k=-5) -> [[0, 0], [0, 0]]
n.bitwise_right_shift(n.asarray([-8, 7]), 1) -> [-4, 3]
n.bitwise_left_shift(1, n.asarray([0, 31], dtype='uint32')) -> [1, 2**31]
n.floor_divide(n.asarray([-7, 7]), n.asarray([2, -2])) -> [-4, -4]
n.remainder(n.asarray([-7, 7]), n.asarray([2, -2])) -> [1, -1]
n.pow(n.asarray([2, 0]), n.asarray([3, 0])) -> [8, 1] ; n.hypot(a(3e38), a(1e38)) < inf -> 1
n.abs(a(3e38 + 1e38j)) < inf -> 1
n.hypot(a(3e-30), a(4e-30)) > 4e-30 -> 1 ; n.abs(a(3e-30 + 4e-30j)) > 4e-30 -> 1
n.round(a([.5, 1.5j + 2.5])) -> [0, 2j + 2]
n.log1p(a([1e-5j + 1e-5])) * 1e5 -> [1 + 1j] ; n.expm1(a([1e-5j + 1e-5])) * 1e5 -> [1 + 1j]
n.sum(n.cumulative_sum(n.ones((2, 2)))) -> ! ; n.cumulative_prod(n.ones(2), axis=1) -> ! ; n.nonzero(a(1)) -> !
n.all(n.ones(2), axis=1) -> ! ; n.argmax(n.ones(0)) -> ! ; n.sort(n.ones(2), axis=1) -> !
n.diff(n.ones(2), axis=1) -> !
n.squeeze(n.ones((1, 2)), axis=1) -> ! ; n.reshape(n.ones(6), (-1, -1)) -> ! ; n.reshape(n.ones(6), (4, -1)) -> !
n.broadcast_to(n.ones((2, 3)), (3,)) -> ! ; n.concat([n.ones(2)], axis=1) -> ! ; n.stack([n.ones(2)] * 2, axis=2) -> !
n.permute_dims(n.ones((2, 3)), (0, 0)) -> ! ; n.moveaxis(n.ones((2, 3)), (0, 0), (0, 1)) -> !
n.unstack(n.ones(2), axis=1) -> !
n.expand_dims(n.ones(2), axis=2) -> ! ; n.linspace(0, 1, -1) -> ! ; n.matrix_transpose(n.ones(2)) -> !
n.matmul(n.ones(2), n.ones(())) -> ! ; n.matmul(n.ones((2, 2)), n.ones((3, 2))) -> !
n.vecdot(n.ones((2, 1)), n.ones((2, 3))) -> !
n.linalg.cross(n.ones(2), n.ones(2)) -> ! ; n.linalg.cross(n.ones((3, 1)), n.ones((3, 3))) -> !
n.linalg.outer(n.ones((2, 2)), n.ones(2)) -> !
"""


@unchecked
@pytest.mark.parametrize("line", VALUES.strip().split("\n"))
def test_values(line):
    names = {"n": xp, "inf": np.inf, "nan": np.nan}
    names["a"] = lambda x: xp.asarray(x, dtype="complex64" if np.asarray(x).dtype.kind == "c" else "float32")
    rows = [row.partition(" -> ")[::2] for row in line.split(" ; ")]
    program = eval(f"lambda: [{', '.join(e for e, value in rows if value != '!')}]", names)
    for results in (program(), adjoint.jit(program)()) if any(value != "!" for _, value in rows) else []:
        for (expression, value), out in zip(rows, results):
            np.testing.assert_allclose(out, eval(value, names), rtol=2e-5, err_msg=expression)
    for expression in [e for e, value in rows if value == "!"]:
        with pytest.raises((ValueError, TypeError, IndexError)):
            eval(expression, names)


def test_kinds_of_results():
    """Lists and tuples where the standard has them, and named fields."""
    x = xp.ones((2, 3))
    assert list is type(xp.meshgrid()) is type(xp.meshgrid(x[0])) is type(xp.broadcast_arrays(x, x))
    assert tuple is type(xp.unstack(x)) is type(xp.nonzero(x)) and () == xp.unstack(x[:0])
    fields = {xp.unique_all: "values indices inverse_indices counts", xp.unique_counts: "values counts",
              xp.unique_inverse: "values inverse_indices", xp.linalg.qr: "Q R", xp.linalg.svd: "U S Vh"}
    square = {xp.linalg.eigh: "eigenvalues eigenvectors", xp.linalg.slogdet: "sign logabsdet"}
    for functions, operand in ((fields, x), (square, xp.eye(2))):
        for function, names in functions.items():
            assert tuple(names.split()) == function(operand)._fields
