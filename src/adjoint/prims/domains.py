"""The kinds of dtype that a primitive takes, and the check that an operand's dtype is of one of them."""

from __future__ import annotations

import numpy as np

from ..core import dtypes
from ..core.messages.errors import message

__all__ = [
    "ANY", "BITS", "COMPLEX", "FLOATS", "INEXACT", "INTS", "NUMBER", "NUMBERS", "ORDERED", "REAL", "SIGNED",
    "accepts", "check_dtype",
]

INTS = (np.integer,)
FLOATS = (np.floating,)
COMPLEX = (np.complexfloating,)
INEXACT = (np.floating, np.complexfloating)
SIGNED = (np.floating, np.complexfloating, np.signedinteger)
REAL = (np.integer, np.floating)
NUMBERS = (np.integer, np.floating, np.complexfloating)
BITS = (np.integer, np.bool_)
ORDERED = (np.integer, np.floating, np.bool_)
NUMBER = (np.number,)  # all of them, in a word
ANY = (np.integer, np.floating, np.complexfloating, np.bool_)

_accepted: dict[tuple, bool] = {}


def accepts(domain: tuple, dtype) -> bool:
    """Return whether a dtype belongs to one of the kinds in `domain`."""
    key = (domain, dtype)
    found = _accepted.get(key)
    if found is None:
        found = _accepted[key] = any(dtypes.issubdtype(dtype, kind) for kind in domain)
    return found


def check_dtype(name: str, domain: tuple, dtype, position: int | None = None) -> None:
    """Raise TypeError unless `dtype` is in the domain; `position` is the operand's, if there are more."""
    if not accepts(domain, dtype):
        kinds = ", ".join(kind.__name__ for kind in domain)
        at = "" if position is None else f" at position {position}"
        raise TypeError(
            message(
                f"{name} does not accept dtype {dtype.name}{at}. Accepted dtypes{at} are subtypes of {kinds}.",
                fix=_of_another_kind(name, domain, dtype),
            )
        )


def _of_another_kind(name: str, domain: tuple, dtype) -> str:
    """Return what to write where an operand's dtype is of no kind in `domain`."""
    if dtypes.issubdtype(dtype, np.complexfloating):
        return "x.real, x.imag or jnp.abs(x)"
    if dtype == np.bool_:
        logical = {"neg": "~x for the opposite, or ", "sub": "x ^ y for what differs, or "}.get(name, "")
        return f"{logical}x.astype({'int' if accepts(domain, np.dtype('int32')) else 'float'})"
    if accepts(domain, np.dtype("int32")):
        joined = ", or parentheses around comparisons: (x > 0) & (x < 1)" if np.bool_ in domain else ""
        return f"x.astype(int){joined}"
    wanted = "float" if accepts(domain, np.dtype("float32")) else domain[0].__name__.removesuffix("floating")
    return f"x.astype({wanted.rstrip('_')})"


def lowest(dtype):
    """Return the least element of a dtype."""
    if dtype == dtypes.bool_:
        return False
    if dtypes.issubdtype(dtype, np.integer):
        return dtypes.iinfo(dtype).min
    return -np.inf


def highest(dtype):
    """Return the greatest element of a dtype."""
    if dtype == dtypes.bool_:
        return True
    if dtypes.issubdtype(dtype, np.integer):
        return dtypes.iinfo(dtype).max
    return np.inf
