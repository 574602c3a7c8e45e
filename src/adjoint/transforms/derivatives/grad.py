"""Derivatives of functions of trees: `jvp`, `linearize`, `vjp`, `linear_transpose`, `grad`, `value_and_grad`.

`vjp` linearizes and transposes; `grad` is `vjp` of a scalar. Everything here is argument handling around
the flat transformations.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from inspect import isroutine

import numpy as np

from ...core import dtypes
from ...core.jaxpr import Jaxpr
from ...core.messages.boundaries import guarded
from ...core.messages.errors import message
from ...core.messages.operands import has_no_value, valueless
from ...core.placement import placements
from ...core.primitive import UndefinedPrimal
from ...core.state import scoped
from ...core.trace import DynamicJaxprTracer, state
from ...core.tree.tree import Partial, tree_flatten, tree_unflatten
from ...core.types import ShapedArray, aval_of
from ...core.values.numbers import as_typed
from ...core.values.refs import Ref
from ...core.values.zeros import Zero
from ...prims.collective import pvary_to
from ...prims.sharding import divided_alike, is_divided_otherwise, resharded
from ...sharding.explicit import of_cotangent, sums_of
from ..calls import derivatives, operand, results
from ..flat import FlatFun, argument_names, check_callable, function_name, wraps
from ..jit.arguments import node_or_static
from ..jit.staging import trace_function
from ..jvp import JVP, instantiate, jvp_flat, strip_dead_tracers, zeros_without_mesh
from ..linearize import linearize_flat
from ..transpose import backward_pass
from .pullback import VJP, check_no_refs

__all__ = ["grad", "jvp", "linear_transpose", "linearize", "value_and_grad", "vjp"]


# ---- forward mode --------------------------------------------------------------------------------


def jvp(fun: Callable, primals, tangents, has_aux: bool = False):
    """Return the value of `fun` at `primals` and its derivative along `tangents`.

    Args:
      fun: a function of arrays or trees of arrays.
      primals, tangents: tuples of arguments and of their tangents: equal trees, shapes and dtypes
        (tangents of integer and boolean arguments have dtype `float0`).
      has_aux: `fun` returns (output, auxiliary data).
    Returns:
      (primals out, tangents out), and the auxiliary data with `has_aux`.
    Raises:
      TypeError, ValueError: trees, dtypes or shapes of primals and tangents differ.
      TypeError: `fun` has a rule for reverse mode alone.
    See also: `linearize` for many tangents at one point, `jacfwd` for the whole matrix, `vjp`.

    >>> jvp(jnp.sin, (0.,), (2.,))
    (Array(0., dtype=float32, weak_type=True), Array(2., dtype=float32, weak_type=True))
    """
    check_callable(fun, "jvp")
    if not isinstance(primals, (tuple, list)) or not isinstance(tangents, (tuple, list)):
        raise TypeError(
            "primal and tangent arguments to jax.jvp must be tuples or lists; found "
            f"{type(primals).__name__} and {type(tangents).__name__}.\n"
            "  Try: jvp(f, (x,), (x_dot,))"
        )
    xs, in_tree = tree_flatten((tuple(primals), {}))
    ts, tangent_tree = tree_flatten((tuple(tangents), {}))
    if in_tree != tangent_tree or type(primals) is not type(tangents):
        raise TypeError(
            message(
                "primal and tangent arguments to jax.jvp must have the same tree structure; primals have "
                f"tree structure {tree_flatten(primals)[1]} whereas tangents have tree structure "
                f"{tree_flatten(tangents)[1]}.",
                why="Each primal has a tangent of its own.",
                fix="jvp(f, (x, y), (x_dot, y_dot)), with jnp.zeros_like(y) where y does not vary",
            )
        )
    for x, t in zip(xs, ts):
        _check_tangent(x, t)
    ts = [divided_alike(t, x) for x, t in zip(xs, ts)]
    flat = FlatFun(fun, in_tree, "jvp", has_aux)
    given = [Zero.from_primal_value(x) if aval_of(t).dtype == dtypes.float0 else t
             for x, t in zip(xs, ts)]
    with scoped(JVP):
        outs, tangents_out = jvp_flat(flat, xs, given)
    out = tree_unflatten(flat.out_tree, results(outs))
    out_dot = tree_unflatten(flat.out_tree, derivatives(map(instantiate, tangents_out)))
    return (out, out_dot, strip_dead_tracers(flat.aux)) if has_aux else (out, out_dot)


def _check_tangent(x, t):
    x_aval, t_aval = aval_of(x), aval_of(t)
    expected = x_aval.to_tangent_aval().dtype
    if t_aval.dtype != expected:
        raise TypeError(
            message(
                "primal and tangent arguments to jax.jvp do not match; dtypes must be equal, or in case of "
                f"int/bool primal dtype the tangent dtype must be float0.Got primal dtype "
                f"{x_aval.dtype.name} and so expected tangent dtype {expected}, but got tangent dtype "
                f"{t_aval.dtype} instead.",
                fix="np.zeros(x.shape, jax.dtypes.float0), or x.astype(float) to differentiate"
                if expected == dtypes.float0
                else f"jnp.asarray(x_dot, {expected.name!r})",
            )
        )
    if x_aval.shape != t_aval.shape:
        raise ValueError(
            message(
                "jvp called with different primal and tangent shapes;"
                f"Got primal shape {x_aval.shape} and tangent shape as {t_aval.shape}",
                why="A tangent is a direction in the space of its primal.",
                fix="jnp.ones_like(x), or jnp.broadcast_to(x_dot, x.shape)",
            )
        )


def linearize(fun: Callable, *primals, has_aux: bool = False):
    """Return the value of `fun` and its derivative as a linear function of tangents.

    Args:
      fun: a function of arrays or trees of arrays.
      *primals: the arguments at which it is differentiated.
      has_aux: `fun` returns (output, auxiliary data).
    Returns:
      (out, f_jvp), and the auxiliary data with `has_aux`. `f_jvp(*tangents)` may be called many times;
      the non-linear work is done once, here.
    Raises:
      TypeError: `fun` is not a function.
    See also: `jvp`, which does both for one tangent and keeps nothing.

    >>> y, f_jvp = linearize(jnp.sin, 0.)
    >>> f_jvp(2.)
    Array(2., dtype=float32, weak_type=True)
    """
    check_callable(fun, "linearize")
    leaves, in_tree = tree_flatten((primals, {}))
    flat = FlatFun(fun, in_tree, "linearize", has_aux)
    outs, linear = linearize_flat(flat, leaves)
    out = tree_unflatten(flat.out_tree, results(outs))
    avals, linear = [aval_of(x) for x in leaves], linear.pruned()
    f_jvp = Partial(_Linearized(linear, avals, in_tree, flat.out_tree), linear.consts)
    return (out, f_jvp, strip_dead_tracers(flat.aux)) if has_aux else (out, f_jvp)


@guarded
class _Linearized:
    """Applies a linear program to trees of tangents."""

    def __init__(self, linear, avals, in_tree, out_tree):
        self.linear = linear.without_consts()
        self.avals = avals
        self.in_tree = in_tree
        self.out_tree = out_tree

    def __call__(self, consts, *tangents):
        leaves, tree = tree_flatten((tangents, {}))
        if tree != self.in_tree:
            raise TypeError(
                message(
                    f"expected {self.in_tree.children()[0]}, got {tree_flatten(tangents)[1]}",
                    why="The linearized function was called with tangents in a tree that is not the primals'.",
                    fix="f_jvp(x_dot, y_dot): one tangent for each argument of linearize(f, x, y)",
                )
            )
        for a, t in zip(self.avals, leaves):
            expected, got = a.to_tangent_aval(), aval_of(t)
            if (expected.shape, expected.dtype) != (got.shape, got.dtype) or is_divided_otherwise(t, expected):
                raise ValueError(
                    message(
                        "linearized function called on tangent values inconsistent with the original primal "
                        f"values:\nGot tangent aval {got} for primal aval {a} but expected {expected}.",
                        fix=_like(expected, got),
                    )
                )
        outs = self.linear(consts, leaves)
        return tree_unflatten(self.out_tree, derivatives(map(instantiate, outs)))


# ---- reverse mode --------------------------------------------------------------------------------


def _check_reduce_axes(name: str, axes) -> None:
    """Raise where an argument of earlier versions is given: sums over axes are written in the function."""
    if axes:
        raise NotImplementedError(message(
            f"reduce_axes argument to {name} is deprecated", fix="lax.psum(x, axis_name) in the function"))


def vjp(fun: Callable, *primals, has_aux: bool = False, reduce_axes: Sequence = ()):
    """Return the value of `fun` and a function from cotangents of its output to cotangents of its arguments.

    Args:
      fun: a function of arrays or trees of arrays.
      *primals: the arguments at which it is differentiated.
      has_aux: `fun` returns (output, auxiliary data).
      reduce_axes: of earlier versions; only `()`.
    Returns:
      (out, f_vjp), and the auxiliary data with `has_aux`. `f_vjp(ct)` takes a tree like `out` and
      returns a tuple with one entry for each argument. It may be called many times.
    Raises:
      ValueError: (by `f_vjp`) the cotangent has another structure, shape or dtype than `out`.
    See also: `grad`, `jacrev`, `linear_transpose`, `jvp`.

    >>> y, f_vjp = vjp(lambda a, b: a * b, 2., 3.)
    >>> f_vjp(1.)
    (Array(3., dtype=float32, weak_type=True), Array(2., dtype=float32, weak_type=True))
    """
    _check_reduce_axes("vjp", reduce_axes)
    check_callable(fun, "vjp")
    leaves, in_tree = tree_flatten((primals, {}))
    flat = FlatFun(fun, in_tree, "vjp", has_aux)
    outs, linear = linearize_flat(flat, leaves)
    out = tree_unflatten(flat.out_tree, results(outs))
    avals = [aval_of(x) for x in leaves]
    out_avals = [aval_of(x) for x in outs]
    pull = _Pullback(linear, avals, out_avals, in_tree, flat.out_tree, function_name(fun))
    f_vjp = VJP(pull, linear.consts)
    return (out, f_vjp, strip_dead_tracers(flat.aux)) if has_aux else (out, f_vjp)


def _cotangent_of(x, ct):
    """Return the cotangent of `x` as a value. That of an argument that no mesh places is over none, if it is zero."""
    is_argument = type(ct) is Zero and type(x) is DynamicJaxprTracer and x.is_argument
    if is_argument and placements.rules.is_explicit_context() and x.aval.shape and x.aval.placement is None:
        return zeros_without_mesh(ct.aval) if ct.aval.dtype != dtypes.float0 else instantiate(ct)
    return instantiate(ct)


@guarded
class _Pullback:
    """Transposes a linear program at trees of cotangents."""

    def __init__(self, linear, in_avals, out_avals, in_tree, out_tree, name):
        self.linear = linear.without_consts()
        self.in_avals = in_avals
        self.out_avals = out_avals
        self.in_tree = in_tree
        self.out_tree = out_tree
        self.name = name

    def __call__(self, consts, out_ct, *extra_args):
        if extra_args:
            n = len(extra_args) + 1
            raise TypeError(
                message(
                    f"The function returned by `jax.vjp` applied to {self.name} was called with {n} arguments, "
                    "but functions returned by `jax.vjp` must be called with a single argument corresponding to the "
                    "single value returned by the function being differentiated (even if that returned value is a "
                    "tuple or other container).",
                    fix=f"f_vjp(({', '.join(['ct'] * n)}))" if self.out_tree.num_nodes > 1 else "f_vjp(ct)",
                )
            )
        args, _ = tree_unflatten(self.in_tree, derivatives(map(instantiate, self.cotangents(consts, out_ct))))
        return args

    __call__.__qualname__ = "VJP.__call__"  # which calls it, and is what the user has

    def cotangents(self, consts, ct) -> list:
        """Return the cotangent of each array of the arguments; zeros stay symbolic."""
        check_no_refs(self.in_avals)
        leaves, tree = tree_flatten(ct)
        if tree != self.out_tree:
            raise ValueError(
                message(
                    "unexpected tree structure.\nThe argument to a VJP function returned by `jax.vjp` must "
                    f"match the pytree structure of the differentiated function {self.name}: its output has "
                    f"{self.out_tree}, the argument has {tree}.",
                    why="It is one cotangent for each array of the output, and a single argument.",
                    fix="f_vjp((a_bar, b_bar)) for a function that returns a pair, or jax.tree.map(jnp.ones_like, out)",
                )
            )
        cts = [_check_cotangent(c, a) for c, a in zip(leaves, self.out_avals)]
        return pull_back(self.linear, consts, cts)


def pull_back(linear, consts, cotangents) -> list:
    """Return cotangents of the arguments of a linearized function; zeros stay symbolic."""
    jaxpr: Jaxpr = linear.jaxpr
    args = [UndefinedPrimal(v.aval) for v in jaxpr.invars]
    wanted = [ct for ct, nz in zip(cotangents, linear.nonzero, strict=True) if nz]
    return backward_pass(jaxpr, consts, args, wanted)


def _check_cotangent(ct, aval: ShapedArray):
    got, expected = aval_of(ct), aval.to_tangent_aval()
    if expected.placement is not None:
        expected = expected.update(explicit_sharding=of_cotangent(expected))
    is_alike = (got.shape, got.dtype, got.vma) == (expected.shape, expected.dtype, expected.vma)
    if is_alike and not is_divided_otherwise(ct, expected) and sums_of(got) == sums_of(expected):
        return Zero(expected) if expected.dtype == dtypes.float0 else operand(ct)
    if expected.dtype == dtypes.float0 and got.shape == aval.shape:
        return Zero(expected)
    raise ValueError(
        message(
            "unexpected JAX type (e.g. shape/dtype) for argument to VJP function: got "
            f"{got.str_short()}, but expected {expected.str_short()} because the corresponding output of "
            f"the differentiated function had JAX type {aval.str_short()}",
            why="A cotangent has the shape of its output"
            + (", and a dtype that says that there is none." if expected.dtype == dtypes.float0 else " and its dtype."),
            fix=_like(expected, got),
        )
    )


def _like(expected: ShapedArray, got: ShapedArray) -> str:
    """Return what makes a tangent or cotangent of the type that is expected."""
    if expected.dtype == dtypes.float0:
        return f"np.zeros({expected.shape}, jax.dtypes.float0)"
    if got.shape == expected.shape:
        return f".astype({expected.dtype.name!r})"
    return f"jnp.ones({expected.shape}, {expected.dtype.name!r}), or jnp.broadcast_to(..., {expected.shape})"


def linear_transpose(fun: Callable, *primals, reduce_axes=()):
    """Return the transpose of a function that is linear in all its arguments.

    Args:
      fun: a function of arrays or trees of arrays, linear in all of them.
      primals: example arguments, or `ShapeDtypeStruct`s of them; values are not used.
      reduce_axes: of earlier versions; only `()`.
    Returns:
      A function from a cotangent of the output to a tuple of cotangents of the arguments.
    Raises:
      TypeError: `fun` is not a function.

    >>> linear_transpose(lambda x: 3 * x, 1.)(2.)
    (Array(6., dtype=float32, weak_type=True),)
    """
    _check_reduce_axes("transpose", reduce_axes)
    check_callable(fun, "linear_transpose")
    jaxpr, consts, out_tree = trace_function(fun, primals, {}, "linear_transpose")
    in_tree = tree_flatten(primals)[1]
    kinds = [[a.dtype for a in avals] for avals in (jaxpr.in_avals, jaxpr.out_avals)]
    are = lambda kind: all([dtypes.issubdtype(d, kind) for side in kinds for d in side])
    if not are(np.inexact) and not are(np.integer):
        raise TypeError(
            message(
                "linear_transpose only supports [float or complex] -> [float or complex], and integer -> integer "
                f"functions, but got {kinds[0]} -> {kinds[1]}.",
                fix="linear_transpose(f, 1.): floating-point arguments, and what is an integer closed over",
            )
        )

    def transposed(consts, ct):
        leaves, tree = tree_flatten(ct)
        if tree != out_tree:
            raise TypeError(
                message(
                    f"cotangent tree does not match function output, expected {out_tree} but got {tree}",
                    fix="one cotangent for each array that the function returns, in a tree like its result",
                )
            )
        for a, c in zip(jaxpr.out_avals, leaves):
            got = aval_of(c)
            if (got.shape, got.dtype) != (a.shape, a.dtype):
                raise TypeError(
                    message(
                        "cotangent type does not match function output, expected "
                        f"{tuple(jaxpr.out_avals)} but got {leaves}",
                        why=f"The one of type {got.str_short()} should be {a.str_short()}.",
                        fix=_like(a, got),
                    )
                )
        args = [UndefinedPrimal(v.aval) for v in jaxpr.invars]
        return tree_unflatten(
            in_tree, derivatives(map(instantiate, backward_pass(jaxpr, consts, args, leaves)))
        )

    return Partial(transposed, consts)


# ---- gradients of scalars ------------------------------------------------------------------------


def value_and_grad(
    fun: Callable, argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False,
    allow_int: bool = False, reduce_axes: Sequence = (),
) -> Callable:
    """Return a function that returns the value of `fun` and its gradient.

    Args:
      fun: returns a real scalar (or complex, with `holomorphic`), or (scalar, auxiliary data).
      argnums: the positional argument to differentiate, or a sequence of them.
      has_aux: `fun` returns a pair; the value is then that pair.
      holomorphic: `fun` is complex and holomorphic.
      allow_int: integer arguments have gradients of dtype `float0` instead of an error.
      reduce_axes: of earlier versions; only `()`.
    Returns:
      A function of the same arguments: (value, gradient), the gradient a tree like the argument, or a
      tuple of them if `argnums` is a sequence.
    Raises:
      TypeError: the result is not a real scalar, or an argument is not inexact.
    See also: `grad`, `vjp`, `linearize`.

    >>> value_and_grad(lambda x: x ** 2)(3.)
    (Array(9., dtype=float32, weak_type=True), Array(6., dtype=float32, weak_type=True))
    """
    _check_reduce_axes("grad", reduce_axes)
    return _gradient(fun, argnums, has_aux, holomorphic, allow_int, "value_and_grad", with_value=True)


def grad(
    fun: Callable, argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False,
    allow_int: bool = False, reduce_axes: Sequence = (),
) -> Callable:
    """Return the gradient of a function that returns one number.

    Args:
      fun: returns a real scalar (or complex, with `holomorphic`), or (scalar, auxiliary data) with `has_aux`.
      argnums: the positional argument to differentiate, a tree of float or complex arrays; or a sequence of them.
        Keyword arguments are not differentiated.
      has_aux: `fun` returns a pair, of which the first is differentiated and the second passed on.
      holomorphic: `fun` is complex and holomorphic.
      allow_int: integer arguments have gradients of dtype `float0` instead of an error.
      reduce_axes: of earlier versions; only `()`.
    Returns:
      A function of the same arguments. It returns a tree like the argument, with its shapes and dtypes; a tuple of them
      if `argnums` is a sequence; (gradient, auxiliary data) with `has_aux`.
    Raises:
      TypeError: the result is not a real scalar, an argument is not inexact, or `argnums` is out of range.
    See also: `value_and_grad`, `jacobian` for several results, `vjp`, `hessian`.

    >>> grad(jnp.sin)(0.)
    Array(1., dtype=float32, weak_type=True)
    """
    _check_reduce_axes("grad", reduce_axes)
    return _gradient(fun, argnums, has_aux, holomorphic, allow_int, "grad", with_value=False)


@guarded
def _gradient(fun, argnums, has_aux, holomorphic, allow_int, purpose, with_value):
    check_callable(fun, purpose)
    single = not isinstance(argnums, (tuple, list))
    positions = check_argnums(argnums)

    kind = "Value and gradient" if with_value else "Gradient"

    @wraps(fun, lambda name: derivative_doc(kind, name, argnums))
    def gradient(*args, **kwargs):
        if max(positions, default=-1) >= len(args):
            raise TypeError(
                f"differentiating with respect to argnums={positions[0] if single else positions} requires at least "
                f"{max(positions) + 1} positional arguments to be passed by the caller, but got only {len(args)} "
                f"positional arguments.\n  {_in_reach(positions, args, kwargs)}"
            )
        chosen, call = choose_arguments(fun, positions, args, kwargs)
        leaves, tree = tree_flatten((chosen, {}))
        for i, x in enumerate(leaves):
            _check_input(x, fun, tree, i, positions, holomorphic, allow_int)
        flat = FlatFun(call, tree, purpose, has_aux)
        outs, linear = linearize_flat(flat, leaves)
        seed = _check_scalar(outs, flat.out_tree, purpose, holomorphic, fun)
        if Ref in map(type, leaves):
            check_no_refs(map(aval_of, leaves))
        cts = pull_back(linear, linear.consts, [seed])
        grads, _ = tree_unflatten(tree, derivatives(map(_cotangent_of, leaves, cts)))
        grads = grads[0] if single else grads
        if with_value:
            value = tree_unflatten(flat.out_tree, results(outs))
            return ((value, strip_dead_tracers(flat.aux)), grads) if has_aux else (value, grads)
        return (grads, strip_dead_tracers(flat.aux)) if has_aux else grads

    return gradient


def derivative_doc(kind, name, argnums) -> str:
    """Return the docstring of a derivative of the function called `name`."""
    return f"{kind} of {name} with respect to positional argument(s) {argnums}. Takes the arguments of {name}."


def check_argnums(argnums) -> tuple[int, ...]:
    if isinstance(argnums, (tuple, list)):
        if not argnums:
            raise ValueError(
                message(
                    "max() arg is an empty sequence",
                    why="argnums names no argument, so there is nothing to differentiate by.",
                    fix="argnums=0, or argnums=(0, 1) for several",
                )
            )
        return tuple(operator.index(i) for i in argnums)
    if not hasattr(argnums, "__index__"):
        raise TypeError(
            message(
                f"'{type(argnums).__name__}' object cannot be interpreted as an integer",
                why=f"argnums must be an int or a sequence of ints, got {argnums!r}. Arguments are counted from 0; "
                "names are not looked up.",
                fix="argnums=0, or argnums=(0, 1) for several",
            )
        )
    return (operator.index(argnums),)


def _in_reach(positions, args, kwargs=()) -> str:
    """Return what to write instead of `positions` with these arguments."""
    n = len(args)
    if not n:
        return "Arguments passed by keyword cannot be differentiated.\n  Try: pass it by position: grad(f)(x, y=y)"
    fix = n - 1 if len(positions) == 1 else tuple(range(n))
    why = "Arguments passed by keyword cannot be differentiated.\n  " if kwargs else ""
    return f"{why}Try: argnums={fix if n > 1 else 0}"


def choose_arguments(fun, positions, args, kwargs):
    """Return the arguments at `positions`, and `fun` as a function of them alone."""
    n = len(args)
    outside = [i for i in positions if not -n <= i < n]
    if outside:
        raise ValueError(
            "Positional argument indices, e.g. for `static_argnums`, must have value greater than or equal to "
            f"-len(args) and less than len(args), but got value {outside[0]} for len(args) == {n}.\n"
            f"  {_in_reach(positions, args, kwargs)}"
        )
    distinct = tuple(dict.fromkeys([i % n for i in positions]))
    if len(distinct) < len(positions):
        raise TypeError(
            message(
                f"argnums={positions} names an argument twice.",
                why="Each argument is differentiated once, and the derivatives come in the order of argnums.",
                fix=f"argnums={distinct if len(distinct) > 1 else distinct[0]}",
            )
        )
    positions = distinct
    if len(args) == 1 and not kwargs:
        return args, fun

    def call(*chosen):
        full_args = list(args)
        for i, x in zip(positions, chosen):
            full_args[i] = x
        return fun(*full_args, **kwargs)

    return tuple([args[i] for i in positions]), call


def _check_input(x, fun, tree, i, positions, holomorphic, allow_int):
    try:
        dtype = aval_of(x).dtype
    except TypeError:
        name = argument_names(fun, tree, lambda k: positions[k])()[i]
        if has_no_value(x):
            raise TypeError(valueless(x, name)) from None
        raise TypeError(
            message(
                f"Argument '{x!s:.60}' of type {type(x)} is not a valid JAX type.",
                why=f"It is {name} of {function_name(fun)}, which grad differentiates.",
                fix=node_or_static(x, function_name(fun), "self") if hasattr(x, "__dict__") and not isroutine(x) else
                "pass arrays or scalars there, or choose other arguments with argnums",
            )
        ) from None
    if holomorphic and not dtypes.issubdtype(dtype, np.complexfloating):
        raise TypeError(
            message(
                "grad with holomorphic=True requires inputs with complex dtype, but got "
                f"{dtype.name}.",
                fix="x + 0j, or leave holomorphic=True out for a real function",
            )
        )
    if allow_int or dtypes.issubdtype(dtype, np.inexact):
        return
    if dtypes.issubdtype(dtype, np.integer) or dtypes.issubdtype(dtype, np.bool_):
        name = argument_names(fun, tree, lambda k: positions[k])()[i]
        raise TypeError(
            message(
                "grad requires real- or complex-valued inputs (input dtype that is a sub-dtype of "
                f"np.inexact), but got {dtype.name}. If you want to use Boolean- or integer-valued "
                "inputs, use vjp or set allow_int to True.",
                why=f"The input is {name} of {function_name(fun)}.",
                fix=f"pass floats, for example {name}.astype(float)" if np.ndim(x) else
                f"pass a float, for example float({name})",
            )
        )
    raise TypeError(
        "grad requires numerical-valued inputs (input dtype that is a sub-dtype of np.bool_ or "
        f"np.number), but got {dtype.name}." if allow_int else
        "grad requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got "
        f"{dtype.name}. If you want to use Boolean- or integer-valued inputs, use vjp or set allow_int to True."
    )


def _check_scalar(outs, out_tree, purpose, holomorphic, fun):
    """Return the cotangent to start from; TypeError unless the output is one real scalar."""
    if len(outs) != 1 or out_tree.num_nodes != 1:
        out = tree_unflatten(out_tree, outs)
        raise TypeError(
            message(
                f"Gradient only defined for scalar-output functions. Output was {out}.",
                why=f"{function_name(fun)} returns {'None' if out is None else f'a tree with {len(outs)} arrays'}.",
                fix="a return statement at its end: return loss" if out is None
                else "return one scalar, or (scalar, auxiliary data) with has_aux=True",
            )
        )
    aval = aval_of(outs[0])
    if aval.shape != ():
        raise TypeError(
            message(
                f"Gradient only defined for scalar-output functions. Output had shape: {aval.shape}.",
                why=f"{function_name(fun)} returns {aval.str_short()}; a gradient exists for one number.",
                fix="reduce it, for example with .sum() or .mean(), or use jax.jacrev for all derivatives",
            )
        )
    if holomorphic:
        if not dtypes.issubdtype(aval.dtype, np.complexfloating):
            raise TypeError(
                message(
                    f"grad with holomorphic=True requires outputs with complex dtype, but got "
                    f"{aval.dtype.name}.",
                    why=f"{function_name(fun)} returns a real number, so it is holomorphic only if constant.",
                    fix="leave holomorphic=True out",
                )
            )
    elif not dtypes.issubdtype(aval.dtype, np.floating):
        extra = (
            "For holomorphic differentiation, pass holomorphic=True. For differentiation of "
            "non-holomorphic functions involving complex outputs, use jax.vjp directly."
            if dtypes.issubdtype(aval.dtype, np.complexfloating)
            else "For differentiation of functions with integer outputs, use jax.vjp directly."
        )
        raise TypeError(
            message(
                "grad requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but "
                f"got {aval.dtype.name}. {extra}",
                why=f"{function_name(fun)} returns {aval.str_short()}.",
                fix="jnp.abs(...) or .real of it"
                if dtypes.issubdtype(aval.dtype, np.complexfloating)
                else ".astype(float), where the derivative is not lost in rounding or comparing",
            )
        )
    one = aval.dtype.type(1)
    seed = operand(as_typed(one.item() if aval.weak_type else one, aval))
    if state.trace.stages and aval.explicit_sharding is not None:
        seed = resharded(seed, aval.explicit_sharding)
    return pvary_to(seed, aval.vma) if aval.vma else seed
