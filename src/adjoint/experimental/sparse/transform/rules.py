"""The rules of `sparsify`: what an operation on dense arrays does with sparse ones.

Element-wise operations that keep zeros work on the elements; those that are not linear first put elements together
that are specified several times. The others are the functions of `bcoo/` and `sparse/bcsr.py` of the same names.

Tests: `tests/experimental/sparse/test_sparsify.py`.
"""

from __future__ import annotations

import numpy as np

from .... import lax
from .... import numpy as jnp
from ....core.messages.errors import message
from ....prims import arithmetic, conversion, dot, indexing, logic, shape, slicing, special, transcendental
from ....prims import convolution as convolutions
from ..api import todense_p
from ..bcoo import (
    BCOO,
    bcoo_broadcast_in_dim,
    bcoo_concatenate,
    bcoo_conv_general_dilated,
    bcoo_dot_general,
    bcoo_dynamic_slice,
    bcoo_gather,
    bcoo_multiply_dense,
    bcoo_multiply_sparse,
    bcoo_reduce_sum,
    bcoo_reshape,
    bcoo_rev,
    bcoo_slice,
    bcoo_squeeze,
    bcoo_sum_duplicates,
    bcoo_transpose,
)
from ..bcsr import bcsr_broadcast_in_dim, bcsr_concatenate, bcsr_dot_general, bcsr_sum_duplicates
from .interpreter import (
    SparsifyEnv,
    arrays_to_spvalues,
    densifying,
    sparse_rules_bcoo,
    sparse_rules_bcsr,
    spvalues_to_arrays,
)

__all__: list[str] = []

LINEAR = (
    arithmetic.neg, arithmetic.real, arithmetic.imag, conversion.copy, arithmetic.conj,
)
KEEPING_ZERO = (
    arithmetic.abs_, arithmetic.sign, arithmetic.square, arithmetic.integer_pow, conversion.convert_element_type,
    transcendental.asin, transcendental.asinh, transcendental.atan, transcendental.atanh, special.bessel_i1e,
    transcendental.expm1, transcendental.log1p, transcendental.sin, transcendental.sinh, arithmetic.sqrt,
    transcendental.tan, transcendental.tanh,
)
DENSIFYING = (
    transcendental.acos, transcendental.acosh, special.bessel_i0e, transcendental.cos, transcendental.cosh,
    logic.eq, transcendental.exp, logic.ge, logic.gt, logic.le, logic.lt, transcendental.log, logic.ne,
)


def _together(spenv: SparsifyEnv, x):
    """Return the value with each index once; nothing is computed if that is known."""
    if x.unique_indices:
        return x
    array = spvalues_to_arrays(spenv, x)
    put = bcoo_sum_duplicates if isinstance(array, BCOO) else bcsr_sum_duplicates
    return arrays_to_spvalues(spenv, put(array, nse=array.nse))


def _on_elements(p, is_linear: bool):
    def rule(spenv, x, **params):
        if p is arithmetic.integer_pow and params["y"] <= 0:
            raise NotImplementedError(message(
                f"sparse rule for integer_pow with non-positive exponent {params['y']} is not implemented because it "
                "would result in dense output.",
                why="If this is your intent, use sparse.todense() to convert your argument to a dense array.",
                fix="sparse.todense(x) before the operation",
            ))
        if not is_linear:
            x = _together(spenv, x)
        data = p.bind(spenv.data(x), **params)
        return (spenv.sparse(
            x.shape, data, indices_ref=x.indices_ref, indptr_ref=x.indptr_ref, indices_sorted=x.indices_sorted,
            unique_indices=x.unique_indices,
        ),)

    return rule


for _operations, _is_linear in ((LINEAR, True), (KEEPING_ZERO, False)):
    for _p in _operations:
        sparse_rules_bcoo[_p] = sparse_rules_bcsr[_p] = _on_elements(_p, _is_linear)
densifying.update(DENSIFYING)


# ---- functions of one array, and of several ------------------------------------------------------


def _by(fun, *names: str):
    """Return a rule that calls a function of one sparse array with some of the parameters."""

    def rule(spenv, x, **params):
        out = fun(spvalues_to_arrays(spenv, x), **{name: params[name] for name in names})
        return (arrays_to_spvalues(spenv, out),)

    return rule


