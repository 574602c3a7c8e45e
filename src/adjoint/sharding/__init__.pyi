# Written by stubs/generate.py; do not edit.
from adjoint import Device
from adjoint import set_mesh as _set_mesh
from collections import OrderedDict
from collections.abc import Mapping
from enum import Enum
import numpy as _np
from typing import Any
from typing import NamedTuple
class AbstractDevice(NamedTuple):
    """The kind and number of cores of devices that are not there, for abstract meshes.

    Args:
      device_kind: the name of the kind.
      num_cores: how many cores a device has.
      platform: the name of the platform.

    >>> AbstractDevice(device_kind='cpu', num_cores=None, platform='cpu').platform
    'cpu'
    """
    device_kind: str
    num_cores: int | None
    platform: str
class AbstractMesh:
    """Named axes with sizes, without devices.

    Args:
      axis_sizes: the length of each axis.
      axis_names: the name of each.
      axis_types: an `AxisType` for each; default, all `Auto`.
      abstract_device: the kind of devices, if it is known.

    >>> AbstractMesh((2, 4), ("a", "b"))
    AbstractMesh('a': 2, 'b': 4, axis_types=(Auto, Auto))
    """
    def __init__(self, axis_sizes: Any, axis_names: Any, axis_types: Any = None, *, abstract_device: Any = None) -> None: ...
    @property
    def abstract_mesh(self) -> AbstractMesh:
        """Return the mesh itself."""
    @property
    def shape_tuple(self) -> tuple[Any, ...]:
        """Return (name, size) pairs.

        Raises:
          ValueError: the mesh was made of more names than sizes, or fewer.
        """
    def __getattr__(self, name: str) -> Any: ...
    def update(self, axis_sizes: Any = None, axis_names: Any = None, axis_types: Any = None, **_: Any) -> AbstractMesh:
        """Return the same with other sizes, names or types.

        Args:
          axis_sizes: the length of each axis; default, as before.
          axis_names: the name of each; default, as before.
          axis_types: an `AxisType` for each; default, as before.
          _: fields of meshes with devices, which are ignored.
        """
    def update_axis_types(self, name_to_type: Mapping[Any, AxisType]) -> AbstractMesh:
        """Return the same with other types of some axes.

        Args:
          name_to_type: the new `AxisType` of an axis, by its name; names of no axis say nothing.
        Raises:
          TypeError: a type is no `AxisType`.

        >>> AbstractMesh((2, 4), ("x", "y")).update_axis_types({"x": AxisType.Explicit})
        AbstractMesh('x': 2, 'y': 4, axis_types=(Explicit, Auto))
        """
    axis_names: tuple[Any, ...]
    axis_sizes: tuple[int, ...]
    axis_types: tuple[AxisType, ...]
    @property
    def shape(self) -> OrderedDict[Any, Any]:
        """Return the sizes of the axes by name."""
    @property
    def size(self) -> int:
        """Return the number of devices."""
    @property
    def empty(self) -> bool:
        """Return whether the mesh has no axes."""
    @property
    def auto_axes(self) -> Any:
        """Return the names of the axes of type Auto."""
    @property
    def explicit_axes(self) -> Any:
        """Return the names of the axes of type Explicit."""
    @property
    def manual_axes(self) -> Any:
        """Return the names of the axes of type Manual."""
    @property
    def are_all_axes_auto(self) -> Any:
        """Return whether there are axes, all of type Auto."""
    @property
    def are_all_axes_explicit(self) -> Any:
        """Return whether there are axes, all of type Explicit."""
    @property
    def are_all_axes_manual(self) -> Any:
        """Return whether there are axes, all of type Manual."""
class AxisType(Enum):
    """The part that decides how arrays are divided over a mesh axis: the compiler, the types, or the program.

    >>> adjoint.make_mesh((1,), ('x',), axis_types=(AxisType.Auto,)).axis_types
    (Auto,)
    """
    Auto = 1
    Explicit = 2
    Manual = 3
