"""Places of the operands and results of a jitted function: `in_shardings` and `out_shardings`, checked.

Tests: `tests/parallel/test_sharding.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from ...core.messages.errors import message, warn
from ...core.trace import Tracer
from ...core.tree.tree import broadcast_prefix, tree_flatten, tree_map, tree_structure
from ...sharding.device import Device, Sharding
from ...sharding.layout import Format
from ...sharding.mesh import PartitionSpec, context_mesh, entered_mesh, placing_mesh
from ...sharding.named_sharding import UNSPECIFIED, NamedSharding, check_distinct

__all__ = [
    "WHOLE", "check_device", "check_no_mesh", "check_places", "checked_shardings", "for_leaves", "hashable_shardings",
    "on_mesh", "places_of",
]


WHOLE = PartitionSpec()  # what None means to `pjit` in a `with mesh:` block


def checked_shardings(shardings, what: str):
    """The tree of shardings and specs itself. What a spec is over is asked by each program: `on_mesh`."""

    def leaf(x):
        if isinstance(x, PartitionSpec):
            check_distinct(x, what)
        elif isinstance(x, NamedSharding) and PartitionSpec.UNCONSTRAINED in x.spec:
            raise ValueError(
                message(
                    f"Unconstrained dims are not allowed when passed to {what}: {x}",
                    fix=f"None in place of the sharding, which leaves all of it to the compiler, in {what}",
                )
            )
        elif x is UNSPECIFIED:
            return None
        elif not isinstance(x, (Sharding, Format)):
            raise TypeError(
                message(
                    f"{what} leaf specifications are expected to be PartitionSpec instances or None, but got {x}",
                    fix=f"{what}=SingleDeviceSharding(device)" if isinstance(x, Device) else
                    f"{what}=P('x') with a mesh that was set, or NamedSharding(mesh, P('x'))",
                )
            )
        return x

    return None if shardings is None else tree_map(leaf, shardings)


def on_mesh(shardings, what: str, is_pjit: bool):
    """The tree with specs made shardings over the mesh that was set, or for `pjit` that of a `with mesh:` block."""
    mesh = entered_mesh() if is_pjit else context_mesh()

    def leaf(x):
        if x is WHOLE and mesh is None:
            return None
        if not isinstance(x, PartitionSpec):
            return x
        if mesh is None:
            raise RuntimeError(
                message(
                    f"{'pjit' if is_pjit else 'jit'} requires a non-empty mesh in context if you are passing "
                    f"`PartitionSpec`s to {what}. You can define a context mesh via `jax.set_mesh(mesh)`. "
                    f"Alternatively, provide `Sharding`s to {what} and then the mesh context manager is not required.",
                    fix="jax.NamedSharding(mesh, spec) in the place of the spec",
                )
            )
        return NamedSharding(mesh, x)

    return None if shardings is None else tree_map(leaf, shardings)


def hashable_shardings(*trees) -> tuple:
    return tuple([None if t is None else (tuple(tree_flatten(t)[0]), str(tree_structure(t))) for t in trees])


def for_leaves(shardings, tree, what: str) -> tuple:
    """A sharding, or None, for each leaf; of a `Format`, that which it has beside its layout."""
    if what == "in_shardings" and shardings is not None and not isinstance(shardings, (Sharding, Format)):
        shardings = _for_arguments(shardings, len(tree))
    found = broadcast_prefix(
        shardings, tree, is_leaf=lambda x: x is None, name=f"pjit {what}", intro="",
        fix=f"{what} as one sharding, or as a tree like the {'arguments' if what == 'in_shardings' else 'results'}",
    )
    return tuple([s.sharding if isinstance(s, Format) else s for s in found])


def _for_arguments(shardings, count: int) -> tuple:
    """Return a tuple of shardings for so many arguments; raise ValueError if it is of another length or kind."""
    if not isinstance(shardings, (tuple, list)):
        wrong = f"is not a tuple: got {type(shardings)} instead."
    elif len(shardings) != count:
        lengths = f"got a tuple or list of length {len(shardings)} for an args tuple of length {count}"
        wrong = f"is the wrong length: {lengths}."
    else:
        return tuple(shardings)
    raise ValueError(
        message(
            "pjit in_shardings specification must be a tree prefix of the positional arguments tuple. In particular, "
            "pjit in_shardings must either be a Sharding, a PartitionSpec, or a tuple of length equal to the number "
            f"of positional arguments. But pjit in_shardings {wrong}",
            fix="in_shardings as one sharding, or as a tree like the arguments",
        )
    )


def check_places(what: str, shardings, avals, names: Callable) -> None:
    """Raise for a sharding of more axes than its argument or result has, which is named, or that does not divide it."""
    for i, (sharding, aval) in enumerate(zip(shardings, avals)):
        if not isinstance(sharding, NamedSharding):
            continue
        if len(sharding.spec) > len(aval.shape):
            sharding.check_rank(aval.shape, f"pjit {what} with pytree key path {names()[i]}")
        if all([isinstance(n, int) for n in aval.shape]):
            sharding.check_compatible_aval(aval.shape)


def check_device(device, backend, in_shardings, out_shardings) -> None:
    """Check `device` and `backend`, and warn if one of them is given."""
    if device is None and backend is None:
        return
    warn(
        "backend and device argument on jit is deprecated. You can use `jax.device_put(..., "
        'jax.local_devices(backend="cpu")[0])` on the inputs to the jitted function to get the same behavior.',
        DeprecationWarning,
    )
    if device is not None and backend is not None:
        raise ValueError(
            message(
                f"can't specify both a device and a backend for jit, got {device=} and {backend=}",
                fix=f"jit(f, device={device!r})",
            )
        )
    for what, given in (("in_shardings", in_shardings), ("out_shardings", out_shardings)):
        if given is not None:
            raise ValueError(
                message(
                    f"If backend or device is specified on jit, then {what} should not be specified.",
                    fix=f"{what}=SingleDeviceSharding(device), and neither backend nor device",
                )
            )
    if device is not None and not isinstance(device, Device):
        raise AttributeError(
            message(
                f"'{type(device).__name__}' object has no attribute 'client'",
                why=f"jit's device has to be one device, got {device!r}. A program over several devices follows its "
                "operands, or in_shardings.",
                fix="jit(f, device=jax.devices()[0]), or jit(f, in_shardings=NamedSharding(mesh, spec))",
            )
        )


def check_no_mesh() -> None:
    """ValueError if a mesh is set, where a program is to run on one device. An abstract one is, if it is explicit."""
    mesh = context_mesh()
    if placing_mesh.value is not None or mesh is not None and mesh.explicit_axes:
        raise ValueError(
            message(
                "Mesh context manager should not be used with jit when backend or device is also specified as an "
                "argument to jit.",
                why="The mesh that is set says on which devices programs run.",
                fix="jax.device_put(x, device) for the arguments, or the call outside of jax.set_mesh",
            )
        )


def places_of(leaves) -> tuple:
    """Return the shardings of arrays and of structs of shapes; None for tracers and for what may be anywhere."""
    return tuple([
        None if isinstance(x, Tracer) or not getattr(x, "committed", True) else getattr(x, "sharding", None)
        for x in leaves
    ])
