"""Values of every dtype become what they become in JAX: converted, computed with, reinterpreted.

The oracle compiles one program for a source dtype, without optimisation, which takes most of the time.
"""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from tests.modes import compiling, unchecked
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp
from adjoint.core import dtypes

jaxnp = jax.numpy

INTS = "int2 int4 int8 int16 int32".split()
UINTS = "uint2 uint4 uint8 uint16 uint32".split()
SMALL_FLOATS = (
    "float4_e2m1fn float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 "
    "float8_e5m2fnuz float8_e8m0fnu"
).split()
FLOATS = [*SMALL_FLOATS, "bfloat16", "float16", "float32"]
ALL = ["bool", *INTS, *UINTS, *FLOATS, "complex64"]

# Ties, the ends of every format and what lies beyond, and what is not a number.
NUMBERS = np.array(
    [0, -0.0, 1, -1, 0.3, -0.7, 1.5, 2.5, 3.5, -2.5, 5.9, 7, 8, -8, -9, 15, 16, 100, 127, 128, 200, 255, 256, -128,
     -129, 448, 449, 464, 465, 480, 240, 248, 1e3, -1e3, 3.3e4, 57344, 6e4, 65504, 65520, 7e4, 1e5, 2147483647, -3e9,
     4294967295, 5e9, 1e20, 3e38, np.inf, -np.inf, np.nan, 1e-3, 2**-6, 2**-7, 2**-9, 2**-10, 2**-11, 2**-15, 2**-17,
     2**-24, 2**-25, 1e-20, 0.0625, 0.03125, 0.01, 0.5, 0.25, 0.75, 1.25, 1.75, 5, 6, 7.5, -6], np.float32,
)
INTEGERS = np.array(
    [0, 1, 2, 3, -1, -2, -3, 4, 5, 7, 8, -8, -9, 15, 16, 17, 127, 128, 255, 256, -128, -129, 1000, 448, 449, 32767,
     65535, 70000, 16777217, 2**31 - 1, -(2**31)], np.int32,
)


def source(name):
    """The numbers to convert to a dtype, and on from there."""
    if name == "complex64":
        return (NUMBERS + 1j).astype(np.complex64)
    return NUMBERS if name in FLOATS else INTEGERS.astype(np.uint32) if name in UINTS else INTEGERS


def widened(x):
    """Values of one of many dtypes as NumPy's."""
    x = np.asarray(x._buffer if isinstance(x, adjoint.Array) else x)
    return x if x.dtype.isbuiltin == 1 else x.astype(np.float64)


def assert_equal(expected, actual, what, rtol=0.0):
    assert expected.dtype.name == actual.dtype.name, what
    x, y = widened(expected), widened(actual)
    if rtol:
        np.testing.assert_allclose(x, y, rtol=rtol, atol=rtol, err_msg=what)
    else:
        np.testing.assert_array_equal(x, y, err_msg=what)
        signs = [np.signbit(v.real) & ~np.isnan(v.real) for v in (x, y)]
        np.testing.assert_array_equal(*signs, err_msg=what)


def compiled(f):
    options = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}
    return jax.jit(f, compiler_options=options)


def differs_by_design(old, new):
    """Where XLA's CPU compiler is wrong, or has NaN to choose a value for in a format without one."""
    return new == "float4_e2m1fn" and old in FLOATS or old == "float4_e2m1fn" and new in (*INTS, *UINTS)


UNUSUAL = {"float8_e3m4", "float8_e4m3", "float8_e4m3fnuz", "float8_e5m2fnuz", "int16", "uint16"}
CONVERTED = [name for name in ALL if name not in UNUSUAL]


@compiling
@unchecked
@pytest.mark.filterwarnings("ignore:Casting from complex:DeprecationWarning")
@pytest.mark.parametrize("name", CONVERTED)
def test_conversions(name):
    """To a dtype and on to every other: rounding to even, saturation or overflow, NaN, the sign of zero."""
    values = source(name)
    targets = [t for t in CONVERTED if t != name and not differs_by_design(name, t)]

    def convert(x):
        own = x.astype(name)
        return own, [jax.lax.optimization_barrier(own).astype(t) for t in targets]

    own, others = compiled(convert)(values)
    ours = jnp.asarray(values).astype(name)
    assert_equal(own, ours, name)
    for target, expected in zip(targets, others):
        assert_equal(expected, ours.astype(target), f"{name} to {target}")


