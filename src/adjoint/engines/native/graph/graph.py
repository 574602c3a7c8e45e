"""A jaxpr as a graph: nodes that make one array each, read through views, and steps that are run as they are.

Calls are opened, equal nodes are one node, and what only rearranges (broadcast, transpose, slice, most reshapes)
is no node: an operand is a `View`, a base with an offset and a stride for each axis, in elements. Equations
without an `emit` rule become host steps, which call the `evaluate` rule; loops and branches are steps with
graphs of their own (program/loops.py).

Tests: `tests/engines/native/test_engine.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ....core.jaxpr import ClosedJaxpr, DropVar, Jaxpr, JaxprEqn, Literal, Var
from ....core.passes import live_eqns
from ....core.primitive import primitives
from ...numpy.floating import quiet
from ...numpy.program import as_buffer, evaluation, expanded
from ..functions.elementwise import Rule
from ..text.builder import SUPPORTED
from .complex_and_keys import COMPLEX, KEYS
from .components import (
    component,
    cuts_along,
    every,
    forwarded,
    is_assembled,
    mixed_axis,
    part_along,
    pieces_of,
    short_axis,
    short_rows,
)
from .narrow_dtypes import widened
from .rolls import rolled_arrays, with_border
from .view_rules import FALLBACK_RULES, LIBRARY_CALLS, TRANSPOSED, WITHOUT_UNREAD, rule_of
from .views import Node, Pair, Type, View, contiguous, kind_of, physical

__all__ = ["Graph", "Node", "Step", "View", "contiguous", "identity"]

LOOPS = ("while", "scan", "cond")
_OUTER = ("mul", "add", "sub")
_MAX_PIECES = 16  # that arrays are cut into where they are put together from parts of others
_ON_KNOWN_INTEGERS = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
    "select_n": lambda which, *cases: cases[int(which)], "convert_element_type": lambda x: x,
}
_MAX_CUTS = 4  # places where parts that are mixed are cut


_MAX_EQUATIONS_WRITTEN_OUT = 256  # of all steps of a scan that its user wants unrolled
_MIN_ELEMENTS_TO_WRITE_OUT = 64  # of the largest array that is carried: what fewer need stays in registers anyway


class Step:
    """A part that is not fused: an equation, a loop, a branch, a routine, or `gather` of an array's parts."""

    __slots__ = ("effects", "eqn", "graphs", "kind", "operands", "order", "results", "routine", "source", "units")

    def __init__(self, kind, eqn, operands, order):
        self.kind: str = kind
        self.eqn: JaxprEqn = eqn
        self.operands: list[View] = operands
        self.order: int = order
        self.results: list[Node] = []
        self.graphs: list[Graph] = []
        self.units: list[list] = []  # what `graphs` are fused to
        self.effects: bool = False
        self.source: tuple | None = None
        self.routine: Any = None  # the code of a step that has some of its own (base.py)

    @property
    def is_update(self) -> bool:
        """Return whether the result is the first operand with some elements changed."""
        return self.routine is not None and self.kind.startswith(("dynamic_update_slice", "scatter"))

    def __repr__(self):
        return f"{self.kind}{self.order}:{self.eqn.primitive if self.eqn else ''}"


def _mask(view: View) -> View | None:
    """Return the booleans that a factor was converted from: as in XLA, a product with them is a choice, 0 for inf and
    NaN.
    """
    node = view.base
    if node.kind != "elementwise" or node.op != "convert_element_type" or not view.is_whole:
        return None
    mask = node.operands[0]
    if mask.base.dtype != np.bool_ or view.shape != node.shape and not mask.is_whole:
        return None
    return mask if view.shape == node.shape else View(mask.base, view.shape, 0, contiguous(view.shape))


