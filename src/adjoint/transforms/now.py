"""Evaluation of what is known, at once, while a program is traced.

Tests: `tests/transforms/test_linearize.py`.
"""

from __future__ import annotations

from contextlib import contextmanager

from ..core.state import current, state
from ..core.trace import Trace, Tracer

__all__ = ["ensure_compile_time_eval", "eval_context"]


class _NowTrace(Trace):
    """Evaluates what is known, and leaves the rest to the parent."""

    __slots__ = ()
    evaluates_known = True

    def process(self, p, args, params):
        known = not any([isinstance(a, Tracer) for a in args])
        with current(state.bottom if known else self.parent) as trace:
            return trace.process(p, args, params)


@contextmanager
def ensure_compile_time_eval():
    """Compute at once, even while tracing, what is done inside of a `with` block on known values.

    Under `jit` an operation becomes a part of the program even if its operands are constants; inside of the block its
    value is there, so that Python can branch on it. Operations on traced values become parts of the program as ever.

    Returns:
      A context manager, which is a decorator of functions, too.

    >>> @jit
    ... def f(x):
    ...     with ensure_compile_time_eval():
    ...         n = int(jnp.arange(3).sum())
    ...     return x * n
    >>> f(2.)
    Array(6., dtype=float32, weak_type=True)
    """
    with current(_NowTrace(state.trace)):
        yield


eval_context = ensure_compile_time_eval
