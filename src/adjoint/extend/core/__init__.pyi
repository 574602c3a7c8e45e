# Written by stubs/generate.py; do not edit.
from adjoint.core import AbstractValue
from adjoint.core import Effect as _Effect
from adjoint.core import ShapedArray
from adjoint.core import Trace
from adjoint.extend.source_info_util import SourceInfo
from collections.abc import Callable
from collections.abc import Iterator
from typing import Any
from typing import TypeAlias
class AbstractToken(AbstractValue):
    """The type of a token.

    >>> from adjoint.extend.core import AbstractToken
    >>> typeof(lax.create_token()), isinstance(typeof(lax.create_token()), AbstractToken)
    (AbstractToken(), True)
    """
    shape: Any
    ndim: Any
    size: Any
    dtype: Any
    weak_type: Any
    def str_short(self, short_dtypes: Any = False, **_: Any) -> str:
        """Return the type as text.

        Args:
          short_dtypes: for compatibility with types of arrays; not read.
          _: likewise.
        """
    def to_tangent_aval(self) -> ShapedArray:
        """Return the type of tangents: that of no number."""
    def update(self, **_: Any) -> AbstractToken:
        """Return itself: a token is on no device, and varies over no axis.

        Args:
          _: fields of types of arrays, which it has not.
        """
from adjoint.core import CallPrimitive as CallPrimitive
class ClosedJaxpr:
    """A jaxpr and the values of its constvars.

    Args:
      jaxpr: the program.
      consts: the values of its constvars.

    >>> closed = make_jaxpr(lambda x: x * 2)(1.0)
    >>> closed.in_avals, closed.jaxpr.eqns[0].primitive
    ([ShapedArray(float32[], weak_type=True)], mul)
    """
    def __init__(self, jaxpr: Any, consts: Any) -> None: ...
    @property
    def constvars(self) -> Any:
        """Return the variables of what the program closes over."""
    @property
    def invars(self) -> Any:
        """Return the variables of the arguments."""
    @property
    def outvars(self) -> Any:
        """Return the results: variables and literals."""
    @property
    def debug_info(self) -> Any:
        """Return the names of the function, its arguments and its results."""
    @property
    def literals(self) -> Any:
        """Return the values of the constvars."""
    @property
    def eqns(self) -> list[JaxprEqn]:
        """Return the equations, in the order in which they run."""
    def map_jaxpr(self, f: Any) -> ClosedJaxpr:
        """Return the closed jaxpr with another program for the same constants.

        Args:
          f: jaxpr -> jaxpr.
        """
    def replace(self, *, jaxpr: Any = None, consts: Any = None) -> ClosedJaxpr:
        """Return a copy with another program or other constants.

        Args:
          jaxpr: the program; default, the one it has.
          consts: the values of its constvars; default, those it has.
        """
    consts: Any
    jaxpr: Any
    is_high: Any
    @property
    def effects(self) -> set[_Effect]:
        """Return the effects of the equations."""
    @property
    def in_avals(self) -> list[ShapedArray]:
        """Return the types of the arguments."""
    @property
    def out_avals(self) -> list[ShapedArray]:
        """Return the types of the results."""
    def pretty_print(self, *, source_info: bool = False, print_shapes: bool = True, custom_pp_eqn_rules: bool = True, name_stack: bool = False, print_effects: bool = False, **kwargs: Any) -> str:
        """Return the program as text.

        Args:
          source_info: append the user's line to each equation.
          print_shapes: write the types of variables.
          custom_pp_eqn_rules: print calls by their own rules, as `jit` has one.
          name_stack: append the named scopes of each equation.
          print_effects: write the effects.
          kwargs: what is for terminals, such as colors, and is ignored.
        """
