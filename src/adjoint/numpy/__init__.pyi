# Written by stubs/generate.py; do not edit.
from collections.abc import Callable, Sequence
from typing import Any, Literal, overload
import numpy as np
from adjoint import Array
from adjoint.dtypes import finfo as _finfo
from adjoint.dtypes import iinfo as _iinfo
from adjoint.typing import ArrayLike, DTypeLike
from adjoint import Array
from adjoint.lax import GatherScatterMode
from adjoint.typing import ArrayLike
from adjoint.typing import DTypeLike
import builtins as _builtins
from collections.abc import Callable
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any
from typing import NamedTuple
_Axis = int | Sequence[int] | None
class _Scalar:
    """A scalar type: a dtype, and a function that makes arrays of it."""

    @property
    def dtype(self) -> np.dtype[Any]: ...
    def __call__(self, x: Any = 0) -> Array: ...
class _Index:
    def __getitem__(self, index: Any, /) -> Any: ...
class _Grid:
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __getitem__(self, index: Any, /) -> Any: ...
class _Join:
    def __getitem__(self, index: Any, /) -> Array: ...
from numpy.exceptions import ComplexWarning as ComplexWarning
def abs(x: ArrayLike, /) -> Array:
    """Return the absolute value; of a complex number, the modulus, which is real.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype, or of that of the parts of complex numbers.
    Raises:
      TypeError: `x` is boolean, or not an array or scalar; lists are not converted.

    >>> jnp.abs(jnp.array([-1, 2]))
    Array([1, 2], dtype=int32)
    """
def absolute(x: ArrayLike, /) -> Array:
    """Return the absolute value; of a complex number, the modulus, which is real.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype, or of that of the parts of complex numbers.
    Raises:
      TypeError: `x` is boolean, or not an array or scalar; lists are not converted.

    >>> jnp.abs(jnp.array([-1, 2]))
    Array([1, 2], dtype=int32)
    """
def acos(x: ArrayLike, /) -> Array:
    """Return the angle in radians with cosine x, from 0 to pi; NaN of real numbers beyond -1 and 1.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.arccos(jnp.array([-1., 1.]))
    Array([3.1415927, 0.       ], dtype=float32)
    """
def acosh(x: ArrayLike, /) -> Array:
    """Return the inverse of the hyperbolic cosine; of complex numbers, the one with a positive real part.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype, not negative; integers and
      booleans become floats before. NaN of real numbers below 1.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.arccosh(jnp.array([1., 2.]))
    Array([0.       , 1.3169578], dtype=float32)
    """
add: ufunc
"""Return the sum x + y; of booleans, whether one is true. Integers wrap around.

Args:
  x, y: arrays or scalars; shapes broadcast, dtypes promote.
  out, where: must be None: arrays do not change.
Returns:
  An array with that value for each element, of the shape to which they broadcast
  and of the dtype to which they promote.
Raises:
  TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.
  NotImplementedError: `out` or `where` is given.

>>> jnp.add(jnp.array([1, 2]), 0.5)
Array([1.5, 2.5], dtype=float32, weak_type=True)
"""
def all(a: ArrayLike, axis: int | Sequence[int] | None = None, out: None = None, keepdims: _builtins.bool = False, *, where: ArrayLike | None = None) -> Array:
    """Return whether all elements over axes are true, that is not zero.

    Args:
      a: array; a NaN is true.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      where: which elements to include.
    Returns:
      Booleans, in an array without these axes; True over no elements. The dtype is bool.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.all(jnp.array([True, False]))
    Array(False, dtype=bool)
    """
def allclose(a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-05, atol: ArrayLike = 1e-08, equal_nan: _builtins.bool = False) -> Array:
    """Return whether all elements are close, as `isclose` says.

    Args:
      a, b, rtol, atol, equal_nan: as for `isclose`.
    Raises:
      TypeError: `a` is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.allclose(jnp.array([1., 2.]), jnp.array([1., 2.000001]))
    Array(True, dtype=bool)
    """
def amax(a: ArrayLike, axis: int | Sequence[int] | None = None, out: None = None, keepdims: _builtins.bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None) -> Array:
    """Return the largest element over axes; NaN if there is one.

    Args:
      a: array; complex numbers are ordered by their real, then their imaginary parts.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      initial: the least that the result can be.
      where: which elements to include; `initial` has to be given.
    Returns:
      The elements, in an array without these axes, of the dtype of `a`.
    Raises:
      ValueError: there are no elements, or `where` is given, and no `initial`.
    Derivative: equal largest elements share it.
    See also: `maximum` of two arrays, `argmax`, `nanmax`.

    >>> jnp.max(jnp.array([1., 3., 2.]))
    Array(3., dtype=float32)
    """
def amin(a: ArrayLike, axis: int | Sequence[int] | None = None, out: None = None, keepdims: _builtins.bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None) -> Array:
    """Return the smallest element over axes; NaN if there is one.

    Args:
      a: array; complex numbers are ordered by their real, then their imaginary parts.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      initial: the greatest that the result can be.
      where: which elements to include; `initial` has to be given.
    Returns:
      The elements, in an array without these axes, of the dtype of `a`.
    Raises:
      ValueError: there are no elements, or `where` is given, and no `initial`.
    Derivative: equal smallest elements share it.
    See also: `minimum` of two arrays, `argmin`, `nanmin`.

    >>> jnp.min(jnp.array([1., 3., 2.]))
    Array(1., dtype=float32)
    """
def angle(z: ArrayLike, deg: _builtins.bool = False) -> Array:
    """Return the angle of a complex number with the positive real axis, in radians.

    Args:
      z: array or scalar.
      deg: in degrees instead.
    Returns:
      An array of real numbers, of the shape of `z`.
    Raises:
      TypeError: `z` is not an array or scalar; lists are not converted.

    >>> jnp.angle(jnp.array([1j, -1.]), deg=True)
    Array([ 90., 180.], dtype=float32)
    """
def any(a: ArrayLike, axis: int | Sequence[int] | None = None, out: None = None, keepdims: _builtins.bool = False, *, where: ArrayLike | None = None) -> Array:
    """Return whether any element over axes is true, that is not zero.

    Args:
      a: array; a NaN is true.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      where: which elements to include.
    Returns:
      Booleans, in an array without these axes; False over no elements. The dtype is bool.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.any(jnp.array([True, False]))
    Array(True, dtype=bool)
    """
def append(arr: ArrayLike, values: ArrayLike, axis: int | None = None) -> Array:
    """Return `values` after `arr`: flat, or along an axis.

    Args:
      arr: array.
      values: array, with the lengths of `arr` along the other axes if there is an axis.
      axis: None flattens both first.
    Returns:
      A new array; NumPy's and this function copy both every time.
      The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: ranks, or lengths of the other axes, differ.

    >>> jnp.append(jnp.array([1, 2]), 3)
    Array([1, 2, 3], dtype=int32)
    """
def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: ArrayLike, *args: Any, **kwargs: Any) -> Array:
    """Apply a function of arrays with one axis to every slice along an axis.

    Args:
      func1d: takes an array of one axis, and the other arguments; it is mapped by `vmap`.
      axis: which axis the slices have.
      arr: array.
      *args, **kwargs: passed to the function.
    Returns:
      The results, with their axes in the place of `axis`, of the dtype that the function gives.
    Raises:
      TypeError: `func1d` is not a function.
      ValueError: `axis` is out of range.

    >>> jnp.apply_along_axis(jnp.sum, 0, jnp.ones((2, 3)))
    Array([2., 2., 2.], dtype=float32)
    """
def apply_over_axes(func: Callable[..., Any], a: ArrayLike, axes: int | Sequence[int] | None) -> Array:
    """Apply a function `(array, axis)` over several axes in turn.

    Args:
      func: such as `jnp.sum`; it keeps the rank or takes one axis away, which is put back with length 1.
      a: array.
      axes: the axes over which the function is applied, one after the other.
    Returns:
      An array of the rank of `a`.
    Raises:
      ValueError: the function returned another rank.

    >>> jnp.apply_over_axes(jnp.sum, jnp.ones((2, 3)), (0, 1))
    Array([[6.]], dtype=float32)
    """
def arange(start: ArrayLike, stop: ArrayLike | None = None, step: ArrayLike | None = None, dtype: DTypeLike | None = None, *, device: Any = None, out_sharding: Any = None) -> Array:
    """Return the numbers from `start` up to, and without, `stop`.

    Args:
      start, stop, step: scalars, known while tracing; a single one is the stop, and the start is 0.
      dtype: default their common dtype.
      device, out_sharding: where to put it.
    Returns:
      An array with one axis: ``start``, ``start + step``, and so on, below ``stop``.
      The dtype is `dtype`, by default the one to which those of the arguments promote.
    Raises:
      ConcretizationTypeError: an argument is a traced value.
    See also: `linspace`, `lax.iota`, `indices`.

    >>> jnp.arange(2, 8, 3)
    Array([2, 5], dtype=int32)
    """
def arccos(x: ArrayLike, /) -> Array:
    """Return the angle in radians with cosine x, from 0 to pi; NaN of real numbers beyond -1 and 1.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.arccos(jnp.array([-1., 1.]))
    Array([3.1415927, 0.       ], dtype=float32)
    """
def arccosh(x: ArrayLike, /) -> Array:
    """Return the inverse of the hyperbolic cosine; of complex numbers, the one with a positive real part.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype, not negative; integers and
      booleans become floats before. NaN of real numbers below 1.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.arccosh(jnp.array([1., 2.]))
    Array([0.       , 1.3169578], dtype=float32)
    """
def arcsin(x: ArrayLike, /) -> Array:
    """Return the angle in radians with sine x, from -pi/2 to pi/2; NaN of real numbers beyond -1 and 1.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.arcsin(jnp.array([0., 1.]))
    Array([0.       , 1.5707964], dtype=float32)
    """
def arcsinh(x: ArrayLike, /) -> Array:
    """Return the number with hyperbolic sine x.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.arcsinh(jnp.array([0., 1.]))
    Array([0.        , 0.88137364], dtype=float32)
    """
def arctan(x: ArrayLike, /) -> Array:
    """Return the angle in radians with tangent x, from -pi/2 to pi/2.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.arctan(jnp.array([0., 1.]))
    Array([0.       , 0.7853981], dtype=float32)
    """
