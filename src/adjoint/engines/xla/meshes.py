"""Meshes and shardings as Shardy's attributes in a module's text.

A module that runs on several devices numbers them by their place in its first mesh. Further meshes over the same
devices are declared beside it; one in another order says so.

Tests: `tests/parallel/test_sharding.py`.
"""

from __future__ import annotations

import re

import numpy as np

from ...core.types import ShapedArray
from ...sharding.mesh import Mesh, PartitionSpec, names_of
from ...sharding.named_sharding import NamedSharding

__all__ = ["EMPTY_MESH", "Meshes", "axis_texts", "on_one_device"]

EMPTY_MESH = "  sdy.mesh @empty_mesh = <[]> {stablehlo.mesh = {axes = []}}"  # of values on one device


def on_one_device(aval: ShapedArray) -> str:
    """Return the attribute of an operand or result that is on one device."""
    return f"sdy.sharding = #sdy.sharding<@empty_mesh, [{', '.join(['{}'] * aval.ndim)}]>"


class Meshes:
    """The meshes of a module, by the names they have in its text."""

    def __init__(self, first):
        self.first = first
        self.names: dict[tuple, str] = {}
        self.lines: list[str] = []
        self.name(first)

    @property
    def size(self) -> int:
        return self.first.size

    def name(self, mesh) -> str:
        """Return the name of a mesh; it is declared the first time."""
        order = self.order(mesh)
        key = tuple(mesh.axis_names), tuple(mesh.axis_sizes), order
        found = self.names.get(key)
        if found is None:
            found = self.names[key] = f"mesh_{len(self.names)}" if self.names else "mesh"
            pairs = [*zip(axis_texts(mesh), mesh.axis_sizes)]
            axes = ", ".join([f'"{a}"={n}' for a, n in pairs])
            known = ", ".join([f'{{name = "{a}", size = {n} : i64}}' for a, n in pairs])
            ids = "" if order == tuple(range(self.size)) else f", device_ids={list(order)}"
            self.lines.append(f"  sdy.mesh @{found} = <[{axes}]{ids}> {{stablehlo.mesh = {{axes = [{known}]}}}}")
        return found

    def order(self, mesh) -> tuple[int, ...]:
        """Return the numbers of a mesh's devices, in its own order."""
        if mesh is self.first or not isinstance(mesh, Mesh) or not isinstance(self.first, Mesh):
            return tuple(range(self.size))
        number = {d: i for i, d in enumerate(self.first.devices.flat)}
        return tuple([number[d] for d in mesh.devices.flat])

    def name_of_one(self, number: int) -> str:
        """Return the name of the mesh of one device alone; it is declared the first time."""
        found = f"maximal_mesh_{number}"
        line = (f"  sdy.mesh @{found} = <[], device_ids=[{number}]> {{stablehlo.mesh = {{axes = [], "
                f"device_ids = dense<{number}> : tensor<1xi64>}}}}")
        if line not in self.lines:
            self.lines.append(line)
        return found

    def number(self, device) -> int:
        """Return the number of a device; ValueError for one that is not there."""
        return [*self.first.devices.flat].index(device)

    def numbers(self, mesh) -> np.ndarray:
        """Return the numbers of a mesh's devices in their places."""
        return np.array(self.order(mesh)).reshape(mesh.axis_sizes)

    def sharding(self, mesh, spec, aval: ShapedArray, manual: frozenset = frozenset(), is_open: bool = False,
                 closed: tuple = ()) -> str:
        """`<@mesh, [{"x"}, {}]>`; axes of `manual` are left out.

        If it `is_open`, the compiler may divide more, but not along the axes `closed`.
        """
        text = dict(zip(mesh.axis_names, axis_texts(mesh)))
        entries = []
        for d in range(aval.ndim):
            entry = spec[d] if d < len(spec) else None
            found = [f'"{text[n]}"' for n in names_of(entry) if n not in manual]
            if is_open or entry is PartitionSpec.UNCONSTRAINED:
                found.append("?")
            entries.append("{" + ", ".join(found) + "}")
        names = [f'"{text[n]}"' for n in closed]
        replicated = f", replicated={{{', '.join(names)}}}" if names else ""
        return f"<@{self.name(mesh)}, [{', '.join(entries)}]{replicated}>"

    def attribute(self, sharding: NamedSharding, aval: ShapedArray) -> str:
        """Return the attribute of an operand or result of the module."""
        return f"sdy.sharding = #sdy.sharding{self.sharding(sharding.mesh, sharding.spec, aval)}"


def axis_texts(mesh) -> list[str]:
    """Return names of a mesh's axes in the text, where they are strings."""
    texts = [n if isinstance(n, str) and re.fullmatch(r"\w+", n) else f"axis{i}"
             for i, n in enumerate(mesh.axis_names)]
    return texts if len(set(texts)) == len(texts) else [f"axis{i}" for i in range(len(texts))]
