"""Jaxprs: programs as data.

A `Jaxpr` is a list of equations over typed variables; a `ClosedJaxpr` adds the values of its constvars.
Jaxprs are immutable once finished, compared by identity, and may be shared: a sub-program that occurs
many times is one object, which is transformed and compiled once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .effects import Effect, no_effects
from .messages.boundaries import guarded
from .messages.errors import locate
from .refs import AbstractRef, ref_effect
from .types import ShapedArray, as_typed

__all__ = ["ClosedJaxpr", "DropVar", "Jaxpr", "JaxprEqn", "Literal", "Var"]


class Var:
    """A variable; equal only to itself."""

    __slots__ = ("aval",)

    def __init__(self, aval: ShapedArray):
        self.aval = aval

    def __repr__(self):
        return f"Var(id={id(self)}):{self.aval.str_short(True)}"


class DropVar(Var):
    """A result that nobody reads; printed as `_`."""

    __slots__ = ()

    def __repr__(self):
        return "_"


class Literal:
    """A scalar constant written into the program."""

    __slots__ = ("aval", "val")

    def __init__(self, val, aval: ShapedArray):
        self.val = val
        self.aval = aval

    @property
    def operand(self):
        """The value, of the literal's type to every reader."""
        return as_typed(self.val, self.aval)

    @property
    def hash(self):
        return hash(self.val)

    def __repr__(self):
        from .printing import literal_text

        return literal_text(self)


Atom = Var | Literal


class DebugInfo:
    """Names for messages and printing: the traced function's and its arguments'."""

    __slots__ = ("_arg_names", "_result_paths", "func_src_info", "traced_for")

    def __init__(
        self,
        traced_for: str,
        func_src_info: str,
        arg_names: Callable[[], Sequence[str]] | Sequence[str] | None = None,
        result_paths: Callable[[], Sequence[str]] | Sequence[str] | None = None,
    ):
        self.traced_for = traced_for
        self.func_src_info = func_src_info
        self._arg_names = arg_names  # maybe a thunk: names are only wanted in messages
        self._result_paths = result_paths

    @property
    def func_name(self) -> str:
        return self.func_src_info.split(" ")[0]

    @property
    def arg_names(self) -> tuple[str, ...]:
        names = self._arg_names() if callable(self._arg_names) else self._arg_names
        return tuple(names or ())

    @property
    def result_paths(self) -> tuple[str, ...]:
        paths = self._result_paths() if callable(self._result_paths) else self._result_paths
        return tuple(paths or ())

    def arg_name(self, i: int) -> str:
        names = self.arg_names
        return names[i] if i < len(names) else ""

    def dependence(self, trace, var) -> str:
        """Return which arguments `var` was computed from, in words."""
        inputs = set(trace.invars)
        makers = {v: eqn for eqn in trace.eqns for v in eqn.outvars}
        seen, stack, found = set(), [var], set()
        while stack:
            v = stack.pop()
            if v in seen or not isinstance(v, Var):
                continue
            seen.add(v)
            if v in inputs:
                found.add(v)
            elif v in makers:
                stack.extend(makers[v].invars)
        names = [self.arg_name(i) for i, v in enumerate(trace.invars) if v in found]
        names = [n for n in names if n]
        where = f"while tracing the function {self.func_src_info} for {self.traced_for}."
        if not names:
            return f"The error occurred {where}"
        plural = "s" if len(names) > 1 else ""
        return (
            f"The error occurred {where} This concrete value was not available in Python because it "
            f"depends on the value{plural} of the argument{plural} {' and '.join(names)}."
        )


class JaxprEqn:
    """`outvars = primitive[params] invars`, with the place in the user's program."""

    __slots__ = ("_source", "invars", "outvars", "params", "primitive")

    def __init__(
        self, invars, outvars, primitive, params, effects=None, source_info=None, ctx=None
    ):
        self.invars: list[Atom] = invars
        self.outvars: list[Var] = outvars
        self.primitive = primitive
        self.params: dict[str, Any] = params
        self._source = source_info.source if isinstance(source_info, SourceInfo) else source_info

    ctx = None

    @property
    def effects(self) -> frozenset[Effect]:
        """Return what the equation does beside computing its results."""
        rule = self.primitive.effects_rule
        return no_effects if rule is None else rule(self.params)

    @property
    def source_info(self) -> SourceInfo:
        return SourceInfo(self._source)

    def replace(self, **changes) -> JaxprEqn:
        names = ("invars", "outvars", "primitive", "params")
        fields = {n: changes.get(n, getattr(self, n)) for n in names}
        return JaxprEqn(**fields, source_info=changes.get("source_info", self._source))

    def __repr__(self):
        from .printing import print_eqn

        return print_eqn(self)


