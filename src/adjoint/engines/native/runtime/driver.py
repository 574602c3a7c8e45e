"""The native loop that runs a table of steps: fill in the addresses of the arrays, then call each function.

A row of the table is (cell that holds a function's address, its arguments); arguments are addresses of buffers.
Those in the arena are known; those of Python's arrays are filled in by each call from a list of them, natively:
where a list keeps its items and an array its data is looked up when the module is loaded, and if it is not where
CPython and NumPy have it, addresses are collected in Python. The loop is made quickly first, and well when
`call/prepare.py` has time for it.

Tests: `tests/engines/native/runtime/test_threads.py`.
"""

from __future__ import annotations

import ctypes
import os

import numpy as np

from ....core.process.locks import LIBRARIES, forks_take
from .machine import FINAL, QUICK, Library, Source, compile_source, compile_text, is_stored

__all__ = ["DOOR", "KNOWN", "addresses", "block", "improve", "is_final", "run"]

_PAUSE_MICROSECONDS, _MAX_WAIT_MICROSECONDS = 50, 60_000_000  # between two looks at the door, and for all of them

# holder -> items; each patch (slot, item, byte offset): argv[slot] = *(items[item] + data) + offset
_FIELDS = ("data", "patches", "n", "argv", "table", "rows")
_READ = "".join([
    f"  %{name}.at = getelementptr i64, ptr %block, i64 {i}\n"
    f"  %{name} = load {'ptr' if name in ('patches', 'argv', 'table') else 'i64'}, ptr %{name}.at\n"
    for i, name in enumerate(_FIELDS)
])
_RUN = f"""
define NAME(ptr %holder, ptr %block) #0 {{
entry:
{_READ}  %items = load ptr, ptr %holder
  %some = icmp ugt i64 %n, 0
  br i1 %some, label %patch, label %steps
patch:
  %i = phi i64 [0, %entry], [%i.next, %patch]
  %i3 = mul i64 %i, 3
  %p0 = getelementptr i64, ptr %patches, i64 %i3
  %slot = load i64, ptr %p0
  %p1 = getelementptr i64, ptr %p0, i64 1
  %item = load i64, ptr %p1
  %p2 = getelementptr i64, ptr %p0, i64 2
  %offset = load i64, ptr %p2
  %place = getelementptr ptr, ptr %items, i64 %item
  %object = load ptr, ptr %place
  %field = getelementptr i8, ptr %object, i64 %data
  %buffer = load ptr, ptr %field
  %address = getelementptr i8, ptr %buffer, i64 %offset
  %target = getelementptr ptr, ptr %argv, i64 %slot
  store ptr %address, ptr %target
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %patch, label %steps
steps:
  %any = icmp ugt i64 %rows, 0
  br i1 %any, label %step, label %done
step:
  %j = phi i64 [0, %steps], [%j.next, %step]
  BETWEEN
  %j2 = mul i64 %j, 2
  %r0 = getelementptr ptr, ptr %table, i64 %j2
  %cell = load ptr, ptr %r0
  %function = load ptr, ptr %cell
  %r1 = getelementptr ptr, ptr %r0, i64 1
  %arguments = load ptr, ptr %r1
  call void %function(ptr %arguments)
  %j.next = add i64 %j, 1
  %again = icmp ult i64 %j.next, %rows
  br i1 %again, label %step, label %done
done:
  ret void
}}
"""

# In a child of a fork what other threads held, such as a lock of OpenBLAS, is held for ever. So threads without
# the GIL pass a gate. @door is twice the number of those inside, and 1 while a thread forks, which waits until they
# have left, but not for ever: one of them may wait for the thread that forks. They read @door now and then: `park`.
_DOOR = f"""
@door = global i64 0, align 64
declare i32 @usleep(i32)

define void @enter() #0 {{
entry:
  br label %look
look:
  %door = load atomic i64, ptr @door acquire, align 8
  %closed = trunc i64 %door to i1
  br i1 %closed, label %wait, label %try
wait:
  %rc = call i32 @usleep(i32 {_PAUSE_MICROSECONDS})
  br label %look
try:
  %more = add i64 %door, 2
  %pair = cmpxchg ptr @door, i64 %door, i64 %more seq_cst acquire
  %ours = extractvalue {{ i64, i1 }} %pair, 1
  br i1 %ours, label %entered, label %look
entered:
  ret void
}}

define void @leave() #0 {{
entry:
  %before = atomicrmw sub ptr @door, i64 2 seq_cst
  ret void
}}

define void @park() #0 {{
entry:
  %door = load atomic i64, ptr @door acquire, align 8
  %closed = trunc i64 %door to i1
  br i1 %closed, label %away, label %done
away:
  call void @leave()
  call void @enter()
  br label %done
done:
  ret void
}}

define void @close() #0 {{
entry:
  %before = atomicrmw or ptr @door, i64 1 seq_cst
  br label %look
look:
  %looks = phi i64 [0, %entry], [%looks.next, %wait]
  %door = load atomic i64, ptr @door acquire, align 8
  %nobody = icmp eq i64 %door, 1
  %enough = icmp eq i64 %looks, {_MAX_WAIT_MICROSECONDS // _PAUSE_MICROSECONDS}
  %over = or i1 %nobody, %enough
  br i1 %over, label %done, label %wait
wait:
  %rc = call i32 @usleep(i32 {_PAUSE_MICROSECONDS})
  %looks.next = add i64 %looks, 1
  br label %look
done:
  ret void
}}

define void @open() #0 {{
entry:
  %before = atomicrmw and ptr @door, i64 -2 seq_cst
  ret void
}}

define void @forget() #0 {{
entry:
  store atomic i64 0, ptr @door seq_cst, align 8
  ret void
}}
"""
_NO_DOOR = "".join([f"define void @{name}() #0 {{\n  ret void\n}}\n" for name in ("enter", "leave", "park")])
_APART = """
declare void @enter()
declare void @leave()
declare void @park()
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)

define void @run_apart(ptr %holder, ptr %block) #0 {
entry:
  %thread = call ptr @PyEval_SaveThread()
  call void @enter()
  call void @run_inside(ptr %holder, ptr %block)
  call void @leave()
  call void @PyEval_RestoreThread(ptr %thread)
  ret void
}
"""


