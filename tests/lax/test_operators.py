"""Element-wise functions: types, errors and values as in JAX, for every kind of operand."""

from __future__ import annotations

import inspect

import ml_dtypes
import numpy as np
import pytest
from tests.recorded import jax

import adjoint
from adjoint.array.array import as_array
from adjoint.lax import conversion, operators

from .parity import parameters, same, same_jaxpr, same_types, together

LAX = adjoint.lax
FUNCTIONS = [n for n in operators.__all__ if callable(getattr(LAX, n)) and not n[0].isupper()]


def arity(name):
    """The number of operands of a function; 0 if it takes something else."""
    found = inspect.signature(getattr(LAX, name)).parameters.values()
    found = [p for p in found if p.kind is not p.KEYWORD_ONLY]
    special = ("integer_pow", "round", "dtype", "clamp", "select", "select_n", "reciprocal")
    return 0 if name in special else len(found)


UNARY = [n for n in FUNCTIONS if arity(n) == 1]
BINARY = [n for n in FUNCTIONS if arity(n) == 2 and n != "random_gamma_grad"]
DTYPES = (np.float32, ml_dtypes.bfloat16, np.complex64, np.int32, np.uint8, np.bool_)


def x(dtype=np.float32, shape=(2, 3)):
    """Numbers between 0 and 1; small integers."""
    n = np.arange(1, np.prod(shape, dtype=int) + 1).reshape(shape)
    return (n if np.dtype(dtype).kind in "iub" else n / 8).astype(dtype)


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if n != "random_gamma_grad"])
def test_signatures(name):
    """Parameters have JAX's names, kinds and defaults."""
    theirs, ours = parameters(jax, name), parameters(adjoint, name)
    assert [str(p) for p in theirs] == [str(p) for p in ours]


@pytest.mark.parametrize("name", UNARY)
def test_types_of_unary_functions(name):
    scalars = (1.5, 2, True, 1j, np.float32(2), np.int8(2), np.float64(1))
    for operand in (*[x(d) for d in DTYPES], *scalars):
        same_types(lambda m, a: getattr(m.lax, name)(a), operand)


@pytest.mark.parametrize("name", BINARY)
def test_types_of_binary_functions(name):
    f = lambda m, a, b: getattr(m.lax, name)(a, b)
    for dtype in DTYPES:
        same_types(f, x(dtype), x(dtype))
        same_types(f, x(dtype), x(dtype, ()))
        same_types(f, x(dtype, (2, 1)), x(dtype, (1, 3)))
    same_types(f, x(), 2.0)
    same_types(f, 2.0, 3.0)
    same_types(f, 2, 3)
    same_types(f, x(np.int32), 2)


@pytest.mark.parametrize(
    ("name", "a", "b"),
    [
        ("add", x(), x(np.int32)),
        ("add", x(), 1),
        ("add", x(), x(ml_dtypes.bfloat16)),
        ("add", x(np.int32), True),
        ("sub", x(), x(shape=(2, 2))),
        ("atan2", x(np.int32), x(np.int32)),
        ("max", x(), np.float32(2)),
        ("lt", x(np.complex64), x(np.complex64)),
        ("pow", x(), 2),
        ("pow", x(), x(np.int32)),
        ("shift_left", x(), 1.0),
        ("complex", x(), 1.0),
    ],
)
def test_operands_that_do_not_fit(name, a, b):
    """The class and the text of the error are JAX's."""
    same_types(lambda m, a, b: getattr(m.lax, name)(a, b), a, b)


def test_ranks_that_do_not_fit():
    f = lambda m, a, b: m.lax.add(a, b)
    same_types(f, x(), x(shape=(3,)), lines=False)
    with pytest.raises(TypeError, match=r"same number of dimensions, got \{1, 2\}"):
        LAX.add(x(), x(shape=(3,)))


@pytest.mark.parametrize("bad", [[1.0, 2.0], "a", None, object()])
def test_operands_that_are_no_arrays(bad):
    """The message says which operand and where."""
    for name, n in (("add", 2), ("sin", 1), ("clamp", 3), ("select_n", 2)):
        text = f"Error interpreting argument to {name} .* at position 0"
        with pytest.raises(TypeError, match=text):
            getattr(LAX, name)(bad, *[1.0] * (n - 1))


def test_values():
    """Every function on floats, in one program."""
    a = (x() * np.float32(0.9)).astype(np.float32)

    def program(m, a):
        outs = {}
        for name in UNARY + BINARY:
            f = getattr(m.lax, name)
            operand = m.lax.convert_element_type(m.lax.mul(a, 8.0), np.int32)
            if name in ("real", "imag"):
                operand = m.lax.complex(a, a)
            elif not name.startswith(("bitwise", "shift", "population", "clz", "mulhi")):
                operand = m.lax.add(a, 1.0) if name == "acosh" else a
            outs[name] = f(*[operand] * arity(name))
        return outs

    special = {
        "lgamma", "digamma", "polygamma", "zeta", "igamma", "igammac", "igamma_grad_a", "erf_inv",
    }
    theirs = jax.jit(lambda a: program(jax, a))(a)
    ours = program(adjoint, as_array(a))
    for name, expected in theirs.items():
        actual = np.asarray(ours[name]._buffer)
        rtol = 2e-4 if name in special else 4e-6
        np.testing.assert_allclose(np.asarray(expected), actual, rtol=rtol, atol=1e-6, err_msg=name)


