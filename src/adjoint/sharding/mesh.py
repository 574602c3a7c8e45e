"""Meshes of devices with named axes, and which axis of an array goes along which.

A `Mesh` is an array of devices whose axes have names; equal meshes are one object. A `PartitionSpec` gives for
each axis of an array the name, or names, of the mesh axes over which it is divided. `named_sharding.py` puts the two
together. `set_mesh` makes a mesh the one that specs without a mesh are about, and results without a place are on.

Tests: `tests/parallel/test_sharding.py`.
"""

from __future__ import annotations

import enum
import functools
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from ..core.messages.errors import message, warn
from ..core.options.config import local, make_user_context
from ..core.process.memo import memoized
from ..core.process.records import NamedTuple
from ..core.trace import state
from .device import AbstractDevice, Device, default_devices, here, is_here

__all__ = [
    "AbstractMesh", "AxisType", "ManualAxisType", "Mesh", "PartitionSpec", "get_abstract_mesh", "get_mesh",
    "make_mesh", "placing_mesh", "set_mesh", "use_abstract_mesh",
]


class AxisType(enum.Enum):
    """The part that decides how arrays are divided over a mesh axis: the compiler, the types, or the program.

    >>> adjoint.make_mesh((1,), ('x',), axis_types=(AxisType.Auto,)).axis_types
    (Auto,)
    """

    Auto = enum.auto()
    Explicit = enum.auto()
    Manual = enum.auto()

    def __repr__(self):
        return self.name


class ManualAxisType(NamedTuple):
    """Along which manual mesh axes a value varies between devices, or is yet to be summed, or was.

    Args:
      varying: mesh axes along which the value varies.
      unreduced: mesh axes over which it is yet to be summed.
      reduced: mesh axes over which it was summed.

    >>> sorted(ManualAxisType(varying=frozenset({'x', 'y'})).varying)
    ['x', 'y']
    """

    varying: frozenset = frozenset()
    unreduced: frozenset = frozenset()
    reduced: frozenset = frozenset()


class _Unconstrained:
    def __repr__(self):
        return "UNCONSTRAINED"


