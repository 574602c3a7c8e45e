"""What tracers do not have: the message names the member and the traced array's type, as JAX's does."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax

import adjoint


@pytest.mark.parametrize("read", [lambda x: x.sharding, lambda x: x.block_until_ready()], ids=["sharding", "block"])
def test_a_member_that_tracers_lack_is_refused_with_the_type_of_the_traced_array(read):
    said = []
    for m in (jax, adjoint):
        with pytest.raises(AttributeError) as error:
            m.jit(read)(np.ones((2, 3), np.int32))
        said.append(str(error.value).split("\n")[0])
    assert said[0].split(". ")[0].rstrip(".") == said[1].rstrip(".")
    assert said[1].endswith("not available on traced array with shape int32[2,3].")


def test_the_dialect_that_a_lowered_program_does_not_know_is_named_as_in_jax():
    for m in (jax, adjoint):
        with pytest.raises(ValueError, match="^unknown dialect: nope"):
            m.jit(lambda x: x).lower(1.0).as_text("nope")
