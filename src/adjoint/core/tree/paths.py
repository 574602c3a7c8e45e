"""Key paths: where in a tree a leaf is.

A path is a tuple of keys: `DictKey`, `SequenceKey`, `GetAttrKey`, `FlattenedIndexKey` (a child of a
class that gave no names), or whatever a class registered; `keystr` prints it as Python,
`['params'][0].w`. Paths that depend on the treedef alone are made once and kept on it. See
treedef.py for the structures, differences.py for errors that print paths.

Tests: `tests/core/test_tree_paths.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, NoReturn, TypeVar

from .code import compile_paths
from .node_specs import Node, NodeSpec, checked_parts, leaf_types, node_spec, nodes, take_apart
from .treedef import DEPTH_OF_CYCLES, LEAF, PyTreeDef, is_true, refuse_cycle, tree_flatten, treedef_of

KeyEntry = TypeVar("KeyEntry", bound=Hashable)
KeyPath = tuple[KeyEntry, ...]


class _Key:
    """The base of the kinds of key: one immutable value."""

    __slots__ = ("_value",)
    __match_args__: tuple[str, ...] = ()

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; make a new one.")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._value == other._value

    def __hash__(self) -> int:
        return hash((type(self), self._value))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.__match_args__[0]}={self._value!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._value,)


_set_value = _Key.__dict__["_value"].__set__  # classes that name their children make keys whenever they are flattened


def _refuse(key: _Key, kind: type, value: Any) -> NoReturn:
    expected = f"{kind.__name__} for {key.__match_args__[0]!r}"
    raise TypeError(f"{type(key).__name__}(): expected {expected}, got {value!r}.")


class DictKey(_Key):
    """The key of a dict's value; prints as `['key']`.

    Args:
      key: the key.

    >>> tree_util.tree_leaves_with_path({'a': 1})
    [((DictKey(key='a'),), 1)]
    >>> tree_util.keystr((tree_util.DictKey('a'),))
    "['a']"
    """

    __slots__ = ()
    __match_args__ = ("key",)

    def __init__(self, key: Hashable):
        _set_value(self, key)

    @property
    def key(self) -> Hashable:
        """Return the dict's key."""
        return self._value

    def __str__(self) -> str:
        return f"[{self._value!r}]"


class SequenceKey(_Key):
    """The position in a tuple or list; prints as `[idx]`.

    Args:
      idx: the position.

    >>> tree_util.tree_leaves_with_path([1])
    [((SequenceKey(idx=0),), 1)]
    >>> tree_util.keystr((tree_util.SequenceKey(0),))
    '[0]'
    """

    __slots__ = ()
    __match_args__ = ("idx",)

    def __init__(self, idx: int):
        if not isinstance(idx, int):
            _refuse(self, int, idx)
        _set_value(self, idx)

    @property
    def idx(self) -> int:
        """Return the position."""
        return self._value

    def __str__(self) -> str:
        return f"[{self._value}]"


class GetAttrKey(_Key):
    """The name of a field; prints as `.name`.

    Args:
      name: the name of the field.

    >>> tree_util.keystr((tree_util.GetAttrKey('weights'),))
    '.weights'
    """

    __slots__ = ()
    __match_args__ = ("name",)

    def __init__(self, name: str):
        if not isinstance(name, str):
            _refuse(self, str, name)
        _set_value(self, name)

    @property
    def name(self) -> str:
        """Return the field's name."""
        return self._value

    def __str__(self) -> str:
        return f".{self._value}"


class FlattenedIndexKey(_Key):
    """The position among the children of a class that names none: `[<flat index key>]`.

    Args:
      key: the position.

    >>> tree_util.keystr((tree_util.FlattenedIndexKey(0),))
    '[<flat index 0>]'
    """

    __slots__ = ()
    __match_args__ = ("key",)

    def __init__(self, key: int):
        if not isinstance(key, int):
            _refuse(self, int, key)
        _set_value(self, key)

    @property
    def key(self) -> int:
        """Return the position."""
        return self._value

    def __str__(self) -> str:
        return f"[<flat index {self._value}>]"


