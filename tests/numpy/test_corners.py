"""Corners that programs made by machine found: values, dtypes and classes of errors are JAX's."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.modes import promoting, standard

import adjoint
import adjoint.numpy as jnp


def same(x, values, dtype):
    """Check the numbers and the dtype of a result that is not weakly typed."""
    assert (str(x.dtype), x.weak_type) == (dtype, False)
    np.testing.assert_array_equal(np.asarray(x), values)


def test_initial_values_become_integers_as_arrays_of_floats_do():
    x = jnp.arange(2, dtype="uint8")
    same(jnp.min(x, initial=300.5), 0, "uint8")
    same(jnp.max(x, initial=300.5), 255, "uint8")
    same(jnp.min(x, initial=-7.5), 0, "uint8")
    same(jnp.max(x.astype("int8"), initial=-300.5), 1, "int8")
    same(jnp.sum(x, initial=-7.5), 1, "uint32")
    same(jnp.sum(x, initial=2.9), 3, "uint32")


def test_slices_in_brackets_keep_the_dtype_of_their_bounds():
    small, half = jnp.int8(3), np.float16(3)
    same(jnp.mgrid[0:small], [0, 1, 2], "int8")
    same(jnp.r_[0:small], [0, 1, 2], "int8")
    same(jnp.mgrid[0:half:2j], [0, 3], "float16")
    with adjoint.enable_x64(True):
        same(jnp.ogrid[0 : np.float32(2) : 3j], [0, 1, 2], "float32")
        same(jnp.r_[0 : np.float32(2)], [0, 1], "float32")
        assert jnp.mgrid[0 : jnp.float32(2), 0:2].dtype == "float32"
        same(jnp.mgrid[0:2:2j], [0, 2], "float64")
    with adjoint.numpy_dtype_promotion("strict"):
        assert jnp.mgrid[0:True, 0:2].shape == (2, 1, 2)


@standard
def test_updates_by_extrema_have_the_common_dtype():
    x = jnp.arange(3, dtype="uint8")
    same(jnp.maximum.at(x, 0, 1.5, inplace=False), [1.5, 1, 2], "float32")
    same(jnp.minimum.at(x, None, np.float32(1.5), inplace=False), [0, 1, 1.5], "float32")
    same(jnp.maximum.at(x > 1, 0, 2, inplace=False), [2, 0, 1], "int32")
    same(jnp.maximum.at(x, 0, jnp.int16(300), inplace=False), [300, 1, 2], "int16")
    same(jnp.maximum.at(jnp.arange(3) * 1j, 0, 2, inplace=False), [2, 1j, 2j], "complex64")
    same(jnp.maximum.at(x, 0, 2, inplace=False), [2, 1, 2], "uint8")


def test_fillings_of_missing_numbers_are_whatever_an_array_is_made_of():
    x = jnp.array([1.0, jnp.nan, jnp.inf])
    same(jnp.nan_to_num(x, nan=[5], posinf=2 + 1j), [1, 5, 2], "float32")
    same(jnp.nan_to_num(x, nan=jnp.array([7, 8, 9]), posinf=True), [1, 8, 1], "float32")


def test_an_integer_dtype_counts_whole_windows():
    np.testing.assert_allclose(jnp.fft.rfftfreq(3, 1.5, dtype="int32"), [0, 0.25])  # 1.5 * 3 is 4 of an integer dtype
    assert not np.isfinite(jnp.fft.rfftfreq(3, 0.2, dtype="int8")).any()
    assert adjoint.grad(lambda d: jnp.fft.rfftfreq(3, d, dtype="int8").sum())(1.5) == 0


@pytest.mark.parametrize(("shapes", "fault"), [
    (((2, 2), (2,), (2, 2)), "must all be two-dimensional"), (((3,), (1,), (3,)), "must all be two-dimensional"),
    (((2, 2), (3, 2)), "must match first dimension"), (((2,), (1, 3), (3,)), "must match first dimension"),
    (((2, 2), ()), "must all be two-dimensional"), (((2, 2, 2), (2, 2)), "must all be two-dimensional"),
])
def test_products_of_several_matrices_check_their_shapes(shapes, fault):
    with pytest.raises(ValueError, match=fault):
        jnp.linalg.multi_dot([jnp.ones(shape) for shape in shapes])


@pytest.mark.parametrize("offset", [1.5, 1j, np.float32(1), np.array([1])])
def test_the_offset_of_a_trace_is_an_integer(offset):
    with pytest.raises(ValueError, match="k must be a scalar integer"):
        jnp.trace(jnp.eye(3), offset)


def test_derivatives_of_singular_values_check_what_the_values_check():
    for transform in (adjoint.grad, adjoint.jacfwd):
        with pytest.raises(TypeError, match="must have rank at least 2"):
            transform(lambda x: jnp.linalg.svd(x)[1].sum())(jnp.ones(3))
        with pytest.raises(ValueError, match="cannot both be set"):
            transform(lambda x: jnp.linalg.svd(x, subset_by_index=(0, 2))[1].sum())(jnp.eye(3))


def test_texts_among_indices_are_type_errors():
    x = jnp.ones((2, 3))
    for access in (lambda: x[0, "a"], lambda: x[..., "a"], lambda: x.at[0, "a"].set(1)):
        with pytest.raises(TypeError, match="string indexing"):
            access()


@pytest.mark.parametrize(("text", "error"), [
    ("mean([1.], out=out)", TypeError), ("std([1.], out=out)", TypeError), ("argmax([1.], out=out)", TypeError),
    ("cumsum([1.], out=out)", TypeError), ("quantile([1.], .3, out=out)", TypeError), ("ptp([1.], out=out)", TypeError),
    ("std([1.], where=ones)", TypeError), ("std(ones, where=ones, out=out)", ValueError),
    ("nansum([1.], where=ones)", TypeError), ("nanmax(ones, where=ones, out=out)", ValueError),
    ("nanmean([1.], where=ones)", TypeError), ("nanvar(ones, where=ones, out=out)", ValueError),
    ("nanquantile(ones, [.2], weights=ones)", TypeError), ("std(ones, dtype=object)", TypeError),
    ("mean(ones, out=out)", NotImplementedError), ("nansum(ones, out=out)", NotImplementedError),
])
def test_of_several_faults_the_first_argument_counts(text, error):
    with pytest.raises(error):
        eval(f"jnp.{text}", {"jnp": jnp, "ones": jnp.ones(2), "out": np.zeros(())})


def test_results_of_unique_functions_have_the_names_of_jax():
    x = jnp.arange(3)
    named = [type(f(x)).__name__ for f in (jnp.unique_all, jnp.unique_counts, jnp.unique_inverse)]
    assert named == ["_UniqueAllResult", "_UniqueCountsResult", "_UniqueInverseResult"]


def test_sets_keep_the_dtypes_of_their_elements():
    some = jnp.array([True, False])
    same(jnp.setxor1d(some, some[:1], size=3), [False, False, False], "bool")
    same(jnp.setxor1d(some, some[:1], True, size=3), [False, False, False], "bool")
    one = jnp.array([1], "int8")
    assert jnp.intersect1d(one, one, size=2, fill_value=1.5).dtype == "float32"
    for call in (lambda: jnp.unique(one, size=-1), lambda: jnp.union1d(one, one, size=-1)):
        with pytest.raises(TypeError, match="nonnegative"):
            call()


@standard
def test_dtypes_with_wide_numbers():
    with adjoint.enable_x64(True):
        assert jnp.tri(3).dtype == "float32" and jnp.eye(3).dtype == "float64"
        same(jnp.rint(jnp.array([1], "int32")), [1], "float64")
        same(jnp.rint(True), 1, "float64")


@promoting
def test_arrays_stand_for_their_dtypes_among_types():
    x = jnp.ones(2, "int8")
    assert jnp.promote_types(x, x) == "int8" and jnp.promote_types(x, jnp.float16) == "float16"
    assert jnp.promote_types(np.float32(1), x) == "float32" and jnp.promote_types(x, int) == "int8"


def test_lists_have_a_shape_and_a_warning():
    for call, expected in ((jnp.shape, (1, 2)), (jnp.ndim, 2), (jnp.size, 2), (lambda x: jnp.size(x, 0), 1)):
        with pytest.warns(DeprecationWarning, match="requires ndarray or scalar arguments"):
            assert call([[1, 2]]) == expected


def test_shapes_of_triangles_are_checked():
    with pytest.raises(TypeError, match="nonnegative"):
        jnp.tri(3, -1)
    with pytest.raises(TypeError, match="requires ndarray or scalar arguments"):
        jnp.tril_indices_from([[1]])
    assert jnp.trim_zeros(jnp.array(0.0)).shape == ()


@standard
def test_what_says_how_to_become_an_array_is_one_everywhere():
    class Wrapped:
        def __jax_array__(self):
            return jnp.ones(3)

    x = Wrapped()
    same(jnp.polyadd(x, x), [2, 2, 2], "float32")
    same(jnp.searchsorted(x, x), [0, 0, 0], "int32")
    same(jnp.isin(x, x), [True, True, True], "bool")
    same(jnp.convolve(x, x, "valid"), [3], "float32")
    assert jnp.result_type(x, jnp.float16) == "float32"
    two = jnp.full(3, 2.0)
    for f in adjoint.jit, lambda f: f:
        same(f(lambda y: y % x)(two), [0, 0, 0], "float32")
        same(f(lambda y: y // x)(two), [2, 2, 2], "float32")
        same(f(lambda y: x**y)(two), [1, 1, 1], "float32")
        same(f(lambda y: divmod(x, y)[1])(two), [1, 1, 1], "float32")


def test_decimals_are_a_whole_number():
    for x in jnp.arange(3), jnp.ones(3):
        with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
            x.round(1.5)


def test_where_keeps_narrow_floats_beside_python_scalars():
    """From the second call on too: NumPy takes float8_e5m2 for a float, and makes float32 of it and a scalar."""
    x = jnp.asarray([1.0, 0.5], "float8_e5m2")
    for _ in range(3):
        assert np.asarray(jnp.where(x > 0.7, jnp.nan, x)).dtype == x.dtype
        assert np.asarray(jnp.quantile(x, 0.5)).dtype == x.dtype


@pytest.mark.parametrize("compiled", [False, True])
def test_nothing_is_read_from_an_empty_axis(compiled):
    run = adjoint.jit if compiled else lambda f: f
    at = jnp.zeros((2, 3), int)
    for mode in "fill", "clip", "promise_in_bounds":
        same(run(lambda x, i, m=mode: jnp.take_along_axis(x, i, 0, mode=m))(jnp.ones((0, 3)), at), at, "float32")
    for update in "set", "add", "max", "mul":
        change = lambda x, i, name=update: getattr(x.at[i], name)(3.0, mode="clip")
        assert run(change)(jnp.ones((0, 3)), at[0]).shape == (0, 3)
    numbers = adjoint.lax.GatherDimensionNumbers((1,), (0,), (0,))
    with pytest.raises(TypeError, match="can only collapse slice dims with bound 1, but bound is 0"):
        run(lambda x, i: adjoint.lax.gather(x, i, numbers, (0, 3)))(jnp.ones((4, 3)), at[:, :1])


def test_indices_that_are_said_to_differ_are_taken_at_their_word():
    x = jnp.arange(4.0)
    for at, left in ([1, 9], [0, 2]), ([1, -9], [2, 3]), ([9], [0, 1, 2]), ([1, 1], [1, 3]), ([4, 5, 6, 7], []):
        for indices in np.array(at), jnp.array(at):
            same(jnp.delete(x, indices, assume_unique_indices=True), left, "float32")
    with pytest.raises(IndexError, match="index 9 is out of bounds"):
        jnp.delete(x, np.array([9]))
    each = jnp.array([1, -1, 9])
    same(adjoint.vmap(lambda i: jnp.delete(x, i, assume_unique_indices=True))(each),
         [[0, 2, 3], [0, 1, 2], [0, 1, 2]], "float32")
    same(adjoint.vmap(lambda i: jnp.insert(x[:2], i, 7))(each), [[0, 7, 1], [0, 7, 1], [0, 1, 7]], "float32")
    same(jnp.repeat(x, True), x, "float32")


def test_a_mean_that_is_given_has_the_rank_of_the_array():
    x = jnp.array([2.0, 3.0])
    same(jnp.var(x, mean=jnp.array([1.0])), 2.5, "float32")
    same(jnp.var(x[0], mean=jnp.array([1.0, 3.0])), 2.0, "float32")
    with pytest.raises(TypeError, match="must have the same number of dimensions"):
        jnp.var(x, mean=x[None])


def test_densities_of_half_floats_are_half_floats():
    x = jnp.array([[1, 2], [3, 4], [2, 3]], "float16")
    same(jnp.histogramdd(x, 2, density=True)[0], np.array([[1 / 3, 0], [0, 0.6665]], "float16"), "float16")
    assert jnp.histogram2d(*x.astype("bfloat16").T, 2, density=True)[0].dtype == "bfloat16"
    assert jnp.histogramdd(x, 2)[0].dtype == "int32"


def test_halves_of_weak_matrices_are_weak():
    x = jnp.asarray(2.0) * jnp.ones((2, 2), bool)
    assert x.weak_type and jnp.tril(x).weak_type and jnp.triu(x).weak_type


@pytest.mark.parametrize(("call", "error"), [
    (lambda a, b: jnp.intersect1d(a, b), adjoint.errors.ConcretizationTypeError),
    (lambda a, b: jnp.intersect1d(a, b, assume_unique=True), adjoint.errors.NonConcreteBooleanIndexError),
    (lambda a, b: jnp.setxor1d(a, b, assume_unique=True), adjoint.errors.NonConcreteBooleanIndexError),
    (lambda a, b: jnp.setdiff1d(a, b), adjoint.errors.ConcretizationTypeError),
    (lambda a, b: jnp.unique(a), adjoint.errors.ConcretizationTypeError),
])
def test_sets_that_a_program_computes_are_no_constants(call, error):
    a, b = jnp.array([3, 1, 5, 2]), jnp.array([2, 7, 3])
    for run in adjoint.jit(call), lambda a, b: adjoint.jit(lambda: call(a, b))():
        with pytest.raises(error):
            run(a, b)


def test_axes_of_a_product_may_be_numbers():
    a = jnp.arange(6.0).reshape(2, 3)
    same(adjoint.lax.dot_general(a, a.T, ((1, 0), ((), ()))), a @ a.T, "float32")
    same(adjoint.lax.dot_general(a, a.T, ((1, 0), (0, 1))), (a * a).sum(1), "float32")


def test_numbers_of_repetitions_are_whole():
    for repeats in 2.0, np.array([1.0, 2.0]), jnp.array([1.0, 2.0]):
        for total in None, 3:
            with pytest.raises(TypeError):
                jnp.repeat(jnp.arange(2), repeats, total_repeat_length=total)


@pytest.mark.parametrize(("at", "places"), [
    (jnp.array([100], "int8"), [100]), (jnp.array([-100, 3], "int8"), [3, 201]), (jnp.array([200], "uint8"), [200]),
    (np.array([100, 5], "int8"), [5, 101]),
])
def test_positions_of_narrow_integers_are_where_they_say(at, places):
    out = jnp.insert(jnp.zeros(300), at, 5.0)
    np.testing.assert_array_equal(np.flatnonzero(out), places)
    assert jnp.diagonal(jnp.ones((300, 300)), np.int8(-100)).shape == (200,)


@pytest.mark.parametrize("dtype", [jnp.ones(2), jnp.array(1)])
def test_arrays_are_no_dtypes(dtype):
    for call in (
        lambda: jnp.ones(3).astype(dtype), lambda: jnp.arange(3, dtype=dtype), lambda: jnp.array([1], dtype),
        lambda: adjoint.lax.full((3,), 1, dtype), lambda: adjoint.random.normal(adjoint.random.key(0), (3,), dtype),
        lambda: jnp.zeros(3, dtype), lambda: jnp.concatenate([jnp.ones(3)], dtype=dtype),
    ):
        with pytest.raises(ValueError, match="Passing an array as a dtype"):
            call()
    with pytest.raises(ValueError, match="dtype must be specified"):
        adjoint.lax.iota(None, 3)
    assert adjoint.lax.empty((2,), None).shape == (2,)


def test_what_takes_nothing_of_a_weak_array_is_weak():
    x = jnp.asarray(0.5) * jnp.arange(3, dtype="int8")
    nothing = np.array([], int)
    for call in (lambda v: v[nothing], lambda v: jnp.take(v, nothing), lambda v: jnp.sort(v[:0])):
        assert x.weak_type and call(x).weak_type and adjoint.jit(call)(x).weak_type
        value, tangent = adjoint.jvp(call, (x,), (x,))
        assert value.weak_type and tangent.weak_type
    assert not jnp.intersect1d(x * 1j, x * 1j).weak_type
    assert not adjoint.jvp(lambda v: jnp.power(2, v), (x,), (x,))[1].weak_type


@standard
def test_the_strict_mode_takes_what_has_one_meaning():
    half, small = jnp.array([1.0, 3.0], "bfloat16"), jnp.arange(3, dtype="uint8")
    with adjoint.numpy_dtype_promotion("strict"):
        same(jnp.std(half, mean=half + half), np.sqrt(5).astype(half.dtype), "bfloat16")
        same(small.at[1].add(True), [0, 2, 2], "uint8")
        same(jnp.insert(jnp.ones(2), jnp.array([1], "uint8"), 3.0), [1, 3, 1], "float32")
        same(jnp.setdiff1d(jnp.zeros((0, 3)), small), [], "float32")


def test_weak_matrices_and_populations_stay_weak_where_jax_keeps_them():
    x, key = jnp.asarray(0.5) * jnp.ones((3, 3), bool), adjoint.random.key(0)
    assert jnp.diagonal(x, 1).weak_type and jnp.diagonal(x[None], 0, 1, 2).weak_type and not jnp.diagonal(x).weak_type
    assert jnp.linalg.slogdet(x[:2, :2])[1].weak_type and not jnp.linalg.slogdet(x)[1].weak_type
    for options in {}, {"shape": (2,)}, {"shape": (2,), "replace": False}:
        assert adjoint.random.choice(key, x[0], **options).weak_type
    assert adjoint.random.permutation(key, x).weak_type
    assert jnp.setdiff1d(x, jnp.ones(1), size=2).weak_type
    slope = adjoint.grad(lambda v: jnp.power(2, v).sum())(x)
    assert slope.weak_type


def test_numbers_of_repetitions_have_any_shape():
    for repeats in np.array([[1, 0], [2, 1]]), jnp.array([[1, 0, 2, 1]]):
        same(jnp.repeat(jnp.arange(4), repeats), [0, 2, 2, 3], "int32")


def test_an_integer_dtype_makes_the_mean_of_a_variance_an_integer():
    x = jnp.array([2.059, 0.929, 0.58])
    same(jnp.nanvar(x, dtype="int32"), 1, "int32")
    same(jnp.nanvar(jnp.array([1, 4, 9, 4]), dtype="int32", mean=3.5), 10, "int32")
    with adjoint.numpy_dtype_promotion("strict"):
        same(jnp.nanvar(x[:1], ddof=-1, mean=x[:1].astype("float16")).round(3), 0, "float32")
        same(jnp.asarray([0.25, True], "float16"), [0.25, 1], "float16")
    for f in jnp.nanmean, jnp.nanvar, jnp.nanstd:
        with pytest.raises(TypeError, match="div does not accept dtype bool"):
            f(x, dtype="bool")
    with pytest.raises(TypeError, match="same number of dimensions"):
        jnp.nanvar(jnp.ones((2, 3)), mean=jnp.ones(3))


@pytest.mark.parametrize("axes", [np.int32(1), True, (1, np.int32(0)), (range(1, 2), range(1)), ((1,), 0)])
def test_axes_of_tensor_products_are_ints_or_lists(axes):
    for f in jnp.tensordot, jnp.linalg.tensordot:
        with pytest.raises(TypeError, match="tensordot"):
            f(jnp.ones((2, 3)), jnp.ones((3, 2)), axes=axes)
    same(jnp.tensordot(jnp.ones((2, 3)), jnp.ones((3, 2)), axes=((np.int32(1),), [0])), np.full((2, 2), 3), "float32")


def test_without_axes_there_are_no_slopes_whatever_the_spacing():
    assert jnp.gradient(1.0, 2.0, 3.0) == jnp.gradient(jnp.ones((3, 3)), 2.0, 3.0, axis=()) == []
    with pytest.raises(TypeError, match="Invalid number of spacing arguments 3 for axis=None"):
        jnp.gradient(jnp.ones((3, 3)), 2.0, 3.0, 4.0)


def test_an_empty_array_is_a_shape_without_axes_also_where_it_is_traced():
    for nothing in jnp.zeros(0, bool), jnp.zeros((0, 2)):
        assert adjoint.jit(lambda n: jnp.zeros(jnp.broadcast_shapes(n, (3,))))(nothing).shape == (3,)
        assert adjoint.jit(jnp.zeros)(nothing).shape == ()
    assert jnp.zeros(jnp.array([2, 3])).shape == (2, 3) and jnp.zeros(jnp.array(2)).shape == (2,)
    for truth in jnp.array([True]), jnp.array(True):
        with pytest.raises(TypeError, match="Shapes must be 1D sequences of concrete values of integer type"):
            jnp.zeros(truth)


def test_extrema_at_positions_take_arrays_of_values():
    for f in jnp.minimum, jnp.maximum:
        with pytest.raises(TypeError, match="at requires ndarray or scalar arguments, got <class 'list'>"):
            f.at(jnp.ones(3), 0, [2.0], inplace=False)
    same(jnp.minimum.at(jnp.ones(3), 0, np.array(0.5), inplace=False), [0.5, 1, 1], "float32")


def test_sets_of_a_size_are_strong_and_empty_repetitions_weak():
    x = jnp.asarray(0.5) * jnp.arange(3, dtype="int8")
    for f in jnp.setxor1d, jnp.intersect1d:
        assert f(x, x[1:]).weak_type
        for fill in None, 1, jnp.int32(1):
            assert not f(x, x[1:], size=4, fill_value=fill).weak_type
    assert jnp.resize(x, (0,)).weak_type and jnp.resize(x[:0], 2).weak_type


@promoting
def test_residuals_of_lstsq_are_numpys_if_they_are_asked_for():
    """Whether there are any depends on the rank, so it is an option of eager calls."""
    for a, b in ((np.vander(np.arange(5.0), 3), np.arange(5.0) ** 3), (np.eye(3), np.ones((3, 2)))):
        found = jnp.linalg.lstsq(a.astype("f"), b.astype("f"), numpy_resid=True)
        for x, y in zip(found, np.linalg.lstsq(a, b), strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-4, atol=1e-5)
            assert np.shape(x) == np.shape(y)


def test_of_two_faults_of_matrices_the_shape_is_named():
    ints = jnp.ones((2, 3), int)
    linalg = adjoint.lax.linalg
    for call in (
        linalg.schur, linalg.eig, linalg.tridiagonal, lambda x: linalg.triangular_solve(jnp.eye(3), x, left_side=True),
        lambda x: linalg.householder_product(x, x[0]), linalg.hessenberg,
    ):
        with pytest.raises(ValueError, match=r"\(2, 3\)"):
            call(ints)
    for f in linalg.eig, linalg.lu, linalg.qr, linalg.svd, linalg.hessenberg:
        with pytest.raises(TypeError, match="rank at least 2"):
            f(ints[0])
    for f in linalg.schur, linalg.hessenberg:  # before that they have no derivative
        with pytest.raises(ValueError, match=r"\(2, 3\)"):
            adjoint.jvp(f, (ints.astype(float),), (ints.astype(float),))
    with pytest.raises(TypeError, match="same number of batch dimensions"):
        linalg.triangular_solve(jnp.eye(3), jnp.ones((2, 3, 3)))
    with pytest.raises(ValueError, match="batch_group_count must divide"):
        x = ints[None].astype(float)
        adjoint.lax.conv_general_dilated(x, x.astype(complex), (1,), "SAME", batch_group_count=2)


def test_of_two_faults_of_a_choice_the_operand_is_named():
    with pytest.raises(TypeError, match="choose requires ndarray or scalar arguments, got <class 'list'>"):
        jnp.choose(jnp.array([7]), [jnp.ones(3), [1, 2, 3]], mode=0)
    with pytest.raises(ValueError, match="Weights cannot be complex types"):
        jnp.quantile(jnp.ones(3), 0.5, weights=jnp.ones(3, complex))


def test_elements_by_narrow_indices_are_counted_from_the_end_of_long_axes():
    x = jnp.arange(300)
    for dtype, at in ("int8", -5), ("uint8", 5), ("uint32", 2**32 - 1), ("int32", -1), ("bool", True):
        expected = {"uint32": 299}.get(dtype, int(at) % 300)
        same(adjoint.lax.index_take(x, (jnp.array([at], dtype),), (0,)), [expected], "int32")


@standard
def test_trees_of_weak_leaves_are_joined_as_jax_joins_them():
    ravel, x = adjoint.flatten_util.ravel_pytree, jnp.asarray(0.5) * jnp.arange(3, dtype="int8")
    slope = lambda *rest: adjoint.grad(lambda v: ravel([v, *rest])[0].sum())(x)
    assert ravel(x)[0].weak_type and not ravel([x, np.float32(1)])[0].weak_type
    assert slope().weak_type and slope(np.float16(1)).weak_type and not slope(np.float32(1)).weak_type


def test_points_of_the_plane_are_counted_between_edges_of_each_axis():
    x = jnp.arange(4.0)
    for bins in ([2, jnp.array([0.0, 1, 3])], (np.array([0.0, 1.5, 3]), [0.0, 1, 3]), [[0.0, 1.5, 3], 2]):
        if any(isinstance(b, list) for b in bins):
            with pytest.raises(TypeError, match="histogram_bin_edges requires ndarray or scalar"):
                jnp.histogram2d(x, x, bins)
            continue
        counts, rows, columns = jnp.histogram2d(x, x, bins)
        same(counts, [[1, 1], [0, 2]], "int32")
        same(rows, [0, 1.5, 3], "float32")
        same(columns, [0, 1, 3], "float32")
    counts, *edges = jnp.histogram2d(x, x, [np.array([0.0, 1, 3]), np.array([0.0, 1, 2, 3])])
    assert (counts.shape, [e.shape for e in edges]) == ((2, 3), [(3,), (4,)])


@standard
def test_norms_of_integers_that_are_sums_and_extrema_are_integers():
    x = jnp.array([[-3, 1, 2], [0, 2, 5]])
    norm = jnp.linalg.vector_norm
    same(norm(x, ord=1), 13, "int32")
    same(norm(x.astype("int8"), ord=np.inf, axis=0), [3, 2, 5], "int8")
    same(norm(abs(x).astype("uint8"), ord=-np.inf), 0, "uint8")
    same(norm(x > 0, ord=1, axis=1), [2, 2], "int32")
    same(norm(x), np.float32(np.sqrt(43)), "float32")
    same(jnp.linalg.norm(x, ord=1, axis=-1), [6, 7], "float32")


def test_filled_arrays_convert_their_value_as_arrays_are_converted():
    full = adjoint.lax.full
    same(full((2,), 1e40, "int8"), [127, 127], "int8")
    same(full((2,), -1.5, "uint8"), [0, 0], "uint8")
    same(jnp.full(2, 2j, "bool"), [True, True], "bool")
    for call in (full, jnp.full):
        for dtype in ("float32", "int8"):
            with pytest.raises(TypeError, match="real number"):
                call((2,), 2j, dtype)


def test_starts_that_may_not_be_negative_are_refused_where_they_are_known():
    x, lax = jnp.arange(12.0).reshape(3, 4), adjoint.lax
    text = "Index -1 is out of bounds for dimension 3 if allow_negative_indices=False"
    for start in (-1, np.int32(-1)):
        with pytest.raises(ValueError, match=text):
            lax.dynamic_slice(x, (start, 0), (2, 2), allow_negative_indices=False)
        with pytest.raises(ValueError, match=text):
            lax.dynamic_update_slice(x, x[:2], (start, 0), allow_negative_indices=(False, True))
        with pytest.raises(ValueError, match=text):
            lax.dynamic_slice_in_dim(x, start, 2, allow_negative_indices=False)
    same(lax.dynamic_slice(x, (jnp.int32(-1), 0), (1, 2), allow_negative_indices=False), [[0, 1]], "float32")
    same(lax.dynamic_slice(x, (0, -1), (1, 1), allow_negative_indices=(False, True)), [[3]], "float32")


def test_half_floats_of_numpy_are_literals_of_programs():
    for dtype in ("bfloat16", "float16", "float32", "float8_e4m3fn"):
        one = np.ones((), jnp.dtype(dtype))
        jaxpr = adjoint.make_jaxpr(lambda x: adjoint.lax.max(x, one))(jnp.zeros(2, dtype))
        assert not jaxpr.consts and f" 1.0:{jnp.ones((), dtype).aval.str_short(True)[:-2]}" in str(jaxpr)
        same(adjoint.jit(lambda x: adjoint.lax.max(x, one))(jnp.zeros(2, dtype)).astype("float32"), [1, 1], "float32")


def test_axes_of_sums_of_earlier_versions_are_refused():
    for call in (adjoint.grad, adjoint.value_and_grad, lambda f, **k: adjoint.vjp(f, 1.0, **k),
                 lambda f, **k: adjoint.linear_transpose(f, 1.0, **k)):
        with pytest.raises(NotImplementedError, match="reduce_axes argument to (grad|vjp|transpose) is deprecated"):
            call(lambda x: 2 * x, reduce_axes=("i",))
        call(lambda x: 2 * x, reduce_axes=())


def test_names_of_paddings_of_consistent_transposes_are_known():
    x, w = jnp.ones((1, 4, 2)), jnp.ones((3, 2, 2))
    with pytest.raises(ValueError, match="Invalid padding mode: SAME_LOWER"):
        adjoint.lax.conv_transpose(x, w, (2,), "SAME_LOWER", use_consistent_padding=True)


def test_no_positions_may_be_floats():
    same(jnp.take(jnp.arange(3), jnp.zeros((2, 0))), np.zeros((2, 0)), "int32")
    with pytest.raises(ValueError, match="indices must have an integer type"):
        jnp.take(jnp.arange(3), jnp.zeros(1))


def test_what_says_which_factors_are_wanted_counts_by_its_truth():
    x = jnp.diag(jnp.array([2.0, 1.0]))
    assert jnp.linalg.svd(x, compute_uv=jnp.float32).S.tolist() == jnp.linalg.svd(x, 3.0).S.tolist() == [2, 1]
    assert jnp.linalg.svd(x, compute_uv=0).tolist() == [2, 1]


def test_operands_of_the_wrong_kind_are_refused_with_the_names_of_jax():
    x = [1.0, 2.0, 3.0]
    for name, f in {
        "jnp.linalg.outer": jnp.linalg.outer, "jnp.linalg.matmul": jnp.linalg.matmul,
        "fill_diagonal": lambda x, _: jnp.fill_diagonal(jnp.eye(3), x, inplace=False),
        "jnp.linalg.trace": lambda x, _: jnp.linalg.trace(x),
        "jnp.linalg.diagonal": lambda x, _: jnp.linalg.diagonal(x),
    }.items():
        with pytest.raises(TypeError, match=f"^{name} requires ndarray or scalar arguments, got <class 'list'>"):
            f(x, x)
    with pytest.raises(TypeError, match="dtype object is not a valid JAX array type"):
        jnp.iscomplexobj({"a": 1})
    with pytest.raises(TypeError, match=r"sin\(\) got an unexpected keyword argument 'out'"):
        jnp.sin(jnp.ones(3), out=jnp.ones(3))
    for f in (jnp.linalg.cholesky, jnp.linalg.eigh, jnp.linalg.eigvalsh):
        with pytest.raises(TypeError, match="transpose permutation isn't a permutation of operand dimensions"):
            f(99)
    assert adjoint.scipy.signal.detrend([1.0, 3.0], type="constant").tolist() == [-1, 1]


def test_complex_initial_values_of_real_results_leave_their_imaginary_part():
    x = jnp.array([[1.0, 2.0], [3.0, 4.0]])
    same(jnp.sum(x, initial=2 + 1j), 12, "float32")
    same(jnp.prod(x, axis=1, initial=1j), [0, 0], "float32")
    same(jnp.max(x.astype("bfloat16"), initial=9 + 1j), 9, "bfloat16")
    same(jnp.multiply.reduce(x, axis=0, initial=2 + 3j), [6, 16], "float32")
    same(jnp.add.reduce(jnp.arange(3), initial=1j), 3, "int32")


def test_unsigned_phases_jump_down():
    same(jnp.unwrap(jnp.array([1, 0, 3, 1], "uint8")), [1, 0, 3, 1], "float32")
    same(jnp.unwrap(jnp.array([9, 1, 5], "uint16"), period=4.0), [9, 9, 9], "float32")


def test_what_says_how_to_become_an_array_is_not_weak():
    class Wrapped:
        def __init__(self, value):
            self.value = value

        def __jax_array__(self):
            return self.value

    for value in 1, 2.0, 3j, True, jnp.asarray(1), np.float32(1):
        for f in jnp.asarray, jnp.array, lambda x: jnp.asarray(x, copy=True):
            x = f(Wrapped(value))
            assert (x.dtype, x.weak_type, x) == (jnp.result_type(value), False, value), value


def test_axes_of_nothing():
    for shape, width in ((0,), 1), ((0, 2), ((1, 0), (0, 0))):
        x = jnp.pad(jnp.zeros(shape), width, mode="mean")
        assert np.isnan(x).all() and x.size == 2
    for dtype in ("float16", "bfloat16", "float32"):
        assert jnp.unwrap(jnp.zeros((2, 0), dtype)).dtype == dtype
    x = jnp.unwrap(jnp.zeros(0, "int8"))
    assert (x.dtype, x.weak_type) == ("float32", True)
    with pytest.raises(ValueError, match="at least one dimension"):
        jnp.histogramdd(jnp.zeros((2, 0)))
    for name, dtype, value in ("pmax", "float32", -np.inf), ("pmin", "int8", 127), ("pmin", "bool", True):
        extremum = adjoint.vmap(lambda v, name=name: getattr(adjoint.lax, name)(v, "k"), axis_name="k", out_axes=None)
        same(extremum(jnp.zeros((0, 3), dtype)), [value] * 3, dtype)


def test_a_scalar_has_no_axes_to_be_padded():
    same(jnp.pad(jnp.float32(2), ((1, 2),)), 2, "float32")
    same(jnp.pad(np.int8(2), 1, mode="edge"), 2, "int8")
    for width in ((1, 2), (1, 2)), (1, 2, 3), ():
        with pytest.raises(ValueError, match="unsupported shape"):
            jnp.pad(2.0, width)
    with pytest.raises(NotImplementedError):
        jnp.pad(2.0, 1, mode="x")


def test_axes_that_are_not_there():
    x, pair = jnp.zeros((2, 3)), jnp.array([1.0, 2.0])
    both = (IndexError, ValueError)        # JAX raises the one or the other, the other under `vmap`
    for kind in both:
        for axis in 2, 5:
            with pytest.raises(kind):
                adjoint.vmap(lambda v, axis=axis: adjoint.lax.reduce_max(v, axes=(axis,)))(x)
            with pytest.raises(kind):
                adjoint.lax.reduce_sum(x, axes=(axis,))
            with pytest.raises(kind):
                adjoint.vmap(lambda v, axis=axis: adjoint.lax.argmax(v, axis, jnp.int32))(x)
            with pytest.raises(kind):
                jnp.linspace(pair, 3.0, 3, axis=axis)
            with pytest.raises(kind):
                jnp.geomspace(1.0, 3.0, 3, axis=-axis)
    with pytest.raises(TypeError, match="out of bounds"):
        adjoint.lax.concatenate([np.zeros((2, 3))], 4)


def test_positions_are_integers():
    with pytest.raises(ValueError, match="must be integer typed"):
        jnp.insert(jnp.zeros(3), True, 5.0)
    with pytest.raises(ValueError, match="not an integer type"):
        jnp.ravel_multi_index((np.array([0, 1]), np.array([1, 2])), (2, 3), dtype="float16")
    with pytest.raises(NotImplementedError, match="Boolean arguments"):
        adjoint.jit(lambda m: jnp.ix_(m, jnp.arange(2)))(jnp.array([True, False]))


def test_arrays_of_unequal_shapes_make_no_array():
    for parts in [np.zeros((3, 3)), jnp.float32(1)], [jnp.float32(1), [1, 2]]:
        with pytest.raises(TypeError, match="different shapes"):
            jnp.array(parts)
    with pytest.raises(ValueError, match="inhomogeneous"):
        jnp.array([np.zeros(3), np.float32(1)])


def test_compiled_searches_compare_complex_numbers():
    x = jnp.array([1j, 2.0, 3.0])
    same(adjoint.jit(jnp.searchsorted)(x, x), [0, 1, 2], "int32")
    same(adjoint.jit(jnp.searchsorted)(x, 1), 1, "int32")
    same(adjoint.jit(jnp.digitize)(jnp.array([1, 2]), x), [1, 2], "int32")


@promoting
def test_weak_coefficients_make_weak_polynomials():
    weak, whole = jnp.asarray(0.25) * jnp.int8([1, 2]), jnp.array([1, 2])
    for function in jnp.polyadd, jnp.polysub, jnp.polymul:
        for a, b in (weak, weak), (weak, whole), (whole, weak):
            assert function(a, b).weak_type
        assert not function(weak, whole.astype("float32")).weak_type
    assert jnp.polydiv(weak, whole)[1].weak_type and not jnp.polydiv(weak, whole)[0].weak_type


def test_the_norm_of_integers_is_a_float_as_wide_as_their_sum():
    same(jnp.linalg.vector_norm(jnp.array([3, 4], "int8")), 5, "float32")
    with adjoint.enable_x64(True):
        same(jnp.linalg.vector_norm(jnp.array([3, 4], "int8")), 5, "float64")
        same(jnp.linalg.vector_norm(jnp.array([3, 4], "float32")), 5, "float32")


def test_derivatives_by_weak_arrays_are_weak():
    weak = jnp.asarray(0.25) * jnp.int8([[4, 1, 0], [1, 5, 2], [0, 2, 6]])
    lax, linalg = adjoint.lax, jnp.linalg
    running = lambda turn: lambda x: lax.scan(lambda c, _: turn(c), x, length=2)

    def slope(function, x):
        out, pull = adjoint.vjp(function, x)
        return pull(adjoint.tree.map(jnp.ones_like, out))[0]

    for function, x in (
        *[(f, weak) for f in (linalg.cholesky, linalg.inv, linalg.svd, linalg.slogdet)],
        *[(lambda x, f=f: f(x, jnp.float32(2)), 2.0) for f in (lax.igamma, lax.igammac)],
        *[(lambda x, f=f: f(jnp.float32(2), x), 2.0) for f in (lax.igamma, lax.igammac)],
        (running(lambda c: (c + 1, None)), 2.0), (running(lambda c: (c * jnp.float32(2), c)), 2.0),
    ):
        found = adjoint.eval_shape(lambda x, function=function: slope(function, x), x)
        assert found.weak_type and found.dtype == "float32"
    for function in lambda x: lax.pow(jnp.float32(2), x), running(lambda c: (c * jnp.float32(2), None)):
        assert not slope(function, 2.0).weak_type


def test_dtypes_that_arrays_cannot_have_are_refused_unless_another_is_named():
    swapped = np.array([1.0, 2.0], ">f4")
    pairs = np.array([(1, 2.0)], "i4,f4")
    functions = (jnp.sin, jnp.asarray, jnp.zeros_like, adjoint.jit(lambda x: x), adjoint.device_put,
        adjoint.lax.stop_gradient, adjoint.vmap(lambda x: x), lambda x: jnp.broadcast_to(x, (3, 2)))
    for f in functions:
        for x in (swapped, pairs, swapped.astype(np.longdouble), np.array([1, 2], object)):
            with pytest.raises((TypeError, ValueError), match="valid|numbers|as an abstract array"):
                f(x)
    for x in (swapped, swapped.astype(np.longdouble), swapped.astype(object), np.array(["1", "2.0"])):
        same(jnp.asarray(x, dtype=jnp.float32), [1, 2], "float32")
        same(jnp.array(x, dtype="float16"), [1, 2], "float16")
    with pytest.raises(ValueError, match="could not convert"):
        jnp.asarray(np.array(["a"]), dtype=float)


def test_shapes_are_sequences():
    for shape in ({1, 2}, iter([1, 2]), b"ab", "", {}, (n for n in [1]), frozenset([2])):
        for f in (jnp.zeros, jnp.ones, jnp.empty, lambda s: jnp.full(s, 1), lambda s: jnp.broadcast_to(1, s),
                  lambda s: jnp.zeros_like(1.0, shape=s)):
            with pytest.raises(TypeError, match="^Shapes must be 1D sequences of concrete values of integer type"):
                f(shape)
    assert jnp.zeros(range(3)).shape == jnp.ones(np.arange(3)).shape == jnp.empty([0, 1, 2]).shape == (0, 1, 2)


def test_memory_views_are_no_operands():
    numbers = memoryview(np.arange(3.0, dtype="f"))
    for f in (jnp.sin, jnp.sum, lambda x: jnp.stack([x, x]), lambda x: jnp.matmul(x, x), adjoint.nn.softmax):
        with pytest.raises(TypeError, match="requires ndarray or scalar arguments, got <class 'memoryview'>"):
            f(numbers)
    same(jnp.asarray(numbers), [0, 1, 2], "float32")


def test_an_array_may_say_an_axis_where_nothing_is_compiled_for_it():
    x = jnp.array([[1.0, 2.0], [3.0, 5.0]])
    for f in (adjoint.nn.softmax, adjoint.nn.logsumexp, jnp.average, jnp.std, jnp.var):
        for _ in range(2):
            same(f(x, axis=jnp.array(0)), f(x, axis=0), "float32")
        with pytest.raises(adjoint.errors.ConcretizationTypeError):
            adjoint.jit(f)(x, axis=jnp.array(0))


def test_settings_of_other_kinds_are_refused():
    with pytest.raises(ValueError, match="shape should be a scalar or 1D sequence"):
        jnp.unravel_index(0, np.ones((1, 1), int))
    with pytest.raises(TypeError, match="interpreted as an integer"):
        adjoint.scipy.stats.rankdata(jnp.ones((2, 3)), axis=(0,))
    for seed in (np.bool_(True), np.array(True), jnp.array(True)):
        with pytest.raises(TypeError, match="PRNG key seed must be an integer"):
            adjoint.random.key(seed)
    assert adjoint.random.key(True) == adjoint.random.key(1)


def test_integers_that_do_not_fit_have_a_shape_and_a_dtype():
    for number in (2**40, -(2**70)):
        assert (jnp.shape(number), jnp.ndim(number), jnp.size(number)) == ((), 0, 1)
        for like, value in ((jnp.zeros_like, 0), (jnp.ones_like, 1), (partial(jnp.full_like, fill_value=3), 3)):
            x = like(number)
            assert (x.dtype, x.weak_type, int(x)) == ("int32", True, value)
        with pytest.raises(OverflowError):
            jnp.abs(number)


def test_the_distance_of_real_numbers_from_a_complex_mean_is_that_from_its_real_part():
    x = jnp.array([0.5, 0.25, 0.75])
    for mean in (1j, np.array([1j]), jnp.array([2j]), np.zeros(3)):
        same(jnp.var(x, mean=mean), jnp.var(x, mean=0.0), "float32")
    same(jnp.var(jnp.arange(3), mean=1j), np.float32(5 / 3), "float32")
    same(jnp.std(x + 0j, mean=1j), jnp.std(x + 0j, mean=np.array([1j])), "float32")
    assert jnp.var(x + 0j, mean=1j) > jnp.var(x, mean=1j)


def test_a_period_may_be_traced():
    x, e, f = jnp.array([0.1, 1.7, -2.7]), jnp.array([0.0, 1.0, 2.0]), jnp.array([1.0, 5.0, 2.0])
    call = lambda period: jnp.interp(x, e, f, period=period)
    for period in (4, 4.0, -2.5):
        np.testing.assert_allclose(adjoint.jit(call)(period), call(period), rtol=1e-6)
    assert np.isnan(call(0)).all()
    slope = adjoint.grad(lambda p: call(p).sum())(4.0)
    np.testing.assert_allclose(slope, (call(4.01).sum() - call(3.99).sum()) / 0.02, rtol=1e-2)
    assert adjoint.vmap(call)(jnp.array([4.0, 2.5])).shape == (2, 3)


def test_positions_of_elements_that_are_promised_to_be_distinct_have_32_bits():
    with adjoint.enable_x64(True):
        a, b = jnp.array([3, 1, 2]), jnp.array([2, 3, 7])
        for promised, dtype in ((True, "int32"), (False, "int64")):
            values, *places = jnp.intersect1d(a, b, assume_unique=promised, return_indices=True)
            same(values, [2, 3], "int64")
            for found, expected in zip(places, ([2, 0], [0, 1])):
                same(found, expected, dtype)


def test_a_bool_is_a_number_of_places():
    x = jnp.array([0.0, 2.0, 3.0])
    same(jnp.nonzero(x, size=True)[0], [1], "int32")
    assert jnp.argwhere(x, size=np.True_).shape == (1, 1)
    for size in ([2], np.array([2])):
        with pytest.raises(TypeError):
            jnp.nonzero(x, size=size)


def test_signs_of_small_floats():
    """Also of those that share a byte."""
    for dtype in ("float4_e2m1fn", "float8_e4m3fn", "bfloat16", "float16"):
        x = np.array([[1.0, -1.0, -0.0], [0.5, -2.0, 0.0]]).astype(jnp.dtype(dtype))
        for f in (jnp.signbit, adjoint.jit(jnp.signbit)):
            assert f(jnp.asarray(x)).tolist() == [[False, True, True], [False, True, False]]
