"""Helpers of tests in JAX's style, `jax._src.test_util`: a class of such tests runs, and they do what JAX's do."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import unittest

import numpy as np
import pytest
from tests.modes import compiling

import adjoint as jax
import adjoint.numpy as jnp

pytest.importorskip("absl", reason="tests in JAX's style need absl-py")

from adjoint.compat.private import testing as jtu


class Cases(jtu.JaxTestCase):
    """Tests as JAX's users write them; run by the tests of this file."""

    __test__ = False

    @jtu.sample_product(
        [dict(shape=shape, dtype=dtype) for shape in [(), (3,), (2, 4)] for dtype in jtu.dtypes.all_floating],
        axis=[None, -1],
    )
    def testSum(self, shape, dtype, axis):
        if not shape and axis is not None:
            self.skipTest("a scalar has no axis")
        rng = jtu.rand_default(self.rng())
        args_maker = lambda: [rng(shape, dtype)]
        ours = lambda x: jnp.sum(x, axis=axis)
        theirs = lambda x: np.sum(x, axis=axis, dtype=np.float32).astype(dtype)
        tol = {jnp.bfloat16: 3e-2, np.float16: 1e-2}
        self._CheckAgainstNumpy(theirs, ours, args_maker, tol=tol)
        self._CompileAndCheck(ours, args_maker, tol=tol)

    @jtu.sample_product(op=["add", "multiply"], one=[np.int8, np.float32], other=[np.int32, np.float32])
    def testPromotion(self, op, one, other):
        rng = jtu.rand_default(self.rng())
        args_maker = lambda: [rng((3,), one), rng((3,), other)]
        with jtu.strict_promotion_if_dtypes_match([one, other]):
            self._CheckAgainstNumpy(jtu.promote_like_jnp(getattr(np, op)), getattr(jnp, op), args_maker)

    @jtu.run_on_devices("tpu")
    def testOnTpus(self):
        raise AssertionError("it ran")

    @jtu.skip_on_devices("cpu")
    def testNotOnCpus(self):
        raise AssertionError("it ran")

    @jtu.skip_on_flag("jax_enable_x64", False)
    def testWithX64(self):
        raise AssertionError("it ran")

    def testRanksAreStrict(self):
        with self.assertRaises(ValueError):
            jnp.ones((2, 3)) + jnp.ones(3)

    def testGradients(self):
        jtu.check_grads(jnp.sin, (1.5,), order=2, atol=1e-2, rtol=1e-2)

    def testCacheMisses(self):
        f = jax.jit(lambda x: x + 1)
        self.assertCacheMisses(lambda: f(1.0), tracing=1, lowering=1)
        self.assertCacheMisses(lambda: f(2.0), tracing=0, lowering=0)
        with jtu.count_pjit_cpp_cache_miss():
            raise AssertionError("it counts")

    @jtu.parameterized_filterable(kwargs=[dict(testcase_name="_one", x=1), dict(x=2)])
    def testNames(self, x):
        self.assertIn(self._testMethodName, ["testNames_one", "testNames_x_2"])

    @jtu.with_explicit_mesh((1,), ("x",))
    def testMesh(self, mesh):
        self.assertEqual(mesh.axis_names, jax.sharding.get_abstract_mesh().axis_names)


def run(case):
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    return result


@compiling
def test_a_class_of_tests_runs():
    result = run(Cases)
    assert result.testsRun == 27, result.testsRun
    assert not result.errors and not result.failures, [text for _, text in result.errors + result.failures]
    reasons = {case._testMethodName: why for case, why in result.skipped}
    assert reasons["testOnTpus"] == "Skipped unless running on devices with tags: tpu"
    assert reasons["testNotOnCpus"] == "Skipped on devices with tags: cpu"
    assert reasons["testWithX64"] == "testWithX64 not supported when FLAGS.jax_enable_x64 is False"
    assert reasons["testCacheMisses"] == "adjoint has no cache of calls in C++ to be counted"


