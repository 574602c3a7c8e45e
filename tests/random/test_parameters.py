"""Parameters that the dtype of the results does not hold: refused where JAX refuses them."""

from __future__ import annotations

import numpy as np
import pytest
from tests.modes import standard

from adjoint import random

KEY = random.key(0)
COUNTS = {
    "beta": 2, "pareto": 1, "rayleigh": 1, "t": 1, "chisquare": 1, "f": 2, "wald": 1, "lognormal": 1, "triangular": 3,
}


@standard  # strict promotion refuses the same with its own words
@pytest.mark.parametrize(("dtype", "x"), [
    ("float32", np.ones(2, "complex64")), ("float32", 1j), ("float16", np.ones(2, "float32")),
    ("bfloat16", np.ones(2, "float16")),
])
@pytest.mark.parametrize("name", COUNTS)
def test_nothing_of_a_parameter_is_dropped(name, dtype, x):
    with pytest.raises(ValueError, match=f"In arguments to {name}, cannot safely cast argument of type"):
        getattr(random, name)(KEY, *[x] * COUNTS[name], dtype=dtype)


@pytest.mark.parametrize("x", [2.0, 2, np.ones(2, "int32"), np.ones(2, "float16")])
@pytest.mark.parametrize("name", COUNTS)
def test_narrower_parameters_and_python_numbers_are_converted(name, x):
    xs = [x, x, x] if name != "triangular" else [x - x, x - x, x]
    assert getattr(random, name)(KEY, *xs[: COUNTS[name]], dtype="float16").dtype == "float16"
