"""Containers: the registry of node types, and how one container is taken apart.

A *head* is a container without its children: its node (the registered type) and its data (a
dict's keys, the static data of a registered class). Heads whose data are literals are interned,
since equal ones cannot be told apart; treedef.py builds its interned structures on that. Other
data, such as a class of strings of a program's own, can equal something that is not the same, and get a new head each
time.

Next: treedef.py (structures made of heads), registry.py (what users call to register a class).

Tests: `tests/core/test_tree_nodes.py`.
"""

from __future__ import annotations

import operator
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from enum import Enum
from types import FunctionType, NoneType
from typing import Any
from weakref import WeakValueDictionary

from ..messages.errors import message, shorten
from ..process.locks import tables
from ..process.memo import Memo

MAX_ENTRIES_OF_MEMO = 4096  # entries of a memo before it is emptied
MAX_ENTRIES_BY_IDENTITY = 256  # of the one whose entries hold the keys of dicts


class Node:
    """A registered container type.

    `style` names how it is taken apart: none, tuple, list, namedtuple, dict, OrderedDict,
    defaultdict, dataclass or custom; `build(data, parts)` puts it together. Custom nodes and
    dataclasses have `take(value) -> (children, data)`, and `take_with_keys` with `(key, child)`
    pairs if the class said how. `fields` names the children, `meta` the parts of the data, by which
    a dataclass is read and called.
    """

    __slots__ = ("type", "style", "build", "take", "take_with_keys", "fields", "meta")

    def __init__(
        self,
        kind: type,
        style: str,
        build: Callable[[Any, Any], Any],
        take: Callable[[Any], tuple[Iterable[Any], Any]] | None = None,
        take_with_keys: Callable[[Any], tuple[Iterable[Any], Any]] | None = None,
        fields: tuple[str, ...] | None = None,
        meta: tuple[str, ...] = (),
    ):
        self.type, self.style, self.build = kind, style, build
        self.take, self.take_with_keys = take, take_with_keys
        self.fields, self.meta = fields, meta


class NodeSpec:
    """A container without its children.

    `key` tells its data from other data that equal them; None if that cannot be told, and then the
    head is not interned. `is_closed`: data equal to these are of the same types too.
    """

    __slots__ = ("node", "data", "key", "is_closed", "__weakref__")

    def __init__(self, node: Node, data: Any, key: Any):
        self.node, self.data, self.key = node, data, key
        if key is None:
            self.is_closed = False
            return
        kinds = key if type(key) is tuple else (key,)
        self.is_closed = _CLOSED.issuperset(kinds)


# ---- data ----

# Literals of one type that are equal are the same. Functions and classes are compared by identity.
_CLOSED = {str, NoneType, bytes, type, FunctionType}
_LITERALS = {str, NoneType, bytes, type, int, bool}
_EQUALITIES = (object.__eq__, int.__eq__, str.__eq__)  # of enums whose members of one type are the same if equal


def exact_key(data: Any) -> Any:
    """Return the types in `data` if they tell it from all data that equal it; None if not.

    1, 1.0 and True are equal, of different types; 0.0 and -0.0 are equal, of one type: their texts tell. A function
    with a closure has no key, for the memos would keep what it closes over.
    """
    kind = type(data)
    if kind is tuple:
        kinds = tuple(map(type, data))
        if _LITERALS.issuperset(kinds):
            return kinds
        keys = tuple(map(exact_key, data))
        return None if None in keys else keys
    if kind in _LITERALS:
        return kind
    if kind is float:
        return (kind if data else str(data)) if data == data else None
    if kind is FunctionType:
        return kind if data.__closure__ is None else None
    if issubclass(kind, Enum):
        return kind if kind.__eq__ in _EQUALITIES else None
    return None


