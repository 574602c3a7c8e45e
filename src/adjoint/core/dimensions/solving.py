"""The values of dimension variables from the shapes of arguments, and what these shapes have to keep.

Sizes of arguments are variables of a scope of their own here (`args[0].shape[1]`), so that solutions and checks are
expressions over them: they are evaluated for a call, and written as operations into a module.

Tests: `tests/export/test_symbolic_shapes.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..messages.errors import InconclusiveDimensionOperation
from ..process.records import NamedTuple
from .expressions import DimExpr, divide, made, variable
from .scopes import SymbolicScope

__all__ = ["Check", "Solution", "check", "solve"]

_PAGE = "Please see https://docs.jax.dev/en/latest/export/shape_poly.html"


class Check(NamedTuple):
    """A number that is not negative, or zero, for shapes that fit; in the message `{0}` stands for a value."""

    value: Any
    is_zero: bool
    message: str
    values: tuple


class Solution(NamedTuple):
    """Variables as expressions over sizes, where the sizes are, and the checks in their order."""

    variables: dict[str, Any]
    sizes: dict[str, tuple[int, int]]  # name -> (argument, axis)
    checks: list[Check]


def solve(shapes: Sequence[tuple], names: Sequence[str]) -> Solution:
    """Find the variables of the shapes of arguments, which have these names in messages.

    Raises:
      ValueError: some variables cannot be found.
    """
    scope = SymbolicScope()
    sizes: dict[str, tuple[int, int]] = {}
    equations: list[tuple[Any, str]] = []
    shown: list[str] = []
    for i, (shape, name) in enumerate(zip(shapes, names)):
        if any([isinstance(d, DimExpr) for d in shape]):
            shown.append(f"{name}.shape = ({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})")
        for d, length in enumerate(shape):
            if isinstance(length, DimExpr):
                size = f"{name}.shape[{d}]"
                sizes[size] = i, d
                equations.append((length, size))
    specs = f"Using the following polymorphic shapes specifications: {','.join(shown)}."
    found: dict[str, Any] = {}
    checks: list[Check] = []
    told: list[tuple[str, DimExpr, str]] = []  # variables that were found: name, what it was found from

    def message(text: str, values: list) -> tuple[str, tuple]:
        parts = []
        for name, spec, size in told:
            parts.append(f"'{name}' = {_place(found[name], values)} from specification '{spec}' for dimension {size} "
                         f"(= {_place(variable(size, scope), values)}), ")
        return (f"{text}Using the following polymorphic shapes specifications: {','.join(shown)}. Obtained dimension "
                f"variables: {''.join(parts)}. {_PAGE}#shape-assertion-errors for more details."), tuple(values)

    head = "Input shapes do not match the polymorphic shapes specification. "
    while equations:
        step = next(((e, _linear(e[0], found)) for e in equations if _linear(e[0], found) is not None), None)
        if step is None:
            break
        (spec, size), (name, factor, rest) = step
        equations.remove((spec, size))
        left = variable(size, scope) - (rest.evaluate(found) if isinstance(rest, DimExpr) else rest)
        value, remainder = divide(left, factor) if factor != 1 else (left, 0)
        if factor != 1:
            values = [remainder]
            text, given = message(f"{head}Division had remainder {{0}} when computing the value of '{name}'. ", values)
            checks.append(Check(remainder, True, text, given))
        found[name] = value
        told.append((name, spec, size))
        text, given = message(f"{head}Expected value >= 1 for dimension variable '{name}'. ", [])
        checks.append(Check(value - 1, False, text, given))
    unknown = sorted({v for spec, _ in equations for v in spec.variables()} - found.keys())
    if unknown:
        rest = ", ".join([f"'{spec}' for dimension size {size}" for spec, size in equations])
        raise ValueError(
            f"Cannot solve for values of dimension variables {set(unknown)}. We can only solve linear uni-variate "
            f"constraints. {specs} Unprocessed specifications: {rest}. {_PAGE}"
            "#dimension-variables-must-be-solvable-from-the-input-shapes for more details."
        )
    for spec, size in equations:
        own, wanted = variable(size, scope), spec.evaluate(found)
        values = [own, wanted]
        text, given = message(
            f"{head}Found inconsistency between dimension size {size} (= {{0}}) and the specification '{spec}' "
            "(= {1}). ",
            values)
        checks.append(Check(own - wanted, True, text, given))
    checks += _constraints(shapes, found, message)
    return Solution(found, sizes, checks)


def _place(value: Any, values: list) -> str:
    """Return the place of a value in a message."""
    for i, known in enumerate(values):
        if known is value or (type(known) is type(value) and known == value):
            return f"{{{i}}}"
    values.append(value)
    return f"{{{len(values) - 1}}}"


def _constraints(shapes, found, message) -> list[Check]:
    own = next((d.scope for shape in shapes for d in shape if isinstance(d, DimExpr)), None)
    checks = []
    for text, is_zero, difference in own.stated if own is not None else ():
        if not difference.variables() <= found.keys():
            continue
        value = difference.evaluate(found)
        wanted = "equal to 0" if is_zero else "greater or equal to 0"
        said, given = message(
            f"Input shapes do not match the symbolic shape constraint {text}. Expected '{difference}' to be {wanted}, "
            "but found {0}.  ", [value])
        checks.append(Check(value, is_zero, said, given))
    return checks


def _linear(spec: DimExpr, found: Mapping) -> tuple[str, int, Any] | None:
    """Return the one unknown variable of an equation, its coefficient, and the rest; None if it is not of that form."""
    unknown = spec.variables() - found.keys()
    if len(unknown) != 1:
        return None
    (name,) = unknown
    rest, factor = {}, 0
    for term, c in spec.terms:
        names = {v for f, _ in term for v in made({((f, 1),): 1}, spec.scope).variables()}
        if name not in names:
            rest[term] = c
        elif len(term) == 1 and not term[0][0].operands and term[0][1] == 1:
            factor = c
        else:
            return None
    return (name, factor, made(rest, spec.scope)) if factor > 0 else None


def check(solution: Solution, shapes: Sequence[tuple]) -> dict[str, Any]:
    """Return the values of the variables for these shapes.

    Raises:
      ValueError: the shapes do not fit.
    """
    env = {size: shapes[i][d] for size, (i, d) in solution.sizes.items()}
    value = lambda x: x.evaluate(env) if isinstance(x, DimExpr) else x
    for one in solution.checks:
        number = value(one.value)
        try:
            holds = number == 0 if one.is_zero else number >= 0
        except InconclusiveDimensionOperation:
            holds = False
        if not holds:
            raise ValueError(one.message.format(*map(value, one.values)))
    return {name: value(x) for name, x in solution.variables.items()}
