"""Run in a process of its own: the checks of test_accelerators.py, on a CPU client that poses as an accelerator."""

from __future__ import annotations

import json
import pickle
import traceback
import warnings

import numpy as np

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.engines.xla import plugins

DEVICES = 3
CHECKS = {}


class Posing(plugins.Plugin):
    """A plugin whose library is jaxlib's own client of the CPU."""

    def make_client(self):
        from jaxlib import xla_client

        return xla_client.make_cpu_client(asynchronous=True, num_devices=DEVICES)


def check(f):
    CHECKS[f.__name__] = f
    return f


def same(got, want):
    np.testing.assert_allclose(np.asarray(got), want, rtol=1e-5, atol=1e-5)


def on_first(*arrays):
    assert all(x.devices() == {ax.devices()[0]} for x in arrays), [x.devices() for x in arrays]


@check
def devices_are_the_default_ones():
    assert [str(d) for d in ax.devices()] == [f"posing:{i}" for i in range(DEVICES)]
    assert repr(ax.devices()[1]) == "PosingDevice(id=1)" and ax.default_backend() == "gpu"
    assert ax.devices("gpu") == ax.devices("posing") == ax.devices() and ax.devices("cpu")[0] not in ax.devices()
    assert ax.devices()[0].device_kind == "cpu"  # what the runtime says of it


@check
def operations_run_there():
    x = jnp.arange(5.0)
    y = jnp.sin(x) + 1
    on_first(x, y)
    assert not hasattr(y, "__dict__") and type(y).__name__ == "Pending"  # it was not read
    same(y, np.sin(np.arange(5.0)) + 1)
    same(jnp.sort(x[::-1]), np.arange(5.0))
    same(jnp.linalg.svd(jnp.ones((3, 2)), compute_uv=False), [6**0.5, 0])
    same(jnp.fft.fft(x), np.fft.fft(np.arange(5)))
    same(y.at[1].set(9.0)[1], 9)
    assert float(x.sum()) == 10 and bool((x >= 0).all()) and int(jnp.argmax(x)) == 4


@check
def programs_run_there():
    x = jnp.arange(5.0)
    f = ax.jit(lambda d: {k: v * 2 for k, v in d.items()})
    out = f({"a": x, "b": 3})
    on_first(*out.values())
    same(out["a"], 2 * np.arange(5.0))
    assert int(out["b"]) == 6
    carry, ys = lax.scan(lambda c, v: (c + v, c * v), 0.0, x)
    on_first(carry, ys)
    same(ys, [0, 0, 2, 9, 24])
    assert int(lax.while_loop(lambda c: c < 9, lambda c: c + 2, 0)) == 10


@check
def derivatives_and_batches():
    x = jnp.arange(5.0)
    want = np.cos(np.arange(5.0)) * np.arange(5.0) + np.sin(np.arange(5.0))
    for f in (ax.grad(lambda x: jnp.sum(jnp.sin(x) * x)), ax.vmap(ax.grad(lambda x: jnp.sin(x) * x))):
        for g in (f, ax.jit(f)):
            on_first(g(x))
            same(g(x), want)


@check
def random_numbers_are_the_same():
    key = ax.random.key(0)
    same(ax.random.normal(key, (3,)), [1.6226422, 2.0252647, -0.43359444])
    assert [int(i) for i in ax.random.permutation(key, 4)] == [int(i) for i in ax.jit(
        lambda k: ax.random.permutation(k, 4))(key)]
    assert ax.random.split(key).shape == (2,)
    with ax.threefry_partitionable(False):
        older = ax.random.key_data(ax.random.split(key))
    assert (np.asarray(older) != np.asarray(ax.random.key_data(ax.random.split(key)))).any()


@check
def several_cpus_are_beside_them():
    first, second = cpus = ax.devices("cpu")
    x = ax.device_put(jnp.arange(4.0), second)
    for y in (x + 1, ax.jit(lambda a: a * 2)(x), ax.grad(lambda a: (a**2).sum())(x)):
        assert y.devices() == {second}
    assert ax.device_put(x, first).devices() == {first} and pickle.loads(pickle.dumps(second)) is second
    mesh = ax.make_mesh((2,), ("i",), devices=cpus, axis_types=(ax.sharding.AxisType.Auto,))
    y = ax.device_put(x, ax.NamedSharding(mesh, ax.P("i")))
    total = lambda a: lax.psum(a.sum(), "i") + a
    summed = ax.shard_map(total, mesh=mesh, in_specs=ax.P("i"), out_specs=ax.P("i"))
    for z in (y * 2, ax.jit(lambda a: a * 2)(y)):
        assert z.sharding.device_set == set(cpus) and len(z.addressable_shards) == 2
        same(z, [0, 2, 4, 6])
    for z in (summed(y), ax.jit(summed)(y)):
        assert z.sharding.device_set == set(cpus)
        same(z, [6, 7, 8, 9])


