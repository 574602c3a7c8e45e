"""Private names that are about Python alone do what JAX's do: lists, functions, caches, deprecations, warnings."""

from __future__ import annotations

import functools
import gc
import warnings

import numpy as np
import pytest
from tests.recorded import jax

from adjoint.compat.private.python import caches, callables, deprecations, sequences, warned
from adjoint.core.options import config

their_util = jax._src.util
their_deprecations = jax._src.deprecations


def outcome(f, *args, **kwargs):
    """What a call returns, or its error's class and text."""
    try:
        out = f(*args, **kwargs)
    except (AssertionError, StopIteration) as error:
        return type(error)
    except Exception as error:
        return type(error), str(error)
    return list(out) if isinstance(out, type({}.keys())) else out


CALLS = [
    ("unzip2", [(1, 2), (3, 4)]), ("unzip2", []), ("unzip2", [(1, 2, 3)]), ("unzip3", [(1, 2, 3)]),
    ("subvals", [1, 2, 3], [(0, 9)]), ("split_list", [1, 2, 3, 4, 5], [2, 1]), ("split_list", [1, 2, 3], [2, 4]),
    ("split_list_checked", [1, 2, 3], [2, 1]), ("split_list_checked", [1, 2, 3], [2]),
    ("partition_list", [True, False, True], [1, 2, 3]), ("partition_list", [True], [1, 2]),
    ("merge_lists", [True, False, True], [1], [2, 3]), ("merge_lists", [True, False, True], [1], [2]),
    ("subs_list", [None, 1], [7, 8], [1]), ("subs_list", [None, 1], [7, 8], [1, 2]),
    ("subs_list2", [None, 1, None], [0, None, None], [7, 8], [5], [9]), ("concatenate", [[1], [2, 3]]),
    ("flatten", [(1,), [2, 3]]), ("unflatten", [1, 2, 3], [1, 2]), ("unflatten", [1, 2, 3], [1, 1]),
    ("canonicalize_axis", -1, 3), ("canonicalize_axis_tuple", None, 3), ("canonicalize_axis_tuple", -1, 3),
    ("canonicalize_axis_tuple", (0, -3), 3), ("canonicalize_axis_tuple", (0, -3), 3, True),
    ("ceil_of_ratio", 7, 2), ("ceil_of_ratio", -7, 2), ("tuple_insert", (1, 2), 1, 9),
    ("tuple_delete", (1, 2), 1), ("tuple_update", (1, 2), 1, 9),
    ("stable_unique", [3, 1, 3]), ("safe_zip", [1, 2], [3, 4]),
    ("safe_zip", [1, 2], [3]), ("safe_zip",), ("pprint_bytes", 1536), ("pprint_bytes", 10 ** 16),
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0])
def test_lists_and_tuples_are_handled_as_in_jax(call):
    name, *args = call
    assert outcome(getattr(sequences, name), *args) == outcome(getattr(their_util, name), *args)


def test_positions_are_those_of_the_tuple():
    for name, *args in (("tuple_insert", 3, 9), ("tuple_delete", 2), ("tuple_update", -1, 9)):
        with pytest.raises(AssertionError):
            getattr(sequences, name)((1, 2), *args)


def test_an_axis_that_is_not_there_is_an_error():
    for axis, error in ((3, ValueError), (1.5, TypeError)):
        for m in (sequences, their_util):
            with pytest.raises(error, match="axis 3 is out of bounds|cannot be interpreted as an integer"):
                m.canonicalize_axis(axis, 3)


def test_functions_are_called_for_the_items_of_lists():
    seen = []
    sequences.foreach(lambda x, y: seen.append((x, y)), [1, 2], [3, 4])
    assert seen == [(1, 3), (2, 4)]
    for lists in (([1],  [2, 3]), ([1, 2], [3])):
        assert outcome(sequences.foreach, max, *lists) == outcome(their_util.foreach, max, *lists)
    moved = sequences.moveaxis(np.ones((2, 3, 4)), (0, 1), (1, 2))
    assert moved.shape == (4, 2, 3)
    named = [sequences.maybe_named_axis(axis, lambda n: ("at", n), lambda n: ("named", n)) for axis in (1, "a")]
    assert named == [("at", 1), ("named", "a")]


def test_sets_keep_their_order():
    items = sequences.OrderedSet()
    items.add(3)
    items.update([1, 3])
    assert list(items) == [3, 1] and len(items) == 2 and 3 in items


class Called:
    def __call__(self):
        return 1


@pytest.mark.parametrize("fun", [len, functools.partial(len), Called(), 3])
def test_functions_have_the_names_that_jax_gives_them(fun):
    for name in ("fun_name", "fun_qual_name"):
        assert getattr(callables, name)(fun) == getattr(their_util, name)(fun)
    assert callables.wrap_name("vmap", "f") == "vmap(f)"
    assert callables.curry(lambda a, b, c=3: (a, b, c))(1, c=5)(2) == (1, 2, 5)
    assert callables.set_module("a.b")(lambda: 1).__module__ == "a.b"