from adjoint.core import DebugInfo as DebugInfo
from adjoint.core import DropVar as DropVar
from adjoint.core import Effect as Effect
Effects: TypeAlias = set[_Effect]
"""set() -> new empty set object
set(iterable) -> new set object

Build an unordered collection of unique elements.
"""
from adjoint.core import InconclusiveDimensionOperation as InconclusiveDimensionOperation
class Jaxpr:
    """A program: constvars and invars, equations in order, outvars.

    Args:
      constvars: variables of what the program closes over.
      invars: variables of the arguments.
      outvars: the results, variables and literals.
      eqns: the equations, in order.
      effects: what they do beside computing; default, found out.
      debug_info: names for messages.
      is_high: whether there are types of `experimental.hijax`.

    >>> closed = make_jaxpr(lambda x: x * 2)(1.0)
    >>> len(closed.jaxpr.invars), len(closed.jaxpr.eqns), len(closed.jaxpr.outvars)
    (1, 1, 1)
    """
    def __init__(self, constvars: Any, invars: Any, outvars: Any, eqns: Any, effects: Any = ..., debug_info: Any = None, is_high: Any = False) -> None: ...
    def replace(self, **changes: Any) -> Jaxpr:
        """Return a copy with some fields replaced.

        Args:
          changes: `constvars`, `invars`, `outvars`, `eqns` or `debug_info`.
        """
    cache: Any
    constvars: Any
    debug_info: Any
    eqns: Any
    invars: Any
    operation: Any
    outvars: Any
    is_high: Any
    @property
    def effects(self) -> set[_Effect]:
        """Return the effects of the equations."""
    @property
    def in_avals(self) -> list[ShapedArray]:
        """Return the types of the arguments."""
    @property
    def out_avals(self) -> list[ShapedArray]:
        """Return the types of the results."""
    def pretty_print(self, *, source_info: bool = False, print_shapes: bool = True, custom_pp_eqn_rules: bool = True, name_stack: bool = False, print_effects: bool = False, **kwargs: Any) -> str:
        """Return the program as text.

        Args:
          source_info: append the user's line to each equation.
          print_shapes: write the types of variables.
          custom_pp_eqn_rules: print calls by their own rules, as `jit` has one.
          name_stack: append the named scopes of each equation.
          print_effects: write the effects.
          kwargs: what is for terminals, such as colors, and is ignored.
        """
class JaxprEqn:
    """`outvars = primitive[params] invars`, with the place in the user's program.

    Args:
      invars: the operands, variables and literals.
      outvars: the variables of the results.
      primitive: the operation.
      params: its parameters.
      effects: what it does beside computing; default, what the primitive says.
      source_info: the place in the user's program.
      ctx: for compatibility with JAX; not read.
    Attributes:
      lanes: of equations that choose between the results of branches for each element of a batch, the same as branches
        of one element (`control_flow/lanes.py`), which an engine may run instead.

    >>> closed = make_jaxpr(lambda x: x * 2)(1.0)
    >>> eqn = closed.jaxpr.eqns[0]
    >>> eqn.primitive.name, eqn.params, len(eqn.invars)
    ('mul', {}, 2)
    """
    def __init__(self, invars: Any, outvars: Any, primitive: Any, params: Any, effects: Any = None, source_info: Any = None, ctx: Any = None) -> None: ...
    ctx: Any
    @property
    def effects(self) -> frozenset[_Effect]:
        """Return what the equation does beside computing its results."""
    @property
    def source_info(self) -> SourceInfo:
        """Return the place in the user's program."""
    def replace(self, **changes: Any) -> JaxprEqn:
        """Return a copy with some fields replaced.

        Args:
          changes: `invars`, `outvars`, `primitive`, `params` or `source_info`.
        """
    invars: Any
    lanes: Any
    outvars: Any
    params: Any
    primitive: Any
