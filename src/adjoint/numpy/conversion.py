"""Arrays of given values: Python scalars and lists, NumPy arrays, bytes, text, other libraries' arrays.

`array` finds the dtype of a nested list from the set of its elements' types, so that NumPy can read the
list in one go; only a list that holds tracers is put together from its parts. While a program is traced,
given values are constants of it, and scalars literals.

Tests: `tests/numpy/test_standard_arrays.py`.
"""

from __future__ import annotations

import marshal
from itertools import chain
from math import prod
from typing import Any

import numpy as np

from ..array.array import ArrayImpl, deleted, make_array
from ..array.exchange import received
from ..core import dtypes
from ..core.jaxpr import Literal
from ..core.messages.errors import describe, message, warn
from ..core.options.config import local
from ..core.process.memo import memoized
from ..core.trace import DynamicJaxprTrace, Tracer, state
from ..core.types import Array, ShapedArray, aval_of
from ..core.values.deferred import Deferred
from ..core.values.dimension import Dimension
from ..core.values.numbers import refuse_masked
from ..engines.numpy import eval_trace
from ..engines.numpy.checks import admit
from ..engines.numpy.floating import quiet
from ..parallel.arrays import reshard
from ..prims.conversion import convert_element_type
from ..prims.conversion import copy as copy_p
from ..prims.logic import ne
from ..prims.shape import concatenate, insert_axes
from ..sharding.device import here
from ..sharding.explicit import asked_sharding
from ..sharding.mesh import AbstractMesh
from ..sharding.named_sharding import NamedSharding
from .promotion import check_arraylike, strong

__all__ = [
    "array", "asarray", "astype", "copy", "from_dlpack", "frombuffer", "fromfile", "fromiter", "fromstring",
]

_PYTHON = frozenset((bool, int, float, complex))
_SEQUENCES = frozenset((list, tuple))
_new = object.__new__
_set, _quiet, _leave = quiet.set, quiet.value, quiet.leave


# ---- from values --------------------------------------------------------------------------------


def array(
    object: Any, dtype=None, *args, copy: bool = True, order: str | None = "K", ndmin: int = 0,
    device=None, out_sharding=None,
) -> Array:
    """Return an array of the given values.

    Args:
      object: a scalar, an array, or a nested list or tuple of them, all of one shape.
      dtype: default the common dtype of the values. A single Python scalar makes a weakly typed array.
      args: `copy`, `order` and `ndmin`, which are better given by name.
      copy: False returns an array that has the dtype already as it is.
      order: only "K".
      ndmin: axes of length 1 are put in front until there are so many.
      device, out_sharding: where to put it.
    Returns:
      A new array. NumPy's float64 and int64 become 32-bit ones unless 64-bit types are on.
    Raises:
      TypeError: a value is not a number.
      ValueError: the lists are not of one shape, or a value is None.
      OverflowError: an int does not fit the dtype.
    See also: `asarray`, which need not copy; `device_put`, for a place.

    >>> jnp.array([[1, 2], [3, 4]], dtype=jnp.float32)
    Array([[1., 2.],
           [3., 4.]], dtype=float32)
    """
    if args:
        copy, order, ndmin = _by_position(args, copy, order, ndmin)
    if order is not None and order != "K":
        raise NotImplementedError(message("Only implemented for order='K'", why=f"Got {order!r}.",
                                          fix="no order: the library chooses the order of the axes in memory"))
    if dtype is not None:
        dtype = _dtype_named(dtype, "array")
    if state.trace.guards:
        admit([_copied(object)])
    out = _from_sequence(object, dtype) if type(object) in _SEQUENCES else _from_value(object, dtype, copy)
    if ndmin and ndmin > out.ndim:
        out = insert_axes(out, tuple(range(ndmin - out.ndim)))
    return out if device is out_sharding is None else placed("jnp.array", out, device, out_sharding)


