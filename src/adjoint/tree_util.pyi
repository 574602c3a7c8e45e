# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any, Generic, overload
from typing_extensions import ParamSpec, TypeVar
from collections.abc import Callable
from collections.abc import Hashable
from collections.abc import Iterable
from collections.abc import Sequence
from typing import Any
from typing import TypeAlias
from typing_extensions import TypeVar
_KeyEntry = TypeVar('_KeyEntry', bound=Hashable)
_Typ = TypeVar('_Typ', bound=type[Any])
_H = TypeVar('_H', bound=Hashable)
_T = TypeVar("_T")
_R = TypeVar("_R", default=Any)
_P = ParamSpec("_P", default=...)
class DictKey:
    """The key of a dict's value; prints as `['key']`.

    Args:
      key: the key.

    >>> tree_util.tree_leaves_with_path({'a': 1})
    [((DictKey(key='a'),), 1)]
    >>> tree_util.keystr((tree_util.DictKey('a'),))
    "['a']"
    """
    def __init__(self, key: Any) -> None: ...
    @property
    def key(self) -> Hashable:
        """Return the dict's key."""
class FlattenedIndexKey:
    """The position among the children of a class that names none: `[<flat index key>]`.

    Args:
      key: the position.

    >>> tree_util.keystr((tree_util.FlattenedIndexKey(0),))
    '[<flat index 0>]'
    """
    def __init__(self, key: int) -> None: ...
    @property
    def key(self) -> int:
        """Return the position."""
class GetAttrKey:
    """The name of a field; prints as `.name`.

    Args:
      name: the name of the field.

    >>> tree_util.keystr((tree_util.GetAttrKey('weights'),))
    '.weights'
    """
    def __init__(self, name: str) -> None: ...
    @property
    def name(self) -> str:
        """Return the field's name."""
KeyEntry = TypeVar('KeyEntry', default=Any)
KeyPath: TypeAlias = tuple[_KeyEntry, ...]
"""Built-in immutable sequence.

If no argument is given, the constructor returns an empty tuple.
If iterable is specified the tuple is initialized from iterable's items.

If the argument is a tuple, the return value is the same object.
"""
class Partial(Generic[_R]):
    """A function with some arguments, which is a pytree of these."""

    func: Callable[..., _R]
    """function object to use in future partial calls"""
    args: tuple[Any, ...]
    """tuple of arguments to future partial calls"""
    keywords: dict[str, Any]
    """dictionary of keyword arguments to future partial calls"""
    def __init__(self, func: Callable[..., _R], *args: Any, **kw: Any) -> None: ...
    def __call__(self, *args: Any, **kw: Any) -> _R: ...
class PyTreeDef:
    """The structure of a pytree: what `tree_flatten` gives beside the leaves.

    Made by `tree.structure` and `tree.flatten`.

    Hashable and comparable; picklable if the types and the static data in it are.

    >>> import adjoint
    >>> treedef = adjoint.tree.structure({"b": (1, None), "a": 2})
    >>> treedef
    PyTreeDef({'a': *, 'b': (*, None)})
    >>> treedef.num_leaves, treedef.num_nodes
    (2, 5)
    """
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    head: Any
    parts: tuple[PyTreeDef, ...]
    num_leaves: int
    num_nodes: int
    is_flat: bool
    names_instances: bool
    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """Return the tree of this structure with these leaves.

        Args:
          leaves: as many values as the structure has leaves.
        Raises:
          ValueError: there are more or fewer.
        """
    def match(self, tree: Any) -> list[Any] | None:
        """Return the leaves of a tree of this very structure, None for another: the fastest way to ask.

        None also for a structure that is equal with data of other types, 1 for True, and for a tree that has no leaves
        to give: below the leaves of this structure it may hold dicts whose keys have no order.

        Args:
          tree: a pytree.
        """
    def flatten_up_to(self, tree: Any) -> list[Any]:
        """Return the subtrees of a tree where this structure has leaves.

        Args:
          tree: a pytree that has this structure, or more below its leaves.
        Raises:
          ValueError: it has another structure.
        """
    def children(self) -> list[PyTreeDef]:
        """Return the treedefs of the direct children; empty for a leaf."""
    def node_data(self) -> tuple[type[Any], Any] | None:
        """Return `(type, data)` of the root: a dict's keys, a registered class's data. None for a leaf."""
    def compose(self, inner: PyTreeDef) -> PyTreeDef:
        """Return this structure with another one in the place of every leaf.

        Args:
          inner: the structure of every leaf.
        """
    def walk(self, f_node: Callable[[Any, Any], Any], f_leaf: Callable[[Any], Any], leaves: Iterable[Any]) -> Any:
        """Return what functions make of the nodes of a tree, from the leaves upwards.

        Args:
          f_node: `f_node(results of the children, data of the node)`.
          f_leaf: `f_leaf(leaf)`.
          leaves: as many values as the structure has leaves.
        """
    def from_iterable_tree(self, tree: Any) -> Any:
        """Return the tree of this structure from nested iterables of any type with the same numbers of children.

        Args:
          tree: nested iterables.
        """
    @staticmethod
    def from_node_data_and_children(registry: Any, node_data: tuple[type[Any], Any] | None, children: Iterable[PyTreeDef]) -> PyTreeDef:
        """Return the structure of these parts: the inverse of `node_data` and `children`.

        Args:
          registry: for compatibility with JAX; not read.
          node_data: (type, data) of the root, or None for a leaf.
          children: the structures of its children.
        """
    def serialize_using_proto(self) -> bytes:
        """This structure as JAX's protocol buffer: None, tuples, lists, dicts with str keys."""
    @staticmethod
    def deserialize_using_proto(registry: Any, data: bytes) -> PyTreeDef:
        """Return the structure that `serialize_using_proto` wrote.

        Args:
          registry: for compatibility with JAX; not read.
          data: the bytes.
        """
