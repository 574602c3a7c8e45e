"""What is asked of JAX, as a short text that is the same in every process and for every Python.

Arrays count with their numbers, functions with their source, what they close over and the globals that they name. So
an answer that was kept for another question is never found.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import inspect
import linecache
import types
from pathlib import Path

import numpy as np

from .values import StandIn

__all__ = ["ROOT", "ROOTS_NAME", "digest", "digest_of_test"]

# Texts of errors and programs name files of the tests: the folder where all of them are has a name here.
ROOT, ROOTS_NAME = str(Path(__file__).parents[2]), "<repository>"

# A function of the tests reads few globals; a table of thousands of numbers is met once.
DEPTH = 12      # levels of functions that name functions


def digest(value: object) -> str:
    """Return 16 hexadecimal digits that tell what a value says."""
    found = hashlib.blake2b(digest_size=8)
    _feed(found.update, value, (), 0)
    return found.hexdigest()


def _feed(update, value, within, depth):
    """Give the bytes of a value to `update`; `within` are the ids of the values that it is part of."""
    if id(value) in within:
        return update(b"~")
    if isinstance(value, StandIn):
        return update(b"J" + value._key.encode())
    kind = type(value)
    if kind is str:
        return update(f"str:{value.replace(ROOT, ROOTS_NAME)!r};".encode())
    if kind in (type(None), bool, int, float, complex, bytes, type(Ellipsis), type(NotImplemented), range):
        return update(f"{kind.__name__}:{value!r};".encode())
    within = (*within, id(value))
    if isinstance(value, (np.ndarray, np.generic)):
        update(f"{kind.__name__}{value.dtype!s}{value.shape}".encode())
        if value.dtype == object:
            return _feed(update, value.tolist(), within, depth)
        return update(np.ascontiguousarray(value).tobytes())
    if isinstance(value, (np.dtype, enum.Enum)):
        return update(f"{value!r};".encode())
    if isinstance(value, (list, tuple)):
        update(f"{kind.__name__}[".encode())
        for part in value:
            _feed(update, part, within, depth)
        return update(b"]")
    if isinstance(value, dict):
        return _feed(update, [kind.__name__, *value.items()], within, depth)
    if isinstance(value, (set, frozenset)):
        return update((kind.__name__ + str(sorted(digest(part) for part in value))).encode())
    if isinstance(value, slice):
        return _feed(update, ("slice", value.start, value.stop, value.step), within, depth)
    if isinstance(value, types.FunctionType):
        return _feed_function(update, value, within, depth)
    if isinstance(value, types.MethodType):
        return _feed(update, (value.__func__, value.__self__), within, depth)
    if isinstance(value, functools.partial):
        return _feed(update, ("partial", value.func, value.args, value.keywords), within, depth)
    if isinstance(value, types.ModuleType):
        return update(f"module {value.__name__};".encode())
    if isinstance(value, type):
        update(f"class {value.__module__}.{value.__qualname__};".encode())
        if value.__module__.startswith("tests."):
            parts = [v for k, v in sorted(vars(value).items()) if isinstance(v, types.FunctionType)]
            _feed(update, parts, within, depth)
        return None
    return _feed_object(update, value, within, depth)


def _feed_object(update, value, within, depth):
    """An object counts with its class and its variables; an array of adjoint with its numbers."""
    kind = type(value)
    update(f"{kind.__module__}.{kind.__qualname__}(".encode())
    if kind.__module__.startswith("adjoint") and hasattr(value, "aval") and hasattr(value, "_buffer"):
        update(f"{value.aval}".encode())
        return _feed(update, np.asarray(value._buffer), within, depth)
    wrapped = getattr(value, "__wrapped__", None)
    if wrapped is not None:
        return _feed(update, wrapped, within, depth)
    if kind.__module__.startswith(("tests.", "types")):
        return _feed(update, sorted(vars(value).items()) if hasattr(value, "__dict__") else [], within, depth)
    if isinstance(value, BaseException):
        return None
    if kind.__module__ in ("builtins", "operator", "itertools", "functools", "numpy"):
        return update(str(getattr(value, "__qualname__", getattr(value, "__name__", ""))).encode())
    return None


def _feed_function(update, function, within, depth):
    code = function.__code__
    update(f"def {_source(code)}".encode())
    if depth > DEPTH:
        return
    for part in (function.__defaults__, function.__kwdefaults__):
        _feed(update, part, within, depth)
    for name, cell in zip(code.co_freevars, function.__closure__ or ()):
        try:
            content = cell.cell_contents
        except ValueError:  # not yet filled
            continue
        update(name.encode())
        _feed(update, content, within, depth + 1)
    if function.__module__ is None or not function.__module__.startswith(("tests.", "test")):
        return
    update(_globals_of(code, function.__globals__, within, depth).encode())


_known: dict = {}       # code -> digest of the globals that it names


def _globals_of(code, names, within, depth):
    found = _known.get(code)
    if found is None:
        text = hashlib.blake2b(digest_size=8)
        for name in sorted(_names(code)):
            if name in names:
                text.update(name.encode())
                _feed(text.update, names[name], within, depth + 1)
        found = text.hexdigest()
        if depth == 0:
            _known[code] = found
    return found


def _names(code):
    found = set(code.co_names)
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            found |= _names(part)
    return found


@functools.cache
def _source(code: types.CodeType) -> str:
    """The source of a code object, by the places of its instructions, without its indentation."""
    spans = [p for p in code.co_positions() if None not in p and p[3] > p[2] or None not in p and p[1] > p[0]]
    lines = linecache.getlines(code.co_filename)
    if not spans or not lines:
        return f"{code.co_code.hex()} {code.co_names} {[c for c in code.co_consts if not hasattr(c, 'co_code')]}"
    first, last = min(p[0] for p in spans), max(p[1] for p in spans)
    start = min(p[2] for p in spans if p[0] == first)
    end = max(p[3] for p in spans if p[1] == last)
    chosen = lines[first - 1 : last]
    chosen[-1] = chosen[-1].encode()[:end].decode(errors="replace")
    chosen[0] = chosen[0].encode()[start:].decode(errors="replace")
    return f"{code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]} " + "\n".join(x.strip() for x in chosen)


def digest_of_test(function: object, params: object) -> str:
    """Return the digest of what a test says: the functions and classes of the tests that it names, and its parameters.

    What a question says is in its own digest; this one tells whether it is asked in the same way, as in a mode of JAX.
    """
    texts, waiting, met = [], [function], set()
    while waiting:
        value = waiting.pop()
        if isinstance(value, type):
            waiting += [f for f in vars(value).values() if isinstance(f, types.FunctionType)]
            continue
        f = inspect.unwrap(value)
        if f.__code__ in met:
            continue
        met.add(f.__code__)
        texts.append(_source(f.__code__))
        named = [f.__globals__.get(name) for name in _names(f.__code__)]
        waiting += [g for g in named if isinstance(g, (types.FunctionType, type)) and g.__module__.startswith("tests.")]
    return digest((sorted(texts), params))
