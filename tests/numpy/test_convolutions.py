"""`jnp.convolve` and `jnp.correlate`: jaxprs, values and errors as in JAX."""

from __future__ import annotations

import numpy as np
import pytest

from ..lax.parity import same, same_jaxpr, same_types

LONG, SHORT = np.cos(np.arange(7, dtype=np.float32)), np.sin(np.arange(4, dtype=np.float32))
OPERANDS = (
    (LONG, SHORT), (SHORT, LONG), (LONG, SHORT + 1j * LONG[:4]), (np.arange(7), SHORT), (np.arange(7), np.arange(4)),
)


@pytest.mark.parametrize("name", ["convolve", "correlate"])
def test_convolutions_of_sequences(name):
    """Every mode, either operand longer, dtypes that promote."""
    f = lambda m, a, v, **kwargs: getattr(m.numpy, name)(a, v, **kwargs)
    for mode in ("full", "same", "valid"):
        for operands in OPERANDS:
            same_jaxpr(lambda m, a, v: f(m, a, v, mode=mode), *operands)
    options = dict(mode="same", precision="high", preferred_element_type="float32")
    same_jaxpr(lambda m, a, v: f(m, a, v, **options), LONG, SHORT)
    modes = lambda m, a, v: [f(m, a, v, mode=mode) for mode in ("full", "same", "valid")]
    flat = [x.astype(np.int32) if x.dtype == np.int64 else x for pair in OPERANDS for x in pair]
    same(lambda m, *xs: [modes(m, *xs[i : i + 2]) for i in range(0, len(xs), 2)], *flat)


@pytest.mark.parametrize("name", ["convolve", "correlate"])
def test_errors(name):
    f = lambda m, a, v, **kwargs: getattr(m.numpy, name)(a, v, **kwargs)
    same_types(f, LONG[None], SHORT)
    same_types(f, LONG[:0], SHORT)
    same_types(lambda m, a, v: f(m, a, v, mode="odd"), LONG, SHORT)
    same_types(lambda m, a: f(m, a, [1.0, 2.0]), LONG, lines=False)
