"""What stands around calls of LAPACK: small matrices keep OpenBLAS to one thread, and nobody forks meanwhile.

OpenBLAS's threads spin for each other after every product of a block, which on a processor that others use costs a
hundred times what the products of a matrix of 200 columns do. So calls for small matrices hold OpenBLAS to one thread
while any of them runs, and then give back the number that it had. (With several threads the last bits of results
differ.) A child of a fork would find the locks of OpenBLAS taken by threads that it does not have: so whoever forks
closes a door, before which other threads wait, and waits until those inside have left.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import contextmanager

from ...core.locks import LIBRARIES, forks_take, once
from ...prims.matrices import scipy_module
from .machine import QUICK, compile_text, on_demand
from .routines import Code

__all__ = ["in_one_thread"]

_FEWEST, _MOST = 33, 256  # lengths of matrices for which threads are of no use, and are not without
_PAUSE = 50  # microseconds between two looks at the door

# @door: twice the number of those inside, and 1 if it is closed. Who waits with the GIL lets others have it: among
# them may be whoever closed the door.
_DOOR = f"""
@door = global i64 0, align 64
declare i32 @usleep(i32)
declare i32 @PyGILState_Check()
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)

define void @lapack_enter() #0 {{
entry:
  br label %look
look:
  %door = load atomic i64, ptr @door acquire, align 8
  %closed = trunc i64 %door to i1
  br i1 %closed, label %wait, label %try
wait:
  call void @pause(i64 1, i64 0)
  br label %look
try:
  %more = add i64 %door, 2
  %pair = cmpxchg ptr @door, i64 %door, i64 %more seq_cst acquire
  %ours = extractvalue {{ i64, i1 }} %pair, 1
  br i1 %ours, label %entered, label %look
entered:
  ret void
}}

define void @lapack_leave() #0 {{
entry:
  %before = atomicrmw sub ptr @door, i64 2 seq_cst
  ret void
}}

define void @close() #0 {{
entry:
  %before = atomicrmw or ptr @door, i64 1 seq_cst
  call void @pause(i64 -1, i64 1)
  ret void
}}

define void @open() #0 {{
entry:
  %before = atomicrmw and ptr @door, i64 -2 seq_cst
  ret void
}}

; Wait until some bits of the door are these.
define internal void @pause(i64 %mask, i64 %wanted) #0 {{
entry:
  %has.gil = call i32 @PyGILState_Check()
  %lends = icmp ne i32 %has.gil, 0
  br i1 %lends, label %lend, label %loop
lend:
  %lent = call ptr @PyEval_SaveThread()
  br label %loop
loop:
  %thread = phi ptr [ null, %entry ], [ %lent, %lend ], [ %thread, %again ]
  %door = load atomic i64, ptr @door acquire, align 8
  %bits = and i64 %door, %mask
  %is.so = icmp eq i64 %bits, %wanted
  br i1 %is.so, label %over, label %again
again:
  %rc = call i32 @usleep(i32 {_PAUSE})
  br label %loop
over:
  br i1 %lends, label %take, label %done
take:
  call void @PyEval_RestoreThread(ptr %thread)
  br label %done
done:
  ret void
}}
"""
_NO_DOOR = """
define void @lapack_enter() #0 {
  ret void
}
define void @lapack_leave() #0 {
  ret void
}
"""

_NUMBER = """
@lock = global i32 0, align 64
@users = global i32 0
@before = global i32 0
declare i32 @get_threads()
declare void @set_threads(i32)

define internal void @enter() #0 {
entry:
  br label %try
try:
  %pair = cmpxchg ptr @lock, i32 0, i32 1 acq_rel acquire
  %ours = extractvalue { i32, i1 } %pair, 1
  br i1 %ours, label %entered, label %try
entered:
  ret void
}

define internal void @change(i32 %n) #0 {
entry:
  %before = load i32, ptr @before
  %several = icmp sgt i32 %before, 1
  br i1 %several, label %set, label %done
set:
  call void @set_threads(i32 %n)
  br label %done
done:
  ret void
}
"""

# One more user or one less; what the first one does, and the last one, of these.
_USER = """
define internal void @count.NAME() #0 {
entry:
  call void @enter()
  %users = load i32, ptr @users
  %left = add i32 %users, STEP
  store i32 %left, ptr @users
  %alone = icmp eq i32 COUNT, 0
  br i1 %alone, label %act, label %done
act:
  ACTION
  br label %done
done:
  store atomic i32 0, ptr @lock release, align 4
  ret void
}
"""
_HOLD = "%now = call i32 @get_threads()\n  store i32 %now, ptr @before\n  call void @change(i32 1)"
_RELEASE = "%before = load i32, ptr @before\n  call void @change(i32 %before)"
_INSIDE = """
define void @blas_hold() #0 {
  call void @lapack_enter()
  call void @count.hold()
  ret void
}
define void @blas_release() #0 {
  call void @count.release()
  call void @lapack_leave()
  ret void
}
"""
_NAMES = ("lapack_enter", "lapack_leave", "blas_hold", "blas_release")


def _counting() -> str:
    parts = [_NUMBER]
    for name, step, count, action in zip(("hold", "release"), ("1", "-1"), ("%users", "%left"), (_HOLD, _RELEASE)):
        text = _USER.replace("NAME", name).replace("STEP", step)
        parts.append(text.replace("COUNT", count).replace("ACTION", action))
    return "".join(parts)


class _Door:
    """It is closed inside of the context, and nobody is behind it."""

    def __init__(self, close: int, open: int):
        self._close, self._open = [ctypes.CFUNCTYPE(None)(address) for address in (close, open)]

    def __enter__(self):
        self._close()

    def __exit__(self, *_):
        self._open()


def _address(function) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


@once
def _library():
    """The door, and what changes the number of threads: nothing where SciPy is built with another library."""
    symbols, text, names = {}, _NO_DOOR, _NAMES
    if forks := hasattr(os, "register_at_fork"):
        text, names, process = _DOOR, (*_NAMES, "close", "open"), ctypes.CDLL(None)
        own = "PyGILState_Check PyEval_SaveThread PyEval_RestoreThread".split()
        symbols = {"usleep": _address(process.usleep), **{s: _address(getattr(ctypes.pythonapi, s)) for s in own}}
    found = ctypes.CDLL(scipy_module("cython_lapack").__file__)  # which its libraries are looked up through
    for pattern in ("scipy_openblas_%s_num_threads", "openblas_%s_num_threads"):
        if all([hasattr(found, pattern % verb) for verb in ("get", "set")]):
            symbols |= {f"{verb}_threads": _address(getattr(found, pattern % verb)) for verb in ("get", "set")}
            text += _counting()
            break
    else:
        text += "".join([f"define internal void @count.{n}() #0 {{\n  ret void\n}}\n" for n in ("hold", "release")])
    made = compile_text(text + _INSIDE, names, QUICK, symbols)
    if forks:
        forks_take(LIBRARIES, _Door(made.addresses["close"], made.addresses["open"]))
    return made


for _name in _NAMES:
    on_demand(_name, lambda name=_name: _library().addresses[name])


@contextmanager
def in_one_thread(code: Code, *lengths: int):
    """Around calls for matrices of these lengths, which need one thread if they are small; nobody forks meanwhile."""
    before, after = _NAMES[2:] if _FEWEST <= max(lengths) <= _MOST else _NAMES[:2]
    code.module.declarations |= {f"declare void @{before}()", f"declare void @{after}()"}
    code.line(f"call void @{before}()")
    yield
    code.line(f"call void @{after}()")
