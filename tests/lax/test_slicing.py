"""`lax` functions that move, join, select and update elements, beside real JAX."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.modes import unchecked

import adjoint
from adjoint import lax
from adjoint.array.array import as_array

from .parity import same, same_jaxpr, same_types, together

X = np.arange(12, dtype=np.float32).reshape(3, 4)
Y = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
V = np.arange(5, dtype=np.float32)
I = np.array([0, 2], np.int32)
K = np.array(1, np.int32)


def numbers(m, *axes):
    """Gather numbers, for scatters too."""
    return m.lax.GatherDimensionNumbers(*axes)


def scatter_numbers(m, *axes):
    return m.lax.ScatterDimensionNumbers(*axes)


ROWS = ((1,), (0,), (0,))
COLUMNS = ((0,), (1,), (1,))


def rows(m, i):
    """Indices of one entry each."""
    return m.lax.reshape(i, (i.size, 1))


def times(m, x, factor):
    return m.lax.mul(x, m.lax.full_like(x, factor))


SHAPES = {
    "reshape": lambda m, x: m.lax.reshape(x, (4, 3)),
    "reshape permuted": lambda m, x: m.lax.reshape(x, (12,), (1, 0)),
    "reshape to an int": lambda m, x: m.lax.reshape(x, 12),
    "collapse": lambda m, x: m.lax.collapse(x, 0, 2),
    "collapse the rest": lambda m, x: m.lax.collapse(x, 0),
    "transpose": lambda m, x: m.lax.transpose(x, np.array([1, 0])),
    "rev": lambda m, x: m.lax.rev(x, [0]),
    "rev of no axis": lambda m, x: m.lax.rev(x, ()),
    "expand_dims": lambda m, x: m.lax.expand_dims(x, (-1, 0)),
    "squeeze": lambda m, x: m.lax.squeeze(m.lax.expand_dims(x, (0,)), (-3,)),
    "broadcast": lambda m, x: m.lax.broadcast(x, [2]),
    "broadcast_in_dim": lambda m, x: m.lax.broadcast_in_dim(x, (2, 3, 4), (1, 2)),
    "broadcast_to_rank": lambda m, x: m.lax.broadcast_to_rank(x, 4),
    "tile": lambda m, x: m.lax.tile(x, (2, 1)),
    "concatenate": lambda m, x: m.lax.concatenate([x, x], 0),
    "stack": lambda m, x: m.lax.stack([x, x], -1),
    "unstack": lambda m, x: m.lax.unstack(x, -1),
    "split": lambda m, x: m.lax.split(x, (1, 3), -1),
    "pad": lambda m, x: m.lax.pad(x, 0.0, ((1, 1, 0), (-1, 2, 1))),
    "iota": lambda m, x: m.lax.iota("bfloat16", 3),
    "broadcasted_iota": lambda m, x: m.lax.broadcasted_iota("int32", (2, 3), 1),
    "full": lambda m, x: m.lax.full((2,), 1),
    "full of a dtype": lambda m, x: m.lax.full((2,), 1.7, "int32"),
    "full_like": lambda m, x: m.lax.full_like(x, True),
    "full_like weak": lambda m, x: m.lax.full_like(1.0, 2, shape=(2,)),
    "nothing to do": lambda m, x: [
        m.lax.reshape(x, (3, 4)), m.lax.transpose(x, (0, 1)), m.lax.expand_dims(x, ()),
        m.lax.broadcast_in_dim(x, (3, 4), (0, 1)), m.lax.concatenate([x], 0),
        m.lax.broadcast(x, ()),
    ],
}


@together
def test_shape_functions_are_those_of_jax():
    """Values, types and jaxprs agree."""
    for program in SHAPES.values():
        same(program, X, rtol=0)
        same_jaxpr(program, X)


SLICES = {
    "slice": lambda m, x, k: m.lax.slice(x, (0, 1), (3, 4), (2, 2)),
    "slice_in_dim": lambda m, x, k: m.lax.slice_in_dim(x, 1, -1, axis=-1),
    "slice_in_dim strided": lambda m, x, k: m.lax.slice_in_dim(x, None, None, 2, axis=1),
    "index_in_dim": lambda m, x, k: m.lax.index_in_dim(x, -1, 1, keepdims=False),
    "dynamic_slice": lambda m, x, k: m.lax.dynamic_slice(x, (k, 0), (1, 2)),
    "dynamic_slice outside": lambda m, x, k: m.lax.dynamic_slice(x, (m.lax.mul(k, k), -9), (2, 2)),
    "dynamic_slice of an array": lambda m, x, k: m.lax.dynamic_slice(
        x, m.lax.broadcast(k, (2,)), (1, 1)
    ),
    "dynamic_slice of a scalar of int8": lambda m, x, k: m.lax.dynamic_slice_in_dim(
        x, m.lax.convert_element_type(k, "int8"), 2, -1
    ),
    "not negative": lambda m, x, k: m.lax.dynamic_slice(
        x, (k, k), (1, 1), allow_negative_indices=(True, False)
    ),
    "dynamic_index_in_dim": lambda m, x, k: m.lax.dynamic_index_in_dim(x, k, 1, keepdims=False),
    "dynamic_update_slice": lambda m, x, k: m.lax.dynamic_update_slice(x, x[:1], (k, 0)),
    "dynamic_update_slice_in_dim": lambda m, x, k: m.lax.dynamic_update_slice_in_dim(
        x, x[:, :1], k, 1
    ),
    "dynamic_update_index_in_dim": lambda m, x, k: m.lax.dynamic_update_index_in_dim(
        x, x[0], k, 0
    ),
}


@together
def test_slices_are_those_of_jax():
    """Values, types and jaxprs agree, with starts inside and outside."""
    for program in SLICES.values():
        for k in (K, np.array(-1, np.int32), np.array(9, np.int32)):
            same(program, X, k, rtol=0)
        same_jaxpr(program, X, K)


def test_dynamic_slice_of_int8_does_not_overflow():
    """A negative int8 start counts from the end of an axis that is too long for int8."""
    out = lax.dynamic_slice(as_array(np.arange(300)), (as_array(np.int8(-1)),), (1,))
    assert out._value.tolist() == [299]
    traced = adjoint.jit(lambda s: lax.dynamic_slice(np.arange(300), (s,), (1,)))
    assert traced(as_array(np.int8(-1)))._value.tolist() == [299]


GATHERS = {  # indices, dimension numbers, sizes
    "rows": (lambda i: i[:, None], ROWS, (1, 4)),
    "columns": (lambda i: i[:, None], COLUMNS, (3, 1)),
    "windows": (lambda i: i[:, None], ((0, 1), (), (1,)), (2, 3)),
    "batch in the middle": (lambda i: i[:, None], ((0, 2), (), (0,)), (2, 4)),
    "shorter window": (lambda i: i[:, None], ROWS, (1, 2)),
    "elements": (lambda i: i[None], ((), (0, 1), (1, 0)), (1, 1)),
    "one": (lambda i: i, ((), (0, 1), (0, 1)), (1, 1)),
    "batched": (lambda i: i[[0, 1, 0], None], ((), (1,), (1,), (0,), (0,)), (1, 1)),
}
MODES = ("clip", "fill", "promise_in_bounds", None)


@unchecked
@pytest.mark.parametrize("name", GATHERS)
@together
def test_gather_is_that_of_jax(name):
    """Values agree for every mode, with indices inside and outside."""
    indices, axes, sizes = GATHERS[name]
    for mode in MODES:
        program = lambda m, x, i: m.lax.gather(x, i, numbers(m, *axes), sizes, mode=mode)
        for i in (I, I + 1, I - 1, I * 5 - 2):
            i = indices(i).astype(np.int32)
            same(program, X, i, rtol=0)
            same(program, X.astype(np.int32), i, rtol=0)


@unchecked
@together
def test_gather_fills_by_dtype():
    """Out of range is NaN, the least signed or greatest unsigned integer, or True."""
    for dtype in ("float32", "int8", "uint16", "bool", "complex64", "bfloat16"):
        same(
            lambda m, x, i: m.lax.gather(
                m.lax.convert_element_type(x, dtype), rows(m, i), numbers(m, *ROWS), (1, 4), mode="fill"
            ),
            X, I + 2, rtol=0,
        )


SCATTERS = ["scatter", "scatter_add", "scatter_sub", "scatter_mul", "scatter_min", "scatter_max"]
PLACES = {
    "rows": (ROWS, lambda i: i[:, None], (2, 4)),
    "columns": (COLUMNS, lambda i: i[:, None], (3, 2)),
    "repeated": (ROWS, lambda i: i[[0, 1, 0], None], (3, 4)),
    "elements": (((), (0, 1), (0, 1)), lambda i: i.reshape(1, 2), (1,)),
    "windows": (((0, 1), (), (0, 1)), lambda i: i, (2, 3)),
    "many windows": (((1, 2), (), (1,)), lambda i: i[:, None], (2, 3, 2)),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", SCATTERS)
@together
def test_scatter_is_that_of_jax(name, place):
    """Values agree for every mode, with indices inside and outside."""
    axes, indices, shape = PLACES[place]
    updates = np.linspace(0.5, 2, int(np.prod(shape)), dtype=np.float32).reshape(shape)
    for mode in MODES:
        program = lambda m, x, i, u: getattr(m.lax, name)(x, i, u, scatter_numbers(m, *axes), mode=mode)
        for i in (I, I + 1, I - 1):
            same(program, X, indices(i).astype(np.int32), updates, rtol=1e-6)


def test_scatter_apply_applies_as_often_as_a_window_is_named():
    """Each mention of a row applies the function once."""
    same(
        lambda m, x, i: m.lax.scatter_apply(
            x, rows(m, i[np.array([0, 1, 0])]), lambda v: m.lax.sin(m.lax.sin(v)),
            scatter_numbers(m, *ROWS), update_shape=(3, 4),
        ),
        X, I,
    )


@together
def test_index_take_is_modulo_the_length():
    """Indices are taken modulo the lengths, negative ones too."""
    same(lambda m, x, i: m.lax.index_take(x, (i,), (0,)), X, I - 5, rtol=0)
    same(lambda m, x, i: m.lax.index_take(x, (i, i), (0, 1)), X, I * 3, rtol=0)


# ---- errors --------------------------------------------------------------------------------------

ERRORS = {
    "slice: limits": lambda m, x, i: m.lax.slice(x, (0, 0), (2, 5)),
    "slice: order": lambda m, x, i: m.lax.slice(x, (2, 0), (1, 4)),
    "slice: negative": lambda m, x, i: m.lax.slice(x, (-1, 0), (1, 4)),
    "slice: length": lambda m, x, i: m.lax.slice(x, (0,), (2,)),
    "slice: float": lambda m, x, i: m.lax.slice(x, (0, 0), (2, 2.0)),
    "slice: strides": lambda m, x, i: m.lax.slice(x, (0, 0), (2, 2), (1,)),
    "index_in_dim: range": lambda m, x, i: m.lax.index_in_dim(x, 5),
    "index_in_dim: float": lambda m, x, i: m.lax.index_in_dim(x, 1.0),
    "dynamic_slice: starts": lambda m, x, i: m.lax.dynamic_slice(x, (0,), (1, 2)),
    "dynamic_slice: size": lambda m, x, i: m.lax.dynamic_slice(x, (0, 0), (1, 5)),
    "dynamic_slice: negative": lambda m, x, i: m.lax.dynamic_slice(x, (0, 0), (-1, 1)),
    "dynamic_slice: float": lambda m, x, i: m.lax.dynamic_slice(x, (0, 0.0), (1, 1)),
    "dynamic_slice: array": lambda m, x, i: m.lax.dynamic_slice(x, (0, x[0]), (1, 1)),
    "dynamic_slice: matrix": lambda m, x, i: m.lax.dynamic_slice(x, i[:, None], (1, 1)),
    "dynamic_update_slice: rank": lambda m, x, i: m.lax.dynamic_update_slice(x, x[0], (0, 0)),
    "dynamic_update_slice: dtype": lambda m, x, i: m.lax.dynamic_update_slice(
        x, m.lax.full((1, 1), 1), (0, 0)
    ),
    "dynamic_update_slice: list": lambda m, x, i: m.lax.dynamic_update_slice(x, [[1.0]], (0, 0)),
    "pad: dtype": lambda m, x, i: m.lax.pad(x, 0, ((1, 1, 0), (0, 0, 0))),
    "pad: length": lambda m, x, i: m.lax.pad(x, 0.0, ((1, 1, 0),)),
    "pad: interior": lambda m, x, i: m.lax.pad(x, 0.0, ((1, 1, -1), (0, 0, 0))),
    "pad: too much": lambda m, x, i: m.lax.pad(x, 0.0, ((-5, 1, 0), (0, 0, 0))),
    "rev: twice": lambda m, x, i: m.lax.rev(x, (0, 0)),
    "rev: range": lambda m, x, i: m.lax.rev(x, (2,)),
    "rev: negative": lambda m, x, i: m.lax.rev(x, (-1,)),
    "concatenate: none": lambda m, x, i: m.lax.concatenate([], 0),
    "concatenate: ranks": lambda m, x, i: m.lax.concatenate([x, x[0]], 0),
    "concatenate: shapes": lambda m, x, i: m.lax.concatenate([x, x[:, :2]], 0),
    "concatenate: axis": lambda m, x, i: m.lax.concatenate([x, x], 2),
    "concatenate: dtypes": lambda m, x, i: m.lax.concatenate([i, m.lax.full((2,), 1.0)], 0),
    "split: sum": lambda m, x, i: m.lax.split(x, (1, 1), 0),
    "split: negative": lambda m, x, i: m.lax.split(x, (1, -1, 3), 0),
    "split: axis": lambda m, x, i: m.lax.split(x, (1, 2), 3),
    "stack: axis": lambda m, x, i: m.lax.stack([x], 4),
    "stack: ranks": lambda m, x, i: m.lax.stack([x, x[0]]),
    "unstack: scalar": lambda m, x, i: m.lax.unstack(1.0),
    "reshape: list": lambda m, x, i: m.lax.reshape([1.0], (1, 1)),
    "reshape: negative": lambda m, x, i: m.lax.reshape(x, (-1,)),
    "reshape: float": lambda m, x, i: m.lax.reshape(x, (12.0,)),
    "reshape: permutation": lambda m, x, i: m.lax.reshape(x, (12,), (0,)),
    "full: traced": lambda m, x, i: m.lax.full((i[0],), 1.0),
    "full: array": lambda m, x, i: m.lax.full((2,), np.ones(2)),
    "full: negative": lambda m, x, i: m.lax.full((-1,), 1.0),
    "transpose": lambda m, x, i: m.lax.transpose(x, (0, 0)),
    "squeeze: length": lambda m, x, i: m.lax.squeeze(x, (0,)),
    "squeeze: range": lambda m, x, i: m.lax.squeeze(x, (2,)),
    "squeeze: twice": lambda m, x, i: m.lax.squeeze(x[:1], (0, 0)),
    "expand_dims: range": lambda m, x, i: m.lax.expand_dims(x, (5,)),
    "expand_dims: twice": lambda m, x, i: m.lax.expand_dims(x, (0, 0)),
    "broadcast_in_dim: axes": lambda m, x, i: m.lax.broadcast_in_dim(x, (3, 4), (0,)),
    "broadcast_in_dim: lengths": lambda m, x, i: m.lax.broadcast_in_dim(x, (4, 4), (0, 1)),
    "broadcast_in_dim: range": lambda m, x, i: m.lax.broadcast_in_dim(x, (3, 4), (0, 2)),
    "broadcast_in_dim: rank": lambda m, x, i: m.lax.broadcast_in_dim(x, (3,), (0, 1)),
    "broadcast_shapes": lambda m, x, i: m.lax.broadcast_shapes((2,), (3,)),
    "collapse": lambda m, x, i: m.lax.collapse(x, 2, 1),
    "iota: dtype": lambda m, x, i: m.lax.iota(bool, 2),
    "iota: negative": lambda m, x, i: m.lax.iota("int32", -1),
    "iota: axis": lambda m, x, i: m.lax.broadcasted_iota("int32", (2,), 1),
    "tile": lambda m, x, i: m.lax.tile(x, (2,)),
    "gather: mode": lambda m, x, i: m.lax.gather(
        x, rows(m, i), numbers(m, *ROWS), (1, 4), mode="other"
    ),
    "gather: float": lambda m, x, i: m.lax.gather(x, x[:, :1], numbers(m, *ROWS), (1, 4)),
    "gather: collapsed": lambda m, x, i: m.lax.gather(x, rows(m, i), numbers(m, *ROWS), (2, 4)),
    "gather: size": lambda m, x, i: m.lax.gather(x, rows(m, i), numbers(m, *ROWS), (1, 5)),
    "gather: sizes": lambda m, x, i: m.lax.gather(x, rows(m, i), numbers(m, *ROWS), (1, 4, 1)),
    "gather: offset": lambda m, x, i: m.lax.gather(
        x, rows(m, i), numbers(m, (3,), (0,), (0,)), (1, 4)
    ),
    "gather: order": lambda m, x, i: m.lax.gather(
        x, rows(m, i), numbers(m, (1, 0), (0,), (0,)), (1, 4)
    ),
    "gather: map": lambda m, x, i: m.lax.gather(
        x, rows(m, i), numbers(m, (1,), (0,), (0, 1)), (1, 4)
    ),
    "gather: domain": lambda m, x, i: m.lax.gather(
        x, rows(m, i), numbers(m, (1,), (0,), (3,)), (1, 4)
    ),
    "gather: scalar": lambda m, x, i: m.lax.gather(x, i[0], numbers(m, *ROWS), (1, 4)),
    "scatter: bounds": lambda m, x, i: m.lax.scatter(x, rows(m, i), x, scatter_numbers(m, *ROWS)),
    "scatter: window": lambda m, x, i: m.lax.scatter(
        x, rows(m, i), x[:2], scatter_numbers(m, (1,), (1,), (0,))
    ),
    "scatter: rank": lambda m, x, i: m.lax.scatter_mul(
        x, rows(m, i), 2, scatter_numbers(m, *ROWS)
    ),
    "scatter: inserted": lambda m, x, i: m.lax.scatter(
        x, rows(m, i), x[:2], scatter_numbers(m, (1,), (), (0,))
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_those_of_jax(name):
    """The class and the first line of the message agree."""
    same_types(ERRORS[name], X, I)


# ---- transformations -----------------------------------------------------------------------------

LINEAR = {
    "slice": lambda m, x, k: m.lax.slice(x, (0, 1), (3, 4), (2, 2)),
    "pad": lambda m, x, k: m.lax.pad(x, 0.0, ((1, 1, 0), (-1, 2, 1))),
    "concatenate": lambda m, x, k: m.lax.concatenate([x, times(m, x, 2.0)], 0),
    "split": lambda m, x, k: m.lax.split(x, (1, 3), 1)[1],
    "tile": lambda m, x, k: m.lax.tile(x, (2, 3)),
    "stack": lambda m, x, k: m.lax.stack([x, x], 1),
    "unstack": lambda m, x, k: m.lax.unstack(x)[1],
    "reshape": lambda m, x, k: m.lax.reshape(x, (6, 2), (1, 0)),
    "dynamic_slice": lambda m, x, k: m.lax.dynamic_slice(x, (k, 0), (2, 2)),
    "dynamic_update_slice": lambda m, x, k: m.lax.dynamic_update_slice(
        x, times(m, x[:1], 3.0), (k, 0)
    ),
    "gather": lambda m, x, k: m.lax.gather(
        x, m.lax.broadcast(k, (3, 1)), numbers(m, *ROWS), (1, 4), mode="fill"
    ),
    "scatter_add": lambda m, x, k: m.lax.scatter_add(
        x, m.lax.broadcast(k, (2, 1)), times(m, x[:2], 2.0), scatter_numbers(m, *ROWS)
    ),
    "scatter": lambda m, x, k: m.lax.scatter(
        x, m.lax.broadcast(k, (2, 1)), times(m, x[1:], 2.0), scatter_numbers(m, *ROWS)
    ),
    "scatter_max": lambda m, x, k: m.lax.scatter_max(
        x, m.lax.broadcast(k, (2, 1)), times(m, x[1:], 0.5), scatter_numbers(m, *ROWS)
    ),
    "scatter_mul": lambda m, x, k: m.lax.scatter_mul(
        x, m.lax.broadcast(k, (1, 1)), x[1:2], scatter_numbers(m, *ROWS), unique_indices=True
    ),
}


def _weighted(m, program):
    """A scalar function: the sum of the results, squared and weighed."""

    def f(x, k):
        y = program(m, x, k)
        weights = m.lax.reshape(m.lax.iota("float32", y.size), y.shape)
        return m.lax.reduce_sum(m.lax.mul(m.lax.mul(y, y), weights), tuple(range(y.ndim)))

    return f


@together
def test_gradients_are_those_of_jax():
    """Reverse mode, and forward over reverse, agree."""
    for program in LINEAR.values():
        gradient = lambda m, x, k: m.grad(_weighted(m, program))(x, k)
        same(gradient, X, K, rtol=1e-5)
        same(lambda m, x, k: m.jvp(lambda x: gradient(m, x, k), (x,), (x,))[1], X, K, rtol=1e-5)


@pytest.mark.parametrize("name", LINEAR)
@together
def test_vmap_is_that_of_jax(name):
    """Every choice of batched operands agrees, and so do the gradients of the batched function."""
    program = LINEAR[name]
    for in_axes in ((0, None), (None, 0), (0, 0), (2, 0), (1, None)):
        x = X if in_axes[0] is None else np.moveaxis(np.stack([X, X * 2 - 3]), 0, in_axes[0])
        k = K if in_axes[1] is None else np.array([1, 0], np.int32)
        same(lambda m, x, k: m.vmap(lambda x, k: program(m, x, k), in_axes)(x, k), x, k, rtol=1e-6)
        gradient = lambda m, x, k: m.vmap(m.grad(_weighted(m, program)), in_axes)(x, k)
        same(gradient, x, k, rtol=1e-5)


def test_gradient_of_gather_is_a_scatter_with_the_same_promises():
    """The jaxprs of the two agree."""
    same_jaxpr(
        lambda m, x, i, ct: m.vjp(
            lambda x: m.lax.gather(x, i, numbers(m, *ROWS), (1, 4), mode="clip"), x
        )[1](ct),
        X, I[:, None], X[:2],
    )


# ---- any shape -----------------------------------------------------------------------------------


@st.composite
def paddings(draw):
    shape = draw(st.lists(st.integers(0, 4), min_size=0, max_size=3))
    config = []
    for n in shape:
        inner = draw(st.integers(0, 2))
        full = n + max(0, n - 1) * inner
        lo = draw(st.integers(-full, 3))
        hi = draw(st.integers(max(-full - lo, -full), 3)) if lo + full >= 0 else 0
        config.append((lo, max(hi, -(full + lo)), inner))
    return tuple(shape), tuple(config)


@together
def test_pad_pads_and_cuts_like_jax():
    """Any mixture of positive and negative padding with elements between."""

    @given(paddings())
    def pad(case):
        shape, config = case
        x = np.arange(1, int(np.prod(shape)) + 1, dtype=np.float32).reshape(shape)
        same(lambda m, x: m.lax.pad(x, 9.0, config), x, rtol=0)

    pad()


def test_slices_are_views():
    """No element is copied where NumPy can make a view."""
    x = as_array(np.zeros(1000))
    for y in (lax.slice(x, (1,), (9,)), lax.rev(x, (0,)), lax.reshape(x, (10, 100))):
        assert np.shares_memory(x._value, y._value)


def test_numpy_operands_are_copied():
    """A result never shares memory with a NumPy array of the user."""
    x = np.zeros(4, np.float32)
    y = lax.reshape(x, (2, 2))
    x[0] = 5
    assert y._value[0, 0] == 0
