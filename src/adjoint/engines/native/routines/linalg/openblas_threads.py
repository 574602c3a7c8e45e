"""OpenBLAS's own threads, which small factorizations are kept from.

Its threads spin for each other after every product of a block, which on a processor that others use costs a hundred
times what the products of a matrix of 200 columns do. So calls for small matrices hold OpenBLAS to one thread while
any of them runs, and then give back the number that it had. (With several threads the last bits of results differ.)

Tests: `tests/engines/native/routines/linalg/test_factorizations.py`.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import contextmanager

from .....core.process.locks import once
from .....prims.matrices import scipy_module
from ...runtime.machine import QUICK, compile_text, on_demand
from ..base import Code

__all__ = ["in_one_thread"]

_MIN_LENGTH_TO_HOLD, _MAX_LENGTH_TO_HOLD = 33, 256  # of matrices for which threads are started and of no use

_TEXT = """
@lock = global i32 0, align 64
@users = global i32 0
@before = global i32 0
declare i32 @get_threads()
declare void @set_threads(i32)

define void @forget() #0 {
entry:
  store i32 0, ptr @users
  store atomic i32 0, ptr @lock release, align 4
  ret void
}

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
define void @NAME() #0 {
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
_NAMES = ("blas_hold", "blas_release")


def _text() -> str:
    parts = [_TEXT]
    for name, step, count, action in zip(_NAMES, ("1", "-1"), ("%users", "%left"), (_HOLD, _RELEASE)):
        text = _USER.replace("NAME", name).replace("STEP", step)
        parts.append(text.replace("COUNT", count).replace("ACTION", action))
    return "".join(parts)


@once
def _library():
    """Return what changes the number of threads, or nothing where SciPy is built with another library."""
    found = ctypes.CDLL(scipy_module("cython_lapack").__file__)  # which its libraries are looked up through
    for pattern in ("scipy_openblas_%s_num_threads", "openblas_%s_num_threads"):
        if all([hasattr(found, pattern % verb) for verb in ("get", "set")]):
            address = lambda verb, pattern=pattern: ctypes.cast(getattr(found, pattern % verb), ctypes.c_void_p).value
            symbols = {f"{verb}_threads": address(verb) for verb in ("get", "set")}
            made = compile_text(_text(), [*_NAMES, "forget"], QUICK, symbols)
            if hasattr(os, "register_at_fork"):  # a child does not have the threads that would release it
                os.register_at_fork(after_in_child=ctypes.CFUNCTYPE(None)(made.addresses["forget"]))
            return made
    nothing = [f"define void @{name}() #0 {{\n  ret void\n}}\n" for name in _NAMES]
    return compile_text("".join(nothing), _NAMES, QUICK, {})


for _name in _NAMES:
    on_demand(__name__, _name, lambda name=_name: _library().addresses[name])


@contextmanager
def in_one_thread(code: Code, *lengths: int):
    """Around calls for matrices of these lengths."""
    holds = _MIN_LENGTH_TO_HOLD <= max(lengths) <= _MAX_LENGTH_TO_HOLD
    if holds:
        code.module.declarations |= {"declare void @blas_hold()", "declare void @blas_release()"}
        code.line("call void @blas_hold()")
    yield
    if holds:
        code.line("call void @blas_release()")