def test_conversions_that_xla_gets_wrong():
    """It takes the exponent of ones for infinity in float4, and subnormal numbers for zero."""
    sixes = jnp.array([6.0, -6.0, 4.0]).astype("float4_e2m1fn")
    assert sixes.astype("int32").tolist() == [6, -6, 4]
    assert sixes.astype("uint8").tolist() == [6, 0, 4]
    assert jnp.array([1e-45, 0.0]).astype(bool).tolist() == [True, False]


# ---- operations ---------------------------------------------------------------------------------

X = np.array([0, 1, 2, 3, 1, 0.5, -1, -2, 1.5, 6, 3, 7], np.float32)
Y = np.array([1, 1, 3, 2, 0.5, 0.5, -1, 3, -1, 2, 3, 1], np.float32)

# Of numbers x and y of one dtype, in the modules lax and numpy; a row is for the kinds in front of it.
OPERATIONS = """
iuf  lax.add(x, y)
iuf  lax.sub(x, y)
iuf  lax.mul(x, y)
iuf  lax.max(x, y)
iuf  lax.eq(x, y)
iuf  lax.lt(x, y)
iuf  lax.neg(x)
iuf  lax.sign(x)
iuf  lax.clamp(x, y, x)
iuf  lax.rev(x, (0,))
iuf  lax.dynamic_slice(x, (2,), (3,))
iuf  numpy.sort(x)
iuf  numpy.where(x == y, x, y)
iuf  numpy.full((2,), 1, x.dtype)
iuf  x[numpy.array([0, 3, 50])]
iuf  x.at[numpy.array([0, 3, 3])].max(y[:3])
iuf  x + 1
iuf  x * 2
I    x + numpy.int32(1)
IF   x + numpy.float32(1)
f    lax.div(x, y)
f    lax.sqrt(x)
f    lax.floor(x)
f    lax.reduce_max(x, (0,))
f    numpy.sum(x)
f    x + 1.5
f    x / y
f    numpy.isnan(x)
iu   lax.bitwise_and(x, y)
iu   lax.bitwise_xor(x, y)
iu   lax.bitwise_not(x)
iu   lax.shift_left(x, y)
iu   lax.shift_right_logical(x, y)
i    lax.shift_right_arithmetic(x, y)
iu   x // 2
"""
OPERATED = ["int4", "uint4", "int8", "float8_e4m3fn", "float8_e5m2", "bfloat16", "float16"]


def rows(name):
    """The operations on a dtype; capital kinds are those of 8 bits and more, which promote with others."""
    kind = "f" if "float" in name else name[0]
    if name not in ("int4", "uint4", *SMALL_FLOATS):
        kind += kind.upper()
    table = [line.split(None, 1) for line in OPERATIONS.strip().splitlines()]
    return [row for kinds, row in table if set(kind) & set(kinds)]


@compiling
@unchecked
@pytest.mark.parametrize("name", OPERATED)
def test_operations(name):
    chosen = rows(name)
    programs = [eval(f"lambda lax, numpy, x, y: {row}") for row in chosen]
    x, y = (v.astype(getattr(ml_dtypes, name, name)) for v in (X, Y))
    theirs = compiled(lambda x, y: [p(jax.lax, jaxnp, x, y) for p in programs])(x, y)
    for row, p, expected in zip(chosen, programs, theirs):
        actual = p(adjoint.lax, jnp, jnp.asarray(x), jnp.asarray(y))
        assert expected.weak_type == actual.weak_type, row
        assert_equal(expected, actual, f"{name}: {row}")


def test_shifts_of_less_than_8_bits():
    """They shift in zeros, or the sign, at the width of the dtype."""
    every = jnp.arange(-8, 8).astype("int4")
    logical = [(v % 16) >> 1 for v in range(-8, 8)]
    assert adjoint.lax.shift_right_logical(every, jnp.ones_like(every)).tolist() == [
        v - 16 * (v > 7) for v in logical
    ]
    two = jnp.arange(4).astype("uint2")
    assert adjoint.lax.shift_right_arithmetic(two, jnp.ones_like(two)).tolist() == [0, 0, 3, 3]


@pytest.mark.parametrize("preferred", ["float32", "int32", "bfloat16", None])
def test_products_in_a_preferred_dtype(preferred):
    for name in ("int8", "uint8", "bfloat16", "float16", "float8_e4m3fn"):
        if preferred == "int32" and "float" in name or preferred in ("float32", "bfloat16") and "int" in name:
            continue
        x, y = (np.abs(v).astype(getattr(ml_dtypes, name, name)) for v in (X, Y))
        expected = jaxnp.dot(x, y, preferred_element_type=preferred)
        assert_equal(expected, jnp.dot(jnp.asarray(x), jnp.asarray(y), preferred_element_type=preferred), name)


