"""Shapes, axes, joining, splitting, repeating, padding, diagonals: values, types, jaxprs and errors as in JAX."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from tests.modes import compiling
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp

from .expressions import (
    numbers,
    same_concrete,
    same_derivatives,
    same_errors,
    same_jaxprs,
    same_values,
)

SHAPES = """
    n.reshape(x, -1)
    n.reshape(x, (4, -1, 2))
    n.reshape(x, (1, -1), order='F')
    n.ravel(x)
    n.ravel(x, 'F')
    n.transpose(x)
    n.transpose(x, (1, -1, 0))
    n.permute_dims(x, (1, 0, 2))
    n.matrix_transpose(x)
    n.swapaxes(x, 0, -1)
    n.moveaxis(x, 0, -1)
    n.moveaxis(x, (0, 1), (-1, 0))
    n.rollaxis(x, 2)
    n.rollaxis(x, 0, 2)
    n.expand_dims(x, 0)
    n.expand_dims(x, (0, -1))
    n.squeeze(x[None])
    n.squeeze(x[:1], 0)
    n.squeeze(x[:1, :, :1], (0, -1))
    n.atleast_1d(x)
    n.atleast_2d(x[0, 0])
    n.atleast_3d(x[0])
    n.atleast_3d(x[0, 0])
    n.atleast_2d(x, 1.)
    n.broadcast_to(x, (5, 2, 3, 4))
    n.broadcast_to(x[0], x.shape)
    n.broadcast_to(1, (2,))
    n.broadcast_arrays(x, x[0, :, :1], 1)
"""
ORDER = """
    n.flip(x)
    n.flip(x, 0)
    n.flip(x, (0, -1))
    n.flipud(x)
    n.fliplr(x)
    n.rot90(x)
    n.rot90(x, 2)
    n.rot90(x, -1)
    n.rot90(x, 1, (1, 2))
    n.roll(x, 1)
    n.roll(x, -2, 0)
    n.roll(x, (1, 2), (0, 1))
    n.roll(x, 2, (0, 2))
    n.roll(x, 7, 2)
"""
JOINING = """
    n.concatenate([x, x])
    n.concatenate([x, x[:, :, :1]], -1)
    n.concatenate([x, x], axis=None)
    n.concatenate(x)
    n.concatenate(x, 1)
    n.concatenate([x, x], dtype='float16')
    n.concatenate([x, n.ones((1, 3, 4), int)])
    n.concat([x, x], axis=2)
    n.stack([x, x])
    n.stack([x, x], -1)
    n.stack(x, 2)
    n.stack([x, n.zeros((2, 3, 4), int)], dtype='float16')
    n.vstack([x[0, 0], x[0, 1]])
    n.vstack(x)
    n.hstack([x[0, 0], x[0, 1]])
    n.hstack([x, x])
    n.dstack([x[0], x[1]])
    n.column_stack([x[0, 0], x[0, 1]])
    n.block([[x[0], x[1]], [x[1], x[0]]])
    n.block([x[0, 0], 1.])
    n.append(x, 1.)
    n.append(x, x, axis=1)
    n.unstack(x)
    n.unstack(x, axis=-1)
    n.split(x, 2, axis=-1)
    n.split(x, [1, 3], axis=2)
    n.split(x, np.array([1]))
    n.array_split(x, 3, axis=2)
    n.vsplit(x, 2)
    n.hsplit(x, 3)
    n.hsplit(x[0, 0], 2)
    n.dsplit(x, 2)
"""
REPEATING = """
    n.tile(x, 2)
    n.tile(x, (2, 1, 1, 3))
    n.tile(x, ())
    n.repeat(x, 2)
    n.repeat(x, 3, axis=1)
    n.repeat(x, np.array([2, 0, 1]), axis=1)
    n.repeat(x, n.array([2, 1]), axis=0, total_repeat_length=4)
    n.resize(x, (5, 7))
    n.resize(x, (2, 3))
