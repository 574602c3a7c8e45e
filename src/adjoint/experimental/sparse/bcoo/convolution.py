"""`bcoo_conv_general_dilated`: convolutions of one sparse signal with one sparse kernel.

Tests: `tests/experimental/sparse/test_bcoo_products.py`.
"""

from __future__ import annotations

from .... import lax
from .... import numpy as jnp
from ....core.types import ShapedArray
from ....transforms.jit.staging import eval_shape
from .array import BCOO
from .dense import bcoo_fromdense
from .layouts import bcoo_update_layout

__all__ = ["bcoo_conv_general_dilated"]


def bcoo_conv_general_dilated(
    lhs, rhs, *, window_strides, padding, lhs_dilation=None, rhs_dilation=None, dimension_numbers=None,
    feature_group_count=1, batch_group_count=1, precision=None, preferred_element_type=None, out_sharding=None,
) -> BCOO:
    """Return the convolution of a sparse array of shape `[1, 1, n]` with one of shape `[1, 1, k]`.

    Args:
      lhs, rhs: the array, and the kernel.
      window_strides, lhs_dilation, rhs_dilation: must be 1.
      padding: "VALID", "SAME", or a pair (before, after).
      dimension_numbers: see `lax.conv_dimension_numbers`.
      feature_group_count, batch_group_count: must be 1.
      precision: see `lax.Precision`.
      preferred_element_type: the dtype of the result.
      out_sharding: is not read.
    Raises:
      NotImplementedError: there are several signals or features, strides or dilations, or more than one axis.

    >>> from adjoint.experimental import sparse
    >>> x, k = sparse.BCOO.fromdense(jnp.array([[[1., 0., 2.]]])), sparse.BCOO.fromdense(jnp.ones((1, 1, 2)))
    >>> sparse.bcoo_conv_general_dilated(x, k, window_strides=(1,), padding="VALID").todense()
    Array([[[1., 2.]]], dtype=float32)
    """
    lhs, rhs = [x if isinstance(x, BCOO) else bcoo_fromdense(x) for x in (lhs, rhs)]
    options = dict(
        window_strides=window_strides, padding=padding, lhs_dilation=lhs_dilation, rhs_dilation=rhs_dilation,
        dimension_numbers=dimension_numbers, feature_group_count=feature_group_count,
        batch_group_count=batch_group_count, precision=precision, preferred_element_type=preferred_element_type,
    )
    avals = [ShapedArray(x.shape, x.dtype) for x in (lhs, rhs)]
    out = eval_shape(lambda x, y: lax.conv_general_dilated(x, y, **options), *avals)
    refuse = lambda what: NotImplementedError(f"bcoo convolution with {what}.\n  Try: `todense` of both operands.")
    if lhs.shape[:2] != (1, 1) or rhs.shape[:2] != (1, 1):
        raise refuse("leading dimensions other than (1, 1)")
    if lhs.ndim != 3:
        raise refuse("more or fewer than one spatial dimension")
    if any([s != 1 for s in window_strides]):
        raise refuse("non-unit window_strides")
    if any([s != 1 for s in lhs_dilation or ()]) or any([s != 1 for s in rhs_dilation or ()]):
        raise refuse("lhs_dilation or rhs_dilation")
    if feature_group_count != 1 or batch_group_count != 1:
        raise refuse("groups of features or of signals")
    if isinstance(padding, str):
        padding = lax.padtype_to_pads(lhs.shape[2:], rhs.shape[2:], (1,), padding)
    ((low, _),) = padding
    lhs, rhs = [bcoo_update_layout(x, n_batch=2, n_dense=0) for x in (lhs, rhs)]
    dtype = lhs.indices.dtype
    at = lhs.indices[..., :, None, 0] - rhs.indices[..., None, :, 0].astype(dtype) + jnp.full((), low, dtype)
    inside = at >= jnp.zeros((), dtype)
    for x, columns in ((lhs, lhs.indices[..., :, None, 0]), (rhs, rhs.indices[..., None, :, 0])):
        inside = inside & (columns < jnp.full((), x.shape[2], columns.dtype))
    pairs = at.shape
    data = [jnp.broadcast_to(x, pairs).astype(out.dtype) for x in (lhs.data[..., :, None], rhs.data[..., None, :])]
    data = jnp.where(inside, lax.mul(*data), jnp.zeros((), out.dtype))
    at = jnp.where(inside, at, jnp.zeros((), dtype))
    flat = (*pairs[:-2], pairs[-2] * pairs[-1])
    return BCOO((data.reshape(flat), at.reshape((*flat, 1))), shape=out.shape)
