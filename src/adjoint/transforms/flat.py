"""Functions of trees as functions of flat lists, and the names of their arguments.

Tests: `tests/transforms/test_jit.py`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from functools import partial, update_wrapper
from types import CodeType, MethodType
from typing import Any
from weakref import WeakMethod, ref

from ..core.messages.errors import describe, message, shorten
from ..core.messages.frames import is_ours
from ..core.messages.operands import has_no_value
from ..core.messages.places import DebugInfo
from ..core.tree.tree import keystr, tree_flatten, tree_flatten_with_path, tree_unflatten
from ..core.types import Array, is_arraylike
from ..core.values.changing import ChangingValueError, is_changing
from ..core.values.refs import Ref, wrapped

__all__ = [
    "FlatFun", "argument_names", "check_callable", "check_captured_references", "check_references", "debug_info",
    "function_name", "placed_name", "wraps",
]


# What a transformation is called in messages, where that is not its own name.
_SAID = {"checkpoint": "checkpoint / remat", "eval_shape": "jit", "make_jaxpr": "jit"}
_OF_DERIVATIVES = frozenset(("grad", "jvp", "linearize", "value_and_grad", "vjp"))


class FlatFun:
    """`fun(*args, **kwargs)` as a function of the leaves of `(args, kwargs)`.

    After a call `out_tree` is the structure of the result, and `aux`, with `has_aux`, the auxiliary output.
    """

    __slots__ = ("aux", "fun", "has_aux", "in_tree", "out_tree", "purpose")

    results: Collection[type] = ()  # types of leaves of the result that are no arrays
    is_leaf: Callable | None = None  # of the result, beside what is one anyhow

    def __init__(self, fun: Callable, in_tree, purpose: str = "", has_aux: bool = False):
        self.fun = fun
        self.in_tree = in_tree
        self.purpose = purpose
        self.has_aux = has_aux
        self.out_tree: Any = None
        self.aux: Any = None

    def __call__(self, *leaves) -> list:
        args, kwargs = tree_unflatten(self.in_tree, wrapped(leaves))
        out = self.fun(*args, **kwargs)
        if self.has_aux:
            if not (isinstance(out, (tuple, list)) and len(out) == 2):
                raise TypeError(
                    message(
                        "expected function with aux output to return a two-element tuple, but got type "
                        f"{type(out)} with value {out}",
                        why=f"{function_name(self.fun)} must return a pair (output, auxiliary data) because "
                        f"{self.purpose} was called with has_aux=True; it returned {_kind(out)}.",
                        fix="return loss, aux; or leave has_aux=True out",
                    )
                )
            out, self.aux = out
        leaves, self.out_tree = tree_flatten(out, self.is_leaf)
        for x in leaves:
            if not isinstance(x, Array) and (type(x) is Ref or not is_arraylike(x)) and type(x) not in self.results:
                raise self.bad_result(out, x)
        return leaves

    def bad_result(self, out, bad) -> Exception:
        """Return the error of a leaf `bad` of the result `out` that is no value."""
        if is_changing(bad):
            return ChangingValueError(bad)
        path = next(keystr(p) for p, x in tree_flatten_with_path(out)[0] if x is bad)
        where = f" at output component {path}" if path else ""
        if type(bad) is Ref:
            where = f" at output tree path result{path}" if path else ""
            return ValueError(
                f"function {placed_name(self.fun)} traced for {self.purpose} returned a mutable array reference "
                f"of type {bad.aval}{where}, but mutable array references cannot be returned.\n"
                "  Try: return its value, ref[...]"
            )
        if has_no_value(bad) and self.purpose == "jit":
            return TypeError(
                "A ShapeDtypeStruct does not have a value and cannot be used as a constant in a JAX function.\n"
                f"  function {placed_name(self.fun)} traced for jit returned one{where}: {shorten(bad)}.\n"
                "  Try: jax.eval_shape for a function of shapes, or jnp.zeros(x.shape, x.dtype)"
            )
        if self.purpose == "vmap":
            what = f"Output from batched function {shorten(bad)} with type {type(bad)} is not a valid JAX type"
        else:
            purpose = _SAID.get(self.purpose, self.purpose)
            what = (
                f"function {placed_name(self.fun)} traced for {purpose} returned a value of type {type(bad)}{where}, "
                "which is not a valid JAX type"
            )
            if self.purpose in _OF_DERIVATIVES:
                kind = type(bad) if isinstance(bad, str) else f"'{type(bad)}'"
                what = f"Argument {shorten(bad, 200)} of type {kind} is not a valid JAX type\n  {what}"
        return TypeError(
            f"{what}\n"
            "  Results must be arrays, scalars, None, or trees of them.\n"
            "  Try: return only arrays, or give the rest back as auxiliary static data outside."
        )


def check_references(fun, purpose: str, leaves, names: Callable) -> None:
    """Raise ValueError if a mutable array stands in two places of the arguments, whose names `names()` gives."""
    seen: dict[int, int] = {}
    for i, x in enumerate(leaves):
        if type(x) is Ref and seen.setdefault(id(x), i) != i:
            first, second = (names()[k] for k in (seen[id(x)], i))
            raise ValueError(message(
                "only one reference to a mutable array may be passed as an argument to a function, but when tracing "
                f"{placed_name(fun)} for {purpose} the mutable array reference of type {x.aval} appeared at both "
                f"{first} and {second}.",
                why="What is written by one name would be seen by the other.",
                fix=f"one argument for both: the function reads and writes {first} in place of {second}",
            ))


def check_captured_references(fun, purpose: str, captured, leaves, names: Callable) -> None:
    """Raise ValueError if a mutable array that a traced function closes over is an argument of it too."""
    inside = {id(x) for x in captured if type(x) is Ref}
    for i, x in enumerate(leaves if inside else ()):
        if id(x) in inside:
            name = names()[i]
            raise ValueError(message(
                f"when tracing {placed_name(fun)} for {purpose}, a mutable array reference of type {x.aval} was both "
                f"closed over and passed as the argument {name}",
                why="What is written by one name would be seen by the other.",
                fix=f"the function reads and writes {name}, in place of what it closes over",
            ))


def placed_name(fun) -> str:
    """Return the name of a function, and where the user has defined it."""
    code = _code_of(fun)[0]
    is_known = code is not None and not is_ours(code.co_filename)
    return function_name(fun) + (f" at {code.co_filename}:{code.co_firstlineno}" if is_known else "")


def _code_of(fun) -> tuple[CodeType | None, int]:
    """Return the code of the function that a callable comes down to, and how many of its parameters are given."""
    given = 0
    while True:
        if isinstance(fun, partial):
            given, fun = given + len(fun.args), fun.func
        elif isinstance(fun, MethodType):
            given, fun = given + 1, fun.__func__
        elif (wrapped := getattr(fun, "__wrapped__", None)) is not None:
            fun = wrapped
        else:
            return getattr(fun, "__code__", None), given


_FIRST = ("make_jaxpr", "linear_transpose")  # JAX parity: what these say of what is no function


def check_callable(fun, purpose: str) -> None:
    """Raise TypeError unless what is to be transformed is a function that returns its results."""
    code = getattr(fun, "__code__", None)
    if code is None and isinstance(fun, partial):
        code = getattr(fun.func, "__code__", None)
    if code is not None and code.co_flags & inspect.CO_GENERATOR:
        raise TypeError(
            message(
                f"Expected a function, got a generator function: {fun}",
                why="A generator runs when it is asked for values, which is after the function was traced.",
                fix="return a list, or lax.scan for what is computed one after the other",
            )
        )
    if not callable(fun):
        raise TypeError(
            message(
                "the first argument must be callable" if purpose in _FIRST else
                f"Expected a callable value, got {shorten(fun)}",
                why=f"{purpose} takes a function and returns one."
                + (" This is an array, perhaps the function's result." if isinstance(fun, Array) else ""),
                fix=f"{purpose}(f)(x), not {purpose}(f(x))",
            )
        )


def _kind(out) -> str:
    if isinstance(out, (tuple, list)):
        return f"a {type(out).__name__} of {len(out)}"
    return describe(out) if isinstance(out, Array) else type(out).__name__


def wraps(fun, doc: Callable[[str], str | None] | None = None) -> Callable:
    """Give a wrapper the name, docstring, signature and attributes of `fun`; the library's objects keep theirs.

    `doc` says, of the function's name, what the wrapper does, where that is not what the function does.
    """
    if doc:
        return lambda wrapper: _documented(wraps(fun)(wrapper), doc)
    if type(getattr(fun, "__name__", None)) is str:
        return lambda wrapper: _marked(update_wrapper(wrapper, fun, updated=()), fun)

    def named(wrapper):
        inner = fun
        while isinstance(inner, partial):
            inner = inner.func
        name = getattr(inner, "__name__", None)
        wrapper.__name__ = wrapper.__qualname__ = name if type(name) is str else "<unnamed function>"
        return _marked(update_wrapper(wrapper, fun, ("__module__", "__doc__"), ()), fun)

    return named


def own_doc(fun) -> Callable[[str], str]:
    """Return the `doc` of a wrapper that does what the function does: its docstring, empty if it has none."""
    return lambda _: getattr(fun, "__doc__", None) or ""


def _documented(wrapper, doc):
    wrapper.__doc__ = doc(wrapper.__name__)
    return wrapper


def _marked(wrapper, fun):
    """Return `wrapper`, with the attributes that the user gave to `fun`."""
    if type(fun) not in own_kinds:
        given = getattr(fun, "__dict__", None)
        if given:
            kind = type(wrapper)
            vars(wrapper).update({
                k: v for k, v in given.items()
                if k != "__wrapped__" and not (k[:1] == "_" and hasattr(kind, k))
                and type(getattr(v, "__self__", None)) not in own_kinds  # as `lower` of library functions
            })
    return wrapper


own_kinds: set[type] = set()


class _Signature:
    """The signature of an object that wraps a function, in place of its own."""

    def __get__(self, instance, owner):
        if instance is None:
            raise AttributeError("__signature__")
        return inspect.signature(instance.__wrapped__)


def own_kind(kind):
    """Say that instances of the class `kind` are functions whose attributes are settings, and not the user's marks."""
    own_kinds.add(kind)
    kind.__signature__ = _Signature()
    return kind


