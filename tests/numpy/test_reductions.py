"""Sums, extrema, moments, running sums and quantiles: values, types, derivatives, jaxprs and errors as in JAX."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from tests.modes import compiling, unchecked
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp

from .expressions import (
    numbers,
    same_concrete,
    same_derivatives,
    same_errors,
    same_jaxprs,
    same_values,
)

SIMPLE = ("sum", "prod", "max", "min", "all", "any", "mean", "var", "std", "ptp", "argmax", "argmin",
          "count_nonzero", "cumsum", "cumprod")
MISSING = ("nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd", "nanargmax", "nanargmin",
           "nancumsum", "nancumprod", "nanmedian")
ROUGH = {np.float16: 2e-3, ml_dtypes.bfloat16: 2e-2}
SEVERAL = set(SIMPLE) - {"argmax", "argmin", "cumsum", "cumprod"}


@pytest.mark.parametrize("dtype", [np.float32, np.int32, bool, ml_dtypes.bfloat16, np.complex64, np.int8, np.uint8])
def test_dtypes(dtype):
    """Results of every reduction have JAX's dtype, over all elements and over one axis."""
    unordered = {"ptp", "argmax", "argmin", "nanargmax", "nanargmin", "nanmedian"}
    if dtype is np.complex64:
        names = [n for n in (*SIMPLE, *MISSING) if n not in unordered and "max" not in n and "min" not in n]
    elif dtype is bool:
        names = [n for n in (*SIMPLE, *MISSING) if n != "ptp"]
    else:
        names = [*SIMPLE, *MISSING]
    table = "\n".join(f"n.{name}(x)\nn.{name}(x, axis=-1)" for name in names)
    same_values(table, numbers(dtype), rtol=ROUGH.get(dtype, 1e-5))


def test_axes_and_keepdims():
    table = "\n".join(
        f"n.{name}(x, axis=(0, 2))\nn.{name}(x, axis=(0, -1), keepdims=True)\n"
        f"n.{name}(x, axis=())\nn.{name}(x, keepdims=True)"
        for name in sorted(SEVERAL)
    )
    table += """
        n.argmax(x, axis=1, keepdims=True)
        n.argmin(x, keepdims=True)
        n.cumsum(x, axis=-2)
        n.cumprod(x, 1)
        n.nanmean(x, axis=(0, 2), keepdims=True)
        n.nanargmax(x, 1, keepdims=True)
    """
    same_values(table, numbers(), rtol=1e-5)


def test_where_initial_and_dtype():
    same_values(
        """
        n.sum(x, where=y)
        n.sum(x, axis=1, where=y, initial=2)
        n.prod(x, axis=1, where=y, initial=2.5)
        n.max(x, axis=1, where=y, initial=-1.)
        n.min(x, where=y, initial=9)
        n.all(x, axis=1, where=y)
        n.any(x, where=y)
        n.mean(x, where=y)
        n.mean(x, axis=2, where=y, keepdims=True)
        n.var(x, axis=2, where=y)
        n.std(x, where=y, ddof=1)
        n.nansum(x, axis=1, where=y)
        n.nanmax(x, initial=3.)
        n.nanmean(x, where=y)
        n.sum(x, dtype='int32')
        n.sum(x, dtype=n.complex64)
        n.prod(x, axis=0, dtype='float16')
        n.mean(x, dtype='float16')
        n.mean(x, dtype='int32')
        n.var(x, dtype='float16')
        n.var(x, ddof=1)
        n.var(x, axis=1, correction=2)
        n.var(x, axis=1, mean=n.mean(x, axis=1, keepdims=True))
        n.std(x, axis=1, ddof=1)
        n.cumsum(x, dtype='int32')
        n.nancumsum(x, 1, dtype='float16')
        n.nanvar(x, ddof=1, axis=0)
        """,
        numbers(), np.array([True, False, True, True]), rtol=2e-3,
    )
    same_values(
        "n.sum(x, promote_integers=False)\nn.prod(x, promote_integers=False)\nn.sum(x, dtype='float32')\n"
        "n.sum(x, initial=2)\nn.var(x)\nn.mean(x, dtype='int32')",
        numbers(np.int8),
    )


@pytest.mark.parametrize("shape", [(), (1,), (3, 0), (0,)])
def test_scalars_and_empty_arrays(shape):
    names = [n for n in (*SIMPLE, *MISSING) if 0 not in shape or not set("maxminptp") & {n[-3:]}]
    names = [n for n in names if 0 not in shape or n[-3:] not in ("max", "min", "ptp") and "dian" not in n]
    same_values("\n".join(f"n.{name}(x)" for name in names), numbers(shape=shape), rtol=1e-5)


