"""Threads for big kernels: a pool of our own, in generated code.

A big kernel is cut into chunks (kernels/split.py), and calls `adjoint_parallel(function, arguments, shared, n)`, which
calls `function(arguments, shared, i)` for each i < n, on the caller and on workers that happen to be free. Chunks are
claimed by a compare-and-exchange on one word (job's number, number of chunks, next chunk), and a job is read only
after a claim: the caller waits for chunks that were claimed, never for a worker that sleeps. More chunks than the word
can count are for the caller alone.

`adjoint_parallel_until(function, arguments, shared, n, stop)` is for chunks that may take long: while it waits it lets
Python's signal handlers run, and if one raises makes `stop` 1, so that they end (interrupts.py).

The workers are started by the first job and sleep on a futex after a short spin. A second Python thread that comes
while a job runs calls its chunks itself. A forked child has no workers and starts its own; when the interpreter
ends, they are stopped before the code that they run is freed. Where there is no futex, the caller does everything.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import platform
import sys

from ....core.process.locks import once
from ....core.process.processors import MAX_THREADS, count
from . import interrupts
from .machine import QUICK, Source, compile_source, on_demand

__all__ = ["prepare", "resize"]

_SPIN_PAUSES = 2000  # pauses before a worker sleeps, and before a caller that waits for the last chunk yields

_FUTEX = {"x86_64": 202, "aarch64": 98}
_PAUSE = {"x86_64": "call void @llvm.x86.sse2.pause()", "aarch64": "call void @llvm.aarch64.hint(i32 1)"}
_DECLARED = {"x86_64": "declare void @llvm.x86.sse2.pause()", "aarch64": "declare void @llvm.aarch64.hint(i32)"}
_MACHINE = platform.machine().replace("AMD64", "x86_64")
_SYMBOLS = "syscall pthread_create pthread_join pthread_sigmask sched_yield".split()

# word: 24 bits of the job's number, 20 of the number of chunks, 20 of the next chunk. state: fields of `_STATE`.
_STATE = {"wanted": 0, "started": 1, "busy": 2, "stop": 3}

_SERIAL = """
define void @adjoint_parallel(ptr %function, ptr %arguments, ptr %shared, i64 %n) #0 {
entry:
  call void @serial(ptr %function, ptr %arguments, ptr %shared, i64 %n)
  ret void
}

define void @adjoint_parallel_until(ptr %function, ptr %arguments, ptr %shared, i64 %n, ptr %stop) #0 {
entry:
  call void @serial(ptr %function, ptr %arguments, ptr %shared, i64 %n)
  ret void
}
"""

_TEXT = """
@state = global [4 x i64] zeroinitializer, align 64
@word = global i64 0, align 128
@done = global i64 0, align 128
@generation = global i32 0, align 128
@sleepers = global i32 0, align 128
@job = global [3 x ptr] zeroinitializer, align 128
@ids = global [<most> x i64] zeroinitializer, align 64
declare i64 @syscall(i64, ...)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare i32 @pthread_sigmask(i32, ptr, ptr)
declare i32 @sched_yield()
declare i32 @adjoint_poll(ptr)
<declared>

; Claim a chunk and run it; false if there is none.
define internal i1 @claim() #0 {
entry:
  %word = load atomic i64, ptr @word acquire, align 8
  %next = and i64 %word, 1048575
  %shifted = lshr i64 %word, 20
  %n = and i64 %shifted, 1048575
  %some = icmp ult i64 %next, %n
  br i1 %some, label %try, label %none
try:
  %after = add i64 %word, 1
  %pair = cmpxchg ptr @word, i64 %word, i64 %after acq_rel acquire
  %ours = extractvalue { i64, i1 } %pair, 1
  br i1 %ours, label %run, label %some.left
