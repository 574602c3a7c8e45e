"""Covariances and correlations of variables, of which an array holds observations.

Tests: `tests/numpy/test_averages.py`.
"""

from __future__ import annotations

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.messages.errors import message
from ..core.types import Array, aval_of
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import AT_ONCE, replayed
from . import products, reductions, ufuncs
from .axes import operand
from .diagonals import diag
from .fills import full, zeros
from .joining import concatenate
from .moments import average
from .promotion import check_arraylike, convert, promote_inexact
from .shapes import atleast_2d

__all__ = ["corrcoef", "cov"]


@replayed(compiles_after=AT_ONCE)
@inner_jit(static_argnames=("rowvar", "bias", "ddof", "dtype"))
def cov(
    m, y=None, rowvar: bool = True, bias: bool = False, ddof: int | None = None, fweights=None, aweights=None,
    dtype=None,
) -> Array:
    """Return the covariances of variables.

    Args:
      m: observations, `[variables, observations]`, or of one variable, `[observations]`.
      y: more variables, like `m`.
      rowvar: each row is a variable; else each column.
      bias: divide by the number of observations, not by one less.
      ddof: how many less, whatever `bias` says.
      fweights: how often each observation was made, integers `[observations]`.
      aweights: how much each observation counts, `[observations]`.
      dtype: of the result; default the inexact dtype of the operands.
    Returns:
      `[variables, variables]`, or a scalar for one variable.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      ValueError: operands with more than two axes.
      TypeError: frequencies that are not integers.

    >>> jnp.cov(jnp.array([[1., 2., 3.], [3., 2., 1.]]))
    Array([[ 1., -1.],
           [-1.,  1.]], dtype=float32)
    """
    arrays = promote_inexact("cov", *((m,) if y is None else (m, y)))
    for name, x in zip("my", arrays):
        if aval_of(x).ndim > 2:
            raise ValueError(
                message(f"{name} has more than 2 dimensions", fix="x.reshape(len(x), -1), with a row for each variable")
            )
    x = _variables(arrays[0], rowvar)
    if y is not None:
        x = concatenate([x, _variables(arrays[1], rowvar)], axis=0)
    dtype = _inexact("cov", dtype)
    x = convert(x, x.dtype if dtype is None else dtype)
    if not x.shape[0]:
        return zeros((0, 0))  # JAX parity: of the default dtype
    if not x.shape[1]:
        return full((x.shape[0],) * 2, np.nan, x.dtype).squeeze()
    ddof = (0 if bias else 1) if ddof is None else ddof
    weights, relative = _weights(x, fweights, aweights)
    mean, total = average(x, axis=1, weights=weights, returned=True)
    total = total[0]
    if weights is None:
        count = x.shape[1] - ddof
    elif not ddof:
        count = total
    elif relative is None:
        count = total - ddof
    else:
        count = total - ddof * reductions.sum(weights * relative) / total
    x = x - mean[:, None]
    other = (x if weights is None else x * weights[None, :]).T
    other = ufuncs.conj(other) if dtypes.issubdtype(x.dtype, np.complexfloating) else other
    return (products.dot(x, other) / count).squeeze()


def _inexact(name: str, dtype):
    """Return a dtype that a user asked for, or None; ValueError if it is one of integers."""
    if dtype is None:
        return None
    found = dtypes.check_user_dtype_supported(dtype, name)
    if not dtypes.issubdtype(found, np.inexact):
        raise ValueError(f"{name}: dtype must be a subclass of float or complex; got dtype={found.name!r}")
    return found


def _variables(x, rowvar: bool) -> Array:
    two = atleast_2d(x)
    return two if rowvar or aval_of(x).ndim == 1 else two.T


def _weights(x, fweights, aweights):
    """Return the weight of each observation, and that part of it that `aweights` gives; None where there is none."""
    parts = {}
    for name, weights in (("fweights", fweights), ("aweights", aweights)):
        if weights is None:
            continue
        weights = operand("cov", weights)
        if weights.ndim != 1:
            raise RuntimeError(f"cannot handle multidimensional {name}")
        if weights.shape[0] != x.shape[1]:
            raise RuntimeError(
                message(
                    f"incompatible numbers of samples and {name}",
                    fix="a weight for each sample, jnp.ones(x.shape[-1])",
                )
            )
        if name == "fweights" and not dtypes.issubdtype(weights.dtype, np.integer):
            raise TypeError(
                message(
                    "fweights must be integer.",
                    fix="fweights.astype(int), or aweights= for weights that are no counts",
                )
            )
        parts[name] = ufuncs.abs(weights)
    relative = parts.get("aweights")
    if len(parts) == 2:
        return parts["fweights"] * relative, relative
    return next(iter(parts.values()), None), relative


@replayed(compiles_after=AT_ONCE)
@inner_jit(static_argnames=("rowvar", "dtype"))
def corrcoef(x, y=None, rowvar: bool = True, dtype=None) -> Array:
    """Return the correlations of variables: covariances divided by both standard deviations, from -1 to 1.

    Args:
      x: observations, `[variables, observations]`, or of one variable, `[observations]`.
      y: more variables, like `x`.
      rowvar: each row is a variable; else each column.
      dtype: of the result; default the inexact dtype of the operands.
    Returns:
      `[variables, variables]`, with ones on the diagonal, or a scalar for one variable.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      ValueError: operands with more than two axes.

    >>> jnp.corrcoef(jnp.array([[1., 2., 3.], [3., 2., 1.]]))
    Array([[ 1., -1.],
           [-1.,  1.]], dtype=float32)
    """
    check_arraylike("corrcoef", *((x,) if y is None else (x, y)))
    dtype = _inexact("corrcoef", dtype)
    c = cov(x, y, rowvar, dtype=dtype)
    if not c.shape:
        return c / c
    size = convert(ufuncs.sqrt(ufuncs.real(diag(c))), c.dtype)
    c = c / size[:, None] / size[None, :]
    if not dtypes.issubdtype(c.dtype, np.complexfloating):
        return ufuncs.clip(c, -1, 1)
    return lax.complex(ufuncs.clip(ufuncs.real(c), -1, 1), ufuncs.clip(ufuncs.imag(c), -1, 1))
