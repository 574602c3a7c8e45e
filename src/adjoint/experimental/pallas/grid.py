"""Functions that kernels call: where in the grid they are, conditions, loops, memory of their own, and arithmetic.

Tests: `tests/experimental/test_pallas.py`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial, wraps
from math import prod
from time import sleep
from typing import Any

import numpy as np

from ...core.messages.boundaries import scope
from ...core.options.config import config, local
from ...core.tree.tree import tree_map
from ...core.types import Array
from ...debug import callback
from ...debug import print as print_values
from ...lax.flow.branches import cond
from ...lax.flow.loops import fori_loop
from ...numpy.fills import full, full_like
from ...numpy.shapes import broadcast_to as repeated
from ...prims.collective import checked_axes, pvary_to
from ...prims.references import new_ref
from ..checkify import check
from .specs import MemoryRef, fresh_memory

__all__ = [
    "align_to", "at_point", "blank", "broadcast_to", "cdiv", "debug_check", "debug_print", "delay", "empty",
    "empty_like", "empty_ref_like", "enable_debug_checks", "enable_poison_buffers", "loop", "multiple_of",
    "next_power_of_2", "num_programs", "per_device", "program_id", "reciprocal", "run_scoped", "run_state",
    "strides_from_shape", "when", "with_scoped",
]

enable_debug_checks = config.state("jax_pallas_enable_debug_checks")
enable_poison_buffers = config.state("jax_pallas_poison_buffers")  # buffers begin as NaN in any case


class _Place(threading.local):
    """The point of the grid at which the kernel of this thread is traced, and the grid."""

    ids: tuple = ()
    grid: tuple = ()


_place = _Place()


@scope
def at_point(ids: tuple, grid: tuple) -> Iterator[None]:
    """Be at a point of a grid."""
    before = _place.ids, _place.grid
    _place.ids, _place.grid = ids, grid
    try:
        yield
    finally:
        _place.ids, _place.grid = before


def _of_axis(values: tuple, axis: int) -> Any:
    if not 0 <= axis < len(_place.grid):
        raise ValueError(f"Axis {axis} is out of bounds for grid {_place.grid}")
    return values[axis]


def program_id(axis: int) -> Array:
    """Return the number of the point along an axis of the grid, in a kernel.

    Args:
      axis: the number of the axis.
    Returns:
      An int32 scalar, from 0 on.
    Raises:
      ValueError: the grid has no such axis, or there is none because no kernel runs.

    >>> from adjoint.experimental import pallas as pl
    >>> def kernel(out):
    ...     out[0] = pl.program_id(0)
    >>> one = pl.BlockSpec((1,), lambda i: i)
    >>> pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((3,), jnp.int32), grid=3, out_specs=one)()
    Array([0, 1, 2], dtype=int32)
    """
    return _of_axis(_place.ids, axis)


def num_programs(axis: int) -> int:
    """Return the length of an axis of the grid.

    Args:
      axis: the number of the axis.
    Returns:
      An int.
    Raises:
      ValueError: the grid has no such axis, or there is none because no kernel runs.

    >>> from adjoint.experimental import pallas as pl
    >>> def kernel(out):
    ...     out[0] = pl.num_programs(0)
    >>> one = pl.BlockSpec((1,), lambda i: i)
    >>> pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((3,), jnp.int32), grid=3, out_specs=one)()
    Array([3, 3, 3], dtype=int32)
    """
    return _of_axis(_place.grid, axis)


def when(condition: Any, /) -> Callable[[Callable[[], None]], None]:
    """Return a decorator that runs a function without arguments if a condition holds.

    Args:
      condition: a bool, or a traced scalar.
    Returns:
      A decorator, which runs the function at once, or puts it into the program.

    >>> from adjoint.experimental import pallas as pl
    >>> def kernel(x, out):
    ...     out[...] = x[...]
    ...     @pl.when(x[0] > 0)
    ...     def _():
    ...         out[0] = 9.0
    >>> pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((2,), jnp.float32))(jnp.ones(2))
    Array([9., 1.], dtype=float32)
    """

    def run(f: Callable[[], None]) -> None:
        if isinstance(condition, (bool, np.bool_)):
            if condition:
                f()
            return
        cond(condition, lambda: (f(), ())[1], lambda: ())

    return run


def loop(
    lower: Any, upper: Any, *, init_carry: Any = None, step: Any = 1, unroll: int | bool | None = None
) -> Callable:
    """Return a decorator that runs a function of a number for all numbers from `lower` to `upper`.

    Args:
      lower, upper: integers; the second is not reached.
      init_carry: what the first iteration is given beside the number, an array or a tree of them; each iteration
        returns what the next one is given. Without it the function has one argument and returns nothing.
      step: the distance of two numbers.
      unroll: how many iterations are compiled at a time, for known bounds.
    Returns:
      A decorator, which runs the function at once, and returns what the last iteration returned.
    Raises:
      ZeroDivisionError: the bounds are ints, and `step` is 0.

    >>> from adjoint.experimental import pallas as pl
    >>> def kernel(out):
    ...     @pl.loop(0, 3)
    ...     def _(i):
    ...         out[i] = i * 2
    >>> pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((3,), jnp.int32))()
    Array([0, 2, 4], dtype=int32)
    """

    def run(f: Callable) -> Any:
        def body(i, carry):
            return f(lower + i * step) if init_carry is None else f(lower + i * step, carry)

        return fori_loop(0, cdiv(upper - lower, step), body, init_carry, unroll=unroll)

    return run


def per_device(x: Any) -> Any:
    """Return a value that memory holds, which each device of a mesh has of its own."""
    return pvary_to(x, checked_axes())


def blank(shape: Sequence[int], dtype: Any) -> Array:
    """Return what memory holds that was not written: NaN, the least integer, False."""
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        return full(shape, np.iinfo(dtype).min, dtype)
    return full(shape, False if dtype.kind == "b" else np.nan, dtype)


def run_scoped(f: Callable, *types: MemoryRef, collective_axes: Any = (), **kw_types: MemoryRef) -> Any:
    """Call a function with memory of its own, of the types that are given.

    Args:
      f: a function of references.
      *types, **kw_types: the memory for each of its arguments, such as `pltpu.VMEM((8,), jnp.float32)`.
      collective_axes: for accelerators.
    Returns:
      What the function returns.

    >>> from adjoint.experimental import pallas as pl
    >>> from adjoint.experimental.pallas import tpu
    >>> def kernel(x, out):
    ...     def body(space):
    ...         space[...] = x[...] * 2
    ...         out[...] = space[...] + 1
    ...     pl.run_scoped(body, tpu.VMEM((2,), jnp.float32))
    >>> pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((2,), jnp.float32))(jnp.ones(2))
    Array([3., 3.], dtype=float32)
    """
    own = lambda memory: new_ref(per_device(fresh_memory(memory, blank)))
    return f(*[tree_map(own, t) for t in types], **{name: tree_map(own, t) for name, t in kw_types.items()})


def with_scoped(*types: MemoryRef, collective_axes: Any = (), **kw_types: MemoryRef) -> Callable[[Callable], Callable]:
    """Return a decorator that gives a function memory of its own, after its other arguments.

    Args:
      *types, **kw_types: the memory for each of its last arguments, such as `pltpu.VMEM((8,), jnp.float32)`.
      collective_axes: for accelerators.
    Returns:
      A decorator of functions of references.

    >>> from adjoint.experimental import pallas as pl
    >>> from adjoint.experimental.pallas import tpu
    >>> def kernel(x, out):
    ...     @pl.with_scoped(tpu.VMEM((2,), jnp.float32))
    ...     def double(to, space):
    ...         space[...] = x[...] * 2
    ...         to[...] = space[...]
    ...     double(out)
    >>> pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((2,), jnp.float32))(jnp.ones(2))
    Array([2., 2.], dtype=float32)
    """

    def decorate(f: Callable) -> Callable:
        @wraps(f)
        def scoped(*args):
            return run_scoped(partial(f, *args), *types, collective_axes=collective_axes, **kw_types)

        return scoped

    return decorate


def run_state(f: Callable[[Any], None]) -> Callable[[Any], Any]:
    """Return a function of arrays that gives what a function of references to them leaves there.

    Args:
      f: a function of a reference, or of a tree of them, which returns nothing.
    Returns:
      A function of an array, or of a tree of them, that returns the same.

    >>> from adjoint.experimental import pallas as pl
    >>> def add(refs):
    ...     x, y = refs
    ...     y[...] = x[...] + y[...]
    >>> pl.run_state(add)((jnp.arange(2.), jnp.ones(2)))
    (Array([0., 1.], dtype=float32), Array([1., 2.], dtype=float32))
    """

    def run(values: Any) -> Any:
        refs = tree_map(lambda x: new_ref(per_device(x)), values)
        f(refs)
        return tree_map(lambda ref: ref[...], refs)

    return run


def debug_check(condition: Any, message: str) -> None:
    """Check a condition under `checkify`, in kernels that are made under `enable_debug_checks`.

    Args:
      condition: a bool, or a traced scalar.
      message: what the error says.

    >>> from adjoint.experimental import checkify, pallas as pl
    >>> def kernel(x, out):
    ...     pl.debug_check(x[0] > 0, "not positive")
    ...     out[...] = x[...]
    >>> same = pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((2,), jnp.float32))
    >>> with pl.enable_debug_checks(True):
    ...     error, _ = checkify.checkify(same)(jnp.zeros(2))
    >>> error.get()
    'not positive (`check` failed)'
    """
    if local.pallas_enable_debug_checks:
        check(condition, message, debug=True)


def delay(nanos: Any) -> None:
    """Wait.

    Args:
      nanos: how long, in nanoseconds: an int, or a traced integer.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.delay(1000)
    """
    callback(lambda n: sleep(int(n) * 1e-9), nanos, ordered=True)


def debug_print(fmt: str, *args: Any) -> None:
    """Print values while the kernel runs.

    Args:
      fmt: a format as `str.format` takes it.
      *args: what it refers to.
    Returns:
      None.

    >>> from adjoint.experimental import pallas as pl
    >>> def kernel(x, out):
    ...     pl.debug_print("x[0] = {}", x[0])
    ...     out[...] = x[...]
    >>> _ = pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((1,), jnp.float32))(jnp.ones(1))
    x[0] = 1.0
    """
    print_values(fmt, *args)


# ---- arithmetic ----------------------------------------------------------------------------------


def cdiv(a: Any, b: Any) -> Any:
    """Return `a / b`, rounded up.

    Args:
      a, b: ints, or traced integers.
    Returns:
      An integer.
    Raises:
      ZeroDivisionError: both are ints, and `b` is 0.

    >>> cdiv(7, 2)
    4
    """
    return (a + b - 1) // b


def align_to(a: Any, alignment: Any) -> Any:
    """Return the next multiple of a number.

    Args:
      a: an int, or a traced integer.
      alignment: the number.
    Returns:
      The least multiple that is not less than `a`.
    Raises:
      ZeroDivisionError: both are ints, and `alignment` is 0.

    >>> align_to(5, 4)
    8
    """
    return cdiv(a, alignment) * alignment


def next_power_of_2(x: int) -> int:
    """Return the least power of two that is not less.

    Args:
      x: an int, not negative.
    Returns:
      An int.
    Raises:
      ValueError: `x` is negative.

    >>> next_power_of_2(5)
    8
    """
    if x < 0:
        raise ValueError("`next_power_of_2` requires a non-negative integer.")
    return 1 if x == 0 else 1 << (x - 1).bit_length()


def strides_from_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the distances of neighbours along each axis, in elements.

    Args:
      shape: the lengths of the axes.
    Returns:
      A tuple of ints; the last one is 1.

    >>> strides_from_shape((2, 3, 4))
    (12, 4, 1)
    """
    return tuple([prod(shape[i + 1:]) for i in range(len(shape))])


