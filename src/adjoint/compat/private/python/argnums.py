"""Arguments by position and name, and where functions are written: names of `jax._src.api_util`.

Tests: `tests/compat/test_private_programs.py`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from ....api_util import flatten_axes
from ....core.messages.errors import message
from ....core.tree.tree import tree_structure
from ....core.tree.treedef import PyTreeDef
from ....extend.linear_util import WrappedFun, transformation_with_aux2
from ..arguments import ensure_index, infer_argnums_and_argnames

__all__ = [
    "SENTINEL", "InternalFloatingPointError", "PytreeLeaf", "api_hook", "argnums_partial2", "flat_out_axes",
    "flatten_axis_resources", "fun_signature", "fun_sourceinfo", "is_hashable", "prepend_static_args",
    "resolve_argnums", "resolve_kwargs", "save_wrapped_fun_debug_info",
]

SENTINEL = object()


class PytreeLeaf:
    """Stands for a leaf where a tree is shown."""

    def __repr__(self) -> str:
        return "pytree leaf"


class InternalFloatingPointError(Exception):
    """A result has a NaN or an infinity: the operation, and which of the two."""

    def __init__(self, name: str, ty: str):
        super().__init__(name, ty)
        self.name, self.ty = name, ty


def is_hashable(arg: Any) -> bool:
    """Return whether a value has a hash."""
    try:
        hash(arg)
    except TypeError:
        return False
    return True


def fun_signature(fun: Callable) -> inspect.Signature | None:
    """Return the signature of a function; None where it has none that can be read."""
    try:
        return inspect.signature(fun)
    except (ValueError, TypeError):
        return None


def fun_sourceinfo(fun: Any) -> str:
    """Return the name of a function and where it is written: "f at file.py:3"."""
    while isinstance(fun, partial):
        fun = fun.func
    fun = inspect.unwrap(fun)
    try:
        code = fun.__code__
        return f"{fun.__name__} at {code.co_filename}:{code.co_firstlineno}"
    except AttributeError:
        return getattr(fun, "__name__", "<unknown>")


def api_hook(fun: Callable, tag: str) -> Callable:
    """Return a function as it is: where programs look at all of them."""
    return fun


def save_wrapped_fun_debug_info(wrapper: Callable, dbg: Any) -> None:
    """Let a function say what is known of the one that it wraps."""
    wrapper.__fun_debug_info__ = dbg  # type: ignore[attr-defined]


def resolve_kwargs(fun: Callable, args: Any, kwargs: dict) -> tuple:
    """Return all arguments by position, with defaults.

    Raises:
      TypeError: some can be given by name alone.
    """
    bound = inspect.signature(fun).bind(*args, **kwargs)
    bound.apply_defaults()
    by_name = [name for name in bound.kwargs if name in kwargs]
    if by_name:
        names = ", ".join(by_name)
        raise TypeError(f"The following keyword arguments could not be resolved to positions: {names}")
    return bound.args


def resolve_argnums(
    fun: Callable, signature: inspect.Signature | None, donate_argnums: int | Sequence[int] | None,
    donate_argnames: str | Iterable[str] | None, static_argnums: int | Sequence[int] | None,
    static_argnames: str | Iterable[str] | None,
) -> tuple[tuple[int, ...], tuple[str, ...], tuple[int, ...], tuple[str, ...]]:
    """Return which arguments are donated and which are static, both by position and by name.

    Raises:
      ValueError: one is both, or names are given of a function whose signature cannot be read.
    """
    if signature is None:
        if donate_argnames is not None:
            raise ValueError(message(
                f"Getting the signature of function {fun} failed. Pass donate_argnums instead of donate_argnames.",
                fix="donate_argnums=..."))
        numbers = [() if n is None else (n,) if isinstance(n, int) else tuple(n)
                   for n in (donate_argnums, static_argnums)]
        names = () if static_argnames is None else (
            (static_argnames,) if isinstance(static_argnames, str) else tuple(static_argnames))
        return numbers[0], (), numbers[1], names
    static = infer_argnums_and_argnames(signature, static_argnums, static_argnames)
    donated = infer_argnums_and_argnames(signature, donate_argnums, donate_argnames)
    for one, two, what in ((static[1], donated[1], "argnames"), (static[0], donated[0], "argnums")):
        both = {*one} & {*two}
        if both:
            kind = "Argument numbers" if what == "argnums" else "Argument names"
            raise ValueError(message(
                f"static_{what} and donate_{what} cannot intersect. {kind} {both} appear in both static_{what} and "
                f"donate_{what}", fix="a static argument has no memory to give up"))
    return *donated, *static


def argnums_partial2(
    f: Callable, dyn_argnums: int | Sequence[int], args: Sequence, kwargs: dict
) -> tuple[Callable, tuple]:
    """Return a function of some of the arguments, with the others as they are, and those arguments."""
    index = ensure_index(dyn_argnums)
    wanted = tuple([i % len(args) for i in ((index,) if isinstance(index, int) else index)])

    def f_wrapped(*dynamic: Any) -> Any:
        given = list(args)
        for i, x in zip(wanted, dynamic, strict=True):
            given[i] = x
        return f(*given, **kwargs)

    return f_wrapped, tuple([args[i] for i in wanted])


def prepend_static_args(f: Any, static_args: Sequence) -> Any:
    """Return a function with its first arguments given, each in a box with a `val`."""
    given = tuple([arg.val for arg in static_args])
    if isinstance(f, WrappedFun):
        return f.wrap(_prepended, (tuple(static_args),), partial(f.f_transformed, *given), None)
    return partial(f, *given)


def _prepended(f: Callable, static_args: Sequence, *args: Any) -> Any:
    return f(*[arg.val for arg in static_args], *args)


def flatten_axis_resources(what: str, tree: PyTreeDef, shardings: Any, tupled_args: bool) -> tuple:
    """Return for each leaf what a prefix of the tree says of it; ValueError if it is no prefix."""
    try:
        return tuple(flatten_axes(what, tree, shardings, tupled_args=tupled_args))
    except ValueError:
        raise ValueError(message(
            f"{what} specification must be a tree prefix of the positional arguments tuple. In particular, {what} must "
            f"either be a Sharding, a PartitionSpec, or a tuple of length equal to the number of positional "
            f"arguments. Got {shardings} for {tree}.", fix="one sharding for each argument")) from None


@transformation_with_aux2
def _with_axes(f: Callable, store: Any, spec: Any, *args: Any) -> Any:
    out = f(*args)
    store.store(tuple(flatten_axes("out", tree_structure(out), spec)))
    return out


def flat_out_axes(f: WrappedFun, out_spec: Any) -> tuple[WrappedFun, Callable]:
    """Return a function, and a thunk of what a prefix of its results says of each of them."""
    return _with_axes(f, out_spec)
