# Written by stubs/generate.py; do not edit.
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from types import EllipsisType
from typing import Any, Concatenate, Generic, Literal, SupportsIndex, overload
import numpy as np
from typing_extensions import ParamSpec, Self, TypeVar
from adjoint.core import ShapedArray
from adjoint.extend.core import ClosedJaxpr
from adjoint.sharding import Sharding
from adjoint.stages import Wrapped
from adjoint.typing import ArrayLike, DTypeLike
from adjoint.core import ShapedArray
from adjoint.sharding import Mesh
from adjoint.sharding import Sharding
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Sequence
from typing import Any
_T = TypeVar("_T", bound=Any, default=Any)
_S = TypeVar("_S", bound=Any, default=Any)
_R = TypeVar("_R", default=Any)
_A = TypeVar("_A", default=Any)
_F = TypeVar("_F", bound=Callable[..., Any])
_P = ParamSpec("_P", default=...)
_Axis = int | Sequence[int] | None
_Index = SupportsIndex | slice | EllipsisType | Array | np.ndarray[Any, Any] | Sequence[Any] | tuple[Any, ...] | None
class _At:
    """`x.at`."""
    def __getitem__(self, index: _Index, /) -> _Update: ...
class _Update:
    """`x.at[idx]`."""
    def set(self, values: ArrayLike, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None, out_sharding: Any = None, wrap_negative_indices: bool = True) -> Array:
        """Return the array after `x[idx] = values`.

        Args:
          values: array or scalar, which broadcasts to `x[idx]` and is converted to the dtype of `x`.
          indices_are_sorted: the positions are in order.
          unique_indices: no position occurs twice.
          mode: of positions out of range: "drop" (default) leaves them out, "clip" moves them inside, "promise_in_bounds" says
            that there are none.
          out_sharding: sharding of the result over a mesh of explicit axes.
          wrap_negative_indices: count negative positions from the end.
        """
    def add(self, values: ArrayLike, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None, out_sharding: Any = None, wrap_negative_indices: bool = True) -> Array:
        """Return the array after `x[idx] += values`.

        Args:
          values: array or scalar, which broadcasts to `x[idx]` and is converted to the dtype of `x`.
          indices_are_sorted: the positions are in order.
          unique_indices: no position occurs twice.
          mode: of positions out of range: "drop" (default) leaves them out, "clip" moves them inside, "promise_in_bounds" says
            that there are none.
          out_sharding: sharding of the result over a mesh of explicit axes.
          wrap_negative_indices: count negative positions from the end.
        """
    def subtract(self, values: ArrayLike, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None, out_sharding: Any = None, wrap_negative_indices: bool = True) -> Array:
        """Return the array after `x[idx] -= values`.

        Args:
          values: array or scalar, which broadcasts to `x[idx]` and is converted to the dtype of `x`.
          indices_are_sorted: the positions are in order.
          unique_indices: no position occurs twice.
          mode: of positions out of range: "drop" (default) leaves them out, "clip" moves them inside, "promise_in_bounds" says
            that there are none.
          out_sharding: sharding of the result over a mesh of explicit axes.
          wrap_negative_indices: count negative positions from the end.
        """
    def multiply(self, values: ArrayLike, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None, out_sharding: Any = None, wrap_negative_indices: bool = True) -> Array:
        """Return the array after `x[idx] *= values`.

        Args:
          values: array or scalar, which broadcasts to `x[idx]` and is converted to the dtype of `x`.
          indices_are_sorted: the positions are in order.
          unique_indices: no position occurs twice.
          mode: of positions out of range: "drop" (default) leaves them out, "clip" moves them inside, "promise_in_bounds" says
            that there are none.
          out_sharding: sharding of the result over a mesh of explicit axes.
          wrap_negative_indices: count negative positions from the end.
        """
    def mul(self, values: ArrayLike, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None, out_sharding: Any = None, wrap_negative_indices: bool = True) -> Array:
        """Return the array after `x[idx] *= values`.

        Args:
          values: array or scalar, which broadcasts to `x[idx]` and is converted to the dtype of `x`.
          indices_are_sorted: the positions are in order.
          unique_indices: no position occurs twice.
          mode: of positions out of range: "drop" (default) leaves them out, "clip" moves them inside, "promise_in_bounds" says
            that there are none.
          out_sharding: sharding of the result over a mesh of explicit axes.
          wrap_negative_indices: count negative positions from the end.
        """
    def divide(self, values: ArrayLike, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None, out_sharding: Any = None, wrap_negative_indices: bool = True) -> Array:
        """Return the array after `x[idx] /= values`.

        Args:
          values: array or scalar, which broadcasts to `x[idx]` and is converted to the dtype of `x`.
          indices_are_sorted: the positions are in order.
          unique_indices: no position occurs twice.
          mode: of positions out of range: "drop" (default) leaves them out, "clip" moves them inside, "promise_in_bounds" says
            that there are none.
          out_sharding: sharding of the result over a mesh of explicit axes.
          wrap_negative_indices: count negative positions from the end.
        """
    def power(self, values: ArrayLike, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None, out_sharding: Any = None, wrap_negative_indices: bool = True) -> Array:
        """Return the array after `x[idx] **= values`.

        Args:
          values: array or scalar, which broadcasts to `x[idx]` and is converted to the dtype of `x`.
          indices_are_sorted: the positions are in order.
          unique_indices: no position occurs twice.
          mode: of positions out of range: "drop" (default) leaves them out, "clip" moves them inside, "promise_in_bounds" says
            that there are none.
          out_sharding: sharding of the result over a mesh of explicit axes.
          wrap_negative_indices: count negative positions from the end.
        """
    def min(self, values: ArrayLike, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None, out_sharding: Any = None, wrap_negative_indices: bool = True) -> Array:
        """Return the array after `x[idx] = minimum(x[idx], values)`.

        Args:
          values: array or scalar, which broadcasts to `x[idx]` and is converted to the dtype of `x`.
          indices_are_sorted: the positions are in order.
          unique_indices: no position occurs twice.
          mode: of positions out of range: "drop" (default) leaves them out, "clip" moves them inside, "promise_in_bounds" says
            that there are none.
          out_sharding: sharding of the result over a mesh of explicit axes.
          wrap_negative_indices: count negative positions from the end.
        """
    def max(self, values: ArrayLike, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None, out_sharding: Any = None, wrap_negative_indices: bool = True) -> Array:
        """Return the array after `x[idx] = maximum(x[idx], values)`.

        Args:
          values: array or scalar, which broadcasts to `x[idx]` and is converted to the dtype of `x`.
          indices_are_sorted: the positions are in order.
          unique_indices: no position occurs twice.
          mode: of positions out of range: "drop" (default) leaves them out, "clip" moves them inside, "promise_in_bounds" says
            that there are none.
          out_sharding: sharding of the result over a mesh of explicit axes.
          wrap_negative_indices: count negative positions from the end.
        """
    def apply(self, func: Callable[[Array], Any], *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None, out_sharding: Any = None, wrap_negative_indices: bool = True) -> Array:
        """Return the array after `func.at(x, idx)`, for a function of a scalar that keeps its dtype."""
    def get(self, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None, fill_value: Any = None, out_sharding: Any = None, wrap_negative_indices: bool = True) -> Array:
        """Return `x[idx]`.

        Args:
          indices_are_sorted: the positions are in order.
          unique_indices: no position occurs twice.
          mode: of positions out of range: "clip" (default) reads the nearest element, "fill" gives `fill_value`,
            "promise_in_bounds" says that there are none.
          fill_value: default, NaN, or the least integer (the greatest of unsigned ones).
          out_sharding: sharding of the result over a mesh of explicit axes.
          wrap_negative_indices: count negative positions from the end.

        >>> jnp.arange(3).at[10].get(mode="fill", fill_value=-1)
        Array(-1, dtype=int32)
        """
class _Option:
    """An option: its value, and a context manager that changes it for the running thread."""

    value: Any
    name: str
    def __call__(self, new_val: Any = ...) -> _Override: ...
    def get_global(self) -> Any: ...
    def set_global(self, value: Any) -> None: ...
    def get_local(self) -> Any: ...
    def set_local(self, value: Any) -> None: ...
class _Override(AbstractContextManager[Any]):
    def __call__(self, fun: _F) -> _F: ...
    def __exit__(self, *error: Any) -> None: ...
class _Config:
    """The options of the package, as attributes."""

    def update(self, name: str, val: Any) -> None: ...
    def read(self, name: str) -> Any: ...
    @property
    def values(self) -> dict[str, Any]: ...
    def __getattr__(self, name: str) -> Any: ...
class _Derivative(Generic[_T, _P]):
    @overload
    def __call__(self: _Derivative[float, _P], x: ArrayLike, /, *args: _P.args, **kwargs: _P.kwargs) -> Array: ...
    @overload
    def __call__(self: _Derivative[complex, _P], x: ArrayLike, /, *args: _P.args, **kwargs: _P.kwargs) -> Array: ...
    @overload
    def __call__(self: _Derivative[ArrayLike, _P], x: ArrayLike, /, *args: _P.args, **kwargs: _P.kwargs) -> Array: ...
    @overload
    def __call__(self, x: _T, /, *args: _P.args, **kwargs: _P.kwargs) -> _T: ...
class _Auxiliary(Generic[_T, _A, _P]):
    @overload
    def __call__(self: _Auxiliary[float, _A, _P], x: ArrayLike, /, *args: _P.args, **kwargs: _P.kwargs) -> tuple[Array, _A]: ...
    @overload
    def __call__(self: _Auxiliary[ArrayLike, _A, _P], x: ArrayLike, /, *args: _P.args, **kwargs: _P.kwargs) -> tuple[Array, _A]: ...
    @overload
    def __call__(self, x: _T, /, *args: _P.args, **kwargs: _P.kwargs) -> tuple[_T, _A]: ...
class _ValueAndDerivative(Generic[_T, _R, _P]):
    @overload
    def __call__(self: _ValueAndDerivative[float, _R, _P], x: ArrayLike, /, *args: _P.args, **kwargs: _P.kwargs) -> tuple[_R, Array]: ...
    @overload
    def __call__(self: _ValueAndDerivative[ArrayLike, _R, _P], x: ArrayLike, /, *args: _P.args, **kwargs: _P.kwargs) -> tuple[_R, Array]: ...
    @overload
    def __call__(self, x: _T, /, *args: _P.args, **kwargs: _P.kwargs) -> tuple[_R, _T]: ...
