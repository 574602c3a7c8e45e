"""The meaning of products, convolutions, Fourier transforms, solves and random bits.

Tests: `tests/export/test_export.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import lax
from ...core import dtypes
from ...core.types import aval_of
from ..mlir.elements import dtype_of
from ..mlir.ir import Enum, Operation
from .attributes import array, choice, flag, integer, integers, pairs
from .program import aval_of_type, dtype_of_type, dtype_of_value, rule

__all__ = ["adjoint_of", "convolved"]


def _precision(op: Operation) -> Any:
    names = [p.name if isinstance(p, Enum) else "DEFAULT" for p in op.attributes.get("precision_config", ())]
    found = tuple([getattr(lax.Precision, n) for n in names]) or (lax.Precision.DEFAULT,) * 2
    return None if set(names) <= {"DEFAULT"} else found


@rule("dot_general")
def _(frame, op, x, y):
    numbers = [integers(op, f"{side}_{kind}_dimensions") for kind in ("contracting", "batching")
               for side in ("lhs", "rhs")]
    out = dtype_of_type(op.results[0].type)
    return lax.dot_general(x, y, ((numbers[0], numbers[1]), (numbers[2], numbers[3])), precision=_precision(op),
                           preferred_element_type=out)


@rule("dot")
def _(frame, op, x, y):
    out = dtype_of_type(op.results[0].type)
    return lax.dot_general(x, y, (((aval_of(x).ndim - 1,), (0,)), ((), ())), precision=_precision(op),
                           preferred_element_type=out)


def convolved(op, x, kernel, padding):
    """Return a convolution, whose kernel is turned around where the operation says so."""
    turned = array(op, "window_reversal").astype(bool)
    spatial = integers(op, "kernel_spatial_dimensions")
    if turned.any():
        kernel = lax.rev(kernel, [d for d, t in zip(spatial, turned) if t])
    specs = []
    for side, first, second in (("input", "batch", "feature"), ("kernel", "output_feature", "input_feature"),
                                ("output", "batch", "feature")):
        specs.append((integer(op, f"{side}_{first}_dimension"), integer(op, f"{side}_{second}_dimension"),
                      *integers(op, f"{side}_spatial_dimensions")))
    out = op.results[0].type.element
    return lax.conv_general_dilated(
        x, kernel, integers(op, "window_strides"), padding, integers(op, "lhs_dilation"), integers(op, "rhs_dilation"),
        lax.ConvDimensionNumbers(*specs), integer(op, "feature_group_count"), integer(op, "batch_group_count"),
        precision=_precision(op), preferred_element_type=dtype_of(out))


@rule("convolution")
def _(frame, op, x, kernel):
    return convolved(op, x, kernel, pairs(op, "padding"))


@rule("fft")
def _(frame, op, x):
    return lax.fft(x, choice(op, "fft_type"), integers(op, "fft_length"))


@rule("triangular_solve")
def _(frame, op, a, b):
    kind = choice(op, "transpose_a")
    return lax.linalg.triangular_solve(
        a, b, left_side=flag(op, "left_side"), lower=flag(op, "lower"), transpose_a=kind in ("TRANSPOSE", "ADJOINT"),
        conjugate_a=kind == "ADJOINT", unit_diagonal=flag(op, "unit_diagonal"))


@rule("cholesky")
def _(frame, op, a):
    lower = flag(op, "lower")
    found = lax.linalg.cholesky(a if lower else adjoint_of(a), symmetrize_input=False)
    return found if lower else adjoint_of(found)


def adjoint_of(a):
    """Return matrices with rows and columns exchanged, and conjugated."""
    ndim = aval_of(a).ndim
    turned = lax.transpose(a, [*range(ndim - 2), ndim - 1, ndim - 2])
    return lax.conj(turned) if dtypes.issubdtype(dtype_of_value(a), np.complexfloating) else turned


@rule("rng_bit_generator")
def _(frame, op, state):
    out = aval_of_type(op.results[1].type)
    algorithm = {"DEFAULT": 0, "THREE_FRY": 1, "PHILOX": 2}[choice(op, "rng_algorithm")]
    words = state
    if aval_of(state).dtype == np.uint64:
        words = lax.reshape(lax.bitcast_convert_type(state, np.uint32), (2 * aval_of(state).size,))
    key, bits = lax.rng_bit_generator(words, out.shape, out.dtype, lax.RandomAlgorithm(algorithm))
    if aval_of(state).dtype == np.uint64:
        key = lax.bitcast_convert_type(lax.reshape(key, (*aval_of(state).shape, 2)), np.uint64)
    return [key, bits]


@rule("rng")
def _(frame, op, a, b, shape):
    out = aval_of_type(op.results[0].type)
    return lax.rng_uniform(a, b, out.shape)


@rule("partition_id", "replica_id")
def _(frame, op):
    return np.zeros((), np.uint32)