BuiltInKeyEntry = DictKey | SequenceKey | GetAttrKey | FlattenedIndexKey


def keystr(keys: Iterable[Any], *, simple: bool = False, separator: str = "") -> str:
    """Return a key path as text: `['a'][0].b`; with `simple=True` only the names, `a0b`.

    Args:
      keys: a path, as `tree_flatten_with_path` gives it.
      simple: names alone.
      separator: stands between the names.
    Returns:
      The text.
    Raises:
      TypeError: `keys` cannot be iterated over.

    >>> from adjoint.tree_util import DictKey, SequenceKey, keystr
    >>> path = (DictKey("layers"), SequenceKey(2))
    >>> keystr(path), keystr(path, simple=True, separator="/")
    ("['layers'][2]", 'layers/2')
    """
    return separator.join(
        [str(k._value) if simple and isinstance(k, _Key) else str(k) for k in keys]
    )


for _kind in (DictKey, SequenceKey, GetAttrKey, FlattenedIndexKey):
    _kind.__module__ = "adjoint.tree_util"


# ---- the keys of one container ----


def _names(head: NodeSpec, n: int) -> list[Any]:
    """Return the keys of a container's n children, as far as its head tells them."""
    node = head.node
    match node.style:
        case "dict" | "OrderedDict":
            return [DictKey(k) for k in head.data]
        case "defaultdict":
            return [DictKey(k) for k in head.data[1]]
        case "tuple" | "list":
            return [SequenceKey(i) for i in range(n)]
        case _ if node.fields is not None:
            return [GetAttrKey(name) for name in node.fields]
        case _:
            return [FlattenedIndexKey(i) for i in range(n)]


def take_with_keys(value: Any) -> tuple[NodeSpec, list[Any], list[Any]] | None:
    """Return `(head, keys, children)` of a container, None for a leaf."""
    kind = type(value)
    if kind in leaf_types:
        return None
    node = nodes.get(kind)
    if node is None or node.take_with_keys is None:
        apart = take_apart(value, kind)
        if apart is None:
            return None
        head, parts = apart
        parts = list(parts)
        return head, _names(head, len(parts)), parts
    keys, parts, data = _named_parts(node, value)
    return node_spec(node, data), keys, parts


def _named_parts(node: Node, value: Any) -> tuple[list[Any], list[Any], Any]:
    """Return keys, children and data of an instance of a class that names its children."""
    pairs, data = checked_parts(node.take_with_keys(value))
    for pair in pairs:
        if type(pair) is not tuple and not isinstance(pair, tuple) or len(pair) != 2:
            raise ValueError(
                f"flatten_with_keys of {node.type.__name__} must return (key, child) pairs, "
                f"got {pair!r}."
            )
    return [key for key, _ in pairs], [part for _, part in pairs], data


# ---- paths of all leaves ----


def result_paths(treedef: PyTreeDef) -> list[str]:
    """Return how the leaves of a result are called: `result['w'][0]`."""
    return [f"result{keystr(path)}" for path in leaf_paths(treedef)]


def leaf_paths(treedef: PyTreeDef) -> list[KeyPath[Any]]:
    """Return the path of every leaf, as far as the treedef tells.

    A class that names the children of each instance (`flatten_with_keys`) is numbered instead.
    """
    if treedef._paths is not None:
        return treedef._paths
    if treedef.is_flat:
        paths = [(name,) for name in _names(treedef.head, treedef.num_leaves)]
    else:
        paths = []
        path: list[Any] = []  # to the node, of which only leaves need a copy
        stack: list[tuple[PyTreeDef, int, list[Any]]] = [(treedef, 0, [])]
        while stack:
            node, depth, name = stack.pop()
            path[depth:] = name
            if node.head is None:
                paths.append(tuple(path))
            else:
                names = _names(node.head, len(node.parts))
                below = depth + len(name)
                stack += reversed([(p, below, [n]) for p, n in zip(node.parts, names)])
    if not treedef.names_instances:
        treedef._paths = paths
    return paths


