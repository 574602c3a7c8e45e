"""Keys of programs: short, and equal in every process. Programs with equal keys have equal code.

A jaxpr becomes a list of numbers: for each equation one for the primitive with its parameters, the numbers of the
variables that it reads, and the types of its results. Numbers of parameters and types are hashes of their texts,
remembered by the objects, so that an equation costs a few look-ups. What has no text that says all (functions,
objects of users) has no key, nor has a program that holds it; names and lines of the program are left out.

Tests: `tests/engines/native/program/test_saved_programs.py`.
"""

from __future__ import annotations

from enum import Enum

import numpy as np

from ....core.dtypes import KeyDType
from ....core.jaxpr import ClosedJaxpr, Jaxpr, Literal
from ....core.primitive import primitives
from ....core.process.memo import Memo
from ....core.types import ShapedArray
from ....prims.generators import Generator, UserGenerator
from ...cache import digest, key
from ...numpy.program import as_buffer
from ..runtime.machine import PROCESSOR
from ..runtime.objects import folder, state_of_the_code

__all__ = ["fingerprint", "holds_programs", "params_key"]

_MAX_ENTRIES = 1 << 14
_MAX_CONSTANT_BYTES = 1 << 20  # bytes of a constant
_EQUATION, _RESULTS, _ABSENT = -1, -2, -3
_TEXTS = (bool, int, float, complex, str, bytes, type(None))


class _NoText(Exception):
    """Something has no text that says all."""


_types, _params, _literals = Memo(_MAX_ENTRIES), Memo(_MAX_ENTRIES), Memo(_MAX_ENTRIES)


def fingerprint(closed: ClosedJaxpr, donated: tuple) -> str | None:
    """Return the key of a program, or None if it has none."""
    try:
        numbers, code = _program(closed), "" if folder() is None else state_of_the_code()
    except _NoText:
        return None
    if code is None:
        return None
    for known in (_types, _params, _literals):
        if len(known) > _MAX_ENTRIES:
            known.clear()
    return key(digest(np.array(numbers, np.int64).tobytes()).hex(), repr(donated), *PROCESSOR, code)


def _program(closed: ClosedJaxpr) -> list[int]:
    numbers = _jaxpr(closed.jaxpr)
    numbers += [_hash(_text(as_buffer(c, v.aval))) for v, c in zip(closed.constvars, closed.consts)]
    return numbers


def _jaxpr(jaxpr: Jaxpr) -> list[int]:
    place = {v: i for i, v in enumerate([*jaxpr.constvars, *jaxpr.invars])}
    numbers = [len(jaxpr.constvars), *[_types.get(v.aval) or _type(v.aval) for v in place]]
    for eqn in jaxpr.eqns:
        p, params = eqn.primitive, eqn.params
        known = None if holds_programs(p) else (p, *params.items(), *map(type, params.values())) if params else p
        try:
            number = _params[known]
        except (KeyError, TypeError):
            number = _equation(p, params, known)
        numbers += _EQUATION, number, *[place[v] if v in place else _literal(v) for v in eqn.invars], _RESULTS
        for v in eqn.outvars:
            place[v] = len(place)
            numbers.append(_types.get(v.aval) or _type(v.aval))
        if (lanes := eqn.lanes) is not None:
            given = [place.get(v, _ABSENT) if type(v) is not Literal else _literal(v) for v in lanes.invars]
            numbers += [_hash(_text(lanes.key)), *given, *[place.get(v, _ABSENT) for v in lanes.outvars]]
    return numbers + [_RESULTS, *[place[v] if v in place else _literal(v) for v in jaxpr.outvars]]


def _hash(text: str) -> int:
    """Return a number that no variable and no mark has."""
    return int.from_bytes(digest(text.encode(), 8), "little") >> 1 | 1 << 62


def _type(aval) -> int:
    if type(aval) is not ShapedArray or aval.explicit_sharding is not None or aval.memory_space is not None or aval.vma:
        raise _NoText
    number = _types[aval] = _hash(_text(aval))
    return number


def _literal(v: Literal) -> int:
    known = type(v.val), v.val or str(v.val), v.aval  # zeros of both signs are equal
    number = _literals.get(known)
    if number is None:
        number = _hash(f"{_text(v.val)} {_text(v.aval)}")
        if not isinstance(v.val, (complex, np.complexfloating)):  # parts of which may be zeros
            _literals[known] = number
    return number


def _equation(p, params: dict, known) -> int:
    number = _hash(_params_key(p, params))
    # Zeros of both signs are equal, and one of them may be anywhere in a parameter.
    if known is not None and "0.0" not in _text(params):
        try:
            _params[known] = number
        except TypeError:  # not hashable
            pass
    return number


def _params_key(p, params: dict) -> str:
    name = p.name
    if primitives.get(name) is not p:  # another library's, with the same name perhaps
        raise _NoText
    if isinstance(called := params.get(p.called), ClosedJaxpr):  # whatever else it says, it is opened
        params = {"program": called, "differentiated": params.get("differentiated", False)}
    if (lanes := params.get("lanes")) is not None:  # of a batched loop
        params = {**params, "lanes": (lanes.loop, lanes.axes) if lanes.holds(params) else None}
    return f"{name} {_text(params)}"


def holds_programs(p) -> bool:
    """Return whether parameters are programs, which are equal if they say the same."""
    return p.runs_programs or p.called is not None


def params_key(p, params: dict) -> object:
    """Return what is equal for equations of one primitive that compute the same."""
    try:
        return _params_key(p, params)
    except _NoText:
        return object()


def _text(x) -> str:
    if isinstance(x, Enum):
        return f"{type(x).__name__}.{x.name}"
    if type(x) in _TEXTS:
        return repr(x)
    if isinstance(x, dict):
        return f"{{{', '.join([f'{_text(k)}: {_text(v)}' for k, v in x.items()])}}}"
    if isinstance(x, (tuple, list)):
        return f"{type(x).__name__}({', '.join(map(_text, x))})"
    if isinstance(x, (set, frozenset)):
        return f"set({', '.join(sorted(map(_text, x)))})"
    if isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind != "O" and x.nbytes <= _MAX_CONSTANT_BYTES:
        return f"{_text(x.dtype)}{x.shape}{digest(x.tobytes()).hex()}"
    if isinstance(x, np.dtype):
        return x.str + x.name
    if isinstance(x, KeyDType):
        return f"key {_text(x._impl)}"
    if isinstance(x, Generator) and type(x) is not UserGenerator:
        return f"{type(x).__name__} {x!r}"
    if isinstance(x, ShapedArray):
        return f"{_text(x.dtype)}{x.shape}{x.weak_type}"
    if isinstance(x, Jaxpr):
        return f"program({_jaxpr(x)})"
    if isinstance(x, ClosedJaxpr):
        found = x.jaxpr.cache.get(fingerprint)
        if found is None or x.consts:
            own = digest(np.array(_program(x), np.int64).tobytes()).hex()
            found = f"program({own}{x.jaxpr.operation or ''})"
            if not x.consts:
                x.jaxpr.cache.keep(fingerprint, found)
        return found
    raise _NoText
