# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from enum import Enum
from typing import Any
class Buffer:
    """Memory of an array; `np.asarray(buffer)` and `from_dlpack` share it.

    Made by `buffer_callback`, whose function gets one for each operand and result.

    >>> from adjoint.experimental.buffer_callback import buffer_callback
    >>> def double(context, out, x):
    ...     np.asarray(out)[...] = 2 * np.asarray(x)
    >>> buffer_callback(double, ShapeDtypeStruct((2,), jnp.float32))(jnp.ones(2))
    Array([2., 2.], dtype=float32)
    """
    def __init__(self, array: Any) -> None: ...
    @property
    def shape(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...
    @property
    def ndim(self) -> Any: ...
    @property
    def writeable(self) -> Any: ...
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
    stage: Any
    @property
    def stream(self) -> int:
        """Raise an error: only GPUs have streams."""
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
def buffer_callback(callback: Callable[..., None], result_shape_dtypes: Any, *, has_side_effect: bool = False, vmap_method: str | None = None, input_output_aliases: dict[int, int] | None = None, command_buffer_compatible: bool = False) -> Callable[..., Any]:
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
