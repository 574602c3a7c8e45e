"""`composite`: a program with a name, by which a compiler may know a better way to compute it.

The program defines what the call means, and engines without a better way run it. As in JAX there is no
derivative: code that names an operation may give it one with `custom_jvp`.

Tests: `tests/lax/test_staging.py`.
"""

from __future__ import annotations

from ..prims.shape import batch_to_front
from ..transforms.calls import call_primitive
from ..transforms.programs import batch_program

__all__ = ["composite_p"]

composite_p = call_primitive("composite")


@composite_p.jvp
def _(primals, tangents, *, name, **_):
    raise ValueError(
        "JVP rule for composite not implemented. You can use `jax.custom_jvp` to add support. See "
        "https://docs.jax.dev/en/latest/_autosummary/jax.custom_jvp.html\n"
        f"  It is the composite {name!r}."
    )


@composite_p.batch_axis
def _(axis, args, dims, params):
    step, out_batched = batch_program(params["jaxpr"], axis, tuple([d is not None for d in dims]))
    lined = [x if d is None else batch_to_front(x, d) for x, d in zip(args, dims)]
    outs = composite_p.bind(*lined, **{**params, "jaxpr": step})
    return outs, [0 if b else None for b in out_batched]
