"""LLVM: the text of a module in, the addresses of its functions out.

The text is vectorised already, so of LLVM's passes only the one runs that puts local variables into registers.
Objects are kept on disk by their content (objects.py). A library sees no symbol of the process but those in
`_RUNTIME` and those of our own runtime (`on_demand`): code that would need another one is refused when it is
linked, and cannot jump anywhere.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import sys
import threading
from collections.abc import Callable
from functools import cache

import llvmlite.binding as llvm

from . import objects

__all__ = ["Library", "VECTOR_BYTES", "compile_text", "has_feature", "on_demand"]

llvm.initialize_native_target()
llvm.initialize_native_asmprinter()

_CPU = llvm.get_host_cpu_name()
_FEATURES = llvm.get_host_cpu_features()
_VERSION = ".".join(map(str, llvm.llvm_version_info))

# What generated code may call: the C library's memory and mathematical functions, by LLVM's names.
_RUNTIME = """memcpy memmove memset fmod fmodf fma fmaf pow atan2 sin cos tan sinh cosh asin acos atan asinh
acosh atanh erf erfc lgamma cbrt log10 nextafter nextafterf""".split()


def has_feature(name: str) -> bool:
    """Whether the host has an instruction set, by LLVM's name."""
    return bool(_FEATURES.get(name, False))


def _vector_bytes() -> int:
    chosen = os.environ.get("ADJOINT_NATIVE_VECTOR_BITS")  # narrower than the host's, for tests
    if chosen:
        return int(chosen) // 8
    return 64 if has_feature("avx512f") and has_feature("avx512bw") else 32 if has_feature("avx2") else 16


VECTOR_BYTES = _vector_bytes()
_ATTRIBUTES = f'attributes #0 = {{ nounwind "prefer-vector-width"="{8 * VECTOR_BYTES}" "no-trapping-math"="true" }}\n'
_lock = threading.Lock()  # of the linker, and of the count of libraries
_count = 0


@cache
def _target(level: int):
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=_CPU, features=_FEATURES.flatten(), opt=level, jit=True, reloc="default", codemodel="jitdefault"
    )


@cache
def _linker():
    return llvm.create_lljit_compiler(
        llvm.Target.from_default_triple().create_target_machine(cpu=_CPU, features=_FEATURES.flatten(), jit=True)
    )


@cache
def _symbols() -> dict[str, int]:
    name = "ucrtbase" if sys.platform == "win32" else ctypes.util.find_library("m")
    libraries = [ctypes.CDLL(name), ctypes.CDLL(None if sys.platform != "win32" else name)]
    found = {}
    for symbol in _RUNTIME:
        for library in libraries:
            if hasattr(library, symbol):
                found[symbol] = ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value
                break
    return found


_own: dict[str, Callable[[], int]] = {}


def on_demand(symbol: str, address: Callable[[], int]) -> None:
    """Let generated code call a function of our own; it is made when the first code that calls it is linked."""
    _own[symbol] = address


class Library:
    """Linked code: `addresses` by name. The code is freed with the object."""

    __slots__ = ("_tracker", "addresses")

    def __init__(self, image: bytes, names, symbols: dict[str, int] | None = None):
        global _count
        if symbols is None:
            own = {s: address() for s, address in _own.items() if s not in names and s.encode() in image}
            symbols = {**_symbols(), **own}
        with _lock:
            _count += 1
            builder = llvm.JITLibraryBuilder().add_object_img(image)
            for name in names:
                builder.export_symbol(name)
            for symbol, address in symbols.items():
                builder.import_symbol(symbol, address)
            self._tracker = builder.link(_linker(), f"adjoint{_count}")
            self.addresses = {name: self._tracker[name] for name in names}


def compile_text(text: str, names, level: int = 2, symbols: dict[str, int] | None = None) -> Library:
    """Compile a module; `names` are the functions that are called from outside, `symbols` what it may call instead."""
    text += _ATTRIBUTES
    key = objects.key(text, _CPU, _FEATURES.flatten(), _VERSION, str(level))
    image = objects.load(key)
    if image is None:
        image = _object(text, level)
        objects.store(key, image)
        return Library(image, names, symbols)
    try:
        return Library(image, names, symbols)
    except RuntimeError:  # a damaged file: make it again
        image = _object(text, level)
        objects.store(key, image)
        return Library(image, names, symbols)


def _object(text: str, level: int) -> bytes:
    module = llvm.parse_assembly(text)
    target = _target(level)
    passes = llvm.create_new_function_pass_manager()
    passes.add_sroa_pass()
    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(speed_level=1))
    for function in module.functions:
        if not function.is_declaration:
            passes.run(function, builder)
    return target.emit_object(module)
