"""Patches of images with einops, in programs that are compiled, mapped and differentiated."""

import jax
import jax.numpy as jnp
from einops import einsum, pack, rearrange, reduce, repeat, unpack

images = jax.random.normal(jax.random.key(0), (4, 3, 16, 16))
weights = jax.random.normal(jax.random.key(1), (48, 24)) / 7


@jax.jit
def embed(images, weights):
    patches = rearrange(images, "b c (h p) (w q) -> b (h w) (p q c)", p=4, q=4)
    tokens = einsum(patches, weights, "b n i, i o -> b n o")
    heads = rearrange(tokens, "b n (k h d) -> k b h n d", k=3, h=2)
    queries, keys, values = heads
    scores = jax.nn.softmax(einsum(queries, keys, "b h q d, b h k d -> b h q k") / 2, -1)
    mixed = rearrange(einsum(scores, values, "b h q k, b h k d -> b h q d"), "b h n d -> b n (h d)")
    first = repeat(jnp.ones(8), "d -> b d", b=len(images))
    joined, shapes = pack([first, mixed], "b * d")
    return reduce(joined, "b n d -> b d", "mean"), unpack(joined, shapes, "b * d")[1]


pooled, mixed = embed(images, weights)
print("pooled", pooled)
print("largest", reduce(mixed, "b n d -> d", "max"))
print("small", reduce(images, "b c (h 8) (w 8) -> b c h w", "mean")[0])
gradient = jax.grad(lambda w: (embed(images, w)[0] ** 2).sum())(weights)
print("gradient", reduce(gradient, "(p c) (k d) -> c k", "sum", c=3, k=3))
print("mapped", jax.vmap(lambda image: reduce(image, "c h w -> c", "mean"))(images))
