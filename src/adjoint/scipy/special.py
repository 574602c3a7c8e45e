"""`adjoint.scipy.special`: special functions, element by element, with derivatives.

Arguments promote to a float dtype. The functions that have an argument which must be whole say so.
"""

from __future__ import annotations

import operator
from functools import partial
from math import log as ln
from math import pi, sqrt
from typing import Any

import numpy as np

from .. import lax
from .. import numpy as jnp
from ..core import dtypes
from ..core.messages.boundaries import public
from ..core.messages.errors import message, warn
from ..core.names.elsewhere import absent
from ..core.trace import Tracer
from ..core.types import Array
from ..core.values.deferred import take_deferred
from ..nn import functions as nn_functions
from ..numpy.promotion import constant, convert, dtype_of, known, promote_inexact
from ..prims import hypergeometric, integrals
from ..transforms.custom.custom_jvp import SymbolicZero, custom_jvp
from ..transforms.derivatives.grad import jvp
from ..transforms.jit.jit import inner_jit, lowerable
from ..transforms.jit.replay import replayed
from . import legendre
from .special_rows import (
    check_real,
    described,
    named,
    row,
    take_float,
    take_integral,
    take_real,
    take_strong,
    zeta_series,
)

__all__ = [
    "bernoulli", "bessel_jn", "beta", "betainc", "betaln", "boxcox", "boxcox1p", "comb", "dawsn", "digamma",
    "entr", "erf", "erfc", "erfcinv", "erfcx", "erfinv", "exp1", "expi", "expit", "expn", "factorial", "fresnel",
    "gamma", "gammainc", "gammaincc", "gammaln", "gammasgn", "hyp1f1", "hyp2f1", "i0", "i0e", "i1", "i1e", "kl_div",
    "log_ndtr", "log_softmax", "loggamma", "logit", "logsumexp", "multigammaln", "ndtr", "ndtri", "owens_t",
    "poch", "polygamma", "rel_entr", "sici", "softmax", "spence", "sph_harm_y", "wofz", "xlog1py", "xlogy",
    "zeta",
]

logsumexp = nn_functions.logsumexp


def __getattr__(name: str):
    if name not in ("lpmn", "lpmn_values"):
        raise absent(__name__, name, __all__)
    warn(f"jax.scipy.special.{name} is deprecated; no replacement is planned.", DeprecationWarning)
    return getattr(legendre, name)


# ---- one row each --------------------------------------------------------------------------------

gammaln = row("gammaln", lax.lgamma, "Return the logarithm of the size of the gamma function.", "5.0", "3.1780539")
digamma = row(
    "digamma", lax.digamma, "Return the derivative of `gammaln`; NaN at 0 and the negative whole numbers.",
    "1.0", "-0.5772157",
)
erf = row(
    "erf", lax.erf,
    "Return the error function, 2/sqrt(pi) times the integral of exp(-t^2) from 0 to x.", "0.5", "0.5204999",
)
erfc = row("erfc", lax.erfc, "Return 1 - erf(x), exact for large x.", "3.0", "2.2090497e-05")
erfinv = row(
    "erfinv", lax.erf_inv, "Return the inverse of `erf`; infinite at -1 and 1, NaN beyond.",
    "0.5", "0.47693628",
)
expit = row(
    "expit", lax.logistic, "Return the sigmoid, 1 / (1 + exp(-x)).", "0.0", "0.5", is_complex=True
)
i0e = row("i0e", lax.bessel_i0e, "Return exp(-|x|) times the modified Bessel function of order 0.", "0.0", "1.0")
i1e = row("i1e", lax.bessel_i1e, "Return exp(-|x|) times the modified Bessel function of order 1.", "0.0", "0.0")
expi = row(
    "expi", integrals.expi, "Return the exponential integral Ei, of exp(t)/t from -inf to x.", "0.0", "-inf",
    operands=take_real,
)
exp1 = row(
    "exp1", integrals.exp1, "Return the exponential integral E1, of exp(-t)/t from x to inf.", "0.0", "inf",
    operands=take_real,
)
spence = row(
    "spence", integrals.spence, "Return the integral of log(t)/(1 - t) from 1 to x.", "1.0", "0.0",
    operands=lambda _, x: [take_float(x)],
)
dawsn = row(
    "dawsn", integrals.dawsn, "Return Dawson's function, exp(-x^2) times the integral of exp(t^2).", "0.0", "0.0",
    operands=take_integral,
)
gammainc = named(
    row("gammainc", lax.igamma, "Return the regularized lower incomplete gamma function.", "1.0, 0.0", "0.0", arity=2),
    "a", "x",
)
gammaincc = named(
    row("gammaincc", lax.igammac, "Return 1 - gammainc(a, x).", "1.0, 0.0", "1.0", arity=2), "a", "x"
)
betainc = row(
    "betainc", lax.betainc, "Return the regularized incomplete beta function; derivatives by x only.", "1.0, 1.0, 0.5",
    "0.5", arity=3, operands=take_real,
)


