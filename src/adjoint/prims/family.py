"""Declarations of families of element-wise primitives: one row an operation.

An element-wise primitive has the same type, batching and transposition machinery as every other;
a row gives its name, the dtypes that it takes, its NumPy meaning and its derivatives. Operands
have equal dtypes; shapes are equal, or of equal rank with axes of length 1 that stretch, or of
rank 0.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core import dtypes
from ..core.messages.errors import message
from ..core.primitive import Primitive, is_undefined_primal
from ..core.types import ShapedArray, aval_of
from ..core.values.numbers import as_typed
from ..core.values.zeros import Zero
from ..sharding import rules, sums
from .domains import check_dtype
from .shape import batch_to_front, broadcast_in_dim, insert_axes, instantiated, materialise_batch, reduce_sum, reshape
from .sharding import resharded

# ---- types --------------------------------------------------------------------------------------

# The function of adjoint.numpy that promotes its operands and then calls the primitive.
_PROMOTING = {
    "add": "add", "sub": "subtract", "mul": "multiply", "div": "divide", "pow": "power",
    "max": "maximum", "min": "minimum", "atan2": "arctan2", "nextafter": "nextafter",
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater",
    "ge": "greater_equal", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
    "shift_left": "left_shift", "shift_right_logical": "right_shift",
    "shift_right_arithmetic": "right_shift", "clamp": "clip", "select": "where",
}


def _types_text(avals) -> str:
    return ", ".join([a.str_short(True) for a in avals])


def check_same_dtypes(name: str, avals) -> None:
    first = avals[0].dtype
    if any(a.dtype != first for a in avals[1:]):
        got = ", ".join(a.dtype.name for a in avals)
        tip = ""
        if name in _PROMOTING:
            tip = (
                f" (Tip: jnp.{_PROMOTING[name]} is a similar function that does automatic type "
                "promotion on inputs)."
            )
        raise TypeError(
            message(
                f"lax.{name} requires arguments to have the same dtypes, got {got}.{tip}",
                why=f"Functions of lax do not promote; the operands are {_types_text(avals)}.",
                fix=(f"jnp.{_PROMOTING[name]}, or " if tip else "") + f"x.astype({first.name!r})",
            )
        )


def _by_length(n) -> tuple:
    return (0, n) if type(n) is int else (1, str(n))


def broadcast_shape(name: str, avals) -> tuple[int, ...]:
    """The common shape of element-wise operands; TypeError if there is none."""
    shapes = [a.shape for a in avals if a.shape]
    if not shapes:
        return ()
    first = shapes[0]
    if all(s == first for s in shapes):
        return first
    if len({len(s) for s in shapes}) > 1:
        ranks = "{" + ", ".join(map(str, sorted({len(s) for s in shapes}))) + "}"
        raise TypeError(
            message(
                f"{name}: arrays must have the same number of dimensions, got {ranks}: "
                f"{_types_text(avals)}. Use the adjoint.numpy function, which "
                "broadcasts, or add axes with reshape or expand_dims.",
                fix=f"jnp.{_PROMOTING.get(name, name)}, or jnp.expand_dims(x, axis) for the one with fewer axes",
            )
        )
    out = []
    for lengths in zip(*shapes):
        wide = {d for d in lengths if d != 1}
        if len(wide) > 1:
            got = ", ".join(map(str, shapes))
            raise TypeError(
                message(
                    f"{name} got incompatible shapes for broadcasting: {got}.",
                    why=f"Two lengths of one axis differ and neither is 1: {sorted(wide, key=_by_length)}.",
                    fix="x[:n] to cut the longer one, or x[:, None] for all pairs",
                )
            )
        out.append(wide.pop() if wide else 1)
    return tuple(out)


_PYTHON = {"f": float, "c": complex, "i": int}


def like(x, value):
    """The scalar `value` in the dtype of `x`, weak if `x` is, for formulas in rules."""
    aval = aval_of(x)
    if aval.weak_type:
        scalar = _PYTHON.get(aval.dtype.kind, aval.dtype.type)(value)
        if aval_of(scalar).dtype == aval.dtype:
            return scalar
    return _typed(aval.dtype, value)


def _typed(dtype, value):
    scalar = dtype.type(value)
    return as_typed(scalar, ShapedArray((), dtype)) if dtype in dtypes.WIDE else scalar


def typed_like(x, value):
    """Return `like`, but weak only beside a scalar, as JAX has the constants that it makes as arrays."""
    aval = aval_of(x)
    return _typed(aval.dtype, value) if aval.shape else like(x, value)


def fill(x, value):
    """An array like `x` of one value, divided alike; a scalar if `x` is one. Zeros beside sums over a mesh are sums."""
    aval, scalar = aval_of(x), like(x, value)
    if not aval.shape:
        return scalar
    explicit = None if aval.placement is None else aval.explicit_sharding
    if explicit is not None:
        is_sum = bool(explicit.spec.unreduced or explicit.spec.reduced)
        if is_sum and value or not is_sum and not explicit.is_divided:
            explicit = None
    return broadcast_in_dim(scalar, shape=aval.shape, broadcast_dimensions=(), sharding=explicit)


# ---- narrow dtypes -----------------------------------------------------------------------------

# Where NumPy has no loops, or slow ones: the dtype in which to compute instead.
_WIDER = {
    **dict.fromkeys((dtypes.bfloat16, dtypes.float16, *dtypes.small_floats), dtypes.float32),
    **dict.fromkeys(dtypes.small_signed_ints, dtypes.int8),
    **dict.fromkeys(dtypes.small_unsigned_ints, dtypes.uint8),
}


def is_narrow(dtype) -> bool:
    """Return whether `widened` functions compute in another dtype."""
    return dtype in _WIDER


def widened(function: Callable) -> Callable:
    """`function` with narrow dtypes computed in float32 or 8-bit integers and rounded once; `unwidened` names it."""

    def evaluate(x, *others, **params):
        wide = _WIDER.get(x.dtype)
        if wide is None:
            return function(x, *others, **params)
        others = [y.astype(_WIDER.get(y.dtype, y.dtype)) for y in others]
        return function(x.astype(wide), *others, **params).astype(x.dtype)

    evaluate.unwidened = function  # type: ignore[attr-defined]
    return evaluate


def accurate(function: Callable) -> Callable:
    """`widened` for one operand, with JAX's parameter `accuracy`, which changes nothing here."""

    def evaluate(x, accuracy=None):
        wide = _WIDER.get(x.dtype)
        if wide is None:
            return function(x)
        return function(x.astype(wide)).astype(x.dtype)

    return evaluate


