"""Matrices of a known structure: `toeplitz`, `hankel`, `block_diag`, `hilbert`, ...

Those that depend on a size only are computed by SciPy, with exact integers where it has them.

Tests: `tests/scipy/test_linalg.py`.
"""

from __future__ import annotations

import operator
from math import ceil
from typing import Any

import numpy as np

from .. import lax
from .. import numpy as jnp
from ..core import dtypes
from ..core.messages.boundaries import public
from ..core.messages.errors import message
from ..core.types import Array
from ..numpy.promotion import check_arraylike, convert, of_one_dtype
from ..transforms.jit.jit import inner_jit

__all__ = [
    "block_diag", "circulant", "companion", "convolution_matrix", "dft", "fiedler", "fiedler_companion", "hadamard",
    "hankel", "helmert", "hilbert", "invhilbert", "invpascal", "leslie", "pascal", "toeplitz",
]


def _vectors(name: str, x, least: int = 0, argument: str = "") -> Array:
    check_arraylike(name, x)
    x = jnp.atleast_1d(x)
    if x.shape[-1] < least:
        raise ValueError(
            f"The length of {argument} along the last axis must be at least {least}; got shape {x.shape}."
        )
    return x


def _with_batches(*vectors) -> tuple[Array, ...]:
    """Vectors of one batch, to which theirs broadcast."""
    batch = jnp.broadcast_shapes(*(x.shape[:-1] for x in vectors))
    return tuple(jnp.broadcast_to(x, (*batch, x.shape[-1])) for x in vectors)


@inner_jit
def block_diag(*arrs) -> Array:
    """Return matrices along the diagonal of a larger one, with zeros elsewhere.

    Args:
      arrs: scalars, vectors (one row) or matrices; they promote.
    Returns:
      A matrix whose lengths are the sums of theirs, of the dtype to which theirs promote.
    Raises:
      ValueError: one has more than two axes.

    >>> block_diag(jnp.ones((1, 2)), 3.)
    Array([[1., 1., 0.],
           [0., 0., 3.]], dtype=float32)
    """
    blocks = [jnp.atleast_2d(a) for a in of_one_dtype("block_diag", *(arrs or (jnp.zeros((1, 0)),)))]
    if any(a.ndim > 2 for a in blocks):
        bad = [i for i, a in enumerate(blocks) if a.ndim > 2]
        raise ValueError(
            message(
                f"Arguments to jax.scipy.linalg.block_diag must have at most 2 dimensions, got {arrs} "
                f"at argument {bad}.",
                fix="block_diag(*x) for the matrices of a stack",
            )
        )
    zero = blocks[0].dtype.type(0)
    total = sum(a.shape[1] for a in blocks)
    rows, before = [], 0
    for a in blocks:
        rows.append(lax.pad(a, zero, ((0, 0, 0), (before, total - before - a.shape[1], 0))))
        before += a.shape[1]
    return jnp.concatenate(rows)


def toeplitz(c, r=None) -> Array:
    """Return matrices with constant diagonals.

    Args:
      c: the first column, `[..., n]`.
      r: the first row, `[..., m]`, its first element unused; default conj(c). Batches broadcast.
    Returns:
      `[..., n, m]`. The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: `c` is not an array or scalar; lists are not converted.

    >>> toeplitz(jnp.array([1, 2]), jnp.array([1, 5, 6]))
    Array([[1, 5, 6],
           [2, 1, 5]], dtype=int32)
    """
    c = _vectors("toeplitz", c)
    r = jnp.conj(c) if r is None else _vectors("toeplitz", r)
    c, r = _with_batches(c, r)
    n, m = c.shape[-1], r.shape[-1]
    if not n or not m:
        return jnp.zeros((*c.shape[:-1], n, m), jnp.promote_types(c.dtype, r.dtype))
    every = jnp.concatenate([c[..., ::-1], r[..., 1:]], axis=-1)
    return every[..., np.arange(n - 1, -1, -1)[:, None] + np.arange(m)].astype(every.dtype)


