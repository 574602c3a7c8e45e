"""Masks of attention as objects: which keys each query sees, read a window at a time.

Tests: `tests/experimental/test_pallas_attention.py`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from ......core.messages.boundaries import public
from ......core.messages.errors import message

__all__ = [
    "CausalMask", "ChunkedCausalMask", "FullMask", "LocalMask", "LogicalAnd", "LogicalOr", "Mask", "MultiHeadMask",
    "NumpyMask", "make_causal_mask", "make_chunk_attention_mask", "make_local_attention_mask", "make_random_mask",
]

Shape = tuple[int, int]
Window = tuple[int | None, int | None]


class Mask:
    """A mask of queries by keys, which `&` and `|` combine.

    Args of an index:
      two slices: the rows (queries) and the columns (keys) that are read, as a NumPy array of booleans.

    >>> from adjoint.experimental.pallas.ops.tpu.splash_attention import splash_attention_mask as masks
    >>> (masks.CausalMask((2, 2)) | masks.NumpyMask(np.eye(2) > 0))[:, :]
    array([[ True, False],
           [ True,  True]])
    """

    @property
    def shape(self) -> tuple[int, ...]:
        """Return how many queries and keys there are."""
        raise NotImplementedError(message(
            f"{type(self).__name__} does not say how many queries and keys it has.",
            fix="a property `shape` of the class, which returns (queries, keys); or masks.NumpyMask(array)",
        ))

    def __getitem__(self, idx: Any) -> np.ndarray:
        """Return a window of the mask, of booleans."""
        raise NotImplementedError(message(
            f"{type(self).__name__} has no windows.",
            fix="a method `__getitem__(self, idx)` of the class, which returns booleans for two slices; or "
            "masks.NumpyMask(array)",
        ))

    def __bool__(self) -> NoReturn:
        raise NotImplementedError(message(
            "Conversion to bool is unsupported. Could be caused by using logical instead of bitwise operations on "
            "masks.", fix="mask & other, mask | other",
        ))

    def __or__(self, other: Mask) -> Mask:
        return LogicalOr(self, _of_shape(other, self.shape))

    def __and__(self, other: Mask) -> Mask:
        return LogicalAnd(self, _of_shape(other, self.shape))


def _of_shape(other: Mask, shape: tuple[int, ...]) -> Mask:
    if other.shape != shape:
        raise ValueError(message(
            f"Invalid shape for other: {other.shape}, expected: {shape}", fix="masks of as many queries and keys"
        ))
    return other


@dataclass(eq=True, unsafe_hash=True, repr=False)
class _Combined(Mask):
    left: Mask
    right: Mask

    @property
    def shape(self) -> tuple[int, ...]:
        """Return how many queries and keys there are."""
        return self.left.shape


class LogicalOr(_Combined):
    """A mask of what either of two masks has."""

    def __getitem__(self, idx: Any) -> np.ndarray:
        return self.left[idx] | self.right[idx]


class LogicalAnd(_Combined):
    """A mask of what both of two masks have."""

    def __getitem__(self, idx: Any) -> np.ndarray:
        return self.left[idx] & self.right[idx]


def _positions(idx: Any, shape: Shape) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of the queries, as a column, and of the keys that two slices mean."""
    if not (isinstance(idx, tuple) and len(idx) == 2 and all([isinstance(e, slice) for e in idx])):
        raise NotImplementedError(message(f"Unsupported slice: {idx}", fix="mask[first:last, first_key:last_key]"))
    rows, columns = [np.arange(n)[e] for n, e in zip(shape, idx)]
    return rows[:, None], columns[None, :]


def _sees_back(q: Any, k: Any, offset: int) -> Any:
    return q + offset >= k


def _is_near(q: Any, k: Any, window: Window, offset: int) -> Any:
    left, right = window
    seen = np.full(np.broadcast_shapes(q.shape, k.shape), True)
    if left is not None:
        seen &= k >= q + offset - left
    if right is not None:
        seen &= k <= q + offset + right
    return seen