sparse_rules_bcoo.update({
    shape.transpose: _by(bcoo_transpose, "permutation"),
    shape.reshape: _by(bcoo_reshape, "new_sizes", "dimensions"),
    shape.squeeze: _by(bcoo_squeeze, "dimensions"),
    shape.broadcast_in_dim: _by(bcoo_broadcast_in_dim, "shape", "broadcast_dimensions"),
    shape.rev: _by(lambda x, dimensions: bcoo_rev(x, dimensions), "dimensions"),
    slicing.slice_: _by(bcoo_slice, "start_indices", "limit_indices", "strides"),
})
sparse_rules_bcsr[shape.broadcast_in_dim] = _by(bcsr_broadcast_in_dim, "shape", "broadcast_dimensions")


def _rule(table, p):
    def put(fun):
        table[p] = fun
        return fun

    return put


@_rule(sparse_rules_bcoo, shape.reduce_sum)
def _(spenv, x, *, axes, **_):
    out = bcoo_reduce_sum(spvalues_to_arrays(spenv, x), axes=axes)
    return (arrays_to_spvalues(spenv, out if out.ndim else out.todense()),)


def _joined(fun):
    def rule(spenv, *xs, dimension):
        return (arrays_to_spvalues(spenv, fun(spvalues_to_arrays(spenv, list(xs)), dimension=dimension)),)

    return rule


def _stacked(broadcast, join):
    def rule(spenv, *xs, axis):
        arrays = spvalues_to_arrays(spenv, list(xs))
        new = (*xs[0].shape[:axis], 1, *xs[0].shape[axis:])
        axes = tuple([i for i in range(len(new)) if i != axis])
        return (arrays_to_spvalues(spenv, join(
            [broadcast(x, shape=new, broadcast_dimensions=axes) for x in arrays], dimension=axis)),)

    return rule


sparse_rules_bcoo[shape.concatenate] = _joined(bcoo_concatenate)
sparse_rules_bcsr[shape.concatenate] = _joined(bcsr_concatenate)
sparse_rules_bcoo[shape.stack] = _stacked(bcoo_broadcast_in_dim, bcoo_concatenate)
sparse_rules_bcsr[shape.stack] = _stacked(bcsr_broadcast_in_dim, bcsr_concatenate)


@_rule(sparse_rules_bcoo, slicing.dynamic_slice)
def _(spenv, x, *starts, slice_sizes):
    starts = [spenv.data(s) for s in starts]
    return (arrays_to_spvalues(spenv, bcoo_dynamic_slice(spvalues_to_arrays(spenv, x), starts, slice_sizes)),)


@_rule(sparse_rules_bcoo, indexing.gather)
def _(spenv, x, indices, *, dimension_numbers, slice_sizes, **params):
    if indices.is_sparse():
        raise NotImplementedError("sparse rule for gather with sparse indices.")
    out = bcoo_gather(spvalues_to_arrays(spenv, x), spenv.data(indices), dimension_numbers, slice_sizes, **params)
    return (arrays_to_spvalues(spenv, out),)


@_rule(sparse_rules_bcoo, convolutions.conv_general_dilated)
def _(spenv, x, y, **params):
    return (arrays_to_spvalues(spenv, bcoo_conv_general_dilated(*spvalues_to_arrays(spenv, [x, y]), **params)),)


def _densified(spenv, *xs, tree):
    (x,) = xs
    return (spenv.dense(spvalues_to_arrays(spenv, x).todense() if x.is_sparse() else spenv.data(x)),)


sparse_rules_bcoo[todense_p] = sparse_rules_bcsr[todense_p] = _densified


# ---- arithmetic ----------------------------------------------------------------------------------


def _same_indices(x, y) -> bool:
    return x.is_sparse() and y.is_sparse() and x.indices_ref == y.indices_ref


def _with_data(spenv, x, data):
    return spenv.sparse(x.shape, data, indices_ref=x.indices_ref, indices_sorted=x.indices_sorted,
                        unique_indices=x.unique_indices)


