"""`adjoint cache`: what compiled programs take on disk, which they are, and whether they are whole."""

from __future__ import annotations

import time
from pathlib import Path

from ..engines.cache import Store
from .programs import fail

__all__ = ["run"]

_ENGINES = ("native", "xla")


def run(arguments: list[str]) -> int:
    """Do what `adjoint cache` is asked for: `info` (the default), `ls`, `clear` or `verify`."""
    action, *rest = arguments or ["info"]
    if action not in _ACTIONS or rest:
        fail(f"adjoint cache {' '.join(arguments)}: write one of {', '.join(_ACTIONS)}")
    return _ACTIONS[action]()


def _folders() -> dict[str, Path]:
    """The folders that there are, by engine."""
    found = {name: Store(name).folder() for name in _ENGINES}
    return {name: Path(folder) for name, folder in found.items() if folder is not None}


def _files(folder: Path) -> list[Path]:
    """The programs of a folder, the one used last first."""
    try:
        found = [path for path in folder.iterdir() if path.is_file() and path.name.isalnum()]
        return sorted(found, key=_last_used, reverse=True)
    except FileNotFoundError:
        return []


def _last_used(path: Path) -> float:
    state = path.stat()
    return max(state.st_atime, state.st_mtime)


def _info() -> int:
    folders = _folders()
    if not folders:
        print("No compiled program is kept: ADJOINT_CACHE_DIR is off, or jax_enable_compilation_cache is.")
    for engine, folder in folders.items():
        files = _files(folder)
        size = sum(path.stat().st_size for path in files)
        print(f"{engine:7} {len(files):6} programs {size / 2**20:8.1f} MiB  {folder}")
    return 0


def _list() -> int:
    for engine, folder in _folders().items():
        for path in _files(folder):
            used = time.strftime("%Y-%m-%d %H:%M", time.localtime(_last_used(path)))
            print(f"{engine:7} {path.stat().st_size:10} bytes  {used}  {path.name}")
    return 0


def _clear() -> int:
    removed = 0
    for folder in _folders().values():
        for path in _files(folder):
            path.unlink(missing_ok=True)
            removed += 1
    print(f"{removed} programs removed")
    return 0


def _verify() -> int:
    found = [(Store(engine), path) for engine, folder in _folders().items() for path in _files(folder)]
    damaged = [path for store, path in found if store.load(path.name) is None]
    for path in damaged:
        path.unlink(missing_ok=True)
        print(f"damaged, and removed: {path}")
    print(f"{len(damaged)} programs were damaged")
    return bool(damaged)


_ACTIONS = {"info": _info, "ls": _list, "clear": _clear, "verify": _verify}