from adjoint.core import JaxprTypeError as JaxprTypeError
class Literal:
    """A scalar constant written into the program.

    A program shows it with its type, such as `1.0:f32[]`; Python's scalars as they are, others in their precision.

    Args:
      val: the scalar.
      aval: its type.

    >>> closed = make_jaxpr(lambda x: x * 2)(1.0)
    >>> closed.jaxpr.eqns[0].invars[1].val
    2.0
    """
    def __init__(self, val: Any, aval: Any) -> None: ...
    @property
    def operand(self) -> Any:
        """Return the value, of the literal's type to every reader."""
    @property
    def hash(self) -> Any:
        """Return the hash of the value."""
    @property
    def text(self) -> str:
        """Return the value and its type, as a program shows them."""
    aval: Any
    val: Any
class Primitive:
    """A named operation; call it, or `bind` it, with arrays and keyword parameters.

    Args:
      name: the name, as it is printed.
      multiple_results: whether there is a list of results.
      linear: whether the operation is linear in all of its operands.
      program: whether a parameter holds a program.
      is_listed: whether it is listed among the library's own, where a module of the library defines it.

    >>> cube_p = extend.core.Primitive("cube")
    >>> _ = cube_p.def_impl(lambda x: x ** 3)
    >>> _ = cube_p.def_abstract_eval(lambda x: x)
    >>> cube_p.bind(jnp.float32(2))
    Array(8., dtype=float32)
    >>> make_jaxpr(cube_p.bind)(2.)
    { lambda ; a:f32[]. let b:f32[] = cube a in (b,) }
    """
    def __init__(self, name: str, *, multiple_results: bool = False, linear: bool = False, program: bool = False, is_listed: bool = True) -> None: ...
    called: str | None
    unset: dict[str, Any]
    own_params: frozenset[str]
    type: Any
    evaluate: Any
    jvp: Any
    transpose: Any
    batch: Any
    linearize: Any
    batch_axis: Any
    stage: Any
    eager: Any
    stepwise: Any
    discharge: Any
    opened: Any
    prune: Any
    depends: Any
    effects: Any
    axes: Any
    varies: Any
    combines: Any
    exact: Any
    neutral: Any
    print: Any
    specialize: Any
    sums: Any
    sharding: Any
    propagate: Any
    per_device: Any
    lower: Any
    emit: Any
    expand: Any
    foreign: Any
    batch_trace: Any
    multiple_results: Any
    call_primitive: Any
    runs_programs: Any
    calls_python: Any
    transposes_zeros: Any
    joins: Any
    def bind(self, *args: Any, **params: Any) -> Any:
        """Run the operation in whatever transformation is active.

        Args:
          args: arrays, scalars or tracers.
          params: what else decides what is computed.
        """
    def __call__(self, *args: Any, **params: Any) -> Any: ...
    def infer(self, avals: tuple[ShapedArray, ...], params: dict[Any, Any]) -> Any:
        """Return the type of the result, which is remembered by the types of operands and the parameters, and by the
        mesh that is set if it may depend on that.

        Args:
          avals: the types of the operands.
          params: the parameters.
        """
    def examples(self, *calls: Any) -> None:
        """Add example calls, which the tests try.

        Args:
          calls: tuples of operand avals (or arrays, where values matter) and last, if any, a dict of parameters.
        """
    def missing(self) -> list[str]:
        """Return names of the rules that this primitive should have and has not."""
    type_rule: Any
    evaluate_rule: Any
    jvp_rule: Any
    transpose_rule: Any
    batch_rule: Any
    linearize_rule: Any
    batch_axis_rule: Any
    stage_rule: Any
    eager_rule: Any
    stepwise_rule: Any
    discharge_rule: Any
    opened_rule: Any
    prune_rule: Any
    depends_rule: Any
    effects_rule: Any
    axes_rule: Any
    varies_rule: Any
    combines_rule: Any
    exact_rule: Any
    neutral_rule: Any
    print_rule: Any
    specialize_rule: Any
    sums_rule: Any
    sharding_rule: Any
    propagate_rule: Any
    per_device_rule: Any
    lower_rule: Any
    emit_rule: Any
    expand_rule: Any
    foreign_rule: Any
    batch_trace_rule: Any
    own_impl: Callable[..., Any] | None
    def take_methods(self) -> Any:
        """Take the methods of a subclass as rules, where it defines JAX's by overriding them."""
    def def_impl(self, impl: Callable[..., Any]) -> Callable[..., Any]:
        """Set what runs the operation on arrays, NumPy arrays and scalars; usable as a decorator.

        Args:
          impl: `impl(*args, **params)`, which returns the result, or a list of several.
        """
    def def_abstract_eval(self, abstract_eval: Callable[..., Any]) -> Callable[..., Any]:
        """Set what gives the type of the result; usable as a decorator.

        Args:
          abstract_eval: `abstract_eval(*avals, **params)`, which returns an aval, or a list of several.
        """
    def def_effectful_abstract_eval(self, abstract_eval: Callable[..., Any]) -> Callable[..., Any]:
        """Set what gives the type of the result and the effects; usable as a decorator.

        Args:
          abstract_eval: `abstract_eval(*avals, **params)`, which returns (the type, the set of effects).
        """
    def def_effectful_abstract_eval2(self, abstract_eval: Callable[..., Any]) -> Callable[..., Any]:
        """Do the same as `def_effectful_abstract_eval`.

        Args:
          abstract_eval: `abstract_eval(*avals, **params)`, which returns (the type, the set of effects).
        """
    def def_bind_with_trace(self, bind_with_trace: Callable[..., Any]) -> Callable[..., Any]:
        """Set what takes the place of the method `bind_with_trace`; usable as a decorator.

        Args:
          bind_with_trace: `bind_with_trace(trace, args, avals, params)`, which returns the result.
        """
    @property
    def impl(self) -> Callable[..., Any]:
        """Return a function that runs the operation now, as it is defined at this time: `def_impl` takes it back."""
    def abstract_eval(self, *avals: Any, **params: Any) -> Any:
        """Return (the type of the result, the effects).

        Args:
          avals: the types of the operands.
          params: the parameters of the equation.
        """
    def bind_with_trace(self, trace: Any, args: Any, *avals_and_params: Any) -> Any:
        """Run the operation in a given trace.

        Args:
          trace: the trace.
          args: the operands.
          avals_and_params: the types of the operands, which may be left out, and a dict of parameters.
        """
    def get_bind_params(self, params: dict[Any, Any]) -> dict[Any, Any]:
        """Return the keyword arguments of `bind` that make an equation with these parameters again.

        Args:
          params: the parameters of an equation.
        """
    def is_effectful(self, params: dict[Any, Any]) -> bool:
        """Return whether equations with `params` may have effects.

        Args:
          params: the parameters of an equation.
        """