def same_data(a: Any, b: Any) -> bool:
    """Return whether the data of two heads are equal; ValueError where that cannot be said."""
    try:
        return a is b or bool(a == b)
    except Exception as error:
        raise ValueError(
            message(
                "Exception raised while checking equality of metadata fields of pytree. Make sure that metadata fields "
                "are hashable and have simple equality semantics. (Note: arrays cannot be passed as metadata fields!)",
                why=f"{shorten(a)} == {shorten(b)} raised {type(error).__name__}: {error}",
                fix="a data field for what is an array, or a tuple",
            )
        ) from error


def is_same(a: Any, b: Any) -> bool:
    """Return whether the data of two heads are known to be equal: False where that cannot be said."""
    try:
        return a is b or type(a) is type(b) and bool(a == b)
    except Exception:
        return False


_heads: WeakValueDictionary[tuple[Node, Any, Any], NodeSpec] = WeakValueDictionary()
_known_heads = Memo(MAX_ENTRIES_OF_MEMO)  # (node, data, key of the data) -> NodeSpec; of `_heads`, what was used lately


def node_spec(node: Node, data: Any) -> NodeSpec:
    """Return the head of a node with its data."""
    key = exact_key(data)
    if key is None:
        return NodeSpec(node, data, None)
    entry = (node, data, key)
    head = _known_heads.get(entry)
    if head is None:
        with tables:
            head = _heads.get(entry)
            if head is None:
                head = _heads[entry] = NodeSpec(node, data, key)
            _known_heads.keep(entry, head)
    return head


# ---- the registry ----


def _build_defaultdict(data: tuple[Any, tuple], parts: Iterable[Any]) -> defaultdict:
    return defaultdict(data[0], zip(data[1], parts))


NONE, TUPLE, LIST, DICT, ORDERED_DICT, DEFAULT_DICT = (
    Node(NoneType, "none", lambda data, parts: None),
    Node(tuple, "tuple", lambda data, parts: tuple(parts)),
    Node(list, "list", lambda data, parts: list(parts)),
    Node(dict, "dict", lambda data, parts: dict(zip(data, parts))),
    Node(OrderedDict, "OrderedDict", lambda data, parts: OrderedDict(zip(data, parts))),
    Node(defaultdict, "defaultdict", _build_defaultdict),
)
nodes = {node.type: node for node in (NONE, TUPLE, LIST, DICT, ORDERED_DICT, DEFAULT_DICT)}
leaf_types: set[type] = set()  # types seen as leaves: the common question is one set lookup
# Heads of the types that have but one, while they are registered as such.
single_heads = {node.type: node_spec(node, None) for node in (NONE, TUPLE, LIST)}


def find_node(kind: type) -> Node | None:
    """Return the node of a type, None for a leaf type; a namedtuple becomes a node when first seen."""
    node = nodes.get(kind)
    if node is None:
        fields = getattr(kind, "_fields", None) if issubclass(kind, tuple) else None
        if fields is not None:
            node = Node(
                kind, "namedtuple", lambda data, parts: kind(*parts), fields=tuple(fields)
            )
            with tables:  # a thread that finds the node finds its head
                if kind not in nodes:
                    single_heads[kind] = node_spec(node, None)
                node = nodes.setdefault(kind, node)
        else:
            if len(leaf_types) > MAX_ENTRIES_OF_MEMO:  # classes that are made in a loop
                leaf_types.clear()
            leaf_types.add(kind)
    return node


