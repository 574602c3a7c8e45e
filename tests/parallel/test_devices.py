"""Several CPU devices: what is where, and what may be mixed, as in JAX."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
from tests.modes import compiling

from .beside import differences

x = np.arange(6.0, dtype=np.float32).reshape(2, 3)


def under(lib, device, f):
    """`f()` while `device` is the default one."""
    with lib.default_device(device):
        return f()


def on(lib, i, value=x):
    return lib.device_put(value, lib.devices()[i])


CASES = {
    "devices": lambda lib: [
        lib.devices(), lib.local_devices(), lib.device_count(), lib.local_device_count(), lib.devices("cpu")[3],
        lib.devices()[5].id, lib.devices()[5].platform, lib.default_backend(), lib.process_count(),
        lib.devices()[2] == lib.devices()[2], sorted(d.id for d in set(lib.devices())),
    ],
    "device_put": lambda lib: [
        on(lib, 0), on(lib, 3), lib.device_put(x), lib.device_put(1.5, lib.devices()[1]),
        lib.device_put({"a": x, "b": 1}, lib.devices()[2])["b"], on(lib, 1, on(lib, 2)),
        lib.device_put([x, 1.0], [lib.devices()[1], lib.devices()[2]]), on(lib, 2).to_device(lib.devices()[4]),
        lib.device_put(x, lib.sharding.SingleDeviceSharding(lib.devices()[6])),
        lib.jit(lambda a: lib.device_put(a, lib.devices()[0]))(x),
    ],
    "operations follow": lambda lib: [
        on(lib, 3) + 1, on(lib, 3) * lib.numpy.ones(3), lib.numpy.sin(on(lib, 2)), on(lib, 1)[0], on(lib, 1).sum(),
        lib.numpy.concatenate([on(lib, 5), on(lib, 5)]), on(lib, 4) @ x.T, -on(lib, 2), on(lib, 2).at[0].set(1.0),
        lib.jit(lambda a, b: (a * 2, b))(on(lib, 6), x), lib.nn.relu(on(lib, 1)), lib.numpy.where(on(lib, 1) > 2, 1, 0),
        lib.grad(lambda a: (a**2).sum())(on(lib, 7)), lib.vmap(lambda a: a * 2)(on(lib, 7)), on(lib, 1).astype("int32"),
        lib.lax.scan(lambda c, r: (c + r, c), on(lib, 2)[0], on(lib, 2)), on(lib, 3).copy(), abs(on(lib, 3)),
        lib.lax.cond(True, lambda a: a, lambda a: -a, on(lib, 1)), lib.random.normal(on(lib, 2, lib.random.PRNGKey(0))),
    ],
    "default device": lambda lib: under(lib, lib.devices()[1], lambda: [
        lib.numpy.ones(2), lib.numpy.arange(3), lib.numpy.array([1, 2]), lib.device_put(x), lib.jit(lambda a: a + 1)(x),
        lib.numpy.ones(2) + 1, on(lib, 2) + 1, lib.random.normal(lib.random.PRNGKey(0), (2,)),
    ]) + [lib.numpy.ones(2), under(lib, lib.devices()[1], lambda: lib.numpy.ones(2)) + 1],
    "members": lambda lib: (y := on(lib, 2)) is not None and [
        repr(y), str(y), y.devices(),
        y.device, y.sharding, y.committed, str(y.addressable_shards[0]), y.is_fully_replicated,
        float(y[0, 1]), y.tolist(), np.asarray(y).tolist(), len(y), [float(r.sum()) for r in y], y.shape, y.dtype,
        y.is_deleted(), y.delete(), y.is_deleted(),
    ],
    "jit on a device": lambda lib: [
        lib.jit(lambda a: a, device=lib.devices()[3])(x).devices(),
        lib.jit(lambda a: a + 1, backend="cpu")(x).devices(),
    ],
    "donation": lambda lib: (y := on(lib, 2)) is not None and [
        lib.jit(lambda a: a + 1, donate_argnums=0)(y), y.is_deleted(),
    ],
    "errors": lambda lib: [
        lambda: on(lib, 1) + on(lib, 2), lambda: lib.numpy.concatenate([on(lib, 1), on(lib, 2)]),
        lambda: lib.jit(_sum)(on(lib, 1), on(lib, 2, 1.0)),
        lambda: lib.device_put(x, "foo"), lambda: lib.devices("gpu"),
        lambda: lib.process_index("gpu"), lambda: lib.process_count("gpu"), lambda: lib.process_indices("gpu"),
        lambda: lib.local_devices(process_index=3), lambda: lib.config.update("jax_num_cpu_devices", 4),
    ],
}


def _sum(a, b):
    return a + b


@compiling
def test_devices_are_like_jax():
    assert "" == differences(__name__)


_PLATFORMS = """
import adjoint as jax, adjoint.numpy as jnp

def said(run, **options):
    for name, value in options.items():
        jax.config.update(name, value)
    try:
        found = run()
    except RuntimeError as error:
        found = str(error).splitlines()[0]
    print(found)

add = lambda: jnp.add(1, 2)
said(add, jax_platforms="quantum")
said(lambda: jnp.ones(2), jax_platforms="cpu,quantum")
said(jax.default_backend, jax_platforms=None, jax_platform_name="gpu")
said(lambda: jax.device_put(1.0), jax_platform_name="cuda")
said(lambda: jax.devices("cpu"))
with jax.default_device("cpu"):
    said(add)
said(lambda: jax.jit(jnp.sin).lower(1.0), jax_platform_name="METAL")
said(add, jax_platform_name="", jax_platforms="cuda,cpu")
said(add, jax_platforms="quantum", jax_platform_name="quantum")
with jax.default_device("gpu"):
    said(add)
"""


_INSTANCES = """\
Unknown backend: 'gpu' requested, but no platforms that are instances of gpu are present. Platforms present are: cpu
"""
_INITIALIZE = """\
Unable to initialize backend 'quantum': Backend 'quantum' is not in the list of known backends: ['cpu', 'tpu']. \
(set JAX_PLATFORMS='' to automatically choose an available backend)
"""
_SAID = f"""\
{_INITIALIZE}{_INITIALIZE}{_INSTANCES}Unknown backend cuda. Available backends are ['cpu']
[CpuDevice(id=0)]
3
Unknown backend metal. Available backends are ['cpu']
3
3
{_INSTANCES}"""


def test_a_platform_that_is_not_there_is_refused_as_jax_refuses_it():
    """Options are read until something was computed; `cuda` beside others is passed over where there is no GPU."""
    done = subprocess.run([sys.executable, "-c", _PLATFORMS], capture_output=True, text=True, check=False)
    assert done.stdout == _SAID, done.stderr
