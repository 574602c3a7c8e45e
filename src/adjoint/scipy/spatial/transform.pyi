# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
from adjoint.typing import DTypeLike
from collections.abc import Sequence
from typing import Any
from typing import NamedTuple
class Rotation(NamedTuple):
    """Rotations, by their quaternions `[4]` or `[n, 4]`, which are taken as they are.

    Args:
      quat: float `[4]` or `[n, 4]`, (x, y, z, w), of length 1.

    >>> Rotation.from_euler("z", jnp.array(90.), degrees=True).apply(jnp.array([1., 0., 0.])).round(3)
    Array([0., 1., 0.], dtype=float32)
    """
    quat: Array
    @classmethod
    def concatenate(cls, rotations: Sequence[Any]) -> Rotation:
        """Return the rotations of several objects as one.

        Args:
          rotations: a list of `Rotation` objects with an axis.
        """
    @classmethod
    def from_euler(cls, seq: str, angles: Any, degrees: bool = False) -> Rotation:
        """Make rotations from turns around axes, one after another.

        Args:
          seq: up to three of "xyz", fixed in space, or "XYZ", fixed to the body.
          angles: `[k]` or `[n, k]` for k axes; of one axis also a scalar or `[n]`.
          degrees: instead of radians.
        Raises:
          ValueError: the axes are others, or not as many as angles.
        """
    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> Rotation:
        """Return rotations from orthogonal matrices.

        Args:
          matrix: float `[3, 3]` or `[n, 3, 3]`.
        """
    @classmethod
    def from_mrp(cls, mrp: Any) -> Rotation:
        """Return rotations from modified Rodrigues parameters: the axis, times the tangent of a quarter of the angle.

        Args:
          mrp: float `[3]` or `[n, 3]`.
        """
    @classmethod
    def from_quat(cls, quat: Any) -> Rotation:
        """Return rotations from quaternions, which are normalized.

        Args:
          quat: float `[4]` or `[n, 4]`, (x, y, z, w).
        """
    @classmethod
    def from_rotvec(cls, rotvec: Any, degrees: bool = False) -> Rotation:
        """Return rotations from rotation vectors: the axis, times the angle.

        Args:
          rotvec: float `[3]` or `[n, 3]`.
          degrees: angles are in degrees, not radians.
        """
    @classmethod
    def identity(cls, num: int | None = None, dtype: DTypeLike | None = ...) -> Rotation:
        """Return the rotation that turns nothing, or several of them.

        Args:
          num: how many; default, one without an axis.
          dtype: of the quaternions.
        """
    @classmethod
    def random(cls, random_key: Any, num: int | None = None) -> Rotation:
        """Return rotations that are distributed uniformly.

        Args:
          random_key: a key of random numbers.
          num: how many; default, one without an axis.
        """
    def apply(self, vectors: Any, inverse: bool = False) -> Array:
        """Return vectors, turned by each rotation.

        Args:
          vectors: `[3]` or `[n, 3]`.
          inverse: turn them back.
        """
    def as_euler(self, seq: str, degrees: bool = False) -> Array:
        """Return angles around three axes, `[3]` or `[n, 3]`; the third is 0 where the first and third coincide.

        Source: Bernardes and Viollet, "Quaternion to Euler angles conversion" (2022).

        Args:
          seq: three of "xyz", fixed in space, or "XYZ", fixed to the body.
          degrees: angles in degrees, not radians.
        Raises:
          ValueError: `seq` has not three letters.
        """
    def as_matrix(self) -> Array:
        """Return orthogonal matrices, `[..., 3, 3]`."""
    def as_mrp(self) -> Array:
        """Return modified Rodrigues parameters, of length at most 1."""
    def as_rotvec(self, degrees: bool = False) -> Array:
        """Return rotation vectors, `[3]` or `[n, 3]`, by angles up to pi.

        Args:
          degrees: angles in degrees, not radians.
        """
    def as_quat(self, canonical: bool = False, scalar_first: bool = False) -> Array:
        """Return the quaternions, `[4]` or `[n, 4]`.

        Args:
          canonical: with a real part that is not negative.
          scalar_first: (w, x, y, z) in the place of (x, y, z, w).
        """
    def inv(self) -> Rotation:
        """Return the inverse rotations."""
    def magnitude(self) -> Array:
        """Return the angles, from 0 to pi."""
    def mean(self, weights: Array | None = None) -> Rotation:
        """Return the rotation with the least sum of squared distances to these.

        Source: Markley et al., "Averaging quaternions" (2007).

        Args:
          weights: `[n]`, the weight of each rotation; default, all alike.
        """
    @property
    def single(self) -> bool:
        """Return whether this is one rotation, without an axis."""
class Slerp(NamedTuple):
    """Rotations between given ones, each turning around one axis with one speed; made by `Slerp.init`.

    >>> turns = Rotation.from_euler("z", jnp.array([0., 90.]), degrees=True)
    >>> Slerp.init(jnp.array([0., 1.]), turns)(0.5).magnitude().round(3)
    Array(0.785, dtype=float32)
    """
    times: Array
    timedelta: Array
    rotations: Rotation
    rotvecs: Array
    @classmethod
    def init(cls, times: Any, rotations: Rotation) -> Slerp:
        """Return rotations between given ones.

        Args:
          times: float `[n]`, increasing.
          rotations: n rotations.
        Raises:
          ValueError: there are fewer than two, or not as many times as rotations.
        """
