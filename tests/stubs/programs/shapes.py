"""Rules of derivatives, and annotations of shapes by jaxtyping; five mistakes, each in a line that says so."""

from __future__ import annotations

from jaxtyping import Float, Int

import adjoint as jax
import adjoint.numpy as jnp
from adjoint import Array


@jax.custom_vjp
def clipped(x: Float[Array, "n"], limit: float = 1.0) -> Float[Array, "n"]:
    """Return x, whose gradient is clipped."""
    return x


def forward(x: Array, limit: float = 1.0) -> tuple[Array, float]:
    """Return the value, and what the rule needs."""
    return x, limit


def backward(limit: float, g: Array) -> tuple[Array, None]:
    """Return the cotangents."""
    return jnp.clip(g, -limit, limit), None


clipped.defvjp(forward, backward)


@jax.custom_jvp
def root(x: Array) -> Array:
    """Return the square root."""
    return jnp.sqrt(x)


@root.defjvp
def root_jvp(primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
    """Return a value and its tangent."""
    z = root(primals[0])
    return z, tangents[0] / (2 * z)


@jax.jit
def attention(
    q: Float[Array, "t d"], k: Float[Array, "t d"], v: Float[Array, "t d"], mask: Int[Array, "t t"] | None = None
) -> Float[Array, "t d"]:
    """Return what is attended to."""
    scores = q @ k.T / jnp.sqrt(q.shape[-1])
    if mask is not None:
        scores = jnp.where(mask > 0, scores, -jnp.inf)
    return jax.nn.softmax(scores, axis=-1) @ v


def main(key: Array) -> None:
    """Use what is above."""
    x = jax.random.normal(key, (5, 4))
    out, pullback = jax.vjp(attention, x, x, x)
    tangent_out, tangent = jax.jvp(root, (x,), (x,))
    checkpointed = jax.checkpoint(attention)
    print(pullback(out)[0], tangent_out.shape, tangent.sum(), checkpointed(x, x, x).shape, clipped(x[0], 2.0))
    attention(x, x)  # error: v is missing
    attention(x, x, "v")  # error: no text
    clipped(x, limits=1.0)  # error: the argument is called limit
    clipped.defvpj(forward, backward)  # error: two letters are exchanged
    out.at[0].sett(1.0)  # error: it is called set
