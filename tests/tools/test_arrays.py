"""`adjoint.show`: arrays and trees in words and pictures, on a terminal and in a notebook."""

from __future__ import annotations

import io
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from tests.modes import compiling

import adjoint
import adjoint.numpy as jnp
from adjoint import random
from adjoint.tools.arrays import shown


@pytest.mark.parametrize("x, first", [
    (np.arange(6, dtype=np.int32).reshape(2, 3), "int32[2,3], 24 B: 0 to 5, mean 2.5"),
    (np.float32([1, np.nan, 3]), "float32[3], 12 B: 1 to 3, mean 2; 1 of 3 is NaN"),
    (np.float32([np.inf, np.nan]), "float32[2], 8 B: 1 of 2 is NaN and 1 of 2 is infinite"),
    (np.array([True, False, True]), "bool[3], 3 B: 2 of 3 are true"),
    (np.complex64([3 + 4j, 0]), "complex64[2], 16 B: magnitudes 0 to 5, mean 2.5"),
    (np.zeros((0, 2), np.float32), "float32[0,2], 0 B: empty"),
    (np.ones((2, 2, 2), np.float32), "float32[2,2,2], 32 B: all 1; below is x[0]"),
    (np.zeros((2**11, 2**8), np.float32), "float32[2048,256], 2 MiB: all 0"),
    (np.float32(7), "float32[], 4 B: 7"),
])
def test_the_first_line_says_what_it_is(x, first):
    assert shown(x).text().splitlines()[0] == first
    if x.dtype != np.complex64:
        assert shown(jnp.asarray(x)).text().splitlines()[0] == first


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3fn", "int4", "uint2", "float16"])
def test_small_dtypes_are_shown(dtype):
    lines = shown(jnp.array([0, 1], dtype)).text().splitlines()
    assert lines[0].startswith(f"{dtype}[2], ") and ": 0 to 1, mean 0.5" in lines[0]
    assert len(lines) == 9


def test_a_matrix_is_an_image_and_a_row_a_line():
    assert shown(np.eye(2)).text(is_ascii=True).splitlines()[1:] == ["@@", "  @@"]
    assert len(shown(np.arange(9.0)).text().splitlines()) == 9


def test_each_array_of_a_tree_has_a_line():
    text = repr(shown({"w": np.zeros((2, 3)), "bias": [np.ones(3)]}))
    lines = ["['bias'][0]  float64[3], 24 B: all 1", "['w']        float64[2,3], 48 B: all 0"]
    assert text.splitlines() == lines


def test_random_keys_have_no_picture():
    assert shown(random.key(0)).text() == "key<fry>[]: random keys"


@compiling
def test_a_traced_value_says_when_it_has_numbers(capsys):
    adjoint.jit(lambda x: adjoint.show(x))(np.ones(2, np.float32))
    assert capsys.readouterr().out.startswith("float32[2]: a traced value, which has no numbers yet")
    adjoint.jit(lambda x: adjoint.debug.callback(adjoint.show, x))(np.ones(2, np.float32))
    adjoint.effects_barrier()
    assert capsys.readouterr().out.startswith("float32[2], 8 B: all 1")


@pytest.mark.parametrize("x", ["text", object(), None, np.array(["a"]), {"a": "b"}])
def test_what_is_no_array_is_refused(x):
    with pytest.raises(TypeError, match="show expects an array or a tree of arrays"):
        adjoint.show(x)


@pytest.mark.parametrize("encoding, mark", [("utf8", "█"), ("ascii", "@"), ("latin-1", "@")])
def test_characters_are_those_of_the_terminal(monkeypatch, encoding, mark):
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", out)
    adjoint.show(np.eye(3))
    out.flush()
    assert mark in out.buffer.getvalue().decode(encoding)


def test_a_notebook_gets_an_object_with_pictures(monkeypatch):
    seen = []
    fake = SimpleNamespace(
        get_ipython=lambda: SimpleNamespace(kernel=None), display=SimpleNamespace(display=seen.append))
    monkeypatch.setitem(sys.modules, "IPython", fake)
    adjoint.show(np.eye(3))
    adjoint.show(np.arange(3.0))
    image, line = (x._repr_html_() for x in seen)
    assert "float64[3,3]" in image and "<img src=" in image
    assert "<svg" in line and "<path" in line
    assert not hasattr(jnp.ones(2), "_repr_html_")      # an array by itself is shown as it is printed
