"""Dtypes and their promotion.

A dtype is a `np.dtype` (NumPy's own or one of ml_dtypes), or an `ExtendedDType` such as that of
random keys. A lattice says which dtype two operands have in common. Python scalars are its weak
nodes i*, f* and c*, which are below the dtypes of their kind: `x + 1.0` keeps the dtype of x.

    bool - i* -+- u8 --- u16 --- u32 --- u64 -+
               |    `-.     `-.     `-.       |
               +- i8 --- i16 --- i32 --- i64 -+- f* -+- bf16, f16 - f32 -+- f64 -.
               +- i1, i2, i4, u1, u2, u4             +- c* ------------ c64 ---- c128
                                                     +- f4.., f6.., f8..

Two nodes promote to the lowest node above both. Without 64-bit types u32 is below i32 instead of
i64, and results are narrowed. Answers are kept in dicts. Next: `types.py` pairs a dtype with a
shape; `options/config.py` has the switches that are read here.
"""

from __future__ import annotations

import functools
from typing import Any

import ml_dtypes
import numpy as np

from .messages import errors
from .messages.dtype_text import FLOAT0, short_name
from .messages.errors import TypePromotionError
from .options.config import ExplicitX64Mode, NumpyDtypePromotion, local
from .process.memo import Memo

bool_ = np.dtype(np.bool_)
int2 = np.dtype(ml_dtypes.int2)
int4 = np.dtype(ml_dtypes.int4)
int8 = np.dtype(np.int8)
int16 = np.dtype(np.int16)
int32 = np.dtype(np.int32)
int64 = np.dtype(np.int64)
uint2 = np.dtype(ml_dtypes.uint2)
uint4 = np.dtype(ml_dtypes.uint4)
uint8 = np.dtype(np.uint8)
uint16 = np.dtype(np.uint16)
uint32 = np.dtype(np.uint32)
uint64 = np.dtype(np.uint64)
float4_e2m1fn = np.dtype(ml_dtypes.float4_e2m1fn)
float6_e2m3fn = np.dtype(ml_dtypes.float6_e2m3fn)
float6_e3m2fn = np.dtype(ml_dtypes.float6_e3m2fn)
float8_e3m4 = np.dtype(ml_dtypes.float8_e3m4)
float8_e4m3 = np.dtype(ml_dtypes.float8_e4m3)
float8_e4m3b11fnuz = np.dtype(ml_dtypes.float8_e4m3b11fnuz)
float8_e4m3fn = np.dtype(ml_dtypes.float8_e4m3fn)
float8_e4m3fnuz = np.dtype(ml_dtypes.float8_e4m3fnuz)
float8_e5m2 = np.dtype(ml_dtypes.float8_e5m2)
float8_e5m2fnuz = np.dtype(ml_dtypes.float8_e5m2fnuz)
float8_e8m0fnu = np.dtype(ml_dtypes.float8_e8m0fnu)
bfloat16 = np.dtype(ml_dtypes.bfloat16)
float16 = np.dtype(np.float16)
float32 = np.dtype(np.float32)
float64 = np.dtype(np.float64)
complex64 = np.dtype(np.complex64)
complex128 = np.dtype(np.complex128)
float0 = FLOAT0  # the tangent of an integer; takes no memory

# int1 and uint1 are there from version 0.6 of ml_dtypes on.
small_signed_ints = (*[np.dtype(vars(ml_dtypes)[name]) for name in ("int1",) if name in vars(ml_dtypes)], int2, int4)
small_unsigned_ints = (*[np.dtype(vars(ml_dtypes)["u" + d.name]) for d in small_signed_ints[:-2]], uint2, uint4)
small_ints = (*small_signed_ints, *small_unsigned_ints)
signed_ints = (int8, int16, int32, int64)
unsigned_ints = (uint8, uint16, uint32, uint64)
small_floats = (
    float4_e2m1fn, float6_e2m3fn, float6_e3m2fn, float8_e3m4, float8_e4m3, float8_e4m3b11fnuz,
    float8_e4m3fn, float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, float8_e8m0fnu,
)
floats = (bfloat16, float16, float32, float64)
complexes = (complex64, complex128)
all_dtypes = (
    bool_, *small_ints, *signed_ints, *unsigned_ints, *small_floats, *floats, *complexes
)

