"""Random bits from the block generators of the platform, and how gamma-distributed numbers vary.

`adjoint.random` is what most programs want.

Tests: `tests/lax/test_staging.py`.
"""

from __future__ import annotations

import numpy as np

from ..core import dtypes
from ..core.types import Array
from ..prims import bit_generator, random_gamma
from ..prims.bit_generator import RandomAlgorithm

__all__ = ["RandomAlgorithm", "random_gamma_grad", "rng_bit_generator", "rng_uniform"]


def rng_bit_generator(
    key, shape, dtype=np.uint32, algorithm=RandomAlgorithm.RNG_DEFAULT, *, out_sharding=None
) -> tuple[Array, Array]:
    """Return the state after, and random bits.

    Args:
      key: the state, ``uint32[4]`` or ``uint64[2]``.
      shape, dtype: of the bits; an unsigned dtype.
      algorithm: a `RandomAlgorithm`; the default is Philox.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      The next state, and the bits.
    Raises:
      TypeError: another state or dtype.

    >>> _, bits = lax.rng_bit_generator(jnp.array([0, 1, 2, 3], dtype="uint32"), (2,))
    >>> bits
    Array([ 895509795, 3230209149], dtype=uint32)
    """
    dtype = dtypes.check_user_dtype_supported(dtype, "rng_bit_generator")
    shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    return tuple(
        bit_generator.rng_bit_generator(
            key, shape=shape, dtype=dtype, algorithm=RandomAlgorithm(algorithm), out_sharding=out_sharding
        )
    )


def rng_uniform(a, b, shape) -> Array:
    """Return numbers from `a` up to `b`, different in every run and every call.

    Args:
      a, b: scalars of one dtype, an integer or real one.
      shape: of the result.
    Returns:
      Numbers of the dtype of `a` and `b`, in an array of that shape.
    Raises:
      ValueError: `a` and `b` are not scalars of one dtype.

    >>> lax.rng_uniform(0., 1., (2,)).shape
    (2,)
    """
    return bit_generator.rng_uniform(a, b, shape=tuple(shape))


def random_gamma_grad(a, x) -> Array:
    """Return the derivative of a gamma-distributed sample with respect to its shape parameter, elementwise.

    `random.gamma` is differentiated with it: `x` is taken as a function of `a` at a fixed quantile.

    Args:
      a: array or scalar (floating), the positive shape parameter.
      x: array or scalar of its dtype, a sample.
    Returns:
      An array of their shape and dtype.
    Raises:
      TypeError: `a` is not an array or scalar of real floats, or shapes do not broadcast; lists are not converted.

    >>> print(lax.random_gamma_grad(2.0, 1.0))
    0.7507787
    """
    return random_gamma.random_gamma_grad(a, x, log_space=False)