@check
def the_cpu_is_beside_them():
    cpu = ax.devices("cpu")[0]
    x = ax.device_put(jnp.arange(3.0), cpu)
    assert {d for y in (x, x + 1, ax.jit(lambda a: a * 2)(x)) for d in y.devices()} == {cpu}
    same(ax.jit(lambda a: a * 2)(x), [0, 2, 4])
    on_first(ax.device_put(x, ax.devices()[0]))
    for default in (cpu, "cpu"):
        with ax.default_device(default):
            made = jnp.ones(3) + 1
            jitted = ax.jit(lambda a: a * 2)(made)
            assert made.devices() == jitted.devices() == {cpu}
        y = made + jnp.arange(3.0)  # uncommitted: it goes where the other is
        on_first(y)
        same(y, [2, 3, 4])


@check
def a_device_beside_the_first():
    last = ax.devices()[-1]
    x = ax.device_put(np.arange(3.0, dtype="float32"), last)
    for y in (x, x + 1, jnp.sin(x), ax.jit(lambda a: a * 2)(x), ax.grad(lambda a: (a**2).sum())(x)):
        assert y.devices() == {last} and y.committed
    same(ax.jit(lambda a: a * 2)(x), [0, 2, 4])
    try:
        x + ax.device_put(x, ax.devices()[1])
    except ValueError as error:
        assert "incompatible devices" in str(error)
    else:
        raise AssertionError("two devices at once")


@check
def meshes():
    for n in (1, DEVICES):
        mesh = ax.make_mesh((n,), ("i",), devices=ax.devices()[:n], axis_types=(ax.sharding.AxisType.Auto,))
        place = ax.NamedSharding(mesh, ax.P("i"))
        x = ax.device_put(np.arange(6.0, dtype="float32"), place)
        y = ax.jit(lambda a: a * 2 + 1)(x)
        assert y.sharding == place and (y + x).sharding.device_set == set(mesh.devices.flat)
        same(y + x, 3 * np.arange(6.0) + 1)
        total = ax.shard_map(lambda a: lax.psum(a.sum(), "i"), mesh=mesh, in_specs=ax.P("i"), out_specs=ax.P())(x)
        assert float(total) == 15
    same(ax.pmap(lambda a: lax.psum(a, "i"), axis_name="i")(np.arange(3.0)), [3, 3, 3])


@check
def host_functions():
    x, seen = jnp.arange(3.0), []
    shape = ax.ShapeDtypeStruct((3,), jnp.float32)
    f = lambda v: ax.pure_callback(lambda a: np.asarray(a) + 1, shape, v)
    same(f(x), [1, 2, 3])
    same(ax.jit(f)(x), [1, 2, 3])
    ax.jit(lambda v: ax.debug.callback(lambda a: seen.append(float(a)), v.sum(), ordered=True))(x)
    ax.effects_barrier()
    assert seen == [3.0]
    same(ax.scipy.special.hyp2f1(0.5, 0.5, 1.5, 0.25), 1.0471975)  # an operation that only the host has


@check
def what_depends_on_the_platform():
    f = lambda x: lax.platform_dependent(x, cpu=lambda x: x, posing=lambda x: x + 1)
    assert float(f(1.0)) == float(ax.jit(f)(1.0)) == 2


@check
def memory():
    x = jnp.arange(3.0) + 1
    y = ax.jit(lambda a: a + 1, donate_argnums=0)(x)
    assert x.is_deleted()
    same(y, [2, 3, 4])
    mine = np.ones(3, np.float32)
    z = ax.device_put(mine)
    mine[:] = 7
    same(z, [1, 1, 1])
    on_first(z)
    assert ax.device_put(z, ax.devices()[0]).committed
    large = jnp.zeros((200, 200))
    assert type(large).__name__ == "Pending"
    same(ax.block_until_ready(large + 1)[0, :2], [1, 1])


@check
def an_accelerator_that_cannot_be_used():
    class Broken(plugins.Plugin):
        def make_client(self):
            raise RuntimeError("FAILED_PRECONDITION: No visible GPU devices.")

    plugins.use(Broken("cuda", "gpu", ""))
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        assert float(jnp.sin(jnp.ones(2))[0]) > 0.8 and ax.default_backend() == "cpu"
    assert "No visible GPU devices" in str(found[0].message)
    ax.config.update("jax_platforms", "cuda")
    plugins.use(Broken("cuda", "gpu", ""))
    try:
        jnp.sin(jnp.ones(2)) + 1
    except RuntimeError as error:
        assert "Unable to initialize backend 'cuda': FAILED_PRECONDITION: No visible GPU devices." in str(error)
    else:
        raise AssertionError("not refused")


if __name__ == "__main__":
    ax.config.update("jax_num_cpu_devices", 2)
    plugins.use(Posing("posing", "gpu", ""))
    found = {}
    for name, f in CHECKS.items():
        try:
            f()
            found[name] = ""
        except Exception:
            found[name] = traceback.format_exc()
    print(json.dumps(found))
