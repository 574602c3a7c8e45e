"""How far results of a program move where every operand is moved by about its rounding error.

Two engines may round differently, and a program may make much of little: a comparison of numbers that are nearly
equal, a difference that cancels. What is within these bounds says nothing of an engine.
"""

from __future__ import annotations

import numpy as np

from adjoint.core.jaxpr import ClosedJaxpr, Literal
from adjoint.dtypes import finfo, issubdtype
from adjoint.engines.numpy.floating import quiet
from adjoint.engines.numpy.program import as_buffer, evaluation

SAMPLES, ULPS = 10, 4
# Operations that round nothing: their operands are moved where they were made.
EXACT = set("""
    abs and argmax argmin broadcast_in_dim clamp concatenate copy cummax cummin dynamic_slice dynamic_update_slice eq
    floor ceil round gather ge gt imag iota is_finite le lt max min ne neg not or pad real complex reduce_and
    reduce_max reduce_min reduce_or reduce_xor reshape rev scatter select_n sign slice sort split squeeze top_k
    transpose convert_element_type bitcast_convert_type reduce_precision nextafter random_wrap random_unwrap
    random_bits random_fold_in random_seed threefry2x32
""".split())
CALLS = {"jit": "jaxpr", "remat2": "jaxpr", "custom_jvp_call": "call_jaxpr", "custom_vjp_call": "call_jaxpr"}


def uncertainty(closed: ClosedJaxpr, buffers) -> list[np.ndarray]:
    """By how much each element of each result moves; NaN where it comes and goes."""
    first = [wide(x) for x in run(closed, buffers)]
    most = [np.zeros(x.shape) for x in first]
    with np.errstate(all="ignore"):
        for seed in range(SAMPLES):
            rng = np.random.default_rng(seed)
            moved = run(closed, buffers, lambda x: _moved(x, rng))
            for bound, x, y in zip(most, first, moved, strict=True):
                y = wide(y)
                same = (x == y) | (np.isnan(x) & np.isnan(y))
                np.maximum(bound, np.where(same, 0, abs(x - y)), out=bound)
    return most


def wide(x) -> np.ndarray:
    x = np.asarray(x)
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def _moved(x, rng):
    x = np.asarray(x)
    if not issubdtype(x.dtype, np.inexact) or not x.size:
        return x
    factor = 1 + ULPS * float(finfo(x.dtype).eps) * rng.uniform(-1, 1, x.shape)
    return (x * factor).astype(x.dtype) if x.dtype.itemsize > 2 else (x.astype("float32") * factor).astype(x.dtype)


def run(closed: ClosedJaxpr, buffers, move=lambda x: x, known=None) -> list:
    """Evaluate a program, with `move` on the operands and results of what rounds; `known` is given every value."""
    token = quiet.enter()
    try:
        return _run(closed, list(buffers), move, known)
    finally:
        quiet.leave(token)


def _run(closed, buffers, move, known=None):
    jaxpr = closed.jaxpr
    env = {} if known is None else known
    env.update(zip(jaxpr.constvars, [as_buffer(c, v.aval) for c, v in zip(closed.consts, jaxpr.constvars)]))
    env.update(zip(jaxpr.invars, buffers, strict=True))
    read = lambda v: np.asarray(v.val, v.aval.dtype) if type(v) is Literal else env[v]
    for eqn in jaxpr.eqns:
        env.update(zip(eqn.outvars, _evaluated(eqn, [read(v) for v in eqn.invars], move)))
    return [read(v) for v in jaxpr.outvars]


def _evaluated(eqn, operands, move):
    name, params = eqn.primitive.name, eqn.params
    if name in CALLS:
        return _run(params[CALLS[name]], operands, move)
    if name == "scan":
        return _scanned(params, operands, move)
    if name == "while":
        test, body = params["cond_jaxpr"], params["body_jaxpr"]
        start, end = params["cond_nconsts"], params["cond_nconsts"] + params["body_nconsts"]
        carry = operands[end:]
        while _run(test, [*operands[:start], *carry], move)[0]:
            carry = _run(body, [*operands[start:end], *carry], move)
        return carry
    if name == "cond":
        branches = params["branches"]
        return _run(branches[int(np.clip(operands[0], 0, len(branches) - 1))], operands[1:], move)
    rounds = name not in EXACT
    outs = evaluation(eqn)(*[move(x) if rounds else x for x in operands])
    outs = outs if eqn.primitive.multiple_results else [outs]
    return [move(x) if rounds else x for x in outs]


def _scanned(params, operands, move):
    body, length = params["jaxpr"], params["length"]
    start, end = params["num_consts"], params["num_consts"] + params["num_carry"]
    consts, carry, xs = operands[:start], operands[start:end], operands[end:]
    avals = body.out_avals[len(carry) :]
    rows: list = [None] * length
    for i in reversed(range(length)) if params["reverse"] else range(length):
        outs = _run(body, [*consts, *carry, *[x[i] for x in xs]], move)
        carry, rows[i] = outs[: len(carry)], outs[len(carry) :]
    empty = [np.empty((0, *a.shape), getattr(a.dtype, "buffer_dtype", a.dtype)) for a in avals]
    return [*carry, *[np.stack([r[k] for r in rows]) if rows else e for k, e in enumerate(empty)]]
