# Written by stubs/generate.py; do not edit.
from adjoint.core import DebugInfo
from adjoint.core import ShapedArray
from adjoint.extend.linear_util import WrappedFun
from collections.abc import Callable
from collections.abc import Sequence
from typing import Any
def argnums_partial(f: WrappedFun, dyn_argnums: int | Sequence[int], args: Sequence[Any], require_static_args_hashable: bool = True) -> tuple[WrappedFun, tuple[Any, ...]]:
    """Return a wrapped function of the arguments at `dyn_argnums` alone, and those arguments.

    Raises:
      ValueError: another argument is not hashable.
    """
def debug_info(traced_for: str, fun: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], *, static_argnums: Sequence[int] = (), static_argnames: Sequence[str] = (), result_paths_thunk: Callable[..., Any] | None = ..., sourceinfo: str | None = None, signature: Any = None) -> DebugInfo:
    """Return the names of a function and of the leaves of its arguments, for messages.

    >>> debug_info("jit", lambda x, y: x, (1, [2, 3]), {}).arg_names
    ('x', 'y[0]', 'y[1]')
    """
def donation_vector(donate_argnums: Any, donate_argnames: Any, in_tree: Any, kws: bool = True) -> tuple[bool, ...]:
    """Return for each leaf of (args, kwargs) whether it is given away.

    >>> from adjoint.tree import structure
    >>> donation_vector((0,), (), structure(((1, 2), {"a": 3})))
    (True, False, False)
    """
def flatten_axes(name: str, treedef: Any, axis_tree: Any, *, kws: bool = False, tupled_args: bool = False) -> list[Any]:
    """Return what a tree prefix of axes says for each leaf of a structure.

    >>> from adjoint.tree import structure
    >>> flatten_axes("in_axes", structure((1, (2, 3))), (0, None))
    [0, None, None]
    """
def flatten_fun(f: WrappedFun, in_tree: Any) -> tuple[WrappedFun, Callable[..., Any]]:
    """Return a wrapped function of the leaves of (args, kwargs), and a thunk of the structure of its result."""
def flatten_fun_nokwargs(f: WrappedFun, in_tree: Any) -> tuple[WrappedFun, Callable[..., Any]]:
    """Return a wrapped function of the leaves of its arguments, and a thunk of the structure of its result."""
def rebase_donate_argnums(donate_argnums: Any, static_argnums: Any) -> tuple[int, ...]:
    """Return positions of donated arguments among those that are not static.

    >>> rebase_donate_argnums((3, 4), (0, 1))
    (1, 2)
    """
def safe_map(f: Callable[..., Any], *args: Any) -> list[Any]:
    """Return `list(map(f, *args))` of lists of one length; ValueError if they differ.

    >>> safe_map(lambda a, b: a + b, [1, 2], [3, 4])
    [4, 6]
    """
def shaped_abstractify(x: Any) -> ShapedArray:
    """Return the type of an array, a scalar, or anything with a shape and a dtype.

    >>> shaped_abstractify(1.0)
    ShapedArray(float32[], weak_type=True)
    """