def _copied(x):
    """Return what would be copied to a device for an array of these values; one of its arrays if it has some."""
    if type(x) not in _SEQUENCES:
        return x
    arrays = [leaf for leaf in _leaves(x) if isinstance(leaf, Array)]
    return arrays[0] if arrays else np.asarray(x)


# What these mean with and without 64-bit types, and in any library.
_USUAL = {key: np.dtype(name) for name in ("float32", "int32", "bool") for key in (name, np.dtype(name).type)}


def _dtype_named(dtype, name: str):
    try:
        found = _USUAL.get(dtype)
    except TypeError:  # not hashable
        found = None
    return dtypes.check_user_dtype_supported(dtype, name) if found is None else found


def _by_position(given: tuple, *named) -> tuple:
    """Return the last arguments of `array`, of which some stand where NumPy's do."""
    if len(given) > len(named):
        raise TypeError(
            message(
                f"array() takes at most 5 positional arguments but {2 + len(given)} were given",
                fix="jnp.array(values, dtype, copy=True, order=None, ndmin=0)",
            )
        )
    warn(
        "Passing the copy, order, and ndmin arguments to jnp.array positionally is deprecated. Use keyword arguments "
        "instead.",
        DeprecationWarning,
    )
    return given + named[len(given) :]


def asarray(
    a: Any, dtype=None, order: str | None = None, *, copy: bool | None = None, device=None,
    out_sharding=None,
) -> Array:
    """Return an array of the given values; `a` itself if it is one of that dtype.

    Args:
      a, dtype, order, device, out_sharding: as for `array`.
      copy: True makes a copy in any case.
    Returns:
      An array; of one that has the dtype already, the array itself.
    Raises:
      TypeError: `a` is not an array, a number, or a list of them.

    >>> x = jnp.ones(3)
    >>> jnp.asarray(x) is x
    True
    """
    if order is not None and order != "K":
        raise NotImplementedError(message("Only implemented for order='K'", why=f"Got {order!r}.",
                                          fix="no order: the library chooses the order of the axes in memory"))
    if dtype is not None:
        dtype = _dtype_named(dtype, "asarray")
    if state.trace.guards:
        admit([_copied(a)])
    out = _from_sequence(a, dtype) if type(a) in _SEQUENCES else _from_value(a, dtype, bool(copy))
    return out if device is out_sharding is None else placed("jnp.asarray", out, device, out_sharding)


def copy(a, order: str | None = None) -> Array:
    """Return a copy of an array.

    Args:
      a: array or scalar.
      order: None or "K": arrays have one order in memory.
    Returns:
      A new array of the same shape, dtype and values.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.copy(jnp.array([1, 2]))
    Array([1, 2], dtype=int32)
    """
    check_arraylike("copy", a)
    return array(a, copy=True, order=order)


def astype(x, dtype, /, *, copy: bool = False, device=None) -> Array:
    """Return `x` with another dtype.

    Args:
      x: array or scalar.
      dtype: None stands for the default float. Floats become integers towards zero, saturating.
      copy: copy even if `x` has the dtype.
      device: where to put it.
    Returns:
      The values in that dtype, in an array of the shape of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.astype(jnp.array([1.7, -1.7]), int)
    Array([ 1, -1], dtype=int32)
    """
    check_arraylike("astype", x)
    dtype = dtypes.check_user_dtype_supported(float if dtype is None else dtype, "astype")
    x = settled(x)
    if x.dtype.kind == "c" and dtype == np.bool_:
        return placed("astype", ne(x, strong(x, 0)), device)
    if x.dtype.kind == "c" and dtype.kind != "c":
        warn(
            "Casting from complex to real dtypes will soon raise a ValueError. Please first use jnp.real "
            "or jnp.imag to take the real/imaginary component of your input.",
            DeprecationWarning,
        )
        x = convert_element_type(x, new_dtype=dtype, weak_type=False, sharding=None)
    return placed("astype", _converted(x, dtype, copy), device)


