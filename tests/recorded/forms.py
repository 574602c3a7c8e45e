"""Answers as JSON: data as data, errors as their classes and texts, everything else as the name of a stand-in.

`encode` and `decode` are each other's inverse; where JAX runs, what `decode` makes carries JAX's own objects.
"""

from __future__ import annotations

import base64
import builtins
import functools
import importlib
import inspect
import sys

import ml_dtypes
import numpy as np

from .values import class_of, named_tuple

__all__ = ["Unkept", "decode", "encode", "encode_error"]

_PLAIN = (type(None), bool, int, float, str)
_KNOWN = ("builtins", "numpy", "ml_dtypes", "types", "collections", "adjoint", "functools", "typing", "enum", "inspect")
_LARGEST = 1 << 16      # bytes of one array


class Unkept(Exception):
    """An answer that is not data, nor something of JAX alone."""


def _is_known(kind: type) -> bool:
    """Whether a class can be imported where JAX is not."""
    return kind.__module__.split(".")[0] in _KNOWN and _found(kind.__module__, kind.__qualname__) is kind


def _found(module, name):
    try:
        value = importlib.import_module(module)
        for part in name.split("."):
            value = getattr(value, part)
    except (ImportError, AttributeError):
        return None
    return value


# ---- values to forms


def encode(value: object, key: str, operands: list, reals: dict) -> object:
    """Return the form of an answer.

    Args:
      value: the answer.
      key: how its stand-in is reached.
      operands: what was given to JAX, leaf by leaf: it may come back.
      reals: filled with the objects of JAX by their keys.

    Raises:
      Unkept: it cannot be kept.
    """
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is complex:
        return ["complex", value.real, value.imag]
    if kind is bytes:
        return ["bytes", base64.b64encode(value).decode()]
    if kind in (list, tuple, set, frozenset):
        parts = sorted(value, key=repr) if kind in (set, frozenset) else value
        return [kind.__name__, *(encode(x, f"{key}/{i}", operands, reals) for i, x in enumerate(parts))]
    if kind is dict or kind.__name__ == "mappingproxy":
        rows = list(value.items())
        return ["dict", *(encode(row, f"{key}/{i}", operands, reals) for i, row in enumerate(rows))]
    if kind is slice:
        return ["slice", *(encode(x, key, operands, reals) for x in (value.start, value.stop, value.step))]
    if kind is range:
        return ["range", value.start, value.stop, value.step]
    if isinstance(value, np.ndarray) and kind is np.ndarray or isinstance(value, np.generic):
        return _encode_array(value, key, operands, reals)
    if isinstance(value, np.dtype):
        return ["dtype", _name_of(value)]
    if value is Ellipsis or value is NotImplemented or value is inspect.Parameter.empty:
        return ["known", *{Ellipsis: ("builtins", "Ellipsis"), NotImplemented: ("builtins", "NotImplemented")}.get(
            value, ("inspect", "_empty"))]
    for i, operand in enumerate(operands):
        if operand is value:
            return ["operand", i]
    if kind is inspect.Signature:
        return ["signature", *([p.name, int(p.kind), encode(p.default, f"{key}/{p.name}", operands, reals)]
                               for p in value.parameters.values())]
    if isinstance(value, BaseException):
        return encode_error(value)
    if isinstance(value, type):
        return _encode_class(value, key, reals)
    if inspect.ismodule(value):
        if value.__name__.split(".")[0] != "jax":
            return ["module", value.__name__]
        reals[key] = value
        return ["J", "builtins", "module"]
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        parts = [encode(x, f"{key}/{i}", operands, reals) for i, x in enumerate(value)]
        return ["fields", kind.__module__, kind.__qualname__, list(kind._fields), *parts]
    if kind.__module__.split(".")[0] in ("tests", "adjoint"):
        raise Unkept(f"{kind.__module__}.{kind.__qualname__}")
    reals[key] = value
    return ["J", kind.__module__, kind.__qualname__]


def _name_of(dtype):
    if dtype.fields is not None:
        return dtype.descr
    native = not hasattr(ml_dtypes, dtype.name) and dtype.kind != "V" or dtype.name.startswith("void")
    return dtype.str if native else dtype.name


def _encode_array(value, key, operands, reals):
    if value.nbytes > _LARGEST:
        raise Unkept(f"{value.nbytes} bytes")
    scalar = isinstance(value, np.generic)
    if value.dtype == object:
        return ["objects", list(np.shape(value)), *(
            encode(x, f"{key}/{i}", operands, reals) for i, x in enumerate(np.ravel(value).tolist()))]
    data = np.ascontiguousarray(value).tobytes()
    dtype = encode(value.dtype, key, operands, reals)[1]
    return ["scalar" if scalar else "array", dtype, list(np.shape(value)), base64.b64encode(data).decode()]