class Array:
    """An n-dimensional array whose elements do not change: `adjoint.Array`.

    It is made by functions such as `adjoint.numpy.zeros`, never by calling the class. Concrete arrays and
    the tracers that stand for them inside transformations are both instances, so `isinstance(x, adjoint.Array)`
    holds in both.

    Operators and methods are NumPy's and return new arrays. Operators broadcast shapes and promote dtypes; Python
    numbers take the dtype of the array. What NumPy does in place is written `x = x.at[i].set(v)`.

    Members:
      shape, ndim, size, dtype, nbytes: what is known of it while tracing too.
      at: updates: `x.at[i].set(v)`, `add`, `multiply`, `min`, `max`, `apply`, `get`.
      sum, mean, std, max, argmax, sort, reshape, transpose, astype, ...: the functions of `adjoint.numpy`, as methods.
      T, mT, real, imag: as in NumPy.
      item, tolist, __array__: values, for Python and NumPy. Traced values have none.
      devices, sharding, device, committed, addressable_shards: where it is.
      block_until_ready, copy_to_host_async, delete, is_deleted, is_ready: its computation and its memory.
    Raises:
      TypeError: an element is assigned.
      ConcretizationTypeError: (tracers) a number, a condition or a NumPy array is made of it.
    Differences: assignment is an error; positions outside are moved inside; floats have 32 bits unless
      64-bit types are on.
    See also: `numpy.array`, `numpy.asarray`, `device_put`, `typeof`.

    >>> x = jnp.arange(3.)
    >>> x + 1, x.at[0].set(7.), x.sum(), x.shape
    (Array([1., 2., 3.], dtype=float32), Array([7., 1., 2.], dtype=float32), Array(3., dtype=float32), (3,))
    """
    __hash__ = None  # type: ignore[assignment]
    @property
    def shape(self) -> tuple[int, ...]:
        """Return the length of each axis."""
    @property
    def dtype(self) -> np.dtype[Any]:
        """Return the element type."""
    @property
    def ndim(self) -> int:
        """Return the number of axes."""
    @property
    def size(self) -> int:
        """Return the number of elements."""
    @property
    def itemsize(self) -> int:
        """Return the number of bytes of an element."""
    @property
    def nbytes(self) -> int:
        """Return the number of bytes of all elements."""
    @property
    def weak_type(self) -> bool:
        """Return whether the type came from a Python scalar, so that it yields to others in promotion."""
    @property
    def aval(self) -> ShapedArray: ...
    @property
    def T(self) -> Array:
        """Return the axes in reverse order."""
    @property
    def mT(self) -> Array:
        """Return the last two axes exchanged."""
    @property
    def real(self) -> Array:
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
    @property
    def imag(self) -> Array:
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
    @property
    def flat(self) -> Array:
        """An iterator over the elements is not there: arrays are immutable."""
    @property
    def at(self) -> _At:
        """`x.at`: index it, then say what to do there.

        ============================  =================================
        ``x.at[idx].get()``           ``x[idx]``, with options
        ``x.at[idx].set(y)``          ``x[idx] = y``
        ``x.at[idx].add(y)``          ``x[idx] += y``
        ``x.at[idx].subtract(y)``     ``x[idx] -= y``
        ``x.at[idx].multiply(y)``     ``x[idx] *= y``
        ``x.at[idx].divide(y)``       ``x[idx] /= y``
        ``x.at[idx].power(y)``        ``x[idx] **= y``
        ``x.at[idx].min(y)``          ``x[idx] = minimum(x[idx], y)``
        ``x.at[idx].max(y)``          ``x[idx] = maximum(x[idx], y)``
        ``x.at[idx].apply(ufunc)``    ``ufunc.at(x, idx)``
        ============================  =================================

        None of them changes `x`; each returns the array that would result. An element that is named
        several times is updated several times, except by `set`, where any of its values may remain.

        All take the options `mode` ("drop" or "fill", the default for updates, "clip",
        "promise_in_bounds"), `indices_are_sorted` and `unique_indices` (promises), and
        `wrap_negative_indices` (True).

        >>> jnp.zeros(3).at[1].set(5.)
        Array([0., 5., 0.], dtype=float32)
        """
    @property
    def device(self) -> Device | Sharding:
        """Return the device of the array, or its sharding if there are several."""
    @property
    def sharding(self) -> Sharding:
        """Return how the array is laid out over devices."""
    @property
    def committed(self) -> bool:
        """Return whether the array has to stay where it is, or had to before it was deleted."""
    @property
    def format(self) -> Any:
        """Return the order of the axes in memory, and the sharding."""
    @property
    def traceback(self) -> Any:
        """Return None: arrays do not keep where they were made."""
    @property
    def addressable_shards(self) -> list[Shard]:
        """Return the parts of the array that this process can read."""
    @property
    def global_shards(self) -> list[Shard]:
        """Return the parts of the array, those of other processes without their values."""
    @property
    def is_fully_addressable(self) -> bool:
        """Return whether all parts are on devices of this process."""
    @property
    def is_fully_replicated(self) -> bool:
        """Return whether every device has the whole array."""
    def addressable_data(self, index: int) -> Array:
        """Return the part of the array on one of its devices.

        Args:
          index: the number of the part among those of this process; where each device has the whole, that of any is the
            first device's.
        """
    def devices(self) -> set[Device]:
        """Return the devices that hold the array."""
    def block_until_ready(self) -> Self:
        """Wait until the array is computed; return the array itself."""
    def copy_to_host_async(self) -> None:
        """Return a function that begins to copy the array to the host; on a CPU nothing is to be done."""
    def delete(self) -> None:
        """Give the memory back; the array cannot be used any more."""
    def is_deleted(self) -> bool:
        """Return whether the memory was given back, by `delete` or by donation."""
    def is_ready(self) -> bool:
        """Return a function that says whether the array is computed."""
    def on_device_size_in_bytes(self) -> int:
        """Return the number of bytes that the array takes on its devices."""
    def unsafe_buffer_pointer(self) -> int:
        """Return the address of the memory."""
    def to_device(self, device: Any, *, stream: Any = None) -> Array:
        """Return the array on a device, or divided as a sharding says; see `jax.device_put`.

        Args:
          device: a device or a sharding; None leaves the array where it is.
          stream: must be None.
        Raises:
          NotImplementedError: a stream is given.
        """
    def item(self, *args: int) -> bool | int | float | complex:
        """Return the single element, or the one at an index, as a Python scalar.

        Args:
          args: nothing for an array of one element; else an index into the flat array, or one for each axis.
        """
    def tolist(self) -> Any:
        """Return the values as nested Python lists."""
    def tobytes(self, order: str | None = "C") -> bytes:
        """Return the values as bytes.

        Args:
          order: "C" for rows first, "F" for columns first.
        """
    def all(self, axis: _Axis = None, out: None = None, keepdims: bool = False, *, where: ArrayLike | None = None) -> Array:
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
    def any(self, axis: _Axis = None, out: None = None, keepdims: bool = False, *, where: ArrayLike | None = None) -> Array:
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
    def argmax(self, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Array:
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
    def argmin(self, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Array:
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
    def argpartition(self, kth: int, axis: int = -1) -> Array:
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
    def argsort(self, axis: int | None = -1, *, kind: str | None = None, order: None = None, stable: bool = True, descending: bool = False) -> Array:
        """Return the indices that sort the elements along an axis, as integers of the array's shape.

        Args:
          axis: which axis; None for the flat array.
          kind: not supported.
          order: not supported.
          stable: keep the order of equal elements.
          descending: the greatest first.
        """
    def astype(self, dtype: DTypeLike | None, copy: bool = False, device: Any = None) -> Array:
        """Return the elements in another dtype.

        Args:
          dtype: the dtype.
          copy: return a copy even where the dtype is the same.
          device: where the result is to be; default, where the array is.

        >>> jnp.array([1.9, -1.9]).astype(int)
        Array([ 1, -1], dtype=int32)
        """
    def byteswap(self) -> Array:
        """Return the bytes of each element reversed; of a complex number, those of each part."""
    def choose(self, choices: Sequence[ArrayLike] | ArrayLike, out: None = None, mode: str = "raise") -> Array:
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
    def clip(self, min: ArrayLike | None = None, max: ArrayLike | None = None) -> Array:
        """Return the elements, or the nearer bound for those outside of two bounds.

        Args:
          min: the lower bound, which broadcasts to the array; None for none.
          max: the upper bound, likewise.
        """
    def compress(self, condition: ArrayLike, axis: int | None = None, *, out: None = None, size: int | None = None, fill_value: ArrayLike = 0) -> Array:
        """Return the parts along an axis where a condition holds.

        Args:
          condition: bools `[n]`, from the start of the axis.
          axis: which axis; default, that of the flat array.
          out: not supported.
          size: how many parts; inside of `jit` it must be given.
          fill_value: what stands for no part, where `size` is more than there are.
        """
    def conj(self) -> Array:
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
    def conjugate(self) -> Array:
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
    def copy(self) -> Array:
        """Return a copy with memory of its own."""
    def cumprod(self, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None) -> Array:
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
    def cumsum(self, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None) -> Array:
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
    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
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
    def dot(self, b: ArrayLike, *, precision: Any = None, preferred_element_type: DTypeLike | None = None) -> Array:
        """Return the dot product with another array, as `jnp.dot`.

        Args:
          b: array.
          precision: of the products, for accelerators.
          preferred_element_type: dtype of the sums and the result.
        """
    def flatten(self, order: str = "C", *, out_sharding: Any = None) -> Array:
        """Return the elements as one axis.

        Args:
          order: "C", where the last axis changes first, or "F".
          out_sharding: sharding of the result over a mesh of explicit axes.
        """
    def max(self, axis: _Axis = None, out: None = None, keepdims: bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None) -> Array:
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
    def mean(self, axis: _Axis = None, dtype: DTypeLike | None = None, out: None = None, keepdims: bool = False, *, where: ArrayLike | None = None) -> Array:
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
    def min(self, axis: _Axis = None, out: None = None, keepdims: bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None) -> Array:
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
    def nonzero(self, *, fill_value: Any = None, size: int | None = None) -> tuple[Array, ...]:
        """Return the indices of elements that are not zero, an array for each axis.

        Args:
          fill_value: the index that stands for no element, where `size` is more than there are.
          size: how many indices; inside of `jit` it must be given.

        >>> jnp.array([0, 5, 6]).nonzero()
        (Array([1, 2], dtype=int32),)
        """
    def prod(self, axis: _Axis = None, dtype: DTypeLike | None = None, out: None = None, keepdims: bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None, promote_integers: bool = True) -> Array:
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
    def ptp(self, axis: _Axis = None, out: None = None, keepdims: bool = False) -> Array:
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
    def ravel(self, order: str = "C", *, out_sharding: Any = None) -> Array:
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
    def repeat(self, repeats: ArrayLike, axis: int | None = None, *, total_repeat_length: int | None = None, out_sharding: Any = None) -> Array:
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
    def reshape(self, *args: Any, order: str = "C", out_sharding: Any = None) -> Array:
        """Return the elements in another shape.

        Args:
          args: the shape, as a tuple or as several ints; -1 for a length that follows from the others.
          order: "C", where the last axis changes first, or "F".
          out_sharding: sharding of the result over a mesh of explicit axes.
        Raises:
          TypeError: the shape has another number of elements.

        >>> jnp.arange(4).reshape(2, -1)
        Array([[0, 1],
               [2, 3]], dtype=int32)
        """
    def round(self, decimals: int = 0, out: None = None) -> Array:
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
    def searchsorted(self, v: ArrayLike, side: str = "left", sorter: ArrayLike | None = None, *, method: str = "scan") -> Array:
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
    def sort(self, axis: int | None = -1, *, kind: str | None = None, order: None = None, stable: bool = True, descending: bool = False) -> Array:
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
    def squeeze(self, axis: _Axis = None) -> Array:
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
    def std(self, axis: _Axis = None, dtype: DTypeLike | None = None, out: None = None, ddof: float = 0, keepdims: bool = False, *, where: ArrayLike | None = None, correction: float | None = None) -> Array:
        """Return the standard deviation over axes.

        Args:
          axis: int or tuple; None for all.
          dtype: of the result.
          out: not supported.
          ddof: is subtracted from the number of elements in the divisor.
          keepdims: keep the axes with length 1.
          where: bools, which elements count.
          correction: another name of `ddof`.
        """
    def sum(self, axis: _Axis = None, dtype: DTypeLike | None = None, out: None = None, keepdims: bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None, promote_integers: bool = True) -> Array:
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
    def swapaxes(self, axis1: int, axis2: int) -> Array:
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
    def take(self, indices: ArrayLike, axis: int | None = None, out: None = None, mode: str | None = None, unique_indices: bool = False, indices_are_sorted: bool = False, fill_value: Any = None) -> Array:
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
    def trace(self, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike | None = None, out: None = None) -> Array:
        """Return the sum of the diagonal over two axes.

        Args:
          offset: the diagonal, counted from the main one.
          axis1: the axis of the rows.
          axis2: the axis of the columns.
          dtype: of the sum.
          out: not supported.
        """
    def transpose(self, *args: Any) -> Array:
        """Return the axes in another order, by default in reverse.

        Args:
          args: the axes in their new order, as a tuple or as several ints.
        """
    def var(self, axis: _Axis = None, dtype: DTypeLike | None = None, out: None = None, ddof: float = 0, keepdims: bool = False, *, where: ArrayLike | None = None, correction: float | None = None) -> Array:
        """Return the variance over axes.

        Args:
          axis: int or tuple; None for all.
          dtype: of the result.
          out: not supported.
          ddof: is subtracted from the number of elements in the divisor.
          keepdims: keep the axes with length 1.
          where: bools, which elements count.
          correction: another name of `ddof`.
        """
    def view(self, dtype: DTypeLike | None = None, type: None = None) -> Array:
        """Return the same bits with another dtype; the last axis changes length with the size of an element.

        Args:
          dtype: the dtype; default, that of the array.
          type: not supported.
        """
    def __getitem__(self, index: _Index, /) -> Array: ...
    def __iter__(self) -> Iterator[Array]: ...
    def __len__(self) -> int: ...
    def __contains__(self, item: Any, /) -> bool: ...
    def __reversed__(self) -> Iterator[Array]: ...
    def __bool__(self) -> bool: ...
    def __int__(self) -> int: ...
    def __float__(self) -> float: ...
    def __complex__(self) -> complex: ...
    def __index__(self) -> int: ...
    def __round__(self, ndigits: int | None = None, /) -> Array: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]: ...
    def __array_namespace__(self, *, api_version: str | None = None, device: Any = None) -> Any: ...
    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None) -> Any: ...
    def __dlpack_device__(self) -> tuple[Any, int]: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __neg__(self) -> Array: ...
    def __pos__(self) -> Array: ...
    def __abs__(self) -> Array: ...
    def __invert__(self) -> Array: ...
    def __add__(self, other: ArrayLike, /) -> Array: ...
    def __radd__(self, other: ArrayLike, /) -> Array: ...
    def __sub__(self, other: ArrayLike, /) -> Array: ...
    def __rsub__(self, other: ArrayLike, /) -> Array: ...
    def __mul__(self, other: ArrayLike, /) -> Array: ...
    def __rmul__(self, other: ArrayLike, /) -> Array: ...
    def __truediv__(self, other: ArrayLike, /) -> Array: ...
    def __rtruediv__(self, other: ArrayLike, /) -> Array: ...
    def __floordiv__(self, other: ArrayLike, /) -> Array: ...
    def __rfloordiv__(self, other: ArrayLike, /) -> Array: ...
    def __mod__(self, other: ArrayLike, /) -> Array: ...
    def __rmod__(self, other: ArrayLike, /) -> Array: ...
    def __pow__(self, other: ArrayLike, /) -> Array: ...
    def __rpow__(self, other: ArrayLike, /) -> Array: ...
    def __matmul__(self, other: ArrayLike, /) -> Array: ...
    def __rmatmul__(self, other: ArrayLike, /) -> Array: ...
    def __and__(self, other: ArrayLike, /) -> Array: ...
    def __rand__(self, other: ArrayLike, /) -> Array: ...
    def __or__(self, other: ArrayLike, /) -> Array: ...
    def __ror__(self, other: ArrayLike, /) -> Array: ...
    def __xor__(self, other: ArrayLike, /) -> Array: ...
    def __rxor__(self, other: ArrayLike, /) -> Array: ...
    def __lshift__(self, other: ArrayLike, /) -> Array: ...
    def __rlshift__(self, other: ArrayLike, /) -> Array: ...
    def __rshift__(self, other: ArrayLike, /) -> Array: ...
    def __rrshift__(self, other: ArrayLike, /) -> Array: ...
    def __eq__(self, other: Any, /) -> Array: ...  # type: ignore[override] # pyright: ignore[reportIncompatibleMethodOverride]
    def __ne__(self, other: Any, /) -> Array: ...  # type: ignore[override] # pyright: ignore[reportIncompatibleMethodOverride]
    def __lt__(self, other: ArrayLike, /) -> Array: ...
    def __le__(self, other: ArrayLike, /) -> Array: ...
    def __gt__(self, other: ArrayLike, /) -> Array: ...
    def __ge__(self, other: ArrayLike, /) -> Array: ...
    def __divmod__(self, other: ArrayLike, /) -> tuple[Array, Array]: ...
    def __rdivmod__(self, other: ArrayLike, /) -> tuple[Array, Array]: ...
class Device:
    """A device that holds arrays and runs programs.

    Made by the library: `devices()` has all of them.

    >>> devices()[0].platform, devices()[0].id
    ('cpu', 0)
    """
    id: int
    platform: str
    device_kind: str
    process_index: int
    host_id: int
    client: Any
    """Return the platform of the device, with all of its devices."""
    local_hardware_id: int | None
    def memory_stats(self) -> dict[str, Any] | None:
        """Use of the device's memory, where the platform reports it."""
    def default_memory(self) -> Any:
        """Return the memory where arrays are by default."""
    def memory(self, kind: str) -> Any:
        """Return the memory of a kind.

        Args:
          kind: "device" or "pinned_host".
        Raises:
          JaxRuntimeError: the device has none of that kind.
        """
    def addressable_memories(self) -> list[Any]:
        """Return the memories that the device can use."""
    def __getattr__(self, name: str) -> Any: ...
