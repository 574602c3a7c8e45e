"""Types of values that libraries define: what they are made of, and how.

Tests: `tests/experimental/test_hijax.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.effects import DebugEffect, Effect, IOEffect, OrderedDebugEffect, OrderedIOEffect
from ...core.process.records import NamedTuple
from ...core.tree.registry import register_pytree_node
from ...core.types import AbstractValue, register_type
from ...core.values.changing import CHANGING
from ...core.values.zeros import Zero
from ...transforms.jvp import instantiate

__all__ = [
    "AvalMutableQDD", "AvalQDD", "HiPspec", "HiType", "MutableHiType", "aval_method", "aval_property",
    "control_flow_allowed_effects", "cur_qdd", "instantiate_zeros", "register_hitype",
]


def _absent(*_, **__):
    raise AssertionError("must override")


class HiType(AbstractValue):
    """The type of values that are made of arrays. Subclasses say how, and are hashable and comparable.

    >>> from adjoint.experimental import hijax
    >>> class PairType(hijax.HiType):
    ...     def lo_ty(self): return [typeof(1.), typeof(1.)]
    ...     def lower_val(self, pair): return list(pair)
    ...     def raise_val(self, *pair): return pair
    >>> PairType().raise_val(*PairType().lower_val((1., 2.)))
    (1.0, 2.0)
    """

    is_high = True
    has_qdd = False

    def lo_ty(self) -> list:
        """Return the types of the arrays that a value is made of."""
        return _absent()

    def lower_val(self, hi_val) -> list:
        """Return the arrays that a value is made of."""
        return _absent()

    def raise_val(self, *lo_vals):
        """Return the value that is made of these arrays."""
        return _absent()

    def to_tangent_aval(self) -> AbstractValue:
        """Return the type of tangents of a value."""
        return _absent()

    def to_ct_aval(self) -> AbstractValue:
        """Return the type of cotangents of a value, that of tangents if no other is said."""
        return self.to_tangent_aval()

    def vspace_zero(self):
        """Return the zero of a type of tangents."""
        return _absent()

    def vspace_add(self, x, y):
        """Return the sum of two values of a type of tangents."""
        return _absent()

    def dec_rank(self, size: int | None, spec) -> HiType:
        """Return the type of one element of a batch."""
        return _absent()

    def inc_rank(self, size: int | None, spec) -> HiType:
        """Return the type of a batch of values."""
        return _absent()

    def leading_axis_spec(self):
        """Return what says that a batch has its axis in front."""
        return _absent()

    def shard(self, mesh, manual_axes: frozenset, check_vma: bool, spec) -> HiType:
        """Return the type of one device's part."""
        return _absent()

    def unshard(self, mesh, check_vma: bool, spec) -> HiType:
        """Return the type of the whole of which devices have parts."""
        return _absent()

    def nospec(self, mesh, check_vma: bool, all_names: tuple):
        """Return what says that each device has the whole."""
        return _absent()

    def str_short(self, short_dtypes: bool = False, mesh_axis_types: bool = False) -> str:
        """Return the text of the type in programs."""
        return str(self)


class MutableHiType(HiType):
    """The type of values that change: what they hold has types of its own, which may change too.

    >>> from adjoint.experimental import hijax
    >>> class BoxType(hijax.MutableHiType):
    ...     def lo_ty_qdd(self, held): return [held]
    ...     def read_loval(self, held, box): return [box.value]
    >>> BoxType().lo_ty_qdd(typeof(1.))
    [ShapedArray(float32[], weak_type=True)]
    """

    has_qdd = True
    is_writer = True
    type_state = None

    def lo_ty(self) -> list:
        raise TypeError("mutable hitypes should use lo_ty_qdd instead")

    def lo_ty_qdd(self, state, /) -> list:
        """Return the types of the arrays that a value holds in a state."""
        return _absent()

    def new_from_loval(self, state, /, *vals):
        """Return a new value that holds these arrays."""
        return _absent()

    def read_loval(self, state, val, /) -> list:
        """Return the arrays that a value holds."""
        return _absent()

    def read_loval_in(self, state, val, /) -> list:
        """Return the arrays that a value holds when a program begins."""
        return self.read_loval(state, val)

    def read_loval_out(self, state, val, /) -> list:
        """Return the arrays that a value holds when a program ends."""
        return self.read_loval(state, val)

    def update_from_loval(self, state, val, /, *lo_vals) -> None:
        """Let a value hold these arrays."""
        _absent()

    def update_from_loval2(self, state, val, lo_vals, /) -> None:
        """Let a value hold the arrays of a list."""
        self.update_from_loval(state, val, *lo_vals)


class HiPspec:
    """The division of a value of a `HiType` over devices.

    >>> from adjoint.experimental import hijax
    >>> class Rows(hijax.HiPspec):
    ...     def to_lo(self): return P("x", None), P("x")
    >>> Rows().to_lo()
    (P('x', None), P('x',))
    """

    def to_lo(self) -> tuple:
        """Return how the arrays that the value is made of are divided."""
        return _absent()

    def to_tangent_spec(self) -> HiPspec:
        """Return how a tangent is divided."""
        return _absent()

    def to_ct_spec(self) -> HiPspec:
        """Return how a cotangent is divided."""
        return _absent()


