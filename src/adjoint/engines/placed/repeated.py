"""Programs that have run on placed arrays, and run again on arrays that lie as those did: nothing is decided anew.

A program keeps what runs it by where its operands had to be and by what the call says of places, as a pair: the
executable, and, for one over several devices, what gives None for arrays that lie otherwise.

Tests: `tests/parallel/test_sharding.py`, where calls are repeated.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...array.array import ArrayImpl, as_array
from ...array.sharded_array import ShardedArray
from ...core.jaxpr import Jaxpr
from ...core.options.config import local
from ...core.process.memo import Memo
from ...core.trace import state
from ...core.types import aval_of
from .program_layout import this_thread

__all__ = ["keep_operation", "key_of", "places_read", "run_known", "run_operation"]

_VALUES = ArrayImpl, bool, int, float, complex, np.generic, np.ndarray


def key_of(args, params: dict) -> tuple:
    """Return by what a program keeps how it runs on operands."""
    placed = tuple([x.place if type(x) is ShardedArray and x.is_committed else None for x in args])
    return placed, params.get("in_shardings"), params.get("out_shardings"), params.get("device")


def run_known(jaxpr: Jaxpr, args, params: dict) -> tuple[list | None, Any]:
    """Results of a program that has run on arrays that lie as these do, None if it has not; and what runs it again.

    That gives None for arrays that lie otherwise. It is None if a program has to look at more than that.
    """
    known = None if this_thread.is_called else jaxpr.cache.get(key_of(args, params))
    if known is None or not all([isinstance(x, _VALUES) for x in args]):
        return None, None
    run, again = known
    outs = None if again is None else again(args)
    if outs is not None:
        return outs, again
    return run([x if isinstance(x, ArrayImpl) else as_array(x) for x in args]), None


_operations = Memo(4096)  # what runs one again, by its parameters, options, and types and places of operands


def run_operation(p, args, params: dict) -> tuple[list | None, tuple | None]:
    """Results of a primitive that has run over several devices on operands that lie as these do; and its key here.

    The results are None if it has not, and the key is if nothing can be kept.
    """
    if this_thread.is_called:
        return None, None
    key = (p, local.trace_context, state.is_again, *[
        (x.aval, x.place if x.is_committed else None) if type(x) is ShardedArray else aval_of(x) for x in args
    ], *params.items())
    try:
        again = _operations.get(key)
    except TypeError:  # a parameter that is not hashable
        return None, None
    return None if again is None else again(args), key


def keep_operation(key: tuple | None, again: Any) -> None:
    """Keep what runs an operation again, if there is something."""
    if key is not None and again is not None:
        _operations.keep(key, again)


def places_read(jaxpr: Jaxpr, args, params: dict) -> tuple:
    """Return where a program that has run over several devices reads its operands; None where that is not known."""
    known = jaxpr.cache.get(key_of(args, params))
    return (None,) * len(args) if known is None or known[1] is None else known[0].ins
