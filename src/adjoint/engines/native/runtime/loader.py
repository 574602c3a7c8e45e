"""Objects become code in memory: the linker for what LLVM writes on x86-64 outside of Windows and macOS.

LLVM's code model for code that may be anywhere leaves one kind of relocation, an address of 64 bits, so linking is to
copy the sections, to add addresses, and to make the code executable. A program that was compiled before needs no LLVM
therefore, which takes longer to load than such programs. Objects of another kind are for LLVM's linker (compiler.py).

Tests: `tests/engines/native/runtime/test_loader.py`.
"""

from __future__ import annotations

import ctypes
import mmap
from functools import cache, partial
from weakref import finalize

import numpy as np

__all__ = ["Code", "Object", "linkable"]

_HEADER = b"\x7fELF\x02\x01\x01", 1, 62  # 64 bits, little-endian; an object that is to be linked; x86-64
_SYMBOLS, _RELOCATIONS = 2, 4  # kinds of sections
_EMPTY = 8  # a section of zeros
_WRITABLE, _IN_MEMORY = 1, 2  # flags of sections
_UNWINDING = 0x70000001  # tables for exceptions, which no code of ours throws
_ADDRESS = 1  # the relocation that is an address of 64 bits
_NOWHERE, _FIRST_SPECIAL = 0, 0xFF00  # numbers of sections of symbols that are elsewhere, and that are in none
_ANYWHERE = ctypes.c_void_p(-1).value

_SECTION = np.dtype([
    ("name", "u4"), ("kind", "u4"), ("flags", "u8"), ("address", "u8"), ("offset", "u8"), ("size", "u8"),
    ("link", "u4"), ("target", "u4"), ("alignment", "u8"), ("entry", "u8"),
])
_SYMBOL = np.dtype([
    ("name", "u4"), ("info", "u1"), ("other", "u1"), ("section", "u2"), ("value", "u8"), ("size", "u8"),
])
_RELOCATION = np.dtype([("offset", "u8"), ("kind", "u4"), ("symbol", "u4"), ("addend", "i8")])


def linkable(image: bytes) -> Object | None:
    """Return an object that this module links; None for those of other kinds, which LLVM's linker knows."""
    magic, kind, machine = _HEADER
    number = lambda at: int.from_bytes(image[at : at + 2], "little")
    if not image.startswith(magic) or (number(16), number(18)) != (kind, machine):
        return None
    found = Object(image)
    for _, rows in found.relocations:
        if (rows["kind"] != _ADDRESS).any() or (found.symbols["section"][rows["symbol"]] >= _FIRST_SPECIAL).any():
            return None
    return found


class Object:
    """The parts of an object: sections, symbols and their names, and which bytes are addresses of what."""

    def __init__(self, image: bytes):
        self.image = image
        start, count = int.from_bytes(image[40:48], "little"), int.from_bytes(image[60:62], "little")
        self.sections = self._rows(_SECTION, start, count)
        kinds = self.sections["kind"].tolist()
        table = self.sections[kinds.index(_SYMBOLS)]
        self.symbols = self._rows(_SYMBOL, int(table["offset"]), int(table["size"]) // _SYMBOL.itemsize)
        self._names = int(self.sections[table["link"]]["offset"])
        self.loaded = [
            i for i, s in enumerate(self.sections) if s["flags"] & _IN_MEMORY and s["size"] and kinds[i] != _UNWINDING
        ]
        self.relocations = [
            (int(s["target"]), self._rows(_RELOCATION, int(s["offset"]), int(s["size"]) // _RELOCATION.itemsize))
            for s in self.sections if s["kind"] == _RELOCATIONS and s["target"] in self.loaded
        ]

    def _rows(self, dtype: np.dtype, start: int, count: int) -> np.ndarray:
        return np.frombuffer(self.image, dtype, count, start)

    def name(self, symbol: int) -> str:
        at = self._names + int(self.symbols[symbol]["name"])
        return self.image[at : self.image.index(0, at)].decode()

    def elsewhere(self) -> dict[int, str]:
        """Return the symbols that the code uses and does not have, by their numbers."""
        numbers = np.flatnonzero(self.symbols["section"] == _NOWHERE).tolist()
        return {i: name for i in numbers if (name := self.name(i))}


class Code:
    """The linked code of an object: `addresses` of its functions by name. Its memory is freed with it.

    Raises:
      RuntimeError: the object uses a symbol that is not given, or there is no memory for it.
    """

    __slots__ = ("__weakref__", "addresses")

    def __init__(self, found: Object, names: list[str], symbols: dict[str, int]):
        elsewhere = found.elsewhere()
        if unknown := [name for name in elsewhere.values() if name not in symbols]:
            raise RuntimeError(f"The code uses {', '.join(unknown)}, which it may not use.")
        places, fixed, size = _places(found)
        start = _memory(size)
        # While the interpreter ends, some of its last steps may still run the code.
        finalize(self, partial(_system().munmap, start, size)).atexit = False
        memory = np.frombuffer((ctypes.c_uint8 * size).from_address(start), np.uint8)
        for i, at in places.items():
            section = found.sections[i]
            if section["kind"] != _EMPTY:
                content = np.frombuffer(found.image, np.uint8, int(section["size"]), int(section["offset"]))
                memory[at : at + len(content)] = content
        starts = np.zeros(1 << 16, np.uint64)
        starts[list(places)] = [start + at for at in places.values()]
        values = starts[found.symbols["section"]] + found.symbols["value"]
        values[list(elsewhere)] = [symbols[name] for name in elsewhere.values()]
        for target, rows in found.relocations:
            written = (values[rows["symbol"]] + rows["addend"].view(np.uint64)).view(np.uint8).reshape(-1, 8)
            memory[places[target] + rows["offset"].astype(np.int64)[:, None] + np.arange(8)] = written
        if _system().mprotect(start, fixed, mmap.PROT_READ | mmap.PROT_EXEC):
            raise RuntimeError("The system lets no memory be made executable.")
        wanted = set(names)
        defined = np.flatnonzero(found.symbols["section"] != _NOWHERE).tolist()
        self.addresses = {name: int(values[i]) for i in defined if (name := found.name(i)) in wanted}


def _places(found: Object) -> tuple[dict[int, int], int, int]:
    """Return where each section is to be, the end of those that are not written to, and that of all."""
    at, places, ends = 0, {}, []
    for writable in (False, True):
        for i in found.loaded:
            section = found.sections[i]
            if bool(section["flags"] & _WRITABLE) == writable:
                at = _rounded(at, int(section["alignment"]))
                places[i] = at
                at += int(section["size"])
        at = _rounded(at, mmap.PAGESIZE)
        ends.append(at)
    return places, *ends


def _rounded(n: int, unit: int) -> int:
    return -(-n // max(unit, 1)) * max(unit, 1)


@cache
def _system() -> ctypes.CDLL:
    """Return the C library, with the types of what is called of it."""
    system = ctypes.CDLL(None)
    system.mmap.restype = ctypes.c_void_p
    system.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    system.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    system.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return system


def _memory(size: int) -> int:
    """Return the address of zeros, which are this process's alone."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    start = _system().mmap(None, size, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0)
    if start == _ANYWHERE:
        raise RuntimeError(f"The system gave no {size} bytes for code.")
    return start
