"""Programs that repeat a layer: what a few layers become is found, and the steps of all others are copies.

Equations are equal if their primitives, parameters and types are; a *run* is a stretch of equal blocks. A forward pass
is a run and its derivative another one, whose blocks go through the same layers in the other order. A variable of a
layer has a place: the run, the layer, and its number in the block; operands that differ from layer to layer have
places too. If all layers read what is equally far from them (the layer before, the same one), then a program with
some layers left out, `few`, computes the same, only less often. It is compiled; its steps at both sides of the gap
must be alike, and one side's steps with the places moved are the steps of the layers that were left out.

Groups of the fusion may not follow the layers, as where all layers are element-wise. Then the program is taken as one
of blocks of layers, and none is fused with another. Whatever else does not fit (layers that share arrays, an equation
elsewhere that reads all layers) leaves the program to be compiled as it is.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from math import ceil, prod
from typing import Any

import numpy as np

from ....core.jaxpr import ClosedJaxpr, JaxprEqn, Literal
from ....core.passes import live_eqns
from ....core.process.records import NamedTuple
from ..graph.fusion import Group
from ..graph.graph import Graph, Node, Step
from ..graph.views import View
from .program_keys import holds_programs, params_key

__all__ = ["Expanded", "expanded", "repeated"]

_MIN_EQUATIONS = 32  # equations of a program that is looked at
_EQUATIONS_OF_PLACE = 8  # equations by which a place in a program is known again
_LAYERS_BESIDE_GAP = 4  # layers on each side of the gap
_MIN_LAYERS_LEFT_OUT = 4  # layers that must be left out
_MIN_LAYERS = 2 * _LAYERS_BESIDE_GAP + _MIN_LAYERS_LEFT_OUT
_MAX_LAYERS_BETWEEN = 2  # layers from which a step may read
_MIN_BLOCK_OPERATIONS, _MAX_BLOCK_OPERATIONS = 48, 500  # for a vector, of a block of layers that is fused by itself
_BLOCK_WORK = 4096  # operations times elements of a kernel that takes much longer than its call
_MAX_BLOCK_ELEMENTS = 16_384  # of arrays that stay in the cache between two kernels


class Run(NamedTuple):
    """Blocks of n equations; the j-th is of layer `sign * j + offset`."""

    first: int
    n: int
    count: int
    sign: int
    offset: int

    def layers(self) -> tuple[int, int]:
        ends = self.offset, self.offset + self.sign * (self.count - 1)
        return min(ends), max(ends)

    def equations(self, layer: int) -> range:
        start = self.first + self.n * (layer - self.offset) * self.sign
        return range(start, start + self.n)


class Place(NamedTuple):
    """The place of a variable: results of a block count from 0, operands of each layer's own from -1 down."""

    run: int
    layer: int
    number: Any


Owner = tuple[int, int] | None  # the run of an equation, and its layer in the program of few; None outside of runs


class _Declined(Exception):
    """The program is to be compiled as it is."""


def repeated(closed: ClosedJaxpr) -> Repeated | None:
    """Return the program as one of repeated layers, if there are enough of them."""
    if len(closed.eqns) < _MIN_EQUATIONS:
        return None
    eqns, _ = live_eqns(closed.jaxpr.eqns, closed.jaxpr.outvars)
    if any([eqn.lanes is not None for eqn in eqns]):  # other equations may take the place of these
        return None
    return _repeated(closed, eqns, _stretches(eqns))


def _repeated(closed: ClosedJaxpr, eqns: list[JaxprEqn], stretches: list[tuple[int, int, int]], block=0):
    if not stretches:
        return None
    try:
        return Repeated(closed, eqns, stretches, block)
    except _Declined:
        return None


