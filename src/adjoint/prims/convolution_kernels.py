"""Convolutions of NumPy buffers: as few passes and as large matrix products as possible.

* A dilated input is mostly zeros. Outputs that meet the same elements of the kernel form a *phase*, and
  each phase is a convolution without dilation; no zero is multiplied.
* The windows are a strided view (patches) of the padded input. Rows are its batch and positions, columns
  what is summed; the view is copied to a matrix, in the order of the input's memory, a piece at a time that
  fits the cache, and multiplied with the kernel by BLAS. (Chellapilla, Puri and Simard 2006, "High
  performance convolutional neural networks for document processing".)
* With one feature a group there is no matrix product left: multiply and add tap by tap. Two sequences have
  a function of NumPy, and long ones of narrow floats Fourier transforms in wider ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import gcd, prod

import numpy as np

from ..core import dtypes
from ..core.process.memo import memoized
from .dot import MAX_TERMS_OF_BLAS, is_chain, matmul, product_in_blocks
from .sliding import Sliding, padded
from .summation import TERMS_PER_BLOCK, Total, total

__all__ = ["by_transforms", "convolve", "is_long", "multiplies_padding"]

_MAX_TERMS_OF_ONE_SUM = 1024  # that one function of NumPy adds up
_WIDER = {np.dtype("f4"): np.dtype("f8"), np.dtype("c8"): np.dtype("c16")}
_SHARES = (1, 2, 3, 4, 6, 8)  # times the shorter sequence that a block may have results
_BYTES_PER_GROUP_OF_BLOCKS = 1 << 18  # bytes of blocks that are transformed together
_ELEMENTS_PER_LEVEL = 1 << 12  # of a block that cost as much as one more level, as they leave the cache
_MIN_ELEMENTS_PER_BLOCK = 4096  # elements of a block, of sequences that are longer
_NEAR = 4, 1  # numbers of which the least one stands for all, in a closer look and in the next one
_MAX_PRODUCTS_WITHOUT_A_LOOK = 64  # multiplications for each result that are cheaper than a closer look
_MIN_ELEMENTS_OF_PART = 768  # worth further transforms, as of a gap between parts that is worth its results
_LONG_RUNS, _FEW_RUNS = 4, 4  # a smaller share of results in fewer parts is not worth a closer look
_MAX_PARTS_COMPUTED_AGAIN = 64  # parts that are computed again; where there are more, all is
_BYTES_PER_PIECE = 1 << 21  # bytes of patches that are copied at a time
_MIN_ELEMENTS_TO_TRANSFORM = 64  # shorter sequences are not worth a transform
_PRODUCTS_PER_ELEMENT_AND_LEVEL = 12  # that take as long as one element in one level of the three transforms
_MAX_PHASES = 64  # more than these, and zeros are cheaper


def convolve(out, x, w, windows: Sliding, feature_groups: int, batch_groups: int) -> None:
    """Write the convolution of canonical views into `out`.

    Args:
      out: (batch, output feature, *positions); any strides, like the operands.
      x: (batch * batch_groups, feature, *spatial).
      w: (output feature, feature / feature_groups, *window).
    """
    if not out.size:
        return
    if not x.size or not w.size:
        out[...] = 0
        return
    groups = max(feature_groups, batch_groups)
    if batch_groups > 1:
        x = x.reshape(groups, -1, *x.shape[1:])
    else:
        x = x.reshape(x.shape[0], groups, -1, *x.shape[2:]).swapaxes(0, 1)
    w = w.reshape(groups, -1, *w.shape[1:])
    out = out.reshape(out.shape[0], groups, -1, *out.shape[2:]).swapaxes(0, 1)
    phases = prod([d // gcd(d, s) for d, s in zip(windows.base_dilation, windows.window_strides)])
    if phases > _MAX_PHASES:
        x = padded(x, ((0, 0),) * 3 + windows.padding, (1, 1, 1, *windows.base_dilation), 0)
        none = ((0, 0),) * len(windows.padding), (1,) * len(windows.padding)
        windows = windows._replace(padding=none[0], base_dilation=none[1])
    _by_phases(out, x, w, windows)


# ---- long sequences -----------------------------------------------------------------------------


def multiplies_padding(dtype, taps: int) -> bool:
    """Return whether zeros beside a sequence are multiplied, with infinity to NaN, as XLA does."""
    return dtypes.finfo(dtype).bits < 64 and taps > 2


def is_long(x, w, windows: Sliding) -> bool:
    """Return whether Fourier transforms are the faster way: two long sequences of finite numbers, as they are.

    Those of float64 would lose digits, and whole numbers would not stay whole: there are no wider floats.
    """
    if x.dtype not in _WIDER:
        return False
    n, k = x.shape[-1] + sum(windows.padding[0]) if windows.padding else 0, w.shape[-1]
    if len(windows.padding) != 1 or x.size != x.shape[-1] or w.size != k or min(n, k) < _MIN_ELEMENTS_TO_TRANSFORM:
        return False
    if (windows.window_strides, windows.base_dilation, windows.window_dilation) != ((1,), (1,), (1,)):
        return False
    if n < k or min(windows.padding[0]) < 0 or (n - k + 1) * k < _PRODUCTS_PER_ELEMENT_AND_LEVEL * n * n.bit_length():
        return False
    return bool(np.isfinite(x).all() and np.isfinite(w).all())


def by_transforms(x, w, padding: tuple[int, int]):
    """Return the products of the windows of `x`, with zeros at its ends as `padding` says, with `w`, by transforms.

    A transform's error is relative to the largest results. So transforms are of blocks that overlap, in float64, and
    each result is looked at: where what it may have lost is much more than its own terms lose when they are added, it
    is computed again from the parts of the sequences that it depends on, which are smaller.
    """
    begin, end = padding[0], padding[0] + x.size
    out, doubtful = _transformed(x, w, begin, sum(padding))
    runs = list(_runs(doubtful)) if doubtful is not None else []
    if len(runs) > _MAX_PARTS_COMPUTED_AGAIN:
        runs = [(0, out.size)]
    for first, stop in runs:
        # Of the window, what meets the sequence itself in any of these results.
        low, high = max(begin - stop + 1, 0), min(end - first, w.size)
        if low >= high:
            out[first:stop] = 0
            continue
        taps, start, finish = w[low:high], first + low, stop - 1 + high
        zeros = max(begin - start, 0), max(finish - end, 0)
        part = x[max(start - begin, 0) : finish - begin]
        if min(taps.size, stop - first) >= _MIN_ELEMENTS_OF_PART and 4 * (finish - start) < 3 * (x.size + sum(padding)):
            out[first:stop] = by_transforms(part, taps, zeros)
        else:
            out[first:stop] = _directly(_between_zeros(part, zeros[0], finish - start, x.dtype), taps)
    return out


def _between_zeros(x, begin: int, length: int, dtype):
    """Return an array of zeros but for a sequence in it."""
    out = np.zeros(length, dtype)
    out[begin : begin + x.size] = x
    return out


def _runs(flags) -> Iterator[tuple[int, int]]:
    """Yield where flags are set, and what is between those that are near: the first of a run and its end."""
    at = np.flatnonzero(flags)
    gaps = np.flatnonzero(np.diff(at) > _MIN_ELEMENTS_OF_PART)
    return zip(at[[0, *(gaps + 1)]].tolist(), (at[[*gaps, -1]] + 1).tolist()) if at.size else iter(())


def _transformed(x, w, begin: int, zeros: int):
    """Return results, and which of them may have lost much more than `_directly` does, or None for none of them."""
    dtype, k, count = x.dtype, w.size, x.size + zeros - w.size + 1
    wide = _WIDER[dtype]
    blocks, length = _blocks(k, count, dtype.kind != "c")
    step = length - k + 1
    out, doubtful, sizes = np.empty((blocks, step), dtype), None, {}
    rows, kernel = np.zeros((blocks, length), wide), np.zeros((1, length), wide)
    kernel[0, :k] = w[::-1]
    for number, row in enumerate(rows):
        start = number * step - begin
        part = x[max(start, 0) : max(start + length, 0)]
        row[max(-start, 0) :][: part.size] = part
    products, together = _Products(kernel, length), max(_BYTES_PER_GROUP_OF_BLOCKS // kernel.nbytes // 2, 1) * 2
    of_kernel, of_rows = _norm(kernel), _norm(rows)
    share = np.finfo(wide).eps / np.finfo(dtype).eps * np.log2(length)
    for some in [slice(i, i + together) for i in range(0, blocks, together)]:
        out[some] = found = products.back(products.transformed(rows[some]))[:, k - 1 :]
        doubts = ~(abs(found) >= share * of_kernel * of_rows[some])
        if not doubts.any():
            continue
        for near in _NEAR:
            if _are_dear(doubts, k):
                if near not in sizes:
                    sizes[near] = _Sizes(kernel, k, near)
                doubts &= ~(sizes[near].of(rows[some]) >= share)
        if doubtful is None:
            doubtful = np.zeros(out.shape, np.bool_)
        doubtful[some] = doubts
    return out.reshape(-1)[:count], None if doubtful is None else doubtful.reshape(-1)[:count]


def _are_dear(doubts, k: int) -> bool:
    """Return whether it takes long to compute these results again."""
    at = np.flatnonzero(doubts)
    if at.size * k <= _MAX_PRODUCTS_WITHOUT_A_LOOK * doubts.size:
        return False
    return _LONG_RUNS * at.size > doubts.size or np.count_nonzero(np.diff(at) > _MIN_ELEMENTS_OF_PART) >= _FEW_RUNS


@memoized(1024)
def _blocks(k: int, count: int, is_real: bool) -> tuple[int, int]:
    """Return how many blocks have `count` results of `k` terms in the least time, and how long each block is."""
    from scipy import fft

    best = []
    for share in _SHARES:
        blocks = -(-count // (share * k))
        length = fft.next_fast_len(max(k - 1 - -count // blocks, min(_MIN_ELEMENTS_PER_BLOCK, k - 1 + count)), is_real)
        blocks = -(-count // (length - k + 1))
        # Two rows are transformed at once, in the time of one.
        levels = np.log2(length) + length / _ELEMENTS_PER_LEVEL
        best.append(((blocks + blocks % 2 + 1) * length * levels, blocks, length))
    return min(best)[1:]


class _Sizes:
    """Lower bounds of what terms' sizes add up to in the products of rows with a kernel of `k` terms, all of length 1.

    Of `near` factors of the kernel the least one is taken, and of the sums of as many elements of a row the least
    of those that begin near one another: so many times less numbers.
    """

    def __init__(self, kernel, k: int, near: int):
        from scipy import fft

        self.near, self.groups, self.step = near, k // near, kernel.shape[1] - k + 1
        self.count = (self.step - 1) // near + self.groups
        factors = _least(_directions(kernel)[:, k - self.groups * near : k], near)
        self.products = _Products(factors, fft.next_fast_len(self.count, True))

    def of(self, rows):
        """Return the bounds for every product."""
        sums, together = np.zeros((len(rows), (self.count + 1) * self.near)), 1
        sums[:, : rows.shape[1]] = _directions(rows)[:, : sums.shape[1]]
        while together < self.near:
            sums = sums[:, :-together] + sums[:, together:]
            together *= 2
        sums = _least(sums[:, : self.count * self.near], self.near)
        bounds = self.products.back(self.products.transformed(sums))[:, self.groups - 1 : self.count]
        return np.repeat(bounds, self.near, axis=1)[:, : self.step]


def _least(rows, near: int):
    """Return the least of so many neighbours in rows, a power of two."""
    while near > 1:
        rows, near = np.minimum(rows[:, ::2], rows[:, 1::2]), near // 2
    return rows


class _Products:
    """The convolutions of rows of numbers with one row, which wrap around; it is transformed once."""

    def __init__(self, kernel, length: int):
        from scipy import fft

        self.length, is_complex = length, kernel.dtype.kind == "c"
        self.forward, self.backward = (fft.fft, fft.ifft) if is_complex else (fft.rfft, fft.irfft)
        self.kernel = self.transformed(kernel)

    def transformed(self, rows):
        """Return the transforms of rows."""
        return self.forward(rows, self.length)

    def back(self, transformed):
        """Return the convolutions of rows whose transforms, which are overwritten, are given."""
        transformed *= self.kernel
        return self.backward(transformed, self.length, overwrite_x=True)


def _directions(rows):
    """Return the sizes of the elements of rows, where each row has length 1, or 0."""
    return abs(rows) / _divisor(_norm(rows))


def _divisor(lengths):
    """Return lengths, but for those of zeros."""
    return np.maximum(lengths, np.finfo(lengths.dtype).tiny)


def _norm(rows):
    """Return the length of vectors along the last axis, which stays."""
    return np.sqrt(np.vecdot(rows, rows).real)[:, None]


def _directly(x, w):
    """Return the products of the windows of a sequence with another one."""
    n, w = len(x) - len(w) + 1, np.conj(w)
    step = _MAX_TERMS_OF_ONE_SUM
    parts = (np.correlate(x[i : i + n - 1 + step], w[i : i + step], "valid") for i in range(0, len(w), step))
    if n <= _MAX_TERMS_OF_ONE_SUM:
        return total(np.stack(list(parts)), 0) if len(w) > _MAX_TERMS_OF_ONE_SUM else next(parts)
    sums = Total()
    for part in parts:
        sums.add(part)
    return sums.whole()


# ---- dilated inputs -----------------------------------------------------------------------------


def _by_phases(out, x, w, windows: Sliding) -> None:
    """The outputs of each phase by a convolution of an input that is not dilated.

    Output o and kernel element k meet the input at (o * stride - low + k * spread) / dilation, if that
    is whole. So both go in steps, and one step of each moves on by a whole number.
    """
    axes = []
    for n, m, k, s, (low, _), d, e in zip(
        x.shape[3:], out.shape[3:], w.shape[3:], windows.window_strides, windows.padding,
        windows.base_dilation, windows.window_dilation,
    ):
        o_step, k_step = d // gcd(d, s), d // gcd(d, e)
        phases = []
        for o in range(min(o_step, m)):
            first = next((i for i in range(min(k_step, k)) if (o * s - low + i * e) % d == 0), k)
            start = (o * s - low + first * e) // d
            outs, taps = len(range(o, m, o_step)), len(range(first, k, k_step))
            stride, spread = o_step * s // d, k_step * e // d
            end = start + (outs - 1) * stride + (taps - 1) * spread + 1
            phases.append(
                (slice(o, None, o_step), slice(first, None, k_step), stride, (-start, end - n), spread)
            )
        axes.append(phases)
    for phase in product(*axes):
        at, taps, strides, pads, spreads = zip(*phase) if phase else ((),) * 5
        target, kernel = out[:, :, :, *at], w[:, :, :, *taps]
        if not kernel.size:
            target[...] = 0
            continue
        ones = (1,) * len(at)
        geometry = Sliding(kernel.shape[3:], strides, pads, ones, spreads)
        _multiply(target, padded(x, ((0, 0),) * 3 + pads, (1, 1, 1, *ones), 0), kernel, geometry)


# ---- products -----------------------------------------------------------------------------------


def _multiply(out, x, w, windows: Sliding) -> None:
    """The convolution of a padded input: (group, batch, feature, *spatial) -> (group, batch, output, *)."""
    positions = out.shape[3:]
    sequences = len(positions) == 1 and x.size == x.shape[-1] and w.size == w.shape[-1]
    if sequences and windows.window_strides == (1,) == windows.window_dilation:
        out[0, 0, 0] = _directly(x[0, 0, 0], w[0, 0, 0])
        return
    step = [s * t for s, t in zip(windows.window_strides, x.strides[3:])]
    tap = [d * t for d, t in zip(windows.window_dilation, x.strides[3:])]
    patches = np.lib.stride_tricks.as_strided(
        x,
        (*x.shape[:2], *positions, x.shape[2], *w.shape[3:]),
        (*x.strides[:2], *step, x.strides[2], *tap),
        writeable=False,
    )
    rank = len(positions)
    w = w.transpose(0, *range(2, rank + 3), 1)
    out = out.transpose(0, 1, *range(3, rank + 3), 2)
    groups, batch, outputs, features = out.shape[0], out.shape[1], out.shape[-1], x.shape[2]
    few = prod(positions) <= prod(w.shape[1:-1])
    if few and (groups > 1 and batch * outputs == 1 or features == 1):
        _position_by_position(out, patches, w)
    elif features == 1 and outputs <= 4 and groups * outputs > 1 or prod(w.shape) == groups:
        _tap_by_tap(out, patches, w)
    else:
        _by_matrices(out, patches, w)


def _tap_by_tap(out, patches, w) -> None:
    """Add tap by tap, for one feature a group: out[g, n, *o, q] += patches[g, n, *o, 0, *k] * w[g, 0, *k, q]."""
    rank = out.ndim - 3
    w = w.reshape(w.shape[0], *(1,) * (rank + 1), *w.shape[2:])
    taps = list(np.ndindex(w.shape[rank + 2 : -1]))
    step = max(_BYTES_PER_PIECE // 8 * out.shape[1] // max(out.nbytes, 1), 1)
    for i, q in product(range(0, out.shape[1], step), range(out.shape[-1])):
        target, source, sums = out[:, i : i + step, ..., q], patches[:, i : i + step], Total()
        for first in range(0, len(taps), TERMS_PER_BLOCK):
            for number, k in enumerate(taps[first : first + TERMS_PER_BLOCK]):
                values, weight = source[(..., 0, *k)], w[(..., *k, q)]
                if number:
                    target += values * weight
                else:
                    np.multiply(values, weight, out=target)
            if len(taps) > TERMS_PER_BLOCK:
                sums.add(target)
        if len(taps) > TERMS_PER_BLOCK:
            target[...] = sums.whole()


def _position_by_position(out, patches, w) -> None:
    """Few positions: each is the product of its windows, a row for each of the batch, and the kernel."""
    groups, outputs = w.shape[0], w.shape[-1]
    w = w.reshape(groups, -1, outputs)
    for o in np.ndindex(out.shape[2:-1]):
        out[:, :, *o] = product_in_blocks(patches[:, :, *o].reshape(groups, -1, w.shape[1]), w)


def _by_matrices(out, patches, w) -> None:
    """out[g, n, *o, q] = sum over c, *k of patches[g, n, *o, c, *k] * w[g, c, *k, q], by BLAS."""
    rank = out.ndim - 3
    by_stride = lambda axes: sorted(
        axes, key=lambda i: -patches.strides[i] if patches.shape[i] > 1 else -np.inf
    )
    rows, summed = by_stride(range(1, rank + 2)), by_stride(range(rank + 2, patches.ndim))
    stack = [0]
    rows_last = _finest(patches, rows) < _finest(patches, summed)
    if rows_last and rows[0] == 1 and prod(out.shape[2:-1]) >= 64:
        stack.append(rows.pop(0))  # a matrix product for each element of the batch
    kernel = w.transpose(0, *[i - rank - 1 for i in summed], w.ndim - 1)
    kernel = kernel.reshape(w.shape[0], -1, w.shape[-1])
    if len(stack) == 2:
        kernel = kernel[:, None]
    order = (*stack, *summed, *rows) if rows_last else (*stack, *rows, *summed)
    patches = patches.transpose(order)
    outputs_first = out.strides[-1] > min([out.strides[i] for i in rows if out.shape[i] > 1], default=0)
    last = out.ndim - 1
    out = out.transpose((*stack, last, *rows) if outputs_first else (*stack, *rows, last))

    # Cut along the axis that is outermost in memory, of those that come first in their group.
    heads = {0, len(stack) - 1, len(stack), len(stack) + len(summed if rows_last else rows)}
    cut = max(
        [i for i in heads if i < patches.ndim],
        key=lambda i: patches.strides[i] if patches.shape[i] > 1 else -1,
    )
    n, axis = patches.shape[cut], order[cut]
    step = max(_BYTES_PER_PIECE * n // (patches.size * patches.itemsize), 1)
    step = n if n < 2 * step else step
    is_sum = axis > rank + 1
    inner, sums = kernel.shape[-2] // n, Total()
    for i in range(0, n, step):
        piece = patches[(slice(None),) * cut + (slice(i, i + step),)]
        target, factor = out, kernel
        if is_sum:
            factor = kernel[..., i * inner : (i + step) * inner, :]
        elif axis == 0:
            target, factor = out[i : i + step], kernel[i : i + step]
        else:
            at = cut if cut < len(stack) else len(stack) + outputs_first
            target = out[(slice(None),) * at + (slice(i, i + step),)]
        shape = piece.shape[: len(stack)]
        if rows_last:
            matrix = piece.reshape(*shape, factor.shape[-2], -1).swapaxes(-1, -2)
        else:
            matrix = piece.reshape(*shape, -1, factor.shape[-2])
        _write(target, matrix, factor, len(stack), outputs_first)
        if is_sum and step < n:
            sums.add(target)
    if is_sum and step < n:
        out[...] = sums.whole()


def _finest(x, axes) -> tuple:
    """Return the smallest stride of these axes, and the longest axis that has it."""
    return min([(x.strides[i], -x.shape[i]) for i in axes if x.shape[i] > 1], default=(np.inf, 0))


def _write(target, matrix, kernel, stack, outputs_first) -> None:
    """The product of stacks of matrices, put into a view of the result, in place where that works."""
    if outputs_first:
        left, right, rows = kernel.swapaxes(-1, -2), matrix.swapaxes(-1, -2), slice(stack + 1, None)
    else:
        left, right, rows = matrix, kernel, slice(stack, -1)
    terms, sums = left.shape[-1], prod(left.shape[:-1]) * right.shape[-1]
    merged = None if terms > MAX_TERMS_OF_BLAS or is_chain(sums, terms, left.dtype) else _merged(target, rows)
    if merged is not None:
        matmul(left, right, out=merged)
    else:
        target[...] = product_in_blocks(left, right).reshape(target.shape)


def _merged(x, axes: slice):
    """Return `x` with neighbouring axes as one, if that is a view; None otherwise."""
    shape, strides = x.shape[axes], x.strides[axes]
    kept = [(n, s) for n, s in zip(shape, strides) if n > 1] or [(1, x.itemsize)]
    if any(s != m * t for (_, s), (m, t) in zip(kept, kept[1:])):
        return None
    start, stop, _ = axes.indices(x.ndim)
    return np.lib.stride_tricks.as_strided(
        x,
        (*x.shape[:start], prod(shape), *x.shape[stop:]),
        (*x.strides[:start], kept[-1][1], *x.strides[stop:]),
    )
