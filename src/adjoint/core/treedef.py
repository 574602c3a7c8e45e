"""What a pytree is: the registry of container types, `PyTreeDef`, and the loop that flattens.

A treedef is a leaf (`*`) or a *head* (everything about a container but its children: its type, its dict keys, its
static data) with the treedefs of its children. Flattening is on the path of every call, so heads and treedefs made only
of tuples, lists, dicts, None and namedtuples are interned: equal means identical, and the hash is the object's. A
treedef that holds data of the user's (`_OpenTreeDef`) is compared structurally, since data such as 2 and 2.0 are equal
but not the same. Nothing here recurses, so depth is bounded by memory only.

Next: tree_code.py (generated code for hot treedefs), tree_paths.py (key paths), tree_differences.py (errors that name
paths), tree_nodes.py (how classes register), tree.py (the functions on trees, and what other folders import).
"""

from __future__ import annotations

import operator
import threading
from collections import OrderedDict, defaultdict
from itertools import islice
from typing import Any, Callable, Iterable, Iterator, NamedTuple
from weakref import WeakValueDictionary

from .tree_code import compile_match, compile_unflatten

HOT = 64  # uses after which code is generated for a treedef; it is repaid in about as many
LARGEST = 4000  # nodes up to which code is generated

IsLeaf = Callable[[Any], bool]


class Node:
    """A registered container type.

    `style` names how it is taken apart: none, tuple, list, namedtuple, dict, OrderedDict, defaultdict or custom;
    `build(data, parts)` puts it together; `take(value)` gives `(children, data)` and `take_with_keys` the same with
    `(key, child)` pairs (custom only; None if the class did not say).
    """

    __slots__ = ("type", "style", "build", "take", "take_with_keys", "fields", "retired")

    def __init__(self, kind: type, style: str, build: Callable, take: Callable | None = None,
                 take_with_keys: Callable | None = None, fields: tuple[str, ...] | None = None):
        self.type, self.style, self.build = kind, style, build
        self.take, self.take_with_keys, self.fields = take, take_with_keys, fields
        self.retired = False  # a namedtuple that was registered as something else later


class Head:
    """A container without its children; `canonical` heads are interned."""

    __slots__ = ("node", "data", "canonical", "__weakref__")

    def __init__(self, node: Node, data: Any, canonical: bool):
        self.node, self.data, self.canonical = node, data, canonical


# ---- treedefs ----