_SUPPORTED = frozenset((*all_dtypes, float0))
is_supported = _SUPPORTED.__contains__  # whether arrays may have a dtype: not numbers of 128 bits, nor swapped bytes
_PYTHON = {bool: bool_, int: int64, float: float64, complex: complex128}
_NARROW = {int64: int32, uint64: uint32, float64: float32, complex128: complex64}
WIDE = frozenset(_NARROW)
# Of each dtype: the Python type of its elements.
_ELEMENT = {
    bool_: bool,
    **dict.fromkeys((*small_ints, *signed_ints, *unsigned_ints), int),
    **dict.fromkeys((*small_floats, *floats), float),
    **dict.fromkeys(complexes, complex),
}
# ml_dtypes' scalar classes derive from np.generic only.
_CATEGORY: dict[type, type] = {
    **{d.type: np.signedinteger for d in small_signed_ints},
    **{d.type: np.unsignedinteger for d in small_unsigned_ints},
    **{d.type: np.floating for d in (*small_floats, bfloat16)},
}
# The widest dtype of the kind of each.
_WIDEST = {
    bool_: bool_,
    **dict.fromkeys((*small_signed_ints, *signed_ints), int64),
    **dict.fromkeys((*small_unsigned_ints, *unsigned_ints), uint64),
    **dict.fromkeys((*small_floats, *floats), float64),
    **dict.fromkeys(complexes, complex128),
}

finfo = ml_dtypes.finfo
iinfo = ml_dtypes.iinfo


# ---- extended dtypes ----


class extended(np.generic):
    """Scalar class of the dtypes that NumPy does not know; only for `issubdtype`.

    >>> issubdtype(float32, extended)
    False
    """


class prng_key(extended):
    """Scalar class of the dtypes of random keys; only for `issubdtype`.

    >>> issubdtype(float32, prng_key)
    False
    """


class ExtendedDType:
    """A dtype that NumPy does not know; in memory an element is an item of `buffer_dtype`."""

    __slots__ = ()

    name: str
    type: type
    itemsize: int
    buffer_dtype: np.dtype

    def __repr__(self) -> str:
        return self.name


class KeyDType(ExtendedDType):
    """The dtype `key<tag>` of the keys of a random generator.

    `impl` is a hashable object with `.name`, `.tag` and `.key_shape`, the shape of a key as uint32. It may
    have a `.buffer_dtype`, by which a buffer of its keys is told from others.
    """

    __slots__ = ("_impl", "buffer_dtype", "itemsize", "name")

    type = prng_key
    kind = "V"

    def __init__(self, impl: Any):
        self._impl = impl
        self.name = f"key<{impl.tag}>"
        self.itemsize = 4 * int(np.prod(impl.key_shape))
        plain = np.dtype((np.void, self.itemsize))
        self.buffer_dtype = getattr(impl, "buffer_dtype", plain)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, KeyDType) and self._impl == other._impl)

    def __hash__(self) -> int:
        return hash((KeyDType, self._impl))

    def __reduce__(self):
        return KeyDType, (self._impl,)


# ---- names and sizes ----