# ---- promotion, limits, printing ----------------------------------------------------------------


def outcome(f):
    try:
        return f()
    except Exception as error:
        return type(error).__name__


def test_promotion_of_every_pair():
    """The common dtype, weak or not, or the error."""
    for a in ALL:
        for b in [*ALL, int, float, complex]:
            results = [outcome(lambda: m.result_type(a, b).name) for m in (jaxnp, jnp)]
            assert results[0] == results[1], (a, b)


FLOAT_LIMITS = (
    "bits dtype eps epsneg max maxexp min minexp nexp nmant resolution smallest_normal smallest_subnormal tiny"
).split()


def test_limits():
    for name in FLOATS:
        for limit in FLOAT_LIMITS:
            results = [outcome(lambda: str(getattr(m.finfo(name), limit))) for m in (jaxnp, jnp)]
            assert results[0] == results[1], (name, limit)
    for name in [*INTS, *UINTS]:
        for limit in ("bits", "dtype", "max", "min"):
            results = [outcome(lambda: str(getattr(m.iinfo(name), limit))) for m in (jaxnp, jnp)]
            assert results[0] == results[1], (name, limit)


def test_creation_and_printing():
    for name in [n for n in ALL if n != "complex64"]:
        x = X[[1, 3, 4]].astype(getattr(ml_dtypes, name, name))
        theirs, ours = jaxnp.asarray(x), jnp.asarray(x)
        assert repr(theirs) == repr(ours)
        assert (theirs.nbytes, theirs.itemsize) == (ours.nbytes, ours.itemsize)
        assert theirs.tobytes() == ours.tobytes()
        assert str(theirs.tolist()) == str(ours.tolist())
        assert str(theirs[1].item()) == str(ours[1].item())


def test_bits_of_narrow_dtypes():
    """Elements split into narrower ones, lowest bits first, and join again."""
    pairs = [
        ("int4", "uint4"), ("float8_e4m3fn", "uint8"), ("uint8", "float8_e5m2"), ("uint8", "int4"), ("int16", "uint4"),
        ("uint4", "int8"), ("uint8", "uint16"), ("bfloat16", "uint16"), ("float32", "bfloat16"),
        ("float16", "float8_e4m3fn"), ("uint16", "bfloat16"),
    ]
    bits = np.arange(0, 256, 5, dtype=np.uint8)[:48]
    for old, new in pairs:
        old_dtype = np.dtype(getattr(ml_dtypes, old, old))
        wide, narrow = dtypes.itemsize_bits(dtypes.canonicalize_dtype(new)), dtypes.itemsize_bits(old_dtype)
        x = bits.astype(old_dtype) if narrow < 8 else bits.view(old_dtype)
        x = x.reshape(-1, max(wide // narrow, 1))
        x = x if wide > narrow else x[:, 0]
        expected = jax.lax.bitcast_convert_type(x, getattr(jaxnp, new))
        assert_equal(expected, adjoint.lax.bitcast_convert_type(jnp.asarray(x), getattr(jnp, new)), f"{old} {new}")


def test_reduced_precision():
    finite = NUMBERS[np.isfinite(NUMBERS)]
    for name in ("float32", "bfloat16", "float16"):
        with np.errstate(over="ignore"):
            x = finite.astype(getattr(ml_dtypes, name, name))
        for exponent, mantissa in ((8, 7), (5, 10), (4, 3), (5, 2)):
            expected = jax.lax.reduce_precision(x, exponent, mantissa)
            actual = adjoint.lax.reduce_precision(jnp.asarray(x), exponent, mantissa)
            assert_equal(expected, actual, f"{name} {exponent} {mantissa}")


def test_64_bits():
    """Wide dtypes, where they are enabled."""
    values = np.array([0, 1.5, -2.5, 3e9, 1e19, -1e19, 1e300, np.nan, np.inf], np.float64)
    with jax.enable_x64(True), adjoint.enable_x64(True):
        for name in ("int64", "uint64", "float32", "complex128", "int8", "bfloat16"):
            assert_equal(jaxnp.asarray(values).astype(name), jnp.asarray(values).astype(name), name)
        x = np.array([2**62, -(2**63), 7], np.int64)
        for name in ("float64", "int32", "uint64", "float16"):
            assert_equal(jaxnp.asarray(x).astype(name), jnp.asarray(x).astype(name), name)
