# Written by stubs/generate.py; do not edit.
from adjoint.core import AbstractValue as _AbstractValue
from adjoint.core import ShapedArray as _ShapedArray
from adjoint.extend.core import Primitive
from collections.abc import Callable
from typing import Any
from typing import NamedTuple
from adjoint.ref import AbstractRef as AbstractRef
from adjoint.core import AbstractValue as AbstractValue
class AvalMutableQDD(NamedTuple):
    """The type of a value that changes, and where the types of what it holds are noted while a program is written.

    Args:
      aval: the type of the value.
      mutable_qdd: an object that has the types in `cur_val`.

    >>> from adjoint.experimental import hijax
    >>> hijax.AvalMutableQDD("a box", None).aval
    'a box'
    """
    aval: Any
    mutable_qdd: Any
class AvalQDD(NamedTuple):
    """The type of a value that changes, and the types of what it holds now.

    Args:
      aval: the type of the value.
      qdd: the types of what it holds.

    >>> from adjoint.experimental import hijax
    >>> class Box(hijax.MutableHiType):
    ...     def lo_ty_qdd(self, held): return [held]
    >>> hijax.AvalQDD(Box(), typeof(jnp.ones(2))).lo_ty()
    [ShapedArray(float32[2])]
    """
    aval: Any
    qdd: Any
    has_qdd: Any
    @property
    def is_high(self) -> Any: ...
    @property
    def is_writer(self) -> Any: ...
    def lo_ty(self) -> list[Any]:
        """Return the types of the arrays that the value holds."""
    def read_loval(self, val: Any) -> list[Any]:
        """Return the arrays that a value of this type holds."""
    def read_loval_in(self, val: Any) -> list[Any]:
        """Return the arrays that a value of this type holds."""
    def read_loval_out(self, val: Any) -> list[Any]:
        """Return the arrays that a value of this type holds."""
    def new_from_loval(self, *lovals: Any) -> Any:
        """Return a new value of this type that holds these arrays."""
    def to_tangent_aval(self) -> AvalQDD:
        """Return the type of a tangent, and of what that holds."""
class GradAccum:
    """The sum of cotangents of an operand, which a backward rule adds to; `aval` is the type of a cotangent.

    Made by the backward pass of a `VJPHiPrimitive`, one for each operand.

    >>> from adjoint.experimental import hijax
    >>> isinstance(hijax.ValAccum(typeof(1.)), hijax.GradAccum)
    True
    """
    def __init__(self, aval: Any) -> None: ...
    def accum(self, ct: Any) -> None:
        """Add a cotangent; None and symbolic zeros add nothing."""
from adjoint.experimental.hijax import VJPHiPrimitive as _HiPrim
HiPrim = _HiPrim
class HiPrimitive(Primitive):
    """An operation on values of types that libraries define; subclasses give `abstract_eval` and `to_lojax`.

    `to_lojax` computes the result with operations on arrays. `jvp(primals, tangents)` gives the result and its tangent,
    which is of the type that the result's type says, and `transpose` is that of a linear operation.

    Args:
      name: the name, as it is printed.

    >>> from adjoint.experimental import hijax
    >>> class Rounded(hijax.HiPrimitive):
    ...     def abstract_eval(self, x): return x, set()
    ...     def to_lojax(self, x): return jnp.round(x)
    ...     def jvp(self, primals, tangents): return rounded.bind(*primals), tangents[0]
    >>> rounded = Rounded("rounded")
    >>> jit(value_and_grad(lambda x: rounded.bind(x) * 2))(1.3)
    (Array(2., dtype=float32, weak_type=True), Array(2., dtype=float32, weak_type=True))
    """
    def __init__(self, name: str) -> None: ...
    call_primitive: Any
    multiple_results: Any
    def is_high(self, *avals: Any, **params: Any) -> bool:
        """Return whether the operation, on operands of these types, is not one of arrays already."""
    def is_effectful(self, params: Any) -> bool:
        """Return whether the operation does something beside computing its result."""
    def abstract_eval(self, *arg_avals: Any, **params: Any) -> Any:
        """Return the type of the result, and the effects."""
    def to_lojax(self, *args: Any, **params: Any) -> Any:
        """Return the result, by operations on arrays."""
    def jvp(self, primals: Any, tangents: Any, **params: Any) -> Any:
        """Return the result and its tangent."""
    def transpose(self, *args: Any, **params: Any) -> Any:
        """Return the cotangents of the operands that the operation is linear in."""
    def bind(self, *args: Any, **params: Any) -> Any:
        """Run the operation: by its own rule where an operand has a tangent, by `to_lojax` elsewhere."""
    def __call__(self, *args: Any, **params: Any) -> Any: ...
