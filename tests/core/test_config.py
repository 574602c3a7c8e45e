"""Options: names, defaults, values, scopes and the trace context."""

from __future__ import annotations

import enum
import json
import subprocess
import sys
import threading

import pytest
from tests.modes import standard, unchecked
from tests.recorded import jax

from adjoint.core.options import config as module
from adjoint.core.options.config import Option, State, config, local, trace_context

NAMES = sorted(config.values)
OURS = {"cpu_engine", "native_tier", "progress"}


class Unfit:
    def __repr__(self):
        return "<Unfit>"

    __str__ = __repr__


@pytest.fixture
def restored():
    """Sets the options of both libraries back after the test."""
    before, theirs = dict(config.values), dict(jax.config.values)
    yield
    for name, value in config.values.items():
        if value != before[name]:
            config.update(name, before[name])
    after = jax.config.values
    for name in before.keys() & theirs.keys():
        if after[name] != theirs[name]:
            jax.config.update(name, theirs[name])


DEFAULTS = dict(jax.config.values)  # before any test runs


def read(name):
    """JAX's value of an option; flags have no attribute."""
    return getattr(jax.config, name) if hasattr(jax.config, name) else jax.config.read(name)


def run(code, **environment):
    """The last line that a fresh process prints, as JSON; or its error output."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True,
        env={"PYTHONPATH": ":".join(sys.path), **environment}, check=False,
    )  # fmt: skip
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr


# ---- names, defaults, values ----


def test_names_are_those_of_jax():
    assert set(jax.config.values) == set(NAMES) - OURS


# JAX sets jax_platforms itself when it starts without an accelerator.
@standard
@pytest.mark.parametrize("name", [n for n in NAMES if n not in {*OURS, "jax_platforms"}])
def test_default(name):
    """Defaults, and the classes of enum members, agree with JAX."""
    theirs, ours = DEFAULTS[name], config.state(name).option.default
    assert theirs == ours or (theirs.name, theirs.value) == (ours.name, ours.value)
    assert type(theirs).__name__ == type(ours).__name__


# Which values these take depends on whether something has run already.
EARLY = {*(f"jax_cpu_get_{x}_topology_timeout_minutes" for x in ("global", "local")), "jax_num_cpu_devices"}


@pytest.mark.parametrize("name", [n for n in NAMES if n not in {*OURS, *EARLY}])
def test_update_accepts_what_jax_accepts(name, restored):
    """Each option takes, converts and refuses the same values, with JAX's class and text."""
    candidates = ["zzz", "allow", "warn", "high", "cpu", "raise", "O1", "error", 7, 2.5, None, True]
    now = read(name)
    candidates += [now.name.lower() if isinstance(now, enum.Enum) else now, Unfit()]
    for value in candidates:
        try:
            jax.config.update(name, value)
        except Exception as error:
            with pytest.raises(type(error)) as ours:
                config.update(name, value)
            start = str(error).split(" of type ")[0].replace(str(type(value)), "")
            assert str(ours.value).startswith(start), value
        else:
            config.update(name, value)
            theirs, ours = read(name), config.read(name)
            assert theirs == ours or theirs.value == ours.value, value


def test_unknown_name():
    """The error is JAX's, with a suggestion."""
    text = r"Unrecognized config option: jax_enable_x46. Did you mean 'jax_enable_x64'\?"
    with pytest.raises(AttributeError, match=text):
        config.update("jax_enable_x46", True)
    with pytest.raises(AttributeError, match=text):
        config.read("jax_enable_x46")
    with pytest.raises(AttributeError, match="Did you mean 'jax_enable_x64'"):
        _ = config.jax_enable_x46
    assert not hasattr(config, "jax_no_such_thing")


def test_options_are_not_assigned():
    with pytest.raises(AttributeError, match=r"config.update\('jax_enable_x64', True\)"):
        config.jax_enable_x64 = True


def test_attribute_read_and_values_agree(restored):
    config.update("jax_debug_nans", True)
    assert config.jax_debug_nans is True
    assert config.read("jax_debug_nans") is True
    assert config.values["jax_debug_nans"] is True
    assert module.debug_nans.value is True
    assert local.debug_nans is True
    assert "jax_debug_nans" in dir(config)


def test_engine_option(restored):
    config.update("cpu_engine", "numpy")
    assert "numpy" == local.cpu_engine
    with pytest.raises(ValueError, match=r"in \['native', 'xla', 'numpy'\], got cuda"):
        config.update("cpu_engine", "cuda")


def test_add_option():
    """Libraries may add options, once."""

    class Holder:
        value = 3

    config.add_option("jax_test_only_option", Holder, int, (), {"help": "none"})
    try:
        assert 3 == config.jax_test_only_option
        with pytest.raises(Exception, match="already defined"):
            config.add_option("jax_test_only_option", Holder, int, (), {})
    finally:
        del config._states["jax_test_only_option"]


