# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any, overload
from typing_extensions import TypeVar
from adjoint.tree_util import PyTreeDef
from collections.abc import Callable
from collections.abc import Iterable
from typing import Any
from typing_extensions import TypeVar
_T = TypeVar("_T")
def all(tree: Any, *, is_leaf: Callable[[Any], bool] | None = None) -> bool:
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
def broadcast(prefix_tree: Any, full_tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
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
def flatten(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> tuple[list[Any], PyTreeDef]:
    """Return the leaves of a tree, left to right, and its structure.

    Args:
      tree: any pytree.
      is_leaf: asked about every node on the way down; True makes it a leaf.
    Returns:
      The list of leaves, and the structure.
    Raises:
      ValueError: the keys of a dict cannot be compared, or `is_leaf` returned no bool.

    >>> import adjoint
    >>> adjoint.tree.flatten({"b": (1, None), "a": [2, 3]})
    ([2, 3, 1], PyTreeDef({'a': [*, *], 'b': (*, None)}))
    """
def flatten_with_path(tree: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False) -> tuple[list[tuple[tuple[Any, ...], Any]], PyTreeDef]:
    """Flatten a tree as `tree_flatten` does, into pairs `(path, leaf)`; `is_leaf(path, x)` if `is_leaf_takes_path`.

    Args:
      tree: a tree.
      is_leaf: which nodes are taken for leaves, as a function of the node.
      is_leaf_takes_path: `is_leaf` is a function of the path and the node.
    Returns:
      The list of pairs, and the structure.
    Raises:
      ValueError: the keys of a dict cannot be sorted.
      TypeError: `is_leaf` is no function.

    >>> import adjoint
    >>> adjoint.tree.flatten_with_path({"a": [5]})[0]
    [((DictKey(key='a'), SequenceKey(idx=0)), 5)]
    """
def leaves(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> list[Any]:
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
def leaves_with_path(tree: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False) -> list[tuple[tuple[Any, ...], Any]]:
    """Return the pairs `(path, leaf)` of a tree.

    Args:
      tree: a tree.
      is_leaf: which nodes are taken for leaves, as a function of the node.
      is_leaf_takes_path: `is_leaf` is a function of the path and the node.
    Returns:
      The list of pairs.
    Raises:
      ValueError: the keys of a dict cannot be sorted.
      TypeError: `is_leaf` is no function.

    >>> ad.tree.leaves_with_path({"a": 1.0, "b": [2.0]})
    [((DictKey(key='a'),), 1.0), ((DictKey(key='b'), SequenceKey(idx=0)), 2.0)]
    """
def map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
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
def map_with_path(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False) -> Any:
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
@overload
def reduce(function: Callable[[_T, Any], _T], tree: Any, initializer: _T, is_leaf: Callable[[Any], bool] | None = None) -> _T:
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
@overload
def reduce(function: Callable[[_T, Any], _T], tree: Any, *, is_leaf: Callable[[Any], bool] | None = None) -> _T:
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
def reduce_associative(operation: Callable[[_T, _T], _T], tree: Any, *, identity: Any = ..., is_leaf: Callable[[Any], bool] | None = None) -> _T:
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
def static(**kwargs: Any) -> Any:
    """Return a dataclass field that `register_dataclass` takes for static.

    Args:
      **kwargs: those of `dataclasses.field`, such as `default`.
    Returns:
      A field; it becomes part of the tree's structure, so its values are compared and hashed.
    Raises:
      TypeError: `dataclasses.field` has no such argument.
      ValueError: it has both `default` and `default_factory`.

    >>> import adjoint, dataclasses
    >>> @adjoint.tree_util.register_dataclass
    ... @dataclasses.dataclass
    ... class Layer:
    ...     weights: list
    ...     name: str = adjoint.tree.static(default="dense")
    >>> adjoint.tree.leaves(Layer([1.0, 2.0]))
    [1.0, 2.0]
    """
def structure(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> PyTreeDef:
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
def transpose(outer_treedef: PyTreeDef, inner_treedef: PyTreeDef | None, pytree_to_transpose: Any) -> Any:
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
def unflatten(treedef: PyTreeDef, leaves: Iterable[Any]) -> Any:
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
