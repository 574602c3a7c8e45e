"""Dtypes, their categories and their promotion, against JAX."""

from __future__ import annotations

import copy
import enum
import itertools
import pickle
import warnings
from typing import NamedTuple

import ml_dtypes
import numpy as np
import pytest
from tests.recorded import jax

import adjoint.dtypes
import adjoint.numpy
from adjoint.core import dtypes
from adjoint.core.messages import errors
from adjoint.core.messages.dtype_text import short_name
from adjoint.core.options import config

jnp = jax.numpy

PYTHON = (bool, int, float, complex)
MODES = list(itertools.product(("standard", "strict"), (False, True)))
NAMES = [d.name for d in dtypes.all_dtypes]


class Impl(NamedTuple):
    """A stand-in for a generator of random keys."""

    name: str
    tag: str
    key_shape: tuple


FRY = Impl("threefry2x32", "fry", (2,))
RBG = Impl("rbg", "rbg", (4,))


class Typed:
    """A value with a dtype, weak or not."""

    shape = ()

    def __init__(self, dtype, weak_type=False):
        self.dtype, self.weak_type = np.dtype(dtype), weak_type


def outcome(fun, *args, **kwargs):
    """What a call yields: its result, or the name of the error it raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return fun(*args, **kwargs)
        except (TypeError, ValueError) as error:
            return type(error).__name__


@pytest.fixture(params=MODES, ids=lambda m: f"{m[0]}-x{64 if m[1] else 32}")
def modes(request):
    """Both libraries in one promotion mode, with 64-bit types on or off."""
    mode, x64 = request.param
    with jax.numpy_dtype_promotion(mode), jax.enable_x64(x64):
        with config.numpy_dtype_promotion(mode), config.enable_x64(x64):
            yield


# ---- promotion ----


def test_result_type_of_every_pair(modes):
    """result_type and its weakness are JAX's for all pairs of dtypes and Python types."""
    for a, b in itertools.product([*dtypes.all_dtypes, *PYTHON], repeat=2):
        expected = outcome(jax.dtypes.result_type, a, b, return_weak_type_flag=True)
        assert expected == outcome(dtypes.result_type, a, b, return_weak_type_flag=True), (a, b)


def test_promote_types_of_every_pair(modes):
    """promote_types is JAX's for all pairs of dtypes and Python types."""
    for a, b in itertools.product([*dtypes.all_dtypes, *PYTHON], repeat=2):
        assert outcome(jnp.promote_types, a, b) == outcome(dtypes.promote_types, a, b), (a, b)


def test_result_type_of_weak_arrays(modes):
    """Weak operands of any dtype, which come from Python scalars under jit, promote as in JAX."""
    # int4 is left out: JAX itself fails with KeyError on a weak int4.
    names = "bool int8 int32 uint8 uint32 bfloat16 float16 float32 complex64 float8_e4m3fn".split()
    kinds = [(np.dtype(n), weak) for n in names for weak in (True, False)]
    pairs = list(itertools.product(kinds, repeat=2))
    expected = []

    def traced(*xs):
        for x in xs:
            expected.append(jax.dtypes.result_type(x, return_weak_type_flag=True))
        for (i, _), (j, _) in itertools.product(enumerate(xs), repeat=2):
            both = outcome(jax.dtypes.result_type, xs[i], xs[j], return_weak_type_flag=True)
            expected.append(both)

    structs = [jax.ShapeDtypeStruct((), d, weak_type=w) for d, w in kinds]
    jax.eval_shape(traced, *structs)
    ours = [dtypes.result_type(Typed(*k), return_weak_type_flag=True) for k in kinds]
    for a, b in pairs:
        ours.append(
            outcome(dtypes.result_type, Typed(*a), Typed(*b), return_weak_type_flag=True)
        )
    for what, theirs, our in zip([*kinds, *pairs], expected, ours):
        assert theirs == our, what


