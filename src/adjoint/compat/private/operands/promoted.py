"""Operands of NumPy's functions, checked and of one dtype: names of `jax._src.numpy.util`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ....array.array import as_array
from ....core.dtypes import (
    ExtendedDType,
    float0,
    lattice_result_type,
    to_complex_dtype,
    to_inexact_dtype,
    to_numeric_dtype,
)
from ....core.messages.errors import message, warn
from ....core.types import Array, is_arraylike, type_of
from ....numpy import promotion
from ....numpy.promotion import check_rank_promotion, convert
from ....sharding.device import Device, SingleDeviceSharding

__all__ = [
    "canonicalize_device_to_sharding", "check_arraylike", "check_arraylike_or_none", "check_for_prngkeys",
    "check_no_float0s", "choose_device_or_out_sharding", "ensure_arraylike", "ensure_arraylike_tuple", "is_arraylike",
    "promote_args", "promote_args_complex", "promote_args_inexact", "promote_args_numeric", "promote_dtypes_numeric",
    "promote_shapes", "warn_of_rank_promotion",
]


# ---- checks --------------------------------------------------------------------------------------


def check_arraylike(fun_name: str, *args: Any, emit_warning: bool = False, stacklevel: int = 3) -> None:
    """Raise TypeError unless all arguments are arrays or scalars; a DeprecationWarning where that is asked for."""
    try:
        promotion.check_arraylike(fun_name, *args)
    except TypeError as error:
        if not emit_warning:
            raise
        said = str(error).splitlines()[0]
        warn(f"{said} In a future JAX release this will be an error.", DeprecationWarning)


def check_arraylike_or_none(fun_name: str, *args: Any) -> None:
    """Raise TypeError unless all arguments are arrays, scalars or None."""
    for i, x in enumerate(args):
        if x is not None and not is_arraylike(x):
            raise TypeError(message(
                f"{fun_name} requires ndarray, scalar, or None arguments, got {type(x)} at position {i}.",
                fix=f"{fun_name}(jnp.asarray(...))"))


def check_no_float0s(fun_name: str, *args: Any) -> None:
    """Raise TypeError if one of the arguments is a tangent of integers, which holds no numbers."""
    if any([type_of(x).dtype == float0 for x in args]):
        promotion.promote(fun_name, *args, *args)


def check_for_prngkeys(fun_name: str, *args: Any) -> None:
    """Raise TypeError if some of the arguments are random keys and others are not."""
    kinds = [type_of(x).dtype for x in args]
    if any([isinstance(d, ExtendedDType) for d in kinds]) and len(set(kinds)) > 1:
        promotion.promote(fun_name, *args)


def ensure_arraylike(fun_name: str, /, *args: Any) -> Any:
    """Return the argument as an array, or several as a tuple of arrays."""
    promotion.check_arraylike(fun_name, *args)
    found = tuple([as_array(x) for x in args])
    return found[0] if len(found) == 1 else found


def ensure_arraylike_tuple(fun_name: str, tup: Sequence[Any]) -> tuple[Array, ...]:
    """Return a tuple of the arguments as arrays."""
    promotion.check_arraylike(fun_name, *tup)
    return tuple([as_array(x) for x in tup])


# ---- promotion -----------------------------------------------------------------------------------


def warn_of_rank_promotion(fun_name: str, shapes: Sequence[tuple]) -> None:
    """Obey `jax_numpy_rank_promotion` for operands of some shapes."""
    check_rank_promotion(fun_name, shapes)


def promote_shapes(fun_name: str, *args: Any) -> list[Array]:
    """Return the operands as arrays, with axes of length 1 in front of those of lower rank."""
    return promotion.promote_shapes(fun_name, [as_array(x) for x in args])


def promote_dtypes_numeric(*args: Any) -> list[Array]:
    """Return the operands as arrays of one dtype of numbers: booleans become integers."""
    dtype, weak = lattice_result_type(*args)
    return [as_array(convert(x, to_numeric_dtype(dtype), weak)) for x in args]


def _promoting(promote: Callable, doc: str) -> Callable:
    def of_operands(fun_name: str, *args: Any) -> list[Array]:
        return [as_array(x) for x in promote(fun_name, *args)] if args else []

    of_operands.__doc__ = doc
    return of_operands


promote_args = _promoting(promotion.promote, "Return the operands as arrays of one dtype and of one rank.")
promote_args_numeric = _promoting(
    promotion.promote_numeric, "Return the operands as arrays of one dtype of numbers and of one rank.")
promote_args_inexact = _promoting(
    promotion.promote_inexact, "Return the operands as arrays of one inexact dtype and of one rank.")


def promote_args_complex(fun_name: str, *args: Any) -> list[Array]:
    """Return the operands as arrays of one complex dtype and of one rank."""
    promotion.check_arraylike(fun_name, *args)
    dtype, weak = lattice_result_type(*args)
    dtype = to_complex_dtype(to_inexact_dtype(dtype))
    return promote_shapes(fun_name, *[convert(x, dtype, weak) for x in args])


# ---- where results are ---------------------------------------------------------------------------


def canonicalize_device_to_sharding(device: Any) -> Any:
    """Return a sharding, that of one device for a device."""
    return SingleDeviceSharding(device) if isinstance(device, Device) else device


def choose_device_or_out_sharding(device: Any, out_sharding: Any, name: str) -> Any:
    """Return the sharding of a result, which is given in one of two ways."""
    if device is not None and out_sharding is not None:
        raise ValueError(f"Only one of `device` or `out_sharding` can be set. Got {device=} and {out_sharding=}")
    return canonicalize_device_to_sharding(device) if out_sharding is None else out_sharding
