"""The graph of a program: what is known before it runs is not computed, and results are written once."""

from __future__ import annotations

import numpy as np
import pytest
from tests.streams import stream

import adjoint as ax
import adjoint.numpy as jnp
from adjoint.core.process.locks import making
from adjoint.engines.native.graph import view_rules
from adjoint.engines.native.graph.graph import Graph

pytestmark = pytest.mark.usefixtures("native")


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "uint32"])
@pytest.mark.parametrize("divisor", [1, -1, 7, -5, 8, 100])
def test_what_prepares_a_constant_divisor_is_known(dtype, divisor):
    x = stream().integers(*(lambda i: (i.min, i.max))(np.iinfo(dtype)), 300, dtype=dtype, endpoint=True)
    y = np.asarray(abs(divisor) if dtype.startswith("u") else divisor, dtype)
    with np.errstate(over="ignore"):
        for function, expected in ((jnp.mod, np.mod(x, y)), (jnp.floor_divide, np.floor_divide(x, y))):
            np.testing.assert_array_equal(ax.jit(lambda x, f=function: f(x, y))(x), expected)
    graph = Graph(ax.make_jaxpr(lambda x: x % 7)(x))
    assert all(v.base.kind != "elementwise" or v.base.shape for n in graph.items for v in n.operands)


ROWS = stream().normal(size=(60, 4, 5)).astype("f4")


@pytest.mark.parametrize("function", [
    lambda np, x: np.abs(x).reshape(-1), lambda np, x: np.repeat(x, 3, axis=0), lambda np, x: np.tile(x, (2, 1, 2)),
    lambda np, x: x[::2].reshape(30, -1), lambda np, x: x.max(1).reshape(-1), lambda np, x: x.T.reshape(4, -1),
    lambda np, x: np.concatenate([x, x]).reshape(-1, 10), lambda np, x: (x + 1j * x)[:, None].reshape(-1, 10),
])
def test_a_result_with_other_axes_is_written_once(function):
    program = ax.jit(lambda x: function(jnp, x))
    for _ in range(3):
        out = np.asarray(program(ROWS))
        assert out.shape == function(np, ROWS).shape
        np.testing.assert_allclose(out, function(np, ROWS), rtol=1e-6)
    assert "0 bytes for intermediate arrays" in program.lower(ROWS).compile().as_text().splitlines()[-1]


def test_one_array_is_several_results():
    outs = ax.jit(lambda x: (jnp.exp(x).reshape(-1), jnp.exp(x), jnp.exp(x).reshape(240, 5)))(ROWS)
    for out, shape in zip(outs, [(1200,), (60, 4, 5), (240, 5)]):
        assert out.shape == shape
        np.testing.assert_allclose(out, np.exp(ROWS).reshape(shape), rtol=1e-6)
    donated = ax.jit(lambda x: jnp.sin(x).reshape(-1), donate_argnums=0)
    for _ in range(3):
        np.testing.assert_allclose(donated(jnp.array(ROWS)), np.sin(ROWS).reshape(-1), rtol=1e-5, atol=1e-6)


def test_rules_are_imported_under_the_lock_that_forks_take(monkeypatch):
    """A child that is forked while another thread imports them would wait for that import for ever."""
    held = []
    monkeypatch.setattr(view_rules, "_elsewhere", ["one", "another"])
    monkeypatch.setattr(view_rules, "import_module", lambda name: held.append(making._is_owned()))
    view_rules.import_rules()
    assert held == [True, True] and view_rules._elsewhere == []
