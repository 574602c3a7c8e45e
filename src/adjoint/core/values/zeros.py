"""Tangents and cotangents that are known to be zero; as trees they have no leaves.

Tests: `tests/transforms/test_grad.py`.
"""

from __future__ import annotations

from ..tree.registry import register_pytree_node
from ..types import ShapedArray, aval_of

__all__ = ["Zero"]


class Zero:
    """A tangent or cotangent known to be zero; never computed with.

    Args:
      aval: the type of the value.

    >>> Zero(typeof(jnp.ones(2)))
    Zero(float32[2])
    """

    __slots__ = ("_aval", "_primal")

    def __init__(self, aval):
        self._aval = aval

    @staticmethod
    def from_primal_value(value) -> Zero:
        """Return the zero tangent of `value`; its type is found out when it is asked for."""
        zero = object.__new__(Zero)
        zero._aval = None
        zero._primal = value
        return zero

    @property
    def aval(self) -> ShapedArray:
        if self._aval is None:
            self._aval = aval_of(self._primal).to_tangent_aval()
        return self._aval

    def __repr__(self):
        return f"Zero({self.aval})"


register_pytree_node(Zero, lambda zero: ((), zero.aval), lambda aval, _: Zero(aval))
