"""Differences between two trees, told with key paths; and prefixes of trees.

A prefix stands for the same value below each of its leaves. `prefix_errors` finds why one tree is
no prefix of another (in_axes, out_axes, shardings, the trees of tree_map), `tree_difference` why
two trees are not of one structure (the branches of cond, the carry of scan). They run only after a
cheaper check failed; `broadcast_prefix` is what runs when all is well.

Tests: `tests/core/test_tree_paths.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..messages.errors import PytreeError, message, shorten
from ..process.records import NamedTuple
from .node_specs import NodeSpec, same_data
from .paths import KeyPath, keystr, take_with_keys
from .treedef import IsLeaf, PyTreeDef, tree_flatten

Taken = tuple[NodeSpec, list[Any], list[Any]]  # a container, as `take_with_keys` gives it

# ---- two trees ----


class TreeDifference(NamedTuple):
    """A place where two trees differ: its path, what each has there, and in what they differ."""

    path: KeyPath
    left: str
    right: str
    why: str

    def __str__(self) -> str:
        place = f"at key path {keystr(self.path)}" if self.path else "at the root"
        return f"{place}: {self.left} in the first, {self.right} in the second; {self.why}"


def tree_difference(left: Any, right: Any, is_leaf: IsLeaf | None = None) -> list[TreeDifference]:
    """Return the places where two trees, or two treedefs, differ in structure; leaves are not compared.

    >>> from adjoint.core.tree.tree import tree_difference
    >>> for difference in tree_difference({"w": (1, 2), "b": 0}, {"w": (1,), "b": 0}):
    ...     print(difference)
    at key path ['w']: a tuple of length 2 in the first, a tuple of length 1 in the second; \