class HiPspec:
    """The division of a value of a `HiType` over devices.

    >>> from adjoint.experimental import hijax
    >>> class Rows(hijax.HiPspec):
    ...     def to_lo(self): return P("x", None), P("x")
    >>> Rows().to_lo()
    (P('x', None), P('x',))
    """
    def to_lo(self) -> tuple[Any, ...]:
        """Return how the arrays that the value is made of are divided."""
    def to_tangent_spec(self) -> HiPspec:
        """Return how a tangent is divided."""
    def to_ct_spec(self) -> HiPspec:
        """Return how a cotangent is divided."""
class HiType(_AbstractValue):
    """The type of values that are made of arrays. Subclasses say how, and are hashable and comparable.

    >>> from adjoint.experimental import hijax
    >>> class PairType(hijax.HiType):
    ...     def lo_ty(self): return [typeof(1.), typeof(1.)]
    ...     def lower_val(self, pair): return list(pair)
    ...     def raise_val(self, *pair): return pair
    >>> PairType().raise_val(*PairType().lower_val((1., 2.)))
    (1.0, 2.0)
    """
    is_high: Any
    has_qdd: Any
    def lo_ty(self) -> list[Any]:
        """Return the types of the arrays that a value is made of."""
    def lower_val(self, hi_val: Any) -> list[Any]:
        """Return the arrays that a value is made of."""
    def raise_val(self, *lo_vals: Any) -> Any:
        """Return the value that is made of these arrays."""
    def to_tangent_aval(self) -> _AbstractValue:
        """Return the type of tangents of a value."""
    def to_ct_aval(self) -> _AbstractValue:
        """Return the type of cotangents of a value, that of tangents if no other is said."""
    def vspace_zero(self) -> Any:
        """Return the zero of a type of tangents."""
    def vspace_add(self, x: Any, y: Any) -> Any:
        """Return the sum of two values of a type of tangents."""
    def dec_rank(self, size: int | None, spec: Any) -> HiType:
        """Return the type of one element of a batch."""
    def inc_rank(self, size: int | None, spec: Any) -> HiType:
        """Return the type of a batch of values."""
    def leading_axis_spec(self) -> Any:
        """Return what says that a batch has its axis in front."""
    def shard(self, mesh: Any, manual_axes: frozenset[Any], check_vma: bool, spec: Any) -> HiType:
        """Return the type of one device's part."""
    def unshard(self, mesh: Any, check_vma: bool, spec: Any) -> HiType:
        """Return the type of the whole of which devices have parts."""
    def nospec(self, mesh: Any, check_vma: bool, all_names: tuple[Any, ...]) -> Any:
        """Return what says that each device has the whole."""
    def str_short(self, short_dtypes: bool = False, mesh_axis_types: bool = False) -> str:
        """Return the text of the type in programs."""
class MutableHiType(HiType):
    """The type of values that change: what they hold has types of its own, which may change too.

    >>> from adjoint.experimental import hijax
    >>> class BoxType(hijax.MutableHiType):
    ...     def lo_ty_qdd(self, held): return [held]
    ...     def read_loval(self, held, box): return [box.value]
    >>> BoxType().lo_ty_qdd(typeof(1.))
    [ShapedArray(float32[], weak_type=True)]
    """
    has_qdd: Any
    is_writer: Any
    type_state: Any
    def lo_ty(self) -> list[Any]: ...
    def lo_ty_qdd(self, state: Any, /) -> list[Any]:
        """Return the types of the arrays that a value holds in a state."""
    def new_from_loval(self, state: Any, /, *vals: Any) -> Any:
        """Return a new value that holds these arrays."""
    def read_loval(self, state: Any, val: Any, /) -> list[Any]:
        """Return the arrays that a value holds."""
    def read_loval_in(self, state: Any, val: Any, /) -> list[Any]:
        """Return the arrays that a value holds when a program begins."""
    def read_loval_out(self, state: Any, val: Any, /) -> list[Any]:
        """Return the arrays that a value holds when a program ends."""
    def update_from_loval(self, state: Any, val: Any, /, *lo_vals: Any) -> None:
        """Let a value hold these arrays."""
    def update_from_loval2(self, state: Any, val: Any, lo_vals: Any, /) -> None:
        """Let a value hold the arrays of a list."""
