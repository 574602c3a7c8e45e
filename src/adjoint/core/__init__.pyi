# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.extend.core import AbstractToken
from adjoint.extend.core import Jaxpr
from adjoint.extend.core import JaxprEqn
from adjoint.extend.core import Literal
from adjoint.extend.core import Primitive
from adjoint.extend.core import Var
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Sequence
from typing import Any
from typing import NamedTuple
from typing import TypeAlias
class AbstractValue:
    """The type of a value, known while tracing.

    >>> isinstance(typeof(jnp.ones(3)), core.AbstractValue)
    True
    """
    placement: _Placement | None
    is_high: Any
    has_qdd: Any
    def lo_ty(self) -> list[AbstractValue]:
        """Return the types of the arrays that a value is made of: its own type."""
    def lower_val(self, hi_val: Any) -> list[Any]:
        """Return the arrays that a value is made of.

        Args:
          hi_val: the value.
        """
    def raise_val(self, lo_val: Any) -> Any:
        """Return the value that is made of an array.

        Args:
          lo_val: the array.
        """
    def normalize(self) -> AbstractValue:
        """Return the type of values that are written in one way."""
Atom: TypeAlias = Var | Literal
class CallPrimitive(Primitive):
    """A primitive whose first operand is a function of the others: `bind(wrapped function, *args)`.

    Args:
      name: the name, as it is printed.
      multiple_results: whether there is a list of results.
      linear: whether the operation is linear in all of its operands.
      program: whether a parameter holds a program.
      is_listed: as of `Primitive`; calls are never listed.

    >>> from adjoint.extend import linear_util as lu
    >>> core.CallPrimitive("marked_call").bind(lu.wrap_init(lambda x: [2 * x]), 3.)
    [6.0]
    """
    call_primitive: Any
    multiple_results: Any
    def bind(self, fun: Any, *args: Any, **params: Any) -> Any:
        """Call the function; the call leaves no mark in the jaxpr.

        Args:
          fun: a `WrappedFun`.
          args: its arguments.
          params: parameters, which no mark in the jaxpr keeps.
        Returns:
          What the function returns.

        >>> from adjoint.extend import linear_util as lu
        >>> core.call(lu.wrap_init(lambda x, y: [x + y]), 1., 2.)
        [3.0]
        """
class DebugInfo:
    """Names for messages and printing: the traced function's and its arguments'.

    Args:
      traced_for: what it was traced for, such as "jit".
      func_src_info: the function's name and its place.
      arg_names: the names of the flat arguments, or a function that gives them.
      result_paths: the paths of the flat results, or a function that gives them.

    >>> from adjoint.extend import core
    >>> core.DebugInfo("jit", "f at program.py:3", ("x",)).func_name
    'f'
    """
    def __init__(self, traced_for: str, func_src_info: str, arg_names: Any = None, result_paths: Any = None) -> None: ...
    @property
    def func_name(self) -> str:
        """Return the name of the traced function."""
    @property
    def func_filename(self) -> str | None:
        """Return the file of the traced function; None if it is not known."""
    @property
    def func_lineno(self) -> int | None:
        """Return the line at which the traced function begins; None if it is not known."""
    @property
    def arg_names(self) -> tuple[str, ...]:
        """Return the names of the arguments, with the paths of leaves: `params['w']`."""
    @property
    def result_paths(self) -> tuple[str, ...]:
        """Return the paths of the results: `result['w']`."""
    def name_results(self, paths: Callable[[], Sequence[str]]) -> None:
        """Note how the results are called, once the structure of what the function returns is known.

        Args:
          paths: gives the paths of the flat results.
        """
    def arg_name(self, i: int) -> str:
        """Return the name of one argument; an empty text if it has none.

        Args:
          i: its position among the flat arguments.
        """
    def dependence(self, trace: Any, var: Any) -> str:
        """Return which arguments `var` was computed from, in words.

        Args:
          trace: the trace of the function.
          var: the variable.
        """
    func_src_info: Any
    traced_for: Any
