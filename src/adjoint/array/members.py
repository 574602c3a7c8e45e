"""Members of arrays that NumPy, Python and users ask for: conversions, printing, placement, life time.

The members are bound to `core.types.Array` here, once for concrete arrays and tracers. A tracer raises the error
that says what to write instead, for a number made from it would carry no derivative. Where it stands for a known value
(inside `jvp` and `grad` of concrete arguments) it decides branches, positions and lengths: `bool`, `int`, `item` and
indices see that value. Operators and NumPy methods are bound by `adjoint.numpy`.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.messages.advice import assigned
from ..core.messages.boundaries import guarded
from ..core.messages.errors import (
    ConcretizationTypeError,
    JaxRuntimeError,
    TracerArrayConversionError,
    TracerBoolConversionError,
    TracerIntegerConversionError,
    advise,
    describe,
    message,
    warn,
)
from ..core.types import Array
from ..sharding.device import Device, SingleDeviceSharding, first_device, first_sharding, here, is_here
from ..sharding.layout import Format, Layout, layout_of_buffer
from .array import ArrayImpl, Pending, deleted, make_array
from .exchange import is_narrow, lent
from .sharded_array import ShardedArray, parts_of, place


def _value(x: Array, behind: bool = False) -> np.ndarray | None:
    """Return the values of an array; None for a tracer, unless those `behind` it are known and asked for."""
    if isinstance(x, ArrayImpl):
        return x._value
    known = x.concrete() if behind else None
    if known is None:
        return None
    return known._value if isinstance(known, ArrayImpl) else np.asarray(known, x.dtype)


def _is_key(x) -> bool:
    return dtypes.issubdtype(x.dtype, dtypes.prng_key)


def _scalar(x: Array, python: type):
    if type(x) is ArrayImpl and getattr(x._buffer, "shape", None) == () and x._buffer.dtype.kind in "fiub":
        return python(x._buffer.item())
    if _is_key(x):
        article = "a" if python is complex else "a string, a bytes-like object or a"
        what = f"{python.__name__}() argument must be {article} real number, not a random key"
        raise TypeError(message(what, fix="jax.random.uniform(key) for a number, jax.random.key_data(key) for bits"))
    if x.ndim:
        kind = python.__name__
        raise TypeError(
            message(
                f"Only scalar arrays can be converted to Python scalars; got arr.ndim={x.ndim}",
                why=f"{kind}() makes one number; this is {describe(x)}.",
                fix=f"x.astype({kind}) for all elements, {kind}(x[0]) for one"
                + (f", {kind}(x.item()) for this one" if x.size == 1 else ""),
            )
        )
    value = _value(x, behind=python is int)
    if value is None:
        raise ConcretizationTypeError(
            x,
            f"The problem arose with the `{python.__name__}` function. If trying to convert the data type of "
            f"a value, try using `x.astype({python.__name__})` or `jnp.array(x, {python.__name__})` instead.",
        )
    return python(value.item() if python is not complex else complex(value))


def _bool(x) -> bool:
    if _is_key(x):
        raise TypeError("key array cannot be converted to boolean.")
    if x.size != 1:
        if not x.size:
            what = "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is "
            raise ValueError(message(what + "not empty.", why=f"It is {describe(x)}.", fix="if x.size > 0:"))
        raise ValueError(
            message(
                "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()",
                why=f"It is {describe(x)}: some elements may be true and others not.",
                fix="if (x == y).all():, jnp.array_equal(x, y), x & y for `x and y`, jnp.where(x, a, b) to choose",
            )
        )
    value = _value(x, behind=True)
    if value is None:
        raise TracerBoolConversionError(x)
    return bool(value)


def _index(x) -> int:
    if x.ndim or not dtypes.issubdtype(x.dtype, np.integer):
        raise TypeError(
            message(
                "Only integer scalar arrays can be converted to a scalar index.",
                why=f"It is {describe(x)}.",
                fix="int(x) for a whole number" if not x.ndim else "jnp.asarray(a_list)[x] to pick several elements",
            )
        )
    value = _value(x, behind=True)
    if value is None:
        raise TracerIntegerConversionError(x)
    return int(value)


def _array(x, dtype=None, context=None, copy=None):
    value = _value(x)
    if value is None:
        raise TracerArrayConversionError(x)
    if _is_key(x):
        raise TypeError(
            "JAX array with PRNGKey dtype cannot be converted to a NumPy array. "
            "Use jax.random.key_data(arr) if you wish to extract the underlying integer array."
        )
    if copy:
        return np.array(value, dtype, copy=True)
    if dtype is None or value.dtype == dtype:
        return value
    if copy is False:
        raise ValueError("Unable to avoid copy while creating an array as requested.")
    return value.astype(dtype)


def _bytes(x) -> bytes:
    """`bytes(x)`: the memory; of an integer so many zeros, as Python has it."""
    if not x.ndim and dtypes.issubdtype(x.dtype, np.integer):
        return bytes(_index(x))
    if _is_key(x):
        raise TypeError("cannot convert 'PRNGKeyArray' object to bytes")
    if not isinstance(x, ArrayImpl):
        return bytes(iter(x))  # of integers: the elements
    _check_buffer(x)
    return _known(x, "conversion to bytes").tobytes()


def _buffer(x, flags: int) -> memoryview:
    """Return the memory, read-only, for `memoryview(x)`; Python asks for it from version 3.12 on."""
    _check_buffer(x)
    return memoryview(_known(x, "buffer protocol"))


def _check_buffer(x) -> None:
    """Raise for a dtype that Python's memory views have no letter for."""
    if x.dtype.kind not in "biufc" or x.dtype.name in ("int2", "int4", "uint2", "uint4"):
        raise BufferError(message(
            f"INVALID_ARGUMENT: Buffers of type {x.dtype.name} are not supported by the Python buffer protocol.",
            fix="np.asarray(x).tobytes(), or np.asarray(x).view(np.uint8)",
        ))


