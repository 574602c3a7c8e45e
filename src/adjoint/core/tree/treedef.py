"""`PyTreeDef`, the structure of a pytree, and the loop that flattens.

A treedef is a leaf (`*`) or a head (node_specs.py) over the treedefs of its children. Flattening is
on the path of every call, so treedefs are interned as far as their heads are, and those without
numbers among their data are equal exactly if identical: hash and `==` are the object's own. For
treedefs in heavy use, code is generated (code.py) that recognises their trees, and that builds
them. Nothing here recurses: memory bounds the depth of a tree, not the stack.

Next: paths.py (key paths), differences.py (errors that name paths), tree.py (functions).

Tests: `tests/core/test_tree.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any
from weakref import WeakValueDictionary

from ..messages.errors import message
from ..process.locks import tables
from ..process.memo import Memo
from .bytes import from_bytes, to_bytes
from .code import compile_asked_match, compile_match, compile_unflatten
from .node_specs import (
    MAX_ENTRIES_OF_MEMO,
    NodeSpec,
    dict_takers,
    find_node,
    leaf_types,
    new_taker,
    node_spec,
    same_data,
    single_heads,
    take_apart,
    take_like,
)

USES_BEFORE_CODE = 64  # uses before code is generated for a treedef; it is repaid in about as many
MAX_NODES_OF_CODE = 4000  # nodes up to which code is generated
MAX_GUESSES = 3  # structures that trees of one type and length are compared with
DEPTH_OF_CYCLES = 1024  # containers inside one another from which on it is asked whether one is inside itself

IsLeaf = Callable[[Any], bool]


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

    __slots__ = (
        "head",  # None for a leaf
        "parts",  # the treedefs of the children
        "num_leaves",
        "num_nodes",
        "is_flat",  # a container of leaves only
        "names_instances",  # a class in it names the children of each instance
        "_uses",
        "_unflatten",  # generated functions, or None
        "_match",
        "_asked_match",
        "_paths",  # of the leaves, once asked for, or the function that finds those of a tree: paths.py
        "_paths_of",
        "__weakref__",
    )

    head: NodeSpec | None
    parts: tuple[PyTreeDef, ...]
    num_leaves: int
    num_nodes: int
    is_flat: bool
    names_instances: bool
    _unflatten: Callable[[list[Any]], Any] | None
    _match: Callable[[Any], list[Any] | None] | None
    _asked_match: Callable[[Any, IsLeaf, list[Any]], list[Any] | None] | None
    _paths: list[tuple[Any, ...]] | None
    _paths_of: Callable[[Any], list[tuple[Any, ...]] | None] | None

    def __init__(self, *args: Any, **kwargs: Any):
        raise TypeError("PyTreeDef: no constructor defined! tree_structure(tree) makes one.")

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """Return the tree of this structure with these leaves.

        Args:
          leaves: as many values as the structure has leaves.
        Raises:
          ValueError: there are more or fewer.
        """
        if type(leaves) is not list:
            leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise _arity_error(self.num_leaves, len(leaves))
        build = self._unflatten
        if build is not None:
            return build(leaves)
        if self._is_hot():
            build = self._unflatten = compile_unflatten(self)
            return build(leaves)
        if self.is_flat:
            return self.head.node.build(self.head.data, leaves)
        return self._fold(leaves, lambda head, parts: head.node.build(head.data, parts))

    def match(self, tree: Any) -> list[Any] | None:
        """Return the leaves of a tree of this very structure, None for another: the fastest way to ask.

        None also for a structure that is equal with data of other types, 1 for True, and for a tree that has no leaves
        to give: below the leaves of this structure it may hold dicts whose keys have no order.

        Args:
          tree: a pytree.
        """
        match = self._match
        if match is not None:
            return match(tree)
        try:
            leaves, treedef = tree_flatten(tree)
        except Exception:
            return None
        is_same = treedef is self or type(self) is _OpenTreeDef and treedef == self
        return leaves if is_same else None

    def flatten_up_to(self, tree: Any) -> list[Any]:
        """Return the subtrees of a tree where this structure has leaves.

        Args:
          tree: a pytree that has this structure, or more below its leaves.
        Raises:
          ValueError: it has another structure.
        """
        found: list[Any] = []
        stack: list[tuple[PyTreeDef, Any]] = [(self, tree)]
        while stack:
            treedef, value = stack.pop()
            if treedef.head is None:
                found.append(value)
                continue
            values = take_like(treedef.head, len(treedef.parts), value)
            if treedef.is_flat:
                found += values
            else:
                stack += reversed([*zip(treedef.parts, values)])
        return found

    def children(self) -> list[PyTreeDef]:
        """Return the treedefs of the direct children; empty for a leaf."""
        return list(self.parts)

    def node_data(self) -> tuple[type, Any] | None:
        """Return `(type, data)` of the root: a dict's keys, a registered class's data. None for a leaf."""
        return None if self.head is None else (self.head.node.type, _shown_data(self.head))

    def compose(self, inner: PyTreeDef) -> PyTreeDef:
        """Return this structure with another one in the place of every leaf.

        Args:
          inner: the structure of every leaf.
        """
        if not isinstance(inner, PyTreeDef):
            raise TypeError(f"compose(): expected a PyTreeDef, got {type(inner).__name__}.")
        inners = [inner] * self.num_leaves
        return self._fold(inners, lambda head, parts: treedef_of(head, tuple(parts)))

    def walk(
        self,
        f_node: Callable[[Any, Any], Any],
        f_leaf: Callable[[Any], Any],
        leaves: Iterable[Any],
    ) -> Any:
        """Return what functions make of the nodes of a tree, from the leaves upwards.

        Args:
          f_node: `f_node(results of the children, data of the node)`.
          f_leaf: `f_leaf(leaf)`.
          leaves: as many values as the structure has leaves.
        """
        if not callable(f_node) or not callable(f_leaf):
            raise TypeError("walk(): f_node and f_leaf must be callable.")
        leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            count = "few" if len(leaves) < self.num_leaves else "many"
            raise ValueError(f"Too {count} leaves for PyTreeDef")
        return self._fold(
            map(f_leaf, leaves),
            lambda head, parts: f_node(
                tuple(parts),
                head.node.type if head.node.style == "namedtuple" else _shown_data(head),
            ),
        )

    def from_iterable_tree(self, tree: Any) -> Any:
        """Return the tree of this structure from nested iterables of any type with the same numbers of children.

        Args:
          tree: nested iterables.
        """
        leaves: list[Any] = []
        stack: list[tuple[PyTreeDef, Any]] = [(self, tree)]
        while stack:
            treedef, value = stack.pop()
            if treedef.head is None:
                leaves.append(value)
                continue
            values = list(value)
            if len(values) != len(treedef.parts):
                raise ValueError("Arity mismatch between trees")
            stack += reversed([*zip(treedef.parts, values)])
        return self.unflatten(leaves)

    @staticmethod
    def from_node_data_and_children(
        registry: Any, node_data: tuple[type, Any] | None, children: Iterable[PyTreeDef]
    ) -> PyTreeDef:
        """Return the structure of these parts: the inverse of `node_data` and `children`.

        Args:
          registry: for compatibility with JAX; not read.
          node_data: (type, data) of the root, or None for a leaf.
          children: the structures of its children.
        """
        children = tuple(children)
        if node_data is None:
            if children:
                raise RuntimeError("PyTreeDef traversal did not yield a singleton.")
            return LEAF
        kind, data = node_data
        node = find_node(kind)
        if node is None:
            raise RuntimeError(f"Could not find type: {kind!r}.")
        if node.style == "dict":
            data = tuple(data)
            if len(data) != len(children):
                raise RuntimeError("Number of keys and entries does not match.")
        return treedef_of(node_spec(node, data), children)

    def serialize_using_proto(self) -> bytes:
        """This structure as JAX's protocol buffer: None, tuples, lists, dicts with str keys."""
        return to_bytes(postorder(self))

    @staticmethod
    def deserialize_using_proto(registry: Any, data: bytes) -> PyTreeDef:
        """Return the structure that `serialize_using_proto` wrote.

        Args:
          registry: for compatibility with JAX; not read.
          data: the bytes.
        """
        return from_bytes(data, LEAF, treedef_of)

    def __repr__(self) -> str:
        return f"PyTreeDef({self._fold(['*'] * self.num_leaves, _format)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, ([
            None if d.head is None else (d.head.node.type, d.head.data, len(d.parts))
            for d in postorder(self)
        ],)

    def _is_hot(self) -> bool:
        self._uses += 1
        return self._uses > USES_BEFORE_CODE and self.num_nodes <= MAX_NODES_OF_CODE

    def _fold(self, leaves: Iterable[Any], f: Callable[[NodeSpec, list[Any]], Any]) -> Any:
        """Return `f(head, results of the children)` from the leaves upwards."""
        rest = iter(leaves)
        values: list[Any] = []
        for treedef in postorder(self, into_flat=False):
            if treedef.head is None:
                values.append(next(rest))
            elif treedef.is_flat:
                values.append(f(treedef.head, [*islice(rest, treedef.num_leaves)]))
            else:
                at = len(values) - len(treedef.parts)
                parts = values[at:]
                del values[at:]
                values.append(f(treedef.head, parts))
        return values[0]