"""
DIAGONALS = """
    n.diag(x[0, 0])
    n.diag(x[0, 0], 1)
    n.diag(x[0, 0], -2)
    n.diag(x[0])
    n.diag(x[0], 1)
    n.diagflat(x[0])
    n.diagonal(x)
    n.diagonal(x, 1, 0, -1)
    n.diagonal(x, -1, 1, 2)
    n.trace(x)
    n.trace(x, 1, 1, 2)
    n.trace(x, dtype='float16')
    n.fill_diagonal(x[0], 5., inplace=False)
    n.fill_diagonal(x[0], n.array([5., 6.]), inplace=False)
    n.delete(x, 1)
    n.delete(x, -1, 1)
    n.delete(x, slice(0, 2), axis=2)
    n.delete(x, np.array([0, 2]), axis=1)
    n.delete(x, np.array([True, False, True]), axis=1)
    n.insert(x, 0, 5)
    n.insert(x, -1, 5., axis=1)
    n.insert(x, 1, x[0], axis=0)
    n.insert(x, 1, n.arange(4.), axis=1)
    n.insert(x, np.array([0, 2]), n.array([1., 2.]))
    n.insert(x, np.array([2, 0, 2]), 7., axis=-1)
    n.insert(x, slice(0, 2), 1., axis=1)
