"""The call of a jitted function from Python without Python: a C function written in LLVM's text.

It is put on the class of jitted functions as `__call__`. It takes the arguments apart by a list of nodes, compares
their types by identity, and builds the results by another list. Between the two it makes the results' arrays and
runs the program's table; of an executable that needs Python (another engine's, or one with host steps) it calls the
function that takes arrays. Whatever it does not know (other types, a trace or options of the thread) goes to the slow
path, an ordinary method. Where objects keep their fields is looked up when this module is loaded; in an interpreter
in which they are not where CPython and NumPy have them, nothing is installed.

Tests: `tests/engines/native/call/test_calls.py`.
"""

from __future__ import annotations

import ctypes
from functools import cache
from itertools import chain
from math import prod
from typing import Any
from weakref import ref

import numpy as np

from ....array.array import ArrayImpl, Donation, Pending
from ....core.dtypes import float0
from ....core.messages.frames import user_code
from ....core.options import config
from ....core.process.locks import making
from ....core.trace import state
from ....core.tree.code import is_whole
from ....core.tree.tree import tree_flatten, tree_unflatten
from ...called import DirectlyCallable, FastPath
from ...numpy import eval_trace
from ..runtime import buffer_pool, driver, threads
from ..runtime.compile_tiers import later
from ..runtime.machine import FINAL, QUICK, Library, Source, compile_source, is_stored
from .call_text import API, CONTEXT, ENTRY, FIELDS, FRESH_WORDS, LEAF, TEXT, THREADS
from .classes import fields_assigned, version_of

__all__ = ["attach"]

_SOURCE = Source(lambda: TEXT)
_WORD = ctypes.sizeof(ctypes.c_void_p)
_ITEMS = 3 * _WORD  # where a list says where its items are
# Places in NumPy's table of functions.
_NEW_ARRAY, _FROM_ARRAY, _SET_BASE = 94, 109, 282
_TYPE_NEW = 65  # the number of a type's `tp_new` in CPython's stable interface
# How a Python scalar is written into a cell.
_SCALARS = {"f4": 1, "f8": 2, "i4": 3, "i8": 4, "b1": 5, "c8": 6, "c16": 7}
_WIDE = {"f4": "f8", "i4": "i8", "u4": "u8", "c8": "c16"}  # what becomes this without 64-bit types
_ORDERED, _CAST, _COPY = 0x101, 0x10, 0x20  # what NumPy is asked for: row-major and aligned, any cast, a copy
_FASTCALL = 0x80 | 0x02  # METH_FASTCALL | METH_KEYWORDS
_MAX_ENTRIES = 32  # entries of a function
_COPIES = 8  # entries of a program, for calls at the same time
_MAX_SPARE_BYTES = 512  # of an array that an entry keeps, to be a result again
_MIN_OPERATIONS_WITHOUT_GIL = 20_000  # from which other threads may run meanwhile


class _Method(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p),
    ]


def _address(function) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _numpy_functions() -> list[int]:
    """Return the addresses of NumPy's functions that make an array, convert one, and say which object owns its memory.
    """
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = pointer(np._core._multiarray_umath._ARRAY_API, None)  # type: ignore[attr-defined]
    return [ctypes.c_void_p.from_address(table + i * _WORD).value or 0 for i in (_NEW_ARRAY, _FROM_ARRAY, _SET_BASE)]


def _new_object() -> int:
    """Return the address of `object.__new__` in C: what it makes has a place for its attributes, without a dict."""
    slot = ctypes.pythonapi.PyType_GetSlot
    slot.restype, slot.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_int]
    return slot(object, _TYPE_NEW)


