# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any
class ArrayMapping(tuple[Any, ...]):
    """The factors of the axes of an array; one that begins with `BATCHING` stands for any number of leading axes.

    Args:
      *dim_mappings: for each axis the name of its factor, or a `CompoundFactor`.

    >>> from adjoint.experimental.custom_partitioning import ArrayMapping
    >>> len(ArrayMapping("i", "j"))
    2
    """
    def __init__(self, *dim_mappings: Any) -> None: ...
BATCHING: str
class CompoundFactor(tuple[Any, ...]):
    """An axis that is the product of factors, the slowest first.

    Args:
      *factors: their names.

    >>> from adjoint.experimental.custom_partitioning import CompoundFactor
    >>> len(CompoundFactor("i", "j"))
    2
    """
    def __init__(self, *factors: str) -> None: ...
class SdyShardingRule:
    """A rule of which axes of operands and results are divided together.

    Args:
      operand_mappings, result_mappings: an `ArrayMapping` for each array.
      reduction_factors: factors that the function sums over.
      need_replication_factors: factors that must not be divided.
      permutation_factors: factors along which devices exchange parts.
      factor_sizes: lengths of factors of compound ones.

    Raises:
      ValueError: a factor is not in the rule, or a length is given for one that is an axis of its own.

    >>> from adjoint.experimental.custom_partitioning import ArrayMapping, SdyShardingRule
    >>> rule = SdyShardingRule((ArrayMapping("i", "j"),), (ArrayMapping("i"),), reduction_factors=("j",))
    >>> rule.operand_mappings, rule.reduction_factors
    ((('i', 'j'),), ('j',))
    """
    def __init__(self, operand_mappings: Any, result_mappings: Any, *, reduction_factors: tuple[str, ...] = (), need_replication_factors: tuple[str, ...] = (), permutation_factors: tuple[str, ...] = (), **factor_sizes: int) -> None: ...
class custom_partitioning:
    """A function with a rule of its own for how it is divided over devices.

    Args:
      fun: a function of arrays, and its meaning.
      static_argnums: positions of arguments that are no arrays; they come first in calls of the rules.

    >>> from adjoint.experimental.custom_partitioning import custom_partitioning
    >>> @custom_partitioning
    ... def double(x):
    ...     return x * 2
    >>> def partition(mesh, arg_shapes, result_shape):
    ...     arg_shardings = tree.map(lambda s: s.sharding, arg_shapes)
    ...     return mesh, lambda x: x * 2, result_shape.sharding, arg_shardings
    >>> rule = double.def_partition(partition, sharding_rule="i -> i")
    >>> double(jnp.arange(3))
    Array([0, 2, 4], dtype=int32)
    """
    def __init__(self, fun: Any, static_argnums: Any = ()) -> None: ...
    def def_partition(self, partition: Callable[..., Any], infer_sharding_from_operands: Callable[..., Any] | None = None, propagate_user_sharding: Callable[..., Any] | None = None, decode_shardings: bool = True, sharding_rule: str | SdyShardingRule | Callable[..., Any] | None = None, *, reduction_factors: tuple[str, ...] = (), need_replication_factors: tuple[str, ...] = (), permutation_factors: tuple[str, ...] = (), **factor_sizes: int) -> Callable[..., Any]:
        """Say how the function is divided.

        Args:
          partition: (*static, mesh, arg_shapes, result_shape) -> mesh, a function of the parts of one device, shardings
            of results, shardings of arguments. Shapes are `ShapeDtypeStruct`s with shardings.
          infer_sharding_from_operands: (*static, mesh, arg_shapes, result_shape) -> shardings of results.
          propagate_user_sharding: (*static, mesh, result_shape) -> sharding of the result, where the user's is asked.
          decode_shardings: whether these are given shardings that name mesh axes; nothing else is given here.
          sharding_rule: which axes go together: a text as for `einsum`, or what `SdyShardingRule` makes.
          reduction_factors, need_replication_factors, permutation_factors, factor_sizes: as of `SdyShardingRule`.

        Returns: `partition`.
        """
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
from adjoint.lax import custom_partitioning_p as custom_partitioning_p
