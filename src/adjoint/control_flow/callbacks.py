"""Callbacks: primitives that call a Python function of the user while a program runs.

* `debug_callback` and `debug_print` show values: they have no results and no derivative of their own, are
  called once for each element of a batch, and stay wherever they are written.
* `pure_callback` has results and no effect: it may be dropped, and what a batch means is for the user to
  say (`vmap_method`).
* `io_callback` has results and effects: it is called exactly as often as it is written.

A function gets arrays. What it raises inside a program comes out as `JaxRuntimeError`, as from any engine
that runs programs elsewhere; the cause is the user's error.
"""

from __future__ import annotations

import string
import sys
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from ..array.array import ArrayImpl, as_array, make_array
from ..core import dtypes
from ..core.effects import debug_effect, io_effect, ordered_debug_effect, ordered_io_effect
from ..core.messages.errors import JaxRuntimeError, message, shorten
from ..core.messages.frames import is_internal
from ..core.messages.tracebacks import filtered
from ..core.options.config import local
from ..core.primitive import Primitive
from ..core.process.records import NamedTuple
from ..core.trace import current, stage_closed, state
from ..core.tree.tree import tree_flatten, tree_leaves, tree_unflatten
from ..core.types import ShapedArray, aval_of
from ..engines import wait_for_effects
from ..prims.shape import batch_to_front, broadcast_in_dim, concatenate, materialise_batch, squeeze
from ..prims.slicing import slice_
from ..sharding.device import SingleDeviceSharding
from ..transforms.flat import placed_name
from .scan import scan_p

__all__ = [
    "FlatCallback", "FlatDebugCallback", "debug_callback_p", "debug_print_p", "effects_barrier",
    "io_callback", "io_callback_p", "pure_callback", "pure_callback_p", "split_static",
]

# What NumPy warns about by default: the engine evaluates in silence, the user's code does not.
_NUMPY_DEFAULT = dict(divide="warn", over="warn", under="ignore", invalid="warn")


# ---- calling -------------------------------------------------------------------------------------


def _call(api: str, function: Callable, arrays) -> Any:
    """Return the user's function, run on arrays outside of every transformation; what it raises is logged."""
    try:
        with current(state.bottom), np.errstate(**_NUMPY_DEFAULT):
            return function(*arrays)
    except Exception as error:
        import logging

        found = type(error), error, filtered(error.__traceback__)
        logging.getLogger(__name__).error("jax.%s failed", api, exc_info=found)
        raise


def _from_buffer(buffer) -> ArrayImpl:
    """Return an array of what an engine computed; keys are given as their words."""
    if buffer.dtype.names and buffer.dtype != dtypes.float0:
        buffer = np.asarray(buffer, order="C")[..., None].view(np.uint32)
    return make_array(buffer, ShapedArray(buffer.shape, buffer.dtype))


def _call_inside(api: str, function: Callable, buffers) -> Any:
    """Return the same inside a program, given buffers."""
    try:
        return _call(api, function, [_from_buffer(b) for b in buffers])
    except Exception as error:
        raise _failed(error) from error


def _failed(error: Exception) -> JaxRuntimeError:
    """Return the error of a program whose callback raised `error`, with the user's frames of the call and of the
    callback.
    """
    found = traceback.TracebackException.from_exception(error)
    calls = traceback.StackSummary.extract(traceback.walk_stack(sys._getframe(1)))
    frames = [f for f in (*reversed(calls), *found.stack) if not is_internal(f.filename)]
    text = "".join([
        "Traceback (most recent call last):\n", *traceback.StackSummary.from_list(frames).format(),
        *found.format_exception_only(),
    ])
    return JaxRuntimeError(f"INTERNAL: CpuCallback error calling callback: {text.rstrip()}")


def effects_barrier() -> None:
    """Wait until the effects of all programs that were started have happened.

    >>> jit(lambda x: debug.print("x = {}", x))(1.)
    x = 1.0
    >>> effects_barrier()
    """
    wait_for_effects()


# ---- what shows values ---------------------------------------------------------------------------


def _shows(p: Primitive) -> None:
    """The rules that primitives without results share."""

    @p.type
    def _(*_, **__):
        return []

    @p.jvp
    def _(primals, tangents, **params):
        return p.bind(*primals, **params), []

    @p.batch_axis
    def _(axis, args, dims, params):
        for i in range(axis.size):
            p.bind(*[x if d is None else _element(x, d, i) for x, d in zip(args, dims)], **params)
        return [], None


