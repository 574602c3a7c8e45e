"""Artifacts: bytes that are damaged, foreign or new are refused, and never run."""

from __future__ import annotations

import dataclasses
import random
from collections import OrderedDict, namedtuple

import numpy as np
import pytest

import adjoint as ad
import adjoint.numpy as jnp
from adjoint import export

x = np.arange(3, dtype=np.float32)


def artifact():
    f = ad.jit(lambda x, y: {"a": jnp.sort(x) + y, "b": ad.lax.while_loop(lambda c: c < 3, lambda c: c + 1, 0)})
    return bytes(export.export(f)(x, 2.0).serialize(vjp_order=0))


def test_an_artifact_that_is_cut_off_is_refused():
    data = artifact()
    for n in range(0, len(data) - 8, 7):
        with pytest.raises(ValueError):
            export.deserialize(data[:n])


def test_changed_bytes_give_errors_or_programs_and_nothing_else():
    data, rng = artifact(), random.Random(0)
    for _ in range(300):
        changed = bytearray(data)
        for _ in range(rng.choice((1, 1, 2, 8))):
            changed[rng.randrange(len(data))] = rng.randrange(256)
        try:
            export.deserialize(changed)
        except (ValueError, NotImplementedError):
            pass


@pytest.mark.parametrize("length", ["a^99999", "max(" * 99 + "a" + ",b)" * 99, "a" * 3000, "-3", "a +", "1//0"])
def test_lengths_that_are_no_lengths_are_refused(length):
    specs = ad.ShapeDtypeStruct(export.symbolic_shape("a"), np.float32)
    found = export.export(ad.jit(jnp.sin))(specs)
    aval = ad.core.ShapedArray((export.symbolic_shape("Z" * len(length))[0],), np.float32)
    data = bytes(dataclasses.replace(found, in_avals=(aval,)).serialize())
    with pytest.raises(ValueError, match="damaged|axis of length"):
        export.deserialize(data.replace(b"Z" * len(length), length.encode()))


@pytest.mark.parametrize("data", [b"", b"\0" * 64, b"\xff" * 64, b"PK\x03\x04 something else" * 9, b"ML\xefR\x0dx"])
def test_other_bytes_are_refused(data):
    with pytest.raises(ValueError):
        export.deserialize(data)


def test_something_that_is_no_bytes_is_refused():
    with pytest.raises(TypeError, match="bytes-like"):
        export.deserialize("artifact")


Point = namedtuple("Point", "x y")
export.register_namedtuple_serialization(Point, serialized_name="tests.Point")


class Pair:
    """A node of a user's."""

    def __init__(self, a, b):
        self.a, self.b = a, b


ad.tree_util.register_pytree_node(Pair, lambda p: ((p.a,), p.b), lambda b, a: Pair(*a, b))
export.register_pytree_node_serialization(
    Pair, serialized_name="tests.Pair", serialize_auxdata=lambda b: str(b).encode(), deserialize_auxdata=int)


def test_structures_are_kept():
    tree = (OrderedDict(b=x, a=[x, None]), Point(x, {"z": x}), Pair(x, 5))
    found = export.export(ad.jit(lambda *t: t))(*tree)
    loaded = export.deserialize(found.serialize())
    assert loaded.in_tree == found.in_tree
    out = loaded.call(*tree)
    assert list(out[0]) == ["b", "a"] and out[0]["a"][1] is None
    assert isinstance(out[1], Point) and out[2].b == 5


def test_classes_that_are_not_registered_are_refused():
    other = namedtuple("other", "a")
    with pytest.raises(ValueError, match="unregistered type"):
        export.export(ad.jit(lambda t: t.a))(other(x)).serialize()
    with pytest.raises(TypeError, match="dictionaries with string keys"):
        export.export(ad.jit(lambda t: t[1]))({1: x}).serialize()
    with pytest.raises(ValueError, match="Duplicate serialization registration for type"):
        export.register_namedtuple_serialization(Point, serialized_name="another")
    with pytest.raises(ValueError, match="Duplicate serialization registration for serialized_name"):
        export.register_namedtuple_serialization(other, serialized_name="tests.Point")
    with pytest.raises(ValueError, match="for types other than"):
        export.register_namedtuple_serialization(int, serialized_name="int")


def test_checks_by_name():
    check = export.DisabledSafetyCheck
    assert repr(check.platform()) == "platform" and check.platform().is_custom_call() is None
    assert check.custom_call("mine").is_custom_call() == "mine"
    assert check.platform() == check.platform() != check.custom_call("platform")
    found = export.export(ad.jit(jnp.sin), disabled_checks=[check.platform(), check.custom_call("mine")])(x)
    assert export.deserialize(found.serialize()).disabled_safety_checks == found.disabled_safety_checks
