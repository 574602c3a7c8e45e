"""`jax_debug_key_reuse`: which programs use a key twice, beside JAX."""

from __future__ import annotations

import pytest
from tests.modes import compiling
from tests.recorded import jax

import adjoint
import adjoint.errors
import adjoint.numpy

FINE = {
    "split": lambda j, k: [j.random.normal(s) for s in j.random.split(k)],
    "fold_in": lambda j, k: (j.random.fold_in(k, 1), j.random.normal(k), j.random.fold_in(k, 2)),
    "rows": lambda j, k: [j.random.normal(row) for row in j.random.split(k, 3)],
    "clone": lambda j, k: (j.random.normal(k), j.random.normal(j.random.clone(k))),
    "data": lambda j, k: (j.random.key_data(k), j.random.normal(k), j.random.key_data(k)),
    "raw": lambda j, k: [j.random.normal(j.random.PRNGKey(0)) for _ in range(2)],
    "shape only": lambda j, k: (j.jit(lambda k: k.shape)(k), j.random.normal(k)),
    "branches": lambda j, k: j.lax.cond(True, lambda: j.random.normal(k), lambda: j.random.uniform(k)),
    "carried": lambda j, k: j.lax.scan(lambda k, _: (j.random.split(k)[0], 0.0), k, None, length=2),
    "folded": lambda j, k: j.lax.fori_loop(
        0, 3, lambda i, c: c + j.random.normal(j.random.fold_in(k, i)), j.numpy.float32(0)),
    "poisson": lambda j, k: j.random.poisson(k, 2.0),
    "grad": lambda j, k: j.grad(lambda x: x * j.random.normal(k))(1.0),
}
TWICE = {
    "twice": lambda j, k: (j.random.normal(k), j.random.uniform(k)),
    "split": lambda j, k: (j.random.split(k), j.random.normal(k)),
    "in jit": lambda j, k: j.jit(lambda k: j.random.normal(k) + j.random.uniform(k))(k),
    "made in jit": lambda j, k: j.jit(lambda: [j.random.normal(key) for key in [j.random.key(0)] for _ in range(2)])(),
    "made in a loop": lambda j, k: j.lax.scan(
        lambda c, _: (c, [j.random.normal(key) for key in [j.random.key(0)] for _ in range(2)]), 0, None, length=2),
    "made in a branch": lambda j, k: j.lax.cond(
        True, lambda: [j.random.bits(key) for key in [j.random.key(0)] for _ in range(2)],
        lambda: [j.numpy.uint32(0)] * 2),
    "made of data": lambda j, k: j.jit(
        lambda d: [j.random.normal(key) for key in [j.random.wrap_key_data(d)] for _ in range(2)])(j.random.PRNGKey(0)),
    "jit twice": lambda j, k: [j.jit(j.random.normal)(k) for _ in range(2)],
    "closed over": lambda j, k: [j.jit(lambda: j.random.normal(k))() for _ in range(2)],
    "returned": lambda j, k: j.random.normal(j.jit(lambda k: (k, j.random.normal(k)))(k)[0]),
    "row": lambda j, k: [j.random.normal(keys[0]) for keys in [j.random.split(k, 3)] for _ in range(2)],
    "overlap": lambda j, k: [(j.random.normal(keys[0, 0]), j.vmap(j.random.normal)(keys[0]))
                             for keys in [j.random.split(k, (2, 2))]],
    "reshaped": lambda j, k: (j.random.normal(k), j.random.normal(k.reshape(1)[0])),
    "vmap": lambda j, k: [j.vmap(j.random.normal)(keys) for keys in [j.random.split(k, 3)] for _ in range(2)],
    "scan": lambda j, k: j.lax.scan(lambda c, _: (c, j.random.normal(k)), 0.0, None, length=2),
    "while": lambda j, k: j.lax.while_loop(
        lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] + j.random.normal(k)), (0, j.numpy.float32(0))),
    "after cond": lambda j, k: (
        j.lax.cond(True, lambda: j.random.normal(k), lambda: j.numpy.float32(0)), j.random.normal(k)),
    "grad": lambda j, k: j.grad(lambda x: x * j.random.normal(k) * j.random.normal(k))(1.0),
    "gamma": lambda j, k: j.jit(lambda k: (j.random.bits(k), j.random.gamma(k, 2.0)))(k),
    "stack": lambda j, k: j.jit(lambda k: (j.random.bits(k), j.random.bits(j.numpy.stack([k, k])[0])))(k),
    "make_jaxpr": lambda j, k: j.make_jaxpr(lambda k: j.random.normal(k) + j.random.normal(k))(k),
}


