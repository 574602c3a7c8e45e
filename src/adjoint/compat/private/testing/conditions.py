"""Tests that are skipped on some devices, versions and options."""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace

import numpy as np

from ....core.options.config import config
from ....parallel.devices import devices
from ....version import jax_version

__all__ = [
    "CudaArchSpecificTest", "SKIP_SLOW_TESTS", "TEST_NUM_THREADS", "TEST_WITH_PERSISTENT_COMPILATION_CACHE",
    "device_kind_match", "device_supports_buffer_donation", "device_under_test", "get_tpu_version", "is_asan",
    "is_cloud_tpu", "is_cloud_tpu_at_least", "is_cuda_compute_capability_at_least", "is_cuda_compute_capability_equal",
    "is_cuda_version_at_least", "is_device_cuda", "is_device_rocm", "is_device_tpu", "is_device_tpu_at_least",
    "is_gil_disabled", "is_msan", "is_optimized_build", "is_running_under_pytest", "is_sanitized", "is_test_rbe",
    "is_tsan", "jaxlib_version", "numpy_version", "parse_version", "pattern_search", "pjrt_c_api_version_at_least",
    "pytest_mark_if_available", "run_on_devices", "running_in_cloud_tpu_vm", "runtime_environment", "skip_on_devices",
    "skip_on_flag", "skip_under_pytest", "stablehlo_version_at_least", "test_device_matches", "thread_unsafe_test",
    "thread_unsafe_test_class",
]

TEST_WITH_PERSISTENT_COMPILATION_CACHE = SimpleNamespace(value=False)
TEST_NUM_THREADS = SimpleNamespace(value=0)
SKIP_SLOW_TESTS = SimpleNamespace(value=os.environ.get("JAX_SKIP_SLOW_TESTS", "").lower() in ("1", "true", "yes", "on"))
running_in_cloud_tpu_vm = False


# ---- devices


def device_under_test() -> str:
    """Return the platform of the devices: "cpu", "gpu", "tpu"."""
    return {"cuda": "gpu", "rocm": "gpu"}.get(devices()[0].platform, devices()[0].platform)


def _tags() -> set[str]:
    platform_ = device_under_test()
    return {platform_, devices()[0].platform, *(["cuda"] if platform_ == "gpu" and not is_device_rocm() else [])}


def test_device_matches(device_types: Iterable[str]) -> bool:
    """Return whether the devices are of one of some kinds."""
    return any(tag in _tags() for tag in device_types)


test_device_matches.__test__ = False    # its name is JAX's, and pytest does not collect it


def _on_condition(holds: Callable[[], bool], text: str | Callable[[str], str]) -> Callable:
    """Return a decorator of a test that is skipped unless a condition holds, with a reason."""
    def decorate(test):
        @functools.wraps(test)
        def conditional(self, *args, **kwargs):
            if not holds():
                self.skipTest(text if isinstance(text, str) else text(getattr(self, "_testMethodName", test.__name__)))
            return test(self, *args, **kwargs)

        return conditional

    return decorate


def skip_on_devices(*disabled_devices: str, skip_reason: str | None = None) -> Callable:
    """Return a decorator of tests that do not run on some kinds of devices."""
    reason = skip_reason or "Skipped on devices with tags: " + ", ".join(disabled_devices)
    return _on_condition(lambda: not test_device_matches(disabled_devices), reason)


def run_on_devices(*enabled_devices: str, skip_reason: str | None = None) -> Callable:
    """Return a decorator of tests that run on some kinds of devices alone."""
    reason = skip_reason or "Skipped unless running on devices with tags: " + ", ".join(enabled_devices)
    return _on_condition(lambda: test_device_matches(enabled_devices), reason)


def device_supports_buffer_donation() -> bool:
    """Return whether memory of arguments can be given to results: on every device."""
    return True


def device_kind_match(device_patterns: str | Sequence[str]) -> str | None:
    """Return the first pattern that is found in the name of the kind of the devices, or None."""
    return pattern_search(device_patterns, devices()[0].device_kind)


def is_device_cuda() -> bool:
    """Return whether the devices are GPUs of NVIDIA."""
    return device_under_test() == "gpu" and not is_device_rocm()


def is_device_rocm() -> bool:
    """Return whether the devices are GPUs of AMD."""
    return "rocm" in getattr(devices()[0].client, "platform_version", "")


def is_device_tpu(version: int | None = None, variant: str = "") -> bool:
    """Return whether the devices are TPUs, of a version and variant."""
    if device_under_test() != "tpu":
        return False
    return (version is None or get_tpu_version() == version) and variant in devices()[0].device_kind


def is_device_tpu_at_least(version: int) -> bool:
    """Return whether the devices are TPUs of at least a version."""
    return device_under_test() == "tpu" and get_tpu_version() >= version


def get_tpu_version() -> int:
    """Return the version of the TPUs; ValueError on other devices."""
    if device_under_test() != "tpu":
        raise ValueError("Device is not TPU")
    return int(re.sub(r"\D", "", devices()[0].device_kind)[:1])