class SourceInfo:
    """The place of an equation in the user's program: `file:line (function)`."""

    __slots__ = ("code", "name_stack", "offset", "source")

    def __init__(self, source):
        self.source = source
        self.code, self.offset, *scopes = source or (None, 0)
        self.name_stack = "/".join(scopes[0]) if scopes else ""

    @property
    def file_name(self) -> str:
        return self.code.co_filename if self.code else "<unknown>"

    @property
    def function_name(self) -> str:
        return self.code.co_qualname if self.code else "<unknown>"

    @property
    def line(self) -> int:
        if self.code is None:
            return 0
        for start, end, line in self.code.co_lines():
            if start <= self.offset < end and line:
                return line
        return self.code.co_firstlineno

    def summary(self) -> str:
        """`file:line:column (function)`, or nothing if no place is known."""
        if self.code is None:
            return ""
        frame = locate(self.code, self.offset)
        column = "" if frame.column is None else f":{frame.column}"
        return f"{frame.file}:{frame.line}{column} ({self.code.co_qualname})"

    def __repr__(self):
        return f"{self.file_name}:{self.line} ({self.function_name})"


class Jaxpr:
    """A program: constvars and invars, equations in order, outvars."""

    __slots__ = ("__weakref__", "cache", "constvars", "debug_info", "eqns", "invars", "outvars")

    def __init__(
        self, constvars, invars, outvars, eqns, effects=no_effects, debug_info=None, is_high=False
    ):
        self.constvars: list[Var] = list(constvars)
        self.invars: list[Var] = list(invars)
        self.outvars: list[Atom] = list(outvars)
        self.eqns: list[JaxprEqn] = list(eqns)
        self.debug_info = debug_info
        self.cache: dict[Any, Any] = {}  # what transformations derived from this program

    is_high = False

    @property
    def effects(self) -> set[Effect]:
        """The effects of the equations."""
        return set(effects_of(self))

    @property
    def in_avals(self) -> list[ShapedArray]:
        return [v.aval for v in self.invars]

    @property
    def out_avals(self) -> list[ShapedArray]:
        return [v.aval for v in self.outvars]

    def replace(self, **changes) -> Jaxpr:
        names = ("constvars", "invars", "outvars", "eqns", "debug_info")
        return Jaxpr(**{n: changes.get(n, getattr(self, n)) for n in names})

    def pretty_print(
        self, *, source_info: bool = False, print_shapes: bool = True, custom_pp_eqn_rules: bool = True,
        name_stack: bool = False, print_effects: bool = False, **kwargs,
    ) -> str:
        """The text of the program; see `JaxprPpSettings`. What is for terminals, such as colors, is ignored."""
        from .printing import JaxprPpSettings, print_jaxpr

        return print_jaxpr(
            self, JaxprPpSettings(print_shapes, source_info, name_stack, custom_pp_eqn_rules, print_effects)
        )

    def __str__(self):
        return self.pretty_print()

    __repr__ = __str__


class ClosedJaxpr:
    """A jaxpr and the values of its constvars."""

    __slots__ = ("__weakref__", "consts", "jaxpr")

    def __init__(self, jaxpr: Jaxpr, consts: Sequence):
        assert len(consts) == len(jaxpr.constvars)
        self.jaxpr = jaxpr
        self.consts = list(consts)

    is_high = False
    constvars = property(lambda self: self.jaxpr.constvars)
    invars = property(lambda self: self.jaxpr.invars)
    outvars = property(lambda self: self.jaxpr.outvars)

    @property
    def effects(self) -> set[Effect]:
        """The effects of the equations."""
        return self.jaxpr.effects

    @property
    def in_avals(self) -> list[ShapedArray]:
        return [v.aval for v in self.jaxpr.invars]

    @property
    def out_avals(self) -> list[ShapedArray]:
        return [v.aval for v in self.jaxpr.outvars]

    @property
    def eqns(self) -> list[JaxprEqn]:
        return self.jaxpr.eqns

    @property
    def literals(self) -> list:
        return self.consts

    @property
    def debug_info(self):
        return self.jaxpr.debug_info

    def map_jaxpr(self, f) -> ClosedJaxpr:
        return ClosedJaxpr(f(self.jaxpr), self.consts)

    def replace(self, *, jaxpr=None, consts=None) -> ClosedJaxpr:
        return ClosedJaxpr(
            self.jaxpr if jaxpr is None else jaxpr, self.consts if consts is None else consts
        )

    def pretty_print(
        self, *, source_info: bool = False, print_shapes: bool = True, name_stack: bool = False,
        custom_pp_eqn_rules: bool = True, print_effects: bool = False, **kwargs,
    ) -> str:
        """The text of the program; see `JaxprPpSettings`. What is for terminals, such as colors, is ignored."""
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


