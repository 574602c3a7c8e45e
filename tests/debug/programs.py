"""Programs with effects, as functions of the module (`jax` or `adjoint`) and of arrays."""

from __future__ import annotations

import contextlib
import io

import numpy as np
from tests.recorded import jax

import adjoint
import adjoint.experimental

V = np.arange(3, dtype=np.float32)
ONE = 1.0


def doubled(m, ordered=False):
    """A function that prints its argument and doubles it."""

    def f(x):
        m.debug.print("x={x}", x=x, ordered=ordered)
        return x * 2.0

    return f


def custom_jvp(m):
    f = m.custom_jvp(doubled(m))
    f.defjvp(lambda p, t: (f(*p), t[0]))
    return f


def custom_jvp_with_print(m):
    f = m.custom_jvp(lambda x: m.numpy.sin(x))

    @f.defjvp
    def rule(primals, tangents):
        m.debug.print("t={}", tangents[0])
        return f(*primals), tangents[0] * 2

    return f


def custom_vjp(m):
    f = m.custom_vjp(doubled(m))
    f.defvjp(lambda x: (f(x), x), lambda r, g: (doubled(m)(g),))
    return f


def with_print_in_condition(m):
    f = doubled(m)
    return lambda x: m.lax.while_loop(lambda x: f(x) < 3.0, lambda x: x + 1.0, x)


def scanned(m, f):
    return lambda xs: m.lax.scan(lambda c, x: (f(c) + x, c), 1.0, xs)[0]


def branch(m, f):
    return lambda x: m.lax.cond(x < 1.5, f, lambda x: x, x)


def loop(m, f):
    return lambda x: m.lax.while_loop(lambda x: x < 3.0, lambda x: f(x) + 1.0, x)


# Traced to the same text, and printing the same text; (program, *arguments).
PRINTS = {
    "alone": (lambda m, x: doubled(m)(x), ONE),
    "ordered": (lambda m, x: doubled(m, True)(x), ONE),
    "jit": (lambda m, x: m.jit(doubled(m))(x), ONE),
    "jit in jit": (lambda m, x: m.jit(lambda x: m.jit(doubled(m))(x) + 1.0)(x), ONE),
    "unused result of jit": (lambda m, x: m.jit(lambda x: (m.jit(doubled(m))(x), x)[1] + 1.0)(x), ONE),
    "vmap": (lambda m, x: m.vmap(doubled(m))(x), V),
    "vmap, ordered": (lambda m, x: m.vmap(doubled(m, True))(x), V),
    "vmap of jit": (lambda m, x: m.vmap(m.jit(doubled(m)))(x), V),
    "vmap of two": (
        lambda m, x, y: m.vmap(lambda x, y: m.debug.print("{} {}", x, y), (0, 1))(x, y), V[:2],
        np.ones((3, 2), np.float32),
    ),
    "vmap of none": (lambda m, x: m.vmap(lambda x: (m.debug.print("{}", 1.0), x)[1])(x), V),
    "grad": (lambda m, x: m.grad(doubled(m))(x), ONE),
    "grad of jit": (lambda m, x: m.grad(m.jit(doubled(m)))(x), ONE),
    "jit of grad": (lambda m, x: m.jit(m.grad(doubled(m)))(x), ONE),
    "vmap of grad": (lambda m, x: m.vmap(m.grad(doubled(m)))(x), V),
    "jvp": (lambda m, x: m.jvp(doubled(m), (x,), (x,)), ONE),
    "linearize": (lambda m, x: m.linearize(doubled(m), x)[1](x), ONE),
    "checkpoint": (lambda m, x: m.checkpoint(doubled(m))(x), ONE),
    "grad of checkpoint": (lambda m, x: m.grad(m.checkpoint(doubled(m)))(x), ONE),
    "grad of checkpoint, ordered": (lambda m, x: m.grad(m.checkpoint(doubled(m, True)))(x), ONE),
    "scan": (lambda m, x: scanned(m, doubled(m))(x), V),
    "scan, ordered": (lambda m, x: scanned(m, doubled(m, True))(x), V),
    "long scan, ordered": (lambda m, x: scanned(m, doubled(m, True))(x), np.ones(20, np.float32)),
    "long while, ordered": (
        lambda m, x: m.lax.while_loop(lambda c: c[0] < 20, lambda c: (c[0] + 1, doubled(m, True)(c[1])), (0, x)), ONE
    ),
    "scan of constants": (
        lambda m, x: m.lax.scan(lambda c, _: (m.debug.print("{}", x), (c, None))[1], x, None, length=3)[0], ONE
    ),
    "grad of scan": (lambda m, x: m.grad(scanned(m, doubled(m)))(x), V),
    "vmap of scan": (
        lambda m, x: m.vmap(lambda c: m.lax.scan(lambda c, x: (doubled(m)(c), None), c, None, length=2)[0])(x), V
    ),
    "map": (lambda m, x: m.lax.map(doubled(m), x), V),
    "map in batches": (lambda m, x: m.lax.map(doubled(m), x, batch_size=2), np.ones(4, np.float32)),
    "while": (lambda m, x: loop(m, doubled(m))(x), ONE),
    "while, ordered": (lambda m, x: loop(m, doubled(m, True))(x), ONE),
    "vmap of while": (lambda m, x: m.vmap(loop(m, doubled(m)))(x), V),
    "condition of while": (lambda m, x: with_print_in_condition(m)(x), ONE),
    "jvp of while": (lambda m, x: m.jvp(loop(m, doubled(m)), (x,), (x,)), ONE),
    "fori": (lambda m, x: m.lax.fori_loop(0, 3, lambda i, x: doubled(m)(x), x), ONE),
    "cond": (lambda m, x: branch(m, doubled(m))(x), ONE),
    "cond, ordered": (lambda m, x: branch(m, doubled(m, True))(x), ONE),
    "other branch": (lambda m, x: branch(m, doubled(m))(x), 2.0),
    "grad of cond": (lambda m, x: m.grad(branch(m, doubled(m)))(x), ONE),
    "vmap of cond": (lambda m, x: m.vmap(branch(m, doubled(m)))(x), V),
    "branch without result": (
        lambda m, x: m.lax.cond(x < 3, lambda: m.debug.print("yes"), lambda: m.debug.print("no")), ONE
    ),
    "custom_jvp": (lambda m, x: custom_jvp(m)(x), ONE),
    "grad of custom_jvp": (lambda m, x: m.grad(custom_jvp(m))(x), ONE),
    "grad of jit of custom_jvp": (lambda m, x: m.grad(m.jit(custom_jvp(m)))(x), ONE),
    "tangent": (lambda m, x: m.jvp(custom_jvp_with_print(m), (x,), (x,)), ONE),
    "tangent, linearized": (lambda m, x: m.linearize(custom_jvp_with_print(m), 1.0)[1](x), ONE),
    "custom_vjp": (lambda m, x: custom_vjp(m)(x), ONE),
    "grad of custom_vjp": (lambda m, x: m.grad(custom_vjp(m))(x), ONE),
    "grad of jit of custom_vjp": (lambda m, x: m.grad(m.jit(custom_vjp(m)))(x), ONE),
    "linear_transpose": (lambda m, x: m.linear_transpose(doubled(m), 1.0)(x), ONE),
    "two in order": (
        lambda m, x: (doubled(m, True)(x), doubled(m, True)(x + 1), scanned(m, doubled(m, True))(m.numpy.ones(2))),
        ONE,
    ),
}


def called(f):
    """What `f()` prints."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        jax.block_until_ready(f())
        jax.effects_barrier()
        adjoint.effects_barrier()
    return text.getvalue()
