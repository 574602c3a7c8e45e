# Written by stubs/generate.py; do not edit.
from collections.abc import Callable, Sequence
from typing import Any, overload
import numpy as np
from typing_extensions import TypeVar
from adjoint import Array
from adjoint.typing import ArrayLike
from adjoint import Array
from adjoint.typing import ArrayLike
from adjoint.typing import DTypeLike
import builtins as _builtins
from collections.abc import Callable
from collections.abc import Sequence
from enum import Enum
from enum import IntEnum
from typing import Any
from typing import NamedTuple
from typing import TypeAlias
_T = TypeVar("_T")
_X = TypeVar("_X")
_Y = TypeVar("_Y")
_Carry = TypeVar("_Carry")
class AccuracyMode(Enum):
    """The accuracy that a function such as `sin` must have, in place of a `Tolerance`.

    >>> lax.AccuracyMode.HIGHEST
    <AccuracyMode.HIGHEST: 1>
    """
    HIGHEST = 1
    DEFAULT = 2
class ConvDimensionNumbers(NamedTuple):
    """The meaning of the axes of the operands and the result of a convolution.

    Args:
      lhs_spec: the axes of the input: (batch, feature, *spatial).
      rhs_spec: the axes of the kernel: (output feature, input feature, *spatial).
      out_spec: the axes of the result: (batch, feature, *spatial).

    >>> lax.conv_dimension_numbers((1, 3, 8, 8), (4, 3, 3, 3), ('NCHW', 'OIHW', 'NCHW'))
    ConvDimensionNumbers(lhs_spec=(0, 1, 2, 3), rhs_spec=(0, 1, 2, 3), out_spec=(0, 1, 2, 3))
    """
    lhs_spec: tuple[int, ...]
    rhs_spec: tuple[int, ...]
    out_spec: tuple[int, ...]
def ConvGeneralDilatedDimensionNumbers(*args: Any, **kwargs: Any) -> Array: ...
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
    lhs_component_count: int
    rhs_component_count: int
    num_primitive_operations: int
    allow_imprecise_accumulation: bool
class DotAlgorithmPreset(Enum):
    """Named algorithms: dtypes of the operands and of the sum; X3, X6, X9 multiply so many parts.

    >>> lax.DotAlgorithmPreset.BF16_BF16_F32
    DotAlgorithmPreset.BF16_BF16_F32
    """
    DEFAULT = 1
    ANY_F8_ANY_F8_F32 = 2
    ANY_F8_ANY_F8_F32_FAST_ACCUM = 3
    ANY_F8_ANY_F8_ANY = 4
    ANY_F8_ANY_F8_ANY_FAST_ACCUM = 5
    F16_F16_F16 = 6
    F16_F16_F32 = 7
    BF16_BF16_BF16 = 8
    BF16_BF16_F32 = 9
    BF16_BF16_F32_X3 = 10
    BF16_BF16_F32_X6 = 11
    BF16_BF16_F32_X9 = 12
    TF32_TF32_F32 = 13
    TF32_TF32_F32_X3 = 14
    F32_F32_F32 = 15
    F64_F64_F64 = 16
DotDimensionNumbers: TypeAlias = tuple[tuple[Sequence[int], Sequence[int]], tuple[Sequence[int], Sequence[int]]]
"""Built-in immutable sequence.

If no argument is given, the constructor returns an empty tuple.
If iterable is specified the tuple is initialized from iterable's items.

If the argument is a tuple, the return value is the same object.
"""
class FftType(IntEnum):
    """The kinds of Fourier transform.

    >>> lax.FftType.RFFT
    <FftType.RFFT: 2>
    """
    FFT = 0
    IFFT = 1
    RFFT = 2
    IRFFT = 3
class GatherDimensionNumbers(NamedTuple):
    """The axes of operand, indices and result that belong together in a `gather`.

    Args:
      offset_dims: axes of the result that come from the window, ascending.
      collapsed_slice_dims: operand axes of window length 1 that the result does not have.
      start_index_map: for each entry of an index, the operand axis that it indexes.
      operand_batching_dims: operand axes that go together with axes of the indices.
      start_indices_batching_dims: those axes of the indices, in the same order.

    >>> rows = GatherDimensionNumbers((1,), (0,), (0,))
    >>> rows.offset_dims
    (1,)
    """
    offset_dims: tuple[int, ...]
    collapsed_slice_dims: tuple[int, ...]
    start_index_map: tuple[int, ...]
    operand_batching_dims: tuple[int, ...]
    start_indices_batching_dims: tuple[int, ...]
class GatherScatterMode(Enum):
    """The treatment of windows that are not inside the array.

    `CLIP` moves them inside. `FILL_OR_DROP` fills them when gathering and leaves them out when
    scattering. `PROMISE_IN_BOUNDS` says that there are none. `ONE_HOT` asks for a gather by matrix
    multiplication.

    >>> [mode.name for mode in GatherScatterMode]
    ['CLIP', 'FILL_OR_DROP', 'PROMISE_IN_BOUNDS', 'ONE_HOT']
    """
    CLIP = 1
    FILL_OR_DROP = 2
    PROMISE_IN_BOUNDS = 3
    ONE_HOT = 4
class Precision(Enum):
    """Precision of 32-bit matrix products on accelerators: the fastest, a middle, the most exact.

    A member may be called by its name in small letters or by what it does: "bfloat16" or "fastest",
    "bfloat16_3x" or "tensorfloat32", "float32".

    >>> lax.Precision("highest")
    Precision.HIGHEST
    """
    DEFAULT = 0
    HIGH = 1
    HIGHEST = 2
PrecisionLike: TypeAlias = None | str | Precision | tuple[str, str] | tuple[Precision, Precision] | DotAlgorithm | DotAlgorithmPreset
class RaggedDotDimensionNumbers:
    """The axes of a ragged product that are contracted, batch, ragged and of groups.

    Args:
      dot_dimension_numbers: as for `dot_general`.
      lhs_ragged_dimensions: the ragged axis of the left operand, in a sequence.
      rhs_group_dimensions: the group axis of the right operand, in a sequence; empty if there is none.

    >>> numbers = RaggedDotDimensionNumbers((((1,), (0,)), ((), ())), [0], [])
    >>> numbers.lhs_ragged_dimensions
    (0,)
    """
    def __init__(self, dot_dimension_numbers: Any, lhs_ragged_dimensions: Any, rhs_group_dimensions: Any) -> None: ...
    dot_dimension_numbers: Any
    lhs_ragged_dimensions: Any
    rhs_group_dimensions: Any
class RandomAlgorithm(IntEnum):
    """The generator that `lax.rng_bit_generator` uses; the default is Philox.

    >>> RandomAlgorithm.RNG_PHILOX
    <RandomAlgorithm.RNG_PHILOX: 2>
    """
    RNG_DEFAULT = 0
    RNG_THREE_FRY = 1
    RNG_PHILOX = 2
class RoundingMethod(IntEnum):
    """The rounding of halves by `round`.

    >>> lax.RoundingMethod.TO_NEAREST_EVEN
    <RoundingMethod.TO_NEAREST_EVEN: 1>
    """
    AWAY_FROM_ZERO = 0
    TO_NEAREST_EVEN = 1
class ScatterDimensionNumbers(NamedTuple):
    """The axes of operand, indices and updates that belong together in a `scatter`.

    Args:
      update_window_dims: axes of the updates that are the window, ascending.
      inserted_window_dims: operand axes of window length 1 that the updates do not have.
      scatter_dims_to_operand_dims: for each entry of an index, the operand axis that it indexes.
      operand_batching_dims: operand axes that go together with axes of the indices.
      scatter_indices_batching_dims: those axes of the indices, in the same order.

    >>> numbers = ScatterDimensionNumbers(
    ...     update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,))
    >>> lax.scatter_add(jnp.zeros(3), jnp.array([[1]]), jnp.array([5.0]), numbers)
    Array([0., 5., 0.], dtype=float32)
    """
    update_window_dims: tuple[int, ...]
    inserted_window_dims: tuple[int, ...]
    scatter_dims_to_operand_dims: tuple[int, ...]
    operand_batching_dims: tuple[int, ...]
    scatter_indices_batching_dims: tuple[int, ...]
class Tolerance:
    """The distance that the result of a function such as `sin` may have from the true value.

    Args:
      atol: the absolute distance.
      rtol: the distance relative to the value.
      ulps: the distance in units in the last place.

    >>> lax.Tolerance(rtol=1e-5).rtol
    1e-05
    """
    def __init__(self, atol: float = 0.0, rtol: float = 0.0, ulps: int = 0) -> None: ...
def abs(x: ArrayLike) -> Array:
    """Return the absolute value; of a complex number its size.

    Args:
      x: array or scalar (floating, complexfloating, signedinteger).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype, or that of the parts of complex numbers.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.abs(-2.5))
    2.5
    """
def abs_p(*args: Any, **params: Any) -> Array:
    """Bind `abs`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating or signedinteger.
    Rules: jvp, batch.
    See also: `lax.abs`, the function that binds it.

    >>> lax.abs_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def acos(x: ArrayLike) -> Array:
    """Return the angle from 0 to pi with cosine x; NaN for real numbers beyond -1 and 1.

    Args:
      x: array or scalar (floating, complexfloating).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.acos(-1.0))
    3.1415927
    """
def acos_p(*args: Any, **params: Any) -> Array:
    """Bind `acos`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.acos`, the function that binds it.

    >>> lax.acos_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def acosh(x: ArrayLike) -> Array:
    """Return the number from 0 on with hyperbolic cosine x; NaN for real numbers below 1.

    Args:
      x: array or scalar (floating, complexfloating).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.acosh(2.0))
    1.316958
    """
def acosh_p(*args: Any, **params: Any) -> Array:
    """Bind `acosh`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.acosh`, the function that binds it.

    >>> lax.acosh_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def add(x: ArrayLike, y: ArrayLike) -> Array:
    """Return the sum, x + y; integers wrap around.

    Args:
      x, y: arrays or scalars of equal dtype (integer, floating, complexfloating).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of their dtype.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.add(1, 2))
    3
    """
