"""The code of the runtime and of programs: the text of a module in, the addresses of its functions out.

Objects are kept on disk by their content (objects.py); what is not there is compiled by LLVM, which is loaded then
(compiler.py). A library sees no symbol of the process but those in `_RUNTIME` and those of our own runtime
(`on_demand`): code that would need another one is refused when it is linked, and cannot jump anywhere.

Tests: `tests/engines/native/runtime/test_cpu.py`.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache, partial
from threading import RLock
from typing import Any

from ....core.process.records import NamedTuple
from . import loader, objects
from .cpu import CPU, FEATURES, VERSION

__all__ = [
    "FINAL", "PROCESSOR", "QUICK", "VECTOR_BYTES", "Library", "Source", "begin", "compile_source", "compile_text",
    "function_in", "has_feature", "image_of", "is_stored", "on_demand", "owners",
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


class _Own(NamedTuple):
    """A function of our own: the module of Python that has it, its address, and what code is made for it first."""

    module: str
    address: Callable[[], int]
    first: Callable[[bool], tuple[Source, int] | None]


_own: dict[str, _Own] = {}  # by symbol


def on_demand(module: str, symbol: str, address: Callable[[], int], first=lambda quick: None) -> None:
    """Let generated code call a function of our own, of a module; it is made when code that calls it is linked.

    Args:
      first: gives the source and the level that are compiled then, if that may be begun before; `quick`: whether
        what calls it is made quickly.
    """
    _own[symbol] = _Own(module, address, first)


def owners(symbols: Iterable[str]) -> set[str]:
    """Return the names of the modules that have some symbols: code that uses these is linked where they are imported.
    """
    return {_own[symbol].module for symbol in symbols if symbol in _own}


def _known(wanted: Collection[str], names: list[str]) -> dict[str, int]:
    """Return the addresses of those symbols that generated code may use."""
    ours = {s: _own[s].address() for s in wanted if s in _own and s not in names}
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
    decide it; `calls`: functions of our own that it calls.
    """

    text: Callable[[], str]
    name: str = ""
    calls: Sequence[str] = ()

    def key(self, level: int) -> str:
        """Return the key of its code on disk."""
        files = objects.state_of_the_code() if self.name else None
        decides = self.text() if files is None else f"{self.name}\0{files}"
        return objects.key(decides + _ATTRIBUTES, *PROCESSOR, str(level))


class _Begun:
    """The object of a source, made by the first thread that comes to it; the source's text waits for no other thread.
    """

    def __init__(self, source: Source, level: int):
        self._source, self._level, self._lock, self._image = source, level, RLock(), b""

    def made(self, apart: bool, waits: bool = True) -> bytes:
        """Return it; nothing if another thread makes it and this one is not to wait."""
        if not self._lock.acquire(blocking=False):
            if not waits:
                return b""
            if not apart:
                for other in [*_begun.values()]:
                    _ = other and other.made(apart, waits=False)
            self._lock.acquire()
        try:
            self._image = self._image or _image(self._source, self._level, apart)
            return self._image
        finally:
            self._lock.release()


_begun: dict[tuple[str, int], _Begun | None] = {}  # by the name of the source and the level; None: it was asked for


def begin(symbols: Iterable[str], quick: bool) -> list[Callable[[], Any]]:
    """Return tasks for another thread: to compile functions of ours while code that calls them is written and compiled.
    """
    tasks: list[Callable[[], Any]] = []
    for symbol in symbols:
        wanted = _own[symbol].first(quick) if symbol in _own else None
        if wanted is None or (key := (wanted[0].name, wanted[1])) in _begun or is_stored(*wanted):
            continue
        _begun[key] = begun = _Begun(*wanted)
        tasks += [partial(begun.made, True), *begin(wanted[0].calls, quick)]
    return tasks


def _image(source: Source, level: int, apart: bool) -> bytes:
    def make() -> bytes:
        from .compiler import object_of

        text = source.text()
        return object_of(text + _ATTRIBUTES, level, level == FINAL and " alwaysinline " in text, apart)

    return make() if objects.folder() is None else objects.find(source.key(level), make)


def image_of(source: Source, level: int, apart: bool = False) -> bytes:
    """Return the object of a module; `apart`: it is made beside another thread that compiles too."""
    begun = _begun.get((source.name, level))
    image = begun.made(apart) if begun else _image(source, level, apart)
    if source.name:
        _begun[source.name, level] = None
    return image


def compile_source(
    source: Source, names, level: int = FINAL, symbols: dict[str, int] | None = None, apart: bool = False
) -> Library:
    """Compile a module.

    Args:
      names: the functions that are called from outside.
      symbols: what it may call, if not the runtime.
      apart: whether this is done beside another thread that compiles too.
    """
    return Library(image_of(source, level, apart), names, symbols)


def compile_text(
    text: str, names, level: int = FINAL, symbols: dict[str, int] | None = None, apart: bool = False
) -> Library:
    """Compile a module whose text is there."""
    return compile_source(Source(lambda: text), names, level, symbols, apart)


def is_stored(source: Source, level: int) -> bool:
    """Return whether the code of a module is on disk."""
    return objects.folder() is not None and objects.has(source.key(level))
