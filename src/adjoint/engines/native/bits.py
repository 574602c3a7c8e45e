"""`bitcast_convert_type` between widths and of narrow floats, and constants of the platform, as views and words."""

from __future__ import annotations

import numpy as np

from ...core import dtypes
from ...prims import platforms as platforms  # the primitive must be there before its rule
from .builder import BOOL
from .layout import NAMED, put_on
from .views import contiguous


def _word(dtype) -> np.dtype:
    return np.dtype(f"u{dtype.itemsize}")


def _bitcast(graph, operands, params, types):
    """Through unsigned integers, the lowest parts of which come first."""
    (x,), new = operands, types[0].dtype
    old = x.base.dtype
    if BOOL in (old, new) or dtypes.itemsize_bits(old) < 8 or dtypes.itemsize_bits(new) < 8:
        return None

    def cast(view, dtype):
        if view.base.dtype == dtype:
            return view
        params = ("new_dtype", dtype), ("old_dtype", view.base.dtype)
        return graph.elementwise("bitcast_convert_type", view.shape, dtype, (view,), params)

    if old.itemsize == new.itemsize:
        return [cast(cast(x, _word(old)), new)]
    small, large = sorted([_word(old), _word(new)], key=lambda d: d.itemsize)
    count = large.itemsize // small.itemsize
    by = [graph.number(8 * small.itemsize * i, large) for i in range(count)]
    word = lambda op, *xs: graph.elementwise(op, xs[0].shape, large, xs)
    x = cast(x, _word(old))
    if old.itemsize > new.itemsize:
        parts = [cast(graph.converted(word("shift_right_logical", x, n), small), new) for n in by]
        shape = (*x.shape, count)
        strides = contiguous(shape)[:-1]
        return [graph.assemble(shape, new, [(p, i, strides) for i, p in enumerate(parts)])]
    zeros, lengths, out = (0,) * (len(x.shape) - 1), x.shape[:-1], None
    for i, n in enumerate(by):
        part = x.slice((*zeros, i), (*lengths, i + 1), (1,) * len(x.shape)).squeeze((len(lengths),))
        part = word("shift_left", graph.converted(part, large), n)
        out = part if out is None else word("or", out, part)
    return [cast(out, new)]


def _platform_index(graph, operands, params, types):
    try:
        chosen = platforms.chosen(params["platforms"], "cpu")
    except NotImplementedError:  # an error of the program, when it runs
        return None
    return [graph.number(chosen, types[0].dtype)]


NAMED["bitcast_convert_type"] = _bitcast
put_on({"platform_index": _platform_index})
