"""LLVM: the text of a module in, its object out; imported by the first text whose object is not on disk.

The text is vectorised already, so of LLVM's passes only those run that put local variables into registers and, in
code that is to stay, functions where they are called.

Tests: `tests/engines/native/runtime/test_cpu.py`.
"""

from __future__ import annotations

import ctypes
from contextlib import nullcontext
from functools import cache
from itertools import count
from threading import RLock

import llvmlite.binding as llvm

from ....core.process.locks import LIBRARIES, forks_take
from .cpu import CPU, FEATURES

__all__ = ["linked", "object_of"]

llvm.initialize_native_target()
llvm.initialize_native_asmprinter()

_FEATURE_TEXT = ",".join([f"{'+' if has else '-'}{name}" for name, has in sorted(FEATURES.items())])
_LIBRARIES_PER_LINKER = 16  # what is left of a library that was freed goes with its linker, after the last of these
_numbers = count()  # of libraries
_last: list = []  # the linker
_by_callers = RLock()  # code is made by one of the threads that wait for theirs; another one makes code apart


@cache
def _target(level: int, apart: bool):
    """Return what makes code of a level; `apart`: one for a thread of its own."""
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=CPU, features=_FEATURE_TEXT, opt=level, jit=True, reloc="default", codemodel="jitdefault"
    )


def _linker(number: int):
    """Return the linker of a library, by its number."""
    if number % _LIBRARIES_PER_LINKER:
        return _last[0]
    # Code for AArch64 reads constants only from within 4 GiB, and LLVM's older linker lays them elsewhere.
    is_near = llvm.get_default_triple().startswith(("aarch64", "arm64"))
    target = llvm.Target.from_default_triple().create_target_machine(cpu=CPU, features=_FEATURE_TEXT, jit=True)
    _last[:] = [llvm.create_lljit_compiler(target, use_jit_link=is_near)]
    return _last[0]


forks_take(LIBRARIES, _by_callers)
forks_take(LIBRARIES, llvm.ffi.lib._lock)  # which calls of LLVM take


def linked(image: bytes, names, symbols: dict[str, int]):
    """Return the linked code of an object, which is freed with what is returned: addresses by name."""
    builder = llvm.JITLibraryBuilder().add_object_img(image)
    for name in names:
        builder.export_symbol(name)
    for symbol, address in symbols.items():
        builder.import_symbol(symbol, address)
    number = next(_numbers)
    return builder.link(_linker(number), f"adjoint{number}")


def object_of(text: str, level: int, inlines: bool, apart: bool) -> bytes:
    """Compile a module.

    Args:
      level: of LLVM's code generator.
      inlines: whether functions that say so become part of those that call them.
      apart: whether this is done beside another thread that compiles too.
    """
    with nullcontext() if apart else _by_callers:
        module = llvm.parse_assembly(text, llvm.create_context())
        target = _target(level, apart)
        passes = llvm.create_new_module_pass_manager()
        if inlines:
            passes.add_always_inliner_pass()
        passes.add_sroa_pass()
        passes.run(module, llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(speed_level=1)))
        return _emitted(target, module)


def _emitted(target, module) -> bytes:
    """Return the object of a module in a context of its own, without the lock that llvmlite has around each of its
    calls.
    """
    library, error = llvm.ffi.lib, ctypes.c_char_p()
    try:
        emit, start, size, dispose = [
            getattr(library, f"LLVMPY_{name}")._cfn
            for name in ("TargetMachineEmitToMemory", "GetBufferStart", "GetBufferSize", "DisposeMemoryBuffer")
        ]
    except AttributeError:  # another llvmlite: others wait meanwhile
        return target.emit_object(module)
    buffer = emit(target, module, 1, ctypes.byref(error))
    if not buffer:
        raise RuntimeError(error.value)
    image = ctypes.string_at(start(buffer), size(buffer))
    dispose(buffer)
    return image