def test_wrapped_values_are_equal_where_jax_s_are():
    def f(x):
        return x + 1

    one, same, other = (callables.HashableFunction(f, c) for c in ((3,), (3,), (4,)))
    assert one == same and hash(one) == hash(same) and one != other and one(1) == 2
    assert repr(one) == "<hashable f with closure=(3,)>"
    for value in (3, [1]):
        ours, theirs = ((W(value), W(value)) for W in (callables.HashableWrapper, their_util.HashableWrapper))
        assert (ours[0] == ours[1]) is bool(theirs[0] == theirs[1]) and isinstance(hash(ours[0]), int)
    assert callables.Hashable(3) == callables.Hashable(3) and hash(callables.Hashable(3)) == hash(3)
    assert callables.Unhashable([1]) == callables.Unhashable([1])
    with pytest.raises(TypeError, match="unhashable"):
        hash(callables.Unhashable([1]))
    with pytest.raises(NotImplementedError, match="does not support virtual subclasses"):
        callables.StrictABC.register(int)
    assert not isinstance(3, callables.StrictABC)


def test_caches_tell_options_apart_and_forget():
    calls = []

    def f(x, y=1):
        calls.append(x)
        return [x, y]

    for decorate in (caches.cache(), caches.cache(max_size=None), caches.memoize):
        calls.clear()
        g = decorate(f)
        assert g(1, y=2) is g(1, y=2) and calls == [1]
        with config.enable_x64(not config.enable_x64.value):
            g(1, y=2)
        assert calls == [1, 1]
        g.cache_clear()
        assert g.cache_info().currsize == 0
    g = caches.cache(trace_context_in_key=False)(f)
    g(1)
    with config.enable_x64(not config.enable_x64.value):
        assert g(1) is g(1)


class Thing:
    """Something that can go."""


def test_weak_caches_forget_what_is_gone():
    g, things = caches.weakref_lru_cache(lambda x, y: [y]), [Thing(), Thing()]
    assert g(things[0], 1) is g(things[0], 1)
    assert tuple(g.cache_info()) == (1, 1, 2048, 1) and len(g.cache_keys()) == 1
    g(things[1], 1)
    things.pop(0)
    gc.collect()
    assert g.cache_info().currsize == 1
    g.evict_weakref(things[0])
    assert g.cache_info().currsize == 0
    with pytest.raises(TypeError, match="weak reference"):
        g(3, 1)
    pair = caches.multi_weakref_lru_cache(lambda x, n, y: [n])
    assert pair(things[0], 1, things[0]) is pair(things[0], 1, things[0])
    pair(things[0], 1, Thing())
    gc.collect()
    assert pair.cache_info().currsize == 1
    small = caches.weakref_lru_cache(maxsize=1)(lambda x, y: [y])
    small(things[0], 1), small(things[0], 2)
    assert small.cache_info().currsize == 1
    caches.clear_all_caches()
    assert small.cache_info().currsize == 0


def test_deprecations_become_errors():
    for m in (deprecations, their_deprecations):
        m.register("tests-of-adjoint")
        assert not m.is_accelerated("tests-of-adjoint")
    with pytest.warns(DeprecationWarning, match="gone"):
        deprecations.warn("tests-of-adjoint", "gone", stacklevel=1)
    for m in (deprecations, their_deprecations):
        m.accelerate("tests-of-adjoint")
        assert m.is_accelerated("tests-of-adjoint")
        assert outcome(m.warn, "tests-of-adjoint", "gone", stacklevel=1) == (ValueError, "gone")
        m.unregister("tests-of-adjoint")
        assert outcome(m.is_accelerated, "tests-of-adjoint") == (
            ValueError, "deprecation_id='tests-of-adjoint' not registered.")
    found = deprecations.deprecation_getattr("m", {"old": ("m.old is deprecated", 3), "none": ("m.none is gone", None)})
    with pytest.warns(DeprecationWarning, match=r"m\.old is deprecated"):
        assert found("old") == 3
    for name, text in (("none", "m.none is gone"), ("other", "module 'm' has no attribute 'other'")):
        assert outcome(found, name) == (AttributeError, text)


def test_warnings_are_raised_recorded_and_ignored():
    with warned.record_warnings() as seen:
        warnings.warn("a", stacklevel=1)
        warnings.warn("a", stacklevel=1)
    assert [str(w.message) for w in seen] == ["a", "a"]
    with warned.raise_on_warnings(), pytest.raises(UserWarning):
        warnings.warn("a", stacklevel=1)
    with warned.raise_on_warnings(), warned.ignore_warning(message="a.*", category=UserWarning):
        warnings.warn("a b", stacklevel=1)
    warned.install_threadsafe_warning_handlers()
