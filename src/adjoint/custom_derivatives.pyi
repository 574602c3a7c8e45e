# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any
class CustomVJPPrimal:
    """The argument of `fwd` with `symbolic_zeros=True`: a value, and whether it is differentiated.

    Args:
      value: the argument.
      perturbed: whether it is differentiated.

    >>> CustomVJPPrimal(2.0, perturbed=True).value
    2.0
    """
    def __init__(self, value: Any, perturbed: bool) -> None: ...
    perturbed: Any
    value: Any
class SymbolicZero:
    """A tangent or cotangent that a rule with `symbolic_zeros=True` is told to be zero.

    Args:
      aval: the type of the tangent.

    >>> SymbolicZero(ShapeDtypeStruct((2,), 'float32')).shape
    (2,)
    """
    def __init__(self, aval: Any) -> None: ...
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
    @staticmethod
    def from_primal_value(value: Any) -> SymbolicZero:
        """Return the zero tangent of a value.

        Args:
          value: array or scalar.
        """
    aval: Any
from adjoint import closure_convert as closure_convert
from adjoint import custom_gradient as custom_gradient
from adjoint import custom_jvp as custom_jvp
def custom_jvp_call_p(*args: Any, **params: Any) -> Any:
    """Bind `custom_jvp_call`: a primitive, which programs hold as an equation.
    It calls a function that has its own rule for forward mode.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, transpose, batch_axis.

    >>> jax.make_jaxpr(jax.nn.relu)(1.0)
    { lambda ; a:f32[]. let
        b:f32[] = custom_jvp_call[
          name=relu
          call_jaxpr={ lambda ; c:f32[]. let
              d:f32[] = jit[
                name=relu
                jaxpr={ lambda ; c:f32[]. let d:f32[] = max c 0.0:f32[] in (d,) }
              ] c
            in (d,) }
          jvp=jvp
          symbolic_zeros=False
        ] a
      in (b,) }
    """
from adjoint import custom_vjp as custom_vjp
def custom_vjp_call_p(*args: Any, **params: Any) -> Any:
    """Bind `custom_vjp_call`: a primitive, which programs hold as an equation.
    It calls a function that has its own rule for reverse mode.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch_axis.

    >>> jax.make_jaxpr(jax.custom_gradient(lambda x: (x, lambda g: 2 * g)))(1.0)
    { lambda ; a:f32[]. let
        b:f32[] = custom_vjp_call[
          name=<lambda>
          bwd=_backward
          call_jaxpr={ lambda ; c:f32[]. let  in (c,) }
          fwd=<lambda>
          symbolic_zeros=False
        ] a
      in (b,) }
    """
def custom_vjp_primal_tree_values(tree: Any) -> Any:
    """Return the values of the `CustomVJPPrimal`s of a tree, which `fwd` gets with `symbolic_zeros=True`.

    Args:
      tree: a tree of them.
    Returns:
      The tree with the value in the place of each.
    Raises:
      TypeError: a leaf is no `CustomVJPPrimal`.

    >>> custom_vjp_primal_tree_values({"a": CustomVJPPrimal(1., True)})
    {'a': 1.0}
    """
def linear_call(fun: Callable[..., Any], fun_transpose: Callable[..., Any], residual_args: Any, linear_args: Any) -> Any:
    """Call a linear function, giving its transpose.

    Args:
      fun: (residuals, x) -> y, linear in x.
      fun_transpose: (residuals, y) -> x, its transpose in y.
      residual_args, linear_args: trees of arrays.
    Returns:
      What `fun` returns.
    Raises:
      TypeError: `fun_transpose` does not return what `linear_args` is.

    >>> scale = lambda r, x: x / r
    >>> linear_transpose(lambda x: linear_call(scale, scale, 2., x), 1.)(1.)
    (Array(0.5, dtype=float32, weak_type=True),)
    """
def remat_opt_p(*args: Any, **params: Any) -> Any:
    """Bind `remat_opt`: a primitive, which programs hold as an equation.
    It runs a forward rule, and keeps those of its residuals that are used.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: jvp, batch_axis.

    >>> f = jax.custom_vjp(lambda x: jnp.sin(x))
    >>> f.defvjp(lambda x: (jnp.sin(x), x), lambda x, g: (g * jnp.cos(x),), optimize_remat=True)
    >>> [eqn.primitive for eqn in jax.make_jaxpr(jax.grad(f))(1.0).eqns]
    [remat_opt, cos, mul]
    """
def zero_from_primal(val: Any, symbolic_zeros: bool = False) -> Any:
    """Return the zero tangents of a tree of values.

    Args:
      val: a tree of arrays.
      symbolic_zeros: make `SymbolicZero`s, which hold no numbers, instead of arrays.
    Returns:
      A tree of the structure of `val`; tangents of integers have the dtype `float0`.
    Raises:
      TypeError: a leaf is no array or number.

    >>> zero_from_primal({"a": 2.})
    {'a': Array(0., dtype=float32, weak_type=True)}
    """
