"""Results of rules of `roofline`, what the rules are told, and their table.

Tests: `tests/experimental/test_roofline.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from math import prod
from typing import Any

from ...core.jaxpr import JaxprEqnContext
from ...core.messages.boundaries import public
from ...core.primitive import Primitive
from ...core.types import ShapedArray

__all__ = [
    "RULES", "RooflineResult", "RooflineRuleContext", "RooflineShape", "register_roofline",
    "register_standard_roofline",
]


def _sums(a: dict[str, int], b: dict[str, int]) -> dict[str, int]:
    return {name: a.get(name, 0) + b.get(name, 0) for name in (*a, *b)}


@dataclass(frozen=True, kw_only=True)
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

    flops: int = 0
    unfused_flops: int = 0
    ici_bytes: dict[str, int] = field(default_factory=dict)
    ici_latency: dict[str, int] = field(default_factory=dict)
    hbm_bytes: int = 0
    peak_hbm_bytes: int = 0
    unfused_hbm_bytes: int = 0

    @classmethod
    def zeros(cls) -> RooflineResult:
        """Return what a program of nothing has."""
        return cls()

    def __add__(self, other: RooflineResult) -> RooflineResult:
        joined: dict[str, Any] = {"peak_hbm_bytes": max(self.peak_hbm_bytes, other.peak_hbm_bytes)}
        for f in fields(self):
            a, b = getattr(self, f.name), getattr(other, f.name)
            joined.setdefault(f.name, _sums(a, b) if isinstance(a, dict) else a + b)
        return RooflineResult(**joined)

    def __mul__(self, times: int) -> RooflineResult:
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return RooflineResult(**{
            name: {axis: n * times for axis, n in v.items()} if isinstance(v, dict) else v * times
            for name, v in values.items()
        })

    __rmul__ = __mul__


@dataclass(frozen=True, kw_only=True)
class RooflineShape:
    """The shape and the dtype of an array, with its bytes.

    Args:
      shape: of the array.
      dtype: of its elements.

    >>> jax.experimental.roofline.RooflineShape(shape=(2, 3), dtype=np.dtype("float32")).bytes
    24
    """

    shape: tuple[int, ...]
    dtype: Any

    @classmethod
    def from_aval(cls, aval) -> RooflineShape:
        """Return the shape of the type of an array; TypeError for another type."""
        if not isinstance(aval, ShapedArray):
            raise TypeError(f"Expected ShapedArray, got {type(aval)}.")
        return cls(shape=aval.shape, dtype=aval.dtype)

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    @property
    def bytes(self) -> int:
        """The number of bytes."""
        return self.size * self.dtype.itemsize

    @classmethod
    def total_bytes(cls, avals: Iterable) -> int:
        """Return the bytes of several types together."""
        return sum([cls.from_aval(a).bytes for a in avals])


@dataclass(frozen=True, kw_only=True)
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

    name_stack: Any
    primitive: Primitive
    avals_in: Sequence[ShapedArray]
    avals_out: Sequence[ShapedArray]
    jaxpr_eqn_ctx: JaxprEqnContext
    mesh: Any
    pin_lhs_in_vmem: bool
    pin_rhs_in_vmem: bool


Rule = Callable[..., RooflineResult]
RULES: dict[Primitive, Rule] = {}


def register_roofline(prim: Primitive) -> Callable[[Rule], Rule]:
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
    def register(rule: Rule) -> Rule:
        RULES[prim] = rule
        return rule

    return register


def register_standard_roofline(prim: Primitive) -> None:
    """Let a primitive count as nothing, as one that only moves what it is given.

    Args:
      prim: the primitive.

    >>> moves = jax.extend.core.Primitive("moves")
    >>> jax.experimental.roofline.register_standard_roofline(moves)
    """
    RULES[prim] = lambda ctx, *shapes, **params: RooflineResult()


public(globals(), [
    "RooflineResult", "RooflineRuleContext", "RooflineShape", "register_roofline", "register_standard_roofline",
])
