"""`dot_general` and what is made of it: every form, dtype, precision and derivative."""

from __future__ import annotations

import itertools

import ml_dtypes
import numpy as np
import pytest
from tests.recorded import jax

import adjoint
from adjoint.lax.linear import products

from .parity import parameters, same, same_jaxpr, same_types, together

# Shapes, contracted axes, batch axes.
FORMS = {
    "vector-vector": ((3,), (3,), ((0,), (0,)), ((), ())),
    "matrix-vector": ((2, 3), (3,), ((1,), (0,)), ((), ())),
    "vector-matrix": ((3,), (3, 4), ((0,), (0,)), ((), ())),
    "matrix-matrix": ((2, 3), (3, 4), ((1,), (0,)), ((), ())),
    "transposed": ((3, 2), (4, 3), ((0,), (1,)), ((), ())),
    "outer": ((2,), (3,), ((), ()), ((), ())),
    "scalars": ((), (), ((), ()), ((), ())),
    "batched": ((5, 2, 3), (5, 3, 4), ((2,), (1,)), ((0,), (0,))),
    "batched vectors": ((5, 3), (5, 3), ((1,), (1,)), ((0,), (0,))),
    "batch last": ((2, 3, 5), (4, 5, 3), ((1,), (2,)), ((2,), (1,))),
    "two contracted": ((2, 3, 4), (4, 3, 5), ((1, 2), (1, 0)), ((), ())),
    "two of each": ((2, 3, 4, 5, 6), (6, 4, 2, 3, 7), ((1, 4), (3, 0)), ((2, 0), (1, 2))),
    "only batch": ((3, 2), (2, 3), ((), ()), ((0, 1), (1, 0))),
    "two free": ((2, 3, 4), (4, 5, 6), ((2,), (0,)), ((), ())),
    "empty sum": ((2, 0), (0, 3), ((1,), (0,)), ((), ())),
    "empty result": ((0, 2), (2, 3), ((1,), (0,)), ((), ())),
}
each_form = pytest.mark.parametrize("form", FORMS)


def operands(form, dtype=np.float32):
    rng = np.random.default_rng(len(form))
    return [rng.integers(-4, 5, shape).astype(dtype) for shape in FORMS[form][:2]]


def product(form, **params):
    """The program that multiplies in this form."""
    numbers = FORMS[form][2:]
    return lambda m, a, b: m.lax.dot_general(a, b, numbers, **params)


@pytest.mark.parametrize("name", ["dot", "dot_general", "batch_matmul"])
def test_signatures(name):
    """Parameters have JAX's names, kinds and defaults."""
    assert parameters(jax, name) == parameters(adjoint, name)
    assert name in products.__all__


# ---- values -------------------------------------------------------------------------------------


@together
def test_values_in_every_form():
    for form in FORMS:
        same(product(form), *operands(form))
        same_jaxpr(product(form), *operands(form))


@together
def test_values_in_every_dtype():
    """Integers wrap, booleans are or-ed, small floats are summed in float32."""
    for dtype in (np.complex64, np.int32, np.int8, np.uint8, np.bool_, ml_dtypes.bfloat16, np.float16):
        for form in ("matrix-matrix", "batched vectors", "two of each"):
            same(product(form), *operands(form, dtype), rtol=0)
        big = np.random.default_rng(0).integers(-100, 100, (40, 40)).astype(dtype)
        small = dtype in (ml_dtypes.bfloat16, np.float16)
        same(lambda m, a: m.lax.dot(a, a), big, rtol=2e-2 if small else 1e-5)


@together
def test_sums_of_small_floats():
    for dtype in (ml_dtypes.bfloat16, np.float16):
        same(lambda m, a: m.lax.dot(a, a), np.ones(3000, dtype), rtol=0)


@together
def test_integers_wrap():
    big = np.full((50, 50), 2**31 - 7, np.int32)
    same(lambda m, a: m.lax.dot(a, a), big)
    same(lambda m, a: m.lax.dot(a, a), np.full((50, 50), 127, np.int8))


NAMES = (
    "int32", "uint32", "int8", "uint8", "float32", "bfloat16", "float16", "complex64", "bool",
    "float8_e4m3fn", "float8_e5m2",
)


@pytest.mark.parametrize(("left", "right"), [*itertools.product(NAMES, NAMES)])
def test_types_of_mixed_operands(left, right):
    a, b = (np.ones((2, 2)).astype(jax.numpy.dtype(d)) for d in (left, right))
    same_types(lambda m, a, b: m.lax.dot(a, b), a, b)
    same_types(lambda m, a, b: m.lax.dot(a, a, preferred_element_type=right), a, b, lines=False)