run:
  %function = load ptr, ptr @job
  %arguments.at = getelementptr ptr, ptr @job, i64 1
  %arguments = load ptr, ptr %arguments.at
  %shared.at = getelementptr ptr, ptr @job, i64 2
  %shared = load ptr, ptr %shared.at
  call void %function(ptr %arguments, ptr %shared, i64 %next)
  %before = atomicrmw add ptr @done, i64 1 release
  br label %some.left
some.left:
  ret i1 true
none:
  ret i1 false
}

define internal ptr @worker(ptr %unused) #0 {
entry:
  br label %loop
loop:
  %spins = phi i64 [ 0, %entry ], [ 0, %found ], [ %spins.next, %spin ], [ 0, %awake ]
  %claimed = call i1 @claim()
  br i1 %claimed, label %found, label %idle
found:
  br label %loop
idle:
  %spins.next = add i64 %spins, 1
  %enough = icmp ugt i64 %spins.next, <spin>
  br i1 %enough, label %sleepy, label %spin
spin:
  <pause>
  br label %loop
sleepy:
  %generation = load atomic i32, ptr @generation seq_cst, align 4
  %stop.at = getelementptr i64, ptr @state, i64 <stop>
  %stop = load atomic i64, ptr %stop.at seq_cst, align 8
  %stops = icmp ne i64 %stop, 0
  br i1 %stops, label %out, label %last.look
last.look:
  %more = atomicrmw add ptr @sleepers, i32 1 seq_cst
  %claimed.after.all = call i1 @claim()
  br i1 %claimed.after.all, label %awake, label %sleep
sleep:
  %rc = call i64 (i64, ...) @syscall(i64 <futex>, ptr @generation, i32 128, i32 %generation, ptr null, ptr null, i32 0)
  br label %awake
awake:
  %less = atomicrmw sub ptr @sleepers, i32 1 seq_cst
  br label %loop
out:
  ret ptr null
}

define internal void @wake() #0 {
entry:
  %g = atomicrmw add ptr @generation, i32 1 seq_cst
  %n = load atomic i32, ptr @sleepers seq_cst, align 4
  %anyone = icmp ne i32 %n, 0
  br i1 %anyone, label %call, label %done
call:
  %rc = call i64 (i64, ...) @syscall(i64 <futex>, ptr @generation, i32 129, i32 <most>, ptr null, ptr null, i32 0)
  br label %done
done:
  ret void
}

; Signals are for Python's threads: the workers start with all of them blocked.
define internal void @start(i64 %wanted) #0 {
entry:
  %all = alloca [16 x i64], align 16
  %old = alloca [16 x i64], align 16
  call void @llvm.memset.p0.i64(ptr %all, i8 255, i64 128, i1 false)
  %blocked = call i32 @pthread_sigmask(i32 2, ptr %all, ptr %old)
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i.next, %made ]
  %more = icmp ult i64 %i, %wanted
  br i1 %more, label %create, label %finish
create:
  %id = getelementptr i64, ptr @ids, i64 %i
  %rc = call i32 @pthread_create(ptr %id, ptr null, ptr @worker, ptr null)
  %ok = icmp eq i32 %rc, 0
  br i1 %ok, label %made, label %finish
made:
  %i.next = add i64 %i, 1
  br label %next
finish:
  %restored = call i32 @pthread_sigmask(i32 2, ptr %old, ptr null)
  %started.at = getelementptr i64, ptr @state, i64 <started>
  %count = add i64 %i, 1
  store i64 %count, ptr %started.at
  ret void
}

define void @adjoint_parallel(ptr %function, ptr %arguments, ptr %shared, i64 %n) #0 {
entry:
  call void @adjoint_parallel_until(ptr %function, ptr %arguments, ptr %shared, i64 %n, ptr null)
  ret void
}

