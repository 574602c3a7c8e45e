"""Whole derivative matrices: `jacfwd`, `jacrev`, `hessian`: `jvp` or `vjp` mapped over a standard basis.

Tests: `tests/transforms/test_grad.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod

import numpy as np

from ...array.array import make_array
from ...core import dtypes
from ...core.messages.boundaries import public
from ...core.messages.errors import message
from ...core.names.aliases import alias
from ...core.trace import state
from ...core.tree.tree import tree_flatten, tree_leaves, tree_map, tree_unflatten
from ...core.types import ShapedArray, aval_of
from ...engines.numpy import eval_trace
from ...prims.arithmetic import add
from ...prims.collective import pvary_to
from ...prims.conversion import convert_element_type
from ...prims.logic import eq
from ...prims.shape import full, iota, reshape, split
from ...sharding.explicit import ExplicitSharding
from ...sharding.mesh import PartitionSpec
from ..flat import check_callable, wraps
from ..vmap import vmap
from .grad import check_argnums, choose_arguments, derivative_doc, jvp, vjp

__all__ = ["check_input", "check_output", "hessian", "jacfwd", "jacobian", "jacrev", "split_axis", "standard_basis"]


def jacfwd(
    fun: Callable, argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False
) -> Callable:
    """Return the Jacobian of `fun`, column by column in forward mode; best when it is taller than wide.

    Args:
      fun: returns an array or a tree of arrays, or (that, auxiliary data) with `has_aux`.
      argnums: the positional argument to differentiate, or a sequence of them.
      has_aux: `fun` returns a pair, of which the second is passed on.
      holomorphic: `fun` is complex and holomorphic.
    Returns:
      A function: for each result of shape `s` and argument of shape `t`, an array of shape `s + t`, in
      the tree of the result whose leaves are trees like the argument.
    Raises:
      TypeError: `fun` is not a function.
    See also: `jacrev`, `jvp`, `hessian`.

    >>> jacfwd(lambda x: x ** 2)(jnp.array([1., 2.]))
    Array([[2., 0.],
           [0., 4.]], dtype=float32)
    """
    check_callable(fun, "jacfwd")
    single, positions = not isinstance(argnums, (tuple, list)), check_argnums(argnums)

    @wraps(fun, lambda name: derivative_doc("Jacobian", name, argnums))
    def jacobian_of(*args, **kwargs):
        chosen, call = choose_arguments(fun, positions, args, kwargs)
        tree_map(lambda x: check_input(x, "jacfwd", holomorphic), chosen)
        call = _checked_output(call, has_aux, "jacfwd", holomorphic)

        def push(tangents):
            return jvp(call, chosen, tangents, has_aux=has_aux)

        out_axes = (None, -1, None) if has_aux else (None, -1)
        out, columns, *aux = vmap(push, out_axes=out_axes)(standard_basis(chosen))
        example = chosen[0] if single else chosen
        jac = tree_map(lambda c, x: tree_map(
            partial(_typed, aval=aval_of(x)), split_axis(_numbers(c, x), example, c.ndim - 1)), columns, out)
        return (jac, aux[0]) if has_aux else jac

    return jacobian_of


def jacrev(
    fun: Callable, argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable:
    """Return the Jacobian of `fun`, row by row in reverse mode; best when it is wider than tall.

    Args:
      fun: returns an array or a tree of arrays, or (that, auxiliary data) with `has_aux`.
      argnums: the positional argument to differentiate, or a sequence of them.
      has_aux: `fun` returns a pair, of which the second is passed on.
      holomorphic: `fun` is complex and holomorphic.
      allow_int: derivatives by integer arguments are integer zeros, instead of an error.
    Returns:
      A function: for each result of shape `s` and argument of shape `t`, an array of shape `s + t`, in
      the tree of the result whose leaves are trees like the argument.
    Raises:
      TypeError: an argument is not inexact, or a result is complex without `holomorphic`.
    See also: `jacfwd`, `vjp`, `grad` for one number.

    >>> jacrev(lambda x: x ** 2)(jnp.array([1., 2.]))
    Array([[2., 0.],
           [0., 4.]], dtype=float32)
    """
    check_callable(fun, "jacrev")
    single, positions = not isinstance(argnums, (tuple, list)), check_argnums(argnums)

    @wraps(fun, lambda name: derivative_doc("Jacobian", name, argnums))
    def jacobian_of(*args, **kwargs):
        chosen, call = choose_arguments(fun, positions, args, kwargs)
        tree_map(lambda x: check_input(x, "jacrev", holomorphic, allow_int), chosen)
        call = _checked_output(call, has_aux, "jacrev", holomorphic)
        out, pull, *aux = vjp(call, *chosen, has_aux=has_aux)
        rows = vmap(pull)(standard_basis(out))
        rows = rows[0] if single else rows
        # rows: a tree like the arguments with a leading axis over the elements of the result.
        leaves, in_tree = tree_flatten(rows)
        xs = tree_flatten(chosen[0] if single else chosen)[0]
        split = [[_as(part, x) for part in tree_leaves(split_axis(_by(r, x), out, 0))] for r, x in zip(leaves, xs)]
        out_leaves, out_tree = tree_flatten(out)
        jac = tree_unflatten(
            out_tree,
            [tree_unflatten(in_tree, [s[i] for s in split]) for i in range(len(out_leaves))],
        )
        return (jac, aux[0]) if has_aux else jac

    return jacobian_of


jacobian = alias(jacrev, "jacobian")


def hessian(
    fun: Callable, argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False
) -> Callable:
    """Return the matrix of second derivatives, forward over reverse.

    Args:
      fun: a function that returns a real scalar, or an array or tree of them.
      argnums: the positional argument to differentiate, or a sequence of them.
      has_aux: `fun` returns a pair, of which the second is passed on.
      holomorphic: `fun` is complex and holomorphic.
    Returns:
      A function: for an argument of shape `t` and a scalar result, an array of shape `t + t`; for trees of arguments a
      tree of trees.
    Raises:
      TypeError: `fun` is not a function.
    See also: `jacfwd`, `jacrev`; a product with a vector, without the matrix, is `jvp(grad(fun), (x,), (v,))[1]`.

    >>> hessian(lambda x: jnp.sum(x ** 3))(jnp.array([1., 2.]))
    Array([[ 6.,  0.],
           [ 0., 12.]], dtype=float32)
    """
    return jacfwd(jacrev(fun, argnums, has_aux, holomorphic), argnums, has_aux, holomorphic)


def standard_basis(tree):
    """Return a tree like `tree` whose leaves have a leading axis over all elements of all leaves."""
    leaves, treedef = tree_flatten(tree)
    avals = [aval_of(x) for x in leaves]
    total = sum(a.size for a in avals)
    types = [a.to_tangent_aval() for a in avals]
    inexact = [(t.dtype, t.weak_type) for t in types if t.dtype != dtypes.float0]
    dtype = dtypes.result_of(tuple(inexact))[0] if inexact else dtypes.float32
    columns = split(_identity(total, dtype), sizes=tuple([a.size for a in avals]), axis=1)
    basis = []
    for x, a, t in zip(columns, avals, types):
        if t.dtype == dtypes.float0:
            basis.append(np.zeros((total, *a.shape), dtypes.float0))
            continue
        x = _reshaped(x, (total, *a.shape))
        x = convert_element_type(x, new_dtype=t.dtype, weak_type=t.weak_type, sharding=None)
        explicit = t.explicit_sharding
        if explicit is not None and explicit.is_divided:
            divided = ExplicitSharding(explicit.mesh, PartitionSpec(None, *explicit.spec))
            x = reshape(x, new_sizes=x.shape, dimensions=None, sharding=divided)
        basis.append(pvary_to(x, t.vma) if t.vma else x)
    return tree_unflatten(treedef, basis)


def _identity(n: int, dtype):
    """Return the identity matrix: computed if that is to be a part of a program."""
    if state.trace is eval_trace:
        return make_array(np.eye(n, dtype=dtype), ShapedArray((n, n), dtype))
    places = dtypes.default_int()
    row, column = [iota(dtype=places, shape=(n, n), dimension=i, sharding=None) for i in (0, 1)]
    equal = eq(add(row, places.type(0)), column)
    return convert_element_type(equal, new_dtype=dtype, weak_type=False, sharding=None)


def split_axis(x, tree, axis: int):
    """Cut one axis of `x` into the leaves of `tree`: their sizes, then their shapes."""
    leaves, treedef = tree_flatten(tree)
    shapes = [aval_of(leaf).shape for leaf in leaves]
    sizes = tuple([prod(shape) for shape in shapes])
    parts = split(x, sizes=sizes, axis=axis)
    lead, rest = x.shape[:axis], x.shape[axis + 1 :]
    return tree_unflatten(treedef, [_reshaped(p, (*lead, *s, *rest)) for p, s in zip(parts, shapes)])


def _reshaped(x, shape):
    return x if x.shape == shape else reshape(x, new_sizes=shape, dimensions=None, sharding=None)


def _numbers(rows, x):
    """Rows of a derivative by or of `x`; if they are of float0, zeros of its dtype."""
    aval = aval_of(x)
    if dtypes.float0 == rows.dtype:
        return full(rows.shape, 0, aval.dtype, aval.weak_type)
    return rows


def _by(rows, x):
    """Rows of a derivative by `x`, weakly typed if it is."""
    return _typed(_numbers(rows, x), aval_of(x))


def _as(rows, x):
    """Rows of a derivative by `x` in its dtype, where a rule of the user's gave cotangents in another."""
    aval = aval_of(x)
    if rows.dtype == aval.dtype:
        return rows
    return convert_element_type(rows, new_dtype=aval.dtype, weak_type=aval.weak_type, sharding=None)


