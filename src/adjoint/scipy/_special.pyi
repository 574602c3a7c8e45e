# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
from collections.abc import Sequence
from typing import Any
def bernoulli(n: int) -> Array:
    """Return Bernoulli's numbers from the 0th to the n-th.

    Args:
      n: a Python int, not negative.
    Returns:
      The default float, ``[n + 1]``.
    Raises:
      TypeError: `n` is not an int.

    >>> bernoulli(2).round(3)
    Array([ 1.   , -0.5  ,  0.167], dtype=float32)
    """
def bessel_jn(z: ArrayLike, *, v: int, n_iter: int = 50) -> Array:
    """Return the Bessel functions of the first kind of the orders from 0 to v, along a new first axis.

    Args:
      z: array or scalar of floats.
      v: the greatest order, a Python int; for a negative one there are no orders.
      n_iter: has no effect; the values are exact.
    Returns:
      ``[v + 1, *z.shape]``, of the dtype of `z`.
    Raises:
      TypeError: `v` is not an int.

    >>> bessel_jn(jnp.zeros(()), v=1)
    Array([1., 0.], dtype=float32)
    """
def beta(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the beta function, gamma(a) gamma(b) / gamma(a + b).

    Args:
      a: array or scalar; integers become floats.
      b: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is not an array or scalar; lists are not converted.
      ValueError: an operand is complex.

    >>> print(beta(1.0, 1.0))
    1.0
    """
def betainc(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """Return the regularized incomplete beta function; derivatives by x only.

    Args:
      a: array or scalar; integers become floats.
      b: array or scalar; integers become floats.
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.
      ValueError: an operand is complex.

    >>> print(betainc(1.0, 1.0, 0.5))
    0.5
    """
def betaln(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the logarithm of the beta function.

    Args:
      a: array or scalar; integers become floats.
      b: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is complex, or not an array or scalar.

    >>> print(betaln(1.0, 1.0))
    0.0
    """
def boxcox(x: ArrayLike, lmbda: Any) -> Array:
    """Return (x^lmbda - 1) / lmbda, and log(x) for lmbda 0.

    Args:
      x: array or scalar; integers become floats.
      lmbda: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is not an array or scalar; lists are not converted.
      ValueError: shapes do not broadcast.

    >>> print(boxcox(1.0, 2.0))
    0.0
    """
def boxcox1p(x: ArrayLike, lmbda: Any) -> Array:
    """Return ((1 + x)^lmbda - 1) / lmbda, and log(1 + x) for lmbda 0.

    Args:
      x: array or scalar; integers become floats.
      lmbda: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is not an array or scalar; lists are not converted.
      ValueError: shapes do not broadcast.

    >>> print(boxcox1p(0.0, 2.0))
    0.0
    """
def comb(N: int, k: ArrayLike, *, repetition: bool = False) -> Array:
    """Return the number of ways to choose k of N things; with repetition, of N + k - 1.

    Args:
      N: how many things there are.
      k: how many are chosen.
      repetition: whether more than once.
    Returns:
      Floats, in an array of the shape to which `N` and `k` broadcast; 0 where there is no way.
    Raises:
      TypeError: an operand is complex, or not an array or scalar.

    >>> print(comb(5, 2).round())
    10.0
    """
def dawsn(x: ArrayLike) -> Array:
    """Return Dawson's function, exp(-x^2) times the integral of exp(t^2).

    Args:
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: an operand is complex.

    >>> print(dawsn(0.0))
    0.0
    """
def digamma(x: ArrayLike) -> Array:
    """Return the derivative of `gammaln`; NaN at 0 and the negative whole numbers.

    Args:
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: `x` is complex, or not an array or scalar; lists are not converted.

    >>> print(digamma(1.0))
    -0.5772157
    """
def entr(x: ArrayLike) -> Array:
    """Return -x log(x), 0 at 0 and -inf for negative x.

    Args:
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: an operand is complex.

    >>> print(entr(1.0))
    -0.0
    """
def erf(x: ArrayLike) -> Array:
    """Return the error function, 2/sqrt(pi) times the integral of exp(-t^2) from 0 to x.

    Args:
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: `x` is complex, or not an array or scalar; lists are not converted.

    >>> print(erf(0.5))
    0.5204999
    """
def erfc(x: ArrayLike) -> Array:
    """Return 1 - erf(x), exact for large x.

    Args:
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: `x` is complex, or not an array or scalar; lists are not converted.

    >>> print(erfc(3.0))
    2.2090497e-05
    """
def erfcinv(y: ArrayLike) -> Array:
    """Return the inverse of `erfc`, exact for small y too; NaN outside of 0 to 2. A name of JAX 0.12.

    Args:
      y: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is complex, or not an array or scalar.

    >>> print(erfcinv(1.0))
    0.0
    """
def erfcx(x: ArrayLike) -> Array:
    """Return exp(x^2) erfc(x), of real or complex numbers.

    Args:
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> print(erfcx(0.0))
    1.0
    """
def erfinv(x: ArrayLike) -> Array:
    """Return the inverse of `erf`; infinite at -1 and 1, NaN beyond.

    Args:
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: `x` is complex, or not an array or scalar; lists are not converted.

    >>> print(erfinv(0.5))
    0.47693628
    """
def exp1(x: ArrayLike) -> Array:
    """Return the exponential integral E1, of exp(-t)/t from x to inf.

    Args:
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: an operand is complex.

    >>> print(exp1(0.0))
    inf
    """
def expi(x: ArrayLike) -> Array:
    """Return the exponential integral Ei, of exp(t)/t from -inf to x.

    Args:
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: an operand is complex.

    >>> print(expi(0.0))
    -inf
    """
def expit(x: ArrayLike) -> Array:
    """Return the sigmoid, 1 / (1 + exp(-x)).

    Args:
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> print(expit(0.0))
    0.5
    """
def expn(n: ArrayLike, x: ArrayLike) -> Array:
    """Return the exponential integral of order n, of exp(-x t) / t^n from 1 to inf; derivatives by x only.

    NaN for x < 0, and up to x = 1 for orders that are positive and not whole.

    Args:
      n: the order; where it is positive, whole for x up to 1.
      x: real array or scalar.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is not an array or scalar; lists are not converted.
      ValueError: an operand is complex, or shapes do not broadcast.

    >>> print(expn(2, 0.0))
    1.0
    """
def factorial(n: ArrayLike, exact: bool = False) -> Array:
    """Return n!, 0 for negative n; between whole numbers the gamma function of n + 1.

    Args:
      n: array or scalar.
      exact: must be False.
    Returns:
      Floats of the shape of `n`.
    Raises:
      NotImplementedError: `exact`.
      TypeError: an operand is complex, or not an array or scalar.

    >>> print(factorial(3).round())
    6.0
    """
def fresnel(x: ArrayLike) -> tuple[Array, Array]:
    """Return Fresnel's integrals, of sin and of cos of pi t^2 / 2 from 0 to x.

    Args:
      x: real array or scalar.
    Returns:
      A pair of float arrays of the shape of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      NotImplementedError: `x` is complex.

    >>> print(fresnel(0.0)[0])
    0.0
    """
def gamma(x: ArrayLike) -> Array:
    """Return the gamma function, of real or complex numbers.

    Args:
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> print(gamma(1.0))
    1.0
    """
def gammainc(a: ArrayLike, x: ArrayLike) -> Array:
    """Return the regularized lower incomplete gamma function.

    Args:
      a: array or scalar; integers become floats.
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is complex, or not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> print(gammainc(1.0, 0.0))
    0.0
    """
def gammaincc(a: ArrayLike, x: ArrayLike) -> Array:
    """Return 1 - gammainc(a, x).

    Args:
      a: array or scalar; integers become floats.
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is complex, or not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> print(gammaincc(1.0, 0.0))
    1.0
    """
def gammaln(x: ArrayLike) -> Array:
    """Return the logarithm of the size of the gamma function.

    Args:
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: `x` is complex, or not an array or scalar; lists are not converted.

    >>> print(gammaln(5.0))
    3.1780539
    """
def gammasgn(x: ArrayLike) -> Array:
    """Return the sign of the gamma function; NaN at its poles, the negative whole numbers.

    Args:
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: an operand is complex.

    >>> print(gammasgn(-0.5))
    -1.0
    """
def hyp1f1(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """Return the confluent hypergeometric function, the sum of (a)_k / (b)_k x^k / k!; 1 if a is 0.

    Args:
      a: real array or scalar.
      b: real array or scalar.
      x: real array or scalar.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is not an array or scalar; lists are not converted.
      ValueError: an operand is complex, or shapes do not broadcast.

    >>> print(hyp1f1(1.0, 1.0, 0.0))
    1.0
    """
def hyp2f1(a: ArrayLike, b: ArrayLike, c: ArrayLike, x: ArrayLike) -> Array:
    """Return Gauss's hypergeometric function, the sum of (a)_k (b)_k / (c)_k x^k / k!.

    Args:
      a: array or scalar; integers become floats.
      b: array or scalar; integers become floats.
      c: array or scalar; integers become floats.
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is complex, or not an array or scalar.

    >>> print(hyp2f1(1.0, 2.0, 3.0, 0.0))
    1.0
    """
def i0(x: ArrayLike) -> Array:
    """Return the modified Bessel function of order 0.

    Args:
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is complex, or not an array or scalar.

    >>> print(i0(0.0))
    1.0
    """
def i0e(x: ArrayLike) -> Array:
    """Return exp(-|x|) times the modified Bessel function of order 0.

    Args:
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: `x` is complex, or not an array or scalar; lists are not converted.

    >>> print(i0e(0.0))
    1.0
    """
def i1(x: ArrayLike) -> Array:
    """Return the modified Bessel function of order 1.

    Args:
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is complex, or not an array or scalar.

    >>> print(i1(0.0))
    0.0
    """
def i1e(x: ArrayLike) -> Array:
    """Return exp(-|x|) times the modified Bessel function of order 1.

    Args:
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: `x` is complex, or not an array or scalar; lists are not converted.

    >>> print(i1e(0.0))
    0.0
    """
def kl_div(p: ArrayLike, q: ArrayLike) -> Array:
    """Return p log(p/q) - p + q, infinite as in `rel_entr`.

    Args:
      p: array or scalar; integers become floats.
      q: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is not an array or scalar; lists are not converted.
      ValueError: an operand is complex, or shapes do not broadcast.

    >>> print(kl_div(1.0, 1.0))
    0.0
    """
def log_ndtr(x: ArrayLike, series_order: int = 3) -> Array:
    """Return the logarithm of `ndtr`, exact for very negative x, too.

    Args:
      x: float32 or float64.
      series_order: has no effect; the value is exact.
    Returns:
      Numbers up to 0, of the shape and dtype of `x`.
    Raises:
      TypeError: the dtype of `x` is another (no integers, no half precision), or `series_order` is no int.
      ValueError: `series_order` is not between 0 and 30.

    >>> print(log_ndtr(float("-inf")))
    -inf
    """
def log_softmax(x: ArrayLike, /, *, axis: int | Sequence[int] | None = None) -> Array:
    """Return x - log(sum(exp(x))) over axes, all of them by default.

    Args:
      x: array.
      axis: an axis, a tuple of axes, or None for all.
    Returns:
      Numbers up to 0, of the shape of `x`: the logarithms of `softmax`, without overflow.
    Raises:
      TypeError: an operand is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> log_softmax(jnp.array([0.]))
    Array([0.], dtype=float32)
    """
def loggamma(x: ArrayLike) -> Array:
    """Return the logarithm of the gamma function, of real or complex numbers.

    NaN for negative reals, where it is not real. For complex numbers it is analytic but for a cut along the negative
    reals, where it is what it is above.

    Args:
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> print(loggamma(1.0))
    0.0
    """
def logit(x: ArrayLike) -> Array:
    """Return log(x / (1 - x)), the inverse of `expit`.

    Args:
      x: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> print(logit(0.5))
    0.0
    """
def logsumexp(a: ArrayLike, axis: int | Sequence[int] | None = None, b: ArrayLike | None = None, keepdims: bool = False, return_sign: bool = False, where: ArrayLike | None = None) -> Any:
    """Return ``log(sum(b * exp(a)))`` over axes, without overflow.

    Args:
      a: array; inexact after promotion.
      axis: an axis, a tuple of axes, or None for all.
      b: weights that broadcast against `a`.
      keepdims: keep the reduced axes with length 1.
      return_sign: also return the sign of the sum, so that it may be negative.
      where: which elements to include.
    Returns:
      The logarithms, floats in an array without these axes; with `return_sign` a pair of those of the sizes, and the
      signs.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> logsumexp(jnp.array([1000., 1000.]))
    Array(1000.6931, dtype=float32)
    """
def multigammaln(a: ArrayLike, d: ArrayLike) -> Array:
    """Return the logarithm of the multivariate gamma function of dimension d, a Python integer.

    Args:
      a: array or scalar, above (d - 1) / 2.
      d: the dimension, a Python int.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is complex, or not an array or scalar.

    >>> print(multigammaln(1.0, 1))
    0.0
    """
def ndtr(x: ArrayLike) -> Array:
    """Return the distribution function of the normal distribution; x is float32 or float64.

    Args:
      x: float32 or float64.
    Returns:
      Probabilities, of the shape and dtype of `x`.
    Raises:
      TypeError: the operand is not float32 or float64.

    >>> print(ndtr(0.0))
    0.5
    """
def ndtri(p: ArrayLike) -> Array:
    """Return the inverse of `ndtr`; p is float32 or float64.

    Args:
      p: probabilities, float32 or float64.
    Returns:
      Floats of the shape and dtype of `p`; infinite at 0 and 1, NaN beyond.
    Raises:
      TypeError: the operand is not float32 or float64.

    >>> print(ndtri(0.5))
    0.0
    """
def owens_t(h: ArrayLike, a: ArrayLike) -> Array:
    """Return Owen's T function; of complex numbers that of their sizes, with the direction of a.

    Args:
      h: array or scalar; integers become floats.
      a: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is not an array or scalar; lists are not converted.

    >>> print(owens_t(0.0, 0.0))
    0.0
    """
def poch(z: ArrayLike, m: ArrayLike) -> Array:
    """Return Pochhammer's symbol, gamma(z + m) / gamma(z).

    Args:
      z: real array or scalar.
      m: real array or scalar.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is not an array or scalar; lists are not converted.
      ValueError: an operand is complex.

    >>> print(poch(1.0, 0.0))
    1.0
    """
def polygamma(n: ArrayLike, x: ArrayLike) -> Array:
    """Return the n-th derivative of digamma; n is of an integer dtype.

    Args:
      n: integers, not negative.
      x: real array or scalar.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is not an array or scalar; lists are not converted.
      ValueError: n is not.

    >>> print(polygamma(0, float("inf")))
    inf
    """
def rel_entr(p: ArrayLike, q: ArrayLike) -> Array:
    """Return p log(p/q); 0 where p is 0 and q is not negative, else infinite where one is not positive.

    Args:
      p: array or scalar; integers become floats.
      q: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is not an array or scalar; lists are not converted.
      ValueError: an operand is complex, or shapes do not broadcast.

    >>> print(rel_entr(1.0, 1.0))
    0.0
    """
def sici(x: ArrayLike) -> tuple[Array, Array]:
    """Return the sine and cosine integrals; the latter is that of the size of x, but NaN at -inf.

    Args:
      x: real array or scalar.
    Returns:
      A pair of float arrays of the shape of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: an operand is complex.

    >>> print(sici(0.0)[1])
    -inf
    """
def softmax(x: ArrayLike, /, *, axis: int | Sequence[int] | None = None) -> Array:
    """Return exp(x) / sum(exp(x)) over axes, all of them by default.

    Args:
      x: array.
      axis: an axis, a tuple of axes, or None for all.
    Returns:
      Numbers from 0 to 1, of the shape of `x`, whose sum over the axes is 1.
    Raises:
      TypeError: an operand is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> softmax(jnp.array([1., 1.]))
    Array([0.5, 0.5], dtype=float32)
    """
def spence(x: ArrayLike) -> Array:
    """Return the integral of log(t)/(1 - t) from 1 to x.

    Args:
      x: float32 or float64.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: an operand is complex.

    >>> print(spence(1.0))
    0.0
    """
def sph_harm_y(n: ArrayLike, m: ArrayLike, theta: Any, phi: Any, diff_n: int | None = None, n_max: int | None = None) -> Array:
    """Return spherical harmonics of degree n and order m.

    Args:
      n, m: integers `[k]`, |m| <= n.
      theta, phi: angles `[k]`: from the pole, from 0 to pi, and around it.
      diff_n: must be None.
      n_max: the largest degree, a Python integer; larger ones count as this. Default that of n, which then has
        to be known.
    Returns:
      complex `[k]`
    Raises:
      NotImplementedError: `diff_n`.
      TypeError: n or m are no integers.
      ConcretizationTypeError: n is traced, and there is no n_max.

    >>> sph_harm_y(jnp.array([0]), jnp.array([0]), jnp.array([0.]), jnp.array([0.])).real.round(3)
    Array([0.282], dtype=float32)
    """
def wofz(z: ArrayLike) -> Array:
    """Return Faddeeva's function, exp(-z^2) erfc(-i z), complex.

    Args:
      z: complex or real array or scalar.
    Returns:
      Complex numbers of the shape of `z`.
    Raises:
      TypeError: `z` is not an array or scalar; lists are not converted.

    >>> print(wofz(0.0))
    (1+0j)
    """
def xlog1py(x: ArrayLike, y: ArrayLike) -> Array:
    """Return x log(1 + y), and 0 where x is 0.

    Args:
      x: array or scalar; integers become floats.
      y: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is not an array or scalar; lists are not converted.
      ValueError: shapes do not broadcast.

    >>> print(xlog1py(0.0, -1.0))
    0.0
    """
def xlogy(x: ArrayLike, y: ArrayLike) -> Array:
    """Return x log(y), and 0 where x is 0.

    Args:
      x: array or scalar; integers become floats.
      y: array or scalar; integers become floats.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      TypeError: an operand is not an array or scalar; lists are not converted.
      ValueError: shapes do not broadcast.

    >>> print(xlogy(0.0, 0.0))
    0.0
    """
def zeta(x: ArrayLike, q: ArrayLike | None = None) -> Array:
    """Return Hurwitz's zeta function, the sum of (q + k)^-x.

    Args:
      x: the exponent, greater than 1.
      q: where the sum begins.
    Returns:
      That value for each element, in an array of the shape to which they broadcast and of the dtype of all.
    Raises:
      NotImplementedError: q is None.
      TypeError: an operand is complex, or not an array or scalar.

    >>> print(zeta(2.0, float("inf")))
    0.0
    """
