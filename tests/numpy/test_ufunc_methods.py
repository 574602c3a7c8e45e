"""Ufunc objects: what they are, their methods, and `frompyfunc`: values, types, jaxprs and errors as in JAX."""

from __future__ import annotations

import copy
import inspect
import pickle

import numpy as np
import pytest
from tests.modes import compiling
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp

from .expressions import numbers, same_derivatives, same_errors, same_jaxprs, same_values

NAMES = [name for name in dir(jax.numpy) if isinstance(getattr(jax.numpy, name), jax.numpy.ufunc)]
BINARY = [name for name in NAMES if getattr(jax.numpy, name).nin == 2]


@pytest.mark.parametrize("name", NAMES)
def test_objects(name):
    theirs, ours = getattr(jax.numpy, name), getattr(jnp, name)
    assert isinstance(ours, jnp.ufunc) and ours.__name__ == name
    for attribute in ("nin", "nout", "nargs", "identity"):
        assert getattr(theirs, attribute) == getattr(ours, attribute)
    assert repr(ours) == str(ours) == repr(theirs)
    parameters = [[(p.name, p.kind, p.default) for p in inspect.signature(u).parameters.values()]
                  for u in (theirs, ours)]
    assert parameters[0] == parameters[1]
    assert pickle.loads(pickle.dumps(ours)) is ours and copy.copy(ours) == ours
    assert hash(ours) == hash(copy.deepcopy(ours))


def test_static_arguments():
    apply = adjoint.jit(lambda f, x: f(x, x), static_argnums=0)
    np.testing.assert_array_equal(apply(jnp.add, jnp.arange(3)), [0, 2, 4])
    np.testing.assert_array_equal(apply(jnp.multiply, jnp.arange(3)), [0, 1, 4])


def table(rows, names=BINARY):
    return "\n".join(row.replace("NAME", name) for name in names for row in rows.strip().splitlines())


INTEGERS = [name for name in BINARY if not name.startswith("logadd")]
FLOATS = [name for name in BINARY if not name.startswith("bitwise")]
METHODS = """
n.NAME.reduce(x)
n.NAME.reduce(x, axis=None, keepdims=True)
n.NAME.reduce(x, 1, initial=2)
n.NAME.reduce(x, 1, where=x % 3 != 0, initial=1)
n.NAME.accumulate(x, axis=1)
n.NAME.reduceat(x, n.array([0, 2, 1]))
n.NAME.reduceat(x, y[0, :2] * 0 + 2, axis=1)
n.NAME.at(x, 0, 2, inplace=False)
n.NAME.at(x, (n.array([0, 0, 2]), 1), n.array([2, 3, 1]), inplace=False)
n.NAME.outer(x[0], x[1])
n.NAME.outer(x, 2)
n.NAME(x, 2, out=None, where=None)
"""


def test_methods():
    some = table(METHODS, ("add", "subtract", "maximum", "logical_xor"))
    rows = "n.NAME.reduce(x)\nn.NAME.reduce(x, 1, where=x % 3 != 0, initial=1)\nn.NAME(x, 2, where=None)"
    every = table(rows, INTEGERS)
    same_values(f"{some}\n{every}", numbers(np.int32, (3, 4)), numbers(np.int32, (3, 4)), rtol=1e-5)


def test_methods_of_floats():
    rows = """n.NAME.reduce(x)\nn.NAME.accumulate(x)\nn.NAME.reduceat(x, n.array([0, 1]))
n.NAME.reduce(x, 1, initial=2.)"""
    same_values(table(rows, FLOATS), numbers(shape=(3, 4)), rtol=1e-5)
    same_values(
        """
        n.negative.at(x, n.array([0, 2, 0]), inplace=False)
        n.negative.at(x, (n.array([0, 2]), n.array([0, -9])), inplace=False)
        n.add.reduce(x, axis=(0, 1))
        n.add.reduce(x > 0)
        n.add.reduce(x, dtype='int32')
        n.add.accumulate(x > 0, 1, 'int8')
        n.maximum.accumulate(x, dtype='int32')
        n.subtract.reduce(x, dtype='float16')
        n.logical_xor.reduce(x, where=x > 0, initial=True)
        n.multiply.reduce(x[:0])
        """,
        numbers(shape=(3, 4)),
    )


def test_jaxprs():
    rows = "n.NAME.reduce(x)\nn.NAME.reduce(x, 1, None, None, True)\nn.NAME(x, 2)"
    same_jaxprs(table(rows, [name for name in INTEGERS if name != "subtract"]), numbers(np.int32, (3, 4)))
    same_jaxprs(
        """
        n.add.accumulate(x)
        n.multiply.accumulate(x, 1)
        n.add.outer(x, x[0])
        n.frompyfunc(lambda a, b: a * b, 2, 1)(x, x[0])
        n.frompyfunc(lambda a, b: (a * b, a), 2, 2)(x, 2)
        """,
        numbers(shape=(3, 4)),
    )


