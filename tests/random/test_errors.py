"""Mistakes raise JAX's class, with a message that says what to write instead."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.modes import compiling
from tests.random.parity import same_error
from tests.recorded import jax

import adjoint
from adjoint import random

MISTAKES = {
    "integer as key": lambda m, k: m.random.normal(0, ()),
    "float as key": lambda m, k: m.random.split(1.5),
    "None as key": lambda m, k: m.random.split(None),
    "list as key": lambda m, k: m.random.split([0, 1]),
    "string as key": lambda m, k: m.random.bits("key"),
    "int32 as key": lambda m, k: m.random.split(np.zeros(2, np.int32)),
    "key of wrong length": lambda m, k: m.random.split(np.zeros(3, np.uint32)),
    "words of another generator": lambda m, k: m.random.wrap_key_data(np.zeros(4, np.uint32)),
    "wrapped twice": lambda m, k: m.random.wrap_key_data(k),
    "data of an integer": lambda m, k: m.random.key_data(3),
    "several keys": lambda m, k: m.random.normal(m.random.split(k), ()),
    "several keys to split": lambda m, k: m.random.split(m.random.split(k)),
    "several keys to fold": lambda m, k: m.random.fold_in(m.random.split(k), 0),
    "several raw keys": lambda m, k: m.random.bits(m.random.split(m.random.PRNGKey(0))),
    "float seed": lambda m, k: m.random.key(1.5),
    "complex seed": lambda m, k: m.random.key(1j),
    "array of seeds": lambda m, k: m.random.key(np.arange(2)),
    "list of seeds": lambda m, k: m.random.PRNGKey([1, 2]),
    "key as seed": lambda m, k: m.random.key(k),
    "None as seed": lambda m, k: m.random.key(None),
    "large seed": lambda m, k: m.random.key(2**63),
    "unknown generator": lambda m, k: m.random.key(0, impl="threfry"),
    "generator of another type": lambda m, k: m.random.key(0, impl=3),
    "generator named twice": lambda m, k: m.random.key(0, impl="rbg", dtype=k.dtype),
    "negative number folded": lambda m, k: m.random.fold_in(k, -1),
    "large number folded": lambda m, k: m.random.fold_in(k, 2**32),
    "array folded": lambda m, k: m.random.fold_in(k, np.arange(3)),
    "key folded": lambda m, k: m.random.fold_in(k, k),
    "None folded": lambda m, k: m.random.fold_in(k, None),
    "a complex number folded": lambda m, k: m.random.fold_in(k, 1j),
    "split into a float": lambda m, k: m.random.split(k, 1.5),
    "bits of a signed dtype": lambda m, k: m.random.bits(k, (3,), "int32"),
    "shape of floats": lambda m, k: m.random.bits(k, (3.0,)),
    "shape that is a float": lambda m, k: m.random.bits(k, 3.0),
    "no shape": lambda m, k: m.random.uniform(k, None),
    "uniform integers": lambda m, k: m.random.uniform(k, (2,), int),
    "complex uniform": lambda m, k: m.random.uniform(k, (2,), "complex64"),
    "uniform bounds that do not fit": lambda m, k: m.random.uniform(k, (2,), minval=m.numpy.zeros(3)),
    "normal integers": lambda m, k: m.random.normal(k, (2,), int),
    "bounds that do not fit": lambda m, k: m.random.truncated_normal(k, m.numpy.zeros(2), 1, (3,)),
    "parameters larger than the shape": lambda m, k: m.random.rayleigh(k, m.numpy.ones(2), (1,)),
    "randint of floats": lambda m, k: m.random.randint(k, (2,), 0, 10, float),
    "randint of booleans": lambda m, k: m.random.randint(k, (2,), 0, 10, bool),
    "randint without a bound": lambda m, k: m.random.randint(k, (2,), None, 10),
    "randint bound too large": lambda m, k: m.random.randint(k, (2,), 0, 1 + int(m.numpy.iinfo(int).max)),
    "randint bounds that do not fit": lambda m, k: m.random.randint(k, (2,), np.zeros(3, int), 3),
    "permutation of a float": lambda m, k: m.random.permutation(k, 5.0),
    "permutation of a list": lambda m, k: m.random.permutation(k, [1, 2]),
    "permutation along no axis": lambda m, k: m.random.permutation(k, 5, axis=1),
    "choice of nothing": lambda m, k: m.random.choice(k, 0),
    "choice of too many": lambda m, k: m.random.choice(k, 5, (6,), replace=False),
    "choice of an integer shape": lambda m, k: m.random.choice(k, 5, 3),
    "choice of a list": lambda m, k: m.random.choice(k, [1, 2]),
    "choice with too few weights": lambda m, k: m.random.choice(k, 5, (2,), p=m.numpy.ones(3)),
    "bernoulli of an integer": lambda m, k: m.random.bernoulli(k, 1),
    "bernoulli mode": lambda m, k: m.random.bernoulli(k, 0.5, mode="fast"),
    "categorical axis": lambda m, k: m.random.categorical(k, m.numpy.zeros((2, 4)), axis=3),
    "categorical axes": lambda m, k: m.random.categorical(k, m.numpy.zeros((2, 4)), (3,)),
    "categorical truth": lambda m, k: m.random.categorical(k, m.numpy.zeros((2, 4)), True),
    "negative length": lambda m, k: m.random.gamma(k, 1.0, (-1,)),
    "an array as dtype": lambda m, k: m.random.uniform(k, (3,), m.numpy.ones(2)),
    "NaN folded": lambda m, k: m.random.fold_in(k, float("nan")),
    "a negative float folded": lambda m, k: m.random.fold_in(k, -1.5),
    "categorical shape": lambda m, k: m.random.categorical(k, m.numpy.zeros((2, 4)), shape=(3,)),
    "categorical of integers": lambda m, k: m.random.categorical(k, m.numpy.zeros(4, int)),
    "categorical of a list": lambda m, k: m.random.categorical(k, [0.0, 1.0]),
    "too many categories": lambda m, k: m.random.categorical(
        k, m.numpy.zeros(4), shape=(5,), replace=False
    ),
    "gumbel mode": lambda m, k: m.random.gumbel(k, (2,), mode="fast"),
    "geometric floats": lambda m, k: m.random.geometric(k, 0.3, (2,), float),
    "poisson floats": lambda m, k: m.random.poisson(k, 3.0, (2,), float),
    "poisson of rbg": lambda m, k: m.random.poisson(m.random.key(0, impl="rbg"), 3.0),
    "scalar dirichlet": lambda m, k: m.random.dirichlet(k, 1.0),
    "ball of a float": lambda m, k: m.random.ball(k, 3.0),
    "orthogonal of a negative": lambda m, k: m.random.orthogonal(k, -1),
    "mean that is a scalar": lambda m, k: m.random.multivariate_normal(k, 0.0, m.numpy.eye(2)),
    "cov that is a vector": lambda m, k: m.random.multivariate_normal(
        k, m.numpy.zeros(2), m.numpy.ones(2)
    ),
    "cov of another size": lambda m, k: m.random.multivariate_normal(
        k, m.numpy.zeros(2), m.numpy.eye(3)
    ),
    "method of mvn": lambda m, k: m.random.multivariate_normal(
        k, m.numpy.zeros(2), m.numpy.eye(2), method="lu"
    ),
}
BEGINNINGS = {
    "a number as key": lambda m, k: m.random.uniform(5),
    "an unknown generator": lambda m, k: m.random.key(0, impl="nope"),
    "derivative of a key": lambda m, k: m.grad(lambda k: 1.0)(k),
}


@pytest.mark.parametrize("name", BEGINNINGS)
def test_first_lines_are_jax_s(name):
    lines = []
    for m in (jax, adjoint):
        with pytest.raises((TypeError, ValueError)) as caught:
            BEGINNINGS[name](m, m.random.key(0))
        lines.append(str(caught.value).split("\n")[0])
    known = lambda line: {word for word in re.findall(r"[\w\"]+", line) if "pallas" not in word}  # in any order
    assert known(lines[0]) == known(lines[1])


@compiling
@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_have_jax_s_class(name):
    same_error(MISTAKES[name])


@pytest.mark.parametrize(
    "name", [n for n in MISTAKES if "key" in n and "seed" not in n and "folded" not in n]
)
def test_messages_about_keys_say_what_to_write(name):
    """The user's line and a fix."""
    text = str(same_error(MISTAKES[name]))
    assert "test_errors.py" in text
    assert "Try: " in text


def test_a_number_is_no_key():
    with pytest.raises(TypeError, match=r"Try: random\.normal\(random\.key\(0\), \(\)\)"):
        random.normal(0, ())


@compiling
def test_traced_lengths():
    """A length that is an argument of a jitted function."""
    for program in (
        lambda n: random.normal(random.key(0), (n,)),
        lambda n: random.split(random.key(0), n),
        lambda n: random.permutation(random.key(0), n),
    ):
        with pytest.raises(TypeError):
            adjoint.jit(program)(3)


def test_negative_lengths():
    with pytest.raises(TypeError, match="non-negative"):
        random.normal(random.key(0), (-1,))
    with pytest.raises(TypeError, match="non-negative"):
        random.split(random.key(0), -1)


def test_unknown_names():
    with pytest.raises(AttributeError, match="Did you mean 'normal'"):
        random.nromal
