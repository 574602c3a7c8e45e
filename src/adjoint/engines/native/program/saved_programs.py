"""Records of compiled programs by the keys of program_keys.py, in memory and on disk; see `executable.Record`.

Whoever can write to the folder could as well put other machine code there, so a record is no less safe than an object.
"""

from __future__ import annotations

import pickle

from ....core.process.locks import tables
from ..runtime import objects
from .executable import Record

__all__ = ["load", "store"]

_MAX_RECORDS = 256
_MAX_RECORD_BYTES = 8 << 20  # bytes of a record on disk

_known: dict[str, Record] = {}


def load(name: str) -> Record | None:
    """The record, or None; one that cannot be read counts as absent."""
    found = _known.get(name)
    if found is None:
        content = objects.load(name)
        try:
            found = None if content is None else pickle.loads(content)
        except Exception:  # whatever a damaged file does; it is replaced
            found = None
        if type(found) is not Record:
            return None
        _keep(name, found)
    return found


def store(name: str, record: Record | None) -> None:
    """Keep a record, if there is one."""
    if record is None:
        return
    _keep(name, record)
    if objects.folder() is None:
        return
    content = pickle.dumps(record, pickle.HIGHEST_PROTOCOL)
    if len(content) <= _MAX_RECORD_BYTES:
        objects.store(name, content)


def _keep(name: str, record: Record) -> None:
    with tables:
        if len(_known) >= _MAX_RECORDS:
            del _known[next(iter(_known))]
        _known[name] = record
