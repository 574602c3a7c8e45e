"""Differences of trees, and trees with None as a leaf: names of `jax._src.tree_util`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ....core.tree.differences import broadcast_prefix, prefix_errors
from ....core.tree.node_specs import same_data
from ....core.tree.paths import KeyPath, take_with_keys
from ....core.tree.registry import PyTreeRegistry
from ....core.tree.tree import Unspecified, register_static, tree_flatten, tree_structure, tree_unflatten
from ....core.tree.treedef import IsLeaf, PyTreeDef

__all__ = [
    "Static", "Unspecified", "broadcast_flattened_prefix_with_treedef", "broadcast_prefix", "dispatch_registry",
    "equality_errors", "equality_errors_pytreedef", "none_leaf_registry", "prefix_errors", "tree_leaves_checked",
    "treedef_is_strict_leaf",
]

Difference = tuple[KeyPath, str, str, str]  # where, what each tree has there, and in what they differ


def equality_errors(tree1: Any, tree2: Any, is_leaf: IsLeaf | None = None) -> Iterator[Difference]:
    """Return the places where two trees differ in structure: a path, what each has there, and in what they differ."""
    stack: list[tuple[KeyPath, Any, Any]] = [((), tree1, tree2)]
    while stack:
        path, a, b = stack.pop()
        one, two = (None if is_leaf is not None and is_leaf(x) else take_with_keys(x) for x in (a, b))
        if one is None and two is None:
            continue
        kinds = ["a pytree leaf" if type(x) is _Leaf else f"{type(x)}" for x in (a, b)]
        if one is None or two is None or one[0].node is not two[0].node:
            yield path, *kinds, "their Python types differ"
            continue
        (head, keys, parts), (other, _, other_parts) = one, two
        counts = len(parts), len(other_parts)
        if counts[0] != counts[1] and type(a) in (tuple, list):
            lengths = [f"{type(a).__name__} of length {n}" for n in counts]
            yield path, *lengths, "the lengths do not match"
        elif counts[0] != counts[1]:
            children = [f"{type(a)} with {n} children" for n in counts]
            yield path, *children, "the numbers of children do not match"
        elif not same_data(head.data, other.data):
            data = [f"{type(a)} with pytree metadata {h.data}" for h in (head, other)]
            yield path, *data, "the pytree node metadata does not match"
        else:
            stack += reversed([((*path, k), x, y) for k, x, y in zip(keys, parts, other_parts)])


class _Leaf:
    """Stands for a leaf of a treedef."""


def equality_errors_pytreedef(tree1: PyTreeDef, tree2: PyTreeDef) -> Iterator[Difference]:
    """Return the places where two treedefs differ."""
    return equality_errors(*[tree_unflatten(d, [_Leaf()] * d.num_leaves) for d in (tree1, tree2)])


def broadcast_flattened_prefix_with_treedef(
    prefix_leaves: list, prefix_treedef: PyTreeDef, full_treedef: PyTreeDef
) -> list:
    """Return for every leaf of a tree the leaf of a prefix that stands above it."""
    subtrees = prefix_treedef.flatten_up_to(tree_unflatten(full_treedef, [0] * full_treedef.num_leaves))
    return [leaf for leaf, sub in zip(prefix_leaves, subtrees) for _ in range(tree_structure(sub).num_leaves)]


def treedef_is_strict_leaf(treedef: PyTreeDef) -> bool:
    """Return whether a treedef is that of one leaf, and of nothing else."""
    return treedef.num_nodes == 1 and treedef.num_leaves == 1


def tree_leaves_checked(treedef_expected: PyTreeDef, tree: Any) -> list:
    """Return the leaves of a tree; AssertionError unless it has a structure."""
    leaves, treedef = tree_flatten(tree)
    assert treedef == treedef_expected, (treedef, treedef_expected)
    return leaves


class _NoneIsLeaf(PyTreeRegistry):
    """The registry in which None is a leaf."""

    __name__ = "none_leaf_registry"

    def flatten(self, tree: Any, leaf_predicate: IsLeaf | None = None) -> tuple[list, PyTreeDef]:
        """Return the leaves, None among them, and the treedef."""
        ask = leaf_predicate or (lambda x: False)
        return tree_flatten(tree, lambda x: x is None or ask(x))


none_leaf_registry = _NoneIsLeaf()
dispatch_registry = PyTreeRegistry()


@register_static
class Static:
    """A value that is part of a tree's structure."""

    def __init__(self, val: Any):
        self.val = val

    def __eq__(self, other: Any) -> bool:
        return type(other) is Static and self.val == other.val

    def __hash__(self) -> int:
        return hash(self.val)

    def __repr__(self) -> str:
        return f"Static(val={self.val!r})"