def test_weak_types():
    for args in ((2.0, 3.0), (2.0, np.ones(())), (2, 3)):
        same_types(lambda m, a, b: m.lax.dot_general(a, b, (((), ()), ((), ()))), *args)


@together
def test_values_of_mixed_and_preferred_dtypes():
    a, b = operands("matrix-matrix")
    half, byte, word = ml_dtypes.bfloat16, np.int8, np.int32
    preferring = lambda dtype: lambda m, a, b: m.lax.dot(a, b, preferred_element_type=dtype)
    same(lambda m, a, b: m.lax.dot(a, b), a, b.astype(half))
    same(lambda m, a, b: m.lax.dot(a, b), a, b.astype(word))
    same(preferring("float32"), a.astype(half), b.astype(half))
    same(preferring("int32"), a.astype(byte) * 40, b.astype(byte) * 40)
    same(preferring(half), a, b)
    same(preferring("int32"), a * 0.4, b)
    same(preferring("float32"), a.astype(byte), b.astype(byte))


# ---- derivatives and batching -------------------------------------------------------------------


@together
def test_derivatives_in_every_form():
    """Forward, backward and both, with the jaxprs of JAX."""
    for form in FORMS:
        a, b = operands(form)
        f = product(form)
        out = adjoint.eval_shape(lambda a, b: f(adjoint, a, b), a, b)
        ct = np.random.default_rng(0).integers(-4, 5, out.shape).astype(np.float32)
        pull = lambda m, a, b, ct: m.vjp(lambda a, b: f(m, a, b), a, b)[1](ct)
        push = lambda m, a, b, t, u: m.jvp(lambda a, b: f(m, a, b), (a, b), (t, u))
        same(pull, a, b, ct)
        same_jaxpr(pull, a, b, ct)
        same(push, a, b, np.asarray(a + 1), np.asarray(b - 1))
        same_jaxpr(push, a, b, a, b)
        same(lambda m, a, b, ct: m.jvp(lambda a: pull(m, a, b, ct), (a,), (a,)), a, b, ct)


@each_form
def test_batches_in_every_form(form):
    """Every position of the batch axis in either operand or both; the jaxprs are JAX's."""
    a, b = operands(form)
    f = product(form)
    stack = lambda x, d: x if d is None else np.stack([x, 2 * x, -x], d)
    for d, e in itertools.product((None, *range(a.ndim + 1)), (None, *range(b.ndim + 1))):
        if (d, e) != (None, None):
            mapped = lambda m, a, b: m.vmap(lambda a, b: f(m, a, b), (d, e))(a, b)
            same_jaxpr(mapped, stack(a, d), stack(b, e))
            if d in (None, 0, a.ndim) and e in (None, 0, b.ndim):
                out = np.asarray(mapped(adjoint, stack(a, d), stack(b, e))._buffer)
                ones = [f(adjoint, np.take(stack(a, d), i, d) if d is not None else a,
                          np.take(stack(b, e), i, e) if e is not None else b) for i in range(3)]
                np.testing.assert_array_equal(np.stack([np.asarray(o._buffer) for o in ones]), out)


@together
def test_gradients_of_batches():
    a, b = operands("batched")
    loss = lambda m, a, b: m.lax.reduce_sum(m.lax.sin(product("matrix-matrix")(m, a, b)), (0, 1))
    slopes = lambda m, axes: m.vmap(m.grad(lambda *p: loss(m, *p), (0, 1)), axes)
    same(lambda m, a, b: slopes(m, (0, 0))(a, b), a, b, rtol=1e-5)
    same(lambda m, a, b: slopes(m, (None, 0))(a, b), a[0], b, rtol=1e-5)


def test_cotangents_have_the_dtypes_of_operands():
    a, b = operands("matrix-matrix", ml_dtypes.bfloat16)
    f = lambda m, a, b: m.lax.dot(a, b, preferred_element_type="float32")
    pull = lambda m, a, b, ct: m.vjp(lambda a, b: f(m, a, b), a, b)[1](ct)
    same(pull, a, b, np.ones((2, 4), np.float32))
    same_jaxpr(pull, a, b, np.ones((2, 4), np.float32))


# ---- precision ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "precision",
    [None, "highest", "float32", "high", "bfloat16_3x", "tensorfloat32", "default", "fastest",
     ("high", "default"), "F32_F32_F32", "BF16_BF16_F32_X3"],
)
def test_precision(precision):
    same_jaxpr(lambda m, a, b: m.lax.dot(a, b, precision=precision), *operands("matrix-matrix"))


