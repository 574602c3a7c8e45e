"""The code of the runtime and of programs: the text of a module in, the addresses of its functions out.

Objects are kept on disk by their content (objects.py); what is not there is compiled by LLVM, which is loaded then
(compiler.py). A library sees no symbol of the process but those in `_RUNTIME` and those of our own runtime
(`on_demand`): code that would need another one is refused when it is linked, and cannot jump anywhere.

Tests: `tests/engines/native/runtime/test_cpu.py`.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from . import loader, objects
from .cpu import CPU, FEATURES, VERSION

__all__ = [
    "FINAL", "PROCESSOR", "QUICK", "VECTOR_BYTES", "Library", "Source", "compile_source", "compile_text", "function_in",
    "has_feature", "is_stored", "on_demand", "owners",
]

QUICK, FINAL = 0, 2  # levels of LLVM's code generator: five times as fast as the other; what is to be run often

_FEATURE_TEXT = ",".join([f"{'+' if has else '-'}{name}" for name, has in sorted(FEATURES.items())])

# What generated code may call: the C library's memory and mathematical functions, by LLVM's names.
_RUNTIME = """memcpy memmove memset fmod fmodf fma fmaf pow atan2 sin cos tan sinh cosh asin acos atan asinh
acosh atanh erf erfc lgamma cbrt hypot log10 nextafter nextafterf""".split()


def has_feature(name: str) -> bool:
    """Return whether the processor that code is made for has an instruction set, by LLVM's name."""
    return bool(FEATURES.get(name, False))


VECTOR_BYTES = 64 if has_feature("avx512f") and has_feature("avx512bw") else 32 if has_feature("avx2") else 16
PROCESSOR = CPU, _FEATURE_TEXT, VERSION  # all of it that decides what code is made
_ATTRIBUTES = f'attributes #0 = {{ nounwind "prefer-vector-width"="{8 * VECTOR_BYTES}" "no-trapping-math"="true" }}\n'


@cache
def _in_process(symbol: str) -> int | None:
    """Return the address of a function of the C library, or None if it has none of this name."""
    for library in _libraries():
        if (function := getattr(library, symbol, None)) is not None:
            return ctypes.cast(function, ctypes.c_void_p).value
    return None


def _libraries() -> Iterator[ctypes.CDLL]:
    if sys.platform == "win32":
        yield ctypes.CDLL("ucrtbase")
        return
    yield ctypes.CDLL(None)
    from ctypes.util import find_library  # which asks programs of the system

    yield ctypes.CDLL(find_library("m"))


def function_in(capsule) -> tuple[int, str]:
    """Return where the C function in one of Cython's capsules is, and its signature."""
    text, pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    text.restype, text.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    signature = text(capsule)
    return pointer(capsule, signature), signature.decode()


_own: dict[str, tuple[str, Callable[[], int]]] = {}  # by symbol: the module that has the function, and its address


def on_demand(module: str, symbol: str, address: Callable[[], int]) -> None:
    """Let generated code call a function of our own, of a module; it is made when code that calls it is linked."""
    _own[symbol] = module, address


def owners(symbols: Iterable[str]) -> set[str]:
    """Return the names of the modules that have some symbols: code that uses these is linked where they are imported.
    """
    return {_own[symbol][0] for symbol in symbols if symbol in _own}


def _known(wanted: Collection[str], names: list[str]) -> dict[str, int]:
    """Return the addresses of those symbols that generated code may use."""
    ours = {s: _own[s][1]() for s in wanted if s in _own and s not in names}
    others = {s: address for s in _RUNTIME if s in wanted and (address := _in_process(s)) is not None}
    return {**others, **ours}


class Library:
    """Linked code: `addresses` by name, and the symbols that it uses. The code is freed with the object."""

    __slots__ = ("_code", "addresses", "uses")

    def __init__(self, image: bytes, names: list[str], symbols: dict[str, int] | None = None):
        if (found := loader.linkable(image)) is not None:
            self.uses = frozenset(found.elsewhere().values())
            if symbols is None:
                symbols = _known(self.uses, names)
            self._code = loader.Code(found, names, symbols)
            self.addresses = self._code.addresses
        else:
            from .compiler import linked

            self.uses = frozenset([s for s in (*_own, *_RUNTIME) if s.encode() in image])
            if symbols is None:
                symbols = _known(self.uses, names)
            self._code = linked(image, names, symbols)
            self.addresses = {name: self._code[name] for name in names}


class Source(NamedTuple):
    """The text of a module, written when code is made of it; `name`: what tells it from others of these files, if they
    decide it.
    """

    text: Callable[[], str]
    name: str = ""

    def key(self, level: int) -> str:
        """Return the key of its code on disk."""
        files = objects.state_of_the_code() if self.name else None
        decides = self.text() if files is None else f"{self.name}\0{files}"
        return objects.key(decides + _ATTRIBUTES, *PROCESSOR, str(level))


def compile_source(
    source: Source, names, level: int = FINAL, symbols: dict[str, int] | None = None, apart: bool = False
) -> Library:
    """Compile a module.

    Args:
      names: the functions that are called from outside.
      symbols: what it may call, if not the runtime.
      apart: whether this is done beside another thread that compiles too.
    """
    def make() -> bytes:
        from .compiler import object_of

        text = source.text()
        return object_of(text + _ATTRIBUTES, level, level == FINAL and " alwaysinline " in text, apart)

    image = make() if objects.folder() is None else objects.find(source.key(level), make)
    return Library(image, names, symbols)


def compile_text(
    text: str, names, level: int = FINAL, symbols: dict[str, int] | None = None, apart: bool = False
) -> Library:
    """Compile a module whose text is there."""
    return compile_source(Source(lambda: text), names, level, symbols, apart)


def is_stored(source: Source, level: int) -> bool:
    """Return whether the code of a module is on disk."""
    return objects.folder() is not None and objects.has(source.key(level))
