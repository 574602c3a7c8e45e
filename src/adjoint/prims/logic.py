"""Comparisons, selection, and operations on bits.

`eq_to`, `lt_to` and `le_to` compare in the total order -NaN < -inf < ... < -0 < 0 < ... < inf <
NaN, which is what sorting uses. Shifts by the width or more give 0, or copies of the sign.
"""

from __future__ import annotations

import operator

import numpy as np

from ..core import dtypes
from ..core.messages.errors import message
from ..core.primitive import Primitive, is_undefined_primal
from ..core.types import ShapedArray, aval_of
from ..core.values.zeros import Zero
from ..sharding import rules, sums
from ..sharding.explicit import explicit_over
from .domains import ANY, BITS, FLOATS, INTS, ORDERED, accepts, highest
from .family import binary, check_same_dtypes, fill, to_bool, unary, widened
from .shape import broadcast_in_dim, materialise_batch

__all__ = [
    "and_", "choose", "eq", "eq_to", "ge", "gt", "is_finite", "le", "le_to", "lt", "lt_to", "mask_of", "ne", "not_",
    "or_", "select_n", "shift_left", "shift_right_arithmetic", "shift_right_logical", "xor",
]


# ---- comparisons ---------------------------------------------------------------------------------



def _equality(ufunc, operator):
    """A comparison of numbers by a ufunc, and of random keys, which are records, by the operator."""
    return lambda x, y: operator(x, y) if x.dtype.kind == "V" else ufunc(x, y)


_EQUATED = (*ANY, dtypes.prng_key)
eq = binary("eq", _EQUATED, _equality(np.equal, operator.eq), out_dtype=to_bool)
ne = binary("ne", _EQUATED, _equality(np.not_equal, operator.ne), out_dtype=to_bool)
eq.exact("biufc")
ne.exact("biufc")
lt = binary("lt", ORDERED, np.less, out_dtype=to_bool)
le = binary("le", ORDERED, np.less_equal, out_dtype=to_bool)
gt = binary("gt", ORDERED, np.greater, out_dtype=to_bool)
ge = binary("ge", ORDERED, np.greater_equal, out_dtype=to_bool)
is_finite = unary("is_finite", FLOATS, np.isfinite, out_dtype=to_bool)
for p in (lt, le, gt, ge, is_finite):
    p.exact("biuf")


def total_order_key(x):
    """Integers in the total order of the floats `x`; anything else as it is."""
    if not accepts(FLOATS, x.dtype):
        return x
    bits = x.view(np.dtype(f"i{x.dtype.itemsize}"))
    info = np.iinfo(bits.dtype)
    sign = bits >> bits.dtype.type(info.bits - 1)  # -1 for negative numbers, else 0
    return bits ^ (sign & bits.dtype.type(info.max))


def _in_total_order(ufunc):
    return lambda x, y: ufunc(total_order_key(x), total_order_key(y))


eq_to = binary("eq_to", ANY, _in_total_order(np.equal), out_dtype=to_bool)
lt_to = binary("lt_to", ORDERED, _in_total_order(np.less), out_dtype=to_bool)
le_to = binary("le_to", ORDERED, _in_total_order(np.less_equal), out_dtype=to_bool)


# ---- bits ----------------------------------------------------------------------------------------


def unsigned(x):
    """The bits as unsigned integers."""
    return x.view(np.dtype(f"u{x.dtype.itemsize}"))


def _width(x):
    return x.dtype.type(8 * x.dtype.itemsize - 1)


def _shift_left(x, n):
    return np.left_shift(unsigned(x), unsigned(n)).view(x.dtype)


def _shift_right_logical(x, n):
    return np.right_shift(unsigned(x), unsigned(n)).view(x.dtype)


def _shift_right_arithmetic(x, n):
    """Shifts the sign in, of unsigned operands too."""
    signed = np.dtype(f"i{x.dtype.itemsize}")
    n = np.minimum(unsigned(n), unsigned(_width(x))).view(signed)
    return np.right_shift(x.view(signed), n).view(x.dtype)