class PartitionSpec:
    """A tuple with an entry for each axis of an array: None, a mesh axis's name, or a tuple of names.

    Args:
      partitions: an entry for each axis of the array, those at the end may be left out.
      unreduced: mesh axes over which the value is yet to be summed.
      reduced: mesh axes over which it was summed.

    >>> PartitionSpec("x", None, ("y", "z"))
    P('x', None, ('y', 'z'))
    """

    __slots__ = ("__weakref__", "partitions", "reduced", "unreduced")
    UNCONSTRAINED = _Unconstrained()

    def __init__(self, *partitions: Any, unreduced=frozenset(), reduced=frozenset()):
        self.partitions = tuple([
            (p[0] if len(p) == 1 else tuple(p)) if isinstance(p, (tuple, list)) and p else None if p == () else p
            for p in partitions
        ])
        for what, axes in ("unreduced", unreduced), ("reduced", reduced):
            if not isinstance(axes, (set, frozenset)):
                raise TypeError(
                    f"{what} argument of PartitionSpec should of type `frozenset` or `set`. Got type {type(axes)}.\n"
                    f"  Try: {what}={{{axes!r}}}"
                )
        self.unreduced = frozenset(unreduced)
        self.reduced = frozenset(reduced)
        for p in self.partitions:
            if type(p) is tuple and (inner := [n for n in p if isinstance(n, (tuple, list))]):
                raise ValueError(
                    "A tuple inside PartitionSpec cannot contain a nested tuple. Got partition: "
                    f"{p} and the nested tuple: {inner[0]}\n  Try: one tuple of names"
                )
        if self.unreduced or self.reduced:
            self._check_sums()

    def _check_sums(self) -> None:
        """Raise for mesh axes that stand in several places, one of which is about sums."""
        divided = {n for entry in self.partitions for n in names_of(entry)}
        for what, axes in ("unreduced", self.unreduced), ("reduced", self.reduced):
            if None in axes:
                raise ValueError(
                    f"{what} cannot contain None. All elements in {what} should refer to the mesh axes."
                )
            if divided & axes:
                raise ValueError(
                    f"partitions cannot overlap with {what} axes passed to PartitionSpec. Got partitions: "
                    f"{self.partitions} and {what} axes: {axes}"
                )
        if self.unreduced & self.reduced:
            raise ValueError(
                "`unreduced` and `reduced` argument to PartitionSpec cannot overlap. Got unreduced: "
                f"{self.unreduced} and reduced: {self.reduced}"
            )

    def update(self, **changes: Any) -> PartitionSpec:
        """Return the same with other `partitions`, `unreduced` or `reduced` axes.

        Args:
          changes: those of the three that change.
        """
        fields = dict(unreduced=self.unreduced, reduced=self.reduced)
        partitions = changes.pop("partitions", self.partitions)
        return PartitionSpec(*partitions, **{**fields, **changes})

    def index(self, value: Any) -> int:
        """Return the position of an entry.

        Args:
          value: the entry.
        Raises:
          ValueError: it does not occur.
        """
        return self.partitions.index(value)

    def count(self, value: Any) -> int:
        """Return how often an entry occurs.

        Args:
          value: the entry.
        """
        return self.partitions.count(value)

    def __len__(self):
        return len(self.partitions)

    def __iter__(self) -> Iterator:
        return iter(self.partitions)

    def __getitem__(self, i):
        return self.partitions[i]

    def __add__(self, other):
        if isinstance(other, tuple) and (self.unreduced or self.reduced):
            kind = "unreduced" if self.unreduced else "reduced"
            raise TypeError(
                f"other {other} cannot be of instance `tuple` when self {self!r} has {kind} in `__add__` of "
                "PartitionSpec.\n  Try: P(...) + P(...)"
            )
        return PartitionSpec(*self, *other)

    def _key(self):
        return self.partitions, self.unreduced, self.reduced

    def __eq__(self, other):
        return isinstance(other, PartitionSpec) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        parts = repr(self.partitions)
        extra = "".join(
            f", {k}={set(v)!r}" for k in ("unreduced", "reduced") if (v := getattr(self, k))
        )
        if not extra:
            return f"P{parts}"
        return f"P({parts[1:-1].rstrip(',')}{extra})" if self.partitions else f"P({extra[2:]})"

    def __reduce__(self):
        return _spec, (self.partitions, self.unreduced, self.reduced)


def _spec(partitions, unreduced, reduced) -> PartitionSpec:
    """Return a spec again that was pickled."""
    return PartitionSpec(*partitions, unreduced=unreduced, reduced=reduced)


P = PartitionSpec
P.__name__ = P.__qualname__ = "P"  # as JAX calls the class


def names_of(entry) -> tuple:
    """Return the mesh axes of one entry of a spec."""
    if entry is None or entry is PartitionSpec.UNCONSTRAINED:
        return ()
    return entry if isinstance(entry, tuple) else (entry,)


class _Axes:
    """The base of concrete and abstract meshes: axes with names, sizes and types."""

    axis_names: tuple
    axis_sizes: tuple[int, ...]
    axis_types: tuple[AxisType, ...]

    @property
    def shape(self) -> OrderedDict:
        """Return the sizes of the axes by name."""
        return OrderedDict(self.shape_tuple)

    @property
    def shape_tuple(self) -> tuple:
        """Return (name, size) pairs."""
        return tuple(zip(self.axis_names, self.axis_sizes))

    @property
    def size(self) -> int:
        """Return the number of devices."""
        return prod(self.axis_sizes) if self.axis_sizes else 0

    @property
    def empty(self) -> bool:
        """Return whether the mesh has no axes."""
        return not self.axis_names

    def _of_type(self, kind: AxisType) -> tuple:
        return tuple([n for n, t in zip(self.axis_names, self.axis_types) if t is kind])

    auto_axes = property(lambda self: self._of_type(AxisType.Auto), doc="Return the names of the axes of type Auto.")
    explicit_axes = property(
        lambda self: self._of_type(AxisType.Explicit), doc="Return the names of the axes of type Explicit."
    )
    manual_axes = property(
        lambda self: self._of_type(AxisType.Manual), doc="Return the names of the axes of type Manual."
    )

    def _all(self, kind: AxisType) -> bool:
        return bool(self.axis_types) and all(t is kind for t in self.axis_types)

    are_all_axes_auto = property(
        lambda self: self._all(AxisType.Auto), doc="Return whether there are axes, all of type Auto."
    )
    are_all_axes_explicit = property(
        lambda self: self._all(AxisType.Explicit), doc="Return whether there are axes, all of type Explicit."
    )
    are_all_axes_manual = property(
        lambda self: self._all(AxisType.Manual), doc="Return whether there are axes, all of type Manual."
    )

    def _inside(self) -> str:
        return ", ".join([*[f"'{n}': {s}" for n, s in self.shape_tuple], f"axis_types={_types_text(self)}"])


