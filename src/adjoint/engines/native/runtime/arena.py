"""Places in one arena for arrays that live for some of the steps of a program.

Tests: `tests/engines/native/program/test_call_layout.py`.
"""

from __future__ import annotations

from heapq import heappop, heappush

__all__ = ["ALIGNMENT", "assign"]

ALIGNMENT = 64


def assign(lives: list[tuple[int, int, int]]) -> tuple[list[int], int]:
    """Return the offsets of arrays, given as (size, first step, last step) in order of the first, and the arena's size.

    Best fit: the smallest gap that is large enough; freed neighbours are joined.
    """
    offsets: list[int] = []
    gaps: list[tuple[int, int]] = []  # offset, size
    ends: list[tuple[int, int, int]] = []  # a heap of (last step, offset, size)
    top = 0
    for size, first, last in lives:
        size = -(-size // ALIGNMENT) * ALIGNMENT
        dead = []
        while ends and ends[0][0] < first:
            dead.append(heappop(ends)[1:])
        if dead:
            gaps = _joined(sorted(gaps + dead))
        fitting = [g for g in gaps if g[1] >= size]
        if fitting:
            gap = min(fitting, key=lambda g: g[1])
            gaps.remove(gap)
            offset = gap[0]
            if gap[1] > size:
                gaps.append((offset + size, gap[1] - size))
        elif gaps and gaps[-1][0] + gaps[-1][1] == top:  # the last gap is at the end: enlarge it
            offset = gaps.pop()[0]
            top = offset + size
        else:
            offset = top
            top += size
        offsets.append(offset)
        heappush(ends, (last, offset, size))
    return offsets, top


def _joined(gaps: list[tuple[int, int]]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for offset, size in gaps:
        if out and out[-1][0] + out[-1][1] == offset:
            out[-1] = (out[-1][0], out[-1][1] + size)
        else:
            out.append((offset, size))
    return out