# ---- declaration -------------------------------------------------------------------------------


class Elementwise(Primitive):
    """An element-wise primitive; `domains` holds the dtype kinds that each operand may have."""

    sharding_rule = staticmethod(rules.joined)

    def __init__(self, name: str, domains: list[tuple]):
        super().__init__(name)
        self.domains = domains


def elementwise(
    name: str,
    domain: tuple | list[tuple],
    evaluate: Callable,
    *,
    arity: int,
    out_dtype: Callable | None = None,
    derivatives: tuple[Callable | None, ...] | None = None,
    check_same: bool = True,
    params: tuple[dict, ...] = ({},),
    is_strong: bool = False,
) -> Elementwise:
    """A primitive that works on each element alone.

    Args:
      domain: the dtype kinds that every operand may have, or a list with one for each operand.
      evaluate: NumPy arrays and params -> NumPy array.
      out_dtype: operand dtypes and params -> dtype of the result; default the first operand's.
      derivatives: for each operand (tangent, result, *operands, **params) -> tangent of the result,
        linear in the tangent; None where the derivative is zero. Without it, all are zero.
      check_same: whether operands must have equal dtypes.
      params: the parameters to try in examples.
      is_strong: the result is not weakly typed, whatever the operands are.
    """
    domains = domain if isinstance(domain, list) else [domain] * arity
    p = Elementwise(name, domains)

    @p.type
    def _(*avals, **params):
        for i, (d, a) in enumerate(zip(domains, avals, strict=True)):
            check_dtype(name, d, a.dtype, i if arity > 1 else None)
        if check_same and arity > 1 and params.get("out_dtype") is None:  # to which operands are converted
            check_same_dtypes(name, avals)
        dtype = avals[0].dtype
        if out_dtype is not None:
            dtype = out_dtype(*[a.dtype for a in avals], **params)
        is_weak = not is_strong and all(a.weak_type for a in avals)
        return ShapedArray(broadcast_shape(name, avals), dtype, is_weak)

    p.evaluate(evaluate)
    p.batch_rule = lambda args, dims, **params: batch_elementwise(p, args, dims, params)
    derivatives = derivatives or (None,) * arity
    p.jvp_rule = lambda primals, tangents, **params: _jvp(p, derivatives, primals, tangents, params)
    p.examples(*[(*operands, given) for given in params for operands in _examples(domains, arity)])
    return p