@_rule(sparse_rules_bcoo, arithmetic.add)
def _add(spenv, x, y):
    if x.is_sparse() and y.is_sparse():
        if x.shape != y.shape:
            raise NotImplementedError("Addition between sparse matrices of different shapes.")
        if _same_indices(x, y):
            return (_with_data(spenv, x, lax.add(*_alike(spenv.data(x), spenv.data(y)))),)
        a, b = spvalues_to_arrays(spenv, [x, y])
        if (a.n_batch, a.n_dense) != (b.n_batch, b.n_dense):
            raise NotImplementedError(
                "Addition between sparse matrices with different batch/dense dimensions.\n  Try: `update_layout`."
            )
        n = a.n_batch
        dtype = jnp.promote_types(a.indices.dtype, b.indices.dtype)
        parts = [a.data, b.data], [a.indices.astype(dtype), b.indices.astype(dtype)]
        joined = []
        for xs in parts:
            batch = tuple(np.broadcast_shapes(*[v.shape[:n] for v in xs]))
            joined.append(jnp.concatenate([jnp.broadcast_to(v, (*batch, *v.shape[n:])) for v in xs], n))
        return (spenv.sparse(x.shape, *joined),)
    sparse, dense = (x, y) if x.is_sparse() else (y, x)
    if dense.shape != tuple(np.broadcast_shapes(dense.shape, sparse.shape)):
        raise NotImplementedError(message(
            "Addition between a sparse array X and a dense array Y is not implemented when the output shape is larger "
            "than Y.shape.",
            why="This is to prevent silent densification of a large sparse array.",
            fix="X.todense() + Y",
        ))
    other = jnp.broadcast_to(spvalues_to_arrays(spenv, sparse).todense(), dense.shape)
    return (spenv.dense(lax.add(other, spenv.data(dense))),)


def _alike(x, y):
    shape = tuple(np.broadcast_shapes(x.shape, y.shape))
    return jnp.broadcast_to(x, shape), jnp.broadcast_to(y, shape)


@_rule(sparse_rules_bcoo, arithmetic.sub)
def _(spenv, x, y):
    if not (x.is_sparse() and y.is_sparse()):
        raise NotImplementedError(
            "Subtraction between sparse and dense array.\n  Try: sparse.todense(x) for the sparse one."
        )
    (negative,) = sparse_rules_bcoo[arithmetic.neg](spenv, y)
    return _add(spenv, x, negative)


@_rule(sparse_rules_bcoo, arithmetic.mul)
def _(spenv, x, y):
    if x.is_sparse() and y.is_sparse():
        if _same_indices(x, y) and x.unique_indices:
            return (_with_data(spenv, x, lax.mul(*_alike(spenv.data(x), spenv.data(y)))),)
        return (arrays_to_spvalues(spenv, bcoo_multiply_sparse(*spvalues_to_arrays(spenv, [x, y]))),)
    sparse, dense = (x, y) if x.is_sparse() else (y, x)
    data = bcoo_multiply_dense(spvalues_to_arrays(spenv, sparse), spenv.data(dense))
    return (_with_data(spenv, sparse, data),)


@_rule(sparse_rules_bcoo, arithmetic.div)
def _(spenv, x, y):
    if y.is_sparse():
        raise NotImplementedError(message(
            "Division by a sparse array is not implemented because it would result in dense output.",
            why="If this is your intent, use sparse.todense() to convert your arguments to a dense array.",
            fix="x / sparse.todense(y)",
        ))
    divisor = spenv.data(y)
    inverse = lax.div(jnp.ones(jnp.shape(divisor), aval_dtype(divisor)), jnp.asarray(divisor))
    data = bcoo_multiply_dense(spvalues_to_arrays(spenv, x), inverse)
    return (_with_data(spenv, x, data),)


def aval_dtype(x):
    """Return the dtype of an array or a scalar."""
    return jnp.asarray(x).dtype


@_rule(sparse_rules_bcoo, dot.dot_general)
def _(spenv, x, y, *, dimension_numbers, precision, preferred_element_type, **_):
    out = bcoo_dot_general(
        *spvalues_to_arrays(spenv, [x, y]), dimension_numbers=dimension_numbers, precision=precision,
        preferred_element_type=preferred_element_type,
    )
    return (arrays_to_spvalues(spenv, out),)


@_rule(sparse_rules_bcsr, dot.dot_general)
def _(spenv, x, y, *, dimension_numbers, precision, preferred_element_type, **_):
    out = bcsr_dot_general(
        *spvalues_to_arrays(spenv, [x, y]), dimension_numbers=dimension_numbers, precision=precision,
        preferred_element_type=preferred_element_type,
    )
    return (arrays_to_spvalues(spenv, out),)