def _stretches(eqns: list[JaxprEqn]) -> list[tuple[int, int, int]]:
    """Return (first equation, equations of a block, blocks) of what repeats."""
    kinds: dict[Any, int] = {}
    alike = np.array([_number(eqn, kinds) for eqn in eqns], np.int32).tobytes()
    last: dict[bytes, int] = {}  # where the next few equations were seen before
    found = []
    i = free = 0
    while i < len(eqns):
        few = alike[4 * i : 4 * (i + _EQUATIONS_OF_PLACE)]
        first = last.get(few, -1)
        last[few] = i
        n = i - first
        if first >= free:
            block, end = alike[4 * first : 4 * i], i
            while alike[4 * end : 4 * (end + n)] == block:
                end += n
            if end - first >= _MIN_LAYERS * n:
                found.append((first, n, (end - first) // n))
                i = free = end
                continue
        i += 1
    return found


def _number(eqn: JaxprEqn, kinds: dict[Any, int]) -> int:
    """Return a number that equal equations have."""
    p, params, n = eqn.primitive, eqn.params, len(kinds)
    said = (params_key(p, params),) if holds_programs(p) else (*params.items(), *map(type, params.values()))
    kind = p, *said, *[v.aval for v in eqn.outvars], None, *[
        (v.aval, type(v.val), str(v.val)) if type(v) is Literal else v.aval for v in eqn.invars
    ]
    try:
        return kinds.setdefault(kind, n)
    except TypeError:  # a parameter is not hashable
        return kinds.setdefault(object(), n)


class Repeated:
    """`few` is the program with some layers left out; each is a block of so many of the program's own, if not 0."""

    def __init__(self, closed: ClosedJaxpr, eqns: list[JaxprEqn], stretches: list[tuple[int, int, int]], block: int):
        self.closed, self.eqns, self.stretches, self.block = closed, eqns, stretches, block
        self.place: dict[Any, Place] = {}
        self.at: dict[Place, Any] = {}  # the variable of a place
        self.runs: list[Run] = []
        inputs = set(closed.jaxpr.invars)
        for first, n, count in stretches:
            run = self._oriented(first, n, count)
            if run is not None:
                self._name(run, inputs)
                self.runs.append(run)
        low = max([run.layers()[0] for run in self.runs])
        high = min([run.layers()[1] for run in self.runs])
        self.gap = low + _LAYERS_BESIDE_GAP  # the first layer that is left out
        self.left_out = high - low + 1 - 2 * _LAYERS_BESIDE_GAP
        if self.left_out < _MIN_LAYERS_LEFT_OUT:
            raise _Declined
        for number, run in enumerate(self.runs):
            self._check(number, run)
        self.few = self._few()

    def _oriented(self, first: int, n: int, count: int) -> Run | None:
        """Return the run with its layers numbered as those are that it reads from; None if it reads from no other run.
        """
        if not self.runs:
            return Run(first, n, count, 1, 0)
        second, third = [self.eqns[first + j * n : first + (j + 1) * n] for j in (2, 3)]
        for one, other in zip(second, third):
            for v, w in zip(one.invars, other.invars):
                if type(v) is not Literal and v in self.place and w in self.place:
                    sign = self.place[w].layer - self.place[v].layer
                    if sign in (1, -1):
                        return Run(first, n, count, sign, self.place[v].layer - 2 * sign)
        return None

    def _name(self, run: Run, inputs: set) -> None:
        """Give places to the variables of a run, and to operands of the program that only one of its layers reads."""
        number, (low, high) = len(self.runs), run.layers()
        blocks = [[self.eqns[i] for i in run.equations(layer)] for layer in range(low, high + 1)]
        shared = self._read(blocks[1], inputs).keys() & self._read(blocks[3], inputs).keys()
        for layer, block in enumerate(blocks, low):
            made = [v for eqn in block for v in eqn.outvars]
            named = [(Place(number, layer, k), v) for k, v in enumerate(made)]
            own = self._read(block, inputs)
            named += [(Place(number, layer, slot), v) for v, slot in own.items() if v not in shared]
            for place, v in named:
                if v not in self.place:
                    self.place[v] = place
                    self.at[place] = v

    @staticmethod
    def _read(block: list[JaxprEqn], inputs: set) -> dict:
        """Return the program's operands that a block reads, and at which of its operands first."""
        found: dict = {}
        slots = [v for eqn in block for v in eqn.invars]
        for slot, v in enumerate(slots, 1):
            if type(v) is not Literal and v in inputs:
                found.setdefault(v, -slot)
        return found

    def _check(self, number: int, run: Run) -> None:
        """Check that the layers left out and beside read what is equally far away, or one and the same variable."""
        pattern = None
        for layer in range(self.gap - 1, self.gap + self.left_out + 1):
            found = [
                v.val is None if type(v) is Literal
                else (p.run, p.layer - layer, p.number) if (p := self.place.get(v)) is not None else v
                for i in run.equations(layer) for v in self.eqns[i].invars
            ]
            if pattern is None:
                pattern = found
            elif found != pattern:
                raise _Declined

    # ---- blocks of layers ------------------------------------------------------------------------

    def in_blocks(self, graph: Graph, units: list[Group | Step]) -> Repeated | None:
        """Return the program as one of blocks of layers, where groups were fused that do not follow the layers."""
        if self.block:
            return None
        layer = {item: owner for owner, _, item in self.owned(graph)}
        groups = [u for u in units if type(u) is Group]
        if not any([len({layer[n] for n in group.nodes if layer.get(n)}) > 1 for group in groups]):
            return None
        elements = max([prod(group.domain) for group in groups])
        wanted = _MAX_BLOCK_OPERATIONS
        if elements <= _MAX_BLOCK_ELEMENTS:
            wanted = min(max(_MIN_BLOCK_OPERATIONS, _BLOCK_WORK // max(elements, 1)), wanted)
        layers = sum([run.count - self.left_out for run in self.runs])
        block = ceil(wanted * layers / sum([group.weight for group in groups]))
        stretches = [(first, block * n, count // block) for first, n, count in self.stretches]
        return _repeated(self.closed, self.eqns, [s for s in stretches if s[2] >= _MIN_LAYERS], block)

    def ends(self, graph: Graph) -> set[Node | Step]:
        """Return what ends blocks, in the graph of the program of few."""
        if not self.block:
            return set()
        owned = self.owned(graph)
        return {item for (owner, _, item), (other, _, _) in pairwise(owned) if owner != other}

    def owned(self, graph: Graph) -> list[tuple[Owner, int, Node | Step]]:
        """Return (owner, position in the whole program, node or step) of all that is in the graph of `few`."""
        ends = [start for _, start in graph.begins[1:]]
        return [
            (*self.owner[eqn], item) for (eqn, start), end in zip(graph.begins, ends) for item in graph.items[start:end]
        ]

    # ---- numbers of layers -----------------------------------------------------------------------

    def shortened(self, layer: int) -> int:
        """Return a layer's number in the program of few layers."""
        return layer if layer < self.gap else layer - self.left_out

    def original(self, layer: int) -> int:
        """Return the number in the whole program of a layer of the program of few."""
        return layer if layer < self.gap else layer + self.left_out

    def is_left_out(self, layer: int) -> bool:
        return self.gap <= layer < self.gap + self.left_out

    def copied(self, layer: int) -> int:
        """Return whose steps, in the program of few layers, a layer's are copies of."""
        return self.gap - 1 if self.is_left_out(layer) else self.shortened(layer)

    def copies(self, layer: int) -> list[int]:
        """Return the layers whose steps are copies of those of a layer of the program of few."""
        gap = range(self.gap, self.gap + self.left_out) if layer == self.gap - 1 else ()
        return [self.original(layer), *gap]

    # ---- the program of few layers ---------------------------------------------------------------

    def _few(self) -> ClosedJaxpr:
        self.owner: dict[JaxprEqn, tuple[Owner, int]] = {}  # of each equation there; its position in the whole program
        eqns: list[JaxprEqn] = []
        layers: dict[int, tuple[int, int]] = {}
        for number, run in enumerate(self.runs):
            low, high = run.layers()
            layers.update({i: (number, layer) for layer in range(low, high + 1) for i in run.equations(layer)})
        for i, eqn in enumerate(self.eqns):
            number, layer = layers.get(i, (-1, 0))
            if number < 0:
                if any([self._is_inside_gap(v) for v in eqn.invars]):
                    raise _Declined
            elif self.is_left_out(layer):
                continue
            else:
                eqn = self._rewired(eqn, layer)
            self.owner[eqn] = None if number < 0 else (number, self.shortened(layer)), i
            eqns.append(eqn)
        jaxpr = self.closed.jaxpr
        outvars = [v for v in jaxpr.outvars if not self._is_inside_gap(v)]
        return ClosedJaxpr(jaxpr.replace(eqns=eqns, outvars=outvars), self.closed.consts)

    def _is_inside_gap(self, v) -> bool:
        """Return whether an equation that is left out makes a variable."""
        place = None if type(v) is Literal else self.place.get(v)
        return place is not None and place.number >= 0 and self.is_left_out(place.layer)

    def _rewired(self, eqn: JaxprEqn, layer: int) -> JaxprEqn:
        """Return an equation that reads from the other side of the gap what it read from inside."""
        invars = list(eqn.invars)
        for k, v in enumerate(invars):
            place = None if type(v) is Literal else self.place.get(v)
            if place is not None:
                wanted = self.original(self.shortened(layer) + place.layer - layer)
                if wanted != place.layer:
                    other = self.at.get(place._replace(layer=wanted))
                    if other is None:
                        raise _Declined
                    invars[k] = other
        return eqn if invars == eqn.invars else eqn.replace(invars=invars)


# ---- the steps of the whole program --------------------------------------------------------------


class Expanded:
    """The steps of the whole program, in the order in which they run, as `program.Executable` knows those of a graph.

    `units` are those of the program of few layers, `placed` has the code and the arrays of each step.
    """

    def __init__(self, whole: Repeated, graph: Graph, units: list[Group | Step], placed: dict):
        self.whole = whole
        self.inputs, self.constants = graph.inputs, graph.constants
        self.in_avals, self.out_avals = whole.closed.in_avals, whole.closed.out_avals
        self._role: dict[Any, tuple[Owner, Any]] = {}  # of what makes nodes: its owner, and which of the owner's it is
        self._position: dict[Any, int] = {}
        self._name(graph)
        self._nodes: dict[Any, Node] = {}
        self._places: dict[Node, tuple[int, int, Any, int] | None] = {}
        if any([_last(units[i]) not in self._role for i in placed]):
            raise _Declined  # it makes what only a result is made of
        owners = {i: self._role[_last(units[i])][0] for i in placed}
        self._check_seam(units, placed, owners)
        steps: list[tuple[int, int, Owner]] = []  # position, unit, run and layer
        for i, owner in owners.items():
            if owner is None:
                steps.append((self._position[_last(units[i])], i, None))
            else:
                run = whole.runs[owner[0]]
                steps += [(run.equations(j)[0], i, (owner[0], j)) for j in whole.copies(owner[1])]
        made = []
        for _, i, target in sorted(steps, key=lambda s: s[:2]):
            one = placed[i]
            moved = [[self._moved(n, owners[i], target) for n in nodes] for nodes in (one.inputs, one.outputs)]
            made.append((units[i], one.moved(*moved)))
        self.outputs = [self._output(v, graph) for v in whole.closed.jaxpr.outvars]
        order = self._ordered([one for _, one in made])
        self.units = [made[k][0] for k in order]
        self.placed = {i: made[k][1] for i, k in enumerate(order)}

    def _name(self, graph: Graph) -> None:
        counts: defaultdict[Owner, int] = defaultdict(int)
        for owner, position, item in self.whole.owned(graph):
            self._role[item] = owner, counts[owner]
            self._position[item] = position
            counts[owner] += 1
        for v, view in zip(self.whole.few.jaxpr.outvars, graph.outputs):
            place = None if type(v) is Literal else self.whole.place.get(v)
            item = view.base.step or view.base
            if item.kind in ("input", "constant", "iota") or item in self._role:
                continue
            owner = None if place is None else (place.run, self.whole.shortened(place.layer))
            self._role[item] = owner, ("result", place and place.number)
            self._position[item] = len(self.whole.eqns)
        self._input = {
            n: self.whole.place[v] for n, v in zip(graph.inputs, self.whole.few.jaxpr.invars) if v in self.whole.place
        }
        self._operand = dict(zip(self.whole.closed.jaxpr.invars, graph.inputs))

    def _place(self, node: Node) -> tuple[int, int, Any, int] | None:
        """Return (run, layer in the program of few, which of what is there, which result of it), if a layer has the
        node.
        """
        if node not in self._places:
            self._places[node] = self._found(node)
        return self._places[node]

    def _found(self, node: Node) -> tuple[int, int, Any, int] | None:
        if node in self._input:
            place = self._input[node]
            return place.run, self.whole.shortened(place.layer), place.number, 0
        item = node.step or node
        if item not in self._role or self._role[item][0] is None:
            return None
        (run, layer), number = self._role[item]
        return run, layer, number, node.step.results.index(node) if node.step else 0

    def _seen_from(self, node: Node, layer: int) -> tuple:
        """Return what a node is to a layer near by: a run, how far away, and which of what is there; else just itself.

        What all layers compute alike, from what is no layer's, the first one has.
        """
        place = self._place(node)
        if place is None or abs(place[1] - layer) > _MAX_LAYERS_BETWEEN:
            return (node,)
        return place[0], place[1] - layer, *place[2:]

    def _check_seam(self, units, placed: dict, owners: dict[int, Owner]) -> None:
        """Check that both sides of the gap are alike, and so all between them; nothing else reaches over the gap."""
        gap = self.whole.gap
        made: dict[tuple, list] = defaultdict(list)  # by run and layer, the items
        for item, (owner, number) in self._role.items():
            if owner is not None:
                nodes = [item] if type(item) is Node else item.results
                made[owner].append((number, item.kind, [(n.op, n.shape, n.dtype) for n in nodes]))
        for run in range(len(self.whole.runs)):
            if any([made[run, layer] != made[run, gap] for layer in range(gap - 2, gap + 2)]):
                raise _Declined
        sides: tuple[dict, dict] = {}, {}  # the steps of a layer
        cover: tuple[dict, dict] = {}, {}  # for each node, which step of which layer makes it
        same: tuple[set, set] = set(), set()  # nodes of no layer, and those that all layers compute alike
        others = []
        for i, owner in owners.items():
            one, nodes = placed[i], units[i].nodes if type(units[i]) is Group else units[i].results
            name = owner and (owner[0], self._role[_last(units[i])][1])
            for run, layer, *which in filter(None, map(self._place, nodes)):
                if layer in (gap - 1, gap):
                    cover[layer - gap + 1][run, *which] = name, owner and owner[1] - layer
            if owner is None or owner[1] not in (gap - 1, gap):
                others += [(owner, n) for n in (*one.inputs, *nodes)] if owner is not None else []
                continue
            side = owner[1] - gap + 1
            seen = [[self._seen_from(n, owner[1]) for n in group] for group in (one.inputs, one.outputs, nodes)]
            if any([len(x) == 1 for x in (*seen[1], *seen[2])]):
                raise _Declined  # it does also what belongs to no layer, or to one far away
            same[side].update([x[0] for x in seen[0] if len(x) == 1])
            sides[side][name] = one.kernel, seen
        if sides[0] != sides[1] or cover[0] != cover[1] or same[0] != same[1]:
            raise _Declined
        if any([name is None or abs(layers) > _MAX_LAYERS_BETWEEN for name, layers in cover[0].values()]):
            raise _Declined
        for owner, node in others:
            place = self._place(node)
            if place is None or (place[1] < gap) == (owner[1] < gap) or abs(place[1] - owner[1]) <= _MAX_LAYERS_BETWEEN:
                continue
            if node not in same[0]:
                raise _Declined

    def _moved(self, node: Node, owner: Owner, target: Owner) -> Node:
        """Return the node that is to a run's layer of the whole program what this one is to the owner."""
        place = self._place(node)
        if place is None or owner is None and node in self._input:
            return node
        run, layer, *which = place
        if owner is None or target is None or abs(layer - owner[1]) > _MAX_LAYERS_BETWEEN:
            layer = self.whole.original(layer)
        else:
            layer += target[1] - owner[1]
        if node in self._input:
            v = self.whole.at.get(Place(run, layer, which[0]))
            if v is None:
                raise _Declined
            return self._operand[v]
        key = run, layer, *which
        if key not in self._nodes:
            made = self._nodes[key] = Node(node.kind, node.shape, node.dtype, node.order)
            made.is_packed = node.is_packed
        return self._nodes[key]

    def _output(self, v, graph: Graph) -> View:
        whole = self.whole
        place = None if type(v) is Literal else whole.place.get(v)
        owner = target = None
        if place is not None and place.number >= 0:
            target = place.run, place.layer
            owner = place.run, whole.copied(place.layer)
            v = whole.at[place._replace(layer=whole.original(owner[1]))]
        found = [i for i, w in enumerate(whole.few.jaxpr.outvars) if w is v]
        if len(found) != 1:
            raise _Declined
        view = graph.outputs[found[0]]
        return View(self._moved(view.base, owner, target), view.shape, view.offset, view.strides)

    def _ordered(self, made: list) -> list[int]:
        """Return numbers of steps so that each stands after those whose results it reads."""
        maker: dict[Node, set[int]] = defaultdict(set)
        for k, one in enumerate(made):
            for node in one.outputs:
                maker[node].add(k)
        read = {n for one in made for n in one.inputs} | {v.base for v in self.outputs}
        if any([n not in maker and n.kind not in ("input", "constant", "iota") for n in read]):
            raise _Declined
        done: set[int] = set()
        out: list[int] = []
        for first in range(len(made)):
            stack = [first]
            while stack:
                k = stack[-1]
                missing = [m for n in made[k].inputs for m in maker.get(n, ()) if m not in done and m != k]
                if k in done:
                    stack.pop()
                elif missing and len(stack) <= len(made):
                    stack += missing
                elif missing:
                    raise _Declined  # in a circle
                else:
                    stack.pop()
                    done.add(k)
                    out.append(k)
        return out


def expanded(whole: Repeated, graph: Graph, units: list[Group | Step], placed: dict) -> Expanded | None:
    """Return the steps of a program from those of its program of few layers; None if they do not follow the layers."""
    if any([type(u) is Step and (u.effects or i not in placed and u.kind != "gather") for i, u in enumerate(units)]):
        return None
    try:
        return Expanded(whole, graph, units, placed)
    except _Declined:
        return None


def _last(unit: Group | Step) -> Node | Step:
    return unit.nodes[-1] if type(unit) is Group else unit