class ManualAxisType(NamedTuple):
    """Along which manual mesh axes a value varies between devices, or is yet to be summed, or was.

    Args:
      varying: mesh axes along which the value varies.
      unreduced: mesh axes over which it is yet to be summed.
      reduced: mesh axes over which it was summed.

    >>> sorted(ManualAxisType(varying=frozenset({'x', 'y'})).varying)
    ['x', 'y']
    """
    varying: frozenset[Any]
    unreduced: frozenset[Any]
    reduced: frozenset[Any]
class Mesh:
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
    def __init__(self, devices: Any, axis_names: Any, axis_types: Any = None) -> None: ...
    devices: _np.ndarray[Any, Any]
    @property
    def device_ids(self) -> _np.ndarray[Any, Any]:
        """Return the ids of the devices, in their places."""
    @property
    def abstract_mesh(self) -> AbstractMesh:
        """Return the axes alone."""
    @property
    def local_mesh(self) -> Mesh:
        """Return the part of the mesh with the devices of this process."""
    @property
    def local_devices(self) -> list[Device]:
        """Return the devices of this process."""
    @property
    def is_multi_process(self) -> bool:
        """Return whether some devices are of other processes."""
    @property
    def is_scalar(self) -> Any:
        """Return whether the mesh is one device without axes."""
    def update(self, devices: Any = None, axis_names: Any = None, axis_types: Any = None) -> Mesh:
        """Return the same with other devices, names or types.

        Args:
          devices: an array of devices; default, as before.
          axis_names: the name of each axis; default, as before.
          axis_types: an `AxisType` for each; default, as before.
        """
    def __enter__(self) -> Any: ...
    def __exit__(self, *exception: Any) -> None: ...
    def __call__(self, fun: Any) -> Any: ...
    axis_names: tuple[Any, ...]
    axis_sizes: tuple[int, ...]
    axis_types: tuple[AxisType, ...]
    @property
    def shape(self) -> OrderedDict[Any, Any]:
        """Return the sizes of the axes by name."""
    @property
    def shape_tuple(self) -> tuple[Any, ...]:
        """Return (name, size) pairs."""
    @property
    def size(self) -> int:
        """Return the number of devices."""
    @property
    def empty(self) -> bool:
        """Return whether the mesh has no axes."""
    @property
    def auto_axes(self) -> Any:
        """Return the names of the axes of type Auto."""
    @property
    def explicit_axes(self) -> Any:
        """Return the names of the axes of type Explicit."""
    @property
    def manual_axes(self) -> Any:
        """Return the names of the axes of type Manual."""
    @property
    def are_all_axes_auto(self) -> Any:
        """Return whether there are axes, all of type Auto."""
    @property
    def are_all_axes_explicit(self) -> Any:
        """Return whether there are axes, all of type Explicit."""
    @property
    def are_all_axes_manual(self) -> Any:
        """Return whether there are axes, all of type Manual."""
from adjoint import NamedSharding as NamedSharding
from adjoint import P as _PartitionSpec
PartitionSpec = _PartitionSpec
class Sharding:
    """The layout of an array over devices.

    >>> isinstance(jnp.ones(2).sharding, Sharding)
    True
    """
    ...