class PyTreeDef:
    """The structure of a pytree: what `tree_flatten` gives beside the leaves, and `tree_unflatten` takes.

    Hashable, comparable, picklable if the types and the static data in it are.

    >>> import adjoint
    >>> treedef = adjoint.tree.structure({"b": (1, None), "a": 2})
    >>> treedef
    PyTreeDef({'a': *, 'b': (*, None)})
    >>> treedef.num_leaves, treedef.num_nodes
    (2, 5)
    """

    __slots__ = ("head", "children_", "num_leaves", "num_nodes", "is_flat", "heat", "unflatten_", "match_", "__weakref__")

    def __init__(self, *args: Any, **kwargs: Any):
        raise TypeError("PyTreeDef: no constructor defined! Get one from tree_structure(tree).")

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """The tree of this structure with these leaves; ValueError unless there are `num_leaves` of them."""
        if type(leaves) is not list:
            leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise _arity_error(self.num_leaves, len(leaves))
        build = self.unflatten_
        if build is not None:
            return build(leaves)
        if self._is_hot():
            build = self.unflatten_ = compile_unflatten(self)
            return build(leaves)
        return self._fold(leaves, None, _build)

    def match(self, tree: Any) -> list[Any] | None:
        """The leaves of `tree` if its structure equals this one, else None; faster than flattening when hot."""
        match = self.match_
        if match is not None:
            return match(tree)
        leaves, treedef = tree_flatten(tree)
        return leaves if treedef == self else None

    def flatten_up_to(self, tree: Any) -> list[Any]:
        """The subtrees of `tree` at the places of this structure's leaves; ValueError where `tree` has another node."""
        found: list[Any] = []
        stack = [(self, tree)]
        while stack:
            treedef, value = stack.pop()
            head = treedef.head
            if head is None:
                found.append(value)
                continue
            parts = _take_like(head, len(treedef.children_), value)
            if treedef.is_flat:
                found += parts
            else:
                stack += reversed([*zip(treedef.children_, parts)])
        return found

    def children(self) -> list[PyTreeDef]:
        """The treedefs of the direct children; empty for a leaf."""
        return list(self.children_)

    def node_data(self) -> tuple[type, Any] | None:
        """`(type, data)` of the root, where data are a dict's keys or a registered class's static data; None: a leaf."""
        head = self.head
        if head is None:
            return None
        return head.node.type, list(head.data) if head.node.style == "dict" else head.data

    def compose(self, inner: PyTreeDef) -> PyTreeDef:
        """This structure with `inner` in the place of every leaf."""
        if not isinstance(inner, PyTreeDef):
            raise TypeError(f"compose(): expected a PyTreeDef, got {type(inner).__name__}.")
        return self._fold([inner] * self.num_leaves, None, lambda head, parts: treedef_of(head, tuple(parts)))

    def walk(self, f_node: Callable[[Any, Any], Any], f_leaf: Callable[[Any], Any], leaves: Iterable[Any]) -> Any:
        """Fold leaves upwards: `f_leaf(leaf)`, then `f_node(tuple of children's results, node data)`; the root's result."""
        if not callable(f_node) or not callable(f_leaf):
            raise TypeError("walk(): f_node and f_leaf must be callable.")
        leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(f"Too {'few' if len(leaves) < self.num_leaves else 'many'} leaves for PyTreeDef")

        def node(head: Head, parts: list[Any]) -> Any:
            return f_node(tuple(parts), list(head.data) if head.node.style == "dict" else head.data)

        return self._fold(leaves, f_leaf, node)

    def from_iterable_tree(self, tree: Any) -> Any:
        """The tree of this structure from nested iterables of the same arity (any kind; empty for None)."""
        leaves: list[Any] = []
        stack = [(self, tree)]
        while stack:
            treedef, value = stack.pop()
            if treedef.head is None:
                leaves.append(value)
                continue
            parts = list(value)
            if len(parts) != len(treedef.children_):
                raise ValueError("Arity mismatch between trees")
            stack += reversed([*zip(treedef.children_, parts)])
        return self.unflatten(leaves)

    @staticmethod
    def from_node_data_and_children(registry: Any, node_data: tuple[type, Any] | None,
                                    children: Iterable[PyTreeDef]) -> PyTreeDef:
        """The inverse of `node_data` and `children`."""
        children = list(children)
        if node_data is None:
            if children:
                raise RuntimeError("PyTreeDef traversal did not yield a singleton.")
            return LEAF
        kind, data = node_data
        node = find_node(kind)
        if node is None:
            raise RuntimeError(f"Could not find type: {kind!r}.")
        data = tuple(data) if node.style == "dict" else data
        if node.style == "dict" and len(data) != len(children):
            raise RuntimeError("Number of keys and entries does not match.")
        return treedef_of(head_of(node, data), tuple(children))

    def serialize_using_proto(self) -> bytes:
        """This structure as JAX's protocol buffer; only None, tuples, lists and dicts with str keys."""
        from .tree_bytes import to_bytes

        return to_bytes(self)

    @staticmethod
    def deserialize_using_proto(registry: Any, data: bytes) -> PyTreeDef:
        """The inverse of `serialize_using_proto`."""
        from .tree_bytes import from_bytes

        return from_bytes(data)

    def __repr__(self) -> str:
        return f"PyTreeDef({self._fold(['*'] * self.num_leaves, None, _format)})"

    def __reduce__(self) -> tuple[Any, ...]:
        nodes = [None if d.head is None else (d.head.node.type, d.head.data, len(d.children_)) for d in postorder(self)]
        return _restore, (nodes,)

    def _is_hot(self) -> bool:
        self.heat += 1
        return self.heat > HOT and self.num_nodes <= LARGEST

    def _fold(
        self,
        leaves: Iterable[Any],
        f_leaf: Callable[[Any], Any] | None,
        f_node: Callable[[Head, list[Any]], Any],
    ) -> Any:
        """`f_leaf` of each leaf, then `f_node(head, results of the children)` upwards."""
        rest: Iterator[Any] = iter(leaves) if f_leaf is None else map(f_leaf, leaves)
        values: list[Any] = []
        for treedef in postorder(self, into_flat=False):
            if treedef.head is None:
                values.append(next(rest))
            elif treedef.is_flat:
                values.append(f_node(treedef.head, [*islice(rest, treedef.num_leaves)]))
            else:
                at = len(values) - len(treedef.children_)
                parts = values[at:]
                del values[at:]
                values.append(f_node(treedef.head, parts))
        return values[0]


