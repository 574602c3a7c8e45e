"""Definitions of primitives and traces by libraries: JAX's methods, in terms of the rules of `Primitive`.

Tests: `tests/extend/test_primitives.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from types import GenericAlias
from typing import TYPE_CHECKING

from .messages.errors import message, shorten
from .state import current, state

if TYPE_CHECKING:
    from .primitive import Primitive

__all__ = ["Definitions", "LibraryTrace"]


class Definitions:
    """The methods by which libraries set rules and ask for them."""

    own_impl: Callable | None = None

    def take_methods(self):
        """Take the methods of a subclass as rules, where it defines JAX's by overriding them."""
        cls = type(self)
        if cls.impl is not Definitions.impl:
            self.def_impl(self.impl)
        if cls.abstract_eval is not Definitions.abstract_eval:
            self.def_effectful_abstract_eval(self.abstract_eval)
        if cls.bind_with_trace is not Definitions.bind_with_trace:
            self.def_bind_with_trace(self.bind_with_trace)

    def def_impl(self, impl: Callable) -> Callable:
        """Set what runs the operation on arrays, NumPy arrays and scalars; usable as a decorator.

        Args:
          impl: `impl(*args, **params)`, which returns the result, or a list of several.
        """
        restored = type(impl) is Implementation and impl.primitive.name == self.name
        self.eager_rule = impl.primitive.eager_rule if restored else lambda args, params: impl(*args, **params)
        self.own_impl = impl
        return impl

    def def_abstract_eval(self, abstract_eval: Callable) -> Callable:
        """Set what gives the type of the result; usable as a decorator.

        Args:
          abstract_eval: `abstract_eval(*avals, **params)`, which returns an aval, or a list of several.
        """

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
        """Set what gives the type of the result and the effects; usable as a decorator.

        Args:
          abstract_eval: `abstract_eval(*avals, **params)`, which returns (the type, the set of effects).
        """
        seen: set = set()  # effects are asked of the parameters alone, so these are what any call had

        def types(*avals, **params):
            out, effects = abstract_eval(*avals, **params)
            seen.update(effects)
            return out

        self.def_abstract_eval(types)
        self.effects_rule = lambda params: frozenset(seen)
        return abstract_eval

    def def_effectful_abstract_eval2(self, abstract_eval: Callable) -> Callable:
        """Do the same as `def_effectful_abstract_eval`.

        Args:
          abstract_eval: `abstract_eval(*avals, **params)`, which returns (the type, the set of effects).
        """
        return self.def_effectful_abstract_eval(abstract_eval)

    def def_bind_with_trace(self, bind_with_trace: Callable) -> Callable:
        """Set what takes the place of the method `bind_with_trace`; usable as a decorator.

        Args:
          bind_with_trace: `bind_with_trace(trace, args, avals, params)`, which returns the result.
        """
        self.bind_with_trace = bind_with_trace
        self.foreign_rule = lambda trace, args, params: bind_with_trace(trace, args, None, params)
        return bind_with_trace

    @property
    def impl(self) -> Callable:
        """Return a function that runs the operation now, as it is defined at this time: `def_impl` takes it back."""
        if self.own_impl is None:
            self.own_impl = Implementation(copy(self))
        return self.own_impl

    def abstract_eval(self, *avals, **params):
        """Return (the type of the result, the effects).

        Args:
          avals: the types of the operands.
          params: the parameters of the equation.
        """
        out = self.infer(avals, params)
        return out, set(self.effects_rule(params)) if self.effects_rule else set()

    def bind_with_trace(self, trace, args, *avals_and_params):
        """Run the operation in a given trace.

        Args:
          trace: the trace.
          args: the operands.
          avals_and_params: the types of the operands, which may be left out, and a dict of parameters.
        """
        with current(trace):
            return trace.process(self, tuple(args), avals_and_params[-1])

    def get_bind_params(self, params: dict) -> dict:
        """Return the keyword arguments of `bind` that make an equation with these parameters again.

        Args:
          params: the parameters of an equation.
        """
        return dict(params)

    def is_effectful(self, params: dict) -> bool:
        """Return whether equations with `params` may have effects.

        Args:
          params: the parameters of an equation.
        """
        return self.effects_rule is not None


class Implementation:
    """The rules of a primitive by which it runs, as they were."""

    __slots__ = ("primitive",)

    def __init__(self, primitive: Primitive):
        self.primitive = primitive  # a copy, which later definitions leave as it is

    def __call__(self, *args, **params):
        return state.bottom.process(self.primitive, args, params)


class LibraryTrace:
    """The methods that traces of libraries define or call, as far as they have not their own."""

    __slots__ = ()

    @property
    def main(self):
        """Return what libraries compare to know the traces of their values."""
        return self

    __class_getitem__ = classmethod(GenericAlias)  # `class MyTrace(Trace[MyTracer])`

    def process(self, p, args: tuple, params: dict):
        """Run a primitive; return the result, or a list of results if it has several.

        Args:
          p: the primitive.
          args: its operands.
          params: its parameters.
        """
        if p.foreign_rule is not None:
            return p.foreign_rule(self, args, params)
        if p.own_params:
            params = {k: v for k, v in params.items() if k not in p.own_params}
        return self.process_primitive(p, args, {**p.unset, **params})

    def process_primitive(self, primitive, tracers, params):
        """Run a primitive: the method that traces of libraries define.

        Args:
          primitive: the primitive.
          tracers: its operands.
          params: its parameters.
        """
        if type(self).process is LibraryTrace.process:
            raise NotImplementedError(f"{type(self).__name__} does not define process_primitive")
        return self.process(primitive, tuple(tracers), params)

    def full_raise(self, x):
        """Return the value as the trace sees it, which is the value itself.

        Args:
          x: an array or a tracer.
        """
        return x

    def process_custom_jvp_call(self, primitive, fun, jvp, tracers, *, symbolic_zeros):
        """Run a call of a `custom_jvp` function as the function itself, unless a library's trace knows better.

        Args:
          primitive: the primitive of the call.
          fun: the function, as a `WrappedFun`.
          jvp: its rule.
          tracers: the operands.
          symbolic_zeros: tangents that are zero are given to the rule as objects that say so.
        """
        with current(self):
            return fun.call_wrapped(*tracers)

    def process_custom_vjp_call(self, primitive, fun, fwd, bwd, tracers, *, out_trees, symbolic_zeros):
        """Run a call of a `custom_vjp` function as the function itself, unless a library's trace knows better.

        Args:
          primitive: the primitive of the call.
          fun: the function, as a `WrappedFun`.
          fwd: its forward rule.
          bwd: its backward rule.
          tracers: the operands.
          out_trees: gives the structures of results and residuals.
          symbolic_zeros: cotangents that are zero are given to the rule as objects that say so.
        """
        with current(self):
            return fun.call_wrapped(*tracers)
