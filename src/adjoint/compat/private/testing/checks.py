"""The base class of tests in JAX's style: comparisons by dtype, and options that hold for the tests of a class."""

from __future__ import annotations

import contextlib
import inspect
import warnings
import zlib
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
from absl.testing import absltest, parameterized

from ....core import dtypes as _dtypes
from ....core.options.config import config
from ....core.trace import Tracer
from ....core.tree.tree import tree_leaves
from ....transforms.jit.jit import jit
from .counts import (
    count_compilation_after_persistent_cache_miss,
    count_jit_and_pmap_lowerings,
    count_jit_tracing_cache_miss,
)
from .tolerances import Tolerance, close, dtype_of, is_sequence

__all__ = ["BufferDonationTestCase", "JaxTestCase", "JaxTestLoader", "assert_global_configs_unchanged",
           "global_config_context", "thread_local_config_context", "with_config", "with_global_config"]


# ---- options


@contextlib.contextmanager
def global_config_context(**kwds: Any) -> Iterator[None]:
    """Give other values to options of the process within the block."""
    before = {name: config.state(name).get_global() for name in kwds}
    try:
        for name, value in kwds.items():
            config.update(name, value)
        yield
    finally:
        for name, value in before.items():
            config.state(name).set_global(value)


@contextlib.contextmanager
def thread_local_config_context(**kwds: Any) -> Iterator[None]:
    """Give other values to options of the running thread within the block."""
    with contextlib.ExitStack() as stack:
        for name, value in kwds.items():
            stack.enter_context(config.state(name)(value))
        yield


@contextlib.contextmanager
def assert_global_configs_unchanged() -> Iterator[None]:
    """Raise AssertionError if the block leaves options of the process with other values."""
    before = dict(config.values)
    yield
    changed = {name: (before[name], value) for name, value in config.values.items()
               if name in before and before[name] != value}
    assert not changed, f"options were changed and not put back: {changed}"


def _with_options(attribute: str, kwds: dict) -> Callable:
    def decorate(case):
        if not (inspect.isclass(case) and issubclass(case, JaxTestCase)):
            raise AssertionError("the decorator is for classes of tests that derive from JaxTestCase")
        setattr(case, attribute, {**getattr(case, attribute), **kwds})
        return case

    return decorate


def with_config(**kwds: Any) -> Callable:
    """Return a decorator of a class of tests: options of the thread that runs them."""
    return _with_options("_default_thread_local_config", kwds)


def with_global_config(**kwds: Any) -> Callable:
    """Return a decorator of a class of tests: options of the process."""
    return _with_options("_default_global_config", kwds)


# ---- tests


