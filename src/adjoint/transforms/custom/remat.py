"""`checkpoint` (also `remat`): do not keep intermediate values for the backward pass, compute them again.

Linearizing a checkpointed call runs it and puts the call itself on the tape, with its operands and what the
policy saves as residuals. Transposing recomputes inside the call, so a compiler sees where to forget.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ...array.array import as_array
from ...core import dtypes
from ...core.effects import io_effects
from ...core.jaxpr import ClosedJaxpr, DropVar, Jaxpr, JaxprEqn, Literal, Var
from ...core.messages.errors import message
from ...core.names.aliases import alias
from ...core.options.config import local
from ...core.options.logs import logger
from ...core.passes import dce_jaxpr, depending, prune_program
from ...core.primitive import Primitive, UndefinedPrimal
from ...core.process.memo import of_closed
from ...core.process.records import NamedTuple
from ...core.state import scoped, users_code
from ...core.trace import eval_jaxpr, stage_closed, state
from ...core.tree.tree import tree_flatten, tree_unflatten
from ...core.types import ShapedArray, aval_of
from ...core.values.zeros import Zero
from ...engines.numpy import eval_trace
from ...prims.conversion import reduce_precision
from ...prims.discharge import discharge_refs, store_last, values_of
from ...prims.shape import broadcast_in_dim
from ...prims.transfer import ArrayCopySemantics, device_put, space_of
from ...sharding import rules
from ...sharding.device import MemorySpace, checked_kind
from ..bodies import body_of
from ..calls import call_primitive, without_tracers
from ..flat import own_doc, wraps
from ..jit.primitive import jit_p
from ..jit.staging import fix_static
from ..programs import batch_at, jvp_program, linearize_program, transpose_program
from .custom_jvp import custom_jvp

__all__ = [
    "Offloadable", "Recompute", "Saveable", "checkpoint", "checkpoint_name", "checkpoint_policies", "remat", "remat_p",
]


class _Deprecated:
    def __repr__(self):
        return "Deprecated"


_DEPRECATED = _Deprecated()


def checkpoint(
    fun: Callable, *, prevent_cse: bool = True, policy: Callable | None = None, static_argnums=(),
    static_argnames=(), concrete: Any = _DEPRECATED,
) -> Callable:
    """Make `fun` forget its intermediate values between the forward and the backward pass.

    Args:
      fun: a function of arrays or trees of arrays.
      prevent_cse: keep compilers from undoing it by merging the two computations.
      static_argnums, static_argnames: positions and names of arguments that are compile-time constants.
      policy: what to save all the same; see `checkpoint_policies`.
      concrete: the former name of what `static_argnums` does; must not be given.
    Returns:
      A function of the same arguments and results. In reverse mode it keeps its arguments, and what the policy
      says, and computes the rest again.
    Raises:
      ValueError: a static argument is out of range, or has no hash.
    See also: `checkpoint_policies`, `ad_checkpoint.checkpoint_name`, `ad_checkpoint.print_saved_residuals`.

    >>> grad(checkpoint(lambda x: jnp.sin(jnp.sin(x))))(1.)
    Array(0.36003882, dtype=float32, weak_type=True)
    """
    if concrete is not _DEPRECATED:
        raise NotImplementedError(
            "The `concrete` option to `jax.checkpoint` was deprecated in JAX v0.8.2, and removed in JAX v0.10.0. In "
            "its place please use `static_argnums`; for details refer to "
            "https://docs.jax.dev/en/latest/jep/11830-new-remat-checkpoint.html.\n"
            "  Try: static_argnums for arguments that decide control flow."
        )
    names = {static_argnames} if isinstance(static_argnames, str) else set(static_argnames)
    given = (static_argnums,) if isinstance(static_argnums, int) else static_argnums
    if type(given) is not tuple or any(type(i) is not int for i in given):
        raise TypeError(
            "the `static_argnums` argument to `jax.checkpoint` / `jax.remat` must be an int, tuple of ints or, bool, "
            f"but got value {given}\n  Try: static_argnums=(0, 1)"
        )
    static = given + tuple([i for i, name in enumerate(_parameter_names(fun) if names else ()) if name in names])

    @wraps(fun, own_doc(fun))
    def checkpointed(*args, **kwargs):
        if any(not -len(args) <= i < len(args) for i in given):
            raise ValueError(
                "the `static_argnums` argument to `jax.checkpoint` / `jax.remat` can only take integer values greater "
                f"than or equal to `-len(args)` and less than `len(args)`, but got {given}, while `len(args)` = "
                f"{len(args)}\n  Try: static_argnames for an argument that is given by name"
            )
        f, dynamic = fix_static(fun, static, args)
        if not names.isdisjoint(kwargs):
            f = partial(f, **{name: kwargs[name] for name in names & kwargs.keys()})
            kwargs = {name: x for name, x in kwargs.items() if name not in names}
        leaves, in_tree = tree_flatten((dynamic, kwargs))
        body = body_of(f, "checkpoint", in_tree, tuple([aval_of(x) for x in leaves]))
        operands, closed = [*body.captured, *leaves], body.program
        if state.trace is eval_trace:  # there is nothing to forget
            return tree_unflatten(
                body.out_tree, [as_array(x) for x in eval_jaxpr(closed.jaxpr, closed.consts, *operands)]
            )
        outs = remat_p.bind(
            *operands, jaxpr=closed, prevent_cse=prevent_cse, differentiated=False, policy=policy
        )
        return tree_unflatten(body.out_tree, outs)

    return checkpointed


remat = alias(checkpoint, "remat")


def _parameter_names(fun) -> list[str]:
    try:
        return list(inspect.signature(fun).parameters)
    except (ValueError, TypeError):
        return []


remat_p = call_primitive("remat2")


@remat_p.discharge
def _(args, params):
    outs = remat_p.bind(*values_of(args), **{**params, "jaxpr": discharge_refs(params["jaxpr"])})
    n = len(params["jaxpr"].out_avals)
    store_last(args, outs[n:])
    return outs[:n]


@remat_p.jvp
def _(primals, tangents, *, jaxpr, **params):
    nonzero = tuple([type(t) is not Zero for t in tangents])
    derived, nonzero_out = jvp_program(jaxpr, nonzero)
    given = [t for t in tangents if type(t) is not Zero]
    outs = remat_p.bind(*primals, *given, jaxpr=derived, **params)
    n = len(jaxpr.out_avals)
    ts = iter(outs[n:])
    avals = [a.to_tangent_aval() for a in jaxpr.out_avals]
    return outs[:n], [next(ts) if nz else Zero(a) for nz, a in zip(nonzero_out, avals)]


@remat_p.linearize
def _(tape, primals, tangents, params):
    jaxpr = params["jaxpr"]
    if not io_effects.isdisjoint(jaxpr.effects):
        raise NotImplementedError(
            message(
                "Effects not supported in partial-eval of `checkpoint`/`remat`: "
                f"[{', '.join(map(str, jaxpr.effects))}]",
                why="The backward pass runs the function again, and with it io_callback.",
                fix="debug.callback or pure_callback, or the call outside of the checkpointed function",
            )
        )
    n = len(jaxpr.out_avals)
    nonzero = tuple([type(t) is not Zero for t in tangents])
    primal, derivative, used, nonzero_out = _recomputed_derivative(jaxpr, params["policy"], nonzero)
    outs = eval_jaxpr(primal.jaxpr, primal.consts, *primals)
    derivative, captured = without_tracers(derivative)
    if local.log_checkpoint_residuals:
        _log_residuals([x for x, u in zip(primals, used) if u], outs[n:])
    known = captured + outs[n:] + [x for x, u in zip(primals, used) if u]
    ts = iter(
        tape.emit(
            remat_p,
            known + [t for t in tangents if type(t) is not Zero],
            {**params, "jaxpr": derivative, "differentiated": True},
        )
    )
    avals = [a.to_tangent_aval() for a in jaxpr.out_avals]
    return outs[:n], [next(ts) if nz else Zero(a) for nz, a in zip(nonzero_out, avals)]


def _log_residuals(inputs, saved) -> None:
    """Log the types of what a derivative keeps."""
    lines = lambda xs: "".join([f"  {aval_of(x).str_short()}\n" for x in xs])
    text = f"remat-decorated function saving inputs with shapes:\n{lines(inputs)}" if inputs else ""
    if saved:
        text += f"{'and' if inputs else 'remat-decorated function'} saving these intermediates:\n{lines(saved)}"
    if text:
        logger(__name__, "jax._src.ad_checkpoint").warning(text)


def _inlined(closed: ClosedJaxpr) -> ClosedJaxpr:
    """Return the program with the equations of its `jit` calls in place of the calls, for a policy to see."""

    def run(jaxpr, consts, args):
        env = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*consts, *args]))
        read = lambda v: v.operand if type(v) is Literal else env[v]
        for eqn in jaxpr.eqns:
            operands = [read(v) for v in eqn.invars]
            state.source = eqn._source
            if eqn.primitive is jit_p:
                inner = eqn.params["jaxpr"]
                outs = run(inner.jaxpr, inner.consts, operands)
            else:
                outs = eqn.primitive.bind(*operands, **eqn.params)
                outs = outs if eqn.primitive.multiple_results else [outs]
            env.update(zip(eqn.outvars, outs))
        return [read(v) for v in jaxpr.outvars]

    with users_code():
        return stage_closed(
            lambda *args: run(closed.jaxpr, closed.consts, args), closed.in_avals, closed.debug_info
        )


@of_closed
def _recomputed_derivative(closed: ClosedJaxpr, policy, nonzero):
    """Return the derivative of a program, given its operands and what the policy saves of its residuals.

    Returns (program of the operands -> *results, *saved; program of *saved, *operands that matter, *tangents ->
    tangents out; which of the operands matter; which of the results have tangents). The second recomputes the
    residuals that are not saved, then is linear. The first has the rules of custom derivatives applied, so that
    a further derivative is that of the rules.
    """
    split = linearize_program(closed if policy is None else _inlined(closed), nonzero)
    primal, consts = split.primal.jaxpr, split.primal.consts
    forward, kept, saved, there = _parted(policy, primal.eqns)
    primal = primal.replace(eqns=forward)
    inputs = [there.get(v, x) for v, x in zip(saved, _inputs(saved, kept))]
    residuals_program = primal.replace(invars=inputs + primal.invars, eqns=kept)
    num_known = len(saved) + len(primal.invars)

    def derivative(*args):
        known, tangents = args[:num_known], args[num_known:]
        with scoped("rematted_computation"):
            pool = [*known[len(saved) :], *eval_jaxpr(residuals_program, consts, *known)]
        residuals = [pool[i] for i in split.sources]
        return eval_jaxpr(split.linear.jaxpr, split.linear.consts, *residuals, *tangents)

    avals = [v.aval for v in [*inputs, *primal.invars]]
    avals += [a.to_tangent_aval() for a, nz in zip(closed.in_avals, nonzero) if nz]
    smaller, used = dce(stage_closed(derivative, avals), num_known)
    saved = [v for v, u in zip(saved, used) if u]
    results, _ = dce(_rounded(primal, consts, len(closed.out_avals), saved, there), 0)
    return results, smaller, used[num_known - len(primal.invars) :], split.nonzero_out


def _verdict(policy, eqn: JaxprEqn):
    """Return what a policy answers for an equation."""
    wanted = policy(eqn.primitive, *[v.aval for v in eqn.invars], **eqn.params)
    if isinstance(wanted, (bool, np.bool_, Offloadable)) or wanted is Recompute or wanted is Saveable:
        return wanted
    raise TypeError(
        message(
            "Value returned by a remat policy should be a bool or `ad_checkpoint.Recompute`, `ad_checkpoint.Saveable` "
            f"or `ad_checkpoint.Offloadable(...)`. Got {wanted} of type {type(wanted)}.",
            why=f"It was asked for the primitive {eqn.primitive}.",
            fix="return bool(...)",
        )
    )


def _parted(policy, eqns) -> tuple[list[JaxprEqn], list[JaxprEqn], list[Var], dict[Var, Var]]:
    """Return the equations of the forward pass, those that the backward pass runs again, and what a policy saves.

    The last of the results says, for values that it wants in another memory, what they are there.
    """
    if policy is None:
        return list(eqns), list(eqns), [], {}
    forward: list[JaxprEqn] = []
    again: list[JaxprEqn] = []
    saved: list[Var] = []
    there: dict[Var, Var] = {}
    for eqn in eqns:
        wanted = _verdict(policy, eqn)
        if wanted is Recompute or not wanted:
            reach = _REACHING.get(eqn.primitive.name)
            first, second, inside = (eqn, eqn, []) if reach is None else reach(policy, eqn)
            forward.append(first)
            again.append(second)
            saved += inside
            continue
        forward.append(eqn)
        found = [v for v in eqn.outvars if type(v) is not DropVar]
        saved += found
        if isinstance(wanted, Offloadable):
            there.update({v: Var(v.aval.update(memory_space=space_of(_memory(wanted.dst), None))) for v in found})
        if eqn.effects:
            again.append(eqn)
        else:
            again += [_put(there[v], v, eqn._source) for v in found if v in there]
    return forward, again, saved, there


def _inputs(saved: list[Var], again: list[JaxprEqn]) -> list[Var]:
    """Return the operands that stand for saved values in a program that runs `again`, which may make some of them anew.
    """
    made = {v for e in again for v in e.outvars}
    return [Var(v.aval) if v in made else v for v in saved]


def _reaching_scan(policy, eqn: JaxprEqn):
    """Return a scan that also returns, stacked, what the policy saves in its turns; one that reads that; what it is."""
    body = _inlined(eqn.params["jaxpr"])
    forward, again, saved, _ = _parted(policy, body.jaxpr.eqns)
    if not saved:
        return eqn, eqn, []
    rows = [Var(v.aval.with_axis(0, eqn.params["length"])) for v in saved]
    first = body.jaxpr.replace(eqns=forward, outvars=body.jaxpr.outvars + saved)
    second = body.jaxpr.replace(eqns=again, invars=body.jaxpr.invars + _inputs(saved, again))
    params = lambda jaxpr: {**eqn.params, "jaxpr": ClosedJaxpr(jaxpr, body.consts)}
    return (
        eqn.replace(outvars=eqn.outvars + rows, params=params(first)),
        eqn.replace(invars=eqn.invars + rows, params=params(second)),
        rows,
    )


def _reaching_cond(policy, eqn: JaxprEqn):
    """Return the same for branches: each returns zeros for what others save."""
    bodies = [_inlined(b) for b in eqn.params["branches"]]
    parts = [_parted(policy, b.jaxpr.eqns) for b in bodies]
    slots = [(i, v) for i, (_, _, saved, _) in enumerate(parts) for v in saved]
    if not slots or any(isinstance(v.aval.dtype, dtypes.ExtendedDType) for _, v in slots):
        return eqn, eqn, []
    first, second = [], []
    for i, (body, (forward, again, saved, _)) in enumerate(zip(bodies, parts)):
        own = dict(zip(saved, _inputs(saved, again)))
        empty = {v: Var(v.aval) for j, v in slots if j != i}
        zeros = [_zeros(v) for v in empty.values()]
        jaxpr = body.jaxpr
        outs = [v if j == i else empty[v] for j, v in slots]
        ins = [own[v] if j == i else Var(v.aval) for j, v in slots]
        first.append(ClosedJaxpr(jaxpr.replace(eqns=forward + zeros, outvars=jaxpr.outvars + outs), body.consts))
        second.append(ClosedJaxpr(jaxpr.replace(eqns=again, invars=jaxpr.invars + ins), body.consts))
    found = [Var(v.aval) for _, v in slots]
    params = lambda branches: {**eqn.params, "branches": tuple(branches)}
    return (
        eqn.replace(outvars=eqn.outvars + found, params=params(first)),
        eqn.replace(invars=eqn.invars + found, params=params(second)),
        found,
    )


def _zeros(out: Var) -> JaxprEqn:
    """Return the equation that makes zeros of a type."""
    aval = out.aval
    literal = Literal(aval.dtype.type(0), ShapedArray((), aval.dtype, aval.weak_type))
    params = dict(shape=aval.shape, broadcast_dimensions=(), sharding=None)
    return JaxprEqn([literal], [out], broadcast_in_dim, params)


_REACHING = {"scan": _reaching_scan, "cond": _reaching_cond}


def _memory(kind: str) -> MemorySpace:
    """Return the memory of a kind. ValueError if there is no such memory."""
    return MemorySpace.Host if checked_kind(kind) == "pinned_host" else MemorySpace.Device


def _put(x: Var, out: Var, source) -> JaxprEqn:
    """Return the equation that copies a value into the memory that the type of `out` names."""
    semantics = (ArrayCopySemantics.ALWAYS_COPY,)
    params = dict(devices=(out.aval.memory_space or MemorySpace.Device,), srcs=(None,), copy_semantics=semantics)
    return JaxprEqn([x], [out], device_put, params, source_info=source)


def _rounded(primal: Jaxpr, consts, num_outs: int, saved: list[Var], there: dict[Var, Var]) -> ClosedJaxpr:
    """Return the program of the first results and the saved values, those of `there` in their other memory.

    Another saved value that is also used in the forward pass is rounded to its own precision first: a compiler that
    computes with more would otherwise not use, forwards, the number that the backward pass reads.
    """
    rounded, eqns = {}, []
    read = {v for eqn in primal.eqns for v in eqn.invars if type(v) is Var}.union(
        [v for v in primal.outvars[:num_outs] if type(v) is Var]
    )
    for eqn in primal.eqns:
        eqns.append(eqn.replace(invars=[v if type(v) is Literal else rounded.get(v, v) for v in eqn.invars]))
        for v in eqn.outvars:
            if v in saved and v in there:
                eqns.append(_put(v, there[v], eqn._source))
            elif v in saved and v in read and dtypes.issubdtype(v.aval.dtype, np.floating):
                rounded[v] = Var(v.aval)
                info = dtypes.finfo(v.aval.dtype)
                params = dict(exponent_bits=info.nexp, mantissa_bits=info.nmant)
                eqns.append(JaxprEqn([v], [rounded[v]], reduce_precision, params, source_info=eqn.source_info))
    kept = [there.get(v, v) for v in saved]
    outs = [v if type(v) is Literal else rounded.get(v, v) for v in [*primal.outvars[:num_outs], *kept]]
    return ClosedJaxpr(primal.replace(eqns=eqns, outvars=outs), consts)


def dce(closed: ClosedJaxpr, num_optional: int) -> tuple[ClosedJaxpr, list[bool]]:
    """Return the program without dead equations and without the first operands that are then unread."""
    n = len(closed.in_avals)
    keep = [i >= num_optional for i in range(n)]
    jaxpr, used = dce_jaxpr(closed.jaxpr, [True] * len(closed.out_avals), keep, inside=True)
    return ClosedJaxpr(jaxpr, closed.consts), used[:num_optional]


@remat_p.transpose
def _(cts, *args, jaxpr, **params):
    linear = tuple([type(x) is UndefinedPrimal for x in args])
    back, nonzero = transpose_program(jaxpr, linear, tuple([type(c) is not Zero for c in cts]))
    known = [x for x in args if type(x) is not UndefinedPrimal]
    given = [c for c in cts if type(c) is not Zero]
    outs = iter(remat_p.bind(*known, *given, jaxpr=back, **params))
    present = iter(nonzero)
    return [
        (next(outs) if next(present) else Zero(x.aval)) if lin else None
        for x, lin in zip(args, linear)
    ]


@remat_p.prune
def _(params, used):
    program, kept = prune_program(params["jaxpr"], used)
    return (params if program is params["jaxpr"] else {**params, "jaxpr": program}), kept, used


@remat_p.depends
def _(params, unknown):
    return depending(params["jaxpr"], unknown)


@remat_p.batch_axis
def _(axis, args, dims, params):
    batched, out_dims = batch_at(params["jaxpr"], axis, tuple(dims), 0)
    return remat_p.bind(*args, **{**params, "jaxpr": batched}), out_dims


# ---- names and policies --------------------------------------------------------------------------

name_p = Primitive("name", linear=True)
name_p.sharding(rules.of_operands)
name_p.type(lambda x, *, name: x)
name_p.evaluate(lambda x, *, name: x)
# JAX parity: tests/transforms/test_remat.py
name_p.jvp(lambda primals, tangents, *, name: (name_p.bind(*primals, name=name), tangents[0]))
name_p.transpose_rule = lambda ct, x, *, name: [ct]
name_p.batch_rule = lambda args, dims, *, name: (name_p.bind(args[0], name=name), dims[0])


name_p.examples((ShapedArray((3,), np.dtype(np.float32)), dict(name="hidden")))


def checkpoint_name(x, name: str):
    """Name the values of a tree, for policies such as `save_only_these_names`.

    Args:
      x: a tree of arrays.
      name: the name.
    Returns:
      The tree, with the same values.
    Raises:
      TypeError: a leaf is no array or number.

    >>> checkpoint_name(jnp.ones(2), "hidden")
    Array([1., 1.], dtype=float32)
    """
    leaves, tree = tree_flatten(x)
    return tree_unflatten(tree, [name_p.bind(leaf, name=name) for leaf in leaves])


def checkpoint_name_fwd(x, name: str):
    """Name the values of a tree as `checkpoint_name` does, and not their tangents. A name of JAX 0.11.

    Args:
      x: a tree of arrays.
      name: the name.
    Returns:
      The tree, with the same values.
    Raises:
      TypeError: a leaf of the tree is no array and no number.

    >>> checkpoint_name_fwd(jnp.ones(2), "hidden")
    Array([1., 1.], dtype=float32)
    """
    named = custom_jvp(lambda y: checkpoint_name(y, name))
    named.defjvp(lambda primals, tangents: (checkpoint_name(primals[0], name), tangents[0]))
    return named(x)


class _Verdict:
    """The answer of a policy that is no bool."""

    __slots__ = ("_name",)

    def __init__(self, name: str):
        self._name = name

    def __repr__(self):
        return self._name


Recompute = _Verdict("Recompute")
Saveable = _Verdict("Saveable")


class Offloadable(NamedTuple):
    """A policy's answer: to be kept in the memory `dst`, not in `src` where it is.

    Args:
      src: the kind of memory where the value is, "device".
      dst: the kind where it is kept, "pinned_host".

    >>> Offloadable("device", "pinned_host").dst
    'pinned_host'
    """

    src: str
    dst: str


@dataclass(frozen=True)
class DotsSaveable:
    """Save results of matrix products, perhaps only of those without batch dimensions."""

    only_if_no_batch_dims: bool

    def __call__(self, prim, *args, **params) -> bool:
        if not self.only_if_no_batch_dims:
            return prim.name in ("dot_general", "conv_general_dilated")
        return prim.name == "dot_general" and params["dimension_numbers"][1] == ((), ())


@dataclass(frozen=True)
class SaveOnlyTheseNames:
    """Save only the values with these names."""

    saveable_names: frozenset[str]

    def __call__(self, prim, *args, **params) -> bool:
        return prim is name_p and params["name"] in self.saveable_names


@dataclass(frozen=True)
class SaveAnyNamesButThese:
    """Save named values except these."""

    names: frozenset[str]

    def __call__(self, prim, *args, **params) -> bool:
        return prim is name_p and params["name"] not in self.names


class checkpoint_policies:
    """The policies of what a checkpointed function may save: functions (primitive, *avals, **params) -> bool.

    A policy may also answer `Recompute`, `Saveable`, or `Offloadable(src, dst)` of `ad_checkpoint`.

    >>> f = checkpoint(lambda x: jnp.sin(jnp.sin(x)), policy=checkpoint_policies.nothing_saveable)
    >>> grad(f)(0.0)
    Array(1., dtype=float32, weak_type=True)
    """

    @staticmethod
    def everything_saveable(*_, **__) -> bool:
        """Save all results, as if the function were not checkpointed.

        Args:
          _: the primitive and the types of its operands.
          __: its parameters.
        """
        return True

    @staticmethod
    def nothing_saveable(*_, **__) -> bool:
        """Save no result: the default.

        Args:
          _: the primitive and the types of its operands.
          __: its parameters.
        """
        return False

    checkpoint_dots = dots_saveable = DotsSaveable(only_if_no_batch_dims=False)
    checkpoint_dots_with_no_batch_dims = dots_with_no_batch_dims_saveable = DotsSaveable(only_if_no_batch_dims=True)

    @staticmethod
    def save_any_names_but_these(*names_not_to_save: str) -> Callable:
        """Return the policy that saves values with names, but for these.

        Args:
          names_not_to_save: names of `checkpoint_name`.
        """
        return SaveAnyNamesButThese(frozenset(names_not_to_save))

    @staticmethod
    def save_only_these_names(*names_which_can_be_saved: str) -> Callable:
        """Return the policy that saves the values with these names alone.

        Args:
          names_which_can_be_saved: names of `checkpoint_name`.
        """
        return SaveOnlyTheseNames(frozenset(names_which_can_be_saved))

    @staticmethod
    def save_anything_except_these_names(*names_not_to_save: str) -> Callable:
        """Return the policy that saves everything but the values with these names.

        Args:
          names_not_to_save: names of `checkpoint_name`.
        """
        return lambda prim, *_, **params: prim is not name_p or params["name"] not in names_not_to_save

    @staticmethod
    def save_from_both_policies(policy_1: Callable, policy_2: Callable) -> Callable:
        """Return the policy that saves what either of two saves.

        Args:
          policy_1: a policy that answers with bools.
          policy_2: another one.
        """

        def policy(prim, *args, **params):
            found = policy_1(prim, *args, **params), policy_2(prim, *args, **params)
            if not all([isinstance(verdict, bool) for verdict in found]):
                raise ValueError(
                    message(
                        f"The return value of the policies should be a boolean. Got: {found[0]} and {found[1]}. "
                        "Please write a custom policy function directly, rather than using this helper function.",
                        fix="a function of (primitive, *avals, **params) that asks both",
                    )
                )
            return any(found)

        return policy

    @staticmethod
    def save_and_offload_only_these_names(
        *, names_which_can_be_saved, names_which_can_be_offloaded, offload_src: str, offload_dst: str
    ) -> Callable:
        """Return the policy that saves the values with some names, and moves those with others to another memory.

        Args:
          names_which_can_be_saved: names of `checkpoint_name`.
          names_which_can_be_offloaded: other names.
          offload_src: the kind of memory where the values are, "device".
          offload_dst: the kind to which they go, "pinned_host".
        Raises:
          ValueError: a name is in both.
        """
        saved, offloaded = set(names_which_can_be_saved), set(names_which_can_be_offloaded)
        if saved & offloaded:
            raise ValueError(
                message(
                    "The names should be exclusive and should not intersect in `names_which_can_be_saved` and "
                    f"`names_which_can_be_offloaded`. Got names_which_can_be_saved={saved}, "
                    f"names_which_can_be_offloaded={offloaded} and the intersection={saved & offloaded}",
                    fix="each name in one of the two",
                )
            )

        def policy(prim, *_, **params):
            if prim is name_p and params["name"] in saved:
                return Saveable
            if prim is name_p and params["name"] in offloaded:
                return Offloadable(offload_src, offload_dst)
            return Recompute

        return policy

    @staticmethod
    def offload_dot_with_no_batch_dims(offload_src: str, offload_dst: str) -> Callable:
        """Return the policy that moves results of matrix products without batch axes to another memory.

        Args:
          offload_src: the kind of memory where the values are, "device".
          offload_dst: the kind to which they go, "pinned_host".
        """

        def policy(prim, *avals, **params):
            wanted = checkpoint_policies.dots_with_no_batch_dims_saveable(prim, *avals, **params)
            return Offloadable(offload_src, offload_dst) if wanted else Recompute

        return policy
