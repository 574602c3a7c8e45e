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
        jax.eval_shape(lambda k: jnp.tri(3, 4, k), 1.5)


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


OVERFLOWS = ("jnp.arange(3)[2**40]", "jnp.arange(3)[-2**40]", "jax.jit(lambda x: x[0, 2**31])(jnp.ones((2, 3)))")


@pytest.mark.parametrize("expression", OVERFLOWS)
def test_a_python_int_beyond_32_bits_is_no_index(expression):
    with jax.enable_x64(False), pytest.raises(OverflowError, match="too large to convert to int32"):
        eval(expression)


def test_an_index_of_numpy_wraps():
    with jax.enable_x64(False):
        assert jnp.arange(3)[np.int64(2**32 + 1)] == 1


def test_places_of_more_elements_than_32_bits_count_are_refused():
    long = jax.ShapeDtypeStruct((2**31,), "float32")
    with jax.enable_x64(False), pytest.raises(OverflowError, match="out of bounds for int32"):
        jax.eval_shape(jnp.searchsorted, long, jax.ShapeDtypeStruct((3,), "float32"))


def test_a_device_knows_its_client():
    device = jax.devices()[0]
    client = device.client
    assert client is jax.extend.backend.get_backend() and client.platform == device.platform
    assert client.devices() == jax.devices() and client.local_device_count() == jax.local_device_count()
    assert client.process_index() == 0


def test_what_was_not_given_has_a_readable_name():
    import inspect

    for function in (jax.jit, lax.cond, jax.enable_x64):
        assert " at 0x" not in str(inspect.signature(function))


def test_a_spec_may_be_longer_than_the_rank_when_it_says_nothing_more():
    P = jax.sharding.PartitionSpec
    with jax.set_mesh(jax.make_mesh((1,), ("x",))):
        x = jax.device_put(jnp.ones(4), P("x"))
        assert jax.sharding.reshard(x, P("x", None)).sharding.spec == P("x")
        assert jax.jit(lambda x: jax.sharding.reshard(x, P("x", None)))(x).sharding.spec == P("x")


def test_dead_code_is_dropped_inside_of_programs():
    from adjoint.interpreters import partial_eval

    def used(f, outputs, *args):
        return partial_eval.dce_jaxpr(jax.make_jaxpr(f)(*args).jaxpr, outputs)[1]

    branches = lambda x, y: (x, y), lambda x, y: (x + 1, y * 2)
    assert used(lambda p, x, y: lax.cond(p, *branches, x, y), [True, False], True, 1.0, 2.0) == [True, True, False]
    pair = lambda a, b: (a * 2, b * 2)
    for call in (jax.jit(pair), jax.checkpoint(pair)):
        assert used(call, [False, True], 1.0, 2.0) == [False, True]
    loop = lambda c, a: lax.scan(lambda c, x: (c, x * a), c, jnp.ones(3))
    assert used(loop, [True, False], 1.0, 2.0) == [True, False]


def test_programs_say_what_is_computed_again_and_what_is_composite():
    f = lambda **options: jax.grad(jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)), **options))
    text = lambda f: jax.jit(f).lower(1.0).as_text()
    assert text(f()).count("optimization_barrier") == 1
    assert "optimization_barrier" not in text(f(prevent_cse=False))
    made = lax.composite(lambda x, *, scale, missing: x * scale, "my.name", version=3)
    assert (
        '%0 = stablehlo.composite "my.name" %arg0 {composite_attributes = {scale = 3 : i64}, decomposition = @my.name, '
        "version = 3 : i32} : (tensor<f32>) -> tensor<f32>"
    ) in text(lambda x: made(x, scale=3, missing=None))
