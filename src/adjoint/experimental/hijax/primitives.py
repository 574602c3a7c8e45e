"""Operations that libraries define: on values of their own types, or on arrays with rules of their own.

Tests: `tests/experimental/test_hijax.py`.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from ...core.messages.errors import message
from ...core.options.config import config
from ...core.primitive import Primitive
from ...core.process.memo import Memo
from ...core.process.records import NamedTuple
from ...core.trace import current, stage_closed, state
from ...core.tree.tree import tree_flatten, tree_leaves, tree_map, tree_unflatten
from ...core.types import aval_of, typed_value
from ...core.values.changing import ChangingValueError, is_changing
from ...core.values.zeros import Zero
from ...transforms.custom.custom_jvp import SymbolicZero, custom_jvp
from ...transforms.custom.custom_vjp import CustomVJPPrimal, custom_vjp
from ...transforms.custom.custom_vmap import custom_vmap
from ...transforms.jit.changing import operate
from ...transforms.jvp import JVPTrace, instantiate
from ...transforms.vmap import vmap
from .derived import Derived, cotangents, jvp_from_lin

__all__ = ["HiPrimitive", "VJPHiPrimitive"]


def _moves(trace, x) -> bool:
    """Return whether `x` has a tangent in the trace."""
    return isinstance(x, trace.pair) and x._trace is trace


class HiPrimitive(Primitive):
    """An operation on values of types that libraries define; subclasses give `abstract_eval` and `to_lojax`.

    `to_lojax` computes the result with operations on arrays. `jvp(primals, tangents)` gives the result and its tangent,
    which is of the type that the result's type says, and `transpose` is that of a linear operation.

    Args:
      name: the name, as it is printed.

    >>> from adjoint.experimental import hijax
    >>> class Rounded(hijax.HiPrimitive):
    ...     def abstract_eval(self, x): return x, set()
    ...     def to_lojax(self, x): return jnp.round(x)
    ...     def jvp(self, primals, tangents): return rounded.bind(*primals), tangents[0]
    >>> rounded = Rounded("rounded")
    >>> jit(value_and_grad(lambda x: rounded.bind(x) * 2))(1.3)
    (Array(2., dtype=float32, weak_type=True), Array(2., dtype=float32, weak_type=True))
    """

    call_primitive = True  # it is not one of the library's
    multiple_results = False

    def __init__(self, name: str):
        super().__init__(name, multiple_results=type(self).multiple_results)
        self.jvp_rule = lambda primals, tangents, **params: self.jvp(primals, tangents, **params)

    def is_high(self, *avals, **params) -> bool:
        """Return whether the operation, on operands of these types, is not one of arrays already."""
        return True

    def is_effectful(self, params) -> bool:
        """Return whether the operation does something beside computing its result."""
        return False

    def abstract_eval(self, *arg_avals, **params):
        """Return the type of the result, and the effects."""
        raise AssertionError("must override")

    def to_lojax(self, *args, **params):
        """Return the result, by operations on arrays."""
        raise AssertionError(f"must override for {self.name}")

    def jvp(self, primals, tangents, **params):
        """Return the result and its tangent."""
        raise AssertionError(f"must override for {self.name}")

    def transpose(self, *args, **params):
        """Return the cotangents of the operands that the operation is linear in."""
        raise AssertionError(f"must override for {self.name}")

    def bind(self, *args, **params):
        """Run the operation: by its own rule where an operand has a tangent, by `to_lojax` elsewhere."""
        trace = state.trace
        if any(map(is_changing, args)):
            return operate(self.to_lojax, args, params)
        if isinstance(trace, JVPTrace):
            args = [_gathered(trace, x) for x in args]
            if any([_moves(trace, x) for x in args]):
                return trace.process(self, args, params)
        if not trace.stages or type(self).jvp is HiPrimitive.jvp:
            return operate(self.to_lojax, args, params)
        leaves, tree = tree_flatten(tuple(args))
        of = {"operation": self, "tree": tree, "params": tuple(params.items())}
        try:
            outs = written_p.bind(*leaves, **of)
        except ChangingValueError:  # the result changes
            return operate(self.to_lojax, args, params)
        return tree_unflatten(_program(*map(aval_of, leaves), **of)[1], outs)

    __call__ = bind


# ---- operations that are written into programs -----------------------------------------------------


class _Written(Primitive):
    """The primitive of operations from outside, which is not one of the library's either."""

    call_primitive = True


written_p = _Written("hi_primitive", multiple_results=True)
_MAX_PROGRAMS = 256
_programs = Memo(_MAX_PROGRAMS)


def _run(*leaves, operation: HiPrimitive, tree, params):
    return operation.to_lojax(*tree_unflatten(tree, leaves), **dict(params))