def test_nan():
    x = np.where(numbers() > 1, np.nan, numbers()).astype(np.float32)
    x[0, :, 1] = np.nan
    table = "\n".join(f"n.{name}(x)\nn.{name}(x, axis=1)" for name in (*SIMPLE, *MISSING))
    same_values(table, x, rtol=1e-5)


def test_weak_operands():
    """Python scalars and weakly typed arrays give strong results, as in JAX."""
    table = "\n".join(f"n.{name}(2.5)\nn.{name}(3)\nn.{name}(n.full((2,), 1.))" for name in (*SIMPLE, *MISSING))
    same_values(table)


def test_averages():
    same_values(
        """
        n.average(x)
        n.average(x, axis=1, keepdims=True)
        n.average(x, weights=y)
        n.average(x, axis=1, weights=y, keepdims=True)
        n.average(x, axis=1, weights=y[0, :, 0] + 10)
        n.average(x, axis=(0, 2), weights=y[:, 0])
        n.average(x, axis=1, weights=y, returned=True)
        n.average(x, axis=0, returned=True)
        """,
        numbers(), numbers(seed=3) + 5, rtol=1e-5,
    )


@pytest.mark.parametrize("method", ["linear", "lower", "higher", "midpoint", "nearest"])
def test_quantiles(method):
    same_values(
        f"""
        n.quantile(x, 0.3, method='{method}')
        n.quantile(x, y, axis=1, method='{method}')
        n.quantile(x, y, axis=(0, 2), keepdims=True, method='{method}')
        n.percentile(x, 30, axis=-1, method='{method}')
        n.nanquantile(x, y, axis=1, method='{method}')
        n.nanpercentile(x, 30, method='{method}')
        """,
        numbers(), np.array([0, 0.1, 0.77], np.float32), rtol=1e-5,
    )


@unchecked
def test_quantiles_pass_over_what_is_no_number():
    methods = ["linear", "lower", "higher", "midpoint", "nearest"]
    table = "\n".join([f"n.nanquantile(n.where(x > 1, n.nan, x), 0.3, method='{method}')" for method in methods])
    same_values(table, numbers(), rtol=1e-5)


def test_medians():
    same_values(
        "n.median(x)\nn.median(x, axis=1)\nn.median(x, axis=(0, 1), keepdims=True)\nn.nanmedian(x, axis=0)",
        numbers(),
    )
    same_values("n.median(x)\nn.median(x, axis=0)", numbers(np.int32, (3, 3)))


def test_cumulative_functions_of_the_array_api():
    for dtype in (np.float32, bool, np.int8):
        same_values(
            """
            n.cumulative_sum(x, axis=1)
            n.cumulative_sum(x, axis=1, include_initial=True)
            n.cumulative_prod(x, axis=-1, dtype='float32', include_initial=True)
            n.cumulative_prod(x, axis=0, dtype=n.int32)
            """,
            numbers(dtype), rtol=1e-5,
        )


def test_derivatives():
    smooth = "sum prod max min mean var std ptp cumsum cumprod median nansum nanmean nanvar nanmax".split()
    table = "\n".join(f"n.{name}(x)\nn.{name}(x, axis=1)" for name in smooth)
    same_derivatives(table + "\nn.quantile(x, 0.3, axis=0)\nn.average(x, 1)", numbers(shape=(3, 4)) / 3)