def hankel(c, r=None) -> Array:
    """Return matrices with constant anti-diagonals.

    Args:
      c: the first column, `[..., n]`.
      r: the last row, `[..., m]`, its first element unused; default zeros. Batches broadcast.
    Returns:
      `[..., n, m]`. The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: `c` is not an array or scalar; lists are not converted.

    >>> hankel(jnp.array([1, 2]), jnp.array([2, 3]))
    Array([[1, 2],
           [2, 3]], dtype=int32)
    """
    check_arraylike("hankel", c)
    if not jnp.ndim(c):
        raise ValueError(message("hankel: c must be at least 1-dimensional, got a scalar.", fix="hankel([c])"))
    if r is not None and not jnp.ndim(r):
        raise ValueError(message("hankel: r must be at least 1-dimensional, got a scalar.", fix="hankel(c, [r])"))
    c = _vectors("hankel", c)
    r = jnp.zeros_like(c) if r is None else _vectors("hankel", r)
    c, r = _with_batches(c, r)
    n, m = c.shape[-1], r.shape[-1]
    every = jnp.concatenate([c, r[..., 1:]], axis=-1)
    return every[..., np.arange(n)[:, None] + np.arange(m)].astype(every.dtype)


def circulant(c) -> Array:
    """Return square matrices whose columns are the first one, turned.

    Args:
      c: the first column, `[..., n]`.
    Returns:
      `[..., n, n]`. The dtype is that of `c`.
    Raises:
      TypeError: `c` is not an array or scalar; lists are not converted.

    >>> circulant(jnp.array([1, 2, 3]))
    Array([[1, 3, 2],
           [2, 1, 3],
           [3, 2, 1]], dtype=int32)
    """
    c = _vectors("circulant", c)
    n = c.shape[-1]
    return c[..., (np.arange(n)[:, None] - np.arange(n)) % n]


def companion(a) -> Array:
    """Return the matrix whose characteristic polynomial has these coefficients, the highest first.

    Args:
      a: `[n]`, n >= 2, the first not zero.
    Returns:
      `[n - 1, n - 1]`, floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> companion(jnp.array([1., -3., 2.]))
    Array([[ 3., -2.],
           [ 1.,  0.]], dtype=float32)
    """
    a = _vectors("companion", a, 2, "`a`")
    n = a.shape[-1] - 1
    first = -(a[..., 1:] / a[..., :1])
    rest = jnp.broadcast_to(jnp.eye(n - 1, n, dtype=first.dtype), (*a.shape[:-1], n - 1, n))
    return jnp.concatenate([first[..., None, :], rest], axis=-2)


@inner_jit(static_argnames=("n", "mode"))
def convolution_matrix(a, n: int, mode: str = "full") -> Array:
    """Return the matrix that convolves vectors of length n with `a`.

    Args:
      a: `[m]`.
      n: the length of the vectors.
      mode: "full", "same" or "valid", as in `convolve`.
    Returns:
      `[k, n]`, where k is the length of the convolution: ``m + n - 1`` in the mode "full". The dtype is that of `a`.
    Raises:
      TypeError: `a` is a list, or `n` is no integer.
      ValueError: `a` is a scalar, `n` is not positive, or `mode` is not known.

    >>> convolution_matrix(jnp.array([1, 2]), 2)
    Array([[1, 0],
           [2, 1],
           [0, 2]], dtype=int32)
    """
    if not jnp.ndim(a):
        raise ValueError("convolution_matrix: a must be at least 1-dimensional, got a scalar.")
    a = _vectors("convolution_matrix", a)
    if not a.shape[-1]:
        raise ValueError(message(f"len(a) must be at least 1; got shape {a.shape}.", fix="an array that is not empty"))
    n = int(n)
    if n <= 0:
        raise ValueError(message(f"n must be a positive integer; got n={n}", fix="n=len(a)"))
    if mode not in ("full", "valid", "same"):
        raise ValueError(f"mode must be one of ('full', 'valid', 'same'); got mode={mode!r}")
    m = a.shape[-1]
    widths = ((0, 0),) * (a.ndim - 1) + ((0, n - 1),)
    full = toeplitz(jnp.pad(a, widths), jnp.zeros((*a.shape[:-1], n), a.dtype).at[..., 0].set(a[..., 0]))
    if mode == "full":
        return full
    start = (min(m, n) - 1) // 2 if mode == "same" else min(m, n) - 1
    count = max(m, n) if mode == "same" else max(m, n) - min(m, n) + 1
    return full[..., start : start + count, :]


