"""Shapes of the arguments of tests: tuples, lengths, and scalars of Python and of NumPy."""

from __future__ import annotations

import functools

import numpy as np

__all__ = ["NUMPY_SCALAR_SHAPE", "PYTHON_SCALAR_SHAPE", "ScalarShape", "format_shape_dtype_string", "is_valid_shape"]


class ScalarShape:
    """A shape without dimensions, which says what kind of scalar an argument is."""

    def __len__(self):
        return 0

    def __getitem__(self, i):
        raise IndexError(f"a scalar has no dimension {i}")


class _NumpyScalar(ScalarShape):
    """A NumPy scalar, as `np.float32(1)`."""


class _PythonScalar(ScalarShape):
    """A Python scalar, as `1.0`."""


NUMPY_SCALAR_SHAPE = _NumpyScalar()
PYTHON_SCALAR_SHAPE = _PythonScalar()


def dims_of_shape(shape) -> tuple[int, ...]:
    """Return the dimensions of a shape."""
    if isinstance(shape, ScalarShape):
        return ()
    return tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)


def cast_to_shape(value, shape, dtype):
    """Return an array, or the scalar that a shape says."""
    if shape is NUMPY_SCALAR_SHAPE:
        return np.dtype(dtype).type(value)
    if shape is PYTHON_SCALAR_SHAPE:
        return np.asarray(value).item()
    value = np.asarray(value, dtype=dtype)
    if value.shape != dims_of_shape(shape):
        raise ValueError(f"the argument has the shape {value.shape}, the test asks for {dims_of_shape(shape)}")
    return value


def is_valid_shape(shape, dtype) -> bool:
    """Return whether an argument can have a shape and a dtype: Python's scalars have few dtypes."""
    if shape is PYTHON_SCALAR_SHAPE:
        return np.dtype(dtype) in {np.dtype(kind) for kind in (bool, int, float, complex)}
    return True


@functools.lru_cache(maxsize=1024)
def format_shape_dtype_string(shape, dtype) -> str:
    """Return what names a case: "float32[2,3]", "pyint32" for a Python scalar, "float32" for a NumPy scalar."""
    name = np.dtype(dtype).name
    if shape is NUMPY_SCALAR_SHAPE:
        return name
    if shape is PYTHON_SCALAR_SHAPE:
        return f"py{name}"
    if isinstance(shape, (tuple, list)):
        return f"{name}[{','.join(str(n) for n in shape)}]"
    if isinstance(shape, int):
        return f"{name}[{shape},]"
    raise TypeError(f"a shape is a tuple, a list, a length or a kind of scalar, and this is {shape!r}")
