"""Attention of sequences of unequal lengths, as a kernel of TPUs has it; here a softmax of products, for any device.

Tests: `tests/experimental/test_pallas_operations.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ......core.messages.boundaries import public
from ......core.messages.errors import message
from ......core.types import Array
from ......numpy.conversion import asarray
from ......numpy.ranges import arange
from ......numpy.repetition import repeat
from ......numpy.searching import searchsorted
from ......numpy.selection import where
from ...weights import DEFAULT_MASK_VALUE, attend

__all__ = ["DEFAULT_MASK_VALUE", "ragged_paged_attention", "ref_ragged_paged_attention"]


def ragged_paged_attention(
    q: Any, kv_pages: Any, kv_lens: Any, page_indices: Any, cu_q_lens: Any, num_seqs: Any, *, sm_scale: float = 1.0,
    sliding_window: int | None = None, soft_cap: float | None = None, mask_value: float | None = DEFAULT_MASK_VALUE,
    k_scale: float | None = None, v_scale: float | None = None, num_kv_pages_per_block: int | None = None,
    num_queries_per_block: int | None = None, vmem_limit_bytes: int | None = None,
) -> Array:
    """Return the attention of the last queries of sequences to the keys before them, which are in pages.

    Args:
      q: places, heads, elements: the queries of one sequence after the other.
      kv_pages: pages, places in a page, heads, elements; a head of keys before each head of values.
      kv_lens: for each sequence, how many keys it has; the last of them are those of its queries.
      page_indices: of sequences and pages: the number of the page.
      cu_q_lens: where the queries of each sequence begin, and where those of the last end.
      num_seqs: ``[1]``, how many sequences there are; what stands behind is not read, and gives zeros.
      sm_scale: a factor of the products.
      sliding_window: how many keys a query sees, its own among them.
      soft_cap: products `x` become `cap * tanh(x / cap)`.
      mask_value: what stands for the products of what a query does not see.
      k_scale, v_scale: factors of keys and values.
      num_kv_pages_per_block, num_queries_per_block, vmem_limit_bytes: for TPUs; they change nothing here.
    Returns:
      An array as `q` is.
    Raises:
      ValueError: the shapes do not fit.

    >>> from adjoint.experimental.pallas.ops.tpu.ragged_paged_attention import ragged_paged_attention
    >>> kv = jnp.arange(8.).reshape(2, 2, 2, 1)  # two pages of two places
    >>> of = [jnp.array(x) for x in ([3], [[1, 0]], [0, 2], [1])]
    >>> ragged_paged_attention(jnp.zeros((2, 1, 1)), kv, *of).ravel()
    Array([6.       , 4.3333335], dtype=float32)
    """
    q, pages, tables, starts = map(asarray, (q, kv_pages, page_indices, cu_q_lens))
    if q.ndim != 3 or pages.ndim != 4 or pages.shape[2] % 2 or q.shape[1] % (pages.shape[2] // 2):
        raise ValueError(message(
            f"Attention of queries of shape {q.shape} to pages of shape {pages.shape}.",
            fix="queries of places, heads and elements; pages of places, two times heads that divide theirs, elements",
        ))
    count = asarray(num_seqs).reshape(())
    places = arange(q.shape[0])
    of = searchsorted(where(arange(starts.shape[0]) <= count, starts, q.shape[0] + 1), places, side="right") - 1
    within = (places < starts[count]) & (of >= 0)
    of = where(within, of, 0)
    rows = pages[tables[of]].reshape(q.shape[0], -1, *pages.shape[2:])  # of each query, all keys of its sequence
    shared = 2 * q.shape[1] // pages.shape[2]
    k, v = [repeat(rows[:, :, i::2].swapaxes(1, 2), shared, axis=1) for i in range(2)]
    if k_scale is not None:
        k = k.astype(np.dtype("float32")) * k_scale
    if v_scale is not None:
        v = v.astype(np.dtype("float32")) * v_scale
    lengths = asarray(kv_lens)[of]
    own = (lengths - (starts[of + 1] - places))[:, None]
    keys = arange(k.shape[2])
    seen = (keys <= own) & (keys < lengths[:, None])
    if sliding_window is not None:
        seen = seen & (keys > own - sliding_window)
    found = attend(
        q[:, :, None], k, v, seen[:, None, None], scale=sm_scale, cap=soft_cap,
        mask_value=DEFAULT_MASK_VALUE if mask_value is None else mask_value,
    )
    return where(within[:, None, None], found.means[:, :, 0].astype(q.dtype), np.zeros((), q.dtype))


def ref_ragged_paged_attention(
    queries: Any, kv_pages: Any, kv_lens: Any, page_indices: Any, cu_q_lens: Any, num_seqs: Any, *,
    sm_scale: float = 1.0, sliding_window: int | None = None, soft_cap: float | None = None,
    mask_value: float | None = DEFAULT_MASK_VALUE, k_scale: float | None = None, v_scale: float | None = None,
) -> Array:
    """Return the attention of the last queries of sequences to the keys before them, which are in pages.

    Args:
      queries, kv_pages, kv_lens, page_indices, cu_q_lens, num_seqs, sm_scale, sliding_window, soft_cap, mask_value,
        k_scale, v_scale: as those of `ragged_paged_attention`; `num_seqs` is concrete.
    Returns:
      An array of the queries of all sequences.
    """
    end = int(asarray(cu_q_lens)[int(asarray(num_seqs).reshape(()))])
    return ragged_paged_attention(
        queries, kv_pages, kv_lens, page_indices, cu_q_lens, num_seqs, sm_scale=sm_scale,
        sliding_window=sliding_window, soft_cap=soft_cap, mask_value=mask_value, k_scale=k_scale, v_scale=v_scale,
    )[:end]


public(globals())
