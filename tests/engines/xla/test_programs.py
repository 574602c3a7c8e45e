"""Compiled programs of the XLA engine: kept on disk, serialized, analysed, donated, dispatched without waiting."""

from __future__ import annotations

import os
import pickle
import random
from typing import ClassVar

import numpy as np
import pytest
from tests.modes import compiling, unchecked
from tests.recorded import jax

import adjoint as ax
import adjoint.numpy as jnp
from adjoint.array.array import Pending
from adjoint.core.options.config import config
from adjoint.engines.xla import runtime
from adjoint.experimental import serialize_executable
from adjoint.experimental.compilation_cache import compilation_cache

x = np.arange(12, dtype=np.float32).reshape(3, 4)


@pytest.fixture(autouse=True)
def xla():
    before = config.cpu_engine
    config.update("cpu_engine", "xla")
    yield
    config.update("cpu_engine", before)


def f(x):
    return {"out": jnp.sin(x) @ x.T, "sum": x.sum()}


def close(want, got):
    for a, b in zip(jax.tree.leaves(want), ax.tree.leaves(got), strict=True):
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-5)


# ---- on disk -------------------------------------------------------------------------------------


@compiling
@unchecked
def test_programs_are_kept_and_damaged_ones_replaced(tmp_path, monkeypatch):
    compilation_cache.set_cache_dir(tmp_path)
    compiles = []
    rt = runtime.runtime()

    class Client:
        def __getattr__(self, name):
            return getattr(rt_client, name)

        def compile_and_load(self, *args):
            compiles.append(1)
            return rt_client.compile_and_load(*args)

    rt_client = rt.client
    monkeypatch.setattr(rt, "client", Client())
    try:
        want = jax.jit(lambda x: jax.numpy.sin(x) * 3 + x)(x)
        for step in ("compiled", "read", "damaged", "read again", "another option"):
            fun = lambda x: jnp.sin(x) * 3 + x
            options = {"xla_cpu_enable_fast_min_max": True} if step == "another option" else None
            close(want, ax.jit(fun, compiler_options=options)(x))
            (kept, *_) = files = sorted(p for p in (tmp_path / "xla").iterdir())
            assert len(files) == (2 if step == "another option" else 1)
            if step == "read":
                assert len(compiles) == 1
                kept.write_bytes(kept.read_bytes()[:-7])
        assert len(compiles) == 3
        config.update("jax_enable_compilation_cache", False)
        ax.jit(lambda x: jnp.cos(x) - 3)(x)
        assert len(list((tmp_path / "xla").iterdir())) == 2
    finally:
        config.update("jax_enable_compilation_cache", True)
        compilation_cache.reset_cache()
    assert config.jax_compilation_cache_dir is None


# ---- as bytes ------------------------------------------------------------------------------------


@compiling
def test_a_program_read_from_the_disk_survives_as_bytes(tmp_path):
    compilation_cache.set_cache_dir(tmp_path)
    try:
        for _ in range(2):
            compiled = ax.jit(lambda x: f(x)).lower(x).compile()
            close(compiled(x), serialize_executable.deserialize_and_load(*serialize_executable.serialize(compiled))(x))
    finally:
        compilation_cache.reset_cache()


@compiling
@pytest.mark.parametrize("engine", ["xla", "numpy"])
def test_a_compiled_program_survives_as_bytes(engine):
    config.update("cpu_engine", engine)
    offset = jnp.ones(4)
    program = lambda a, b=0.0: f(a["k"] + offset + b + np.float32(2) * np.arange(4, dtype=np.float32))
    compiled = ax.jit(program).lower({"k": x}, b=1.0).compile()
    payload, ins, outs = serialize_executable.serialize(compiled)
    again = serialize_executable.deserialize_and_load(payload, ins, outs)
    close(compiled({"k": x}, b=1.0), again({"k": x}, b=1.0))
    close(compiled({"k": x}, b=1.0), serialize_executable.deserialize_and_load(
        *serialize_executable.serialize(again))({"k": x}, b=1.0))
    assert again.in_tree == compiled.in_tree
    with pytest.raises(TypeError, match="compiled"):
        again({"k": x[0]}, b=1.0)


def test_bytes_that_are_no_program_are_refused():
    tree = ax.tree.structure(0)
    for wrong in (b"", pickle.dumps(3)):
        with pytest.raises(ValueError, match="no compiled program"):
            serialize_executable.deserialize_and_load(wrong, tree, tree)
    calls_back = ax.jit(lambda x: ax.pure_callback(np.sin, ax.ShapeDtypeStruct((), "float32"), x))
    with pytest.raises(ValueError, match="calls back to Python"):
        serialize_executable.serialize(calls_back.lower(1.0).compile())


