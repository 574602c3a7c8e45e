"""Named tuples that are made quickly, beside those of `typing`."""

from __future__ import annotations

import pickle
import typing

import pytest

from adjoint.core.process import records


def classes(base):
    class Point(base):
        """A point."""

        x: int
        y: float = 2.0

        @property
        def double(self):
            return 2 * self.x

        def sum(self) -> float:
            return self.x + self.y

        @classmethod
        def at(cls, x):
            return cls(x)

    return Point


class Pickled(records.NamedTuple):
    x: int


def test_they_are_those_of_typing():
    ours, theirs = classes(records.NamedTuple), classes(typing.NamedTuple)
    for name in ("__name__", "__module__", "__doc__", "_fields", "_field_defaults", "__match_args__"):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert list(ours.__annotations__) == list(theirs.__annotations__)
    assert issubclass(ours, tuple)
    for one in (ours, theirs):
        p = one(3)
        assert (repr(p), p, p.double, p.sum(), one.at(4), p._replace(y=5)) == (
            "Point(x=3, y=2.0)", (3, 2.0), 6, 5.0, (4, 2.0), (3, 5),
        )
        with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
            one()


def test_they_are_pickled():
    assert pickle.loads(pickle.dumps(Pickled(3))) == Pickled(3)
    assert type(pickle.loads(pickle.dumps(Pickled(3)))) is Pickled
