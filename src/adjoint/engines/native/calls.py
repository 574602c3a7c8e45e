"""The call of a jitted function from Python without Python: a C function written in LLVM's text.

It is put on the class of jitted functions as `__call__`. It takes the arguments apart by a list of nodes,
compares their types by identity, makes the results' arrays, runs the program's table and builds the results. Whatever
it does not know (other types, keywords, a trace or options of the thread, a program with host steps) goes to the slow
path, an ordinary method. Where objects keep their fields is looked up when this module is loaded; in an interpreter
in which they are not where CPython and NumPy have them, nothing is installed.
"""

from __future__ import annotations

import ctypes
import threading
from typing import Any

import numpy as np

from ...array.array import ArrayImpl
from ...core import config
from ...core.trace import state
from ...core.tree import tree_unflatten
from ..numpy import eval_trace
from . import driver
from .call_text import API, CONTEXT, ENTRY, FIELDS, TEXT
from .machine import Library, compile_text

__all__ = ["attach"]

_WORD = ctypes.sizeof(ctypes.c_void_p)
_NEW_ARRAY = 94  # PyArray_NewFromDescr in NumPy's table of functions
_SCALARS = {"f4": 1, "f8": 2, "i4": 3, "i8": 4, "b1": 5}  # how a Python scalar is written into a cell
_FASTCALL = 0x80 | 0x02  # METH_FASTCALL | METH_KEYWORDS
_KEPT = 8  # entries of a function
_LASTING = 20_000  # operations from which other threads may run meanwhile


class _Method(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p),
    ]


def _address(function) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _new_array() -> int:
    """The address of NumPy's function that makes an array."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = pointer(np._core._multiarray_umath._ARRAY_API, None)  # type: ignore[attr-defined]
    return ctypes.c_void_p.from_address(table + _NEW_ARRAY * _WORD).value or 0


def _slot_offset(cls: type, name: str) -> int:
    """Where objects of a class keep what is in a slot: found by trying."""
    probe, mark = object.__new__(cls), object()
    setattr(probe, name, mark)
    words = (ctypes.c_void_p * (cls.__basicsize__ // _WORD)).from_address(id(probe))
    return list(words).index(id(mark)) * _WORD


def _layout_is_known() -> bool:
    """Whether objects have their fields where the text reads them."""
    word = lambda address, i: ctypes.c_size_t.from_address(address + i * _WORD).value
    pair, row, table, number = (Ellipsis, None), [Ellipsis, None], {"a": 1, "b": 2}, 1.5
    array, scalar = np.zeros((2, 3), np.float32), np.float32(1.5)
    at = id(array)
    flags = ctypes.c_int.from_address(at + 8 * _WORD).value
    return (
        _WORD == 8
        and driver.KNOWN
        and all([word(id(x), 1) == id(type(x)) for x in (pair, row, table, array, number)])
        and [word(id(pair), i) for i in (2, 3, 4)] == [2, id(Ellipsis), id(None)]
        and word(id(row), 2) == 2 and word(word(id(row), 3), 1) == id(None)
        and word(id(table), 2) == 2
        and ctypes.c_double.from_address(id(number) + 2 * _WORD).value == 1.5
        and ctypes.c_float.from_address(id(scalar) + 2 * _WORD).value == 1.5
        and word(at, 2) == array.ctypes.data
        and flags == array.flags.num
    )


class _Runtime:
    """The linked code and its context."""

    def __init__(self, cls: type, slow):
        symbols = {name: _address(getattr(ctypes.pythonapi, name)) for name in API}
        self.library: Library = compile_text(TEXT, ["call", "connect"], symbols=symbols)
        self.kept = [slow, "trace", "axis_env", (), tree_unflatten]
        values = dict(
            array_type=id(ArrayImpl), ndarray=id(np.ndarray), dict_type=id(dict), float_type=id(float),
            int_type=id(int), bool_type=id(bool), none=id(None), trace=id(eval_trace), states=0, thread=0, options=0,
            trace_name=id(self.kept[1]), axes_name=id(self.kept[2]), no_axes=id(self.kept[3]),
            epoch=config.epoch.ctypes.data, slow=id(slow), direct_at=_slot_offset(cls, "_direct"),
            buffer_at=_slot_offset(ArrayImpl, "_buffer"), aval_at=_slot_offset(ArrayImpl, "aval"),
            device_at=_slot_offset(ArrayImpl, "_device"), data_at=2 * _WORD, flags_at=8 * _WORD,
            new_array=_new_array(), run=driver.ADDRESS, unflatten=id(tree_unflatten),
        )
        self.context = np.array([values[name] for name in CONTEXT], np.uint64)
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.library.addresses["connect"])(self.context.ctypes.data)
        self.method = _Method(b"__call__", self.library.addresses["call"], _FASTCALL, None)
        make = ctypes.pythonapi.PyDescr_NewMethod
        make.restype, make.argtypes = ctypes.py_object, [ctypes.py_object, ctypes.c_void_p]
        cls.__call__ = make(cls, ctypes.addressof(self.method))

    def adopt_thread(self) -> None:
        """This thread's calls are direct from now on; those of the others are not."""
        if "trace" not in state.__dict__:
            state.trace = state.trace
        self.kept[5:] = [state.__dict__, config.local.__dict__]
        at = CONTEXT.index
        self.context[at("states")], self.context[at("options")] = map(id, self.kept[5:])
        current, number = ctypes.pythonapi.PyThreadState_Get, ctypes.pythonapi.PyThreadState_GetID
        current.restype, number.restype, number.argtypes = ctypes.c_void_p, ctypes.c_uint64, [ctypes.c_void_p]
        self.context[at("thread")] = number(current())


