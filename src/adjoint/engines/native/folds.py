"""Rules of primitives that are defined above the engines, by name: `reduce` by a program, and what opens programs.

A reduction by a program of scalars is a routine: the program's operations are applied to one row after the other,
vectors of them where other axes remain at the end, and the initial values come in last.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np

from ...core.jaxpr import ClosedJaxpr, Literal
from .builder import SUPPORTED, Builder, Value, register_dtype
from .cumulative import along, lanes_for, load_vector, spread, store_vector
from .elementwise import Rule
from .kernel import Op
from .layout import NAMED
from .routines import Code, Routine, writes
from .vectors import apply
from .views import Type

_CALLS = {"jit": "jaxpr", "custom_jvp_call": "call_jaxpr", "custom_vjp_call": "call_jaxpr"}


class _Program(NamedTuple):
    """Operations of a program of scalars; operands are ("in", i), ("op", i) or ("const", dtype, bytes)."""

    ops: tuple
    outs: tuple

    def __call__(self, b: Builder, operands, dtypes) -> list[Value]:
        made: list[Value] = []

        def value(x):
            if x[0] == "const":
                return b.const(np.frombuffer(x[2], x[1])[0], x[1])
            return operands[x[1]] if x[0] == "in" else made[x[1]]

        for op, given in self.ops:
            made.append(apply(b, op, [value(x) for x in given]))
        return [value(x) for x in self.outs]


def _read(closed: ClosedJaxpr, operands, ops: list) -> list | None:
    """Append the operations of a program; its results, or None if it is not of element-wise operations only."""
    jaxpr = closed.jaxpr
    constant = lambda value, aval: ("const", aval.dtype, np.asarray(value).astype(aval.dtype).tobytes())
    env = dict(zip(jaxpr.invars, operands))
    for v, c in zip(jaxpr.constvars, closed.consts):
        if v.aval.shape or v.aval.dtype not in SUPPORTED:
            return None
        env[v] = constant(np.asarray(c), v.aval)
    at = lambda v: constant(v.val, v.aval) if type(v) is Literal else env[v]
    for eqn in jaxpr.eqns:
        name, given = eqn.primitive.name, [at(v) for v in eqn.invars]
        called = eqn.params.get(_CALLS.get(name))
        if isinstance(called, ClosedJaxpr):
            found = _read(called, given, ops)
            if found is None:
                return None
            env.update(zip(eqn.outvars, found))
            continue
        rule, avals = eqn.primitive.emit_rule, [v.aval for v in (*eqn.invars, *eqn.outvars)]
        plain = all([not a.shape and a.dtype in SUPPORTED for a in avals])
        if not plain or not isinstance(rule, Rule) or not rule.accepts(avals[:-1], eqn.params):
            return None
        op = Op(name, tuple(eqn.params.items()), avals[-1].dtype, (), 0, None)
        try:
            hash(op)
        except TypeError:
            return None
        env[eqn.outvars[0]] = ("op", len(ops))
        ops.append((op, tuple(given)))
    return [at(v) for v in jaxpr.outvars]


@writes("fold")
def _(code: Code, addresses, program: _Program, dtypes, outer, n, inner):
    m = len(dtypes)
    xs, starts, outs = addresses[:m], addresses[m : 2 * m], addresses[2 * m :]
    lanes = min([lanes_for(d, inner) for d in dtypes]) if inner > 1 else 1
    with code.loop(outer) as i:
        first, target = code.mul(i, code.integer(n * inner)), code.mul(i, code.integer(inner))

        def body(b, j):
            at = lambda bases, index: [
                load_vector(b, code.at(base, index, d), d) for base, d in zip(bases, dtypes)
            ]
            begin, so_far = code.add(first, j), []
            for value in at(xs, begin):
                place = code.module.fresh("acc")
                code.module.allocas.append(f"  {place} = alloca {b.type(value.dtype)}, align 64")
                so_far.append(place)
                b.line(f"store {b.type(value.dtype)} {value.text}, ptr {place}")
            get = lambda: [
                b.new(f"load {b.type(d)}, ptr {place}", register_dtype(d)) for place, d in zip(so_far, dtypes)
            ]
            with code.loop(n, 1) as k:
                made = program(b, [*get(), *at(xs, code.add(begin, code.mul(k, code.integer(inner))))], dtypes)
                for place, value in zip(so_far, made):
                    b.line(f"store {b.type(value.dtype)} {value.text}, ptr {place}")
            initial = [spread(b, code.load(s, 0, d)) for s, d in zip(starts, dtypes)]
            for value, out, d in zip(program(b, [*initial, *get()], dtypes), outs, dtypes):
                store_vector(b, value, code.at(out, code.add(target, j), d), d)

        along(code, inner, lanes, body)


def _reduce(graph, operands, params, types):
    m, axes = len(operands) // 2, params["dimensions"]
    xs, starts = operands[:m], operands[m:]
    shape, dtypes = xs[0].shape, tuple([v.base.dtype for v in operands[:m]])
    if not prod(shape) or any([s.shape for s in starts]) or np.dtype("?") in dtypes:
        return None
    ops: list = []
    outs = _read(params["jaxpr"], [("in", i) for i in range(2 * m)], ops)
    if outs is None:
        return None
    kept = [i for i in range(len(shape)) if i not in axes]
    last = not kept or kept[-1] != len(shape) - 1
    order = [*kept, *axes] if last else [*axes, *kept]
    count, rest = prod([shape[a] for a in axes]), prod([shape[a] for a in kept])
    sizes = (rest, count, 1) if last else (1, count, rest)
    rows = [v.transpose(order) for v in xs]
    routine = Routine("fold", (_Program(tuple(ops), tuple(outs)), dtypes, *sizes))
    moved = [Type(tuple([shape[a] for a in kept]), d) for d in dtypes]
    return graph.routine("reduce", routine, [*rows, *starts], moved)


def _linear_solve(graph, operands, params, types):
    """Its program for solutions, of its constants and the right-hand side."""
    lengths = params["const_lengths"]
    at = lengths._fields.index("solve")
    first, total = sum(lengths[:at]), sum(lengths)
    return graph._run(params["jaxprs"].solve, [*operands[first : first + lengths[at]], *operands[total:]])


NAMED.update({"reduce": _reduce, "custom_linear_solve": _linear_solve})
