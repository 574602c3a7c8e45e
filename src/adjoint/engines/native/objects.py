"""Compiled objects on disk, by the hash of all that decides their content.

They lie in `ADJOINT_CACHE_DIR` (default: the user's cache folder; `off` keeps none). A file is written beside
its place and moved there, so that no reader sees half of one, and starts with the hash of the rest: a damaged
one counts as absent. When the folder has grown over its bound, the files not read for longest go.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

__all__ = ["folder", "key", "load", "store"]

_BOUND = 256 << 20  # bytes
_CHECK_EVERY = 64  # stores
_stored = 0


def folder() -> Path | None:
    """Where the objects lie, or None if none are kept."""
    chosen = os.environ.get("ADJOINT_CACHE_DIR")
    if chosen == "off":
        return None
    if chosen:
        return Path(chosen) / "native"
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "adjoint" / "native"
    except RuntimeError:  # nobody's home
        return None


def key(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def load(key: str) -> bytes | None:
    """The object, or None."""
    where = folder()
    if where is None:
        return None
    try:
        data = (where / key).read_bytes()
    except OSError:
        return None
    digest, image = data[:32], data[32:]
    return image if hashlib.sha256(image).digest() == digest else None


def store(key: str, image: bytes) -> None:
    """Keep an object; a folder that cannot be written is no error."""
    global _stored
    where = folder()
    if where is None:
        return
    try:
        where.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=where, prefix=".")
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(image).digest() + image)
        os.replace(name, where / key)
        if _stored % _CHECK_EVERY == 0:
            _shrink(where)
        _stored += 1
    except OSError:
        pass


def _shrink(where: Path) -> None:
    entries = []
    for entry in os.scandir(where):
        found = entry.stat()
        entries.append((max(found.st_atime, found.st_mtime), found.st_size, entry.path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= _BOUND:
            return
        os.unlink(path)
        total -= size
