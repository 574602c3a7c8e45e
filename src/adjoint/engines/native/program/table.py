"""A program as a table of steps: native kernels and loops, and between them host steps.

Arrays that only native steps touch have places in an arena; those that Python sees (results, operands of host
steps) are NumPy arrays of their own, made just before they are written. A call takes a frame, an arena with its
argument table, from a list of free ones, so that calls in several threads do not meet.

Tests: `tests/engines/native/test_engine.py`.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ....core.jaxpr import ClosedJaxpr
from ....core.process.locks import making
from ... import interface
from ...numpy.floating import quiet
from ...numpy.program import evaluation
from ..functions import exponential_integrals as exponential_integrals
from ..functions import faddeeva as faddeeva
from ..functions import gamma_functions as gamma_functions
from ..functions import gamma_samples as gamma_samples
from ..functions import hypergeometric as hypergeometric
from ..functions import normal_functions as normal_functions
from ..functions import oscillating_integrals as oscillating_integrals
from ..functions import special_functions as special_functions
from ..graph import bitcast as bitcast  # gives primitives their rules, as do others
from ..graph import indexing as indexing
from ..graph import inverse_functions as inverse_functions
from ..graph.fusion import Group, fuse
from ..graph.graph import Graph, Node, Step
from ..graph.kernel import Placed, kernel_of
from ..graph.views import View, logical, physical
from ..kernels.parallel import emit_kernel
from ..routines import cumulative as cumulative
from ..routines import fft as fft
from ..routines import random_bits as random_bits
from ..routines import scatter as scatter
from ..routines import user_reductions as user_reductions
from ..routines import windows as windows
from ..routines.base import Routine, RoutineCall, emit_routine
from ..routines.linalg import factorizations as factorizations
from ..routines.products import convolution as convolution
from ..routines.products import products as products
from ..routines.products import ragged as ragged
from ..routines.products import sparse as sparse
from ..routines.sort import bisection as bisection
from ..routines.sort import radix as radix
from ..routines.sort import select as select
from ..runtime import buffer_pool, driver
from ..runtime.arena import ALIGNMENT, assign
from ..runtime.compile_tiers import Kernels
from ..text.builder import Module
from . import call_layout
from .costs import most_operations
from .loops import NativeLoop, native_loop
from .repeated_layers import Expanded, expanded, repeated
from .table_text import listing

__all__ = ["Executable"]

_kernels: dict[Any, tuple[Kernels, str]] = {}  # compiled code by structure: the module, and its name there
_modules: dict[str, Kernels] = {}  # the same by their texts
_MAX_KERNELS = 4096
_MIN_OPERATIONS_TO_WAIT = 3e8  # operations of one call from which better code is worth waiting for
_CALLS_BEFORE_BETTER_CODE = 2  # calls
_MIN_ELEMENTS_FOR_KERNELS = 512  # elements made in a turn from which a loop gains by native kernels


class Frame:
    """The memory of one call at a time: the arena, the argument table, and a block for each run of native steps."""

    __slots__ = ("_kept", "blocks")

    def __init__(self, argv, in_arena, rows, size: int, patches, runs):
        arena = buffer_pool.memory_of(size + ALIGNMENT)
        argv = argv.copy()
        argv[in_arena] += np.uint64(-(-arena.ctypes.data // ALIGNMENT) * ALIGNMENT)
        table = np.array([(f, argv.ctypes.data + 8 * a) for f, a in rows], np.uint64).reshape(-1, 2)
        at = (patches.ctypes.data, argv.ctypes.data, table.ctypes.data)
        made = [
            driver.block(at[0] + 24 * patch, patch_end - patch, at[1], at[2] + 16 * row, row_end - row)
            for row, patch, row_end, patch_end in runs
        ]
        self.blocks = [m.ctypes.data for m in made]
        self._kept = arena, argv, table, patches, made


class Executable(interface.Executable):
    """Callable on NumPy buffers -> list of result buffers."""

    def __init__(self, closed: ClosedJaxpr, tier: str = "auto", donated: tuple = (), record: Record | None = None):
        self._source = weakref.ref(closed.jaxpr), closed.consts, donated
        self._kernels: dict[Kernels, None] = {}
        self._calls = 0 if tier == "auto" else _CALLS_BEFORE_BETTER_CODE
        self._frames: list[Frame] = []
        if record is not None:
            self._restore(closed, record, tier)
            return
        # The cell of the code and the operands, by unit.
        self.native: dict[int, tuple[int, Placed | NativeLoop | RoutineCall]] = {}
        self.operations = 0.0  # of all native steps of a call
        graph = self._expanded(closed)
        if graph is not None:
            units, placed = graph.units, graph.placed
        else:
            graph = Graph(closed)
            units = fuse(graph)
            placed = _placed(units)
        order = call_layout.waiting(units, placed, graph, donated)
        self.units = [units[i] for i in order]
        self._compile({k: placed[i] for k, i in enumerate(order) if i in placed}, tier)
        self._slots: dict[Node, int] = {}
        self._initial: list = []
        self._plan(graph)
        self._given = self._donors(graph, donated)

    # ---- code ------------------------------------------------------------------------------------

    def _expanded(self, closed: ClosedJaxpr) -> Expanded | None:
        """The steps of a program that repeats a layer, from those of one with few layers."""
        whole = repeated(closed)
        if whole is None:
            return None
        graph = Graph(whole.few)
        units = fuse(graph)
        return expanded(whole, graph, units, _placed(units))

    def _compile(self, placed: dict[int, Placed | NativeLoop | RoutineCall], tier: str) -> None:
        """Machine code for all kernels that are not known yet, in one module; loops have modules of their own."""
        module, names, loops = Module(), {}, {}
        structures = {id(made.kernel): made for made in placed.values()}  # steps that were copied share theirs
        known = {number: _kernels.get(made.kernel) for number, made in structures.items()}
        for number, made in structures.items():
            key = made.kernel
            if known[number] is not None or key in names:
                continue
            if isinstance(made, NativeLoop):
                loops[key] = "loop"
            else:
                names[key] = f"@k{len(names)}"
                if isinstance(key, Routine):
                    emit_routine(module, key, names[key], len(made.inputs) + len(made.outputs))
                else:
                    emit_kernel(module, key, names[key])
        operations = {id(unit): most_operations(unit) for unit in {id(u): u for u in self.units}.values()}
        counted = [(operations[id(self.units[i])], made) for i, made in placed.items()]
        self.operations = sum([n for n, _ in counted])
        # Most operations may be those of the runtime's functions: then it is these that better code is made of.
        self.own = sum([n for n, made in counted if not isinstance(made, RoutineCall)])
        quick, shared = self._is_quick(tier)
        new: dict[Any, tuple[Kernels, str]] = {}
        for text, name in loops.items():
            new[text] = _module(text, [name], quick, shared), name
        if names:
            made = _module(module.text(), [n[1:] for n in names.values()], quick, shared)
            new.update({key: (made, name[1:]) for key, name in names.items()})
        _kernels.update(new)
        for i, made in placed.items():
            kernels, name = known[id(made.kernel)] or new[made.kernel]
            self.native[i] = kernels.cells[name], made
            self._kernels[kernels] = None
        if not quick:
            self.finish()
        if len(_kernels) > _MAX_KERNELS:
            _kernels.clear()
            _modules.clear()

    def _is_quick(self, tier: str) -> list[bool]:
        """Return whether the program's own code, and that of the runtime's functions, is first made quickly."""
        return [tier == "quick" or tier == "auto" and n < _MIN_OPERATIONS_TO_WAIT for n in (self.own, self.operations)]

    def finish(self) -> None:
        """Make the code that is to stay, if it is not there."""
        for kernels in self._kernels:
            kernels.finish()

    def _count(self) -> None:
        """Note a call. From the second on, better code is made meanwhile."""
        self._calls += 1
        if self._calls == _CALLS_BEFORE_BETTER_CODE:
            for kernels in self._kernels:
                kernels.improve()

    # ---- the table -------------------------------------------------------------------------------

    def _slot(self, node: Node, value=None) -> int:
        if node not in self._slots:
            self._slots[node] = len(self._initial)
            self._initial.append(value)
        return self._slots[node]

    def _plan(self, graph: Graph | Expanded) -> None:
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
        self._actions: list[tuple] = []
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

    def _describe(self, types: ClosedJaxpr | Graph | Expanded, operands: list[Node], results: list[View]) -> None:
        """Note how Python's arrays are told from what the table reads and writes."""
        self.arena_size = self._template[3]
        self._calls_python = any([run is not None for run, *_ in self._actions])
        self._outputs = [self._getter(v, a) for v, a in zip(results, types.out_avals)]
        self._operands = list(zip(operands, types.in_avals))
        self._results = list(zip(results, types.out_avals))

    def _donors(self, graph: Graph | Expanded, donated: tuple) -> dict[int, int]:
        """Return for slots of results that may lie where a donated operand lay that operand's slot."""
        given = call_layout.donors(self.units, self.native, graph.inputs, graph.outputs, donated)
        return {self._slots[node]: self._slots[operand] for node, operand in given.items()}

    def _getter(self, view: View, aval) -> Callable:
        """`values -> array` for what Python reads."""
        node = view.base
        if node.kind == "iota":
            return _constant(_strided(np.arange(node.size).astype(node.dtype), view, aval))
        if not prod(view.shape):
            if node.kind in ("input", "result") and not node.is_packed and physical((), aval.dtype)[1] is aval.dtype:
                return partial(_emptied, self._slot(node), view.shape)
            return _constant(logical(np.zeros(view.shape, view.base.dtype), aval.shape, aval.dtype))
        if node.kind == "constant" and node not in self._slots:
            return _constant(_strided(node.value, view, aval))
        slot = self._slot(node)
        if not view.is_whole:
            return lambda values: _strided(values[slot], view, aval)
        if physical((), aval.dtype)[1] is not aval.dtype or node.is_packed:
            return partial(_logical, slot, aval)
        return partial(_whole, slot) if view.shape == node.shape else partial(_reshaped, slot, view.shape)

    # ---- records ---------------------------------------------------------------------------------

    def record(self) -> Record | None:
        """Return the record that `Executable` makes this one from again; None if it has host steps."""
        if self._calls_python:
            return None
        kernels = list(self._kernels)
        cells = {cell: (i, name) for i, k in enumerate(kernels) for name, cell in k.cells.items()}
        argv, in_arena, rows, *rest = self._template
        known: dict[Node, Node] = {}
        inputs = [_bare(n, known) for n, _ in self._operands]
        results = [View(_bare(v.base, known), v.shape, v.offset, v.strides) for v, _ in self._results]
        return Record(
            [(k.text, k.names) for k in kernels], (argv, in_arena, [(*cells[f], a) for f, a in rows], *rest),
            self._inputs, self._initial, self._actions, inputs, results,
            {bare: self._slots[n] for n, bare in known.items() if n in self._slots}, self._given, self.own,
            self.operations,
        )

    def _restore(self, closed: ClosedJaxpr, record: Record, tier: str) -> None:
        self.own, self.operations = record.own, record.operations
        quick, shared = self._is_quick(tier)
        kernels = [_module(text, names, quick, shared) for text, names in record.modules]
        self._kernels = dict.fromkeys(kernels)
        if not quick:
            self.finish()
        argv, in_arena, rows, *rest = record.template
        self._template = (argv, in_arena, [(kernels[i].cells[name], a) for i, name, a in rows], *rest)
        self._inputs, self._initial, self._actions = record.inputs, record.initial, record.actions
        self._slots, self._given = record.slots, record.given
        self._describe(closed, record.operands, record.results)

    def __getattr__(self, name: str):
        """`units` and `native` of a program that was made of a record: they are found for who looks at it."""
        if name not in ("units", "native"):
            raise AttributeError(name)
        jaxpr, consts, donated = self._source
        made = Executable(ClosedJaxpr(jaxpr(), consts), "quick", donated)
        self.units, self.native = made.units, made.native
        return getattr(self, name)

    @property
    def is_native(self) -> bool:
        """Return whether nothing is left to Python."""
        return not self._calls_python

    def as_text(self) -> str:
        """The table of steps."""
        return listing(self)

    # ---- calls without Python (prepare.py) ---------------------------------------------------------

    def direct(self) -> call_layout.CallLayout | None:
        """Return what a call needs that is run without Python, with a frame of its own.

        None unless a call is one run of the table, and its results are parts of arrays.
        """
        if self._calls_python or len(self._actions) > 1:
            return None
        values = self._initial.copy()
        made = self._actions[0][1] if self._actions else []
        own = call_layout.own_forms(self._operands, made, self._results, self._slots, values)
        forms = call_layout.forms_of(self._results, own, self._slots, values)
        if forms is None:
            return None
        try:
            frame = self._frames.pop()
        except IndexError:
            frame = Frame(*self._template)
        kept: Any = frame
        if self._actions:
            ((_, makers, number),) = self._actions
            block = frame.blocks[number]
        else:
            makers, kept = [], driver.block(0, 0, 0, 0, 0)
            block = kept.ctypes.data
        fresh = [call_layout.Fresh(slot, *own[slot], self._given.get(slot, -1)) for slot, *_ in makers]
        read = frozenset([form.slot for form in forms])
        return call_layout.CallLayout(self._inputs, fresh, forms, values, read.intersection(self._inputs), block, kept)

    # ---- a call ----------------------------------------------------------------------------------

    def __call__(self, *buffers) -> list:
        if self._calls < _CALLS_BEFORE_BETTER_CODE:
            self._count()
        values = self._initial.copy()
        for i, b in zip(self._inputs, buffers, strict=True):
            if type(b) is not np.ndarray or not b.flags.c_contiguous or not b.flags.aligned:
                b = _aligned(b)
            values[i] = b
        try:
            frame = self._frames.pop()
        except IndexError:
            frame = Frame(*self._template)
        token = quiet.enter() if self._calls_python else None
        try:
            for run, operands, made in self._actions:
                if run is None:
                    for slot, shape, dtype in operands:
                        values[slot] = buffer_pool.empty(shape, dtype)
                    driver.run(values, frame.blocks[made])
                    continue
                for slot, out in zip(made, run(*[get(values) for get in operands])):
                    if type(out) is not np.ndarray or not out.flags.c_contiguous:
                        out = np.array(out, order="C")
                    values[slot] = out
        except MemoryError as error:  # of an operation in Python
            raise buffer_pool.exhausted(error) from None
        finally:
            if token is not None:
                quiet.leave(token)
        self._frames.append(frame)
        return [get(values) for get in self._outputs]


