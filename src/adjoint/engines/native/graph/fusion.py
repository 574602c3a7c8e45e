"""Groups of nodes that become one kernel: one pass over a domain, with the values between them in registers.

The graph is walked backwards. A node joins a group of its readers if it can be computed where they read it:
its axes are the first axes of the group's domain, in order. Values that vary over fewer axes than the domain
(a row's maximum, a scalar) are computed in the outer loops. A reduction whose result is read in the group
splits the inner loops into phases: reduce over the row, then go over the row again. Two groups that read one
node and have one domain are merged, if neither needs a result of the other.

Whether joining makes a cycle is read off bit sets: `after` of a unit holds all units that need its results; those
whose results it needs itself are found through `before`. A very long program is taken window by window, and groups do
not reach from one into another.

Tests: `tests/engines/native/test_engine.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from math import prod

from ....core.process.memo import memoized
from ..functions.elementwise import cost
from .graph import Graph, Node, Step
from .views import Source, View, contiguous

__all__ = ["Group", "fuse"]

_MIN_INNER_ELEMENTS = 8  # inner elements for which a scalar in the outer loop pays
_ELEMENTS_PER_SCALAR_OPERATION = 8  # elements of a row that are worth a scalar operation on what it is reduced to
_MAX_CHEAP_OPERATIONS = 4  # operations that may be scalar in any case
_MAX_GROUP_OPERATIONS = 500  # operations of a group: LLVM takes more than twice as long for twice as many
_MIN_ELEMENTS_TO_READ_ONCE = 4096  # elements of an array that is worth reading once
_MAX_PARTS_AT_ONCE = 8  # parts of an array that are written in one pass
_MAX_SIBLINGS = 4  # readers of an array that are tried
_WINDOW_ITEMS = 10_000  # items of a program that are looked at together, so that the bit sets stay short


def domain_of(node: Node) -> tuple[int, ...]:
    """Return the lengths of the loops that make a node, without those of one turn."""
    shape = node.operands[0].shape if node.kind == "reduce" else node.shape
    return tuple([d for d in shape if d != 1])


def wide_axes(view: View) -> list[tuple[int, int]]:
    """Return (length, stride) of the axes of more than one element."""
    return [(d, s) for d, s in zip(view.shape, view.strides) if d != 1]


def prefix(view: View) -> int | None:
    """n if the view repeats its whole base along all axes after the first n; None if it does anything else."""
    if type(view) is Source or view.offset:
        return None
    whole, axes = _whole_axes(view.base.shape), wide_axes(view)
    n = len(whole)
    if axes == whole:
        return n
    return None if axes[:n] != whole or any([s for _, s in axes[n:]]) else n


@memoized(4096)
def _whole_axes(shape) -> list[tuple[int, int]]:
    return [(d, s) for d, s in zip(shape, contiguous(shape)) if d != 1]


class Unit:
    """A step, or a group of nodes."""

    __slots__ = ("after", "before", "bit", "merged_into", "number", "window")

    def __init__(self, number: int):
        self.number = number
        self.bit = 1 << number
        self.after = 0
        self.before: set[Unit] = set()  # those that it reads from, directly
        self.merged_into: Unit | None = None
        self.window: list | None = None  # the units with which it was made

    @property
    def alive(self) -> Unit:
        """Return the unit that it is a part of now."""
        unit = self
        while unit.merged_into is not None:
            unit = unit.merged_into
        return unit


class StepUnit(Unit):
    __slots__ = ("step",)

    def __init__(self, number, step: Step):
        super().__init__(number)
        self.step = step


class Group(Unit):
    """`depth` of a node: how many axes of the domain its value varies over; `reduced`: axes of reductions.

    `depths`: how many nodes that are no reductions there are of each depth.
    """

    __slots__ = ("consumed", "depth", "depths", "domain", "nodes", "outputs", "reduced", "weight")

    def __init__(self, number: int, domain):
        super().__init__(number)
        self.weight = 0  # operations
        self.domain: tuple[int, ...] = domain
        self.nodes: list[Node] = []
        self.depth: dict[Node, int] = {}
        self.depths: Counter[int] = Counter()
        self.reduced: dict[Node, frozenset[int]] = {}
        self.consumed: set[Node] = set()  # reductions that are read in the group
        self.outputs: list[Node] = []

    def add(self, node: Node) -> None:
        self.nodes.append(node)
        self.weight += cost(node.op)
        self.depth[node] = len([d for d in node.shape if d != 1])
        if node.kind == "reduce":
            shape = node.operands[0].shape
            wide = [i for i, d in enumerate(shape) if d != 1]
            self.reduced[node] = frozenset([wide.index(a) for a in node.axes])
        else:
            self.depths[self.depth[node]] += 1

    def inner(self) -> int | None:
        """Return how many trailing axes the row reductions run over; None if there is no such number."""
        rank = len(self.domain)
        return inner_axes(rank, self.reduced, self.consumed, deepest(self.depths, rank))


def deepest(depths: Counter, rank: int) -> int:
    """Return the greatest depth of a value of outer loops."""
    return max([d for d, n in depths.items() if n and d < rank], default=0)


def inner_axes(rank, reduced, consumed, outer) -> int | None:
    """Return the number of trailing axes that are loops of a row, given reductions, and axes of outer values."""
    fits = lambda n: all(
        axes >= frozenset(range(rank - n, rank)) or axes.isdisjoint(range(rank - n, rank)) for axes in reduced.values()
    )
    if consumed:
        (first, *others) = {reduced[n] for n in consumed}
        n = len(first)
        trailing = first == frozenset(range(rank - n, rank))
        return n if trailing and not others and outer <= rank - n and fits(n) else None
    candidates = range(rank - outer, 0, -1)
    if not any(rank - 1 in axes for axes in reduced.values()):
        return min(1, rank - outer) if rank else 0
    return next((n for n in candidates if fits(n)), None)


class _Fuser:
    def __init__(self, graph: Graph, ends: Collection[Node | Step]):
        self.units: list[Unit] = []  # of this window
        self.windows = [self.units]
        self.unit_of: dict[Node | Step, Unit] = {}
        self.readers: dict[Node, list[tuple[Node | Step, View]]] = {}
        self.graph = graph
        live = self._live()
        last_effect: Unit | None = None
        seen = 0
        ended = False
        for item in reversed(graph.items):
            ended = ended or item in ends
            if item not in live:
                continue
            if len(self.units) >= _WINDOW_ITEMS or seen >= _WINDOW_ITEMS or ended:
                self.units, seen, ended = [], 0, False
                self.windows.append(self.units)
                last_effect = None
            seen += 1
            if type(item) is Step:
                unit = StepUnit(len(self.units), item)
                if item.effects:
                    if last_effect is not None:
                        self._follow(unit, [last_effect])
                    last_effect = unit
                self._append(unit)
                self.unit_of[item] = unit
                for node in item.results:
                    self._follow(unit, self._units_of(node))
            else:
                self._place(item)
            for view in item.operands:
                if view.base.kind != "constant" or view.base.size != 1:
                    self.readers.setdefault(view.base, []).append((item, view))

    def _append(self, unit: Unit) -> None:
        unit.window = self.units
        self.units.append(unit)

    def _live(self) -> set:
        needed = [v.base for v in self.graph.outputs]
        needed += [i for i in self.graph.items if type(i) is Step and i.effects]
        live: set = set()
        while needed:
            item = needed.pop()
            if item in live:
                continue
            live.add(item)
            if type(item) is Node and item.step is not None:
                needed.append(item.step)
            needed += [v.base for v in item.operands]
        return live

    def _units_of(self, node: Node) -> list[Unit]:
        """Return the units of this window that read a node; those of other windows come after all of them."""
        found = {self.unit_of[reader]: None for reader, _ in self.readers.get(node, ())}
        return [u for u in found if u.window is self.units]

    def _follow(self, unit: Unit, later) -> None:
        """Note that `later` need results of `unit`."""
        after = unit.after
        for u in later:
            if u is not unit:
                after |= u.bit | u.after
                u.before.add(unit)
        if after != unit.after:
            unit.after = after
            self._pass_on(unit)

    def _pass_on(self, unit: Unit) -> None:
        """Let all units before this one know what comes after it."""
        changed = [unit]
        while changed:
            u = changed.pop()
            after = u.after | u.bit
            for p in u.before:
                p = p.alive
                if p is not u and p.after | after != p.after:
                    p.after |= after
                    changed.append(p)

    def _place(self, node: Node) -> None:
        units = self._units_of(node)
        group = None
        if node.kind != "part":
            for candidate in units:
                if type(candidate) is Group and not any(
                    [u.after & candidate.bit for u in units if u is not candidate]
                ):
                    if self._join(node, candidate):
                        group = candidate
                        break
        if group is None:
            group = Group(len(self.units), domain_of(node))
            self._append(group)
            group.add(node)
        self.unit_of[node] = group
        self._follow(group, units)
        for other in units:
            if other is not group and type(other) is Group:
                self._merge(group, other)
        if node.kind == "part":
            self._join_other_part(node)
        self._join_siblings(node)

    def _join_other_part(self, node: Node) -> None:
        """Write the interleaved parts of an array in one pass."""
        parts = [v.base for v in node.into.base.step.operands]
        at, axes = parts.index(node) + 1, wide_axes(node.into)
        if at == len(parts) or len(parts) > _MAX_PARTS_AT_ONCE or axes and axes[-1][1] == 1:
            return
        group, other = self.unit_of[node], self.unit_of.get(parts[at])
        if type(other) is Group and other is not group and other.window is self.units:
            if parts[at].shape == node.shape and not (group.after & other.bit or other.after & group.bit):
                self._merge(group, other)

    def _uses(self, node: Node, group: Group):
        return [view for reader, view in self.readers[node] if self.unit_of[reader] is group]

    def _join(self, node: Node, group: Group) -> bool:
        if group.weight >= _MAX_GROUP_OPERATIONS or any([prefix(v) is None for v in self._uses(node, group)]):
            return False
        depth, rank = len([d for d in node.shape if d != 1]), len(group.domain)
        if node.kind != "reduce":
            if depth == rank:
                group.add(node)
                return True
            if prod(group.domain[depth:]) < _MIN_INNER_ELEMENTS and cost(node.op) > _MAX_CHEAP_OPERATIONS:
                return False
            group.add(node)
            if group.inner() is not None:
                return True
            self._remove(node, group)
            return False
        domain = domain_of(node)
        extended = len(domain) > rank
        if extended:
            if domain[:rank] != group.domain or depth != rank or group.reduced or node.kind == "part":
                return False
            is_cheap = all([cost(n.op) <= _MAX_CHEAP_OPERATIONS for n in group.nodes])
            few = max(_MIN_INNER_ELEMENTS, _ELEMENTS_PER_SCALAR_OPERATION * group.weight if rank else 0)
            if prod(domain[rank:]) < few and not is_cheap:  # what is done with the sums of rows takes a vector of them
                return False
            if any([n.kind == "part" for n in group.nodes]) and rank:
                return False
        elif domain != group.domain:
            return False
        old, group.domain = group.domain, domain
        group.add(node)
        group.consumed.add(node)
        if group.inner() is not None:
            return True
        group.domain = old
        self._remove(node, group)
        return False

    def _remove(self, node, group):
        group.nodes.remove(node)
        group.weight -= cost(node.op)
        depth = group.depth.pop(node)
        if group.reduced.pop(node, None) is None:
            group.depths[depth] -= 1
        group.consumed.discard(node)

    def _join_siblings(self, node: Node) -> None:
        """Merge the group of a node with another one that goes over the same large array, so that it is read once."""
        for view in node.operands:
            if view.base.size < _MIN_ELEMENTS_TO_READ_ONCE:
                continue
            group = self.unit_of[node]
            for reader, _ in self.readers.get(view.base, ())[-_MAX_SIBLINGS:]:
                other = self.unit_of[reader]
                if other is group or type(other) is not Group or other.window is not self.units:
                    continue
                if not (group.after & other.bit or other.after & group.bit):
                    self._merge(group, other)

    def _merge(self, group: Group, other: Group) -> None:
        """Put `other`, which does not come before `group`, into it."""
        if group.domain != other.domain or group.weight + other.weight > _MAX_GROUP_OPERATIONS:
            return
        if any([(u := p.alive) is not group and u.bit & group.after for p in other.before]):
            return  # it stands between them
        for n in group.nodes:
            if any([prefix(v) is None for v in self._uses(n, other)] if n in self.readers else []):
                return
        consumed = {n for n in group.reduced if n in self.readers and self._uses(n, other)}
        rank = len(group.domain)
        reduced = {**group.reduced, **other.reduced}
        depths = group.depths + other.depths
        if inner_axes(rank, reduced, consumed | group.consumed | other.consumed, deepest(depths, rank)) is None:
            return
        group.nodes += other.nodes
        group.weight += other.weight
        group.depth.update(other.depth)
        group.depths, group.reduced = depths, reduced
        group.consumed |= other.consumed | consumed
        for n in other.nodes:
            self.unit_of[n] = group
        group.after = (group.after | other.after) & ~other.bit & ~group.bit
        group.before |= other.before
        self.units[other.number] = None
        other.merged_into = group
        self._pass_on(group)

    def ordered(self) -> list[Group | Step]:
        """Return the units so that each stands after those that it needs, otherwise in the program's order."""
        outputs = {v.base for v in self.graph.outputs}
        needs: dict[Unit, dict[Unit, None]] = {}  # in an order that is the same in every process
        units = [u for window in self.windows for u in window if u is not None]
        last_effect = None
        for u in units:
            if type(u) is Group:
                u.nodes.sort(key=lambda n: n.order)
                u.outputs = [
                    n for n in u.nodes
                    if n in outputs or any([self.unit_of[r] is not u for r, _ in self.readers.get(n, ())])
                ]
                items = u.nodes
            else:
                items = [u.step]
            needs[u] = {
                unit: None for item in items for view in item.operands
                if (made := view.base.step or view.base) in self.unit_of and (unit := self.unit_of[made]) is not u
            }
            if type(u) is StepUnit and u.step.effects:  # the units stand in reverse
                if last_effect is not None:
                    needs[last_effect][u] = None
                last_effect = u
        if self.graph.in_loop:
            self._updates_last(units, needs)
        done: set[Unit] = set()
        out: list[Group | Step] = []
        for first in reversed(units):
            stack = [first]
            while stack:
                u = stack[-1]
                missing = [v for v in needs[u] if v not in done]
                if u in done:
                    stack.pop()
                elif missing:
                    stack += missing
                else:
                    stack.pop()
                    done.add(u)
                    out.append(u if type(u) is Group else u.step)
        return out


    def _updates_last(self, units: list[Unit], needs: dict[Unit, dict[Unit, None]]) -> None:
        """Let an array be read before it is updated, where that is possible: then it is updated where it is."""
        for u in units:
            if type(u) is not StepUnit or not u.step.is_update:
                continue
            array = u.step.operands[0].base
            readers = {self.unit_of[r]: None for r, _ in self.readers.get(array, ())}
            if len([r for r in readers if type(r) is StepUnit and r.step.is_update]) > 1:
                continue
            for reader in readers:
                if reader is not u and reader.window is u.window and not u.after & reader.bit:
                    needs[u][reader] = None
                    self.units = u.window
                    self._follow(reader, [u])


def fuse(graph: Graph, ends: Collection[Node | Step] = ()) -> list[Group | Step]:
    """Return the groups and steps of a graph in an order in which they can run; no group goes over one of the ends."""
    return _Fuser(graph, ends).ordered()
