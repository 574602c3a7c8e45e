"""Train one network on one device, on eight, and over two processes of four: the loss is the same.

The training step is written once. Where it runs is decided by where its operands are: the weights are copied to all
devices, each device has its part of every batch, and the compiler adds the sum of the gradients over the devices.

Run it with `python examples/data_parallel.py`. It starts itself once for each way and compares the losses. The
program itself is `init`, `loss` and `step`; `train` places the arrays.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
from functools import partial

import numpy as np

import adjoint
import adjoint.numpy as jnp
from adjoint import random
from adjoint.sharding import Mesh, NamedSharding
from adjoint.sharding import PartitionSpec as P

SIZES = (16, 64, 64, 4)
STEPS, BATCH, RATE = 60, 256, 0.2
SAME = 1e-4  # sums over devices are added in another order


# ---- the program

def init(key):
    """Weights and biases of a multi-layer perceptron."""
    keys = random.split(key, len(SIZES) - 1)
    return [
        dict(w=random.normal(k, (m, n)) * np.sqrt(2 / m), b=jnp.zeros(n))
        for k, m, n in zip(keys, SIZES[:-1], SIZES[1:])
    ]


def loss(params, x, labels):
    """The mean cross-entropy of a batch."""
    *hidden, last = params
    for layer in hidden:
        x = adjoint.nn.relu(x @ layer["w"] + layer["b"])
    scores = adjoint.nn.log_softmax(x @ last["w"] + last["b"])
    return -jnp.mean(jnp.sum(scores * adjoint.nn.one_hot(labels, SIZES[-1]), axis=1))


@partial(adjoint.jit, donate_argnums=0)
def step(params, x, labels):
    """One step of gradient descent, and the loss before it."""
    value, grads = adjoint.value_and_grad(loss)(params, x, labels)
    return adjoint.tree.map(lambda p, g: p - RATE * g, params, grads), value


# ---- where it runs

def batches():
    """The same batches in every process: points whose label is the quarter of a hidden plane they are in."""
    numbers = np.random.default_rng(0)
    plane = numbers.normal(size=(SIZES[0], 2))
    for _ in range(STEPS):
        x = numbers.normal(size=(BATCH, SIZES[0])).astype(np.float32)
        yield x, ((x @ plane > 0) @ [1, 2]).astype(np.int32)


def train() -> float:
    """Train on all devices of all processes; the last loss."""
    mesh = Mesh(np.array(adjoint.devices()), ("data",))
    everywhere, divided = NamedSharding(mesh, P()), NamedSharding(mesh, P("data"))
    params = adjoint.device_put(init(random.key(0)), everywhere)
    value = np.nan
    for x, labels in batches():
        mine = lambda a: adjoint.make_array_from_callback(a.shape, divided, lambda index: a[index])
        params, value = step(params, mine(x), mine(labels))
    return float(value)


# ---- one way, or all

def start(devices: int, processes: int) -> list[subprocess.Popen]:
    """This program, in so many processes with so many devices each."""
    with socket.socket() as free:
        free.bind(("", 0))
        port = free.getsockname()[1]
    env = {**os.environ, "XLA_FLAGS": f"--xla_force_host_platform_device_count={devices}"}
    command = [sys.executable, __file__, "--address", f"localhost:{port}", "--of", str(processes), "--process"]
    return [subprocess.Popen([*command, str(i)], env=env, stdout=subprocess.PIPE, text=True) for i in range(processes)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--address", help="host:port of the first process")
    parser.add_argument("--of", type=int, default=1, help="how many processes there are")
    parser.add_argument("--process", type=int, help="which one this is; without it, all ways are tried")
    options = parser.parse_args()
    if options.process is not None:
        if options.of > 1:
            adjoint.distributed.initialize(options.address, options.of, options.process)
        print(f"{train():.6f}")
        return 0
    losses = []
    for devices, processes in ((1, 1), (8, 1), (4, 2)):
        outputs = [p.communicate()[0] for p in start(devices, processes)]
        losses += [float(text.split()[-1]) for text in outputs]
        print(f"{processes} x {devices} devices: loss {' '.join(f'{v:.6f}' for v in losses[-processes:])}")
    if max(losses) - min(losses) > SAME:
        print("The losses differ.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
