"""Registration of classes as pytree nodes: by functions, methods, fields, or as static; and `Partial`.

All of it ends in `node_specs.register`. A class is either a leaf or a node, for good: registering
one twice is an error.

Tests: `tests/core/test_tree_nodes.py`.
"""

from __future__ import annotations

import builtins
import dataclasses
import functools
from collections.abc import Callable, Hashable, Iterable, Sequence
from operator import attrgetter
from typing import Any, TypeVar

from ..messages.errors import message
from .node_specs import check_apart, find_node, register, take_apart
from .paths import KeyPath, take_with_keys, tree_flatten_with_path
from .treedef import IsLeaf, PyTreeDef, tree_flatten

T = TypeVar("T")
Typ = TypeVar("Typ", bound=type[Any])
H = TypeVar("H", bound=Hashable)


def register_pytree_node(
    nodetype: type[T],
    flatten_func: Callable[[T], tuple[Iterable[Any], Any]],
    unflatten_func: Callable[[Any, Any], T],
    flatten_with_keys_func: Callable[[T], tuple[Iterable[tuple[Any, Any]], Any]] | None = None,
) -> None:
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
    register(nodetype, unflatten_func, flatten_func, flatten_with_keys_func)


def register_pytree_node_class(cls: Typ) -> Typ:
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
    register(cls, cls.tree_unflatten, lambda x: x.tree_flatten())
    return cls


def register_pytree_with_keys(
    nodetype: type[T],
    flatten_with_keys: Callable[[T], tuple[Iterable[tuple[Any, Any]], Any]],
    unflatten_func: Callable[[Any, Any], T],
    flatten_func: Callable[[T], tuple[Iterable[Any], Any]] | None = None,
) -> None:
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

    def without_keys(tree: T) -> tuple[Iterable[Any], Any]:
        pairs, data = flatten_with_keys(tree)
        return [child for _, child in pairs], data

    register(nodetype, unflatten_func, flatten_func or without_keys, flatten_with_keys)


def register_pytree_with_keys_class(cls: Typ) -> Typ:
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
    flatten_func = (lambda x: x.tree_flatten()) if hasattr(cls, "tree_flatten") else None
    register_pytree_with_keys(
        cls, lambda x: x.tree_flatten_with_keys(), cls.tree_unflatten, flatten_func
    )
    return cls


def register_dataclass(
    nodetype: Typ,
    data_fields: Sequence[str] | None = None,
    meta_fields: Sequence[str] | None = None,
    drop_fields: Sequence[str] = (),
) -> Typ:
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
    if (data_fields is None) != (meta_fields is None):
        raise TypeError(
            "register_dataclass: data_fields and meta_fields must both be specified when either is "
            f"specified. Got {data_fields=} {meta_fields=}."
        )
    is_dataclass = isinstance(nodetype, type) and dataclasses.is_dataclass(nodetype)
    fields = dataclasses.fields(nodetype) if is_dataclass else None
    if data_fields is None or meta_fields is None:
        if fields is None:
            raise TypeError(
                message(
                    "register_dataclass: data_fields and meta_fields are required when nodetype is not "
                    f"a dataclass. Got {nodetype=}.",
                    fix="@dataclasses.dataclass on the class, below register_dataclass",
                )
            )
        # A field with init=False is an error below unless it is dropped: rebuilding would lose it.
        kept = [f for f in fields if f.name not in drop_fields]
        data_fields = [f.name for f in kept if not f.metadata.get("static", False)]
        meta_fields = [f.name for f in kept if f.metadata.get("static", False)]
    data, meta = tuple(data_fields), tuple(meta_fields)
    if both := {*data} & {*meta}:
        raise ValueError(
            f"data_fields and meta_fields must not overlap. Overlapping fields: {both}."
        )
    if fields is not None:
        _check_fields({f.name for f in fields if f.init} - {*drop_fields}, {*data, *meta})
    take_data, take_meta = _getter(data), _getter(meta)

    def build(values: tuple, children: tuple) -> Any:
        return nodetype(**dict(zip(meta, values)), **dict(zip(data, children)))

    register(nodetype, build, lambda x: (take_data(x), take_meta(x)), fields=data, meta=meta)
    return nodetype


def _check_fields(wanted: set[str], given: set[str]) -> None:
    """The given fields must be those of the dataclass."""
    rule = (
        "data_fields and meta_fields must include all dataclass fields with ``init=True`` and only "
        "them."
    )
    if unexpected := given - wanted:
        raise ValueError(message(f"{rule} Unexpected fields: {unexpected}.", fix=f"fields from {sorted(wanted)}"))
    if missing := wanted - given:
        raise ValueError(
            f"{rule} Missing fields: {missing}. Add them to drop_fields to suppress this error."
        )


def _getter(names: tuple[str, ...]) -> Callable[[Any], tuple]:
    """Return a function from an object to the tuple of these attributes."""
    if len(names) > 1:
        return attrgetter(*names)
    if names:
        get = attrgetter(names[0])
        return lambda x: (get(x),)
    return lambda x: ()