def _aligned(buffer) -> np.ndarray:
    """Return an operand as code reads it; JaxRuntimeError if there is no memory for a copy."""
    try:
        return np.array(buffer, order="C")
    except MemoryError as error:
        raise buffer_pool.exhausted(error) from None


class Record(NamedTuple):
    """An executable without host steps, as what can be kept on disk: texts of code, and numbers for addresses."""

    modules: list[tuple[str, list[str]]]  # texts, and the names in them
    template: tuple  # of frames; rows are (module, name, argument)
    inputs: list[int]
    initial: list
    actions: list[tuple]
    operands: list[Node]
    results: list[View]
    slots: dict[Node, int]
    given: dict[int, int]
    own: float
    operations: float


def _bare(node: Node, known: dict[Node, Node]) -> Node:
    """A node without what it was made of."""
    if node not in known:
        made = known[node] = Node(node.kind, node.shape, node.dtype, node.order)
        made.value, made.is_packed = node.value, node.is_packed
    return known[node]


def _placed(units: list[Group | Step]) -> dict[int, Placed | NativeLoop | RoutineCall]:
    """The structure of the code of each unit that has some, and its arrays."""
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


def _module(text: str, names: list[str], quick: bool, shared: bool) -> Kernels:
    with making:
        if text not in _modules:
            _modules[text] = Kernels(text, names, quick, shared)
        return _modules[text]


