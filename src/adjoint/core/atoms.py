"""Variables and literals, which equations read and write, and programs among the parameters of an equation.

Tests: `tests/transforms/test_jaxprs.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from . import dtypes
from .types import ShapedArray
from .values.numbers import as_typed

if TYPE_CHECKING:
    from .jaxpr import Jaxpr

__all__ = ["Atom", "DropVar", "Literal", "Program", "Var", "sub_jaxprs"]


class Var:
    """A variable; equal only to itself.

    Args:
      aval: the type.

    >>> closed = make_jaxpr(lambda x: x * 2)(1.0)
    >>> closed.jaxpr.invars[0].aval
    ShapedArray(float32[], weak_type=True)
    """

    __slots__ = ("aval",)

    def __init__(self, aval: ShapedArray):
        self.aval = aval

    def __repr__(self):
        return f"Var(id={id(self)}):{self.aval.str_short()}"


class DropVar(Var):
    """A result that is not read; printed as `_`.

    Args:
      aval: the type.

    >>> eqn = make_jaxpr(lambda x: lax.top_k(x, 1)[0])(jnp.ones(3)).jaxpr.eqns[0]
    >>> [type(v).__name__ for v in eqn.outvars]
    ['Var', 'DropVar']
    """

    __slots__ = ()

    def __repr__(self):
        return "_"


_SCALARS = {"b": bool, "i": int, "u": int, "f": float, "c": complex}


class Literal:
    """A scalar constant written into the program.

    A program shows it with its type, such as `1.0:f32[]`; Python's scalars as they are, others in their precision.

    Args:
      val: the scalar.
      aval: its type.

    >>> closed = make_jaxpr(lambda x: x * 2)(1.0)
    >>> closed.jaxpr.eqns[0].invars[1].val
    2.0
    """

    __slots__ = ("aval", "val")

    def __init__(self, val, aval: ShapedArray):
        self.val = val
        self.aval = aval

    @property
    def operand(self):
        """Return the value, of the literal's type to every reader."""
        return as_typed(self.val, self.aval)

    @property
    def hash(self):
        """Return the hash of the value."""
        return hash(self.val)

    @property
    def text(self) -> str:
        """Return the value and its type, as a program shows them."""
        return f"{self._scalar()}:{self.aval.str_short(True)}"

    def _scalar(self) -> Any:
        """The value as a scalar of Python's, in the precision of the type."""
        value: Any = self.val
        if not isinstance(self.aval.dtype, dtypes.ExtendedDType):
            if type(value) is not _SCALARS.get(self.aval.dtype.kind):
                value = np.asarray(value, self.aval.dtype).item()
        return value

    def __repr__(self):
        return f"Literal({self._scalar()})"


Atom = Var | Literal


class Program:
    """A program inside of parameters: a jaxpr, or a closed one."""

    __slots__ = ("__weakref__",)

    if TYPE_CHECKING:

        @property
        def _program(self) -> Jaxpr: ...


_PLAIN = frozenset((int, bool, float, str, type(None)))  # what parameters mostly are


def sub_jaxprs(params: dict[str, Any]) -> Iterator[Jaxpr]:
    """The programs inside an equation's parameters."""
    for value in params.values():
        if type(value) in _PLAIN:
            continue
        for x in value if isinstance(value, (tuple, list)) else (value,):
            if type(x) in _PLAIN:
                continue
            if isinstance(x, Program):
                yield x._program
