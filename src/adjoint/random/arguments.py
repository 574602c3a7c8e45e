"""Arguments of the functions of `adjoint.random`: keys of both kinds, shapes, dtypes, and generators by name.

A key is a typed key, an array whose dtype is that of its generator, or a raw one, an array of uint32, which
belongs to the default generator. Samplers see typed keys only.

Tests: `tests/random/test_errors.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ..array.array import ArrayImpl, as_array, make_array
from ..core import dtypes
from ..core.dtypes import KeyDType
from ..core.messages.advice import with_key
from ..core.messages.errors import TypePromotionError, advise, closest, describe, message, shorten, warn
from ..core.options.config import LegacyPrngKeyState, local
from ..core.trace import state
from ..core.types import Array, ShapedArray, aval_of, is_arraylike, type_of
from ..engines.numpy import eval_trace
from ..lax.shape import broadcast_shapes, canonical_shape
from ..parallel.arrays import with_out_sharding
from ..prims.conversion import convert_element_type
from ..prims.generators import Generator, generators, random_wrap
from ..prims.shape import broadcast_in_dim

_KEY = "random.key(0)"


# ---- generators ----------------------------------------------------------------------------------


class PRNGSpec:
    """Names a generator that has no name of its own: what `key_impl` returns for it."""

    __slots__ = ("impl",)

    def __init__(self, impl: Generator):
        self.impl = impl

    def __eq__(self, other):
        return type(other) is PRNGSpec and self.impl is other.impl

    def __hash__(self):
        return hash(self.impl)

    def __repr__(self):
        return f"PRNGSpec({self.impl.name!r})"


def generator(spec: Any) -> Generator:
    """The generator that a name, a dtype of keys, `key_impl`'s result or None, the default, stands for."""
    if spec is None:
        spec = local.default_prng_impl
    if isinstance(spec, str):
        found = generators.get(spec)
        if found is None:
            raise ValueError(_unknown(spec))
        return found
    if isinstance(spec, Generator):
        return spec
    if isinstance(spec, PRNGSpec):
        return spec.impl
    if type(spec) is KeyDType:
        return spec._impl
    raise TypeError(
        message(
            f"unrecognized type {type(spec)} for specifying PRNG implementation.",
            why="It is given as a name, or as what random.key_impl or random.key_dtype returns.",
            fix='random.key(0, impl="threefry2x32")',
        )
    )


def _unknown(name: str) -> str:
    return message(
        f'unrecognized PRNG implementation "{name}". Did you mean one of: '
        + ", ".join([f'"{g}"' for g in generators]) + "?",
        fix=f'random.key(0, impl="{closest(name, generators) or "threefry2x32"}")',
    )


def chosen_generator(name: str, impl, dtype) -> Generator:
    """The generator of the function `name`'s arguments `impl` and `dtype`, of which one may be given."""
    if impl is not None and dtype is not None:
        raise ValueError(
            message(
                f"Cannot specify both `impl` and `dtype` arguments to random.{name}.",
                why="Each names a generator.",
                fix=f"leave one out: random.{name}(..., impl={shorten(impl, 30)})",
            )
        )
    return generator(dtype if impl is None else impl)


# ---- keys ----------------------------------------------------------------------------------------


def is_typed(x) -> bool:
    return isinstance(x, Array) and type(x.aval.dtype) is KeyDType


def key_array(key) -> tuple[Array, bool]:
    """An array of typed keys of any shape, and whether it was raw."""
    if is_typed(key):
        return key, False
    impl = generator(None)
    check_key_data(key, impl)
    if local.legacy_prng_key is not LegacyPrngKeyState.ALLOW:
        _legacy_key(key)
    return wrap(key, impl), True


def wrap(words, impl: Generator) -> Array:
    """Typed keys of an array of words that has been checked."""
    if state.trace is eval_trace and type(words) in (ArrayImpl, np.ndarray):
        buffer = words._buffer if type(words) is ArrayImpl else words.copy()
        if buffer is not None:
            keys = impl.keys(buffer)
            return make_array(keys, ShapedArray(keys.shape, impl.dtype))
    return random_wrap(words, impl=impl)


def single_key(name: str, key) -> Array:
    """The one typed key that the function `name` takes."""
    return single_key_of(name, key)[0]