def test_result_type_of_three(modes):
    """Promotion of three operands is that of the whole set, not of pairs from the left."""
    some = [np.dtype(n) for n in "bool int8 uint8 uint32 int64 float16 bfloat16 float32".split()]
    for args in itertools.product([*some, int, float, complex], repeat=3):
        expected = outcome(jax.dtypes.result_type, *args, return_weak_type_flag=True)
        assert expected == outcome(dtypes.result_type, *args, return_weak_type_flag=True), args


class Color(enum.IntEnum):
    RED = 1


VALUES = [
    1, True, 2.5, 1j, 2**40, Color.RED, None, "float32", "int64", "uint", "half", float, np.float64,
    np.int8(3), np.float64(3), np.bool_(True), np.ones(3), np.ones(3, "int8"), np.arange(3),
    np.zeros(2, dtypes.float0), ml_dtypes.bfloat16, ml_dtypes.bfloat16(1), np.dtype("complex128"),
    "U3", str, list, object(), [1, 2], (), np.array(["a"]), np.array([1, "a"], dtype=object),
    np.dtype(">f4"), np.ones(3, ">f4"), np.longdouble(3), "notadtype",
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=errors.describe)
def test_result_type_of_values(value, modes):
    """Scalars, arrays, dtype-likes and things that are none of these are treated as in JAX."""
    for args in ((value,), (value, 1), (value, np.float32(1))):
        expected = outcome(jax.dtypes.result_type, *args, return_weak_type_flag=True)
        assert expected == outcome(dtypes.result_type, *args, return_weak_type_flag=True)


def test_result_type_of_nothing():
    with pytest.raises(ValueError, match="at least one array or dtype is required"):
        dtypes.result_type()


def test_64_bit_arrays_outside_enable_x64():
    """An array made under enable_x64 keeps its dtype alone, and is narrowed with others."""
    wide = Typed("float64")
    assert dtypes.float64 == dtypes.result_type(wide)
    assert dtypes.float64 == dtypes.result_type(wide, wide)
    with config.enable_x64(False):
        assert dtypes.float32 == dtypes.result_type(wide, 1.0)
        assert dtypes.float32 == dtypes.result_type(wide, np.float16(1))


@pytest.mark.parametrize("mode", ["strict", "standard"])
def test_error_of_promotion_names_the_dtypes(mode):
    with config.numpy_dtype_promotion(mode), jax.numpy_dtype_promotion(mode):
        for names in (("int4", "int8"), ("float32", "float8_e5m2"), ("int4", "float16", "uint4")):
            args = [np.dtype(n) for n in names]
            theirs = outcome_text(jax.dtypes.result_type, *args)
            assert theirs == outcome_text(dtypes.result_type, *args)


def outcome_text(fun, *args):
    try:
        return str(fun(*args))
    except ValueError as error:  # JAX lists the dtypes in the order of a set
        text = str(error)
        first, last = text.index("(") + 1, text.index(")")
        return text[:first] + ", ".join(sorted(text[first:last].split(", "))) + text[last:]


def test_result_of_caches_by_mode():
    """A cached answer of one mode is not given in another."""
    assert dtypes.int32 == dtypes.result_type(np.int32(1), np.int32(1), 1)
    assert dtypes.float32 == dtypes.result_type(np.int32(1), 1.0)
    with config.enable_x64(True):
        assert dtypes.float64 == dtypes.result_type(np.int32(1), 1.0)
    with config.numpy_dtype_promotion("strict"), pytest.raises(dtypes.TypePromotionError):
        dtypes.result_type(np.int32(1), 1.0)
    assert dtypes.float32 == dtypes.result_type(np.int32(1), 1.0)


# ---- narrowing ----


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("dtype", [*NAMES, *PYTHON, None, np.float64, "f8", "foo", object], ids=str)
def test_canonicalize_dtype(dtype, x64):
    with config.enable_x64(x64), jax.enable_x64(x64):
        assert outcome(jax.dtypes.canonicalize_dtype, dtype) == outcome(
            dtypes.canonicalize_dtype, dtype
        )


