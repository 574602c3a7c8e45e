"""Train a classifier on scikit-learn's handwritten digits, and look at what it finds hard.

The data are 1,797 real pictures of 8 by 8 pixels, one fifth of them held out. The network is a
multi-layer perceptron; `random` draws its weights, the order of the examples, noise on the pixels
and dropout, `value_and_grad` gives the gradients, `jit` compiles the training step, and `vmap` of
`grad` gives the gradient of every single example: the largest belong to the digits that a person
would hesitate over, too.

Run it with `make demo`, or `python examples/digits.py --out FOLDER`. It writes `loss.png` and
`confusion.png`. The program itself is `init`, `logits`, `loss` and `step`; the rest is reporting.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

import adjoint
import adjoint.numpy as jnp
from adjoint import random

try:
    import matplotlib
    from matplotlib.figure import Figure
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
    from sklearn.datasets import load_digits
except ImportError as error:
    sys.exit(f"examples/digits.py needs {error.name}. Install it with: pip install 'adjoint[demo]'")

SIZES = (64, 128, 64, 10)
EPOCHS, BATCH = 30, 64
RATE, DECAY = 3e-3, 1e-4
DROP, NOISE = 0.15, 0.15
MUST_REACH = 0.97


# ---- the program

def init(key):
    """Weights of He's variance and zero biases: a list of `{"w": [m, n], "b": [n]}`."""
    keys = random.split(key, len(SIZES) - 1)
    return [
        dict(w=random.normal(k, (m, n)) * jnp.sqrt(2 / m), b=jnp.zeros(n))
        for k, m, n in zip(keys, SIZES[:-1], SIZES[1:])
    ]


def logits(params, x, key=None):
    """Scores `[..., 10]` of the pictures `x`; with a key, hidden units are dropped at random."""
    *hidden, last = params
    for i, layer in enumerate(hidden):
        x = adjoint.nn.relu(x @ layer["w"] + layer["b"])
        if key is not None:
            keep = random.bernoulli(random.fold_in(key, i), 1 - DROP, x.shape)
            x = jnp.where(keep, x / (1 - DROP), 0)
    return x @ last["w"] + last["b"]


def loss(params, x, y, key=None):
    """Mean cross-entropy of the pictures `x` with the digits `y`."""
    scores = adjoint.nn.log_softmax(logits(params, x, key))
    return -jnp.take_along_axis(scores, y[..., None], axis=-1).mean()


@adjoint.jit
def step(state, x, y, key):
    """One step of Adam with decoupled weight decay; returns the new state and the loss."""
    params, first, second, count = state
    noise, drop = random.split(key)
    x = x + NOISE * random.normal(noise, x.shape)
    value, grads = adjoint.value_and_grad(loss)(params, x, y, drop)
    count = count + 1
    rate = RATE * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
    first = adjoint.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, grads)
    second = adjoint.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, grads)
    params = adjoint.tree.map(
        lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8) - DECAY * p, params, first, second
    )
    return (params, first, second, count), value


@adjoint.jit
def gradient_norms(params, x, y):
    """The length of the loss's gradient for each example alone, `[n]`."""

    def norm(x, y):
        grads = adjoint.grad(loss)(params, x, y)
        return jnp.sqrt(sum(jnp.sum(g * g) for g in adjoint.tree.leaves(grads)))

    return adjoint.vmap(norm)(x, y)


# ---- the data and the run

def split_digits(key):
    """Pixels with mean 0 and variance 1 and their digits, four fifths for training.

    Returns `(x, y), (x_test, y_test)`, and the test pictures as they were, `[360, 8, 8]`.
    """
    digits = load_digits()
    order = np.asarray(random.permutation(key, len(digits.target)))
    x, y = digits.data[order].astype(np.float32), digits.target[order].astype(np.int32)
    cut = len(y) * 4 // 5
    mean, scale = x[:cut].mean(0), x[:cut].std(0) + 1.0     # a pixel that is never inked stays 0
    x = (x - mean) / scale
    return (x[:cut], y[:cut]), (x[cut:], y[cut:]), digits.images[order[cut:]]


def train(console, state, x, y, key):
    """All epochs; returns the last state and the loss of every step."""
    x, y = jnp.asarray(x), jnp.asarray(y)
    losses, steps = [], len(y) // BATCH
    bar = Progress(
        TextColumn("epoch {task.completed:>2}/{task.total}"),
        BarColumn(None),
        TextColumn("loss {task.fields[loss]:.3f}"),
        TimeElapsedColumn(),
        console=console,
        expand=True,
    )
    with bar:
        task = bar.add_task("", total=EPOCHS, loss=float("nan"))
        for epoch in random.split(key, EPOCHS):
            shuffle, noise = random.split(epoch)
            order = random.permutation(shuffle, len(y))[: steps * BATCH].reshape(steps, BATCH)
            for batch, k in zip(order, random.split(noise, steps)):
                state, value = step(state, x[batch], y[batch], k)
                losses.append(float(value))
            bar.update(task, advance=1, loss=np.mean(losses[-steps:]))
    return state, np.array(losses)


