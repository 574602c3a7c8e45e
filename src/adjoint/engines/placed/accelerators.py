"""The trace at the bottom where the default device is an accelerator: each operation is a program of its own.

It is compiled once for a signature and kept on disk. What XLA has no form for is evaluated on the host.

Tests: `tests/parallel/test_accelerators.py`.
"""

from __future__ import annotations

from ...array.array import ArrayImpl, Pending
from ...core.messages.errors import UnexpectedTracerError
from ...core.process.memo import of_closed
from ...core.trace import Tracer
from ...core.types import aval_of
from ...sharding.device import here
from ..numpy.eager import EvalTrace, eval_trace
from .dispatch import placed_operation, program_of

__all__ = ["device_trace"]


class DeviceTrace(EvalTrace):
    """Runs each primitive on the default device; results stay there."""

    __slots__ = ()

    def process(self, p, args, params):
        if p.eager_rule is not None:
            return p.eager_rule(args, params)
        for a in args:
            if isinstance(a, ArrayImpl):
                if type(a) is not ArrayImpl and type(a) is not Pending:
                    return placed_operation(p, args, params)
            elif isinstance(a, Tracer):
                raise UnexpectedTracerError(a)
        if here.plugin is None or not here.plugin.start():
            return eval_trace.process(p, args, params)
        closed = program_of(p, tuple([aval_of(x) for x in args]), params)
        run = _executable(closed, p.name)
        if run is None:
            return eval_trace.process(p, args, params)
        outs: list = run.arrays(args)  # type: ignore[assignment] - none has a place of its own
        return outs if p.multiple_results else outs[0]


@of_closed
def _executable(closed, name: str):
    """Return the compiled program of one operation; None if it has to run on the host."""
    from ..xla.engine import executable
    from ..xla.module import has_rule

    made = executable(closed, name) if has_rule(closed.jaxpr.eqns[0]) else None
    return made if made is not None and made.arrays is not None else None


device_trace = DeviceTrace(None)