@pytest.mark.parametrize("mode", ["warn", "error", "allow"])
@pytest.mark.parametrize("dtype", [*NAMES, "float", *PYTHON, dtypes.float0, str, "U3", ">f4"],
                         ids=str)  # fmt: skip
def test_check_user_dtype_supported(dtype, mode):
    """The dtype that a user asks for is kept, narrowed or refused as in JAX."""
    mode = config.ExplicitX64Mode[mode.upper()]
    jax.config.update("jax_explicit_x64_dtypes", mode.name.lower())
    try:
        expected = outcome(lambda: jax.eval_shape(lambda: jnp.empty(2, dtype)).dtype)
    finally:
        jax.config.update("jax_explicit_x64_dtypes", "warn")
    state = config.config.state("jax_explicit_x64_dtypes")
    with state(mode.name.lower()):
        assert expected == outcome(dtypes.check_user_dtype_supported, dtype, "empty")


def test_narrowing_warns_at_the_users_line():
    """The warning begins as JAX's does, names the function, and points at this file."""
    with pytest.warns(UserWarning) as theirs, jax.enable_x64(False):
        jnp.zeros(3, "float64")
    with pytest.warns(UserWarning) as ours, config.enable_x64(False):
        dtypes.check_user_dtype_supported("float64", "zeros")
    start = str(theirs[0].message).partition("shell environment variable")[0]
    assert str(ours[0].message).startswith(start)
    assert __file__ == ours[0].filename


def test_python_types_narrow_silently():
    assert dtypes.float32 == dtypes.check_user_dtype_supported(float)
    assert dtypes.int32 == dtypes.check_user_dtype_supported(int)
    assert dtypes.complex64 == dtypes.check_user_dtype_supported(complex)


@pytest.mark.parametrize("name", ["float64", "int64", "uint64", "complex128"])
def test_scalar_classes_are_asked_about_without_warnings(name):
    """`jnp.float64` has a dtype, as an array has; its name and NumPy's class ask for one, and warn as in JAX."""
    cls = getattr(adjoint.numpy, name)
    with warnings.catch_warnings(), config.enable_x64(False):
        warnings.simplefilter("error")
        assert adjoint.numpy.result_type(cls) == dtypes.result_type(cls, cls) == dtypes.canonicalize_dtype(name)
        assert adjoint.lax.dtype(cls) == dtypes.canonicalize_dtype(name)
    for asked in (name, getattr(np, name), np.dtype(name)):
        with pytest.warns(UserWarning, match="not available"), config.enable_x64(False):
            adjoint.numpy.result_type(asked)


@pytest.mark.parametrize("dtype", [None, adjoint.numpy.ones(2)])
def test_nothing_and_arrays_are_no_dtypes(dtype):
    with pytest.raises(ValueError, match="dtype must be specified|Passing an array as a dtype"):
        dtypes.check_user_dtype_supported(dtype)


def test_unsupported_dtype_names_the_function():
    with pytest.raises(TypeError, match="got dtype <class 'str'> in zeros"):
        dtypes.check_user_dtype_supported(str, "zeros")


@pytest.mark.parametrize("x64", [False, True])
def test_defaults(x64):
    with config.enable_x64(x64), jax.enable_x64(x64):
        assert jnp.asarray(1).dtype == dtypes.default_int()
        assert jnp.asarray(1.0).dtype == dtypes.default_float()
        assert jnp.asarray(1j).dtype == dtypes.default_complex()
        assert jnp.dtype("uint64" if x64 else "uint32") == dtypes.default_uint()


@pytest.mark.parametrize("x64", [False, True])
def test_to_inexact_dtype(x64):
    """The dtype in which `sin` computes is JAX's."""
    with config.enable_x64(x64), jax.enable_x64(x64):
        for dtype in dtypes.all_dtypes:
            if dtype in dtypes.small_ints or jax.dtypes.canonicalize_dtype(dtype) != dtype:
                continue  # JAX fails on the first kind
            expected = jax.eval_shape(jnp.sin, jax.ShapeDtypeStruct((), dtype)).dtype
            assert expected == dtypes.to_inexact_dtype(dtype), dtype


