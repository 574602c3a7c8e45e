"""Bodies of loops as Python code: what runs a thousand times is worth compiling to bytecode.

A body becomes the lines of one Python loop, a call to an evaluation rule each, with values in local
variables. That takes a third of the time of walking a list of steps. Calls (`jit`) are put in line, and a
variable is used again when its value is dead, so that memory is freed as it is in program.py.

Tests: `tests/control_flow/test_values.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.jaxpr import ClosedJaxpr, Literal
from ...core.passes import live_eqns
from ...core.process.memo import of_closed
from .program import as_buffer, evaluation

__all__ = ["MIN_TURNS_TO_COMPILE", "scan_loop", "while_loop"]

MIN_TURNS_TO_COMPILE = 16  # fewer are not worth compiling
_FILE = __file__ + " (generated)"  # tracebacks hide the frames of files below this package
MAX_EQUATIONS_TO_COMPILE = 3000  # equations; compiling more lines takes longer than it saves


# On NumPy scalars an operator takes a tenth of the time of the ufunc and gives the same bits.
OPERATORS = {
    "add": "{} + {}", "add_any": "{} + {}", "sub": "{} - {}", "mul": "{} * {}",
    "lt": "{} < {}", "le": "{} <= {}", "gt": "{} > {}", "ge": "{} >= {}",
    "eq": "{} == {}", "ne": "{} != {}", "and": "{} & {}", "or": "{} | {}",
}


def _is_scalar(v) -> bool:
    return not v.aval.shape and isinstance(v.aval.dtype, np.dtype) and v.aval.dtype.kind in "biufc"


class _Temporary:
    """A value made in the body; the variable that holds it is chosen when its last reader is known."""

    __slots__ = ("last", "name")


class _Writer:
    """Collects the operations of programs, then writes them as lines."""

    def __init__(self):
        self.globals: dict[str, Any] = {}
        self.free: list[str] = []
        self.used = 0

    def bind(self, value) -> str:
        """Return a name for a value or a function that the code refers to."""
        name = f"g{len(self.globals)}"
        self.globals[name] = value
        return name

    def operations(self, closed: ClosedJaxpr, args: list, found: list) -> list:
        """Append (expression, operands, results, several?) for each equation; where the results are."""
        jaxpr = closed.jaxpr
        where = dict(zip(jaxpr.invars, args))
        where.update((v, self.bind(as_buffer(c, v.aval))) for v, c in zip(jaxpr.constvars, closed.consts))
        at = lambda v: (
            self.bind(np.asarray(v.val, v.aval.dtype)[()]) if type(v) is Literal else where[v]
        )
        for eqn in live_eqns(jaxpr.eqns, jaxpr.outvars, inside=True)[0]:
            ins = [at(v) for v in eqn.invars]
            if eqn.primitive.name == "jit":
                outs = self.operations(eqn.params["jaxpr"], ins, found)
            else:
                outs = [_Temporary() for _ in eqn.outvars]
                found.append((self.expression(eqn), ins, outs, eqn.primitive.multiple_results))
            where.update(zip(eqn.outvars, outs))
        return [at(v) for v in jaxpr.outvars]

    def expression(self, eqn) -> str:
        """Return the right-hand side for an equation, with places for its operands."""
        operator = OPERATORS.get(eqn.primitive.name)
        if operator and not eqn.params and all([_is_scalar(v) for v in eqn.invars]):
            return operator
        return f"{self.bind(evaluation(eqn))}({', '.join(['{}'] * len(eqn.invars))})"

    def lines(self, operations: list, results: list) -> tuple[list[str], list[str]]:
        """Return the code, and the names of the results."""
        for i, (_, ins, outs, _) in enumerate(operations):
            for x in (*outs, *ins):
                if type(x) is _Temporary:
                    x.last = i
        for x in results:
            if type(x) is _Temporary:
                x.last = len(operations)
        code = []
        for i, (expression, ins, outs, several) in enumerate(operations):
            call = expression.format(*[self.name(x) for x in ins])
            self.release([x for x in ins if type(x) is _Temporary and x.last == i])
            for x in outs:
                x.name = self.free.pop() if self.free else self.new()
            names = ", ".join([x.name for x in outs])
            code.append(f"{names}{',' if several else ''} = {call}" if outs else call)
            self.release([x for x in outs if x.last == i])
        return code, [self.name(x) for x in results]

    def name(self, x) -> str:
        return x.name if type(x) is _Temporary else x

    def new(self) -> str:
        self.used += 1
        return f"v{self.used}"

    def release(self, values) -> None:
        for name in dict.fromkeys([x.name for x in values]):
            if name not in self.free:
                self.free.append(name)

    def function(self, source: str) -> Callable:
        exec(compile(source, _FILE, "exec"), self.globals)  # our own text, no user's
        return self.globals["loop"]


def _size(closed: ClosedJaxpr) -> int:
    return sum(
        [_size(e.params["jaxpr"]) if e.primitive.name == "jit" else 1 for e in closed.eqns]
    )


def _tuple(names: list[str]) -> str:
    return f"({', '.join(names)}{',' if names else ''})"


@of_closed
def scan_loop(body: ClosedJaxpr, num_consts: int, num_carry: int) -> Callable | None:
    """Return `loop(consts, carry, xs, ys) -> carry` that runs a scan's body, or None if it is too long.

    `xs` are iterables of rows, or one range if there are none; `ys` are arrays to be filled.
    """

    if _size(body) > MAX_EQUATIONS_TO_COMPILE:
        return None
    n = len(body.in_avals)
    names = [f"c{i}" for i in range(num_consts)] + [f"k{i}" for i in range(num_carry)]
    names += [f"x{i}" for i in range(n - num_consts - num_carry)]
    inner = num_consts + num_carry
    consts, carry, xs = map(_tuple, (names[:num_consts], names[num_consts:inner], names[inner:] or ["_"]))
    writer = _Writer()
    found: list = []
    results = writer.operations(body, names, found)
    code, outs = writer.lines(found, results)
    ys = [f"y{i}" for i in range(len(outs) - num_carry)]
    code += [f"{y}[i] = {v}" for y, v in zip(ys, outs[num_carry:])]
    if num_carry:
        code.append(f"{carry} = {_tuple(outs[:num_carry])}")
    lines = "\n".join(["        " + line for line in code or ["pass"]])
    return writer.function(
        f"def loop(consts, carry, xs, ys):\n"
        f"    {consts} = consts\n    {carry} = carry\n    {_tuple(ys)} = ys\n"
        f"    for i, {xs} in enumerate(zip(*xs)):\n{lines}\n"
        f"    return {carry}\n"
    )


@of_closed
def while_loop(body: ClosedJaxpr, test: ClosedJaxpr, num_carry: int) -> Callable | None:
    """Return `loop(test consts, body consts, carry) -> carry` for a scalar condition, or None if too long."""

    if _size(test) + _size(body) > MAX_EQUATIONS_TO_COMPILE:
        return None
    test_consts = [f"t{i}" for i in range(len(test.in_avals) - num_carry)]
    body_consts = [f"c{i}" for i in range(len(body.in_avals) - num_carry)]
    carry = [f"k{i}" for i in range(num_carry)]
    writer = _Writer()
    conditions: list = []
    (holds,) = writer.operations(test, test_consts + carry, conditions)
    code, (holds,) = writer.lines(conditions, [holds])
    code.append(f"if not {holds}: return {_tuple(carry)}")
    steps: list = []
    results = writer.operations(body, body_consts + carry, steps)
    more, outs = writer.lines(steps, results)
    code += [*more, f"{_tuple(carry)} = {_tuple(outs)}"] if carry else more
    inner = "\n".join(["        " + line for line in code])
    return writer.function(
        f"def loop(test_consts, body_consts, carry):\n"
        f"    {_tuple(test_consts)} = test_consts\n    {_tuple(body_consts)} = body_consts\n"
        f"    {_tuple(carry)} = carry\n"
        f"    while True:\n{inner}\n"
    )
