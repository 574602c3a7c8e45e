"""Jitted calls with objects of registered dataclasses: taken apart and built without a call of theirs where that shows
nothing."""

from __future__ import annotations

import dataclasses
import gc
import sys

import pytest
from tests.modes import compiling

import adjoint
from adjoint import numpy as jnp
from adjoint.engines.native.call.classes import fields_assigned, version_of


def registered(static=("name",), **options):
    @dataclasses.dataclass(**options)
    class Layer:
        w: object
        name: str = "layer"
        b: object = dataclasses.field(default_factory=list)

    return adjoint.tree_util.register_dataclass(Layer, [n for n in ("w", "b") if n not in static], list(static))


def called(x, times=4):
    """Return what the last of some calls of a jitted function gives."""
    f = adjoint.jit(lambda x: adjoint.tree.map(lambda v: v + 1, x))
    for _ in range(times):
        out = f(x)
    return out


@pytest.mark.parametrize("options", [{}, {"frozen": True}, {"slots": True}, {"eq": False}, {"kw_only": True}], ids=str)
def test_objects_are_those_that_their_class_makes(options):
    kind = registered(**options)
    out = called(kind(w=jnp.ones(3), b=[jnp.zeros(2), 1.0], name="first"))
    assert type(out) is kind and out.name == "first"
    assert out.w.tolist() == [2, 2, 2] and out.b[0].tolist() == [1, 1] and out.b[1] == 2
    assert fields_assigned(kind, ("w", "b", "name")) == ["w", "name", "b"]
    if not options.get("slots"):
        assert list(vars(out)) == ["w", "name", "b"]


def test_a_changed_static_field_is_another_program():
    kind, seen = registered(), []

    @adjoint.jit
    def f(x):
        seen.append(x.name)
        return x.w

    for name in ("a", "a", "b", "a", "".join(["a"])):
        f(kind(jnp.ones(3), name, jnp.ones(2)))
    assert seen == ["a", "b"]


def test_another_structure_or_class_is_another_program():
    kind, other = registered(), registered()
    f = adjoint.jit(lambda x: (type(x), len(adjoint.tree.leaves(x)))[1] * x.w)
    x = jnp.ones(2)
    for _ in range(3):
        assert f(kind(x, b=x)).tolist() == [2, 2]
        assert f(kind(x, b=[x, x])).tolist() == [3, 3]
        assert f(other(x, b=None)).tolist() == [1, 1]


def test_a_field_that_is_missing_is_named():
    kind = registered()
    x = kind(jnp.ones(3), b=jnp.ones(3))
    f = adjoint.jit(lambda x: x.w)
    f(x), f(x)
    del x.w
    with pytest.raises(AttributeError, match="w"):
        f(x)


def test_classes_that_do_more_are_called():
    made = []

    @dataclasses.dataclass
    class Checked:
        w: object

        def __post_init__(self):
            made.append(self.w)

    class Written:
        def __init__(self, w):
            self.w, self.twice = w, w

    adjoint.tree_util.register_dataclass(Checked, ["w"], [])
    adjoint.tree_util.register_dataclass(Written, ["w"], [])
    assert fields_assigned(Checked, ["w"]) is fields_assigned(Written, ["w"]) is None
    out = called(Checked(jnp.ones(2)))
    assert made[-1] is out.w
    out = called(Written(jnp.ones(2)))
    assert out.twice is out.w


def test_a_class_that_sets_attributes_in_its_own_way_is_called():
    @dataclasses.dataclass
    class Doubled:
        w: object

        def __setattr__(self, name, value):
            super().__setattr__(name, (value, value) if name == "w" and type(value) is not tuple else value)

    assert fields_assigned(Doubled, ["w"]) is None

    class Meta(type):
        def __call__(cls, *args, **kwargs):
            return super().__call__(*args, **kwargs)

    @dataclasses.dataclass
    class Counted(metaclass=Meta):
        w: object

    assert fields_assigned(Counted, ["w"]) is None


@compiling
def test_a_class_that_is_changed_later_is_called():
    kind = registered()
    f, x = adjoint.jit(lambda x: x), kind(jnp.ones(3), b=jnp.ones(3))
    for _ in range(3):
        f(x)
    version, before = version_of(kind), kind.__init__

    def init(self, w, name, b):
        before(self, w, name, b)
        self.calls = 1

    kind.__init__ = init
    assert version_of(kind) != version or not version
    for _ in range(3):
        assert f(x).calls == 1
    kind.__init__ = before
    assert not hasattr(f(x), "calls")