def fiedler(a) -> Array:
    """Return the symmetric matrix of the distances of numbers.

    Args:
      a: `[..., n]`.
    Returns:
      `[..., n, n]`: element i, j is the size of the difference of numbers i and j.
      The dtype is that of the numbers, of complex ones the real one of their size.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> fiedler(jnp.array([1, 4]))
    Array([[0, 3],
           [3, 0]], dtype=int32)
    """
    a = _vectors("fiedler", a)
    return jnp.abs(a[..., :, None] - a[..., None, :])


def fiedler_companion(a) -> Array:
    """Return a matrix with five diagonals whose characteristic polynomial has these coefficients, the highest first.

    Args:
      a: `[..., n]`, n >= 1, the first not zero.
    Returns:
      `[..., n - 1, n - 1]`. The dtype is that of `a`; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
    Source: Fiedler, "A note on companion matrices" (2003).

    >>> fiedler_companion(jnp.array([1., -3., 2.]))
    Array([[ 3., -2.],
           [ 1.,  0.]], dtype=float32)
    """
    check_arraylike("fiedler_companion", a)
    a = jnp.atleast_1d(a)
    if not a.shape[-1]:
        raise ValueError(
            "fiedler_companion requires the last axis of 'a' to have nonzero length, but got an array of shape "
            f"{a.shape}."
        )
    n = a.shape[-1] - 1
    if n == 0:
        return convert(jnp.zeros((*a.shape[:-1], 0, 0)), dtypes.to_inexact_dtype(a.dtype), a.weak_type)
    ratios = -(a / a[..., :1])
    # The even rows hold coefficients of even and odd orders side by side, the odd columns ones beside them.
    places = {(0, 0): 1}
    for i in range(0, n - 1, 2):
        places[i, i + 1] = i + 2
    for i in range(2, n, 2):
        places[i, i - 1] = i + 1
    ones = [(1, 0)] if n > 1 else []
    ones += [(i, i + 2) for i in range(0, n - 2, 2)] + [(i, i - 2) for i in range(3, n, 2)]
    out = jnp.zeros((*a.shape[:-1], n, n), ratios.dtype)
    rows, columns = np.array(list(places)).T
    out = out.at[..., rows, columns].set(ratios[..., np.array(list(places.values()))])
    return out.at[..., [i for i, _ in ones], [j for _, j in ones]].set(1) if ones else out


def leslie(f, s) -> Array:
    """Return the matrix of a population model: fecundities in the first row, survivals below the diagonal.

    Args:
      f: `[..., n]`, n >= 2.
      s: `[..., n - 1]`.
    Returns:
      `[..., n, n]`. The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: `f` is not a function.

    >>> leslie(jnp.array([0., 2.]), jnp.array([0.5]))
    Array([[0. , 2. ],
           [0.5, 0. ]], dtype=float32)
    """
    check_arraylike("leslie", f, s)
    f, s = _vectors("leslie", f, 2, "f"), _vectors("leslie", s)
    n = f.shape[-1]
    if s.shape[-1] != n - 1:
        raise ValueError(
            "Incorrect lengths for f and s. The length of s along the last axis must be one less than the length of f; "
            f"got f shape {f.shape} and s shape {s.shape}."
        )
    f, s = _with_batches(f, s)
    below = jnp.where(np.eye(n - 1, n, dtype=bool), s[..., :, None], 0)
    return jnp.concatenate([f[..., None, :], below], axis=-2)


# ---- of a size only ------------------------------------------------------------------------------


def _whole(name: str, n) -> int:
    """Return the number of rows as an int; TypeError if it is a fraction."""
    if n != int(n):
        raise TypeError(message(f"a matrix has no {n} rows.", fix=f"{name}({ceil(n)})"))
    return int(n)


def _of_size(name: str, *args, dtype=None, **options) -> Array:
    from scipy import linalg

    out = np.asarray(getattr(linalg, name)(*args, **options))
    return jnp.asarray(out, dtype=dtypes.canonicalize_dtype(out.dtype) if dtype is None else dtype)


@inner_jit(static_argnames=("n",))
def hilbert(n: int) -> Array:
    """Return the n x n matrix of 1 / (i + j + 1).

    Args:
      n: the number of rows.
    Returns:
      `[n, n]`, floats.
    Raises:
      TypeError: `n` is not an integer.

    >>> hilbert(2)[1, 0]
    Array(0.5, dtype=float32)
    """
    if n < 0:
        raise TypeError(message(f"a matrix has no {n} rows.", fix="hilbert(3)"))
    return _of_size("hilbert", operator.index(n))


