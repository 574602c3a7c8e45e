"""Functions of small arrays by their signature: the parts of `jax._src.numpy.vectorize`.

Tests: `tests/compat/test_private.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from ...numpy.shapes import broadcast_shapes
from ...numpy.vectorization import CoreDims, check_sizes, parse

__all__ = ["apply_excluded", "check_output_dims", "parse_gufunc_signature", "parse_input_dimensions"]


def apply_excluded(
    func: Callable, excluded: Collection[int | str], args: Sequence[Any], kwargs: dict[str, Any]
) -> tuple[Callable, Sequence[Any], dict[str, Any]]:
    """Return a function of the arguments that are not excluded, and these arguments."""
    if not excluded:
        return func, args, kwargs
    fixed = {i: a for i, a in enumerate(args) if i in excluded}
    named = {k: v for k, v in kwargs.items() if k in excluded}

    def of_the_others(*others, **more):
        rest = iter(others)
        return func(*[fixed[i] if i in fixed else next(rest) for i in range(len(args))], **more, **named)

    others = [a for i, a in enumerate(args) if i not in fixed]
    return of_the_others, others, {k: v for k, v in kwargs.items() if k not in named}


def parse_gufunc_signature(signature: str) -> tuple[list[CoreDims], list[CoreDims]]:
    """Return the axes of arguments and of results, of a text such as `(n,m),(m)->(n)`."""
    return parse(signature)


def parse_input_dimensions(
    args: Sequence[Any], input_core_dims: list[CoreDims], error_context: str = ""
) -> tuple[tuple[int, ...], dict[str, int]]:
    """Return the shape to which arguments broadcast, and the lengths of the axes that have names."""
    if len(args) != len(input_core_dims):
        raise TypeError(
            f"wrong number of positional arguments: expected {len(input_core_dims)}, got {len(args)} {error_context}"
        )
    sizes: dict[str, int] = {}
    batches = []
    for x, core in zip(args, input_core_dims):
        if x.ndim < len(core):
            raise ValueError(
                f"input with shape {x.shape} does not have enough dimensions for all core dimensions "
                f"{core} {error_context}"
            )
        first = x.ndim - len(core)
        batches.append(x.shape[:first])
        check_sizes(x.shape[first:], core, sizes, error_context)
    return broadcast_shapes(*batches), sizes


def check_output_dims(
    func: Callable, dim_sizes: dict[str, int], expected_output_core_dims: list[CoreDims], error_context: str = ""
) -> Callable:
    """Return `func`, with the number and the shapes of its results checked."""

    def checked(*args):
        out = func(*args)
        if len(expected_output_core_dims) > 1 and not isinstance(out, tuple):
            raise TypeError(
                f"output must be a tuple when multiple outputs are expected, got: {out!r}\n{error_context}"
            )
        outs = out if isinstance(out, tuple) else (out,)
        if len(outs) != len(expected_output_core_dims):
            raise TypeError(
                f"wrong number of output arguments: expected {len(expected_output_core_dims)}, got {len(outs)} "
                f"{error_context}"
            )
        sizes = dict(dim_sizes)
        for x, core in zip(outs, expected_output_core_dims):
            if x.ndim != len(core):
                raise ValueError(f"output shape {x.shape} does not match core dimensions {core} {error_context}")
            check_sizes(x.shape, core, sizes, error_context)
        return out

    return checked
