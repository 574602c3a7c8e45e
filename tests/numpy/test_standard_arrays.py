"""The array object of the array API standard 2024.12: creation, operators, conversions, indexing, exchange."""

from __future__ import annotations

import math
import operator
from array import array
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjoint
import adjoint.numpy as xp

DTYPES = ["bool", "int8", "uint8", "int32", "uint32", "float32", "complex64"]
REFUSED = (ValueError, TypeError, IndexError)


def same(expected, actual) -> bool:
    expected, actual = np.asarray(expected), np.asarray(actual)
    return (expected.shape, expected.dtype) == (actual.shape, actual.dtype) and np.array_equal(expected, actual)


# ---- creation ------------------------------------------------------------------------------------

DEFAULTS = """
n.arange(3) int; n.arange(3.) float; n.arange(0, 3, 1.) float; n.asarray([True, False]) bool; n.asarray(True) bool
n.asarray([True, 1]) int; n.asarray([1, 2.]) float; n.asarray([1, 2j, 3.]) complex; n.asarray([]) float
n.asarray(1) int; n.full(2, 1) int; n.full(2, 1.) float; n.full(2, 1j) complex; n.full((), True) bool
n.linspace(0, 1, 3) float; n.linspace(0, 1j, num=3) complex; n.ones(2) float; n.zeros((2, 0)) float
n.empty(()) float; n.eye(2) float
n.fft.fftfreq(4) float; n.fft.rfftfreq(4) float; n.linalg.matrix_rank(n.eye(2)) int
"""


def test_arrays_of_known_values_are_tracers_in_programs():
    values = np.ones(2)
    made = [
        lambda: xp.asarray(values), lambda: xp.array(values), lambda: xp.array([1.0, 2.0]), lambda: xp.asarray([]),
        lambda: xp.asarray([xp.ones(2), values]), lambda: xp.int32(values), lambda: xp.asarray(1.0),
    ]
    for make in made:
        seen = []
        note = lambda x: seen.append(make()) or x
        for run in (adjoint.jit, adjoint.grad, adjoint.vmap, lambda f: adjoint.jit(adjoint.grad(f))):
            run(note)(xp.ones(1) if run is adjoint.vmap else 1.0)
        assert [isinstance(x, adjoint.core.Tracer) for x in seen] == [True, False, False, True]
        assert [adjoint.core.is_concrete(x) for x in seen] == [False, True, True, False]
    with pytest.raises(adjoint.errors.TracerArrayConversionError):
        adjoint.jit(lambda: np.asarray(xp.asarray(values)))()
    # What selects is known here; JAX raises.
    pick = lambda x: (
        x[xp.asarray([True, False, True])], xp.repeat(x, xp.asarray([1, 0, 2]), axis=0), xp.delete(x, xp.asarray([1]))
    )
    for mine, expected in zip(adjoint.jit(pick)(xp.arange(3)), ([0, 2], [0, 2, 2], [0, 2])):
        assert mine.tolist() == expected


def test_default_dtypes():
    for wide in (False, True):
        with adjoint.enable_x64(wide):
            bits = 64 if wide else 32
            dtypes = {"bool": "bool", "int": f"int{bits}", "float": f"float{bits}", "complex": f"complex{2 * bits}"}
            for expression, kind in [row.rsplit(" ", 1) for row in DEFAULTS.strip().replace("\n", "; ").split("; ")]:
                assert dtypes[kind] == eval(expression, {"n": xp}).dtype.name, expression


@pytest.mark.parametrize("device", [None, adjoint.devices()[0]])
def test_creation_on_a_device(device):
    x = xp.ones((2, 3), dtype=xp.int8)
    made = [xp.arange(3, device=device), xp.asarray([1], device=device), xp.eye(2, 3, device=device),
            xp.linspace(0, 1, 3, device=device), xp.astype(x, xp.float32, device=device),
            xp.from_dlpack(x, device=device), x.to_device(device or x.device, stream=None)]
    made += [f((2,), dtype=xp.int8, device=device) for f in (xp.ones, xp.zeros, xp.empty)]
    made += [f(x, dtype=xp.int8, device=device) for f in (xp.ones_like, xp.zeros_like, xp.empty_like)]
    made += [xp.full(2, 1, device=device), xp.full_like(x, 1, device=device)]
    assert {x.device} == {out.device for out in made}


@settings(max_examples=60)
@given(start=st.integers(-5, 5), stop=st.integers(-5, 5), step=st.sampled_from([-3, -1, -0.75, 0.5, 1, 2]))
def test_lengths_of_ranges(start, stop, step):
    out = xp.arange(start, stop, step)
    assert (max(0, math.ceil((stop - start) / step)),) == out.shape
    np.testing.assert_allclose(np.arange(start, stop, step), out, rtol=1e-6)