# ---- the environment and the command line ----

DUMP = """
import json
from adjoint.core.options.config import config
print(json.dumps({k: v for k, v in config.values.items() if isinstance(v, (int, str, float))}))
"""


def test_environment():
    """JAX_X and ADJOINT_X set the first value; ADJOINT_X wins."""
    found = run(
        DUMP, JAX_ENABLE_X64="1", JAX_NUMPY_RANK_PROMOTION="warn", JAX_RANDOM_SEED_OFFSET="3",
        ADJOINT_CPU_ENGINE="xla", JAX_DEBUG_NANS="true", ADJOINT_DEBUG_NANS="0",
        JAX_DEFAULT_MATMUL_PRECISION="high", JAX_NUMPY_DTYPE_PROMOTION="strict",
        JAX_PLATFORM_NAME="cpu", JAX_DISABLE_MOST_OPTIMIZATIONS="on",
    )  # fmt: skip
    assert isinstance(found, dict), found
    expected = dict(
        jax_enable_x64=True, jax_numpy_rank_promotion="warn", jax_random_seed_offset=3,
        cpu_engine="xla", jax_debug_nans=False, jax_default_matmul_precision="high",
        jax_numpy_dtype_promotion="strict", jax_platform_name="cpu",
        jax_disable_most_optimizations=True,
    )  # fmt: skip
    assert expected == {name: found[name] for name in expected}


@pytest.mark.parametrize("name, text", [("JAX_ENABLE_X64", "perhaps"), ("ADJOINT_CPU_ENGINE", "c"),
                                        ("JAX_RANDOM_SEED_OFFSET", "x")])  # fmt: skip
def test_environment_with_a_wrong_value(name, text):
    found = run(DUMP, **{name: text})
    assert f"environment variable {name}={text!r}" in found and f"\n  Try: {name}=" in found


@pytest.mark.parametrize("arguments, first", [(("-c", "import adjoint"), "Trace"), (("-m", "adjoint"), "adjoint: ")])
def test_a_wrong_value_is_told_without_our_frames(arguments, first):
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False,
        env={"PYTHONPATH": ":".join(sys.path), "JAX_ENABLE_X64": "maybe"},
    )
    assert done.returncode == 1 and done.stderr.startswith(first) and "config.py" not in done.stderr
    assert done.stderr.endswith("\n  Try: JAX_ENABLE_X64=1 or JAX_ENABLE_X64=0\n")


def test_command_line():
    code = """
import sys
sys.argv += ["--jax_enable_x64", "--jax_platforms=cpu", "--nojax_threefry_partitionable", "x.txt",
             "--jax_random_seed_offset=5", "--other=1"]
from adjoint.core.options.config import config
config.parse_flags_with_absl()
print([1] if (config.jax_enable_x64, config.jax_platforms, config.jax_threefry_partitionable,
       config.jax_random_seed_offset) == (True, "cpu", False, 5) else [])
"""
    assert [1] == run(code)


def test_flags_of_absl(restored):
    """Options that were given as absl flags are taken over, the others are not."""

    class Flag:
        def __init__(self, value, present):
            self.value, self.present = value, present

    class Absl:
        FLAGS = {"jax_debug_nans": Flag(True, 1), "jax_random_seed_offset": Flag("4", 1),
                 "jax_log_compiles": Flag(True, 0)}  # fmt: skip

    config.complete_absl_config(Absl)
    assert (True, 4) == (config.jax_debug_nans, config.jax_random_seed_offset)
    assert not config.jax_log_compiles


# ---- scopes ----

EXPOSED = [n for n in dir(module) if isinstance(getattr(module, n), State)]


def test_context_managers_of_jax():
    """Every option that `jax` exposes as a context manager is one here, under its name."""
    theirs = {n for n in dir(jax) if type(getattr(jax, n)).__name__ == "State"}
    assert theirs | {"no_tracing"} == set(EXPOSED) | ({"no_tracing"} & theirs)
    for name in EXPOSED:
        assert getattr(module, name).__doc__, name


def test_context_manager_sets_and_restores():
    assert not local.enable_x64
    with module.enable_x64(True):
        assert local.enable_x64
        with module.enable_x64(False):
            assert not config.jax_enable_x64
        assert local.enable_x64
    assert not local.enable_x64
    with pytest.raises(ZeroDivisionError), module.enable_x64():
        assert local.enable_x64
        _ = 1 / 0
    assert not local.enable_x64


@unchecked
def test_context_manager_is_a_decorator_and_re_entrant():
    @module.enable_x64(True)
    def depth(n):
        assert local.enable_x64
        return depth(n - 1) if n else n

    assert 0 == depth(3)
    assert not local.enable_x64
    block = module.debug_nans(True)
    with block, block:
        assert local.debug_nans
    assert not local.debug_nans


