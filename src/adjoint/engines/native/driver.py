"""The native loop that runs a table of steps: fill in the addresses of the arrays, then call each function.

A row of the table is (cell that holds a function's address, its arguments); arguments are addresses of buffers.
Those in the arena are known; those of Python's arrays are filled in by each call from a list of them, natively:
where a list keeps its items and an array its data is looked up when the module is loaded, and if it is not where
CPython and NumPy have it, addresses are collected in Python.
"""

from __future__ import annotations

import ctypes

import numpy as np

from .machine import compile_text

__all__ = ["ADDRESS", "KNOWN", "block", "run"]

# holder -> items; each patch (slot, item, byte offset): argv[slot] = *(items[item] + data) + offset
_FIELDS = ("data", "patches", "n", "argv", "table", "rows")
_READ = "".join([
    f"  %{name}.at = getelementptr i64, ptr %block, i64 {i}\n"
    f"  %{name} = load {'ptr' if name in ('patches', 'argv', 'table') else 'i64'}, ptr %{name}.at\n"
    for i, name in enumerate(_FIELDS)
])
_TEXT = f"""
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)

define void @run_apart(ptr %holder, ptr %block) #0 {{
entry:
  %thread = call ptr @PyEval_SaveThread()
  call void @run(ptr %holder, ptr %block)
  call void @PyEval_RestoreThread(ptr %thread)
  ret void
}}

define void @run(ptr %holder, ptr %block) #0 {{
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
_symbols = {
    name: ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
    for name in ("PyEval_SaveThread", "PyEval_RestoreThread")
}
_library = compile_text(_TEXT, ["run", "run_apart"], symbols=_symbols)
ADDRESS = _library.addresses["run"]
# A Python function for ctypes, so that it raises what a signal handler raised meanwhile (interrupts.py).
_run = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(_library.addresses["run_apart"])

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
    """What `run` reads: addresses of the patches, of the arguments and of rows of the table, and their numbers."""
    return np.array([_DATA if KNOWN else 0, patches, count, argv, table, rows], np.uint64)


def run(values: list, block: int) -> None:
    """Run rows of a table; `values` holds the arrays that the patches speak of, others may be None."""
    if KNOWN:
        _run(id(values) + _ITEMS, block)
        return
    data = np.array([0 if v is None else v.ctypes.data for v in values] or [0], np.uint64)
    items = data.ctypes.data + 8 * np.arange(len(data), dtype=np.uint64)
    holder = np.array([items.ctypes.data], np.uint64)
    _run(holder.ctypes.data, block)
