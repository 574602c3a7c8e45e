"""`plot_jaxpr`: a program as a graph in SVG, programs inside of programs as frames."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from html import escape
from pathlib import Path
from typing import Any

from ..core.jaxpr import ClosedJaxpr, DropVar, Jaxpr, JaxprEqn, Literal, sub_jaxprs
from ..core.messages.errors import message
from ..core.printing import print_eqn, print_jaxpr
from ..transforms.jit.staging import make_jaxpr
from .layers import Box, Line, arrange

__all__ = ["JaxprPlot", "plot_jaxpr"]

# Pixels: the width of a letter, and of one of a type, the height of a line, what is around a box.
_LETTER, _SMALL_LETTER, _LINE, _MARGIN = 6.7, 5.5, 15, 8
_LONGEST_LABEL = 28
_STYLE = """
.jaxpr text {font: 11px ui-monospace, Menlo, Consolas, monospace; fill: #222; text-anchor: middle}
.jaxpr .eqn rect {fill: #e8eaf6; stroke: #5c6bc0}
.jaxpr .in rect {fill: #e8f5e9; stroke: #66bb6a}
.jaxpr .out rect {fill: #fff3e0; stroke: #ffa726}
.jaxpr .frame > rect {fill: #fafafa; stroke: #9e9e9e; stroke-dasharray: 4 3}
.jaxpr path {fill: none; stroke: #888}
.jaxpr .type {font-size: 9px; fill: #666}
"""


def plot_jaxpr(fun: Callable[..., Any], static_argnums: Any = ()) -> Callable[..., JaxprPlot]:
    """Return a function that draws the program of `fun` at the given arguments, as `make_jaxpr` prints it.

    Args:
      fun: a function of arrays or trees of arrays.
      static_argnums: positions of arguments that are compile-time constants.
    Returns:
      A function of the arguments of `fun`. Its result is shown as a picture by notebooks; `svg` is the picture as
      text, `save("program.svg")` writes it, `dot` is the graph for graphviz.
    Raises:
      TypeError: `fun` is no function; a program that `make_jaxpr` has made is none.

    A box is an equation, a frame a program inside of one (the body of a loop, a branch, a call); lines are values with
    their types. The whole equation appears when the pointer rests on a box.

    >>> plot_jaxpr(lambda x: jnp.sin(x) * x)(1.)
    JaxprPlot(2 equations, 81 x 243)
    """
    if not callable(fun):
        raise TypeError(
            message(f"plot_jaxpr expects a function, got a {type(fun).__name__}.", fix="adjoint.plot_jaxpr(f)(x)")
        )

    @wraps(fun)
    def plot(*args, **kwargs):
        return JaxprPlot(make_jaxpr(fun, static_argnums)(*args, **kwargs))

    return plot


class JaxprPlot:
    """A program as a picture: notebooks show it, and `save` writes it."""

    def __init__(self, jaxpr: ClosedJaxpr | Jaxpr):
        self.jaxpr = jaxpr
        inner = jaxpr.jaxpr if isinstance(jaxpr, ClosedJaxpr) else jaxpr
        self._drawing = _Drawing(inner, getattr(inner.debug_info, "arg_names", None) or ())

    @property
    def svg(self) -> str:
        """Return the picture as a document of SVG."""
        width, height = (round(n + 2 * _MARGIN) for n in (self._drawing.width, self._drawing.height))
        body = "\n".join(self._drawing.written(_MARGIN, _MARGIN))
        return (
            f'<svg class="jaxpr" xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}">\n<style>{_STYLE}</style>\n'
            f'<rect width="{width}" height="{height}" fill="white"/>\n{body}\n</svg>\n'
        )

    @property
    def dot(self) -> str:
        """Return the graph in the language of graphviz, each program inside of another a cluster."""
        body = "\n".join(_dot(self._drawing, "g"))
        return f"digraph jaxpr {{\n  node [shape=box, fontname=monospace]\n{body}\n}}\n"

    def save(self, path: Any) -> None:
        """Write the picture, or for a name that ends in `.dot` or `.gv` the graph, to a file."""
        is_graph = Path(path).suffix in (".dot", ".gv")
        Path(path).write_text(self.dot if is_graph else self.svg, encoding="utf8")

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        inner = self.jaxpr.jaxpr if isinstance(self.jaxpr, ClosedJaxpr) else self.jaxpr
        return print_jaxpr(inner)

    def __repr__(self) -> str:
        drawing = self._drawing
        equations = f"{drawing.count} equation{'s' * (drawing.count != 1)}"
        return f"JaxprPlot({equations}, {drawing.width + 16:.0f} x {drawing.height + 16:.0f})"


class _Node(Box):
    """A box of the picture: a label, the type of its value, the text that appears over it, programs inside."""

    def __init__(self, label: str, type: str, about: str, kind: str, inside: Iterable[_Drawing] = ()):
        self.label, self.type, self.about, self.kind, self.inside = label, type, about, kind, list(inside)
        width = max(len(label) * _LETTER, len(type) * _SMALL_LETTER, 3 * _LETTER) + 2 * _MARGIN
        height = _LINE + _MARGIN + (_LINE - 4 if type else 0)
        if self.inside:
            width = max(width, sum(d.width + _MARGIN for d in self.inside) + _MARGIN)
            height += max(d.height for d in self.inside) + _MARGIN
        super().__init__(width, height)


class _Drawing:
    """A program that is arranged: its nodes, its lines, and where its operands and results are."""

    def __init__(self, jaxpr: Jaxpr, names: Sequence[str] = ()):
        operands = [*jaxpr.constvars, *jaxpr.invars]
        given = [""] * len(jaxpr.constvars) + list(names) if len(names) == len(jaxpr.invars) else [""] * len(operands)
        self.ins = [_value(name, v, "an operand", "in") for name, v in zip(given, operands)]
        home: dict[Any, Box] = dict(zip(operands, self.ins))
        self.nodes: list[_Node] = list(self.ins)
        self.lines: list[Line] = []
        self.count = 0
        for eqn in jaxpr.eqns:
            node = _of_equation(eqn)
            self.count += 1 + sum(d.count for d in node.inside)
            self.nodes.append(node)
            self._join(eqn.invars, node, home)
            home |= {v: node for v in eqn.outvars if not isinstance(v, DropVar)}
        self.outs = [_value("", v, "a result", "out") for v in jaxpr.outvars]
        for v, node in zip(jaxpr.outvars, self.outs):
            self.nodes.append(node)
            self._join([v], node, home)
        self.width, self.height = arrange(self.nodes, self.lines, self.outs)

    def _join(self, atoms, node: _Node, home: dict[Any, Box]) -> None:
        above = dict.fromkeys(home[v] for v in atoms if not isinstance(v, Literal))
        self.lines += [Line(box, node) for box in above]

    def written(self, left: float, top: float) -> Iterable[str]:
        """Yield the elements of SVG, at a place."""
        yield from [_way(line, left, top) for line in self.lines]
        for node in self.nodes:
            x, y = left + node.x, top + node.y
            yield f'<g class="{"frame" if node.inside else node.kind}"><title>{escape(node.about)}</title>'
            yield f'<rect x="{x:.1f}" y="{y:.1f}" width="{node.width:.1f}" height="{node.height:.1f}" rx="4"/>'
            middle = f'x="{x + node.width / 2:.1f}"'
            yield f'<text {middle} y="{y + _LINE + 1:.1f}">{escape(node.label)}</text>'
            if node.type:
                yield f'<text class="type" {middle} y="{y + 2 * _LINE - 1:.1f}">{escape(node.type)}</text>'
            across = x + (node.width - sum(d.width + _MARGIN for d in node.inside) + _MARGIN) / 2
            for drawing in node.inside:
                yield from drawing.written(across, y + _LINE + _MARGIN)
                across += drawing.width + _MARGIN
            yield "</g>"


def _value(name: str, v: Any, about: str, kind: str) -> _Node:
    """Return the box of an operand or a result: its name, if it has one, and its type, or the number that it is."""
    text = _cut(v.text if isinstance(v, Literal) else v.aval.str_short(True))
    return _Node(_cut(name), text, about, kind) if name else _Node(text, "", about, kind)


def _of_equation(eqn: JaxprEqn) -> _Node:
    name = eqn.primitive.name
    if name == "jit":
        name = str(eqn.params.get("name", name))
    literals = [v.text.partition(":")[0] for v in eqn.invars if isinstance(v, Literal)]
    inside = [_Drawing(jaxpr) for jaxpr in sub_jaxprs(eqn.params)]
    type_ = "" if inside else _cut(" ".join(v.aval.str_short(True) for v in eqn.outvars))
    return _Node(_cut(" ".join([name, *literals])), type_, print_eqn(eqn), "eqn", inside)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_LABEL else text[: _LONGEST_LABEL - 3] + "..."


def _way(line: Line, left: float, top: float) -> str:
    """Return a smooth line through its points."""
    points = [(line.start.middle, line.start.y + line.start.height)]
    points += [(box.middle, box.y + box.height / 2) for box in line.through]
    points += [(line.end.middle, line.end.y)]
    points = [(left + x, top + y) for x, y in points]
    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for (x, y), (to_x, to_y) in zip(points, points[1:]):
        half = (y + to_y) / 2
        path += f" C{x:.1f} {half:.1f} {to_x:.1f} {half:.1f} {to_x:.1f} {to_y:.1f}"
    return f'<path d="{path}"/>'


def _dot(drawing: _Drawing, prefix: str) -> Iterable[str]:
    """Yield the statements of graphviz about a program, whose nodes have names that begin so."""
    names = {node: f"{prefix}_{i}" for i, node in enumerate(drawing.nodes)}
    for node, name in names.items():
        label = "\\n".join(filter(None, [node.label, node.type])).replace('"', '\\"')
        yield f'  {name} [label="{label}"]'
        for i, inner in enumerate(node.inside):
            yield f"  subgraph cluster_{name}_{i} {{"
            yield f'  label="{label}"'
            yield from _dot(inner, f"{name}_{i}")
            yield "  }"
            yield from (f"  {name} -> {name}_{i}_{k} [style=dotted]" for k, _ in enumerate(inner.ins))
    yield from (f"  {names[line.start]} -> {names[line.end]}" for line in drawing.lines)