def multiple_of(x: Any, values: Any) -> Any:
    """Return the operand; that it is a multiple of something is a promise to other compilers.

    Args:
      x: an integer, or an array of them.
      values: of what it is a multiple.
    Returns:
      `x`.

    >>> multiple_of(8, 4)
    8
    """
    return x


def reciprocal(x: Any, *, approx: bool = False, full_range: bool = True) -> Array:
    """Return `1 / x`.

    Args:
      x: array or scalar of floats.
      approx, full_range: for accelerators; they change nothing here.
    Returns:
      An array of the shape and dtype of `x`.

    >>> reciprocal(jnp.array([2.0, 4.0]))
    Array([0.5 , 0.25], dtype=float32)
    """
    return 1 / x


def empty(shape: Sequence[int], dtype: Any, *, out_sharding: Any = None) -> Array:
    """Return an array that is not written yet.

    Args:
      shape: the shape.
      dtype: the dtype.
      out_sharding: how it is divided over devices.
    Returns:
      An array of that shape and dtype; NaN, or the least number of integers, shows what was read too early.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.empty((2,), jnp.float32)
    Array([nan, nan], dtype=float32)
    """
    return blank(shape, dtype)


def empty_ref_like(x: Any) -> Any:
    """Return a reference to an array that is not written yet.

    Args:
      x: what has a shape and a dtype, such as a `ShapeDtypeStruct` or `pltpu.VMEM((8,), jnp.float32)`.
    Returns:
      A reference to an array of that shape and dtype, filled as by `empty`.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.empty_ref_like(ad.ShapeDtypeStruct((2,), jnp.float32)).shape
    (2,)
    """
    return new_ref(per_device(blank(x.shape, x.dtype)))


def broadcast_to(a: Any, shape: tuple[int, ...]) -> Array:
    """Return an array repeated along new axes, as `jnp.broadcast_to`.

    Args:
      a: an array or a scalar.
      shape: the shape to repeat it to.
    Returns:
      An array of that shape.
    Raises:
      ValueError: the shapes do not fit.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.broadcast_to(jnp.arange(2), (2, 2))
    Array([[0, 1],
           [0, 1]], dtype=int32)
    """
    return repeated(a, shape)


def empty_like(x: Any) -> Any:
    """Return an array of the shape and dtype of another, not written yet.

    Args:
      x: an array.
    Returns:
      An array of its shape and dtype, filled as by `empty`.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.empty_like(jnp.ones(2, int))
    Array([-2147483648, -2147483648], dtype=int32)
    """
    return full_like(blank(x.shape, x.dtype), blank((), x.dtype))
