"""Private names that are about dtypes and operands do what JAX's do."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp
from adjoint.compat.private import generators
from adjoint.compat.private.operands import constants, kinds, promoted

their_dtypes = jax._src.dtypes
their_lax = jax._src.lax.lax
their_numpy = jax._src.numpy.util
F32, I8 = np.float32, np.int8


def text(error):
    return str(error).splitlines()[0]


def outcome(f, *args, **kwargs):
    """What a call returns, as NumPy arrays with their dtypes and weakness, or its error."""
    try:
        out = f(*args, **kwargs)
    except Exception as error:
        return type(error), text(error)
    leaves, tree = adjoint.tree.flatten(out if not isinstance(out, np.dtype) else str(out))
    return str(tree), [(np.asarray(x).tolist(), str(x.dtype), getattr(x, "weak_type", None)) if hasattr(x, "dtype")
                       else x for x in leaves]


DTYPES = [
    ("default_int_dtype",), ("default_uint_dtype",), ("default_float_dtype",), ("default_complex_dtype",),
    ("jax_dtype", float), ("jax_dtype", "int64"), ("jax_dtype", None), ("jax_dtype", int), ("jax_dtype", complex),
    ("to_floating_dtype", "complex64"), ("to_floating_dtype", "int32"), ("scalar_type_to_dtype", int),
    ("scalar_type_to_dtype", int, 2 ** 40), ("is_weakly_typed_scalar", 3),
    ("is_weakly_typed_scalar", F32(3)), ("check_valid_dtype", np.dtype("int32")),
    ("check_valid_dtype", np.dtype("S3")), ("check_and_canonicalize_user_dtype", int, "zeros"),
    ("check_and_canonicalize_user_dtype", "S3", "zeros"), ("dtype", 1), ("dtype", None), ("dtype", [1]),
    ("dtype", "int8"), ("dtype", np.float64(1)), ("short_dtype_name", np.dtype("float32")),
    *[("safe_to_cast", a, b) for a in ("int32", "float32", "bool", 1, 1.0, True) for b in (
        "int8", "float16", "bool", "complex64", "uint8", "bfloat16")],
    ("safe_to_cast", "int32", 1.0), ("safe_to_cast", "float16", "bfloat16"), ("safe_to_cast", 1j, "float32"),
]


@pytest.mark.parametrize("call", DTYPES, ids=str)
def test_dtypes_are_as_in_jax(call):
    name, *args = call
    assert outcome(getattr(kinds, name), *args) == outcome(getattr(their_dtypes, name), *args)


def test_default_types_are_functions():
    assert {k: str(f()) for k, f in kinds.default_types.items()} == {
        "b": "bool", "i": "int32", "u": "uint32", "f": "float32", "c": "complex64"}
    assert {bool, int, float, complex} < kinds.python_scalar_types
    assert kinds.coerce_to_array(3).dtype == np.int32 and kinds.coerce_to_array(3, I8).dtype == I8


OPERANDS = [
    ("promote_shapes", "add", np.ones(3, F32), np.ones((2, 3), F32)),
    ("promote_shapes", "add", np.ones((), F32), np.ones((2, 3), F32)),
    ("promote_dtypes_numeric", np.bool_(True), np.bool_(False)), ("promote_dtypes_numeric", True, 1.0),
    ("ensure_arraylike", "f", 1), ("ensure_arraylike", "f", 1, 2.0), ("ensure_arraylike", "f"),
    ("ensure_arraylike_tuple", "f", (1, 2.0)), ("promote_args", "add", 1, np.ones(2, I8)),
    ("promote_args", "add", 1, 2.0), ("promote_args", "add"), ("promote_args_numeric", "add", True, False),
    ("promote_args_inexact", "add", 1, 2), ("promote_args_complex", "add", 1, 2),
    ("promote_args_inexact", "f", I8(1), np.ones(3, F32)), ("check_arraylike", "f", 1, 2.0),
    ("check_arraylike_or_none", "f", None, 1), ("check_no_float0s", "f", 1),
    ("canonicalize_device_to_sharding", None), ("choose_device_or_out_sharding", None, None, "f"),
]
REFUSED = [
    ("ensure_arraylike", "f", [2]), ("ensure_arraylike_tuple", "f", (1, [2])), ("check_arraylike", "f", 1, [2]),
    ("check_arraylike_or_none", "f", None, [1]), ("promote_args", "add", [1], 2), ("check_arraylike", "f", None),
]


@pytest.mark.parametrize("call", OPERANDS + REFUSED, ids=str)
@pytest.mark.filterwarnings("ignore")
def test_operands_are_as_in_jax(call):
    name, *args = call
    assert outcome(getattr(promoted, name), *args) == outcome(getattr(their_numpy, name), *args)


def test_keys_and_float0s_are_no_numbers():
    zero = np.zeros(2, adjoint.dtypes.float0)
    for check, args, words in (
        (promoted.check_no_float0s, (zero,), "Called f with a float0 array"),
        (promoted.check_for_prngkeys, (adjoint.random.key(0), 1), "f does not accept dtypes key<fry>, int32"),
    ):
        with pytest.raises(TypeError, match=words):
            check("f", *args)
    assert promoted.check_for_prngkeys("f", adjoint.random.key(0)) is None
    with pytest.warns(DeprecationWarning, match="In a future JAX release this will be an error"):
        promoted.check_arraylike("f", None, emit_warning=True)
    device = adjoint.devices()[0]
    assert promoted.canonicalize_device_to_sharding(device).device_set == {device}
    with pytest.raises(ValueError, match="Only one of `device` or `out_sharding` can be set"):
        promoted.choose_device_or_out_sharding(device, adjoint.P("x"), "f")
    with adjoint.numpy_rank_promotion("raise"), pytest.raises(ValueError, match="for f on shapes"):
        promoted.warn_of_rank_promotion("f", [(3,), (2, 3)])


X8 = np.ones(2, I8)
CONSTANTS = [
    ("asarray", "asarray", 3), ("asarray", "asarray", [1]), ("converted", "_convert_element_type", 1, np.dtype(F32)),
    ("converted", "_convert_element_type", 1.0, np.dtype(F32), True), ("converted", "_convert_element_type", 1),
    ("converted", "_convert_element_type", X8), ("zero", "_zero", X8), ("one", "_one", X8), ("ones", "_ones", X8),
    ("zeros", "_zeros", X8), ("delta", "_delta", "float32", (2, 2, 2), (0, 1)),
    ("delta", "_delta", "float32", (2, 3, 2), (1, 0, 2)), ("triangle", "_tri", "float32", (2, 3), 1),
    ("eye", "_eye", "float32", (2, 3), 1), ("dilated_shape", "_dilate_shape", (3, 4), (2, 1)),
    ("check_shapelike", "_check_shapelike", "f", "shape", (2, "a")),
    ("check_shapelike", "_check_shapelike", "f", "shape", (2, -1)),
    ("check_shapelike", "_check_shapelike", "f", "shape", 2),
    ("check_shapelike", "_check_shapelike", "f", "shape", (0,), True), ("remaining", "remaining", [1, 2, 3, 4], [2]),
    ("broadcast_to", "broadcast_to", np.ones(3, F32), (2, 3)),
]


@pytest.mark.parametrize("call", CONSTANTS, ids=str)
def test_constants_are_as_in_jax(call):
    ours, theirs, *args = call
    assert outcome(getattr(constants, ours), *args) == outcome(getattr(their_lax, theirs), *args)


def test_lists_of_axes_and_names_of_dtypes():
    assert [list(r) for r in constants.ranges_like([1, 2], [3])] == [[0, 1], [2]]
    assert constants.try_broadcast_shapes((2, 1), (1, 3), name="f") == (2, 3)
    with pytest.raises(TypeError, match=r"f got incompatible shapes for broadcasting: \(2, 1\), \(3, 3\)"):
        constants.try_broadcast_shapes((2, 1), (3, 3), name="f")
    a, b = (adjoint.ShapeDtypeStruct((2,), d) for d in ("int32", "int16"))
    with pytest.raises(TypeError, match=r"lax\.f requires arguments to have the same dtypes, got int32, int16"):
        constants.check_same_dtypes("f", a, b)
    assert constants.check_same_dtypes("f", a, a) is None and constants.input_dtype(a) == np.int32
    assert constants.dtype_to_string(F32) == "float32"
    assert constants.int_dtype_for_dim(3, signed=True) == np.int32
    assert constants.int_dtype_for_shape((3, 2 ** 40), signed=False) == np.uint64
    assert constants.constant_like(X8, 3).dtype == I8 and type(constants.constant_like(1.0, 3)) is float
    assert constants.zeros_like_shaped_array(adjoint.typeof(X8)).dtype == I8
    assert [int(x) for x in constants.rows(jnp.arange(2))] == [0, 1]
    assert bool(constants.isnan(np.float32(np.nan)))


@pytest.mark.filterwarnings("ignore:Explicitly requested dtype uint64")
@pytest.mark.parametrize("x64", [False, True])
def test_generators_take_words(x64):
    theirs = jax._src.random.threefry2x32
    with adjoint.enable_x64(x64), jax.enable_x64(x64):
        for seed in (3, np.uint8(7), np.int32(-1)):
            words = generators.threefry_seed(seed)
            assert (words.tolist(), words.dtype) == (theirs.threefry_seed(np.asarray(seed)).tolist(), "uint32")
        words = np.asarray(words)
        data = np.uint32(5)
        for name, *operands in (
            ("split", (2,)), ("split", (2, 3)), ("fold_in", data),
            *[("random_bits", width, shape) for width in (8, 16, 32, 64) for shape in ((), (3,))],
        ):
            out, expected = (getattr(m, f"threefry_{name}")(words, *operands) for m in (generators, theirs))
            assert (out.tolist(), out.dtype) == (expected.tolist(), expected.dtype), name