# ---- gamma and beta functions --------------------------------------------------------------------


@lowerable
@replayed(scalars=True)
def gammasgn(x) -> Array:
    """Return the sign of the gamma function; NaN at its poles, the negative whole numbers.

    >>> print(gammasgn(-0.5))
    -1.0
    """
    x = jnp.asarray(take_real("gammasgn", x)[0])
    dtype, floor = x.dtype, lax.floor(x)
    sign = jnp.where((x < 0) & (floor % 2 != 0), dtype.type(-1), dtype.type(1))
    sign = jnp.where((x < 0) & (x == floor) | (x != x), dtype.type(np.nan), sign)
    return jnp.where((x == 0) & jnp.signbit(x), dtype.type(-1), sign)


def gamma(x) -> Array:
    """Return the gamma function, of real or complex numbers.

    >>> print(gamma(1.0))
    1.0
    """
    (x,) = promote_inexact("gamma", x)
    if dtypes.issubdtype(dtype_of(x), np.complexfloating):
        return jnp.exp(_log_gamma(x))
    return gammasgn(x) * lax.exp(lax.lgamma(x))


def loggamma(x) -> Array:
    """Return the logarithm of the gamma function, of real or complex numbers.

    NaN for negative reals, where it is not real. For complex numbers it is analytic but for a cut along the negative
    reals, where it is what it is above.

    >>> print(loggamma(1.0))
    0.0
    """
    (x,) = promote_inexact("loggamma", x)
    if dtypes.issubdtype(dtype_of(x), np.complexfloating):
        return _log_gamma(x)
    return jnp.where(x <= 0, np.nan, lax.lgamma(x))


# Lanczos' approximation with g = 7, in the form and with the coefficients of Godfrey: 15 digits.
_LANCZOS = (
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
)


@inner_jit
def _log_gamma(z):
    """Return the logarithm of the gamma function of a complex number."""
    z = jnp.asarray(z, dtype_of(z))
    regular = jnp.isfinite(z) & ~((z.imag == 0) & (z.real <= 0) & (z.real == jnp.floor(z.real)))
    z = jnp.where(regular, z, 1)
    below = z.imag < 0
    z = jnp.where(below, z.conj(), z)
    left = z.real < 0.5
    w = jnp.where(left, -z, z - 1)  # gamma(w + 1), with w at the right of -0.5
    total = _LANCZOS[0] + sum(c / (w + k) for k, c in enumerate(_LANCZOS[1:], 1))
    t = w + 7.5
    value = (w + 0.5) * jnp.log(t) - t + ln(2 * pi) / 2 + jnp.log(total)
    # log(sin(pi z)), analytic above the reals: |exp(2 pi i z)| < 1.
    mirrored = jnp.where(left, z, 0.5)
    x, y = mirrored.real, mirrored.imag
    part = pi * (x - jnp.round(x))
    small = jnp.exp(-2 * pi * y)
    rest = lax.complex(2 * small * jnp.sin(part) ** 2 - jnp.expm1(-2 * pi * y), -small * jnp.sin(2 * part))
    log_sine = jnp.log(rest) + lax.complex(pi * y - ln(2), pi * (0.5 - x))
    value = jnp.where(left, ln(pi) - log_sine - value, value)
    return jnp.where(regular, jnp.where(below, value.conj(), value), complex(np.nan, np.nan))


