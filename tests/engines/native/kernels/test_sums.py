"""Long sums on the native engine: the error does not grow with the number of terms, whatever is summed over."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.engines.agreement import in_both_tiers

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.core.process import processors
from adjoint.engines.native.kernels import split
from adjoint.engines.native.program import table
from adjoint.engines.native.program.table import Executable
from adjoint.engines.native.runtime import threads

KINDS = {
    "constant": lambda n: np.full(n, 0.1),
    "positive": lambda n: np.random.default_rng(0).random(n),
    "alternating": lambda n: 0.1 * (-1.0) ** np.arange(n) * (1 + np.random.default_rng(1).random(n)),
    "random": lambda n: np.random.default_rng(2).normal(size=n),
}
SHAPES = [  # and the axes to sum over
    ((40_000,), (0,)), ((150_000,), (0,)), ((5, 9001), (1,)), ((9001, 5), (0,)), ((3000, 16), (0,)),
    ((2000, 37), (0,)), ((700, 130), (0,)), ((300, 1500), (0,)), ((40, 20_000), (0,)), ((7, 2000, 5), (1,)),
    ((3, 500, 200), (1,)), ((1500, 3, 20), (0, 2)), ((40, 50, 33), (0, 1)), ((20, 900, 3), (1, 2)),
]


def both(function, *args):
    """The results of the code of the first call, which are those of later ones."""
    return in_both_tiers(Executable(ax.make_jaxpr(function)(*args)), list(args))


def assert_sums(got, x, axes, eps, units):
    """Sums of `x` are true but for `units` units in the last place of the sum of absolute values."""
    wide = np.asarray(x, np.longdouble)
    error = abs(np.asarray(got, np.longdouble) - wide.sum(axes))
    assert (error <= units * eps * abs(wide).sum(axes)).all(), float((error / (eps * abs(wide).sum(axes))).max())


def units(shape, axes):
    """Short rows are not added in blocks: what one accumulator adds loses a little more."""
    return 7 if math.prod(shape[a] for a in axes) <= 4096 else 3


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape, axes", SHAPES, ids=str)
def test_long_sums_are_true_but_for_a_few_units_in_the_last_place(shape, axes, kind):
    x = KINDS[kind](math.prod(shape)).reshape(shape).astype(np.float32)
    assert_sums(both(lambda x: x.sum(axes), x)[0], x, axes, 2.0**-23, units(shape, axes))


@pytest.mark.parametrize("shape, axes", SHAPES[::3], ids=str)
def test_sums_of_float64_keep_their_digits_too(shape, axes):
    x = KINDS["constant"](math.prod(shape)).reshape(shape)
    with ax.enable_x64(True):
        assert_sums(both(lambda x: x.sum(axes), x)[0], x, axes, 2.0**-52, 1 + units(shape, axes))


def test_sums_of_half_floats_are_rounded_once():
    x = KINDS["positive"](60_000).reshape(300, 200).astype(np.float16)
    for axis in (0, 1, None):
        (out,) = both(lambda x, axis=axis: x.sum(axis), x / 512)
        expected = np.asarray(x / 512, np.float64).sum(axis)
        np.testing.assert_allclose(out, expected, rtol=2.0**-11)


def test_sums_that_are_fused_with_other_work_keep_their_digits():
    x = np.full((3000, 48), 0.1, np.float32)

    def f(x):
        y = (x - x.mean(-1, keepdims=True)) + 0.1
        return y.sum(0), (y * 2).sum(), x.sum(-1), x.max(0), jnp.tanh(x).sum((0, 1))

    columns, whole, rows, greatest, total = both(f, x)
    assert_sums(columns, np.full((3000, 48), np.float32(0.1)), 0, 2.0**-23, 4)
    assert_sums(whole, np.full((3000, 48), np.float32(0.2)), None, 2.0**-23, 4)
    assert_sums(rows, x, 1, 2.0**-23, 3)
    assert_sums(total, np.tanh(x.astype(float)), None, 2.0**-23, 4)
    assert (greatest == np.float32(0.1)).all()


@pytest.mark.parametrize("shape, axes", SHAPES, ids=str)
def test_long_sums_do_not_depend_on_the_number_of_threads(shape, axes, monkeypatch):
    monkeypatch.setattr(split, "_MIN_NANOSECONDS_TO_THREAD", 0)
    monkeypatch.setattr(split, "_CHUNK_NANOSECONDS", 1000)
    monkeypatch.setattr(table, "_kernels", {})
    x = KINDS["positive"](math.prod(shape)).reshape(shape).astype(np.float32)
    compiled = Executable(ax.make_jaxpr(lambda x: (x.sum(axes), (x * x).sum(axes) + x.max(axes)))(x))
    try:
        seen = []
        for n in (1, 2, 3):
            threads.resize(n)
            seen.append(compiled(x))
    finally:
        threads.resize(processors.count())
    for first, *others in zip(*seen):
        for other in others:
            np.testing.assert_array_equal(first, other)
    assert_sums(seen[0][0], x, axes, 2.0**-23, 3)


@pytest.mark.parametrize("shape, axis", [((5000,), 0), ((5000, 3), 0), ((900, 300), 0), ((3, 5000), 1)], ids=str)
def test_sums_with_infinities_and_nan_are_what_numpy_makes_of_them(shape, axis):
    for values in ([np.inf], [-np.inf], [np.inf, -np.inf], [np.nan], [3e38] * 20, [3e38] * 20 + [-np.inf]):
        x = np.ones(shape, np.float32)
        np.moveaxis(x, axis, 0)[np.linspace(0, shape[axis] - 1, len(values)).astype(int)] = np.reshape(
            np.array(values, np.float32), (-1, *[1] * (len(shape) - 1))
        )
        with np.errstate(over="ignore", invalid="ignore"):
            np.testing.assert_array_equal(both(lambda x: x.sum(axis), x)[0], x.sum(axis))


def test_counts_beyond_the_digits_of_float32_are_exact():
    flags = np.ones(2**24 + 6, bool)
    assert both(lambda x: x.astype(jnp.float32).sum(), flags)[0] == 2**24 + 6


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_sums_of_quotients_see_the_elements_of_a_row_alone(dtype):
    """The last vector of a row may hold 0 / 0 where the row has ended."""
    integer = np.dtype(f"int{8 * np.dtype(dtype).itemsize}")
    for n in range(2, 12):
        x = np.linspace(1, 2, n, dtype=dtype)
        for shape in ((n,), (1, n)):
            total, _ = both(lambda x, y: (jnp.sum(x / y, -1), x), x.reshape(shape), x.reshape(shape))
            np.testing.assert_array_equal(total, np.full(shape[:-1], n, dtype))
            total, _ = both(lambda x, y: (jnp.sum(jnp.fmod(x, y), -1), x), x.reshape(shape), 2 * x.reshape(shape))
            np.testing.assert_allclose(total, np.full(shape[:-1], 1.5 * n), rtol=2e-3)
            bits = lambda x, y: jnp.sum(lax.bitcast_convert_type(x / y, integer), -1, dtype=integer)
            ones = np.full(shape, 1, dtype).view(integer).sum(-1, dtype=integer)
            np.testing.assert_array_equal(both(bits, x.reshape(shape), x.reshape(shape))[0], ones)


@pytest.mark.parametrize("name", ["any", "all", "max", "min"])
def test_flags_are_reduced_over_any_number_of_lanes(name):
    """Rows of a vector, of several and of parts of one, along each axis; one flag that differs decides."""
    reduce, numpy = getattr(jnp, name), getattr(np, name)
    shapes = [((64,), 0), ((7,), 0), ((1000,), 0), ((33, 65), 1), ((33, 65), 0), ((5, 17, 40), (0, 2)), ((2, 8), 1)]
    for shape, axis in shapes:
        for fill in (False, True):
            flags = np.full(shape, fill)
            for at in (None, 0, -1, flags.size // 2):
                one = flags.copy()
                if at is not None:
                    one.flat[at] = not fill
                numbers = one.astype(np.float32)
                found = both(lambda x, y: (reduce(x, axis), reduce(y > 0.5, axis)), one, numbers)
                for got in found:
                    np.testing.assert_array_equal(got, numpy(one, axis))
