"""Meshes for tests."""

from __future__ import annotations

import contextlib
import functools
import math
import unittest
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ....core.options.config import config
from ....parallel.devices import devices
from ....sharding.mesh import AxisType, Mesh, set_mesh

__all__ = ["create_mesh", "request_cpu_devices", "with_explicit_mesh", "with_mesh", "with_mesh_from_kwargs"]


def create_mesh(
    mesh_shape: Sequence[int], axis_names: Sequence[str], iota_order: bool = False,
    axis_types: Sequence[AxisType] | None = None,
) -> Mesh:
    """Return a mesh of the first devices, its axes Auto by default; the test is skipped where they are too few.

    `iota_order` asks for the devices in their order, which they have in any case.
    """
    size, found = math.prod(mesh_shape), devices()
    if len(found) < size:
        raise unittest.SkipTest(f"Test requires {size} global devices and found {len(found)}.")
    types = (AxisType.Auto,) * len(mesh_shape) if axis_types is None else tuple(axis_types)
    return Mesh(np.asarray(found[:size]).reshape(mesh_shape), tuple(axis_names), axis_types=types)


def with_explicit_mesh(
    sizes: Sequence[int], names: Sequence[str], axis_types: Sequence[AxisType] | None = None, iota_order: bool = False,
) -> Callable:
    """Return a decorator of tests that run under a mesh, its axes Explicit by default, and get it as their last
    argument.
    """
    types = (AxisType.Explicit,) * len(names) if axis_types is None else axis_types

    def decorate(test):
        @functools.wraps(test)
        def within(*args, **kwargs):
            mesh = create_mesh(sizes, names, iota_order, types)
            with set_mesh(mesh):
                return test(*args, **kwargs, mesh=mesh)

        return within

    return decorate


@contextlib.contextmanager
def with_mesh(named_shape: Sequence[tuple[str, int]]) -> Iterator[None]:
    """Run a block under a mesh whose axes have names and sizes."""
    names, sizes = zip(*named_shape) if named_shape else ((), ())
    with create_mesh(sizes, names):
        yield


def with_mesh_from_kwargs(f: Callable) -> Callable:
    """Return a test that runs under the mesh that its argument `mesh` says, as `with_mesh`."""
    @functools.wraps(f)
    def within(*args: Any, **kwargs: Any):
        with with_mesh(kwargs["mesh"]):
            return f(*args, **kwargs)

    return within


def request_cpu_devices(nr_devices: int) -> None:
    """Have so many devices on the CPU, as long as no device is in use."""
    with contextlib.suppress(RuntimeError):
        if config.read("jax_num_cpu_devices") < nr_devices:
            config.update("jax_num_cpu_devices", nr_devices)
