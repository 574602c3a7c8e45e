"""`ffi_call`: a function of compiled code, registered with the XLA runtime by a name, as an operation.

Programs on the XLA engine call it directly; the other engines and eager code run each call as a program of its own
there. It has no derivative: code that registers a function may give it one with `custom_jvp`.

Tests: `tests/test_ffi.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.effects import Effect
from ..core.messages.errors import message
from ..core.primitive import Primitive
from ..core.process.memo import memoized
from ..core.trace import current, stage_closed, state
from ..core.types import ShapedArray, aval_of
from .callbacks import METHODS, batch_by_method

__all__ = ["ffi_call", "ffi_call_p"]


class FfiEffect(Effect):
    """A function of compiled code does something beside computing its results."""

    __slots__ = ()


_effects = frozenset((FfiEffect(),))


# ---- attributes ----------------------------------------------------------------------------------


class HashableArray:
    """An array among the attributes of a call."""

    __slots__ = ("val",)

    def __init__(self, val: np.ndarray):
        self.val = val.copy()

    def _content(self):
        return self.val.shape, self.val.dtype, self.val.tobytes()

    def __eq__(self, other):
        return isinstance(other, HashableArray) and self._content() == other._content()

    def __hash__(self):
        return hash(self._content())

    def __repr__(self):
        return f"HashableArray({self.val!r})"


class FrozenDict:
    """A dict among the attributes of a call."""

    __slots__ = ("items",)

    def __init__(self, given: dict):
        self.items = tuple([(k, _hashable(v)) for k, v in given.items()])

    def __eq__(self, other):
        return isinstance(other, FrozenDict) and dict(self.items) == dict(other.items)

    def __hash__(self):
        return hash(frozenset(self.items))

    def __repr__(self):
        return f"FrozenDict({dict(self.items)})"


def _hashable(value):
    if isinstance(value, np.ndarray):
        return HashableArray(value)
    return FrozenDict(value) if isinstance(value, dict) else value


# ---- the primitive -------------------------------------------------------------------------------

ffi_call_p = Primitive("ffi_call", multiple_results=True, program=True)


@ffi_call_p.type
def _(*_, result_avals, **__):
    return list(result_avals)


@ffi_call_p.effects
def _(params):
    return _effects if params["has_side_effect"] else frozenset()


@ffi_call_p.jvp
def _(*_, target_name, **__):
    raise ValueError(
        message(
            f"The FFI call to `{target_name}` cannot be differentiated. You can use `jax.custom_jvp` or "
            "`jax.custom_jvp` to add support.",
            why="It is compiled code; its derivative is not known.",
            fix="@jax.custom_jvp around the function that makes the call, with a rule",
        )
    )


@memoized(1024)
def _single(avals: tuple, items: tuple):
    """Return the program of one call."""
    from ..engines.xla.engine import executable

    with current(state.bottom):
        closed = stage_closed(lambda *xs: ffi_call_p.bind(*xs, **dict(items)), avals)
    return executable(closed, "ffi_call")


@ffi_call_p.evaluate
def _(*buffers, **params):
    avals = tuple([ShapedArray(np.shape(b), np.asarray(b).dtype) for b in buffers])
    return _single(avals, tuple(params.items()))(*buffers)


@ffi_call_p.batch_axis
def _(axis, args, dims, params):
    front = lambda layouts, batched: tuple(
        [(0, *[i + 1 for i in x]) if b else x for x, b in zip(layouts, batched)])
    # Layouts run from the axis that varies fastest here, so the new axis, the slowest, stands last.
    behind = lambda layouts, batched: tuple([(*f[1:], 0) if b else f for f, b in
                                             zip(front(layouts, batched), batched)])

    def whole(lined):
        shapes = [aval_of(x).ndim for x in lined]
        batched = [n > len(x) for n, x in zip(shapes, params["input_layouts"])]
        avals = tuple([a.update(shape=(axis.size, *a.shape)) for a in params["result_avals"]])
        return {
            **params, "result_avals": avals, "input_layouts": behind(params["input_layouts"], batched),
            "output_layouts": behind(params["output_layouts"], [True] * len(avals)),
        }

    return batch_by_method(ffi_call_p, axis, args, dims, params, whole)


# ---- what users call -----------------------------------------------------------------------------


def _layout(given, ndim: int) -> tuple[int, ...]:
    """Return the axes from the one that varies fastest, as XLA has it; users give the slowest first."""
    if given is None:
        return tuple(range(ndim - 1, -1, -1))
    return tuple([int(i) for i in getattr(given, "major_to_minor", given)][::-1])


def _result_avals(given) -> tuple[ShapedArray, ...]:
    avals = []
    for i, x in enumerate(given):
        if not (hasattr(x, "shape") and hasattr(x, "dtype")):
            raise ValueError(
                f"All elements of result_shape_dtypes must have 'shape' and 'dtype' attributes. Got {x} at "
                f"position {i}.\n  Try: jax.ShapeDtypeStruct(shape, dtype)"
            )
        avals.append(ShapedArray(tuple(x.shape), dtypes.canonicalize_dtype(x.dtype, True)))
    return tuple(avals)


def _check_layouts(layouts, avals, what: str, plural: str) -> tuple:
    if layouts is None:
        layouts = [None] * len(avals)
    if len(layouts) != len(avals):
        raise ValueError(
            f"The number of {plural} ({len(avals)}) must equal the number of {what} layouts ({len(layouts)})."
        )
    found = []
    for given, aval in zip(layouts, avals):
        layout = _layout(given, aval.ndim)
        if sorted(layout) != list(range(aval.ndim)):
            raise ValueError(
                f"The {what} layout {tuple(layout[::-1])} must be a permutation of [0, {aval.ndim}), the axes of "
                f"{aval.str_short()}."
            )
        found.append(layout)
    return tuple(found)


def _check_aliases(aliases, in_avals, out_avals) -> None:
    for i, o in aliases:
        at = f"input_output_aliases contains the mapping '{i}:{o}'"
        for index, kind, avals in ((i, "input", in_avals), (o, "output", out_avals)):
            if not 0 <= index < len(avals):
                raise ValueError(f"{at} with {kind} index {index} outside the range [0, {len(avals)}).")
        x, y = in_avals[i].strip_weak_type(), out_avals[o]
        if (x.shape, x.dtype) != (y.shape, y.dtype):
            raise ValueError(
                f"{at} referring to an input with abstract value {x.str_short()} and an output with a different "
                f"abstract value {y.str_short()}."
            )


def ffi_call(
    target_name: str, result_shape_dtypes: Any, *, has_side_effect: bool = False, vmap_method: str | None = None,
    input_layouts: Sequence | None = None, output_layouts: Any = None,
    input_output_aliases: dict[int, int] | None = None, custom_call_api_version: int = 4,
    legacy_backend_config: str | None = None,
) -> Callable[..., Any]:
    """Return a function that calls compiled code, which was registered by `register_ffi_target`.

    Args:
      target_name: the name by which it was registered.
      result_shape_dtypes: a `ShapeDtypeStruct` of the result, or a sequence of them.
      has_side_effect: call it also if the results are not needed.
      vmap_method: what `vmap` does, as for `pure_callback`.
      input_layouts, output_layouts: for each array None, or its axes from the one that varies slowest.
      input_output_aliases: which result takes the memory of which operand.
      custom_call_api_version: 4 is the typed interface; earlier ones take `legacy_backend_config`.
      legacy_backend_config: a text, for functions of the older interfaces.
    Returns:
      A function of arrays; its keyword arguments are attributes of the call: numbers, strings, booleans, NumPy
      arrays, dicts.
    Raises:
      ImportError: jaxlib is not installed.
      JaxRuntimeError: no function of that name is registered.
      ValueError: layouts or aliases do not fit; the call is differentiated.

    >>> double = ffi_call("my_double", ShapeDtypeStruct((3,), "float32"))
    >>> make_jaxpr(lambda x: double(x, times=2))(jnp.ones(3)).eqns[0].params["attributes"]
    (('times', 2),)
    """
    if vmap_method not in METHODS:
        raise ValueError(
            f"vmap_method must be on of the allowed methods {list(METHODS)}, but got: {vmap_method}"
        )
    several = isinstance(result_shape_dtypes, Sequence)
    out_avals = _result_avals(result_shape_dtypes if several else [result_shape_dtypes])
    if custom_call_api_version >= 4 and legacy_backend_config is not None:
        raise ValueError(
            "The use of the legacy_backend_config parameter requires custom_call_api_version < 4; got "
            f"{custom_call_api_version}."
        )
    outs_given = output_layouts if several or output_layouts is None else [output_layouts]

    def call(*args, **attributes):
        if custom_call_api_version < 4 and attributes:
            raise ValueError(
                "The use of ffi_call attributes requires a custom call API version of at least 4; got "
                f"api_version={custom_call_api_version}."
            )
        in_avals = [aval_of(x) for x in args]
        ins = _check_layouts(input_layouts, in_avals, "input", "input arguments")
        outs = _check_layouts(outs_given, out_avals, "output", "outputs")
        aliases = tuple((input_output_aliases or {}).items())
        _check_aliases(aliases, in_avals, out_avals)
        results = ffi_call_p.bind(
            *args, result_avals=out_avals, vmap_method=vmap_method, target_name=target_name,
            has_side_effect=has_side_effect, input_layouts=ins, output_layouts=outs, input_output_aliases=aliases,
            custom_call_api_version=custom_call_api_version, legacy_backend_config=legacy_backend_config,
            attributes=tuple([(k, _hashable(v)) for k, v in attributes.items()]),
        )
        if several:
            return tuple(results) if isinstance(result_shape_dtypes, tuple) else results
        return results[0]

    return call
