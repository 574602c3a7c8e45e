"""Functions that are called where arrays are.

Tests: `tests/experimental/test_colocated_python.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from inspect import Signature
from typing import Any

from ...core.messages.errors import message
from ...core.trace import Tracer
from ...core.tree.tree import tree_flatten, tree_map, tree_unflatten
from ...core.types import Array
from ...parallel.devices import device_put
from ...transforms.flat import wraps
from ...transforms.jit.staging import ShapeDtypeStruct

__all__ = ["FunctionInfo", "Specialization", "make_callable"]


@dataclass(frozen=True)
class FunctionInfo:
    """A function, and what is known of where it was written."""

    fun: Callable
    fun_sourceinfo: str | None
    fun_signature: Signature | None


@dataclass(frozen=True)
class Specialization:
    """The fixed parts of calls: types of arguments, a function from these to types of results, devices."""

    in_specs: Any = None
    out_specs_fn: Callable | None = None
    devices: Sequence | None = field(default=None)

    def update(self, *, in_specs=None, out_specs_fn=None, devices=None) -> Specialization:
        """Return one with more that is fixed.

        Raises: ValueError: something is fixed already.
        """
        given = {k: v for k, v in dict(in_specs=in_specs, out_specs_fn=out_specs_fn, devices=devices).items()
                 if v is not None}
        for name in given:
            if getattr(self, name) is not None:
                raise ValueError(f"{name} already specified")
        return replace(self, **given)


def _spec(x) -> ShapeDtypeStruct:
    return ShapeDtypeStruct(x.shape, x.dtype, sharding=x.sharding)


def _check(x) -> None:
    if isinstance(x, Tracer):
        raise ValueError(message(
            "A colocated_python function is called with a traced array.",
            why="It runs at once, where its arrays are.", fix="call it outside of jit, or use jax.pure_callback",
        ))
    if not isinstance(x, Array):
        raise ValueError(f"colocated_python only supports jax.Array as input and output, but got {type(x)}.")


def make_callable(fun: Callable, fun_sourceinfo: str | None, fun_signature: Signature | None) -> Callable:
    """Return a function that calls another where its arguments are, with a method `specialize`."""
    return _specialized(FunctionInfo(fun, fun_sourceinfo, fun_signature), Specialization())


def _specialized(info: FunctionInfo, fixed: Specialization) -> Callable:
    def specialize(in_specs=None, out_specs_fn: Callable | None = None, devices: Sequence | None = None) -> Callable:
        """Return the function with types of its arguments, a function from these to types of results, or devices."""
        return _specialized(info, fixed.update(in_specs=in_specs, out_specs_fn=out_specs_fn, devices=devices))

    @wraps(info.fun)
    def call(*args, **kwargs):
        leaves, tree = tree_flatten((args, kwargs))
        for x in leaves:
            _check(x)
        if not leaves and fixed.devices is None:
            raise ValueError(
                "No devices found. colocated_python function without input arguments must be first specialized with "
                "devices."
            )
        specs = tree_unflatten(tree, list(map(_spec, leaves)))
        if fixed.in_specs is not None and _kinds(fixed.in_specs) != _kinds(specs):
            raise ValueError(f"Input specs in specialization and input specs of arguments must have the same shapes "
                             f"and dtypes, but got {fixed.in_specs} and {specs}.")
        out = info.fun(*args, **kwargs)
        for x in tree_flatten(out)[0]:
            _check(x)
        if fixed.out_specs_fn is None:
            return out
        in_args, in_kwargs = specs
        wanted = fixed.out_specs_fn(*in_args, **in_kwargs)
        if _kinds(wanted) != _kinds(tree_map(_spec, out)):
            raise ValueError(f"The result of {info.fun} has other types than out_specs_fn says: {wanted}")
        return tree_map(lambda x, s: x if s.sharding is None else device_put(x, s.sharding), out, wanted)

    call.specialize = specialize  # type: ignore[attr-defined]
    return call


def _kinds(specs) -> tuple:
    leaves, tree = tree_flatten(specs)
    return [(s.shape, s.dtype) for s in leaves], tree