def _extended(shift, kind: str):
    """A shift to the right, with integers of less than 8 bits extended by zeros ("u") or their sign ("i")."""

    def evaluate(x, n):
        dtype = x.dtype
        if dtype not in dtypes.small_ints:
            return shift(x, n)
        bits = x.astype(np.int8).astype(getattr(dtypes, f"{kind.replace('i', '')}int{dtypes.itemsize_bits(dtype)}"))
        wide = np.dtype(f"{kind}1")
        return shift(bits.astype(wide), n.astype(np.int8).view(wide)).astype(np.int8).astype(dtype)

    return evaluate


and_ = binary("and", BITS, widened(np.bitwise_and))
or_ = binary("or", BITS, widened(np.bitwise_or))
xor = binary("xor", BITS, widened(np.bitwise_xor))
and_.neutral(lambda dtype: -1 if dtypes.issubdtype(dtype, np.signedinteger) else highest(dtype))
or_.neutral(lambda dtype: 0)
xor.neutral(lambda dtype: 0)
not_ = unary("not", BITS, widened(np.invert))
for p in (and_, or_, xor, not_):
    p.exact("biuf")
shift_left = binary("shift_left", INTS, widened(_shift_left))
shift_right_logical = binary("shift_right_logical", INTS, _extended(_shift_right_logical, "u"))
shift_right_arithmetic = binary("shift_right_arithmetic", INTS, _extended(_shift_right_arithmetic, "i"))
for p in (shift_left, shift_right_logical, shift_right_arithmetic):
    p.exact("biu")


# ---- select_n: `which` says from which case each element comes ----------------------------------

select_n = Primitive("select_n")
select_n.exact("biufc")
select_n.sharding(rules.selected)
select_n.sums(sums.selected)


@select_n.type
def _(which, *cases):
    if not cases:
        raise ValueError("select_n() must have at least one case")
    boolean = which.dtype == dtypes.bool_
    if not boolean and not accepts(INTS, which.dtype):
        raise TypeError(
            message(
                f"select `which` must be boolean or integer type, got {which.dtype.name}.",
                fix="a condition, for example x != 0",
            )
        )
    if boolean and len(cases) > 2:
        raise TypeError("select with boolean `which` cannot have > 2 cases.")
    first = cases[0]
    if any(c.shape != first.shape for c in cases):
        raise TypeError(
            message(
                f"select cases must have the same shapes, got {[c.shape for c in cases]}.",
                why="Functions of lax do not broadcast.",
                fix="jnp.where(which, x, y)",
            )
        )
    if which.shape and which.shape != first.shape:
        raise TypeError(
            message(
                "select `which` must be scalar or have the same shape as cases, got `which` shape "
                f"{which.shape} but case shape {first.shape}.",
                why="Functions of lax do not broadcast.",
                fix="jnp.where(which, x, y)",
            )
        )
    check_same_dtypes("select", cases)
    return ShapedArray(first.shape, first.dtype, all(c.weak_type for c in cases))


_BLOCK_ELEMENTS = 1 << 14


def choose(which, x, y):
    """np.where of a boolean array by masks: it branches for each element, at ten times the cost if they are mixed."""
    dtype = np.result_type(x, y)
    if which.size < _BLOCK_ELEMENTS or not which.flags.c_contiguous or dtype.kind not in "fiu" or dtype.itemsize > 8:
        return np.where(which, x, y)
    bits = np.dtype(f"i{dtype.itemsize}")
    a, b = _bits_of(x, which.shape, dtype, bits), _bits_of(y, which.shape, dtype, bits)
    if a is None or b is None:
        return np.where(which, x, y)
    out = np.empty(which.shape, dtype)
    flags, all_bits, mask = which.reshape(-1).view(np.int8), out.reshape(-1).view(bits), np.empty(_BLOCK_ELEMENTS, bits)
    for i in range(0, which.size, _BLOCK_ELEMENTS):
        part = slice(i, i + _BLOCK_ELEMENTS)
        to = all_bits[part]
        ones, other = mask[: to.size], b if b.size == 1 else b[part]
        np.multiply(flags[part], bits.type(-1), ones)
        np.bitwise_xor(a if a.size == 1 else a[part], other, to)
        np.bitwise_and(to, ones, to)
        np.bitwise_xor(to, other, to)
    return out


