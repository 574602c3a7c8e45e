"""A small transformer in Haiku that learns to reverse sequences, trained with Optax."""

import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax

TOKENS, LENGTH, WIDTH = 8, 6, 32


class Block(hk.Module):
    def __call__(self, x, is_training):
        scale = hk.initializers.VarianceScaling(0.5)
        y = hk.LayerNorm(-1, True, True)(x)
        x = x + hk.MultiHeadAttention(4, WIDTH // 4, w_init=scale, model_size=WIDTH)(y, y, y)
        y = hk.LayerNorm(-1, True, True)(x)
        y = hk.Sequential([hk.Linear(2 * WIDTH, w_init=scale), jax.nn.gelu, hk.Linear(WIDTH, w_init=scale)])(y)
        return x + (hk.dropout(hk.next_rng_key(), 0.05, y) if is_training else y)


def network(tokens, is_training):
    places = hk.get_parameter("places", [LENGTH, WIDTH], init=hk.initializers.TruncatedNormal(0.1))
    x = hk.Embed(TOKENS, WIDTH)(tokens) + places
    for _ in range(2):
        x = Block()(x, is_training)
    counter = hk.get_state("counter", [], init=jnp.zeros)
    hk.set_state("counter", counter + 1)
    return hk.Linear(TOKENS)(x)


model = hk.transform_with_state(network)
optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(3e-3))


def loss(parameters, state, key, tokens):
    logits, state = model.apply(parameters, state, key, tokens, True)
    return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, ::-1]).mean(), state


@jax.jit
def train(parameters, state, moments, key, tokens):
    (value, state), gradient = jax.value_and_grad(loss, has_aux=True)(parameters, state, key, tokens)
    updates, moments = optimizer.update(gradient, moments, parameters)
    return optax.apply_updates(parameters, updates), state, moments, value


numbers = np.random.default_rng(0)
keys = hk.PRNGSequence(0)
parameters, state = model.init(next(keys), numbers.integers(0, TOKENS, (2, LENGTH)), True)
print("parameters", hk.data_structures.tree_size(parameters))
moments = optimizer.init(parameters)
for step in range(40):
    tokens = numbers.integers(0, TOKENS, (32, LENGTH))
    parameters, state, moments, value = train(parameters, state, moments, next(keys), tokens)
    if step % 10 == 9:
        print("step", step + 1, "loss", value)
logits, _ = model.apply(parameters, state, None, tokens, False)
print("mean logit", jnp.abs(logits).mean(), "counter", state["~"]["counter"])
