"""Products of numbers of few bits with a scale for each block: the MX formats and NVFP4.

A block of neighbours along the contracted axis shares a scale, so a narrow dtype covers a wide range. The products
are computed in float32 from the scaled values, so that every device has them; in JAX they need one with the units
for it.

Source: OCP Microscaling Formats (MX) Specification 1.0 (2023), section 6.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any, Literal

import numpy as np

from .. import lax
from .. import numpy as jnp
from ..core import dtypes
from ..core.messages.boundaries import public
from ..core.messages.errors import message
from ..core.types import Array
from ..transforms.custom.custom_vjp import custom_vjp
from ..transforms.jit.jit import inner_jit

__all__ = ["get_scaled_dot_general_config", "scaled_dot_general", "scaled_matmul"]


@dataclass
class BlockScaleConfig:
    """The settings by which numbers become blocks: see `get_scaled_dot_general_config`."""

    mode: str
    block_size: int
    data_type: Any
    scale_type: Any
    global_scale: Array | None
    infer_only: bool


def get_scaled_dot_general_config(
    mode: Literal["nvfp4", "mxfp8"], global_scale: Array | None = None
) -> BlockScaleConfig:
    """Return the settings of a block format, for `scaled_dot_general`.

    Args:
      mode: ``"mxfp8"``: float8_e4m3fn in blocks of 32, with powers of two as scales; ``"nvfp4"``: float4_e2m1fn in
        blocks of 16, with scales in float8_e4m3fn.
      global_scale: of ``"nvfp4"``: float32 ``[1]``, a factor of all scales.
    Returns:
      A `BlockScaleConfig`: the dtypes of elements and scales, and how many elements have one scale.
    Raises:
      ValueError: the mode is not one of these.

    >>> get_scaled_dot_general_config("mxfp8").block_size
    32
    """
    if mode == "mxfp8":
        return BlockScaleConfig(mode, 32, dtypes.float8_e4m3fn.type, dtypes.float8_e8m0fnu.type, None, False)
    if mode == "nvfp4":
        if global_scale is None:
            global_scale = jnp.ones((1,), np.float32)
        return BlockScaleConfig(
            mode, 16, dtypes.float4_e2m1fn.type, dtypes.float8_e4m3fn.type, global_scale, False
        )
    raise ValueError(message(f"Unsupported mode: {mode}", fix='"mxfp8" or "nvfp4"'))


# ---- a product of blocks -------------------------------------------------------------------------


def scaled_matmul(lhs, rhs, lhs_scales, rhs_scales, preferred_element_type=np.float32) -> Array:
    """Return ``lhs @ rhs.T`` for each of a batch, where blocks along the last axis have scales.

    Args:
      lhs: ``[B, M, K]``.
      rhs: ``[B, N, K]``.
      lhs_scales: ``[B, M, K / block]``; the length of a block follows from the shapes.
      rhs_scales: ``[B, N, K / block]``.
      preferred_element_type: the dtype of the result. Sums are in float32.
    Returns:
      ``[B, M, N]``. The dtype is `preferred_element_type`, float32 by default.
    Raises:
      ValueError: the shapes do not belong together.

    >>> a, b = jnp.array([[[1, 2, 3]]]), jnp.array([[[4, 5, 6]]])
    >>> scaled_matmul(a, b, jnp.full((1, 1, 1), 0.5), jnp.full((1, 1, 1), 0.5))
    Array([[[8.]]], dtype=float32)
    """
    operands = (lhs, rhs, lhs_scales, rhs_scales)
    if any(x.ndim != 3 for x in operands):
        raise ValueError(
            message("scaled_matmul requires all inputs to be 3-dimensional arrays", fix="x[None] for a batch of one")
        )
    pair = "to have matching batch (B) and contract (K) dimensions, but got shapes"
    for what, x, y in (("inputs a and b", lhs, rhs), ("scales", lhs_scales, rhs_scales)):
        if (x.shape[0], x.shape[2]) != (y.shape[0], y.shape[2]):
            raise ValueError(f"scaled_matmul requires {what} {pair} {x.shape} and {y.shape}")
    if lhs.shape[1] != lhs_scales.shape[1] or rhs.shape[1] != rhs_scales.shape[1]:
        raise ValueError(
            "scaled_matmul requires scales to match non-contract dimensions of inputs, but got shapes a: "
            f"{lhs.shape}, b: {rhs.shape}, a_scales: {lhs_scales.shape}, b_scales: {rhs_scales.shape}"
        )
    if not lhs_scales.shape[2] or lhs.shape[2] % lhs_scales.shape[2]:
        raise ValueError(
            message(
                f"scaled_matmul needs whole blocks: {lhs.shape[2]} elements do not split into {lhs_scales.shape[2]}.",
                fix="pad the last axis to a multiple of the block",
            )
        )
    dtype = dtypes.check_user_dtype_supported(preferred_element_type, "scaled_matmul")
    return _scaled_matmul(*map(jnp.asarray, operands), dtype)


@inner_jit(static_argnames=("dtype",), name="_scaled_matmul")
def _scaled_matmul(lhs, rhs, lhs_scales, rhs_scales, dtype):
    a, b = _wide(lhs, lhs_scales), _wide(rhs, rhs_scales)
    out = lax.dot_general(
        a, b, (((2,), (2,)), ((0,), (0,))), precision="highest", preferred_element_type=np.float32
    )
    return out.astype(dtype)


def _wide(x, scales):
    """Return the numbers that blocks stand for, in float32."""
    batch, rows, blocks = scales.shape
    parts = x.astype(np.float32).reshape(batch, rows, blocks, x.shape[2] // blocks)
    return (parts * scales.astype(np.float32)[..., None]).reshape(x.shape)


# ---- numbers to blocks ---------------------------------------------------------------------------


def _quantized(x, config):
    """``[B, M, K]`` as blocks along the last axis, and their scales."""
    size = config.block_size
    assert x.shape[2] >= size and x.shape[2] % size == 0, (
        f"the contracted axes of {config.mode} have a length that {size} divides, not {x.shape[2]}"
    )
    blocks = x.reshape(*x.shape[:2], x.shape[2] // size, size)
    top = float(dtypes.finfo(config.data_type).max)
    if config.mode == "nvfp4":
        blocks = blocks / _factor(config, blocks)
        largest = jnp.max(jnp.abs(blocks), axis=-1, keepdims=True)
        scales = jnp.clip(largest / top, 0, float(dtypes.finfo(config.scale_type).max))
        narrow = scales.astype(config.scale_type)
        wide = narrow.astype(blocks.dtype)
    else:
        largest = jnp.max(jnp.abs(blocks), axis=-1, keepdims=True)
        exponents = _exponents_above((largest / top).astype(np.float32))
        narrow = lax.bitcast_convert_type(exponents.astype(np.uint8), config.scale_type)
        # The smallest scale, 2^-127, is a subnormal number of float32, whose bits are not an exponent.
        power = lax.bitcast_convert_type(exponents << np.uint32(23), np.float32)
        wide = jnp.where(power == 0, np.float32(2.0**-127), power).astype(blocks.dtype)
    values = jnp.clip(blocks / wide, -top, top).astype(config.data_type)
    return values.reshape(x.shape), narrow.reshape(narrow.shape[:3])


def _exponents_above(x):
    """Return the biased exponent of the smallest power of two that is not below a positive float32."""
    bits = lax.bitcast_convert_type(x, np.uint32)
    exponent, fraction = bits >> np.uint32(23), bits & np.uint32(0x7FFFFF)
    up = (fraction > 0) & (exponent != 254) & ~((exponent == 0) & (fraction <= 0x400000))
    return jnp.where(up, exponent + np.uint32(1), exponent)


def _product(lhs, rhs, config_lhs, config_rhs, dtype):
    (a, a_scales), (b, b_scales) = _quantized(lhs, config_lhs), _quantized(rhs, config_rhs)
    out = scaled_matmul(a, b, a_scales, b_scales, preferred_element_type=dtype)
    if config_lhs.mode == "nvfp4":
        out = out * (_factor(config_lhs, out) * _factor(config_rhs, out))
    return out


def _factor(config, x):
    """Return the factor of all scales, to multiply `x` by."""
    return lax.broadcast_to_rank(jnp.asarray(config.global_scale), x.ndim).astype(x.dtype)


def scaled_dot_general(
    lhs, rhs, dimension_numbers, preferred_element_type=np.float32, configs: list[BlockScaleConfig] | None = None,
    implementation: Literal["cudnn"] | None = None,
) -> Array:
    """Return `lax.dot_general` of operands that are rounded to a block format first.

    Args:
      lhs, rhs: float arrays; the product of the lengths of the contracted axes is a multiple of the block.
      dimension_numbers: as in `lax.dot_general`.
      preferred_element_type: of the result: float32, bfloat16 or float16.
      configs: of `lhs`, `rhs` and the gradient, made by `get_scaled_dot_general_config`; None does not round.
      implementation: has no effect.
    Returns:
      The product, batch axes first, then those of `lhs`, then those of `rhs`.
    Raises:
      TypeError: `preferred_element_type` is none of the three.
    Derivative: of mxfp8 the two products of the gradient round their operands too, along the axis they contract;
      of nvfp4 they do not.

    >>> x = jnp.ones((2, 32))
    >>> configs = [get_scaled_dot_general_config("mxfp8")] * 3
    >>> scaled_dot_general(x, x, (((1,), (1,)), ((), ())), configs=configs)
    Array([[32., 32.],
           [32., 32.]], dtype=float32)
    """
    dtype = np.dtype(preferred_element_type)
    if dtype not in (dtypes.float32, dtypes.bfloat16, dtypes.float16):
        raise TypeError(f"Only support preferred_element_type in (f32, bf16, f16), but got {dtype.name}")
    lhs, rhs = jnp.asarray(lhs), jnp.asarray(rhs)
    if configs is None:
        return lax.dot_general(lhs, rhs, dimension_numbers, preferred_element_type=dtype)
    (lhs_sum, rhs_sum), (lhs_batch, rhs_batch) = dimension_numbers
    a, lhs_free = _as_matrices(lhs, lhs_sum, lhs_batch)
    b, rhs_free = _as_matrices(rhs, rhs_sum, rhs_batch)
    batch = tuple(lhs.shape[d] for d in lhs_batch)
    return _dot(tuple(configs), dtype)(a, b).reshape(*batch, *lhs_free, *rhs_free)


def _as_matrices(x, summed, batch):
    """Return the operand as ``[B, M, K]``, and the lengths that M stands for."""
    free = [d for d in range(x.ndim) if d not in {*summed, *batch}]
    lengths = [[x.shape[d] for d in axes] for axes in (batch, free, summed)]
    return jnp.transpose(x, (*batch, *free, *summed)).reshape(*map(prod, lengths)), lengths[1]


def _dot(configs, dtype):
    """Return the product of matrices, with the derivative that trains well."""

    @custom_vjp
    def scaled_dot_general_fn(lhs, rhs):
        return _product(lhs, rhs, configs[0], configs[1], dtype)

    def scaled_dot_fwd(lhs, rhs):
        return scaled_dot_general_fn(lhs, rhs), (lhs, rhs)

    def scaled_dot_bwd(residuals, g):
        lhs, rhs = residuals
        if configs[2].mode == "nvfp4":
            dots = [(((2,), (1,)), ((0,), (0,))), (((1,), (1,)), ((0,), (0,)))]
            grads = [lax.dot_general(g, rhs, dots[0]), lax.dot_general(g, lhs, dots[1])]
        else:
            turned = [jnp.matrix_transpose(x) for x in (lhs, rhs, g)]
            grads = [
                _product(g, turned[1], configs[2], configs[1], dtype),
                _product(turned[2], turned[0], configs[2], configs[0], dtype),
            ]
        return grads[0].astype(lhs.dtype), grads[1].astype(rhs.dtype)

    scaled_dot_general_fn.defvjp(scaled_dot_fwd, scaled_dot_bwd)
    return scaled_dot_general_fn

public(globals())
