"""k-means of 20,000 points, and their principal components."""

import jax
import jax.numpy as jnp
from jax import random

centres = random.normal(random.key(0), (8, 16)) * 3
points = centres[random.randint(random.key(1), (20_000,), 0, 8)] + random.normal(random.key(2), (20_000, 16))


@jax.jit
def improve(means):
    nearest = jnp.argmin(((points[:, None] - means) ** 2).sum(-1), axis=1)
    sums = jax.ops.segment_sum(points, nearest, 8)
    return sums / jnp.maximum(jnp.bincount(nearest, length=8), 1)[:, None]


means = points[:8]
for _ in range(20):
    means = improve(means)
_, s, _ = jnp.linalg.svd(points - points.mean(0), full_matrices=False)
print(jnp.sort(jnp.linalg.norm(means, axis=1)).round(1), s[:3].round(0))