def _from_value(x, dtype, copy: bool) -> Array:
    """Return an array of `x`; `dtype` is None or checked."""
    kind = type(x)
    if kind in _PYTHON:
        aval = aval_of(x) if dtype is None else ShapedArray((), dtype)
        return constant_of(aval.dtype.type(x), aval, x, True)
    if kind in _SEQUENCES:
        return _from_sequence(x, dtype)
    if isinstance(x, Array):
        return _converted(x, dtype, copy)
    if isinstance(x, (np.ndarray, np.generic)):
        if not copy:
            refuse_masked(x)
        return _from_numpy(x, dtype)
    if isinstance(x, Deferred):
        return x if dtype is None else x.astype(dtype)  # type: ignore[attr-defined]
    if isinstance(x, Dimension):
        return _from_value(x.dimension_as_value(), dtype, copy)  # weakly typed, as a number of Python
    if hasattr(x, "__jax_array__"):
        x = x.__jax_array__()  # JAX parity: of its own dtype, which is weak neither for a number nor for a weak array
        if dtype is None and (type(x) in _PYTHON or isinstance(x, Array)):
            dtype = aval_of(x).dtype
        return _from_value(x, dtype, copy)
    if isinstance(x, (list, tuple)):
        return _from_sequence(list(x), dtype)
    if x is None:
        raise none_is_no_array()
    if dtype is not None and not hasattr(x, "__array__"):
        return _read(x, dtype)
    return _from_numpy(np.asarray(x, x.dtype if getattr(x, "weak_type", False) else None), dtype, x)


def _converted(x: Array, dtype, copy: bool) -> Array:
    """Return an array with another dtype, unless that is None."""
    if copy:
        x = copy_p(x)
    if dtype is None or (dtype == x.dtype and not x.weak_type):
        return x
    dtypes.warn_of_lost_parts(x.dtype, dtype)
    return convert_element_type(x, new_dtype=dtype, weak_type=False, sharding=None)


def _from_numpy(x, dtype, original=None) -> Array:
    """Return a copy of a NumPy array or scalar, which was made from `original`; of any numbers if there is a dtype."""
    if dtype is None and not dtypes.is_supported(x.dtype):
        raise _not_numeric(x if original is None else original, x.dtype)
    is_weak = dtype is None and getattr(x if original is None else original, "weak_type", False)
    if dtype is None:
        dtype = dtypes.canonicalize_dtype(x.dtype)
    token = quiet.enter()
    try:
        values = np.array(x, dtype)
    finally:
        quiet.leave(token)
    return constant_of(values, ShapedArray(x.shape, dtype, is_weak), is_given=True)


def _not_numeric(value, dtype) -> TypeError:
    return TypeError(
        message(
            f"Value '{value}' with dtype {dtype} is not a valid JAX array type. Only arrays of numeric "
            "types are supported by JAX.",
            fix=_NUMBERS.get(type(value)) or _NUMBERS.get(getattr(dtype, "kind", "O"), "make numbers of it first"),
        )
    )


# What to write for values that are no numbers, by their type, or by the kind of dtype that NumPy gives them.
_NUMBERS: dict[Any, str] = {
    dict: "jax.tree.map(jnp.asarray, x), which gives a dict of arrays",
    str: "float(x) for the text of a number; np.fromstring(x, sep=' ') for one of several",
    bytes: "jnp.frombuffer(x, dtype='uint8')",
    set: "jnp.asarray(sorted(x))",
    "M": "x.astype('datetime64[s]').astype(int), the seconds since 1970",
    "m": "x.astype('timedelta64[s]').astype(int), seconds",
    "U": "integers that stand for the texts, as np.unique(x, return_inverse=True)[1]; or float(x) for texts of numbers",
    "S": "jnp.frombuffer(x, dtype='uint8'), or integers that stand for the texts",
    "V": "the fields one by one: {name: jnp.asarray(x[name]) for name in x.dtype.names}",
}


def settled(x) -> Array:
    """Return an operand that is the result, where results are."""
    return state.bottom.placed(asarray(x))


