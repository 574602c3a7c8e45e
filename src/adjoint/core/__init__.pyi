# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.extend.core import AbstractToken
from adjoint.extend.source_info_util import SourceInfo
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
    def effects(self) -> set[Effect]:
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
    def effects(self) -> set[Effect]:
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
    def effects(self) -> frozenset[Effect]:
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
class JaxprPpContext:
    """Names of variables and of shared programs in one printed text.

    Args:
      var_names: names of variables that have one; others get letters in order.

    >>> x = core.Var(core.ShapedArray((), jnp.float32))
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

    >>> x, y = (core.Var(core.ShapedArray((), jnp.float32)) for _ in range(2))
    >>> core.check_jaxpr(core.Jaxpr((), [x], [y], []))
    Traceback (most recent call last):
        ...
    adjoint.errors.JaxprTypeError: Variable 'b' not defined ...
    """
    ...
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
class Primitive:
    """A named operation; call it, or `bind` it, with arrays and keyword parameters.

    Args:
      name: the name, as it is printed.
      multiple_results: whether there is a list of results.
      linear: whether the operation is linear in all of its operands.
      program: whether a parameter holds a program.
      is_listed: whether it is listed among the library's own, where a module of the library defines it.

    >>> cube_p = core.Primitive("cube")
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
def get_aval(x: Any) -> ShapedArray:
    """Return the abstract value of an array, tracer, NumPy array or scalar.

    Args:
      x: the value.
    Raises:
      TypeError: it is no operand of any operation.

    >>> core.get_aval(1.5)
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
trace_ctx: Any
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
