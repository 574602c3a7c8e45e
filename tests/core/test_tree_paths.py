"""Key paths, prefixes, and the errors that name where two trees differ."""

from __future__ import annotations

import pickle
import re
from collections import OrderedDict, defaultdict

import pytest
from tests.core.tree_samples import Boxed, Layer, Named, Point, flatten_up_to, outcome
from tests.recorded import jax

import adjoint.tree_util as ours
from adjoint.core.messages.errors import PytreeError
from adjoint.core.tree import tree as trees
from adjoint.core.tree.treedef import USES_BEFORE_CODE

theirs = jax.tree_util

# ---- errors that name paths ----

MISFITS = [
    ((1, 2), (3,)),
    ([[1]], [[1, 2]]),
    ({"a": (1, 2)}, {"a": 1}),
    ((1, 2), [1, 2]),
    ({"a": {"b": 1}}, {"a": {"c": 1}}),
    ({"a": {"b": 1}}, {"a": {"c": 1, "b": 3}}),
    ({"a": 1}, {}),
    ({1: {"a": 1}}, {1: 3}),
    (None, 3),
    ((1, None), (3, 4)),
    (OrderedDict(a=1, b=2), OrderedDict(b=1, a=2)),
    (OrderedDict(a=1, b=2), OrderedDict(b=1)),
    (defaultdict(list, a=1), defaultdict(int, a=1)),
    ({"a": 1}, OrderedDict(a=2)),
    ([Boxed([1], 2)], [3]),
    (Boxed([1], 2), Boxed([1], 3)),
    (Boxed([[1]], 2), Boxed([1], 2)),
    (Layer(1, 2), Layer(1, 2, name="other")),
    (Point(1, 2), (1, 2)),
    ([Named(1, [2])], [Named(1, 2)]),
]


def jax_words(text):
    """A message without the lines of a diff that only point, and in ours where and what to do."""
    lines = [line for line in text.splitlines() if not re.match(r" +(\?|$)", line) and line]
    keep = [line for line in lines if not re.match(r"  (\S+\.py:|Try: | +\^)", line)]
    return [line for line in keep if line.strip()]


@pytest.mark.parametrize("case", range(len(MISFITS)))
def test_prefix_errors_read_as_in_jax(case):
    """Trees that do not fit raise JAX's class, in its words, with the user's line added."""
    prefix, full = MISFITS[case]
    for call in (
        lambda lib: lib.tree_map(lambda *x: x, prefix, full),
        lambda lib: lib.tree_map_with_path(lambda *x: x, prefix, full),
        lambda lib: lib.tree_broadcast(prefix, full),
    ):
        (kind, expected), (mine, text) = outcome(call, theirs), outcome(call, ours)
        assert kind == mine == "ValueError"
        assert jax_words(expected) == jax_words(text)
    with pytest.raises(PytreeError, match=r"test_tree_paths\.py"):  # where
        ours.tree_map(lambda *x: x, prefix, full)


@pytest.mark.parametrize("case", range(len(MISFITS)))
def test_flatten_up_to_raises_as_jax(case):
    """The method's own errors: class and first line."""
    prefix, full = MISFITS[case]
    kind, expected = outcome(flatten_up_to, theirs, prefix, full)
    mine, text = outcome(flatten_up_to, ours, prefix, full)
    assert (kind, expected.split("\n")[0]) == (mine, text.split("\n")[0])


def test_flatten_up_to_stops_at_leaves():
    """What stands at a leaf is taken as it is, in order; dicts by key, whatever their order."""
    prefix = {"b": [1, Point(2, 3)], "a": 4}
    full = {"a": (1, 2), "b": [None, Point({"x": 5}, 6)]}
    assert flatten_up_to(theirs, prefix, full) == flatten_up_to(ours, prefix, full)


