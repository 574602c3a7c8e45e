"""How a convolution of NumPy buffers is computed: as few passes and as large matrix products as possible.

* A dilated input is mostly zeros. Outputs that meet the same elements of the kernel form a *phase*, and
  each phase is a convolution without dilation; no zero is multiplied.
* The windows are a strided view (patches) of the padded input. Rows are its batch and positions, columns
  what is summed; the view is copied to a matrix, in the order of the input's memory, a piece at a time that
  fits the cache, and multiplied with the kernel by BLAS. (Chellapilla, Puri and Simard 2006, "High
  performance convolutional neural networks for document processing".)
* With one feature a group there is no matrix product left: multiply and add tap by tap. Two sequences have
  a function of NumPy.
"""

from __future__ import annotations

from itertools import product
from math import gcd, prod

import numpy as np

from .dot import LONG, is_chain, product_in_blocks
from .sliding import Sliding, padded
from .summation import BLOCK, Total

__all__ = ["by_transforms", "convolve", "is_long"]

_PIECE = 1 << 21  # bytes of patches that are copied at a time
_TERMS = 1024  # that one function of NumPy adds up
_SHORT = 64  # shorter sequences are not worth a transform
_PER_LEVEL = 12  # multiplications that take as long as one element in one level of the three transforms
_MANY_PHASES = 64  # more than these, and zeros are cheaper


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
    if phases > _MANY_PHASES:
        x = padded(x, ((0, 0),) * 3 + windows.padding, (1, 1, 1, *windows.base_dilation), 0)
        none = ((0, 0),) * len(windows.padding), (1,) * len(windows.padding)
        windows = windows._replace(padding=none[0], base_dilation=none[1])
    _by_phases(out, x, w, windows)


# ---- long sequences -----------------------------------------------------------------------------


def is_long(x, w, windows: Sliding) -> bool:
    """Return whether Fourier transforms are the faster way: two long sequences of finite numbers, as they are."""
    n, k = x.shape[-1] + sum(windows.padding[0]) if windows.padding else 0, w.shape[-1]
    if len(windows.padding) != 1 or x.size != x.shape[-1] or w.size != k or min(n, k) < _SHORT:
        return False
    if (windows.window_strides, windows.base_dilation, windows.window_dilation) != ((1,), (1,), (1,)):
        return False
    if n < k or min(windows.padding[0]) < 0 or (n - k + 1) * k < _PER_LEVEL * n * n.bit_length():
        return False
    return bool(np.isfinite(x).all() and np.isfinite(w).all())


def by_transforms(x, w, padding):
    """The convolution of two sequences as a product of their transforms; only what wraps around is left out."""
    from scipy import fft

    low, high = padding
    n, k = x.size + low + high, w.size
    length = fft.next_fast_len(n, x.dtype.kind != "c")
    x = np.pad(x, (low, length - n + high))
    forward, backward = (fft.fft, fft.ifft) if x.dtype.kind == "c" else (fft.rfft, fft.irfft)
    return backward(forward(x) * forward(w[::-1], length), length)[k - 1 : n]


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
        out[0, 0, 0] = _sequences(x[0, 0, 0], w[0, 0, 0])
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


def _sequences(x, w):
    """The products of a sequence's windows with another one."""
    n, sums = len(x) - len(w) + 1, Total()
    for i in range(0, len(w), _TERMS):
        block = w[i : i + _TERMS]
        sums.add(np.correlate(x[i : i + n + len(block) - 1], np.conj(block), "valid"))
    return sums.whole()


def _tap_by_tap(out, patches, w) -> None:
    """Add tap by tap, for one feature a group: out[g, n, *o, q] += patches[g, n, *o, 0, *k] * w[g, 0, *k, q]."""
    rank = out.ndim - 3
    w = w.reshape(w.shape[0], *(1,) * (rank + 1), *w.shape[2:])
    taps = list(np.ndindex(w.shape[rank + 2 : -1]))
    step = max(_PIECE // 8 * out.shape[1] // max(out.nbytes, 1), 1)
    for i, q in product(range(0, out.shape[1], step), range(out.shape[-1])):
        target, source, sums = out[:, i : i + step, ..., q], patches[:, i : i + step], Total()
        for first in range(0, len(taps), BLOCK):
            for number, k in enumerate(taps[first : first + BLOCK]):
                values, weight = source[(..., 0, *k)], w[(..., *k, q)]
                if number:
                    target += values * weight
                else:
                    np.multiply(values, weight, out=target)
            if len(taps) > BLOCK:
                sums.add(target)
        if len(taps) > BLOCK:
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
    step = max(_PIECE * n // (patches.size * patches.itemsize), 1)
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
    """The smallest stride of these axes, and the longest axis that has it."""
    return min([(x.strides[i], -x.shape[i]) for i in axes if x.shape[i] > 1], default=(np.inf, 0))


def _write(target, matrix, kernel, stack, outputs_first) -> None:
    """The product of stacks of matrices, put into a view of the result, in place where that works."""
    if outputs_first:
        left, right, rows = kernel.swapaxes(-1, -2), matrix.swapaxes(-1, -2), slice(stack + 1, None)
    else:
        left, right, rows = matrix, kernel, slice(stack, -1)
    terms, sums = left.shape[-1], prod(left.shape[:-1]) * right.shape[-1]
    merged = None if terms > LONG or is_chain(sums, terms, left.dtype) else _merged(target, rows)
    if merged is not None:
        np.matmul(left, right, out=merged)
    else:
        target[...] = product_in_blocks(left, right).reshape(target.shape)


def _merged(x, axes: slice):
    """`x` with neighbouring axes as one, if that is a view; None otherwise."""
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
