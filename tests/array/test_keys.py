"""Arrays of random keys: what can be asked of them is answered as in JAX, the rest is refused."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax

import adjoint

SAME = """
ks == ks
ks != ks
ks == k
ks[-1]
ks[jnp.array([0, 9])]
ks[None, :, None]
ks[np.array([True, False, True])]
ks.reshape(3, 1)
ks.at[0].set(k)
ks.at[jnp.array([0, 2])].set(k)
ks.at[9].get(mode="fill")
ks.at[9].get(mode="fill", fill_value=0)
ks.at[jnp.array([0, 9])].get(mode="fill")
jnp.where(np.array([True, False, True]), ks, k)
jnp.broadcast_to(k, (2,))
jnp.concatenate([ks, ks])
jnp.stack([k, k])
jnp.flip(ks)
jnp.full_like(ks, k)
jnp.isnan(k)
jnp.array_equal(ks, ks)
k in ks
format(k)
f"{ks}"
m.lax.rev(ks, (0,))
m.lax.eq(ks, ks)
m.make_jaxpr(lambda a: a == k)(ks)
m.vmap(lambda a: a == k)(ks)
m.jit(lambda a: (a != k) | (a[::-1] == a))(ks)
"""
REFUSED = """
ks < k
k + k
-k
k + 1
bool(k)
int(k)
float(k)
complex(k)
np.asarray(ks)
len(k)
jnp.sort(ks)
"""


def value(m, text):
    k = m.random.key(0)
    names = dict(m=m, jnp=m.numpy, np=np, k=k, ks=m.random.split(k, 3))
    return eval(text, names)


def rows(table):
    return table.strip().splitlines()


@pytest.mark.parametrize("text", rows(SAME))
def test_keys_answer_as_in_jax(text):
    assert repr(value(jax, text)) == repr(value(adjoint, text))


@pytest.mark.parametrize("text", rows(REFUSED))
def test_keys_are_not_numbers(text):
    errors = []
    for m in (jax, adjoint):
        with pytest.raises(TypeError) as error:
            value(m, text)
        errors.append(error.type)
    assert errors[0] is errors[1]


@pytest.mark.parametrize("text", ["k.item()", "ks.tolist()", "ks.tobytes()"])
def test_the_words_of_keys_are_asked_for_by_name(text):
    with pytest.raises(TypeError, match="key_data"):
        value(adjoint, text)


def test_keys_do_not_become_numbers():
    for m in (jax, adjoint):
        with pytest.raises(ValueError, match="Cannot convert_element_type from key<fry> to int32"):
            m.lax.convert_element_type(m.random.key(0), "int32")
