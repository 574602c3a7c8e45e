"""`adjoint.scipy.cluster.vq`: vector quantization.

Tests: `tests/scipy/test_signals.py`.
"""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.messages.errors import message
from ...core.types import Array
from ...numpy.promotion import check_arraylike, promote_inexact

__all__ = ["vq"]


def vq(obs, code_book, check_finite: bool = True) -> tuple[Array, Array]:
    """Return the nearest code of each observation, and its distance.

    Args:
      obs: `[m, n]`, or `[m]`.
      code_book: `[k, n]`, or `[k]`.
      check_finite: has no effect.
    Returns:
      (integers `[m]`, distances `[m]`).
    Raises:
      ValueError: the arrays are not both of one axis or both of two.

    >>> vq(jnp.array([0.9]), jnp.array([0., 1.]))[0]
    Array([1], dtype=int32)
    """
    check_arraylike("scipy.cluster.vq.vq", obs, code_book)
    if jnp.ndim(obs) != jnp.ndim(code_book):
        raise ValueError(
            message(
                "Observation and code_book should have the same rank",
                fix="obs[:, None] for observations of one feature",
            )
        )
    obs, code_book = map(jnp.asarray, promote_inexact("vq", obs, code_book))
    if obs.ndim == 1:
        obs, code_book = obs[:, None], code_book[:, None]
    if obs.ndim != 2:
        raise ValueError("ndim different than 1 or 2 are not supported")
    distances = jnp.linalg.norm(obs[:, None, :] - code_book[None], axis=-1)
    code = jnp.argmin(distances, axis=-1)
    return code, jnp.take_along_axis(distances, code[:, None], axis=-1)[:, 0]

public(globals())
