"""A jaxpr as a graph: nodes that make one array each, read through views, and steps that are run as they are.

Calls are opened, equal nodes are one node, and what only rearranges (broadcast, transpose, slice, most reshapes)
is no node: an operand is a `View`, a base with an offset and a stride for each axis, in elements. Equations
without an `emit` rule become host steps, which call the `evaluate` rule; loops and branches are steps with
graphs of their own (loops.py).
"""

from __future__ import annotations

from functools import partial
from math import prod
from typing import Any

import numpy as np

from ...core.jaxpr import ClosedJaxpr, JaxprEqn, Literal, live_eqns
from ...core.primitive import primitives
from ..numpy.program import as_buffer
from .builder import NARROW, SUPPORTED
from .elementwise import Rule

__all__ = ["Graph", "Node", "Step", "View", "contiguous", "supported"]

REDUCTIONS = {
    "reduce_sum": "add", "reduce_prod": "mul", "reduce_max": "max", "reduce_min": "min", "reduce_and": "and",
    "reduce_or": "or", "reduce_xor": "xor",
}
# Scatters that loops have code for, and how an element is combined with what is there.
SCATTERS = {
    "scatter": None, "scatter-add": "add", "scatter-mul": "mul", "scatter-min": "min", "scatter-max": "max",
}
# Primitives that are calls, and the parameter that holds the program.
_CALLS = {
    "jit": "jaxpr", "custom_jvp_call": "call_jaxpr", "custom_vjp_call": "call_jaxpr", "remat2": "jaxpr",
    "custom_vmap_call": "call", "linear_call": "callee",
}


def contiguous(shape) -> tuple[int, ...]:
    """The strides of an array in row-major order."""
    strides, n = [], 1
    for d in reversed(shape):
        strides.append(n)
        n *= d
    return tuple(strides[::-1])


def supported(aval) -> bool:
    """Whether generated code can hold arrays of this type."""
    return isinstance(aval.dtype, np.dtype) and aval.dtype in SUPPORTED


class Node:
    """One array: `kind` says how it is made.

    input, constant (`value`), iota (one axis), elementwise (`op`, `params`), reduce (`op`, `axes`), part (like
    an element-wise copy, into a region of the array of `step`), result (of `step`).
    """

    __slots__ = ("axes", "dtype", "into", "kind", "op", "operands", "order", "params", "shape", "step", "value")

    def __init__(self, kind, shape, dtype, order, op=None, operands=(), params=()):
        self.kind: str = kind
        self.shape: tuple[int, ...] = shape
        self.dtype = dtype
        self.order: int = order
        self.op = op
        self.operands: tuple[View, ...] = operands
        self.params: tuple = params
        self.axes: tuple[int, ...] = ()
        self.step: Step | None = None
        self.value: Any = None
        self.into: View | None = None

    @property
    def size(self) -> int:
        return prod(self.shape)

    def __repr__(self):
        return f"{self.kind}{self.order}:{self.op or ''}{list(self.shape)}"


class Step:
    """What is run as it is: an equation by its rule, a loop, a branch, or `gather` of an array's parts."""

    __slots__ = ("effects", "eqn", "graphs", "kind", "operands", "order", "results", "units")

    def __init__(self, kind, eqn, operands, order):
        self.kind: str = kind
        self.eqn: JaxprEqn = eqn
        self.operands: list[View] = operands
        self.order: int = order
        self.results: list[Node] = []
        self.graphs: list[Graph] = []
        self.units: list[list] = []  # what `graphs` are fused to
        self.effects: bool = False

    def __repr__(self):
        return f"{self.kind}{self.order}:{self.eqn.primitive if self.eqn else ''}"


