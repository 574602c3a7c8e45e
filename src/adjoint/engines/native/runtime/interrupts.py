"""Ctrl-C inside a loop of generated code.

A loop that may be long counts down by the operations of its turns and now and then calls `adjoint_poll(last)`, which
makes way for a thread that forks, looks at the clock, and after a twentieth of a second takes the GIL and lets Python's
signal handlers run. If one raises, the error is left in the thread's state, the answer is 1, and the loop's function
returns at once, as do those after it at their first look. Who called the code raises the error, as after any function
of Python's C interface.

Threads that share a loop call `adjoint_poll_among(last, shared)`. There stand the thread that came from Python, which
does as above, and whether it was told to end, which is what the others ask.

Tests: `tests/engines/native/runtime/test_threads.py`.
"""

from __future__ import annotations

import ctypes
import os
from functools import partial

from ....core.process.locks import once
from .driver import DOOR
from .machine import QUICK, Source, compile_source, on_demand

__all__ = ["EVERY", "address"]

EVERY = 1 << 15  # operations between two looks at the clock: some microseconds

_API = "PyGILState_Check PyGILState_Ensure PyGILState_Release PyErr_CheckSignals PyErr_Occurred".split()
_TEXT = """
declare i32 @clock_gettime(i32, ptr)
declare i64 @pthread_self()
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

define i64 @adjoint_thread() #0 {
entry:
  %this = call i64 @pthread_self()
  ret i64 %this
}

define i32 @adjoint_poll_among(ptr %last, ptr %shared) #0 {
entry:
  %stop = getelementptr i64, ptr %shared, i64 1
  %this = call i64 @pthread_self()
  %caller = load i64, ptr %shared
  %is.caller = icmp eq i64 %this, %caller
  br i1 %is.caller, label %ask, label %listen
ask:
  %answer = call i32 @adjoint_poll(ptr %last)
  %ends = icmp ne i32 %answer, 0
  br i1 %ends, label %tell, label %listen
tell:
  store atomic i64 1, ptr %stop release, align 8
  br label %listen
listen:
  %told = load atomic i64, ptr %stop acquire, align 8
  %short = trunc i64 %told to i32
  ret i32 %short
}
"""
_NEVER = """
define i32 @adjoint_poll(ptr %last) #0 {
  ret i32 0
}

define i64 @adjoint_thread() #0 {
  ret i64 0
}

define i32 @adjoint_poll_among(ptr %last, ptr %shared) #0 {
  ret i32 0
}
"""
_NAMES = ["adjoint_poll", "adjoint_thread", "adjoint_poll_among"]
_SOURCE = Source(lambda: _TEXT if os.name == "posix" else _NEVER, "interrupts")


@once
def _library():
    symbols = dict(DOOR)
    if os.name == "posix":
        process = ctypes.CDLL(None)
        names = ("clock_gettime", "pthread_self")
        symbols |= {s: ctypes.cast(getattr(process, s), ctypes.c_void_p).value for s in names}
        symbols |= {s: ctypes.cast(getattr(ctypes.pythonapi, s), ctypes.c_void_p).value for s in _API}
    return compile_source(_SOURCE, _NAMES, QUICK, symbols)  # it waits rather than computes


def address(name: str) -> int:
    """Return where a function of this module's code is."""
    return _library().addresses[name]


for _name in _NAMES:
    on_demand(__name__, _name, partial(address, _name), lambda quick: (_SOURCE, QUICK))