@inner_jit(static_argnames=("n",))
def invhilbert(n: int) -> Array:
    """Return the inverse of `hilbert(n)`, whose elements are whole numbers.

    Args:
      n: the number of rows.
    Returns:
      `[n, n]`, floats.
    Raises:
      TypeError: `n` is not an integer.

    >>> invhilbert(2)[0, 0]
    Array(4., dtype=float32)
    """
    return _of_size("invhilbert", max(_whole("invhilbert", n), 0))


@inner_jit(static_argnames=("n", "kind"))
def pascal(n: int, kind: str | None = None) -> Array:
    """Return the n x n matrix of binomial coefficients.

    Args:
      n: the number of rows.
      kind: "symmetric" (None), "lower" or "upper".
    Returns:
      `[n, n]`, floats.
    Raises:
      ValueError: there is no such kind.

    >>> pascal(3)[2, 2]
    Array(6., dtype=float32)
    """
    # JAX parity: float32 in every mode, test_values
    return _of_size("pascal", ceil(n), kind=kind or "symmetric", exact=False, dtype=dtypes.float32)


@inner_jit(static_argnames=("n", "kind"))
def invpascal(n: int, kind: str | None = None) -> Array:
    """Return the inverse of `pascal(n, kind)`, whose elements are whole numbers.

    Args:
      n: the number of rows.
      kind: "symmetric" (None), "lower" or "upper".
    Returns:
      `[n, n]`, floats.
    Raises:
      ValueError: there is no such kind.

    >>> invpascal(2)[0, 0]
    Array(2., dtype=float32)
    """
    return _of_size("invpascal", max(ceil(n), 0), kind=kind or "symmetric", exact=False)


@inner_jit(static_argnames=("n", "dtype"))
def hadamard(n: int, dtype: Any = int) -> Array:
    """Return the n x n matrix of orthogonal rows of 1 and -1.

    Args:
      n: a power of two.
      dtype: of the result.
    Returns:
      `[n, n]`. The dtype is `dtype`.
    Raises:
      ValueError: `n` is no power of two.

    >>> hadamard(2)
    Array([[ 1,  1],
           [ 1, -1]], dtype=int32)
    """
    if n < 1 or n != int(n) or int(n) & (int(n) - 1):
        fix = f"hadamard({1 << max(int(n), 1).bit_length()})"
        raise ValueError(message(f"n must be a positive power of 2; got {n}.", fix=fix))
    return _of_size("hadamard", int(n), dtype=dtypes.canonicalize_dtype(np.dtype(dtype)))


@inner_jit(static_argnames=("n", "full"))
def helmert(n: int, full: bool = False) -> Array:
    """Return the orthogonal matrix of Helmert's contrasts: differences from the mean of the numbers before.

    Args:
      n: the length of the rows.
      full: begin with the row of equal elements.
    Returns:
      `[n - 1, n]`, or `[n, n]` if it is full. The dtype is the default float.
    Raises:
      TypeError: `n` is not an integer.

    >>> helmert(2).round(3)
    Array([[ 0.707, -0.707]], dtype=float32)
    """
    if n < 1:
        raise ValueError(message(f"n must be a positive integer; got {n}.", fix="helmert(2)"))
    return _of_size("helmert", ceil(n), full=full)


@inner_jit(static_argnames=("n", "scale", "dtype"))
def dft(n: int, scale: str | None = None, *, dtype: Any = None) -> Array:
    """Return the matrix of the discrete Fourier transform.

    Args:
      n: the length of the transformed vectors.
      scale: what it is divided by: None, "sqrtn" or "n".
      dtype: a complex dtype.
    Returns:
      `[n, n]`, complex.
    Raises:
      TypeError: `n` is not an integer.
      ValueError: `dtype` is not complex.

    >>> dft(2).real
    Array([[ 1.,  1.],
           [ 1., -1.]], dtype=float32)
    """
    if dtype is not None and not dtypes.issubdtype(dtype := np.dtype(dtype), np.complexfloating):
        raise ValueError(message(f"dtype must be a complex floating-point type; got {dtype}.", fix="dft(n).real"))
    return _of_size("dft", _whole("dft", n), scale=scale, dtype=dtype)

public(globals())