def test_options_of_a_class_hold_for_its_tests():
    @jtu.with_config(jax_numpy_rank_promotion="allow")
    class Lenient(jtu.JaxTestCase):
        def testRanks(self):
            self.assertEqual((jnp.ones((2, 3)) + jnp.ones(3)).shape, (2, 3))

    result = run(Lenient)
    assert result.wasSuccessful() and result.testsRun == 1
    assert jtu.JaxTestCase._default_thread_local_config["jax_numpy_rank_promotion"] == "raise"


@pytest.mark.parametrize("actual, desired, said", [
    (1, 1.0, "dtype('int32') != dtype('float32')"),
    (np.ones(3), np.ones(1), "Tuples differ: (3,) != (1,)"),
    ([1.0], [1.0, 2.0], "1 != 2"),
    ({"a": 1}, {"b": 1}, "Items in the first set but not the second"),
    (np.ones(2), [1.0, 1.0], "Expected array-like, got [1.0, 1.0]"),
    ([1.0, 1.0], np.ones(2), "Expected sequence, got [1. 1.]"),
    (np.float32([1.0001, 1]), np.float32([1, 1]), "Not equal to tolerance rtol=1e-06, atol=1e-06"),
])
def test_what_differs_fails(actual, desired, said):
    case = Cases("testGradients")
    with pytest.raises(AssertionError) as error:
        case.assertAllClose(actual, desired)
    assert said in str(error.value)


def test_what_is_near_passes():
    case = Cases("testGradients")
    case.assertAllClose(jnp.ones(3), np.ones(3))
    case.assertAllClose([jnp.nan, None, "a"], [np.nan, None, "a"])
    case.assertAllClose(np.float32(1.0001), np.float32(1), rtol={np.float32: 1e-3})
    case.assertArraysEqual(jnp.array([jnp.nan]), jnp.array([jnp.nan]))
    with pytest.raises(AssertionError):
        case.assertArraysEqual(jnp.ones(2), jnp.ones(2) * 2)


@pytest.mark.parametrize("name", ["default", "nonzero", "not_small", "positive", "small", "some_inf", "some_nan",
                                  "some_inf_and_nan", "some_zero", "some_equal", "uniform", "unique_int", "fullrange"])
@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.uint8, np.complex64, jnp.bfloat16])
def test_draws_have_their_shapes_and_dtypes(name, dtype):
    draw = getattr(jtu, f"rand_{name}")(np.random.RandomState(0))
    for shape in ((), (4,), (2, 0), (3, 5)):
        drawn = draw(shape, dtype)
        assert drawn.shape == shape and drawn.dtype == dtype
    assert not isinstance(jtu.rand_default(np.random.RandomState(0))(jtu.PYTHON_SCALAR_SHAPE, dtype), np.ndarray)


def test_samples_of_a_product_are_the_same_in_every_run():
    cases = list(jtu.sample_product_testcases([dict(a=1, c=2), dict(a=3, c=4)], b=range(100)))
    assert len(cases) == jtu.NUM_GENERATED_CASES.value and all(set(case) == {"a", "b", "c"} for case in cases)
    assert cases == list(jtu.sample_product_testcases([dict(a=1, c=2), dict(a=3, c=4)], b=range(100)))
    assert sorted(c["a"] * 10 + c["b"] for c in jtu.sample_product_testcases(a=[1, 2], b=[3, 4])) == [13, 14, 23, 24]


@compiling
def test_jaxprs_and_prints_are_seen():
    program = jax.make_jaxpr(lambda x: jax.jit(jnp.sin)(x) + 1)(1.0)
    assert [eqn.primitive.name for eqn in jtu.iter_eqns(program.jaxpr)] == ["jit", "add", "sin"]
    forward, backward = jtu.fwd_bwd_jaxprs(jnp.sin, 1.0)
    assert [[e.primitive.name for e in j.eqns] for j in (forward, backward)] == [["sin", "cos"], ["mul"]]
    with jtu.capture_stdout() as text:
        jax.debug.print("x {}", 1)
    assert text() == "x 1\n"
    jtu.assert_dot_precision(None, jnp.dot, jnp.ones((2, 2)), jnp.ones((2, 2)))