def factorial(n, exact: bool = False) -> Array:
    """Return n!, 0 for negative n; between whole numbers the gamma function of n + 1.

    Raises:
      NotImplementedError: `exact`.

    >>> print(factorial(3).round())
    6.0
    """
    if exact:
        raise NotImplementedError(message("factorial with exact=True", fix="exact=False; math.factorial(n) for an int"))
    (n,) = promote_inexact("factorial", n)
    return jnp.where(n < 0, 0, lax.exp(lax.lgamma(n + 1)))


def betaln(a, b) -> Array:
    """Return the logarithm of the beta function.

    >>> print(betaln(1.0, 1.0))
    0.0
    """
    a, b = promote_inexact("betaln", a, b)
    small, large = jnp.minimum(a, b), jnp.maximum(a, b)
    # lgamma(large) - lgamma(large + small) without cancellation, by Stirling's series.
    far = large >= 8
    safe = jnp.where(far, large, 8.0)
    tail = lambda x: (1 / 12 - (1 / 360 - 1 / (1260 * x * x)) / (x * x)) / x
    total = safe + small
    difference = (
        (safe - 0.5) * jnp.log1p(small / safe) + small * (jnp.log(total) - 1) + tail(total) - tail(safe)
    )
    plain = lax.lgamma(large) - lax.lgamma(large + small)
    return lax.lgamma(small) + jnp.where(far, -difference, plain)


def beta(a, b) -> Array:
    """Return the beta function, gamma(a) gamma(b) / gamma(a + b).

    >>> print(beta(1.0, 1.0))
    1.0
    """
    a, b = take_real("beta", a, b)
    return gammasgn(a) * gammasgn(b) * gammasgn(jnp.add(a, b)) * jnp.exp(betaln(a, b))


def multigammaln(a, d) -> Array:
    """Return the logarithm of the multivariate gamma function of dimension d, a Python integer.

    >>> print(multigammaln(1.0, 1))
    0.0
    """
    d = int(d)
    a = jnp.asarray(promote_inexact("multigammaln", a, d)[0])
    shift = lax.broadcast_to_rank(jnp.asarray(np.arange(d, dtype=np.float64) / 2, a.dtype), a.ndim + 1)
    terms = lax.lgamma(a[..., None] - shift)
    return a.dtype.type(d * (d - 1) / 4 * ln(pi)) + jnp.sum(terms, axis=-1)


def poch(z, m) -> Array:
    """Return Pochhammer's symbol, gamma(z + m) / gamma(z).

    >>> print(poch(1.0, 0.0))
    1.0
    """
    return _poch(*take_real("jnp.poch", z, m))


@custom_jvp
def _poch(z, m):
    total = jnp.add(z, m)
    value = gammasgn(total) * gammasgn(z) * jnp.exp(lax.lgamma(total) - lax.lgamma(z))
    return jnp.where(m == 0, jnp.ones_like(value), value)


_poch.defjvps(
    lambda t, out, z, m: t * out * (lax.digamma(jnp.add(z, m)) - lax.digamma(z)),
    lambda t, out, z, m: t * out * lax.digamma(jnp.add(z, m)),
)


