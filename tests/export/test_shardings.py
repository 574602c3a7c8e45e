"""Functions over several devices: how arguments and results are divided is said as in JAX, and calls keep to it."""

from __future__ import annotations

import dataclasses

import numpy as np
from tests.parallel.beside import differences

x = np.arange(64, dtype=np.float32).reshape(8, 8)


def over(lib, *spec):
    devices = np.array(lib.devices()).reshape(4, 2)
    return lib.sharding.NamedSharding(lib.sharding.Mesh(devices, ("a", "b")), lib.P(*spec))


def exported(lib):
    f = lambda x: lib.numpy.sin(x) @ x.T
    return lib.export.export(lib.jit(f, in_shardings=over(lib, "a", "b"), out_shardings=over(lib, ("a", "b"))))(x)


def given(lib):
    return lib.device_put(x, over(lib, "a", "b"))


def stored(lib):
    """Here the function as it is read again; JAX wants a package for that."""
    found = exported(lib)
    if lib.__name__ == "jax":
        return found
    read = lib.export.deserialize(found.serialize(vjp_order=1))
    assert dataclasses.replace(read, _get_vjp=None).nr_devices == found.nr_devices
    return read


CASES = {
    "fields": lambda lib: [
        exported(lib).nr_devices, stored(lib).in_shardings_jax(over(lib).mesh),
        stored(lib).out_shardings_jax(over(lib).mesh), stored(lib).in_shardings_hlo,
    ],
    "a call": lambda lib: stored(lib).call(given(lib)),
    "a derivative": lambda lib: np.asarray(lib.grad(lambda y: stored(lib).call(y).sum())(given(lib))),
    "another number of devices": lambda lib: [lambda: stored(lib).call(x)],
    "a program for one device": lambda lib: lib.export.export(lib.jit(lambda x: x * 2))(x).call(given(lib)),
}


def test_several_devices_as_in_jax():
    text = differences(__name__)
    assert not text, text
