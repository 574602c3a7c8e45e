"""Tuples whose elements have names: `typing.NamedTuple`, made in a tenth of its time.

`typing` checks each annotation and compiles it, and compiles a constructor. Here annotations are kept as they are
written, and constructors of as many fields share their code but for its names. Everything else is the same.

Tests: `tests/core/names/test_records.py`.
"""

from __future__ import annotations

from _collections import _tuplegetter  # pyright: ignore[reportMissingImports]
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any

__all__ = ["NamedTuple"]


def _make(cls, iterable):
    result = tuple.__new__(cls, iterable)
    if len(result) != len(cls._fields):
        raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(result)}")
    return result


def _replace(self, /, **kwds):
    result = self._make(map(kwds.pop, self._fields, self))
    if kwds:
        raise ValueError(f"Got unexpected field names: {list(kwds)!r}")
    return result


def _asdict(self) -> dict[str, Any]:
    return dict(zip(self._fields, self))


def _repr(self) -> str:
    return f"{type(self).__name__}({', '.join([f'{n}={x!r}' for n, x in zip(self._fields, self)])})"


def _getnewargs(self) -> tuple:
    return tuple(self)


@cache
def _constructor(n: int):
    """Return a constructor of n elements."""
    names = ", ".join([f"a{i}" for i in range(n)])
    return eval(f"lambda _cls, {names}: new(_cls, ({names}{',' if n else ''}))", {"new": tuple.__new__})


@cache
def _getter(i: int):
    """Return what reads an element."""
    return _tuplegetter(i, f"Alias for field number {i}")


class _Maker(type):
    def __new__(cls, name: str, bases: tuple, space: dict[str, Any]):
        if not bases:
            return super().__new__(cls, name, bases, space)
        given = space.get("__annotations__", {})
        fields = (*given,)
        defaults = {n: space[n] for n in fields if n in space}
        if [*defaults] != [*fields[len(fields) - len(defaults) :]]:
            raise TypeError(f"{name} has a field without a default value behind one that has it.")
        template = _constructor(len(fields))
        code = template.__code__.replace(co_varnames=("_cls", *fields))
        new = FunctionType(code, template.__globals__, "__new__", (*defaults.values(),))
        new.__qualname__, new.__annotations__ = f"{name}.__new__", given
        made = {
            "__slots__": (), "__doc__": f"{name}({', '.join(fields)})", "_fields": fields, "_field_defaults": defaults,
            "__match_args__": fields, "_make": classmethod(_make), "_replace": _replace, "_asdict": _asdict,
            "__replace__": _replace, "__repr__": _repr, "__getnewargs__": _getnewargs,
            **space, "__new__": new, **{n: _getter(i) for i, n in enumerate(fields)},
        }
        return type(name, (tuple,), made)


if TYPE_CHECKING:
    from typing import NamedTuple
else:
    class NamedTuple(metaclass=_Maker):
        """A tuple whose elements have the names of the annotations of a class."""
