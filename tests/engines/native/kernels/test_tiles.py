"""Arrays that are read across their rows: in tiles, whatever the sizes, axes and dtypes, and the same values."""

from __future__ import annotations

import numpy as np
import pytest
from tests.engines.agreement import assert_agrees
from tests.streams import stream

import adjoint as ax
import adjoint.numpy as jnp
from adjoint.engines.native.kernels import split, tiles
from adjoint.engines.native.program import table

RNG = stream()
SHAPES = [(16, 16), (17, 33), (129, 37), (40, 300)]
X = RNG.normal(size=(40, 50)).astype(np.float32)
CUBE = RNG.normal(size=(3, 40, 50)).astype(np.float32)
FOUR = RNG.normal(size=(4, 20, 5, 30)).astype(np.float32)
CASES = {
    "many operations": (lambda x: jnp.exp(x.T) * jnp.tanh(x.T) + jnp.sin(x.T) + x[0, 0], (X,)),
    "a batch": (lambda y: y.transpose(0, 2, 1) * 2, (CUBE,)),
    "axes in a ring": (lambda y: (y.transpose(2, 0, 1) + 1, y.transpose(1, 2, 0) + 1), (CUBE,)),
    "all axes turned": (lambda z: (z.transpose(0, 3, 2, 1) * 2, z.transpose(3, 0, 2, 1) + 1), (FOUR,)),
    "with rows and columns": (
        lambda x, y: x.T + x.T[::-1] + y[0].T + y[1, 3:4, 2:3] + x.T[:, :1] + jnp.arange(40), (X, CUBE)
    ),
    "narrow floats": (lambda x: (x.astype(jnp.bfloat16).T * 2, x.astype(jnp.float16).T * 2), (X,)),
    "parts": (lambda x: jnp.concatenate([x.T, x.T * 2], 1), (X,)),
    "turned by a quarter": (lambda x: (jnp.rot90(x) + 1, jnp.rot90(x, 3) * x.T, x[::-1, ::-1].T[::2] - 1), (X,)),
    "steps": (lambda x: x[::2, ::-1].T * 3 + x[::-2].T, (X,)),
}


@pytest.fixture(params=[False, True], ids=["one thread", "divided"])
def tiled(request, monkeypatch):
    """The domains of kernels in tiles."""
    seen, init = [], tiles.Tiled.__init__
    if request.param:
        monkeypatch.setattr(split, "_MIN_NANOSECONDS_TO_THREAD", 0)
        monkeypatch.setattr(split, "_CHUNK_NANOSECONDS", 20)
    monkeypatch.setattr(table, "_kernels", {})
    monkeypatch.setattr(tiles.Tiled, "__init__", lambda self, *args: (init(self, *args), seen.append(self.kernel))[0])
    return seen


def test_sizes_and_dtypes(tiled):
    with ax.enable_x64(True):
        for dtype in "f4 f8 i1 i2 i4 ?".split():
            args = [(RNG.normal(size=s) * 9).astype(dtype) for s in SHAPES]
            assert_agrees(lambda *xs: [x.T ^ True if x.dtype == bool else x.T + 1 for x in xs], *args)
    assert len(tiled) >= 20  # float64 has too few lanes where vectors have 128 bits


@pytest.mark.parametrize("name", CASES)
def test_a_transposed_operand(name, tiled):
    function, args = CASES[name]
    assert_agrees(function, *args)
    assert tiled
