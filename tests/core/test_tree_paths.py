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