class View:
    """Elements of `base`: that at index i stands at offset + sum(i * strides)."""

    __slots__ = ("base", "offset", "shape", "strides")

    def __init__(self, base: Node, shape, offset: int, strides):
        self.base = base
        self.shape: tuple[int, ...] = shape
        self.offset = offset
        self.strides: tuple[int, ...] = strides

    @property
    def key(self) -> tuple:
        return id(self.base), self.shape, self.offset, self.strides

    @property
    def is_whole(self) -> bool:
        """Whether this is the base as it is, or with other axes but in the same order."""
        if self.offset or prod(self.shape) != self.base.size:
            return False
        return all(d == 1 or s == c for d, s, c in zip(self.shape, self.strides, contiguous(self.shape)))

    def broadcast(self, shape, dimensions) -> View:
        strides = [0] * len(shape)
        for i, axis in enumerate(dimensions):
            if self.shape[i] == shape[axis]:
                strides[axis] = self.strides[i]
        return View(self.base, tuple(shape), self.offset, tuple(strides))

    def stretched(self, shape) -> View:
        """As element-wise operands are: of rank 0, or with axes of length 1."""
        if self.shape == shape:
            return self
        return self.broadcast(shape, range(len(shape)) if self.shape else ())

    def transpose(self, permutation) -> View:
        return View(
            self.base, tuple([self.shape[i] for i in permutation]), self.offset,
            tuple([self.strides[i] for i in permutation]),
        )

    def squeeze(self, dimensions) -> View:
        kept = [i for i in range(len(self.shape)) if i not in dimensions]
        return self.transpose(kept)

    def reverse(self, dimensions) -> View:
        offset, strides = self.offset, list(self.strides)
        for i in dimensions:
            offset += (self.shape[i] - 1) * strides[i]
            strides[i] = -strides[i]
        return View(self.base, self.shape, offset, tuple(strides))

    def slice(self, starts, limits, steps) -> View:
        shape = tuple([max(0, -(-(stop - start) // step)) for start, stop, step in zip(starts, limits, steps)])
        offset = self.offset + sum([a * s for a, s in zip(starts, self.strides)])
        return View(self.base, shape, offset, tuple([s * k for s, k in zip(self.strides, steps)]))

    def reshape(self, shape) -> View | None:
        """None if the new axes have no strides: the elements must be moved."""
        if not any([s for s, d in zip(self.strides, self.shape) if d != 1]):
            return View(self.base, shape, self.offset, (0,) * len(shape))
        old = [(d, s) for d, s in zip(self.shape, self.strides) if d != 1]
        strides: list[int] = [0] * len(shape)
        new = [i for i, d in enumerate(shape) if d != 1]
        i = j = 0
        while i < len(old) and j < len(new):
            n, m, last, group = old[i][0], shape[new[j]], i, [new[j]]
            while n != m:
                if n < m:
                    last += 1
                    n *= old[last][0]
                    if old[last - 1][1] != old[last][1] * old[last][0]:
                        return None
                else:
                    j += 1
                    group.append(new[j])
                    m *= shape[new[j]]
            stride = old[last][1]
            for axis in reversed(group):
                strides[axis] = stride
                stride *= shape[axis]
            i, j = last + 1, j + 1
        return View(self.base, shape, self.offset, tuple(strides))


class Graph:
    """The nodes and steps of a program in order; `outputs` are views.

    In the body of a loop, products of small matrices and slices at computed places are code too.
    """

    def __init__(self, closed: ClosedJaxpr, in_loop: bool = False):
        self.in_loop = in_loop
        self.items: list[Node | Step] = []
        self.constants: list[Node] = []
        self._known: dict[Any, Any] = {}
        self._salt: Any = None
        self._salts = 0
        self.inputs = [self._node("input", v.aval.shape, v.aval.dtype) for v in closed.jaxpr.invars]
        views = [self.whole(n) for n in self.inputs]
        self.outputs = self._run(closed, views)
        self._materialize_outputs()

    # ---- nodes -----------------------------------------------------------------------------------

    def _node(self, kind, shape, dtype, op=None, operands=(), params=()) -> Node:
        return Node(kind, shape, dtype, len(self.items), op, operands, params)

    def whole(self, node: Node) -> View:
        return View(node, node.shape, 0, contiguous(node.shape))

    def constant(self, value, aval) -> View:
        value = as_buffer(value, aval)
        single = supported(aval) and value.size == 1
        key = ("constant", value.dtype, value.shape, value.tobytes()) if single else ("constant", id(value))
        node = self._known.get(key)
        if node is None:
            node = self._known[key] = self._node("constant", value.shape, aval.dtype)
            node.value = value
            if not single:
                self.constants.append(node)
        return self.whole(node)

    def elementwise(self, op: str, shape, dtype, operands, params=()) -> View:
        """One element-wise operation; operands are stretched to the shape."""
        operands = tuple([v.stretched(shape) for v in operands])
        if not prod(shape):
            return self.constant(np.zeros((), dtype), _Type((), dtype)).broadcast(shape, ())
        key = (op, shape, dtype, params, tuple([v.key for v in operands]), self._salt)
        node = self._known.get(key)
        if node is None:
            node = self._known[key] = self._node("elementwise", shape, dtype, op, operands, params)
            self.items.append(node)
        return self.whole(node)

    def copied(self, view: View) -> View:
        """The same elements in an array of their own."""
        return self.elementwise("copy", view.shape, view.base.dtype, (view,))

    def reshape(self, view: View, shape) -> View:
        if not prod(shape):
            return View(view.base, shape, 0, (0,) * len(shape))
        return view.reshape(shape) or self.copied(view).reshape(shape)

    def reduce(self, op: str, view: View, axes, dtype) -> View:
        kept = tuple([d for i, d in enumerate(view.shape) if i not in axes])
        axes = tuple([a for a in sorted(axes) if view.shape[a] != 1])
        if not prod(view.shape):
            value = np.asarray(identity(op, dtype), dtype)
            return self.constant(value, _Type((), dtype)).broadcast(kept, ())
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
        self.items.append(step)
        for aval in types:
            node = self._node("result", aval.shape, aval.dtype)
            node.step = step
            step.results.append(node)
        return [self.whole(n) for n in step.results]

    def assemble(self, shape, dtype, pieces) -> View:
        """An array of parts: `pieces` are (view, offset, strides in the array)."""
        step = Step("gather", None, [], len(self.items))
        whole = self._node("result", shape, dtype)
        whole.step = step
        for view, offset, strides in pieces:
            part = self._node("part", view.shape, dtype, "copy", (view,))
            part.into = View(whole, view.shape, offset, strides)
            self.items.append(part)
            step.operands.append(self.whole(part))
        step.order = len(self.items)
        step.results = [whole]
        self.items.append(step)
        return self.whole(whole)

    def _materialize_outputs(self):
        """Results own their memory: each is a whole node of its own, or an input or host result as it is."""
        seen = set()
        for i, v in enumerate(self.outputs):
            node = v.base
            if v.shape == node.shape and v.is_whole and node not in seen:
                if node.kind in ("input", "result") or node.value is not None and node.shape == v.shape:
                    seen.add(node)
                    continue
                if node.kind in ("elementwise", "reduce"):
                    seen.add(node)
                    continue
            if node.dtype in SUPPORTED and prod(v.shape):
                copy = self._node("elementwise", v.shape, node.dtype, "copy", (v,))
                self.items.append(copy)
                self.outputs[i] = self.whole(copy)

    # ---- equations -------------------------------------------------------------------------------

    def _run(self, closed: ClosedJaxpr, args: list[View]) -> list[View]:
        """Append the equations of a program; calls are opened without recursion in Python's sense of depth."""
        jaxpr = closed.jaxpr
        env = dict(zip(jaxpr.invars, args, strict=True))
        env.update((v, self.constant(c, v.aval)) for v, c in zip(jaxpr.constvars, closed.consts))
        at = lambda v: self.constant(v.val, v.aval) if type(v) is Literal else env[v]
        eqns, _ = live_eqns(jaxpr.eqns, jaxpr.outvars)
        for eqn in eqns:
            operands = [at(v) for v in eqn.invars]
            env.update(zip(eqn.outvars, self._equation(eqn, operands)))
        return [at(v) for v in jaxpr.outvars]

    def _equation(self, eqn: JaxprEqn, operands: list[View]) -> list[View]:
        name, types = eqn.primitive.name, [v.aval for v in eqn.outvars]
        called = eqn.params.get(_CALLS[name]) if name in _CALLS else None
        if isinstance(called, ClosedJaxpr):
            if not eqn.params.get("differentiated"):
                return self._run(called, operands)
            # What is computed again must not be found to be known.
            before, self._salts = self._salt, self._salts + 1
            self._salt = (before, self._salts)
            outs = self._run(called, operands)
            self._salt = before
            return outs
        if name in ("while", "scan", "cond"):
            return self.step(name, eqn, [self._whole_operand(v) for v in operands], types)
        if all([supported(v.aval) for v in (*eqn.invars, *eqn.outvars)]):
            found = self._native(eqn, name, operands, types)
            if found is not None:
                return found
        return self.step("host", eqn, operands, types)

    def _whole_operand(self, view: View) -> View:
        """Loops read arrays that lie in order."""
        if view.is_whole or view.base.dtype not in SUPPORTED or prod(view.shape) == 1 and view.base.kind == "constant":
            return view
        return self.copied(view)

    def _native(self, eqn: JaxprEqn, name: str, operands: list[View], types) -> list[View] | None:
        rule, params = eqn.primitive.emit_rule, eqn.params
        if isinstance(rule, Rule):
            if not rule.accepts([v.aval for v in eqn.invars], params):
                return None
            return [self.elementwise(name, types[0].shape, types[0].dtype, operands, tuple(params.items()))]
        if self.in_loop and name in ("dynamic_slice", "dynamic_update_slice") and prod(types[0].shape):
            arrays = 1 if name == "dynamic_slice" else 2
            whole = [self._whole_operand(v) for v in operands[:arrays]]
            if not all([prod(v.shape) for v in whole]) or any([v.base.kind == "constant" for v in whole]):
                return None
            return self.step(name, eqn, [*whole, *operands[arrays:]], types)
        if self.in_loop and name in SCATTERS and _is_one_window(operands, params):
            x, indices, update = operands
            operands = [self._whole_operand(x), indices, self._whole_operand(update)]
            return self.step(name, eqn, operands, types) if x.base.kind != "constant" else None
        if self.in_loop and name == "dot_general":
            return _product(self, operands, params, types)
        return None if rule is None else rule(self, operands, params, types)


class _Type:
    """Shape and dtype, for constants that no equation has."""

    def __init__(self, shape, dtype):
        self.shape, self.dtype = shape, dtype


def identity(op: str, dtype):
    """What a reduction starts from."""
    if op in ("add", "xor"):
        return 0
    if op == "mul":
        return 1
    if op in ("and", "or"):
        return 0 if op == "or" else True if dtype.kind == "b" else -1 if dtype.kind == "i" else np.iinfo(dtype).max
    low = op == "max"
    if dtype.kind == "b":
        return not low
    if dtype in NARROW or dtype.kind == "f":
        return -np.inf if low else np.inf
    return np.iinfo(dtype).min if low else np.iinfo(dtype).max


# ---- rules that make nodes and views: graph, operands, params, types of the results -> views -----


def _reduce(graph, operands, params, types, *, op):
    (view,), axes, dtype = operands, params["axes"], types[0].dtype
    if dtype in NARROW and sorted(axes) != list(range(len(view.shape) - len(axes), len(view.shape))):
        return None  # partial sums in memory would be rounded each time
    return [graph.reduce(op, view, axes, dtype)]


def _reshape(graph, operands, params, types):
    if params.get("dimensions") is not None:
        return None
    return [graph.reshape(operands[0], types[0].shape)]


def _slice(graph, operands, params, types):
    (x,), steps = operands, params["strides"]
    return [x.slice(params["start_indices"], params["limit_indices"], steps or (1,) * len(x.shape))]


def _pieces(x: View, axis: int, sizes) -> list[View]:
    out, start = [], 0
    for n in sizes:
        starts, limits = [0] * len(x.shape), list(x.shape)
        starts[axis], limits[axis] = start, start + n
        out.append(x.slice(starts, limits, (1,) * len(x.shape)))
        start += n
    return out


def _concatenate(graph, operands, params, types):
    axis, shape = params["dimension"], types[0].shape
    if not prod(shape):
        return None
    if len(operands) == 1:
        return [operands[0]]
    strides, start, pieces = contiguous(shape), 0, []
    for x in operands:
        if prod(x.shape):
            pieces.append((x, start * strides[axis], strides))
        start += x.shape[axis]
    return [graph.assemble(shape, types[0].dtype, pieces)]


def _stack(graph, operands, params, types):
    axis, shape = params["axis"], types[0].shape
    if not prod(shape):
        return None
    strides = contiguous(shape)
    rest = strides[:axis] + strides[axis + 1 :]
    pieces = [(x, i * strides[axis], rest) for i, x in enumerate(operands)]
    return [graph.assemble(shape, types[0].dtype, pieces)]


def _pad(graph, operands, params, types):
    """The operand, and slabs of the padding value on both sides along each axis, of what is not filled yet."""
    (x, value), config, shape = operands, params["padding_config"], types[0].shape
    if not prod(shape) or any([inside for _, _, inside in config]):
        return None
    cut = lambda n: max(0, -n)
    starts = [cut(low) for low, _, _ in config]
    limits = [d - cut(high) for d, (_, high, _) in zip(x.shape, config)]
    if any([a > b for a, b in zip(starts, limits)]):
        return None
    x = x.slice(starts, limits, (1,) * len(shape))
    strides, pieces = contiguous(shape), []
    extent, origin = list(shape), 0  # of what is not filled yet
    for axis, (low, high, _) in enumerate(config):
        low, high = max(low, 0), max(high, 0)
        for n, start in ((low, 0), (high, shape[axis] - high)):
            slab = (*extent[:axis], n, *extent[axis + 1 :])
            if prod(slab):
                pieces.append((value.broadcast(slab, ()), origin + start * strides[axis], strides))
        extent[axis] = x.shape[axis]
        origin += low * strides[axis]
    if prod(x.shape):
        pieces.append((x, origin, strides))
    return [graph.assemble(shape, types[0].dtype, pieces)] if len(pieces) > 1 else [x]


def _iota(graph, operands, params, types):
    shape, dtype, axis = types[0].shape, types[0].dtype, params["dimension"]
    node = graph._node("iota", (shape[axis],), dtype)
    return [graph.whole(node).broadcast(shape, (axis,))]


def _rotate(graph, x, bits):
    """x with its bits turned to the left."""
    number = lambda n: graph.constant(np.uint32(n), _Type((), x.base.dtype))
    word = lambda op, *xs: graph.elementwise(op, x.shape, x.base.dtype, xs)
    left, right = word("shift_left", x, number(bits)), word("shift_right_logical", x, number(32 - bits))
    return word("or", left, right)


def _threefry(graph, operands, params, types):
    """Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011): 20 rounds, keys every four."""
    shape, dtype = types[0].shape, types[0].dtype
    word = lambda op, *xs: graph.elementwise(op, shape, dtype, xs)
    number = lambda n: graph.constant(np.uint32(n), _Type((), dtype))
    k0, k1, x0, x1 = [v.stretched(shape) for v in operands]
    keys = [k0, k1, word("xor", word("xor", k0, k1), number(0x1BD11BDA))]
    x0, x1 = word("add", x0, k0), word("add", x1, k1)
    for i in range(5):
        for bits in ((13, 15, 26, 6), (17, 29, 16, 24))[i % 2]:
            x0 = word("add", x0, x1)
            x1 = word("xor", x0, _rotate(graph, x1, bits))
        x0 = word("add", x0, keys[(i + 1) % 3])
        x1 = word("add", x1, word("add", keys[(i + 2) % 3], number(i + 1)))
    return [x0, x1]


def _is_one_window(operands, params) -> bool:
    """Whether a scatter has one vector of indices, so that it updates one window."""
    x, indices, update = operands
    numbers = params["dimension_numbers"]
    one = len(indices.shape) == 1 and not numbers.operand_batching_dims and params["mode"].name != "ONE_HOT"
    one = one and tuple(numbers.update_window_dims) == tuple(range(len(update.shape)))
    signed = indices.base.dtype.kind == "i"
    return one and signed and min(prod(x.shape), prod(update.shape)) > 0


_SMALL = 1 << 15  # multiplications of a product that is a loop of its own


def _product(graph, operands, params, types):
    """A product of matrices as a sum over an axis between the rows and the columns, which are vectors."""
    (x, y), dtype = operands, types[0].dtype
    (x_sum, y_sum), (x_batch, y_batch) = params["dimension_numbers"]
    free = lambda v, *used: [i for i in range(len(v.shape)) if not any([i in u for u in used])]
    x_free, y_free = free(x, x_sum, x_batch), free(y, y_sum, y_batch)
    rows, columns = [x.shape[i] for i in x_free], [y.shape[i] for i in y_free]
    batch, summed = [x.shape[i] for i in x_batch], [x.shape[i] for i in x_sum]
    shape = (*batch, *rows, *summed, *columns)
    same = x.base.dtype == y.base.dtype == dtype
    if not same or dtype.kind != "f" or dtype in NARROW or not 0 < prod(shape) <= _SMALL:
        return None
    b, m, k = len(batch), len(rows), len(summed)
    left = x.transpose([*x_batch, *x_free, *x_sum]).broadcast(shape, range(b + m + k))
    right = y.transpose([*y_batch, *y_sum, *y_free])
    right = right.broadcast(shape, [*range(b), *range(b + m, len(shape))])
    product = graph.elementwise("mul", shape, dtype, (left, right))
    return [graph.reduce("add", product, tuple(range(b + m, b + m + k)), dtype)]


_RULES = {
    "broadcast_in_dim": lambda g, xs, p, t: [xs[0].broadcast(p["shape"], p["broadcast_dimensions"])],
    "reshape": _reshape,
    "squeeze": lambda g, xs, p, t: [xs[0].squeeze(p["dimensions"])],
    "transpose": lambda g, xs, p, t: [xs[0].transpose(p["permutation"])],
    "rev": lambda g, xs, p, t: [xs[0].reverse(p["dimensions"])],
    "slice": _slice,
    "stop_gradient": lambda g, xs, p, t: [xs[0]],
    "optimization_barrier": lambda g, xs, p, t: xs,
    "split": lambda g, xs, p, t: _pieces(xs[0], p["axis"], p["sizes"]),
    "unstack": lambda g, xs, p, t: [
        v.squeeze((p["axis"],)) for v in _pieces(xs[0], p["axis"], [1] * xs[0].shape[p["axis"]])
    ],
    "concatenate": _concatenate,
    "stack": _stack,
    "pad": _pad,
    "iota": _iota,
    "threefry2x32": _threefry,
    **{name: partial(_reduce, op=op) for name, op in REDUCTIONS.items()},
}
for _name, _rule in _RULES.items():
    primitives[_name].emit(_rule)