def test_conversion_of_other_objects():
    for other in (memoryview(b"abc"), bytearray(b"abc"), array("f", [1, 2]), np.float32([[1, 2]]), [xp.float32(1)]):
        assert same(np.asarray(other), xp.asarray(other))
    for other in (xp.arange(3), np.arange(3, dtype=np.int32)):
        assert same(np.arange(3, dtype=np.int32), xp.from_dlpack(other))
    buffer = np.ones(64, np.float32)
    copies = xp.asarray(buffer, copy=True), xp.from_dlpack(buffer, copy=True)
    buffer[0] = 5
    assert all(same(np.ones(64, np.float32), x) for x in copies)
    assert same(np.ones(2, np.float32), xp.asarray(xp.ones(2), copy=False))
    with pytest.raises(TypeError, match="must have __dlpack__"):
        xp.from_dlpack([1, 2])


def test_dlpack():
    x = xp.ones((2, 3))
    assert (1, 0) == tuple(map(int, x.__dlpack_device__()))
    assert same(np.asarray(x), np.from_dlpack(x)) and same(np.asarray(x), np.from_dlpack(x, copy=True))
    old, new = x.__dlpack__(), x.__dlpack__(stream=None, max_version=(1, 0), dl_device=(1, 0), copy=None)
    assert "dltensor_versioned" in repr(new) and "dltensor_versioned" not in repr(old)
    with pytest.raises(BufferError):
        x.__dlpack__(dl_device=(2, 0))


# ---- attributes and conversions ------------------------------------------------------------------


def test_attributes():
    for n in range(6):
        x = xp.ones(tuple(range(1, n + 1)))
        assert (n, math.factorial(n), tuple(range(1, n + 1))) == (x.ndim, x.size, x.shape)
        if n > 1:
            assert same(np.swapaxes(np.asarray(x), -1, -2), x.mT)
    assert same(np.arange(6).reshape(2, 3).T.astype("i4"), xp.arange(6).reshape(2, 3).T)
    with pytest.raises(ValueError, match="at least two"):
        xp.ones(2).mT


def test_python_numbers():
    """Arrays of one element convert as Python's own numbers do."""
    a = xp.asarray
    assert [True] * 6 == [bool(a(x)) for x in (np.nan, np.inf, 1j, complex(0, np.nan), 3, True)]
    assert [False] * 4 == [bool(a(x)) for x in (-0.0, 0j, 0, False)]
    assert (2, -2, 0, 1) == tuple(int(a(x)) for x in (2.9, -2.9, -0.0, True))
    assert (1.0, 3.0, np.inf) == tuple(float(a(x)) for x in (True, 3, np.inf)) and math.isnan(float(a(np.nan)))
    assert (1, 3, 1 + 2j, complex(np.inf, 0)) == tuple(complex(a(x)) for x in (True, 3, 1 + 2j, np.inf))
    assert (3, 2) == (operator.index(a(3)), [1, 2][a(1)])
    for error, convert, x in ((OverflowError, int, np.inf), (ValueError, int, np.nan), (TypeError, int, 1j),
                              (TypeError, float, 1j), (TypeError, operator.index, 3.0)):
        with pytest.raises(error):
            convert(a(x))
    with pytest.raises(ValueError, match="truth"):
        bool(xp.ones(2))


# ---- operators -----------------------------------------------------------------------------------

OPERATORS = {
    "float32": "add sub:subtract mul:multiply truediv:divide floordiv:floor_divide mod:remainder pow lt:less "
               "le:less_equal gt:greater ge:greater_equal eq:equal ne:not_equal",
    "int32": "and_:bitwise_and or_:bitwise_or xor:bitwise_xor lshift:bitwise_left_shift rshift:bitwise_right_shift "
             "add sub:subtract mul:multiply floordiv:floor_divide mod:remainder",
    "bool": "and_:bitwise_and or_:bitwise_or xor:bitwise_xor eq:equal ne:not_equal",
    "complex64": "add sub:subtract mul:multiply truediv:divide eq:equal ne:not_equal",
}
VALUES = {
    "float32": [0.0, -0.0, 1, -1, 2.5, -7.5, np.inf, -np.inf, np.nan], "int32": [1, 2, 3, 5, 7, 100, 31],
    "bool": [True, False], "complex64": [0j, 1j, 2 - 1j, complex(np.inf, 1), complex(np.nan, 0)],
}