def comb(N, k, *, repetition: bool = False) -> Array:
    """Return the number of ways to choose k of N things; with repetition, of N + k - 1.

    >>> print(comb(5, 2).round())
    10.0
    """
    N, k = promote_inexact("comb", N, k)
    if repetition:
        none, N = (N == 0) & (k == 0), N + k - 1  # one way to choose nothing of nothing
        return jnp.where(none, 1, comb(N, k))
    some = (k >= 0) & (k <= N) & (N >= 0)
    n, k = jnp.where(some, N, 0), jnp.where(some, k, 0)  # whose derivatives are finite where the number is 0
    return jnp.where(some, jnp.exp(-jnp.log1p(n) - betaln(n - k + 1, k + 1)), 0)


def polygamma(n, x) -> Array:
    """Return the n-th derivative of digamma; n is of an integer dtype.

    Raises:
      ValueError: n is not.

    >>> print(polygamma(0, float("inf")))
    inf
    """
    if not dtypes.issubdtype(dtype_of(n), np.integer):
        raise ValueError(
            message(
                f"Argument `n` to polygamma must be of integer type. Got dtype {dtype_of(n).name}.",
                fix="n.astype(int)",
            )
        )
    n, x = take_real("polygamma", n, x)
    shape = jnp.broadcast_shapes(jnp.shape(n), jnp.shape(x))
    return lax.polygamma(jnp.broadcast_to(n, shape), jnp.broadcast_to(x, shape))


def zeta(x, q=None) -> Array:
    """Return Hurwitz's zeta function, the sum of (q + k)^-x.

    Raises:
      NotImplementedError: q is None.

    >>> print(zeta(2.0, float("inf")))
    0.0
    """
    if q is None:
        raise NotImplementedError(
            "Riemann zeta function not implemented; pass q != None to compute the Hurwitz Zeta function."
        )
    return _zeta(*promote_inexact("zeta", x, q))


@custom_jvp
def _zeta(x, q):
    return lax.zeta(x, q)


@partial(_zeta.defjvp, symbolic_zeros=True)
def _(primals, tangents):
    x, q = primals
    slopes = lambda t: jvp(lambda x: zeta_series(x, q), (x,), (t,))[1], lambda t: -t * x * _zeta(x + 1, q)
    terms = [slope(t) for slope, t in zip(slopes, tangents) if type(t) is not SymbolicZero]
    results = _zeta(x, q), terms[0] if len(terms) == 1 else terms[0] + terms[1]
    return tuple([convert(v, dtype_of(v)) for v in results])  # JAX parity: never weakly typed here


def bernoulli(n: int) -> Array:
    """Return Bernoulli's numbers from the 0th to the n-th.

    >>> bernoulli(2).round(3)
    Array([ 1.   , -0.5  ,  0.167], dtype=float32)
    """
    from scipy import special

    n = operator.index(known(n, "Argument n of bernoulli"))
    if n < 0:
        raise ValueError(message("n must be a non-negative integer.", fix="bernoulli(10)"))
    return jnp.asarray(special.bernoulli(max(n, 2))[: n + 1], dtype=dtypes.canonicalize_dtype(np.float64))


# ---- logarithms and entropies --------------------------------------------------------------------


def _equal_shapes(name, *args):
    args = promote_inexact(name, *args)
    shape = jnp.broadcast_shapes(*map(jnp.shape, args))
    return [jnp.broadcast_to(a, shape) for a in args]


def _times_logarithm(x, y, logarithm):
    """x logarithm(y), and 0 where x is 0."""
    return jnp.where((x != 0.0) | (y != y), x * logarithm(y), jnp.zeros_like(x))


def _terms_of_product(name, primals, tangents, slopes):
    """The tangent of a function of two operands; integers have no part in it."""
    x, y = [promote_inexact(name, v)[0] for v in primals]
    terms = [slope(t, x, y) for t, slope in zip(tangents, slopes) if dtype_of(t) != dtypes.float0]
    return sum(terms[1:], terms[0])


@custom_jvp
def xlogy(x, y):
    """Return x log(y), and 0 where x is 0.

    >>> print(xlogy(0.0, 0.0))
    0.0
    """
    return _times_logarithm(*promote_inexact("xlogy", x, y), lax.log)


