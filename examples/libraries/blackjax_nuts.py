"""Logistic regression, with window adaptation and NUTS of BlackJAX; several chains side by side."""

import blackjax
import jax
import jax.numpy as jnp
from blackjax.diagnostics import effective_sample_size, potential_scale_reduction

jax.config.update("jax_enable_x64", True)  # draws of long chains do not depend on rounding

FEATURES = jax.random.normal(jax.random.key(0), (100, 3))
LABELS = jax.random.bernoulli(jax.random.key(1), jax.nn.sigmoid(FEATURES @ jnp.array([1.0, -2.0, 0.5])))


def log_density(position):
    logits = FEATURES @ position["weights"] + position["bias"]
    likelihood = jnp.where(LABELS, jax.nn.log_sigmoid(logits), jax.nn.log_sigmoid(-logits)).sum()
    return likelihood - 0.5 * (position["weights"] @ position["weights"] + position["bias"] ** 2)


start = {"weights": jnp.zeros(3), "bias": jnp.array(0.0)}
warmup = blackjax.window_adaptation(blackjax.nuts, log_density)
(state, parameters), _ = warmup.run(jax.random.key(2), start, num_steps=300)
print("step size", parameters["step_size"])
print("inverse mass", parameters["inverse_mass_matrix"])
kernel = blackjax.nuts(log_density, **parameters).step


def chain(key):
    def step(state, key):
        state, info = kernel(key, state)
        return state, (state.position, info.acceptance_rate, info.num_integration_steps)

    return jax.lax.scan(step, state, jax.random.split(key, 200))[1]


positions, rates, steps = jax.jit(jax.vmap(chain))(jax.random.split(jax.random.key(3), 4))
print("weights", positions["weights"].mean((0, 1)))
print("bias", positions["bias"].mean(), positions["bias"].std())
print("acceptance", rates.mean(), "steps", steps.sum())
print("R-hat", potential_scale_reduction(positions["weights"]))
print("effective sizes", effective_sample_size(positions["weights"]))
