"""Operations about the program itself: values put into it, named parts, choices by platform, tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...array.array import as_array
from ...control_flow.composite import composite_p
from ...control_flow.functions.bodies import NO_KEYWORDS, check_callable, operands_of, types_of
from ...control_flow.functions.branches import run_branches
from ...core.messages.errors import UnexpectedTracerError, message
from ...core.trace import Tracer, state
from ...core.tree.tree import tree_flatten, tree_leaves, tree_map, tree_unflatten, treedef_tuple
from ...core.types import Array, aval_of, is_arraylike
from ...parallel.arrays import with_sharding_constraint
from ...prims import tokens
from ...prims.platforms import chosen, platform_index
from ...sharding.device import platform_name
from ...transforms.bodies import body_of
from ...transforms.flat import function_name

__all__ = [
    "after_all", "composite", "create_token", "dce_sink", "platform_dependent", "shape_as_value", "stage",
    "with_sharding_constraint",
]


def stage(x, /) -> Array:
    """Return `x` as a value of the program that is being written: an array, or a tracer while tracing.

    Args:
      x: array or scalar.
    Returns:
      An array with that value. Under `jit` even a constant becomes a value of the program.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> lax.stage(1.0)
    Array(1., dtype=float32, weak_type=True)
    """
    if not is_arraylike(x):
        raise TypeError(
            "Error interpreting argument to stage as a JAX value. The problematic value is of type "
            f"{type(x)} and was passed to stage at position 0."
        )
    return tokens.stage(x)


def shape_as_value(shape):
    """Return a shape as an array of int32.

    Args:
      shape: a tuple of lengths.
    Returns:
      An int32 array, ``[len(shape)]``.
    Raises:
      TypeError: a length is neither a number nor a text of one.
      ValueError: it is a text that is no integer.

    >>> lax.shape_as_value((2, 3))
    Array([2, 3], dtype=int32)
    """
    return as_array(np.array(shape, np.int32))


# ---- programs with names ------------------------------------------------------------------------


def composite(decomposition: Callable, name: str, version: int = 0) -> Callable:
    """Return `decomposition`, with a name by which a compiler may know a better way to compute it.

    Args:
      decomposition: a function of trees of arrays; it defines the result. Its keyword arguments are
        static, hashable attributes.
      name, version: by which the operation is known, such as "my.tangent".
    Returns:
      A function of the same arguments. It has no derivative unless it is wrapped in `custom_jvp`.
    Raises:
      ValueError: the result is differentiated.

    >>> tangent = lax.composite(lambda x: jnp.sin(x) / jnp.cos(x), "my.tangent")
    >>> tangent(jnp.array([0.]))
    Array([0.], dtype=float32)
    """

    def call(*args, **attributes):
        leaves, tree = operands_of("composite", args)
        in_tree = treedef_tuple((tree, NO_KEYWORDS))
        run = (lambda *a: decomposition(*a, **attributes)) if attributes else decomposition
        body = body_of(run, "composite", in_tree, types_of(leaves))
        if any([isinstance(x, Tracer) for x in body.captured]):
            raise UnexpectedTracerError(
                message(
                    f"Found a JAX Tracer as a constant in the decomposition for the composite op {name!r}. This means "
                    "that the decomposition function closes over a value that is involved in a JAX transformation. Any "
                    "values that aren't explicitly known at compile time must be explicitly passed as arguments to "
                    "the composite.",
                    fix=f"composite(lambda x, y: ..., {name!r})(x, y), with the value as another argument",
                )
            )
        flat = [(key, *tree_flatten(value)) for key, value in attributes.items()]
        outs = composite_p.bind(
            *body.captured, *leaves, name=name, version=version, jaxpr=body.program,
            attributes=tuple([(key, tuple(values), tree) for key, values, tree in flat]),
        )
        return tree_unflatten(body.out_tree, outs)

    call.__name__ = call.__qualname__ = function_name(decomposition)
    return call


# ---- platforms ----------------------------------------------------------------------------------


def platform_dependent(*args: Any, default: Callable | None = None, **per_platform: Callable) -> Any:
    """Return the result of the function for the platform that the program runs on.

    While tracing, all functions become part of the program, and must have results of one type.

    Args:
      args: trees of arrays, for every function.
      default: the function for other platforms.
      per_platform: functions by the names of platforms: `cpu`, `cuda`, `rocm`, `tpu`.
    Returns:
      What the chosen function returns.
    Raises:
      NotImplementedError: the program runs on a platform without a function.
      TypeError: the results of the functions differ, or one is no function.

    >>> lax.platform_dependent(2., cpu=lambda x: x + 1, default=lambda x: x - 1)
    Array(3., dtype=float32, weak_type=True)
    """
    for name, branch in {**per_platform, "default": default}.items():
        if name != "default" or branch is not None:
            check_callable(f"lax.platform_dependent: the '{name}' branch must be a callable.", branch)
    functions = [*per_platform.values(), *([] if default is None else [default])]
    platforms = tuple([(name,) for name in per_platform]) + (() if default is None else (None,))
    if not state.trace.stages:
        return tree_map(stage, functions[chosen(platforms, platform_name())](*args))
    leaves, tree = operands_of("platform_dependent", args)
    return run_branches(
        "platform_dependent", functions, [*per_platform, "default"], platform_index(platforms=platforms),
        leaves, treedef_tuple((tree, NO_KEYWORDS)), types_of(leaves),
    )


# ---- tokens and sinks ---------------------------------------------------------------------------


def create_token(_=None):
    """Return a token that waits for nothing.

    Args:
      _: is not read.
    Returns:
      A token, for `after_all` and `optimization_barrier`.

    >>> type(create_token()).__name__
    'Token'
    """
    return tokens.create_token()


def after_all(*operands):
    """Return a token that waits for what all of the given tokens wait for.

    Args:
      *operands: tokens, as `create_token` makes them.
    Returns:
      A token. Here effects have the order of the program in any case; tokens only carry it through programs.
    Raises:
      TypeError: an operand is not a token.

    >>> token = lax.after_all(lax.create_token(), lax.create_token())
    """
    for x in operands:
        if getattr(aval_of(x), "str_short", str)() != "Tok":
            raise TypeError(f"Arguments to after_all must be tokens, got {aval_of(x)}.")
    return tokens.after_all(*operands)


def dce_sink(val, *, prevent_mlir_dce: bool = False) -> None:
    """Keep `val`, a tree of arrays, in the program although nothing uses it.

    Args:
      val: a tree of arrays.
      prevent_mlir_dce: for accelerators; it changes nothing here.
    Returns:
      None.
    Raises:
      TypeError: a leaf is no array or number.

    >>> jit(lambda x: lax.dce_sink(jnp.sin(x)))(1.)
    """
    for x in tree_leaves(val):
        tokens.dce_sink(x, prevent_mlir_dce=prevent_mlir_dce)
