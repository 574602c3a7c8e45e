"""Tuples with names: what `typing.NamedTuple` makes of the same class, asked the same questions."""

from __future__ import annotations

import copy
import inspect
import pickle
import typing

import pytest

from adjoint import tree_util
from adjoint.core.names.records import NamedTuple


def classes():
    """Return one class, made by `typing` and by us."""
    class Theirs(typing.NamedTuple):
        """A place."""

        line: int
        column: tuple[int, ...] = ()
        file: Unknown | None = None  # noqa: F821  a name that is not there

        @property
        def text(self) -> str:
            return f"{self.file}:{self.line}"

    class Ours(NamedTuple):
        """A place."""

        line: int
        column: tuple[int, ...] = ()
        file: Unknown | None = None  # noqa: F821

        @property
        def text(self) -> str:
            return f"{self.file}:{self.line}"

    Ours.__name__ = "Theirs"
    return Theirs, Ours


class Point(NamedTuple):
    x: float
    y: float = 2.0


class Nothing(NamedTuple):
    pass


@pytest.mark.parametrize("ask", [
    lambda c: repr(c(1)), lambda c: c(1, file="f").text, lambda c: c(1, (2,))._asdict(), lambda c: c._make([1, 2, 3]),
    lambda c: c(1)._replace(line=5), lambda c: c._fields, lambda c: c._field_defaults, lambda c: c.__match_args__,
    lambda c: c.__bases__, lambda c: c.__slots__, lambda c: c.__doc__, lambda c: c(1) == (1, (), None),
    lambda c: hash(c(1)),
    lambda c: [*inspect.signature(c).parameters], lambda c: c.__module__, lambda c: copy.copy(c(1)), lambda c: c(3)[0],
    lambda c: inspect.signature(c).parameters["column"].default, lambda c: [*tree_util.tree_leaves(c(1, (2, 3)))],
])
def test_same_answers(ask):
    theirs, ours = classes()
    assert ask(theirs) == ask(ours)


@pytest.mark.parametrize("ask", [
    lambda c: c(), lambda c: c(1, 2, 3, 4), lambda c: c(lines=3), lambda c: c._make([1]),
    lambda c: c(1)._replace(lines=2), lambda c: setattr(c(1), "line", 2), lambda c: setattr(c(1), "other", 2),
])
def test_same_errors(ask):
    kinds = []
    for c in classes():
        with pytest.raises((TypeError, ValueError, AttributeError)) as info:
            ask(c)
        kinds.append(type(info.value))
    assert kinds[0] is kinds[1]


def test_pickle_and_patterns():
    p = pickle.loads(pickle.dumps(Point(1.0)))
    assert type(p) is Point and p == (1.0, 2.0) and pickle.loads(pickle.dumps(Nothing())) == ()
    match p:
        case Point(x, y):
            assert (x, y) == (1.0, 2.0)


def test_default_before_a_field_without():
    with pytest.raises(TypeError, match="without a default"):
        class _Wrong(NamedTuple):
            a: int = 1
            b: int
