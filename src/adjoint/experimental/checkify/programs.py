"""Programs with an error beside their values.

`evaluate` runs a jaxpr equation by equation, with the rule of each primitive. `checked` makes of a program one that
gives its errors first: equations that hold programs hold those instead. A loop carries the errors, so their kinds have
to be known before it is made: its body is transformed until no turn adds a kind. A call begins without an error; what
it found is added to what was found before.

Tests: `tests/experimental/test_checkify.py`.
"""

from __future__ import annotations

from functools import partial

from ...control_flow.composite import composite_p
from ...control_flow.cond import cond_p
from ...control_flow.scan import scan_p
from ...control_flow.while_loop import while_p
from ...core.jaxpr import ClosedJaxpr, Literal, effects_of
from ...core.process.records import NamedTuple
from ...core.trace import eval_jaxpr, stage, stage_closed, state
from ...core.types import Array, ShapedArray, aval_of
from ...core.values.refs import Ref
from ...core.values.zeros import Zero
from ...parallel.manual import changed_call, closed_call, inside_call, shard_map_p
from ...prims.shape import reshape
from ...sharding.mesh import PartitionSpec
from ...transforms.calls import opened_call
from ...transforms.custom.custom_jvp import SymbolicZero, custom_jvp_call
from ...transforms.custom.custom_vjp import custom_vjp_call
from ...transforms.custom.custom_vmap import custom_vmap_call
from ...transforms.custom.linear_call import linear_call_p
from ...transforms.custom.remat import remat_p
from ...transforms.jit.primitive import call_params, jit_p
from ...transforms.programs import add_unused_operands, permute, remembered
from .errors import (
    Error,
    add_later,
    blank,
    bound,
    error_of,
    fitted,
    init_error,
    leaves_of,
    new_code,
    together,
    turns,
    with_later,
)
from .exceptions import ErrorEffect, NaNError, OOBError
from .rules import bind, rule_of, rules
from .segments import looked_at, opened, parts_of_positions, segments_of

__all__ = ["evaluate"]


def evaluate(jaxpr, consts, enabled: frozenset, error: Error, *args) -> tuple[Error, list]:
    """Run a jaxpr under the current trace: the error after it, and its results."""
    stages = state.trace.stages
    jaxpr = opened(jaxpr) if stages else jaxpr
    env = dict(zip(jaxpr.constvars, consts))
    env.update(zip(jaxpr.invars, args, strict=True))
    read = lambda v: v.operand if type(v) is Literal else env[v]
    before = state.source
    segments = segments_of(jaxpr) if stages and NaNError in enabled else []
    parts = parts_of_positions(jaxpr) if stages and OOBError in enabled else {}
    ends = {s.last: s for s in segments}
    later = {i for s in segments for i in s.checked}  # what is looked at with the rest of its segment
    others, codes = enabled - {NaNError}, {}
    try:
        for i, eqn in enumerate(jaxpr.eqns):
            state.source = eqn._source
            operands, rule = [read(v) for v in eqn.invars], rule_of(eqn.primitive)
            if rule is None:
                outs = bind(eqn.primitive, operands, eqn.params)
            elif i in parts:
                values, whole = parts[i]
                given = [read(v) for v in values], partial(eval_jaxpr, whole, ()), [read(v) for v in whole.invars]
                error, outs = rule(enabled, error, operands, eqn.params, given)
            else:
                error, outs = rule(others if i in later else enabled, error, operands, eqn.params)
            env.update(zip(eqn.outvars, outs))
            if i in later:
                codes[i] = new_code()  # now, since of two kinds of errors the one with the lesser number came first
            if i in ends:
                error = looked_at(error, ends[i], jaxpr, env, codes)
    finally:
        state.source = before
    return error, [read(v) for v in jaxpr.outvars]


class Kinds(NamedTuple):
    """The kinds of errors that a program takes or gives, and the types of their values."""

    effects: tuple[ErrorEffect, ...] = ()
    avals: tuple[ShapedArray, ...] = ()

    def by_effect(self) -> dict[ErrorEffect, list[ShapedArray]]:
        """The types of the values of each kind."""
        avals = iter(self.avals)
        return {e: [next(avals) for _ in range(2 + len(e.shape_dtypes))] for e in self.effects}


_NONE = Kinds()


class Checked(NamedTuple):
    """`program`: *values of the errors before, *operands -> *values of the errors after, *results."""

    program: ClosedJaxpr
    kinds: Kinds  # of the errors after
    metadata: dict

    @property
    def num_leaves(self) -> int:
        return len(self.kinds.avals)

    def error(self, leaves) -> Error:
        """The error after the program."""
        return error_of(self.kinds.effects, leaves, self.metadata)