def register(
    kind: type,
    build: Callable[[Any, tuple], Any],
    take: Callable[[Any], tuple[Iterable[Any], Any]],
    take_with_keys: Callable[[Any], tuple[Iterable[Any], Any]] | None = None,
    fields: tuple[str, ...] | None = None,
    meta: tuple[str, ...] = (),
) -> None:
    """Make a class a node; a dataclass if its fields are given.

    Raises TypeError for what is no class or function, ValueError for a class that is a node.
    """
    if not isinstance(kind, type):
        raise TypeError(f"register_pytree_node: expected a class, got {kind!r}.")
    for function in (build, take) if take_with_keys is None else (build, take, take_with_keys):
        if not callable(function):
            raise TypeError(
                f"register_pytree_node: the functions for {kind.__name__} must be callable, "
                f"got {function!r}.\n  Try: register_pytree_node({kind.__name__}, lambda x: (children, data), "
                f"lambda data, children: {kind.__name__}(*children))"
            )
    style = "custom" if fields is None else "dataclass"

    def build_tuple(data: Any, parts: Iterable[Any]) -> Any:
        return build(data, tuple(parts))

    with tables:
        known = nodes.get(kind)
        if known is not None and known.style != "namedtuple":
            raise ValueError(
                message(
                    f"Duplicate custom PyTreeDef type registration for {kind!r}.",
                    why="A class is registered once in a process; a cell of a notebook that runs again does it twice.",
                    fix="the registration beside the class, which is then another one each time",
                )
            )
        nodes[kind] = Node(kind, style, build_tuple, take, take_with_keys, fields, meta)
        single_heads.pop(kind, None)
        leaf_types.discard(kind)


# ---- taking apart ----


class DictTaker:
    """The head of dicts with certain keys in a certain order, and how to take their sorted values.

    It holds the keys, so that their identities stay theirs.
    """

    __slots__ = ("head", "keys", "take")

    def __init__(self, keys: tuple, is_opaque: bool = False):
        ordered = tuple(sort_keys(keys))
        self.head = NodeSpec(DICT, ordered, None) if is_opaque else node_spec(DICT, ordered)
        self.keys = keys
        # Out of order means two keys at least, for which itemgetter gives a tuple.
        self.take: Callable[[dict], Any] = (
            dict.values if ordered == keys else operator.itemgetter(*ordered)
        )


dict_takers = Memo(MAX_ENTRIES_OF_MEMO)  # by the keys, if all are str
_STRINGS = frozenset([str])
_opaque: set[type] = set()  # types of keys of which nothing tells equal ones apart
_takers_by_identity = Memo(MAX_ENTRIES_BY_IDENTITY)  # of others: (True,) would find that of (1,)


def new_taker(keys: tuple) -> DictTaker:
    """Return how dicts with these keys are taken apart, which `dict_takers` has not."""
    kind = type(keys[0]) if keys else str
    if kind is str:
        taker = DictTaker(keys)
        if _STRINGS.issuperset(map(type, keys)):
            dict_takers.keep(keys, taker)
        return taker
    if kind in _opaque:
        return DictTaker(keys, is_opaque=True)
    ids = tuple(map(id, keys))  # a str enum would find that of the equal plain strings
    taker = _takers_by_identity.get(ids)
    if taker is None:
        taker = DictTaker(keys)
        if taker.head.key is not None:
            _takers_by_identity.keep(ids, taker)
        elif exact_key(keys[0]) is None and kind not in (tuple, float, FunctionType):
            if len(_opaque) > MAX_ENTRIES_OF_MEMO:
                _opaque.clear()
            _opaque.add(kind)  # such objects are not kept alive
    return taker


def dict_taker(keys: tuple) -> DictTaker:
    """Return how a dict with these keys is taken apart."""
    if keys and type(keys[0]) is not str:
        return new_taker(keys)
    return dict_takers.get(keys) or new_taker(keys)


def sort_keys(keys: Iterable[Any]) -> list[Any]:
    """Return the keys of a dict in the order of its leaves."""
    try:
        return sorted(keys)
    except Exception as error:
        raise ValueError(
            message(
                "Comparator raised exception while sorting pytree dictionary keys.",
                fix=f"keys of one type in the place of {shorten(list(keys))}, as {{str(k): v for k, v in d.items()}};\n"
                "leaves are in the order of sorted keys",
            )
        ) from error


