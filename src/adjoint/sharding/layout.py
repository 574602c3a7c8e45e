"""`Layout` and `Format`: the order of an array's axes in memory, and with it the place.

Tests: `tests/transforms/test_stages.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ..core.messages.errors import JaxRuntimeError, message
from .device import Sharding

__all__ = ["Format", "Layout", "arranged", "layout_of_buffer"]


class _Auto:
    def __repr__(self):
        return "AUTO"


@dataclass(frozen=True)
class Layout:
    """The axes from the slowest to the fastest in memory; tiles and packed elements are accelerators'.

    Args:
      major_to_minor: the axes, the slowest first.
      tiling: tiles of axes, of accelerators.
      sub_byte_element_size_in_bits: of elements that are packed, of accelerators.

    >>> Layout((1, 0))
    Layout(major_to_minor=(1, 0), tiling=None, sub_byte_element_size_in_bits=0)
    """

    AUTO: ClassVar[Any] = _Auto()

    major_to_minor: tuple[int, ...]
    tiling: tuple[tuple[int, ...], ...] | None = None
    sub_byte_element_size_in_bits: int = 0

    def __post_init__(self):
        object.__setattr__(self, "major_to_minor", tuple(self.major_to_minor))
        if self.tiling is not None:
            object.__setattr__(self, "tiling", tuple(map(tuple, self.tiling)))

    def update(self, **changes) -> Layout:
        """Return a copy with some fields replaced.

        >>> Layout((0, 1)).update(major_to_minor=(1, 0)).major_to_minor
        (1, 0)
        """
        return replace(self, **changes)

    def check_compatible_aval(self, shape: tuple[int, ...]) -> None:
        """Raise ValueError unless the layout is one of arrays of this shape.

        >>> Layout((1, 0)).check_compatible_aval((2, 3))
        """
        if len(self.major_to_minor) != len(shape):
            raise ValueError(
                message(
                    f"Length of major_to_minor and the rank of the value should match. Got major_to_minor="
                    f"{self.major_to_minor} and shape={tuple(shape)}",
                    fix=f"Layout({tuple(range(len(shape)))})",
                )
            )


class Format:
    """A layout and a sharding; None leaves either as it is.

    Args:
      layout: a `Layout`.
      sharding: a `Sharding`.

    >>> Format(Layout((1, 0)), jax.sharding.SingleDeviceSharding(jax.devices()[0])).layout
    Layout(major_to_minor=(1, 0), tiling=None, sub_byte_element_size_in_bits=0)
    """

    __slots__ = ("layout", "sharding")

    def __init__(self, layout: Any = None, sharding: Any = None):
        is_concrete = isinstance(layout, Layout)
        if not is_concrete and layout is not None and layout is not Layout.AUTO:
            raise TypeError(
                message(
                    "Invalid value received for the layout argument. Expected values are `None`, `Layout.AUTO` or an "
                    f"instance of `Layout`. Got {layout} of type {type(layout)}",
                    fix="Format(Layout((0, 1)), sharding)",
                )
            )
        if sharding is not None and not isinstance(sharding, Sharding):
            raise TypeError(
                message(
                    "Invalid value received for the sharding argument. Expected values are `None` or an instance of "
                    f"`jax.Sharding`. Got {sharding} of type {type(sharding)}",
                    fix="NamedSharding(mesh, spec)",
                )
            )
        if is_concrete and sharding is None:
            raise ValueError(
                message(
                    f"Sharding has to be concrete when layout is of type {type(layout)}. Please pass a "
                    "`jax.sharding.NamedSharding` or `jax.sharding.SingleDeviceSharding` to the sharding argument. "
                    f"Got sharding {sharding}",
                    fix="Format(layout, SingleDeviceSharding(jax.devices()[0]))",
                )
            )
        self.layout = layout
        self.sharding = sharding

    def __eq__(self, other):
        return isinstance(other, Format) and (self.layout, self.sharding) == (other.layout, other.sharding)

    def __hash__(self):
        return hash((self.layout, self.sharding))

    def __repr__(self):
        return f"Format(layout={self.layout}, sharding={self.sharding})"


def layout_of_buffer(buffer) -> Layout:
    """Return the layout of a NumPy buffer."""
    strides = np.asarray(buffer).strides
    return Layout(tuple(sorted(range(len(strides)), key=lambda d: -abs(strides[d]))), ())


def check_order(layout: Layout, aval) -> None:
    """Raise JaxRuntimeError if the layout of an array of this type names an axis twice, or one that is not there."""
    order = layout.major_to_minor
    if sorted(order) == list(range(aval.ndim)):
        return
    what = "out-of-bounds value" if any([not 0 <= d < aval.ndim for d in order]) else "duplicate values"
    fastest_first = "{" + ", ".join(map(str, reversed(order))) + "}"
    raise JaxRuntimeError(
        message(
            f"INVALID_ARGUMENT: layout minor_to_major field has {what}: {fastest_first}; shape: "
            f"{aval.str_short(short_dtypes=True)}",
            why="A layout has each axis once, from the slowest in memory to the fastest.",
            fix=f"Layout({tuple(range(aval.ndim))})",
        )
    )


def arranged(buffer, layout: Layout):
    """Return a buffer of the same values with this layout: itself if it has it."""
    order = layout.major_to_minor
    if layout_of_buffer(buffer).major_to_minor == order:
        return buffer
    return np.ascontiguousarray(np.transpose(buffer, order)).transpose(np.argsort(order))
