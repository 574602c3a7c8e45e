"""Treedefs as JAX's protocol buffer, the form in which exported programs hold them.

Only None, tuples, lists and dicts with str keys have one. The message, found by looking at what JAX
writes: field 1, once a node in postorder, holds 1: arity, 2: kind, 3: {1: packed indices of a
dict's keys}; field 2, once a string, the keys.

Tests: `tests/core/test_tree.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..messages.errors import JaxRuntimeError
from .node_specs import DICT, LIST, NONE, TUPLE, node_spec

_KINDS = {"leaf": 1, "list": 2, "none": 3, "tuple": 4, "dict": 5}
_NODES = {2: LIST, 3: NONE, 4: TUPLE, 5: DICT}


def to_bytes(treedefs: Iterable[Any]) -> bytes:
    """Return the message for the treedefs of a tree in postorder.

    Raises:
      ValueError: a class was registered, or a key is not str.
    """
    strings: dict[str, int] = {}
    nodes = bytearray()
    for node in treedefs:
        style = "leaf" if node.head is None else node.head.node.style
        if style not in _KINDS:
            raise ValueError(
                "User-defined nodes are not supported when serializing pytrees as protocol "
                "buffers. You should either convert the user-defined nodes to another type or use "
                "pickle instead."
            )
        body = b"\x08" + _varint(len(node.parts)) if node.parts else b""
        body += b"\x10" + _varint(_KINDS[style])
        if node.head is not None and style == "dict" and node.parts:
            keys = node.head.data
            if not all(isinstance(k, str) for k in keys):
                raise ValueError("Only string keys are supported in proto pytree serialization.")
            packed = b"".join(_varint(strings.setdefault(k, len(strings))) for k in keys)
            body += _field(3, _field(1, packed))
        nodes += _field(1, body)
    return bytes(nodes) + b"".join(_field(2, s.encode()) for s in strings)


def from_bytes(data: bytes, leaf: Any, treedef_of: Callable[[Any, tuple], Any]) -> Any:
    """Return the treedef of a message, made of `leaf` and of `treedef_of(head, children)`.

    Raises:
      JaxRuntimeError: the bytes are no message.
      ValueError: the message is of no treedef.
    """
    try:
        fields = list(_fields(data))
        strings = [value.decode() for number, value in fields if number == 2]
        nodes = [dict(_fields(value)) for number, value in fields if number == 1]
        keys = [[*_varints(dict(_fields(node.get(3, b""))).get(1, b""))] for node in nodes]
    except (IndexError, ValueError, AttributeError, TypeError) as error:
        raise JaxRuntimeError("Could not deserialize PyTreeDefProto.") from error
    values: list = []
    for node, indices in zip(nodes, keys):
        if any(i >= len(strings) for i in indices):
            raise ValueError("Malformed pytree proto (dict_key out of range).")
        kind = node.get(2)
        if kind == _KINDS["leaf"]:
            values.append(leaf)
            continue
        n = node.get(1, 0)
        head = _head(kind, n, len(values), tuple(strings[i] for i in indices))
        values[len(values) - n:] = [treedef_of(head, tuple(values[len(values) - n:]))]
    if len(values) != 1:
        raise RuntimeError("PyTreeDef traversal did not yield a singleton.")
    return values[0]


def _head(kind: int | None, n: int, before: int, keys: tuple[str, ...]) -> Any:
    """Return the head of a node with `n` children, before which `before` treedefs stand."""
    if kind not in _NODES:
        raise ValueError("Malformed pytree proto (invalid node type)")
    if before < n or kind == _KINDS["dict"] and len(keys) != n:
        raise ValueError("Malformed pytree proto (wrong number of children)")
    return node_spec(_NODES[kind], keys if kind == _KINDS["dict"] else None)


def _varint(n: int) -> bytes:
    """Seven bits a byte, the lowest first; the high bit says that more follow."""
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    """`(value, position behind it)`."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def _varints(data: bytes) -> Iterator[int]:
    at = 0
    while at < len(data):
        value, at = _read_varint(data, at)
        yield value


def _field(number: int, body: bytes) -> bytes:
    """Return a length-delimited field."""
    return _varint(number << 3 | 2) + _varint(len(body)) + body


def _fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """`(number, int or bytes)` of each field of a message."""
    at = 0
    while at < len(data):
        tag, at = _read_varint(data, at)
        size, at = _read_varint(data, at)
        match tag & 7:
            case 0:
                yield tag >> 3, size
            case 2:
                if at + size > len(data):
                    raise ValueError("a field that is longer than its message")
                yield tag >> 3, data[at : at + size]
                at += size
            case _:
                raise ValueError("a field of a type that is not used here")