def itemsize_bits(dtype: Any) -> int:
    """Return the number of bits of an element, though NumPy gives a whole byte to an int4.

    Args:
      dtype: a dtype or what names one.
    Returns:
      An int.
    Raises:
      TypeError: `dtype` is none that NumPy or `ml_dtypes` knows.
      ValueError: `dtype` is None.

    >>> itemsize_bits("int4"), itemsize_bits(np.complex64)
    (4, 64)
    """
    if dtype is None:
        raise ValueError("dtype cannot be None.")
    if isinstance(dtype, ExtendedDType) or np.dtype(dtype) not in all_dtypes:
        raise ValueError(f"unexpected input: dtype={dtype!r}")
    digits = "".join(filter(str.isdigit, short_name(np.dtype(dtype)).partition("_")[0]))
    return int(digits or 8)  # only bool has no digits


# ---- defaults and narrowing ----


def default_int() -> np.dtype:
    """Return the dtype of a Python int: int32, or int64 with 64-bit types on."""
    return int64 if local.enable_x64 else int32


def default_uint() -> np.dtype:
    """uint32, or uint64 with 64-bit types on."""
    return uint64 if local.enable_x64 else uint32


def default_float() -> np.dtype:
    """Return the dtype of a Python float: float32, or float64 with 64-bit types on."""
    return float64 if local.enable_x64 else float32


def default_complex() -> np.dtype:
    """Return the dtype of a Python complex: complex64, or complex128 with 64-bit types on."""
    return complex128 if local.enable_x64 else complex64


def as_dtype(dtype: Any) -> Any:
    """Return the dtype that a dtype-like names, not narrowed; raises TypeError as `np.dtype` does."""
    try:
        return dtype if isinstance(dtype, ExtendedDType) else np.dtype(dtype)
    except TypeError as error:
        raise _no_dtype(dtype, error) from None


def _no_dtype(x: Any, error: TypeError) -> TypeError:
    """Return the error for something that was given as a dtype and is none, from NumPy's."""
    hint = errors.closest(x, [d.name for d in all_dtypes]) if isinstance(x, str) else None
    why = "A length or a value stands where a dtype is wanted." if isinstance(x, int | float | tuple | list) else None
    fix = f"dtype={hint!r}" if hint else "jnp.float32, 'int32', x.dtype, or the type float, int or bool"
    if isinstance(x, int):
        general = f"{fix}; jnp.zeros((2, 3)) for a shape, not jnp.zeros(2, 3)"
        fix = errors.advise(errors.advice.one_shape, general)
    return TypeError(errors.message(str(error), why=why, fix=fix))


def canonicalize_dtype(dtype: Any, allow_extended_dtype: bool = False) -> Any:
    """Return the dtype that is used for a dtype-like: 64-bit ones are narrowed unless they are on.

    Args:
      dtype: a dtype, a scalar type, a Python type or a name.
      allow_extended_dtype: return extended dtypes unchanged; otherwise they raise ValueError.
    Returns:
      A NumPy dtype, or the extended one.
    Raises:
      TypeError: there is no such dtype.

    >>> canonicalize_dtype("float64")
    dtype('float32')
    """
    if not isinstance(dtype, np.dtype):
        if isinstance(dtype, ExtendedDType):
            if allow_extended_dtype:
                return dtype
            raise ValueError(
                f"canonicalize_dtype called on extended dtype {dtype} with allow_extended_dtype=False"
            )
        hash(dtype)  # TypeError for an array, which has a dtype and is none
        dtype = as_dtype(dtype)
    return dtype if local.enable_x64 else _NARROW.get(dtype, dtype)