def test_prefix_errors_finds_all_and_none():
    """One exception a place; an empty list for a prefix."""
    errors = trees.prefix_errors({"a": (1, 2), "b": [1]}, {"a": (1,), "b": 3})
    assert ["in_axes['a']", "in_axes['b']"] == [
        str(e("in_axes")).splitlines()[1].strip() for e in errors
    ]
    assert [] == trees.prefix_errors((1, None), ((2, 3), None))
    assert [] == trees.prefix_errors((1, None), ((2, 3), 4), is_leaf=lambda x: x is None)


def test_broadcast_prefix():
    """A prefix's leaf is repeated for each leaf below it; `is_leaf` concerns the prefix only."""
    full = ({"a": 1, "b": [2, 3]}, 4, None)
    assert [7, 7, 7, 8] == trees.broadcast_prefix((7, 8, 9), full)
    assert [7, 7, 7, 7] == trees.broadcast_prefix(7, full)
    none = [None, None, None, 8]
    assert none == trees.broadcast_prefix((None, 8, None), full, is_leaf=lambda x: x is None)
    with pytest.raises(ValueError, match=r"different types at key path\n .*prefix_tree\[0\]\n"):
        trees.broadcast_prefix((None, 8, None), full)


def test_tree_difference_names_paths():
    """Differences are told with the path, both sides and a reason; treedefs as well as trees."""
    left = {"w": (1, [2, 3]), "b": {"x": 1, "y": 2}, "n": None, "l": Layer(1, 2), "o": 1}
    right = {"w": (1, [2]), "b": {"x": 1, "z": 2}, "n": 3, "l": Layer(1, 2, "other"), "o": 1}
    expected = """\
at key path ['b']: a dict with 2 keys in the first, a dict with 2 keys in the second; \
only the first has ['y']; only the second has ['z']
at key path ['l']: a Layer in the first, a Layer in the second; \
the static data differ: ('dense',) and ('other',)
at key path ['n']: None in the first, a leaf of type int in the second; the types differ
at key path ['w'][1]: a list of length 2 in the first, a list of length 1 in the second; \
the lengths differ""".splitlines()
    assert expected == [str(d) for d in trees.tree_difference(left, right)]
    defs = ours.tree_structure(left), ours.tree_structure(right)
    assert [e.replace("leaf of type int", "leaf") for e in expected] == [
        str(d) for d in trees.tree_difference(*defs)
    ]
    assert [] == trees.tree_difference(left, ours.tree_map(str, left))
    [difference] = trees.tree_difference(1, None)
    assert str(difference) == (
        "at the root: a leaf of type int in the first, None in the second; the types differ"
    )
    assert "order" in str(trees.tree_difference(OrderedDict(a=1, b=2), OrderedDict(b=1, a=2))[0])


# ---- keys ----


@pytest.mark.parametrize("name", ["DictKey", "SequenceKey", "GetAttrKey", "FlattenedIndexKey"])
def test_keys_are_jaxs(name):
    """Text, equality, hash, fields and match arguments of the kinds of key."""
    value = "a" if name in ("DictKey", "GetAttrKey") else 2
    key, other = getattr(ours, name), getattr(theirs, name)
    field = other.__match_args__[0]

    def say(make):
        one = make(value)
        same = one == make(value) and hash(one) == hash(make(value))
        return repr(one), str(one), getattr(one, field), same

    assert say(other) == say(key)
    assert other.__match_args__ == key.__match_args__
    assert key(**{field: value}) == key(value) != ours.DictKey("another")
    assert key(value) == pickle.loads(pickle.dumps(key(value)))
    with pytest.raises(AttributeError):
        setattr(key(value), field, value)
    if name != "DictKey":
        with pytest.raises(TypeError):
            key(object())


# ---- paths ----


class Row:
    """A node whose instances name their children differently."""

    def __init__(self, **children):
        self.children = children


for _lib in (ours, theirs):
    _lib.register_pytree_with_keys(
        Row,
        lambda x, lib=_lib: ([(lib.DictKey(name), child) for name, child in x.children.items()], len(x.children)),
        lambda data, parts: Row(**dict(zip("abcd", parts))),
        lambda x: (tuple(x.children.values()), len(x.children)),
    )

