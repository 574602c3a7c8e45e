"""A look at every layer in some seconds: `make smoke`. `make test` has the rest.

One test for each folder of `src/adjoint`, in their order. Values are those of formulas, so that JAX need not run.
"""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from tests.modes import PLAIN, compiling

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax

FOLDERS = {p.name for p in Path(ax.__file__).parent.iterdir() if p.is_dir() and p.name != "__pycache__"}
X = np.array([0.5, -1.0, 2.0], np.float32)
SQUARE = np.array([[2.0, 1.0], [1.0, 3.0]], np.float32)
close = partial(np.testing.assert_allclose, rtol=1e-5, atol=1e-6)


def test_core_takes_trees_apart_promotes_and_prints_programs():
    leaves, treedef = ax.tree.flatten({"b": (X, 2.0), "a": None})
    assert len(leaves) == 2 and ax.tree.unflatten(treedef, leaves)["b"][1] == 2.0
    assert jnp.promote_types("bfloat16", "float16") == np.float32
    printed = "{ lambda ; a:f32[3]. let b:f32[3] = sin a; c:f32[3] = mul b 2.0:f32[] in (c,) }"
    assert str(ax.make_jaxpr(lambda x: jnp.sin(x) * 2)(X)) == printed


def test_sharding_says_how_arrays_are_divided():
    mesh = ax.make_mesh((1,), ("x",))
    named = ax.sharding.NamedSharding(mesh, ax.P("x", None))
    assert named.shard_shape((4, 3)) == (4, 3) and named.is_fully_addressable
    assert ax.device_put(SQUARE, named).sharding == named


def test_array_is_indexed_updated_and_converted():
    x = jnp.array(X)
    assert x[1:].tolist() == [-1.0, 2.0] and x.at[0].set(4.0).tolist() == [4.0, -1.0, 2.0]
    assert repr(x) == "Array([ 0.5, -1. ,  2. ], dtype=float32)" and isinstance(np.asarray(x), np.ndarray)
    with pytest.raises(TypeError):
        x[0] = 1.0


def test_prims_have_all_of_their_rules():
    p = ax.prims.transcendental.sin
    close(p.bind(X), np.sin(X))
    close(ax.jvp(p.bind, (X,), (X,))[1], np.cos(X) * X)
    close(ax.vmap(p.bind)(X), np.sin(X))
    assert set(p.missing()) <= {"transpose"}


@compiling
@pytest.mark.parametrize("engine", ["numpy", "native", "xla"])
def test_engines_run_kernels_products_sorts_and_loops(engine):
    def program(x, a):
        total = lax.fori_loop(0, 3, lambda i, c: c + jnp.tanh(x).sum() * i, 0.0)
        return jnp.sort(x)[::-1], a @ a, jnp.linalg.cholesky(a), jnp.cumsum(x), total

    if engine == "xla":
        pytest.importorskip("jaxlib")
    with ax.config._states["cpu_engine"](engine):
        found = ax.jit(program)(X, SQUARE)
    expected = (np.sort(X)[::-1], SQUARE @ SQUARE, np.linalg.cholesky(SQUARE), np.cumsum(X), 3 * np.tanh(X).sum())
    for a, b in zip(found, expected, strict=True):
        close(a, b)


def test_transforms_nest_in_any_order():
    f = lambda x: (jnp.sin(x) * x).sum()
    slope, bend = np.cos(X) * X + np.sin(X), 2 * np.cos(X) - np.sin(X) * X
    close(ax.grad(f)(X), slope)
    close(ax.jit(ax.grad(f))(X), slope)
    close(ax.hessian(f)(X), np.diag(bend))
    close(ax.vmap(ax.grad(ax.checkpoint(lambda x: jnp.sin(x) * x)))(X), slope)
    close(ax.linearize(ax.grad(f), X)[1](np.ones(3, np.float32)), bend)
    close(ax.linear_transpose(lambda x: SQUARE @ x, X[:2])(X[:2])[0], SQUARE.T @ X[:2])
    rule = ax.custom_vjp(lambda x: x * x)
    rule.defvjp(lambda x: (x * x, x), lambda x, g: (7.0 * g,))
    assert ax.grad(rule)(3.0) == 7.0