def check_user_dtype_supported(dtype: Any, fun_name: str | None = None) -> Any:
    """Return the dtype to use where the user of function `fun_name` asked for `dtype`.

    A 64-bit dtype is narrowed with a warning while 64-bit types are off, or kept, or refused, as
    `jax_explicit_x64_dtypes` says. The Python types are narrowed silently.

    Raises:
      TypeError: there is no arithmetic of that dtype, such as `str` and `object`.
      ValueError: it is None or an array, or has 64 bits and `jax_explicit_x64_dtypes` is "error".

    >>> check_user_dtype_supported(float, "zeros")
    dtype('float32')
    """
    if isinstance(dtype, ExtendedDType):
        return dtype
    if dtype is None:
        raise ValueError(errors.message("dtype must be specified.", fix="jnp.float32, 'int32' or x.dtype"))
    if not isinstance(dtype, (type, str, np.dtype, np.ndarray, np.generic)):
        _refuse_array(dtype)
    try:
        found = np.dtype(dtype)
    except TypeError as error:
        raise _no_dtype(dtype, error) from None
    if found not in _SUPPORTED:
        place = f" in {fun_name}" if fun_name else ""
        raise TypeError(
            errors.message(
                f"JAX only supports number, bool, and string dtypes, got dtype {dtype}{place}",
                fix="jnp.float32, 'int32', bool; np.asarray(x) in NumPy, or x.tolist(), for texts and objects",
            )
        )
    if local.enable_x64 or found not in _NARROW:
        return found
    if dtype is float or dtype is int or dtype is complex:
        return _NARROW[found]
    return _narrow_explicit(found, fun_name)


def _refuse_array(dtype: Any) -> None:
    """Raise ValueError for an array, of which NumPy would take the dtype."""
    if getattr(dtype, "aval", None) is not None:
        raise ValueError(
            errors.message(
                "Passing an array as a dtype argument is no longer supported; instead of dtype=arr use "
                "dtype=arr.dtype.",
                why="The array stands where a dtype is wanted.",
                fix="dtype=x.dtype for an array x",
            )
        )


def warn_of_lost_parts(dtype: np.dtype, new: np.dtype) -> None:
    """Warn where complex numbers become real ones: their imaginary parts are lost."""
    if dtype.kind == "c" and new.kind not in "cb":
        errors.warn(
            "Casting complex values to real discards the imaginary part", np.exceptions.ComplexWarning
        )


def _narrow_explicit(dtype: np.dtype, fun_name: str | None) -> np.dtype:
    if local.explicit_x64_dtypes is ExplicitX64Mode.ALLOW:
        return dtype
    place = f"requested in {fun_name} " if fun_name else ""
    what = f"Explicitly requested dtype {dtype.name} {place}is not available"
    if local.explicit_x64_dtypes is ExplicitX64Mode.ERROR:
        raise ValueError(
            f"{what}. To enable more dtypes, set the jax_enable_x64 or jax_explicit_x64_dtypes "
            "configuration options."
        )
    narrow = _NARROW[dtype]
    errors.warn(
        f"{what}, and will be truncated to dtype {narrow.name}. To enable more dtypes, set the "
        "jax_enable_x64 configuration option or the JAX_ENABLE_X64 shell environment variable; "
        "for these lines only, write `with jax.enable_x64(True):`."
    )
    return narrow


_FLOAT_OF_INT = dict.fromkeys((bool_, *small_ints, *signed_ints, *unsigned_ints), float32)
_FLOAT_OF_INT |= {int64: float64, uint64: float64}


def to_inexact_dtype(dtype: Any) -> np.dtype:
    """Return the dtype in which `sin` and its like compute: a float for bool and int, else the same.

    >>> to_inexact_dtype(int8), to_inexact_dtype(bfloat16)
    (dtype('float32'), dtype(bfloat16))
    """
    found = np.dtype(dtype)
    floating = _FLOAT_OF_INT.get(found)
    return found if floating is None else canonicalize_dtype(floating)


def to_numeric_dtype(dtype: Any) -> np.dtype:
    """Return the dtype in which numbers are computed: int32 for bool, else the same.

    >>> to_numeric_dtype(bool)
    dtype('int32')
    """
    found = np.dtype(dtype)
    return int32 if found == bool_ else found


def to_complex_dtype(dtype: Any) -> np.dtype:
    """Return the complex dtype of a result such as an FFT's: complex128 for 64-bit parts, else complex64.

    >>> to_complex_dtype(float32)
    dtype('complex64')
    """
    return complex128 if to_inexact_dtype(dtype) in (float64, complex128) else complex64


