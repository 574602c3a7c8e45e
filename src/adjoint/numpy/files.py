"""Arrays in files and as text: NumPy's functions, which take these arrays as they are.

Tests: `tests/numpy/test_index_tricks.py`.
"""

from __future__ import annotations

import numpy as np

from ..core import dtypes
from ..core.types import Array
from .conversion import asarray

__all__ = [
    "array_repr", "array_str", "get_printoptions", "iterable", "load", "printoptions", "save", "savez",
    "set_printoptions",
]

array_repr, array_str = np.array_repr, np.array_str
iterable = np.iterable
save, savez = np.save, np.savez


def get_printoptions():
    """Return how arrays are printed; see `numpy.get_printoptions`.

    >>> jnp.get_printoptions()["precision"]
    8
    """
    return np.get_printoptions()


def set_printoptions(*args, **kwargs):
    """Change how arrays are printed.

    Args:
      *args, **kwargs: those of `numpy.set_printoptions`, such as `precision=2`; NumPy's arrays are printed so, too.
    Returns:
      None.
    Raises:
      TypeError: an option has a value of a type that NumPy does not take.
      ValueError: an option has a value that NumPy does not know.

    >>> jnp.set_printoptions(precision=8)
    """
    return np.set_printoptions(*args, **kwargs)


def printoptions(*args, **kwargs):
    """Change how arrays are printed inside of a `with` block.

    Args:
      *args, **kwargs: those of `numpy.printoptions`, such as `precision=2`.
    Returns:
      A context manager.
    Raises:
      TypeError: an option has a value of a type that NumPy does not take.
      ValueError: an option has a value that NumPy does not know.

    >>> with jnp.printoptions(precision=2):
    ...     print(jnp.array([1 / 3]))
    [0.33]
    """
    return np.printoptions(*args, **kwargs)


def load(file, *args, **kwargs) -> Array:
    """Return the array in a file that `save` wrote, or the archive that `savez` wrote.

    Args:
      file: a path, or an open binary file.
      *args, **kwargs: those of `numpy.load`, such as `allow_pickle=True` for arrays of objects, which stay NumPy's.
    Returns:
      An array; of an archive the object of NumPy, which gives NumPy arrays by name.
    Raises:
      FileNotFoundError: there is no such file.
      ValueError: the file holds neither an array nor an archive, or holds objects, which take `allow_pickle=True`.
      EOFError: the file is empty.

    >>> import io
    >>> file = io.BytesIO()
    >>> jnp.save(file, jnp.arange(3))
    >>> _ = file.seek(0)
    >>> jnp.load(file)
    Array([0, 1, 2], dtype=int32)
    """
    out = np.load(file, *args, **kwargs)
    if not isinstance(out, np.ndarray):
        return out
    if out.dtype.kind == "V" and out.dtype.itemsize == 2:  # NumPy's format has no name for bfloat16
        out = out.view(dtypes.bfloat16)
    return out if out.dtype.kind == "O" else asarray(out)
