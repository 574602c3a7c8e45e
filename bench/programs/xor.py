"""A network of three hidden units learns the exclusive or."""

import jax
import jax.numpy as jnp

x, y = jnp.array([[0., 0.], [0., 1.], [1., 0.], [1., 1.]]), jnp.array([0., 1., 1., 0.])


def predict(params, x):
    return jax.nn.sigmoid(jnp.tanh(x @ params["w1"] + params["b1"]) @ params["w2"] + params["b2"])


def loss(params):
    p = predict(params, x)
    return -jnp.mean(y * jnp.log(p) + (1 - y) * jnp.log(1 - p))


@jax.jit
def step(params):
    return jax.tree.map(lambda p, g: p - g, params, jax.grad(loss)(params))


k1, k2 = jax.random.split(jax.random.key(0))
params = {"w1": jax.random.normal(k1, (2, 3)), "b1": jnp.zeros(3), "w2": jax.random.normal(k2, (3,)), "b2": 0.0}
for _ in range(2000):
    params = step(params)
print(jnp.round(predict(params, x), 2))
