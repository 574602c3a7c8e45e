"""`Primitive`: an operation and all of its rules.

The rules stand on the object and are written together, as decorated functions:

    cumsum = Primitive("cumsum", linear=True)

    @cumsum.type
    def _(x, *, axis): return ShapedArray(x.shape, x.dtype)

    @cumsum.evaluate
    def _(x, *, axis): return np.cumsum(x, axis)

    cumsum.examples(...)         operand avals and params that the test harness tries every rule on

`Primitive` lists the rules with their signatures. A rule that is absent is `None`; `missing()` names them.

Tests: `tests/extend/test_primitives.py`.
"""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .definitions import Definitions
from .messages.boundaries import guarded
from .messages.errors import message
from .messages.frames import is_internal
from .names.descriptions import Described
from .placement import placements
from .process.memo import Memo
from .trace import staged_reference, state
from .tree.registry import register_pytree_node
from .types import ShapedArray, register_aval
from .values.refs import Ref

__all__ = ["Primitive", "UndefinedPrimal", "is_undefined_primal", "primitives"]

primitives: dict[str, Primitive] = {}  # every primitive of the library by name, in order of definition

_MAX_TYPES_PER_PRIMITIVE = 8192  # inferred types remembered by one primitive
_OVER_MESHES = object()  # in the place of types that are remembered by the mesh that is set, too


def _place_of(primitive: Primitive) -> tuple[str, str] | None:
    """Return the module of the library, and the name in it, by which a primitive is pickled."""
    ours = [(name, module) for name, module in list(sys.modules.items()) if name.startswith("adjoint.") and module]
    return next(((m, n) for m, module in ours for n, x in list(vars(module).items()) if x is primitive), None)


def _at_place(module: str, name: str) -> Primitive:
    return getattr(import_module(module), name)


class Rule:
    """A rule of primitives: `@p.name` sets it to a function, `p.name_rule` is the function, or None."""

    def __init__(self, signature: str):
        self.signature = signature

    def __set_name__(self, owner: type, name: str):
        self.attribute = f"{name}_rule"
        setattr(owner, self.attribute, None)

    def __get__(self, primitive, owner=None) -> Any:
        return self if primitive is None else partial(self._set, primitive)

    def _set(self, primitive, rule):
        setattr(primitive, self.attribute, rule)
        primitive._types.clear()
        return rule


