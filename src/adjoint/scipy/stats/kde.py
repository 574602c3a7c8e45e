"""`gaussian_kde`: a density from samples, a normal distribution around each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np

from ... import numpy as jnp
from ... import random
from ...core import dtypes
from ...core.messages.boundaries import public
from ...core.messages.errors import message
from ...core.types import Array
from ...lax import linalg as lax_linalg
from ...tree_util import register_pytree_node_class
from .. import linalg, special
from . import norm
from .operands import floats

__all__ = ["gaussian_kde"]


@register_pytree_node_class
@dataclass(frozen=True, init=False)
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

    neff: Any
    dataset: Any
    weights: Any
    covariance: Any
    inv_cov: Any

    def __init__(self, dataset, bw_method: None | str | Array | Callable = None, weights=None):
        (dataset,) = floats("gaussian_kde", dataset)
        if dtypes.issubdtype(dataset.dtype, np.complexfloating):
            raise NotImplementedError(message(
                "gaussian_kde does not support complex data", fix="jnp.stack([dataset.real, dataset.imag])"
            ))
        dataset = jnp.atleast_2d(dataset)
        if dataset.size < 2:
            raise ValueError(
                message(
                    "`dataset` input should have multiple elements.",
                    fix="two points at least, in columns: [dimensions, points]",
                )
            )
        _, n = dataset.shape
        if weights is None:
            weights = jnp.full(n, 1 / n, dataset.dtype)
        else:
            (weights,) = floats("gaussian_kde", weights)
            weights = weights / jnp.sum(weights)
            if weights.ndim != 1:
                raise ValueError("`weights` input should be one-dimensional.")
            if len(weights) != n:
                raise ValueError("`weights` input should be of length n")
        store = object.__setattr__
        store(self, "dataset", dataset)
        store(self, "weights", weights)
        store(self, "neff", 1 / jnp.sum(weights**2))
        factor = self._bandwidth("scott" if bw_method is None else bw_method)
        covariance = jnp.atleast_2d(jnp.cov(dataset, rowvar=True, bias=False, aweights=weights))
        store(self, "covariance", covariance * factor**2)
        store(self, "inv_cov", jnp.linalg.inv(covariance) / factor**2)

    def _bandwidth(self, method):
        if method == "scott":
            return jnp.power(self.neff, -1.0 / (self.d + 4))
        if method == "silverman":
            return jnp.power(self.neff * (self.d + 2) / 4.0, -1.0 / (self.d + 4))
        if jnp.isscalar(method) and not isinstance(method, str):
            return method
        if callable(method):
            return method(self)
        raise ValueError(
            message("`bw_method` should be 'scott', 'silverman', a scalar, or a callable.", fix="bw_method='scott'")
        )

    def tree_flatten(self):
        """Return the arrays of the density, and None."""
        return (self.neff, self.dataset, self.weights, self.covariance, self.inv_cov), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        """Return the density that `tree_flatten` took apart, maybe with other arrays.

        Args:
          aux_data: None.
          children: the arrays.
        """
        density = object.__new__(cls)
        for name, value in zip(cls.__dataclass_fields__, children):
            object.__setattr__(density, name, value)
        return density

    @property
    def d(self) -> int:
        """Return the number of coordinates."""
        return self.dataset.shape[0]

    @property
    def n(self) -> int:
        """Return the number of points."""
        return self.dataset.shape[1]

    def evaluate(self, points) -> Array:
        """Return the density at points, `[m]`.

        Args:
          points: `[d, m]`, or `[m]` for one coordinate.
        Raises:
          ValueError: the points have another number of coordinates.
        """
        return jnp.exp(self.logpdf(points))

    def __call__(self, points) -> Array:
        return self.evaluate(points)

    def pdf(self, x) -> Array:
        """Return the density at points, as `evaluate` does.

        Args:
          x: `[d, m]`, or `[m]` for one coordinate.
        """
        return self.evaluate(x)

    def logpdf(self, x) -> Array:
        """Return the logarithm of the density at points, `[m]`.

        Args:
          x: `[d, m]`, or `[m]` for one coordinate.
        """
        points = self._points(x)
        whitener = lax_linalg.cholesky(self.inv_cov).T
        logs = jnp.sum(jnp.log(jnp.diag(whitener))) - self.d / 2 * jnp.log(2 * pi).astype(points.dtype)
        difference = whitener @ (self.dataset[:, :, None] - points[:, None, :]).reshape(self.d, -1)
        energies = jnp.sum(difference**2, axis=0).reshape(self.n, -1) / 2
        return special.logsumexp(logs - energies, axis=0, b=self.weights[:, None])

    def _points(self, points) -> Array:
        (points,) = floats("gaussian_kde.evaluate", points)
        points = jnp.atleast_2d(points)
        d, m = points.shape
        if d == 1 and m == self.d:
            return points.reshape(self.d, 1)
        if d != self.d:
            raise ValueError(f"points have dimension {d}, dataset has dimension {self.d}")
        return points

    def integrate_gaussian(self, mean, cov) -> Array:
        """Return the integral of the density times a normal distribution.

        Args:
          mean: `[d]`.
          cov: `[d, d]`.
        Raises:
          ValueError: one is of another shape.
        """
        mean, cov = jnp.atleast_1d(jnp.squeeze(mean)), jnp.atleast_2d(cov)
        if mean.shape != (self.d,):
            raise ValueError(f"mean does not have dimension {self.d}")
        if cov.shape != (self.d, self.d):
            raise ValueError(f"covariance does not have dimension {self.d}")
        return self._overlap(mean[:, None], self.covariance + cov, jnp.ones(1, self.weights.dtype))

    def _overlap(self, means, covariance, weights) -> Array:
        """Return the sum of weighted normal densities at the differences of points and means."""
        factor = linalg.cho_factor(covariance)
        difference = (self.dataset[:, :, None] - means[:, None, :]).reshape(self.d, -1)
        energies = jnp.sum(difference * linalg.cho_solve(factor, difference), axis=0) / 2
        norm_ = jnp.exp(jnp.sum(jnp.log(jnp.diag(factor[0])))) * (2 * pi) ** (self.d / 2)
        return jnp.sum(jnp.exp(-energies) * (self.weights[:, None] * weights[None]).ravel()) / norm_

    def integrate_box_1d(self, low, high) -> Array:
        """Return the probability of values from low to high.

        Args:
          low: a number.
          high: a number.
        Raises:
          ValueError: the data set has more than one coordinate.
        """
        if self.d != 1:
            raise ValueError("integrate_box_1d() only handles 1D pdfs")
        width = jnp.sqrt(jnp.squeeze(self.covariance))
        low, high = (norm.cdf(jnp.squeeze((x - self.dataset) / width)) for x in (low, high))
        return jnp.sum(self.weights * (high - low))

    def integrate_kde(self, other) -> Array:
        """Return the integral of the product of two densities.

        Args:
          other: a `gaussian_kde`.
        Raises:
          ValueError: they have not the same number of coordinates.
        """
        if other.d != self.d:
            raise ValueError("KDEs are not the same dimensionality")
        return self._overlap(other.dataset, self.covariance + other.covariance, other.weights)

    def resample(self, key, shape=()) -> Array:
        """Random points, `[d, *shape]`.

        Args:
          key: a key of random numbers.
          shape: a tuple.
        """
        of_points, of_noise = random.split(key)
        chosen = random.choice(of_points, self.n, shape=shape, p=self.weights)
        zeros = jnp.zeros(self.d, self.covariance.dtype)
        noise = random.multivariate_normal(
            of_noise, zeros, self.covariance, shape=shape, dtype=self.dataset.dtype
        )
        return self.dataset[:, chosen] + jnp.moveaxis(noise, -1, 0)

    def integrate_box(self, low_bounds, high_bounds, maxpts=None):
        """Raise an error: of one coordinate there is `integrate_box_1d`.

        Args:
          low_bounds: not read.
          high_bounds: not read.
          maxpts: not read.
        """
        raise NotImplementedError("only 1D box integrations are supported; use `integrate_box_1d`")

    def set_bandwidth(self, bw_method=None):
        """Raise an error: the bandwidth is an argument of the class.

        Args:
          bw_method: not read.
        """
        raise NotImplementedError("dynamically changing the bandwidth method is not supported")

public(globals())