def _is_in_chunk(q: Any, k: Any, chunk_size: int) -> Any:
    return (q // chunk_size == k // chunk_size) & (q >= k)


def _checked_chunk(chunk_size: int) -> int:
    if chunk_size <= 0:
        raise ValueError("chunk_size must be positive")
    return chunk_size


@dataclass(eq=True, unsafe_hash=True, repr=False)
class _Computed(Mask):
    """A mask that numbers of queries and keys decide."""

    size: Shape

    def __post_init__(self) -> None:
        self.size = tuple(self.size)  # type: ignore[assignment]

    @abstractmethod
    def seen(self, q: Any, k: Any) -> Any:
        """Return whether a query sees a key, by their numbers."""

    @property
    def shape(self) -> Shape:
        """Return how many queries and keys there are."""
        return self.size

    @property
    def q_sequence(self) -> np.ndarray:
        """Return the numbers of the queries."""
        return np.arange(self.size[0], dtype=np.int32)

    def __getitem__(self, idx: Any) -> np.ndarray:
        return self.seen(*_positions(idx, self.size))


def _check_shards(shape: Shape, shard_count: int) -> None:
    if shape[0] % shard_count**2:
        raise ValueError(
            f"Shard count squared ({shard_count**2}) must divide Q seq_len ({shape[0]}) evenly.\n"
            "  Try: shard_count=1"
        )


class CausalMask(_Computed):
    """A mask by which queries see the keys up to their own number.

    Args:
      shape: how many queries and keys.
      offset: how many keys more they see.
      shard_count: over how many devices the queries are divided.

    >>> from adjoint.experimental.pallas.ops.tpu.splash_attention import splash_attention_mask as masks
    >>> masks.CausalMask((2, 2))[:, :]
    array([[ True, False],
           [ True,  True]])
    """

    def __init__(self, shape: Shape, offset: int = 0, shard_count: int = 1):
        super().__init__(shape)
        _check_shards(shape, shard_count)
        self.offset = offset

    def seen(self, q: Any, k: Any) -> Any:
        """Return whether a query sees a key, by their numbers."""
        return _sees_back(q, k, self.offset)

    def __eq__(self, other: object) -> bool:
        return type(other) is CausalMask and (self.size, self.offset) == (other.size, other.offset)

    def __hash__(self) -> int:
        return hash((CausalMask, self.size, self.offset))


class ChunkedCausalMask(_Computed):
    """A mask by which queries see the keys of their own chunk, up to their own number.

    Args:
      shape: how many queries and keys.
      chunk_size: how many are in a chunk.
      shard_count: over how many devices the queries are divided.
    Raises:
      ValueError: `chunk_size` is not positive.
    """

    def __init__(self, shape: Shape, chunk_size: int, shard_count: int = 1):
        super().__init__(shape)
        _check_shards(shape, shard_count)
        self.chunk_size = _checked_chunk(chunk_size)

    def seen(self, q: Any, k: Any) -> Any:
        """Return whether a query sees a key, by their numbers."""
        return _is_in_chunk(q, k, self.chunk_size)

    def __eq__(self, other: object) -> bool:
        return type(other) is ChunkedCausalMask and (self.size, self.chunk_size) == (other.size, other.chunk_size)

    def __hash__(self) -> int:
        return hash((ChunkedCausalMask, self.size, self.chunk_size))


class LocalMask(_Computed):
    """A mask by which queries see the keys around their own number.

    Args:
      shape: how many queries and keys.
      window_size: how many keys before and after; None for all.
      offset: how far the keys are moved.
      shard_count: over how many devices the queries are divided.
    """

    def __init__(self, shape: Shape, window_size: Window, offset: int, shard_count: int = 1):
        super().__init__(shape)
        _check_shards(shape, shard_count)
        self.window_size, self.offset = window_size, offset

    def seen(self, q: Any, k: Any) -> Any:
        """Return whether a query sees a key, by their numbers."""
        return _is_near(q, k, self.window_size, self.offset)

    def __eq__(self, other: object) -> bool:
        return type(other) is LocalMask and (
            (self.size, self.window_size, self.offset) == (other.size, other.window_size, other.offset)
        )

    def __hash__(self) -> int:
        return hash((LocalMask, self.size, self.window_size, self.offset))


@dataclass(eq=True, unsafe_hash=True)
class FullMask(Mask):
    """A mask by which queries see all keys.

    Args:
      shape: how many queries and keys.
    Raises:
      ValueError: the shape is no tuple.
    """

    _shape: Shape

    def __post_init__(self) -> None:
        if not isinstance(self._shape, tuple):
            raise ValueError(f"Unsupported shape type: {type(self._shape)}\n  Try: FullMask((queries, keys))")

    @property
    def shape(self) -> Shape:
        """Return how many queries and keys there are."""
        return self._shape

    def __getitem__(self, idx: Any) -> np.ndarray:
        rows, columns = _positions(idx, self._shape)
        return np.full((rows.shape[0], columns.shape[1]), True)


@dataclass
class NumpyMask(Mask):
    """A mask that an array of NumPy holds.

    Args:
      array: booleans, of two axes.
    Raises:
      ValueError: it has not two axes, or no booleans.
    """

    array: np.ndarray

    def __post_init__(self) -> None:
        if self.array.ndim != 2:
            raise ValueError("Expected a 2-dim array\n  Try: a mask for each head, in a MultiHeadMask")
        if self.array.dtype != np.bool_:
            raise ValueError("Mask must be a boolean array\n  Try: array.astype(bool)")

    @property
    def shape(self) -> tuple[int, ...]:
        """Return how many queries and keys there are."""
        return self.array.shape

    def __getitem__(self, idx: Any) -> np.ndarray:
        return self.array[idx]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NumpyMask) and np.array_equal(self.array, other.array)

    def __hash__(self) -> int:
        return hash((NumpyMask, self.array.shape, self.array.tobytes()))


