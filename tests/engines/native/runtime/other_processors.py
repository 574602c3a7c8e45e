"""Objects for AArch64 from the text that a machine with vectors of 128 bits gets: a process of `test_cpu.py`.

LLVM makes them anywhere. It prints the bytes of a vector, how many texts are of x86 alone, how many objects are made,
and how many of these have vectors.
"""

from __future__ import annotations

import json
from unittest import mock

import llvmlite.binding as llvm
from tests.engines.stress import PROGRAMS, operand

import adjoint as ax
from adjoint.engines.native.runtime import compiler, machine

NAMES = """
    softmax|transposed|halves|complex|large|larger product|product of integers|convolution|depthwise|eigh|sort|top|
    running|scatter|transform|lanes|while|normal|errors|incomplete
"""


def main() -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple("aarch64-unknown-linux-gnu").create_target_machine(
        cpu="generic", opt=machine.FINAL, jit=True, reloc="default", codemodel="jitdefault")
    texts: list[str] = []
    made_here = compiler.object_of
    with mock.patch.object(compiler, "object_of", lambda text, *rest: texts.append(text) or made_here(text, *rest)):
        for name in NAMES.strip().split("|"):
            ax.jit(PROGRAMS[name.strip()])(operand(9))
    vectors = 0
    common = [text for text in dict.fromkeys(texts) if "llvm.x86." not in text]  # the pool pauses in a way of x86
    for text in common:
        module = llvm.parse_assembly(text)
        module.triple = "aarch64-unknown-linux-gnu"
        assert target.emit_object(module)[:4] == b"\x7fELF"
        vectors += ".4s" in target.emit_assembly(module)
    print(json.dumps([machine.VECTOR_BYTES, len(set(texts)) - len(common), len(common), vectors]))


if __name__ == "__main__":
    main()
