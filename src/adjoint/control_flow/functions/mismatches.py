"""The errors about bodies whose results do not fit: carries that change, branches that disagree.

Each names the place in the user's tree, both types, and what to write instead. The first sentences are
JAX's, since programs match on them.

Tests: `tests/control_flow/test_errors.py`.
"""

from __future__ import annotations

from ...core.messages.errors import message
from ...core.placement import are_placed_alike
from ...core.tree.tree import keystr, tree_difference, tree_flatten_with_path, tree_unflatten
from ...core.types import ShapedArray

__all__ = [
    "are_alike", "branch_trees_differ", "branch_types_differ", "carry_trees_differ", "carry_types_differ",
]


def are_alike(a: ShapedArray, b: ShapedArray) -> bool:
    """Return whether values of one type may go where those of another did."""
    return a.shape == b.shape and a.dtype == b.dtype and are_placed_alike(a.placement, b.placement)


def carry_trees_differ(loop: str, name: str, in_tree, out_tree) -> TypeError:
    """Return the carry that a body returns has another structure than the one it was given, called `name`."""
    lines = [
        f"The input carry component {name}{keystr(d.path)} is {d.left} but the corresponding component "
        f"of the carry output is {d.right}: {d.why}."
        for d in tree_difference(in_tree, out_tree)
    ]
    return TypeError(
        message(
            f"{loop} body function carry input and carry output must have the same pytree structure, "
            "but they differ:",
            why="\n".join(lines),
            fix=f"return a carry with the structure of {name}: {in_tree}"
            + "; a function without a return statement gives None" * (out_tree.num_leaves == 0),
        )
    )


def carry_types_differ(loop: str, names: list[str], avals, out_avals) -> TypeError:
    """Leaves of the carry change their type; `names` are those of all leaves."""
    lines, fixes = [], []
    for name, a, b in zip(names, avals, out_avals):
        if are_alike(a, b):
            continue
        lines.append(
            f"The input carry component {name} has type {a.str_short()} but the corresponding output "
            f"carry component has type {b.str_short()}, so {_difference(a, b)}."
        )
        fixes.append(_carry_fix(name, a, b))
    return TypeError(
        message(
            f"{loop} body function carry input and carry output must have equal types, but they differ:",
            why="\n".join(lines),
            fix="\n".join(fixes),
        )
    )


def _difference(a, b) -> str:
    parts = []
    if a.dtype != b.dtype:
        parts.append("the dtypes do not match")
    if a.shape != b.shape:
        parts.append("the shapes do not match")
    if a.vma != b.vma:
        parts.append("the manual axis types do not match")
    if a.explicit_sharding != b.explicit_sharding:
        parts.append("the shardings do not match")
    if a.memory_space != b.memory_space:
        parts.append("the memory spaces do not match")
    return ", and ".join(parts)


def _carry_fix(name, a, b) -> str:
    if a.shape != b.shape:
        return f"start with {name} of shape {b.shape}, or return a value of shape {a.shape} for it"
    if a.vma != b.vma:
        return _cast(b.vma - a.vma, f"the initial carry value corresponding to the input carry {name}")
    if a.placement != b.placement:
        return _move(b, a, f"the initial carry value of {name}", "the result for it")
    return (
        f"start with {name} of dtype {b.dtype.name}, for example jnp.asarray(..., "
        f"dtype='{b.dtype.name}'), or return it .astype('{a.dtype.name}')"
    )


def _cast(axes, what: str) -> str:
    return f"jax.lax.pcast(..., {tuple(sorted(map(str, axes)))}, to='varying') of {what}"


def _move(a, b, what: str, other: str) -> str:
    """Return how a value of the type `b` gets to where the type `a` is, or the other one the other way."""
    if a.explicit_sharding == b.explicit_sharding:
        return f"jax.device_put(..., jax.memory.Space.{'Host' if a.memory_space else 'Device'}) of {what}"
    first, second = [x.explicit_sharding.spec if x.explicit_sharding else "P()" for x in (a, b)]
    return f"jax.sharding.reshard(..., {first}) of {what}, or {second} of {other}"


def branch_trees_differ(api: str, names, funs, trees) -> TypeError:
    """Return the error for branches of different structures; `names`, `funs` and `trees` are of the two."""
    first, second = names
    lines = _where(names, funs)
    for d in tree_difference(*trees):
        at = f" at path {keystr(d.path)}" if d.path else ""
        lines.append(f"{first} output{at} is {d.left} but {second} output{at} is {d.right}: {d.why}.")
    return TypeError(
        message(
            f"{api} branch outputs must have the same pytree structure, but they differ:",
            why="\n".join(lines),
            fix=f"revise {first} and/or {second} so that both return one structure, for example "
            f"{trees[0]}",
        )
    )


def branch_types_differ(api: str, names, funs, out_tree, avals, others) -> TypeError:
    """Return the error for branches with different types for some leaves."""
    first, second = names
    lines, fixes = _where(names, funs), []
    paths = tree_flatten_with_path(tree_unflatten(out_tree, [0] * len(avals)))[0]
    for (path, _), a, b in zip(paths, avals, others):
        if are_alike(a, b):
            continue
        at = f" at path {keystr(path)}" if path else ""
        lines.append(
            f"The output of {first}{at} has type {a.str_short()} but the corresponding output of "
            f"{second} has type {b.str_short()}, so {_difference(a, b)}."
        )
        fixes.append(_branch_fix(second, at, a, b))
    return TypeError(
        message(
            f"{api} branches must have equal output types but they differ.",
            why="\n".join(lines),
            fix="\n".join(fixes),
        )
    )


def _branch_fix(second, at, a, b) -> str:
    if a.shape != b.shape:
        return f"return a value of shape {a.shape} from {second}{at}"
    if a.vma != b.vma:
        which = second if a.vma - b.vma else "the other branch"
        return _cast(a.vma ^ b.vma, f"the output of {which}{at}")
    if a.placement != b.placement:
        return _move(a, b, f"the result of {second}{at}", "that of the other branch")
    return f"return the result of {second}{at} as .astype('{a.dtype.name}')"


def _where(names, funs) -> list[str]:
    lines = []
    for name, fun in zip(names, funs):
        code = getattr(fun, "__code__", None)
        place = f" at {code.co_filename}:{code.co_firstlineno}" if code else ""
        lines.append(f"{name} is {getattr(fun, '__name__', type(fun).__name__)}{place}")
    return lines