def _len(x) -> int:
    shape = x.aval.shape
    if not shape:
        raise TypeError(
            message(
                "len() of unsized object", why=f"It is {describe(x)}, without axes.", fix="x.size, or jnp.atleast_1d(x)"
            )
        )
    return shape[0]


def _known(x, what: str, behind: bool = False) -> np.ndarray:
    if _is_key(x):
        raise TypeError(
            message(
                f"The {what} was called on random keys, which have no numbers.",
                fix="jax.random.key_data(keys) for the integers they are made of",
            )
        )
    value = _value(x, behind)
    if value is None:
        raise ConcretizationTypeError(x, f"The {what} was called on a traced array.")
    return value


def _item(x, *args):
    """Return the single element, or the one at an index, as a Python scalar.

    Args:
      args: nothing for an array of one element; else an index into the flat array, or one for each axis.
    """
    value = _known(x, "item() method", behind=True)
    if not args and value.size != 1:
        raise ValueError(
            message(
                "can only convert an array of size 1 to a Python scalar", why=f"It is {describe(x)}.",
                fix="x.tolist() for all elements, x.item(0) for one",
            )
        )
    return value.item(*args)


def _tolist(x):
    """Return the values as nested Python lists."""
    return _known(x, "tolist() method").tolist()


def _tobytes(x, order="C") -> bytes:
    """Return the values as bytes.

    Args:
      order: "C" for rows first, "F" for columns first.
    """
    return _known(x, "tobytes() method").tobytes(order)


def _format(x, format_spec):
    value = _value(x)
    if value is None or value.dtype.names:  # a tracer, or keys
        if format_spec:
            raise TypeError(
                message(
                    f"unsupported format string passed to {type(x).__name__}.__format__",
                    why="Random keys are not numbers."
                    if _is_key(x)
                    else "A traced value has no digits while the function is traced.",
                    fix="jax.random.key_data(key)" if _is_key(x) else 'jax.debug.print("{x:.2f}", x=x)',
                )
            )
        return repr(x)
    return format(value[()] if value.ndim == 0 else value, format_spec)


def _setitem(self, i, x):
    raise TypeError(
        message(
            "JAX arrays are immutable and do not support in-place item assignment. Instead of x[idx] = y, "
            "use x = x.at[idx].set(y) or another .at[] method: "
            "https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html",
            fix=advise(assigned, f"x = x.at[{_index_text(i)}].set(...)"),
        )
    )


def _index_text(index) -> str:
    parts = index if isinstance(index, tuple) else (index,)
    return ", ".join("..." if i is ... else repr(i) if isinstance(i, int) else "idx" for i in parts)


# ---- printing ------------------------------------------------------------------------------------


