"""Functions of flat lists, wrapped in transformations that can pass something back on the side.

    f = wrap_init(fun)
    f = transformation2(lambda f, *args: [x + 1 for x in f(*args)])(f)
    f, aux = transformation_with_aux2(run)(f)     # run(f, store, *args) puts into the store what aux() gives
    f.call_wrapped(*args)

Tests: `tests/extend/test_interpreters.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from ..core.messages.boundaries import explain_missing as _explain_missing
from ..transforms.wrapped import Store, StoreException, WrappedFun

__all__ = [
    "StoreException", "WrappedFun", "cache", "merge_linear_aux", "transformation", "transformation2",
    "transformation_with_aux", "transformation_with_aux2", "wrap_init",
]


def wrap_init(f: Callable, params: dict | None = None, *, debug_info=None) -> WrappedFun:
    """Return a function ready to be transformed.

    Args:
      f: the function.
      params: keyword arguments that it is given.
      debug_info: what messages say of it.
    Returns:
      A `WrappedFun`; its `call_wrapped` calls it.

    >>> wrap_init(lambda x: [x + 1]).call_wrapped(2)
    [3]
    """
    params = params or {}
    return WrappedFun(f, partial(f, **params) if params else f, (), (), tuple(sorted(params.items())), debug_info)


def transformation2(gen: Callable, fun: WrappedFun | None = None, *gen_static_args):
    """Transform a function: `gen(f, *static, *args, **kwargs)` stands in place of `f(*args, **kwargs)`.

    Without `fun`, a decorator of `gen`; so with all transformations here.

    Args:
      gen: a function of the function, static arguments and the arguments.
      fun: a `WrappedFun`; without it, a decorator of `gen` is returned.
      *gen_static_args: the static arguments.
    Returns:
      A `WrappedFun`.

    >>> from adjoint.api_util import debug_info
    >>> @transformation2
    ... def doubled(f, *args):
    ...     return 2 * f(*args)
    >>> doubled(wrap_init(abs, debug_info=debug_info("example", abs, (1,), {}))).call_wrapped(-3)
    6
    """
    if fun is None:
        return partial(transformation2, gen)
    return fun.wrap(gen, gen_static_args, partial(gen, fun.f_transformed, *gen_static_args), None)


def transformation_with_aux2(
    gen: Callable, fun: WrappedFun | None = None, *gen_static_args, use_eq_store: bool = False,
    unk_names: bool = False,
):
    """Transform a function by `gen(f, store, *static, *args, **kwargs)`; what it stores is had by a thunk.

    Args:
      gen: a function of the function, a store, static arguments and the arguments.
      fun: a `WrappedFun`; without it, a decorator of `gen` is returned.
      *gen_static_args: the static arguments.
      use_eq_store: the store takes a value again that is equal.
      unk_names: is not read.
    Returns:
      (a `WrappedFun`, the thunk)

    >>> from adjoint.api_util import debug_info
    >>> @transformation_with_aux2
    ... def counted(f, store, *args):
    ...     store.store(len(args))
    ...     return f(*args)
    >>> wrapped, number = counted(wrap_init(max, debug_info=debug_info("example", max, (1, 2), {})))
    >>> wrapped.call_wrapped(1, 2), number()
    (2, 2)
    """
    if fun is None:
        return partial(transformation_with_aux2, gen)
    store = Store()
    outer = partial(gen, fun.f_transformed, store, *gen_static_args)
    return fun.wrap(gen, gen_static_args, outer, store), lambda: store.val


def _generated(gen: Callable, f: Callable, static: tuple, args: tuple, kwargs: dict):
    """Run a generator that yields (args, kwargs), gets the results and yields its own."""
    steps = gen(*static, *args, **kwargs)
    inner_args, inner_kwargs = next(steps)
    out = steps.send(f(*inner_args, **inner_kwargs))
    steps.close()
    return out


def transformation(gen: Callable, fun: WrappedFun | None = None, *gen_static_args):
    """Transform a function by a generator: `yield args, kwargs` calls the function, the next yield returns.

    Args:
      gen: a generator function of static arguments and the arguments.
      fun: a `WrappedFun`; without it, a decorator of `gen` is returned.
      *gen_static_args: the static arguments.
    Returns:
      A `WrappedFun`.

    >>> from adjoint.api_util import debug_info
    >>> @transformation
    ... def negated(*args):
    ...     out = yield args, {}
    ...     yield -out
    >>> negated(wrap_init(abs, debug_info=debug_info("example", abs, (1,), {}))).call_wrapped(-3)
    -3
    """
    if fun is None:
        return partial(transformation, gen)
    inner = fun.f_transformed
    outer = lambda *args, **kwargs: _generated(gen, inner, gen_static_args, args, kwargs)
    return fun.wrap(gen, gen_static_args, outer, None)


def transformation_with_aux(gen: Callable, fun: WrappedFun | None = None, *gen_static_args):
    """Transform a function by a generator whose last yield is (results, something that a thunk gives).

    Args:
      gen: a generator function of static arguments and the arguments.
      fun: a `WrappedFun`; without it, a decorator of `gen` is returned.
      *gen_static_args: the static arguments.
    Returns:
      (a `WrappedFun`, the thunk)

    >>> from adjoint.api_util import debug_info
    >>> @transformation_with_aux
    ... def counted(*args):
    ...     out = yield args, {}
    ...     yield out, len(args)
    >>> wrapped, number = counted(wrap_init(max, debug_info=debug_info("example", max, (1, 2), {})))
    >>> wrapped.call_wrapped(1, 2), number()
    (2, 2)
    """
    if fun is None:
        return partial(transformation_with_aux, gen)
    inner, store = fun.f_transformed, Store()

    def outer(*args, **kwargs):
        out, aux = _generated(gen, inner, gen_static_args, args, kwargs)
        store.store(aux)
        return out

    return fun.wrap(gen, gen_static_args, outer, store), lambda: store.val


def merge_linear_aux(aux1: Callable, aux2: Callable) -> tuple[bool, Any]:
    """Return the value of the one of two thunks that has one, and whether it is the first.

    Args:
      aux1, aux2: thunks, as `transformation_with_aux2` gives them.
    Returns:
      (True, value) of the first, or (False, value) of the second.

    >>> from adjoint.extend import linear_util as lu
    >>> @lu.transformation_with_aux2
    ... def counted(f, store, *args):
    ...     store.store(len(args))
    ...     return f(*args)
    >>> (called, one), (_, other) = (counted(lu.wrap_init(max)) for _ in range(2))
    >>> called.call_wrapped(1, 2)
    2
    >>> lu.merge_linear_aux(one, other)
    (True, 2)
    """
    try:
        found = aux1()
    except StoreException:
        try:
            return False, aux2()
        except StoreException:
            raise StoreException("neither store occupied") from None
    try:
        aux2()
    except StoreException:
        return True, found
    raise StoreException("both stores occupied")


def cache(call: Callable, *, explain: Callable | None = None) -> Callable:
    """Remember `call(wrapped function, *args)` as long as the function lives, stores included.

    Args:
      call: a function of a `WrappedFun` and other, hashable arguments.
      explain: is called where nothing is remembered.
    Returns:
      A function of the same arguments and results.

    >>> from adjoint.extend import linear_util as lu
    >>> called = lu.cache(lambda f, x: (print("called"), f.call_wrapped(x))[1])
    >>> f = lu.wrap_init(abs)
    >>> called(f, -3), called(f, -3)
    called
    (3, 3)
    """
    kept: WeakKeyDictionary = WeakKeyDictionary()

    def remembered(fun: WrappedFun, *args):
        by_args = kept.setdefault(fun.f, {})
        key = (fun.transforms, fun.params, args)
        found = by_args.get(key)
        if found is None:
            out = call(fun, *args)
            by_args[key] = out, fun.stores
            return out
        out, stores = found
        for mine, theirs in zip(fun.stores, stores):
            if mine is not None and not mine and theirs:
                mine.store(theirs.val)
        return out

    remembered.cache_clear = kept.clear
    return remembered

_explain_missing(globals())
