# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
from collections.abc import Sequence
from typing import Any
from typing import NamedTuple
from adjoint.scipy.stats import bernoulli as bernoulli
from adjoint.scipy.stats import beta as beta
from adjoint.scipy.stats import betabinom as betabinom
from adjoint.scipy.stats import binom as binom
from adjoint.scipy.stats import cauchy as cauchy
from adjoint.scipy.stats import chi2 as chi2
from adjoint.scipy.stats import dirichlet as dirichlet
from adjoint.scipy.stats import expon as expon
from adjoint.scipy.stats import gamma as gamma
class gaussian_kde:
    """The density of the distribution of a data set.

    Args:
      dataset: real, `[n]`, or `[d, n]` for n points of d coordinates.
      bw_method: the width of the normal distributions in units of the covariance: "scott" (default), "silverman", a
        number, or a function of this object.
      weights: `[n]`, how much each point counts; default the same.
    Raises:
      NotImplementedError: the data set is complex.
      ValueError: shapes do not fit, or there is no such method.

    >>> density = gaussian_kde(jnp.array([0., 1., 3.]))
    >>> density(1.0).round(3)
    Array([0.215], dtype=float32)
    """
    def __init__(self, dataset: Any, bw_method: Any = None, weights: ArrayLike | None = None) -> None: ...
    neff: Any
    dataset: Any
    weights: Any
    covariance: Any
    inv_cov: Any
    def tree_flatten(self) -> Any:
        """Return the arrays of the density, and None."""
    @classmethod
    def tree_unflatten(cls, aux_data: Any, children: Any) -> Any:
        """Return the density that `tree_flatten` took apart, maybe with other arrays.

        Args:
          aux_data: None.
          children: the arrays.
        """
    @property
    def d(self) -> int:
        """Return the number of coordinates."""
    @property
    def n(self) -> int:
        """Return the number of points."""
    def evaluate(self, points: Any) -> Array:
        """Return the density at points, `[m]`.

        Args:
          points: `[d, m]`, or `[m]` for one coordinate.
        Raises:
          ValueError: the points have another number of coordinates.
        """
    def __call__(self, points: Any) -> Array: ...
    def pdf(self, x: ArrayLike) -> Array:
        """Return the density at points, as `evaluate` does.

        Args:
          x: `[d, m]`, or `[m]` for one coordinate.
        """
    def logpdf(self, x: ArrayLike) -> Array:
        """Return the logarithm of the density at points, `[m]`.

        Args:
          x: `[d, m]`, or `[m]` for one coordinate.
        """
    def integrate_gaussian(self, mean: ArrayLike, cov: ArrayLike) -> Array:
        """Return the integral of the density times a normal distribution.

        Args:
          mean: `[d]`.
          cov: `[d, d]`.
        Raises:
          ValueError: one is of another shape.
        """
    def integrate_box_1d(self, low: ArrayLike, high: ArrayLike) -> Array:
        """Return the probability of values from low to high.

        Args:
          low: a number.
          high: a number.
        Raises:
          ValueError: the data set has more than one coordinate.
        """
    def integrate_kde(self, other: Any) -> Array:
        """Return the integral of the product of two densities.

        Args:
          other: a `gaussian_kde`.
        Raises:
          ValueError: they have not the same number of coordinates.
        """
    def resample(self, key: ArrayLike, shape: int | Sequence[int | Array] = ()) -> Array:
        """Random points, `[d, *shape]`.

        Args:
          key: a key of random numbers.
          shape: a tuple.
        """
    def integrate_box(self, low_bounds: Any, high_bounds: Any, maxpts: Any = None) -> Any:
        """Raise an error: of one coordinate there is `integrate_box_1d`.

        Args:
          low_bounds: not read.
          high_bounds: not read.
          maxpts: not read.
        """
    def set_bandwidth(self, bw_method: Any = None) -> Any:
        """Raise an error: the bandwidth is an argument of the class.

        Args:
          bw_method: not read.
        """
from adjoint.scipy.stats import gennorm as gennorm
from adjoint.scipy.stats import geom as geom
from adjoint.scipy.stats import gumbel_l as gumbel_l
from adjoint.scipy.stats import gumbel_r as gumbel_r
from adjoint.scipy.stats import laplace as laplace
from adjoint.scipy.stats import logistic as logistic
def mode(a: ArrayLike, axis: int | None = 0, nan_policy: str = 'propagate', keepdims: bool = False) -> _ModeResult:
    """Return the most frequent value along an axis, the smallest of several, and how often it occurs.

    Args:
      a: array.
      axis: which one; None for all elements.
      nan_policy: must be "propagate"; NaN is a value like others.
      keepdims: leave the axis in the results, with size 1.
    Returns:
      A named tuple (mode, count) of arrays without the axis.
      The values have the dtype of `a`; the counts are integers.
    Raises:
      NotImplementedError, ValueError: another policy.

    >>> mode(jnp.array([2, 4, 1, 4]))
    ModeResult(mode=Array(4, dtype=int32), count=Array(2, dtype=int32))
    """
from adjoint.scipy.stats import multinomial as multinomial
from adjoint.scipy.stats import multivariate_normal as multivariate_normal
from adjoint.scipy.stats import nbinom as nbinom
from adjoint.scipy.stats import norm as norm
from adjoint.scipy.stats import pareto as pareto
from adjoint.scipy.stats import poisson as poisson
def rankdata(a: ArrayLike, method: str = 'average', *, axis: int | None = None, nan_policy: str = 'propagate') -> Array:
    """Return the ranks of values along an axis, from 1.

    Args:
      a: array.
      method: the rank of equal values: their "average", "min" or "max"; "dense", the number of different values
        up to them; "ordinal", each its own, in their order.
      axis: which one; None for all elements.
      nan_policy: must be "propagate": NaN makes all ranks NaN.
    Returns:
      Floats, in an array of the shape of `a`, or flat without an axis. The dtype is the default float.
    Raises:
      ValueError: there is no such method or policy.
      NotImplementedError: the policy is not "propagate".

    >>> rankdata(jnp.array([1, 3, 2, 3]))
    Array([1. , 3.5, 2. , 3.5], dtype=float32)
    """
def sem(a: ArrayLike, axis: int | None = 0, ddof: int = 1, nan_policy: str = 'propagate', *, keepdims: bool = False) -> Array:
    """Return the standard error of the mean along an axis: the standard deviation over the root of the number.

    Args:
      a: array.
      axis: which one; None for all elements.
      ddof: the number of values less this divides the squares.
      nan_policy: "propagate", or "omit" to leave NaN out.
      keepdims: leave the axis in the result, with size 1.
    Returns:
      Floats, in an array without the axis. The dtype is that of `a`; integers and booleans become floats.
    Raises:
      ValueError: another policy.

    >>> sem(jnp.array([1., 3.]))
    Array(1., dtype=float32)
    """
from adjoint.scipy.stats import t as t
from adjoint.scipy.stats import truncnorm as truncnorm
from adjoint.scipy.stats import uniform as uniform
from adjoint.scipy.stats import vonmises as vonmises
from adjoint.scipy.stats import wrapcauchy as wrapcauchy
class _ModeResult(NamedTuple):
    mode: Array
    count: Array
