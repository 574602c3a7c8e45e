"""The place in the user's program, and the named scopes around it.

Tests: `tests/extend/test_interpreters.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..core.messages.boundaries import explain_missing as _explain_missing
from ..core.messages.boundaries import scope
from ..core.messages.frames import exclude_path, user_code
from ..core.messages.places import SourceInfo, text_of_scopes
from ..core.messages.places import Transform as _Transform
from ..core.process.records import NamedTuple
from ..core.trace import DynamicJaxprTrace, state

__all__ = [
    "NameStack", "SourceInfo", "current", "current_name_stack", "extend_name_stack", "new_name_stack",
    "new_source_info", "register_exclusion", "reset_name_stack", "set_name_stack", "summarize",
    "transform_name_stack", "user_context",
]


class Scope(NamedTuple):
    """A name that the user gave to a part of a program."""

    name: str


class Transform(NamedTuple):
    """A transformation around a part of a program."""

    name: str


def _of_thread() -> NameStack:
    """Return the scopes inside of the program that is being traced."""
    trace = state.trace
    while trace is not None and not isinstance(trace, DynamicJaxprTrace):
        trace = trace.parent
    names = state.scopes[0 if trace is None else trace.num_scopes :]
    return NameStack(tuple([(Transform if type(name) is _Transform else Scope)(str(name)) for name in names]))


class NameStack(NamedTuple):
    """Names from the outermost to the innermost.

    Args:
      stack: `Scope`s and `Transform`s.

    >>> str(new_name_stack("a").extend("b"))
    'a/b'
    """

    stack: tuple[Scope | Transform, ...] = ()

    def extend(self, name: str) -> NameStack:
        """Return the stack with one more scope inside."""
        return NameStack((*self.stack, Scope(name)))

    def transform(self, name: str) -> NameStack:
        """Return the stack with one more transformation inside."""
        return NameStack((*self.stack, Transform(name)))

    def __add__(self, other: NameStack) -> NameStack:
        return NameStack(self.stack + other.stack)

    def __str__(self):
        return text_of_scopes(_names(self))


def _names(stack: NameStack) -> tuple[str, ...]:
    return tuple([n.name if isinstance(n, Scope) else _Transform(n.name) for n in stack.stack])


def new_name_stack(name: str = "") -> NameStack:
    """Return a stack of one name, or of none.

    Args:
      name: the name of a scope; none if it is empty.
    Returns:
      A `NameStack`.

    >>> from adjoint.extend import source_info_util
    >>> print(source_info_util.new_name_stack("layer"))
    layer
    """
    return NameStack((Scope(name),) if name else ())


def current_name_stack() -> NameStack:
    """Return the named scopes that the thread is in.

    Returns:
      A `NameStack`, whose text is the scopes with slashes between them.

    >>> from adjoint.extend import source_info_util
    >>> with named_scope("layer"):
    ...     print(source_info_util.current_name_stack())
    layer
    """
    return _of_thread()


@scope
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
    before = state.scopes
    state.scopes = (*before[: len(before) - len(_of_thread().stack)], *_names(name_stack))
    try:
        yield
    finally:
        state.scopes = before


def reset_name_stack():
    """Be in no scope.

    Returns:
      A context manager.

    >>> from adjoint.extend import source_info_util
    >>> with named_scope("layer"), source_info_util.reset_name_stack():
    ...     source_info_util.current_name_stack()
    NameStack(stack=())
    """
    return set_name_stack(NameStack())


@scope
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
    stack = current_name_stack().extend(name)
    with set_name_stack(stack):
        yield stack


@scope
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
    stack = current_name_stack().transform(name)
    with set_name_stack(stack):
        yield stack


def current() -> SourceInfo:
    """Return where the user's program is now.

    Returns:
      A `SourceInfo`.

    >>> from adjoint.extend import source_info_util
    >>> type(source_info_util.current()).__name__
    'SourceInfo'
    """
    return SourceInfo((*(user_code() or (None, 0)), state.scopes))


def new_source_info() -> SourceInfo:
    """Return source information without a place.

    Returns:
      A `SourceInfo`.

    >>> from adjoint.extend import source_info_util
    >>> source_info_util.new_source_info()
    <unknown>:0 (<unknown>)
    """
    return SourceInfo(None)


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
    return str(source_info)


@scope
def user_context(traceback, *, name_stack: NameStack | None = None) -> Iterator[None]:
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
    with set_name_stack(current_name_stack() if name_stack is None else name_stack):
        yield


def register_exclusion(path: str) -> None:
    """Count the files below `path` as a library's: messages and jaxprs name the frame above them.

    Args:
      path: a file, or a folder.

    >>> register_exclusion("library/")
    """
    exclude_path(path)

_explain_missing(globals())