def arctan2(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the angle in radians of the point (x2, x1), from -pi to pi.

    Args:
      x1, x2: arrays or scalars; shapes broadcast, dtypes promote.
    Returns:
      An array with that value for each element, of the shape to which they broadcast
      and of the dtype to which they promote; integers and booleans become floats before.
    Raises:
      TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.arctan2(jnp.array([1., -1.]), -1.)
    Array([ 2.3561945, -2.3561945], dtype=float32)
    """
def arctanh(x: ArrayLike, /) -> Array:
    """Return the number with hyperbolic tangent x; infinite at -1 and 1, NaN of real numbers beyond.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.arctanh(jnp.array([0., 0.5]))
    Array([0.        , 0.54930615], dtype=float32)
    """
def argmax(a: ArrayLike, axis: int | None = None, out: None = None, keepdims: _builtins.bool | None = None) -> Array:
    """Return the position of the largest element, the first of several; in the flat array without `axis`.

    Args:
      a: array; a NaN counts as the largest.
      axis: an axis, or None for the flat array.
      out: must be None.
      keepdims: keep the axis with length 1.
    Returns:
      Positions, int32 (int64 with 64-bit types on), in an array without that axis.
    Raises:
      ValueError: there are no elements.
    See also: `max`, `nanargmax`, `unravel_index`.

    >>> jnp.argmax(jnp.array([1., 3., 2.]))
    Array(1, dtype=int32)
    """
def argmin(a: ArrayLike, axis: int | None = None, out: None = None, keepdims: _builtins.bool | None = None) -> Array:
    """Return the position of the smallest element, the first of several; in the flat array without `axis`.

    Args:
      a: array; a NaN counts as the smallest.
      axis: an axis, or None for the flat array.
      out: must be None.
      keepdims: keep the axis with length 1.
    Returns:
      Positions, int32 (int64 with 64-bit types on), in an array without that axis.
    Raises:
      ValueError: there are no elements.
    See also: `min`, `nanargmin`, `unravel_index`.

    >>> jnp.argmin(jnp.array([3., 1., 2.]))
    Array(1, dtype=int32)
    """
def argpartition(a: ArrayLike, kth: int, axis: int = -1) -> Array:
    """Return the positions of the elements of `partition`.

    Args:
      a: real array.
      kth: the place in sorted order that is right; before it come the positions of smaller elements, after it those of
        greater ones.
      axis: along which axis.
    Returns:
      Positions along the axis, int32, in an array of the shape of `a`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `a` is complex.

    >>> jnp.argpartition(jnp.array([3, 1, 2]), 1)
    Array([1, 2, 0], dtype=int32)
    """
def argsort(a: ArrayLike, axis: int | None = -1, *, kind: str | None = None, order: str | None = None, stable: _builtins.bool = True, descending: _builtins.bool = False, dtype: DTypeLike | None = None) -> Array:
    """Return the positions that sort an array along an axis.

    Args:
      a: array; NaNs go last, complex numbers are ordered by their real, then their imaginary parts.
      axis: None sorts the flat array.
      kind, order: must be None.
      stable: equal elements keep their order.
      descending: the largest first, and NaNs.
      dtype: of the positions; default int32, or int64 with 64-bit types on.
    Returns:
      An array of the shape of `a`, or flat: `take_along_axis(a, result, axis)` is sorted.
      The dtype is the default integer, int32, or int64 with 64-bit types on.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.argsort(jnp.array([3., 1., 2.]))
    Array([1, 2, 0], dtype=int32)
    """
def argwhere(a: ArrayLike, *, size: int | None = None, fill_value: ArrayLike | None = None) -> Array:
    """Return the indices of elements that are not zero, a row for each.

    Args:
      a: array.
      size: the number of rows to return; needed where the array is traced. Too many are cut, missing ones are
        `fill_value`.
      fill_value: an index, or one for each axis; default 0.
    Returns:
      ``[elements, axes]`` integers, in row-major order.
    Raises:
      ConcretizationTypeError: the array is traced, there is no `size`, and the number of rows is needed.

    >>> jnp.argwhere(jnp.array([[0, 5], [6, 0]]))
    Array([[0, 1],
           [1, 0]], dtype=int32)
    """
def around(a: ArrayLike, decimals: int = 0, out: None = None) -> Array:
    """Round to a number of decimals, as `round` does; halves go to the even neighbour.

    Args:
      a: array or scalar.
      decimals: how many, an integer; negative ones round before the decimal point, of floats only.
      out: must be None.
    Returns:
      The rounded numbers, in an array of the shape and dtype of `a`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      NotImplementedError: `out` is given.

    >>> jnp.around(jnp.array([0.5, 1.5]))
    Array([0., 2.], dtype=float32)
    """
def array(object: Any, dtype: DTypeLike | None = None, *args: Any, copy: _builtins.bool = True, order: str | None = 'K', ndmin: int = 0, device: Any = None, out_sharding: Any = None) -> Array:
    """Return an array of the given values.

    Args:
      object: a scalar, an array, or a nested list or tuple of them, all of one shape.
      dtype: default the common dtype of the values. A single Python scalar makes a weakly typed array.
      args: `copy`, `order` and `ndmin`, which are better given by name.
      copy: False returns an array that has the dtype already as it is.
      order: only "K".
      ndmin: axes of length 1 are put in front until there are so many.
      device, out_sharding: where to put it.
    Returns:
      A new array. NumPy's float64 and int64 become 32-bit ones unless 64-bit types are on.
    Raises:
      TypeError: a value is not a number.
      ValueError: the lists are not of one shape, or a value is None.
      OverflowError: an int does not fit the dtype.
    See also: `asarray`, which need not copy; `device_put`, for a place.

    >>> jnp.array([[1, 2], [3, 4]], dtype=jnp.float32)
    Array([[1., 2.],
           [3., 4.]], dtype=float32)
    """
def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: _builtins.bool = False) -> Array:
    """Return whether two arrays have the same shape and equal elements.

    Args:
      a1, a2: arrays, or what `asarray` takes.
      equal_nan: whether NaN equals NaN.
    Raises:
      TypeError: `a1` is not an array, a number, or a list of them.

    >>> jnp.array_equal(jnp.array([1, 2]), jnp.array([1, 2]))
    Array(True, dtype=bool)
    """
def array_equiv(a1: ArrayLike, a2: ArrayLike) -> Array:
    """Return whether two arrays, broadcast to one shape, have equal elements.

    Args:
      a1, a2: arrays or scalars.
    Returns:
      A boolean scalar array; False if there is a NaN.
    Raises:
      TypeError: the shapes have the same rank and do not broadcast. Those of other ranks are not equivalent.

    >>> jnp.array_equiv(jnp.array([1, 1]), 1)
    Array(True, dtype=bool)
    """
def array_repr(arr: Any, max_line_width: Any = None, precision: Any = None, suppress_small: Any = None) -> str:
    """Return the string representation of an array.

    Parameters
    ----------
    arr : ndarray
        Input array.
    max_line_width : int, optional
        Inserts newlines if text is longer than `max_line_width`.
        Defaults to ``numpy.get_printoptions()['linewidth']``.
    precision : int, optional
        Floating point precision.
        Defaults to ``numpy.get_printoptions()['precision']``.
    suppress_small : bool, optional
        Represent numbers "very close" to zero as zero; default is False.
        Very close is defined by precision: if the precision is 8, e.g.,
        numbers smaller (in absolute value) than 5e-9 are represented as
        zero.
        Defaults to ``numpy.get_printoptions()['suppress']``.

    Returns
    -------
    string : str
      The string representation of an array.

    See Also
    --------
    array_str, array2string, set_printoptions

    Examples
    --------
    >>> import numpy as np
    >>> np.array_repr(np.array([1,2]))
    'array([1, 2])'
    >>> np.array_repr(np.ma.array([0.]))
    'MaskedArray([0.])'
    >>> np.array_repr(np.array([], np.int32))
    'array([], dtype=int32)'

    >>> x = np.array([1e-6, 4e-7, 2, 3])
    >>> np.array_repr(x, precision=6, suppress_small=True)
    'array([0.000001,  0.      ,  2.      ,  3.      ])'
    """
def array_split(ary: ArrayLike, indices_or_sections: int | Sequence[int] | ArrayLike, axis: int = 0) -> list[Array]:
    """Cut an array along an axis into parts that may differ in length by one.

    Args:
      ary: array.
      indices_or_sections: the number of parts, the longer ones first, or the positions where parts begin.
      axis: the axis that goes away, with an array for each of its elements.
    Returns:
      A list of arrays: neighbouring parts, which are as `ary` along the other axes. The dtype is that of `ary`.
    Raises:
      TypeError: `ary` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.array_split(jnp.arange(3), 2)
    [Array([0, 1], dtype=int32), Array([2], dtype=int32)]
    """
def array_str(a: Any, max_line_width: Any = None, precision: Any = None, suppress_small: Any = None) -> str:
    """Return a string representation of the data in an array.

    The data in the array is returned as a single string.  This function is
    similar to `array_repr`, the difference being that `array_repr` also
    returns information on the kind of array and its data type.

    Parameters
    ----------
    a : ndarray
        Input array.
    max_line_width : int, optional
        Inserts newlines if text is longer than `max_line_width`.
        Defaults to ``numpy.get_printoptions()['linewidth']``.
    precision : int, optional
        Floating point precision.
        Defaults to ``numpy.get_printoptions()['precision']``.
    suppress_small : bool, optional
        Represent numbers "very close" to zero as zero; default is False.
        Very close is defined by precision: if the precision is 8, e.g.,
        numbers smaller (in absolute value) than 5e-9 are represented as
        zero.
        Defaults to ``numpy.get_printoptions()['suppress']``.

    See Also
    --------
    array2string, array_repr, set_printoptions

    Examples
    --------
    >>> import numpy as np
    >>> np.array_str(np.arange(3))
    '[0 1 2]'
    """
def asarray(a: Any, dtype: DTypeLike | None = None, order: str | None = None, *, copy: _builtins.bool | None = None, device: Any = None, out_sharding: Any = None) -> Array:
    """Return an array of the given values; `a` itself if it is one of that dtype.

    Args:
      a, dtype, order, device, out_sharding: as for `array`.
      copy: True makes a copy in any case.
    Returns:
      An array; of one that has the dtype already, the array itself.
    Raises:
      TypeError: `a` is not an array, a number, or a list of them.

    >>> x = jnp.ones(3)
    >>> jnp.asarray(x) is x
    True
    """
def asin(x: ArrayLike, /) -> Array:
    """Return the angle in radians with sine x, from -pi/2 to pi/2; NaN of real numbers beyond -1 and 1.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.arcsin(jnp.array([0., 1.]))
    Array([0.       , 1.5707964], dtype=float32)
    """
def asinh(x: ArrayLike, /) -> Array:
    """Return the number with hyperbolic sine x.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.arcsinh(jnp.array([0., 1.]))
    Array([0.        , 0.88137364], dtype=float32)
    """
def astype(x: ArrayLike, dtype: DTypeLike | None, /, *, copy: _builtins.bool = False, device: Any = None) -> Array:
    """Return `x` with another dtype.

    Args:
      x: array or scalar.
      dtype: None stands for the default float. Floats become integers towards zero, saturating.
      copy: copy even if `x` has the dtype.
      device: where to put it.
    Returns:
      The values in that dtype, in an array of the shape of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.astype(jnp.array([1.7, -1.7]), int)
    Array([ 1, -1], dtype=int32)
    """
def atan(x: ArrayLike, /) -> Array:
    """Return the angle in radians with tangent x, from -pi/2 to pi/2.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.arctan(jnp.array([0., 1.]))
    Array([0.       , 0.7853981], dtype=float32)
    """
def atan2(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the angle in radians of the point (x2, x1), from -pi to pi.

    Args:
      x1, x2: arrays or scalars; shapes broadcast, dtypes promote.
    Returns:
      An array with that value for each element, of the shape to which they broadcast
      and of the dtype to which they promote; integers and booleans become floats before.
    Raises:
      TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.arctan2(jnp.array([1., -1.]), -1.)
    Array([ 2.3561945, -2.3561945], dtype=float32)
    """
def atanh(x: ArrayLike, /) -> Array:
    """Return the number with hyperbolic tangent x; infinite at -1 and 1, NaN of real numbers beyond.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.arctanh(jnp.array([0., 0.5]))
    Array([0.        , 0.54930615], dtype=float32)
    """
@overload
def atleast_1d(x: ArrayLike, /) -> Array:
    """Return the arguments as arrays with one axis at least.

    Args:
      *arys: arrays or scalars.
    Returns:
      An array, or a list if there are several arguments: scalars have shape ``(1,)``, arrays are as they are.
      The dtype is that of the argument.
    Raises:
      TypeError: one of `arys` is not an array or scalar.

    >>> jnp.atleast_1d(1.).shape
    (1,)
    """
@overload
def atleast_1d(*arys: ArrayLike) -> list[Array]:
    """Return the arguments as arrays with one axis at least.

    Args:
      *arys: arrays or scalars.
    Returns:
      An array, or a list if there are several arguments: scalars have shape ``(1,)``, arrays are as they are.
      The dtype is that of the argument.
    Raises:
      TypeError: one of `arys` is not an array or scalar.

    >>> jnp.atleast_1d(1.).shape
    (1,)
    """
@overload
def atleast_2d(x: ArrayLike, /) -> Array:
    """Return the arguments as arrays with two axes at least; new ones are put in front.

    Args:
      *arys: arrays or scalars.
    Returns:
      An array, or a list if there are several arguments: ``[n]`` becomes ``[1, n]``.
      The dtype is that of the argument.
    Raises:
      TypeError: one of `arys` is not an array or scalar.

    >>> jnp.atleast_2d(jnp.ones(3)).shape
    (1, 3)
    """
@overload
def atleast_2d(*arys: ArrayLike) -> list[Array]:
    """Return the arguments as arrays with two axes at least; new ones are put in front.

    Args:
      *arys: arrays or scalars.
    Returns:
      An array, or a list if there are several arguments: ``[n]`` becomes ``[1, n]``.
      The dtype is that of the argument.
    Raises:
      TypeError: one of `arys` is not an array or scalar.

    >>> jnp.atleast_2d(jnp.ones(3)).shape
    (1, 3)
    """
@overload
def atleast_3d(x: ArrayLike, /) -> Array:
    """Return the arguments as arrays with three axes at least.

    Args:
      *arys: arrays or scalars.
    Returns:
      An array, or a list if there are several arguments: ``[n]`` becomes ``[1, n, 1]``, and ``[n, m]`` ``[n, m, 1]``.
      The dtype is that of the argument.
    Raises:
      TypeError: one of `arys` is not an array or scalar.

    >>> jnp.atleast_3d(jnp.ones(3)).shape
    (1, 3, 1)
    """
@overload
def atleast_3d(*arys: ArrayLike) -> list[Array]:
    """Return the arguments as arrays with three axes at least.

    Args:
      *arys: arrays or scalars.
    Returns:
      An array, or a list if there are several arguments: ``[n]`` becomes ``[1, n, 1]``, and ``[n, m]`` ``[n, m, 1]``.
      The dtype is that of the argument.
    Raises:
      TypeError: one of `arys` is not an array or scalar.

    >>> jnp.atleast_3d(jnp.ones(3)).shape
    (1, 3, 1)
    """
@overload
def average(a: ArrayLike, axis: _Axis = None, weights: ArrayLike | None = None, returned: Literal[False] = False, keepdims: _builtins.bool = False) -> Array:
    """Return the weighted mean over axes.

    Args:
      a: array.
      axis: an axis, a tuple of axes, or None for all.
      weights: of the shape of `a`, or where `axis` is given of its reduced axes; None for equal ones.
      returned: also return the sum of the weights, for each mean.
      keepdims: keep the reduced axes with length 1.
    Returns:
      The sums of products with the weights over the sums of the weights, in an array without these axes; with
      `returned` a pair of it and the sums of the weights.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      ValueError: the weights have another shape.

    >>> jnp.average(jnp.array([1., 3.]), weights=jnp.array([3., 1.]))
    Array(1.5, dtype=float32)
    """
@overload
def average(a: ArrayLike, axis: _Axis = None, weights: ArrayLike | None = None, *, returned: Literal[True], keepdims: _builtins.bool = False) -> tuple[Array, Array]:
    """Return the weighted mean over axes.

    Args:
      a: array.
      axis: an axis, a tuple of axes, or None for all.
      weights: of the shape of `a`, or where `axis` is given of its reduced axes; None for equal ones.
      returned: also return the sum of the weights, for each mean.
      keepdims: keep the reduced axes with length 1.
    Returns:
      The sums of products with the weights over the sums of the weights, in an array without these axes; with
      `returned` a pair of it and the sums of the weights.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      ValueError: the weights have another shape.

    >>> jnp.average(jnp.array([1., 3.]), weights=jnp.array([3., 1.]))
    Array(1.5, dtype=float32)
    """
def bartlett(M: int) -> Array:
    """Return the Bartlett window of length M: a triangle that is 0 at the ends.

    Args:
      M: the number of points.
    Returns:
      An array of `M` floats, symmetric.
    Raises:
      TypeError: `M` is not an integer.

    >>> jnp.bartlett(5)
    Array([0. , 0.5, 1. , 0.5, 0. ], dtype=float32)
    """
bfloat16: _Scalar
"""A constructor of arrays of dtype bfloat16, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.bfloat16.dtype
dtype(bfloat16)
"""
def bincount(x: ArrayLike, weights: ArrayLike | None = None, minlength: int = 0, *, length: int | None = None, out_sharding: Any = None) -> Array:
    """Return how often each non-negative integer occurs.

    Args:
      x: integers; negative ones count as 0.
      weights: summed instead of counted.
      minlength: the least length of the result.
      length: the length of the result, needed where `x` is traced; larger integers are dropped.
      out_sharding: how the result is divided, over explicit mesh axes.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.bincount(jnp.array([1, 1, 3]))
    Array([0, 2, 0, 1], dtype=int32)
    """
bitwise_and: ufunc
"""Return the bits that are set in both; of booleans, whether both are true.

Args:
  x, y: arrays or scalars; shapes broadcast, dtypes promote.
  out, where: must be None: arrays do not change.
Returns:
  An array with that value for each element, of the shape to which they broadcast
  and of the dtype to which they promote.
Raises:
  TypeError: an operand is not of integers or booleans, or shapes do not broadcast; lists are not converted.
  NotImplementedError: `out` or `where` is given.

>>> jnp.bitwise_and(jnp.array([5, 6]), 3)
Array([1, 2], dtype=int32)
"""
def bitwise_count(x: ArrayLike, /) -> Array:
    """Return the number of bits that are set in the absolute value, elementwise.

    Args:
      x: array or scalar of integers or booleans.
    Returns:
      An array of uint8, of the shape of `x`.
    Raises:
      TypeError: `x` is complex or not an array or scalar; lists are not converted.

    >>> jnp.bitwise_count(jnp.array([0, 7, -7]))
    Array([0, 3, 3], dtype=uint8)
    """
def bitwise_invert(x: ArrayLike, /) -> Array:
    """Return the bits that are not set; of booleans, the opposite.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype.
    Raises:
      TypeError: `x` is not of integers or booleans; lists are not converted.

    >>> jnp.bitwise_not(jnp.array([0, 5]))
    Array([-1, -6], dtype=int32)
    """
def bitwise_left_shift(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Return x with its bits moved up y places, zeros moving in; 0 where y is no number of a bit.

    Args:
      x, y: arrays or scalars; shapes broadcast, dtypes promote.
    Returns:
      An array with that value for each element, of the shape to which they broadcast
      and of the dtype to which they promote.
    Raises:
      TypeError: an operand is not of integers, or shapes do not broadcast; lists are not converted.

    >>> jnp.left_shift(jnp.array([1, 3]), 2)
    Array([ 4, 12], dtype=int32)
    """
def bitwise_not(x: ArrayLike, /) -> Array:
    """Return the bits that are not set; of booleans, the opposite.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype.
    Raises:
      TypeError: `x` is not of integers or booleans; lists are not converted.

    >>> jnp.bitwise_not(jnp.array([0, 5]))
    Array([-1, -6], dtype=int32)
    """
bitwise_or: ufunc
"""Return the bits that are set in at least one; of booleans, whether one is true.

Args:
  x, y: arrays or scalars; shapes broadcast, dtypes promote.
  out, where: must be None: arrays do not change.
Returns:
  An array with that value for each element, of the shape to which they broadcast
  and of the dtype to which they promote.
Raises:
  TypeError: an operand is not of integers or booleans, or shapes do not broadcast; lists are not converted.
  NotImplementedError: `out` or `where` is given.

>>> jnp.bitwise_or(jnp.array([5, 6]), 3)
Array([7, 7], dtype=int32)
"""
def bitwise_right_shift(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return x1 with its bits moved down x2 places; signed integers keep their sign.

    Args:
      x1, x2: arrays or scalars; shapes broadcast, dtypes promote.
    Returns:
      An array with that value for each element, of the shape to which they broadcast
      and of the dtype to which they promote.
    Raises:
      TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.right_shift(jnp.array([4, -4]), 1)
    Array([ 2, -2], dtype=int32)
    """
bitwise_xor: ufunc
"""Return the bits that are set in exactly one; of booleans, whether they differ.

Args:
  x, y: arrays or scalars; shapes broadcast, dtypes promote.
  out, where: must be None: arrays do not change.
Returns:
  An array with that value for each element, of the shape to which they broadcast
  and of the dtype to which they promote.
Raises:
  TypeError: an operand is not of integers or booleans, or shapes do not broadcast; lists are not converted.
  NotImplementedError: `out` or `where` is given.

>>> jnp.bitwise_xor(jnp.array([5, 6]), 3)
Array([6, 5], dtype=int32)
"""
def blackman(M: int) -> Array:
    """Return the Blackman window of length M: a constant and two cosines, near 0 at the ends.

    Args:
      M: the number of points.
    Returns:
      An array of `M` floats, symmetric.
    Raises:
      TypeError: `M` is not an integer.

    >>> jnp.blackman(5).round(2)
    Array([-0.  ,  0.34,  1.  ,  0.34, -0.  ], dtype=float32)
    """
def block(arrays: Any) -> Array:
    """Return an array put together from nested lists of blocks: the innermost lists along the last axis, and so on.

    Args:
      arrays: an array, or a list of lists, all of one depth, of arrays.
    Returns:
      An array of the dtype to which theirs promote.
    Raises:
      ValueError: lists differ in depth, or one is empty.
      TypeError: a tuple, or lengths that do not fit.

    >>> jnp.block([[jnp.ones(1), jnp.zeros(1)], [jnp.zeros(1), jnp.ones(1)]])
    Array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
bool: _Scalar
"""A constructor of arrays of dtype bool, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.bool.dtype
dtype('bool')
"""
from adjoint.numpy import bool as _bool_
bool_ = _bool_
def broadcast_arrays(*args: ArrayLike) -> list[Array]:
    """Return the arguments stretched to their common shape.

    Args:
      *args: arrays or scalars.
    Returns:
      A list of arrays of one shape, each of its own dtype.
    Raises:
      ValueError: the shapes do not fit.

    >>> [x.shape for x in jnp.broadcast_arrays(jnp.ones((2, 1)), jnp.ones(3))]
    [(2, 3), (2, 3)]
    """
def broadcast_shapes(*shapes: int | Sequence[int]) -> tuple[int, ...]:
    """Return the shape to which shapes broadcast.

    Args:
      *shapes: tuples of lengths, aligned at their ends, or ints; a length of 1, or none, fits any.
    Returns:
      A tuple, as long as the longest of them.
    Raises:
      ValueError: the shapes do not fit.

    >>> jnp.broadcast_shapes((3, 1), (4,))
    (3, 4)
    """
def broadcast_to(array: ArrayLike, shape: int | Sequence[int | Array], *, out_sharding: Any = None) -> Array:
    """Return the array stretched to a shape by NumPy's rules.

    Args:
      array: array or scalar.
      shape: an int or ints; axes are compared from the last one, and those of length 1 are repeated.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of that shape and of the dtype of `array`.
    Raises:
      ValueError: a length is neither 1 nor that of the shape.
    See also: `broadcast_arrays`, `tile`, `repeat`.

    >>> jnp.broadcast_to(jnp.arange(2), (2, 2))
    Array([[0, 1],
           [0, 1]], dtype=int32)
    """
c_: _Join
def can_cast(from_: Any, to: Any, casting: str = 'safe') -> _builtins.bool:
    """Return whether one dtype can be converted to another.

    Args:
      from_: a dtype, or an array, whose dtype counts.
      to: a dtype.
      casting: how far conversions go: "no", "equiv", "safe", "same_kind" or "unsafe".
    Raises:
      TypeError: `from_` is a number of Python, which has no dtype.

    >>> jnp.can_cast(jnp.int8, jnp.int16), jnp.can_cast(jnp.ones(2), jnp.int16)
    (True, False)
    """
def cbrt(x: ArrayLike, /) -> Array:
    """Return the real cube root, which has the sign of x.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is complex, or not an array or scalar; lists are not converted.

    >>> jnp.cbrt(jnp.array([8., -27.]))
    Array([ 2., -3.], dtype=float32)
    """
from adjoint.numpy import complex128 as _cdouble
cdouble = _cdouble
def ceil(x: ArrayLike, /) -> Array:
    """Return the smallest whole number that is not below x; integers are as they are.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype.
    Raises:
      TypeError: `x` is complex, or not an array or scalar; lists are not converted.

    >>> jnp.ceil(jnp.array([-1.5, 1.5]))
    Array([-1.,  2.], dtype=float32)
    """
from numpy import character as character
def choose(a: ArrayLike, choices: Sequence[ArrayLike] | ArrayLike, out: None = None, mode: str = 'raise') -> Array:
    """Take, for each element of an integer array, the element of the array that it names.

    Args:
      a: integers from 0 to the number of choices.
      choices: arrays; all of them broadcast with `a`.
      out: must be None.
      mode: for integers out of range: "clip", or "wrap" takes them modulo the number of choices; "raise"
        works only where values are known.
    Returns:
      An array of the shape to which the operands broadcast: each element is that of choice number ``arr[i]``.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      NotImplementedError: `out` is given.

    >>> jnp.choose(jnp.array([1, 0]), [jnp.array([1, 2]), jnp.array([10, 20])])
    Array([10,  2], dtype=int32)
    """
def clip(arr: ArrayLike | None = None, /, min: ArrayLike | None = None, max: ArrayLike | None = None) -> Array:
    """Return the elements of an array, moved to the nearest limit where they are outside.

    Args:
      arr: real array or scalar.
      min, max: arrays or scalars; None is no limit. Where `min > max`, the result is `max`.
    Returns:
      An array of the shape to which all broadcast, with elements from `min` to `max`.
      The dtype is the one to which those of the arguments promote.
    Raises:
      ValueError: something is complex.
    See also: `minimum`, `maximum`, `nn.relu`.

    >>> jnp.clip(jnp.array([-1., 0.5, 2.]), 0, 1)
    Array([0. , 0.5, 1. ], dtype=float32)
    """
def column_stack(tup: Sequence[ArrayLike] | ArrayLike) -> Array:
    """Return arrays side by side; those with one axis are columns.

    Args:
      tup: a sequence of arrays, or an array whose rows are meant.
    Returns:
      An array with two axes, of the dtype to which theirs promote.
    Raises:
      TypeError: one of `tup` is not an array or scalar.

    >>> jnp.column_stack([jnp.zeros(2), jnp.ones(2)])
    Array([[0., 1.],
           [0., 1.]], dtype=float32)
    """
complex128: _Scalar
"""A constructor of arrays of dtype complex128, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, or the 32-bit one unless 64-bit types are on, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.complex128.dtype
dtype('complex128')
"""
complex64: _Scalar
"""A constructor of arrays of dtype complex64, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.complex64.dtype
dtype('complex64')
"""
from adjoint.numpy import complex128 as _complex_
complex_ = _complex_
from numpy import complexfloating as complexfloating
def compress(condition: ArrayLike, a: ArrayLike, axis: int | None = None, *, size: int | None = None, fill_value: ArrayLike = 0, out: None = None) -> Array:
    """Return the parts of an array along an axis where a condition holds.

    Args:
      condition: booleans, with one axis.
      a: array.
      axis: None takes elements of the flat array.
      size: the number of parts to return, needed where the condition is traced; missing ones are `fill_value`.
      fill_value: of entries that are missing where `size` is given.
      out: must be None.
    Returns:
      The entries along the axis where the condition holds, in an array of the dtype of `a`.
    Raises:
      TypeError: `condition` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.compress(jnp.array([True, False, True]), jnp.array([1, 2, 3]))
    Array([1, 3], dtype=int32)
    """
def concat(arrays: Sequence[ArrayLike] | ArrayLike, /, *, axis: int | None = 0) -> Array:
    """Return arrays one after the other along an axis that they have: `concatenate` under the array API's name.

    Args:
      arrays: a sequence of arrays, or an array whose rows are meant.
      axis: None flattens the arrays first.
    Returns:
      An array with the elements of the first along the axis, then those of the second, and so on.
      The dtype is the one to which those of the arrays promote.
    Raises:
      ValueError: there is no array, or one has no axes.
      TypeError: lengths of the other axes differ.

    >>> jnp.concat([jnp.zeros(1), jnp.ones(2)])
    Array([0., 1., 1.], dtype=float32)
    """
def concatenate(arrays: Sequence[ArrayLike] | ArrayLike, axis: int | None = 0, dtype: DTypeLike | None = None) -> Array:
    """Return arrays one after the other along an axis that they have.

    Args:
      arrays: a sequence of arrays, or an array whose rows are meant.
      axis: None flattens the arrays first.
      dtype: of the result; default what the dtypes of the arrays promote to.
    Returns:
      An array with the elements of the first along the axis, then those of the second, and so on.
      The dtype is the one to which those of the arrays promote.
    Raises:
      ValueError: there is no array, or one has no axes.
      TypeError: lengths of the other axes differ.
    See also: `stack` along a new axis, `append`, `split`.

    >>> jnp.concatenate([jnp.zeros(1), jnp.ones(2)])
    Array([0., 1., 1.], dtype=float32)
    """
def conj(x: ArrayLike, /) -> Array:
    """Return the complex conjugate; of real numbers, the operand itself.

    Args:
      x: array or scalar.
    Returns:
      An array of the shape and dtype of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.conjugate(jnp.array([1 + 2j]))
    Array([1.-2.j], dtype=complex64)
    """
def conjugate(x: ArrayLike, /) -> Array:
    """Return the complex conjugate; of real numbers, the operand itself.

    Args:
      x: array or scalar.
    Returns:
      An array of the shape and dtype of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.conjugate(jnp.array([1 + 2j]))
    Array([1.-2.j], dtype=complex64)
    """
def convolve(a: ArrayLike, v: ArrayLike, mode: str = 'full', *, precision: Any = None, preferred_element_type: DTypeLike | None = None) -> Array:
    """Return the convolution of two sequences: sums of products of `a` with the reversed `v` shifted along it.

    Args:
      a, v: arrays with one axis.
      mode: "full", "same" (as long as the longer one) or "valid" (where they overlap wholly).
      precision: of the multiplication: a `lax.Precision` or its name.
      preferred_element_type: the dtype to accumulate in and to return.
    Returns:
      An array with one axis: of lengths n and m it has ``n + m - 1`` elements, the longer one's, or ``n - m + 1``.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.convolve(jnp.array([1., 2.]), jnp.array([1., 1.]))
    Array([1., 3., 2.], dtype=float32)
    """
def copy(a: ArrayLike, order: str | None = None) -> Array:
    """Return a copy of an array.

    Args:
      a: array or scalar.
      order: None or "K": arrays have one order in memory.
    Returns:
      A new array of the same shape, dtype and values.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.copy(jnp.array([1, 2]))
    Array([1, 2], dtype=int32)
    """
def copysign(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the absolute value of x1 with the sign of x2, elementwise.

    Args:
      x1, x2: real arrays or scalars; shapes broadcast and dtypes promote.
    Returns:
      An array of the shape to which they broadcast, of a float dtype; integers become floats before.
    Raises:
      TypeError: `x1` is complex or not an array or scalar; lists are not converted.
      ValueError: shapes do not broadcast.

    >>> jnp.copysign(jnp.array([1., -2.]), jnp.array([-0., 3.]))
    Array([-1.,  2.], dtype=float32)
    """
def corrcoef(x: ArrayLike, y: ArrayLike | None = None, rowvar: _builtins.bool = True, dtype: DTypeLike | None = None) -> Array:
    """Return the correlations of variables: covariances divided by both standard deviations, from -1 to 1.

    Args:
      x: observations, `[variables, observations]`, or of one variable, `[observations]`.
      y: more variables, like `x`.
      rowvar: each row is a variable; else each column.
      dtype: of the result; default the inexact dtype of the operands.
    Returns:
      `[variables, variables]`, with ones on the diagonal, or a scalar for one variable.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      ValueError: operands with more than two axes.

    >>> jnp.corrcoef(jnp.array([[1., 2., 3.], [3., 2., 1.]]))
    Array([[ 1., -1.],
           [-1.,  1.]], dtype=float32)
    """
def correlate(a: ArrayLike, v: ArrayLike, mode: str = 'valid', *, precision: Any = None, preferred_element_type: DTypeLike | None = None) -> Array:
    """Return the cross-correlation of two sequences: sums of products of `a` with `v` shifted along it.

    Args:
      a, v: arrays with one axis; `v` is conjugated.
      mode: "valid" (where they overlap wholly), "same" (as long as the longer one) or "full".
      precision: of the multiplication: a `lax.Precision` or its name.
      preferred_element_type: the dtype to accumulate in and to return.
    Returns:
      An array with one axis: of lengths n and m it has ``n - m + 1`` elements, the longer one's, or ``n + m - 1``.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.correlate(jnp.array([1., 2., 3.]), jnp.array([1., 1.]))
    Array([3., 5.], dtype=float32)
    """
def cos(x: ArrayLike, /) -> Array:
    """Return the cosine of an angle in radians.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.cos(jnp.array([0., 1.]))
    Array([1.       , 0.5403023], dtype=float32)
    """
def cosh(x: ArrayLike, /) -> Array:
    """Return the hyperbolic cosine, (e ** x + e ** -x) / 2.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.cosh(jnp.array([0., 1.]))
    Array([1.       , 1.5430806], dtype=float32)
    """
def count_nonzero(a: ArrayLike, axis: int | Sequence[int] | None = None, keepdims: _builtins.bool = False) -> Array:
    """Return the number of elements over axes that are not zero.

    Args:
      a: array; a NaN counts.
      axis: an axis, a tuple of axes, or None for all.
      keepdims: keep the reduced axes with length 1.
    Returns:
      The numbers, of the default integer dtype, in an array without these axes.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.count_nonzero(jnp.array([1., 0.]))
    Array(1, dtype=int32)
    """
def cov(m: ArrayLike, y: ArrayLike | None = None, rowvar: _builtins.bool = True, bias: _builtins.bool = False, ddof: int | None = None, fweights: ArrayLike | None = None, aweights: ArrayLike | None = None, dtype: DTypeLike | None = None) -> Array:
    """Return the covariances of variables.

    Args:
      m: observations, `[variables, observations]`, or of one variable, `[observations]`.
      y: more variables, like `m`.
      rowvar: each row is a variable; else each column.
      bias: divide by the number of observations, not by one less.
      ddof: how many less, whatever `bias` says.
      fweights: how often each observation was made, integers `[observations]`.
      aweights: how much each observation counts, `[observations]`.
      dtype: of the result; default the inexact dtype of the operands.
    Returns:
      `[variables, variables]`, or a scalar for one variable.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      ValueError: operands with more than two axes.
      TypeError: frequencies that are not integers.

    >>> jnp.cov(jnp.array([[1., 2., 3.], [3., 2., 1.]]))
    Array([[ 1., -1.],
           [-1.,  1.]], dtype=float32)
    """
def cross(a: ArrayLike, b: ArrayLike, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Array:
    """Return the cross product of vectors of length 3 (or 2) along an axis.

    Args:
      a, b: arrays of length 2 or 3 along the axis; the others broadcast.
      axisa, axisb, axisc: the axis of the vectors in `a`, `b` and the result.
      axis: all three of them.
    Returns:
      An array of vectors; of numbers, where the vectors have length 2.
      The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.cross(jnp.array([1., 0., 0.]), jnp.array([0., 1., 0.]))
    Array([0., 0., 1.], dtype=float32)
    """
from adjoint.numpy import complex64 as _csingle
csingle = _csingle
def cumprod(a: ArrayLike, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, out: None = None) -> Array:
    """Return running products along an axis, or of the flat array.

    Args:
      a: array.
      axis: the axis; None flattens the array.
      dtype: of the result; default that of `a`, of booleans the default integer.
      out: must be None.
    Returns:
      An array of the shape of `a`, or flat: position i along the axis is that of
      elements 0 to i. The dtype is `dtype`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.cumprod(jnp.array([1, 2, 3]))
    Array([1, 2, 6], dtype=int32)
    """
def cumsum(a: ArrayLike, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, out: None = None) -> Array:
    """Return running sums along an axis, or of the flat array.

    Args:
      a: array.
      axis: the axis; None flattens the array.
      dtype: of the result; default that of `a`, of booleans the default integer.
      out: must be None.
    Returns:
      An array of the shape of `a`, or flat: position i along the axis is that of
      elements 0 to i. The dtype is `dtype`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.cumsum(jnp.array([1, 2, 3]))
    Array([1, 3, 6], dtype=int32)
    """
def cumulative_prod(x: ArrayLike, /, *, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, include_initial: _builtins.bool = False) -> Array:
    """Return running products, of small integers as the default one, along an axis.

    Args:
      x: array with one axis at least.
      axis: needed unless there is one axis.
      dtype: of the result.
      include_initial: put 1 in front.
    Returns:
      An array of the shape of `x`, with `include_initial` longer by one.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range, or left out where there are several axes.

    >>> jnp.cumulative_prod(jnp.array([2, 3]), include_initial=True)
    Array([1, 2, 6], dtype=int32)
    """
def cumulative_sum(x: ArrayLike, /, *, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, include_initial: _builtins.bool = False) -> Array:
    """Return running sums, of small integers as the default one, along an axis.

    Args:
      x: array with one axis at least.
      axis: needed unless there is one axis.
      dtype: of the result.
      include_initial: put 0 in front.
    Returns:
      An array of the shape of `x`, with `include_initial` longer by one.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range, or left out where there are several axes.

    >>> jnp.cumulative_sum(jnp.array([1, 2]), include_initial=True)
    Array([0, 1, 3], dtype=int32)
    """
def deg2rad(x: ArrayLike, /) -> Array:
    """Return an angle in radians, given in degrees, elementwise.

    Args:
      x: array or scalar.
    Returns:
      ``x * pi / 180``, in an array of the shape of `x` and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.deg2rad(jnp.array([0., 180.]))
    Array([0.       , 3.1415927], dtype=float32)
    """
def degrees(x: ArrayLike, /) -> Array:
    """Return an angle in degrees, given in radians, elementwise.

    Args:
      x: array or scalar.
    Returns:
      ``x * 180 / pi``, in an array of the shape of `x` and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.rad2deg(jnp.array([0., jnp.pi]))
    Array([  0., 180.], dtype=float32)
    """
def delete(arr: ArrayLike, obj: Any, axis: int | None = None, *, assume_unique_indices: _builtins.bool = False) -> Array:
    """Return the array without the elements at some indices of an axis.

    Args:
      arr: array.
      obj: an int, an array of ints, a slice or a mask.
      axis: None flattens the array.
      assume_unique_indices: a promise that no index occurs twice, needed where indices are traced; those out of range
        take the first or the last element.
    Returns:
      The other entries along the axis, in an array of the dtype of `arr`; flat without an axis.
    Raises:
      ConcretizationTypeError: there are several traced indices, and no promise.

    >>> jnp.delete(jnp.arange(3), 1)
    Array([0, 2], dtype=int32)
    """
def diag(v: ArrayLike, k: int = 0) -> Array:
    """Return the matrix with this diagonal, or the diagonal of this matrix.

    Args:
      v: array with one or two axes.
      k: which diagonal, counted from the main one upwards.
    Returns:
      An array with one axis less, or of one axis, a matrix. The dtype is that of `v`.
    Raises:
      TypeError: `v` is not an array or scalar; lists are not converted.

    >>> jnp.diag(jnp.array([1., 2.]))
    Array([[1., 0.],
           [0., 2.]], dtype=float32)
    """
def diag_indices(n: int, ndim: int = 2) -> tuple[Array, ...]:
    """Return the positions of the main diagonal of an array with `ndim` axes of length `n`.

    Args:
      n: the length of the axes.
      ndim: how many there are.
    Returns:
      A tuple with the positions 0 to n - 1 for each axis: an index of arrays.
      The dtype is the default integer, int32, or int64 with 64-bit types on.
    Raises:
      ValueError: a negative argument.

    >>> jnp.diag_indices(2)
    (Array([0, 1], dtype=int32), Array([0, 1], dtype=int32))
    """
def diag_indices_from(arr: ArrayLike) -> tuple[Array, ...]:
    """Return the positions of the main diagonal of `arr`.

    Args:
      arr: array with two axes at least, all of one length.
    Returns:
      A tuple with the positions 0 to n - 1 for each axis: an index of `arr`.
    Raises:
      ValueError: it has fewer than two axes, or axes of different lengths.

    >>> jnp.diag_indices_from(jnp.zeros((2, 2)))
    (Array([0, 1], dtype=int32), Array([0, 1], dtype=int32))
    """
def diagflat(v: ArrayLike, k: int = 0) -> Array:
    """Return the matrix with the flattened elements as its diagonal, and zeros elsewhere.

    Args:
      v: array or scalar; it is flattened.
      k: which diagonal, counted from the main one upwards.
    Returns:
      ``[n + |k|, n + |k|]``, of the dtype of `v`.
    Raises:
      TypeError: `v` is not an array or scalar; lists are not converted.

    >>> jnp.diagflat(jnp.array([[1., 2.]]))
    Array([[1., 0.],
           [0., 2.]], dtype=float32)
    """
def diagonal(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """Return the diagonal over two axes, as the last axis.

    Args:
      a: array with two axes at least.
      offset: which diagonal, counted from the main one upwards.
      axis1, axis2: the axes of the matrices.
    Returns:
      An array without these axes, whose last axis is the diagonal. The dtype is that of `a`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.diagonal(jnp.eye(2))
    Array([1., 1.], dtype=float32)
    """
def diff(a: ArrayLike, n: int = 1, axis: int = -1, prepend: ArrayLike | None = None, append: ArrayLike | None = None) -> Array:
    """Return differences of neighbours along an axis, `n` times.

    Args:
      a: array; of booleans, whether neighbours differ.
      n: how often differences are taken.
      axis: along which axis; default the last.
      prepend, append: put before and after the elements first.
    Returns:
      The differences, in an array that is shorter by `n` along the axis; of booleans, whether neighbours differ.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.diff(jnp.array([1, 4, 9]))
    Array([3, 5], dtype=int32)
    """
def digitize(x: ArrayLike, bins: ArrayLike | Sequence[ArrayLike], right: _builtins.bool = False, *, method: str | None = None) -> Array:
    """Return the position of the bin of each element.

    Args:
      x: array.
      bins: the edges, going up or down.
      right: whether the bins have their right edge rather than their left one.
      method: how to look for it, as for `searchsorted`.
    Returns:
      Integers from 0 (before the first edge) to ``len(bins)`` (behind the last), in an array of the shape of `x`.
      The dtype is int32.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.digitize(jnp.array([0.5, 1.5]), jnp.array([0., 1., 2.]))
    Array([1, 2], dtype=int32)
    """
def divide(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the quotient x1 / x2, never an integer; infinite, or NaN for 0 / 0, where x2 is 0.

    Args:
      x1, x2: arrays or scalars; shapes broadcast, dtypes promote.
    Returns:
      An array with that value for each element, of the shape to which they broadcast
      and of the dtype to which they promote; integers and booleans become floats before.
    Raises:
      TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.true_divide(jnp.array([1, 2]), 4)
    Array([0.25, 0.5 ], dtype=float32)
    """
def divmod(x1: ArrayLike, x2: ArrayLike, /) -> tuple[Array, Array]:
    """Return `(x1 // x2, x1 % x2)`: the quotient rounded down, and the remainder with the sign of x2, elementwise.

    Args:
      x1, x2: real arrays or scalars; shapes broadcast and dtypes promote.
    Returns:
      A pair of arrays of the shape to which they broadcast and the dtype to which they promote.
    Raises:
      TypeError: `x1` is complex or not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.divmod(jnp.array([7., -7.]), 2.)
    (Array([ 3., -4.], dtype=float32), Array([1., 1.], dtype=float32))
    """
def dot(a: ArrayLike, b: ArrayLike, *, precision: Any = None, preferred_element_type: DTypeLike | None = None, out_sharding: Any = None) -> Array:
    """Return the dot product: sums over the last axis of `a` and the last but one of `b`.

    Args:
      a, b: arrays; scalars multiply.
      precision: of the multiplication: a `lax.Precision` or its name.
      preferred_element_type: the dtype to accumulate in and to return.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      The sums of products, in an array with the other axes of `a`, then those of `b`; of two vectors a scalar.
      The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: the lengths of these axes differ.
    See also: `matmul`, `einsum`, `tensordot`, `vdot`, `inner`.

    >>> jnp.dot(jnp.array([1., 2.]), jnp.array([3., 4.]))
    Array(11., dtype=float32)
    """
from adjoint.numpy import float64 as _double
double = _double
def dsplit(ary: ArrayLike, indices_or_sections: int | Sequence[int] | ArrayLike) -> list[Array]:
    """Cut an array into parts along axis 2.

    Args:
      ary: array with three axes at least.
      indices_or_sections: the number of equal parts, or the positions where parts begin.
    Returns:
      A list of arrays: neighbouring parts. The dtype is that of `ary`.
    Raises:
      ValueError: the axis has no such number of equal parts, or positions do not go up from 0 to its length.

    >>> [x.shape for x in jnp.dsplit(jnp.ones((1, 2, 4)), 2)]
    [(1, 2, 2), (1, 2, 2)]
    """
def dstack(tup: Sequence[ArrayLike] | ArrayLike, dtype: DTypeLike | None = None) -> Array:
    """Return arrays one behind the other, along axis 2.

    Args:
      tup: a sequence of arrays, or an array whose rows are meant.
      dtype: of the result; default what the dtypes of the arrays promote to.
    Returns:
      An array with three axes at least: those of ``[n]`` are ``[1, n, k]``, those of ``[n, m]`` are ``[n, m, k]``.
      The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: one of `tup` is not an array or scalar.

    >>> jnp.dstack([jnp.zeros(2), jnp.ones(2)]).shape
    (1, 2, 2)
    """
from numpy import dtype as dtype
e: float
def ediff1d(ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None) -> Array:
    """Return differences of neighbours in the flat array, between other elements.

    Args:
      ary: array; it is flattened.
      to_end, to_begin: put after and before the differences, flattened.
    Returns:
      An array with one axis, of the dtype of `ary`.
    Raises:
      TypeError: `ary` is not an array or scalar; lists are not converted.

    >>> jnp.ediff1d(jnp.array([1, 4, 9]), to_end=7)
    Array([3, 5, 7], dtype=int32)
    """
def einsum(subscripts: Any, /, *operands: Any, out: None = None, optimize: Any = 'auto', precision: Any = None, preferred_element_type: DTypeLike | None = None, _dot_general: Any = ..., out_sharding: Any = None) -> Array:
    """Return sums of products by Einstein's convention.

    Args:
      subscripts: such as ``"bij,bjk->bik"``; or operands and lists of ints in turn.
      operands: arrays.
      out: must be None.
      optimize: how to choose the order of contraction; see `opt_einsum`.
      precision, preferred_element_type: as in `dot`.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array with the axes after the arrow; without an arrow, those that occur once, in the order of the alphabet.
      The dtype is the one to which those of the operands promote, unless `preferred_element_type` says another.
    Raises:
      ValueError: the subscripts do not fit the operands.
    See also: `matmul`, `tensordot`, `einsum_path`.

    >>> jnp.einsum("ij,j->i", jnp.ones((2, 3)), jnp.arange(3.))
    Array([3., 3.], dtype=float32)
    """
def einsum_path(subscripts: Any, /, *operands: Any, optimize: Any = 'auto') -> tuple[list[Any], str]:
    """Return the order in which `einsum` contracts its operands, and a description of it, by `opt_einsum`.

    Args:
      subscripts: as for `einsum`, such as "ij,jk->ik".
      *operands: arrays; only shapes count.
      optimize: how to look for the order: "auto", "optimal", "greedy", or an order.
    Returns:
      A list of tuples with the positions of the operands to contract next, and a `PathInfo`, which prints costs.
    Raises:
      ValueError: the subscripts do not fit the number of operands, or the number of axes of one.
      TypeError: the first argument is no text, and no operands in the form of lists of axes follow.

    >>> path, description = jnp.einsum_path("ij,jk,kl", *[jnp.ones((2, 2))] * 3)
    >>> len(path)
    2
    """
def empty(shape: int | Sequence[int | Array], dtype: DTypeLike | None = None, *, device: Any = None, out_sharding: Any = None) -> Array:
    """Return an array of zeros: programs that read what was never written are the same in every run.

    Args:
      shape: an int or a sequence of ints, known while tracing.
      dtype: default float32, or float64 with 64-bit types on.
      device, out_sharding: where to put it.
    Returns:
      An array of that shape and dtype.
    Raises:
      TypeError: the shape is not of ints, or is a traced value.

    >>> jnp.empty(2)
    Array([0., 0.], dtype=float32)
    """
def empty_like(prototype: ArrayLike, dtype: DTypeLike | None = None, shape: int | Sequence[int | Array] | None = None, *, device: Any = None) -> Array:
    """Return an array of zeros with the shape and dtype of another.

    Args:
      prototype: an array, a scalar, or anything with `shape` and `dtype`.
      dtype, shape: in place of those of `prototype`.
      device: where to put it.
    Returns:
      An array of that shape and dtype.
    Raises:
      TypeError: `prototype` is not an array or scalar; lists are not converted.

    >>> jnp.empty_like(jnp.array([1, 2]))
    Array([0, 0], dtype=int32)
    """
def equal(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Return whether x == y; NaN equals nothing.

    Args:
      x, y: arrays or scalars; shapes broadcast, dtypes promote.
    Returns:
      An array with that value for each element, of the shape to which they broadcast
      and of dtype bool.
    Raises:
      TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.equal(jnp.array([1, 2]), 2)
    Array([False,  True], dtype=bool)
    """
euler_gamma: float
def exp(x: ArrayLike, /) -> Array:
    """Return the exponential e ** x; infinite where that is too large.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.exp(jnp.array([0., 1.]))
    Array([1.       , 2.7182817], dtype=float32)
    """
def exp2(x: ArrayLike, /) -> Array:
    """Return the power 2 ** x.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.exp2(jnp.array([0., 3.]))
    Array([1., 8.], dtype=float32)
    """
def expand_dims(a: ArrayLike, axis: int | Sequence[int] | None) -> Array:
    """Return new axes of length 1 at these positions of the result.

    Args:
      a: array.
      axis: a position in the shape of the result, or several; negative ones count from its end.
    Returns:
      The same elements in a shape with these axes.
    Raises:
      ValueError: a position is out of range, or given twice.
    See also: `squeeze`, and `x[:, None]`.

    >>> jnp.expand_dims(jnp.ones(3), 0).shape
    (1, 3)
    """
def expm1(x: ArrayLike, /) -> Array:
    """Return exp(x) - 1, exact for small x too.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.expm1(jnp.array([0., 0.5]))
    Array([0.       , 0.6487213], dtype=float32)
    """
def extract(condition: ArrayLike, arr: ArrayLike, *, size: int | None = None, fill_value: ArrayLike = 0) -> Array:
    """Return the elements of the flat array where a condition holds.

    Args:
      condition: array; zero is false.
      arr: array of that shape.
      size: the number of elements to return, needed where the condition is traced.
      fill_value: what stands for elements that are missing.
    Returns:
      An array with one axis: the elements of the flat array where the condition holds, in order.
      The dtype is that of `arr`.
    Raises:
      TypeError: `condition` is not an array or scalar; lists are not converted.

    >>> jnp.extract(jnp.array([True, False, True]), jnp.array([1, 2, 3]))
    Array([1, 3], dtype=int32)
    """
def eye(N: int, M: int | None = None, k: int = 0, dtype: DTypeLike | None = None, *, device: Any = None) -> Array:
    """Return a matrix with ones on a diagonal.

    Args:
      N, M: the number of rows, and of columns if there are not as many.
      k: which diagonal, counted from the main one upwards.
      dtype: default float32.
      device: where to put it.
    Returns:
      ``[N, M]``, ones on the diagonal and zeros elsewhere.
      The dtype is the default float, unless `dtype` says another.
    Raises:
      TypeError: `N` is not an integer.

    >>> jnp.eye(2, 3, k=1)
    Array([[0., 1., 0.],
           [0., 0., 1.]], dtype=float32)
    """
def fabs(x: ArrayLike, /) -> Array:
    """Return the absolute value of a real number, as a float.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.fabs(jnp.array([-1, 2]))
    Array([1., 2.], dtype=float32)
    """
from adjoint.numpy import fft as fft
def fill_diagonal(a: ArrayLike, val: ArrayLike, wrap: _builtins.bool = False, *, inplace: _builtins.bool = True) -> Array:
    """Return the array with another diagonal. Arrays are immutable: pass ``inplace=False``.

    Args:
      a: array with two axes at least, of equal lengths if there are more.
      val: a scalar, or elements that are repeated as often as needed.
      wrap: must be False.
      inplace: must be False: arrays do not change.
    Returns:
      A new array of the shape and dtype of `a`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.fill_diagonal(jnp.zeros((2, 2)), 1., inplace=False)
    Array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
finfo = _finfo
def flatnonzero(a: ArrayLike, *, size: int | None = None, fill_value: ArrayLike | None = None) -> Array:
    """Return the positions of elements of the flat array that are not zero.

    Args:
      a: array.
      size: the number of positions to return; needed where the array is traced. Too many are cut, missing ones are
        `fill_value`.
      fill_value: a position; default 0.
    Returns:
      An array of integers with one axis, going up.
    Raises:
      ConcretizationTypeError: the array is traced, there is no `size`, and the number of positions is needed.

    >>> jnp.flatnonzero(jnp.array([[0, 5], [6, 0]]))
    Array([1, 2], dtype=int32)
    """
from numpy import flexible as flexible
def flip(m: ArrayLike, axis: int | Sequence[int] | None = None) -> Array:
    """Reverse the order of the elements along axes.

    Args:
      m: array.
      axis: an axis, a tuple of axes, or None for all.
    Returns:
      An array of the shape and dtype of `m`: position i along these axes is position n - 1 - i before.
    Raises:
      TypeError: `m` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.flip(jnp.arange(3))
    Array([2, 1, 0], dtype=int32)
    """
def fliplr(m: ArrayLike) -> Array:
    """Reverse the order along axis 1.

    Args:
      m: array with two axes at least.
    Returns:
      An array of the shape and dtype of `m`: column j is column n - 1 - j before.
    Raises:
      TypeError: `m` is not an array or scalar; lists are not converted.

    >>> jnp.fliplr(jnp.array([[1, 2], [3, 4]]))
    Array([[2, 1],
           [4, 3]], dtype=int32)
    """
def flipud(m: ArrayLike) -> Array:
    """Reverse the order along axis 0.

    Args:
      m: array with an axis at least.
    Returns:
      An array of the shape and dtype of `m`: row i is row n - 1 - i before.
    Raises:
      TypeError: `m` is not an array or scalar; lists are not converted.

    >>> jnp.flipud(jnp.arange(3))
    Array([2, 1, 0], dtype=int32)
    """
float16: _Scalar
"""A constructor of arrays of dtype float16, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.float16.dtype
dtype('float16')
"""
float32: _Scalar
"""A constructor of arrays of dtype float32, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.float32.dtype
dtype('float32')
"""
float4_e2m1fn: _Scalar
"""A constructor of arrays of dtype float4_e2m1fn, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.float4_e2m1fn.dtype
dtype(float4_e2m1fn)
"""
float64: _Scalar
"""A constructor of arrays of dtype float64, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, or the 32-bit one unless 64-bit types are on, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.float64.dtype
dtype('float64')
"""
float6_e2m3fn: _Scalar
"""A constructor of arrays of dtype float6_e2m3fn, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.float6_e2m3fn.dtype
dtype(float6_e2m3fn)
"""
float6_e3m2fn: _Scalar
"""A constructor of arrays of dtype float6_e3m2fn, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.float6_e3m2fn.dtype
dtype(float6_e3m2fn)
"""
float8_e3m4: _Scalar
"""A constructor of arrays of dtype float8_e3m4, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.float8_e3m4.dtype
dtype(float8_e3m4)
"""
float8_e4m3: _Scalar
"""A constructor of arrays of dtype float8_e4m3, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.float8_e4m3.dtype
dtype(float8_e4m3)
"""
float8_e4m3b11fnuz: _Scalar
"""A constructor of arrays of dtype float8_e4m3b11fnuz, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.float8_e4m3b11fnuz.dtype
dtype(float8_e4m3b11fnuz)
"""
float8_e4m3fn: _Scalar
"""A constructor of arrays of dtype float8_e4m3fn, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.float8_e4m3fn.dtype
dtype(float8_e4m3fn)
"""
float8_e4m3fnuz: _Scalar
"""A constructor of arrays of dtype float8_e4m3fnuz, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.float8_e4m3fnuz.dtype
dtype(float8_e4m3fnuz)
"""
float8_e5m2: _Scalar
"""A constructor of arrays of dtype float8_e5m2, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.float8_e5m2.dtype
dtype(float8_e5m2)
"""
float8_e5m2fnuz: _Scalar
"""A constructor of arrays of dtype float8_e5m2fnuz, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.float8_e5m2fnuz.dtype
dtype(float8_e5m2fnuz)
"""
float8_e8m0fnu: _Scalar
"""A constructor of arrays of dtype float8_e8m0fnu, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.float8_e8m0fnu.dtype
dtype(float8_e8m0fnu)
"""
from adjoint.numpy import float64 as _float_
float_ = _float_
def float_power(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Return the power x ** y, never an integer; NaN where x is negative and y no whole number.

    Args:
      x, y: arrays or scalars; shapes broadcast, dtypes promote.
    Returns:
      An array with that value for each element, of the shape to which they broadcast
      and of the dtype to which they promote; integers and booleans become floats before.
    Raises:
      TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.float_power(jnp.array([2, 3]), 2)
    Array([4., 9.], dtype=float32)
    """
from numpy import floating as floating
def floor(x: ArrayLike, /) -> Array:
    """Return the largest whole number that is not above x; integers are as they are.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype.
    Raises:
      TypeError: `x` is complex, or not an array or scalar; lists are not converted.

    >>> jnp.floor(jnp.array([-1.5, 1.5]))
    Array([-2.,  1.], dtype=float32)
    """
def floor_divide(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the quotient x1 / x2, rounded down, elementwise.

    Args:
      x1, x2: real arrays or scalars; shapes broadcast and dtypes promote.
    Returns:
      An array of the shape to which they broadcast and the dtype to which they promote.
    Raises:
      TypeError: `x1` is complex or not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.floor_divide(jnp.array([7, -7]), 2)
    Array([ 3, -4], dtype=int32)
    """
def fmax(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Return the larger one; if one is NaN, the other, elementwise.

    Args:
      x1, x2: arrays or scalars; shapes broadcast and dtypes promote.
    Returns:
      An array of the shape to which they broadcast and of the dtype to which they promote; NaN only where both are.
    Raises:
      TypeError: `x1` is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.fmax(jnp.array([1., jnp.nan]), 0.5)
    Array([1. , 0.5], dtype=float32)
    """
def fmin(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Return the smaller one; if one is NaN, the other, elementwise.

    Args:
      x1, x2: arrays or scalars; shapes broadcast and dtypes promote.
    Returns:
      An array of the shape to which they broadcast and of the dtype to which they promote; NaN only where both are.
    Raises:
      TypeError: `x1` is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.fmin(jnp.array([1., jnp.nan]), 0.5)
    Array([0.5, 0.5], dtype=float32)
    """
def fmod(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return what is left of x1 after division by x2, with the sign of x1.

    Args:
      x1, x2: real arrays or scalars; shapes broadcast and dtypes promote.
    Raises:
      TypeError: `x1` is complex or not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.fmod(jnp.array([7, -7]), 3)
    Array([ 1, -1], dtype=int32)
    """
def frexp(x: ArrayLike, /) -> tuple[Array, Array]:
    """Return mantissa and exponent, elementwise: `x = m * 2 ** e`.

    Args:
      x: real array or scalar.
    Returns:
      A pair of arrays of the shape of `x`: floats, at least 0.5 and below 1 in size, or 0, infinite and NaN; and
      integers.
    Raises:
      TypeError: `x` is complex.

    >>> jnp.frexp(jnp.array([1., -6.]))
    (Array([ 0.5 , -0.75], dtype=float32), Array([1, 3], dtype=int32))
    """
def from_dlpack(x: ArrayLike, /, *, device: Any = None, copy: _builtins.bool | None = None) -> Array:
    """Return an array of the values of another library's array, by way of the DLPack protocol.

    Args:
      x: an object with `__dlpack__` and `__dlpack_device__`, such as a tensor of PyTorch.
      device: where to put it.
      copy: True for memory of its own; False to share the memory, whose owner must not write to it any more; None
        copies what is not an array of this library, and not on an accelerator.
    Returns:
      An array of the same shape and dtype.
    Raises:
      TypeError: `x` has no `__dlpack__` and `__dlpack_device__`.

    >>> jnp.from_dlpack(np.array([1, 2], dtype="int16"))
    Array([1, 2], dtype=int16)
    """
def frombuffer(buffer: Any, dtype: DTypeLike | None = ..., count: int = -1, offset: int = 0) -> Array:
    """Return an array of the numbers in a bytes-like object.

    Args:
      buffer: bytes, or what has the buffer protocol.
      dtype: of the numbers in memory.
      count: how many; -1 for all.
      offset: where they begin, in bytes.
    Returns:
      An array with one axis, a copy. The dtype is `dtype`.
    Raises:
      ValueError: the size is no multiple of that of the dtype.

    >>> jnp.frombuffer(b"abc", dtype=jnp.uint8)
    Array([97, 98, 99], dtype=uint8)
    """
def fromfile(*args: Any, **kwargs: Any) -> Array:
    """Raise NotImplementedError: reading a file is not a pure function.

    Args:
      *args, **kwargs: those of `numpy.fromfile`.
    Returns:
      Nothing: write `jnp.asarray(np.fromfile(...))`.
    Raises:
      NotImplementedError: always, as in JAX.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     np.arange(3, dtype=np.int32).tofile(file.name)
    ...     jnp.asarray(np.fromfile(file.name, np.int32))
    Array([0, 1, 2], dtype=int32)
    """
def fromfunction(function: Callable[..., Any], shape: int | Sequence[int | Array], *, dtype: DTypeLike | None = ..., **kwargs: Any) -> Any:
    """Return an array whose element at each index is a function of the index.

    Args:
      function: takes an index as one scalar for each axis; it is mapped over them.
      shape: the shape of the result.
      dtype: of the indices.
      **kwargs: further arguments of the function, which are mapped over too.
    Returns:
      An array of that shape, of the dtype of what the function returns; what it returns with axes has these behind.
    Raises:
      TypeError: `function` is not a function, or `shape` has a negative length.

    >>> jnp.fromfunction(lambda i, j: 10 * i + j, (2, 3), dtype=int)
    Array([[ 0,  1,  2],
           [10, 11, 12]], dtype=int32)
    """
def fromiter(*args: Any, **kwargs: Any) -> Array:
    """Raise NotImplementedError: advancing an iterator is not a pure function.

    Args:
      *args, **kwargs: those of `numpy.fromiter`.
    Returns:
      Nothing: write `jnp.asarray(np.fromiter(...))`.
    Raises:
      NotImplementedError: always, as in JAX.

    >>> jnp.asarray(np.fromiter((k * k for k in range(3)), np.int32))
    Array([0, 1, 4], dtype=int32)
    """
def frompyfunc(func: Callable[..., Any], /, nin: int, nout: int, *, identity: Any = None) -> ufunc:
    """Return a ufunc of a function of scalars.

    Args:
      func: takes `nin` scalars and returns `nout`; it is traced, and mapped over arrays.
      nin, nout: how many.
      identity: the value that changes nothing, if there is one.
    Returns:
      A `ufunc`: a function of arrays, whose shapes broadcast, with the methods `reduce`, `accumulate`, `at`, `reduceat`
      and `outer`.
    Raises:
      AttributeError: `func` has no name.
      TypeError: `nin` or `nout` is no integer.

    >>> triple = jnp.frompyfunc(lambda x, y: 3 * x + y, 2, 1)
    >>> triple.outer(jnp.array([1, 2]), jnp.array([0, 1]))
    Array([[3, 4],
           [6, 7]], dtype=int32)
    """
def fromstring(string: str, dtype: DTypeLike | None = ..., count: int = -1, *, sep: str) -> Array:
    """Return an array of the numbers in a text.

    Args:
      string: the text.
      dtype: of the numbers.
      count: how many; -1 for all.
      sep: what separates them.
    Returns:
      An array with one axis. The dtype is `dtype`.
    Raises:
      ValueError: the text holds something that is no number.
      TypeError: `string` or `sep` is no text, or `dtype` is no dtype.

    >>> jnp.fromstring("1 2 3", dtype=int, sep=" ")
    Array([1, 2, 3], dtype=int32)
    """
def full(shape: int | Sequence[int | Array], fill_value: ArrayLike, dtype: DTypeLike | None = None, *, device: Any = None, out_sharding: Any = None) -> Array:
    """Return an array of one value.

    Args:
      shape: an int or a sequence of ints, known while tracing.
      fill_value: a scalar, or an array that broadcasts to the shape.
      dtype: default that of the value, weak if it is a Python scalar.
      device, out_sharding: where to put it.
    Returns:
      An array of that shape and dtype, all elements being `fill_value`.
    Raises:
      TypeError: the shape is not of ints, or is a traced value.

    >>> jnp.full((2,), 7.5)
    Array([7.5, 7.5], dtype=float32, weak_type=True)
    """
def full_like(a: ArrayLike, fill_value: ArrayLike, dtype: DTypeLike | None = None, shape: int | Sequence[int | Array] | None = None, *, device: Any = None, out_sharding: Any = None) -> Array:
    """Return an array of one value with the shape and dtype of another.

    Args:
      a: an array, a scalar, or anything with `shape` and `dtype`.
      fill_value: a scalar, or an array that broadcasts to the shape.
      dtype, shape: in place of those of `a`.
      device, out_sharding: where to put it.
    Returns:
      An array of that shape and dtype, all elements being `fill_value`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: shapes do not broadcast.

    >>> jnp.full_like(jnp.array([1, 2]), 7)
    Array([7, 7], dtype=int32)
    """
def gcd(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Return the greatest common divisor; of 0 and x it is abs(x).

    Args:
      x1, x2: integer arrays or scalars; shapes broadcast and dtypes promote.
    Returns:
      The numbers, not negative, in an array of the shape to which they broadcast.
      The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: `x1` is not an array or scalar; lists are not converted.

    >>> jnp.gcd(jnp.array([12, 18]), 8)
    Array([4, 2], dtype=int32)
    """
from numpy import generic as generic
def geomspace(start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: _builtins.bool = True, dtype: DTypeLike | None = None, axis: int = 0) -> Array:
    """Return `num` numbers from `start` to `stop`, each the same multiple of the one before.

    Args:
      start, stop, num, endpoint, dtype, axis: as for `linspace`.
    Returns:
      An array with `num` entries along the axis, each the same factor greater than that before.
      The dtype is `dtype`, by default that of `start` and `stop`, where integers become floats.
    Raises:
      TypeError: `start` is not an array or scalar; lists are not converted.
      ValueError: shapes do not broadcast.
      IndexError: `axis` is out of range.

    >>> jnp.geomspace(1, 100, 3)
    Array([  1.      ,  10.      , 100.      ], dtype=float32)
    """
def get_printoptions() -> dict[str, Any]:
    """Return how arrays are printed; see `numpy.get_printoptions`.

    >>> jnp.get_printoptions()["precision"]
    8
    """
def gradient(f: ArrayLike, *varargs: Any, axis: int | Sequence[int] | None = None, edge_order: int | None = None) -> Any:
    """Return the slope at each sample: central differences inside, one-sided ones at the ends.

    Args:
      f: array.
      varargs: the distance of samples: one scalar, or for each axis a scalar or the coordinates.
      axis: an axis, axes, or None for all.
      edge_order: must be None.
    Returns:
      The slopes, floats in an array of the shape of `f`; of several axes a list with one for each.
    Raises:
      TypeError: `f` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.gradient(jnp.array([1., 4., 9.]))
    Array([3., 4., 5.], dtype=float32)
    """
def greater(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Return whether x > y; never so if one is NaN. Complex numbers go by their real, then imaginary parts.

    Args:
      x, y: arrays or scalars; shapes broadcast, dtypes promote.
    Returns:
      An array with that value for each element, of the shape to which they broadcast
      and of dtype bool.
    Raises:
      TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.greater(jnp.array([1, 2, 3]), 2)
    Array([False, False,  True], dtype=bool)
    """
def greater_equal(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Return whether x >= y; never so if one is NaN. Complex numbers go by their real, then imaginary parts.

    Args:
      x, y: arrays or scalars; shapes broadcast, dtypes promote.
    Returns:
      An array with that value for each element, of the shape to which they broadcast
      and of dtype bool.
    Raises:
      TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.greater_equal(jnp.array([1, 2, 3]), 2)
    Array([False,  True,  True], dtype=bool)
    """
def hamming(M: int) -> Array:
    """Return the Hamming window of length M: a raised cosine, 0.08 at the ends.

    Args:
      M: the number of points.
    Returns:
      An array of `M` floats, symmetric.
    Raises:
      TypeError: `M` is not an integer.

    >>> jnp.hamming(5).round(2)
    Array([0.08, 0.54, 1.  , 0.54, 0.08], dtype=float32)
    """
def hanning(M: int) -> Array:
    """Return the Hann window of length M: a raised cosine, 0 at the ends.

    Args:
      M: the number of points.
    Returns:
      An array of `M` floats, symmetric.
    Raises:
      TypeError: `M` is not an integer.

    >>> jnp.hanning(5)
    Array([0. , 0.5, 1. , 0.5, 0. ], dtype=float32)
    """
def heaviside(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the step function: 0 for negative x1, 1 for positive x1, and x2 where x1 is 0.

    Args:
      x1, x2: real arrays or scalars; shapes broadcast and dtypes promote.
    Returns:
      An array of floats, of the shape to which the operands broadcast.
    Raises:
      TypeError: `x1` is complex or not an array or scalar; lists are not converted.
      ValueError: shapes do not broadcast.

    >>> jnp.heaviside(jnp.array([-2., 0., 2.]), 0.5)
    Array([0. , 0.5, 1. ], dtype=float32)
    """
def histogram(a: ArrayLike, bins: ArrayLike | Sequence[ArrayLike] = 10, range: Any = None, weights: ArrayLike | None = None, density: _builtins.bool | None = None) -> tuple[Array, Array]:
    """Count the elements that fall into each of a row of bins; the last bin has both its edges.

    Args:
      a: array.
      bins: how many, or their edges.
      range: (lowest, highest) edge; default the least and the greatest element.
      weights: summed instead of counted, of the shape of `a`.
      density: divide so that the integral is 1.
    Returns:
      (counts ``[bins]``, floats; edges ``[bins + 1]``).
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.histogram(jnp.array([0., 1., 1.]), bins=2)[0]
    Array([1., 2.], dtype=float32)
    """
def histogram2d(x: ArrayLike, y: ArrayLike, bins: ArrayLike | Sequence[ArrayLike] = 10, range: Any = None, weights: ArrayLike | None = None, density: _builtins.bool | None = None) -> tuple[Array, Array, Array]:
    """Count the points of the plane that fall into each of a grid of bins.

    Args:
      x, y: the coordinates of the points, ``[n]``.
      bins: how many along both axes, or their edges, or a pair of these.
      range: a pair (lowest, highest) edge for each axis; default the least and the greatest coordinate.
      weights: ``[n]``, summed instead of counted.
      density: divide so that the integral is 1.
    Returns:
      (counts ``[x bins, y bins]``, x edges, y edges)
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: shapes do not fit together.

    >>> jnp.histogram2d(jnp.array([0., 1.]), jnp.array([0., 1.]), bins=2)[0]
    Array([[1, 0],
           [0, 1]], dtype=int32)
    """
def histogram_bin_edges(a: ArrayLike, bins: ArrayLike | Sequence[ArrayLike] = 10, range: Any = None, weights: ArrayLike | None = None) -> Array:
    """Return the edges of the bins of `histogram`.

    Args:
      a: array.
      bins: how many, or their edges.
      range: (lowest, highest) edge; default the least and the greatest element.
      weights: is not read.
    Returns:
      ``[bins + 1]`` floats, going up.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.histogram_bin_edges(jnp.array([0., 2.]), bins=2)
    Array([0., 1., 2.], dtype=float32)
    """
def histogramdd(sample: Any, bins: ArrayLike | Sequence[ArrayLike] = 10, range: Any = None, weights: ArrayLike | None = None, density: _builtins.bool | None = None) -> tuple[Array, list[Array]]:
    """Count the points of a space that fall into each of a grid of bins.

    Args:
      sample: ``[n, d]``, or d arrays of coordinates.
      bins: how many, or a number or edges for each dimension.
      range: (lowest, highest) edge for each dimension; None for the default.
      weights: ``[n]``, summed instead of counted.
      density: divide so that the integral is 1.
    Returns:
      (counts, with an axis for each dimension; a list with the edges along each)
    Raises:
      TypeError: `sample` is not an array, a number, or a list of them.

    >>> jnp.histogramdd(jnp.array([[0., 0.], [1., 1.]]), bins=2)[0]
    Array([[1, 0],
           [0, 1]], dtype=int32)
    """
def hsplit(ary: ArrayLike, indices_or_sections: int | Sequence[int] | ArrayLike) -> list[Array]:
    """Cut an array into parts along axis 1, or axis 0 if there is one.

    Args:
      ary: array with an axis at least.
      indices_or_sections: the number of equal parts, or the positions where parts begin.
    Returns:
      A list of arrays: neighbouring parts. The dtype is that of `ary`.
    Raises:
      ValueError: the axis has no such number of equal parts, or positions do not go up from 0 to its length.

    >>> [x.shape for x in jnp.hsplit(jnp.ones((4, 2)), 2)]
    [(4, 1), (4, 1)]
    """
def hstack(tup: Sequence[ArrayLike] | ArrayLike, dtype: DTypeLike | None = None) -> Array:
    """Return arrays side by side: along axis 1, or axis 0 if they have one.

    Args:
      tup: a sequence of arrays, or an array whose rows are meant.
      dtype: of the result; default what the dtypes of the arrays promote to.
    Returns:
      An array with as many axes as they have, at least one.
      The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: one of `tup` is not an array or scalar.

    >>> jnp.hstack([jnp.zeros(1), jnp.ones(2)])
    Array([0., 1., 1.], dtype=float32)
    """
def hypot(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the length `sqrt(x1 ** 2 + x2 ** 2)` of a vector, without overflow on the way.

    Args:
      x1, x2: real arrays or scalars; shapes broadcast and dtypes promote.
    Returns:
      The lengths, not negative, floats in an array of the shape to which the operands broadcast.
    Raises:
      TypeError: `x1` is not an array or scalar, or shapes do not broadcast; lists are not converted.
      ValueError: `x1` is complex.

    >>> jnp.hypot(jnp.array([3., 5.]), jnp.array([4., 12.]))
    Array([ 5., 13.], dtype=float32)
    """
def i0(x: ArrayLike) -> Array:
    """Return the modified Bessel function of the first kind, of order 0, elementwise.

    Args:
      x: real array or scalar.
    Returns:
      An array of the shape of `x` and of its dtype; integers become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: `x` is complex.

    >>> jnp.i0(jnp.array([0., 1.]))
    Array([1.       , 1.2660658], dtype=float32)
    """
def identity(n: int, dtype: DTypeLike | None = None) -> Array:
    """Return a square matrix with ones on the main diagonal, and zeros elsewhere.

    Args:
      n: the number of rows.
      dtype: default float32, or float64 with 64-bit types on.
    Returns:
      ``[n, n]``. The dtype is the default float, unless `dtype` says another.
    Raises:
      TypeError: `n` is not an integer.

    >>> jnp.identity(2)
    Array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
iinfo = _iinfo
def imag(val: ArrayLike, /) -> Array:
    """Return the imaginary part; of real numbers, zeros.

    Args:
      val: array or scalar.
    Returns:
      An array of the shape of `val`, of its dtype or of that of the parts of complex numbers.
    Raises:
      TypeError: `val` is not an array or scalar; lists are not converted.

    >>> jnp.imag(jnp.array([1 + 2j]))
    Array([2.], dtype=float32)
    """
index_exp: _Index
def indices(dimensions: Sequence[int], dtype: DTypeLike | None = None, sparse: _builtins.bool = False) -> Any:
    """Return the indices of every element of an array of a shape: `[rank, *dimensions]`.

    Args:
      dimensions: the shape.
      dtype: default int32.
      sparse: return a tuple with an array for each axis, of length 1 along the others.
    Returns:
      An array of integers with one axis more, or a tuple of arrays.
    Raises:
      TypeError: `dimensions` are not integers.

    >>> jnp.indices((2, 2))
    Array([[[0, 0],
            [1, 1]],
    <BLANKLINE>
           [[0, 1],
            [0, 1]]], dtype=int32)
    """
from numpy import inexact as inexact
inf: float
def inner(a: ArrayLike, b: ArrayLike, *, precision: Any = None, preferred_element_type: DTypeLike | None = None) -> Array:
    """Return the sum of products over the last axes; scalars multiply.

    Args:
      a, b, precision, preferred_element_type: as in `dot`.
    Returns:
      The sums of products over the last axes, in an array with the other axes of `a`, then those of `b`.
      The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: `a` is not an array or scalar, or shapes do not fit together; lists are not converted.

    >>> jnp.inner(jnp.array([1., 2.]), jnp.array([3., 4.]))
    Array(11., dtype=float32)
    """
def insert(arr: ArrayLike, obj: Any, values: ArrayLike, axis: int | None = None) -> Array:
    """Return the array with values put before some indices of an axis.

    Args:
      arr: array.
      obj: an int, an array of ints or a slice.
      values: what to put there; broadcasts, and gets the dtype of `arr`.
      axis: None flattens the array.
    Returns:
      The entries along the axis with the new ones between them, in an array of the dtype of `arr`; flat without an
      axis.
    Raises:
      TypeError: `arr` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.insert(jnp.array([1, 3]), 1, 2)
    Array([1, 2, 3], dtype=int32)
    """
int1: _Scalar
"""A constructor of arrays of dtype int1, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.int1.dtype
dtype(int1)
"""
int16: _Scalar
"""A constructor of arrays of dtype int16, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.int16.dtype
dtype('int16')
"""
int2: _Scalar
"""A constructor of arrays of dtype int2, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.int2.dtype
dtype(int2)
"""
int32: _Scalar
"""A constructor of arrays of dtype int32, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.int32.dtype
dtype('int32')
"""
int4: _Scalar
"""A constructor of arrays of dtype int4, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.int4.dtype
dtype(int4)
"""
int64: _Scalar
"""A constructor of arrays of dtype int64, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, or the 32-bit one unless 64-bit types are on, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.int64.dtype
dtype('int64')
"""
int8: _Scalar
"""A constructor of arrays of dtype int8, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.int8.dtype
dtype('int8')
"""
from adjoint.numpy import int64 as _int_
int_ = _int_
from numpy import integer as integer
def interp(x: ArrayLike, xp: ArrayLike, fp: ArrayLike, left: Any = None, right: Any = None, period: ArrayLike | None = None) -> Array:
    """Return linear interpolations between points with increasing abscissae.

    Args:
      x: where to evaluate.
      xp, fp: the points.
      left, right: values outside; default the first and last one; "extrapolate" continues the lines.
      period: of the abscissae, which are then taken modulo it.
    Returns:
      The values at `x`, floats in an array of its shape.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: `x` is complex, or shapes do not fit together.

    >>> jnp.interp(0.5, jnp.array([0., 1.]), jnp.array([0., 10.]))
    Array(5., dtype=float32)
    """
def intersect1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: _builtins.bool = False, return_indices: _builtins.bool = False, *, size: int | None = None, fill_value: ArrayLike | None = None) -> Any:
    """Return the distinct elements that are in both arrays, in order.

    Args:
      ar1, ar2: arrays; they are flattened.
      assume_unique: a promise that elements occur once in each.
      return_indices: also return where they are in both.
      size: how many to return, needed where an array is traced; missing ones are `fill_value`.
      fill_value: default the least of them.
    Returns:
      An array with one axis, going up; with `return_indices` a triple of it and the positions of the first occurrences
      in `ar1` and `ar2`. The dtype is the one to which those of the arrays promote.
    Raises:
      ConcretizationTypeError: an array is traced and there is no `size`.

    >>> jnp.intersect1d(jnp.array([1, 2, 3]), jnp.array([2, 3, 4]))
    Array([2, 3], dtype=int32)
    """
def invert(x: ArrayLike, /) -> Array:
    """Return the bits that are not set; of booleans, the opposite.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype.
    Raises:
      TypeError: `x` is not of integers or booleans; lists are not converted.

    >>> jnp.bitwise_not(jnp.array([0, 5]))
    Array([-1, -6], dtype=int32)
    """
def isclose(a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-05, atol: ArrayLike = 1e-08, equal_nan: _builtins.bool = False) -> Array:
    """Return whether `abs(a - b) <= atol + rtol * abs(b)`, for each element.

    Args:
      a, b: arrays or scalars; shapes broadcast and dtypes promote.
      rtol, atol: the relative and the absolute tolerance.
      equal_nan: whether NaN is close to NaN.
    Raises:
      TypeError: `a` is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.isclose(jnp.array([1., 1.1]), 1.000001)
    Array([ True, False], dtype=bool)
    """
def iscomplex(x: ArrayLike) -> Array:
    """Return whether the imaginary part is not zero.

    Args:
      x: array or scalar.
    Returns:
      An array of booleans of the shape of `x`; False for real numbers.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.iscomplex(jnp.array([1 + 0j, 1j]))
    Array([False,  True], dtype=bool)
    """
def iscomplexobj(x: Any) -> _builtins.bool:
    """Return whether the dtype of x is complex; x may be a nested list.

    Args:
      x: an array, a scalar, or nested lists of them.
    Returns:
      A bool of Python, known while tracing.
    Raises:
      ValueError: nested lists differ in length.

    >>> jnp.iscomplexobj(jnp.array([1 + 0j]))
    True
    """
def isdtype(dtype: DTypeLike | None, kind: str | None) -> _builtins.bool:
    """Return whether `dtype` is of a kind.

    Args:
      dtype: a dtype or what names one.
      kind: a dtype; or one of the array API's names "bool", "signed integer", "unsigned integer",
        "integral", "real floating", "complex floating", "numeric"; or a tuple of these.
    Raises:
      ValueError: `kind` is a string that names neither.
      TypeError: `kind` is something else.

    >>> isdtype(float32, "real floating"), isdtype(np.int8, ("bool", float))
    (True, False)
    """
def isfinite(x: ArrayLike, /) -> Array:
    """Return whether x is neither infinite nor NaN.

    Args:
      x: array or scalar.
    Returns:
      An array of booleans of the shape of `x`; of a complex number, whether both parts are so.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.isfinite(jnp.array([1., jnp.inf, jnp.nan]))
    Array([ True, False, False], dtype=bool)
    """
def isin(element: ArrayLike, test_elements: ArrayLike, assume_unique: _builtins.bool = False, invert: _builtins.bool = False, *, method: str | None = 'auto') -> Array:
    """Return whether each element is among `test_elements`.

    Args:
      element, test_elements: arrays.
      assume_unique: has no effect.
      invert: whether it is not.
      method: "compare_all", "binary_search" or "sort"; the default is the best one.
    Raises:
      TypeError: `element` is not an array or scalar; lists are not converted.

    >>> jnp.isin(jnp.array([1, 2, 3]), jnp.array([2, 4]))
    Array([False,  True, False], dtype=bool)
    """
def isinf(x: ArrayLike, /) -> Array:
    """Return whether x is infinite, of either sign.

    Args:
      x: array or scalar.
    Returns:
      An array of booleans of the shape of `x`; of a complex number, whether one of the parts is so.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.isinf(jnp.array([1., -jnp.inf, jnp.nan]))
    Array([False,  True, False], dtype=bool)
    """
def isnan(x: ArrayLike, /) -> Array:
    """Return whether x is not a number.

    Args:
      x: array or scalar.
    Returns:
      An array of booleans of the shape of `x`; of a complex number, whether one of the parts is so.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.isnan(jnp.array([1., jnp.nan]))
    Array([False,  True], dtype=bool)
    """
def isneginf(x: ArrayLike, /, out: None = None) -> Array:
    """Return whether x is negative infinity.

    Args:
      x: real array or scalar.
      out: must be None.
    Returns:
      An array of booleans of the shape of `x`.
    Raises:
      ValueError: `x` is complex.

    >>> jnp.isneginf(jnp.array([jnp.inf, -jnp.inf]))
    Array([False,  True], dtype=bool)
    """
def isposinf(x: ArrayLike, /, out: None = None) -> Array:
    """Return whether x is positive infinity.

    Args:
      x: real array or scalar.
      out: must be None.
    Returns:
      An array of booleans of the shape of `x`.
    Raises:
      ValueError: `x` is complex.

    >>> jnp.isposinf(jnp.array([jnp.inf, -jnp.inf]))
    Array([ True, False], dtype=bool)
    """
def isreal(x: ArrayLike) -> Array:
    """Return whether the imaginary part is zero.

    Args:
      x: array or scalar.
    Returns:
      An array of booleans of the shape of `x`; True for real numbers.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.isreal(jnp.array([1 + 0j, 1j]))
    Array([ True, False], dtype=bool)
    """
def isrealobj(x: Any) -> _builtins.bool:
    """Return whether the dtype of x is not complex; x may be a nested list.

    Args:
      x: an array, a scalar, or nested lists of them.
    Returns:
      A bool of Python, known while tracing.
    Raises:
      ValueError: nested lists differ in length.

    >>> jnp.isrealobj(jnp.array([1.]))
    True
    """
def isscalar(element: Any) -> _builtins.bool:
    """Return whether something is a number or a string, or an array of rank 0.

    Args:
      element: any object.
    Returns:
      A bool of Python.

    >>> jnp.isscalar(3), jnp.isscalar(jnp.array(3)), jnp.isscalar([3])
    (True, True, False)
    """
def issubdtype(arg1: Any, arg2: Any) -> _builtins.bool:
    """Return whether a dtype is another, or belongs to a category of scalars.

    Args:
      arg1: a dtype, or what names one.
      arg2: a dtype, or a category such as `jnp.floating`, `jnp.integer` or `jnp.inexact`.
    Returns:
      A bool of Python.
    Raises:
      TypeError: one of them names no dtype and no category.

    >>> jnp.issubdtype(jnp.bfloat16, jnp.floating)
    True
    """
def iterable(y: Any) -> _builtins.bool:
    """Check whether or not an object can be iterated over.

    Parameters
    ----------
    y : object
      Input object.

    Returns
    -------
    b : bool
      Return ``True`` if the object has an iterator method or is a
      sequence and ``False`` otherwise.


    Examples
    --------
    >>> import numpy as np
    >>> np.iterable([1, 2, 3])
    True
    >>> np.iterable(2)
    False

    Notes
    -----
    In most cases, the results of ``np.iterable(obj)`` are consistent with
    ``isinstance(obj, collections.abc.Iterable)``. One notable exception is
    the treatment of 0-dimensional arrays::

        >>> from collections.abc import Iterable
        >>> a = np.array(1.0)  # 0-dimensional numpy array
        >>> isinstance(a, Iterable)
        True
        >>> np.iterable(a)
        False
    """
def ix_(*args: ArrayLike | Sequence[Any]) -> tuple[Array, ...]:
    """Return one-dimensional positions as an open mesh: `x[jnp.ix_(rows, columns)]` is every combination.

    Args:
      *args: arrays with one axis; a known boolean array stands for its true positions.
    Raises:
      ValueError: an argument has another number of axes.
      NotImplementedError: a boolean array is traced.

    >>> jnp.ix_(jnp.array([0, 2]), jnp.array([1, 3]))
    (Array([[0],
           [2]], dtype=int32), Array([[1, 3]], dtype=int32))
    """
def kaiser(M: int, beta: ArrayLike) -> Array:
    """Return the Kaiser window of length M: a Bessel function of a half ellipse.

    Args:
      M: the length.
      beta: a scalar; the window is the narrower, the larger it is.
    Returns:
      An array of `M` floats.
    Raises:
      TypeError: `M` is not an integer.

    >>> jnp.kaiser(5, 2.).round(2)
    Array([0.44, 0.83, 1.  , 0.83, 0.44], dtype=float32)
    """
def kron(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the Kronecker product: each element of `a` times all of `b`.

    Args:
      a, b: arrays; the shorter shape gets axes of length 1 in front.
    Returns:
      An array whose lengths are the products of theirs, of the dtype to which theirs promote.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.kron(jnp.array([1, 10]), jnp.array([1, 2]))
    Array([ 1,  2, 10, 20], dtype=int32)
    """
def lcm(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Return the least common multiple; 0 if one is 0.

    Args:
      x1, x2: integer arrays or scalars; shapes broadcast and dtypes promote.
    Returns:
      The numbers, not negative, in an array of the shape to which they broadcast.
      The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: `x1` is not an array or scalar; lists are not converted.

    >>> jnp.lcm(jnp.array([4, 6]), 10)
    Array([20, 30], dtype=int32)
    """
def ldexp(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return x1 * 2 ** x2, elementwise.

    Args:
      x1: real array or scalar.
      x2: integer array or scalar; shapes broadcast.
    Returns:
      An array of the shape to which they broadcast, of a float dtype.
    Raises:
      ValueError: x2 is not an integer, or x1 is complex.

    >>> jnp.ldexp(jnp.array([0.5, -0.75]), jnp.array([1, 3]))
    Array([ 1., -6.], dtype=float32)
    """
def left_shift(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Return x with its bits moved up y places, zeros moving in; 0 where y is no number of a bit.

    Args:
      x, y: arrays or scalars; shapes broadcast, dtypes promote.
    Returns:
      An array with that value for each element, of the shape to which they broadcast
      and of the dtype to which they promote.
    Raises:
      TypeError: an operand is not of integers, or shapes do not broadcast; lists are not converted.

    >>> jnp.left_shift(jnp.array([1, 3]), 2)
    Array([ 4, 12], dtype=int32)
    """
def less(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Return whether x < y; never so if one is NaN. Complex numbers go by their real, then imaginary parts.

    Args:
      x, y: arrays or scalars; shapes broadcast, dtypes promote.
    Returns:
      An array with that value for each element, of the shape to which they broadcast
      and of dtype bool.
    Raises:
      TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.less(jnp.array([1, 2, 3]), 2)
    Array([ True, False, False], dtype=bool)
    """
def less_equal(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Return whether x <= y; never so if one is NaN. Complex numbers go by their real, then imaginary parts.

    Args:
      x, y: arrays or scalars; shapes broadcast, dtypes promote.
    Returns:
      An array with that value for each element, of the shape to which they broadcast
      and of dtype bool.
    Raises:
      TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.less_equal(jnp.array([1, 2, 3]), 2)
    Array([ True,  True, False], dtype=bool)
    """
def lexsort(keys: Sequence[ArrayLike] | ArrayLike, axis: int = -1) -> Array:
    """Return the indices that sort by several keys, the last one first.

    Args:
      keys: arrays of one shape, or one array whose rows they are.
      axis: along which axis; default the last.
    Returns:
      Positions along the axis, int32: ``key[result]`` is sorted by the last key, equal ones by that before, and so on.
    Raises:
      TypeError: a key is not an array or scalar.
      ValueError: `axis` is out of range.

    >>> jnp.lexsort((jnp.array([1, 0, 1]), jnp.array([1, 1, 0])))
    Array([2, 1, 0], dtype=int32)
    """
from adjoint.numpy import linalg as linalg
@overload
def linspace(start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: _builtins.bool = True, retstep: Literal[False] = False, dtype: DTypeLike | None = None, axis: int = 0, *, device: Any = None) -> Array:
    """Return `num` numbers from `start` to `stop`, evenly spaced.

    Args:
      start, stop: scalars or arrays, which broadcast.
      num: how many, known while tracing.
      endpoint: whether `stop` is the last one.
      retstep: also return the distance from one to the next.
      dtype: default the common float dtype; integers are rounded down.
      axis: where in the result the numbers are.
      device: where to put it.
    Returns:
      An array with `num` numbers along `axis`; a pair of it and the step with `retstep`.
      The dtype is `dtype`, by default that of `start` and `stop`, where integers become floats.
    Raises:
      TypeError: `start` is not an array or scalar; lists are not converted.
      ValueError: shapes do not broadcast.
      IndexError: `axis` is out of range.
    See also: `arange`, `logspace`, `geomspace`.

    >>> jnp.linspace(0, 1, 5)
    Array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)
    """
@overload
def linspace(start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: _builtins.bool = True, *, retstep: Literal[True], dtype: DTypeLike | None = None, axis: int = 0, device: Any = None) -> tuple[Array, Array]:
    """Return `num` numbers from `start` to `stop`, evenly spaced.

    Args:
      start, stop: scalars or arrays, which broadcast.
      num: how many, known while tracing.
      endpoint: whether `stop` is the last one.
      retstep: also return the distance from one to the next.
      dtype: default the common float dtype; integers are rounded down.
      axis: where in the result the numbers are.
      device: where to put it.
    Returns:
      An array with `num` numbers along `axis`; a pair of it and the step with `retstep`.
      The dtype is `dtype`, by default that of `start` and `stop`, where integers become floats.
    Raises:
      TypeError: `start` is not an array or scalar; lists are not converted.
      ValueError: shapes do not broadcast.
      IndexError: `axis` is out of range.
    See also: `arange`, `logspace`, `geomspace`.

    >>> jnp.linspace(0, 1, 5)
    Array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)
    """
def load(file: Any, *args: Any, **kwargs: Any) -> Array:
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
def log(x: ArrayLike, /) -> Array:
    """Return the natural logarithm; -inf of 0, NaN of negative real numbers.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.log(jnp.array([1., 10.]))
    Array([0.       , 2.3025851], dtype=float32)
    """
def log10(x: ArrayLike, /) -> Array:
    """Return the logarithm to base 10, elementwise; -inf of 0, NaN of negative real numbers.

    Args:
      x: array or scalar.
    Returns:
      An array of the shape of `x` and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.log10(jnp.array([1., 10.]))
    Array([0., 1.], dtype=float32)
    """
def log1p(x: ArrayLike, /) -> Array:
    """Return log(1 + x), exact for small x too; -inf of -1, NaN below.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.log1p(jnp.array([0., 0.5]))
    Array([0.       , 0.4054651], dtype=float32)
    """
def log2(x: ArrayLike, /) -> Array:
    """Return the logarithm to base 2, elementwise; -inf of 0, NaN of negative real numbers.

    Args:
      x: array or scalar.
    Returns:
      An array of the shape of `x` and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.log2(jnp.array([1., 8.]))
    Array([0., 3.], dtype=float32)
    """
logaddexp: ufunc
"""Return `log(exp(x1) + exp(x2))`, without overflow on the way, elementwise.

Args:
  x1, x2: arrays or scalars; shapes broadcast and dtypes promote.
  out, where: must be None: arrays do not change.
Returns:
  An array of the shape to which they broadcast, of the dtype to which they promote; integers become floats before.
Raises:
  TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.
  NotImplementedError: `out` is given.
  NotImplementedError: `out` or `where` is given.

>>> jnp.logaddexp(jnp.array([0., 1000.]), 1000.)
Array([1000.   , 1000.693], dtype=float32)
"""
logaddexp2: ufunc
"""Return `log2(2 ** x1 + 2 ** x2)`, without overflow on the way, elementwise.

Args:
  x1, x2: arrays or scalars; shapes broadcast and dtypes promote.
  out, where: must be None: arrays do not change.
Returns:
  An array of the shape to which they broadcast, of the dtype to which they promote; integers become floats before.
Raises:
  TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.
  NotImplementedError: `out` is given.
  NotImplementedError: `out` or `where` is given.

>>> jnp.logaddexp2(jnp.array([0., 1000.]), 1000.)
Array([1000., 1001.], dtype=float32)
"""
logical_and: ufunc
"""Return whether both are true, that is not zero.

Args:
  x, y: arrays or scalars; shapes broadcast, dtypes promote.
  out, where: must be None: arrays do not change.
Returns:
  An array with that value for each element, of the shape to which they broadcast
  and of dtype bool.
Raises:
  TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.
  NotImplementedError: `out` or `where` is given.

>>> jnp.logical_and(jnp.array([0, 1, 2]), True)
Array([False,  True,  True], dtype=bool)
"""
def logical_not(x: ArrayLike, /) -> Array:
    """Return whether x is zero, that is false; NaN is not.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of dtype bool.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.logical_not(jnp.array([0, 1, 2]))
    Array([ True, False, False], dtype=bool)
    """
logical_or: ufunc
"""Return whether one is true, that is not zero.

Args:
  x, y: arrays or scalars; shapes broadcast, dtypes promote.
  out, where: must be None: arrays do not change.
Returns:
  An array with that value for each element, of the shape to which they broadcast
  and of dtype bool.
Raises:
  TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.
  NotImplementedError: `out` or `where` is given.

>>> jnp.logical_or(jnp.array([0, 1, 2]), False)
Array([False,  True,  True], dtype=bool)
"""
logical_xor: ufunc
"""Return whether exactly one is true, that is not zero.

Args:
  x, y: arrays or scalars; shapes broadcast, dtypes promote.
  out, where: must be None: arrays do not change.
Returns:
  An array with that value for each element, of the shape to which they broadcast
  and of dtype bool.
Raises:
  TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.
  NotImplementedError: `out` or `where` is given.

>>> jnp.logical_xor(jnp.array([0, 1, 2]), True)
Array([ True, False, False], dtype=bool)
"""
def logspace(start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: _builtins.bool = True, base: ArrayLike = 10.0, dtype: DTypeLike | None = None, axis: int = 0) -> Array:
    """Return `num` numbers from `base ** start` to `base ** stop`, with evenly spaced exponents.

    Args:
      start, stop, num, endpoint, dtype, axis: as for `linspace`.
      base: a scalar or an array.
    Returns:
      An array with `num` entries along the axis: powers of the base, with exponents at equal distances.
      The dtype is `dtype`, by default that of `start` and `stop`, where integers become floats.
    Raises:
      TypeError: `start` is not an array or scalar; lists are not converted.
      ValueError: shapes do not broadcast.
      IndexError: `axis` is out of range.

    >>> jnp.logspace(0, 3, 4, base=2.)
    Array([1., 2., 4., 8.], dtype=float32)
    """
def mask_indices(n: int, mask_func: Callable[..., Array], k: int = 0, *, size: int | None = None) -> tuple[Array, Array]:
    """Return the positions of an n x n matrix that a function does not set to 0.

    Args:
      n: rows and columns.
      mask_func: such as `jnp.triu`: takes a matrix of ones, and `k`.
      k: for `mask_func`.
      size: how many positions to return; needed where the mask is traced.
    Returns:
      The rows and the columns of the positions, in order, int32.
    Raises:
      TypeError: `n` is not an integer.

    >>> jnp.mask_indices(2, jnp.triu)
    (Array([0, 0, 1], dtype=int32), Array([0, 1, 1], dtype=int32))
    """
def matmul(a: ArrayLike, b: ArrayLike, *, precision: Any = None, preferred_element_type: DTypeLike | None = None, out_sharding: Any = None) -> Array:
    """Return the matrix product ``a @ b``: the last two axes are matrices, the others batches that broadcast.

    Args:
      a, b: ``[..., n, k]`` and ``[..., k, m]``; a vector is a row on the left and a column on the right.
      precision, preferred_element_type: as in `dot`.
      out_sharding: how the result is divided, over explicit mesh axes.
    Raises:
      ValueError: an operand is a scalar, or the batches do not broadcast.
      TypeError: the inner lengths differ.
    Returns:
      `[..., n, m]`, in the dtype to which those of the operands promote; without the axis that a vector lacks.
    See also: `dot`, `einsum`, `matvec`, `linalg.multi_dot`.

    >>> jnp.matmul(jnp.ones((2, 3)), jnp.ones((3, 4))).shape
    (2, 4)
    """
def matrix_transpose(x: ArrayLike, /) -> Array:
    """Exchange the last two axes.

    Args:
      x: ``[..., n, m]``.
    Returns:
      ``[..., m, n]``. In compiled programs it is a view: nothing is copied. The dtype is that of `x`.
    Raises:
      ValueError: there are fewer than two axes.

    >>> jnp.matrix_transpose(jnp.ones((5, 2, 3))).shape
    (5, 3, 2)
    """
def matvec(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return products of matrices and vectors; batches broadcast.

    Args:
      x1: ``[..., n, k]``.
      x2: ``[..., k]``.
    Returns:
      ``[..., n]``, of the dtype to which theirs promote.
    Raises:
      TypeError: `x1` is not an array or scalar; lists are not converted.

    >>> jnp.matvec(jnp.ones((2, 3)), jnp.ones(3))
    Array([3., 3.], dtype=float32)
    """
def max(a: ArrayLike, axis: int | Sequence[int] | None = None, out: None = None, keepdims: _builtins.bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None) -> Array:
    """Return the largest element over axes; NaN if there is one.

    Args:
      a: array; complex numbers are ordered by their real, then their imaginary parts.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      initial: the least that the result can be.
      where: which elements to include; `initial` has to be given.
    Returns:
      The elements, in an array without these axes, of the dtype of `a`.
    Raises:
      ValueError: there are no elements, or `where` is given, and no `initial`.
    Derivative: equal largest elements share it.
    See also: `maximum` of two arrays, `argmax`, `nanmax`.

    >>> jnp.max(jnp.array([1., 3., 2.]))
    Array(3., dtype=float32)
    """
maximum: ufunc
"""Return the larger one; NaN if one is NaN. Complex numbers go by their real, then imaginary parts.

Args:
  x, y: arrays or scalars; shapes broadcast, dtypes promote.
  out, where: must be None: arrays do not change.
Returns:
  An array with that value for each element, of the shape to which they broadcast
  and of the dtype to which they promote.
Raises:
  TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.
  NotImplementedError: `out` or `where` is given.

>>> jnp.maximum(jnp.array([1., 4.]), 3.)
Array([3., 4.], dtype=float32)
"""
def mean(a: ArrayLike, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, out: None = None, keepdims: _builtins.bool = False, *, where: ArrayLike | None = None) -> Array:
    """Return the arithmetic mean over axes; NaN over no elements.

    Args:
      a: array.
      axis: an axis, a tuple of axes, or None for all.
      dtype: of the result; default the dtype of `a`, or float32 for integers.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      where: which elements to include.
    Returns:
      The means, floats or complex numbers, in an array without these axes.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.
    See also: `average` with weights, `median`, `std`, `var`, `nanmean`.

    >>> jnp.mean(jnp.array([1., 2., 3.]))
    Array(2., dtype=float32)
    """
def median(a: ArrayLike, axis: int | Sequence[int] | None = None, out: None = None, overwrite_input: _builtins.bool = False, keepdims: _builtins.bool = False) -> Array:
    """Return the median over axes: the element in the middle, or the mean of the middle two; NaN if there is one.

    Args:
      a: real array.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      overwrite_input: must be False.
      keepdims: keep the reduced axes with length 1.
    Returns:
      The medians, floats, in an array without these axes.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `a` is complex, `axis` is out of range, or `out` is given.

    >>> jnp.median(jnp.array([3., 1., 2.]))
    Array(2., dtype=float32)
    """
def meshgrid(*xi: ArrayLike, copy: _builtins.bool = True, sparse: _builtins.bool = False, indexing: str = 'xy') -> list[Array]:
    """Return the coordinates of a grid, an array for each axis.

    Args:
      xi: the coordinates along each axis, of rank 1.
      copy: only True.
      sparse: leave length 1 to the axes along which a coordinate does not change.
      indexing: "xy" puts the first coordinate on the second axis, "ij" on the first.
    Returns:
      A list with an array for each of `xi`, all of the shape of the grid: the coordinate of each of its points.
    Raises:
      TypeError: `xi` is not an array or scalar; lists are not converted.

    >>> jnp.meshgrid(jnp.array([1, 2]), jnp.array([3, 4, 5]), indexing="ij")[0]
    Array([[1, 1, 1],
           [2, 2, 2]], dtype=int32)
    """
mgrid: _Grid
def min(a: ArrayLike, axis: int | Sequence[int] | None = None, out: None = None, keepdims: _builtins.bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None) -> Array:
    """Return the smallest element over axes; NaN if there is one.

    Args:
      a: array; complex numbers are ordered by their real, then their imaginary parts.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      initial: the greatest that the result can be.
      where: which elements to include; `initial` has to be given.
    Returns:
      The elements, in an array without these axes, of the dtype of `a`.
    Raises:
      ValueError: there are no elements, or `where` is given, and no `initial`.
    Derivative: equal smallest elements share it.
    See also: `minimum` of two arrays, `argmin`, `nanmin`.

    >>> jnp.min(jnp.array([1., 3., 2.]))
    Array(1., dtype=float32)
    """
minimum: ufunc
"""Return the smaller one; NaN if one is NaN. Complex numbers go by their real, then imaginary parts.

Args:
  x, y: arrays or scalars; shapes broadcast, dtypes promote.
  out, where: must be None: arrays do not change.
Returns:
  An array with that value for each element, of the shape to which they broadcast
  and of the dtype to which they promote.
Raises:
  TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.
  NotImplementedError: `out` or `where` is given.

>>> jnp.minimum(jnp.array([1., 4.]), 3.)
Array([1., 3.], dtype=float32)
"""
def minmax(a: ArrayLike, axis: int | Sequence[int] | None = None, out: None = None, keepdims: _builtins.bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None) -> tuple[Array, Array]:
    """Return the smallest and the largest element over axes; NaN if there is one. A name of JAX 0.11.

    Args:
      a: array; complex numbers are ordered by their real, then their imaginary parts.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      initial: a number that counts as an element, or a pair, of which the first counts for the smallest and the second
        for the largest.
      where: which elements to include; `initial` has to be given.
    Returns:
      A pair of arrays without these axes, of the dtype of `a`.
    Raises:
      ValueError: there are no elements, or `where` is given, and no `initial`.

    >>> jnp.minmax(jnp.array([2., 5., 1.]))
    (Array(1., dtype=float32), Array(5., dtype=float32))
    """
def mod(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return what is left of x1 after division by x2, with the sign of x2.

    Args:
      x1, x2: real arrays or scalars; shapes broadcast and dtypes promote.
    Raises:
      TypeError: `x1` is complex or not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.remainder(jnp.array([7, -7]), 3)
    Array([1, 2], dtype=int32)
    """
def modf(x: ArrayLike, /, out: None = None) -> tuple[Array, Array]:
    """Return the fractional and the whole part, both with the sign of x, elementwise.

    Args:
      x: real array or scalar.
      out: must be None.
    Returns:
      A pair of arrays of the shape of `x`, of floats.
    Raises:
      TypeError: `x` is complex or not an array or scalar; lists are not converted.
      NotImplementedError: `out` is given.

    >>> jnp.modf(jnp.array([-1.5, 2.25]))
    (Array([-0.5 ,  0.25], dtype=float32), Array([-1.,  2.], dtype=float32))
    """
def moveaxis(a: ArrayLike, source: int | Sequence[int], destination: int | Sequence[int]) -> Array:
    """Move axes to other positions; the others keep their order.

    Args:
      a: array.
      source: an axis, or a sequence of axes.
      destination: where each of them is in the result.
    Returns:
      An array with the same elements. In compiled programs it is a view: nothing is copied. The dtype is that of `a`.
    Raises:
      ValueError: there are more or fewer positions than axes, or one is out of range or repeated.

    >>> jnp.moveaxis(jnp.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
multiply: ufunc
"""Return the product x * y; of booleans, whether both are true. Integers wrap around.

Args:
  x, y: arrays or scalars; shapes broadcast, dtypes promote.
  out, where: must be None: arrays do not change.
Returns:
  An array with that value for each element, of the shape to which they broadcast
  and of the dtype to which they promote.
Raises:
  TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.
  NotImplementedError: `out` or `where` is given.

>>> jnp.multiply(jnp.array([1., 2.]), jnp.array([3., 4.]))
Array([3., 8.], dtype=float32)
"""
nan: float
def nan_to_num(x: ArrayLike, copy: _builtins.bool = True, nan: ArrayLike = 0.0, posinf: ArrayLike | None = None, neginf: ArrayLike | None = None) -> Array:
    """Return x with numbers in place of NaN and infinities.

    Args:
      x: array or scalar.
      copy: has no effect.
      nan: what stands for NaN.
      posinf, neginf: what stands for the infinities; default the largest and the smallest number.
    Returns:
      An array of the shape and dtype of `x`, in which all elements are finite.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.nan_to_num(jnp.array([1., jnp.nan, -jnp.inf]), neginf=-9.)
    Array([ 1.,  0., -9.], dtype=float32)
    """
def nanargmax(a: ArrayLike, axis: int | Sequence[int] | None = None, out: None = None, keepdims: _builtins.bool | None = None) -> Array:
    """Return the position of the largest element, the first of several, not counting NaNs.

    Args:
      a: array.
      axis: an axis, or None for the flat array.
      out: must be None.
      keepdims: keep the axis with length 1.
    Returns:
      Positions, int32 (int64 with 64-bit types on), in an array without the axis; -1 where there are only NaNs.
    Raises:
      TypeError: `a` is complex, or not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.nanargmax(jnp.array([1., jnp.nan, 3.]))
    Array(2, dtype=int32)
    """
def nanargmin(a: ArrayLike, axis: int | Sequence[int] | None = None, out: None = None, keepdims: _builtins.bool | None = None) -> Array:
    """Return the position of the smallest element, the first of several, not counting NaNs.

    Args:
      a: array.
      axis: an axis, or None for the flat array.
      out: must be None.
      keepdims: keep the axis with length 1.
    Returns:
      Positions, int32 (int64 with 64-bit types on), in an array without the axis; -1 where there are only NaNs.
    Raises:
      TypeError: `a` is complex, or not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.nanargmin(jnp.array([1., jnp.nan, 3.]))
    Array(0, dtype=int32)
    """
def nancumprod(a: ArrayLike, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, out: None = None) -> Array:
    """Return running products, with NaN as 1, along an axis, or of the flat array.

    Args:
      a: array.
      axis: the axis; None flattens the array.
      dtype: of the result; default that of `a`, of booleans the default integer.
      out: must be None.
    Returns:
      An array of the shape of `a`, or flat: position i along the axis is that of
      elements 0 to i. The dtype is `dtype`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.nancumprod(jnp.array([2., jnp.nan, 3.]))
    Array([2., 2., 6.], dtype=float32)
    """
def nancumsum(a: ArrayLike, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, out: None = None) -> Array:
    """Return running sums, with NaN as 0, along an axis, or of the flat array.

    Args:
      a: array.
      axis: the axis; None flattens the array.
      dtype: of the result; default that of `a`, of booleans the default integer.
      out: must be None.
    Returns:
      An array of the shape of `a`, or flat: position i along the axis is that of
      elements 0 to i. The dtype is `dtype`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.nancumsum(jnp.array([1., jnp.nan, 3.]))
    Array([1., 1., 4.], dtype=float32)
    """
def nanmax(a: ArrayLike, axis: int | Sequence[int] | None = None, out: None = None, keepdims: _builtins.bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None) -> Array:
    """Return the largest element over axes, not counting NaNs.

    Args:
      a: array.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      initial: what to begin with, which counts as an element.
      where: which elements to include.
    Returns:
      The elements, in an array without these axes, of the dtype of `a`; NaN where there is nothing else.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.nanmax(jnp.array([1., jnp.nan, 3.]))
    Array(3., dtype=float32)
    """
def nanmean(a: ArrayLike, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, out: None = None, keepdims: _builtins.bool = False, where: ArrayLike | None = None) -> Array:
    """Return the mean over axes, not counting NaNs; NaN where there is nothing else.

    Args:
      a: array.
      axis: an axis, a tuple of axes, or None for all.
      dtype: of the result; default the dtype of `a`, or float32 for integers.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      where: which elements to include.
    Returns:
      The means, floats or complex numbers, in an array without these axes.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.nanmean(jnp.array([1., jnp.nan, 3.]))
    Array(2., dtype=float32)
    """
def nanmedian(a: ArrayLike, axis: int | Sequence[int] | None = None, out: None = None, overwrite_input: _builtins.bool = False, keepdims: _builtins.bool = False) -> Array:
    """Return the median over axes, not counting NaNs; NaN where there is nothing else.

    Args:
      a: real array.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      overwrite_input: must be False.
      keepdims: keep the reduced axes with length 1.
    Returns:
      The medians, floats, in an array without these axes.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `a` is complex, `axis` is out of range, or `out` is given.

    >>> jnp.nanmedian(jnp.array([3., jnp.nan, 1.]))
    Array(2., dtype=float32)
    """
def nanmin(a: ArrayLike, axis: int | Sequence[int] | None = None, out: None = None, keepdims: _builtins.bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None) -> Array:
    """Return the smallest element over axes, not counting NaNs.

    Args:
      a: array.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      initial: what to begin with, which counts as an element.
      where: which elements to include.
    Returns:
      The elements, in an array without these axes, of the dtype of `a`; NaN where there is nothing else.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.nanmin(jnp.array([1., jnp.nan, 3.]))
    Array(1., dtype=float32)
    """
def nanpercentile(a: ArrayLike, q: ArrayLike, axis: int | Sequence[int] | None = None, out: None = None, overwrite_input: _builtins.bool = False, method: str = 'linear', keepdims: _builtins.bool = False, *, weights: ArrayLike | None = None) -> Array:
    """Return percentiles over axes, not counting NaNs: `nanquantile` with `q` from 0 to 100.

    Args:
      a: real array.
      q: percentage from 0 to 100, or several; their axes come first in the result.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      overwrite_input: must be False.
      method: how to choose between two elements: linear, lower, higher, midpoint or nearest; or "inverted_cdf".
      keepdims: keep the reduced axes with length 1.
      weights: how often each element counts, for "inverted_cdf": of the shape of `a`, or of its reduced axes.
    Returns:
      Floats, in an array with the axes of `q` in front, and those of `a` that are not reduced; NaN where there is
      nothing else. The dtype is that of `a`; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `a` is complex, `axis` is out of range, or `out` is given.

    >>> jnp.nanpercentile(jnp.array([0., jnp.nan, 2.]), 50)
    Array(1., dtype=float32)
    """
def nanprod(a: ArrayLike, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, out: None = None, keepdims: _builtins.bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None) -> Array:
    """Return the product over axes, not counting NaNs.

    Args:
      a: array.
      axis: an axis, a tuple of axes, or None for all.
      dtype: of the result; small integers and booleans count as the default integer.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      initial: what to begin with, which counts as an element.
      where: which elements to include.
    Returns:
      Those values, in an array without these axes; 1 where there are only NaNs.
      The dtype is that of `a`; of small integers and booleans the default integer, or `dtype`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.nanprod(jnp.array([2., jnp.nan, 3.]))
    Array(6., dtype=float32)
    """
def nanquantile(a: ArrayLike, q: ArrayLike, axis: int | Sequence[int] | None = None, out: None = None, overwrite_input: _builtins.bool = False, method: str = 'linear', keepdims: _builtins.bool = False, *, weights: ArrayLike | None = None) -> Array:
    """Return quantiles over axes, not counting NaNs.

    Args:
      a: real array.
      q: probability from 0 to 1, or several; their axes come first in the result.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      overwrite_input: must be False.
      method: how to choose between two elements: linear, lower, higher, midpoint or nearest; or "inverted_cdf".
      keepdims: keep the reduced axes with length 1.
      weights: how often each element counts, for "inverted_cdf": of the shape of `a`, or of its reduced axes.
    Returns:
      Floats, in an array with the axes of `q` in front, and those of `a` that are not reduced; NaN where there is
      nothing else. The dtype is that of `a`; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `a` is complex, `axis` is out of range, or `out` is given.

    >>> jnp.nanquantile(jnp.array([0., jnp.nan, 2.]), 0.5)
    Array(1., dtype=float32)
    """
def nanstd(a: ArrayLike, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, out: None = None, ddof: float = 0, keepdims: _builtins.bool = False, where: ArrayLike | None = None, mean: ArrayLike | None = None) -> Array:
    """Return the standard deviation over axes, not counting NaNs.

    Args:
      a: array.
      axis: an axis, a tuple of axes, or None for all.
      dtype: of the result; default the real dtype of `a`, or float32 for integers.
      out: must be None.
      ddof: subtracted from the number of elements in the denominator.
      keepdims: keep the reduced axes with length 1.
      where: which elements to include.
      mean: the mean, if it is known; with the reduced axes kept.
    Returns:
      The deviations, floats that are not negative, in an array without these axes; NaN where nothing is left to divide
      by.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.nanstd(jnp.array([1., jnp.nan, 3.]))
    Array(1., dtype=float32)
    """
def nansum(a: ArrayLike, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, out: None = None, keepdims: _builtins.bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None) -> Array:
    """Return the sum over axes, not counting NaNs.

    Args:
      a: array.
      axis: an axis, a tuple of axes, or None for all.
      dtype: of the result; small integers and booleans count as the default integer.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      initial: what to begin with, which counts as an element.
      where: which elements to include.
    Returns:
      Those values, in an array without these axes; 0 where there are only NaNs.
      The dtype is that of `a`; of small integers and booleans the default integer, or `dtype`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.nansum(jnp.array([1., jnp.nan, 3.]))
    Array(4., dtype=float32)
    """
def nanvar(a: ArrayLike, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, out: None = None, ddof: float = 0, keepdims: _builtins.bool = False, where: ArrayLike | None = None, mean: ArrayLike | None = None) -> Array:
    """Return the variance over axes, not counting NaNs.

    Args:
      a: array.
      axis: an axis, a tuple of axes, or None for all.
      dtype: of the result; default the real dtype of `a`, or float32 for integers.
      out: must be None.
      ddof: subtracted from the number of elements in the denominator.
      keepdims: keep the reduced axes with length 1.
      where: which elements to include.
      mean: the mean, if it is known; with the reduced axes kept.
    Returns:
      The variances, floats that are not negative, in an array without these axes; NaN where nothing is left to divide
      by.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.nanvar(jnp.array([1., jnp.nan, 3.]))
    Array(1., dtype=float32)
    """
from adjoint import Array as _ndarray
ndarray = _ndarray
def ndim(a: Any) -> int:
    """Return the number of axes.

    Args:
      a: an array, a scalar, or an object with `ndim`.
    Returns:
      An int, known while tracing.
    Raises:
      ValueError: nested lists differ in length.

    >>> ndim(jnp.ones((2, 3)))
    2
    """
negative: ufunc
"""Return minus x; unsigned integers wrap.

Args:
  x: array or scalar.
  out, where: must be None: arrays do not change.
Returns:
  An array with that value for each element, of the shape of `x`
  and of its dtype.
Raises:
  TypeError: `x` is boolean, or not an array or scalar; lists are not converted.
  NotImplementedError: `out` or `where` is given.

>>> jnp.negative(jnp.array([1, -2]))
Array([-1,  2], dtype=int32)
"""
newaxis: None
def nextafter(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Return the number next to x in the direction of y; x where they are equal, NaN where one is NaN.

    Args:
      x, y: arrays or scalars; shapes broadcast, dtypes promote.
    Returns:
      An array with that value for each element, of the shape to which they broadcast
      and of the dtype to which they promote; integers and booleans become floats before.
    Raises:
      TypeError: an operand is complex, or not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.nextafter(jnp.array([1.], jnp.float16), 2.)
    Array([1.001], dtype=float16)
    """
def nonzero(a: ArrayLike, *, size: int | None = None, fill_value: ArrayLike | None = None) -> tuple[Array, ...]:
    """Return the indices of elements that are not zero, an array for each axis.

    Args:
      a: array with one axis at least.
      size: the number of indices to return; needed where the array is traced. Too many are cut, missing ones
        are `fill_value`.
      fill_value: an index, or one for each axis; default 0.
    Returns:
      A tuple of arrays of positions, one for each axis.
      The dtype is the default integer, int32, or int64 with 64-bit types on.
    Raises:
      ConcretizationTypeError: the array is traced, there is no `size`, and the number of indices is needed.

    >>> jnp.nonzero(jnp.array([0, 5, 6]))
    (Array([1, 2], dtype=int32),)
    """
def not_equal(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Return whether x != y; NaN differs from everything.

    Args:
      x, y: arrays or scalars; shapes broadcast, dtypes promote.
    Returns:
      An array with that value for each element, of the shape to which they broadcast
      and of dtype bool.
    Raises:
      TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.not_equal(jnp.array([1, 2]), 2)
    Array([ True, False], dtype=bool)
    """
from numpy import number as number
from numpy import object_ as object_
ogrid: _Grid
def ones(shape: int | Sequence[int | Array], dtype: DTypeLike | None = None, *, device: Any = None, out_sharding: Any = None) -> Array:
    """Return an array of ones.

    Args:
      shape: an int or a sequence of ints, known while tracing.
      dtype: default float32, or float64 with 64-bit types on.
      device, out_sharding: where to put it.
    Returns:
      An array of that shape and dtype, all elements being 1.
    Raises:
      TypeError: the shape is not of ints, or is a traced value.

    >>> jnp.ones(2, dtype=int)
    Array([1, 1], dtype=int32)
    """
def ones_like(a: ArrayLike, dtype: DTypeLike | None = None, shape: int | Sequence[int | Array] | None = None, *, device: Any = None, out_sharding: Any = None) -> Array:
    """Return an array of ones with the shape and dtype of another.

    Args:
      a: an array, a scalar, or anything with `shape` and `dtype`.
      dtype, shape: in place of those of `a`.
      device, out_sharding: where to put it.
    Returns:
      An array of that shape and dtype, all elements being 1.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.ones_like(jnp.array([1, 2]))
    Array([1, 1], dtype=int32)
    """
def outer(a: ArrayLike, b: ArrayLike, out: None = None) -> Array:
    """Return all products of the elements of two flattened arrays.

    Args:
      a, b: arrays; they are flattened.
      out: must be None.
    Returns:
      ``[a.size, b.size]``, of the dtype to which theirs promote.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      NotImplementedError: `out` is given.

    >>> jnp.outer(jnp.array([1., 2.]), jnp.array([3., 4.]))
    Array([[3., 4.],
           [6., 8.]], dtype=float32)
    """
def packbits(a: ArrayLike, axis: int | None = None, bitorder: str = 'big') -> Array:
    """Return bits packed into bytes.

    Args:
      a: integers or booleans; those that are not 0 are bits that are set.
      axis: along which axis; None packs the flat array.
      bitorder: "big" takes the first bit for the highest, "little" for the lowest.
    Returns:
      uint8, with an eighth of the length along the axis, rounded up; missing bits are 0.
    Raises:
      TypeError: `a` holds floats.

    >>> jnp.packbits(jnp.array([1, 0, 0, 0, 0, 0, 1, 1]))
    Array([131], dtype=uint8)
    """
def pad(array: ArrayLike, pad_width: Any, mode: str | Callable[..., Any] = 'constant', **kwargs: Any) -> Array:
    """Return elements added around an array.

    Args:
      array: an array of any shape and dtype.
      pad_width: how many: an int, (before, after), or such a pair for each axis.
      mode: "constant" (with `constant_values`), "edge", "reflect" and "symmetric" (with `reflect_type`
        "even" or "odd"), "wrap", "linear_ramp" (with `end_values`), "maximum", "minimum", "mean" and
        "median" (with `stat_length`), "empty"; or a function as for `numpy.pad` that returns the new vector.
      **kwargs: of the mode: `constant_values`, `end_values`, `stat_length` or `reflect_type`.
    Returns:
      A new array of the dtype of `array`, longer along each axis by what is before and after.
    Raises:
      ValueError: a width is negative, or an option does not belong to the mode.

    >>> jnp.pad(jnp.ones(2), 1)
    Array([0., 1., 1., 0.], dtype=float32)
    """
def partition(a: ArrayLike, kth: int, axis: int = -1) -> Array:
    """Return the elements so that the k-th is in its sorted place, with no greater before and no smaller after it.

    Args:
      a: real array.
      kth: the place.
      axis: along which axis.
    Returns:
      The elements in that order, in an array of the shape and dtype of `a`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `a` is complex.

    >>> jnp.partition(jnp.array([3, 1, 2]), 1)
    Array([1, 2, 3], dtype=int32)
    """
def percentile(a: ArrayLike, q: ArrayLike, axis: int | Sequence[int] | None = None, out: None = None, overwrite_input: _builtins.bool = False, method: str = 'linear', keepdims: _builtins.bool = False, *, weights: ArrayLike | None = None, out_sharding: Any = None) -> Array:
    """Return percentiles over axes: `quantile` with `q` from 0 to 100.

    Args:
      a: real array.
      q: percentage from 0 to 100, or several; their axes come first in the result.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      overwrite_input: must be False.
      method: how to choose between two elements: linear, lower, higher, midpoint or nearest; or "inverted_cdf".
      keepdims: keep the reduced axes with length 1.
      weights: how often each element counts, for "inverted_cdf": of the shape of `a`, or of its reduced axes.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Floats, in an array with the axes of `q` in front, and those of `a` that are not reduced.
      The dtype is that of `a`; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `a` is complex, `axis` is out of range, or `out` is given.

    >>> jnp.percentile(jnp.array([0., 1., 2.]), 50)
    Array(1., dtype=float32)
    """
def permute_dims(a: ArrayLike, /, axes: int | Sequence[int] | None) -> Array:
    """Return the axes in another order: `transpose` under the array API's name.

    Args:
      a: array.
      axes: a permutation of the axes, negative ones from the end.
    Returns:
      An array whose axis i is axis `axes[i]` of `a`. The dtype is that of `a`.
    Raises:
      TypeError: `axes` is no permutation.

    >>> jnp.permute_dims(jnp.ones((2, 3)), (1, 0)).shape
    (3, 2)
    """
pi: float
def piecewise(x: ArrayLike, condlist: Sequence[ArrayLike] | ArrayLike, funclist: Sequence[Any], *args: Any, **kw: Any) -> Array:
    """Return a function chosen for each element by the last condition that holds.

    Args:
      x: array.
      condlist: conditions, of the shape of `x`.
      funclist: functions of `x` or constants, one for each condition, and maybe one for the rest; default 0.
      *args, **kw: further arguments of the functions.
    Returns:
      An array of the shape and dtype of `x`: each element is the value of the last function whose condition holds.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.piecewise(jnp.array([-2., 2.]), [jnp.array([True, False])], [lambda x: -x, 1.])
    Array([2., 1.], dtype=float32)
    """
def place(arr: ArrayLike, mask: ArrayLike, vals: ArrayLike, *, inplace: _builtins.bool = True) -> Array:
    """Return the array with values in the places of a mask, one after the other.

    Args:
      arr: array.
      mask: booleans, as many as `arr` has elements.
      vals: the values; too many are left out, and if there are too few, they begin again.
      inplace: must be False: arrays do not change.
    Returns:
      A new array of the shape and dtype of `arr`, in which elements are replaced where the mask is true.
    Raises:
      ValueError: `inplace`; the sizes differ; there are no values.

    >>> jnp.place(jnp.array([1, 2, 3]), jnp.array([True, False, True]), jnp.array([7, 8]), inplace=False)
    Array([7, 2, 8], dtype=int32)
    """
def poly(seq_of_zeros: ArrayLike) -> Array:
    """Return the polynomial with these roots, or the characteristic polynomial of a matrix.

    Args:
      seq_of_zeros: the roots, `[n]`, or a matrix, `[n, n]`.
    Returns:
      Coefficients, `[n + 1]`, the first 1; complex ones of a matrix.
    Raises:
      ValueError: another shape.

    >>> jnp.poly(jnp.array([1., -1.]))
    Array([ 1.,  0., -1.], dtype=float32)
    """
def polyadd(a1: ArrayLike, a2: ArrayLike) -> Array:
    """Return the sum of two polynomials.

    Args:
      a1, a2: coefficients, those of the highest powers first.
    Returns:
      The coefficients of the sum, as many as the longer one has.
    Raises:
      TypeError: `a1` is not an array or scalar; lists are not converted.

    >>> jnp.polyadd(jnp.array([1, 2]), jnp.array([1, 0, 0]))
    Array([1, 1, 2], dtype=int32)
    """
def polyder(p: ArrayLike, m: int = 1) -> Array:
    """Return the m-th derivative of a polynomial.

    Args:
      p: coefficients, those of the highest powers first.
      m: how often it is differentiated.
    Returns:
      The coefficients of the derivative, `m` fewer.
    Raises:
      ValueError: `m` is negative.

    >>> jnp.polyder(jnp.array([3., 2., 1.]))
    Array([6., 2.], dtype=float32)
    """
def polydiv(u: ArrayLike, v: ArrayLike, *, trim_leading_zeros: _builtins.bool = False) -> tuple[Array, Array]:
    """Return the quotient and the remainder of two polynomials.

    Args:
      u, v: coefficients; the first of `v` is not 0.
      trim_leading_zeros: a remainder without the zeros in front, as NumPy gives it; the values must be known.
        Else it is as long as `u`.
    Returns:
      The coefficients of both: ``u = quotient * v + remainder``.
    Raises:
      TypeError: `u` is not an array or scalar; lists are not converted.

    >>> jnp.polydiv(jnp.array([1., 0., -3.]), jnp.array([1., -2.]))
    (Array([1., 2.], dtype=float32), Array([0., 0., 1.], dtype=float32))
    """
def polyfit(x: ArrayLike, y: ArrayLike, deg: int, rcond: float | None = None, full: _builtins.bool = False, w: ArrayLike | None = None, cov: _builtins.bool = False) -> Any:
    """Return the polynomial with the least squared distance from points.

    Args:
      x, y: the points, floats `[n]`; `y` may be `[n, k]`, for k polynomials.
      deg: the degree.
      rcond: singular values below this part of the largest count as 0; default n times the precision.
      full: also return the squared distances, and rank, singular values and `rcond` of the powers of `x`.
      w: the weight of each distance, `[n]`.
      cov: also return the covariances of the coefficients; "unscaled" takes the weights for exact.
    Returns:
      Coefficients, `[deg + 1]` or `[deg + 1, k]`; a tuple with `full` or `cov`.
    Raises:
      TypeError: shapes that do not fit.
      ValueError: a negative degree, or too few points for covariances.

    >>> jnp.polyfit(jnp.array([0., 1., 2.]), jnp.array([1., 3., 5.]), 1).round(3)
    Array([2., 1.], dtype=float32)
    """
def polyint(p: ArrayLike, m: int = 1, k: ArrayLike | None = None) -> Array:
    """Return the m-th antiderivative of a polynomial.

    Args:
      p: coefficients.
      m: how often to integrate.
      k: the constant of each integration, or one for all; default 0.
    Returns:
      The coefficients.
    Raises:
      ValueError: `m` is negative, or there are not as many constants.

    >>> jnp.polyint(jnp.array([6., 2.]), k=5)
    Array([3., 2., 5.], dtype=float32)
    """
def polymul(a1: ArrayLike, a2: ArrayLike, *, trim_leading_zeros: _builtins.bool = False) -> Array:
    """Return the product of two polynomials.

    Args:
      a1, a2: coefficients.
      trim_leading_zeros: without the zeros in front of each, as NumPy does; the values must be known.
    Returns:
      The coefficients of the product.
    Raises:
      TypeError: `a1` is not an array or scalar; lists are not converted.

    >>> jnp.polymul(jnp.array([1., 2.]), jnp.array([1., -2.]))
    Array([ 1.,  0., -4.], dtype=float32)
    """
def polysub(a1: ArrayLike, a2: ArrayLike) -> Array:
    """Return the difference of two polynomials.

    Args:
      a1, a2: coefficients, those of the highest powers first.
    Returns:
      The coefficients of ``a1 - a2``, as many as the longer one has.
    Raises:
      TypeError: `a1` is not an array or scalar; lists are not converted.

    >>> jnp.polysub(jnp.array([1, 2]), jnp.array([1, 0, 0]))
    Array([-1,  1,  2], dtype=int32)
    """
def polyval(p: ArrayLike, x: ArrayLike, *, unroll: int = 16) -> Array:
    """Return the values of a polynomial, by Horner's rule.

    Args:
      p: coefficients, `[degree + 1]`; more axes broadcast with `x`.
      x: where.
      unroll: how many steps of the loop to write out in compiled programs.
    Returns:
      The values at `x`, in an array of its shape and of the dtype to which `p` and `x` promote.
    Raises:
      TypeError: `p` is not an array or scalar; lists are not converted.

    >>> jnp.polyval(jnp.array([1., 0., -2.]), jnp.array([2., 3.]))
    Array([2., 7.], dtype=float32)
    """
def positive(x: ArrayLike, /) -> Array:
    """Return x itself, as an array.

    Args:
      x: array or scalar.
    Returns:
      An array of the same shape, dtype and values.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.positive(jnp.array([1, -2]))
    Array([ 1, -2], dtype=int32)
    """
def pow(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return x1 ** x2, elementwise.

    Args:
      x1: array or scalar.
      x2: array or scalar. One integer whose value is known multiplies x1 with itself, and the result has the
        dtype of x1; dtypes promote otherwise.
    Returns:
      An array of the shape to which they broadcast and of the dtype to which they promote, or of that of x1; NaN where
      a float is negative and x2 no whole number.
    Raises:
      TypeError: x1 is an integer and x2 a negative integer whose value is known.

    >>> jnp.power(jnp.array([1., 2., 3.]), 2)
    Array([1., 4., 9.], dtype=float32)
    """
def power(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return x1 ** x2, elementwise.

    Args:
      x1: array or scalar.
      x2: array or scalar. One integer whose value is known multiplies x1 with itself, and the result has the
        dtype of x1; dtypes promote otherwise.
    Returns:
      An array of the shape to which they broadcast and of the dtype to which they promote, or of that of x1; NaN where
      a float is negative and x2 no whole number.
    Raises:
      TypeError: x1 is an integer and x2 a negative integer whose value is known.

    >>> jnp.power(jnp.array([1., 2., 3.]), 2)
    Array([1., 4., 9.], dtype=float32)
    """
def printoptions(*args: Any, **kwargs: Any) -> AbstractContextManager[Any]:
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
def prod(a: ArrayLike, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, out: None = None, keepdims: _builtins.bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None, promote_integers: _builtins.bool = True) -> Array:
    """Return the product over axes.

    Args:
      a: array.
      axis: an axis, a tuple of axes, or None for all.
      dtype: of the result; small integers and booleans are multiplied as the default integer.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      initial: a factor of the product.
      where: which elements to include.
      promote_integers: False multiplies small integers in their own dtype.
    Returns:
      The products, in an array without these axes, 1 over no elements. Its dtype is that of `a`; that of small integers
      and booleans is the default integer.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.prod(jnp.array([2., 3.]))
    Array(6., dtype=float32)
    """
def promote_types(a: Any, b: Any) -> Any:
    """Return the dtype that two dtypes promote to; 64-bit results are kept.

    Args:
      a, b: dtypes or what names them; the Python types int, float and complex are weak.
    Returns:
      A dtype.
    Raises:
      TypePromotionError: they have no dtype in common.

    >>> promote_types(np.int32, np.float16), promote_types("bfloat16", float)
    (dtype('float16'), dtype(bfloat16))
    """
def ptp(a: ArrayLike, axis: int | Sequence[int] | None = None, out: None = None, keepdims: _builtins.bool = False) -> Array:
    """Return the largest minus the smallest element over axes.

    Args:
      a: array.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
    Returns:
      The differences, in an array without these axes, of the dtype of `a`.
    Raises:
      ValueError: there are no elements.

    >>> jnp.ptp(jnp.array([1., 3.]))
    Array(2., dtype=float32)
    """
def put(a: ArrayLike, ind: ArrayLike, v: ArrayLike, mode: str | None = None, *, inplace: _builtins.bool = True) -> Array:
    """Return the array with values at positions of the flat array.

    Args:
      a: array.
      ind: positions, integers.
      v: the values; too many are left out, and if there are too few, they begin again.
      mode: what to do with positions out of range: None and "clip" move them inside, and None counts negative
        ones from the end; "wrap" begins again.
      inplace: must be False: arrays do not change.
    Returns:
      A new array of the shape and dtype of `a`, in which elements of the flat array are replaced.
    Raises:
      ValueError: `inplace`; an unknown mode.
      NotImplementedError: the mode "raise", which would depend on values.

    >>> jnp.put(jnp.zeros(3), jnp.array([0, 2]), 5., inplace=False)
    Array([5., 0., 5.], dtype=float32)
    """
def put_along_axis(arr: ArrayLike, indices: ArrayLike, values: ArrayLike, axis: int | None, inplace: _builtins.bool = True, *, mode: str | None = None) -> Array:
    """Return an array with elements along an axis replaced, at positions of their own for each place of
    the other axes.

    Args:
      arr: array.
      indices: integers, with as many axes as `arr`; the other axes broadcast.
      values: what to put there; it broadcasts to the shape of `indices`.
      axis: the axis; None puts into the flattened array.
      inplace: must be False: arrays do not change.
      mode: "drop" (the default) leaves out positions out of range, "clip" moves them inside.
    Returns:
      A new array of the shape and dtype of `arr`.
    Raises:
      ValueError: `inplace`; shapes do not fit.

    >>> jnp.put_along_axis(jnp.zeros((2, 3)), jnp.array([[0], [2]]), 1., axis=1, inplace=False)
    Array([[1., 0., 0.],
           [0., 0., 1.]], dtype=float32)
    """
def quantile(a: ArrayLike, q: ArrayLike, axis: int | Sequence[int] | None = None, out: None = None, overwrite_input: _builtins.bool = False, method: str = 'linear', keepdims: _builtins.bool = False, *, weights: ArrayLike | None = None) -> Array:
    """Return quantiles over axes; NaN where there is a NaN.

    Args:
      a: real array.
      q: probability from 0 to 1, or several; their axes come first in the result.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      overwrite_input: must be False.
      method: how to choose between two elements: linear, lower, higher, midpoint or nearest; or "inverted_cdf", the
        least element up to which there is a part `q` of all.
      keepdims: keep the reduced axes with length 1.
      weights: how often each element counts, for "inverted_cdf": of the shape of `a`, or of its reduced axes.
    Returns:
      Floats, in an array with the axes of `q` in front, and those of `a` that are not reduced: below each is a part
      `q` of the elements. The dtype is that of `a`; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `a` is complex, `axis` is out of range, or `out` is given.

    >>> jnp.quantile(jnp.array([0., 1., 2.]), 0.25)
    Array(0.5, dtype=float32)
    """
r_: _Join
def rad2deg(x: ArrayLike, /) -> Array:
    """Return an angle in degrees, given in radians, elementwise.

    Args:
      x: array or scalar.
    Returns:
      ``x * 180 / pi``, in an array of the shape of `x` and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.rad2deg(jnp.array([0., jnp.pi]))
    Array([  0., 180.], dtype=float32)
    """
def radians(x: ArrayLike, /) -> Array:
    """Return an angle in radians, given in degrees, elementwise.

    Args:
      x: array or scalar.
    Returns:
      ``x * pi / 180``, in an array of the shape of `x` and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.deg2rad(jnp.array([0., 180.]))
    Array([0.       , 3.1415927], dtype=float32)
    """
def ravel(a: ArrayLike, order: str | None = 'C', *, out_sharding: Any = None) -> Array:
    """Return the elements as one axis, in row-major order.

    Args:
      a: array.
      order: "C", or "F" for column-major order.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      ``[a.size]``, of the dtype of `a`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.ravel(jnp.ones((2, 2)))
    Array([1., 1., 1., 1.], dtype=float32)
    """
def ravel_multi_index(multi_index: Sequence[Any], dims: Sequence[int], mode: str = 'raise', order: str = 'C', *, dtype: DTypeLike | None = None) -> Array:
    """Turn one position for each axis into positions in the flattened array.

    Args:
      multi_index: for each axis integers, all of one shape.
      dims: the shape.
      mode: "raise" (only outside of traced code), "wrap", "clip", or "ignore" for positions out of
        range.
      order: "C" for row-major, "F" for column-major.
      dtype: of the result; default that of the positions.
    Returns:
      Positions in the flat array, integers in an array of the shape to which the indices broadcast.
    Raises:
      ValueError: positions or `dtype` are not integers, or out of range with "raise"; an unknown mode or order.
      ConcretizationTypeError: "raise" with traced positions.

    >>> jnp.ravel_multi_index((jnp.array([0, 1]), jnp.array([1, 2])), (2, 3))
    Array([1, 5], dtype=int32)
    """
def real(val: ArrayLike, /) -> Array:
    """Return the real part; of real numbers, the operand itself.

    Args:
      val: array or scalar.
    Returns:
      An array of the shape of `val`, of its dtype or of that of the parts of complex numbers.
    Raises:
      TypeError: `val` is not an array or scalar; lists are not converted.

    >>> jnp.real(jnp.array([1 + 2j]))
    Array([1.], dtype=float32)
    """
def reciprocal(x: ArrayLike, /) -> Array:
    """Return the inverse 1 / x, as a float; infinite where x is 0.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.reciprocal(jnp.array([1, 4]))
    Array([1.  , 0.25], dtype=float32)
    """
def remainder(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return what is left of x1 after division by x2, with the sign of x2.

    Args:
      x1, x2: real arrays or scalars; shapes broadcast and dtypes promote.
    Raises:
      TypeError: `x1` is complex or not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.remainder(jnp.array([7, -7]), 3)
    Array([1, 2], dtype=int32)
    """
def repeat(a: ArrayLike, repeats: ArrayLike, axis: int | None = None, *, total_repeat_length: int | None = None, out_sharding: Any = None) -> Array:
    """Repeat each element.

    Args:
      a: array.
      repeats: an int, or ints along the axis.
      axis: None flattens the array.
      total_repeat_length: the length of the result, needed where `repeats` is traced; elements beyond are
        dropped, missing ones repeat the last.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of the dtype of `a`, in which each position along the axis stands as often as `repeats` says, one after
      the other; flat without an axis.
    Raises:
      ConcretizationTypeError: `repeats` is traced and there is no `total_repeat_length`.

    >>> jnp.repeat(jnp.array([1, 2]), 2)
    Array([1, 1, 2, 2], dtype=int32)
    """
def reshape(a: ArrayLike, shape: int | Sequence[int | Array], order: str | None = 'C', *, copy: Any = None, out_sharding: Any = None) -> Array:
    """Return the elements in another shape.

    Args:
      a: array; one of NumPy is reshaped by NumPy, and stays one of NumPy.
      shape: an int or ints; one may be -1 and is computed.
      order: the order in which elements are read and written, "C" or "F".
      copy: accepted; without effect, as arrays do not change.
      out_sharding: how the result is divided, over explicit mesh axes.
    Raises:
      TypeError: the number of elements differs, or -1 occurs twice.
    Returns:
      An array of that shape, of the same dtype; elements keep their order.
    See also: `ravel`, `squeeze`, `expand_dims`.

    >>> jnp.reshape(jnp.arange(6), (2, -1))
    Array([[0, 1, 2],
           [3, 4, 5]], dtype=int32)
    """
def resize(a: ArrayLike, new_shape: int | Sequence[int | Array]) -> Array:
    """Return the elements, repeated as often as needed, in a shape.

    Args:
      a: array; it is flattened.
      new_shape: an int or a sequence of ints.
    Returns:
      An array of that shape, of the dtype of `a`; zeros, if `a` has no elements.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.resize(jnp.arange(3), (2, 2))
    Array([[0, 1],
           [2, 0]], dtype=int32)
    """
def result_type(*args: Any) -> Any:
    """Return the dtype of an operation on values.

    Args:
      args: arrays, scalars, dtypes or what names them; None stands for the default float.
    Returns:
      A dtype.
    Raises:
      TypePromotionError: they have no dtype in common.
      TypeError: one has no dtype, or one without arithmetic.

    >>> jnp.result_type(jnp.int8(1), 2.0), jnp.result_type("int16", jnp.uint16)
    (dtype('float32'), dtype('int32'))
    """
def right_shift(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return x1 with its bits moved down x2 places; signed integers keep their sign.

    Args:
      x1, x2: arrays or scalars; shapes broadcast, dtypes promote.
    Returns:
      An array with that value for each element, of the shape to which they broadcast
      and of the dtype to which they promote.
    Raises:
      TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.right_shift(jnp.array([4, -4]), 1)
    Array([ 2, -2], dtype=int32)
    """
def rint(x: ArrayLike, /) -> Array:
    """Return the nearest whole number, as a float, elementwise; halves go to the even neighbour.

    Args:
      x: array or scalar.
    Returns:
      An array of the shape of `x` and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.rint(jnp.array([0.5, 1.5]))
    Array([0., 2.], dtype=float32)
    """
def roll(a: ArrayLike, shift: ArrayLike, axis: int | Sequence[int] | None = None) -> Array:
    """Shift the elements along axes; what leaves at the end enters at the beginning.

    Args:
      a: array.
      shift: how far; ints, or traced values.
      axis: one axis, or as many as there are shifts; None shifts the flat array.
    Returns:
      An array of the shape and dtype of `a`: position i along the axis is position i - shift before.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.roll(jnp.arange(4), 1)
    Array([3, 0, 1, 2], dtype=int32)
    """
def rollaxis(a: ArrayLike, axis: int, start: int = 0) -> Array:
    """Roll one axis back until it stands before `start`.

    Args:
      a: array.
      axis: the axis to move; negative ones count from the last.
      start: the position before which it is put, in the order that the axes have now.
    Returns:
      An array with the same elements. The dtype is that of `a`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
    See also: `moveaxis`, which is easier to read.

    >>> jnp.rollaxis(jnp.ones((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
def roots(p: ArrayLike, *, strip_zeros: _builtins.bool = True) -> Array:
    """Return the roots of a polynomial, the eigenvalues of its companion matrix.

    Args:
      p: coefficients, `[n]`.
      strip_zeros: leave out zeros in front, of which the number must be known. Without it, each of them makes a
        root NaN, and the function can be traced.
    Returns:
      Complex numbers, `[n - 1]` or less. The dtype is complex.
    Raises:
      TypeError: `p` is not an array or scalar; lists are not converted.

    >>> jnp.roots(jnp.array([1., -3., 2.])).real.sort()
    Array([1., 2.], dtype=float32)
    """
def rot90(m: ArrayLike, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Array:
    """Turn an array by 90 degrees, `k` times, in the plane of two axes.

    Args:
      m: array with two axes at least.
      k: how often; negative ones turn the other way.
      axes: the two axes; the turn is from the first to the second.
    Returns:
      An array of the dtype of `m`; of odd turns the two lengths are exchanged.
    Raises:
      ValueError: there are not two axes, or they are equal.

    >>> jnp.rot90(jnp.array([[1, 2], [3, 4]]))
    Array([[2, 4],
           [1, 3]], dtype=int32)
    """
def round(a: ArrayLike, decimals: int = 0, out: None = None) -> Array:
    """Round to a number of decimals; halves go to the even neighbour.

    Args:
      a: array or scalar.
      decimals: how many, an integer; negative ones round before the decimal point, of floats only.
      out: must be None.
    Returns:
      The rounded numbers, in an array of the shape and dtype of `a`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      NotImplementedError: `out` is given.

    >>> jnp.round(jnp.array([0.5, 1.5, 2.26]), 1)
    Array([0.5, 1.5, 2.3], dtype=float32)
    """
s_: _Index
def save(file: Any, arr: ArrayLike, allow_pickle: _builtins.bool = True) -> None:
    """Save an array to a binary file in NumPy ``.npy`` format.

    Parameters
    ----------
    file : file, str, or pathlib.Path
        File or filename to which the data is saved. If file is a file-object,
        then the filename is unchanged.  If file is a string or Path,
        a ``.npy`` extension will be appended to the filename if it does not
        already have one.
    arr : array_like
        Array data to be saved.
    allow_pickle : bool, optional
        Allow saving object arrays using Python pickles. Reasons for
        disallowing pickles include security (loading pickled data can execute
        arbitrary code) and portability (pickled objects may not be loadable
        on different Python installations, for example if the stored objects
        require libraries that are not available, and not all pickled data is
        compatible between different versions of Python).
        Default: True

    See Also
    --------
    savez : Save several arrays into a ``.npz`` archive
    savetxt, load

    Notes
    -----
    For a description of the ``.npy`` format, see :py:mod:`numpy.lib.format`.

    Any data saved to the file is appended to the end of the file.

    Examples
    --------
    >>> import numpy as np

    >>> from tempfile import TemporaryFile
    >>> outfile = TemporaryFile()

    >>> x = np.arange(10)
    >>> np.save(outfile, x)

    >>> _ = outfile.seek(0) # Only needed to simulate closing & reopening file
    >>> np.load(outfile)
    array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])


    >>> with open('test.npy', 'wb') as f:
    ...     np.save(f, np.array([1, 2]))
    ...     np.save(f, np.array([1, 3]))
    >>> with open('test.npy', 'rb') as f:
    ...     a = np.load(f)
    ...     b = np.load(f)
    >>> print(a, b)
    # [1 2] [1 3]
    """
def savez(file: Any, *args: Any, allow_pickle: _builtins.bool = True, **kwds: Any) -> None:
    """Save several arrays into a single file in uncompressed ``.npz`` format.

    Provide arrays as keyword arguments to store them under the
    corresponding name in the output file: ``savez(fn, x=x, y=y)``.

    If arrays are specified as positional arguments, i.e., ``savez(fn,
    x, y)``, their names will be `arr_0`, `arr_1`, etc.

    Parameters
    ----------
    file : file, str, or pathlib.Path
        Either the filename (string) or an open file (file-like object)
        where the data will be saved. If file is a string or a Path, the
        ``.npz`` extension will be appended to the filename if it is not
        already there.
    args : Arguments, optional
        Arrays to save to the file. Please use keyword arguments (see
        `kwds` below) to assign names to arrays.  Arrays specified as
        args will be named "arr_0", "arr_1", and so on.
    allow_pickle : bool, optional
        Allow saving object arrays using Python pickles. Reasons for
        disallowing pickles include security (loading pickled data can execute
        arbitrary code) and portability (pickled objects may not be loadable
        on different Python installations, for example if the stored objects
        require libraries that are not available, and not all pickled data is
        compatible between different versions of Python).
        Default: True
    kwds : Keyword arguments, optional
        Arrays to save to the file. Each array will be saved to the
        output file with its corresponding keyword name.

    Returns
    -------
    None

    See Also
    --------
    save : Save a single array to a binary file in NumPy format.
    savetxt : Save an array to a file as plain text.
    savez_compressed : Save several arrays into a compressed ``.npz`` archive

    Notes
    -----
    The ``.npz`` file format is a zipped archive of files named after the
    variables they contain.  The archive is not compressed and each file
    in the archive contains one variable in ``.npy`` format. For a
    description of the ``.npy`` format, see :py:mod:`numpy.lib.format`.

    When opening the saved ``.npz`` file with `load` a `~lib.npyio.NpzFile`
    object is returned. This is a dictionary-like object which can be queried
    for its list of arrays (with the ``.files`` attribute), and for the arrays
    themselves.

    Keys passed in `kwds` are used as filenames inside the ZIP archive.
    Therefore, keys should be valid filenames; e.g., avoid keys that begin with
    ``/`` or contain ``.``.

    When naming variables with keyword arguments, it is not possible to name a
    variable ``file``, as this would cause the ``file`` argument to be defined
    twice in the call to ``savez``.

    Examples
    --------
    >>> import numpy as np
    >>> from tempfile import TemporaryFile
    >>> outfile = TemporaryFile()
    >>> x = np.arange(10)
    >>> y = np.sin(x)

    Using `savez` with \\*args, the arrays are saved with default names.

    >>> np.savez(outfile, x, y)
    >>> _ = outfile.seek(0) # Only needed to simulate closing & reopening file
    >>> npzfile = np.load(outfile)
    >>> npzfile.files
    ['arr_0', 'arr_1']
    >>> npzfile['arr_0']
    array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])

    Using `savez` with \\**kwds, the arrays are saved with the keyword names.

    >>> outfile = TemporaryFile()
    >>> np.savez(outfile, x=x, y=y)
    >>> _ = outfile.seek(0)
    >>> npzfile = np.load(outfile)
    >>> sorted(npzfile.files)
    ['x', 'y']
    >>> npzfile['x']
    array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    """
def searchsorted(a: ArrayLike, v: ArrayLike, side: str = 'left', sorter: ArrayLike | None = None, *, method: str = 'scan') -> Array:
    """Return where values would go in a sorted array.

    Args:
      a: sorted, with one axis; NaNs last.
      v: the values.
      side: "left" before equal elements, "right" after them.
      sorter: indices that sort `a`.
      method: "scan" and "scan_unrolled" compare once for each bit of the length, "sort" sorts both,
        "compare_all" compares every pair.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.searchsorted(jnp.array([1, 3, 5]), 4)
    Array(2, dtype=int32)
    """
def select(condlist: Sequence[ArrayLike] | ArrayLike, choicelist: Sequence[ArrayLike] | ArrayLike, default: ArrayLike = 0) -> Array:
    """Return elements of the first choice whose condition holds.

    Args:
      condlist: conditions; zero is false.
      choicelist: as many arrays or scalars. Shapes broadcast and dtypes promote.
      default: the value where no condition holds.
    Returns:
      An array of the shape to which all of them broadcast: each element is that of the first choice whose condition
        holds. The dtype is the one to which those of the arrays promote.
    Raises:
      ValueError: there is no condition, or not one for each choice.

    >>> x = jnp.arange(5)
    >>> jnp.select([x < 1, x > 3], [x - 10, x + 10], x)
    Array([-10,   1,   2,   3,  14], dtype=int32)
    """
def set_printoptions(*args: Any, **kwargs: Any) -> None:
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
def setdiff1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: _builtins.bool = False, *, size: int | None = None, fill_value: ArrayLike | None = None) -> Array:
    """Return the distinct elements of the first array that are not in the second, in order.

    Args:
      ar1, ar2: arrays; they are flattened.
      assume_unique: a promise that elements occur once in each.
      size: how many to return, needed where an array is traced; missing ones are `fill_value`.
      fill_value: default 0.
    Returns:
      An array with one axis, going up. The dtype is that of `ar1`.
    Raises:
      ConcretizationTypeError: an array is traced and there is no `size`.

    >>> jnp.setdiff1d(jnp.array([1, 2, 3]), jnp.array([2]))
    Array([1, 3], dtype=int32)
    """
def setxor1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: _builtins.bool = False, *, size: int | None = None, fill_value: ArrayLike | None = None) -> Array:
    """Return the distinct elements that are in exactly one of two arrays, in order.

    Args:
      ar1, ar2: arrays; they are flattened.
      assume_unique: a promise that elements occur once in each; those that do not are left out.
      size: how many to return, needed where an array is traced; missing ones are `fill_value`.
      fill_value: default the least of them.
    Returns:
      An array with one axis, going up. The dtype is the one to which those of the arrays promote.
    Raises:
      ConcretizationTypeError: an array is traced and there is no `size`.

    >>> jnp.setxor1d(jnp.array([1, 2]), jnp.array([2, 3]))
    Array([1, 3], dtype=int32)
    """
def shape(a: Any) -> tuple[int, ...]:
    """Return the length of each axis.

    Args:
      a: an array, a scalar, or an object with `shape`.
    Returns:
      A tuple of ints, known while tracing.
    Raises:
      ValueError: nested lists differ in length.

    >>> shape(jnp.ones((2, 3)))
    (2, 3)
    """
def sign(x: ArrayLike, /) -> Array:
    """Return -1, 0 or 1, and NaN of NaN; of a complex number x / abs(x).

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype.
    Raises:
      TypeError: `x` is boolean, or not an array or scalar; lists are not converted.

    >>> jnp.sign(jnp.array([-3., 0., 5.]))
    Array([-1.,  0.,  1.], dtype=float32)
    """
def signbit(x: ArrayLike, /) -> Array:
    """Return whether the sign bit is set: of negative numbers, -0. and some NaNs.

    Args:
      x: real array or scalar.
    Returns:
      An array of booleans of the shape of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: `x` is complex.

    >>> jnp.signbit(jnp.array([-1., -0., 0.]))
    Array([ True,  True, False], dtype=bool)
    """
from numpy import signedinteger as signedinteger
def sin(x: ArrayLike, /) -> Array:
    """Return the sine of an angle in radians.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.sin(jnp.array([0., 1.]))
    Array([0.        , 0.84147096], dtype=float32)
    """
def sinc(x: ArrayLike, /) -> Array:
    """Return `sin(pi x) / (pi x)`, which is 1 at 0, elementwise.

    Args:
      x: array or scalar.
    Returns:
      An array of the shape of `x` and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
    Derivative: of every order, at 0 too.

    >>> jnp.sinc(jnp.array([0., 0.5]))
    Array([1.        , 0.63661975], dtype=float32)
    """
from adjoint.numpy import float32 as _single
single = _single
def sinh(x: ArrayLike, /) -> Array:
    """Return the hyperbolic sine, (e ** x - e ** -x) / 2.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.sinh(jnp.array([0., 1.]))
    Array([0.       , 1.1752012], dtype=float32)
    """
def size(a: Any, axis: int | Sequence[int] | None = None) -> int:
    """Return the number of elements, in all or along axes.

    Args:
      a: an array, a scalar, or an object with `shape`.
      axis: an axis, a tuple of axes, or None for all.
    Returns:
      An int, known while tracing.
    Raises:
      ValueError: `axis` is out of range.

    >>> size(jnp.ones((2, 3)))
    6
    """
def sort(a: ArrayLike, axis: int | None = -1, *, kind: str | None = None, order: str | None = None, stable: _builtins.bool = True, descending: _builtins.bool = False) -> Array:
    """Return the elements in order along an axis; NaNs go last.

    Args:
      a: array.
      axis: None sorts the flat array.
      kind, order: must be None.
      stable: equal elements keep their order.
      descending: the largest first, and NaNs.
    Returns:
      The elements, going up along the axis, in an array of the shape and dtype of `a`; complex numbers are ordered by
      their real, then their imaginary parts.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
    Derivative: each element keeps its own.
    See also: `argsort`, `lexsort`, `partition`, `lax.top_k`.

    >>> jnp.sort(jnp.array([3., 1., 2.]))
    Array([1., 2., 3.], dtype=float32)
    """
def sort_complex(a: ArrayLike) -> Array:
    """Return the elements in order along the last axis, as complex numbers.

    Args:
      a: array.
    Returns:
      A complex array of the shape of `a`, ordered by the real, then the imaginary parts.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.sort_complex(jnp.array([2., 1.]))
    Array([1.+0.j, 2.+0.j], dtype=complex64)
    """
def spacing(x: ArrayLike, /) -> Array:
    """Return the distance from x to the next number away from zero, with the sign of x; in float16, to the next one
    upwards.

    Args:
      x: real array or scalar.
    Returns:
      An array of the shape of `x` and of its float dtype; integers become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: `x` is complex.

    >>> jnp.spacing(jnp.array([1.], jnp.float16))
    Array([0.000977], dtype=float16)
    """
def split(ary: ArrayLike, indices_or_sections: int | Sequence[int] | ArrayLike, axis: int = 0) -> list[Array]:
    """Cut an array into parts along an axis.

    Args:
      ary: array.
      indices_or_sections: the number of equal parts, or the positions where parts begin.
      axis: the axis that is cut; negative ones count from the last.
    Returns:
      A list of arrays: neighbouring parts, which are as `ary` along the other axes. The dtype is that of `ary`.
    Raises:
      ValueError: the axis has no such number of equal parts, or positions do not go up from 0 to its length.

    >>> jnp.split(jnp.arange(4), 2)
    [Array([0, 1], dtype=int32), Array([2, 3], dtype=int32)]
    """
def sqrt(x: ArrayLike, /) -> Array:
    """Return the square root; NaN for negative real numbers.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.sqrt(jnp.array([4, 9]))
    Array([2., 3.], dtype=float32)
    """
def square(x: ArrayLike, /) -> Array:
    """Return the product x * x; integers wrap around.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype.
    Raises:
      TypeError: `x` is boolean, or not an array or scalar; lists are not converted.

    >>> jnp.square(jnp.array([1, -3]))
    Array([1, 9], dtype=int32)
    """
def squeeze(a: ArrayLike, axis: int | Sequence[int] | None = None) -> Array:
    """Return the array without axes of length 1: all of them, or the given ones.

    Args:
      a: array.
      axis: an axis or a tuple of axes; None for all of length 1.
    Returns:
      The same elements in a shape without these axes. The dtype is that of `a`.
    Raises:
      ValueError: an axis has another length than 1.
    See also: `expand_dims`, `reshape`.

    >>> jnp.squeeze(jnp.ones((1, 3, 1)), 0).shape
    (3, 1)
    """
def stack(arrays: Sequence[ArrayLike] | ArrayLike, axis: int = 0, out: None = None, dtype: DTypeLike | None = None) -> Array:
    """Return arrays of one shape along a new axis.

    Args:
      arrays: a sequence of arrays, or an array whose rows are meant.
      axis: where the new axis is in the result.
      out: must be None.
      dtype: of the result; default what the dtypes of the arrays promote to.
    Returns:
      An array with a new axis, along which position i is array i.
      The dtype is the one to which those of the arrays promote.
    Raises:
      ValueError: there is no array, or shapes differ.
    See also: `concatenate` along an axis that is there, `vstack`, `hstack`.

    >>> jnp.stack([jnp.zeros(2), jnp.ones(2)])
    Array([[0., 0.],
           [1., 1.]], dtype=float32)
    """
def std(a: ArrayLike, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, out: None = None, ddof: float = 0, keepdims: _builtins.bool = False, *, where: ArrayLike | None = None, mean: ArrayLike | None = None, correction: float | None = None) -> Array:
    """Return the standard deviation over axes: the square root of the variance.

    Args:
      a: array; of complex numbers, the squared sizes of the distances count.
      axis: an axis, a tuple of axes, or None for all.
      dtype: of the result; default the real dtype of `a`, or float32 for integers.
      out: must be None.
      ddof, correction: subtracted from the number of elements in the denominator.
      keepdims: keep the reduced axes with length 1.
      where: which elements to include.
      mean: the mean, if it is known; with the reduced axes kept.
    Returns:
      The deviations, floats that are not negative, in an array without these axes; NaN where nothing is left to divide
      by.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.
    See also: `var`, `mean`, `nanstd`.

    >>> jnp.std(jnp.array([1., 3.]))
    Array(1., dtype=float32)
    """
subtract: ufunc
"""Return the difference x - y; integers wrap around.

Args:
  x, y: arrays or scalars; shapes broadcast, dtypes promote.
  out, where: must be None: arrays do not change.
Returns:
  An array with that value for each element, of the shape to which they broadcast
  and of the dtype to which they promote.
Raises:
  TypeError: an operand is boolean, or not an array or scalar, or shapes do not broadcast; lists are not converted.
  NotImplementedError: `out` or `where` is given.

>>> jnp.subtract(jnp.array([1, 2]), 2)
Array([-1,  0], dtype=int32)
"""
def sum(a: ArrayLike, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, out: None = None, keepdims: _builtins.bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None, promote_integers: _builtins.bool = True) -> Array:
    """Return the sum over axes.

    Args:
      a: array.
      axis: an axis, a tuple of axes, or None for all; a string is the name of an axis that is mapped over.
      dtype: of the result; small integers and booleans are summed as the default integer.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      initial: added to the sum.
      where: which elements to include.
      promote_integers: False sums small integers in their own dtype.
    Returns:
      The sums, in an array without these axes, 0 over no elements. Its dtype is that of `a`; that of small integers and
      booleans is the default integer.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.
    See also: `mean`, `prod`, `cumsum`, `nansum`.

    >>> jnp.sum(jnp.ones((2, 3)), axis=0)
    Array([2., 2., 2.], dtype=float32)
    """
def swapaxes(a: ArrayLike, axis1: int, axis2: int) -> Array:
    """Exchange two axes.

    Args:
      a: array.
      axis1, axis2: the axes.
    Returns:
      An array with the same elements. In compiled programs it is a view: nothing is copied. The dtype is that of `a`.
    Raises:
      ValueError: an axis is out of range.

    >>> jnp.swapaxes(jnp.ones((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
def take(a: ArrayLike, indices: ArrayLike, axis: int | None = None, out: None = None, mode: str | None = None, unique_indices: _builtins.bool = False, indices_are_sorted: _builtins.bool = False, fill_value: ArrayLike | None = None) -> Array:
    """Return elements along an axis at an array of positions.

    Args:
      a: array.
      indices: integers of any shape.
      axis: the axis; None takes from the flattened array.
      out: must be None.
      mode: "fill" (the default) counts negative positions from the end and gives `fill_value` for
        those out of range, "clip" moves all positions to the nearest valid one, "wrap" takes them
        modulo the length.
      unique_indices, indices_are_sorted: promises that may be used for speed.
      fill_value: default NaN, the least signed or greatest unsigned integer, or True.
    Returns:
      An array of the dtype of `a`, in which the axes of `indices` stand in place of `axis`.
    Raises:
      ValueError: the axis is out of range, the mode is unknown, positions are not integers.
      IndexError: there is nothing to take from.

    >>> jnp.take(jnp.array([10., 20., 30.]), jnp.array([2, -1, 5]))
    Array([30., 30., nan], dtype=float32)
    """
def take_along_axis(arr: ArrayLike, indices: ArrayLike, axis: int | None = -1, mode: str | GatherScatterMode | None = None, fill_value: ArrayLike | None = None, *, wrap_negative_indices: _builtins.bool | None = None) -> Array:
    """Return elements along an axis, at positions of their own for each place of the other axes.

    Args:
      arr: array.
      indices: integers, with as many axes as `arr`; the other axes broadcast.
      axis: the axis; None takes from the flattened array.
      mode: "fill" (the default) gives `fill_value` for positions out of range, "clip" moves them
        inside, "promise_in_bounds" says that there are none.
      fill_value: default NaN, the least signed or greatest unsigned integer, or True.
      wrap_negative_indices: count negative positions from the end (the default).
    Returns:
      An array of the shape of `indices`, as far as it does not broadcast. The dtype is that of `arr`.
    Raises:
      TypeError: positions are not integers.
      ValueError: shapes do not broadcast, the axis is out of range.

    >>> x = jnp.array([[3, 1, 2], [6, 5, 4]])
    >>> jnp.take_along_axis(x, jnp.array([[1], [2]]), axis=1)
    Array([[1],
           [4]], dtype=int32)
    """
def tan(x: ArrayLike, /) -> Array:
    """Return the tangent of an angle in radians.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.tan(jnp.array([0., 1.]))
    Array([0.       , 1.5574077], dtype=float32)
    """
def tanh(x: ArrayLike, /) -> Array:
    """Return the hyperbolic tangent, sinh(x) / cosh(x), from -1 to 1.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x`
      and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.tanh(jnp.array([0., 1.]))
    Array([0.       , 0.7615942], dtype=float32)
    """
def tensordot(a: ArrayLike, b: ArrayLike, axes: Any = 2, *, precision: Any = None, preferred_element_type: DTypeLike | None = None, out_sharding: Any = None) -> Array:
    """Return the sum of products over several axes.

    Args:
      a, b: arrays.
      axes: how many last axes of `a` and first ones of `b`, or a pair of axes or sequences of axes.
      precision: of the multiplication: a `lax.Precision` or its name.
      preferred_element_type: the dtype to accumulate in and to return.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      The sums of products, in an array with the other axes of `a`, then those of `b`.
      The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: lengths of the axes differ.

    >>> jnp.tensordot(jnp.ones((2, 3)), jnp.ones((3, 4)), 1).shape
    (2, 4)
    """
def tile(A: ArrayLike, reps: int | Sequence[int]) -> Array:
    """Return the array repeated as a whole along each axis.

    Args:
      A: array.
      reps: how often, for the last axes; more numbers than axes make new axes.
    Returns:
      An array of the dtype of `A`, `reps` times as long along each axis: the whole array, again and again.
    Raises:
      TypeError: `A` is not an array or scalar; lists are not converted.

    >>> jnp.tile(jnp.array([1, 2]), 2)
    Array([1, 2, 1, 2], dtype=int32)
    """
def top_k(a: ArrayLike, k: int, /, *, axis: int = -1, mode: str = 'largest', sorted: _builtins.bool = True) -> tuple[Array, Array]:
    """Return the `k` largest or smallest elements along an axis, the first one first, and their positions. A name of
    JAX 0.11.

    NaN counts as larger than all numbers. Of equal elements the first comes first.

    Args:
      a: real array.
      k: how many, at most the length of the axis.
      axis: the axis along which the largest are found; negative ones count from the last.
      mode: "largest" or "smallest".
      sorted: may be False if the order is not needed; they are in order in any case.
    Returns:
      A pair (values, positions as int32), both with length `k` along the axis.
    Raises:
      ValueError: `k`, `axis` or `mode` is none of these, or the elements are complex.

    >>> jnp.top_k(jnp.array([3, 1, 4]), 2)
    (Array([4, 3], dtype=int32), Array([2, 0], dtype=int32))
    >>> jnp.top_k(jnp.array([3, 1, 4]), 2, mode="smallest")
    (Array([1, 3], dtype=int32), Array([1, 0], dtype=int32))
    """
def trace(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike | None = None, out: None = None) -> Array:
    """Return the sum of the diagonal over two axes.

    Args:
      a: array with two axes at least.
      offset: which diagonal, counted from the main one upwards.
      axis1, axis2: the axes of the matrices.
      dtype: of the result; small integers and booleans are summed as the default integer.
      out: must be None.
    Returns:
      The sums, in an array without these axes.
      The dtype is that of `a`; of small integers and booleans the default integer, unless `dtype` says another.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      NotImplementedError: `out` is given.

    >>> jnp.trace(jnp.eye(3))
    Array(3., dtype=float32)
    """
def transpose(a: ArrayLike, axes: int | Sequence[int] | None = None) -> Array:
    """Return the axes in another order; reversed without `axes`.

    Args:
      a: array.
      axes: a permutation of the axes, negative ones from the end; None reverses them.
    Returns:
      An array whose axis i is axis `axes[i]` of `a`. In compiled programs it is a view: nothing is copied.
      The dtype is that of `a`.
    Raises:
      TypeError: `axes` is no permutation.
    See also: `swapaxes`, `moveaxis`, `matrix_transpose`.

    >>> jnp.transpose(jnp.ones((2, 3))).shape
    (3, 2)
    """
def trapezoid(y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: int = -1) -> Array:
    """Return the area under samples, by the trapezoidal rule.

    Args:
      y: the samples.
      x: where they are taken; default at distances `dx`.
      dx: one distance, or an array of those between the samples.
      axis: along which axis; default the last.
    Returns:
      The integrals, floats in an array without the axis.
    Raises:
      TypeError: `y` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.trapezoid(jnp.array([0., 1., 2.]))
    Array(2., dtype=float32)
    """
def tri(N: int, M: int | None = None, k: int = 0, dtype: DTypeLike | None = None) -> Array:
    """Return a matrix with ones on and below a diagonal, and zeros above.

    Args:
      N, M: rows and columns; `M` is `N` by default.
      k: the last diagonal with ones, counted from the main one upwards.
      dtype: default float32, or float64 with 64-bit types on.
    Returns:
      ``[N, M]``. The dtype is the default float, unless `dtype` says another.
    Raises:
      TypeError: `N` is not an integer.

    >>> jnp.tri(2, 3)
    Array([[1., 0., 0.],
           [1., 1., 0.]], dtype=float32)
    """
def tril(m: ArrayLike, k: int = 0) -> Array:
    """Return the elements on and below a diagonal, and zeros above.

    Args:
      m: ``[..., n, m]``.
      k: the last diagonal that is kept, counted from the main one upwards.
    Returns:
      An array of the shape and dtype of `m`.
    Raises:
      TypeError: `m` is not an array or scalar; lists are not converted.

    >>> jnp.tril(jnp.ones((2, 2)))
    Array([[1., 0.],
           [1., 1.]], dtype=float32)
    """
def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """Return the positions on and below a diagonal of an n x m matrix.

    Args:
      n, m: rows and columns; `m` is `n` by default.
      k: which diagonal, counted from the main one upwards.
    Returns:
      The rows and the columns of the positions, in order.
    Raises:
      TypeError: `n` is not an integer.

    >>> jnp.tril_indices(2)
    (Array([0, 1, 1], dtype=int32), Array([0, 0, 1], dtype=int32))
    """
def tril_indices_from(arr: ArrayLike, k: int = 0) -> tuple[Array, Array]:
    """Return the positions on and below a diagonal of a matrix.

    Args:
      arr: a matrix, ``[n, m]``; only its shape counts.
      k: the last diagonal that is taken, counted from the main one upwards.
    Returns:
      The rows and the columns of the positions, in order: an index of `arr`.
    Raises:
      ValueError: `arr` has not two axes.

    >>> jnp.tril_indices_from(jnp.ones((2, 2)))
    (Array([0, 1, 1], dtype=int32), Array([0, 0, 1], dtype=int32))
    """
def trim_zeros(filt: ArrayLike, trim: str = 'fb', axis: int | Sequence[int] | None = None) -> Array:
    """Return an array without the zeros around its other elements; its values must be known.

    Args:
      filt: array.
      trim: where: "f" at the front, "b" at the back.
      axis: along which axes; None for all.
    Returns:
      The elements between the first and the last that are not zero, in an array with as many axes.
      The dtype is that of `filt`.
    Raises:
      TypeError: `filt` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.trim_zeros(jnp.array([0, 1, 0, 2, 0]))
    Array([1, 0, 2], dtype=int32)
    """
def triu(m: ArrayLike, k: int = 0) -> Array:
    """Return the elements on and above a diagonal, and zeros below.

    Args:
      m: ``[..., n, m]``.
      k: the first diagonal that is kept, counted from the main one upwards.
    Returns:
      An array of the shape and dtype of `m`.
    Raises:
      TypeError: `m` is not an array or scalar; lists are not converted.

    >>> jnp.triu(jnp.ones((2, 2)))
    Array([[1., 1.],
           [0., 1.]], dtype=float32)
    """
def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """Return the positions on and above a diagonal of an n x m matrix.

    Args:
      n, m: rows and columns; `m` is `n` by default.
      k: the first diagonal that is taken, counted from the main one upwards.
    Returns:
      The rows and the columns of the positions, in order.
    Raises:
      TypeError: `n` is not an integer.

    >>> jnp.triu_indices(2)
    (Array([0, 0, 1], dtype=int32), Array([0, 1, 1], dtype=int32))
    """
def triu_indices_from(arr: ArrayLike, k: int = 0) -> tuple[Array, Array]:
    """Return the positions on and above a diagonal of a matrix.

    Args:
      arr: a matrix, ``[n, m]``; only its shape counts.
      k: the first diagonal that is taken, counted from the main one upwards.
    Returns:
      The rows and the columns of the positions, in order: an index of `arr`.
    Raises:
      ValueError: `arr` has not two axes.

    >>> jnp.triu_indices_from(jnp.ones((2, 2)))
    (Array([0, 0, 1], dtype=int32), Array([0, 1, 1], dtype=int32))
    """
def true_divide(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the quotient x1 / x2, never an integer; infinite, or NaN for 0 / 0, where x2 is 0.

    Args:
      x1, x2: arrays or scalars; shapes broadcast, dtypes promote.
    Returns:
      An array with that value for each element, of the shape to which they broadcast
      and of the dtype to which they promote; integers and booleans become floats before.
    Raises:
      TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.true_divide(jnp.array([1, 2]), 4)
    Array([0.25, 0.5 ], dtype=float32)
    """
def trunc(x: ArrayLike) -> Array:
    """Return the whole number next to x on the side of zero, elementwise.

    Args:
      x: real array or scalar; integers are as they are.
    Returns:
      An array of the shape and dtype of `x`.
    Raises:
      TypeError: `x` is complex or not an array or scalar; lists are not converted.

    >>> jnp.trunc(jnp.array([-1.7, 1.7]))
    Array([-1.,  1.], dtype=float32)
    """
class ufunc:
    """An element-wise function that reduces, accumulates and updates."""

    nin: int
    """Return how many arguments it takes."""
    nout: int
    """Return how many results it has."""
    nargs: int
    """Return how many arguments and results there are."""
    identity: Any
    """Return the value that changes nothing, or None."""
    @property
    def __name__(self) -> str: ...
    def __init__(self, func: Callable[..., Any], /, nin: int, nout: int, *, name: str | None = None, nargs: int | None = None, identity: Any = None, call: Callable[..., Any] | None = None, reduce: Callable[..., Any] | None = None, accumulate: Callable[..., Any] | None = None, at: Callable[..., Any] | None = None, reduceat: Callable[..., Any] | None = None) -> None: ...
    def __call__(self, *args: ArrayLike, out: None = None, where: None = None) -> Array: ...
    def reduce(self, a: ArrayLike, axis: int | None = 0, dtype: DTypeLike | None = None, out: None = None, keepdims: _builtins.bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None) -> Array:
        """Return the elements along an axis combined, from the first to the last.

        Args:
          a: array.
          axis: which axis; None for all. Functions with a reduction of their own take tuples.
          dtype: of the result.
          out: not supported.
          keepdims: keep the axis with length 1.
          initial: a value to begin with; default the identity, or else the first element.
          where: which elements to include.
        Raises:
          ValueError: the function does not take two scalars, or the identity is missing where it is needed.

        >>> jnp.subtract.reduce(jnp.array([10, 3, 2]))
        Array(5, dtype=int32)
        """
    def accumulate(self, a: ArrayLike, axis: int = 0, dtype: DTypeLike | None = None, out: None = None) -> Array:
        """Return the results of `reduce` of the first element, the first two, and so on.

        Args:
          a: array.
          axis: along which.
          dtype: of the result.
          out: not supported.

        >>> jnp.subtract.accumulate(jnp.array([10, 3, 2]))
        Array([10,  7,  5], dtype=int32)
        """
    def at(self, a: ArrayLike, indices: Any, b: ArrayLike | None = None, *, inplace: _builtins.bool = True) -> Array:
        """Return the array with the function applied at some positions, as often as each occurs.

        Args:
          a: array.
          indices: an index as in `a[indices]`.
          b: the second operand, for functions of two; it broadcasts to `a[indices]`.
          inplace: must be False: arrays do not change.

        >>> jnp.add.at(jnp.zeros(3), jnp.array([0, 0, 2]), 1., inplace=False)
        Array([2., 0., 1.], dtype=float32)
        """
    def reduceat(self, a: ArrayLike, indices: Any, axis: int = 0, dtype: DTypeLike | None = None, out: None = None) -> Array:
        """Return `reduce` of parts of an axis: from each index to the next, or of one element where that is not above.

        Args:
          a: array.
          indices: integers `[n]`, where the parts begin.
          axis: along which.
          dtype: of the result.
          out: not supported.

        >>> jnp.add.reduceat(jnp.arange(5), jnp.array([0, 2]))
        Array([1, 9], dtype=int32)
        """
    def outer(self, A: ArrayLike, B: ArrayLike, /) -> Array:
        """Return the function of all pairs of elements: `[*A.shape, *B.shape]`.

        Args:
          A: array or scalar.
          B: array or scalar.

        >>> jnp.multiply.outer(jnp.array([1, 2]), jnp.array([3, 4]))
        Array([[3, 4],
               [6, 8]], dtype=int32)
        """
from adjoint.numpy import uint64 as _uint
uint = _uint
uint1: _Scalar
"""A constructor of arrays of dtype uint1, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.uint1.dtype
dtype(uint1)
"""
uint16: _Scalar
"""A constructor of arrays of dtype uint16, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.uint16.dtype
dtype('uint16')
"""
uint2: _Scalar
"""A constructor of arrays of dtype uint2, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.uint2.dtype
dtype(uint2)
"""
uint32: _Scalar
"""A constructor of arrays of dtype uint32, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.uint32.dtype
dtype('uint32')
"""
uint4: _Scalar
"""A constructor of arrays of dtype uint4, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.uint4.dtype
dtype(uint4)
"""
uint64: _Scalar
"""A constructor of arrays of dtype uint64, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, or the 32-bit one unless 64-bit types are on, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.uint64.dtype
dtype('uint64')
"""
uint8: _Scalar
"""A constructor of arrays of dtype uint8, and that dtype.

Args:
  x: array, scalar or nested lists, which are converted.
Returns:
  An array of this dtype, of the shape of `x`.
Raises:
  TypeError, ValueError: `x` is not of numbers.

>>> jnp.uint8.dtype
dtype('uint8')
"""
def union1d(ar1: ArrayLike, ar2: ArrayLike, *, size: int | None = None, fill_value: ArrayLike | None = None) -> Array:
    """Return the distinct elements of two arrays, in order.

    Args:
      ar1, ar2: arrays; they are flattened.
      size: how many to return, needed where an array is traced; missing ones are `fill_value`.
      fill_value: default the least of them.
    Returns:
      An array with one axis, going up. The dtype is the one to which those of the arrays promote.
    Raises:
      ConcretizationTypeError: an array is traced and there is no `size`.

    >>> jnp.union1d(jnp.array([1, 2]), jnp.array([2, 3]))
    Array([1, 2, 3], dtype=int32)
    """
def unique(ar: Any, return_index: _builtins.bool = False, return_inverse: _builtins.bool = False, return_counts: _builtins.bool = False, axis: int | None = None, *, equal_nan: _builtins.bool = True, size: int | None = None, fill_value: ArrayLike | None = None, sorted: _builtins.bool = True) -> Any:
    """Return the distinct elements, in order.

    Args:
      ar: array.
      return_index: also return where each first occurs.
      return_inverse: also return the positions that make the array from the distinct elements.
      return_counts: also return how often each occurs.
      axis: find distinct slices along an axis; None flattens the array.
      equal_nan: whether NaNs count as one element.
      size: how many to return, needed where the array is traced; missing ones are `fill_value`.
      fill_value: default the first.
      sorted: may be False if the order is not needed; they are in order in any case.
    Returns:
      An array with one axis, going up, or with the axes of `ar`; or a tuple of it and what else was asked for, in the
      order of the arguments. The inverse has the shape of `ar`. The dtype is that of `ar`.
    Raises:
      ConcretizationTypeError: the array is traced and there is no `size`.

    >>> jnp.unique(jnp.array([3, 1, 3]))
    Array([1, 3], dtype=int32)
    """
def unique_all(x: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None) -> _UniqueAllResult:
    """Return the distinct elements, where they first occur, the inverse, and how often they occur.

    Args:
      x: array; it is flattened.
      size: how many to return, needed where the array is traced; missing ones are `fill_value`.
      fill_value: default the first.
    Returns:
      A named tuple (values, indices, inverse_indices, counts), whose inverse has the shape of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.unique_all(jnp.array([3, 1, 3])).counts
    Array([1, 2], dtype=int32)
    """
def unique_counts(x: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None) -> _UniqueCountsResult:
    """Return the distinct elements, and how often they occur.

    Args:
      x: array; it is flattened.
      size: how many to return, needed where the array is traced; missing ones are `fill_value`.
      fill_value: default the first.
    Returns:
      A named tuple (values, counts).
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.unique_counts(jnp.array([3, 1, 3])).values
    Array([1, 3], dtype=int32)
    """
def unique_inverse(x: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None) -> _UniqueInverseResult:
    """Return the distinct elements, and the positions that make the array from them.

    Args:
      x: array; it is flattened.
      size: how many to return, needed where the array is traced; missing ones are `fill_value`.
      fill_value: default the first.
    Returns:
      A named tuple (values, inverse_indices), whose inverse has the shape of `x`.
      The positions are int32, or int64 with 64-bit types on.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.unique_inverse(jnp.array([3, 1, 3])).inverse_indices
    Array([1, 0, 1], dtype=int32)
    """
def unique_values(x: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None) -> Array:
    """Return the distinct elements, in order.

    Args:
      x: array; it is flattened.
      size: how many to return, needed where the array is traced; missing ones are `fill_value`.
      fill_value: default the first.
    Returns:
      An array with one axis. The dtype is that of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.unique_values(jnp.array([3, 1, 3]))
    Array([1, 3], dtype=int32)
    """
def unpackbits(a: ArrayLike, axis: int | None = None, count: int | None = None, bitorder: str = 'big') -> Array:
    """Return the bits of bytes.

    Args:
      a: uint8.
      axis: along which axis; None unpacks the flat array.
      count: how many bits to return, from the first on, with zeros for those that are missing; if negative, how
        many to leave out at the end.
      bitorder: "big" gives the highest bit first, "little" the lowest.
    Returns:
      uint8, 0 or 1.
    Raises:
      TypeError: `a` is not uint8.

    >>> jnp.unpackbits(jnp.array([131], dtype=jnp.uint8))
    Array([1, 0, 0, 0, 0, 0, 1, 1], dtype=uint8)
    """
def unravel_index(indices: ArrayLike, shape: int | Sequence[int]) -> tuple[Array, ...]:
    """Return positions in a flattened array as one position for each axis of `shape`.

    Args:
      indices: integers of any shape. Negative ones count from the end; those out of range are moved
        inside.
      shape: the shape, or one length.
    Returns:
      A tuple of arrays of integers, one for each axis.
    Raises:
      TypeError: `indices` is complex or not an array or scalar; lists are not converted.

    >>> jnp.unravel_index(jnp.array([1, 5]), (2, 3))
    (Array([0, 1], dtype=int32), Array([1, 2], dtype=int32))
    """
from numpy import unsignedinteger as unsignedinteger
def unstack(x: ArrayLike, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Return the parts of an array along an axis, without that axis.

    Args:
      x: array with an axis at least.
      axis: the axis that is cut; negative ones count from the last.
    Returns:
      A tuple with an array for each position along the axis. The dtype is that of `x`.
    Raises:
      ValueError: `x` has no axes, or the axis is out of range.

    >>> jnp.unstack(jnp.arange(2))
    (Array(0, dtype=int32), Array(1, dtype=int32))
    """
def unwrap(p: ArrayLike, discont: ArrayLike | None = None, axis: int = -1, period: ArrayLike = 6.283185307179586) -> Array:
    """Return phases without jumps: multiples of the period are added so that neighbours are close.

    Args:
      p: array.
      discont: the least jump to remove, at least half of the period, which is the default.
      axis: along which axis; default the last.
      period: the period; default a full turn in radians.
    Returns:
      An array of the shape of `p`: neighbours along the axis differ by at most half a period.
      The dtype is that of `p`; integers and booleans become floats.
    Raises:
      TypeError: `p` is not an array or scalar; lists are not converted.
      ValueError: `p` is complex.
      IndexError: `axis` is out of range.

    >>> jnp.unwrap(jnp.array([0., 1., 5.], jnp.float32), period=4.)
    Array([0., 1., 1.], dtype=float32)
    """
def vander(x: ArrayLike, N: int | None = None, increasing: _builtins.bool = False) -> Array:
    """Return the matrix of the powers of each element, the highest first.

    Args:
      x: `[n]`.
      N: how many powers; default n.
      increasing: the lowest first.
    Returns:
      `[n, N]`. The dtype is that of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.vander(jnp.array([2, 3]), 3)
    Array([[4, 2, 1],
           [9, 3, 1]], dtype=int32)
    """
def var(a: ArrayLike, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, out: None = None, ddof: float = 0, keepdims: _builtins.bool = False, *, where: ArrayLike | None = None, mean: ArrayLike | None = None, correction: float | None = None) -> Array:
    """Return the variance over axes: the mean of the squared distances from the mean.

    Args:
      a: array; of complex numbers, the squared sizes of the distances count.
      axis: an axis, a tuple of axes, or None for all.
      dtype: of the result; default the real dtype of `a`, or float32 for integers.
      out: must be None.
      ddof, correction: subtracted from the number of elements in the denominator.
      keepdims: keep the reduced axes with length 1.
      where: which elements to include.
      mean: the mean, if it is known; with the reduced axes kept.
    Returns:
      The variances, floats that are not negative, in an array without these axes; NaN where nothing is left to divide
      by.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.
    See also: `std`, `mean`, `cov`, `nanvar`.

    >>> jnp.var(jnp.array([1., 3.]))
    Array(1., dtype=float32)
    """
def vdot(a: ArrayLike, b: ArrayLike, *, precision: Any = None, preferred_element_type: DTypeLike | None = None) -> Array:
    """Return the sum of products of the flattened arrays, the first one conjugated.

    Args:
      a, b: arrays of equal size.
      precision: of the multiplication: a `lax.Precision` or its name.
      preferred_element_type: the dtype to accumulate in and to return.
    Returns:
      A scalar array. The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: `a` is not an array or scalar, or shapes do not fit together; lists are not converted.

    >>> jnp.vdot(jnp.array([1j]), jnp.array([1j]))
    Array(1.+0.j, dtype=complex64)
    """
def vecdot(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1, precision: Any = None, preferred_element_type: DTypeLike | None = None) -> Array:
    """Return the sum of products over one axis, the first operand conjugated; the other axes broadcast.

    Args:
      x1, x2: arrays of one length along the axis.
      axis: the axis, of both.
      precision: of the multiplication: a `lax.Precision` or its name.
      preferred_element_type: the dtype to accumulate in and to return.
    Returns:
      An array of the shape to which the other axes broadcast.
      The dtype is the one to which those of the arrays promote.
    Raises:
      ValueError: the lengths differ.

    >>> jnp.vecdot(jnp.ones((2, 3)), jnp.ones(3))
    Array([3., 3.], dtype=float32)
    """
def vecmat(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return products of conjugated vectors and matrices; batches broadcast.

    Args:
      x1: ``[..., n]``.
      x2: ``[..., n, m]``.
    Returns:
      ``[..., m]``, of the dtype to which theirs promote.
    Raises:
      TypeError: `x1` is not an array or scalar; lists are not converted.

    >>> jnp.vecmat(jnp.ones(2), jnp.ones((2, 3)))
    Array([2., 2., 2.], dtype=float32)
    """
def vectorize(pyfunc: Callable[..., Any], *, excluded: Any = ..., signature: str | None = None) -> Any:
    """Return a function of scalars (or, with `signature`, of small arrays) that broadcasts.

    Args:
      pyfunc: the function.
      excluded: positions or names of arguments that are passed as they are.
      signature: such as ``"(n),(m,n)->(m)"``: the axes that the function itself sees.
    Returns:
      A function of arrays.
    Raises:
      TypeError: the number of arguments is not that of `signature`, or `excluded` holds what is neither int nor str.
      ValueError: `signature` is none; axes of one name differ in length; an argument has fewer axes than its
        signature; or the axes in front of those do not broadcast.

    >>> jnp.vectorize(lambda a, b: a * b)(jnp.arange(3), 2)
    Array([0, 2, 4], dtype=int32)
    """
def vsplit(ary: ArrayLike, indices_or_sections: int | Sequence[int] | ArrayLike) -> list[Array]:
    """Cut an array into parts along axis 0.

    Args:
      ary: array with two axes at least.
      indices_or_sections: the number of equal parts, or the positions where parts begin.
    Returns:
      A list of arrays: neighbouring parts. The dtype is that of `ary`.
    Raises:
      ValueError: the axis has no such number of equal parts, or positions do not go up from 0 to its length.

    >>> [x.shape for x in jnp.vsplit(jnp.ones((4, 2)), 2)]
    [(2, 2), (2, 2)]
    """
def vstack(tup: Sequence[ArrayLike] | ArrayLike, dtype: DTypeLike | None = None) -> Array:
    """Return arrays one below the other, along axis 0; those with one axis are rows.

    Args:
      tup: a sequence of arrays, or an array whose rows are meant.
      dtype: of the result; default what the dtypes of the arrays promote to.
    Returns:
      An array with two axes at least. The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: one of `tup` is not an array or scalar.

    >>> jnp.vstack([jnp.zeros(2), jnp.ones(2)])
    Array([[0., 0.],
           [1., 1.]], dtype=float32)
    """
@overload
def where(condition: ArrayLike, x: ArrayLike, y: ArrayLike, /, *, size: int | None = None, fill_value: Any = None) -> Array:
    """Return elements of `x` where a condition holds, and of `y` elsewhere.

    Args:
      condition: array or scalar; zero is false.
      x, y: arrays or scalars. Shapes of all three broadcast, dtypes of these two promote. Without them,
        the indices where the condition holds are returned, as by `nonzero`.
      size, fill_value: for the form without `x` and `y`: see `nonzero`.
    Returns:
      An array of the shape to which all of them broadcast, in the dtype to which `x` and `y` promote.
    Raises:
      TypeError: `condition` is not an array or scalar; lists are not converted.
      ValueError: shapes do not broadcast.
    Derivative: only the elements that are chosen have one. Where the other branch is infinite or NaN,
      choose its operand with `where` too.
    See also: `select`, `lax.cond`, `nonzero`, `clip`.

    >>> jnp.where(jnp.array([True, False]), jnp.array([1, 2]), 0)
    Array([1, 0], dtype=int32)
    """
@overload
def where(condition: ArrayLike, x: None = None, y: None = None, /, *, size: int | None = None, fill_value: Any = None) -> tuple[Array, ...]:
    """Return elements of `x` where a condition holds, and of `y` elsewhere.

    Args:
      condition: array or scalar; zero is false.
      x, y: arrays or scalars. Shapes of all three broadcast, dtypes of these two promote. Without them,
        the indices where the condition holds are returned, as by `nonzero`.
      size, fill_value: for the form without `x` and `y`: see `nonzero`.
    Returns:
      An array of the shape to which all of them broadcast, in the dtype to which `x` and `y` promote.
    Raises:
      TypeError: `condition` is not an array or scalar; lists are not converted.
      ValueError: shapes do not broadcast.
    Derivative: only the elements that are chosen have one. Where the other branch is infinite or NaN,
      choose its operand with `where` too.
    See also: `select`, `lax.cond`, `nonzero`, `clip`.

    >>> jnp.where(jnp.array([True, False]), jnp.array([1, 2]), 0)
    Array([1, 0], dtype=int32)
    """
def zeros(shape: int | Sequence[int | Array], dtype: DTypeLike | None = None, *, device: Any = None, out_sharding: Any = None) -> Array:
    """Return an array of zeros.

    Args:
      shape: an int or a sequence of ints, known while tracing.
      dtype: default float32, or float64 with 64-bit types on.
      device, out_sharding: where to put it.
    Returns:
      An array of that shape and dtype, all elements being 0.
    Raises:
      TypeError: the shape is not of ints, or is a traced value.
    See also: `ones`, `full`, `zeros_like`, `empty`.

    >>> jnp.zeros((2, 3))
    Array([[0., 0., 0.],
           [0., 0., 0.]], dtype=float32)
    """
def zeros_like(a: ArrayLike, dtype: DTypeLike | None = None, shape: int | Sequence[int | Array] | None = None, *, device: Any = None, out_sharding: Any = None) -> Array:
    """Return an array of zeros with the shape and dtype of another.

    Args:
      a: an array, a scalar, or anything with `shape` and `dtype`.
      dtype, shape: in place of those of `a`.
      device, out_sharding: where to put it.
    Returns:
      An array of that shape and dtype, all elements being 0.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.zeros_like(jnp.array([1, 2]))
    Array([0, 0], dtype=int32)
    """
class _UniqueAllResult(NamedTuple):
    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array
class _UniqueCountsResult(NamedTuple):
    values: Array
    counts: Array
class _UniqueInverseResult(NamedTuple):
    values: Array
    inverse_indices: Array
