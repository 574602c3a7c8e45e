"""The text of the errors that users meet most, as files: `tests/golden/errors/<name>.txt`.

Write them anew with `UPDATE_GOLDEN=1 pytest tests/golden`, and read the difference before it is committed.
"""

from __future__ import annotations

import os
import re
import warnings
from functools import partial
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest
from tests.modes import compiling, refused_expression, some
from tests.recorded import jax

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import errors, lax, random

FOLDER = Path(__file__).parent / "errors"
x = jnp.arange(3.0)
JAX = {"ax": jax, "jnp": jax.numpy, "lax": jax.lax, "random": jax.random, "x": jax.numpy.arange(3.0)}
MISTAKES = {}


def mistake(*classes):
    """A function that makes a mistake, and the classes that its error must have."""

    def register(function):
        MISTAKES[function.__name__] = function, classes
        return function

    return register


# ---- wrong shapes


@mistake(TypeError)
def matmul_of_equal_shapes():
    jnp.ones((3, 4)) @ jnp.ones((3, 4))


@mistake(ValueError)
def add_of_shapes_that_do_not_broadcast():
    jnp.ones((3, 4)) + jnp.ones(5)


@mistake(TypeError)
def add_of_equal_ranks():
    jnp.ones(3) + jnp.ones(4)


@mistake(TypeError)
def reshape_to_another_size():
    x.reshape(2, 2)


@mistake(ValueError)
def stack_of_different_shapes():
    jnp.stack([jnp.ones(2), jnp.ones(3)])


@mistake(ValueError)
def vmap_over_different_lengths():
    ax.vmap(lambda a, b: a + b)(jnp.ones(2), jnp.ones(3))


@mistake(ValueError)
def vmap_of_a_scalar():
    ax.vmap(jnp.sin)(1.0)


@mistake(TypeError)
def list_as_operand():
    jnp.sin([1.0, 2.0])


@mistake(TypeError)
def concatenate_of_different_lengths():
    jnp.concatenate([jnp.ones((2, 3)), jnp.ones((2, 4))])


@mistake(TypeError)
def concatenate_of_different_ranks():
    jnp.concatenate([jnp.ones((2, 3)), jnp.ones(3)])


@mistake(TypeError)
def lax_concatenate_of_different_dtypes():
    lax.concatenate([x, jnp.arange(3)], 0)


@mistake(ValueError, IndexError)
def axis_out_of_range():
    jnp.sum(jnp.ones((2, 3)), axis=2)


@mistake(ValueError)
def axis_named_twice():
    jnp.sum(jnp.ones((2, 3)), axis=(0, -2))


@mistake(errors.ConcretizationTypeError, TypeError)
def traced_axis():
    ax.jit(lambda x, axis: jnp.sum(x, axis))(x, 0)


@mistake(TypeError)
def transpose_that_is_no_permutation():
    jnp.transpose(jnp.ones((2, 3)), (0, 0))


@mistake(ValueError)
def squeeze_of_a_long_axis():
    jnp.squeeze(jnp.ones((2, 1)), 0)


@mistake(TypeError)
def reshape_with_two_unknown_lengths():
    jnp.ones((2, 3)).reshape(-1, -1)


@mistake(ValueError)
def einsum_of_different_lengths():
    jnp.einsum("ij,jk->ik", jnp.ones((2, 3)), jnp.ones((2, 3)))


@mistake(ValueError)
def einsum_with_an_unknown_output():
    jnp.einsum("ij->il", jnp.ones((2, 3)))


@mistake(ValueError)
def einsum_with_too_few_operands():
    jnp.einsum("ij,jk->ik", jnp.ones((2, 3)))


@mistake(TypeError)
def lax_add_of_different_dtypes():
    lax.add(x, jnp.arange(3))


@mistake(TypeError)
def lax_add_of_different_ranks():
    lax.add(jnp.ones((2, 3)), x)


@mistake(TypeError)
def dynamic_slice_longer_than_the_array():
    lax.dynamic_slice(x, (0,), (5,))


@mistake(TypeError)
def vmap_of_a_function_of_matrices_over_rows():
    ax.vmap(jnp.linalg.qr)(jnp.ones((3, 3)))


@mistake(TypeError)
def vmap_names_the_shapes_of_one_call():
    ax.vmap(lambda row: lax.add(row, jnp.ones(4)))(jnp.ones((5, 3)))


@mistake(ValueError)
def inverse_of_an_oblong_matrix():
    jnp.linalg.inv(jnp.ones((2, 3)))


@mistake(ValueError)
def vmap_with_too_many_axes():
    ax.vmap(jnp.sin, in_axes=(0, 0))(x)


# ---- convolutions


