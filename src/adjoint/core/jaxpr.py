"""Jaxprs: programs as data.

A `Jaxpr` is a list of equations over typed variables; a `ClosedJaxpr` adds the values of its constvars.
Jaxprs are immutable once finished, compared by identity, and may be shared: a sub-program that occurs
many times is one object, which is transformed and compiled once.

Tests: `tests/transforms/test_jaxprs.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .effects import Effect, no_effects
from .messages.places import SourceInfo
from .process.memo import Memo, fact
from .types import ShapedArray
from .values.numbers import as_typed
from .values.refs import AbstractRef, ref_effect

__all__ = ["ClosedJaxpr", "DropVar", "Jaxpr", "JaxprEqn", "JaxprEqnContext", "Literal", "Var"]


class Var:
    """A variable; equal only to itself.

    Args:
      aval: the type.
    """

    __slots__ = ("aval",)

    def __init__(self, aval: ShapedArray):
        self.aval = aval

    def __repr__(self):
        return f"Var(id={id(self)}):{self.aval.str_short(True)}"


class DropVar(Var):
    """A result that is not read; printed as `_`.

    Args:
      aval: the type.
    """

    __slots__ = ()

    def __repr__(self):
        return "_"


class Literal:
    """A scalar constant written into the program.

    Args:
      val: the scalar.
      aval: its type.
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

    def __repr__(self):
        from .printing import literal_text

        return literal_text(self)


Atom = Var | Literal


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
    """

    __slots__ = ("_source", "invars", "lanes", "outvars", "params", "primitive")

    def __init__(
        self, invars, outvars, primitive, params, effects=None, source_info=None, ctx=None
    ):
        self.invars: list[Atom] = invars
        self.outvars: list[Var] = outvars
        self.primitive = primitive
        self.params: dict[str, Any] = params
        self._source = source_info.source if isinstance(source_info, SourceInfo) else source_info
        self.lanes: Any = None

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


class Jaxpr:
    """A program: constvars and invars, equations in order, outvars.

    Args:
      constvars: variables of what the program closes over.
      invars: variables of the arguments.
      outvars: the results, variables and literals.
      eqns: the equations, in order.
      effects: what they do beside computing; default, found out.
      debug_info: names for messages.
      is_high: whether there are types of `experimental.hijax`.
    """

    __slots__ = ("__weakref__", "cache", "constvars", "debug_info", "eqns", "invars", "operation", "outvars")

    def __init__(
        self, constvars, invars, outvars, eqns, effects=no_effects, debug_info=None, is_high=False
    ):
        self.constvars: list[Var] = list(constvars)
        self.invars: list[Var] = list(invars)
        self.outvars: list[Atom] = list(outvars)
        self.eqns: list[JaxprEqn] = list(eqns)
        self.debug_info = debug_info
        self.operation: str | None = None  # by which engines may know it
        self.cache = Memo(_MAX_DERIVED, is_part=True)  # what was found of this program, or derived from it

    is_high = False

    @property
    def effects(self) -> set[Effect]:
        """Return the effects of the equations."""
        return set(effects_of(self))

    @property
    def in_avals(self) -> list[ShapedArray]:
        """Return the types of the arguments."""
        return [v.aval for v in self.invars]

    @property
    def out_avals(self) -> list[ShapedArray]:
        """Return the types of the results."""
        return [v.aval for v in self.outvars]

    def replace(self, **changes) -> Jaxpr:
        """Return a copy with some fields replaced.

        Args:
          changes: `constvars`, `invars`, `outvars`, `eqns` or `debug_info`.
        """
        names = ("constvars", "invars", "outvars", "eqns", "debug_info")
        return Jaxpr(**{n: changes.get(n, getattr(self, n)) for n in names})

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

        return print_jaxpr(
            self, JaxprPpSettings(print_shapes, source_info, name_stack, custom_pp_eqn_rules, print_effects)
        )

    def __str__(self):
        return self.pretty_print()

    __repr__ = __str__


class ClosedJaxpr:
    """A jaxpr and the values of its constvars.

    Args:
      jaxpr: the program.
      consts: the values of its constvars.
    """

    __slots__ = ("__weakref__", "consts", "jaxpr")

    def __init__(self, jaxpr: Jaxpr, consts: Sequence):
        assert len(consts) == len(jaxpr.constvars)
        self.jaxpr = jaxpr
        self.consts = list(consts)

    is_high = False
    constvars = property(lambda self: self.jaxpr.constvars, doc="Return the variables of what the program closes over.")
    invars = property(lambda self: self.jaxpr.invars, doc="Return the variables of the arguments.")
    outvars = property(lambda self: self.jaxpr.outvars, doc="Return the results: variables and literals.")

    @property
    def effects(self) -> set[Effect]:
        """Return the effects of the equations."""
        return self.jaxpr.effects

    @property
    def in_avals(self) -> list[ShapedArray]:
        """Return the types of the arguments."""
        return [v.aval for v in self.jaxpr.invars]

    @property
    def out_avals(self) -> list[ShapedArray]:
        """Return the types of the results."""
        return [v.aval for v in self.jaxpr.outvars]

    @property
    def eqns(self) -> list[JaxprEqn]:
        """Return the equations, in the order in which they run."""
        return self.jaxpr.eqns

    @property
    def literals(self) -> list:
        """Return the values of the constvars."""
        return self.consts

    @property
    def debug_info(self):
        """Return the names of the function, its arguments and its results."""
        return self.jaxpr.debug_info

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
        return ClosedJaxpr(
            self.jaxpr if jaxpr is None else jaxpr, self.consts if consts is None else consts
        )

    def pretty_print(
        self, *, source_info: bool = False, print_shapes: bool = True, name_stack: bool = False,
        custom_pp_eqn_rules: bool = True, print_effects: bool = False, **kwargs,
    ) -> str:
        """Return the program as text.

        Args:
          source_info: append the user's line to each equation.
          print_shapes: write the types of variables.
          name_stack: append the named scopes of each equation.
          custom_pp_eqn_rules: print calls by their own rules, as `jit` has one.
          print_effects: write the effects.
          kwargs: what is for terminals, such as colors, and is ignored.
        """
        return self.jaxpr.pretty_print(
            source_info=source_info, print_shapes=print_shapes, name_stack=name_stack,
            custom_pp_eqn_rules=custom_pp_eqn_rules, print_effects=print_effects,
        )

    def __str__(self):
        return self.pretty_print()

    __repr__ = __str__


_PLAIN = frozenset((int, bool, float, str, type(None)))  # what parameters mostly are


def sub_jaxprs(params: dict[str, Any]) -> Iterator[Jaxpr]:
    """The programs inside an equation's parameters."""
    for value in params.values():
        if type(value) in _PLAIN:
            continue
        for x in value if isinstance(value, (tuple, list)) else (value,):
            if type(x) in _PLAIN:
                continue
            if isinstance(x, ClosedJaxpr):
                yield x.jaxpr
            elif isinstance(x, Jaxpr):
                yield x


@fact
def effects_of(jaxpr: Jaxpr) -> frozenset[Effect]:
    """The effects of a program's equations."""
    found = no_effects.union(*{eqn.effects for eqn in jaxpr.eqns})
    if ref_effect in found and not any([type(v.aval) is AbstractRef for v in jaxpr.constvars + jaxpr.invars]):
        found -= {ref_effect}  # nothing outside sees its references
    return found


def effects_inside(params: dict[str, Any]) -> frozenset[Effect]:
    """The effects of the programs in an equation's parameters."""
    return no_effects.union(*[effects_of(sub) for sub in sub_jaxprs(params)])
