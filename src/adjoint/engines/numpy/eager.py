"""The trace at the bottom: evaluates each primitive now, on NumPy buffers."""

from __future__ import annotations

import numpy as np

from ...array.array import ArrayImpl, Pending, as_array, deleted
from ...core.refs import Ref
from ...core.trace import Trace, Tracer, _State, leaked
from ...core.types import Array, aval_of
from ...prims.references import Buffer
from .floating import quiet

_new = object.__new__


class EvalTrace(Trace):
    """Evaluates."""

    __slots__ = ()

    def process(self, p, args, params):
        if p.eager_rule is not None:
            return p.eager_rule(args, params)
        buffers, avals = [], []
        for a in args:
            if type(a) is ArrayImpl:
                aval, buffer = a.aval, a._buffer
                if buffer is None:
                    raise deleted(a)
            elif type(a) is Pending:
                aval, buffer = a.aval, a._buffer  # when it is there
            elif isinstance(a, Tracer):
                raise leaked(a)
            elif isinstance(a, ArrayImpl):  # an array with a place of its own
                from ..placement import placed_operation

                return placed_operation(p, args, params)
            else:
                aval = aval_of(a)
                buffer = np.asarray(a, aval.dtype)
            buffers.append(buffer)
            avals.append(aval)
        evaluate = p.evaluate_rule
        if evaluate is None:
            raise NotImplementedError(f"Evaluation rule for '{p}' not implemented")
        out_aval = p.infer(tuple(avals), params)
        token = quiet.enter()
        try:
            out = evaluate(*buffers, **params)
        except MemoryError as error:
            from .memory import exhausted

            raise exhausted(error, f"{p.name} of {', '.join([a.str_short(True) for a in avals])}") from None
        finally:
            quiet.leave(token)
        if p.multiple_results:
            return [_wrap(b, aval) for b, aval in zip(out, out_aval, strict=True)]
        return _wrap(out, out_aval)

    def process_with_refs(self, p, args, params):
        avals = tuple([aval_of(a) for a in args])
        buffers = [_buffer(a, aval) for a, aval in zip(args, avals)]
        token = quiet.enter()
        try:
            out = p.evaluate_rule(*buffers, **params)
        finally:
            quiet.leave(token)
        for ref, buffer in zip(args, buffers):
            if type(ref) is Ref:
                ref._refs = _wrap(buffer.array, ref.aval.inner_aval)
        return [_wrap(b, aval) for b, aval in zip(out, p.infer(avals, params), strict=True)]


def _buffer(x, aval):
    if type(x) is Ref:
        return Buffer(np.array(as_array(x._refs)._buffer), aval)
    return as_array(x)._buffer if isinstance(x, Array) else np.asarray(x, aval.dtype)


def _wrap(buffer, aval):
    a = _new(ArrayImpl)
    a._buffer = buffer
    a._device = None
    a.aval = aval
    return a


eval_trace = EvalTrace(None)
_State.trace = _State.bottom = eval_trace
