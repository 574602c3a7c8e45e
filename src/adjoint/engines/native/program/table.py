"""A program as a table of steps: native kernels and loops, and between them host steps.

The jaxpr becomes a graph, its groups become kernels, and these one module of code; then each array gets its place. What
is made here runs as a `Program` does (executable.py), of which this adds how it came about.

Tests: `tests/engines/native/test_engine.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from ....core.jaxpr import ClosedJaxpr
from ....core.options.config import local
from ...batched_while import masked_turn
from ...numpy.program import evaluation
from ..functions import gamma_functions as gamma_functions
from ..functions import special_functions as special_functions
from ..graph import bitcast as bitcast  # gives primitives their rules, as do others
from ..graph import indexing as indexing
from ..graph import inverse_functions as inverse_functions
from ..graph.fusion import Group, fuse
from ..graph.graph import LOOPS, Graph, Node, Step
from ..graph.kernel import Placed, kernel_of
from ..graph.view_rules import rules_elsewhere
from ..graph.views import View
from ..kernels.parallel import emit_kernel
from ..routines import cumulative as cumulative
from ..routines import random_bits as random_bits
from ..routines import scatter as scatter
from ..routines import user_reductions as user_reductions
from ..routines import windows as windows
from ..routines.base import Routine, RoutineCall, emit_routine
from ..routines.products import convolution as convolution
from ..routines.products import products as products
from ..routines.sort import bisection as bisection
from ..routines.sort import greatest as greatest
from ..routines.sort import radix as radix
from ..routines.sort import select as select
from ..runtime.arena import assign
from ..runtime.compile_tiers import Kernels, begin_called
from ..text.builder import Module
from .bodies import branches_pay
from .costs import most_operations
from .dynamic import donors, waiting
from .executable import Program, Record, keep, kernels_of
from .loops import NativeLoop, native_loop
from .repeated_layers import Expanded, expanded, repeated
from .table_text import listing, tell_of_loop

__all__ = ["Executable"]

# Compiled code that is used, by structure: the module, which has it under a name.
_kernels: WeakValueDictionary[Any, Kernels] = WeakValueDictionary()
# What gives rules to primitives that few programs have, and is imported by the first one that has one of them.
rules_elsewhere(
    "functions.exponential_integrals", "functions.faddeeva", "functions.gamma_samples", "functions.hypergeometric",
    "functions.normal_functions", "functions.oscillating_integrals", "routines.fft", "routines.linalg.factorizations",
    "routines.products.ragged", "routines.products.sparse",
)
_MIN_ELEMENTS_FOR_KERNELS = 512  # elements made in a turn from which a loop gains by native kernels


class Executable(Program):
    """A program, compiled; a callable on NumPy buffers -> list of result buffers."""

    def __init__(self, closed: ClosedJaxpr, tier: str = "auto", donated: tuple = ()):
        self._begin(tier)
        # The cell of the code and the operands, by unit.
        self.native: dict[int, tuple[int, Placed | NativeLoop | RoutineCall]] = {}
        graph = self._expanded(closed)
        if graph is not None:
            units, placed = graph.units, graph.placed
        else:
            graph = Graph(closed, branches=branches_pay)
            units = fuse(graph)
            placed = _placed(units)
        order = waiting(units, placed, graph, donated)
        self.units = [units[i] for i in order]
        self._compile({k: placed[i] for k, i in enumerate(order) if i in placed}, tier)
        self._build(graph)
        self._given = self._donors(graph, donated)

    # ---- code ------------------------------------------------------------------------------------

    def _expanded(self, closed: ClosedJaxpr) -> Expanded | None:
        """Return the steps of a program that repeats a layer, from those of one with few layers."""
        whole = repeated(closed)
        while whole is not None:
            graph = Graph(whole.few)  # in which nothing has lanes
            units = fuse(graph, whole.ends(graph))
            placed = _placed(units)
            found = expanded(whole, graph, units, placed)
            if found is not None:
                return found
            whole = whole.in_blocks(graph, units)
        return None

    def _compile(self, placed: dict[int, Placed | NativeLoop | RoutineCall], tier: str) -> None:
        """Machine code for all kernels that are not known yet, in one module; loops have modules of their own."""
        module, names, loops = Module(), {}, {}
        structures = {id(made.kernel): made for made in placed.values()}  # steps that were copied share theirs
        known = {number: _kernels.get(made.kernel) for number, made in structures.items()}
        operations = {id(unit): most_operations(unit) for unit in {id(u): u for u in self.units}.values()}
        counted = [(operations[id(self.units[i])], made) for i, made in placed.items()]
        self.operations = sum([n for n, _ in counted])
        # Most operations may be those of the runtime's functions: then it is these that better code is made of.
        self.own = sum([n for n, made in counted if not isinstance(made, RoutineCall)])
        quick, shared = self._is_quick(tier)
        declared = 0
        for number, made in structures.items():
            key = made.kernel
            if known[number] is not None or key in names:
                continue
            if isinstance(made, NativeLoop):
                loops[key] = "loop"
                begin_called(key, shared)
            else:
                names[key] = f"@k{len(names)}"
                if isinstance(key, Routine):
                    emit_routine(module, key, names[key], len(made.inputs) + len(made.outputs))
                else:
                    emit_kernel(module, key, names[key])
                if len(module.declarations) > declared:
                    begin_called("\n".join(sorted(module.declarations)), shared)
                    declared = len(module.declarations)
        new: dict[Any, Kernels] = {}
        for text, name in loops.items():
            new[text] = kernels_of(text, [name], quick, shared)
            new[text].structures[text] = name
        if names:
            made = kernels_of(module.text(), [n[1:] for n in names.values()], quick, shared)
            made.structures.update({key: name[1:] for key, name in names.items()})
            new.update(dict.fromkeys(names, made))
        _kernels.update(new)
        for i, made in placed.items():
            kernels = known[id(made.kernel)] or new[made.kernel]
            self.native[i] = kernels.cells[kernels.structures[made.kernel]], made
            self._kernels[kernels] = None
        keep(self._kernels)
        if not quick:
            self.finish()

    # ---- the table -------------------------------------------------------------------------------

    def _build(self, graph: Graph | Expanded) -> None:
        self._inputs = [self._slot(n) for n in graph.inputs]
        for node in graph.constants:
            self._slot(node, np.ascontiguousarray(node.value) if node.value.ndim else node.value)
        in_python = {v.base for v in graph.outputs}
        for i, unit in enumerate(self.units):
            if type(unit) is Step and i not in self.native and unit.kind != "gather":
                in_python.update([v.base for v in unit.operands])
        argv: list[int] = []
        arena_slots: list[tuple[int, Node]] = []
        patches: list[tuple[int, int, int]] = []
        rows: list[tuple[int, int]] = []
        first: dict[Node, int] = {}
        last: dict[Node, int] = {}
        scratch: list[tuple[int, int, int]] = []  # argument, size, unit
        runs: list[tuple[int, int, int, int]] = []
        fresh: list[Node] = []
        start = (0, 0)

        def flush():
            nonlocal start, fresh
            if len(rows) > start[0]:
                makers = [(self._slot(n), n.shape, n.dtype) for n in fresh]
                self._actions.append((None, makers, len(runs)))
                runs.append((*start, len(rows), len(patches)))
            start, fresh = (len(rows), len(patches)), []

        def argument(node: Node, i: int):
            if node.kind == "constant":
                self._slot(node, np.array(node.value, order="C"))
            if node in in_python or node in self._slots:
                patches.append((len(argv), self._slot(node), 0))
            else:
                arena_slots.append((len(argv), node))
            last[node] = i
            argv.append(0)

        for i, unit in enumerate(self.units):
            if i in self.native:
                address, made = self.native[i]
                rows.append((address, len(argv)))
                for node in made.inputs:
                    argument(node, i)
                for node in made.outputs:
                    if node not in first:
                        first[node] = i
                        if node in in_python:
                            self._slot(node)
                            fresh.append(node)
                    argument(node, i)
                if isinstance(made, NativeLoop) or isinstance(made, RoutineCall) and made.workspace:
                    scratch.append((len(argv), made.workspace, i))
                    argv.append(0)
            elif unit.kind != "gather":
                flush()
                if unit.kind in LOOPS and local.log_compiles:
                    tell_of_loop(unit)
                run = host_step(unit)
                operands = [self._getter(v, x.aval) for v, x in zip(unit.operands, unit.eqn.invars)]
                self._actions.append((run, operands, [self._slot(n) for n in unit.results]))
        flush()
        arena = sorted(dict.fromkeys([n for _, n in arena_slots]), key=lambda n: first[n])
        lives = [(n.size * n.dtype.itemsize, first[n], last[n]) for n in arena] + [(n, i, i) for _, n, i in scratch]
        order = sorted(range(len(lives)), key=lambda k: lives[k][1])
        offsets, size = assign([lives[k] for k in order])
        place = dict(zip(order, offsets))
        at = {n: place[k] for k, n in enumerate(arena)}
        for slot, node in arena_slots:
            argv[slot] = at[node]
        for k, (slot, _, _) in enumerate(scratch):
            argv[slot] = place[len(arena) + k]
        self._template = (
            np.array(argv, np.uint64), np.array([s for s, _ in arena_slots] + [s for s, _, _ in scratch], np.int64),
            rows, size, np.array(patches, np.int64).reshape(-1, 3), runs,
        )
        self._describe(graph, graph.inputs, graph.outputs)

    def _donors(self, graph: Graph | Expanded, donated: tuple) -> dict[int, int]:
        """Return for slots of results that may be where a donated operand was that operand's slot."""
        given = donors(self.units, self.native, graph.inputs, graph.outputs, donated)
        return {self._slots[node]: self._slots[operand] for node, operand in given.items()}

    # ---- records ---------------------------------------------------------------------------------

    def record(self) -> Record | None:
        """Return the record that `Program` makes this one from again; None if it has host steps."""
        if self._calls_python:
            return None
        kernels = list(self._kernels)
        cells = {cell: (i, name) for i, k in enumerate(kernels) for name, cell in k.cells.items()}
        argv, in_arena, rows, *rest = self._template
        known: dict[Node, Node] = {}
        inputs = [_bare(n, known) for n, _ in self._operands]
        results = [View(_bare(v.base, known), v.shape, v.offset, v.strides) for v, _ in self._results]
        owners = sorted(set().union(*[k.owners() for k in kernels]))
        return Record(
            [(k.text, k.names) for k in kernels], owners, (argv, in_arena, [(*cells[f], a) for f, a in rows], *rest),
            self._inputs, self._initial, self._actions, inputs, results,
            {bare: self._slots[n] for n, bare in known.items() if n in self._slots}, self._given, self.own,
            self.operations,
        )

    def as_text(self) -> str:
        """Return the table of steps."""
        return listing(self)