class DropVar(Var):
    """A result that is not read; printed as `_`.

    Args:
      aval: the type.

    >>> eqn = make_jaxpr(lambda x: lax.top_k(x, 1)[0])(jnp.ones(3)).jaxpr.eqns[0]
    >>> [type(v).__name__ for v in eqn.outvars]
    ['Var', 'DropVar']
    """
    ...
class Effect:
    """Base of all effects.

    >>> program = make_jaxpr(lambda x: debug.print("{}", x))(1.)
    >>> [isinstance(e, core.Effect) for e in program.effects]
    [True]
    """
    unfinished: str | None
Effects: TypeAlias = set[Effect]
"""set() -> new empty set object
set(iterable) -> new set object

Build an unordered collection of unique elements.
"""
class InconclusiveDimensionOperation(Exception):
    """A comparison of symbolic sizes has no answer that holds for all sizes.

    Causes:
      `if x.shape[0] > 4:`                      leave the branch out, or export a program for each case
      `max(a, b)` of sizes                      `core.max_dim(a, b)`
      a size that is large in every use         `export.symbolic_shape("a", constraints=["a >= 5"])`

    >>> n, = export.symbolic_shape("n")
    >>> n > 3
    Traceback (most recent call last):
        ...
    adjoint.errors.InconclusiveDimensionOperation: Symbolic dimension comparison 'n' > '3' is inconclusive. ...
    """
    def __init__(self, text: str) -> None: ...
class JaxprPpContext:
    """Names of variables and of shared programs in one printed text.

    Args:
      var_names: names of variables that have one; others get letters in order.

    >>> x = extend.core.Var(core.ShapedArray((), jnp.float32))
    >>> core.JaxprPpContext({x: "weight"}).of(x)
    'weight'
    """
    def __init__(self, var_names: Any = None) -> None: ...
    def drop_unread(self, jaxpr: Any) -> None:
        """Print results that nothing reads later as `_` in the outermost program, as JAX; inside others they are named.

        Args:
          jaxpr: the program.
        """
    def of(self, v: Var) -> str: ...
    def atom(self, v: Var | Literal) -> str: ...
    def share(self, jaxpr: Any, name: str) -> None: ...
class JaxprPpSettings(NamedTuple):
    """The options of `Jaxpr.pretty_print`: which parts of a program are printed.

    Args:
      print_shapes: the types of variables.
      source_info: the user's line of each equation, to the right of it.
      name_stack: the named scopes of each equation, to the right of it.
      custom_pp_eqn_rules: leave out of equations what follows from the rest, and print references as indexed.
      print_effects: the effects of each program, behind it.

    >>> print(make_jaxpr(jnp.sin)(1.).pretty_print(print_shapes=False))
    { lambda ; a. let b = sin a in (b,) }
    >>> core.JaxprPpSettings(print_shapes=False).source_info
    False
    """
    print_shapes: bool
    source_info: bool
    name_stack: bool
    custom_pp_eqn_rules: bool
    print_effects: bool
class JaxprTypeError(TypeError):
    """A jaxpr is malformed: an unbound variable, or an equation whose types do not fit.

    Causes:
      a jaxpr put together by hand              `core.check_jaxpr(jaxpr)` names the equation
      a primitive with a wrong type rule        the rule and what `impl` returns must agree
      a variable of another jaxpr               pass it as an operand

    >>> x, y = (extend.core.Var(core.ShapedArray((), jnp.float32)) for _ in range(2))
    >>> core.check_jaxpr(extend.core.Jaxpr((), [x], [y], []))
    Traceback (most recent call last):
        ...
    adjoint.errors.JaxprTypeError: Variable 'b' not defined ...
    """
    ...