def _encode_class(kind, key, reals):
    if issubclass(kind, BaseException):
        return ["class", *_lineage(kind)]
    if _is_known(kind):
        return ["known", kind.__module__, kind.__qualname__]
    if kind.__module__.split(".")[0] in ("tests", "adjoint"):
        raise Unkept(kind.__qualname__)
    reals[key] = kind
    return ["J", type(kind).__module__, type(kind).__qualname__]


def _lineage(kind):
    """Module, name and bases of a class of errors."""
    if _is_known(kind):
        return [kind.__module__, kind.__qualname__]
    if kind.__module__.startswith("tests"):
        raise Unkept(kind.__qualname__)
    return [kind.__module__, kind.__qualname__, [_lineage(base) for base in kind.__bases__]]


def encode_error(error: BaseException) -> list:
    """Return the form of an error: its class, its arguments, its text, its notes."""
    args = list(error.args) if all(type(x) in _PLAIN for x in error.args) else None
    return ["error", _lineage(type(error)), args, str(error), list(getattr(error, "__notes__", []))]


# ---- forms to values


def decode(session: object, form: object, key: str, operands: list, made: object, reals: dict | None = None) -> object:
    """Return the answer that a form tells.

    Args:
      session: who asked.
      form: what `encode` gave.
      key: how its stand-in is reached.
      operands: what is given to JAX, leaf by leaf.
      made: key -> (() -> JAX's object).
      reals: JAX's objects by their keys, where it was asked now.
    """
    if type(form) is not list:
        return form
    kind, *rest = form
    again = functools.partial(decode, session, operands=operands, made=made, reals=reals)
    if kind == "J":
        return class_of(rest[0], rest[1])(session, key, made(key), (reals or {}).get(key))
    if kind in ("list", "tuple", "set", "frozenset"):
        return getattr(builtins, kind)([again(x, f"{key}/{i}") for i, x in enumerate(rest)])
    if kind == "dict":
        return dict(again(row, f"{key}/{i}") for i, row in enumerate(rest))
    return _DECODED[kind](rest, key, operands, again)


def _decode_array(rest, *_):
    dtype, shape, data = rest
    return np.frombuffer(base64.b64decode(data), _dtype(dtype)).reshape(shape).copy()


def _dtype(form):
    return np.dtype([tuple(x) for x in form] if isinstance(form, list) else form)


def _decode_objects(rest, key, operands, again):
    shape, *parts = rest
    out = np.empty(len(parts), object)
    for i, part in enumerate(parts):
        out[i] = again(part, f"{key}/{i}")
    return out.reshape(shape)


def _decode_signature(rest, key, operands, again):
    return inspect.Signature([
        inspect.Parameter(name, inspect._ParameterKind(kind), default=again(default, f"{key}/{name}"))
        for name, kind, default in rest], __validate_parameters__=False)


def _decode_fields(rest, key, operands, again):
    module, name, fields, *parts = rest
    return named_tuple(module, name, tuple(fields))(*(again(x, f"{key}/{i}") for i, x in enumerate(parts)))


def _decode_error(rest, *_):
    lineage, args, text, notes = rest
    kind = _error_class(lineage)
    error = None
    if args is not None:
        try:
            error = kind(*args)
        except Exception:   # errors of JAX's that are made of tracers
            error = None
    if error is None or str(error) != text:
        told = type(kind.__name__, (kind,), {"__str__": lambda self: text, "__module__": kind.__module__,
                                             "__init__": lambda self, *args: None, "__qualname__": kind.__qualname__})
        error = told.__new__(told, text)
    for note in notes:
        error.add_note(note)
    return error


_classes: dict = {}


def _error_class(lineage):
    module, name, *bases = lineage
    if not bases:
        return _found(module, name)
    here = sys.modules.get(module)
    found = here and _found(module, name)   # JAX has been asked in this process
    if found is not None:
        return found
    if (module, name) not in _classes:
        parts = {"__module__": module, "__qualname__": name, "__init__": lambda self, *args: None}
        _classes[module, name] = type(name.rpartition(".")[2], tuple(map(_error_class, bases[0])), parts)
    return _classes[module, name]


_DECODED = {
    "complex": lambda rest, *_: complex(*rest),
    "bytes": lambda rest, *_: base64.b64decode(rest[0]),
    "slice": lambda rest, key, operands, again: slice(*(again(x, key) for x in rest)),
    "range": lambda rest, *_: range(*rest),
    "array": _decode_array,
    "scalar": lambda rest, *_: _decode_array(rest)[()],
    "objects": _decode_objects,
    "dtype": lambda rest, *_: _dtype(rest[0]),
    "known": lambda rest, *_: _found(*rest),
    "module": lambda rest, *_: importlib.import_module(rest[0]),
    "operand": lambda rest, key, operands, again: operands[rest[0]],
    "signature": _decode_signature,
    "fields": _decode_fields,
    "error": _decode_error,
    "class": lambda rest, *_: _error_class(rest),
}
