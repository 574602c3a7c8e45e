# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.core import Effect
from adjoint.sharding import Sharding
from collections.abc import Callable
from typing import Any
class DebugEffect(Effect):
    """Something is shown to the user, in no particular order.

    >>> [str(effect) for effect in make_jaxpr(lambda x: debug.print("{}", x))(1.).effects]
    ['Debug']
    """
    ...
class OrderedDebugEffect(Effect):
    """Something is shown to the user, in the order of the program.

    >>> [str(effect) for effect in make_jaxpr(lambda x: debug.print("{}", x, ordered=True))(1.).effects]
    ['OrderedDebug']
    """
    ...
def breakpoint(*, backend: str | None = None, filter_frames: bool = True, num_frames: int | None = None, ordered: bool = False, token: Any = None, **kwargs: Any) -> Any:
    """Stop the running program and ask for commands, with the variables of the calling functions.

    Args:
      backend: "cli", which reads commands from the terminal.
      filter_frames: leave out the frames of this package.
      num_frames: how many frames to keep, from the innermost; default all.
      ordered: stop in the order of the program.
      token: a tree that is returned as it is, to place the stop in the program.
      **kwargs: options of the backend: `stdin` and `stdout`, files that take the place of the terminal, and
        `completekey`, the key that completes a command.
    Returns:
      `token`.
    Raises:
      SystemExit: `q` was entered, or the input has ended.
      TypeError: the backend has no such option.
      ValueError: there is no such backend.

    Commands: `p x`, `l`, `bt`, `u`, `d`, `c`, `q`; `help` lists them, anything else is evaluated.

    >>> import io, sys
    >>> def f(x):
    ...     y = 2 * x
    ...     debug.breakpoint(stdin=io.StringIO("p y\\nc\\n"), stdout=sys.stdout, num_frames=1)
    ...     return y
    >>> f(jnp.float32(3))
    Entering jdb:
    (jdb) Array(6., dtype=float32)
    (jdb) Array(6., dtype=float32)
    """
def callback(callback: Callable[..., None] | None = None, *args: Any, ordered: bool = False, partitioned: bool = False, **kwargs: Any) -> Any:
    """Call a Python function with the values of its arguments, for what it does and not for a result.

    Args:
      callback: a function; without it, a function of the other arguments is returned.
      args, kwargs: its arguments, trees whose arrays are those of the running program.
      ordered: call it in the order of the program.
      partitioned: over several devices, call it for each part.
    Returns:
      None: the function's result is dropped. Without `callback` a function that waits for it.
    Raises:
      TypeError: `callback` is no function, or a leaf of the arguments is no array or number.
    See also: `pure_callback` and `experimental.io_callback`, for results.

    Under `vmap` the function is called for each element, under `grad` in the forward pass.

    >>> seen = []
    >>> jit(lambda x: debug.callback(seen.append, x + 1))(1.)
    >>> seen
    [Array(2., dtype=float32)]
    """
def inspect_array_sharding(value: Any, *, callback: Callable[[Sharding], None]) -> None:
    """Call `callback` with the sharding of each array of a tree; in a program, when it is compiled.

    Args:
      value: a tree of arrays.
      callback: takes a `Sharding`; what it returns is dropped.
    Returns:
      None.
    Raises:
      TypeError: a leaf is no array or number.

    >>> jit(lambda x: debug.inspect_array_sharding(x * 2, callback=print))(1.)
    SingleDeviceSharding(device=CpuDevice(id=0), memory_kind=device)
    """
def log(fmt: str | None = None, *args: Any, ordered: bool = False, partitioned: bool = False, skip_format_check: bool = False, _use_logging: bool = True, **kwargs: Any) -> Any:
    """Write values of a program to the logger of this module, at level INFO, with the place of the call.

    Args:
      fmt: a format as `str.format` takes it; without it, a function of the other arguments is returned.
      args, kwargs: what the format refers to: arrays of the program and anything else.
      ordered: write in the order of the program.
      partitioned: over several devices, write each part.
      skip_format_check: do not check that the arguments are those of the format.
    Returns:
      None; without `fmt` a function that waits for the format.
    Raises:
      IndexError, KeyError: the format refers to an argument that is not there.
      ValueError: an argument is not used by the format.

    >>> jit(lambda x: log("x is {}", x))(1.0)
    """
def print(fmt: str | None = None, *args: Any, ordered: bool = False, partitioned: bool = False, skip_format_check: bool = False, _use_logging: bool = False, **kwargs: Any) -> Any:
    """Print values of a program while it runs.

    Args:
      fmt: a format as `str.format` takes it; without it, a function of the other arguments is returned.
      args, kwargs: what the format refers to: arrays of the program and anything else.
      ordered: print in the order of the program.
      partitioned: over several devices, print each part.
      skip_format_check: do not check that the arguments are those of the format.
    Returns:
      None; without `fmt` a function that waits for the format.
    Raises:
      IndexError, KeyError: the format refers to an argument that is not there.
      ValueError: an argument is not used by the format.
    See also: `log`; `callback`, for any function.

    >>> jit(lambda x: debug.print("x = {x:.2f}, {}", x + 1, x=x))(1.)
    x = 1.00, 2.0
    """
def visualize_array_sharding(arr: Array, **kwargs: Any) -> None:
    """Print which devices hold which part of an array.

    Args:
      arr: an array with one or two axes, or a tracer.
      **kwargs: those of `visualize_sharding`.
    Returns:
      None.
    Raises:
      ValueError: the array has no axis, or more than two.

    >>> visualize_array_sharding(jnp.ones(2))
    ┌──────────┐
    │  CPU 0   │
    └──────────┘
    """
def visualize_sharding(shape: Any, sharding: Sharding, *, use_color: bool = True, scale: float = 1.0, min_width: int = 9, max_width: int = 80, color_map: Any = None) -> None:
    """Print which devices hold which part of an array of one or two axes, the parts in their proportions.

    Args:
      shape: of the array.
      sharding: how it is divided.
      use_color, color_map: accepted; the picture has no colours.
      scale: of the picture; at 1 an array of two axes is ten lines high.
      min_width, max_width: of a part, and of the picture.
    Raises:
      ValueError: the array has another number of axes.

    >>> visualize_sharding((2,), jnp.ones(2).sharding)
    ┌──────────┐
    │  CPU 0   │
    └──────────┘
    """
