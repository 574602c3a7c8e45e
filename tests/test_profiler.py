"""`adjoint.profiler`: files of traces, annotations in them, the server, memory; errors as JAX's."""

from __future__ import annotations

import gzip
import inspect
import json
import sys
from glob import glob

import numpy as np
import pytest
from tests.recorded import jax

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import profiler
from adjoint.experimental.profiler import get_profiled_instructions_proto

pytest.importorskip("jaxlib")


def test_a_trace_has_files_for_tensorboard_and_perfetto_with_the_annotations(tmp_path):
    options = profiler.ProfileOptions()
    options.python_tracer_level = 0  # else an event for each Python call
    with profiler.trace(tmp_path, create_perfetto_trace=True, profiler_options=options):
        assert profiler.TraceAnnotation.is_enabled()
        with profiler.TraceAnnotation("my label", k=1), profiler.StepTraceAnnotation("train", step_num=3):
            profiler.annotate_function(jnp.sin, name="my function")(jnp.ones(3)).block_until_ready()
    assert not profiler.TraceAnnotation.is_enabled()
    (plane,) = glob(f"{tmp_path}/plugins/profile/*/*.xplane.pb")
    assert "/host:CPU" in [p.name for p in profiler.ProfileData.from_file(plane).planes]
    (path,) = glob(f"{tmp_path}/plugins/profile/*/perfetto_trace.json.gz")
    with gzip.open(path) as file:
        names = {e.get("name") for e in json.load(file)["traceEvents"]}
    assert {"my label", "my function"} <= names and any("train" in str(n) for n in names)
    assert b"" == get_profiled_instructions_proto(str(tmp_path))


def test_a_trace_that_cannot_be_written_is_not_begun():
    with pytest.raises(TypeError):
        profiler.start_trace(3)
    with pytest.raises(RuntimeError, match="No profile started"):
        profiler.stop_trace()


def twice(m, path):
    m.profiler.start_trace(path)
    try:
        m.profiler.start_trace(path)
    finally:
        m.profiler.stop_trace()


WRONG = {
    "no trace": lambda m, path: m.profiler.stop_trace(),
    "no server": lambda m, path: m.profiler.stop_server(),
    "two traces": twice,
}


@pytest.mark.parametrize("name", WRONG)
def test_mistakes_raise_as_in_jax(name, tmp_path):
    errors = []
    for module in (jax, ax):
        with pytest.raises(Exception) as caught:
            WRONG[name](module, str(tmp_path))
        errors.append(caught.value)
    assert type(errors[0]) is type(errors[1])
    assert str(errors[0]).splitlines()[0] == str(errors[1]).splitlines()[0]


def test_names_and_signatures_are_those_of_jax():
    public = [n for n in dir(jax.profiler) if not n.startswith("_")]
    assert sorted(public) == sorted(profiler.__all__)
    for name in public:
        theirs = getattr(jax.profiler, name)
        if inspect.isfunction(theirs):
            ours = inspect.signature(getattr(profiler, name))
            assert list(inspect.signature(theirs).parameters) == list(ours.parameters), name


def test_memory_is_profiled(tmp_path):
    profiler.save_device_memory_profile(tmp_path / "memory")
    assert gzip.decompress((tmp_path / "memory").read_bytes())
    with pytest.raises(RuntimeError, match="Unknown backend: 'tpu'"):
        profiler.device_memory_profile("tpu")


def test_without_jaxlib_annotations_do_nothing_and_traces_say_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "jaxlib._profiler", None)
    with profiler.TraceAnnotation("label", k=1), profiler.StepTraceAnnotation("train", step_num=1):
        assert 1.0 == profiler.annotate_function(np.cos)(0)
    assert not profiler.TraceAnnotation.is_enabled()
    for call in (lambda: profiler.start_trace(tmp_path), lambda: profiler.start_server(1),
                 lambda: profiler.ProfileOptions, lambda: profiler.register_subprocess(1, 2)):
        with pytest.raises(ImportError, match=r"pip install 'adjoint\[xla\]'"):
            call()