@mistake(ValueError)
def convolution_of_different_features():
    lax.conv_general_dilated(jnp.ones((2, 3, 8, 8)), jnp.ones((4, 5, 3, 3)), (1, 1), "SAME")


@mistake(ValueError)
def convolution_that_is_depthwise():
    lax.conv_general_dilated(jnp.ones((2, 6, 8, 8)), jnp.ones((6, 1, 3, 3)), (1, 1), "SAME")


@mistake(ValueError)
def convolution_with_features_last():
    lax.conv_general_dilated(jnp.ones((2, 8, 8, 3)), jnp.ones((4, 3, 3, 3)), (1, 1), "SAME")


@mistake(ValueError)
def convolution_with_feature_groups():
    lax.conv_general_dilated(jnp.ones((2, 3, 8, 8)), jnp.ones((4, 3, 3, 3)), (1, 1), "SAME", feature_group_count=2)


@mistake(ValueError)
def convolution_with_batch_groups():
    lax.conv_general_dilated(jnp.ones((2, 3, 8, 8)), jnp.ones((3, 3, 3, 3)), (1, 1), "SAME", batch_group_count=2)


@mistake(TypeError)
def convolution_of_a_vector():
    lax.conv(jnp.ones((2, 3, 8, 8)), x, (1, 1), "SAME")


# ---- shapes and dtypes of what is made


@mistake(TypeError)
def float_as_length():
    jnp.zeros((2, 2.5))


@mistake(TypeError)
def length_in_the_place_of_a_dtype():
    jnp.zeros(2, 3)


@mistake(TypeError)
def length_below_zero():
    jnp.ones(-1)


@mistake(TypeError)
def float_as_length_of_a_sample():
    random.normal(random.key(0), 2.5)


@mistake(TypeError)
def float_in_the_shape_of_a_sample():
    random.normal(random.key(0), (2.5,))


@mistake(TypeError)
def misspelt_dtype():
    x.astype("flaot32")


@mistake(ValueError)
def lists_of_different_lengths():
    jnp.array([[1, 2], [3]])


@mistake(ValueError)
def none_as_array():
    jnp.array(None)


@mistake(UserWarning)
def float64_while_it_is_off():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        jnp.zeros(3, "float64")


@mistake(IndexError)
def index_out_of_range_in_checked_mode():
    before = ax.config.jax_check_static_indices
    ax.config.update("jax_check_static_indices", True)
    try:
        x[10]
    finally:
        ax.config.update("jax_check_static_indices", before)


@mistake(IndexError)
def mask_of_another_length():
    x[jnp.array([True, False])]


# ---- abstract values in Python


@mistake(errors.TracerBoolConversionError, errors.ConcretizationTypeError, TypeError)
def if_on_a_traced_value():
    def f(x):
        if x > 0:
            return x
        return -x

    ax.jit(f)(1.0)


@mistake(errors.TracerArrayConversionError, TypeError)
def numpy_on_a_traced_value():
    ax.jit(lambda x: np.sin(x))(1.0)


@mistake(errors.TracerIntegerConversionError, TypeError)
def traced_value_as_list_index():
    ax.jit(lambda i: [1, 2, 3][i])(1)


@mistake(errors.ConcretizationTypeError, TypeError)
def float_of_a_traced_value():
    ax.jit(lambda x: float(x))(1.0)


@mistake(TypeError)
def traced_shape():
    ax.jit(lambda n: jnp.zeros(n))(3)


@mistake(errors.NonConcreteBooleanIndexError, IndexError)
def traced_mask():
    ax.jit(lambda x: x[x > 0])(x)


@mistake(errors.UnexpectedTracerError, TypeError)
def leaked_tracer():
    leak = []
    ax.jit(lambda x: (leak.append(x), x)[1])(1.0)
    leak[0] + 1


@mistake(IndexError)
def slice_with_traced_bounds():
    ax.jit(lambda x, i: x[i : i + 2])(x, 1)


@mistake(errors.ConcretizationTypeError, TypeError)
def positions_of_a_traced_mask():
    ax.jit(jnp.nonzero)(x)


@mistake(ValueError)
def scan_over_different_lengths():
    lax.scan(lambda c, v: (c, v), 0.0, (jnp.ones(2), jnp.ones(3)))


@mistake(NameError)
def name_of_no_axis():
    lax.psum(x, "i")


@mistake(NotImplementedError)
def derivative_of_eigenvectors():
    ax.grad(lambda m: jnp.linalg.eig(m)[1].real.sum())(jnp.eye(3) + 1)


@mistake(errors.KeyReuseError)
def key_used_twice():
    with ax.debug_key_reuse(True):
        key = random.key(0)
        random.normal(key)
        random.normal(key)


# ---- arguments of jit