class Token:
    """Stands for a moment in the order of effects.

    Args:
      buf: an array that is computed at that moment; default, the moment has come.

    >>> from adjoint.extend.core import Token
    >>> Token(jnp.ones(2)).block_until_ready()
    """
    def __init__(self, buf: Any = None) -> None: ...
    def block_until_ready(self) -> None:
        """Wait until what the token stands for has happened."""
class TraceTag:
    """Tells one transformation's tracers from those of another.

    >>> from adjoint.extend.core import TraceTag
    >>> TraceTag() == TraceTag()
    False
    """
    ...
class Var:
    """A variable; equal only to itself.

    Args:
      aval: the type.

    >>> closed = make_jaxpr(lambda x: x * 2)(1.0)
    >>> closed.jaxpr.invars[0].aval
    ShapedArray(float32[], weak_type=True)
    """
    def __init__(self, aval: Any) -> None: ...
    aval: Any
array_types: set[Any]
def call_impl(f: Any, *args: Any, **params: Any) -> Any:
    """Call a wrapped function.

    Args:
      f: a `WrappedFun`.
      *args: its arguments.
      **params: are not read.
    Returns:
      What it returns.
    Raises:
      AttributeError: `f` is no `WrappedFun`.

    >>> from adjoint.extend import core, linear_util
    >>> core.call_impl(linear_util.wrap_init(lambda x: [x + 1]), 2)
    [3]
    """
