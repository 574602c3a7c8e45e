"""Arguments in the corners of what functions take, which programs pass: each gives what JAX 0.10.2 gives."""

from __future__ import annotations

import collections
import io

import numpy as np
import pytest

import adjoint as jax
import adjoint.numpy as jnp
from adjoint import lax


class Three:
    def __jax_array__(self):
        return jnp.array([1.0, 2.0, 2.0])


class Two:
    def __jax_array__(self):
        return jnp.array(2)


class Matrix:
    def __jax_array__(self):
        return jnp.eye(3)


a, two, matrix = Three(), Two(), Matrix()
k = jax.random.key(0)
OBJECTS = {
    "jnp.delete(a, 0)": [2.0, 2.0],
    "jnp.delete(jnp.ones(3), two)": [1.0, 1.0],
    "jnp.insert(a, 0, 5)": [5.0, 1.0, 2.0, 2.0],
    "jnp.insert(jnp.ones(2), two, 5)": [1.0, 1.0, 5.0],
    "jnp.full_like(jnp.ones(2), two)": [2.0, 2.0],
    "jnp.intersect1d(a, a)": [1.0, 2.0],
    "jnp.isin(a, a)": [True, True, True],
    "jnp.setdiff1d(a, a)": [],
    "jnp.setxor1d(a, a)": [],
    "jnp.ix_(a)[0]": [1.0, 2.0, 2.0],
    "jnp.polydiv(a, a)[1]": [0.0, 0.0, 0.0],
    "jnp.polymul(a, a)": [1.0, 4.0, 8.0, 8.0, 4.0],
    "jnp.tril_indices_from(matrix)[1]": [0, 0, 1, 0, 1, 2],
    "jnp.triu_indices_from(matrix)[1]": [0, 1, 2, 1, 2, 2],
    "jnp.linalg.lstsq(matrix, a)[0]": [1.0, 2.0, 2.0],
    "jax.random.choice(k, a)": 2.0,
    "jax.random.key_data(jax.random.fold_in(k, two))": [4146024105, 2718843009],
    "jax.random.poisson(k, two)": 0,
    "jax.random.categorical(k, a)": 1,
}


@pytest.mark.parametrize("expression", OBJECTS)
def test_what_has_jax_array_is_an_argument(expression):
    assert eval(expression).tolist() == pytest.approx(OBJECTS[expression], abs=1e-6)


TRACED = {
    "jax.jit(lambda k: jnp.tri(2, 3, k))(1)": [[1.0, 1.0, 0.0], [1.0, 1.0, 1.0]],
    "jax.vmap(lambda k: jnp.tri(1, 2, k))(jnp.arange(2))": [[[1.0, 0.0]], [[1.0, 1.0]]],
    "jax.jit(lambda x: jnp.unwrap(x, period=4))(jnp.array([0, 5, 9]))": [0, 1, 1],
    "jax.jit(lambda x, p: jnp.unwrap(x, period=p))(jnp.array([0, 5, 9, -7, 3]), 4)": [0, 1, 1, 1, 3],
    "jnp.unwrap(jnp.array([0, 5, 9, -7, 3]), period=4.)": [0.0, 1.0, 1.0, 1.0, 3.0],
    "jnp.trim_zeros(jnp.float32(0.))": 0.0,
    "lax.broadcast_in_dim(jnp.arange(6).reshape(3, 2), (2, 3), (1, 0))": [[0, 2, 4], [1, 3, 5]],
    "jnp.array([1, 2, 3, 4, 5, 6, 7, -8], 'int4').view('int16')": [17185, -30875],
    "jnp.array([17], 'uint8').view('int4').astype(int)": [1, 1],
    "jnp.array([1, 1, 0, 1, 1, 0, 0, 0], 'int2').view('int4').astype(int)": [5, 4, 1, 0],
    "jnp.array([1, 2], 'float4_e2m1fn').view('uint8')": [66],
}


@pytest.mark.parametrize("expression", TRACED)
def test_corners_of_arrays(expression):
    assert eval(expression).tolist() == TRACED[expression]


def test_a_traced_diagonal_is_an_integer():
    with pytest.raises(TypeError, match="offset must be an integer"):
        jax.jit(lambda k: jnp.tri(3, 4, k))(1.5)


def test_shapes_are_asked_of_anything_with_a_warning():
    for value, shape in (([1, 2], (2,)), (None, ()), ([[1, 2]], (1, 2))):
        with pytest.warns(DeprecationWarning, match="shape requires ndarray or scalar arguments, got"):
            assert jnp.shape(value) == shape
        with pytest.warns(DeprecationWarning, match="ndim requires"):
            assert jnp.ndim(value) == len(shape)
        with pytest.warns(DeprecationWarning, match="size requires"):
            assert jnp.size(value) == np.size(value)
    assert jnp.shape(jax.ShapeDtypeStruct((2,), "float32")) == (2,)


def test_collections_of_a_class_of_their_own_answer_operators_themselves():
    class Pair(collections.namedtuple("Pair", "x y")):
        def __rmul__(self, other):
            return "mine"

    class Table(dict):
        def __radd__(self, other):
            return "mine"

    assert jnp.ones(2) * Pair(1, 2) == jnp.ones(2) + Table() == "mine"
    for refused in ((1,), [1], {1}, {1: 1}):
        with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \*"):
            jnp.ones(2) * refused


def test_objects_that_are_loaded_stay_in_a_numpy_array():
    file = io.BytesIO()
    np.save(file, np.array([1, "a"], object), allow_pickle=True)
    file.seek(0)
    assert jnp.load(file, allow_pickle=True).tolist() == [1, "a"]


def test_gumbel_modes_have_three_names():
    high, highest = (jax.random.gumbel(k, (2,), mode=mode) for mode in ("high", "highest"))
    assert high.tolist() == highest.tolist() == pytest.approx([-1.0818, -1.3464], abs=1e-4)
    assert int(jax.random.categorical(k, jnp.ones(3), mode="highest")) == 2


@pytest.mark.parametrize("axes", [(0, None), (None, 0)])
@pytest.mark.parametrize("groups", ["batch_group_count", "feature_group_count"])
def test_a_grouped_convolution_of_an_empty_batch_is_empty(axes, groups):
    shape, kernel = [2, 2, 6, 7], [2, 1, 1, 2]
    if groups == "batch_group_count":
        shape[1] = 1
    (shape if axes[0] == 0 else kernel).insert(0, 0)
    convolved = jax.vmap(lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "VALID", **{groups: 2}), axes)
    out = convolved(jnp.ones(shape), jnp.ones(kernel))
    assert out.shape == (0, 1 if groups == "batch_group_count" else 2, 2, 6, 6)


def test_arrays_of_keys_are_made_of_parts():
    sharding, keys = jax.sharding.SingleDeviceSharding(jax.devices()[0]), jax.random.split(k, 2)
    made = jax.make_array_from_callback((2,), sharding, lambda index: keys[index])
    joined = jax.make_array_from_single_device_arrays((2,), sharding, [keys])
    for array in (made, joined):
        assert array.dtype == keys.dtype and (array == keys).all()