def _types_text(mesh) -> str:
    types = mesh.axis_types
    return f"({types[0]!r},)" if len(types) == 1 else f"({', '.join(map(repr, types))})"


def _axis_types(given, names: tuple, default=AxisType.Auto) -> tuple[AxisType, ...]:
    if given is None:
        return (default,) * len(names)
    types = (given,) if isinstance(given, (AxisType, str)) else tuple(given)
    if wrong := [t for t in types if not isinstance(t, AxisType)]:
        raise TypeError(
            message(
                f"axis_types passed to Mesh must be of type `jax.sharding.AxisType`. Got {types} of type "
                f"{tuple(map(type, types))}",
                why=f"{wrong[0]!r} is no AxisType.", fix="axis_types=(AxisType.Explicit,) for one axis, say",
            )
        )
    if len(types) != len(names):
        raise ValueError(
            f"Number of axis names should match the number of axis_types. Got axis_names={names} and axis_types={types}"
        )
    return types


_meshes: dict[tuple, Mesh] = {}


class Mesh(_Axes):
    """An array of devices with named axes.

    Args:
      devices: an array of devices, an axis for each name.
      axis_names: the names.
      axis_types: an `AxisType` for each, all `Auto` by default.
    Raises:
      ValueError: the numbers of axes differ.

    >>> Mesh(np.array(devices()), ("x",))
    Mesh(axis_sizes=(1,), axis_names=('x',), axis_types=(Auto,))
    """

    devices: np.ndarray

    def __new__(cls, devices, axis_names, axis_types=None):
        grid = np.array(devices, dtype=object)
        names = (axis_names,) if isinstance(axis_names, str) else tuple(axis_names)
        if grid.ndim != len(names):
            raise ValueError(
                message(
                    "Mesh requires the ndim of its first argument (`devices`) to equal the length of its second "
                    f"argument (`axis_names`), but got devices.ndim == {grid.ndim} and len(axis_names) == "
                    f"{len(names)}.",
                    fix=f"a name for each axis: {tuple('xyzuvw'[:grid.ndim])}, or another shape of the devices",
                )
            )
        if None in names:
            raise ValueError(f"Mesh axis names cannot be None. Got: {names}")
        types = _axis_types(axis_types, names)
        key = (tuple(grid.flat), grid.shape, names, types)
        found = _meshes.get(key)
        if found is None:
            if wrong := [d for d in key[0] if isinstance(d, (int, float, str))]:
                raise AttributeError(
                    message(
                        f"{type(wrong[0]).__name__!r} object has no attribute 'id'",
                        why=f"A mesh is an array of devices, and {wrong[0]!r} is none.",
                        fix="Mesh(np.array(jax.devices()), ('x',))",
                    )
                )
            found = object.__new__(cls)
            grid.flags.writeable = False
            found.devices, found.axis_names, found.axis_types = grid, names, types
            found.axis_sizes = grid.shape
            found = _meshes.setdefault(key, found)
        return found

    @property
    def device_ids(self) -> np.ndarray:
        """Return the ids of the devices, in their places."""
        return np.array([d.id for d in self.devices.flat]).reshape(self.axis_sizes)

    @property
    def abstract_mesh(self) -> AbstractMesh:
        """Return the axes alone."""
        return _abstract(self)

    @property
    def local_mesh(self) -> Mesh:
        """Return the part of the mesh with the devices of this process."""
        if not self.is_multi_process:
            return self
        mine = np.array([is_here(d) for d in self.devices.flat]).reshape(self.axis_sizes)
        part = self.devices[tuple([slice(i.min(), i.max() + 1) for i in np.nonzero(mine)])]
        if part.size != mine.sum():
            raise ValueError("When passing host local inputs to a mesh, the devices of this process must be a block.")
        return Mesh(part, self.axis_names, self.axis_types)

    @property
    def local_devices(self) -> list[Device]:
        """Return the devices of this process."""
        return [d for d in self.devices.flat if is_here(d)]

    @property
    def is_multi_process(self) -> bool:
        """Return whether some devices are of other processes."""
        return here.count > 1 and len(self.local_devices) < self.devices.size

    is_scalar = property(lambda self: self.devices.ndim == 0, doc="Return whether the mesh is one device without axes.")

    def update(self, devices=None, axis_names=None, axis_types=None) -> Mesh:
        """Return the same with other devices, names or types.

        Args:
          devices: an array of devices; default, as before.
          axis_names: the name of each axis; default, as before.
          axis_types: an `AxisType` for each; default, as before.
        """
        return Mesh(
            self.devices if devices is None else devices, axis_names or self.axis_names,
            axis_types or self.axis_types,
        )

    def __enter__(self):
        if local.disallow_mesh_context_manager:
            raise RuntimeError("Mesh context manager is disabled.\n  Try: with jax.set_mesh(mesh):")
        warn(
            "`with mesh:` context manager has been deprecated. Please use `with jax.set_mesh(mesh):` instead.",
            DeprecationWarning,
        )
        context = _block_mesh(self)
        context.__enter__()
        _blocks.entered = (*_blocks.entered, context)
        return self

    def __exit__(self, *exception):
        *rest, context = _blocks.entered
        _blocks.entered = tuple(rest)
        context.__exit__(*exception)

    def __call__(self, fun):
        """Decorate a function: its calls are in a `with mesh:` block."""

        @functools.wraps(fun)
        def inside(*args, **kwargs):
            with self:
                return fun(*args, **kwargs)

        return inside

    def __reduce__(self):
        return Mesh, (self.devices, self.axis_names, self.axis_types)

    def __repr__(self):
        sizes = ", ".join([f"axis_sizes={tuple(self.axis_sizes)}", f"axis_names={self.axis_names}"])
        return f"Mesh({sizes}, axis_types={_types_text(self)})"

    def __str__(self):
        if not self.axis_names:
            return "Mesh()"
        # JAX parity: of axes with one name the last is shown
        sizes = ", ".join([f"'{n}': {s}" for n, s in self.shape.items()])
        return f"Mesh({sizes}, axis_types={_types_text(self)})"


