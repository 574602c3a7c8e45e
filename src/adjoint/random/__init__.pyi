# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
from adjoint.typing import DTypeLike
from collections.abc import Sequence
from typing import Any
from typing import NewType
Key: NewType
"""A name for annotations: an array of random keys.

Args:
  x: any value.
Returns:
  The same value: it says something to type checkers alone.

>>> def noise(key: random.Key) -> Array:
...     return random.normal(key)
"""
def PRNGKey(seed: int | ArrayLike, *, impl: Any = None) -> Array:
    """Make a raw random key, an array of uint32, of a seed; `key` makes a typed one.

    Args:
      seed: an integer, or a scalar integer array.
      impl: the generator, by name.
    Returns:
      A raw key: an array of uint32, of shape (2,), or (4,) of the implementations "rbg" and "unsafe_rbg".
    Raises:
      TypeError: the seed is not an integer, or not a scalar.
      ValueError: there is no generator of that name.

    >>> random.PRNGKey(42)
    Array([ 0, 42], dtype=uint32)
    """
def ball(key: ArrayLike, d: int, p: float = 2, shape: int | Sequence[int | Array] = (), dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return points that are uniformly distributed in the ball of the p-norm with radius 1.

    Args:
      key: a key, typed or raw.
      d: the number of coordinates.
      p: the power of the norm.
      shape: the leading axes of the result.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of shape (*shape, d).
    Raises:
      TypeError: `key` is not a key, or several.
      ValueError: `dtype` is not a float dtype.

    >>> random.ball(random.key(0), 3).shape
    (3,)
    """
def bernoulli(key: ArrayLike, p: ArrayLike = 0.5, shape: int | Sequence[int | Array] | None = None, mode: str = 'low', *, out_sharding: Any = None) -> Array:
    """Return True with probability `p`.

    Args:
      key: a key, typed or raw.
      p: probabilities, of a float dtype, that broadcast to `shape`.
      shape: the shape of the result; by default that of `p`.
      mode: "low" compares with one uniform number; "high" with one of twice the bits, which is right
        for very small probabilities.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Booleans, in an array of that shape, or of the shape of `p`. The dtype is bool.
    Raises:
      TypeError: `p` is not of a float dtype.
      ValueError: the mode is none of these, or the shapes do not fit.

    >>> random.bernoulli(random.key(0), 0.5, (3,))
    Array([False, False,  True], dtype=bool)
    """
def beta(key: ArrayLike, a: ArrayLike, b: ArrayLike, shape: int | Sequence[int | Array] | None = None, dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return numbers with density proportional to x^(a - 1) (1 - x)^(b - 1) for 0 <= x <= 1.

    Args:
      key: a key, typed or raw.
      a, b: arrays that broadcast to `shape`.
      shape: the shape of the result; by default that of the parameters.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several.
      ValueError: `dtype` is not a float dtype.

    >>> random.beta(random.key(0), 1., 2.)
    Array(0.1329..., dtype=float32)
    """
def binomial(key: ArrayLike, n: ArrayLike, p: ArrayLike, shape: int | Sequence[int | Array] | None = None, dtype: DTypeLike | None = None) -> Array:
    """Return numbers of successes in `n` trials of probability `p`.

    Args:
      key: a key, typed or raw.
      n, p: arrays that broadcast to `shape`.
      shape: the shape of the result; by default that of the parameters.
      dtype: a float dtype.
    Returns:
      Whole numbers as floats; NaN where `n` or `p` is out of range.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.binomial(random.key(0), 10, 0.5, (2,))
    Array([6., 7.], dtype=float32)
    """
def bits(key: ArrayLike, shape: int | Sequence[int | Array] = (), dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return random bits, as unsigned integers.

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      dtype: an unsigned integer dtype; uint32 by default, uint64 with 64-bit types on.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      ValueError: the dtype is not unsigned.
      TypeError, ValueError: `key` is not a key, or several.

    >>> random.bits(random.key(42), (3,), "uint8")
    Array([162, 217, 249], dtype=uint8)
    """
def categorical(key: ArrayLike, logits: ArrayLike, axis: int = -1, shape: int | Sequence[int | Array] | None = None, replace: bool = True, mode: str | None = None, *, out_sharding: Any = None) -> Array:
    """Return categories with given logarithms of probabilities.

    Args:
      key: a key, typed or raw.
      logits: logarithms of probabilities, which need not be normalised, with the categories on `axis`.
      axis: the axis of the categories.
      shape: the shape of the result, to which that of `logits` without `axis` broadcasts; its further
        axes in front are samples. By default one sample.
      replace: whether samples may repeat a category.
      mode: "low" or "high", as in `gumbel`.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Indices along `axis`, of the default integer dtype.
    Raises:
      ValueError: shapes do not fit, or there are fewer categories than samples without replacement.

    >>> random.categorical(random.key(0), jnp.log(jnp.array([.1, .2, .7])), shape=(4,))
    Array([1, 2, 2, 1], dtype=int32)
    """
def cauchy(key: ArrayLike, shape: int | Sequence[int | Array] = (), dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return numbers with density 1 / (pi (1 + x^2)).

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.cauchy(random.key(0), (2,))
    Array([ 6.027708, 14.83778 ], dtype=float32)
    """
def chisquare(key: ArrayLike, df: ArrayLike, shape: int | Sequence[int | Array] | None = None, dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return numbers with the chi-squared distribution: sums of `df` squares of normal numbers.

    Args:
      key: a key, typed or raw.
      df: degrees of freedom, an array that broadcasts to `shape`.
      shape: the shape of the result; by default that of `df`.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several.
      ValueError: `dtype` is not a float dtype.

    >>> random.chisquare(random.key(0), 3.)
    Array(2.205..., dtype=float32)
    """
def choice(key: ArrayLike, a: int | ArrayLike, shape: int | Sequence[int | Array] = (), replace: bool = True, p: ArrayLike | None = None, axis: int = 0, mode: str | None = None) -> Array:
    """Return random elements, or slices along an axis, of an array.

    Args:
      key: a key, typed or raw.
      a: an array, or an integer for `arange(a)`.
      shape: the shape of the sample, which takes the place of `axis` in the result.
      replace: whether an element may be chosen again.
      p: the probability of each element; all the same by default.
      axis: the axis along which elements are chosen.
      mode: "low" or "high", as in `gumbel`; used with `p` and without replacement only.
    Returns:
      The chosen elements, in an array of the dtype of `a`, whose axis `axis` is replaced by the axes of `shape`.
    Raises:
      ValueError: there is nothing to choose from, or less than is chosen without replacement; `p` has
        another length than the axis.
      TypeError: `shape` is not a sequence.

    >>> random.choice(random.key(0), jnp.array([10, 20, 30]), (4,))
    Array([20, 10, 30, 20], dtype=int32)
    """
def clone(key: ArrayLike) -> Array:
    """Return the same key, for using it once more on purpose: checks of key reuse count it as a new one.

    Args:
      key: a key, typed or raw.
    Returns:
      The same key.
    Raises:
      TypeError: `key` is not a key, or several.

    >>> random.clone(random.key(42))
    Array((), dtype=key<fry>) overlaying:
    [ 0 42]
    """
def dirichlet(key: ArrayLike, alpha: ArrayLike, shape: int | Sequence[int | Array] | None = None, dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return vectors of probabilities, with density proportional to the product of x_i^(alpha_i - 1).

    Args:
      key: a key, typed or raw.
      alpha: arrays of shape (..., n).
      shape: the leading axes of the result; by default those of `alpha`.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of shape (*shape, n), whose last axis sums to 1. The dtype is `dtype`, by default the default float.
    Raises:
      ValueError: `alpha` is a scalar, or the shapes do not fit.

    >>> random.dirichlet(random.key(0), jnp.ones(3))
    Array([0.364..., 0.428..., 0.206...], dtype=float32)
    """
def double_sided_maxwell(key: ArrayLike, loc: ArrayLike, scale: ArrayLike, shape: int | Sequence[int | Array] = (), dtype: DTypeLike | None = None) -> Array:
    """Return Maxwell-distributed numbers of either sign, scaled and shifted.

    Args:
      key: a key, typed or raw.
      loc, scale: where the centre is, and how wide; their shape is appended to `shape`.
      shape: the leading axes of the result; default the shape of the parameters.
      dtype: a float dtype.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several.
      ValueError: `dtype` is not a float dtype.

    >>> random.double_sided_maxwell(random.key(0), 0., 1.)
    Array(1.5457209, dtype=float32)
    """
def exponential(key: ArrayLike, shape: int | Sequence[int | Array] = (), dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return numbers with density exp(-x) for x >= 0.

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.exponential(random.key(0), (2,))
    Array([2.950118, 3.8436253], dtype=float32)
    """
def f(key: ArrayLike, dfnum: Any, dfden: Any, shape: int | Sequence[int | Array] | None = None, dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return numbers with the F distribution: ratios of chi-squared numbers, each by its degrees of freedom.

    Args:
      key: a key, typed or raw.
      dfnum, dfden: degrees of freedom of numerator and denominator, arrays that broadcast to `shape`.
      shape: the shape of the result; by default that of the parameters.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several.
      ValueError: `dtype` is not a float dtype.

    >>> random.f(random.key(0), 3., 2.)
    Array(3.507..., dtype=float32)
    """
def fold_in(key: ArrayLike, data: ArrayLike) -> Array:
    """Make a new key of a key and a number.

    Args:
      key: a key, typed or raw.
      data: an integer from 0 to 2^32 - 1; that of an array may be traced, and is taken modulo 2^32.
    Returns:
      A key of the kind of `key`.
    Raises:
      TypeError, ValueError: `key` is not a key, or several; `data` is not a scalar.
      ValueError, OverflowError: a Python number is NaN or out of range.

    >>> random.fold_in(random.key(42), 7)
    Array((), dtype=key<fry>) overlaying:
    [2547012911 1371500959]
    """
def gamma(key: ArrayLike, a: ArrayLike, shape: int | Sequence[int | Array] | None = None, dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return numbers with density x^(a - 1) exp(-x) / gamma(a) for x >= 0.

    Args:
      key: a key, typed or raw.
      a: the shape of the distribution, an array that broadcasts to `shape`. The result can be
        differentiated by it.
      shape: the shape of the result; by default that of `a`.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.gamma(random.key(0), 3., (2,))
    Array([2.5691018, 2.784202 ], dtype=float32)
    """
def generalized_normal(key: ArrayLike, p: ArrayLike, shape: int | Sequence[int | Array] = (), dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return numbers with density proportional to exp(-|x|^p).

    Args:
      key: a key, typed or raw.
      p: the power.
      shape: the shape of the result.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several.
      ValueError: `dtype` is not a float dtype.

    >>> random.generalized_normal(random.key(0), 2.)
    Array(0.9542..., dtype=float32)
    """
def geometric(key: ArrayLike, p: ArrayLike, shape: int | Sequence[int | Array] | None = None, dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return how many trials of probability `p` it takes until the first success.

    Args:
      key: a key, typed or raw.
      p: probabilities that broadcast to `shape`.
      shape: the shape of the result; by default that of `p`.
      dtype: an integer dtype; int32 by default, int64 with 64-bit types on.
      out_sharding: how the result is divided, over explicit mesh axes.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.

    >>> random.geometric(random.key(0), 0.3, (3,))
    Array([1, 1, 4], dtype=int32)
    """
def gumbel(key: ArrayLike, shape: int | Sequence[int | Array] = (), dtype: DTypeLike | None = None, mode: str | None = None, *, out_sharding: Any = None) -> Array:
    """Return numbers with the distribution function exp(-exp(-x)).

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      dtype: a float dtype.
      mode: "low" takes one uniform number for each result, so the largest have few bits; "high"
        takes two, which is right in the tail. By default "low", or what the option
        `jax_high_dynamic_range_gumbel` says.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      ValueError: the mode or the dtype is none of these.

    >>> random.gumbel(random.key(0), (2,))
    Array([2.9234805, 3.832845 ], dtype=float32)
    """
def key(seed: int | ArrayLike, *, impl: Any = None, dtype: DTypeLike | None = None) -> Array:
    """Make a random key of a seed.

    Args:
      seed: an integer, or a scalar integer array. Its low 32 bits count; with 64-bit types on, all 64.
      impl: the generator: "threefry2x32" (the default), "rbg", "unsafe_rbg", "philox2x32",
        "philox4x32" or "threefry4x32", or a dtype of keys.
      dtype: the same, as a dtype of keys.
    Returns:
      A scalar array whose dtype is that of the generator's keys.
    Raises:
      TypeError: the seed is not an integer, or not a scalar.
      ValueError: there is no generator of that name.

    >>> random.key(42)
    Array((), dtype=key<fry>) overlaying:
    [ 0 42]
    """
def key_data(keys: Sequence[ArrayLike] | ArrayLike) -> Array:
    """Return the words of keys.

    Args:
      keys: an array of keys of any shape.
    Returns:
      An array of uint32 with the axes of a key last.
    Raises:
      TypeError: `keys` is not an array or scalar; lists are not converted.

    >>> random.key_data(random.key(42))
    Array([ 0, 42], dtype=uint32)
    """
def key_dtype(impl_spec: Any = None) -> Any:
    """Return the dtype of the keys of a generator.

    Args:
      impl_spec: the generator, by name; None for the default one.
    Returns:
      A dtype.
    Raises:
      ValueError: there is no such generator.

    >>> random.key_dtype("rbg")
    key<rbg>
    """
def key_impl(keys: Sequence[ArrayLike] | ArrayLike) -> Any:
    """Return the generator of keys: its name, or a `PRNGSpec` if it was defined by the user.

    Args:
      keys: an array of keys, typed or raw.
    Returns:
      A name, or a `PRNGSpec`.
    Raises:
      TypeError: `keys` is not an array or scalar; lists are not converted.

    >>> random.key_impl(random.key(42))
    'threefry2x32'
    """
def laplace(key: ArrayLike, shape: int | Sequence[int | Array] = (), dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return numbers with density exp(-|x|) / 2.

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.laplace(random.key(0), (2,))
    Array([-2.2569709, -3.150478 ], dtype=float32)
    """
def loggamma(key: ArrayLike, a: ArrayLike, shape: int | Sequence[int | Array] | None = None, dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return logarithms of gamma-distributed numbers, exact for small `a`, where the numbers underflow.

    Args:
      key: a key, typed or raw.
      a: the shape of the distribution, an array that broadcasts to `shape`.
      shape: the shape of the result; by default that of `a`.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.loggamma(random.key(0), 1e-3, (2,))
    Array([-110.61791,  -95.54807], dtype=float32)
    """
def logistic(key: ArrayLike, shape: int | Sequence[int | Array] = (), dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return numbers with the distribution function 1 / (1 + exp(-x)).

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.logistic(random.key(0), (2,))
    Array([2.8963692, 3.8219738], dtype=float32)
    """
def lognormal(key: ArrayLike, sigma: ArrayLike = ..., shape: int | Sequence[int | Array] | None = None, dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return numbers whose logarithm is normally distributed, with mean 0.

    Args:
      key: a key, typed or raw.
      sigma: the standard deviation of the logarithm, an array that broadcasts to `shape`.
      shape: the shape of the result; by default that of `sigma`.
      dtype: a float or complex dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several.
      ValueError: `dtype` is not a float dtype.

    >>> random.lognormal(random.key(0), shape=(2,))
    Array([5.066459, 7.578117], dtype=float32)
    """
def maxwell(key: ArrayLike, shape: int | Sequence[int | Array] = (), dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return numbers with density sqrt(2/pi) x^2 exp(-x^2 / 2) for x >= 0: lengths of normal 3-vectors.

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.maxwell(random.key(0), (2,))
    Array([2.6310966, 0.9910329], dtype=float32)
    """
def multinomial(key: ArrayLike, n: ArrayLike, p: ArrayLike, *, shape: int | Sequence[int | Array] | None = None, dtype: DTypeLike | None = None, unroll: int | bool = 1) -> Array:
    """Return how often each of several outcomes occurs in `n` trials.

    Args:
      key: a key, typed or raw.
      n: numbers of trials, an array that broadcasts to `shape[:-1]`.
      p: probabilities of the outcomes on the last axis, an array that broadcasts to `shape`.
      shape: the shape of the result; by default that of `p`.
      dtype: the dtype of the result; a float dtype by default.
      unroll: how many outcomes to treat in one iteration of the loop over them.
    Raises:
      TypeError: `key` is not a key, or several.

    >>> random.multinomial(random.key(0), 5, jnp.ones(3) / 3)
    Array([1., 3., 1.], dtype=float32)
    """
def multivariate_normal(key: ArrayLike, mean: ArrayLike, cov: ArrayLike, shape: int | Sequence[int | Array] | None = None, dtype: DTypeLike | None = None, method: str = 'cholesky', *, out_sharding: Any = None) -> Array:
    """Return vectors with a normal distribution.

    Args:
      key: a key, typed or raw.
      mean: arrays of shape (..., n).
      cov: symmetric positive definite matrices of shape (..., n, n).
      shape: the leading axes of the result; by default those of `mean` and `cov`.
      dtype: a float dtype; by default that of the parameters.
      method: how a root of `cov` is found: "cholesky", "eigh" or "svd", which also take semidefinite
        matrices.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of shape (*shape, n).
      The dtype is `dtype`, by default the one to which those of `mean` and `cov` promote.
    Raises:
      ValueError: the shapes do not fit, or there is no such method.

    >>> random.multivariate_normal(random.key(0), jnp.zeros(2), jnp.eye(2))
    Array([1.6226422, 2.0252647], dtype=float32)
    """
def normal(key: ArrayLike, shape: int | Sequence[int | Array] = (), dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return numbers with the standard normal distribution.

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      dtype: a float or complex dtype; float32 by default, float64 with 64-bit types on. The real and
        imaginary parts of complex numbers have variance 1/2 each.
      out_sharding: how the result is divided, over explicit mesh axes.
    Raises:
      ValueError: the dtype is not a float or complex dtype.
      TypeError, ValueError: `key` is not a key, or several.
    Returns:
      An array of that shape and dtype. The same key, shape and dtype give the same numbers, everywhere.
    See also: `multivariate_normal`, `truncated_normal`, `uniform`, `split`.

    >>> random.normal(random.key(0), (3,))
    Array([ 1.6226422,  2.0252647, -0.4335944], dtype=float32)
    """
def orthogonal(key: ArrayLike, n: int, shape: int | Sequence[int | Array] = (), dtype: DTypeLike | None = None, m: int | None = None, *, out_sharding: Any = None) -> Array:
    """Return orthogonal (or unitary) matrices, uniformly distributed.

    Args:
      key: a key, typed or raw.
      n, m: the numbers of rows and columns; m is n by default. If they differ, the rows or the columns
        are orthonormal, whichever are fewer.
      shape: the leading axes of the result.
      dtype: a float or complex dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of shape (*shape, n, m). The dtype is the default float, unless `dtype` says another.
    Raises:
      ValueError: `n` or `m` is negative.

    >>> random.orthogonal(random.key(0), 2).shape
    (2, 2)
    """
def pareto(key: ArrayLike, b: ArrayLike, shape: int | Sequence[int | Array] | None = None, dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return numbers with density b x^(-b - 1) for x >= 1.

    Args:
      key: a key, typed or raw.
      b: array that broadcasts to `shape`.
      shape: the shape of the result; by default that of `b`.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.pareto(random.key(0), 2., (2,))
    Array([4.3713155, 6.832648 ], dtype=float32)
    """
def permutation(key: ArrayLike, x: int | ArrayLike, axis: int = 0, independent: bool = False, *, out_sharding: Any = None) -> Array:
    """Return a random permutation of an array along an axis, or of the integers below a number.

    Args:
      key: a key, typed or raw.
      x: an array, or an integer for `arange(x)`.
      axis: the axis that is permuted.
      independent: permute each slice along `axis` by itself, instead of all alike.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of the shape and dtype of `x`, or of integers.
    Raises:
      TypeError: `x` is a float.
      ValueError: there is no such axis.

    >>> random.permutation(random.key(0), 5)
    Array([0, 1, 4, 3, 2], dtype=int32)
    """
def poisson(key: ArrayLike, lam: ArrayLike, shape: int | Sequence[int | Array] | None = None, dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return numbers of events that occur at a mean rate.

    Args:
      key: a key of the generator threefry2x32.
      lam: mean numbers, an array that broadcasts to `shape`.
      shape: the shape of the result; by default that of `lam`.
      dtype: an integer dtype; int32 by default, int64 with 64-bit types on.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      NotImplementedError: the key is of another generator.

    >>> random.poisson(random.key(0), 3., (4,))
    Array([0, 0, 4, 4], dtype=int32)
    """
def rademacher(key: ArrayLike, shape: int | Sequence[int | Array] = (), dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return -1 or 1, with equal probability.

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      dtype: any dtype; int32 by default, int64 with 64-bit types on.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.

    >>> random.rademacher(random.key(0), (3,))
    Array([-1, -1,  1], dtype=int32)
    """
def randint(key: ArrayLike, shape: int | Sequence[int | Array], minval: ArrayLike, maxval: ArrayLike, dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return integers that are uniformly distributed in [minval, maxval).

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      minval, maxval: integers, or arrays of integers, that broadcast to `shape`. Where the interval is
        empty, the result is `minval`.
      dtype: an integer dtype; int32 by default, int64 with 64-bit types on.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: the dtype is not an integer dtype.
      OverflowError: a bound is a Python integer that the default integer dtype cannot hold.

    >>> random.randint(random.key(0), (3,), 0, 10)
    Array([9, 0, 2], dtype=int32)
    """
from adjoint.lax import random_gamma_p as random_gamma_p
def rayleigh(key: ArrayLike, scale: ArrayLike, shape: int | Sequence[int | Array] | None = None, dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return numbers with density x exp(-x^2 / (2 scale^2)) / scale^2 for x >= 0.

    Args:
      key: a key, typed or raw.
      scale: array that broadcasts to `shape`.
      shape: the shape of the result; by default that of `scale`.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.rayleigh(random.key(0), 1., (2,))
    Array([0.32787833, 0.20810027], dtype=float32)
    """
def split(key: ArrayLike, num: int | tuple[int, ...] = 2) -> Array:
    """Make new keys of a key.

    Args:
      key: a key, typed or raw.
      num: how many, or the shape of an array of them.
    Returns:
      Keys of the kind of `key`, on `num` axes.
    Raises:
      TypeError, ValueError: `key` is not a key, or several; `num` is not a shape.

    >>> random.split(random.key(42))
    Array((2,), dtype=key<fry>) overlaying:
    [[1832780943  270669613]
     [  64467757 2916123636]]
    """
def t(key: ArrayLike, df: ArrayLike, shape: int | Sequence[int | Array] | None = None, dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return numbers with Student's t distribution.

    Args:
      key: a key, typed or raw.
      df: degrees of freedom, an array that broadcasts to `shape`.
      shape: the shape of the result; by default that of `df`.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several.
      ValueError: `dtype` is not a float dtype.

    >>> random.t(random.key(0), 3.)
    Array(0.690..., dtype=float32)
    """
def triangular(key: ArrayLike, left: ArrayLike, mode: str | None, right: ArrayLike, shape: int | Sequence[int | Array] | None = None, dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return numbers whose density rises linearly from `left` to `mode` and falls linearly to `right`.

    Args:
      key: a key, typed or raw.
      left, mode, right: arrays that broadcast to `shape`.
      shape: the shape of the result; by default that of the parameters.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.triangular(random.key(0), 0., 1., 2., (2,))
    Array([1.6764786, 1.7930213], dtype=float32)
    """
def truncated_normal(key: ArrayLike, lower: Any, upper: Any, shape: int | Sequence[int | Array] | None = None, dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return numbers with the standard normal distribution, given that they are in (lower, upper).

    Args:
      key: a key, typed or raw.
      lower, upper: bounds that broadcast to `shape`.
      shape: the shape of the result; by default that of the bounds.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.truncated_normal(random.key(0), -1., 1., (2,))
    Array([0.86185926, 0.9412883 ], dtype=float32)
    """
def uniform(key: ArrayLike, shape: int | Sequence[int | Array] = (), dtype: DTypeLike | None = None, minval: ArrayLike = 0.0, maxval: ArrayLike = 1.0, *, out_sharding: Any = None) -> Array:
    """Return numbers that are uniformly distributed in [minval, maxval).

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      dtype: a float dtype; float32 by default, float64 with 64-bit types on.
      minval, maxval: bounds that broadcast to `shape`.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      ValueError: the dtype is not a float dtype.
      TypeError, ValueError: `key` is not a key, or several.

    >>> random.uniform(random.key(0), (3,))
    Array([0.947667 , 0.9785799, 0.3322965], dtype=float32)
    """
def wald(key: ArrayLike, mean: ArrayLike, shape: int | Sequence[int | Array] | None = None, dtype: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return numbers with the inverse Gaussian distribution of scale 1.

    Args:
      key: a key, typed or raw.
      mean: array that broadcasts to `shape`.
      shape: the shape of the result; by default that of `mean`.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.wald(random.key(0), 1., (2,))
    Array([0.3805977, 0.4156653], dtype=float32)
    """
def weibull_min(key: ArrayLike, scale: ArrayLike, concentration: ArrayLike, shape: int | Sequence[int | Array] = (), dtype: DTypeLike | None = None) -> Array:
    """Return numbers with the distribution function 1 - exp(-(x / scale)^concentration) for x >= 0.

    Args:
      key: a key, typed or raw.
      scale, concentration: arrays that broadcast to `shape`.
      shape: the shape of the result.
      dtype: a float dtype.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.weibull_min(random.key(0), 1., 2., (2,))
    Array([1.7175907, 1.9605166], dtype=float32)
    """
def wrap_key_data(key_bits_array: Any, *, impl: Any = None, dtype: DTypeLike | None = None) -> Array:
    """Return typed keys of their words.

    Args:
      key_bits_array: an array of uint32 with the axes of a key last.
      impl: the generator, by name; None for the default one.
      dtype: the same, as a dtype of keys.
    Returns:
      An array of keys, without the last axis of the words.
    Raises:
      TypeError: the array does not hold words of keys of that generator.

    >>> random.wrap_key_data(random.PRNGKey(42))
    Array((), dtype=key<fry>) overlaying:
    [ 0 42]
    """