@xlogy.defjvp
def _xlogy_jvp(primals, tangents):
    out = xlogy(*primals)
    slopes = (lambda t, x, y: t * lax.log(y), lambda t, x, y: t * x / y)
    return out, convert(_terms_of_product("xlogy", primals, tangents, slopes), out.dtype)


@custom_jvp
def xlog1py(x, y):
    """Return x log(1 + y), and 0 where x is 0.

    >>> print(xlog1py(0.0, -1.0))
    0.0
    """
    return _times_logarithm(*promote_inexact("xlog1py", x, y), lax.log1p)


@xlog1py.defjvp
def _xlog1py_jvp(primals, tangents):
    out = xlog1py(*primals)
    slopes = (lambda t, x, y: t * lax.log1p(y), lambda t, x, y: t * x / (1 + y))
    return out, convert(_terms_of_product("xlog1py", primals, tangents, slopes), out.dtype)


@custom_jvp
def _xlogx(x):
    return xlogy(x, x)


@_xlogx.defjvp
def _xlogx_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    return _xlogx(x), t * (lax.log(x) + 1)


def entr(x) -> Array:
    """Return -x log(x), 0 at 0 and -inf for negative x.

    >>> print(entr(1.0))
    -0.0
    """
    (x,) = take_real("entr", x)
    return lax.select(x < 0, lax.full_like(x, -np.inf), -_xlogx(x))


def rel_entr(p, q) -> Array:
    """Return p log(p/q); 0 where p is 0 and q is not negative, else infinite where one is not positive.

    >>> print(rel_entr(1.0, 1.0))
    0.0
    """
    p, q = promote_inexact("rel_entr", *take_real("rel_entr", p, q))
    both = (p > 0) & (q > 0)
    zero = (p == 0) & (q >= 0)
    safe_p, safe_q = jnp.where(both, p, 1), jnp.where(both, q, 1)
    value = _xlogx(safe_p) - xlogy(safe_p, safe_q)
    return jnp.where(both, value, jnp.where(zero, constant(p, 0), np.inf))


def kl_div(p, q) -> Array:
    """Return p log(p/q) - p + q, infinite as in `rel_entr`.

    >>> print(kl_div(1.0, 1.0))
    0.0
    """
    p, q = _equal_shapes("kl_div", *take_real("kl_div", p, q))
    return rel_entr(p, q) - p + q


@custom_jvp
def logit(x):
    """Return log(x / (1 - x)), the inverse of `expit`.

    >>> print(logit(0.5))
    0.0
    """
    (x,) = promote_inexact("logit", x)
    return lax.log(lax.div(x, lax.sub(constant(x, 1), x)))


logit.defjvps(lambda t, _, x: lax.div(t, lax.mul(x, lax.sub(constant(x, 1), x))))


def boxcox(x, lmbda) -> Array:
    """Return (x^lmbda - 1) / lmbda, and log(x) for lmbda 0.

    >>> print(boxcox(1.0, 2.0))
    0.0
    """
    x, lmbda = _equal_shapes("boxcox", x, lmbda)
    return _power_of_exponential(jnp.log, x, lmbda)


def boxcox1p(x, lmbda) -> Array:
    """Return ((1 + x)^lmbda - 1) / lmbda, and log(1 + x) for lmbda 0.

    >>> print(boxcox1p(0.0, 2.0))
    0.0
    """
    x, lmbda = _equal_shapes("boxcox1p", x, lmbda)
    return _power_of_exponential(jnp.log1p, x, lmbda)


def _power_of_exponential(logarithm, x, lmbda):
    """(exp(y)^lmbda - 1) / lmbda. Both cases have one logarithm y, whose slope may be infinite: 0 of it is NaN."""
    zero = lmbda == 0
    safe = jnp.where(zero, jnp.ones_like(lmbda), lmbda)
    y = logarithm(x)
    return jnp.where(zero, y, jnp.expm1(safe * y) / safe)