class NamedSharding(Sharding):
    """An array divided over a mesh as a spec says; along mesh axes that it does not name, it is copied.

    Args:
      mesh: a `Mesh`, or an `AbstractMesh`.
      spec: a `PartitionSpec`.
      memory_kind: "device" (default) or "pinned_host".
    Raises:
      ValueError: the spec names an axis that the mesh does not have.
      DuplicateSpecError: it names one twice.

    >>> NamedSharding(make_mesh((1,), ("x",)), P("x")).shard_shape((4, 2))
    (4, 2)
    """
    def __init__(self, mesh: Any, spec: Any, *, memory_kind: str | None = None, _logical_device_ids: Any = None) -> None: ...
    kinds_with_sums: tuple[Any, ...]
    def over_devices(self, devices: Any) -> NamedSharding:
        """Return this sharding, which is over an abstract mesh, over a mesh of devices.

        Args:
          devices: as many devices as the mesh has places, in their order.
        """
    @property
    def device_set(self) -> set[Device]:
        """Return the devices of the mesh."""
    @property
    def addressable_devices(self) -> set[Device]:
        """Return the devices of the mesh that are of this process."""
    @property
    def num_devices(self) -> int:
        """Return how many devices the mesh has."""
    @property
    def is_fully_addressable(self) -> bool:
        """Return whether all devices are of this process."""
    @property
    def has_addressable_devices(self) -> bool:
        """Return whether a device is of this process."""
    @property
    def is_fully_replicated(self) -> bool:
        """Return whether every device holds the whole array."""
    @property
    def replicated_axes(self) -> frozenset[Any]:
        """Return the mesh axes along which the array is copied."""
    def tiling(self, ndim: int) -> list[int]:
        """Return into how many parts each axis of the array is cut.

        Args:
          ndim: how many axes the array has.
        """
    def check(self, shape: tuple[int, ...]) -> None:
        """Raise unless an array of this shape can be divided so.

        Args:
          shape: the shape of the array.
        Raises:
          ValueError: the spec has more entries than the array axes.
          IndivisibleError: an axis cannot be cut into equal parts.
        """
    def shard_shape(self, global_shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the shape of the part on each device.

        Args:
          global_shape: the shape of the array.
        """
    def parts(self, global_shape: tuple[int, ...]) -> list[tuple[Device, tuple[slice, ...], int]]:
        """Return (device, its part, which copy of that part it is) in the order of the mesh.

        Args:
          global_shape: the shape of the array.
        """
    def devices_indices_map(self, global_shape: tuple[int, ...]) -> dict[Any, Any]:
        """Return the part of an array that each device holds, as a tuple of slices by device.

        Args:
          global_shape: the shape of the array.
        """
    def addressable_devices_indices_map(self, global_shape: tuple[int, ...]) -> dict[Any, Any]:
        """Return the same for the devices of this process.

        Args:
          global_shape: the shape of the array.
        """
    def check_compatible_aval(self, aval_shape: tuple[int, ...]) -> None:
        """Raise unless an array of this shape can be divided so.

        Args:
          aval_shape: the shape of the array.
        """
    def check_rank(self, shape: tuple[int, ...], whose: str) -> None:
        """Raise if a spec has more entries than an array axes.

        Args:
          shape: the shape of the array.
          whose: which array it is, for the message.
        """
    def update(self, **changes: Any) -> NamedSharding:
        """Return the same with another `mesh`, `spec` or `memory_kind`.

        Args:
          changes: those of the three that change.
        """
    def with_memory_kind(self, kind: str) -> NamedSharding:
        """Return the same in another memory.

        Args:
          kind: "device" or "pinned_host".
        """
    def is_equivalent_to(self, other: Sharding, ndim: int) -> bool:
        """Return whether arrays are divided over the same devices in the same way.

        Args:
          other: a sharding.
          ndim: how many axes the arrays have.
        """
class P:
    """A tuple with an entry for each axis of an array: None, a mesh axis's name, or a tuple of names.

    Args:
      partitions: an entry for each axis of the array, those at the end may be left out.
      unreduced: mesh axes over which the value is yet to be summed.
      reduced: mesh axes over which it was summed.

    >>> PartitionSpec("x", None, ("y", "z"))
    P('x', None, ('y', 'z'))
    """
    def __init__(self, *partitions: Any, unreduced: Any = ..., reduced: Any = ...) -> None: ...
    UNCONSTRAINED: Any
    def update(self, **changes: Any) -> P:
        """Return the same with other `partitions`, `unreduced` or `reduced` axes.

        Args:
          changes: those of the three that change.
        """
    def index(self, value: Any) -> int:
        """Return the position of an entry.

        Args:
          value: the entry.
        Raises:
          ValueError: it does not occur.
        """
    def count(self, value: Any) -> int:
        """Return how often an entry occurs.

        Args:
          value: the entry.
        """
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __getitem__(self, i: Any) -> Any: ...
    def __add__(self, other: Any) -> Any: ...
    partitions: Any
    reduced: Any
    unreduced: Any
class Ref:
    """A mutable array: `ref[...]` reads it, `ref[...] = x` writes it. Made by `new_ref`.

    >>> ref = new_ref(jnp.zeros(3))
    >>> ref[0] = 1.0
    >>> ref[...]
    Array([1., 0., 0.], dtype=float32)
    """
    def __init__(self, aval: Any, refs: Any, trace: Any = None) -> None: ...
    @property
    def is_traced(self) -> bool:
        """Return whether it stands for a variable of a jaxpr."""
    @property
    def shape(self) -> Any:
        """Return the lengths of the axes."""
    @property
    def dtype(self) -> Any:
        """Return the dtype of the elements."""
    @property
    def ndim(self) -> Any:
        """Return the number of axes."""
    @property
    def size(self) -> Any:
        """Return the number of elements."""
    @property
    def sharding(self) -> Any:
        """Return how the array is divided over devices."""
    @property
    def committed(self) -> Any:
        """Return whether the array must stay on its device."""
    @property
    def format(self) -> Any:
        """Return the layout in memory, and the sharding."""
    @classmethod
    def define(cls, **operations: Any) -> None:
        """Bind the methods that read and write.

        Args:
          operations: functions by the names of methods.
        """
    def give_up(self) -> None:
        """Hold nothing more: programs that close over it are traced anew."""
    @property
    def is_given_up(self) -> bool:
        """Return whether it holds nothing more."""
    def unsafe_buffer_pointer(self) -> int:
        """Return the address of the memory."""
    aval: Any
    trace: Any
    def __getitem__(self, idx: Any) -> Any: ...
    def __setitem__(self, idx: Any, value: Any) -> None: ...
    def __len__(self) -> int: ...
    def addupdate(self, x: Any, idx: Any = None) -> Any:
        """Return add to the elements at an index.

        Args:
          x: array or scalar, of the shape of `ref[idx]`.
          idx: an index; default, all elements.
        """
    @property
    def at(self) -> Any:
        """Return what gives parts: `ref.at[index]` is read and written like a reference of its own."""
    def get(self, idx: Any = ()) -> Any:
        """Return the elements at an index.

        Args:
          idx: an index; default, all elements.
        """
    def set(self, value: Any, idx: Any = ()) -> None:
        """Replace the elements at an index.

        Args:
          value: an array or a scalar, of the shape of what is there.
          idx: an index; default, all elements.
        """
    def swap(self, value: Any, idx: Any = ()) -> Any:
        """Replace the elements at an index; return what was there.

        Args:
          value: an array or a scalar, of the shape of what is there.
          idx: an index; default, all elements.
        """
    def reshape(self, *shape: Any) -> Any:
        """Return a reference to what this one holds, in another shape.

        Args:
          shape: the lengths of the axes, or a tuple of them; -1 is what is left.
        Raises:
          ValueError: there would be more or fewer elements.

        >>> ref = new_ref(jnp.zeros((2, 2)))
        >>> ref.reshape(4)[1] = 5.
        >>> ref[...]
        Array([[0., 5.],
               [0., 0.]], dtype=float32)
        """
    def bitcast(self, dtype: Any) -> Any:
        """Return a reference to the bits that this one holds, as another dtype: rows share elements, or are split.

        Args:
          dtype: the dtype.
        Raises:
          ValueError: there are less than two axes, or rows are left over.

        >>> ref = new_ref(jnp.ones((1, 2)))
        >>> ref.bitcast("int16")[...]
        Array([[    0,     0],
               [16256, 16256]], dtype=int16)
        """
class ShapeDtypeStruct:
    """The shape and dtype of an array, without the array.

    Args:
      shape: a tuple of ints, or of symbolic dimensions.
      dtype: of the elements.
      sharding: where the array is to be.
      weak_type: the dtype gives way to others.
      manual_axis_type: along which mesh axes it varies, inside of `shard_map`.
      is_ref: it stands for a reference.

    >>> ShapeDtypeStruct((2, 3), "float32")
    ShapeDtypeStruct(shape=(2, 3), dtype=float32)
    """
    def __init__(self, shape: Any, dtype: Any, *, sharding: Any = None, weak_type: Any = False, manual_axis_type: Any = None, is_ref: Any = False) -> None: ...
    dtype: Any
    is_ref: bool
    manual_axis_type: Any
    shape: tuple[int, ...]
    sharding: Any
    weak_type: bool
    @classmethod
    def like(cls, x: Any) -> ShapeDtypeStruct:
        """Return shape, dtype and weak type of a value, and the sharding of an array that has a place.

        Args:
          x: an array, a scalar, or a type of one.

        >>> ShapeDtypeStruct.like(jnp.ones(3))
        ShapeDtypeStruct(shape=(3,), dtype=float32)
        """
    @property
    def size(self) -> Any:
        """Return the number of elements."""
    @property
    def ndim(self) -> Any:
        """Return the number of axes."""
    @property
    def format(self) -> Any:
        """Return the layout and the sharding, or Nones."""
    def update(self, **changes: Any) -> ShapeDtypeStruct:
        """Return a copy with some fields replaced.

        Args:
          changes: `shape`, `dtype`, `sharding`, `weak_type` or another argument of the class.
        """
    def __len__(self) -> int: ...
class Shard:
    """The part of an array on one device.

    Args:
      device: the device that holds the part.
      index: slices, the part of the whole array.
      replica_id: which copy of that part it is.
      data: the part, an array; None if another process has it.

    >>> (shard,) = jnp.arange(3).addressable_shards
    >>> shard.index, shard.data
    ((slice(None, None, None),), Array([0, 1, 2], dtype=int32))
    """
    device: Device
    index: tuple[slice, ...]
    replica_id: int
    data: Array
__version__: str
__version_info__: tuple[Any, ...]
from adjoint import ad as ad
from adjoint import ad_checkpoint as ad_checkpoint
allow_f16_reductions: _Option
"""Allow reductions to accumulate in 16-bit floats. Accepted, without effect here: It tunes XLA, or says what XLA's programs hold for its tools.

Args:
  new_val: True or False; True if it is left out, and another value counts by its truth.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_allow_f16_reductions', ...)` sets the option for the process.

>>> with allow_f16_reductions(False):
...     config.jax_allow_f16_reductions
False
"""
from adjoint import api_util as api_util
array_garbage_collection_guard: _Option
"""What happens to an array that is freed by the garbage collector, not by its last reference. Accepted, without effect here: On the CPU arrays are in the memory of the process: nothing is transferred, and nothing waits in line.

Args:
  new_val: one of None, 'allow', 'log', 'fatal'.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_array_garbage_collection_guard', ...)` sets the option for the process.
Raises:
  ValueError: it is none of these.

>>> with array_garbage_collection_guard('allow'):
...     config.jax_array_garbage_collection_guard
'allow'
"""
auto_pcast: _Option
"""Convert between varying and replicated values in shard_map automatically.

Args:
  new_val: True or False; True if it is left out, and another value counts by its truth.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_auto_pcast', ...)` sets the option for the process.

>>> with auto_pcast(False):
...     config.jax_auto_pcast
False
"""
def block_until_ready(x: _T) -> _T:
    """Wait until all arrays of a tree are computed, and return the tree.

    Calls return before their work is done; what measures times waits with this.

    Args:
      x: a tree. Leaves that are not arrays are left alone.
    Returns:
      `x` itself, the same object.
    See also: `Array.block_until_ready`, for one array.

    >>> block_until_ready({"a": jnp.ones(2), "name": "left alone"})["a"]
    Array([1., 1.], dtype=float32)
    """
check_tracer_leaks: _Option
"""Raise when a traced value outlives the function that was traced; costs time.

Args:
  new_val: True or False; True if it is left out, and another value counts by its truth.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_check_tracer_leaks', ...)` sets the option for the process.
Raises:
  Exception: inside of the block, when the function that leaked is traced; it says what keeps the value.

>>> kept = []
>>> with check_tracer_leaks(True):
...     jit(kept.append)(1.)
Traceback (most recent call last):
  ...
Exception: Leaked trace DynamicJaxprTrace. Leaked tracer(s):
  ...
"""
def checking_leaks() -> _Override:
    """Raise an error where a traced value outlives the function that was traced, inside of a `with` block.

    The error, an `Exception`, says what holds the value. Looking costs time where values leak.

    Returns:
      A context manager, in this thread: `check_tracer_leaks(True)`.

    >>> kept = []
    >>> with checking_leaks():
    ...     jit(lambda x: kept.append(x))(1.)
    Traceback (most recent call last):
    Exception: Leaked trace DynamicJaxprTrace. Leaked tracer(s):...
    """
def checkpoint(fun: Callable[_P, _R], *, prevent_cse: bool = True, policy: Callable[..., Any] | None = None, static_argnums: int | Sequence[int] = (), static_argnames: str | Sequence[str] = (), concrete: Any = ...) -> Callable[_P, _R]:
    """Make `fun` forget its intermediate values between the forward and the backward pass.

    Args:
      fun: a function of arrays or trees of arrays.
      prevent_cse: keep compilers from undoing it by merging the two computations.
      static_argnums, static_argnames: positions and names of arguments that are compile-time constants.
      policy: what to save all the same; see `checkpoint_policies`.
      concrete: the former name of what `static_argnums` does; must not be given.
    Returns:
      A function of the same arguments and results. In reverse mode it keeps its arguments, and what the policy
      says, and computes the rest again.
    Raises:
      ValueError: a static argument is out of range, or has no hash.
    See also: `checkpoint_policies`, `ad_checkpoint.checkpoint_name`, `ad_checkpoint.print_saved_residuals`.

    >>> grad(checkpoint(lambda x: jnp.sin(jnp.sin(x))))(1.)
    Array(0.36003882, dtype=float32, weak_type=True)
    """
class checkpoint_policies:
    """The policies of what a checkpointed function may save: functions (primitive, *avals, **params) -> bool.

    A policy may also answer `Recompute`, `Saveable`, or `Offloadable(src, dst)` of `ad_checkpoint`.

    >>> f = checkpoint(lambda x: jnp.sin(jnp.sin(x)), policy=checkpoint_policies.nothing_saveable)
    >>> grad(f)(0.0)
    Array(1., dtype=float32, weak_type=True)
    """
    @staticmethod
    def everything_saveable(*_: Any, **__: Any) -> bool:
        """Save all results, as if the function were not checkpointed.

        Args:
          _: the primitive and the types of its operands.
          __: its parameters.
        """
    @staticmethod
    def nothing_saveable(*_: Any, **__: Any) -> bool:
        """Save no result: the default.

        Args:
          _: the primitive and the types of its operands.
          __: its parameters.
        """
    checkpoint_dots: Any
    dots_saveable: Any
    checkpoint_dots_with_no_batch_dims: Any
    dots_with_no_batch_dims_saveable: Any
    @staticmethod
    def save_any_names_but_these(*names_not_to_save: str) -> Callable[..., Any]:
        """Return the policy that saves values with names, but for these.

        Args:
          names_not_to_save: names of `checkpoint_name`.
        """
    @staticmethod
    def save_only_these_names(*names_which_can_be_saved: str) -> Callable[..., Any]:
        """Return the policy that saves the values with these names alone.

        Args:
          names_which_can_be_saved: names of `checkpoint_name`.
        """
    @staticmethod
    def save_anything_except_these_names(*names_not_to_save: str) -> Callable[..., Any]:
        """Return the policy that saves everything but the values with these names.

        Args:
          names_not_to_save: names of `checkpoint_name`.
        """
    @staticmethod
    def save_from_both_policies(policy_1: Callable[..., Any], policy_2: Callable[..., Any]) -> Callable[..., Any]:
        """Return the policy that saves what either of two saves.

        Args:
          policy_1: a policy that answers with bools.
          policy_2: another one.
        """
    @staticmethod
    def save_and_offload_only_these_names(*, names_which_can_be_saved: Any, names_which_can_be_offloaded: Any, offload_src: str, offload_dst: str) -> Callable[..., Any]:
        """Return the policy that saves the values with some names, and moves those with others to another memory.

        Args:
          names_which_can_be_saved: names of `checkpoint_name`.
          names_which_can_be_offloaded: other names.
          offload_src: the kind of memory where the values are, "device".
          offload_dst: the kind to which they go, "pinned_host".
        Raises:
          ValueError: a name is in both.
        """
    @staticmethod
    def offload_dot_with_no_batch_dims(offload_src: str, offload_dst: str) -> Callable[..., Any]:
        """Return the policy that moves results of matrix products without batch axes to another memory.

        Args:
          offload_src: the kind of memory where the values are, "device".
          offload_dst: the kind to which they go, "pinned_host".
        """
def clear_caches() -> None:
    """Forget every traced and compiled program, and all else that is remembered.

    >>> clear_caches()
    >>> jit(lambda x: x + 1)(1.0)
    Array(2., dtype=float32, weak_type=True)
    """
def closure_convert(fun: Callable[..., Any], *example_args: Any) -> tuple[Callable[..., Any], list[Any]]:
    """Make what a function closes over an argument, as far as it may be differentiated.

    Args:
      fun: a function of arrays or trees of arrays.
      example_args: arguments that give the types.
    Returns:
      (converted, values): `converted(*args, *values)` equals `fun(*args)`.
    Raises:
      TypeError: `fun` is not a function.

    >>> y = jnp.array(2.)
    >>> f, values = closure_convert(lambda x: x * y, 3.)
    >>> f(3., *values)
    Array(6., dtype=float32, weak_type=True)
    """
from adjoint import compat as compat
config: _Config
def copy_to_host_async(x: Any) -> Any:
    """Begin to copy what can be copied to the host: each leaf's own `copy_to_host_async` is called, if it has one.

    Args:
      x: a tree of arrays; what has no such method is left alone.
    Returns:
      `x` itself, at once: a later `device_get` waits for what is not there yet.

    >>> copy_to_host_async({"a": jnp.ones(2)})["a"]
    Array([1., 1.], dtype=float32)
    """
from adjoint import core as core
from adjoint import custom_batching as custom_batching
from adjoint import custom_derivatives as custom_derivatives
def custom_gradient(fun: Callable[_P, tuple[_R, Callable[..., Any]]]) -> Callable[_P, _R]:
    """Define a function together with its reverse derivative, in one piece.

    Args:
      fun: takes the arguments and returns (value, vjp); `vjp(ct)` takes a cotangent, a tree like the value, and returns
        the cotangent of the argument, or a tuple with one for each of several. It may use all that `fun` has computed.
    Returns:
      A function of the same arguments that returns the value alone. `grad` and `vjp` use the rule.
    Raises:
      TypeError: `fun` returns no pair; the function is differentiated in forward mode.
    See also: `custom_vjp`, whose two parts are functions of their own; `custom_jvp`, for both modes.

    >>> @custom_gradient
    ... def f(x):
    ...     return x ** 2, lambda g: (g * x,)
    >>> grad(f)(3.)
    Array(3., dtype=float32, weak_type=True)
    """
class custom_jvp(Generic[_P, _R]):
    """Give a function its own rule for forward (and so for reverse) differentiation.

    Args:
      fun: a function of arrays or trees of arrays.
      nondiff_argnums, nondiff_argnames: arguments that are not differentiated; the rule gets them first.
    Members:
      defjvp: `defjvp(rule)`; `rule(primals, tangents)`, both tuples, returns the value and its tangent, which is linear
        in the tangents. With `nondiff_argnums` it gets these arguments first.
      defjvps: a rule for each argument, `(tangent, result, *primals) -> tangent`, or None for a zero.
    Raises:
      AttributeError: the function is called and has no rule.
      TypeError: the rule returns something else than a pair, or a tangent of another type than the value.
    See also: `custom_vjp`, for a backward pass of its own; `test_util.check_grads`.

    >>> @custom_jvp
    ... def f(x):
    ...     return jnp.sin(x)
    >>> @f.defjvp
    ... def f_jvp(primals, tangents):
    ...     (x,), (t,) = primals, tangents
    ...     return f(x), t * 100.
    >>> grad(f)(1.)
    Array(100., dtype=float32, weak_type=True)
    """
    def __init__(self, fun: Callable[_P, _R], nondiff_argnums: Sequence[int] = (), nondiff_argnames: Sequence[str] = ()) -> None: ...
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...
    def defjvp(self, jvp: _F, symbolic_zeros: bool = False) -> _F:
        """Set the rule; usable as a decorator.

        With `symbolic_zeros`, tangents that are zero are `SymbolicZero` objects.

        Args:
          jvp: `jvp(*nondiff, primals, tangents)`, which returns (out, tangent of out).
          symbolic_zeros: give the rule `SymbolicZero` objects for tangents that are zero.
        """
    def defjvps(self, *jvps: Callable[..., Any] | None) -> None:
        """Set one rule for each argument.

        Args:
          jvps: `rule(tangent, out, *primals)`, which returns the tangent of out, or None for zero.
        """
class custom_vjp(Generic[_P, _R]):
    """Give a function its own rule for reverse differentiation.

    Args:
      fun: a function of arrays or trees of arrays.
      nondiff_argnums, nondiff_argnames: arguments that are not differentiated; `bwd` gets them first.
    Members:
      defvjp: `defvjp(fwd, bwd)`; `fwd` takes the arguments and returns (result, residuals), `bwd(residuals, cotangent)`
        returns a tuple with a cotangent for each argument, None for a zero.
    Raises:
      TypeError: it is differentiated in forward mode, or `bwd` returns something else.
    See also: `custom_jvp`, which serves both modes; `custom_gradient`.

    >>> @custom_vjp
    ... def f(x):
    ...     return jnp.sin(x)
    >>> f.defvjp(lambda x: (f(x), x), lambda x, ct: (100. * ct,))
    >>> grad(f)(1.)
    Array(100., dtype=float32, weak_type=True)
    """
    def __init__(self, fun: Callable[_P, _R], nondiff_argnums: Sequence[int] = (), nondiff_argnames: Sequence[str] = ()) -> None: ...
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...
    def defvjp(self, fwd: Callable[..., Any], bwd: Callable[..., Any], symbolic_zeros: bool = False, optimize_remat: bool = False) -> None:
        """Set the rules.

        Args:
          fwd: the arguments of the function -> (out, residuals).
          bwd: (*nondiff arguments, residuals, cotangent of out) -> a tuple with the cotangent of each
            differentiable argument; None stands for zero.
          symbolic_zeros: `fwd` gets `CustomVJPPrimal`s, `bwd` gets `SymbolicZero`s where zero.
          optimize_remat: programs hold `fwd` as one call, which under `checkpoint` is one of the function itself
            where no residual is wanted.
        Raises:
          NotImplementedError: both options are asked for.
        """
    def def_fwd(self, fwd: _F) -> _F: ...
    def def_bwd(self, bwd: _F) -> _F: ...
from adjoint import debug as debug
debug_infs: _Option
"""Raise FloatingPointError when an operation yields an infinity.

Args:
  new_val: True or False; True if it is left out, and another value counts by its truth.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_debug_infs', ...)` sets the option for the process.
Raises:
  FloatingPointError: inside of the block, where an operation yields an infinity.

>>> with debug_infs(True):
...     jnp.log(0.)
Traceback (most recent call last):
  ...
FloatingPointError: invalid value (inf) encountered in log
  ...
"""
debug_key_reuse: _Option
"""Raise KeyReuseError when a random key is used twice.

Args:
  new_val: True or False; True if it is left out, and another value counts by its truth.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_debug_key_reuse', ...)` sets the option for the process.
Raises:
  KeyReuseError: inside of the block, where a typed key is used that gave numbers, or keys, before.

>>> key = random.key(0)
>>> with debug_key_reuse(True):
...     random.normal(key) - random.normal(key)
Traceback (most recent call last):
  ...
adjoint.errors.KeyReuseError: Previously-consumed key passed to jit-compiled function at index 0
  ...
"""
debug_nans: _Option
"""Raise FloatingPointError when an operation yields a NaN, and name the operation.

Args:
  new_val: True or False; True if it is left out, and another value counts by its truth.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_debug_nans', ...)` sets the option for the process.
Raises:
  FloatingPointError: inside of the block, where an operation yields a NaN; its operands are shown.

>>> with debug_nans(True):
...     jnp.log(-1.)
Traceback (most recent call last):
  ...
FloatingPointError: invalid value (nan) encountered in log
  ...
"""
def default_backend() -> str:
    """Return the platform of the default device.

    Returns:
      A name: "cpu", "gpu" or "tpu". Options such as `jax_platforms` decide which it is.
    Raises:
      RuntimeError: the platform that an option demands is not there.

    >>> default_backend()
    'cpu'
    """
default_device: _Option
"""The device of operations on uncommitted values: a Device or a platform name.

Args:
  new_val: a `Device`, the name of a platform, or None.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_default_device', ...)` sets the option for the process.
Raises:
  ValueError: it is neither.

>>> with default_device(devices()[0]):
...     jnp.ones(3).device
CpuDevice(id=0)
"""
default_matmul_precision: _Option
"""Precision of 32-bit matrix products and convolutions on accelerators.

Args:
  new_val: one of None, 'default', 'high', 'highest', 'bfloat16', 'tensorfloat32', and others.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_default_matmul_precision', ...)` sets the option for the process.
Raises:
  ValueError: it is none of these.

>>> with default_matmul_precision("float32"):
...     make_jaxpr(jnp.dot)(jnp.ones(3), jnp.ones(3)).eqns[0].params["precision"]
(Precision.HIGHEST, Precision.HIGHEST)
"""
default_prng_impl: _Option
"""The generator of random keys that name none.

Args:
  new_val: one of 'threefry2x32', 'threefry4x32', 'rbg', 'unsafe_rbg', 'philox2x32', 'philox4x32'.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_default_prng_impl', ...)` sets the option for the process.
Raises:
  ValueError: it is none of these.

>>> with default_prng_impl("rbg"):
...     random.key(0).dtype
key<rbg>
"""
def device_count(backend: str | None = None) -> int:
    """Return the number of devices, those of other processes included.

    Args:
      backend: a platform, such as "cpu"; the default one if it is None.
    Raises:
      RuntimeError: there is no such platform here.

    >>> device_count() == len(devices())
    True
    """
def device_get(x: Any) -> Any:
    """Return the arrays of a tree as NumPy arrays.

    Args:
      x: a tree of arrays; other leaves are as they are, and so are keys of `adjoint.random`.
    Returns:
      The tree with a NumPy array, of the same shape and dtype, in the place of each array. On the CPU it may share its
      memory, and cannot be written to. Tracers are as they are.

    >>> device_get(jnp.ones(2))
    array([1., 1.], dtype=float32)
    """
@overload
def device_put(x: ArrayLike, device: Any = None, *, src: Any = None, donate: Any = False, may_alias: Any = None) -> Array:
    """Put the arrays of a tree on a device, or divide them over several.

    Args:
      x: a tree of arrays, NumPy arrays and scalars.
      device: a device, a sharding, a spec over the mesh that was set, a memory space (`jax.memory.Space.Host`), or
        a tree of them that is a prefix of `x`; None leaves arrays where they are.
      src: where they are, for derivatives.
      donate, may_alias: whether their memory may, or must not, become that of the results; on the CPU it is shared.
    Returns:
      The tree with an `Array` in the place of each leaf, committed to the device or sharding if there is one.
    Raises:
      ValueError: `device` is something else, or the sharding does not divide the array.

    >>> device_put(np.ones(2, np.float32))
    Array([1., 1.], dtype=float32)
    """
@overload
def device_put(x: _T, device: Any = None, *, src: Any = None, donate: Any = False, may_alias: Any = None) -> _T:
    """Put the arrays of a tree on a device, or divide them over several.

    Args:
      x: a tree of arrays, NumPy arrays and scalars.
      device: a device, a sharding, a spec over the mesh that was set, a memory space (`jax.memory.Space.Host`), or
        a tree of them that is a prefix of `x`; None leaves arrays where they are.
      src: where they are, for derivatives.
      donate, may_alias: whether their memory may, or must not, become that of the results; on the CPU it is shared.
    Returns:
      The tree with an `Array` in the place of each leaf, committed to the device or sharding if there is one.
    Raises:
      ValueError: `device` is something else, or the sharding does not divide the array.

    >>> device_put(np.ones(2, np.float32))
    Array([1., 1.], dtype=float32)
    """
def devices(backend: str | None = None) -> list[Device]:
    """Return all devices of a backend, or of the default one.

    Args:
      backend: a platform, such as "cpu"; the default one if it is None.
    Raises:
      RuntimeError: there is no such platform here.

    >>> devices()
    [CpuDevice(id=0)]
    """
def disable_jit(disable: bool = True) -> Any:
    """Context manager: `jit` runs its function as it is, so that a debugger sees every value.

    Args:
      disable: False switches compiling on again, inside of another block.
    Returns:
      A context manager, in this thread; as a decorator it holds while the function runs.

    >>> with disable_jit():
    ...     y = jit(lambda x: print("x is", x))(2.)
    x is 2.0
    """
from adjoint import distributed as distributed
from adjoint import dlpack as dlpack
def ds(start: Any, size: Any = None, stride: int | None = None) -> slice:
    """Return an index for `size` elements from `start` on, where `start` may be traced.

    `ds(n)` is `ds(0, n)`, and `ds(None)` everything.

    Args:
      start: the first index, an integer or a scalar array; of a lone argument it is the size.
      size: how many elements, an int: shapes are known while tracing. Only for a block of a pipeline of kernels it may
        be traced.
      stride: the distance between two of them; 1 by default.
    Returns:
      An index, for `x[ds(i, 2)]`, `x.at[ds(i, 2)]` and references. One that would go beyond the end is moved back.
    Raises:
      TypeError: the size is not an int; for a traced size, when it is used as an index.

    >>> x = jnp.arange(10)
    >>> jit(lambda x, i: x[ds(i, 2)])(x, 4)
    Array([4, 5], dtype=int32)
    """
from adjoint import dtypes as dtypes
def effects_barrier() -> None:
    """Wait until the effects of all programs that were started have happened.

    >>> jit(lambda x: debug.print("x = {}", x))(1.)
    x = 1.0
    >>> effects_barrier()
    """
def empty_ref(ty: Any, memory_space: Any = None) -> Ref:
    """Return a mutable array of a shape and dtype, whose values are to be written first.

    Args:
      ty: what has a `shape` and a `dtype`, such as a `ShapeDtypeStruct` or an array.
      memory_space: where it is to be; None for the default.
    Returns:
      A `Ref`. What it holds before something is written is not specified; here it is zeros.
    Raises:
      AttributeError: `ty` has no shape and dtype.

    >>> empty_ref(ShapeDtypeStruct((2,), "float32")).shape
    (2,)
    """
enable_checks: _Option
"""Check internal invariants.

Args:
  new_val: True or False; True if it is left out, and another value counts by its truth.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_enable_checks', ...)` sets the option for the process.

>>> with enable_checks(True):
...     config.jax_enable_checks
True
"""
enable_custom_prng: _Option
"""Make `random.PRNGKey` return typed keys.

Args:
  new_val: True or False; True if it is left out, and another value counts by its truth.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_enable_custom_prng', ...)` sets the option for the process.

>>> with enable_custom_prng(True):
...     random.PRNGKey(0)
Array((), dtype=key<fry>) overlaying:
[0 0]
"""
enable_x64: _Option
"""Allow 64-bit dtypes; without it they become 32-bit ones.

Args:
  new_val: True or False; True if it is left out, and another value counts by its truth.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_enable_x64', ...)` sets the option for the process.

>>> with enable_x64(True):
...     jnp.arange(3.)
Array([0., 1., 2.], dtype=float64)
"""
def ensure_compile_time_eval() -> AbstractContextManager[None]:
    """Compute at once, even while tracing, what is done inside of a `with` block on known values.

    Under `jit` an operation becomes a part of the program even if its operands are constants; inside of the block its
    value is there, so that Python can branch on it. Operations on traced values become parts of the program as ever.

    Returns:
      A context manager, which is a decorator of functions, too.

    >>> @jit
    ... def f(x):
    ...     with ensure_compile_time_eval():
    ...         n = int(jnp.arange(3).sum())
    ...     return x * n
    >>> f(2.)
    Array(6., dtype=float32, weak_type=True)
    """
from adjoint import errors as errors
def eval_shape(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Return shapes and dtypes of `fun(*args, **kwargs)`, without computing it.

    Args:
      fun: a function of arrays or trees of arrays.
      *args: arrays, or anything with `shape` and `dtype`, such as `ShapeDtypeStruct`.
      **kwargs: keyword arguments of `fun`.
    Returns:
      The structure of the result with `ShapeDtypeStruct` leaves.
    Raises:
      TypeError: `fun` is not a function.

    >>> eval_shape(lambda x: x @ x.T, ShapeDtypeStruct((2, 3), "float32"))
    ShapeDtypeStruct(shape=(2, 2), dtype=float32)
    """
from adjoint import example_libraries as example_libraries
from adjoint import experimental as experimental
explain_cache_misses: _Option
"""Log why a function was traced again.

Args:
  new_val: True or False; True if it is left out, and another value counts by its truth.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_explain_cache_misses', ...)` sets the option for the process.

>>> with explain_cache_misses(True):
...     config.jax_explain_cache_misses
True
"""
from adjoint import export as export
from adjoint import extend as extend
from adjoint import ffi as ffi
from adjoint import flatten_util as flatten_util
float0: np.dtype[Any]
def free_ref(ref: Ref) -> tuple[Any, ...]:
    """Say that a reference is not used any more; its memory goes with the last object that has it.

    Args:
      ref: a reference that `new_ref` made.
    Returns:
      An empty tuple.
    Raises:
      TypeError: `ref` is neither a reference nor a value of a program.

    >>> ref = new_ref(jnp.zeros(2))
    >>> free_ref(ref)
    ()
    """
def freeze(ref: Ref) -> Any:
    """Return the value of a reference that is not used any more.

    Args:
      ref: a reference that `new_ref` made; an array is its own value.
    Returns:
      An array of its shape and dtype with the values that were written last.
    Raises:
      TypeError: `ref` is not an array or scalar; lists are not converted.

    >>> freeze(new_ref(jnp.ones(2)))
    Array([1., 1.], dtype=float32)
    """
def fwd_and_bwd(fun: Callable[..., Any], argnums: int | Sequence[int], has_aux: bool = False, jitted: bool = True) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return the forward and the backward pass of `fun` as two functions.

    A loop that calls `vjp` and compiles what it returns compiles in every turn; these compile once.

    Args:
      fun: a function of arrays or trees of arrays.
      argnums: the positional argument to differentiate, or a sequence of them.
      has_aux: `fun` returns (output, auxiliary data).
      jitted: compile both.
    Returns:
      `fwd(*args)`, which gives (output, residuals), and the auxiliary data with `has_aux`; and
      `bwd(residuals, cotangent)`, which gives the cotangent of the argument, or a tuple of them if
      `argnums` is a sequence.
    Raises:
      TypeError: an entry of `argnums` is no integer.

    >>> fwd, bwd = fwd_and_bwd(lambda x, w: jnp.sin(x) * w, 0)
    >>> y, residuals = fwd(0., 3.)
    >>> bwd(residuals, 1.)
    Array(3., dtype=float32, weak_type=True)
    """
@overload
def grad(fun: Callable[Concatenate[_T, _P], tuple[Any, _A]], argnums: Literal[0] = 0, *, has_aux: Literal[True], holomorphic: bool = False, allow_int: bool = False, reduce_axes: Sequence[Any] = ()) -> _Auxiliary[_T, _A, _P]:
    """Return the gradient of a function that returns one number.

    Args:
      fun: returns a real scalar (or complex, with `holomorphic`), or (scalar, auxiliary data) with `has_aux`.
      argnums: the positional argument to differentiate, a tree of float or complex arrays; or a sequence of them.
        Keyword arguments are not differentiated.
      has_aux: `fun` returns a pair, of which the first is differentiated and the second passed on.
      holomorphic: `fun` is complex and holomorphic.
      allow_int: integer arguments have gradients of dtype `float0` instead of an error.
      reduce_axes: of earlier versions; only `()`.
    Returns:
      A function of the same arguments. It returns a tree like the argument, with its shapes and dtypes; a tuple of them
      if `argnums` is a sequence; (gradient, auxiliary data) with `has_aux`.
    Raises:
      TypeError: the result is not a real scalar, an argument is not inexact, or `argnums` is out of range.
    See also: `value_and_grad`, `jacobian` for several results, `vjp`, `hessian`.

    >>> grad(jnp.sin)(0.)
    Array(1., dtype=float32, weak_type=True)
    """
@overload
def grad(fun: Callable[Concatenate[_T, _P], Any], argnums: Literal[0] = 0, has_aux: Literal[False] = False, holomorphic: bool = False, allow_int: bool = False, reduce_axes: Sequence[Any] = ()) -> _Derivative[_T, _P]:
    """Return the gradient of a function that returns one number.

    Args:
      fun: returns a real scalar (or complex, with `holomorphic`), or (scalar, auxiliary data) with `has_aux`.
      argnums: the positional argument to differentiate, a tree of float or complex arrays; or a sequence of them.
        Keyword arguments are not differentiated.
      has_aux: `fun` returns a pair, of which the first is differentiated and the second passed on.
      holomorphic: `fun` is complex and holomorphic.
      allow_int: integer arguments have gradients of dtype `float0` instead of an error.
      reduce_axes: of earlier versions; only `()`.
    Returns:
      A function of the same arguments. It returns a tree like the argument, with its shapes and dtypes; a tuple of them
      if `argnums` is a sequence; (gradient, auxiliary data) with `has_aux`.
    Raises:
      TypeError: the result is not a real scalar, an argument is not inexact, or `argnums` is out of range.
    See also: `value_and_grad`, `jacobian` for several results, `vjp`, `hessian`.

    >>> grad(jnp.sin)(0.)
    Array(1., dtype=float32, weak_type=True)
    """
@overload
def grad(fun: Callable[_P, Any], argnums: Sequence[int], has_aux: Literal[False] = False, holomorphic: bool = False, allow_int: bool = False, reduce_axes: Sequence[Any] = ()) -> Callable[_P, tuple[Any, ...]]:
    """Return the gradient of a function that returns one number.

    Args:
      fun: returns a real scalar (or complex, with `holomorphic`), or (scalar, auxiliary data) with `has_aux`.
      argnums: the positional argument to differentiate, a tree of float or complex arrays; or a sequence of them.
        Keyword arguments are not differentiated.
      has_aux: `fun` returns a pair, of which the first is differentiated and the second passed on.
      holomorphic: `fun` is complex and holomorphic.
      allow_int: integer arguments have gradients of dtype `float0` instead of an error.
      reduce_axes: of earlier versions; only `()`.
    Returns:
      A function of the same arguments. It returns a tree like the argument, with its shapes and dtypes; a tuple of them
      if `argnums` is a sequence; (gradient, auxiliary data) with `has_aux`.
    Raises:
      TypeError: the result is not a real scalar, an argument is not inexact, or `argnums` is out of range.
    See also: `value_and_grad`, `jacobian` for several results, `vjp`, `hessian`.

    >>> grad(jnp.sin)(0.)
    Array(1., dtype=float32, weak_type=True)
    """
@overload
def grad(fun: Callable[_P, Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False, allow_int: bool = False, reduce_axes: Sequence[Any] = ()) -> Callable[_P, Any]:
    """Return the gradient of a function that returns one number.

    Args:
      fun: returns a real scalar (or complex, with `holomorphic`), or (scalar, auxiliary data) with `has_aux`.
      argnums: the positional argument to differentiate, a tree of float or complex arrays; or a sequence of them.
        Keyword arguments are not differentiated.
      has_aux: `fun` returns a pair, of which the first is differentiated and the second passed on.
      holomorphic: `fun` is complex and holomorphic.
      allow_int: integer arguments have gradients of dtype `float0` instead of an error.
      reduce_axes: of earlier versions; only `()`.
    Returns:
      A function of the same arguments. It returns a tree like the argument, with its shapes and dtypes; a tuple of them
      if `argnums` is a sequence; (gradient, auxiliary data) with `has_aux`.
    Raises:
      TypeError: the result is not a real scalar, an argument is not inexact, or `argnums` is out of range.
    See also: `value_and_grad`, `jacobian` for several results, `vjp`, `hessian`.

    >>> grad(jnp.sin)(0.)
    Array(1., dtype=float32, weak_type=True)
    """
def help(name: Any = None) -> None:
    """Print the page of a function, class, module, option or error: what it does, or its causes and cures.

    Args:
      name: as a program writes it, with or without its module: `"vmap"`, `"jnp.where"`, `"lax.linalg.qr"`,
        `"Array.at"`, `"KeyReuseError"`, `"jax_debug_nans"`; or the object itself. Without it, the modules are listed.
    Raises:
      ValueError: there is no such name; the message has those that are near.

    A name that several modules have is that of the first one in the reference; the last line names the others.

    >>> help("jax_disable_jit")
    jax_disable_jit (an option, default False)
    <BLANKLINE>
    Run jitted functions operation by operation.
    >>> help("vmpa")
    Traceback (most recent call last):
    ValueError: There is no page 'vmpa'...
    """
def hessian(fun: Callable[_P, Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False) -> Callable[_P, Any]:
    """Return the matrix of second derivatives, forward over reverse.

    Args:
      fun: a function that returns a real scalar, or an array or tree of them.
      argnums: the positional argument to differentiate, or a sequence of them.
      has_aux: `fun` returns a pair, of which the second is passed on.
      holomorphic: `fun` is complex and holomorphic.
    Returns:
      A function: for an argument of shape `t` and a scalar result, an array of shape `t + t`; for trees of arguments a
      tree of trees.
    Raises:
      TypeError: `fun` is not a function.
    See also: `jacfwd`, `jacrev`; a product with a vector, without the matrix, is `jvp(grad(fun), (x,), (v,))[1]`.

    >>> hessian(lambda x: jnp.sum(x ** 3))(jnp.array([1., 2.]))
    Array([[ 6.,  0.],
           [ 0., 12.]], dtype=float32)
    """
from adjoint import process_count as _host_count
host_count = _host_count
from adjoint import process_index as _host_id
host_id = _host_id
from adjoint import process_indices as _host_ids
host_ids = _host_ids
from adjoint import image as image
from adjoint import interpreters as interpreters
def jacfwd(fun: Callable[_P, Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False) -> Callable[_P, Any]:
    """Return the Jacobian of `fun`, column by column in forward mode; best when it is taller than wide.

    Args:
      fun: returns an array or a tree of arrays, or (that, auxiliary data) with `has_aux`.
      argnums: the positional argument to differentiate, or a sequence of them.
      has_aux: `fun` returns a pair, of which the second is passed on.
      holomorphic: `fun` is complex and holomorphic.
    Returns:
      A function: for each result of shape `s` and argument of shape `t`, an array of shape `s + t`, in
      the tree of the result whose leaves are trees like the argument.
    Raises:
      TypeError: `fun` is not a function.
    See also: `jacrev`, `jvp`, `hessian`.

    >>> jacfwd(lambda x: x ** 2)(jnp.array([1., 2.]))
    Array([[2., 0.],
           [0., 4.]], dtype=float32)
    """
def jacobian(fun: Callable[_P, Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False, allow_int: bool = False) -> Callable[_P, Any]:
    """Return the Jacobian of `fun`, row by row in reverse mode; best when it is wider than tall.

    Args:
      fun: returns an array or a tree of arrays, or (that, auxiliary data) with `has_aux`.
      argnums: the positional argument to differentiate, or a sequence of them.
      has_aux: `fun` returns a pair, of which the second is passed on.
      holomorphic: `fun` is complex and holomorphic.
      allow_int: derivatives by integer arguments are integer zeros, instead of an error.
    Returns:
      A function: for each result of shape `s` and argument of shape `t`, an array of shape `s + t`, in
      the tree of the result whose leaves are trees like the argument.
    Raises:
      TypeError: an argument is not inexact, or a result is complex without `holomorphic`.
    See also: `jacfwd`, `vjp`, `grad` for one number.

    >>> jacrev(lambda x: x ** 2)(jnp.array([1., 2.]))
    Array([[2., 0.],
           [0., 4.]], dtype=float32)
    """
def jacrev(fun: Callable[_P, Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False, allow_int: bool = False) -> Callable[_P, Any]:
    """Return the Jacobian of `fun`, row by row in reverse mode; best when it is wider than tall.

    Args:
      fun: returns an array or a tree of arrays, or (that, auxiliary data) with `has_aux`.
      argnums: the positional argument to differentiate, or a sequence of them.
      has_aux: `fun` returns a pair, of which the second is passed on.
      holomorphic: `fun` is complex and holomorphic.
      allow_int: derivatives by integer arguments are integer zeros, instead of an error.
    Returns:
      A function: for each result of shape `s` and argument of shape `t`, an array of shape `s + t`, in
      the tree of the result whose leaves are trees like the argument.
    Raises:
      TypeError: an argument is not inexact, or a result is complex without `holomorphic`.
    See also: `jacfwd`, `vjp`, `grad` for one number.

    >>> jacrev(lambda x: x ** 2)(jnp.array([1., 2.]))
    Array([[2., 0.],
           [0., 4.]], dtype=float32)
    """
jax2tf_associative_scan_reductions: _Option
"""Accepted for compatibility; without effect. Accepted, without effect here: The module that it is about is not there.

Args:
  new_val: True or False; True if it is left out, and another value counts by its truth.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax2tf_associative_scan_reductions', ...)` sets the option for the process.

>>> with jax2tf_associative_scan_reductions(True):
...     config.jax2tf_associative_scan_reductions
True
"""
@overload
def jit(fun: Callable[_P, _R], /, *, in_shardings: Any = ..., out_shardings: Any = ..., static_argnums: int | Sequence[int] | None = None, static_argnames: str | Iterable[str] | None = None, donate_argnums: int | Sequence[int] | None = None, donate_argnames: str | Iterable[str] | None = None, keep_unused: bool = False, device: Any = None, backend: str | None = None, inline: bool = False, compiler_options: dict[str, Any] | None = None) -> Wrapped[_P, _R]:
    """Compile `fun`: it is traced once for each type of its arguments and then runs as one program.

    Args:
      fun: a pure function of arrays, scalars and trees of them.
      static_argnums, static_argnames: arguments that are compile-time constants, compared by hash and
        equality; a new value means a new program.
      donate_argnums, donate_argnames: arguments whose memory the results may reuse; their arrays are
        deleted by the call.
      in_shardings, out_shardings: shardings of operands and results, trees that are prefixes of theirs;
        a `PartitionSpec` is over the mesh that was set.
      keep_unused: keep operands that the program does not read.
      device, backend: where to run.
      inline: put the program's equations into the caller's instead of a call.
      compiler_options: a dict of options of XLA, for the engine that has them.
    Returns:
      A function with the same signature, with members `lower`, `trace`, `eval_shape`, `clear_cache`.
    Raises:
      TypeError: an argument is not an array and not static.
      ValueError: a static argument is not hashable.
    Differences: programs for one CPU are compiled by the native engine in milliseconds, and kept on disk.
    See also: `make_jaxpr` and `eval_shape`, which trace alone; `clear_caches`; `disable_jit`.

    >>> jit(lambda x: x * 2)(3.0)
    Array(6., dtype=float32, weak_type=True)
    """
@overload
def jit(*, in_shardings: Any = ..., out_shardings: Any = ..., static_argnums: int | Sequence[int] | None = None, static_argnames: str | Iterable[str] | None = None, donate_argnums: int | Sequence[int] | None = None, donate_argnames: str | Iterable[str] | None = None, keep_unused: bool = False, device: Any = None, backend: str | None = None, inline: bool = False, compiler_options: dict[str, Any] | None = None) -> Callable[[Callable[_P, _R]], Wrapped[_P, _R]]:
    """Compile `fun`: it is traced once for each type of its arguments and then runs as one program.

    Args:
      fun: a pure function of arrays, scalars and trees of them.
      static_argnums, static_argnames: arguments that are compile-time constants, compared by hash and
        equality; a new value means a new program.
      donate_argnums, donate_argnames: arguments whose memory the results may reuse; their arrays are
        deleted by the call.
      in_shardings, out_shardings: shardings of operands and results, trees that are prefixes of theirs;
        a `PartitionSpec` is over the mesh that was set.
      keep_unused: keep operands that the program does not read.
      device, backend: where to run.
      inline: put the program's equations into the caller's instead of a call.
      compiler_options: a dict of options of XLA, for the engine that has them.
    Returns:
      A function with the same signature, with members `lower`, `trace`, `eval_shape`, `clear_cache`.
    Raises:
      TypeError: an argument is not an array and not static.
      ValueError: a static argument is not hashable.
    Differences: programs for one CPU are compiled by the native engine in milliseconds, and kept on disk.
    See also: `make_jaxpr` and `eval_shape`, which trace alone; `clear_caches`; `disable_jit`.

    >>> jit(lambda x: x * 2)(3.0)
    Array(6., dtype=float32, weak_type=True)
    """
@overload
def jvp(fun: Callable[..., tuple[_R, _A]], primals: Sequence[Any], tangents: Sequence[Any], *, has_aux: Literal[True]) -> tuple[_R, _R, _A]:
    """Return the value of `fun` at `primals` and its derivative along `tangents`.

    Args:
      fun: a function of arrays or trees of arrays.
      primals, tangents: tuples of arguments and of their tangents: equal trees, shapes and dtypes
        (tangents of integer and boolean arguments have dtype `float0`).
      has_aux: `fun` returns (output, auxiliary data).
    Returns:
      (primals out, tangents out), and the auxiliary data with `has_aux`.
    Raises:
      TypeError, ValueError: trees, dtypes or shapes of primals and tangents differ.
      TypeError: `fun` has a rule for reverse mode alone.
    See also: `linearize` for many tangents at one point, `jacfwd` for the whole matrix, `vjp`.

    >>> jvp(jnp.sin, (0.,), (2.,))
    (Array(0., dtype=float32, weak_type=True), Array(2., dtype=float32, weak_type=True))
    """
@overload
def jvp(fun: Callable[..., _R], primals: Sequence[Any], tangents: Sequence[Any], has_aux: Literal[False] = False) -> tuple[_R, _R]:
    """Return the value of `fun` at `primals` and its derivative along `tangents`.

    Args:
      fun: a function of arrays or trees of arrays.
      primals, tangents: tuples of arguments and of their tangents: equal trees, shapes and dtypes
        (tangents of integer and boolean arguments have dtype `float0`).
      has_aux: `fun` returns (output, auxiliary data).
    Returns:
      (primals out, tangents out), and the auxiliary data with `has_aux`.
    Raises:
      TypeError, ValueError: trees, dtypes or shapes of primals and tangents differ.
      TypeError: `fun` has a rule for reverse mode alone.
    See also: `linearize` for many tangents at one point, `jacfwd` for the whole matrix, `vjp`.

    >>> jvp(jnp.sin, (0.,), (2.,))
    (Array(0., dtype=float32, weak_type=True), Array(2., dtype=float32, weak_type=True))
    """
from adjoint import lax as lax
legacy_prng_key: _Option
"""What passing a raw uint32 key to `random` does.

Args:
  new_val: one of 'allow', 'warn', 'error'.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_legacy_prng_key', ...)` sets the option for the process.
Raises:
  ValueError: it is none of these.
  ValueError: inside of the block, with 'error', where an array of raw words is given for a key.

>>> with legacy_prng_key("error"):
...     random.normal(random.PRNGKey(0))
Traceback (most recent call last):
  ...
ValueError: Legacy uint32 key array passed as key to jax.random function. ...
"""
from adjoint import lib as lib
def linear_transpose(fun: Callable[..., Any], *primals: Any, reduce_axes: Sequence[Any] = ()) -> Callable[..., tuple[Any, ...]]:
    """Return the transpose of a function that is linear in all its arguments.

    Args:
      fun: a function of arrays or trees of arrays, linear in all of them.
      primals: example arguments, or `ShapeDtypeStruct`s of them; values are not used.
      reduce_axes: of earlier versions; only `()`.
    Returns:
      A function from a cotangent of the output to a tuple of cotangents of the arguments.
    Raises:
      TypeError: `fun` is not a function.

    >>> linear_transpose(lambda x: 3 * x, 1.)(2.)
    (Array(6., dtype=float32, weak_type=True),)
    """
@overload
def linearize(fun: Callable[..., tuple[_R, _A]], *primals: Any, has_aux: Literal[True]) -> tuple[_R, Callable[..., _R], _A]:
    """Return the value of `fun` and its derivative as a linear function of tangents.

    Args:
      fun: a function of arrays or trees of arrays.
      *primals: the arguments at which it is differentiated.
      has_aux: `fun` returns (output, auxiliary data).
    Returns:
      (out, f_jvp), and the auxiliary data with `has_aux`. `f_jvp(*tangents)` may be called many times;
      the non-linear work is done once, here.
    Raises:
      TypeError: `fun` is not a function.
    See also: `jvp`, which does both for one tangent and keeps nothing.

    >>> y, f_jvp = linearize(jnp.sin, 0.)
    >>> f_jvp(2.)
    Array(2., dtype=float32, weak_type=True)
    """
@overload
def linearize(fun: Callable[..., _R], *primals: Any, has_aux: Literal[False] = False) -> tuple[_R, Callable[..., _R]]:
    """Return the value of `fun` and its derivative as a linear function of tangents.

    Args:
      fun: a function of arrays or trees of arrays.
      *primals: the arguments at which it is differentiated.
      has_aux: `fun` returns (output, auxiliary data).
    Returns:
      (out, f_jvp), and the auxiliary data with `has_aux`. `f_jvp(*tangents)` may be called many times;
      the non-linear work is done once, here.
    Raises:
      TypeError: `fun` is not a function.
    See also: `jvp`, which does both for one tangent and keeps nothing.

    >>> y, f_jvp = linearize(jnp.sin, 0.)
    >>> f_jvp(2.)
    Array(2., dtype=float32, weak_type=True)
    """
def live_arrays(platform: str | None = None) -> list[Array]:
    """Return all arrays that have not been freed.

    Args:
      platform: such as "cpu"; the default one if it is None.
    Raises:
      RuntimeError: there is no such platform here.

    >>> x = jnp.ones(3)
    >>> any(y is x for y in live_arrays())
    True
    """
def local_device_count(backend: str | None = None) -> int:
    """Return the number of devices that this process can address.

    Args:
      backend: a platform, such as "cpu"; the default one if it is None.
    Raises:
      RuntimeError: there is no such platform here.

    >>> local_device_count() == len(local_devices())
    True
    """
def local_devices(process_index: int | None = None, backend: str | None = None, host_id: int | None = None) -> list[Device]:
    """Return the devices that this process, or another one, can address.

    Args:
      process_index: of which process; of this one if it is None.
      backend: a platform, such as "cpu"; the default one if it is None.
      host_id: the former name of `process_index`, with a warning.
    Raises:
      ValueError: there is no process of that index.
      RuntimeError: there is no such platform here.

    >>> local_devices()
    [CpuDevice(id=0)]
    """
log_compiles: _Option
"""Log every compilation at level WARNING.

Args:
  new_val: True or False; True if it is left out, and another value counts by its truth.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_log_compiles', ...)` sets the option for the process.

>>> with log_compiles(True):
...     config.jax_log_compiles
True
"""
def make_array_from_callback(shape: Sequence[int], sharding: Sharding, data_callback: Callable[..., Any], dtype: Any = None) -> Array:
    """Make an array whose parts a function gives, each device's part at a time.

    Args:
      shape: the shape of the whole array.
      sharding: how it is divided.
      data_callback: index (a tuple of slices) -> the values there.
      dtype: the dtype, that of the values by default.
    Returns:
      An array of that shape, divided by `sharding`. The function is asked for what devices of this process hold, and
      once where several hold the same.
    Raises:
      TypeError: `sharding` is no sharding.
      ValueError: the values have another shape or dtype.

    >>> import adjoint
    >>> place = adjoint.sharding.SingleDeviceSharding(adjoint.devices()[0])
    >>> make_array_from_callback((2,), place, lambda index: np.ones(2, np.int32)[index])
    Array([1, 1], dtype=int32)
    """
def make_array_from_process_local_data(sharding: Any, local_data: Any, global_shape: Any = None) -> Any:
    """Make an array of what each process has of it; with one process, of all.

    Args:
      sharding: how the whole is divided over the devices of all processes; for a tree of arrays, a tree that is a
        prefix of it.
      local_data: the part of the whole that the devices of this process have among them, or a tree of such parts; along
        an axis that no other process has a part of, or that `global_shape` gives the same length, the whole axis.
      global_shape: the shape of the whole, or a tree of shapes, inferred by default.
    Returns:
      An array of the global shape and the dtype of `local_data`, divided by `sharding`; or a tree of them.
    Raises:
      ValueError: `local_data` does not fit.

    >>> make_array_from_process_local_data(NamedSharding(make_mesh((1,), ("x",)), P("x")), np.ones(2, np.float32))
    Array([1., 1.], dtype=float32)
    """
def make_array_from_single_device_arrays(shape: Sequence[int], sharding: Sharding, arrays: Sequence[Array], *, dtype: Any = None) -> Array:
    """Make an array whose parts are arrays on its devices, in any order.

    Args:
      shape: of the whole.
      sharding: how the whole is divided; it says which part each device holds.
      arrays: an array on each device of this process that the sharding uses, of the shape of a part.
      dtype: of the parts; only needed by a process that has none.
    Returns:
      An array of that shape and of the dtype of the parts.
    Raises:
      ValueError: a part has the wrong shape, or a device has none.

    >>> part = device_put(jnp.arange(2), devices()[0])
    >>> import adjoint
    >>> place = adjoint.sharding.SingleDeviceSharding(adjoint.devices()[0])
    >>> make_array_from_single_device_arrays((2,), place, [part])
    Array([0, 1], dtype=int32)
    """
@overload
def make_jaxpr(fun: Callable[_P, Any], static_argnums: int | Sequence[int] = (), axis_env: Any = None, return_shape: Literal[False] = False) -> Callable[_P, ClosedJaxpr]:
    """Return a function that gives the jaxpr of `fun`: the program that tracing makes of it.

    Args:
      fun: a function of arrays or trees of arrays.
      static_argnums: positions of arguments that are compile-time constants.
      axis_env: pairs (name, size) of named axes in scope.
      return_shape: also return the shapes and dtypes of the result.
    Returns:
      A function of the arguments of `fun`, which may be `ShapeDtypeStruct`s. It returns a `ClosedJaxpr`; with
      `return_shape` a pair of it and the result's tree of `ShapeDtypeStruct`s. Nothing is computed.
    Raises:
      TypeError: `fun` is not callable, or an argument is neither an array nor static.
    See also: `jit(fun).lower(...)`, for what a compiler gets; `plot_jaxpr`, for a picture.

    >>> make_jaxpr(lambda x: x + 1)(2.0)
    { lambda ; a:f32[]. let b:f32[] = add a 1.0:f32[] in (b,) }
    """
@overload
def make_jaxpr(fun: Callable[_P, Any], static_argnums: int | Sequence[int] = (), axis_env: Any = None, *, return_shape: Literal[True]) -> Callable[_P, tuple[ClosedJaxpr, Any]]:
    """Return a function that gives the jaxpr of `fun`: the program that tracing makes of it.

    Args:
      fun: a function of arrays or trees of arrays.
      static_argnums: positions of arguments that are compile-time constants.
      axis_env: pairs (name, size) of named axes in scope.
      return_shape: also return the shapes and dtypes of the result.
    Returns:
      A function of the arguments of `fun`, which may be `ShapeDtypeStruct`s. It returns a `ClosedJaxpr`; with
      `return_shape` a pair of it and the result's tree of `ShapeDtypeStruct`s. Nothing is computed.
    Raises:
      TypeError: `fun` is not callable, or an argument is neither an array nor static.
    See also: `jit(fun).lower(...)`, for what a compiler gets; `plot_jaxpr`, for a picture.

    >>> make_jaxpr(lambda x: x + 1)(2.0)
    { lambda ; a:f32[]. let b:f32[] = add a 1.0:f32[] in (b,) }
    """
def make_mesh(axis_shapes: Sequence[int], axis_names: Sequence[str], axis_types: Any = None, *, devices: Sequence[Device] | None = None) -> Mesh:
    """Make a mesh of this shape over the first devices.

    Args:
      axis_shapes: the number of devices along each axis.
      axis_names: a name for each axis.
      axis_types: an `AxisType` for each axis, all `Explicit` by default.
      devices: those to use, all by default.
    Returns:
      A `Mesh`, for `NamedSharding`, `set_mesh` and `shard_map`.
    Raises:
      ValueError: there are fewer devices than the mesh needs.

    >>> dict(make_mesh((1,), ("x",)).shape)
    {'x': 1}
    """
def make_user_context(default_value: Any = None) -> Any:
    """Return a context of the user's own: functions are traced anew where it has another value.

    Args:
      default_value: the value where none is set; hashable.
    Returns:
      A context manager, `with context(value):`, with the members `value`, `get_global` and `set_global`; values are
      hashable, and belong to the running thread.
    Raises:
      TypeError: `default_value` is not hashable.

    >>> context = make_user_context("a")
    >>> with context("b"):
    ...     context.value
    'b'
    """
from adjoint import memory as memory
from adjoint import monitoring as monitoring
def named_call(fun: Callable[_P, _R], *, name: str | None = None) -> Callable[_P, _R]:
    """Return `fun` with the equations that it traces under its name; see `named_scope`.

    Args:
      fun: any function.
      name: the name; that of `fun` by default.
    Returns:
      A function of the same arguments and results.
    Raises:
      TypeError: the name is no string.

    >>> named_call(jnp.sin, name="wave")(0.)
    Array(0., dtype=float32, weak_type=True)
    """
def named_scope(name: str) -> AbstractContextManager[None]:
    """Name the equations that are traced inside of a `with` block, for profiles and texts of programs.

    Args:
      name: any text; blocks inside of blocks add theirs, after a slash.
    Returns:
      A context manager, which is a decorator of functions, too. Values do not change.
    Raises:
      TypeError: the name is no string.

    >>> with named_scope("layer1"):
    ...     y = jnp.sin(1.)
    """
def new_ref(init_val: Any, *, memory_space: Any = None, kind: str | None = None) -> Ref:
    """Return a mutable array that starts as a copy of `init_val`.

    Args:
      init_val: an array or a scalar, which gives shape, dtype and first values.
      memory_space: where it is to be; None for the default.
      kind: for programs on accelerators; None here.
    Returns:
      A `Ref`: `ref[i]` reads, `ref[i] = value` writes, `ref[...]` is the whole as an array. It may be written to in
      `jit`, `scan` and `grad`; a function may not return it.
    Raises:
      TypeError: `init_val` is not an array or a scalar.
    See also: `freeze`, `empty_ref`.

    >>> ref = new_ref(jnp.zeros(3))
    >>> ref[1] = 5.
    >>> ref[...]
    Array([0., 5., 0.], dtype=float32)
    """
from adjoint import nn as nn
no_execution: _Option
"""Raise instead of running a compiled program.

Args:
  new_val: True or False; True if it is left out, and another value counts by its truth.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_no_execution', ...)` sets the option for the process.
Raises:
  RuntimeError: inside of the block, where a program would run; what only traces works.

>>> with no_execution(True):
...     print(eval_shape(jnp.sin, 1.))
ShapeDtypeStruct(shape=(), dtype=float32, weak_type=True)
>>> with no_execution(True):
...     jnp.sin(1.)
Traceback (most recent call last):
  ...
RuntimeError: JAX tried to execute function jit(sin), but the no_execution config option is set
  ...
"""
no_tracing: _Option
"""Raise instead of tracing a function.

Args:
  new_val: True or False; True if it is left out, and another value counts by its truth.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_no_tracing', ...)` sets the option for the process.
Raises:
  RuntimeError: inside of the block, where a function has to be traced for arguments of new types.

>>> twice = jit(lambda x: x * 2)
>>> y = twice(1.)
>>> with no_tracing(True):
...     print(twice(3.))
6.0
>>> with no_tracing(True):
...     twice(jnp.ones(3))
Traceback (most recent call last):
  ...
RuntimeError: re-tracing function <lambda> at ... for `jit`, but 'no_tracing' is set
  ...
"""
from adjoint import numpy as numpy
numpy_dtype_promotion: _Option
"""Which dtypes promote implicitly: 'standard', or 'strict' for Python scalars only.

Args:
  new_val: one of 'standard', 'strict'.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_numpy_dtype_promotion', ...)` sets the option for the process.
Raises:
  ValueError: it is none of these.
  TypePromotionError: inside of the block, with 'strict', where arrays of different dtypes meet.

>>> with numpy_dtype_promotion("strict"):
...     jnp.ones(3) + jnp.arange(3)
Traceback (most recent call last):
  ...
adjoint.dtypes.TypePromotionError: Input dtypes ('float32', 'int32') have no available implicit dtype promotion path ...
  ...
"""
numpy_rank_promotion: _Option
"""What broadcasting operands of different ranks does.

Args:
  new_val: one of 'allow', 'warn', 'raise'.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_numpy_rank_promotion', ...)` sets the option for the process.
Raises:
  ValueError: it is none of these.
  ValueError: inside of the block, with 'raise', where arrays of different ranks are broadcast.

>>> with numpy_rank_promotion("raise"):
...     jnp.ones((2, 3)) + jnp.ones(3)
Traceback (most recent call last):
  ...
ValueError: Operands could not be broadcast together for add on shapes (2, 3) (3,) and with the config option ...
  ...
"""
from adjoint import ops as ops
def plot_jaxpr(fun: Callable[..., Any], static_argnums: Any = ()) -> Callable[..., Any]:
    """Return a function that draws the program of `fun` at the given arguments, as `make_jaxpr` prints it.

    Args:
      fun: a function of arrays or trees of arrays.
      static_argnums: positions of arguments that are compile-time constants.
    Returns:
      A function of the arguments of `fun`. Its result is shown as a picture by notebooks; `svg` is the picture as
      text, `save("program.svg")` writes it, `dot` is the graph for graphviz.
    Raises:
      TypeError: `fun` is no function; a program that `make_jaxpr` has made is none.

    A box is an equation, a frame a program inside of one (the body of a loop, a branch, a call); lines are values with
    their types. The whole equation appears when the pointer rests on a box.

    >>> plot_jaxpr(lambda x: jnp.sin(x) * x)(1.)
    JaxprPlot(2 equations, 81 x 243)
    """
def pmap(fun: Callable[_P, _R], axis_name: Any = None, *, in_axes: Any = 0, out_axes: Any = 0, static_broadcasted_argnums: int | Iterable[int] = (), devices: Sequence[Device] | None = None, backend: str | None = None, axis_size: int | None = None, donate_argnums: int | Iterable[int] = (), global_arg_shapes: Any = None) -> Callable[_P, _R]:
    """Map `fun` over an axis of its arguments, in parallel: index i runs on device i.

    Args:
      fun: a function of arrays or trees of them.
      axis_name: a name for the mapped axis, for collectives such as `lax.psum`.
      in_axes: the axis to map for each positional argument: an int, None (all devices get the whole of it), or a
        tree prefix of the argument. Keyword arguments are mapped over axis 0.
      out_axes: where the mapped axis goes in the results; None for results that are the same on all devices.
      static_broadcasted_argnums: positions of arguments that are compile-time constants.
      devices: the devices to use, by default as many of the first ones as the axis is long.
      backend: the platform whose devices are used.
      axis_size: the length of the axis.
      donate_argnums: positions of arguments whose memory the results may reuse.
    Returns:
      A function of the same arguments. Its results have the mapped axis at `out_axes`, divided over the devices.
    Raises:
      ValueError: the axis is longer than there are devices, or no argument has one.
    See also: `shard_map`, which divides axes of any length over meshes; `vmap`, on one device.

    >>> pmap(lambda x: x / lax.psum(x, "i"), axis_name="i")(jnp.ones(1))
    Array([1.], dtype=float32)
    """
def print_environment_info(return_string: bool = False) -> str | None:
    """Print what a report of a bug should say of versions, devices and the platform.

    With `return_string` return the text instead.

    Args:
      return_string: return the text, and print nothing.
    Returns:
      The text with `return_string`, else None.

    >>> print_environment_info(return_string=True).splitlines()[0]
    'adjoint: 0.1.0'
    """
def process_count(backend: str | None = None) -> int:
    """Return the number of processes that share in the devices: 1 without `distributed.initialize`.

    Args:
      backend: a platform that must be there; all platforms have the same processes.
    Returns:
      An int.
    Raises:
      RuntimeError: there is no such platform here.

    >>> process_count()
    1
    """
def process_index(backend: str | None = None) -> int:
    """Return the index of this process among all.

    Args:
      backend: a platform that must be there; all platforms have the same processes.
    Returns:
      An int, from 0 on.
    Raises:
      RuntimeError: there is no such platform here.

    >>> process_index()
    0
    """
def process_indices(backend: str | None = None) -> list[int]:
    """Return the indices of all processes.

    Args:
      backend: a platform that must be there; all platforms have the same processes.
    Returns:
      The ints from 0 to `process_count() - 1`.
    Raises:
      RuntimeError: there is no such platform here.

    >>> process_indices()
    [0]
    """
from adjoint import profiler as profiler
def pure_callback(callback: Callable[..., Any], result_shape_dtypes: Any, *args: Any, sharding: Any = None, vmap_method: str | None = None, **kwargs: Any) -> Any:
    """Call a Python function without side effects from inside a program.

    Args:
      callback: a function of arrays; returns arrays, NumPy arrays or scalars.
      result_shape_dtypes: a tree of `ShapeDtypeStruct`s, or arrays, that says what it returns.
      args, kwargs: arrays, or trees of them.
      sharding: the device that calls it, for programs over several.
      vmap_method: what `vmap` does. "sequential": call it for each element; "sequential_unrolled":
        the same, without a loop; "expand_dims": call it once, with the batch axis in front, of length 1 on
        arguments that are not mapped; "broadcast_all": the same, with the full length on all;
        "legacy_vectorized": the same, without the axis on arguments that are not mapped.
    Returns:
      What the function returns, with the structure of `result_shape_dtypes`.
    Raises:
      JaxRuntimeError: the function raised an error, or returned something else than promised.
      ValueError: the call is differentiated, or `vmap_method` is none of the above.

    The function may be called any number of times, or never if its result is not needed.

    >>> struct = ShapeDtypeStruct((), "float32")
    >>> jit(lambda x: pure_callback(lambda x: np.sin(x), struct, x))(0.)
    Array(0., dtype=float32)
    """
from adjoint import random as random
from adjoint import ref as ref
def remat(fun: Callable[_P, _R], *, prevent_cse: bool = True, policy: Callable[..., Any] | None = None, static_argnums: int | Sequence[int] = (), static_argnames: str | Sequence[str] = (), concrete: Any = ...) -> Callable[_P, _R]:
    """Make `fun` forget its intermediate values between the forward and the backward pass.

    Args:
      fun: a function of arrays or trees of arrays.
      prevent_cse: keep compilers from undoing it by merging the two computations.
      static_argnums, static_argnames: positions and names of arguments that are compile-time constants.
      policy: what to save all the same; see `checkpoint_policies`.
      concrete: the former name of what `static_argnums` does; must not be given.
    Returns:
      A function of the same arguments and results. In reverse mode it keeps its arguments, and what the policy
      says, and computes the rest again.
    Raises:
      ValueError: a static argument is out of range, or has no hash.
    See also: `checkpoint_policies`, `ad_checkpoint.checkpoint_name`, `ad_checkpoint.print_saved_residuals`.

    >>> grad(checkpoint(lambda x: jnp.sin(jnp.sin(x))))(1.)
    Array(0.36003882, dtype=float32, weak_type=True)
    """
remove_size_one_mesh_axis_from_type: _Option
"""Leave mesh axes of size 1 out of array types. Accepted, without effect here: Messages, programs as text and types are written in one way.

Args:
  new_val: True or False; True if it is left out, and another value counts by its truth.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_remove_size_one_mesh_axis_from_type', ...)` sets the option for the process.

>>> with remove_size_one_mesh_axis_from_type(True):
...     config.jax_remove_size_one_mesh_axis_from_type
True
"""
def reshard(xs: Any, out_shardings: Any) -> Any:
    """Return the tree with its arrays divided as `out_shardings` says, now and in their types.

    Args:
      xs: a tree of arrays.
      out_shardings: a sharding, a spec over the mesh that was set, or a tree of them that is a prefix of `xs`.
    Returns:
      The tree, with the same values. Under explicit sharding, types of the arrays name the mesh axes.
    Raises:
      ValueError: one does not divide an array.
    See also: `lax.with_sharding_constraint`, which is a hint to the compiler.

    >>> with set_mesh(make_mesh((1,), ("x",))):
    ...     typeof(reshard(jnp.ones(2), P("x")))
    ShapedArray(float32[2@x])
    """
from adjoint import scipy as scipy
class set_mesh:
    """Make `mesh` the one that specs are about, and that results are on: for good, or in a `with` block.

    Arrays that are made, and results of operands that were not put on a device, are copied to all its devices.

    Args:
      mesh: a `Mesh`; None for none.

    >>> with set_mesh(make_mesh((1,), ("x",))):
    ...     get_mesh().axis_names
    ('x',)
    """
    def __init__(self, mesh: Any) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *exception: Any) -> None: ...
@overload
def shard_map(f: Callable[_P, _R], /, *, out_specs: Any, in_specs: Any = ..., mesh: Any = None, axis_names: Any = ..., check_vma: bool = True) -> Callable[_P, _R]:
    """Map `f` over the devices of a mesh: each calls it with its parts of the arguments.

    Args:
      f: a function of arrays or trees of them; collectives in it name axes of the mesh.
      in_specs: how each argument is divided, a tree of specs that is a prefix of the arguments. What stands under
        None reaches `f` as it is: any object, or an array that is whole on each device. Without `in_specs` arguments
        are divided as their types say, which needs mesh axes of type `Explicit`.
      out_specs: how results are put together; along mesh axes that a spec does not name, they must be equal.
      mesh: the devices, those of the mesh that was set by default.
      axis_names: the mesh axes that `f` maps over, all by default; over the others the compiler divides.
      check_vma: keep account of the mesh axes along which values vary, and check that results are equal where
        `out_specs` says so.
    Returns:
      A function of the same arguments, whose results are put together by `out_specs`; without `f`, a decorator.
    Raises:
      TypeError: a spec is no PartitionSpec; there is none, and the mesh axes are not of type `Explicit`.
      ValueError: an axis is not divisible by the mesh axes of its spec; a spec does not fit; results differ.
    See also: `pmap`, the older form for one axis; `vmap`, for one device.

    >>> mesh = make_mesh((1,), ("i",), axis_types=(AxisType.Auto,))
    >>> shard_map(lambda x: x - lax.pmean(x, "i"), mesh=mesh, in_specs=P("i"), out_specs=P("i"))(jnp.ones(2))
    Array([0., 0.], dtype=float32)
    """
@overload
def shard_map(f: None = None, /, *, out_specs: Any, in_specs: Any = ..., mesh: Any = None, axis_names: Any = ..., check_vma: bool = True) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Map `f` over the devices of a mesh: each calls it with its parts of the arguments.

    Args:
      f: a function of arrays or trees of them; collectives in it name axes of the mesh.
      in_specs: how each argument is divided, a tree of specs that is a prefix of the arguments. What stands under
        None reaches `f` as it is: any object, or an array that is whole on each device. Without `in_specs` arguments
        are divided as their types say, which needs mesh axes of type `Explicit`.
      out_specs: how results are put together; along mesh axes that a spec does not name, they must be equal.
      mesh: the devices, those of the mesh that was set by default.
      axis_names: the mesh axes that `f` maps over, all by default; over the others the compiler divides.
      check_vma: keep account of the mesh axes along which values vary, and check that results are equal where
        `out_specs` says so.
    Returns:
      A function of the same arguments, whose results are put together by `out_specs`; without `f`, a decorator.
    Raises:
      TypeError: a spec is no PartitionSpec; there is none, and the mesh axes are not of type `Explicit`.
      ValueError: an axis is not divisible by the mesh axes of its spec; a spec does not fit; results differ.
    See also: `pmap`, the older form for one axis; `vmap`, for one device.

    >>> mesh = make_mesh((1,), ("i",), axis_types=(AxisType.Auto,))
    >>> shard_map(lambda x: x - lax.pmean(x, "i"), mesh=mesh, in_specs=P("i"), out_specs=P("i"))(jnp.ones(2))
    Array([0., 0.], dtype=float32)
    """
from adjoint import sharding as sharding
def show(x: Any) -> None:
    """Show what an array is and a small picture of its values, in a terminal or a notebook.

    Args:
      x: an array, or what NumPy makes one of; of a tree, each array has a line. One axis is drawn as a line, two are an
        image, and so are three whose last one holds three or four colours; of more axes the first matrix is shown.
    Raises:
      TypeError: there is no array in it.

    A traced value has no numbers yet: its type is shown. `debug.callback(show, x)` shows them when the program runs.

    >>> show(jnp.eye(3))
    float32[3,3], 36 B: 0 to 1, mean 0.33333
    ██
      ██
        ██
    >>> show({"w": jnp.ones((2, 3)), "b": jnp.zeros(3)})
    ['b']  float32[3], 12 B: all 0
    ['w']  float32[2,3], 24 B: all 1
    """
def smap(f: Callable[..., Any] | None = None, /, *, in_axes: Any = ..., out_axes: Any, axis_name: Any) -> Any:
    """Map `f` over one axis of the mesh that was set: each index calls it with its parts of the arguments.

    Args:
      f: a function of arrays or trees of them; collectives in it name the axis.
      in_axes: which axis of the arguments is divided, an int or None for none, or a tuple with one for each argument.
      out_axes: along which axis results are put together, or None where they are equal; a tree prefix of the result.
      axis_name: the axis of the mesh.
    Returns:
      A function of the same arguments, whose results are put together along `out_axes`; without `f`, a decorator.
    Raises:
      ValueError: no mesh was set.

    >>> with set_mesh(make_mesh((1,), ("i",), axis_types=(AxisType.Auto,))):
    ...     smap(lambda x: x - lax.pmean(x, "i"), in_axes=0, out_axes=0, axis_name="i")(jnp.ones(2))
    Array([0., 0.], dtype=float32)
    """
softmax_custom_jvp: _Option
"""Use the stable derivative rule of softmax.

Args:
  new_val: True or False; True if it is left out, and another value counts by its truth.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_softmax_custom_jvp', ...)` sets the option for the process.

>>> with softmax_custom_jvp(True):
...     config.jax_softmax_custom_jvp
True
"""
from adjoint import stages as stages
from adjoint import test_util as test_util
thread_guard: _Option
"""Raise when several threads use the devices of a multi-process program. Accepted, without effect here: Programs of several processes are started and ended by jaxlib's own service, with its settings.

Args:
  new_val: True or False; True if it is left out, and another value counts by its truth.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_thread_guard', ...)` sets the option for the process.

>>> with thread_guard(True):
...     config.jax_thread_guard
True
"""
threefry_partitionable: _Option
"""Make random bits independent of how their array is sharded.

Args:
  new_val: True or False; True if it is left out, and another value counts by its truth.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_threefry_partitionable', ...)` sets the option for the process.

>>> random.bits(random.key(0), (2,))
Array([4070199207, 4202968722], dtype=uint32)
>>> with threefry_partitionable(False):
...     random.bits(random.key(0), (2,))
Array([ 928981903, 3453687069], dtype=uint32)
"""
def transfer_guard(new_val: str) -> Any:
    """Decide what happens when values move between host and devices, in all directions, inside of a `with` block.

    Args:
      new_val: "allow"; "log": say so; "disallow": an error, unless a call such as `device_put` asks for it;
        "log_explicit" and "disallow_explicit" mean these calls too.
    Returns:
      A context manager, in this thread.
    Raises:
      ValueError: none of these words.
    Differences: it is asked by `jnp.array`, `device_put` and jitted functions; what single operations outside of `jit`
      are given is not looked at.

    >>> with transfer_guard("disallow"):
    ...     config.jax_transfer_guard_device_to_host
    'disallow'
    """
transfer_guard_device_to_device: _Option
"""What transfers between devices do.

Args:
  new_val: one of None, 'allow', 'log', 'disallow', 'log_explicit', 'disallow_explicit'.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_transfer_guard_device_to_device', ...)` sets the option for the process.
Raises:
  ValueError: it is none of these.

>>> with transfer_guard_device_to_device('allow'):
...     config.jax_transfer_guard_device_to_device
'allow'
"""
transfer_guard_device_to_host: _Option
"""What transfers from device to host do. Accepted, without effect here: On the CPU arrays are in the memory of the process: nothing is transferred, and nothing waits in line.

Args:
  new_val: one of None, 'allow', 'log', 'disallow', 'log_explicit', 'disallow_explicit'.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_transfer_guard_device_to_host', ...)` sets the option for the process.
Raises:
  ValueError: it is none of these.

>>> with transfer_guard_device_to_host('allow'):
...     config.jax_transfer_guard_device_to_host
'allow'
"""
transfer_guard_host_to_device: _Option
"""What transfers from host to device do.

Args:
  new_val: one of None, 'allow', 'log', 'disallow', 'log_explicit', 'disallow_explicit'.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_transfer_guard_host_to_device', ...)` sets the option for the process.
Raises:
  ValueError: it is none of these.

>>> with transfer_guard_host_to_device('allow'):
...     config.jax_transfer_guard_host_to_device
'allow'
"""
from adjoint import tree as tree
from adjoint import tree_util as tree_util
def typeof(x: Any) -> ShapedArray:
    """Return the type of an array or scalar, as tracing sees it.

    Args:
      x: an array, a tracer, a NumPy array, a scalar, or a `ShapeDtypeStruct`.
    Returns:
      A `ShapedArray` with `shape`, `dtype`, `weak_type` and `sharding`. Under `jit` it is all that is known of a value.
    Raises:
      TypeError: `x` is no array, such as a text or a list.

    >>> typeof(1.0)
    ShapedArray(float32[], weak_type=True)
    """
from adjoint import typing as typing
@overload
def value_and_grad(fun: Callable[Concatenate[_T, _P], _R], argnums: Literal[0] = 0, has_aux: bool = False, holomorphic: bool = False, allow_int: bool = False, reduce_axes: Sequence[Any] = ()) -> _ValueAndDerivative[_T, _R, _P]:
    """Return a function that returns the value of `fun` and its gradient.

    Args:
      fun: returns a real scalar (or complex, with `holomorphic`), or (scalar, auxiliary data).
      argnums: the positional argument to differentiate, or a sequence of them.
      has_aux: `fun` returns a pair; the value is then that pair.
      holomorphic: `fun` is complex and holomorphic.
      allow_int: integer arguments have gradients of dtype `float0` instead of an error.
      reduce_axes: of earlier versions; only `()`.
    Returns:
      A function of the same arguments: (value, gradient), the gradient a tree like the argument, or a
      tuple of them if `argnums` is a sequence.
    Raises:
      TypeError: the result is not a real scalar, or an argument is not inexact.
    See also: `grad`, `vjp`, `linearize`.

    >>> value_and_grad(lambda x: x ** 2)(3.)
    (Array(9., dtype=float32, weak_type=True), Array(6., dtype=float32, weak_type=True))
    """
@overload
def value_and_grad(fun: Callable[_P, _R], argnums: Sequence[int], has_aux: bool = False, holomorphic: bool = False, allow_int: bool = False, reduce_axes: Sequence[Any] = ()) -> Callable[_P, tuple[_R, tuple[Any, ...]]]:
    """Return a function that returns the value of `fun` and its gradient.

    Args:
      fun: returns a real scalar (or complex, with `holomorphic`), or (scalar, auxiliary data).
      argnums: the positional argument to differentiate, or a sequence of them.
      has_aux: `fun` returns a pair; the value is then that pair.
      holomorphic: `fun` is complex and holomorphic.
      allow_int: integer arguments have gradients of dtype `float0` instead of an error.
      reduce_axes: of earlier versions; only `()`.
    Returns:
      A function of the same arguments: (value, gradient), the gradient a tree like the argument, or a
      tuple of them if `argnums` is a sequence.
    Raises:
      TypeError: the result is not a real scalar, or an argument is not inexact.
    See also: `grad`, `vjp`, `linearize`.

    >>> value_and_grad(lambda x: x ** 2)(3.)
    (Array(9., dtype=float32, weak_type=True), Array(6., dtype=float32, weak_type=True))
    """
@overload
def value_and_grad(fun: Callable[_P, _R], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False, allow_int: bool = False, reduce_axes: Sequence[Any] = ()) -> Callable[_P, tuple[_R, Any]]:
    """Return a function that returns the value of `fun` and its gradient.

    Args:
      fun: returns a real scalar (or complex, with `holomorphic`), or (scalar, auxiliary data).
      argnums: the positional argument to differentiate, or a sequence of them.
      has_aux: `fun` returns a pair; the value is then that pair.
      holomorphic: `fun` is complex and holomorphic.
      allow_int: integer arguments have gradients of dtype `float0` instead of an error.
      reduce_axes: of earlier versions; only `()`.
    Returns:
      A function of the same arguments: (value, gradient), the gradient a tree like the argument, or a
      tuple of them if `argnums` is a sequence.
    Raises:
      TypeError: the result is not a real scalar, or an argument is not inexact.
    See also: `grad`, `vjp`, `linearize`.

    >>> value_and_grad(lambda x: x ** 2)(3.)
    (Array(9., dtype=float32, weak_type=True), Array(6., dtype=float32, weak_type=True))
    """
from adjoint import version as version
@overload
def vjp(fun: Callable[..., tuple[_R, _A]], *primals: Any, has_aux: Literal[True], reduce_axes: Sequence[Any] = ()) -> tuple[_R, Callable[[_R], tuple[Any, ...]], _A]:
    """Return the value of `fun` and a function from cotangents of its output to cotangents of its arguments.

    Args:
      fun: a function of arrays or trees of arrays.
      *primals: the arguments at which it is differentiated.
      has_aux: `fun` returns (output, auxiliary data).
      reduce_axes: of earlier versions; only `()`.
    Returns:
      (out, f_vjp), and the auxiliary data with `has_aux`. `f_vjp(ct)` takes a tree like `out` and
      returns a tuple with one entry for each argument. It may be called many times.
    Raises:
      ValueError: (by `f_vjp`) the cotangent has another structure, shape or dtype than `out`.
    See also: `grad`, `jacrev`, `linear_transpose`, `jvp`.

    >>> y, f_vjp = vjp(lambda a, b: a * b, 2., 3.)
    >>> f_vjp(1.)
    (Array(3., dtype=float32, weak_type=True), Array(2., dtype=float32, weak_type=True))
    """
@overload
def vjp(fun: Callable[..., _R], *primals: Any, has_aux: Literal[False] = False, reduce_axes: Sequence[Any] = ()) -> tuple[_R, Callable[[_R], tuple[Any, ...]]]:
    """Return the value of `fun` and a function from cotangents of its output to cotangents of its arguments.

    Args:
      fun: a function of arrays or trees of arrays.
      *primals: the arguments at which it is differentiated.
      has_aux: `fun` returns (output, auxiliary data).
      reduce_axes: of earlier versions; only `()`.
    Returns:
      (out, f_vjp), and the auxiliary data with `has_aux`. `f_vjp(ct)` takes a tree like `out` and
      returns a tuple with one entry for each argument. It may be called many times.
    Raises:
      ValueError: (by `f_vjp`) the cotangent has another structure, shape or dtype than `out`.
    See also: `grad`, `jacrev`, `linear_transpose`, `jvp`.

    >>> y, f_vjp = vjp(lambda a, b: a * b, 2., 3.)
    >>> f_vjp(1.)
    (Array(3., dtype=float32, weak_type=True), Array(2., dtype=float32, weak_type=True))
    """
def vmap(fun: Callable[_P, _R], in_axes: Any = 0, out_axes: Any = 0, axis_name: Any = None, axis_size: int | None = None, spmd_axis_name: Any = None, sum_match: bool = False) -> Callable[_P, _R]:
    """Map `fun` over an axis of its arguments, as one program on arrays with one more axis.

    Args:
      fun: a function of arrays or trees of arrays.
      in_axes: the axis to map for each positional argument: an int, None (not mapped), or a tree
        prefix of the argument. Keyword arguments are mapped over axis 0.
      out_axes: where the mapped axis goes in the results: an int or a tree prefix.
      axis_name: a name for the axis, for collectives such as `lax.psum`.
      axis_size: the length of the axis, if no argument is mapped.
      spmd_axis_name: the mesh axes over which sharding constraints inside divide the mapped axis, a name or a tuple.
      sum_match: accepted, as in JAX.
    Returns:
      A function of the same arguments, whose results have one more axis, at `out_axes`.
    Raises:
      ValueError: mapped axes differ in length or in how they are divided, or an axis is out of range.
    Differences: each element of a `while_loop` inside ends when it ends; JAX runs all until the last is done. A slow
      branch of a `cond` inside may be run for the elements alone that take it.
    See also: `lax.map`, for one element after the other; `pmap` and `shard_map`, for devices; `numpy.vectorize`.

    >>> vmap(lambda x, y: x * y, in_axes=(0, None))(jnp.arange(3.), 2.)
    Array([0., 2., 4.], dtype=float32)
    """
