"""Pytrees: structures, flattening, and the functions on trees; beside the installed JAX.

What is generated for treedefs in heavy use is tested by using them heavily.
"""

from __future__ import annotations

import enum
import gc
import pickle
import threading
import weakref
from collections import OrderedDict, defaultdict, namedtuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.tree_samples import (
    TREES,
    Boxed,
    Layer,
    Named,
    Point,
    flatten_up_to,
    make_hot,
    outcome,
    texts,
)
from tests.modes import compiling
from tests.recorded import jax

import adjoint.tree
import adjoint.tree_util as ours
from adjoint.core.tree import tree as trees
from adjoint.core.tree.treedef import MAX_NODES_OF_CODE, USES_BEFORE_CODE

theirs = jax.tree_util

# ---- flattening, beside JAX ----


@pytest.mark.parametrize("tree", TREES, ids=repr)
def test_flattens_as_jax(tree):
    """Leaves, treedef text, counts, node data and key paths are JAX's; also when hot."""
    assert texts(theirs, tree) == texts(ours, tree)
    make_hot(tree)
    assert texts(theirs, tree) == texts(ours, tree)


@pytest.mark.parametrize("tree", TREES, ids=repr)
def test_unflatten_inverts_flatten(tree):
    """Types and leaves come back; a dict comes back in the order of its keys."""
    for _ in range(USES_BEFORE_CODE + 2):
        leaves, treedef = ours.tree_flatten(tree)
        back = treedef.unflatten(leaves)
        assert type(back) is type(tree)
        assert treedef == ours.tree_structure(back)
        assert all(x is y for x, y in zip(leaves, ours.tree_leaves(back)))
    if isinstance(tree, dict):
        assert list(theirs.tree_map(str, tree)) == list(ours.tree_map(str, tree))


NEITHER_SORTS = [{"a": 1, 1: 2}, {"a": 1, None: 2}, {1j: 1, 2j: 2}]


@pytest.mark.parametrize("tree", NEITHER_SORTS, ids=repr)
def test_keys_that_cannot_be_sorted_raise_as_in_jax(tree):
    """Dicts whose keys have no order are refused."""
    assert outcome(theirs.tree_flatten, tree) == outcome(ours.tree_flatten, tree)


def test_subclasses_are_leaves():
    """Only the very types are containers; namedtuples are the exception."""

    class List(list):
        pass

    class Dict(OrderedDict):
        pass

    class Sub(Point):
        pass

    for tree in [List([1]), Dict(a=1), Sub(1, 2)]:
        assert repr(theirs.tree_structure(tree)) == repr(ours.tree_structure(tree))


