"""Elements of arrays: MLIR's names of their types, NumPy's dtypes, and the bytes of constants.

Tests: `tests/export/mlir/test_bytecode.py`.
"""

from __future__ import annotations

from math import prod

import ml_dtypes
import numpy as np

from .ir import ArtifactError, Dense, TensorType

__all__ = ["DTYPES", "array_of", "dense_of", "dtype_of", "element_of"]

_FLOATS = {
    "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2", "f8E4M3B11FNUZ": "float8_e4m3b11fnuz",
    "f8E4M3FNUZ": "float8_e4m3fnuz", "f8E5M2FNUZ": "float8_e5m2fnuz", "f8E4M3": "float8_e4m3",
    "f8E3M4": "float8_e3m4", "f8E8M0FNU": "float8_e8m0fnu", "f4E2M1FN": "float4_e2m1fn", "bf16": "bfloat16",
}
DTYPES: dict[str, np.dtype] = {
    "i1": np.dtype(bool), "f16": np.dtype(np.float16), "f32": np.dtype(np.float32), "f64": np.dtype(np.float64),
    "complex<f32>": np.dtype(np.complex64), "complex<f64>": np.dtype(np.complex128), "index": np.dtype(np.int64),
    **{f"i{n}": np.dtype(f"int{n}") for n in (8, 16, 32, 64)},
    **{f"ui{n}": np.dtype(f"uint{n}") for n in (8, 16, 32, 64)},
    **{f"{u}i{n}": np.dtype(getattr(ml_dtypes, f"{u}int{n}")) for u in ("", "u") for n in (2, 4)},
    **{name: np.dtype(getattr(ml_dtypes, dtype)) for name, dtype in _FLOATS.items()},
}
_NAMES = {dtype: name for name, dtype in DTYPES.items() if name != "index"}


def dtype_of(element: str) -> np.dtype:
    """NumPy's dtype of elements."""
    if element not in DTYPES:
        raise ArtifactError(f"The program has elements of type {element}, which are not known here.")
    return DTYPES[element]


def element_of(dtype) -> str:
    """MLIR's name of elements of a dtype."""
    return _NAMES[np.dtype(dtype)]


def dense_of(array: np.ndarray, shape: tuple | None = None) -> Dense:
    """Return an array as a constant; where all elements are the same bits, one is kept."""
    shape = array.shape if shape is None else shape
    of = TensorType(tuple(shape), element_of(array.dtype))
    flat = np.ascontiguousarray(array).reshape(-1)
    words = flat.view(f"V{flat.dtype.itemsize}")
    same = flat.size > 1 and bool((words == words[:1]).all())
    if array.dtype == bool:
        if same:
            return Dense(of, b"\xff" if flat[0] else b"\0")
        return Dense(of, np.packbits(flat, bitorder="little").tobytes())
    kept = flat[:1] if same else flat
    if kept.dtype.name.startswith(("int2", "int4", "uint2", "uint4", "float4")):
        bits = 2 if "int2" in kept.dtype.name else 4
        return Dense(of, (kept.view(np.uint8) & ((1 << bits) - 1)).tobytes())
    return Dense(of, kept.tobytes())


def array_of(dense: Dense) -> np.ndarray:
    """Return the elements of a constant; where all are equal, a view of one."""
    shape, dtype = dense.type.shape, dtype_of(dense.type.element)
    if None in shape:
        raise ArtifactError(f"A constant of the program has type {dense.type}.")
    size, data = prod(shape), np.frombuffer(dense.data, np.uint8)
    if dtype.kind == "b":
        if size != 1 and len(data) == 1 and data[0] in (0, 255):
            return np.broadcast_to(np.asarray(bool(data[0])), shape)
        if len(data) != (size + 7) // 8:
            raise _other_length(dense)
        return np.unpackbits(data, count=size, bitorder="little").astype(bool).reshape(shape)
    if len(data) not in (dtype.itemsize, size * dtype.itemsize):
        raise _other_length(dense)
    if dtype.name in ("int2", "int4"):
        bits = int(dtype.name[3:])
        data = (data.astype(np.int8) << (8 - bits)) >> (8 - bits)
        found = data.astype(np.int8).astype(dtype)
    elif dtype.name in ("uint2", "uint4"):
        found = data.astype(dtype)
    else:
        found = np.frombuffer(dense.data, dtype)
    return found.reshape(shape) if len(found) == size else np.broadcast_to(found[0], shape)


def _other_length(dense: Dense) -> ArtifactError:
    return ArtifactError(f"A constant of type {dense.type} has {len(dense.data)} bytes.")
