"""`while`: a loop that runs as long as a condition on its carry holds.

`cond_jaxpr` takes *its consts, *carry and returns a boolean, `body_jaxpr` takes *its consts, *carry and
returns *carry. Under a batched condition the boolean has the batch axes in front, as everything in the
carry then has: the loop runs until all elements are done, and an element that is done keeps its carry.

The number of turns is not known beforehand, so nothing can be kept for a backward pass: the derivative is
a loop that computes the primal carry again beside the tangents. It has a transpose only if the parameters
have `checkpoints`, which bounds how many carries may be kept on the way back (`checkpoints.py`).

Tests: `tests/control_flow/test_transformed.py`.
"""

from __future__ import annotations

import numpy as np

from ..core.effects import io_effect, ordered_io_effect
from ..core.jaxpr import effects_inside
from ..core.messages.errors import message
from ..core.passes import uses_refs
from ..core.primitive import Primitive, UndefinedPrimal
from ..core.state import reversed_frame
from ..core.trace import eval_jaxpr
from ..core.types import aval_of
from ..core.values.refs import Ref
from ..core.values.zeros import Zero
from ..engines import compiled_loop
from ..engines.numpy import program
from ..engines.numpy.loop import MIN_TURNS_TO_COMPILE, while_loop
from ..prims.discharge import discharge_refs, store_last, values_of
from ..prims.shape import batch_to_front, materialise_batch
from ..transforms.calls import axes_of, without_tracers
from ..transforms.jvp import instantiate
from ..transforms.programs import add_unused_operands, batch_at, fill_zeros, jvp_program, permute
from .carry import carry_fixed_point, errors_name_turn, interleaved, parts
from .lanes import lanes_of, meet_at_keys, with_lanes

__all__ = ["while_p"]

while_p = Primitive("while", multiple_results=True, program=True)
while_p.own_params = frozenset(["lanes"])


def _groups(values, params) -> list[list]:
    """Return (consts of the condition, consts of the body, carry) of operands or of what goes with them."""
    return parts(values, params["cond_nconsts"], params["body_nconsts"])


@while_p.type
def _(*avals, body_jaxpr, **_):
    return body_jaxpr.out_avals


@while_p.propagate
def _(params, ins, inside):
    _, consts, carry = _groups(ins, params)
    inside(params["body_jaxpr"], [*consts, *carry])  # which may be asked about values inside
    return carry


@while_p.evaluate
def _(*buffers, cond_jaxpr, body_jaxpr, **sizes):
    avals = [*cond_jaxpr.in_avals[: sizes["cond_nconsts"]], *body_jaxpr.in_avals]
    run = compiled_loop(while_p, body_jaxpr, avals, {"cond_jaxpr": cond_jaxpr, "body_jaxpr": body_jaxpr, **sizes})
    if run is not None:
        return run(*buffers)
    cond_consts, body_consts, carry = _groups(buffers, sizes)
    holds, step = program(cond_jaxpr), program(body_jaxpr)
    if cond_jaxpr.out_avals[0].shape:
        return _run_masked(holds, step, cond_consts, body_consts, carry)
    turns = 0
    while holds(*cond_consts, *carry)[0]:
        carry = step(*body_consts, *carry)
        turns += 1
        if turns == MIN_TURNS_TO_COMPILE:
            loop = while_loop(body_jaxpr, cond_jaxpr, len(carry))
            if loop is not None:
                return loop(cond_consts, body_consts, carry)
    return carry


@while_p.opened
def _(args, params):
    test, read = without_tracers(params["cond_jaxpr"])
    body, captured = without_tracers(params["body_jaxpr"])
    if not read and not captured:
        return args, params
    n, m = params["cond_nconsts"], params["body_nconsts"]
    sizes = dict(cond_nconsts=n + len(read), body_nconsts=m + len(captured))
    return [*read, *args[:n], *captured, *args[n:]], {**params, "cond_jaxpr": test, "body_jaxpr": body, **sizes}


@while_p.discharge
def _(args, params):
    test, body = params["cond_jaxpr"], params["body_jaxpr"]
    cond_consts, body_consts, carry = _groups(args, params)
    if Ref in map(type, cond_consts) or uses_refs(test.jaxpr):
        # What the condition reads does not change unless the body has it too.
        if any([x in body_consts for x in cond_consts if type(x) is Ref]):
            raise NotImplementedError("The condition of a while loop reads a reference that the body has.")
        held = discharge_refs(test)
        test = permute(held, tuple(range(len(held.in_avals))), (0,))
        cond_consts = values_of(cond_consts)
    refs = [x for x in body_consts if type(x) is Ref]
    at = [i for i, x in enumerate(body_consts) if type(x) is Ref]
    kept = [i for i in range(len(body_consts)) if i not in at]
    n = len(body_consts)
    step = permute(
        discharge_refs(body), (*kept, *range(n, n + len(carry)), *at), tuple(range(len(carry) + len(at)))
    )
    outs = while_p.bind(
        *cond_consts, *[body_consts[i] for i in kept], *carry, *values_of(refs),
        **{**params, "body_jaxpr": step, "body_nconsts": len(kept),
           "cond_jaxpr": add_unused_operands(test, tuple([x.aval.inner_aval for x in refs]))},
    )
    store_last(refs, outs[len(carry) :])
    return outs[: len(carry)]


