"""Arguments of functions with derivative rules of their own: made positional, the fixed ones set apart.

Tests: `tests/transforms/test_custom_derivatives.py`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from inspect import CO_VARARGS
from types import FunctionType
from typing import Any

import numpy as np

from ...core.trace import Tracer
from ...core.tree.tree import tree_flatten, tree_unflatten
from ...core.types import Array, aval_of, is_arraylike, typed_value
from ...core.values.refs import Ref
from ..flat import FlatFun, function_name

__all__ = ["as_operand", "as_operands", "fixed_positions", "inner_rule", "positional", "run_now", "split_fixed"]


def positional(fun: Callable, args: tuple, kwargs: dict, decorator: str) -> tuple:
    """Return all arguments as positional ones, with their defaults; TypeError if one is given by name alone."""
    if not kwargs and _takes(fun, args):
        return args
    try:
        bound = inspect.signature(fun).bind(*args, **kwargs)
    except ValueError:  # no signature to be had
        return args
    except TypeError as e:
        raise _unresolved(fun, decorator, str(e)) from None
    bound.apply_defaults()
    if names := ", ".join(name for name in bound.kwargs if name in kwargs):  # not those that have their defaults
        raise _unresolved(
            fun, decorator, f"The following keyword arguments could not be resolved to positions: {names}"
        )
    return bound.args


def _unresolved(fun, decorator: str, error: str) -> TypeError:
    return TypeError(
        f"The input arguments to the {decorator}-decorated function {function_name(fun)} could not be resolved "
        f"to positional-only arguments. Binding failed with the error:\n{error}\n"
        "  Try: make them positional parameters, or bind them with functools.partial."
    )


def _takes(fun, args: tuple) -> bool:
    """Return whether these arguments are all that a function has, told without its signature."""
    if type(fun) is not FunctionType or fun.__defaults__ is not None:
        return False
    code = fun.__code__
    n = code.co_argcount
    if code.co_kwonlyargcount > len(fun.__kwdefaults__ or ()):
        return False
    return len(args) == n or (bool(code.co_flags & CO_VARARGS) and len(args) > n)


def inner_rule(wrapper: Any, name: str) -> Any:
    """Return what a function with its own rule passes on: the methods that set the rules of the inner function."""
    if name in ("def_vmap", "defjvp", "defjvps", "defvjp") and "fun" in vars(wrapper):
        return getattr(wrapper.fun, name)
    raise AttributeError(f"{type(wrapper).__name__!r} object has no attribute {name!r}")


def fixed_positions(fun: Callable, argnums, argnames) -> tuple[int, ...]:
    """Positions of the arguments that are not differentiated; a name of no positional one says nothing."""
    argnums = (argnums,) if isinstance(argnums, int) else tuple(argnums or ())
    if argnames:
        names = [argnames] if isinstance(argnames, str) else list(argnames)
        by_name = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)
        parameters = [p.name for p in inspect.signature(fun).parameters.values() if p.kind not in by_name]
        argnums += tuple(parameters.index(n) for n in names if n in parameters)
    return tuple(sorted(set(argnums)))


def split_fixed(fun: Callable, fixed: tuple[int, ...], args: tuple):
    """(`fun` of the other arguments alone, those arguments, the fixed ones in order).

    As in JAX, an argument that is counted from the end is one of the others too: the rule gets it twice.
    """
    if not fixed:
        return fun, args, ()
    n = len(args)
    for i in fixed:
        if i < -n:
            raise ValueError(
                "Positional argument indices, e.g. for `static_argnums`, must have value greater than or equal to "
                f"-len(args) and less than len(args), but got value {i} for len(args) == {n}: nondiff_argnums of "
                f"{function_name(fun)}."
            )
        if i >= n:
            raise IndexError(
                f"tuple index out of range: nondiff_argnums of {function_name(fun)} has {i} of {n} arguments."
            )
    held = {i: args[i] for i in fixed if i >= 0}
    values = tuple([args[i] for i in fixed])
    if any(isinstance(v, Tracer) and not v._trace.active for v in values):
        raise ValueError(f"nondiff_argnums of {function_name(fun)} hold a leaked tracer.")

    def call(*rest):  # programs keep it, and the fixed arguments with it: no other
        rest = iter(rest)
        return fun(*[held[i] if i in held else next(rest) for i in range(n)])

    return call, tuple([a for i, a in enumerate(args) if i not in held]), values


def as_operands(args: tuple) -> tuple:
    """Return arguments as a program has them: NumPy's arrays and scalars are arrays of the dtypes of this mode.

    An error is raised for what is no operand, and for an int that does not fit.
    """
    for x in args:
        if not isinstance(x, Array):
            leaves, tree = tree_flatten(args)
            return tree_unflatten(tree, [as_operand(x) for x in leaves])
    return args


def as_operand(x):
    """Return an argument that is no tree as a program has it."""
    if isinstance(x, (np.ndarray, np.generic)):
        return np.asarray(x, aval_of(x).dtype)
    if not isinstance(x, (Array, Ref)):
        typed_value(x)
    return x


def run_now(fun: Callable, args: tuple, purpose: str):
    """Return the result of a function with a rule of its own where nothing is traced; TypeError if it is no value."""
    out = fun(*args)
    if not isinstance(out, Array):
        for x in tree_flatten(out)[0]:
            if type(x) is Ref or not is_arraylike(x):
                raise FlatFun(fun, None, purpose).bad_result(out, x)
            typed_value(x)
    return out
