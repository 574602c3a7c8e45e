"""What may be asked of an object, by name."""

from __future__ import annotations

import copy
import importlib
import inspect
import operator
import sys
import types

import numpy as np

__all__ = ["OPERATIONS"]


def _get(value, name):
    """An attribute; a module within a module is imported when it is named."""
    try:
        return getattr(value, name)
    except AttributeError:
        if not isinstance(value, types.ModuleType) or name.startswith("__"):
            raise
        try:
            return importlib.import_module(f"{value.__name__}.{name}")
        except ImportError:
            pass
        raise


OPERATIONS = {
    "get": _get, "set": setattr, "delete": delattr, "dir": dir, "signature": inspect.signature,
    "call": lambda f, args, kwargs: f(*args, **kwargs),
    "has instance": lambda kind, x: isinstance(x, kind), "has subclass": lambda kind, x: issubclass(x, kind),
    "enter": lambda x: x.__enter__(), "exit": lambda x, kind: x.__exit__(*(sys.exc_info() if kind else (None,) * 3)),
    "array": lambda x, dtype: np.asarray(x, dtype), "list": list, "next": next, "len": len,
    "hash": lambda x: hash(x) and None,     # whether there is one: it differs from process to process
    "copy": copy.copy, "deepcopy": lambda x, memo: copy.deepcopy(x), "repr": repr, "str": str, "format": format,
    "bool": bool, "int": int, "float": float, "complex": complex, "index": operator.index, "round": round,
    "trunc": lambda x: x.__trunc__(), "floor": lambda x: x.__floor__(), "ceil": lambda x: x.__ceil__(),
    "divmod": divmod, "rdivmod": lambda x, y: divmod(y, x),
}
for _name in "eq ne lt le gt ge neg pos abs invert contains getitem setitem delitem".split():
    OPERATIONS[_name] = getattr(operator, f"__{_name}__")
for _name in "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split():
    _operator = getattr(operator, f"__{_name}__")
    OPERATIONS[_name] = _operator
    OPERATIONS[f"r{_name}"] = lambda x, y, f=_operator: f(y, x)
