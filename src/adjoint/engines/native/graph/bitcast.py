"""`bitcast_convert_type` between widths and of narrow floats, and constants of the platform, as views and words.

Tests: `tests/engines/native/test_programs.py`.
"""

from __future__ import annotations

import numpy as np

from ....core import dtypes
from ....prims import platforms as platforms  # the primitive must be there before its rule
from ..text.builder import BOOL
from .view_rules import FALLBACK_RULES, register
from .views import contiguous, physical


def _word(dtype) -> np.dtype:
    return np.dtype(f"u{dtype.itemsize}")


def recast(graph, x, old, new):
    """Return the bits of numbers of one dtype as numbers of another: the lowest of a wide one make the first narrow
    one.
    """
    narrow, wide = sorted([dtypes.itemsize_bits(old), dtypes.itemsize_bits(new)])
    small, large = sorted([_word(old), _word(new)], key=lambda d: d.itemsize)

    def cast(view, dtype):
        dtype = physical((), dtype)[1]
        if view.base.dtype == dtype:
            return view
        params = ("new_dtype", dtype), ("old_dtype", view.base.dtype)
        return graph.elementwise("bitcast_convert_type", view.shape, dtype, (view,), params)

    if narrow == wide:
        return cast(cast(x, _word(old)), new)
    count = wide // narrow
    by = [graph.number(narrow * i, large) for i in range(count)]
    word = lambda op, *xs: graph.elementwise(op, xs[0].shape, xs[0].base.dtype, xs)
    own = lambda view: word("and", view, graph.number((1 << narrow) - 1, small)) if narrow < 8 else view
    x = cast(x, _word(old))
    if dtypes.itemsize_bits(old) == wide:
        parts = [cast(own(graph.converted(word("shift_right_logical", x, n), small)), new) for n in by]
        shape = (*x.shape, count)
        strides = contiguous(shape)[:-1]
        return graph.assemble(shape, physical((), new)[1], [(p, i, strides) for i, p in enumerate(parts)])
    zeros, lengths, out = (0,) * (len(x.shape) - 1), x.shape[:-1], None
    for i, n in enumerate(by):
        part = x.slice((*zeros, i), (*lengths, i + 1), (1,) * len(x.shape)).squeeze((len(lengths),))
        part = word("shift_left", graph.converted(own(part), large), n)
        out = part if out is None else word("or", out, part)
    return cast(out, new)


def _bitcast(graph, operands, params, types):
    (x,), new = operands, types[0].dtype
    return None if BOOL in (x.base.dtype, new) else [recast(graph, x, x.base.dtype, new)]


def _platform_index(graph, operands, params, types):
    try:
        chosen = platforms.chosen(params["platforms"], "cpu")
    except NotImplementedError:  # an error of the program, when it runs
        return None
    return [graph.number(chosen, types[0].dtype)]


FALLBACK_RULES["bitcast_convert_type"] = _bitcast
register({"platform_index": _platform_index})
