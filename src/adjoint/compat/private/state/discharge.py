"""Programs with references as programs on values: names of `jax._src.state.discharge`, `primitives` and `utils`.

Tests: `tests/compat/test_private_state.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....array.array import as_array
from ....core.dtypes import itemsize_bits
from ....core.jaxpr import ClosedJaxpr, Jaxpr
from ....core.messages.errors import message
from ....core.trace import eval_jaxpr, stage, stage_closed
from ....core.tree.tree import tree_flatten, tree_unflatten
from ....core.types import Array, aval_of
from ....core.values.refs import AbstractRef, Ref, wrapped
from ....lax.conversion import bitcast_convert_type
from ....numpy.shapes import broadcast_to as spread
from ....prims.discharge import discharge_refs
from ....prims.references import get
from ....transforms.flat import function_name
from .types import Uninitialized, get_ref_aval_from_value

__all__ = ["bitcast", "broadcast_to", "discharge_state", "eval_bitcast_shape", "hoist_consts_to_refs",
           "run_state", "run_state_reference", "shapeof"]


def discharge_state(
    closed_jaxpr: ClosedJaxpr, *, should_discharge: bool | Sequence[bool] = True, lower: bool = True
) -> ClosedJaxpr:
    """Return a program with values in place of references, whose last results are what those hold at the end.

    Args:
      closed_jaxpr: the program.
      should_discharge: for each operand whether it becomes a value, where it is a reference.
      lower: is not read.
    """
    n = len(closed_jaxpr.jaxpr.invars)
    wanted = (should_discharge,) * n if isinstance(should_discharge, bool) else tuple(should_discharge)
    return discharge_refs(closed_jaxpr, wanted)


def run_state(f: Callable[..., None]) -> Callable[[Any], Any]:
    """Return a function of a tree of values: `f` is called with references to them, and what they hold is returned.

    >>> run_state(lambda ref: ref.__setitem__(0, 7))(jnp.arange(3))
    Array([7, 1, 2], dtype=int32)
    """
    def stateful(args: Any) -> Any:
        leaves, tree = tree_flatten(args, is_leaf=lambda x: isinstance(x, Uninitialized))
        avals, values = zip(*[get_ref_aval_from_value(x) for x in leaves]) if leaves else ((), ())

        def flat(*refs):
            out, _ = tree_flatten(f(tree_unflatten(tree, wrapped(refs))))
            if out:
                raise ValueError(message(
                    f"{function_name(f)} returns a value, and run_state gives what the references hold.",
                    fix="write it into a reference"))
            return []

        program = discharge_refs(stage_closed(flat, avals))
        given = [x if isinstance(x, Array) else as_array(np.asarray(x, aval_of(x).dtype)) for x in values]
        return tree_unflatten(tree, eval_jaxpr(program.jaxpr, program.consts, *given))

    return stateful


run_state_reference = run_state


def broadcast_to(a: Any, shape: tuple[int, ...]) -> Array:
    """Return a value repeated along further axes."""
    return spread(a, shape)


def shapeof(x: Any) -> tuple[int, ...]:
    """Return the shape of a value."""
    return aval_of(x).shape


def eval_bitcast_shape(x: Any, dtype: Any) -> tuple[int, ...]:
    """Return the shape of the bits of `x` as another dtype: the second axis from the end is longer or shorter."""
    old, new = itemsize_bits(aval_of(x).dtype), itemsize_bits(np.dtype(dtype))
    shape = aval_of(x).shape
    if old == new:
        return shape
    if len(shape) < 2:
        raise NotImplementedError(message("Bitcast 1D ref with bitwidth change is not supported.",
                                          fix="an array with a second axis"))
    return (*shape[:-2], shape[-2] * old // new, shape[-1])


def bitcast(x: Any, dtype: Any) -> Array:
    """Return the bits of an array as another dtype; elements of different width share the second axis from the end."""
    old, new = itemsize_bits(aval_of(x).dtype), itemsize_bits(np.dtype(dtype))
    shape = eval_bitcast_shape(x, dtype)
    if old == new:
        return bitcast_convert_type(x, dtype)
    rows, columns = aval_of(x).shape[-2:]
    if rows * old != shape[-2] * new:
        raise ValueError("Expected input and output shapes are the same after multiplying the second-minor dimension "
                         "by the bitwidths.")
    if old < new:
        parts = x.reshape(*shape[:-1], new // old, columns).swapaxes(-1, -2)
        return bitcast_convert_type(parts, dtype)
    return bitcast_convert_type(x, dtype).swapaxes(-1, -2).reshape(shape)


def hoist_consts_to_refs(
    jaxpr: Jaxpr, *, index: int = 0, make_abstract_ref: Callable[[Any], AbstractRef] = AbstractRef
) -> Jaxpr:
    """Return a program that reads its constants from references, which are operands from a position on."""
    types = [make_abstract_ref(v.aval) for v in jaxpr.constvars]
    n = len(types)

    def run(*args):
        refs = args[index: index + n]
        consts = [get(Ref(t, r) if not isinstance(r, Ref) else r) for t, r in zip(types, refs)]
        return eval_jaxpr(jaxpr, consts, *args[:index], *args[index + n:])

    avals = [v.aval for v in jaxpr.invars]
    new, _ = stage(run, [*avals[:index], *types, *avals[index:]], jaxpr.debug_info)
    return new