@mistake(ValueError)
def unhashable_static_argument():
    ax.jit(lambda x, sizes: x, static_argnames="sizes")(1.0, sizes=[1, 2])


@mistake(TypeError)
def function_as_argument():
    def layer(x, activation):
        return activation(x)

    ax.jit(layer)(x, jnp.tanh)


@mistake(RuntimeError)
def donated_array():
    y = jnp.ones(3)
    with ax.debug_nans(False):  # which keeps what is donated
        ax.jit(lambda y: y + 1, donate_argnums=0)(y).block_until_ready()
    y + 1


@mistake(ValueError)
def unknown_static_argname():
    ax.jit(lambda x: x, static_argnames="y")


@mistake(TypeError)
def result_that_is_no_array():
    ax.jit(lambda x: "done")(1.0)


# ---- derivatives


@mistake(TypeError)
def grad_of_a_vector():
    ax.grad(jnp.sin)(x)


@mistake(TypeError)
def grad_of_an_integer():
    ax.grad(lambda n: n * 2.0)(3)


@mistake(TypeError)
def grad_with_too_few_arguments():
    ax.grad(lambda a, b: a * b, argnums=1)(1.0)


@mistake(TypeError)
def grad_of_a_number():
    ax.grad(jnp.sin(1.0))


@mistake(TypeError)
def grad_of_a_complex_result():
    ax.grad(lambda x: x * 1j)(1.0)


@mistake(TypeError)
def aux_that_is_not_returned():
    ax.grad(lambda x: x, has_aux=True)(1.0)


@mistake(ValueError)
def cotangent_of_another_shape():
    ax.vjp(jnp.sin, x)[1](jnp.ones(4))


@mistake(ValueError)
def cotangent_of_another_dtype():
    ax.vjp(jnp.sin, x)[1](jnp.arange(3))


@mistake(ValueError)
def cotangent_of_another_structure():
    ax.vjp(lambda x: (x, x), x)[1](x)


@mistake(ValueError)
def tangent_of_another_shape():
    ax.jvp(jnp.sin, (x,), (jnp.ones(4),))


@mistake(TypeError)
def tangent_of_another_dtype():
    ax.jvp(jnp.sin, (x,), (jnp.arange(3),))


@mistake(ValueError)
def reverse_mode_of_while():
    body = lambda s: (s[0] + 1, s[1] * 2)
    ax.grad(lambda x: lax.while_loop(lambda s: s[0] < 3, body, (0, x))[1])(1.0)


@mistake(TypeError)
def forward_mode_of_custom_vjp():
    @ax.custom_vjp
    def f(x):
        return x

    f.defvjp(lambda x: (x, None), lambda _, ct: (ct,))
    ax.jvp(f, (1.0,), (1.0,))


@mistake(TypeError)
def bwd_with_too_few_cotangents():
    @ax.custom_vjp
    def f(a, b):
        return a * b

    f.defvjp(lambda a, b: (a * b, None), lambda _, ct: (ct,))
    ax.grad(f)(1.0, 2.0)


@mistake(AttributeError)
def custom_jvp_without_rule():
    ax.custom_jvp(lambda x: x)(1.0)


# ---- loops and branches


@mistake(TypeError)
def scan_with_another_carry_type():
    lax.scan(lambda c, v: ({"h": c["h"].astype("int32")}, v), {"h": 0.0}, x)


@mistake(TypeError)
def cond_with_different_branches():
    lax.cond(True, lambda x: x, lambda x: (x, x), x)


@mistake(TypeError)
def cond_with_a_vector_predicate():
    lax.cond(x > 0, lambda x: x, lambda x: -x, x)


# ---- keys


@mistake(TypeError, ValueError)
def integer_as_key():
    random.normal(0, (3,))


@mistake(TypeError, ValueError)
def batch_of_keys():
    random.normal(random.split(random.key(0)), (3,))


@mistake(TypeError)
def float_as_seed():
    random.key(1.5)


@mistake(TypeError)
def key_as_number():
    random.key(0) + 1


# ---- arrays and names


@mistake(TypeError)
def assignment_to_an_item():
    y = jnp.ones(3)
    y[0] = 2.0


@mistake(TypeError)
def addition_to_some_rows():
    y = jnp.ones((3, 2))
    y[1:, :] += 2.0


@mistake(TypeError)
def assignment_to_a_described_place():
    x.at[0] = 2.0


@mistake(TypeError)
def description_that_is_called():
    x.at(0).set(2.0)


@mistake(TypeError)
def cholesky_factor_of_a_vector():
    jnp.linalg.cholesky(x)


@mistake(ValueError)
def least_squares_of_other_lengths():
    jnp.linalg.lstsq(jnp.ones((3, 2)), jnp.ones(2))


@mistake(TypeError)
def two_arrays_of_which_one_is_an_axis():
    jnp.max(x, x)