def test_derived_dtypes():
    assert dtypes.int32 == dtypes.to_numeric_dtype(bool)
    assert dtypes.int8 == dtypes.to_numeric_dtype("int8")
    assert dtypes.complex64 == dtypes.to_complex_dtype("int8")
    assert dtypes.complex128 == dtypes.to_complex_dtype("float64")
    assert dtypes.float32 == dtypes.to_real_dtype("complex64")
    assert dtypes.bfloat16 == dtypes.to_real_dtype("bfloat16")


# ---- names, sizes, limits ----


@pytest.mark.parametrize("dtype", dtypes.all_dtypes, ids=str)
def test_short_name(dtype):
    """Names are those that JAX prints in jaxprs."""
    expected = jax.core.ShapedArray((), dtype).str_short(short_dtypes=True)
    assert expected == short_name(dtype) + "[]"


def test_short_names_of_special_dtypes():
    assert "float0" == short_name(dtypes.float0)
    assert "key<fry>" == short_name(dtypes.KeyDType(FRY))


@pytest.mark.parametrize(
    "dtype", [*dtypes.all_dtypes, "int4", float, None, dtypes.float0, str, "foo"], ids=str
)
def test_itemsize_bits(dtype):
    assert outcome(jax.dtypes.itemsize_bits, dtype) == outcome(dtypes.itemsize_bits, dtype)


INEXACT = (*dtypes.small_floats, *dtypes.floats, *dtypes.complexes)


@pytest.mark.parametrize("dtype", INEXACT, ids=str)
def test_finfo(dtype):
    theirs, ours = jnp.finfo(dtype), dtypes.finfo(dtype)
    for name in "bits eps max min tiny nmant nexp resolution smallest_normal dtype".split():
        np.testing.assert_equal(getattr(theirs, name), getattr(ours, name))


@pytest.mark.parametrize("dtype", [*dtypes.small_ints, *dtypes.signed_ints, *dtypes.unsigned_ints],
                         ids=str)  # fmt: skip
def test_iinfo(dtype):
    theirs, ours = jnp.iinfo(dtype), dtypes.iinfo(dtype)
    assert (theirs.min, theirs.max, theirs.bits) == (ours.min, ours.max, ours.bits)


# ---- kinds ----

KINDS = [
    *dtypes.all_dtypes, *PYTHON, None, "float32", "i4", "U3", str, object, dtypes.float0,
    np.float32, np.float64, np.longdouble, ml_dtypes.bfloat16, np.datetime64, np.void, np.str_,
    np.generic, np.number, np.integer, np.signedinteger, np.unsignedinteger, np.inexact,
    np.floating, np.complexfloating, np.character, np.flexible, np.bool_, jnp.float32, jnp.int4,
]  # fmt: skip


def test_issubdtype_of_every_pair():
    for a, b in itertools.product(KINDS, repeat=2):
        assert jnp.issubdtype(a, b) == dtypes.issubdtype(a, b), (a, b)


def test_issubdtype_of_keys():
    """Key dtypes and their categories relate as JAX's do."""
    theirs, ours = jax.random.key(0).dtype, dtypes.KeyDType(FRY)
    theirs_other, ours_other = jax.random.key(0, impl="rbg").dtype, dtypes.KeyDType(RBG)
    left = [theirs, theirs_other, jax.dtypes.prng_key, jax.dtypes.extended, np.float32, np.generic]
    right = [ours, ours_other, dtypes.prng_key, dtypes.extended, np.float32, np.generic]
    for i, j in itertools.product(range(len(left)), repeat=2):
        assert jnp.issubdtype(left[i], left[j]) == dtypes.issubdtype(right[i], right[j]), (i, j)


def test_issubdtype_of_nonsense():
    for bad in (3, "notadtype"):
        with pytest.raises(TypeError):
            dtypes.issubdtype(bad, np.integer)


