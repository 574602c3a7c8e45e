"""The cache on disk of what compilers made, by the hash of all that decides it.

It lies in a folder for each engine of the option `jax_compilation_cache_dir`, or of `ADJOINT_CACHE_DIR` (default: the
user's cache folder; `off` keeps none). A file is written beside its place and moved there, so that no reader sees half
of one, and starts with the hash of the rest: a damaged one counts as absent, and is replaced. When a folder has
grown over its bound, the files not read for longest go.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress

from ..core.options.config import local

__all__ = ["Store", "key"]

_MAX_CACHE_BYTES = 256 << 20  # bytes
_STORES_PER_CHECK = 64  # stores


def key(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


class Store:
    """The files of one engine."""

    def __init__(self, name: str):
        self.name = name
        self._stored = 0

    def folder(self) -> str | None:
        """Return where they lie, or None if none are kept."""
        if not local.enable_compilation_cache:
            return None
        chosen = local.compilation_cache_dir or os.environ.get("ADJOINT_CACHE_DIR")
        if chosen == "off":
            return None
        if chosen:
            return os.path.join(chosen, self.name)
        home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        return None if home.startswith("~") else os.path.join(home, "adjoint", self.name)  # nobody's home

    def has(self, key: str) -> bool:
        """Return whether there is a file, damaged or not."""
        where = self.folder()
        return where is not None and os.path.exists(os.path.join(where, key))

    def load(self, key: str) -> bytes | None:
        """The content, or None."""
        where = self.folder()
        if where is None:
            return None
        try:
            with open(path := os.path.join(where, key), "rb") as file:
                data = file.read()
            os.utime(path)  # it was read now, whatever the file system notes of that
        except OSError:
            return None
        digest, image = data[:32], data[32:]
        return image if hashlib.sha256(image).digest() == digest else None

    def store(self, key: str, image: bytes) -> None:
        """Keep a content; a folder that cannot be written is no error."""
        where = self.folder()
        if where is None:
            return
        try:
            os.makedirs(where, exist_ok=True)
            name = os.path.join(where, f".{os.urandom(8).hex()}")
            with open(name, "xb", opener=_only_ours) as file:
                file.write(hashlib.sha256(image).digest() + image)
            os.replace(name, os.path.join(where, key))
            if self._stored % _STORES_PER_CHECK == 0:
                _shrink(where)
            self._stored += 1
        except OSError:
            pass


def _only_ours(name: str, flags: int) -> int:
    """Open a file for nobody else to read."""
    return os.open(name, flags, 0o600)


def _shrink(where: str) -> None:
    """Remove the files that were not used for longest, until the others fit; other processes may do the same."""
    entries = []
    with os.scandir(where) as found:
        for entry in found:
            with suppress(FileNotFoundError):
                state = entry.stat()
                entries.append((max(state.st_atime, state.st_mtime), state.st_size, entry.path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= _MAX_CACHE_BYTES:
            return
        with suppress(FileNotFoundError):
            os.unlink(path)
        total -= size
