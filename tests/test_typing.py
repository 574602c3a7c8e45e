"""`adjoint.typing`: what the annotations take are the values that functions take."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
import adjoint.typing


@pytest.mark.parametrize("value", [1, 2.5, 1j, True, np.float32(1), np.ones(2), np.bool_(True), adjoint.numpy.ones(2)])
def test_arrays_and_scalars_are_like_arrays(value):
    assert isinstance(value, adjoint.typing.ArrayLike)
    assert adjoint.numpy.asarray(value).shape == np.shape(value)


def test_a_tracer_is_like_an_array():
    assert adjoint.eval_shape(lambda x: x if isinstance(x, adjoint.typing.ArrayLike) else None, 1.0).shape == ()


@pytest.mark.parametrize("value", ["a", None, [1.0], (1,), {}])
def test_texts_and_trees_are_not(value):
    assert not isinstance(value, adjoint.typing.ArrayLike)
    with pytest.raises(TypeError):
        adjoint.lax.neg(value)


def test_names_are_those_of_jax():
    assert {"ArrayLike", "DTypeLike"} == set(adjoint.typing.__all__) == {n for n in dir(jax.typing) if n[0].isupper()}