def softmax(x, /, *, axis: Any = None) -> Array:
    """Return exp(x) / sum(exp(x)) over axes, all of them by default.

    >>> softmax(jnp.array([1., 1.]))
    Array([0.5, 0.5], dtype=float32)
    """
    return nn_functions.softmax(x, axis=axis)


def log_softmax(x, /, *, axis: Any = None) -> Array:
    """Return x - log(sum(exp(x))) over axes, all of them by default.

    >>> log_softmax(jnp.array([0.]))
    Array([0.], dtype=float32)
    """
    return nn_functions.log_softmax(x, axis=axis)


# ---- normal distribution -------------------------------------------------------------------------


def ndtr(x) -> Array:
    """Return the distribution function of the normal distribution; x is float32 or float64.

    >>> print(ndtr(0.0))
    0.5
    """
    x = take_float(x)
    half = sqrt(0.5)
    scaled = x * constant(x, half)
    size = lax.abs(scaled)
    middle = size < half
    near = 1 + lax.erf(scaled)
    value = lax.select(middle, near, lax.select(scaled > 0, 2 - lax.erfc(size), lax.erfc(size)))
    return 0.5 * value


def log_ndtr(x, series_order: int = 3) -> Array:
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
    if not isinstance(series_order, int):
        raise TypeError(message("series_order must be a Python integer.", fix="series_order=3"))
    if not 0 <= series_order <= 30:
        raise ValueError(message("series_order must be between 0 and 30.", fix="series_order=3"))
    return integrals.log_ndtr(take_float(x, "x.dtype={} is not supported.", is_weak=True))


def ndtri(p) -> Array:
    """Return the inverse of `ndtr`; p is float32 or float64.

    >>> print(ndtri(0.5))
    0.0
    """
    return integrals.ndtri(take_float(p))


def erfcinv(y) -> Array:
    """Return the inverse of `erfc`, exact for small y too; NaN outside of 0 to 2. A name of JAX 0.12.

    >>> print(erfcinv(1.0))
    0.0
    """
    (y,) = promote_inexact("erfcinv", y)
    return constant(y, 0) - ndtri(y * constant(y, 0.5)) * constant(y, 0.5**0.5)


# ---- Bessel functions and integrals --------------------------------------------------------------


def i0(x) -> Array:
    """Return the modified Bessel function of order 0.

    >>> print(i0(0.0))
    1.0
    """
    (x,) = promote_inexact("i0", x)
    return lax.mul(lax.exp(lax.abs(x)), lax.bessel_i0e(x))


def i1(x) -> Array:
    """Return the modified Bessel function of order 1.

    >>> print(i1(0.0))
    0.0
    """
    (x,) = promote_inexact("i1", x)
    return lax.mul(lax.exp(lax.abs(x)), lax.bessel_i1e(x))


@lowerable(static_argnames=("v", "n_iter"))
def bessel_jn(z, *, v: int, n_iter: int = 50) -> Array:
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
    (z,) = take_strong(*promote_inexact("bessel_jn", z))
    orders = range(operator.index(v) + 1)
    return jnp.stack([integrals.bessel_j(z, order=k) for k in orders]) if orders else jnp.zeros((0, *z.shape), z.dtype)


def fresnel(x) -> tuple[Array, Array]:
    """Return Fresnel's integrals, of sin and of cos of pi t^2 / 2 from 0 to x.

    >>> print(fresnel(0.0)[0])
    0.0
    """
    (x,) = take_strong(*promote_inexact("fresnel", x))
    if dtypes.issubdtype(x.dtype, np.complexfloating):
        raise NotImplementedError("Support for complex-valued inputs is not implemented yet.")
    return integrals.fresnel_s(x), integrals.fresnel_c(x)