@mistake(errors.ConcretizationTypeError)
def counts_of_unknown_length():
    ax.jit(jnp.bincount)(jnp.array([1, 2]))


@mistake(TypeError)
def argument_of_another_library():
    jnp.concatenate([x, x], dim=0)


@mistake(TypeError)
def loss_without_a_return_statement():
    def loss(w):
        w.sum()

    ax.grad(loss)(x)


@mistake(AttributeError)
def result_of_a_callback_without_a_dtype():
    ax.pure_callback(lambda v: v, (3,), x)


@mistake(ValueError)
def arrays_of_two_lengths_on_devices():
    ax.pmap(lambda v, w: v + w)(jnp.ones(1), jnp.ones(2))


@mistake(AttributeError)
def function_of_another_module():
    jnp.sigmoid


@mistake(AttributeError)
def misspelt_function():
    jnp.argmaxx


@mistake(AttributeError)
def unknown_option():
    ax.config.update("jax_enable_x46", True)


@mistake(ValueError)
def truth_of_an_array():
    bool(x)


@mistake(TypeError)
def float_of_an_array():
    float(x)


@mistake(AttributeError)
def update_without_an_index():
    x.at.set(1.0)


@mistake(TypeError)
def partial_with_wrong_positions():
    partial(ax.vmap, in_axes=(0, 0))(lambda a: a, in_axes="a")


@mistake(TypeError)
def bits_of_a_float():
    x & 1


@mistake(TypeError)
def difference_of_conditions():
    (x > 0) - (x > 1)


@mistake(TypeError)
def dict_as_operand():
    x + {"a": 1}


@mistake(TypeError)
def where_with_one_value():
    jnp.where(x > 0, x)


@mistake(ValueError)
def broadcast_to_fewer_axes():
    jnp.broadcast_to(jnp.ones((3, 4)), (4,))


@mistake(TypeError)
def grad_of_arguments_by_name():
    ax.grad(lambda a, b: a * b)(a=1.0, b=2.0)


@mistake(TypeError)
def body_of_one_argument():
    lax.scan(lambda carry: (carry, carry), 0.0, x)


@mistake(AttributeError)
def function_of_another_library():
    jnp.cat


@mistake(NotImplementedError)
def transposition_of_a_sine():
    ax.linear_transpose(jnp.sin, 1.0)(1.0)


@mistake(ValueError)
def unknown_method_of_a_quantile():
    jnp.percentile(x, 50, method="middle")


def normalised(text: str) -> str:
    """The text without what differs between machines: paths and addresses."""
    text = re.sub(r"[\w./-]*test_errors\.py:\d+", "test_errors.py:LINE", text)
    text = re.sub(r"0x[0-9a-f]{6,}", "0xADDRESS", text)
    return re.sub(r" at /\S+:\d+", " at FILE:LINE", text)


@pytest.mark.parametrize("name", some(MISTAKES, compiling, "key_used_twice"))
def test_message(name):
    """The error has JAX's class and the text of its golden file."""
    function, classes = MISTAKES[name]
    with pytest.raises(Exception) as caught:
        function()
    error = caught.value
    if refused_expression(error):
        pytest.skip("in this mode it is another mistake")
    assert isinstance(error, classes[:1] if len(classes) < 2 else classes), type(error)
    text = f"{type(error).__name__}: {normalised(str(error))}\n"
    path = FOLDER / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        FOLDER.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf8")
    assert path.read_text(encoding="utf8") == text
    assert 3.0 == float(jnp.sum(jnp.ones(3))), "the library works after the error"


# Where JAX's text names its own classes and modules, or is another from the start.
OTHER_WORDS = set(
    """aux_that_is_not_returned body_of_one_argument bwd_with_too_few_cotangents function_of_another_library
    function_of_another_module leaked_tracer misspelt_function name_of_no_axis result_that_is_no_array""".split()
)


@pytest.mark.parametrize("name", sorted(MISTAKES.keys() - OTHER_WORDS))
def test_message_begins_as_jax_does(name):
    """The same mistake with JAX: its class, or one above it, and the start of its message."""
    function, _ = MISTAKES[name]
    theirs = FunctionType(function.__code__, {**globals(), **JAX}, name, None, function.__closure__)
    with pytest.raises(Exception) as caught:
        theirs()
    with pytest.raises(Exception) as ours:
        function()
    start = normalised(str(caught.value)).splitlines()[0][:30]
    assert normalised(str(ours.value)).startswith(start)
    kinds = {c.__name__ for c in type(ours.value).__mro__}
    assert type(caught.value).__name__ in kinds


def test_every_golden_file_has_a_mistake():
    assert sorted(MISTAKES) == sorted(p.stem for p in FOLDER.glob("*.txt"))
