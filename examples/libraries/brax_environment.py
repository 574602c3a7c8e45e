"""An environment of Brax: a batch of inverted pendulums, a linear policy, and the gradient of what it earns."""

import jax
import jax.numpy as jnp
from brax import envs

environment = envs.create("inverted_pendulum", backend="generalized", episode_length=100, auto_reset=False)
print("sizes", environment.observation_size, environment.action_size)
reset, step = jax.jit(jax.vmap(environment.reset)), jax.jit(jax.vmap(environment.step))
state = reset(jax.random.split(jax.random.key(0), 4))
print("observations", state.obs)
for i in range(10):
    state = step(state, 0.1 * jnp.ones((4, 1)) * (-1) ** i)
print("after 10 steps", state.obs)
print("reward", state.reward, "done", state.done)


def distance(policy, key):
    def turn(state, _):
        state = environment.step(state, jnp.tanh(policy @ state.obs)[None])
        return state, state.obs[1] ** 2

    return jax.lax.scan(turn, environment.reset(key), None, length=15)[1].mean()


value, gradient = jax.jit(jax.value_and_grad(distance))(jnp.array([0.1, 0.5, 0.1, 0.2]), jax.random.key(1))
print("angle", value, "gradient", gradient)