def checked(closed: ClosedJaxpr, enabled: frozenset, before: Kinds = _NONE, is_turn: bool = False) -> Checked:
    """Return a program that gives its errors too, beside those of `before`, which it is given."""
    return _checked(closed, enabled, before, is_turn or turns.inside)


@remembered
def _checked(closed: ClosedJaxpr, enabled: frozenset, before: Kinds, in_loop: bool) -> Checked:
    n, found = len(before.avals), []

    def fun(*args):
        error = error_of(before.effects, args[:n], {})
        error, outs = evaluate(closed.jaxpr, closed.consts, enabled, error, *args[n:])
        leaves = leaves_of(error)
        found[:] = error.effects, len(leaves), error._metadata  # not the error, whose values are traced
        return leaves + outs

    outer, turns.inside = turns.inside, in_loop
    try:
        program = stage_closed(fun, [*before.avals, *closed.in_avals], closed.debug_info)
    finally:
        turns.inside = outer
    effects, count, metadata = found
    return Checked(program, Kinds(effects, tuple(program.out_avals[:count])), metadata)


def _joint(first: Kinds, second: Kinds) -> Kinds:
    """Return the kinds of both; those of a batch of devices where one of them is."""
    a, b = first.by_effect(), second.by_effect()
    effects = tuple(sorted({*a, *b}))
    larger = lambda e: max(a.get(e, []), b.get(e, []), key=lambda t: (t[0].ndim, len(t[0].vma)) if t else (-1, 0))
    return Kinds(effects, tuple([aval for e in effects for aval in larger(e)]))


def _blank(kinds: Kinds) -> list:
    """Return the values of errors that did not occur."""
    return [x for avals in kinds.by_effect().values() for x in blank(avals)]


def _stable(programs, enabled, is_turn: bool = False) -> tuple[list[Checked], Kinds]:
    """Programs that all take and give errors of the same kinds, and these."""
    kinds = _NONE
    while True:
        done = [checked(p, enabled, kinds, is_turn) for p in programs]
        wanted = kinds
        for d in done:
            wanted = _joint(wanted, d.kinds)
        if wanted == kinds:
            return done, kinds
        kinds = wanted


def _metadata(done) -> dict:
    return {code: tree for d in done for code, tree in d.metadata.items()}


# ---- loops and branches --------------------------------------------------------------------------


def _scan_rule(enabled, error, args, params):
    closed, num_consts = params["jaxpr"], params["num_consts"]
    (done,), kinds = _stable([closed], enabled, True)
    k = done.num_leaves
    if not k:
        return error, scan_p.bind(*args, **{**params, "jaxpr": done.program})
    order = (*range(k, k + num_consts), *range(k), *range(k + num_consts, k + len(closed.in_avals)))
    body = permute(done.program, order, tuple(range(len(done.program.out_avals))))
    outs = scan_p.bind(
        *args[:num_consts], *_blank(kinds), *args[num_consts:],
        **{**params, "jaxpr": body, "num_carry": params["num_carry"] + k},
    )
    return error.merged(done.error(outs[:k])), outs[k:]


rules[scan_p] = _scan_rule


def _while_rule(enabled, error, args, params):
    test, body = params["cond_jaxpr"], params["body_jaxpr"]
    n, m = params["cond_nconsts"], params["body_nconsts"]
    if test.out_avals[0].shape:
        raise ValueError(
            "Checkify does not support batched while-loops (checkify-of-vmap-of-while). \nHint: if possible, move the "
            "vmap to the outer level to get vmap-of-checkify-of-while."
        )
    if checked(test, enabled).num_leaves:
        return _while_checked_test(enabled, error, args, params)
    (done,), kinds = _stable([body], enabled, True)
    k, num_carry = done.num_leaves, len(body.out_avals)
    if not k:
        return error, while_p.bind(*args, **{**params, "body_jaxpr": done.program})
    step = permute(
        done.program, (*range(k, k + m), *range(k), *range(k + m, k + m + num_carry)), tuple(range(k + num_carry))
    )
    wider = add_unused_operands(test, kinds.avals)
    end = n + num_carry
    wider = permute(wider, (*range(n), *range(end, end + k), *range(n, end)), (0,))
    outs = while_p.bind(
        *args[: n + m], *_blank(kinds), *args[n + m :], **{**params, "cond_jaxpr": wider, "body_jaxpr": step}
    )
    return error.merged(done.error(outs[:k])), outs[k:]


