"""Boundaries: the functions that users call, where an error loses the frames of this package.

A function is a boundary by a row in the exception table of its code: "for an error anywhere in the body, go to the
handler at the end", which runs `leaving` and raises the error on. The row is read only when there is an error, so it
costs neither time nor a frame; a decorator would cost both in every call. It is what `try: ... except: leaving();
raise` around the body compiles to, and the handler is copied from there. (The table's format is described in
CPython's `Objects/exception_handling_notes.txt`, that of positions in `Objects/locations.md`.)

`guarded` marks one function or class, `public` all that a module offers, `scope` makes context managers that are
marked. What the traceback becomes is decided in `tracebacks.py`. On an interpreter whose code is laid out in a way not
known here, nothing is marked.
"""

from __future__ import annotations

import dis
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, partial, wraps
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR, CO_NEWLOCALS, CO_OPTIMIZED
from types import CodeType, FunctionType, ModuleType
from typing import Any, NoReturn, TypeVar

from ..names.elsewhere import absent
from ..options.config import Config, State
from ..process.records import NamedTuple
from .frames import file_of, is_ours
from .tracebacks import TRIMMED, leave

__all__ = ["explain_missing", "guarded", "public", "scope"]

_KNOWN = sys.implementation.name == "cpython" and (3, 11) <= sys.version_info < (3, 15)
_FUNCTION = CO_OPTIMIZED | CO_NEWLOCALS
_SUSPENDED = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
_INLINE = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_LINE_ALONE = 13  # in a table of positions: a line alone, as a difference from the one before

T = TypeVar("T")
F = TypeVar("F", bound=Callable)


def guarded(target: T) -> T:
    """Make a function, the functions that it makes, or the methods of a class, boundaries; returns the target."""
    if not _KNOWN:
        return target
    if isinstance(target, FunctionType):
        code = target.__code__
        if id(code) not in _done:
            new = _guarded(code)
            _done[id(code)], _done[id(new)] = (code, new), (new, new)
        target.__code__ = _done[id(code)][1]
    elif isinstance(target, type):
        for member in list(vars(target).values()):
            if not isinstance(member, type):
                guarded(member)
    elif isinstance(target, property):
        for accessor in (target.fget, target.fset, target.fdel):
            guarded(accessor)
    elif isinstance(target, partial):  # as ufuncs are
        guarded(target.func)
    elif isinstance(inner := getattr(target, "__wrapped__", None), FunctionType):
        guarded(inner)  # of a static or class method, or of a function that remembers its results
    return target


def public(names: dict[str, Any], listed: Iterable[str] = ()) -> None:
    """Make the functions and classes of a module that are `listed`, or named in its `__all__`, boundaries.

    A module that does not say itself what it lacks gets the error that says so, and one with `__all__` shows no more.
    """
    for name in listed or names["__all__"]:
        guarded(names.get(name))
    explain_missing(names)
    if "__all__" in names and "__dir__" not in names:
        names["__dir__"] = partial(_shown, names)


def explain_missing(names: dict[str, Any]) -> None:
    """Let a module, given as its `globals()`, say of a name that it does not have where that is, or what is similar."""
    names.setdefault("__getattr__", partial(_absent, names))


def _shown(names: dict[str, Any]) -> list[str]:
    """Return what `dir` of a module shows: what is public, the modules in it, and Python's own names."""
    return sorted({*names["__all__"], *_parts(names), *[n for n in names if n.startswith("__") and n.endswith("__")]})


def _absent(names: dict[str, Any], name: str) -> NoReturn:
    every = names.get("__all__") or [n for n, x in names.items() if not isinstance(x, ModuleType)]
    listed = {*every, *_parts(names)}
    raise absent(names["__name__"], name, sorted(n for n in listed if not n.startswith("_")))


def _parts(names: dict[str, Any]) -> list[str]:
    """Return the names of the modules in a package that are imported."""
    inside = names["__name__"] + "."
    return [n for n, x in names.items() if isinstance(x, ModuleType) and x.__name__ == inside + n]


def leaving() -> None:
    """Mark where the user's frames begin when an error passes a boundary that was not called from inside."""
    caller = sys._getframe(1).f_back
    if caller is not None and not is_ours(file_of(caller)):
        error = sys.exception()
        if isinstance(error, TRIMMED):
            leave(error, caller)


# ---- code ----------------------------------------------------------------------------------------


class _Range(NamedTuple):
    """A row of an exception table: instructions, the handler's place, and what it finds on the stack."""

    start: int
    length: int
    target: int
    stack: int  # twice its depth, and one more if the place of the error is pushed

    def moved(self, by: int) -> _Range:
        return _Range(self.start + by, self.length, self.target + by, self.stack)