@while_p.stepwise
def _(args, params):
    test, body = params["cond_jaxpr"], params["body_jaxpr"]
    cond_consts, body_consts, carry = _groups(args, params)
    turn = 0
    while np.all(eval_jaxpr(test.jaxpr, test.consts, *cond_consts, *carry)[0]):
        with errors_name_turn(turn):
            carry = eval_jaxpr(body.jaxpr, body.consts, *body_consts, *carry)
        turn += 1
    return carry


def _run_masked(holds, step, cond_consts, body_consts, carry) -> list:
    while True:
        (going,) = holds(*cond_consts, *carry)
        if not np.any(going):
            return carry
        new = step(*body_consts, *carry)
        if np.all(going):
            carry = new
            continue
        masks = [going.reshape(going.shape + (1,) * (x.ndim - going.ndim)) for x in carry]
        carry = [np.where(m, x, old) for m, x, old in zip(masks, new, carry)]


# ---- derivatives ---------------------------------------------------------------------------------


@while_p.jvp
def _(primals, tangents, **params):
    num_carry = len(params["body_jaxpr"].out_avals)
    operands, widened, nonzero = _with_tangents(primals, tangents, params)
    out = while_p.bind(*operands, **widened)
    avals = params["body_jaxpr"].out_avals
    return out[:num_carry], fill_zeros(out[num_carry:], nonzero, avals)


def _checkpoints():
    """Return the module of loops that bound how many carries they keep, which few want: it takes time to import."""
    from . import checkpoints

    return checkpoints


def _with_tangents(primals, tangents, params):
    """Return (operands, params, which carries have tangents) of the loop that computes tangents as well."""
    cond_consts, body_consts, carry = _groups(primals, params)
    _, t_consts, t_carry = _groups(tangents, params)
    flags = [type(t) is not Zero for t in t_consts + t_carry]
    num_carry = len(carry)
    transform = _checkpoints().separated_jvp if "checkpoints" in params else jvp_program
    (body, _), nonzero = carry_fixed_point(
        transform, params["body_jaxpr"], len(body_consts), num_carry, flags
    )
    is_varied = [type(t) is not Zero for t in t_consts]
    t_consts = [t for t in t_consts if type(t) is not Zero]
    t_carry = [instantiate(t) for t, nz in zip(t_carry, nonzero) if nz]
    ins = interleaved([len(body_consts), num_carry], [len(t_consts), len(t_carry)])
    outs = tuple(range(num_carry + len(t_carry)))
    widened = dict(
        params,
        body_jaxpr=permute(body, ins, outs),
        body_nconsts=len(body_consts) + len(t_consts),
        cond_jaxpr=add_unused_operands(params["cond_jaxpr"], tuple(map(aval_of, t_carry))),
    )
    lanes = lanes_of(params)
    if lanes is not None:
        test, body = lanes.loop
        (body, _), found = carry_fixed_point(transform, body, len(body_consts), num_carry, flags)
        if found == nonzero:
            tangents = tuple([a.to_tangent_aval() for a, nz in zip(test.in_avals[len(cond_consts) :], nonzero) if nz])
            axes = (*lanes.axes, *[a for a, is_v in zip(lanes.axes[len(cond_consts) :], is_varied) if is_v])
            widened = with_lanes(widened, (add_unused_operands(test, tangents), permute(body, ins, outs)), axes)
    return [*cond_consts, *body_consts, *t_consts, *carry, *t_carry], widened, nonzero


@while_p.linearize
def _(tape, primals, tangents, params):
    avals = params["body_jaxpr"].out_avals
    outs = while_p.bind(*primals, **params)
    operands, widened, nonzero = _with_tangents(primals, tangents, params)
    if not any(nonzero):
        return outs, fill_zeros([], nonzero, avals)
    ts = tape.emit(while_p, operands, widened)[len(avals) :]
    return outs, fill_zeros(ts, nonzero, avals)


@while_p.transpose
def _(cts, *args, **params):
    if "checkpoints" in params:
        _check_turns_are_alike(args, params)
        return _undone_by_lanes(cts, args, params) or _checkpoints().undone(while_p, cts, args, params)
    raise ValueError(
        message(
            "Reverse-mode differentiation does not work for lax.while_loop or lax.fori_loop with "
            "dynamic start/stop values. Try using lax.scan, or using fori_loop with static start/stop.",
            where=reversed_frame() or True,
            why="The backward pass needs the values of every iteration, and their number is not known when "
            "the program is made.",
            fix="lax.while_loop(cond, body, init, checkpoints=20), which keeps 20 carries and computes the others "
            "again,\nlax.fori_loop(0, n, body, init) with a Python int n,\n"
            "lax.scan(lambda x, _: (lax.cond(done(x), keep, step, x), None), init, length=most_turns),\n"
            "or jax.jvp and jax.jacfwd, which work through any loop",
        )
    )


