"""A program that stands: its table of steps, run on buffers. What made it, now or before, is in table.py.

Arrays that only native steps touch have places in an arena; those that Python sees (results, operands of host
steps) are NumPy arrays of their own, made just before they are written. A call takes a frame, an arena with its
argument table, from a list of free ones, so that calls in several threads do not meet. A record of a program is all
that is needed to run it again, in this process or another one, which then compiles nothing and imports no compiler.

Tests: `tests/engines/native/program/test_saved_programs.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from math import prod
from typing import Any, Protocol
from weakref import WeakValueDictionary

import numpy as np

from ....core.process.locks import making, tables
from ....core.process.memo import Memo
from ....core.process.records import NamedTuple
from ... import interface
from ...numpy.floating import quiet
from ..graph.views import Node, View, logical, physical
from ..runtime import buffer_pool, driver
from ..runtime.arena import ALIGNMENT
from ..runtime.compile_tiers import Kernels
from ..runtime.machine import Source
from . import call_layout

__all__ = ["CALLS_BEFORE_BETTER_CODE", "Program", "Record", "keep", "kernels_of"]

CALLS_BEFORE_BETTER_CODE = 2  # calls
_MIN_OPERATIONS_TO_WAIT = 3e8  # operations of one call from which better code is worth waiting for
_MAX_RECENT = 128  # modules

_modules: WeakValueDictionary[str, Kernels] = WeakValueDictionary()  # compiled code that is used, by its text
_recent = Memo(_MAX_RECENT)  # modules that are kept for some time, since programs may be traced again; the last last


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


class Record(NamedTuple):
    """An executable without host steps, as what can be kept on disk: texts of code, and numbers for addresses."""

    modules: list[tuple[str, list[str]]]  # texts, and the names in them
    owners: list[str]  # the modules of Python that have what the texts call
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


class _Types(Protocol):
    """The types of a program's operands and results."""

    @property
    def in_avals(self) -> list: ...

    @property
    def out_avals(self) -> list: ...


class Program(interface.Executable):
    """Callable on NumPy buffers -> list of result buffers; made again from its record.

    `whole()` compiles the program, to show its text.
    """

    def __init__(self, types: _Types, record: Record, tier: str, whole: Callable[[], interface.Executable]):
        self._begin(tier)
        self._whole = whole
        for module in record.owners:
            import_module(module)
        self.own, self.operations = record.own, record.operations
        quick, shared = self._is_quick(tier)
        kernels = [kernels_of(text, names, quick, shared) for text, names in record.modules]
        self._kernels = dict.fromkeys(kernels)
        keep(kernels)
        if not quick:
            self.finish()
        argv, in_arena, rows, *rest = record.template
        self._template = (argv, in_arena, [(kernels[i].cells[name], a) for i, name, a in rows], *rest)
        self._inputs, self._initial, self._actions = record.inputs, record.initial, record.actions
        self._slots, self._given = record.slots, record.given
        self._describe(types, record.operands, record.results)

    def _begin(self, tier: str) -> None:
        self._kernels: dict[Kernels, None] = {}
        self._calls = 0 if tier == "auto" else CALLS_BEFORE_BETTER_CODE
        self._frames: list[Frame] = []
        self._template: tuple = ()
        self._inputs: list[int] = []
        self._initial: list = []
        self._actions: list[tuple] = []
        self._slots: dict[Node, int] = {}
        self._given: dict[int, int] = {}
        self.own = self.operations = 0.0  # of a call: of its kernels and loops, and of all native steps

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
        if self._calls == CALLS_BEFORE_BETTER_CODE:
            for kernels in self._kernels:
                kernels.improve()

    def _slot(self, node: Node, value=None) -> int:
        if node not in self._slots:
            self._slots[node] = len(self._initial)
            self._initial.append(value)
        return self._slots[node]

    def _describe(self, types: _Types, operands: list[Node], results: list[View]) -> None:
        """Note how Python's arrays are told from what the table reads and writes."""
        self.arena_size = self._template[3]
        self._calls_python = any([run is not None for run, *_ in self._actions])
        self._outputs = [self._getter(v, a) for v, a in zip(results, types.out_avals)]
        self._operands = list(zip(operands, types.in_avals))
        self._results = list(zip(results, types.out_avals))

    def _getter(self, view: View, aval) -> Callable:
        """Return `values -> array` for what Python reads."""
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

    @property
    def is_native(self) -> bool:
        """Return whether nothing is left to Python."""
        return not self._calls_python

    def as_text(self) -> str | None:
        """Return the table of steps."""
        return self._whole().as_text()

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
        if self._calls < CALLS_BEFORE_BETTER_CODE:
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


def kernels_of(text: str, names: list[str], quick: bool, shared: bool) -> Kernels:
    """Return the compiled functions of a text, which is compiled once while they are in use, or were lately."""
    with making:
        found = _modules.get(text)
        if found is None:
            found = _modules[text] = Kernels(Source(lambda: text), names, quick, shared)
        return found


def keep(used: Iterable[Kernels]) -> None:
    """Let modules stay for some time after the programs that use them."""
    with tables:
        for kernels in used:
            _recent.pop(kernels, None)
            if len(_recent) >= _MAX_RECENT:
                del _recent[next(iter(_recent))]
            _recent[kernels] = None


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
    """Return the elements of a contiguous array that a view names."""
    packed = view.base.is_packed or physical((), aval.dtype)[1] is not aval.dtype
    dtype = view.base.dtype if packed else array.dtype
    n = dtype.itemsize
    memory = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    out = np.ndarray(view.shape, dtype, memory, view.offset * n, [s * n for s in view.strides])
    return logical(out, aval.shape, aval.dtype)
