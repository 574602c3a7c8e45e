"""`smap`: `shard_map` over one axis of the mesh, told by the axes of arrays instead of specs.

Tests: `tests/parallel/test_other_names.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..core.messages.errors import message
from ..core.tree.tree import tree_map
from ..core.types import aval_of
from ..sharding.mesh import AxisType, P, context_mesh
from .shard_map import INFER, Infer, shard_map

__all__ = ["smap"]


def smap(f: Callable | None = None, /, *, in_axes: Any = INFER, out_axes: Any, axis_name: Any) -> Any:
    """Map `f` over one axis of the mesh that was set: each index calls it with its parts of the arguments.

    Args:
      f: a function of arrays or trees of them; collectives in it name the axis.
      in_axes: which axis of the arguments is divided, an int or None for none, or a tuple with one for each argument.
      out_axes: along which axis results are put together, or None where they are equal; a tree prefix of the result.
      axis_name: the axis of the mesh.
    Returns:
      A function of the same arguments, whose results are put together along `out_axes`; without `f`, a decorator.
    Raises:
      ValueError: no mesh was set.

    >>> with set_mesh(make_mesh((1,), ("i",), axis_types=(AxisType.Auto,))):
    ...     smap(lambda x: x - lax.pmean(x, "i"), in_axes=0, out_axes=0, axis_name="i")(jnp.ones(2))
    Array([0., 0.], dtype=float32)
    """
    if f is None:
        return partial(smap, in_axes=in_axes, out_axes=out_axes, axis_name=axis_name)
    if isinstance(axis_name, (list, tuple)):
        raise TypeError(
            message(f"smap maps over one axis, got axis_name={axis_name!r}.", fix="smap of smap, or shard_map")
        )

    if not isinstance(in_axes, (Infer, int, tuple, type(None))):
        raise TypeError(
            message(
                "smap in_axes must be an int, None, jax.sharding.Infer, or a tuple of entries corresponding to the "
                f"positional arguments passed to the function, but got {in_axes}.",
                fix="in_axes=0",
            )
        )

    def mapped(*args):
        axes = (in_axes,) * len(args) if in_axes is None or isinstance(in_axes, int) else in_axes
        if isinstance(axes, Infer):
            mesh = context_mesh()
            kinds = dict(zip(mesh.axis_names, mesh.axis_types)) if mesh is not None else {}
            if kinds.get(axis_name) is not AxisType.Explicit:
                raise TypeError(
                    message(
                        f"in_axes was not specified when axis_name={axis_name!r} was of type {kinds.get(axis_name)}",
                        why="Types say how arrays are divided along Explicit axes only.",
                        fix="in_axes=0",
                    )
                )
            axes = tuple([tree_map(lambda x: _divided_along(x, axis_name), a) for a in args])
        elif len(axes) != len(args):
            raise ValueError(
                message(f"smap has in_axes for {len(axes)} arguments, got {len(args)}.", fix="one entry for each")
            )
        spec = lambda d: _spec(d, axis_name)
        is_none = lambda d: d is None
        in_specs = tuple([
            tree_map(lambda d, part: tree_map(lambda x: spec(_counted(d, x)), part), d, a, is_leaf=is_none)
            for d, a in zip(axes, args)
        ])
        out_specs = tree_map(spec, out_axes, is_leaf=is_none)
        return shard_map(f, in_specs=in_specs, out_specs=out_specs, axis_names={axis_name})(*args)

    return mapped


def _counted(d, x):
    """Return an axis of `x` counted from the front."""
    ndim = aval_of(x).ndim
    if d is not None and not -ndim <= d < ndim:
        raise ValueError(
            message(f"smap cannot map axis {d} of an array of rank {ndim}.", fix=f"in_axes from {-ndim} to {ndim - 1}")
        )
    return d if d is None else d % ndim


def _spec(d, name):
    return P() if d is None else P(*[None] * d, name)


def _divided_along(x, name):
    spec = getattr(getattr(x, "sharding", None), "spec", ())
    return next((i for i, part in enumerate(spec) if part == name), None)