def single_key_of(name: str, key) -> tuple[Array, bool]:
    """The one typed key that the function `name` takes, and whether it was raw."""
    keys, raw = key_array(key)
    if keys.aval.shape:
        shape = np.shape(key)
        mapped = f"jax.vmap(random.{name})(keys, ...)"
        raise ValueError(
            message(
                f"{name} accepts a single key, but was given a key array of shape {shape} != (). Use "
                "jax.vmap for batching.",
                why=f"The array holds {prod(keys.aval.shape)} keys.",
                fix=f"random.{name}(keys[0], ...) for one of them, {mapped} for each",
            )
        )
    return keys, raw


def check_key_data(data, impl: Generator) -> None:
    """TypeError unless `data` is an array of words of keys of the generator `impl`."""
    if not isinstance(data, (Array, np.ndarray, np.generic)):
        if not hasattr(data, "dtype") and not isinstance(data, (int, float, complex, str)):
            raise TypeError(_no_key(f"unexpected PRNG key type {type(data)}.", data))
        raise TypeError(_bad_key_data(f" to have ndim, shape, and dtype attributes. Got {shorten(data)}", data))
    if is_typed(data):
        raise TypeError(_bad_key_data(f".dtype = uint32; got {describe(data)}", data))
    ndim = len(impl.key_shape)
    if data.ndim < 1:
        raise TypeError(_bad_key_data(f".ndim >= {ndim}; got ndim={data.ndim}", data))
    if data.dtype != np.uint32:
        raise TypeError(_bad_key_data(f".dtype = uint32; got dtype={data.dtype}", data))
    if data.shape[-ndim:] != impl.key_shape:
        what = f".shape to end with {impl.key_shape}; got shape={data.shape}"
        raise TypeError(_bad_key_data(f"{what} for impl={impl.name}", data))


def _bad_key_data(expected: str, data) -> str:
    end = "" if "Got" in expected else "."
    return _no_key(f"JAX encountered invalid PRNG key data: expected key_data{expected}{end}", data)


def _no_key(what: str, data) -> str:
    return message(
        what,
        why=f"Got {shorten(data)} where a random key is needed.",
        fix=advise(with_key, f"{_KEY} as the first argument"),
    )


def _legacy_key(key) -> None:
    text = (
        "Legacy uint32 key array passed as key to jax.random function. Please create keys using "
        "jax.random.key(). If use of a raw key array was intended, set jax_legacy_prng_key=\"allow\"."
    )
    if local.legacy_prng_key is LegacyPrngKeyState.ERROR:
        raise ValueError(message(text, why=f"Got {describe(key)}.", fix=f"{_KEY} for PRNGKey(0)"))
    warn(text)


# ---- dtypes --------------------------------------------------------------------------------------


def float_dtype(name: str, dtype) -> np.dtype:
    """The dtype of the function `name`'s result; ValueError unless it is a float dtype."""
    return _dtype(name, dtype, dtypes.default_float, (np.floating,), "a float dtype", "float")


def float_or_complex_dtype(name: str, dtype) -> np.dtype:
    kinds = (np.floating, np.complexfloating)
    return _dtype(name, dtype, dtypes.default_float, kinds, "a float or complex dtype", "float")


def int_dtype(name: str, dtype) -> np.dtype:
    return _dtype(name, dtype, dtypes.default_int, (np.integer,), "an int dtype", "int")


def unsigned_dtype(name: str, dtype) -> np.dtype:
    kinds = (np.unsignedinteger,)
    return _dtype(name, dtype, dtypes.default_uint, kinds, "an unsigned int dtype", '"uint32"')


def any_dtype(dtype, default) -> np.dtype:
    """The dtype asked for, narrowed with a warning if 64-bit types are off."""
    if dtype is None:
        return default()
    return dtypes.check_user_dtype_supported(dtype)


def _dtype(name, dtype, default, kinds, wanted, example) -> np.dtype:
    if dtype is None:
        return default()
    found = any_dtype(dtype, default)
    if not any(dtypes.issubdtype(found, kind) for kind in kinds):
        raise ValueError(
            message(
                f"dtype argument to `{name}` must be {wanted}, got {found.name}",
                fix=f"random.{name}(..., dtype={example})"
                + (f".astype({found.name!r})" if found.kind in "iubf" else ""),
            )
        )
    return found


# ---- shapes --------------------------------------------------------------------------------------