define void @adjoint_parallel_until(ptr %function, ptr %arguments, ptr %shared, i64 %n, ptr %stop) #0 {
entry:
  %looked = alloca i64
  store i64 0, ptr %looked
  %wanted.at = getelementptr i64, ptr @state, i64 <wanted>
  %wanted = load atomic i64, ptr %wanted.at acquire, align 8
  %some = icmp ne i64 %wanted, 0
  %counted = icmp ult i64 %n, 1048576
  %shared.out = and i1 %some, %counted
  br i1 %shared.out, label %enter, label %alone
enter:
  %busy.at = getelementptr i64, ptr @state, i64 <busy>
  %pair = cmpxchg ptr %busy.at, i64 0, i64 1 acq_rel acquire
  %ours = extractvalue { i64, i1 } %pair, 1
  br i1 %ours, label %entered, label %alone
entered:
  %started.at = getelementptr i64, ptr @state, i64 <started>
  %started = load i64, ptr %started.at
  %are.there = icmp ne i64 %started, 0
  br i1 %are.there, label %publish, label %begin
begin:
  call void @start(i64 %wanted)
  br label %publish
publish:
  store ptr %function, ptr @job
  %arguments.at = getelementptr ptr, ptr @job, i64 1
  store ptr %arguments, ptr %arguments.at
  %shared.at = getelementptr ptr, ptr @job, i64 2
  store ptr %shared, ptr %shared.at
  store atomic i64 0, ptr @done release, align 8
  %old = load atomic i64, ptr @word acquire, align 8
  %job = lshr i64 %old, 40
  %job.next = add i64 %job, 1
  %job.shifted = shl i64 %job.next, 40
  %n.shifted = shl i64 %n, 20
  %new = or i64 %job.shifted, %n.shifted
  store atomic i64 %new, ptr @word seq_cst, align 8
  call void @wake()
  br label %work
work:
  %claimed = call i1 @claim()
  br i1 %claimed, label %work, label %wait
wait:
  %spins = phi i64 [ 0, %work ], [ %spins.next, %again ]
  %done = load atomic i64, ptr @done acquire, align 8
  %all = icmp uge i64 %done, %n
  br i1 %all, label %finished, label %more
more:
  %spins.next = add i64 %spins, 1
  %long = icmp ugt i64 %spins.next, <spin>
  br i1 %long, label %yield, label %pause
pause:
  <pause>
  br label %again
yield:
  %rc = call i32 @sched_yield()
  %looks = icmp ne ptr %stop, null
  br i1 %looks, label %look, label %again
look:
  %raised = call i32 @adjoint_poll(ptr %looked)
  %ends = icmp ne i32 %raised, 0
  br i1 %ends, label %tell, label %again
tell:
  store atomic i64 1, ptr %stop release, align 8
  br label %again
again:
  br label %wait
finished:
  store atomic i64 0, ptr %busy.at release, align 8
  ret void
alone:
  call void @serial(ptr %function, ptr %arguments, ptr %shared, i64 %n)
  ret void
}

; Let the workers go, and wait until they have: from now on callers are alone.
define void @stop() #0 {
entry:
  %wanted.at = getelementptr i64, ptr @state, i64 <wanted>
  store atomic i64 0, ptr %wanted.at seq_cst, align 8
  %stop.at = getelementptr i64, ptr @state, i64 <stop>
  store atomic i64 1, ptr %stop.at seq_cst, align 8
  %busy.at = getelementptr i64, ptr @state, i64 <busy>
  br label %enter
enter:
  %pair = cmpxchg ptr %busy.at, i64 0, i64 1 acq_rel acquire
  %ours = extractvalue { i64, i1 } %pair, 1
  br i1 %ours, label %entered, label %wait
wait:
  %rc = call i32 @sched_yield()
  br label %enter
entered:
  call void @wake()
  %started.at = getelementptr i64, ptr @state, i64 <started>
  %started = load i64, ptr %started.at
  br label %next
next:
  %i = phi i64 [ 1, %entered ], [ %i.next, %join ]
  %more = icmp ult i64 %i, %started
  br i1 %more, label %join, label %gone
