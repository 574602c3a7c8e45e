"""How classes become nodes: functions, methods, dataclasses, static ones, and `Partial`."""

from __future__ import annotations

import dataclasses
import functools
import pickle
from typing import Any

import pytest
from tests.core.tree_samples import TREES, Boxed, Pair, Point, make_hot, outcome, texts
from tests.recorded import jax

import adjoint.tree
import adjoint.tree_util as ours
from adjoint.core.tree.treedef import USES_BEFORE_CODE

theirs = jax.tree_util

# ---- registration ----


def test_register_pytree_node_class():
    """The class says how by methods, and comes back from the decorator."""

    def make(lib):
        @lib.register_pytree_node_class
        class Scaled:
            def __init__(self, x, unit):
                self.x, self.unit = x, unit

            def tree_flatten(self):
                return (self.x,), self.unit

            @classmethod
            def tree_unflatten(cls, unit, children):
                return cls(*children, unit)

        back = lib.tree_map(lambda x: x + 1, Scaled(1, "cm"))
        return back.x, back.unit, repr(lib.tree_structure(back))

    assert make(theirs) == make(ours)


def test_register_pytree_with_keys_class():
    """Keys are asked for only where they matter; `tree_flatten` is used if there."""

    def make(lib, with_flatten):
        calls = []

        class Keyed:
            def __init__(self, x):
                self.x = x

            def tree_flatten_with_keys(self):
                calls.append("keys")
                return (("k", self.x),), None

            @classmethod
            def tree_unflatten(cls, _, children):
                return cls(*children)

        if with_flatten:

            def tree_flatten(self):
                calls.append("plain")
                return (self.x,), None

            Keyed.tree_flatten = tree_flatten
        assert lib.register_pytree_with_keys_class(Keyed) is Keyed
        plain = lib.tree_leaves(Keyed([1]))
        paths = [(lib.keystr(p), x) for p, x in lib.tree_leaves_with_path([Keyed([2])])]
        return plain, paths, calls[0]

    for with_flatten in (True, False):
        assert make(theirs, with_flatten) == make(ours, with_flatten)


def malformed(lib, result):
    cls = type("Malformed", (), {})
    lib.register_pytree_node(cls, lambda x: result, lambda data, parts: None)
    return lib.tree_structure(cls())


@pytest.mark.parametrize("result", [1, (1, 2, 3), (1, 2), [[1], 2], ([1, 2], 3), ([1], [3])])
def test_malformed_flatten_functions_raise_as_in_jax(result):
    """A flatten function must return a pair of an iterable and data."""
    assert outcome(malformed, theirs, result) == outcome(malformed, ours, result)


def test_registration_errors():
    """Twice, no class, no function."""
    with pytest.raises(ValueError, match="Duplicate custom PyTreeDef type registration"):
        ours.register_static(Boxed)
    with pytest.raises(ValueError, match="Duplicate"):
        ours.register_pytree_node(list, lambda x: (x, None), lambda _, c: c)
    for args in ((3, min, max), (int, 1, 2)):
        with pytest.raises(TypeError):
            ours.register_pytree_node(*args)


def test_children_of_a_flatten_function_may_be_an_iterator():
    """The unflatten function gets a tuple, cold and hot."""
    seen = []
    cls = type("Lazy", (), {})
    ours.register_pytree_node(
        cls, lambda x: (iter([1, 2]), "aux"), lambda data, parts: seen.append((data, parts))
    )
    make_hot(cls())
    assert {("aux", (1, 2))} == set(seen)


def dataclass(lib, cls=None, **kwargs):
    """A new dataclass, or another class, registered: its text, paths and a mapped instance."""

    @dataclasses.dataclass
    class Data:
        x: Any = 1
        y: Any = 2

    cls = cls or Data
    lib.register_dataclass(cls, **kwargs)
    tree = [cls()] if cls is Data else [cls(x=1, y=2)]
    paths = [lib.keystr(p) for p, _ in lib.tree_leaves_with_path(tree)]
    mapped = lib.tree_map(lambda x: x + 5, tree)[0]
    return repr(lib.tree_structure(tree)), paths, vars(mapped)


def late_field():
    @dataclasses.dataclass
    class Late:
        x: Any
        y: Any = dataclasses.field(default=3, init=False)

    return Late


def plain_class():
    class Plain:
        def __init__(self, x, y):
            self.x, self.y = x, y

    return Plain


DATACLASSES = [
    dict(),
    dict(data_fields=["x"], meta_fields=["y"]),
    dict(data_fields=["y", "x"], meta_fields=[]),
    dict(data_fields=["x"], meta_fields=[], drop_fields=["y"]),
    dict(data_fields=["x"], meta_fields=[]),
    dict(data_fields=["x", "y", "z"], meta_fields=[]),
    dict(data_fields=["x", "y"], meta_fields=["x"]),
    dict(data_fields=["x"], meta_fields=["y"], drop_fields=["y"]),
    dict(data_fields=["x"]),
    dict(meta_fields=["x"]),
]