def constant_of(buffer, aval: ShapedArray, number: Any = None, is_given: bool = False) -> Array:
    """Return the array of a buffer made just now; in a program that is traced, a tracer: of a literal, if a scalar.

    `number` is the scalar of Python that it was made of, as which programs show one of a weak type. Of values that are
    given, as NumPy's arrays, types do not speak of the mesh that is set.
    """
    trace = state.trace
    if trace is eval_trace:
        return make_array(buffer, aval)
    while type(trace) is not DynamicJaxprTrace and trace.parent is not None and not trace.evaluates_known:
        trace = trace.parent
    is_staged = type(trace) is DynamicJaxprTrace
    if not aval.shape and is_staged:
        value = buffer[()]
        if aval.weak_type:
            value = value.item() if number is None else number
        return trace.tracer(Literal(value, aval))
    out = state.bottom.placed(make_array(buffer, aval), not is_given)
    return trace.constant(out, aval_of(out)) if is_staged else out


def placed(name: str, x: Array, device=None, sharding=None) -> Array:
    """`x`, which the function `name` made, on a device or with a sharding, if one is given."""
    if isinstance(device, NamedSharding) and isinstance(device.mesh, AbstractMesh):  # its devices are not known here
        device, sharding = None, device
    if device is not None:
        return x._put(device)
    return x if sharding is None else reshard(x, asked_sharding(name, sharding))


# ---- from lists ---------------------------------------------------------------------------------


def _from_sequence(x, dtype) -> Array:
    """Return an array of a nested list: one pass over the elements' types, one by NumPy over the values."""
    if (n := len(x)) < _SOME:
        types = tuple(map(type, x)) if n < _MAX_NUMBERS_BY_TYPES else frozenset(map(type, x))
        try:
            aval = _type_of_scalars(n, types, local.trace_context)
        except dtypes.TypePromotionError:
            if dtype is None:
                raise
            return _read(x, dtype)  # they need no dtype in common
        if aval is not None:
            if dtype is not None and dtype != aval.dtype:
                return _read(x, dtype)
            token = _set(_quiet)
            try:
                buffer = np.array(x, aval.dtype)
            finally:
                _leave(token)
            if state.trace is not eval_trace:
                return constant_of(buffer, aval, is_given=True)
            a = _new(ArrayImpl)
            a._buffer = buffer
            a._device = None
            a.aval = aval
            return a
        found = _uniform(x) if type(x[0]) in _SEQUENCES else None
    else:
        found = _uniform(x)
    if found is not None and (values := _numbers(found, dtype)) is not None:
        return values
    types = frozenset(_element_types(x))
    if _are_scalars(types):
        return _read(x, dtype or _dtype_of_scalars(types, local.trace_context))
    x = _plain(x, dtype is not None)
    leaves = list(_leaves(x))
    if dtype is None:
        dtype = dtypes.lattice_result_type(*leaves)[0]
    if any(isinstance(leaf, Tracer) for leaf in leaves):
        return _assembled(x, dtype)
    if any(isinstance(leaf, Array) and leaf.shape for leaf in leaves):
        _check_stackable(x)
    try:
        return _read(_on_buffers(x, dtype if dtype.kind in "iu" else None), dtype)
    except ValueError:
        if any(isinstance(leaf, Array) for leaf in leaves):
            _check_stackable(x)
        raise


_MAX_NUMBERS_BY_TYPES = 9  # numbers of which there are few combinations of types
_SOME, _MANY = 192, 512  # numbers in a list, in several: below, `marshal` and what follows cost more than they save
_FLOAT, _INT = (np.dtype([("tag", "S1"), ("value", v)]) for v in ("<f8", "<i4"))
_TAGS = {_FLOAT: b"g", _INT: b"i"}


