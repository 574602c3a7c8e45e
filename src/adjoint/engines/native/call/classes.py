"""Classes whose objects are made without a call of theirs: dataclasses whose `__init__` only assigns the fields.

That a class does no more is found by comparing its `__init__` with that of a dataclass made for it. A class that is
changed afterwards gets another version from CPython, by which code that makes its objects sees it.

Tests: `tests/engines/native/call/test_classes.py`.
"""

from __future__ import annotations

import ctypes
import dataclasses
from collections.abc import Collection
from functools import cache
from types import FunctionType

__all__ = ["VERSION_WORD", "fields_assigned", "version_of"]

VERSION_WORD = 48  # where a type has its version, in words
_CODE = ("co_code", "co_consts", "co_names", "co_varnames", "co_argcount", "co_kwonlyargcount", "co_flags")


def _version(kind: type) -> int:
    return ctypes.c_uint32.from_address(id(kind) + VERSION_WORD * ctypes.sizeof(ctypes.c_void_p)).value


@cache
def _has_versions() -> bool:
    """Return whether types have their versions where they are read: a class that is changed has another one."""
    probe = type("probe", (), {"x": 1})
    found = []
    for value in (1, 2, 3):
        probe.x = value  # type: ignore[attr-defined]
        found.append(_version(probe) if probe().x == value else 0)  # type: ignore[attr-defined]
    return 0 not in found and len(set(found)) == 3


def version_of(kind: type) -> int:
    """Return the version of a class as it is now, or 0 if that is not known."""
    init = kind.__init__  # type: ignore[misc]  # a look-up gives a class its version
    return _version(kind) if init is not None and _has_versions() else 0


def fields_assigned(kind: type, names: Collection[str]) -> list[str] | None:
    """Return these fields in the order in which `__init__` assigns them, or None if it may do anything else.

    >>> import dataclasses
    >>> fields_assigned(dataclasses.make_dataclass("Layer", ["w", "b"]), ("b", "w"))
    ['w', 'b']
    """
    init, params = kind.__init__, getattr(kind, "__dataclass_params__", None)  # type: ignore[misc]
    if params is None or type(init) is not FunctionType or kind.__new__ is not object.__new__:
        return None
    if type(kind).__call__ is not type.__call__ or hasattr(kind, "__post_init__"):
        return None
    if kind.__setattr__ is not object.__setattr__ and not params.frozen:
        return None
    fields = dataclasses.fields(kind)
    if {f.name for f in fields} != {*names} or len(fields) != len(kind.__dataclass_fields__):  # type: ignore[attr-defined]
        return None  # others are arguments too
    twin = dataclasses.make_dataclass(kind.__name__, [(f.name, object, _like(f)) for f in fields], frozen=params.frozen)
    if any([getattr(init.__code__, part) != getattr(twin.__init__.__code__, part) for part in _CODE]):
        return None
    return list(vars(twin(**dict.fromkeys(names))))


def _like(field: dataclasses.Field) -> dataclasses.Field:
    """Return a field that is initialized as another is."""
    options: dict = dict(init=field.init, kw_only=field.kw_only)
    if field.default is not dataclasses.MISSING:
        return dataclasses.field(default=None, **options)
    if field.default_factory is not dataclasses.MISSING:
        return dataclasses.field(default_factory=list, **options)
    return dataclasses.field(**options)