def test_errors_of_a_class_are_its_own():
    @dataclasses.dataclass
    class Refusing:
        w: object

        def __post_init__(self):
            if refuses:
                raise KeyError("refused")

    adjoint.tree_util.register_dataclass(Refusing, ["w"], [])
    refuses = False
    x = Refusing(jnp.ones(2))
    f = adjoint.jit(lambda x: [x, x])
    f(x), f(x)
    refuses = True
    with pytest.raises(KeyError, match="refused"):
        f(x)
    refuses = False
    assert f(x)[1].w.tolist() == [1, 1]


def test_nothing_is_left_behind():
    """Objects, their parts and what is static are held by whoever holds them, as often as before."""
    class Name(str):
        pass

    kind, name = registered(), Name("some")
    f, x = adjoint.jit(lambda x: [x, x]), kind(jnp.ones(3), name, {"a": jnp.ones(3)})
    for _ in range(3):
        f(x)
    counts = []
    for _ in range(3):
        for _ in range(50):
            f(x)
        gc.collect()
        counts.append([sys.getrefcount(o) for o in (kind, name, x, x.w, x.b, x.b["a"])])
    assert counts[1] == counts[2]


class Box:
    """A registered class that is taken apart by a function of its own."""

    parts = staticmethod(lambda box: (box.x, box.y))

    def __init__(self, x, y, name="box"):
        self.x, self.y, self.name = x, y, name


adjoint.tree_util.register_pytree_node(
    Box, lambda box: (Box.parts(box), box.name), lambda name, children: Box(*children, name))


@pytest.fixture
def boxes():
    usual = Box.parts
    yield [Box(jnp.ones(3), [Box(jnp.zeros(2), 1.0)], "a"), Box(jnp.ones(3), None, "b")]
    Box.parts = usual


def test_registered_classes_are_taken_apart_and_built(boxes):
    seen = []
    Box.parts = staticmethod(lambda box: seen.append(box.name) or (box.x, box.y))
    f = adjoint.jit(lambda x: adjoint.tree.map(lambda v: v + 1, x))
    for _ in range(4):
        seen.clear()
        out = f(boxes)
    assert seen == ["a", "box", "b"]  # each once
    assert [type(box) for box in out] == [Box, Box] and [box.name for box in out] == ["a", "b"]
    assert out[0].x.tolist() == [2, 2, 2] and out[0].y[0].x.tolist() == [1, 1] and out[0].y[0].y == 2
    assert out[1].y is None


def test_other_data_of_a_registered_class_is_another_program(boxes):
    seen = []

    @adjoint.jit
    def f(box):
        seen.append(box.name)
        return box.x

    for name in ("a", "a", "b", "".join(["a"]), ("a", int), ("a", int), ("a", float), "a"):
        f(Box(jnp.ones(3), None, name))
    assert seen == ["a", "b", ("a", int), ("a", float)]


@pytest.mark.parametrize("parts", [
    lambda box: [box.x, box.y], lambda box: iter((box.x, box.y)), lambda box: (part for part in (box.x, box.y)),
])
def test_children_in_any_order_of_things(boxes, parts):
    Box.parts = staticmethod(parts)
    assert called(boxes)[0].x.tolist() == [2, 2, 2]


def test_another_number_of_children_and_errors_take_the_other_way(boxes):
    box = boxes[1]
    f = adjoint.jit(lambda box: box.x * 2)
    for _ in range(3):
        f(box)
    Box.parts = staticmethod(lambda box: (box.x, 1.0))
    assert f(box).tolist() == [2, 2, 2]
    Box.parts = staticmethod(lambda box: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        f(box)
    Box.parts = staticmethod(lambda box: 3)
    with pytest.raises(ValueError, match="iterable"):
        f(box)


def test_registered_classes_leak_nothing(boxes):
    f = adjoint.jit(lambda x: adjoint.tree.map(lambda v: v + 1, x))
    for _ in range(20):
        f(boxes)
    counts = lambda: [sys.getrefcount(o) for o in (Box, boxes[0].x, boxes[0].y, boxes[0].name)]
    gc.collect()
    before = counts()
    for _ in range(500):
        f(boxes)
    gc.collect()
    assert max([abs(a - b) for a, b in zip(counts(), before)]) < 50
