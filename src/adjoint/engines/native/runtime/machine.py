"""LLVM: the text of a module in, the addresses of its functions out.

The text is vectorised already, so of LLVM's passes only those run that put local variables into registers and, in
code that is to stay, functions where they are called.
Objects are kept on disk by their content (objects.py). A library sees no symbol of the process but those in
`_RUNTIME` and those of our own runtime (`on_demand`): code that would need another one is refused when it is
linked, and cannot jump anywhere.

Tests: `tests/engines/native/runtime/test_cpu.py`.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from collections.abc import Callable
from itertools import count

import llvmlite.binding as llvm

from ....core.process.locks import LIBRARIES, forks_take, once
from . import objects
from .cpu import chosen_cpu

__all__ = [
    "FINAL", "PROCESSOR", "QUICK", "VECTOR_BYTES", "Library", "compile_text", "function_in", "has_feature", "is_stored",
    "on_demand",
]

QUICK, FINAL = 0, 2  # levels of LLVM's code generator: five times as fast as the other; what is to be run often

llvm.initialize_native_target()
llvm.initialize_native_asmprinter()

_CPU, _FEATURES = chosen_cpu()
_FEATURE_TEXT = ",".join([f"{'+' if has else '-'}{name}" for name, has in sorted(_FEATURES.items())])
_VERSION = ".".join(map(str, llvm.llvm_version_info))

# What generated code may call: the C library's memory and mathematical functions, by LLVM's names.
_RUNTIME = """memcpy memmove memset fmod fmodf fma fmaf pow atan2 sin cos tan sinh cosh asin acos atan asinh
acosh atanh erf erfc lgamma cbrt hypot log10 nextafter nextafterf""".split()


def has_feature(name: str) -> bool:
    """Return whether the processor that code is made for has an instruction set, by LLVM's name."""
    return bool(_FEATURES.get(name, False))


VECTOR_BYTES = 64 if has_feature("avx512f") and has_feature("avx512bw") else 32 if has_feature("avx2") else 16
PROCESSOR = _CPU, _FEATURE_TEXT, _VERSION  # all of it that decides what code is made
_ATTRIBUTES = f'attributes #0 = {{ nounwind "prefer-vector-width"="{8 * VECTOR_BYTES}" "no-trapping-math"="true" }}\n'
_numbers = count()  # of libraries


def _target(level: int):
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=_CPU, features=_FEATURE_TEXT, opt=level, jit=True, reloc="default", codemodel="jitdefault"
    )


_TARGETS = {(level, apart): _target(level) for level in (QUICK, FINAL) for apart in (False, True)}
# Code for AArch64 reads constants and addresses only from within 4 GiB, and LLVM's older linker lays them elsewhere.
_LINKER = llvm.create_lljit_compiler(
    llvm.Target.from_default_triple().create_target_machine(cpu=_CPU, features=_FEATURE_TEXT, jit=True),
    use_jit_link=llvm.get_default_triple().startswith(("aarch64", "arm64")),
)
forks_take(LIBRARIES, llvm.ffi.lib._lock)  # which every call of LLVM takes


@once
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


def function_in(capsule) -> tuple[int, str]:
    """Return where the C function in one of Cython's capsules is, and its signature."""
    text, pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    text.restype, text.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    signature = text(capsule)
    return pointer(capsule, signature), signature.decode()


_own: dict[str, Callable[[], int]] = {}


def on_demand(symbol: str, address: Callable[[], int]) -> None:
    """Let generated code call a function of our own; it is made when the first code that calls it is linked."""
    _own[symbol] = address


class Library:
    """Linked code: `addresses` by name. The code is freed with the object."""

    __slots__ = ("_tracker", "addresses")

    def __init__(self, image: bytes, names, symbols: dict[str, int] | None = None):
        if symbols is None:
            own = {s: address() for s, address in _own.items() if s not in names and s.encode() in image}
            symbols = {**_symbols(), **own}
        builder = llvm.JITLibraryBuilder().add_object_img(image)
        for name in names:
            builder.export_symbol(name)
        for symbol, address in symbols.items():
            builder.import_symbol(symbol, address)
        self._tracker = builder.link(_LINKER, f"adjoint{next(_numbers)}")
        self.addresses = {name: self._tracker[name] for name in names}


def compile_text(
    text: str, names, level: int = FINAL, symbols: dict[str, int] | None = None, apart: bool = False
) -> Library:
    """Compile a module.

    Args:
      names: the functions that are called from outside.
      symbols: what it may call, if not the runtime.
      apart: whether this is done beside another thread that compiles too.
    """
    key = _key(text, level)
    image = objects.load(key)
    if image is not None:
        try:
            return Library(image, names, symbols)
        except RuntimeError:  # a damaged file: make it again
            pass
    image = _object(text + _ATTRIBUTES, level, apart)
    objects.store(key, image)
    return Library(image, names, symbols)


def is_stored(text: str, level: int) -> bool:
    """Return whether the code of a module is on disk."""
    return objects.has(_key(text, level))


def _key(text: str, level: int) -> str:
    return objects.key(text + _ATTRIBUTES, *PROCESSOR, str(level))


def _object(text: str, level: int, apart: bool = False) -> bytes:
    module = llvm.parse_assembly(text, llvm.create_context() if apart else None)
    target = _TARGETS[level, apart]
    passes = llvm.create_new_function_pass_manager()
    passes.add_sroa_pass()
    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(speed_level=1))
    if level == FINAL and " alwaysinline " in text:
        whole = llvm.create_new_module_pass_manager()
        whole.add_always_inliner_pass()
        whole.run(module, builder)
    for function in module.functions:
        if not function.is_declaration:
            passes.run(function, builder)
    return _emitted_apart(target, module) if apart else target.emit_object(module)


def _emitted_apart(target, module) -> bytes:
    """The object of a module in a context of its own, without the lock that llvmlite has around each of its calls."""
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
