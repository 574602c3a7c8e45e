# Written by stubs/generate.py; do not edit.
from adjoint.core import DebugInfo
from adjoint.core import ShapedArray
from adjoint.extend.linear_util import WrappedFun
from collections.abc import Callable
from collections.abc import Sequence
from typing import Any
def argnums_partial(f: WrappedFun, dyn_argnums: int | Sequence[int], args: Sequence[Any], require_static_args_hashable: bool = True) -> tuple[WrappedFun, tuple[Any, ...]]:
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
def debug_info(traced_for: str, fun: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], *, static_argnums: Sequence[int] = (), static_argnames: Sequence[str] = (), result_paths_thunk: Callable[..., Any] | None = ..., sourceinfo: str | None = None, signature: Any = None) -> DebugInfo:
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
def donation_vector(donate_argnums: Any, donate_argnames: Any, in_tree: Any, kws: bool = True) -> tuple[bool, ...]:
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
def flatten_axes(name: str, treedef: Any, axis_tree: Any, *, kws: bool = False, tupled_args: bool = False) -> list[Any]:
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
def flatten_fun(f: WrappedFun, in_tree: Any) -> tuple[WrappedFun, Callable[..., Any]]:
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
def flatten_fun_nokwargs(f: WrappedFun, in_tree: Any) -> tuple[WrappedFun, Callable[..., Any]]:
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
def rebase_donate_argnums(donate_argnums: Any, static_argnums: Any) -> tuple[int, ...]:
    """Return positions of donated arguments among those that are not static.

    Args:
      donate_argnums: positions among all arguments.
      static_argnums: those of the static ones.
    Returns:
      A tuple of positions among the arguments that are traced.

    >>> rebase_donate_argnums((3, 4), (0, 1))
    (1, 2)
    """
def safe_map(f: Callable[..., Any], *args: Any) -> list[Any]:
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
def shaped_abstractify(x: Any) -> ShapedArray:
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