def add_any_p(*args: Any, **params: Any) -> Array:
    """Bind `add_any`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.

    >>> lax.add_any_p.bind(jnp.ones((2, 3), 'float32'), jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def add_p(*args: Any, **params: Any) -> Array:
    """Bind `add`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or floating or complexfloating, or dtypes or shapes differ.
    Rules: jvp, transpose, batch.
    See also: `lax.add`, the function that binds it.

    >>> lax.add_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(int32[2,3])
    """
def addupdate_p(*args: Any, **params: Any) -> Array:
    """Bind `addupdate`: a primitive, which programs hold as an equation.
    It adds to a part of a reference.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: none.

    >>> jax.make_jaxpr(lambda r, x: r.addupdate(x, 0))(jax.new_ref(jnp.ones(2)), jnp.float32(1))
    { lambda ; a:Ref{f32[2]} b:f32[]. let a[0] += b in () }
    """
def after_all(*operands: Sequence[ArrayLike] | ArrayLike) -> Any:
    """Return a token that waits for what all of the given tokens wait for.

    Args:
      *operands: tokens, as `create_token` makes them.
    Returns:
      A token. Here effects have the order of the program in any case; tokens only carry it through programs.
    Raises:
      TypeError: an operand is not a token.

    >>> token = lax.after_all(lax.create_token(), lax.create_token())
    """
def after_all_p(*args: Any, **params: Any) -> Array:
    """Bind `after_all`: a primitive, which programs hold as an equation.
    It makes one token of several, which is there when all of them are.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch.
    See also: `lax.after_all`, the function that binds it.

    >>> jax.make_jaxpr(lambda: lax.after_all(lax.create_token()))()
    { lambda ; . let a:Tok = create_token ; b:Tok = after_all a in (b,) }
    """
def all_gather(x: Any, axis_name: Any, *, axis_index_groups: Any = None, axis: int = 0, tiled: bool = False, to: str = 'varying') -> Any:
    """Return the values of `x` from all indices of a named axis, together.

    Args:
      x: a tree of arrays.
      axis_name: the name of an axis of `vmap`, `pmap` or `shard_map`, or a tuple of names.
      axis_index_groups: lists of indices that cover the axis, to gather within each.
      axis: where the new axis of the result stands.
      tiled: join the values along the existing axis `axis` instead.
      to: what the result is along the axis in a `shard_map` that checks it: "varying", "invarying", since all indices
        have the same, or "reduced", whose cotangents are `unreduced`.
    Returns:
      A tree of the structure of `x`, the same for all indices: along the new axis, or with `tiled` one after the other
      along the old one, the values of all indices.
    Raises:
      NameError: no axis of that name is in scope.
      ValueError: another `to`, or the value does not vary along the axis.

    >>> vmap(lambda x: lax.all_gather(x, "i"), axis_name="i")(jnp.array([1, 2]))
    Array([[1, 2],
           [1, 2]], dtype=int32)
    """
def all_gather_invariant_p(*args: Any, **params: Any) -> Array:
    """Bind `all_gather_invariant`: a primitive, linear in its operands, which programs hold as an equation.
    It gathers what all devices of an axis have, and gives each the same.

    Args:
      args: its operands, for example f32[2,3].
      all_gather_dimension: a parameter, for example 0.
      axis_name: a parameter, for example ('i',).
      axis_size: a parameter, for example 2.
      tiled: a parameter, for example False.
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch_axis.

    >>> f = lambda x: lax.all_gather_invariant_p.bind(x, all_gather_dimension=0, axis_name=("i",), axis_size=2, tiled=False)
    >>> jax.make_jaxpr(f, axis_env=[("i", 2)])(jnp.ones(3))
    { lambda ; a:f32[3]. let
        b:f32[2,3] = all_gather_invariant[
          all_gather_dimension=0
          axis_name=('i',)
          axis_size=2
          tiled=False
        ] a
      in (b,) }
    """
def all_gather_p(*args: Any, **params: Any) -> Array:
    """Bind `all_gather`: a primitive, linear in its operands, which programs hold as an equation.
    It gathers what all devices of an axis have.

    Args:
      args: its operands, for example f32[2,3].
      all_gather_dimension: a parameter, for example 0.
      axis_name: a parameter, for example ('i',).
      axis_index_groups: a parameter, for example None.
      axis_size: a parameter, for example 2.
      tiled: a parameter, for example False.
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch_axis.
    See also: `lax.all_gather`, the function that binds it.

    >>> jax.make_jaxpr(lambda x: lax.all_gather(x, "i"), axis_env=[("i", 2)])(jnp.ones(3))
    { lambda ; a:f32[3]. let
        b:f32[2,3] = all_gather[
          all_gather_dimension=0
          axis_index_groups=None
          axis_name=('i',)
          axis_size=2
          tiled=False
        ] a
      in (b,) }
    """
def all_to_all(x: Any, axis_name: Any, split_axis: int, concat_axis: int, *, axis_index_groups: Any = None, tiled: bool = False) -> Any:
    """Exchange a named axis for an axis of `x`.

    Each index sends part k along `split_axis` to index k, and puts what it receives one after the
    other along `concat_axis`.

    Args:
      x: a tree of arrays; axis `split_axis` has the length of the named axis, or with `tiled` a multiple of it.
      axis_name: the name of an axis of `vmap`, `pmap` or `shard_map`, or a tuple of names.
      split_axis: the axis of the arrays of which each index gets a part.
      concat_axis: where the new axis of the result stands; with `tiled`, an axis that grows.
      axis_index_groups: lists of indices that cover the axis, to exchange within each.
      tiled: cut and join along axes that stay, instead of taking one away and making one.
    Returns:
      A tree of the structure of `x`: axis `split_axis` is gone, or with `tiled` shorter, and along `concat_axis` are
      the parts that came from each index.
    Raises:
      NameError: no axis of that name is in scope.
      ValueError: the length does not fit.

    >>> vmap(lambda x: lax.all_to_all(x, "i", 0, 0), axis_name="i")(jnp.array([[1, 2], [3, 4]]))
    Array([[1, 3],
           [2, 4]], dtype=int32)
    """
def all_to_all_p(*args: Any, **params: Any) -> Array:
    """Bind `all_to_all`: a primitive, linear in its operands, which programs hold as an equation.
    It divides an axis over devices and joins another one.

    Args:
      args: its operands, for example f32[2,3].
      split_axis: a parameter, for example 0.
      concat_axis: a parameter, for example 1.
      axis_name: a parameter, for example 'i'.
      axis_index_groups: a parameter, for example None.
      tiled: a parameter, for example True.
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch_axis.
    See also: `lax.all_to_all`, the function that binds it.

    >>> f = lambda x: lax.all_to_all(x, "i", 0, 1, tiled=True)
    >>> jax.make_jaxpr(f, axis_env=[("i", 2)])(jnp.ones((4, 3)))
    { lambda ; a:f32[4,3]. let
        b:f32[2,6] = all_to_all[
          axis_index_groups=None
          axis_name=i
          concat_axis=1
          split_axis=0
          tiled=True
        ] a
      in (b,) }
    """
def and_p(*args: Any, **params: Any) -> Array:
    """Bind `and`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or bool, or dtypes or shapes differ.
    Rules: jvp, batch.

    >>> lax.and_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(int32[2,3])
    """
def approx_max_k(operand: ArrayLike, k: int, reduction_dimension: int = -1, recall_target: float = 0.95, reduction_input_size_override: int = -1, aggregate_to_topk: bool = True) -> list[Array]:
    """Return the `k` greatest floats, as `top_k` does; accelerators that trade recall for speed may miss some.

    Args:
      operand: array (floating).
      k: how many, at most the length of the axis.
      reduction_dimension: the axis.
      recall_target: the share of the `k` greatest that is found, at least, in the mean.
      reduction_input_size_override: the length of the whole axis, if this is a part of it.
      aggregate_to_topk: take the `k` best of what is found; otherwise there may be more, and results are longer.
    Returns:
      [values, positions as int32], both with length `k` along the axis.
    Raises:
      ValueError: the dtype is not a float; `k` is not positive or larger than the axis.

    >>> lax.approx_max_k(jnp.array([3., 1., 4.]), 2)
    [Array([4., 3.], dtype=float32), Array([2, 0], dtype=int32)]
    """
def approx_min_k(operand: ArrayLike, k: int, reduction_dimension: int = -1, recall_target: float = 0.95, reduction_input_size_override: int = -1, aggregate_to_topk: bool = True) -> list[Array]:
    """Return the `k` least floats along an axis, the least first, and their positions.

    Accelerators that trade recall for speed may miss some; on the CPU all are found.

    Args:
      operand: array (floating).
      k: how many, at most the length of the axis.
      reduction_dimension: the axis.
      recall_target: the share of the `k` least that is found, at least, in the mean.
      reduction_input_size_override: the length of the whole axis, if this is a part of it.
      aggregate_to_topk: take the `k` best of what is found; otherwise there may be more, and results are longer.
    Returns:
      [values, positions as int32], both with length `k` along the axis.
    Raises:
      ValueError: the dtype is not a float; `k` is not positive or larger than the axis.

    >>> lax.approx_min_k(jnp.array([3., 1., 4.]), 2)
    [Array([1., 3.], dtype=float32), Array([1, 0], dtype=int32)]
    """
def approx_top_k_p(*args: Any, **params: Any) -> Array:
    """Bind `approx_top_k`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[5].
      k: a parameter, for example 2.
      reduction_dimension: a parameter, for example -1.
      recall_target: a parameter, for example 0.95.
      is_max_k: a parameter, for example True.
      reduction_input_size_override: a parameter, for example -1.
      aggregate_to_topk: a parameter, for example True.
    Returns:
      A list of results, here f32[2], i32[2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.

    >>> [x.aval for x in lax.approx_top_k_p.bind(
    ...     jnp.ones((5,), 'float32'),
    ...     k=2,
    ...     reduction_dimension=-1,
    ...     recall_target=0.95,
    ...     is_max_k=True,
    ...     reduction_input_size_override=-1,
    ...     aggregate_to_topk=True,
    ... )]
    [ShapedArray(float32[2]), ShapedArray(int32[2])]
    """
def argmax(operand: ArrayLike, axis: int, index_dtype: DTypeLike) -> Array:
    """Return the position of the greatest element along an axis: the first of them, or of the first NaN.

    Args:
      operand: array (integer, floating, bool).
      axis: an axis of length at least 1, counted from 0.
      index_dtype: the integer dtype of the result.
    Returns:
      Positions from 0 on, in an array of the operand's shape without the axis. The dtype is `index_dtype`.
    Raises:
      ValueError: the axis is out of range or empty.
      TypeError: `index_dtype` is no integer dtype.

    >>> lax.argmax(jnp.array([1, 3, 2]), 0, "int32")
    Array(1, dtype=int32)
    """
def argmax_p(*args: Any, **params: Any) -> Array:
    """Bind `argmax`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
      axes: a parameter, for example (1,).
      index_dtype: a parameter, for example dtype('int32').
    Returns:
      The result, here i32[2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.
    See also: `lax.argmax`, the function that binds it.

    >>> lax.argmax_p.bind(jnp.ones((2, 3), 'float32'), axes=(1,), index_dtype=np.dtype('int32')).aval
    ShapedArray(int32[2])
    """
def argmin(operand: ArrayLike, axis: int, index_dtype: DTypeLike) -> Array:
    """Return the position of the least element along an axis: the first of them, or of the first NaN.

    Args:
      operand: array (integer, floating, bool).
      axis: an axis of length at least 1, counted from 0.
      index_dtype: the integer dtype of the result.
    Returns:
      Positions from 0 on, in an array of the operand's shape without the axis. The dtype is `index_dtype`.
    Raises:
      ValueError: the axis is out of range or empty.
      TypeError: `index_dtype` is no integer dtype.

    >>> lax.argmin(jnp.array([1, 3, 2]), 0, "int32")
    Array(0, dtype=int32)
    """
def argmin_p(*args: Any, **params: Any) -> Array:
    """Bind `argmin`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
      axes: a parameter, for example (1,).
      index_dtype: a parameter, for example dtype('int32').
    Returns:
      The result, here i32[2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.
    See also: `lax.argmin`, the function that binds it.

    >>> lax.argmin_p.bind(jnp.ones((2, 3), 'float32'), axes=(1,), index_dtype=np.dtype('int32')).aval
    ShapedArray(int32[2])
    """
def asin(x: ArrayLike) -> Array:
    """Return the angle from -pi/2 to pi/2 with sine x; NaN for real numbers beyond -1 and 1.

    Args:
      x: array or scalar (floating, complexfloating).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.asin(1.0))
    1.5707964
    """
def asin_p(*args: Any, **params: Any) -> Array:
    """Bind `asin`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.asin`, the function that binds it.

    >>> lax.asin_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def asinh(x: ArrayLike) -> Array:
    """Return the number with hyperbolic sine x.

    Args:
      x: array or scalar (floating, complexfloating).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.asinh(1.0))
    0.8813736
    """
def asinh_p(*args: Any, **params: Any) -> Array:
    """Bind `asinh`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.asinh`, the function that binds it.

    >>> lax.asinh_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def associative_scan(fn: Callable[[_T, _T], _T], elems: _T, reverse: bool = False, axis: int = 0) -> _T:
    """Return the results of combining the first 1, 2, 3, ... elements along an axis.

    `scan` computes the same in order; this is for functions that are cheap on whole arrays.

    Args:
      fn: (a, b) -> c on trees like `elems`, associative, applied to slices of any length along `axis`.
      elems: a tree of arrays of equal length along `axis`.
      reverse: combine from the end.
      axis: the axis of the elements; negative counts from the end.
    Returns:
      A tree like `elems`, with the same shapes: position i along the axis is the combination of elements 0 to i.
    Raises:
      TypeError: `fn` is not a function.
      ValueError: lengths differ, the axis is out of range, or `fn` returns another number of arrays.

    >>> lax.associative_scan(jnp.add, jnp.arange(5))
    Array([ 0,  1,  3,  6, 10], dtype=int32)
    """
def atan(x: ArrayLike) -> Array:
    """Return the angle from -pi/2 to pi/2 with tangent x.

    Args:
      x: array or scalar (floating, complexfloating).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.atan(1.0))
    0.7853982
    """
def atan2(x: ArrayLike, y: ArrayLike) -> Array:
    """Return the angle, from -pi to pi, of the point whose abscissa is y and whose ordinate is x.

    Args:
      x, y: arrays or scalars of equal dtype (floating, complexfloating).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of their dtype.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.atan2(1.0, -1.0))
    2.3561945
    """
def atan2_p(*args: Any, **params: Any) -> Array:
    """Bind `atan2`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating, or dtypes or shapes differ.
    Rules: jvp, batch.
    See also: `lax.atan2`, the function that binds it.

    >>> lax.atan2_p.bind(jnp.ones((2, 3), 'float32'), jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def atan_p(*args: Any, **params: Any) -> Array:
    """Bind `atan`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.atan`, the function that binds it.

    >>> lax.atan_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def atanh(x: ArrayLike) -> Array:
    """Return the number with hyperbolic tangent x; infinite at -1 and 1, NaN for real numbers beyond.

    Args:
      x: array or scalar (floating, complexfloating).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.atanh(0.5))
    0.54930615
    """
def atanh_p(*args: Any, **params: Any) -> Array:
    """Bind `atanh`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.atanh`, the function that binds it.

    >>> lax.atanh_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def axis_index(axis_name: Any) -> Array:
    """Return the index along a named axis; along several, as if they were one, the last the fastest.

    Args:
      axis_name: the name of an axis of `vmap`, `pmap` or `shard_map`, or a tuple of names.
    Returns:
      An int32 scalar, from 0 to the length less 1, that differs along the axis.
    Raises:
      NameError: no axis of that name is in scope.

    >>> vmap(lambda x: x * lax.axis_index("i"), axis_name="i")(jnp.array([5, 5, 5]))
    Array([ 0,  5, 10], dtype=int32)
    """
def axis_index_p(*args: Any, **params: Any) -> Array:
    """Bind `axis_index`: a primitive, which programs hold as an equation.
    It gives the position along a mapped axis.

    Args:
      args: its operands.
      axis_name: a parameter, for example 'i'.
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch_axis.
    See also: `lax.axis_index`, the function that binds it.

    >>> jax.make_jaxpr(lambda: lax.axis_index("i"), axis_env=[("i", 2)])()
    { lambda ; . let a:i32[] = axis_index[axis_name=i]  in (a,) }
    """
def axis_size(axis_name: Any) -> int:
    """Return the length of a named axis, or the product of several, as a Python int.

    Args:
      axis_name: the name of an axis of `vmap`, `pmap` or `shard_map`, or a tuple of names.
    Returns:
      An int, known while tracing: it may be part of a shape.
    Raises:
      NameError: no axis of that name is in scope.

    >>> vmap(lambda x: x * lax.axis_size("i"), axis_name="i")(jnp.array([1, 2]))
    Array([2, 4], dtype=int32)
    """
def batch_matmul(lhs: ArrayLike, rhs: ArrayLike, precision: Any = None) -> Array:
    """Return products of matrices, one for each index of the leading axes.

    Args:
      lhs: ``[..., m, k]``.
      rhs: ``[..., k, n]``, with equal leading axes and an equal dtype.
      precision: see `Precision`.
    Returns:
      ``[..., m, n]``: for each index of the leading axes the product of the two matrices.
      The dtype is that of the operands.
    Raises:
      ValueError: ranks differ or are below 2.

    >>> lax.batch_matmul(jnp.ones((5, 2, 3)), jnp.ones((5, 3, 4))).shape
    (5, 2, 4)
    """
def bcoo_dot_general_p(*args: Any, **params: Any) -> Array:
    """Bind `bcoo_dot_general`: a primitive, which programs hold as an equation.
    It multiplies a BCOO matrix by an array.

    Args:
      args: its operands, for example f32[4], i32[4,2], f32[4].
      dimension_numbers: a parameter, for example (((1,), (0,)), ((), ())).
      preferred_element_type: a parameter, for example dtype('float32').
      lhs_spinfo: a parameter, for example SparseInfo(shape=(3, 4), indices_sorted=False, unique_indices=False).
    Returns:
      The result, here f32[3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> from adjoint.experimental import sparse
    >>> m = sparse.BCOO.fromdense(jnp.eye(3))
    >>> print(jax.make_jaxpr(lambda m, x: m @ x)(m, jnp.ones(3)).eqns[-1])
    a:f32[3] = bcoo_dot_general[
      dimension_numbers=(((1,), (0,)), ((), ()))
      lhs_spinfo=SparseInfo(shape=(3, 3), indices_sorted=True, unique_indices=True)
      preferred_element_type=float32
    ] b c d
    """
def bcoo_dot_general_sampled_p(*args: Any, **params: Any) -> Array:
    """Bind `bcoo_dot_general_sampled`: a primitive, which programs hold as an equation.
    It computes those elements of a product of arrays that indices select.

    Args:
      args: its operands, for example f32[3,2], f32[2,4], i32[4,2].
      dimension_numbers: a parameter, for example (((1,), (0,)), ((), ())).
    Returns:
      The result, here f32[4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> from adjoint.experimental import sparse
    >>> m = sparse.BCOO.fromdense(jnp.eye(3))
    >>> f = lambda m, a: sparse.bcoo_dot_general_sampled(a, a, m.indices, dimension_numbers=(((1,), (0,)), ((), ())))
    >>> print(jax.make_jaxpr(f)(m, jnp.ones((3, 3))).eqns[-1])
    a:f32[3] = bcoo_dot_general_sampled[dimension_numbers=(((1,), (0,)), ((), ()))] b
      b c
    """
def bcoo_extract_p(*args: Any, **params: Any) -> Array:
    """Bind `bcoo_extract`: a primitive, which programs hold as an equation.
    It takes those elements of an array that the indices of a BCOO matrix select.

    Args:
      args: its operands, for example i32[4,2], f32[3,4].
      assume_unique: a parameter, for example True.
    Returns:
      The result, here f32[4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> lax.bcoo_extract_p.bind(
    ...     jnp.ones((4, 2), 'int32'),
    ...     jnp.ones((3, 4), 'float32'),
    ...     assume_unique=True,
    ... ).aval
    ShapedArray(float32[4])
    """
def bcoo_fromdense_p(*args: Any, **params: Any) -> Array:
    """Bind `bcoo_fromdense`: a primitive, which programs hold as an equation.
    It makes a BCOO matrix of an array.

    Args:
      args: its operands, for example f32[2,3].
      nse: a parameter, for example 4.
      n_batch: a parameter, for example 0.
      n_dense: a parameter, for example 0.
      index_dtype: a parameter, for example dtype('int32').
    Returns:
      A list of results, here f32[4], i32[4,2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> [x.aval for x in lax.bcoo_fromdense_p.bind(
    ...     jnp.ones((2, 3), 'float32'),
    ...     nse=4,
    ...     n_batch=0,
    ...     n_dense=0,
    ...     index_dtype=np.dtype('int32'),
    ... )]
    [ShapedArray(float32[4]), ShapedArray(int32[4,2])]
    """
def bcoo_sort_indices_p(*args: Any, **params: Any) -> Array:
    """Bind `bcoo_sort_indices`: a primitive, which programs hold as an equation.
    It sorts the elements of a BCOO matrix by their indices.

    Args:
      args: its operands, for example f32[3], i32[3,2].
      spinfo: a parameter, for example SparseInfo(shape=(3, 2), indices_sorted=False, unique_indices=False).
    Returns:
      A list of results, here f32[3], i32[3,2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> from adjoint.experimental import sparse
    >>> m = sparse.BCOO((jnp.ones(3), jnp.array([[2, 2], [1, 1], [0, 0]])), shape=(3, 3))
    >>> print(jax.make_jaxpr(lambda m: m.sort_indices().data)(m).eqns[-1])
    a:f32[3] _:i32[3,2] = bcoo_sort_indices[
      spinfo=SparseInfo(shape=(3, 3), indices_sorted=False, unique_indices=False)
    ] b c
    """
def bcoo_spdot_general_p(*args: Any, **params: Any) -> Array:
    """Bind `bcoo_spdot_general`: a primitive, which programs hold as an equation.
    It multiplies two BCOO matrices.

    Args:
      args: its operands, for example f32[4], i32[4,2], f32[2], i32[2,2].
      lhs_spinfo: a parameter, for example SparseInfo(shape=(3, 4), indices_sorted=False, unique_indices=False).
      rhs_spinfo: a parameter, for example SparseInfo(shape=(4, 2), indices_sorted=False, unique_indices=False).
      dimension_numbers: a parameter, for example (((1,), (0,)), ((), ())).
      preferred_element_type: a parameter, for example None.
    Returns:
      A list of results, here f32[6], i32[6,2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> from adjoint.experimental import sparse
    >>> m = sparse.BCOO.fromdense(jnp.eye(3))
    >>> f = lambda m: sparse.bcoo_dot_general(m, m, dimension_numbers=(((1,), (0,)), ((), ()))).data
    >>> print(jax.make_jaxpr(f)(m).eqns[-1])
    a:f32[9] _:i32[9,2] = bcoo_spdot_general[
      dimension_numbers=(((1,), (0,)), ((), ()))
      lhs_spinfo=SparseInfo(shape=(3, 3), indices_sorted=True, unique_indices=True)
      preferred_element_type=None
      rhs_spinfo=SparseInfo(shape=(3, 3), indices_sorted=True, unique_indices=True)
    ] b c b c
    """
def bcoo_sum_duplicates_p(*args: Any, **params: Any) -> Array:
    """Bind `bcoo_sum_duplicates`: a primitive, which programs hold as an equation.
    It adds the elements of a BCOO matrix that have the same indices.

    Args:
      args: its operands, for example f32[4], i32[4,2].
      spinfo: a parameter, for example SparseInfo(shape=(3, 2), indices_sorted=False, unique_indices=False).
      nse: a parameter, for example 3.
    Returns:
      A list of results, here f32[3], i32[3,2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> from adjoint.experimental import sparse
    >>> m = sparse.BCOO((jnp.ones(3), jnp.array([[2, 2], [1, 1], [0, 0]])), shape=(3, 3))
    >>> print(jax.make_jaxpr(lambda m: m.sum_duplicates(nse=3).data)(m).eqns[-1])
    a:f32[3] _:i32[3,2] = bcoo_sum_duplicates[
      nse=3
      spinfo=SparseInfo(shape=(3, 3), indices_sorted=False, unique_indices=False)
    ] b c
    """
def bcoo_todense_p(*args: Any, **params: Any) -> Array:
    """Bind `bcoo_todense`: a primitive, which programs hold as an equation.
    It makes an array of a BCOO matrix.

    Args:
      args: its operands, for example f32[4], i32[4,2].
      spinfo: a parameter, for example SparseInfo(shape=(3, 4), indices_sorted=False, unique_indices=False).
    Returns:
      The result, here f32[3,4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> from adjoint.experimental import sparse
    >>> m = sparse.BCOO.fromdense(jnp.eye(3))
    >>> print(jax.make_jaxpr(lambda m: m.todense())(m).eqns[-1])
    a:f32[3,3] = bcoo_todense[
      spinfo=SparseInfo(shape=(3, 3), indices_sorted=True, unique_indices=True)
    ] b c
    """
def bcoo_transpose_p(*args: Any, **params: Any) -> Array:
    """Bind `bcoo_transpose`: a primitive, which programs hold as an equation.
    It transposes a BCOO matrix.

    Args:
      args: its operands, for example f32[3], i32[3,2].
      permutation: a parameter, for example (1, 0).
      spinfo: a parameter, for example SparseInfo(shape=(3, 2), indices_sorted=False, unique_indices=False).
    Returns:
      A list of results, here f32[3], i32[3,2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> from adjoint.experimental import sparse
    >>> m = sparse.BCOO.fromdense(jnp.eye(3))
    >>> print(jax.make_jaxpr(lambda m: m.T.data)(m).eqns[-1])
    a:f32[3] _:i32[3,2] = bcoo_transpose[
      permutation=(1, 0)
      spinfo=SparseInfo(shape=(3, 3), indices_sorted=True, unique_indices=True)
    ] b c
    """
def bcsr_dot_general_p(*args: Any, **params: Any) -> Array:
    """Bind `bcsr_dot_general`: a primitive, which programs hold as an equation.
    It multiplies a BCSR matrix by an array.

    Args:
      args: its operands, for example f32[4], i32[4], i32[4], f32[4].
      dimension_numbers: a parameter, for example (((1,), (0,)), ((), ())).
      preferred_element_type: a parameter, for example dtype('float32').
      lhs_spinfo: a parameter, for example SparseInfo(shape=(3, 4), indices_sorted=False, unique_indices=False).
    Returns:
      The result, here f32[3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> from adjoint.experimental import sparse
    >>> m = sparse.BCSR.fromdense(jnp.eye(3))
    >>> print(jax.make_jaxpr(lambda m, x: m @ x)(m, jnp.ones(3)).eqns[-1])
    a:f32[3] = bcsr_dot_general[
      dimension_numbers=(((1,), (0,)), ((), ()))
      lhs_spinfo=SparseInfo(shape=(3, 3), indices_sorted=False, unique_indices=False)
      preferred_element_type=float32
    ] b c d e
    """
def bcsr_extract_p(*args: Any, **params: Any) -> Array:
    """Bind `bcsr_extract`: a primitive, which programs hold as an equation.
    It takes those elements of an array that the indices of a BCSR matrix select.

    Args:
      args: its operands, for example i32[4], i32[4], f32[3,4].
    Returns:
      The result, here f32[4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> lax.bcsr_extract_p.bind(
    ...     jnp.ones((4,), 'int32'),
    ...     jnp.ones((4,), 'int32'),
    ...     jnp.ones((3, 4), 'float32'),
    ... ).aval
    ShapedArray(float32[4])
    """
def bcsr_fromdense_p(*args: Any, **params: Any) -> Array:
    """Bind `bcsr_fromdense`: a primitive, which programs hold as an equation.
    It makes a BCSR matrix of an array.

    Args:
      args: its operands, for example f32[2,3].
      nse: a parameter, for example 4.
      n_batch: a parameter, for example 0.
      n_dense: a parameter, for example 0.
      index_dtype: a parameter, for example dtype('int32').
    Returns:
      A list of results, here f32[4], i32[4], i32[3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> [x.aval for x in lax.bcsr_fromdense_p.bind(
    ...     jnp.ones((2, 3), 'float32'),
    ...     nse=4,
    ...     n_batch=0,
    ...     n_dense=0,
    ...     index_dtype=np.dtype('int32'),
    ... )]
    [ShapedArray(float32[4]), ShapedArray(int32[4]), ShapedArray(int32[3])]
    """
def bcsr_todense_p(*args: Any, **params: Any) -> Array:
    """Bind `bcsr_todense`: a primitive, which programs hold as an equation.
    It makes an array of a BCSR matrix.

    Args:
      args: its operands, for example f32[4], i32[4], i32[4].
      spinfo: a parameter, for example SparseInfo(shape=(3, 4), indices_sorted=False, unique_indices=False).
    Returns:
      The result, here f32[3,4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> from adjoint.experimental import sparse
    >>> m = sparse.BCSR.fromdense(jnp.eye(3))
    >>> print(jax.make_jaxpr(lambda m: m.todense())(m).eqns[-1])
    a:f32[3,3] = bcsr_todense[
      spinfo=SparseInfo(shape=(3, 3), indices_sorted=False, unique_indices=False)
    ] b c d
    """
def bessel_i0e(x: ArrayLike) -> Array:
    """Return the modified Bessel function of order 0, times e ** -|x|.

    Args:
      x: array or scalar (floating).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.bessel_i0e(1.0))
    0.4657596
    """
def bessel_i0e_p(*args: Any, **params: Any) -> Array:
    """Bind `bessel_i0e`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.
    See also: `lax.bessel_i0e`, the function that binds it.

    >>> lax.bessel_i0e_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def bessel_i1e(x: ArrayLike) -> Array:
    """Return the modified Bessel function of order 1, times e ** -|x|.

    Args:
      x: array or scalar (floating).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.bessel_i1e(1.0))
    0.20791042
    """
def bessel_i1e_p(*args: Any, **params: Any) -> Array:
    """Bind `bessel_i1e`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.
    See also: `lax.bessel_i1e`, the function that binds it.

    >>> lax.bessel_i1e_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def bessel_j_p(*args: Any, **params: Any) -> Array:
    """Bind `bessel_j`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
      order: a parameter, for example 0.
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.

    >>> lax.bessel_j_p.bind(jnp.ones((2, 3), 'float32'), order=0).aval
    ShapedArray(float32[2,3])
    """
def betainc(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """Return the regularized incomplete beta function, elementwise.

    It is the integral of t ** (a - 1) (1 - t) ** (b - 1) from 0 to x, divided by that from 0 to 1.

    Args:
      a, b: arrays or scalars (floating), positive.
      x: array or scalar of their dtype, from 0 to 1.
    Returns:
      Numbers from 0 to 1, in an array of their shape and dtype; NaN where `x` is outside of 0 to 1.
    Raises:
      TypeError: `a` is not an array or scalar of real floats, or shapes do not broadcast; lists are not converted.

    >>> print(lax.betainc(1.0, 2.0, 0.5))
    0.75
    """
def bitcast_convert_type(operand: ArrayLike, new_dtype: DTypeLike) -> Array:
    """Return the bits of `operand`, read as another dtype.

    A narrower dtype adds a last axis of the parts of each element, lowest bits first; a wider one
    takes the last axis away.

    Args:
      operand: array or scalar.
      new_dtype: the dtype, or what names one.
    Returns:
      An array of the new dtype with the same bits; of the operand's shape, if elements are as wide as before.
    Raises:
      TypeError: a boolean or complex dtype, unless both are the same.
      ValueError: the last axis does not make up one element of a wider dtype.

    >>> lax.bitcast_convert_type(1.0, "uint32")
    Array(1065353216, dtype=uint32)
    """
def bitcast_convert_type_p(*args: Any, **params: Any) -> Array:
    """Bind `bitcast_convert_type`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
      new_dtype: a parameter, for example dtype('int32').
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.
    See also: `lax.bitcast_convert_type`, the function that binds it.

    >>> lax.bitcast_convert_type_p.bind(
    ...     jnp.ones((2, 3), 'float32'),
    ...     new_dtype=np.dtype('int32'),
    ... ).aval
    ShapedArray(int32[2,3])
    """
def bitwise_and(x: ArrayLike, y: ArrayLike) -> Array:
    """Return the bits that are in both; the conjunction of booleans.

    Args:
      x, y: arrays or scalars of equal dtype (integer, bool).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of their dtype.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.bitwise_and(6, 3))
    2
    """
def bitwise_not(x: ArrayLike) -> Array:
    """Return every bit flipped; the negation of a boolean.

    Args:
      x: array or scalar (integer, bool).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.bitwise_not(5))
    -6
    """
def bitwise_or(x: ArrayLike, y: ArrayLike) -> Array:
    """Return the bits that are in either; the disjunction of booleans.

    Args:
      x, y: arrays or scalars of equal dtype (integer, bool).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of their dtype.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.bitwise_or(6, 3))
    7
    """
def bitwise_xor(x: ArrayLike, y: ArrayLike) -> Array:
    """Return the bits that are in one only; of booleans, whether they differ.

    Args:
      x, y: arrays or scalars of equal dtype (integer, bool).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of their dtype.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.bitwise_xor(6, 3))
    5
    """
def broadcast(operand: ArrayLike, sizes: Sequence[int], *, out_sharding: Any = None) -> Array:
    """Repeat an array along new leading axes.

    Args:
      operand: array or scalar.
      sizes: the lengths of the new axes.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of shape ``(*sizes, *operand.shape)``: the operand, repeated for each index of the new axes.
      The dtype is that of `operand`.
    Raises:
      TypeError: `operand` is not an array or scalar; lists are not converted.

    >>> lax.broadcast(jnp.arange(2), (2,))
    Array([[0, 1],
           [0, 1]], dtype=int32)
    """
def broadcast_in_dim(operand: ArrayLike, shape: int | Sequence[int | Array], broadcast_dimensions: Sequence[int], *, out_sharding: Any = None) -> Array:
    """Broadcast an array to a shape, saying which axis goes where.

    Args:
      operand: array or scalar.
      shape: the shape of the result.
      broadcast_dimensions: for each axis of the operand, the axis of the result. An axis of length 1
        stretches.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of shape `shape`, in which elements are repeated along axes that are new or were of length 1.
      The dtype is that of `operand`.
    Raises:
      TypeError: lengths do not fit or axes are out of range.

    >>> lax.broadcast_in_dim(jnp.arange(2), (2, 3), (0,))
    Array([[0, 0, 0],
           [1, 1, 1]], dtype=int32)
    """
def broadcast_in_dim_p(*args: Any, **params: Any) -> Array:
    """Bind `broadcast_in_dim`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[].
      shape: a parameter, for example (2, 3).
      broadcast_dimensions: a parameter, for example ().
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.
    See also: `lax.broadcast_in_dim`, the function that binds it.

    >>> lax.broadcast_in_dim_p.bind(
    ...     jnp.ones((), 'float32'),
    ...     shape=(2, 3),
    ...     broadcast_dimensions=(),
    ... ).aval
    ShapedArray(float32[2,3])
    """
def broadcast_like(arr: ArrayLike, like_arr: ArrayLike) -> Array:
    """Return an array repeated to the shape of another, by NumPy's rules: aligned at the last axes.

    Args:
      arr: array or scalar.
      like_arr: array, of which only the shape counts.
    Returns:
      An array of the shape of `like_arr` and the dtype of `arr`.
    Raises:
      ValueError: the shape does not broadcast to that of `like_arr`.

    >>> lax.broadcast_like(jnp.array([1, 2, 3]), jnp.zeros((2, 3)))
    Array([[1, 2, 3],
           [1, 2, 3]], dtype=int32)
    """
def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """Return the shape that arrays of these shapes broadcast to, by NumPy's rules.

    Args:
      *shapes: tuples of lengths, aligned at their ends; a length of 1, or none, fits any.
    Returns:
      A tuple, as long as the longest of them.
    Raises:
      ValueError: the shapes do not fit.
      TypeError: a length is negative.

    >>> lax.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
def broadcast_to_rank(x: ArrayLike, rank: int) -> Array:
    """Add leading axes of length 1 until the array has `rank` axes.

    Args:
      x: array or scalar.
      rank: the number of axes of the result; where `x` has as many or more, it is as it was.
    Returns:
      The same elements in an array of that rank. The dtype is that of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> lax.broadcast_to_rank(jnp.zeros((3,)), 3).shape
    (1, 1, 3)
    """
def broadcasted_iota(dtype: DTypeLike | None, shape: int | Sequence[int | Array], dimension: int, *, out_sharding: Any = None) -> Array:
    """Return an array whose elements are their index along one axis.

    Args:
      dtype: a dtype of numbers.
      shape: the shape.
      dimension: the axis that counts.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of that shape and dtype, in which element [i, j, ...] is the index at place `dimension`.
    Raises:
      TypeError: the dtype is not a number, or a length is negative.
      ValueError: the axis is out of range.

    >>> lax.broadcasted_iota("int32", (2, 2), 0)
    Array([[0, 0],
           [1, 1]], dtype=int32)
    """
def cbrt(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Return the real cube root, which has the sign of x.

    Args:
      x: array or scalar (floating).
      accuracy: a `Tolerance` or an `AccuracyMode`, for accelerators; on the CPU it changes nothing.
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.cbrt(-8.0))
    -2.0
    """
def cbrt_p(*args: Any, **params: Any) -> Array:
    """Bind `cbrt`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.
    See also: `lax.cbrt`, the function that binds it.

    >>> lax.cbrt_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def ceil(x: ArrayLike) -> Array:
    """Return the least integer above or at x.

    Args:
      x: array or scalar (floating).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.ceil(-1.5))
    -1.0
    """
def ceil_p(*args: Any, **params: Any) -> Array:
    """Bind `ceil`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.
    See also: `lax.ceil`, the function that binds it.

    >>> lax.ceil_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def check_p(*args: Any, **params: Any) -> Array:
    """Bind `check`: a primitive, which programs hold as an equation.
    It checks a predicate, for `checkify`.

    Args:
      args: its operands, for example bool[], i32[], f32[].
      err_tree: a parameter, for example PyTreeDef(CustomNode(Error[((ErrorEffect(error_type=<class 'adjoint.experimen.
      debug: a parameter, for example True.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch_axis.

    >>> from adjoint.experimental import checkify
    >>> jax.make_jaxpr(lambda x: checkify.debug_check(x > 0, "not positive"))(1.0)
    { lambda ; a:f32[]. let
        b:bool[] = gt a 0.0:f32[]
        c:bool[] = not b
        d:bool[] = convert_element_type[new_dtype=bool weak_type=False] c
        check[debug=True] d ...:i32[]
      in () }
    """
def cholesky_p(*args: Any, **params: Any) -> Array:
    """Bind `cholesky`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[3,3].
    Returns:
      The result, here f32[3,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.

    >>> lax.cholesky_p.bind(jnp.ones((3, 3), 'float32')).aval
    ShapedArray(float32[3,3])
    """
def cholesky_update_p(*args: Any, **params: Any) -> Array:
    """Bind `cholesky_update`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[3,3], f32[3].
    Returns:
      The result, here f32[3,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch.

    >>> lax.cholesky_update_p.bind(jnp.ones((3, 3), 'float32'), jnp.ones((3,), 'float32')).aval
    ShapedArray(float32[3,3])
    """
def clamp(min: ArrayLike, x: ArrayLike, max: ArrayLike) -> Array:
    """Return `x`, or the bound that it exceeds, elementwise.

    Args:
      min, max: bounds of the dtype of `x`, and of its shape or scalars. Where they cross, it is `max`.
      x: array or scalar (integer, floating, bool).
    Returns:
      An array of the shape and dtype of `x`, with elements from `min` to `max`; NaN stays NaN.
    Raises:
      TypeError: `min` is not an array or scalar; lists are not converted.

    >>> print(lax.clamp(0.0, 1.5, 1.0))
    1.0
    """
def clamp_p(*args: Any, **params: Any) -> Array:
    """Bind `clamp`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.
    See also: `lax.clamp`, the function that binds it.

    >>> lax.clamp_p.bind(
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ... ).aval
    ShapedArray(float32[2,3])
    """
def clz(x: ArrayLike) -> Array:
    """Return the number of zeros above the highest bit that is 1; of 0 all bits.

    Args:
      x: array or scalar (integer).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.clz(1))
    31
    """
def clz_p(*args: Any, **params: Any) -> Array:
    """Bind `clz`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3].
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer.
    Rules: jvp, batch.
    See also: `lax.clz`, the function that binds it.

    >>> lax.clz_p.bind(jnp.ones((2, 3), 'int32')).aval
    ShapedArray(int32[2,3])
    """
def collapse(operand: Array, start_dimension: int, stop_dimension: int | None = None) -> Array:
    """Merge the axes from `start_dimension` up to `stop_dimension` into one.

    Args:
      operand: array.
      start_dimension, stop_dimension: as in a Python slice of the shape; the default merges all
        that follow.
    Returns:
      An array with the same elements, in which the axes are one, of the length of their product.
      The dtype is that of `operand`.
    Raises:
      ValueError: the range is backwards.

    >>> lax.collapse(jnp.zeros((2, 3, 4)), 1).shape
    (2, 12)
    """
def complex(x: ArrayLike, y: ArrayLike) -> Array:
    """Return the complex number with real part x and imaginary part y.

    Args:
      x, y: arrays or scalars of equal dtype (float32, float64).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of the complex dtype of such parts.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.complex(1.0, 2.0))
    (1+2j)
    """
def complex_p(*args: Any, **params: Any) -> Array:
    """Bind `complex`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3].
    Returns:
      The result, here c64[2,3].
    Raises:
      TypeError: an operand is of no dtype that is float32 or float64, or dtypes or shapes differ.
    Rules: jvp, transpose, batch.
    See also: `lax.complex`, the function that binds it.

    >>> lax.complex_p.bind(jnp.ones((2, 3), 'float32'), jnp.ones((2, 3), 'float32')).aval
    ShapedArray(complex64[2,3])
    """
def composite(decomposition: Callable[..., Any], name: str, version: int = 0) -> Callable[..., Any]:
    """Return `decomposition`, with a name by which a compiler may know a better way to compute it.

    Args:
      decomposition: a function of trees of arrays; it defines the result. Its keyword arguments are
        static, hashable attributes.
      name, version: by which the operation is known, such as "my.tangent".
    Returns:
      A function of the same arguments. It has no derivative unless it is wrapped in `custom_jvp`.
    Raises:
      ValueError: the result is differentiated.

    >>> tangent = lax.composite(lambda x: jnp.sin(x) / jnp.cos(x), "my.tangent")
    >>> tangent(jnp.array([0.]))
    Array([0.], dtype=float32)
    """
def composite_p(*args: Any, **params: Any) -> Array:
    """Bind `composite`: a primitive, which programs hold as an equation.
    It calls a program under a name that compilers may know.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch_axis.
    See also: `lax.composite`, the function that binds it.

    >>> jax.make_jaxpr(lax.composite(jnp.tanh, "my.tanh"))(1.0)
    { lambda ; a:f32[]. let
        b:f32[] = composite[
          attributes=()
          jaxpr={ lambda ; c:f32[]. let d:f32[] = tanh c in (d,) }
          name=my.tanh
          version=0
        ] a
      in (b,) }
    """
def compute_on_p(*args: Any, **params: Any) -> Array:
    """Bind `compute_on`: a primitive, which programs hold as an equation.
    It runs a program where a string says.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, linearize, transpose, batch_axis.

    >>> from adjoint.experimental.compute_on import compute_on2
    >>> f = compute_on2(jnp.sin, compute_type="device_host", out_memory_spaces=jax.memory.Space.Device)
    >>> jax.make_jaxpr(f)(1.0)
    { lambda ; a:f32[]. let
        b:f32[] = compute_on[
          compiler_options_json=None
          compute_type=device_host
          jaxpr={ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }
          out_memory_spaces=(MemorySpace.Device,)
        ] a
      in (b,) }
    """
def concatenate(operands: Sequence[ArrayLike] | ArrayLike, dimension: int) -> Array:
    """Join arrays along an axis that they have.

    Args:
      operands: arrays of one dtype, alike in all lengths but the one that is joined.
      dimension: the axis, non-negative.
    Returns:
      An array with the elements of the first along the axis, then those of the second, and so on.
      The dtype is that of the operands.
    Raises:
      ValueError: there is no operand.
      TypeError: dtypes or shapes differ, or the axis is out of range.

    >>> lax.concatenate([jnp.arange(2), jnp.arange(3)], 0)
    Array([0, 1, 0, 1, 2], dtype=int32)
    """
def concatenate_p(*args: Any, **params: Any) -> Array:
    """Bind `concatenate`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[1,3].
      dimension: a parameter, for example 0.
    Returns:
      The result, here f32[3,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.
    See also: `lax.concatenate`, the function that binds it.

    >>> lax.concatenate_p.bind(
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((1, 3), 'float32'),
    ...     dimension=0,
    ... ).aval
    ShapedArray(float32[3,3])
    """
def cond(pred: ArrayLike, true_fun: Callable[..., _T], false_fun: Callable[..., _T], *operands: Any, operand: Any = ...) -> _T:
    """Return `true_fun(*operands)` if `pred`, else `false_fun(*operands)`.

    Both functions are traced, one is run. Under `vmap` with a batched `pred` both are run and the results
    selected.

    Args:
      pred: boolean scalar, or a number, which counts as `pred != 0`.
      true_fun, false_fun: functions of the operands whose results have equal structure, shapes and dtypes.
      operands: trees of arrays.
      operand: the only operand, by keyword.
    Returns:
      What the function returns that was run: a tree of arrays.
    Raises:
      TypeError: `pred` is not a scalar, or the results of the functions differ.
    See also: `switch` for several branches, `select` and `numpy.where` for elements.

    >>> lax.cond(True, lambda x: x + 1, lambda x: x - 1, 5)
    Array(6, dtype=int32, weak_type=True)
    """
def cond_p(*args: Any, **params: Any) -> Array:
    """Bind `cond`: a primitive, which programs hold as an equation.
    It runs the one of its branches that the first operand selects.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, linearize, transpose, batch_axis.
    See also: `lax.cond`, the function that binds it.

    >>> jax.make_jaxpr(lambda x: lax.cond(x > 0, jnp.sin, jnp.cos, x))(1.0)
    { lambda ; a:f32[]. let
        b:bool[] = gt a 0.0:f32[]
        c:i32[] = convert_element_type[new_dtype=int32 weak_type=False] b
        d:f32[] = cond[
          branches=(
            { lambda ; e:f32[]. let f:f32[] = cos e in (f,) }
            { lambda ; g:f32[]. let h:f32[] = sin g in (h,) }
          )
        ] c a
      in (d,) }
    """
def conj(x: ArrayLike) -> Array:
    """Return the complex conjugate, as a complex number.

    Args:
      x: array or scalar (float32, float64, complexfloating).
    Returns:
      An array of the shape of `x`, complex: real numbers have an imaginary part of 0.
    Raises:
      TypeError: the dtype is of none of these kinds.

    >>> print(lax.conj(1 + 2j))
    (1-2j)
    """
def conj_p(*args: Any, **params: Any) -> Array:
    """Bind `conj`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
      input_dtype: a parameter, for example dtype('float32').
    Returns:
      The result, here c64[2,3].
    Raises:
      TypeError: an operand is of no dtype that is float32 or complexfloating or float64.
    Rules: jvp, transpose, batch.
    See also: `lax.conj`, the function that binds it.

    >>> lax.conj_p.bind(jnp.ones((2, 3), 'float32'), input_dtype=np.dtype('float32')).aval
    ShapedArray(complex64[2,3])
    """
def conv(lhs: Array, rhs: Array, window_strides: Sequence[int], padding: str, precision: Any = None, preferred_element_type: DTypeLike | None = None) -> Array:
    """Return a convolution with features before spatial axes: `conv_general_dilated` with its defaults.

    Args:
      lhs: the input, ``[batch, feature, *spatial]``.
      rhs: the kernel, ``[output feature, input feature, *spatial]``, in the same dtype.
      window_strides: the distance of windows along each spatial axis.
      padding: "VALID", "SAME" or "SAME_LOWER".
      precision: see `Precision`.
      preferred_element_type: the dtype of the result, at least as wide.
    Returns:
      The sums of products, ``[batch, output feature, *windows]``. The dtype is that of the operands.
    Raises:
      TypeError: dtypes differ.
      ValueError: shapes do not fit each other.

    >>> lax.conv(jnp.ones((1, 1, 4)), jnp.ones((1, 1, 2)), (1,), "VALID")
    Array([[[2., 2., 2.]]], dtype=float32)
    """
def conv_dimension_numbers(lhs_shape: Sequence[int], rhs_shape: Sequence[int], dimension_numbers: Any) -> ConvDimensionNumbers:
    """Return dimension numbers in the form that convolutions use.

    Args:
      lhs_shape, rhs_shape: the shapes of input and kernel.
      dimension_numbers: None for ("NCHW", "OIHW", "NCHW") and its like, three such strings (N batch, C
        feature, I and O input and output feature, any other letters for spatial axes), or the result
        itself.
    Returns:
      A `ConvDimensionNumbers`: for input, kernel and result the axes in the order (batch, feature, *spatial), those of
      the kernel in the order (output feature, input feature, *spatial).
    Raises:
      TypeError: ranks differ, or the strings do not fit them or each other.

    >>> lax.conv_dimension_numbers((1, 8, 8, 3), (3, 3, 3, 4), ("NHWC", "HWIO", "NHWC"))
    ConvDimensionNumbers(lhs_spec=(0, 3, 1, 2), rhs_spec=(3, 2, 0, 1), out_spec=(0, 3, 1, 2))
    """
def conv_general_dilated(lhs: Array, rhs: Array, window_strides: Sequence[int], padding: str | Sequence[tuple[int, int]], lhs_dilation: Sequence[int] | None = None, rhs_dilation: Sequence[int] | None = None, dimension_numbers: tuple[str, str, str] | ConvDimensionNumbers | None = None, feature_group_count: int = 1, batch_group_count: int = 1, precision: Any = None, preferred_element_type: DTypeLike | None = None, out_sharding: Any = None) -> Array:
    """Slide a kernel over an array with n spatial axes: sums of products, for each window and output.

    Args:
      lhs: the input, of rank n + 2.
      rhs: the kernel, of rank n + 2, in the same dtype.
      window_strides: the n distances between windows.
      padding: "VALID" (none), "SAME" or "SAME_LOWER" (a window for each stride of the input; an odd rest
        is padded at the end or at the start), or n pairs (before, after).
      lhs_dilation, rhs_dilation: n factors each: zeros come between elements of the input, or of the
        kernel.
      dimension_numbers: see `conv_dimension_numbers`; default ("NCHW", "OIHW", "NCHW") for n = 2. The n
        numbers above are in the order of the spatial axes of the kernel.
      feature_group_count: the input features are split into so many groups, each with output features
        of its own; a kernel has the input features of one group.
      batch_group_count: the same for the batch.
      precision: see `Precision`.
      preferred_element_type: the dtype of the result, at least as wide.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      The sums of products, an array whose axes are those of the third dimension numbers: the batch, the output
        features, and the windows along each spatial axis; in the dtype of the operands, or in `preferred_element_type`.
    Raises:
      TypeError: dtypes differ, or `dimension_numbers` do not fit.
      ValueError: shapes and groups do not fit each other.

    >>> x, kernel = jnp.ones((1, 8, 8, 3)), jnp.ones((3, 3, 3, 4))
    >>> lax.conv_general_dilated(x, kernel, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")).shape
    (1, 4, 4, 4)
    """
def conv_general_dilated_local(lhs: ArrayLike, rhs: ArrayLike, window_strides: Sequence[int], padding: str | Sequence[tuple[int, int]], filter_shape: Sequence[int], lhs_dilation: Sequence[int] | None = None, rhs_dilation: Sequence[int] | None = None, dimension_numbers: tuple[str, str, str] | ConvDimensionNumbers | None = None, precision: Any = None) -> Array:
    """Return a convolution with a kernel of its own for each position of the result.

    Args:
      lhs: the input, of rank n + 2.
      rhs: the kernels, of rank n + 2: spatial axes are those of the result, and the input feature axis has the elements
        of a window, as `conv_general_dilated_patches` gives them.
      window_strides: the n distances between windows.
      padding: "VALID", "SAME", "SAME_LOWER", or n pairs (before, after).
      filter_shape: the n lengths of a window.
      lhs_dilation, rhs_dilation: n factors each, by which input and windows are spread; None for 1.
      dimension_numbers: see `conv_dimension_numbers`; default ("NCHW", "OIHW", "NCHW") for n = 2.
      precision: see `Precision`.
    Returns:
      The sums of products, an array whose axes are those of the third dimension numbers.
      The dtype is that of the operands.
    Raises:
      TypeError: `lhs` is not an array or scalar; lists are not converted.

    >>> kernels = jnp.array([[[1., 2., 3.], [0., 0., 1.]]])
    >>> lax.conv_general_dilated_local(jnp.arange(4.).reshape(1, 1, 4), kernels, (1,), "VALID", (2,))
    Array([[[0., 2., 9.]]], dtype=float32)
    """
def conv_general_dilated_p(*args: Any, **params: Any) -> Array:
    """Bind `conv_general_dilated`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3,5,4], f32[2,3,3,2].
      window_strides: a parameter, for example (1, 1).
      padding: a parameter, for example ((1, 1), (0, 1)).
      lhs_dilation: a parameter, for example (1, 1).
      rhs_dilation: a parameter, for example (1, 1).
      dimension_numbers: a parameter, for example ConvDimensionNumbers(lhs_spec=(0, 1, 2, 3), rhs_spec=(0, 1, 2, 3), out_spec=(.
      feature_group_count: a parameter, for example 1.
      batch_group_count: a parameter, for example 1.
      precision: a parameter, for example None.
      preferred_element_type: a parameter, for example None.
    Returns:
      The result, here f32[2,2,5,4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.
    See also: `lax.conv_general_dilated`, the function that binds it.

    >>> lax.conv_general_dilated_p.bind(
    ...     jnp.ones((2, 3, 5, 4), 'float32'),
    ...     jnp.ones((2, 3, 3, 2), 'float32'),
    ...     window_strides=(1, 1),
    ...     padding=((1, 1), (0, 1)),
    ...     lhs_dilation=(1, 1),
    ...     rhs_dilation=(1, 1),
    ...     dimension_numbers=lax.ConvDimensionNumbers(lhs_spec=(0, 1, 2, 3), rhs_spec=(0, 1, 2, 3), out_spec=(0, 1, 2, 3)),
    ...     feature_group_count=1,
    ...     batch_group_count=1,
    ...     precision=None,
    ...     preferred_element_type=None,
    ... ).aval
    ShapedArray(float32[2,2,5,4])
    """
def conv_general_dilated_patches(lhs: ArrayLike, filter_shape: Sequence[int], window_strides: Sequence[int], padding: str | Sequence[tuple[int, int]], lhs_dilation: Sequence[int] | None = None, rhs_dilation: Sequence[int] | None = None, dimension_numbers: tuple[str, str, str] | ConvDimensionNumbers | None = None, precision: Any = None, preferred_element_type: DTypeLike | None = None) -> Array:
    """Return the windows that a convolution would see, flat in the feature axis: feature, then window.

    Args:
      lhs: the input, of rank n + 2.
      filter_shape: the n lengths of a window, in the order of the kernel's spatial axes.
      window_strides: the n distances between windows.
      padding: "VALID", "SAME", "SAME_LOWER", or n pairs (before, after).
      lhs_dilation, rhs_dilation: n factors each, by which input and windows are spread; None for 1.
      dimension_numbers: see `conv_dimension_numbers`; default ("NCHW", "OIHW", "NCHW") for n = 2.
      precision: see `Precision`.
      preferred_element_type: the dtype of the result, at least as wide.
    Returns:
      An array of rank n + 2, in which the feature axis has `feature * prod(filter_shape)` elements, those of a window
      together, and the spatial axes have a position for each window. The dtype is that of `lhs`.
    Raises:
      TypeError: `lhs` is no array, or the lengths of the arguments do not fit its rank.
      ValueError: there are not as many strides as spatial axes, or `padding` is neither a known name nor pairs.
      RuntimeError: `padding` is a name that is not known.

    >>> lax.conv_general_dilated_patches(jnp.arange(4.).reshape(1, 1, 4), (2,), (1,), "VALID")[0]
    Array([[0., 1., 2.],
           [1., 2., 3.]], dtype=float32)
    """
def conv_general_permutations(dimension_numbers: Any) -> Any:
    """Return the axes (batch, feature, *spatial) of input, kernel and result, given as three strings.

    Args:
      dimension_numbers: three strings such as ("NHWC", "HWIO", "NHWC").
    Returns:
      Three tuples of axes, in the order of `ConvDimensionNumbers`.
    Raises:
      TypeError: a letter is missing or occurs twice, or spatial letters differ.

    >>> lax.conv_general_permutations(("NHC", "HIO", "NHC"))
    ((0, 2, 1), (2, 1, 0), (0, 2, 1))
    """
def conv_general_shape_tuple(lhs_shape: Sequence[int], rhs_shape: Sequence[int], window_strides: Sequence[int], padding: str | Sequence[tuple[int, int]], dimension_numbers: Any) -> tuple[int, ...]:
    """Return the shape of a convolution with dimension numbers given as strings.

    Args:
      lhs_shape, rhs_shape: the shapes of input and kernel, in the order of the strings.
      window_strides: the distance of windows along each spatial axis.
      padding: "VALID", "SAME", "SAME_LOWER", or a pair (before, after) for each spatial axis.
      dimension_numbers: three strings, for input, kernel and result.
    Returns:
      The shape, a tuple in the order of the third string.
    Raises:
      TypeError: the shapes, strides, pairs of `padding` and strings do not fit one another.
      RuntimeError: `padding` is a name that is not known.

    >>> lax.conv_general_shape_tuple((2, 8, 9, 3), (3, 2, 3, 4), (2, 1), "SAME", ("NHWC", "HWIO", "NHWC"))
    (2, 4, 9, 4)
    """
def conv_shape_tuple(lhs_shape: Sequence[int], rhs_shape: Sequence[int], strides: Sequence[int], pads: Any, batch_group_count: int = 1) -> tuple[int, ...]:
    """Return the shape (batch, feature, *spatial) of a convolution, given shapes in that order.

    Args:
      lhs_shape, rhs_shape: the shapes of input (batch, feature, *spatial) and kernel (output feature, input feature,
        *spatial).
      strides: the distance of windows along each spatial axis.
      pads: "VALID", "SAME", "SAME_LOWER", or a pair (before, after) for each spatial axis.
      batch_group_count: into how many groups the batch is split.
    Returns:
      A tuple: the batch (divided by the number of groups), output features, and the number of windows along each axis.
    Raises:
      TypeError: the shapes, strides and pairs of `pads` do not fit one another.
      RuntimeError: `pads` is a name that is not known.

    >>> lax.conv_shape_tuple((2, 3, 8, 9), (4, 3, 3, 2), (2, 1), "SAME")
    (2, 4, 4, 9)
    """
def conv_transpose(lhs: Array, rhs: Array, strides: Sequence[int], padding: str | Sequence[tuple[int, int]], rhs_dilation: Sequence[int] | None = None, dimension_numbers: tuple[str, str, str] | ConvDimensionNumbers | None = None, transpose_kernel: bool = False, precision: Any = None, preferred_element_type: DTypeLike | None = None, use_consistent_padding: bool = False) -> Array:
    """Return a convolution that makes the spatial axes longer: the input is spread by `strides`.

    Args:
      lhs, rhs: input and kernel with n spatial axes, last features, as in ("NHWC", "HWIO", "NHWC"),
        unless `dimension_numbers` say otherwise.
      strides: the n factors.
      padding: "SAME" (length times stride), "VALID", or n pairs of padding of the spread input; with
        `use_consistent_padding`, pairs are the padding of the convolution that this one transposes.
      rhs_dilation: n factors by which the kernel is spread.
      dimension_numbers: see `conv_dimension_numbers`.
      transpose_kernel: turn the kernel round and exchange its features, which makes this the gradient of
        the convolution with that kernel.
      precision: see `Precision`.
      preferred_element_type: the dtype of the result, at least as wide.
      use_consistent_padding: how pairs of padding are meant, see above.
    Returns:
      An array whose axes are those of the third dimension numbers; with "SAME" spatial axes are `strides` times as long
      as those of the input. The dtype is that of the operands, unless `preferred_element_type` says another.
    Raises:
      ValueError: more than 3 spatial axes and no dimension numbers; an unknown padding.

    >>> lax.conv_transpose(jnp.ones((1, 2, 1)), jnp.ones((2, 1, 1)), (2,), "SAME")[0, :, 0]
    Array([1., 1., 1., 1.], dtype=float32)
    """
def conv_transpose_shape_tuple(lhs_shape: Sequence[int], rhs_shape: Sequence[int], window_strides: Sequence[int], padding: str | Sequence[tuple[int, int]], dimension_numbers: Any) -> tuple[int, ...]:
    """Return the shape of `conv_transpose` with dimension numbers given as strings.

    Args:
      lhs_shape, rhs_shape: the shapes of input and kernel, in the order of the strings.
      window_strides: the factors by which spatial axes become longer.
      padding: "VALID", "SAME", or a pair (before, after) for each spatial axis.
      dimension_numbers: three strings, for input, kernel and result.
    Returns:
      The shape, a tuple in the order of the third string.
    Raises:
      TypeError: there are not as many strides as spatial axes, or a string lacks one of its letters.

    >>> lax.conv_transpose_shape_tuple((2, 8, 9, 3), (3, 2, 3, 4), (2, 1), "SAME", ("NHWC", "HWIO", "NHWC"))
    (2, 16, 9, 4)
    """
def conv_with_general_padding(lhs: Array, rhs: Array, window_strides: Sequence[int], padding: str | Sequence[tuple[int, int]], lhs_dilation: Sequence[int] | None, rhs_dilation: Sequence[int] | None, precision: Any = None, preferred_element_type: DTypeLike | None = None) -> Array:
    """Return a convolution with features before spatial axes, with padding and dilations.

    Args:
      lhs: the input, ``[batch, feature, *spatial]``.
      rhs: the kernel, ``[output feature, input feature, *spatial]``, in the same dtype.
      window_strides: the distance of windows along each spatial axis.
      padding: "VALID", "SAME", "SAME_LOWER", or a pair (before, after) for each spatial axis.
      lhs_dilation, rhs_dilation: a factor for each spatial axis, by which input or kernel are spread; None for 1.
      precision: see `Precision`.
      preferred_element_type: the dtype of the result, at least as wide.
    Returns:
      The sums of products, ``[batch, output feature, *windows]``. The dtype is that of the operands.
    Raises:
      TypeError: dtypes differ.
      ValueError: shapes do not fit each other.

    >>> lax.conv_with_general_padding(jnp.ones((1, 1, 3)), jnp.ones((1, 1, 2)), (1,), [(1, 0)], None, (2,))
    Array([[[1., 2.]]], dtype=float32)
    """
def convert_element_type(operand: ArrayLike, new_dtype: DTypeLike) -> Array:
    """Return `operand` with its elements converted to another dtype.

    Floats become integers towards zero, complex numbers lose their imaginary part (with a warning).

    Args:
      operand: array or scalar.
      new_dtype: a dtype or what names one; a 64-bit one is narrowed with a warning if they are off.
    Returns:
      The values in that dtype, in an array of the operand's shape. Floats beyond its range become infinite, or the
      greatest or least integer; integers lose their upper bits.
    Raises:
      TypeError: there is no such dtype, or `operand` is not an array.
      ValueError: `new_dtype` is None.

    >>> lax.convert_element_type(1.5, "int32")
    Array(1, dtype=int32)
    """
def convert_element_type_p(*args: Any, **params: Any) -> Array:
    """Bind `convert_element_type`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
      new_dtype: a parameter, for example dtype('int32').
      weak_type: a parameter, for example False.
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.
    See also: `lax.convert_element_type`, the function that binds it.

    >>> lax.convert_element_type_p.bind(
    ...     jnp.ones((2, 3), 'float32'),
    ...     new_dtype=np.dtype('int32'),
    ...     weak_type=False,
    ... ).aval
    ShapedArray(int32[2,3])
    """
def coo_fromdense_p(*args: Any, **params: Any) -> Array:
    """Bind `coo_fromdense`: a primitive, which programs hold as an equation.
    It makes a COO matrix of an array.

    Args:
      args: its operands, for example f32[2,3].
      nse: a parameter, for example 4.
      index_dtype: a parameter, for example dtype('int32').
    Returns:
      A list of results, here f32[4], i32[4], i32[4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> [x.aval for x in lax.coo_fromdense_p.bind(
    ...     jnp.ones((2, 3), 'float32'),
    ...     nse=4,
    ...     index_dtype=np.dtype('int32'),
    ... )]
    [ShapedArray(float32[4]), ShapedArray(int32[4]), ShapedArray(int32[4])]
    """
def coo_matmat_p(*args: Any, **params: Any) -> Array:
    """Bind `coo_matmat`: a primitive, which programs hold as an equation.
    It multiplies a COO matrix by a matrix.

    Args:
      args: its operands, for example f32[4], i32[4], i32[4], f32[4,2].
      spinfo: a parameter, for example COOInfo(shape=(3, 4), rows_sorted=False, cols_sorted=False).
      transpose: a parameter, for example False.
    Returns:
      The result, here f32[3,2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> from adjoint.experimental import sparse
    >>> m = sparse.COO.fromdense(jnp.eye(3))
    >>> print(jax.make_jaxpr(lambda m, x: m @ x)(m, jnp.ones((3, 2))).eqns[-1])
    a:f32[3,2] = coo_matmat[
      spinfo=COOInfo(shape=(3, 3), rows_sorted=True, cols_sorted=False)
      transpose=False
    ] b c d e
    """
def coo_matvec_p(*args: Any, **params: Any) -> Array:
    """Bind `coo_matvec`: a primitive, which programs hold as an equation.
    It multiplies a COO matrix by a vector.

    Args:
      args: its operands, for example f32[4], i32[4], i32[4], f32[4].
      spinfo: a parameter, for example COOInfo(shape=(3, 4), rows_sorted=False, cols_sorted=False).
      transpose: a parameter, for example False.
    Returns:
      The result, here f32[3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> from adjoint.experimental import sparse
    >>> m = sparse.COO.fromdense(jnp.eye(3))
    >>> print(jax.make_jaxpr(lambda m, x: m @ x)(m, jnp.ones(3)).eqns[-1])
    a:f32[3] = coo_matvec[
      spinfo=COOInfo(shape=(3, 3), rows_sorted=True, cols_sorted=False)
      transpose=False
    ] b c d e
    """
def coo_todense_p(*args: Any, **params: Any) -> Array:
    """Bind `coo_todense`: a primitive, which programs hold as an equation.
    It makes an array of a COO matrix.

    Args:
      args: its operands, for example f32[4], i32[4], i32[4].
      spinfo: a parameter, for example COOInfo(shape=(3, 4), rows_sorted=False, cols_sorted=False).
    Returns:
      The result, here f32[3,4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> from adjoint.experimental import sparse
    >>> m = sparse.COO.fromdense(jnp.eye(3))
    >>> print(jax.make_jaxpr(lambda m: m.todense())(m).eqns[-1])
    a:f32[3,3] = coo_todense[
      spinfo=COOInfo(shape=(3, 3), rows_sorted=True, cols_sorted=False)
    ] b c d
    """
def copy_p(*args: Any, **params: Any) -> Array:
    """Bind `copy`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.

    >>> lax.copy_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def cos(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Return the cosine of an angle in radians.

    Args:
      x: array or scalar (floating, complexfloating).
      accuracy: a `Tolerance` or an `AccuracyMode`, for accelerators; on the CPU it changes nothing.
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.cos(1.0))
    0.5403023
    """
def cos_p(*args: Any, **params: Any) -> Array:
    """Bind `cos`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.cos`, the function that binds it.

    >>> lax.cos_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def cosh(x: ArrayLike) -> Array:
    """Return the hyperbolic cosine, (e ** x + e ** -x) / 2.

    Args:
      x: array or scalar (floating, complexfloating).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.cosh(1.0))
    1.5430807
    """
def cosh_p(*args: Any, **params: Any) -> Array:
    """Bind `cosh`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.cosh`, the function that binds it.

    >>> lax.cosh_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def cosine_integral_p(*args: Any, **params: Any) -> Array:
    """Bind `cosine_integral`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.

    >>> lax.cosine_integral_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def create_token(_: Any = None) -> Any:
    """Return a token that waits for nothing.

    Args:
      _: is not read.
    Returns:
      A token, for `after_all` and `optimization_barrier`.

    >>> type(create_token()).__name__
    'Token'
    """
def create_token_p(*args: Any, **params: Any) -> Array:
    """Bind `create_token`: a primitive, which programs hold as an equation.
    It makes a token, which orders what has effects.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch.
    See also: `lax.create_token`, the function that binds it.

    >>> jax.make_jaxpr(lambda: lax.create_token())()
    { lambda ; . let a:Tok = create_token  in (a,) }
    """
def csr_fromdense_p(*args: Any, **params: Any) -> Array:
    """Bind `csr_fromdense`: a primitive, which programs hold as an equation.
    It makes a CSR matrix of an array.

    Args:
      args: its operands, for example f32[2,3].
      nse: a parameter, for example 4.
      index_dtype: a parameter, for example dtype('int32').
    Returns:
      A list of results, here f32[4], i32[4], i32[3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> [x.aval for x in lax.csr_fromdense_p.bind(
    ...     jnp.ones((2, 3), 'float32'),
    ...     nse=4,
    ...     index_dtype=np.dtype('int32'),
    ... )]
    [ShapedArray(float32[4]), ShapedArray(int32[4]), ShapedArray(int32[3])]
    """
def csr_matmat_p(*args: Any, **params: Any) -> Array:
    """Bind `csr_matmat`: a primitive, which programs hold as an equation.
    It multiplies a CSR matrix by a matrix.

    Args:
      args: its operands, for example f32[4], i32[4], i32[4], f32[4,2].
      shape: a parameter, for example (3, 4).
      transpose: a parameter, for example False.
    Returns:
      The result, here f32[3,2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> lax.csr_matmat_p.bind(
    ...     jnp.ones((4,), 'float32'),
    ...     jnp.ones((4,), 'int32'),
    ...     jnp.ones((4,), 'int32'),
    ...     jnp.ones((4, 2), 'float32'),
    ...     shape=(3, 4),
    ...     transpose=False,
    ... ).aval
    ShapedArray(float32[3,2])
    """
def csr_matvec_p(*args: Any, **params: Any) -> Array:
    """Bind `csr_matvec`: a primitive, which programs hold as an equation.
    It multiplies a CSR matrix by a vector.

    Args:
      args: its operands, for example f32[4], i32[4], i32[4], f32[4].
      shape: a parameter, for example (3, 4).
      transpose: a parameter, for example False.
    Returns:
      The result, here f32[3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> lax.csr_matvec_p.bind(
    ...     jnp.ones((4,), 'float32'),
    ...     jnp.ones((4,), 'int32'),
    ...     jnp.ones((4,), 'int32'),
    ...     jnp.ones((4,), 'float32'),
    ...     shape=(3, 4),
    ...     transpose=False,
    ... ).aval
    ShapedArray(float32[3])
    """
def csr_todense_p(*args: Any, **params: Any) -> Array:
    """Bind `csr_todense`: a primitive, which programs hold as an equation.
    It makes an array of a CSR matrix.

    Args:
      args: its operands, for example f32[4], i32[4], i32[4].
      shape: a parameter, for example (3, 4).
    Returns:
      The result, here f32[3,4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> lax.csr_todense_p.bind(
    ...     jnp.ones((4,), 'float32'),
    ...     jnp.ones((4,), 'int32'),
    ...     jnp.ones((4,), 'int32'),
    ...     shape=(3, 4),
    ... ).aval
    ShapedArray(float32[3,4])
    """
def cumlogsumexp(operand: ArrayLike, axis: int = 0, reverse: bool = False) -> Array:
    """Return logarithms of running sums of exponentials, without overflow.

    Args:
      operand: array (integer, floating, complexfloating).
      axis: along which axis, at least 0.
      reverse: start at the last element.
    Returns:
      An array of the operand's shape and dtype: position i along the axis is that of elements
      0 to i, or with `reverse` of element i to the last.
    Raises:
      TypeError: the operation is none of the dtype.
      ValueError: the axis is out of range.

    >>> lax.cumlogsumexp(jnp.array([0., -jnp.inf]))
    Array([0., 0.], dtype=float32)
    """
def cumlogsumexp_p(*args: Any, **params: Any) -> Array:
    """Bind `cumlogsumexp`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[5].
      axis: a parameter, for example 0.
      reverse: a parameter, for example False.
    Returns:
      The result, here f32[5].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.
    See also: `lax.cumlogsumexp`, the function that binds it.

    >>> lax.cumlogsumexp_p.bind(jnp.ones((5,), 'float32'), axis=0, reverse=False).aval
    ShapedArray(float32[5])
    """
def cummax(operand: ArrayLike, axis: int = 0, reverse: bool = False) -> Array:
    """Return the greatest element so far.

    Args:
      operand: array (integer, floating, complexfloating).
      axis: along which axis, at least 0.
      reverse: start at the last element.
    Returns:
      An array of the operand's shape and dtype: position i along the axis is that of elements
      0 to i, or with `reverse` of element i to the last.
    Raises:
      TypeError: the operation is none of the dtype.
      ValueError: the axis is out of range.

    >>> lax.cummax(jnp.array([1, 3, 2]))
    Array([1, 3, 3], dtype=int32)
    """
def cummax_p(*args: Any, **params: Any) -> Array:
    """Bind `cummax`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[5].
      axis: a parameter, for example 0.
      reverse: a parameter, for example False.
    Returns:
      The result, here f32[5].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.
    See also: `lax.cummax`, the function that binds it.

    >>> lax.cummax_p.bind(jnp.ones((5,), 'float32'), axis=0, reverse=False).aval
    ShapedArray(float32[5])
    """
def cummin(operand: ArrayLike, axis: int = 0, reverse: bool = False) -> Array:
    """Return the least element so far.

    Args:
      operand: array (integer, floating, complexfloating).
      axis: along which axis, at least 0.
      reverse: start at the last element.
    Returns:
      An array of the operand's shape and dtype: position i along the axis is that of elements
      0 to i, or with `reverse` of element i to the last.
    Raises:
      TypeError: the operation is none of the dtype.
      ValueError: the axis is out of range.

    >>> lax.cummin(jnp.array([3, 1, 2]))
    Array([3, 1, 1], dtype=int32)
    """
def cummin_p(*args: Any, **params: Any) -> Array:
    """Bind `cummin`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[5].
      axis: a parameter, for example 0.
      reverse: a parameter, for example False.
    Returns:
      The result, here f32[5].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.
    See also: `lax.cummin`, the function that binds it.

    >>> lax.cummin_p.bind(jnp.ones((5,), 'float32'), axis=0, reverse=False).aval
    ShapedArray(float32[5])
    """
def cumprod(operand: ArrayLike, axis: int = 0, reverse: bool = False) -> Array:
    """Return running products.

    Args:
      operand: array (integer, floating, complexfloating).
      axis: along which axis, at least 0.
      reverse: start at the last element.
    Returns:
      An array of the operand's shape and dtype: position i along the axis is that of elements
      0 to i, or with `reverse` of element i to the last.
    Raises:
      TypeError: the operation is none of the dtype.
      ValueError: the axis is out of range.

    >>> lax.cumprod(jnp.array([1, 2, 3]))
    Array([1, 2, 6], dtype=int32)
    """
def cumprod_p(*args: Any, **params: Any) -> Array:
    """Bind `cumprod`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[5].
      axis: a parameter, for example 0.
      reverse: a parameter, for example False.
    Returns:
      The result, here f32[5].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.
    See also: `lax.cumprod`, the function that binds it.

    >>> lax.cumprod_p.bind(jnp.ones((5,), 'float32'), axis=0, reverse=False).aval
    ShapedArray(float32[5])
    """
def cumsum(operand: ArrayLike, axis: int = 0, reverse: bool = False) -> Array:
    """Return running sums.

    Args:
      operand: array (integer, floating, complexfloating).
      axis: along which axis, at least 0.
      reverse: start at the last element.
    Returns:
      An array of the operand's shape and dtype: position i along the axis is that of elements
      0 to i, or with `reverse` of element i to the last.
    Raises:
      TypeError: the operation is none of the dtype.
      ValueError: the axis is out of range.

    >>> lax.cumsum(jnp.array([1, 2, 3]))
    Array([1, 3, 6], dtype=int32)
    """
def cumsum_p(*args: Any, **params: Any) -> Array:
    """Bind `cumsum`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[5].
      axis: a parameter, for example 0.
      reverse: a parameter, for example False.
    Returns:
      The result, here f32[5].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.
    See also: `lax.cumsum`, the function that binds it.

    >>> lax.cumsum_p.bind(jnp.ones((5,), 'float32'), axis=0, reverse=False).aval
    ShapedArray(float32[5])
    """
from adjoint.custom_derivatives import custom_jvp_call_p as custom_jvp_call_p
def custom_lin_p(*args: Any, **params: Any) -> Array:
    """Bind `custom_lin`: a primitive, which programs hold as an equation.
    It stands for the tangents of a `custom_vjp` function until these are transposed.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch_axis.

    >>> f = jax.custom_gradient(lambda x: (x, lambda g: 2 * g))
    >>> jax.make_jaxpr(lambda x: jax.linearize(f, x)[1](1.0))(1.0).eqns[-1].primitive
    custom_lin
    """
def custom_linear_solve(matvec: Callable[..., Any], b: Any, solve: Callable[..., Any], transpose_solve: Callable[..., Any] | None = None, symmetric: bool = False, has_aux: bool = False) -> Any:
    """Return the solution x of `matvec(x) = b`, with derivatives that follow from the equation.

    Args:
      matvec: a linear function of trees like `b`; differentiable in what it closes over.
      b: a tree of arrays.
      solve: (matvec, b) -> x.
      transpose_solve: (vecmat, b) -> x for the transposed function; reverse derivatives need it.
      symmetric: `matvec` is its own transpose; then `solve` does for both.
      has_aux: `solve` and `transpose_solve` return (x, auxiliary data).
    Returns:
      x, a tree like `b`; with the auxiliary data, if it is there.
    Raises:
      TypeError: a function returns another structure than `b` has; a reverse derivative without
        `transpose_solve`.
      ValueError: a function returns other shapes than `b` has.

    Derivatives: x_dot = A^-1 (b_dot - A_dot x), b_bar = A^-T x_bar.

    >>> a, b = jnp.array([2., 4.]), jnp.array([1., 1.])
    >>> lax.custom_linear_solve(lambda x: a * x, b, lambda matvec, b: b / a)
    Array([0.5 , 0.25], dtype=float32)
    """
def custom_partitioning_p(*args: Any, **params: Any) -> Array:
    """Bind `custom_partitioning`: a primitive, which programs hold as an equation.
    It calls a function that has its own rule for division over devices.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: none.

    >>> from adjoint.experimental.custom_partitioning import custom_partitioning
    >>> f = custom_partitioning(jnp.sin)
    >>> _ = f.def_partition(lambda mesh, operands, results: None, sharding_rule="i -> i")
    >>> jax.make_jaxpr(f)(jnp.ones(2)).eqns[-1].primitive
    custom_partitioning
    """
def custom_root(f: Callable[[_T], Any], initial_guess: _T, solve: Callable[..., Any], tangent_solve: Callable[..., Any], has_aux: bool = False) -> Any:
    """Return a root of `f`, with derivatives by the implicit function theorem.

    Args:
      f: the function whose root is wanted; differentiable in what it closes over.
      initial_guess: a tree of arrays, where the search begins; has no influence on derivatives.
      solve: (f, initial_guess) -> root.
      tangent_solve: (g, y) -> x with g(x) = y, for a linear function g. For a scalar:
        `lambda g, y: y / g(1.0)`.
      has_aux: `solve` returns (root, auxiliary data).
    Returns:
      The root, a tree like the guess; with the auxiliary data, if it is there.
    Raises:
      TypeError: a function returns another structure than the guess has.

    Derivative: with f(x, p) = 0:  x_dot = -(df/dx)^-1 (df/dp) p_dot.

    >>> newton = lambda f, x: lax.fori_loop(0, 9, lambda _, x: x - f(x) / (2 * x), x)
    >>> sqrt = lambda a: lax.custom_root(lambda x: x * x - a, 1.0, newton, lambda g, y: y / g(1.0))
    >>> grad(sqrt)(4.0)
    Array(0.25, dtype=float32, weak_type=True)
    """
from adjoint.custom_derivatives import custom_vjp_call_p as custom_vjp_call_p
def custom_vmap_call_p(*args: Any, **params: Any) -> Array:
    """Bind `custom_vmap_call`: a primitive, which programs hold as an equation.
    It calls a function that has its own rule for batches.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, linearize, batch_axis.

    >>> jax.make_jaxpr(jax.custom_batching.sequential_vmap(jnp.sin))(1.0)
    { lambda ; a:f32[]. let
        b:f32[] = custom_vmap_call[
          call={ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }
          in_tree=PyTreeDef(([], (*,)))
          out_tree=PyTreeDef(*)
          rule=<function sequential_vmap.<locals>.rule at 0x...>
        ] a
      in (b,) }
    """
def dawsn_p(*args: Any, **params: Any) -> Array:
    """Bind `dawsn`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.

    >>> lax.dawsn_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def dce_sink(val: Any, *, prevent_mlir_dce: bool = False) -> None:
    """Keep `val`, a tree of arrays, in the program although nothing uses it.

    Args:
      val: a tree of arrays.
      prevent_mlir_dce: for accelerators; it changes nothing here.
    Returns:
      None.
    Raises:
      TypeError: a leaf is no array or number.

    >>> jit(lambda x: lax.dce_sink(jnp.sin(x)))(1.)
    """
def dce_sink_p(*args: Any, **params: Any) -> Array:
    """Bind `dce_sink`: a primitive, which programs hold as an equation.
    It uses its operands, so that what computes them is kept.

    Args:
      args: its operands, for example f32[2,3].
      prevent_mlir_dce: a parameter, for example False.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.
    See also: `lax.dce_sink`, the function that binds it.

    >>> jax.make_jaxpr(lambda x: lax.dce_sink(x))(1.0)
    { lambda ; a:f32[]. let dce_sink[prevent_mlir_dce=False] a in () }
    """
def debug_callback_p(*args: Any, **params: Any) -> Array:
    """Bind `debug_callback`: a primitive, which programs hold as an equation.
    It calls a Python function when the program runs.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch_axis.

    >>> print(jax.make_jaxpr(lambda x: jax.debug.callback(print, x))(1.0).eqns[-1])
    debug_callback[
      callback=<function debug_callback.<locals>._debug_callback.<locals>._flat_callback at 0x...>
      effect=Debug
      partitioned=False
    ] a
    """
def debug_print_p(*args: Any, **params: Any) -> Array:
    """Bind `debug_print`: a primitive, which programs hold as an equation.
    It prints when the program runs.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch_axis.

    >>> print(jax.make_jaxpr(lambda x: jax.debug.print("x = {}", x))(1.0).eqns[-1])
    debug_print[
      fmt=x = {}
      has_placeholders=True
      in_tree=PyTreeDef(((*,), {}))
      logging_record=None
      np_printoptions=(('edgeitems', 3), ('threshold', 1000), ('floatmode',...
      ordered=False
      partitioned=False
      static_args=()
    ] a
    """
def device_put_p(*args: Any, **params: Any) -> Array:
    """Bind `device_put`: a primitive, linear in its operands, which programs hold as an equation.
    It puts arrays on devices.

    Args:
      args: its operands, for example f32[2,3].
      devices: a parameter, for example (None,).
      srcs: a parameter, for example (None,).
      copy_semantics: a parameter, for example (ArrayCopySemantics.REUSE_INPUT,).
    Returns:
      A list of results, here f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> jax.make_jaxpr(lambda x: jax.device_put(x))(1.0)
    { lambda ; a:f32[]. let
        b:f32[] = device_put[
          copy_semantics=(ArrayCopySemantics.REUSE_INPUT,)
          devices=(None,)
          srcs=(None,)
        ] a
      in (b,) }
    """
def digamma(x: ArrayLike) -> Array:
    """Return the derivative of `lgamma`; NaN at 0 and the negative whole numbers.

    Args:
      x: array or scalar (floating).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.digamma(1.0))
    -0.5772157
    """
def digamma_p(*args: Any, **params: Any) -> Array:
    """Bind `digamma`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.
    See also: `lax.digamma`, the function that binds it.

    >>> lax.digamma_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def dim_as_value_p(*args: Any, **params: Any) -> Array:
    """Bind `dim_as_value`: a primitive, which programs hold as an equation.
    It gives the number that a dimension of a symbolic shape is.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: none.

    >>> f = lambda x: x.shape[0] * x
    >>> jax.make_jaxpr(f)(jax.ShapeDtypeStruct(jax.export.symbolic_shape("n"), "float32"))
    { lambda ; a:f32[n]. let
        b:i32[] = dim_as_value[dim=n]
        c:f32[] = convert_element_type[new_dtype=float32 weak_type=False] b
        d:f32[n] = mul c a
      in (d,) }
    """
def div(x: ArrayLike, y: ArrayLike) -> Array:
    """Return the quotient x / y; of integers, rounded towards zero, and -1 where y is 0.

    Args:
      x, y: arrays or scalars of equal dtype (integer, floating, complexfloating).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of their dtype.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.div(-7, 2))
    -3
    """
def div_p(*args: Any, **params: Any) -> Array:
    """Bind `div`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or floating or complexfloating, or dtypes or shapes differ.
    Rules: jvp, transpose, batch.
    See also: `lax.div`, the function that binds it.

    >>> lax.div_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(int32[2,3])
    """
def dot(lhs: ArrayLike, rhs: ArrayLike, *, dimension_numbers: tuple[tuple[Sequence[int], Sequence[int]], tuple[Sequence[int], Sequence[int]]] | None = None, precision: Any = None, preferred_element_type: DTypeLike | None = None, out_sharding: Any = None) -> Array:
    """Return the product of two vectors, of a matrix and a vector, or of two matrices.

    Args:
      lhs: ``[k]`` or ``[m, k]``.
      rhs: ``[k]`` or ``[k, n]``.
      dimension_numbers: for any other product, see `dot_general`.
      precision: see `Precision`.
      preferred_element_type: the dtype of the result, and of the sums if it is wider.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      The sums of products over `k`: a scalar, ``[m]``, ``[n]`` or ``[m, n]``.
      The dtype is that of the operands, unless `preferred_element_type` says another.
    Raises:
      ValueError: other ranks, or the lengths `k` differ.

    >>> lax.dot(jnp.array([1., 2.]), jnp.array([[1., 0.], [0., 2.]]))
    Array([1., 4.], dtype=float32)
    """
def dot_general(lhs: ArrayLike, rhs: ArrayLike, dimension_numbers: tuple[tuple[Sequence[int], Sequence[int]], tuple[Sequence[int], Sequence[int]]], precision: Any = None, preferred_element_type: DTypeLike | None = None, *, out_sharding: Any = None) -> Array:
    """Return sums of products over contracted axes, for each index of the batch axes.

    Args:
      lhs, rhs: arrays; unequal dtypes promote.
      dimension_numbers: ((axes of lhs to contract, axes of rhs), (batch axes of lhs, of rhs)), each a
        number or a sequence; axes that belong together have equal lengths.
      precision: see `Precision`.
      preferred_element_type: the dtype of the result, and of the sums if it is wider.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array with the batch axes, then the other axes of `lhs`, then those of `rhs`; in the dtype to which theirs
      promote, or in `preferred_element_type`.
    Raises:
      TypeError: lengths differ, or an axis is out of range or occurs twice.

    >>> a, b = jnp.ones((5, 2, 3)), jnp.ones((5, 3, 4))
    >>> lax.dot_general(a, b, (([2], [1]), ([0], [0]))).shape
    (5, 2, 4)
    """
def dot_general_p(*args: Any, **params: Any) -> Array:
    """Bind `dot_general`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[3,4].
      dimension_numbers: a parameter, for example (((1,), (0,)), ((), ())).
      precision: a parameter, for example None.
      preferred_element_type: a parameter, for example None.
    Returns:
      The result, here f32[2,4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.
    See also: `lax.dot_general`, the function that binds it.

    >>> lax.dot_general_p.bind(
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((3, 4), 'float32'),
    ...     dimension_numbers=(((1,), (0,)), ((), ())),
    ...     precision=None,
    ...     preferred_element_type=None,
    ... ).aval
    ShapedArray(float32[2,4])
    """
def dtype(x: Any) -> Any:
    """Return the dtype of an array, a scalar, or a type.

    Args:
      x: an array, a NumPy array, a number of Python, or a type such as `float`.
    Returns:
      A NumPy dtype; numbers of Python have the default one of their kind.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> lax.dtype(1.5)
    dtype('float32')
    """
def dynamic_index_in_dim(operand: ArrayLike, index: ArrayLike, axis: int = 0, keepdims: bool = True, *, allow_negative_indices: bool = True) -> Array:
    """Return one position, which may be traced, along an axis.

    Args:
      operand: array.
      index: integer scalar; it is moved inside the array.
      axis: the axis of the position or window; the others are taken whole.
      keepdims: keep the axis with length 1.
      allow_negative_indices: whether a negative index counts from the end.
    Returns:
      An array of the operand's dtype: the elements at that position.
    Raises:
      TypeError: `operand` is not an array or scalar; lists are not converted.
      IndexError: `axis` is out of range.

    >>> lax.dynamic_index_in_dim(jnp.arange(5), 3, keepdims=False)
    Array(3, dtype=int32)
    """
def dynamic_slice(operand: ArrayLike, start_indices: Sequence[ArrayLike] | ArrayLike, slice_sizes: Sequence[int], *, allow_negative_indices: bool | Sequence[bool] = True) -> Array:
    """Return a window of fixed size at a place that may be traced.

    Args:
      operand: array.
      start_indices: a scalar for each axis, or one array of them. A window that is not inside is
        moved inside.
      slice_sizes: the shape of the window.
      allow_negative_indices: whether negative starts count from the end, for all axes or each.
        False saves the test where starts are known not to be negative.
    Returns:
      An array of shape `slice_sizes` and the operand's dtype.
    Raises:
      TypeError: starts are not integer scalars of one dtype, or the window is larger than the
        array.
      ValueError: there are more or fewer starts than axes.

    >>> lax.dynamic_slice(jnp.arange(5), (3,), (3,))
    Array([2, 3, 4], dtype=int32)
    """
def dynamic_slice_in_dim(operand: ArrayLike, start_index: ArrayLike, slice_size: int, axis: int = 0, *, allow_negative_indices: bool = True) -> Array:
    """Return a window along one axis, at a place that may be traced; the other axes are whole.

    Args:
      operand: array.
      start_index: integer scalar. A window that is not inside is moved inside.
      slice_size: the length of the window, an int.
      axis: the axis of the position or window; the others are taken whole.
      allow_negative_indices: whether a negative start counts from the end.
    Returns:
      An array of the operand's dtype, of length `slice_size` along the axis.
    Raises:
      TypeError: the window is longer than the axis, or the start is no integer.

    >>> lax.dynamic_slice_in_dim(jnp.arange(5), 1, 2)
    Array([1, 2], dtype=int32)
    """
def dynamic_slice_p(*args: Any, **params: Any) -> Array:
    """Bind `dynamic_slice`: a primitive, which programs hold as an equation.
    It takes a block from where its indices, which are operands, begin.

    Args:
      args: its operands, for example f32[4,3], i32[], i32[].
      slice_sizes: a parameter, for example (2, 2).
    Returns:
      The result, here f32[2,2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.
    See also: `lax.dynamic_slice`, the function that binds it.

    >>> lax.dynamic_slice_p.bind(
    ...     jnp.ones((4, 3), 'float32'),
    ...     jnp.ones((), 'int32'),
    ...     jnp.ones((), 'int32'),
    ...     slice_sizes=(2, 2),
    ... ).aval
    ShapedArray(float32[2,2])
    """
def dynamic_update_index_in_dim(operand: ArrayLike, update: ArrayLike, index: ArrayLike, axis: int, *, allow_negative_indices: bool = True) -> Array:
    """Return the array with one position along an axis replaced.

    Args:
      operand: array.
      update: array of the operand's shape without the axis, or with length 1 there.
      index: integer scalar; it is moved inside the array.
      axis: the axis of the position or window; the others are taken whole.
      allow_negative_indices: whether a negative index counts from the end.
    Returns:
      A new array of the operand's shape and dtype.
    Raises:
      TypeError: `operand` is not an array or scalar; lists are not converted.
      IndexError: `axis` is out of range.

    >>> lax.dynamic_update_index_in_dim(jnp.zeros(3), 1., 2, 0)
    Array([0., 0., 1.], dtype=float32)
    """
def dynamic_update_slice(operand: ArrayLike, update: ArrayLike, start_indices: Sequence[ArrayLike] | ArrayLike, *, allow_negative_indices: bool | Sequence[bool] = True) -> Array:
    """Return the array with a window replaced at a place that may be traced.

    Args:
      operand: array.
      update: array of the same dtype and rank, at most as large: what the window becomes.
      start_indices: an integer scalar for each axis, or one array of them. A window that is not inside is moved inside.
      allow_negative_indices: whether negative starts count from the end, for all axes or each.
    Returns:
      A new array of the operand's shape and dtype. Inside of `jit` it may be the operand's memory, if nothing else
      reads it.
    Raises:
      TypeError: starts are not integer scalars of one dtype, dtypes differ, or the update is larger than the array.
      ValueError: there are more or fewer starts than axes.

    >>> lax.dynamic_update_slice(jnp.zeros(4), jnp.ones(2), (1,))
    Array([0., 1., 1., 0.], dtype=float32)
    """
def dynamic_update_slice_in_dim(operand: ArrayLike, update: ArrayLike, start_index: ArrayLike, axis: int, *, allow_negative_indices: bool = True) -> Array:
    """Return the array with a window along one axis replaced, at a place that may be traced.

    Args:
      operand: array.
      update: array of the same dtype and rank, at most as large: what the window becomes. It begins at 0 along the
        other axes.
      start_index: integer scalar. A window that is not inside is moved inside.
      axis: the axis of the position or window; the others are taken whole.
      allow_negative_indices: whether a negative start counts from the end.
    Returns:
      A new array of the operand's shape and dtype.
    Raises:
      TypeError: the update is larger than the array, or dtypes differ.

    >>> lax.dynamic_update_slice_in_dim(jnp.zeros(3), jnp.ones(1), 1, 0)
    Array([0., 1., 0.], dtype=float32)
    """
def dynamic_update_slice_p(*args: Any, **params: Any) -> Array:
    """Bind `dynamic_update_slice`: a primitive, which programs hold as an equation.
    It replaces a block from where its indices, which are operands, begin.

    Args:
      args: its operands, for example f32[4,3], f32[2,1], i32[], i32[].
    Returns:
      The result, here f32[4,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.
    See also: `lax.dynamic_update_slice`, the function that binds it.

    >>> lax.dynamic_update_slice_p.bind(
    ...     jnp.ones((4, 3), 'float32'),
    ...     jnp.ones((2, 1), 'float32'),
    ...     jnp.ones((), 'int32'),
    ...     jnp.ones((), 'int32'),
    ... ).aval
    ShapedArray(float32[4,3])
    """
def eig_p(*args: Any, **params: Any) -> Array:
    """Bind `eig`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[3,3].
      compute_left_eigenvectors: a parameter, for example False.
      compute_right_eigenvectors: a parameter, for example False.
      enable_eigvec_derivs: a parameter, for example True.
      implementation: a parameter, for example None.
    Returns:
      A list of results, here c64[3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.

    >>> [x.aval for x in lax.eig_p.bind(
    ...     jnp.ones((3, 3), 'float32'),
    ...     compute_left_eigenvectors=False,
    ...     compute_right_eigenvectors=False,
    ...     enable_eigvec_derivs=True,
    ...     implementation=None,
    ... )]
    [ShapedArray(complex64[3])]
    """
def eigh_p(*args: Any, **params: Any) -> Array:
    """Bind `eigh`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[3,3].
      lower: a parameter, for example True.
      sort_eigenvalues: a parameter, for example True.
      subset_by_index: a parameter, for example None.
      algorithm: a parameter, for example None.
    Returns:
      A list of results, here f32[3,3], f32[3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.

    >>> [x.aval for x in lax.eigh_p.bind(
    ...     jnp.ones((3, 3), 'float32'),
    ...     lower=True,
    ...     sort_eigenvalues=True,
    ...     subset_by_index=None,
    ...     algorithm=None,
    ... )]
    [ShapedArray(float32[3,3]), ShapedArray(float32[3])]
    """
def empty(shape: int | Sequence[int | Array], dtype: DTypeLike | None, *, out_sharding: Any = None) -> Array:
    """Return an array whose contents do not matter: zeros here.

    Args:
      shape: the shape.
      dtype: the dtype.
      out_sharding: how it is divided over devices.
    Returns:
      An array of that shape and dtype.
    Raises:
      ValueError: `shape` has a negative length.

    >>> lax.empty((2,), "int32")
    Array([0, 0], dtype=int32)
    """
def empty2_p(*args: Any, **params: Any) -> Array:
    """Bind `empty2`: a primitive, which programs hold as an equation.
    It makes an array whose elements are not set, in a kind of memory.

    Args:
      args: its operands.
      dtype: a parameter, for example dtype('float32').
      memory_space: a parameter, for example MemorySpace.Device.
    Returns:
      The result, here f32[].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: none.

    >>> lax.empty2_p.bind(dtype=np.dtype("float32"), memory_space=jax.memory.Space.Device).shape
    ()
    """
def empty_p(*args: Any, **params: Any) -> Array:
    """Bind `empty`: a primitive, which programs hold as an equation.

    Args:
      args: its operands.
      shape: a parameter, for example (2, 3).
      dtype: a parameter, for example dtype('float32').
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: none.
    See also: `lax.empty`, the function that binds it.

    >>> lax.empty_p.bind(shape=(2, 3), dtype=np.dtype('float32')).aval
    ShapedArray(float32[2,3])
    """
def empty_ref_p(*args: Any, **params: Any) -> Array:
    """Bind `empty_ref`: a primitive, which programs hold as an equation.
    It makes a reference whose elements are not set.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: none.

    >>> jax.make_jaxpr(lambda: jax.empty_ref(jax.ShapeDtypeStruct((2,), "float32"))[...])()
    { lambda ; . let
        a:Ref{f32[2]} = empty_ref[memory_space=None ty=float32[2]]
        b:f32[2] <- a[...]
      in (b,) }
    """
def eq(x: ArrayLike, y: ArrayLike) -> Array:
    """Return whether x equals y; NaN equals nothing.

    Args:
      x, y: arrays or scalars of equal dtype (integer, floating, complexfloating, bool, prng_key).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of dtype bool.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.eq(1, 2))
    False
    """
def eq_p(*args: Any, **params: Any) -> Array:
    """Bind `eq`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here bool[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or floating or complexfloating or bool or prng_key, or dtypes or shapes differ.
    Rules: jvp, batch.
    See also: `lax.eq`, the function that binds it.

    >>> lax.eq_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(bool[2,3])
    """
def eq_to_p(*args: Any, **params: Any) -> Array:
    """Bind `eq_to`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here bool[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or floating or complexfloating or bool, or dtypes or shapes differ.
    Rules: jvp, batch.

    >>> lax.eq_to_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(bool[2,3])
    """
def erf(x: ArrayLike) -> Array:
    """Return the error function, 2/sqrt(pi) times the integral of e ** -t**2 from 0 to x; from -1 to 1.

    Args:
      x: array or scalar (floating).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.erf(1.0))
    0.84270084
    """
def erf_inv(x: ArrayLike) -> Array:
    """Return the number with error function x; infinite at -1 and 1, NaN beyond.

    Args:
      x: array or scalar (floating).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.erf_inv(0.5))
    0.47693628
    """
def erf_inv_p(*args: Any, **params: Any) -> Array:
    """Bind `erf_inv`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.
    See also: `lax.erf_inv`, the function that binds it.

    >>> lax.erf_inv_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def erf_p(*args: Any, **params: Any) -> Array:
    """Bind `erf`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.
    See also: `lax.erf`, the function that binds it.

    >>> lax.erf_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def erfc(x: ArrayLike) -> Array:
    """Return 1 - erf(x), exact for large x.

    Args:
      x: array or scalar (floating).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.erfc(3.0))
    2.2090497e-05
    """
def erfc_p(*args: Any, **params: Any) -> Array:
    """Bind `erfc`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.
    See also: `lax.erfc`, the function that binds it.

    >>> lax.erfc_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def erfcx_p(*args: Any, **params: Any) -> Array:
    """Bind `erfcx`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.

    >>> lax.erfcx_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def exp(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Return the exponential, e ** x.

    Args:
      x: array or scalar (floating, complexfloating).
      accuracy: a `Tolerance` or an `AccuracyMode`, for accelerators; on the CPU it changes nothing.
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.exp(1.0))
    2.7182817
    """
def exp1_p(*args: Any, **params: Any) -> Array:
    """Bind `exp1`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.

    >>> lax.exp1_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def exp2(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Return the power of two, 2 ** x.

    Args:
      x: array or scalar (floating, complexfloating).
      accuracy: a `Tolerance` or an `AccuracyMode`, for accelerators; on the CPU it changes nothing.
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.exp2(3.0))
    8.0
    """
def exp2_p(*args: Any, **params: Any) -> Array:
    """Bind `exp2`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.exp2`, the function that binds it.

    >>> lax.exp2_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def exp_p(*args: Any, **params: Any) -> Array:
    """Bind `exp`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.exp`, the function that binds it.

    >>> lax.exp_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def expand_dims(array: ArrayLike, dimensions: Sequence[int]) -> Array:
    """Insert axes of length 1.

    Args:
      array: array or scalar.
      dimensions: where they are in the result; negative ones count from its end.
    Returns:
      An array with the same elements and `len(dimensions)` axes more. The dtype is that of `array`.
    Raises:
      ValueError: an axis is out of range or named twice.

    >>> lax.expand_dims(jnp.zeros((3,)), (0, -1)).shape
    (1, 3, 1)
    """
def expi_p(*args: Any, **params: Any) -> Array:
    """Bind `expi`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.

    >>> lax.expi_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def expm1(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Return e ** x - 1, exact for small x.

    Args:
      x: array or scalar (floating, complexfloating).
      accuracy: a `Tolerance` or an `AccuracyMode`, for accelerators; on the CPU it changes nothing.
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.expm1(1e-5))
    1.000005e-05
    """
def expm1_p(*args: Any, **params: Any) -> Array:
    """Bind `expm1`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.expm1`, the function that binds it.

    >>> lax.expm1_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def expn_p(*args: Any, **params: Any) -> Array:
    """Bind `expn`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating, or dtypes or shapes differ.
    Rules: jvp, batch.

    >>> lax.expn_p.bind(jnp.ones((2, 3), 'float32'), jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def ffi_call_p(*args: Any, **params: Any) -> Array:
    """Bind `ffi_call`: a primitive, which programs hold as an equation.
    It calls a foreign function that is registered under a name.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch_axis.

    >>> jax.make_jaxpr(lambda x: jax.ffi.ffi_call("target", x)(x, eps=1e-3))(jnp.ones(2))
    { lambda ; a:f32[2]. let
        b:f32[2] = ffi_call[
          attributes=(('eps', 0.001),)
          custom_call_api_version=4
          has_side_effect=False
          input_layouts=((0,),)
          input_output_aliases=()
          legacy_backend_config=None
          output_layouts=((0,),)
          result_avals=(ShapedArray(float32[2]),)
          target_name=target
          vmap_method=None
        ] a
      in (b,) }
    """
def fft(x: ArrayLike, fft_type: FftType | str, fft_lengths: Sequence[int]) -> Array:
    """Return the discrete Fourier transform over the last axes.

    Args:
      x: array; complex for all types but RFFT, to which other numbers are converted.
      fft_type: FFT, IFFT, RFFT or IRFFT, by name or as a `FftType`. Inverse ones are scaled by one over the
        number of elements; real ones keep half of the last axis and one more.
      fft_lengths: tuple of the lengths of the last one, two or three axes; of an IRFFT, those of the result.
    Returns:
      Complex coefficients; of an IRFFT the real values that have them. The last axis has n // 2 + 1 of an RFFT of
      length n, and n of an IRFFT.
    Raises:
      ValueError: an unknown type, complex input of an RFFT, or lengths that `x` does not have.
      TypeError: a type that is neither a name nor a `FftType`.
    Derivative: the map is linear.

    >>> lax.fft(jnp.array([1., 2., 3., 4.]), "RFFT", (4,))
    Array([10.+0.j, -2.+2.j, -2.+0.j], dtype=complex64)
    """
def fft_p(*args: Any, **params: Any) -> Array:
    """Bind `fft`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example c64[2,4].
      fft_type: a parameter, for example <FftType.FFT: 0>.
      fft_lengths: a parameter, for example (4,).
    Returns:
      The result, here c64[2,4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.
    See also: `lax.fft`, the function that binds it.

    >>> lax.fft_p.bind(
    ...     jnp.ones((2, 4), 'complex64'),
    ...     fft_type=lax.FftType.FFT,
    ...     fft_lengths=(4,),
    ... ).aval
    ShapedArray(complex64[2,4])
    """
def floor(x: ArrayLike) -> Array:
    """Return the greatest integer below or at x.

    Args:
      x: array or scalar (floating).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.floor(-1.5))
    -2.0
    """
def floor_p(*args: Any, **params: Any) -> Array:
    """Bind `floor`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.
    See also: `lax.floor`, the function that binds it.

    >>> lax.floor_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
@overload
def fori_loop(lower: ArrayLike, upper: ArrayLike, body_fun: Callable[[Any, Array], ArrayLike], init_val: float, *, unroll: int | bool | None = None) -> Array:
    """Repeat `body_fun` for each number from `lower` to `upper`, exclusive, in steps of 1.

        for i in range(lower, upper):
            val = body_fun(i, val)
        return val

    Between bounds known when the program is made it is a `scan` and has reverse derivatives; otherwise it
    is a `while_loop`.

    Args:
      lower, upper: integer scalars of one dtype. Floats count as the integers that they are cut down to if both are
        known when the program is made, as they are otherwise.
      body_fun: (i, val) -> val, of equal structure, shapes and dtypes.
      init_val: the first value, a tree of arrays. Python scalars take the dtype that `body_fun` gives them.
      unroll: how many iterations are compiled at a time, for known bounds; True for all.
    Returns:
      The state after the last iteration, a tree like `init_val`; `init_val` itself if there is none.
    Raises:
      TypeError: the bounds are not real numbers of one dtype, or `body_fun` changes the structure or types.
      ValueError: `unroll` of a loop whose bounds are not known.
    See also: `scan`, which collects results of the iterations; `while_loop`.

    >>> lax.fori_loop(0, 5, lambda i, total: total + i, 0)
    Array(10, dtype=int32, weak_type=True)
    """
@overload
def fori_loop(lower: ArrayLike, upper: ArrayLike, body_fun: Callable[[Any, _T], _T], init_val: _T, *, unroll: int | bool | None = None) -> _T:
    """Repeat `body_fun` for each number from `lower` to `upper`, exclusive, in steps of 1.

        for i in range(lower, upper):
            val = body_fun(i, val)
        return val

    Between bounds known when the program is made it is a `scan` and has reverse derivatives; otherwise it
    is a `while_loop`.

    Args:
      lower, upper: integer scalars of one dtype. Floats count as the integers that they are cut down to if both are
        known when the program is made, as they are otherwise.
      body_fun: (i, val) -> val, of equal structure, shapes and dtypes.
      init_val: the first value, a tree of arrays. Python scalars take the dtype that `body_fun` gives them.
      unroll: how many iterations are compiled at a time, for known bounds; True for all.
    Returns:
      The state after the last iteration, a tree like `init_val`; `init_val` itself if there is none.
    Raises:
      TypeError: the bounds are not real numbers of one dtype, or `body_fun` changes the structure or types.
      ValueError: `unroll` of a loop whose bounds are not known.
    See also: `scan`, which collects results of the iterations; `while_loop`.

    >>> lax.fori_loop(0, 5, lambda i, total: total + i, 0)
    Array(10, dtype=int32, weak_type=True)
    """
def freeze_p(*args: Any, **params: Any) -> Array:
    """Bind `freeze`: a primitive, which programs hold as an equation.
    It reads a reference for the last time.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: none.

    >>> jax.make_jaxpr(lambda r: jax.freeze(r))(jax.new_ref(jnp.ones(2)))
    { lambda ; a:Ref{f32[2]}. let b:f32[2] = freeze a in (b,) }
    """
def fresnel_c_p(*args: Any, **params: Any) -> Array:
    """Bind `fresnel_c`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.

    >>> lax.fresnel_c_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def fresnel_s_p(*args: Any, **params: Any) -> Array:
    """Bind `fresnel_s`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.

    >>> lax.fresnel_s_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def full(shape: int | Sequence[int | Array], fill_value: ArrayLike, dtype: DTypeLike | None = None, *, sharding: Any = None) -> Array:
    """Return an array filled with one value.

    Args:
      shape: the shape.
      fill_value: scalar.
      dtype: the dtype; default that of the value.
      sharding: how it is divided over devices.
    Returns:
      An array of that shape, all elements being `fill_value`; in the dtype that is given, or in that of the value.
    Raises:
      TypeError: the value is not a scalar, or the shape is not one.

    >>> lax.full((2,), 3.)
    Array([3., 3.], dtype=float32, weak_type=True)
    """
def full_like(x: ArrayLike, fill_value: ArrayLike, dtype: DTypeLike | None = None, shape: int | Sequence[int | Array] | None = None, sharding: Any = None) -> Array:
    """Return an array like another, filled with one value.

    Args:
      x: array, or anything with `shape` and `dtype`.
      fill_value: scalar.
      dtype, shape: instead of those of `x`.
      sharding: how it is divided over devices.
    Returns:
      An array of the shape and dtype of `x`, or of those given, all elements being `fill_value`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> lax.full_like(jnp.zeros((2,)), 3)
    Array([3., 3.], dtype=float32)
    """
def fused_call_p(*args: Any, **params: Any) -> Array:
    """Bind `fused_call`: a primitive, which programs hold as an equation.
    It calls a program that XLA compiles to one kernel.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, linearize, transpose, batch_axis.

    >>> from adjoint.experimental.fused import fused
    >>> jax.make_jaxpr(fused(out_spaces=(jax.memory.Space.Device,))(lambda x: jnp.sin(x) * 2))(1.0)
    { lambda ; a:f32[]. let
        b:f32[] = fused_call[
          jaxpr={ lambda ; c:f32[]. let
              d:f32[] = sin c
              e:f32[] = mul d 2.0:f32[]
            in (e,) }
          out_spaces=(MemorySpace.Device,)
        ] a
      in (b,) }
    """
def gamma_bend_p(*args: Any, **params: Any) -> Array:
    """Bind `gamma_bend`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3].
      order: a parameter, for example 2.
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating, or dtypes or shapes differ.
    Rules: jvp, batch.

    >>> lax.gamma_bend_p.bind(jnp.ones((2, 3), 'float32'), jnp.ones((2, 3), 'float32'), order=2).aval
    ShapedArray(float32[2,3])
    """
def gather(operand: ArrayLike, start_indices: ArrayLike, dimension_numbers: GatherDimensionNumbers, slice_sizes: Sequence[int], *, unique_indices: bool = False, indices_are_sorted: bool = False, mode: str | GatherScatterMode | None = None, fill_value: ArrayLike | None = None) -> Array:
    """Return windows of an array at a list of places, in XLA's general form; `x[...]` is easier.

    Args:
      operand: array.
      start_indices: integers; the last axis holds the entries of one index.
      dimension_numbers: which axes belong together, see `GatherDimensionNumbers`.
      slice_sizes: the shape of a window, one length for each axis of the operand.
      unique_indices, indices_are_sorted: promises that may be used for speed.
      mode: "clip" moves windows inside, "fill" fills those that are not inside with `fill_value`,
        "promise_in_bounds" (the default) says that there are none.
      fill_value: default NaN, the least signed or greatest unsigned integer, or True.
    Returns:
      An array of the operand's dtype. Its axes `offset_dims` are those of a window, without `collapsed_slice_dims`; the
      others are those of `start_indices` but the last.
    Raises:
      TypeError, ValueError: the numbers, shapes and dtypes do not fit.

    >>> numbers = lax.GatherDimensionNumbers((1,), (0,), (0,))
    >>> lax.gather(jnp.eye(3), jnp.array([[2], [0]]), numbers, (1, 3))
    Array([[0., 0., 1.],
           [1., 0., 0.]], dtype=float32)
    """
def gather_p(*args: Any, **params: Any) -> Array:
    """Bind `gather`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[3,4], i32[3,1].
      dimension_numbers: a parameter, for example GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(0,), start_ind.
      slice_sizes: a parameter, for example (1, 4).
      unique_indices: a parameter, for example False.
      indices_are_sorted: a parameter, for example False.
      mode: a parameter, for example <GatherScatterMode.CLIP: 1>.
      fill_value: a parameter, for example None.
    Returns:
      The result, here f32[3,4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.
    See also: `lax.gather`, the function that binds it.

    >>> lax.gather_p.bind(
    ...     jnp.ones((3, 4), 'float32'),
    ...     jnp.ones((3, 1), 'int32'),
    ...     dimension_numbers=lax.GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,)),
    ...     slice_sizes=(1, 4),
    ...     unique_indices=False,
    ...     indices_are_sorted=False,
    ...     mode=lax.GatherScatterMode.CLIP,
    ...     fill_value=None,
    ... ).aval
    ShapedArray(float32[3,4])
    """
def ge(x: ArrayLike, y: ArrayLike) -> Array:
    """Return whether x is greater than y or equal.

    Args:
      x, y: arrays or scalars of equal dtype (integer, floating, bool).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of dtype bool.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.ge(1, 2))
    False
    """
def ge_p(*args: Any, **params: Any) -> Array:
    """Bind `ge`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here bool[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or floating or bool, or dtypes or shapes differ.
    Rules: jvp, batch.
    See also: `lax.ge`, the function that binds it.

    >>> lax.ge_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(bool[2,3])
    """
def geqrf_p(*args: Any, **params: Any) -> Array:
    """Bind `geqrf`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[3,4].
    Returns:
      A list of results, here f32[3,4], f32[3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch.

    >>> [x.aval for x in lax.geqrf_p.bind(jnp.ones((3, 4), 'float32'))]
    [ShapedArray(float32[3,4]), ShapedArray(float32[3])]
    """
def get_p(*args: Any, **params: Any) -> Array:
    """Bind `get`: a primitive, which programs hold as an equation.
    It reads a part of a reference.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: none.

    >>> jax.make_jaxpr(lambda r: r[...])(jax.new_ref(jnp.ones(2)))
    { lambda ; a:Ref{f32[2]}. let b:f32[2] <- a[...] in (b,) }
    """
def gt(x: ArrayLike, y: ArrayLike) -> Array:
    """Return whether x is greater than y.

    Args:
      x, y: arrays or scalars of equal dtype (integer, floating, bool).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of dtype bool.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.gt(1, 2))
    False
    """
def gt_p(*args: Any, **params: Any) -> Array:
    """Bind `gt`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here bool[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or floating or bool, or dtypes or shapes differ.
    Rules: jvp, batch.
    See also: `lax.gt`, the function that binds it.

    >>> lax.gt_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(bool[2,3])
    """
def hessenberg_p(*args: Any, **params: Any) -> Array:
    """Bind `hessenberg`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[3,3].
    Returns:
      A list of results, here f32[3,3], f32[2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch.

    >>> [x.aval for x in lax.hessenberg_p.bind(jnp.ones((3, 3), 'float32'))]
    [ShapedArray(float32[3,3]), ShapedArray(float32[2])]
    """
def householder_product_p(*args: Any, **params: Any) -> Array:
    """Bind `householder_product`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[4,3], f32[3].
    Returns:
      The result, here f32[4,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch.

    >>> lax.householder_product_p.bind(jnp.ones((4, 3), 'float32'), jnp.ones((3,), 'float32')).aval
    ShapedArray(float32[4,3])
    """
def hyp1f1_of_a_p(*args: Any, **params: Any) -> Array:
    """Bind `hyp1f1_of_a`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating, or dtypes or shapes differ.
    Rules: jvp, batch.

    >>> lax.hyp1f1_of_a_p.bind(
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ... ).aval
    ShapedArray(float32[2,3])
    """
def hyp1f1_of_b_p(*args: Any, **params: Any) -> Array:
    """Bind `hyp1f1_of_b`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating, or dtypes or shapes differ.
    Rules: jvp, batch.

    >>> lax.hyp1f1_of_b_p.bind(
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ... ).aval
    ShapedArray(float32[2,3])
    """
def hyp1f1_p(*args: Any, **params: Any) -> Array:
    """Bind `hyp1f1`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating, or dtypes or shapes differ.
    Rules: jvp, batch.

    >>> lax.hyp1f1_p.bind(
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ... ).aval
    ShapedArray(float32[2,3])
    """
def hyp2f1_of_a_p(*args: Any, **params: Any) -> Array:
    """Bind `hyp2f1_of_a`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3], f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating, or dtypes or shapes differ.
    Rules: jvp, batch.

    >>> lax.hyp2f1_of_a_p.bind(
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ... ).aval
    ShapedArray(float32[2,3])
    """
def hyp2f1_of_b_p(*args: Any, **params: Any) -> Array:
    """Bind `hyp2f1_of_b`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3], f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating, or dtypes or shapes differ.
    Rules: jvp, batch.

    >>> lax.hyp2f1_of_b_p.bind(
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ... ).aval
    ShapedArray(float32[2,3])
    """
def hyp2f1_of_c_p(*args: Any, **params: Any) -> Array:
    """Bind `hyp2f1_of_c`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3], f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating, or dtypes or shapes differ.
    Rules: jvp, batch.

    >>> lax.hyp2f1_of_c_p.bind(
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ... ).aval
    ShapedArray(float32[2,3])
    """
def hyp2f1_p(*args: Any, **params: Any) -> Array:
    """Bind `hyp2f1`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3], f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating, or dtypes or shapes differ.
    Rules: jvp, batch.

    >>> lax.hyp2f1_p.bind(
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ... ).aval
    ShapedArray(float32[2,3])
    """
def igamma(a: ArrayLike, x: ArrayLike) -> Array:
    """Return the regularized lower incomplete gamma function, elementwise.

    It is the integral of t ** (a - 1) exp(-t) from 0 to x, divided by that from 0 to infinity.

    Args:
      a: array or scalar (floating), positive.
      x: array or scalar of its dtype, not negative.
    Returns:
      Numbers from 0 to 1, in an array of their shape and dtype; NaN where `a` or `x` is out of range.
    Raises:
      TypeError: `a` is not an array or scalar of real floats, or shapes do not broadcast; lists are not converted.

    >>> print(lax.igamma(2.0, 1.0))
    0.26424113
    """
def igamma_grad_a(a: ArrayLike, x: ArrayLike) -> Array:
    """Return the derivative of igamma(a, x) with respect to `a`, elementwise.

    Args:
      a: array or scalar (floating), positive.
      x: array or scalar of its dtype, not negative.
    Returns:
      An array of their shape and dtype.
    Raises:
      TypeError: `a` is not an array or scalar of real floats, or shapes do not broadcast; lists are not converted.

    >>> print(lax.igamma_grad_a(2.0, 1.0))
    -0.27619603
    """
def igamma_grad_a_p(*args: Any, **params: Any) -> Array:
    """Bind `igamma_grad_a`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating, or dtypes or shapes differ.
    Rules: batch.
    See also: `lax.igamma_grad_a`, the function that binds it.

    >>> lax.igamma_grad_a_p.bind(jnp.ones((2, 3), 'float32'), jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def igamma_p(*args: Any, **params: Any) -> Array:
    """Bind `igamma`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating, or dtypes or shapes differ.
    Rules: jvp, batch.
    See also: `lax.igamma`, the function that binds it.

    >>> lax.igamma_p.bind(jnp.ones((2, 3), 'float32'), jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def igammac(a: ArrayLike, x: ArrayLike) -> Array:
    """Return the regularized upper incomplete gamma function, 1 - igamma(a, x), elementwise.

    Args:
      a: array or scalar (floating), positive.
      x: array or scalar of its dtype, not negative.
    Returns:
      Numbers from 0 to 1, exact where they are small, in an array of their shape and dtype.
    Raises:
      TypeError: `a` is not an array or scalar of real floats, or shapes do not broadcast; lists are not converted.

    >>> print(lax.igammac(2.0, 1.0))
    0.7357589
    """
def igammac_p(*args: Any, **params: Any) -> Array:
    """Bind `igammac`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating, or dtypes or shapes differ.
    Rules: jvp, batch.
    See also: `lax.igammac`, the function that binds it.

    >>> lax.igammac_p.bind(jnp.ones((2, 3), 'float32'), jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def imag(x: ArrayLike) -> Array:
    """Return the imaginary part of a complex number.

    Args:
      x: array or scalar (complexfloating).
    Returns:
      An array with that value for each element, of the shape of `x` and of the dtype of the parts.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.imag(1 + 2j))
    2.0
    """
def imag_p(*args: Any, **params: Any) -> Array:
    """Bind `imag`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example c64[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is complexfloating.
    Rules: jvp, transpose, batch.
    See also: `lax.imag`, the function that binds it.

    >>> lax.imag_p.bind(jnp.ones((2, 3), 'complex64')).aval
    ShapedArray(float32[2,3])
    """
def index_in_dim(operand: ArrayLike, index: int, axis: int = 0, keepdims: bool = True) -> Array:
    """Return one position along an axis; negative ones count from the end.

    Args:
      operand: array.
      index: an int; negative ones count from the end.
      axis: the axis of the position or window; the others are taken whole.
      keepdims: keep the axis with length 1.
    Returns:
      An array of the operand's dtype: the elements at that position.
    Raises:
      IndexError: the index is out of range.

    >>> lax.index_in_dim(jnp.arange(6), -1, keepdims=False)
    Array(5, dtype=int32)
    """
def index_take(src: Array, idxs: Array, axes: Sequence[int]) -> Array:
    """Return elements along some axes: `src[idxs]` for axes in front, with indices taken modulo the lengths.

    Args:
      src: array.
      idxs: for each of `axes` integers of shape (n,).
      axes: the axes that are indexed.
    Returns:
      An array of the dtype of `src` and shape (n, *lengths of the other axes): row i is at position ``idxs[...][i]``.
    Raises:
      IndexError: an axis of `axes` is not one of `src`.
      ValueError: an entry of `idxs` holds no integers, or has no axis.
      TypeError: it has more than one.

    >>> lax.index_take(jnp.arange(6), (jnp.array([0, -1]),), (0,))
    Array([0, 5], dtype=int32)
    """
def inspect_sharding_p(*args: Any, **params: Any) -> Array:
    """Bind `inspect_sharding`: a primitive, which programs hold as an equation.
    It tells a function how an array is divided when the program is compiled.

    Args:
      args: its operands, for example f32[2,3].
      callback: a parameter, for example <built-in function id>.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.

    >>> jax.make_jaxpr(lambda x: jax.debug.inspect_array_sharding(x, callback=print))(jnp.ones(2))
    { lambda ; a:f32[2]. let inspect_sharding[callback=print] a in () }
    """
def integer_pow(x: ArrayLike, y: int) -> Array:
    """Return the power x ** y for a Python integer y, by products.

    Args:
      x: array or scalar (integer, floating, complexfloating); an integer array takes no negative y.
      y: an int, known while tracing.
    Returns:
      An array of the shape and dtype of `x`; 1 for y = 0.
    Raises:
      TypeError: `x` is an integer and `y` negative, or `y` is an array.

    >>> print(lax.integer_pow(2.0, -1))
    0.5
    """
def integer_pow_p(*args: Any, **params: Any) -> Array:
    """Bind `integer_pow`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3].
      y: a parameter, for example 2.
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.integer_pow`, the function that binds it.

    >>> lax.integer_pow_p.bind(jnp.ones((2, 3), 'int32'), y=2).aval
    ShapedArray(int32[2,3])
    """
def io_callback_p(*args: Any, **params: Any) -> Array:
    """Bind `io_callback`: a primitive, which programs hold as an equation.
    It calls a Python function that has effects.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch_axis.

    >>> print(jax.make_jaxpr(lambda x: jax.experimental.io_callback(np.sin, x, x))(jnp.ones(2)).eqns[-1])
    a:f32[2] = io_callback[
      callback=_FlatCallback(callback_func=<ufunc 'sin'>, in_tree=PyTreeDef(((*,), {})))
      ordered=False
      result_avals=(ShapedArray(float32[2]),)
      sharding=None
    ] b
    """
def iota(dtype: DTypeLike | None, size: int) -> Array:
    """Return the numbers 0, 1, ..., size - 1 in a dtype.

    Args:
      dtype: a dtype of numbers.
      size: how many, an int.
    Returns:
      An array of shape ``(size,)`` and that dtype.
    Raises:
      TypeError: the dtype is not a number, or the size is negative.

    >>> lax.iota("float32", 3)
    Array([0., 1., 2.], dtype=float32)
    """
def iota_p(*args: Any, **params: Any) -> Array:
    """Bind `iota`: a primitive, which programs hold as an equation.

    Args:
      args: its operands.
      dtype: a parameter, for example dtype('int32').
      shape: a parameter, for example (3,).
      dimension: a parameter, for example 0.
    Returns:
      The result, here i32[3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: none.
    See also: `lax.iota`, the function that binds it.

    >>> lax.iota_p.bind(dtype=np.dtype('int32'), shape=(3,), dimension=0).aval
    ShapedArray(int32[3])
    """
def is_finite(x: ArrayLike) -> Array:
    """Return whether x is neither infinite nor NaN.

    Args:
      x: array or scalar (floating).
    Returns:
      An array with that value for each element, of the shape of `x` and of dtype bool.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.is_finite(float('inf')))
    False
    """
def is_finite_p(*args: Any, **params: Any) -> Array:
    """Bind `is_finite`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here bool[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.
    See also: `lax.is_finite`, the function that binds it.

    >>> lax.is_finite_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(bool[2,3])
    """
def jit_p(*args: Any, **params: Any) -> Array:
    """Bind `jit`: a primitive, which programs hold as an equation.
    It calls a function that is compiled.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, linearize, transpose, batch_axis.

    >>> jax.make_jaxpr(lambda x: jax.jit(jnp.sin)(x))(1.0)
    { lambda ; a:f32[]. let
        b:f32[] = jit[
          name=sin
          jaxpr={ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }
        ] a
      in (b,) }
    """
def layout_constraint_p(*args: Any, **params: Any) -> Array:
    """Bind `layout_constraint`: a primitive, linear in its operands, which programs hold as an equation.
    It states the layout of an array in memory.

    Args:
      args: its operands, for example f32[2,3].
      layout: a parameter, for example Layout(major_to_minor=(1, 0), tiling=None, sub_byte_element_size_in_bits=0).
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.

    >>> from adjoint.experimental.layout import Layout, with_layout_constraint
    >>> print(jax.make_jaxpr(lambda x: with_layout_constraint(x, Layout((1, 0))))(jnp.ones((2, 3))).eqns[-1])
    a:f32[2,3] = layout_constraint[
      layout=Layout(major_to_minor=(1, 0), tiling=None, sub_byte_element_size_in_bits=0)
    ] b
    """
def le(x: ArrayLike, y: ArrayLike) -> Array:
    """Return whether x is less than y or equal.

    Args:
      x, y: arrays or scalars of equal dtype (integer, floating, bool).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of dtype bool.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.le(1, 2))
    True
    """
def le_p(*args: Any, **params: Any) -> Array:
    """Bind `le`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here bool[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or floating or bool, or dtypes or shapes differ.
    Rules: jvp, batch.
    See also: `lax.le`, the function that binds it.

    >>> lax.le_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(bool[2,3])
    """
def le_to_p(*args: Any, **params: Any) -> Array:
    """Bind `le_to`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here bool[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or floating or bool, or dtypes or shapes differ.
    Rules: jvp, batch.

    >>> lax.le_to_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(bool[2,3])
    """
def lgamma(x: ArrayLike) -> Array:
    """Return the logarithm of the size of the gamma function; inf at 0 and the negative whole numbers.

    Args:
      x: array or scalar (floating).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.lgamma(5.0))
    3.1780539
    """
def lgamma_p(*args: Any, **params: Any) -> Array:
    """Bind `lgamma`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.
    See also: `lax.lgamma`, the function that binds it.

    >>> lax.lgamma_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
from adjoint.lax import linalg as linalg
def linear_call_p(*args: Any, **params: Any) -> Array:
    """Bind `linear_call`: a primitive, which programs hold as an equation.
    It calls a function that is linear in some operands, and has its transpose beside it.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch_axis.

    >>> f = lambda x: jax.custom_derivatives.linear_call(lambda r, x: r * x, lambda r, y: r * y, 2.0, x)
    >>> print(jax.make_jaxpr(f)(1.0).eqns[-1])
    a:f32[] = linear_call[
      callee={ lambda ; b:f32[] c:f32[]. let d:f32[] = mul b c in (d,) }
      num_callee_consts=0
      num_res=1
      transpose_thunk=<function linear_call.<locals>.transpose_thunk at 0x...>
    ] 2.0:f32[] e
    """
def linear_solve_p(*args: Any, **params: Any) -> Array:
    """Bind `custom_linear_solve`: a primitive, which programs hold as an equation.
    It solves a linear system by a function, whose derivatives are solutions too.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch_axis.
    See also: `lax.custom_linear_solve`, the function that binds it.

    >>> f = lambda b: lax.custom_linear_solve(lambda x: 2 * x, b, lambda f, b: b / 2, symmetric=True)
    >>> print(jax.make_jaxpr(f)(1.0).eqns[-1])
    a:f32[] = custom_linear_solve[
      const_lengths=_LinearSolveTuple(matvec=0, vecmat=0, solve=0, transpose_solve=0)
      jaxprs=_LinearSolveTuple(matvec={ lambda ; a:f32[]. let b:f32[] = mul...
    ] b
    """
def log(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Return the natural logarithm; -inf at 0, NaN for negative real numbers.

    Args:
      x: array or scalar (floating, complexfloating).
      accuracy: a `Tolerance` or an `AccuracyMode`, for accelerators; on the CPU it changes nothing.
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.log(2.0))
    0.6931472
    """
def log1p(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Return log(1 + x), exact for small x; -inf at -1, NaN below.

    Args:
      x: array or scalar (floating, complexfloating).
      accuracy: a `Tolerance` or an `AccuracyMode`, for accelerators; on the CPU it changes nothing.
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.log1p(1e-5))
    9.99995e-06
    """
def log1p_p(*args: Any, **params: Any) -> Array:
    """Bind `log1p`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.log1p`, the function that binds it.

    >>> lax.log1p_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def log2(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Return the logarithm to base 2, elementwise; -inf at 0, NaN for negative real numbers.

    Args:
      x: array or scalar (floating, complexfloating).
      accuracy: a `Tolerance` or an `AccuracyMode`, for accelerators; on the CPU it changes nothing.
    Returns:
      An array of the shape and dtype of `x`.
    Raises:
      TypeError: `x` is of another kind.

    >>> lax.log2(8.)
    Array(3., dtype=float32, weak_type=True)
    """
def log_ndtr_p(*args: Any, **params: Any) -> Array:
    """Bind `log_ndtr`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.

    >>> lax.log_ndtr_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def log_p(*args: Any, **params: Any) -> Array:
    """Bind `log`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.log`, the function that binds it.

    >>> lax.log_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def logistic(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Return the sigmoid, 1 / (1 + e ** -x), from 0 to 1.

    Args:
      x: array or scalar (floating, complexfloating).
      accuracy: a `Tolerance` or an `AccuracyMode`, for accelerators; on the CPU it changes nothing.
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.logistic(1.0))
    0.7310586
    """
def logistic_p(*args: Any, **params: Any) -> Array:
    """Bind `logistic`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.logistic`, the function that binds it.

    >>> lax.logistic_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def lt(x: ArrayLike, y: ArrayLike) -> Array:
    """Return whether x is less than y.

    Args:
      x, y: arrays or scalars of equal dtype (integer, floating, bool).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of dtype bool.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.lt(1, 2))
    True
    """
def lt_p(*args: Any, **params: Any) -> Array:
    """Bind `lt`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here bool[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or floating or bool, or dtypes or shapes differ.
    Rules: jvp, batch.
    See also: `lax.lt`, the function that binds it.

    >>> lax.lt_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(bool[2,3])
    """
def lt_to_p(*args: Any, **params: Any) -> Array:
    """Bind `lt_to`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here bool[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or floating or bool, or dtypes or shapes differ.
    Rules: jvp, batch.

    >>> lax.lt_to_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(bool[2,3])
    """
def lu_p(*args: Any, **params: Any) -> Array:
    """Bind `lu`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[3,4].
    Returns:
      A list of results, here f32[3,4], i32[3], i32[3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.

    >>> [x.aval for x in lax.lu_p.bind(jnp.ones((3, 4), 'float32'))]
    [ShapedArray(float32[3,4]), ShapedArray(int32[3]), ShapedArray(int32[3])]
    """
def lu_pivots_to_permutation_p(*args: Any, **params: Any) -> Array:
    """Bind `lu_pivots_to_permutation`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[3].
      permutation_size: a parameter, for example 5.
    Returns:
      The result, here i32[5].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch.

    >>> lax.lu_pivots_to_permutation_p.bind(jnp.ones((3,), 'int32'), permutation_size=5).aval
    ShapedArray(int32[5])
    """
def map(f: Callable[[_X], _Y], xs: _X, *, batch_size: int | None = None) -> _Y:
    """Apply `f` to each row of arrays, one after the other: `stack([f(x) for x in xs])`.

    `vmap` does all rows at once; `map` needs the memory of one. `batch_size` is in between.

    Args:
      f: a function of one row, a tree like `xs` without the leading axis.
      xs: a tree of arrays of equal length along axis 0.
      batch_size: how many rows are done at once.
    Returns:
      A tree like what `f` returns, each array with a leading axis: position i is the result of row i.
    Raises:
      ValueError: the lengths differ, or there is no array.

    >>> lax.map(lambda x: x * x, jnp.arange(4))
    Array([0, 1, 4, 9], dtype=int32)
    """
def max(x: ArrayLike, y: ArrayLike) -> Array:
    """Return the greater one; NaN if one is NaN. Complex numbers go by their real, then imaginary parts.

    Args:
      x, y: arrays or scalars of equal dtype (integer, floating, complexfloating, bool).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of their dtype.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.max(1, 2))
    2
    """
def max_p(*args: Any, **params: Any) -> Array:
    """Bind `max`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or floating or complexfloating or bool, or dtypes or shapes differ.
    Rules: jvp, batch.
    See also: `lax.max`, the function that binds it.

    >>> lax.max_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(int32[2,3])
    """
def min(x: ArrayLike, y: ArrayLike) -> Array:
    """Return the lesser one; NaN if one is NaN. Complex numbers go by their real, then imaginary parts.

    Args:
      x, y: arrays or scalars of equal dtype (integer, floating, complexfloating, bool).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of their dtype.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.min(1, 2))
    1
    """
def min_p(*args: Any, **params: Any) -> Array:
    """Bind `min`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or floating or complexfloating or bool, or dtypes or shapes differ.
    Rules: jvp, batch.
    See also: `lax.min`, the function that binds it.

    >>> lax.min_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(int32[2,3])
    """
def mul(x: ArrayLike, y: ArrayLike, *, out_dtype: Any = None) -> Array:
    """Return the product, x * y.

    Args:
      x, y: arrays or scalars of equal dtype (integer, floating, complexfloating).
      out_dtype: the dtype of the result, if not theirs; operands are converted to it before.
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch).
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.mul(3, 2))
    6
    """
def mul_p(*args: Any, **params: Any) -> Array:
    """Bind `mul`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or floating or complexfloating, or dtypes or shapes differ.
    Rules: jvp, transpose, batch.
    See also: `lax.mul`, the function that binds it.

    >>> lax.mul_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(int32[2,3])
    """
def mulhi(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Return the upper half of the bits of the product of two integers, elementwise.

    Args:
      x, y: arrays or scalars of equal dtype (integer).
    Returns:
      An array of their shape and dtype: (x * y) // 2 ** bits, where x * y has twice the bits.
    Raises:
      TypeError: `x` is complex or not an array or scalar; lists are not converted.

    >>> print(lax.mulhi(2**30, 8))
    2
    """
def mulhi_p(*args: Any, **params: Any) -> Array:
    """Bind `mulhi`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer, or dtypes or shapes differ.
    Rules: jvp, batch.
    See also: `lax.mulhi`, the function that binds it.

    >>> lax.mulhi_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(int32[2,3])
    """
def name_p(*args: Any, **params: Any) -> Array:
    """Bind `name`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[3].
      name: a parameter, for example 'hidden'.
    Returns:
      The result, here f32[3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> lax.name_p.bind(jnp.ones((3,), 'float32'), name='hidden').aval
    ShapedArray(float32[3])
    """
def ndtri_p(*args: Any, **params: Any) -> Array:
    """Bind `ndtri`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.

    >>> lax.ndtri_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def ne(x: ArrayLike, y: ArrayLike) -> Array:
    """Return whether x differs from y; NaN differs from everything.

    Args:
      x, y: arrays or scalars of equal dtype (integer, floating, complexfloating, bool, prng_key).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of dtype bool.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.ne(1, 2))
    True
    """
def ne_p(*args: Any, **params: Any) -> Array:
    """Bind `ne`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here bool[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or floating or complexfloating or bool or prng_key, or dtypes or shapes differ.
    Rules: jvp, batch.
    See also: `lax.ne`, the function that binds it.

    >>> lax.ne_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(bool[2,3])
    """
def neg(x: ArrayLike) -> Array:
    """Return the negative, -x; of unsigned integers modulo 2 ** bits.

    Args:
      x: array or scalar (integer, floating, complexfloating).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.neg(1.5))
    -1.5
    """
def neg_p(*args: Any, **params: Any) -> Array:
    """Bind `neg`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3].
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or floating or complexfloating.
    Rules: jvp, transpose, batch.
    See also: `lax.neg`, the function that binds it.

    >>> lax.neg_p.bind(jnp.ones((2, 3), 'int32')).aval
    ShapedArray(int32[2,3])
    """
def new_ref_p(*args: Any, **params: Any) -> Array:
    """Bind `new_ref`: a primitive, which programs hold as an equation.
    It makes a reference.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: none.

    >>> jax.make_jaxpr(lambda x: jax.new_ref(x)[...])(jnp.ones(2))
    { lambda ; a:f32[2]. let
        b:Ref{f32[2]} = new_ref[kind=None memory_space=None] a
        c:f32[2] <- b[...]
      in (c,) }
    """
def nextafter(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Return the floating-point number next to `x1` in the direction of `x2`, elementwise.

    Args:
      x1, x2: arrays or scalars of equal dtype (floating).
    Returns:
      An array of their shape and dtype; `x1` where they are equal, NaN where one is NaN.
    Raises:
      TypeError: `x1` is not an array or scalar of real floats, or shapes do not broadcast; lists are not converted.

    >>> print(lax.nextafter(0.0, 1.0))
    1e-45
    """
def nextafter_p(*args: Any, **params: Any) -> Array:
    """Bind `nextafter`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating, or dtypes or shapes differ.
    Rules: batch.
    See also: `lax.nextafter`, the function that binds it.

    >>> lax.nextafter_p.bind(jnp.ones((2, 3), 'float32'), jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def not_p(*args: Any, **params: Any) -> Array:
    """Bind `not`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3].
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or bool.
    Rules: jvp, batch.

    >>> lax.not_p.bind(jnp.ones((2, 3), 'int32')).aval
    ShapedArray(int32[2,3])
    """
def one_minus_square(x: ArrayLike) -> Array:
    """Return 1 - x * x, exact where x is near 1 or -1.

    Args:
      x: array or scalar (integer, floating, complexfloating).
    Returns:
      An array of its shape and dtype.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> lax.one_minus_square(0.5)
    Array(0.75, dtype=float32, weak_type=True)
    """
def optimization_barrier(operand: _T, /) -> _T:
    """Return `operand` as a value that no optimization may look behind: nothing is moved across, merged or left out.

    Args:
      operand: a tree of arrays.
    Returns:
      The tree, with the same values.
    Raises:
      TypeError: `operand` is not an array, a number, or a list of them.

    >>> lax.optimization_barrier((jnp.ones(2), 1))
    (Array([1., 1.], dtype=float32), Array(1, dtype=int32, weak_type=True))
    """
def optimization_barrier_p(*args: Any, **params: Any) -> Array:
    """Bind `optimization_barrier`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], i32[].
    Returns:
      A list of results, here f32[2,3], i32[].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.
    See also: `lax.optimization_barrier`, the function that binds it.

    >>> [x.aval for x in lax.optimization_barrier_p.bind(jnp.ones((2, 3), 'float32'), jnp.ones((), 'int32'))]
    [ShapedArray(float32[2,3]), ShapedArray(int32[])]
    """
def or_p(*args: Any, **params: Any) -> Array:
    """Bind `or`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or bool, or dtypes or shapes differ.
    Rules: jvp, batch.

    >>> lax.or_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(int32[2,3])
    """
def ormqr_p(*args: Any, **params: Any) -> Array:
    """Bind `ormqr`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[4,3], f32[3], f32[4,2].
      left: a parameter, for example True.
      transpose: a parameter, for example False.
    Returns:
      The result, here f32[4,2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch.

    >>> lax.ormqr_p.bind(
    ...     jnp.ones((4, 3), 'float32'),
    ...     jnp.ones((3,), 'float32'),
    ...     jnp.ones((4, 2), 'float32'),
    ...     left=True,
    ...     transpose=False,
    ... ).aval
    ShapedArray(float32[4,2])
    """
def owens_t_p(*args: Any, **params: Any) -> Array:
    """Bind `owens_t`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating, or dtypes or shapes differ.
    Rules: jvp, batch.

    >>> lax.owens_t_p.bind(jnp.ones((2, 3), 'float32'), jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def pad(operand: ArrayLike, padding_value: ArrayLike, padding_config: Sequence[tuple[int, int, int]]) -> Array:
    """Put a value before, after and between the elements along each axis.

    Args:
      operand: array.
      padding_value: scalar of the same dtype.
      padding_config: (before, after, between) for each axis; negative before and after cut away.
    Returns:
      An array of the operand's dtype, along each axis of length before + n + (n - 1) * between + after.
    Raises:
      TypeError: dtypes differ.
      ValueError: a triple is missing, `between` is negative, or more is cut away than there is.

    >>> lax.pad(jnp.array([1., 2.]), 0., [(1, 0, 2)])
    Array([0., 1., 0., 0., 2.], dtype=float32)
    """
def pad_p(*args: Any, **params: Any) -> Array:
    """Bind `pad`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[].
      padding_config: a parameter, for example ((1, 2, 0), (0, 1, 2)).
    Returns:
      The result, here f32[5,8].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.
    See also: `lax.pad`, the function that binds it.

    >>> lax.pad_p.bind(
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((), 'float32'),
    ...     padding_config=((1, 2, 0), (0, 1, 2)),
    ... ).aval
    ShapedArray(float32[5,8])
    """
def padtype_to_pads(in_shape: Sequence[int], window_shape: Sequence[int], window_strides: Sequence[int], padding: str | Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the padding before and after each axis that a name stands for.

    Args:
      in_shape, window_shape, window_strides: as many integers each.
      padding: "VALID": none. "SAME": so that there is a window for each stride; if the sum is odd, the
        rest comes at the end. "SAME_LOWER": it comes at the start.
    Returns:
      A list with a pair (before, after) for each axis.
    Raises:
      RuntimeError: another name.
      TypeError: not a string.

    >>> lax.padtype_to_pads((8, 9), (3, 2), (2, 1), "SAME")
    [(0, 1), (0, 1)]
    """
def pbroadcast(x: Any, axis_name: Any, source: int) -> Any:
    """Return the value of `x` at index `source` of a named axis, for all indices.

    Args:
      x: a tree of arrays.
      axis_name: the name of an axis of `vmap`, `pmap` or `shard_map`, or a tuple of names.
      source: the index, an int.
    Returns:
      A tree of the structure, shapes and dtypes of `x`, equal along the axis.
    Raises:
      NameError: no axis of that name is in scope.

    >>> vmap(lambda x: lax.pbroadcast(x, "i", 1), axis_name="i")(jnp.array([1, 2]))
    Array([2, 2], dtype=int32)
    """
def pcast(x: Any, axis_name: Any, *, to: str) -> Any:
    """Return `x` as a value that may, or may not, differ along a named axis; the numbers stay.

    `shard_map` keeps account of the mesh axes along which values vary, and asks for it where it matters.

    Args:
      x: a tree of arrays.
      axis_name: a name, or a tuple of names.
      to: "varying", "unreduced" or "reduced".
    Returns:
      The tree, with the same values.
    Raises:
      NameError: no axis of that name is in scope.
      ValueError: no axis is in scope, or `to` is none of these words.

    >>> vmap(lambda x: lax.pcast(x, "i", to="varying"), axis_name="i")(jnp.array([1, 2]))
    Array([1, 2], dtype=int32)
    """
def pcast_p(*args: Any, **params: Any) -> Array:
    """Bind `pcast`: a primitive, linear in its operands, which programs hold as an equation.
    It says of a value that it varies, or does not, over axes of a mesh.

    Args:
      args: its operands, for example f32[2,3].
      axes: a parameter, for example ().
      to: a parameter, for example 'varying'.
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch_axis.
    See also: `lax.pcast`, the function that binds it.

    >>> mesh = jax.make_mesh((1,), ("i",), (jax.sharding.AxisType.Auto,))
    >>> f = jax.shard_map(lambda x: lax.pcast_p.bind(x, axes=("i",), to="varying"),
    ...                   mesh=mesh, in_specs=jax.P(), out_specs=jax.P("i"))
    >>> jax.make_jaxpr(f)(jnp.ones(2))
    { lambda ; a:f32[2]. let
        b:f32[2] = shard_map[
          check_vma=True
          in_specs=(P(),)
          jaxpr={ lambda ; c:f32[2]. let
              d:f32[2]{V:i} = pcast[axes=('i',) to=varying] c
            in (d,) }
          mesh=Mesh('i': 1, axis_types=(Auto,))
          newly_manual_axes=frozenset({'i'})
          out_specs=(P('i',),)
        ] a
      in (b,) }
    """
def philox2x32_p(*args: Any, **params: Any) -> Array:
    """Bind `philox2x32`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example u32[], u32[], u32[].
    Returns:
      A list of results, here u32[], u32[].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch.

    >>> [x.aval for x in lax.philox2x32_p.bind(
    ...     jnp.ones((), 'uint32'),
    ...     jnp.ones((), 'uint32'),
    ...     jnp.ones((), 'uint32'),
    ... )]
    [ShapedArray(uint32[]), ShapedArray(uint32[])]
    """
def philox4x32_p(*args: Any, **params: Any) -> Array:
    """Bind `philox4x32`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example u32[], u32[], u32[], u32[], u32[], u32[].
    Returns:
      A list of results, here u32[], u32[], u32[], u32[].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch.

    >>> [x.aval for x in lax.philox4x32_p.bind(
    ...     jnp.ones((), 'uint32'),
    ...     jnp.ones((), 'uint32'),
    ...     jnp.ones((), 'uint32'),
    ...     jnp.ones((), 'uint32'),
    ...     jnp.ones((), 'uint32'),
    ...     jnp.ones((), 'uint32'),
    ... )]
    [ShapedArray(uint32[]), ShapedArray(uint32[]), ShapedArray(uint32[]), ShapedArray(uint32[])]
    """
def platform_dependent(*args: Any, default: Callable[..., Any] | None = None, **per_platform: Callable[..., Any]) -> Any:
    """Return the result of the function for the platform that the program runs on.

    While tracing, all functions become part of the program, and must have results of one type.

    Args:
      args: trees of arrays, for every function.
      default: the function for other platforms.
      per_platform: functions by the names of platforms: `cpu`, `cuda`, `rocm`, `tpu`.
    Returns:
      What the chosen function returns.
    Raises:
      NotImplementedError: the program runs on a platform without a function.
      TypeError: the results of the functions differ, or one is no function.

    >>> lax.platform_dependent(2., cpu=lambda x: x + 1, default=lambda x: x - 1)
    Array(3., dtype=float32, weak_type=True)
    """
def platform_index_p(*args: Any, **params: Any) -> Array:
    """Bind `platform_index`: a primitive, which programs hold as an equation.

    Args:
      args: its operands.
      platforms: a parameter, for example (('tpu',), ('cpu',), None).
    Returns:
      The result, here i32[].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch.

    >>> lax.platform_index_p.bind(platforms=(('tpu',), ('cpu',), None)).aval
    ShapedArray(int32[])
    """
def pmax(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """Return the greatest `x` over all indices of a named axis, elementwise.

    Args:
      x: a tree of arrays (integer, floating).
      axis_name: the name, or a tuple of names; an int takes a position of the arrays.
      axis_index_groups: lists of indices that cover the axis, to compare within each (not under vmap).
    Returns:
      A tree of the structure, shapes and dtypes of `x`, the same for all indices.
    Raises:
      NameError: no axis of that name is in scope.

    >>> vmap(lambda x: lax.pmax(x, "i"), axis_name="i")(jnp.array([1, 3]))
    Array([3, 3], dtype=int32)
    """
def pmax_p(*args: Any, **params: Any) -> Array:
    """Bind `pmax`: a primitive, which programs hold as an equation.
    It takes the maximum over the devices of an axis.

    Args:
      args: its operands, for example f32[2,3].
      axes: a parameter, for example (0,).
      axis_index_groups: a parameter, for example None.
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch_axis.
    See also: `lax.pmax`, the function that binds it.

    >>> jax.make_jaxpr(lambda x: lax.pmax(x, "i"), axis_env=[("i", 2)])(jnp.ones(3))
    { lambda ; a:f32[3]. let
        b:f32[3] = pmax[axes=('i',) axis_index_groups=None] a
      in (b,) }
    """
def pmean(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """Return the mean of `x` over all indices of a named axis, elementwise.

    Args:
      x: a tree of arrays.
      axis_name: the name, or a tuple of names; an int takes a position of the arrays.
      axis_index_groups: lists of indices that cover the axis, to take the mean within each (not under vmap).
    Returns:
      A tree of the structure and shapes of `x`, of floats, the same for all indices.
    Raises:
      NameError: no axis of that name is in scope.

    >>> vmap(lambda x: x - lax.pmean(x, "i"), axis_name="i")(jnp.array([1., 3.]))
    Array([-1.,  1.], dtype=float32)
    """
def pmin(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """Return the least `x` over all indices of a named axis, elementwise.

    Args:
      x: a tree of arrays (integer, floating).
      axis_name: the name, or a tuple of names; an int takes a position of the arrays.
      axis_index_groups: lists of indices that cover the axis, to compare within each (not under vmap).
    Returns:
      A tree of the structure, shapes and dtypes of `x`, the same for all indices.
    Raises:
      NameError: no axis of that name is in scope.

    >>> vmap(lambda x: lax.pmin(x, "i"), axis_name="i")(jnp.array([1, 3]))
    Array([1, 1], dtype=int32)
    """
def pmin_p(*args: Any, **params: Any) -> Array:
    """Bind `pmin`: a primitive, which programs hold as an equation.
    It takes the minimum over the devices of an axis.

    Args:
      args: its operands, for example f32[2,3].
      axes: a parameter, for example (0,).
      axis_index_groups: a parameter, for example None.
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch_axis.
    See also: `lax.pmin`, the function that binds it.

    >>> jax.make_jaxpr(lambda x: lax.pmin(x, "i"), axis_env=[("i", 2)])(jnp.ones(3))
    { lambda ; a:f32[3]. let
        b:f32[3] = pmin[axes=('i',) axis_index_groups=None] a
      in (b,) }
    """
def polygamma(m: ArrayLike, x: ArrayLike) -> Array:
    """Return the m-th derivative of digamma, elementwise.

    Args:
      m: array or scalar (floating) of whole numbers from 0 on.
      x: array or scalar of its dtype.
    Returns:
      An array of their shape and dtype; NaN where `m` is no whole number or negative.
    Raises:
      TypeError: `m` is not an array or scalar of real floats, or shapes do not broadcast; lists are not converted.

    >>> print(lax.polygamma(1.0, 1.0))
    1.644934
    """
def polygamma_p(*args: Any, **params: Any) -> Array:
    """Bind `polygamma`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating, or dtypes or shapes differ.
    Rules: jvp, batch.
    See also: `lax.polygamma`, the function that binds it.

    >>> lax.polygamma_p.bind(jnp.ones((2, 3), 'float32'), jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def polynomial(x: ArrayLike, coeffs: Sequence[Any], *, unroll: int | None = None) -> Array:
    """Return the polynomial with these coefficients, that of 1 first, by Horner's rule.

    Args:
      x: array or scalar.
      coeffs: numbers, or arrays that broadcast with `x`; none is the polynomial 0.
      unroll: the greatest number of terms that are written one by one; a loop runs over more. 8 by default.
    Returns:
      An array of the shape to which `x` and the coefficients broadcast, in the dtype to which they promote.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> lax.polynomial(3., [1., 5., 2.])
    Array(34., dtype=float32, weak_type=True)
    """
def population_count(x: ArrayLike) -> Array:
    """Return the number of bits that are 1; of a negative number in two's complement.

    Args:
      x: array or scalar (integer).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.population_count(7))
    3
    """
def population_count_p(*args: Any, **params: Any) -> Array:
    """Bind `population_count`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3].
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer.
    Rules: jvp, batch.
    See also: `lax.population_count`, the function that binds it.

    >>> lax.population_count_p.bind(jnp.ones((2, 3), 'int32')).aval
    ShapedArray(int32[2,3])
    """
def pow(x: ArrayLike, y: ArrayLike) -> Array:
    """Return the power x ** y; NaN where x is negative and y no whole number. y may be an integer.

    Args:
      x, y: arrays or scalars of equal dtype (floating, complexfloating).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of their dtype.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.pow(2.0, 3))
    8.0
    """
def pow_p(*args: Any, **params: Any) -> Array:
    """Bind `pow`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating, or dtypes or shapes differ.
    Rules: jvp, batch.
    See also: `lax.pow`, the function that binds it.

    >>> lax.pow_p.bind(jnp.ones((2, 3), 'float32'), jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def ppermute(x: Any, axis_name: Any, perm: Sequence[tuple[int, int]]) -> Any:
    """Send `x` along a named axis: for each (source, target) in `perm`, target gets source's value.

    An index that is no target receives zeros.

    Args:
      x: a tree of arrays.
      axis_name: the name of an axis of `vmap`, `pmap` or `shard_map`, or a tuple of names.
      perm: pairs (source, target) of indices.
    Returns:
      A tree of the structure, shapes and dtypes of `x`: what was sent to the index, or zeros.
    Raises:
      NameError: no axis of that name is in scope.
      ValueError: an index is out of range, or occurs twice as a source or as a target.

    >>> vmap(lambda x: lax.ppermute(x, "i", [(0, 1), (1, 0)]), axis_name="i")(jnp.array([1, 2]))
    Array([2, 1], dtype=int32)
    """
def ppermute_p(*args: Any, **params: Any) -> Array:
    """Bind `ppermute`: a primitive, linear in its operands, which programs hold as an equation.
    It sends the value of each device to another one.

    Args:
      args: its operands, for example f32[2,3].
      axis_name: a parameter, for example ('i',).
      perm: a parameter, for example ((0, 1), (1, 0)).
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch_axis.
    See also: `lax.ppermute`, the function that binds it.

    >>> jax.make_jaxpr(lambda x: lax.ppermute(x, "i", [(0, 1), (1, 0)]), axis_env=[("i", 2)])(jnp.ones(3))
    { lambda ; a:f32[3]. let
        b:f32[3] = ppermute[axis_name=('i',) perm=((0, 1), (1, 0))] a
      in (b,) }
    """
def precv(token: Any, out_shape: Any, axis_name: Any, perm: Sequence[tuple[int, int]]) -> Any:
    """Return what others sent along a named axis by `psend`, with the same `perm`.

    Args:
      token: of `psend`, or of `create_token`.
      out_shape: a `ShapeDtypeStruct` of the result.
      axis_name: the name of an axis of `shard_map`.
      perm: (source, target) pairs.
    Raises:
      NameError: no axis of that name is in scope.
      NotImplementedError: as `psend`.

    >>> def shift(x):
    ...     token = lax.psend(x, "i", [(0, 1)])
    ...     return lax.precv(token, jax.ShapeDtypeStruct(x.shape, x.dtype), "i", [(0, 1)])
    >>> [str(e.primitive) for e in jax.make_jaxpr(shift, axis_env=[("i", 2)])(jnp.ones(3)).eqns]
    ['psend', 'precv']
    """
def precv_p(*args: Any, **params: Any) -> Array:
    """Bind `precv`: a primitive, which programs hold as an equation.
    It receives the array that another device sends by `psend`.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch_axis.
    See also: `lax.precv`, the function that binds it.

    >>> f = lambda t: lax.precv(t, jax.ShapeDtypeStruct((3,), "float32"), "i", perm=[(0, 1)])
    >>> jax.make_jaxpr(f, axis_env=[("i", 2)])(lax.create_token())
    { lambda ; a:Tok. let
        b:f32[3] = precv[axis_name=('i',) out_shape=float32[3] perm=((0, 1),)] a
      in (b,) }
    """
def psend(x: Any, axis_name: Any, perm: Sequence[tuple[int, int]]) -> Any:
    """Begin to send `x` along a named axis, as in `ppermute`; the other half is `precv`.

    Args:
      x: an array.
      axis_name: the name of an axis of `shard_map`.
      perm: (source, target) pairs.
    Returns:
      A token, which orders `precv` behind it.
    Raises:
      NameError: no axis of that name is in scope.
      NotImplementedError: the program runs where devices have no network of their own, as on CPUs.

    >>> jax.make_jaxpr(lambda x: lax.psend(x, "i", [(0, 1)]), axis_env=[("i", 2)])(jnp.ones(3))
    { lambda ; a:f32[3]. let
        b:Tok = psend[axis_name=('i',) perm=((0, 1),)] a
      in (b,) }
    """
def psend_p(*args: Any, **params: Any) -> Array:
    """Bind `psend`: a primitive, which programs hold as an equation.
    It sends an array to another device, which receives it by `precv`.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch_axis.
    See also: `lax.psend`, the function that binds it.

    >>> jax.make_jaxpr(lambda x: lax.psend(x, "i", perm=[(0, 1)]), axis_env=[("i", 2)])(jnp.ones(3))
    { lambda ; a:f32[3]. let
        b:Tok = psend[axis_name=('i',) perm=((0, 1),)] a
      in (b,) }
    """
def pshuffle(x: Any, axis_name: Any, perm: Sequence[int]) -> Any:
    """Exchange `x` along a named axis: index i receives the value of index `perm[i]`.

    Args:
      x: a tree of arrays.
      axis_name: the name of an axis of `vmap`, `pmap` or `shard_map`.
      perm: a permutation of the indices, a list as long as the axis.
    Returns:
      A tree of the structure, shapes and dtypes of `x`.
    Raises:
      NameError: no axis of that name is in scope.
      ValueError: `perm` is not a permutation.

    >>> vmap(lambda x: lax.pshuffle(x, "i", [1, 0]), axis_name="i")(jnp.array([1, 2]))
    Array([2, 1], dtype=int32)
    """
def psum(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """Return the sum of `x` over all indices of a named axis, elementwise.

    Args:
      x: a tree of arrays; booleans are summed as integers.
      axis_name: the name, or a tuple of names; an int sums over a position of the arrays.
      axis_index_groups: lists of indices that cover the axis, to sum within each (not under vmap).
    Returns:
      A tree of the structure, shapes and dtypes of `x`, the same for all indices; of a number of Python a number of
      Python.
    Raises:
      NameError: no axis of that name is in scope.

    >>> vmap(lambda x: x / lax.psum(x, "i"), axis_name="i")(jnp.array([1., 3.]))
    Array([0.25, 0.75], dtype=float32)
    """
def psum_invariant_p(*args: Any, **params: Any) -> Array:
    """Bind `psum_invariant`: a primitive, linear in its operands, which programs hold as an equation.
    It sums over axes of a mesh, and its result varies over none of them.

    Args:
      args: its operands, for example f32[2,3].
      axes: a parameter, for example ().
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch_axis.

    >>> mesh = jax.make_mesh((1,), ("i",), (jax.sharding.AxisType.Auto,))
    >>> f = jax.shard_map(lambda x: lax.psum(x, "i"), mesh=mesh, in_specs=jax.P("i"), out_specs=jax.P())
    >>> jax.make_jaxpr(f)(jnp.ones(2)).eqns[0].params["jaxpr"]
    { lambda ; a:f32[2]{V:i}. let b:f32[2] = psum_invariant[axes=('i',)] a in (b,) }
    """
def psum_p(*args: Any, **params: Any) -> Array:
    """Bind `psum`: a primitive, linear in its operands, which programs hold as an equation.
    It sums over the devices of an axis.

    Args:
      args: its operands, for example f32[2,3].
      axes: a parameter, for example (0,).
      axis_index_groups: a parameter, for example None.
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch_axis.
    See also: `lax.psum`, the function that binds it.

    >>> jax.make_jaxpr(lambda x: lax.psum(x, "i"), axis_env=[("i", 2)])(jnp.ones(3))
    { lambda ; a:f32[3]. let
        b:f32[3] = psum[axes=('i',) axis_index_groups=None] a
      in (b,) }
    """
def psum_scatter(x: Any, axis_name: Any, *, scatter_dimension: int = 0, axis_index_groups: Any = None, tiled: bool = False) -> Any:
    """Return the sum of `x` over a named axis, of which each index keeps its part.

    Args:
      x: a tree of arrays; axis `scatter_dimension` has the length of the named axis, or with `tiled` a multiple of it.
      axis_name: the name, or a tuple of names.
      scatter_dimension: the axis of the arrays that is divided among the indices.
      axis_index_groups: lists of indices that cover the axis, to sum within each.
      tiled: keep the axis, divided among the indices, instead of taking it away.
    Returns:
      A tree of the structure of `x`: the part of the sum that belongs to the index, without axis `scatter_dimension`,
      or with `tiled` a part of its length.
    Raises:
      NameError: no axis of that name is in scope.
      ValueError: the length does not fit.

    >>> vmap(lambda x: lax.psum_scatter(x, "i"), axis_name="i")(jnp.array([[1, 2], [3, 4]]))
    Array([4, 6], dtype=int32)
    """
def pswapaxes(x: Any, axis_name: Any, axis: int, *, axis_index_groups: Any = None) -> Any:
    """Exchange a named axis for axis `axis` of `x`, which has the same length.

    Args:
      x: a tree of arrays.
      axis_name: the name of an axis of `vmap`, `pmap` or `shard_map`.
      axis: the axis of the arrays.
      axis_index_groups: lists of indices that cover the axis, to exchange within each.
    Returns:
      A tree of the structure, shapes and dtypes of `x`: element j of index i is element i of index j.
    Raises:
      NameError: no axis of that name is in scope.
      ValueError: the lengths differ.

    >>> vmap(lambda x: lax.pswapaxes(x, "i", 0), axis_name="i")(jnp.array([[1, 2], [3, 4]]))
    Array([[1, 3],
           [2, 4]], dtype=int32)
    """
def pure_callback_p(*args: Any, **params: Any) -> Array:
    """Bind `pure_callback`: a primitive, which programs hold as an equation.
    It calls a Python function that has no effects.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch_axis.

    >>> print(jax.make_jaxpr(lambda x: jax.pure_callback(np.sin, x, x))(jnp.ones(2)).eqns[-1])
    a:f32[2] = pure_callback[
      callback=_FlatCallback(callback_func=<ufunc 'sin'>, in_tree=PyTreeDef(((*,), {})))
      result_avals=(ShapedArray(float32[2]),)
      sharding=None
      vmap_method=None
    ] b
    """
def pvary_p(*args: Any, **params: Any) -> Array:
    """Bind `pvary`: a primitive, linear in its operands, which programs hold as an equation.
    It says of a value that it varies over axes of a mesh.

    Args:
      args: its operands, for example f32[2,3].
      axes: a parameter, for example ().
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch_axis.

    >>> mesh = jax.make_mesh((1,), ("i",), (jax.sharding.AxisType.Auto,))
    >>> f = jax.shard_map(lambda x: lax.pvary_p.bind(x, axes=("i",)),
    ...                   mesh=mesh, in_specs=jax.P(), out_specs=jax.P("i"))
    >>> jax.make_jaxpr(f)(jnp.ones(2)).eqns[0].params["jaxpr"]
    { lambda ; a:f32[2]. let b:f32[2]{V:i} = pvary[axes=('i',)] a in (b,) }
    """
def qr_p(*args: Any, **params: Any) -> Array:
    """Bind `qr`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[3,4].
      pivoting: a parameter, for example False.
      full_matrices: a parameter, for example False.
      use_magma: a parameter, for example None.
    Returns:
      A list of results, here f32[3,3], f32[3,4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.

    >>> [x.aval for x in lax.qr_p.bind(
    ...     jnp.ones((3, 4), 'float32'),
    ...     pivoting=False,
    ...     full_matrices=False,
    ...     use_magma=None,
    ... )]
    [ShapedArray(float32[3,3]), ShapedArray(float32[3,4])]
    """
def ragged_all_to_all(operand: ArrayLike, output: Any, input_offsets: ArrayLike, send_sizes: ArrayLike, output_offsets: ArrayLike, recv_sizes: ArrayLike, *, axis_name: Any, axis_index_groups: Any = None) -> Array:
    """Exchange pieces of rows along a named axis, each of a length of its own.

    Each of K pieces is `send_sizes[q]` rows of `operand` from `input_offsets[q]` on; the first share of the pieces
    goes to index 0 of the axis, the next to index 1, and so on. They are put into the receiver's result from row
    `output_offsets[q]` on, which the sender says.

    Args:
      operand: `[n, ...]`, what is sent.
      output: `[m, ...]`, the result where nothing arrives.
      input_offsets, send_sizes, output_offsets: `[K]` integers, K a multiple of the size of the axis.
      recv_sizes: `[K]`, the sizes of the pieces that arrive, by sender.
      axis_name: the name of an axis of `vmap`, `pmap` or `shard_map`.
      axis_index_groups: exchange inside these groups, of equal size.
    Returns:
      An array of the shape and dtype of `output`: its rows, but for those that arrived.
    Raises:
      NameError: no axis of that name is in scope.
      ValueError: sizes and offsets are not integers, or not of rank 1.

    >>> x, sizes = jnp.array([[1, 2, 2], [3, 4, 0]]), jnp.array([[1, 2], [1, 1]])
    >>> starts, to = jnp.array([[0, 1], [0, 1]]), jnp.array([[0, 0], [1, 2]])
    >>> exchange = lambda *args: lax.ragged_all_to_all(*args, axis_name="i")
    >>> vmap(exchange, axis_name="i")(x, jnp.zeros((2, 4), int), starts, sizes, to, sizes.T)
    Array([[1, 3, 0, 0],
           [2, 2, 4, 0]], dtype=int32)
    """
def ragged_all_to_all_p(*args: Any, **params: Any) -> Array:
    """Bind `ragged_all_to_all`: a primitive, which programs hold as an equation.
    It sends slices of different lengths to the devices of an axis.

    Args:
      args: its operands, for example f32[3], f32[4], i32[2], i32[2], i32[2], i32[2].
      axis_name: a parameter, for example ('i',).
      axis_index_groups: a parameter, for example None.
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch_axis.
    See also: `lax.ragged_all_to_all`, the function that binds it.

    >>> f = lambda x, out, n: lax.ragged_all_to_all(x, out, n, n, n, n, axis_name="i")
    >>> jax.make_jaxpr(f, axis_env=[("i", 2)])(jnp.ones(4), jnp.zeros(4), jnp.ones(2, int))
    { lambda ; a:f32[4] b:f32[4] c:i32[2]. let
        d:f32[4] = ragged_all_to_all[axis_index_groups=None axis_name=('i',)] a b c c
          c c
      in (d,) }
    """
def ragged_dot(lhs: ArrayLike, rhs: ArrayLike, group_sizes: ArrayLike, precision: Any = None, preferred_element_type: DTypeLike | None = None, group_offset: ArrayLike | None = None, out_sharding: Any = None) -> Array:
    """Return products of consecutive groups of rows of `lhs`, each with its own matrix.

    Args:
      lhs: ``[m, k]``, of which the first `group_sizes[0]` rows belong to group 0, and so on.
      rhs: ``[g, k, n]``, a matrix for each group.
      group_sizes: ``[g]`` integers; rows beyond their sum give zeros.
      precision: see `Precision`.
      preferred_element_type: the dtype of the result, and of the sums if it is wider.
      group_offset: not supported, as in JAX.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      ``[m, n]``: row i of `lhs` times the matrix of its group.
      The dtype is the one to which those of the operands promote, unless `preferred_element_type` says another.
    Raises:
      NotImplementedError: `group_offset` is given, as in JAX.
      TypeError: ranks or lengths do not fit.

    >>> lax.ragged_dot(jnp.ones((3, 2)), jnp.ones((2, 2, 1)), jnp.array([1, 2]))[:, 0]
    Array([2., 2., 2.], dtype=float32)
    """
def ragged_dot_general(lhs: ArrayLike, rhs: ArrayLike, group_sizes: ArrayLike, ragged_dot_dimension_numbers: RaggedDotDimensionNumbers, precision: Any = None, preferred_element_type: DTypeLike | None = None, group_offset: ArrayLike | None = None, out_sharding: Any = None) -> Array:
    """Return a product like `dot_general`, of which an axis of `lhs` falls into consecutive groups.

    Args:
      lhs, rhs: arrays; unequal dtypes promote.
      group_sizes: integers ``[g]``, the lengths of the groups along the ragged axis of `lhs`; or ``[b..., x..., g]``,
        where they differ along the batch axes b and the axes x of `lhs` of the ragged axis' kind that come before it.
      ragged_dot_dimension_numbers: the axes. If the ragged axis is free, `rhs` has a group axis and each group its own
        part of `rhs`; positions in no group give zeros. If it is contracted, the result has a group axis in front, with
        the sum over each group. As a batch axis, it makes no difference.
      precision: see `Precision`.
      preferred_element_type: the dtype of the result, and of the sums if it is wider.
      group_offset: not supported, as in JAX.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array with the group axis, if the ragged axis is contracted, then the batch axes, the other axes of `lhs`, and
      those of `rhs`. The dtype is the one to which those of the operands promote, unless `preferred_element_type` says
      another.
    Raises:
      NotImplementedError: `group_offset` is given, as in JAX.
      TypeError: axes, ranks or lengths do not fit.

    >>> numbers = lax.RaggedDotDimensionNumbers((((0,), (0,)), ((), ())), (0,), ())
    >>> lax.ragged_dot_general(jnp.ones((3, 1)), jnp.ones((3, 1)), jnp.array([1, 2]), numbers).ravel()
    Array([1., 2.], dtype=float32)
    """
def ragged_dot_general_p(*args: Any, **params: Any) -> Array:
    """Bind `ragged_dot_general`: a primitive, which programs hold as an equation.
    It multiplies rows by one of several matrices, group by group.

    Args:
      args: its operands, for example f32[5,2], f32[3,2,4], i32[3].
      ragged_dot_dimension_numbers: a parameter, for example RaggedDotDimensionNumbers(dot_dimension_numbers=(((1,), (1,)), ((), ())), lhs.
      precision: a parameter, for example None.
      preferred_element_type: a parameter, for example None.
      group_offset: a parameter, for example None.
      out_sharding: a parameter, for example None.
    Returns:
      The result, here f32[5,4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.
    See also: `lax.ragged_dot_general`, the function that binds it.

    >>> print(jax.make_jaxpr(lax.ragged_dot)(jnp.ones((4, 3)), jnp.ones((2, 3, 5)), jnp.array([1, 3])).eqns[-1])
    a:f32[4,5] = ragged_dot_general[
      group_offset=None
      out_sharding=None
      precision=None
      preferred_element_type=None
      ragged_dot_dimension_numbers=RaggedDotDimensionNumbers(dot_dimension_numbers=(((1,),...
    ] b c d
    """
def random_bits_p(*args: Any, **params: Any) -> Array:
    """Bind `random_bits`: a primitive, which programs hold as an equation.
    It draws random bits from a key.

    Args:
      args: its operands, for example key<fry>[].
      bit_width: a parameter, for example 32.
      shape: a parameter, for example (2, 3).
    Returns:
      The result, here u32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.

    >>> jax.make_jaxpr(lambda key: jax.random.bits(key, (2,)))(jax.random.key(0))
    { lambda ; a:key<fry>[]. let
        b:u32[2] = random_bits[bit_width=32 shape=(2,)] a
      in (b,) }
    """
def random_clone_p(*args: Any, **params: Any) -> Array:
    """Bind `random_clone`: a primitive, which programs hold as an equation.
    It copies a key, which may then be used once more.

    Args:
      args: its operands, for example key<fry>[].
    Returns:
      The result, here key<fry>[].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.

    >>> jax.make_jaxpr(jax.random.clone)(jax.random.key(0))
    { lambda ; a:key<fry>[]. let b:key<fry>[] = random_clone a in (b,) }
    """
def random_fold_in_p(*args: Any, **params: Any) -> Array:
    """Bind `random_fold_in`: a primitive, which programs hold as an equation.
    It makes a key of a key and a number.

    Args:
      args: its operands, for example key<fry>[], u32[].
    Returns:
      The result, here key<fry>[].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.

    >>> jax.make_jaxpr(lambda key: jax.random.fold_in(key, 1))(jax.random.key(0))
    { lambda ; a:key<fry>[]. let b:key<fry>[] = random_fold_in a 1:u32[] in (b,) }
    """
def random_gamma_grad(a: ArrayLike, x: ArrayLike) -> Array:
    """Return the derivative of a gamma-distributed sample with respect to its shape parameter, elementwise.

    `random.gamma` is differentiated with it: `x` is taken as a function of `a` at a fixed quantile.

    Args:
      a: array or scalar (floating), the positive shape parameter.
      x: array or scalar of its dtype, a sample.
    Returns:
      An array of their shape and dtype.
    Raises:
      TypeError: `a` is not an array or scalar of real floats, or shapes do not broadcast; lists are not converted.

    >>> print(lax.random_gamma_grad(2.0, 1.0))
    0.7507787
    """
def random_gamma_grad_p(*args: Any, **params: Any) -> Array:
    """Bind `random_gamma_grad`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating, or dtypes or shapes differ.
    Rules: jvp, batch.
    See also: `lax.random_gamma_grad`, the function that binds it.

    >>> lax.random_gamma_grad_p.bind(jnp.ones((2, 3), 'float32'), jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def random_gamma_p(*args: Any, **params: Any) -> Array:
    """Bind `random_gamma`: a primitive, which programs hold as an equation.
    It draws from the gamma distribution.

    Args:
      args: its operands, for example key<fry>[], f32[2,3].
      log_space: a parameter, for example False.
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.

    >>> jax.make_jaxpr(lambda key: lax.random_gamma_p.bind(key, 2.0, log_space=False))(jax.random.key(0))
    { lambda ; a:key<fry>[]. let
        b:f32[] = random_gamma[log_space=False] a 2.0:f32[]
      in (b,) }
    """
def random_seed_p(*args: Any, **params: Any) -> Array:
    """Bind `random_seed`: a primitive, which programs hold as an equation.
    It makes a key of an integer.

    Args:
      args: its operands, for example i32[].
      impl: a parameter, for example PRNGImpl(key_shape=(2,), name='threefry2x32', tag='fry').
    Returns:
      The result, here key<fry>[].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.

    >>> jax.make_jaxpr(jax.random.key)(0)
    { lambda ; a:i32[]. let b:key<fry>[] = random_seed[impl=fry] a in (b,) }
    """
def random_split_p(*args: Any, **params: Any) -> Array:
    """Bind `random_split`: a primitive, which programs hold as an equation.
    It makes new keys of a key.

    Args:
      args: its operands, for example key<fry>[].
      shape: a parameter, for example (2,).
    Returns:
      The result, here key<fry>[2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.

    >>> jax.make_jaxpr(jax.random.split)(jax.random.key(0))
    { lambda ; a:key<fry>[]. let
        b:key<fry>[2] = random_split[shape=(2,)] a
      in (b,) }
    """
def random_unwrap_p(*args: Any, **params: Any) -> Array:
    """Bind `random_unwrap`: a primitive, which programs hold as an equation.
    It gives the numbers that a key consists of.

    Args:
      args: its operands, for example key<fry>[].
    Returns:
      The result, here u32[2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.

    >>> jax.make_jaxpr(jax.random.key_data)(jax.random.key(0))
    { lambda ; a:key<fry>[]. let b:u32[2] = random_unwrap a in (b,) }
    """
def random_wrap_p(*args: Any, **params: Any) -> Array:
    """Bind `random_wrap`: a primitive, which programs hold as an equation.
    It makes a key of the numbers that it consists of.

    Args:
      args: its operands, for example u32[2].
      impl: a parameter, for example PRNGImpl(key_shape=(2,), name='threefry2x32', tag='fry').
    Returns:
      The result, here key<fry>[].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.

    >>> jax.make_jaxpr(jax.random.wrap_key_data)(jnp.zeros(2, "uint32"))
    { lambda ; a:u32[2]. let b:key<fry>[] = random_wrap[impl=fry] a in (b,) }
    """
def real(x: ArrayLike) -> Array:
    """Return the real part of a complex number.

    Args:
      x: array or scalar (complexfloating).
    Returns:
      An array with that value for each element, of the shape of `x` and of the dtype of the parts.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.real(1 + 2j))
    1.0
    """
def real_p(*args: Any, **params: Any) -> Array:
    """Bind `real`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example c64[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is complexfloating.
    Rules: jvp, transpose, batch.
    See also: `lax.real`, the function that binds it.

    >>> lax.real_p.bind(jnp.ones((2, 3), 'complex64')).aval
    ShapedArray(float32[2,3])
    """
def reciprocal(x: ArrayLike) -> Array:
    """Return 1 / x, elementwise.

    Args:
      x: array or scalar (floating, complexfloating).
    Returns:
      An array of its shape and dtype; infinite where `x` is 0.
    Raises:
      TypeError: `x` is an integer.

    >>> print(lax.reciprocal(4.0))
    0.25
    """
def reduce(operands: Sequence[ArrayLike] | ArrayLike, init_values: Any, computation: Callable[[Any, Any], Any], dimensions: Sequence[int], out_sharding: Any = None) -> Any:
    """Combine all elements along `dimensions` by a computation of your own.

    Args:
      operands: a tree of arrays of equal shape.
      init_values: a tree of scalars to start from; neutral elements of `computation`.
      computation: (tree of elements, tree of elements) -> tree of elements. It must be associative:
        the grouping is not defined.
      dimensions: the axes to reduce.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      A tree of arrays without those axes, of the dtypes of the operands.
    Raises:
      ValueError: the trees differ, or an initial value is not a scalar.

    >>> lax.reduce(jnp.array([3., 4.]), 0., jnp.hypot, [0])
    Array(5., dtype=float32)
    """
def reduce_and(operand: ArrayLike, axes: Sequence[int]) -> Array:
    """Return the bits that all elements over `axes` have; whether all are true.

    Args:
      operand: array or scalar.
      axes: the axes to reduce, at least 0.
    Returns:
      That value for each index of the other axes: an array of the operand's dtype without these axes.
    Raises:
      TypeError: the operation is none of the dtype.
      ValueError: an axis occurs twice or is out of range.

    >>> lax.reduce_and(jnp.array([True, False]), [0])
    Array(False, dtype=bool)
    """
def reduce_and_p(*args: Any, **params: Any) -> Array:
    """Bind `reduce_and`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example bool[2,3].
      axes: a parameter, for example (1,).
    Returns:
      The result, here bool[2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.
    See also: `lax.reduce_and`, the function that binds it.

    >>> lax.reduce_and_p.bind(jnp.ones((2, 3), 'bool'), axes=(1,)).aval
    ShapedArray(bool[2])
    """
def reduce_max(operand: ArrayLike, axes: int | Sequence[int] | None) -> Array:
    """Return the greatest element over `axes`; the least number of an empty axis.

    Args:
      operand: array or scalar.
      axes: the axes to reduce, at least 0.
    Returns:
      That value for each index of the other axes: an array of the operand's dtype without these axes.
    Raises:
      TypeError: the operation is none of the dtype.
      ValueError: an axis occurs twice or is out of range.

    >>> lax.reduce_max(jnp.array([2, 3, 1]), [0])
    Array(3, dtype=int32)
    """
def reduce_max_p(*args: Any, **params: Any) -> Array:
    """Bind `reduce_max`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
      axes: a parameter, for example (1,).
    Returns:
      The result, here f32[2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.
    See also: `lax.reduce_max`, the function that binds it.

    >>> lax.reduce_max_p.bind(jnp.ones((2, 3), 'float32'), axes=(1,)).aval
    ShapedArray(float32[2])
    """
def reduce_min(operand: ArrayLike, axes: int | Sequence[int] | None) -> Array:
    """Return the least element over `axes`; the greatest number of an empty axis.

    Args:
      operand: array or scalar.
      axes: the axes to reduce, at least 0.
    Returns:
      That value for each index of the other axes: an array of the operand's dtype without these axes.
    Raises:
      TypeError: the operation is none of the dtype.
      ValueError: an axis occurs twice or is out of range.

    >>> lax.reduce_min(jnp.array([2, 3, 1]), [0])
    Array(1, dtype=int32)
    """
def reduce_min_p(*args: Any, **params: Any) -> Array:
    """Bind `reduce_min`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
      axes: a parameter, for example (1,).
    Returns:
      The result, here f32[2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.
    See also: `lax.reduce_min`, the function that binds it.

    >>> lax.reduce_min_p.bind(jnp.ones((2, 3), 'float32'), axes=(1,)).aval
    ShapedArray(float32[2])
    """
def reduce_or(operand: ArrayLike, axes: int | Sequence[int] | None) -> Array:
    """Return the bits that any element over `axes` has; whether any is true.

    Args:
      operand: array or scalar.
      axes: the axes to reduce, at least 0.
    Returns:
      That value for each index of the other axes: an array of the operand's dtype without these axes.
    Raises:
      TypeError: the operation is none of the dtype.
      ValueError: an axis occurs twice or is out of range.

    >>> lax.reduce_or(jnp.array([True, False]), [0])
    Array(True, dtype=bool)
    """
def reduce_or_p(*args: Any, **params: Any) -> Array:
    """Bind `reduce_or`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example bool[2,3].
      axes: a parameter, for example (1,).
    Returns:
      The result, here bool[2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.
    See also: `lax.reduce_or`, the function that binds it.

    >>> lax.reduce_or_p.bind(jnp.ones((2, 3), 'bool'), axes=(1,)).aval
    ShapedArray(bool[2])
    """
def reduce_p(*args: Any, **params: Any) -> Array:
    """Bind `reduce`: a primitive, which programs hold as an equation.
    It combines the elements along axes by a program.

    Args:
      args: its operands, for example f32[3,2], f32[].
      computation: a parameter, for example add.
      dimensions: a parameter, for example (0,).
      jaxpr: a parameter, for example { lambda ; a:f32[] b:f32[]. let c:f32[] = add a b in (c,) }.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch_axis.
    See also: `lax.reduce`, the function that binds it.

    >>> print(jax.make_jaxpr(lambda x: lax.reduce(x, 1.0, lambda a, b: a * b + 1, (0,)))(jnp.ones(3)).eqns[-1])
    a:f32[] = reduce[
      computation=<function <lambda>.<locals>.<lambda> at 0x...>
      dimensions=(0,)
      jaxpr={ lambda ; b:f32[] c:f32[]. let
          d:f32[] = mul b c
          e:f32[] = add d 1.0:f32[]
        in (e,) }
    ] f 1.0:f32[]
    """
def reduce_precision(operand: ArrayLike, exponent_bits: int, mantissa_bits: int) -> Array:
    """Return floats rounded to fewer bits; the dtype stays.

    Args:
      operand: array or scalar (floating).
      exponent_bits, mantissa_bits: the bits that are kept; float16 has 5 and 10, bfloat16 8 and 7.
    Returns:
      An array of the operand's shape and dtype: the nearest numbers that have so few bits, infinite where the exponent
      is too great.
    Raises:
      TypeError: `operand` is not floating, or a number of bits is no integer.
      ValueError: `exponent_bits` is not positive, or `mantissa_bits` is negative.

    >>> lax.reduce_precision(1.001, 8, 7)
    Array(1., dtype=float32, weak_type=True)
    """
def reduce_precision_p(*args: Any, **params: Any) -> Array:
    """Bind `reduce_precision`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[10].
      exponent_bits: a parameter, for example 5.
      mantissa_bits: a parameter, for example 10.
    Returns:
      The result, here f32[10].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.
    See also: `lax.reduce_precision`, the function that binds it.

    >>> lax.reduce_precision_p.bind(
    ...     jnp.ones((10,), 'float32'),
    ...     exponent_bits=5,
    ...     mantissa_bits=10,
    ... ).aval
    ShapedArray(float32[10])
    """
def reduce_prod(operand: ArrayLike, axes: int | Sequence[int] | None) -> Array:
    """Return the product over `axes`; 1 of an empty axis.

    Args:
      operand: array or scalar.
      axes: the axes to reduce, at least 0.
    Returns:
      That value for each index of the other axes: an array of the operand's dtype without these axes.
    Raises:
      TypeError: the operation is none of the dtype.
      ValueError: an axis occurs twice or is out of range.

    >>> lax.reduce_prod(jnp.array([2, 3, 4]), [0])
    Array(24, dtype=int32)
    """
def reduce_prod_p(*args: Any, **params: Any) -> Array:
    """Bind `reduce_prod`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
      axes: a parameter, for example (1,).
    Returns:
      The result, here f32[2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.
    See also: `lax.reduce_prod`, the function that binds it.

    >>> lax.reduce_prod_p.bind(jnp.ones((2, 3), 'float32'), axes=(1,)).aval
    ShapedArray(float32[2])
    """
def reduce_scatter_p(*args: Any, **params: Any) -> Array:
    """Bind `reduce_scatter`: a primitive, linear in its operands, which programs hold as an equation.
    It sums over the devices of an axis, each of which gets a part of the sum.

    Args:
      args: its operands, for example f32[2,3].
      scatter_dimension: a parameter, for example 0.
      axis_name: a parameter, for example ('i',).
      axis_index_groups: a parameter, for example None.
      axis_size: a parameter, for example 2.
      tiled: a parameter, for example False.
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch_axis.

    >>> jax.make_jaxpr(lambda x: lax.psum_scatter(x, "i"), axis_env=[("i", 2)])(jnp.ones(2))
    { lambda ; a:f32[2]. let
        b:f32[] = reduce_scatter[
          axis_index_groups=None
          axis_name=('i',)
          axis_size=2
          scatter_dimension=0
          tiled=False
        ] a
      in (b,) }
    """
def reduce_sum(operand: ArrayLike, axes: Sequence[int], *, out_sharding: Any = None) -> Array:
    """Return the sum over `axes`; 0 of an empty axis.

    Args:
      operand: array or scalar (integer, floating, complexfloating).
      axes: the axes to sum over, at least 0.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      The sums, in the operand's dtype (integers wrap around), in an array without these axes.
    Raises:
      ValueError: an axis occurs twice or is out of range.

    >>> lax.reduce_sum(jnp.array([[1, 2], [3, 4]]), [0])
    Array([4, 6], dtype=int32)
    """
def reduce_sum_p(*args: Any, **params: Any) -> Array:
    """Bind `reduce_sum`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
      axes: a parameter, for example (1,).
    Returns:
      The result, here f32[2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.
    See also: `lax.reduce_sum`, the function that binds it.

    >>> lax.reduce_sum_p.bind(jnp.ones((2, 3), 'float32'), axes=(1,)).aval
    ShapedArray(float32[2])
    """
def reduce_window(operand: ArrayLike, init_value: ArrayLike, computation: Callable[..., Any], window_dimensions: Sequence[int], window_strides: Sequence[int] | None = None, padding: str | Sequence[tuple[int, int]] = 'VALID', base_dilation: Sequence[int] | None = None, window_dilation: Sequence[int] | None = None) -> Any:
    """Combine the elements of each window that slides over an array.

    Args:
      operand: an array, or a tree of arrays of equal shape.
      init_value: a scalar, or a tree of scalars, to start from and to pad with: the neutral element.
      computation: (tree of elements, tree of elements) -> tree of elements; associative.
      window_dimensions: the length of a window along each axis.
      window_strides: the distance of windows along each axis; default 1.
      padding: "VALID", "SAME", "SAME_LOWER", or a pair (before, after) for each axis.
      base_dilation, window_dilation: factors by which array and windows are spread; default 1.
    Returns:
      An array, or a tree of arrays, with an element for each window. The dtype is that of `operand`.
    Raises:
      TypeError: lengths do not fit, are not positive, or dtypes differ.
      ValueError: trees differ.

    Derivatives: of sums, maxima and minima of any order and mode; of other computations likewise, with
    a backward pass that unrolls the window.

    >>> lax.reduce_window(jnp.array([1., 3., 2., 0.]), -jnp.inf, lax.max, (2,), (2,))
    Array([3., 2.], dtype=float32)
    """
def reduce_window_max_p(*args: Any, **params: Any) -> Array:
    """Bind `reduce_window_max`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[3,4].
      window_dimensions: a parameter, for example (2, 2).
      window_strides: a parameter, for example (1, 1).
      padding: a parameter, for example ((0, 0), (0, 0)).
      base_dilation: a parameter, for example (1, 1).
      window_dilation: a parameter, for example (1, 1).
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.

    >>> lax.reduce_window_max_p.bind(
    ...     jnp.ones((3, 4), 'float32'),
    ...     window_dimensions=(2, 2),
    ...     window_strides=(1, 1),
    ...     padding=((0, 0), (0, 0)),
    ...     base_dilation=(1, 1),
    ...     window_dilation=(1, 1),
    ... ).aval
    ShapedArray(float32[2,3])
    """
def reduce_window_min_p(*args: Any, **params: Any) -> Array:
    """Bind `reduce_window_min`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[3,4].
      window_dimensions: a parameter, for example (2, 2).
      window_strides: a parameter, for example (1, 1).
      padding: a parameter, for example ((0, 0), (0, 0)).
      base_dilation: a parameter, for example (1, 1).
      window_dilation: a parameter, for example (1, 1).
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.

    >>> lax.reduce_window_min_p.bind(
    ...     jnp.ones((3, 4), 'float32'),
    ...     window_dimensions=(2, 2),
    ...     window_strides=(1, 1),
    ...     padding=((0, 0), (0, 0)),
    ...     base_dilation=(1, 1),
    ...     window_dilation=(1, 1),
    ... ).aval
    ShapedArray(float32[2,3])
    """
def reduce_window_p(*args: Any, **params: Any) -> Array:
    """Bind `reduce_window`: a primitive, which programs hold as an equation.
    It combines the elements of each window by a program.

    Args:
      args: its operands, for example f32[3,4], f32[].
      jaxpr: a parameter, for example { lambda ; a:f32[] b:f32[]. let c:f32[] = mul a b in (c,) }.
      consts: a parameter, for example ().
      window_dimensions: a parameter, for example (2, 2).
      window_strides: a parameter, for example (1, 2).
      padding: a parameter, for example ((1, 0), (0, 1)).
      base_dilation: a parameter, for example (1, 1).
      window_dilation: a parameter, for example (2, 1).
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, linearize, batch_axis.
    See also: `lax.reduce_window`, the function that binds it.

    >>> f = lambda x: lax.reduce_window(x, 1.0, lambda a, b: a * b + 1, (2,), (1,), "VALID")
    >>> jax.make_jaxpr(f)(jnp.ones(3))
    { lambda ; a:f32[3]. let
        b:f32[2] = reduce_window[
          base_dilation=(1,)
          consts=()
          jaxpr={ lambda ; c:f32[] d:f32[]. let
              e:f32[] = mul c d
              f:f32[] = add e 1.0:f32[]
            in (f,) }
          padding=((0, 0),)
          window_dilation=(1,)
          window_dimensions=(2,)
          window_strides=(1,)
        ] a 1.0:f32[]
      in (b,) }
    """
def reduce_window_shape_tuple(operand_shape: Sequence[int], window_dimensions: Sequence[int], window_strides: Sequence[int], padding: str | Sequence[tuple[int, int]], base_dilation: Sequence[int] | None = None, window_dilation: Sequence[int] | None = None) -> tuple[int, ...]:
    """Return the number of windows along each axis.

    Args:
      operand_shape: the lengths of the axes.
      window_dimensions, window_strides: for each axis the length of a window, and the distance of two.
      padding: a pair (before, after) for each axis.
      base_dilation, window_dilation: factors by which array and windows are spread; 1 by default.
    Returns:
      A tuple with a number for each axis.
    Raises:
      TypeError: the arguments have not as many entries as the operand has axes.

    >>> lax.reduce_window_shape_tuple((7, 8), (2, 3), (2, 1), [(0, 1), (1, 1)])
    (4, 8)
    """
def reduce_window_sum_p(*args: Any, **params: Any) -> Array:
    """Bind `reduce_window_sum`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[3,4].
      window_dimensions: a parameter, for example (2, 2).
      window_strides: a parameter, for example (1, 1).
      padding: a parameter, for example ((0, 0), (0, 0)).
      base_dilation: a parameter, for example (1, 1).
      window_dilation: a parameter, for example (1, 1).
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.

    >>> lax.reduce_window_sum_p.bind(
    ...     jnp.ones((3, 4), 'float32'),
    ...     window_dimensions=(2, 2),
    ...     window_strides=(1, 1),
    ...     padding=((0, 0), (0, 0)),
    ...     base_dilation=(1, 1),
    ...     window_dilation=(1, 1),
    ... ).aval
    ShapedArray(float32[2,3])
    """
def reduce_xor(operand: ArrayLike, axes: int | Sequence[int] | None) -> Array:
    """Return the bits that an odd number of elements over `axes` have.

    Args:
      operand: array or scalar.
      axes: the axes to reduce, at least 0.
    Returns:
      That value for each index of the other axes: an array of the operand's dtype without these axes.
    Raises:
      TypeError: the operation is none of the dtype.
      ValueError: an axis occurs twice or is out of range.

    >>> lax.reduce_xor(jnp.array([7, 1, 2]), [0])
    Array(4, dtype=int32)
    """
def reduce_xor_p(*args: Any, **params: Any) -> Array:
    """Bind `reduce_xor`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example bool[2,3].
      axes: a parameter, for example (1,).
    Returns:
      The result, here bool[2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.
    See also: `lax.reduce_xor`, the function that binds it.

    >>> lax.reduce_xor_p.bind(jnp.ones((2, 3), 'bool'), axes=(1,)).aval
    ShapedArray(bool[2])
    """
def regularized_incomplete_beta_p(*args: Any, **params: Any) -> Array:
    """Bind `regularized_incomplete_beta`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating, or dtypes or shapes differ.
    Rules: jvp, batch.

    >>> lax.regularized_incomplete_beta_p.bind(
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ... ).aval
    ShapedArray(float32[2,3])
    """
def rem(x: ArrayLike, y: ArrayLike) -> Array:
    """Return the remainder of `div`, which has the sign of x; of integers, x where y is 0.

    Args:
      x, y: arrays or scalars of equal dtype (integer, floating).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of their dtype.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.rem(-7, 2))
    -1
    """
def rem_p(*args: Any, **params: Any) -> Array:
    """Bind `rem`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or floating, or dtypes or shapes differ.
    Rules: jvp, transpose, batch.
    See also: `lax.rem`, the function that binds it.

    >>> lax.rem_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(int32[2,3])
    """
def remat2_p(*args: Any, **params: Any) -> Array:
    """Bind `remat2`: a primitive, which programs hold as an equation.
    It runs a program, which derivatives run again rather than keep its values.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, linearize, transpose, batch_axis.

    >>> jax.make_jaxpr(jax.checkpoint(jnp.sin))(1.0)
    { lambda ; a:f32[]. let
        b:f32[] = remat2[
          differentiated=False
          jaxpr={ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }
          policy=None
          prevent_cse=True
        ] a
      in (b,) }
    """
from adjoint.custom_derivatives import remat_opt_p as remat_opt_p
def reshape(operand: ArrayLike, new_sizes: Sequence[int], dimensions: Sequence[int] | None = None, *, out_sharding: Any = None) -> Array:
    """Give an array another shape; elements keep their row-major order.

    Args:
      operand: array or scalar.
      new_sizes: the shape, of as many elements.
      dimensions: a permutation to apply before, so that elements are read in another order.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of shape `new_sizes` with the same elements, in the same order. The dtype is that of `operand`.
    Raises:
      TypeError: the number of elements differs, or `dimensions` is no permutation.

    >>> lax.reshape(jnp.arange(4), (2, 2))
    Array([[0, 1],
           [2, 3]], dtype=int32)
    """
def reshape_p(*args: Any, **params: Any) -> Array:
    """Bind `reshape`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
      new_sizes: a parameter, for example (3, 2).
      dimensions: a parameter, for example None.
    Returns:
      The result, here f32[3,2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.
    See also: `lax.reshape`, the function that binds it.

    >>> lax.reshape_p.bind(jnp.ones((2, 3), 'float32'), new_sizes=(3, 2), dimensions=None).aval
    ShapedArray(float32[3,2])
    """
def reshard_p(*args: Any, **params: Any) -> Array:
    """Bind `reshard`: a primitive, linear in its operands, which programs hold as an equation.
    It changes how an array is divided over the explicit axes of a mesh.

    Args:
      args: its operands, for example f32[2,3].
      dst_sharding: a parameter, for example NamedSharding(mesh=AbstractMesh('x': 1, axis_types=(Auto,)), spec=P(None, None)).
      concrete_mesh: a parameter, for example None.
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.

    >>> mesh = jax.make_mesh((1,), ("i",))
    >>> f = lambda x: jax.sharding.reshard(x, jax.NamedSharding(mesh, jax.P("i")))
    >>> print(jax.make_jaxpr(f)(jnp.ones(2)).eqns[-1])
    a:f32[2@i] = reshard b
    """
def rev(operand: ArrayLike, dimensions: Sequence[int]) -> Array:
    """Reverse the order of elements along axes.

    Args:
      operand: array.
      dimensions: the axes, non-negative and distinct.
    Returns:
      An array of the operand's shape and dtype, in which position i along each of the axes is position n - 1 - i
      before.
    Raises:
      TypeError: an axis is out of range or named twice.

    >>> lax.rev(jnp.arange(3), (0,))
    Array([2, 1, 0], dtype=int32)
    """
def rev_p(*args: Any, **params: Any) -> Array:
    """Bind `rev`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
      dimensions: a parameter, for example (1,).
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.
    See also: `lax.rev`, the function that binds it.

    >>> lax.rev_p.bind(jnp.ones((2, 3), 'float32'), dimensions=(1,)).aval
    ShapedArray(float32[2,3])
    """
def rng_bit_generator(key: ArrayLike, shape: int | Sequence[int | Array], dtype: DTypeLike | None = ..., algorithm: Any = ..., *, out_sharding: Any = None) -> tuple[Array, Array]:
    """Return the state after, and random bits.

    Args:
      key: the state, ``uint32[4]`` or ``uint64[2]``.
      shape, dtype: of the bits; an unsigned dtype.
      algorithm: a `RandomAlgorithm`; the default is Philox.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      The next state, and the bits.
    Raises:
      TypeError: another state or dtype.

    >>> _, bits = lax.rng_bit_generator(jnp.array([0, 1, 2, 3], dtype="uint32"), (2,))
    >>> bits
    Array([ 895509795, 3230209149], dtype=uint32)
    """
def rng_bit_generator_p(*args: Any, **params: Any) -> Array:
    """Bind `rng_bit_generator`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example u32[4].
      shape: a parameter, for example (2, 3).
      dtype: a parameter, for example dtype('uint32').
      algorithm: a parameter, for example <RandomAlgorithm.RNG_DEFAULT: 0>.
      out_sharding: a parameter, for example None.
    Returns:
      A list of results, here u32[4], u32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch.
    See also: `lax.rng_bit_generator`, the function that binds it.

    >>> [x.aval for x in lax.rng_bit_generator_p.bind(
    ...     jnp.ones((4,), 'uint32'),
    ...     shape=(2, 3),
    ...     dtype=np.dtype('uint32'),
    ...     algorithm=lax.RandomAlgorithm.RNG_DEFAULT,
    ...     out_sharding=None,
    ... )]
    [ShapedArray(uint32[4]), ShapedArray(uint32[2,3])]
    """
def rng_uniform(a: ArrayLike, b: ArrayLike, shape: int | Sequence[int | Array]) -> Array:
    """Return numbers from `a` up to `b`, different in every run and every call.

    Args:
      a, b: scalars of one dtype, an integer or real one.
      shape: of the result.
    Returns:
      Numbers of the dtype of `a` and `b`, in an array of that shape.
    Raises:
      ValueError: `a` and `b` are not scalars of one dtype.

    >>> lax.rng_uniform(0., 1., (2,)).shape
    (2,)
    """
def rng_uniform_p(*args: Any, **params: Any) -> Array:
    """Bind `rng_uniform`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[], f32[].
      shape: a parameter, for example (2, 3).
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: none.
    See also: `lax.rng_uniform`, the function that binds it.

    >>> lax.rng_uniform_p.bind(jnp.ones((), 'float32'), jnp.ones((), 'float32'), shape=(2, 3)).aval
    ShapedArray(float32[2,3])
    """
def round(x: ArrayLike, rounding_method: RoundingMethod = ...) -> Array:
    """Return the nearest whole number, as a float, elementwise.

    Args:
      x: array or scalar (floating).
      rounding_method: where halves go: away from zero, or to the even neighbour.
    Returns:
      An array of whole numbers, of the shape and dtype of `x`.
    Raises:
      TypeError: `x` is not an array or scalar of real floats; lists are not converted.

    >>> print(lax.round(2.5), lax.round(2.5, lax.RoundingMethod.TO_NEAREST_EVEN))
    3.0 2.0
    """
def round_p(*args: Any, **params: Any) -> Array:
    """Bind `round`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
      rounding_method: a parameter, for example 0.
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.
    See also: `lax.round`, the function that binds it.

    >>> lax.round_p.bind(jnp.ones((2, 3), 'float32'), rounding_method=0).aval
    ShapedArray(float32[2,3])
    """
def row_product_p(*args: Any, **params: Any) -> Array:
    """Bind `row_product`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[6], i32[6], i32[4], f32[4,1].
      outside: a parameter, for example 'zero'.
    Returns:
      The result, here f32[3,1].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> lax.row_product_p.bind(
    ...     jnp.ones((6,), 'float32'),
    ...     jnp.ones((6,), 'int32'),
    ...     jnp.ones((4,), 'int32'),
    ...     jnp.ones((4, 1), 'float32'),
    ...     outside='zero',
    ... ).aval
    ShapedArray(float32[3,1])
    """
def rsqrt(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Return the reciprocal of the square root; infinite at 0, NaN for negative real numbers.

    Args:
      x: array or scalar (floating, complexfloating).
      accuracy: a `Tolerance` or an `AccuracyMode`, for accelerators; on the CPU it changes nothing.
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.rsqrt(4.0))
    0.5
    """
def rsqrt_p(*args: Any, **params: Any) -> Array:
    """Bind `rsqrt`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.rsqrt`, the function that binds it.

    >>> lax.rsqrt_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def scaled_dot(lhs: ArrayLike, rhs: ArrayLike, *, lhs_scale: ArrayLike | None = None, rhs_scale: ArrayLike | None = None, dimension_numbers: tuple[tuple[Sequence[int], Sequence[int]], tuple[Sequence[int], Sequence[int]]] | None = None, preferred_element_type: DTypeLike | None = None) -> Array:
    """Return the product of two arrays, each times scales for blocks of its elements, as narrow floats have them.

    Args:
      lhs, rhs: ``[m, k]`` and ``[k, n]``, or with a batch axis in front; `dimension_numbers` for any other.
      lhs_scale, rhs_scale: scales of the rank of the operand; along contracted axes one for each
        block of elements, so that its length divides that of the operand. Default: ones.
      dimension_numbers: see `dot_general`.
      preferred_element_type: the dtype of the result, default bfloat16.
    Returns:
      ``[m, n]``, or with the batch axis in front: the sums of products of the scaled operands.
    Raises:
      TypeError: ranks or lengths do not fit.

    It is not differentiable, as in JAX.

    >>> lax.scaled_dot(jnp.ones((1, 4)), jnp.ones((4, 1)), lhs_scale=jnp.array([[1., 2.]]))
    Array([[6]], dtype=bfloat16)
    """
def scaled_dot_p(*args: Any, **params: Any) -> Array:
    """Bind `scaled_dot`: a primitive, which programs hold as an equation.
    It multiplies blocks of narrow numbers, each of which has a scale.

    Args:
      args: its operands, for example f8_e4m3fn[2,4], f8_e4m3fn[4,3], f8_e8m0fnu[2,2], f8_e8m0fnu[1,3].
      dimension_numbers: a parameter, for example (((1,), (0,)), ((), ())).
      preferred_element_type: a parameter, for example dtype(bfloat16).
    Returns:
      The result, here bf16[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch.
    See also: `lax.scaled_dot`, the function that binds it.

    >>> a, b = jnp.ones((2, 4), "float8_e4m3fn"), jnp.ones((4, 3), "float8_e4m3fn")
    >>> f = lambda a, b: lax.scaled_dot(a, b, lhs_scale=jnp.ones((2, 2), "float8_e8m0fnu"))
    >>> jax.make_jaxpr(f)(a, b).eqns[-1].primitive
    scaled_dot
    """
@overload
def scan(f: Callable[[Array, Any], tuple[Array, _Y]], init: float, xs: Any = None, length: int | None = None, reverse: bool = False, unroll: int | bool = 1, _split_transpose: bool = False) -> tuple[Array, _Y]:
    """Run `f` over the leading axis of arrays, carrying state along.

    The loop is one operation: `f` is traced once, whatever the length. In Python it would be

        ys = []
        for x in xs:
            carry, y = f(carry, x)
            ys.append(y)
        return carry, stack(ys)

    Args:
      f: (carry, x) -> (carry, y). The carry keeps its structure, shapes and dtypes.
      init: the first carry, a tree of arrays. Python scalars take the dtype that `f` gives them.
      xs: a tree of arrays of equal length along axis 0, or None.
      length: how many times, if `xs` is None.
      reverse: from the last to the first; the ys keep their places.
      unroll: how many iterations are compiled at a time; True for all.
    Returns:
      (last carry, ys stacked along axis 0).
    Raises:
      TypeError: the carry changes its structure or type; `f` does not return a pair.
      ValueError: lengths differ, or there is none.
    Derivative: both modes, of every order; the backward pass is a loop as well and keeps what it reads of each
      iteration.
    See also: `fori_loop`, `while_loop`, `map`, `associative_scan`; `checkpoint` for the body of a long loop.

    >>> lax.scan(lambda total, x: (total + x, total), 0., jnp.arange(4.))
    (Array(6., dtype=float32), Array([0., 0., 1., 3.], dtype=float32, weak_type=True))
    """
@overload
def scan(f: Callable[[_Carry, _X], tuple[_Carry, _Y]], init: _Carry, xs: _X | np.ndarray[Any, Any] | None = None, length: int | None = None, reverse: bool = False, unroll: int | bool = 1, _split_transpose: bool = False) -> tuple[_Carry, _Y]:
    """Run `f` over the leading axis of arrays, carrying state along.

    The loop is one operation: `f` is traced once, whatever the length. In Python it would be

        ys = []
        for x in xs:
            carry, y = f(carry, x)
            ys.append(y)
        return carry, stack(ys)

    Args:
      f: (carry, x) -> (carry, y). The carry keeps its structure, shapes and dtypes.
      init: the first carry, a tree of arrays. Python scalars take the dtype that `f` gives them.
      xs: a tree of arrays of equal length along axis 0, or None.
      length: how many times, if `xs` is None.
      reverse: from the last to the first; the ys keep their places.
      unroll: how many iterations are compiled at a time; True for all.
    Returns:
      (last carry, ys stacked along axis 0).
    Raises:
      TypeError: the carry changes its structure or type; `f` does not return a pair.
      ValueError: lengths differ, or there is none.
    Derivative: both modes, of every order; the backward pass is a loop as well and keeps what it reads of each
      iteration.
    See also: `fori_loop`, `while_loop`, `map`, `associative_scan`; `checkpoint` for the body of a long loop.

    >>> lax.scan(lambda total, x: (total + x, total), 0., jnp.arange(4.))
    (Array(6., dtype=float32), Array([0., 0., 1., 3.], dtype=float32, weak_type=True))
    """
def scan_p(*args: Any, **params: Any) -> Array:
    """Bind `scan`: a primitive, which programs hold as an equation.
    It runs a program once for each element of an axis, and carries values from each turn to the next.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, linearize, transpose, batch_axis.
    See also: `lax.scan`, the function that binds it.

    >>> jax.make_jaxpr(lambda x: lax.scan(lambda c, _: (2 * c, c), x, None, length=3))(1.0)
    { lambda ; a:f32[]. let
        b:f32[] c:f32[3] = scan[
          jaxpr={ lambda ; d:f32[]. let e:f32[] = mul 2.0:f32[] d in (e, d) }
          length=3
          num_carry=1
          num_consts=0
          reverse=False
          unroll=1
        ] a
      in (b, c) }
    """
def scatter(operand: ArrayLike, scatter_indices: ArrayLike, updates: ArrayLike, dimension_numbers: ScatterDimensionNumbers, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: str | GatherScatterMode | None = None) -> Array:
    """Replace windows at a list of places, in XLA's general form; `x.at[...].set(v)` is easier.

    Args:
      operand: array.
      scatter_indices: integers; the last axis holds the entries of one index.
      updates: array of the operand's dtype: the windows.
      dimension_numbers: which axes belong together, see `ScatterDimensionNumbers`.
      indices_are_sorted, unique_indices: promises that may be used for speed.
      mode: "fill" or "drop" (the default) leave out windows that are not inside, "clip" moves them
        inside, "promise_in_bounds" says that there are none.
    Returns:
      A new array of the operand's shape and dtype; outside of the windows it has the operand's elements.
    Raises:
      TypeError, ValueError: the numbers, shapes and dtypes do not fit.

    >>> numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
    >>> lax.scatter(jnp.arange(1., 5.), jnp.array([[1], [3]]), jnp.array([2., 9.]), numbers)
    Array([1., 2., 3., 9.], dtype=float32)
    """
def scatter_add(operand: ArrayLike, scatter_indices: ArrayLike, updates: ArrayLike, dimension_numbers: ScatterDimensionNumbers, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: str | GatherScatterMode | None = None) -> Array:
    """Add to windows at a list of places, in XLA's general form; `x.at[...].add(v)` is easier.

    Args:
      operand: array.
      scatter_indices: integers; the last axis holds the entries of one index.
      updates: array of the operand's dtype: the windows.
      dimension_numbers: which axes belong together, see `ScatterDimensionNumbers`.
      indices_are_sorted, unique_indices: promises that may be used for speed.
      mode: "fill" or "drop" (the default) leave out windows that are not inside, "clip" moves them
        inside, "promise_in_bounds" says that there are none.
    Returns:
      A new array of the operand's shape and dtype; outside of the windows it has the operand's elements.
    Raises:
      TypeError, ValueError: the numbers, shapes and dtypes do not fit.

    >>> numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
    >>> lax.scatter_add(jnp.arange(1., 5.), jnp.array([[1], [3]]), jnp.array([2., 9.]), numbers)
    Array([ 1.,  4.,  3., 13.], dtype=float32)
    """
def scatter_add_p(*args: Any, **params: Any) -> Array:
    """Bind `scatter-add`: a primitive, which programs hold as an equation.
    It adds to the elements, or blocks, that indices select.

    Args:
      args: its operands, for example f32[3,4], i32[2,1], f32[2,4].
      dimension_numbers: a parameter, for example ScatterDimensionNumbers(update_window_dims=(1,), inserted_window_dims=(0,), s.
      indices_are_sorted: a parameter, for example False.
      unique_indices: a parameter, for example False.
      mode: a parameter, for example <GatherScatterMode.CLIP: 1>.
      update_jaxpr: a parameter, for example { lambda ; a:f32[] b:f32[]. let c:f32[] = add a b in (c,) }.
      update_consts: a parameter, for example ().
    Returns:
      The result, here f32[3,4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> print(jax.make_jaxpr(lambda x, i: x.at[i].add(1.0, mode="clip"))(jnp.ones(3), 1).eqns[-1])
    a:f32[3] = scatter-add[
      dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,),...
      indices_are_sorted=True
      mode=GatherScatterMode.CLIP
      unique_indices=True
      update_consts=()
      update_jaxpr={ lambda ; b:f32[] c:f32[]. let d:f32[] = add b c in (d,) }
    ] e f 1.0:f32[]
    """
def scatter_apply(operand: Array, scatter_indices: Array, func: Callable[[Array], Array], dimension_numbers: ScatterDimensionNumbers, *, update_shape: Any = (), indices_are_sorted: bool = False, unique_indices: bool = False, mode: str | GatherScatterMode | None = None) -> Array:
    """Apply a function to the elements of windows, as often as a window is named.

    Args:
      operand: array.
      scatter_indices: integers; the last axis holds the entries of one index.
      func: a function of a scalar that returns a scalar of the same dtype.
      dimension_numbers: which axes belong together, see `ScatterDimensionNumbers`.
      update_shape: the shape that the updates of a `scatter` would have.
      indices_are_sorted, unique_indices: promises that may be used for speed.
      mode: "fill" or "drop" (the default) leave out windows that are not inside, "clip" moves them inside,
        "promise_in_bounds" says that there are none.
    Returns:
      A new array of the operand's shape and dtype.
    Raises:
      TypeError: the function changes the dtype or the shape, or closes over traced values.

    >>> i, numbers = jnp.array([[1]]), lax.ScatterDimensionNumbers((), (0,), (0,))
    >>> lax.scatter_apply(jnp.arange(3.), i, lambda x: x + 5, numbers, update_shape=(1,))
    Array([0., 6., 2.], dtype=float32)
    """
def scatter_max(operand: ArrayLike, scatter_indices: ArrayLike, updates: ArrayLike, dimension_numbers: ScatterDimensionNumbers, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: str | GatherScatterMode | None = None) -> Array:
    """Take maxima with windows at a list of places, in XLA's general form; `x.at[...].max(v)` is easier.

    Args:
      operand: array.
      scatter_indices: integers; the last axis holds the entries of one index.
      updates: array of the operand's dtype: the windows.
      dimension_numbers: which axes belong together, see `ScatterDimensionNumbers`.
      indices_are_sorted, unique_indices: promises that may be used for speed.
      mode: "fill" or "drop" (the default) leave out windows that are not inside, "clip" moves them
        inside, "promise_in_bounds" says that there are none.
    Returns:
      A new array of the operand's shape and dtype; outside of the windows it has the operand's elements.
    Raises:
      TypeError, ValueError: the numbers, shapes and dtypes do not fit.

    >>> numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
    >>> lax.scatter_max(jnp.arange(1., 5.), jnp.array([[1], [3]]), jnp.array([2., 9.]), numbers)
    Array([1., 2., 3., 9.], dtype=float32)
    """
def scatter_max_p(*args: Any, **params: Any) -> Array:
    """Bind `scatter-max`: a primitive, which programs hold as an equation.
    It takes the maximum with the elements, or blocks, that indices select.

    Args:
      args: its operands, for example f32[3,4], i32[2,1], f32[2,4].
      dimension_numbers: a parameter, for example ScatterDimensionNumbers(update_window_dims=(1,), inserted_window_dims=(0,), s.
      indices_are_sorted: a parameter, for example False.
      unique_indices: a parameter, for example False.
      mode: a parameter, for example <GatherScatterMode.CLIP: 1>.
      update_jaxpr: a parameter, for example { lambda ; a:f32[] b:f32[]. let c:f32[] = max a b in (c,) }.
      update_consts: a parameter, for example ().
    Returns:
      The result, here f32[3,4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.

    >>> print(jax.make_jaxpr(lambda x, i: x.at[i].max(1.0, mode="clip"))(jnp.ones(3), 1).eqns[-1])
    a:f32[3] = scatter-max[
      dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,),...
      indices_are_sorted=True
      mode=GatherScatterMode.CLIP
      unique_indices=True
      update_consts=()
      update_jaxpr={ lambda ; b:f32[] c:f32[]. let d:f32[] = max b c in (d,) }
    ] e f 1.0:f32[]
    """
def scatter_min(operand: ArrayLike, scatter_indices: ArrayLike, updates: ArrayLike, dimension_numbers: ScatterDimensionNumbers, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: str | GatherScatterMode | None = None) -> Array:
    """Take minima with windows at a list of places, in XLA's general form; `x.at[...].min(v)` is easier.

    Args:
      operand: array.
      scatter_indices: integers; the last axis holds the entries of one index.
      updates: array of the operand's dtype: the windows.
      dimension_numbers: which axes belong together, see `ScatterDimensionNumbers`.
      indices_are_sorted, unique_indices: promises that may be used for speed.
      mode: "fill" or "drop" (the default) leave out windows that are not inside, "clip" moves them
        inside, "promise_in_bounds" says that there are none.
    Returns:
      A new array of the operand's shape and dtype; outside of the windows it has the operand's elements.
    Raises:
      TypeError, ValueError: the numbers, shapes and dtypes do not fit.

    >>> numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
    >>> lax.scatter_min(jnp.arange(1., 5.), jnp.array([[1], [3]]), jnp.array([2., 9.]), numbers)
    Array([1., 2., 3., 4.], dtype=float32)
    """
def scatter_min_p(*args: Any, **params: Any) -> Array:
    """Bind `scatter-min`: a primitive, which programs hold as an equation.
    It takes the minimum with the elements, or blocks, that indices select.

    Args:
      args: its operands, for example f32[3,4], i32[2,1], f32[2,4].
      dimension_numbers: a parameter, for example ScatterDimensionNumbers(update_window_dims=(1,), inserted_window_dims=(0,), s.
      indices_are_sorted: a parameter, for example False.
      unique_indices: a parameter, for example False.
      mode: a parameter, for example <GatherScatterMode.CLIP: 1>.
      update_jaxpr: a parameter, for example { lambda ; a:f32[] b:f32[]. let c:f32[] = min a b in (c,) }.
      update_consts: a parameter, for example ().
    Returns:
      The result, here f32[3,4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.

    >>> print(jax.make_jaxpr(lambda x, i: x.at[i].min(1.0, mode="clip"))(jnp.ones(3), 1).eqns[-1])
    a:f32[3] = scatter-min[
      dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,),...
      indices_are_sorted=True
      mode=GatherScatterMode.CLIP
      unique_indices=True
      update_consts=()
      update_jaxpr={ lambda ; b:f32[] c:f32[]. let d:f32[] = min b c in (d,) }
    ] e f 1.0:f32[]
    """
def scatter_mul(operand: ArrayLike, scatter_indices: ArrayLike, updates: ArrayLike, dimension_numbers: ScatterDimensionNumbers, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: str | GatherScatterMode | None = None) -> Array:
    """Multiply windows at a list of places, in XLA's general form; `x.at[...].multiply(v)` is easier.

    Args:
      operand: array.
      scatter_indices: integers; the last axis holds the entries of one index.
      updates: array of the operand's dtype: the windows.
      dimension_numbers: which axes belong together, see `ScatterDimensionNumbers`.
      indices_are_sorted, unique_indices: promises that may be used for speed.
      mode: "fill" or "drop" (the default) leave out windows that are not inside, "clip" moves them
        inside, "promise_in_bounds" says that there are none.
    Returns:
      A new array of the operand's shape and dtype; outside of the windows it has the operand's elements.
    Raises:
      TypeError, ValueError: the numbers, shapes and dtypes do not fit.

    >>> numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
    >>> lax.scatter_mul(jnp.arange(1., 5.), jnp.array([[1], [3]]), jnp.array([2., 9.]), numbers)
    Array([ 1.,  4.,  3., 36.], dtype=float32)
    """
def scatter_mul_p(*args: Any, **params: Any) -> Array:
    """Bind `scatter-mul`: a primitive, which programs hold as an equation.
    It multiplies the elements, or blocks, that indices select.

    Args:
      args: its operands, for example f32[3,4], i32[2,1], f32[2,4].
      dimension_numbers: a parameter, for example ScatterDimensionNumbers(update_window_dims=(1,), inserted_window_dims=(0,), s.
      indices_are_sorted: a parameter, for example False.
      unique_indices: a parameter, for example True.
      mode: a parameter, for example <GatherScatterMode.CLIP: 1>.
      update_jaxpr: a parameter, for example { lambda ; a:f32[] b:f32[]. let c:f32[] = mul a b in (c,) }.
      update_consts: a parameter, for example ().
    Returns:
      The result, here f32[3,4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> print(jax.make_jaxpr(lambda x, i: x.at[i].multiply(2.0, mode="clip"))(jnp.ones(3), 1).eqns[-1])
    a:f32[3] = scatter-mul[
      dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,),...
      indices_are_sorted=True
      mode=GatherScatterMode.CLIP
      unique_indices=True
      update_consts=()
      update_jaxpr={ lambda ; b:f32[] c:f32[]. let d:f32[] = mul b c in (d,) }
    ] e f 2.0:f32[]
    """
def scatter_p(*args: Any, **params: Any) -> Array:
    """Bind `scatter`: a primitive, which programs hold as an equation.
    It sets the elements, or blocks, that indices select.

    Args:
      args: its operands, for example f32[3,4], i32[2,1], f32[2,4].
      dimension_numbers: a parameter, for example ScatterDimensionNumbers(update_window_dims=(1,), inserted_window_dims=(0,), s.
      indices_are_sorted: a parameter, for example False.
      unique_indices: a parameter, for example True.
      mode: a parameter, for example <GatherScatterMode.CLIP: 1>.
      update_jaxpr: a parameter, for example None.
      update_consts: a parameter, for example ().
    Returns:
      The result, here f32[3,4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.
    See also: `lax.scatter`, the function that binds it.

    >>> print(jax.make_jaxpr(lambda x, i: x.at[i].set(1.0, mode="clip"))(jnp.ones(3), 1).eqns[-1])
    a:f32[3] = scatter[
      dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,),...
      indices_are_sorted=True
      mode=GatherScatterMode.CLIP
      unique_indices=True
      update_consts=()
      update_jaxpr=None
    ] b c 1.0:f32[]
    """
def scatter_sub(operand: ArrayLike, scatter_indices: ArrayLike, updates: ArrayLike, dimension_numbers: ScatterDimensionNumbers, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: str | GatherScatterMode | None = None) -> Array:
    """Subtract from windows at a list of places, in XLA's general form; `x.at[...].subtract(v)` is easier.

    Args:
      operand: array.
      scatter_indices: integers; the last axis holds the entries of one index.
      updates: array of the operand's dtype: the windows.
      dimension_numbers: which axes belong together, see `ScatterDimensionNumbers`.
      indices_are_sorted, unique_indices: promises that may be used for speed.
      mode: "fill" or "drop" (the default) leave out windows that are not inside, "clip" moves them
        inside, "promise_in_bounds" says that there are none.
    Returns:
      A new array of the operand's shape and dtype; outside of the windows it has the operand's elements.
    Raises:
      TypeError, ValueError: the numbers, shapes and dtypes do not fit.

    >>> numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
    >>> lax.scatter_sub(jnp.arange(1., 5.), jnp.array([[1], [3]]), jnp.array([2., 9.]), numbers)
    Array([ 1.,  0.,  3., -5.], dtype=float32)
    """
def scatter_sub_p(*args: Any, **params: Any) -> Array:
    """Bind `scatter-sub`: a primitive, which programs hold as an equation.
    It subtracts from the elements, or blocks, that indices select.

    Args:
      args: its operands, for example f32[3,4], i32[2,1], f32[2,4].
      dimension_numbers: a parameter, for example ScatterDimensionNumbers(update_window_dims=(1,), inserted_window_dims=(0,), s.
      indices_are_sorted: a parameter, for example False.
      unique_indices: a parameter, for example False.
      mode: a parameter, for example <GatherScatterMode.CLIP: 1>.
      update_jaxpr: a parameter, for example { lambda ; a:f32[] b:f32[]. let c:f32[] = sub a b in (c,) }.
      update_consts: a parameter, for example ().
    Returns:
      The result, here f32[3,4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> print(jax.make_jaxpr(lambda x, i: x.at[i].subtract(1.0, mode="clip"))(jnp.ones(3), 1).eqns[-1])
    a:f32[3] = scatter-sub[
      dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,),...
      indices_are_sorted=True
      mode=GatherScatterMode.CLIP
      unique_indices=True
      update_consts=()
      update_jaxpr={ lambda ; b:f32[] c:f32[]. let d:f32[] = sub b c in (d,) }
    ] e f 1.0:f32[]
    """
def schur_p(*args: Any, **params: Any) -> Array:
    """Bind `schur`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[3,3].
      compute_schur_vectors: a parameter, for example True.
      sort_eig_vals: a parameter, for example False.
      select_callable: a parameter, for example None.
    Returns:
      A list of results, here f32[3,3], f32[3,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch.

    >>> [x.aval for x in lax.schur_p.bind(
    ...     jnp.ones((3, 3), 'float32'),
    ...     compute_schur_vectors=True,
    ...     sort_eig_vals=False,
    ...     select_callable=None,
    ... )]
    [ShapedArray(float32[3,3]), ShapedArray(float32[3,3])]
    """
def select(pred: ArrayLike, on_true: ArrayLike, on_false: ArrayLike) -> Array:
    """Return `on_true` where `pred`, else `on_false`.

    Args:
      pred: booleans of the shape of the cases, or a scalar.
      on_true, on_false: arrays or scalars of equal shape and dtype.
    Returns:
      An array of the shape and dtype of the cases.
    Raises:
      TypeError: shapes or dtypes of the cases differ, or `pred` has another shape.
    See also: `numpy.where`, which broadcasts and promotes; `cond`, which runs one of two functions.

    >>> print(lax.select(True, 1, 2))
    1
    """
def select_and_gather_add_p(*args: Any, **params: Any) -> Array:
    """Bind `select_and_gather_add`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[3,4], f32[3,4].
      select_prim: a parameter, for example ge.
      window_dimensions: a parameter, for example (2, 2).
      window_strides: a parameter, for example (1, 1).
      padding: a parameter, for example ((0, 0), (0, 0)).
      base_dilation: a parameter, for example (1, 1).
      window_dilation: a parameter, for example (1, 1).
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> lax.select_and_gather_add_p.bind(
    ...     jnp.ones((3, 4), 'float32'),
    ...     jnp.ones((3, 4), 'float32'),
    ...     select_prim=lax.ge_p,
    ...     window_dimensions=(2, 2),
    ...     window_strides=(1, 1),
    ...     padding=((0, 0), (0, 0)),
    ...     base_dilation=(1, 1),
    ...     window_dilation=(1, 1),
    ... ).aval
    ShapedArray(float32[2,3])
    """
def select_and_scatter_add_p(*args: Any, **params: Any) -> Array:
    """Bind `select_and_scatter_add`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[3,4].
      select_prim: a parameter, for example ge.
      window_dimensions: a parameter, for example (2, 2).
      window_strides: a parameter, for example (1, 1).
      padding: a parameter, for example ((0, 0), (0, 0)).
    Returns:
      The result, here f32[3,4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> lax.select_and_scatter_add_p.bind(
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((3, 4), 'float32'),
    ...     select_prim=lax.ge_p,
    ...     window_dimensions=(2, 2),
    ...     window_strides=(1, 1),
    ...     padding=((0, 0), (0, 0)),
    ... ).aval
    ShapedArray(float32[3,4])
    """
def select_and_scatter_p(*args: Any, **params: Any) -> Array:
    """Bind `select_and_scatter`: a primitive, which programs hold as an equation.
    It adds the elements of an array where a program selects one of each window.

    Args:
      args: its operands, for example f32[4], f32[4], f32[].
      select_jaxpr: a parameter, for example { lambda ; a:f32[] b:f32[]. let c:bool[] = ge a b in (c,) }.
      select_consts: a parameter, for example ().
      scatter_jaxpr: a parameter, for example { lambda ; a:f32[] b:f32[]. let c:f32[] = add a b in (c,) }.
      scatter_consts: a parameter, for example ().
      window_dimensions: a parameter, for example (2,).
      window_strides: a parameter, for example (1,).
      padding: a parameter, for example ((1, 0),).
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch.

    >>> x = jnp.array([1.0, 3.0, 2.0, 5.0])
    >>> lax.select_and_scatter_p.bind(
    ...     x, jnp.ones(2), 0.0, select_jaxpr=jax.make_jaxpr(lax.ge)(1.0, 1.0), select_consts=(),
    ...     scatter_jaxpr=jax.make_jaxpr(lax.add)(1.0, 1.0), scatter_consts=(), window_dimensions=(2,),
    ...     window_strides=(2,), padding=((0, 0),))
    Array([0., 1., 0., 1.], dtype=float32)
    """
def select_n(which: ArrayLike, *cases: ArrayLike) -> Array:
    """Take each element from the case that `which` names.

    Args:
      which: booleans (two cases) or integers, of the shape of the cases, or a scalar.
      cases: arrays or scalars of equal shape and dtype.
    Returns:
      An array of the shape and dtype of the cases: element i is that of case number ``which[i]``.
    Raises:
      TypeError: shapes or dtypes of the cases differ, or there are more than two for booleans.

    >>> print(lax.select_n(2, 10, 11, 12))
    12
    """
def select_n_p(*args: Any, **params: Any) -> Array:
    """Bind `select_n`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example bool[2,3], f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.
    See also: `lax.select_n`, the function that binds it.

    >>> lax.select_n_p.bind(
    ...     jnp.ones((2, 3), 'bool'),
    ...     jnp.ones((2, 3), 'float32'),
    ...     jnp.ones((2, 3), 'float32'),
    ... ).aval
    ShapedArray(float32[2,3])
    """
def shape_as_value(shape: Sequence[int]) -> Any:
    """Return a shape as an array of int32.

    Args:
      shape: a tuple of lengths.
    Returns:
      An int32 array, ``[len(shape)]``.
    Raises:
      TypeError: a length is neither a number nor a text of one.
      ValueError: it is a text that is no integer.

    >>> lax.shape_as_value((2, 3))
    Array([2, 3], dtype=int32)
    """
def shard_alike_p(*args: Any, **params: Any) -> Array:
    """Bind `shard_alike`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3].
    Returns:
      A list of results, here f32[2,3], f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch_axis.

    >>> [x.aval for x in lax.shard_alike_p.bind(jnp.ones((2, 3), 'float32'), jnp.ones((2, 3), 'float32'))]
    [ShapedArray(float32[2,3]), ShapedArray(float32[2,3])]
    """
def shard_map_p(*args: Any, **params: Any) -> Array:
    """Bind `shard_map`: a primitive, which programs hold as an equation.
    It runs a program on each device, on its part of the operands.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, linearize, transpose, batch_axis.

    >>> mesh = jax.make_mesh((1,), ("i",), (jax.sharding.AxisType.Auto,))
    >>> f = jax.shard_map(jnp.sin, mesh=mesh, in_specs=jax.P("i"), out_specs=jax.P("i"))
    >>> jax.make_jaxpr(f)(jnp.ones(2))
    { lambda ; a:f32[2]. let
        b:f32[2] = shard_map[
          check_vma=True
          in_specs=(P('i',),)
          jaxpr={ lambda ; c:f32[2]{V:i}. let d:f32[2]{V:i} = sin c in (d,) }
          mesh=Mesh('i': 1, axis_types=(Auto,))
          newly_manual_axes=frozenset({'i'})
          out_specs=(P('i',),)
        ] a
      in (b,) }
    """
def sharding_constraint_p(*args: Any, **params: Any) -> Array:
    """Bind `sharding_constraint`: a primitive, linear in its operands, which programs hold as an equation.
    It states how an array is divided over devices.

    Args:
      args: its operands, for example f32[2,3].
      sharding: a parameter, for example SingleDeviceSharding(device=CpuDevice(id=0), memory_kind=device).
      context_mesh: a parameter, for example Mesh(axis_sizes=(), axis_names=(), axis_types=()).
      layout: a parameter, for example None.
      unconstrained_dims: a parameter, for example frozenset().
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch_axis.

    >>> mesh = jax.make_mesh((1,), ("i",), (jax.sharding.AxisType.Auto,))
    >>> f = lambda x: lax.with_sharding_constraint(x, jax.NamedSharding(mesh, jax.P("i")))
    >>> print(jax.make_jaxpr(f)(jnp.ones(2)).eqns[-1])
    a:f32[2] = sharding_constraint[
      context_mesh=Mesh()
      layout=None
      sharding=NamedSharding(mesh=Mesh('i': 1, axis_types=(Auto,)), spec=P('i',), memory_kind=device)
      unconstrained_dims=frozenset({})
    ] b
    """
def shift_left(x: ArrayLike, y: ArrayLike) -> Array:
    """Return x with its bits moved y places up, zeros moving in; 0 where y is no number of a bit.

    Args:
      x, y: arrays or scalars of equal dtype (integer).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of their dtype.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.shift_left(3, 2))
    12
    """
def shift_left_p(*args: Any, **params: Any) -> Array:
    """Bind `shift_left`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer, or dtypes or shapes differ.
    Rules: jvp, batch.
    See also: `lax.shift_left`, the function that binds it.

    >>> lax.shift_left_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(int32[2,3])
    """
def shift_right_arithmetic(x: ArrayLike, y: ArrayLike) -> Array:
    """Return x with its bits moved y places down, the sign moving in; -1 or 0 where y is too great.

    Args:
      x, y: arrays or scalars of equal dtype (integer).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of their dtype.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.shift_right_arithmetic(-12, 2))
    -3
    """
def shift_right_arithmetic_p(*args: Any, **params: Any) -> Array:
    """Bind `shift_right_arithmetic`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer, or dtypes or shapes differ.
    Rules: jvp, batch.
    See also: `lax.shift_right_arithmetic`, the function that binds it.

    >>> lax.shift_right_arithmetic_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(int32[2,3])
    """
def shift_right_logical(x: ArrayLike, y: ArrayLike) -> Array:
    """Return x with its bits moved y places down, zeros moving in; 0 where y is no number of a bit.

    Args:
      x, y: arrays or scalars of equal dtype (integer).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of their dtype.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.shift_right_logical(12, 2))
    3
    """
def shift_right_logical_p(*args: Any, **params: Any) -> Array:
    """Bind `shift_right_logical`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer, or dtypes or shapes differ.
    Rules: jvp, batch.
    See also: `lax.shift_right_logical`, the function that binds it.

    >>> lax.shift_right_logical_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(int32[2,3])
    """
def sign(x: ArrayLike) -> Array:
    """Return -1, 0 or 1, the sign; NaN for NaN; of a complex number the number of size 1 in its direction.

    Args:
      x: array or scalar (integer, floating, complexfloating).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.sign(-2.5))
    -1.0
    """
def sign_p(*args: Any, **params: Any) -> Array:
    """Bind `sign`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3].
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.sign`, the function that binds it.

    >>> lax.sign_p.bind(jnp.ones((2, 3), 'int32')).aval
    ShapedArray(int32[2,3])
    """
def sin(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Return the sine of an angle in radians.

    Args:
      x: array or scalar (floating, complexfloating).
      accuracy: a `Tolerance` or an `AccuracyMode`, for accelerators; on the CPU it changes nothing.
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.sin(1.0))
    0.841471
    """
def sin_p(*args: Any, **params: Any) -> Array:
    """Bind `sin`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.sin`, the function that binds it.

    >>> lax.sin_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def sine_integral_p(*args: Any, **params: Any) -> Array:
    """Bind `sine_integral`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.

    >>> lax.sine_integral_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def sinh(x: ArrayLike) -> Array:
    """Return the hyperbolic sine, (e ** x - e ** -x) / 2.

    Args:
      x: array or scalar (floating, complexfloating).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.sinh(1.0))
    1.1752012
    """
def sinh_p(*args: Any, **params: Any) -> Array:
    """Bind `sinh`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.sinh`, the function that binds it.

    >>> lax.sinh_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def slice(operand: ArrayLike, start_indices: Sequence[int], limit_indices: Sequence[int], strides: Sequence[int] | None = None) -> Array:
    """Return the part of an array between two corners.

    Args:
      operand: array.
      start_indices: for each axis where the part begins, from 0.
      limit_indices: for each axis where it ends, exclusive, at most the length.
      strides: for each axis the step, positive; default 1.
    Returns:
      An array: the elements from start to limit. The dtype is that of `operand`.
    Raises:
      TypeError: an index is out of range, or there are more or fewer than axes.

    >>> lax.slice(jnp.arange(6), (1,), (6,), (2,))
    Array([1, 3, 5], dtype=int32)
    """
def slice_in_dim(operand: ArrayLike, start_index: int | None, limit_index: int | None, stride: int = 1, axis: int = 0) -> Array:
    """Return `slice` along one axis, with None and negative indices as in Python.

    Args:
      operand: array.
      start_index, limit_index: ints, or None for the beginning and the end; negative ones count from the end.
      stride: the distance of two elements, at least 1.
      axis: the axis of the position or window; the others are taken whole.
    Returns:
      An array of the operand's dtype with these elements along the axis.
    Raises:
      TypeError: the limits are out of range, or the stride is not positive.
      IndexError: the axis is out of range.

    >>> lax.slice_in_dim(jnp.arange(6), 1, -1)
    Array([1, 2, 3, 4], dtype=int32)
    """
def slice_p(*args: Any, **params: Any) -> Array:
    """Bind `slice`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[4,3].
      start_indices: a parameter, for example (1, 0).
      limit_indices: a parameter, for example (3, 2).
      strides: a parameter, for example None.
    Returns:
      The result, here f32[2,2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.
    See also: `lax.slice`, the function that binds it.

    >>> lax.slice_p.bind(
    ...     jnp.ones((4, 3), 'float32'),
    ...     start_indices=(1, 0),
    ...     limit_indices=(3, 2),
    ...     strides=None,
    ... ).aval
    ShapedArray(float32[2,2])
    """
def sort(operand: Any, dimension: int = -1, is_stable: bool = True, num_keys: int = 1) -> Any:
    """Sort along one axis, ascending, NaNs last.

    Args:
      operand: an array, or a sequence of arrays of equal shape that are sorted together.
      dimension: the axis.
      is_stable: keep the order of equal elements.
      num_keys: how many of the arrays, from the first, are compared; a later one where the earlier
        ones are equal.
    Returns:
      A new array, or a tuple with as many arrays as were given, all in the order of the keys.
    Raises:
      TypeError: no array was given, or their shapes differ.
      ValueError: the axis or `num_keys` is out of range.

    >>> lax.sort((jnp.array([2, 1]), jnp.array([10., 20.])))
    (Array([1, 2], dtype=int32), Array([20., 10.], dtype=float32))
    """
def sort_key_val(keys: Sequence[ArrayLike] | ArrayLike, values: ArrayLike, dimension: int = -1, is_stable: bool = True) -> tuple[Array, Array]:
    """Sort `keys` along one axis, ascending and NaNs last, and `values` with them.

    Args:
      keys, values: arrays of equal shape.
      dimension: the axis.
      is_stable: keep the order of equal keys.
    Returns:
      The pair of both, in the new order.
    Raises:
      TypeError: the shapes differ.
      ValueError: the axis is out of range.

    >>> lax.sort_key_val(jnp.array([2, 1]), jnp.array([10., 20.]))
    (Array([1, 2], dtype=int32), Array([20., 10.], dtype=float32))
    """
def sort_p(*args: Any, **params: Any) -> Array:
    """Bind `sort`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[5].
      dimension: a parameter, for example 0.
      is_stable: a parameter, for example True.
      num_keys: a parameter, for example 1.
    Returns:
      A list of results, here f32[5].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.
    See also: `lax.sort`, the function that binds it.

    >>> [x.aval for x in lax.sort_p.bind(jnp.ones((5,), 'float32'), dimension=0, is_stable=True, num_keys=1)]
    [ShapedArray(float32[5])]
    """
def sparse_product_p(*args: Any, **params: Any) -> Array:
    """Bind `sparse_product`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[6], i32[6,2], i32[6,2], f32[4,1].
      row: a parameter, for example 0.
      column: a parameter, for example 1.
      size: a parameter, for example 3.
      outside: a parameter, for example 'zero'.
    Returns:
      The result, here f32[3,1].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> lax.sparse_product_p.bind(
    ...     jnp.ones((6,), 'float32'),
    ...     jnp.ones((6, 2), 'int32'),
    ...     jnp.ones((6, 2), 'int32'),
    ...     jnp.ones((4, 1), 'float32'),
    ...     row=0,
    ...     column=1,
    ...     size=3,
    ...     outside='zero',
    ... ).aval
    ShapedArray(float32[3,1])
    """
def spence_p(*args: Any, **params: Any) -> Array:
    """Bind `spence`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating.
    Rules: jvp, batch.

    >>> lax.spence_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def split(operand: ArrayLike, sizes: Sequence[int], axis: int = 0) -> Sequence[Array]:
    """Cut an array along an axis into parts of the given lengths.

    Args:
      operand: array.
      sizes: the lengths; they add up to the length of the axis.
      axis: the axis that goes away, with an array for each of its elements.
    Returns:
      A list with an array for each of `sizes`: neighbouring parts of the axis. The dtype is that of `operand`.
    Raises:
      ValueError: a length is negative or the sum differs.

    >>> lax.split(jnp.arange(3), (1, 2))
    [Array([0], dtype=int32), Array([1, 2], dtype=int32)]
    """
def split_p(*args: Any, **params: Any) -> Array:
    """Bind `split`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[4,3].
      sizes: a parameter, for example (1, 0, 3).
      axis: a parameter, for example 0.
    Returns:
      A list of results, here f32[1,3], f32[0,3], f32[3,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.
    See also: `lax.split`, the function that binds it.

    >>> [x.aval for x in lax.split_p.bind(jnp.ones((4, 3), 'float32'), sizes=(1, 0, 3), axis=0)]
    [ShapedArray(float32[1,3]), ShapedArray(float32[0,3]), ShapedArray(float32[3,3])]
    """
def spsolve_p(*args: Any, **params: Any) -> Array:
    """Bind `spsolve`: a primitive, which programs hold as an equation.
    It solves a linear system with a sparse matrix, given as in CSR.

    Args:
      args: its operands, for example f32[5], i32[5], i32[4], f32[3].
      tol: a parameter, for example 1e-06.
      reorder: a parameter, for example 1.
    Returns:
      The result, here f32[3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> from adjoint.experimental import sparse
    >>> f = sparse.linalg.spsolve
    >>> print(jax.make_jaxpr(f)(jnp.ones(3), jnp.arange(3), jnp.arange(4), jnp.ones(3)).eqns[-1])
    a:f32[3] = spsolve[reorder=1 tol=1e-06] b c d e
    """
def sqrt(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Return the square root; NaN for negative real numbers.

    Args:
      x: array or scalar (floating, complexfloating).
      accuracy: a `Tolerance` or an `AccuracyMode`, for accelerators; on the CPU it changes nothing.
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.sqrt(4.0))
    2.0
    """
def sqrt_p(*args: Any, **params: Any) -> Array:
    """Bind `sqrt`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.sqrt`, the function that binds it.

    >>> lax.sqrt_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def square(x: ArrayLike) -> Array:
    """Return the square, x * x; integers wrap around.

    Args:
      x: array or scalar (integer, floating, complexfloating).
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.square(3))
    9
    """
def square_p(*args: Any, **params: Any) -> Array:
    """Bind `square`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3].
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.square`, the function that binds it.

    >>> lax.square_p.bind(jnp.ones((2, 3), 'int32')).aval
    ShapedArray(int32[2,3])
    """
def squeeze(array: ArrayLike, dimensions: Sequence[int]) -> Array:
    """Remove axes of length 1.

    Args:
      array: an array with axes of length 1.
      dimensions: the axes; negative ones count from the end.
    Returns:
      An array of the same elements and dtype without these axes.
    Raises:
      ValueError: an axis has another length, is out of range or named twice.

    >>> lax.squeeze(jnp.zeros((1, 3, 1)), (0, -1)).shape
    (3,)
    """
def squeeze_p(*args: Any, **params: Any) -> Array:
    """Bind `squeeze`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[1,3].
      dimensions: a parameter, for example (0,).
    Returns:
      The result, here f32[3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.
    See also: `lax.squeeze`, the function that binds it.

    >>> lax.squeeze_p.bind(jnp.ones((1, 3), 'float32'), dimensions=(0,)).aval
    ShapedArray(float32[3])
    """
def stack(operands: Sequence[ArrayLike] | ArrayLike, axis: int = 0) -> Array:
    """Join arrays of one shape along a new axis.

    Args:
      operands: arrays of one dtype and shape.
      axis: where the new axis is in the result.
    Returns:
      An array with a new axis, along which position i is operand i. The dtype is that of the operands.
    Raises:
      TypeError, ValueError: dtypes or shapes differ, or the axis is out of range.

    >>> lax.stack([jnp.arange(2), jnp.arange(2)], axis=1)
    Array([[0, 0],
           [1, 1]], dtype=int32)
    """
def stack_p(*args: Any, **params: Any) -> Array:
    """Bind `stack`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3].
      axis: a parameter, for example 1.
    Returns:
      The result, here f32[2,2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.
    See also: `lax.stack`, the function that binds it.

    >>> lax.stack_p.bind(jnp.ones((2, 3), 'float32'), jnp.ones((2, 3), 'float32'), axis=1).aval
    ShapedArray(float32[2,2,3])
    """
def stage(x: Any, /) -> Array:
    """Return `x` as a value of the program that is being written: an array, or a tracer while tracing.

    Args:
      x: array or scalar.
    Returns:
      An array with that value. Under `jit` even a constant becomes a value of the program.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> lax.stage(1.0)
    Array(1., dtype=float32, weak_type=True)
    """
def stage_p(*args: Any, **params: Any) -> Array:
    """Bind `stage`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.
    See also: `lax.stage`, the function that binds it.

    >>> lax.stage_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def stop_gradient(x: _T) -> _T:
    """Return `x` as a constant for derivatives: its tangent is zero.

    Args:
      x: a tree of arrays; leaves of integers are as they are.
    Returns:
      The tree, with the same values.
    Raises:
      TypeError: a leaf is no array or number.

    >>> grad(lambda x: x * lax.stop_gradient(x))(3.0)
    Array(3., dtype=float32, weak_type=True)
    """
def stop_gradient_p(*args: Any, **params: Any) -> Array:
    """Bind `stop_gradient`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.
    See also: `lax.stop_gradient`, the function that binds it.

    >>> lax.stop_gradient_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def sub(x: ArrayLike, y: ArrayLike) -> Array:
    """Return the difference, x - y; integers wrap around.

    Args:
      x, y: arrays or scalars of equal dtype (integer, floating, complexfloating).
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch) and of their dtype.
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.sub(1, 2))
    -1
    """
def sub_p(*args: Any, **params: Any) -> Array:
    """Bind `sub`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or floating or complexfloating, or dtypes or shapes differ.
    Rules: jvp, transpose, batch.
    See also: `lax.sub`, the function that binds it.

    >>> lax.sub_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(int32[2,3])
    """
def svd_p(*args: Any, **params: Any) -> Array:
    """Bind `svd`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[4,3].
      full_matrices: a parameter, for example False.
      compute_uv: a parameter, for example True.
      subset_by_index: a parameter, for example None.
      algorithm: a parameter, for example None.
    Returns:
      A list of results, here f32[3], f32[4,3], f32[3,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.

    >>> [x.aval for x in lax.svd_p.bind(
    ...     jnp.ones((4, 3), 'float32'),
    ...     full_matrices=False,
    ...     compute_uv=True,
    ...     subset_by_index=None,
    ...     algorithm=None,
    ... )]
    [ShapedArray(float32[3]), ShapedArray(float32[4,3]), ShapedArray(float32[3,3])]
    """
def swap_p(*args: Any, **params: Any) -> Array:
    """Bind `swap`: a primitive, which programs hold as an equation.
    It writes to a part of a reference, and gives what was there.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      The result.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: none.

    >>> jax.make_jaxpr(lambda r: r.swap(2.0, 0))(jax.new_ref(jnp.ones(2)))
    { lambda ; a:Ref{f32[2]}. let b:f32[] <- a[0]; a[0] <- 2.0:f32[] in (b,) }
    """
def switch(index: ArrayLike, branches: Sequence[Callable[..., _T]], *operands: Any, operand: Any = ...) -> _T:
    """Return `branches[index](*operands)`, with the index clamped into range.

    All functions are traced, one is run. Under `vmap` with a batched `index` all are run and the results
    selected.

    Args:
      index: integer scalar.
      branches: functions of the operands whose results have equal structure, shapes and dtypes.
      operands: trees of arrays.
      operand: the only operand, by keyword.
    Returns:
      What the chosen function returns.
    Raises:
      TypeError: `index` is not an integer scalar, or the results of the functions differ.
      ValueError: there are no branches.

    >>> lax.switch(1, [lambda x: x + 1, lambda x: x * 10], 5)
    Array(50, dtype=int32, weak_type=True)
    """
def symmetric_product_p(*args: Any, **params: Any) -> Array:
    """Bind `symmetric_product`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[3,2], f32[3,3].
      alpha: a parameter, for example 1.5.
      beta: a parameter, for example 0.5.
    Returns:
      The result, here f32[3,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch.

    >>> lax.symmetric_product_p.bind(
    ...     jnp.ones((3, 2), 'float32'),
    ...     jnp.ones((3, 3), 'float32'),
    ...     alpha=1.5,
    ...     beta=0.5,
    ... ).aval
    ShapedArray(float32[3,3])
    """
def tan(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Return the tangent of an angle in radians.

    Args:
      x: array or scalar (floating, complexfloating).
      accuracy: a `Tolerance` or an `AccuracyMode`, for accelerators; on the CPU it changes nothing.
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.tan(1.0))
    1.5574077
    """
def tan_p(*args: Any, **params: Any) -> Array:
    """Bind `tan`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.tan`, the function that binds it.

    >>> lax.tan_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def tanh(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Return the hyperbolic tangent, sinh(x) / cosh(x), from -1 to 1.

    Args:
      x: array or scalar (floating, complexfloating).
      accuracy: a `Tolerance` or an `AccuracyMode`, for accelerators; on the CPU it changes nothing.
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype.
    Raises:
      TypeError: the dtype is of none of these kinds. `adjoint.numpy` converts operands.

    >>> print(lax.tanh(1.0))
    0.7615942
    """
def tanh_p(*args: Any, **params: Any) -> Array:
    """Bind `tanh`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating or complexfloating.
    Rules: jvp, batch.
    See also: `lax.tanh`, the function that binds it.

    >>> lax.tanh_p.bind(jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
def threefry2x32_p(*args: Any, **params: Any) -> Array:
    """Bind `threefry2x32`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example u32[], u32[], u32[], u32[].
    Returns:
      A list of results, here u32[], u32[].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch.

    >>> [x.aval for x in lax.threefry2x32_p.bind(
    ...     jnp.ones((), 'uint32'),
    ...     jnp.ones((), 'uint32'),
    ...     jnp.ones((), 'uint32'),
    ...     jnp.ones((), 'uint32'),
    ... )]
    [ShapedArray(uint32[]), ShapedArray(uint32[])]
    """
def threefry4x32_p(*args: Any, **params: Any) -> Array:
    """Bind `threefry4x32`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example u32[], u32[], u32[], u32[], u32[], u32[], u32[], u32[].
    Returns:
      A list of results, here u32[], u32[], u32[], u32[].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch.

    >>> [x.aval for x in lax.threefry4x32_p.bind(
    ...     jnp.ones((), 'uint32'),
    ...     jnp.ones((), 'uint32'),
    ...     jnp.ones((), 'uint32'),
    ...     jnp.ones((), 'uint32'),
    ...     jnp.ones((), 'uint32'),
    ...     jnp.ones((), 'uint32'),
    ...     jnp.ones((), 'uint32'),
    ...     jnp.ones((), 'uint32'),
    ... )]
    [ShapedArray(uint32[]), ShapedArray(uint32[]), ShapedArray(uint32[]), ShapedArray(uint32[])]
    """
def tile(operand: ArrayLike, reps: Sequence[int]) -> Array:
    """Repeat a whole array along each of its axes.

    Args:
      operand: array.
      reps: how often, one number for each axis.
    Returns:
      An array of the operand's dtype, `reps` times as long along each axis.
    Raises:
      TypeError: there are more or fewer numbers than axes.

    >>> lax.tile(jnp.arange(2), (2,))
    Array([0, 1, 0, 1], dtype=int32)
    """
def tile_p(*args: Any, **params: Any) -> Array:
    """Bind `tile`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
      reps: a parameter, for example (2, 1).
    Returns:
      The result, here f32[4,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.
    See also: `lax.tile`, the function that binds it.

    >>> lax.tile_p.bind(jnp.ones((2, 3), 'float32'), reps=(2, 1)).aval
    ShapedArray(float32[4,3])
    """
def todense_p(*args: Any, **params: Any) -> Array:
    """Bind `todense`: a primitive, which programs hold as an equation.
    It makes an array of what is sparse, of any format.

    Args:
      args: its operands, for example f32[3], i32[3,2].
      tree: a parameter, for example PyTreeDef(CustomNode(BCOO[{'shape': (3, 4), 'indices_sorted': False, 'unique_.
    Returns:
      The result, here f32[3,4].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> from adjoint.experimental import sparse
    >>> m = sparse.BCOO.fromdense(jnp.eye(3))
    >>> print(jax.make_jaxpr(sparse.todense)(m).eqns[-1])
    a:f32[3,3] = todense[
      tree=PyTreeDef(CustomNode(BCOO[{'shape': (3, 3), 'indices_sorted': True, 'unique_indices': True}], [*, *]))
    ] b c
    """
def top_k(operand: ArrayLike, k: int, *, axis: int = -1) -> list[Array]:
    """Return the `k` greatest elements along an axis, the greatest first, and their positions.

    Of equal elements the first comes first; NaN is greater than all numbers.

    Args:
      operand: array (bool, integer, floating).
      k: how many, at most the length of the axis.
      axis: the axis along which the largest are found; negative ones count from the last.
    Returns:
      [values, positions as int32], both with length `k` along `axis`.
    Raises:
      ValueError: `k` or `axis` is out of range, or `operand` is complex.

    >>> lax.top_k(jnp.array([3, 1, 4]), 2)
    [Array([4, 3], dtype=int32), Array([2, 0], dtype=int32)]
    """
def top_k_p(*args: Any, **params: Any) -> Array:
    """Bind `top_k`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[5].
      k: a parameter, for example 2.
      axis: a parameter, for example 0.
    Returns:
      A list of results, here f32[2], i32[2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch.
    See also: `lax.top_k`, the function that binds it.

    >>> [x.aval for x in lax.top_k_p.bind(jnp.ones((5,), 'float32'), k=2, axis=0)]
    [ShapedArray(float32[2]), ShapedArray(int32[2])]
    """
def transpose(operand: ArrayLike, permutation: Sequence[int]) -> Array:
    """Put axes in another order: axis i of the result is axis `permutation[i]` of the operand.

    Args:
      operand: array.
      permutation: a permutation of range(ndim).
    Returns:
      An array with the same elements. In compiled programs it is a view: nothing is copied.
      The dtype is that of `operand`.
    Raises:
      TypeError: it is no permutation.

    >>> lax.transpose(jnp.zeros((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
def transpose_p(*args: Any, **params: Any) -> Array:
    """Bind `transpose`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
      permutation: a parameter, for example (1, 0).
    Returns:
      The result, here f32[3,2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.
    See also: `lax.transpose`, the function that binds it.

    >>> lax.transpose_p.bind(jnp.ones((2, 3), 'float32'), permutation=(1, 0)).aval
    ShapedArray(float32[3,2])
    """
def triangular_solve_p(*args: Any, **params: Any) -> Array:
    """Bind `triangular_solve`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[3,3], f32[3,2].
      left_side: a parameter, for example True.
      lower: a parameter, for example True.
      transpose_a: a parameter, for example False.
      conjugate_a: a parameter, for example False.
      unit_diagonal: a parameter, for example False.
    Returns:
      The result, here f32[3,2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> lax.triangular_solve_p.bind(
    ...     jnp.ones((3, 3), 'float32'),
    ...     jnp.ones((3, 2), 'float32'),
    ...     left_side=True,
    ...     lower=True,
    ...     transpose_a=False,
    ...     conjugate_a=False,
    ...     unit_diagonal=False,
    ... ).aval
    ShapedArray(float32[3,2])
    """
def tridiagonal_p(*args: Any, **params: Any) -> Array:
    """Bind `tridiagonal`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[3,3].
      lower: a parameter, for example True.
    Returns:
      A list of results, here f32[3,3], f32[3], f32[2], f32[2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: batch.

    >>> [x.aval for x in lax.tridiagonal_p.bind(jnp.ones((3, 3), 'float32'), lower=True)]
    [ShapedArray(float32[3,3]), ShapedArray(float32[3]), ShapedArray(float32[2]), ShapedArray(float32[2])]
    """
def tridiagonal_solve_p(*args: Any, **params: Any) -> Array:
    """Bind `tridiagonal_solve`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[4], f32[4], f32[4], f32[4,2].
      perturb_singular: a parameter, for example False.
    Returns:
      The result, here f32[4,2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch.

    >>> lax.tridiagonal_solve_p.bind(
    ...     jnp.ones((4,), 'float32'),
    ...     jnp.ones((4,), 'float32'),
    ...     jnp.ones((4,), 'float32'),
    ...     jnp.ones((4, 2), 'float32'),
    ...     perturb_singular=False,
    ... ).aval
    ShapedArray(float32[4,2])
    """
def unstack(x: ArrayLike, axis: int = 0) -> tuple[Array, ...]:
    """Return the parts of an array along an axis, without that axis.

    Args:
      x: array.
      axis: the axis that is cut; negative ones count from the last.
    Returns:
      A tuple with an array for each position along the axis. The dtype is that of `x`.
    Raises:
      ValueError: the axis is out of range.

    >>> lax.unstack(jnp.arange(2))
    (Array(0, dtype=int32), Array(1, dtype=int32))
    """
def unstack_p(*args: Any, **params: Any) -> Array:
    """Bind `unstack`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
      axis: a parameter, for example 1.
    Returns:
      A list of results, here f32[2], f32[2], f32[2].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.
    See also: `lax.unstack`, the function that binds it.

    >>> [x.aval for x in lax.unstack_p.bind(jnp.ones((2, 3), 'float32'), axis=1)]
    [ShapedArray(float32[2]), ShapedArray(float32[2]), ShapedArray(float32[2])]
    """
@overload
def while_loop(cond_fun: Callable[[Array], Any], body_fun: Callable[[Array], ArrayLike], init_val: float, *, checkpoints: int | None = None) -> Array:
    """Repeat `body_fun` as long as `cond_fun` holds.

        while cond_fun(val):
            val = body_fun(val)
        return val

    Forward derivatives (`jvp`, `jacfwd`) work. Reverse ones need to know how much memory they may take,
    because the number of iterations is not known beforehand: give `checkpoints`, or use `scan`, or `fori_loop`
    with Python ints.

    Args:
      cond_fun: val -> boolean scalar.
      body_fun: val -> val, of equal structure, shapes and dtypes.
      init_val: the first value, a tree of arrays. Python scalars take the dtype that `body_fun` gives them.
      checkpoints: allow reverse derivatives, which keep at most so many values of the loop and compute the
        others again. With 20, a thousand iterations are run about three times, a million about eight times. JAX
        has no such argument.
    Returns:
      The first state for which `cond_fun` is false: a tree like `init_val`.
    Raises:
      ValueError: `checkpoints` is less than 1; or a reverse derivative without it.
      TypeError: `cond_fun` does not return a boolean scalar, or `body_fun` changes the structure or types.
    See also: `scan`, `fori_loop`, `custom_root` for solutions of equations.

    >>> lax.while_loop(lambda x: x < 100, lambda x: x * 2, 3)
    Array(192, dtype=int32, weak_type=True)
    >>> grad(lambda x: lax.while_loop(lambda y: y < 100., lambda y: y * y, x, checkpoints=4))(3.)
    Array(17496., dtype=float32, weak_type=True)
    """
@overload
def while_loop(cond_fun: Callable[[_T], Any], body_fun: Callable[[_T], _T], init_val: _T, *, checkpoints: int | None = None) -> _T:
    """Repeat `body_fun` as long as `cond_fun` holds.

        while cond_fun(val):
            val = body_fun(val)
        return val

    Forward derivatives (`jvp`, `jacfwd`) work. Reverse ones need to know how much memory they may take,
    because the number of iterations is not known beforehand: give `checkpoints`, or use `scan`, or `fori_loop`
    with Python ints.

    Args:
      cond_fun: val -> boolean scalar.
      body_fun: val -> val, of equal structure, shapes and dtypes.
      init_val: the first value, a tree of arrays. Python scalars take the dtype that `body_fun` gives them.
      checkpoints: allow reverse derivatives, which keep at most so many values of the loop and compute the
        others again. With 20, a thousand iterations are run about three times, a million about eight times. JAX
        has no such argument.
    Returns:
      The first state for which `cond_fun` is false: a tree like `init_val`.
    Raises:
      ValueError: `checkpoints` is less than 1; or a reverse derivative without it.
      TypeError: `cond_fun` does not return a boolean scalar, or `body_fun` changes the structure or types.
    See also: `scan`, `fori_loop`, `custom_root` for solutions of equations.

    >>> lax.while_loop(lambda x: x < 100, lambda x: x * 2, 3)
    Array(192, dtype=int32, weak_type=True)
    >>> grad(lambda x: lax.while_loop(lambda y: y < 100., lambda y: y * y, x, checkpoints=4))(3.)
    Array(17496., dtype=float32, weak_type=True)
    """
def while_p(*args: Any, **params: Any) -> Array:
    """Bind `while`: a primitive, which programs hold as an equation.
    It runs a program as long as another one gives True.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, linearize, transpose, batch_axis.

    >>> jax.make_jaxpr(lambda x: lax.while_loop(lambda c: c < 9.0, lambda c: 2 * c, x))(1.0)
    { lambda ; a:f32[]. let
        b:f32[] = while[
          body_jaxpr={ lambda ; c:f32[]. let d:f32[] = mul 2.0:f32[] c in (d,) }
          body_nconsts=0
          cond_jaxpr={ lambda ; e:f32[]. let f:bool[] = lt e 9.0:f32[] in (f,) }
          cond_nconsts=0
        ] a
      in (b,) }
    """
def with_sharding_constraint(x: _T, shardings: Any) -> _T:
    """Return the tree itself, with its arrays laid out as `shardings` says; inside `jit`, a hint to the compiler.

    Args:
      x: a tree of arrays.
      shardings: a sharding, a spec over the mesh that was set, or a tree of them that is a prefix of `x`.
    Returns:
      The same values.
    Raises:
      ValueError: a sharding is None and no mesh is set, or one does not divide an array.
      TypeError: one is something else.
      RuntimeError: a spec without a mesh.

    >>> import adjoint
    >>> place = adjoint.sharding.SingleDeviceSharding(adjoint.devices()[0])
    >>> lax.with_sharding_constraint(jnp.ones(2), place)
    Array([1., 1.], dtype=float32)
    """
def wofz_p(*args: Any, **params: Any) -> Array:
    """Bind `wofz`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example c64[2,3].
    Returns:
      The result, here c64[2,3].
    Raises:
      TypeError: an operand is of no dtype that is complexfloating.
    Rules: jvp, batch.

    >>> lax.wofz_p.bind(jnp.ones((2, 3), 'complex64')).aval
    ShapedArray(complex64[2,3])
    """
def xla_metadata_call_p(*args: Any, **params: Any) -> Array:
    """Bind `xla_metadata_call`: a primitive, which programs hold as an equation.
    It calls a program with notes, which schedulers of accelerators read.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, linearize, transpose, batch_axis.

    >>> f = jax.experimental.scheduling_groups.scheduling_group("first")(jnp.sin)
    >>> jax.make_jaxpr(f)(1.0).eqns[-1].primitive
    xla_metadata_call
    """
def xla_metadata_value_p(*args: Any, **params: Any) -> Array:
    """Bind `xla_metadata_value`: a primitive, linear in its operands, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3].
      xla_metadata_kvs: a parameter, for example (('key', 'value'),).
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: transpose, batch.

    >>> lax.xla_metadata_value_p.bind(
    ...     jnp.ones((2, 3), 'float32'),
    ...     xla_metadata_kvs=(('key', 'value'),),
    ... ).aval
    ShapedArray(float32[2,3])
    """
def xor_p(*args: Any, **params: Any) -> Array:
    """Bind `xor`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example i32[2,3], i32[2,3].
    Returns:
      The result, here i32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is integer or bool, or dtypes or shapes differ.
    Rules: jvp, batch.

    >>> lax.xor_p.bind(jnp.ones((2, 3), 'int32'), jnp.ones((2, 3), 'int32')).aval
    ShapedArray(int32[2,3])
    """
def zeta(x: ArrayLike, q: ArrayLike) -> Array:
    """Return the Hurwitz zeta function, the sum of (q + k) ** -x over k = 0, 1, ..., elementwise.

    Args:
      x: array or scalar (floating), greater than 1.
      q: array or scalar of its dtype; infinite results at 0 and the negative whole numbers.
    Returns:
      An array of their shape and dtype; NaN where `x` is below 1.
    Raises:
      TypeError: `x` is not an array or scalar of real floats, or shapes do not broadcast; lists are not converted.

    >>> print(lax.zeta(2.0, 1.0))
    1.644934
    """
def zeta_p(*args: Any, **params: Any) -> Array:
    """Bind `zeta`: a primitive, which programs hold as an equation.

    Args:
      args: its operands, for example f32[2,3], f32[2,3].
    Returns:
      The result, here f32[2,3].
    Raises:
      TypeError: an operand is of no dtype that is floating, or dtypes or shapes differ.
    Rules: batch.
    See also: `lax.zeta`, the function that binds it.

    >>> lax.zeta_p.bind(jnp.ones((2, 3), 'float32'), jnp.ones((2, 3), 'float32')).aval
    ShapedArray(float32[2,3])
    """
