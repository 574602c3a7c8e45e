# Written by stubs/generate.py; do not edit.
from collections.abc import Iterator
from typing import Any
from typing import NamedTuple
class NameStack(NamedTuple):
    """Names from the outermost to the innermost.

    >>> str(new_name_stack("a").extend("b"))
    'a/b'
    """
    stack: Any
    def extend(self, name: str) -> NameStack:
        """Return the stack with one more scope inside."""
    def transform(self, name: str) -> NameStack:
        """Return the stack with one more transformation inside."""
class SourceInfo:
    """The place of an equation in the user's program: `file:line (function)`."""
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
    """Return where the user's program is now."""
def current_name_stack() -> NameStack:
    """Return the named scopes that the thread is in."""
def extend_name_stack(name: str) -> Iterator[NameStack]:
    """Be in one more scope."""
def new_name_stack(name: str = '') -> NameStack:
    """Return a stack of one name, or of none."""
def new_source_info() -> SourceInfo:
    """Return source information without a place."""
def register_exclusion(path: str) -> None:
    """Count the files below `path` as a library's: messages and jaxprs name the frame above them."""
def reset_name_stack() -> Any:
    """Be in no scope."""
def set_name_stack(name_stack: NameStack) -> Iterator[None]:
    """Be in these scopes and no others."""
def summarize(source_info: SourceInfo, num_frames: int = 1) -> str:
    """Return `file:line (function)` of a place."""
def transform_name_stack(name: str) -> Iterator[NameStack]:
    """Be in one more transformation."""
def user_context(traceback: Any, *, name_stack: NameStack | None = None) -> Iterator[None]:
    """Run under other scopes; errors name the user's line by themselves."""