class AbstractMesh(_Axes):
    """Named axes with sizes, without devices.

    Args:
      axis_sizes: the length of each axis.
      axis_names: the name of each.
      axis_types: an `AxisType` for each; default, all `Auto`.
      abstract_device: the kind of devices, if it is known.

    >>> AbstractMesh((2, 4), ("a", "b"))
    AbstractMesh('a': 2, 'b': 4, axis_types=(Auto, Auto))
    """

    def __init__(self, axis_sizes, axis_names, axis_types=None, *, abstract_device=None):
        self.axis_sizes, self.axis_names = tuple(axis_sizes), tuple(axis_names)
        self.axis_types = _axis_types(axis_types, self.axis_names)
        self.abstract_device = abstract_device

    @property
    def abstract_mesh(self) -> AbstractMesh:
        """Return the mesh itself."""
        return self

    @property
    def shape_tuple(self) -> tuple:
        """Return (name, size) pairs.

        Raises:
          ValueError: the mesh was made of more names than sizes, or fewer.
        """
        if len(self.axis_sizes) != len(self.axis_names):
            raise ValueError(
                message(
                    f"AbstractMesh has {len(self.axis_sizes)} axis_sizes and {len(self.axis_names)} axis_names.",
                    why=f"Got {self.axis_sizes} and {self.axis_names}.", fix='AbstractMesh((2, 4), ("x", "y"))',
                )
            )
        return super().shape_tuple

    def __getattr__(self, name: str):
        if name in ("devices", "device_ids", "is_multi_process", "local_devices", "local_mesh"):
            raise ValueError(f"AbstractMesh does not implement {name}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def update(self, axis_sizes=None, axis_names=None, axis_types=None, **_) -> AbstractMesh:
        """Return the same with other sizes, names or types.

        Args:
          axis_sizes: the length of each axis; default, as before.
          axis_names: the name of each; default, as before.
          axis_types: an `AxisType` for each; default, as before.
          _: fields of meshes with devices, which are ignored.
        """
        return AbstractMesh(
            axis_sizes or self.axis_sizes, axis_names or self.axis_names, axis_types or self.axis_types,
            abstract_device=self.abstract_device,
        )

    def update_axis_types(self, name_to_type: Mapping[Any, AxisType]) -> AbstractMesh:
        """Return the same with other types of some axes.

        Args:
          name_to_type: the new `AxisType` of an axis, by its name; names of no axis say nothing.
        Raises:
          TypeError: a type is no `AxisType`.

        >>> AbstractMesh((2, 4), ("x", "y")).update_axis_types({"x": AxisType.Explicit})
        AbstractMesh('x': 2, 'y': 4, axis_types=(Explicit, Auto))
        """
        given = dict(name_to_type)
        types = tuple([given.get(name, own) for name, own in zip(self.axis_names, self.axis_types)])
        return self if types == self.axis_types else self.update(axis_types=types)

    def _key(self):
        return self.axis_sizes, self.axis_names, self.axis_types

    def __eq__(self, other):
        return self is other or isinstance(other, AbstractMesh) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        if not self.axis_names:
            return "AbstractMesh((), axis_types=())"
        device = self.abstract_device
        of = "".join([f", {k}={getattr(device, k)}" for k in device._fields]) if device else ""
        return f"AbstractMesh({self._inside()}{of})"


@memoized(256)
def _abstract(mesh: Mesh) -> AbstractMesh:
    first = mesh.devices.flat[0] if mesh.devices.size and mesh.axis_names else None
    device = first and AbstractDevice(first.device_kind, None, first.platform)
    return AbstractMesh(mesh.axis_sizes, mesh.axis_names, mesh.axis_types, abstract_device=device)


EMPTY = Mesh(np.empty((), dtype=object), ())  # of no devices


# ---- the mesh in context -------------------------------------------------------------------------


class _Blocks(threading.local):
    entered: tuple = ()


_blocks = _Blocks()

# The mesh that specs are about, the one that results are on, and that of a `with mesh:` block.
named_mesh = make_user_context(None)
placing_mesh = make_user_context(None)
_block_mesh = make_user_context(None)


def context_mesh() -> Any:
    """Return the mesh that was set, or None."""
    return named_mesh.value


def entered_mesh() -> Any:
    """Return the mesh of the innermost `with mesh:` block, which `pjit` and constraints know; None outside of any."""
    return _block_mesh.value


class set_mesh:
    """Make `mesh` the one that specs are about, and that results are on: for good, or in a `with` block.

    Arrays that are made, and results of operands that were not put on a device, are copied to all its devices.

    Args:
      mesh: a `Mesh`; None for none.

    >>> with set_mesh(make_mesh((1,), ("x",))):
    ...     get_mesh().axis_names
    ('x',)
    """

    _kinds: tuple[type, ...] = (Mesh,)

    def __init__(self, mesh: Mesh | None):
        if mesh is None and type(self) is set_mesh:
            mesh = EMPTY
        if not isinstance(mesh, self._kinds):
            raise ValueError(
                message(
                    f"Expected mesh of type `jax.sharding.{self._kinds[0].__name__}`. Got {type(mesh)}",
                    fix="jax.sharding.use_abstract_mesh(mesh)" if isinstance(mesh, AbstractMesh) else
                    "jax.make_mesh((8,), ('x',))",
                )
            )
        if type(self) is set_mesh and state.trace is not state.bottom:
            raise ValueError(
                message(
                    "`set_mesh` can only be used outside of `jax.jit`.",
                    why="A program that is traced runs on one mesh.",
                    fix="with jax.set_mesh(mesh): around the call, or jax.sharding.use_abstract_mesh(...) inside",
                )
            )
        self._contexts = named_mesh(mesh), placing_mesh(mesh if isinstance(mesh, Mesh) and mesh.axis_names else None)
        if type(self) is set_mesh:
            self._enter()

    def _enter(self) -> None:
        for context in self._contexts:
            context.__enter__()

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exception):
        for context in reversed(self._contexts):
            context.__exit__(*exception)