@together
def test_functions_with_parameters():
    same(lambda m, a: m.lax.integer_pow(a, -3), x())
    same(lambda m, a: m.lax.integer_pow(a, 0), x())
    same(lambda m, a: m.lax.reciprocal(a), x())
    same(lambda m, a: m.lax.mul(a, a, out_dtype=np.float32), x(ml_dtypes.bfloat16))
    same(lambda m, a: m.lax.round(a), np.array([0.5, 1.5, -2.5, 2.4], np.float32))
    same(lambda m, a: m.lax.round(a, m.lax.RoundingMethod.TO_NEAREST_EVEN),
         np.array([0.5, 1.5, -2.5, 2.4], np.float32))
    same(lambda m, a: m.lax.sin(a, accuracy=m.lax.AccuracyMode.HIGHEST), x())
    same(lambda m, a: m.lax.conj(a), x(np.complex64))
    same(lambda m, a: m.lax.betainc(a, a, a), x(), rtol=1e-4)
    same(lambda m, a: m.lax.random_gamma_grad(m.lax.add(a, 1.0), a), x(), rtol=1e-3)
    same_types(lambda m, a: m.lax.integer_pow(a, -1), x(np.int32))
    same_types(lambda m, a: m.lax.integer_pow(a, 2), x(np.bool_))


@together
def test_clamp_and_select():
    a, p = x(), x() > 0.4
    same(lambda m, a: m.lax.clamp(0.25, a, 0.5), a)
    same(lambda m, a, b: m.lax.clamp(b, a, b), a, a[::-1].copy())
    same(lambda m, p, a: m.lax.select(p, a, m.lax.neg(a)), p, a)
    same(lambda m, a: m.lax.select(True, a, m.lax.neg(a)), a)
    which = np.array([[0, 1, 2], [2, 1, 0]], np.int32)
    same(lambda m, i, a: m.lax.select_n(i, a, m.lax.neg(a), m.lax.sin(a)), which, a)
    same_types(lambda m, a: m.lax.clamp(0, a, 1), a, lines=False)
    same_types(lambda m, a: m.lax.clamp(a, m.lax.reshape(a, (3, 2)), 1.0), a)
    same_types(lambda m, p, a: m.lax.select(p, a, 1.0), p, a)
    same_types(lambda m, p, a: m.lax.select(p, 1, 1.0), p, a)
    same_types(lambda m, p, a: m.lax.select_n(p, a, a, a), p, a)
    same_types(lambda m, p, a: m.lax.select_n(p), p, a)
    same_types(lambda m, a: m.lax.select_n(a, a, a), a)


@pytest.mark.parametrize("dtype", ["int32", "float16", "bool", np.complex64, int, float, "uint8"])
def test_convert_element_type(dtype):
    for operand in (x(), x(np.int32), 1.5, True, np.float32(3.7)):
        same_types(lambda m, a: m.lax.convert_element_type(a, dtype), operand)
    same(lambda m, a: m.lax.convert_element_type(a, dtype), np.array([-1.5, 0.0, 2.7], np.float32))


def test_conversion_errors_and_warnings():
    same_types(lambda m, a: m.lax.convert_element_type(a, None), x(), lines=False)
    same_types(lambda m, a: m.lax.convert_element_type(a, "foo"), x())
    same_types(lambda m, a: m.lax.convert_element_type([1, 2], float), x(), lines=False)
    text = "float64 requested in convert_element_type is not available"
    with pytest.warns(UserWarning, match=text):
        LAX.convert_element_type(x(), np.float64)
    with pytest.warns(np.exceptions.ComplexWarning, match="discards the imaginary part"):
        LAX.convert_element_type(x(np.complex64), np.float32)


def test_scalars_are_converted_as_numpy_converts_them():
    convert = adjoint.lax.convert_element_type
    with np.errstate(invalid="ignore"):
        for number, dtype in ((np.float32(-1.5), "uint8"), (np.float64(1e20), "int32"), (np.int16(300), "int8")):
            found = convert(number, dtype)
            assert (found.dtype, found.weak_type, found) == (dtype, False, number.astype(dtype))
    assert convert(1j, bool) and convert(np.complex64(1j), bool)
    assert convert(2, complex) == convert(2 + 0j, complex) == 2
    assert convert(-1.5, "uint8") == convert(np.array([-1.5]), "uint8")[0] == 0
    with pytest.raises(TypeError, match="argument must be a real number, not 'complex'"):
        convert(1j, "float32")


