"""Structures of arguments and results in artifacts, and the classes that are registered for them.

Tuples, lists, dicts and None are known; a class of a user's is stored by a name that both sides register.

Tests: `tests/export/test_artifact.py`.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

from ..core.messages.errors import message
from ..core.process.records import NamedTuple
from ..core.tree.node_specs import find_node
from ..core.tree.registry import is_tree_node
from ..core.tree.tree import tree_structure
from ..core.tree.treedef import PyTreeDef
from .mlir.ir import ArtifactError
from .tables import Builder, Table

__all__ = ["read_tree", "register_namedtuple_serialization", "register_pytree_node_serialization", "write_tree"]

T = TypeVar("T")
_LEAF, _NONE, _TUPLE, _LIST, _DICT, _CUSTOM = range(6)


class _Registered(NamedTuple):
    type: type
    name: str
    to_bytes: Callable[[Any], bytes]
    from_bytes: Callable[[bytes], Any]
    build: Callable[[Any, tuple], Any]  # (auxiliary data, children) -> object


_by_type: dict[type, _Registered] = {}
_by_name: dict[str, _Registered] = {}


def _register(entry: _Registered) -> None:
    if (before := _by_type.get(entry.type)) is not None:
        raise ValueError(
            f"Duplicate serialization registration for type `{entry.type}`. Previous registration was with "
            f"serialized_name `{before.name}`."
        )
    if (before := _by_name.get(entry.name)) is not None:
        raise ValueError(
            f"Duplicate serialization registration for serialized_name `{entry.name}`. Previous registration was for "
            f"type `{before.type}`."
        )
    _by_type[entry.type] = _by_name[entry.name] = entry


def register_pytree_node_serialization(
    nodetype: type[T], *, serialized_name: str, serialize_auxdata: Callable[[Any], bytes],
    deserialize_auxdata: Callable[[bytes], Any], from_children: Callable[[Any, tuple], Any] | None = None,
) -> type[T]:
    """Let exported functions have arguments and results of a class.

    Args:
      nodetype: a class that is registered as a pytree node.
      serialized_name: its name in artifacts, the same wherever they are read.
      serialize_auxdata: auxiliary data, as the class is flattened to it, -> bytes.
      deserialize_auxdata: the reverse.
      from_children: (auxiliary data, children) -> object; default: how the class is unflattened.
    Returns:
      The class.
    Raises:
      ValueError: the class or the name is registered already, or the class is no pytree node.

    >>> class Pair:
    ...     def __init__(self, a, b): self.a, self.b = a, b
    >>> _ = tree_util.register_pytree_node(Pair, lambda p: ((p.a, p.b), None), lambda _, ab: Pair(*ab))
    >>> _ = export.register_pytree_node_serialization(
    ...     Pair, serialized_name="Pair", serialize_auxdata=lambda aux: b"", deserialize_auxdata=lambda b: None)
    >>> double = export.export(jit(lambda p: p.a + p.b))(Pair(1., 2.))
    >>> export.deserialize(double.serialize()).call(Pair(1., 2.))
    Array(3., dtype=float32)
    """
    if from_children is None:
        if not is_tree_node(nodetype):
            raise ValueError(
                message(
                    "If `from_children` is not present, you must call first "
                    f"`jax.tree_util.register_pytree_node` for `{nodetype}`",
                    fix="register the class as a pytree node, or give from_children",
                )
            )
        from_children = _Unflatten(nodetype)
    _register(_Registered(nodetype, serialized_name, serialize_auxdata, deserialize_auxdata, from_children))
    return nodetype


class _Unflatten:
    """Builds an object of a registered class of its parts."""

    def __init__(self, nodetype: type):
        self.nodetype = nodetype

    def __call__(self, aux: Any, children: tuple) -> Any:
        node = find_node(self.nodetype)
        assert node is not None  # it was registered before
        return node.build(aux, children)


def register_namedtuple_serialization(nodetype: type[T], *, serialized_name: str) -> type[T]:
    """Let exported functions have arguments and results of a `collections.namedtuple`.

    Args:
      nodetype: the class, which has the same fields wherever artifacts are read.
      serialized_name: its name in artifacts.
    Returns:
      The class.
    Raises:
      ValueError: the class or the name is registered already, or the class is no namedtuple.

    >>> from collections import namedtuple
    >>> Interval = register_namedtuple_serialization(namedtuple("Interval", "low high"), serialized_name="doc.Interval")
    >>> exported = adjoint.export.export(jit(lambda i: i.high - i.low))(Interval(1.0, 3.0))
    >>> adjoint.export.deserialize(exported.serialize()).call(Interval(1.0, 3.0))
    Array(2., dtype=float32)
    """
    if not (issubclass(nodetype, tuple) and hasattr(nodetype, "_fields")):
        raise ValueError(
            message(
                "Use `jax.export.register_pytree_node_serialization` for types other than `collections.namedtuple`.",
                fix="register_pytree_node_serialization",
            )
        )
    fields: tuple = nodetype._fields  # type: ignore[attr-defined]

    def from_bytes(data: bytes) -> Any:
        found = tuple(json.loads(data.decode()))
        if found != fields:
            raise ArtifactError(
                f"The artifact has a namedtuple `{serialized_name}` with the fields {found}, and "
                f"{nodetype.__name__} has {fields}."
            )
        return nodetype

    _register(_Registered(nodetype, serialized_name, lambda _: json.dumps(fields).encode(), from_bytes,
                          lambda aux, children: nodetype(*children)))
    return nodetype


_register(_Registered(
    OrderedDict, "collections.OrderedDict", lambda keys: json.dumps(list(keys)).encode(),
    lambda data: tuple(json.loads(data.decode())), lambda keys, children: OrderedDict(zip(keys, children))))


def write_tree(builder: Builder, tree: PyTreeDef) -> int:
    """Write a structure; where it stands."""
    data, children = tree.node_data(), tree.children()
    if data is None and tree.num_nodes == 1 and tree.num_leaves == 1:
        return builder.table({})
    parts = [write_tree(builder, c) for c in children]
    if data is None or data[0] is type(None):
        return builder.table({0: ("B", _NONE)})
    kind, fields = data[0], {1: ("offset", builder.offsets(parts))}
    if kind in (tuple, list):
        fields[0] = ("B", _TUPLE if kind is tuple else _LIST)
    elif kind is dict:
        names = list(data[1])
        wrong = [n for n in names if not isinstance(n, str)]
        if wrong:
            raise TypeError(
                message(
                    "Serialization is supported only for dictionaries with string keys. Found key "
                    f"{wrong[0]} of type {type(wrong[0])}.",
                    fix="a dictionary with str keys",
                )
            )
        fields |= {0: ("B", _DICT), 2: ("offset", builder.offsets([builder.string(n) for n in names]))}
    else:
        entry = _by_type.get(kind)
        if entry is None:
            raise ValueError(
                f"Cannot serialize PyTreeDef containing an unregistered type `{kind}`. Use "
                "`export.register_pytree_node_serialization` or `export.register_namedtuple_serialization`."
            )
        aux = entry.to_bytes(data[1])
        if not isinstance(aux, bytes | bytearray):
            raise ValueError(
                f"The custom serialization function for `node_type` {kind} must return a `bytes` object. It returned a "
                f"{type(aux)}."
            )
        fields |= {0: ("B", _CUSTOM), 3: ("offset", builder.string(entry.name)), 4: ("offset", builder.bytes(aux))}
    return builder.table(fields)


class _Leaf:
    """Stands for an argument."""


def read_tree(table: Table) -> PyTreeDef:
    """Return the structure that a table tells of.

    Raises:
      ArtifactError: it is of no kind that is known, or of a class that is not registered.
    """
    return tree_structure(_object(table))


def _object(table: Table) -> Any:
    """Return an object of the structure."""
    kind = table.number(0, "B")
    if kind == _LEAF:
        return _Leaf()
    if kind == _NONE:
        return None
    children = [_object(c) for c in table.tables(1)]
    if kind == _TUPLE:
        return tuple(children)
    if kind == _LIST:
        return children
    if kind == _DICT:
        names = table.strings(2)
        if len(names) != len(children):
            raise ArtifactError("The artifact is damaged: a dictionary has not as many keys as values.")
        return dict(zip(names, children))
    if kind != _CUSTOM:
        raise ArtifactError(f"The artifact has a structure of kind {kind}, which is not known here.")
    name = table.string(3)
    entry = _by_name.get(name or "")
    if entry is None:
        raise ValueError(
            f"Cannot deserialize a PyTreeDef containing an unregistered type `{name}`. Use "
            "`export.register_pytree_node_serialization` or `export.register_namedtuple_serialization`."
        )
    return entry.build(entry.from_bytes(table.bytes(4) or b""), tuple(children))
