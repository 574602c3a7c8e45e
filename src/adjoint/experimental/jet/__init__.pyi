# Written by stubs/generate.py; do not edit.
from adjoint.core import Trace
from adjoint.core import Tracer
from adjoint.extend.core import Primitive
from collections.abc import Callable
from collections.abc import Sequence
from typing import Any
class JetTrace(Trace):
    """Carries series of `order` terms.

    Args:
      tag: what tells this trace from others.
      parent_trace: the trace that rules run under.
      order: the number of terms.

    >>> from adjoint.experimental.jet import jet
    >>> jet(lambda x: print(x._trace) or x, (1.,), ([1., 0.],))
    JetTrace
    (1.0, [Array(1., dtype=float32, weak_type=True), Array(0., dtype=float32, weak_type=True)])
    """
    def __init__(self, tag: Any, parent_trace: Any, order: int) -> None: ...
    @property
    def parent_trace(self) -> Any:
        """Return the trace that rules run under."""
    def tracer(self, primal: Any, terms: Any) -> Any:
        """Return the value as a tracer; just the value where its series is zero.

        Args:
          primal: the value.
          terms: the terms of its series.
        """
    def to_primal_terms_pair(self, val: Any) -> tuple[Any, Any]:
        """Return the value and the terms of any value under this trace.

        Args:
          val: an array or a tracer.
        """
    def process(self, p: Any, args: Any, params: Any) -> Any:
        """Run a primitive on series, by its rule.

        Args:
          p: the primitive.
          args: its operands.
          params: its parameters.
        """
    def process_primitive(self, p: Any, args: Any, params: Any) -> Any:
        """Run a primitive on series, by its rule.

        Args:
          p: the primitive.
          args: its operands.
          params: its parameters.
        """
    order: Any
    tag: Any
class JetTracer(Tracer):
    """A value and the terms of its series.

    Made by `JetTrace.tracer`.

    >>> from adjoint.experimental.jet import jet
    >>> jet(lambda x: print(x) or x, (1.,), ([1., 0.],))
    JetTracer<~float32[]>
    (1.0, [Array(1., dtype=float32, weak_type=True), Array(0., dtype=float32, weak_type=True)])
    """
    def __init__(self, trace: Any, primal: Any, terms: Any) -> None: ...
    def concrete(self) -> Any: ...
    def describe(self) -> str: ...
    def origin(self) -> str: ...
    primal: Any
    terms: Any
class ZeroSeries:
    """A series whose terms are all zero.

    >>> from adjoint.experimental import jet
    >>> isinstance(jet.zero_series, jet.ZeroSeries)
    True
    """
    ...
class ZeroTerm:
    """A term that is zero.

    >>> from adjoint.experimental import jet
    >>> isinstance(jet.zero_term, jet.ZeroTerm)
    True
    """
    ...
call_param_updaters: dict[Any, Any]
def def_comp(prim: Primitive, comp: Callable[..., Any], **kwargs: Any) -> None:
    """Give a primitive as a function of others, whose series are known.

    Args:
      prim: the primitive.
      comp: a function of its operands and parameters, of primitives that have rules.
      **kwargs: parameters of `comp` that are the same at every call.
    Returns:
      None.

    >>> from adjoint.experimental import jet
    >>> from adjoint.extend.core import Primitive
    >>> cube_p = Primitive("cube")
    >>> _ = cube_p.def_impl(lambda x: x ** 3)
    >>> jet.def_comp(cube_p, lambda x: x * x * x)
    >>> jet.jet(cube_p.bind, (2.,), ([1., 0.],))[1]
    [Array(12., dtype=float32, weak_type=True), Array(12., dtype=float32, weak_type=True)]
    """
def def_deriv(prim: Primitive, deriv: Callable[..., Any]) -> None:
    """Give the derivative of a primitive of one operand, element by element, as a function of that operand.

    Args:
      prim: the primitive.
      deriv: its derivative, a function of the operand.
    Returns:
      None.

    >>> from adjoint.experimental import jet
    >>> from adjoint.extend.core import Primitive
    >>> cube_p = Primitive("cube")
    >>> _ = cube_p.def_impl(lambda x: x ** 3)
    >>> jet.def_deriv(cube_p, lambda x: 3 * x ** 2)
    >>> jet.jet(cube_p.bind, (2.,), ([1., 0.],))[1]
    [Array(12., dtype=float32, weak_type=True), Array(12., dtype=float32, weak_type=True)]
    """