def function_name(fun) -> str:
    while isinstance(fun, partial):
        fun = fun.func
    name = getattr(fun, "__name__", None)
    return name if name and isinstance(name, str) else type(fun).__name__


def argument_names(fun, in_tree, position: Callable = lambda i: i) -> Callable:
    """Return a thunk of the names of the leaves of (args, kwargs), such as `params['w1']`.

    `position` maps the index among the traced arguments to the index in the user's call. The function
    is held weakly: programs keep the thunk, and caches of programs must not keep functions. Of one that is gone
    the code is left.
    """
    held, left = _weakly(fun), _code_of(fun)

    def names() -> list[str]:
        args, kwargs = tree_unflatten(in_tree, [0] * in_tree.num_leaves)
        named, variadic, by_name, others = _parameters(held(), *left)
        out = []
        for i, a in enumerate(args):
            i = position(i)
            name = named[i] if i < len(named) else f"{variadic}[{i - len(named)}]"
            out += [name + keystr(path) for path, _ in tree_flatten_with_path(a)[0]]
        for k in sorted(kwargs):
            name = k if others is None or k in named or k in by_name else f"{others}[{k!r}]"
            out += [name + keystr(path) for path, _ in tree_flatten_with_path(kwargs[k])[0]]
        return out

    return names


