"""Compiled objects on disk, by the hash of all that decides their content; see `engines/cache.py`.

Tests: `tests/engines/native/test_engine.py`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from os.path import dirname

import numpy as np

from ...cache import Store, key

__all__ = ["find", "folder", "has", "key", "load", "state_of_the_code", "store"]

_objects = Store("native")
find, folder, has, load, store = _objects.find, _objects.folder, _objects.has, _objects.load, _objects.store


def _files(folders: list[str]) -> Iterator[tuple[str, int, int]]:
    """Path, size and time of each Python file in folders, and in the folders in them."""
    for folder in folders:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    state = entry.stat()
                    yield entry.path, state.st_size, state.st_mtime_ns
                elif entry.is_dir():
                    folders.append(entry.path)


@cache
def state_of_the_code() -> str | None:
    """Return sizes and times of the files that decide what becomes of a program; None if they are in an archive."""
    package = dirname(sys.modules[__name__.partition(".")[0]].__file__)
    try:
        found = sorted(_files([f"{package}/{folder}" for folder in ("core", "prims", "engines")]))
    except OSError:
        return None
    return repr((found, sys.version, np.__version__))
