"""The parts of `jacfwd` and `jacrev` with the names of `jax._src.api`.

Tests: `tests/compat/test_private.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.types import aval_of
from ...extend.linear_util import WrappedFun
from ...transforms.derivatives.grad import jvp, vjp
from ...transforms.derivatives.jacobian import check_input, check_output, split_axis

__all__ = [
    "check_input_dtype_jacfwd", "check_input_dtype_jacrev", "check_output_dtype_jacfwd", "check_output_dtype_jacrev",
    "dtype_of", "jacfwd_unravel", "jacrev_unravel", "jvp_of", "vjp_of",
]


def check_input_dtype_jacfwd(holomorphic: bool, x: Any) -> None:
    """Raise TypeError if `jacfwd` cannot differentiate by an argument."""
    check_input(x, "jacfwd", holomorphic)


def check_input_dtype_jacrev(holomorphic: bool, allow_int: bool, x: Any) -> None:
    """Raise TypeError if `jacrev` cannot differentiate by an argument."""
    check_input(x, "jacrev", holomorphic, allow_int)


def check_output_dtype_jacfwd(holomorphic: bool, x: Any) -> None:
    """Raise TypeError if `jacfwd` cannot differentiate a result."""
    check_output(x, "jacfwd", holomorphic)


def check_output_dtype_jacrev(holomorphic: bool, x: Any) -> None:
    """Raise TypeError if `jacrev` cannot differentiate a result."""
    check_output(x, "jacrev", holomorphic)


def jacfwd_unravel(input_pytree: Any, output_pytree_leaf: Any, arr: Any) -> Any:
    """Cut the last axis of `arr`, which is over all arguments, into a tree like them."""
    return split_axis(arr, input_pytree, arr.ndim - 1)


def jacrev_unravel(output_pytree: Any, input_pytree_leaf: Any, arr: Any) -> Any:
    """Cut the first axis of `arr`, which is over all results, into a tree like them."""
    return split_axis(arr, output_pytree, 0)


def _called(fun: Any) -> Callable:
    return fun.call_wrapped if isinstance(fun, WrappedFun) else fun


def jvp_of(fun: Any, primals: Any, tangents: Any, has_aux: bool = False) -> Any:
    """Return `jvp` of a function, or of a wrapped one."""
    return jvp(_called(fun), primals, tangents, has_aux=has_aux)


def vjp_of(fun: Any, *primals: Any, has_aux: bool = False) -> Any:
    """Return `vjp` of a function, or of a wrapped one."""
    return vjp(_called(fun), *primals, has_aux=has_aux)


def dtype_of(x: Any) -> Any:
    """Return the dtype that a value has as an operand."""
    return aval_of(x).dtype