KIND_NAMES = [
    "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating",
    "numeric", "float32", "foo", np.float32, float, jnp.bfloat16, dtypes.int4, (), 3, None,
    ("bool", "numeric"), (np.int8, "bool"), (3,), ("foo", "numeric"), ("numeric", "foo"),
    (("bool",),), ["bool"], np.floating, np.integer,
]  # fmt: skip


@pytest.mark.parametrize("kind", KIND_NAMES, ids=str)
def test_isdtype(kind):
    for dtype in (*dtypes.all_dtypes, float, "float32", dtypes.float0, "foo"):
        assert outcome(jnp.isdtype, dtype, kind) == outcome(dtypes.isdtype, dtype, kind), dtype


SCALARS = [
    1, 1.0, True, 1j, np.int8(1), np.float32(2), ml_dtypes.bfloat16(1), np.ones(3) > 0,
    np.ones(3, "complex64"), np.ones(2, "int4"), np.float32, float, None, [1], "U3",
]  # fmt: skip


@pytest.mark.parametrize("x", SCALARS, ids=errors.describe)
def test_scalar_type_of(x):
    assert outcome(jax.dtypes.scalar_type_of, x) == outcome(dtypes.scalar_type_of, x)


def test_weakness():
    assert all(dtypes.is_weakly_typed(x) for x in (1, 1.0, True, 1j, Typed("int8", True)))
    strong = (np.float64(1), np.ones(3), Typed("int8"), Color.RED, dtypes.float32)
    assert not any(dtypes.is_weakly_typed(x) for x in strong)


def test_dtype_of():
    assert dtypes.int32 == dtypes.dtype_of(1)
    assert dtypes.float32 == dtypes.dtype_of(np.ones(3))
    assert dtypes.bfloat16 == dtypes.dtype_of(Typed("bfloat16"))
    assert dtypes.int8 == dtypes.dtype_of("int8")
    key = dtypes.KeyDType(FRY)
    holder = Typed("int8")
    holder.dtype = key
    assert key is dtypes.dtype_of(holder)
    with pytest.raises(TypeError, match="Cannot determine dtype"):
        dtypes.dtype_of([1])


# ---- extended dtypes ----


def test_key_dtype():
    """A key dtype is equal by generator, prints as in JAX, and knows its buffer."""
    key, theirs = dtypes.KeyDType(FRY), jax.random.key(0).dtype
    assert dtypes.KeyDType(Impl(*FRY)) == key
    assert hash(dtypes.KeyDType(Impl(*FRY))) == hash(key)
    assert dtypes.KeyDType(RBG) != key
    assert (str(theirs), repr(theirs), theirs.name) == (str(key), repr(key), key.name)
    assert theirs.itemsize == key.itemsize == key.buffer_dtype.itemsize
    assert np.dtype("V16") == dtypes.KeyDType(RBG).buffer_dtype
    assert key.type is dtypes.prng_key
    assert key == pickle.loads(pickle.dumps(key)) == copy.deepcopy(key)


def test_key_dtype_in_promotion():
    """Keys promote with themselves only; the dtype alone is no operand."""
    key = Typed("int8")
    key.dtype = dtypes.KeyDType(FRY)
    theirs = jax.random.key(0)
    assert key.dtype == dtypes.result_type(key, key)
    for other in (1, np.float32(1)):
        assert outcome(jax.dtypes.result_type, theirs, other) == outcome(
            dtypes.result_type, key, other
        )
    assert outcome(jax.dtypes.result_type, theirs.dtype) == outcome(dtypes.result_type, key.dtype)
    with pytest.raises(ValueError):
        dtypes.canonicalize_dtype(key.dtype)
    assert key.dtype == dtypes.canonicalize_dtype(key.dtype, allow_extended_dtype=True)
    assert key.dtype == dtypes.check_user_dtype_supported(key.dtype, "zeros")