class use_abstract_mesh(set_mesh):
    """Make a mesh, which may be without devices, the one that specs are about, in a `with` block.

    Args:
      mesh: an `AbstractMesh` or a `Mesh`.

    >>> with use_abstract_mesh(AbstractMesh((2,), ("x",))):
    ...     get_abstract_mesh().axis_names
    ('x',)
    """

    _kinds = (AbstractMesh, Mesh)

    def __enter__(self) -> None:
        self._enter()


def get_mesh() -> Mesh:
    """Return the mesh that was set, or one without axes.

    Returns:
      A `Mesh`; its `empty` is True without a mesh.
    Raises:
      ValueError: a program is traced.

    >>> get_mesh().empty
    True
    """
    if state.trace is not state.bottom:
        raise ValueError(
            message(
                "`get_mesh` can only be used outside of `jax.jit`. Maybe you want `jax.sharding.get_abstract_mesh()`?",
                why="A program that is traced knows the axes of the mesh and not its devices.",
                fix="jax.sharding.get_abstract_mesh()",
            )
        )
    return context_mesh() if isinstance(context_mesh(), Mesh) else EMPTY


def get_abstract_mesh() -> AbstractMesh:
    """Return the axes of the mesh that was set, or none.

    Returns:
      An `AbstractMesh`; its `empty` is True without a mesh.

    >>> with set_mesh(make_mesh((1,), ("x",))):
    ...     get_abstract_mesh().axis_names
    ('x',)
    """
    return (EMPTY if context_mesh() is None else context_mesh()).abstract_mesh


