"""`nn.dot_product_attention`: each option, and its derivatives, beside real JAX."""

from __future__ import annotations

import numpy as np
import pytest

from ..lax.parity import same

OPTIONS = {
    "plain": {},
    "causal": dict(is_causal=True),
    "scale": dict(scale=0.25),
    "window": dict(local_window_size=(1, 0)),
    "bias": dict(bias=np.linspace(-1, 1, 16, dtype=np.float32).reshape(4, 4)),
    "mask": dict(mask=np.arange(32).reshape(2, 1, 4, 4) % 3 > 0),
    "lengths": dict(query_seq_lengths=np.array([2, 3]), key_value_seq_lengths=np.array([3, 4])),
    "residual": dict(query_seq_lengths=np.array([2, 3]), return_residual=True),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_values_and_derivatives(name):
    q = (np.arange(64, dtype=np.float32) * 29 % 65 / 32 - 1).reshape(2, 4, 2, 4)
    k = (np.arange(32, dtype=np.float32) * 13 % 33 / 16 - 1).reshape(2, 4, 1, 4)

    def program(m, q, k, v):
        attend = lambda q, k, v: m.nn.dot_product_attention(q, k, v, **m.tree.map(
            lambda x: m.numpy.asarray(x) if isinstance(x, np.ndarray) else x, OPTIONS[name]
        ))
        out, pull = m.vjp(attend, q, k, v)
        return out, pull(m.tree.map(m.numpy.cos, out))

    same(program, q, k, k[::-1], rtol=1e-5)


def test_what_is_beyond_the_length_of_the_queries_is_zero():
    def program(m, x):
        return m.nn.dot_product_attention(x, x, x, query_seq_lengths=m.numpy.array([1]))[1:]

    same(program, np.ones((3, 1, 2), np.float32), rtol=0)