def sici(x) -> tuple[Array, Array]:
    """Return the sine and cosine integrals; the latter is that of the size of x, but NaN at -inf.

    >>> print(sici(0.0)[1])
    -inf
    """
    (x,) = take_strong(*promote_inexact("sici", x))
    check_real(f"Argument `x` to sici must be real-valued. Got dtype {x.dtype.name}.", x)
    return integrals.sine_integral(x), jnp.where(x == -np.inf, np.nan, integrals.cosine_integral(x))


def erfcx(x) -> Array:
    """Return exp(x^2) erfc(x), of real or complex numbers.

    >>> print(erfcx(0.0))
    1.0
    """
    (x,) = take_strong(*promote_inexact("erfcx", x))
    return wofz(lax.complex(-x.imag, x.real)) if dtypes.issubdtype(x.dtype, np.complexfloating) else integrals.erfcx(x)


def owens_t(h, a) -> Array:
    """Return Owen's T function; of complex numbers that of their sizes, with the direction of a.

    >>> print(owens_t(0.0, 0.0))
    0.0
    """
    h, a = take_strong(*promote_inexact("owens_t", h, a))
    if dtypes.issubdtype(h.dtype, np.complexfloating):
        return jnp.sign(a) * owens_t(jnp.abs(h), jnp.abs(a))
    wide = dtypes.promote_types(h.dtype, dtypes.default_float())
    return integrals.owens_t(convert(h, wide), convert(a, wide))


@inner_jit
def wofz(z) -> Array:
    """Return Faddeeva's function, exp(-z^2) erfc(-i z), complex.

    >>> print(wofz(0.0))
    (1+0j)
    """
    (z,) = promote_inexact("wofz", z)
    z = jnp.asarray(z)
    return integrals.wofz(z.astype(dtypes.to_complex_dtype(z.dtype)))


# ---- series --------------------------------------------------------------------------------------


def expn(n, x) -> Array:
    """Return the exponential integral of order n, of exp(-x t) / t^n from 1 to inf; derivatives by x only.

    NaN for x < 0, and up to x = 1 for orders that are positive and not whole.

    >>> print(expn(2, 0.0))
    1.0
    """
    n, x = _equal_shapes("expn", *take_integral("expn", jnp.asarray(n), jnp.asarray(x)))
    if not isinstance(n, Tracer) and not (np.asarray(n) < 0).any():
        return hypergeometric.expn(n, x)
    below = n < 0
    found = _expn_below(jnp.where(below, n, -1), jnp.where(below, x, 1))
    return jnp.where(below, found, hypergeometric.expn(jnp.where(below, 3, n), x))


@custom_jvp
def _expn_below(n, x):
    """E_n(x) for negative n: x^(n-1) times the upper incomplete gamma function of 1 - n."""
    inside = jnp.where(x > 0, x, 1)
    logarithm = lax.lgamma(1 - n) + jnp.log(lax.igammac(1 - n, inside)) + (n - 1) * jnp.log(inside)
    return jnp.where(x > 0, jnp.exp(logarithm), jnp.where(x == 0, np.inf, np.nan))


_expn_below.defjvps(None, lambda t, _, n, x: -t * _expn_below(n - 1, x))


def hyp1f1(a, b, x) -> Array:
    """Return the confluent hypergeometric function, the sum of (a)_k / (b)_k x^k / k!; 1 if a is 0.

    >>> print(hyp1f1(1.0, 1.0, 0.0))
    1.0
    """
    return hypergeometric.hyp1f1(*_equal_shapes("hyp1f1", *take_integral("hyp1f1", *map(jnp.asarray, (a, b, x)))))


def hyp2f1(a, b, c, x) -> Array:
    """Return Gauss's hypergeometric function, the sum of (a)_k (b)_k / (c)_k x^k / k!.

    >>> print(hyp2f1(1.0, 2.0, 3.0, 0.0))
    1.0
    """
    return hypergeometric.hyp2f1(*take_strong(*_equal_shapes("hyp2f1", *map(jnp.asarray, (a, b, c, x)))))


