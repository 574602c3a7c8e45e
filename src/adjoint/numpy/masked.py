"""Selections by a traced mask: `x[mask]` has a length that is known only when the program runs.

A `Selected` stands for it. It keeps all elements and, for each axis of unknown length, the mask (a `Domain`), and
knows itself what can be said of those selected without their number: functions of single elements give another
selection (`masked_functions.py`), reductions give arrays. Two selections go together where their masks are the same
value, which is found by looking at the program that computes them. All else is the error that JAX raises for the
mask, at the line where it was used as an index.

An element that is not selected must not be seen: before a function that is not linear it is replaced by a number
where the function is smooth, so that what is infinite or NaN there spoils no derivative.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from math import prod
from types import CodeType
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.jaxpr import Literal, Var
from ..core.messages.boundaries import guarded
from ..core.messages.errors import ConcretizationTypeError, NonConcreteBooleanIndexError
from ..core.process.records import NamedTuple
from ..core.trace import DynamicJaxprTracer, Tracer
from ..core.tree.tree import tree_map
from ..core.types import Array
from ..core.values.deferred import Deferred
from ..lax import convert_element_type
from ..prims.shape import insert_axes
from ..prims.shape import transpose as transpose_p
from ..transforms.jvp import JVPTracer
from ..transforms.vmap import BatchTracer
from . import ufuncs
from .fills import stretched
from .joining import stack
from .methods import METHODS
from .operators import BINARY, COMPARISONS, OPERATORS, is_operand, refuse
from .products import matmul
from .reductions import sum as sum_
from .shapes import ravel, reshape

__all__ = [
    "Domain", "Refusal", "Selected", "along", "combined", "filled", "joined", "mapped", "permuted", "raveled",
]

_MAX_ELEMENTS_TO_COMPARE = 4096  # elements of two masks whose values are compared
_MAX_EQUATIONS_TO_COMPARE = 1000  # equations that are compared to find out whether two masks are the same


# ---- masks ---------------------------------------------------------------------------------------


class Domain:
    """An axis of unknown length: its mask, which has one axis, and what that was made of."""

    __slots__ = ("mask", "parts")

    def __init__(self, mask: Array, parts: tuple):
        self.mask = mask
        self.parts = parts

    def is_same(self, other: Domain) -> bool:
        """Return whether the masks are equal whatever they are computed from."""
        if self is other:
            return True
        return self.mask.shape == other.mask.shape and _Sameness()(self.parts, other.parts)


class _Sameness:
    """A comparison of values: the same are one value, or two computed in the same way from the same values."""

    def __init__(self):
        self.made: dict[Any, dict] = {}  # the equation of each variable, by trace
        self.steps = 0

    def __call__(self, a, b) -> bool:
        if a is b:
            return True
        self.steps += 1
        if self.steps > _MAX_EQUATIONS_TO_COMPARE or type(a) is not type(b):
            return False
        if isinstance(a, Tracer):
            return a.aval == b.aval and a._trace is b._trace and self._same_tracers(a, b)
        if type(a) is tuple:
            return len(a) == len(b) and all([self(x, y) for x, y in zip(a, b)])
        if isinstance(a, (Array, np.ndarray)):
            x, y = (v.concrete() if isinstance(v, Array) else v for v in (a, b))
            if x is None or y is None or x.dtype != y.dtype or x.shape != y.shape or x.size > _MAX_ELEMENTS_TO_COMPARE:
                return False
            return np.array_equal(np.asarray(x), np.asarray(y))
        try:
            return bool(a == b)
        except Exception:  # of a type that does not compare
            return False

    def _same_tracers(self, a, b) -> bool:
        if type(a) is BatchTracer:
            return a.dim == b.dim and self(a.val, b.val)
        if isinstance(a, JVPTracer):
            return self(a.primal, b.primal)
        return type(a) is DynamicJaxprTracer and self._same_atoms(a._trace, a._var, b._var)

    def _same_atoms(self, trace, u, v) -> bool:
        if u is v:
            return True
        self.steps += 1
        if self.steps > _MAX_EQUATIONS_TO_COMPARE or type(u) is not type(v) or u.aval != v.aval:
            return False
        if type(u) is Literal:
            return u.val == v.val
        made = self._equations(trace)
        (i, p), (j, q) = made.get(u, (0, None)), made.get(v, (0, None))
        if p is None or q is None:
            return p is q and self._same_constants(trace, u, v)
        if i != j or p.primitive is not q.primitive or p.effects or len(p.invars) != len(q.invars):
            return False
        if p.params.keys() != q.params.keys() or not all([self(p.params[k], q.params[k]) for k in p.params]):
            return False
        return all([self._same_atoms(trace, s, t) for s, t in zip(p.invars, q.invars)])

    def _equations(self, trace) -> dict[Var, tuple]:
        found = self.made.get(trace)
        if found is None:
            found = self.made[trace] = {v: (i, e) for e in trace.eqns for i, v in enumerate(e.outvars)}
        return found

    def _same_constants(self, trace, u, v) -> bool:
        values = dict(trace.constants.values())
        return u in values and v in values and self(values[u], values[v])


def along(mask: Array, axis: int, ndim: int) -> Array:
    """A mask of one axis of an array with `ndim` axes, with length 1 along the others."""
    return insert_axes(mask, tuple([i for i in range(ndim) if i != axis])) if ndim > 1 else mask


def combined(domains: tuple, axes=None) -> Array | None:
    """Return what is selected along all of these axes, with length 1 along the others; None without a mask."""
    out = None
    for i, domain in enumerate(domains):
        if domain is not None and (axes is None or i in axes):
            mask = along(domain.mask, i, len(domains))
            out = mask if out is None else ufuncs.logical_and(out, mask)
    return out


def filled(values: Array, mask: Array | None, number) -> Array:
    """The values, and a number where nothing is selected."""
    if mask is None or isinstance(values.dtype, dtypes.ExtendedDType):
        return values
    return ufuncs.where(mask, values, values.dtype.type(number))


# ---- selections ----------------------------------------------------------------------------------


class Refusal(NamedTuple):
    """The error where a length must be known, and the place where the mask was used as an index."""

    kind: type[Exception]
    mask: Any
    place: tuple[CodeType, int] | None
    rank: int = 0  # axes of the array beyond those of the mask
    context: str = ""

    def error(self, why: str = "") -> Exception:
        """The error; `why` says what was tried."""
        if self.kind is NonConcreteBooleanIndexError:
            return NonConcreteBooleanIndexError(self.mask, place=self.place, rank=self.rank, why=why)
        context = " ".join([part for part in (self.context, why) if part])
        return ConcretizationTypeError(self.mask, context, place=self.place)


class Selected(Deferred):
    """The elements that masks select along some axes of an array: a value that no function can take the shape of.

    It is no array, no tree, and cannot leave the function that is traced.
    """

    __slots__ = ("_domains", "_fill", "_refusal", "_values")

    __array_ufunc__ = None  # operators of NumPy's arrays leave the answer to us
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, values: Array, domains: tuple, refusal: Refusal, fill=None):
        self._values = values
        self._domains = domains
        self._refusal = refusal
        self._fill = fill  # the number where nothing is selected, if there is one

    def refused(self, why: str = "") -> Exception:
        """The error for what cannot be said of it."""
        return self._refusal.error(why)

    def by_row(self, columns: tuple, ndim: int):
        """Return what `argwhere` gives, from what `nonzero` gives, of which this is the first."""
        values = stack([c._values for c in columns[:ndim]], 1) if ndim else reshape(self._values, (-1, 1))[:, :0]
        return self.like(values, [self._domains[0], None])

    def like(self, values, domains=None, fill=None):
        """Other values for the same elements, or along other axes; an array if no length is unknown."""
        domains = self._domains if domains is None else domains
        return type(self)(values, tuple(domains), self._refusal, fill) if any(domains) else values

    def safe(self, number=1) -> Array:
        """Return all values, with a number where nothing is selected."""
        if self._fill == number and self._fill is not None:
            return self._values
        return filled(self._values, combined(self._domains), number)

    # ---- what is known ----

    @property
    def dtype(self):
        """The type of the elements."""
        return self._values.dtype

    @property
    def ndim(self) -> int:
        """Return the number of axes."""
        return self._values.ndim

    @property
    def size(self) -> Array:
        """The number of elements, which is known when the program runs."""
        out: Any = prod([n for n, d in zip(self._values.shape, self._domains) if d is None])
        for domain in self._domains:
            out = out if domain is None else sum_(domain.mask, dtype=dtypes.default_int()) * out
        return convert_element_type(out, int)  # which yields to other types, as an int does

    @property
    def aval(self):
        """The type of an array, which it has not."""
        raise self.refused()

    @property
    def weak_type(self) -> bool:
        """Return whether the type yields to others in promotion."""
        return self._values.aval.weak_type

    @property
    def T(self):
        """The axes in reverse order."""
        return permuted(self, tuple(range(self.ndim)[::-1]))

    @property
    def real(self):
        """The real parts."""
        return ufuncs.real(self)

    @property
    def imag(self):
        """The imaginary parts."""
        return ufuncs.imag(self)

    def __repr__(self) -> str:
        lengths = ",".join(["?" if d else str(n) for d, n in zip(self._domains, self._values.shape)])
        return f"Selection({self.dtype.name}[{lengths}])"

    # ---- what is not ----

    def __jax_array__(self):
        raise self.refused()

    def __array__(self, dtype=None, copy=None):
        raise self.refused()

    def __len__(self):
        raise self.refused("The number of selected elements depends on the mask.")

    __iter__ = __bool__ = __int__ = __float__ = __complex__ = __index__ = __len__

    def __contains__(self, value) -> Any:
        raise self.refused()

    def __reduce__(self):
        raise self.refused()

    def __setitem__(self, index, value):
        raise TypeError("JAX arrays are immutable, and what a mask selects is one.\n  Try: x = x.at[mask].set(v)")

    # ---- methods ----

    def __getattr__(self, name: str) -> Any:
        if name in METHODS:
            return partial(getattr(import_module(__package__), name), self)
        own = _OWN.get(name)
        if own is not None:
            return partial(own, self)
        if name.startswith("__") or not hasattr(Array, name):
            raise AttributeError(f"'Selection' object has no attribute {name!r}")
        raise self.refused(f"The {name} of what a mask selects depends on the mask.")


def mapped(function: Callable, args: tuple, kwargs: dict | None = None, safe: Any = 1):
    """A function of single elements of selections, and of arrays and numbers that broadcast against them.

    `safe` is what it is given for elements that are not selected; None leaves them as they are.
    """
    given = (*args, *(kwargs or {}).values())
    domains, first = joined(given)
    of = lambda a: (a._values if safe is None else a.safe(safe)) if isinstance(a, Selected) else a
    out = function(*map(of, args), **{name: of(a) for name, a in (kwargs or {}).items()})
    return tree_map(lambda x: first.like(x, domains), out)


def joined(operands) -> tuple[tuple, Selected]:
    """The domains of the axes of a function of operands that broadcast, and one of the selections.

    Raises:
      NonConcreteBooleanIndexError: an axis of unknown length meets one of known length, or that of another mask.
    """
    arrays = [a for a in operands if isinstance(a, (Selected, Array, np.ndarray))]
    first = next(a for a in arrays if isinstance(a, Selected))
    out: list = []
    for i in range(-max([a.ndim for a in arrays]), 0):
        domain, longest = None, 1
        for a in [a for a in arrays if a.ndim >= -i]:
            own = a._domains[i] if isinstance(a, Selected) else None
            n = (a._values if isinstance(a, Selected) else a).shape[i]
            if own is None:
                longest = n if n != 1 else longest
            elif domain is None:
                domain = own
            elif not domain.is_same(own):
                raise first.refused("The lengths of the operands are those of two masks, which may differ.")
        if domain is not None and longest != 1:
            raise first.refused(f"The number of selected elements is not known to be {longest}, as in the other one.")
        out.append(domain)
    return tuple(out), first


def permuted(x: Selected, order: tuple[int, ...]) -> Selected:
    """The axes in another order."""
    return x.like(transpose_p(x._values, permutation=order), [x._domains[i] for i in order], x._fill)


def raveled(x: Selected) -> Selected:
    """The selected elements along one axis."""
    if x.ndim == 1:
        return x
    mask, shape = combined(x._domains), x._values.shape
    parts = ["ravel", shape]
    for domain in x._domains:
        parts += [None] if domain is None else domain.parts
    return x.like(ravel(x._values), [Domain(ravel(stretched(mask, shape)), tuple(parts))], x._fill)


# ---- operators and methods -----------------------------------------------------------------------


def _binary(name: str, symbol: str, function: Callable, is_reflected: bool) -> Callable:
    def operator(self, other):
        if not isinstance(other, Selected) and not is_operand(other):
            return refuse(symbol, self, other)
        args = (other, self) if is_reflected else (self, other)
        return self.given_to(function, args, {})

    return _named(operator, name)


def _unary(name: str) -> Callable:
    safe = None if name == "__neg__" else 1
    return _named(lambda self, *args: mapped(OPERATORS[name], (self, *args), safe=safe), name)


def _named(operator: Callable, name: str) -> Callable:
    operator.__name__, operator.__qualname__ = name, f"Selection.{name}"
    return operator


for _name, (_symbol, _function, *_) in {**BINARY, "matmul": ("@", matmul), **COMPARISONS}.items():
    setattr(Selected, f"__{_name}__", _binary(f"__{_name}__", _symbol, _function, False))
    if _name not in COMPARISONS:
        setattr(Selected, f"__r{_name}__", _binary(f"__r{_name}__", _symbol, _function, True))
for _name in ("__neg__", "__pos__", "__abs__", "__invert__", "__round__"):
    setattr(Selected, _name, _unary(_name))


def _called(name: str) -> Callable:
    return lambda self, *args, **kwargs: getattr(import_module(__package__), name)(self, *args, **kwargs)


# Methods that are not the function of `adjoint.numpy` with the same name, called with the same arguments.
_OWN: dict[str, Callable] = {
    "astype": lambda self, dtype, copy=False, device=None: self.like(self._values.astype(dtype)),
    "copy": lambda self: self,
    "flatten": _called("ravel"),
    "reshape": lambda self, *shape: _called("reshape")(self, shape[0] if len(shape) == 1 else shape),
    "transpose": lambda self, *axes: _called("transpose")(self, axes[0] if len(axes) == 1 else axes or None),
    **{name: _called(name) for name in ("argsort", "clip", "dot", "nonzero", "std", "var")},
}
guarded(Selected)
