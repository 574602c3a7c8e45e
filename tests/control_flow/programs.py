"""Programs with loops and branches, as functions of the module, `jax` or `adjoint`, and of arrays.

`PROGRAMS` are differentiable functions from a vector of three floats to a vector; the tests transform them
in many ways. They are written so that every rule has something to do: closures over traced values, carries
with and without tangents, invariants, integers, results that are passed through.
"""

from __future__ import annotations

import numpy as np

X = np.array([0.3, -0.7, 1.2], np.float32)
ROWS = np.arange(12, dtype=np.float32).reshape(4, 3) / 10 - 0.5
PROGRAMS = {}
FORWARD_ONLY = {"while", "while with closure", "fori with traced bounds", "while in cond in scan"}


def program(name):
    def register(f):
        PROGRAMS[name] = f
        return f

    return register


@program("scan")
def _(m, x):
    np_ = m.numpy
    step = lambda c, v: (np_.sin(c) * v + 0.1 * c, c * v)
    last, ys = m.lax.scan(step, x, np_.stack([x, 2 * x, np_.cos(x)]))
    return last + ys.sum(0)


@program("scan in reverse with a tree")
def _(m, x):
    np_ = m.numpy

    def step(carry, row):
        a, n = carry["a"], carry["n"]
        return {"a": np_.tanh(a * row["v"]) + n, "n": n + 1, "still": carry["still"]}, (a, row["v"], n)

    start = {"a": x, "n": 0, "still": x}
    end, (a, v, n) = m.lax.scan(step, start, {"v": m.numpy.asarray(ROWS) * x}, reverse=True)
    return end["a"] * end["still"] + (a * v * n[:, None]).sum(0)


@program("scan with closure and invariants")
def _(m, x):
    np_ = m.numpy
    scale, rows = np_.exp(x), m.numpy.asarray(ROWS)

    def step(c, v):
        return c * np_.exp(scale).sum() * 0.1 + v * np_.sin(scale * x), np_.cos(scale) * c

    last, ys = m.lax.scan(step, x, rows, unroll=2)
    return last + ys.sum(0)


@program("scan without xs")
def _(m, x):
    last, ys = m.lax.scan(lambda c, _: (m.numpy.sin(c), c * x), x, None, length=5)
    return last + ys[2]


@program("scan in scan")
def _(m, x):
    np_ = m.numpy

    def outer(c, row):
        inner, ys = m.lax.scan(lambda d, v: (np_.sin(d * v) + c.sum(), d * row.sum()), c[0], row)
        return c * inner, ys.sum() + c

    last, ys = m.lax.scan(outer, x, np_.stack([x, x * x]))
    return last + ys.sum(0)


@program("scan of grad")
def _(m, x):
    np_ = m.numpy
    loss = lambda w, v: (np_.sin(w) * v).sum() ** 2 + (w**2).sum()
    step = lambda w, v: (w - 0.1 * m.grad(loss)(w, v), loss(w, v))
    w, losses = m.lax.scan(step, x, m.numpy.asarray(ROWS) + x)
    return w * losses.sum()


@program("map")
def _(m, x):
    return m.lax.map(lambda v: m.numpy.sin(v) * x.sum(), x) + x


@program("map in batches")
def _(m, x):
    return m.lax.map(lambda v: m.numpy.sin(v) * x.sum(), x, batch_size=2)


@program("fori")
def _(m, x):
    return m.lax.fori_loop(1, 5, lambda i, c: m.numpy.sin(c) * x + i * c, x)


@program("fori with traced bounds")
def _(m, x):
    n = m.lax.convert_element_type(m.lax.stop_gradient(x[2]) * 3, np.int32)
    return m.lax.fori_loop(0, n, lambda i, c: m.numpy.sin(c) * x + i, x)


@program("fori in fori")
def _(m, x):
    inner = lambda i, c: m.lax.fori_loop(0, 3, lambda j, d: m.numpy.sin(d * x) + i * j, c)
    return m.lax.fori_loop(0, 2, inner, x)