# ---- what they are -------------------------------------------------------------------------------


def test_programs_are_analysed_as_in_jax():
    ours, theirs = (m.jit(g).lower(x).compile() for m, g in (
        (ax, lambda x: jnp.sin(x) @ x.T), (jax, lambda x: jax.numpy.sin(x) @ x.T)))
    assert theirs.cost_analysis()["flops"] == ours.cost_analysis()["flops"]
    a, b = theirs.memory_analysis(), ours.memory_analysis()
    assert (a.argument_size_in_bytes, a.output_size_in_bytes) == (b.argument_size_in_bytes, b.output_size_in_bytes)
    assert ours.as_text().startswith("HloModule jit__lambda") and ours.runtime_executable() is not None
    lowered = ax.jit(f).lower(x)
    assert "HloModule jit_f" in lowered.as_text("hlo") and lowered.compiler_ir("hlo").as_hlo_text()
    assert f'"jit(f)/sin"("{os.path.relpath(__file__)}":' in lowered.as_text(debug_info=True).replace(
        os.getcwd() + os.sep, "")
    assert " loc(" not in lowered.as_text()
    runtime.load(lowered.as_text(debug_info=True))


WRONG = {
    "unknown": lambda m: m.jit(lambda x: x + 1, compiler_options={"nope": 1})(x),
    "value": lambda m: m.jit(lambda x: x + 1).lower(x).compile(
        compiler_options={"xla_cpu_enable_fast_math": "zz"}),
    "nested": lambda m: m.jit(lambda x: m.jit(lambda x: x + 1, compiler_options={"a": 1})(x))(x),
}


@compiling
@pytest.mark.parametrize("name", WRONG)
def test_options_of_the_compiler_are_refused_as_in_jax(name):
    errors = []
    for module in (jax, ax):
        with pytest.raises(Exception) as caught:
            WRONG[name](module)
        errors.append(caught.value)
    assert type(errors[0]).__name__ == type(errors[1]).__name__
    assert str(errors[0])[:80] == str(errors[1])[:80]


# ---- calls ---------------------------------------------------------------------------------------


@compiling
@unchecked
def test_calls_return_before_they_are_done_and_errors_are_raised_by_the_reader():
    double = ax.jit(lambda x: x * 2)
    y = double(double(x))
    assert type(y) is Pending and y.shape == (3, 4)
    assert (4 * x).tolist() == y.tolist() and type(y) is not Pending and y.is_ready()

    def refuse(_):
        raise KeyError("no")

    fails = ax.jit(lambda x: ax.pure_callback(refuse, ax.ShapeDtypeStruct((), "float32"), (x @ x.T).sum()))
    with pytest.raises(ax.errors.JaxRuntimeError, match="CpuCallback") as caught:
        fails(x).block_until_ready()
    assert isinstance(caught.value.__cause__, KeyError)


@compiling
@unchecked
@pytest.mark.parametrize("use", [
    lambda y: y + 1, lambda y: jnp.where(y > 0, y, 0), lambda y: y[1:, ::2], lambda y: np.asarray(y),
    lambda y: ax.grad(lambda v: (v * y).sum())(y), lambda y: ax.vmap(jnp.sin)(y),
    lambda y: pickle.loads(pickle.dumps(y)),
    lambda y: ax.lax.scan(lambda c, r: (c + r, r), y[0], y)[1], lambda y: ax.device_put(y), lambda y: y.at[0].set(3),
    lambda y: ax.jit(lambda a: a + y)(1), lambda y: jnp.stack([y, y]), lambda y: ax.device_get(y), lambda y: y.copy(),
    lambda y: [y.devices() and 0, y.sharding.num_devices], lambda y: jnp.sort(y, 0), lambda y: jnp.array(y),
])
def test_results_that_are_not_read_yet_are_arrays_like_others(use):
    y = ax.jit(lambda x: x * 2 - 5)(x)
    assert type(y) is Pending
    close(use(jnp.asarray(x * 2 - 5)), use(y))


@compiling
@unchecked
def test_donated_memory_is_the_results():
    y = ax.jit(lambda x: x * 2)(jnp.ones(1 << 16))
    at = y._result.unsafe_buffer_pointer()
    z = ax.jit(lambda a: a + 1, donate_argnums=0)(y)
    assert at == z._result.unsafe_buffer_pointer() and y.is_deleted()
    with pytest.raises(RuntimeError, match="donated"):
        y + 1
    y = ax.jit(lambda x: x * 2)(x)
    seen = np.asarray(y)  # a view keeps its values
    ax.jit(lambda a: a + 1, donate_argnums=0)(y)
    assert (2 * x).tolist() == seen.tolist()


