"""The facts of a program for call/prepare.py: how each result is found in the arrays that a call takes and makes."""

from __future__ import annotations

from math import prod

import numpy as np

from ....core.process.records import NamedTuple
from ..graph.views import Node, View, contiguous, physical

__all__ = ["Form", "Fresh", "CallLayout", "forms_of", "own_forms"]


class Form(NamedTuple):
    """A result as a part of the array in a slot; strides and offset in bytes, None for the array as it is."""

    slot: int
    dtype: np.dtype
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None = None
    offset: int = 0


class Fresh(NamedTuple):
    """An array that a call makes, and the slot of the operand whose memory it may take, or -1."""

    slot: int
    dtype: np.dtype
    shape: tuple[int, ...]
    donor: int


class CallLayout(NamedTuple):
    """The slots that a call fills and the results that it reads."""

    inputs: list[int]
    fresh: list[Fresh]
    forms: list[Form]
    values: list  # what is in the slots before
    aliased: frozenset[int]  # slots of operands that are results, or parts of them
    block: int
    kept: object  # what the block is part of


def forms_of(results, own: dict[int, tuple], slots: dict[Node, int], values: list) -> list[Form] | None:
    """Return how each result, a (view, aval), is read from the slots; None if one has to be put together.

    `own` are the dtypes and shapes of the arrays in the slots; arrays that are no slot's are added to `values`.
    """
    forms = []
    for view, aval in results:
        base, shape, dtype = view.base, aval.shape, _stored(aval.dtype)
        if not prod(view.shape):
            form = Form(_added(values, np.zeros(shape, dtype)), dtype, shape)
        elif base in slots and slots[base] in own:
            form = _form(view, shape, dtype, aval, slots[base], own[slots[base]])
        elif base.kind in ("iota", "constant"):
            whole = np.arange(base.size).astype(base.dtype) if base.kind == "iota" else np.array(base.value, order="C")
            form = _form(view, shape, dtype, aval, _added(values, whole), (whole.dtype, whole.shape))
        else:
            form = None
        if form is None:
            return None
        forms.append(form)
    return forms


def _form(view: View, shape, dtype, aval, slot: int, own) -> Form | None:
    n = view.base.dtype.itemsize
    if own == (dtype, shape) and view.is_whole:
        return Form(slot, dtype, shape)
    rank = len(shape)
    if view.strides[rank:] != contiguous(view.shape[rank:]) or view.shape != physical(shape, aval.dtype)[0]:
        return None
    return Form(slot, dtype, shape, tuple([s * n for s in view.strides[:rank]]), view.offset * n)


def _added(values: list, array: np.ndarray) -> int:
    values.append(array)
    return len(values) - 1


def own_forms(operands, makers, results, slots: dict[Node, int], values: list) -> dict[int, tuple]:
    """Dtype and shape of the array in each slot; results that are made of pairs or keys are so from the beginning."""
    own = {i: (v.dtype, v.shape) for i, v in enumerate(values) if type(v) is np.ndarray}
    own |= {slots[node]: (_stored(aval.dtype), aval.shape) for node, aval in operands}
    for slot, shape, dtype in makers:
        own[slot] = dtype, shape
    made = {slot for slot, *_ in makers}
    for view, aval in results:
        base = view.base
        if base.dtype is aval.dtype and base.shape == aval.shape:
            continue
        slot = slots.get(base)
        if slot in made and view.is_whole and view.shape == physical(aval.shape, aval.dtype)[0]:
            own[slot] = _stored(aval.dtype), aval.shape
    return own


def _stored(dtype) -> np.dtype:
    """Return the dtype of Python's buffers."""
    return np.dtype(getattr(dtype, "buffer_dtype", dtype))
