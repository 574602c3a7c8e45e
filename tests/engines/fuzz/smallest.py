"""The smallest part of a program that fails: equations are left out while it still does.

What an equation makes becomes an operand, with the value that the NumPy engine finds. A loop, a branch or a call that
is left alone is opened, and its body is made smaller in its turn.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from tests.engines.fuzz import rounded

import adjoint as ax
from adjoint.core.jaxpr import ClosedJaxpr, Literal
from adjoint.core.trace import eval_jaxpr


class Part:
    """Some equations of a program, and one of the values they make."""

    def __init__(self, closed: ClosedJaxpr, operands):
        self.closed, self.operands = closed, list(operands)
        self.values: dict = {}
        rounded.run(closed, operands, known=self.values)

    def without(self, left_out, outputs) -> tuple[ClosedJaxpr, list]:
        """The program of what these outputs need, where what is left out is given."""
        jaxpr = self.closed.jaxpr
        made_by = {v: eqn for eqn in jaxpr.eqns if id(eqn) not in left_out for v in eqn.outvars}
        needed, given, todo = set(), {}, list(outputs)
        while todo:
            v = todo.pop()
            if type(v) is Literal:
                continue
            if v not in made_by:
                given[v] = self.values[v]
            elif id(made_by[v]) not in needed:
                needed.add(id(made_by[v]))
                todo += made_by[v].invars
        eqns = [eqn for eqn in jaxpr.eqns if id(eqn) in needed]

        def run(*xs):
            env = dict(zip(given, xs, strict=True))
            read = lambda v: v.operand if type(v) is Literal else env[v]
            for eqn in eqns:
                out = eqn.primitive.bind(*map(read, eqn.invars), **eqn.params)
                env.update(zip(eqn.outvars, out if eqn.primitive.multiple_results else [out]))
            return [read(v) for v in outputs]

        operands = [np.asarray(x) for x in given.values()]
        return ax.make_jaxpr(run)(*operands), operands



def smallest(closed: ClosedJaxpr, operands, fails: Callable[[ClosedJaxpr, list], bool]) -> tuple[ClosedJaxpr, list]:
    """Return a program and operands that fail, from one that does."""
    while True:
        closed, operands = _fewer_equations(closed, operands, fails)
        opened = _opened(closed, operands, fails)
        if opened is None:
            return closed, operands
        closed, operands = opened


def _fewer_equations(closed, operands, fails):
    part = Part(closed, operands)
    outputs = list(closed.jaxpr.outvars)
    for v in outputs:  # one result, if one is enough
        if type(v) is not Literal and _fails(fails, part.without(set(), [v])):
            outputs = [v]
            break
    left_out: set[int] = set()
    eqns = list(closed.jaxpr.eqns)
    size = max(len(eqns) // 2, 1)
    while True:
        for start in range(0, len(eqns), size):
            attempt = left_out | {id(e) for e in eqns[start : start + size]}
            if attempt != left_out and not any(id(e) in attempt for e in eqns if set(e.outvars) & set(outputs)):
                if _fails(fails, part.without(attempt, outputs)):
                    left_out = attempt
        if size == 1:
            break
        size //= 2
    for eqn in reversed(eqns):  # an earlier value may fail already
        for v in eqn.outvars:
            tried = part.without(left_out, [v])
            if [v] != outputs and len(tried[0].jaxpr.eqns) < len(eqns) and _fails(fails, tried):
                outputs = [v]
    return part.without(left_out, outputs)


def _opened(closed, operands, fails):
    """A body in place of the only call, loop or branch, if that fails too."""
    for eqn in closed.jaxpr.eqns:
        values: dict = {}
        rounded.run(closed, operands, known=values)
        given = [np.asarray(v.val, v.aval.dtype) if type(v) is Literal else values[v] for v in eqn.invars]
        for body, xs in _bodies(eqn, given):
            tried = ax.make_jaxpr(lambda *xs, body=body: eval_jaxpr(body.jaxpr, body.consts, *xs))(*xs), xs
            if _fails(fails, tried):
                return tried
    return None


def _bodies(eqn, given):
    name, params = eqn.primitive.name, eqn.params
    if name in rounded.CALLS:
        yield params[rounded.CALLS[name]], given
    elif name == "scan" and params["length"]:
        start = params["num_consts"] + params["num_carry"]
        for i in (0, params["length"] - 1):
            yield params["jaxpr"], [*given[:start], *[x[i] for x in given[start:]]]
    elif name == "while":
        start, end = params["cond_nconsts"], params["cond_nconsts"] + params["body_nconsts"]
        yield params["body_jaxpr"], given[start:]
        yield params["cond_jaxpr"], [*given[:start], *given[end:]]
    elif name == "cond":
        for branch in params["branches"]:
            yield branch, given[1:]


def _fails(fails, tried) -> bool:
    try:
        return fails(*tried)
    except Exception:  # of another kind
        return False
