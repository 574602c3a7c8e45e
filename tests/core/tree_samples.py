"""Trees, and classes that are nodes in both libraries, for the tests of pytrees."""

from __future__ import annotations

import collections
import dataclasses
import functools
from collections import OrderedDict, defaultdict, namedtuple
from typing import Any, NamedTuple

import numpy as np
from tests.messages import what
from tests.recorded import jax

import adjoint.tree_util as ours
from adjoint.core.tree.treedef import USES_BEFORE_CODE

theirs = jax.tree_util

Point = namedtuple("Point", "x y")


class Pair(NamedTuple):
    first: Any
    second: Any


@dataclasses.dataclass
class Layer:
    w: Any
    b: Any
    name: Any = dataclasses.field(default="dense", metadata={"static": True})


class Boxed:
    """Registered by functions, without names for its children."""

    def __init__(self, children, data):
        self.children, self.data = list(children), data

    def __repr__(self):
        return f"Boxed({self.children}, {self.data})"


class Named:
    """Registered with the names of its children, one of which is no key object."""

    def __init__(self, a, b):
        self.a, self.b = a, b

    def __repr__(self):
        return f"Named({self.a}, {self.b})"


for lib in (ours, theirs):
    lib.register_dataclass(Layer)
    lib.register_pytree_node(
        Boxed, lambda x: (x.children, x.data), lambda data, parts: Boxed(parts, data)
    )
    lib.register_pytree_with_keys(
        Named,
        lambda x, lib=lib: (((lib.GetAttrKey("a"), x.a), ("raw", x.b)), "aux"),
        lambda data, parts: Named(*parts),
    )

TREES = [
    1,
    None,
    (),
    [],
    {},
    (1,),
    [1, {"a": 1, "b": (2, None)}],
    {"b": 1, "a": 2},
    {2: 1, 1: [2]},
    {(1, 2): 3, (0, 1): 4},
    {"it's": 1},
    {True: 1, 2: 3},
    {float("nan"): 1},
    Point(1, [2]),
    Pair(None, Point(1, 2)),
    OrderedDict(b=1, a=[2]),
    defaultdict(list, b=1, a=2),
    defaultdict(None, b=1),
    Boxed([1, [2]], {"unhashable": [3]}),
    Boxed([], None),
    Layer(1, {"c": 2}),
    Layer(1, 2, name=(0.5, "x")),
    Named([1], 2),
    [Boxed([Layer(None, 1)], "aux"), OrderedDict(x=(Point(1, 2),))],
    collections.deque([1, 2]),
    functools.partial(max, 1),
    (np.ones(2), {"w": np.zeros(3)}),
]


def texts(lib, tree):
    """What a library says of a tree, as text and numbers."""
    pairs, treedef = lib.tree_flatten_with_path(tree)
    return dict(
        leaves=[str(x) for x in lib.tree_leaves(tree)],
        treedef=repr(treedef),
        str=str(treedef),
        counts=(treedef.num_leaves, treedef.num_nodes),
        node=repr(treedef.node_data()),
        children=[repr(d) for d in treedef.children()],
        paths=[lib.keystr(path) for path, _ in pairs],
        simple=[lib.keystr(path, simple=True, separator="/") for path, _ in pairs],
        path_leaves=[str(leaf) for _, leaf in pairs],
        is_leaf=lib.treedef_is_leaf(treedef),
        tuple=repr(lib.treedef_tuple([treedef, treedef])),
        composed=repr(treedef.compose(lib.tree_structure([0, None]))),
    )


def outcome(function, *args):
    """The result as text, or the class of the error and what it says."""
    try:
        return repr(function(*args))
    except Exception as error:
        kind = next(c for c in type(error).__mro__ if c.__module__ == "builtins")
        return kind.__name__, what(error)


def make_hot(tree):
    """Use a tree until code is generated for its structure."""
    leaves, treedef = ours.tree_flatten(tree)
    for _ in range(USES_BEFORE_CODE + 2):
        ours.tree_flatten(tree)
        treedef.unflatten(leaves)
    return treedef


def flatten_up_to(lib, prefix, full):
    return lib.tree_structure(prefix).flatten_up_to(full)