class _OpenTreeDef(PyTreeDef):
    """A treedef that holds data whose equality is the user's: compared structurally. As in JAX, the hash skips the data."""

    __slots__ = ("hash_",)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PyTreeDef):
            return NotImplemented
        stack: list[tuple[PyTreeDef, PyTreeDef]] = [(self, other)]
        while stack:
            a, b = stack.pop()
            if a is b:
                continue
            if a.head is None or b.head is None or len(a.children_) != len(b.children_):
                return False
            if a.head is not b.head:
                if a.head.node is not b.head.node or not same_data(a.head.data, b.head.data):
                    return False
            stack += zip(a.children_, b.children_)
        return True

    def __hash__(self) -> int:
        return self.hash_


def same_data(a: Any, b: Any) -> bool:
    """Whether two heads' data are equal."""
    return a is b or bool(a == b)


def _new(cls: type[PyTreeDef], head: Head | None, children: tuple[PyTreeDef, ...]) -> PyTreeDef:
    treedef = object.__new__(cls)
    treedef.head, treedef.children_ = head, children
    treedef.num_leaves = sum(c.num_leaves for c in children) if head is not None else 1
    treedef.num_nodes = 1 + sum(c.num_nodes for c in children)
    treedef.is_flat = head is not None and treedef.num_leaves == treedef.num_nodes - 1
    treedef.heat, treedef.unflatten_, treedef.match_ = 0, None, None
    return treedef


PyTreeDef.__module__ = "adjoint.tree_util"
LEAF = _new(PyTreeDef, None, ())
_CLOSED = frozenset([PyTreeDef])
_interned: WeakValueDictionary[tuple[Head, tuple[PyTreeDef, ...]], PyTreeDef] = WeakValueDictionary()
_known: dict[tuple[Head, tuple[PyTreeDef, ...]], PyTreeDef] = {}  # of `_interned`, what was used lately; keeps it alive
_lock = threading.Lock()


def treedef_of(head: Head, children: tuple[PyTreeDef, ...]) -> PyTreeDef:
    """The treedef of a head over the treedefs of its children."""
    key = (head, children)
    treedef = _known.get(key)
    if treedef is not None:
        return treedef
    if not head.canonical or not _CLOSED.issuperset(map(type, children)):
        treedef = _new(_OpenTreeDef, head, children)
        treedef.hash_ = hash((head.node.type, children))
        return treedef
    with _lock:
        treedef = _interned.get(key)
        if treedef is None:
            treedef = _interned[key] = _new(PyTreeDef, head, children)
        if len(_known) > 4096:
            _known.clear()
        _known[key] = treedef
    return treedef


def postorder(root: PyTreeDef, into_flat: bool = True) -> list[PyTreeDef]:
    """Children before parents, left to right; without `into_flat`, leaves under a flat node are left out."""
    order, stack = [], [root]
    while stack:
        treedef = stack.pop()
        order.append(treedef)
        if into_flat or not treedef.is_flat:
            stack += treedef.children_
    order.reverse()
    return order


def _restore(nodes: list[tuple[type, Any, int] | None]) -> PyTreeDef:
    """Unpickle: the treedef of nodes in postorder."""
    values: list[PyTreeDef] = []
    for entry in nodes:
        if entry is None:
            values.append(LEAF)
            continue
        kind, data, arity = entry
        at = len(values) - arity
        node = find_node(kind)
        if node is None:
            raise ValueError(f"Cannot restore a PyTreeDef: {kind!r} is not registered as a pytree node here.")
        values[at:] = [treedef_of(head_of(node, data), tuple(values[at:]))]
    return values[0]


def _build(head: Head, parts: list[Any]) -> Any:
    return head.node.build(head.data, parts)


_FORMATS: dict[str, Callable[[Head, list[str]], str]] = {
    "none": lambda head, parts: "None",
    "tuple": lambda head, parts: f"({', '.join(parts)}{',' if len(parts) == 1 else ''})",
    "list": lambda head, parts: f"[{', '.join(parts)}]",
    "dict": lambda head, parts: "{%s}" % ", ".join(f"{k!r}: {p}" for k, p in zip(head.data, parts)),
    "namedtuple": lambda head, parts: f"CustomNode(namedtuple[{head.node.type.__name__}], [{', '.join(parts)}])",
}