def test_effects_in_loops_and_branches_keep_their_order(capsys):
    def program(x):
        def body(c):
            ax.debug.print("body {}", c, ordered=True)
            return ax.lax.cond(c > 1, lambda c: (ax.debug.print("late", ordered=True), c + 1)[1], lambda c: c + 1, c)

        def condition(c):
            ax.debug.print("ask {}", c, ordered=True)
            return c < 3

        return ax.lax.while_loop(condition, body, x)

    assert ax.jit(program)(1) == 3
    ax.effects_barrier()
    assert "ask 1\nbody 1\nask 2\nbody 2\nlate\nask 3\n" == capsys.readouterr().out


class Harmful:
    """Calls a function if it is unpickled."""

    ran: ClassVar[list] = []

    def __reduce__(self):
        return Harmful.ran.append, (1,)


@compiling
def test_reading_a_serialized_program_runs_nothing():
    f = ax.jit(lambda x: x + jnp.arange(3, dtype=jnp.bfloat16).sum().astype(jnp.float32) + jnp.ones((2, 3)))
    compiled = f.lower(jnp.ones(3)).compile()
    payload, ins, outs = serialize_executable.serialize(compiled)
    draw = random.Random(0)
    flipped = [(draw.randrange(len(payload)), 1 << draw.randrange(8)) for _ in range(50)]
    for data in (
        pickle.dumps(dict(form="adjoint executable 1", consts=[Harmful()])), pickle.dumps(Harmful()), payload[:-1],
        payload[:40], payload + b"x", payload[:21] + bytes(8) + payload[29:], b"", "text", payload[:21] + bytes(99),
        *[payload[:at] + bytes([payload[at] ^ bit]) + payload[at + 1 :] for at, bit in flipped],
        *[payload[:at] + payload[draw.randrange(len(payload)) :] for at, _ in flipped],
    ):
        with pytest.raises(ValueError, match="no compiled program"):
            serialize_executable.deserialize_and_load(data, ins, outs)
    assert not Harmful.ran
    close(compiled(jnp.ones(3)), serialize_executable.deserialize_and_load(payload, ins, outs)(jnp.ones(3)))


COMPLEX = np.array([1 + 2j, 1 - 3j, 1 + 5j, -2 + 9j], np.complex64)
EXTREMES = {
    "of all": lambda m: m.numpy.max, "smallest": lambda m: m.numpy.min,
    "rows": lambda m: lambda x: m.numpy.max(x.reshape(2, 2), axis=1),
    "windows": lambda m: lambda x: m.lax.reduce_window(x, np.complex64(-9), m.lax.max, (2,), (1,), "VALID"),
    "updates": lambda m: lambda x: m.numpy.asarray(x).at[np.array([0, 0, 1])].max(x[1:]),
    "segments": lambda m: lambda x: m.ops.segment_max(x, np.array([0, 0, 1, 1]), 2),
    "so far": lambda m: m.lax.cummin,
    "in a loop": lambda m: lambda x: m.lax.scan(lambda c, _: (c, m.numpy.max(c)), x, None, 2)[1],
}


@pytest.mark.parametrize("name", EXTREMES)
def test_complex_extremes_go_by_real_and_then_by_imaginary_parts(name):
    theirs, ours = [np.asarray(m.jit(EXTREMES[name](m))(COMPLEX)) for m in (jax, ax)]
    np.testing.assert_array_equal(ours, theirs)


def test_what_has_no_derivative_is_given_to_programs_and_by_them():
    i, x = np.arange(3), np.ones(3, np.float32)
    none, found = ax.jit(lambda i, x: ax.vjp(lambda i, x: x * i, i, x)[1](x))(i, x)
    assert none.dtype == ax.float0 and none.shape == (3,) and found.tolist() == [0.0, 1.0, 2.0]
    assert ax.jit(lambda z, x: x + z.size)(np.zeros(3, ax.float0), 1.0) == 4


@pytest.mark.parametrize("name", "gammaln gammainc gammaincc betainc betaln erfcinv expn factorial".split())
def test_special_functions_of_pythons_numbers_in_64_bits(name):
    f = getattr(ax.scipy.special, name)
    values = {"expn": (2, 0.7), "betainc": (1.4, 2.3, 0.3), "erfcinv": (0.3,)}.get(name, (1.4, 2.3))
    values = values[:1] if name in ("gammaln", "factorial") else values
    with ax.enable_x64(True):
        np.testing.assert_allclose(ax.jit(f)(*values), ax.jit(f)(*map(np.float64, values)), rtol=1e-12)