join:
  %i.before = sub i64 %i, 1
  %id.at = getelementptr i64, ptr @ids, i64 %i.before
  %id = load i64, ptr %id.at
  %joined = call i32 @pthread_join(i64 %id, ptr null)
  %i.next = add i64 %i, 1
  br label %next
gone:
  store i64 0, ptr %started.at
  store atomic i64 0, ptr %stop.at seq_cst, align 8
  store atomic i64 0, ptr %busy.at release, align 8
  ret void
}

; In a forked child: no thread works, none sleeps.
define void @forget() #0 {
entry:
  %started.at = getelementptr i64, ptr @state, i64 <started>
  store i64 0, ptr %started.at
  %busy.at = getelementptr i64, ptr @state, i64 <busy>
  store i64 0, ptr %busy.at
  %stop.at = getelementptr i64, ptr @state, i64 <stop>
  store i64 0, ptr %stop.at
  store i64 0, ptr @word
  store i32 0, ptr @sleepers
  ret void
}

define void @want(i64 %n) #0 {
entry:
  %wanted.at = getelementptr i64, ptr @state, i64 <wanted>
  store atomic i64 %n, ptr %wanted.at seq_cst, align 8
  ret void
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""

_ALONE = """
define internal void @serial(ptr %function, ptr %arguments, ptr %shared, i64 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  call void %function(ptr %arguments, ptr %shared, i64 %i)
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
"""


# ---- the pool ------------------------------------------------------------------------------------


_HAS_WORKERS = sys.platform == "linux" and _MACHINE in _FUTEX


def _text() -> str:
    if not _HAS_WORKERS:
        return _ALONE + _SERIAL
    text = _ALONE + _TEXT
    values = {
        **_STATE, "most": MAX_THREADS, "spin": _SPIN_PAUSES, "futex": _FUTEX[_MACHINE], "pause": _PAUSE[_MACHINE],
        "declared": _DECLARED[_MACHINE],
    }
    for name, value in values.items():
        text = text.replace(f"<{name}>", str(value))
    return text


_SOURCE = Source(_text, "threads", ["adjoint_poll"] if _HAS_WORKERS else [])


class _Pool:
    """The code, and the functions of it that Python calls."""

    def __init__(self):
        names, symbols = ["adjoint_parallel", "adjoint_parallel_until"], {}
        if _HAS_WORKERS:
            process = ctypes.CDLL(None)
            symbols = {s: ctypes.cast(getattr(process, s), ctypes.c_void_p).value for s in (*_SYMBOLS, "memset")}
            symbols["adjoint_poll"] = interrupts.address("adjoint_poll")
            names += ["stop", "forget", "want"]
        self.library = compile_source(_SOURCE, names, QUICK, symbols)  # it waits rather than computes
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self.library))  # threads may be in it at any time
        if _HAS_WORKERS:
            self._stop = ctypes.CFUNCTYPE(None)(self.library.addresses["stop"])
            self._want = ctypes.CFUNCTYPE(None, ctypes.c_int64)(self.library.addresses["want"])
            self._want(count() - 1)
            atexit.register(self._stop)
            os.register_at_fork(after_in_child=ctypes.PYFUNCTYPE(None)(self.library.addresses["forget"]))

    def resize(self, n: int) -> None:
        if _HAS_WORKERS:
            self._stop()
            self._want(min(n, MAX_THREADS) - 1)


_pool = once(_Pool)


def prepare() -> None:
    """Make the code of the pool, if there are threads to be had, before the first big kernel needs it."""
    if count() > 1:
        _pool()


def resize(n: int) -> None:
    """Use `n` threads from now on."""
    _pool().resize(n)


for _name in ("adjoint_parallel", "adjoint_parallel_until"):
    on_demand(__name__, _name, lambda name=_name: _pool().library.addresses[name], lambda quick: (_SOURCE, QUICK))