def _element(x, d: int, i: int):
    """Element `i` of a batch along axis `d`."""
    shape = aval_of(x).shape
    start = tuple([i if k == d else 0 for k in range(len(shape))])
    end = tuple([i + 1 if k == d else n for k, n in enumerate(shape)])
    row = slice_(x, start_indices=start, limit_indices=end, strides=(1,) * len(shape))
    return squeeze(row, dimensions=(d,))


debug_callback_p = Primitive("debug_callback", multiple_results=True, program=True)
_shows(debug_callback_p)


class FlatDebugCallback:
    """The user's function of the arrays among its arguments; what is not an array is kept here."""

    __slots__ = ("function", "static", "tree")

    def __init__(self, function: Callable, tree, static: tuple[tuple[int, Any], ...]):
        self.function = function
        self.tree = tree
        self.static = static  # (place among the leaves, value)

    def __call__(self, *arrays):
        args, kwargs = tree_unflatten(self.tree, _merged(arrays, self.static))
        self.function(*args, **kwargs)

    def __repr__(self):
        # JAX parity: the function that jaxprs show, test_debug_callbacks_print_as_in_jax
        name = "debug_callback.<locals>._debug_callback.<locals>._flat_callback"
        return f"<function {name} at {id(self):#x}>"


def _merged(arrays, static) -> list:
    """Return the leaves, in order: arrays, and the static ones at their places."""
    leaves = list(arrays)
    for i, value in static:
        leaves.insert(i, value)
    return leaves


@debug_callback_p.eager
def _(args, params):
    _call("debug.callback", params["callback"], [as_array(x) for x in args])
    return []


@debug_callback_p.evaluate
def _(*buffers, callback, **_):
    _call_inside("debug.callback", callback, buffers)
    return []


@debug_callback_p.effects
def _(params):
    return frozenset((params["effect"],))


debug_print_p = Primitive("debug_print", multiple_results=True, program=True)
_shows(debug_print_p)


def print_flat(
    arrays, fmt, in_tree, static_args, np_printoptions, has_placeholders, logging_record, **_
) -> None:
    """Print, or log, a format with its arguments filled in."""
    text = fmt
    if has_placeholders:
        args, kwargs = tree_unflatten(in_tree, _merged(arrays, static_args))
        with np.printoptions(**dict(np_printoptions)):
            text = string.Formatter().vformat(fmt, args, kwargs)
    if logging_record is None:
        print(text)
    else:
        import logging

        logging_record.msg = text
        logging.getLogger(logging_record.name).handle(logging_record)


@debug_print_p.eager
def _(args, params):
    _call("debug.print", lambda *arrays: print_flat(arrays, **params), [as_array(x) for x in args])
    return []


@debug_print_p.evaluate
def _(*buffers, **params):
    _call_inside("debug.print", lambda *arrays: print_flat(arrays, **params), buffers)
    return []


@debug_print_p.effects
def _(params):
    return frozenset((ordered_debug_effect if params["ordered"] else debug_effect,))


# ---- what has results ----------------------------------------------------------------------------


class FlatCallback(NamedTuple):
    """The user's function on flat lists of arrays."""

    callback_func: Callable
    in_tree: Any

    def __call__(self, *arrays) -> list:
        args, kwargs = tree_unflatten(self.in_tree, arrays)
        return tree_leaves(self.callback_func(*args, **kwargs))


FlatCallback.__name__ = "_FlatCallback"  # JAX parity: as jaxprs show it


def _results(api: str, callback: FlatCallback, buffers, avals) -> list[np.ndarray]:
    """Return what the user's function returns, as buffers of the types that he promised."""
    found = _call_inside(api, callback, buffers)
    called = f"They are those of {placed_name(callback.callback_func)}, which {api} called."
    try:
        if len(found) != len(avals):
            raise RuntimeError(
                message(
                    "Mismatched number of outputs from callback. "
                    f"Expected: {len(avals)}, Actual: {len(found)}",
                    where=None,
                    why=called,
                    fix="result_shape_dtypes with the structure of what the function returns" if found
                    else "a return statement at its end, or result_shape_dtypes=None for a function without results",
                )
            )
        return [_checked(i, x, aval, called) for i, (x, aval) in enumerate(zip(found, avals))]
    except RuntimeError as error:
        raise _failed(error) from error.with_traceback(None)