def deflinear(prim: Primitive) -> None:
    """Say that a primitive is linear in all of its operands: its rule is applied to each term.

    Args:
      prim: the primitive.
    Returns:
      None.

    >>> from adjoint.experimental import jet
    >>> from adjoint.extend.core import Primitive
    >>> triple_p = Primitive("triple")
    >>> _ = triple_p.def_impl(lambda x: 3 * x)
    >>> jet.deflinear(triple_p)
    >>> jet.jet(triple_p.bind, (2.,), ([1., 0.],))[1]
    [Array(3., dtype=float32, weak_type=True), Array(0., dtype=float32, weak_type=True)]
    """
def defzero(prim: Primitive) -> None:
    """Say that a primitive is constant wherever it has derivatives, as `sign` is.

    Args:
      prim: the primitive.
    Returns:
      None.

    >>> from adjoint.experimental import jet
    >>> from adjoint.extend.core import Primitive
    >>> step_p = Primitive("step")
    >>> _ = step_p.def_impl(lambda x: (x > 0) * 1.)
    >>> jet.defzero(step_p)
    >>> jet.jet(step_p.bind, (2.,), ([1., 0.],))[1]
    [Array(0., dtype=float32, weak_type=True), Array(0., dtype=float32, weak_type=True)]
    """
def deriv_prop(prim: Primitive, deriv: Callable[..., Any], primals_in: Any, series_in: Any, **params: Any) -> Any:
    """Return the result of a primitive and its series, given its derivative.

    Args:
      prim: the primitive.
      deriv: its derivative, a function of the operand.
      primals_in: a sequence of one operand.
      series_in: for it the list of its derivatives, from the first on.
      **params: those of the equation.
    Returns:
      (result, list of its derivatives)

    >>> from adjoint.experimental import jet
    >>> jet.deriv_prop(lax.sin_p, jnp.cos, (0.,), ([1.],))
    (Array(0., dtype=float32, weak_type=True), [Array(1., dtype=float32, weak_type=True)])
    """
def fact(n: Any) -> Any:
    """Return the factorial of `n`.

    Args:
      n: an int, not negative.
    Returns:
      An int.
    Raises:
      ValueError: `n` is negative.
      TypeError: `n` is no integer.

    >>> from adjoint.experimental import jet
    >>> jet.fact(5)
    120
    """
def jet(fun: Callable[..., Any], primals: Sequence[Any], series: Sequence[Any], factorial_scaled: bool = True, **_: Any) -> tuple[Any, Any]:
    """Return the value of a function and its derivatives along a curve.

    Args:
      fun: a function of arrays.
      primals: the point at which it is evaluated, an array for each argument.
      series: for each argument, the derivatives of the curve through the point, the first one first.
      factorial_scaled: whether `series` and the result have derivatives; if not, coefficients of Taylor series, which
        are these divided by factorials.

    Returns:
      `(value, derivatives)`: with a list of as many derivatives in the place of each array of the value.

    Raises:
      ValueError: an argument is not one array, or the lists have several lengths.

    >>> from adjoint.experimental.jet import jet
    >>> value, (first, second) = jet(jnp.sin, (0.5,), ((1.0, 0.0),))
    >>> print(f"{value:.4f} {first:.4f} {second:.4f}")
    0.4794 0.8776 -0.4794
    """
jet_rules: dict[Any, Any]
def linear_prop(prim: Primitive, primals_in: Any, series_in: Any, **params: Any) -> Any:
    """Return the result of a primitive and its series, by applying it to each term.

    Args:
      prim: the primitive.
      primals_in: the operands.
      series_in: for each of them the list of its derivatives, from the first on.
      **params: those of the equation.
    Returns:
      (result, list of its derivatives)

    >>> from adjoint.experimental import jet
    >>> jet.linear_prop(lax.neg_p, (2.,), ([1.],))
    (Array(-2., dtype=float32, weak_type=True), [Array(-1., dtype=float32, weak_type=True)])
    """
def zero_prop(prim: Primitive, primals_in: Any, series_in: Any, **params: Any) -> Any:
    """Return the result of a primitive that is piecewise constant, and its series, which is zero.

    Args:
      prim: the primitive.
      primals_in: the operands.
      series_in: for each of them the list of its derivatives, from the first on.
      **params: those of the equation.
    Returns:
      (result, list of zeros)

    >>> from adjoint.experimental import jet
    >>> jet.zero_prop(lax.sign_p, (2.,), ([1.],))[0]
    Array(1., dtype=float32, weak_type=True)
    """
zero_series: ZeroSeries
zero_term: ZeroTerm