def _uniform(x):
    """Return the values of nested lists that hold Python floats only, or ints of 32 bits, all of one shape; or None.

    `marshal` writes every list as a tag, its length and its items, and every number as a tag and the number:
    one pass in C that tells the types of all, which NumPy then reads as an array of records.
    """
    lengths, first = [], x
    while type(first) in _SEQUENCES and first and len(lengths) < 8:
        lengths.append(len(first))
        first = first[0]
    item = _FLOAT if type(first) is float else _INT if type(first) is int else None
    if item is None or prod(lengths) < (_SOME if len(lengths) == 1 else _MANY):
        return None
    try:
        written = marshal.dumps(x, 2)
    except (ValueError, TypeError):  # something that is not a number, or a list in itself
        return None
    if len(lengths) == 1:
        n, step = lengths[0], item.itemsize
        is_flat = len(written) == 5 + step * n and written[5::step].count(_TAGS[item]) == n
        return np.ndarray((n,), item["value"], written, 6, (step,)) if is_flat else None
    record = _record(item, tuple(lengths))
    if len(written) != record.itemsize:
        return None
    records = np.frombuffer(written, record)
    for n in lengths:
        if not (records["length"] == n).all() or not (records["tag"] == records["tag"].flat[0]).all():
            return None
        records = records["items"]
    return records["value"][0] if (records["tag"] == _TAGS[records.dtype]).all() else None


@memoized(64)
def _record(item, lengths):
    """Return what `marshal` writes of a nested list."""
    for n in reversed(lengths):
        item = np.dtype([("tag", "S1"), ("length", "<i4"), ("items", item, (n,))])
    return item


def _numbers(values, dtype) -> Array | None:
    """Return an array of Python's floats or ints; None for a dtype that NumPy converts in a way of its own."""
    if dtype is None:
        dtype = dtypes.canonicalize_dtype(float if values.dtype.kind == "f" else int)
    elif dtype not in _WIDE or values.dtype.kind == "f" and dtype.kind != "f":
        return None
    token = quiet.enter()
    try:
        buffer = values.astype(dtype)
    finally:
        quiet.leave(token)
    return constant_of(buffer, ShapedArray(buffer.shape, dtype))


_WIDE = frozenset(map(np.dtype, ("int32", "int64", "float32", "float64")))


def _element_types(x) -> set[type]:
    """Return the types of what stands in nested lists, at any depth."""
    types = set(map(type, x))
    while types & _SEQUENCES:
        if not types <= _SEQUENCES:
            x = [i if type(i) in _SEQUENCES else (i,) for i in x]
        x = list(chain.from_iterable(x))
        types = set(map(type, x))
    return types


_NUMPY_SCALARS = {dtype.type: dtype for dtype in dtypes.all_dtypes}


def _type_key(t: type):
    """Return the dtype of a scalar type, and whether it is weak."""
    if t in _PYTHON:
        return dtypes.canonicalize_dtype(t), t is not bool
    return dtypes.canonicalize_dtype(_NUMPY_SCALARS[t]), False


@memoized(256)
def _dtype_of_scalars(types: frozenset, _context):
    """Return the common dtype of scalars of these types, with the options in use; None if there are others among them.
    """
    if not _are_scalars(types):
        return None
    return dtypes.result_of(tuple(map(_type_key, types)))[0] if types else dtypes.default_float()


@memoized(256)
def _are_scalars(types: frozenset) -> bool:
    return all(t in _PYTHON or t in _NUMPY_SCALARS for t in types)


@memoized(1024)
def _type_of_scalars(n: int, types: tuple | frozenset, context) -> ShapedArray | None:
    """Return the type of an array of `n` scalars of these types."""
    dtype = _dtype_of_scalars(frozenset(types), context)
    return None if dtype is None else ShapedArray((n,), dtype)


