"""Functions of selections: a rule for each name, which is given the function and its arguments.

Functions of single elements are mapped; reductions leave out what is not selected. Where nothing is selected, sums are
0, products 1, `all` true; a mean, a variance, a quantile or an extremum is NaN, where NumPy raises an error or warns.
An extremum of integers is then that of the dtype which changes nothing, and a position is -1.

Tests: `tests/numpy/test_masked.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from inspect import signature
from typing import Any

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.types import Array
from ..core.values.deferred import call_deferred
from ..prims import reduction
from ..prims.indexed_windows import default_fill
from ..prims.shape import insert_axes
from . import ufuncs
from .axes import canonical_axes, canonical_axis
from .masked import Domain, Selected, along, combined, filled, joined, mapped, permuted, raveled
from .operators import BINARY, COMPARISONS
from .promotion import promote_inexact
from .reductions import any as any_
from .reductions import argmax, sum
from .running import cumsum
from .selection import where
from .shapes import broadcast_to

__all__ = ["refine", "rule_of"]

_PACKAGE = __name__.partition(".")[0]


def rule_of(function: Callable) -> Callable | None:
    """Return what to call instead of `function`; None if it has no meaning for selections."""
    module = getattr(function, "__module__", None) or ""
    home, _, rest = module.partition(".")
    if home != _PACKAGE:
        return None
    name = function.__name__
    if rest.startswith("scipy.stats."):
        return partial(_mapped, safe=0.5)
    if rest.startswith("numpy"):
        return _RULES.get(name)
    return _ELSEWHERE.get(name) if rest.startswith(("nn", "scipy.special")) else None


def _numpy(name: str) -> Callable:
    return getattr(import_module(__package__), name)


def _bound(function, args, kwargs) -> tuple[Any, dict]:
    """Return the first argument, and the others that were given by name."""
    given = signature(function).bind(*args, **kwargs).arguments
    first = next(iter(given))
    rest = {name: value for name, value in given.items() if name != first}
    rest.update(rest.pop("kwargs", {}))
    return given[first], rest


def _require(x, function) -> Selected:
    """`x`, which must be the selection among the arguments."""
    if isinstance(x, Selected):
        return x
    raise TypeError(f"jnp.{function.__name__} of an array takes no selection by a mask as an option.")


# ---- of single elements --------------------------------------------------------------------------


def _mapped(function, *args, safe: Any = 1, **kwargs):
    return mapped(function, args, kwargs, safe)


def _over(position: int) -> Callable:
    """Return a function of the elements of one operand; the others are as a whole."""

    def rule(function, *args, **kwargs):
        if len(args) <= position or not isinstance(args[position], Selected):
            raise next(a for a in (*args, *kwargs.values()) if isinstance(a, Selected)).refused()
        call = lambda x: function(*args[:position], x, *args[position + 1 :], **kwargs)
        return mapped(call, (args[position],))

    return rule


def _scaled(function, x, y, **options):
    """Return a product or quotient: by a number it is linear."""
    number = y if isinstance(x, Selected) else None if function.__name__ != "multiply" else x
    is_number = number is not None and not isinstance(number, (Array, Selected)) and np.ndim(number) == 0
    return mapped(function, (x, y), options, None if is_number else 1)


# ---- reductions ----------------------------------------------------------------------------------


def _reduced(function, args, kwargs, run: Callable):
    """`run(values, axes, mask, rest)` over the axes that are reduced; the mask is None where all is selected."""
    x, rest = _bound(function, args, kwargs)
    x = _require(x, function)
    axes = canonical_axes(rest.pop("axis", None), x.ndim)
    chosen = rest.pop("where", None)
    mask = combined(x._domains, axes)
    if chosen is not None:
        if joined((x, chosen))[0] != x._domains and getattr(chosen, "ndim", 0) > x.ndim:
            raise x.refused("The option where has more axes.")
        chosen = chosen._values if isinstance(chosen, Selected) else chosen
        chosen = insert_axes(chosen, tuple(range(x.ndim - chosen.ndim))) if chosen.ndim < x.ndim else chosen
        mask = chosen if mask is None else ufuncs.logical_and(mask, chosen)
    values = x._values if mask is not None else x.safe()
    out = run(values, axes, mask, rest)
    kept = rest.get("keepdims", False)
    domains = [None if i in axes else d for i, d in enumerate(x._domains) if kept or i not in axes]
    return x.like(out, [None] * (out.ndim - len(domains)) + domains)


def _sum(function, *args, **kwargs):
    """Return the masked form of a function with an identity."""
    return _reduced(function, args, kwargs, lambda x, axes, mask, rest: function(x, axis=axes, where=mask, **rest))


def _variance(function, *args, **kwargs):
    def run(x, axes, mask, rest):
        return function(filled(x, mask, 1), axis=axes, where=mask, **rest)

    return _reduced(function, args, kwargs, run)


def _extremum(neutral: Callable) -> Callable:
    def rule(function, *args, **kwargs):
        def run(x, axes, mask, rest):
            if mask is None or rest.get("initial") is not None:
                return function(x, axis=axes, where=mask, **rest)
            rest = {**rest, "initial": x.dtype.type(neutral(x.dtype))}
            out = function(x, axis=axes, where=mask, **rest)
            return _unless_empty(out, mask, axes, rest)

        return _reduced(function, args, kwargs, run)

    return rule


def _unless_empty(out, mask, axes, rest):
    """Return the result, and NaN where nothing was selected, if the dtype has it."""
    if out.dtype.kind not in "fc" and not dtypes.issubdtype(out.dtype, np.inexact):
        return out
    found = any_(mask, axes, keepdims=rest.get("keepdims", False))
    return where(found, out, out.dtype.type(np.nan))


def _ptp(function, *args, **kwargs):
    return _numpy("max")(*args, **kwargs) - _numpy("min")(*args, **kwargs)


def _count(function, *args, **kwargs):
    def run(x, axes, mask, rest):
        hit = x != x.dtype.type(0)
        hit = hit if mask is None else ufuncs.logical_and(hit, mask)
        return sum(hit, axes, dtype=dtypes.default_int(), **rest)

    return _reduced(function, args, kwargs, run)


def _quantile(function, *args, **kwargs):
    """Return a quantile or a median, in whose numbers those that are left out are NaN."""
    name = function.__name__
    skips = _numpy(name if name.startswith("nan") else f"nan{name}")

    def run(x, axes, mask, rest):
        if rest.get("weights") is not None:
            raise NotImplementedError(f"jnp.{name} of a selection by a mask takes no weights.")
        if mask is None:
            return function(x, axis=axes, **rest)
        (x,) = promote_inexact(name, x)
        out = skips(where(mask, x, x.dtype.type(np.nan)), axis=axes, **rest)
        if skips is function or name.startswith("nan"):
            return out
        found = any_(ufuncs.logical_and(ufuncs.isnan(x), mask), axes, keepdims=rest.get("keepdims", False))
        found = insert_axes(found, tuple(range(out.ndim - found.ndim))) if found.ndim < out.ndim else found
        return where(found, out.dtype.type(np.nan), out)

    return _reduced(function, args, kwargs, run)


def _without_nan(function, *args, **kwargs):
    """`nansum` and the like: the reduction of what is not NaN."""
    x, rest = _bound(function, args, kwargs)
    known = ~ufuncs.isnan(_require(x, function))
    chosen = rest.pop("where", None)
    known = known if chosen is None else known & chosen
    x = mapped(lambda v: where(ufuncs.isnan(v), v.dtype.type(0), v), (x,), safe=None)
    return _numpy(function.__name__[3:])(x, **rest, where=known)


def _average(function, *args, **kwargs):
    x, rest = _bound(function, args, kwargs)
    weights, returned = rest.pop("weights", None), rest.pop("returned", False)
    if weights is None and not returned:
        return _numpy("mean")(x, **rest)
    weights = 1 + x * 0 if weights is None else weights
    x, weights = (v.astype(dtypes.to_inexact_dtype(v.dtype)) for v in (x, weights))
    total = weights.sum(**rest)
    out = (x * weights).sum(**rest) / total
    return (out, total) if returned else out


def _position(function, *args, **kwargs):
    """Return where the first extremum is among those selected."""
    x, rest = _bound(function, args, kwargs)
    x = _require(x, function)
    axis, keepdims = rest.get("axis"), rest.get("keepdims") or False
    ndim = x.ndim
    x, axis = (raveled(x), 0) if axis is None else (x, canonical_axis(axis, ndim))
    if rest.get("axis") is None and keepdims:
        return insert_axes(_position(function, x), tuple(range(ndim)))
    domain, domains = x._domains[axis], [d for i, d in enumerate(x._domains) if keepdims or i != axis]
    if domain is None:
        return x.like(function(x.safe(), axis=axis, keepdims=keepdims), [None if d is domain else d for d in domains])
    mask = along(domain.mask, axis, x.ndim)
    best = _numpy("max" if function.__name__ == "argmax" else "min")(x, axis=axis, keepdims=True)
    best, values = (v._values if isinstance(v, Selected) else v for v in (best, x))
    hit = ufuncs.logical_and(mask, ufuncs.logical_or(values == best, values != values))
    at = argmax(broadcast_to(hit, values.shape), axis=axis, keepdims=keepdims)
    out = (cumsum(domain.mask, dtype=dtypes.default_int()) - dtypes.default_int().type(1))[at]
    if keepdims:
        domains[axis] = None
    return x.like(where(any_(hit, axis, keepdims=keepdims), out, out.dtype.type(-1)), domains)


# ---- along an axis -------------------------------------------------------------------------------


def _axis_of(x, rest, default=None) -> int:
    axis = rest.pop("axis", default)
    if axis is None and x.ndim != 1:
        raise x.refused("The number of elements of all axes together is not known.")
    return 0 if axis is None else canonical_axis(axis, x.ndim)


def _running(neutral) -> Callable:
    def rule(function, *args, **kwargs):
        x, rest = _bound(function, args, kwargs)
        x = _require(x, function)
        axis = _axis_of(x, rest)
        return x.like(function(x.safe(neutral), axis=axis, **rest))

    return rule


def _sorted(function, *args, **kwargs):
    """`sort` and `argsort`: what is not selected comes last."""
    x, rest = _bound(function, args, kwargs)
    x, positions = _require(x, function), function.__name__ == "argsort"
    axis = _axis_of(x, rest, -1)
    domain = x._domains[axis]
    if domain is None:
        return x.like(function(x.safe(), axis=axis, **rest))
    if rest.pop("descending", False) or rest.pop("order", None) is not None:
        raise x.refused("Elements that a mask selects are sorted in ascending order.")
    mask = along(domain.mask, axis, x.ndim)
    last = broadcast_to(ufuncs.logical_not(mask), x._values.shape)
    operands = [last, x.safe()]
    if positions:
        operands.append(broadcast_to(along(_ranks(domain), axis, x.ndim), x._values.shape))
    out = lax.sort(operands, dimension=axis, num_keys=2)
    n = domain.mask.shape[0]
    first = lax.iota(dtypes.int32, n) < sum(domain.mask, dtype=dtypes.int32)
    domains = [Domain(first, ("first", domain.parts)) if i == axis else d for i, d in enumerate(x._domains)]
    return x.like(out[-1], domains)


def _partitioned(function, *args, **kwargs):
    """`partition` and `argpartition`: all are sorted."""
    x, rest = _bound(function, args, kwargs)
    return _numpy(function.__name__.replace("partition", "sort"))(x, axis=rest.get("axis", -1))


def _unique(function, *args, **kwargs):
    """`unique` and `unique_values`: of equal elements that are sorted, the first."""
    x, rest = _bound(function, args, kwargs)
    x = raveled(_require(x, function))
    if any([value is not None and value is not False for name, value in rest.items() if name != "equal_nan"]):
        raise x.refused("Of what a mask selects, unique elements have no counts and no positions.")
    x = _numpy("sort")(x)
    if not x._values.shape[0]:
        return x
    later, earlier = x._values[1:], x._values[:-1]
    same = later == earlier
    if rest.get("equal_nan", True) and dtypes.issubdtype(x.dtype, np.inexact):
        same = same | ufuncs.isnan(later) & ufuncs.isnan(earlier)
    return refine(x, x.like(lax.concatenate([lax.full((1,), True), ~same], 0)))


def _ranks(domain: Domain) -> Array:
    """Return the position of each element among those selected."""
    int_ = dtypes.default_int()
    return cumsum(domain.mask, dtype=int_) - int_.type(1)


def refine(x: Selected, condition: Selected, axis: int = 0) -> Selected:
    """Return those of the selected elements for which a condition holds."""
    domain = x._domains[axis]
    parts = ("refine", domain.parts, condition._values)
    mask = ufuncs.logical_and(domain.mask, condition._values)
    return x.like(x._values, [Domain(mask, parts) if i == axis else d for i, d in enumerate(x._domains)])


def _nonzero(function, x, *, size=None, fill_value=None):
    """Return the positions, among those selected, of those that are not zero."""
    if size is not None or fill_value is not None or x.ndim != 1:
        raise x.refused()
    x = raveled(x)
    condition = x if x.dtype == np.bool_ else x != x.dtype.type(0)
    found = refine(x.like(_ranks(x._domains[0])), condition)
    return found if function.__name__ == "flatnonzero" else (found,)


def _softmax(function, *args, **kwargs):
    x, rest = _bound(function, args, kwargs)
    x = _require(x, function)
    axes = canonical_axes(rest.pop("axis", -1), x.ndim)
    if rest.pop("where", None) is not None:
        raise x.refused()
    mask = combined(x._domains, axes)
    if mask is None:
        return x.like(function(x.safe(), axis=axes, **rest))
    return x.like(function(x.safe(0), axis=axes, where=broadcast_to(mask, x._values.shape), **rest))


def _logsumexp(function, *args, **kwargs):
    def run(x, axes, mask, rest):
        b = rest.pop("b", None)
        if b is not None:
            rest["b"] = b.safe(0) if isinstance(b, Selected) else b
        return function(x, axis=axes, where=mask, **rest)

    return _reduced(function, args, kwargs, run)


# ---- neighbours and joints -----------------------------------------------------------------------


def _neighbours(x: Selected, axis: int) -> tuple[Selected, Selected]:
    """Return the selected elements but for the first along an axis, and those before each of them."""
    domain, others = x._domains[axis], (slice(None),) * axis
    if domain is None:
        return x[(*others, slice(1, None))], x[(*others, slice(-1))]
    int_ = dtypes.default_int()
    later = x[(*others, slice(1, None))]
    earlier = x[(*others, ufuncs.maximum(_ranks(domain) - int_.type(1), int_.type(0)))]
    return later, later.like(earlier._values if isinstance(earlier, Selected) else earlier)


def _difference(function, *args, **kwargs):
    x, rest = _bound(function, args, kwargs)
    x, axis = _require(x, function), canonical_axis(rest.get("axis", -1), x.ndim)
    ends = [rest.get(name) for name in ("prepend", "append")]
    if any([end is not None for end in ends]):
        ends = [end if end is None or np.ndim(end) else np.reshape(end, (1,) * x.ndim) for end in ends]
        x = _numpy("concatenate")([v for v in (ends[0], x, ends[1]) if v is not None], axis)
    subtract = ufuncs.not_equal if x.dtype == np.bool_ else ufuncs.subtract
    for _ in range(rest.get("n", 1)):
        x = mapped(subtract, _neighbours(x, axis), safe=None)
    return x


def _area(function, *args, **kwargs):
    """Return the area under samples, by the trapezoidal rule."""
    y, rest = _bound(function, args, kwargs)
    y, x = _require(y, function), rest.get("x")
    axis = canonical_axis(rest.get("axis", -1), y.ndim)
    if x is not None and x.ndim != 1:
        raise y.refused("The places of the samples have one axis.")
    later, earlier = _neighbours(y.astype(dtypes.to_inexact_dtype(y.dtype)), axis)
    widths = rest.get("dx", 1.0) if x is None else _difference(_numpy("diff"), x)
    means = (later + earlier) * 0.5
    return (_numpy("moveaxis")(means, axis, -1) * widths).sum(-1)


def _concatenation(function, *args, **kwargs):
    """`concatenate`, `hstack` and `append`."""
    first, rest = _bound(function, args, kwargs)
    name = function.__name__
    parts = [first, rest.pop("values")] if name == "append" else list(first)
    x = next(v for v in parts if isinstance(v, Selected))
    axis = rest.pop("axis", None if name == "append" else 0)
    if name == "hstack":
        axis = 0 if parts[0].ndim == 1 else 1
    if axis is None:
        parts, axis = [_numpy("ravel")(v) for v in parts], 0
    axis, ndim = canonical_axis(axis, parts[0].ndim), parts[0].ndim
    parts = [v if isinstance(v, Selected) else _numpy("asarray")(v) for v in parts]
    of = [v._domains if isinstance(v, Selected) else (None,) * v.ndim for v in parts]
    domains = list(of[0])
    for own in of[1:]:
        for i in range(ndim):
            p, q = domains[i], own[i]
            if i != axis and ((p is None) != (q is None) or p is not None and not p.is_same(q)):
                raise x.refused("Along the other axes, the lengths of what is joined are not known to be equal.")
    if any([own[axis] is not None for own in of]):
        lengths = [(v._values if isinstance(v, Selected) else v).shape[axis] for v in parts]
        masks = [lax.full((n,), True) if own[axis] is None else own[axis].mask for n, own in zip(lengths, of)]
        made = tuple([n if own[axis] is None else own[axis].parts for n, own in zip(lengths, of)])
        domains[axis] = Domain(lax.concatenate(masks, 0), ("joined", *made))
    values = [v._values if isinstance(v, Selected) else v for v in parts]
    return x.like(_numpy("concatenate")(values, axis, **rest), domains)


def _taken(function, *args, **kwargs):
    """`take`, which fills in where there are fewer elements."""
    x, rest = _bound(function, args, kwargs)
    x, axis, indices = _require(x, function), rest["axis"], rest["indices"]
    x, axis = (raveled(x), 0) if axis is None else (x, canonical_axis(axis, x.ndim))
    out, domain = x[(*[slice(None)] * axis, indices)], x._domains[axis]
    if rest["mode"] not in (None, "fill") or isinstance(indices, Selected):
        raise x.refused("Positions among what a mask selects are taken as indices are: x[mask][i].")
    if domain is None:
        return out
    indices = _numpy("asarray")(indices).astype(dtypes.default_int())
    count = sum(domain.mask, dtype=indices.dtype)
    known = along(ufuncs.logical_and(indices < count, indices >= -count), axis if indices.ndim else 0, out.ndim)
    known = known if indices.ndim else known.reshape((1,) * out.ndim)
    value = default_fill(out.dtype) if rest["fill_value"] is None else rest["fill_value"]
    values = where(known, out._values if isinstance(out, Selected) else out, out.dtype.type(value))
    return x.like(values, out._domains if isinstance(out, Selected) else [None])


# ---- shapes --------------------------------------------------------------------------------------


def _transpose(function, x, axes=None):
    order = range(x.ndim)[::-1] if axes is None else canonical_axes(axes, x.ndim)
    return permuted(x, tuple(order))


def _exchanged(function, x, axis1, axis2):
    order = list(range(x.ndim))
    i, j = canonical_axis(axis1, x.ndim), canonical_axis(axis2, x.ndim)
    order[i], order[j] = order[j], order[i]
    return permuted(x, tuple(order))


def _moved(function, x, source, destination):
    as_axes = lambda axes: canonical_axes(axes if isinstance(axes, (tuple, list)) else (axes,), x.ndim)
    source, destination = as_axes(source), as_axes(destination)
    order = [i for i in range(x.ndim) if i not in source]
    for i, j in sorted(zip(destination, source)):
        order.insert(i, j)
    return permuted(x, tuple(order))


def _ravel(function, x, order="C"):
    if order != "C":
        raise x.refused()
    return raveled(x)


def _reshape(function, x, shape, order="C", **options):
    shape = shape if isinstance(shape, (tuple, list)) else (shape,)
    if tuple(shape) == (-1,):
        return _ravel(function, x, order)
    raise x.refused("A shape other than -1 depends on the number of selected elements.")


def _expanded(function, x, axis):
    axes = canonical_axes(axis, x.ndim + (len(axis) if isinstance(axis, (tuple, list)) else 1))
    domains = list(x._domains)
    for i in sorted(axes):
        domains.insert(i, None)
    return x.like(insert_axes(x._values, axes), domains, x._fill)


# ---- products ------------------------------------------------------------------------------------


def _matmul(function, a, b, **options):
    """Return a product over an axis whose elements that are not selected are zero in both."""
    name = function.__name__
    given = [v for v in (a, b) if isinstance(v, Selected)]
    if any([getattr(v, "ndim", 0) == 0 for v in (a, b)]):
        return mapped(_numpy("multiply"), (a, b))
    domains = [v._domains if isinstance(v, Selected) else (None,) * v.ndim for v in (a, b)]
    values = [v.safe(0) if isinstance(v, Selected) else v for v in (a, b)]
    last = -1 if values[1].ndim == 1 or name in ("inner", "vdot", "vecdot") else -2
    p, q = domains[0][-1], domains[1][last]
    if (p is None) != (q is None) or p is not None and not p.is_same(q):
        raise given[0].refused("The number of selected elements is not known to be the length of the other operand.")
    if np.max([v.ndim for v in values]) > (1 if name == "vecdot" else 2):
        raise given[0].refused("Products of selections are those of vectors and matrices.")
    out = function(*values, **options)
    rest = [*domains[0][:-1], *[d for i, d in enumerate(domains[1]) if i != values[1].ndim + last]]
    return given[0].like(out, rest)


def _einsum(function, subscripts, *operands, **options):
    """Return a sum of products by labels of axes, in which what is not selected is zero."""
    given = next(v for v in operands if isinstance(v, Selected))
    if not isinstance(subscripts, str) or "." in subscripts:
        raise given.refused("Axes that a mask selects have labels: einsum('ni,nj->ij', x[mask], y[mask]).")
    inputs, arrow, output = subscripts.replace(" ", "").partition("->")
    labels = inputs.split(",")
    if not arrow:
        output = "".join([c for c in sorted(set(inputs) - {","}) if inputs.count(c) == 1])
    found: dict[str, Domain | None] = {}
    for text, v in zip(labels, operands):
        for label, domain in zip(text, v._domains if isinstance(v, Selected) else (None,) * len(text)):
            known = found.setdefault(label, domain)
            if (known is None) != (domain is None) or known is not None and domain and not known.is_same(domain):
                raise given.refused(f"The axes with the label {label} are not known to have one length.")
    out = function(subscripts, *[v.safe(0) if isinstance(v, Selected) else v for v in operands], **options)
    return given.like(out, [found[label] for label in output])


def _covariance(function, *args, **kwargs):
    """`cov`: an observation that is not selected has no weight."""
    x, rest = _bound(function, args, kwargs)
    x, by_rows = _require(x, function), rest.get("rowvar", True)
    operands = {name: rest.pop(name, None) for name in ("y", "fweights", "aweights")}
    domain = x._domains[-1 if by_rows else 0]
    for v in (x, *operands.values()):
        own = v._domains if isinstance(v, Selected) else ()
        of_all = len([d for d in own if d is not None]) == 1 and own[-1 if by_rows or len(own) == 1 else 0]
        if v is not None and not (of_all and domain is not None and of_all.is_same(domain)):
            raise x.refused("One mask selects the observations of all variables, and their weights.")
    y, counts, weights = [v if v is None else v.safe(0) for v in operands.values()]
    if weights is None:
        weights = domain.mask.astype(dtypes.to_inexact_dtype(x.dtype))
    return function(x.safe(0), y, fweights=counts, aweights=weights, **rest)


def _correlation(function, *args, **kwargs):
    """`corrcoef`, from the covariances."""
    products = _numpy("cov")(*args, **kwargs)
    if not products.ndim:
        return products / products
    deviations = ufuncs.sqrt(_numpy("diagonal")(products).real)
    return products / _numpy("outer")(deviations, deviations).astype(products.dtype)


def _along_axis(function, *args, **kwargs):
    """`take_along_axis` of elements along an axis of known length."""
    x, rest = _bound(function, args, kwargs)
    indices = rest.pop("indices")
    x, axis = _require(x, function), rest.get("axis", -1)
    if not isinstance(indices, Selected) or axis is None or indices.ndim != x.ndim:
        raise x.refused("The positions are selected by the mask too: jnp.take_along_axis(x[mask], i[mask], 1).")
    axis = canonical_axis(axis, x.ndim)
    for i, (p, q) in enumerate(zip(x._domains, indices._domains)):
        if (p is None) != (q is None) or p is not None and (i == axis or q is None or not p.is_same(q)):
            raise x.refused("The positions are not selected by the same mask along the same axis.")
    return x.like(function(x._values, indices.safe(0), **rest))


def _outer(function, a, b):
    a, b = (raveled(v) if isinstance(v, Selected) else v.ravel() for v in (a, b))
    return a[:, None] * b[None, :]


def _norm(function, *args, **kwargs):
    x, rest = _bound(function, args, kwargs)
    x, order = _require(x, function), rest.get("ord")
    axes = canonical_axes(rest.pop("axis", None), x.ndim)
    is_vector = len(axes) == 1 or function.__name__ == "vector_norm"
    if combined(x._domains, axes) is not None:
        known = order in (None, 2) or order == "fro" and not is_vector
        if not (known or is_vector and isinstance(order, (int, float)) and order >= 0):
            raise x.refused(f"The norm of order {order} counts elements that are not selected.")
        if not is_vector and order == 2:
            raise x.refused("The spectral norm is that of a matrix of known shape.")
    out = function(x.safe(0), axis=axes if len(axes) > 1 else axes[0], **rest)
    kept = rest.get("keepdims", False)
    return x.like(out, [None if i in axes else d for i, d in enumerate(x._domains) if kept or i not in axes])


def _bincount(function, *args, **kwargs):
    x, rest = _bound(function, args, kwargs)
    x, weights = _require(x, function), rest.pop("weights", None)
    if x.ndim != 1 or weights is not None and not isinstance(weights, Selected):
        raise x.refused()
    if weights is None:
        return function(x.safe(0), weights=x._domains[0].mask.astype(dtypes.default_int()), **rest)
    joined((x, weights))
    return function(x.safe(0), weights=weights.safe(0), **rest)


def _histogram(function, *args, **kwargs):
    x, rest = _bound(function, args, kwargs)
    x = raveled(_require(x, function))
    weights = rest.pop("weights", None)
    weights = x.like(lax.full(x._values.shape, 1, np.dtype("float32"))) if weights is None else raveled(weights)
    joined((x, weights))
    if np.ndim(rest.get("bins", 10)) == 0 and rest.get("range") is None:
        rest["range"] = (x.min(), x.max())
    return _numpy("histogram")(x.safe(), weights=weights.safe(0), **rest)


# ---- the table -----------------------------------------------------------------------------------

_LINEAR = """add subtract negative positive conj conjugate real imag equal not_equal less less_equal greater
    greater_equal logical_and logical_or logical_xor logical_not isnan isinf isfinite isposinf
    isneginf isreal iscomplex signbit sign floor ceil trunc rint round around fix bitwise_and
    bitwise_or bitwise_xor bitwise_not bitwise_invert invert isclose bitwise_count""".split()
_SMOOTH_AT_ONE = """abs absolute fabs arctan arctan2 arcsinh asinh atan atan2 cbrt cos cosh deg2rad degrees divmod
    exp exp2 expm1 float_power floor_divide fmax fmin fmod frexp gcd heaviside hypot i0 lcm
    ldexp log log10 log1p log2 logaddexp logaddexp2 maximum minimum mod modf nan_to_num
    nextafter power pow rad2deg radians reciprocal remainder sin sinc sinh spacing sqrt square
    tan tanh angle copysign clip bitwise_left_shift bitwise_right_shift left_shift right_shift""".split()
_SAFE = {
    **dict.fromkeys("arccos acos arcsin asin arctanh atanh logit erfinv ndtri entr bernoulli log1mexp".split(), 0.5),
    **dict.fromkeys("arccosh acosh zeta".split(), 2),
}
_OF_NN = """celu elu glu hard_sigmoid hard_silu hard_swish hard_tanh identity leaky_relu log_sigmoid mish
    selu silu soft_sign softplus sparse_plus sparse_sigmoid squareplus swish gelu sigmoid relu
    relu6 tanh""".split()
_SPECIAL = """beta betaln boxcox boxcox1p entr erfcx gamma gammaln gammasgn hyp1f1 hyp2f1 i0 i1 i0e i1e
    kl_div log_ndtr loggamma logit ndtr ndtri owens_t poch rel_entr xlog1py xlogy zeta betainc
    dawsn digamma erf erfc erfinv exp1 expi expit gammainc gammaincc spence factorial""".split()

_RULES: dict[str, Callable] = {
    **dict.fromkeys(_LINEAR, partial(_mapped, safe=None)),
    **dict.fromkeys(_SMOOTH_AT_ONE, _mapped),
    **{name: partial(_mapped, safe=number) for name, number in _SAFE.items()},
    **dict.fromkeys(("multiply", "divide", "true_divide"), _scaled),
    **dict.fromkeys(("interp", "isin", "digitize"), _over(0)),
    **dict.fromkeys(("polyval", "searchsorted"), _over(1)),
    **dict.fromkeys(("sum", "prod", "any", "all", "mean"), _sum),
    **dict.fromkeys(("var", "std"), _variance),
    **dict.fromkeys(("max", "amax"), _extremum(reduction.lowest)),
    **dict.fromkeys(("min", "amin"), _extremum(reduction.highest)),
    **dict.fromkeys("median quantile percentile nanmedian nanquantile nanpercentile".split(), _quantile),
    **dict.fromkeys("nansum nanprod nanmean nanvar nanstd nanmax nanmin".split(), _without_nan),
    **dict.fromkeys(("argmax", "argmin"), _position),
    **dict.fromkeys(("cumsum", "nancumsum", "cumulative_sum"), _running(0)),
    **dict.fromkeys(("cumprod", "nancumprod", "cumulative_prod"), _running(1)),
    **dict.fromkeys(("sort", "argsort"), _sorted),
    **dict.fromkeys(("partition", "argpartition"), _partitioned),
    **dict.fromkeys(("unique", "unique_values"), _unique),
    **dict.fromkeys(("transpose", "permute_dims"), _transpose),
    **dict.fromkeys(("matmul", "dot", "inner", "vdot", "vecdot"), _matmul),
    **dict.fromkeys(("norm", "vector_norm"), _norm),
    **dict.fromkeys(("nonzero", "flatnonzero"), _nonzero),
    "ptp": _ptp, "count_nonzero": _count, "average": _average, "swapaxes": _exchanged, "moveaxis": _moved,
    "ravel": _ravel, "reshape": _reshape, "expand_dims": _expanded, "outer": _outer, "bincount": _bincount,
    "einsum": _einsum, "take_along_axis": _along_axis, "_histogram": _histogram, "_unweighted": _histogram,
    "cov": _covariance, "corrcoef": _correlation, "diff": _difference, "trapezoid": _area, "_take": _taken,
    "allclose": lambda _, *args, **kwargs: _numpy("isclose")(*args, **kwargs).all(),
    **dict.fromkeys(("concatenate", "concat", "hstack", "append"), _concatenation),
    "_power": _mapped, "_where": partial(_mapped, safe=None),
}
# The operators of arrays, where the other operand is a selection.
_RULES.update({
    f"__{name}__": lambda _, x, y, function=function: call_deferred(function, (x, y), {})
    for name, (_, function, *_) in {**BINARY, **COMPARISONS}.items()
})
_ELSEWHERE: dict[str, Callable] = {
    **dict.fromkeys((*_OF_NN, *_SPECIAL), _mapped),
    "polygamma": _over(1),
    **{name: partial(_mapped, safe=number) for name, number in _SAFE.items()},
    **dict.fromkeys(("softmax", "log_softmax"), _softmax),
    **dict.fromkeys(("logsumexp", "logmeanexp"), _logsumexp),
}
