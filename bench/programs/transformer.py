"""Forty steps of a transformer that learns to reverse sequences."""

import jax
import jax.numpy as jnp
from jax import random

WIDTH, HEADS, LENGTH, SYMBOLS = 32, 4, 12, 10


def layer(key):
    keys = random.split(key, 4)
    shapes = {"qkv": (WIDTH, 3 * WIDTH), "out": (WIDTH, WIDTH), "up": (WIDTH, 4 * WIDTH), "down": (4 * WIDTH, WIDTH)}
    return {name: random.normal(k, shape) / shape[0] ** 0.5 for k, (name, shape) in zip(keys, shapes.items())}


def norm(x):
    return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)


def attention(p, x):
    q, k, v = jnp.split((norm(x) @ p["qkv"]).reshape(LENGTH, HEADS, -1), 3, -1)
    weights = jax.nn.softmax(jnp.einsum("qhd,khd->hqk", q, k) / (WIDTH // HEADS) ** 0.5)
    return jnp.einsum("hqk,khd->qhd", weights, v).reshape(LENGTH, WIDTH) @ p["out"]


def logits(params, tokens):
    x = params["embed"][tokens] + params["place"]
    for p in params["layers"]:
        x = x + attention(p, x)
        x = x + jax.nn.gelu(norm(x) @ p["up"]) @ p["down"]
    return norm(x) @ params["embed"].T


def loss(params, tokens):
    scores = jax.nn.log_softmax(jax.vmap(logits, (None, 0))(params, tokens))
    return -jnp.take_along_axis(scores, tokens[:, ::-1, None], -1).mean()


@jax.jit
def step(params, key):
    tokens = random.randint(key, (64, LENGTH), 0, SYMBOLS)
    value, gradient = jax.value_and_grad(loss)(params, tokens)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, gradient), value


k1, k2, *keys = random.split(random.key(0), 4)
params = {"embed": random.normal(k1, (SYMBOLS, WIDTH)) * 0.3, "place": random.normal(k2, (LENGTH, WIDTH)) * 0.3,
          "layers": [layer(key) for key in keys]}
for key in random.split(random.key(1), 40):
    params, value = step(params, key)
print(value)
