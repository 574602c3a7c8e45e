"""`adjoint cache`: what compiled programs take on disk, which they are, and whether they are whole."""

from __future__ import annotations

import os
import stat
import time
from contextlib import suppress
from pathlib import Path

from ..core.process.records import NamedTuple
from ..engines.cache import Store, refusal_of
from .programs import fail

__all__ = ["run"]

_ENGINES = ("native", "xla")


def run(arguments: list[str]) -> int:
    """Do what `adjoint cache` is asked for: `info` (the default), `ls`, `clear` or `verify`."""
    action, *rest = arguments or ["info"]
    if action not in _ACTIONS or rest:
        fail(f"cache {' '.join(arguments)}: write one of {', '.join(_ACTIONS)}")
    folders = _folders()
    if not folders:
        print("No compiled program is kept: ADJOINT_CACHE_DIR is off, or jax_enable_compilation_cache is.")
    return _ACTIONS[action](folders)


def _folders() -> dict[str, Path]:
    """Return the folders that there are, by engine."""
    found = {name: Store(name).folder() for name in _ENGINES}
    return {name: Path(folder) for name, folder in found.items() if folder is not None}


class _File(NamedTuple):
    """A program on disk: when it was used last, in seconds since 1970, and its bytes."""

    used: float
    size: int
    path: Path


def _files(folder: Path) -> list[_File]:
    """Return the programs of a folder, the one used last first. Other processes may add and remove some meanwhile."""
    found = []
    if folder.is_dir():
        for path in folder.iterdir():
            with suppress(FileNotFoundError):
                state = path.stat()
                if path.name.isalnum() and stat.S_ISREG(state.st_mode):
                    found.append(_File(max(state.st_atime, state.st_mtime), state.st_size, path))
    return sorted(found, reverse=True)


def _trouble(folder: Path) -> str | None:
    """Return why no program is kept in a folder; None if one can be."""
    if folder.is_dir():
        return refusal_of(str(folder))
    above = next(path for path in folder.absolute().parents if path.exists())
    if not above.is_dir():
        return f"{above} is not a folder"
    return None if os.access(above, os.W_OK | os.X_OK) else f"{above} cannot be written to"


def _is_usable(folder: Path) -> bool:
    """Return whether programs can be kept in a folder; print why not."""
    why = _trouble(folder)
    if why is not None:
        print(f"not used: {folder}. {why}.")
    return why is None


def _info(folders: dict[str, Path]) -> int:
    for engine, folder in folders.items():
        files = _files(folder)
        size = sum(file.size for file in files)
        print(f"{engine:7} {len(files):6} programs {size / 2**20:8.1f} MiB  {folder}")
        _is_usable(folder)
    return 0


def _list(folders: dict[str, Path]) -> int:
    for engine, folder in folders.items():
        files = _files(folder)
        for file in files:
            used = time.strftime("%Y-%m-%d %H:%M", time.localtime(file.used))
            print(f"{engine:7} {file.size:10} bytes  {used}  {file.path.name}")
        if _is_usable(folder) and not files:
            print(f"{engine:7} no programs in {folder}")
    return 0


def _clear(folders: dict[str, Path]) -> int:
    removed = 0
    for folder in folders.values():
        for file in _files(folder):
            file.path.unlink(missing_ok=True)
            removed += 1
    print(f"{removed} programs removed")
    return 0


def _verify(folders: dict[str, Path]) -> int:
    damaged = 0
    is_used = True
    for engine, folder in folders.items():
        store = Store(engine)
        for file in _files(folder):
            if store.is_damaged(file.path.name):
                damaged += 1
                file.path.unlink(missing_ok=True)
                print(f"damaged, and removed: {file.path}")
        is_used &= _is_usable(folder)
    print(f"{damaged} programs were damaged")
    return bool(damaged) or not is_used


_ACTIONS = {"info": _info, "ls": _list, "clear": _clear, "verify": _verify}
