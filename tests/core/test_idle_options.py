"""Options do what they say, or say that they are without effect, and why."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.modes import compiling
from tests.recorded import jax

import adjoint
from adjoint.core.options.config import config
from adjoint.core.options.options import IDLE, OPTIONS

SOURCES = Path(adjoint.__file__).parent


def read_by_the_library():
    """The names of the options that some module reads: as a member of `local`, or by name."""
    texts = [p.read_text() for p in SOURCES.rglob("*.py") if p.name not in ("options.py", "__init__.py")]
    whole = "\n".join(re.sub(r'^\w+ = config\.state\("\w+"\)$', "", text, flags=re.MULTILINE) for text in texts)
    whole = re.sub(r"(?s)def transfer_guard\(.*?return Override.*?\n", "", whole)
    used = {*re.findall(r"\b(?:local|values)\.(\w+)", whole), *re.findall(r'"(?:jax_)?(\w+)"', whole)}
    return {o.name for o in OPTIONS if o.field in used}


def test_every_option_that_nothing_reads_says_why():
    names = {o.name for o in OPTIONS}
    assert names - read_by_the_library() - IDLE.keys() - {"jax_debug_infs", "jax_debug_nans"} == set()


def test_options_that_say_so_are_without_effect():
    assert IDLE.keys() <= {o.name for o in OPTIONS}
    read = set(re.findall(r"\blocal\.(\w+)", "\n".join(p.read_text() for p in SOURCES.rglob("*.py"))))
    assert {n for n in IDLE if n.removeprefix("jax_") in read} == set()
    assert "Accepted, without effect here: It tunes XLA" in config.state("jax_optimization_level").__doc__


def test_nothing_is_executed_under_no_execution():
    for m in (jax, adjoint):
        x = m.numpy.ones(3)
        with m.no_execution():
            for f in (lambda: x + 1, lambda: m.jit(lambda x: x * 3)(x), lambda: m.numpy.sin(x)):
                with pytest.raises(RuntimeError, match=r"JAX tried to execute function jit\("):
                    f()
            assert m.eval_shape(lambda x: x * 2, x).shape == (3,)
        assert (x + 1).tolist() == [2.0, 2.0, 2.0]
    jax.clear_caches()  # JAX 0.10 keeps what it compiled there, with other errors about deleted arrays


def test_meshes_are_no_context_managers_where_that_is_disallowed():
    for m in (jax, adjoint):
        mesh = m.make_mesh((1,), ("x",))
        m.config.update("jax_disallow_mesh_context_manager", True)
        try:
            with pytest.raises(RuntimeError, match="Mesh context manager is disabled"), mesh:
                pass
        finally:
            m.config.update("jax_disallow_mesh_context_manager", False)


def test_large_captured_constants_are_warned_of():
    for m in (jax, adjoint):
        large = np.ones(1000, np.float32)
        m.config.update("jax_captured_constants_warn_bytes", 4000)
        try:
            with pytest.warns(UserWarning, match="A large amount of constants were captured during lowering"):
                m.jit(lambda x: x + large).lower(large)
        finally:
            m.config.update("jax_captured_constants_warn_bytes", 2_000_000_000)


def test_the_logging_level_is_that_of_the_packages_logger():
    for m in (jax, adjoint):
        m.config.update("jax_logging_level", "ERROR")
        assert logging.getLogger(m.__name__).level == logging.ERROR
        m.config.update("jax_logging_level", "NOTSET")
        assert logging.getLogger(m.__name__).level == logging.NOTSET


def test_compilations_are_told():
    told = []
    for m in (jax, adjoint):
        seen = []
        m.monitoring.register_event_duration_secs_listener(lambda event, _, **kw: seen.append(event))
        m.monitoring.register_event_listener(lambda event, **kw: seen.append(event))
        m.jit(lambda x: x * 3 + 1).lower(2.0).compile()
        m.monitoring.clear_event_listeners()
        told.append(seen)
    assert set(told[1]) <= set(told[0]) and len(told[1]) == 4


@pytest.mark.parametrize("name", ["jax", "adjoint"])
def test_the_number_of_devices_cannot_be_set_after_an_operation(name):
    code = f"import {name} as m, {name}.numpy as n; n.sin(1.) + 1; m.config.update('jax_num_cpu_devices', 4)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "RuntimeError: jax_num_cpu_devices config should be updated before backends are initialized" in done.stderr


GUARDED = {
    "NumPy's array to a jitted function": lambda m, f, x, a: f(a),
    "a number to a jitted function": lambda m, f, x, a: f(1.0),
    "an array to a jitted function": lambda m, f, x, a: f(x),
    "NumPy's array to a compiled one": lambda m, f, x, a: f.lower(a).compile()(a),
    "array": lambda m, f, x, a: m.numpy.array(a),
    "array of a list": lambda m, f, x, a: m.numpy.array([1, 2]),
    "asarray of an array": lambda m, f, x, a: m.numpy.asarray(x),
    "asarray of a number": lambda m, f, x, a: m.numpy.asarray(2.0),
    "device_put": lambda m, f, x, a: m.device_put(a),
    "device_put of an array": lambda m, f, x, a: m.device_put(x),
    "device_get": lambda m, f, x, a: (m.device_get(x), x.sum().item(), np.asarray(x)),
    "constants of a program": lambda m, f, x, a: m.jit(lambda x: x + m.numpy.array([1.0, 2.0]) + a)(x),
    "library functions": lambda m, f, x, a: (m.numpy.mean(x), x @ x, m.numpy.sort(x)),
}


@compiling
@pytest.mark.parametrize("guard", [
    "transfer_guard", "transfer_guard_host_to_device", "transfer_guard_device_to_device",
    "transfer_guard_device_to_host",
])
@pytest.mark.parametrize("level", ["allow", "disallow", "disallow_explicit"])
def test_transfer_guards_refuse_what_would_be_copied(guard, level):
    def answers(m):
        found, f = [], m.jit(lambda x: x + 1)
        x, a = m.numpy.ones(2), np.ones(2, np.float32)
        for program in (*GUARDED.values(), *GUARDED.values()):
            try:
                with getattr(m, guard)(level):
                    program(m, f, x, a)
                found.append("fine")
            except m.errors.JaxRuntimeError as error:
                found.append(str(error).split("\n")[0])
        return found

    assert answers(adjoint) == answers(jax)


@compiling
def test_transfer_guards_can_log(caplog):
    with adjoint.transfer_guard("log"), caplog.at_level(logging.WARNING):
        adjoint.jit(lambda x: x)(np.ones(2, np.float32))
    assert "host-to-device transfer: aval=ShapedArray(float32[2])" in caplog.text
