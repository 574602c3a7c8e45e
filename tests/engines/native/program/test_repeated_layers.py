"""Programs of repeated layers, whose steps are copies of those of a few layers."""

from __future__ import annotations

import numpy as np
import pytest
from tests.engines.agreement import both
from tests.modes import compiling, unchecked
from tests.streams import stream

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.engines.native.program import saved_programs, table
from adjoint.engines.native.program.repeated_layers import repeated
from adjoint.engines.native.program.table import Executable

N = 14
RNG = stream()
X = RNG.standard_normal((8, 16), np.float32)
W = list(RNG.standard_normal((N, 16, 16), np.float32) / 4)
BLOCKS = [dict(zip("qkvoab", RNG.standard_normal((6, 16, 16), np.float32) / 4)) for _ in range(N)]

pytestmark = pytest.mark.usefixtures("native")


def mlp(ws, x):
    for w in ws:
        x = jnp.tanh(x @ w) + x * ax.nn.sigmoid(x)
    return x


def loss(ws, x):
    return (mlp(ws, x) ** 2).sum()


def adam(ws, m, x):
    value, grads = ax.value_and_grad(loss)(ws, x)
    m = [0.9 * a + 0.1 * g for a, g in zip(m, grads)]
    return value, [w - 0.01 * a / (jnp.sqrt(abs(a)) + 1e-8) for w, a in zip(ws, m)], m


def transformer(blocks, x):
    for p in blocks:
        q, k, v = x @ p["q"], x @ p["k"], x @ p["v"]
        mask = jnp.tril(jnp.ones((8, 8), bool))
        x = x + ax.nn.softmax(jnp.where(mask, q @ k.T, -1e9)) @ v @ p["o"]
        x = (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)
        x = x + ax.nn.relu(x @ p["a"]) @ p["b"]
    return (x**2).mean()


def recurrent(w, u, xs):
    h = jnp.zeros((8, 16))
    for i in range(N):
        h = jnp.tanh(h @ w + xs[i] @ u)
    return (h**2).sum()


def rk4(y, h):
    slope = lambda y: jnp.stack([y[1], -jnp.sin(y[0]) - 0.1 * y[1]])
    for _ in range(2 * N):
        a = slope(y)
        b = slope(y + h / 2 * a)
        c = slope(y + h / 2 * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + slope(y + h * c))
    return y


def dropout(ws, x):
    key = ax.random.key(0)
    for w in ws:
        key, own = ax.random.split(key)
        x = jnp.tanh(x @ w) * ax.random.bernoulli(own, 0.5, x.shape)
    return x.sum()


def loops(ws, x):
    for w in ws:
        x = lax.scan(lambda c, _: (jnp.tanh(c @ w) + c * 0.5, None), x, None, length=3)[0] + jnp.sin(x) * jnp.cos(x)
    return x


def alternating(ws, x):
    for i, w in enumerate(ws):
        x = jnp.tanh(x @ w) + x * ax.nn.sigmoid(x) if i % 2 else jnp.sin(x @ w) - jnp.cos(x) * jnp.exp(-x * x)
    return x.sum()


def branches(ws, vs, x):
    y = x
    for w in ws:
        x = jnp.tanh(x @ w) + x * ax.nn.sigmoid(x) + jnp.sin(x)
    for v in vs:
        y = jnp.sin(y @ v) - jnp.cos(y) * jnp.exp(-y * y)
    return (x * y).sum()


def remat(ws, x):
    layer = ax.checkpoint(lambda w, x: jnp.tanh(x @ w) + x * ax.nn.sigmoid(x))
    for w in ws:
        x = layer(w, x)
    return x.sum()


def whole(xs, y):
    for x in xs:
        y = jnp.sort(((y * 3 + x) % 97) ^ 5)
        y = y + jnp.cumsum(y) % 7
    return y


def both_ways(ws, x):
    return ax.jvp(ax.grad(lambda w: loss(w, x)), (ws,), (ws,))