def sph_harm_y(n, m, theta, phi, diff_n: int | None = None, n_max: int | None = None) -> Array:
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
    if diff_n is not None:
        raise NotImplementedError(
            "The 'diff_n' argument to jax.scipy.special.sph_harm_y is not supported."
        )
    for index in (n, m):
        if not dtypes.issubdtype(dtype_of(index), np.integer):
            raise TypeError(message(
                f"Indexer must have integer or boolean type, got indexer with type {dtype_of(index)}",
                why="A degree or an order counts zeros.", fix="n.astype(int)",
            ))
    if n_max is None:
        n_max = int(known(jnp.max(n), "The `n_max` argument of `jnp.scipy.special.sph_harm` must be statically "
                          "specified to use `sph_harm` within JAX transformations."))
    theta, phi = promote_inexact("sph_harm_y", theta, phi)
    return legendre.harmonics(n, m, jnp.asarray(theta), jnp.asarray(phi), n_max)


described(
    globals(),
    {
        "bernoulli": "TypeError: `n` is not an int.",
        "betaln comb erfcinv factorial hyp2f1 i0 i1 multigammaln zeta":
            "TypeError: an operand is complex, or not an array or scalar.",
        "ndtr ndtri log_ndtr": "TypeError: the operand is not float32 or float64.",
        "beta entr gammasgn poch sici": "ValueError: an operand is complex.",
        "rel_entr kl_div expn hyp1f1": "ValueError: an operand is complex, or shapes do not broadcast.",
        "xlogy xlog1py boxcox boxcox1p": "ValueError: shapes do not broadcast.",
        "softmax log_softmax": "ValueError: `axis` is out of range.",
        "fresnel": "NotImplementedError: `x` is complex.",
    },
    bernoulli={"n": "a Python int, not negative.", "returns": "The default float, ``[n + 1]``."},
    spence={"x": "float32 or float64."},
    ndtr={"x": "float32 or float64.", "returns": "Probabilities, of the shape and dtype of `x`."},
    ndtri={"p": "probabilities, float32 or float64.",
           "returns": "Floats of the shape and dtype of `p`; infinite at 0 and 1, NaN beyond."},
    comb={"N": "how many things there are.", "k": "how many are chosen.", "repetition": "whether more than once.",
          "returns": "Floats, in an array of the shape to which `N` and `k` broadcast; 0 where there is no way."},
    factorial={"n": "array or scalar.", "exact": "must be False.", "returns": "Floats of the shape of `n`."},
    fresnel={"x": "real array or scalar.", "returns": "A pair of float arrays of the shape of `x`."},
    sici={"x": "real array or scalar.", "returns": "A pair of float arrays of the shape of `x`."},
    multigammaln={"a": "array or scalar, above (d - 1) / 2.", "d": "the dimension, a Python int."},
    polygamma={"n": "integers, not negative.", "x": "real array or scalar."},
    softmax={"x": "array.", "axis": "an axis, a tuple of axes, or None for all.",
             "returns": "Numbers from 0 to 1, of the shape of `x`, whose sum over the axes is 1."},
    log_softmax={"x": "array.", "axis": "an axis, a tuple of axes, or None for all.",
                 "returns": "Numbers up to 0, of the shape of `x`: the logarithms of `softmax`, without overflow."},
    wofz={"z": "complex or real array or scalar.", "returns": "Complex numbers of the shape of `z`."},
    expn={"n": "the order; where it is positive, whole for x up to 1.", "x": "real array or scalar."},
    zeta={"x": "the exponent, greater than 1.", "q": "where the sum begins."},
    poch={"z": "real array or scalar.", "m": "real array or scalar."},
    hyp1f1={"a": "real array or scalar.", "b": "real array or scalar.", "x": "real array or scalar."},
)
take_deferred(globals())
public(globals())
