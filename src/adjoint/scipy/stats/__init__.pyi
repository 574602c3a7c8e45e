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
    def __init__(self, dataset: Any, bw_method: Any = None, weights: ArrayLike | None = None) -> None: ...
    neff: Any
    dataset: Any
    weights: Any
    covariance: Any
    inv_cov: Any
    def tree_flatten(self) -> Any: ...
    @classmethod
    def tree_unflatten(cls, aux_data: Any, children: Any) -> Any: ...
    @property
    def d(self) -> int: ...
    @property
    def n(self) -> int: ...
    def evaluate(self, points: Any) -> Array: ...
    def __call__(self, points: Any) -> Array: ...
    def pdf(self, x: ArrayLike) -> Array: ...
    def logpdf(self, x: ArrayLike) -> Array: ...
    def integrate_gaussian(self, mean: ArrayLike, cov: ArrayLike) -> Array: ...
    def integrate_box_1d(self, low: ArrayLike, high: ArrayLike) -> Array: ...
    def integrate_kde(self, other: Any) -> Array: ...
    def resample(self, key: ArrayLike, shape: int | Sequence[int | Array] = ()) -> Array: ...
    def integrate_box(self, low_bounds: Any, high_bounds: Any, maxpts: Any = None) -> Any: ...
    def set_bandwidth(self, bw_method: Any = None) -> Any: ...
from adjoint.scipy.stats import gennorm as gennorm
from adjoint.scipy.stats import geom as geom
from adjoint.scipy.stats import gumbel_l as gumbel_l
from adjoint.scipy.stats import gumbel_r as gumbel_r
from adjoint.scipy.stats import laplace as laplace
from adjoint.scipy.stats import logistic as logistic
def mode(a: ArrayLike, axis: int | None = 0, nan_policy: str = 'propagate', keepdims: bool = False) -> _ModeResult: ...
from adjoint.scipy.stats import multinomial as multinomial
from adjoint.scipy.stats import multivariate_normal as multivariate_normal
from adjoint.scipy.stats import nbinom as nbinom
from adjoint.scipy.stats import norm as norm
from adjoint.scipy.stats import pareto as pareto
from adjoint.scipy.stats import poisson as poisson
def rankdata(a: ArrayLike, method: str = 'average', *, axis: int | None = None, nan_policy: str = 'propagate') -> Array: ...
def sem(a: ArrayLike, axis: int | None = 0, ddof: int = 1, nan_policy: str = 'propagate', *, keepdims: bool = False) -> Array: ...
from adjoint.scipy.stats import t as t
from adjoint.scipy.stats import truncnorm as truncnorm
from adjoint.scipy.stats import uniform as uniform
from adjoint.scipy.stats import vonmises as vonmises
from adjoint.scipy.stats import wrapcauchy as wrapcauchy
class _ModeResult(NamedTuple):
    mode: Any
    count: Any
