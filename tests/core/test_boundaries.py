"""Functions made boundaries do what they did, and errors that leave them are seen once."""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys

import pytest

from adjoint.core.messages import boundaries
from adjoint.core.messages.boundaries import guarded

# `leaving` asks whether the caller is ours; what is defined here is not, so every boundary is the outermost one.


@pytest.fixture
def seen(monkeypatch):
    """The errors that have left a boundary."""
    errors: list = []
    monkeypatch.setattr(boundaries, "leave", lambda error, caller: errors.append(error))
    return errors


def with_everything(x, *rest, key=1, **named):
    """Every kind of block, and a way out of each."""
    try:
        with contextlib.nullcontext():
            for i in range(3):
                while True:
                    try:
                        if x == i:
                            raise ValueError(i)
                        if x == 5:
                            return [j + key for j in range(2)]
                        break
                    except ZeroDivisionError:
                        continue
                    finally:
                        key += 1
    except ValueError as error:
        if x == 1:
            raise TypeError("one") from error
        if x == 2:
            raise
        return "zero"
    if rest:
        return lambda y: y / rest[0]
    return named["missing"]


def test_a_function_does_what_it_did(seen):
    f = guarded(with_everything)
    assert f is with_everything and inspect.signature(f).parameters.keys() == {"x", "rest", "key", "named"}
    assert f(0) == "zero" and f(5) == [1, 2] and f(9, missing=4) == 4 and f(9, 2)(8) == 4
    assert not seen
    for x, kind in ((1, TypeError), (2, ValueError), (3, KeyError)):
        with pytest.raises(kind) as raised:
            f(x)
        assert seen.pop() is raised.value and not seen
        assert [t.name for t in raised.traceback] == [inspect.currentframe().f_code.co_name, "with_everything"]
    assert sys.exception() is None


def test_functions_that_a_boundary_makes_are_boundaries(seen):
    divide = guarded(with_everything)(9, 0)
    with pytest.raises(ZeroDivisionError):
        divide(1)
    assert len(seen) == 1


def test_a_function_with_many_constants(seen):
    lines = "".join(f"    if x == {i}: return {i}.5\n" for i in range(400))
    names: dict = {}
    exec(f"def f(x):\n{lines}    return 1 / 0\n", names)
    f = guarded(names["f"])
    assert [f(i) for i in (0, 255, 256, 399)] == [0.5, 255.5, 256.5, 399.5]
    with pytest.raises(ZeroDivisionError):
        f(-1)
    assert len(seen) == 1


def test_the_members_of_a_class(seen):
    @guarded
    class Thing:
        def __init__(self, n):
            self.n = 1 // n

        def __call__(self):
            return super().missing

        @property
        def p(self):
            return self.missing

        @staticmethod
        def s():
            raise KeyError

        @classmethod
        def c(cls):
            raise KeyError

        @functools.lru_cache  # noqa: B019
        def r(self):
            raise KeyError

        def g(self):
            yield 1 / self.n
            raise KeyError

    thing = Thing(1)
    assert next(thing.g()) == 1
    wrong = (lambda: Thing(0), thing, lambda: thing.p, thing.s, thing.c, thing.r)
    for n, call in enumerate(wrong, 1):
        with pytest.raises((AttributeError, KeyError, ZeroDivisionError)):
            call()
        assert len(seen) == n
    assert list(vars(Thing)["g"](Thing(1)).gi_frame.f_locals) == ["self"]


@pytest.mark.parametrize("kind, filtered", [(KeyboardInterrupt, 1), (SystemExit, 0), (GeneratorExit, 0)])
def test_an_interruption_loses_our_frames_and_an_exit_passes_as_it_is(seen, kind, filtered):
    @guarded
    def f():
        raise kind

    with pytest.raises(kind):
        f()
    assert len(seen) == filtered


def test_a_function_is_made_a_boundary_once():
    @guarded
    def f():
        return 1

    code = f.__code__
    assert guarded(f).__code__ is code and f() == 1


def test_tables_are_packed_as_they_are_read():
    code = with_everything.__code__
    table = code.co_exceptiontable
    assert b"".join(map(boundaries._packed, boundaries._ranges(table))) == table
    rows = boundaries._ranges(guarded(with_everything).__code__.co_exceptiontable)
    assert all(a.start + a.length <= b.start for a, b in zip(rows, rows[1:]))
