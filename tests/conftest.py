"""What holds for every test: real JAX on the CPU as the oracle, and the same run every time.

The variables are set before anything imports NumPy, jaxlib or adjoint. A variable that is already
in the environment wins, so one run can be tried otherwise.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

os.environ.setdefault("JAX_PLATFORMS", "cpu")
# Most of the time of the tests is XLA's compiler: the oracle need not be fast. Its older emitters of loops, which write
# LLVM without MLIR, take half the time of the newer ones, and one module less than its parts.
_FLAGS = """
    --xla_backend_optimization_level=0 --xla_cpu_use_fusion_emitters=false
    --xla_cpu_parallel_codegen_split_count=1 --xla_llvm_disable_expensive_passes=true
    --xla_llvm_enable_alias_scope_metadata=false --xla_llvm_enable_noalias_metadata=false
"""
# Where it compiles our programs too, level 1: at 0 it rounds one value in two ways where two loops compute it, and
# comparing them finds no maximum.
_OURS_TOO = "--xla_backend_optimization_level=1 --xla_llvm_disable_expensive_passes=true"
_ENGINE = os.environ.get("ADJOINT_CPU_ENGINE")
os.environ.setdefault("XLA_FLAGS", _OURS_TOO if _ENGINE == "xla" else " ".join(_FLAGS.split()))
os.environ.setdefault("ADJOINT_CACHE_DIR", "off")       # no program compiled by an earlier run
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")      # xdist already uses every core

settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
settings.load_profile("fixed")


@pytest.fixture(autouse=True, scope="session")
def quick_oracle():
    """Let JAX leave out what takes longer than most of the calls: frames that it hides, and looking for leaks.

    It looks for leaks where adjoint finds one (tests/modes.py).
    """
    import jax  # which reads the variables

    jax.config.update("jax_traceback_filtering", "off")
    jax.config.update("jax_check_tracer_leaks", False)


@pytest.fixture(autouse=True)
def numbers_of_its_own(request):
    """What another test has drawn changes no test's numbers."""
    numbers_anew(request.node.name)


def numbers_anew(name):
    from tests.streams import begin_anew  # which imports NumPy

    begin_anew(name)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """In a strict mode, a test whose own program JAX refuses too says nothing."""
    try:
        return (yield)
    except (Exception, pytest.fail.Exception) as error:
        from tests.modes import excuse

        def again():
            numbers_anew(pyfuncitem.name)
            pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames})

        reason = excuse(error, pyfuncitem, again)
        if reason is None:
            raise
        pytest.skip(reason)