PyTreeDef.__module__ = "adjoint.tree_util"


class _OpenTreeDef(PyTreeDef):
    """A treedef whose data may equal other data: compared structurally; the hash skips the data."""

    __slots__ = ("_hash",)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, PyTreeDef):
            return NotImplemented
        stack: list[tuple[PyTreeDef, PyTreeDef]] = [(self, other)]
        while stack:
            a, b = stack.pop()
            if a is b:
                continue
            if a.head is None or b.head is None or len(a.parts) != len(b.parts):
                return False
            if a.head is not b.head and not (
                a.head.node is b.head.node and same_data(a.head.data, b.head.data)
            ):
                return False
            stack += zip(a.parts, b.parts)
        return True

    def __hash__(self) -> int:
        return self._hash


class _InternedTreeDef(_OpenTreeDef):
    """An open treedef that is the only one with these very data and children."""

    __slots__ = ()


for _class in (_OpenTreeDef, _InternedTreeDef):
    _class.__module__, _class.__name__ = PyTreeDef.__module__, PyTreeDef.__name__
    _class.__qualname__ = PyTreeDef.__qualname__


# ---- making treedefs ----


def _new(cls: type[PyTreeDef], head: NodeSpec | None, parts: tuple[PyTreeDef, ...]) -> Any:
    treedef = object.__new__(cls)
    treedef.head, treedef.parts = head, parts
    treedef.names_instances = head is not None and head.node.take_with_keys is not None
    treedef.is_flat = head is not None and parts.count(LEAF) == len(parts)
    if treedef.is_flat:
        treedef.num_leaves, treedef.num_nodes = len(parts), len(parts) + 1
    else:
        leaves, nodes = 0, 1
        for part in parts:
            leaves += part.num_leaves
            nodes += part.num_nodes
            if part.names_instances:
                treedef.names_instances = True
        treedef.num_leaves, treedef.num_nodes = 1 if head is None else leaves, nodes
    treedef._uses = 0
    treedef._unflatten = treedef._match = treedef._asked_match = treedef._paths = treedef._paths_of = None
    return treedef


