"""Looking into programs that run: `print`, `callback`, `log`, `breakpoint`.

These work inside `jit`, `vmap`, `grad` and loops, where Python's `print` would show a tracer once.
"""

from __future__ import annotations

import inspect
import logging
import string
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ..control_flow.callbacks import (
    FlatDebugCallback,
    debug_callback_p,
    debug_print_p,
    pure_callback,
    split_static,
)
from ..core.effects import DebugEffect, OrderedDebugEffect, debug_effect, ordered_debug_effect
from ..core.messages.boundaries import public
from ..core.messages.errors import closest, message
from ..core.messages.frames import is_internal
from ..core.options.logs import logger
from ..core.trace import Tracer
from ..core.tree.tree import tree_flatten, tree_unflatten
from ..core.types import Array, aval_of
from ..prims.conversion import stop_gradient
from .prompt import Frame, debugger
from .shardings import inspect_array_sharding, visualize_array_sharding, visualize_sharding

__all__ = [
    "DebugEffect", "OrderedDebugEffect", "breakpoint", "callback", "inspect_array_sharding", "log", "print",
    "visualize_array_sharding", "visualize_sharding",
]


def callback(
    callback: Callable[..., None] | None = None, *args: Any, ordered: bool = False,
    partitioned: bool = False, **kwargs: Any,
) -> Any:
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
    options = dict(effect=ordered_debug_effect if ordered else debug_effect, partitioned=partitioned)
    if callback is None:
        return lambda callback, *args, **kwargs: _call_back(callback, args, kwargs, options)
    return _call_back(callback, args, kwargs, options)


def _call_back(callback: Callable[..., None], args: tuple, kwargs: dict, options: dict) -> None:
    if not callable(callback):
        raise TypeError(
            f"first argument to jax.debug.callback must be callable, but got an object of type {type(callback)}")
    arrays, tree, static = split_static(args, kwargs)
    debug_callback_p.bind(*arrays, callback=FlatDebugCallback(callback, tree, static), **options)


# ---- print ---------------------------------------------------------------------------------------


class _Checker(string.Formatter):
    """Formats nothing; finds arguments that are missing and arguments that are not used."""

    def check_unused_args(self, used_args, args, kwargs):
        unused = [arg for i, arg in enumerate(args) if i not in used_args]
        if unused:
            raise ValueError(
                message(
                    f"Unused positional arguments to `jax.debug.print`: {unused}",
                    fix="one {} in the format for each argument",
                )
            )
        unused = [k for k in kwargs if k not in used_args]
        if unused:
            raise ValueError(
                message(
                    f"Unused keyword arguments to `jax.debug.print`: {unused}. You may be passing an "
                    'f-string (i.e, `f"{x}"`) into `jax.debug.print` and instead should pass in a regular '
                    "string.",
                    fix='debug.print("{x}", x=x)',
                )
            )

    def get_value(self, key, args, kwargs):
        if isinstance(key, int) and key >= len(args):
            raise IndexError(
                message(
                    "tuple index out of range",
                    why=f"The format refers to {key + 1} arguments by position, got {len(args)}.",
                    fix="one argument for each {}, or {{ and }} for braces that are printed",
                )
            )
        if isinstance(key, str) and key not in kwargs:
            error, names = KeyError(key), ", ".join(kwargs)
            error.add_note(
                message(
                    f"debug.print got no argument {key!r}, which the format refers to.",
                    why=f"The arguments by name are {names}." if names else "No argument was given by name.",
                    fix=f"{{{closest(key, kwargs) or next(iter(kwargs))}}} in the format" if names
                    else f"debug.print(..., {key}={key})",
                )
            )
            raise error
        return super().get_value(key, args, kwargs)

    def format_field(self, value, format_spec):
        return ""

    def convert_field(self, value, conversion):
        return ""


_checker = _Checker()


def print(
    fmt: str | None = None, *args: Any, ordered: bool = False, partitioned: bool = False,
    skip_format_check: bool = False, _use_logging: bool = False, **kwargs: Any,
) -> Any:
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
    options = dict(ordered=ordered, partitioned=partitioned)
    if fmt is None:
        return lambda fmt, *args, **kwargs: _print(fmt, args, kwargs, skip_format_check, _use_logging, options)
    return _print(fmt, args, kwargs, skip_format_check, _use_logging, options)


