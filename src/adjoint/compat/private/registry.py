"""The registry of pytree nodes as a mapping from types to how they are taken apart: `jax._src.tree_util._registry`.

Tests: `tests/compat/test_private.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...core.process.records import NamedTuple
from ...core.tree.node_specs import Node, nodes, take_apart

__all__ = ["Entry", "registry"]


class Entry(NamedTuple):
    """The two functions of a type: `(children, data)` of a value, and a value of `data, children`."""

    to_iter: Callable[[Any], tuple[Any, Any]]
    from_iter: Callable[[Any, Any], Any]


class _Registry(Mapping):
    """The types that are nodes, but for named tuples, which are not registered."""

    def __getitem__(self, kind: type) -> Entry:
        node = nodes[kind]
        if node.style == "namedtuple":
            raise KeyError(kind)
        return Entry(lambda value: _apart(value, node), node.build)

    def __iter__(self) -> Iterator[type]:
        return iter([kind for kind, node in nodes.items() if node.style != "namedtuple"])

    def __len__(self) -> int:
        return len(list(iter(self)))


def _apart(value: Any, node: Node) -> tuple[Any, Any]:
    if node.take is not None:  # the data as the class gives them
        return node.take(value)
    apart = take_apart(value, node.type)
    assert apart is not None
    spec, children = apart
    return tuple(children), spec.data


registry = _Registry()