def _bits_of(x, shape, dtype, bits):
    """The elements of one operand as integers in a row, a repeated one once; None if they are not in a row."""
    x = np.asarray(x, dtype)
    if not any(x.strides):
        x = x[(0,) * x.ndim]
    elif x.shape != shape or not x.flags.c_contiguous:
        return None
    return np.atleast_1d(x).reshape(-1).view(bits)


@select_n.evaluate
def _(which, *cases):
    if not which.ndim:
        return cases[min(max(int(which), 0), len(cases) - 1)]
    if len(cases) == 2 and which.dtype == np.bool_:
        return choose(which, cases[1], cases[0])
    out = cases[0]
    for i, case in enumerate(cases[1:], 1):
        out = np.where(np.greater_equal(which, i), case, out)
    return out


@select_n.jvp
def _(primals, tangents):
    which, *cases = primals
    out = select_n(which, *cases)
    if all(type(t) is Zero for t in tangents[1:]):
        return out, Zero(aval_of(out).to_tangent_aval())
    zeros = fill(next(t for t in tangents[1:] if type(t) is not Zero), 0)
    return out, select_n(which, *[zeros if type(t) is Zero else t for t in tangents[1:]])


@select_n.transpose
def _(ct, which, *cases):
    zeros = fill(ct, 0)
    return [
        None,
        *[
            select_n(which, *[ct if i == j else zeros for j in range(len(cases))])
            if is_undefined_primal(case)
            else None
            for i, case in enumerate(cases)
        ],
    ]


@select_n.batch
def _(args, dims):
    first = next((a.shape, d) for a, d in zip(args, dims) if d is not None)
    if all(d is not None and (a.shape, d) == first for a, d in zip(args, dims)):
        return select_n(*args), first[1]
    which, *cases = args
    size = first[0][first[1]]
    if dims[0] is None and not aval_of(which).shape:
        at = first[1] if len(set(dims[1:])) == 1 else 0
        cases = [materialise_batch(c, d, size, at) for c, d in zip(cases, dims[1:])]
        return select_n(which, *cases), at
    which, *cases = [materialise_batch(a, d, size) for a, d in zip(args, dims)]
    return select_n(mask_of(which, cases[0]), *cases), 0


def mask_of(which, case):
    """Return what selects by leading axes, of the shape of a case and divided as that is over explicit mesh axes."""
    aval, axes = aval_of(case), tuple(range(aval_of(which).ndim))
    if len(axes) == aval.ndim:
        return which
    explicit = None if aval.placement is None else aval.explicit_sharding
    sharding = None if explicit is None else explicit_over(explicit.mesh, explicit.spec)
    return broadcast_in_dim(which, shape=aval.shape, broadcast_dimensions=axes, sharding=sharding)


select_n.examples(
    *[
        (ShapedArray(shape, which), *[ShapedArray((2, 3), dtype)] * n)
        for shape, which, dtype, n in (
            ((2, 3), dtypes.bool_, dtypes.float32, 2),
            ((), dtypes.bool_, dtypes.float32, 2),
            ((2, 3), dtypes.int32, dtypes.float32, 3),
            ((), dtypes.int32, dtypes.complex64, 3),
            ((2, 3), dtypes.bool_, dtypes.int32, 2),
            ((2, 3), dtypes.bool_, dtypes.float32, 1),
        )
    ],
    (ShapedArray((0,), dtypes.bool_), *[ShapedArray((0,), dtypes.float32)] * 2),
    (ShapedArray((), dtypes.bool_), *[ShapedArray((), dtypes.float32)] * 2),
)
