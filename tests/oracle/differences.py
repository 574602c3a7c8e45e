"""Two answers beside each other: what differs, from the gravest on."""

from __future__ import annotations

import re

import ml_dtypes
import numpy as np

from . import modes

LOOSE = 200                                             # units in the last place of the largest number of a result


# Functions whose results are differences of larger numbers.
CANCELS = re.compile("cross|cov|corr|var|std|sem|fft|linalg|conv|dot|einsum|trapezoid|gradient|diff|sum|mean|average|"
                     "normal|inner|vec|mat|poly|roots|stft|welch|csd|detrend|dct|resize|Rotation|interp|kron|prod|scan|norm|softmax|logsumexp")


# The narrow floats, with what a number of them may be off by, relative to it.
NARROW = [("float8|float4|fp4|fp8", 2.0 ** -2), ("bfloat16", 2.0 ** -7), ("float16", 2.0 ** -10)]


def coarseness(program):
    """Return the epsilon of the narrowest float that a program names: its derivatives pass through that dtype."""
    text = program.key
    return next((eps for name, eps in NARROW if re.search(name, text)), 0.0)


def difference(mode, ours, theirs, eager=None, cancels=False, coarse=0.0):
    """Return None, or (kind, what) of the first difference; `eager` is JAX's answer to the eager call.

    The kind "nan" says that there is a number where JAX has NaN, and no other difference.

    `cancels` says that errors are relative to larger numbers than those of the result, and `coarse` is the epsilon of
    the narrowest float on the way.
    """
    if theirs[0] == "error" or ours[0] == "error":
        return _errors(ours, theirs)
    (_, our_tree, our_leaves), (_, their_tree, their_leaves) = ours[:3], theirs[:3]
    if our_tree != their_tree or len(our_leaves) != len(their_leaves):
        return "structure", f"{our_tree} for {their_tree}"
    worst = None
    for k, (a, b) in enumerate(zip(our_leaves, their_leaves, strict=True)):
        found = _leaf(mode, a, b, _expected(mode, b, k, eager), cancels, coarse)
        if found and (worst is None or RANK.index(found[0]) < RANK.index(worst[0])):
            worst = found
    return worst


RANK = ["crash", "value", "nan", "shape", "dtype", "structure", "refuses", "accepts", "weak", "error", "class", "zero"]


def _errors(ours, theirs):
    if theirs[0] != "error":
        return "crash" if ours[1] in ("Crash", "Hang") else "refuses", f"{ours[1]}: {ours[2]}"
    if ours[0] != "error":
        return "accepts", f"{theirs[1]}: {theirs[2]}"
    if theirs[1] in ours[3]:
        return None
    return "error", f"{ours[1]} for {theirs[1]}: {ours[2]}"


def _expected(mode, leaf, k, eager):
    """Return the numbers that the leaf should hold, or None where nobody computed them."""
    if leaf[1] == "float0" or leaf[0] == "type":
        return None
    if leaf[4] is not None and leaf[0] != "py":
        return numbers(leaf)
    if eager is None or eager[0] == "error" or len(eager[2]) <= k or eager[2][k][4] is None:
        return None
    if mode in ("jit", "remat", "ranks", "dtypes"):
        same = eager[2][k]
        return numbers(same) if same[0] != "py" and same[1] == leaf[1] else None
    if mode.startswith("scan") and eager[2][k][0] != "py" and eager[2][k][1] == leaf[1]:
        one = numbers(eager[2][k])
        return None if one.size >= modes.MOST else np.concatenate([one] * int(mode[4:]) or [one[:0]])[:modes.MOST]
    return None


def _leaf(mode, a, b, wanted, cancels, coarse):
    if b[0] == "py" and a[0] != "py" and mode not in modes.PLAIN:
        number = complex(int(b[4] == "True") if b[1] == "bool" else b[4])
        same = a[2] == [] and a[4] is not None and numbers(a)[0] == number
        return None if same or b[4] in ("nan", "inf", "-inf") else ("value", f"{a[1]} for {b[1]} {b[4]}")
    if a[0] == "py" or b[0] == "py":
        return None if a[:2] == b[:2] and (a[4] == b[4] or _close_text(a, b)) else ("value",
            f"{a[1]} {a[4]} for {b[1]} {b[4]}")
    if a[2] != b[2]:
        return "shape", f"{a[2]} for {b[2]}"
    if a[1] != b[1]:
        return "dtype", f"{a[1]} for {b[1]}"
    if wanted is not None and a[4] is not None and a[1] != "float0":
        found = _numbers(numbers(a), wanted, cancels, 0.0 if mode in modes.PLAIN else coarse)
        if found:
            return found
    if a[3] != b[3]:
        return "weak", f"{bool(a[3])} for {bool(b[3])}"
    if a[0] != b[0] and b[4] is not None and mode in ("eager", "x64"):
        return "class", f"{a[0]} for {b[0]}"
    return None


def _close_text(a, b):
    try:
        x, y = complex(a[4]), complex(b[4])
        return abs(x - y) <= 1e-5 * abs(y) or x != x and y != y
    except (ValueError, OverflowError):
        return False


def numbers(leaf):
    """Return the numbers of a leaf, flat."""
    name = leaf[1]
    dtype = np.dtype("uint32") if name.startswith("key") else np.dtype(getattr(ml_dtypes, name, name))
    return np.frombuffer(bytes.fromhex(leaf[4]), dtype)


def _numbers(a, b, cancels, coarse):
    if a.dtype != b.dtype or a.shape != b.shape:
        return "shape", f"{a.shape} numbers for {b.shape}"
    if a.tobytes() == b.tobytes():
        return None
    if a.dtype.kind in "biu" or "int" in a.dtype.name:
        return "value", f"{_few(a)} for {_few(b)}"
    if a.dtype.kind == "c":
        parts = a.dtype.type(0).real.dtype
        a, b = a.view(parts), b.view(parts)
    eps = float(ml_dtypes.finfo(a.dtype).eps)
    a, b = a.astype("float64"), b.astype("float64")
    with np.errstate(all="ignore"):
        finite = np.isfinite(b)
        largest = np.abs(b[finite]).max(initial=0)
        good = (a == b) | (np.isnan(a) & np.isnan(b)) | finite & np.isfinite(a) & (
            np.abs(a - b) <= max(LOOSE * eps, 4 * coarse) * (np.abs(b) + largest) + (4 * eps if cancels else 1e-37))
    if not good.all():
        return "nan" if np.isnan(b[~good]).all() else "value", f"{_few(a)} for {_few(b)}"
    if (np.signbit(a) != np.signbit(b))[(a == 0) & (b == 0)].any():
        return "zero", f"{_few(a)} for {_few(b)}"
    return None


def _few(a):
    return np.array2string(a[:6], precision=6, separator=" ").replace("\n", "") + ("..." if a.size > 6 else "")