INTEGERS = [np.arange(20, dtype=np.int32) * i for i in range(N)]
STATE = np.array([1.0, 0.5], np.float32), np.float32(0.01)
FOLLOWS = [  # functions and arguments whose steps follow the layers
    (ax.value_and_grad(loss, (0, 1)), W, X), (adam, W, W, X), (transformer, BLOCKS, X), (alternating, W * 2, X),
    (ax.value_and_grad(transformer), BLOCKS, X), (ax.vmap(transformer, (None, 0)), BLOCKS, np.stack([X, X + 1])),
    (ax.value_and_grad(dropout), W, X), (loops, W, X),
    (ax.value_and_grad(alternating), W * 2, X),
    (ax.grad(branches, (0, 1)), W, W, X), (ax.grad(remat), W, X), (whole, INTEGERS, INTEGERS[1]), (both_ways, W, X),
]


# What looks like layers, but is more.


def tied(ws, x):
    for i in range(2 * N):
        w = ws[i % 2] if i < 6 else ws[i // 2]
        x = jnp.tanh(x @ (w / jnp.sqrt((w * w).sum()))) + jnp.sin(x) * ax.nn.sigmoid(x)
    return x


def summed(ws, x):
    total = 0.0
    for w in ws:
        x = jnp.tanh(x @ w) + x
        total = total + (x * x).sum() * jnp.exp(-abs(x).max())
    return total


def gathered(ws, x):
    seen = []
    for w in ws:
        x = jnp.tanh(x @ w) + x * ax.nn.sigmoid(x)
        seen.append(x)
    return sum([(a * a).sum() for a in seen]), seen[::2]


def decayed(ws, x):
    total = sum([(w * w).sum() for w in ws])
    for w in ws:
        x = jnp.tanh(x @ w) / (w * w).sum() + jnp.sin(x) * ax.nn.sigmoid(x)
    return (x * x).sum() + total


def first_read_by_all(ws, x):
    first = None
    for w in ws:
        y = jnp.tanh(x @ w)
        first = y if first is None else first
        x = y + first * jnp.sin(x) + ax.nn.sigmoid(x) - jnp.exp(-x * x)
    return x.sum()


def of_other_shapes(ws, x):
    for i, w in enumerate(ws):
        b = w[:1] if i != 6 else w[:8]
        x = jnp.sin(x) * jnp.tanh(x @ w) - jnp.exp(-x * x)
        x = lax.mul(x, b) + ax.nn.sigmoid(x)
    return x


def with_rows(ws, bs, x):
    for w, b in zip(ws, bs):
        x = lax.mul(jnp.sin(x) * jnp.tanh(x @ w) - jnp.exp(-x * x), b) + ax.nn.sigmoid(x)
    return x


def skipping(ws, x):
    old = x
    for w in ws:
        x, old = jnp.tanh(x @ w) * 2 + jnp.sin(old) - ax.nn.sigmoid(x), x
    return x.sum()


MORE = [
    (ax.jacfwd(rk4), *STATE),  # passes over components reach from layer to layer
    (of_other_shapes, W, X), (with_rows, W, [X[:1] if i != 6 else X + 1 for i in range(N)], X),
    (ax.value_and_grad(recurrent, (0, 1, 2)), W[0], W[1], np.stack([X] * N)),
    (tied, W, X), (summed, W, X), (ax.value_and_grad(summed), W, X), (gathered, W, X), (decayed, W, X),
    (ax.value_and_grad(decayed), W, X), (first_read_by_all, W, X), (ax.grad(first_read_by_all), W, X), (skipping, W, X),
    (ax.grad(skipping), W, X), (lambda ws, x: loss(ws, x) + sum([(w * w).sum() for w in ws]), W, X),
    (lambda ws, x: ax.hessian(lambda x: loss(ws, x))(x[0]), W, X),
]


@pytest.mark.parametrize("case", [*FOLLOWS, *MORE], ids=range(len(FOLLOWS) + len(MORE)))
def test_copied_steps_compute_the_same_bits(case, monkeypatch):
    function, *args = case
    closed, leaves = ax.make_jaxpr(function)(*args), ax.tree.leaves(args)
    copied = both(closed, leaves)[0]
    made, found = Executable(closed), Executable(closed)._expanded(closed)
    assert case in MORE or found is not None and len(found.units) == len(made.native)
    monkeypatch.setattr(table, "repeated", lambda closed: None)
    for a, b in zip(copied, Executable(closed)(*leaves), strict=True):
        np.testing.assert_array_equal(b, a)


# Steps of which one kernel does several: such layers are compiled in blocks.


def wave(x):
    return x - 0.01 * jnp.sin(x) * jnp.cos(x)


def mean(x):
    return x - 0.01 * (jnp.sin(x) + x.mean())


def normalized(x):
    return x - 0.01 * (x - x.mean()) / jnp.sqrt(x.var() + 1e-3)


def sums(x):
    return x * 0.99 + 1e-5 * (x.sum() + jnp.cos(x).sum() * x.max())


@pytest.mark.parametrize(
    ("step", "size", "count"),
    [(wave, 100, 61), (wave, 3, 320), (mean, 100, 60), (mean, 700, 61), (normalized, 100, 61), (sums, 100, 61)],
)
@pytest.mark.parametrize("differentiate", [False, True])
def test_blocks_of_layers_compute_what_the_layers_do(step, size, count, differentiate, monkeypatch):
    def walk(x):
        for _ in range(count):
            x = step(x)
        return x

    x = RNG.standard_normal(size, np.float32)
    closed = ax.make_jaxpr(ax.grad(lambda x: walk(x).sum()) if differentiate else walk)(x)
    found = Executable(closed)._expanded(closed)
    assert found is not None and found.whole.block > 1
    assert len(found.whole.few.eqns) < 0.8 * len(closed.eqns)
    copied = both(closed, [x])[0]
    monkeypatch.setattr(table, "repeated", lambda closed: None)
    for a, b in zip(copied, Executable(closed)(x), strict=True):  # sums are rounded as their kernels do them
        np.testing.assert_allclose(b, a, rtol=0 if step is wave else 1e-5)


def test_too_few_blocks_are_compiled_as_they_are():
    def walk(x):
        for _ in range(20):
            x = x * 0.5 + x * x
        return x

    x = np.ones(100, np.float32)
    closed = ax.make_jaxpr(walk)(x)
    assert repeated(closed) is not None and Executable(closed)._expanded(closed) is None
    both(closed, [x])


@compiling
@unchecked
def test_donated_layers_are_updated_where_they_are(monkeypatch):
    args = lambda: ([jnp.array(w) for w in W], [jnp.array(w) for w in W], jnp.array(X))
    outs = []
    for copies in (repeated, lambda closed: None):
        monkeypatch.setattr(table, "repeated", copies)
        saved_programs._known.clear()
        jitted = ax.jit(lambda *args: adam(*args), donate_argnums=(0, 1))
        for _ in range(3):  # the third call runs no Python
            given = args()
            before = [a.unsafe_buffer_pointer() for a in ax.tree.leaves(given[:2])]
            _, ws, m = out = jitted(*given)
        assert before == [a.unsafe_buffer_pointer() for a in (*ws, *m)]
        outs.append(ax.tree.leaves(out))
    for a, b in zip(*outs, strict=True):
        np.testing.assert_array_equal(a, b)


def test_the_number_of_layers_does_not_matter():
    eqns = []
    for n in (N, 3 * N):
        closed = ax.make_jaxpr(ax.value_and_grad(loss))(W * (n // N), X)
        eqns.append(len(repeated(closed).few.eqns))
    assert eqns[0] == eqns[1]
    assert repeated(ax.make_jaxpr(loss)(W[:4], X)) is None


def test_the_listing_shows_every_layer():
    text = ax.make_jaxpr(mlp)(W, X)
    assert Executable(text).as_text().count("product") == N
