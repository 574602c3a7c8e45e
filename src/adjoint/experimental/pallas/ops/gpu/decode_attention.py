"""Attention of one query for each sequence, as a kernel of GPUs has it; here a softmax of products, for any device.

Tests: `tests/experimental/test_pallas_operations.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....core.messages.boundaries import public
from .....core.messages.errors import message
from .....core.types import Array
from .....numpy.conversion import asarray
from .....numpy.ranges import arange
from ..weights import attend

__all__ = ["gqa", "gqa_reference", "mha_reference", "mqa", "mqa_reference"]


def mqa(
    q: Any, k: Any, v: Any, start_idx: Any = None, kv_seq_len: Any = None, sm_scale: float | None = None,
    block_h: int = 16, block_k: int = 256, k_splits: int = 16, num_warps: int | None = None, num_stages: int = 2,
    grid: tuple[int, ...] | None = None, interpret: bool = False, debug: bool = False,
    return_residuals: bool = False, normalize_output: bool = True,
) -> Any:
    """Return the attention of one query of each head, whose keys and values all heads share.

    Args:
      q: batch, heads, elements.
      k, v: batch, keys, elements.
      start_idx, kv_seq_len: for each sequence, or for all, the first key that is seen, and the one after the last.
      sm_scale: a factor of the products; by default the inverse root of the number of elements.
      return_residuals: whether to return also the sum of exponentials and the greatest product, of batch and heads.
      normalize_output: whether weights sum to 1; without it they are exponentials.
      block_h, block_k, k_splits, num_warps, num_stages, grid, interpret, debug: for GPUs; they change nothing here.
    Returns:
      An array of float32, of the shape of `q`, or that and the pair.
    Raises:
      ValueError: the shapes do not fit.

    >>> from adjoint.experimental.pallas.ops.gpu.decode_attention import mqa
    >>> mqa(jnp.zeros((1, 1, 2)), jnp.ones((1, 3, 2)), jnp.arange(6.).reshape(1, 3, 2), kv_seq_len=2)
    Array([[[1., 2.]]], dtype=float32)
    """
    _check(q, k, v, 3)
    return _attended(q, asarray(k)[:, :, None], asarray(v)[:, :, None], start_idx, kv_seq_len, sm_scale,
                     return_residuals, normalize_output)


def gqa(
    q: Any, k: Any, v: Any, start_idx: Any = None, kv_seq_len: Any = None, sm_scale: float | None = None,
    block_h: int = 16, block_k: int = 128, k_splits: int = 16, num_warps: int | None = None, num_stages: int = 2,
    grid: tuple[int, ...] | None = None, interpret: bool = False, debug: bool = False,
    return_residuals: bool = False, normalize_output: bool = True,
) -> Any:
    """Return the attention of one query of each head, whose keys and values groups of heads share.

    Args:
      k, v: batch, keys, heads, elements; as many heads as divide those of `q`.
      q, start_idx, kv_seq_len, sm_scale, return_residuals, normalize_output: as those of `mqa`.
      block_h, block_k, k_splits, num_warps, num_stages, grid, interpret, debug: for GPUs; they change nothing here.
    Returns:
      An array of float32, of the shape of `q`, or that and the sum of exponentials and the greatest product.
    Raises:
      ValueError: the shapes do not fit.
    """
    _check(q, k, v, 4)
    return _attended(q, k, v, start_idx, kv_seq_len, sm_scale, return_residuals, normalize_output)


def mqa_reference(
    q: Any, k: Any, v: Any, start_idx: Any = None, kv_seq_len: Any = None, sm_scale: float | None = None,
    return_residuals: bool = False, normalize_output: bool = True,
) -> Any:
    """Return the attention of one query of each head, whose keys and values all heads share.

    Args:
      q, k, v, start_idx, kv_seq_len, sm_scale, return_residuals, normalize_output: as those of `mqa`.
    """
    return mqa(q, k, v, start_idx, kv_seq_len, sm_scale, return_residuals=return_residuals,
               normalize_output=normalize_output)


def gqa_reference(
    q: Any, k: Any, v: Any, start_idx: Any = None, kv_seq_len: Any = None, sm_scale: float | None = None,
    return_residuals: bool = False, normalize_output: bool = True,
) -> Any:
    """Return the attention of one query of each head, whose keys and values groups of heads share.

    Args:
      q, k, v, start_idx, kv_seq_len, sm_scale, return_residuals, normalize_output: as those of `gqa`.
    """
    return gqa(q, k, v, start_idx, kv_seq_len, sm_scale, return_residuals=return_residuals,
               normalize_output=normalize_output)


def mha_reference(
    q: Any, k: Any, v: Any, start_idx: Any = None, kv_seq_len: Any = None, sm_scale: float | None = None
) -> Array:
    """Return the attention of one query of each head, which has keys and values of its own.

    Args:
      q, k, v, start_idx, kv_seq_len, sm_scale: as those of `gqa`, with as many heads of keys as of queries.
    """
    return gqa(q, k, v, start_idx, kv_seq_len, sm_scale)


def _check(q: Any, k: Any, v: Any, axes: int) -> None:
    q, k, v = np.shape(q), np.shape(k), np.shape(v)
    fits = len(q) == 3 and len(k) == axes and k == v and q[0] == k[0] and q[2] == k[-1]
    if not fits or axes == 4 and q[1] % k[2]:
        raise ValueError(message(
            f"Attention of queries of shape {q} to keys of shape {k} with values of shape {v}.",
            fix="queries of batch, heads and elements; keys of batch, places" + " and elements" * (axes == 3) +
            ", heads that divide those of the queries, and elements" * (axes == 4),
        ))


def _attended(
    q: Any, k: Any, v: Any, start: Any, stop: Any, scale: float | None, saves: bool, is_normalized: bool
) -> Any:
    """Return the attention of queries `bhd` to keys `bsgd`, where heads `h` are groups `g` of equal size."""
    q, k, v = asarray(q), asarray(k).swapaxes(1, 2), asarray(v).swapaxes(1, 2)
    batch, heads, size = q.shape
    seen, places = None, arange(k.shape[2])
    for bound, compare in ((start, np.greater_equal), (stop, np.less)):
        if bound is not None:
            inside = compare(places, asarray(bound).reshape(-1, 1))
            seen = inside if seen is None else seen & inside
    found = attend(
        q.reshape(batch, k.shape[1], -1, size), k, v, None if seen is None else seen[:, None, None],
        scale=size ** -0.5 if scale is None else scale,
    )
    sums, peaks = (x.reshape(batch, heads) for x in (found.sums, found.peaks))
    out = found.means.reshape(q.shape)
    if not is_normalized:
        out = out * sums[..., None]
    return (out, (sums, peaks)) if saves else out


public(globals())
