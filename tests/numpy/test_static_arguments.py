"""What must be known while a program is traced, given as a traced value: the classes of JAX's errors."""

from __future__ import annotations

import pytest

import adjoint
import adjoint.numpy as jnp

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