class NullAccum(GradAccum):
    """A cotangent that is not needed.

    Args:
      aval: the type of a cotangent.

    >>> from adjoint.experimental import hijax
    >>> hijax.NullAccum(typeof(1.)).accum(jnp.float32(2))
    """
    def accum(self, ct: Any) -> None: ...
class RefAccum(GradAccum):
    """A cotangent that is added to what a reference holds, `ref`.

    Args:
      aval: the type of a cotangent.
      ref: the reference.

    >>> from adjoint.experimental import hijax
    >>> total = new_ref(1.)
    >>> hijax.RefAccum(typeof(1.), total).accum(2.)
    >>> total
    Ref(3., dtype=float32, weak_type=True)
    """
    def __init__(self, aval: Any, ref: Any) -> None: ...
    def accum(self, ct: Any) -> None: ...
from adjoint.core import ShapedArray as ShapedArray
class VJPHiPrimitive:
    """An operation with rules of its own, for certain types of operands: an object for each call, which is called.

    A subclass sets `in_avals`, `out_aval` and `params` and then calls `super().__init__()`. Its method `expand` has the
    result. `vjp_fwd(which operands move, *args)` gives the result and residuals, from which
    `vjp_bwd_retval(residuals, cotangent)` gives a cotangent for each operand. `jvp(primals, tangents)` is the rule for
    forward mode, and `batch(axis, args, axes)`, or `batch_dim_rule(axis, axes)`, that for batches.

    >>> from adjoint.experimental import hijax
    >>> class Clipped(hijax.VJPHiPrimitive):
    ...     def __init__(self, aval):
    ...         self.in_avals, self.out_aval, self.params = (aval,), aval, {}
    ...         super().__init__()
    ...     def expand(self, x): return jnp.clip(x, 0., 1.)
    ...     def vjp_fwd(self, nzs_in, x): return self(x), ()
    ...     def vjp_bwd_retval(self, residuals, ct): return (ct,)
    >>> grad(lambda x: Clipped(typeof(x))(x))(3.)
    Array(1., dtype=float32, weak_type=True)
    """
    def __init__(self) -> None: ...
    in_avals: tuple[Any, ...]
    out_aval: Any
    params: dict[Any, Any]
    effects: frozenset[Any]
    def expand(self, *args: Any) -> Any:
        """Return the result."""
    def vjp_fwd(self, nzs_in: Any, /, *args: Any) -> Any:
        """Return the result and what the backward pass needs."""
    def vjp_bwd_retval(self, res: Any, outgrad: Any, /) -> Any:
        """Return a cotangent for each operand."""
    def vjp_bwd(self, res: Any, outgrad: Any, /, *arg_accums: Any) -> Any:
        """Add a cotangent to what is kept for each operand."""
    def lin(self, nzs_in: Any, /, *primals: Any) -> Any:
        """Return the result and what `linearized` needs."""
    def linearized(self, residuals: Any, /, *tangents: Any) -> Any:
        """Return the tangent of the result, a linear function of those of the operands."""
    def jvp(self, primals: Any, tangents: Any) -> Any:
        """Return the result and its tangent."""
    def batch_dim_rule(self, axis_data: Any, dims: Any, /) -> Any:
        """Return where the mapped axis of the result is."""
    def batch(self, axis_data: Any, args: Any, dims: Any) -> Any:
        """Return the result for a batch, and where its axis is."""
    def check(self, *arg_tys: Any) -> None:
        """Raise TypeError if operands have other types than the object was made for."""
    def __call__(self, *args: Any) -> Any: ...
