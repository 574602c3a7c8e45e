"""What the harness cannot see: error texts, weak types, scalars, silence."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import scipy.special
from tests.recorded import jax

from adjoint.core.types import ShapedArray
from adjoint.prims.arithmetic import abs_, add, div, integer_pow, mul, neg, rem, sub
from adjoint.prims.conversion import bitcast_convert_type, convert_element_type
from adjoint.prims.logic import shift_left
from adjoint.prims.special import erf, erfc
from adjoint.prims.transcendental import exp, log

from . import harness, oracle

PRIMITIVES = {p.name: p for p in harness.all_primitives()}

F = np.arange(2, dtype=np.float32)
I = np.arange(2, dtype=np.int32)
B = np.array([True, False])

MISTAKES = [
    ("add", (F, I), {}),
    ("add", (F, np.ones(3, np.float32)), {}),
    ("add", (F, np.ones((2, 2), np.float32)), {}),
    ("atan2", (I, I), {}),
    ("bitcast_convert_type", (F,), {"new_dtype": np.dtype(bool)}),
    ("bitcast_convert_type", (F,), {"new_dtype": np.dtype(np.complex64)}),
    ("bitcast_convert_type", (np.ones(3, np.int8),), {"new_dtype": np.dtype(np.int32)}),
    ("clamp", (F, I, F), {}),
    ("clamp", (np.ones(3, np.float32), F, F), {}),
    ("clamp", (F, F, F[:1]), {}),
    ("complex", (F, I), {}),
    ("complex", (F.astype(np.float16), F.astype(np.float16)), {}),
    ("integer_pow", (I,), {"y": -1}),
    ("max", (F, I), {}),
    ("not", (F,), {}),
    ("pow", (F, F.astype(ml_dtypes.bfloat16)), {}),
    ("pow", (I, F), {}),
    ("pow", (F, B), {}),
    ("reduce_precision", (F,), {"exponent_bits": 0, "mantissa_bits": 3}),
    ("reduce_precision", (F,), {"exponent_bits": 3, "mantissa_bits": -1}),
    ("reduce_precision", (I,), {"exponent_bits": 3, "mantissa_bits": 1}),
    ("select_n", (F, F, F), {}),
    ("select_n", (B, F, F, F), {}),
    ("select_n", (B, F, I), {}),
    ("select_n", (B, F, np.ones(3, np.float32)), {}),
    ("select_n", (np.ones(3, bool), F, F), {}),
    ("shift_left", (I, F), {}),
    ("sin", (I,), {}),
]


@pytest.mark.parametrize("name, operands, params", MISTAKES)
def test_mistakes_raise_what_jax_raises(name, operands, params):
    """The same class and the same first words; more may follow."""
    theirs = oracle.primitive(name)
    with pytest.raises((TypeError, ValueError)) as expected:
        theirs.bind(*map(jax.numpy.asarray, operands), **params)
    with pytest.raises(expected.type) as got:
        PRIMITIVES[name].bind(*operands, **params)
    assert str(got.value).startswith(str(expected.value).splitlines()[0].rstrip("."))


@pytest.mark.parametrize(
    "name, params",
    [
        ("abs", {}), ("add", {}), ("clamp", {}), ("complex", {}),
        ("conj", {"input_dtype": F.dtype}),
        ("convert_element_type", {"new_dtype": F.dtype, "weak_type": True, "sharding": None}),
        ("copy", {}), ("eq", {}), ("erf", {}), ("integer_pow", {"y": 2}), ("is_finite", {}),
        ("pow", {}),
        ("reduce_precision", {"exponent_bits": 5, "mantissa_bits": 3}), ("stop_gradient", {}),
        ("bitcast_convert_type", {"new_dtype": F.dtype}),
    ],
)
@pytest.mark.parametrize("weak", [(True, True), (True, False), (False, True)])
def test_results_are_weak_where_jax_has_them_weak(name, params, weak):
    p = PRIMITIVES[name]
    arity = {"add": 2, "clamp": 3, "complex": 2, "eq": 2, "pow": 2}.get(name, 1)
    weak = (*weak, weak[-1])[:arity]
    ours = p.infer(tuple(ShapedArray((2,), F.dtype, w) for w in weak), params)
    structs = [jax.ShapeDtypeStruct((2,), F.dtype, weak_type=w) for w in weak]
    theirs = jax.eval_shape(lambda *xs: oracle.primitive(name).bind(*xs, **params), *structs)
    assert (theirs.shape, theirs.dtype) == (ours.shape, ours.dtype)
    assert theirs.weak_type == ours.weak_type


def test_scalars_overflow_and_divide_by_zero_in_silence():
    """NumPy warns of its scalars where arrays wrap; a warning here would be an error."""
    big, zero = np.int32(2**31 - 1), np.int32(0)
    one = np.float32(1)
    assert add(big, np.int32(1))._value == -(2**31)
    assert mul(big, big)._value == 1
    assert neg(np.int32(-(2**31)))._value == abs_(np.int32(-(2**31)))._value == -(2**31)
    assert sub(np.uint8(0), np.uint8(1))._value == 255
    assert div(big, zero)._value == -1 and rem(big, zero)._value == big
    assert div(np.int32(-(2**31)), np.int32(-1))._value == -(2**31)
    assert integer_pow(np.uint32(7), y=30)._value == 7**30 % 2**32
    assert div(one, np.float32(0))._value == np.inf and np.isnan(log(np.float32(-1))._value)
    assert exp(np.float32(1e4))._value == np.inf
    to_int = lambda x: convert_element_type(x, new_dtype=np.dtype(np.int32), weak_type=False)
    assert to_int(np.float32(np.nan))._value == 0 and to_int(np.float32(1e20))._value == big
    assert shift_left(np.int32(1), np.int32(40))._value == 0


def test_bits_of_a_scalar():
    """A wider scalar becomes a vector and back."""
    words = bitcast_convert_type(np.uint32(0x3F800001), new_dtype=np.dtype(np.uint16))
    assert words._value.tolist() == [1, 0x3F80]
    back = bitcast_convert_type(words, new_dtype=np.dtype(np.float32))
    assert back._value == np.float32(1) + np.finfo(np.float32).eps


def test_accuracy_is_a_parameter_and_changes_nothing():
    """JAX's programs bind it."""
    x = np.float32(0.5)
    assert exp(x, accuracy=None)._value == exp(x)._value


def test_error_functions_have_few_units_of_rounding():
    x = np.concatenate([np.linspace(-4, 4, 10_001), np.geomspace(1e-38, 1, 1001), [np.inf, -np.inf]]).astype(np.float32)
    true = scipy.special.erf(x.astype(np.float64))
    assert (abs(erf(x)._value - true) <= 1.1 * np.spacing(abs(true.astype(np.float32)))).all()
    # By mpmath, with 60 digits.
    for x, true in [(0.9999999039113394, 0.15729924693741238882), (0.999999999993305, 0.15729920705306426618)]:
        assert abs(erfc(np.float64(x))._value - true) <= 3 * np.spacing(true)