def is_cloud_tpu() -> bool:
    """Return whether the devices are TPUs in a cloud."""
    return device_under_test() == "tpu"


def is_cloud_tpu_at_least(year: int, month: int, day: int) -> bool:
    """Return whether the TPUs' library is of a day or later: of other devices true, of TPUs it is not known."""
    return not is_cloud_tpu()


def is_cuda_compute_capability_at_least(capability: str) -> bool:
    """Return whether the devices are GPUs of at least a compute capability, as "8.0"."""
    return is_device_cuda() and parse_version(devices()[0].compute_capability) >= parse_version(capability)


def is_cuda_compute_capability_equal(capability: str) -> bool:
    """Return whether the devices are GPUs of a compute capability, as "8.0"."""
    return is_device_cuda() and parse_version(devices()[0].compute_capability) == parse_version(capability)


def is_cuda_version_at_least(major: int, minor: int) -> bool:
    """Return whether programs are compiled for at least a version of CUDA; false on other devices."""
    found = re.search(r"cuda (\d+)", getattr(devices()[0].client, "platform_version", ""))
    return found is not None and int(found[1]) >= major * 1000 + minor * 10


# ---- versions and the way in which tests run


def parse_version(v: str) -> tuple[int, ...]:
    """Return the numbers of a version: (1, 2, 3) for "1.2.3rc1"."""
    found = re.match(r"[0-9]+(?:\.[0-9]+)*", v)
    if found is None:
        raise ValueError(f"Unable to parse version '{v}'")
    return tuple(int(part) for part in found[0].split("."))


def numpy_version() -> tuple[int, ...]:
    """Return the version of NumPy."""
    return parse_version(np.__version__)


def jaxlib_version() -> tuple[int, ...]:
    """Return the version that is presented as jaxlib's."""
    return parse_version(jax_version)


def stablehlo_version_at_least(required_version: str) -> bool:
    """Return whether programs of a version of StableHLO can be read: those of the presented jaxlib."""
    return parse_version(required_version)[0] <= 1


def pjrt_c_api_version_at_least(major_version: int, minor_version: int) -> bool:
    """Return whether PJRT's interface is of at least a version: true, as in JAX for CPUs, which are not behind it."""
    return True


def pattern_search(patterns: str | Sequence[str], string: str) -> str | None:
    """Return the first pattern that is found in a text, or None."""
    patterns = (patterns,) if isinstance(patterns, str) else patterns
    return next((pattern for pattern in patterns if re.search(pattern, string)), None)


def runtime_environment() -> str | None:
    """Return what runs the tests: None on a plain machine."""
    return None


def is_running_under_pytest() -> bool:
    """Return whether pytest runs the tests."""
    return "pytest" in sys.modules


def is_gil_disabled() -> bool:
    """Return whether Python runs threads at once."""
    return not getattr(sys, "_is_gil_enabled", lambda: True)()


def is_optimized_build() -> bool:
    """Return whether code is optimized: always."""
    return True


def _no() -> bool:
    """Return False: adjoint has no such build."""
    return False


is_sanitized = is_asan = is_msan = is_tsan = is_test_rbe = _no


def skip_on_flag(flag_name: str, skip_value: object) -> Callable:
    """Return a decorator of tests that are skipped where an option has a value."""
    return _on_condition(lambda: config.read(flag_name) != skip_value,
                         lambda name: f"{name} not supported when FLAGS.{flag_name} is {skip_value}")


def skip_under_pytest(reason: str) -> Callable:
    """Return a decorator of tests that pytest does not run."""
    return _on_condition(lambda: not is_running_under_pytest(), f"Skip under pytest: {reason}")


def pytest_mark_if_available(marker: str) -> Callable:
    """Return a decorator that gives pytest's mark to a test, where pytest is installed."""
    def decorate(test):
        if importlib.util.find_spec("pytest") is None:
            return test
        return getattr(importlib.import_module("pytest").mark, marker)(test)

    return decorate


def thread_unsafe_test(condition: bool = True) -> Callable:
    """Return a decorator of tests that do not run beside others; tests run one after the other, so all of them may."""
    return lambda test: test


def thread_unsafe_test_class(condition: bool = True) -> Callable:
    """Return a decorator of classes of tests that do not run beside others."""
    return lambda case: case


class CudaArchSpecificTest:
    """Methods of test classes that skip what only some GPUs of NVIDIA have."""

    def skip_unless_sm90a(self) -> None:
        """Skip the test unless the devices are of compute capability 9.0."""
        if not is_cuda_compute_capability_equal("9.0"):
            self.skipTest("Only works on GPU with capability sm90a")   # type: ignore[attr-defined]

    def skip_unless_tcgen05(self) -> None:
        """Skip the test unless the devices have the matrix units of compute capability 10.0."""
        if not is_cuda_compute_capability_at_least("10.0"):
            self.skipTest("Only works on GPU with tcgen05 MMA")        # type: ignore[attr-defined]