from adjoint.core import check_jaxpr as check_jaxpr
from adjoint.core import concrete_or_error as concrete_or_error
from adjoint.core import find_top_trace as find_top_trace
from adjoint.core import gensym as gensym
from adjoint.core import get_opaque_trace_state as get_opaque_trace_state
def jaxpr_as_fun(closed: ClosedJaxpr) -> Callable[..., Any]:
    """Return the program as a function of its flat arguments.

    Args:
      closed: the program.
    Returns:
      A function that returns a list of results.
    Raises:
      ValueError: it is called with more or fewer arguments than the program has.

    >>> closed = make_jaxpr(lambda x: x * 2)(1.0)
    >>> jaxpr_as_fun(closed)(3.0)
    [Array(6., dtype=float32, weak_type=True)]
    """
from adjoint.core import jaxprs_in_params as jaxprs_in_params
def mapped_aval(size: int, axis: int | None, aval: AbstractValue) -> Any:
    """Return the type of an array's elements along an axis.

    Args:
      size: the length of the axis.
      axis: which one; None leaves the type as it is.
      aval: the type.
    Returns:
      The type without the axis.

    >>> mapped_aval(3, 0, typeof(jnp.ones((3, 2))))
    ShapedArray(float32[2])
    """
from adjoint.core import new_jaxpr_eqn as new_jaxpr_eqn
no_effects: frozenset[Any]
from adjoint.core import nonempty_axis_env_DO_NOT_USE as nonempty_axis_env_DO_NOT_USE
from adjoint.core import primal_dtype_to_tangent_dtype as primal_dtype_to_tangent_dtype
from adjoint.extend.core import primitives as primitives
def set_current_trace(trace: Trace, check_leaks: bool = False) -> Any:
    """Let a trace interpret primitives inside of a `with` block.

    Args:
      trace: the trace.
      check_leaks: is not read.
    Returns:
      A context manager.

    >>> from adjoint.extend import core
    >>> with core.take_current_trace() as trace, core.set_current_trace(trace):
    ...     print(jnp.sin(0.))
    0.0
    """
def subjaxprs(jaxpr: Jaxpr) -> Iterator[Jaxpr]:
    """Return the programs inside of a program's equations, one level deep.

    Args:
      jaxpr: the program.
    Yields:
      Jaxprs.

    >>> closed = make_jaxpr(jit(lambda x: x * 2))(1.0)
    >>> [len(jaxpr.eqns) for jaxpr in subjaxprs(closed.jaxpr)]
    [1]
    """
def take_current_trace() -> Any:
    """Return the trace that interprets primitives now, for a trace that is put on top of it.

    Returns:
      A context manager that gives the trace.

    >>> from adjoint.extend import core
    >>> with core.take_current_trace() as trace, core.set_current_trace(trace):
    ...     print(jnp.sin(0.))
    0.0
    """
def unmapped_aval(size: int, axis: int | None, aval: AbstractValue, explicit_mesh_axis: Any = None) -> Any:
    """Return the type with another axis.

    Args:
      size: the length of the axis.
      axis: where it is put; None leaves the type as it is.
      aval: the type.
      explicit_mesh_axis: over which mesh axes it is divided.
    Returns:
      The type.

    >>> unmapped_aval(3, 0, typeof(jnp.ones(2)))
    ShapedArray(float32[3,2])
    """
from adjoint.core import unsafe_am_i_under_a_jit_DO_NOT_USE as unsafe_am_i_under_a_jit_DO_NOT_USE
from adjoint.core import unsafe_am_i_under_a_vmap_DO_NOT_USE as unsafe_am_i_under_a_vmap_DO_NOT_USE
from adjoint.core import unsafe_get_axis_names_DO_NOT_USE as unsafe_get_axis_names_DO_NOT_USE
from adjoint.core import valid_jaxtype as valid_jaxtype