"""


@pytest.mark.parametrize("table", [SHAPES, ORDER, JOINING, REPEATING, DIAGONALS])
def test_values(table):
    same_values(table, numbers())


@pytest.mark.parametrize("dtype", [np.int32, bool, ml_dtypes.bfloat16, np.complex64, np.int8])
def test_dtypes(dtype):
    same_values(
        """
        n.reshape(x, -1)
        n.swapaxes(x, 0, 1)
        n.concatenate([x, x])
        n.concatenate([x, n.ones((1, 3, 4))])
        n.stack([x, x])
        n.stack([x[0, 0, 0], 2])
        n.split(x, 2)
        n.tile(x, 2)
        n.repeat(x, 2)
        n.roll(x, 1)
        n.flip(x)
        n.pad(x, 1)
        n.pad(x, 1, mode='edge')
        n.diag(x[0, 0])
        n.diagonal(x)
        n.trace(x)
        n.insert(x, 0, 1)
        n.append(x, 1)
        n.broadcast_to(x, (2, 2, 3, 4))
        """,
        numbers(dtype), rtol=2e-2 if dtype is ml_dtypes.bfloat16 else 0,
    )


@compiling
@pytest.mark.parametrize("shape", [(), (0,), (0, 3)])
def test_scalars_and_empty_arrays(shape):
    same_values(
        """
        n.reshape(n.asarray(x), -1)
        n.reshape(n.asarray(x), (x.size, 1))
        n.ravel(x)
        n.transpose(x)
        n.expand_dims(x, 0)
        n.squeeze(x)
        n.atleast_2d(x)
        n.broadcast_to(x, (2, *x.shape))
        n.stack([x, x])
        n.append(x, x)
        n.flip(x)
        n.roll(x, 1)
        n.tile(x, 2)
        n.repeat(x, 2)
        n.resize(x, (2, 2))
        n.pad(x, 1)
        """,
        numbers(shape=shape),
    )


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric", "wrap", "linear_ramp", "maximum",
                                  "minimum", "mean", "median", "empty"])
def test_padding(mode):
    """Narrow and wide, so that what is mirrored or repeated is used up several times."""
    same_values(
        f"""
        n.pad(x, 1, mode='{mode}')
        n.pad(x, (1, 2), mode='{mode}')
        n.pad(x, ((1, 2), (0, 3)), mode='{mode}')
        n.pad(x, (7, 9), mode='{mode}')
        n.pad(x[:1], (2, 3), mode='{mode}')
        n.pad(x.astype(int), 2, mode='{mode}')
        """,
        numbers(shape=(3, 4)),
    )


def test_options_of_padding():
    same_values(
        """
        n.pad(x, 1, constant_values=3.)
        n.pad(x, 1, constant_values=(1, 2))
        n.pad(x, ((1, 2), (3, 4)), constant_values=((1, 2), (3, 4)))
        n.pad(x, 2, mode='linear_ramp', end_values=(3, 4))
        n.pad(x, 2, mode='maximum', stat_length=2)
        n.pad(x, 2, mode='mean', stat_length=((1, 2), (3, 2)))
        n.pad(x, 2, mode='reflect', reflect_type='odd')
        n.pad(x, 5, mode='symmetric', reflect_type='odd')
        n.pad(x, 2, lambda v, w, axis, options: v.at[:w[0]].set(7.))
        """,
        numbers(shape=(3, 4)),
    )


def test_traced_arguments():
    """Shifts, counts and indices may be traced."""
    same_values(
        """
        n.roll(x, y[1])
        n.roll(x, y[0], 1)
        n.roll(x, (y[0], 1), (0, 1))
        n.roll(x, y[:2], (0, 1))
        n.repeat(x, y, axis=0, total_repeat_length=5)
        n.delete(x, y[:2], axis=0, assume_unique_indices=True)
        n.insert(x, y[1], 5., axis=1)
        n.fill_diagonal(x, y[0], inplace=False)
        """,
        numbers(shape=(3, 4)), np.array([1, 2, 0], np.int32),
    )


def test_functions_over_slices():
    same_values(
        """
        n.apply_along_axis(n.cumsum, 0, x)
        n.apply_along_axis(n.sum, -1, x)
        n.apply_along_axis(lambda v: n.stack([v[:2], v[1:3]]), 1, x)
        n.apply_over_axes(n.sum, x, (0, 2))
        n.piecewise(x, [x > 0, x < -1], [lambda v: v * 2, 3.])
        n.piecewise(x, [x > 0], [1., 2.])
        n.piecewise(x, [x > 0, x < 1], [1, lambda v, w: v + w, 7.], 2.)
        n.vectorize(lambda a, b: a + b)(x, y)
        n.vectorize(lambda a, b: (a + b, a * b))(x, y[:, None])
        n.vectorize(lambda a, b: a @ b, signature='(n,m),(m)->(n)')(x, y)
        n.vectorize(lambda a: a.sum(), signature='(n)->()')(x)
        n.vectorize(lambda a, b: a + b, excluded={1})(x, 3.)
        """,
        numbers(shape=(2, 4, 4)), numbers(shape=(4,)),
    )


def test_trim_zeros():
    same_concrete("n.trim_zeros(x)\nn.trim_zeros(x, 'f')\nn.trim_zeros(x, 'b')\nn.trim_zeros(x * 0)",
                  np.array([0, 0, 1, 0, 2, 0], np.int32))


def test_derivatives():
    same_derivatives(
        """
        n.reshape(x, (4, 3), order='F')
        n.transpose(x)
        n.concatenate([x, x[:1]])
        n.stack([x, x])
        n.split(x, 2, axis=1)
        n.tile(x, (2, 1))
        n.repeat(x, 2, axis=0)
        n.repeat(x, np.array([2, 0, 1]), axis=0)
        n.roll(x, 1, 0)
        n.flip(x, 1)
        n.rot90(x)
        n.pad(x, 1)
        n.pad(x, 2, mode='reflect')
        n.pad(x, 2, mode='linear_ramp')
        n.diag(x[0])
        n.diagonal(x)
        n.trace(x)
        n.insert(x, 1, 2., axis=0)
        n.delete(x, 1, axis=0)
        n.broadcast_to(x, (2, 3, 4))
        n.squeeze(x[None])
        """,
        numbers(shape=(3, 4)),
    )


def test_jaxprs():
    same_jaxprs(
        """
        n.reshape(x, (6, -1))
        n.reshape(x, (4, 6), order='F')
        n.ravel(x)
        n.transpose(x, (2, 0, 1))
        n.moveaxis(x, 0, -1)
        n.swapaxes(x, 0, 1)
        n.rollaxis(x, 1)
        n.expand_dims(x, (0, -1))
        n.squeeze(x[:1])
        n.atleast_2d(x[0, 0])
        n.atleast_2d(x, x)
        n.broadcast_to(x, (2, 2, 3, 4))
        n.broadcast_arrays(x, 1)
        n.concatenate([x, x])
        n.concatenate([x, x], axis=None)
        n.concatenate([x, n.zeros((2, 3, 4), int)])
        n.stack([x, x])
        n.vstack([x[0, 0], x[0, 1]])
        n.hstack([x, x])
        n.column_stack([x[0, 0], x[0, 1]])
        n.dstack([x[0], x[1]])
        n.append(x, x)
        n.block([[x[0], x[0]], [x[1], x[1]]])
        n.unstack(x)
        n.split(x, 2, axis=-1)
        n.array_split(x, 2)
        n.tile(x, (2, 1, 1, 2))
        n.repeat(x, 2, axis=0)
        n.resize(x, (5, 7))
        n.flip(x)
        n.rot90(x)
        n.roll(x, 1)
        n.roll(x, (1, -2), (0, 1))
        n.pad(x, ((1, 0), (0, 2), (0, 0)), constant_values=3.)
        n.pad(x, 1, mode='edge')
        n.pad(x, 1, mode='wrap')
        n.pad(x, 1, mode='mean')
        n.diag(x[0, 0])
        n.diag(x[0, 0], 1)
        n.diag(x[0], 1)
        n.diagonal(x)
        n.trace(x)
        n.tril(x)
        n.triu(x, 1)
        n.tri(3)
        n.eye(3)
        n.fill_diagonal(x[0], 5., inplace=False)
        n.delete(x, 0)
        n.delete(x, 1, axis=-1)
        n.where(x > 0, x, 0.)
        n.apply_along_axis(n.sum, 1, x)
        n.vectorize(lambda a, b: a + b)(x, x[0])
        x.reshape(4, 6)
        x.T
        x.mT
        x.flatten()
        x.transpose(1, 0, 2)
        x.trace()
        x.clip(0, 1)
        """,
        numbers(),
    )


@compiling
def test_errors():
    same_errors(
        """
        n.reshape(x, (5, 5))
        n.reshape(x, (-1, -1))
        n.reshape(x, (7, -1))
        n.reshape(x, 'a')
        n.reshape(x, (4, 6), order='X')
        n.ravel(x, 'K')
        n.transpose(x, (0,))
        n.swapaxes(x, 0, 3)
        n.moveaxis(x, (0, 1), (0,))
        n.rollaxis(x, 0, 9)
        n.matrix_transpose(x[0, 0])
        n.expand_dims(x, 9)
        n.expand_dims(x, (0, 0))
        n.squeeze(x, 0)
        n.broadcast_to(x, (3, 4, 5))
        n.broadcast_arrays(x, n.ones(3))
        n.concatenate([])
        n.concatenate([1., 2.])
        n.concatenate([x, x[0]])
        n.concatenate([x, x], axis=3)
        n.concatenate(2.)
        n.stack([x, x[0]])
        n.stack([])
        n.stack([x, x], axis=9)
        n.stack([x], out=x)
        n.block((x, x))
        n.block([x, [x]])
        n.block([])
        n.unstack(1.)
        n.split(x, 3, axis=-1)
        n.split(x, [3, 1], axis=-1)
        n.split(x, [5], axis=-1)
        n.repeat(x, [1, 2])
        n.roll(x, (1, 2, 3), (0, 1))
        n.roll(x, 1, 5)
        n.flip(x, 3)
        n.pad(x, -1)
        n.pad(x, 1.5)
        n.pad(x, (1, 2, 3))
        n.pad(x, 1, mode='foo')
        n.pad(x, 1, mode='edge', constant_values=1)
        n.pad(x[:0], 1, mode='edge')
        n.diag(x)
        n.diagonal(x[0, 0])
        n.tril(x[0, 0])
        n.fill_diagonal(x[0], 1.)
        n.fill_diagonal(x, 1., inplace=False)
        n.delete(x, 99)
        n.apply_along_axis(n.sum, 5, x)
        n.piecewise(x, [x > 0], [1., 2., 3.])
        n.vectorize(n.add, signature='(n')(x, x)
        n.vectorize(n.add, signature='(n),(n)->(n)')(x)
        n.vectorize(n.add, signature='(n),(n)->()')(x, x)
        m.jit(lambda i: n.repeat(x, i))(n.array([1, 2]))
        m.jit(lambda i: n.split(x, i))(2)
        m.jit(lambda i: n.delete(x, i))(n.array([1, 2]))
        n.delete(x, [0, 1])
        n.insert(x, (0, 1), 2.)
        n.insert(x, n.array([0.5]), 2.)
        n.insert(x, n.array([True, False]), 2.)
        n.ediff1d(x, to_end=[2.])
        n.array([1], int, True, 'K', 2, 3)
        n.vectorize(lambda x: x)(None)
        n.vectorize(n.add, signature='(n),(n)->(n)')(x, None)
        m.lax.linalg.svd(n.eye(3), subset_by_index=(0, 2), compute_uv=False)
        """,
        numbers(),
    )


def test_methods():
    same_values(
        """
        x.reshape(2, 12)
        x.reshape((4, -1))
        x.T
        x.mT
        x.flatten()
        x.ravel()
        x.transpose(1, 0, 2)
        x.transpose((2, 1, 0))
        x.transpose()
        x.swapaxes(0, 1)
        x.squeeze()
        x.repeat(2)
        x.diagonal()
        x.trace()
        x.view('int32')
        x.view('float16')
        x.view('int8')
        x.view('uint32').view('float32')
        x.byteswap()
        x.copy()
        x.astype('int32').view('float32')
        x.conj()
        x.real
        x.imag
        x.clip(0, 1)
        x.round(1)
        x[None].nbytes + n.zeros(())
        """,
        numbers(),
    )
    same_values("x.view('float32')\nx.view('bool')", numbers(np.int32, (2, 4)) % 2)
    same_values("x.view('float32')\nx.view('complex64')", numbers(np.complex64, (2, 4)))
    same_errors("x.flat\nx.view('int64x')\nx[0, 0, 0].view('int8')\n1. in x\nx.view('float64', type=1)", numbers())
    x = jnp.arange(3)
    assert 2 in x
    assert 5 not in x
    assert x.__array_namespace__() is jnp


def test_vectorize_takes_none_for_operands_without_core_axes():
    first = lambda x, y: x
    assert jnp.vectorize(first, signature="(n),()->(n)")(jnp.ones(2), None).tolist() == [1, 1]
    with pytest.raises(ValueError, match="Cannot pass None at locations {1}"):
        jnp.vectorize(first, signature="(n),(m)->(n)")(jnp.ones(2), None)


def test_a_number_in_a_signature_is_the_name_of_an_axis():
    product = lambda x, y: x * y
    assert jnp.vectorize(product, signature="(2),(3)->(2)")(jnp.ones(3), jnp.ones(3)).shape == (3,)
    with pytest.raises(ValueError, match="inconsistent size for core dimension '2'"):
        jnp.vectorize(product, signature="(2),(2)->(2)")(jnp.ones(2), jnp.ones(3))


@pytest.mark.parametrize("excluded, error", [({-1}, ValueError), ({1.5}, TypeError), ({None}, TypeError)])
def test_what_vectorize_excludes_is_a_position_or_a_name(excluded, error):
    with pytest.raises(error, match="excluded="):
        jnp.vectorize(lambda x, n: x * n, excluded=excluded)


@pytest.mark.parametrize("value", [np.array("B"), np.array(["a", "b"]), np.array([None])], ids=repr)
def test_arrays_of_texts_and_objects_have_shapes(value):
    assert (jnp.shape(value), jnp.ndim(value), jnp.size(value)) == (value.shape, value.ndim, value.size)


RESHAPED = [
    ((2, 3), {}), (-1, {}), ((3, -1), {"order": "F"}), ((3, 2), {"order": "A"}), ((6, 1), {"copy": False}),
    (None, {}), (np.array([2, 3]), {}), ((4,), {}), ((-1, -1), {}), ((2.0, 3), {}), ((6,), {"order": "X"}),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(RESHAPED)))
@pytest.mark.parametrize("dtype", ["float64", "int32", "bool", "bfloat16", "object", "U1"])
def test_arrays_of_numpy_are_reshaped_by_numpy(case, dtype):
    """They stay NumPy's, in their dtype, within `jit` too, and errors are NumPy's: as in JAX."""
    (shape, options), x = RESHAPED[case], np.arange(6).astype(getattr(ml_dtypes, dtype, dtype)).reshape(3, 2)

    def say(lib):
        try:
            y = lib.numpy.reshape(x, shape, **options)
        except Exception as error:
            return type(error), str(error).splitlines()[0]
        return type(y), y.dtype, y.shape, y.tolist()

    assert say(adjoint) == say(jax)
    seen = []
    adjoint.jit(lambda: seen.append(say(adjoint)))()
    assert seen == [say(jax)]


def test_scalars_of_numpy_are_reshaped_by_numpy():
    for lib in (adjoint, jax):
        y = lib.numpy.reshape(np.float64(2.5), (1, 1))
        assert type(y) is np.ndarray and y.dtype == "float64"
        assert type(lib.numpy.reshape(2.5, (1, 1))) is type(lib.numpy.ones(1))


@pytest.mark.parametrize("name", ["concatenate", "hstack", "vstack", "dstack", "column_stack", "stack"])
def test_an_array_without_axes_is_no_sequence(name):
    for m in (adjoint, jax):
        for x in (m.numpy.float32(1), np.array(1.0)):
            with pytest.raises(TypeError if name == "stack" else ValueError):
                getattr(m.numpy, name)(x)