class ValAccum(GradAccum):
    """A cotangent that is wanted as a value, `freeze()`.

    Args:
      aval: the type of a cotangent.

    >>> from adjoint.experimental import hijax
    >>> total = hijax.ValAccum(typeof(1.))
    >>> total.accum(2.)
    >>> total.accum(3.)
    >>> total.freeze()
    Array(5., dtype=float32, weak_type=True)
    """
    def __init__(self, aval: Any) -> None: ...
    def accum(self, ct: Any) -> None: ...
    def freeze(self) -> Any:
        """Return the sum of all that was added."""
class Zero:
    """A tangent or cotangent known to be zero; never computed with.

    Args:
      aval: the type of the value.

    >>> Zero(typeof(jnp.ones(2)))
    Zero(float32[2])
    """
    def __init__(self, aval: Any) -> None: ...
    @staticmethod
    def from_primal_value(value: Any) -> Zero:
        """Return the zero tangent of `value`; its type is found out when it is asked for."""
    @property
    def aval(self) -> _ShapedArray: ...
    def instantiate(self) -> Any:
        """Return a tangent as a value: zeros are made real.

        Args:
          tangent: a value, or a `Zero`.
        Returns:
          The value, or an array of zeros.

        >>> instantiate(Zero(typeof(jnp.ones(2))))
        Array([0., 0.], dtype=float32)
        """
def apply_derived_linearization(self: Any, res: Any, *tangents: Any) -> Any:
    """Return the tangent of the result, by the function that `linearize_from_jvp` keeps.

    Args:
      self: the primitive, of which the function is a method.
      res: the function.
      *tangents: of the operands; those that are `Zero` are made arrays.
    Returns:
      The tangent of the result.

    >>> from adjoint.experimental import hijax
    >>> class Cube(hijax.VJPHiPrimitive):
    ...     def __init__(self, aval):
    ...         self.in_avals, self.out_aval, self.params = (aval,), aval, {}
    ...         super().__init__()
    ...     def expand(self, x): return x ** 3
    ...     def jvp(self, primals, tangents): return self(*primals), 3 * primals[0] ** 2 * tangents[0]
    ...     lin, linearized = hijax.linearize_from_jvp
    >>> linearize(Cube(typeof(2.)), 2.)[1](1.)
    Array(12., dtype=float32, weak_type=True)
    """
class aval_method(NamedTuple):
    """A function of a type that values of it have as a method.

    Args:
      fun: a function of the value, and of further arguments.

    >>> from adjoint.experimental import hijax
    >>> class Meters(hijax.HiType):
    ...     in_feet = hijax.aval_method(lambda value: value / 0.3048)
    >>> Meters.in_feet.fun(3.048)
    10.0
    """
    fun: Callable[..., Any]
class aval_property(NamedTuple):
    """A function of a type that values of it have as a property.

    Args:
      fget: a function of the value.

    >>> from adjoint.experimental import hijax
    >>> class Meters(hijax.HiType):
    ...     unit = hijax.aval_property(lambda value: "m")
    >>> Meters.unit.fget(3.)
    'm'
    """
    fget: Callable[..., Any]
control_flow_allowed_effects: Any
def instantiate_zeros(tangent: Any) -> Any:
    """Return a tangent as a value: a symbolic zero is made real.

    Args:
      tangent: a value, or a symbolic zero.
    Returns:
      A value.

    >>> from adjoint.experimental import hijax
    >>> hijax.instantiate_zeros(2.)
    2.0
    """
def is_undefined_primal(x: Any) -> bool:
    """Return whether an operand of a rule for transposition is one in which the operation is linear.

    Args:
      x: an operand.

    >>> from adjoint.interpreters import ad
    >>> ad.is_undefined_primal(ad.UndefinedPrimal(typeof(1.))), ad.is_undefined_primal(1.)
    (True, False)
    """
