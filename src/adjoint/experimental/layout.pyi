# Written by stubs/generate.py; do not edit.
from typing import Any
from typing import ClassVar
class Format:
    """A layout and a sharding; None leaves either as it is.

    Args:
      layout: a `Layout`.
      sharding: a `Sharding`.

    >>> Format(Layout((1, 0)), jax.sharding.SingleDeviceSharding(jax.devices()[0])).layout
    Layout(major_to_minor=(1, 0), tiling=None, sub_byte_element_size_in_bits=0)
    """
    def __init__(self, layout: Any = None, sharding: Any = None) -> None: ...
    layout: Any
    sharding: Any
class Layout:
    """The axes from the slowest to the fastest in memory; tiles and packed elements are accelerators'.

    Args:
      major_to_minor: the axes, the slowest first.
      tiling: tiles of axes, of accelerators.
      sub_byte_element_size_in_bits: of elements that are packed, of accelerators.

    >>> Layout((1, 0))
    Layout(major_to_minor=(1, 0), tiling=None, sub_byte_element_size_in_bits=0)
    """
    def __init__(self, major_to_minor: tuple[int, ...], tiling: tuple[tuple[int, ...], ...] | None = None, sub_byte_element_size_in_bits: int = 0) -> None: ...
    AUTO: ClassVar[Any]
    major_to_minor: tuple[int, ...]
    tiling: tuple[tuple[int, ...], ...] | None
    sub_byte_element_size_in_bits: int
    def update(self, **changes: Any) -> Layout:
        """Return a copy with some fields replaced.

        >>> Layout((0, 1)).update(major_to_minor=(1, 0)).major_to_minor
        (1, 0)
        """
    def check_compatible_aval(self, shape: tuple[int, ...]) -> None:
        """Raise ValueError unless the layout is one of arrays of this shape.

        >>> Layout((1, 0)).check_compatible_aval((2, 3))
        """
def with_layout_constraint(x: Any, layouts: Any) -> Any:
    """Return the tree itself; inside `jit`, with its arrays laid out in memory as `layouts` says, if that helps the
    compiler.

    Args:
      x: a tree of arrays.
      layouts: a `Layout`, or a tree of them that is a prefix of `x`.
    Returns:
      The tree, with the same values.
    Raises:
      ValueError: there is a layout that is none, or that is of another number of axes than its array.
      JaxRuntimeError: it names an axis twice, or one that is not there.

    >>> with_layout_constraint(jnp.ones((1, 2)), Layout((1, 0)))
    Array([[1., 1.]], dtype=float32)
    """
