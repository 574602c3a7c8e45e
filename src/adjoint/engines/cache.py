"""The cache on disk of what compilers made, by the hash of all that decides it.

There is a folder for each engine in that of the option `jax_compilation_cache_dir`, or of `ADJOINT_CACHE_DIR` (default:
the user's cache folder; `off` keeps none). It holds machine code, so it is made for its owner alone, and one that
another user owns or may write to is not used, with a warning. One that was named and cannot be made or written to is
warned of too, and programs are compiled in each process. A file is written beside its place and moved there, so
that no reader sees half of one, and starts with the hash of its name and the rest: a damaged one, and one that stood
under another name, count as absent, and are replaced. When a folder has grown over its bound, the files not read for
longest go. Of the processes that miss the same file at the same time one makes it, and the others wait for it.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from contextlib import suppress

try:
    import fcntl
except ImportError:  # not on this system: each process makes what it misses
    fcntl = None
try:
    from _blake2 import blake2b  # as `hashlib` has it, which loads OpenSSL too
except ImportError:
    from hashlib import blake2b

from ..core.messages.errors import message, warn
from ..core.options.config import local

__all__ = ["Store", "digest", "key", "refusal_of"]

_MAX_CACHE_BYTES = 256 << 20  # bytes
_MAX_FILE_BYTES = 64 << 20  # bytes
_STORES_PER_CHECK = 64  # stores
_MAX_SECONDS_OF_WRITING = 3600  # seconds, after which the beginning of a file is removed: its writer was killed
_PREFIX = "."  # of files that are being written
_LOCK = "lock-"  # the beginning of the names of files that are locked, and stay empty
_MAX_SECONDS_TO_WAIT = 20  # seconds for another process that makes what this one needs
_SECONDS_BETWEEN_LOOKS = 0.002  # seconds
_DIGEST = 32  # bytes

_refused: set[str] = set()  # folders that a warning named


def digest(data: bytes, size: int = _DIGEST) -> bytes:
    """Return so many bytes that no other data have."""
    return blake2b(data, digest_size=size).digest()


def key(*parts: str) -> str:
    return digest("\0".join(parts).encode()).hex()


def _digest(key: str, image: bytes) -> bytes:
    return digest(key.encode() + b"\0" + image)


class Store:
    """The files of one engine."""

    def __init__(self, name: str):
        self.name = name
        self._stored = 0

    def folder(self) -> str | None:
        """Return the folder that they are in, or None if none are kept."""
        if not local.enable_compilation_cache:
            return None
        chosen = _chosen()
        if chosen == "off":
            return None
        if chosen:
            return os.path.join(chosen, self.name)
        home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        return None if home.startswith("~") else os.path.join(home, "adjoint", self.name)  # the user has no home

    def has(self, key: str) -> bool:
        """Return whether there is a file, damaged or not."""
        where = self.folder()
        return where is not None and os.path.exists(os.path.join(where, key)) and _is_private(where)

    def load(self, key: str) -> bytes | None:
        """Return the content, or None."""
        where = self.folder()
        if where is None:
            return None
        try:
            with open(path := os.path.join(where, key), "rb") as file:
                found = os.fstat(file.fileno())  # of this file, even if the folder is another one by now
                if not _is_private(where) or not _is_own(found) or not _DIGEST <= found.st_size <= _MAX_FILE_BYTES:
                    return None
                data = file.read(_MAX_FILE_BYTES)
            os.utime(path)  # it was read now, whatever the file system notes of that
        except OSError:
            return None
        return data[_DIGEST:] if _is_whole(key, data) else None

    def is_damaged(self, key: str) -> bool:
        """Return whether a file is there and is not as it was written; one that cannot be read is not judged."""
        where = self.folder()
        if where is None:
            return False
        try:
            with open(os.path.join(where, key), "rb") as file:
                return not _is_whole(key, file.read())
        except OSError:  # removed meanwhile by another process, or another user's
            return False

    def find(self, key: str, make: Callable[[], bytes]) -> bytes:
        """Return the content, which `make` gives if there is none, in one process at a time."""
        image = self.load(key)
        if image is not None:
            return image
        lock = self._lock(key)
        try:
            image = None if lock is None else self.load(key)  # another process may have made it meanwhile
            if image is None:
                image = make()
                self.store(key, image)
            return image
        finally:
            if lock is not None:
                fcntl.flock(lock, fcntl.LOCK_UN)  # a child may have the file too
                os.close(lock)

    def _lock(self, key: str) -> int | None:
        """Return a file that no other process has locked, or, after a time, has; None if there is no such thing.

        The system gives the lock of a process that dies to the next one.
        """
        where = self.folder()
        if where is None or fcntl is None:
            return None
        try:
            _make(where)
            if not _is_private(where):
                return None
            lock = os.open(os.path.join(where, f"{_LOCK}{key[:2]}"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            _warn_of_unwritable(where, error)
            return None
        try:
            _wait(lock)
        except BaseException:
            os.close(lock)
            raise
        return lock

    def store(self, key: str, image: bytes) -> None:
        """Keep a content; a folder that cannot be written is warned of."""
        where = self.folder()
        if where is None or len(image) + _DIGEST > _MAX_FILE_BYTES:
            return
        try:
            _make(where)
            if not _is_private(where):
                return
            _write(where, key, _digest(key, image) + image)
            if self._stored % _STORES_PER_CHECK == 0:
                _shrink(where)
            self._stored += 1
        except OSError as error:
            _warn_of_unwritable(where, error)


def _chosen() -> str | None:
    """Return the folder that the user has named, for all engines."""
    return local.compilation_cache_dir or os.environ.get("ADJOINT_CACHE_DIR")


def _is_whole(key: str, data: bytes) -> bool:
    return _digest(key, data[_DIGEST:]) == data[:_DIGEST]


def _warn_of_unwritable(where: str, error: OSError) -> None:
    """Warn once of a folder in which nothing can be kept, if the user has named it."""
    if _chosen() is None or where in _refused:
        return
    _refused.add(where)
    warn(message(
        f"Compiled programs cannot be kept in {where}: they are compiled anew in each process.", where=None,
        why=f"{error.strerror}: {error.filename}." if error.filename else f"{error.strerror}.",
        fix="a folder that this process may write to as ADJOINT_CACHE_DIR, or ADJOINT_CACHE_DIR=off for none",
    ))


def _make(where: str) -> None:
    """Make a folder and those above it that are missing, for the user alone whatever the umask."""
    if not where or os.path.isdir(where):
        return
    _make(os.path.dirname(where))
    with suppress(FileExistsError):
        os.mkdir(where, 0o700)
        os.chmod(where, 0o700)  # what the umask took


def _is_own(found: os.stat_result) -> bool:
    """Return whether a file or folder belongs to the user, and others may not write to it."""
    if os.name != "posix":  # the user's folders are private there, and modes say nothing
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _is_private(where: str) -> bool:
    """Return whether only the user may write to a folder; warn once if others may."""
    why = refusal_of(where)
    if why is not None and where not in _refused:
        _refused.add(where)
        warn(message(
            f"The folder {where} of compiled programs is not used: they are compiled anew in each process.",
            where=None, why=f"{why}. Code in it would run as yours.",
            fix="remove it, name a folder of your own by ADJOINT_CACHE_DIR, or ADJOINT_CACHE_DIR=off for none",
        ))
    return why is None


def refusal_of(where: str) -> str | None:
    """Return why a folder is not used, as far as others may write to it; None if they may not."""
    found = os.stat(where)
    if _is_own(found):
        return None
    if found.st_uid != os.geteuid():
        return f"It belongs to the user {found.st_uid}, and this process to {os.geteuid()}"
    return f"Its mode is {stat.S_IMODE(found.st_mode):o}: others may write to it"


def _wait(lock: int) -> None:
    """Lock a file, or wait long enough for the process that has it."""
    end = time.monotonic() + _MAX_SECONDS_TO_WAIT
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > end:
                return
        except OSError:  # not on this file system
            return
        time.sleep(_SECONDS_BETWEEN_LOOKS)


def _write(where: str, key: str, data: bytes) -> None:
    """Put a file in its place at once, or leave nothing."""
    name = os.path.join(where, f"{_PREFIX}{os.urandom(8).hex()}")
    try:
        with open(name, "xb", opener=_only_ours) as file:
            file.write(data)
        os.replace(name, os.path.join(where, key))
    except BaseException:  # no room, or the user does not want to wait
        with suppress(OSError):
            os.unlink(name)
        raise


def _only_ours(name: str, flags: int) -> int:
    """Open a file that only the user may read."""
    return os.open(name, flags, 0o600)


def _shrink(where: str) -> None:
    """Remove what writers that were killed have left, and the files that were not used for longest, until the others
    fit; other processes may do the same.
    """
    entries = []
    with os.scandir(where) as found:
        for entry in found:
            with suppress(FileNotFoundError):
                if entry.name.startswith(_LOCK):
                    continue
                state = entry.stat()
                if entry.name.startswith(_PREFIX) and time.time() - state.st_mtime > _MAX_SECONDS_OF_WRITING:
                    os.unlink(entry.path)
                    continue
                entries.append((max(state.st_atime, state.st_mtime), state.st_size, entry.path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= _MAX_CACHE_BYTES:
            return
        with suppress(FileNotFoundError):
            os.unlink(path)
        total -= size
