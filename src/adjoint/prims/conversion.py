"""Conversions from one dtype to another, by value or by bits.

Floats become integers as XLA has it: towards zero, saturating, NaN to 0. What NumPy cannot
convert in one step keeps to one rounding where XLA does.

Tests: `tests/prims/test_dtypes.py`.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ..core import dtypes
from ..core.jaxpr import Literal
from ..core.primitive import Primitive
from ..core.types import ShapedArray, aval_of, register_aval
from ..core.values.dimension import Dimension
from ..core.values.zeros import Zero
from ..sharding import rules, sums
from .domains import FLOATS, INEXACT, INTS, accepts, check_dtype
from .shape import batch_to_front

__all__ = [
    "bitcast_convert_type", "convert_element_type", "copy", "dim_as_value", "reduce_precision", "stop_gradient",
    "strong_beside",
]


def _same_axis(p):
    """Return the batch rule of an operation on one operand that keeps its axes."""
    return lambda args, dims, **params: (p(*args, **params), dims[0])


# ---- convert_element_type ------------------------------------------------------------------------

_SMALL = frozenset((*dtypes.small_ints, *dtypes.small_floats))

convert_element_type = Primitive("convert_element_type")
convert_element_type.sums(sums.kept)
convert_element_type.exact("biuf")


@convert_element_type.type
def _(x, *, new_dtype, weak_type=False, sharding=None):
    if x.dtype != new_dtype and any(isinstance(d, dtypes.ExtendedDType) for d in (x.dtype, new_dtype)):
        raise ValueError(f"Cannot convert_element_type from {x.dtype.name} to {new_dtype.name}")
    return ShapedArray(x.shape, new_dtype, weak_type)


@convert_element_type.evaluate
def _(x, *, new_dtype, weak_type=False, sharding=None):
    if x.dtype.kind == "c" and new_dtype.kind != "c":
        x = x.real
    if x.dtype == new_dtype:
        return x
    if x.dtype == dtypes.float0:
        return np.zeros(x.shape, new_dtype)
    if new_dtype.kind not in "fcb" and accepts(FLOATS, x.dtype) and accepts(INTS, new_dtype):
        return _float_to_int(x, new_dtype)
    if x.dtype in _SMALL and new_dtype in _SMALL:  # ml_dtypes converts only some of them directly
        x = x.astype(np.int8 if x.dtype in dtypes.small_ints and new_dtype in dtypes.small_ints else np.float32)
    return x.astype(new_dtype)


@convert_element_type.stage
def _(trace, args, params):
    atom = trace.atom(*args)
    if type(atom) is not Literal:
        return trace.emit(convert_element_type, args, params)
    # A scalar of the program text is converted on the spot.
    aval = convert_element_type.infer((atom.aval,), params)
    value = convert_element_type.evaluate_rule(np.asarray(atom.val, atom.aval.dtype), **params)[()]
    return trace.tracer(Literal(value.item() if aval.weak_type else value, aval))


def _float_to_int(x, dtype):
    if x.dtype.kind != "f" or x.dtype.itemsize < 4:
        x = x.astype(np.float32)
    low, high, least, most = _limits(x.dtype, dtype)
    inside = np.greater_equal(x, low) & np.less(x, high)
    if inside.all():
        return x.astype(dtype)
    whole = np.where(inside, x, x.dtype.type(0)).astype(dtype)
    return np.where(np.less(x, low), least, np.where(np.greater_equal(x, high), most, whole))


@cache
def _limits(floating, dtype) -> tuple:
    """Return the least integer and the power of two above the greatest as floats; both as integers."""
    info = dtypes.iinfo(dtype)
    bits = dtypes.itemsize_bits(dtype) - (info.min < 0)
    least, most = [np.array(int(end)).astype(dtype) for end in (info.min, info.max)]
    return floating.type(info.min), floating.type(2.0**bits), least, most


@convert_element_type.jvp
def _(primals, tangents, *, new_dtype, **params):
    (x,), (t,) = primals, tangents
    out = convert_element_type(x, new_dtype=new_dtype, **params)
    if type(t) is Zero or not accepts(INEXACT, new_dtype):
        return out, Zero(aval_of(out).to_tangent_aval())
    return out, convert_element_type(t, new_dtype=new_dtype, **params)


@convert_element_type.transpose
def _(ct, x, *, new_dtype, weak_type=False, sharding=None):
    aval, given = x.aval, aval_of(ct)
    if (given.dtype, given.weak_type) == (aval.dtype, aval.weak_type):
        return [ct]
    return [convert_element_type(ct, new_dtype=aval.dtype, weak_type=aval.weak_type)]


convert_element_type.batch(_same_axis(convert_element_type))
convert_element_type.examples(
    *[
        (ShapedArray((2, 3), old), {"new_dtype": new, "weak_type": False})
        for old, new in (
            (dtypes.float32, dtypes.int32),
            (dtypes.float32, dtypes.uint8),
            (dtypes.float32, dtypes.bfloat16),
            (dtypes.float32, dtypes.float16),
            (dtypes.float32, dtypes.bool_),
            (dtypes.float32, dtypes.complex64),
            (dtypes.complex64, dtypes.float32),
            (dtypes.complex64, dtypes.int32),
            (dtypes.int32, dtypes.float32),
            (dtypes.int32, dtypes.int8),
            (dtypes.int32, dtypes.uint32),
            (dtypes.bool_, dtypes.float32),
            (dtypes.bfloat16, dtypes.float32),
            (dtypes.float16, dtypes.bfloat16),
        )
    ],
    *[
        (np.array(values, np.float32), {"new_dtype": new, "weak_type": False})
        for values in ([np.nan, np.inf, -np.inf, 1e20, -1e20, 3.9, -3.9, 300.5, -0.5, 127.5],)
        for new in (*dtypes.signed_ints, *dtypes.unsigned_ints, dtypes.bool_)
    ],
    (ShapedArray((), dtypes.float32), {"new_dtype": dtypes.float32, "weak_type": True}),
    (ShapedArray((0, 2), dtypes.int32), {"new_dtype": dtypes.float32, "weak_type": False}),
)


def strong_beside(t, y):
    """Return a tangent without its weak type beside a factor that has none; JAX parity: its cotangent stays weak."""
    aval = aval_of(t)
    if not aval.weak_type or aval_of(y).weak_type:
        return t
    return convert_element_type(t, new_dtype=aval.dtype, weak_type=False, sharding=None)


# ---- bitcast_convert_type ------------------------------------------------------------------------

bitcast_convert_type = Primitive("bitcast_convert_type")
bitcast_convert_type.exact("biufc")
bitcast_convert_type.sharding(rules.bitcast)


@bitcast_convert_type.type
def _(x, *, new_dtype):
    old, new = dtypes.itemsize_bits(x.dtype), dtypes.itemsize_bits(new_dtype)
    if x.dtype != new_dtype and any(
        d == dtypes.bool_ or d.kind == "c" for d in (x.dtype, new_dtype)
    ):
        raise TypeError(
            "lax.bitcast_convert_type does not support bool or complex values unless the operand "
            f"and destination types match. Got operand dtype={x.dtype}, new_dtype={new_dtype!r}. "
            "Consider using the arr.view() method instead."
        )
    shape = x.shape
    if old > new:
        shape = (*shape, old // new)
    elif old < new:
        if not shape or shape[-1] * old != new:
            length = shape[-1] if shape else 1
            raise ValueError(
                f"Attempting to convert array of shape {shape} from {x.dtype.name} of size {old} "
                f"bits to {new_dtype.name} of size {new}, bits but {length} * {old} != {new}"
            )
        shape = shape[:-1]
    return ShapedArray(shape, new_dtype)


@bitcast_convert_type.evaluate
def _(x, *, new_dtype):
    old, new = dtypes.itemsize_bits(x.dtype), dtypes.itemsize_bits(new_dtype)
    if old == new:
        return x.view(new_dtype)
    if old < 8 or new < 8:
        return _from_bits(_to_bits(x, old), new, new_dtype, merge=old < new)
    x = np.asarray(x, order="C")
    if old > new:
        return x[..., None].view(new_dtype)
    return x.view(new_dtype)[..., 0]


def _to_bits(x, width):
    """Return the bits of each element, lowest first, on a new last axis."""
    data = np.asarray(x, order="C")[..., None].view(np.uint8)
    return np.unpackbits(data, axis=-1, count=width, bitorder="little")


def _from_bits(bits, width, dtype, merge):
    """Return elements of `width` bits; `merge` takes them from the last two axes together."""
    lead = bits.shape[:-2] if merge else (*bits.shape[:-1], bits.shape[-1] // width)
    bits = bits.reshape((*lead, width))
    data = np.packbits(bits, axis=-1, bitorder="little")
    if width < 8:
        return data[..., 0].view(dtype)
    return np.ascontiguousarray(data).view(dtype)[..., 0]


@bitcast_convert_type.jvp
def _(primals, tangents, *, new_dtype):
    out = bitcast_convert_type(*primals, new_dtype=new_dtype)
    return out, Zero(aval_of(out).to_tangent_aval())


@bitcast_convert_type.batch
def _(args, dims, *, new_dtype):
    x, d = args[0], dims[0]
    if dtypes.itemsize_bits(x.dtype) < dtypes.itemsize_bits(new_dtype):  # the last axis is merged
        x, d = batch_to_front(x, d), 0
    return bitcast_convert_type(x, new_dtype=new_dtype), d


bitcast_convert_type.examples(
    (ShapedArray((2, 3), dtypes.float32), {"new_dtype": dtypes.int32}),
    (ShapedArray((2, 3), dtypes.float32), {"new_dtype": dtypes.uint8}),
    (ShapedArray((3, 4), dtypes.int8), {"new_dtype": dtypes.int32}),
    (ShapedArray((4,), dtypes.uint8), {"new_dtype": dtypes.float32}),
    (ShapedArray((), dtypes.uint32), {"new_dtype": dtypes.float32}),
    (ShapedArray((0, 2), dtypes.int16), {"new_dtype": dtypes.bfloat16}),
    (ShapedArray((2,), dtypes.uint8), {"new_dtype": dtypes.int4}),
    (ShapedArray((2, 2), dtypes.int4), {"new_dtype": dtypes.int8}),
)


# ---- reduce_precision ----------------------------------------------------------------------------

reduce_precision = Primitive("reduce_precision", linear=True)
reduce_precision.sharding(rules.of_operand(0))


@reduce_precision.type
def _(x, *, exponent_bits, mantissa_bits):
    if exponent_bits < 1:
        raise ValueError(f"reduce_precision: exponent_bits must be positive; got {exponent_bits}")
    if mantissa_bits < 0:
        raise ValueError(
            f"reduce_precision: mantissa_bits must be non-negative; got {mantissa_bits}"
        )
    check_dtype("reduce_precision", FLOATS, x.dtype)
    return x


@reduce_precision.evaluate
def _(x, *, exponent_bits, mantissa_bits):
    """Rounds the mantissa to even; too large becomes infinite, too small for a normal number 0."""
    info = dtypes.finfo(x.dtype)
    unsigned = np.dtype(f"u{x.dtype.itemsize}").type
    bits = x.view(np.dtype(unsigned))
    drop = info.nmant - mantissa_bits
    if drop > 0:
        last = (bits >> unsigned(drop)) & unsigned(1)
        bits = bits + (last + unsigned((1 << (drop - 1)) - 1))
        bits = bits & ~unsigned((1 << drop) - 1)
    out = bits.view(x.dtype)
    if exponent_bits < info.nexp:
        bias = (1 << (exponent_bits - 1)) - 1
        size = np.abs(out).astype(np.float64)
        out = np.where(size < 2.0 ** (1 - bias), np.copysign(x.dtype.type(0), x), out)
        out = np.where(size >= 2.0 ** (bias + 1), np.copysign(x.dtype.type(np.inf), x), out)
    return np.where(np.isnan(x), x, out)


@reduce_precision.transpose
def _(ct, x, **params):
    return [reduce_precision(ct, **params)]


reduce_precision.batch(_same_axis(reduce_precision))
_extremes = [1.1, -1.3, 1e10, -1e10, 1e-10, 3.14159, 65519.0, 65520.0, np.nan, np.inf]
reduce_precision.examples(
    *[
        (np.array(_extremes, np.float32), {"exponent_bits": exponent, "mantissa_bits": mantissa})
        for exponent, mantissa in ((5, 10), (8, 7), (5, 0), (2, 3), (11, 52))
    ],
    (ShapedArray((2, 3), dtypes.float32), {"exponent_bits": 5, "mantissa_bits": 10}),
    (ShapedArray((2, 3), dtypes.float32), {"exponent_bits": 8, "mantissa_bits": 7}),
    (ShapedArray((2, 3), dtypes.bfloat16), {"exponent_bits": 4, "mantissa_bits": 3}),
    (ShapedArray((), dtypes.float32), {"exponent_bits": 8, "mantissa_bits": 23}),
)


# ---- copy, stop_gradient -------------------------------------------------------------------------

copy = Primitive("copy", linear=True)
copy.exact("biufc")
copy.sharding(rules.of_operand(0))
copy.type(lambda x: x)
copy.evaluate(lambda x: x.copy())
copy.transpose(lambda ct, x: [copy(ct)])
copy.batch(_same_axis(copy))
copy.examples((ShapedArray((2, 3), dtypes.float32),), (ShapedArray((), dtypes.bool_),))

stop_gradient = Primitive("stop_gradient")
stop_gradient.sums(sums.kept)
stop_gradient.exact("biufc")
stop_gradient.type(lambda x: x)
stop_gradient.evaluate(lambda x: x)
stop_gradient.batch(_same_axis(stop_gradient))
stop_gradient.examples((ShapedArray((2, 3), dtypes.float32),), (ShapedArray((), dtypes.int32),))


@stop_gradient.jvp
def _(primals, tangents):
    out = stop_gradient(*primals)
    return out, Zero(aval_of(out).to_tangent_aval())

# ---- lengths of axes that are expressions --------------------------------------------------------------

dim_as_value = Primitive("dim_as_value")


@dim_as_value.type
def _(*, dim):
    return ShapedArray((), dtypes.default_int(), True)


@dim_as_value.evaluate
def _(*, dim):
    raise NotImplementedError(
        "Evaluation rule for 'dim_as_value' is not implemented. It seems that you are using shape polymorphism outside "
        "jax.export."
    )


class _LengthRules:
    def as_value(self, length):
        return dim_as_value.bind(dim=length)

    def in_dtype(self, length, dtype):
        return convert_element_type(self.as_value(length), new_dtype=dtype, weak_type=False, sharding=None)


Dimension.register(_LengthRules())
register_aval(Dimension, lambda _: ShapedArray((), dtypes.default_int(), True))