class SequenceKey:
    """The position in a tuple or list; prints as `[idx]`.

    Args:
      idx: the position.

    >>> tree_util.tree_leaves_with_path([1])
    [((SequenceKey(idx=0),), 1)]
    >>> tree_util.keystr((tree_util.SequenceKey(0),))
    '[0]'
    """
    def __init__(self, idx: int) -> None: ...
    @property
    def idx(self) -> int:
        """Return the position."""
def all_leaves(iterable: Iterable[Any], is_leaf: Callable[[Any], bool] | None = None) -> bool:
    """Return whether every element is a leaf, or one for `is_leaf`.

    Args:
      iterable: any objects.
      is_leaf: which nodes are taken for leaves, as a function of the node.
    Raises:
      TypeError: the argument cannot be iterated over.

    >>> tree_util.all_leaves([1, 2]), tree_util.all_leaves([1, (2, 3)])
    (True, False)
    """
default_registry: Any
def flatten_one_level(tree: Any) -> tuple[Iterable[Any], Any]:
    """Return the children of a container and its static data; ValueError for a leaf.

    Args:
      tree: a container.
    Returns:
      The children, and what is static.
    Raises:
      ValueError: `tree` is a leaf.

    >>> children, data = flatten_one_level({"a": (1, 2), "b": 3})
    >>> list(children), data
    ([(1, 2), 3], ('a', 'b'))
    """
def flatten_one_level_with_keys(tree: Any) -> tuple[Iterable[tuple[Any, Any]], Any]:
    """Return `flatten_one_level` with pairs `(key, child)`.

    Args:
      tree: a container.
    Returns:
      The pairs, and what is static.
    Raises:
      ValueError: it is a leaf.

    >>> list(flatten_one_level_with_keys({'a': 1})[0])
    [(DictKey(key='a'), 1)]
    """
def is_tree_node(typ: type[Any]) -> bool:
    """Return whether instances of this very type are containers.

    Args:
      typ: a class.
    Returns:
      A bool of Python; False for what is no class, as for a container itself.

    >>> is_tree_node(dict), is_tree_node(int)
    (True, False)
    """
def keystr(keys: Iterable[Any], *, simple: bool = False, separator: str = '') -> str:
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
def register_dataclass(nodetype: _Typ, data_fields: Sequence[str] | None = None, meta_fields: Sequence[str] | None = None, drop_fields: Sequence[str] = ()) -> _Typ:
    """Make a dataclass a node: data fields are children, meta fields static. Also a decorator.

    Without the fields given, those made by `adjoint.tree.static(...)` (metadata `static=True`) are
    meta and all others data.

    Args:
      nodetype: a dataclass; with the fields given, any class that takes them as keywords.
      data_fields, meta_fields: together all fields with `init=True`, each once.
      drop_fields: fields to leave out; a rebuilt instance has their defaults.
    Returns:
      The class.
    Raises:
      TypeError: one of the field lists is missing, or both for a class that is no dataclass.
      ValueError: the fields are not those of the dataclass.

    >>> import adjoint, dataclasses
    >>> @adjoint.tree_util.register_dataclass
    ... @dataclasses.dataclass
    ... class Layer:
    ...     w: float
    ...     name: str = adjoint.tree.static(default="dense")
    >>> adjoint.tree.map(lambda w: 2 * w, Layer(1.5))
    Layer(w=3.0, name='dense')
    """
def register_pytree_node(nodetype: type[_T], flatten_func: Callable[[_T], tuple[Iterable[Any], Any]], unflatten_func: Callable[[Any, Any], _T], flatten_with_keys_func: Callable[[_T], tuple[Iterable[tuple[Any, Any]], Any]] | None = None) -> None:
    """Make a class a pytree node.

    Args:
      nodetype: the class; its subclasses are not registered with it.
      flatten_func: from an instance to `(children, aux_data)`; the aux data are compared by `==`
        and are part of `jit`'s key.
      unflatten_func: from `(aux_data, children)` to an instance; children may be anything, not
        only arrays.
      flatten_with_keys_func: like flatten_func with pairs `(key, child)`, for key paths.
    Raises:
      ValueError: the class is registered already.

    >>> import adjoint
    >>> class Point:
    ...     def __init__(self, x, y): self.x, self.y = x, y
    >>> adjoint.tree_util.register_pytree_node(
    ...     Point, lambda p: ((p.x, p.y), None), lambda _, xy: Point(*xy))
    >>> adjoint.tree.leaves({"p": Point(1, 2)})
    [1, 2]
    """