def _format(head: Head, parts: list[str]) -> str:
    known = _FORMATS.get(head.node.style)
    return known(head, parts) if known else f"CustomNode({head.node.type.__name__}[{head.data}], [{', '.join(parts)}])"


def _arity_error(expected: int, got: int) -> ValueError:
    if got < expected:
        return ValueError(f"Too few leaves for PyTreeDef; expected {expected}, got {got}")
    return ValueError(f"Too many leaves for PyTreeDef; expected {expected}.")


# ---- the registry ----


def _build_defaultdict(data: tuple[Any, tuple], parts: list[Any]) -> defaultdict:
    return defaultdict(data[0], zip(data[1], parts))


_NONE, _TUPLE, _LIST, _DICT, _ORDERED, _DEFAULT = (
    Node(type(None), "none", lambda data, parts: None),
    Node(tuple, "tuple", lambda data, parts: tuple(parts)),
    Node(list, "list", lambda data, parts: list(parts)),
    Node(dict, "dict", lambda data, parts: dict(zip(data, parts))),
    Node(OrderedDict, "OrderedDict", lambda data, parts: OrderedDict(zip(data, parts))),
    Node(defaultdict, "defaultdict", _build_defaultdict),
)
_nodes: dict[type, Node] = {node.type: node for node in (_NONE, _TUPLE, _LIST, _DICT, _ORDERED, _DEFAULT)}
leaf_types: set[type] = set()  # types seen as leaves: a cache, so that the common answer is one set lookup
_heads: WeakValueDictionary[tuple, Head] = WeakValueDictionary()


def head_of(node: Node, data: Any) -> Head:
    """The head of a node with its data, interned where two equal heads cannot be told apart."""
    style = node.style
    if style == "custom" or style == "dict" and not _are_plain(data) or style == "OrderedDict" and not _are_plain(data):
        return Head(node, data, False)
    if style == "defaultdict":
        factory, keys = data
        if not _are_plain(keys) or not (factory is None or type(factory) is type):
            return Head(node, data, False)
    with _lock:
        head = _heads.get((node, data))
        if head is None:
            head = _heads[node, data] = Head(node, data, True)
        return head


def _are_plain(keys: tuple) -> bool:
    """Whether equal keys are the same keys: all str, or all int (1 == True == 1.0, and a str enum equals its value)."""
    kinds = set(map(type, keys))
    return kinds <= {str} or kinds == {int}


_SEQUENCES = {tuple: head_of(_TUPLE, None), list: head_of(_LIST, None)}
_NONE_HEAD = head_of(_NONE, None)
_named_heads: dict[type, Head] = {}


def find_node(kind: type) -> Node | None:
    """The node of a type, None for a leaf type; a namedtuple becomes a node when first seen."""
    node = _nodes.get(kind)
    if node is None:
        if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
            node = Node(kind, "namedtuple", lambda data, parts: kind(*parts), fields=tuple(kind._fields))
            node = _nodes.setdefault(kind, node)
            _named_heads[kind] = head_of(node, None)
        else:
            if len(leaf_types) > 4096:  # classes made in a loop
                leaf_types.clear()
            leaf_types.add(kind)
    return node


def register(kind: type, build: Callable[[Any, tuple], Any], take: Callable[[Any], tuple[Iterable, Any]],
             take_with_keys: Callable | None = None, fields: tuple[str, ...] | None = None) -> None:
    """Make a class a node. Raises TypeError for what is no class or function, ValueError for a class known already."""
    if not isinstance(kind, type):
        raise TypeError(f"register_pytree_node: expected a class, got {kind!r}.")
    for function in (build, take) if take_with_keys is None else (build, take, take_with_keys):
        if not callable(function):
            raise TypeError(f"register_pytree_node: the functions for {kind.__name__} must be callable, got {function!r}.")
    known = _nodes.get(kind)
    if known is not None and known.style != "namedtuple":
        raise ValueError(f"Duplicate custom PyTreeDef type registration for {kind!r}.")
    _nodes[kind] = Node(kind, "custom", lambda data, parts: build(data, tuple(parts)), take, take_with_keys, fields)
    leaf_types.discard(kind)
    if known is not None:
        known.retired = True
        _named_heads.pop(kind, None)
        _guesses.clear()
        for treedef in list(_interned.values()):
            treedef.match_ = None


# ---- flattening ----