def test_functions_of_scalars():
    same_values(
        """
        n.frompyfunc(lambda a, b: 3 * a + b, 2, 1)(x, y[0])
        n.frompyfunc(lambda a, b: (a * b, a), 2, 2)(x, 2)
        n.frompyfunc(lambda a, b: 3 * a + b, 2, 1).reduce(x)
        n.frompyfunc(lambda a, b: 3 * a + b, 2, 1, identity=1).reduce(x, axis=None)
        n.frompyfunc(lambda a, b: 3 * a + b, 2, 1, identity=1).reduce(x[:0])
        n.frompyfunc(lambda a, b: 3 * a + b, 2, 1, identity=1).reduce(x, where=y > 0)
        n.frompyfunc(lambda a, b: 3 * a + b, 2, 1).accumulate(x, 1)
        n.frompyfunc(lambda a, b: 3 * a + b, 2, 1).at(x, n.array([0, 1, 0]), y[0, :3], inplace=False)
        n.frompyfunc(lambda a, b: 3 * a + b, 2, 1).reduceat(x, n.array([0, 2]))
        n.frompyfunc(lambda a, b: 3 * a + b, 2, 1).outer(x[0], y[1])
        n.frompyfunc(lambda a: a ** 2, 1, 1).at(x, n.array([0, 1, 0]), inplace=False)
        n.ufunc(lambda a, b: a - b, 2, 1, name='minus', reduce=n.sum).reduce(x)
        """.replace(", reduce=n.sum", ""),
        numbers(shape=(3, 4)), numbers(shape=(3, 4), seed=1), rtol=1e-5,
    )
    minus = jnp.frompyfunc(operator_sub, 2, 1)
    assert repr(minus) == "<jnp.ufunc 'operator_sub'>" and pickle.loads(pickle.dumps(minus)) == minus
    assert minus == jnp.frompyfunc(operator_sub, 2, 1) != jnp.frompyfunc(operator_sub, 2, 1, identity=0)


def operator_sub(x, y):
    return x - y


def test_derivatives():
    same_derivatives(
        """
        n.add.reduce(x)
        n.multiply.reduce(x)
        n.subtract.accumulate(x)
        n.maximum.reduce(x)
        n.logaddexp.reduce(x)
        n.multiply.outer(x[0], y[0])
        n.add.at(x, n.array([0, 0]), y[0], inplace=False)
        n.frompyfunc(lambda a, b: a * n.sin(b), 2, 1).reduce(x)
        """,
        numbers(shape=(3, 3)), numbers(shape=(3, 3), seed=1),
    )


@compiling
def test_errors():
    same_errors(
        """
        n.add(x)
        n.add()
        n.add(x, x, out=x)
        n.add(x, x, where=x > 0)
        n.add(x, y=x)
        n.negative(x, where=x > 0)
        n.logaddexp(x, x, out=x)
        n.negative.reduce(x)
        n.negative.accumulate(x)
        n.negative.reduceat(x, n.arange(2))
        n.negative.outer(x, x)
        n.subtract.reduce(x, axis=(0, 1))
        n.subtract.reduce(x, where=x > 0)
        n.maximum.reduce(x, where=x > 0)
        n.subtract.reduce(x[:0])
        n.bitwise_xor.reduce(x)
        n.add.reduce(2.)
        n.add.reduce([1, 2])
        n.subtract.accumulate(2.)
        n.subtract.accumulate(x, axis=None)
        n.add.at(x, 0, 1)
        n.add.at(x, 0, inplace=False)
        n.negative.at(x, 0, 2., inplace=False)
        n.add.reduceat(x, [0, 1])
        n.add.reduceat(x, 0)
        n.frompyfunc(lambda a, b: a, 2, 1)(x)
        n.frompyfunc(lambda a, b: a, 2, 1)(x, 2, where=x)
        n.frompyfunc(lambda a, b: a, 2, 1)(x, 2, out=x)
        n.frompyfunc(lambda a, b: a, 2, 1).reduce(x[:0])
        n.frompyfunc(lambda a: a, 1.5, 1)
        n.frompyfunc(3, 1, 1)
        """,
        numbers(shape=(3, 4)),
    )


def test_rounding_without_decimals_gives_ints_of_the_default_dtype():
    for dtype in ("uint8", "int8", "float32", "bfloat16"):
        assert round(jnp.array([7], dtype)).dtype == jnp.int32
    assert round(jnp.array([7], "uint8"), 1).dtype == jnp.uint8


def test_a_power_of_integers_has_a_strong_type():
    assert not (2 ** jnp.array([True, False])).weak_type


def test_errors_of_missing_operands_name_the_function():
    with pytest.raises(TypeError, match=r"^gcd\(\) missing 1 required positional argument: 'x2'"):
        jnp.gcd(1)