def _bare(node: Node, known: dict[Node, Node]) -> Node:
    """Return a node without what it was made of."""
    if node not in known:
        made = known[node] = Node(node.kind, node.shape, node.dtype, node.order)
        made.value, made.is_packed = node.value, node.is_packed
    return known[node]


def _placed(units: list[Group | Step]) -> dict[int, Placed | NativeLoop | RoutineCall]:
    """Return the structure of the code of each unit that has some, and its arrays."""
    placed: dict[int, Placed | NativeLoop | RoutineCall] = {}
    for i, unit in enumerate(units):
        if type(unit) is Group:
            placed[i] = kernel_of(unit)
        elif unit.kind in ("scan", "while", "cond"):
            made = native_loop(unit)
            if made is not None:
                placed[i] = made
        elif unit.routine is not None:
            placed[i] = RoutineCall(unit.routine, [v.base for v in unit.operands], unit.results, unit.routine.workspace)
    return placed


# ---- host steps ----------------------------------------------------------------------------------


def host_step(step: Step) -> Callable:
    """Return `run(*arrays) -> list of arrays` for a step without code."""
    if step.kind == "while" and _gains(step.eqn.params["body_jaxpr"]):
        return _while(step)
    if step.kind == "scan" and _gains(step.eqn.params["jaxpr"]):
        return _scan(step)
    if step.kind == "cond":
        return _cond(step)
    run = evaluation(step.eqn)
    return run if step.eqn.primitive.multiple_results else lambda *arrays: [run(*arrays)]