LEAF: PyTreeDef = _new(PyTreeDef, None, ())
_CLOSED = frozenset([PyTreeDef])
_INTERNED = frozenset([PyTreeDef, _InternedTreeDef])
# Keys hold the identities of children, which live as long as the treedef does: equal open treedefs
# are not the same.
_Key = tuple[NodeSpec, tuple[int, ...]]
_treedefs: WeakValueDictionary[_Key, PyTreeDef] = WeakValueDictionary()
_known = Memo(MAX_ENTRIES_OF_MEMO)  # of `_treedefs`, what was used lately, with its generated code


def treedef_of(head: NodeSpec, parts: tuple[PyTreeDef, ...]) -> PyTreeDef:
    """Return the treedef of a head over the treedefs of its children."""
    if head.key is None:
        return _open(_OpenTreeDef, head, parts)
    key = (head, tuple(map(id, parts)))
    treedef = _known.get(key)
    if treedef is not None:
        return treedef
    if not _INTERNED.issuperset(map(type, parts)):
        return _open(_OpenTreeDef, head, parts)
    with tables:
        treedef = _treedefs.get(key)
        if treedef is None:
            if head.is_closed and _CLOSED.issuperset(map(type, parts)):
                treedef = _new(PyTreeDef, head, parts)
            else:
                treedef = _open(_InternedTreeDef, head, parts)
            _treedefs[key] = treedef
        _known.keep(key, treedef)
    return treedef