@program("cond")
def _(m, x):
    np_ = m.numpy
    return m.lax.cond(x.sum() > 0.5, lambda v: v * np_.sin(v), lambda v: np_.cos(v) ** 2 * v.sum(), x)


@program("cond with closure")
def _(m, x):
    np_ = m.numpy
    y = np_.sin(x)
    a, b = m.lax.cond(x[0] > 0, lambda: (np_.exp(y) * x, y[0]), lambda: (x, (y * x).sum()))
    return a * b


@program("cond with a constant branch")
def _(m, x):
    one = lambda v: (m.numpy.asarray(ROWS)[0], 1.0, 3)
    a, b, n = m.lax.cond(x[0] > 5, one, lambda v: (v * v, v.sum(), 2), x)
    return a * b * n


@program("switch")
def _(m, x):
    np_ = m.numpy
    i = m.lax.convert_element_type(m.lax.stop_gradient(x[2]) * 2, np.int32)
    branches = [lambda v: v, lambda v: np_.sin(v) * np_.exp(v), lambda v: (v**2) * np_.sin(v), np_.cos]
    return m.lax.switch(i, branches, x) + m.lax.switch(i - 9, branches, x)


@program("cond in scan")
def _(m, x):
    np_ = m.numpy

    def step(c, row):
        c = m.lax.cond(row[0] > 0, lambda c: np_.sin(c) * row, lambda c: c * x, c)
        i = m.lax.convert_element_type(m.lax.stop_gradient(row[1]) * 5, np.int32)
        y = m.lax.switch(i, [lambda: c, lambda: np_.exp(c) * x, lambda: row * c])
        return c, y

    last, ys = m.lax.scan(step, x, m.numpy.asarray(ROWS) * x)
    return last + ys.sum(0)


@program("scan in cond")
def _(m, x):
    loop = lambda v: m.lax.scan(lambda c, r: (m.numpy.sin(c) * r, None), v, x)[0]
    return m.lax.cond(x.sum() > 0, loop, lambda v: v * v, x)


@program("while")
def _(m, x):
    body = lambda s: (s[0] + 1, m.numpy.cos(s[1]) * 1.1)
    return m.lax.while_loop(lambda s: s[0] < 3, body, (0, x))[1]


@program("while with closure")
def _(m, x):
    limit, scale = x.sum() * 20, m.numpy.exp(x)
    body = lambda s: {"n": s["n"] + 1, "v": s["v"] * scale + 0.5, "still": s["still"]}
    end = m.lax.while_loop(lambda s: s["v"].sum() < limit, body, {"n": 0, "v": x, "still": x})
    return end["v"] * end["still"] + end["n"]


@program("while in cond in scan")
def _(m, x):
    def step(c, v):
        body = lambda s: (s[0] + 1, m.numpy.sin(s[1]) * v)
        repeat = lambda: m.lax.while_loop(lambda s: s[0] < 3, body, (0, c))[1]
        return m.lax.cond(v > 0, repeat, lambda: c * v), c

    last, ys = m.lax.scan(step, x, x)
    return last + ys.sum(0)


@program("associative scan")
def _(m, x):
    combine = lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1])
    a, b = m.lax.associative_scan(combine, (m.numpy.sin(x), x), reverse=True)
    return a * b


@program("root")
def _(m, x):
    newton = lambda f, v: m.lax.fori_loop(0, 8, lambda _, v: v - f(v) / (3 * v**2 + 1), v)
    solve = lambda g, y: y / g(m.numpy.ones(3))
    return m.lax.custom_root(lambda v: v**3 + v - x, m.numpy.ones(3), newton, solve)


@program("linear solve")
def _(m, x):
    d = m.numpy.exp(x)
    return m.lax.custom_linear_solve(lambda v: d * v, x, lambda _, b: b / d, lambda _, b: b / d)
