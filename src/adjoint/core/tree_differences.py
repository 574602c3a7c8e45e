"""How two trees differ, told with key paths; and prefixes, which stand for the same value below each of their leaves.

`prefix_errors` finds why one tree is no prefix of another (in_axes, out_axes, shardings, the trees of tree_map) and
`tree_difference` why two trees are not of the same structure (the branches of cond, the carry of scan). They run only
after a cheaper check failed; `broadcast_prefix` is the one that runs when all is well.
"""

from __future__ import annotations

from typing import Any, Callable, NamedTuple

from .errors import PytreeError, message, shorten
from .tree_paths import KeyPath, keystr, take_with_keys
from .treedef import Head, IsLeaf, PyTreeDef, same_data, tree_flatten


class TreeDifference(NamedTuple):
    """One place where two trees differ: its path, what each tree has there, and why that is a difference."""

    path: KeyPath
    left: str
    right: str
    why: str

    def __str__(self) -> str:
        place = f"at key path {keystr(self.path)}" if self.path else "at the root"
        return f"{place}: {self.left} in the first, {self.right} in the second; {self.why}"


def tree_difference(left: Any, right: Any, is_leaf: IsLeaf | None = None) -> list[TreeDifference]:
    """The places where two trees, or two treedefs, differ in structure; empty if they agree. Leaves are not compared.

    >>> from adjoint.core.tree import tree_difference
    >>> for d in tree_difference({"w": (1, 2), "b": 0}, {"w": (1, 2, 3), "b": 0}): print(d)
    at key path ['w']: a tuple of length 2 in the first, a tuple of length 3 in the second; the lengths do not match
    """
    if isinstance(left, PyTreeDef) and isinstance(right, PyTreeDef):
        # Placeholders, so that a treedef shows the same paths as a tree of its structure.
        left, right = left.unflatten([_Leaf()] * left.num_leaves), right.unflatten([_Leaf()] * right.num_leaves)
    found: list[TreeDifference] = []
    stack: list[tuple[KeyPath, Any, Any]] = [((), left, right)]
    while stack:
        path, a, b = stack.pop()
        a_node = None if is_leaf is not None and is_leaf(a) else take_with_keys(a)
        b_node = None if is_leaf is not None and is_leaf(b) else take_with_keys(b)
        if a_node is None and b_node is None:
            continue
        if a_node is None or b_node is None or a_node[0].node is not b_node[0].node:
            found.append(TreeDifference(path, _describe(a), _describe(b), "the types do not match"))
            continue
        (head, keys, parts), (other, other_keys, other_parts) = a_node, b_node
        if len(parts) != len(other_parts) and head.node.style in ("tuple", "list"):
            found.append(TreeDifference(path, _describe(a), _describe(b), "the lengths do not match"))
            continue
        if keys != other_keys:
            missing = [keystr((k,)) for k in keys if k not in other_keys]
            extra = [keystr((k,)) for k in other_keys if k not in keys]
            why = "; ".join([f"only the first has {' '.join(missing)}"] * bool(missing)
                            + [f"only the second has {' '.join(extra)}"] * bool(extra)) or "their keys are ordered differently"
            found.append(TreeDifference(path, _describe(a), _describe(b), why))
            continue
        if not same_data(head.data, other.data):
            sides = [f"{_describe(x)} with static data {shorten(h.data)}" for x, h in ((a, head), (b, other))]
            found.append(TreeDifference(path, *sides, "the static data do not match"))
            continue
        stack += reversed([((*path, key), x, y) for key, x, y in zip(keys, parts, other_parts)])
    return found


class _Leaf:
    """Stands for a leaf of a treedef."""


def _describe(x: Any) -> str:
    """What kind of subtree this is, in a few words."""
    if x is None:
        return "None"
    if isinstance(x, _Leaf):
        return "a leaf"
    if type(x) in (tuple, list):
        return f"a {type(x).__name__} of length {len(x)}"
    if isinstance(x, dict):
        return f"a {type(x).__name__} with {len(x)} key{'' if len(x) == 1 else 's'}"
    return f"a {type(x).__name__}" if take_with_keys(x) is not None else f"a leaf of type {type(x).__name__}"


# ---- prefixes ----