@pytest.mark.parametrize("kwargs", DATACLASSES, ids=repr)
def test_register_dataclass_as_jax(kwargs):
    """Fields given or found, and the errors for those that do not fit."""
    expected, mine = (outcome(lambda: dataclass(lib, **kwargs)) for lib in (theirs, ours))
    assert expected == mine


def test_register_dataclass_for_other_classes():
    """A class that is no dataclass needs the fields; a field without `init` must be dropped."""
    fields = dict(data_fields=["x"], meta_fields=["y"])
    assert dataclass(theirs, plain_class(), **fields) == dataclass(ours, plain_class(), **fields)
    for make, args in ((plain_class, ()), (late_field, ()), (late_field, (["x"], ["y"]))):
        expected, mine = (outcome(lib.register_dataclass, make(), *args) for lib in (theirs, ours))
        assert expected == mine
    ours.register_dataclass(late_field(), drop_fields=["y"])


def test_static_fields():
    """`static` marks a field, and keeps metadata that are given."""
    field = adjoint.tree.static(default=3, metadata={"doc": "text"})
    assert {"doc": "text", "static": True} == dict(field.metadata)
    assert 3 == field.default


def test_dataclasses_are_rebuilt_by_their_constructor():
    """`__post_init__` runs when a tree is rebuilt, cold and hot."""
    calls = []

    @ours.register_dataclass
    @dataclasses.dataclass
    class Checked:
        x: Any
        n: int = adjoint.tree.static(default=2)

        def __post_init__(self):
            calls.append((self.x, self.n))

    treedef = make_hot(Checked(1))
    treedef.unflatten([5])
    assert (5, 2) == calls[-1] and len(calls) == USES_BEFORE_CODE + 4


def test_register_static():
    """An instance is a node without leaves, equal by its own `==`."""

    class Config:
        def __init__(self, v):
            self.v = v

        def __hash__(self):
            return hash(self.v)

        def __eq__(self, other):
            return self.v == other.v

        def __repr__(self):
            return f"Config({self.v})"

    for lib in (ours, theirs):
        lib.register_static(Config)
    tree = (Config(2), 1)
    assert texts(theirs, tree) == texts(ours, tree)
    make_hot(tree)
    structure = ours.tree_structure
    assert structure(Config(2)) == structure(Config(2)) != structure(Config(3))
    assert Config(3) == ours.tree_map(str, (Config(3), 1))[0]


def test_partial():
    """Arguments are children, the function is static; a partial of a partial stays two."""
    partial = ours.Partial(max, 1, key=None)
    assert repr(theirs.Partial(max, 1, key=None)).removeprefix("jax.tree_util.") in repr(partial)
    assert isinstance(partial, functools.partial) and ours.Partial(max, 1)(2) == 2
    for inner in (functools.partial(max, 1), [functools.partial, max, 1]):

        def make(lib, inner=inner):
            made = lib.Partial(*inner[1:]) if isinstance(inner, list) else inner
            return lib.Partial(made, 2)

        assert outcome(theirs.tree_flatten, make(theirs)) == outcome(ours.tree_flatten, make(ours))
        assert make(theirs)() == make(ours)() == 2
    inner = functools.partial(max, 1)
    assert ours.tree_structure(ours.Partial(inner)) == ours.tree_structure(ours.Partial(inner))
    another = ours.Partial(functools.partial(max, 1))
    assert ours.tree_structure(ours.Partial(inner)) != ours.tree_structure(another)
    assert type(ours.tree_map(str, partial)) is ours.Partial
    assert repr(partial) == repr(pickle.loads(pickle.dumps(partial)))
    for args, kwargs in (((), {}), ((3,), {}), ((max,), {"func": 1})):
        with pytest.raises(TypeError):
            ours.Partial(*args, **kwargs)


def one_level(lib, tree, keys):
    """One level as text, whatever the sequence that holds it."""
    function = lib.flatten_one_level_with_keys if keys else lib.flatten_one_level
    children, data = function(tree)
    return type(children).__name__ * (not keys), list(children), data


@pytest.mark.parametrize("tree", TREES, ids=repr)
def test_one_level(tree):
    """The children of a container and its data; ValueError for a leaf."""
    assert outcome(one_level, theirs, tree, False) == outcome(one_level, ours, tree, False)
    if type(tree) not in (Point, Pair):  # JAX calls all of the fields by the first one's name
        assert outcome(one_level, theirs, tree, True) == outcome(one_level, ours, tree, True)
    registry = ours.default_registry
    assert (registry.flatten_one_level(tree) is None) == (not registry.is_node(type(tree)))


def test_the_function_of_a_partial_is_the_one_that_was_given_also_a_ufunc():
    assert ours.Partial(adjoint.numpy.add, 1).func is adjoint.numpy.add
    assert repr(ours.Partial(adjoint.numpy.add, 1)) == repr(theirs.Partial(jax.numpy.add, 1))