def _checked(i: int, x, aval: ShapedArray, called: str) -> np.ndarray:
    buffer = np.asarray(x._buffer if isinstance(x, ArrayImpl) else x)
    dtype = dtypes.canonicalize_dtype(buffer.dtype)
    if buffer.shape != aval.shape:
        raise RuntimeError(
            message(
                f"Incorrect output shape for return value #{i}: Expected: {aval.shape}, "
                f"Actual: {buffer.shape}",
                where=None,
                why=called,
                fix=f"ShapeDtypeStruct({buffer.shape}, {dtype.name!r}) in result_shape_dtypes",
            )
        )
    if dtype != aval.dtype:
        raise RuntimeError(
            message(
                f"Incorrect output dtype for return value #{i}: Expected: {aval.dtype}, Actual: {dtype}",
                where=None,
                why=called,
                fix=f"return np.asarray(x, {aval.dtype.name!r}), or promise {dtype.name!r}",
            )
        )
    return buffer.astype(dtype, copy=True)  # the user may write to his array later


def _promised(result_shape_dtypes) -> tuple[list[ShapedArray], Any]:
    """Return the types of the results, and their structure."""
    leaves, tree = tree_flatten(result_shape_dtypes)
    for x in leaves:
        if not hasattr(x, "dtype") or not hasattr(x, "shape"):
            missing = "shape" if hasattr(x, "dtype") else "dtype"
            raise AttributeError(
                message(
                    f"{type(x).__name__!r} object has no attribute {missing!r}",
                    why=f"result_shape_dtypes says the shape and dtype of each result; got {shorten(x)} there.",
                    fix="jax.ShapeDtypeStruct(shape, dtype)",
                )
            )
    wide = [np.dtype(x.dtype) for x in leaves if not dtypes.issubdtype(x.dtype, dtypes.extended)]
    if not local.enable_x64 and any(dtypes.canonicalize_dtype(d) != d for d in wide):
        raise ValueError(
            message(
                "result_shape_dtypes cannot specify 64-bit types when `jax_enable_x64` is disabled",
                why=f"Got {', '.join([d.name for d in wide])}.",
                fix='jax.ShapeDtypeStruct(shape, "float32"), or jax.config.update("jax_enable_x64", True)',
            )
        )
    return [ShapedArray(tuple(x.shape), x.dtype) for x in leaves], tree


def _check_place(sharding: Any) -> None:
    if sharding is not None and not isinstance(sharding, SingleDeviceSharding):
        raise NotImplementedError(
            message(
                f"pure_callback only supports SingleDeviceSharding, but got {type(sharding)}",
                why="One device calls the function, for all.",
                fix="SingleDeviceSharding(jax.devices()[0])",
            )
        )


def _operands(api: str, args, kwargs) -> tuple[list, Any]:
    leaves, tree = tree_flatten((args, kwargs))
    for i, x in enumerate(leaves):
        try:
            aval_of(x)
        except TypeError:
            raise TypeError(
                message(
                    f"Error interpreting argument to {api} as a JAX value. The problematic value is of type "
                    f"{type(x)} and was passed to {api} at position {i}.",
                    why="A callback's arguments are computed by the program, so they are arrays.",
                    fix=f"functools.partial(callback, {x!r:.40}) for what is known now",
                )
            ) from None
    return leaves, tree


pure_callback_p = Primitive("pure_callback", multiple_results=True, program=True)


@pure_callback_p.type
def _(*_, result_avals, **__):
    return list(result_avals)


@pure_callback_p.evaluate
def _(*buffers, callback, result_avals, **_):
    return _results("pure_callback", callback, buffers, result_avals)


@pure_callback_p.jvp
def _(*_, **__):
    raise ValueError(
        message(
            "Pure callbacks do not support JVP. Please use `jax.custom_jvp` to use callbacks while taking "
            "gradients.",
            why="The function is Python code; its derivative is not known.",
            fix="@jax.custom_jvp around the function that calls pure_callback, with a rule",
        )
    )


@pure_callback_p.batch_axis
def _(axis, args, dims, params):
    def whole(lined):
        avals = tuple([a.update(shape=(axis.size, *a.shape)) for a in params["result_avals"]])
        return {**params, "result_avals": avals}

    return batch_by_method(pure_callback_p, axis, args, dims, params, whole)


