"""Transformations around a program of the grammar, up to three in one another, chosen by its number."""

from __future__ import annotations

import numpy as np
from tests.engines.fuzz.grammar import Program

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax

REVERSE = ("grad", "vjp", "hessian")
FORWARD = ("jvp", "linearize")
OTHERS = ("jit", "vmap", "map", "remat", "scan", "fori", "cond")


class Transformed:
    """A function of arrays; `exact` says of each result whether it is the same to the last bit everywhere."""

    def __init__(self, number: int):
        rng = np.random.default_rng([number, 1])
        depth = int(rng.choice([0, 0, 0, 1, 1, 1, 2, 2, 3]))
        self.chain = tuple(str(rng.choice(REVERSE + FORWARD + OTHERS * 2)) for _ in range(depth))
        self.program = Program(number, reverse=bool(set(self.chain) & set(REVERSE)))
        self.inputs = self.program.inputs
        self.rows = int(rng.choice([1, 2, 3, 5]))  # of what is mapped or scanned
        self.derivatives = bool(set(self.chain) & set(REVERSE + FORWARD))

    @property
    def exact(self) -> list[bool] | None:
        """None stands for results of derivatives, of which none is."""
        return None if self.derivatives else self.program.exact

    def __call__(self, *inputs):
        function = self.program
        for name in self.chain:
            function = getattr(self, name)(function)
        return function(*inputs)

    # ---- transformations: functions of lists of arrays into such functions -----------------------

    def jit(self, f):
        return ax.jit(lambda *xs: f(*xs))

    def remat(self, f):
        return ax.checkpoint(lambda *xs: f(*xs))

    def vmap(self, f):
        return lambda *xs: ax.vmap(f)(*self.stacked(xs))

    def map(self, f):
        return lambda *xs: lax.map(lambda row: f(*row), self.stacked(xs))

    def scan(self, f):
        def turn(count, row):
            return count + 1, [*f(*row), count]

        return lambda *xs: lax.scan(turn, jnp.int32(0), self.stacked(xs))[1][:-1]

    def fori(self, f):
        def looped(*xs):
            start = [jnp.zeros(s.shape, s.dtype) for s in ax.eval_shape(f, *xs)]
            return lax.fori_loop(0, self.rows, lambda i, outs: f(*[jnp.roll(x, i) for x in xs]), start)

        return looped

    def cond(self, f):
        def branched(*xs):
            first = jnp.asarray(xs[0])
            low = first.ravel()[0] < first.ravel()[-1] if first.size and first.dtype.kind in "fiu" else first.size > 1
            return lax.cond(low, f, lambda *xs: f(*[x[::-1] if x.ndim else x for x in xs]), *xs)

        return branched

    def grad(self, f):
        def derivative(*xs):
            at = inexact(xs)
            return list(ax.grad(lambda *xs: total(f(*xs)), at)(*xs)) if at else f(*xs)

        return derivative

    def vjp(self, f):
        def pulled(*xs):
            at = inexact(xs)
            if not at:
                return f(*xs)
            outs, back = ax.vjp(lambda *some: f(*placed(xs, at, some)), *[xs[i] for i in at])
            return list(back([direction(o) for o in outs]))

        return pulled

    def hessian(self, f):
        """A product with the second derivative."""
        def product(*xs):
            at = inexact(xs)
            if not at:
                return f(*xs)
            first = ax.grad(lambda *some: total(f(*placed(xs, at, some))), tuple(range(len(at))))
            given = tuple(xs[i] for i in at)
            return list(ax.jvp(first, given, tuple(direction(x) for x in given))[1])

        return product

    def jvp(self, f):
        def pushed(*xs):
            tangents = ax.jvp(f, xs, tuple(direction(x) for x in xs))[1]
            return [t for t in tangents if t.dtype != ax.dtypes.float0]

        return pushed

    def linearize(self, f):
        def pushed(*xs):
            tangents = ax.linearize(f, *xs)[1](*[direction(x) for x in xs])
            return [t for t in tangents if t.dtype != ax.dtypes.float0]

        return pushed

    def stacked(self, xs):
        """Rows that are not equal."""
        return [jnp.stack([jnp.roll(x, i) for i in range(self.rows)]) for x in xs]


def inexact(xs) -> tuple[int, ...]:
    return tuple(i for i, x in enumerate(xs) if jnp.issubdtype(x.dtype, np.inexact))


def placed(xs, at, some):
    xs = list(xs)
    for i, x in zip(at, some, strict=True):
        xs[i] = x
    return xs


def direction(x):
    if not jnp.issubdtype(x.dtype, np.inexact):
        return np.zeros(x.shape, ax.dtypes.float0)
    return (jnp.arange(x.size) % 5 / 4 - 0.25).reshape(x.shape).astype(x.dtype)


def total(outs):
    return sum([jnp.sum(jnp.real(o).astype("float64")) for o in outs if jnp.issubdtype(o.dtype, np.inexact)], 0.0)
