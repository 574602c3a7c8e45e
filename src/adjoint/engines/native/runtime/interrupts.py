"""Ctrl-C inside a loop of generated code.

A loop that may be long counts down by the operations of its turns and now and then calls `adjoint_poll(last)`, which
makes way for whoever forks, looks at the clock, and after a twentieth of a second takes the GIL and lets Python's
signal handlers run. If one raises, the error is left in the thread's state, the answer is 1, and the loop's function
returns at once, as do those after it at their first look. Who called the code raises the error, as after any function
of Python's C interface.

Tests: `tests/engines/native/runtime/test_threads.py`.
"""

from __future__ import annotations

import ctypes
import os

from ....core.process.locks import once
from .driver import DOOR
from .machine import compile_text, on_demand

__all__ = ["EVERY"]

EVERY = 1 << 15  # operations between two looks at the clock: some microseconds

_API = "PyGILState_Check PyGILState_Ensure PyGILState_Release PyErr_CheckSignals PyErr_Occurred".split()
_TEXT = """
declare i32 @clock_gettime(i32, ptr)
declare i32 @PyGILState_Check()
declare i32 @PyGILState_Ensure()
declare void @PyGILState_Release(i32)
declare i32 @PyErr_CheckSignals()
declare ptr @PyErr_Occurred()
declare void @door.enter()
declare void @door.leave()
declare void @door.park()
@raised = internal global i32 0

define internal void @leave(i1 %inside) #0 {
entry:
  br i1 %inside, label %go, label %done
go:
  call void @door.leave()
  br label %done
done:
  ret void
}

define internal void @enter(i1 %inside) #0 {
entry:
  br i1 %inside, label %go, label %done
go:
  call void @door.enter()
  br label %done
done:
  ret void
}

define i32 @adjoint_poll(ptr %last) #0 {
entry:
  %time = alloca [2 x i64]
  %held = call i32 @PyGILState_Check()
  %inside = icmp eq i32 %held, 0
  br i1 %inside, label %park, label %clock
park:
  call void @door.park()
  br label %clock
clock:
  %rc = call i32 @clock_gettime(i32 1, ptr %time)
  %seconds = load i64, ptr %time
  %rest.at = getelementptr i64, ptr %time, i64 1
  %rest = load i64, ptr %rest.at
  %whole = mul i64 %seconds, 1000000000
  %now = add i64 %whole, %rest
  %before = load i64, ptr %last
  %first = icmp eq i64 %before, 0
  %passed = sub i64 %now, %before
  %long = icmp sgt i64 %passed, 50000000
  %raised = load atomic i32, ptr @raised acquire, align 4
  %lately = icmp ne i32 %raised, 0
  %after = xor i1 %lately, true
  %begins = and i1 %first, %after
  br i1 %begins, label %note, label %compare
note:
  store i64 %now, ptr %last
  br label %no
compare:
  br i1 %long, label %look, label %no
no:
  ret i32 0
look:
  store i64 %now, ptr %last
  store atomic i32 0, ptr @raised release, align 4
  call void @leave(i1 %inside)
  %gil = call i32 @PyGILState_Ensure()
  %error = call ptr @PyErr_Occurred()
  %already = icmp ne ptr %error, null
  br i1 %already, label %stops, label %handle
handle:
  %handled = call i32 @PyErr_CheckSignals()
  %fine = icmp eq i32 %handled, 0
  br i1 %fine, label %go.on, label %stops
go.on:
  call void @PyGILState_Release(i32 %gil)
  call void @enter(i1 %inside)
  ret i32 0
stops:
  store atomic i32 1, ptr @raised release, align 4
  call void @PyGILState_Release(i32 %gil)
  call void @enter(i1 %inside)
  ret i32 1
}
"""
_NEVER = """
define i32 @adjoint_poll(ptr %last) #0 {
  ret i32 0
}
"""


@once
def _library():
    if os.name != "posix":
        library = compile_text(_NEVER, ["adjoint_poll"])
    else:
        process = ctypes.CDLL(None)
        symbols = {"clock_gettime": ctypes.cast(process.clock_gettime, ctypes.c_void_p).value}
        symbols |= DOOR
        symbols.update({s: ctypes.cast(getattr(ctypes.pythonapi, s), ctypes.c_void_p).value for s in _API})
        library = compile_text(_TEXT, ["adjoint_poll"], symbols=symbols)
    return library


on_demand("adjoint_poll", lambda: _library().addresses["adjoint_poll"])
