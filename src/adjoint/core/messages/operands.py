"""Errors of values that are no operands of operations on arrays.

Tests: `tests/golden/test_errors.py`.
"""

from __future__ import annotations

from .errors import message, shorten

__all__ = ["has_no_value", "not_an_operand", "valueless"]


def not_an_operand(x) -> Exception:
    """Return the error of a value that has no type of an array."""
    if hasattr(x, "__jax_array__"):
        return ValueError(
            message(
                "Triggering __jax_array__() during abstractification is no longer supported. To avoid this error, "
                "either explicitly convert your object using jax.numpy.array(), or register your object as a pytree.",
                why="Arguments of transformed functions and of operations are arrays, numbers, and trees of them.",
                fix="jnp.asarray(...), or register the object as a pytree",
            )
        )
    if has_no_value(x):
        return TypeError(valueless(x))
    fix = "jnp.asarray(...)" if isinstance(x, (list, tuple)) else "an array or a number"
    return TypeError(message(f"Argument {shorten(x, 200)} of type {type(x)} is not a valid JAX type", fix=fix))


def has_no_value(x) -> bool:
    """Return whether something that is no array has the shape and dtype of one, as a `ShapeDtypeStruct`."""
    return all(hasattr(x, name) for name in ("shape", "dtype", "weak_type"))


def valueless(x, name: str = "args[0]") -> str:
    """Return the message about such an argument."""
    shape = ",".join(map(str, x.shape))
    return message(
        f"Argument '{name}' of shape {x.dtype.name}[{shape}] of type {type(x)} is not a valid JAX type.",
        why="It has a shape and a dtype, and no value.",
        fix="jax.eval_shape(f, x) for the shape and dtype of a result, or jnp.zeros(x.shape, x.dtype)",
    )