def test_context_manager_refuses_as_jax_does():
    """A wrong value is refused before the block is entered; only booleans have a default."""
    cases = [
        ("default_matmul_precision", ("x",)), ("default_matmul_precision", ()),
        ("numpy_rank_promotion", ("x",)), ("numpy_dtype_promotion", ("x",)),
        ("default_device", (3,)), ("transfer_guard_host_to_device", ("x",)),
        ("default_prng_impl", (None,)),
    ]  # fmt: skip
    for name, args in cases:
        with pytest.raises((TypeError, ValueError)) as theirs, getattr(jax, name)(*args):
            pass
        with pytest.raises(theirs.type) as ours:
            getattr(module, name)(*args)
        assert str(ours.value).startswith(str(theirs.value)), name


def test_a_state_has_no_truth_value():
    with pytest.raises(TypeError, match="did you mean to use 'State.value' instead"):
        bool(module.enable_x64)


def test_transfer_guard_and_disable_jit():
    with module.transfer_guard("log"):
        assert "log" == local.transfer_guard_host_to_device == local.transfer_guard_device_to_host
    assert local.transfer_guard_host_to_device is None
    with module.disable_jit():
        assert config.jax_disable_jit
        with module.disable_jit(False):
            assert not config.jax_disable_jit


def in_thread(fun):
    """The result of a call in a new thread."""
    results = []
    thread = threading.Thread(target=lambda: results.append(fun()))
    thread.start()
    thread.join()
    return results[0]


def test_context_managers_are_per_thread_and_updates_are_not(restored):
    with module.log_compiles(True):
        assert in_thread(lambda: local.log_compiles) is False
        config.update("jax_log_compiles", True)
        assert in_thread(lambda: local.log_compiles) is True
        config.update("jax_log_compiles", False)
        assert local.log_compiles  # the thread's own value stays
    assert not local.log_compiles


# ---- the trace context ----


def test_trace_context_is_equal_exactly_when_the_values_are():
    before = trace_context()
    with module.default_prng_impl("rbg"):
        inside = trace_context()
        assert inside != before
        assert in_thread(trace_context) is before
        with module.default_matmul_precision("high"):
            assert trace_context() not in (before, inside)
        assert trace_context() is inside
    assert trace_context() is before
    with module.default_prng_impl("threefry2x32"):
        assert trace_context() is before
    assert {before: 1}[trace_context()] == 1


def test_untraced_options_do_not_change_the_trace_context():
    before = trace_context()
    with module.log_compiles(True), module.transfer_guard("log"):
        assert trace_context() is before


@standard
def test_global_update_reaches_the_context_of_every_thread(restored):
    """A thread inside a context manager sees a later update of another option in its context."""
    entered, updated, seen = threading.Event(), threading.Event(), []

    def work():
        with module.enable_x64(True):
            before = trace_context()
            entered.set()
            updated.wait(10)
            seen.append(before.difference(trace_context()))

    thread = threading.Thread(target=work)
    thread.start()
    entered.wait(10)
    config.update("jax_numpy_rank_promotion", "raise")
    updated.set()
    thread.join()
    assert [{"numpy_rank_promotion": ("allow", "raise")}] == seen


def test_difference_names_what_changed():
    before = trace_context()
    with module.enable_x64(True), module.default_prng_impl("rbg"):
        found = before.difference(trace_context())
    assert {"enable_x64": (False, True), "default_prng_impl": ("threefry2x32", "rbg")} == found


def test_swap_local():
    """The methods that libraries call on a State."""
    state = module.log_compiles
    before = state.swap_local(True)
    assert state.value is True and state.get_local() is True and state.get_global() is False
    state.set_local(before)
    assert state.value is False and state.get_local() is None


def test_define():
    """A new traced option becomes part of the trace context."""
    length = len(trace_context())
    config.define(Option("jax_test_traced", 1, "int", traced=True))
    try:
        assert length + 1 == len(trace_context())
        with config.state("jax_test_traced")(2):
            assert 2 == local.test_traced == trace_context()[-1]
    finally:
        module._traced.pop("test_traced")
        del config._states["jax_test_traced"]
        config.define()
    assert length == len(trace_context())


def test_an_option_may_be_defined_where_another_has_a_value_of_the_thread():
    length = len(trace_context())
    with module.default_prng_impl("rbg"):
        context = module.make_user_context(1)
        assert length + 1 == len(trace_context())
        with context(2):
            assert (2, "rbg") == (context.value, local.default_prng_impl)
            inside = trace_context()
        assert inside != trace_context()


def test_only_options_refuse_to_be_set_as_attributes():
    """JAX parity: `config.enable_x64 = True` is an attribute that nothing reads."""
    with pytest.raises(AttributeError, match="has no setter"):
        config.jax_enable_x64 = True
    before = local.enable_x64
    try:
        config.enable_x64 = not before
        assert local.enable_x64 == before
    finally:
        del config.enable_x64