def broadcast_prefix(prefix_tree: Any, full_tree: Any, is_leaf: IsLeaf | None = None) -> list[Any]:
    """For every leaf of `full_tree`, the leaf of `prefix_tree` that stands above it.

    `is_leaf` is asked about `prefix_tree` only. Raises PytreeError naming the path where it is no prefix.

    >>> from adjoint.core.tree import broadcast_prefix
    >>> broadcast_prefix((0, [1, 2]), ({"a": 5, "b": 6}, [7, 8]))
    [0, 0, 1, 2]
    """
    leaves, treedef = tree_flatten(prefix_tree, is_leaf)
    if treedef.head is None:
        return leaves * tree_flatten(full_tree)[1].num_leaves
    found: list[Any] = []
    for leaf, subtree in zip(leaves, flatten_up_to(treedef, prefix_tree, full_tree, "broadcast_prefix prefix_tree", is_leaf)):
        found += [leaf] * tree_flatten(subtree)[1].num_leaves
    return found


def flatten_up_to(treedef: PyTreeDef, tree: Any, full_tree: Any, name: str, is_leaf: IsLeaf | None = None) -> list[Any]:
    """`treedef.flatten_up_to(full_tree)`, where `treedef` is that of `tree`; the error names the path in `name`."""
    try:
        return treedef.flatten_up_to(full_tree)
    except ValueError:
        errors = prefix_errors(tree, full_tree, is_leaf)
        if not errors:
            raise
    raise errors[0](name)


def prefix_errors(
    prefix_tree: Any, full_tree: Any, is_leaf: IsLeaf | None = None
) -> list[Callable[[str], PytreeError]]:
    """Why `prefix_tree` is no prefix of `full_tree`: functions from its name to an exception."""
    found: list[Callable[[str], PytreeError]] = []
    stack: list[tuple[KeyPath, Any, Any]] = [((), prefix_tree, full_tree)]
    while stack:
        path, prefix, full = stack.pop()
        one = None if is_leaf is not None and is_leaf(prefix) else take_with_keys(prefix)
        if one is None:
            continue
        two = take_with_keys(full)
        if two is not None and two[0].node is one[0].node:
            problem = _head_problem(one, two)
        else:
            problem = Problem(
                "different types", f"\n    {type(prefix)}\n", f"different type\n    {type(full)}."
            )
        if problem is not None:
            found.append(_error(problem, path, prefix))
            continue
        stack += reversed([((*path, k), x, y) for k, x, y in zip(one[1], one[2], two[2])])
    return found


class Problem(NamedTuple):
    """How two nodes differ: in a word, and what "a subtree of type" and "a subtree of" go on with."""

    what: str
    prefix_has: str
    full_has: str


def _head_problem(one: tuple[Head, list, list], two: tuple[Head, list, list]) -> Problem | None:
    """How two nodes of one type differ, given as by `take_with_keys`; None if they do not."""
    (head, keys, parts), (other, other_keys, other_parts) = one, two
    kind = head.node.type
    if len(parts) != len(other_parts):
        n, m = len(parts), len(other_parts)
        if kind in (tuple, list):
            name = kind.__name__
            return Problem(f"different lengths of {name}", f" {name} of length {n}, ",
                           f"the same type but of length {m}.")
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


def _error(problem: Problem, path: KeyPath, prefix: Any) -> Callable[[str], PytreeError]:
    """The exception of a problem, as a function of the name of the prefix tree."""
    fix = None
    if prefix is None:
        fix = "is_leaf=lambda x: x is None, if None is meant as a leaf here"

    def error(name: str) -> PytreeError:
        # JAX parity: the wording, test_prefix_errors_read_as_in_jax
        what = (
            f"pytree structure error: {problem.what} at key path\n    {name}{keystr(path)}\n"
            f"At that key path, the prefix pytree {name} has a subtree of type{problem.prefix_has}"
            f"but {_AT[problem.prefix_has.endswith(', ')]}the full pytree has a subtree of "
            f"{problem.full_has}"
        )
        return PytreeError(message(what, fix=fix))

    return error


# A tuple's or list's message is one sentence, the others name the path again.
_AT = {True: "", False: "at the same key path "}


def _join(keys: Any) -> str:
    return " ".join(sorted(keystr((k,), simple=True) for k in keys))