def _plain(x, with_dtype: bool):
    """Nested lists of arrays and scalars, whatever kinds of sequences and objects they were."""
    if isinstance(x, (list, tuple)):
        return [_plain(i, with_dtype) for i in x]
    if isinstance(x, (Array, np.ndarray, np.generic)) or type(x) in _PYTHON:
        return x
    if x is None:
        raise none_is_no_array()
    if hasattr(x, "__jax_array__"):
        return x.__jax_array__()
    values = np.asarray(x)
    if values.dtype in dtypes.all_dtypes:
        return values
    if with_dtype:
        return x  # text such as "1.5": NumPy converts it or says why not
    raise _not_numeric(x, values.dtype)


def _leaves(x):
    for i in x:
        if type(i) is list:
            yield from _leaves(i)
        else:
            yield i


def _read(x, dtype) -> Array:
    """NumPy reads the values; they are of one shape and convertible, or it says so."""
    token = _set(_quiet)
    try:
        is_extended = isinstance(dtype, dtypes.ExtendedDType)
        buffer = np.array(x, None if is_extended else dtype)
        if is_extended and buffer.dtype != dtype.buffer_dtype:
            raise TypeError(
                message(
                    f"Cannot interpret '{dtype}' as a data type",
                    fix="jnp.float32, 'int32', x.dtype, or the type float, int or bool",
                )
            )
    except ValueError as error:
        if "inhomogeneous" not in str(error):
            raise
        why = "The lists inside differ in length; an array is rectangular."
        fix = "np.pad the rows to one length, or keep a list of arrays"
        raise ValueError(message(str(error), why=why, fix=fix)) from None
    finally:
        _leave(token)
    return constant_of(buffer, ShapedArray(buffer.shape, dtype), is_given=True)


def _on_buffers(x, integer=None):
    """Nested lists with NumPy arrays in place of concrete arrays; those of floats become `integer`, as arrays do."""
    if type(x) is list:
        return [_on_buffers(i, integer) for i in x]
    if type(x) is not ArrayImpl:
        return x
    if integer is not None and x.dtype != integer:
        x = _converted(x, integer, False)
    if x._buffer is None:
        raise deleted(x)
    return x._buffer


def _check_stackable(x) -> tuple[int, ...]:
    """Return the shape of nested lists of arrays; TypeError if the parts of one differ."""
    if type(x) is not list:
        return () if type(x) in _PYTHON else aval_of(x).shape
    shapes = [_check_stackable(i) for i in x]
    if any(s != shapes[0] for s in shapes):
        raise TypeError(
            message(
                "array: cannot stack arrays of different shapes: got "
                f"{', '.join(map(str, dict.fromkeys(shapes)))}.",
                fix="jnp.concatenate, or make the shapes equal with reshape or broadcast_to",
            )
        )
    return (len(shapes), *shapes[0])


def _assembled(x, dtype) -> Array:
    """Return an array of nested lists that hold tracers: its parts, converted and stacked."""
    if type(x) is not list:
        return _from_value(x, dtype, False)
    if not any(isinstance(leaf, Array) for leaf in _leaves(x)):
        return _read(x, dtype)
    _check_stackable(x)
    return concatenate(*[insert_axes(_assembled(i, dtype), (0,)) for i in x], dimension=0)


# ---- from bytes, text, other libraries ----------------------------------------------------------


def frombuffer(buffer, dtype=float, count: int = -1, offset: int = 0) -> Array:
    """Return an array of the numbers in a bytes-like object.

    Args:
      buffer: bytes, or what has the buffer protocol.
      dtype: of the numbers in memory.
      count: how many; -1 for all.
      offset: where they begin, in bytes.
    Returns:
      An array with one axis, a copy. The dtype is `dtype`.
    Raises:
      ValueError: the size is no multiple of that of the dtype.

    >>> jnp.frombuffer(b"abc", dtype=jnp.uint8)
    Array([97, 98, 99], dtype=uint8)
    """
    return asarray(np.frombuffer(buffer, np.dtype(dtype), count, offset))