def register_static(cls: type[H]) -> type[H]:
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
    register(cls, lambda data, _: data, lambda x: ((), x))
    return cls


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
    metadata = dict(kwargs.pop("metadata", None) or {}, static=True)
    return dataclasses.field(metadata=metadata, **kwargs)


# ---- Partial ----


class _HashableCallableShim:
    """Hides a `functools.partial` from another, which would merge it into itself."""

    def __init__(self, fun: functools.partial):
        self.fun = fun
        self.func, self.args, self.keywords = fun.func, fun.args, fun.keywords

    def __call__(self, *args: Any, **kw: Any) -> Any:
        return self.fun(*args, **kw)

    def __hash__(self) -> int:
        return hash(self.fun)

    def __eq__(self, other: object) -> bool:
        return self.fun == (other.fun if isinstance(other, _HashableCallableShim) else other)

    def __repr__(self) -> str:
        return f"_HashableCallableShim({self.fun!r})"


class Partial(functools.partial):
    """`functools.partial` as a pytree: the function is static, the bound arguments are children.

    Args:
      func: a function.
      args: its first arguments, pytrees.
      kw: arguments by name, pytrees.

    >>> import adjoint
    >>> add = adjoint.tree_util.Partial(lambda x, y: x + y, 1)
    >>> add(2), adjoint.tree.leaves(add)
    (3, [1])
    """

    def __new__(cls, func: Callable[..., Any], *args: Any, **kw: Any) -> Partial:
        made = super().__new__(cls, func, *args, **kw)
        if made.func is not func:  # merged: the arguments of an inner partial, static so far, would become children
            return super().__new__(cls, _HashableCallableShim(func), *args, **kw)
        return made


register(
    Partial,
    lambda func, parts: Partial(func, *parts[0], **parts[1]),
    lambda partial: ((partial.args, partial.keywords), partial.func),
)


# ---- one level ----


def is_tree_node(typ: type) -> bool:
    """Return whether instances of this very type are containers.

    Args:
      typ: a class.
    Returns:
      A bool of Python; False for what is no class, as for a container itself.

    >>> is_tree_node(dict), is_tree_node(int)
    (True, False)
    """
    return isinstance(typ, type) and find_node(typ) is not None


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
    level = default_registry.flatten_one_level(tree)
    if level is None:
        raise ValueError(f"can't tree-flatten type: {type(tree)}")
    return level


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
    level = default_registry.flatten_one_level_with_keys(tree)
    if level is None:
        raise ValueError(f"can't tree-flatten type: {type(tree)}")
    return level


class PyTreeRegistry:
    """The registry as an object, for code that passes it on; there is one."""

    __name__ = "default_registry"

    def register_node(
        self,
        type: type,
        to_iterable: Callable[[Any], tuple[Iterable[Any], Any]],
        from_iterable: Callable[[Any, Any], Any],
        to_iterable_with_keys: Callable[[Any], tuple[Iterable[Any], Any]] | None = None,
    ) -> None:
        """`register_pytree_node`."""
        register(type, from_iterable, to_iterable, to_iterable_with_keys)

    def register_dataclass_node(
        self, type: type, data_fields: Sequence[str], meta_fields: Sequence[str]
    ) -> None:
        """`register_dataclass` with both lists of fields."""
        register_dataclass(type, data_fields, meta_fields)

    def is_node(self, type: type) -> bool:
        """`is_tree_node`; False for what is no type."""
        return isinstance(type, builtins.type) and is_tree_node(type)

    def flatten(
        self, tree: Any, leaf_predicate: IsLeaf | None = None
    ) -> tuple[list[Any], PyTreeDef]:
        """`tree_flatten`."""
        return tree_flatten(tree, leaf_predicate)

    def flatten_with_path(
        self, tree: Any, leaf_predicate: IsLeaf | None = None
    ) -> tuple[list[tuple[KeyPath[Any], Any]], PyTreeDef]:
        """`tree_flatten_with_path`."""
        return tree_flatten_with_path(tree, leaf_predicate)

    def flatten_one_level(self, tree: Any) -> tuple[Iterable[Any], Any] | None:
        """Return the children of a container and its static data, None for a leaf."""
        node = find_node(type(tree))
        if node is not None and node.style == "custom" and node.take is not None:
            result = node.take(tree)
            check_apart(result)
            return result
        apart = take_apart(tree, type(tree))
        if apart is None:
            return None
        head, parts = apart
        # JAX parity: which of them are lists, test_one_level
        match head.node.style:
            case "namedtuple":
                return list(parts), head.node.type
            case "list" | "OrderedDict" | "defaultdict" | "dataclass":
                return list(parts), head.data
            case _:
                return tuple(parts), head.data

    def flatten_one_level_with_keys(
        self, tree: Any
    ) -> tuple[Iterable[tuple[Any, Any]], Any] | None:
        """Return the `(key, child)` pairs of a container and its static data, None for a leaf."""
        apart = take_with_keys(tree)
        if apart is None:
            return None
        head, keys, parts = apart
        data = head.node.type if head.node.style == "namedtuple" else head.data
        return tuple(zip(keys, parts)), data


default_registry = PyTreeRegistry()
Partial.__module__ = PyTreeRegistry.__module__ = "adjoint.tree_util"