@pytest.mark.parametrize("dtype", OPERATORS)
def test_operators_are_the_functions(dtype):
    """On arrays, with a number on either side, reflected and in place, which makes a new array."""
    x, y = np.array(list(product(VALUES[dtype], repeat=2)), dtype).T
    number, x, y = VALUES[dtype][-1], xp.asarray(x), xp.asarray(y)
    for row in OPERATORS[dtype].split():
        name, _, function = row.partition(":")
        op, function = getattr(operator, name), getattr(xp, function or name)
        for left, right in ((x, y), (x, number), (number, y)):
            for out in (op(left, right), op(left, right)):  # a second call takes the short way
                expected = function(left, right)
                np.testing.assert_array_equal(np.asarray(expected), np.asarray(out), err_msg=row)
                assert expected.dtype == out.dtype
        if (in_place := getattr(operator, "i" + name.rstrip("_"), None)) is not None:
            z = in_place(x, y)
            np.testing.assert_array_equal(np.asarray(function(x, y)), np.asarray(z))
            assert z is not x
    for op, function in ((operator.neg, xp.negative), (operator.pos, xp.positive), (abs, xp.abs)):
        if dtype != "bool":
            np.testing.assert_array_equal(np.asarray(function(x)), np.asarray(op(x)))
    if dtype in ("int32", "bool"):
        assert same(~np.asarray(x), ~x)


def test_products_of_matrices():
    shapes = [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)),
              ((5, 1, 2, 3), (4, 3, 2)), ((2, 0), (0, 3)), ((0, 2), (2, 3))]
    for dtype, (a, b) in product(["int8", "uint32", "float32", "complex64"], shapes):
        x, y = [(np.arange(math.prod(s)).reshape(s) % 5).astype(dtype) for s in (a, b)]
        assert same(x @ y, xp.asarray(x) @ xp.asarray(y)) and same(x @ y, xp.linalg.matmul(x, y))
    for a, b in (((), (2,)), ((2,), ()), ((2,), (3,)), ((2, 2), (3,)), ((2, 2, 2), (3, 2, 2))):
        with pytest.raises(REFUSED):
            xp.ones(a) @ xp.ones(b)


# ---- indexing ------------------------------------------------------------------------------------


@st.composite
def keys(draw, shape):
    """A key of the standard: integers and slices within its bounds, one ellipsis, None anywhere; or integer arrays."""
    key = []
    for n in shape[: draw(st.integers(0, len(shape)))]:
        step = draw(st.sampled_from([None, 1, 2, -1, -2]))
        start = draw(st.none() | st.integers(-n, n))
        upwards = step is None or step > 0
        stop = draw(st.none() | (st.integers(-n, n) if upwards else st.integers(-n - 1, max(0, n - 1))))
        choices = [st.just(slice(start, stop, step))]
        if n:
            index = st.integers(-n, n - 1)
            choices += [index, st.lists(index, min_size=2, max_size=2).map(lambda i: np.array(i, np.int32))]
        key.append(draw(st.one_of(choices)))
    if draw(st.booleans()):
        key.append(Ellipsis)
    for _ in range(draw(st.integers(0, 2))):
        key.insert(draw(st.integers(0, len(key))), None)
    return tuple(key)


@settings(max_examples=120)
@given(data=st.data(), shape=st.lists(st.integers(0, 4), max_size=4).map(tuple), dtype=st.sampled_from(DTYPES))
def test_indexing(data, shape, dtype):
    x = np.arange(math.prod(shape)).reshape(shape).astype(dtype)
    key = data.draw(keys(shape))
    assert same(x[key], xp.asarray(x)[tuple([xp.asarray(k) if isinstance(k, np.ndarray) else k for k in key])])
    if len(key) == 1:
        assert same(x[key], xp.asarray(x)[key[0]])


@settings(max_examples=40)
@given(shape=st.lists(st.integers(0, 3), max_size=3).map(tuple), axes=st.integers(0, 3), seed=st.integers(0, 9))
def test_boolean_indexing(shape, axes, seed):
    """The mask may have fewer axes, or none."""
    x = np.arange(math.prod(shape)).reshape(shape)
    mask = np.random.default_rng(seed).random(shape[:axes]) < 0.5
    with adjoint.enable_x64(True):
        assert same(x[mask], xp.asarray(x)[xp.asarray(mask)])
        if mask.ndim:
            assert same(x[mask], xp.asarray(x)[xp.nonzero(xp.asarray(mask))])


@pytest.mark.parametrize("key", [(..., ...), (0, 0, 0), 1.0, "x", np.ones(3, bool), np.ones((2, 3, 1), bool)], ids=str)
def test_refused_indices(key):
    with pytest.raises((IndexError, TypeError)):
        xp.ones((2, 3))[key]


def test_arrays_cannot_be_written_to():
    x = xp.ones(2)
    with pytest.raises(TypeError, match="at"):
        x[0] = 1.0
    assert [1.0, 1.0] == [float(v) for v in x] and all(v.shape == () for v in x)