def test_float0():
    assert jax.dtypes.float0 == dtypes.float0
    assert 0 == np.zeros(3, dtypes.float0).nbytes
    with pytest.raises(ValueError, match="not a valid dtype for JAX type promotion"):
        dtypes.result_type(dtypes.float0, np.float32)


def test_public_names():
    """`adjoint.dtypes` has the names of `jax.dtypes`."""
    names = {n for n in dir(jax.dtypes) if not n.startswith("_")}
    assert names - {"annotations"} <= set(dir(adjoint.dtypes))


@pytest.mark.parametrize("name", ["int2", "int4", "uint4", "int8", "bfloat16", "float8_e4m3fn", "float32"])
def test_booleans_of_numpy_are_numbers_of_every_dtype(name):
    x = adjoint.numpy.zeros(2, name)
    compiled = adjoint.jit(lambda x: x + np.True_)
    for out in (x + np.True_, np.True_ + x, adjoint.numpy.maximum(x, np.bool_(1)), compiled(x)):
        assert out.dtype.name == name and np.asarray(out).astype(int).tolist() == [1, 1]


def told(program, of):
    """What a program gives of a library, as text; or the class and the first line of its error."""
    try:
        return str(program(of))
    except Exception as error:
        return type(error).__name__, str(error).splitlines()[0].replace("jaxlib._jax.", "")


NO_DTYPES = [np.zeros(3), [1], 1, "nope", object, "datetime64", np.dtype("U3")]


@pytest.mark.parametrize("dtype", NO_DTYPES, ids=str)
def test_types_of_arrays_refuse_what_is_no_dtype(dtype):
    for program in (
        lambda m: m.core.ShapedArray((2,), dtype), lambda m: m.core.ShapedArray((), "int8").update(dtype=dtype),
        lambda m: m.ShapeDtypeStruct((2,), dtype),
    ):
        assert told(program, adjoint) == told(program, jax)


@pytest.mark.parametrize("shape", [3, [3], np.array([2, 3]), (True,), (1.5,), "ab", None], ids=str)
def test_shapes_of_types_of_arrays(shape):
    program = lambda m: m.core.ShapedArray(shape, "float32")
    ours, theirs = told(program, adjoint), told(program, jax)
    assert (ours if isinstance(ours, str) else ours[0]) == (theirs if isinstance(theirs, str) else theirs[0])


def test_the_dtype_of_an_array_may_be_asked_for_by_the_array():
    for m in (adjoint, jax):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of NumPy's
            assert str(m.core.ShapedArray((), m.numpy.zeros(3))) == "float32[]"
        assert m.lax.full_like(m.numpy.ones(2), 1, dtype=np.zeros(3, np.int8)).dtype == np.int8
        with pytest.raises(TypeError, match="unhashable type"):
            m.dtypes.canonicalize_dtype(m.numpy.zeros(3))


ASKED = [
    ("float128", "real floating"), (">f4", "real floating"), ("float32", "real floating"), ("int4", "integral"),
    ("bfloat16", ("bool", "real floating")), ("float32", b"f4"), ("float32", np.zeros(3)), ("float32", None),
    ("float32", np.float32), ("float32", np.floating), ("U3", "numeric"), (object, "numeric"), (float, float),
]


@pytest.mark.parametrize("dtype, kind", ASKED, ids=str)
def test_kinds_are_those_that_arrays_have(dtype, kind):
    program = lambda m: m.numpy.isdtype(dtype, kind)
    assert told(program, adjoint) == told(program, jax)


def test_keys_are_of_no_kind():
    for m in (adjoint, jax):
        key = m.random.key(0).dtype
        for program in (lambda m: m.numpy.isdtype(key, "numeric"), lambda m: m.numpy.isdtype("int8", key)):
            with pytest.raises(TypeError):
                program(m)


@pytest.mark.parametrize("dtype", [b"f4", "f4", np.float16])
def test_names_in_bytes_promote(dtype):
    program = lambda m: m.numpy.result_type(dtype, 1)
    assert told(program, adjoint) == told(program, jax)