def _typed(rows, aval):
    """Rows that are weakly typed if a value of this type is."""
    if aval.weak_type and not aval_of(rows).weak_type and dtypes.float0 != rows.dtype:
        return convert_element_type(rows, new_dtype=rows.dtype, weak_type=True, sharding=None)
    return rows


def check_input(x, name: str, holomorphic: bool, allow_int: bool = False) -> None:
    """TypeError if by an argument of this dtype there is no derivative of this kind."""
    dtype = aval_of(x).dtype
    if holomorphic and not dtypes.issubdtype(dtype, np.complexfloating):
        raise TypeError(
            f"{name} with holomorphic=True requires inputs with complex dtype, but got {dtype.name}."
        )
    if holomorphic or allow_int or dtypes.issubdtype(dtype, np.floating):
        return
    if name == "jacrev" and dtypes.issubdtype(dtype, np.inexact):
        return
    if name == "jacrev":
        raise TypeError(
            "jacrev requires real- or complex-valued inputs (input dtype that is a sub-dtype of "
            f"np.inexact), but got {dtype.name}. If you want to use Boolean- or integer-valued inputs, "
            "use vjp or set allow_int to True.\n  Try: x.astype(float)"
        )
    raise TypeError(
        message(
            "jacfwd requires real-valued inputs (input dtype that is a sub-dtype of np.floating), but got "
            f"{dtype.name}. For holomorphic differentiation, pass holomorphic=True. For differentiation of "
            "non-holomorphic functions involving complex inputs or integer inputs, use jax.jvp directly.",
            fix="x.astype(float)" if dtype.kind in "iub" else "holomorphic=True",
        )
    )


