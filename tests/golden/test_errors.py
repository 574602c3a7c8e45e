"""The text of the errors that users meet most, as files: `tests/golden/errors/<name>.txt`.

Write them anew with `UPDATE_GOLDEN=1 pytest tests/golden`, and read the difference before it is committed.
"""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import errors, lax, random

FOLDER = Path(__file__).parent / "errors"
x = jnp.arange(3.0)
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
    ax.jit(lambda y: y + 1, donate_argnums=0)(y)
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
def partial_with_wrong_positions():
    partial(ax.vmap, in_axes=(0, 0))(lambda a: a, in_axes="a")


def normalised(text: str) -> str:
    """The text without what differs between machines: paths and addresses."""
    text = re.sub(r"[\w./-]*test_errors\.py:\d+", "test_errors.py:LINE", text)
    text = re.sub(r"0x[0-9a-f]{6,}", "0xADDRESS", text)
    return re.sub(r" at /\S+:\d+", " at FILE:LINE", text)


@pytest.mark.parametrize("name", MISTAKES)
def test_message(name):
    """The error has JAX's class and the text of its golden file."""
    function, classes = MISTAKES[name]
    with pytest.raises(Exception) as caught:
        function()
    error = caught.value
    assert isinstance(error, classes[:1] if len(classes) < 2 else classes), type(error)
    text = f"{type(error).__name__}: {normalised(str(error))}\n"
    path = FOLDER / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        FOLDER.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf8")
    assert path.read_text(encoding="utf8") == text
    assert 3.0 == float(jnp.sum(jnp.ones(3))), "the library works after the error"


def test_every_golden_file_has_a_mistake():
    assert sorted(MISTAKES) == sorted(p.stem for p in FOLDER.glob("*.txt"))
