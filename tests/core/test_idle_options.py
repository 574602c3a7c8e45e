"""Options do what they say, or say that they are without effect, and why."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
from pathlib import Path

import jax
import numpy as np
import pytest

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
    assert {n for n in IDLE if re.search(rf"\blocal\.{n.removeprefix('jax_')}\b", _code())} == set()
    assert "Accepted, without effect here: It tunes XLA" in config.state("jax_optimization_level").__doc__


def _code():
    return "\n".join(p.read_text() for p in SOURCES.rglob("*.py"))


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
                m.jit(lambda x: x + large)(large)
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
        m.jit(lambda x: x * 3 + 1)(2.0)
        m.monitoring.clear_event_listeners()
        told.append(seen)
    assert set(told[1]) <= set(told[0]) and len(told[1]) == 4


@pytest.mark.parametrize("name", ["jax", "adjoint"])
def test_the_number_of_devices_cannot_be_set_after_an_operation(name):
    code = f"import {name} as m, {name}.numpy as n; n.sin(1.) + 1; m.config.update('jax_num_cpu_devices', 4)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "RuntimeError: jax_num_cpu_devices config should be updated before backends are initialized" in done.stderr