def test_control_flow_is_differentiated_and_mapped():
    powers = lambda x: lax.scan(lambda c, _: (c * x, c), 1.0, None, length=3)[0]
    close(ax.vmap(ax.grad(powers))(X), 3 * X**2)
    assert lax.while_loop(lambda n: n < 10, lambda n: n * 2, 1) == 16
    close(ax.grad(lambda x: lax.cond(x > 0, jnp.square, jnp.negative, x))(3.0), 6.0)


def test_parallel_maps_over_a_mesh():
    mesh = ax.make_mesh((1,), ("i",), axis_types=(ax.sharding.AxisType.Auto,))
    f = ax.shard_map(lambda x: lax.psum(x, "i"), mesh=mesh, in_specs=ax.P("i"), out_specs=ax.P())
    close(f(X), X)
    close(ax.pmap(lambda x: x * 2)(X[None]), 2 * X[None])


def test_numpy_lax_nn_random_scipy_and_image_compute():
    close(jnp.einsum("ij,j", SQUARE, X[:2]), SQUARE @ X[:2])
    close(jnp.fft.ifft(jnp.fft.fft(X)).real, X)
    close(jnp.linalg.solve(SQUARE, X[:2]), np.linalg.solve(SQUARE, X[:2]))
    close(lax.conv(X[None, None], np.ones((1, 1, 2), np.float32), (1,), "VALID")[0, 0], X[:-1] + X[1:])
    close(ax.nn.softmax(X), np.exp(X) / np.exp(X).sum())
    bits = ax.random.bits(ax.random.key(0), (2,))
    assert bits.tolist() == [4070199207, 4202968722]
    close(ax.scipy.special.erf(jnp.array([0.0, 1.0])), [0.0, 0.8427008])
    close(ax.image.resize(SQUARE, (1, 1), "linear"), [[1.75]])


def test_example_libraries_and_experimental_step_and_integrate():
    from adjoint.example_libraries.optimizers import sgd
    from adjoint.experimental.ode import odeint

    begin, update, params = sgd(0.5)
    close(params(update(0, X, begin(X))), X / 2)
    close(odeint(lambda y, t: -y, np.float32(1), np.array([0, 1], np.float32)), [1, np.exp(-1)], rtol=1e-4)


def test_debug_prints_values_of_compiled_programs(capsys):
    ax.jit(lambda x: ax.debug.print("x = {}", x))(2.0)
    ax.effects_barrier()
    assert capsys.readouterr().out == "x = 2.0\n"


def test_extend_and_interpreters_make_primitives():
    twice = ax.extend.core.Primitive("twice")
    twice.def_impl(lambda x: x * 2)
    twice.def_abstract_eval(lambda x: x)
    ax.interpreters.ad.deflinear2(twice, lambda g, x: [twice.bind(g)])
    assert ax.grad(lambda x: twice.bind(x) * x)(3.0) == 12.0


def test_export_stores_a_program_over_symbolic_shapes():
    from adjoint import export

    specs = ax.ShapeDtypeStruct(export.symbolic_shape("n"), np.float32)
    stored = export.export(ax.jit(lambda x: x * x.shape[0]))(specs).serialize()
    close(export.deserialize(stored).call(X), X * len(X))


def test_compat_runs_a_program_that_says_jax():
    program = "import jax, jax.numpy as jnp; print(jax.grad(lambda x: jnp.sum(x**2))(jnp.ones(2)))"
    command = [sys.executable, "-m", "adjoint", "-c", program]
    done = subprocess.run(command, env=PLAIN, capture_output=True, text=True)
    assert done.stdout == "[2. 2.]\n", done.stderr


def test_commandline_names_the_version(capsys):
    from adjoint.__main__ import main

    main(["version"])
    assert capsys.readouterr().out.startswith(f"adjoint {ax.version.own_version} ")


def test_every_folder_is_looked_at():
    """A new folder of the package gets a test here."""
    text = Path(__file__).read_text(encoding="utf8")
    assert not [name for name in FOLDERS if name not in text]