def _open(cls: type[_OpenTreeDef], head: NodeSpec, parts: tuple[PyTreeDef, ...]) -> PyTreeDef:
    treedef = _new(cls, head, parts)
    treedef._hash = hash((head.node.type, len(parts) if treedef.is_flat else parts))
    return treedef


_flat_treedefs = Memo(MAX_ENTRIES_OF_MEMO)


def _flat_treedef(head: NodeSpec, n: int) -> PyTreeDef:
    """Return the treedef of a head over n leaves."""
    treedef = treedef_of(head, (LEAF,) * n)
    if head.key is not None:
        _flat_treedefs.keep((head, n), treedef)
    return treedef


def postorder(root: PyTreeDef, into_flat: bool = True) -> list[PyTreeDef]:
    """Children before parents, left to right; leaves below flat nodes only with `into_flat`."""
    order, stack = [], [root]
    while stack:
        treedef = stack.pop()
        order.append(treedef)
        if into_flat or not treedef.is_flat:
            stack += treedef.parts
    order.reverse()
    return order


def _restore(nodes: list[tuple[type, Any, int] | None]) -> PyTreeDef:
    """Unpickle: the treedef of the nodes in postorder."""
    values: list[PyTreeDef] = []
    for entry in nodes:
        if entry is None:
            values.append(LEAF)
            continue
        kind, data, arity = entry
        node = find_node(kind)
        if node is None:
            raise ValueError(
                f"Cannot restore a PyTreeDef: {kind!r} is not registered as a pytree node here."
            )
        at = len(values) - arity
        values[at:] = [treedef_of(node_spec(node, data), tuple(values[at:]))]
    return values[0]


def _shown_data(head: NodeSpec) -> Any:
    """Return the data as `node_data` and `walk` give them."""
    return list(head.data) if head.node.style == "dict" else head.data


def _format(head: NodeSpec, parts: list[str]) -> str:
    listed = ", ".join(parts)
    match head.node.style:
        case "none":
            return "None"
        case "tuple":
            return f"({listed}{',' if len(parts) == 1 else ''})"
        case "list":
            return f"[{listed}]"
        case "dict":
            return f"{{{', '.join(f'{k!r}: {p}' for k, p in zip(head.data, parts))}}}"
        case "namedtuple":
            return f"CustomNode(namedtuple[{head.node.type.__name__}], [{listed}])"
        case _:
            return f"CustomNode({head.node.type.__name__}[{head.data}], [{listed}])"


def _arity_error(expected: int, got: int) -> ValueError:
    if got < expected:
        return ValueError(f"Too few leaves for PyTreeDef; expected {expected}, got {got}\n"
                          "  Try: the leaves that jax.tree.flatten gave with this structure, None for what is missing")
    return ValueError(f"Too many leaves for PyTreeDef; expected {expected}.\n"
                      f"  Try: not {got} leaves but those that jax.tree.flatten gave with this structure")


# ---- flattening ----

# The treedefs with generated code that containers of this type (and length, for the first three)
# had last: a program flattens the same few structures again and again, and to check one takes a
# third of the time of the loop.
_SIZED = frozenset([tuple, list, dict])
_Match = Callable[[Any], list[Any] | None]
_guesses = Memo(MAX_ENTRIES_OF_MEMO)  # pairs (_Match, PyTreeDef) by type, or type and length
_asked_guesses = Memo(MAX_ENTRIES_OF_MEMO)  # the last of them, by type, length and the code of `is_leaf`


def _matcher(treedef: PyTreeDef) -> _Match | None:
    """Count a use; the code that recognises the trees, generated now if the treedef is hot."""
    if treedef._match is None and type(treedef) is not _OpenTreeDef and treedef._is_hot():
        treedef._match = compile_match(treedef)
    return treedef._match


def _asked_matcher(treedef: PyTreeDef) -> Callable[[Any, IsLeaf, list[Any]], list[Any] | None] | None:
    """Return the same where `is_leaf` is asked."""
    if treedef._asked_match is None and type(treedef) is not _OpenTreeDef and treedef._is_hot():
        treedef._asked_match = compile_asked_match(treedef)
    return treedef._asked_match


def _answering(said: list[Any], is_leaf: IsLeaf) -> IsLeaf:
    """Return `is_leaf` that gives the answers again that it gave, in their order, before it is asked."""
    before = iter(said)

    def answer(value: Any) -> bool:
        for known in before:
            return known
        return is_leaf(value)

    return answer


