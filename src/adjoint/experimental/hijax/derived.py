"""Rules of a `HiPrim` that follow from other rules of it, and what its backward rule adds cotangents to.

A derived rule stands in the body of a class: `lin, linearized = linearize_from_jvp`, or `lin = linearize_from_jvp` and
`linearized = apply_derived_linearization`, as JAX 0.11 has it.

Tests: `tests/experimental/test_hijax.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import MethodType
from typing import Any

import numpy as np

from ...core.dtypes import float0
from ...core.tree.tree import tree_flatten, tree_map, tree_unflatten
from ...core.types import aval_of
from ...core.values.zeros import Zero
from ...prims.family import add_any
from ...transforms.derivatives.grad import linear_transpose, linearize
from ...transforms.jvp import instantiate

__all__ = [
    "Derived", "GradAccum", "NullAccum", "RefAccum", "ValAccum", "apply_derived_linearization", "cotangents",
    "jvp_from_lin", "linearize_from_jvp", "transpose_jvp", "transpose_linearized", "vjp_from_jvp", "vjp_from_lin",
    "vjp_fwd_from_jvp", "vjp_fwd_from_lin",
]


# ---- what a backward rule adds to ------------------------------------------------------------------


class GradAccum:
    """The sum of cotangents of an operand, which a backward rule adds to; `aval` is the type of a cotangent.

    Made by the backward pass of a `VJPHiPrimitive`, one for each operand.

    >>> from adjoint.experimental import hijax
    >>> isinstance(hijax.ValAccum(typeof(1.)), hijax.GradAccum)
    True
    """

    def __init__(self, aval):
        self.aval = aval

    def accum(self, ct) -> None:
        """Add a cotangent; None and symbolic zeros add nothing."""
        raise NotImplementedError("a GradAccum is one of ValAccum, RefAccum and NullAccum")


class NullAccum(GradAccum):
    """A cotangent that is not needed.

    Args:
      aval: the type of a cotangent.

    >>> from adjoint.experimental import hijax
    >>> hijax.NullAccum(typeof(1.)).accum(jnp.float32(2))
    """

    def accum(self, ct) -> None:
        pass


class ValAccum(GradAccum):
    """A cotangent that is wanted as a value, `freeze()`.

    Args:
      aval: the type of a cotangent.

    >>> from adjoint.experimental import hijax
    >>> total = hijax.ValAccum(typeof(1.))
    >>> total.accum(2.)
    >>> total.accum(3.)
    >>> total.freeze()
    Array(5., dtype=float32, weak_type=True)
    """

    def __init__(self, aval):
        super().__init__(aval)
        self.value: Any = Zero(aval)

    def accum(self, ct) -> None:
        if ct is not None and type(ct) is not Zero:
            self.value = ct if type(self.value) is Zero else add_any(self.value, ct)

    def freeze(self):
        """Return the sum of all that was added."""
        return self.value


class RefAccum(GradAccum):
    """A cotangent that is added to what a reference holds, `ref`.

    Args:
      aval: the type of a cotangent.
      ref: the reference.

    >>> from adjoint.experimental import hijax
    >>> total = new_ref(1.)
    >>> hijax.RefAccum(typeof(1.), total).accum(2.)
    >>> total
    Ref(3., dtype=float32, weak_type=True)
    """

    def __init__(self, aval, ref):
        super().__init__(aval)
        self.ref = ref

    def accum(self, ct) -> None:
        if ct is not None and type(ct) is not Zero:
            self.ref[...] += ct


def cotangents(rule: Callable, in_avals) -> tuple:
    """Return what a rule adds to an accumulator for each operand."""
    leaves, tree = tree_flatten(tuple(in_avals), is_leaf=_is_type)
    accums = [ValAccum(a.to_tangent_aval()) for a in leaves]
    rule(*tree_unflatten(tree, accums))
    return tree_unflatten(tree, [instantiate(a.freeze()) for a in accums])


def _is_type(x) -> bool:
    return hasattr(x, "to_tangent_aval")


# ---- rules from rules ------------------------------------------------------------------------------


class Derived:
    """A method of a class; unpacked, the methods of a pair."""

    def __init__(self, fun: Callable, second: Callable):
        self.fun, self.second = fun, second
        self.__name__, self.__doc__ = fun.__name__.strip("_"), fun.__doc__

    def __iter__(self) -> Iterator[Callable]:
        return iter((self, self.second))

    def __get__(self, instance, owner=None):
        return self if instance is None else MethodType(self.fun, instance)


def _mapped(fun: Callable, tree):
    return tree_map(fun, tree, is_leaf=lambda x: type(x) is Zero or _is_type(x))


def _moving(in_avals):
    """Return the leaves of types whose tangents are numbers, and a function from values for these to values for all."""
    leaves, tree = tree_flatten(tuple(in_avals), is_leaf=_is_type)
    types = [a.to_tangent_aval() for a in leaves]
    places = [i for i, a in enumerate(types) if a.dtype != float0]

    def whole(found):
        given = dict(zip(places, found))
        return tree_unflatten(tree, [given[i] if i in given else np.zeros(a.shape, float0)
                                     for i, a in enumerate(types)])

    return [types[i] for i in places], whole


def _transposed(linear: Callable, in_avals, ct) -> tuple:
    """Return the cotangents of operands, of which those of integers are zeros."""
    types, whole = _moving(in_avals)
    return whole(linear_transpose(lambda *ts: linear(*whole(ts)), *types)(_mapped(instantiate, ct)))


def _linearize_from_jvp(self, nzs_in, *primals):
    """Return the result, and the linear function that the rule for forward mode is there."""
    if type(self).jvp is jvp_from_lin:
        raise TypeError(f"{type(self).__name__}: lin is derived from jvp, and jvp from lin. Write one of the two.")
    types, whole = _moving(self.in_avals)
    zeros = [instantiate(Zero(a)) for a in types]
    _, linear = linearize(lambda *ts: _mapped(instantiate, self.jvp(primals, whole(ts))[1]), *zeros)
    return self(*primals), linear


def apply_derived_linearization(self, res, *tangents):
    """Return the tangent of the result, by the function that `linearize_from_jvp` keeps.

    Args:
      self: the primitive, of which the function is a method.
      res: the function.
      *tangents: of the operands; those that are `Zero` are made arrays.
    Returns:
      The tangent of the result.

    >>> from adjoint.experimental import hijax
    >>> class Cube(hijax.VJPHiPrimitive):
    ...     def __init__(self, aval):
    ...         self.in_avals, self.out_aval, self.params = (aval,), aval, {}
    ...         super().__init__()
    ...     def expand(self, x): return x ** 3
    ...     def jvp(self, primals, tangents): return self(*primals), 3 * primals[0] ** 2 * tangents[0]
    ...     lin, linearized = hijax.linearize_from_jvp
    >>> linearize(Cube(typeof(2.)), 2.)[1](1.)
    Array(12., dtype=float32, weak_type=True)
    """
    leaves = tree_flatten(tangents, is_leaf=lambda x: type(x) is Zero)[0]
    moving = [instantiate(t) for t in leaves]
    return res(*[t for t in moving if aval_of(t).dtype != float0])


def jvp_from_lin(self, primals, tangents):
    """Return the result and its tangent, by `lin` and `linearized`.

    Args:
      self: the primitive, of which the function is a method.
      primals: the operands.
      tangents: theirs, or `Zero`.
    Returns:
      (the result, its tangent)

    >>> from adjoint.experimental import hijax
    >>> class Cube(hijax.VJPHiPrimitive):
    ...     def __init__(self, aval):
    ...         self.in_avals, self.out_aval, self.params = (aval,), aval, {}
    ...         super().__init__()
    ...     def expand(self, x): return x ** 3
    ...     def lin(self, nzs_in, x): return x ** 3, 3 * x ** 2
    ...     def linearized(self, slope, dx): return slope * dx
    ...     jvp = hijax.jvp_from_lin
    >>> jvp(Cube(typeof(2.)), (2.,), (1.,))
    (Array(8., dtype=float32, weak_type=True), Array(12., dtype=float32, weak_type=True))
    """
    moves = tuple([type(t) is not Zero for t in tree_flatten(tangents, is_leaf=lambda x: type(x) is Zero)[0]])
    out, res = self.lin(moves, *primals)[:2]
    return out, self.linearized(res, *_mapped(instantiate, tangents))


def _vjp_fwd_from_lin(self, nzs_in, *args):
    """Return the result, and what `linearized` needs."""
    return self.lin(nzs_in, *args)[:2]


def transpose_linearized(self, res, outgrad):
    """Return the cotangents of the operands, by the transpose of `linearized`.

    Args:
      self: the primitive, of which the function is a method.
      res: what the forward rule gave beside its result.
      outgrad: the cotangent of the result.
    Returns:
      (a cotangent for each operand)

    >>> from adjoint.experimental import hijax
    >>> class Cube(hijax.VJPHiPrimitive):
    ...     def __init__(self, aval):
    ...         self.in_avals, self.out_aval, self.params = (aval,), aval, {}
    ...         super().__init__()
    ...     def expand(self, x): return x ** 3
    ...     def lin(self, nzs_in, x): return x ** 3, 3 * x ** 2
    ...     def linearized(self, slope, dx): return slope * dx
    ...     vjp_fwd = hijax.vjp_fwd_from_lin
    ...     vjp_bwd_retval = hijax.transpose_linearized
    >>> grad(Cube(typeof(2.)))(2.)
    Array(12., dtype=float32, weak_type=True)
    """
    return _transposed(lambda *ts: self.linearized(res, *ts), self.in_avals, outgrad)


def _vjp_fwd_from_jvp(self, nzs_in, *args):
    """Return the result, and the operands."""
    return self(*args), args


def transpose_jvp(self, res, outgrad):
    """Return the cotangents of the operands, by the transpose of the rule for forward mode at the operands.

    Args:
      self: the primitive, of which the function is a method.
      res: what the forward rule gave beside its result.
      outgrad: the cotangent of the result.
    Returns:
      (a cotangent for each operand)

    >>> from adjoint.experimental import hijax
    >>> class Cube(hijax.VJPHiPrimitive):
    ...     def __init__(self, aval):
    ...         self.in_avals, self.out_aval, self.params = (aval,), aval, {}
    ...         super().__init__()
    ...     def expand(self, x): return x ** 3
    ...     def jvp(self, primals, tangents): return self(*primals), 3 * primals[0] ** 2 * tangents[0]
    ...     vjp_fwd = hijax.vjp_fwd_from_jvp
    ...     vjp_bwd_retval = hijax.transpose_jvp
    >>> grad(Cube(typeof(2.)))(2.)
    Array(12., dtype=float32, weak_type=True)
    """
    return _transposed(lambda *ts: _mapped(instantiate, self.jvp(res, ts)[1]), self.in_avals, outgrad)


linearize_from_jvp = Derived(_linearize_from_jvp, apply_derived_linearization)
vjp_fwd_from_lin = vjp_from_lin = Derived(_vjp_fwd_from_lin, transpose_linearized)
vjp_fwd_from_jvp = vjp_from_jvp = Derived(_vjp_fwd_from_jvp, transpose_jvp)
