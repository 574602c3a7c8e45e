"""Tokens: values without content, which order effects.

Tests: `tests/lax/test_staging.py`.
"""

from __future__ import annotations

import numpy as np

from ..dtypes import float0
from ..types import AbstractValue, ShapedArray

__all__ = ["AbstractToken", "Token", "abstract_token"]


class AbstractToken(AbstractValue):
    """The type of a token.

    >>> from adjoint.extend.core import AbstractToken
    >>> typeof(lax.create_token()), isinstance(typeof(lax.create_token()), AbstractToken)
    (AbstractToken(), True)
    """

    __slots__ = ()

    shape = ()
    ndim = size = 0
    dtype = float0
    weak_type = False

    def str_short(self, short_dtypes=False, **_) -> str:
        """Return the type as text.

        Args:
          short_dtypes: for compatibility with types of arrays; not read.
          _: likewise.
        """
        return "Tok"

    def to_tangent_aval(self) -> ShapedArray:
        """Return the type of tangents: that of no number."""
        return ShapedArray((), float0)

    def update(self, **_) -> AbstractToken:
        """Return itself: a token is on no device, and varies over no axis.

        Args:
          _: fields of types of arrays, which it has not.
        """
        return self

    def __repr__(self):
        return "AbstractToken()"

    __str__ = str_short


abstract_token = AbstractToken()


class Token:
    """Stands for a moment in the order of effects.

    Args:
      buf: an array that is computed at that moment; default, the moment has come.

    >>> from adjoint.extend.core import Token
    >>> Token(jnp.ones(2)).block_until_ready()
    """

    def __init__(self, buf=None):
        self._buf = buf

    def block_until_ready(self) -> None:
        """Wait until what the token stands for has happened."""
        if self._buf is not None:
            self._buf.block_until_ready()

    def __array__(self, dtype=None, copy=None):
        return np.zeros((), float0)  # what programs are given for it
