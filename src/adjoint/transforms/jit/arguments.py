"""Arguments of a jitted function that are static or donated, by position and by name.

Tests: `tests/transforms/test_jit.py`.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Iterable, Sequence
from dataclasses import is_dataclass

from ...core.messages.errors import closest, message
from ..flat import function_name, wraps

__all__ = ["argument_position", "hashable_form", "node_or_static", "parameters_of", "resolve", "with_static"]


def argument_position(statics: tuple[int, ...], i: int) -> int:
    """Return where in a call the i-th argument stands that is not static."""
    for j in sorted(j for j in statics if j >= 0):
        i += j <= i
    return i


def with_static(fun, static):
    """Return `fun` with its static arguments put back."""
    if not static:
        return fun
    at = {i: value for i, _, value in static if isinstance(i, int)}
    named = {k: value for k, _, value in static if not isinstance(k, int)}

    def call(*args, **kwargs):
        if at:
            rest = iter(args)
            args = [at[i] if i in at else next(rest) for i in range(len(args) + len(at))]
        return fun(*args, **kwargs, **named)

    return wraps(fun)(call)


def node_or_static(value, function: str, argument: str) -> str:
    """Return how to pass an object that is no array: as a tree of its attributes, or as a static argument."""
    name = type(value).__qualname__.rpartition(".")[2]
    if is_dataclass(value):
        return f"jax.tree_util.register_dataclass({name}), once, to pass its fields as arrays"
    if callable(value) and not argument == "self" or not hasattr(value, "__dict__"):
        return f'jit({function}, static_argnames="{argument}")'
    return (
        f"def build(names, values):\n    made = object.__new__({name})\n"
        "    made.__dict__.update(zip(names, values))\n    return made\n"
        f"jax.tree_util.register_pytree_node({name}, lambda x: (tuple(vars(x).values()), tuple(vars(x))), build)"
    )


def hashable_form(value) -> str:
    """Return a static argument in a form that is hashable, for advice."""
    return repr(tuple(value))[:40] if isinstance(value, list) else "..."


def parameters_of(fun) -> list[inspect.Parameter]:
    """Return the parameters of a function; none if it has no signature."""
    try:
        return list(inspect.signature(fun).parameters.values())
    except (ValueError, TypeError):
        return []


def resolve(fun, parameters, argnums, argnames, what) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return positions and names, each completed from the other by the signature."""
    given = nums = None if argnums is None else _ints(argnums, f"{what}_argnums")
    names = None if argnames is None else _strings(argnames, f"{what}_argnames")
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    variadic = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    if nums and parameters and not variadic:
        n = len(positional)
        for i in nums:
            if not -n <= i < n:
                raise ValueError(
                    message(
                        f"Jitted function has {what}_argnums={nums}, but only accepts {n} positional arguments.",
                        why=f"{function_name(fun)} takes {[p.name for p in positional]}, counted from 0.",
                        fix=f"{what}_argnames, with names instead of positions",
                    )
                )
        nums = tuple(i % n for i in nums)
    if names and parameters and not any(p.kind is p.VAR_KEYWORD for p in parameters):
        known = [p.name for p in parameters]
        unnamed = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.VAR_POSITIONAL)]
        for name in names:
            if name in unnamed:
                raise ValueError(
                    message(
                        f"Jitted function has invalid argnames {{{name!r}}} in {what}_argnames. These are "
                        "positional-only",
                        fix=f"{what}_argnums={known.index(name)}",
                    )
                )
            if name not in known:
                raise ValueError(
                    message(
                        f"Jitted function has invalid argnames {{{name!r}}} in {what}_argnames. "
                        "Function does not take these args.",
                        why=f"{function_name(fun)} takes the arguments {known}.",
                        fix=f"{what}_argnames={closest(name, known) or known[0]!r}" if known else "no argnames",
                    )
                )
    if names is not None and nums is None:
        nums = tuple(i for i, p in enumerate(positional) if p.name in names)
    if nums is not None and names is None:
        names = tuple(
            positional[i].name
            for i in given or ()  # JAX parity: those counted from the end have no names
            if 0 <= i < len(positional) and positional[i].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        )
    return nums or (), names or ()


def _ints(argnums, what) -> tuple[int, ...]:
    try:
        if not isinstance(argnums, Iterable) and not hasattr(argnums, "__index__"):
            iter(argnums)  # which is refused
        return tuple(operator.index(i) for i in _as_sequence(argnums))
    except TypeError as error:
        raise TypeError(
            message(
                str(error),
                why=f"{what} must be an int or a sequence of ints, positions among the arguments counted from 0; "
                f"got {argnums!r}.",
                fix=f"{what.replace('nums', 'names')}={argnums!r}" if isinstance(argnums, str) else f"{what}=(0, 1)",
            )
        ) from None


def _strings(argnames, what) -> tuple[str, ...]:
    names = (argnames,) if isinstance(argnames, str) else tuple(argnames)
    wrong = [n for n in names if not isinstance(n, str)]
    if wrong:
        raise TypeError(
            message(
                f"argument is not a string: {wrong[0]}",
                why=f"{what} must be a str or a sequence of strs, got {argnames!r}.",
                fix=f"{what.replace('names', 'nums')}={wrong[0]!r} for a position",
            )
        )
    return names


def _as_sequence(x) -> Sequence:
    return tuple(x) if isinstance(x, Iterable) else (x,)