OutputType: TypeAlias = tuple[AbstractValue, ...]
"""Built-in immutable sequence.

If no argument is given, the constructor returns an empty tuple.
If iterable is specified the tuple is initialized from iterable's items.

If the argument is a tuple, the return value is the same object.
"""
ParamDict: TypeAlias = dict[str, Any]
"""dict() -> new empty dictionary
dict(mapping) -> new dictionary initialized from a mapping object's
    (key, value) pairs
dict(iterable) -> new dictionary initialized as if via:
    d = {}
    for k, v in iterable:
        d[k] = v
dict(**kwargs) -> new dictionary initialized with the name=value pairs
    in the keyword argument list.  For example:  dict(one=1, two=2)
"""
class ShapedArray(AbstractValue):
    """An array of known shape and dtype and unknown values.

    Args:
      shape: the lengths of the axes.
      dtype: of the elements.
      weak_type: whether it gives way to the dtype of other operands, as Python numbers do.
      vma: the manual mesh axes over which values vary.
      explicit_sharding, sharding: how it is divided over explicit mesh axes; two names of one thing.
      memory_space: the memory in which it is, if not the device's.
      placement: these three as one object, which other types have.

    >>> core.ShapedArray((2, 3), jnp.float32)
    ShapedArray(float32[2,3])
    >>> core.ShapedArray((2, 3), jnp.float32) == typeof(jnp.ones((2, 3)))
    True
    """
    def __init__(self, shape: Any, dtype: Any, weak_type: Any = False, vma: Any = ..., explicit_sharding: Any = None, memory_space: Any = None, sharding: Any = None, placement: Any = None, **_: Any) -> None: ...
    shape: tuple[int, ...]
    dtype: Any
    weak_type: bool
    placement: _Placement | None
    def update(self, shape: Any = None, dtype: Any = None, weak_type: Any = None, **placement: Any) -> ShapedArray:
        """Return a copy with some fields replaced. Of another shape, it is divided only if that is said."""
    def strip_weak_type(self) -> ShapedArray: ...
    def without_axis(self, d: int) -> ShapedArray:
        """Return the type of what is at one index of axis `d`."""
    def with_axis(self, d: int, length: int) -> ShapedArray:
        """Return the type with one more axis, which is not divided, at `d`."""
    def to_tangent_aval(self) -> ShapedArray:
        """Return the type of this value's tangents: itself for inexact dtypes, float0 otherwise."""
    def to_cotangent_aval(self) -> ShapedArray:
        """Return the type of this value's tangents: itself for inexact dtypes, float0 otherwise."""
    def at_least_vspace(self) -> ShapedArray: ...
    def str_short(self, short_dtypes: Any = False, **_: Any) -> str: ...
    @property
    def itemsize(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    ndim: Any
    size: Any
    @property
    def vma(self) -> frozenset[Any]:
        """Return the manual mesh axes along which the value may differ between devices."""
    @property
    def mat(self) -> Any:
        """Return along which manual mesh axes the value varies, and is unreduced or reduced: a `ManualAxisType`."""
    @property
    def explicit_sharding(self) -> Any:
        """Return how the value is divided over explicit mesh axes; None if it is over none."""
    @property
    def mesh_sharding(self) -> Any:
        """Return the same over a mesh of any axes, where those that are not explicit do not divide it, or None."""
    @property
    def memory_space(self) -> Any:
        """Return the memory space; None for the device's own."""
    @property
    def sharding(self) -> Any:
        """Return how the type says that values are divided, as a sharding over a mesh without devices."""
    def placement_with(self, shape: Any, vma: Any = None, explicit_sharding: Any = ..., memory_space: Any = ..., sharding: Any = ..., placement: Any = ..., **_: Any) -> _Placement | None:
        """Return the placement with some fields replaced, of a value of this shape."""
class Trace:
    """An interpreter of primitives: each trace defines `process`.

    Args:
      parent: the trace below, whose values its tracers hold; None for the one that computes.

    >>> traces = []
    >>> _ = jvp(lambda x: traces.append(x._trace) or x, (1.,), (1.,))
    >>> isinstance(traces[0], core.Trace), traces[0]
    (True, JVPTrace)
    """
    def __init__(self, *_: Any, **__: Any) -> None: ...
    maps: Any
    runs_programs: Any
    runs_again: Any
    guards: Any
    evaluates_known: Any
    takes_parts: Any
    def process_with_refs(self, p: Any, args: tuple[Any, ...], params: dict[Any, Any]) -> Any:
        """Run a primitive with programs, some of whose operands are references that hold values.

        Args:
          p: the primitive.
          args: its operands.
          params: its parameters.
        """
    def process_seen_refs(self, p: Any, args: tuple[Any, ...], params: dict[Any, Any]) -> Any:
        """Run such a primitive where rules of the user's are given the references, which they may read and write.

        Args:
          p: the primitive.
          args: its operands.
          params: its parameters.
        """
    active: Any
    is_checked: Any
    parent: Any
    stages: Any
    @property
    def main(self) -> Any:
        """Return what libraries compare to know the traces of their values."""
    def process(self, p: Any, args: tuple[Any, ...], params: dict[Any, Any]) -> Any:
        """Run a primitive; return the result, or a list of results if it has several.

        Args:
          p: the primitive.
          args: its operands.
          params: its parameters.
        """
    def process_primitive(self, primitive: Any, tracers: Any, params: Any) -> Any:
        """Run a primitive: the method that traces of libraries define.

        Args:
          primitive: the primitive.
          tracers: its operands.
          params: its parameters.
        """
    def full_raise(self, x: Any) -> Any:
        """Return the value as the trace sees it, which is the value itself.

        Args:
          x: an array or a tracer.
        """
    def process_custom_jvp_call(self, primitive: Any, fun: Any, jvp: Any, tracers: Any, *, symbolic_zeros: Any) -> Any:
        """Run a call of a `custom_jvp` function as the function itself, unless a library's trace knows better.

        Args:
          primitive: the primitive of the call.
          fun: the function, as a `WrappedFun`.
          jvp: its rule.
          tracers: the operands.
          symbolic_zeros: tangents that are zero are given to the rule as objects that say so.
        """
    def process_custom_vjp_call(self, primitive: Any, fun: Any, fwd: Any, bwd: Any, tracers: Any, *, out_trees: Any, symbolic_zeros: Any) -> Any:
        """Run a call of a `custom_vjp` function as the function itself, unless a library's trace knows better.

        Args:
          primitive: the primitive of the call.
          fun: the function, as a `WrappedFun`.
          fwd: its forward rule.
          bwd: its backward rule.
          tracers: the operands.
          out_trees: gives the structures of results and residuals.
          symbolic_zeros: cotangents that are zero are given to the rule as objects that say so.
        """
class Tracer(Array):
    """Stands for an array inside a transformation; has its type, and its value only if that is known.

    Made by transformations, which call functions with them.

    >>> jit(lambda x: print(x, isinstance(x, core.Tracer)))(1.)
    JitTracer(~float32[]) True
    """
    def __init__(self, trace: Any = None, aval: Any = None) -> None: ...
    aval: ShapedArray
    def concrete(self) -> Any:
        """Return the concrete array behind this tracer, or None."""
    def full_lower(self) -> Any:
        """Return the simplest value that stands for the same: the tracer itself, unless a library's knows better."""
    def origin(self) -> str:
        """Return where the value came from, for messages."""
    def describe(self) -> str:
        """Return how the tracer is printed."""
Value: TypeAlias = Any
"""Special type indicating an unconstrained type.

- Any is compatible with every type.
- Any assumed to have all methods.
- All values assumed to be instances of Any.

Note that all the above statements are true from the point of view of
static type checkers. At runtime, Any should not be used with instance
checks.
"""
abstract_token: AbstractToken
aval_mapping_handlers: dict[Any, Any]
def call(fun: Any, *args: Any, **params: Any) -> Any:
    """Call the function; the call leaves no mark in the jaxpr.

    Args:
      fun: a `WrappedFun`.
      args: its arguments.
      params: parameters, which no mark in the jaxpr keeps.
    Returns:
      What the function returns.

    >>> from adjoint.extend import linear_util as lu
    >>> core.call(lu.wrap_init(lambda x, y: [x + y]), 1., 2.)
    [3.0]
    """
def check_jaxpr(jaxpr: Jaxpr) -> None:
    """Raise if a variable is read before it is bound or a type disagrees with its primitive's rule.

    Args:
      jaxpr: the program.
    Returns:
      None.
    Raises:
      JaxprTypeError: it is malformed; the text names the equation.

    >>> closed = make_jaxpr(lambda x: x * 2)(1.0)
    >>> check_jaxpr(closed.jaxpr)
    """
def concrete_or_error(force: Callable[..., Any] | None, val: Any, context: str = '') -> Any:
    """Return the concrete value, given to a function.

    Args:
      force: such as `int`; None for the value itself.
      val: the value.
      context: what needs it, for the error.
    Returns:
      ``force(val)``
    Raises:
      ConcretizationTypeError: the value is being traced.

    >>> concrete_or_error(int, jnp.array(3))
    3
    """
def concretization_function_error(fun: Callable[..., Any], suggest_astype: bool = False) -> Callable[..., Any]:
    """Return a method that raises the error of `fun(x)` for a traced `x`, such as `float(x)`.

    Args:
      fun: the function of Python or NumPy that needs a number.
      suggest_astype: say in the message how to change a dtype.

    >>> fail = core.concretization_function_error(int)
    >>> try:
    ...     jit(lambda x: fail(None, x))(1.)
    ... except adjoint.errors.ConcretizationTypeError as error:
    ...     print(str(error).splitlines()[0][:60])
    Abstract tracer value encountered where concrete value is ex
    """
custom_typechecks: dict[Any, Any]
from adjoint import ensure_compile_time_eval as ensure_compile_time_eval
from adjoint import ensure_compile_time_eval as _eval_context
eval_context = _eval_context
def eval_jaxpr(jaxpr: Jaxpr, consts: Sequence[Any], *args: Any, propagate_source_info: bool = True) -> list[Any]:
    """Run the equations one by one through the current trace.

    With `propagate_source_info`, what becomes of an equation has the equation's place in the program.

    Args:
      jaxpr: the program.
      consts: values of its `constvars`.
      *args: its arguments, one for each of `invars`.
      propagate_source_info: give what becomes of an equation the place of the equation in the user's program.
    Returns:
      A list of the results.

    >>> program = make_jaxpr(lambda x: 2 * x + 1)(1.)
    >>> core.eval_jaxpr(program.jaxpr, program.consts, 3.)
    [Array(7., dtype=float32, weak_type=True)]
    """
def find_top_trace(_: Any) -> Trace:
    """Return the trace that interprets primitives now.

    Args:
      _: is not read.
    Returns:
      A `Trace`.

    >>> from adjoint.extend import core
    >>> type(core.find_top_trace(())).__name__
    'EvalTrace'
    """
def gensym() -> Callable[[AbstractValue], Var]:
    """Return a maker of new variables of a type.

    Returns:
      A function of a type, such as a `ShapedArray`.

    >>> from adjoint.extend import core
    >>> core.gensym()(typeof(1.)).aval
    ShapedArray(float32[], weak_type=True)
    """
def get_opaque_trace_state(convention: Any = None) -> Any:
    """Return a token to compare: are the same transformations active?

    Args:
      convention: is not read.
    Returns:
      An object that equals another if they are.

    >>> from adjoint.extend import core
    >>> outside = core.get_opaque_trace_state()
    >>> outside == core.get_opaque_trace_state()
    True
    >>> jit(lambda x: print(outside == core.get_opaque_trace_state()))(1.)
    False
    """
def is_concrete(x: Any) -> bool:
    """Return whether the value of `x` is known: always outside of tracing, and of what `grad` of a known value sees.

    Args:
      x: a value.

    >>> is_concrete(2.), jit(lambda x: is_concrete(x))(2.)
    (True, Array(False, dtype=bool))
    """
def is_constant_dim(d: Any) -> bool:
    """Return whether a length is a number.

    Args:
      d: a length.

    >>> is_constant_dim(3), is_constant_dim("n")
    (True, False)
    """
def is_constant_shape(s: Any) -> bool:
    """Return whether all lengths are numbers.

    Args:
      s: a shape.

    >>> n, = export.symbolic_shape("n")
    >>> core.is_constant_shape((2, 3)), core.is_constant_shape((2, n))
    (True, False)
    """
def jaxprs_in_params(params: dict[str, Any]) -> Iterator[Jaxpr]:
    """Return the programs inside of an equation's parameters.

    Args:
      params: the parameters.
    Yields:
      Jaxprs, those in tuples and lists too.

    >>> eqn = make_jaxpr(jit(lambda x: x * 2))(1.0).jaxpr.eqns[0]
    >>> [len(jaxpr.eqns) for jaxpr in jaxprs_in_params(eqn.params)]
    [1]
    """
literalable_types: set[Any]
def max_dim(d1: Any, d2: Any) -> Any:
    """Return the greater of two lengths.

    Args:
      d1, d2: numbers, or symbolic lengths as of `export.symbolic_shape`.

    >>> n, = export.symbolic_shape("n")
    >>> core.max_dim(n, 3), core.max_dim(2, 3)
    (max(n, 3), 3)
    """
def min_dim(d1: Any, d2: Any) -> Any:
    """Return the lesser of two lengths.

    Args:
      d1, d2: numbers, or symbolic lengths as of `export.symbolic_shape`.

    >>> n, = export.symbolic_shape("n")
    >>> core.min_dim(n, 3), core.min_dim(2, 3)
    (min(n, 3), 2)
    """
def new_jaxpr_eqn(invars: Any, outvars: Any, primitive: Any, params: Any, effects: Any, source_info: Any = None, ctx: Any = None) -> JaxprEqn:
    """Return an equation; its effects are those that the primitive's rule gives.

    Args:
      invars: variables and literals.
      outvars: variables.
      primitive: what is computed.
      params: its parameters.
      effects: is not read.
      source_info, ctx: the place in the user's program, and the options there.
    Returns:
      A `JaxprEqn`.

    >>> from adjoint.extend import core
    >>> eqn = make_jaxpr(lambda x: x + 1)(1.).eqns[0]
    >>> core.new_jaxpr_eqn(eqn.invars, eqn.outvars, eqn.primitive, eqn.params, set()).primitive
    add
    """
no_axis_name: object
no_effects: frozenset[Any]
def nonempty_axis_env_DO_NOT_USE() -> bool:
    """Return whether a named axis is in scope.

    >>> vmap(lambda x: x * nonempty_axis_env_DO_NOT_USE(), axis_name='i')(jnp.ones(2))
    Array([1., 1.], dtype=float32)
    """
def primal_dtype_to_tangent_dtype(primal_dtype: Any) -> Any:
    """Return the dtype of tangents: the same for inexact ones, float0 for others.

    Args:
      primal_dtype: the dtype.
    Returns:
      A NumPy dtype.

    >>> primal_dtype_to_tangent_dtype(np.dtype('float32'))
    dtype('float32')
    >>> primal_dtype_to_tangent_dtype(np.dtype('int32'))
    dtype([('float0', 'V')])
    """
pytype_aval_mappings: dict[Any, Any]
trace_ctx: Any
def unsafe_am_i_under_a_jit_DO_NOT_USE() -> bool:
    """Return whether a jaxpr is being written.

    >>> unsafe_am_i_under_a_jit_DO_NOT_USE(), int(jit(lambda: unsafe_am_i_under_a_jit_DO_NOT_USE())())
    (False, 1)
    """
def unsafe_am_i_under_a_vmap_DO_NOT_USE() -> bool:
    """Return whether something is being mapped.

    >>> unsafe_am_i_under_a_vmap_DO_NOT_USE()
    False
    """
def unsafe_get_axis_names_DO_NOT_USE() -> list[Any]:
    """Return the names of the axes in scope.

    Returns:
      A list.

    >>> seen = []
    >>> _ = vmap(lambda x: seen.append(unsafe_get_axis_names_DO_NOT_USE()), axis_name='i')(jnp.ones(2))
    >>> seen
    [['i']]
    """
def valid_jaxtype(x: Any) -> bool:
    """Return whether `x` is an array, a tracer or a scalar.

    Args:
      x: any object.
    Returns:
      A bool.

    >>> valid_jaxtype(1.), valid_jaxtype("a")
    (True, False)
    """
class _Placement(NamedTuple):
    vma: frozenset[Any]
    sharding: Any
    memory_space: Any
