"""Numbers as pictures: lines and shades of characters for a terminal, SVG and PNG for a notebook."""

from __future__ import annotations

import base64
import struct
import zlib
from html import escape

import numpy as np

__all__ = ["blocks", "curve", "image_element", "line_element", "shades"]

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))    # bits of a Braille character, by row and column
_SHADES = " ░▒▓█"
_ASCII_SHADES = " .:-=+*#%@"
_UNKNOWN = "?"      # where there is no number


def blocks(x: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """Return a matrix of at most so many rows and columns: the means of blocks of `x`.

    >>> blocks(np.arange(16.).reshape(4, 4), 2, 4)
    array([[ 2.,  3.,  4.,  5.],
           [10., 11., 12., 13.]])
    """
    for axis, most in enumerate((rows, columns)):
        n = x.shape[axis]
        if n > most:
            starts = np.linspace(0, n, most, endpoint=False).astype(int)
            lengths = np.diff(np.append(starts, n))
            sums = np.add.reduceat(x, starts, axis=axis)
            x = sums / (lengths[:, None] if axis == 0 else lengths)
    return x


def _bounds(x: np.ndarray) -> tuple[float, float]:
    """Return the least and the largest of the finite numbers."""
    finite = x[np.isfinite(x)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)


def _levels(x: np.ndarray, count: int) -> np.ndarray:
    """Return the numbers as integers from 0 to count - 1, by their size; -1 where there is no number."""
    low, high = _bounds(x)
    size = (x - low) / (high - low) if high > low else np.where(np.isfinite(x), 0.5, x)
    known = np.isfinite(size)
    return np.where(known, np.minimum(np.where(known, size, 0) * count, count - 1), -1).astype(int)


def shades(x: np.ndarray, is_ascii: bool = False, rows: int = 24, columns: int = 36) -> list[str]:
    """Return a matrix as lines of characters, two for an element, the darker the larger.

    >>> shades(np.array([[0., 1.], [np.nan, 0.5]]))
    ['  ██', '??▒▒']
    """
    table = _ASCII_SHADES if is_ascii else _SHADES
    side = max(1, x.shape[0] / rows, x.shape[1] / columns)
    levels = _levels(blocks(x, round(x.shape[0] / side) or 1, round(x.shape[1] / side) or 1), len(table))
    return ["".join([2 * (table[n] if n >= 0 else _UNKNOWN) for n in line]).rstrip() for line in levels.tolist()]


_WIDEST_STEP = 8    # columns of dots for a number


def curve(y: np.ndarray, is_ascii: bool = False, rows: int = 8, columns: int = 64) -> list[str]:
    """Return numbers in a row as a drawn line of steps, with the least and the largest value beside it.

    >>> print("\\n".join(curve(np.array([0., 1., 2., 3.]), is_ascii=True, rows=4, columns=4)))
    3 |   *
      |  *
      | *
    0 |*
    """
    down, across = (1, 1) if is_ascii else (4, 2)
    high_cells = rows * down
    most = columns * across
    points = blocks(y[None], 1, most)[0] if y.size > most else np.repeat(y, min(_WIDEST_STEP, most // y.size))
    level = np.full(points.size, high_cells // 2) if len(set(_bounds(points))) == 1 else _levels(points, high_cells)
    width = -(-points.size // across)
    cells = [[0] * width for _ in range(rows)]
    before = None
    for i, n in enumerate(level.tolist()):
        if n < 0 or not np.isfinite(points[i]):
            before = None
            continue
        for m in _between(before, n):
            row = high_cells - 1 - m
            cells[row // down][i // across] |= 1 if is_ascii else _DOTS[row % 4][i % 2]
        before = n
    low, high = _bounds(y)
    names = [f"{high:.4g}", *[""] * (rows - 2), f"{low:.4g}"]
    margin = max(map(len, names))
    text = (lambda n: "*" if n else " ") if is_ascii else (lambda n: chr(0x2800 + n) if n else " ")
    return [f"{name:>{margin}} |{''.join(map(text, line))}".rstrip() for name, line in zip(names, cells)]


def _between(before: int | None, n: int) -> range:
    """Return the heights to fill, so that the line has no gap: from the neighbour's, exclusive, to this one."""
    if before is None or abs(n - before) <= 1:
        return range(n, n + 1)
    return range(before + 1, n + 1) if n > before else range(n, before)


# ---- for notebooks -------------------------------------------------------------------------------

_WIDTH, _HEIGHT = 360, 120      # of a line, in pixels
_MOST_POINTS = 720
_MOST_PIXELS = 256              # of a side
_SIDE = 240                     # of the picture, in pixels


def line_element(y: np.ndarray) -> str:
    """Return numbers in a row as an SVG line, interrupted where there is no number."""
    y = blocks(y[None], 1, _MOST_POINTS)[0]
    low, high = _bounds(y)
    scale = _HEIGHT / (high - low) if high > low else 0
    step = _WIDTH / max(1, y.size - 1)
    path, pen = [], "M"
    for i, value in enumerate(y.tolist()):
        if np.isfinite(value):
            height = (high - value) * scale if scale else _HEIGHT / 2
            path.append(f"{pen}{i * step:.1f} {height:.1f}")
        pen = "L" if np.isfinite(value) else "M"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
        f'viewBox="-2 -2 {_WIDTH + 4} {_HEIGHT + 4}"><title>{escape(f"{low:.4g} to {high:.4g}")}</title>'
        f'<path d="{" ".join(path)}" fill="none" stroke="#3f51b5" stroke-width="1.5"/></svg>'
    )


def image_element(x: np.ndarray) -> str:
    """Return a matrix, or `[rows, columns, 3 or 4]` colours from 0 to 1, as an HTML image."""
    if x.ndim == 2:
        x = blocks(x, _MOST_PIXELS, _MOST_PIXELS)
        levels = _levels(x, 256)
        grey = np.maximum(levels, 0).astype(np.uint8)
        pixels = np.stack([grey, grey, grey], -1)
        pixels[levels < 0] = (255, 0, 0)    # no number
    else:
        every = max(1, -(-max(x.shape[:2]) // _MOST_PIXELS))
        pixels = (np.clip(np.nan_to_num(x[::every, ::every]), 0, 1) * 255).astype(np.uint8)
    height, width = pixels.shape[:2]
    scale = _SIDE / max(height, width)
    data = base64.b64encode(_png(pixels)).decode()
    return (
        f'<img src="data:image/png;base64,{data}" width="{max(1, round(width * scale))}" '
        f'height="{max(1, round(height * scale))}" style="image-rendering: pixelated" alt="the values as a picture">'
    )


def _png(pixels: np.ndarray) -> bytes:
    """Return a PNG file of `[rows, columns, 3 or 4]` bytes."""
    height, width, channels = pixels.shape
    rows = np.zeros((height, 1 + width * channels), np.uint8)       # each begins with its filter, which is none
    rows[:, 1:] = pixels.reshape(height, -1)
    head = struct.pack(">IIBBBBB", width, height, 8, {3: 2, 4: 6}[channels], 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes())), (b"IEND", b""))
    chunks = [struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
              for kind, data in parts]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
