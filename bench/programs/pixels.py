"""A convolutional network on images of bars: four epochs."""

import jax
import jax.numpy as jnp
from jax import lax, random


def images(key, n=512):
    k1, k2, k3 = random.split(key, 3)
    across, place = random.bernoulli(k1, shape=(n,)), random.randint(k2, (n,), 2, 14)
    bars = jnp.where(across[:, None, None], jnp.arange(16)[:, None] == place[:, None, None],
                     jnp.arange(16) == place[:, None, None])
    return (bars + 0.5 * random.normal(k3, (n, 16, 16)))[:, None], across.astype(int)


def logits(params, x):
    for w in params["filters"]:
        x = jax.nn.relu(lax.conv_general_dilated(x, w, (2, 2), "SAME"))
    return x.mean((2, 3)) @ params["out"]


def loss(params, x, y):
    return -jnp.take_along_axis(jax.nn.log_softmax(logits(params, x)), y[:, None], 1).mean()


@jax.jit
def step(params, x, y):
    return jax.tree.map(lambda p, g: p - 0.5 * g, params, jax.grad(loss)(params, x, y))


k = random.split(random.key(0), 4)
params = {"filters": [random.normal(k[0], (8, 1, 3, 3)) / 3, random.normal(k[1], (16, 8, 3, 3)) / 8],
          "out": random.normal(k[2], (16, 2)) / 4}
x, y = images(k[3])
for _ in range(4):
    for i in range(0, 512, 64):
        params = step(params, x[i:i + 64], y[i:i + 64])
print((logits(params, x).argmax(1) == y).mean())
