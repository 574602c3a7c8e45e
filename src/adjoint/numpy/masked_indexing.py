"""Indices with a traced mask: `x[mask]`, `x.at[mask]`, `nonzero(mask)`, and indices of what a mask has selected.

A mask among slices and integers picks along axes of the array itself, which become one (`_View`). Beside other
selections it stands for the positions of its elements, and the index is a gather, or a scatter that leaves out the
positions that are not selected.

Tests: `tests/numpy/test_masked.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.messages.boundaries import guarded
from ..core.messages.errors import ConcretizationTypeError, NonConcreteBooleanIndexError, message
from ..core.messages.frames import user_code
from ..core.types import Array
from ..prims.indexed_windows import GatherScatterMode, default_fill
from ..prims.shape import broadcast_in_dim, insert_axes, move_axis, rev
from ..prims.shape import reshape as reshape_p
from ..transforms.vmap import vmap
from . import ufuncs
from .conversion import asarray
from .fills import stretched
from .index_plan import parse, plan_of
from .index_update import as_before, as_values
from .indexing import read, take
from .masked import Domain, Refusal, Selected, combined, filled, joined
from .masked_functions import refine, rule_of
from .promotion import convert
from .reductions import sum as sum_
from .running import cumsum
from .searching import searchsorted
from .selection import where
from .shapes import ravel

__all__ = ["Selection", "applied", "kept", "nonzero_places", "read_masked", "update_masked"]


# ---- selections ----------------------------------------------------------------------------------


@guarded
class Selection(Selected):
    """The elements that a mask selects, with the functions that take them and with indices of its own."""

    __slots__ = ()

    def given_to(self, function, args, kwargs):
        rule = rule_of(function)
        if rule is None:
            raise self.refused(f"jnp.{function.__name__} needs to know how many elements there are.")
        return rule(function, *args, **kwargs)

    def __getitem__(self, index):
        return _part(self, index)


def selection(x: Array, mask: Array, at: int, refusal: Refusal, to: int | None = None, parts: tuple = ()) -> Selection:
    """The selection of `x` by a mask of its axes from `at` on, as one axis `to` which it moves."""
    k, shape = mask.ndim, x.shape
    if k != 1:
        n = prod(mask.shape)
        x = reshape_p(x, new_sizes=(*shape[:at], n, *shape[at + k :]), dimensions=None, sharding=None)
    to = at if to is None else to
    domains: list = [None] * x.ndim
    domains[to] = Domain(ravel(mask), parts or (mask,))
    return Selection(move_axis(x, at, to), tuple(domains), refusal)


# ---- which masks there are -----------------------------------------------------------------------


def _entries(idx) -> list:
    return list(idx) if type(idx) is tuple else [idx]


def _is_mask(e) -> bool:
    """Return whether an entry is a mask of unknown values."""
    return isinstance(e, Array) and e.dtype == np.bool_ and e.concrete() is None


def _as_entry(e):
    """Return an entry with lists of traced booleans, and objects that stand for arrays, made arrays."""
    if isinstance(e, Selection) or isinstance(e, (Array, np.ndarray)):
        return e
    if hasattr(e, "__jax_array__"):
        return e.__jax_array__()
    if isinstance(e, (list, tuple)):
        return asarray(e)
    return e


def _read_index(x: Array, idx) -> tuple[list, Refusal]:
    """Return the entries of an index, and what is raised for the first mask or selection in it."""
    entries = [_as_entry(e) for e in _entries(idx)]
    taken = sum([_taken(e) for e in entries])
    if taken > x.ndim:
        parse(tuple([slice(None)] * taken), x.shape)  # raises the error
    first = next(e for e in entries if isinstance(e, Selection) or _is_mask(e))
    if isinstance(first, Selection):
        return entries, first._refusal
    return entries, Refusal(NonConcreteBooleanIndexError, first, user_code())


def _taken(e) -> int:
    """Return how many axes an entry takes."""
    if e is None or e is Ellipsis:
        return 0
    return e.ndim if isinstance(e, (Array, np.ndarray)) and e.dtype == np.bool_ else 1


# ---- a mask among slices and integers ------------------------------------------------------------


class _View:
    """The part of an array that an index with one traced mask, and slices and integers beside it, sees.

    Attributes:
      index: the index with slices in the place of the mask; `core` is what it gives.
      mask: with one axis at least, whose axes are those of the core from `at` on.
      to: where the axis of the selected elements is in the result.
    """

    def __init__(self, x: Array, idx, refusal: Refusal):
        self.x = x
        entries = _entries(idx)
        taken = sum([_taken(e) for e in entries])
        dots = [i for i, e in enumerate(entries) if e is Ellipsis]
        place = dots[0] if dots else len(entries)
        entries[place : place + 1] = [slice(None)] * (x.ndim - taken)
        (i,) = [i for i, e in enumerate(entries) if _is_mask(e)]
        mask = entries[i]
        axis = sum([_taken(e) for e in entries[:i]])
        if mask.shape != x.shape[axis : axis + mask.ndim]:
            raise refusal.error(
                f"A mask of shape {mask.shape} does not fit the array, whose shape there is "
                f"{x.shape[axis : axis + mask.ndim]}."
            )
        integers = [j for j, e in enumerate(entries) if j == i or _is_integer(e)]
        together = integers[-1] - integers[0] == len(integers) - 1
        if dots and taken == x.ndim and integers[0] < place <= integers[-1]:
            together = False  # also where `...` stands for no axis
        in_front = lambda j: len([e for e in entries[:j] if not _is_integer(e)])
        self.at = in_front(i)
        self.to = in_front(integers[0]) if together else 0
        new = [slice(None)] * mask.ndim if mask.ndim else [None]
        self.index = (*entries[:i], *new, *entries[i + 1 :])
        self.mask = mask if mask.ndim else insert_axes(mask, (0,))
        self.is_whole = all([isinstance(e, slice) and e == slice(None) for e in self.index])
        self.core = x if self.is_whole else x[self.index]
        self.refusal = refusal._replace(rank=x.ndim - mask.ndim if len(_entries(idx)) == 1 else 0)

    def selection(self) -> Selection:
        return selection(self.core, self.mask, self.at, self.refusal, self.to)

    def spread(self, mask: Array) -> Array:
        """The mask against the core."""
        others = [i for i in range(self.core.ndim) if not self.at <= i < self.at + mask.ndim]
        return insert_axes(mask, tuple(others)) if others else mask

    def restored(self, values: Array) -> Array:
        """Values of the selection with the axes of the core."""
        order = [i for i in range(values.ndim) if i != self.to]
        order.insert(self.at, self.to)
        values = values if order == list(range(values.ndim)) else values.transpose(order)
        return values.reshape(self.core.shape)

    def put_back(self, core: Array) -> Array:
        """The array with other values where the index points."""
        return core if self.is_whole else self.x.at[self.index].set(core)


def _is_integer(e) -> bool:
    return not (e is None or isinstance(e, slice) or _is_mask(e))


def _is_view(entries) -> bool:
    """Return whether there is one traced mask, and nothing else but slices, new axes and single positions."""
    masks = [e for e in entries if _is_mask(e)]
    rest = [e for e in entries if not _is_mask(e)]
    return len(masks) == 1 and all([
        e is None or e is Ellipsis or isinstance(e, (slice, int, np.integer)) and not isinstance(e, bool)
        or isinstance(e, (Array, np.ndarray)) and e.ndim == 0 and dtypes.issubdtype(e.dtype, np.integer)
        for e in rest
    ])


# ---- masks as positions --------------------------------------------------------------------------


class _Positions:
    """An index with selections of integers, and masks that stand for their positions."""

    def __init__(self, x: Array, entries, refusal: Refusal):
        found: list = []
        for e in entries:
            if _is_mask(e):
                found += places(e, refusal)
            else:
                found.append(e)
        chosen = [e for e in found if isinstance(e, Selection)]
        for e in found:
            if isinstance(e, Selection):
                if e.ndim != 1 or not dtypes.issubdtype(e.dtype, np.integer):
                    raise e.refused("An index that a mask has selected is a list of integers.")
            elif isinstance(e, (Array, np.ndarray)) and e.ndim or isinstance(e, (bool, np.bool_)):
                raise refusal.error("Beside what a mask selects, an index has slices and single positions.")
        (self.domain,), self.first = joined(chosen)
        self.entries = found

    def index(self, outside: Callable | None = None) -> tuple:
        """The index with positions of all elements; those not selected are 0, or `outside` of an axis."""
        out, axis, after = [], 0, False
        for e in self.entries:
            if isinstance(e, Selection):
                if outside is not None and not after:
                    e, after = outside(e, axis), True
                else:
                    e = e.safe(0)
            out.append(e)
            axis += 0 if out[-1] is None or out[-1] is Ellipsis else 1
        return tuple(out)

    def at(self, shape) -> tuple[int, int]:
        """Return where the axis of the positions is in the result, and how many axes that has."""
        plan = plan_of(shape, parse(self.index(), shape).tokens)
        return plan.layout.index("block"), len(plan.shape)


def places(mask: Array, refusal: Refusal) -> list[Selection]:
    """The positions of the true elements of a mask along each of its axes, as `nonzero` gives them."""
    int_ = dtypes.default_int()
    domain = Domain(mask.ravel(), (mask,))
    out = []
    for i in range(mask.ndim):
        position = broadcast_in_dim(
            np.arange(mask.shape[i], dtype=int_), shape=mask.shape, broadcast_dimensions=(i,), sharding=None
        )
        out.append(Selection(position.ravel(), (domain,), refusal))
    return out


# ---- reading and updating ------------------------------------------------------------------------


def read_masked(x: Array, idx, options: tuple) -> Selection:
    """`x[idx]`, whose index has a traced mask or a selection."""
    entries, refusal = _read_index(x, idx)
    if _is_view(entries):
        return _View(x, tuple(entries), refusal).selection()
    positions = _Positions(x, entries, refusal)
    out = read(x, positions.index(), *options)
    domains: list = [None] * out.ndim
    domains[positions.at(x.shape)[0]] = positions.domain
    return Selection(out, tuple(domains), refusal)


# What an update makes of the old elements and the values, for those that are selected.
_UPDATES: dict[str, Callable] = {
    "set": lambda old, v: v, "add": ufuncs.add, "subtract": ufuncs.subtract, "multiply": ufuncs.multiply,
    "min": ufuncs.minimum, "max": ufuncs.maximum,
}


def update_masked(x: Array, name: str, idx, values, mode=None) -> Array:
    """`x.at[idx].add(values)` and the like, whose index has a traced mask or a selection."""
    entries, refusal = _read_index(x, idx)
    if not _is_view(entries):
        return _scattered(name, x, entries, values, refusal, mode)
    given = values if isinstance(values, Selection) else None
    view = _View(x, tuple(entries), refusal)
    is_scalar = given is None and not np.ndim(values)
    if not is_scalar:                           # JAX parity: before dtypes are compared
        joined((view.selection(), asarray(values) if given is None else given))
    values, dtype = as_values(values if given is None else given.safe(), x)
    if dtype != x.dtype:
        view = _View(convert(x, dtype), tuple(entries), refusal)
    if is_scalar:
        out = view.put_back(_updated(name, view.core, view.spread(view.mask), values))
    else:
        target = view.selection()
        values = values if isinstance(values, Array) else asarray(values)
        domains, _ = joined((target, values if given is None else given.like(values)))
        if len(domains) > target.ndim:
            raise ValueError(
                message(
                    f"Cannot broadcast to shape with fewer dimensions: the values have {len(domains)} axes, "
                    f"what the mask selects has {target.ndim}",
                    fix="values[0]",
                )
            )
        values = stretched(values, target._values.shape)
        out = view.put_back(view.restored(_updated(name, target._values, combined(target._domains), values)))
    return as_before(out, x.aval)


def _updated(name: str, old: Array, cond, values) -> Array:
    """Return the elements after an update where the mask holds."""
    return where(cond, _UPDATES[name](old if name == "set" else filled(old, cond, 1), values), old)


def applied(x: Array, idx, func: Callable) -> Array:
    """`x.at[mask].apply(func)`."""
    entries, refusal = _read_index(x, idx)
    if not _is_view(entries):
        raise refusal.error()
    view = _View(x, tuple(entries), refusal)
    cond = view.spread(view.mask)
    new = vmap(func)(filled(view.core, cond, 1).ravel()).reshape(view.core.shape)
    return view.put_back(where(cond, convert(new, x.dtype), view.core))


def _scattered(name, x, entries, values, refusal, mode) -> Array:
    """Return an update at positions of which some are not selected: those are moved out of the array, and dropped."""
    if GatherScatterMode.from_any(mode) is not GatherScatterMode.FILL_OR_DROP:
        raise refusal.error("Positions that a mask has selected are updated with mode='drop'.")
    positions = _Positions(x, entries, refusal)
    mask = positions.domain.mask
    taken = len([e for e in positions.entries if e is not None and e is not Ellipsis])
    dots = any([e is Ellipsis for e in positions.entries])

    def outside(e, axis):
        axis = axis if not dots or _before_dots(positions.entries, e) else axis + x.ndim - taken
        return where(mask, e._values, e._values.dtype.type(x.shape[axis]))

    at, ndim = positions.at(x.shape)
    axis = at - ndim
    if isinstance(values, Selection):
        domain = values._domains[axis] if values.ndim >= -axis else None
        if domain is None or sum([d is not None for d in values._domains]) > 1 or not domain.is_same(positions.domain):
            raise refusal.error("The values and the positions are not selected by the same mask along the same axis.")
        values = values.safe(0)
    elif np.ndim(values) >= -axis and np.shape(values)[axis] != 1:
        raise refusal.error("The number of positions that a mask has selected is not known to be that of the values.")
    return getattr(x.at[positions.index(outside)], name)(values)


def _before_dots(entries, e) -> bool:
    return entries.index(Ellipsis) > next(i for i, other in enumerate(entries) if other is e)


# ---- parts of selections -------------------------------------------------------------------------


def _part(x: Selection, idx):
    """Return `x[idx]` of what a mask has selected."""
    entries = [_as_entry(e) for e in _entries(idx)]
    taken = len([e for e in entries if e is not None and e is not Ellipsis])
    if taken > x.ndim:
        raise IndexError(
            message(
                f"Too many indices: array is {x.ndim}-dimensional, but {taken} were indexed",
                why=f"It is what a mask selects: {x}.",
                fix="x[..., i] for the last axis, x[None] for a new one",
            )
        )
    dots = [i for i, e in enumerate(entries) if e is Ellipsis]
    place = dots[0] if dots else len(entries)
    entries[place : place + 1] = [slice(None)] * (x.ndim - taken)
    lists = [e for e in entries if isinstance(e, (Selection, Array, np.ndarray)) and e.ndim]
    if lists and len([e for e in entries if e is not None and not isinstance(e, slice)]) > 1:
        raise x.refused("Of what a mask selects, one list of positions can be taken at once.")
    out: Any = x
    axis = 0  # of `out`, that the next entry is for
    for i, e in enumerate(entries):
        if not isinstance(out, Selection):
            return out[(*[slice(None)] * axis, *entries[i:])]
        domains = list(out._domains)
        if e is None:
            domains.insert(axis, None)
            out = out.like(insert_axes(out._values, (axis,)), domains, out._fill)
        elif domains[axis] is not None:
            out = _of_selected(out, e, axis)
        elif _is_mask(e) and e.shape == (out._values.shape[axis],):
            domains[axis] = Domain(e, (e,))
            out = out.like(out._values, domains, out._fill)
        elif lists and e is lists[0]:
            raise x.refused("Along an axis of known length, positions are taken before the mask: x[:, i][mask].")
        else:
            values = out._values[(*[slice(None)] * axis, e)]
            domains = domains if isinstance(e, slice) else domains[:axis] + domains[axis + 1 :]
            out = out.like(values, domains, out._fill)
        axis += 1 if e is None or isinstance(e, slice) or _ndim(e) else 0
    return out


def _ndim(e) -> int:
    return e.ndim if isinstance(e, Selection) else np.ndim(e)


def _of_selected(x: Selection, e, axis: int):
    """Return some of the selected elements along an axis: by a slice, a condition, or positions among them."""
    domain = x._domains[axis]
    at = lambda new: [new if i == axis else d for i, d in enumerate(x._domains)]
    if isinstance(e, slice):
        if e == slice(None):
            return x
        if e == slice(None, None, -1):
            reverse = lambda v, i: rev(v, dimensions=(i,))
            new = Domain(reverse(domain.mask, 0), ("reversed", domain.parts))
            return x.like(reverse(x._values, axis), at(new), x._fill)
        mask = ufuncs.logical_and(domain.mask, _in_slice(x, domain, e))
        return x.like(x._values, at(Domain(mask, ("slice", (e.start, e.stop, e.step), domain.parts))))
    if isinstance(e, Selection):
        if e.ndim != 1:
            raise x.refused()
        if e.dtype == np.bool_:
            if not e._domains[0].is_same(domain):
                raise x.refused("The condition is that of other elements than the mask selects.")
            return refine(x, e, axis)
        return x.like(_taken_at(x, domain, e._values, axis), at(e._domains[0]))
    if not isinstance(e, int) and (not hasattr(e, "dtype") or not dtypes.issubdtype(e.dtype, np.integer)):
        raise x.refused("A mask of elements that a mask has selected is made from these: v[v > 0].")
    domains = at(None) if np.ndim(e) else [d for i, d in enumerate(x._domains) if i != axis]
    if np.ndim(e) > 1:
        raise x.refused("Positions among what a mask selects are given by a list with one axis.")
    return x.like(_taken_at(x, domain, e, axis), domains)


def _taken_at(x: Selection, domain: Domain, positions, axis: int):
    """Return the elements at positions among those selected; the nearest one, as of arrays, where there are fewer."""
    int_ = dtypes.default_int()
    until = cumsum(domain.mask, dtype=int_)
    count = sum_(domain.mask, dtype=int_)
    positions = asarray(positions).astype(int_)
    positions = where(positions < 0, positions + count, positions)
    positions = ufuncs.maximum(ufuncs.minimum(positions, count - int_.type(1)), int_.type(0))
    found = searchsorted(until, positions, side="right").astype(int_)
    values = x.safe() if isinstance(x.dtype, np.dtype) else x._values
    out = take(values, found, axis, mode="clip")
    if not isinstance(x.dtype, np.dtype):
        return out
    return where(count > 0, out, out.dtype.type(default_fill(out.dtype)))


def _in_slice(x: Selection, domain: Domain, e: slice) -> Array:
    """Return which elements are in a slice of those selected."""
    start, stop, step = (None if n is None else operator.index(n) for n in (e.start, e.stop, e.step))
    if step is not None and step <= 0:
        raise x.refused("Of what a mask selects, a slice goes forwards, or is [::-1].")
    int_ = dtypes.default_int()
    rank = cumsum(domain.mask, dtype=int_) - int_.type(1)
    count = sum_(domain.mask, dtype=int_)
    place = lambda n: int_.type(n) if n >= 0 else ufuncs.maximum(count + int_.type(n), int_.type(0))
    first = place(start or 0)
    out = rank >= first
    if stop is not None:
        out = ufuncs.logical_and(out, rank < place(stop))
    if step not in (None, 1):
        out = ufuncs.logical_and(out, ufuncs.equal(ufuncs.remainder(rank - first, int_.type(step)), int_.type(0)))
    return out


# ---- functions that have a length of their own -----------------------------------------------------


def nonzero_places(mask: Array, context: str) -> tuple[Selection, ...]:
    """`nonzero(mask)` of a traced mask."""
    return tuple(places(mask, Refusal(ConcretizationTypeError, mask, user_code(), 0, context)))


def kept(mask: Array, rows: Array, context: str) -> Selection:
    """The rows where a traced mask holds."""
    return selection(rows, mask, 0, Refusal(ConcretizationTypeError, mask, user_code(), 0, context))