@guarded
class Primitive(Definitions):
    """A named operation; call it, or `bind` it, with arrays and keyword parameters.

    Args:
      name: the name, as it is printed.
      multiple_results: whether there is a list of results.
      linear: whether the operation is linear in all of its operands.
      program: whether a parameter holds a program.
      is_listed: whether it is listed among the library's own, where a module of the library defines it.

    >>> cube_p = extend.core.Primitive("cube")
    >>> _ = cube_p.def_impl(lambda x: x ** 3)
    >>> _ = cube_p.def_abstract_eval(lambda x: x)
    >>> cube_p.bind(jnp.float32(2))
    Array(8., dtype=float32)
    >>> make_jaxpr(cube_p.bind)(2.)
    { lambda ; a:f32[]. let b:f32[] = cube a in (b,) }
    """

    type = Rule("avals, params -> aval (a list of avals with multiple_results)")
    evaluate = Rule("NumPy arrays, params -> NumPy array")
    jvp = Rule("primals, tangents, params -> primal out, tangent out")
    transpose = Rule("cotangent, args (UndefinedPrimal where linear), params -> cotangents")
    batch = Rule("args, batch axes, params -> out, its batch axis")

    # Primitives that hold programs (`jit`, `scan`, ...) have further rules in their place, with params as a dict.
    linearize = Rule("tape, primals, tangents, params -> outs, tangents out (variables of the tape, or Zero)")
    batch_axis = Rule("Axis(name, size), args, batch axes, params -> outs, their batch axes")
    stage = Rule("staging trace, args, params -> outs: write it into a jaxpr, if not as it is")
    eager = Rule("args (arrays), params -> outs: run it now, if not by `evaluate`")
    stepwise = Rule("args (arrays), params -> outs: run it equation by equation, to find where something goes wrong")
    discharge = Rule("args, some of them `Ref`s with values, params -> outs: run it on values, store the last ones")
    opened = Rule("args, params -> the same with programs that hold no tracers: these are operands")
    prune = Rule("params, which results are used -> params, which operands and which results stay")
    depends = Rule("params, which operands are unknown -> which results depend on these, of primitives with `prune`")

    # Facts about an equation.
    effects = Rule("params -> what it does beside computing its results; see effects.py")
    axes = Rule("params -> names of the mapped axes that it reads (collectives)")
    varies = Rule("operand avals, params -> the manual mesh axes that the result varies over, if not the operands'")
    combines = Rule("a primitive, not a function: the operation of two elements by which this one puts many together")
    exact = Rule(
        "not a function: the kinds of elements of operands and results, of 'biufc', for which a compiled program gives "
        "the bits that `evaluate` gives, since its results are rounded once, if at all"
    )
    neutral = Rule("dtype -> the element that leaves the other operand of an operation of two as it is")
    print = Rule("equation, names, its results as a document -> texts: how it is printed, if not as others")
    specialize = Rule(
        "operand avals, params -> a function of buffers: what `evaluate` does, with all decided that types decide, for "
        "steps that are repeated; None if there is no shorter way"
    )

    # Where values are.
    sums = Rule("SummedCall -> over which mesh axes results are unreduced, and reduced; see sharding/sums.py")
    sharding = Rule("ShardedCall -> for each axis of the results, the mesh axes that divide it; see sharding/rules.py")
    propagate = Rule(
        "params, specs of operands, (program, specs of its operands) -> specs of its results, -> specs of results: of "
        "primitives that state shardings, or hold programs and are no calls"
    )
    per_device = Rule("params -> mesh, specs of operands and of results: each device runs the program it holds")

    # Engines register the first two; the last two are of primitives that are defined outside, as JAX's libraries do.
    lower = Rule("context, values of StableHLO, params -> values: the operation in StableHLO")
    emit = Rule("emitter of native code, values, params -> values")
    expand = Rule("operands, params -> what `evaluate` gives: the operation as a program of others, for compilers")
    foreign = Rule("trace that is not ours, args, params -> outs: for calls of functions")
    batch_trace = Rule("batch trace, args, params -> outs: take the place of `batch`")

    multiple_results = False
    call_primitive = False
    runs_programs = False
    called: str | None = None  # the parameter whose program gives the results, of a primitive that is a call
    unset: dict[str, Any] = {}  # parameters that are left out where they are None: traces of libraries are given them
    own_params: frozenset[str] = frozenset()  # parameters that JAX's has not: traces of libraries are not given them
    calls_python = False  # its function is the user's: of several devices one calls it
    transposes_zeros = False  # is its transpose rule run for cotangents that are all zero?
    joins = True  # its operands vary over the same manual mesh axes, and its results then vary over these too

    if TYPE_CHECKING:
        def __getattr__(self, name: str) -> Any: ...  # the rules

    def __init__(
        self, name: str, *, multiple_results: bool = False, linear: bool = False,
        program: bool = False, is_listed: bool = True,
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
        self._types = Memo(_MAX_TYPES_PER_PRIMITIVE)
        if is_listed and not self.call_primitive and is_internal(sys._getframe(1).f_code.co_filename):
            primitives.setdefault(name, self)
        if type(self) is not Primitive:
            self.take_methods()

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if isinstance(cls.__doc__, str):
            cls.__doc__ = Described(cls.__doc__)  # type: ignore[assignment]

    def __copy__(self):
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        return new

    def __reduce_ex__(self, protocol):  # by its place, if it is one of the library's
        place = _place_of(self) if primitives.get(self.name) is self else None
        return super().__reduce_ex__(protocol) if place is None else (_at_place, place)

    def bind(self, *args, **params):
        """Run the operation in whatever transformation is active.

        Args:
          args: arrays, scalars or tracers.
          params: what else decides what is computed.
        """
        return state.trace.process(self, args, params)

    __call__ = bind

    def _bind_program(self, *args, **params):
        """Return the same, for operands that may be references, and programs that may hold tracers."""
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
        """Return the type of the result, which is remembered by the types of operands and the parameters, and by the
        mesh that is set if it may depend on that.

        Args:
          avals: the types of the operands.
          params: the parameters.
        """
        key = (avals, *params.items()) if params else avals
        try:
            found = self._types[key]
            return self._types[placements.rules.context(), *key] if found is _OVER_MESHES else found
        except KeyError:
            found = self._infer(avals, params)
            if any([callable(v) and not isinstance(v, (type, Primitive)) for v in params.values()]):
                return found
            if self.varies_rule is None and self._has_placement(avals, params):
                self._types.keep(key, _OVER_MESHES)
                key = placements.rules.context(), *key
            return self._types.keep(key, found)
        except TypeError:  # an unhashable parameter
            return self._infer(avals, params)

    def _has_placement(self, avals, params) -> bool:
        """Return whether where results are is said by types of operands, or asked for."""
        return self.joins and (
            any([type(a) is ShapedArray and a.placement is not None for a in avals])
            or params.get("sharding") is not None or params.get("out_sharding") is not None
        )

    def _infer(self, avals, params):
        if self.type_rule is None:
            raise NotImplementedError(f"Abstract evaluation for '{self.name}' not implemented")
        out = self.type_rule(*avals, **params)
        if self.varies_rule is not None or self._has_placement(avals, params):
            out = placements.rules.results(self, avals, params, out)
        return list(out) if self.multiple_results else out

    def examples(self, *calls) -> None:
        """Add example calls, which the tests try.

        Args:
          calls: tuples of operand avals (or arrays, where values matter) and last, if any, a dict of parameters.
        """
        for call in calls:
            call = call if isinstance(call, tuple) else (call,)
            params = call[-1] if call and isinstance(call[-1], dict) else {}
            operands = call[:-1] if call and isinstance(call[-1], dict) else call
            self.example_calls.append((operands, params))

    def missing(self) -> list[str]:
        """Return names of the rules that this primitive should have and has not."""
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


Primitive.__doc__ = Described(Primitive.__doc__)  # type: ignore[assignment]

Example = tuple[tuple, dict]


class UndefinedPrimal:
    """Stands for an operand that a transposed program is linear in: only its type is known.

    Args:
      aval: the type.

    >>> UndefinedPrimal(typeof(jnp.ones(2)))
    UndefinedPrimal(float32[2])
    """

    __slots__ = ("aval",)

    def __init__(self, aval: ShapedArray):
        self.aval = aval

    def __repr__(self):
        return f"UndefinedPrimal({self.aval})"


register_pytree_node(UndefinedPrimal, lambda x: ((), x.aval), lambda aval, _: UndefinedPrimal(aval))


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
    """Return whether an operand of a rule for transposition is one in which the operation is linear.

    Args:
      x: an operand.

    >>> from adjoint.interpreters import ad
    >>> ad.is_undefined_primal(ad.UndefinedPrimal(typeof(1.))), ad.is_undefined_primal(1.)
    (True, False)
    """
    return type(x) is UndefinedPrimal