def _slot_offset(cls: type, name: str) -> int:
    """Return where objects of a class keep what is in a slot: found by trying."""
    probe, mark = object.__new__(cls), object()
    setattr(probe, name, mark)
    words = (ctypes.c_void_p * (cls.__basicsize__ // _WORD)).from_address(id(probe))
    return list(words).index(id(mark)) * _WORD


def _layout_is_known() -> bool:
    """Return whether objects have their fields where the text reads them."""
    word = lambda address, i: ctypes.c_size_t.from_address(address + i * _WORD).value
    pair, row, table, number, z = (Ellipsis, None), [Ellipsis, None], {"a": 1, "b": 2}, 1.5, 1.5 + 2.5j
    array = np.zeros((2, 3), np.float32)
    count = lambda x: word(id(x), 0) & 0xFFFFFFFF  # later versions of CPython have flags beside it
    before = count(array)
    part = array[1:]
    at = id(array)
    flags = ctypes.c_int.from_address(at + 8 * _WORD).value
    doubles = [ctypes.c_double.from_address(id(x) + i * _WORD).value for x, i in ((number, 2), (z, 2), (z, 3))]
    return (
        _WORD == 8
        and driver.KNOWN
        and all([word(id(x), 1) == id(type(x)) for x in (pair, row, table, array, number, z)])
        and count(array) == before + 1
        and [word(id(pair), i) for i in (2, 3, 4)] == [2, id(Ellipsis), id(None)]
        and word(id(row), 2) == 2 and word(word(id(row), 3), 1) == id(None)
        and word(id(table), 2) == 2
        and doubles == [1.5, 1.5, 2.5]
        and word(at, 2) == array.ctypes.data and word(at, 3) & 0xFFFFFFFF == 2
        and [word(word(at, 4), i) for i in (0, 1)] == [2, 3]
        and word(id(part), 6) == at and word(at, 6) == 0 and word(at, 7) == id(array.dtype)
        and flags == array.flags.num
    )


@cache
def _keeps_value(dtype: np.dtype) -> bool:
    """Return whether NumPy's scalars of a dtype have their value where the text reads it."""
    value = np.ones((), dtype)
    scalar = value[()]
    if type(scalar) is not dtype.type or dtype.itemsize > 2 * _WORD or dtype.names is not None:
        return False
    return ctypes.string_at(id(scalar) + 2 * _WORD, dtype.itemsize) == value.tobytes()


def _leaves_of(tree, treedef) -> list | None:
    """Return the leaves of a tree, if it has this structure."""
    leaves, found = tree_flatten(tree)
    return leaves if found == treedef else None


class _Runtime:
    """The linked code and its context."""

    def __init__(self, cls: type, slow):
        self.kept = [slow, "trace", "axis_env", (), tree_unflatten, _leaves_of, buffer_pool.empty]
        self.threads = np.zeros((THREADS, 3), np.uint64)
        self.attributes: list[Any] = [None] * THREADS  # keeps what the table speaks of
        new_array, from_array, set_base = _numpy_functions()
        values = dict(
            array_type=id(ArrayImpl), pending_type=id(Pending), ndarray=id(np.ndarray), lent_type=id(buffer_pool.Lent),
            dict_type=id(dict), float_type=id(float), int_type=id(int), bool_type=id(bool), complex_type=id(complex),
            none=id(None), trace=id(eval_trace), trace_name=id(self.kept[1]), axes_name=id(self.kept[2]),
            no_axes=id(self.kept[3]), threads=self.threads.ctypes.data, epoch=config.epoch.ctypes.data, slow=id(slow),
            trial_type=id(FastPath),
            direct_at=_slot_offset(cls, "_direct"), buffer_at=_slot_offset(ArrayImpl, "_buffer"),
            aval_at=_slot_offset(ArrayImpl, "aval"), device_at=_slot_offset(ArrayImpl, "_device"),
            data_at=2 * _WORD, flags_at=8 * _WORD, new_array=new_array, from_array=from_array, set_base=set_base,
            new_object=_new_object(), **driver.addresses(), flatten=id(_leaves_of),
            unflatten=id(tree_unflatten), empty=id(buffer_pool.empty),
        )
        self.context = np.array([values[name] for name in CONTEXT], np.uint64)
        is_final = is_stored(_SOURCE, FINAL)
        self.libraries = [self.linked(FINAL if is_final else QUICK)]
        self.method = _Method(b"__call__", self.libraries[0].addresses["call"], _FASTCALL, None)
        if not (is_final and driver.is_final()):
            later(threads.prepare)
            later(self.improve)
        make = ctypes.pythonapi.PyDescr_NewMethod
        make.restype, make.argtypes = ctypes.py_object, [ctypes.py_object, ctypes.c_void_p]
        cls.__call__ = FastPath.__call__ = make(DirectlyCallable, ctypes.addressof(self.method))

    def linked(self, level: int, apart: bool = False) -> Library:
        """Return the code, which knows its context."""
        symbols = {name: _address(getattr(ctypes.pythonapi, name)) for name in API}
        library = compile_source(_SOURCE, ["call", "connect"], level, symbols, apart)
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(library.addresses["connect"])(self.context.ctypes.data)
        return library

    def improve(self) -> None:
        """Put better code in place of the first, which may be running and stays."""
        driver.improve()
        for name, address in driver.addresses().items():
            self.context[CONTEXT.index(name)] = address
        self.libraries.append(self.linked(FINAL, apart=True))
        self.method.function = self.libraries[1].addresses["call"]

    def adopt_thread(self) -> None:
        """This thread's calls are direct from now on."""
        state.calls_directly, state.trace = True, state.trace
        current, number = ctypes.pythonapi.PyThreadState_Get, ctypes.pythonapi.PyThreadState_GetID
        current.restype, number.restype, number.argtypes = ctypes.c_void_p, ctypes.c_uint64, [ctypes.c_void_p]
        thread = number(current())
        kept = (state.__dict__, config.local.__dict__)
        row = self.threads[thread % THREADS]
        row[0] = 0  # marked as unused, until the others are written
        row[1:] = [id(x) for x in kept]
        row[0] = thread
        self.attributes[thread % THREADS] = kept


_runtime: _Runtime | None = None
_refused = False


def _installed(cls: type) -> bool:
    """Make the calls of jitted functions direct where they can be, once; whether that is possible."""
    global _runtime, _refused
    if _runtime is None and not _refused:
        with making:
            if _runtime is None and not _refused:
                try:
                    _refused = not _layout_is_known()
                    _runtime = None if _refused else _Runtime(cls, cls._call)
                except (AttributeError, ValueError, RuntimeError):
                    _refused = True
    return _runtime is not None


# ---- entries -------------------------------------------------------------------------------------


class Prepared:
    """An entry of a jitted function's table: a program, and how its arguments and results are taken apart and built.

    Args:
      entry: the traced program; it has the executable, `captured` arrays, and positions of the `donated` leaves.
      parts: for each argument its treedef, or None and the value of a static one; first those without a name.
      names: of the others, in any order.
    If the executable has no table that can be run, `entry.run` is called with arrays.
    """

    __slots__ = (
        "__weakref__", "_cells", "_donated", "_kept", "_shapes", "_types", "aliased", "fields", "is_kept", "lead",
    )

    def __init__(self, entry, parts, names):
        executable, captured = entry.executable, entry.captured
        avals = [v.aval for v in entry.params["jaxpr"].jaxpr.invars]
        self.lead, self.is_kept = len(captured), True
        self._kept: list[Any] = [executable, avals, parts, names, captured, entry.out_tree, entry.out_avals]
        # For each leaf a cell for a scalar's value: 1 << 40 references, no type, the address of the data, the data.
        self._cells = np.tile(np.array([1 << 40, 0, 0, 0, 0], np.uint64), (len(avals), 1))
        self._cells[:, 2] = self._cells.ctypes.data + _WORD * (3 + 5 * np.arange(len(avals)))
        self._types: dict[Any, list[int]] = {}
        self._shapes: dict[tuple[int, ...], int] = {}
        is_of_arrays = all([a.dtype is not float0 for a in entry.out_avals])
        layout = executable.direct() if is_of_arrays else None
        self.aliased = layout.aliased if layout else ()
        self._donated = {i + self.lead: k for k, i in enumerate(entry.donated, 1)} if layout else {}
        slots = layout.inputs if layout else range(len(avals))
        leaves = iter(list(enumerate(zip(avals, slots))))
        nodes: list[int] = []
        for _ in captured:
            nodes += self._leaf(*next(leaves))
        starts: dict[Any, int] = {}
        positional = len(parts) - len(names)
        order = [*range(positional), *sorted(names)]
        given = dict(zip(chain(range(positional), names), parts))
        for where in order:
            starts[where] = len(nodes)
            tree, value = given[where]
            if tree is None:
                self._kept.append(value)
                nodes += [6, id(value)]
            else:
                self._argument(tree, nodes, leaves)
        result: list[int] = []
        forms = layout.forms if layout else range(len(entry.out_avals))
        self._result(entry.out_tree, result, iter(zip(forms, entry.out_avals)))
        fresh = self._fresh(layout.fresh) if layout else []
        held = dict.fromkeys([*slots, *fresh[::FRESH_WORDS]])
        items = [0 if i in held else id(v) for i, v in enumerate(layout.values)] if layout else [0] * len(avals)
        base = self._words(nodes)
        places = [base + _WORD * starts[where] for where in chain(range(positional), names)]
        values = dict(
            valid=config.epoch[0], arity=positional, named=len(names), names=self._words(map(id, names)),
            parts=self._words(places), statics=any([tree is None for tree, _ in parts]), busy=0,
            items=self._words(items), held=self._words(held), held_count=len(held), nodes=base,
            captured=self._words(map(id, captured)), captured_count=len(captured),
            function=0, count=len(avals), outs=0, block=layout.block if layout else 0,
            lasting=bool(layout) and executable.operations >= _MIN_OPERATIONS_WITHOUT_GIL, fresh=self._words(fresh),
            fresh_count=len(fresh) // FRESH_WORDS, result=self._words(result),
            givers=self._words([0] * (len(self._donated) + 1)),
            donated=len(self._donated), donations=0, code=0, instruction=0, renew=0,
        )
        if not layout:
            self._kept.append(run := entry.run)
            values["function"] = id(run)
        self._kept.append(layout)
        if self._donated:
            donations = self._array([0] * (len(self._donated) + 1))
            renew = _Renewal(entry, donations)
            self._kept.append(renew)
            values.update(donations=donations.ctypes.data, renew=id(renew))
        self.fields = np.array([int(values[name]) for name in ENTRY], np.uint64)
        if self._donated:
            renew.fields = self.fields

    @property
    def is_busy(self) -> bool:
        return bool(self.fields[FIELDS["busy"]])

    @property
    def is_valid(self) -> bool:
        return self.fields[FIELDS["valid"]] == config.epoch[0]

    @property
    def is_free(self) -> bool:
        """Return whether a call could take it."""
        return self.is_kept and self.is_valid and not self.is_busy

    def _array(self, words) -> np.ndarray:
        array = np.array([*words] or [0], np.int64).view(np.uint64)
        self._kept.append(array)
        return array

    def _words(self, words) -> int:
        return self._array(words).ctypes.data

    def _shape(self, shape: tuple[int, ...]) -> int:
        """Return the address of a shape."""
        if shape not in self._shapes:
            self._shapes[shape] = self._words(shape)
        return self._shapes[shape]

    def _fresh(self, rows) -> list[int]:
        """Return how the results' arrays are made."""
        words: list[int] = []
        for row in rows:
            size = prod(row.shape) * row.dtype.itemsize
            spares = [None, None]
            self._kept += [row.dtype, row.shape, spares]
            words += [
                row.slot, id(row.dtype), len(row.shape), self._shape(row.shape), row.donor,
                id(row.shape) if size >= buffer_pool.MIN_LENT_BYTES else 0,
                ctypes.c_size_t.from_address(id(spares) + _ITEMS).value if size <= _MAX_SPARE_BYTES else 0,
            ]
        return words

    def _leaf(self, number: int, what) -> list[int]:
        aval, slot = what
        node = self._types.get(aval)
        if node is None:
            node = self._types[aval] = self._type(aval)
        node = node.copy()
        node[FIELDS["leaf_slot"]] = slot
        node[FIELDS["leaf_cell"]] = self._cells.ctypes.data + 5 * _WORD * number
        node[FIELDS["leaf_flags"]] |= _COPY if slot in self.aliased else 0
        node[FIELDS["leaf_giver"]] = self._donated.get(number, 0)
        return node

    def _type(self, aval) -> list[int]:
        """Return the node of a leaf, as far as its type decides it."""
        dtype = np.dtype(getattr(aval.dtype, "buffer_dtype", aval.dtype))
        is_number = dtype == aval.dtype
        is_strong = is_number and not aval.weak_type
        is_scalar = aval.shape == () and is_number and _keeps_value(dtype)
        is_python = is_scalar and (aval.weak_type or dtype.kind == "b")
        name = None if config.local.enable_x64 else _WIDE.get(dtype.str[1:])
        wide = np.dtype(name) if name and is_strong else None
        by_name = dict(
            leaf_kind=0, leaf_aval=id(aval), leaf_slot=0, leaf_scalar=id(dtype.type) if is_scalar else 0, leaf_cell=0,
            leaf_code=_SCALARS.get(dtype.str[1:], 0) if is_python else 0, leaf_descr=id(dtype) if is_strong else 0,
            leaf_wide=id(wide) if wide else 0, leaf_wide_code=1 if dtype.kind == "f" else 3,
            leaf_wide_scalar=id(wide.type) if wide and is_scalar and dtype.kind in "fi" else 0,
            leaf_rank=len(aval.shape), leaf_dims=self._shape(aval.shape), leaf_flags=_ORDERED | _CAST, leaf_giver=0,
            leaf_size=dtype.itemsize, leaf_cell_descr=id(dtype),
        )
        self._kept += [dtype, wide]
        return [by_name[name] for name in LEAF]

    def _argument(self, tree, nodes: list[int], leaves) -> None:
        kind, data = tree.node_data() or (None, None)
        if kind is None:
            nodes += self._leaf(*next(leaves))
        elif self._head(kind, data, tree, nodes, are_results=False):
            for child in tree.children():
                self._argument(child, nodes, leaves)
        else:
            for _ in range(tree.num_leaves):
                nodes += self._leaf(*next(leaves))

    def _result(self, tree, nodes: list[int], leaves) -> None:
        kind, data = tree.node_data() or (None, None)
        if kind is None:
            nodes += self._made(*next(leaves))
        elif self._head(kind, data, tree, nodes, are_results=True):
            for child in tree.children():
                self._result(child, nodes, leaves)
        else:
            for _ in range(tree.num_leaves):
                nodes += self._made(*next(leaves))

    def _made(self, form, aval) -> list[int]:
        if isinstance(form, int):
            return [8, form]
        if form.strides is None:
            return [0, form.slot, id(aval)]
        self._kept.append(form.dtype)
        shape, strides = self._shape(form.shape), self._words(form.strides)
        return [7, form.slot, id(aval), id(form.dtype), len(form.shape), shape, strides, form.offset]

    def _head(self, kind, data, tree, nodes: list[int], are_results: bool) -> bool:
        """Return the node of a container; whether its children follow, and not its leaves."""
        parts = tree.children()
        self._kept += [kind, data, tree]
        is_named = isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")
        if kind in (tuple, list):
            nodes += [2 if kind is list else 1, len(parts), id(kind)]
        elif is_named:
            nodes += [6 if are_results else 1, len(parts), id(kind)]
        elif kind is dict and all([type(k) in (str, int) for k in data]):
            nodes += [3, len(parts), *map(id, data)]
        elif kind is type(None):
            nodes.append(4)
        elif tree.head.node.style == "dataclass" and is_whole(tree.head, len(parts)):
            nodes += self._object(tree.head.node, data, are_results)
        elif tree.head.node.style == "custom" and tree.head.is_closed:
            node, own = tree.head.node, tree.head.data
            self._kept.append(pair := (node.build, own))
            nodes += [10, len(parts), id(pair)] if are_results else [8, len(parts), id(kind), id(node.take), id(own)]
        else:
            nodes += [5, tree.num_leaves, id(tree)]
            return False
        return True


    def _object(self, node, data, are_results: bool) -> list[int]:
        """Return the node of an object of a class that is read and called by its fields."""
        kind, static, names = node.type, node.meta, node.fields
        if not are_results:
            kept = chain(*[(id(name), id(value)) for name, value in zip(static, data)])
            return [7, len(names), id(kind), len(static), *map(id, names), *kept]
        keywords = (*static, *names)
        order = fields_assigned(kind, keywords)
        self._kept += [node, keywords, order]
        version = version_of(kind) if order is not None else 0
        places = chain(*[(id(name), keywords.index(name)) for name in order or keywords])
        return [9, len(names), id(kind), len(static), version, id(keywords), *map(id, data), *places]


class _Renewal:
    """Says for an entry, when it is called from another place than before, to whom donated arrays go."""

    __slots__ = ("_code", "_donations", "_entry", "_table", "fields")

    fields: np.ndarray

    def __init__(self, entry, table: np.ndarray):
        self._entry, self._table = entry, table

    def __call__(self, frame) -> None:
        place = user_code()
        self._donations = [Donation(*receiver, place) for receiver in self._entry.receivers]
        self._table[1:] = [id(d) for d in self._donations]
        self._code = frame.f_code
        self.fields[FIELDS["code"]] = id(self._code)
        self.fields[FIELDS["instruction"]] = frame.f_lasti


def attach(jitted, entry, form, fast_path: FastPath | None = None) -> None:
    """Let calls like one of an entry, of a jitted function or a fast path, go directly to its executable if they can.

    `form()` gives `parts` and `names` of `Prepared`. A program has several entries if it is called while it runs.
    """
    if config.local.__dict__ or state.axis_env:  # the traced program is for these only
        return
    if not _installed(type(jitted)):
        return
    assert _runtime is not None
    _runtime.adopt_thread()
    found = [p() for p in entry.prepared]
    found = [p for p in found if p is not None and p.is_kept and (p.is_busy or p.is_valid)]
    if len(found) >= _COPIES or any([p.is_free for p in found]):
        return
    holder = jitted._cache if fast_path is None else fast_path
    others = [e for e in (holder.direct or (None,))[1:] if e.is_busy or e.is_valid]
    if len(others) >= _MAX_ENTRIES and entry.prepared:  # it was dropped for another one: that would go on
        return
    made = Prepared(entry, *form())
    entry.prepared = [ref(p) for p in (*found, made)]
    entries = [made, *others]
    for e in entries[_MAX_ENTRIES:]:
        e.is_kept = False
    entries = entries[:_MAX_ENTRIES]
    table = np.array([len(entries), *[e.fields.ctypes.data for e in entries]], np.uint64)
    holder.direct = (table, *entries)