def _paths_in(tree: Any, treedef: PyTreeDef) -> list[KeyPath[Any]]:
    """Return the path of every leaf of a tree of this structure, in which instances name their children."""
    if treedef._paths_of is None and treedef._is_hot():
        treedef._paths_of = compile_paths(treedef, _names, leaf_paths)
    if treedef._paths_of is not None and (found := treedef._paths_of(tree)) is not None:
        return found
    paths: list[KeyPath[Any]] = []
    stack: list[tuple[PyTreeDef, Any, KeyPath[Any]]] = [(treedef, tree, ())]
    while stack:
        treedef, value, path = stack.pop()
        if treedef.head is None:
            paths.append(path)
        elif not treedef.names_instances:
            paths += [path + below for below in leaf_paths(treedef)]
        else:
            node, n = treedef.head.node, len(treedef.parts)
            if node.take_with_keys is None:
                apart = take_apart(value, type(value))
                assert apart is not None, "the structure is that of the tree"
                keys, parts = _names(treedef.head, n), [*apart[1]]
            else:
                keys, parts, _ = _named_parts(node, value)
            if len(parts) != n:
                raise ValueError(
                    f"The two flatten functions of {node.type.__name__} must give the same number of children."
                )
            if treedef.is_flat:
                paths += [(*path, key) for key in keys]
            else:
                stack += [
                    (part, child, (*path, key)) for part, child, key in zip(treedef.parts, parts, keys)
                ][::-1]
    return paths


def flatten_with_paths(
    tree: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False
) -> tuple[list[KeyPath[Any]], list[Any], PyTreeDef]:
    """Return paths, leaves and structure of a tree, of which `tree_flatten_with_path` makes pairs."""
    if is_leaf_takes_path and is_leaf is not None:
        return _flatten_asking(tree, is_leaf)
    leaves, treedef = tree_flatten(tree, is_leaf)
    return _paths_in(tree, treedef) if treedef.names_instances else leaf_paths(treedef), leaves, treedef


def _flatten_asking(
    tree: Any, is_leaf: Callable[[KeyPath[Any], Any], bool]
) -> tuple[list[KeyPath[Any]], list[Any], PyTreeDef]:
    """Flatten a tree where `is_leaf` is asked about paths and nodes: the loop of `tree_flatten`, with paths."""
    paths: list[KeyPath[Any]] = []
    leaves: list[Any] = []
    children: list[PyTreeDef] = []
    frames: list[tuple[NodeSpec, Iterator[tuple[KeyPath[Any], Any]], list[PyTreeDef]]] = []
    values: Iterator[tuple[KeyPath[Any], Any]] = iter([((), tree)])
    too_deep = DEPTH_OF_CYCLES

    while True:
        for path, value in values:
            apart = None if is_true(is_leaf(path, value)) else take_with_keys(value)
            if apart is None:
                paths.append(path)
                leaves.append(value)
                children.append(LEAF)
                continue
            head, keys, parts = apart
            frames.append((head, values, children))
            if len(frames) == too_deep:
                refuse_cycle(tree, [len(before) for _, _, before in frames])
                too_deep *= 2
            children = []
            values = iter([((*path, key), part) for key, part in zip(keys, parts)])
            break
        else:
            if not frames:
                return paths, leaves, children[0]
            done = children
            head, values, children = frames.pop()
            children.append(treedef_of(head, tuple(done)))


def tree_flatten_with_path(
    tree: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False
) -> tuple[list[tuple[KeyPath[Any], Any]], PyTreeDef]:
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
    paths, leaves, treedef = flatten_with_paths(tree, is_leaf, is_leaf_takes_path)
    return [*zip(paths, leaves)], treedef


def tree_leaves_with_path(
    tree: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False
) -> list[tuple[KeyPath[Any], Any]]:
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
    return tree_flatten_with_path(tree, is_leaf, is_leaf_takes_path)[0]
