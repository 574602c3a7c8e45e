"""`Primitive`: an operation and all of its rules.

The rules stand on the object and are written together, as decorated functions:

    cumsum = Primitive("cumsum", linear=True)

    @cumsum.type                 avals, params -> aval (a list of avals with multiple_results)
    @cumsum.evaluate             NumPy arrays, params -> NumPy array
    @cumsum.jvp                  primals, tangents, params -> primal out, tangent out
    @cumsum.transpose            cotangent, args (UndefinedPrimal where linear), params -> cotangents
    @cumsum.batch                args, batch axes, params -> out, its batch axis
    cumsum.examples(...)         operand avals and params that the test harness tries every rule on

Primitives that hold programs (`jit`, `scan`, ...) have further rules in their place, with params as a dict:

    linearize    tape, primals, tangents, params -> outs, tangents out (variables of the tape, or Zero)
    batch_axis   Axis(name, size), args, batch axes, params -> outs, their batch axes
    stage        staging trace, args, params -> outs: how to write it into a jaxpr, if not as it is
    eager        args (arrays), params -> outs: how to run it now, if not by `evaluate`
    varies       operand avals, params -> the manual mesh axes that the result varies over, if not those of the operands
    axes         params -> names of the mapped axes that it reads (collectives)
    discharge    args, some of them `Ref`s with values, params -> outs: run it on values, and store the last ones
    opened       args, params -> the same with programs that hold no tracers: these are operands
    stepwise     args (arrays), params: run it equation by equation, to find where something goes wrong
    plan         operand avals, params -> a function of buffers: what `evaluate` does, with all decided that types
                 decide, for steps that are repeated; None if there is no shorter way
    effects      params -> what it does beside computing its results; see effects.py

Further rules are for primitives that are defined outside, as JAX's libraries do (`extend`, `interpreters`):

    expand       arrays, params -> outs: the operation as a program of others, for compiled programs
    foreign      trace that is not ours, args, params -> outs: for calls of functions

A rule that is absent is `None`; `missing()` names them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from copy import copy
from typing import Any

from .messages.boundaries import guarded
from .messages.errors import is_internal, message, shorten
from .refs import Ref
from .trace import current, staged_reference, state
from .types import ShapedArray, register_aval

__all__ = ["Primitive", "UndefinedPrimal", "is_undefined_primal", "primitives"]

placed_results: Any = None  # what types say of devices, from prims/divisions.py
primitives: dict[str, Primitive] = {}  # every primitive of the library by name, in order of definition

_TYPES_KEPT = 8192  # inferred types remembered by one primitive


@guarded
class Primitive:
    """A named operation; call it, or `bind` it, with arrays and keyword parameters."""

    type_rule: Callable | None = None
    evaluate_rule: Callable | None = None
    jvp_rule: Callable | None = None
    transpose_rule: Callable | None = None
    batch_rule: Callable | None = None
    lower_rule: Callable | None = None
    emit_rule: Callable | None = None
    linearize_rule: Callable | None = None
    batch_axis_rule: Callable | None = None
    batch_trace_rule: Callable | None = None
    stage_rule: Callable | None = None
    eager_rule: Callable | None = None
    axes_rule: Callable | None = None
    effects_rule: Callable | None = None
    stepwise_rule: Callable | None = None
    plan_rule: Callable | None = None
    discharge_rule: Callable | None = None
    opened_rule: Callable | None = None
    expand_rule: Callable | None = None
    foreign_rule: Callable | None = None
    prune_rule: Callable | None = None
    own_impl: Callable | None = None

    multiple_results = False
    call_primitive = False
    runs_programs = False
    joins = True  # its operands vary over the same manual mesh axes, and its results then vary over these too
    varies_rule: Callable | None = None

    def __init__(
        self, name: str, *, multiple_results: bool = False, linear: bool = False,
        program: bool = False,
    ):
        self.name = name
        if multiple_results:
            self.multiple_results = multiple_results
        self.linear = linear
        if program:  # its parameters hold programs, which remembered types would keep alive
            self.runs_programs = True
            self.infer = self._infer
            self.joins = False
            self.bind = self._bind_program
        self.example_calls: list[Example] = []
        self._types: dict[Any, Any] = {}
        if not self.call_primitive and is_internal(sys._getframe(1).f_code.co_filename):
            primitives.setdefault(name, self)

    def bind(self, *args, **params):
        """Run the operation in whatever transformation is active."""
        return state.trace.process(self, args, params)

    __call__ = bind

    def _bind_program(self, *args, **params):
        """The same, for operands that may be references, and programs that may hold tracers."""
        if self.opened_rule is not None:
            args, params = self.opened_rule(args, params)
        if Ref not in map(type, args):
            return state.trace.process(self, args, params)
        args = tuple([staged_reference(x) if type(x) is Ref else x for x in args])
        refs = [x for x in args if type(x) is Ref]
        if len({id(x) for x in refs}) < len(refs):
            raise ValueError(
                "only one reference to a mutable array may be passed as an argument to a function, but one of "
                f"type {next(x.aval for x in refs)} was passed, or closed over, more than once.\n"
                "  Try: pass it once."
            )
        return (state.trace.process_with_refs if refs else state.trace.process)(self, args, params)

    def infer(self, avals: tuple[ShapedArray, ...], params: dict):
        """The type of the result, remembered by operand types and parameters."""
        key = (avals, *params.items()) if params else avals
        try:
            return self._types[key]
        except KeyError:
            if len(self._types) >= _TYPES_KEPT:
                self._types.clear()
            out = self._types[key] = self._infer(avals, params)
            return out
        except TypeError:  # an unhashable parameter
            return self._infer(avals, params)

    def _infer(self, avals, params):
        if self.type_rule is None:
            raise NotImplementedError(f"Abstract evaluation for '{self.name}' not implemented")
        out = self.type_rule(*avals, **params)
        if self.joins and (
            any([getattr(a, "division", None) is not None or getattr(a, "memory_space", None) is not None
                 for a in avals])
            or (params.get("sharding") is not None or params.get("out_sharding") is not None)
        ):
            out = placed_results(self, avals, params, out)
        if self.varies_rule is not None:
            return out.update(vma=self.varies_rule(*avals, **params))
        if self.joins and any([getattr(a, "vma", ()) for a in avals]):
            vma = frozenset().union(*[getattr(a, "vma", ()) for a in avals])
            return [a.update(vma=vma) for a in out] if self.multiple_results else out.update(vma=vma)
        return list(out) if self.multiple_results else out

    def type(self, rule):
        self.type_rule = rule
        self._types.clear()
        return rule

    def evaluate(self, rule):
        self.evaluate_rule = rule
        return rule

    def jvp(self, rule):
        self.jvp_rule = rule
        return rule

    def transpose(self, rule):
        self.transpose_rule = rule
        return rule

    def batch(self, rule):
        self.batch_rule = rule
        return rule

    def lower(self, rule):
        self.lower_rule = rule
        return rule

    def emit(self, rule):
        self.emit_rule = rule
        return rule

    def linearize(self, rule):
        self.linearize_rule = rule
        return rule

    def batch_axis(self, rule):
        self.batch_axis_rule = rule
        return rule

    def stage(self, rule):
        self.stage_rule = rule
        return rule

    def eager(self, rule):
        self.eager_rule = rule
        return rule

    def axes(self, rule):
        self.axes_rule = rule
        return rule

    def varies(self, rule):
        self.varies_rule = rule
        return rule

    def effects(self, rule):
        self.effects_rule = rule
        return rule

    def stepwise(self, rule):
        self.stepwise_rule = rule
        return rule

    def plan(self, rule):
        self.plan_rule = rule
        return rule

    def prune(self, rule):
        self.prune_rule = rule
        return rule

    def discharge(self, rule):
        self.discharge_rule = rule
        return rule

    def opened(self, rule):
        self.opened_rule = rule
        return rule

    # ---- the same rules, as they are set outside -----------------------------------------------------

    def def_impl(self, impl: Callable) -> Callable:
        """`impl(*args, **params)` runs the operation on arrays, NumPy arrays and scalars."""
        restored = type(impl) is Implementation and impl.primitive.name == self.name
        self.eager_rule = impl.primitive.eager_rule if restored else lambda args, params: impl(*args, **params)
        self.own_impl = impl
        return impl

    def def_abstract_eval(self, abstract_eval: Callable) -> Callable:
        """`abstract_eval(*avals, **params)` is the type of the result, or of each of several."""

        def types(*avals, **params):
            out = abstract_eval(*avals, **params)
            if isinstance(out, (tuple, list)) != bool(self.multiple_results):
                raise ValueError(
                    message(
                        f"{self.name}.abstract_eval() method should return a tuple or a list iff "
                        f"{self.name}.multiple_results.",
                        why=f"It returned {shorten(out)}, and multiple_results is {self.multiple_results}.",
                        fix=f"{self.name}.multiple_results = True, or return one type",
                    )
                )
            return out

        self.type_rule = types
        self.infer = self._infer  # an outsider's rule may have reasons to be run every time
        return abstract_eval

    def def_effectful_abstract_eval(self, abstract_eval: Callable) -> Callable:
        """`abstract_eval(*avals, **params)` is (the type, the set of effects)."""
        seen: set = set()  # effects are asked of the parameters alone, so these are what any call had

        def types(*avals, **params):
            out, effects = abstract_eval(*avals, **params)
            seen.update(effects)
            return out

        self.def_abstract_eval(types)
        self.effects_rule = lambda params: frozenset(seen)
        return abstract_eval

    def def_effectful_abstract_eval2(self, abstract_eval: Callable) -> Callable:
        """The same."""
        return self.def_effectful_abstract_eval(abstract_eval)

    def def_bind_with_trace(self, bind_with_trace: Callable) -> Callable:
        """`bind_with_trace(trace, args, avals, params)` takes the place of the method."""
        self.bind_with_trace = bind_with_trace
        self.foreign_rule = lambda trace, args, params: bind_with_trace(trace, args, None, params)
        return bind_with_trace

    @property
    def impl(self) -> Callable:
        """A function that runs the operation now, as it is defined at this time: `def_impl` takes it back."""
        if self.own_impl is None:
            self.own_impl = Implementation(copy(self))
        return self.own_impl

    def abstract_eval(self, *avals, **params):
        """(The type of the result, the effects)."""
        out = self.infer(avals, params)
        return out, set(self.effects_rule(params)) if self.effects_rule else set()

    def bind_with_trace(self, trace, args, *avals_and_params):
        """Run the operation in a given trace."""
        with current(trace):
            return trace.process(self, tuple(args), avals_and_params[-1])

    def get_bind_params(self, params: dict) -> dict:
        """The keyword arguments of `bind` that make an equation with `params` again."""
        return dict(params)

    def is_effectful(self, params: dict) -> bool:
        """Return whether equations with `params` may have effects."""
        return self.effects_rule is not None

    def examples(self, *calls) -> None:
        """Add example calls: operand avals (or arrays, where values matter) and last, if any, a dict of params."""
        for call in calls:
            call = call if isinstance(call, tuple) else (call,)
            params = call[-1] if call and isinstance(call[-1], dict) else {}
            operands = call[:-1] if call and isinstance(call[-1], dict) else call
            self.example_calls.append((operands, params))

    def missing(self) -> list[str]:
        """Names of the rules that this primitive should have and has not."""
        absent = [r for r in ("type", "evaluate") if getattr(self, f"{r}_rule") is None]
        if self.jvp_rule is None and not self.linear:
            absent.append("jvp")
        if self.linear and self.transpose_rule is None:
            absent.append("transpose")
        if self.batch_rule is None and self.batch_axis_rule is None:
            absent.append("batch")
        return absent

    def __repr__(self):
        return self.name


class Implementation:
    """The rules of a primitive by which it runs, as they were."""

    __slots__ = ("primitive",)

    def __init__(self, primitive: Primitive):
        self.primitive = primitive  # a copy, which later definitions leave as it is

    def __call__(self, *args, **params):
        return state.bottom.process(self.primitive, args, params)


Example = tuple[tuple, dict]


class UndefinedPrimal:
    """Stands for an operand that a transposed program is linear in: only its type is known."""

    __slots__ = ("aval",)

    def __init__(self, aval: ShapedArray):
        self.aval = aval

    def __repr__(self):
        return f"UndefinedPrimal({self.aval})"


def _not_linear(x: UndefinedPrimal):
    # JAX parity: the class of the error
    raise AssertionError(
        message(
            "A function that is transposed is not linear in its arguments: one of them is multiplied with itself or "
            f"another, divided by, or compared. It is of type {x.aval.str_short()}.",
            fix="jax.vjp(f, x)[1] for the transpose of the derivative of f at x",
        )
    )


register_aval(UndefinedPrimal, _not_linear)


def is_undefined_primal(x) -> bool:
    return type(x) is UndefinedPrimal