def unary(
    name, domain, evaluate, derivative=None, out_dtype=None, params=({},), is_strong: bool = False
) -> Elementwise:
    """Make a primitive of one operand; `derivative(tangent, result, x, **params)`."""
    d = (derivative,)
    return elementwise(
        name, domain, evaluate, arity=1, derivatives=d, out_dtype=out_dtype, params=params, is_strong=is_strong
    )


def function(name, domain, evaluate, derivative) -> Elementwise:
    """Make a primitive of one operand and the parameter `accuracy`, as the functions of analysis have it."""
    d = lambda g, z, x, accuracy=None: derivative(g, z, x)
    p = elementwise(name, domain, accurate(evaluate), arity=1, derivatives=(d,))
    p.unset = {"accuracy": None}
    return p


def binary(
    name, domain, evaluate, left=None, right=None, out_dtype=None, params=({},)
) -> Elementwise:
    """Make a primitive of two operands; `left` and `right` are `(tangent, result, x, y, **params) -> tangent`."""
    d = (left, right)
    return elementwise(
        name, domain, evaluate, arity=2, derivatives=d, out_dtype=out_dtype, params=params
    )


def linear_in_both(p: Elementwise) -> None:
    """Return where both operands have tangents, apply `p` to them once instead of adding two terms."""
    one_by_one = p.jvp_rule

    def rule(primals, tangents):
        if any(type(t) is Zero for t in tangents):
            out, t = one_by_one(primals, tangents)
            explicit = None if type(t) is Zero else aval_of(out).explicit_sharding
            if explicit is not None and aval_of(t).explicit_sharding is None:
                t = resharded(t, explicit)  # the other operand says how the result is divided
            return out, t
        out = p(*primals)
        return out, stretch(p(*tangents), aval_of(out).shape)

    p.jvp(rule)


def to_bool(*_, **__):
    return dtypes.bool_


# The dtypes that examples of a kind have.
_TYPICAL = {
    np.floating: (dtypes.float32,),
    np.complexfloating: (dtypes.complex64,),
    np.integer: (dtypes.int32, dtypes.uint8),
    np.signedinteger: (dtypes.int32,),
    np.bool_: (dtypes.bool_,),
    np.float32: (dtypes.float32,),
}


def _examples(domains, arity):
    """Operand types to try: each kind once, with a scalar, an empty and a stretched shape."""
    kinds = [kind for kind in domains[0] if kind in _TYPICAL and all(kind in d for d in domains)]
    for kind in kinds:
        for dtype in _TYPICAL[kind]:
            yield tuple(ShapedArray((2, 3), dtype) for _ in range(arity))
    dtype = _TYPICAL[kinds[0]][0]
    for shape in ((), (0, 3)):
        yield tuple(ShapedArray(shape, dtype) for _ in range(arity))
    if arity > 1:
        yield tuple(ShapedArray((2, 1) if i else (1, 3), dtype) for i in range(arity))
        yield tuple(ShapedArray(() if i else (3,), dtype) for i in range(arity))


# ---- rules shared by all -----------------------------------------------------------------------


def _jvp(p, derivatives, primals, tangents, params):
    out = p.bind(*primals, **params)
    shape = aval_of(out).shape
    total = None
    for derivative, t in zip(derivatives, tangents):
        if derivative is None or type(t) is Zero:
            continue
        term = stretch(derivative(t, out, *primals, **params), shape)
        total = term if total is None else add_any(total, term)
    return out, Zero(aval_of(out).to_tangent_aval()) if total is None else total


