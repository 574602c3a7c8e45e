"""Programs that were compiled before, here or in another process."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.modes import compiling, unchecked

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.core.primitive import Primitive
from adjoint.engines.native.graph.views import Node, View
from adjoint.engines.native.program import executable, program_keys, saved_programs, table
from adjoint.engines.native.program.program_keys import fingerprint
from adjoint.engines.native.runtime import objects

X = np.linspace(-1, 1, 24, dtype=np.float32).reshape(4, 6)
W = np.linspace(-2, 1, 36, dtype=np.float32).reshape(6, 6)


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch, native):
    """A folder for what is compiled."""
    monkeypatch.setenv("ADJOINT_CACHE_DIR", str(tmp_path))
    saved_programs._known.clear()


@pytest.fixture
def in_another_process(monkeypatch):
    """Call it to forget what is in memory, and to make any further compilation fail."""
    def fail(*_):
        raise AssertionError("compiled again")

    def start():
        saved_programs._known.clear()
        for module, name in ((program_keys, "_params"), (program_keys, "_types"), (program_keys, "_literals"),
                             (executable, "_modules"), (table, "_kernels")):
            monkeypatch.setattr(module, name, {})
        monkeypatch.setattr(table, "Graph", fail)

    return start


def step(params, x):
    """Values and derivatives, with a loop, an update, a sort, complex numbers and random numbers."""
    def loss(params):
        h = x
        for w in params:
            h = jnp.tanh(h @ w) + h
        total = lax.fori_loop(0, 3, lambda i, c: c * 0.5 + jnp.sin(c), h.sum())
        return total + jnp.sort(h[0])[2] + abs(h[1] + 1j * h[2]).sum()

    value, grads = ax.value_and_grad(loss)(params)
    noise = ax.random.normal(ax.random.key(3), x.shape)
    return value, [p - 0.1 * g for p, g in zip(params, grads)], noise.at[1].add(x[0]), x.T, jnp.arange(5), jnp.zeros(0)


def same(a, b):
    for x, y in zip(ax.tree.leaves(a), ax.tree.leaves(b), strict=True):
        np.testing.assert_array_equal(x, y)


@compiling
@unchecked
@pytest.mark.parametrize("donated", [(), (0,)])
def test_a_second_process_compiles_nothing(donated, in_another_process):
    def run():
        jitted, params, outs = ax.jit(lambda p, x: step(p, x), donate_argnums=donated), [jnp.array(W)] * 2, []
        for _ in range(4):  # also the calls that run no Python
            params = [jnp.array(W + i) for i in range(2)]
            outs.append(jitted(params, jnp.array(X)))
            assert bool(donated) == params[0].is_deleted()
        return outs

    first = run()
    in_another_process()
    same(first, run())


def test_the_table_of_a_recorded_program_is_that_of_the_program():
    texts = [ax.jit(lambda p, x: step(p, x)).lower([W], X).compile().as_text() for _ in range(2)]
    assert texts[0] == texts[1] and "scatter" in texts[0]


def test_records_that_cannot_be_read_are_made_again(tmp_path):
    closed = ax.make_jaxpr(lambda x: jnp.tanh(x) * 2)(X)
    name = fingerprint(closed, ())
    for content in (b"no record", b"", None):
        if content is None:
            (tmp_path / "native" / name).write_bytes(b"x" * 50)
        else:
            objects.store(name, content)
        assert saved_programs.load(name) is None
    saved_programs.store(name, table.Executable(closed).record())
    saved_programs._known.clear()
    assert saved_programs.load(name).modules


def record():
    return table.Executable(ax.make_jaxpr(lambda x: (jnp.tanh(x @ W).sum(0), jnp.sort(x + np.arange(6)), x[1]))(X))


def described(record):
    """All that a record says, in terms that can be compared."""
    def plain(x):
        if isinstance(x, np.ndarray):
            return x.dtype, x.shape, x.tolist()
        if isinstance(x, Node):
            return x.kind, x.shape, x.dtype, x.order, x.is_packed, plain(x.value)
        if isinstance(x, View):
            return plain(x.base), x.shape, x.offset, x.strides
        if isinstance(x, dict):
            return [(plain(k), plain(v)) for k, v in x.items()]
        return [plain(y) for y in x] if isinstance(x, (list, tuple)) else x

    return plain(tuple(record))


PROGRAMS = {
    "step": lambda x: step([W], x), "constants": lambda x: (x + np.arange(6), np.float32(2), x.astype("bfloat16")),
    "keys": lambda x: (ax.random.key(1), ax.random.split(ax.random.key(0), 3), x * 1j), "nothing": lambda x: (),
    "the same": lambda x: (x, x[1:], x.T, x[:0]), "loop": lambda x: lax.fori_loop(0, 9, lambda i, c: c * 2, x),
}


@pytest.mark.parametrize("f", PROGRAMS.values(), ids=PROGRAMS)
def test_a_record_is_the_same_after_it_was_bytes(f):
    made = table.Executable(ax.make_jaxpr(f)(X)).record()
    again = saved_programs.from_bytes(saved_programs.to_bytes(made))
    assert described(made) == described(again)


def changed(data: bytes, draw: random.Random) -> bytes:
    """Bytes with some changed, cut or from elsewhere, most of them among the numbers of a record."""
    at = [draw.randrange(len(data)), 16 + 8 * draw.randrange(60)][draw.random() < 0.7]
    number = draw.choice((0, 1, -1, 2, 7, 100, 1 << 31, -(1 << 63), (1 << 63) - 1)).to_bytes(8, "little", signed=True)
    other = draw.randrange(len(data))
    return draw.choice((
        data[:at] + number + data[at + 8 :], data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :],
        data[:at] + data[other:], data[:at], data + data[:at],
    ))


def test_bytes_that_are_no_record_are_refused_or_fit_together():
    draw, data = random.Random(1), saved_programs.to_bytes(record().record())
    refused = 0
    for _ in range(600):
        try:
            found = saved_programs.from_bytes(changed(data, draw))
        except ValueError:
            refused += 1
        else:
            assert type(found) is executable.Record
    assert refused > 400


@compiling
def test_programs_run_whatever_became_of_their_files(tmp_path, in_another_process, monkeypatch):
    graph, draw = table.Graph, random.Random(0)
    f = lambda x: (jnp.tanh(x @ W).sum(0), jnp.sort(x + np.arange(6, dtype="f")))
    for i in range(4):
        in_another_process()
        monkeypatch.setattr(table, "Graph", graph)
        if not i:
            wanted = ax.jit(f)(X)
            continue
        files = [path for path in (tmp_path / "native").iterdir() if path.stat().st_size]
        assert len(files) > 1
        contents = [path.read_bytes() for path in files]
        for path, content in zip(files, contents):
            path.write_bytes(draw.choice((content, changed(content, draw), draw.choice(contents))))
        same(wanted, ax.jit(lambda x: f(x))(X))


def test_what_needs_python_is_not_recorded():
    callback = lambda x: ax.pure_callback(np.sin, ax.ShapeDtypeStruct(x.shape, x.dtype), x)
    assert table.Executable(ax.make_jaxpr(lambda x: callback(x) + 1)(W)).record() is None


def test_an_operation_of_somebody_else_is_not_told_by_its_name():
    other = Primitive("sin")
    other.type(lambda x: x)
    assert fingerprint(ax.make_jaxpr(lambda x: other(x))(W), ()) is None


DIFFERENT = [
    lambda x, y: x + y, lambda x, y: y + x, lambda x, y: x - y, lambda x, y: x * 0.0, lambda x, y: x * -0.0,
    lambda x, y: x * 2, lambda x, y: x * 3, lambda x, y: x * np.float32(np.nan),
    lambda x, y: x * np.array([2, 3, 4.0]), lambda x, y: x * np.array([2, 3, 5.0]), lambda x, y: (x, y),
    lambda x, y: (y, x), lambda x, y: (x, x), lambda x, y: x.astype(int), lambda x, y: x.astype(bool),
    lambda x, y: x[::-1], lambda x, y: x[:2], lambda x, y: x[1:], lambda x, y: x.sum(),
    lambda x, y: x.sum(keepdims=True), lambda x, y: lax.integer_pow(x, 2), lambda x, y: lax.integer_pow(x, 3),
    lambda x, y: ax.jit(lambda a: a + y)(x), lambda x, y: ax.jit(lambda a: a - y)(x),
    lambda x, y: lax.fori_loop(0, 3, lambda i, c: c + y, x), lambda x, y: lax.fori_loop(0, 4, lambda i, c: c + y, x),
    lambda x, y: lax.cond(x[0] > 0, lambda: x, lambda: y), lambda x, y: lax.cond(x[0] > 0, lambda: y, lambda: x),
    lambda x, y: x + 1j, lambda x, y: x * (1 + 0j), lambda x, y: x * complex(1, -0.0), lambda x, y: 1.0,
    lambda x, y: 2.0,
]


@compiling
def test_keys_tell_programs_apart_and_nothing_else():
    args = np.ones(3, np.float32), np.ones(3, np.float32)
    keys = [fingerprint(ax.make_jaxpr(f)(*args), ()) for f in DIFFERENT]
    assert len(DIFFERENT) == len(set(keys)) and None not in keys
    assert keys == [fingerprint(ax.make_jaxpr(f)(*args), ()) for f in DIFFERENT]

    def named(x, y):
        z = x
        return z + y

    closed = ax.make_jaxpr(named)(*args)
    assert keys[0] == fingerprint(closed, ()) != fingerprint(closed, (0,))
    longer = ax.make_jaxpr(named)(np.ones(4, np.float32), np.ones(4, np.float32))
    assert keys[0] != fingerprint(longer, ())
    with ax.enable_x64(True):
        assert keys[0] != fingerprint(ax.make_jaxpr(named)(np.ones(3), np.ones(3)), ())
