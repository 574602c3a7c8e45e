"""The text of a compiled program: its table of steps with sizes, operations, bytes and lines of the program.

Tests: `tests/engines/native/test_engine.py`.
"""

from __future__ import annotations

from ....core.messages.frames import locate
from ....core.options.logs import logger
from ..graph.fusion import Group
from ..graph.graph import LOOPS, Step
from .bodies import without_code
from .costs import costs

__all__ = ["listing", "tell_of_loop"]

_HEAD = ("step", "what", "over", "operations", "bytes", "where")


def listing(executable) -> str:
    """Return one line a step; `where` is the line of the last operation in it that has one."""
    rows = [_HEAD]
    for i, unit in enumerate(executable.units):
        if type(unit) is Step and unit.kind == "gather":
            continue  # written by the kernels of its parts
        flops, moved = costs(unit)
        over = "x".join(map(str, _shape(unit))) or "scalar"
        what = _what(unit, i in executable.native)
        rows.append((str(len(rows) - 1), what, over, f"{flops:,}", f"{moved:,}", _where(unit)))
    widths = [max([len(row[k]) for row in rows]) for k in range(len(_HEAD) - 1)]
    right = (0, 3, 4)
    lines = [
        "  ".join([x.rjust(w) if k in right else x.ljust(w) for k, (x, w) in enumerate(zip(row, widths))] + [row[-1]])
        for row in rows
    ]
    kernels = len({made.kernel for _, made in executable.native.values()})
    size = f"{executable.arena_size:,} bytes for intermediate arrays"
    lines.append(f"{len(rows) - 1} steps, {kernels} functions, {size}")
    return "\n".join([line.rstrip() for line in lines])


def _what(unit: Group | Step, is_native: bool) -> str:
    if isinstance(unit, Group):
        names = list(dict.fromkeys([n.op for n in unit.nodes if n.op != "copy"])) or ["copy"]
        return f"kernel: {', '.join(names[:4])}{', ...' if len(names) > 4 else ''}"
    if is_native:
        return unit.routine.name if unit.routine is not None else unit.eqn.primitive.name
    name, why = unit.eqn.primitive.name, ", ".join(without_code(unit.eqn)) if unit.kind in LOOPS else ""
    return f"{name} (Python: {why})" if why else f"{name} (NumPy)"


def tell_of_loop(unit: Step) -> None:
    """Write a line to the log about a loop or branch whose turns Python takes, since something in it has no code."""
    place = _where(unit)
    logger(__name__, "jax._src.dispatch").warning(
        "Python runs the iterations of a %s%s, in which there is no code for %s.",
        unit.eqn.primitive.name, f" at {place}" if place else "", ", ".join(without_code(unit.eqn)) or "its results",
    )


def _shape(unit: Group | Step):
    return unit.domain if isinstance(unit, Group) else unit.results[0].shape if unit.results else ()


def _where(unit: Group | Step) -> str:
    items = reversed(unit.nodes) if isinstance(unit, Group) else [unit]
    for item in items:
        if item.source is not None:
            place = locate(*item.source[:2])
            return f"{place.file.rpartition('/')[2]}:{place.line}"
    return ""
