"""Numbers as pictures of characters, of SVG and of PNG."""

from __future__ import annotations

import base64
import re
import struct
import zlib

import numpy as np
import pytest

from adjoint.tools import pictures


@pytest.mark.parametrize("shape", [(7, 5), (100, 30), (3, 1000), (1, 1)])
def test_blocks_are_means_and_keep_the_mean(shape):
    x = np.random.default_rng(0).random(shape)
    found = pictures.blocks(x, 10, 20)
    assert found.shape == (min(shape[0], 10), min(shape[1], 20))
    if shape[0] % 10 == 0 and shape[1] % 20 == 0:
        np.testing.assert_allclose(found.mean(), x.mean())
    assert found.min() >= x.min() and found.max() <= x.max()


def test_shades_grow_with_the_numbers_and_mark_what_is_none():
    assert pictures.shades(np.array([[0.0, 1, 2, 3, 4]])) == ["  ░░▒▒▓▓██"]
    assert pictures.shades(np.array([[np.nan, 0.0, 1.0]]), is_ascii=True) == ["??  @@"]
    assert pictures.shades(np.zeros((1, 2))) == ["▒▒▒▒"]


@pytest.mark.parametrize("shape, lines, width", [((48, 48), 24, 48), ((10, 360), 1, 72), ((240, 10), 24, 2)])
def test_large_matrices_keep_their_proportions(shape, lines, width):
    drawn = pictures.shades(np.random.default_rng(0).random(shape))
    assert (len(drawn), max(map(len, drawn))) == (lines, width)


def test_a_line_has_no_gap_but_where_there_is_no_number():
    drawn = pictures.curve(np.array([0.0, 3.0, np.nan, 3.0]), is_ascii=True, rows=4, columns=4)
    assert drawn == ["3 | * *", "  | *", "  | *", "0 |*"]


@pytest.mark.parametrize("size", [1, 3, 64, 5000])
def test_lines_fit_into_a_terminal(size):
    drawn = pictures.curve(np.sin(np.arange(size) / 7))
    assert len(drawn) == 8 and max(map(len, drawn)) <= 79


def test_an_svg_line_goes_through_the_points():
    found = pictures.line_element(np.array([0.0, np.nan, 2.0, 1.0]))
    path = re.search(r' d="([^"]*)"', found)[1]
    assert path == "M0.0 120.0 M240.0 0.0 L360.0 60.0"


@pytest.mark.parametrize("channels", [0, 3, 4])
def test_an_image_holds_the_numbers_as_a_png(channels):
    x = np.arange(6.0).reshape(2, 3) if not channels else np.ones((2, 3, channels))
    data = base64.b64decode(re.search(r"base64,([^\"]*)\"", pictures.image_element(x))[1])
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (3, 2)
    at = data.index(b"IDAT")
    length = struct.unpack(">I", data[at - 4 : at])[0]
    rows = np.frombuffer(zlib.decompress(data[at + 4 : at + 4 + length]), np.uint8).reshape(2, -1)[:, 1:]
    grey = rows.reshape(2, 3, -1)[..., 0]
    assert grey.ravel().tolist() == ([0, 51, 102, 153, 204, 255] if not channels else [255] * 6)