def batch_by_method(p, axis, args, dims, params, whole):
    """Return the batch of a call as its parameter `vmap_method` says; `whole` gives the parameters for all at once."""
    method = params["vmap_method"]
    if method in ("sequential", "sequential_unrolled"):
        return _one_by_one(p, axis, args, dims, params, method == "sequential_unrolled")
    if method is None:
        raise NotImplementedError(
            message(
                f"vmap is only supported for the {p} primitive when vmap_method is one of "
                "'sequential', 'sequential_unrolled', 'expand_dims', 'broadcast_all', or "
                "'legacy_vectorized'. Got vmap_method=None.",
                fix=f"{p}(..., vmap_method='sequential') for a function of one element;\n"
                "'broadcast_all' for one that takes a batch along the first axis",
            )
        )
    if method == "expand_dims":
        lined = [_expanded(x) if d is None else batch_to_front(x, d) for x, d in zip(args, dims)]
    elif method == "broadcast_all":
        lined = [materialise_batch(x, d, axis.size) for x, d in zip(args, dims)]
    else:
        lined = [x if d is None else batch_to_front(x, d) for x, d in zip(args, dims)]
    return p.bind(*lined, **whole(lined)), 0


def _expanded(x):
    """Return `x` with an axis of length 1 in front."""
    shape = aval_of(x).shape
    axes = tuple(range(1, len(shape) + 1))
    return broadcast_in_dim(x, shape=(1, *shape), broadcast_dimensions=axes, sharding=None)


def _one_by_one(p, axis, args, dims, params, unroll: bool):
    """Return a callback for each element of a batch, as a loop."""
    if local.disable_jit:
        return _in_python(p, axis.size, args, dims, params)
    fixed = [i for i, d in enumerate(dims) if d is None and not np.isscalar(args[i])]
    moving = [i for i, d in enumerate(dims) if d is not None]
    place = {i: k for k, i in enumerate(fixed + moving)}
    rows = [batch_to_front(args[i], dims[i]) for i in moving]
    avals = [aval_of(args[i]).strip_weak_type() for i in fixed]
    avals += [ShapedArray(aval_of(x).shape[1:], aval_of(x).dtype) for x in rows]
    operand = lambda i, xs: xs[place[i]] if i in place else args[i]
    body = stage_closed(lambda *xs: p.bind(*[operand(i, xs) for i in range(len(args))], **params), avals)
    outs = scan_p.bind(
        *[args[i] for i in fixed], *rows, jaxpr=body, length=axis.size, num_carry=0,
        num_consts=len(fixed), reverse=False, unroll=axis.size if unroll else 1,
    )
    return outs, 0


def _in_python(p, size: int, args, dims, params):
    """Return a callback for each element, as equations of its own."""
    rows = [x if d is None else batch_to_front(x, d) for x, d in zip(args, dims)]
    turns = []
    for i in range(size):
        row = [x if d is None else _row(x, i) for x, d in zip(rows, dims)]
        turns.append(p.bind(*row, **params))
    return [concatenate(*map(_expanded, ys), dimension=0) for ys in zip(*turns)], 0


def _row(x, i: int):
    inner = aval_of(x).shape[1:]
    starts, limits = (i, *[0] * len(inner)), (i + 1, *inner)
    row = slice_(x, start_indices=starts, limit_indices=limits, strides=(1,) * len(limits))
    return squeeze(row, dimensions=(0,))


io_callback_p = Primitive("io_callback", multiple_results=True, program=True)
io_callback_p.type_rule = pure_callback_p.type_rule
for _p in (debug_callback_p, debug_print_p, pure_callback_p, io_callback_p):
    _p.calls_python = True


@io_callback_p.evaluate
def _(*buffers, callback, result_avals, **_):
    return _results("io_callback", callback, buffers, result_avals)


@io_callback_p.jvp
def _(*_, **__):
    raise ValueError(
        message(
            "IO callbacks do not support JVP.",
            why="The function is Python code; its derivative is not known.",
            fix="jax.lax.stop_gradient(x) for its arguments, or jax.custom_jvp around the call",
        )
    )


@io_callback_p.batch_axis
def _(axis, args, dims, params):
    is_one_device = axis.size == 1 and axis.name is not None  # of a shard_map
    if params["ordered"] and not is_one_device:
        raise ValueError(
            message(
                "Cannot `vmap` ordered IO callback.",
                why="The elements of a batch have no order in which to run.",
                fix="io_callback(..., ordered=False), or lax.map for vmap",
            )
        )
    return _one_by_one(io_callback_p, axis, args, dims, params, False)


