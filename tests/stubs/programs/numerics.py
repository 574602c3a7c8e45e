"""Linear algebra, random numbers, statistics and devices; six mistakes, each in a line that says so."""

from __future__ import annotations

import adjoint as jax
import adjoint.numpy as jnp
import adjoint.scipy as jsp
from adjoint import random
from adjoint.sharding import Mesh, NamedSharding
from adjoint.sharding import PartitionSpec as P


def whitened(x: jax.Array) -> jax.Array:
    """Return the data with a covariance of one."""
    u, s, vh = jnp.linalg.svd(x - x.mean(axis=0, keepdims=True), full_matrices=False)
    return u * jnp.sqrt(s.size) @ vh


def log_density(x: jax.Array, mean: float = 0.0) -> jax.Array:
    """Return the logarithm of a density."""
    return jsp.stats.norm.logpdf(x, loc=mean).sum() - jsp.special.gammaln(x.size + 1.0)


def main() -> None:
    """Use what is above."""
    key = random.key(seed=1)
    x = random.uniform(key, (8, 3), minval=-1, maxval=1)
    values, vectors = jnp.linalg.eigh(x.T @ x)
    print(values[::-1].tolist(), vectors[:, 0], whitened(x).astype(jnp.float16).nbytes, log_density(x))
    mesh = Mesh(jax.devices(), ("data",))
    x = jax.device_put(x, NamedSharding(mesh, P("data")))
    print(x.sharding, x.addressable_shards[0].data, x.devices(), jax.local_device_count() + 1)
    with jax.default_matmul_precision("float32"), jax.enable_x64(True):
        jax.config.update("jax_debug_nans", False)
    lowered = jax.jit(whitened).lower(x)
    print(lowered.compile().cost_analysis(), jax.make_jaxpr(whitened)(x).jaxpr, jax.eval_shape(whitened, x))
    print(jnp.where(x > 0, x, 0.0)[0], jnp.where(x > 0)[0].size, jnp.concatenate([x, x]), jnp.finfo(jnp.float32).eps)
    random.normal((3,), key, shape=3)  # error: the shape twice
    random.uniform(key, "3")  # error: a shape is no text
    jnp.zeros(3, dtype=3)  # error: a dtype is no number
    jnp.linalg.svdd(x)  # error: there is no such function
    jsp.stats.norm.logpdf(x, location=0.0)  # error: the argument is called loc
    jax.jit(whitened).lower(x, x)  # error: an argument too many
