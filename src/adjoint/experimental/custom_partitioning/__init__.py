"""Functions that say how they are divided over devices, as `jax.experimental.custom_partitioning`.

What the function computes is its meaning everywhere. Called on arrays that are divided over devices, each device runs
what `partition` gives for its part; in a compiled program the compiler divides the function itself.

Tests: `tests/experimental/test_custom_partitioning.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from inspect import signature
from typing import Any

from ...array.array import as_array
from ...array.sharded_array import ShardedArray
from ...core.messages.boundaries import public
from ...core.messages.errors import message
from ...core.trace import eval_jaxpr, stage
from ...core.tree.tree import tree_flatten, tree_leaves, tree_map, tree_unflatten
from ...core.types import aval_of
from ...parallel.devices import device_put
from ...parallel.shard_map import shard_map
from ...sharding.named_sharding import NamedSharding
from ...transforms.calls import call_primitive, run_program
from ...transforms.flat import FlatFun, check_callable, debug_info, function_name, wraps
from ...transforms.jit.staging import ShapeDtypeStruct
from ...transforms.programs import hoist
from .sharding_rules import BATCHING, ArrayMapping, CompoundFactor, SdyShardingRule, parsed

__all__ = [
    "BATCHING", "ArrayMapping", "CompoundFactor", "SdyShardingRule", "custom_partitioning", "custom_partitioning_p",
]

custom_partitioning_p = call_primitive("custom_partitioning", "call")
custom_partitioning_p.expand(lambda *args, call, **_: eval_jaxpr(call.jaxpr, call.consts, *args))


@custom_partitioning_p.eager
def _(args, params):
    divided = [x for x in args if isinstance(x, ShardedArray) and isinstance(x.sharding, NamedSharding)]
    if not divided:
        return run_program(params["call"], args)
    return _on_devices(args, params, divided[0].sharding.mesh)


def _on_devices(args, params, mesh) -> list:
    """Run what `partition` says on the part of each device."""
    static, in_tree, out_tree = params["static_args"], params["in_tree"], params["out_tree"]
    everywhere = NamedSharding(mesh, ())

    def place_of(x) -> NamedSharding:
        return x.sharding if isinstance(x, ShardedArray) and isinstance(x.sharding, NamedSharding) else everywhere

    structs = [ShapeDtypeStruct(aval_of(x).shape, aval_of(x).dtype, sharding=place_of(x)) for x in args]
    arguments = tree_unflatten(in_tree, structs)
    result = lambda shardings: tree_unflatten(out_tree, [
        ShapeDtypeStruct(a.shape, a.dtype, sharding=s) for a, s in zip(params["call"].out_avals, shardings)
    ])
    n = out_tree.num_leaves
    infer = params["infer_sharding_from_operands"]
    shardings = [everywhere] * n if infer is None else tree_leaves(
        infer(*static, mesh, arguments, result([everywhere] * n))
    )
    mesh, lower, out_shardings, arg_shardings = params["partition"](*static, mesh, arguments, result(shardings))
    spec_of = lambda tree: tree_map(lambda s: s.spec, tree)
    placed = [device_put(as_array(x), s) for x, s in zip(args, tree_leaves(arg_shardings))]
    run = shard_map(
        lambda *xs: lower(*xs), mesh=mesh, in_specs=tuple(spec_of(arg_shardings)), out_specs=spec_of(out_shardings),
        check_vma=False,
    )
    return tree_leaves(run(*tree_unflatten(in_tree, placed)))


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

    def __init__(self, fun: Callable, static_argnums: int | Sequence[int] = ()):
        check_callable(fun, "custom_partitioning")
        self.fun = fun
        self.static_argnums = (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums)
        self.partition: Callable | None = None
        wraps(fun)(self)

    def def_partition(
        self, partition: Callable, infer_sharding_from_operands: Callable | None = None,
        propagate_user_sharding: Callable | None = None, decode_shardings: bool = True,
        sharding_rule: str | SdyShardingRule | Callable | None = None, *, reduction_factors: tuple[str, ...] = (),
        need_replication_factors: tuple[str, ...] = (), permutation_factors: tuple[str, ...] = (), **factor_sizes: int,
    ) -> Callable:
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
        others = dict(
            reduction_factors=reduction_factors, need_replication_factors=need_replication_factors,
            permutation_factors=permutation_factors, **factor_sizes,
        )
        if sharding_rule is not None and not isinstance(sharding_rule, SdyShardingRule) and not callable(sharding_rule):
            sharding_rule = parsed(sharding_rule, **others)
        self.partition = partition
        self.infer_sharding_from_operands = infer_sharding_from_operands
        self.propagate_user_sharding = propagate_user_sharding
        self.decode_shardings = decode_shardings
        self.sharding_rule = sharding_rule
        return partition

    def __call__(self, *args, **kwargs) -> Any:
        if self.partition is None:
            name = function_name(self.fun)
            raise AttributeError(message(
                f"custom_partitioning function {name} has no rule.", fix=f"{name}.def_partition(partition, ...)"
            ))
        if kwargs:
            bound = signature(self.fun).bind(*args, **kwargs)
            bound.apply_defaults()
            args = bound.args
        static = tuple([args[i] for i in self.static_argnums])
        dynamic = [x for i, x in enumerate(args) if i not in self.static_argnums]

        def fun(*xs):
            given, fixed = iter(xs), dict(zip(self.static_argnums, static))
            return self.fun(*[fixed[i] if i in fixed else next(given) for i in range(len(args))])

        leaves, in_tree = tree_flatten((tuple(dynamic), {}))
        flat = FlatFun(wraps(self.fun)(fun) if static else self.fun, in_tree, "custom_partitioning")
        program, captured = hoist(*stage(
            flat, [aval_of(x) for x in leaves], debug_info("custom_partitioning", self.fun, in_tree)
        ))
        if captured:
            raise ValueError(message(
                f"custom_partitioning function {function_name(self.fun)} closes over arrays.",
                why="Its rule could not say how these are divided.", fix="pass them as arguments",
            ))
        outs = custom_partitioning_p.bind(
            *leaves, call=program, partition=self.partition, propagate_user_sharding=self.propagate_user_sharding,
            infer_sharding_from_operands=self.infer_sharding_from_operands, decode_shardings=self.decode_shardings,
            sharding_rule=self.sharding_rule, in_tree=tree_flatten(tuple(dynamic))[1], out_tree=flat.out_tree,
            static_args=static,
        )
        return tree_unflatten(flat.out_tree, outs)

    def __get__(self, instance, owner=None):
        return self if instance is None else partial(self, instance)


public(globals())
