"""The precision that a matrix product or convolution must have: `Precision`, `DotAlgorithm`, their spellings.

The engines on a CPU always multiply in the operands' dtype or a wider one and ignore all of this;
accelerators trade exactness for speed.
"""

from __future__ import annotations

import enum
from typing import Any

import ml_dtypes
import numpy as np

from ..core.dtypes import promote_types
from ..core.options.config import local
from ..core.process.records import NamedTuple

__all__ = ["DotAlgorithm", "DotAlgorithmPreset", "Precision", "PrecisionLike"]


class Precision(enum.Enum):
    """Precision of 32-bit matrix products on accelerators: the fastest, a middle, the most exact.

    A member may be called by its name in small letters or by what it does: "bfloat16" or "fastest",
    "bfloat16_3x" or "tensorfloat32", "float32".

    >>> lax.Precision("highest")
    Precision.HIGHEST
    """

    DEFAULT = 0
    HIGH = 1
    HIGHEST = 2

    @classmethod
    def _missing_(cls, value):
        return _SPELLINGS.get(value)

    def __repr__(self) -> str:
        return f"Precision.{self.name}"

    def __str__(self) -> str:
        return self.name


_SPELLINGS = {
    "highest": Precision.HIGHEST,
    "float32": Precision.HIGHEST,
    "high": Precision.HIGH,
    "bfloat16_3x": Precision.HIGH,
    "tensorfloat32": Precision.HIGH,
    "default": Precision.DEFAULT,
    "bfloat16": Precision.DEFAULT,
    "fastest": Precision.DEFAULT,
    None: Precision.DEFAULT,
}


# What the names of presets say.
_TYPES: dict[str, type] = {
    "F16": np.float16, "BF16": ml_dtypes.bfloat16, "TF32": np.float32, "F32": np.float32, "F64": np.float64,
}
_EIGHT_BITS = (
    ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, ml_dtypes.float8_e5m2fnuz, ml_dtypes.float8_e4m3fnuz,
    ml_dtypes.float8_e4m3b11fnuz,
)


class DotAlgorithm(NamedTuple):
    """The algorithm of a matrix product: dtypes of operands and sums, and the number of parts.

    Args:
      lhs_precision_type: dtype to which the left operand is rounded.
      rhs_precision_type: dtype to which the right operand is rounded.
      accumulation_type: dtype of the sums.
      lhs_component_count: into how many parts of that dtype the left operand is cut.
      rhs_component_count: into how many the right one is cut.
      num_primitive_operations: how many products of parts are summed.
      allow_imprecise_accumulation: sums may lose digits.

    >>> lax.DotAlgorithm("bfloat16", "bfloat16", "float32").accumulation_type
    'float32'
    """

    lhs_precision_type: Any
    rhs_precision_type: Any
    accumulation_type: Any
    lhs_component_count: int = 1
    rhs_component_count: int = 1
    num_primitive_operations: int = 1
    allow_imprecise_accumulation: bool = False


class DotAlgorithmPreset(enum.Enum):
    """Named algorithms: dtypes of the operands and of the sum; X3, X6, X9 multiply so many parts.

    >>> lax.DotAlgorithmPreset.BF16_BF16_F32
    DotAlgorithmPreset.BF16_BF16_F32
    """

    DEFAULT = enum.auto()
    ANY_F8_ANY_F8_F32 = enum.auto()
    ANY_F8_ANY_F8_F32_FAST_ACCUM = enum.auto()
    ANY_F8_ANY_F8_ANY = enum.auto()
    ANY_F8_ANY_F8_ANY_FAST_ACCUM = enum.auto()
    F16_F16_F16 = enum.auto()
    F16_F16_F32 = enum.auto()
    BF16_BF16_BF16 = enum.auto()
    BF16_BF16_F32 = enum.auto()
    BF16_BF16_F32_X3 = enum.auto()
    BF16_BF16_F32_X6 = enum.auto()
    BF16_BF16_F32_X9 = enum.auto()
    TF32_TF32_F32 = enum.auto()
    TF32_TF32_F32_X3 = enum.auto()
    F32_F32_F32 = enum.auto()
    F64_F64_F64 = enum.auto()

    @property
    def supported_lhs_types(self) -> tuple[type, ...] | None:
        """Return the types that the left operand may have; None if it may have any."""
        parts = self._parts()
        first, last = parts[0], parts[-1]
        if first not in _TYPES:
            return None
        if first != "BF16":
            return (_TYPES[first],)
        return (np.float32,) if last.startswith("X") else (_TYPES[first], np.float32)

    @property
    def supported_rhs_types(self) -> tuple[type, ...] | None:
        """Return the types that the right operand may have; None if it may have any."""
        return self.supported_lhs_types

    @property
    def accumulation_type(self) -> type | None:
        """Return the type of the sums; None if it is that of the result."""
        _, _, sums, *_ = *self._parts(), "", ""
        return _TYPES.get(sums)

    def supported_output_types(self, lhs_dtype, rhs_dtype) -> tuple[type, ...] | None:
        """Return the types that a product of operands of these dtypes may have; None if it may have any.

        Args:
          lhs_dtype: of the left operand.
          rhs_dtype: of the right operand.
        Raises:
          TypePromotionError: the algorithm's sums are wider than its factors, and neither operand becomes the other.
        """
        sums = self.accumulation_type
        if sums is None:
            return None
        if not self.supported_lhs_types:
            return np.float32, np.float16, ml_dtypes.bfloat16, *_EIGHT_BITS
        factors, *_ = parts = self._parts()
        is_widened = len(parts) == 3 and factors in ("F16", "BF16") and sums is np.float32
        if is_widened and promote_types(lhs_dtype, rhs_dtype) == np.dtype(_TYPES[factors]):
            return sums, _TYPES[factors]
        return (sums,)

    def _parts(self) -> list[str]:
        """Return what the name says of each operand, of the sums, and of the number of products."""
        return [part for part in self.name.split("_") if part != "F8"]

    def __repr__(self) -> str:
        return f"DotAlgorithmPreset.{self.name}"

    def __str__(self) -> str:
        return self.name


PrecisionLike = (
    None | str | Precision | tuple[str, str] | tuple[Precision, Precision] | DotAlgorithm | DotAlgorithmPreset
)


def canonicalize_precision(precision):
    """Return what primitives are given for what the user wrote: None, two `Precision`s, or an algorithm.

    Without a precision, the option `jax_default_matmul_precision` decides.
    """
    if precision is None:
        precision = local.default_matmul_precision
        if precision is None:
            return None
    if isinstance(precision, (DotAlgorithm, DotAlgorithmPreset)):
        return precision
    if isinstance(precision, (tuple, list)) and len(precision) == 2:
        return _single(precision[0], precision), _single(precision[1], precision)
    if isinstance(precision, str) and precision in DotAlgorithmPreset.__members__:
        return DotAlgorithmPreset[precision]
    one = _single(precision, precision)
    return one, one


def _single(precision, given) -> Precision:
    try:
        return Precision(precision)
    except (ValueError, TypeError):
        raise ValueError(
            "Precision argument must be one of:\n"
            "- None,\n"
            f"- a string in {list(_SPELLINGS)},\n"
            "- a lax.Precision value,\n"
            "- a tuple of two lax.Precision values or strings,\n"
            "- a lax.DotAlgorithmPreset or the name of one of these presets, or\n"
            "- a lax.DotAlgorithm value;\n"
            f"but got {given}."
        ) from None