class JaxTestCase(parameterized.TestCase):
    """Tests that compare arrays and functions of arrays; the rules for dtypes and ranks are strict meanwhile."""

    _default_global_config: ClassVar[dict[str, Any]] = {}
    _default_thread_local_config: ClassVar[dict[str, Any]] = {
        "jax_enable_checks": True, "jax_numpy_dtype_promotion": "strict", "jax_numpy_rank_promotion": "raise",
        "jax_traceback_filtering": "off", "jax_legacy_prng_key": "error",
    }

    def setUp(self):
        super().setUp()
        self.enterContext(assert_global_configs_unchanged())
        self.enterContext(global_config_context(**self._default_global_config))
        self.enterContext(thread_local_config_context(**self._default_thread_local_config))
        self._rng = np.random.RandomState(zlib.adler32(self._testMethodName.encode()))

    def rng(self) -> np.random.RandomState:
        """Return the generator of a test, which begins anew in each."""
        return self._rng

    # ---- comparisons

    def assertDtypesMatch(self, actual: Any, desired: Any, *, canonicalize_dtypes: bool = True) -> None:
        """Fail if dtypes differ; without 64-bit types, float64 stands for float32 unless `canonicalize_dtypes` is
        false.
        """
        found, wanted = dtype_of(actual), dtype_of(desired)
        if canonicalize_dtypes and not config.x64_enabled:
            found, wanted = (d if d == _dtypes.float0 or _dtypes.issubdtype(d, _dtypes.extended) else
                             _dtypes.canonicalize_dtype(d) for d in (found, wanted))
        self.assertEqual(found, wanted)

    def assertArraysEqual(
        self, actual: Any, desired: Any, *, check_dtypes: bool = True, err_msg: str = "",
        allow_object_dtype: bool = False, verbose: bool = True,
    ) -> None:
        """Fail if two arrays differ in a number, in shape or dtype; NaN equals NaN."""
        if check_dtypes:
            self.assertDtypesMatch(actual, desired)
        actual, desired = np.asarray(actual), np.asarray(desired)
        if not allow_object_dtype and object in (actual.dtype, desired.dtype):
            self.fail("arrays of objects are compared by allow_object_dtype=True")
        self.assertEqual(actual.shape, desired.shape)
        if actual.dtype == _dtypes.float0:
            return
        np.testing.assert_array_equal(actual, desired, err_msg=err_msg, verbose=verbose)

    def assertArraysAllClose(
        self, actual: Any, desired: Any, *, check_dtypes: bool = True, atol: Tolerance = None,
        rtol: Tolerance = None, err_msg: str = "",
    ) -> None:
        """Fail if two arrays are not near each other, or differ in shape or dtype."""
        self.assertEqual(np.shape(actual), np.shape(desired))
        if check_dtypes:
            self.assertDtypesMatch(actual, desired)
        close(np.asarray(actual), np.asarray(desired), atol, rtol, err_msg)

    def assertAllClose(
        self, actual: Any, desired: Any, *, check_dtypes: bool = True, atol: Tolerance = None,
        rtol: Tolerance = None, canonicalize_dtypes: bool = True, err_msg: str = "",
    ) -> None:
        """Fail if two values, lists or dicts of arrays and numbers are not near each other."""
        options = dict(check_dtypes=check_dtypes, atol=atol, rtol=rtol, canonicalize_dtypes=canonicalize_dtypes,
                       err_msg=err_msg)
        if isinstance(actual, dict):
            self.assertIsInstance(desired, dict)
            self.assertEqual(set(actual), set(desired))
            for name in actual:
                self.assertAllClose(actual[name], desired[name], **options)
        elif actual is None or isinstance(actual, str):
            self.assertEqual(actual, desired)
        elif is_sequence(actual) and not hasattr(actual, "__array__"):
            if not is_sequence(desired) or hasattr(desired, "__array__"):
                self.fail(f"Expected sequence, got {desired}")
            self.assertEqual(len(actual), len(desired))
            for a, b in zip(actual, desired):
                self.assertAllClose(a, b, **options)
        elif hasattr(actual, "__array__") or np.isscalar(actual):
            if not (hasattr(desired, "__array__") or np.isscalar(desired)):
                self.fail(f"Expected array-like, got {desired}")
            if check_dtypes:
                self.assertDtypesMatch(actual, desired, canonicalize_dtypes=canonicalize_dtypes)
            self.assertArraysAllClose(np.asarray(actual), np.asarray(desired), check_dtypes=False, atol=atol, rtol=rtol,
                                      err_msg=err_msg)
        else:
            raise TypeError((type(actual), type(desired)))

    def assertMultiLineStrippedEqual(self, expected: str, what: str) -> None:
        """Fail if two texts differ in more than blanks at the ends of lines and in the indentation."""
        expected, what = ("\n".join(line.strip() for line in text.strip().split("\n")) for text in (expected, what))
        self.assertMultiLineEqual(expected, what, msg=f"Found\n{what}\nExpecting\n{expected}")

    # ---- warnings

    @contextlib.contextmanager
    def assertNoWarnings(self) -> Iterator[None]:
        """Fail if the block warns."""
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            yield

    @contextlib.contextmanager
    def assertDeprecationWarnsOrRaises(
        self, deprecation_id: str, message: str, *, error_class: type[Exception] = ValueError,
    ) -> Iterator[None]:
        """Fail unless the block warns of a deprecation, or raises an error, whose text a pattern matches."""
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                yield
            except error_class as error:
                self.assertRegex(str(error), message)
                return
        self.assertRegex("\n".join(str(w.message) for w in told if w.category is DeprecationWarning), message)

    def assertCacheMisses(
        self, func: Callable[[], Any], *, cpp: int | None = None, aot_call: int | None = None,
        tracing: int | None = None, lowering: int | None = None,
        compilation_after_persistent_cache_miss: int | None = None,
    ) -> None:
        """Fail if a call traces, lowers or compiles more or less often than said.

        Args:
          func: what is called, without arguments.
          cpp, aot_call: calls that JAX's C++ caches miss, which adjoint does not have: a test that asks is skipped.
          tracing, lowering, compilation_after_persistent_cache_miss: how often each is to happen; None for any.
        """
        if cpp is not None or aot_call is not None:
            self.skipTest("adjoint has no cache of calls in C++ to be counted")
        with (count_jit_tracing_cache_miss() as traced, count_jit_and_pmap_lowerings() as lowered,
              count_compilation_after_persistent_cache_miss() as compiled):
            func()
        for wanted, count in ((tracing, traced), (lowering, lowered),
                              (compilation_after_persistent_cache_miss, compiled)):
            if wanted is not None:
                self.assertEqual(wanted, count())

    # ---- functions

    def _CheckAgainstNumpy(
        self, numpy_reference_op: Callable, lax_op: Callable, args_maker: Callable[[], Any],
        check_dtypes: bool = True, tol: Tolerance = None, atol: Tolerance = None, rtol: Tolerance = None,
        canonicalize_dtypes: bool = True,
    ) -> None:
        """Fail if a function does not give what NumPy's does for the same arguments."""
        args = args_maker()
        self.assertAllClose(lax_op(*args), numpy_reference_op(*args), check_dtypes=check_dtypes,
                            atol=tol if atol is None else atol, rtol=tol if rtol is None else rtol,
                            canonicalize_dtypes=canonicalize_dtypes)

    def _CompileAndCheck(
        self, fun: Callable, args_maker: Callable[[], Any], *, check_dtypes: bool = True, tol: Tolerance = None,
        rtol: Tolerance = None, atol: Tolerance = None, check_cache_misses: bool = True,
    ) -> None:
        """Fail if a function gives something else when it is compiled, or is traced again for arguments of one type."""
        tracing = True

        def watched(*args):
            self.assertTrue(tracing, "the function was traced a second time")
            return fun(*args)

        compiled = jit(watched)
        for _ in range(2):  # with other arguments the second time
            args = args_maker()
            plain = fun(*args)
            self.assertFalse(any(isinstance(x, Tracer) for x in tree_leaves(plain)))
            self.assertAllClose(plain, compiled(*args), check_dtypes=check_dtypes, atol=tol if atol is None else atol,
                                rtol=tol if rtol is None else rtol)
            tracing = not check_cache_misses


class BufferDonationTestCase(JaxTestCase):
    """Tests of arguments whose memory is given to results."""

    def assertDeleted(self, x: Any) -> None:
        """Fail if an array can be used."""
        self.assertTrue(x.is_deleted())

    def assertNotDeleted(self, x: Any) -> None:
        """Fail if an array was deleted."""
        self.assertFalse(x.is_deleted())


class JaxTestLoader(absltest.TestLoader):
    """The finder of the tests of a module for `absltest.main`."""