@compiling
def test_jaxprs():
    same_jaxprs(
        """
        n.sum(x)
        n.sum(x, axis=1, keepdims=True)
        n.sum(x, initial=2.)
        n.sum(x, where=x > 0)
        n.mean(x)
        n.mean(x, axis=-1, keepdims=True)
        n.mean(x, axis=1, where=x > 2)
        n.var(x)
        n.var(x, axis=1, where=x > 2)
        n.std(x, axis=-1, ddof=1)
        n.max(x)
        n.max(x, initial=2., where=x > 0)
        n.min(x, axis=0)
        n.prod(x)
        n.all(x)
        n.any(x > 0, axis=1)
        n.ptp(x)
        n.argmax(x)
        n.argmin(x, axis=1, keepdims=True)
        n.count_nonzero(x)
        n.cumsum(x)
        n.cumprod(x, axis=1)
        n.cumulative_sum(x, axis=1, include_initial=True)
        n.average(x)
        n.average(x, axis=1, returned=True)
        n.median(x)
        n.quantile(x, 0.3)
        n.quantile(x, 0.3, axis=1)
        n.percentile(x, 30, method='nearest')
        n.nansum(x)
        n.nanmax(x)
        n.nanmean(x)
        n.nanvar(x)
        n.nanstd(x, axis=1)
        n.nanargmax(x)
        n.nancumsum(x)
        n.nanquantile(x, 0.3, axis=1)
        """,
        numbers(),
    )
    same_jaxprs("n.sum(x)\nn.mean(x)\nn.cumsum(x)\nn.prod(x, dtype='float32')", numbers(np.int8))
    same_jaxprs("n.sum(x)\nn.mean(x)\nn.var(x)", numbers(np.float16))
    same_jaxprs("n.var(x)", numbers(np.complex64))
    same_jaxprs("n.sum(2.5)\nn.max(2)\nn.cumsum(1.)\nn.var(2.)")


def test_errors():
    same_errors(
        """
        n.sum([1, 2])
        n.sum('a')
        n.sum(x, axis=3)
        n.sum(x, axis=(0, 0))
        n.sum(x, axis=1.5)
        n.sum(x, out=x)
        n.sum(x, where=n.arange(4))
        n.sum(x, initial=n.ones(2))
        n.max(x, where=x > 0)
        n.max(n.zeros((0, 2)))
        n.min(n.zeros((2, 0)), axis=1)
        n.argmax(n.zeros(0))
        n.argmin(x, axis=5)
        n.cumsum(x, axis=4)
        n.var(x, ddof=1, correction=1)
        n.var(x.astype('complex64'), dtype='float32')
        n.average(x, weights=n.ones(3))
        n.average(x, axis=0, weights=n.ones(3))
        n.quantile(x, 0.5, method='best')
        n.quantile(x, n.ones((1, 1)))
        n.cumulative_sum(x)
        n.cumulative_sum(2.)
        """,
        numbers(),
    )


def test_methods():
    """Methods of arrays and of tracers do what the functions do."""
    names = "all any argmax argmin cumprod cumsum max mean min prod ptp std sum var".split()
    same_values("\n".join(f"x.{name}()\nx.{name}(1)" for name in names), numbers(), rtol=1e-5)


def test_large_results_stay_in_order():
    """Positions of extrema are the first of several."""
    x = np.tile(np.array([3, 1, 3, 1], np.float32), (2, 1))
    same_concrete("n.argmax(x)\nn.argmin(x)\nn.argmax(x, axis=0)\nn.argmin(x, axis=1)", x)


@pytest.mark.parametrize("axis", ["i", ("i",), ("i", 0), (0, "i")])
@pytest.mark.parametrize("name", ["sum", "max", "min", "mean", "var", "std", "nansum", "count_nonzero", "prod", "any"])
def test_axes_that_are_mapped_over(name, axis):
    """A string names an axis of `vmap`, alone and beside positions; what has no collective is refused."""
    x = numbers(np.float32, (3, 4))

    def run(m):
        try:
            return m.jit(m.vmap(lambda row: getattr(m.numpy, name)(row, axis=axis), axis_name="i"))(x)
        except NotImplementedError as error:
            return str(error).split("\n")[0]

    ours, theirs = run(adjoint), run(jax)
    if isinstance(theirs, str):
        assert ours == theirs
    else:
        assert ours.dtype == theirs.dtype
        np.testing.assert_allclose(ours, theirs, rtol=2e-6)


def test_softmax_over_an_axis_that_is_mapped_over():
    x = numbers(np.float32, (3, 4))
    for name in ("softmax", "log_softmax", "logsumexp", "standardize"):
        run = lambda m, name=name: m.vmap(lambda row: getattr(m.nn, name)(row, axis=("i", 0)), axis_name="i")(x)
        np.testing.assert_allclose(run(adjoint), run(jax), rtol=2e-5, atol=1e-6)
    for m in (adjoint, jax):
        with pytest.raises(NameError, match="unbound axis name"):
            m.numpy.sum(x, axis="j")


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "cumsum", "nansum", "nanprod"])
def test_a_real_dtype_for_complex_numbers_warns(name):
    with pytest.warns(np.exceptions.ComplexWarning, match="discards the imaginary part"):
        getattr(jnp, name)(jnp.array([1 + 2j, 3]), dtype="float32")
