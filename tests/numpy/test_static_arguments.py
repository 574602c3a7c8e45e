"""What must be known while a program is traced, given as a traced value: the classes of JAX's errors."""

from __future__ import annotations

import pytest

import adjoint
import adjoint.numpy as jnp

from .expressions import numbers, same_errors, same_values

# JAX's classes, by the expression; `a` is the traced 0.
CASES = {
    "TracerIntegerConversionError": """
        argmax(x, a)  argmin(x, axis=a)  nanargmax(x, a)  nanargmin(x, axis=a)  concatenate([x, x], axis=a)
        concat([x], axis=a)  stack([x, x], axis=a)  stack([x], axis=a)  cumulative_sum(x, axis=a)
        cumulative_prod(x, axis=a)  delete(x, 0, axis=a)  take(x, i, a)  unique(x, axis=a, size=2)
        vecdot(x, x, axis=a)  linalg.cross(x, x, axis=a)  fft.hfft(x, axis=a)  fft.fft(x, a)  sum(x, axis=(a,))
        max(x, axis=(a, 1))  mean(x, axis=(a,))  var(x, axis=(a,))  expand_dims(x, (a,))  squeeze(x, (a,))
        roll(x, 1, (a,))  flip(x, (a,))  ptp(x, (a,))  transpose(x, (a, 1))  fft.fftshift(x, (a,))
        moveaxis(x, 0, (a,))  diag(x, a)
    """,
    "ConcretizationTypeError": """
        sum(x, a)  prod(x, a)  max(x, a)  mean(x, axis=a)  all(x, a)  average(x, a)  var(x, a)  std(x, axis=a)
        flip(x, a)  ptp(x, axis=a)  expand_dims(x, a)  squeeze(x, a)  roll(x, 1, a)  repeat(x, 2, axis=a)
        insert(x, 0, 1., axis=a)  split(x, 1, axis=a)  array_split(x, 2, axis=a)  moveaxis(x, 0, a)
        linspace(x, x, 3, axis=a)  linalg.vector_norm(x, axis=a)  unique(x, size=a)  union1d(x, x, size=a)
        unique_values(x, size=a)  histogram(x, bins=a)  histogram_bin_edges(x, a)  diag_indices(a)
    """,
    "TracerBoolConversionError": "nanargmax(x, keepdims=a)  nanargmin(x, 0, keepdims=a)",
}


@pytest.mark.parametrize("name", CASES)
def test_traced_values_raise_what_jax_raises(name):
    x, i = jnp.arange(6.0).reshape(2, 3), jnp.arange(2)
    for text in CASES[name].replace(")  ", ")\n").split("\n"):
        if text := text.strip():
            with pytest.raises(Exception) as caught:
                adjoint.jit(lambda a, text=text: eval(f"jnp.{text}", {"jnp": jnp, "x": x, "i": i, "a": a}))(0)
            assert type(caught.value).__name__ == name, text


def test_a_traced_axis_is_named_with_the_advice():
    with pytest.raises(adjoint.errors.ConcretizationTypeError, match="static_argnames"):
        adjoint.jit(lambda x, axis: jnp.flip(x, axis))(jnp.ones((2, 3)), 0)


def test_settings_that_cannot_be_compared_are_refused_without_jit_too():
    same_errors(
        """
        n.diagonal(x, n.array(0))
        n.partition(x[0], n.array(1))
        n.sort(x, descending=[0])
        n.count_nonzero(x, keepdims=[0])
        n.linalg.norm(x, keepdims=[0])
        m.scipy.linalg.lu(x, check_finite=x)
        m.scipy.linalg.hilbert(n.array(3))
        m.scipy.linalg.helmert(3, full=[0])
        m.nn.logmeanexp(x, axis=[0])
        m.lax.split(x[0], n.array([1, 2]))
        m.lax.broadcast(x, n.array([2]))
        """, numbers(shape=(3, 3)))


def test_flags_of_operations_are_bools():
    same_errors(
        """
        m.lax.sort(x, is_stable=1)
        m.lax.sort_key_val(x, x, is_stable='x')
        m.ops.segment_max(x, n.arange(3), indices_are_sorted=None)
        m.ops.segment_sum(x, n.arange(3), unique_indices=1.5)
        n.tri(3, k=True)
        n.tril(x, True)
        m.scipy.linalg.dft(3, dtype='int32')
        """, numbers(shape=(3, 3)))


def test_settings_without_effect_may_be_anything():
    same_values(
        """
        m.jit(lambda c: m.scipy.linalg.cholesky(x @ x.T + 9 * n.eye(3), check_finite=c))(True)
        m.jit(lambda c: m.scipy.linalg.svd(x, compute_uv=False, overwrite_a=c, lapack_driver=c))(1.0)
        m.scipy.linalg.qr(x, lwork=n.array(3), mode='r')[0]
        m.jit(lambda c: n.nan_to_num(x, c))(False)
        m.scipy.signal.welch(x[0], nperseg=3, average='x')[1]
        m.lax.dynamic_index_in_dim(x, 1, allow_negative_indices=None)
        m.lax.dynamic_slice_in_dim(x, 1, 1, allow_negative_indices=5)
        m.lax.full_like(x, 2.5, dtype=5)
        m.lax.full_like(x, 2.5, dtype=True)
        n.eye(3, k=True)
        """, numbers(shape=(3, 3)))