def multilinear(p: Primitive, *positions: int) -> None:
    """Give a primitive the derivative of what is linear in each of its operands at these positions alone."""

    @p.jvp
    def _(primals, tangents, **params):
        out, total = p(*primals, **params), None
        zero = Zero(aval_of(out).to_tangent_aval())
        for i in positions if zero.aval.dtype != dtypes.float0 else ():
            if type(tangents[i]) is not Zero:
                term = p(*primals[:i], tangents[i], *primals[i + 1 :], **params)
                total = term if total is None else add_any(total, term)
        return out, zero if total is None else total


def jointly_linear(p: Primitive, *positions: int) -> None:
    """Give a primitive the derivative of what is linear in its operands at these positions together."""

    @p.jvp
    def _(primals, tangents, **params):
        out = p(*primals, **params)
        if all([type(tangents[i]) is Zero for i in positions]):
            return out, Zero.from_primal_value(out)
        operands = [instantiated(t) if i in positions else x for i, (x, t) in enumerate(zip(primals, tangents))]
        return out, p(*operands, **params)


def stretch(x, shape):
    """`x`, of equal rank or rank 0, broadcast to `shape`."""
    own = aval_of(x).shape
    if own == shape:
        return x
    axes = tuple(range(len(shape))) if own else ()
    return broadcast_in_dim(x, shape=shape, broadcast_dimensions=axes, sharding=None)


def unbroadcast(ct, aval):
    """The cotangent of an operand of type `aval` that was stretched to the shape of `ct`."""
    if aval_of(ct).shape == aval.shape:
        return ct
    if aval.shape:
        axes = tuple(i for i, (n, m) in enumerate(zip(aval.shape, ct.shape)) if n != m)
    else:
        axes = tuple(range(len(ct.shape)))
    ct = reduce_sum(ct, axes=axes, out_sharding=None)
    if ct.shape == aval.shape:
        return ct
    return reshape(ct, new_sizes=aval.shape, dimensions=None, sharding=None)


def batch_elementwise(p, args, dims, params):
    """Line the batch axes up at the front, unless they are lined up already."""
    first = next((a.shape, d) for a, d in zip(args, dims) if d is not None)
    if all(
        (d is None and not aval_of(a).shape) or (d is not None and (a.shape, d) == first)
        for a, d in zip(args, dims)
    ):
        if len(first[0]) > 1 or all(d is not None for d in dims) or len(args) == 1:
            return p.bind(*args, **params), first[1]
    rank = max(aval_of(a).ndim - (d is not None) for a, d in zip(args, dims))
    lined = [batch_to_front(a, d) if d is not None else insert_axes(a, (0,)) if aval_of(a).shape else a
             for a, d in zip(args, dims)]
    lined = [a if d is None or a.ndim > rank else insert_axes(a, tuple(range(1, rank - a.ndim + 2)))
             for a, d in zip(lined, dims)]  # batches of scalars against arrays
    return p.bind(*lined, **params), 0


# Sums cotangents and tangents; the one addition that every dtype with a tangent space has.
add_any = Primitive("add_any", linear=True)
add_any.exact("biuf")
add_any.sums(sums.added)


@add_any.type
def _(x, y):
    if x.shape != y.shape or x.dtype != y.dtype:
        raise TypeError(f"add_any needs equal types, got {x.str_short(True)} and {y.str_short(True)}.")
    return x  # JAX parity: weakly typed if the first operand is


add_any.evaluate(np.add)


@add_any.transpose
def _(ct, x, y):
    return [ct if is_undefined_primal(v) else None for v in (x, y)]


add_any.batch_rule = lambda args, dims: _batch_add_any(args, dims)


def _batch_add_any(args, dims):
    # JAX parity: the first operand is moved to the axis of the second one.
    at = dims[0] if dims[1] is None else dims[1]
    size = next(a.shape[d] for a, d in zip(args, dims) if d is not None)
    x, y = (materialise_batch(a, d, size, at) for a, d in zip(args, dims))
    return add_any(x, y), at


add_any.examples(
    (ShapedArray((2, 3), dtypes.float32), ShapedArray((2, 3), dtypes.float32)),
    (ShapedArray((), dtypes.complex64), ShapedArray((), dtypes.complex64)),
)