def test_is_leaf_is_asked_from_the_root_down():
    """Every node and leaf is asked once, in order, and the answer must be a bool or None."""
    tree = (1, [2, [None]], {"b": 3, "a": 4})
    asked = {}
    for lib in (theirs, ours):
        seen = asked[lib] = []
        lib.tree_flatten(tree, is_leaf=lambda x, seen=seen: seen.append(x))
    assert asked[theirs] == asked[ours]

    def outcomes(lib):
        return [
            outcome(lib.tree_flatten, tree, lambda x: x is None),
            outcome(lib.tree_flatten, tree, lambda x: isinstance(x, list)),
            outcome(lib.tree_flatten, tree, lambda x: True),
            outcome(lib.tree_flatten, tree, lambda x: 2),
            outcome(lib.tree_flatten, tree, lambda x: np.bool_(False)),
            outcome(lib.tree_flatten_with_path, tree, lambda p, x: len(p) == 1, True),
            outcome(lib.tree_flatten, tree, lambda x: 1 // 0),
        ]

    assert outcomes(theirs) == outcomes(ours)


IS_LEAF = {
    "none": lambda x: x is None,
    "never": lambda x: None,
    "lists": lambda x: isinstance(x, list),
    "tuples of two": lambda x: type(x) is tuple and len(x) == 2,
    "no bool at the end": lambda x: 2 if type(x) is str else False,
    "raises at the end": lambda x: x.nothing if type(x) is str else False,
}


@pytest.mark.parametrize("name", IS_LEAF)
def test_is_leaf_is_asked_once_in_code_for_hot_trees(name):
    """Nothing is asked twice where a tree of another structure comes after many of one."""
    kinds = [
        ({"b": [1, None], "a": (2, 3), "c": 4}, {"b": [1, 5], "a": (2, 3), "c": 4}),
        ([[1.0] * 5, None, (1, 2)], [[1.0] * 5, None, (1, 2, 3)]),
        ((Point(1, {"x": 2}), Layer(1, 2)), (Point(1, {"y": 2}), Layer(1, 3))),
        ({"a": 1, "b": [2, 3]}, {"a": 1, "b": [2, "text"]}),
        (None, [None]),
    ]
    for hot, other in kinds:
        asked = {}
        for lib, times in ((ours, USES_BEFORE_CODE + 5), (theirs, 1)):
            seen: list = []

            def is_leaf(x, seen=seen):
                seen.append(x)
                return IS_LEAF[name](x)

            for _ in range(times):
                outcome(lib.tree_flatten, hot, is_leaf)
            del seen[:]
            asked[lib] = [outcome(lib.tree_flatten, tree, is_leaf) for tree in (hot, other, hot)], repr(seen)
        assert asked[theirs] == asked[ours]


class Colour(enum.IntEnum):
    RED = 1
    BLUE = 2


class Ordered:
    """A key that has an order and equality of its own."""

    def __init__(self, at):
        self.at = at

    def __lt__(self, other):
        return self.at < other.at

    def __eq__(self, other):
        return type(other) is Ordered and self.at == other.at

    def __hash__(self):
        return hash(self.at)

    def __repr__(self):
        return f"Ordered({self.at})"


KEYS = {
    "tuples": ([(2, "x"), (1, "y")], [(2, "x"), (True, "y")]),
    "enums": ([Colour.BLUE, Colour.RED], [2, 1]),
    "numbers": ([2, 1], [2, True]),
    "floats": ([2.5, 1.0], [2.5, 1]),
    "bytes": ([b"b", b"a"], [b"b", b"c"]),
    "objects": ([Ordered(2), Ordered(1)], [Ordered(2), Ordered(1)]),
}


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("name", KEYS)
def test_dicts_of_any_keys_keep_their_keys(name, nested):
    """Also after many dicts with equal keys that are others, in both orders."""

    def trees(keys):
        for order in (keys, keys[::-1]):
            yield {key: [i, (i,)] if nested else i for i, key in enumerate(order)}

    first, second = KEYS[name]
    for tree in trees(first):
        make_hot(tree)
    for keys in (first, second, first):
        for tree in trees(keys):
            leaves, treedef = ours.tree_flatten(tree)
            assert repr((leaves, treedef)) == repr(theirs.tree_flatten(tree))
            assert all(any(key is k for k in keys) or name == "floats" for key in treedef.node_data()[1])
            assert tree == ours.tree_map(lambda x: x, tree) == treedef.unflatten(leaves)


def test_keys_of_dicts_are_not_kept():
    """Objects that were keys are freed, whatever was flattened."""

    def dropped():
        keys = [Ordered(1), Ordered(2)]
        make_hot(dict.fromkeys(keys, 0))
        return [weakref.ref(key) for key in keys]

    alive = dropped()
    gc.collect()
    assert [None, None] == [ref() for ref in alive]


def test_large_containers_are_built_from_slices():
    """Leaves before, between and after containers of many leaves."""
    many = 100
    Many = namedtuple("Many", [f"f{i}" for i in range(20)])
    parts = [list(range(many)), tuple(range(many)), {f"k{i}": i for i in range(many)}, Many(*range(20)),
             OrderedDict.fromkeys("zyx" * 20, 1), defaultdict(list, {i: i for i in range(many)})]
    for tree in [*parts, [1, parts, 2, (3, parts[0], 4)], [parts[1], 5, parts[2]], (parts[0],)]:
        for _ in range(USES_BEFORE_CODE + 2):
            leaves, treedef = ours.tree_flatten(tree)
            back = treedef.unflatten(leaves)
        assert tree == back and repr(type(tree)) == repr(type(back))
        assert repr(theirs.tree_unflatten(theirs.tree_structure(tree), leaves)) == repr(back)


def test_structures_of_one_type_and_length_take_turns():
    """Trees with generated code that come one after the other are recognised as what they are."""
    shapes = [(1, 2), (1, [2]), ([1], 2), ({"a": 1}, (2,)), (None, None)]
    for _ in range(USES_BEFORE_CODE + 5):
        for tree in shapes:
            assert repr(theirs.tree_flatten(tree)) == repr(ours.tree_flatten(tree))
    assert [None] * 3 == ours.tree_map(lambda x, y: x, [None] * 3, [None] * 3)


def test_deep_trees():
    """Depth is bounded by memory, not by the recursion limit."""
    tree, n = 1, 20_000
    for i in range(n):
        tree = [tree] if i % 2 else {"a": tree, "b": None}
    leaves, treedef = ours.tree_flatten(tree)
    assert ([1], 1 + n + n // 2) == (leaves, treedef.num_nodes)
    assert ours.tree_structure(ours.tree_map(str, tree)) is treedef
    assert treedef.flatten_up_to(tree) == [1]
    assert len(repr(treedef)) > 2 * n
    assert len(ours.tree_leaves_with_path(tree)[0][0]) == n
    assert pickle.loads(pickle.dumps(treedef)) is treedef
    boxed = 1
    for _ in range(n):
        boxed = Boxed([boxed], {"unhashable": []})
    assert ours.tree_structure(boxed) == ours.tree_structure(ours.tree_map(str, boxed))


@pytest.mark.parametrize("call", [
    ours.tree_leaves, ours.tree_leaves_with_path, lambda tree: ours.tree_leaves(tree, lambda x: False),
    pytest.param(lambda tree: adjoint.jit(lambda x: 1.0)(tree), marks=compiling),
], ids=["flatten", "paths", "is_leaf", "jit"])
@pytest.mark.parametrize("kind", ["list", "dict", "class"])
def test_shapesthat_are_inside_themselves(kind, call):
    tree = [1, [2, 3]]
    tree[1].append({"list": tree, "dict": {"a": tree}, "class": Boxed([tree], 0)}[kind])
    with pytest.raises(RecursionError, match="A tree has no end"):
        call(tree)


def test_deep_shapesin_generated_code():
    """Generated code has no nested statements."""
    tree = 1
    for _ in range(MAX_NODES_OF_CODE - 1):
        tree = (tree,)
    treedef = make_hot(tree)
    assert treedef._match is not None and treedef._unflatten is not None
    assert ours.tree_flatten(tree)[1] is treedef


# ---- what is equal ----


def test_interning_is_by_identity():
    """Equal treedefs of literals are one object, in all threads and after pickling."""
    tree = {"a": (1, [2, None]), "b": Point(3, OrderedDict(c=4))}
    treedef = ours.tree_structure(tree)
    assert treedef is ours.tree_structure(ours.tree_map(str, tree))
    assert treedef is pickle.loads(pickle.dumps(treedef))
    found = []
    gate = threading.Barrier(8)

    def flatten():
        gate.wait()
        found.append(ours.tree_structure([{f"k{i}": Point(1, [i])} for i in range(50)]))

    threads = [threading.Thread(target=flatten) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(t) for t in found}) == 1


class Color(enum.StrEnum):
    RED = "red"


EQUAL_NOT_SAME = [
    ({1: 0}, {True: 0}),
    ({1: 0}, {1.0: 0}),
    ({"red": 0}, {Color.RED: 0}),
    ({0.0: 0}, {-0.0: 0}),
    (Layer(1, 2, name=2), Layer(1, 2, name=2.0)),
    (Layer(1, 2, name=("x", 1)), Layer(1, 2, name=("x", True))),
    (Layer(1, 2, name=(1, (0.0,))), Layer(1, 2, name=(1, (-0.0,)))),
    (OrderedDict({1: 0}), OrderedDict({True: 0})),
    (defaultdict(int, {1: 0}), defaultdict(int, {True: 0})),
    (Boxed([0], 1), Boxed([0], True)),
    ([{"a": {1: 0}}], [{"a": {True: 0}}]),
]


@pytest.mark.parametrize("pair", EQUAL_NOT_SAME, ids=repr)
def test_equal_data_of_other_types_are_not_mixed_up(pair):
    """Treedefs whose data are equal are equal, as in JAX, yet each rebuilds its own tree."""
    for one, other in (pair, pair[::-1]):
        treedef = make_hot(one)
        mine = ours.tree_structure(other)
        assert theirs.tree_structure(one) == theirs.tree_structure(other)
        assert treedef == mine and mine == treedef
        for _ in range(USES_BEFORE_CODE + 2):
            assert repr(ours.tree_structure(other)) == repr(theirs.tree_structure(other))
            assert repr(ours.tree_structure(one)) == repr(theirs.tree_structure(one))


@pytest.mark.parametrize("left", TREES, ids=repr)
def test_equality_is_jaxs(left):
    """`==` of treedefs agrees with JAX for every pair, and equal ones have equal hashes."""
    a, b = ours.tree_structure(left), theirs.tree_structure(left)
    for right in TREES:
        c, d = ours.tree_structure(right), theirs.tree_structure(right)
        assert (b == d) == (a == c) == (not a != c)
        assert a != c or hash(a) == hash(c)
    assert a != left and a != "PyTreeDef" and a is not None


def test_match_gives_leaves_or_none():
    """`match` recognises exactly the trees of its structure, cold and hot."""
    for tree in TREES:
        treedef = ours.tree_structure(tree)
        for _ in range(USES_BEFORE_CODE + 2):
            for other in TREES:
                leaves, structure = ours.tree_flatten(other)
                expected = leaves if structure == treedef else None
                assert repr(expected) == repr(treedef.match(other))
                if repr(tree) == "{nan: 1}":  # nan is not nan: never the same
                    break


def test_match_leaves_a_defaultdict_alone():
    """Generated code does not look up missing keys, which would make them."""
    make_hot(defaultdict(list, a=1, b=2))
    other = defaultdict(list, a=1, c=2)
    ours.tree_flatten(other)
    assert {"a": 1, "c": 2} == other


def test_match_and_new_leaf_types():
    """Generated code takes types it never saw for leaves only once they are known to be."""
    tree = {"a": [1, 2], "b": 3}
    treedef = make_hot(tree)

    class New:
        pass

    for leaf in (New(), None, (1,), Point(1, 2), {}):
        other = {"a": [1, leaf], "b": 3}
        leaves, structure = ours.tree_flatten(other)
        assert repr(theirs.tree_structure(other)) == repr(structure)
        assert (treedef.match(other) is None) == (not isinstance(leaf, New))


def test_namedtuple_registered_late():
    """A namedtuple may become another node after it was used, and generated code notices."""
    Late = namedtuple("Late", "x y")
    before = make_hot([Late(1, 2)])
    ours.register_pytree_node(Late, lambda t: ((t.y, t.x), 9), lambda _, c: Late(c[1], c[0]))
    assert repr(ours.tree_flatten([Late(1, 2)])) == (
        "([2, 1], PyTreeDef([CustomNode(Late[9], [*, *])]))"
    )
    assert before.match([Late(1, 2)]) is None


def test_nothing_keeps_what_a_function_closes_over():
    """The static data of a dropped treedef are freed unless they are literals."""

    class Big:
        pass

    def dropped():
        big = Big()
        make_hot(ours.Partial(lambda: big, 1))
        return weakref.ref(big)

    alive = dropped()
    gc.collect()
    assert alive() is None


# ---- PyTreeDef's methods ----

METHODS = [
    ((1, 2), lambda d, lib: d.unflatten([1])),
    ((1, 2), lambda d, lib: d.unflatten([1, 2, 3])),
    ((1, 2), lambda d, lib: lib.tree_unflatten(d, iter("ab"))),
    ({"a": 1, "b": 2}, lambda d, lib: lib.tree_unflatten(d, {"x": 1, "y": 2})),
    (1, lambda d, lib: d.unflatten([])),
    (None, lambda d, lib: d.unflatten([1])),
    ((1, None), lambda d, lib: d.compose(lib.tree_structure([1, 2]))),
    ((1, {"a": None}), lambda d, lib: d.walk(lambda p, x: (p, x), lambda x: -x, [5])),
    ((1, 2), lambda d, lib: d.walk(lambda p, x: (p, x), lambda x: x, [1])),
    ((1, 2), lambda d, lib: d.walk(lambda p, x: (p, x), lambda x: x, [1, 2, 3])),
    (([1, 2], 3), lambda d, lib: d.from_iterable_tree([(4, 5), 6])),
    (([1, 2], 3), lambda d, lib: d.from_iterable_tree([(4, 5), 6, 7])),
    ({"b": 1, "a": 2}, lambda d, lib: d.from_iterable_tree({"x": 7, "y": 8})),
    (1, lambda d, lib: hasattr(d, "anything")),
]


@pytest.mark.parametrize("case", range(len(METHODS)))
def test_methods_as_jax(case):
    """Results and errors of the methods of `PyTreeDef`."""
    tree, method = METHODS[case]
    expected = outcome(method, theirs.tree_structure(tree), theirs)
    assert expected == outcome(method, ours.tree_structure(tree), ours)


def test_rebuilding_from_node_data_and_children():
    """`from_node_data_and_children` inverts `node_data` and `children`."""
    for tree in TREES:
        treedef = ours.tree_structure(tree)
        again = ours.PyTreeDef.from_node_data_and_children(
            ours.default_registry, treedef.node_data(), treedef.children()
        )
        assert repr(treedef) == repr(again)
    make = ours.PyTreeDef.from_node_data_and_children
    with pytest.raises(RuntimeError, match="Could not find type"):
        make(ours.default_registry, (int, None), [])
    with pytest.raises(RuntimeError, match="Number of keys"):
        make(ours.default_registry, (dict, ["a"]), [])
    with pytest.raises(TypeError, match="no constructor"):
        ours.PyTreeDef()


def test_pickled_treedefs_come_back_equal():
    """Every treedef whose data can be pickled survives it."""
    for tree in TREES:
        treedef = ours.tree_structure(tree)
        again = pickle.loads(pickle.dumps(treedef))
        assert repr(treedef) == repr(again)
        assert treedef == again or "nan" in repr(treedef)


BYTES = [
    {"a": 1},
    [1, None],
    (1, (2,), ()),
    {"b": [1, 2], "a": (None,), "": {"a": 1}},
    {},
    {"é": 2},
    {f"z{i}": [0] * i for i in range(150)},
]


@pytest.mark.parametrize("tree", BYTES, ids=lambda t: repr(t)[:40])
def test_protocol_buffers_are_jaxs(tree):
    """The bytes are those that JAX writes, and come back."""
    treedef = ours.tree_structure(tree)
    data = treedef.serialize_using_proto()
    assert theirs.tree_structure(tree).serialize_using_proto() == data
    assert treedef is ours.PyTreeDef.deserialize_using_proto(ours.default_registry, data)


def test_protocol_buffers_refuse_what_jax_refuses():
    """Registered classes, keys that are not str, and bytes that are no message."""

    def write(lib, tree):
        return outcome(lib.tree_structure(tree).serialize_using_proto)

    for tree in ({1: 2}, {True: 1}, Point(1, 2), OrderedDict(a=1), Boxed([1], 2)):
        assert write(theirs, tree) == write(ours, tree)

    def read(lib, data):
        return outcome(lib.PyTreeDef.deserialize_using_proto, lib.default_registry, data)

    for data, kind in (
        (b"abc", "RuntimeError"),
        (b"", "RuntimeError"),  # no node
        (b"\n\x02\x10\x01\n\x02\x10\x01", "RuntimeError"),  # two trees
        (b"\n\x04\x08\x02\x10\x04", "ValueError"),  # children that are not there
        (b"\n\x02\x10\x09", "ValueError"),  # an unknown node
        (b"\n\x02\x10\x01\n\t\x08\x01\x10\x05\x1a\x03\n\x01\x07\x12\x01a", "ValueError"),
    ):
        assert kind == read(theirs, data)[0] == read(ours, data)[0]


# ---- functions on trees ----

CALLS = [
    lambda lib: lib.tree_map(lambda x: x + 1, {"b": 1, "a": (2, None)}),
    lambda lib: lib.tree_map(lambda *x: x, (1, [2]), (3, [4]), is_leaf=lambda x: type(x) is list),
    lambda lib: lib.tree_map(lambda *x: x, (1, [2]), (3, 4), is_leaf=lambda x: type(x) is list),
    lambda lib: lib.tree_map(lambda *x: x, (1, 2), (3, 4), ((5,), [6])),
    lambda lib: lib.tree_map(lambda *x: x, {"a": 1}, {"a": (1, 2)}),
    lambda lib: lib.tree_map(lambda *x: x, {}, {}),
    lambda lib: lib.tree_map(3, (1, 2)),
    lambda lib: lib.tree_map(lambda x: x),
    lambda lib: lib.tree_map_with_path(lambda p, *x: (lib.keystr(p), x), (1, [2]), (3, [4])),
    lambda lib: lib.tree_map_with_path(
        lambda p, x: (len(p), x), (1, [2]), is_leaf=lambda p, x: bool(p), is_leaf_takes_path=True
    ),
    lambda lib: lib.tree_leaves_with_path({"a": [1]})[0][1],
    lambda lib: lib.tree_reduce(lambda a, b: (a, b), (1, 2, 3, 4, 5), None),
    lambda lib: lib.tree_reduce(lambda a, b: (a, b), (1, None), is_leaf=lambda x: x is None),
    lambda lib: lib.tree_reduce(lambda a, b: a + b, ()),
    *[
        lambda lib, n=n: lib.tree_reduce_associative(lambda a, b: (a, b), list(range(n)))
        for n in range(12)
    ],
    lambda lib: lib.tree_reduce_associative(lambda a, b: (a, b), [], identity=4),
    lambda lib: lib.tree_reduce_associative(lambda a, b: (a, b), [1], identity=4),
    lambda lib: lib.tree_all((True, 1, [])),
    lambda lib: lib.tree_all((True, [0])),
    lambda lib: lib.tree_all((1, []), is_leaf=lambda x: x == []),
    lambda lib: lib.all_leaves([1, "a", np.ones(2)]),
    lambda lib: lib.all_leaves([1, None]),
    lambda lib: lib.all_leaves([1, ()]),
    lambda lib: lib.all_leaves([1, (1, 2)], is_leaf=lambda x: True),
    lambda lib: lib.all_leaves([1, (3,)], is_leaf=lambda x: x == (3,)),
    lambda lib: lib.tree_structure((1, [2]), lambda x: type(x) is list),
    lambda lib: lib.treedef_children(lib.tree_structure((1, [2]))),
    lambda lib: lib.treedef_tuple(()),
    lambda lib: transpose(lib, (1, 2), [1, 2], ([1, 2], [3, 4])),
    lambda lib: transpose(lib, (1, 2), [1, 2], ([1, 2], {"a": 3, "b": 4})),
    lambda lib: transpose(lib, (1, None, 2), [1, 2], ([1, 2], None, [3, 4])),
    lambda lib: transpose(lib, (1, 2), [1, 2, 3], ([1, 2], [3, 4])),
    lambda lib: transpose(lib, (1, 2), None, ([1, 2], [3, 4])),
    lambda lib: transpose(lib, (1, 2), None, ([1, 2], [3, 4, 5])),
    lambda lib: transpose(lib, (1, 2), None, [1, 2]),
    lambda lib: transpose(lib, None, 1, None),
    lambda lib: transpose(lib, [1], None, 3),
    lambda lib: lib.tree_broadcast((1, 2), ((3, 4), [5])),
    lambda lib: lib.tree_broadcast(1, (1, {"a": None, "b": 2})),
    lambda lib: lib.tree_broadcast((1, None), ((3, 4), [5]), is_leaf=lambda x: x is None),
    lambda lib: lib.tree_broadcast([1, 2], [None, {"a": 3}]),
    lambda lib: lib.keystr(("raw", lib.GetAttrKey("a"), lib.FlattenedIndexKey(3), 3)),
    lambda lib: lib.keystr(("raw", lib.SequenceKey(1)), simple=True, separator="."),
    lambda lib: lib.keystr((lib.DictKey(3), lib.DictKey((1, "a"))), simple=True, separator="."),
    lambda lib: lib.keystr((lib.DictKey("a"), lib.SequenceKey(0)), separator="."),
    lambda lib: lib.keystr(()),
    lambda lib: [lib.is_tree_node(t) for t in (tuple, Point, int, type(None), Layer, OrderedDict, 1.5, (1,))],
]


def transpose(lib, outer, inner, tree):
    inner = None if inner is None else lib.tree_structure(inner)
    return lib.tree_transpose(lib.tree_structure(outer), inner, tree)


@pytest.mark.parametrize("case", range(len(CALLS)))
def test_functions_as_jax(case):
    """Results, and classes and texts of errors."""
    assert outcome(CALLS[case], theirs) == outcome(CALLS[case], ours)


def test_short_names_are_the_same_functions():
    """`adjoint.tree` renames what `adjoint.tree_util` has; as in JAX, each is called by its name."""
    for name in set(adjoint.tree.__all__) - {"static"}:
        short = getattr(adjoint.tree, name)
        assert short.__code__ is getattr(ours, f"tree_{name}").__code__
        assert short.__name__ == getattr(jax.tree, name).__name__ == name


# ---- properties ----

scalars = st.integers(-3, 3) | st.floats(allow_nan=False) | st.just("leaf")
keys = st.sampled_from(["a", "b", "c", "dd"])
literals = st.sampled_from(["relu", 1, True, 1.0, None, (1, "x"), (1.0, (True,)), 0.0])


def containers(children):
    """Containers of trees that `children` makes."""
    some = st.lists(children, max_size=3)
    two = st.tuples(children, children)
    return st.one_of(
        some,
        some.map(tuple),
        st.dictionaries(keys, children, max_size=3),
        st.dictionaries(st.integers(0, 3) | st.booleans(), children, max_size=3),
        st.dictionaries(keys, children, max_size=3).map(OrderedDict),
        st.dictionaries(keys, children, max_size=3).map(lambda d: defaultdict(list, d)),
        two.map(lambda t: Point(*t)),
        st.tuples(children, children, literals).map(lambda t: Layer(*t)),
        st.tuples(some, literals | st.just({"un": "hashable"})).map(lambda t: Boxed(*t)),
        two.map(lambda t: Named(*t)),
    )


any_tree = st.recursive(scalars | st.none(), containers, max_leaves=12)


@settings(max_examples=200, deadline=None)
@given(any_tree)
def test_any_tree_flattens_as_in_jax(tree):
    """Text, counts and paths agree with JAX, cold and hot; rebuilding gives the same text."""
    expected = texts(theirs, tree)
    assert expected == texts(ours, tree)
    treedef = make_hot(tree)
    assert expected == texts(ours, tree)
    again = treedef.unflatten(ours.tree_leaves(tree))
    assert expected == texts(ours, again)
    assert repr(theirs.tree_structure(theirs.tree_map(str, tree))) == repr(treedef)


@settings(max_examples=200, deadline=None)
@given(any_tree, any_tree)
def test_any_two_shapescompare_as_in_jax(left, right):
    """Equality and prefixes agree with JAX, cold and hot; `match` is equality of data and types."""
    equal = theirs.tree_structure(left) == theirs.tree_structure(right)
    fits = outcome(flatten_up_to, theirs, left, right)
    for heat in (lambda tree: None, make_hot):
        heat(left)
        a, b = ours.tree_structure(left), ours.tree_structure(right)
        assert equal == (a == b) == (b == a)
        assert (equal and repr(a) == repr(b)) == (a.match(right) is not None)
        mine = outcome(flatten_up_to, ours, left, right)
        assert type(fits) is type(mine)
        assert fits == mine or not isinstance(fits, str)
        assert equal == (not trees.tree_difference(left, right))
        assert (isinstance(fits, str)) == (not trees.prefix_errors(left, right))


# ---- what lies below the leaves ----


@pytest.mark.parametrize("calls", [1, 2 * USES_BEFORE_CODE])
@pytest.mark.parametrize("below", [{("a",): 1, "b": 2}, {1: 2, "b": 3}], ids=["a tuple", "a number"])
def test_a_map_does_not_look_below_the_leaves_of_its_first_tree(calls, below):
    """The other trees may hold dicts there whose keys have no order."""
    for lib in (ours, theirs):
        for _ in range(calls):
            assert lib.tree_map(lambda a, b: len(b), {"x": 1, "y": (2,)}, {"x": below, "y": (below,)}) == {
                "x": 2, "y": (2,)}
            with pytest.raises(ValueError, match="sorting pytree dictionary keys"):
                lib.tree_map(lambda a, b: b, {"x": [1]}, {"x": below})


def test_a_map_does_not_follow_what_holds_itself_below_the_leaves():
    endless = []
    endless.append(endless)
    assert ours.tree_map(lambda a, b: len(b), [1], [endless]) == [1]


# ---- data and functions of every kind, also once trees of the class are in heavy use ----


class AnyData:
    """Registered with data and results of any kind."""

    def __init__(self, result):
        self.result = result


for lib in (ours, theirs):
    lib.register_pytree_node(AnyData, lambda x: x.result, lambda data, parts: AnyData((parts, data)))


@pytest.mark.parametrize("usual", [2, "a", (1, 2), None, 2.5], ids=repr)
@pytest.mark.parametrize("other", [np.arange(2), np.arange(3), np.arange(1), [np.arange(2)], (1, np.arange(2))],
                         ids=repr)
def test_arrays_may_be_data_where_other_data_were_usual(usual, other):
    """An array that is compared answers with an array."""
    for lib in (ours, theirs):
        for _ in range(2 * USES_BEFORE_CODE):
            assert lib.tree_leaves(AnyData(((1, 2), usual))) == [1, 2]
        for _ in range(2 * USES_BEFORE_CODE):
            tree = AnyData(((1, 2), other))
            assert lib.tree_leaves(tree) == [1, 2]
            assert lib.tree_map(str, tree).result[1] is other


@pytest.mark.parametrize("result", [1, (1,), ((1,), 2, 3), (5, None), [(1,), None]], ids=repr)
def test_what_is_no_pair_of_children_and_data_is_named(result):
    """Also where trees of the class are in heavy use, and by the functions of one level."""
    for lib in (ours, theirs):
        for _ in range(2 * USES_BEFORE_CODE):
            lib.tree_leaves(AnyData(((1, 2), None)))
        for function in (lib.tree_leaves, lib.tree_flatten_with_path, lib.default_registry.flatten_one_level):
            with pytest.raises(ValueError, match=r"should return a \(children, aux_data\)"):
                function(AnyData(result))


def test_walk_gives_the_class_of_a_named_tuple():
    for lib in (ours, theirs):
        assert lib.tree_structure(Point(1, (2,))).walk(lambda parts, data: (parts, data), str, [1, 2]) == (
            ("1", (("2",), None)), Point)
