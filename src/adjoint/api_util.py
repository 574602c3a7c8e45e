"""Arguments as libraries handle them that write transformations of their own: the names of `jax.api_util`.

Tests: `tests/extend/test_libraries.py`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from .core.messages.boundaries import explain_missing as _explain_missing
from .core.messages.places import DebugInfo
from .core.tree.tree import broadcast_prefix, keystr, tree_flatten, tree_flatten_with_path, tree_leaves, tree_unflatten
from .core.types import ShapedArray
from .extend.linear_util import transformation2, transformation_with_aux2
from .transforms.flat import function_name
from .transforms.jit.staging import abstract
from .transforms.wrapped import Store, WrappedFun

__all__ = [
    "argnums_partial", "debug_info", "donation_vector", "flatten_axes", "flatten_fun", "flatten_fun_nokwargs",
    "rebase_donate_argnums", "safe_map", "shaped_abstractify",
]


def safe_map(f: Callable, *args) -> list:
    """Return `list(map(f, *args))` of lists of one length; ValueError if they differ.

    Args:
      f: a function of one element of each list.
      args: lists.
    Returns:
      A list.
    Raises:
      ValueError: the lists differ in length.

    >>> safe_map(lambda a, b: a + b, [1, 2], [3, 4])
    [4, 6]
    """
    lists = [list(a) for a in args]
    for i, xs in enumerate(lists[1:], 2):
        if len(xs) != len(lists[0]):
            relation = "longer" if len(xs) > len(lists[0]) else "shorter"
            raise ValueError(f"safe_map() argument {i} is {relation} than argument 1")
    return [f(*xs) for xs in zip(*lists)]


def shaped_abstractify(x) -> ShapedArray:
    """Return the type of an array, a scalar, or anything with a shape and a dtype.

    Args:
      x: an array, a scalar, or an object with a shape and a dtype.
    Returns:
      A `ShapedArray`, weak for Python's numbers.
    Raises:
      TypeError: `x` is none of these.

    >>> shaped_abstractify(1.0)
    ShapedArray(float32[], weak_type=True)
    """
    try:
        return abstract(x)
    except TypeError:
        raise TypeError(f"Argument {x!r} of type {type(x)} is not a valid JAX type") from None


_UNKNOWN: Any = object()


def debug_info(
    traced_for: str, fun: Callable, args: Sequence[Any], kwargs: dict[str, Any], *,
    static_argnums: Sequence[int] = (), static_argnames: Sequence[str] = (),
    result_paths_thunk: Callable | None = _UNKNOWN, sourceinfo: str | None = None,
    signature: inspect.Signature | None = None,
) -> DebugInfo:
    """Return the names of a function and of the leaves of its arguments, for messages.

    Args:
      traced_for: what the function is traced for, such as "jit".
      fun: the function.
      args, kwargs: its arguments, trees.
      static_argnums, static_argnames: which of them are not traced, and have no names here.
      result_paths_thunk: gives the paths of the results.
      sourceinfo: the place of the function, if it is known.
      signature: its signature, if it is known.
    Returns:
      A `DebugInfo`.

    >>> debug_info("jit", lambda x, y: x, (1, [2, 3]), {}).arg_names
    ('x', 'y[0]', 'y[1]')
    """
    code = getattr(fun, "__code__", None)
    place = f"{function_name(fun)} at {code.co_filename}:{code.co_firstlineno}" if code else function_name(fun)
    fixed = {i % len(args) for i in static_argnums if -len(args) <= i < len(args)}
    names: list[str] = []
    for name, i, value in _named_arguments(signature or _signature(fun), args, kwargs):
        if i not in fixed and name not in static_argnames:
            names += [name + keystr(path) for path, _ in tree_flatten_with_path(value)[0]]
    paths = None if result_paths_thunk is _UNKNOWN else result_paths_thunk
    return DebugInfo(traced_for, sourceinfo or place, tuple(names), paths)


def _signature(fun) -> inspect.Signature | None:
    try:
        return inspect.signature(fun)
    except (ValueError, TypeError):
        return None


def _named_arguments(signature, args, kwargs):
    """(name, position or None, value) of each argument."""
    parameters = list(signature.parameters.values()) if signature else []
    positional = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    rest = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), "args")
    for i, value in enumerate(args):
        yield positional[i] if i < len(positional) else f"{rest}[{i - len(positional)}]", i, value
    for name in sorted(kwargs):
        yield name, None, kwargs[name]


# ---- wrapped functions ---------------------------------------------------------------------------


def argnums_partial(
    f: WrappedFun, dyn_argnums: int | Sequence[int], args: Sequence, require_static_args_hashable: bool = True
) -> tuple[WrappedFun, tuple]:
    """Return a wrapped function of the arguments at `dyn_argnums` alone, and those arguments.

    Args:
      f: a `WrappedFun` of all arguments.
      dyn_argnums: the position of the argument that stays one, or a sequence of them.
      args: all arguments, with values.
      require_static_args_hashable: refuse other arguments that are not hashable.
    Returns:
      (a `WrappedFun`, a tuple of its arguments)
    Raises:
      ValueError: another argument is not hashable.

    >>> from adjoint.extend import linear_util as lu
    >>> f = lu.wrap_init(lambda x, y: x - y)
    >>> g, dynamic = argnums_partial(f, 1, (5.0, 2.0))
    >>> dynamic, g.call_wrapped(*dynamic)
    ((2.0,), 3.0)
    """
    chosen = (dyn_argnums,) if isinstance(dyn_argnums, int) else tuple(dyn_argnums)
    positions = sorted({i % len(args) for i in chosen})
    fixed = {i: x for i, x in enumerate(args) if i not in positions}
    if require_static_args_hashable:
        for i, x in fixed.items():
            _check_hashable(i, x, f)
    run = _with_fixed(positions, len(args))
    return transformation2(run, f, tuple(fixed.items())), tuple([args[i] for i in positions])


def _check_hashable(i, x, f) -> None:
    try:
        hash(x)
    except TypeError:
        raise ValueError(
            "Non-hashable static arguments are not supported, as this can lead to unexpected cache-misses. "
            f"Static argument (index {i}) of type {type(x)} for function {f.__name__} is non-hashable."
        ) from None


def _with_fixed(positions, count):
    def run(f, fixed, *dynamic, **kwargs):
        found = {**dict(fixed), **dict(zip(positions, dynamic, strict=True))}
        return f(*[found[i] for i in range(count)], **kwargs)

    return run


def _flat(f, store: Store, in_tree, *leaves):
    args, kwargs = tree_unflatten(in_tree, leaves)
    out, tree = tree_flatten(f(*args, **kwargs))
    store.store(tree)
    return out


def _flat_positional(f, store: Store, in_tree, *leaves):
    out, tree = tree_flatten(f(*tree_unflatten(in_tree, leaves)))
    store.store(tree)
    return out


def flatten_fun(f: WrappedFun, in_tree) -> tuple[WrappedFun, Callable]:
    """Return a wrapped function of the leaves of (args, kwargs), and a thunk of the structure of its result.

    Args:
      f: a `WrappedFun`.
      in_tree: the structure of its arguments.
    Returns:
      (a `WrappedFun`, a thunk)

    >>> from adjoint.extend import linear_util as lu
    >>> leaves, structure = tree.flatten(((1.0,), {"y": 2.0}))
    >>> f, out_structure = flatten_fun(lu.wrap_init(lambda x, y: {"sum": x + y}), structure)
    >>> f.call_wrapped(*leaves), out_structure()
    ([3.0], PyTreeDef({'sum': *}))
    """
    return transformation_with_aux2(_flat, f, in_tree)


def flatten_fun_nokwargs(f: WrappedFun, in_tree) -> tuple[WrappedFun, Callable]:
    """Return a wrapped function of the leaves of its arguments, and a thunk of the structure of its result.

    Args:
      f: a `WrappedFun`.
      in_tree: the structure of its arguments.
    Returns:
      (a `WrappedFun`, a thunk)

    >>> from adjoint.extend import linear_util as lu
    >>> leaves, structure = tree.flatten((1.0, [2.0]))
    >>> f, out_structure = flatten_fun_nokwargs(lu.wrap_init(lambda x, ys: (x, ys[0])), structure)
    >>> f.call_wrapped(*leaves), out_structure()
    ([1.0, 2.0], PyTreeDef((*, *)))
    """
    return transformation_with_aux2(_flat_positional, f, in_tree)


# ---- donation, and axes of trees -----------------------------------------------------------------


def donation_vector(donate_argnums, donate_argnames, in_tree, kws: bool = True) -> tuple[bool, ...]:
    """Return for each leaf of (args, kwargs) whether it is given away.

    Args:
      donate_argnums, donate_argnames: the arguments that are given away.
      in_tree: the structure of (args, kwargs), or of args without `kws`.
      kws: whether there are keyword arguments in the structure.
    Returns:
      A tuple of bools.

    >>> from adjoint.tree import structure
    >>> donation_vector((0,), (), structure(((1, 2), {"a": 3})))
    (True, False, False)
    """
    args, kwargs = tree_unflatten(in_tree, [0] * in_tree.num_leaves) if kws else (
        tree_unflatten(in_tree, [0] * in_tree.num_leaves), {})
    given: list[bool] = []
    for i, a in enumerate(args):
        given += [i in (donate_argnums or ())] * len(tree_leaves(a))
    for name in sorted(kwargs):
        given += [name in (donate_argnames or ())] * len(tree_leaves(kwargs[name]))
    return tuple(given)


def rebase_donate_argnums(donate_argnums, static_argnums) -> tuple[int, ...]:
    """Return positions of donated arguments among those that are not static.

    Args:
      donate_argnums: positions among all arguments.
      static_argnums: those of the static ones.
    Returns:
      A tuple of positions among the arguments that are traced.

    >>> rebase_donate_argnums((3, 4), (0, 1))
    (1, 2)
    """
    if set(donate_argnums) & set(static_argnums):
        raise ValueError(
            f"`static_argnums` {sorted(static_argnums)} and `donate_argnums` {sorted(donate_argnums)} cannot "
            "intersect."
        )
    return tuple(sorted({i - sum([s < i for s in static_argnums]) for i in donate_argnums}))


def flatten_axes(name: str, treedef, axis_tree, *, kws: bool = False, tupled_args: bool = False) -> list:
    """Return what a tree prefix of axes says for each leaf of a structure.

    Args:
      name: the argument that errors name.
      treedef: the structure.
      axis_tree: a tree that is a prefix of the structure; None is a leaf of it.
      kws: whether the structure is one of (args, kwargs).
      tupled_args: whether it is one of a tuple of arguments, for the message.
    Returns:
      A list, with an entry for each leaf of the structure.
    Raises:
      ValueError: `axis_tree` is no prefix.

    >>> from adjoint.tree import structure
    >>> flatten_axes("in_axes", structure((1, (2, 3))), (0, None))
    [0, None, None]
    """
    dummy = tree_unflatten(treedef, [0] * treedef.num_leaves)
    if kws:  # the prefix speaks of positional arguments alone; others are mapped over their first axis
        args, kwargs = dummy
        return flatten_axes(name, tree_flatten(args)[1], axis_tree) + [0] * len(tree_leaves(kwargs))
    try:
        return broadcast_prefix(axis_tree, dummy, is_leaf=lambda x: x is None)
    except ValueError as error:
        raise ValueError(
            f"{name} specification must be a tree prefix of the corresponding value; \n  {error}"
        ) from None

_explain_missing(globals())