def jvp_from_lin(self: Any, primals: Any, tangents: Any) -> Any:
    """Return the result and its tangent, by `lin` and `linearized`.

    Args:
      self: the primitive, of which the function is a method.
      primals: the operands.
      tangents: theirs, or `Zero`.
    Returns:
      (the result, its tangent)

    >>> from adjoint.experimental import hijax
    >>> class Cube(hijax.VJPHiPrimitive):
    ...     def __init__(self, aval):
    ...         self.in_avals, self.out_aval, self.params = (aval,), aval, {}
    ...         super().__init__()
    ...     def expand(self, x): return x ** 3
    ...     def lin(self, nzs_in, x): return x ** 3, 3 * x ** 2
    ...     def linearized(self, slope, dx): return slope * dx
    ...     jvp = hijax.jvp_from_lin
    >>> jvp(Cube(typeof(2.)), (2.,), (1.,))
    (Array(8., dtype=float32, weak_type=True), Array(12., dtype=float32, weak_type=True))
    """
linearize_from_jvp: Any
"""Return the result, and the linear function that the rule for forward mode is there."""
def register_hitype(val_cls: type[Any], typeof_fn: Callable[[Any], HiType]) -> None:
    """Say that values of a class have a `HiType`, which `typeof_fn` gives.

    A value that does not change passes through transformations as the tree of arrays that it is made of. One that
    changes, whose class has a method `cur_qdd`, passes into and out of `jit`, and functions may close over it.

    Args:
      val_cls: the class.
      typeof_fn: a function of a value, which gives its type.

    >>> from adjoint.experimental import hijax
    >>> class Pair:
    ...     def __init__(self, x, y): self.x, self.y = x, y
    >>> class PairType(hijax.HiType):
    ...     def lower_val(self, pair): return [pair.x, pair.y]
    ...     def raise_val(self, x, y): return Pair(x, y)
    >>> hijax.register_hitype(Pair, lambda pair: PairType())
    >>> jit(lambda pair: Pair(pair.y, pair.x))(Pair(1., 2.)).x
    Array(2., dtype=float32, weak_type=True)
    """
def transpose_jvp(self: Any, res: Any, outgrad: Any) -> Any:
    """Return the cotangents of the operands, by the transpose of the rule for forward mode at the operands.

    Args:
      self: the primitive, of which the function is a method.
      res: what the forward rule gave beside its result.
      outgrad: the cotangent of the result.
    Returns:
      (a cotangent for each operand)

    >>> from adjoint.experimental import hijax
    >>> class Cube(hijax.VJPHiPrimitive):
    ...     def __init__(self, aval):
    ...         self.in_avals, self.out_aval, self.params = (aval,), aval, {}
    ...         super().__init__()
    ...     def expand(self, x): return x ** 3
    ...     def jvp(self, primals, tangents): return self(*primals), 3 * primals[0] ** 2 * tangents[0]
    ...     vjp_fwd = hijax.vjp_fwd_from_jvp
    ...     vjp_bwd_retval = hijax.transpose_jvp
    >>> grad(Cube(typeof(2.)))(2.)
    Array(12., dtype=float32, weak_type=True)
    """
def transpose_linearized(self: Any, res: Any, outgrad: Any) -> Any:
    """Return the cotangents of the operands, by the transpose of `linearized`.

    Args:
      self: the primitive, of which the function is a method.
      res: what the forward rule gave beside its result.
      outgrad: the cotangent of the result.
    Returns:
      (a cotangent for each operand)

    >>> from adjoint.experimental import hijax
    >>> class Cube(hijax.VJPHiPrimitive):
    ...     def __init__(self, aval):
    ...         self.in_avals, self.out_aval, self.params = (aval,), aval, {}
    ...         super().__init__()
    ...     def expand(self, x): return x ** 3
    ...     def lin(self, nzs_in, x): return x ** 3, 3 * x ** 2
    ...     def linearized(self, slope, dx): return slope * dx
    ...     vjp_fwd = hijax.vjp_fwd_from_lin
    ...     vjp_bwd_retval = hijax.transpose_linearized
    >>> grad(Cube(typeof(2.)))(2.)
    Array(12., dtype=float32, weak_type=True)
    """
vjp_from_jvp: Any
"""Return the result, and the operands."""
vjp_from_lin: Any
"""Return the result, and what `linearized` needs."""
vjp_fwd_from_jvp: Any
"""Return the result, and the operands."""
vjp_fwd_from_lin: Any
"""Return the result, and what `linearized` needs."""