@io_callback_p.effects
def _(params):
    return frozenset((ordered_io_effect if params["ordered"] else io_effect,))


# ---- what users call -----------------------------------------------------------------------------

METHODS = ("sequential", "sequential_unrolled", "expand_dims", "broadcast_all", "legacy_vectorized", None)


def pure_callback(
    callback: Callable[..., Any], result_shape_dtypes: Any, *args: Any, sharding: Any = None,
    vmap_method: str | None = None, **kwargs: Any,
) -> Any:
    """Call a Python function without side effects from inside a program.

    Args:
      callback: a function of arrays; returns arrays, NumPy arrays or scalars.
      result_shape_dtypes: a tree of `ShapeDtypeStruct`s, or arrays, that says what it returns.
      args, kwargs: arrays, or trees of them.
      sharding: the device that calls it, for programs over several.
      vmap_method: what `vmap` does. "sequential": call it for each element; "sequential_unrolled":
        the same, without a loop; "expand_dims": call it once, with the batch axis in front, of length 1 on
        arguments that are not mapped; "broadcast_all": the same, with the full length on all;
        "legacy_vectorized": the same, without the axis on arguments that are not mapped.
    Returns:
      What the function returns, with the structure of `result_shape_dtypes`.
    Raises:
      JaxRuntimeError: the function raised an error, or returned something else than promised.
      ValueError: the call is differentiated, or `vmap_method` is none of the above.

    The function may be called any number of times, or never if its result is not needed.

    >>> struct = ShapeDtypeStruct((), "float32")
    >>> jit(lambda x: pure_callback(lambda x: np.sin(x), struct, x))(0.)
    Array(0., dtype=float32)
    """
    if vmap_method not in METHODS:
        raise ValueError(
            f"vmap_method must be on of the allowed methods {list(METHODS)}, but got: {vmap_method}"
        )
    avals, out_tree = _promised(result_shape_dtypes)
    leaves, in_tree = _operands("pure_callback", args, kwargs)
    _check_place(sharding)
    outs = pure_callback_p.bind(
        *leaves, callback=FlatCallback(callback, in_tree), result_avals=tuple(avals), sharding=sharding,
        vmap_method=vmap_method,
    )
    return tree_unflatten(out_tree, outs)


def io_callback(
    callback: Callable[..., Any], result_shape_dtypes: Any, *args: Any, sharding: Any = None,
    ordered: bool = False, **kwargs: Any,
) -> Any:
    """Call a Python function with side effects from inside a program.

    Args:
      callback: a function of arrays; returns arrays, NumPy arrays or scalars.
      result_shape_dtypes: a tree of `ShapeDtypeStruct`s, or arrays, that says what it returns; None if
        it returns nothing.
      args, kwargs: arrays, or trees of them.
      sharding: the device that calls it, for programs over several.
      ordered: call it in the order of the program.
    Returns:
      What `result_shape_dtypes` says, as arrays; None if the function returns nothing.
    Raises:
      JaxRuntimeError: the function raised an error, or returned something else than promised.
      ValueError: the call is differentiated, or is ordered and mapped.

    >>> seen = []
    >>> jit(lambda x: experimental.io_callback(seen.append, None, x))(1.)
    >>> seen
    [Array(1., dtype=float32)]
    """
    avals, out_tree = _promised(result_shape_dtypes)
    leaves, in_tree = _operands("io_callback", args, kwargs)
    _check_place(sharding)
    outs = io_callback_p.bind(
        *leaves, callback=FlatCallback(callback, in_tree), result_avals=tuple(avals), sharding=sharding,
        ordered=ordered,
    )
    return tree_unflatten(out_tree, outs)


def split_static(args: tuple, kwargs: dict) -> tuple[list, Any, tuple[tuple[int, Any], ...]]:
    """Return (arrays, structure of all leaves, the leaves that are no arrays with their places)."""
    leaves, tree = tree_flatten((args, kwargs))
    arrays, static = [], []
    for i, x in enumerate(leaves):
        try:
            aval_of(x)
        except (TypeError, OverflowError):
            static.append((i, x))
        else:
            arrays.append(x)
    return arrays, tree, tuple(static)
