"""A language model of characters in Equinox, trained with Optax, saved, loaded, and asked to go on."""

import io

import equinox as eqx
import jax
import jax.numpy as jnp
import optax

TEXT = "the quick brown fox jumps over the lazy dog. " * 8
ALPHABET = sorted(set(TEXT))
CODES = jnp.array([ALPHABET.index(c) for c in TEXT])
LENGTH, WIDTH = 16, 32


class Block(eqx.Module):
    attention: eqx.nn.MultiheadAttention
    mixer: eqx.nn.MLP
    norms: list[eqx.nn.LayerNorm]
    dropout: eqx.nn.Dropout

    def __init__(self, key):
        first, second = jax.random.split(key)
        self.attention = eqx.nn.MultiheadAttention(4, WIDTH, key=first)
        self.mixer = eqx.nn.MLP(WIDTH, WIDTH, 2 * WIDTH, 1, jax.nn.gelu, key=second)
        self.norms = [eqx.nn.LayerNorm(WIDTH) for _ in range(2)]
        self.dropout = eqx.nn.Dropout(0.05)

    def __call__(self, x, key):
        y = jax.vmap(self.norms[0])(x)
        x = x + self.attention(y, y, y, mask=jnp.tril(jnp.ones((len(x), len(x)), bool)))
        return x + self.dropout(jax.vmap(self.mixer)(jax.vmap(self.norms[1])(x)), key=key)


class Model(eqx.Module):
    embedding: eqx.nn.Embedding
    places: jax.Array
    blocks: list[Block]
    head: eqx.nn.Linear

    def __init__(self, key):
        keys = jax.random.split(key, 5)
        self.embedding = eqx.nn.Embedding(len(ALPHABET), WIDTH, key=keys[0])
        self.places = 0.1 * jax.random.normal(keys[1], (LENGTH, WIDTH))
        self.blocks = [Block(key) for key in keys[2:4]]
        self.head = eqx.nn.Linear(WIDTH, len(ALPHABET), key=keys[4])

    def __call__(self, tokens, key):
        x = jax.vmap(self.embedding)(tokens) + self.places
        for block, one in zip(self.blocks, jax.random.split(key, 2)):
            x = block(x, one)
        return jax.vmap(self.head)(x)


@eqx.filter_value_and_grad
def loss(model, tokens, keys):
    logits = jax.vmap(model)(tokens[:, :-1], keys)
    return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()


optimizer = optax.adamw(optax.warmup_cosine_decay_schedule(0.0, 3e-3, 10, 60))


@eqx.filter_jit
def train(model, moments, key):
    places, keys = jax.random.split(key)
    starts = jax.random.randint(places, (16,), 0, len(CODES) - LENGTH - 1)
    tokens = CODES[starts[:, None] + jnp.arange(LENGTH + 1)]
    value, gradient = loss(model, tokens, jax.random.split(keys, 16))
    updates, moments = optimizer.update(gradient, moments, eqx.filter(model, eqx.is_array))
    return eqx.apply_updates(model, updates), moments, value


model = Model(jax.random.key(0))
moments = optimizer.init(eqx.filter(model, eqx.is_array))
for step in range(60):
    model, moments, value = train(model, moments, jax.random.fold_in(jax.random.key(1), step))
    if step % 15 == 14:
        print("step", step + 1, "loss", value)

file = io.BytesIO()
eqx.tree_serialise_leaves(file, model)
file.seek(0)
model = eqx.nn.inference_mode(eqx.tree_deserialise_leaves(file, Model(jax.random.key(2))))
tokens = CODES[:LENGTH]
for _ in range(12):
    logits = eqx.filter_jit(model)(tokens[-LENGTH:], jax.random.key(0))
    tokens = jnp.append(tokens, jnp.argmax(logits[-1]))
print(repr("".join(ALPHABET[i] for i in tokens)))
