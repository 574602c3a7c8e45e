# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any
class StoreException(Exception):
    """A store was read while it was empty, or written twice.

    Causes:
      a wrapped function that is called twice   `linear_util.wrap_init` for each call
      its second result is read too early       call the function before

    >>> from adjoint.extend import linear_util as lu
    >>> lu.Store().val
    Traceback (most recent call last):
        ...
    adjoint.transforms.wrapped.StoreException: Store empty
    """
    ...
class WrappedFun:
    """A function and the transformations around it.

    Args:
      f: the function.
      f_transformed: the function with its transformations.
      transforms: (transformation, its arguments) pairs, the outermost first.
      stores: for each where it leaves what it finds out, or None.
      params: (name, value) pairs that name the function.
      debug_info: the names of the function, its arguments and its results.

    >>> from adjoint.api_util import debug_info
    >>> from adjoint.extend.linear_util import wrap_init
    >>> wrap_init(abs, debug_info=debug_info('example', abs, (1,), {})).call_wrapped(-3)
    3
    """
    def __init__(self, f: Any, f_transformed: Any, transforms: Any = (), stores: Any = (), params: Any = (), debug_info: Any = None) -> None: ...
    def wrap(self, transform: Callable[..., Any], args: tuple[Any, ...], outer: Callable[..., Any], store: Any) -> WrappedFun:
        """Return the function with another transformation outermost.

        Args:
          transform: the transformation, a generator function or a function of functions.
          args: what it is given.
          outer: the function, transformed.
          store: where the transformation leaves what it finds out.
        """
    def call_wrapped(self, *args: Any, **kwargs: Any) -> Any:
        """Call the transformed function.

        Args:
          args: arguments by position.
          kwargs: arguments by name.
        """
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    debug_info: Any
    f: Any
    f_transformed: Any
    params: Any
    stores: Any
    transforms: Any
def cache(call: Callable[..., Any], *, explain: Callable[..., Any] | None = None) -> Callable[..., Any]:
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
def merge_linear_aux(aux1: Callable[..., Any], aux2: Callable[..., Any]) -> tuple[bool, Any]:
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
def transformation(gen: Callable[..., Any], fun: WrappedFun | None = None, *gen_static_args: Any) -> Any:
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
def transformation2(gen: Callable[..., Any], fun: WrappedFun | None = None, *gen_static_args: Any) -> Any:
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
def transformation_with_aux(gen: Callable[..., Any], fun: WrappedFun | None = None, *gen_static_args: Any) -> Any:
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
def transformation_with_aux2(gen: Callable[..., Any], fun: WrappedFun | None = None, *gen_static_args: Any, use_eq_store: bool = False, unk_names: bool = False) -> Any:
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
def wrap_init(f: Callable[..., Any], params: dict[Any, Any] | None = None, *, debug_info: Any = None) -> WrappedFun:
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
