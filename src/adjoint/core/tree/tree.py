"""Functions on pytrees, and the door to the rest: other folders import all of it from here.

A pytree is a nest of containers (None, tuple, list, dict in the order of its sorted keys,
OrderedDict, defaultdict, namedtuples, registered classes); everything else is a leaf.
`tree_flatten` gives leaves and a `PyTreeDef`, `tree_unflatten` goes back, and the functions below
are compositions of the two.

Reading order: node_specs.py (containers), treedef.py (structures, flattening), code.py
(generated code), paths.py, differences.py, registry.py (registering), bytes.py.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from ..messages.errors import message
from .differences import TreeDifference, broadcast_prefix, flatten_up_to, prefix_errors, tree_difference
from .node_specs import TUPLE, find_node, node_spec
from .paths import (
    DictKey,
    FlattenedIndexKey,
    GetAttrKey,
    KeyEntry,
    KeyPath,
    SequenceKey,
    flatten_with_paths,
    keystr,
    leaf_paths,
    tree_flatten_with_path,
    tree_leaves_with_path,
)
from .registry import (
    Partial,
    PyTreeRegistry,
    default_registry,
    flatten_one_level,
    flatten_one_level_with_keys,
    is_tree_node,
    register_dataclass,
    register_pytree_node,
    register_pytree_node_class,
    register_pytree_with_keys,
    register_pytree_with_keys_class,
    register_static,
    static,
)
from .treedef import IsLeaf, PyTreeDef, tree_flatten, treedef_of

__all__ = [
    "DictKey",
    "FlattenedIndexKey",
    "GetAttrKey",
    "KeyEntry",
    "KeyPath",
    "Partial",
    "PyTreeDef",
    "PyTreeRegistry",
    "SequenceKey",
    "TreeDifference",
    "all_leaves",
    "broadcast_prefix",
    "default_registry",
    "flatten_one_level",
    "flatten_one_level_with_keys",
    "flatten_up_to",
    "is_tree_node",
    "keystr",
    "leaf_paths",
    "prefix_errors",
    "register_dataclass",
    "register_pytree_node",
    "register_pytree_node_class",
    "register_pytree_with_keys",
    "register_pytree_with_keys_class",
    "register_static",
    "static",
    "tree_all",
    "tree_broadcast",
    "tree_difference",
    "tree_flatten",
    "tree_flatten_with_path",
    "tree_leaves",
    "tree_leaves_with_path",
    "tree_map",
    "tree_map_with_path",
    "tree_reduce",
    "tree_reduce_associative",
    "tree_structure",
    "tree_transpose",
    "tree_unflatten",
    "treedef_children",
    "treedef_is_leaf",
    "treedef_tuple",
]

T = TypeVar("T")


class Unspecified:
    """The absence of an argument for which None is a value."""

    def __repr__(self) -> str:
        return "Unspecified"


_unspecified = Unspecified()


def tree_unflatten(treedef: PyTreeDef, leaves: Iterable[Any]) -> Any:
    """Return the tree with this structure and these leaves; ValueError unless their number fits.

    Args:
      treedef: the structure.
      leaves: its leaves, left to right.
    Returns:
      The tree.
    Raises:
      ValueError: the number of leaves does not fit.

    >>> import adjoint
    >>> adjoint.tree.unflatten(adjoint.tree.structure((0, [0])), "ab")
    ('a', ['b'])
    """
    return treedef.unflatten(leaves)


def tree_leaves(tree: Any, is_leaf: IsLeaf | None = None) -> list[Any]:
    """Return the leaves of a tree, left to right.

    Args:
      tree: a tree.
      is_leaf: which nodes are taken for leaves, as a function of the node.
    Returns:
      The list of leaves.
    Raises:
      ValueError: the keys of a dict cannot be sorted.
      TypeError: `is_leaf` is no function.

    >>> import adjoint
    >>> adjoint.tree.leaves({"b": 1, "a": (2, None, 3)})
    [2, 3, 1]
    """
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree: Any, is_leaf: IsLeaf | None = None) -> PyTreeDef:
    """Return the structure of a tree.

    Args:
      tree: a tree.
      is_leaf: which nodes are taken for leaves, as a function of the node.
    Returns:
      The `PyTreeDef`: nodes, keys and numbers of children, with a `*` for each leaf.
    Raises:
      ValueError: the keys of a dict cannot be sorted.
      TypeError: `is_leaf` is no function.

    >>> import adjoint
    >>> adjoint.tree.structure({"a": 1, "b": (2, 3)})
    PyTreeDef({'a': *, 'b': (*, *)})
    """
    return tree_flatten(tree, is_leaf)[1]


def tree_map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: IsLeaf | None = None) -> Any:
    """Return the tree of `f(leaf, *(that place of each tree in rest))`.

    Args:
      f: takes one leaf of `tree` and, from each of `rest`, the subtree at the same place.
      tree: decides the structure; it must be a prefix of each of `rest`.
      rest: trees of which `tree` is a prefix.
      is_leaf: asked about the nodes of `tree`; True makes one a leaf.
    Returns:
      A tree of the structure of `tree`.
    Raises:
      PytreeError (a ValueError): `tree` is no prefix of one of `rest`; names the path.

    >>> import adjoint
    >>> adjoint.tree.map(lambda x, y: x + y, {"a": 1, "b": (2,)}, {"a": 10, "b": (20,)})
    {'a': 11, 'b': (22,)}
    """
    leaves, treedef = tree_flatten(tree, is_leaf)
    if not rest:
        return treedef.unflatten([*map(f, leaves)])
    others = [
        flatten_up_to(treedef, tree, r, "tree_map tree", is_leaf) if (found := treedef.match(r)) is None else found
        for r in rest
    ]
    return treedef.unflatten([*map(f, leaves, *others)])


def tree_map_with_path(
    f: Callable[..., Any],
    tree: Any,
    *rest: Any,
    is_leaf: Callable[..., bool] | None = None,
    is_leaf_takes_path: bool = False,
) -> Any:
    """Return `tree_map` with the path of the leaf as first argument of `f`.

    Args:
      f: a function of a path and the leaves at it.
      tree: a tree.
      *rest: trees that have the structure of `tree` at least.
      is_leaf: which nodes are taken for leaves, as a function of the node.
      is_leaf_takes_path: `is_leaf` is a function of the path and the node.
    Returns:
      A tree of the structure of `tree`.
    Raises:
      TypeError: `f` is not a function.

    >>> import adjoint
    >>> adjoint.tree.map_with_path(lambda path, x: (len(path), x), {"a": [5]})
    {'a': [(2, 5)]}
    """
    paths, leaves, treedef = flatten_with_paths(tree, is_leaf, is_leaf_takes_path)
    if not rest:
        return treedef.unflatten([*map(f, paths, leaves)])
    plain = None if is_leaf_takes_path else is_leaf
    what = "tree_map_with_path tree"
    others = [
        flatten_up_to(treedef, tree, r, what, plain) if (found := treedef.match(r)) is None else found for r in rest
    ]
    return treedef.unflatten([*map(f, paths, leaves, *others)])


def tree_broadcast(prefix_tree: Any, full_tree: Any, is_leaf: IsLeaf | None = None) -> Any:
    """Return the tree of `full_tree`'s structure where each leaf is the leaf of `prefix_tree` above it.

    Args:
      prefix_tree: a tree whose leaves stand for subtrees.
      full_tree: the tree whose structure the result has.
      is_leaf: which nodes are taken for leaves, as a function of the node.
    Returns:
      A tree of the structure of `full_tree`.
    Raises:
      ValueError: `prefix_tree` is not a prefix of `full_tree`.

    >>> import adjoint
    >>> adjoint.tree.broadcast((1, 2), ({"a": 0}, [0, 0]))
    ({'a': 1}, [2, 2])
    """
    return tree_structure(full_tree).unflatten(broadcast_prefix(prefix_tree, full_tree, is_leaf))


def tree_reduce(
    function: Callable[[T, Any], T],
    tree: Any,
    initializer: T | Unspecified = _unspecified,
    is_leaf: IsLeaf | None = None,
) -> T:
    """Return the leaves combined from left to right, like `functools.reduce`.

    Raises TypeError if there is neither a leaf nor an initializer.

    Args:
      function: a function of what there is so far and the next leaf.
      tree: a tree.
      initializer: what there is at first; default the first leaf.
      is_leaf: which nodes are taken for leaves, as a function of the node.
    Returns:
      What `function` returned last.
    Raises:
      TypeError: `function` is not a function.

    >>> import adjoint
    >>> adjoint.tree.reduce(lambda x, y: 10 * x + y, {"a": 1, "b": (2, 3)})
    123
    """
    if isinstance(initializer, Unspecified):
        return functools.reduce(function, tree_leaves(tree, is_leaf))
    return functools.reduce(function, tree_leaves(tree, is_leaf), initializer)


def tree_reduce_associative(
    operation: Callable[[T, T], T],
    tree: Any,
    *,
    identity: T | Unspecified = _unspecified,
    is_leaf: IsLeaf | None = None,
) -> T:
    """Return the leaves combined in a balanced order, so that the depth is logarithmic.

    `identity` is the result for a tree without leaves, which otherwise raises TypeError.

    Args:
      operation: a function of two leaves, or of its results; associative.
      tree: a tree.
      identity: the result for a tree without leaves.
      is_leaf: which nodes are taken for leaves, as a function of the node.
    Returns:
      What `operation` returned last.
    Raises:
      TypeError: there are no leaves, and no `identity`.

    >>> import adjoint
    >>> adjoint.tree.reduce_associative(lambda x, y: (x, y), [1, 2, 3, 4])
    ((1, 2), (3, 4))
    """
    leaves = tree_leaves(tree, is_leaf)
    if not leaves:
        if isinstance(identity, Unspecified):
            raise TypeError("Must specify identity for parallel reduction of empty sequence.")
        return identity

    def combine(start: int, stop: int) -> T:
        if stop - start == 1:
            return leaves[start]
        middle = (start + stop) // 2
        return operation(combine(start, middle), combine(middle, stop))

    return combine(0, len(leaves))


def tree_all(tree: Any, *, is_leaf: IsLeaf | None = None) -> bool:
    """Return whether all leaves are true.

    Args:
      tree: a tree.
      is_leaf: which nodes are taken for leaves, as a function of the node.
    Raises:
      ValueError: the keys of a dict cannot be sorted.
      TypeError: `is_leaf` is no function.

    >>> import adjoint
    >>> adjoint.tree.all({"a": True, "b": [1, 0]})
    False
    """
    return all(tree_leaves(tree, is_leaf))


def tree_transpose(
    outer_treedef: PyTreeDef, inner_treedef: PyTreeDef | None, pytree_to_transpose: Any
) -> Any:
    """Return the inner structure of outer trees, of an outer structure of inner trees.

    `inner_treedef=None` takes the structure of the first inner tree. Raises TypeError if the
    number of leaves does not fit.

    Args:
      outer_treedef: the structure outside.
      inner_treedef: the structure inside; None finds it.
      pytree_to_transpose: a tree of the one, whose leaves are trees of the other.
    Raises:
      TypeError: the number of leaves does not fit.
      ValueError: a tree inside has another structure.

    >>> import adjoint
    >>> outer, inner = adjoint.tree.structure((0, 0)), adjoint.tree.structure([0, 0, 0])
    >>> adjoint.tree.transpose(outer, inner, ([1, 2, 3], [4, 5, 6]))
    [(1, 4), (2, 5), (3, 6)]
    """
    leaves, treedef = tree_flatten(pytree_to_transpose)
    if inner_treedef is None:
        inner_treedef = tree_structure(outer_treedef.flatten_up_to(pytree_to_transpose)[0])
    n, m = outer_treedef.num_leaves, inner_treedef.num_leaves
    if treedef.num_leaves != n * m:
        raise TypeError(
            message(
                f"Mismatch\n{treedef}\n != \n{outer_treedef.compose(inner_treedef)}",
                fix="the structures that the tree has: jax.tree.structure of its outer level, and of one part of it",
            )
        )
    columns = range(m if leaves else 0)
    return inner_treedef.unflatten([outer_treedef.unflatten(leaves[j::m]) for j in columns])


def all_leaves(iterable: Iterable[Any], is_leaf: IsLeaf | None = None) -> bool:
    """Return whether every element is a leaf, or one for `is_leaf`.

    Args:
      iterable: any objects.
      is_leaf: which nodes are taken for leaves, as a function of the node.
    Raises:
      TypeError: the argument cannot be iterated over.

    >>> tree_util.all_leaves([1, 2]), tree_util.all_leaves([1, (2, 3)])
    (True, False)
    """
    if is_leaf is None:
        return all(find_node(type(x)) is None for x in iterable)
    elements = list(iterable)
    leaves = tree_leaves(elements, is_leaf)
    return len(leaves) == len(elements) and all(x is y for x, y in zip(leaves, elements))


def treedef_children(treedef: PyTreeDef) -> list[PyTreeDef]:
    """Return the treedefs of the direct children.

    Args:
      treedef: a structure.
    Returns:
      A list of structures.
    Raises:
      AttributeError: it is no structure, but perhaps the tree itself: `tree.structure(x)` is the structure of x.

    >>> treedef_children(ad.tree.structure((1, [2, 3])))
    [PyTreeDef(*), PyTreeDef([*, *])]
    """
    return treedef.children()


def treedef_is_leaf(treedef: PyTreeDef) -> bool:
    """Return whether there is one node only: a leaf, or (as in JAX) a container without children.

    Args:
      treedef: a structure.
    Returns:
      A bool of Python.
    Raises:
      AttributeError: it is no structure, but perhaps the tree itself: `tree.structure(x)` is the structure of x.

    >>> treedef_is_leaf(ad.tree.structure(1)), treedef_is_leaf(ad.tree.structure([1]))
    (True, False)
    """
    return treedef.num_nodes == 1


def treedef_tuple(treedefs: Iterable[PyTreeDef]) -> PyTreeDef:
    """Return the treedef of a tuple of trees of these structures.

    Args:
      treedefs: structures.
    Returns:
      The structure of the tuple.
    Raises:
      RuntimeError: an element is no `PyTreeDef`.

    >>> treedef_tuple([ad.tree.structure(1), ad.tree.structure([1, 2])])
    PyTreeDef((*, [*, *]))
    """
    treedefs = tuple(treedefs)
    for treedef in treedefs:
        if not isinstance(treedef, PyTreeDef):
            raise RuntimeError(f"treedef_tuple: expected treedefs, got {treedef!r}.")
    return treedef_of(node_spec(TUPLE, None), treedefs)