def _program(*avals, **of):
    """Return the program of an operation on the arrays that its operands are made of, and the tree of its result."""
    key = avals, tuple(of.values()), config.jax_enable_x64
    found = _programs.get(key)
    if found is None:
        trees = []

        def run(*leaves):
            outs, tree = tree_flatten(_run(*leaves, **of))
            trees[:] = [tree]
            return outs

        with current(state.bottom):
            closed = stage_closed(run, avals)
        found = _programs.keep(key, (closed, trees[0]))
    return found


written_p.type(lambda *avals, **of: _program(*avals, **of)[0].out_avals)
written_p.expand(lambda *leaves, **of: tree_leaves(_run(*leaves, **of)))


@written_p.batch
def _(args, dims, **of):
    outs = vmap(lambda *xs: tree_leaves(_run(*xs, **of)), in_axes=tuple(dims))(*args)
    return outs, [0] * len(outs)


@written_p.jvp
def _(primals, tangents, *, operation, tree, params):
    """Apply the operation's own rule to values; of the arrays of a value the first has its tangent."""
    values, groups = tree_unflatten(tree, primals), tree_unflatten(tree, tangents)
    ts = [_tangent(operation, x, tree_leaves(group)) for x, group in zip(values, groups)]
    out, tangent = operation.jvp(list(values), ts, **dict(params))
    pairs = zip(out, tangent) if operation.multiple_results else [(out, tangent)]
    outs, found = [], []
    for x, t in pairs:
        first, *rest = leaves = tree_leaves(x)
        outs += leaves
        found += [Zero.from_primal_value(first) if type(t) is Zero else t, *map(Zero.from_primal_value, rest)]
    return outs, found


def _tangent(operation: HiPrimitive, value, leaves):
    """Return the tangent of a value, among those of the arrays that it is made of."""
    found, kind = [t for t in leaves if type(t) is not Zero], typed_value(value)
    wanted = kind.to_tangent_aval()
    if not found:
        return Zero(wanted)
    given = aval_of(found[0])
    if len(found) > 1 or (wanted.shape, wanted.dtype) != (given.shape, given.dtype):
        raise NotImplementedError(message(
            f"The derivative of {operation.name} in a program that a value of type {kind} comes into.",
            why=f"The program has the arrays that the value is made of, and their tangents are not {wanted}.",
            fix="jit(grad(f)) for grad(jit(f)); or let the value begin and end inside of one program",
        ))
    return found[0]


def _gathered(trace: JVPTrace, x):
    """Return a value whose arrays a program gave, as one value with its tangent."""
    leaves, tree = tree_flatten(x)
    if len(leaves) == 1 and leaves[0] is x or not any([_moves(trace, v) for v in leaves]):
        return x
    pairs = [trace.split(v) for v in leaves]
    value = tree_unflatten(tree, [p for p, _ in pairs])
    return trace.tracer(value, next(t for _, t in pairs if type(t) is not Zero))


class _AxisData(NamedTuple):
    """The mapped axis that a rule for batches is told of."""

    name: Any
    size: int
    spmd_name: Any = None
    explicit_mesh_axis: Any = None


