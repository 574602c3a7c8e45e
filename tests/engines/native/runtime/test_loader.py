"""Objects that are linked without LLVM."""

from __future__ import annotations

import ctypes
import gc
import subprocess
import sys

import numpy as np
import pytest
from tests.modes import PLAIN

from adjoint.engines.native.runtime import loader
from adjoint.engines.native.runtime.compiler import linked, object_of

# Constants, a table of places to jump to, words that are zero at first and others, a call, and a function for inside.
TEXT = """
@zeros = global [5 x i64] zeroinitializer, align 64
@words = global [2 x i64] [i64 7, i64 8], align 16
@text = constant [3 x i8] c"abc"
declare double @outside(double)

define internal double @half(double %x) noinline nounwind {
  %y = fmul double %x, 0.4375
  ret double %y
}

define double @f(double %x) nounwind {
  %y = call double @outside(double %x)
  %z = call double @half(double %y)
  ret double %z
}

define i64 @count(i64 %i) nounwind {
  %at = getelementptr i64, ptr @zeros, i64 3
  %old = load i64, ptr %at
  %new = add i64 %old, 1
  store i64 %new, ptr %at
  %word.at = getelementptr i64, ptr @words, i64 1
  %word = load i64, ptr %word.at
  %letter.at = getelementptr i8, ptr @text, i64 2
  %letter = load i8, ptr %letter.at
  %wide = zext i8 %letter to i64
  %sum = add i64 %new, %word
  %all = add i64 %sum, %wide
  ret i64 %all
}

define i64 @chosen(i64 %i) nounwind {
entry:
  switch i64 %i, label %other [ i64 0, label %a i64 1, label %b i64 2, label %c i64 3, label %d i64 4, label %e ]
a:
  ret i64 31
b:
  ret i64 17
c:
  ret i64 5
d:
  ret i64 77
e:
  ret i64 2
other:
  ret i64 -1
}
"""
NAMES = ["f", "count", "chosen"]
outside = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda x: x + 1)
SYMBOLS = {"outside": ctypes.cast(outside, ctypes.c_void_p).value or 0}


def image(level):
    made = object_of(TEXT, level, False, False)
    if loader.linkable(made) is None:
        pytest.skip("objects of this machine are linked by LLVM")
    return made


def code(made, symbols):
    return loader.Code(loader.linkable(made), NAMES, symbols)


def answers(addresses):
    f = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(addresses["f"])
    count, chosen = [ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(addresses[name]) for name in NAMES[1:]]
    return f(3.0), count(0), count(0), [chosen(i) for i in range(-1, 6)]


@pytest.mark.parametrize("level", [0, 2])
def test_code_does_what_it_does_when_llvm_links_it(level):
    made = image(level)
    first, second = [code(made, SYMBOLS) for _ in range(2)]
    by_llvm = linked(made, NAMES, SYMBOLS)
    expected = 1.75, 8 + 99 + 1, 8 + 99 + 2, [-1, 31, 17, 5, 77, 2, -1]
    for addresses in (first.addresses, second.addresses, {name: by_llvm[name] for name in NAMES}):
        assert answers(addresses) == expected  # each has words of its own


def test_code_that_uses_what_it_may_not_is_refused():
    made = image(0)
    assert [*loader.linkable(made).elsewhere().values()] == ["outside"]
    with pytest.raises(RuntimeError, match="outside"):
        code(made, {})


def test_objects_of_other_kinds_are_for_llvm():
    made = image(0)
    assert loader.linkable(b"\x7fELF") is None and loader.linkable(made[:16] + b"\2" + made[17:]) is None
    relative = 2  # a relocation that is a distance of 32 bits
    kinds = [rows.__array_interface__["data"][0] for _, rows in loader.linkable(made).relocations]
    at = kinds[0] - np.frombuffer(made, np.uint8).__array_interface__["data"][0] + 8
    assert loader.linkable(made[:at] + bytes([relative]) + made[at + 1 :]) is None


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_memory_of_code_is_freed_with_it():
    def mapped(address):
        with open("/proc/self/maps") as file:
            ranges = [[int(x, 16) for x in line.split()[0].split("-")] for line in file]
        return any([low <= address < high for low, high in ranges])

    made = code(image(0), SYMBOLS)
    address = made.addresses["f"]
    assert mapped(address)
    del made
    gc.collect()
    assert not mapped(address)


PROGRAM = """
import sys
import adjoint as ax, adjoint.numpy as jnp
f = ax.jit(lambda x: jnp.sin(x) * x.sum())
g = ax.jit(lambda x: (x @ x).sum())
for x in (jnp.arange(3.), jnp.arange(2000.)):
    print(float(f(x)[1]), float(g(x[:4].reshape(2, 2)) if x.size > 3 else 0))
print(sorted({"llvmlite", "adjoint.engines.native.program.table", "adjoint.engines.native.kernels.emitter"}
             & set(sys.modules)), *sorted(set(sys.modules) & {"tempfile", "pathlib", "subprocess"}))
"""


def test_a_program_that_was_compiled_before_loads_no_compiler(tmp_path):
    environment = {**PLAIN, "ADJOINT_CACHE_DIR": str(tmp_path), "ADJOINT_CPU_ENGINE": "native"}
    runs = [
        subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    first, second = [run.stdout.splitlines() for run in runs]
    assert first[:-1] == second[:-1]
    assert "llvmlite" in first[-1]
    if loader.linkable(object_of(TEXT, 0, False, False)):
        assert second[-1] == "[]"