def to_real_dtype(dtype: Any) -> np.dtype:
    """Return the dtype of the real part: float32 for complex64, the dtype itself when it is real.

    >>> to_real_dtype(complex64)
    dtype('float32')
    """
    found = np.dtype(dtype)
    return {complex64: float32, complex128: float64}.get(found, found)


# ---- kinds ----

_subdtypes: dict[tuple[Any, Any], bool] = {}


def is_ordered_by_numpy(dtype: np.dtype) -> bool:
    """Return whether a dtype is one of NumPy's own, of real numbers; float8_e5m2 only says that it is a float."""
    return dtype.kind in "fiub" and dtype.isbuiltin == 1


def issubdtype(a: Any, b: Any) -> bool:
    """Return whether a dtype is `b`, or belongs to the category `b` of scalars.

    Args:
      a, b: dtypes, scalar types, names, or categories such as `np.floating` and `prng_key`.
    Raises:
      TypeError: one of them names no dtype and no category.

    >>> issubdtype(bfloat16, np.floating), issubdtype(np.int8, np.floating)
    (True, False)
    """
    try:
        return _subdtypes[a, b]
    except KeyError:
        found = _subdtypes[a, b] = _issubdtype(a, b)
        return found
    except TypeError:  # arrays are not hashable
        return _issubdtype(a, b)


def _issubdtype(a: Any, b: Any) -> bool:
    if isinstance(b, ExtendedDType):
        return a == b
    category = _scalar_class(b)
    scalar = a.type if isinstance(a, ExtendedDType) else _scalar_class(a)
    return scalar is category or issubclass(_CATEGORY.get(scalar, scalar), category)


def _scalar_class(x: Any) -> type:
    return x if isinstance(x, type) and issubclass(x, np.generic) else np.dtype(x).type


_KINDS = {
    "bool": np.bool_,
    "signed integer": np.signedinteger,
    "unsigned integer": np.unsignedinteger,
    "integral": np.integer,
    "real floating": np.floating,
    "complex floating": np.complexfloating,
    "numeric": np.number,
}
_ABSTRACT = (
    np.generic, np.number, np.integer, np.signedinteger, np.unsignedinteger, np.inexact,
    np.floating, np.complexfloating, np.flexible, np.character, extended, prng_key,
)


def isdtype(dtype: Any, kind: Any) -> bool:
    """Return whether `dtype` is of a kind.

    Args:
      dtype: a dtype or what names one.
      kind: a dtype; or one of the array API's names "bool", "signed integer", "unsigned integer",
        "integral", "real floating", "complex floating", "numeric"; or a tuple of these.
    Raises:
      ValueError: `kind` is a string that names neither.
      TypeError: `kind` is something else.

    >>> isdtype(float32, "real floating"), isdtype(np.int8, ("bool", float))
    (True, False)
    """
    found = np.dtype(dtype)
    matches = [_is_kind(found, k) for k in (kind if isinstance(kind, tuple) else (kind,))]
    return any(matches)


def _is_kind(dtype: Any, kind: Any) -> bool:
    if isinstance(kind, str):
        if kind in _KINDS:
            return dtype in _SUPPORTED and issubdtype(dtype, _KINDS[kind])
        try:
            return dtype == np.dtype(kind)
        except TypeError:
            raise ValueError(
                f"Unrecognized kind={kind!r} expected one of {list(_KINDS)}, or a compatible "
                f"input for jnp.dtype().{errors.did_you_mean(kind, _KINDS)}"
            ) from None
    is_class = isinstance(kind, type) and kind not in _ABSTRACT
    named = getattr(kind, "dtype", kind) if not isinstance(kind, np.ndarray) else kind
    if kind is None or is_class or isinstance(kind, bytes) or isinstance(named, np.dtype):
        return dtype == np.dtype(kind)
    raise TypeError(f"Expected kind to be a dtype, string, or tuple; got kind={kind!r}")


