"""Attention as the kernels of `gpu/` and `tpu/` compute it: weights of keys for each query, of all heads.

Tests: `tests/experimental/test_pallas_operations.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.messages.errors import message
from ....core.process.records import NamedTuple
from ....core.types import Array
from ....numpy.contractions import einsum
from ....numpy.conversion import asarray
from ....numpy.elementary import exp, log, tanh
from ....numpy.ranges import arange
from ....numpy.reductions import max as greatest
from ....numpy.reductions import sum as total
from ....numpy.selection import where

__all__ = ["DEFAULT_MASK_VALUE", "Attention", "attend", "attend_to_pages", "grouped"]

DEFAULT_MASK_VALUE = -0.7 * float(np.finfo(np.dtype("float32")).max)


class Attention(NamedTuple):
    """The means of values that queries make, and for each query the sum of exponentials and the greatest logit.

    Args:
      means: batch, heads, queries, elements.
      sums: the sum of `exp(logit - peak)` of each query.
      peaks: the greatest logit of each query.
    """

    means: Array
    sums: Array
    peaks: Array

    @property
    def logsumexp(self) -> Array:
        """Return the logarithm of the sum of the exponentials of all logits."""
        return self.peaks + log(self.sums)


def attend(
    q: Any, k: Any, v: Any, seen: Any = None, *, scale: float = 1.0, added: Any = None, cap: float | None = None,
    mask_value: float = DEFAULT_MASK_VALUE,
) -> Attention:
    """Return the attention of queries `...td` to keys `...sd` with values `...sd`, computed in float32.

    Args:
      q, k, v: queries, keys and values with the same leading axes, or axes of length 1.
      seen: booleans `...ts`: which keys a query sees; all by default.
      scale: of the products.
      added: what is added to the products before they are scaled.
      cap: products `x` become `cap * tanh(x / cap)`.
      mask_value: what stands for the products of what a query does not see.
    """
    logits = einsum("...td,...sd->...ts", q, k, preferred_element_type=np.dtype("float32"))
    if added is not None:
        logits = logits + added.astype(logits.dtype)
    if scale != 1.0:
        logits = logits * np.float32(scale)
    if cap is not None:
        logits = tanh(logits / np.float32(cap)) * np.float32(cap)
    if seen is not None:
        logits = where(seen, logits, np.float32(mask_value))
    peaks = greatest(logits, axis=-1, keepdims=True)
    weights = exp(logits - peaks)
    sums = total(weights, axis=-1, keepdims=True)
    means = einsum("...ts,...sd->...td", weights, v.astype(logits.dtype)) / sums
    return Attention(means, sums[..., 0], peaks[..., 0])


def grouped(q: Any, k: Any, v: Any, lengths: Any, mask_value: float, cap: float | None) -> Array:
    """Return the attention of one query `bhd` of each head to the first keys `bgsd`, which groups of heads share.

    Args:
      q, k, v: queries, keys and values.
      lengths: for each sequence, how many keys it has; by default all.
      mask_value, cap: as those of `attend`.
    Raises:
      ValueError: the heads of the keys do not divide those of the queries.
    """
    q = asarray(q)
    batch, heads, size = q.shape
    if heads % k.shape[1]:
        raise ValueError(message(
            f"{heads} heads of queries cannot share {k.shape[1]} heads of keys.",
            fix="a number of heads of keys that divides the number of heads of queries",
        ))
    seen = None
    if lengths is not None:
        seen = (arange(k.shape[2]) < asarray(lengths)[:, None])[:, None, None]
    found = attend(q.reshape(batch, k.shape[1], -1, size), k, v, seen, cap=cap, mask_value=mask_value)
    return found.means.reshape(q.shape).astype(q.dtype)


def attend_to_pages(
    q: Any, k_pages: Any, v_pages: Any, tables: Any, lengths: Any, scales: tuple, mask_value: float, cap: float | None
) -> Array:
    """Return the attention of one query `bhd` of each head to keys in pages of heads, pages, places and elements.

    Args:
      q, k_pages, v_pages: queries, keys and values.
      tables: of batch and pages: the numbers of the pages of each sequence.
      lengths, mask_value, cap: as those of `grouped`.
      scales: factors of keys and of values, of heads, pages and places, or None.
    Raises:
      ValueError: the shapes do not fit.
    """
    k_pages, v_pages, tables = asarray(k_pages), asarray(v_pages), asarray(tables)
    if k_pages.shape != v_pages.shape or k_pages.ndim != 4 or np.ndim(q) != 3 or tables.ndim != 2:
        raise ValueError(message(
            f"Attention of queries of shape {np.shape(q)} to pages of keys of shape {k_pages.shape} and values "
            f"of shape {v_pages.shape}, by tables of shape {tables.shape}.",
            fix="queries of batch, heads, elements; pages of heads, pages, places, elements; tables of batch, pages",
        ))
    taken = []
    for pages, factors in zip((k_pages, v_pages), scales):
        rows = pages[:, tables].swapaxes(0, 1)
        if factors is not None:
            rows = rows.astype(np.dtype("float32")) * asarray(factors)[:, tables].swapaxes(0, 1)[..., None]
        taken.append(rows.reshape(*rows.shape[:2], -1, rows.shape[-1]))
    return grouped(q, *taken, lengths, mask_value, cap)
