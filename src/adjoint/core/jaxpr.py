"""Jaxprs: programs as data.

A `Jaxpr` is a list of equations over typed variables; a `ClosedJaxpr` adds the values of its constvars.
Jaxprs are immutable once finished, compared by identity, and may be shared: a sub-program that occurs
many times is one object, which is transformed and compiled once.

Tests: `tests/transforms/test_jaxprs.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .atoms import Atom, DropVar, Literal, Program, Var, sub_jaxprs
from .effects import Effect, no_effects
from .messages.places import SourceInfo
from .process.memo import Memo, fact
from .types import ShapedArray
from .values.refs import AbstractRef, ref_effect

__all__ = [
    "Atom", "ClosedJaxpr", "DropVar", "Jaxpr", "JaxprEqn", "JaxprEqnContext", "Literal", "Var", "effects_inside",
    "effects_of", "sub_jaxprs",
]


class JaxprEqnContext:
    """The context of an equation: nothing holds beside its parameters."""

    compute_type = xla_metadata = None


class JaxprEqn:
    """`outvars = primitive[params] invars`, with the place in the user's program.

    Args:
      invars: the operands, variables and literals.
      outvars: the variables of the results.
      primitive: the operation.
      params: its parameters.
      effects: what it does beside computing; default, what the primitive says.
      source_info: the place in the user's program.
      ctx: for compatibility with JAX; not read.
    Attributes:
      lanes: of equations that choose between the results of branches for each element of a batch, the same as branches
        of one element (`control_flow/lanes.py`), which an engine may run instead.

    >>> closed = make_jaxpr(lambda x: x * 2)(1.0)
    >>> eqn = closed.jaxpr.eqns[0]
    >>> eqn.primitive.name, eqn.params, len(eqn.invars)
    ('mul', {}, 2)
    """

    __slots__ = ("_source", "invars", "lanes", "outvars", "params", "primitive")

    def __init__(self, invars, outvars, primitive, params, effects=None, source_info=None, ctx=None):
        self.invars: list[Atom] = invars
        self.outvars: list[Var] = outvars
        self.primitive = primitive
        self.params: dict[str, Any] = params
        self._source = source_info.source if isinstance(source_info, SourceInfo) else source_info
        self.lanes: Any = None

    def __reduce__(self):  # without the place in the user's program, which may not be there where it is read
        fields = self.invars, self.outvars, self.primitive, self.params
        return JaxprEqn, fields, (None, {"lanes": self.lanes})

    ctx = JaxprEqnContext()

    @property
    def effects(self) -> frozenset[Effect]:
        """Return what the equation does beside computing its results."""
        rule = self.primitive.effects_rule
        return no_effects if rule is None else rule(self.params)

    @property
    def source_info(self) -> SourceInfo:
        """Return the place in the user's program."""
        return SourceInfo(self._source)

    def replace(self, **changes) -> JaxprEqn:
        """Return a copy with some fields replaced.

        Args:
          changes: `invars`, `outvars`, `primitive`, `params` or `source_info`.
        """
        names = ("invars", "outvars", "primitive", "params")
        fields = {n: changes.get(n, getattr(self, n)) for n in names}
        return JaxprEqn(**fields, source_info=changes.get("source_info", self._source))

    def __repr__(self):
        from .printing import print_eqn

        return print_eqn(self)


_MAX_DERIVED = 256  # programs and facts that are kept with a program


class _Readable(Program):
    """A program that is read: by its types, its effects and its text."""

    __slots__ = ()

    is_high = False

    @property
    def effects(self) -> set[Effect]:
        """Return the effects of the equations."""
        return set(effects_of(self._program))

    @property
    def in_avals(self) -> list[ShapedArray]:
        """Return the types of the arguments."""
        return [v.aval for v in self._program.invars]

    @property
    def out_avals(self) -> list[ShapedArray]:
        """Return the types of the results."""
        return [v.aval for v in self._program.outvars]

    def pretty_print(
        self, *, source_info: bool = False, print_shapes: bool = True, custom_pp_eqn_rules: bool = True,
        name_stack: bool = False, print_effects: bool = False, **kwargs,
    ) -> str:
        """Return the program as text.

        Args:
          source_info: append the user's line to each equation.
          print_shapes: write the types of variables.
          custom_pp_eqn_rules: print calls by their own rules, as `jit` has one.
          name_stack: append the named scopes of each equation.
          print_effects: write the effects.
          kwargs: what is for terminals, such as colors, and is ignored.
        """
        from .printing import JaxprPpSettings, print_jaxpr

        settings = JaxprPpSettings(print_shapes, source_info, name_stack, custom_pp_eqn_rules, print_effects)
        return print_jaxpr(self._program, settings)

    def __repr__(self):
        return self.pretty_print()