class _Handler(NamedTuple):
    """`except: leaving(); raise` as instructions with a hole where `leaving` is loaded."""

    before: bytes
    load: int
    after: bytes
    rows: list[_Range]  # for errors in the handler itself, counted from its start; the hole is one instruction
    stacksize: int

    def filled(self, constant: int) -> tuple[bytes, list[_Range]]:
        """Return the instructions that load the constant of this number, and the rows that belong to them."""
        number = constant.to_bytes(2, "big") if constant > 255 else bytes([constant])
        load = b"".join([bytes([dis.EXTENDED_ARG, n]) for n in number[:-1]]) + bytes([self.load, number[-1]])
        more = len(number) - 1
        rows = [r._replace(length=r.length + more, target=r.target + more) for r in self.rows]
        return self.before + load + self.after, rows


@cache
def _template() -> _Handler:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a string is not callable
        text = "def f():\n try:\n  f()\n except:\n  'leaving'()\n  raise\n"
        names: dict[str, Any] = {}
        exec(compile(text, "<boundary>", "exec"), names)
    code: CodeType = names["f"].__code__
    first, *rows = _ranges(code.co_exceptiontable)
    start, load = first.target, dis.opmap["LOAD_CONST"]
    body = code.co_code[2 * start :]
    hole = next(i for i in range(0, len(body), 2) if body[i] == load and code.co_consts[body[i + 1]] == "leaving")
    rows = [r.moved(-start) for r in rows if r.start >= start]
    return _Handler(body[:hole], load, body[hole + 2 :], rows, code.co_stacksize)


_filled: dict[int, tuple[bytes, list[_Range], bytes, int]] = {}  # by the number of the constant
_done: dict[int, tuple[CodeType, CodeType]] = {}  # by id: functions that a factory makes share their code


def _guarded(code: CodeType) -> CodeType:
    """Return the code with the handler, and so the functions that are made inside."""
    constants = tuple([_guarded(c) if type(c) is CodeType and c.co_name not in _INLINE else c for c in code.co_consts])
    if code.co_flags & _FUNCTION != _FUNCTION or code.co_flags & _SUSPENDED:
        return code.replace(co_consts=constants)
    end, number = len(code.co_code) // 2, len(constants)
    if number not in _filled:
        handler = _template()
        _filled[number] = *(found := handler.filled(number)), _positions(len(found[0]) // 2), handler.stacksize
    instructions, rows, positions, stacksize = _filled[number]
    covered = _covered(_ranges(code.co_exceptiontable), end) if code.co_exceptiontable else [_Range(0, end, end, 0)]
    table = [*covered, *[r.moved(end) for r in rows]]
    return code.replace(
        co_code=code.co_code + instructions,
        co_consts=(*constants, leaving),  # type: ignore[arg-type]
        co_exceptiontable=b"".join(map(_packed, table)),
        co_linetable=code.co_linetable + positions,
        co_stacksize=max(code.co_stacksize, stacksize),
    )


def _covered(rows: Iterable[_Range], end: int) -> Iterator[_Range]:
    """The rows, and others that send what they leave out to a handler at `end`."""
    at = 0
    for row in rows:
        if row.start > at:
            yield _Range(at, row.start - at, end, 0)
        yield row
        at = row.start + row.length
    if at < end:
        yield _Range(at, end - at, end, 0)


def _ranges(table: bytes) -> list[_Range]:
    """Return the rows of an exception table: numbers in groups of six bits, the first one of a row marked."""
    numbers: list[int] = []
    n = 0
    for byte in table:
        n = n << 6 | byte & 63
        if not byte & 64:
            numbers.append(n)
            n = 0
    return [_Range(*numbers[i : i + 4]) for i in range(0, len(numbers), 4)]


def _packed(row: _Range) -> bytes:
    out: list[int] = []
    for n in row:
        if n < 64:
            out.append(n)
            continue
        groups = [n & 63]
        while n := n >> 6:
            groups.append(n & 63 | 64)
        out += reversed(groups)
    out[0] |= 128
    return bytes(out)


def _positions(instructions: int) -> bytes:
    """Rows of a table of positions for instructions on the last line of the rows before, up to eight in a row."""
    counts = [8] * (instructions // 8) + ([instructions % 8] if instructions % 8 else [])
    return b"".join([bytes([128 | _LINE_ALONE << 3 | n - 1, 0]) for n in counts])


guarded(Config)  # whose module is needed here, and so cannot mark it
guarded(State)


# ---- scopes --------------------------------------------------------------------------------------


@guarded
class Scope:
    """A context manager, and a decorator of functions that run in it, whose errors lose the frames of this package.

    Those of `contextlib.contextmanager` pass through a frame of that module, which is no boundary.
    """

    __slots__ = ("inner", "make")

    def __init__(self, make: Callable):
        self.make = make

    def __enter__(self):
        self.inner = self.make()
        return self.inner.__enter__()

    def __exit__(self, *error):
        return self.inner.__exit__(*error)

    def __call__(self, fun: F) -> F:
        @wraps(fun)
        def inside(*args, **kwargs):
            with Scope(self.make):
                return fun(*args, **kwargs)

        return inside  # type: ignore[return-value]


def scope(generator: Callable) -> Callable[..., Scope]:
    """Make a generator function with one `yield` a function of `Scope`s."""
    managed = contextmanager(generator)
    return wraps(generator)(lambda *args, **kwargs: Scope(partial(managed, *args, **kwargs)))