# ---- dtypes of values ----


def dtype_of(x: Any) -> Any:
    """Return the dtype of an array or scalar; those of NumPy values and Python scalars are narrowed.

    >>> dtype_of(1.5), dtype_of(np.float16(1.5))
    (dtype('float32'), dtype('float16'))
    """
    return _dtype_and_weakness(x)[0]


def is_weakly_typed(x: Any) -> bool:
    """Return whether the dtype of `x` gives way to that of another operand, as Python scalars' do.

    >>> is_weakly_typed(1.0), is_weakly_typed(np.float64(1.0))
    (True, False)
    """
    return type(x) in _PYTHON or bool(getattr(x, "weak_type", False))


def scalar_type_of(x: Any) -> type:
    """Return the Python type of an element of `x`: bool, int, float or complex.

    Args:
      x: an array or a scalar.
    Returns:
      The type.
    Raises:
      TypeError: `x` is no number.

    >>> scalar_type_of(np.zeros(3, "int8"))
    <class 'int'>
    """
    if x is None:
        raise ValueError("Invalid argument to dtype: None.")
    found = _ELEMENT.get(dtype_of(x))
    if found is None:
        raise TypeError(f"Invalid scalar value {errors.shorten(x)}")
    return found


SCALARS = {  # what values of Python types are, by whether 64 bits are on
    True: {python: (dtype, True) for python, dtype in _PYTHON.items()},
    False: {python: (_NARROW.get(dtype, dtype), True) for python, dtype in _PYTHON.items()},
}


def of_python(scalar: type) -> Any:
    """Return the dtype of values of a Python type; None if it is not bool, int, float or complex."""
    found = SCALARS[local.enable_x64].get(scalar)
    return None if found is None else found[0]


def _dtype_and_weakness(x: Any) -> tuple[Any, bool]:
    """Return the dtype of a value or dtype-like, and whether it is weak."""
    found = SCALARS[local.enable_x64].get(type(x))
    if found is not None:
        return found
    if isinstance(x, (np.ndarray, np.generic)):
        dtype = x.dtype
        if dtype not in _SUPPORTED:
            raise _not_numeric(x, dtype)
        return (dtype if local.enable_x64 else _NARROW.get(dtype, dtype)), False
    if isinstance(x, (type, str, bytes, np.dtype)):
        dtype = np.dtype(x)
        if dtype not in _SUPPORTED:
            raise _not_numeric(x, dtype)
        if isinstance(getattr(x, "dtype", None), np.dtype):  # jnp.float64 is asked about, as arrays are
            return canonicalize_dtype(dtype), False
        return check_user_dtype_supported(x, "dtype"), isinstance(x, type) and x in _PYTHON
    dtype = getattr(x, "dtype", None)
    if dtype is not None:
        return dtype, bool(getattr(x, "weak_type", False))
    for python, dtype in _PYTHON.items():  # a subclass, such as an enum, is not weak
        if isinstance(x, python):
            return canonicalize_dtype(dtype), False
    if hasattr(x, "__jax_array__"):
        return _dtype_and_weakness(x.__jax_array__())
    raise TypeError(f"Cannot determine dtype of {errors.shorten(x)}")


def _not_numeric(x: Any, dtype: np.dtype) -> TypeError:
    return TypeError(
        errors.message(
            f"Value {errors.shorten(str(x))} with dtype {dtype} is not a valid JAX array type. "
            "Only arrays of numeric types are supported by JAX.",
            fix="float(x) for the text of a number" if dtype.kind in "SU" else "x.astype(float), if it holds numbers",
        )
    )


# ---- the lattice ----

# A node is a dtype, or one of the Python types int, float and complex for i*, f* and c*.
# Nodes are told apart by isinstance, never by ==: NumPy says np.dtype("int64") == int.