def test_an_accuracy_is_a_tolerance_or_a_mode():
    for accuracy in (5, "highest", True):
        with pytest.raises(NotImplementedError, match=f"Accuracy {accuracy} not supported"):
            adjoint.lax.exp(1.0, accuracy=accuracy)
    for accuracy in (None, adjoint.lax.AccuracyMode.HIGHEST, adjoint.lax.Tolerance(rtol=1e-3)):
        assert adjoint.lax.exp(0.0, accuracy=accuracy) == 1


def test_a_conversion_to_the_same_dtype_is_nothing():
    a = as_array(x())
    assert LAX.convert_element_type(a, np.float32) is a
    same_jaxpr(lambda m, a: m.lax.convert_element_type(a, np.float32), x())
    same_jaxpr(lambda m, a: m.lax.convert_element_type(a, np.float32), 1.0)


@together
def test_bitcast_convert_type():
    same(lambda m, a: m.lax.bitcast_convert_type(a, "int32"), x())
    same(lambda m, a: m.lax.bitcast_convert_type(a, "uint8"), x())
    same(lambda m, a: m.lax.bitcast_convert_type(a, "uint32"), x(np.uint16, (3, 2)))
    same_types(lambda m, a: m.lax.bitcast_convert_type(a, "uint8"), x(np.bool_))
    same_types(lambda m, a: m.lax.bitcast_convert_type(a, "uint32"), x(np.uint16, (3, 3)))


def test_reduce_precision():
    same(lambda m, a: m.lax.reduce_precision(a, 5, 3), x() * np.float32(1.37), rtol=0)
    same_types(lambda m, a: m.lax.reduce_precision(a, 0, 3), x())
    same_types(lambda m, a: m.lax.reduce_precision(a, 5, 3), x(np.int32))


@together
def test_stop_gradient():
    """Trees pass; derivatives do not."""
    same(lambda m, a: m.lax.stop_gradient({"a": (a, 1), "b": None})["a"][0], x())
    same(lambda m, a: m.grad(lambda v: m.lax.mul(v, m.lax.stop_gradient(v)))(a), 3.0)
    same_jaxpr(lambda m, a: m.lax.stop_gradient(a), x(np.int32))
    assert set(conversion.__all__) < set(dir(LAX))


@together
def test_optimization_barrier():
    """Trees pass, and so do derivatives."""
    barrier = lambda m: lambda v: m.lax.optimization_barrier((v, m.lax.sin(v)))
    same(lambda m, a: barrier(m)(a), x())
    same(lambda m, a: m.grad(lambda v: m.lax.mul(*barrier(m)(v)))(a), 3.0)
    same(lambda m, a: m.vmap(barrier(m))(a), x())
    same_jaxpr(lambda m, a: barrier(m)(a), x())


@pytest.mark.parametrize(
    "program",
    [
        lambda m, a: m.lax.add(a, 1.0),
        lambda m, a: m.lax.add(a, np.float32(1)),
        lambda m, a: m.lax.pow(a, 2),
        lambda m, a: m.lax.reciprocal(a),
        lambda m, a: m.lax.clamp(0.0, a, 1.0),
        lambda m, a: m.lax.select(m.lax.gt(a, 0.0), a, a),
        lambda m, a: m.lax.bitcast_convert_type(a, np.float32),
        lambda m, a: m.lax.reduce_precision(a, 5, 10),
        lambda m, a: m.lax.sin(a, accuracy=m.lax.AccuracyMode.HIGHEST),
        lambda m, a: m.lax.mul(a, a, out_dtype=np.dtype("float32")),
        lambda m, a: m.lax.betainc(a, a, a),
        lambda m, a: m.lax.conj(a),
    ],
)
def test_jaxprs(program):
    same_jaxpr(program, x())


def test_names():
    """Names are found, those of primitives too, and no others."""
    assert LAX.add_p.name == "add" and LAX.not_p.name == "not" and LAX.add_p is LAX.add_p
    with pytest.raises(AttributeError, match="has no attribute 'addd'"):
        _ = LAX.addd
    with pytest.raises(AttributeError):
        _ = LAX.__wrapped__


@pytest.mark.parametrize("name", """
    acos acosh asin asinh atan atanh bessel_i0e cbrt cos cosh erf erf_inv erfc exp exp2 expm1 lgamma log log1p logistic
    neg reciprocal rsqrt sin sinh sqrt square tan tanh
""".split())
@pytest.mark.parametrize("shape", [(), (3,)])
def test_derivatives_of_weak_operands_are_weak_where_those_of_jax_are(name, shape):
    """JAX makes some constants as arrays: they are weak only beside a scalar."""

    def program(m, x):
        f = getattr(m.lax, name)
        return m.jvp(f, (x,), (x,))[1], m.vjp(f, x)[1](f(x))

    same_types(lambda m, x: program(m, m.numpy.asarray(0.25) * x), np.ones(shape, np.int8))


def test_derivatives_of_powers_are_strong():
    """By the base, as in JAX, also of Python scalars."""
    for y in (2.5, 3.0, 2):
        same_types(lambda m, x: m.grad(lambda x: m.lax.pow(x, y))(x), 2.0)
        same_types(lambda m, x: m.grad(lambda x: x**y)(x), 2.0)