def _gains(body: ClosedJaxpr) -> bool:
    """Return whether the turns of a loop do enough for a native program to be worth its calls."""
    return sum([v.aval.size for eqn in body.eqns for v in eqn.outvars]) >= _MIN_ELEMENTS_FOR_KERNELS


def _while(step: Step) -> Callable:
    params = step.eqn.params
    holds, turn = params["cond_jaxpr"], params["body_jaxpr"]
    n, m = params["cond_nconsts"], params["body_nconsts"]
    is_batched = bool(holds.out_avals[0].shape)
    test, body = Executable(holds), Executable(masked_turn(turn, holds, m) if is_batched else turn)

    def run(*arrays):
        first, second, carry = arrays[:n], arrays[n : n + m], list(arrays[n + m :])
        while (going := test(*first, *carry)[0]).any():
            carry = body(going, *second, *carry) if is_batched else body(*second, *carry)
        return carry

    return run


def _scan(step: Step) -> Callable:
    params = step.eqn.params
    closed, length, n = params["jaxpr"], params["length"], params["num_consts"]
    m = params["num_carry"]
    body = Executable(closed)

    def run(*arrays):
        consts, carry, xs = arrays[:n], list(arrays[n : n + m]), arrays[n + m :]
        ys = [np.empty((length, *a.shape), getattr(a.dtype, "buffer_dtype", a.dtype)) for a in closed.out_avals[m:]]
        turns = range(length)
        for i in reversed(turns) if params["reverse"] else turns:
            out = body(*consts, *carry, *[x[i] for x in xs])
            carry = out[:m]
            for y, row in zip(ys, out[m:]):
                y[i] = row
        return [*carry, *ys]

    return run


def _cond(step: Step) -> Callable:
    branches = step.eqn.params["branches"]
    made: list[Executable | None] = [None] * len(branches)

    def run(index, *arrays):
        i = min(max(int(index), 0), len(branches) - 1)
        if made[i] is None:
            made[i] = Executable(branches[i])
        return made[i](*arrays)

    return run