def tree_flatten(tree: Any, is_leaf: IsLeaf | None = None) -> tuple[list[Any], PyTreeDef]:
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
    root = type(tree)
    if is_leaf is None:
        if root in leaf_types:
            return [tree], LEAF
        if root is tuple or root is list:
            for part in tree:
                if type(part) not in leaf_types:
                    break
            else:
                head, n = single_heads[root], len(tree)
                return [*tree], _flat_treedefs.get((head, n)) or _flat_treedef(head, n)
        for match, treedef in _guesses.get((root, len(tree)) if root in _SIZED else root, ()):
            found = match(tree)
            if found is not None:
                return found, treedef
    else:
        key = (root, len(tree) if root in _SIZED else None, getattr(is_leaf, "__code__", None))
        asked = _asked_guesses.get(key)
        if asked is not None:
            match, treedef = asked
            said: list[Any] = []
            found = match(tree, is_leaf, said)
            if found is not None:
                return found, treedef
            is_leaf = _answering(said, is_leaf)
    leaves: list[Any] = []
    children: list[PyTreeDef] = []  # of the container whose parts `values` runs over
    frames: list[tuple[NodeSpec, Iterator[Any], list[PyTreeDef]]] = []  # its head, its parent's state
    too_deep, is_end = DEPTH_OF_CYCLES, False
    values = iter((tree,))
    while True:
        for value in values:
            kind = type(value)
            if is_leaf is not None:
                answer = is_leaf(value)
                is_end = answer is True or answer is not False and is_true(answer)
            if is_end or kind in leaf_types:
                leaves.append(value)
                children.append(LEAF)
                continue
            if kind is dict:  # what `take_apart` does, inlined for the commonest types
                keys = tuple(value)
                taker = None if keys and type(keys[0]) is not str else dict_takers.get(keys)
                if taker is None:
                    taker = new_taker(keys)
                head, parts = taker.head, taker.take(value)
            elif kind is tuple or kind is list:
                head, parts = single_heads[kind], value
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
                else:  # nothing but leaves, as the most of all containers
                    leaves += parts
                    n = len(parts)
                    children.append(_flat_treedefs.get((head, n)) or _flat_treedef(head, n))
                    continue
            frames.append((head, values, children))
            values, children = iter(parts), []
            if len(frames) == too_deep:
                refuse_cycle(tree, [len(before) for _, _, before in frames])
                too_deep *= 2
            break
        else:
            if not frames:
                treedef = children[0]
                if is_leaf is None:
                    if (match := _matcher(treedef)) is not None:
                        key = (root, len(tree)) if root in _SIZED else root
                        others = [guess for guess in _guesses.get(key, ()) if guess[1] is not treedef]
                        _guesses.keep(key, ((match, treedef), *others[: MAX_GUESSES - 1]))
                elif treedef is not LEAF and (asked_match := _asked_matcher(treedef)) is not None:
                    _asked_guesses.keep(key, (asked_match, treedef))
                return leaves, treedef
            done = children
            head, values, children = frames.pop()
            children.append(treedef_of(head, tuple(done)))


def refuse_cycle(tree: Any, positions: list[int]) -> None:
    """Raise if a container on the way down a tree is inside itself; the way is by positions among the parts."""
    found: dict[int, tuple[int, Any]] = {}  # by identities, of objects that are kept alive
    value = tree
    for depth in range(len(positions)):
        above, _ = found.setdefault(id(value), (depth, value))
        if above != depth:
            kind = type(value).__name__
            raise RecursionError(
                message(
                    "A tree has no end.",
                    why=f"It has a {kind} that is inside itself: {above} containers down and again {depth} down.",
                    fix="keep the part that refers to what holds it out of the tree, or register its class with "
                    "adjoint.tree_util.register_static",
                )
            )
        if depth + 1 < len(positions):
            apart = take_apart(value, type(value))
            assert apart is not None
            value = list(apart[1])[positions[depth + 1]]


def is_true(answer: Any) -> bool:
    """Return the answer of an `is_leaf` function: a bool, or None for False."""
    if answer is True:
        return True
    if answer is False or answer is None:
        return False
    raise ValueError(
        f"is_leaf predicate returned a non-boolean value {answer!r}; expected a boolean"
    )