class SingleDeviceSharding(Sharding):
    """An array is whole on one device.

    Args:
      device: the device.
      memory_kind: "device" (default) or "pinned_host".

    >>> adjoint.device_put(jnp.ones(2), SingleDeviceSharding(adjoint.devices()[0])).sharding.num_devices
    1
    """
    def __init__(self, device: Any, *, memory_kind: str | None = None) -> None: ...
    @property
    def device_set(self) -> set[Device]:
        """Return the set of the one device."""
    @property
    def num_devices(self) -> int:
        """Return 1."""
    is_fully_replicated: Any
    @property
    def is_fully_addressable(self) -> Any:
        """Return whether the device is of this process."""
    @property
    def has_addressable_devices(self) -> Any:
        """Return whether the device is of this process."""
    @property
    def addressable_devices(self) -> set[Device]:
        """Return the device if it is of this process, as a set."""
    def shard_shape(self, global_shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the shape of the part on the device: the whole.

        Args:
          global_shape: the shape of an array.
        """
    def devices_indices_map(self, global_shape: tuple[int, ...]) -> dict[Any, Any]:
        """Return the part of an array that the device holds: all of it.

        Args:
          global_shape: the shape of the array.
        """
    def addressable_devices_indices_map(self, global_shape: tuple[int, ...]) -> dict[Any, Any]:
        """Return the same if the device is of this process, else an empty dict.

        Args:
          global_shape: the shape of the array.
        """
    def check_compatible_aval(self, aval_shape: tuple[int, ...]) -> None:
        """Return accept every shape: any array fits on one device.

        Args:
          aval_shape: the shape of an array.
        """
    def with_memory_kind(self, kind: str) -> SingleDeviceSharding:
        """Return the same in another memory.

        Args:
          kind: "device" or "pinned_host".
        """
    def is_equivalent_to(self, other: Any, ndim: int) -> bool:
        """Return whether arrays are on the same device in the same memory.

        Args:
          other: a sharding.
          ndim: how many axes the arrays have.
        """
def auto_axes(f: Any = None, /, *, axes: Any = None, out_sharding: Any = None) -> Any:
    """Let the compiler divide what a function computes over mesh axes that are explicit outside of it.

    Args:
      f: a function of arrays or trees of them; without it, a decorator is returned.
      axes: the names of the mesh axes; default all.
      out_sharding: how the results are divided outside: a sharding, a spec, or a prefix tree of the results. Specs
        are for the mesh that is set; without one the function is called as it is.
    Returns:
      A function of the same arguments and results.
    Raises:
      TypeError: under a mesh with explicit axes, `out_sharding` is not given.
      ValueError: `out_sharding` names an axis that the mesh has not, or one axis twice.

    >>> with set_mesh(make_mesh((1,), ("x",))):
    ...     typeof(auto_axes(lambda x: x * 2, out_sharding=P("x"))(jnp.ones(2)))
    ShapedArray(float32[2@x])
    """
def explicit_axes(f: Any = None, /, *, axes: Any = None, in_sharding: Any = None) -> Any:
    """Make mesh axes explicit inside of a function: types of arrays say how they are divided.

    Args:
      f: a function of arrays or trees of them; without it, a decorator is returned.
      axes: the names of the mesh axes; default all.
      in_sharding: how the operands are divided inside: a sharding, a spec, or a prefix tree of the arguments.
    Returns:
      A function of the same arguments and results.
    Raises:
      ValueError: no mesh is set, when the function is called.

    >>> with set_mesh(make_mesh((1,), ("x",), axis_types=(AxisType.Auto,))):
    ...     explicit_axes(lambda x: (print(typeof(x)), x * 2)[1], in_sharding=P("x"))(jnp.ones(2))
    float32[2@x]
    Array([2., 2.], dtype=float32)
    """
def get_abstract_mesh() -> AbstractMesh:
    """Return the axes of the mesh that was set, or none.

    Returns:
      An `AbstractMesh`; its `empty` is True without a mesh.

    >>> with set_mesh(make_mesh((1,), ("x",))):
    ...     get_abstract_mesh().axis_names
    ('x',)
    """
def get_mesh() -> Mesh:
    """Return the mesh that was set, or one without axes.

    Returns:
      A `Mesh`; its `empty` is True without a mesh.
    Raises:
      ValueError: a program is traced.

    >>> get_mesh().empty
    True
    """
def make_single_device_sharding(device: Device, *, memory_kind: str | None = None) -> SingleDeviceSharding:
    """Return the sharding of an array that is whole on one device.

    Args:
      device: the device.
      memory_kind: "device" or "pinned_host"; None for the default.
    Returns:
      A `SingleDeviceSharding`.
    Raises:
      ValueError: the device has no memory of that kind.

    >>> make_single_device_sharding(devices()[0])
    SingleDeviceSharding(device=CpuDevice(id=0), memory_kind=device)
    """
from adjoint import reshard as reshard
from adjoint import set_mesh as set_mesh
class use_abstract_mesh(_set_mesh):
    """Make a mesh, which may be without devices, the one that specs are about, in a `with` block.

    Args:
      mesh: an `AbstractMesh` or a `Mesh`.

    >>> with use_abstract_mesh(AbstractMesh((2,), ("x",))):
    ...     get_abstract_mesh().axis_names
    ('x',)
    """
    def __enter__(self) -> None: ...