def _while_checked_test(enabled, error, args, params):
    """Return a loop whose condition has checks: it is evaluated once for each turn, and its value carried."""
    test, body = params["cond_jaxpr"], params["body_jaxpr"]
    n, m = params["cond_nconsts"], params["body_nconsts"]
    first = checked(test, enabled)
    leaves = bind(jit_p, [*args[:n], *args[n + m :]], _call(first.program))
    error, holds = error.merged(first.error(leaves[:-1])), leaves[-1]
    (done,), kinds = _stable([_turn(body, test, m, n)], enabled, True)
    k, c = done.num_leaves, n + m
    step = permute(
        done.program, (*range(k, k + c), *range(k), *range(k + c, len(done.program.in_avals))),
        tuple(range(len(done.program.out_avals))),
    )
    carry = [*_blank(kinds), holds, *args[c:]]
    outs = while_p.bind(
        *args[:c], *carry, **{
            **params, "cond_jaxpr": _carried_test(step, c, k), "cond_nconsts": 0, "body_jaxpr": step, "body_nconsts": c,
        },
    )
    return error.merged(done.error(outs[:k])), outs[k + 1 :]


def _call(program: ClosedJaxpr) -> dict:
    """Return the parameters of a call of a program."""
    return call_params(dict(name="cond", keep_unused=False, inline=False), program)


@remembered
def _turn(body: ClosedJaxpr, test: ClosedJaxpr, m: int, n: int) -> ClosedJaxpr:
    """*consts of the condition, *consts of the body, whether it holds, *carry -> whether it holds then, *carry."""

    def fun(*args):
        carry = eval_jaxpr(body.jaxpr, body.consts, *args[n : n + m], *args[n + m + 1 :])
        return eval_jaxpr(test.jaxpr, test.consts, *args[:n], *carry) + carry

    holds = test.out_avals[0]
    avals = [*test.in_avals[:n], *body.in_avals[:m], holds, *body.in_avals[m:]]
    return stage_closed(fun, avals, body.debug_info)


@remembered
def _carried_test(step: ClosedJaxpr, num_consts: int, at: int) -> ClosedJaxpr:
    """Return a condition that is one of the values of the carry."""
    return stage_closed(lambda *carry: [carry[at]], step.in_avals[num_consts:])


rules[while_p] = _while_rule


def _cond_rule(enabled, error, args, params):
    index, *operands = args
    done, kinds = _stable(params["branches"], enabled)
    k = done[0].num_leaves
    outs = cond_p.bind(index, *_blank(kinds), *operands, branches=tuple([d.program for d in done]))
    return error.merged(error_of(kinds.effects, outs[:k], _metadata(done))), outs[k:]


rules[cond_p] = _cond_rule


# ---- calls ---------------------------------------------------------------------------------------


def _jit_rule(enabled, error, args, params):
    program, captured = opened_call(params["jaxpr"], args)
    done = checked(program, enabled)
    if not done.num_leaves and not effects_of(program.jaxpr):  # nothing is to be checked
        return error, jit_p.bind(*args, **params)
    outs = jit_p.bind(*captured or (), *args, **call_params(params, done.program))
    return error.merged(done.error(outs[: done.num_leaves])), outs[done.num_leaves :]


def _remat_rule(enabled, error, args, params):
    done = checked(params["jaxpr"], enabled)
    outs = remat_p.bind(*args, **{**params, "jaxpr": done.program})
    return error.merged(done.error(outs[: done.num_leaves])), outs[done.num_leaves :]


def _opened(key: str):
    """Return the rule of a call that is run as the program it holds."""

    def rule(enabled, error, args, params):
        return evaluate(params[key].jaxpr, params[key].consts, enabled, error, *args)

    return rule


rules[jit_p] = _jit_rule
rules[remat_p] = _remat_rule
rules[composite_p] = _opened("jaxpr")
rules[custom_vmap_call] = _opened("call")
rules[linear_call_p] = _opened("callee")


def _custom_jvp_rule(enabled, error, args, params):
    done = checked(params["call_jaxpr"], enabled)
    metadata = with_later(done.metadata)
    rule = _CheckedJVP(params["jvp_jaxpr_fun"], enabled, done.kinds, metadata)
    outs = custom_jvp_call.bind(*args, **{**params, "call_jaxpr": done.program, "jvp_jaxpr_fun": rule})
    return error.merged(error_of(done.kinds.effects, outs[: done.num_leaves], metadata)), outs[done.num_leaves :]


def _aligned(error: Error, kinds: Kinds, metadata: dict) -> list:
    """Return the values of an error as these kinds; errors of others are raised, or left to the check of the rule."""
    add_later(metadata, error._metadata)
    others = {e: error._pred[e] for e in error.effects if e not in kinds.effects}
    bound(Error(others, {e: error._code[e] for e in others}, error._metadata,
                {e: error._payload[e] for e in others}), debug=False)
    leaves = []
    for e, avals in kinds.by_effect().items():
        none = blank(avals)
        values = [error._pred[e], error._code[e], *error._payload[e]] if e in error._pred else none
        leaves += [fitted(x, a) for x, a in zip(together(values, none)[0], avals)]
    return leaves