# The treedef with generated code that a container of this type and length had last: a program flattens the same few
# structures again and again, and a guess is checked in a third of the time of the loop below.
_GUESSED = frozenset([tuple, list, dict])
_guesses: dict[tuple[type, int], PyTreeDef] = {}


def _can_match(treedef: PyTreeDef) -> bool:
    """Count a use of a treedef; whether there is code that recognises its trees, generated now if it is hot."""
    if treedef.match_ is not None:
        return True
    if type(treedef) is not PyTreeDef or not treedef._is_hot():
        return False
    if any(d.head is not None and d.head.node.retired for d in postorder(treedef)):
        return False
    treedef.match_ = compile_match(treedef, leaf_types)
    return True


class DictPlan(NamedTuple):
    """For dicts with certain keys in a certain order: how to take the values in sorted order, and what they make."""

    head: Head
    take: Callable[[dict], Iterable[Any]]
    flat: PyTreeDef  # of the dict whose values are all leaves


_plans: dict[tuple, DictPlan] = {}


def _dict_plan(keys: tuple) -> DictPlan:
    """The plan of these keys, new; remembered if they are all str: the tuple (1,) would be found for True and 1.0 too."""
    ordered = tuple(sort_keys(keys))
    # Out of order means two keys at least, for which itemgetter gives a tuple.
    take: Callable[[dict], Iterable[Any]] = dict.values if ordered == keys else operator.itemgetter(*ordered)
    head = head_of(_DICT, ordered)
    plan = DictPlan(head, take, treedef_of(head, (LEAF,) * len(keys)))
    if set(map(type, keys)) <= {str}:
        if len(_plans) > 4096:
            _plans.clear()
        _plans[keys] = plan
    return plan


def sort_keys(keys: Iterable[Any]) -> list[Any]:
    """The keys of a dict in the order of its leaves."""
    try:
        return sorted(keys)
    except Exception as error:
        raise ValueError("Comparator raised exception while sorting pytree dictionary keys.") from error


def take_apart(value: Any, kind: type) -> tuple[Head, Iterable[Any]] | None:
    """`(head, children)` of a container of this type, None for a leaf."""
    if kind is dict:
        keys = tuple(value)
        plan = _plans.get(keys)
        # A dict keyed by a str enum finds the plan of the equal plain strings; its first key tells.
        if plan is None or keys and type(keys[0]) is not str:
            plan = _dict_plan(keys)
        return plan.head, plan.take(value)
    if kind in _SEQUENCES:
        return _SEQUENCES[kind], value
    if value is None:
        return _NONE_HEAD, ()
    node = find_node(kind)
    if node is None:
        return None
    if node.style == "namedtuple":
        return _named_heads[kind], value
    if node.style == "OrderedDict":
        return head_of(node, tuple(value)), value.values()
    if node.style == "defaultdict":
        keys = tuple(sort_keys(value))
        return head_of(node, (value.default_factory, keys)), [value[k] for k in keys]
    parts, data = checked_parts(node.take(value))
    return Head(node, data, False), parts


def checked_parts(result: Any) -> tuple[tuple, Any]:
    """What a registered flatten function returned, with the children as a tuple; ValueError if it is malformed."""
    if type(result) is not tuple or len(result) != 2:
        raise ValueError("The to_iterable function for a custom PyTree node should return a (children, aux_data) tuple, "
                         f"got {result!r}")
    parts, data = result
    if type(parts) is not tuple:
        try:
            parts = iter(parts)
        except TypeError:
            raise ValueError("The to_iterable function for a custom PyTree node should return a (children, aux_data) "
                             f"tuple where 'children' is iterable, got {result!r}") from None
        parts = tuple(parts)
    return parts, data