@functools.cache
def _upper_bounds(x64: bool, strict: bool) -> dict[Any, frozenset]:
    """Return for each node the nodes that are above it, and itself."""
    above: dict[Any, tuple] = dict.fromkeys(all_dtypes, ())
    if strict:  # only Python scalars give way
        above |= {
            int: (float, *small_ints, *signed_ints, *unsigned_ints),
            float: (complex, *small_floats, *floats),
            complex: complexes,
        }
    else:
        above |= {
            bool_: (int,),
            int: (int8, uint8, *small_ints),
            int8: (int16,),
            int16: (int32,),
            int32: (int64,),
            int64: (float,),
            uint8: (int16, uint16),
            uint16: (int32, uint32),
            uint32: (int64 if x64 else int32, uint64),
            uint64: (float,),
            float: (complex, bfloat16, float16, *small_floats),
            bfloat16: (float32,),
            float16: (float32,),
            float32: (float64, complex64),
            float64: (complex128,),
            complex: (complex64,),
            complex64: (complex128,),
        }
    bounds: dict[Any, frozenset] = {}

    def close(node: Any) -> frozenset:
        if node not in bounds:
            bounds[node] = frozenset((node,)).union(*map(close, above[node]))
        return bounds[node]

    for node in above:
        close(node)
    return bounds


def _least_upper_bound(nodes: tuple) -> Any:
    """Return the lowest node above all `nodes`; raises TypePromotionError if there is none."""
    strict = local.numpy_dtype_promotion is NumpyDtypePromotion.STRICT
    bounds = _upper_bounds(local.enable_x64, strict)
    for node in nodes:
        if node not in bounds:
            raise ValueError(
                errors.message(
                    f"dtype={node!r} is not a valid dtype for JAX type promotion.",
                    why="A random key is no number." if "key" in str(node) else "",
                    fix="jax.random.bits(key, shape) for numbers, jax.random.key_data(key) for its words"
                    if "key" in str(node) else "x.astype(jnp.float32)",
                )
            )
    common = frozenset.intersection(*[bounds[node] for node in nodes])
    for node in common:
        if bounds[node] == common:
            return node
    raise TypePromotionError(_no_path(nodes, strict))


def _no_path(nodes: tuple, strict: bool) -> str:
    names = tuple(dict.fromkeys(n.name if isinstance(n, np.dtype) else str(n) for n in nodes))
    what = f"Input dtypes {names} have no available implicit dtype promotion path"
    if strict:
        return (
            f"{what} when jax_numpy_dtype_promotion=strict. Try explicitly casting inputs to the "
            "desired output type, or set jax_numpy_dtype_promotion=standard."
        )
    bits = sorted({itemsize_bits(n) for n in nodes if n in _SMALL_FLOATS})
    kind = " and ".join(f"{n}-bit" for n in bits) + " floats"
    return (
        f"{what}. To avoid unintended promotion, "
        f"{kind if bits else '1-bit, 2-bit and 4-bit integers'} do not support implicit "
        "promotion. If you'd like your inputs to be promoted to another type, you can do so "
        f"explicitly using e.g. x.astype('{'float32' if bits else 'int32'}')"
    )


_SMALL_FLOATS = frozenset(small_floats)


def _weak_node(dtype: Any) -> Any:
    """Return the weak node of a dtype's kind; bool is its own."""
    return dtype if dtype == bool_ else _ELEMENT[dtype]


def _dtype_of_node(node: Any) -> Any:
    return _PYTHON[node] if isinstance(node, type) else node


_promotions: dict[tuple, Any] = {}


