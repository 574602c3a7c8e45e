"""Callbacks that write their results into memory, as `jax.experimental.buffer_callback`.

Where `pure_callback` takes what a function returns, here the function is given memory for the results, and writes them.

Tests: `tests/experimental/test_buffer_callback.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np

from ..control_flow.callbacks import io_callback, pure_callback
from ..core.messages.boundaries import public
from ..core.messages.errors import message
from ..core.tree.tree import tree_flatten, tree_leaves, tree_unflatten
from ..core.types import ShapedArray, aval_of

__all__ = ["Buffer", "ExecutionContext", "ExecutionStage", "buffer_callback"]


class ExecutionStage(Enum):
    """The stages of a program's life; callbacks are called in the last.

    >>> from adjoint.experimental.buffer_callback import ExecutionContext, ExecutionStage
    >>> ExecutionContext().stage == ExecutionStage.EXECUTE
    True
    """

    INSTANTIATE = 0
    PREPARE = 1
    INITIALIZE = 2
    EXECUTE = 3

    def __repr__(self):
        return str(self)


class ExecutionContext:
    """The circumstances of a call.

    Made by `buffer_callback`, whose function gets one as its first argument.

    >>> from adjoint.experimental.buffer_callback import buffer_callback
    >>> def fill(context, out):
    ...     print(context.stage)
    ...     np.asarray(out)[...] = 1
    >>> buffer_callback(fill, ShapeDtypeStruct((2,), jnp.float32))()
    ExecutionStage.EXECUTE
    Array([1., 1.], dtype=float32)
    """

    stage = ExecutionStage.EXECUTE

    @property
    def stream(self) -> int:
        """Raise an error: only GPUs have streams."""
        raise RuntimeError("XLA FFI GPU context is not available: the callback runs on a CPU.")


class Buffer:
    """Memory of an array; `np.asarray(buffer)` and `from_dlpack` share it.

    Made by `buffer_callback`, whose function gets one for each operand and result.

    >>> from adjoint.experimental.buffer_callback import buffer_callback
    >>> def double(context, out, x):
    ...     np.asarray(out)[...] = 2 * np.asarray(x)
    >>> buffer_callback(double, ShapeDtypeStruct((2,), jnp.float32))(jnp.ones(2))
    Array([2., 2.], dtype=float32)
    """

    def __init__(self, array: np.ndarray):
        self._array = array

    shape = property(lambda self: self._array.shape)
    dtype = property(lambda self: self._array.dtype)
    ndim = property(lambda self: self._array.ndim)
    writeable = property(lambda self: self._array.flags.writeable)

    def __array__(self, dtype=None, copy: bool | None = None) -> np.ndarray:
        if dtype is not None and dtype != self.dtype or copy:
            return np.array(self._array, dtype)
        return self._array

    def __dlpack__(self, **options):
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._array.__dlpack_device__()


def buffer_callback(
    callback: Callable[..., None], result_shape_dtypes: Any, *, has_side_effect: bool = False,
    vmap_method: str | None = None, input_output_aliases: dict[int, int] | None = None,
    command_buffer_compatible: bool = False,
) -> Callable:
    """Return a function that calls another with memory for its results.

    Args:
      callback: (context, results, *args, **kwargs) -> None; arrays in its arguments are `Buffer`s, and it writes into
        those of the results.
      result_shape_dtypes: a tree of `ShapeDtypeStruct`s, or arrays, of the results.
      has_side_effect: whether it must be called as often as it is written, as `io_callback` does.
      vmap_method: as of `pure_callback`.
      input_output_aliases: for the position of an argument that of the result that begins with its values.
      command_buffer_compatible: for GPUs, where calls may be recorded.

    Raises:
      ValueError: an argument and the result that begins with its values are of different types, or not there.
      JaxRuntimeError: the function raised an error, or returned something.

    >>> from adjoint.experimental.buffer_callback import buffer_callback
    >>> def double(context, out, x):
    ...     np.asarray(out)[...] = 2 * np.asarray(x)
    >>> buffer_callback(double, ShapeDtypeStruct((2,), "float32"))(jnp.ones(2))
    Array([2., 2.], dtype=float32)
    """
    structs, out_tree = tree_flatten(result_shape_dtypes)
    aliases = {out: given for given, out in (input_output_aliases or {}).items()}

    def call(*args, **kwargs):
        avals = [aval_of(x) for x in tree_leaves((args, kwargs))]
        _check_aliases(input_output_aliases or {}, avals, structs)
        ndims = [a.ndim for a in avals]

        def run(*arrays, **named):
            leaves, tree = tree_flatten((arrays, named))
            given = [np.asarray(x) for x in leaves]
            lead = np.broadcast_shapes(*[x.shape[: x.ndim - n] for x, n in zip(given, ndims)])
            outs = [
                np.array(np.broadcast_to(given[aliases[i]], lead + tuple(s.shape)), s.dtype) if i in aliases
                else np.zeros(lead + tuple(s.shape), s.dtype) for i, s in enumerate(structs)
            ]
            shared = {given: outs[out] for out, given in aliases.items()}
            buffers = []
            for i, x in enumerate(given):
                view = shared.get(i, x).view()
                view.flags.writeable = False
                buffers.append(Buffer(view))
            own_args, own_kwargs = tree_unflatten(tree, buffers)
            results = tree_unflatten(out_tree, list(map(Buffer, outs)))
            returned = callback(ExecutionContext(), results, *own_args, **own_kwargs)
            if returned is not None:
                raise TypeError(f"buffer_callback: the function must return None, and returned {type(returned)}")
            return tree_unflatten(out_tree, outs)

        if has_side_effect:
            return io_callback(run, result_shape_dtypes, *args, **kwargs)
        return pure_callback(run, result_shape_dtypes, *args, vmap_method=vmap_method, **kwargs)

    return call


def _check_aliases(aliases: dict[int, int], avals, structs) -> None:
    """ValueError if an argument or a result that is named is not there, or if the two are of other types."""
    for given, out in aliases.items():
        pair = f"input_output_aliases contains the mapping '{given}:{out}'"
        for kind, i, n in (("input", given, len(avals)), ("output", out, len(structs))):
            if not -n <= i < n:
                raise ValueError(
                    message(
                        f"{pair} with {kind} index {i} outside the range [0, {n}).",
                        why="An alias is the position of an argument, and that of the result that begins with its "
                        "values.",
                        fix=f"an index below {n}, counted over the leaves of a tree",
                    )
                )
        own = ShapedArray(avals[given].shape, avals[given].dtype)
        result = ShapedArray(tuple(structs[out].shape), structs[out].dtype)
        if own != result:
            raise ValueError(
                message(
                    f"{pair} referring to an input with abstract value {own.str_short()} and an output with a "
                    f"different abstract value {result.str_short()}.",
                    why="The result has the memory of the argument.",
                    fix=f"ShapeDtypeStruct({own.shape}, {own.dtype.name!r}) for the result, or another argument",
                )
            )


public(globals())
