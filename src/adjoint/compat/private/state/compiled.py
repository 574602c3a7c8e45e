"""Compiled programs in files: names of `jax._src.compilation_cache`, `cache_key` and `lru_cache`.

Tests: `tests/compat/test_private_state.py`.
"""

from __future__ import annotations

import enum
import os
import zlib
from collections.abc import Iterable
from pathlib import Path

from ....core.options.config import config
from ....experimental.compilation_cache.compilation_cache import set_cache_dir

__all__ = [
    "CacheInterface", "CacheVerificationError", "IgnoreCallbacks", "LRUCache", "add_flag_prefixes",
    "clear_flag_prefixes", "combine_executable_and_time", "compress_executable", "custom_hook",
    "decompress_executable", "default_min_cache_entry_size", "extract_executable_and_time", "get_file_cache",
    "get_flag_prefixes", "initialize_cache", "is_persistent_cache_enabled",
]


def is_persistent_cache_enabled() -> bool:
    """Return whether a folder for compiled programs is set, and in use."""
    return config.jax_compilation_cache_dir is not None and bool(config.jax_enable_compilation_cache)


initialize_cache = set_cache_dir


def default_min_cache_entry_size() -> int:
    """Return how many bytes a program must have to be kept."""
    return 0


def compress_executable(executable: bytes) -> bytes:
    """Return bytes, compressed."""
    return zlib.compress(executable)


def decompress_executable(executable: bytes) -> bytes:
    """Return what was compressed."""
    return zlib.decompress(executable)


def combine_executable_and_time(serialized_executable: bytes, compile_time: int) -> bytes:
    """Return a program with the seconds that it took in front, in four bytes."""
    return int(compile_time).to_bytes(4, byteorder="big") + serialized_executable


def extract_executable_and_time(executable_and_time: bytes) -> tuple[bytes, int]:
    """Return the program and the seconds of `combine_executable_and_time`."""
    return executable_and_time[4:], int.from_bytes(executable_and_time[:4], byteorder="big")


class CacheVerificationError(RuntimeError):
    """A program on disk differs from the one that was compiled now."""

    def __init__(self, message: str, cache_key: str, executable_on_disk: bytes, executable_new: bytes):
        super().__init__(message)
        self.cache_key, self.executable_on_disk = cache_key, executable_on_disk
        self.executable_new = executable_new


class CacheInterface:
    """A folder in which bytes are kept by a key."""

    _path: Path

    def get(self, key: str) -> bytes | None:
        """Return what is kept by a key, or None."""
        raise NotImplementedError(f"{type(self).__name__} keeps nothing. Write its method get(self, key).")

    def put(self, key: str, value: bytes) -> None:
        """Keep bytes by a key."""
        raise NotImplementedError(f"{type(self).__name__} keeps nothing. Write its method put(self, key, value).")


class LRUCache(CacheInterface):
    """Files in a folder; where they are too many bytes, those that were not read for longest go first.

    Args:
      path: the folder, which is made.
      max_size: how many bytes it may have; -1 for any number.
      lock_timeout_secs: is not read.
    """

    def __init__(self, path: str, *, max_size: int, lock_timeout_secs: float | None = 10):
        self.path = self._path = Path(path)
        self.max_size, self.lock_timeout_secs = max_size, lock_timeout_secs
        self.eviction_enabled = max_size != -1
        self.path.mkdir(parents=True, exist_ok=True)

    def _file(self, key: str) -> Path:
        if not key:
            raise ValueError("key cannot be empty")
        return self.path / f"{key}-cache"

    def get(self, key: str) -> bytes | None:
        """Return what is kept by a key, or None."""
        file = self._file(key)
        if not file.exists():
            return None
        os.utime(file)
        return file.read_bytes()

    def put(self, key: str, val: bytes) -> None:
        """Keep bytes by a key that has none; nothing if they are more than the folder may have."""
        file = self._file(key)
        if self.eviction_enabled:
            if len(val) > self.max_size:
                return
            self._make_room(len(val))
        if not file.exists():
            whole = file.with_name(f"{file.name}.{os.getpid()}")
            whole.write_bytes(val)
            whole.replace(file)  # a reader meanwhile finds all of it or nothing

    def _make_room(self, size: int) -> None:
        files = sorted(self.path.glob("*-cache"), key=lambda f: f.stat().st_atime_ns)
        total = sum([f.stat().st_size for f in files])
        for file in files:
            if total + size <= self.max_size:
                return
            total -= file.stat().st_size
            file.unlink(missing_ok=True)


def get_file_cache(path: str) -> tuple[CacheInterface, str] | None:
    """Return what keeps bytes in a folder, and the folder."""
    return LRUCache(path, max_size=config.jax_compilation_cache_max_size), path


# ---- keys ----------------------------------------------------------------------------------------


class IgnoreCallbacks(enum.IntEnum):
    """The callbacks that a key leaves out."""

    NO = 1
    ALL = 2
    CUSTOM_PARTITIONING = 3


_prefixes: list[str] = []


def custom_hook() -> str:
    """Return what users add to all keys: tests replace this function."""
    return ""


def add_flag_prefixes(flag_prefixes: Iterable[str]) -> None:
    """Add beginnings of flags that keys are made of."""
    _prefixes.extend(flag_prefixes)


def clear_flag_prefixes() -> None:
    """Forget all of them."""
    _prefixes.clear()


def get_flag_prefixes() -> list[str]:
    """Return the beginnings of flags that keys are made of."""
    return _prefixes
