"""Compiled objects on disk, by the hash of all that decides their content; see `engines/cache.py`.

Tests: `tests/engines/native/test_engine.py`.
"""

from __future__ import annotations

from ...cache import Store, key

__all__ = ["find", "folder", "has", "key", "load", "store"]

_objects = Store("native")
find, folder, has, load, store = _objects.find, _objects.folder, _objects.has, _objects.load, _objects.store
