"""A normalizing flow of coupling layers in Distrax and Haiku, and the hidden Markov model of Distrax."""

import distrax
import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax


def flow():
    layers = []
    for i in range(4):
        network = hk.Sequential([hk.Linear(16), jax.nn.tanh, hk.Linear(4, w_init=jnp.zeros), hk.Reshape((2, 2))])
        layers.append(distrax.MaskedCoupling(
            mask=jnp.arange(2) % 2 == i % 2, conditioner=network,
            bijector=lambda p: distrax.ScalarAffine(shift=p[..., 0], log_scale=jnp.tanh(p[..., 1])),
        ))
    base = distrax.MultivariateNormalDiag(jnp.zeros(2), jnp.ones(2))
    return distrax.Transformed(base, distrax.Inverse(distrax.Chain(layers)))


density = hk.without_apply_rng(hk.transform(lambda x: flow().log_prob(x)))
sample = hk.transform(lambda n: flow().sample(seed=hk.next_rng_key(), sample_shape=(n,)))
optimizer = optax.adam(3e-3)


@jax.jit
def train(parameters, moments, x):
    value, gradient = jax.value_and_grad(lambda p: -density.apply(p, x).mean())(parameters)
    updates, moments = optimizer.update(gradient, moments)
    return optax.apply_updates(parameters, updates), moments, value


numbers = np.random.default_rng(0)
z = numbers.normal(size=(256, 2)).astype("float32")
data = jnp.array(np.stack([z[:, 0], z[:, 0] ** 2 + 0.3 * z[:, 1]], 1))
parameters = density.init(jax.random.key(0), data[:2])
moments = optimizer.init(parameters)
for step in range(60):
    parameters, moments, value = train(parameters, moments, data)
    if step % 20 == 19:
        print("step", step + 1, "loss", value)
print("drawn", sample.apply(parameters, jax.random.key(1), 1000).mean(0))

model = distrax.HMM(
    trans_dist=distrax.Categorical(probs=jnp.array([[0.9, 0.1], [0.2, 0.8]])),
    init_dist=distrax.Categorical(probs=jnp.array([0.5, 0.5])),
    obs_dist=distrax.Normal(jnp.array([-1.0, 1.0]), jnp.array([0.5, 0.7])),
)
states, seen = model.sample(seed=jax.random.key(2), seq_len=12)
print("states", states, "most likely", model.viterbi(seen))
forward, backward, smoothed, evidence = model.forward_backward(seen)
print("smoothed", smoothed[:, 0], "evidence", evidence)
mixture = distrax.MixtureSameFamily(
    distrax.Categorical(logits=jnp.array([0.1, 0.5])), distrax.Normal(jnp.array([-1.0, 2.0]), jnp.array([0.5, 1.0]))
)
print("mixture", mixture.log_prob(jnp.array([0.0, 1.0])), "mean", mixture.mean(), "variance", mixture.variance())