def _checked_output(call, has_aux, name, holomorphic):
    """`call`, with the dtypes of its results checked."""

    @wraps(call)
    def checked(*args):
        out = call(*args)
        tree_map(lambda x: check_output(x, name, holomorphic), out[0] if has_aux else out)
        return out

    return checked


def check_output(x, name: str, holomorphic: bool) -> None:
    """TypeError if a result's dtype has no derivative of this kind."""
    dtype = aval_of(x).dtype
    is_complex = dtypes.issubdtype(dtype, np.complexfloating)
    if holomorphic and not is_complex:
        raise TypeError(
            message(
                f"{name} with holomorphic=True requires outputs with complex dtype, but got {dtype.name}.",
                fix="out.astype(complex), or no holomorphic=True",
            )
        )
    if holomorphic or name == "jacfwd" or dtypes.issubdtype(dtype, np.floating):
        return
    what = (
        f"{name} requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but got "
        f"{dtype.name}. "
    )
    if is_complex:
        what += (
            "For holomorphic differentiation, pass holomorphic=True. For differentiation of non-holomorphic "
            "functions involving complex outputs, use jax.vjp directly."
        )
    else:
        what += "For differentiation of functions with integer outputs, use jax.vjp directly."
    raise TypeError(message(what, fix="(f(x).real, f(x).imag)" if is_complex else "f(x).astype(float)"))


public(globals(), ("hessian", "jacfwd", "jacobian", "jacrev"))
