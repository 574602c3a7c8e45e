"""Programs on the native engine: the same results as on the NumPy engine, in as few kernels as expected."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from tests.engines.agreement import assert_agrees, both, steps
from tests.streams import stream

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.engines.native.runtime import objects

RNG = stream()
X = RNG.normal(size=(5, 37)).astype(np.float32)
SQUARE = RNG.normal(size=(9, 9)).astype(np.float32)
LONG = RNG.normal(size=(3, 1100)).astype(np.float32)
KERNEL = ["kernel"]


def layer_norm(x):
    return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)


def loss(w, x):
    h = layer_norm(jnp.tanh(x @ w))
    return -(ax.nn.log_softmax(h) * h).mean()


PROGRAMS = {  # name: (function, arguments, steps, or None where the number of kernels is open)
    "element-wise": (lambda x: jnp.sin(x) * jnp.exp(-x) + jnp.log(abs(x)), (X,), KERNEL),
    "scalar": (lambda x: x[0, 0] + x[1, 2], (X,), KERNEL),
    "constant": (lambda x: (x, jnp.ones((2, 3)), 3.0), (X,), None),
    "the same result twice": (lambda x: (x + 1, x + 1, x), (X,), None),
    "iota": (lambda x: jnp.arange(37.0) * x + jnp.arange(5)[:, None], (X,), KERNEL),
    "transposed": (lambda x: (x.T + 1, x[::-1, ::-3] * 2), (X,), None),
    "reshaped": (lambda x: x.reshape(37, 5).T.reshape(-1) + 1, (X,), None),
    "broadcast": (lambda x: x[:, :1] * x[:1, :] + x[0, 0], (X,), KERNEL),
    "sums": (lambda x: (x.sum(), x.sum(0), x.sum(1), x.max(0), x.min(1), x.prod(1)), (X,), None),
    "sum of a middle axis": (lambda x: x.reshape(5, 37, 1, 1).sum((1, 2)) + x.reshape(1, 37, 5).sum(1), (X,), None),
    "long sums": (lambda x: (x.sum(1), (x * x).sum(), x.max()), (LONG,), None),
    "one pass for many sums": (lambda x: (x.sum(), x.max(), x.sum(1), jnp.sin(x)), (np.repeat(LONG, 2, 0),), KERNEL),
    "logical": (lambda x: ((x > 0).all(1), (x > 2).any(), (x > 0).sum()), (X,), None),
    "softmax": (ax.nn.softmax, (X,), KERNEL),
    "softmax of columns": (lambda x: ax.nn.softmax(x, axis=0), (X,), None),
    "long softmax": (ax.nn.softmax, (LONG,), KERNEL),
    "layer norm": (layer_norm, (X,), KERNEL),
    "gradient": (ax.grad(loss), (SQUARE, X[:, :9]), None),
    "equal axes": (lambda x: x / x.sum(0) + x.sum(1, keepdims=True), (SQUARE,), None),
    "concatenated": (lambda x: jnp.concatenate([x, x[:2] * 2, x[:1]], 0), (X,), None),
    "narrow rows with one element too many": (
        lambda x: [jnp.concatenate([x, x], 1).astype(d) for d in (jnp.bfloat16, jnp.int8, jnp.float16, bool)],
        (np.round(LONG[:, :33] * 9),), None,
    ),
    "flags with one too many": (
        lambda x: ((x > 1).all(1), (x > 1).any(1), (x > 1).min(), (x > 9).sum()), (X[:, :33],), None,
    ),
    "padded": (lambda x: lax.pad(x, np.float32(2), [(1, -2, 0), (-3, 4, 0)]), (X,), None),
    "bfloat16": (lambda x: (x.astype(jnp.bfloat16) * 3 + 1).sum(1), (X,), KERNEL),
    "float16": (lambda x: jnp.exp(x.astype(jnp.float16)), (X,), KERNEL),
    "integers": (lambda x: (x * 100).astype(jnp.int32) // 7 % 5, (X,), KERNEL),
    "int8": (lambda x: (x * 30).astype(jnp.int8) * jnp.int8(9) + jnp.int8(100), (X,), KERNEL),
    "divided by zero": (lambda x: lax.div((x * 0).astype(jnp.int32), jnp.arange(37)[None] - 5), (X,), None),
    "shifts": (lambda x: (x.astype(jnp.int32) << jnp.arange(37), x.astype(jnp.uint32) >> 40), (X,), None),
    "complex": (lambda x: abs(jnp.exp(x * 1j)), (X,), None),
    "zero sizes": (lambda x: (x[:0].sum(0), x[:, :0].max(1, initial=1.0), x[:0] * 2), (X,), None),
    "random bits": (lambda x: ax.random.bits(ax.random.key(3), (7,)), (X,), None),
    "sorted": (lambda x: jnp.sort(x + 1, 1) * 2, (X,), ["kernel", "sort", "kernel"]),
    "called": (lambda x: ax.jit(ax.checkpoint(jnp.sin))(x) + ax.nn.relu(x), (X,), KERNEL),
    "gradient of a checkpoint": (ax.grad(lambda x: ax.checkpoint(lambda y: jnp.sin(jnp.sin(y)))(x).sum()), (X,), None),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_gives_what_numpy_gives(name):
    function, args, expected = PROGRAMS[name]
    compiled = assert_agrees(function, *args)
    if expected:
        assert steps(compiled) == expected


def test_float64_and_int64():
    with ax.enable_x64(True):
        x = X.astype(np.float64)
        assert_agrees(lambda x: (layer_norm(x), jnp.sin(x) + jnp.log1p(abs(x)), x.astype(jnp.int64) % 3), x)


def test_equal_layers_share_their_kernels():
    def deep(x):
        for _ in range(8):
            x = jnp.tanh(x @ SQUARE) + x
        return x

    compiled = assert_agrees(deep, SQUARE)
    kernels = [compiled.native[i][0] for i in compiled.native]
    assert (16, 2) == (len(kernels), len(set(kernels)))  # products, and what is fused after them


def test_arguments_may_be_strided():
    closed = ax.make_jaxpr(lambda x: x * 2 + 1)(X.T)
    native, expected, _ = both(closed, [X.T])
    np.testing.assert_array_equal(expected[0], native[0])


def test_results_own_their_memory():
    closed = ax.make_jaxpr(lambda x: (x.T, x.reshape(-1), x * 2))(X)
    compiled = both(closed, [X])[2]
    first, second = compiled(X), compiled(X)
    for a, b in zip(first, second):
        assert not np.shares_memory(a, X) and not np.shares_memory(a, b)


def test_calls_from_several_threads():
    x = RNG.normal(size=(64, 64)).astype(np.float32)
    closed = ax.make_jaxpr(lambda x: ax.nn.softmax(jnp.sin(x) @ x) @ x)(x)
    compiled = both(closed, [x])[2]
    expected = compiled(x)[0]
    wrong = []

    def call():
        wrong.extend([i for i in range(50) if not np.array_equal(compiled(x)[0], expected)])

    threads = [threading.Thread(target=call) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert wrong == []


@contextmanager
def on_native():
    """The engine by its option, whatever the tests run on."""
    before = ax.config.cpu_engine
    ax.config.update("cpu_engine", "native")
    try:
        yield
    finally:
        ax.config.update("cpu_engine", before)


def test_the_option_chooses_the_engine():
    from adjoint.engines import compiled
    from adjoint.engines.native.program.table import Executable

    closed = ax.make_jaxpr(lambda x: x + 1)(X)
    with on_native():
        assert type(compiled(closed)) is Executable
        np.testing.assert_array_equal(X + 1, ax.jit(lambda x: x + 1)(X))


def test_each_program_that_cannot_be_compiled_warns_and_runs(monkeypatch):
    from adjoint.engines.native import engine

    def fail(*_):
        raise RuntimeError("no such instruction")

    monkeypatch.setenv("ADJOINT_CACHE_DIR", "off")      # where the program may be
    monkeypatch.setattr(engine, "_compiled", fail)
    for i in range(2):
        closed = ax.make_jaxpr(lambda x, i=i: x + i)(X)
        with pytest.warns(UserWarning, match="no such instruction") as caught:
            for _ in range(2):
                np.testing.assert_array_equal(X + i, engine.executable(closed)(X)[0])
        assert len(caught) == 1


def test_unknown_symbols_are_refused(capfd):
    from adjoint.engines.native.runtime.machine import compile_text

    text = "declare double @tgammaq(double)\ndefine double @f(double %x) {\n  %y = call double @tgammaq(double %x)\n"
    with pytest.raises(RuntimeError):
        compile_text(text + "  ret double %y\n}\n", ["f"])
    capfd.readouterr()


def test_objects_are_kept_and_damaged_ones_replaced(tmp_path, monkeypatch):
    monkeypatch.setenv("ADJOINT_CACHE_DIR", str(tmp_path))
    key = objects.key("a", "b")
    assert objects.load(key) is None
    objects.store(key, b"code")
    assert objects.load(key) == b"code"
    Path(objects.folder(), key).write_bytes(b"x" * 40)
    assert objects.load(key) is None
    objects.store(key, b"code")
    assert objects.load(key) == b"code"
    monkeypatch.setenv("ADJOINT_CACHE_DIR", "off")
    assert objects.load(key) is None


def test_the_table_of_steps_says_what_runs_and_from_which_line():
    with on_native():
        compiled = ax.jit(lambda x: jnp.sum(jnp.tanh(x @ x), axis=0)).lower(SQUARE).compile()
    lines = compiled.as_text().splitlines()
    assert lines[0].split() == ["step", "what", "over", "operations", "bytes", "where"]
    assert lines[1].split()[1:3] == ["product", "x".join(map(str, SQUARE.shape))]
    assert "kernel: tanh" in lines[2] and "test_engine.py:" in lines[2]
    assert compiled.memory_analysis().temp_size_in_bytes >= SQUARE.nbytes
    assert ax.jit(jnp.sin).lower(1.0).as_text("native").startswith("step")
