"""The trace at the bottom: evaluates each primitive now, on NumPy buffers.

Tests: `tests/prims/test_rules.py`.
"""

from __future__ import annotations

import numpy as np

from ...array.array import ArrayImpl, Pending, deleted, make_array
from ...array.sharded_array import ShardedArray
from ...core.messages.errors import InconclusiveDimensionOperation, UnexpectedTracerError
from ...core.state import State
from ...core.trace import Trace, Tracer
from ...core.types import aval_of
from ...core.values.dimension import check_lengths
from ...sharding.device import are_several
from .floating import quiet
from .memory import exhausted


class EvalTrace(Trace):
    """Evaluates."""

    __slots__ = ()
    runs_programs = runs_again = True

    def placed(self, x, is_typed: bool = False):
        """Return an array that was made just now, where results are while this trace is at the bottom.

        `is_typed` is whether its type speaks of the mesh that is set.
        """
        return x

    def process(self, p, args, params):
        if p.eager_rule is not None:
            return p.eager_rule(args, params)
        if p.runs_programs and are_several() and ShardedArray.says_where(params):
            return ShardedArray.process(p, args, params)
        return self.evaluate(p, args, params)

    def evaluate(self, p, args, params):
        """Results of a primitive without a way of its own, on wholes where no operand has a place."""
        buffers, avals, given = [], [], ()
        for a in args:
            if type(a) is ArrayImpl:
                aval, buffer = a.aval, a._buffer
                if buffer is None:
                    raise deleted(a)
            elif type(a) is Pending:
                aval, buffer = a.aval, a._buffer  # when it is there
            elif isinstance(a, Tracer):
                raise UnexpectedTracerError(a)
            elif isinstance(a, ShardedArray):
                return ShardedArray.process(p, args, params)
            else:
                aval = aval_of(a)
                buffer = np.asarray(a, aval.dtype)
                if isinstance(a, np.ndarray):
                    given += (buffer,)
            buffers.append(buffer)
            avals.append(aval)
        evaluate = p.evaluate_rule
        if evaluate is None:
            raise NotImplementedError(f"Evaluation rule for '{p}' not implemented")
        out_aval = p.infer(tuple(avals), params)
        token = quiet.enter()
        try:
            out = evaluate(*buffers, **params)
        except (TypeError, InconclusiveDimensionOperation):
            for aval in out_aval if p.multiple_results else (out_aval,):
                check_lengths(aval.shape)
            raise
        except MemoryError as error:
            raise exhausted(error, f"{p.name} of {', '.join([a.str_short(True) for a in avals])}") from None
        finally:
            quiet.leave(token)
        if p.multiple_results:
            if given:
                out = [_apart(b, given) for b in out]
            return [make_array(b, aval) for b, aval in zip(out, out_aval, strict=True)]
        return make_array(_apart(out, given) if given else out, out_aval)


def _apart(buffer, given):
    """A result that does not change when the caller writes into an array of NumPy that was an operand."""
    shared = type(buffer) is np.ndarray and any([np.may_share_memory(buffer, x) for x in given])
    return buffer.copy() if shared else buffer


eval_trace = EvalTrace(None)
State.evaluate_by(eval_trace)
