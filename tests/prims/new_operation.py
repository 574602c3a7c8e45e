"""An element-wise operation that the library does not have, added as CONTRIBUTING.md says: a row for each layer.

`tests/prims/test_new_operation.py` runs this in a process of its own, since a primitive cannot be taken away again.
Below the rows is a special function that is a formula of other functions: it is one function, and has no row.
"""

from __future__ import annotations

import numpy as np
from tests.engines.agreement import assert_agrees, host_steps
from tests.prims import harness

import adjoint as ax
import adjoint.numpy as jnp
from adjoint.core.options.config import enable_x64
from adjoint.engines.native.functions.elementwise import emits
from adjoint.engines.xla.module import module_and_steps
from adjoint.engines.xla.rules import lower
from adjoint.numpy.elementwise import unary
from adjoint.numpy.promotion import promote_inexact
from adjoint.prims.arithmetic import abs_, add, div, mul, square, sub
from adjoint.prims.domains import FLOATS
from adjoint.prims.family import function, like

# ---- the four rows: of prims, of the native engine, of XLA, and what users call ------------------

softsign_p = function(
    "softsign", FLOATS, lambda x: x / (1 + np.abs(x)), lambda g, z, x: mul(g, square(sub(like(x, 1), abs_(z)))))
emits("softsign", "f", lambda b, x, accuracy=None: x / (b.fabs(x) + 1), 8)
lower("softsign")(lambda w, eqn, operands: w.written(lambda x: [div(x, add(abs_(x), like(x, 1)))], operands))
softsign = unary("softsign", softsign_p, "x / (1 + |x|)", "softsign(3.) -> Array(0.75, dtype=float32)", promote_inexact)

# ---- a special function: one function ------------------------------------------------------------


def log_cosh(x):
    """The logarithm of the hyperbolic cosine, where that itself would overflow too."""
    return jnp.abs(x) + jnp.log1p(jnp.exp(-2 * jnp.abs(x))) - np.float32(np.log(2))


# ---- what they do --------------------------------------------------------------------------------

X = np.array([-3.0, -0.5, 0.25, 1.0, 7.0], np.float32)
# name -> the function, and in double precision its value, its derivative and its second one
FORMULAS = {
    "softsign": (softsign, lambda x: x / (1 + abs(x)), lambda x: (1 + abs(x)) ** -2,
                 lambda x: -2 * np.sign(x) * (1 + abs(x)) ** -3),
    "log_cosh": (log_cosh, lambda x: np.log(np.cosh(x)), np.tanh, lambda x: np.cosh(x) ** -2),
}


def rules():
    """Every rule of the primitive, on the examples that it has from its row."""
    with enable_x64(True):
        assert harness.examples(softsign_p)
        for call in harness.examples(softsign_p):
            harness.check_type(call)
            harness.check_printing(call)
            harness.check_jit(call)
            harness.check_batch(call)
            double = harness.in_double(call)
            if double is not None:
                harness.check_jvp(double)
                harness.check_vjp(double)
                harness.check_grad_and_vmap(double)


def transformations(name):
    """Values and derivatives, eager and compiled by each engine, and in loops, branches and checkpoints."""
    f, *formulas = FORMULAS[name]
    value, slope, bend = [g(X.astype(float)) for g in formulas]
    turns = lambda x: ax.lax.scan(lambda c, _: (c, f(c)), x, None, length=1)[1][0]
    total = lambda x: f(x).sum()
    programs = {
        "value": (f, value), "vmap": (ax.vmap(f), value), "scan": (turns, value),
        "cond": (lambda x: ax.lax.cond(True, f, lambda x: x, x), value),
        "grad": (ax.grad(total), slope), "jacfwd": (lambda x: ax.jacfwd(f)(x).diagonal(), slope),
        "checkpoint": (ax.grad(lambda x: ax.checkpoint(f)(x).sum()), slope),
        "linearize": (lambda x: ax.linearize(f, x)[1](jnp.ones_like(x)), slope),
        "hessian": (lambda x: ax.hessian(total)(x).diagonal(), bend),
        "grad of vmap of grad": (ax.grad(lambda x: ax.vmap(ax.grad(f))(x).sum()), bend),
    }
    for how, (program, expected) in programs.items():
        np.testing.assert_allclose(program(X), expected, rtol=2e-5, atol=1e-6, err_msg=how)
        for engine in ("native", "numpy", "xla"):
            with ax.config._states["cpu_engine"](engine):
                found = ax.jit(lambda x, program=program: program(x))(X)
            np.testing.assert_allclose(found, expected, rtol=2e-5, atol=1e-6, err_msg=f"{how}, {engine}")


def generated(name):
    """Both compilers write it themselves: no step of a program runs in Python."""
    f = FORMULAS[name][0]
    assert host_steps(assert_agrees(f, X)) == []
    assert host_steps(assert_agrees(f, X.astype(np.float16))) == []
    text, steps = module_and_steps(ax.make_jaxpr(f)(X), name)
    assert steps == [] and "stablehlo" in text


def sharded():
    """Results lie over a mesh as operands do, without a rule of its own."""
    mesh = ax.make_mesh((1,), ("i",), axis_types=(ax.sharding.AxisType.Explicit,))
    with ax.set_mesh(mesh):
        x = ax.device_put(X, ax.P("i"))
        assert ax.typeof(softsign(x)).sharding.spec == ax.P("i")
        assert ax.typeof(ax.grad(lambda x: softsign(x).sum())(x)).sharding.spec == ax.P("i")


if __name__ == "__main__":
    rules()
    sharded()
    for name in FORMULAS:
        transformations(name)
        generated(name)
    print("as every other")