def effects_of(jaxpr: Jaxpr) -> frozenset[Effect]:
    """The effects of a program's equations, found once."""
    found = jaxpr.cache.get("effects")
    if found is None:
        found = no_effects.union(*{eqn.effects for eqn in jaxpr.eqns})
        if ref_effect in found and not any([type(v.aval) is AbstractRef for v in jaxpr.constvars + jaxpr.invars]):
            found -= {ref_effect}  # nobody outside sees its references
        jaxpr.cache["effects"] = found
    return found


def uses_refs(jaxpr: Jaxpr) -> bool:
    """Return whether the program, or one inside it, has equations about references."""
    found = jaxpr.cache.get("uses refs")
    if found is None:
        variables = [*jaxpr.constvars, *jaxpr.invars, *[v for eqn in jaxpr.eqns for v in eqn.outvars]]
        read = AbstractRef in {type(v.aval) for v in variables} and any([
            type(v.aval) is AbstractRef for eqn in jaxpr.eqns for v in (*eqn.invars, *eqn.outvars)
        ])
        found = read or any([uses_refs(sub) for eqn in jaxpr.eqns if eqn.params for sub in sub_jaxprs(eqn.params)])
        jaxpr.cache["uses refs"] = found
    return found


def rules_see_refs(jaxpr: Jaxpr) -> bool:
    """Return whether the program, or one inside it, calls a function whose own rules are given references."""
    found = jaxpr.cache.get("rules see refs")
    if found is None:
        calls = [eqn for eqn in jaxpr.eqns if "call_jaxpr" in eqn.params]
        given = any([type(v.aval) is AbstractRef for eqn in calls for v in eqn.invars])
        inside = [sub for eqn in jaxpr.eqns if eqn.params for sub in sub_jaxprs(eqn.params)]
        found = jaxpr.cache["rules see refs"] = given or any(map(rules_see_refs, inside))
    return found


def effects_inside(params: dict[str, Any]) -> frozenset[Effect]:
    """The effects of the programs in an equation's parameters."""
    return no_effects.union(*[effects_of(sub) for sub in sub_jaxprs(params)])


def live_eqns(
    eqns: Sequence[JaxprEqn], outvars: Sequence[Atom], inside: bool = False
) -> tuple[list[JaxprEqn], set[Atom]]:
    """The equations that `outvars` need or that have effects, and all variables that are read.

    With `inside`, what is dead within the programs of the equations is dropped too.
    """
    live = {v for v in outvars if type(v) is not Literal}
    kept = []
    for eqn in reversed(eqns):
        if not live.isdisjoint(eqn.outvars) or eqn.effects:
            if inside and eqn.primitive.prune_rule is not None:
                eqn = _pruned(eqn, tuple([v in live for v in eqn.outvars]))
            kept.append(eqn)
            live.update([v for v in eqn.invars if type(v) is not Literal])
    return kept[::-1], live


@guarded
def eval_jaxpr(jaxpr: Jaxpr, consts: Sequence, *args, propagate_source_info: bool = True) -> list:
    """Run the equations one by one through the current trace.

    With `propagate_source_info`, what becomes of an equation has the equation's place in the program.
    """
    from .trace import state  # trace.py imports this module

    env: dict[Any, Any] = dict(zip(jaxpr.constvars, consts))
    env.update(zip(jaxpr.invars, args, strict=True))
    before = state.source
    try:
        for eqn in jaxpr.eqns:
            operands = [v.operand if type(v) is Literal else env[v] for v in eqn.invars]
            if propagate_source_info:
                state.source = eqn._source
            out = eqn.primitive.bind(*operands, **eqn.params)
            if eqn.primitive.multiple_results:
                env.update(zip(eqn.outvars, out))
            else:
                env[eqn.outvars[0]] = out
    finally:
        state.source = before
    return [v.operand if type(v) is Literal else env[v] for v in jaxpr.outvars]