def _parameters(fun, code: CodeType | None, given: int) -> tuple[list[str], str, list[str], str | None]:
    """Return the names of the positional parameters, of the one that takes the rest, and the same of those by name."""
    if fun is None and code is not None:
        n = code.co_argcount
        rest = list(code.co_varnames[n + code.co_kwonlyargcount :])
        starred = rest.pop(0) if code.co_flags & inspect.CO_VARARGS else "args"
        others = rest[0] if code.co_flags & inspect.CO_VARKEYWORDS else None
        return list(code.co_varnames[given:n]), starred, list(code.co_varnames[n : n + code.co_kwonlyargcount]), others
    try:
        parameters = list(inspect.signature(fun).parameters.values())
    except (ValueError, TypeError):
        parameters = []
    named = [p.name for p in parameters if p.kind in _POSITIONAL]
    starred = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), "args")
    others = next((p.name for p in parameters if p.kind is p.VAR_KEYWORD), None)
    return named, starred, [p.name for p in parameters if p.kind is p.KEYWORD_ONLY], others


def _weakly(fun) -> Callable:
    """Return a thunk of `fun`, or of None once it is gone."""
    try:
        return (WeakMethod if isinstance(fun, MethodType) else ref)(fun)
    except TypeError:  # a callable that cannot be referred to weakly
        return lambda: fun


_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def debug_info(purpose: str, fun, in_tree, position: Callable = lambda i: i) -> DebugInfo:
    """Return names for messages about a traced function."""
    return DebugInfo(_SAID.get(purpose, purpose), placed_name(fun), argument_names(fun, in_tree, position))