def promote_types(a: Any, b: Any) -> Any:
    """Return the dtype that two dtypes promote to; 64-bit results are kept.

    Args:
      a, b: dtypes or what names them; the Python types int, float and complex are weak.
    Returns:
      A dtype.
    Raises:
      TypePromotionError: they have no dtype in common.

    >>> promote_types(np.int32, np.float16), promote_types("bfloat16", float)
    (dtype('float16'), dtype(bfloat16))
    """
    try:
        found = _promotions.get((a, b, local.trace_context))
    except TypeError:  # arrays are not hashable, and stand for their dtypes
        a, b = (d.dtype if hasattr(d, "aval") else d if isinstance(d, type) else as_dtype(d) for d in (a, b))
        found = None
    if found is None:
        nodes = [d if d is int or d is float or d is complex else as_dtype(d) for d in (a, b)]
        same = isinstance(nodes[0], ExtendedDType) and nodes[0] == nodes[1]
        found = nodes[0] if same else _dtype_of_node(_least_upper_bound(tuple(nodes)))
        _promotions[a, b, local.trace_context] = found
    return found


_results = Memo(1 << 13)


def lattice_result_type(*args: Any) -> tuple[Any, bool]:
    """Return the dtype that values promote to, and whether it is weak.

    Args:
      args: arrays, scalars, dtypes or what names them.
    Raises:
      TypePromotionError: they have no dtype in common.
      TypeError: one has no dtype, or one without arithmetic.

    >>> lattice_result_type(np.int8(1), 2), lattice_result_type(1, 2.0)
    ((dtype('int8'), False), (dtype('float32'), True))
    """
    typed = tuple([_dtype_and_weakness(x) for x in args])
    dtype, weak = result_of(typed)
    if all([w for _, w in typed]):  # to a question about types, what came from Python scalars is as wide as they are
        dtype = canonicalize_dtype(_WIDEST[dtype])
    return dtype, weak


def result_of(typed: tuple[tuple[Any, bool], ...]) -> tuple[Any, bool]:
    """Return the dtype in which an operation computes, of operands given as pairs of a dtype and whether it is weak.

    Operands that are all weak keep their dtype: in 64-bit mode that of an argument may be narrower than a scalar's.
    """
    key = (typed, local.trace_context)
    found = _results.get(key)
    if found is None:
        found = _results.keep(key, _join(typed))
    return found


def _join(typed: Any) -> tuple[Any, bool]:
    if not typed:
        raise ValueError("at least one array or dtype is required")
    dtypes = tuple([dtype for dtype, _ in typed])
    weak = [w for _, w in typed]
    if len(set(dtypes)) == 1 and not all(weak):
        return dtypes[0], False  # not narrowed: arrays made under enable_x64 stay what they are
    if all(weak):
        if local.numpy_dtype_promotion is NumpyDtypePromotion.STRICT and len(weak) > 1:
            dtypes = tuple(map(_weak_node, dtypes))
        found = dtypes[0] if len(set(dtypes)) == 1 else _least_upper_bound(dtypes)
        return canonicalize_dtype(_dtype_of_node(found)), found != bool_
    node = _least_upper_bound(tuple(_weak_node(d) if w else d for d, w in typed))
    if isinstance(node, type):
        return canonicalize_dtype(_PYTHON[node]), True
    keep = local.explicit_x64_dtypes is ExplicitX64Mode.ALLOW
    return (node if keep else canonicalize_dtype(node)), False


def result_type(*args: Any, return_weak_type_flag: bool = False) -> Any:
    """Return the dtype of an operation on values.

    Args:
      args: arrays, scalars, dtypes or what names them; None stands for the default float.
      return_weak_type_flag: return the pair of the dtype and whether it is weak.
    Returns:
      A NumPy dtype, or the pair.
    Raises:
      TypePromotionError: they have no dtype in common.
      TypeError: one has no dtype, or one without arithmetic.

    >>> result_type(np.int8(1), 2.0), result_type("int16", np.uint16)
    (dtype('float32'), dtype('int32'))
    """
    found = lattice_result_type(*[default_float() if x is None else x for x in args])
    return found if return_weak_type_flag else found[0]