def jaxpr_as_fun(closed: ClosedJaxpr) -> Callable:
    """The program as a function of its flat arguments."""
    return lambda *args: eval_jaxpr(closed.jaxpr, closed.consts, *args)


def _pruned(eqn: JaxprEqn, used: tuple[bool, ...]) -> JaxprEqn:
    """The equation without the results that are not used and the operands that it then does not read.

    The primitive's `prune` rule gives the parameters, which operands and which results stay.
    """
    params, kept, stay = eqn.primitive.prune_rule(eqn.params, used)  # type: ignore[misc]
    if params is eqn.params:
        return eqn
    return eqn.replace(
        invars=[v for v, k in zip(eqn.invars, kept, strict=True) if k],
        outvars=[v for v, s in zip(eqn.outvars, stay, strict=True) if s], params=params,
    )


def prune_program(
    closed: ClosedJaxpr, used: tuple[bool, ...], keep: bool | tuple[bool, ...] = False
) -> tuple[ClosedJaxpr, tuple[bool, ...]]:
    """`dce_jaxpr` of a program, inside of its equations too; remembered, and the same object if nothing is dead."""
    cache = closed.jaxpr.cache
    key = ("pruned", used, keep)
    if key not in cache:
        keep = keep if isinstance(keep, bool) else list(keep)
        jaxpr, kept = dce_jaxpr(closed.jaxpr, used, keep, inside=True)
        same = all(used) and all(kept) and len(jaxpr.eqns) == len(closed.jaxpr.eqns)
        if same and all([a is b for a, b in zip(jaxpr.eqns, closed.jaxpr.eqns)]):
            jaxpr = closed.jaxpr
        cache[key] = jaxpr, tuple(kept)
    jaxpr, kept = cache[key]
    return (closed if jaxpr is closed.jaxpr else ClosedJaxpr(jaxpr, closed.consts)), kept


def dce_jaxpr(
    jaxpr: Jaxpr, used_outputs: Sequence[bool], instantiate: bool | list[bool] = False, *, inside: bool = False
):
    """Drop what `used_outputs` do not need: the smaller jaxpr and which inputs it still has.

    With `instantiate`, all inputs stay (a bool, or one bool an input). With `inside`, programs inside programs
    lose what is dead as well.
    """
    outvars = [v for v, used in zip(jaxpr.outvars, used_outputs, strict=True) if used]
    eqns, live = live_eqns(jaxpr.eqns, outvars, inside)
    keep = [instantiate] * len(jaxpr.invars) if isinstance(instantiate, bool) else instantiate
    used_inputs = [v in live or k for v, k in zip(jaxpr.invars, keep)]
    invars = [v for v, used in zip(jaxpr.invars, used_inputs) if used]
    new = jaxpr.replace(invars=invars, outvars=outvars, eqns=eqns, debug_info=None)
    return new, used_inputs


# Checks of libraries: (None, *types of the operands, **params) -> (types of the results, effects).
custom_typechecks: dict[Any, Callable] = {}


def check_jaxpr(jaxpr: Jaxpr) -> None:
    """Raise if a variable is read before it is bound or a type disagrees with its primitive's rule."""
    bound = set(jaxpr.constvars) | set(jaxpr.invars)

    def check_atom(v):
        if type(v) is not Literal and v not in bound:
            raise TypeError(f"Variable {v!r} is read before it is defined")

    for eqn in jaxpr.eqns:
        for v in eqn.invars:
            check_atom(v)
        for sub in sub_jaxprs(eqn.params):
            check_jaxpr(sub)
        avals = tuple([v.aval for v in eqn.invars])
        if eqn.primitive in custom_typechecks:
            outs, _ = custom_typechecks[eqn.primitive](None, *avals, **eqn.params)
        else:
            out = eqn.primitive.infer(avals, eqn.params)
            outs = out if eqn.primitive.multiple_results else [out]
        for v, aval in zip(eqn.outvars, outs, strict=True):
            if v.aval.strip_weak_type() is not aval.strip_weak_type():
                raise TypeError(f"{eqn.primitive} makes {aval}, its variable is {v.aval}")
            bound.add(v)
    for v in jaxpr.outvars:
        check_atom(v)
