"""`adjoint.plot_jaxpr`: the graph of a program, and where its boxes stand."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from tests.modes import compiling
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.tools.layers import Box, Line, arrange

pytestmark = compiling
SVG = "{http://www.w3.org/2000/svg}"


def step(w, x):
    def body(c, t):
        h = jnp.tanh(c @ w + t)
        return lax.cond(h.sum() > 0, lambda h: h * 2, lambda h: h - 1, h), h.sum()

    c, ys = lax.scan(body, x, np.arange(4.0, dtype=np.float32))
    return (c**2).mean(), ys.sum()


def plotted():
    return adjoint.plot_jaxpr(step)(np.ones((3, 3), np.float32), np.ones((2, 3), np.float32))


def texts(plot):
    return [e.text for e in ET.fromstring(plot.svg).iter(f"{SVG}text")]


def rectangles(element):
    """(left, top, right, bottom) of the boxes directly in an element."""
    found = [g.find(f"{SVG}rect") for g in element.findall(f"{SVG}g")]
    numbers = [[float(r.get(n)) for n in ("x", "y", "width", "height")] for r in found]
    return [(x, y, x + w, y + h) for x, y, w, h in numbers]


def test_a_picture_has_a_box_for_each_equation_operand_and_result():
    found = texts(adjoint.plot_jaxpr(lambda a, b: (jnp.sin(a) * b, a))(1.0, 2.0))
    assert sorted(found) == sorted(["a", "b", "sin", "mul", *["f32[]"] * 6])


def test_programs_inside_are_frames_around_their_boxes():
    root = ET.fromstring(plotted().svg)
    frames = [g for g in root.iter(f"{SVG}g") if g.get("class") == "frame"]
    assert [g.find(f"{SVG}text").text for g in frames] == ["scan", "cond"]
    for frame in frames:
        left, top, right, bottom = (
            float(frame.find(f"{SVG}rect").get(n)) for n in ("x", "y", "width", "height"))
        right, bottom = left + right, top + bottom
        inside = rectangles(frame)
        assert len(inside) > 3
        assert all(left < a and top < b and c < right and d < bottom for a, b, c, d in inside)


def test_boxes_do_not_touch():
    root = ET.fromstring(plotted().svg)
    for element in [root, *root.iter(f"{SVG}g")]:
        for (a, b, c, d), (e, f, g, h) in itertools.combinations(rectangles(element), 2):
            assert c <= e or g <= a or d <= f or h <= b


def test_a_box_has_its_equation_as_a_title():
    titles = [e.text for e in ET.fromstring(plotted().svg).iter(f"{SVG}title")]
    assert any("dot_general[" in t for t in titles) and "an operand" in titles


def test_notebooks_show_it_and_files_hold_it(tmp_path):
    plot = plotted()
    assert plot._repr_svg_() == plot.svg
    plot.save(tmp_path / "program.svg")
    ET.parse(tmp_path / "program.svg")
    plot.save(tmp_path / "program.dot")
    text = (tmp_path / "program.dot").read_text()
    assert text.startswith("digraph jaxpr {") and text.count("subgraph cluster_") == 3
    assert text.count("{") == text.count("}")
    assert str(plot).startswith("{ lambda ") and repr(plot).startswith("JaxprPlot(")
    assert repr(adjoint.plot_jaxpr(adjoint.numpy.sin)(1.0)).startswith("JaxprPlot(1 equation, ")


def test_a_program_in_place_of_a_function_is_refused():
    with pytest.raises(TypeError, match=r"(?s)got a ClosedJaxpr.*Try: adjoint.plot_jaxpr\(f\)\(x\)"):
        adjoint.plot_jaxpr(adjoint.make_jaxpr(adjoint.numpy.sin)(1.0))  # type: ignore[arg-type]


def test_static_arguments_are_constants():
    found = texts(adjoint.plot_jaxpr(lambda x, n: x * n, static_argnums=1)(1.0, 3))
    assert found == ["x", "f32[]", "mul 3.0", "f32[]", "f32[]"]


@pytest.mark.parametrize("static", [0, 2, (0, 2), -1])
def test_operands_have_the_names_that_jax_gives_them(static):
    def f(n, x, k):
        return x["a"] * n + k

    theirs, ours = (m.make_jaxpr(f, static_argnums=static)(2.0, {"a": 1.0}, 3.0) for m in (jax, adjoint))
    assert ours.jaxpr.debug_info.arg_names == theirs.jaxpr.debug_info.arg_names


@pytest.mark.parametrize("f", [lambda x: 2, lambda x: x, lambda x: (), lambda x: {"a": x["a"] + x["b"]}])
def test_programs_that_do_little_are_drawn(f):
    x = {"a": 1.0, "b": 2.0}
    assert ET.fromstring(adjoint.plot_jaxpr(f)(x).svg).tag.endswith("svg")


def test_a_node_stands_below_what_it_reads_and_lines_pass_between():
    boxes = [Box(20, 10) for _ in range(12)]
    generator = np.random.default_rng(0)
    pairs = sorted({(int(a), int(b)) for a, b in generator.integers(0, 12, (30, 2)) if a < b})
    lines = [Line(boxes[a], boxes[b]) for a, b in pairs]
    width, height = arrange(boxes, lines)
    for line in lines:
        assert line.start.y + line.start.height < line.end.y
        for by in line.through:
            assert not any(b.x < by.middle < b.x + b.width and b.y <= by.y <= b.y + b.height for b in boxes)
    assert min(b.x for b in boxes) >= 0 and max(b.x + b.width for b in boxes) <= width
    assert max(b.y + b.height for b in boxes) == height
