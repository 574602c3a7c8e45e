# Written by stubs/generate.py; do not edit.
from adjoint.core import ShapedArray
from adjoint.extend.core import Primitive
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
from typing import Any
class RooflineResult:
    """The cost of a program; `+` joins two programs, `*` repeats one.

    Args:
      flops: operations of products of matrices.
      unfused_flops: operations of all equations.
      ici_bytes: bytes that cross a link of each mesh axis.
      ici_latency: links of each mesh axis that are passed one after the other.
      hbm_bytes: bytes read and written by products of matrices, as if all else were fused with them.
      peak_hbm_bytes: the most bytes that are held at once.
      unfused_hbm_bytes: bytes read and written by all equations.

    >>> twice = jax.experimental.roofline.RooflineResult(flops=3, peak_hbm_bytes=8) * 2
    >>> twice.flops, twice.peak_hbm_bytes
    (6, 16)
    """
    def __init__(self, *, flops: int = 0, unfused_flops: int = 0, ici_bytes: dict[str, int] = ..., ici_latency: dict[str, int] = ..., hbm_bytes: int = 0, peak_hbm_bytes: int = 0, unfused_hbm_bytes: int = 0) -> None: ...
    flops: int
    unfused_flops: int
    ici_bytes: dict[str, int]
    ici_latency: dict[str, int]
    hbm_bytes: int
    peak_hbm_bytes: int
    unfused_hbm_bytes: int
    @classmethod
    def zeros(cls) -> RooflineResult:
        """Return what a program of nothing has."""
    def __add__(self, other: RooflineResult) -> RooflineResult: ...
    def __mul__(self, times: int) -> RooflineResult: ...
    def __rmul__(self, times: int) -> RooflineResult: ...
class RooflineRuleContext:
    """An equation, as its rule sees it.

    Args:
      name_stack: the scopes in which the equation is.
      primitive: its primitive.
      avals_in, avals_out: the types of operands and results; within `shard_map`, of one device's parts.
      jaxpr_eqn_ctx: the settings with which it was traced.
      mesh: the mesh over which the program runs, or None.
      pin_lhs_in_vmem, pin_rhs_in_vmem: whether the operands of products of matrices are near the unit already.

    >>> from adjoint.experimental import roofline
    >>> cube_p = jax.extend.core.Primitive("cube")
    >>> _ = cube_p.def_abstract_eval(lambda x: x)
    >>> @roofline.register_roofline(cube_p)
    ... def rule(context, *args, **params):
    ...     return roofline.RooflineResult(flops=2 * context.avals_in[0].size)
    >>> roofline.roofline(cube_p.bind)(jnp.ones(5))[1].flops
    10
    """
    def __init__(self, *, name_stack: Any, primitive: Any, avals_in: Any, avals_out: Any, jaxpr_eqn_ctx: Any, mesh: Any, pin_lhs_in_vmem: bool, pin_rhs_in_vmem: bool) -> None: ...
    name_stack: Any
    primitive: Primitive
    avals_in: Sequence[ShapedArray]
    avals_out: Sequence[ShapedArray]
    jaxpr_eqn_ctx: Any
    mesh: Any
    pin_lhs_in_vmem: bool
    pin_rhs_in_vmem: bool
class RooflineShape:
    """The shape and the dtype of an array, with its bytes.

    Args:
      shape: of the array.
      dtype: of its elements.

    >>> jax.experimental.roofline.RooflineShape(shape=(2, 3), dtype=np.dtype("float32")).bytes
    24
    """
    def __init__(self, *, shape: tuple[int, ...], dtype: Any) -> None: ...
    shape: tuple[int, ...]
    dtype: Any
    @classmethod
    def from_aval(cls, aval: Any) -> RooflineShape:
        """Return the shape of the type of an array; TypeError for another type."""
    @property
    def size(self) -> int:
        """The number of elements."""
    @property
    def bytes(self) -> int:
        """The number of bytes."""
    @classmethod
    def total_bytes(cls, avals: Iterable[Any]) -> int:
        """Return the bytes of several types together."""
def register_roofline(prim: Primitive) -> Callable[[Callable[..., RooflineResult]], Callable[..., RooflineResult]]:
    """Return a decorator of the rule of a primitive, `rule(ctx, *shapes, **params) -> RooflineResult`.

    Args:
      prim: the primitive.

    >>> cube = jax.extend.core.Primitive("cube")
    >>> _ = cube.def_abstract_eval(lambda x: x)
    >>> @jax.experimental.roofline.register_roofline(cube)
    ... def _(ctx, *shapes, **params):
    ...     return jax.experimental.roofline.RooflineResult(unfused_flops=2 * ctx.avals_out[0].size)
    >>> jax.experimental.roofline.roofline(lambda x: cube.bind(x))(jnp.ones(8))[1].unfused_flops
    16
    """
def register_standard_roofline(prim: Primitive) -> None:
    """Let a primitive count as nothing, as one that only moves what it is given.

    Args:
      prim: the primitive.

    >>> moves = jax.extend.core.Primitive("moves")
    >>> jax.experimental.roofline.register_standard_roofline(moves)
    """
def roofline(f: Callable[..., Any], mesh: Any = None, in_specs: Any = None, out_specs: Any = None, *, pin_lhs_in_vmem: bool = False, pin_rhs_in_vmem: bool = False, vjp: bool = False, print_jaxpr: bool = False) -> Callable[..., tuple[Any, RooflineResult]]:
    """Return a function that gives the types of the results of `f`, and an estimate of what it costs.

    Args:
      f: a function of arrays.
      mesh, in_specs, out_specs: where all are given, the estimate is that of one device in `shard_map`.
      pin_lhs_in_vmem, pin_rhs_in_vmem: whether operands of products of matrices are not read from main memory.
      vjp: whether to ask for the gradients of `f` instead, for bfloat16 cotangents.
      print_jaxpr: whether to print the program.
    Returns:
      A function of the arguments of `f`, arrays or `ShapeDtypeStruct`s; nothing is computed.

    >>> out, estimate = jax.experimental.roofline.roofline(lambda x: jnp.exp(x).sum())(jnp.ones(8))
    >>> out, estimate.unfused_flops
    (ShapeDtypeStruct(shape=(), dtype=float32), 15)
    """
def roofline_and_grad(f: Callable[..., Any], mesh: Any, in_specs: Any, out_specs: Any, *, pin_lhs_in_vmem: bool = False, pin_rhs_in_vmem: bool = False, print_jaxpr: bool = False) -> Callable[..., tuple[Any, RooflineResult, RooflineResult]]:
    """Return a function that gives the types of the results of `f`, and estimates of `f` and of its gradients.

    Args:
      f, mesh, in_specs, out_specs, pin_lhs_in_vmem, pin_rhs_in_vmem, print_jaxpr: as of `roofline`. Gradients are
        those for bfloat16 arguments.

    >>> mesh = jax.sharding.AbstractMesh((2,), ("x",))
    >>> spec, shape = jax.sharding.PartitionSpec("x"), jax.ShapeDtypeStruct((4, 4), "float32")
    >>> loss = jax.experimental.roofline.roofline_and_grad(lambda x: jnp.sin(x), mesh, spec, spec)
    >>> [estimate.unfused_flops for estimate in loss(shape)[1:]]
    [8, 8]
    """
