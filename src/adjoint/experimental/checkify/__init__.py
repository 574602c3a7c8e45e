"""Checks inside of compiled programs, as `jax.experimental.checkify`: errors are values that a program returns.

`checkify(f)` gives a function that returns an error beside the result of `f`: what `check` says must hold, and by
choice NaN, division by zero and positions outside of arrays. It works through `jit`, `vmap`, derivatives, loops and
branches, custom rules, `shard_map` and `pmap`, and can itself be transformed. `README.md` says how.

Tests: `tests/experimental/test_checkify.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from ...array.array import as_array
from ...core.messages.boundaries import public
from ...core.trace import stage
from ...core.tree.tree import tree_flatten, tree_unflatten
from ...core.types import Array
from ...transforms.flat import FlatFun, check_callable, debug_info, wraps
from .check import check, check_error, debug_check
from .errors import Error, init_error
from .exceptions import DivisionByZeroError, FailedCheckError, JaxException, JaxRuntimeError, NaNError, OOBError
from .programs import evaluate

__all__ = [
    "Error", "ErrorCategory", "JaxRuntimeError", "all_checks", "automatic_checks", "check", "check_error", "checkify",
    "debug_check", "div_checks", "float_checks", "index_checks", "init_error", "nan_checks", "user_checks",
]

ErrorCategory = type[JaxException]

user_checks = frozenset({FailedCheckError})
nan_checks = frozenset({NaNError})
index_checks = frozenset({OOBError})
div_checks = frozenset({DivisionByZeroError})
float_checks = nan_checks | div_checks
automatic_checks = float_checks | index_checks
all_checks = automatic_checks | user_checks


def checkify(f: Callable, errors: frozenset = user_checks) -> Callable:
    """Return a function that gives an error beside the result of `f`.

    Args:
      f: a function of arrays, which may have checks.
      errors: what is looked at: `user_checks` (those that `check` states), `nan_checks`, `index_checks`,
        `div_checks`, and unions of them such as `automatic_checks` and `all_checks`.

    Returns:
      A function of the same arguments that returns `(error, result)`. `error` is an `Error`: `error.get()` is a text
      or None, `error.throw()` raises it. Operations go on after an error, so the result is there in any case.
    Raises:
      TypeError: `f` is no function, or `errors` is no set.

    >>> from adjoint.experimental import checkify
    >>> def f(x, i):
    ...     return jnp.sin(x)[i]
    >>> checked = jit(checkify.checkify(f, errors=checkify.index_checks))
    >>> error, out = checked(jnp.ones(3), 5)
    >>> error.get()
    'out-of-bounds indexing for array of shape (3,): index 5 is out of bounds for axis 0 with size 3. '
    >>> checked(jnp.ones(3), 2)[0].get()
    """
    check_callable(f, "checkify")

    def checked(*args, **kwargs):
        leaves, in_tree = tree_flatten((args, kwargs))
        flat = FlatFun(f, in_tree, "checkify")
        jaxpr, consts = stage(lambda: flat(*leaves), [], debug_info("checkify", f, in_tree))
        error, outs = evaluate(jaxpr, consts, frozenset(errors), init_error)
        leaves, tree = tree_flatten(error)
        as_value = lambda x: x if isinstance(x, Array) else as_array(x)
        return tree_unflatten(tree, map(as_value, leaves)), tree_unflatten(flat.out_tree, map(as_value, outs))

    return wraps(f)(checked)


public(globals())
