"""Arrays of one's own with Quax: LoRA on a network of Equinox, and a diagonal matrix that no product makes dense."""

import equinox as eqx
import jax
import jax.numpy as jnp
import quax
from quax.examples import lora, zero

model = eqx.nn.MLP(4, 2, 8, depth=2, key=jax.random.key(0))
adapted = lora.loraify(model, rank=2, scale=0.5, key=jax.random.key(1))
x, y = jax.random.normal(jax.random.key(2), (16, 4)), jax.random.normal(jax.random.key(3), (16, 2))


def loss(model, x, y):
    return jnp.mean((jax.vmap(quax.quaxify(model))(x) - y) ** 2)


print("loss", loss(model, x, y), loss(adapted, x, y))
for _ in range(5):
    value, gradient = eqx.filter_jit(eqx.filter_value_and_grad(loss))(adapted, x, y)
    adapted = eqx.apply_updates(adapted, jax.tree.map(lambda g: -0.1 * g, gradient))
print("after five steps", value)
print("first weight, adapted", adapted.layers[0].weight._w[:2])


class Diagonal(quax.ArrayValue):
    values: jax.Array

    def aval(self):
        return jax.core.ShapedArray((len(self.values),) * 2, self.values.dtype)

    def materialise(self):
        raise ValueError("this would be a dense matrix")


@quax.register(jax.lax.dot_general_p)
def _(left: Diagonal, right: jax.Array, *, dimension_numbers, **options):
    ((axis,), (other,)), ((), ()) = dimension_numbers
    assert axis == 1 and other == 0
    return (left.values * right.T).T


@quax.register(jax.lax.mul_p)
def _(left: Diagonal, right: Diagonal, *, out_dtype):
    assert out_dtype is None
    return Diagonal(left.values * right.values)


product = quax.quaxify(lambda a, b, v: (a * b) @ v)
a, b = Diagonal(jnp.arange(1.0, 4.0)), Diagonal(jnp.array([2.0, 0.5, 1.0]))
print("diagonal", product(a, b, jnp.ones((3, 2))))
print("compiled", jax.jit(product)(a, b, jnp.ones(3)))
nothing = zero.Zero((3, 3), jnp.dtype("float32"))
kept = quax.quaxify(jnp.multiply)(nothing, 2.0)
print("zero", quax.quaxify(jnp.add)(nothing, jnp.ones((3, 3)))[0], type(kept).__name__)
