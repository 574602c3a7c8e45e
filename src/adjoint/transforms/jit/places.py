"""Where the operands and results of a jitted function are to be: `in_shardings` and `out_shardings`, checked."""

from __future__ import annotations

from collections.abc import Callable

from ...array.device import Device, Sharding
from ...array.layout import Format
from ...array.mesh import PartitionSpec, context_mesh, entered_mesh
from ...array.sharding import DuplicateSpecError, NamedSharding
from ...core.messages.errors import message
from ...core.tree.tree import broadcast_prefix, tree_flatten, tree_map, tree_structure

__all__ = ["check_places", "for_leaves", "hashable_shardings", "on_mesh"]


def on_mesh(shardings, what: str, in_block: bool = False):
    """A tree of shardings, with specs made shardings over the mesh that was set, or with `in_block` that of a block."""

    def leaf(x):
        if isinstance(x, PartitionSpec):
            mesh = context_mesh()
            if mesh is None or (entered_mesh() and not in_block):
                raise RuntimeError(
                    f"jit requires a non-empty mesh in context if you are passing `PartitionSpec`s to {what}. You can "
                    "define a context mesh via `jax.set_mesh(mesh)`. Alternatively, provide `Sharding`s to "
                    f"{what} and then the mesh context manager is not required."
                )
            try:
                return NamedSharding(mesh, x)
            except DuplicateSpecError as error:
                raise DuplicateSpecError(str(error).replace("NamedSharding spec", what)) from None
        if not isinstance(x, (Sharding, Format)):
            raise TypeError(
                message(
                    f"{what} leaf specifications are expected to be PartitionSpec instances or None, but got {x}",
                    fix=f"{what}=SingleDeviceSharding(device)" if isinstance(x, Device) else
                    f"{what}=P('x') with a mesh that was set, or NamedSharding(mesh, P('x'))",
                )
            )
        return x

    return None if shardings is None else tree_map(leaf, shardings)


def hashable_shardings(*trees) -> tuple:
    return tuple([None if t is None else (tuple(tree_flatten(t)[0]), str(tree_structure(t))) for t in trees])


def for_leaves(shardings, tree, what: str) -> tuple:
    """A sharding, or None, for each leaf."""
    return tuple(broadcast_prefix(
        shardings, tree, is_leaf=lambda x: x is None, name=f"pjit {what}", intro="",
        fix=f"{what} as one sharding, or as a tree like the {'arguments' if what == 'in_shardings' else 'results'}",
    ))


def check_places(what: str, shardings, avals, names: Callable) -> None:
    """Raise for a sharding of more axes than its argument or result has, which is named."""
    for i, (sharding, aval) in enumerate(zip(shardings, avals)):
        if isinstance(sharding, NamedSharding) and len(sharding.spec) > len(aval.shape):
            sharding.check_rank(aval.shape, f"pjit {what} with pytree key path {names()[i]}")