@dataclass
class MultiHeadMask(Mask):
    """A mask for each head.

    Args:
      masks: as many as there are heads, of one shape.
    Raises:
      ValueError: there are none, or their shapes differ, or they are masks of heads themselves.

    >>> from adjoint.experimental.pallas.ops.tpu.splash_attention import splash_attention_mask as masks
    >>> masks.MultiHeadMask([masks.CausalMask((4, 4)), masks.FullMask((4, 4))]).shape
    (2, 4, 4)
    """

    masks: Sequence[Mask]

    def __post_init__(self) -> None:
        if not self.masks:
            raise ValueError("Unsupported empty tuple of masks")
        for mask in self.masks:
            if isinstance(mask, MultiHeadMask):
                raise ValueError("Nesting MultiHeadMasks is not supported\n  Try: the masks inside of it")
            if mask.shape != self.masks[0].shape:
                raise ValueError(f"Unexpected mask shape, got: {mask.shape}, expected: {self.masks[0].shape}")

    @property
    def shape(self) -> tuple[int, ...]:
        """Return how many heads, queries and keys there are."""
        return (len(self.masks), *self.masks[0].shape)

    def __getitem__(self, idx: Any) -> np.ndarray:
        if not (isinstance(idx, tuple) and len(idx) == 3):
            raise NotImplementedError(message(f"Unsupported slice: {idx}", fix="mask[head, first:last, :]"))
        head, *window = idx
        if isinstance(head, slice):
            return np.stack([mask[tuple(window)] for mask in self.masks[head]])
        return self.masks[head][tuple(window)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MultiHeadMask) and tuple(self.masks) == tuple(other.masks)

    def __hash__(self) -> int:
        return hash((MultiHeadMask, *self.masks))


def make_causal_mask(shape: Shape, offset: int = 0) -> np.ndarray:
    """Return a mask by which queries see the keys up to their own number.

    Args:
      shape: how many queries and keys.
      offset: how many keys more they see.
    Returns:
      A NumPy array of booleans.

    >>> from adjoint.experimental.pallas.ops.tpu.splash_attention import splash_attention_mask as masks
    >>> masks.make_causal_mask((2, 2))
    array([[ True, False],
           [ True,  True]])
    """
    return CausalMask(shape, offset)[:, :]


def make_local_attention_mask(shape: Shape, window_size: Window, *, offset: int = 0) -> np.ndarray:
    """Return a mask by which queries see the keys around their own number.

    Args:
      shape: how many queries and keys.
      window_size: how many keys before and after; None for all.
      offset: how far the keys are moved.
    Returns:
      A NumPy array of booleans.

    >>> from adjoint.experimental.pallas.ops.tpu.splash_attention import splash_attention_mask as masks
    >>> masks.make_local_attention_mask((2, 3), (0, 1))
    array([[ True,  True, False],
           [False,  True,  True]])
    """
    return LocalMask(shape, window_size, offset)[:, :]


def make_chunk_attention_mask(shape: Shape, chunk_size: int) -> np.ndarray:
    """Return a mask by which queries see the keys of their own chunk, up to their own number.

    Args:
      shape: how many queries and keys.
      chunk_size: how many are in a chunk.
    Returns:
      A NumPy array of booleans.
    Raises:
      ValueError: `chunk_size` is not positive.

    >>> from adjoint.experimental.pallas.ops.tpu.splash_attention import splash_attention_mask as masks
    >>> masks.make_chunk_attention_mask((2, 2), 1)
    array([[ True, False],
           [False,  True]])
    """
    return ChunkedCausalMask(shape, chunk_size)[:, :]


def make_random_mask(shape: Shape, sparsity: float, seed: int) -> np.ndarray:
    """Return a mask of random booleans.

    Args:
      shape: how many queries and keys.
      sparsity: the share of keys that a query does not see.
      seed: of the random numbers.
    Returns:
      A NumPy array of booleans.

    >>> from adjoint.experimental.pallas.ops.tpu.splash_attention import splash_attention_mask as masks
    >>> masks.make_random_mask((2, 2), 0.5, 3).dtype
    dtype('bool')
    """
    return np.random.RandomState(seed).binomial(n=1, p=1.0 - sparsity, size=shape).astype(np.bool_)


public(globals())