class VJPHiPrimitive:
    """An operation with rules of its own, for certain types of operands: an object for each call, which is called.

    A subclass sets `in_avals`, `out_aval` and `params` and then calls `super().__init__()`. Its method `expand` has the
    result. `vjp_fwd(which operands move, *args)` gives the result and residuals, from which
    `vjp_bwd_retval(residuals, cotangent)` gives a cotangent for each operand. `jvp(primals, tangents)` is the rule for
    forward mode, and `batch(axis, args, axes)`, or `batch_dim_rule(axis, axes)`, that for batches.

    >>> from adjoint.experimental import hijax
    >>> class Clipped(hijax.VJPHiPrimitive):
    ...     def __init__(self, aval):
    ...         self.in_avals, self.out_aval, self.params = (aval,), aval, {}
    ...         super().__init__()
    ...     def expand(self, x): return jnp.clip(x, 0., 1.)
    ...     def vjp_fwd(self, nzs_in, x): return self(x), ()
    ...     def vjp_bwd_retval(self, residuals, ct): return (ct,)
    >>> grad(lambda x: Clipped(typeof(x))(x))(3.)
    Array(1., dtype=float32, weak_type=True)
    """

    in_avals: tuple
    out_aval: Any
    params: dict
    effects: frozenset = frozenset()

    def __init__(self):
        if not hasattr(self, "in_avals") or not hasattr(self, "out_aval"):
            raise AttributeError("subclass __init__ should set `self.in_avals` and `self.out_aval`")
        self.__dict__.update(self.params)

    def expand(self, *args):
        """Return the result."""
        raise NotImplementedError(f"subclass {type(self)} must implement `expand`")

    def vjp_fwd(self, nzs_in, /, *args):
        """Return the result and what the backward pass needs."""
        raise NotImplementedError(f"for grad support, subclass {type(self)} must implement `vjp_fwd`")

    def vjp_bwd_retval(self, res, outgrad, /):
        """Return a cotangent for each operand."""
        raise NotImplementedError(
            f"for grad support, subclass {type(self)} must implement `vjp_bwd` or `vjp_bwd_retval`"
        )

    def vjp_bwd(self, res, outgrad, /, *arg_accums):
        """Add a cotangent to what is kept for each operand."""
        tree_map(lambda accum, ct: accum.accum(ct), arg_accums, tuple(self.vjp_bwd_retval(res, outgrad)))

    def lin(self, nzs_in, /, *primals):
        """Return the result and what `linearized` needs."""
        raise NotImplementedError(f"for linearize support, subclass {type(self)} must implement `lin`")

    def linearized(self, residuals, /, *tangents):
        """Return the tangent of the result, a linear function of those of the operands."""
        raise NotImplementedError(f"for linearize support, subclass {type(self)} must implement `linearized`")

    def jvp(self, primals, tangents):
        """Return the result and its tangent."""
        raise NotImplementedError(f"for jvp support, subclass {type(self)} must implement `jvp`")

    def batch_dim_rule(self, axis_data, dims, /):
        """Return where the mapped axis of the result is."""
        raise NotImplementedError(
            f"for vmap support, subclass {type(self)} must implement `batch` or `batch_dim_rule`"
        )

    def batch(self, axis_data, args, dims):
        """Return the result for a batch, and where its axis is."""
        return type(self).expand(self, *args), self.batch_dim_rule(axis_data, dims)

    def check(self, *arg_tys) -> None:
        """Raise TypeError if operands have other types than the object was made for."""
        for given, wanted in zip(arg_tys, tree_leaves(tuple(self.in_avals), is_leaf=lambda x: hasattr(x, "shape"))):
            if (given.shape, given.dtype) != (wanted.shape, wanted.dtype):
                raise TypeError(f"{type(self).__name__} was made for {wanted} and is called with {given}")

    def __call__(self, *args):
        self.check(*map(aval_of, tree_leaves(args)))
        return self._with_batches(*args) if state.trace.maps else self._with_derivatives(*args)

    def _with_derivatives(self, *args):
        """Call `expand` with the rules for derivatives that the class has."""
        kind, trace = type(self), state.trace
        forward = type(trace) is JVPTrace and any([_moves(trace, x) for x in tree_leaves(args)])
        own = lambda name: getattr(kind, name) is not getattr(VJPHiPrimitive, name)
        reverse = own("vjp_fwd") and not isinstance(kind.vjp_fwd, Derived)  # derived ones are what follows here too
        if forward or not reverse and (own("jvp") or own("lin")):
            run = custom_jvp(lambda *xs: self.expand(*xs))
            rule = self.jvp if own("jvp") or not own("lin") else partial(jvp_from_lin, self)
            run.defjvp(lambda primals, tangents: rule(primals, tangents))
            return run(*args)
        run = custom_vjp(lambda *xs: self.expand(*xs))

        def fwd(*primals):
            moving = tuple([p.perturbed for p in tree_leaves(primals, is_leaf=_is_primal)])
            values = [tree_unflatten(t, [p.value for p in tree_flatten(x, is_leaf=_is_primal)[0]])
                      for x, t in ((x, tree_flatten(x, is_leaf=_is_primal)[1]) for x in primals)]
            return self.vjp_fwd(moving, *values)[:2]

        def bwd(res, ct):
            ct = tree_map(_instantiated, ct, is_leaf=lambda x: isinstance(x, (Zero, SymbolicZero)))
            if own("vjp_bwd"):
                return cotangents(partial(self.vjp_bwd, res, ct), self.in_avals)
            return tuple(self.vjp_bwd_retval(res, ct))

        run.defvjp(fwd, bwd, symbolic_zeros=True)
        return run(*args)

    def _with_batches(self, *args):
        run = custom_vmap(lambda *xs: self._with_derivatives(*xs))

        @run.def_vmap
        def _(axis_size, in_batched, *xs):
            leaves, tree = tree_flatten(tuple(in_batched))
            dims = tree_unflatten(tree, [0 if b else None for b in leaves])
            out, at = self.batch(_AxisData(None, axis_size), xs, dims)
            return out, tree_unflatten(tree_flatten(out)[1], [at is not None] * len(tree_leaves(out)))

        return run(*args)


def _instantiated(ct):
    return instantiate(Zero(ct.aval) if isinstance(ct, SymbolicZero) else ct)


def _is_primal(x) -> bool:
    return isinstance(x, CustomVJPPrimal)