def _address(function) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


class _Door:
    """Closed inside of the context."""

    def __init__(self, close: int, open: int):
        self._close, self._open = [ctypes.CFUNCTYPE(None)(address) for address in (close, open)]

    def __enter__(self):
        self._close()

    def __exit__(self, *_):
        self._open()


def _made_door() -> Library:
    names = ["enter", "leave", "park"]
    if not hasattr(os, "register_at_fork"):
        return compile_text(_NO_DOOR, names, QUICK, {})
    symbols = {"usleep": _address(ctypes.CDLL(None).usleep)}
    made = compile_text(_DOOR, [*names, "close", "open", "forget"], QUICK, symbols)
    forks_take(LIBRARIES, _Door(made.addresses["close"], made.addresses["open"]))
    os.register_at_fork(after_in_child=ctypes.CFUNCTYPE(None)(made.addresses["forget"]))
    return made


def _loop() -> str:
    text = _RUN.replace("NAME", "void @run").replace("BETWEEN", "") + _APART
    return text + _RUN.replace("NAME", "internal void @run_inside").replace("BETWEEN", "call void @park()")


_door, _source = _made_door(), Source(_loop)
DOOR = {f"door.{name}": _door.addresses[name] for name in ("enter", "leave", "park")}
_libraries: list[Library] = []  # of the loop; also the earlier one, which may be running
# A function of ctypes, which raises what a signal handler raised meanwhile (interrupts.py).
_runs: list = []


def _use(level: int, apart: bool = False) -> None:
    symbols = {s: _address(getattr(ctypes.pythonapi, s)) for s in ("PyEval_SaveThread", "PyEval_RestoreThread")}
    symbols |= {name: _door.addresses[name] for name in ("enter", "leave", "park")}
    _libraries.append(compile_source(_source, ["run", "run_apart"], level, symbols, apart))
    _runs[:] = [ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(addresses()["run_apart"])]


def addresses() -> dict[str, int]:
    """Return where the best code there is stands: `run`, and `run_apart`, during which other threads have the GIL."""
    return _libraries[-1].addresses


def is_final() -> bool:
    """Return whether the code is as good as it gets."""
    return _is_stored or len(_libraries) > 1


def improve() -> None:
    """Make better code, while other threads make other code."""
    if not is_final():
        _use(FINAL, apart=True)


_is_stored = is_stored(_source, FINAL)
_use(FINAL if _is_stored else QUICK)

_ITEMS = ctypes.sizeof(ctypes.c_void_p) * 3  # of a list: after its count, type and length
_DATA = ctypes.sizeof(ctypes.c_void_p) * 2  # of an array: after its count and type


def _layout_is_known() -> bool:
    probe = [np.empty(3), np.empty(5)]
    read = lambda address: ctypes.c_void_p.from_address(address).value or 0
    try:
        items = read(id(probe) + _ITEMS)
        objects = [read(items + 8 * i) for i in range(2)]
        data = [read(o + _DATA) for o in objects]
        return objects == [id(x) for x in probe] and data == [x.ctypes.data for x in probe]
    except (TypeError, ValueError):
        return False


KNOWN = list.__basicsize__ > _ITEMS and _layout_is_known()


def block(patches: int, count: int, argv: int, table: int, rows: int) -> np.ndarray:
    """Return what `run` reads: addresses of patches, arguments and rows of the table, and their numbers."""
    return np.array([_DATA if KNOWN else 0, patches, count, argv, table, rows], np.uint64)


def run(values: list, block: int) -> None:
    """Run rows of a table; `values` holds the arrays that the patches speak of, others may be None."""
    if KNOWN:
        _runs[0](id(values) + _ITEMS, block)
        return
    data = np.array([0 if v is None else v.ctypes.data for v in values] or [0], np.uint64)
    items = data.ctypes.data + 8 * np.arange(len(data), dtype=np.uint64)
    holder = np.array([items.ctypes.data], np.uint64)
    _runs[0](holder.ctypes.data, block)