def make_mesh(
    axis_shapes: Sequence[int], axis_names: Sequence[str], axis_types: Any = None, *,
    devices: Sequence[Device] | None = None,
) -> Mesh:
    """Make a mesh of this shape over the first devices.

    Args:
      axis_shapes: the number of devices along each axis.
      axis_names: a name for each axis.
      axis_types: an `AxisType` for each axis, all `Explicit` by default.
      devices: those to use, all by default.
    Returns:
      A `Mesh`, for `NamedSharding`, `set_mesh` and `shard_map`.
    Raises:
      ValueError: there are fewer devices than the mesh needs.

    >>> dict(make_mesh((1,), ("x",)).shape)
    {'x': 1}
    """
    found = list(default_devices() if devices is None else devices)
    needed = prod(axis_shapes)
    if len(found) < needed:
        raise ValueError(
            message(
                f"Number of devices {len(found)} must be >= the product of mesh_shape {tuple(axis_shapes)}",
                fix=f"XLA_FLAGS=--xla_force_host_platform_device_count={needed} in the environment, or "
                f"config.update('jax_num_cpu_devices', {needed}) at the start, for virtual CPU devices",
            )
        )
    grid = np.array(found[:needed], dtype=object).reshape(tuple(axis_shapes))
    names = (axis_names,) if isinstance(axis_names, str) else tuple(axis_names)
    return Mesh(grid, axis_names, _axis_types(axis_types, names, AxisType.Explicit))
