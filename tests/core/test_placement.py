"""Where values are, as their types say it: one field, which most types do not have."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import adjoint
from adjoint.core.placement import Placement, placed_as
from adjoint.core.types import ShapedArray

F32 = np.dtype("float32")


def test_a_type_that_says_nothing_of_devices_has_no_placement():
    aval = ShapedArray((2, 3), F32)
    assert aval.placement is None
    assert (aval.vma, aval.explicit_sharding, aval.memory_space) == (frozenset(), None, None)
    assert aval.update(vma=frozenset()) is aval


def test_a_placement_is_part_of_the_type_and_survives_pickling():
    plain = ShapedArray((2, 3), F32)
    varying = plain.update(vma=frozenset({"i"}))
    assert varying is not plain and varying.placement == Placement(frozenset({"i"}))
    assert varying.update(shape=(4,)).vma == {"i"}
    assert pickle.loads(pickle.dumps(varying)) is varying
    assert varying.update(vma=frozenset()) is plain


@pytest.mark.parametrize("fields", [(), ("i",), ("i", "j")])
def test_equal_placements_are_one_type(fields):
    first, second = [ShapedArray((2,), F32, vma=set(fields)) for _ in range(2)]
    assert first is second
    assert (first.placement is None) == (not fields)
    assert placed_as(frozenset(fields), None, None) == first.placement


def test_another_shape_is_divided_only_if_that_is_said():
    mesh = adjoint.make_mesh((1,), ("x",), axis_types=(adjoint.sharding.AxisType.Explicit,))
    sharding = adjoint.NamedSharding(mesh.abstract_mesh, adjoint.P("x", None))
    aval = ShapedArray((2, 3), F32, sharding=sharding)
    assert tuple(aval.explicit_sharding.spec) == ("x", None)
    assert aval.update(shape=(3,)).placement is None
    assert aval.update(dtype=np.dtype("int32")).explicit_sharding is aval.explicit_sharding
    assert tuple(aval.without_axis(1).explicit_sharding.spec) == ("x",)
    assert tuple(aval.with_axis(0, 5).explicit_sharding.spec) == (None, "x", None)