class _CheckedJVP:
    """A rule for derivatives of a checked function, which gives the errors first."""

    def __init__(self, rule, enabled: frozenset, kinds: Kinds, metadata: dict):
        self.rule = rule
        self.metadata = metadata
        self.enabled = enabled
        self.kinds = kinds
        self.name, self.__name__ = rule.name, rule.__name__

    def __call__(self, primals, tangents):
        n, zeros = len(primals), []
        given = [i for i, t in enumerate(tangents) if not isinstance(t, (SymbolicZero, Zero))]

        def fun(*args):
            ts = list(tangents)
            for i, t in zip(given, args[n:]):
                ts[i] = t
            outs, tangents_out = self.rule(list(args[:n]), ts)
            zeros[:] = [t if type(t) is Zero else None for t in tangents_out]
            return [*outs, *[t for t in tangents_out if type(t) is not Zero]]

        operands = [*primals, *[tangents[i] for i in given]]
        jaxpr, consts = stage(fun, [aval_of(x) for x in operands])
        error, outs = evaluate(jaxpr, consts, self.enabled, init_error, *operands)
        ts, m = iter(outs[len(zeros) :]), len(zeros)
        leaves = [x if isinstance(x, Array) else _as_array(x) for x in _aligned(error, self.kinds, self.metadata)]
        return [*leaves, *outs[:m]], [
            *[Zero.from_primal_value(x) for x in leaves], *[next(ts) if z is None else z for z in zeros]
        ]


def _as_array(x):
    return reshape(x, new_sizes=aval_of(x).shape, dimensions=None, sharding=None)


def _custom_vjp_rule(enabled, error, args, params):
    done = checked(params["call_jaxpr"], enabled)
    if Ref in map(type, args):
        return error, custom_vjp_call.bind(*args, **params)
    metadata = with_later(done.metadata)
    forward, backward = _checked_rules(params["fwd_jaxpr_thunk"], params["bwd"], enabled, done.kinds, metadata)
    outs = custom_vjp_call.bind(
        *args, **{**params, "call_jaxpr": done.program, "fwd_jaxpr_thunk": forward, "bwd": backward}
    )
    return error.merged(error_of(done.kinds.effects, outs[: done.num_leaves], metadata)), outs[done.num_leaves :]


def _checked_rules(forward, backward, enabled: frozenset, kinds: Kinds, metadata: dict):
    """Return `fwd` and `bwd` of a checked function: `fwd` gives the errors first, whose cotangents `bwd` drops."""
    k = len(kinds.avals)

    def fwd(leaves, perturbed):
        sizes = []

        def fun(*xs):
            outs, residuals = forward(list(xs), perturbed)
            sizes[:] = [len(outs)]
            return [*outs, *residuals]

        jaxpr, consts = stage(fun, [aval_of(x) for x in leaves])
        error, outs = evaluate(jaxpr, consts, enabled, init_error, *leaves)
        return [*_aligned(error, kinds, metadata), *outs[: sizes[0]]], outs[sizes[0] :]

    def bwd(_, residuals, cts):
        return backward(forward, residuals, cts[k:])

    for rule, of in ((fwd, forward), (bwd, backward)):
        rule.__name__ = of.__name__
    fwd.optimize_remat = False
    bwd.name = backward.name
    return fwd, bwd


rules[custom_jvp_call] = _custom_jvp_rule
rules[custom_vjp_call] = _custom_vjp_rule


# ---- devices -------------------------------------------------------------------------------------


def _shard_map_rule(enabled, error, args, params):
    """Give each device an error of its own: together they are the errors of a batch."""
    with inside_call(params):
        done = checked(closed_call(params), enabled)
        k = done.num_leaves
        program = _with_axis(done.program, k)
    names = tuple([a for a in params["mesh"].axis_names if a in params["newly_manual_axes"]])
    spec = PartitionSpec(names if len(names) > 1 else names[0])
    consts, changed = changed_call(params, program, params["in_specs"], [*[spec] * k, *params["out_specs"]])
    outs = shard_map_p.bind(*consts, *args, **changed)
    return error.merged(done.error(outs[:k])), outs[k:]


@remembered
def _with_axis(program: ClosedJaxpr, k: int) -> ClosedJaxpr:
    """Return the program whose first results have a leading axis of length 1."""

    def fun(*args):
        outs = eval_jaxpr(program.jaxpr, program.consts, *args)
        return [*[fitted(x, aval_of(x).update(shape=(1, *aval_of(x).shape))) for x in outs[:k]], *outs[k:]]

    return stage_closed(fun, program.in_avals, program.debug_info)


rules[shard_map_p] = _shard_map_rule
