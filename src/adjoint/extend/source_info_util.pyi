# Written by stubs/generate.py; do not edit.
from collections.abc import Iterator
from typing import Any
from typing import NamedTuple
class NameStack(NamedTuple):
    """Names from the outermost to the innermost.

    Args:
      stack: `Scope`s and `Transform`s.

    >>> str(new_name_stack("a").extend("b"))
    'a/b'
    """
    stack: tuple[_Scope | _Transform, ...]
    def extend(self, name: str) -> NameStack:
        """Return the stack with one more scope inside."""
    def transform(self, name: str) -> NameStack:
        """Return the stack with one more transformation inside."""
class SourceInfo:
    """The place of an equation in the user's program: `file:line (function)`.

    Args:
      source: the code object and the place in it, with the named scopes behind; None if unknown.

    >>> program = make_jaxpr(lambda x: x + 1)(1.)
    >>> program.eqns[0].source_info.function_name
    '<lambda>'
    """
    def __init__(self, source: Any) -> None: ...
    @property
    def file_name(self) -> str: ...
    @property
    def function_name(self) -> str: ...
    @property
    def line(self) -> int: ...
    def summary(self) -> str:
        """Return `file:line:column (function)`, or nothing if no place is known."""
    code: Any
    name_stack: Any
    offset: Any
    source: Any
def current() -> SourceInfo:
    """Return where the user's program is now.

    Returns:
      A `SourceInfo`.

    >>> from adjoint.extend import source_info_util
    >>> type(source_info_util.current()).__name__
    'SourceInfo'
    """
def current_name_stack() -> NameStack:
    """Return the named scopes that the thread is in.

    Returns:
      A `NameStack`, whose text is the scopes with slashes between them.

    >>> from adjoint.extend import source_info_util
    >>> with named_scope("layer"):
    ...     print(source_info_util.current_name_stack())
    layer
    """
def extend_name_stack(name: str) -> Iterator[NameStack]:
    """Be in one more scope.

    Args:
      name: the name of the scope.
    Returns:
      A context manager, which gives the `NameStack`.

    >>> from adjoint.extend import source_info_util
    >>> with source_info_util.extend_name_stack("layer") as stack:
    ...     print(stack)
    layer
    """
def new_name_stack(name: str = '') -> NameStack:
    """Return a stack of one name, or of none.

    Args:
      name: the name of a scope; none if it is empty.
    Returns:
      A `NameStack`.

    >>> from adjoint.extend import source_info_util
    >>> print(source_info_util.new_name_stack("layer"))
    layer
    """
def new_source_info() -> SourceInfo:
    """Return source information without a place.

    Returns:
      A `SourceInfo`.

    >>> from adjoint.extend import source_info_util
    >>> source_info_util.new_source_info()
    <unknown>:0 (<unknown>)
    """
def register_exclusion(path: str) -> None:
    """Count the files below `path` as a library's: messages and jaxprs name the frame above them.

    Args:
      path: a file, or a folder.

    >>> register_exclusion("library/")
    """
def reset_name_stack() -> Any:
    """Be in no scope.

    Returns:
      A context manager.

    >>> from adjoint.extend import source_info_util
    >>> with named_scope("layer"), source_info_util.reset_name_stack():
    ...     source_info_util.current_name_stack()
    NameStack(stack=())
    """
def set_name_stack(name_stack: NameStack) -> Iterator[None]:
    """Be in these scopes and no others.

    Args:
      name_stack: the scopes.
    Returns:
      A context manager.

    >>> from adjoint.extend import source_info_util
    >>> with source_info_util.set_name_stack(source_info_util.new_name_stack("layer")):
    ...     print(source_info_util.current_name_stack())
    layer
    """
def summarize(source_info: SourceInfo, num_frames: int = 1) -> str:
    """Return `file:line (function)` of a place.

    Args:
      source_info: the place, as `current` gives it.
      num_frames: is not read: one frame is known.
    Returns:
      A text.

    >>> from adjoint.extend import source_info_util
    >>> source_info_util.summarize(source_info_util.new_source_info())
    '<unknown>:0 (<unknown>)'
    """
def transform_name_stack(name: str) -> Iterator[NameStack]:
    """Be in one more transformation.

    Args:
      name: the name of the transformation, such as "jvp".
    Returns:
      A context manager, which gives the `NameStack`.

    >>> from adjoint.extend import source_info_util
    >>> with source_info_util.transform_name_stack("jvp") as stack:
    ...     print(stack)
    jvp()
    """
def user_context(traceback: Any, *, name_stack: NameStack | None = None) -> Iterator[None]:
    """Run under other scopes; errors name the user's line by themselves.

    Args:
      traceback: is not read.
      name_stack: the scopes; None leaves them as they are.
    Returns:
      A context manager.

    >>> from adjoint.extend import source_info_util
    >>> with source_info_util.user_context(None, name_stack=source_info_util.new_name_stack("layer")):
    ...     print(source_info_util.current_name_stack())
    layer
    """
class _Scope(NamedTuple):
    name: str
class _Transform(NamedTuple):
    name: str