class AvalQDD(NamedTuple):
    """The type of a value that changes, and the types of what it holds now.

    Args:
      aval: the type of the value.
      qdd: the types of what it holds.

    >>> from adjoint.experimental import hijax
    >>> class Box(hijax.MutableHiType):
    ...     def lo_ty_qdd(self, held): return [held]
    >>> hijax.AvalQDD(Box(), typeof(jnp.ones(2))).lo_ty()
    [ShapedArray(float32[2])]
    """

    aval: Any
    qdd: Any

    has_qdd = True
    is_high = property(lambda self: self.aval.is_high)
    is_writer = property(lambda self: self.aval.is_writer)

    def lo_ty(self) -> list:
        """Return the types of the arrays that the value holds."""
        return self.aval.lo_ty_qdd(self.qdd)

    def read_loval(self, val) -> list:
        """Return the arrays that a value of this type holds."""
        return self.aval.read_loval(self.qdd, val)

    read_loval_in = read_loval_out = read_loval

    def new_from_loval(self, *lovals):
        """Return a new value of this type that holds these arrays."""
        return self.aval.new_from_loval(self.qdd, *lovals)

    def to_tangent_aval(self) -> AvalQDD:
        """Return the type of a tangent, and of what that holds."""
        return AvalQDD(self.aval.to_tangent_aval(), self.qdd.to_tangent_qdd())


class AvalMutableQDD(NamedTuple):
    """The type of a value that changes, and where the types of what it holds are noted while a program is written.

    Args:
      aval: the type of the value.
      mutable_qdd: an object that has the types in `cur_val`.

    >>> from adjoint.experimental import hijax
    >>> hijax.AvalMutableQDD("a box", None).aval
    'a box'
    """

    aval: Any
    mutable_qdd: Any


class aval_method(NamedTuple):
    """A function of a type that values of it have as a method.

    Args:
      fun: a function of the value, and of further arguments.

    >>> from adjoint.experimental import hijax
    >>> class Meters(hijax.HiType):
    ...     in_feet = hijax.aval_method(lambda value: value / 0.3048)
    >>> Meters.in_feet.fun(3.048)
    10.0
    """

    fun: Callable


class aval_property(NamedTuple):
    """A function of a type that values of it have as a property.

    Args:
      fget: a function of the value.

    >>> from adjoint.experimental import hijax
    >>> class Meters(hijax.HiType):
    ...     unit = hijax.aval_property(lambda value: "m")
    >>> Meters.unit.fget(3.)
    'm'
    """

    fget: Callable


class _Kinds:
    """A set of kinds of effects, which libraries add their own to."""

    def __init__(self, *kinds: type[Effect]):
        self._kinds = set(kinds)

    def add_type(self, kind: type[Effect]) -> None:
        """Add a kind of effects."""
        self._kinds.add(kind)

    def contains(self, effect: Effect) -> bool:
        """Return whether an effect is of one of the kinds."""
        return isinstance(effect, tuple(self._kinds))

    def filter_in(self, effects) -> list[Effect]:
        """Return the effects of these kinds."""
        return [e for e in effects if self.contains(e)]

    def filter_not_in(self, effects) -> list[Effect]:
        """Return the effects of other kinds."""
        return [e for e in effects if not self.contains(e)]


control_flow_allowed_effects = _Kinds(DebugEffect, OrderedDebugEffect, IOEffect, OrderedIOEffect)


def register_hitype(val_cls: type, typeof_fn: Callable[[Any], HiType]) -> None:
    """Say that values of a class have a `HiType`, which `typeof_fn` gives.

    A value that does not change passes through transformations as the tree of arrays that it is made of. One that
    changes, whose class has a method `cur_qdd`, passes into and out of `jit`, and functions may close over it.

    Args:
      val_cls: the class.
      typeof_fn: a function of a value, which gives its type.

    >>> from adjoint.experimental import hijax
    >>> class Pair:
    ...     def __init__(self, x, y): self.x, self.y = x, y
    >>> class PairType(hijax.HiType):
    ...     def lower_val(self, pair): return [pair.x, pair.y]
    ...     def raise_val(self, x, y): return Pair(x, y)
    >>> hijax.register_hitype(Pair, lambda pair: PairType())
    >>> jit(lambda pair: Pair(pair.y, pair.x))(Pair(1., 2.)).x
    Array(2., dtype=float32, weak_type=True)
    """
    register_type(val_cls, typeof_fn)
    if hasattr(val_cls, "cur_qdd"):
        CHANGING.add(val_cls)
        return

    def flatten(value):
        ty = typeof_fn(value)
        return ty.lower_val(value), ty

    register_pytree_node(val_cls, flatten, lambda ty, leaves: ty.raise_val(*leaves))


def cur_qdd(x):
    """Return what a value that changes says of the types of what it holds now.

    Args:
      x: a value with a method `cur_qdd`, as those of `hijax` have.
    Returns:
      What that method returns.

    >>> from adjoint.experimental import cur_qdd
    >>> class Box:
    ...     def cur_qdd(self): return "a number"
    >>> cur_qdd(Box())
    'a number'
    """
    return x.cur_qdd()


def instantiate_zeros(tangent):
    """Return a tangent as a value: a symbolic zero is made real.

    Args:
      tangent: a value, or a symbolic zero.
    Returns:
      A value.

    >>> from adjoint.experimental import hijax
    >>> hijax.instantiate_zeros(2.)
    2.0
    """
    return instantiate(tangent) if isinstance(tangent, Zero) else tangent