def test_precision_objects():
    for get in (
        lambda m: m.lax.Precision.HIGH,
        lambda m: (m.lax.Precision.HIGH, m.lax.Precision.DEFAULT),
        lambda m: m.lax.DotAlgorithmPreset.BF16_BF16_F32,
    ):
        same_jaxpr(lambda m, a, b: m.lax.dot(a, b, precision=get(m)), *operands("matrix-matrix"))
    for name in ("Precision", "DotAlgorithmPreset"):
        theirs, ours = getattr(jax.lax, name), getattr(adjoint.lax, name)
        assert [(p.name, p.value, str(p), repr(p)) for p in theirs] == [
            (p.name, p.value, str(p), repr(p)) for p in ours
        ]
    assert adjoint.lax.Precision("highest") is adjoint.lax.Precision.HIGHEST
    assert adjoint.lax.DotAlgorithm("f4", "f4", "f4")._fields == jax.lax.DotAlgorithm._fields


def test_default_precision():
    def program(m, a, b):
        with m.default_matmul_precision("bfloat16"):
            return m.lax.dot(a, b)

    same_jaxpr(program, *operands("matrix-matrix"))


def test_bad_precision():
    for bad in ("foo", 7, ("high",)):
        same_types(lambda m, a, b: m.lax.dot(a, b, precision=bad), *operands("matrix-matrix"))


# ---- errors -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "numbers",
    [
        (((0,), (0, 1)), ((), ())),
        (((5,), (0,)), ((), ())),
        (((-1,), (0,)), ((), ())),
        (((0,), (0,)), ((), ())),
        (((1, 1), (0, 0)), ((), ())),
        (((1,), (0,)), ((1,), (0,))),
        (((), ()), ((0,), (0,))),
        (((), ()), ((0, 0), (1, 1))),
    ],
)
def test_dimension_numbers_that_do_not_fit(numbers):
    """The class and the text of the error are JAX's."""
    same_types(lambda m, a, b: m.lax.dot_general(a, b, numbers), *operands("matrix-matrix"))


def test_operands_that_do_not_fit():
    a, b = operands("matrix-matrix")
    same_types(lambda m, a, b: m.lax.dot(a, a), a, b)
    same_types(lambda m, a, b: m.lax.dot(a, 2.0), a, b)
    same_types(lambda m, a, b: m.lax.dot([1.0], [1.0]), a, b, lines=False)
    narrow = lambda m, a: m.lax.dot(a, a, preferred_element_type="int8")
    same_types(narrow, np.ones((2, 2), np.int32))
    with pytest.raises(ValueError, match=r"Try: jnp.matmul\(lhs, rhs\)"):
        adjoint.lax.dot(a, a)


def test_batch_matmul():
    a, b = operands("batched")
    same(lambda m, a, b: m.lax.batch_matmul(a, b), a, b)
    same_types(lambda m, a, b: m.lax.batch_matmul(a, b), a[0, 0], b)
    same_types(lambda m, a, b: m.lax.batch_matmul(a, b), a[0], b)
    same_types(lambda m, a, b: m.lax.batch_matmul(a, b), a[:2], b)


@together
def test_ragged_dot():
    """Each group of rows with its matrix; rows beyond the groups are zero; derivatives too."""
    rng = np.random.default_rng(0)
    a = rng.standard_normal((7, 3)).astype(np.float32)
    b = rng.standard_normal((3, 3, 2)).astype(np.float32)
    for sizes in ([2, 0, 5], [3, 1, 1]):
        sizes = np.array(sizes, np.int32)
        same(lambda m, a, b, s: m.lax.ragged_dot(a, b, s), a, b, sizes)
        total = lambda m, s: lambda *p: m.lax.reduce_sum(m.lax.sin(m.lax.ragged_dot(*p, s)), (0, 1))
        same(lambda m, a, b, s: m.grad(total(m, s), (0, 1))(a, b), a, b, sizes, rtol=1e-5)
    with pytest.raises(TypeError, match="dot_general requires"):
        adjoint.lax.ragged_dot(a, b[0], sizes)


def test_presets_name_the_types_of_operands_and_sums():
    kinds = np.float16, ml_dtypes.bfloat16, np.float32, np.int8, ml_dtypes.float8_e5m2
    for theirs, ours in zip(jax.lax.DotAlgorithmPreset, adjoint.lax.DotAlgorithmPreset, strict=True):
        assert theirs.name == ours.name
        for name in ("supported_lhs_types", "supported_rhs_types", "accumulation_type"):
            assert getattr(theirs, name) == getattr(ours, name), (theirs, name)
        for lhs, rhs in itertools.product(kinds, repeat=2):
            results = [_told_types(preset, lhs, rhs) for preset in (theirs, ours)]
            assert results[0] == results[1], (theirs, lhs, rhs)


def _told_types(preset, lhs, rhs):
    try:
        return preset.supported_output_types(lhs, rhs)
    except Exception as error:
        return type(error).__name__
