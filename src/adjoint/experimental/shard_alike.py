"""Pairs of values that are divided over devices in the same way, as `jax.experimental.shard_alike`.

Tests: `tests/experimental/test_small_modules.py`.
"""

from __future__ import annotations

from typing import Any

from ..array.array import as_array
from ..array.sharded_array import ShardedArray
from ..core.messages.boundaries import public
from ..core.primitive import Primitive
from ..core.tree.tree import tree_flatten, tree_unflatten
from ..core.types import ShapedArray, aval_of
from ..core.values.zeros import Zero
from ..parallel.devices import device_put
from ..prims.shape import materialise_batch
from ..transforms.jvp import instantiate

__all__ = ["shard_alike"]

shard_alike_p = Primitive("shard_alike", multiple_results=True)
shard_alike_p.type(lambda x, y: [x, y])
shard_alike_p.evaluate(lambda x, y: [x, y])
shard_alike_p.expand(lambda x, y: [x, y])
shard_alike_p.transpose(lambda cts, x, y: shard_alike_p.bind(*map(instantiate, cts)))
shard_alike_p.examples((ShapedArray((2, 3), "float32"), ShapedArray((2, 3), "float32")))


@shard_alike_p.propagate
def _(params, ins, inside):
    joint = tuple([a or b for a, b in zip(*[(*spec, *[None] * (max(map(len, ins)) - len(spec))) for spec in ins])])
    return [joint, joint]


@shard_alike_p.eager
def _(args, params):
    """Move the one that is on one device to where the other is."""
    x, y = map(as_array, args)
    divided = [z.sharding for z in (x, y) if isinstance(z, ShardedArray)]
    if not divided:
        return [x, y]
    return [z if z.sharding == divided[0] else device_put(z, divided[0]) for z in (x, y)]


@shard_alike_p.jvp
def _(primals, tangents):
    outs = shard_alike_p.bind(*primals)
    if any([type(t) is Zero for t in tangents]):
        return outs, list(tangents)
    return outs, shard_alike_p.bind(*tangents)


@shard_alike_p.batch_axis
def _(axis, args, dims, params):
    return shard_alike_p.bind(*[materialise_batch(x, d, axis.size) for x, d in zip(args, dims)]), 0


def shard_alike(x: Any, y: Any) -> tuple[Any, Any]:
    """Return two trees whose arrays are divided over devices in the same way, pair by pair.

    Args:
      x, y: trees of one structure, of arrays of the same shapes.

    Raises:
      ValueError: the structures, or the shapes of two arrays, differ.

    >>> from adjoint.experimental.shard_alike import shard_alike
    >>> f = jit(lambda x: shard_alike(x, x * 2))
    >>> f(jnp.ones(2))
    (Array([1., 1.], dtype=float32), Array([2., 2.], dtype=float32))
    """
    (xs, x_tree), (ys, y_tree) = tree_flatten(x), tree_flatten(y)
    if x_tree != y_tree:
        raise ValueError(f"Trees should be equal. Got x_tree: {x_tree}, y_tree: {y_tree}")
    pairs = []
    for a, b in zip(xs, ys):
        if aval_of(a).shape != aval_of(b).shape:
            raise ValueError(
                f"The leaves shapes of `x` and `y` should match. Got `x` leaf shape: {aval_of(a).shape} and `y` leaf "
                f"shape: {aval_of(b).shape}.\n  Try: x.reshape(y.shape), or lax.with_sharding_constraint for each"
            )
        pairs.append(shard_alike_p.bind(a, b))
    return tree_unflatten(x_tree, [a for a, _ in pairs]), tree_unflatten(y_tree, [b for _, b in pairs])


public(globals())
