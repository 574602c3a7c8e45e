"""Branches on traced values: `cond`, `switch`.

Both trace every function to a program, check that the results agree, and bind the primitive `cond`, whose
rules are in `control_flow/cond.py`. Traces are remembered with the functions. Under `disable_jit`
the function that is chosen is called. Loops are in loops.py.

Tests: `tests/control_flow/test_transformed.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...control_flow.functions.bodies import NO_KEYWORDS, check_callable, concrete, operands_and_functions, types_of
from ...control_flow.functions.branches import run_branches
from ...core import dtypes
from ...core.messages.errors import message
from ...core.options.config import Unset, local
from ...core.tree.tree import treedef_tuple
from ...core.types import aval_of, is_arraylike
from ...prims.arithmetic import clamp
from ...prims.conversion import convert_element_type
from ...prims.logic import ne
from ...transforms.flat import function_name

__all__ = ["cond", "switch"]

_UNSET: Any = Unset()


def _all_operands(operands: tuple, operand) -> tuple:
    """Return the operands, or the one that is given by keyword; TypeError if there are both."""
    if operand is _UNSET:
        return operands
    if operands:
        raise TypeError(
            "if 'operand' keyword is passed then no positional operands can be passed, got "
            f"operand={operand} and positional operands {operands}"
        )
    return (operand,)


def cond(pred, true_fun: Callable, false_fun: Callable, *operands, operand: Any = _UNSET) -> Any:
    """Return `true_fun(*operands)` if `pred`, else `false_fun(*operands)`.

    Both functions are traced, one is run. Under `vmap` with a batched `pred` both are run and the results
    selected.

    Args:
      pred: boolean scalar, or a number, which counts as `pred != 0`.
      true_fun, false_fun: functions of the operands whose results have equal structure, shapes and dtypes.
      operands: trees of arrays.
      operand: the only operand, by keyword.
    Returns:
      What the function returns that was run: a tree of arrays.
    Raises:
      TypeError: `pred` is not a scalar, or the results of the functions differ.
    See also: `switch` for several branches, `select` and `numpy.where` for elements.

    >>> lax.cond(True, lambda x: x + 1, lambda x: x - 1, 5)
    Array(6, dtype=int32, weak_type=True)
    """
    operands = _all_operands(operands, operand)
    if len(operands) == 2 and callable(operands[1]) and callable(false_fun) and not callable(true_fun):
        # JAX parity: cond(pred, true_operand, true_fun, false_operand, false_fun) of its first years
        return _cond_with_two_operands(pred, true_fun, false_fun, *operands)
    check_callable(
        "lax.cond: true_fun and false_fun arguments should be callable.", true_fun, false_fun,
        fix="jnp.where(pred, x, y) to choose a value, lax.cond(pred, f, g, *operands) to choose a function",
    )
    _check_predicate(pred)
    known = concrete(pred)
    if local.disable_jit and known is not None:
        return true_fun(*operands) if known else false_fun(*operands)
    if known is not None:
        index = np.int32(bool(known))
    else:
        if pred.dtype != np.bool_:
            zero = pred.dtype.type(0)
            pred = ne(pred, zero.item() if pred.weak_type else zero)
        index = _as_int32(pred)
    leaves, tree, functions = operands_and_functions("cond", operands, (true_fun, false_fun))
    return run_branches(
        "cond", functions, ("true_fun", "false_fun"), index, leaves,
        treedef_tuple((tree, NO_KEYWORDS)), types_of(leaves), backwards=True,
    )


def _cond_with_two_operands(pred, true_operand, true_fun, false_operand, false_fun):
    first, second = (lambda x, y: true_fun(x)), (lambda x, y: false_fun(y))
    return cond(pred, first, second, true_operand, false_operand)


def _check_predicate(pred) -> None:
    if pred is None:
        raise TypeError(message("cond predicate is None", fix="a boolean scalar, for example x is not None"))
    if callable(pred) and not is_arraylike(pred):
        raise TypeError(
            message(
                f"Pred type must be either boolean or number, got {pred}.",
                fix=f"lax.cond({function_name(pred)}(...), true_fun, false_fun, ...)",
            )
        )
    if not is_arraylike(pred):
        raise TypeError(
            message(
                f"Pred must be a scalar, got {pred} of type {type(pred)}",
                fix="lax.cond(x > 0, true_fun, false_fun, ...)",
            )
        )
    aval = aval_of(pred)
    if aval.shape:
        raise TypeError(
            message(
                f"Pred must be a scalar, got {pred} of shape {aval.shape}.",
                why="cond runs one branch for everything.",
                fix="jnp.where(pred, x, y) to choose element by element, vmap of the function with the "
                "cond,\nor jnp.any(pred), jnp.all(pred) for one answer",
            )
        )
    if dtypes.issubdtype(aval.dtype, np.complexfloating):
        raise TypeError(
            message(f"Pred type must be either boolean or number, got {aval.dtype.name}.", fix="x != 0, or jnp.any(x)")
        )


def _as_int32(x):
    aval = aval_of(x)
    if aval.dtype == np.int32 and not aval.weak_type:
        return x
    return convert_element_type(x, new_dtype=np.dtype("int32"), weak_type=False, sharding=None)


def switch(index, branches: Sequence[Callable], *operands: Any, operand: Any = _UNSET) -> Any:
    """Return `branches[index](*operands)`, with the index clamped into range.

    All functions are traced, one is run. Under `vmap` with a batched `index` all are run and the results
    selected.

    Args:
      index: integer scalar.
      branches: functions of the operands whose results have equal structure, shapes and dtypes.
      operands: trees of arrays.
      operand: the only operand, by keyword.
    Returns:
      What the chosen function returns.
    Raises:
      TypeError: `index` is not an integer scalar, or the results of the functions differ.
      ValueError: there are no branches.

    >>> lax.switch(1, [lambda x: x + 1, lambda x: x * 10], 5)
    Array(50, dtype=int32, weak_type=True)
    """
    branches = tuple(branches)
    if not all([callable(f) for f in branches]):
        raise TypeError(
            message(
                "lax.switch: branches argument should be a sequence of callables.",
                fix="lax.switch(index, [f, g], *operands)",
            )
        )
    operands = _all_operands(operands, operand)
    _check_index(index)
    if not branches:
        raise ValueError(message("Empty branch sequence", fix="pass at least one function"))
    if len(branches) == 1:
        return branches[0](*operands)
    last = len(branches) - 1
    known = concrete(index)
    if isinstance(known, int):
        index = np.int32(known)
    index = clamp(np.int32(0), _as_int32(index), np.int32(last))
    if local.disable_jit and (known := concrete(index)) is not None:
        return branches[int(known)](*operands)
    leaves, tree, branches = operands_and_functions("switch", operands, branches)
    names = [f"branch {i}" for i in range(len(branches))]
    return run_branches(
        "switch", branches, names, index, leaves, treedef_tuple((tree, NO_KEYWORDS)), types_of(leaves)
    )


def _check_index(index) -> None:
    if not is_arraylike(index):
        raise TypeError(f"Index type must be an integer, got {index} of type {type(index)}.")
    aval = aval_of(index)
    if aval.shape:
        raise TypeError(
            message(
                f"Branch index must be scalar, got {index} of shape {aval.shape}.",
                fix="jax.vmap(lambda i: lax.switch(i, branches, *operands))(index) for a branch for each element",
            )
        )
    if not dtypes.issubdtype(aval.dtype, np.integer):
        raise TypeError(
            message(
                f"Index type must be an integer, got {index} as {aval.dtype.name}",
                fix="lax.cond for a boolean, index.astype('int32') for a float",
            )
        )
