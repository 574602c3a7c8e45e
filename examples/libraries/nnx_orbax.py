"""Training with Flax NNX and Optax, with dropout and batch normalization, through a checkpoint of Orbax."""

import tempfile
from pathlib import Path

import jax
import jax.numpy as jnp
import optax
import orbax.checkpoint as ocp
from flax import nnx


class Classifier(nnx.Module):
    def __init__(self, features, classes, rngs):
        self.first = nnx.Linear(features, 32, rngs=rngs)
        self.norm = nnx.BatchNorm(32, rngs=rngs)
        self.dropout = nnx.Dropout(0.1, rngs=rngs)
        self.last = nnx.Linear(32, classes, rngs=rngs)

    def __call__(self, x):
        return self.last(self.dropout(nnx.relu(self.norm(self.first(x)))))


def loss(model, x, y):
    return optax.softmax_cross_entropy_with_integer_labels(model(x), y).mean()


@nnx.jit
def train(model, optimizer, x, y):
    value, gradients = nnx.value_and_grad(loss)(model, x, y)
    optimizer.update(model, gradients)
    return value


def data(step):
    x = jax.random.normal(jax.random.fold_in(jax.random.key(7), step), (64, 8))
    return x, jnp.argmax(x[:, :4] + x[:, 4:], 1)


model = Classifier(8, 4, nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.adam(optax.cosine_decay_schedule(1e-2, 60)), wrt=nnx.Param)
for step in range(30):
    value = train(model, optimizer, *data(step))
print("loss after 30 steps", value)

with tempfile.TemporaryDirectory() as folder:
    checkpointer = ocp.StandardCheckpointer()
    state = {
        "model": nnx.to_pure_dict(nnx.state(model, nnx.Any(nnx.Param, nnx.BatchStat))),
        "optimizer": nnx.to_pure_dict(nnx.state(optimizer)),
    }
    checkpointer.save(Path(folder) / "30", state)
    checkpointer.wait_until_finished()
    restored = checkpointer.restore(Path(folder) / "30", state)
same = jax.tree.map(lambda a, b: bool(jnp.array_equal(a, b)), state, restored)
print("restored arrays", len(jax.tree.leaves(same)), "equal", all(jax.tree.leaves(same)))

again = Classifier(8, 4, nnx.Rngs(1))
weights = nnx.state(again, nnx.Any(nnx.Param, nnx.BatchStat))
nnx.replace_by_pure_dict(weights, restored["model"])
nnx.update(again, weights)
for network in (model, again):
    network.eval()
    x, y = data(1000)
    print("accuracy", jnp.mean(jnp.argmax(network(x), 1) == y), "loss", loss(network, x, y))
model.train()
for step in range(30, 60):
    value = train(model, optimizer, *data(step))
print("loss after 60 steps", value)