@pytest.mark.parametrize("name", FINE)
def test_programs_that_are_fine(name):
    """No key is used twice: nothing is raised, and results are those without the check."""
    for j in (adjoint, jax)[: 1 if name == "poisson" else 2]:  # seconds of compilation
        expected = FINE[name](j, j.random.key(0))
        with j.debug_key_reuse(True):
            assert str(FINE[name](j, j.random.key(0))) == str(expected)


@pytest.mark.parametrize("name", TWICE)
def test_keys_that_are_used_twice(name):
    """KeyReuseError while the option is on, the same program runs while it is off."""
    for j in (adjoint, jax):
        with j.debug_key_reuse(True), pytest.raises(j.errors.KeyReuseError):
            TWICE[name](j, j.random.key(0))
    TWICE[name](adjoint, adjoint.random.key(0))


FIRST_LINES = {
    "bits": lambda j, k: (j.random.normal(k), j.random.bits(k)),
    "split": lambda j, k: (j.random.bits(k), j.random.split(k)),
    "a sample": lambda j, k: (j.random.bits(k), j.random.uniform(k)),
    "a shuffle": lambda j, k: (j.random.bits(k), j.random.permutation(k, 3)),
    "in grad": lambda j, k: [j.grad(lambda x, k: x * j.random.uniform(k))(1.0, k) for _ in range(2)],
    "bits in jit": lambda j, k: j.jit(lambda k: (j.random.normal(k), j.random.bits(k)))(k),
    "a sample in jit": lambda j, k: j.jit(lambda k: (j.random.bits(k), j.random.normal(k)))(k),
    "a sample twice": lambda j, k: j.jit(lambda k: (j.random.normal(k), j.random.normal(k)))(k),
    "gamma in jit": lambda j, k: j.jit(lambda k: (j.random.bits(k), j.random.gamma(k, 2.0)))(k),
    "cond in jit": lambda j, k: j.jit(lambda k: (j.random.bits(k), j.lax.cond(
        True, j.random.bits, lambda k: j.numpy.uint32(0), k)))(k),
    "scan": lambda j, k: j.lax.scan(lambda c, _: (c, j.random.bits(k)), 0.0, None, length=2),
    "test of while": lambda j, k: j.lax.while_loop(lambda k: j.random.uniform(k) > 0.5, lambda k: k, k),
    "test and body of while": lambda j, k: j.lax.while_loop(
        lambda k: j.random.uniform(k) > 0.5, lambda k: j.random.split(k)[0], k),
    "body of while": lambda j, k: j.lax.while_loop(
        lambda c: c[1] < 2, lambda c: (c[0], c[1] + j.random.uniform(c[0])), (k, j.numpy.float32(0))),
}


@pytest.mark.parametrize("name", FIRST_LINES)
def test_the_first_line_names_what_used_the_key_again(name):
    lines = []
    for j in (adjoint, jax):
        with j.debug_key_reuse(True), pytest.raises(j.errors.KeyReuseError) as raised:
            FIRST_LINES[name](j, j.random.key(0))
        lines.append(str(raised.value).partition("\n")[0])
    assert lines[1].startswith(lines[0]) and lines[0]


@compiling
def test_the_message_says_where_and_what_instead():
    """The user's line, and split."""
    with adjoint.debug_key_reuse(True):
        key = adjoint.random.key(0)
        adjoint.random.normal(key)
        text = r"key passed to jit-compiled function at index 0(.|\n)*test_key_reuse.py(.|\n)*random.split\(key\)"
        with pytest.raises(adjoint.errors.KeyReuseError, match=text):
            adjoint.random.normal(key)


def test_a_deleted_key_is_no_key():
    for j in (adjoint, jax):
        with j.debug_key_reuse(True):
            key = j.random.key(0)
            key.delete()
            with pytest.raises(RuntimeError, match="Array has been deleted"):
                j.random.normal(key)
