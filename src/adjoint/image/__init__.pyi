# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
from collections.abc import Sequence
from enum import Enum
from typing import Any
class ResizeMethod(Enum):
    """The kernel around each place: how much an element gives to a result at some distance from it.

    >>> ResizeMethod.from_string("bilinear")
    <ResizeMethod.LINEAR: 1>
    """
    NEAREST = 0
    LINEAR = 1
    LANCZOS3 = 2
    LANCZOS5 = 3
    CUBIC = 4
    CUBIC_PYTORCH = 5
    AREA = 6
def resize(image: ArrayLike, shape: Sequence[int], method: str | ResizeMethod, antialias: bool = True, precision: Any = ...) -> Array:
    """Return the image with other lengths of axes, resampled.

    Args:
      image: an array of any number of axes.
      shape: the lengths of all axes of the result; axes that keep theirs are left alone.
      method: a `ResizeMethod` or its name. ``"nearest"`` takes one element for each; ``"linear"``, ``"cubic"`` (Keys),
        ``"lanczos3"`` and ``"lanczos5"`` interpolate; ``"cubic-pytorch"`` is PyTorch's; ``"area"`` averages the part
        of the image that an element of the result covers.
      antialias: widen the kernel along axes that shrink.
      precision: of the contraction.
    Returns:
      The image in the shape, of a float dtype unless the method is ``"nearest"``.
    Raises:
      ValueError: the method is not known, or `shape` has another number of axes.

    >>> resize(jnp.array([0., 4.]), (4,), "linear")
    Array([0., 1., 3., 4.], dtype=float32)
    """
def scale_and_translate(image: ArrayLike, shape: Sequence[int], spatial_dims: Sequence[int], scale: ArrayLike, translation: Any, method: str | ResizeMethod, antialias: bool = True, precision: Any = ...) -> Array:
    """Return the image scaled and moved: what is at x goes to ``x * scale + translation``.

    Args:
      image: an array of any number of axes; elements have their centres at halves.
      shape: the lengths of all axes of the result.
      spatial_dims: the K axes that are resampled; the others keep their lengths.
      scale, translation: float ``[K]``, one number an axis; both can be differentiated.
      method: a `ResizeMethod` or its name, as in `resize`; not ``"nearest"``.
      antialias: widen the kernel along axes that shrink.
      precision: of the contraction.
    Returns:
      The image of a float dtype in the shape; 0 where it would be from outside.
    Raises:
      ValueError: the method is ``"nearest"`` or not known, or `shape` has another number of axes.

    >>> scale_and_translate(jnp.array([1., 2., 3.]), (3,), (0,), jnp.array([1.]), jnp.array([1.]), "linear")
    Array([0., 1., 2.], dtype=float32)
    """