def take_apart(value: Any, kind: type) -> tuple[NodeSpec, Any] | None:
    """Return `(head, children)` of a container of this type, None for a leaf."""
    head = single_heads.get(kind)
    if head is not None:
        if head.node.style == "namedtuple":  # which may have a length of its own: scipy.spatial.transform.Rotation
            return head, tuple(tuple.__iter__(value))
        return head, () if value is None else value
    if kind is dict:
        taker = dict_taker(tuple(value))
        return taker.head, taker.take(value)
    node = find_node(kind)
    if node is None:
        return None
    match node.style:
        case "namedtuple":
            return single_heads[kind], tuple(tuple.__iter__(value))
        case "OrderedDict":
            return node_spec(node, tuple(value)), value.values()
        case "defaultdict":
            keys = tuple(sort_keys(value))
            return node_spec(node, (value.default_factory, keys)), [value[k] for k in keys]
    assert node.take is not None
    parts, data = checked_parts(node.take(value))
    return node_spec(node, data), parts


def check_apart(result: Any) -> None:
    """Raise ValueError if a flatten function returned what is no pair of children and data."""
    rule = "The to_iterable function for a custom PyTree node should return a (children, aux_data)"
    if type(result) is not tuple or len(result) != 2:
        raise ValueError(f"{rule} tuple, got {result!r}")
    if type(result[0]) is not tuple:
        try:
            iter(result[0])
        except TypeError:
            raise ValueError(
                f"{rule} tuple where 'children' is iterable, got {result!r}"
            ) from None


def checked_parts(result: Any) -> tuple[tuple, Any]:
    """Return what a flatten function returned, with the children as a tuple; ValueError if malformed."""
    check_apart(result)
    parts, data = result
    return parts if type(parts) is tuple else tuple(parts), data


def take_like(head: NodeSpec, n: int, value: Any) -> Any:
    """Return the n children of a container that must have this head; ValueError says how it differs."""
    node, kind = head.node, type(value)
    match node.style:
        case "tuple" | "list" as style:
            if kind is not node.type:
                raise ValueError(f"Expected {style}, got {value!r}.")
            if len(value) != n:
                raise ValueError(
                    f"{style.capitalize()} arity mismatch: {len(value)} != {n}; {style}: {value!r}."
                )
            return value
        case "dict":
            if kind is not dict:
                raise ValueError(f"Expected dict, got {value!r}.")
            if len(value) != n or any(k not in value for k in head.data):
                raise ValueError(
                    f"Dict key mismatch; expected keys: {list(head.data)}; "
                    f"present keys: {sort_keys(value)}."
                )
            return [value[k] for k in head.data]
        case "none":
            if value is not None:
                raise ValueError(f"Expected None, got {value!r}.\n\n{_NONE_ADVICE}")
            return ()
        case "namedtuple":
            if not (isinstance(value, tuple) and hasattr(value, "_fields")):
                raise ValueError(f"Expected named tuple, got {value!r}.")
            if kind is not node.type:
                raise ValueError(
                    f"Named tuple type mismatch: expected type: {node.type!r}, tuple: {value!r}."
                )
            return tuple(tuple.__iter__(value))
    if kind is not node.type:
        raise ValueError(
            f"Custom node type mismatch: expected type: {node.type!r}, value: {value!r}."
        )
    apart = take_apart(value, kind)
    assert apart is not None
    other, parts = apart
    if not same_data(head.data, other.data):
        sort = "dataclass node" if node.style == "dataclass" else "node"
        raise ValueError(
            f"Mismatch custom {sort} data: {head.data!r} != {other.data!r}; value: {value!r}."
        )
    if len(parts) != n:
        raise ValueError(f"Custom type arity mismatch: {len(parts)} != {n}; value: {value!r}.")
    return parts


_NONE_ADVICE = """\
None is a container without leaves, not a leaf. To keep None where the first tree has it, you can \
usually write:
  jax.tree.map(lambda x, y: None if x is None else f(x, y), a, b, is_leaf=lambda x: x is None)"""
