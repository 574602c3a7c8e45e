"""Where operations run and results are: single operations, devices and memories, as in JAX on 8 virtual devices."""

from __future__ import annotations

import numpy as np

import adjoint

from .beside import differences

x = np.arange(32.0, dtype=np.float32).reshape(8, 4)
ONE = adjoint.devices()[0]


def case(f):
    def run(lib):
        grid = np.array(lib.devices()).reshape(4, 2)
        P, mesh = lib.sharding.PartitionSpec, lib.sharding.Mesh(grid, ("x", "y"))
        put = lambda *spec: lib.device_put(x, lib.sharding.NamedSharding(mesh, P(*spec)))
        return f(lib, lib.numpy, mesh, put, lib.devices())

    return run


def sharding(lib, device, kind=None):
    return lib.sharding.SingleDeviceSharding(device, memory_kind=kind)


def found_by(lib, f, *args):
    """What inspect_array_sharding says of a value in a program."""
    found = []
    lib.jit(lambda *args: (lib.debug.inspect_array_sharding(f(*args), callback=found.append), args[0])[1])(*args)
    return [str(s) for s in found]


CASES = {
    "operations one by one": case(lambda lib, jnp, mesh, put, d: [
        put("x", "y") + 1, put("x", "y") + put("x"), put("x") + put(None, "y"), put("x") @ put("x").T,
        put("x", "y").sum(0),
        put("x", "y").T, put("x").reshape(-1, 2), put("x")[2:4], jnp.concatenate([put("x"), put("x")]), put() * 2,
        jnp.stack([put("x"), put("x")]), jnp.where(put("x") > 3, put("x"), 0), jnp.roll(put("x"), 1, 0),
        jnp.split(put("x"), 2, axis=1), jnp.argmax(put("x"), 0), lib.device_put(x, d[3]) + 1,
        jnp.abs(lib.device_put(x, d[3])),
    ]),
    "like": case(lambda lib, jnp, mesh, put, d: [
        jnp.zeros_like(put("x", "y")), jnp.ones_like(lib.device_put(x, d[3])), jnp.full_like(put("x"), 3.0),
        jnp.empty_like(put("x")), lib.lax.full_like(put("x"), 2.0), jnp.zeros_like(put("x"), shape=(3,)),
        jnp.zeros_like(put("x"), dtype=int), jnp.zeros_like(put("x"), device=d[2]), list(put("x"))[1], list(put())[1],
    ]),
    "disagreement": case(lambda lib, jnp, mesh, put, d: [
        lambda: put("x") + lib.device_put(x, lib.sharding.NamedSharding(
            lib.sharding.Mesh(np.array(d)[::-1].reshape(4, 2), ("x", "y")), lib.P("x"))),
        lambda: lib.jit(lambda a, b: a + b, in_shardings=(sharding(lib, d[2]), sharding(lib, d[1])))(x, x),
        lambda: lib.jit(lambda a: a, in_shardings=d[0])(x), lambda: lib.jit(lambda a: a, out_shardings="x")(x),
        lambda: lib.jit(lambda a: a, in_shardings=sharding(lib, d[2]), out_shardings=sharding(lib, d[1]))(x),
    ]),
    "jit on a device": case(lambda lib, jnp, mesh, put, d: [
        lib.jit(lambda a: a + 1, device=d[4])(x), lib.jit(lambda a: a + 1, device=d[4])(lib.device_put(x, d[3])),
        lib.jit(lambda a: a + 1, device=d[4])(put("x")), lib.jit(lambda a: a + 1, backend="cpu")(put("x")),
        lib.jit(lambda a: lib.jit(lambda b: b * 2, device=d[2])(a) + 1)(x), lambda: lib.jit(abs, backend="foo")(x),
        lambda: lib.jit(lambda a: a, device=d[0], backend="cpu"),
        lambda: lib.jit(lambda a: a, device=d[0], in_shardings=sharding(lib, d[0])),
        lib.jit(lambda a: a + 1, in_shardings=sharding(lib, d[2]))(x),
        lib.jit(lambda a: a + 1, in_shardings=sharding(lib, d[2]))(lib.device_put(x, d[3])),
        lib.jit(lambda a: a + 1, out_shardings=sharding(lib, d[2]))(x),
    ]),
    "device_put in programs": case(lambda lib, jnp, mesh, put, d: [
        lib.jit(lambda a: lib.device_put(a * 2, d[1]))(x),
        lib.jit(lambda a: lib.device_put(a * 2, sharding(lib, d[1])))(x),
        lib.make_jaxpr(lambda a: lib.device_put((a, a), d[2], src=d[1], donate=True))(x),
        lib.make_jaxpr(lambda a: lib.device_put(a, may_alias=False))(x),
        lib.make_jaxpr(lib.grad(lambda a: lib.device_put(a * a, d[2]).sum()))(x),
        lib.vmap(lambda a: lib.device_put(a * a, d[2]))(x),
        lib.jit(lambda a: lib.device_put(a, lib.sharding.NamedSharding(mesh, lib.P("x"))))(put("x")),
    ]),
    "memories": case(lambda lib, jnp, mesh, put, d: [
        repr(d[2].addressable_memories()), repr(d[0].default_memory()), str(d[0].memory("pinned_host")), d[0].task_id,
        [m.kind for m in d[0].addressable_memories()], repr(list(lib.memory.Space)),
        lib.typeof(lib.device_put(x, lib.memory.Space.Host)), lib.device_put(x, lib.memory.Space.Host) + 1,
        lib.device_put(lib.device_put(x, lib.memory.Space.Host), lib.memory.Space.Device),
        lib.jit(lambda a: lib.device_put(a * 2, lib.memory.Space.Host))(x),
        lib.jit(lambda a: lib.device_put(lib.device_put(a, lib.memory.Space.Host) + 1, lib.memory.Space.Device))(x),
        lib.make_jaxpr(lambda a: lib.device_put(a, lib.memory.Space.Host))(x),
        lib.device_put(x, lib.sharding.NamedSharding(mesh, lib.P("x"), memory_kind="pinned_host")),
        lambda: sharding(lib, d[0], "hbm"), lambda: lib.device_put(x, lib.memory.Space.Host) + lib.device_put(x),
        lambda: lib.jit(lambda a: a, in_shardings=sharding(lib, d[0], "pinned_host"))(lib.device_put(x)),
    ]),
    "inspected": case(lambda lib, jnp, mesh, put, d: [
        found_by(lib, lambda a: a * 2, put("x")), found_by(lib, lambda a: a.T, put("x", "y")),
        found_by(lib, lambda a, b: a @ b, put("x"), put(None, "y").T),
        lib.make_jaxpr(lambda a: (lib.debug.inspect_array_sharding(a, callback=len), a)[1])(x).eqns[0].primitive,
        lambda: lib.live_arrays("gpu"),
    ]),
}


def test_is_as_in_jax():
    assert "" == differences(__name__)


def test_programs_on_one_device_are_inspected_when_they_are_compiled():
    found = []
    f = adjoint.jit(lambda a: (adjoint.debug.inspect_array_sharding(a, callback=found.append), a + 1)[1])
    assert f(x).tolist() == f(x).tolist() == (x + 1).tolist()
    assert [{ONE}] == [s.device_set for s in found]