def _repr(x) -> str:
    if not isinstance(x, ArrayImpl):
        return type(x).describe(x)
    if x.is_gone:
        raise deleted(x)
    if _is_key(x):
        words = np.ascontiguousarray(x._value).reshape(-1).view(np.uint32).reshape(*x.shape, x.dtype.itemsize // 4)
        return f"Array({x.shape}, dtype={x.dtype.name}) overlaying:\n{words}"
    dtype = f"dtype={x.dtype.name}{', weak_type=True' if x.weak_type else ''})"
    if _is_elsewhere(x):
        return f"Array(shape={x.shape}, {dtype}"
    if x.size == 0:
        return f"Array([], shape={x.shape}, {dtype}"
    body = np.array2string(x._value, separator=", ", prefix="Array(", suffix=",")
    last = len(body) - body.rfind("\n") - 1
    # JAX parity: where NumPy would start a new line for the dtype, there is a wide gap.
    fits = last + len(dtype) + 3 <= np.get_printoptions()["linewidth"]
    return f"Array({body},{' ' if fits else ' ' * len('Array(')}{dtype}"


def _is_elsewhere(x) -> bool:
    """Return whether other processes have parts of the array that are not here."""
    return here.count > 1 and not (_sharding(x).is_fully_addressable or _sharding(x).is_fully_replicated)


def _str(x) -> str:
    known = isinstance(x, ArrayImpl) and not x.is_gone and not _is_elsewhere(x)
    return str(x._value) if known and not _is_key(x) else repr(x)


# ---- placement and life time ---------------------------------------------------------------------


def _placed(x, what: str) -> ArrayImpl:
    """Return `x` itself, a concrete array with memory."""
    if not isinstance(x, ArrayImpl):
        raise ConcretizationTypeError(x, f"The {what} was asked of a traced array.")
    if x.is_gone:
        raise deleted(x)
    return x


def _traced(x) -> str:
    """Return a traced array in a message, by its dtype and shape."""
    return f"traced array with shape {x.dtype.name}[{','.join(map(str, x.shape))}]"


def _only_concrete(name: str, value):
    """Return a member that arrays have and tracers do not."""

    def member(x):
        if not isinstance(x, ArrayImpl):
            raise AttributeError(
                f"The '{name}' attribute is not available on {_traced(x)}.\n"
                "  Try: jax.typeof(x) for what is known of a traced array."
            )
        return value(x)

    return property(member, doc=value.__doc__)


def _sharding(x):
    """Return how the array is laid out over devices."""
    known = x if isinstance(x, ArrayImpl) else _placed(x, "sharding attribute")
    return known.place if type(known) is ShardedArray else first_sharding


def _format_of(x) -> Format:
    """Return the order of the axes in memory, and the sharding."""
    known = _placed(x, "format attribute")
    if _is_elsewhere(known):
        return Format(Layout(tuple(range(known.ndim)), ()), known.place)  # type: ignore[attr-defined]
    return Format(layout_of_buffer(known._buffer), _sharding(x))


def _device(x):
    """Return the device of the array, or its sharding if there are several."""
    sharding = _sharding(x)
    return next(iter(sharding.device_set)) if sharding.num_devices == 1 else sharding


def _committed(x) -> bool:
    """Return whether the array has to stay where it is, or had to before it was deleted."""
    known = x if isinstance(x, ArrayImpl) else _placed(x, "committed attribute")
    return known.is_committed if type(known) is ShardedArray else isinstance(known._device, Device)


def _platform(x):
    """Return a function that gives the name of the platform: "cpu", "cuda"."""
    return lambda: first_device.platform


def _devices(x) -> set:
    """Return the devices that hold the array."""
    return _sharding(x).device_set


def _block_until_ready(x):
    """Wait until the array is computed; return the array itself."""
    if not isinstance(x, ArrayImpl):
        raise AttributeError(f"The 'block_until_ready' method is not available on {_traced(x)}.")
    if x.is_gone:
        raise JaxRuntimeError(
            f"INVALID_ARGUMENT: BlockHostUntilReady() called on deleted or donated buffer\n{deleted(x)}")
    if type(x) is Pending:
        Pending.wait([x._result])
    elif type(x) is ShardedArray and x.shards is not None:
        x.shards.ready()
    return x


def _is_ready(x) -> bool:
    """Return whether the array is computed."""
    return x._result.is_ready() if type(x) is Pending else not x.is_gone


def _readiness(x):
    """Return a function that says whether the array is computed."""
    return lambda: _is_ready(x)


def _begin_copy(x):
    """Return a function that begins to copy the array to the host; on a CPU nothing is to be done."""
    return lambda: None


def _cloning(x):
    """Return a function that copies the array."""
    return lambda: _copy(x)


def _bytes_on_device(x) -> int:
    """Return the number of bytes that the array takes on its devices."""
    x = _placed(x, "on_device_size_in_bytes() method")
    if not isinstance(x, ShardedArray) or x.place.num_devices == 1:
        return x.nbytes
    return prod(x.place.shard_shape(x.shape)) * x.dtype.itemsize * x.place.num_devices


def _pointer(x) -> int:
    """Return the address of the memory."""
    if isinstance(x, ShardedArray) and x.place.num_devices > 1:
        raise JaxRuntimeError(
            message(
                "INVALID_ARGUMENT: UnsafeBufferPointer() is supported only for unsharded arrays.",
                fix="x.addressable_shards[i].data.unsafe_buffer_pointer() for a part",
            )
        )
    return _known(x, "unsafe_buffer_pointer()").ctypes.data


def _delete(x) -> None:
    """Give the memory back; the array cannot be used any more."""
    if not _is_deleted(x):
        x = _placed(x, "delete() method")
        x._buffer = x._result = None


def _is_deleted(x) -> bool:
    """Return whether the memory was given back, by `delete` or by donation."""
    if not isinstance(x, ArrayImpl):
        _placed(x, "is_deleted() method")
    return isinstance(x, ArrayImpl) and x.is_gone


def _copy(x):
    """Return a copy with memory of its own."""
    if not isinstance(x, ArrayImpl):
        return x
    buffer = _placed(x, "copy")._buffer.copy()
    return place(buffer, x.aval, x.place, x.is_committed) if type(x) is ShardedArray else make_array(buffer, x.aval)


def _reduce(x):
    raise ConcretizationTypeError(x, "A traced array cannot be pickled.")


class Shard:
    """The part of an array on one device.

    Args:
      device: the device that holds the part.
      index: slices, the part of the whole array.
      replica_id: which copy of that part it is.
      data: the part, an array; None if another process has it.

    >>> (shard,) = jnp.arange(3).addressable_shards
    >>> shard.index, shard.data
    ((slice(None, None, None),), Array([0, 1, 2], dtype=int32))
    """

    def __init__(self, device, index, replica_id, data):
        self.device = device
        self.index = index
        self.replica_id = replica_id
        self.data = data

    def __repr__(self):
        return (
            f"Shard(device={self.device!r}, index={self.index}, replica_id={self.replica_id}, "
            f"data={self.data})"
        )


def _shards(x) -> list[Shard]:
    """Return the parts of the array that this process can read."""
    known = _placed(x, "addressable_shards attribute")
    if type(known) is not ShardedArray:
        return [Shard(first_device, (slice(None),) * x.ndim + _words_of(x), 0, known)]
    parts = [p for p in parts_of(known.place, known.shape) if is_here(p[0])]
    if known.shards is None:
        buffer: Any = known._buffer
        values = [buffer[index] for _, index, _ in parts]
    else:
        values = known.shards.parts(known)
    return [
        Shard(device, index + _words_of(x), copy, _part(known, v, device))
        for (device, index, copy), v in zip(parts, values)
    ]


def _words_of(x) -> tuple:
    """Return the part of the words of random keys, which are further axes, that is on a device: all of them."""
    return (slice(None),) * len(x.dtype._impl.key_shape) if isinstance(x.dtype, dtypes.ExtendedDType) else ()


def _part(x: ShardedArray, values, device) -> ShardedArray:
    where = SingleDeviceSharding(device, memory_kind=x.place.memory_kind)
    return place(values, x.aval.update(shape=values.shape, memory_space=None), where)


def _global_shards(x) -> list[Shard]:
    """Return the parts of the array, those of other processes without their values."""
    known = _placed(x, "global_shards attribute")
    found = {s.device: s for s in _shards(x)}
    if type(known) is not ShardedArray:
        return list(found.values())
    return [found.get(d) or Shard(d, index, copy, None) for d, index, copy in parts_of(known.place, known.shape)]


def _addressable_data(x, index: int):
    """Return the part of the array on one of its devices.

    Args:
      index: the number of the part among those of this process; where each device has the whole, that of any is the
        first device's.
    """
    return _shards(x)[0 if x.is_fully_replicated else index].data


def _deepcopy(x, memo):
    return _copy(x)


def _gone(name: str, instead: str):
    """Return a property that arrays had once."""

    def member(x):
        raise AttributeError(f"arr.{name} has been deprecated. Use {instead}")

    return property(member, doc=f"Raise an error: it has been deprecated. Use {instead}.")


def _numpy_dtype(x):
    warn(
        "Implicit conversion of an array to a dtype is deprecated; rather than dtype=arr use dtype=arr.dtype. "
        "In the future this will result in an error.",
        DeprecationWarning,
    )
    return x.dtype


def _is_on_accelerator(x) -> bool:
    """Return whether another library that asks for the memory of the array is to get that of an accelerator."""
    return here.plugin is not None and type(x) in (ArrayImpl, Pending)


def _cuda_array_interface(x):
    if _is_on_accelerator(x):
        return here.plugin.exchange.cuda_interface(x)
    raise AttributeError("__cuda_array_interface__ is only defined for GPU buffers.")


def _dlpack(x, *, stream=None, max_version=None, dl_device=None, copy=None):
    if _is_on_accelerator(x) and (dl_device is None or dl_device[0] != 1):
        return here.plugin.exchange.lent(x, stream)
    value = _known(x, "__dlpack__() method")
    if dl_device is not None and dl_device[0] != 1:
        raise BufferError(
            message(
                f"The array is in the memory of the CPU, device (1, 0) of DLPack; {tuple(dl_device)} was asked for.",
                why="DLPack lends memory where it is.",
                fix="torch.from_dlpack(x).to('cuda'), or what another library calls these two steps",
            )
        )
    if max_version is None:
        # Consumers of this old protocol cannot be told that the memory is read-only.
        buffer = x._buffer
        value = buffer if isinstance(buffer, np.ndarray) and buffer.flags.writeable else value.copy()
    options = dict(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)
    return lent(value, options) if is_narrow(value.dtype) else value.__dlpack__(**options)


def _traceback(x):
    """Return None: arrays do not keep where they were made."""
    if not isinstance(x, ArrayImpl):
        raise ConcretizationTypeError(x, "The traceback attribute was asked of a traced array.")


MEMBERS = {
    "__bool__": _bool,
    "__float__": lambda x: _scalar(x, float),
    "__int__": lambda x: _scalar(x, int),
    "__complex__": lambda x: _scalar(x, complex),
    "__index__": _index,
    "__hex__": lambda x: hex(_index(x)),
    "__oct__": lambda x: oct(_index(x)),
    "__len__": _len,
    "__array__": _array,
    "__bytes__": _bytes,
    "__buffer__": _buffer,
    "__array_priority__": 100,
    "__format__": _format,
    "__setitem__": _setitem,
    "__repr__": _repr,
    "__str__": _str,
    "__copy__": _copy,
    "__reduce__": _reduce,
    "__deepcopy__": _deepcopy,
    "__cuda_array_interface__": property(_cuda_array_interface),
    "__numpy_dtype__": property(_numpy_dtype),
    "device_buffer": _gone("device_buffer", "arr.addressable_data(0)"),
    "device_buffers": _gone("device_buffers", "[x.data for x in arr.addressable_shards]"),
    "__dlpack__": _dlpack,
    "__dlpack_device__": lambda x: here.plugin.exchange.device_of(x) if _is_on_accelerator(x) else (1, 0),
    "item": _item,
    "tolist": _tolist,
    "tobytes": _tobytes,
    "itemsize": property(lambda x: x.dtype.itemsize, doc="Return the number of bytes of an element."),
    "nbytes": property(lambda x: x.size * x.dtype.itemsize, doc="Return the number of bytes of all elements."),
    "devices": _devices,
    "device": _only_concrete("device", _device),
    "sharding": _only_concrete("sharding", _sharding),
    "format": _only_concrete("format", _format_of),
    "committed": property(_committed),
    "_committed": property(_committed),  # by which tests and libraries ask, from before it was public
    "platform": _only_concrete("platform", _platform),
    "block_until_ready": _block_until_ready,
    "copy_to_host_async": _only_concrete("copy_to_host_async", _begin_copy),
    "is_ready": _only_concrete("is_ready", _readiness),
    "delete": _delete,
    "is_deleted": _is_deleted,
    "on_device_size_in_bytes": _bytes_on_device,
    "unsafe_buffer_pointer": _pointer,
    "clone": _only_concrete("clone", _cloning),
    "addressable_shards": property(_shards),
    "global_shards": property(_global_shards),
    "addressable_data": _addressable_data,
    "is_fully_addressable": property(
        lambda x: _sharding(x).is_fully_addressable, doc="Return whether all parts are on devices of this process."
    ),
    "is_fully_replicated": property(
        lambda x: _sharding(x).is_fully_replicated, doc="Return whether every device has the whole array."
    ),
    "traceback": property(_traceback),
}

for _name, _member in MEMBERS.items():
    setattr(Array, _name, guarded(_member))