class Graph:
    """The nodes and steps of a program in order; `outputs` are views.

    In the body of a loop, products of small matrices and slices at computed places are code too. `branches` says
    whether a program that runs branches for one element after the other takes the place of a selection between their
    results.
    """

    def __init__(
        self, closed: ClosedJaxpr, in_loop: bool = False, fixed: int = 0,
        branches: Callable[[ClosedJaxpr], bool] | None = None,
    ):
        self.in_loop = in_loop
        self._branches = branches
        self.items: list[Node | Step] = []
        self.constants: list[Node] = []
        self.packed: dict[Node, View] = {}  # in a loop, copies of constants; program/loops.py makes them
        self.in_avals, self.out_avals = closed.in_avals, closed.out_avals
        self._known: dict[Any, Any] = {}
        self._salt: Any = None
        self._source: tuple | None = None  # of the equation that is read
        self._salts = 0
        self.begins: list[tuple[JaxprEqn | None, int]] = []  # equations, and how many items there were before
        types = [v.aval for v in closed.jaxpr.invars]
        self.inputs = [self._held("input", a) for a in types]
        self.fixed = frozenset(self.inputs[:fixed])  # of a loop's body, what is the same in all turns
        values = [self.value(self.whole(n), a) for n, a in zip(self.inputs, types)]
        self.outputs: list[View] = [self.stored(v) for v in self._run(closed, values, self.begins)]
        self.begins.append((None, len(self.items)))
        self._drop_unread()
        self._turn_products()
        self._materialize_outputs()

    # ---- nodes -----------------------------------------------------------------------------------

    def _node(self, kind, shape, dtype, op=None, operands=(), params=()) -> Node:
        node = Node(kind, shape, dtype, len(self.items), op, operands, params)
        node.source = self._source
        return node

    def _held(self, kind, aval) -> Node:
        shape, dtype = physical(aval.shape, aval.dtype)
        node = self._node(kind, shape, dtype)
        node.is_packed = dtype is not aval.dtype
        return node

    def whole(self, node: Node) -> View:
        return View(node, node.shape, 0, contiguous(node.shape))

    def value(self, view: View, aval) -> View | Pair:
        """Return an array in memory, in the form that rules read."""
        return Pair.of(view) if aval.dtype.kind == "c" else view

    def stored(self, value: View | Pair) -> View:
        """Return a value as it is in memory: the parts of complex numbers side by side."""
        if isinstance(value, View):
            return value
        joined, re, im = value.joined(), value.re, value.im
        if joined is not None:
            return joined
        shape, dtype = (*value.shape, 2), re.base.dtype
        if not prod(shape):
            return self.number(0, dtype).broadcast(shape, ())
        strides = contiguous(shape)[:-1]
        return self.assemble(shape, dtype, [(re, 0, strides), (im, 1, strides)])

    def constant(self, value, aval) -> View | Pair:
        value = as_buffer(value, aval)
        if aval.dtype.kind == "c" and value.size == 1:
            part = physical((), aval.dtype)[1]
            return Pair(*[self.number(x, part, value.shape) for x in (value.real, value.imag)])
        shape, dtype = physical(aval.shape, aval.dtype)
        single = dtype in SUPPORTED and prod(shape) == 1
        key = ("constant", value.dtype, value.shape, value.tobytes()) if single else ("constant", id(value))
        node = self._known.get(key)
        if node is None:
            node = self._known[key] = self._node("constant", physical(value.shape, aval.dtype)[0], dtype)
            node.value = value
            node.is_packed = dtype is not aval.dtype
            if not single:
                self.constants.append(node)
        return self.value(self.whole(node), aval)

    def number(self, value, dtype, shape=()) -> View:
        """Return a constant of one element."""
        return self.constant(np.asarray(value).astype(dtype).reshape(()), Type((), dtype)).broadcast(shape, ())

    def elementwise(self, op: str, shape, dtype, operands, params=()) -> View:
        """Add an element-wise operation; operands are stretched to the shape."""
        if 0 in shape:
            return self.number(0, dtype, shape)
        if op == "mul" and dtype.kind == "f" and not params:
            for x, y in (operands, operands[::-1]):
                if y.shape == shape and (mask := _mask(y)) is not None:
                    return self.elementwise("select_n", shape, dtype, (mask, self.number(0, dtype), x))
        known = _known_integers(op, dtype, operands)
        if known is not None:
            return self.number(known, dtype, shape)
        operands = tuple([self._read(v.stretched(shape)) for v in operands])
        key = (op, shape, dtype, params, self._salt, *[x for v in operands for x in v.key])
        node = self._known.get(key)
        if node is None:
            axis, mixed = _axis_of_components(operands), _mixed(operands)
            if mixed is not None:
                node = self._by_mixed_parts(op, shape, dtype, operands, params, *mixed).base
            elif axis is None:
                node = self._node("elementwise", shape, dtype, op, operands, params)
                self.items.append(node)
            else:
                node = self._by_components(op, shape, dtype, operands, params, axis).base
            self._known[key] = node
        return self.whole(node)

    def _by_components(self, op: str, shape, dtype, operands, params, axis: int) -> View:
        """Return an element-wise operation for each component along an axis, put together."""
        strides, pieces = contiguous(shape), []
        rest = strides[:axis] + strides[axis + 1 :]
        for k in range(shape[axis]):
            parts = [component(v, axis, k) for v in operands]
            part = parts[0] if op == "copy" else self.elementwise(op, parts[0].shape, dtype, parts, params)
            pieces.append((part, k * strides[axis], rest))
        return self.assemble(shape, dtype, pieces)

    def _by_mixed_parts(self, op: str, shape, dtype, operands, params, axis: int, step: int) -> View:
        """Return an element-wise operation for each of the parts that are mixed along an axis, mixed again.

        All of them are cut where one goes from one array to another, so that they are still written together.
        """
        strides, pieces = contiguous(shape), []
        wide = (*strides[:axis], strides[axis] * step, *strides[axis + 1 :])
        rows = [[self._read(every(v, axis, k, step)) for v in operands] for k in range(step)]
        common = shape[axis] // step
        cuts = set().union(*[cuts_along(v, axis) for row in rows for v in row])
        cuts = {cut for cut in cuts if cut < common} if len(cuts) <= _MAX_CUTS else set()
        bounds = sorted(cuts | {0, common, -(-shape[axis] // step)})
        for start, stop in zip(bounds, bounds[1:]):
            for k, row in enumerate(rows):
                if start < row[0].shape[axis]:
                    parts = [part_along(v, axis, start, stop) for v in row]
                    part = self.elementwise(op, parts[0].shape, dtype, parts, params)
                    pieces.append((part, (start * step + k) * strides[axis], wide))
        return self.assemble(shape, dtype, pieces)

    def _read(self, view: View) -> View:
        """Return an operand, read from where its elements were made if that is not where it has them from."""
        while is_assembled(view.base) and type(view) is View and (source := forwarded(view)) is not None:
            view = source
        return self._made_again(view)

    def _made_again(self, view: View) -> View:
        """Return an outer product that is read with its axes in another order, as one made in that order."""
        node = view.base
        if node.op not in _OUTER or node.kind != "elementwise" or view.shape == node.shape and view.is_whole:
            return view
        if view.offset or view.size != node.size or not all([0 in v.strides for v in node.operands]):
            return view
        axes = {s: a for a, (d, s) in enumerate(zip(node.shape, contiguous(node.shape))) if d != 1}
        order = [axes.get(s, -1) if d != 1 else -1 for d, s in zip(view.shape, view.strides)]
        if any([d != 1 and (a < 0 or node.shape[a] != d) for d, a in zip(view.shape, order)]):
            return view
        operands = [
            View(v.base, view.shape, v.offset, tuple([v.strides[a] if a >= 0 else 0 for a in order]))
            for v in node.operands
        ]
        return self.elementwise(node.op, view.shape, node.dtype, operands, node.params)

    def converted(self, view: View, dtype) -> View:
        """Return the elements in another dtype."""
        if view.base.dtype == dtype:
            return view
        return self.elementwise("convert_element_type", view.shape, dtype, (view,), (("new_dtype", dtype),))

    def copied(self, view: View) -> View:
        """Return the same elements in an array of their own."""
        return self.elementwise("copy", view.shape, view.base.dtype, (view,))

    def reshape(self, view: View, shape) -> View:
        if view.shape == shape:
            return view
        if 0 in shape:
            return View(view.base, shape, 0, (0,) * len(shape))
        return view.reshape(shape) or self.copied(view).reshape(shape)

    def reduce(self, op: str, view: View, axes, dtype) -> View:
        kept = tuple([d for i, d in enumerate(view.shape) if i not in axes])
        axes = tuple([a for a in sorted(axes) if view.shape[a] != 1])
        if 0 in view.shape:
            return self.number(identity(op, dtype), dtype, kept)
        if not axes:
            return self.reshape(view, kept)
        key = (op, axes, view.key, self._salt)
        node = self._known.get(key)
        if node is None:
            shape = tuple([d for i, d in enumerate(view.shape) if i not in axes])
            node = self._known[key] = self._node("reduce", shape, dtype, op, (view,))
            node.axes = axes
            self.items.append(node)
        return self.reshape(self.whole(node), kept)

    def step(self, kind: str, eqn, operands, types) -> list[View]:
        step = Step(kind, eqn, operands, len(self.items))
        step.effects = bool(eqn and eqn.effects)
        step.source = self._source
        self.items.append(step)
        for aval in types:
            node = self._held("result", aval)
            node.step = step
            step.results.append(node)
        return [self.value(self.whole(n), a) for n, a in zip(step.results, types)]

    def routine(self, kind: str, routine, operands, types, eqn=None) -> list[View]:
        """Return a step with code of its own, of whole arrays."""
        out = self.step(kind, eqn, [self.whole_operand(v) for v in operands], types)
        self.items[-1].routine = routine
        return out

    def assemble(self, shape, dtype, pieces) -> View:
        """Return an array of parts: `pieces` are (view, offset, strides in the array)."""
        step = Step("gather", None, [], len(self.items))
        whole = self._node("result", shape, dtype)
        whole.step = step
        for view, offset, strides in self._cut(pieces):
            part = self._node("part", view.shape, dtype, "copy", (view,))
            part.into = View(whole, view.shape, offset, strides)
            self.items.append(part)
            step.operands.append(self.whole(part))
        step.order = len(self.items)
        step.results = [whole]
        self.items.append(step)
        return self.whole(whole)

    def _cut(self, pieces) -> list[tuple[View, int, tuple[int, ...]]]:
        """Parts of an array, so that what is read of another one that was assembled is read from its parts."""
        todo, done = list(pieces)[::-1], []
        while todo:
            view, offset, strides = todo.pop()
            view = self._read(view)
            cut = pieces_of(view) if is_assembled(view.base) and type(view) is View else None
            if cut is None or len(done) + len(todo) + len(cut) > _MAX_PIECES:
                done.append((view, offset, strides))
                continue
            for piece, starts in cut[::-1]:
                todo.append((piece, offset + sum([k * s for k, s in zip(starts, strides)]), strides))
        return done

    def _drop_unread(self):
        """Routines that have less to do because not all of their results are read."""
        read = {v.base for item in self.items for v in item.operands} | {v.base for v in self.outputs}
        for step in self.items:
            if type(step) is Step and step.routine is not None:
                flags = [n in read for n in step.results]
                rule = None if all(flags) else WITHOUT_UNREAD.get(step.routine.name)
                if rule and (routine := rule(step.routine, flags)) is not None:
                    step.routine, step.results = routine, [n for n, f in zip(step.results, flags) if f]

    def _turn_products(self):
        """Products of which nothing but the transpose is read are computed as that: no copy is left."""
        products = {}
        for item in self.items:
            rule = TRANSPOSED.get(item.routine.name) if type(item) is Step and item.routine is not None else None
            if rule is not None and (routine := rule(item.routine)) is not None:
                products[item.results[0]] = routine
        uses = [v for item in self.items for v in item.operands if v.base in products]
        uses += [v for v in self.outputs if v.base in products]
        others = {v.base for v in uses if type(v) is not View or _permutation(v) != [1, 0]}
        products = {v.base: products[v.base] for v in uses if v.base not in others}
        for node, routine in products.items():
            node.step.routine = routine
            node.step.operands, node.shape = node.step.operands[::-1], node.shape[::-1]
        straight = lambda v: self.whole(v.base) if v.base in products else v
        for item in self.items if products else ():
            if any([v.base in products for v in item.operands]):
                item.operands = type(item.operands)([straight(v) for v in item.operands])
        self.outputs = [straight(v) for v in self.outputs]
        self.outputs = [self._made_again(v) if _permutation(v) else v for v in self.outputs]

    def _materialize_outputs(self):
        """Results own their memory: each is a whole node of its own, or an input or host result as it is.

        What a program computes may be a result with other axes, if its elements are in order.
        """
        seen = set()
        for i, v in enumerate(self.outputs):
            node = v.base
            if not self.in_loop and node not in seen and v.is_whole and v.size == node.size:
                if node.kind in ("elementwise", "reduce") or is_assembled(node):
                    seen.add(node)
                    continue
            if v.shape == node.shape and v.is_whole and node not in seen:
                if node.kind in ("input", "result") or node.value is not None and node.shape == v.shape:
                    seen.add(node)
                    continue
                if node.kind in ("elementwise", "reduce"):
                    seen.add(node)
                    continue
            if node.dtype in SUPPORTED and prod(v.shape):
                axis = _axis_of_components((v,))
                if axis is not None:
                    self.outputs[i] = self._by_components("copy", v.shape, node.dtype, (v,), (), axis)
                    continue
                copy = self._node("elementwise", v.shape, node.dtype, "copy", (v,))
                self.items.append(copy)
                self.outputs[i] = self.whole(copy)

    # ---- equations -------------------------------------------------------------------------------

    def _run(self, closed: ClosedJaxpr, args: list[View], begins: list | None = None) -> list[View]:
        """Append the equations of a program; calls are opened without recursion in Python's sense of depth."""
        jaxpr = closed.jaxpr
        env = dict(zip(jaxpr.invars, args, strict=True))
        env.update((v, self.constant(c, v.aval)) for v, c in zip(jaxpr.constvars, closed.consts))
        at = lambda v: self.constant(v.val, v.aval) if type(v) is Literal else env[v]
        eqns, _ = live_eqns(jaxpr.eqns, jaxpr.outvars)
        rolled, bordered = rolled_arrays(jaxpr), {}
        for eqn in self._with_branches(jaxpr, eqns):
            self._source = eqn._source
            if begins is not None:
                begins.append((eqn, len(self.items)))
            roll = rolled.get(eqn.outvars[0]) if rolled and eqn.outvars else None
            if roll is not None and isinstance(x := at(roll.root), View):
                if roll.root not in bordered:
                    bordered[roll.root] = with_border(self, x, roll)
                env[eqn.outvars[0]] = roll.of(bordered[roll.root])
                continue
            operands = [at(v) for v in eqn.invars]
            env.update(zip(eqn.outvars, self._equation(eqn, operands)))
        return [at(v) for v in jaxpr.outvars]

    def _with_branches(self, jaxpr: Jaxpr, eqns: list[JaxprEqn]) -> list[JaxprEqn]:
        """Return the equations of a program, where it pays with branches of one element in the place of selections."""
        if self._branches is None or all([eqn.lanes is None for eqn in eqns]):
            return eqns
        known, made = {*jaxpr.constvars, *jaxpr.invars}, {v for eqn in eqns for v in eqn.outvars}
        written: list[JaxprEqn] = []
        replaced: set[Var] = set()
        for eqn in eqns:
            lanes = eqn.lanes
            read = () if lanes is None else [v for v in lanes.invars if type(v) is not Literal]
            if not replaced.isdisjoint(eqn.outvars):  # of a selection whose place is taken
                continue
            if lanes is not None and known.issuperset(read) and self._branches(lanes.program):
                outvars = [v if v in made else DropVar(v.aval) for v in lanes.outvars]
                eqn = JaxprEqn(lanes.invars, outvars, primitives["jit"], {"jaxpr": lanes.program}, None, eqn._source)
                replaced.update(outvars)
            written.append(eqn)
            known.update(eqn.outvars)
        return live_eqns(written, jaxpr.outvars)[0]

    def _equation(self, eqn: JaxprEqn, operands: list[View]) -> list[View]:
        name, types, avals = eqn.primitive.name, [v.aval for v in eqn.outvars], [v.aval for v in eqn.invars]
        called = eqn.params.get(eqn.primitive.called)
        if isinstance(called, ClosedJaxpr):
            operation = called.jaxpr.operation
            if operation and (found := LIBRARY_CALLS[operation](self, called.jaxpr, operands, types)) is not None:
                return found
            if not eqn.params.get("differentiated"):
                return self._run(called, operands)
            # What is computed again must not be found to be known.
            before, self._salts = self._salt, self._salts + 1
            self._salt = (before, self._salts)
            outs = self._run(called, operands)
            self._salt = before
            return outs
        if name == "name":  # of a value that checkpoints may keep
            return operands
        if name == "scan" and not eqn.params["length"] and all([kind_of(t.dtype) for t in types]):
            first, carried = eqn.params["num_consts"], eqn.params["num_carry"]
            return [*operands[first : first + carried], *self._without_elements(types[carried:])]
        if name == "scan" and _is_written_out(eqn, operands):
            return self._steps(eqn.params, operands)
        if name == "cond" and len(eqn.params["branches"]) == 2:
            operands = [_flag(operands[0]), *operands[1:]]
        if name in LOOPS:
            return self.step(name, eqn, [self.whole_operand(self.stored(v)) for v in operands], types)
        found = self._empty(eqn, types) or self._native(eqn, name, operands, types)
        if found is not None:
            return found
        if eqn.primitive.expand_rule is not None and not eqn.primitive.runs_programs and not eqn.effects:
            return self._run(expanded(eqn), operands)
        if all([0 in a.shape for a in avals]) and avals and not eqn.effects and not eqn.primitive.runs_programs:
            return self._of_nothing(eqn, types)
        return self.step("host", eqn, [self.stored(v) for v in operands], types)

    def _steps(self, params: dict, operands: list) -> list:
        """Return the carry of a scan after all of its steps, which are fused with each other."""
        consts, stop = params["num_consts"], params["num_consts"] + params["num_carry"]
        fixed, carry, rows = operands[:consts], operands[consts:stop], operands[stop:]
        steps = range(params["length"])
        for i in reversed(steps) if params["reverse"] else steps:
            carry = self._run(params["jaxpr"], [*fixed, *carry, *[_row(x, i) for x in rows]])
        return carry

    def _empty(self, eqn: JaxprEqn, types) -> list | None:
        """Return results without elements, for which nothing is to be done."""
        if not types or eqn.effects or eqn.primitive.runs_programs:
            return None
        return self._without_elements(types) if all([0 in t.shape and kind_of(t.dtype) for t in types]) else None

    def _without_elements(self, types) -> list:
        held = [physical(t.shape, t.dtype) for t in types]
        return [self.value(self.number(0, dtype, shape), t) for (shape, dtype), t in zip(held, types)]

    def _of_nothing(self, eqn: JaxprEqn, types) -> list:
        """Return the results of operands without elements, which are always the same."""
        operands = [np.empty(a.shape, getattr(a.dtype, "buffer_dtype", a.dtype)) for a in (v.aval for v in eqn.invars)]
        token = quiet.enter()
        try:
            out = evaluation(eqn)(*operands)
        finally:
            quiet.leave(token)
        out = out if eqn.primitive.multiple_results else [out]
        return [self.constant(np.asarray(x), t) for x, t in zip(out, types, strict=True)]

    def whole_operand(self, view: View) -> View:
        """Loops and routines read arrays whose elements are in order."""
        if view.base.dtype not in SUPPORTED or view.base.kind == "constant" and view.base.size == view.size == 1:
            return view
        return view if view.is_whole and view.base.kind != "iota" else self.copied(view)

    def _native(self, eqn: JaxprEqn, name: str, operands: list, types) -> list | None:
        avals, params = [v.aval for v in eqn.invars], eqn.params
        rule_of(eqn.primitive)  # those for complex numbers and keys stand in the same modules
        if any([kind_of(a.dtype) != "real" for a in (*avals, *types)]):
            kinds = {kind_of(a.dtype) for a in (*avals, *types)}
            if "" in kinds:
                return None
            if "small" in kinds:
                plain = kinds <= {"small", "real"} or name == "convert_element_type"
                return widened(self, eqn.primitive, operands, params, types, avals) if plain else None
            if "keys" in kinds and "complex" not in kinds:
                rule = KEYS.get(name)
                return rule(self, operands, params, types, avals) if rule else None
            rule = COMPLEX.get(name)
            return rule(self, operands, params, types) if rule else None
        return self.by_rule(eqn.primitive, operands, params, types, avals)

    def by_rule(self, primitive, operands: list, params: dict, types, avals) -> list | None:
        """Return an operation on numbers that machines know; None if it has no rule for them."""
        name, rule = primitive.name, rule_of(primitive)
        if isinstance(rule, Rule):
            if rule.accepts(avals, params):
                return [self.elementwise(name, types[0].shape, types[0].dtype, operands, tuple(params.items()))]
            rule = FALLBACK_RULES.get(name)
        return None if rule is None else rule(self, operands, params, types)


def _known_integers(op: str, dtype, operands) -> np.ndarray | None:
    """Return the result of an operation on constant integers, such as a divisor is prepared by; else None."""
    if op not in _ON_KNOWN_INTEGERS or dtype.kind not in "iub":
        return None
    bases = [v.base for v in operands]
    if not all([n.kind == "constant" and n.size == 1 and n.dtype.kind in "iub" for n in bases]):
        return None
    if any([n.value.dtype != n.dtype for n in bases]):  # the bytes of other numbers
        return None
    return _ON_KNOWN_INTEGERS[op](*[n.value.reshape(()) for n in bases])


def _axis_of_components(operands) -> int | None:
    """Return the axis along which an operation on these is done component by component, if it is."""
    if any([type(v) is not View for v in operands]):
        return None  # a place in an array that is computed
    for v in operands:
        if is_assembled(v.base) and (axis := short_axis(v)) is not None:
            return axis
    return len(operands[0].shape) - 1 if any(map(short_rows, operands)) else None


def _mixed(operands) -> tuple[int, int] | None:
    """Return the axis along which an operand is mixed of parts, and at which steps, if one is."""
    if all([type(v) is View for v in operands]):
        for v in operands:
            if is_assembled(v.base) and (found := mixed_axis(v)) is not None:
                return found
    return None


def _permutation(view: View) -> list[int] | None:
    """Return the order of the axes of its array that a view has, if it is all of it with the axes in another order."""
    strides = contiguous(view.base.shape)
    if view.offset or 1 in view.shape or view.strides == strides or not prod(view.shape):
        return None
    if sorted(view.strides, reverse=True) != list(strides):
        return None
    order = [strides.index(s) for s in view.strides]
    return order if view.shape == tuple([view.base.shape[i] for i in order]) else None


def identity(op: str, dtype):
    """Return what a reduction starts from."""
    return primitives[op].neutral_rule(dtype)


def _is_written_out(eqn: JaxprEqn, operands: list) -> bool:
    """Return whether a scan is to be unrolled wholly, and its steps are few, computed by kernels, and stack nothing."""
    params, (jaxpr, length) = eqn.params, (eqn.params["jaxpr"].jaxpr, eqn.params["length"])
    if not 1 < length <= params["unroll"] or params["num_carry"] != len(eqn.outvars) or eqn.effects:
        return False
    if max([v.aval.size for v in eqn.outvars], default=0) < _MIN_ELEMENTS_TO_WRITE_OUT:
        return False
    rows = operands[params["num_consts"] + params["num_carry"] :]
    return length * len(jaxpr.eqns) <= _MAX_EQUATIONS_WRITTEN_OUT and all([type(x) is View for x in rows])


def _row(x: View, i: int) -> View:
    starts = (i, *[0] * (len(x.shape) - 1))
    return x.slice(starts, (i + 1, *x.shape[1:]), [1] * len(x.shape)).squeeze((0,))


def _flag(index: View) -> View:
    """Return the flag that an index of two branches was made of, for a jump asks that; else the index."""
    node = index.base
    if node.op != "convert_element_type" or node.kind != "elementwise" or node.shape:
        return index
    flag, = node.operands
    return flag if flag.base.dtype == bool and not flag.shape else index
