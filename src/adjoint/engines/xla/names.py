"""Names of values as MLIR prints them.

While a function is written its values have names that say what they are: `%12`, `%cst.12` (a constant), `%arg.12.0`
(an operand of a region). When it is finished they are numbered: results `%0`, `%1`, ..., operands of regions after
those of the function, others by their kind and a number only where that is taken. A region goes on from the end of
the block that it is in, and what it named is free again after it.

Tests: `tests/engines/xla/test_stablehlo_text.py`.
"""

from __future__ import annotations

import re

__all__ = ["named"]

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|%[\w.]+')  # strings are matched so that they are passed over


class _Region:
    """The names that a block defines, and the regions of its operations."""

    __slots__ = ("arguments", "children", "parent", "results")

    def __init__(self, parent: _Region | None, arguments: list[str]):
        self.parent = parent
        self.arguments = arguments
        self.results: list[str] = []
        self.children: list[_Region] = []
        if parent is not None:
            parent.children.append(self)


def named(lines: list[str], arguments: int) -> list[str]:
    """Return the lines of a function of so many operands, with the names that MLIR gives."""
    names: dict[str, str] = {}
    stack: list[tuple[_Region, int, int, int, set[str]]] = [(_regions(lines), 0, arguments, 0, set())]
    while stack:
        region, results, arguments, repeated, taken = stack.pop()
        taken = set(taken)
        for name in (*region.arguments, *region.results):
            kind, dot, _ = name.partition(".")
            if not dot:
                names[name] = f"%{results}"
                results += 1
            elif kind == "%arg":
                names[name] = f"%arg{arguments}"
                arguments += 1
            else:
                found = kind
                while found in taken:
                    found = f"{kind}_{repeated}"
                    repeated += 1
                taken.add(found)
                names[name] = found
        stack += [(child, results, arguments, repeated, taken) for child in region.children]
    rename = lambda found: names.get(found[0], found[0])
    return [_TOKEN.sub(rename, line) for line in lines]


def _regions(lines: list[str]) -> _Region:
    """Find what is named in which block."""
    region = top = _Region(None, [])
    starting: list[str] = []  # operands of the regions that come next
    seen: set[str] = set()
    for line in lines:
        text = line.lstrip()
        if text[0] == "}":
            assert region.parent is not None
            starting = region.arguments  # the two regions of a loop have the same
            region = region.parent
        elif text[0] == "%":
            region.results.append(text[:text.index(" ")].partition(":")[0])
            starting = []
        if text.startswith("^bb0(") or " = stablehlo.while(" in text or "sdy.manual_computation(" in text:
            starting = [t for t in _TOKEN.findall(text) if t.startswith(("%iterArg.", "%arg.")) and t not in seen]
            seen.update(starting)
            if text[0] == "^":
                region.arguments = starting
        if text.endswith("{"):
            region = _Region(region, starting)
    return top