the lengths differ
    """
    if isinstance(left, PyTreeDef) and isinstance(right, PyTreeDef):
        left, right = (d.unflatten([_Leaf()] * d.num_leaves) for d in (left, right))
    found: list[TreeDifference] = []
    stack: list[tuple[KeyPath, Any, Any]] = [((), left, right)]
    while stack:
        path, a, b = stack.pop()
        one = None if is_leaf is not None and is_leaf(a) else take_with_keys(a)
        two = None if is_leaf is not None and is_leaf(b) else take_with_keys(b)
        if one is None and two is None:
            continue
        if one is None or two is None or one[0].node is not two[0].node:
            why: str | None = "the types differ"
        else:
            why = _why(one, two)
        if why is not None:
            found.append(TreeDifference(path, _describe(a), _describe(b), why))
            continue
        assert one is not None and two is not None
        stack += reversed([((*path, k), x, y) for k, x, y in zip(one[1], one[2], two[2])])
    return found


class _Leaf:
    """Stands for a leaf of a treedef."""


def _why(one: Taken, two: Taken) -> str | None:
    """Return in what two containers of one type differ, None if in nothing."""
    (head, keys, parts), (other, other_keys, other_parts) = one, two
    if head.node.style in ("tuple", "list") and len(parts) != len(other_parts):
        return "the lengths differ"
    if keys != other_keys:
        missing = [keystr((k,)) for k in keys if k not in other_keys]
        extra = [keystr((k,)) for k in other_keys if k not in keys]
        sides = [("the first", missing), ("the second", extra)]
        lists = [f"only {side} has {' '.join(names)}" for side, names in sides if names]
        return "; ".join(lists) or "the order of the keys differs"
    if not same_data(head.data, other.data):
        return f"the static data differ: {shorten(head.data)} and {shorten(other.data)}"
    return None


def _describe(x: Any) -> str:
    """Return what kind of subtree this is, in a few words."""
    if x is None:
        return "None"
    if isinstance(x, _Leaf):
        return "a leaf"
    if type(x) in (tuple, list):
        return f"a {type(x).__name__} of length {len(x)}"
    if isinstance(x, dict):
        return f"a {type(x).__name__} with {len(x)} key{'' if len(x) == 1 else 's'}"
    name = type(x).__name__
    return f"a leaf of type {name}" if take_with_keys(x) is None else f"a {name}"


# ---- prefixes ----


def broadcast_prefix(
    prefix_tree: Any, full_tree: Any, is_leaf: IsLeaf | None = None, *, name: str = "broadcast_prefix prefix_tree",
    intro: str | None = None, fix: str | None = None,
) -> list[Any]:
    """Return for every leaf of `full_tree` the leaf of `prefix_tree` that stands above it.

    `is_leaf` is asked about `prefix_tree` only. Raises PytreeError naming the path where it is no
    prefix, below `name`; with an `intro` it tells that first, then all such paths, and last `fix`.

    >>> from adjoint.core.tree.tree import broadcast_prefix
    >>> broadcast_prefix((0, [1, 2]), ({"a": 5, "b": 6}, [7, 8]))
    [0, 0, 1, 2]
    """
    leaves, treedef = tree_flatten(prefix_tree, is_leaf)
    if treedef.head is None:
        return leaves * tree_flatten(full_tree)[1].num_leaves
    try:
        subtrees = treedef.flatten_up_to(full_tree)
    except ValueError:
        subtrees = None
    if subtrees is None:
        raise _no_prefix(prefix_tree, full_tree, is_leaf, name, intro, fix)
    found: list[Any] = []
    for leaf, subtree in zip(leaves, subtrees):
        found += [leaf] * tree_flatten(subtree)[1].num_leaves
    return found


def _no_prefix(prefix_tree, full_tree, is_leaf, name: str, intro: str | None, fix: str | None) -> PytreeError:
    problems = _problems(prefix_tree, full_tree, is_leaf)
    if intro is None:
        return problems[0].error(name, fix)
    margin = "  " if intro else ""
    texts = [margin + problem.text(name) for problem in problems]
    return PytreeError(
        message(f"{intro}{margin}Mismatch details ({len(texts)} found):\n" + "\n".join(texts), fix=fix)
    )


def flatten_up_to(
    treedef: PyTreeDef, tree: Any, full_tree: Any, name: str, is_leaf: IsLeaf | None = None
) -> list[Any]:
    """`treedef.flatten_up_to(full_tree)`; the error calls `tree`, of that treedef, by `name`."""
    try:
        return treedef.flatten_up_to(full_tree)
    except ValueError:
        problems = _problems(tree, full_tree, is_leaf)
        if not problems:
            raise
    fix = problems[0].remedy()
    raise problems[0].error(name, fix and f"{fix}, where a is the tree that says the structure and b the other one")


def prefix_errors(
    prefix_tree: Any, full_tree: Any, is_leaf: IsLeaf | None = None
) -> list[Callable[[str], PytreeError]]:
    """Why `prefix_tree` is no prefix of `full_tree`: functions from its name to an exception."""
    return [problem.error for problem in _problems(prefix_tree, full_tree, is_leaf)]


class Problem(NamedTuple):
    """A difference of two containers: a word, what each has (after "a subtree of [type]"), and where."""

    what: str
    prefix_has: str
    full_has: str
    path: KeyPath = ()
    prefix: Any = ()
    full: Any = ()

    def text(self, name: str) -> str:
        """Return what is said of it, with the name of the prefix tree."""
        # JAX parity: the wording, test_prefix_errors_read_as_in_jax
        again = "" if self.prefix_has.endswith(", ") else "at the same key path "
        return (
            f"pytree structure error: {self.what} at key path\n    {name}{keystr(self.path)}\n"
            f"At that key path, the prefix pytree {name} has a subtree of type{self.prefix_has}"
            f"but {again}the full pytree has a subtree of {self.full_has}"
        )

    def remedy(self) -> str | None:
        """Return code that maps over what the trees a and b have in common; None where that is not plain."""
        at = keystr(self.path)
        if isinstance(self.prefix, dict) and isinstance(self.full, dict):
            return f"jax.tree.map(f, *[{{k: t{at}[k] for k in a{at}.keys() & b{at}.keys()}} for t in (a, b)])"
        if type(self.prefix) in (list, tuple) and type(self.full) is type(self.prefix):
            n = min(len(self.prefix), len(self.full))
            return f"jax.tree.map(f, a{at}[:{n}], b{at}[:{n}])"
        if tree_flatten(self.prefix)[1].num_leaves == tree_flatten(self.full)[1].num_leaves:
            return f"jax.tree.map(f, a{at}, jax.tree.unflatten(jax.tree.structure(a{at}), jax.tree.leaves(b{at})))"
        return None

    def error(self, name: str, fix: str | None = None) -> PytreeError:
        """Return the exception."""
        if self.prefix is None:
            fix = "is_leaf=lambda x: x is None, if None is meant as a leaf here"
        return PytreeError(message(self.text(name), fix=fix))


def _problems(prefix_tree: Any, full_tree: Any, is_leaf: IsLeaf | None) -> list[Problem]:
    """Return all places at which a tree is no prefix of another."""
    found: list[Problem] = []
    stack: list[tuple[KeyPath, Any, Any]] = [((), prefix_tree, full_tree)]
    while stack:
        path, prefix, full = stack.pop()
        one = None if is_leaf is not None and is_leaf(prefix) else take_with_keys(prefix)
        if one is None:
            continue
        two = take_with_keys(full)
        if two is None or two[0].node is not one[0].node:
            problem: Problem | None = Problem(
                "different types", f"\n    {type(prefix)}\n", f"different type\n    {type(full)}."
            )
        else:
            problem = _problem(one, two)
        if problem is not None:
            found.append(problem._replace(path=path, prefix=prefix, full=full))
            continue
        assert two is not None
        stack += reversed([((*path, k), x, y) for k, x, y in zip(one[1], one[2], two[2])])
    return found


def _problem(one: Taken, two: Taken) -> Problem | None:
    """Return how two containers of one type differ, None if they do not."""
    (head, keys, parts), (other, other_keys, other_parts) = one, two
    kind, n, m = head.node.type, len(parts), len(other_parts)
    if n != m and kind in (tuple, list):
        return Problem(
            f"different lengths of {kind.__name__}",
            f" {kind.__name__} of length {n}, ",
            f"the same type but of length {m}.",
        )
    if n != m:
        return Problem(
            "different numbers of pytree children",
            f"\n    {kind}\nwith {n} child keys\n    {_join(keys)}\n",
            f"the same type but with {m} child keys\n    {_join(other_keys)}\n"
            f"so the symmetric difference on key sets is\n    {_join({*keys} ^ {*other_keys})}",
        )
    if same_data(head.data, other.data):
        return None
    left, right = f"{head.data}", f"{other.data}"
    return Problem(
        "different pytree metadata",
        f"\n    {kind}\nwith metadata\n    {left}\n",
        f"the same type but with metadata\n    {right}\n"
        f"so the diff in the metadata at these pytree nodes is\n    - {left}\n    + {right}",
    )


def _join(keys: Iterable[Any]) -> str:
    return " ".join(sorted(keystr((k,), simple=True) for k in keys))