def test_tolerances_go_by_dtype():
    assert jtu.tolerance(np.float32) == 1e-6 and jtu.tolerance(jnp.bfloat16) == 1e-2 and jtu.tolerance(np.int32) == 0
    assert jtu.tolerance(np.float64, {np.float32: 1e-2}) == 1e-2
    assert jtu.join_tolerance(1e-3, {np.float32: 1e-2})[np.dtype(np.float32)] == 1e-2
    assert jtu.join_tolerance(1e-3, {np.float32: 1e-4})[np.dtype(np.float64)] == 1e-3


def test_functions_have_more_digits_by_mpmath():
    mpmath = pytest.importorskip("mpmath")
    exact = jtu.numpy_with_mpmath(mpmath, extra_prec_multiplier=1)
    x = np.float32([0.5, -0.5, 3])
    for name in ("sin", "arctan", "expm1", "square", "abs", "exp2"):
        found = getattr(exact, name)(x)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, getattr(np, name)(x.astype(np.float64)), rtol=1e-7)
    assert exact.sqrt(np.complex64(3 - 4j)) == np.complex64(2 - 1j)
    both = jtu.vectorize_with_mpmath(lambda x, y: (x + y, x - y), mpmath=mpmath)
    assert [out.tolist() for out in both(np.float64([1, 2]), np.float64(3))] == [[4, 5], [-2, -1]]


def test_names_that_tests_import_beside_functions():
    assert [compile(lambda x: x + 1)(1) for compile in jtu.JIT_IMPLEMENTATION] == [2, 2]
    assert repr(jtu.NotPresent()) == "<not present>" and jtu.TEST_NUM_THREADS.value == 0
    assert jtu.promote_dtypes(1, 2.0)[0].dtype == np.float32 and jtu.parameterized.parameters
    with pytest.raises(unittest.SkipTest):
        jtu.count_subjaxpr_to_hlo_conversion("f")

    class OnGpus(jtu.CudaArchSpecificTest, unittest.TestCase):
        def runTest(self):
            self.skip_unless_sm90a()

    class OnNewGpus(jtu.CudaArchSpecificTest, unittest.TestCase):
        def runTest(self):
            self.skip_unless_tcgen05()

    for case in (OnGpus, OnNewGpus):
        result = unittest.TestResult()
        case().run(result)
        assert result.skipped or jtu.is_device_cuda()


class Watched(jtu.JaxTestCase):
    """A test that counts how often a comparison asks for arguments."""

    __test__ = False
    made = 0

    def testArguments(self):
        def args_maker():
            self.made += 1
            return [self.rng().randn(3).astype("float32")]

        self._CompileAndCheck(jnp.sin, args_maker)
        self.assertEqual(self.made, 2)
        self._CheckAgainstNumpy(np.sin, jnp.sin, args_maker, check_dtypes=False)
        self.assertEqual(self.made, 3)

    def testStates(self):
        seen = []
        with self.assertRaises(AssertionError):     # it says something else each time
            self._CompileAndCheck(lambda x: (seen.append(1), x + len(seen))[1], lambda: [np.float32(1)])


@compiling
def test_comparisons_ask_for_arguments_as_often_as_jax_s():
    """So tests of one name have the same random numbers."""
    result = unittest.TestResult()
    for name in ("testArguments", "testStates"):
        Watched(name).run(result)
    assert not result.failures and not result.errors


def test_some_numbers_of_complex_dtypes_are_nan_and_none_infinite():
    draw = lambda name, dtype: getattr(jtu, name)(np.random.RandomState(0))((40,), dtype)
    assert np.isfinite(draw("rand_some_inf", np.complex64)).all()
    assert np.isnan(draw("rand_some_nan", np.complex64)).any()
    assert np.isinf(draw("rand_some_inf", np.float32)).any()
    assert draw("rand_fullrange", np.bool_).all() and draw("rand_not_small", np.bool_).all()


def test_without_absl_the_error_says_what_to_install():
    code = """
        import sys
        sys.modules["absl"] = None
        try:
            from jax._src.test_util import JaxTestCase
        except ModuleNotFoundError as error:
            print(error)
    """
    command = [sys.executable, "-m", "adjoint", "-c", textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert "No module named 'absl'" in done.stdout and "Try: pip install absl-py" in done.stdout, done.stderr