class Jaxpr(_Readable):
    """A program: constvars and invars, equations in order, outvars.

    Args:
      constvars: variables of what the program closes over.
      invars: variables of the arguments.
      outvars: the results, variables and literals.
      eqns: the equations, in order.
      effects: what they do beside computing; default, found out.
      debug_info: names for messages.
      is_high: whether there are types of `experimental.hijax`.

    >>> closed = make_jaxpr(lambda x: x * 2)(1.0)
    >>> len(closed.jaxpr.invars), len(closed.jaxpr.eqns), len(closed.jaxpr.outvars)
    (1, 1, 1)
    """

    __slots__ = ("cache", "constvars", "debug_info", "eqns", "invars", "operation", "outvars")

    def __init__(self, constvars, invars, outvars, eqns, effects=no_effects, debug_info=None, is_high=False):
        self.constvars: list[Var] = list(constvars)
        self.invars: list[Var] = list(invars)
        self.outvars: list[Atom] = list(outvars)
        self.eqns: list[JaxprEqn] = list(eqns)
        self.debug_info = debug_info
        self.operation: str | None = None  # by which engines may know it
        self.cache = Memo(_MAX_DERIVED, is_part=True)  # what was found of this program, or derived from it

    _program = property(lambda self: self)

    def __reduce__(self):  # without what was found of it
        fields = self.constvars, self.invars, self.outvars, self.eqns, no_effects, self.debug_info
        return Jaxpr, fields, (None, {"operation": self.operation})

    def replace(self, **changes) -> Jaxpr:
        """Return a copy with some fields replaced.

        Args:
          changes: `constvars`, `invars`, `outvars`, `eqns` or `debug_info`.
        """
        names = ("constvars", "invars", "outvars", "eqns", "debug_info")
        return Jaxpr(**{n: changes.get(n, getattr(self, n)) for n in names})


class ClosedJaxpr(_Readable):
    """A jaxpr and the values of its constvars.

    Args:
      jaxpr: the program.
      consts: the values of its constvars.

    >>> closed = make_jaxpr(lambda x: x * 2)(1.0)
    >>> closed.in_avals, closed.jaxpr.eqns[0].primitive
    ([ShapedArray(float32[], weak_type=True)], mul)
    """

    __slots__ = ("consts", "jaxpr")

    def __init__(self, jaxpr: Jaxpr, consts: Sequence):
        assert len(consts) == len(jaxpr.constvars)
        self.jaxpr = jaxpr
        self.consts = list(consts)

    constvars = property(lambda self: self.jaxpr.constvars, doc="Return the variables of what the program closes over.")
    invars = property(lambda self: self.jaxpr.invars, doc="Return the variables of the arguments.")
    outvars = property(lambda self: self.jaxpr.outvars, doc="Return the results: variables and literals.")

    debug_info = property(
        lambda self: self.jaxpr.debug_info, doc="Return the names of the function, its arguments and its results."
    )
    literals = property(lambda self: self.consts, doc="Return the values of the constvars.")
    _program = property(lambda self: self.jaxpr)

    @property
    def eqns(self) -> list[JaxprEqn]:
        """Return the equations, in the order in which they run."""
        return self.jaxpr.eqns

    def map_jaxpr(self, f) -> ClosedJaxpr:
        """Return the closed jaxpr with another program for the same constants.

        Args:
          f: jaxpr -> jaxpr.
        """
        return ClosedJaxpr(f(self.jaxpr), self.consts)

    def replace(self, *, jaxpr=None, consts=None) -> ClosedJaxpr:
        """Return a copy with another program or other constants.

        Args:
          jaxpr: the program; default, the one it has.
          consts: the values of its constvars; default, those it has.
        """
        return ClosedJaxpr(self.jaxpr if jaxpr is None else jaxpr, self.consts if consts is None else consts)


@fact
def effects_of(jaxpr: Jaxpr) -> frozenset[Effect]:
    """Return the effects of a program's equations."""
    found = no_effects.union(*{eqn.effects for eqn in jaxpr.eqns})
    if ref_effect in found and not any([type(v.aval) is AbstractRef for v in jaxpr.constvars + jaxpr.invars]):
        found -= {ref_effect}  # nothing outside sees its references
    return found


def effects_inside(params: dict[str, Any]) -> frozenset[Effect]:
    """Return the effects of the programs in an equation's parameters."""
    return no_effects.union(*[effects_of(sub) for sub in sub_jaxprs(params)])
