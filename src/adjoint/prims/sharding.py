"""`sharding_constraint`: how a value is laid out over devices. It computes nothing."""

from __future__ import annotations

import numpy as np

from ..array.device import cpu_sharding
from ..array.layout import Layout, arranged
from ..array.mesh import EMPTY, PartitionSpec, get_mesh
from ..array.sharding import NamedSharding
from ..core.primitive import Primitive
from ..core.types import ShapedArray

__all__ = ["constrained", "layout_constraint", "sharding_constraint"]

sharding_constraint = Primitive("sharding_constraint", linear=True)
sharding_constraint.type(lambda x, **_: x)
sharding_constraint.evaluate(lambda x, **_: x)
sharding_constraint.transpose(lambda ct, x, **params: [sharding_constraint(ct, **params)])


def constrained(x, sharding):
    """`x`, laid out by `sharding`."""
    return sharding_constraint(
        x, sharding=sharding, context_mesh=get_mesh(), layout=None, unconstrained_dims=frozenset()
    )


@sharding_constraint.batch
def _(args, dims, *, sharding, **params):
    (x,), (d,) = args, dims
    if isinstance(sharding, NamedSharding) and d <= len(sharding.spec):
        entries = list(sharding.spec)
        entries.insert(d, None)
        sharding = sharding.update(spec=PartitionSpec(*entries))
    return sharding_constraint(x, sharding=sharding, **params), d


sharding_constraint.examples(
    (ShapedArray((2, 3), np.dtype("float32")),
     dict(sharding=cpu_sharding, context_mesh=EMPTY, layout=None, unconstrained_dims=frozenset()))
)

# ---- the order in memory -------------------------------------------------------------------------

layout_constraint = Primitive("layout_constraint", linear=True)
layout_constraint.type(lambda x, **_: x)
layout_constraint.evaluate(lambda x, *, layout: arranged(x, layout))
layout_constraint.transpose(lambda ct, x, **params: [layout_constraint(ct, **params)])


@layout_constraint.batch
def _(args, dims, *, layout):
    (x,), (d,) = args, dims
    order = tuple([i + (i >= d) for i in layout.major_to_minor])
    return layout_constraint(x, layout=layout._replace(major_to_minor=(d, *order))), d


layout_constraint.examples((ShapedArray((2, 3), np.dtype("float32")), dict(layout=Layout((1, 0)))))
