"""One of several processes of a test: `python -m parallel.member task index count port` in `tests`.

A task is a function here, or several with commas between; what each returns is printed as JSON, in the last line.
"""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from pathlib import Path

import numpy as np

import adjoint
from adjoint import distributed, lax
from adjoint import numpy as jnp
from adjoint.experimental import multihost_utils as hosts
from adjoint.experimental.array_serialization import serialization

P = adjoint.P
x = np.arange(16.0, dtype=np.float32).reshape(8, 2)


def over_all():
    mesh = adjoint.sharding.Mesh(np.array(adjoint.devices()), ("i",))
    return mesh, partial(adjoint.NamedSharding, mesh)


def raised(f) -> str:
    try:
        return f"returned {f()}"
    except Exception as error:
        return f"{type(error).__name__}: {error}".split("\n", 1)[0]


def facts(index):
    """What a process is told of itself and the others."""
    return [
        adjoint.process_index(), adjoint.process_count(), adjoint.device_count(), adjoint.local_device_count(),
        [d.process_index for d in adjoint.devices()], [d.process_index for d in adjoint.local_devices()],
        [d.process_index for d in adjoint.local_devices(process_index=1 - index)], distributed.is_initialized(),
        next(iter(jnp.ones(2).devices())) in adjoint.local_devices(), float(adjoint.jit(jnp.sum)(jnp.ones(3))),
        raised(distributed.initialize),
    ]


def computations(index):
    """Programs over the devices of all; every process returns the same."""
    mesh, ns = over_all()
    a = adjoint.device_put(x, ns(P("i")))
    twice, total = adjoint.jit(lambda v: (v * 2, v.sum()))(a)
    mapped = adjoint.shard_map(lambda v: lax.psum(v * lax.axis_index("i"), "i"), mesh=mesh, in_specs=P("i"),
                               out_specs=P())
    slope = adjoint.jit(adjoint.grad(lambda w, v: jnp.tanh(v @ w).sum()))(jnp.ones(2), a / 16)
    host = hosts.host_local_array_to_global_array(x[:4] + index, mesh, P("i"))
    called = []
    made = adjoint.make_array_from_callback((8, 2), ns(P("i")), lambda i: called.append(i) or x[i])
    return [
        hosts.process_allgather(twice, tiled=True).tolist(), float(total), (twice + 1).sharding.spec == P("i"),
        float((twice + 1).sum()), mapped(a).tolist(), slope.tolist(),
        hosts.process_allgather(host, tiled=True).tolist(),
        hosts.global_array_to_host_local_array(host, mesh, P("i")).shape, len(called),
        hosts.process_allgather(adjoint.device_put(made, ns(P(None, None))), tiled=True).tolist(),
        adjoint.make_array_from_process_local_data(ns(P("i")), x[:4]).shape,
        repr(twice), len(twice.addressable_shards), len(twice.global_shards), twice.is_fully_addressable,
        raised(lambda: np.asarray(twice)), [s.data.shape for s in twice.addressable_shards],
    ]


def messages(index):
    """What the processes say to each other."""
    hosts.sync_global_devices("here")
    hosts.assert_equal({"a": x})
    return [
        hosts.process_allgather(np.arange(2) + index).tolist(),
        hosts.process_allgather(np.arange(2) + index, tiled=True).tolist(),
        hosts.broadcast_one_to_all({"a": np.float32(index), "b": np.array([index > 0])})["b"].tolist(),
        int(hosts.broadcast_one_to_all(np.int64(index + 5), is_source=index == 1)),
        raised(lambda: hosts.assert_equal(np.int32(0 if index == 0 else 7), "numbers differ.")).split(":")[0],
    ]


