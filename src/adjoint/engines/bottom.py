"""The trace at the bottom: one that computes where results belong, within one that looks at them if it is wanted.

The options decide, when they change: an operation itself asks nothing. `numpy/eager.py` computes on the first device,
`placed/` elsewhere, `numpy/checks.py` and `numpy/key_reuse.py` look.

Tests: `tests/parallel/test_places.py`.
"""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace

from ..core.messages.errors import message
from ..core.options.config import local, own_values, watch
from ..core.state import State, states
from ..sharding.device import here, refusal
from ..sharding.mesh import placing_mesh
from .numpy.checks import CheckedTrace, guarded_trace, is_guarded
from .numpy.eager import EvalTrace, eval_trace
from .numpy.key_reuse import KeyTrace
from .placed.accelerators import device_trace
from .placed.traces import has_other_default, mesh_trace, placing_trace

__all__ = ["choose_bottom"]


class _AbsentTrace(EvalTrace):
    """Refuses to compute on the CPU what is to be computed on a platform that is not there."""

    __slots__ = ()
    runs_programs = runs_again = False

    def process(self, p, args, params):
        error = refusal(local.default_device)
        assert error is not None
        raise error

    def placed(self, x, is_typed: bool = False):
        return self.process(None, (), {})


class _IdleTrace(EvalTrace):
    """Refuses to compute anything, as `jax_no_execution` asks for."""

    __slots__ = ()
    runs_programs = runs_again = False

    def process(self, p, args, params):
        name = params.get("name", p.name) if p.runs_programs else p.name
        raise RuntimeError(
            message(
                f"JAX tried to execute function jit({name}), but the no_execution config option is set",
                fix="jax.eval_shape, or with jax.no_execution(False):",
            )
        )


_idle_trace = _IdleTrace(None)
_absent_trace = _AbsentTrace(None)
_MESH = placing_mesh.option.field
_FIELDS = (
    "no_execution", "debug_nans", "debug_infs", "debug_key_reuse", "default_device", _MESH,
    "transfer_guard", "transfer_guard_host_to_device", "transfer_guard_device_to_device",
)


def _wanted(values) -> EvalTrace:
    if refusal(values.default_device) is not None:
        return _absent_trace
    if values.no_execution:
        return _idle_trace
    evaluating = _evaluating(values)
    if values.debug_key_reuse:
        return _about(KeyTrace, evaluating)
    return _about(CheckedTrace, evaluating) if values.debug_nans or values.debug_infs else evaluating


def _evaluating(values) -> EvalTrace:
    """The trace that computes where results belong."""
    mesh = getattr(values, _MESH)
    if values.default_device is None and here.plugin is None and mesh is None:
        return guarded_trace if is_guarded(values) else eval_trace
    if mesh is not None and here.plugin is None:
        return mesh_trace
    if has_other_default(values.default_device):
        return placing_trace
    return eval_trace if here.plugin is None else device_trace


@cache
def _about(checks: type[CheckedTrace], evaluating: EvalTrace) -> CheckedTrace:
    return checks(evaluating)


def choose_bottom() -> None:
    """Put the right trace at the bottom: for new threads, and for each that there is, as its options say."""
    whole = type(local)
    State.evaluate_by(_wanted(SimpleNamespace(**{f: getattr(whole, f) for f in _FIELDS})))
    for thread, own in list(states.items()):
        values = own_values.get(thread, {})
        wanted = _wanted(SimpleNamespace(**{f: values.get(f, getattr(whole, f)) for f in _FIELDS}))
        own["bottom"] = wanted
        own["trace"] = _replaced(own.get("trace", wanted), wanted)


def _replaced(trace, wanted):
    """The trace with `wanted` at the bottom of it."""
    if isinstance(trace, EvalTrace):
        return wanted
    todo = [trace]
    while todo:
        above = todo.pop()
        for name in ("parent", "rule_trace"):  # what it hands operations to
            below = getattr(above, name, None)
            if isinstance(below, EvalTrace):
                setattr(above, name, wanted)
            elif below is not None:
                todo.append(below)
    return trace


watch(_FIELDS, choose_bottom)