def _print(fmt: str, args: tuple, kwargs: dict, unchecked: bool, to_log: bool, options: dict) -> None:
    if not isinstance(fmt, str):
        raise TypeError(message(f"expected str, got {type(fmt).__name__}", fix='debug.print("{}", x)'))
    if not unchecked:
        _checker.vformat(fmt, args, kwargs)
    arrays, tree, static = split_static(args, kwargs)
    debug_print_p.bind(
        *arrays, fmt=fmt, in_tree=tree, static_args=static, np_printoptions=tuple(np.get_printoptions().items()),
        has_placeholders=bool(args or kwargs), logging_record=_record() if to_log else None, **options,
    )


def log(
    fmt: str | None = None, *args: Any, ordered: bool = False, partitioned: bool = False,
    skip_format_check: bool = False, _use_logging: bool = True, **kwargs: Any,
) -> Any:
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
    return print(
        fmt, *args, ordered=ordered, partitioned=partitioned, skip_format_check=skip_format_check,
        _use_logging=_use_logging, **kwargs,
    )


def _frames(only_users: bool = True) -> list:
    """Return the frames that called into this module, from the innermost outwards."""
    found, frame = [], sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if file != __file__ and not (only_users and is_internal(file)):
            found.append(frame)
        frame = frame.f_back
    return found


def _record() -> logging.LogRecord:
    """Return a record with the user's place; the text comes when the program runs."""
    frame = _frames()[0]
    log = logger(__name__, "jax._src.debugging")
    return log.makeRecord(
        log.name, logging.INFO, frame.f_code.co_filename, frame.f_lineno, "", (), None,
        frame.f_code.co_name,
    )


# ---- breakpoint ----------------------------------------------------------------------------------

_AN_ARRAY = object()    # stands for an operand of a stop among the variables


def breakpoint(
    *, backend: str | None = None, filter_frames: bool = True, num_frames: int | None = None,
    ordered: bool = False, token: Any = None, **kwargs: Any,
) -> Any:
    r"""Stop the running program and ask for commands, with the variables of the calling functions.

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
    ...     debug.breakpoint(stdin=io.StringIO("p y\nc\n"), stdout=sys.stdout, num_frames=1)
    ...     return y
    >>> f(jnp.float32(3))
    Entering jdb:
    (jdb) Array(6., dtype=float32)
    (jdb) Array(6., dtype=float32)
    """
    ask = debugger(backend)
    signature = inspect.signature(ask)
    try:
        signature.bind([], None, **kwargs)
    except TypeError as error:
        options = ", ".join(list(signature.parameters)[2:])
        raise TypeError(
            message(f"breakpoint() {error}", why=f"The backend has the options {options}.", fix="debug.breakpoint()")
        ) from None
    frames = _frames(filter_frames)[:num_frames]
    kept = [Frame.of(f) for f in frames]
    values, own_tree = tree_flatten([_own_variables(f) for f in frames])
    arrays = [x for x in values if isinstance(x, Array)]
    rest = [_AN_ARRAY if isinstance(x, Array) else x for x in values]   # they are shown as they are

    def stop(*arrays):
        left = iter(arrays)
        variables = tree_unflatten(own_tree, [next(left) if x is _AN_ARRAY else x for x in rest])
        ask([frame._replace(locals=names) for frame, names in zip(kept, variables)], None, **kwargs)

    if token is None:
        callback(stop, *arrays, ordered=ordered)
        return None
    leaves, tree = tree_flatten(token)

    def stop_between(token_leaves, *arrays):
        stop(*arrays)
        return token_leaves

    # What the program reads from the result comes after the stop.
    types = [aval_of(x) for x in leaves]
    given = [stop_gradient(x) for x in arrays]
    passed = pure_callback(stop_between, types, [stop_gradient(x) for x in leaves], *given)
    return tree_unflatten(tree, passed)


def _own_variables(frame) -> dict[str, Any]:
    """Return the variables of a frame; those of a module are its globals, which are there anyway."""
    if frame.f_locals is frame.f_globals:
        return {}
    return {k: v for k, v in frame.f_locals.items() if not (isinstance(v, Tracer) and not v._trace.active)}

public(globals())