def stage_times(args, engine):
    """What an engine makes of the step: equations, seconds to trace, compile and run it, and the compiled program."""
    before = adjoint.config.cpu_engine
    adjoint.config.update("cpu_engine", engine)

    def seconds(f):
        start = time.perf_counter()
        out = adjoint.block_until_ready(f())
        return time.perf_counter() - start, out

    trace, lowered = seconds(lambda: step.lower(*args))
    compile_, compiled = seconds(lowered.compile)
    step(*args)
    warm = min(seconds(lambda: step(*args))[0] for _ in range(30))
    adjoint.config.update("cpu_engine", before)
    return count_equations(step.trace(*args).jaxpr.jaxpr), trace, compile_, warm, compiled


def count_equations(jaxpr):
    """How many equations a jaxpr has, those of the jaxprs inside its equations included."""
    total = 0
    for eqn in jaxpr.eqns:
        total += 1
        for value in eqn.params.values():
            for inner in value if isinstance(value, (tuple, list)) else (value,):
                inner = getattr(inner, "jaxpr", inner)
                total += count_equations(inner) if hasattr(inner, "eqns") else 0
    return total


# ---- the pictures

INK, ACCENT, PALE = "#22313f", "#c0392b", "#b8c4ce"


def draw_loss(path, losses):
    """The loss of each step, and its running mean over one epoch."""
    window = len(losses) // EPOCHS
    mean = np.convolve(losses, np.ones(window) / window, mode="valid")
    epochs = np.arange(1, len(losses) + 1) / window
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    axes.semilogy(epochs, losses, color=PALE, linewidth=0.8, label="each step")
    axes.semilogy(epochs[window - 1 :], mean, color=ACCENT, linewidth=2, label="mean of an epoch")
    axes.set(xlabel="epoch", ylabel="cross-entropy", title="Training loss", xlim=(0, EPOCHS))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)


def draw_confusion(path, pictures, y, guess, norms, accuracy):
    """The confusion matrix beside the twelve test digits with the largest gradients."""
    counts = np.zeros((10, 10), int)
    np.add.at(counts, (y, guess), 1)
    figure = Figure(figsize=(11, 5.5), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(1.1, 1))

    axes = left.subplots()
    axes.imshow(np.log1p(counts), cmap="Blues")
    for (i, j), n in np.ndenumerate(counts):
        if n:
            color = "white" if n > 8 else INK if i == j else ACCENT
            axes.text(j, i, str(n), ha="center", va="center", color=color)
    axes.set(xticks=range(10), yticks=range(10), xlabel="the network says", ylabel="it is a")
    axes.set_title(f"{len(y)} digits it has never seen: {accuracy:.1%} right")
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)

    right.suptitle("The largest gradients")
    for axes, i in zip(right.subplots(3, 4).flat, np.argsort(-norms)):
        axes.imshow(pictures[i], cmap="gray_r")
        axes.set_title(f"{y[i]}, says {guess[i]}", color=INK if y[i] == guess[i] else ACCENT)
        axes.set(xticks=[], yticks=[])
        axes.spines[:].set_color(PALE)
    figure.savefig(path, dpi=150)


def main():
    """Train, test, draw; exit with an error when the test accuracy is too low."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("demo"), help="folder for the pictures")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    matplotlib.rcParams.update({"text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": INK})
    console = Console(highlight=False, soft_wrap=True)

    data_key, init_key, time_key, train_key = random.split(random.key(0), 4)
    (x, y), (x_test, y_test), pictures = split_digits(data_key)
    params = init(init_key)
    zeros = adjoint.tree.map(jnp.zeros_like, params)
    state = (params, zeros, zeros, jnp.zeros((), jnp.int32))
    weights = sum(p.size for p in adjoint.tree.leaves(params))
    console.print(f"adjoint {adjoint.__version__}, {adjoint.devices()[0]}")
    console.print(f"{len(y)} digits to learn, {len(y_test)} to test; {weights:,} weights")

    args = (state, jnp.asarray(x[:BATCH]), jnp.asarray(y[:BATCH]), time_key)
    on_cpu = adjoint.default_backend() == "cpu"
    for engine in ("numpy", "native") if on_cpu else ("xla",):
        equations, trace, compile_, warm, compiled = stage_times(args, engine)
        console.print(
            f"training step on the {engine} engine: {equations} equations traced in {trace * 1e3:.1f} ms, "
            f"compiled in {compile_ * 1e3:.1f} ms, each step {warm * 1e3:.2f} ms"
        )
    console.print("what was compiled: " + compiled.as_text().rstrip().splitlines()[-1 if on_cpu else 0])

    (params, *_), losses = train(console, state, x, y, train_key)
    guess = np.asarray(logits(params, x_test).argmax(-1))
    accuracy = float((guess == y_test).mean())
    norms = np.asarray(gradient_norms(params, x_test, y_test))
    hardest = np.argsort(-norms)[:5]

    console.print(f"test accuracy {accuracy:.4f}, {int((guess != y_test).sum())} wrong")
    console.print(f"largest gradients (vmap of grad; the median is {np.median(norms):.4f}):")
    for i in hardest:
        said = "rightly" if guess[i] == y_test[i] else "wrongly"
        console.print(f"  {norms[i]:8.3f}  a {y_test[i]}, {said} called {guess[i]}")
    draw_loss(out / "loss.png", losses)
    draw_confusion(out / "confusion.png", pictures, y_test, guess, norms, accuracy)
    console.print(f"wrote {out / 'loss.png'} and {out / 'confusion.png'}")
    if accuracy < MUST_REACH:
        sys.exit(f"test accuracy {accuracy:.4f} is below {MUST_REACH}: something is wrong")


if __name__ == "__main__":
    main()
