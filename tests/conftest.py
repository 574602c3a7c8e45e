"""What holds for every test: real JAX on the CPU as the oracle, and the same run every time.

The variables are set before anything imports NumPy, jaxlib or adjoint. A variable that is already
in the environment wins, so one run can be tried otherwise.
"""

from __future__ import annotations

import gc
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


@pytest.fixture
def native():
    """Programs run on the native engine, whatever the suite runs on."""
    yield from running_on("native")


@pytest.fixture
def numpy_engine():
    """Programs run on the NumPy engine, whatever the suite runs on."""
    yield from running_on("numpy")


def running_on(engine):
    import adjoint  # which reads the variables above

    before = adjoint.config.cpu_engine
    adjoint.config.update("cpu_engine", engine)
    yield
    adjoint.config.update("cpu_engine", before)


def numbers_anew(name):
    from tests.streams import begin_anew  # which imports NumPy

    begin_anew(name)


# ---- Python's search for garbage passes by what lives as long as the run: tests, modules, JAX's answers

MIN_NEW_OBJECTS = 50_000    # before it searches: at Python's 700 it is a fifteenth of the run


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()     # what is garbage by now stays too: to find it takes longer than it is worth
        gc.set_threshold(MIN_NEW_OBJECTS, *gc.get_threshold()[1:])


# ---- what JAX answers: tests/recorded


@pytest.hookimpl(tryfirst=True)
def pytest_make_collect_report(collector):
    from tests.recorded.session import session

    if isinstance(collector, pytest.Module):
        session.collect(collector.nodeid)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """What another test has drawn changes no test's numbers; what is asked of JAX is this test's."""
    from tests.recorded.digests import digest_of_test
    from tests.recorded.session import session

    numbers_anew(item.name)
    if isinstance(item, pytest.Function):
        file, _, name = item.nodeid.partition("::")
        session.begin(file, name, digest_of_test(item.function, getattr(getattr(item, "callspec", None), "params", {})))


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item):
    from tests.recorded.session import session

    item.user_properties.append(("answers", session.state))
    session.end()


def pytest_sessionfinish():
    from tests.recorded.session import session

    session.write()


def pytest_terminal_summary(terminalreporter):
    reports = [r for rows in terminalreporter.stats.values() for r in rows if getattr(r, "when", "") == "teardown"]
    states = [(value, r.nodeid) for r in reports for name, value in r.user_properties if name == "answers"]
    read, asked, stale, second = (
        [test for found, test in states if found == state] for state in ("read", "asked", "stale", "second"))
    if second:
        terminalreporter.write_line(
            f"{len(second)} tests FAILED with JAX's kept answers and passed when run again with JAX, so perhaps not "
            f"in a process of their own: {' '.join(second)}")
    if read or asked or stale:
        anew = ""
        if stale:
            files = " ".join(sorted({test.partition("::")[0] for test in stale}))
            anew = f", for {len(stale)} they are STALE: python -m tests.recorded.keep {files}"
        terminalreporter.write_line(f"JAX: {len(read)} tests read its answers, {len(asked)} asked it{anew}")


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run a test with JAX's kept answers or, where they do not do, with JAX.

    In a strict mode, a test whose own program JAX refuses too says nothing.
    """
    from tests.recorded.session import Stale, session

    def again():
        numbers_anew(pyfuncitem.name)
        pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames})

    session.calling = True
    try:
        return (yield)
    except (pytest.skip.Exception, KeyboardInterrupt):
        raise
    except BaseException as error:
        if session.ask_anew(error):
            again()
            return True
        if isinstance(error, Stale) and session.manner == "read":
            pytest.skip("an answer of JAX is not kept, and JAX is not installed")
        session.unkept.add(session.test)
        from tests.modes import excuse

        reason = isinstance(error, (Exception, pytest.fail.Exception)) and excuse(error, pyfuncitem, again)
        if not reason:
            raise
        pytest.skip(reason)