def tree_flatten(tree: Any, is_leaf: IsLeaf | None = None) -> tuple[list[Any], PyTreeDef]:
    """The leaves of a tree, left to right, and its structure.

    Args:
      tree: any pytree.
      is_leaf: asked about every node on the way down; True makes it a leaf.
    Raises:
      ValueError: the keys of a dict cannot be compared, or `is_leaf` returned no bool.

    >>> import adjoint
    >>> adjoint.tree.flatten({"b": (1, None), "a": [2, 3]})
    ([2, 3, 1], PyTreeDef({'a': [*, *], 'b': (*, None)}))
    """
    root = type(tree)
    if is_leaf is None:
        if root in leaf_types:
            return [tree], LEAF
        if root is tuple or root is list:
            for part in tree:
                if type(part) not in leaf_types:
                    break
            else:
                return [*tree], treedef_of(_SEQUENCES[root], (LEAF,) * len(tree))
        if root in _GUESSED:
            guess = _guesses.get((root, len(tree)))
            if guess is not None:
                found = guess.match_(tree)
                if found is not None:
                    return found, guess
    leaves: list[Any] = []
    children: list[PyTreeDef] = []  # of the container whose parts `values` runs over
    frames: list[tuple[Head, Iterator[Any], list[PyTreeDef]]] = []  # that container's head, and the state of its parent
    values = iter((tree,))
    while True:
        for value in values:
            kind = type(value)
            if is_leaf is not None and is_true(is_leaf(value)) or kind in leaf_types:
                leaves.append(value)
                children.append(LEAF)
                continue
            flat = None
            if kind is dict:  # what `take_apart` does, inlined for the commonest types
                keys = tuple(value)
                plan = _plans.get(keys)
                if plan is None or keys and type(keys[0]) is not str:
                    plan = _dict_plan(keys)
                head, take, flat = plan
                parts = take(value)
            elif kind is tuple or kind is list:
                head, parts = _SEQUENCES[kind], value
            else:
                apart = take_apart(value, kind)
                if apart is None:
                    leaves.append(value)
                    children.append(LEAF)
                    continue
                head, parts = apart
            if is_leaf is None:
                for part in parts:
                    if type(part) not in leaf_types:
                        break
                else:  # nothing but leaves, the most of all containers
                    leaves += parts
                    children.append(flat or treedef_of(head, (LEAF,) * len(parts)))
                    continue
            frames.append((head, values, children))
            values, children = iter(parts), []
            break
        else:
            if not frames:
                treedef = children[0]
                if is_leaf is None and root in _GUESSED and _can_match(treedef):
                    _guesses[root, len(tree)] = treedef
                return leaves, treedef
            done = children
            head, values, children = frames.pop()
            children.append(treedef_of(head, tuple(done)))


def is_true(answer: Any) -> bool:
    """The answer of an `is_leaf` function: a bool, or None for False."""
    if answer is True:
        return True
    if answer is False or answer is None:
        return False
    raise ValueError(f"is_leaf predicate returned a non-boolean value {answer!r}; expected a boolean")


def _take_like(head: Head, n: int, value: Any) -> Iterable[Any]:
    """The n children of `value`, which must be a container with this head; ValueError says how it differs."""
    node, kind = head.node, type(value)
    style = node.style
    if style in ("tuple", "list"):
        if kind is not node.type:
            raise ValueError(f"Expected {style}, got {value!r}.")
        if len(value) != n:
            raise ValueError(f"{style.capitalize()} arity mismatch: {len(value)} != {n}; {style}: {value!r}.")
        return value
    if style == "dict":
        if kind is not dict:
            raise ValueError(f"Expected dict, got {value!r}.")
        if len(value) != n or any(k not in value for k in head.data):
            raise ValueError(f"Dict key mismatch; expected keys: {list(head.data)}; "
                             f"present keys: {sort_keys(value)}.")
        return [value[k] for k in head.data]
    if style == "none":
        if value is not None:
            raise ValueError(f"Expected None, got {value!r}.\n\nNone is a container without leaves, not a leaf. To keep "
                             "None where the first tree has it, you can usually write:\n  jax.tree.map(lambda x, y: None "
                             "if x is None else f(x, y), a, b, is_leaf=lambda x: x is None)")
        return ()
    if style == "namedtuple":
        if not (isinstance(value, tuple) and hasattr(value, "_fields")):
            raise ValueError(f"Expected named tuple, got {value!r}.")
        if kind is not node.type:
            raise ValueError(f"Named tuple type mismatch: expected type: {node.type!r}, tuple: {value!r}.")
        return value
    if kind is not node.type:
        raise ValueError(f"Custom node type mismatch: expected type: {node.type!r}, value: {value!r}.")
    apart = take_apart(value, kind)
    assert apart is not None
    other, parts = apart
    if not same_data(head.data, other.data):
        sort = "dataclass" if node.fields else "node"
        raise ValueError(f"Mismatch custom {sort}{' node' if node.fields else ''} data: {head.data!r} != {other.data!r}; "
                         f"value: {value!r}.")
    if len(parts) != n:
        raise ValueError(f"Custom type arity mismatch: {len(parts)} != {n}; value: {value!r}.")
    return parts