def register_pytree_node_class(cls: _Typ) -> _Typ:
    """Class decorator for `tree_flatten(self)` and the classmethod `tree_unflatten(aux, children)`.

    Args:
      cls: a class with these methods.
    Returns:
      The class.
    Raises:
      ValueError: the class is registered already.
      AttributeError: a method is missing.

    >>> import adjoint
    >>> @adjoint.tree_util.register_pytree_node_class
    ... class Scaled:
    ...     def __init__(self, x, unit): self.x, self.unit = x, unit
    ...     def tree_flatten(self): return (self.x,), self.unit
    ...     @classmethod
    ...     def tree_unflatten(cls, unit, children): return cls(*children, unit)
    >>> adjoint.tree.structure(Scaled(1.0, "cm"))
    PyTreeDef(CustomNode(Scaled[cm], [*]))
    """
def register_pytree_with_keys(nodetype: type[_T], flatten_with_keys: Callable[[_T], tuple[Iterable[tuple[Any, Any]], Any]], unflatten_func: Callable[[Any, Any], _T], flatten_func: Callable[[_T], tuple[Iterable[Any], Any]] | None = None) -> None:
    """Make a class a node that names its children.

    `flatten_with_keys` gives `((key, child) pairs, aux_data)`, and so does without the keys
    `flatten_func`, if it can be faster.

    Args:
      nodetype: the class.
      flatten_with_keys: instance -> (pairs of keys and children, static data).
      unflatten_func: (static data, children) -> instance.
      flatten_func: instance -> (children, static data), where that is quicker.
    Raises:
      ValueError: the class is registered already.

    >>> class Pair:
    ...     def __init__(self, x, y):
    ...         self.x, self.y = x, y
    >>> key = tree_util.GetAttrKey
    >>> register_pytree_with_keys(
    ...     Pair, lambda p: (((key("x"), p.x), (key("y"), p.y)), None), lambda _, children: Pair(*children))
    >>> [tree_util.keystr(path) for path, _ in tree_util.tree_leaves_with_path({"p": Pair(1, 2)})]
    ["['p'].x", "['p'].y"]
    """
def register_pytree_with_keys_class(cls: _Typ) -> _Typ:
    """Class decorator for `tree_flatten_with_keys`, `tree_unflatten`, perhaps `tree_flatten`.

    Args:
      cls: a class with these methods.
    Returns:
      The class.
    Raises:
      ValueError: the class is registered already.
      AttributeError: a method is missing.

    >>> @register_pytree_with_keys_class
    ... class Named:
    ...     def __init__(self, value):
    ...         self.value = value
    ...     def tree_flatten_with_keys(self):
    ...         return ((tree_util.GetAttrKey("value"), self.value),), None
    ...     @classmethod
    ...     def tree_unflatten(cls, _, children):
    ...         return cls(*children)
    >>> [tree_util.keystr(path) for path, _ in tree_util.tree_leaves_with_path(Named(1.0))]
    ['.value']
    """
def register_static(cls: type[_H]) -> type[_H]:
    """Class decorator: instances are nodes without leaves, which `jit` takes for static values.

    Args:
      cls: a class whose instances can be compared and have hashes.
    Returns:
      The class.
    Raises:
      ValueError: the class is registered already.

    >>> @register_static
    ... class Mode(str):
    ...     pass
    >>> ad.tree.leaves((1, Mode("fast")))
    [1]
    """
def tree_all(tree: Any, *, is_leaf: Callable[[Any], bool] | None = None) -> bool:
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
def tree_broadcast(prefix_tree: Any, full_tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
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
def tree_flatten(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> tuple[list[Any], PyTreeDef]:
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
def tree_flatten_with_path(tree: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False) -> tuple[list[tuple[tuple[Any, ...], Any]], PyTreeDef]:
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
def tree_leaves(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> list[Any]:
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
def tree_leaves_with_path(tree: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False) -> list[tuple[tuple[Any, ...], Any]]:
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
def tree_map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
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
def tree_map_with_path(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False) -> Any:
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
def tree_reduce(function: Callable[[_T, Any], _T], tree: Any, initializer: _T, is_leaf: Callable[[Any], bool] | None = None) -> _T:
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
def tree_reduce(function: Callable[[_T, Any], _T], tree: Any, *, is_leaf: Callable[[Any], bool] | None = None) -> _T:
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
def tree_reduce_associative(operation: Callable[[_T, _T], _T], tree: Any, *, identity: Any = ..., is_leaf: Callable[[Any], bool] | None = None) -> _T:
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
def tree_structure(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> PyTreeDef:
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
def tree_transpose(outer_treedef: PyTreeDef, inner_treedef: PyTreeDef | None, pytree_to_transpose: Any) -> Any:
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
