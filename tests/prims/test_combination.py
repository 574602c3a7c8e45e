"""Operations of two elements, by which reductions, scans, scatters, windows and collectives put many together."""

from __future__ import annotations

import numpy as np
import pytest
from tests.prims import harness

from adjoint.core import dtypes
from adjoint.core.primitive import primitives

harness.all_primitives()  # which imports their modules
OPERATIONS = {
    "add": "reduce_sum cumsum scatter-add reduce_window_sum psum psum_invariant",
    "mul": "reduce_prod cumprod scatter-mul",
    "max": "reduce_max cummax scatter-max reduce_window_max pmax",
    "min": "reduce_min cummin scatter-min reduce_window_min pmin", "sub": "scatter-sub",
    "and": "reduce_and", "or": "reduce_or", "xor": "reduce_xor",
}
WHOLE = [*map(np.dtype, ("?", "i1", "i4", "i8", "u1", "u4", "u8")), dtypes.int4, dtypes.uint4]
INEXACT = [*map(np.dtype, ("f2", "f4", "f8")), dtypes.bfloat16]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_primitive_names_the_operation_by_which_it_puts_elements_together(operation):
    for name in OPERATIONS[operation].split():
        assert primitives[name].combines_rule is primitives[operation], name


def test_a_primitive_that_has_no_such_operation_names_none():
    assert primitives["scatter"].combines_rule is None is primitives["sin"].combines_rule


@pytest.mark.parametrize("name", ["add", "mul", "max", "min", "and", "or", "xor"])
@pytest.mark.parametrize("dtype", [*WHOLE, *INEXACT], ids=str)
def test_a_neutral_element_leaves_the_other_one_as_it_is(name, dtype):
    p, is_bits = primitives[name], name in ("and", "or", "xor")
    if is_bits and dtype in INEXACT or dtype == np.bool_ and name in ("add", "mul"):
        pytest.skip("not an operation of this dtype")
    neutral = np.array(p.neutral_rule(dtype)).astype(dtype)
    for value in (0, 1, dtypes.iinfo(dtype).max if dtype in WHOLE[1:] else 1):
        x = np.array(value).astype(dtype)
        assert p.evaluate_rule(x, neutral).tobytes() == x.tobytes() == p.evaluate_rule(neutral, x).tobytes()