def shape_argument(shape) -> tuple[int, ...]:
    """The shape of a sample, from a sequence of lengths or one length."""
    if type(shape) is tuple and all([type(n) is int and n >= 0 for n in shape]):
        return shape
    if not np.iterable(shape) and not hasattr(shape, "__index__"):
        raise TypeError(
            message(
                f"'{type(shape).__name__}' object is not iterable",
                why=f"The shape of a sample is a length or a tuple of lengths, got {shorten(shape)}.",
                fix="(n,), a tuple of ints; minval=, maxval= and the like are further arguments",
            )
        )
    shape = canonical_shape(shape)
    if any(n < 0 for n in shape):
        raise TypeError(
            message(
                f"Only non-negative indices are allowed when broadcasting static shapes, but got shape {shape}.",
                fix="lengths of axes that are 0 or more",
            )
        )
    return shape


def draw(sampler: Callable, name: str, key, parameters: tuple, shape, dtype, out_sharding) -> Array:
    """Return `sampler(key, *parameters, shape, dtype)`, floats, for the arguments of the function `name`."""
    key = single_key(name, key)
    dtype = float_dtype(name, dtype)
    shape = sample_shape(name, shape, *map(shape_of, parameters)) if parameters else shape_argument(shape)
    if out_sharding is not None:
        return with_out_sharding(name, out_sharding, sampler, key, *parameters, shape, dtype)
    return sampler(key, *parameters, shape, dtype)


def sample_shape(name: str, shape, *parameter_shapes) -> tuple[int, ...]:
    """The shape of a sample; by default that of its parameters, which must broadcast to it."""
    if shape is None:
        return broadcast_shapes(*parameter_shapes)
    shape = shape_argument(shape)
    check_shape(name, shape, *parameter_shapes)
    return shape


def check_shape(name: str, shape, *parameter_shapes) -> None:
    """ValueError unless parameters of these shapes broadcast to `shape`."""
    result = broadcast_shapes(shape, *parameter_shapes)
    if result != shape:
        raise ValueError(
            message(
                f"{name} parameter shapes must be broadcast-compatible with shape argument, and the "
                f"result of broadcasting the shapes must equal the shape argument, but got result "
                f"{result} for shape argument {shape}.",
                why=f"The parameters have shapes {', '.join(map(str, parameter_shapes))}.",
                fix=f"random.{name}(..., shape={result}), or no shape",
            )
        )


def shape_of(x) -> tuple[int, ...]:
    return x.shape if isinstance(x, Array) else type_of(x).shape


def broadcast_to(x, shape: tuple[int, ...]):
    """`x`, which has been checked to fit, in that shape."""
    own = shape_of(x)
    if own == shape:
        return x
    axes = tuple(range(len(shape) - len(own), len(shape)))
    return broadcast_in_dim(x, shape=shape, broadcast_dimensions=axes, sharding=None)


def parameter(name: str, x, dtype):
    """A parameter of the function `name` in a dtype that holds it: no digits and no imaginary parts are dropped."""
    if is_arraylike(x):
        joined, _ = dtypes.lattice_result_type(x, dtype)
        if joined != dtype:
            own = aval_of(x).dtype
            raise TypePromotionError(
                message(
                    f"In arguments to {name}, cannot safely cast argument of type {own.name} to {dtype.name}",
                    why=f"The results have dtype {dtype.name}.",
                    fix="x.real" if own.kind == "c" else f"x.astype({dtype.name!r}), or dtype={own.name!r}",
                )
            )
    return strong(x, dtype)


def strong(x, dtype):
    """A parameter in a dtype, which no longer gives way to other dtypes; Python numbers become NumPy's."""
    if isinstance(x, Array):
        if x.aval.dtype == dtype and not x.aval.weak_type:
            return x
        return convert_element_type(x, new_dtype=dtype, weak_type=False, sharding=None)
    if type(x) in (bool, int, float):
        return np.asarray(x, aval_of(x).dtype).astype(dtype)[()]
    if not is_arraylike(x):
        raise TypeError(
            message(
                f"random functions take arrays and numbers as parameters, got {type(x)}.",
                why=f"The parameter is {shorten(x)}.",
                fix="jnp.asarray(...)",
            )
        )
    if isinstance(x, (np.generic, np.ndarray)) and not x.ndim and x.dtype.kind in "biuf":
        return x.astype(dtype)[()]
    return strong(as_array(x), dtype)