_runtime: _Runtime | None = None
_refused = False
_lock = threading.Lock()


def _installed(cls: type) -> bool:
    """Make the calls of jitted functions direct where they can be, once; whether that is possible."""
    global _runtime, _refused
    if _runtime is None and not _refused:
        with _lock:
            if _runtime is None and not _refused:
                try:
                    _refused = not _layout_is_known()
                    _runtime = None if _refused else _Runtime(cls, cls._call)
                except (AttributeError, ValueError, RuntimeError):
                    _refused = True
    return _runtime is not None


class Direct:
    """An entry: a program, and how its arguments and results are taken apart and built."""

    __slots__ = ("_kept", "_stand_ins", "fields")

    def __init__(self, executable, avals, in_parts, captured, out_tree, out_avals):
        makers, block = executable.only_run()
        inputs = iter(executable.input_slots)
        self._kept: list[Any] = [executable, avals, in_parts, captured, out_tree, out_avals]
        self._stand_ins: list[np.ndarray] = []
        items = np.array([id(x) for x in executable.values()], np.uint64)
        lead, types = len(captured), iter(avals[len(captured) :])
        first = list(zip(range(lead), avals))
        slots = [next(inputs) for _ in range(lead)]
        nodes: list[int] = []
        for part in in_parts:
            self._argument(part, nodes, types, inputs)
        for (_, aval), slot in zip(first, slots):
            nodes += self._leaf(aval, slot)
        result: list[int] = []
        self._result(out_tree, result, iter(zip(executable.output_slots, out_avals)))
        fresh, dims = [], []
        for slot, shape, dtype in makers:
            dims.append(np.array(shape or (0,), np.int64))
            self._kept.append(dtype)
            fresh += [slot, id(dtype), len(shape), dims[-1].ctypes.data]
        made = {slot for slot, *_ in makers}
        held = [s for s in {*executable.input_slots} if s not in made]
        arrays = [
            np.array(x or [0], np.uint64) for x in (nodes, held, fresh, result, [id(c) for c in captured])
        ]
        self._kept += [items, dims, arrays, block]
        values = dict(
            valid=config.epoch[0], arity=len(in_parts), busy=0, nodes=arrays[0].ctypes.data, items=items.ctypes.data,
            held=arrays[1].ctypes.data, held_count=len(held), block=block, fresh=arrays[2].ctypes.data,
            fresh_count=len(makers), result=arrays[3].ctypes.data, lasting=executable.operations >= _LASTING,
            captured=arrays[4].ctypes.data, captured_count=len(captured),
        )
        self.fields = np.array([int(values[name]) for name in ENTRY], np.uint64)

    @property
    def is_busy(self) -> bool:
        return bool(self.fields[FIELDS["busy"]])

    @property
    def is_valid(self) -> bool:
        return self.fields[FIELDS["valid"]] == config.epoch[0]

    def _leaf(self, aval, slot: int) -> list[int]:
        # 1 << 40 references, no type, the address of the data, and a cell for a Python scalar's value
        stand_in = np.array([1 << 40, 0, 0, 0], np.uint64)
        self._stand_ins.append(stand_in)
        dtype = np.dtype(getattr(aval.dtype, "buffer_dtype", aval.dtype))
        code = _SCALARS.get(dtype.str[1:], 0) if aval.shape == () and (aval.weak_type or dtype.kind == "b") else 0
        scalar = id(dtype.type) if aval.shape == () else 0
        return [0, id(aval), slot, scalar, stand_in.ctypes.data, code]

    def _argument(self, tree, nodes: list[int], types, slots) -> None:
        kind, data = tree.node_data() or (None, None)
        if kind is None:
            nodes += self._leaf(next(types), next(slots))
            return
        self._head(kind, data, tree, nodes, trees_only=True)
        for child in tree.children():
            self._argument(child, nodes, types, slots)

    def _result(self, tree, nodes: list[int], leaves) -> None:
        kind, data = tree.node_data() or (None, None)
        if kind is None:
            slot, aval = next(leaves)
            nodes += [0, slot, id(aval)]
        elif self._head(kind, data, tree, nodes, trees_only=False):
            for child in tree.children():
                self._result(child, nodes, leaves)
        else:
            for slot, aval in [next(leaves) for _ in range(tree.num_leaves)]:
                nodes += [0, slot, id(aval)]

    def _head(self, kind, data, tree, nodes: list[int], trees_only: bool) -> bool:
        """The node of a container; whether its children follow, and not its leaves."""
        parts = tree.children()
        self._kept += [kind, data, tree]
        if kind in (tuple, list) or trees_only and issubclass(kind, tuple) and hasattr(kind, "_fields"):
            nodes += [2 if kind is list else 1, len(parts), id(kind)]
        elif kind is dict and all([type(k) in (str, int) for k in data]):
            nodes += [3, len(parts), *map(id, data)]
        elif kind is type(None):
            nodes.append(4)
        elif trees_only:
            raise NotImplementedError(f"{kind} in arguments")
        else:
            nodes += [5, tree.num_leaves, id(tree)]
            return False
        return True


def attach(jitted, entry, in_trees) -> None:
    """Let calls of a jitted function like the one that made an entry go directly to its executable, if they can."""
    if config.local.__dict__ or state.axis_env:  # the entry is for these only
        return
    if not entry.executable.is_direct or not _installed(type(jitted)):
        return
    avals = [v.aval for v in entry.params["jaxpr"].jaxpr.invars]
    if any([type(c) is not ArrayImpl for c in entry.captured]):
        return
    try:
        made = Direct(entry.executable, avals, in_trees, entry.captured, entry.out_tree, entry.out_avals)
    except NotImplementedError:
        return
    assert _runtime is not None
    _runtime.adopt_thread()
    entries = [made, *[e for e in jitted._entries if e.is_busy or e.is_valid]]
    while len(entries) > _KEPT and not entries[-1].is_busy:
        entries.pop()
    jitted._entries = entries
    jitted._direct = np.array([len(entries), *[e.fields.ctypes.data for e in entries]], np.uint64)
