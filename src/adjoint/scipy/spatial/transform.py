"""`adjoint.scipy.spatial.transform`: rotations of space, as unit quaternions, and their interpolation.

A quaternion is (x, y, z, w), w the real part. Rotations are trees of arrays, with or without a first axis that counts
them.

Tests: `tests/scipy/test_signals.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import lax
from ... import numpy as jnp
from ... import random as jrandom
from ...core.messages.boundaries import public
from ...core.messages.errors import message
from ...core.process.records import NamedTuple
from ...core.types import Array
from ...numpy.promotion import check_arraylike, promote_inexact

__all__ = ["Rotation", "Slerp"]


def _float(name: str, x) -> Array:
    return jnp.asarray(promote_inexact(name, jnp.asarray(x))[0])


def _normalized(q) -> Array:
    return q / jnp.linalg.norm(q, axis=-1, keepdims=True)


def _product(p, q) -> Array:
    p, q = jnp.broadcast_arrays(p, q)
    v, w, u, s = p[..., :3], p[..., 3:], q[..., :3], q[..., 3:]
    vector = w * u + s * v + jnp.cross(v, u)
    return jnp.concatenate([vector, w * s - jnp.sum(v * u, axis=-1, keepdims=True)], axis=-1)


def _from_rotvec(v) -> Array:
    square = jnp.sum(v * v, axis=-1, keepdims=True)
    small = square <= 1e-6
    angle = jnp.sqrt(jnp.where(small, 1, square))
    scale = jnp.where(small, 0.5 - square / 48 + square * square / 3840, jnp.sin(angle / 2) / angle)
    real = jnp.where(small, 1 - square / 8 + square * square / 384, jnp.cos(angle / 2))
    return jnp.concatenate([scale * v, real], axis=-1)


def _as_rotvec(q) -> Array:
    q = jnp.where(q[..., 3:] < 0, -q, q)
    square = jnp.sum(q[..., :3] ** 2, axis=-1, keepdims=True)
    small = square <= 1e-6
    length = jnp.sqrt(jnp.where(small, 1, square))
    angle = 2 * jnp.arctan2(length, q[..., 3:])
    scale = jnp.where(small, 2 + square / 3 + 3 * square * square / 20, angle / length)
    return scale * q[..., :3]


def _from_matrix(m) -> Array:
    """Convert by the largest of the four squares, which the diagonal gives."""
    diagonal = jnp.diagonal(m, axis1=-2, axis2=-1)
    trace = jnp.sum(diagonal, axis=-1, keepdims=True)
    choice = jnp.argmax(jnp.concatenate([diagonal, trace], axis=-1), axis=-1)[..., None]
    rows = []
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        row: list[Any] = [None] * 4
        row[i] = 1 - trace[..., 0] + 2 * m[..., i, i]
        row[j], row[k] = m[..., j, i] + m[..., i, j], m[..., k, i] + m[..., i, k]
        row[3] = m[..., k, j] - m[..., j, k]
        rows.append(jnp.stack(row, axis=-1))
    rows.append(jnp.stack([m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1],
                           1 + trace[..., 0]], axis=-1))
    out = rows[3]
    for i in range(3):
        out = jnp.where(choice == i, rows[i], out)
    return _normalized(out)


def _check_axes(seq: str) -> bool:
    """Return whether the axes turn with the body."""
    intrinsic = bool(seq) and all(c in "XYZ" for c in seq)
    if not intrinsic and not all(c in "xyz" for c in seq):
        raise ValueError(message(
            f"Expected axes from `seq` to be from ['x', 'y', 'z'] or ['X', 'Y', 'Z'], got {seq}", fix='seq="xyz"'
        ))
    if any(a == b for a, b in zip(seq, seq[1:])):
        raise ValueError(f"Expected consecutive axes to be different, got {seq}")
    return intrinsic


def _remainder(angle) -> Array:
    """Return the angle between -pi and pi."""
    return jnp.where(angle < -np.pi, angle + 2 * np.pi, jnp.where(angle > np.pi, angle - 2 * np.pi, angle))


class Rotation(NamedTuple):
    """Rotations, by their quaternions `[4]` or `[n, 4]`, which are taken as they are.

    Args:
      quat: float `[4]` or `[n, 4]`, (x, y, z, w), of length 1.

    >>> Rotation.from_euler("z", jnp.array(90.), degrees=True).apply(jnp.array([1., 0., 0.])).round(3)
    Array([0., 1., 0.], dtype=float32)
    """

    quat: Array

    @classmethod
    def concatenate(cls, rotations: Sequence) -> Rotation:
        """Return the rotations of several objects as one.

        Args:
          rotations: a list of `Rotation` objects with an axis.
        """
        return cls(jnp.concatenate([r.quat for r in rotations]))

    @classmethod
    def from_euler(cls, seq: str, angles, degrees: bool = False) -> Rotation:
        """Make rotations from turns around axes, one after another.

        Args:
          seq: up to three of "xyz", fixed in space, or "XYZ", fixed to the body.
          angles: `[k]` or `[n, k]` for k axes; of one axis also a scalar or `[n]`.
          degrees: instead of radians.
        Raises:
          ValueError: the axes are others, or not as many as angles.
        """
        if not 1 <= len(seq) <= 3:
            raise ValueError(
                f"Expected axis specification to be a non-empty string of upto 3 characters, got {seq}"
            )
        intrinsic = _check_axes(seq)
        check_arraylike("Rotation.from_euler", angles)
        angles = _float("Rotation.from_euler", angles)
        if len(seq) == 1 and (angles.ndim == 0 or angles.shape[-1] != 1 or angles.ndim == 1 and angles.size > 1):
            angles = angles[..., None]
        elif angles.ndim == 0 or angles.shape[-1] != len(seq):
            raise ValueError(message(
                f"Expected `angles` to have {len(seq)} in the last axis, got shape {angles.shape}",
                fix='Rotation.from_euler("xyz", jnp.zeros(3))',
            ))
        angles = jnp.deg2rad(angles) if degrees else angles
        out = None
        for i, axis in enumerate(seq.lower()):
            half = angles[..., i : i + 1] / 2
            unit = jnp.asarray(np.eye(3)["xyz".index(axis)], angles.dtype)
            q = jnp.concatenate([jnp.sin(half) * lax.broadcast_to_rank(unit, half.ndim), jnp.cos(half)], axis=-1)
            out = q if out is None else _product(out, q) if intrinsic else _product(q, out)
        return cls(out)  # type: ignore[arg-type]

    @classmethod
    def from_matrix(cls, matrix) -> Rotation:
        """Return rotations from orthogonal matrices.

        Args:
          matrix: float `[3, 3]` or `[n, 3, 3]`.
        """
        return cls(_from_matrix(_float("Rotation.from_matrix", matrix)))

    @classmethod
    def from_mrp(cls, mrp) -> Rotation:
        """Return rotations from modified Rodrigues parameters: the axis, times the tangent of a quarter of the angle.

        Args:
          mrp: float `[3]` or `[n, 3]`.
        """
        mrp = _float("Rotation.from_mrp", mrp)
        square = jnp.sum(mrp * mrp, axis=-1, keepdims=True)
        return cls(jnp.concatenate([2 * mrp, 1 - square], axis=-1) / (1 + square))

    @classmethod
    def from_quat(cls, quat) -> Rotation:
        """Return rotations from quaternions, which are normalized.

        Args:
          quat: float `[4]` or `[n, 4]`, (x, y, z, w).
        """
        return cls(_normalized(_float("Rotation.from_quat", quat)))

    @classmethod
    def from_rotvec(cls, rotvec, degrees: bool = False) -> Rotation:
        """Return rotations from rotation vectors: the axis, times the angle.

        Args:
          rotvec: float `[3]` or `[n, 3]`.
          degrees: angles are in degrees, not radians.
        """
        rotvec = _float("Rotation.from_rotvec", rotvec)
        return cls(_from_rotvec(jnp.deg2rad(rotvec) if degrees else rotvec))

    @classmethod
    def identity(cls, num: int | None = None, dtype: Any = float) -> Rotation:
        """Return the rotation that turns nothing, or several of them.

        Args:
          num: how many; default, one without an axis.
          dtype: of the quaternions.
        """
        q = jnp.array([0.0, 0.0, 0.0, 1.0], dtype=dtype)
        return cls(q if num is None else jnp.tile(q, (num, 1)))

    @classmethod
    def random(cls, random_key, num: int | None = None) -> Rotation:
        """Return rotations that are distributed uniformly.

        Args:
          random_key: a key of random numbers.
          num: how many; default, one without an axis.
        """
        return cls(_normalized(jrandom.normal(random_key, (4,) if num is None else (num, 4))))

    def __getitem__(self, indexer) -> Rotation:
        """Return some of the rotations."""
        if self.single:
            raise TypeError("Single rotation is not subscriptable.")
        return Rotation(self.quat[indexer])

    def __len__(self) -> int:
        """Return how many there are."""
        if self.single:
            raise TypeError("Single rotation has no len().")
        return self.quat.shape[0]

    def __mul__(self, other) -> Rotation:
        """Return the rotation by other and then by self."""
        return Rotation(_product(self.quat, other.quat))

    def apply(self, vectors, inverse: bool = False) -> Array:
        """Return vectors, turned by each rotation.

        Args:
          vectors: `[3]` or `[n, 3]`.
          inverse: turn them back.
        """
        matrix = self.as_matrix()
        vectors = _float("Rotation.apply", vectors)
        return jnp.einsum("...ji,...j->...i" if inverse else "...ij,...j->...i", matrix, vectors)

    def as_euler(self, seq: str, degrees: bool = False) -> Array:
        """Return angles around three axes, `[3]` or `[n, 3]`; the third is 0 where the first and third coincide.

        Source: Bernardes and Viollet, "Quaternion to Euler angles conversion" (2022).

        Args:
          seq: three of "xyz", fixed in space, or "XYZ", fixed to the body.
          degrees: angles in degrees, not radians.
        Raises:
          ValueError: `seq` has not three letters.
        """
        if len(seq) != 3:
            raise ValueError(f"Expected 3 axes, got {seq}.")
        intrinsic = _check_axes(seq)
        axes = seq.lower() if not intrinsic else seq.lower()[::-1]
        i, j, k = ("xyz".index(c) for c in axes)
        symmetric = i == k
        if symmetric:
            k = 3 - i - j
        sign = (i - j) * (j - k) * (k - i) / 2
        x, y, z, w = (self.quat[..., n] for n in (i, j, k, 3))
        z = z * sign
        a, b, c, d = (w, x, y, z) if symmetric else (w - y, x + z, y + w, z - x)
        middle = 2 * jnp.arctan2(jnp.hypot(c, d), jnp.hypot(a, b))
        half_sum, half_difference = jnp.arctan2(b, a), jnp.arctan2(d, c)
        start, end = jnp.abs(middle) <= 1e-7, jnp.abs(middle - np.pi) <= 1e-7
        regular = ~(start | end)
        # With the outer axes in one line only the sum or the difference of their angles is known.
        first = half_sum - half_difference
        last = half_sum + half_difference
        free = jnp.where(start, 2 * half_sum, -2 * half_difference if not intrinsic else 2 * half_difference)
        if intrinsic:
            first, last = jnp.where(regular, first, 0), jnp.where(regular, last, free)
        else:
            first, last = jnp.where(regular, first, free), jnp.where(regular, last, 0)
        if not symmetric:
            last, middle = last * sign, middle - np.pi / 2
        angles = (last, middle, first) if intrinsic else (first, middle, last)
        out = _remainder(jnp.stack(angles, axis=-1))
        return jnp.rad2deg(out) if degrees else out

    def as_matrix(self) -> Array:
        """Return orthogonal matrices, `[..., 3, 3]`."""
        x, y, z, w = (self.quat[..., n] for n in range(4))
        rows = (
            (x * x - y * y - z * z + w * w, 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), -x * x + y * y - z * z + w * w, 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), -x * x - y * y + z * z + w * w),
        )
        return jnp.stack([jnp.stack(row, axis=-1) for row in rows], axis=-2)

    def as_mrp(self) -> Array:
        """Return modified Rodrigues parameters, of length at most 1."""
        q = jnp.where(self.quat[..., 3:] < 0, -self.quat, self.quat)
        return q[..., :3] / (1 + q[..., 3:])

    def as_rotvec(self, degrees: bool = False) -> Array:
        """Return rotation vectors, `[3]` or `[n, 3]`, by angles up to pi.

        Args:
          degrees: angles in degrees, not radians.
        """
        out = _as_rotvec(self.quat)
        return jnp.rad2deg(out) if degrees else out

    def as_quat(self, canonical: bool = False, scalar_first: bool = False) -> Array:
        """Return the quaternions, `[4]` or `[n, 4]`.

        Args:
          canonical: with a real part that is not negative.
          scalar_first: (w, x, y, z) in the place of (x, y, z, w).
        """
        q = self.quat
        if canonical:
            x, y, z, w = (q[..., n : n + 1] for n in range(4))
            negative = (w < 0) | (w == 0) & ((x < 0) | (x == 0) & ((y < 0) | (y == 0) & (z < 0)))
            q = jnp.where(negative, -q, q)
        return jnp.roll(q, 1, axis=-1) if scalar_first else q

    def inv(self) -> Rotation:
        """Return the inverse rotations."""
        return Rotation(jnp.concatenate([-self.quat[..., :3], self.quat[..., 3:]], axis=-1))

    def magnitude(self) -> Array:
        """Return the angles, from 0 to pi."""
        q = self.quat
        return 2 * jnp.arctan2(jnp.linalg.norm(q[..., :3], axis=-1), jnp.abs(q[..., 3]))

    def mean(self, weights: Array | None = None) -> Rotation:
        """Return the rotation with the least sum of squared distances to these.

        Source: Markley et al., "Averaging quaternions" (2007).

        Args:
          weights: `[n]`, the weight of each rotation; default, all alike.
        """
        count = len(self)
        w = jnp.ones(count, self.quat.dtype) if weights is None else jnp.asarray(weights, self.quat.dtype)
        if w.ndim != 1:
            raise ValueError(f"Expected `weights` to be 1 dimensional, got shape {w.shape}.")
        if w.shape[0] != count:
            raise ValueError(
                f"Expected `weights` to have number of values equal to number of rotations, got {w.shape[0]} "
                f"values and {count} rotations."
            )
        _, vectors = jnp.linalg.eigh(self.quat.T @ (w[:, None] * self.quat))
        return Rotation(vectors[:, -1])

    @property
    def single(self) -> bool:
        """Return whether this is one rotation, without an axis."""
        return self.quat.ndim == 1


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
    def init(cls, times, rotations: Rotation) -> Slerp:
        """Return rotations between given ones.

        Args:
          times: float `[n]`, increasing.
          rotations: n rotations.
        Raises:
          ValueError: there are fewer than two, or not as many times as rotations.
        """
        if rotations.single or len(rotations) == 1:
            raise ValueError("`rotations` must be a sequence of at least 2 rotations.")
        times = _float("Slerp", times)
        if times.ndim != 1:
            raise ValueError(
                f"Expected times to be specified in a 1 dimensional array, got {times.ndim} dimensions."
            )
        if times.shape[0] != len(rotations):
            raise ValueError(
                "Expected number of rotations to be equal to number of timestamps given, got "
                f"{len(rotations)} rotations and {times.shape[0]} timestamps."
            )
        before, after = rotations[:-1], rotations[1:]
        return cls(times, jnp.diff(times), before, (before.inv() * after).as_rotvec())

    def __call__(self, times) -> Rotation:
        """Return the rotations at times, `[m]` or a scalar; the first and the last one outside of the given times."""
        times = _float("Slerp", times)
        if times.ndim > 1:
            raise ValueError(f"`times` must be at most 1-dimensional, got {times.ndim} dimensions.")
        place = jnp.clip(jnp.searchsorted(self.times, times) - 1, 0, self.timedelta.shape[0] - 1)
        part = jnp.clip((times - self.times[place]) / self.timedelta[place], 0, 1)
        return self.rotations[place] * Rotation.from_rotvec(self.rotvecs[place] * part[..., None])

public(globals())