def fromstring(string: str, dtype=float, count: int = -1, *, sep: str) -> Array:
    """Return an array of the numbers in a text.

    Args:
      string: the text.
      dtype: of the numbers.
      count: how many; -1 for all.
      sep: what separates them.
    Returns:
      An array with one axis. The dtype is `dtype`.
    Raises:
      ValueError: the text holds something that is no number.
      TypeError: `string` or `sep` is no text, or `dtype` is no dtype.

    >>> jnp.fromstring("1 2 3", dtype=int, sep=" ")
    Array([1, 2, 3], dtype=int32)
    """
    return asarray(np.fromstring(string, np.dtype(dtype), count, sep=sep))


def from_dlpack(x: Any, /, *, device=None, copy: bool | None = None) -> Array:
    """Return an array of the values of another library's array, by way of the DLPack protocol.

    Args:
      x: an object with `__dlpack__` and `__dlpack_device__`, such as a tensor of PyTorch.
      device: where to put it.
      copy: True for memory of its own; False to share the memory, whose owner must not write to it any more; None
        copies what is not an array of this library, and not on an accelerator.
    Returns:
      An array of the same shape and dtype.
    Raises:
      TypeError: `x` has no `__dlpack__` and `__dlpack_device__`.

    >>> jnp.from_dlpack(np.array([1, 2], dtype="int16"))
    Array([1, 2], dtype=int16)
    """
    if isinstance(x, Tracer):
        raise TypeError(
            message(
                "The array passed to from_dlpack must have __dlpack__ and __dlpack_device__ methods.",
                why=f"{describe(x)} is traced, and has no memory.",
                fix="use it as it is",
            )
        )
    if not hasattr(x, "__dlpack__") or not hasattr(x, "__dlpack_device__"):
        raise TypeError(
            message(
                "The array passed to from_dlpack must have __dlpack__ and __dlpack_device__ methods.",
                why=f"Got {describe(x)}.",
                fix="jnp.asarray(x)",
            )
        )
    if isinstance(x, Array) and not copy:
        return placed("from_dlpack", x, device)
    if here.plugin is not None and here.plugin.exchange.is_of_plugin(x):
        out = placed("from_dlpack", here.plugin.exchange.adopted(x), device)
        return copy_p(out) if copy else out
    values = received(x)
    if copy is False and dtypes.canonicalize_dtype(values.dtype) == values.dtype:
        return placed("from_dlpack", make_array(values, aval_of(values)), device)
    return asarray(values, device=device)


def fromfile(*args, **kwargs):
    """Raise NotImplementedError: reading a file is not a pure function.

    Args:
      *args, **kwargs: those of `numpy.fromfile`.
    Returns:
      Nothing: write `jnp.asarray(np.fromfile(...))`.
    Raises:
      NotImplementedError: always, as in JAX.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     np.arange(3, dtype=np.int32).tofile(file.name)
    ...     jnp.asarray(np.fromfile(file.name, np.int32))
    Array([0, 1, 2], dtype=int32)
    """
    raise _impure("fromfile")


def fromiter(*args, **kwargs):
    """Raise NotImplementedError: advancing an iterator is not a pure function.

    Args:
      *args, **kwargs: those of `numpy.fromiter`.
    Returns:
      Nothing: write `jnp.asarray(np.fromiter(...))`.
    Raises:
      NotImplementedError: always, as in JAX.

    >>> jnp.asarray(np.fromiter((k * k for k in range(3)), np.int32))
    Array([0, 1, 4], dtype=int32)
    """
    raise _impure("fromiter")


def _impure(name: str) -> NotImplementedError:
    return NotImplementedError(
        message(
            f"jnp.{name}() is not implemented because it may be non-pure and thus unsafe for use with JIT "
            "and other JAX transformations.",
            fix=f"jnp.asarray(np.{name}(...)), outside of functions that are transformed",
        )
    )


def none_is_no_array() -> ValueError:
    """The error for None where an array is converted."""
    return ValueError(
        message(
            "None is not a valid value for jnp.array",
            why="A function without a return statement, or dict.get of a key that is not there, gives None.",
            fix="jnp.nan for a missing number, or leave None out",
        )
    )