def together(index):
    """What functions over all devices give, and what Python is called with."""
    mesh, ns = over_all()
    heard, parts = [], []
    a = adjoint.make_array_from_process_local_data(ns(P("i")), x[2 * index : 2 * index + 2])
    adjoint.jit(lambda v: adjoint.debug.callback(lambda u: heard.append(np.asarray(u).tolist()), v.sum()[None]))(a)
    adjoint.jit(lambda v: adjoint.debug.callback(
        lambda u: parts.append(np.asarray(u)[0].tolist()), v, partitioned=True))(a)
    adjoint.effects_barrier()
    doubled = adjoint.jit(lambda v: adjoint.pure_callback(
        lambda u: np.asarray(u) * 2, adjoint.ShapeDtypeStruct(v.shape, v.dtype), v))(a)
    i3 = np.arange(6.0, dtype=np.float32).reshape(2, 3) + index
    sums = adjoint.pmap(lambda v: lax.psum(v, "i"), axis_name="i")(i3)
    places = adjoint.pmap(lambda v: lax.axis_index("i") * 24.0, axis_name="i")(i3)
    gather = adjoint.pmap(lambda v: lax.all_gather(v, "i", tiled=True), axis_name="i")
    gathered = gather(np.arange(2)[:, None] + 10 * index)
    tree = adjoint.make_array_from_process_local_data(
        {"a": ns(P("i")), "b": ns(P())}, {"a": np.ones((4, 2)), "b": np.ones((4, 4))})
    wholes = [hosts.process_allgather(np.array([index, index]), tiled=True).tolist(),
              hosts.process_allgather(index).tolist()]
    kinds = [raised(f).split(":")[0] for f in (
        lambda: hosts.process_allgather(a), lambda: adjoint.pmap(jnp.sin)(np.ones(3, np.float32)),
        lambda: hosts.assert_equal(np.int32(index)))]
    same = hosts.process_allgather(doubled, tiled=True).tolist() == (x * 2).tolist()
    shapes = [list(tree["a"].shape), list(tree["b"].shape)]
    return [[adjoint.device_count(), adjoint.local_device_count()], [sums.tolist(), places.tolist()],
            gathered.tolist(), [heard, same], sorted(parts), shapes, wholes, kinds]


def steps(index):
    """Four steps, each written by the devices that have the parts; the last process dies after the second."""
    _, ns = over_all()
    path, sharding = Path(os.environ["FOLDER"]), ns(P("i"))
    done = max([int(f.name.split(".")[0]) for f in path.glob(f"*.{index}.npy")], default=0)
    done = int(np.min(hosts.process_allgather(done)))
    mine = np.load(path / f"{done}.{index}.npy") if done else x[2 * index : 2 * index + 2]
    a = adjoint.make_array_from_process_local_data(sharding, mine)
    for step in range(done + 1, 5):
        a = adjoint.jit(lambda v: v * 2)(a)
        np.save(path / f"{step}.{index}.npy", np.concatenate([np.asarray(s.data) for s in a.addressable_shards]))
        hosts.sync_global_devices(f"step {step}")
        if step == 2 and not done:
            if index == 3:
                os._exit(3)
            hosts.sync_global_devices("never")
    return [done, float(a.sum())]


def checkpoints(index):
    """The same with TensorStore: the devices of all write one array, which more or fewer of them read."""
    _, ns = over_all()
    folder, count = Path(os.environ["FOLDER"]), adjoint.process_count()
    manager, shardings = serialization.GlobalAsyncCheckpointManager(), [ns(P("i")), ns(P())]
    done = max([int(f.suffix[1:]) for f in folder.glob("written.*")], default=0)
    hosts.sync_global_devices("all have looked")
    a = adjoint.make_array_from_callback((8, 2), shardings[0], lambda i: x[i])
    w = adjoint.device_put(np.ones(3, np.float32), shardings[1])
    if done:
        a, w = manager.deserialize_with_paths(shardings, [str(folder / f"{done}.{n}") for n in "aw"])
    for step in range(done + 1, 5):
        a, w = adjoint.jit(lambda a, w: (a * 2, w + a.sum()), out_shardings=tuple(shardings))(a, w)
        paths = [str(folder / f"{step}.{n}") for n in "aw"]
        manager.serialize_with_paths([a, w], paths, on_commit_callback=lambda: None)
        manager.wait_until_finished()
        hosts.sync_global_devices(f"step {step}")
        if index == 0:
            (folder / f"written.{step}").touch()
        hosts.sync_global_devices(f"step {step} is marked")
        if step == 2 and not done:
            if index == count - 1:
                os._exit(3)
            hosts.sync_global_devices("never")
    return [done, float(a.sum()), np.asarray(w).tolist(), len(a.addressable_shards)]


def death(index):
    """The last process ends without a word; the others wait for it in a computation."""
    if index == 1:
        os._exit(3)
    hosts.sync_global_devices("never")


def death_of_the_first(index):
    """The process with the service ends without a word."""
    hosts.sync_global_devices("begin")
    if index == 0:
        os._exit(3)
    hosts.sync_global_devices("never")


def main(task: str, index: int, count: int, port: int) -> None:
    sys.modules["jax"] = None       # jaxlib imports it if it can, which takes as long as a task
    adjoint.config.update("jax_num_cpu_devices", 2)
    distributed.initialize(f"localhost:{port}", count, index, initialization_timeout=60, heartbeat_timeout_seconds=10)
    hosts.sync_global_devices("start")
    found = {name: globals()[name](index) for name in task.split(",")}
    distributed.shutdown()
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
