"""Errors that compiled programs leave behind, raised later: names of `jax._src.error_check`.

A reference holds the number of the first failed check; programs that check close over it.

Tests: `tests/compat/test_private_state.py`.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from ....array.array import as_array
from ....core.trace import current, state
from ....core.values.refs import Ref
from ....numpy.selection import where
from ....prims.references import new_ref

__all__ = ["JaxValueError", "error_checking_context", "raise_if_error", "set_error_if"]

_NONE = np.uint32(2**32 - 1)
_texts: list[str] = []
_lock = threading.Lock()


class JaxValueError(ValueError):
    """A check failed that `set_error_if` made."""


class _Here(threading.local):
    """The reference of the running thread."""

    def __init__(self) -> None:
        self.ref: Ref | None = None

    def found(self) -> Ref:
        """Return the reference, made when it is first asked for."""
        if self.ref is None:
            self.ref = _new()
        return self.ref


_here = _Here()


def _new() -> Ref:
    with current(state.bottom):
        return new_ref(as_array(_NONE))


def set_error_if(pred: Any, /, msg: str) -> None:
    """Remember an error if any element of an array is true; the first that is remembered is raised.

    Args:
      pred: an array of bools.
      msg: the text of the error.
    """
    failed = pred.astype(bool).any()
    with _lock:
        number = np.uint32(len(_texts))
        _texts.append(msg)
    ref = _here.found()
    seen = ref[...]
    ref[...] = where(failed & (seen == _NONE), number, seen)


def raise_if_error() -> None:
    """Raise the error that is remembered, once.

    Raises:
      JaxValueError: a check failed since the last call.
    """
    ref = _here.found()
    number = int(ref[...])
    if number != _NONE:
        ref[...] = as_array(_NONE)
        raise JaxValueError(_texts[number])


class error_checking_context:
    """A context with errors of its own, which are raised at its end."""

    def __enter__(self) -> error_checking_context:
        self._before = _here.ref
        _here.ref = _new()
        return self

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        try:
            if kind is None:
                raise_if_error()
        finally:
            _here.ref = self._before
