"""Places in the user's code that programs and their equations come from, for messages and printed programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .frames import locate

__all__ = ["BACKWARDS", "DebugInfo", "SourceInfo", "Transform", "text_of_scopes"]

BACKWARDS = "transpose"  # the transformation that runs from results to operands


class DebugInfo:
    """Names for messages and printing: the traced function's and its arguments'.

    Args:
      traced_for: what it was traced for, such as "jit".
      func_src_info: the function's name and its place.
      arg_names: the names of the flat arguments, or a function that gives them.
      result_paths: the paths of the flat results, or a function that gives them.

    >>> from adjoint.extend import core
    >>> core.DebugInfo("jit", "f at program.py:3", ("x",)).func_name
    'f'
    """

    __slots__ = ("_arg_names", "_result_paths", "func_src_info", "traced_for")

    def __init__(
        self,
        traced_for: str,
        func_src_info: str,
        arg_names: Callable[[], Sequence[str]] | Sequence[str] | None = None,
        result_paths: Callable[[], Sequence[str]] | Sequence[str] | None = None,
    ):
        self.traced_for = traced_for
        self.func_src_info = func_src_info
        self._arg_names = arg_names  # maybe a thunk: names are only wanted in messages
        self._result_paths = result_paths

    def __repr__(self):
        return (
            f"DebugInfo(traced_for={self.traced_for!r}, func_src_info={self.func_src_info!r}, "
            f"arg_names={self.arg_names!r}, result_paths={self.result_paths!r})"
        )

    def __eq__(self, other):
        if not isinstance(other, DebugInfo):
            return NotImplemented
        return self.__reduce__() == other.__reduce__()

    def __hash__(self):
        return hash(self.__reduce__())

    def __reduce__(self):
        return DebugInfo, (self.traced_for, self.func_src_info, self.arg_names, self.result_paths)

    @property
    def func_name(self) -> str:
        """Return the name of the traced function."""
        return self.func_src_info.split(" ")[0]

    @property
    def func_filename(self) -> str | None:
        """Return the file of the traced function; None if it is not known."""
        return self._place()[0]

    @property
    def func_lineno(self) -> int | None:
        """Return the line at which the traced function begins; None if it is not known."""
        return self._place()[1]

    def _place(self) -> tuple[str | None, int | None]:
        file, colon, line = self.func_src_info.partition(" at ")[2].rpartition(":")
        return (file, int(line)) if colon and line.isdigit() else (None, None)

    @property
    def arg_names(self) -> tuple[str, ...]:
        """Return the names of the arguments, with the paths of leaves: `params['w']`."""
        names = self._arg_names() if callable(self._arg_names) else self._arg_names
        return tuple(names or ())

    @property
    def result_paths(self) -> tuple[str, ...]:
        """Return the paths of the results: `result['w']`."""
        paths = self._result_paths() if callable(self._result_paths) else self._result_paths
        return tuple(paths or ())

    def name_results(self, paths: Callable[[], Sequence[str]]) -> None:
        """Note how the results are called, once the structure of what the function returns is known.

        Args:
          paths: gives the paths of the flat results.
        """
        if self._result_paths is None:
            self._result_paths = paths

    def arg_name(self, i: int) -> str:
        """Return the name of one argument; an empty text if it has none.

        Args:
          i: its position among the flat arguments.
        """
        names = self.arg_names
        return names[i] if i < len(names) else ""

    def dependence(self, trace, var) -> str:
        """Return which arguments `var` was computed from, in words.

        Args:
          trace: the trace of the function.
          var: the variable.
        """
        inputs = set(trace.invars)
        makers = {v: eqn for eqn in trace.eqns for v in eqn.outvars}
        seen, stack, found = set(), [var], set()
        while stack:
            v = stack.pop()
            if v in seen:
                continue
            seen.add(v)
            if v in inputs:
                found.add(v)
            elif v in makers:
                stack.extend(makers[v].invars)
        names = [self.arg_name(i) for i, v in enumerate(trace.invars) if v in found]
        names = [n for n in names if n]
        where = f"while tracing the function {self.func_src_info} for {self.traced_for}."
        if not names:
            return f"The error occurred {where}"
        plural = "s" if len(names) > 1 else ""
        return (
            f"The error occurred {where} This concrete value was not available in Python because it "
            f"depends on the value{plural} of the argument{plural} {' and '.join(names)}."
        )


class Transform(str):
    """A transformation among named scopes, which is written around the scope that follows it.

    One that is not shown is known by the equation that holds the program, and not written inside of it again.
    """

    __slots__ = ("is_shown",)

    def __new__(cls, name: str, is_shown: bool = True):
        made = super().__new__(cls, name)
        made.is_shown = is_shown
        return made


def text_of_scopes(scopes: Sequence[str]) -> str:
    """Return scopes from the outermost to the innermost, and transformations around them: `outer/jvp(inner)`."""
    if not any([type(name) is Transform for name in scopes]):
        return "/".join(scopes)
    parts, around = [], []
    for name in scopes:
        if type(name) is not Transform:
            parts.append(_within(around, name))
            around = []
        elif name.is_shown:
            around.append(name)
    return "/".join([*parts, _within(around, "")] if around else parts)


def _within(around: Sequence[str], name: str) -> str:
    return "(".join([*around, name]) + ")" * len(around)


class SourceInfo:
    """The place of an equation in the user's program: `file:line (function)`.

    Args:
      source: the code object and the place in it, with the named scopes behind; None if unknown.

    >>> program = make_jaxpr(lambda x: x + 1)(1.)
    >>> program.eqns[0].source_info.function_name
    '<lambda>'
    """

    __slots__ = ("code", "name_stack", "offset", "source")

    def __init__(self, source):
        self.source = source
        self.code, self.offset, *scopes = source or (None, 0)
        self.name_stack = text_of_scopes(scopes[0]) if scopes else ""

    @property
    def file_name(self) -> str:
        return self.code.co_filename if self.code else "<unknown>"

    @property
    def function_name(self) -> str:
        return self.code.co_qualname if self.code else "<unknown>"

    @property
    def line(self) -> int:
        if self.code is None:
            return 0
        for start, end, line in self.code.co_lines():
            if start <= self.offset < end and line:
                return line
        return self.code.co_firstlineno

    def summary(self) -> str:
        """Return `file:line:column (function)`, or nothing if no place is known."""
        if self.code is None:
            return ""
        frame = locate(self.code, self.offset)
        column = "" if frame.column is None else f":{frame.column}"
        return f"{frame.file}:{frame.line}{column} ({self.code.co_qualname})"

    def __repr__(self):
        return f"{self.file_name}:{self.line} ({self.function_name})"