def _check_turns_are_alike(args, params) -> None:
    """NotImplementedError if devices take turns of their own, and something of the loop is said to be alike on them."""
    turns = params["cond_jaxpr"].out_avals[0].vma
    read = [x.aval for x in args if type(x) is UndefinedPrimal]
    if not all([turns <= a.vma for a in [*read, *params["body_jaxpr"].out_avals]]):
        raise NotImplementedError(
            message(
                "Reverse-mode differentiation of a while_loop in shard_map whose turns differ between devices.",
                why="Its carry, or a value that it reads, does not vary along the mesh axes of its condition: "
                "the cotangent of what is read is a sum over devices, some of which have done their turns.",
                fix="lax.pcast(x, axes, to='varying') before the loop, of the carry and of what the loop reads",
            )
        )


def _undone_by_lanes(cts, args, params) -> list | None:
    """Return `undone` for each element of a batched loop, whose turns are as many as its own.

    None for other loops, and for those whose elements all add to the cotangent of one operand.
    """
    lanes = lanes_of(params)
    if lanes is None or any([type(x) is UndefinedPrimal and not a[0] for x, a in zip(args, lanes.axes)]):
        return None
    over, order, options = lanes.scan(while_p, params)
    found = dict(zip(order, over.transpose_rule(cts, *[args[i] for i in order], **options)))
    return [found[i] for i in range(len(args))]


# ---- batching ------------------------------------------------------------------------------------


def _check_effects(params, effect, what: str) -> None:
    if effect in effects_inside(params):
        raise Exception(
            message(
                what,
                why="The loop runs until all elements are done, and would have effects for those that are.",
                fix="debug.callback for io_callback, or lax.map for vmap",
            )
        )


@while_p.batch_axis
def _(axis, args, dims, params):
    _check_effects(params, ordered_io_effect, "Ordered IO effects not supported in vmap.")
    test, body = params["cond_jaxpr"], params["body_jaxpr"]
    cond_flags, body_flags, carry_flags = _groups([d is not None for d in dims], params)
    behind = test.out_avals[0].ndim  # the axes of outer batches, which the condition and all of the carry begin with
    placed = lambda consts, carry, at: (*[0 if b else None for b in consts], *[at if b else None for b in carry])
    while True:
        holds, (split,) = batch_at(test, axis, placed(cond_flags, carry_flags, behind), 0)
        if split is not None:
            _check_effects(
                params, io_effect,
                "Unordered IO effects not supported in while_loop with batched predicate",
            )
            carry_flags = [True] * len(carry_flags)
        at = behind if split is None else 0
        step, out = batch_at(body, axis, placed(body_flags, carry_flags, at), at, tuple(carry_flags))
        if out == placed((), carry_flags, at):
            break
        carry_flags = [d is not None for d in out]
    if split is not None:
        holds, _ = batch_at(test, axis, placed(cond_flags, carry_flags, 0), 0)
    batched = {**params, "cond_jaxpr": holds, "body_jaxpr": step}
    if split is not None or behind:
        batched = _with_batched_lanes(axis, params, batched, split is not None, cond_flags + body_flags, carry_flags)
    cond_consts, body_consts, carry = _groups(zip(args, dims), params)
    operands = [x if d is None else batch_to_front(x, d) for x, d in cond_consts + body_consts]
    operands += [
        materialise_batch(x, d, axis.size, at) if b else x for (x, d), b in zip(carry, carry_flags)
    ]
    return while_p.bind(*operands, **batched), placed((), carry_flags, at)


def _with_batched_lanes(axis, params, batched, splits: bool, const_flags, carry_flags) -> dict:
    """Return the parameters of a batched loop, with the loop of one element if elements do not meet.

    With `splits` the axis is one more of those over which elements end on their own. Else it is within each of them.
    """
    loop, axes = (params["cond_jaxpr"], params["body_jaxpr"]), ((),) * len(const_flags)
    if params["cond_jaxpr"].out_avals[0].ndim:
        lanes = lanes_of(params)
        if lanes is None:
            return batched
        loop, axes = lanes.loop, lanes.axes
    if effects_inside(params) or splits and axis.name in axes_of(loop[0].jaxpr) | axes_of(loop[1].jaxpr):
        return batched
    if meet_at_keys(loop[0].jaxpr) or meet_at_keys(loop[1].jaxpr):
        return batched
    if splits:
        return with_lanes(batched, loop, tuple([(flag, *own) for flag, own in zip(const_flags, axes)]))
    if any([flag and any(own) for flag, own in zip(const_flags, axes)]):  # whose batch axes are not in front
        return batched
    n = params["cond_nconsts"]
    at = lambda flags: tuple([0 if flag else None for flag in flags])
    test, _ = batch_at(loop[0], axis, at(const_flags[:n] + carry_flags))
    body, out = batch_at(loop[1], axis, at(const_flags[n:] + carry_flags), 0, tuple(carry_flags))
    if out != at(carry_flags) or test.out_avals[0].ndim:
        return batched
    return with_lanes(batched, (test, body), axes)


while_p.effects(effects_inside)


@while_p.axes
def _(params):
    return axes_of(params["cond_jaxpr"].jaxpr) | axes_of(params["body_jaxpr"].jaxpr)