NAMED = [
    Named(1, [2]),
    [Named(1, {"w": 2}), Named(3, {"w": 4})],
    {"b": Row(x=1, y=(2, None)), "a": Row()},
    OrderedDict(z=Row(p=1), a=Named(Row(q=2), ())),
    defaultdict(list, {2: Row(x=1), 1: Named(2, 3)}),
    Point(Row(x=Point(1, 2)), Boxed([Row(y=1), 2], "data")),
    Layer(Row(w=[1, 2]), Layer(3, Named(4, None))),
    ((), [Row(only=5)], Boxed([], 1), None, 6),
]


def said(lib, tree):
    """Paths, leaves and structure, with and without questions, as text."""
    stops = lambda x: type(x) is tuple or type(x) is Point
    flat = [lib.tree_flatten_with_path(tree, is_leaf=ask) for ask in (None, stops)]
    told = lib.tree_flatten_with_path(tree, is_leaf=lambda path, x: len(path) == 2, is_leaf_takes_path=True)
    mapped = lib.tree_leaves(lib.tree_map_with_path(lambda path, x, y: (lib.keystr(path), x, y), tree, tree))
    return [[([lib.keystr(path) for path, _ in f[0]], [str(x) for _, x in f[0]]) for f in (*flat, told)], mapped]


@pytest.mark.parametrize("case", range(len(NAMED)))
def test_paths_through_classes_that_name_their_children(case):
    """Paths are JAX's, before and after there is code for the structure."""
    tree = NAMED[case]
    for _ in range(2):
        assert said(ours, tree) == said(theirs, tree)
        for _ in range(USES_BEFORE_CODE + 1):
            ours.tree_flatten_with_path(tree)


def test_instances_of_one_structure_have_paths_of_their_own():
    """Code for a structure asks each instance how its children are called, and says what is wrong."""
    trees_of_one = [[Row(**{name: 1, "last": {"k": 2}})] for name in "xyz"]
    for _ in range(USES_BEFORE_CODE):
        for name, tree in zip("xyz", trees_of_one):
            paths = [ours.keystr(path) for path, _ in ours.tree_leaves_with_path(tree)]
            assert paths == [f"[0]['{name}']", "[0]['last']['k']"]

    class Short(Row):
        pass

    names = [("a", 1)]
    ours.register_pytree_with_keys(Short, lambda x: (names, None), lambda _, parts: Short(), lambda x: ((1,), None))
    for _ in range(USES_BEFORE_CODE + 1):
        assert ours.tree_leaves_with_path([Short()]) == [((ours.SequenceKey(0), "a"), 1)]
    names.append(("b", 2))
    with pytest.raises(ValueError, match="same number of children"):
        ours.tree_leaves_with_path([Short()])
    names[:] = ["no pair"]
    with pytest.raises(ValueError, match="must return .key, child. pairs"):
        ours.tree_leaves_with_path([Short()])


def test_is_leaf_is_asked_once_about_each_node():
    """In the order of the nodes, whether paths follow from the structure or from instances."""
    for tree in ({"a": [1, 2]}, Named([1], 2)):
        nodes = []
        ours.tree_flatten_with_path(tree, is_leaf=nodes.append)
        others = []
        theirs.tree_flatten_with_path(tree, is_leaf=lambda x: others.append(x))
        assert [*map(type, nodes)] == [*map(type, others)]


@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_zeros_of_two_signs_are_keys_of_their_own(zero):
    """Dicts whose keys are equal and not the same keep their keys, when there is code too."""
    tree = {zero: 1, 1.5: [2]}
    for _ in range(USES_BEFORE_CODE + 2):
        leaves, treedef = ours.tree_flatten(tree)
        assert str([*treedef.unflatten(leaves)]) == str([zero, 1.5])
    assert treedef == ours.tree_structure({-zero: 1, 1.5: [2]})
