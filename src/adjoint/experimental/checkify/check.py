"""`check`: a condition that is looked at while a program runs, and the other functions by which users write checks.

Tests: `tests/experimental/test_checkify.py`.
"""

from __future__ import annotations

import numpy as np

from ...core.messages.frames import user_code
from ...core.trace import state
from ...core.tree.tree import tree_leaves
from ...core.types import Array
from ...prims.logic import not_
from .errors import Error, bound, init_error
from .exceptions import FailedCheckError

__all__ = ["check", "check_error", "debug_check"]


def check(pred, msg: str, *fmt_args, debug: bool = False, **fmt_kwargs) -> None:
    """Say that a condition must hold while the program runs.

    Called on arrays it raises an error where the condition does not hold. Inside of `jit` and the like the whole
    function must be transformed by `checkify`, which gives the error as a value.

    Args:
      pred: a scalar boolean.
      msg: the text of the error, a format string.
      fmt_args: arrays, or trees of them, that the text names by `{}`.
      debug: leave the check out of programs that `checkify` does not transform.
      fmt_kwargs: arrays, or trees of them, that the text names by `{name}`.

    Raises:
      TypeError: the condition is no scalar boolean, or what is to be formatted is no array.
      ValueError: the check is in a program that is compiled without `checkify`.
      JaxRuntimeError: the condition does not hold.

    >>> from adjoint.experimental import checkify
    >>> def f(x):
    ...     checkify.check(x != 0, "cannot divide by {}", x)
    ...     return 1 / x
    >>> error, out = jit(checkify.checkify(f))(0.)
    >>> error.get()
    'cannot divide by 0.0 (`check` failed)'
    """
    _check(pred, msg, debug, *fmt_args, **fmt_kwargs)


def debug_check(pred, msg: str, *fmt_args, **fmt_kwargs) -> None:
    """Say that a condition should hold, which only programs that `checkify` transforms look at.

    Args:
      pred: a boolean scalar or array, all of which should be true.
      msg: what the error says, a format for the other arguments.
      *fmt_args, **fmt_kwargs: arrays that the message refers to.
    Returns:
      None.
    Raises:
      TypeError: the condition is no array, or what is to be formatted is none.

    >>> from adjoint.experimental import checkify
    >>> def f(x):
    ...     checkify.debug_check(x != 0, "cannot divide by {}", x)
    ...     return 1 / x
    >>> jit(f)(0.)
    Array(inf, dtype=float32, weak_type=True)
    >>> checkify.checkify(f)(jnp.array(0.))[0].get()
    'cannot divide by 0.0 (`check` failed)'
    """
    _check(pred, msg, True, *fmt_args, **fmt_kwargs)


def _check(pred, msg, debug, *fmt_args, **fmt_kwargs) -> None:
    if type(pred) is not bool and not (isinstance(pred, (Array, np.ndarray)) and not pred.shape and pred.dtype == bool):
        raise TypeError(f"check takes a scalar pred as argument, got {pred}")
    for x in tree_leaves((fmt_args, fmt_kwargs)):
        if not isinstance(x, (Array, np.ndarray)):
            raise TypeError(
                f"Formatting arguments to checkify.check need to be PyTrees of arrays, but got {x!r} of type {type(x)}."
            )
    fails = (not pred) if type(pred) is bool else not_(pred)
    exception = FailedCheckError(state.source or user_code(), msg, *fmt_args, **fmt_kwargs)
    bound(init_error.found(fails, exception), debug)



def check_error(error: Error) -> None:
    """Raise an error that `checkify` gave; inside of a function that is checked, add it to that function's error.

    Args:
      error: what a function transformed by `checkify` returned.

    Raises:
      TypeError: what is given is no `Error`.
      ValueError: it is in a program that is compiled without `checkify`.
      JaxRuntimeError: a check failed.

    >>> from adjoint.experimental import checkify
    >>> def f(x):
    ...     error, out = checkify.checkify(lambda x: 1 / x, errors=checkify.div_checks)(x)
    ...     checkify.check_error(error)
    ...     return out
    >>> error, out = checkify.checkify(jit(f), errors=checkify.all_checks)(0.)
    >>> error.get()
    'division by zero'
    """
    if not isinstance(error, Error):
        raise TypeError(f"check_error takes an Error as argument, got type {type(error)} instead.")
    bound(error, debug=False)