def _whole(slot, values):
    return values[slot]


def _reshaped(slot, shape, values):
    return values[slot].reshape(shape)


def _emptied(slot, shape, values):
    return np.empty(shape, values[slot].dtype)


def _constant(array) -> Callable:
    return lambda values: array


def _logical(slot, aval, values):
    return logical(values[slot], aval.shape, aval.dtype)


def _strided(array, view: View, aval):
    """The elements of a contiguous array that a view names."""
    packed = view.base.is_packed or physical((), aval.dtype)[1] is not aval.dtype
    dtype = view.base.dtype if packed else array.dtype
    n = dtype.itemsize
    memory = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    out = np.ndarray(view.shape, dtype, memory, view.offset * n, [s * n for s in view.strides])
    return logical(out, aval.shape, aval.dtype)


# ---- host steps ----------------------------------------------------------------------------------


def host_step(step: Step) -> Callable:
    """`run(*arrays) -> list of arrays` for a step without code."""
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
    if params["cond_jaxpr"].out_avals[0].shape:
        return evaluation(step.eqn)
    test, body = Executable(params["cond_jaxpr"]), Executable(params["body_jaxpr"])
    n, m = params["cond_nconsts"], params["body_nconsts"]

    def run(*arrays):
        first, second, carry = arrays[:n], arrays[n : n + m], list(arrays[n + m :])
        while test(*first, *carry)[0]:
            carry = body(*second, *carry)
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
